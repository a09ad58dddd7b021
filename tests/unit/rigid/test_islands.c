// Islands of plain arrays: who belongs together, what is counted and listed for each, and how it is to be solved.
#include "plain_step.h"

#include "base/disjoint.h"
#include "base/random.h"
#include "rigid/islands.h"
#include "world/wake.h"

static island_set find(plain_step *of)
{
    island_set set;
    arena_reset(&of->scratch);
    assert_true(islands_find(&of->problem, &of->joints, &of->scratch, &set));
    return set;
}

static vec3 along_x(double x)
{
    return vec3_make(x, 0, 0);
}

// Balls in a row of which each touches the next.
static uint32_t add_row_of_balls(plain_step *of, int count, double height, double mass)
{
    uint32_t first = (uint32_t)of->problem.body_count;
    for (int i = 0; i < count; i++) {
        uint32_t slot = plain_add(of, vec3_make(i, 0, height), 0.5, mass);
        if (i > 0)
            plain_touch_balls(of, slot - 1, slot);
    }
    return first;
}

// A floor, two rows of balls of which one touches it, a lone ball, and one that a joint holds to the second row.
static void test_who_belongs_together(void **state)
{
    (void)state;
    plain_step *of = plain_make();
    uint32_t floor = plain_add(of, along_x(0), 1, 0);
    uint32_t low = add_row_of_balls(of, 3, 0.5, 1);
    uint32_t lone = plain_add(of, along_x(50), 0.5, 1);
    uint32_t high = add_row_of_balls(of, 4, 9, 2);
    uint32_t hung = plain_add(of, along_x(70), 0.5, 6);
    plain_touch_floor(of, floor, low);
    plain_touch_floor(of, floor, low + 2);
    plain_join(of, high + 1, hung, vec3_make(1, 0, 0));
    plain_join(of, hung, high + 1, vec3_make(0, 1, 0));
    island_set set = find(of);
    assert_int_equal(set.count, 2);
    assert_int_equal(set.of_slot[floor], NO_ISLAND);
    assert_int_equal(set.of_slot[lone], NO_ISLAND);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(set.of_slot[low + i], 0);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(set.of_slot[high + i], 1);
    assert_int_equal(set.of_slot[hung], 1);
    const island_entry *first = &set.islands[0], *second = &set.islands[1];
    assert_int_equal(first->body_count, 3);
    assert_int_equal(first->contact_count, 4);
    assert_int_equal(first->pair_count, 2); // of bodies that can move
    assert_int_equal(first->row_count + first->joint_count, 0);
    assert_true(first->supported && first->awake && !first->pushed && !first->done);
    assert_int_equal(second->body_count, 5);
    assert_int_equal(second->contact_count, 3);
    assert_int_equal(second->row_count, 2);
    assert_int_equal(second->joint_count, 2);
    assert_false(second->supported);
    assert_near(second->heaviest, 6, 0);
    assert_near(second->lightest, 2, 0);
    plain_free(of);
}

// Both bodies get the lower of their labels, unless one of them cannot move.
static void join_labels(const plain_step *of, uint32_t *label, uint32_t a, uint32_t b)
{
    if (!of->immovable[a] && !of->immovable[b])
        label[a] = label[b] = label[a] < label[b] ? label[a] : label[b];
}

// Against a search from body to body through random contacts and joints.
static void test_random_islands(void **state)
{
    (void)state;
    enum { BODIES = 400, CONTACTS = 230 };
    random_stream stream = {17};
    for (int trial = 0; trial < 20; trial++) {
        plain_step *of = plain_make();
        for (int i = 0; i < BODIES; i++)
            plain_add(of, along_x(2 * i), 0.5, i % 9 == 4 ? 0 : 1);
        for (int i = 0; i < CONTACTS + 6; i++) {
            uint32_t a = (uint32_t)(random_bits(&stream) % BODIES), b = (uint32_t)(random_bits(&stream) % BODIES);
            if (a == b || (of->immovable[a] && of->immovable[b]))
                continue;
            if (i < CONTACTS)
                plain_touch(of, a, b, along_x(0), along_x(1), i % 5 ? 0 : -0.1);
            else
                plain_join(of, a, b, along_x(1));
        }
        island_set set = find(of);
        uint32_t label[BODIES]; // the lowest slot that is reached
        for (uint32_t i = 0; i < BODIES; i++)
            label[i] = i;
        for (int round = 0; round < BODIES; round++) {
            for (size_t i = 0; i < of->problem.contact_count; i++)
                join_labels(of, label, of->contacts[i].a, of->contacts[i].b);
            for (size_t i = 0; i < of->joints.count; i++)
                join_labels(of, label, of->rows[i].body[0], of->rows[i].body[1]);
        }
        uint32_t bodies = 0, contacts = 0, rows = 0;
        for (uint32_t i = 0; i < set.count; i++) {
            const island_entry *island = &set.islands[i];
            assert_int_equal(island->first_body, bodies);
            assert_int_equal(island->first_contact, contacts);
            assert_int_equal(island->first_row, rows);
            bool pushed = false, supported = false;
            for (uint32_t k = 0; k < island->body_count; k++) {
                uint32_t slot = set.bodies[bodies + k];
                assert_int_equal(set.of_slot[slot], i);
                assert_int_equal(set.place_of_slot[slot], bodies + k);
                assert_int_equal(label[slot], set.bodies[bodies]);
                assert_true(k == 0 || slot > set.bodies[bodies + k - 1]);
            }
            for (uint32_t k = 0; k < island->contact_count; k++) {
                const contact *c = &of->contacts[set.contacts[contacts + k]];
                assert_int_equal(label[of->immovable[c->a] ? c->b : c->a], set.bodies[bodies]);
                supported |= of->immovable[c->a] || of->immovable[c->b];
                pushed |= c->gap < 0;
            }
            for (uint32_t k = 0; k < island->row_count; k++) {
                const joint_row *row = &of->rows[set.rows[rows + k]];
                assert_int_equal(label[of->immovable[row->body[0]] ? row->body[1] : row->body[0]], set.bodies[bodies]);
                supported |= of->immovable[row->body[0]] || of->immovable[row->body[1]];
            }
            assert_int_equal(island->pushed, pushed);
            assert_int_equal(island->supported, supported);
            assert_true(i == 0 || set.bodies[bodies] > set.bodies[set.islands[i - 1].first_body]); // lowest slots rise
            bodies += island->body_count;
            contacts += island->contact_count;
            rows += island->row_count;
        }
        assert_int_equal(contacts, of->problem.contact_count);
        assert_int_equal(rows, of->joints.count);
        plain_free(of);
    }
}

// A joint to the world supports; one between immovable bodies belongs to nobody.
static void assert_same_sets(const island_set *a, const island_set *b, size_t bodies, size_t contacts)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < bodies; i++) {
        assert_int_equal(a->of_slot[i], b->of_slot[i]);
        if (a->of_slot[i] != NO_ISLAND)
            assert_int_equal(a->place_of_slot[i], b->place_of_slot[i]);
    }
    assert_memory_equal(a->contacts, b->contacts, contacts * sizeof *a->contacts);
    for (size_t i = 0; i < a->count; i++) {
        const island_entry *x = &a->islands[i], *y = &b->islands[i];
        assert_true(x->first_body == y->first_body && x->body_count == y->body_count);
        assert_true(x->first_contact == y->first_contact && x->contact_count == y->contact_count);
        assert_true(x->first_row == y->first_row && x->row_count == y->row_count);
        assert_true(x->first_fixed == y->first_fixed && x->fixed_count == y->fixed_count);
        assert_true(x->pair_count == y->pair_count && x->pushed == y->pushed && x->supported == y->supported);
        assert_true(x->heaviest == y->heaviest && x->lightest == y->lightest && x->solver == y->solver);
        assert_memory_equal(a->bodies + x->first_body, b->bodies + x->first_body, x->body_count * sizeof *a->bodies);
        assert_memory_equal(a->fixed + x->first_fixed, b->fixed + x->first_fixed, x->fixed_count * sizeof *a->fixed);
    }
}

// Many points of a few pairs of bodies, in no order, so that every part of the contacts sees most islands.
static void test_threads_find_the_same(void **state)
{
    (void)state;
    enum { BODIES = 400, PAIRS = 230, MANY = 40000 };
    random_stream stream = {23};
    plain_step *of = plain_make();
    for (int i = 0; i < BODIES; i++)
        plain_add(of, along_x(2 * i), 0.5, i % 9 == 4 ? 0 : 1 + i % 5);
    for (int i = 0; i < PAIRS; i++) {
        uint32_t a = (uint32_t)(random_bits(&stream) % BODIES), b = (uint32_t)(random_bits(&stream) % BODIES);
        if (a != b && !(of->immovable[a] && of->immovable[b]))
            plain_touch(of, a, b, along_x(0), along_x(1), i % 50 ? 0 : -0.1);
    }
    plain_join(of, 3, 200, along_x(1));
    contact *many = malloc(MANY * sizeof *many);
    assert_non_null(many);
    for (int i = 0; i < MANY; i++)
        many[i] = of->contacts[random_bits(&stream) % of->problem.contact_count];
    of->problem.contacts = many;
    of->problem.contact_count = MANY;
    island_set alone = find(of);
    assert_true(alone.count > 20);
    for (int threads = 2; threads <= 16; threads *= 2) {
        arena scratch = {0};
        island_set together;
        of->problem.threads = threads;
        assert_true(islands_find(&of->problem, &of->joints, &scratch, &together));
        assert_same_sets(&alone, &together, BODIES, MANY);
        arena_free(&scratch);
    }
    free(many);
    plain_free(of);
}

static void test_joints_alone(void **state)
{
    (void)state;
    plain_step *of = plain_make();
    uint32_t fixed = plain_add(of, along_x(0), 1, 0), hung = plain_add(of, along_x(3), 1, 1);
    plain_join(of, NO_BODY, fixed, along_x(1));
    plain_join(of, NO_BODY, hung, along_x(1));
    island_set set = find(of);
    assert_int_equal(set.count, 1);
    assert_true(set.islands[0].supported);
    assert_int_equal(set.islands[0].row_count, 1);
    assert_int_equal(set.islands[0].joint_count, 1);
    assert_int_equal(set.joints[0], 1);
    assert_int_equal(set.rows[0], 1);
    assert_null(island_of_row(&of->problem, &set, &of->rows[0]));
    assert_true(island_of_row(&of->problem, &set, &of->rows[1]) == &set.islands[0]);
    plain_free(of);
}

// Three bodies of a row that couples two joints are one island.
static void test_a_row_of_three_bodies(void **state)
{
    (void)state;
    plain_step *of = plain_make();
    for (int i = 0; i < 4; i++)
        plain_add(of, along_x(3 * i), 1, 1);
    plain_join(of, 0, 3, along_x(1))->body[2] = 2;
    island_set set = find(of);
    assert_int_equal(set.count, 1);
    assert_int_equal(set.islands[0].body_count, 3);
    assert_int_equal(set.of_slot[1], NO_ISLAND);
    plain_free(of);
}

// ------------------------------------------------------------------------------------------------------ how it is
// solved

static island_solver solver_of(plain_step *of)
{
    island_set set = find(of);
    assert_int_equal(set.count, 1);
    return set.islands[0].solver;
}

// Balls on a lattice, of which each touches those beside it: more than 1.5 pairs a body.
static plain_step *make_lattice(int side)
{
    plain_step *of = plain_make();
    for (int i = 0; i < side * side * side; i++) {
        uint32_t slot = plain_add(of, vec3_make(i % side, i / side % side, i / side / side), 0.5, 1);
        if (i % side > 0)
            plain_touch_balls(of, slot - 1, slot);
        if (i / side % side > 0)
            plain_touch_balls(of, slot - (uint32_t)side, slot);
        if (i / side / side > 0)
            plain_touch_balls(of, slot - (uint32_t)(side * side), slot);
    }
    return of;
}

static void test_heaps_are_swept(void **state)
{
    (void)state;
    plain_step *of = make_lattice(4);
    assert_int_equal(solver_of(of), ISLAND_SWEPT);
    of->problem.solver.algorithm = SCREE_ALGORITHM_NEWTON; // unless one asks for it
    assert_int_equal(solver_of(of), ISLAND_DIRECT);
    plain_free(of);
}

static void test_small_islands_are_checked(void **state)
{
    (void)state;
    plain_step *of = make_lattice(3); // 27 bodies
    assert_int_equal(solver_of(of), ISLAND_SWEPT_THEN_CHECKED);
    of->problem.solver.algorithm = SCREE_ALGORITHM_GAUSS_SEIDEL;
    assert_int_equal(solver_of(of), ISLAND_SWEPT);
    plain_free(of);
}

// A row has one pair a body, and its factor no fill: sweeps with a check while it is not very long.
static void test_towers(void **state)
{
    (void)state;
    plain_step *of = plain_make();
    add_row_of_balls(of, 500, 0, 1);
    assert_int_equal(solver_of(of), ISLAND_SWEPT_THEN_CHECKED);
    for (uint32_t i = 500; i < 700; i++)
        plain_touch_balls(of, i - 1, plain_add(of, along_x(i), 0.5, 1));
    assert_int_equal(solver_of(of), ISLAND_SWEPT);
    plain_free(of);
}

// Ratios of masses that sweeps cannot bear, where a factorisation is cheap.
static void test_unlike_masses_are_solved_directly(void **state)
{
    (void)state;
    plain_step *of = plain_make();
    add_row_of_balls(of, 2000, 0, 1);
    assert_int_equal(solver_of(of), ISLAND_SWEPT);
    of->mass[7] = 100;
    assert_int_equal(solver_of(of), ISLAND_SWEPT_THEN_CHECKED);
    of->mass[7] = 101;
    assert_int_equal(solver_of(of), ISLAND_DIRECT);
    of->problem.solver.algorithm = SCREE_ALGORITHM_APGS;
    assert_int_equal(solver_of(of), ISLAND_SWEPT);
    plain_free(of);
    of = make_lattice(4); // a heap is swept whatever its masses
    of->mass[7] = 1000;
    assert_int_equal(solver_of(of), ISLAND_SWEPT);
    plain_free(of);
}

// A mechanism is solved directly under every algorithm; in a heap its joints are one block of the sweeps.
static void test_joints_are_solved_directly_unless_in_a_heap(void **state)
{
    (void)state;
    plain_step *of = plain_make();
    add_row_of_balls(of, 4, 0, 1);
    plain_join(of, 0, 3, along_x(1));
    assert_int_equal(solver_of(of), ISLAND_DIRECT);
    of->problem.solver.algorithm = SCREE_ALGORITHM_JACOBI;
    assert_int_equal(solver_of(of), ISLAND_DIRECT);
    plain_free(of);
    of = make_lattice(4);
    plain_join(of, 0, 60, along_x(1));
    assert_int_equal(solver_of(of), ISLAND_SWEPT);
    plain_free(of);
}

// --------------------------------------------------------------------------------------------- not from step to step

// The first `count` balls of a lattice of eight by eight, those of higher numbers above. Slots follow the numbers times
// `stride`, ids the numbers themselves.
static plain_step *make_heap(uint32_t count, uint32_t stride)
{
    enum { SIDE = 8 };
    plain_step *of = plain_make();
    uint32_t *slot_of = malloc(count * sizeof *slot_of);
    for (uint32_t slot = 0; slot < count; slot++) {
        uint32_t number = slot * stride % count;
        plain_add(of, vec3_make(number % SIDE, number / SIDE % SIDE, number / SIDE / SIDE), 0.5, 1);
        of->id[slot] = number + 1;
        slot_of[number] = slot;
    }
    for (uint32_t slot = 0; slot < count; slot++) {
        uint32_t number = slot * stride % count;
        if (number % SIDE > 0)
            plain_touch_balls(of, slot_of[number - 1], slot);
        if (number / SIDE % SIDE > 0)
            plain_touch_balls(of, slot_of[number - SIDE], slot);
        if (number / SIDE / SIDE > 0)
            plain_touch_balls(of, slot_of[number - SIDE * SIDE], slot);
    }
    free(slot_of);
    return of;
}

// The solver of a heap of which the first `known` bodies remember `way`; returns what they will remember.
static solved_way way_of_heap(uint32_t count, uint32_t stride, uint32_t known, solved_way way)
{
    plain_step *of = make_heap(count, stride);
    for (uint32_t slot = 0; slot < count; slot++)
        of->solved_by[slot] = of->id[slot] <= known ? (uint8_t)way : NEVER_SOLVED;
    island_solver solver = solver_of(of);
    plain_free(of);
    return solver == ISLAND_SWEPT ? SOLVED_BY_SWEEPS : SOLVED_BY_FACTORS;
}

enum { MOST_HEAP = 250 };

static uint32_t grow_heap(uint32_t stride)
{
    uint32_t changed_at = 0;
    solved_way way = SOLVED_BY_FACTORS;
    for (uint32_t count = 2; count <= MOST_HEAP; count++) {
        solved_way next = way_of_heap(count, count % stride ? stride : 1, count - 1, way);
        if (next == way)
            continue;
        assert_int_equal(changed_at, 0); // once
        changed_at = count;
        way = next;
    }
    assert_int_equal(way, SOLVED_BY_SWEEPS);
    return changed_at;
}

static void test_a_growing_heap_changes_once(void **state)
{
    (void)state;
    uint32_t up = grow_heap(1), down = 0;
    assert_in_range(up, 32, 200);
    for (int i = 0; i < 10; i++) { // where a body comes and goes
        assert_int_equal(way_of_heap(up - 1 + (uint32_t)(i % 2), 1, up - 1, SOLVED_BY_SWEEPS), SOLVED_BY_SWEEPS);
        assert_int_equal(way_of_heap(up - 1 - (uint32_t)(i % 2), 1, up - 2, SOLVED_BY_FACTORS), SOLVED_BY_FACTORS);
    }
    solved_way way = SOLVED_BY_SWEEPS;
    for (uint32_t count = MOST_HEAP; count >= 2; count--) {
        solved_way next = way_of_heap(count, 1, count, way);
        if (next == way)
            continue;
        assert_int_equal(down, 0);
        down = count;
        way = next;
    }
    assert_int_equal(way, SOLVED_BY_FACTORS);
    assert_true(down < 0.8 * up);
}

// Costs are those of the graph of ids: the heap changes at the same number of bodies, wherever they stand in memory.
static void test_slots_do_not_choose(void **state)
{
    (void)state;
    uint32_t in_order = grow_heap(1);
    assert_int_equal(grow_heap(7), in_order);
    assert_int_equal(grow_heap(41), in_order);
}

// A chain is solved directly whatever it was solved by, and grains that lie loose around a machine are not.
static void test_chains_and_machines_in_grains(void **state)
{
    (void)state;
    plain_step *of = plain_make();
    for (int i = 0; i < 16; i++) {
        plain_add(of, along_x(3 * i), 0.5, 1);
        if (i > 0)
            plain_join(of, (uint32_t)i - 1, (uint32_t)i, along_x(1));
    }
    memset(of->solved_by, SOLVED_BY_SWEEPS, 16);
    assert_int_equal(solver_of(of), ISLAND_DIRECT);
    plain_free(of);
    of = make_heap(MOST_HEAP * 4, 1);
    for (uint32_t i = 0; i < 12; i++)
        plain_join(of, i, i + 1, along_x(1));
    assert_int_equal(solver_of(of), ISLAND_SWEPT);
    plain_free(of);
}

static void test_asleep_and_done(void **state)
{
    (void)state;
    plain_step *of = plain_make();
    add_row_of_balls(of, 3, 0, 1);
    for (int i = 0; i < 3; i++)
        of->rest[i] = ASLEEP;
    assert_int_equal(solver_of(of), ISLAND_ASLEEP);
    of->rest[1] = 0.3f; // one is awake
    assert_int_equal(solver_of(of), ISLAND_SWEPT_THEN_CHECKED);
    uint8_t done[3] = {0, 0, 1};
    of->problem.done = done;
    assert_int_equal(solver_of(of), ISLAND_DONE);
    plain_free(of);
}

static void test_none(void **state)
{
    (void)state;
    plain_step *of = plain_make();
    assert_int_equal(find(of).count, 0);
    plain_add(of, along_x(0), 1, 1);
    assert_int_equal(find(of).count, 0);
    plain_free(of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_belongs_together),
        cmocka_unit_test(test_random_islands),
        cmocka_unit_test(test_threads_find_the_same),
        cmocka_unit_test(test_joints_alone),
        cmocka_unit_test(test_a_row_of_three_bodies),
        cmocka_unit_test(test_heaps_are_swept),
        cmocka_unit_test(test_small_islands_are_checked),
        cmocka_unit_test(test_towers),
        cmocka_unit_test(test_unlike_masses_are_solved_directly),
        cmocka_unit_test(test_joints_are_solved_directly_unless_in_a_heap),
        cmocka_unit_test(test_a_growing_heap_changes_once),
        cmocka_unit_test(test_slots_do_not_choose),
        cmocka_unit_test(test_chains_and_machines_in_grains),
        cmocka_unit_test(test_asleep_and_done),
        cmocka_unit_test(test_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
