// Random convex shapes of every kind, and slow, independent knowledge of them: support functions and membership written
// from the definitions, hulls by brute force, and the greatest separation over all directions by sampling and climbing.
#ifndef CONVEX_CASES_H
#define CONVEX_CASES_H

#include <stdlib.h>
#include <string.h>

#include "../../physics/check.h"

#include "../geometry/random_pose.h"
#include "collide/convex/convex.h"

// ------------------------------------------------------------------------------------------------------------- hulls

enum { CASE_POINTS = 24, CASE_FACES = 64 };

typedef struct case_hull {
    hull_geometry hull;
    vec3 vertices[CASE_POINTS], normals[CASE_FACES];
    double offsets[CASE_FACES], vertex_columns[3 * CASE_POINTS], normal_columns[3 * CASE_FACES];
    uint32_t face_start[CASE_FACES + 1], face_corners[8 * CASE_FACES], ring_start[CASE_POINTS + 1];
    uint32_t ring[CASE_POINTS * CASE_POINTS];
} case_hull;

// Corners of a face in order round its normal, by their angle about the first three's middle.
static inline void case_sort_corners(case_hull *h, uint32_t *corners, uint32_t count, vec3 normal)
{
    vec3 middle = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++)
        middle = vec3_add_scaled(middle, h->vertices[corners[i]], 1.0 / count);
    vec3 x = vec3_normalize(vec3_sub(h->vertices[corners[0]], middle)), y = vec3_cross(normal, x);
    double angle[CASE_POINTS];
    for (uint32_t i = 0; i < count; i++) {
        vec3 arm = vec3_sub(h->vertices[corners[i]], middle);
        double at = atan2(vec3_dot(arm, y), vec3_dot(arm, x));
        uint32_t corner = corners[i], k = i;
        for (; k > 0 && angle[k - 1] > at; k--) {
            angle[k] = angle[k - 1];
            corners[k] = corners[k - 1];
        }
        angle[k] = at;
        corners[k] = corner;
    }
}

static inline void case_add_face(case_hull *h, vec3 normal, double offset, double scale)
{
    for (size_t f = 0; f < h->hull.face_count; f++)
        if (vec3_dot(h->normals[f], normal) > 1 - 1e-9)
            return;
    uint32_t start = h->face_start[h->hull.face_count], count = 0;
    for (uint32_t i = 0; i < h->hull.vertex_count; i++)
        if (fabs(vec3_dot(normal, h->vertices[i]) - offset) < 1e-9 * scale)
            h->face_corners[start + count++] = i;
    case_sort_corners(h, h->face_corners + start, count, normal);
    h->normals[h->hull.face_count] = normal;
    h->offsets[h->hull.face_count] = offset;
    assert_true(h->hull.face_count < CASE_FACES - 1);
    h->face_start[++h->hull.face_count] = start + count;
}

static inline void case_make_rings(case_hull *h)
{
    uint32_t total = 0;
    for (uint32_t v = 0; v < h->hull.vertex_count; v++) {
        h->ring_start[v] = total;
        for (size_t f = 0; f < h->hull.face_count; f++) {
            uint32_t start = h->face_start[f], count = h->face_start[f + 1] - start;
            for (uint32_t i = 0; i < count; i++) // each edge out of v belongs to one face that it leads round
                if (h->face_corners[start + i] == v)
                    h->ring[total++] = h->face_corners[start + (i + 1) % count];
        }
    }
    h->ring_start[h->hull.vertex_count] = total;
}

// Every triple of points whose plane has all others on one side. All points must be corners of the hull.
static inline void case_hull_make(case_hull *h, const vec3 *points, uint32_t count)
{
    memset(h, 0, sizeof *h);
    h->hull = (hull_geometry){.vertex_count = count,
                              .vertices = h->vertices,
                              .normals = h->normals,
                              .offsets = h->offsets,
                              .face_start = h->face_start,
                              .face_corners = h->face_corners,
                              .ring_start = h->ring_start,
                              .ring = h->ring,
                              .vertex_columns = h->vertex_columns,
                              .normal_columns = h->normal_columns};
    double scale = 0;
    for (uint32_t i = 0; i < count; i++) {
        h->vertices[i] = points[i];
        scale = fmax(scale, vec3_length(points[i]));
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++)
            for (uint32_t k = j + 1; k < count; k++) {
                vec3 normal = vec3_cross(vec3_sub(points[j], points[i]), vec3_sub(points[k], points[i]));
                normal = vec3_normalize(normal);
                double low = 0, high = 0;
                for (uint32_t l = 0; l < count; l++) {
                    double over = vec3_dot(normal, vec3_sub(points[l], points[i]));
                    low = fmin(low, over);
                    high = fmax(high, over);
                }
                if (high < 1e-9 * scale)
                    case_add_face(h, normal, vec3_dot(normal, points[i]), scale);
                else if (low > -1e-9 * scale)
                    case_add_face(h, vec3_negate(normal), -vec3_dot(normal, points[i]), scale);
            }
    case_make_rings(h);
    hull_fill_columns(h->vertex_columns, h->vertices, h->hull.vertex_count);
    hull_fill_columns(h->normal_columns, h->normals, h->hull.face_count);
}

// Points on an ellipsoid, about their mean.
static inline void case_hull_random(case_hull *h, random_stream *random, uint32_t count, vec3 radii)
{
    vec3 points[CASE_POINTS], mean = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        points[i] = vec3_multiply(random_direction(random), radii);
        mean = vec3_add_scaled(mean, points[i], 1.0 / count);
    }
    for (uint32_t i = 0; i < count; i++)
        points[i] = vec3_sub(points[i], mean);
    case_hull_make(h, points, count);
}

// An upright prism over a regular polygon.
static inline void case_hull_prism(case_hull *h, uint32_t sides, double radius, double half)
{
    vec3 points[CASE_POINTS];
    for (uint32_t i = 0; i < 2 * sides; i++) {
        double angle = 2 * PI * (i / 2) / sides;
        points[i] = vec3_make(radius * cos(angle), radius * sin(angle), i % 2 ? half : -half);
    }
    case_hull_make(h, points, 2 * sides);
}

// ------------------------------------------------------------------------------------------------------------ shapes

typedef struct case_shape {
    convex shape;
    case_hull hull;
} case_shape;

// Sizes from low to high; a hull has a structure of its own, so the case must stay where it is.
static inline void case_random(case_shape *c, random_stream *random, convex_kind kind, double low, double high)
{
    double x = random_between(random, low, high), y = random_between(random, low, high);
    vec3 size = {x, y, random_between(random, low, high)};
    c->shape = (convex){.kind = kind, .axes = mat3_from_quat(random_rotation(random))};
    c->shape.radius = kind == CONVEX_POINT || kind == CONVEX_SEGMENT ? x : 0;
    switch (kind) {
    case CONVEX_BOX:
    case CONVEX_ELLIPSOID:
        c->shape.size = size;
        break;
    case CONVEX_SEGMENT:
        c->shape.size.z = size.z;
        break;
    case CONVEX_CYLINDER:
    case CONVEX_CONE:
        c->shape.size = vec3_make(size.x, 0, size.z);
        break;
    case CONVEX_TRIANGLE:
        for (int i = 0; i < 2; i++)
            c->shape.corners[i] = vec3_scale(random_direction(random), i ? x : y);
        c->shape.corners[2] = vec3_scale(vec3_add(c->shape.corners[0], c->shape.corners[1]), -1);
        break;
    case CONVEX_HULL:
        case_hull_random(&c->hull, random, 4 + (uint32_t)(random_bits(random) % 12), size);
        c->shape.hull = &c->hull.hull;
        break;
    default:
        break;
    }
}

// The greatest of direction . x over the shape: by definition, not by its support point.
static inline double case_reach(const convex *s, vec3 direction)
{
    vec3 d = mat3_apply_transposed(&s->axes, direction);
    double out = hypot(d.x, d.y), reach = -CHECK_INFINITY;
    switch (s->kind) {
    case CONVEX_POINT:
        reach = 0;
        break;
    case CONVEX_SEGMENT:
        reach = fabs(d.z) * s->size.z;
        break;
    case CONVEX_BOX:
        reach = fabs(d.x) * s->size.x + fabs(d.y) * s->size.y + fabs(d.z) * s->size.z;
        break;
    case CONVEX_ELLIPSOID:
        reach = vec3_length(vec3_multiply(d, s->size));
        break;
    case CONVEX_CYLINDER:
        reach = out * s->size.x + fabs(d.z) * s->size.z;
        break;
    case CONVEX_CONE:
        reach = fmax(1.5 * s->size.z * d.z, out * s->size.x - 0.5 * s->size.z * d.z);
        break;
    case CONVEX_TRIANGLE:
        for (int i = 0; i < 3; i++)
            reach = fmax(reach, vec3_dot(d, s->corners[i]));
        break;
    case CONVEX_HULL:
        for (size_t i = 0; i < s->hull->vertex_count; i++)
            reach = fmax(reach, vec3_dot(d, s->hull->vertices[i]));
        break;
    }
    return reach + s->radius * vec3_length(direction) + vec3_dot(direction, s->center);
}

// How far the shapes are apart along a unit vector from a to b.
static inline double case_separation(const convex *a, const convex *b, vec3 normal)
{
    return -case_reach(b, vec3_negate(normal)) - case_reach(a, normal);
}

// Distance of a point from a triangle: least over its inside, edges and corners.
static inline double case_triangle_distance(const vec3 c[3], vec3 p)
{
    double least = CHECK_INFINITY;
    vec3 normal = vec3_normalize(vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0])));
    bool inside = true;
    for (int i = 0; i < 3; i++) {
        vec3 edge = vec3_sub(c[(i + 1) % 3], c[i]), arm = vec3_sub(p, c[i]);
        double t = fmin(fmax(vec3_dot(arm, edge) / vec3_dot(edge, edge), 0), 1);
        least = fmin(least, vec3_length(vec3_add_scaled(arm, edge, -t)));
        inside = inside && vec3_dot(vec3_cross(edge, arm), normal) >= 0;
    }
    return inside ? fabs(vec3_dot(normal, vec3_sub(p, c[0]))) : least;
}

// How far a point stands outside the shape, or a bound below that which is 0 exactly inside. A little is rounding.
static inline double case_outside(const convex *s, vec3 point)
{
    vec3 p = mat3_apply_transposed(&s->axes, vec3_sub(point, s->center)), size = s->size;
    double out = hypot(p.x, p.y), most = 0;
    switch (s->kind) {
    case CONVEX_POINT:
        return fmax(vec3_length(p) - s->radius, 0);
    case CONVEX_SEGMENT:
        return fmax(hypot(out, fmax(fabs(p.z) - size.z, 0)) - s->radius, 0);
    case CONVEX_BOX:
        return fmax(0, fmax(fabs(p.x) - size.x, fmax(fabs(p.y) - size.y, fabs(p.z) - size.z)));
    case CONVEX_ELLIPSOID: // along the ray from the centre, times the least radius over the largest
        most = vec3_length(vec3_make(p.x / size.x, p.y / size.y, p.z / size.z));
        return fmax(0, most - 1) * fmin(size.x, fmin(size.y, size.z));
    case CONVEX_CYLINDER:
        return fmax(0, fmax(out - size.x, fabs(p.z) - size.z));
    case CONVEX_CONE:
        most = (2 * size.z * (out - size.x) + size.x * (p.z + 0.5 * size.z)) / hypot(2 * size.z, size.x);
        return fmax(0, fmax(most, -0.5 * size.z - p.z));
    case CONVEX_TRIANGLE:
        return case_triangle_distance(s->corners, p);
    case CONVEX_HULL:
        for (size_t f = 0; f < s->hull->face_count; f++)
            most = fmax(most, vec3_dot(s->hull->normals[f], p) - s->hull->offsets[f]);
        return most;
    }
    return CHECK_INFINITY;
}

// Climbs from a direction to a local maximum of the separation by trying steps along two tangents, ever smaller.
static inline double case_climb(const convex *a, const convex *b, vec3 *normal, double step, double least_step)
{
    double best = case_separation(a, b, *normal);
    while (step > least_step) {
        vec3 x = vec3_normalize(vec3_cross(*normal, fabs(normal->x) < 0.6 ? vec3_make(1, 0, 0) : vec3_make(0, 1, 0)));
        vec3 y = vec3_cross(*normal, x);
        bool better = false;
        for (int i = 0; i < 8; i++) {
            vec3 aside = vec3_add(vec3_scale(x, cos(i * PI / 4)), vec3_scale(y, sin(i * PI / 4)));
            vec3 tried = vec3_normalize(vec3_add_scaled(*normal, aside, step));
            double separation = case_separation(a, b, tried);
            if (separation > best) {
                best = separation;
                *normal = tried;
                better = true;
                break;
            }
        }
        step *= better ? 1.5 : 0.5;
    }
    return best;
}

// The greatest separation over all directions, from the best of many on a spiral: never more than the truth.
static inline double case_greatest_separation(const convex *a, const convex *b, int directions)
{
    enum { STARTS = 4 };
    vec3 starts[STARTS];
    double best[STARTS];
    for (int k = 0; k < STARTS; k++)
        best[k] = -CHECK_INFINITY;
    for (int i = 0; i < directions; i++) {
        double z = 1 - (2 * i + 1.0) / directions, angle = i * 2.39996322972865332;
        vec3 normal = {sqrt(1 - z * z) * cos(angle), sqrt(1 - z * z) * sin(angle), z};
        double separation = case_separation(a, b, normal);
        for (int k = 0; k < STARTS; k++)
            if (separation > best[k]) {
                best[k] = separation;
                starts[k] = normal;
                break;
            }
    }
    double greatest = -CHECK_INFINITY;
    for (int k = 0; k < STARTS; k++)
        if (isfinite(best[k]))
            greatest = fmax(greatest, case_climb(a, b, &starts[k], 0.1, 1e-9));
    return greatest;
}

#endif
