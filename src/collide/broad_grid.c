// Planning of the grid: a survey of sizes and places, the unit, the levels, and the rings of cells.
//
// Cells are a power of two times the unit wide, and the unit is chosen such that the sizes at hand fill their cells
// well. Neighbouring octaves of sizes share a level as long as its cells stay thinly filled: comparing with a few small
// ones too many costs less than visiting one level more. broad_sort.c fills the grid.
#include "collide/broad_grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/threads.h"
#include "collide/broad.h"
#include "geometry/shape.h"

enum {
    SIZE_BINS = 4096, // sizes are counted by exponent and four bits of mantissa
    PHASES = 16,      // of the unit: sixteenths of an octave
    SAMPLES = 512,    // positions looked at to find the middle
    THROWS = 4096,    // positions thrown into coarse bins to find how unevenly they lie
    COARSE = 16,      // of these bins along an axis
    LEAST_EXTENT = 4, // of a ring along an axis: rows before and after a cell are then different ones
};

static const double most_per_cell = 2.5; // entries that octaves may bring together in a cell when they share a level

// --------------------------------------------------------------------------------------------------------- the survey

typedef struct survey {
    uint64_t sizes[SIZE_BINS];
    size_t bounded;
    bool others, offset, filtered; // shapes that are no spheres, spheres off their body's centre, bodies with filters
} survey;

static uint32_t size_bin(float size)
{
    uint32_t bits;
    memcpy(&bits, &size, sizeof bits);
    return bits >> 19;
}

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

static void survey_range(const proxy_view *view, size_t first, size_t end, survey *found)
{
    for (size_t i = first; i < end; i++) {
        const proxy *p = &view->proxies[i];
        found->filtered |= body_is_filtered(view, p->body) || (i > 0 && view->proxies[i - 1].body == p->body);
        if (p->type == SCREE_SPHERE) {
            found->offset |= p->local != 0;
            found->sizes[size_bin(2 * (p->size[0] + view->margins[p->body]))]++;
        } else if (!shape_is_unbounded((scree_shape_type)p->type)) {
            found->others = true;
            found->sizes[size_bin((float)(2 * vec3_max(padded_half_extents(view, p))))]++;
        } else {
            continue;
        }
        found->bounded++;
    }
}

static bool take_survey(const proxy_view *view, int threads, arena *scratch, survey *total)
{
    survey *parts = arena_array(scratch, survey, (size_t)threads);
    if (!parts)
        return false;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int t = 0; t < threads; t++) {
        memset(&parts[t], 0, sizeof parts[t]);
        size_t n = view->proxy_count, of = (size_t)threads, k = (size_t)t;
        survey_range(view, n / of * k + n % of * k / of, n / of * (k + 1) + n % of * (k + 1) / of, &parts[t]);
    }
    memset(total, 0, sizeof *total);
    for (int t = 0; t < threads; t++) {
        for (int bin = 0; bin < SIZE_BINS; bin++)
            total->sizes[bin] += parts[t].sizes[bin];
        total->bounded += parts[t].bounded;
        total->others |= parts[t].others;
        total->offset |= parts[t].offset;
        total->filtered |= parts[t].filtered;
    }
    return true;
}

// ----------------------------------------------------------------------------------------------------------- the unit

// Width of the cells of the given phase that hold all sizes of a bin, with room for rounding.
static double cell_edge(uint32_t bin, uint32_t phase)
{
    uint32_t bits = (bin + 1 + ((phase - bin) & (PHASES - 1))) << 19;
    float edge;
    memcpy(&edge, &bits, sizeof edge);
    return (double)edge * 1.002;
}

typedef struct octaves { // of sizes, by the shift of the cells that they need
    double unit;
    uint64_t count[GRID_LEVELS];
} octaves;

// The unit whose power-of-two cells waste least room over all sizes: cost is the sum of (cell / size)^3.
static octaves find_octaves(const uint64_t *sizes)
{
    uint32_t bottom = SIZE_BINS, top = 0;
    double cost[PHASES] = {0};
    for (uint32_t bin = 0; bin < SIZE_BINS; bin++) {
        if (!sizes[bin])
            continue;
        top = bin;
        bottom = bottom == SIZE_BINS ? bin : bottom;
        for (uint32_t phase = 0; phase < PHASES; phase++)
            cost[phase] += (double)sizes[bin] * exp2(3 * (double)((phase - bin) & (PHASES - 1)) / PHASES);
    }
    uint32_t best = 0;
    for (uint32_t phase = 1; phase < PHASES; phase++)
        best = cost[phase] < cost[best] ? phase : best;
    double finest = cell_edge(bottom, best), coarsest = cell_edge(top, best);
    finest = fmax(finest, coarsest / (double)(1u << (GRID_LEVELS - 1)));
    octaves found = {.unit = finest / (double)(1u << GRID_CELL_BITS)};
    for (uint32_t bin = bottom; bin <= top; bin++) {
        int octave = (int)lrint(log2(cell_edge(bin, best) / finest));
        found.count[octave < 0 ? 0 : octave] += sizes[bin];
    }
    return found;
}

// --------------------------------------------------------------------------------------------------------- the middle

typedef struct middle { // where most bodies are
    double low[3], range[3];
    double filled; // part of that box that they fill
} middle;

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Bodies that two of the thrown ones share a coarse bin with tell how large a part of the box is filled: were it filled
// evenly, two would meet with the probability 1 / bins.
static double filled_part(const proxy_view *view, const middle *m)
{
    uint16_t bins[COARSE * COARSE * COARSE] = {0};
    size_t n = view->proxy_count, thrown = n < THROWS ? n : THROWS;
    double meetings = 0;
    for (size_t i = 0; i < thrown; i++) {
        vec3 at = view->centres[view->proxies[i * n / thrown].body];
        int bin = 0;
        for (int axis = 0; axis < 3; axis++) {
            double along = m->range[axis] > 0 ? COARSE * (vec3_get(at, axis) - m->low[axis]) / m->range[axis] : 0;
            bin = bin * COARSE + (int)fmin(fmax(along, 0), COARSE - 1);
        }
        meetings += bins[bin]++;
    }
    double even = (double)thrown * (double)(thrown - 1) / 2 / (COARSE * COARSE * COARSE);
    return thrown < THROWS / 8 || meetings <= even ? 1 : even / meetings;
}

static middle find_middle(const proxy_view *view)
{
    middle m = {.filled = 1};
    double sample[SAMPLES];
    size_t n = view->proxy_count, count = n < SAMPLES ? n : SAMPLES;
    for (int axis = 0; axis < 3; axis++) {
        for (size_t i = 0; i < count; i++)
            sample[i] = vec3_get(view->centres[view->proxies[i * n / count].body], axis);
        qsort(sample, count, sizeof *sample, compare_doubles);
        double low = sample[count / 50], high = sample[count - 1 - count / 50];
        m.low[axis] = low - 0.04 * (high - low);
        m.range[axis] = 1.08 * (high - low);
    }
    m.filled = filled_part(view, &m);
    return m;
}

// Entries per cell, were `count` of them spread like the bodies.
static double filling(const middle *m, double edge, uint64_t count)
{
    double cells = m->filled;
    for (int axis = 0; axis < 3; axis++)
        cells *= fmax(1, m->range[axis] / edge);
    return (double)count / fmax(cells, 1);
}

// --------------------------------------------------------------------------------------------------------- the levels

static uint64_t clamp_extent(double cells)
{
    return cells < LEAST_EXTENT ? LEAST_EXTENT : cells < 0x1p31 ? (uint64_t)cells : (uint64_t)1 << 31;
}

// A ring with about twice as many cells as entries at most. Where the middle has more cells, the ring is a smaller
// image of it; the uneven number of cells keeps bodies that stand in a lattice from meeting in the same places.
static void lay_out_ring(broad_grid *grid, grid_level *level, const middle *m)
{
    double edge = ldexp(1 / grid->per_unit, level->shift), cells[3], all = 1;
    for (int axis = 0; axis < 3; axis++) {
        level->origin[axis] = (int64_t)floor(m->low[axis] / edge) - 1;
        cells[axis] = ceil(m->range[axis] / edge) + 3;
        all *= cells[axis];
    }
    double most = fmin(2 * (double)level->count + 256, 0x1p30);
    if (all > most)
        for (int axis = 0; axis < 3; axis++)
            cells[axis] *= cbrt(most / all);
    for (int axis = 0; axis < 3; axis++)
        level->extent[axis] = clamp_extent(cells[axis]);
    uint64_t along = level->extent[0], plane = along * level->extent[1];
    while (along * level->extent[1] * level->extent[2] > (uint64_t)1 << 31) // one axis is much longer than the others
        for (int axis = 0; axis < 3; axis++) {
            level->extent[axis] = clamp_extent((double)level->extent[axis] / 2);
            along = level->extent[0];
            plane = along * level->extent[1];
        }
    level->stride_y = along;
    level->stride_z = plane;
    level->cells = (uint32_t)(plane * level->extent[2]) | 1;
    level->first_cell = grid->cell_count;
    grid->cell_count += level->cells;
    static const int rows[GRID_ROWS][2] = {{1, 0}, {-1, 1}, {0, 1}, {1, 1}};
    for (int i = 0; i < GRID_ROWS; i++) {
        int64_t distance = (int64_t)level->stride_y * rows[i][0] + (int64_t)level->stride_z * rows[i][1] - 1;
        level->rows[i] = (uint32_t)((uint64_t)distance % level->cells);
    }
}

static void find_levels(broad_grid *grid, const octaves *sizes, const middle *m)
{
    uint64_t count = 0;
    grid->level_count = 0;
    grid->cell_count = 0;
    for (int octave = 0; octave < GRID_LEVELS; octave++) {
        count += sizes->count[octave];
        if (count == 0)
            continue;
        int next = octave + 1;
        while (next < GRID_LEVELS && !sizes->count[next])
            next++;
        if (next < GRID_LEVELS) {
            double edge = ldexp(sizes->unit, GRID_CELL_BITS + next);
            if (filling(m, edge, count + sizes->count[next]) <= most_per_cell)
                continue;
        }
        grid_level *level = &grid->levels[grid->level_count++];
        *level = (grid_level){.count = (uint32_t)count, .shift = GRID_CELL_BITS + octave};
        level->most_half = 1 << (level->shift - 1);
        lay_out_ring(grid, level, m);
        count = 0;
    }
}

scree_status grid_plan(broad_grid *grid, const proxy_view *view, int threads, arena *scratch, scree_error *error)
{
    *grid = (broad_grid){.view = view};
    arena_mark mark = arena_get_mark(scratch);
    survey *found = arena_array(scratch, survey, 1);
    if (!found || !take_survey(view, threads, scratch, found))
        return fail_no_memory(error);
    grid->count = found->bounded;
    grid->spheres_only = !found->others;
    grid->filtered = found->filtered;
    grid->plain = !found->others && !found->offset && found->bounded == view->proxy_count;
    if (found->bounded) {
        octaves sizes = find_octaves(found->sizes);
        middle m = find_middle(view);
        grid->per_unit = 1 / sizes.unit;
        find_levels(grid, &sizes, &m);
    }
    arena_release(scratch, mark);
    return SCREE_OK;
}

// ---------------------------------------------------------------------------------------------------- for its readers

// Coordinates beyond this are outside the representable world: double no longer tells units apart there.
static const double world_limit = 0x1p51;

bool grid_box_of(const broad_grid *grid, const proxy *p, grid_box *out)
{
    vec3 centre = vec3_scale(proxy_centre(grid->view, p), grid->per_unit);
    if (!(fabs(centre.x) < world_limit && fabs(centre.y) < world_limit && fabs(centre.z) < world_limit))
        return false;
    vec3 half = vec3_scale(padded_half_extents(grid->view, p), grid->per_unit);
    if (!(vec3_max(half) < (double)(1 << (GRID_CELL_BITS + GRID_LEVELS))))
        return false; // no finite size
    // One unit more than rounding up, since the centre was rounded as well.
    *out = grid_box_at(grid, proxy_centre(grid->view, p));
    out->half_x = (int32_t)half.x + 2;
    out->half_y = (int32_t)half.y + 2;
    out->half_z = (int32_t)half.z + 2;
    return true;
}

uint32_t grid_ring_place(const grid_level *level, int64_t x, int64_t y, int64_t z)
{
    int64_t cells = level->cells;
    uint64_t from_x = (uint64_t)(x - level->origin[0]), from_y = (uint64_t)(y - level->origin[1]);
    uint64_t from_z = (uint64_t)(z - level->origin[2]);
    if (from_x >= level->extent[0] || from_y >= level->extent[1] || from_z >= level->extent[2]) {
        from_x = (uint64_t)((x - level->origin[0]) % cells + cells);
        from_y = (uint64_t)((y - level->origin[1]) % cells + cells);
        from_z = (uint64_t)((z - level->origin[2]) % cells + cells);
        return (uint32_t)((from_x + level->stride_y * from_y % level->cells + level->stride_z * from_z % level->cells) %
                          level->cells);
    }
    return (uint32_t)(from_x + level->stride_y * from_y + level->stride_z * from_z);
}
