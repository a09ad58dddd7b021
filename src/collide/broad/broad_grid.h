// The grid of the broad phase: bounded proxies sorted into cells, one ring of cells per level of sizes.
//
// Coordinates become integers, x -> floor(x / unit): 64 bits wide for finding cells, their low 32 bits for comparing.
// Differences of the low halves wrap around and are exact wherever in the world two neighbours are. A cell of a level
// is 2^shift units wide, at least as wide as the boxes in it, and lies in the level's ring at
//
//     (x + stride_y y + stride_z z) mod cells,      x, y, z: coordinates of the cell, unbounded
//
// Hence neighbours of a cell are at fixed distances along the ring, three cells along x are one run of memory, and no
// world box is needed: the ring is laid out for the middle of the bodies, and cells elsewhere share places in it, which
// costs candidates and nothing else. Entries stand in the order of the ring, rows of x side by side, so that
// what is compared is also near in memory.
#ifndef COLLIDE_BROAD_BROAD_GRID_H
#define COLLIDE_BROAD_BROAD_GRID_H

#include "base/arena.h"
#include "geometry/proxy.h"
#include "geometry/shape.h"
#include "scree/status.h"

enum {
    GRID_CELL_BITS = 12, // units in the narrowest cell: 2^12
    GRID_LEVELS = 18,    // sizes beyond 2^17 : 1 share the finest level
    GRID_ROWS = 4,       // after a cell's own row, in which half of its neighbours are
    GRID_PADDING = 8,    // lanes that may be read, and are dropped, beyond the last entry
    GRID_NOWHERE = -1,   // cell of an unbounded proxy, as uint32_t
};

typedef struct grid_level {
    uint32_t count;      // entries
    uint32_t cells;      // in its ring
    uint32_t first_cell; // in broad_grid.start
    int shift;
    int32_t most_half;  // largest half extent of an entry, units
    int64_t origin[3];  // cell at the ring's place 0
    uint64_t extent[3]; // cells from there that have places of their own
    uint64_t stride_y, stride_z;
    uint32_t rows[GRID_ROWS]; // from a cell to the first of the three cells of a later row, along the ring
} grid_level;

// By place in the grid. Spheres have a reach, the radius with margin and room for rounding; a grid with other shapes in
// it has half extents instead.
typedef struct grid_columns {
    int32_t *x, *y, *z; // low halves of the centre
    float *reach;
    int32_t *half_x, *half_y, *half_z;
} grid_columns;

// All that is needed to make contacts of plain spheres, so that nothing else must be read where it is not in order.
typedef struct sphere_data {
    float radius, margin;
    uint32_t body, cell;
    uint32_t material : 10, ordinal : 22; // all bits, so that they are written as one word
} sphere_data;

typedef struct grid_sphere {
    vec3 center;
    sphere_data data;
} grid_sphere;

typedef struct broad_grid {
    const proxy_view *view;
    double per_unit;
    grid_level levels[GRID_LEVELS]; // from fine to coarse
    int level_count;
    size_t count;        // entries
    uint32_t cell_count; // of all levels
    uint32_t *start;     // [cell_count + 1]: where the entries of a cell begin
    grid_columns columns;
    bool spheres_only;     // among bounded proxies
    bool centered_spheres; // all of those in the centres of their bodies, none unbounded
    bool filtered;         // some bounded pairs are not allowed: bodies_may_pair must be asked
    bool crowded;          // many of them have a neighbour that they may not pair with: grid_find_owners is worth it
    // Members for a grid that finds pairs:
    uint32_t *cell;  // by proxy, counted through all levels; GRID_NOWHERE when unbounded
    uint32_t *rank;  // by proxy: its place in the grid
    uint32_t *proxy; // by place
    uint32_t *owner; // by cell: whose all its entries are; NULL when nobody asked
    // Members for a grid that finds contacts of plain spheres:
    grid_sphere *spheres; // by place
} broad_grid;

typedef enum grid_purpose { GRID_FOR_PAIRS, GRID_FOR_SPHERE_CONTACTS } grid_purpose;

// Looks at the proxies: what there is, how large, and where; sets the flags and lays out the levels.
scree_status grid_plan(broad_grid *grid, const proxy_view *view, int threads, arena *scratch, scree_error *error);

// Sorts the proxies into the cells. For contacts the grid must be plain.
scree_status grid_fill(broad_grid *grid, grid_purpose purpose, int threads, arena *scratch, scree_error *error);

// Finds whose the cells are, so that an entry looks at no cell in which all are its own, or immovable like itself.
scree_status grid_find_owners(broad_grid *grid, int threads, arena *scratch, scree_error *error);

// ---------------------------------------------------------------------------------------------------- for its readers

enum { OWNED_BY_NOBODY, OWNED_BY_STILL, OWNED_BY_BODY }; // an empty cell, immovable bodies, body 0 and those after it
#define OWNED_BY_SEVERAL UINT32_MAX

static inline uint32_t grid_owner_of(const proxy_view *view, uint32_t body)
{
    return view->immovable[body] ? OWNED_BY_STILL : OWNED_BY_BODY + body;
}

typedef struct grid_box { // of one proxy, in units
    int64_t x, y, z;
    int32_t half_x, half_y, half_z;
} grid_box;

// Coordinates beyond this are outside the representable world: double no longer tells units apart there.
#define GRID_WORLD_LIMIT 0x1p51

// Rounding down to a unit, or up where that is less than a quarter of a unit away: all that counts is that the same
// number of units always covers the same unit of length. Without a branch, which could not be foreseen.
static inline int64_t grid_floor(double x)
{
    return (int64_t)(x + GRID_WORLD_LIMIT) - (int64_t)GRID_WORLD_LIMIT;
}

// A centre alone.
static inline grid_box grid_box_at(const broad_grid *grid, vec3 center)
{
    return (grid_box){.x = grid_floor(center.x * grid->per_unit),
                      .y = grid_floor(center.y * grid->per_unit),
                      .z = grid_floor(center.z * grid->per_unit)};
}

// Half extents with the margin.
static inline vec3 grid_padded_half(const proxy_view *view, const proxy *p)
{
    double margin = (double)view->margins[p->body];
    if (p->type == SCREE_SHAPE_SPHERE) {
        double half = (double)p->size[0] + margin;
        return vec3_make(half, half, half);
    }
    vec3 half = proxy_half_extents(view, p);
    return vec3_make(half.x + margin, half.y + margin, half.z + margin);
}

// False when the place or the size is outside the representable world.
static inline bool grid_box_of(const broad_grid *grid, const proxy *p, grid_box *out)
{
    vec3 center = vec3_scale(proxy_center(grid->view, p), grid->per_unit);
    if (!(fabs(center.x) < GRID_WORLD_LIMIT && fabs(center.y) < GRID_WORLD_LIMIT && fabs(center.z) < GRID_WORLD_LIMIT))
        return false;
    vec3 half = vec3_scale(grid_padded_half(grid->view, p), grid->per_unit);
    double most = p->type == SCREE_SHAPE_SPHERE ? half.x : vec3_max(half);
    if (!(most < (double)(1 << (GRID_CELL_BITS + GRID_LEVELS))))
        return false; // no finite size
    // One unit more than rounding up, since the centre was rounded as well.
    *out = (grid_box){grid_floor(center.x), grid_floor(center.y), grid_floor(center.z),
                      (int32_t)half.x + 2,  (int32_t)half.y + 2,  (int32_t)half.z + 2};
    return true;
}

static inline const grid_level *grid_level_of_cell(const broad_grid *grid, uint32_t cell)
{
    const grid_level *level = grid->levels;
    while (cell - level->first_cell >= level->cells)
        level++;
    return level;
}

uint32_t grid_ring_place_outside(const grid_level *level, int64_t x, int64_t y, int64_t z);

// Place in the level's ring of a cell given by its coordinates.
static inline uint32_t grid_ring_place(const grid_level *level, int64_t x, int64_t y, int64_t z)
{
    uint64_t from_x = (uint64_t)(x - level->origin[0]), from_y = (uint64_t)(y - level->origin[1]);
    uint64_t from_z = (uint64_t)(z - level->origin[2]);
    if (from_x < level->extent[0] && from_y < level->extent[1] && from_z < level->extent[2])
        return (uint32_t)(from_x + level->stride_y * from_y + level->stride_z * from_z);
    return grid_ring_place_outside(level, x, y, z);
}

#endif
