#include "base/cells.h"

#include <math.h>
#include <string.h>

#include "base/radix.h"
#include "base/threads.h"

enum { OWNER_BLOCK = 1024, BOX_PARTS = 16, FEW_CONTACTS = 16, MOST_ROWS = 1024 };

// Indices of cells along an axis, as whole numbers that a double holds exactly.
typedef struct cell_range {
    double least, count;
} cell_range;

// floor, without a call of the library for numbers that an integer holds.
static double floor_of(double x)
{
    if (!(fabs(x) < 1e15))
        return floor(x);
    double whole = (double)(int64_t)x;
    return whole > x ? whole - 1 : whole;
}

static double cell_index(double x, double edge)
{
    return floor_of(x / edge);
}

static double parity(double index)
{
    return index - 2 * floor_of(index / 2);
}

// Even slabs keep their index, odd ones come two later: behind both of their neighbours.
static double band_index(double x_index)
{
    return x_index + 2 * parity(x_index);
}

// Keys number the cells in their order. An island so large that they would not fit into 53 bits gets larger cells.
typedef struct cell_grid {
    double edge;
    cell_range ranges[3];
} cell_grid;

// Bodies and their places, and the boxes around parts of them.
typedef struct box_search {
    const uint32_t *bodies;
    size_t count, parts;
    const vec3 *positions;
    vec3 low[BOX_PARTS], high[BOX_PARTS];
} box_search;

static void find_part(void *context, size_t part)
{
    box_search *search = context;
    double low_x = HUGE_VAL, low_y = HUGE_VAL, low_z = HUGE_VAL, high_x = -HUGE_VAL, high_y = -HUGE_VAL,
           high_z = -HUGE_VAL;
    size_t end = search->count * (part + 1) / search->parts;
    for (size_t i = search->count * part / search->parts; i < end; i++) {
        vec3 p = search->positions[search->bodies[i]];
        low_x = p.x < low_x ? p.x : low_x;
        low_y = p.y < low_y ? p.y : low_y;
        low_z = p.z < low_z ? p.z : low_z;
        high_x = p.x > high_x ? p.x : high_x;
        high_y = p.y > high_y ? p.y : high_y;
        high_z = p.z > high_z ? p.z : high_z;
    }
    search->low[part] = vec3_make(low_x, low_y, low_z);
    search->high[part] = vec3_make(high_x, high_y, high_z);
}

// The box around all bodies.
static void find_box(const uint32_t *bodies, size_t count, const vec3 *positions, int threads, vec3 *low, vec3 *high)
{
    box_search search = {
        .bodies = bodies, .count = count, .parts = threads > 1 ? BOX_PARTS : 1, .positions = positions};
    for_blocks(threads, search.parts, find_part, &search);
    *low = search.low[0];
    *high = search.high[0];
    for (size_t i = 1; i < search.parts; i++) {
        vec3 l = search.low[i], h = search.high[i];
        *low = vec3_make(fmin(low->x, l.x), fmin(low->y, l.y), fmin(low->z, l.z));
        *high = vec3_make(fmax(high->x, h.x), fmax(high->y, h.y), fmax(high->z, h.z));
    }
}

static cell_grid find_grid(const uint32_t *bodies, size_t count, const vec3 *positions, double edge, int threads)
{
    cell_grid grid = {.edge = edge};
    vec3 low, high;
    find_box(bodies, count, positions, threads, &low, &high);
    double keys;
    do {
        keys = 4;
        for (int axis = 0; axis < 3; axis++) {
            double least = cell_index(vec3_get(low, axis), grid.edge),
                   most = cell_index(vec3_get(high, axis), grid.edge);
            least -= parity(least); // so that parities stay
            grid.ranges[axis] = (cell_range){least, most - least + 3};
            keys *= grid.ranges[axis].count;
        }
        if (keys < 9e15)
            return grid;
        grid.edge *= 2;
    } while (isfinite(grid.edge));
    return grid;
}

static uint64_t cell_key(const cell_grid *grid, vec3 position)
{
    double x = band_index(cell_index(position.x, grid->edge)) - grid->ranges[0].least;
    double y = cell_index(position.y, grid->edge) - grid->ranges[1].least;
    double z = cell_index(position.z, grid->edge) - grid->ranges[2].least;
    double colour = 2 * parity(y) + parity(z);
    return (uint64_t)(((x * 4 + colour) * grid->ranges[1].count + y) * grid->ranges[2].count + z);
}

static uint64_t band_of_key(const cell_grid *grid, uint64_t key)
{
    return key / (uint64_t)(8 * grid->ranges[1].count * grid->ranges[2].count);
}

static void find_cells(const cell_grid *grid, const uint64_t *keys, const uint32_t *order, cell_bodies *made)
{
    made->cell_count = made->band_count = 0;
    for (size_t i = 0; i < made->count; i++) {
        uint64_t key = keys[order[i]], last = i > 0 ? keys[order[i - 1]] : 0;
        if (i > 0 && key == last)
            continue;
        if (i == 0 || band_of_key(grid, key) != band_of_key(grid, last))
            made->first_cell[made->band_count++] = (uint32_t)made->cell_count;
        made->first_body[made->cell_count++] = (uint32_t)i;
    }
    made->first_body[made->cell_count] = (uint32_t)made->count;
    made->first_cell[made->band_count] = (uint32_t)made->cell_count;
}

// Bodies stand in rows across the bands, first along the longer of the two axes, so that few of them touch others
// beyond a cut. Large islands have several cells in a row.
static uint32_t row_of_key(const cell_grid *grid, uint64_t key)
{
    uint64_t y_count = (uint64_t)grid->ranges[1].count, z_count = (uint64_t)grid->ranges[2].count;
    uint64_t y = key / z_count % y_count, z = key % z_count, count = y_count * z_count;
    uint64_t at = y_count >= z_count ? y * z_count + z : z * y_count + y;
    return (uint32_t)(count > MOST_ROWS ? at * MOST_ROWS / count : at);
}

// So a cut at any part of the whole goes through all bands at about the same place.
static void find_across(const cell_grid *grid, const uint64_t *keys, const uint32_t *order, const cell_bodies *made)
{
    uint32_t before[MOST_ROWS + 1];
    size_t rows = (size_t)fmin(grid->ranges[1].count * grid->ranges[2].count, MOST_ROWS);
    memset(before, 0, (rows + 1) * sizeof *before);
    for (size_t cell = 0; cell < made->cell_count; cell++) {
        uint32_t row = row_of_key(grid, keys[order[made->first_body[cell]]]);
        before[row + 1] += made->first_body[cell + 1] - made->first_body[cell];
        made->across[cell] = (uint16_t)row;
    }
    for (size_t row = 0; row < rows; row++)
        before[row + 1] += before[row];
    for (size_t cell = 0; cell < made->cell_count; cell++) {
        uint64_t middle = ((uint64_t)before[made->across[cell]] + before[made->across[cell] + 1]) / 2;
        made->across[cell] = (uint16_t)(middle * (CELLS_WHOLE - 1) / made->count);
    }
}

// The lists of cells are short: they move to where the memory begins that was given back.
static bool keep_cells(cell_bodies *made, arena *scratch)
{
    const uint32_t *first_body = made->first_body, *first_cell = made->first_cell;
    const uint16_t *across = made->across;
    made->first_body = arena_array(scratch, uint32_t, made->cell_count + 1);
    made->first_cell = arena_array(scratch, uint32_t, made->band_count + 1);
    made->across = arena_array(scratch, uint16_t, made->cell_count);
    if (!made->first_body || !made->first_cell || !made->across)
        return false;
    memmove(made->first_body, first_body, (made->cell_count + 1) * sizeof *first_body);
    memmove(made->first_cell, first_cell, (made->band_count + 1) * sizeof *first_cell);
    memmove(made->across, across, made->cell_count * sizeof *across);
    return true;
}

// Keys of bodies: their ids, then their cells.
typedef struct body_keys {
    const uint32_t *bodies;
    const uint64_t *ids;
    const vec3 *positions;
    const cell_grid *grid;
    uint64_t *keys;
    uint32_t *order;
} body_keys;

static void take_ids(void *context, size_t first, size_t end)
{
    const body_keys *to = context;
    for (size_t i = first; i < end; i++) {
        to->order[i] = (uint32_t)i;
        to->keys[i] = to->ids[to->bodies[i]];
    }
}

static void take_cells(void *context, size_t first, size_t end)
{
    const body_keys *to = context;
    for (size_t i = first; i < end; i++)
        to->keys[i] = cell_key(to->grid, to->positions[to->bodies[i]]);
}

bool cells_order_bodies(uint32_t *bodies, size_t count, const vec3 *positions, const uint64_t *ids, double edge,
                        int threads, arena *scratch, cell_bodies *made)
{
    *made = (cell_bodies){.count = count};
    arena_mark before = arena_get_mark(scratch);
    uint64_t *keys = arena_array(scratch, uint64_t, count);
    uint32_t *order = arena_array(scratch, uint32_t, count), *other = arena_array(scratch, uint32_t, count);
    made->first_body = arena_array(scratch, uint32_t, count + 1);
    made->first_cell = arena_array(scratch, uint32_t, count + 1);
    made->across = arena_array(scratch, uint16_t, count);
    if (!keys || !order || !other || !made->first_body || !made->first_cell || !made->across)
        return false;
    cell_grid grid = find_grid(bodies, count, positions, edge, threads);
    body_keys to = {bodies, ids, positions, &grid, keys, order};
    for_ranges(threads, count, OWNER_BLOCK, take_ids, &to);
    radix_sort(keys, order, other, count);
    for_ranges(threads, count, OWNER_BLOCK, take_cells, &to);
    radix_sort(keys, order, other, count);
    find_cells(&grid, keys, order, made);
    find_across(&grid, keys, order, made);
    memcpy(other, bodies, count * sizeof *other);
    for (size_t i = 0; i < count; i++)
        bodies[i] = other[order[i]];
    arena_release(scratch, before);
    return keep_cells(made, scratch);
}

// --------------------------------------------------------------------------------------------------------- contacts

typedef struct contact_sort {
    const uint32_t *contacts;
    size_t count;
    contact_key_function *key;
    const void *context;
    uint32_t *owner;                 // by place in `contacts`, as all below
    uint64_t *other;                 // likewise
    uint32_t *sorted, *room, *start; // places, room for as many, by owner
    size_t owner_count;
} contact_sort;

// Features are asked for only where two bodies have several contacts.
static bool comes_before(const contact_sort *sort, uint32_t a, uint32_t b)
{
    if (sort->other[a] != sort->other[b])
        return sort->other[a] < sort->other[b];
    return sort->key(sort->context, sort->contacts[a]).feature < sort->key(sort->context, sort->contacts[b]).feature;
}

static void sort_few(const contact_sort *sort, uint32_t *places, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint32_t moved = places[i];
        size_t to = i;
        for (; to > 0 && comes_before(sort, moved, places[to - 1]); to--)
            places[to] = places[to - 1];
        places[to] = moved;
    }
}

// The contacts of one owner: few as a rule, but a slab has thousands. `room` is for as many.
static void sort_owned(const contact_sort *sort, uint32_t *places, uint32_t *room, size_t count)
{
    if (count <= FEW_CONTACTS) {
        sort_few(sort, places, count);
        return;
    }
    size_t middle = count / 2, low = 0, high = middle;
    sort_owned(sort, places, room, middle);
    sort_owned(sort, places + middle, room + middle, count - middle);
    for (size_t i = 0; i < count; i++) {
        bool take_high = low == middle || (high < count && comes_before(sort, places[high], places[low]));
        room[i] = places[take_high ? high++ : low++];
    }
    memcpy(places, room, count * sizeof *places);
}

static void find_owners(void *context, size_t block)
{
    const contact_sort *sort = context;
    for (size_t i = block * OWNER_BLOCK; i < block_end(block, OWNER_BLOCK, sort->count); i++) {
        contact_key key = sort->key(sort->context, sort->contacts[i]);
        sort->owner[i] = key.owner;
        sort->other[i] = key.other;
    }
}

static void list_by_owner(const contact_sort *sort)
{
    uint32_t *start = sort->start;
    memset(start, 0, (sort->owner_count + 2) * sizeof *start);
    for (size_t i = 0; i < sort->count; i++)
        start[sort->owner[i] + 2]++;
    for (size_t i = 2; i < sort->owner_count + 2; i++)
        start[i] += start[i - 1];
    for (uint32_t i = 0; i < sort->count; i++)
        sort->sorted[start[sort->owner[i] + 1]++] = i;
}

// Places become contacts in the room of the owners, whom nobody asks for any more.
static void sort_block(void *context, size_t block)
{
    const contact_sort *sort = context;
    const uint32_t *start = sort->start;
    size_t first = block * OWNER_BLOCK, end = block_end(block, OWNER_BLOCK, sort->owner_count);
    for (size_t i = first; i < end; i++)
        if (start[i + 1] - start[i] > 1)
            sort_owned(sort, sort->sorted + start[i], sort->room + start[i], start[i + 1] - start[i]);
    for (uint32_t i = start[first]; i < start[end]; i++)
        sort->room[i] = sort->contacts[sort->sorted[i]];
}

static void list_cells(const cell_bodies *bodies, const uint32_t *start, cell_list *made)
{
    made->cell_count = bodies->cell_count;
    made->band_count = bodies->band_count;
    made->first_cell = bodies->first_cell;
    made->across = bodies->across;
    for (size_t cell = 0; cell <= bodies->cell_count; cell++)
        made->first_contact[cell] = start[bodies->first_body[cell]];
}

bool cells_order_contacts(const cell_bodies *bodies, uint32_t *contacts, size_t count, contact_key_function *key,
                          const void *context, int threads, arena *scratch, cell_list *made)
{
    made->first_contact = arena_array(scratch, uint32_t, bodies->cell_count + 1);
    if (!made->first_contact)
        return false;
    arena_mark before = arena_get_mark(scratch);
    uint32_t *owner = arena_array(scratch, uint32_t, count);
    contact_sort sort = {.contacts = contacts,
                         .count = count,
                         .key = key,
                         .context = context,
                         .owner = owner,
                         .other = arena_array(scratch, uint64_t, count),
                         .sorted = arena_array(scratch, uint32_t, count),
                         .room = owner,
                         .start = arena_array(scratch, uint32_t, bodies->count + 2),
                         .owner_count = bodies->count};
    if (!sort.owner || !sort.other || !sort.sorted || !sort.start)
        return false;
    for_blocks(threads, block_count(count, OWNER_BLOCK), find_owners, &sort);
    list_by_owner(&sort);
    for_blocks(threads, block_count(bodies->count, OWNER_BLOCK), sort_block, &sort);
    if (count > 0)
        memcpy(contacts, sort.room, count * sizeof *contacts);
    list_cells(bodies, sort.start, made);
    arena_release(scratch, before);
    return true;
}
