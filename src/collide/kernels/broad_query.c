// The inner loops of the broad phase: eight candidates are compared at once, and those that meet are kept without a
// branch, since no one can foretell which they are.
//
// A run of candidates is three cells of a row. An entry looks at what follows it in its own row and at the four rows
// after it, which is half of its 27 cells; then at all cells in reach of every coarser level.
#include "collide/broad/broad_query.h"
#include "collide/narrow/narrow_pair.h"

#include "base/wide.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

enum { FEW = 4 };    // hits of an entry in a packing
enum { AHEAD = 12 }; // hits: the partner's sphere is seldom in a near cache

typedef uint32_t wide_unsigned __attribute__((vector_size(LANES * sizeof(uint32_t))));

static inline wide_mask load_integers(const int32_t *from)
{
    wide_mask result;
    memcpy(&result, from, sizeof result);
    return result;
}

static inline wide_mask all_integers(int32_t value)
{
    return (wide_mask){value, value, value, value, value, value, value, value};
}

// The place where hits go, held in registers: the list itself could alias the columns.
typedef struct hit_writer {
    uint32_t *a, *b;
    size_t count;
    hit_list *list;
    bool sparse; // most runs have no hit, so that a branch is foreseen
} hit_writer;

// Appends the candidates first + k for each bit k that is set.
static inline void keep_hits(hit_writer *to, uint32_t a, uint32_t first, uint32_t bits)
{
    uint32_t *to_a = to->a + to->count, *to_b = to->b + to->count;
#ifdef __AVX2__
    // By four bits: the numbers of the set ones, a byte each, lowest first.
    static const uint32_t numbers[16] = {0,   0,     0x1,   0x100,   0x2,   0x200,   0x201,   0x20100,
                                         0x3, 0x300, 0x301, 0x30100, 0x302, 0x30200, 0x30201, 0x3020100};
    uint64_t low = numbers[bits & 15], high = numbers[bits >> 4] + 0x04040404u;
    low |= high << 8 * (unsigned)__builtin_popcount(bits & 15);
    __m256i places = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)low));
    _mm256_storeu_si256((__m256i *)to_b, _mm256_add_epi32(places, _mm256_set1_epi32((int)first)));
    _mm256_storeu_si256((__m256i *)to_a, _mm256_set1_epi32((int)a));
    to->count += (size_t)__builtin_popcount(bits);
#else
    size_t count = 0;
    for (uint32_t k = 0; k < LANES; k++) {
        to_a[count] = a;
        to_b[count] = first + k;
        count += bits >> k & 1;
    }
    to->count += count;
#endif
}

static __attribute__((noinline)) void flush_hits(hit_list *list, size_t count)
{
    list->count = count;
    list->flush(list);
}

typedef struct asker { // the entry that asks, in all lanes
    wide_mask x, y, z;
    wide reach;
    wide_mask half_x, half_y, half_z;
    uint32_t rank;
    uint32_t owner; // whose it is; read only where cells have owners
} asker;

static inline wide_mask axis_distance(const int32_t *centers, uint32_t at, wide_mask center)
{
    // Unsigned, because differences wrap around.
    return (wide_mask)((wide_unsigned)load_integers(centers + at) - (wide_unsigned)center);
}

static inline wide_mask spheres_meet(const grid_columns *c, const asker *of, uint32_t at)
{
    wide x = __builtin_convertvector(axis_distance(c->x, at, of->x), wide);
    wide y = __builtin_convertvector(axis_distance(c->y, at, of->y), wide);
    wide z = __builtin_convertvector(axis_distance(c->z, at, of->z), wide);
    wide reach = wide_load(c->reach + at) + of->reach;
    return x * x + y * y + z * z <= reach * reach;
}

static inline wide_mask axis_meets(const int32_t *centers, const int32_t *halves, uint32_t at, wide_mask center,
                                   wide_mask half)
{
    wide_mask distance = axis_distance(centers, at, center), reach = load_integers(halves + at) + half;
    return (distance <= reach) & (distance >= -reach);
}

static inline wide_mask boxes_meet(const grid_columns *c, const asker *of, uint32_t at)
{
    return axis_meets(c->x, c->half_x, at, of->x, of->half_x) & axis_meets(c->y, c->half_y, at, of->y, of->half_y) &
           axis_meets(c->z, c->half_z, at, of->z, of->half_z);
}

// `spheres` and `sparse` are known where this is put in line. Eight are compared even if the run is empty, which costs
// less than foreseeing it.
static inline void scan_run(const grid_columns *c, const asker *of, uint32_t at, uint32_t end, bool spheres,
                            hit_writer *to)
{
    do {
        uint32_t bits = wide_bits(spheres ? spheres_meet(c, of, at) : boxes_meet(c, of, at));
        uint32_t count = end - at < LANES ? end - at : LANES;
        bits &= 0xffu >> (LANES - count);
        if (!to->sparse || bits) {
            keep_hits(to, of->rank, at, bits);
            if (__builtin_expect(to->count >= QUERY_HITS, 0)) {
                flush_hits(to->list, to->count);
                to->count = 0;
            }
        }
        at += LANES;
    } while (at < end);
}

typedef struct level_cells { // of one level
    const uint32_t *start;
    const uint32_t *owner; // NULL: not known
    uint32_t count;
} level_cells;

// Cell by cell, without those in which nobody may pair with the asker; `from` of the first, which may be further on
// than its start. The cells may go round the end of the ring.
static inline void scan_foreign(const grid_columns *c, const level_cells *cells, const asker *of, uint32_t from,
                                uint32_t place, uint32_t width, bool spheres, hit_writer *to)
{
    for (uint32_t i = place; i < place + width; i++) {
        uint32_t cell = i < cells->count ? i : i - cells->count, owner = cells->owner[cell];
        uint32_t first = i == place ? from : cells->start[cell], end = cells->start[cell + 1];
        if (owner != OWNED_BY_NOBODY && owner != of->owner && first < end)
            scan_run(c, of, first, end, spheres, to);
    }
}

// Cells [place, place + width) of the level's ring, which may go round its end.
static inline void scan_cells(const grid_columns *c, const level_cells *of_level, const asker *of, uint32_t place,
                              uint32_t width, bool spheres, hit_writer *to)
{
    const uint32_t *start = of_level->start;
    uint32_t cells = of_level->count;
    if (of_level->owner)
        return scan_foreign(c, of_level, of, start[place], place, width, spheres, to);
    if (__builtin_expect(place + width > cells, 0)) {
        scan_run(c, of, start[place], start[cells], spheres, to);
        scan_run(c, of, start[0], start[place + width - cells], spheres, to);
    } else {
        scan_run(c, of, start[place], start[place + width], spheres, to);
    }
}

static inline void query_own_level(const grid_columns *c, const level_cells *of_level, const grid_level *level,
                                   const asker *of, uint32_t place, bool spheres, hit_writer *to)
{
    const uint32_t *start = of_level->start;
    uint32_t cells = level->cells;
    if (of_level->owner) {
        scan_foreign(c, of_level, of, of->rank + 1, place, 2, spheres, to);
    } else if (__builtin_expect(place + 2 > cells, 0)) {
        scan_run(c, of, of->rank + 1, start[cells], spheres, to);
        scan_run(c, of, start[0], start[1], spheres, to);
    } else {
        scan_run(c, of, of->rank + 1, start[place + 2], spheres, to);
    }
    for (int i = 0; i < GRID_ROWS; i++) {
        uint32_t row = place + level->rows[i];
        scan_cells(c, of_level, of, row < cells ? row : row - cells, 3, spheres, to);
    }
}

static inline void query_coarser_level(const grid_columns *c, const level_cells *of_level, const grid_level *level,
                                       const asker *of, const grid_box *at, bool spheres, hit_writer *to)
{
    int shift = level->shift;
    int64_t half = level->most_half;
    int64_t low_x = (at->x - at->half_x - half) >> shift, high_x = (at->x + at->half_x + half) >> shift;
    int64_t low_y = (at->y - at->half_y - half) >> shift, high_y = (at->y + at->half_y + half) >> shift;
    int64_t low_z = (at->z - at->half_z - half) >> shift, high_z = (at->z + at->half_z + half) >> shift;
    for (int64_t z = low_z; z <= high_z; z++)
        for (int64_t y = low_y; y <= high_y; y++)
            scan_cells(c, of_level, of, grid_ring_place(level, low_x, y, z), (uint32_t)(high_x - low_x) + 1, spheres,
                       to);
}

static inline asker ask(const grid_columns *c, uint32_t rank, bool spheres)
{
    asker of = {all_integers(c->x[rank]), all_integers(c->y[rank]), all_integers(c->z[rank]), .rank = rank};
    if (spheres) {
        of.reach = wide_set(c->reach[rank]);
    } else {
        of.half_x = all_integers(c->half_x[rank]);
        of.half_y = all_integers(c->half_y[rank]);
        of.half_z = all_integers(c->half_z[rank]);
    }
    return of;
}

static inline grid_box box_in_reach(const grid_columns *c, const grid_query *q, bool spheres)
{
    grid_box box = q->at;
    box.half_x = spheres ? (int32_t)c->reach[q->rank] + 1 : c->half_x[q->rank];
    box.half_y = spheres ? box.half_x : c->half_y[q->rank];
    box.half_z = spheres ? box.half_x : c->half_z[q->rank];
    return box;
}

static inline level_cells cells_of(const broad_grid *grid, const grid_level *level)
{
    return (level_cells){grid->start + level->first_cell, grid->owner ? grid->owner + level->first_cell : NULL,
                         level->cells};
}

// For all that is not done below. With boxes the test is weak, and hits are many.
static __attribute__((noinline)) void query_all(const broad_grid *grid, const grid_query *queries, size_t count,
                                                bool spheres, bool sparse, hit_list *hits)
{
    const grid_columns c = grid->columns;
    hit_writer to = {hits->a, hits->b, hits->count, hits, sparse};
    for (size_t i = 0; i < count; i++) {
        asker of = ask(&c, queries[i].rank, spheres);
        if (grid->owner)
            of.owner = grid_owner_of(grid->view, grid->view->proxies[grid->proxy[of.rank]].body);
        const grid_level *level = grid_level_of_cell(grid, queries[i].cell);
        level_cells cells = cells_of(grid, level);
        query_own_level(&c, &cells, level, &of, queries[i].cell - level->first_cell, spheres, &to);
        if (level == &grid->levels[grid->level_count - 1])
            continue;
        grid_box box = box_in_reach(&c, &queries[i], spheres);
        for (level++; level < grid->levels + grid->level_count; level++) {
            cells = cells_of(grid, level);
            query_coarser_level(&c, &cells, level, &of, &box, spheres, &to);
        }
    }
    hits->count = to.count;
}

// ------------------------------------------------------------------------------------------------ one level of spheres

// The runs of an entry: what follows it in its own row, and the rows after.
typedef struct short_runs {
    uint32_t first[1 + GRID_ROWS], count[1 + GRID_ROWS];
} short_runs;

// False where a run goes round the end of the ring or has more than eight entries, which is seldom.
static inline bool find_short_runs(const grid_level *level, const uint32_t *start, const grid_query *q,
                                   short_runs *runs)
{
    if (q->cell + level->rows[GRID_ROWS - 1] + 3 > level->cells)
        return false;
    runs->first[0] = q->rank + 1;
    runs->count[0] = start[q->cell + 2] - q->rank - 1;
    uint32_t longest = runs->count[0] + LANES - 1; // all at once: up to eight if it stays below sixteen
    for (int i = 0; i < GRID_ROWS; i++) {
        const uint32_t *row = start + q->cell + level->rows[i];
        runs->first[i + 1] = row[0];
        runs->count[i + 1] = row[3] - row[0];
        longest |= runs->count[i + 1] + LANES - 1;
    }
    return longest < 2 * LANES;
}

// Appends a hit for each bit that is set, eight bits to a run. A few are written without a branch, unless hits are
// seldom. Returns the new count.
static inline size_t keep_runs(hit_list *to, size_t count, uint32_t a, const uint32_t *first, uint64_t bits,
                               bool sparse)
{
    const uint64_t last = (uint64_t)1 << ((1 + GRID_ROWS) * LANES - 1);
    uint32_t *to_a = to->a + count, *to_b = to->b + count;
    count += (size_t)__builtin_popcountll(bits);
    for (int i = 0; i < FEW && !sparse; i++, bits &= bits - 1) {
        unsigned k = (unsigned)__builtin_ctzll(bits | last);
        *to_a++ = a;
        *to_b++ = first[k / LANES] + k % LANES;
    }
    for (; bits; bits &= bits - 1) {
        unsigned k = (unsigned)__builtin_ctzll(bits);
        *to_a++ = a;
        *to_b++ = first[k / LANES] + k % LANES;
    }
    return count;
}

static inline __attribute__((always_inline)) void query_level(const broad_grid *grid, const grid_query *queries,
                                                              size_t n, bool sparse, hit_list *hits)
{
    const grid_columns c = grid->columns;
    const grid_level *level = &grid->levels[0];
    const uint32_t *start = grid->start;
    size_t count = hits->count;
    for (const grid_query *q = queries; q < queries + n; q++) {
        short_runs runs;
        if (__builtin_expect(!find_short_runs(level, start, q, &runs), 0)) {
            hits->count = count;
            query_all(grid, q, 1, true, sparse, hits);
            count = hits->count;
            continue;
        }
        asker of = ask(&c, q->rank, true);
        uint64_t bits = 0;
        for (int i = 0; i <= GRID_ROWS; i++)
            bits |= (uint64_t)(wide_bits(spheres_meet(&c, &of, runs.first[i])) & ((1u << runs.count[i]) - 1))
                    << i * LANES;
        count = keep_runs(hits, count, q->rank, runs.first, bits, sparse);
        if (__builtin_expect(count >= QUERY_HITS, 0)) {
            flush_hits(hits, count);
            count = 0;
        }
    }
    hits->count = count;
}

static void query(const broad_grid *grid, const grid_query *queries, size_t count, bool sparse, hit_list *hits)
{
    if (!grid->spheres_only || grid->level_count > 1)
        query_all(grid, queries, count, grid->spheres_only, sparse && grid->spheres_only, hits);
    else if (sparse)
        query_level(grid, queries, count, true, hits);
    else
        query_level(grid, queries, count, false, hits);
}

// The formulas of narrow_sphere.c. Every candidate is written and counted only when it is near enough.
static size_t contacts(const grid_sphere *spheres, const hit_list *hits, contact *out)
{
    contact *next = out;
    for (size_t i = 0; i < hits->count; i++) {
        __builtin_prefetch(&spheres[hits->b[i + AHEAD < hits->count ? i + AHEAD : i]]);
        const grid_sphere *of_a = &spheres[hits->a[i]], *of_b = &spheres[hits->b[i]];
        const sphere_data *a = &of_a->data, *b = &of_b->data;
        vec3 between = vec3_sub(of_b->center, of_a->center);
        double square = vec3_dot(between, between);
        bool apart = square > 1e-300; // below that the direction is lost to underflow
        double distance = sqrt(square);
        double scale = 1 / (apart ? distance : 1);
        vec3 normal = vec3_scale(between, scale);
        normal.z = apart ? normal.z : 1;
        double gap = distance - ((double)a->radius + (double)b->radius);
        *next = (contact){.a = a->body,
                          .b = b->body,
                          .arm = vec3f_from(vec3_scale(normal, (double)a->radius + 0.5 * gap)),
                          .normal = vec3f_from(normal),
                          .gap = (float)gap,
                          .feature = body_feature(a->ordinal, b->ordinal, 0),
                          .material_a = (uint16_t)a->material,
                          .material_b = (uint16_t)b->material};
        next += gap <= (double)a->margin + (double)b->margin;
    }
    return (size_t)(next - out);
}

#define JOIN_AGAIN(a, b) a##b
#define JOIN(a, b)       JOIN_AGAIN(a, b)

const query_kernels JOIN(query_kernels_, SCREE_KERNEL_SUFFIX) = {query, contacts};
