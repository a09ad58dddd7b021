// Contact points: what the narrow phase gives and the solver takes.
#ifndef COLLIDE_CONTACT_H
#define COLLIDE_CONTACT_H

#include <stdint.h>

#include "base/array.h"
#include "base/vec.h"

// Everything is relative to body a, so that single precision is enough wherever in the world the contact is.
typedef struct contact {
    uint32_t a, b;    // body slots
    vec3f arm;        // from the centre of a to the point midway between the two surfaces, world axes
    vec3f normal;     // unit, from a towards b
    float gap;        // signed distance of the surfaces along the normal; negative when they overlap
    uint32_t feature; // tells the points of one pair of bodies apart from step to step
    uint16_t material_a, material_b;
    vec3f impulse; // on b, in the last solve; zero from the narrow phase
    vec3f shift;   // by which b's centre comes nearer to a's until the moment that arm and normal are of (impact.h)
} contact;

typedef ARRAY(contact) contact_array;

// Two proxies that may touch; `a` is the one that the broad phase grouped the pair under.
typedef struct proxy_pair {
    uint32_t a, b; // proxy indices
} proxy_pair;

#endif
