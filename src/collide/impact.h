// Where two bodies that move far within a step meet: the moment of impact, and the contacts of that moment.
//
// Each body goes straight on and turns as it does. Where two shapes stand apart, the contact of the beginning is a
// plane between them across their shortest distance,
//
//         a  ->        |                       a  ->                          the plane of the beginning turns a near
//          `           | plane              ----------- plane                 miss into a hit and a hit aside; the one
//            `         |                              <-  b                   of the moment when they are nearest does
//              <-  b   |                                                      neither
//
// and either plane keeps convex shapes that do not turn apart, whatever else happens to them on the way. So the moment
// is sought at which they touch or, where they pass each other, one at which the plane between them lets both go on.
// The distance of convex shapes that do not turn is a convex function of time, so that both are found by its tangents;
// where they turn, and for surfaces of triangles, by conservative advancement (Mirtich, "Impulse-based dynamic
// simulation of rigid body systems", 1996, section 2.3).
#ifndef COLLIDE_IMPACT_H
#define COLLIDE_IMPACT_H

#include "collide/contact.h"
#include "geometry/proxy.h"

// Two bodies by their slots, and how they move, a before b.
typedef struct pair_paths {
    uint32_t slot[2];
    vec3 velocity[2], spin[2];
    double radius[2]; // about the centre of mass, around all of the body
    double step;
} pair_paths;

typedef enum impact_kind {
    IMPACT_UNKNOWN, // not found out: they touch already, or graze each other for too long
    IMPACT_HIT,
    IMPACT_PASS,
} impact_kind;

// The moment, as a part of the step, at which two bodies, now apart, first touch, or at which they are nearest as they
// pass each other. The view knows first_proxy and margins: what is farther apart than those counts as far away.
impact_kind impact_moment(const proxy_view *view, const pair_paths *paths, double *moment);

// Most points that impact_points gives, with the slack of the narrow phase.
size_t impact_most_points(const proxy_view *view, const pair_paths *paths);

// Appends the points of two bodies as they stand at a moment, within a distance of each other. Arms are those of then;
// gaps are those of now along the normal, so that by the paths they close to what they are then. False when out of
// memory.
bool impact_points(const proxy_view *view, const pair_paths *paths, double moment, double within, contact_array *out);

// By how much b's centre comes nearer to a's until a moment, seen from b.
static inline vec3 impact_shift(const pair_paths *paths, double moment)
{
    return vec3_scale(vec3_sub(paths->velocity[0], paths->velocity[1]), moment * paths->step);
}

#endif
