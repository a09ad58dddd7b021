// Broad phase: bounds in, pairs out. Each pair of proxies whose bounds overlap is found exactly once.
//
// Nothing is assumed about where bodies are or how their sizes differ. broad_grid.h has the idea.
#ifndef COLLIDE_BROAD_BROAD_H
#define COLLIDE_BROAD_BROAD_H

#include "base/arena.h"
#include "collide/contact.h"
#include "geometry/proxy.h"
#include "scree/status.h"

// Bounds are each proxy's axis-aligned box grown by its body's margin. Pairs come grouped by the slot of their first
// proxy's body, in an order that depends on the view alone; two proxies of one body and two immovable bodies never
// pair. The pairs live in `scratch`. SCREE_ERROR_INVALID when too many shapes of about one size are in one place:
// `count` is then the slot of a body among them.
enum {
    BROAD_MOST_INSIDE = 256,  // that may lie in a shape with a good part of themselves, of at least half its size
    BROAD_MOST_OTHERS = 4096, // bounds of turned needles meet by the hundred
};

scree_status broad_phase(const proxy_view *view, int threads, arena *scratch, proxy_pair **pairs, size_t *count,
                         scree_error *error);

#endif
