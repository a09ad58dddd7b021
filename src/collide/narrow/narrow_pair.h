// The parts that all pair families share: the place of two shapes relative to each other, and a contact point made of
// its parts.
//
// Differences of positions are taken in double before anything is rounded, so that a pair a thousand kilometres from
// the origin gives the same contacts as one at the origin, as far as the positions themselves are exact.
#ifndef COLLIDE_NARROW_NARROW_PAIR_H
#define COLLIDE_NARROW_NARROW_PAIR_H

#include "collide/contact.h"
#include "geometry/proxy.h"

typedef struct pair_place {
    vec3 arm;     // from the centre of body a to the centre of shape a
    vec3 between; // from the centre of shape a to the centre of shape b
} pair_place;

// From the centre of the body to the centre of the shape, world axes.
static inline vec3 proxy_arm(const proxy_view *view, const proxy *p)
{
    if (p->local == 0)
        return vec3_make(0, 0, 0);
    return quat_rotate(view->orientations[p->body], view->locals[p->local].position);
}

static inline pair_place place_pair(const proxy_view *view, const proxy *a, const proxy *b)
{
    pair_place place = {.between = vec3_sub(view->centers[b->body], view->centers[a->body])};
    if ((a->local | b->local) != 0) {
        place.arm = proxy_arm(view, a);
        place.between = vec3_add(place.between, vec3_sub(proxy_arm(view, b), place.arm));
    }
    return place;
}

static inline double pair_margin(const proxy_view *view, const proxy *a, const proxy *b)
{
    return (double)view->margins[a->body] + (double)view->margins[b->body];
}

// The outward normal of plane b in the world, and how high the centre of shape a is over the plane.
static inline vec3 plane_under(const proxy_view *view, const proxy *b, const pair_place *place, double *height)
{
    const plane_geometry *plane = &view->planes[b->geometry];
    vec3 outward = quat_rotate(proxy_orientation(view, b), plane->normal);
    *height = -vec3_dot(outward, place->between) - plane->offset;
    return outward;
}

// Mixes the ordinals of two shapes in their bodies into a feature of the two shapes alone. Points of one pair of bodies
// that share a name by accident lose nothing but a good start of the solver.
static inline uint32_t body_feature(uint32_t ordinal_a, uint32_t ordinal_b, uint32_t feature)
{
    uint32_t of_b = ordinal_b * 0x85ebca6bu;
    return feature ^ ordinal_a * 0x9e3779b1u ^ (of_b << 15 | of_b >> 17);
}

// `arm` from the centre of body a; `normal` from a to b. `feature` is of the two shapes alone.
static inline contact make_contact(const proxy *a, const proxy *b, uint32_t feature, vec3 arm, vec3 normal, double gap)
{
    return (contact){
        .a = a->body,
        .b = b->body,
        .arm = vec3f_from(arm),
        .normal = vec3f_from(normal),
        .gap = (float)gap,
        .feature = body_feature(a->ordinal, b->ordinal, feature),
        .material_a = (uint16_t)a->material,
        .material_b = (uint16_t)b->material,
    };
}

// The place where two shapes touch that have one point at most, and their signed distance there.
typedef contact pair_point(const proxy_view *view, const proxy *a, const proxy *b, const pair_place *place,
                           double *gap);

// One point per pair, by a function that the compiler sees through. Every candidate is written, and counted only when
// it is near enough: a branch on the outcome would be mispredicted about every other time in a dense pack.
__attribute__((always_inline)) static inline bool narrow_points(const proxy_view *view, const proxy_pair *pairs,
                                                                size_t count, pair_point *touch, contact_array *out)
{
    if (!array_reserve(out, out->count + count))
        return false;
    contact *next = out->data + out->count;
    for (size_t i = 0; i < count; i++) {
        const proxy *a = &view->proxies[pairs[i].a], *b = &view->proxies[pairs[i].b];
        pair_place place = place_pair(view, a, b);
        double gap;
        *next = touch(view, a, b, &place, &gap);
        next += gap <= pair_margin(view, a, b);
    }
    out->count = (size_t)(next - out->data);
    return true;
}

// Signed distance of a point from a box, in the box's own axes, and the outward direction there: from the nearest point
// of the box, or from inside through the nearest face.
static inline double box_distance(vec3 point, vec3 half, vec3 *outward)
{
    vec3 nearest = {fmin(fmax(point.x, -half.x), half.x), fmin(fmax(point.y, -half.y), half.y),
                    fmin(fmax(point.z, -half.z), half.z)};
    vec3 away = vec3_sub(point, nearest);
    double square = vec3_dot(away, away);
    if (square > 1e-300) { // below that the direction is lost to underflow
        double distance = sqrt(square);
        *outward = vec3_scale(away, 1 / distance);
        return distance;
    }
    vec3 depth = {half.x - fabs(point.x), half.y - fabs(point.y), half.z - fabs(point.z)};
    if (depth.x <= depth.y && depth.x <= depth.z) {
        *outward = vec3_make(copysign(1, point.x), 0, 0);
        return -depth.x;
    }
    if (depth.y <= depth.z) {
        *outward = vec3_make(0, copysign(1, point.y), 0);
        return -depth.y;
    }
    *outward = vec3_make(0, 0, copysign(1, point.z));
    return -depth.z;
}

#endif
