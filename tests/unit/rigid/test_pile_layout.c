// A settled pile of spheres as the sweeps see it: its contacts in cells, tiles and lanes.
#include "../../physics/lab.h"

#include <string.h>

#include "rigid/island_run.h"
#include "solve/solver.h"
#include "world/materials.h"

enum { COUNT = CHECK_SANITIZED ? 300 : 1500 };

// The one large island of a pile, ordered and laid out.
typedef struct pile {
    scree_world *world;
    step_problem step;
    joint_rows joints;
    island_set set;
    island_run run;
    uint32_t uneven; // slot of a body whose contacts need the general kernel; NO_BODY: none
    uint8_t *immovable;
    contact_problem problem;
    arena scratch;
} pile;

static scree_world *settled_world(void)
{
    scree_world_def def = scree_default_world_def();
    def.threads = 2;
    def.solver.cell = 1; // walls stand on the faces of cells, which else would be cut
    scree_world *world = lab_create(&def);
    lab_add_container(world, 1);
    lab_add_heap(world, COUNT, 1, false, 8);
    lab_step(world, CHECK_SANITIZED ? 200 : 300);
    return world;
}

static uint32_t local_body(const pile *of, uint32_t slot, size_t index)
{
    return of->world->bodies.immovable.data[slot] ? of->run.island->body_count + (uint32_t)index
                                                  : run_place(&of->run, slot);
}

static contact_ends ends_of(const void *context, size_t index)
{
    const pile *of = context;
    const contact *c = &of->step.contacts[run_contacts(&of->run)[index]];
    bool uneven = c->a == of->uneven || c->b == of->uneven;
    return (contact_ends){local_body(of, c->a, index), local_body(of, c->b, index),
                          uneven ? PROBLEM_GENERAL_INERTIA : PROBLEM_CENTERED_SPHERES};
}

static void make_row(const void *context, size_t index, problem_row *row)
{
    const pile *of = context;
    contact_row made = contact_row_of(&of->step, run_contacts(&of->run)[index]);
    *row = biased_row(&made, whole_bias);
    row->a = local_body(of, row->a, index);
    row->b = local_body(of, row->b, index);
}

static pile *lay_out(scree_world *world, uint32_t uneven, bool with_cells)
{
    pile *of = calloc(1, sizeof *of);
    of->world = world;
    of->uneven = uneven;
    note_pairs(world);
    of->step = step_problem_of(world);
    assert_true(islands_find(&of->step, &of->joints, &of->scratch, &of->set));
    size_t largest = 0;
    for (size_t i = 0; i < of->set.count; i++)
        if (of->set.islands[i].contact_count > of->set.islands[largest].contact_count)
            largest = i;
    of->run = (island_run){.problem = &of->step,
                           .set = &of->set,
                           .island = &of->set.islands[largest],
                           .joints = &of->joints,
                           .scratch = &of->scratch,
                           .threads = 2};
    assert_true(run_order(&of->run, of->step.cell));
    size_t movable = of->run.island->body_count, contacts = of->run.island->contact_count;
    of->immovable = calloc(movable + contacts, 1);
    memset(of->immovable + movable, 1, contacts);
    problem_spec spec = {.precision = SCREE_PRECISION_SINGLE,
                         .body_count = movable + contacts,
                         .immovable = of->immovable,
                         .contact_count = contacts,
                         .ends = ends_of,
                         .context = of,
                         .cells = with_cells ? &of->run.cells : NULL};
    lab_ok(problem_lay_out(&of->problem, &spec, 2, &of->scratch, error));
    for (size_t i = 0; i < movable + contacts; i++) {
        problem_body body = i < movable ? free_body(&of->step, run_bodies(&of->run)[i]) : (problem_body){0};
        problem_set_body(&of->problem, i, &body);
    }
    problem_set_contacts(&of->problem, make_row, of, 1);
    return of;
}

static void free_pile(pile *of)
{
    arena_free(&of->scratch);
    free(of->immovable);
    free(of);
}

// Every contact has a lane of its own, in the tile that it stands in, and cells are cut but never joined.
static void test_every_contact_once(void **state)
{
    scree_world *world = *state;
    pile *of = lay_out(world, NO_BODY, true);
    const contact_problem *problem = &of->problem;
    assert_true(problem->contact_count > 2 * COUNT);
    uint8_t *taken = calloc(problem->group_count * PROBLEM_LANES, 1);
    size_t next = 0, cell = 0;
    for (size_t t = 0; t < problem->tile_count; t++) {
        const problem_tile *tile = &problem->tiles[t];
        assert_int_equal(tile->first_contact, next);
        next += tile->contact_count;
        while (of->run.cells.first_contact[cell + 1] <= tile->first_contact)
            cell++;
        assert_true(next <= of->run.cells.first_contact[cell + 1]);
        for (size_t i = tile->first_contact; i < next; i++) {
            uint32_t lane = problem->contact_lane[i];
            assert_true(lane / PROBLEM_LANES < tile->group_count);
            assert_int_equal(taken[tile->first_group * PROBLEM_LANES + lane]++, 0);
        }
    }
    assert_int_equal(next, problem->contact_count);
    free(taken);
    free_pile(of);
}

// With cells of seven diameters, few lanes stay empty.
static void test_lanes_are_filled(void **state)
{
    scree_world *world = *state;
    pile *of = lay_out(world, NO_BODY, true);
    double fill = (double)of->problem.contact_count / (double)(of->problem.group_count * PROBLEM_LANES);
    assert_at_least(fill, CHECK_SANITIZED ? 0.8 : 0.9);
    assert_int_equal(of->problem.kinds, 1u << PROBLEM_CENTERED_SPHERES);
    free_pile(of);
}

// One uneven body puts only the tiles that it has contacts in on the general kernel.
static void test_kinds_are_those_of_tiles(void **state)
{
    scree_world *world = *state;
    pile *plain = lay_out(world, NO_BODY, true);
    uint32_t uneven = run_bodies(&plain->run)[plain->run.island->body_count / 2];
    free_pile(plain);
    pile *of = lay_out(world, uneven, true);
    size_t general = 0;
    for (size_t t = 0; t < of->problem.tile_count; t++) {
        const problem_tile *tile = &of->problem.tiles[t];
        bool has = false;
        for (size_t i = tile->first_contact; i < tile->first_contact + tile->contact_count; i++)
            has |= ends_of(of, i).kind == PROBLEM_GENERAL_INERTIA;
        assert_int_equal(tile->kind, has ? PROBLEM_GENERAL_INERTIA : PROBLEM_CENTERED_SPHERES);
        general += has;
    }
    assert_in_range(general, 1, 8); // its own cell and neighbours
    assert_true(of->problem.tile_count > 2 * general || CHECK_SANITIZED);
    free_pile(of);
}

// Passes that follow each other through the bands of cells do what one after the other does, to the last bit.
static void test_waves_do_what_passes_do(void **state)
{
    scree_world *world = *state;
    pile *of[2];
    scree_solver_def def = scree_default_world_def().solver;
    def.algorithm = SCREE_ALGORITHM_APGS;
    def.iterations = 13;
    def.tolerance = 0;
    for (int k = 0; k < 2; k++) {
        of[k] = lay_out(world, NO_BODY, true);
        contact_problem *problem = &of[k]->problem;
        uint32_t all[2] = {0, (uint32_t)problem->tile_count}, bands = problem->bands.count;
        if (k == 0)
            problem->bands = (tile_bands){.first = all, .count = 1, .lag = 1, .wave = 1};
        else {
            problem->bands.wave = 4; // a pile that small would stay in the caches without
            problem->bands.lag = bands;
        }
        solve_result result;
        lab_ok(solve_problem(problem, &def, k + 1, &of[k]->scratch, &result, error));
    }
    assert_memory_equal(of[0]->problem.impulses, of[1]->problem.impulses, problem_impulses_size(&of[0]->problem));
    assert_memory_equal(of[0]->problem.velocities, of[1]->problem.velocities, problem_velocities_size(&of[0]->problem));
    free_pile(of[0]);
    free_pile(of[1]);
}

int main(void)
{
    scree_world *world = settled_world();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_every_contact_once, world),
        cmocka_unit_test_prestate(test_lanes_are_filled, world),
        cmocka_unit_test_prestate(test_kinds_are_those_of_tiles, world),
        cmocka_unit_test_prestate(test_waves_do_what_passes_do, world),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    scree_world_destroy(world);
    return failed;
}
