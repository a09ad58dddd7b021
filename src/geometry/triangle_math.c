#include "geometry/triangle_math.h"

#include <stdlib.h>

// ------------------------------------------------------------------------------------------------------ one triangle

static vec3 segment_nearest(vec3 a, vec3 b, vec3 point, int at_a, int at_b, int *features)
{
    vec3 along = vec3_sub(b, a);
    double square = vec3_dot(along, along), t = vec3_dot(along, vec3_sub(point, a));
    if (!(t > 0) || !(square > 0)) {
        *features = at_a;
        return a;
    }
    if (t >= square) {
        *features = at_b;
        return b;
    }
    *features = at_a | at_b;
    return vec3_add_scaled(a, along, t / square);
}

vec3 triangle_nearest(const vec3 corners[3], vec3 point, int *features)
{
    vec3 across = vec3_cross(vec3_sub(corners[1], corners[0]), vec3_sub(corners[2], corners[0]));
    double square = vec3_dot(across, across), least = HUGE_VAL;
    bool inside = square > 0;
    vec3 nearest = corners[0];
    for (int i = 0; i < 3; i++) {
        int next = (i + 1) % 3, found;
        vec3 along = vec3_sub(corners[next], corners[i]), to = vec3_sub(point, corners[i]);
        if (square > 0 && vec3_dot(vec3_cross(along, to), across) >= 0)
            continue;
        inside = false;
        vec3 on_edge = segment_nearest(corners[i], corners[next], point, 1 << i, 1 << next, &found);
        vec3 away = vec3_sub(point, on_edge);
        if (vec3_dot(away, away) < least) {
            least = vec3_dot(away, away);
            nearest = on_edge;
            *features = found;
        }
    }
    if (!inside)
        return nearest;
    *features = TRIANGLE_FACE;
    return vec3_add_scaled(point, across, -vec3_dot(across, vec3_sub(point, corners[0])) / square);
}

// After Woop, Benthin and Wald 2013 ("Watertight ray/triangle intersection"): corners are sheared along the ray onto a
// plane, each in the same way for all triangles that share it. There the signs that tell on which side of an edge the
// ray passes can be lost to rounding, to zero, but never turned round.
bool triangle_ray(const vec3 corners[3], vec3 origin, vec3 direction, double *t)
{
    double size_x = fabs(direction.x), size_y = fabs(direction.y), size_z = fabs(direction.z);
    int axis = size_x > size_y ? (size_x > size_z ? 0 : 2) : (size_y > size_z ? 1 : 2);
    int first = (axis + 1) % 3, second = (axis + 2) % 3;
    double inverse = 1 / vec3_get(direction, axis);
    double shear_x = vec3_get(direction, first) * inverse, shear_y = vec3_get(direction, second) * inverse;
    double x[3], y[3], z[3];
    for (int i = 0; i < 3; i++) {
        vec3 p = vec3_sub(corners[i], origin);
        z[i] = vec3_get(p, axis);
        x[i] = vec3_get(p, first) - shear_x * z[i];
        y[i] = vec3_get(p, second) - shear_y * z[i];
    }
    double u = x[1] * y[2] - y[1] * x[2], v = x[2] * y[0] - y[2] * x[0], w = x[0] * y[1] - y[0] * x[1];
    if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0))
        return false;
    double sum = u + v + w;
    if (sum == 0)
        return false;
    *t = inverse * (u * z[0] + v * z[1] + w * z[2]) / sum;
    return true;
}

double triangle_angle(const vec3 corners[3], int corner)
{
    vec3 to_next = vec3_sub(corners[(corner + 1) % 3], corners[corner]);
    vec3 to_last = vec3_sub(corners[(corner + 2) % 3], corners[corner]);
    return arc_tangent(vec3_length(vec3_cross(to_next, to_last)), vec3_dot(to_next, to_last));
}

// ------------------------------------------------------------------------------------------------------------- lists

void triangles_bounds(const vec3 *vertices, const uint32_t *triangles, size_t count, vec3 *low, vec3 *high)
{
    *low = *high = vertices[triangles[0]];
    for (size_t i = 1; i < 3 * count; i++) {
        *low = vec3_lower(*low, vertices[triangles[i]]);
        *high = vec3_upper(*high, vertices[triangles[i]]);
    }
}

bool triangles_tree(const vec3 *vertices, const uint32_t *triangles, size_t count, bvh *tree)
{
    *tree = (bvh){0};
    bvh_box *boxes = malloc(count * sizeof *boxes);
    for (size_t t = 0; boxes && t < count; t++) {
        vec3 low, high;
        triangles_bounds(vertices, triangles + 3 * t, 1, &low, &high);
        boxes[t] = bvh_box_around(low, high);
    }
    bool done = boxes && bvh_build(tree, boxes, count);
    free(boxes);
    return done;
}
