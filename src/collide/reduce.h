// Contact reduction: of the many points in which a body made of many shapes meets another, the few that carry it.
#ifndef COLLIDE_REDUCE_H
#define COLLIDE_REDUCE_H

#include "base/arena.h"
#include "collide/contact.h"
#include "geometry/proxy.h"

// Picks at most `most` (>= 1) of the points of one pair of bodies: the deepest, then again and again the one that is
// farthest from those picked, in place and in direction. Points that carried an impulse in the last step win where the
// choice is close, so that it does not flicker. Moves the picked ones to the front, in their order; returns how many.
size_t contacts_pick(contact *points, size_t count, size_t most);

// Brings the contacts of bodies with several shapes side by side, pair by pair: such a body becomes `a` of its
// contacts where it can move and the other has one shape or a higher id. Contacts stay sorted by slot of a.
// `is_compound` by slot. False when out of memory.
bool contacts_gather(const proxy_view *view, const uint8_t *is_compound, contact *contacts, size_t count,
                     arena *scratch);

// The same point seen from the other body.
void contact_turn(const proxy_view *view, contact *c);

#endif
