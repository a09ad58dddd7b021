// Planning of the grid: a survey of sizes and places, the unit, the levels, and the rings of cells.
//
// Cells are a power of two times the unit wide. Which unit is best, and which octaves of sizes should share a level, is
// found by trying all with a simple account of what detection costs: small spheres among large ones are compared with a
// few too many, while every level more has to be visited by all finer ones. broad_sort.c fills the grid.
#include "collide/broad/broad_grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/threads.h"
#include "collide/broad/broad.h"
#include "collide/filter.h"
#include "geometry/shape.h"

enum {
    SIZE_BITS = 5, // of the mantissa by which sizes are counted
    SIZE_BINS = 1 << (8 + SIZE_BITS),
    PHASES = 1 << SIZE_BITS, // of the unit: parts of an octave
    SAMPLES = 512,           // positions looked at to find the middle
    TAIL = SAMPLES / 50 + 1, // of them, those that are left out at either end, and one
    THROWS = 4096,           // positions thrown into coarse bins to find how unevenly they lie
    COARSE = 16,             // of these bins along an axis
    LEAST_CROWD = 512,       // entries that may not pair with neighbours before owners of cells are found
    CROWD_SHARE = 8,         // and one in so many of all
    LEAST_EXTENT = 4,        // of a ring along an axis: rows before and after a cell are then different ones
};

// --------------------------------------------------------------------------------------------------------- the survey

typedef struct survey {
    uint32_t sizes[SIZE_BINS];
    uint32_t bottom, top; // bins that hold the smallest and the largest
    size_t bounded;
    size_t alike;                  // bounded proxies after one of their own body, or of immovable bodies
    bool others, offset, filtered; // shapes that are no spheres, spheres off their body's centre, bodies with filters
} survey;

static uint32_t size_bin(float size)
{
    uint32_t bits;
    memcpy(&bits, &size, sizeof bits);
    return bits >> (23 - SIZE_BITS);
}

static void count_size(survey *found, float size)
{
    uint32_t bin = size_bin(size);
    found->sizes[bin]++;
    found->bottom = bin < found->bottom ? bin : found->bottom;
    found->top = bin > found->top ? bin : found->top;
}

// Results are kept in registers but for the sizes: as far as the compiler knows, they could be what is read.
static void survey_range(const proxy_view *given, size_t first, size_t end, survey *found)
{
    const proxy_view view = *given;
    memset(found->sizes, 0, sizeof found->sizes);
    found->bottom = SIZE_BINS - 1;
    found->top = 0;
    size_t unbounded = 0, alike = 0;
    bool others = false, offset = false, filtered = false;
    uint32_t previous = first > 0 ? view.proxies[first - 1].body : UINT32_MAX;
    for (size_t i = first; i < end; i++) {
        const proxy *p = &view.proxies[i];
        filtered |=
            p->body == previous || (body_is_filtered(&view, p->body) && !shape_is_unbounded((scree_shape_type)p->type));
        alike += p->body == previous || view.immovable[p->body];
        previous = p->body;
        if (p->type == SCREE_SHAPE_SPHERE) {
            offset |= p->local != 0;
            count_size(found, 2 * (p->size[0] + view.margins[p->body]));
        } else if (!shape_is_unbounded((scree_shape_type)p->type)) {
            others = true;
            count_size(found, (float)(2 * vec3_max(grid_padded_half(given, p))));
        } else {
            unbounded++;
        }
    }
    found->bounded = end - first - unbounded;
    found->alike = alike;
    found->others = others;
    found->offset = offset;
    found->filtered = filtered;
}

typedef struct survey_parts {
    const proxy_view *view;
    survey *found;
    size_t count;
} survey_parts;

static void survey_part(void *context, size_t part)
{
    const survey_parts *parts = context;
    size_t n = parts->view->proxy_count, of = parts->count;
    survey_range(parts->view, n / of * part + n % of * part / of, n / of * (part + 1) + n % of * (part + 1) / of,
                 &parts->found[part]);
}

static void add_survey(survey *total, const survey *part)
{
    for (uint32_t bin = part->bottom; bin <= part->top; bin++)
        total->sizes[bin] += part->sizes[bin];
    total->bottom = part->bottom < total->bottom ? part->bottom : total->bottom;
    total->top = part->top > total->top ? part->top : total->top;
    total->bounded += part->bounded;
    total->alike += part->alike;
    total->others |= part->others;
    total->offset |= part->offset;
    total->filtered |= part->filtered;
}

// A part for each thread; they are added up in the first. NULL when out of memory.
static const survey *take_survey(const proxy_view *view, int threads, arena *scratch)
{
    survey_parts parts = {view, arena_array(scratch, survey, (size_t)threads), (size_t)threads};
    if (!parts.found)
        return NULL;
    for_blocks(threads, parts.count, survey_part, &parts);
    for (size_t i = 1; i < parts.count; i++)
        add_survey(&parts.found[0], &parts.found[i]);
    return parts.found;
}

// ----------------------------------------------------------------------------------------------------------- the unit

// Width of the cells of the given phase that hold all sizes of a bin, with room for rounding.
static double cell_edge(uint32_t bin, uint32_t phase)
{
    uint32_t bits = (bin + 1 + ((phase - bin) & (PHASES - 1))) << (23 - SIZE_BITS);
    float edge;
    memcpy(&edge, &bits, sizeof edge);
    return (double)edge * 1.002;
}

typedef struct octaves { // of sizes, by the cells that they need
    double unit;
    uint64_t count[GRID_LEVELS];
} octaves;

static octaves find_octaves(const uint32_t *sizes, uint32_t bottom, uint32_t top, uint32_t phase)
{
    uint32_t last = top + ((phase - top) & (PHASES - 1)); // rounded up to the phase, in whole octaves from each other
    uint32_t first = bottom + ((phase - bottom) & (PHASES - 1));
    if (last - first > (GRID_LEVELS - 1) * PHASES)
        first = last - (GRID_LEVELS - 1) * PHASES;
    octaves found = {.unit = cell_edge(first, phase) / (double)(1u << GRID_CELL_BITS)};
    for (uint32_t bin = bottom; bin <= top; bin++) {
        uint32_t up = bin + ((phase - bin) & (PHASES - 1));
        found.count[up < first ? 0 : (up - first) / PHASES] += sizes[bin];
    }
    return found;
}

// --------------------------------------------------------------------------------------------------------- the middle

typedef struct middle { // where most bodies are
    double low[3], range[3];
    double filled; // part of that box that they fill
} middle;

// Bodies that two of the thrown ones share a coarse bin with tell how large a part of the box is filled: were it filled
// evenly, two would meet with the probability 1 / bins.
static double filled_part(const proxy_view *view, const middle *m)
{
    size_t n = view->proxy_count, thrown = n < THROWS ? n : THROWS;
    if (thrown < THROWS / 8)
        return 1;
    uint16_t bins[COARSE * COARSE * COARSE] = {0};
    double meetings = 0;
    for (size_t i = 0; i < thrown; i++) {
        vec3 at = view->centers[view->proxies[i * n / thrown].body];
        int bin = 0;
        for (int axis = 0; axis < 3; axis++) {
            double along = m->range[axis] > 0 ? COARSE * (vec3_get(at, axis) - m->low[axis]) / m->range[axis] : 0;
            bin = bin * COARSE + (along > 0 ? along < COARSE ? (int)along : COARSE - 1 : 0);
        }
        meetings += bins[bin]++;
    }
    double even = (double)thrown * (double)(thrown - 1) / 2 / (COARSE * COARSE * COARSE);
    return meetings <= even ? 1 : even / meetings;
}

// The value that stands at `place` from the start, were they sorted; `place` is small.
static double least_value(const double *values, size_t count, size_t place)
{
    double least[TAIL] = {0};
    size_t held = 0;
    for (size_t i = 0; i < count; i++) {
        if (held > place && values[i] >= least[place])
            continue;
        size_t at = held > place ? place : held++;
        for (; at > 0 && least[at - 1] > values[i]; at--)
            least[at] = least[at - 1];
        least[at] = values[i];
    }
    return least[place];
}

static middle find_middle(const proxy_view *view)
{
    middle m = {.filled = 1};
    double sample[SAMPLES], mirrored[SAMPLES];
    size_t n = view->proxy_count, count = n < SAMPLES ? n : SAMPLES;
    for (int axis = 0; axis < 3; axis++) {
        for (size_t i = 0; i < count; i++) {
            sample[i] = vec3_get(view->centers[view->proxies[i * n / count].body], axis);
            mirrored[i] = -sample[i];
        }
        double low = least_value(sample, count, count / 50), high = -least_value(mirrored, count, count / 50);
        m.low[axis] = low - 0.04 * (high - low);
        m.range[axis] = 1.08 * (high - low);
    }
    m.filled = filled_part(view, &m);
    return m;
}

// Cells of that width that the bodies fill.
static double filled_cells(const middle *m, double edge)
{
    double cells = m->filled;
    for (int axis = 0; axis < 3; axis++)
        cells *= m->range[axis] > edge ? m->range[axis] / edge : 1;
    return cells > 1 ? cells : 1;
}

// --------------------------------------------------------------------------------------------------------- the levels

static double nth_root(double x, int n)
{
    return n == 1 ? x : n == 2 ? sqrt(x) : cube_root(x);
}

// Shrinks a box of cells to `most` of them, its longer sides only.
static void shrink_extents(double cells[3], double most)
{
    for (int round = 0; round < 3; round++) {
        double all = 1;
        int sides = 0;
        for (int axis = 0; axis < 3; axis++) {
            all *= cells[axis];
            sides += cells[axis] > LEAST_EXTENT;
        }
        if (all <= most)
            return;
        for (int axis = 0; axis < 3; axis++)
            if (cells[axis] > LEAST_EXTENT)
                cells[axis] = fmax(LEAST_EXTENT, cells[axis] * nth_root(most / all, sides));
    }
}

// A ring with about twice as many cells as entries at most. Where the middle has more cells, the ring is a smaller
// image of it; the uneven number of cells keeps bodies that stand in a lattice from meeting in the same places.
static void lay_out_ring(broad_grid *grid, grid_level *level, const middle *m)
{
    double edge = ldexp(1 / grid->per_unit, level->shift), cells[3];
    for (int axis = 0; axis < 3; axis++) {
        double low = floor(m->low[axis] / edge) - 1; // of bodies that may have left the world, which is found out later
        level->origin[axis] = fabs(low) < GRID_WORLD_LIMIT ? (int64_t)low : 0;
        cells[axis] = fmax(LEAST_EXTENT, ceil(m->range[axis] / edge) + 3);
    }
    shrink_extents(cells, fmin(2 * (double)level->count + 256, 0x1p30));
    for (int axis = 0; axis < 3; axis++)
        level->extent[axis] = (uint64_t)cells[axis];
    uint64_t along = level->extent[0], plane = along * level->extent[1];
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

// Which octaves share a level: the levels' own octaves, from fine to coarse, and what a detection with them costs.
typedef struct division {
    double cost;
    int count;
    int top[GRID_LEVELS]; // octave whose cells the level has
} division;

// In runs of cells that are compared: one costs about 1 with a few entries in it. An entry visits five in its own level
// and about nine in every coarser one, which also have to be found.
static double level_cost(double filled, uint64_t own, uint64_t finer)
{
    return (double)own * (5 + 2 * filled) + (double)finer * (12 + 2.5 * filled);
}

// The best division of the octaves up to each one, from the best of those before.
static division divide_octaves(const octaves *sizes, const middle *m)
{
    division best[GRID_LEVELS + 1] = {{0}};
    uint64_t below[GRID_LEVELS + 1] = {0};
    int last = 0;
    for (int k = 0; k < GRID_LEVELS; k++) {
        below[k + 1] = below[k] + sizes->count[k];
        if (!sizes->count[k])
            continue;
        double cells = filled_cells(m, ldexp(sizes->unit, GRID_CELL_BITS + k));
        division *d = &best[last = k + 1];
        d->cost = HUGE_VAL;
        for (int j = 0; j <= k; j++) {
            if (j > 0 && !sizes->count[j - 1])
                continue;
            uint64_t own = below[k + 1] - below[j];
            double cost = best[j].cost + level_cost((double)own / cells, own, below[j]);
            if (cost < d->cost) {
                *d = best[j];
                d->cost = cost;
                d->top[d->count++] = k;
            }
        }
    }
    return best[last];
}

static void find_levels(broad_grid *grid, const octaves *sizes, const division *d, const middle *m)
{
    grid->per_unit = 1 / sizes->unit;
    grid->level_count = d->count;
    grid->cell_count = 0;
    for (int i = 0, octave = 0; i < d->count; i++) {
        grid_level *level = &grid->levels[i];
        *level = (grid_level){.shift = GRID_CELL_BITS + d->top[i]};
        level->most_half = 1 << (level->shift - 1);
        for (; octave <= d->top[i]; octave++)
            level->count += (uint32_t)sizes->count[octave];
        lay_out_ring(grid, level, m);
    }
}

// Phases at which some size just fits into its cells, as bits. Any other has the cells of the one below it, but wider.
static uint32_t find_phases(const survey *found)
{
    uint32_t phases = 0;
    for (uint32_t bin = found->bottom; bin <= found->top; bin++)
        phases |= (uint32_t)(found->sizes[bin] > 0) << bin % PHASES;
    return phases;
}

// Tries every phase of the unit that may be the best.
static void plan_levels(broad_grid *grid, const survey *found)
{
    uint32_t bottom = found->bottom, top = found->top, phases = find_phases(found);
    middle m = find_middle(grid->view);
    octaves best_sizes = find_octaves(found->sizes, bottom, top, top);
    division best = divide_octaves(&best_sizes, &m);
    for (uint32_t phase = top + 1; phase < top + PHASES && bottom < top; phase++) {
        if (!(phases >> phase % PHASES & 1))
            continue;
        octaves sizes = find_octaves(found->sizes, bottom, top, phase);
        division d = divide_octaves(&sizes, &m);
        if (d.cost < best.cost) {
            best = d;
            best_sizes = sizes;
        }
    }
    find_levels(grid, &best_sizes, &best, &m);
}

scree_status grid_plan(broad_grid *grid, const proxy_view *view, int threads, arena *scratch, scree_error *error)
{
    *grid = (broad_grid){.view = view};
    arena_mark mark = arena_get_mark(scratch);
    const survey *found = take_survey(view, threads, scratch);
    if (!found)
        return fail_no_memory(error);
    grid->count = found->bounded;
    grid->spheres_only = !found->others;
    grid->filtered = found->filtered;
    grid->crowded = found->alike >= LEAST_CROWD && found->alike * CROWD_SHARE > found->bounded;
    grid->centered_spheres = !found->others && !found->offset && found->bounded == view->proxy_count;
    if (found->bounded)
        plan_levels(grid, found);
    arena_release(scratch, mark);
    return SCREE_OK;
}

static uint32_t owner_of_cell(const broad_grid *grid, uint32_t cell)
{
    uint32_t owner = OWNED_BY_NOBODY;
    for (uint32_t i = grid->start[cell]; i < grid->start[cell + 1]; i++) {
        uint32_t next = grid_owner_of(grid->view, grid->view->proxies[grid->proxy[i]].body);
        if (owner != OWNED_BY_NOBODY && owner != next)
            return OWNED_BY_SEVERAL;
        owner = next;
    }
    return owner;
}

scree_status grid_find_owners(broad_grid *grid, int threads, arena *scratch, scree_error *error)
{
    uint32_t *owner = grid->owner = arena_array(scratch, uint32_t, grid->cell_count);
    if (!owner)
        return fail_no_memory(error);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (uint32_t cell = 0; cell < grid->cell_count; cell++)
        owner[cell] = owner_of_cell(grid, cell);
    return SCREE_OK;
}

// ---------------------------------------------------------------------------------------------------- for its readers

uint32_t grid_ring_place_outside(const grid_level *level, int64_t x, int64_t y, int64_t z)
{
    int64_t cells = level->cells;
    uint64_t from_x = (uint64_t)((x - level->origin[0]) % cells + cells);
    uint64_t from_y = (uint64_t)((y - level->origin[1]) % cells + cells);
    uint64_t from_z = (uint64_t)((z - level->origin[2]) % cells + cells);
    return (uint32_t)((from_x + level->stride_y * from_y % level->cells + level->stride_z * from_z % level->cells) %
                      level->cells);
}
