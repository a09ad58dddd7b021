// The guard of momentum: it holds back what would diverge on an ordered packing, and lets a real pile alone.
#include "piles.h"

#include "solve/sweep/nesterov.h"

typedef struct run {
    arena scratch;
    contact_problem problem;
    solve_result result;
} run;

// The place of each body in the order of cells; ids are indices.
typedef struct cell_context {
    const pile *p;
    uint32_t *place;
} cell_context;

static contact_key key_of_row(const void *context, uint32_t index)
{
    const cell_context *in = context;
    const problem_row *row = &in->p->rows[index];
    return (contact_key){.owner = in->place[row->a], .other = row->b};
}

// Puts the rows of a lattice into the order in which the engine relaxes them.
static void order_by_cells(pile *p, arena *scratch, cell_list *cells)
{
    size_t balls = p->body_count - 1;
    uint32_t *bodies = malloc(balls * sizeof *bodies), *order = malloc(p->row_count * sizeof *order);
    uint64_t *ids = malloc(balls * sizeof *ids);
    cell_context in = {p, malloc(balls * sizeof *in.place)};
    cell_bodies ordered;
    for (uint32_t i = 0; i < balls; i++)
        ids[i] = bodies[i] = i;
    for (uint32_t i = 0; i < p->row_count; i++)
        order[i] = i;
    assert_true(cells_order_bodies(bodies, balls, p->positions, ids, 5, 1, scratch, &ordered));
    for (uint32_t i = 0; i < balls; i++)
        in.place[bodies[i]] = i;
    assert_true(cells_order_contacts(&ordered, order, p->row_count, key_of_row, &in, 2, scratch, cells));
    problem_row *rows = malloc(p->row_count * sizeof *rows);
    for (size_t i = 0; i < p->row_count; i++)
        rows[i] = p->rows[order[i]];
    free(p->rows);
    p->rows = rows;
    free(bodies);
    free(order);
    free(ids);
    free(in.place);
}

static void solve(run *r, pile *p, scree_precision precision, int sweeps)
{
    cell_list cells;
    arena_reset(&r->scratch);
    if (p->positions)
        order_by_cells(p, &r->scratch, &cells);
    lay_out_pile(&r->problem, precision, p, ends_of_ball_row, p->positions ? &cells : NULL, &r->scratch);
    scree_solver_def def = {.algorithm = SCREE_ALGORITHM_APGS, .iterations = sweeps};
    lab_ok(solve_problem(&r->problem, &def, 2, &r->scratch, &r->result, error));
}

// Without the guard the mean residual is 1.2e-2 after 30 sweeps, and grows.
static void ordered_packings_converge(void **state)
{
    (void)state;
    const int sweeps[] = {30, 60, 200};
    const double most[] = {4e-3, 2e-3, 4e-4};
    pile p;
    run r = {0};
    make_lattice(&p, CHECK_SANITIZED ? 24 : 42, 0.2, 1.3);
    assert_true(CHECK_SANITIZED || p.row_count > 284000);
    for (int i = 0; i < 3; i++) {
        solve(&r, &p, SCREE_PRECISION_SINGLE, sweeps[i]);
        print_message("lattice of %zu contacts, %d sweeps: mean residual %.2e\n", p.row_count, sweeps[i],
                      r.result.residual.mean);
        assert_true(r.result.residual.mean < most[i]);
    }
    arena_free(&r.scratch);
    free_pile(&p);
}

// |v - v*| over |v_free - v*| in the metric of the masses.
static double error_of(const run *r, const pile *p, const run *reference)
{
    double error = 0, scale = 0;
    for (size_t i = 0; i < p->body_count; i++) {
        const problem_body *body = &p->bodies[i];
        vec3 v, w, exact_v, exact_w;
        if (body->inverse_mass == 0)
            continue;
        problem_get_velocity(&r->problem, i, &v, &w);
        problem_get_velocity(&reference->problem, i, &exact_v, &exact_w);
        double mass = 1 / body->inverse_mass, moment = 1 / body->inverse_inertia.m[0][0];
        vec3 dv = vec3_sub(v, exact_v), dw = vec3_sub(w, exact_w);
        error += mass * vec3_dot(dv, dv) + moment * vec3_dot(dw, dw);
        dv = vec3_sub(body->velocity, exact_v);
        dw = vec3_sub(body->spin, exact_w);
        scale += mass * vec3_dot(dv, dv) + moment * vec3_dot(dw, dw);
    }
    return sqrt(error / scale);
}

static int sweeps_to(run *r, pile *p, const run *reference, double error, int from)
{
    int sweeps = from;
    do
        solve(r, p, SCREE_PRECISION_SINGLE, sweeps += 4);
    while (error_of(r, p, reference) > error && sweeps < 1000);
    return sweeps;
}

static void piles_are_let_alone(void **state)
{
    (void)state;
    pile p;
    run r = {0}, reference = {0};
    make_pile(&p, 3000, 0, 14, 200);
    solve(&reference, &p, SCREE_PRECISION_DOUBLE, 2000);
    int rough = sweeps_to(&r, &p, &reference, 0.1, 60), fine = sweeps_to(&r, &p, &reference, 0.01, rough);
    print_message("pile of %zu contacts: %d sweeps to an error of 0.1, %d to 0.01\n", p.row_count, rough, fine);
    assert_true(rough <= 76 && fine <= 286); // 72 and 272 without the guard
    arena_free(&r.scratch);
    arena_free(&reference.scratch);
    free_pile(&p);
}

// What is left of a column of balls that falls onto a floor.
static residual column_residual(scree_friction friction, int sweeps)
{
    enum { BALLS = 60 };
    problem_body bodies[BALLS + 1] = {0};
    problem_row rows[BALLS];
    for (uint32_t i = 0; i < BALLS; i++) {
        bodies[i] = (problem_body){.velocity = {0, 0, -1}, .inverse_mass = 1};
        for (int k = 0; k < 3; k++)
            bodies[i].inverse_inertia.m[k][k] = 10;
        rows[i] = (problem_row){.a = i,
                                .b = i > 0 ? i - 1 : BALLS,
                                .normal = {0, 0, -1},
                                .arm_a = {0, 0, -0.5},
                                .arm_b = {0, 0, i > 0 ? 0.5 : 0},
                                .friction = 0.5};
    }
    pile p = {.body_count = BALLS + 1, .row_count = BALLS, .bodies = bodies, .rows = rows, .plate = SIZE_MAX};
    run r = {0};
    lay_out_pile(&r.problem, SCREE_PRECISION_SINGLE, &p, ends_of_ball_row, NULL, &r.scratch);
    scree_solver_def def = {.algorithm = SCREE_ALGORITHM_APGS, .friction = friction, .iterations = sweeps};
    lab_ok(solve_problem(&r.problem, &def, 1, &r.scratch, &r.result, error));
    arena_free(&r.scratch);
    return r.result.residual;
}

// A load has sixty balls to go through. By the exact law momentum was limited to 0.9, and 100 sweeps left 4.7 times the
// residual of the convex law. Where all slides it is limited all the same.
static void momentum_is_free_where_nothing_slides(void **state)
{
    (void)state;
    double convex = column_residual(SCREE_FRICTION_CONVEX, 100).mean;
    double exact = column_residual(SCREE_FRICTION_EXACT, 100).mean;
    print_message("column after 100 sweeps: mean residual %.2e by the convex law, %.2e by the exact one\n", convex,
                  exact);
    assert_true(exact < 1.5 * convex);
    nesterov slides = nesterov_begin_exact(), sticks = slides;
    nesterov_free(&slides, 0.05, 1);
    nesterov_free(&sticks, 0.02, 1);
    assert_near(slides.most, 0.8, 0);
    assert_near(slides.limit, 0.9, 0);
    assert_near(sticks.most, 1, 1e-15);
    assert_near(sticks.limit, 1, 1e-15);
}

// Steps that grow: beta stays below where they grew, and comes back while they fall.
static void nesterov_comes_back(void **state)
{
    (void)state;
    nesterov m = nesterov_begin(1);
    double calm = 0, step = 1;
    for (int i = 0; i < 100; i++) {
        double beta = nesterov_next(&m);
        step *= beta < 0.9 ? 0.9 : 1.2;
        nesterov_watch(&m, step);
        calm = fmax(calm, m.beta);
        assert_true(step < 2.5);
    }
    assert_true(calm > 0.9 && m.most < 0.95);
    double held = m.most;
    for (int i = 0; i < 200; i++) {
        nesterov_next(&m);
        nesterov_watch(&m, step *= 0.99);
    }
    assert_true(m.most > held && m.most > 0.95);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ordered_packings_converge),
        cmocka_unit_test(momentum_is_free_where_nothing_slides),
        cmocka_unit_test(piles_are_let_alone),
        cmocka_unit_test(nesterov_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
