// The order of relaxation: every contact in one lane, no movable body twice in a group, tiles that meet know each
// other.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "problems.h"
#include "solve/sweep/kernels.h"

static uint32_t *lanes_to_contacts(const contact_problem *problem)
{
    size_t lanes = problem->group_count * PROBLEM_LANES;
    uint32_t *contact = malloc(lanes * sizeof *contact);
    memset(contact, 0xff, lanes * sizeof *contact);
    for (size_t i = 0; i < problem->contact_count; i++) {
        const problem_tile *tile = &problem->tiles[problem_tile_of(problem, i)];
        size_t lane = tile->first_group * PROBLEM_LANES + problem->contact_lane[i];
        assert_true(problem->contact_lane[i] < tile->group_count * PROBLEM_LANES && lane < lanes);
        assert_int_equal(contact[lane], UINT32_MAX);
        contact[lane] = (uint32_t)i;
    }
    return contact;
}

// Marks the movable bodies of some lanes with `mark`; fails when one has that mark already.
static void mark_bodies(const test_problem *t, const uint32_t *contact, size_t first, size_t count, uint32_t mark,
                        uint32_t *marks)
{
    for (size_t lane = first; lane < first + count; lane++) {
        if (contact[lane] == UINT32_MAX)
            continue;
        const uint32_t ends[2] = {t->rows[contact[lane]].a, t->rows[contact[lane]].b};
        for (int k = 0; k < 2; k++) {
            if (t->immovable[ends[k]])
                continue;
            assert_int_not_equal(marks[ends[k]], mark);
            marks[ends[k]] = mark;
        }
    }
}

static bool are_neighbours(const contact_problem *problem, uint32_t a, uint32_t b)
{
    for (uint32_t i = problem->neighbour_start[a]; i < problem->neighbour_start[a + 1]; i++)
        if (problem->neighbours[i] == b)
            return true;
    return false;
}

// Two tiles that share a movable body know each other, both ways.
static void check_neighbours(const test_problem *t, const uint32_t *contact)
{
    const contact_problem *problem = &t->problem;
    enum { MOST_TILES = 128 };
    assert_true(problem->tile_count <= MOST_TILES);
    uint8_t(*in_tile)[MOST_TILES] = calloc(t->body_count, sizeof *in_tile);
    for (uint32_t tile = 0; tile < problem->tile_count; tile++)
        for (size_t lane = problem->tiles[tile].first_group * PROBLEM_LANES;
             lane < (problem->tiles[tile].first_group + problem->tiles[tile].group_count) * PROBLEM_LANES; lane++)
            if (contact[lane] != UINT32_MAX)
                in_tile[t->rows[contact[lane]].a][tile] = in_tile[t->rows[contact[lane]].b][tile] = 1;
    for (size_t body = 0; body < t->body_count; body++)
        for (uint32_t a = 0; a < problem->tile_count && !t->immovable[body]; a++)
            for (uint32_t b = 0; b < problem->tile_count && in_tile[body][a]; b++)
                if (a != b && in_tile[body][b])
                    assert_true(are_neighbours(problem, a, b));
    free(in_tile);
}

static void check_layout(const test_problem *t)
{
    const contact_problem *problem = &t->problem;
    uint32_t *contact = lanes_to_contacts(problem);
    uint32_t *marks = calloc(t->body_count, sizeof *marks);
    uint32_t mark = 0;
    for (size_t g = 0; g < problem->group_count; g++)
        mark_bodies(t, contact, g * PROBLEM_LANES, PROBLEM_LANES, ++mark, marks);
    check_neighbours(t, contact);
    free(marks);
    free(contact);
}

static void test_random_problems(void **state)
{
    (void)state;
    static const size_t sizes[] = {2, 3, 50, 447, 1000, 20000};
    for (int i = 0; i < 6; i++) {
        test_problem *t = make_problem(sizes[i], (uint64_t)i + 1);
        load_problem(t, SCREE_PRECISION_SINGLE, 2);
        check_layout(t);
        free_problem(t);
    }
}

static void test_groups_are_well_filled(void **state)
{
    (void)state;
    test_problem *t = make_problem(20000, 5);
    load_problem(t, SCREE_PRECISION_SINGLE, 1);
    double fill = (double)t->contact_count / (double)(t->problem.group_count * PROBLEM_LANES);
    assert_true(fill > 0.9);
    free_problem(t);
}

// A slab that touches everything: its tiles are all neighbours of one another.
static void test_a_crowded_body(void **state)
{
    (void)state;
    test_problem *t = make_problem(3000, 7);
    for (size_t i = 0; i < t->contact_count; i++)
        if (i % 2 == 0 && t->rows[i].a != 0 && !t->immovable[t->rows[i].a])
            t->rows[i].b = 0;
    load_problem(t, SCREE_PRECISION_SINGLE, 2);
    check_layout(t);
    scree_solver_def def = scree_default_world_def().solver;
    solve_result result;
    assert_int_equal(solve_problem(&t->problem, &def, 2, &t->scratch, &result, NULL), SCREE_OK);
    free_problem(t);
}

static void sweep_a_little(test_problem *t, const sweep_kernels *kernels)
{
    for (int sweep = 0; sweep < 10; sweep++)
        for (size_t tile = 0; tile < t->problem.tile_count; tile++)
            kernels->sweep(&t->problem, t->problem.tiles[tile]);
}

static void assert_same_bits(const test_problem *a, const test_problem *b)
{
    for (size_t i = 0; i < a->contact_count; i++) {
        vec3 p = problem_get_impulse(&a->problem, i), q = problem_get_impulse(&b->problem, i);
        assert_memory_equal(&p, &q, sizeof p);
    }
}

// Every instruction set gives the same bits.
static void test_kernels_agree(void **state)
{
    (void)state;
    const sweep_kernels *plain[] = {&sweep_kernels_f32_baseline, &sweep_kernels_f64_baseline};
    for (int precision = SCREE_PRECISION_SINGLE; precision <= SCREE_PRECISION_DOUBLE; precision++) {
        test_problem *t[2] = {make_problem(500, 9), make_problem(500, 9)};
        for (int k = 0; k < 2; k++) {
            load_problem(t[k], (scree_precision)precision, 1);
            sweep_a_little(t[k], k ? plain[precision] : sweep_kernels_for(&t[k]->problem));
        }
        assert_same_bits(t[0], t[1]);
        free_problem(t[0]);
        free_problem(t[1]);
    }
}

// Bodies with three equal moments are the same in a round problem as in any other, and so are contacts of balls in a
// problem of those.
static void test_kinds_agree(void **state)
{
    (void)state;
    const problem_kind kinds[] = {PROBLEM_GENERAL_INERTIA, PROBLEM_ISOTROPIC, PROBLEM_CENTERED_SPHERES};
    for (int precision = SCREE_PRECISION_SINGLE; precision <= SCREE_PRECISION_DOUBLE; precision++) {
        test_problem *t[3];
        for (int k = 0; k < 3; k++) {
            t[k] = make_problem(500, 9);
            for (size_t i = 0; i < t[k]->body_count; i++) {
                double moment = t[k]->bodies[i].inverse_inertia.m[0][0];
                t[k]->bodies[i].inverse_inertia = (mat3){{{moment, 0, 0}, {0, moment, 0}, {0, 0, moment}}};
            }
            t[k]->kind = kinds[k];
            load_problem(t[k], (scree_precision)precision, 1);
            sweep_a_little(t[k], sweep_kernels_for(&t[k]->problem));
        }
        double most = precision == SCREE_PRECISION_SINGLE ? 1e-5 : 1e-12;
        for (size_t i = 0; i < t[0]->contact_count; i++)
            for (int k = 1; k < 3; k++)
                assert_true(vec3_length(vec3_sub(problem_get_impulse(&t[0]->problem, i),
                                                 problem_get_impulse(&t[k]->problem, i))) < most);
        for (int k = 0; k < 3; k++)
            free_problem(t[k]);
    }
}

// Neighbours are no further apart than the passes of a wave.
static void check_bands(const contact_problem *problem)
{
    const tile_bands *bands = &problem->bands;
    assert_int_equal(bands->first[0], 0);
    assert_int_equal(bands->first[bands->count], problem->tile_count);
    uint32_t *band_of = malloc(problem->tile_count * sizeof *band_of);
    for (uint32_t band = 0; band < bands->count; band++)
        for (uint32_t t = bands->first[band]; t < bands->first[band + 1]; t++)
            band_of[t] = band;
    for (uint32_t t = 0; t < problem->tile_count; t++)
        for (uint32_t i = problem->neighbour_start[t]; i < problem->neighbour_start[t + 1]; i++)
            assert_true(band_of[problem->neighbours[i]] <= band_of[t] + bands->lag);
    free(band_of);
}

static bool share_movable(const test_problem *t, size_t i, size_t k)
{
    const problem_row *p = &t->rows[i], *q = &t->rows[k];
    bool a = !t->immovable[p->a] && (p->a == q->a || p->a == q->b);
    bool b = !t->immovable[p->b] && (p->b == q->a || p->b == q->b);
    return a || b;
}

// The first of the wide groups, sixteen contacts at most, in which nobody has a body of contact `i`.
static size_t first_fit(const test_problem *t, const size_t *group, size_t first, size_t i)
{
    for (size_t g = 0;; g++) {
        size_t filled = 0;
        bool meets = false;
        for (size_t k = first; k < i; k++)
            if (group[k] == g) {
                filled++;
                meets |= share_movable(t, i, k);
            }
        if (filled < 16 && !meets)
            return g;
    }
}

// Filling lanes changes nothing in what is relaxed before what: two contacts of one body stay in the order of the first
// groups that they fit into.
static void test_lanes_fill_in_the_same_order(void **state)
{
    (void)state;
    test_problem *t = make_problem(3000, 9);
    load_problem(t, SCREE_PRECISION_SINGLE, 1);
    size_t *group = calloc(t->contact_count, sizeof *group), wide_groups = 0;
    for (size_t tile = 0; tile < t->problem.tile_count; tile++) {
        size_t first = t->problem.tiles[tile].first_contact, end = first + t->problem.tiles[tile].contact_count;
        size_t filled[64] = {0};
        for (size_t i = first; i < end; i++) {
            group[i] = first_fit(t, group, first, i);
            assert_true(group[i] < 64);
            filled[group[i]]++;
            for (size_t k = first; k < i; k++)
                if (share_movable(t, i, k))
                    assert_true((group[k] < group[i]) == (t->problem.contact_lane[k] / PROBLEM_LANES <
                                                          t->problem.contact_lane[i] / PROBLEM_LANES));
        }
        for (size_t g = 0; g < 64; g++)
            wide_groups += (filled[g] + PROBLEM_LANES - 1) / PROBLEM_LANES;
    }
    assert_true(t->problem.group_count < wide_groups);
    free(group);
    free_problem(t);
}

// Several passes at a time do what one after the other does, to the last bit.
static void test_waves_do_what_passes_do(void **state)
{
    (void)state;
    test_problem *t[3];
    scree_solver_def def = scree_default_world_def().solver;
    def.algorithm = SCREE_ALGORITHM_APGS;
    def.iterations = 11; // a wave, and the rest
    def.tolerance = 0;
    for (int k = 0; k < 3; k++) {
        t[k] = make_problem(100000, 3);
        load_problem(t[k], SCREE_PRECISION_SINGLE, 2);
        contact_problem *problem = &t[k]->problem;
        assert_true(problem->bands.count > 10 && problem->bands.wave > 1);
        check_bands(problem);
        uint32_t all[2] = {0, (uint32_t)problem->tile_count};
        if (k == 2)
            problem->bands = (tile_bands){.first = all, .count = 1, .lag = 1, .wave = 1};
        solve_result result;
        assert_int_equal(solve_problem(problem, &def, k == 0 ? 1 : 3, &t[k]->scratch, &result, NULL), SCREE_OK);
    }
    assert_same_bits(t[0], t[1]);
    assert_same_bits(t[0], t[2]);
    for (int k = 0; k < 3; k++)
        free_problem(t[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_problems),
        cmocka_unit_test(test_groups_are_well_filled),
        cmocka_unit_test(test_a_crowded_body),
        cmocka_unit_test(test_kernels_agree),
        cmocka_unit_test(test_kinds_agree),
        cmocka_unit_test(test_lanes_fill_in_the_same_order),
        cmocka_unit_test(test_waves_do_what_passes_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
