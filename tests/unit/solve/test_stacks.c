// Stacks: the points of a pair above each other, sides that share no movable body, and passes that do what those over
// single groups do.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "problems.h"
#include "solve/sweep/kernels.h"

// Every contact of a chain becomes up to six points of its pair, around where it was.
static test_problem *make_manifolds(size_t bodies, problem_kind kind, uint64_t seed)
{
    test_problem *t = make_problem(bodies, seed);
    random_stream stream = {seed + 1};
    problem_row *pairs = t->rows;
    size_t pair_count = t->contact_count;
    t->rows = calloc(6 * pair_count, sizeof *t->rows);
    t->contact_count = 0;
    t->kind = kind;
    for (size_t i = 0; i < pair_count; i++)
        for (size_t k = 0; k <= i * i % 6; k++) {
            problem_row row = pairs[i];
            vec3 aside = vec3_scale(random_vec(&stream), 0.3);
            row.arm_a = vec3_add(row.arm_a, aside);
            row.arm_b = vec3_add(row.arm_b, aside);
            row.bias = random_between(&stream, -0.3, 0.3);
            if (kind == PROBLEM_EXTENDED_CONTACT) {
                row.compliance = 0.1;
                row.rolling = row.spinning = 0.05;
            }
            t->rows[t->contact_count++] = row;
        }
    for (size_t i = 0; kind == PROBLEM_ISOTROPIC && i < bodies; i++) {
        double moment = t->bodies[i].inverse_inertia.m[0][0];
        t->bodies[i].inverse_inertia = (mat3){{{moment, 0, 0}, {0, moment, 0}, {0, 0, moment}}};
    }
    free(pairs);
    return t;
}

// The bodies in the lanes of a group, or of the empty ones the resting body.
static void get_ends(const test_problem *t, const problem_tile *tile, size_t group, uint32_t ends[16])
{
    assert_true(group < tile->group_count);
    problem_get_ends(&t->problem, tile, group, ends);
}

static void assert_share_nothing(const test_problem *t, const uint32_t p[16], const uint32_t q[16])
{
    for (int i = 0; i < 16; i++)
        for (int k = 0; k < 16; k++)
            assert_false(p[i] == q[k] && p[i] < t->body_count && !t->immovable[p[i]]);
}

static size_t check_stack(const test_problem *t, const problem_tile *tile, problem_stack stack, size_t group)
{
    uint32_t first[2][16] = {{0}}, ends[16];
    assert_in_range(stack.levels[0], 1, 4);
    assert_true(stack.levels[1] <= stack.levels[0]);
    for (int level = 0; level < stack.levels[0]; level++)
        for (int side = 0; side < 2 && level < stack.levels[side]; side++) {
            get_ends(t, tile, group++, ends);
            if (level == 0)
                memcpy(first[side], ends, sizeof ends);
            for (int i = 0; i < 16; i++)
                assert_true(ends[i] == first[side][i] || ends[i] == t->body_count);
        }
    if (stack.levels[1] > 0)
        assert_share_nothing(t, first[0], first[1]);
    return group;
}

static void test_bodies_stay_in_their_lanes(void **state)
{
    (void)state;
    test_problem *t = make_manifolds(3000, PROBLEM_GENERAL_INERTIA, 3);
    load_problem(t, SCREE_PRECISION_SINGLE, 2);
    size_t stacks = 0;
    for (const problem_tile *tile = t->problem.tiles; tile < t->problem.tiles + t->problem.tile_count; tile++) {
        size_t group = 0;
        assert_int_equal(tile->first_stack, stacks);
        for (size_t i = 0; i < tile->stack_count; i++)
            group = check_stack(t, tile, t->problem.stacks[stacks++], group);
        assert_int_equal(group, tile->group_count);
    }
    assert_true(stacks > 100);
    free_problem(t);
}

static void test_every_contact_has_its_lane(void **state)
{
    (void)state;
    test_problem *t = make_manifolds(3000, PROBLEM_GENERAL_INERTIA, 4);
    load_problem(t, SCREE_PRECISION_SINGLE, 1);
    for (size_t tile = 0; tile < t->problem.tile_count; tile++) {
        const problem_tile *of = &t->problem.tiles[tile];
        uint8_t *taken = calloc(of->group_count, PROBLEM_LANES);
        for (size_t i = of->first_contact; i < of->first_contact + of->contact_count; i++) {
            uint32_t lane = t->problem.contact_lane[i], ends[16];
            get_ends(t, of, lane / PROBLEM_LANES, ends);
            assert_int_equal(taken[lane]++, 0);
            assert_int_equal(ends[lane % PROBLEM_LANES], t->rows[i].a);
            assert_int_equal(ends[8 + lane % PROBLEM_LANES], t->rows[i].b);
        }
        free(taken);
    }
    double fill = (double)t->contact_count / (double)(t->problem.group_count * PROBLEM_LANES);
    assert_true(fill > 0.85);
    free_problem(t);
}

// A pair with one point each keeps groups as they come, and so do balls whatever they touch.
static void test_single_points_make_no_stacks(void **state)
{
    (void)state;
    test_problem *t[2] = {make_problem(1000, 5), make_manifolds(1000, PROBLEM_CENTERED_SPHERES, 5)};
    for (int k = 0; k < 2; k++) {
        load_problem(t[k], SCREE_PRECISION_SINGLE, 1);
        for (size_t tile = 0; tile < t[k]->problem.tile_count; tile++)
            assert_int_equal(t[k]->problem.tiles[tile].stack_count, 0);
        free_problem(t[k]);
    }
}

// More pairs of one body than masks can tell apart.
static void test_a_crowded_body(void **state)
{
    (void)state;
    test_problem *t = make_manifolds(400, PROBLEM_GENERAL_INERTIA, 6);
    for (size_t i = 0; i < t->contact_count; i++)
        if (t->rows[i].a != 0 && !t->immovable[t->rows[i].a])
            t->rows[i].b = 0;
    load_problem(t, SCREE_PRECISION_SINGLE, 1);
    for (const problem_tile *tile = t->problem.tiles; tile < t->problem.tiles + t->problem.tile_count; tile++)
        for (size_t i = 0, group = 0; i < tile->stack_count; i++)
            group = check_stack(t, tile, t->problem.stacks[tile->first_stack + i], group);
    scree_solver_def def = scree_default_world_def().solver;
    solve_result result;
    assert_int_equal(solve_problem(&t->problem, &def, 2, &t->scratch, &result, NULL), SCREE_OK);
    free_problem(t);
}

// ---- passes

static const problem_kind kinds[] = {PROBLEM_ISOTROPIC, PROBLEM_GENERAL_INERTIA, PROBLEM_EXTENDED_CONTACT};

typedef enum table { STACKS, PLAIN_STACKS, GROUPS } table; // as picked; of any machine; single groups of any machine

static const sweep_kernels *pick(const test_problem *t, table from)
{
    static const sweep_kernels *const plain[2][2][PROBLEM_KINDS] = {
        {{[PROBLEM_ISOTROPIC] = &stack_kernels_f32_baseline_isotropic,
          [PROBLEM_GENERAL_INERTIA] = &stack_kernels_f32_baseline,
          [PROBLEM_EXTENDED_CONTACT] = &stack_kernels_f32_baseline_extended},
         {[PROBLEM_ISOTROPIC] = &stack_kernels_f64_baseline_isotropic,
          [PROBLEM_GENERAL_INERTIA] = &stack_kernels_f64_baseline,
          [PROBLEM_EXTENDED_CONTACT] = &stack_kernels_f64_baseline_extended}},
        {{[PROBLEM_ISOTROPIC] = &sweep_kernels_f32_baseline_isotropic,
          [PROBLEM_GENERAL_INERTIA] = &sweep_kernels_f32_baseline,
          [PROBLEM_EXTENDED_CONTACT] = &sweep_kernels_f32_baseline_extended},
         {[PROBLEM_ISOTROPIC] = &sweep_kernels_f64_baseline_isotropic,
          [PROBLEM_GENERAL_INERTIA] = &sweep_kernels_f64_baseline,
          [PROBLEM_EXTENDED_CONTACT] = &sweep_kernels_f64_baseline_extended}}};
    return from == STACKS ? sweep_kernels_for(&t->problem)
                          : plain[from == GROUPS][t->problem.precision == SCREE_PRECISION_DOUBLE][t->kind];
}

typedef struct sweeping {
    test_problem *t;
    void *impulses, *velocities; // x_{k-1}
    double change;
    step_sums sums;
} sweeping;

// Sweeps, plain and with momentum, after which the solution is that of the problem.
static sweeping sweep_a_little(problem_kind kind, scree_precision precision, double dilation, table from)
{
    sweeping s = {.t = make_manifolds(300, kind, 9)};
    load_problem(s.t, precision, 1);
    contact_problem *problem = &s.t->problem;
    const sweep_kernels *kernels = pick(s.t, from);
    problem->friction_dilation = dilation;
    for (int sweep = 0; sweep < 3; sweep++)
        for (size_t tile = 0; tile < problem->tile_count; tile++)
            s.change = kernels->sweep(problem, problem->tiles[tile]);
    s.impulses = malloc(problem_impulses_size(problem));
    s.velocities = malloc(problem_velocities_size(problem));
    memcpy(s.impulses, problem->impulses, problem_impulses_size(problem));
    memcpy(s.velocities, problem->velocities, problem_velocities_size(problem));
    sweep_points points = {{problem->impulses, s.impulses}, {problem->velocities, s.velocities}};
    for (int sweep = 0; sweep < 4; sweep++)
        for (size_t tile = 0; tile < problem->tile_count; tile++)
            s.change = kernels->sweep_onwards(problem, &points, sweep % 2, tile, 0.3 * sweep, &s.sums);
    return s;
}

static void end_sweeping(sweeping *s)
{
    free(s->impulses);
    free(s->velocities);
    free_problem(s->t);
}

static void assert_near(const sweeping *p, const sweeping *q, double most)
{
    for (size_t i = 0; i < p->t->contact_count; i++) {
        vec3 apart = vec3_sub(problem_get_impulse(&p->t->problem, i), problem_get_impulse(&q->t->problem, i));
        assert_true(vec3_length(apart) <= most);
    }
}

// Every instruction set gives the same bits; and by the convex law, whose formulas are the same, stacks give those of
// their groups one after the other. By the exact law stacks save a division, which rounds.
static void test_passes_agree(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++)
        for (int precision = SCREE_PRECISION_SINGLE; precision <= SCREE_PRECISION_DOUBLE; precision++)
            for (int dilation = 0; dilation < 2; dilation++) {
                sweeping s[3];
                for (int from = STACKS; from <= GROUPS; from++)
                    s[from] = sweep_a_little(kinds[k], (scree_precision)precision, dilation, (table)from);
                assert_near(&s[STACKS], &s[PLAIN_STACKS], 0);
                double rounding = precision == SCREE_PRECISION_SINGLE ? 2e-5 : 2e-14;
                bool same = dilation == 1 || kinds[k] == PROBLEM_EXTENDED_CONTACT;
                assert_near(&s[STACKS], &s[GROUPS], same ? 0 : rounding);
                assert_true(s[STACKS].change == s[PLAIN_STACKS].change && s[STACKS].change > 0);
                assert_memory_equal(&s[STACKS].sums, &s[PLAIN_STACKS].sums, sizeof s->sums);
                assert_true(s[STACKS].sums.moved > 0);
                for (int from = STACKS; from <= GROUPS; from++)
                    end_sweeping(&s[from]);
            }
}

// Residuals and the effect of impulses are those of single groups, to the last bit.
static void test_residuals_agree(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++)
        for (int dilation = 0; dilation < 2; dilation++) {
            sweeping s[2];
            tile_residual found[2] = {{0}};
            for (int i = 0; i < 2; i++) {
                s[i] = sweep_a_little(kinds[k], SCREE_PRECISION_SINGLE, dilation, STACKS);
                const sweep_kernels *kernels = pick(s[i].t, i == 0 ? STACKS : GROUPS);
                contact_problem *problem = &s[i].t->problem;
                for (size_t tile = 0; tile < problem->tile_count; tile++) {
                    found[i] = kernels->residual(problem, problem->tiles[tile]);
                    kernels->apply(problem, problem->tiles[tile], problem->impulses, 0.5);
                }
            }
            assert_true(found[0].error_sum > 0 && found[0].loaded > 0);
            assert_memory_equal(&found[0], &found[1], sizeof found[0]);
            for (size_t body = 0; body < s[0].t->body_count; body++) {
                vec3 v[2], w[2];
                for (int i = 0; i < 2; i++)
                    problem_get_velocity(&s[i].t->problem, body, &v[i], &w[i]);
                assert_true(vec3_length(vec3_sub(v[0], v[1])) == 0 && vec3_length(vec3_sub(w[0], w[1])) == 0);
            }
            end_sweeping(&s[0]);
            end_sweeping(&s[1]);
        }
}

// A pass that nobody looks at does the same.
static void test_unwatched_passes_agree(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        sweeping s[2];
        for (int watched = 0; watched < 2; watched++) {
            s[watched] = sweep_a_little(kinds[k], SCREE_PRECISION_SINGLE, 0, STACKS);
            contact_problem *problem = &s[watched].t->problem;
            sweep_points points = {{problem->impulses, s[watched].impulses},
                                   {problem->velocities, s[watched].velocities}};
            for (int sweep = 0; sweep < 2; sweep++)
                for (size_t tile = 0; tile < problem->tile_count; tile++)
                    sweep_kernels_for(problem)->sweep_onwards(problem, &points, sweep, tile, 0.5,
                                                              watched ? &s[watched].sums : NULL);
        }
        assert_near(&s[0], &s[1], 0);
        end_sweeping(&s[0]);
        end_sweeping(&s[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies_stay_in_their_lanes),
        cmocka_unit_test(test_every_contact_has_its_lane),
        cmocka_unit_test(test_single_points_make_no_stacks),
        cmocka_unit_test(test_a_crowded_body),
        cmocka_unit_test(test_passes_agree),
        cmocka_unit_test(test_residuals_agree),
        cmocka_unit_test(test_unwatched_passes_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
