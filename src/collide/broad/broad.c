// From the grid to pairs of proxies: every bounded proxy asks the grid whom it meets, in the order of slots, so that
// pairs come grouped by their first body without being sorted. Unbounded shapes are tested directly.
#include "collide/broad/broad.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/error.h"
#include "base/threads.h"
#include "collide/broad/broad_query.h"
#include "collide/filter.h"
#include "geometry/geometry.h"
#include "geometry/hull.h"
#include "geometry/shape.h"

enum {
    BLOCK = 256,      // proxies a thread takes at a time
    ROOM_SPHERES = 5, // pairs foreseen per proxy; blocks that find more are done again with exact room
    ROOM_OTHERS = 10, // boxes of turned shapes meet more often
    UNCOUNTED = 128,  // partners of a proxy that nobody looks at
};

typedef struct world_plane { // an unbounded proxy in world axes
    vec3 normal, on;
    double margin;
    uint32_t proxy;
} world_plane;

typedef struct pair_search {
    const broad_grid *grid;
    const query_kernels *kernels;
    world_plane *planes;
    size_t plane_count;
} pair_search;

typedef struct pair_sink { // counts on when it is full
    const pair_search *search;
    proxy_pair *pairs;
    size_t count, room;
    size_t next;             // proxy whose pairs with planes come next: a body's follow those with bounded shapes
    uint32_t asker, met;     // the proxy that asks, and how many it met
    uint32_t inside, others; // of them, beyond the uncounted: those that lie in it, and those whose bounds meet its own
    uint32_t crowded;        // the first that met too many, or UINT32_MAX
} pair_sink;

static bool find_planes(pair_search *search, arena *scratch)
{
    const proxy_view *view = search->grid->view;
    search->planes = arena_array(scratch, world_plane, view->proxy_count - search->grid->count);
    if (!search->planes)
        return false;
    for (size_t i = 0; search->plane_count < view->proxy_count - search->grid->count; i++) {
        const proxy *p = &view->proxies[i];
        if (!shape_is_unbounded((scree_shape_type)p->type))
            continue;
        const plane_geometry *plane = &view->planes[p->geometry];
        vec3 normal = quat_rotate(proxy_orientation(view, p), plane->normal);
        search->planes[search->plane_count++] =
            (world_plane){normal, vec3_add_scaled(proxy_center(view, p), normal, plane->offset),
                          (double)view->margins[p->body], (uint32_t)i};
    }
    return true;
}

static bool proxies_may_pair(const proxy_view *view, uint32_t a, uint32_t b)
{
    return bodies_may_pair(view, view->proxies[a].body, view->proxies[b].body);
}

static void emit(pair_sink *sink, uint32_t a, uint32_t b)
{
    if (sink->count < sink->room)
        sink->pairs[sink->count] = (proxy_pair){a, b};
    sink->count++;
}

// Radius of the largest ball about the centre of a shape that is all within it; 0 where nobody knows.
static float inscribed_radius(const proxy_view *view, const proxy *p)
{
    switch ((scree_shape_type)p->type) {
    case SCREE_SHAPE_SPHERE:
    case SCREE_SHAPE_CAPSULE:
        return p->size[0];
    case SCREE_SHAPE_BOX:
    case SCREE_SHAPE_ELLIPSOID:
        return fminf(p->size[0], fminf(p->size[1], p->size[2]));
    case SCREE_SHAPE_CYLINDER:
        return fminf(p->size[0], p->size[1]);
    case SCREE_SHAPE_CONE: // from the centroid to the base, and to the mantle
        return fminf(0.5f * p->size[1],
                     1.5f * p->size[0] * p->size[1] / sqrtf(p->size[0] * p->size[0] + 4 * p->size[1] * p->size[1]));
    case SCREE_SHAPE_HULL:
        return (float)view->geometries[p->geometry]->hull->inner_radius;
    default:
        return 0;
    }
}

// Does b lie in a with a good part of itself? Spheres do where their bounds meet, others where inscribed balls do.
static bool lies_in(const proxy_view *view, const proxy *a, const proxy *b)
{
    float within_a = inscribed_radius(view, a), within_b = inscribed_radius(view, b);
    if (within_b < 0.5f * within_a || within_a <= 0)
        return false;
    if (a->type == SCREE_SHAPE_SPHERE && b->type == SCREE_SHAPE_SPHERE)
        return true;
    vec3 apart = vec3_sub(proxy_center(view, a), proxy_center(view, b));
    double reach = (double)within_a + (double)within_b;
    return vec3_dot(apart, apart) < reach * reach;
}

// Shapes of about one size that do not lie in one another have few neighbours; a crowd has a contact for each two,
// which no step could bear.
static void look_at_partner(pair_sink *sink, uint32_t a, uint32_t b)
{
    const proxy_view *view = sink->search->grid->view;
    const proxy *of_a = &view->proxies[a], *of_b = &view->proxies[b];
    if (lies_in(view, of_a, of_b))
        sink->inside++;
    else if (of_a->type != SCREE_SHAPE_SPHERE || of_b->type != SCREE_SHAPE_SPHERE)
        sink->others++;
    if ((sink->inside + UNCOUNTED > BROAD_MOST_INSIDE || sink->others + UNCOUNTED > BROAD_MOST_OTHERS) &&
        a < sink->crowded)
        sink->crowded = a;
}

static void count_partner(pair_sink *sink, uint32_t a, uint32_t b)
{
    if (a != sink->asker) {
        sink->asker = a;
        sink->met = sink->inside = sink->others = 0;
    }
    if (++sink->met > UNCOUNTED)
        look_at_partner(sink, a, b);
}

// Bounds of two spheres met as boxes: the corners are cut off. Half extents are radius and margin.
static bool spheres_meet(const grid_columns *c, uint32_t a, uint32_t b)
{
    double x = (double)(int32_t)((uint32_t)c->x[a] - (uint32_t)c->x[b]);
    double y = (double)(int32_t)((uint32_t)c->y[a] - (uint32_t)c->y[b]);
    double z = (double)(int32_t)((uint32_t)c->z[a] - (uint32_t)c->z[b]);
    double reach = (double)c->half_x[a] + (double)c->half_x[b];
    return x * x + y * y + z * z <= reach * reach;
}

static void meet_planes(pair_sink *sink, uint32_t i)
{
    const pair_search *search = sink->search;
    const proxy_view *view = search->grid->view;
    const proxy *p = &view->proxies[i];
    bool sphere = p->type == SCREE_SHAPE_SPHERE;
    vec3 center = proxy_center(view, p), half = {0};
    if (!sphere)
        half = proxy_half_extents(view, p);
    double margin = (double)view->margins[p->body];
    for (size_t k = 0; k < search->plane_count; k++) {
        const world_plane *plane = &search->planes[k];
        vec3 n = plane->normal;
        double height = vec3_dot(n, vec3_sub(center, plane->on));
        double reach = sphere ? (double)p->size[0] : fabs(n.x) * half.x + fabs(n.y) * half.y + fabs(n.z) * half.z;
        // Rounding far from the origin must not lose a pair.
        if (height <= reach + margin + plane->margin + 1e-12 * (fabs(height) + reach) &&
            proxies_may_pair(view, i, plane->proxy))
            emit(sink, i, plane->proxy);
    }
}

// For bounded proxies before `end` that have not met them yet.
static void meet_planes_until(pair_sink *sink, size_t end)
{
    const pair_search *search = sink->search;
    if (search->plane_count == 0)
        return;
    for (; sink->next < end; sink->next++)
        if (search->grid->cell[sink->next] != (uint32_t)GRID_NOWHERE)
            meet_planes(sink, (uint32_t)sink->next);
}

static void take_hits(hit_list *hits)
{
    pair_sink *sink = hits->context;
    const broad_grid *grid = sink->search->grid;
    const proxy *proxies = grid->view->proxies;
    if (sink->crowded != UINT32_MAX)
        hits->count = 0; // the first crowded one of a block is all that anybody asks for
    for (size_t i = 0; i < hits->count; i++) {
        uint32_t a = grid->proxy[hits->a[i]], b = grid->proxy[hits->b[i]];
        if (!grid->spheres_only && proxies[a].type == SCREE_SHAPE_SPHERE && proxies[b].type == SCREE_SHAPE_SPHERE &&
            !spheres_meet(&grid->columns, hits->a[i], hits->b[i]))
            continue;
        meet_planes_until(sink, a);
        if (grid->filtered && !proxies_may_pair(grid->view, a, b))
            continue;
        count_partner(sink, a, b);
        emit(sink, a, b);
    }
    hits->count = 0;
}

static void query_block(const pair_search *search, size_t block, pair_sink *sink)
{
    const broad_grid *grid = search->grid;
    grid_query queries[BLOCK];
    hit_list hits;
    hits.count = 0;
    hits.flush = take_hits;
    hits.context = sink;
    size_t end = block_end(block, BLOCK, grid->view->proxy_count), count = 0;
    sink->next = block * BLOCK;
    for (size_t i = block * BLOCK; i < end; i++) {
        if (grid->cell[i] == (uint32_t)GRID_NOWHERE)
            continue;
        grid_query *q = &queries[count++];
        q->rank = grid->rank[i];
        q->cell = grid->cell[i];
        if (grid->level_count > 1)
            q->at = grid_box_at(grid, proxy_center(grid->view, &grid->view->proxies[i]));
    }
    search->kernels->query(grid, queries, count, false, &hits);
    take_hits(&hits);
    meet_planes_until(sink, end);
}

// Room of every block, and what it found there.
typedef struct pair_rooms {
    const pair_search *search;
    proxy_pair *room, *pairs;
    size_t foreseen; // pairs of a block
    size_t *start;   // of a block's pairs; at first, of the block before, how many there are
    _Atomic size_t crowded;
} pair_rooms;

// Pairs of a block into its room. `crowded`, shared by all blocks, becomes the least proxy that met too many: a block
// after it cannot change that and is left out, so that the square of a crowd is never listed.
static void query_room(void *context, size_t block)
{
    pair_rooms *rooms = context;
    size_t foreseen = rooms->foreseen;
    rooms->start[block + 1] = 0;
    if (atomic_load_explicit(&rooms->crowded, memory_order_relaxed) < block * BLOCK)
        return;
    pair_sink sink = {rooms->search, rooms->room + block * foreseen, .room = foreseen, .asker = UINT32_MAX,
                      .crowded = UINT32_MAX};
    query_block(rooms->search, block, &sink);
    note_least(&rooms->crowded, sink.crowded);
    rooms->start[block + 1] = sink.count;
}

// Pairs of a block to where they belong; a block that ran out of room is queried once more.
static void leave_room(void *context, size_t block)
{
    const pair_rooms *rooms = context;
    const size_t *start = rooms->start, found = start[block + 1] - start[block];
    pair_sink sink = {rooms->search, rooms->pairs + start[block], .room = found, .asker = UINT32_MAX,
                      .crowded = UINT32_MAX};
    if (found > rooms->foreseen)
        query_block(rooms->search, block, &sink);
    else
        memcpy(sink.pairs, rooms->room + block * rooms->foreseen, found * sizeof *sink.pairs);
}

// Every block writes into room of its own.
static scree_status find_pairs(const pair_search *search, int threads, arena *scratch, proxy_pair **pairs,
                               size_t *count, scree_error *error)
{
    size_t blocks = block_count(search->grid->view->proxy_count, BLOCK);
    size_t foreseen = BLOCK * (size_t)(search->grid->spheres_only ? ROOM_SPHERES : ROOM_OTHERS);
    size_t *start = arena_array(scratch, size_t, blocks + 1);
    pair_rooms rooms = {.search = search,
                        .room = arena_array(scratch, proxy_pair, blocks * foreseen),
                        .foreseen = foreseen,
                        .start = start,
                        .crowded = UINT32_MAX};
    if (!rooms.room || !start)
        return fail_no_memory(error);
    for_blocks(threads, blocks, query_room, &rooms);
    if (rooms.crowded != UINT32_MAX) {
        *count = search->grid->view->proxies[rooms.crowded].body;
        return fail(error, SCREE_ERROR_INVALID, "too many shapes in one place");
    }
    start[0] = 0;
    for (size_t b = 0; b < blocks; b++)
        start[b + 1] += start[b];
    *count = start[blocks];
    rooms.pairs = *pairs = arena_array(scratch, proxy_pair, *count);
    if (!*pairs)
        return fail_no_memory(error);
    for_blocks(threads, blocks, leave_room, &rooms);
    return SCREE_OK;
}

scree_status broad_phase(const proxy_view *view, int threads, arena *scratch, proxy_pair **pairs, size_t *count,
                         scree_error *error)
{
    broad_grid grid;
    *count = 0;
    *pairs = NULL;
    scree_status status = grid_plan(&grid, view, threads, scratch, error);
    if (status != SCREE_OK || grid.count == 0)
        return status;
    status = grid_fill(&grid, GRID_FOR_PAIRS, threads, scratch, error);
    if (status == SCREE_OK && grid.crowded)
        status = grid_find_owners(&grid, threads, scratch, error);
    if (status != SCREE_OK)
        return status;
    pair_search search = {.grid = &grid, .kernels = query_kernels_here()};
    if (!find_planes(&search, scratch))
        return fail_no_memory(error);
    return find_pairs(&search, threads, scratch, pairs, count, error);
}
