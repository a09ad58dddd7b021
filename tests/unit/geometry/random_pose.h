// Random vectors and rotations for tests.
#ifndef RANDOM_POSE_H
#define RANDOM_POSE_H

#include "base/random.h"
#include "base/vec.h"

static inline vec3 random_vec(random_stream *random, double size)
{
    double x = random_between(random, -size, size), y = random_between(random, -size, size);
    return vec3_make(x, y, random_between(random, -size, size));
}

static inline quat random_rotation(random_stream *random)
{
    quat q;
    do {
        vec3 v = random_vec(random, 1);
        q = (quat){random_between(random, -1, 1), v.x, v.y, v.z};
    } while (quat_length(q) > 1 || quat_length(q) < 0.1);
    return quat_normalize(q);
}

static inline vec3 random_direction(random_stream *random)
{
    vec3 v;
    do
        v = random_vec(random, 1);
    while (vec3_length(v) > 1 || vec3_length(v) < 0.1);
    return vec3_normalize(v);
}

#endif
