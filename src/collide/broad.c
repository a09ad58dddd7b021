// A hierarchical grid without a world box, made anew each step.
//
// Coordinates become integers: x -> floor(x / unit), 64 bits wide for finding cells, their low 32 bits for comparing.
// Differences of the low halves wrap around and are exact wherever in the world two neighbours are; bodies that are
// 2^32 units apart merely cost a candidate that is dropped later. A cell of level L has 2^(12 + L) units:
//
//     level of a proxy: the lowest whose cells are at least as wide as its box
//     home of a proxy:  the cell of its centre
//     bucket of a cell: (hash(level, y, z) + x) mod size, so that cells along x are neighbours in memory
//
// So two boxes of one level can only touch when their homes are neighbours, and the three cells x-1, x, x+1 of a row
// are one run of memory. A proxy looks at the rows after its own (5 runs, half of the 27 cells), and at all cells in
// reach of every coarser level; hence each pair is found once, by its finer or earlier member. Cells that
// share a bucket by accident are told apart by comparing cell coordinates of the candidates that overlap.
//
// The unit is chosen such that the sizes at hand fill their cells well. Unbounded shapes are tested directly.
#include "collide/broad.h"

#include <string.h>

#include "base/error.h"
#include "base/threads.h"
#include "collide/filter.h"
#include "geometry/shape.h"

enum {
    CELL_BITS = 12,   // units in a cell of level 0: 2^12
    LEVELS = 18,      // sizes beyond 2^17 : 1 share the finest level
    LANES4 = 4,       // candidates compared at once
    BLOCK = 256,      // proxies a thread takes at a time
    ROOM = 5,         // pairs foreseen per proxy; blocks that find more are done again with exact room
    SIZE_BINS = 4096, // sizes are counted by exponent and four bits of mantissa
    UNBOUNDED = 255,
};

typedef struct cell {
    int64_t x, y, z;
} cell;

typedef struct grid_level {
    uint32_t count;  // proxies
    uint32_t bucket; // first bucket
    uint32_t mask;   // buckets - 1
} grid_level;

// Sorted by bucket, in arrays, so that a run of candidates is compared lane by lane.
typedef struct entries {
    int32_t *x, *y, *z;    // low halves of the centre
    int32_t *hx, *hy, *hz; // half extents
    uint32_t *proxy;
} entries;

typedef struct int_box { // of one proxy
    int64_t x, y, z;
    int32_t hx, hy, hz;
    uint8_t level; // or UNBOUNDED
} int_box;

typedef struct level_grid {
    const proxy_view *view;
    double unit, per_unit;
    grid_level levels[LEVELS];
    uint32_t bucket_count;
    uint32_t *start; // [bucket_count + 1] into entries
    entries sorted;
    uint32_t *rank; // by proxy: its place in `sorted`
    int_box *boxes; // by proxy
    uint32_t *unbounded;
    size_t unbounded_count;
} level_grid;

// ------------------------------------------------------------------------------------------------ units and levels

static vec3 padded_half_extents(const proxy_view *view, const proxy *p)
{
    double margin = (double)view->margins[p->body];
    vec3 half;
    if (p->type == SCREE_SPHERE)
        half = vec3_make((double)p->size[0], (double)p->size[0], (double)p->size[0]);
    else
        half = proxy_half_extents(view, p);
    return vec3_make(half.x + margin, half.y + margin, half.z + margin);
}

static uint32_t size_bin(float size)
{
    uint32_t bits;
    memcpy(&bits, &size, sizeof bits);
    return bits >> 19;
}

// Width of the cells of the given phase (sixteenths of an octave) that hold all sizes of a bin, with room for rounding.
static double cell_edge(uint32_t bin, uint32_t phase)
{
    uint32_t bits = (bin + 1 + ((phase - bin) & 15)) << 19;
    float edge;
    memcpy(&edge, &bits, sizeof edge);
    return (double)edge * 1.002;
}

// The unit whose power-of-two cells waste least room over all sizes: cost is the sum of (cell / size)^3.
static double choose_unit(const uint64_t *counts)
{
    uint32_t bottom = SIZE_BINS, top = 0;
    double cost[16] = {0};
    for (uint32_t bin = 0; bin < SIZE_BINS; bin++) {
        if (!counts[bin])
            continue;
        top = bin;
        bottom = bottom == SIZE_BINS ? bin : bottom;
        for (uint32_t phase = 0; phase < 16; phase++) {
            double spare = (double)((phase - bin) & 15) / 16;
            cost[phase] += (double)counts[bin] * exp2(3 * spare);
        }
    }
    uint32_t best = 0;
    for (uint32_t phase = 1; phase < 16; phase++)
        best = cost[phase] < cost[best] ? phase : best;
    double finest = cell_edge(bottom, best), coarsest = cell_edge(top, best);
    finest = fmax(finest, coarsest / (double)(1u << (LEVELS - 1)));
    return finest / (double)(1u << CELL_BITS);
}

static bool count_sizes(const proxy_view *view, int threads, uint64_t *counts)
{
    bool any = false;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : counts[:SIZE_BINS]) reduction(| : any)
    for (size_t i = 0; i < view->proxy_count; i++) {
        const proxy *p = &view->proxies[i];
        if (shape_is_unbounded((scree_shape_type)p->type))
            continue;
        counts[size_bin((float)(2 * vec3_max(padded_half_extents(view, p))))]++;
        any = true;
    }
    return any;
}

// Coordinates beyond this are outside the representable world: double no longer tells units apart there.
static const double world_limit = 0x1p51;

static bool make_box(const level_grid *grid, const proxy *p, int_box *out)
{
    vec3 centre = vec3_scale(proxy_centre(grid->view, p), grid->per_unit);
    if (!(fabs(centre.x) < world_limit && fabs(centre.y) < world_limit && fabs(centre.z) < world_limit))
        return false;
    vec3 half = vec3_scale(padded_half_extents(grid->view, p), grid->per_unit);
    if (!(vec3_max(half) < (double)(1 << (CELL_BITS + LEVELS))))
        return false; // no finite size
    // One unit more than rounding up, since the centre was rounded as well.
    *out = (int_box){(int64_t)floor(centre.x),
                     (int64_t)floor(centre.y),
                     (int64_t)floor(centre.z),
                     (int32_t)half.x + 2,
                     (int32_t)half.y + 2,
                     (int32_t)half.z + 2,
                     0};
    int32_t largest = out->hx > out->hy ? out->hx : out->hy;
    largest = out->hz > largest ? out->hz : largest;
    while (out->level < LEVELS - 1 && 2 * largest > 1 << (CELL_BITS + out->level))
        out->level++;
    return true;
}

static int32_t low_half(int64_t coordinate)
{
    return (int32_t)(uint32_t)(uint64_t)coordinate;
}

static cell cell_of(const int_box *b, int lvl)
{
    int shift = CELL_BITS + lvl;
    return (cell){b->x >> shift, b->y >> shift, b->z >> shift};
}

static uint32_t row_hash(int64_t y, int64_t z)
{
    uint64_t h = (uint64_t)y * 0x9e3779b97f4a7c15u + (uint64_t)z * 0xc2b2ae3d27d4eb4fu;
    return (uint32_t)((h ^ (h >> 31)) * 0x9fb21c651e98df25u >> 32);
}

// Bucket within the level.
static uint32_t bucket_of(const grid_level *lvl, int64_t x, int64_t y, int64_t z)
{
    return (row_hash(y, z) + (uint32_t)x) & lvl->mask;
}

// --------------------------------------------------------------------------------------------------------- building

static bool take_arrays(level_grid *grid, size_t proxies, arena *scratch)
{
    entries *e = &grid->sorted;
    int32_t **columns[6] = {&e->x, &e->y, &e->z, &e->hx, &e->hy, &e->hz};
    for (int i = 0; i < 6; i++) {
        *columns[i] = arena_array(scratch, int32_t, proxies + LANES4);
        if (!*columns[i])
            return false;
    }
    e->proxy = arena_array(scratch, uint32_t, proxies);
    grid->rank = arena_array(scratch, uint32_t, proxies);
    grid->boxes = arena_array(scratch, int_box, proxies);
    grid->unbounded = arena_array(scratch, uint32_t, proxies);
    return e->proxy && grid->rank && grid->boxes && grid->unbounded;
}

static scree_status find_levels(level_grid *grid, int threads, scree_error *error)
{
    const proxy_view *view = grid->view;
    uint32_t counts[LEVELS] = {0};
    size_t lost = SIZE_MAX;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : counts[:LEVELS]) reduction(min : lost)
    for (size_t i = 0; i < view->proxy_count; i++) {
        const proxy *p = &view->proxies[i];
        if (shape_is_unbounded((scree_shape_type)p->type))
            grid->boxes[i].level = UNBOUNDED;
        else if (make_box(grid, p, &grid->boxes[i]))
            counts[grid->boxes[i].level]++;
        else
            lost = i < lost ? i : lost;
    }
    if (lost != SIZE_MAX)
        return fail(error, SCREE_DIVERGED, "body in slot %u has left the representable world",
                    view->proxies[lost].body);
    grid->unbounded_count = 0;
    for (size_t i = 0; i < view->proxy_count; i++)
        if (grid->boxes[i].level == UNBOUNDED)
            grid->unbounded[grid->unbounded_count++] = (uint32_t)i;
    grid->bucket_count = 0;
    for (int l = 0; l < LEVELS; l++) {
        uint32_t buckets = 0;
        if (counts[l])
            for (buckets = 64; buckets < 2 * counts[l] && buckets < 1u << 31;)
                buckets *= 2;
        grid->levels[l] = (grid_level){counts[l], grid->bucket_count, buckets ? buckets - 1 : 0};
        grid->bucket_count += buckets;
    }
    return SCREE_OK;
}

// Lanes beyond the last entry are compared too, and dropped after.
static void clear_tail(entries *e, size_t count)
{
    int32_t *columns[6] = {e->x, e->y, e->z, e->hx, e->hy, e->hz};
    for (int i = 0; i < 6; i++)
        memset(columns[i] + count, 0, LANES4 * sizeof(int32_t));
}

// A stable counting sort by bucket. Each thread owns a range of buckets and passes over all keys, so that the order is
// that of the proxies whatever the number of threads.
static bool sort_entries(level_grid *grid, int threads, arena *scratch)
{
    const proxy_view *view = grid->view;
    size_t n = view->proxy_count;
    uint32_t *key = arena_array(scratch, uint32_t, n);
    grid->start = arena_array(scratch, uint32_t, (size_t)grid->bucket_count + 2);
    if (!key || !grid->start)
        return false;
    uint32_t *count = grid->start + 1; // count[b] becomes the end of bucket b
    uint32_t buckets = grid->bucket_count;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static)
        for (size_t i = 0; i < n; i++) {
            const int_box *b = &grid->boxes[i];
            key[i] = UINT32_MAX;
            if (b->level == UNBOUNDED)
                continue;
            const grid_level *lvl = &grid->levels[b->level];
            cell c = cell_of(b, b->level);
            key[i] = lvl->bucket + bucket_of(lvl, c.x, c.y, c.z);
        }
#pragma omp for schedule(static)
        for (int part = 0; part < threads; part++) {
            uint32_t low = (uint32_t)((uint64_t)buckets * (uint64_t)part / (uint64_t)threads);
            uint32_t high = (uint32_t)((uint64_t)buckets * (uint64_t)(part + 1) / (uint64_t)threads);
            memset(count + low, 0, (high - low) * sizeof *count);
            for (size_t i = 0; i < n; i++)
                if (key[i] - low < high - low)
                    count[key[i]]++;
        }
#pragma omp single
        {
            uint32_t sum = 0;
            grid->start[0] = 0;
            for (uint32_t b = 0; b < buckets; b++) {
                uint32_t here = count[b];
                count[b] = sum; // the cursor of bucket b; after scattering it is the bucket's end
                sum += here;
            }
        }
#pragma omp for schedule(static)
        for (int part = 0; part < threads; part++) {
            uint32_t low = (uint32_t)((uint64_t)buckets * (uint64_t)part / (uint64_t)threads);
            uint32_t high = (uint32_t)((uint64_t)buckets * (uint64_t)(part + 1) / (uint64_t)threads);
            for (size_t i = 0; i < n; i++)
                if (key[i] - low < high - low)
                    grid->rank[i] = count[key[i]]++;
        }
#pragma omp single
        clear_tail(&grid->sorted, n - grid->unbounded_count);
#pragma omp for schedule(static)
        for (size_t i = 0; i < n; i++) {
            const int_box *b = &grid->boxes[i];
            if (b->level == UNBOUNDED)
                continue;
            uint32_t r = grid->rank[i];
            entries *e = &grid->sorted;
            e->x[r] = low_half(b->x);
            e->y[r] = low_half(b->y);
            e->z[r] = low_half(b->z);
            e->hx[r] = b->hx;
            e->hy[r] = b->hy;
            e->hz[r] = b->hz;
            e->proxy[r] = (uint32_t)i;
        }
    }
    return true;
}

// --------------------------------------------------------------------------------------------------------- querying

typedef struct pair_sink { // counts on when it is full
    proxy_pair *pairs;
    size_t count, room;
} pair_sink;

typedef struct query {
    const level_grid *grid;
    uint32_t proxy;
    int_box box;
    int32_t x, y, z;
    pair_sink *sink;
} query;

// Half extents of a sphere are its radius and margin, so for two of them the corners of the boxes can be cut off.
static bool near_spheres(const query *q, uint32_t other)
{
    const int_box *a = &q->box, *b = &q->grid->boxes[other];
    double x = (double)(a->x - b->x), y = (double)(a->y - b->y), z = (double)(a->z - b->z);
    double reach = (double)(a->hx + b->hx);
    return x * x + y * y + z * z <= reach * reach;
}

static void emit(const query *q, uint32_t other)
{
    const proxy_view *view = q->grid->view;
    uint32_t a = view->proxies[q->proxy].body, b = view->proxies[other].body;
    if (!bodies_may_pair(view, a, b))
        return;
    if (view->proxies[q->proxy].type == SCREE_SPHERE && view->proxies[other].type == SCREE_SPHERE &&
        !near_spheres(q, other))
        return;
    if (q->sink->count < q->sink->room)
        q->sink->pairs[q->sink->count] = (proxy_pair){q->proxy, other};
    q->sink->count++;
}

typedef int32_t lanes __attribute__((vector_size(LANES4 * sizeof(int32_t))));
typedef uint32_t unsigned_lanes __attribute__((vector_size(LANES4 * sizeof(uint32_t))));

static inline lanes load_lanes(const int32_t *from)
{
    lanes result;
    memcpy(&result, from, sizeof result);
    return result;
}

static inline lanes all_lanes(int32_t value)
{
    return (lanes){value, value, value, value};
}

static inline lanes overlap_axis(const int32_t *centres, const int32_t *halves, uint32_t at, int32_t centre,
                                 int32_t half)
{
    // Unsigned, because differences wrap around.
    lanes distance = (lanes)((unsigned_lanes)load_lanes(centres + at) - (unsigned_lanes)all_lanes(centre));
    lanes reach = load_lanes(halves + at) + all_lanes(half);
    return (distance <= reach) & (distance >= -reach);
}

// Candidates first <= r < end that overlap the box and whose home cells are in the wanted row with x in [low, high].
static void scan_run(const query *q, uint32_t first, uint32_t end, int shift, cell row, int64_t low, int64_t high)
{
    const entries *e = &q->grid->sorted;
    for (uint32_t r = first; r < end; r += LANES4) {
        lanes hit = overlap_axis(e->x, e->hx, r, q->x, q->box.hx) & overlap_axis(e->y, e->hy, r, q->y, q->box.hy) &
                    overlap_axis(e->z, e->hz, r, q->z, q->box.hz);
        if (!(hit[0] | hit[1] | hit[2] | hit[3]))
            continue;
        uint32_t count = end - r < LANES4 ? end - r : LANES4;
        for (uint32_t k = 0; k < count; k++) {
            if (!hit[k])
                continue;
            // Cell coordinates of the candidate relative to the wanted ones, in the low bits that both have.
            uint32_t keep = UINT32_MAX >> shift;
            uint32_t dy = ((uint32_t)(e->y[r + k] >> shift) - (uint32_t)(uint64_t)row.y) & keep;
            uint32_t dz = ((uint32_t)(e->z[r + k] >> shift) - (uint32_t)(uint64_t)row.z) & keep;
            uint32_t dx = ((uint32_t)(e->x[r + k] >> shift) - (uint32_t)(uint64_t)low) & keep;
            if (dy == 0 && dz == 0 && dx <= (uint32_t)(high - low))
                emit(q, e->proxy[r + k]);
        }
    }
}

// Cells [low, high] of one row; the run of buckets may wrap round the end of the level's table.
static void scan_row(const query *q, const grid_level *lvl, int shift, cell row, int64_t low, int64_t high)
{
    const uint32_t *start = q->grid->start + 1; // start[b - 1] .. start[b] after the shift by sorting
    uint32_t b = bucket_of(lvl, low, row.y, row.z);
    uint32_t width = (uint32_t)(high - low) + 1;
    uint32_t to_end = lvl->mask + 1 - b;
    uint32_t here = width < to_end ? width : to_end;
    uint32_t base = lvl->bucket + b;
    scan_run(q, start[(int64_t)base - 1], start[base + here - 1], shift, row, low, high);
    if (here < width)
        scan_run(q, start[(int64_t)lvl->bucket - 1], start[lvl->bucket + (width - here) - 1], shift, row, low, high);
}

// Same level: what follows in the home cell, the next cell along x, and the four rows after it.
static void query_own_level(const query *q)
{
    static const int rows[4][2] = {{1, 0}, {-1, 1}, {0, 1}, {1, 1}};
    const grid_level *lvl = &q->grid->levels[q->box.level];
    int shift = CELL_BITS + q->box.level;
    cell home = cell_of(&q->box, q->box.level);
    const uint32_t *start = q->grid->start + 1;
    uint32_t bucket = lvl->bucket + bucket_of(lvl, home.x, home.y, home.z);
    scan_run(q, q->grid->rank[q->proxy] + 1, start[bucket], shift, home, home.x, home.x);
    scan_row(q, lvl, shift, home, home.x + 1, home.x + 1);
    for (int i = 0; i < 4; i++) {
        cell row = {home.x, home.y + rows[i][0], home.z + rows[i][1]};
        scan_row(q, lvl, shift, row, home.x - 1, home.x + 1);
    }
}

// Coarser level: centres within reach of this box plus half a coarse cell.
static void query_coarser_level(const query *q, int l)
{
    const grid_level *lvl = &q->grid->levels[l];
    int shift = CELL_BITS + l;
    int64_t half = (int64_t)1 << (shift - 1);
    const int_box *b = &q->box;
    cell low = {(b->x - b->hx - half) >> shift, (b->y - b->hy - half) >> shift, (b->z - b->hz - half) >> shift};
    cell high = {(b->x + b->hx + half) >> shift, (b->y + b->hy + half) >> shift, (b->z + b->hz + half) >> shift};
    for (int64_t z = low.z; z <= high.z; z++)
        for (int64_t y = low.y; y <= high.y; y++)
            scan_row(q, lvl, shift, (cell){0, y, z}, low.x, high.x);
}

static void query_unbounded(const query *q)
{
    const proxy_view *view = q->grid->view;
    const proxy *p = &view->proxies[q->proxy];
    double margin = (double)view->margins[p->body];
    vec3 half = proxy_half_extents(view, p);
    for (size_t i = 0; i < q->grid->unbounded_count; i++) {
        uint32_t other = q->grid->unbounded[i];
        const proxy *plane = &view->proxies[other];
        vec3 normal = quat_rotate(proxy_orientation(view, plane), view->planes[plane->geometry].normal);
        double height = vec3_dot(normal, vec3_sub(proxy_centre(view, p), proxy_centre(view, plane))) -
                        view->planes[plane->geometry].offset;
        double reach = fabs(normal.x) * half.x + fabs(normal.y) * half.y + fabs(normal.z) * half.z;
        if (height <= reach + margin + (double)view->margins[plane->body])
            emit(q, other);
    }
}

static void query_block(const level_grid *grid, size_t block, pair_sink *sink)
{
    size_t end = block_end(block, BLOCK, grid->view->proxy_count);
    for (size_t i = block * BLOCK; i < end; i++) {
        const int_box *b = &grid->boxes[i];
        if (b->level == UNBOUNDED)
            continue;
        query q = {grid, (uint32_t)i, *b, low_half(b->x), low_half(b->y), low_half(b->z), sink};
        query_own_level(&q);
        for (int l = q.box.level + 1; l < LEVELS; l++)
            if (grid->levels[l].count)
                query_coarser_level(&q, l);
        query_unbounded(&q);
    }
}

// Every block writes into room of its own; blocks that ran out of it are queried once more.
static scree_status find_pairs(const level_grid *grid, int threads, arena *scratch, proxy_pair **pairs, size_t *count,
                               scree_error *error)
{
    size_t blocks = block_count(grid->view->proxy_count, BLOCK);
    proxy_pair *room = arena_array(scratch, proxy_pair, blocks * BLOCK * ROOM);
    size_t *start = arena_array(scratch, size_t, blocks + 1);
    if (!room || !start)
        return fail_no_memory(error);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (size_t b = 0; b < blocks; b++) {
        pair_sink sink = {room + b * BLOCK * ROOM, 0, BLOCK * ROOM};
        query_block(grid, b, &sink);
        start[b + 1] = sink.count;
    }
    start[0] = 0;
    for (size_t b = 0; b < blocks; b++)
        start[b + 1] += start[b];
    *count = start[blocks];
    *pairs = arena_array(scratch, proxy_pair, *count);
    if (!*pairs)
        return fail_no_memory(error);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (size_t b = 0; b < blocks; b++) {
        size_t found = start[b + 1] - start[b];
        pair_sink sink = {*pairs + start[b], 0, found};
        if (found > BLOCK * ROOM)
            query_block(grid, b, &sink);
        else
            memcpy(sink.pairs, room + b * BLOCK * ROOM, found * sizeof *room);
    }
    return SCREE_OK;
}

scree_status broad_phase(const proxy_view *view, int threads, arena *scratch, proxy_pair **pairs, size_t *count,
                         scree_error *error)
{
    level_grid grid = {.view = view};
    uint64_t *sizes = arena_array(scratch, uint64_t, SIZE_BINS);
    if (!sizes || !take_arrays(&grid, view->proxy_count, scratch))
        return fail_no_memory(error);
    memset(sizes, 0, SIZE_BINS * sizeof *sizes);
    *count = 0;
    *pairs = NULL;
    if (!count_sizes(view, threads, sizes))
        return SCREE_OK;
    grid.unit = choose_unit(sizes);
    grid.per_unit = 1 / grid.unit;
    scree_status status = find_levels(&grid, threads, error);
    if (status)
        return status;
    if (!sort_entries(&grid, threads, scratch))
        return fail_no_memory(error);
    return find_pairs(&grid, threads, scratch, pairs, count, error);
}
