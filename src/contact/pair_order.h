// The order of candidate pairs: what detection makes of them must depend on ids, and never on slots or on the grid.
#ifndef CONTACT_PAIR_ORDER_H
#define CONTACT_PAIR_ORDER_H

#include "base/arena.h"
#include "collide/contact.h"
#include "geometry/proxy.h"

// Turns every pair so that the narrow phase need not: the shape of the lower type first and, of equal types, that of
// the body with the lower id. Then sorts pairs by slot of the first body, by id of the second, and by shapes: two
// bodies with several shapes have theirs side by side. The view has ids. NULL when out of memory.
proxy_pair *order_pairs(const proxy_view *view, proxy_pair *pairs, size_t count, int threads, arena *scratch);

#endif
