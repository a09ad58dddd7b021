// Wide bodies as blocks of the sweeps: the residual of tiles, the answer of Newton's method, a plate of any mass inside
// a pile, the same bits on any number of threads, joints on top of it, and several passes at a time around it.
#include "piles.h"

#include "islands.h"
#include "solve/sweep/articulation.h"
#include "solve/sweep/blocks.h"
#include "solve/sweep/wide_body.h"

typedef struct fixture {
    arena scratch;
    contact_problem problem;
    wide_bodies wide;
    articulation joined;
    problem_row *ordinary, *at_plate; // rows of tiles, and of the wide body
    size_t ordinary_count, plate_count;
    problem_kind kind;
} fixture;

static contact_ends ends_of_ordinary_row(const void *context, size_t index)
{
    const fixture *f = context;
    return (contact_ends){f->ordinary[index].a, f->ordinary[index].b, f->kind};
}

// With `wide` false the plate's contacts are in tiles as all others.
static void load(fixture *f, const pile *p, scree_precision precision, problem_kind kind, bool wide)
{
    uint8_t *marks = calloc(2, p->body_count), *immovable = marks + p->body_count;
    arena_reset(&f->scratch);
    f->ordinary = arena_array(&f->scratch, problem_row, p->row_count);
    f->at_plate = arena_array(&f->scratch, problem_row, p->row_count);
    f->ordinary_count = f->plate_count = 0;
    for (size_t i = 0; i < p->row_count; i++)
        if (wide && (p->rows[i].a == p->plate || p->rows[i].b == p->plate))
            f->at_plate[f->plate_count++] = p->rows[i];
        else
            f->ordinary[f->ordinary_count++] = p->rows[i];
    for (size_t i = 0; i < p->body_count; i++)
        immovable[i] = p->bodies[i].inverse_mass == 0;
    marks[p->plate] = 1;
    f->kind = kind;
    problem_spec spec = {.precision = precision,
                         .body_count = p->body_count,
                         .immovable = immovable,
                         .contact_count = f->ordinary_count,
                         .ends = ends_of_ordinary_row,
                         .context = f};
    lab_ok(problem_lay_out(&f->problem, &spec, 2, &f->scratch, error));
    for (size_t i = 0; i < p->body_count; i++)
        problem_set_body(&f->problem, i, &p->bodies[i]);
    for (size_t i = 0; i < f->ordinary_count; i++)
        problem_set_contact(&f->problem, i, &f->ordinary[i]);
    if (wide) {
        lab_ok(wide_bodies_make(&f->wide, p->bodies, p->body_count, marks, f->at_plate, f->plate_count, &f->scratch,
                                error));
        f->problem.wide = &f->wide;
    }
    free(marks);
}

static solve_result solve(fixture *f, scree_algorithm algorithm, scree_friction friction, int sweeps, double tolerance,
                          int threads)
{
    solve_result result;
    scree_solver_def def = {.algorithm = algorithm, .friction = friction, .iterations = sweeps};
    def.tolerance = tolerance;
    def.omega = 0.2;
    def.lambda = 1;
    lab_ok(solve_problem(&f->problem, &def, threads, &f->scratch, &result, error));
    return result;
}

// ---- a small sandwich, by definition and by Newton's method

// A plate on balls on the floor, with balls upon it, every third of which touches it twice.
static void make_sandwich(test_island *t, double mass, bool extended, bool convex)
{
    random_stream stream = {11};
    *t = (test_island){.island = {.convex = convex}};
    uint32_t floor = add_fixed(t);
    uint32_t plate = add_body(t, mass, vec3_make(mass, 1.5 * mass, 2 * mass), vec3_make(0.02, 0, -FALL));
    for (int i = 0; i < 24; i++) {
        vec3 at = {random_between(&stream, -2, 2), random_between(&stream, -2, 2), i % 2 ? 0.1 : -0.1};
        vec3 velocity = {random_between(&stream, -0.1, 0.1), random_between(&stream, -0.1, 0.1), -FALL};
        uint32_t ball = add_box(t, random_between(&stream, 0.5, 2), 0.8, velocity);
        vec3 up = {0, 0, 1}, radius = {0, 0, 0.5};
        if (i % 2) {
            add_contact(t, plate, ball, up, at, vec3_negate(radius), 0.4);
            if (i % 3 == 0)
                add_contact(t, plate, ball, up, vec3_add(at, vec3_make(0.1, 0, 0)), vec3_make(0.1, 0, -0.5), 0.4);
        } else {
            add_contact(t, plate, ball, vec3_negate(up), at, radius, 0.4);
            add_contact(t, floor, ball, up, at, vec3_negate(radius), 0.4);
        }
    }
    for (size_t i = 0; extended && i < t->island.contact_count; i++) {
        problem_row *row = &t->island.contacts[i];
        row->compliance = i % 4 == 0 ? 0.05 : 0;
        row->rolling = 0.02;
        row->spinning = 0.01;
    }
}

static pile pile_of(const test_island *t)
{
    return (pile){t->island.body_count, t->island.contact_count, t->island.bodies, t->island.contacts, NULL, 1};
}

// At any impulses, also outside of the cone.
static void the_residual_is_that_of_tiles(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        test_island t;
        make_sandwich(&t, 0.3, i % 2, true);
        random_stream stream = {3};
        for (size_t k = 0; k < t.island.contact_count; k++) {
            problem_row *row = &t.island.contacts[k];
            row->impulse = vec3_scale(row->normal, random_between(&stream, 0, 0.1));
            row->impulse.x += random_between(&stream, -0.03, 0.03);
            row->angular_impulse.y = i % 2 ? random_between(&stream, -0.001, 0.001) : 0;
        }
        pile p = pile_of(&t);
        residual found[2];
        for (int wide = 0; wide < 2; wide++) {
            fixture f = {0};
            load(&f, &p, SCREE_PRECISION_DOUBLE, i % 2 ? PROBLEM_EXTENDED_CONTACT : PROBLEM_GENERAL_INERTIA, wide);
            f.problem.friction_dilation = i < 2;
            problem_apply_impulses(&f.problem, NULL, 1);
            blocks_apply(&f.problem);
            found[wide] = problem_residual(&f.problem, 1);
            arena_free(&f.scratch);
        }
        assert_near(found[1].mean, found[0].mean, 1e-12 * found[0].mean);
        assert_near(found[1].max, found[0].max, 1e-12 * found[0].max);
        free_island(&t);
    }
}

static void take_impulses(const fixture *f, pile *p)
{
    for (size_t i = 0, ordinary = 0, at_plate = 0; i < p->row_count; i++) {
        bool wide = p->rows[i].a == p->plate || p->rows[i].b == p->plate;
        size_t from = wide ? at_plate++ : ordinary++;
        p->rows[i].impulse = wide ? wide_bodies_impulse(&f->wide, from) : problem_get_impulse(&f->problem, from);
        p->rows[i].angular_impulse =
            wide ? wide_bodies_angular_impulse(&f->wide, from) : problem_get_angular_impulse(&f->problem, from);
    }
}

static double farthest(const fixture *f, const island *solved)
{
    double worst = 0;
    for (size_t i = 1; i < solved->body_count; i++) {
        vec3 v, w;
        problem_get_velocity(&f->problem, i, &v, &w);
        worst = fmax(worst, vec3_length(vec3_sub(v, solved->bodies[i].velocity)));
        worst = fmax(worst, vec3_length(vec3_sub(w, solved->bodies[i].spin)));
    }
    return worst;
}

// The convex law has one answer in velocities. Coulomb's has several for balls that are squeezed; there the impulses
// found solve the problem in the eyes of the Newton solver, whose residual knows nothing of sweeps.
static void agree_with_newton(scree_algorithm algorithm, double mass, bool extended, bool convex, double accuracy)
{
    test_island t;
    fixture f = {0};
    island_result exact;
    make_sandwich(&t, mass, extended, convex);
    pile p = pile_of(&t);
    load(&f, &p, SCREE_PRECISION_DOUBLE, extended ? PROBLEM_EXTENDED_CONTACT : PROBLEM_GENERAL_INERTIA, true);
    solve_result result =
        solve(&f, algorithm, convex ? SCREE_FRICTION_CONVEX : SCREE_FRICTION_EXACT, 20000, 1e-3 * accuracy, 1);
    if (convex) {
        lab_ok(newton_solve(&t.island, 200, 1e-11, &t.scratch, &exact, error));
        assert_true(exact.reached);
    } else {
        take_impulses(&f, &p);
        lab_ok(newton_solve(&t.island, 0, 0, &t.scratch, &exact, error));
        assert_true(exact.residual.max < accuracy);
    }
    double worst = farthest(&f, &t.island);
    print_message("algorithm %d, mass %g, %s, %s: %d iterations, residual %.1e, velocities off by %.1e\n", algorithm,
                  mass, extended ? "rich" : "plain", convex ? "convex" : "exact", result.iterations,
                  result.residual.max, worst);
    assert_true(worst < accuracy);
    arena_free(&f.scratch);
    free_island(&t);
}

static void sandwiches_agree_with_newton(void **state)
{
    (void)state;
    for (double mass = 0.01; mass < 200; mass *= 100)
        for (int i = 0; i < 4; i++)
            agree_with_newton(SCREE_ALGORITHM_APGS, mass, i % 2, i < 2, 1e-5);
    agree_with_newton(SCREE_ALGORITHM_GAUSS_SEIDEL, 1, false, true, 1e-4);
    agree_with_newton(SCREE_ALGORITHM_APGD, 1, false, true, 1e-5);
    agree_with_newton(SCREE_ALGORITHM_JACOBI, 1, false, true, 1e-4);
}

// Impulses found are given back in the order and with the signs of the rows: from them there is nothing left to do.
static void starts_from_impulses(void **state)
{
    (void)state;
    test_island t;
    fixture f = {0};
    make_sandwich(&t, 0.1, true, true);
    pile p = pile_of(&t);
    load(&f, &p, SCREE_PRECISION_DOUBLE, PROBLEM_EXTENDED_CONTACT, true);
    solve(&f, SCREE_ALGORITHM_APGS, SCREE_FRICTION_CONVEX, 5000, 1e-10, 1);
    take_impulses(&f, &p);
    load(&f, &p, SCREE_PRECISION_DOUBLE, PROBLEM_EXTENDED_CONTACT, true);
    assert_int_equal(solve(&f, SCREE_ALGORITHM_APGS, SCREE_FRICTION_CONVEX, 100, 1e-8, 1).iterations, 1);
    arena_free(&f.scratch);
    free_island(&t);
}

// ---- a plate inside a pile

enum { MANY_SWEEPS = 800 };

static pile settled;

static int settle(void **state)
{
    (void)state;
    make_pile_by(SCREE_ALGORITHM_APGS, &settled, 2200, 2200, 18, 200); // by sweeps, whatever Newton's method does
    return 0;
}

static int remove_pile(void **state)
{
    (void)state;
    free_pile(&settled);
    return 0;
}

static void set_plate_mass(double balls)
{
    problem_body *plate = &settled.bodies[settled.plate];
    double factor = 1 / (balls * 1000 * 4.0 / 3 * LAB_PI * 0.125 * plate->inverse_mass);
    plate->inverse_mass *= factor;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            plate->inverse_inertia.m[i][j] *= factor;
}

static void plates_in_a_pile_converge(void **state)
{
    (void)state;
    const double masses[] = {1, 30, 1000};
    fixture f = {0};
    for (int i = 0; i < 6; i++) {
        bool convex = i < 3;
        double mean[3];
        set_plate_mass(masses[i % 3]);
        for (int k = 0; k < 3; k++) {
            const int sweeps[] = {100, 200, MANY_SWEEPS};
            load(&f, &settled, SCREE_PRECISION_SINGLE, PROBLEM_GENERAL_INERTIA, true);
            mean[k] =
                solve(&f, SCREE_ALGORITHM_APGS, convex ? SCREE_FRICTION_CONVEX : SCREE_FRICTION_EXACT, sweeps[k], 0, 2)
                    .residual.mean;
        }
        print_message("plate of %g balls with %zu contacts, %s law: mean residual %.2e, %.2e, %.2e after 100, 200, %d "
                      "sweeps\n",
                      masses[i % 3], f.plate_count, convex ? "convex" : "exact", mean[0], mean[1], mean[2],
                      MANY_SWEEPS);
        assert_true(f.plate_count > 250);
        assert_true(mean[1] < 2e-4 && mean[2] < 0.5 * mean[1]);
    }
    arena_free(&f.scratch);
}

static void same_bits_on_any_number_of_threads(void **state)
{
    (void)state;
    set_plate_mass(1);
    fixture one = {0}, many = {0};
    load(&one, &settled, SCREE_PRECISION_SINGLE, PROBLEM_GENERAL_INERTIA, true);
    solve(&one, SCREE_ALGORITHM_APGS, SCREE_FRICTION_CONVEX, 140, 0, 1);
    for (int threads = 2; threads <= 3; threads++) {
        load(&many, &settled, SCREE_PRECISION_SINGLE, PROBLEM_GENERAL_INERTIA, true);
        solve(&many, SCREE_ALGORITHM_APGS, SCREE_FRICTION_CONVEX, 140, 0, threads);
        assert_memory_equal(one.problem.velocities, many.problem.velocities, problem_velocities_size(&one.problem));
        for (size_t i = 0; i < one.plate_count; i++) {
            vec3 a = wide_bodies_impulse(&one.wide, i), b = wide_bodies_impulse(&many.wide, i);
            assert_memory_equal(&a, &b, sizeof a);
        }
    }
    arena_free(&one.scratch);
    arena_free(&many.scratch);
}

// A plate held by a hinge at its edge: both blocks have it.
static void jointed_plates_converge(void **state)
{
    (void)state;
    for (double mass = 1; mass < 2000; mass *= 1000) {
        set_plate_mass(mass);
        test_island t = {0};
        uint32_t plate = (uint32_t)settled.plate, wall = 0;
        while (settled.bodies[wall].inverse_mass > 0)
            wall++;
        vec3 edge = {8.9, 0, 0};
        for (int end = -1; end <= 1; end += 2)
            add_spherical(&t, wall, plate, vec3_make(17.9, 9, 9), vec3_add(edge, vec3_make(0, 4.0 * end, 0)));
        double mean[2];
        for (int k = 0; k < 2; k++) {
            fixture f = {0};
            load(&f, &settled, SCREE_PRECISION_SINGLE, PROBLEM_GENERAL_INERTIA, true);
            lab_ok(articulation_make(&f.joined, settled.bodies, t.island.rows, t.island.row_count, &f.scratch, error));
            f.problem.joints = &f.joined;
            mean[k] = solve(&f, SCREE_ALGORITHM_APGS, SCREE_FRICTION_CONVEX, k ? MANY_SWEEPS : 200, 0, 2).residual.mean;
            arena_free(&f.scratch);
        }
        print_message("hinged plate of %g balls: mean residual %.2e, %.2e after 200, %d sweeps\n", mass, mean[0],
                      mean[1], MANY_SWEEPS);
        assert_true(mean[0] < 2e-4 && mean[1] < 0.5 * mean[0]);
        free_island(&t);
    }
}

// ---- waves

enum { ROW_BALLS = 16000, PLATE_FROM = 9000, PLATE_BALLS = 300 };

static mat3 equal_moments(double inverse)
{
    return (mat3){{{inverse, 0, 0}, {0, inverse, 0}, {0, 0, inverse}}};
}

static void add_touch(pile *p, uint32_t a, uint32_t b, vec3 normal, vec3 arm_a, vec3 arm_b)
{
    p->rows[p->row_count++] =
        (problem_row){.a = a, .b = b, .normal = normal, .arm_a = arm_a, .arm_b = arm_b, .bias = 0.001, .friction = 0.4};
}

// Balls side by side on the floor, pressed against each other, and a plate on some of them.
static pile row_of_balls(void)
{
    const uint32_t floor = ROW_BALLS, plate = ROW_BALLS + 1;
    pile p = {.body_count = ROW_BALLS + 2, .plate = plate};
    p.bodies = calloc(p.body_count, sizeof *p.bodies);
    p.rows = calloc(2 * ROW_BALLS + PLATE_BALLS, sizeof *p.rows);
    random_stream stream = {5};
    for (uint32_t i = 0; i < ROW_BALLS + 2; i++) {
        vec3 velocity = {random_between(&stream, -0.1, 0.1), random_between(&stream, -0.1, 0.1), -FALL};
        p.bodies[i] = (problem_body){.velocity = velocity, .inverse_mass = 1, .inverse_inertia = equal_moments(10)};
    }
    p.bodies[floor] = (problem_body){0};
    p.bodies[plate].inverse_inertia = equal_moments(1e-3);
    const vec3 up = {0, 0, 1}, along = {1, 0, 0}, below = {0, 0, -0.5}, above = {0, 0, 0.5}, before = {-0.5, 0, 0};
    for (uint32_t i = 0; i < ROW_BALLS; i++) {
        add_touch(&p, floor, i, up, vec3_make(i, 0, 0), below);
        if (i > 0)
            add_touch(&p, i - 1, i, along, vec3_make(0.5, 0, 0), before);
        if (i >= PLATE_FROM && i < PLATE_FROM + PLATE_BALLS)
            add_touch(&p, i, plate, up, above, vec3_make(i - (PLATE_FROM + PLATE_BALLS / 2), 0, -0.1));
    }
    return p;
}

// Passes that follow each other do what one after the other does where some bands wait for blocks; the others do not.
static void waves_go_round_blocks(void **state)
{
    (void)state;
    pile p = row_of_balls();
    for (int algorithm = 0; algorithm < 2; algorithm++) {
        fixture f[3] = {0};
        for (int k = 0; k < 3; k++) { // one pass at a time, waves, waves of three threads
            load(&f[k], &p, SCREE_PRECISION_SINGLE, PROBLEM_GENERAL_INERTIA, true);
            tile_bands *bands = &f[k].problem.bands;
            assert_true(bands->count >= 8);
            bands->lag = 1;
            bands->wave = k == 0 ? 1 : 4;
            solve(&f[k], algorithm ? SCREE_ALGORITHM_GAUSS_SEIDEL : SCREE_ALGORITHM_APGS, SCREE_FRICTION_CONVEX, 30, 0,
                  k == 2 ? 3 : 1);
            if (k > 0)
                assert_true(bands->first_block > 2 && bands->end_block - bands->first_block < 5 &&
                            bands->end_block < bands->count);
        }
        for (int k = 1; k < 3; k++) {
            size_t size = problem_velocities_size(&f[0].problem);
            assert_memory_equal(f[0].problem.velocities, f[k].problem.velocities, size);
            assert_memory_equal(f[0].problem.impulses, f[k].problem.impulses, problem_impulses_size(&f[0].problem));
        }
        for (int k = 0; k < 3; k++)
            arena_free(&f[k].scratch);
    }
    free_pile(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_residual_is_that_of_tiles),
        cmocka_unit_test(sandwiches_agree_with_newton),
        cmocka_unit_test(starts_from_impulses),
        cmocka_unit_test(plates_in_a_pile_converge),
        cmocka_unit_test(same_bits_on_any_number_of_threads),
        cmocka_unit_test(jointed_plates_converge),
        cmocka_unit_test(waves_go_round_blocks),
    };
    return cmocka_run_group_tests(tests, settle, remove_pile);
}
