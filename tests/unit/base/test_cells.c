// The order of relaxation follows from ids and places alone; neighbouring cells come in the order of colours, and bands
// run through the same order as colour after colour.
#include "../../physics/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/cells.h"
#include "base/random.h"

enum { MOST = 4000 };

// Bodies of a set of islands, at any places in memory, and the contacts of one island.
typedef struct set_up {
    size_t count;
    vec3 *position;
    uint64_t *id;
    uint32_t *bodies; // of the island, in the order of cells once it is made
    cell_bodies cells;
    uint32_t *place; // by body
    size_t contact_count;
    uint32_t (*ends)[2]; // bodies; UINT32_MAX: immovable
    uint32_t *features;
    uint32_t *contacts;
    cell_list list;
    arena scratch;
} set_up;

static set_up make_bodies(size_t count, double half, vec3 at, uint64_t seed)
{
    set_up made = {.count = count};
    random_stream stream = {seed};
    made.position = calloc(count, sizeof *made.position);
    made.id = calloc(count, sizeof *made.id);
    made.bodies = calloc(count, sizeof *made.bodies);
    made.place = calloc(count, sizeof *made.place);
    for (size_t i = 0; i < count; i++) {
        vec3 from = {random_between(&stream, -half, half), random_between(&stream, -half, half),
                     random_between(&stream, -half, half)};
        made.position[i] = vec3_add(at, from);
        made.id[i] = 7 * i + 3;
        made.bodies[i] = (uint32_t)i;
    }
    return made;
}

static void free_set_up(set_up *of)
{
    arena_free(&of->scratch);
    free(of->position);
    free(of->id);
    free(of->bodies);
    free(of->place);
    free(of->ends);
    free(of->features);
    free(of->contacts);
}

static void order_bodies_of(set_up *of, double edge)
{
    assert_true(cells_order_bodies(of->bodies, of->count, of->position, of->id, edge, 2, &of->scratch, &of->cells));
    for (uint32_t i = 0; i < of->count; i++)
        of->place[of->bodies[i]] = i;
}

// Contacts of bodies that are near, two of each pair, and one with something immovable for each fifth body.
static void make_contacts(set_up *of, double near)
{
    of->ends = calloc(8 * of->count + 16, sizeof *of->ends);
    of->features = calloc(8 * of->count + 16, sizeof *of->features);
    for (uint32_t a = 0; a < of->count; a++) {
        size_t first = of->contact_count;
        for (uint32_t b = a + 1; b < of->count && of->contact_count < first + 6; b++)
            for (uint32_t k = 0; k < 2 && vec3_length(vec3_sub(of->position[a], of->position[b])) < near; k++) {
                of->features[of->contact_count] = 2 - k;
                of->ends[of->contact_count][0] = k ? a : b;
                of->ends[of->contact_count++][1] = k ? b : a;
            }
        if (a % 5 == 0) {
            of->ends[of->contact_count][0] = a;
            of->ends[of->contact_count++][1] = UINT32_MAX;
        }
    }
    of->contacts = calloc(of->contact_count, sizeof *of->contacts);
    for (uint32_t i = 0; i < of->contact_count; i++)
        of->contacts[i] = i;
}

static contact_key key_of(const void *context, uint32_t contact)
{
    const set_up *of = context;
    uint32_t a = of->ends[contact][0], b = of->ends[contact][1];
    if (b == UINT32_MAX)
        return (contact_key){of->place[a], of->features[contact], 1000000};
    bool a_owns = of->id[a] < of->id[b];
    return (contact_key){of->place[a_owns ? a : b], of->features[contact], of->id[a_owns ? b : a]};
}

static void order_contacts_of(set_up *of, int threads)
{
    assert_true(cells_order_contacts(&of->cells, of->contacts, of->contact_count, key_of, of, threads, &of->scratch,
                                     &of->list));
}

static void shuffle(uint32_t *items, size_t count, random_stream *stream)
{
    for (size_t i = count; i > 1; i--) {
        size_t with = random_bits(stream) % i;
        uint32_t swap = items[i - 1];
        items[i - 1] = items[with];
        items[with] = swap;
    }
}

// ------------------------------------------------------------------------------------------- the order, by definition

typedef struct cell_at {
    long long x, y, z;
} cell_at;

static cell_at cell_of(const set_up *of, uint32_t body, double edge)
{
    vec3 at = of->position[body];
    return (cell_at){(long long)floor(at.x / edge), (long long)floor(at.y / edge), (long long)floor(at.z / edge)};
}

static int colour_of(cell_at c)
{
    return (int)(4 * (c.x & 1) + 2 * (c.y & 1) + (c.z & 1));
}

static bool same_cell(cell_at a, cell_at b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool are_neighbours(cell_at a, cell_at b)
{
    return llabs(a.x - b.x) <= 1 && llabs(a.y - b.y) <= 1 && llabs(a.z - b.z) <= 1;
}

static size_t index_of_cell(const set_up *of, size_t place)
{
    size_t cell = 0;
    while (of->cells.first_body[cell + 1] <= place)
        cell++;
    return cell;
}

// Bodies of a cell stand together in the order of ids; of two neighbours the one with the lower colour comes first.
static void check_bodies(const set_up *of, double edge)
{
    const cell_bodies *cells = &of->cells;
    assert_int_equal(cells->count, of->count);
    assert_int_equal(cells->first_body[0], 0);
    assert_int_equal(cells->first_body[cells->cell_count], of->count);
    assert_int_equal(cells->first_cell[0], 0);
    assert_int_equal(cells->first_cell[cells->band_count], cells->cell_count);
    for (size_t cell = 0; cell < cells->cell_count; cell++)
        for (size_t i = cells->first_body[cell] + 1; i < cells->first_body[cell + 1]; i++) {
            assert_true(same_cell(cell_of(of, of->bodies[i], edge), cell_of(of, of->bodies[i - 1], edge)));
            assert_true(of->id[of->bodies[i]] > of->id[of->bodies[i - 1]]);
        }
    for (size_t i = 0; i < cells->cell_count; i++)
        for (size_t k = 0; k < i; k++) {
            cell_at later = cell_of(of, of->bodies[cells->first_body[i]], edge);
            cell_at earlier = cell_of(of, of->bodies[cells->first_body[k]], edge);
            assert_false(same_cell(later, earlier));
            if (are_neighbours(later, earlier))
                assert_true(colour_of(earlier) < colour_of(later));
        }
}

// Neighbours are in the same band or in the next one.
static void check_bands(const set_up *of, double edge)
{
    const cell_bodies *cells = &of->cells;
    size_t *band = calloc(cells->cell_count + 1, sizeof *band);
    for (size_t b = 0; b < cells->band_count; b++)
        for (size_t i = cells->first_cell[b]; i < cells->first_cell[b + 1]; i++)
            band[i] = b;
    for (size_t i = 0; i < cells->cell_count; i++)
        for (size_t k = 0; k < i; k++)
            if (are_neighbours(cell_of(of, of->bodies[cells->first_body[i]], edge),
                               cell_of(of, of->bodies[cells->first_body[k]], edge)))
                assert_true(band[i] - band[k] <= 1);
    free(band);
}

static void test_neighbours_come_in_the_order_of_colours(void **state)
{
    (void)state;
    static const vec3 places[] = {{0, 0, 0}, {1000.5, -2000.25, 3}, {-7, -7, -7}};
    for (int k = 0; k < 3; k++) {
        set_up of = make_bodies(1500, 5, places[k], (uint64_t)k + 1);
        order_bodies_of(&of, 1);
        assert_true(of.cells.cell_count > 500 && of.cells.band_count >= 5);
        check_bodies(&of, 1);
        check_bands(&of, 1);
        free_set_up(&of);
    }
}

// Cuts across the bands part the bodies evenly, and at the same place in every band: along y, in which the island is
// longer than in z.
static void test_cuts_go_across_all_bands(void **state)
{
    (void)state;
    set_up of = make_bodies(4000, 8, vec3_make(0.5, 100, -3), 5);
    for (size_t i = 0; i < of.count; i++)
        of.position[i].y *= 2;
    order_bodies_of(&of, 2);
    const cell_bodies *cells = &of.cells;
    size_t before[4] = {0};
    for (size_t i = 0; i < cells->cell_count; i++)
        for (uint32_t part = 1; part < 4; part++)
            if (cells->across[i] < part * CELLS_WHOLE / 4)
                before[part] += cells->first_body[i + 1] - cells->first_body[i];
    for (size_t part = 1; part < 4; part++)
        assert_in_range(before[part], part * of.count / 4 - of.count / 32, part * of.count / 4 + of.count / 32);
    for (size_t i = 0; i < cells->cell_count; i++)
        for (size_t k = 0; k < cells->cell_count; k++) {
            cell_at a = cell_of(&of, of.bodies[cells->first_body[i]], 2);
            cell_at b = cell_of(&of, of.bodies[cells->first_body[k]], 2);
            if (a.y == b.y && a.z == b.z)
                assert_int_equal(cells->across[i], cells->across[k]);
            else if (a.y < b.y)
                assert_true(cells->across[i] <= cells->across[k]);
        }
    free_set_up(&of);
}

// A body on a face belongs to the cell that begins there, on either side of zero.
static void test_faces_belong_to_the_cell_above(void **state)
{
    (void)state;
    const double below = nextafter(-2, -3);
    set_up of = make_bodies(6, 1, vec3_make(0, 0, 0), 1);
    const vec3 at[6] = {{-2, 0.5, 0.5}, {below, 0.5, 0.5}, {-1.5, 0.5, 0.5},
                        {0, 0.5, 0.5},  {-0.0, 0.5, 0.5},  {-1, 0.5, 0.5}};
    memcpy(of.position, at, sizeof at);
    order_bodies_of(&of, 1);
    // cells -3 | -2 | -1 | 0: even ones first in each band, so -2, then -3 and 0, then -1
    const uint32_t expected[6] = {0, 2, 1, 3, 4, 5};
    assert_memory_equal(of.bodies, expected, sizeof expected);
    assert_int_equal(of.cells.cell_count, 4);
    free_set_up(&of);
}

// ------------------------------------------------------------------------------------------------------------ contacts

// Every contact once, in the cell of its owner, and there by (owner's id, other, feature).
static void check_contacts(const set_up *of)
{
    uint8_t *seen = calloc(of->contact_count, 1);
    assert_int_equal(of->list.cell_count, of->cells.cell_count);
    assert_int_equal(of->list.first_contact[0], 0);
    assert_int_equal(of->list.first_contact[of->list.cell_count], of->contact_count);
    for (size_t cell = 0; cell < of->list.cell_count; cell++)
        for (size_t i = of->list.first_contact[cell]; i < of->list.first_contact[cell + 1]; i++) {
            contact_key key = key_of(of, of->contacts[i]);
            assert_int_equal(seen[of->contacts[i]]++, 0);
            assert_int_equal(index_of_cell(of, key.owner), cell);
            if (i == of->list.first_contact[cell])
                continue;
            contact_key last = key_of(of, of->contacts[i - 1]);
            bool rises = last.owner != key.owner   ? last.owner < key.owner
                         : last.other != key.other ? last.other < key.other
                                                   : last.feature < key.feature;
            assert_true(rises);
        }
    free(seen);
}

static void test_contacts_go_with_their_owners(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads += 2) {
        set_up of = make_bodies(3000, 4, vec3_make(0.3, -9, 0), 4);
        make_contacts(&of, 0.5);
        assert_true(of.contact_count > 5000);
        order_bodies_of(&of, 1);
        order_contacts_of(&of, threads);
        check_contacts(&of);
        free_set_up(&of);
    }
}

// Where bodies and contacts stand in memory makes no difference to the sequence of ids.
static void test_memory_makes_no_difference(void **state)
{
    (void)state;
    set_up of[2];
    random_stream stream = {21};
    for (int k = 0; k < 2; k++)
        of[k] = make_bodies(1200, 3, vec3_make(-1, 2, 0), 9);
    uint32_t to[1200];
    for (uint32_t i = 0; i < 1200; i++)
        to[i] = i;
    shuffle(to, 1200, &stream);
    for (size_t i = 0; i < 1200; i++) {
        of[1].position[to[i]] = of[0].position[i];
        of[1].id[to[i]] = of[0].id[i];
    }
    shuffle(of[1].bodies, 1200, &stream);
    make_contacts(&of[0], 0.4);
    size_t count = of[1].contact_count = of[0].contact_count;
    of[1].ends = calloc(count, sizeof *of[1].ends);
    of[1].features = calloc(count, sizeof *of[1].features);
    of[1].contacts = calloc(count, sizeof *of[1].contacts);
    uint32_t *moved = calloc(count, sizeof *moved);
    for (uint32_t i = 0; i < count; i++)
        moved[i] = of[1].contacts[i] = i;
    shuffle(moved, count, &stream);
    shuffle(of[1].contacts, count, &stream);
    for (size_t i = 0; i < count; i++) {
        uint32_t b = of[0].ends[i][1];
        of[1].ends[moved[i]][0] = to[of[0].ends[i][0]];
        of[1].ends[moved[i]][1] = b == UINT32_MAX ? b : to[b];
        of[1].features[moved[i]] = of[0].features[i];
    }
    for (int k = 0; k < 2; k++) {
        order_bodies_of(&of[k], 0.5);
        order_contacts_of(&of[k], k + 1);
    }
    assert_int_equal(of[0].cells.cell_count, of[1].cells.cell_count);
    for (size_t i = 0; i < 1200; i++)
        assert_int_equal(of[0].id[of[0].bodies[i]], of[1].id[of[1].bodies[i]]);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(moved[of[0].contacts[i]], of[1].contacts[i]);
    free(moved);
    free_set_up(&of[0]);
    free_set_up(&of[1]);
}

// A relaxation of contacts between bodies, in which only the order of those that share a body matters: each mixes the
// numbers of its two bodies.
static void relax(const set_up *of, const uint32_t *sequence, uint64_t *value)
{
    for (size_t i = 0; i < of->count; i++)
        value[i] = of->id[i];
    for (size_t i = 0; i < of->contact_count; i++) {
        uint32_t a = of->ends[sequence[i]][0], b = of->ends[sequence[i]][1];
        uint64_t mixed = value[a] * 3 + (b == UINT32_MAX ? 5 : value[b]) + sequence[i];
        value[a] = mixed * 0x9e3779b97f4a7c15u;
        if (b != UINT32_MAX)
            value[b] = (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9u;
    }
}

// Colour after colour over the whole of space is the same relaxation as band after band.
static void test_bands_do_what_colours_do(void **state)
{
    (void)state;
    set_up of = make_bodies(2000, 4, vec3_make(0, 0, 0), 14);
    make_contacts(&of, 0.49); // less than half an edge, so that cells that share a body are neighbours
    order_bodies_of(&of, 1);
    order_contacts_of(&of, 1);
    uint32_t *by_colour = calloc(of.contact_count, sizeof *by_colour);
    size_t count = 0;
    for (int colour = 0; colour < 8; colour++)
        for (size_t i = 0; i < of.contact_count; i++) {
            uint32_t owner = of.bodies[key_of(&of, of.contacts[i]).owner];
            if (colour_of(cell_of(&of, owner, 1)) == colour)
                by_colour[count++] = of.contacts[i];
        }
    assert_int_equal(count, of.contact_count);
    assert_memory_not_equal(by_colour, of.contacts, count * sizeof *by_colour);
    uint64_t *values[2] = {calloc(of.count, sizeof **values), calloc(of.count, sizeof **values)};
    relax(&of, of.contacts, values[0]);
    relax(&of, by_colour, values[1]);
    assert_memory_equal(values[0], values[1], of.count * sizeof **values);
    free(values[0]);
    free(values[1]);
    free(by_colour);
    free_set_up(&of);
}

// A slab owns thousands of contacts, some of them with the same body.
static void test_thousands_of_contacts_of_one_owner(void **state)
{
    (void)state;
    set_up of = make_bodies(MOST, 10, vec3_make(0, 0, 0), 3);
    random_stream stream = {8};
    of.contact_count = 3 * MOST - 3;
    of.ends = calloc(of.contact_count, sizeof *of.ends);
    of.features = calloc(of.contact_count, sizeof *of.features);
    of.contacts = calloc(of.contact_count, sizeof *of.contacts);
    for (uint32_t i = 0; i < of.contact_count; i++) {
        of.ends[i][0] = i % 2 ? 0 : 1 + i / 3;
        of.ends[i][1] = i % 2 ? 1 + i / 3 : 0;
        of.features[i] = (i * 2654435761u) % 3 == 0 ? i : UINT32_MAX - i;
        of.contacts[i] = i;
    }
    shuffle(of.contacts, of.contact_count, &stream);
    order_bodies_of(&of, 4);
    order_contacts_of(&of, 2);
    check_contacts(&of);
    free_set_up(&of);
}

// Cells are numbered by whole numbers that a double holds: an island that is too large for that gets larger cells, and
// one as far away as floating point goes is still put into some order.
static void test_a_huge_extent_enlarges_the_cells(void **state)
{
    (void)state;
    set_up of = make_bodies(64, 1, vec3_make(0, 0, 0), 5);
    for (size_t i = 0; i < of.count; i++)
        of.position[i] = vec3_scale(of.position[i], 1e9);
    order_bodies_of(&of, 0.25);
    assert_true(of.cells.cell_count > 32);
    double edge = 0.25;
    while ((2e9 / edge + 3) * (2e9 / edge + 3) * (2e9 / edge + 3) * 4 > 9e15)
        edge *= 2;
    bool agrees = false; // the extent of the bodies is a little below 2e9, so that the edge may be half as large
    for (int k = 0; k < 2 && !agrees; k++, edge /= 2) {
        agrees = true;
        for (size_t i = 1; i < of.count; i++)
            agrees &= colour_of(cell_of(&of, of.bodies[i], edge)) >= 0;
        for (size_t i = 0; i < of.cells.cell_count; i++)
            for (size_t j = 0; j < i; j++) {
                cell_at later = cell_of(&of, of.bodies[of.cells.first_body[i]], edge);
                cell_at earlier = cell_of(&of, of.bodies[of.cells.first_body[j]], edge);
                if (same_cell(later, earlier) ||
                    (are_neighbours(later, earlier) && colour_of(earlier) >= colour_of(later)))
                    agrees = false;
            }
    }
    assert_true(agrees);
    of.position[0] = vec3_make(1e300, -1e300, 0);
    order_bodies_of(&of, 0.25);
    uint8_t seen[64] = {0};
    for (size_t i = 0; i < of.count; i++)
        assert_int_equal(seen[of.bodies[i]]++, 0);
    free_set_up(&of);
}

// An infinite edge is one cell for all: the order is that of ids.
static void test_one_cell_is_the_order_of_ids(void **state)
{
    (void)state;
    set_up of = make_bodies(300, 1e6, vec3_make(0, 0, 0), 6);
    random_stream stream = {1};
    shuffle(of.bodies, of.count, &stream);
    order_bodies_of(&of, HUGE_VAL);
    for (uint32_t i = 1; i < of.count; i++)
        assert_true(of.id[of.bodies[i]] > of.id[of.bodies[i - 1]]);
    free_set_up(&of);
}

static void test_none(void **state)
{
    (void)state;
    set_up of = make_bodies(0, 1, vec3_make(0, 0, 0), 6);
    order_bodies_of(&of, 1);
    assert_int_equal(of.cells.cell_count, 0);
    order_contacts_of(&of, 1);
    assert_int_equal(of.list.first_contact[0], 0);
    free_set_up(&of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_neighbours_come_in_the_order_of_colours),
        cmocka_unit_test(test_faces_belong_to_the_cell_above),
        cmocka_unit_test(test_contacts_go_with_their_owners),
        cmocka_unit_test(test_memory_makes_no_difference),
        cmocka_unit_test(test_cuts_go_across_all_bands),
        cmocka_unit_test(test_bands_do_what_colours_do),
        cmocka_unit_test(test_thousands_of_contacts_of_one_owner),
        cmocka_unit_test(test_a_huge_extent_enlarges_the_cells),
        cmocka_unit_test(test_one_cell_is_the_order_of_ids),
        cmocka_unit_test(test_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
