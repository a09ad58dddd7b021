// Contacts of two shapes that move far within a step: those of the moment of impact, not of the beginning of the step.
//
// Each body goes straight on and turns as it does. Where two shapes stand apart, the contact of the beginning is a
// plane between them across their shortest distance,
//
//         a  ->        |                       a  ->                          the plane of the beginning turns a near
//          `           | plane              ----------- plane                 miss into a hit and a hit aside; the one
//            `         |                              <-  b                   of the moment when they are nearest does
//              <-  b   |                                                      neither
//
// and either plane keeps them apart, whatever else happens to them on the way (for convex shapes that do not turn).
// So the moment is sought at which they touch or, where they pass each other, one at which the plane between them lets
// both go on: the distance of convex shapes is a convex function of the way, so that both are found by its tangents
// (conservative advancement: Mirtich, "Impulse-based dynamic simulation of rigid body systems", 1996, section 2.3).
#ifndef COLLIDE_IMPACT_H
#define COLLIDE_IMPACT_H

#include "collide/contact.h"
#include "geometry/proxy.h"

// How the two bodies of a pair move, a before b.
typedef struct pair_paths {
    vec3 velocity[2], spin[2];
    double radius[2]; // about the centre of mass, around all of the body
    double step;
} pair_paths;

// Shapes this near each other touch.
static inline double impact_distance(const pair_paths *paths)
{
    return 1e-5 * fmin(paths->radius[0], paths->radius[1]);
}

// Whether a pair is of the kind that impacts are found for: bounded convex shapes, and those with a plane.
bool impact_is_known(const proxy *a, const proxy *b);

// The moment, as a part of the step, at which the two shapes, now apart, touch or pass each other at the least
// distance. True when they touch.
bool impact_moment(const proxy_view *view, proxy_pair pair, const pair_paths *paths, double *moment);

// Appends the points of a pair at a moment. Their arms are those of then (contact.shift); their gaps are those of now
// along the normal, so that by the paths they close to what they are then. False when out of memory.
bool impact_points(const proxy_view *view, proxy_pair pair, const pair_paths *paths, double moment, contact_array *out);

#endif
