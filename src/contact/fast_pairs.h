// Pairs that move far against each other within a step: their contacts are those of the moment of impact (impact.h).
#ifndef CONTACT_FAST_PAIRS_H
#define CONTACT_FAST_PAIRS_H

#include "collide/contact.h"
#include "geometry/proxy.h"
#include "world/kinematics.h"

// How bodies go through a step, by slot.
typedef struct body_paths {
    const vec3 *velocity, *spin;  // without impulses and loads of this step
    const body_velocity *reached; // that a first solution of the step gave them; NULL: there is none
    const float *radius;
    double step;
} body_paths;

// Whether two shapes move so far against each other that it matters when they meet.
bool pair_is_fast(const body_paths *paths, const proxy_view *view, proxy_pair pair);

// Appends the points of a fast pair: of the moment of impact where it has no point nearer than `touching` and the
// points of the beginning would act, else those of the beginning. A first solution counts where bodies do not meet
// without it. False when out of memory.
bool fast_pair_contacts(const body_paths *paths, const proxy_view *view, proxy_pair pair, double touching,
                        contact_array *out);

#endif
