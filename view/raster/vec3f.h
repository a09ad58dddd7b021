// Vector arithmetic of pictures: on float triples (points and directions in the frame of a view), and one helper more.
#ifndef VIEW_RASTER_VEC3F_H
#define VIEW_RASTER_VEC3F_H

#include "base/vec.h"

static inline float vec3f_dot(vec3f a, vec3f b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec3f vec3f_sub(vec3f a, vec3f b)
{
    return (vec3f){a.x - b.x, a.y - b.y, a.z - b.z};
}

// a + s b
static inline vec3f vec3f_add_scaled(vec3f a, vec3f b, float s)
{
    return (vec3f){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline vec3f vec3f_cross(vec3f a, vec3f b)
{
    return (vec3f){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline vec3f vec3f_scale(vec3f a, float s)
{
    return (vec3f){a.x * s, a.y * s, a.z * s};
}

static inline vec3f vec3f_normalize(vec3f a)
{
    return vec3f_scale(a, 1 / sqrtf(fmaxf(vec3f_dot(a, a), 1e-30f)));
}

// A unit vector square to unit n: the x axis laid into its plane, or the y axis where n runs along x.
static inline vec3 vec3_square_to(vec3 n)
{
    vec3 world = fabs(n.x) < 0.9 ? vec3_make(1, 0, 0) : vec3_make(0, 1, 0);
    return vec3_normalize(vec3_add_scaled(world, n, -vec3_dot(n, world)));
}

static inline float clamp_unit(float value)
{
    return fminf(fmaxf(value, 0), 1);
}

#endif
