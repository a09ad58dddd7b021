// Filling of the grid: a stable counting sort by cell in two passes, so that memory is read and written in streams
// whatever order the bodies come in.
//
// The cells are cut into parts of consecutive ones. The first pass moves every proxy into its part: blocks of proxies
// count what they have for each part, and then know where to write. The second pass sorts each part, which fits into a
// near cache, by cell. The result depends neither on the number of threads nor on what they do when.
#include <string.h>

#include "base/error.h"
#include "base/threads.h"
#include "collide/broad/broad_grid.h"
#include "geometry/shape.h"

enum {
    SORT_BLOCK = 8192,    // proxies
    LEAST_PART_BITS = 11, // cells of a part: 2^11 at least
    MOST_PARTS = 1024,
    AHEAD = 32,              // spheres: centres come in no order
    MOST_GATHERED = 1 << 19, // spheres whose centres stay in the last cache, so that they need not be moved
};

// The record that the first pass moves for pairs: the entry as it will be, and its cell. For contacts it is the data of
// a sphere without the centre; that is read where it stands, unless it would come from main memory.
typedef struct moved_box {
    int32_t x, y, z;
    uint32_t cell, proxy;
    union {
        float reach;
        int32_t half_x;
    };
    int32_t half_y, half_z;
} moved_box;

typedef struct sorter {
    broad_grid *grid;
    int part_bits;
    uint32_t parts;
    size_t blocks;
    uint32_t *cell;   // by proxy
    uint32_t *cursor; // [block][part]: how many, then where the next one goes
    uint32_t *part_start;
    moved_box *boxes; // one of these two
    sphere_data *spheres;
    vec3 *centers;       // of the moved spheres, when there are many
    uint32_t *order;     // by place: which of the moved spheres
    _Atomic size_t lost; // the first proxy that has left the world
} sorter;

static int32_t low_half(int64_t coordinate)
{
    return (int32_t)(uint32_t)(uint64_t)coordinate;
}

// Two centres lie off by less than the square root of 3 units together; the factor covers rounding to float.
static float sphere_reach(const broad_grid *grid, double padded_radius)
{
    return (float)(padded_radius * grid->per_unit * (1 + 1e-6) + 1);
}

// ----------------------------------------------------------------------------------------------------- the first pass

static bool find_cell(const broad_grid *grid, const proxy *p, uint32_t *cell)
{
    grid_box box;
    if (!grid_box_of(grid, p, &box))
        return false;
    int32_t largest = box.half_x > box.half_y ? box.half_x : box.half_y;
    largest = box.half_z > largest ? box.half_z : largest;
    const grid_level *level = grid->levels;
    while (level < &grid->levels[grid->level_count - 1] && largest > 1 << (level->shift - 1))
        level++;
    *cell =
        level->first_cell + grid_ring_place(level, box.x >> level->shift, box.y >> level->shift, box.z >> level->shift);
    return true;
}

// One level of spheres, whose ring is inside the world. Its cells are found with all numbers in registers and with one
// branch; spheres outside, and those of any other grid, take the longer way.
typedef struct quick_level {
    bool usable;
    double per_unit;
    float most_radius; // with margin
    int shift;
    uint64_t origin[3], extent[3]; // where 0 is the lower end of the world
    uint64_t stride_y, stride_z;
} quick_level;

static quick_level make_quick_level(const broad_grid *grid)
{
    const grid_level *level = &grid->levels[0];
    int64_t limit = (int64_t)GRID_WORLD_LIMIT >> level->shift;
    quick_level quick = {grid->centered_spheres && grid->level_count == 1,
                         grid->per_unit,
                         (float)((double)((int64_t)1 << (level->shift - 1)) / grid->per_unit),
                         level->shift,
                         .stride_y = level->stride_y,
                         .stride_z = level->stride_z};
    for (int axis = 0; axis < 3; axis++) {
        int64_t low = level->origin[axis], extent = (int64_t)level->extent[axis];
        quick.usable = quick.usable && low > -limit && low < limit - extent;
        quick.origin[axis] = (uint64_t)(low + limit);
        quick.extent[axis] = level->extent[axis];
    }
    return quick;
}

static inline uint64_t quick_coordinate(const quick_level *quick, double x, int axis)
{
    double from_end = x * quick->per_unit + GRID_WORLD_LIMIT; // as grid_floor does it
    from_end = from_end < 2 * GRID_WORLD_LIMIT ? from_end : 2 * GRID_WORLD_LIMIT;
    from_end = from_end > 0 ? from_end : 0; // neither end is in the ring
    return ((uint64_t)(int64_t)from_end >> quick->shift) - quick->origin[axis];
}

// False outside the ring.
static inline bool find_cell_quickly(const quick_level *quick, const proxy_view *view, const proxy *p, uint32_t *cell)
{
    const vec3 *center = &view->centers[p->body];
    uint64_t x = quick_coordinate(quick, center->x, 0), y = quick_coordinate(quick, center->y, 1);
    uint64_t z = quick_coordinate(quick, center->z, 2);
    *cell = (uint32_t)(x + quick->stride_y * y + quick->stride_z * z);
    return (x < quick->extent[0]) & (y < quick->extent[1]) & (z < quick->extent[2]) &
           (p->size[0] + view->margins[p->body] < quick->most_radius);
}

// Counts the block's proxies by part; returns the first that has no place, or SIZE_MAX.
static size_t count_block(const sorter *s, size_t block)
{
    const proxy_view view = *s->grid->view;
    const quick_level quick = make_quick_level(s->grid);
    const int part_bits = s->part_bits;
    uint32_t *count = s->cursor + block * s->parts, *cells = s->cell;
    memset(count, 0, s->parts * sizeof *count);
    size_t end = block_end(block, SORT_BLOCK, view.proxy_count);
    for (size_t i = block * SORT_BLOCK; i < end; i++) {
        const proxy *p = &view.proxies[i];
        uint32_t cell = (uint32_t)GRID_NOWHERE;
        if (!quick.usable || !find_cell_quickly(&quick, &view, p, &cell)) {
            cells[i] = (uint32_t)GRID_NOWHERE;
            if (p->type != SCREE_SHAPE_SPHERE && shape_is_unbounded((scree_shape_type)p->type))
                continue;
            if (!find_cell(s->grid, p, &cell))
                return i;
        }
        cells[i] = cell;
        count[cell >> part_bits]++;
    }
    return SIZE_MAX;
}

static void count_one(void *context, size_t block)
{
    sorter *s = context;
    note_least(&s->lost, count_block(s, block));
}

static scree_status count_blocks(sorter *s, int threads, scree_error *error)
{
    s->lost = SIZE_MAX;
    for_blocks(threads, s->blocks, count_one, s);
    if (s->lost != SIZE_MAX)
        return fail(error, SCREE_ERROR_DIVERGED, "body in slot %u has left the representable world",
                    s->grid->view->proxies[s->lost].body);
    uint32_t sum = 0;
    for (uint32_t part = 0; part < s->parts; part++) {
        s->part_start[part] = sum;
        for (size_t block = 0; block < s->blocks; block++) {
            uint32_t here = s->cursor[block * s->parts + part];
            s->cursor[block * s->parts + part] = sum;
            sum += here;
        }
    }
    s->part_start[s->parts] = sum;
    return SCREE_OK;
}

static moved_box box_to_move(const broad_grid *grid, size_t i, uint32_t cell)
{
    const proxy *p = &grid->view->proxies[i];
    grid_box box = {0};
    grid_box_of(grid, p, &box); // find_cell had it, so it has a place
    moved_box moved = {.x = low_half(box.x),
                       .y = low_half(box.y),
                       .z = low_half(box.z),
                       .cell = cell,
                       .proxy = (uint32_t)i,
                       .half_x = box.half_x,
                       .half_y = box.half_y,
                       .half_z = box.half_z};
    if (grid->spheres_only)
        moved.reach = sphere_reach(grid, (double)p->size[0] + (double)grid->view->margins[p->body]);
    return moved;
}

// Field by field where it goes: a whole struct would be read back before its parts have been written.
static void move_sphere(const proxy_view *view, size_t i, uint32_t cell, sphere_data *to)
{
    const proxy *p = &view->proxies[i];
    to->radius = p->size[0];
    to->margin = view->margins[p->body];
    to->body = p->body;
    to->cell = cell;
    to->material = p->material;
    to->ordinal = p->ordinal;
}

static void move_block(void *context, size_t block)
{
    const sorter *s = context;
    size_t end = block_end(block, SORT_BLOCK, s->grid->view->proxy_count);
    uint32_t *cursor = s->cursor + block * s->parts;
    for (size_t i = block * SORT_BLOCK; i < end; i++) {
        uint32_t cell = s->cell[i];
        if (cell == (uint32_t)GRID_NOWHERE)
            continue;
        uint32_t to = cursor[cell >> s->part_bits]++;
        if (!s->spheres) {
            s->boxes[to] = box_to_move(s->grid, i, cell);
            continue;
        }
        move_sphere(s->grid->view, i, cell, &s->spheres[to]);
        if (s->centers)
            s->centers[to] = s->grid->view->centers[s->grid->view->proxies[i].body];
    }
}

// ---------------------------------------------------------------------------------------------------- the second pass

static void place_box(const broad_grid *grid, const moved_box *box, uint32_t to)
{
    const grid_columns *c = &grid->columns;
    c->x[to] = box->x;
    c->y[to] = box->y;
    c->z[to] = box->z;
    if (grid->spheres_only) {
        c->reach[to] = box->reach;
    } else {
        c->half_x[to] = box->half_x;
        c->half_y[to] = box->half_y;
        c->half_z[to] = box->half_z;
    }
    grid->proxy[to] = box->proxy;
    grid->rank[box->proxy] = to;
}

// Places in their order, so that memory is written as a stream.
static void place_spheres(const sorter *s, uint32_t first, uint32_t end)
{
    const broad_grid *grid = s->grid;
    const vec3 *centers = s->centers ? s->centers : grid->view->centers;
    const grid_columns c = grid->columns;
    for (uint32_t to = first; to < end; to++) {
        uint32_t ahead = to + AHEAD < end ? to + AHEAD : to;
        const vec3 *later = &centers[s->centers ? s->order[ahead] : s->spheres[s->order[ahead]].body];
        __builtin_prefetch(&later->x);
        __builtin_prefetch(&later->z);
        const sphere_data *moved = &s->spheres[s->order[to]];
        vec3 center = centers[s->centers ? s->order[to] : moved->body];
        grid_box at = grid_box_at(grid, center);
        c.x[to] = low_half(at.x);
        c.y[to] = low_half(at.y);
        c.z[to] = low_half(at.z);
        c.reach[to] = sphere_reach(grid, (double)moved->radius + (double)moved->margin);
        grid_sphere *sphere = &grid->spheres[to];
        sphere->center = center;
        sphere->data = *moved;
    }
}

static uint32_t moved_cell(const sorter *s, uint32_t i)
{
    return s->spheres ? s->spheres[i].cell : s->boxes[i].cell;
}

static void sort_part(void *context, size_t part)
{
    const sorter *s = context;
    broad_grid *grid = s->grid;
    uint32_t *cursor = grid->start + 1; // of a cell; when all are placed it is the cell's end
    uint64_t first_cell = (uint64_t)part << s->part_bits, end_cell = first_cell + ((uint64_t)1 << s->part_bits);
    end_cell = end_cell < grid->cell_count ? end_cell : grid->cell_count;
    memset(cursor + first_cell, 0, (end_cell - first_cell) * sizeof *cursor);
    uint32_t first = s->part_start[part], end = s->part_start[part + 1], sum = first;
    for (uint32_t i = first; i < end; i++)
        cursor[moved_cell(s, i)]++;
    for (uint64_t cell = first_cell; cell < end_cell; cell++) {
        uint32_t here = cursor[cell];
        cursor[cell] = sum;
        sum += here;
    }
    for (uint32_t i = first; i < end; i++) {
        uint32_t to = cursor[moved_cell(s, i)]++;
        if (s->spheres)
            s->order[to] = i;
        else
            place_box(grid, &s->boxes[i], to);
    }
    if (s->spheres)
        place_spheres(s, first, end);
}

// ------------------------------------------------------------------------------------------------------------ filling

// Lanes beyond the last entry are compared too, and dropped after.
static bool take_column(int32_t **column, size_t count, arena *scratch)
{
    *column = arena_array(scratch, int32_t, count + GRID_PADDING);
    if (*column)
        memset(*column + count, 0, GRID_PADDING * sizeof **column);
    return *column;
}

static bool take_columns(broad_grid *grid, arena *scratch)
{
    grid_columns *c = &grid->columns;
    bool taken = take_column(&c->x, grid->count, scratch) && take_column(&c->y, grid->count, scratch) &&
                 take_column(&c->z, grid->count, scratch);
    if (grid->spheres_only) {
        int32_t *reach = NULL;
        taken = taken && take_column(&reach, grid->count, scratch);
        c->reach = (float *)reach;
    } else {
        taken = taken && take_column(&c->half_x, grid->count, scratch) &&
                take_column(&c->half_y, grid->count, scratch) && take_column(&c->half_z, grid->count, scratch);
    }
    return taken;
}

static bool take_results(broad_grid *grid, grid_purpose purpose, arena *scratch)
{
    size_t proxies = grid->view->proxy_count;
    grid->start = arena_array(scratch, uint32_t, (size_t)grid->cell_count + 1);
    if (!grid->start || !take_columns(grid, scratch))
        return false;
    grid->start[0] = 0;
    if (purpose == GRID_FOR_SPHERE_CONTACTS)
        return (grid->spheres = arena_array(scratch, grid_sphere, grid->count));
    grid->cell = arena_array(scratch, uint32_t, proxies);
    grid->rank = arena_array(scratch, uint32_t, proxies);
    grid->proxy = arena_array(scratch, uint32_t, grid->count);
    return grid->cell && grid->rank && grid->proxy;
}

static bool take_sorter(sorter *s, arena *scratch)
{
    broad_grid *grid = s->grid;
    s->part_bits = LEAST_PART_BITS;
    while (grid->cell_count >> s->part_bits >= MOST_PARTS)
        s->part_bits++;
    s->parts = (grid->cell_count >> s->part_bits) + 1;
    s->blocks = block_count(grid->view->proxy_count, SORT_BLOCK);
    s->cell = grid->cell ? grid->cell : arena_array(scratch, uint32_t, grid->view->proxy_count);
    s->cursor = arena_array(scratch, uint32_t, s->blocks * s->parts);
    s->part_start = arena_array(scratch, uint32_t, (size_t)s->parts + 1);
    if (grid->spheres) {
        s->spheres = arena_array(scratch, sphere_data, grid->count);
        s->order = arena_array(scratch, uint32_t, grid->count);
        if (grid->count > MOST_GATHERED)
            s->centers = arena_array(scratch, vec3, grid->count);
    } else {
        s->boxes = arena_array(scratch, moved_box, grid->count);
    }
    return s->cell && s->cursor && s->part_start && ((s->spheres && s->order) || s->boxes);
}

scree_status grid_fill(broad_grid *grid, grid_purpose purpose, int threads, arena *scratch, scree_error *error)
{
    sorter s = {.grid = grid};
    if (!take_results(grid, purpose, scratch))
        return fail_no_memory(error);
    arena_mark mark = arena_get_mark(scratch);
    if (!take_sorter(&s, scratch))
        return fail_no_memory(error);
    scree_status status = count_blocks(&s, threads, error);
    if (status == SCREE_OK) {
        for_blocks(threads, s.blocks, move_block, &s);
        for_blocks(threads, s.parts, sort_part, &s);
    }
    arena_release(scratch, mark);
    return status;
}
