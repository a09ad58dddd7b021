// Broad phase: bounds in, pairs out. Each pair of proxies whose bounds overlap is found exactly once.
//
// Nothing is assumed about where bodies are or how their sizes differ. broad_grid.h has the idea.
#ifndef COLLIDE_BROAD_H
#define COLLIDE_BROAD_H

#include "base/arena.h"
#include "collide/contact.h"
#include "geometry/proxy.h"
#include "scree/status.h"

// Bounds are each proxy's axis-aligned box grown by its body's margin. Pairs come grouped by the slot of their first
// proxy's body, in an order that depends on the view alone; two proxies of one body and two immovable bodies never
// pair. The pairs live in `scratch`.
scree_status broad_phase(const proxy_view *view, int threads, arena *scratch, proxy_pair **pairs, size_t *count,
                         scree_error *error);

// Whether shapes of two bodies may touch at all: the one place that decides it.
static inline bool bodies_may_pair(const proxy_view *view, uint32_t body_a, uint32_t body_b)
{
    return body_a != body_b && !(view->immovable[body_a] && view->immovable[body_b]);
}

// Whether bodies_may_pair can refuse this body another one. Where it is false for all bodies, nobody asks.
static inline bool body_is_filtered(const proxy_view *view, uint32_t body)
{
    return view->immovable[body];
}

#endif
