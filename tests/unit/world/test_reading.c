// Reading a world: contacts agree with the figures, with the states and with Newton's second law; divergence is
// reported.
#include "../../physics/lab.h"

#include <string.h>

#include "step/snapshot.h"

static const vec3 NOWHERE = {0, 0, 0};

static scree_world *settled_heap(void)
{
    scree_world_def def = scree_default_world_def();
    def.threads = 2;
    scree_world *world = lab_create(&def);
    lab_add_container(world, 0.65);
    lab_add_heap(world, 150, 0.65, true, 8);
    lab_step(world, 150);
    return world;
}

static void test_defaults_are_as_documented(void **state)
{
    (void)state;
    scree_world_def def = scree_default_world_def();
    assert_vec3_near(def.gravity, vec3_make(0, 0, -9.81), 0);
    assert_near(def.step, 0.005, 0);
    assert_int_equal(def.threads, 0);
    assert_int_equal(def.solver.iterations, 50);
    assert_near(def.solver.tolerance, 1e-4, 0);
    assert_int_equal(def.solver.precision, SCREE_PRECISION_SINGLE);
    assert_int_equal(def.solver.algorithm, SCREE_ALGORITHM_AUTO);
    assert_true(def.solver.warm_start);
    assert_near(def.solver.recovery_speed, 0, 0);
    assert_near(def.solver.cell, 0, 0);
    scree_world *world = lab_create(&def);
    assert_int_equal(scree_world_material_count(world), 1);
    scree_material_def material;
    lab_ok(scree_world_get_material(world, 0, &material, error));
    assert_near(material.density, 2500, 0);
    assert_near(material.friction, 0.5, 0);
    assert_near(material.restitution, 0, 0);
    scree_figures figures = scree_world_figures(world);
    assert_int_equal(figures.bodies, 0);
    assert_int_equal(figures.steps, 0);
    assert_near(figures.time, 0, 0);
    scree_world_destroy(world);
}

static void test_definition_reads_back(void **state)
{
    (void)state;
    scree_world_def def = lab_def(&LAB_JACOBI_DOUBLE, 0.0125), read;
    def.solver.omega = 0.21;
    def.solver.lambda = 0.87;
    def.solver.recovery_speed = 0.5;
    scree_world *world = lab_create(&def);
    read = scree_world_get_def(world);
    assert_near(read.step, 0.0125, 0);
    assert_int_equal(read.solver.algorithm, SCREE_ALGORITHM_JACOBI);
    assert_int_equal(read.solver.precision, SCREE_PRECISION_DOUBLE);
    assert_int_equal(read.solver.iterations, def.solver.iterations);
    assert_near(read.solver.omega, 0.21, 0);
    assert_near(read.solver.lambda, 0.87, 0);
    assert_near(read.solver.recovery_speed, 0.5, 0);
    assert_vec3_near(read.gravity, def.gravity, 0);
    scree_world_destroy(world);
}

static void test_pairs_combine_or_override(void **state)
{
    (void)state;
    scree_world *world = lab_world(&LAB_GS_SINGLE, 0.01, NOWHERE);
    scree_material_def rough = {.density = 1000, .friction = 0.8, .restitution = 0.3};
    int index;
    lab_ok(scree_world_add_material(world, &rough, &index, error));
    scree_pair_def pair;
    lab_ok(scree_world_get_pair(world, 0, index, &pair, error));
    assert_near(pair.friction, sqrt(0.5 * 0.8), 1e-7); // pairs are kept in float
    assert_near(pair.restitution, 0.3, 1e-7);
    lab_ok(scree_world_get_pair(world, index, index, &pair, error));
    assert_near(pair.friction, 0.8, 1e-7);
    lab_ok(scree_world_set_pair(world, index, 0, &(scree_pair_def){.friction = 0.05, .restitution = 0.9}, error));
    lab_ok(scree_world_set_pair(world, index, 0, &(scree_pair_def){.friction = 0.1, .restitution = 0.7},
                                error)); // the last one counts
    lab_ok(scree_world_get_pair(world, 0, index, &pair, error));
    assert_near(pair.friction, 0.1, 1e-7);
    assert_near(pair.restitution, 0.7, 1e-7);
    rough.friction = 0.2; // a changed material changes its combinations, not its overrides
    lab_ok(scree_world_set_material(world, index, &rough, error));
    lab_ok(scree_world_get_pair(world, index, index, &pair, error));
    assert_near(pair.friction, 0.2, 1e-7);
    lab_ok(scree_world_get_pair(world, 0, index, &pair, error));
    assert_near(pair.friction, 0.1, 1e-7);
    scree_world_destroy(world);
}

// Counts, depths and signs of the list against the figures; impulses inside their cones, up to single precision.
static void test_contacts_agree_with_figures(void **state)
{
    (void)state;
    scree_world *world = settled_heap();
    scree_figures figures = scree_world_figures(world);
    size_t count, touching = 0;
    scree_contact *contacts = lab_contacts(world, &count);
    assert_at_least((double)count, 150);
    double deepest = 0, depth_sum = 0;
    for (size_t i = 0; i < count; i++) {
        const scree_contact *c = &contacts[i];
        assert_true(c->a != c->b && scree_world_has_body(world, c->a) && scree_world_has_body(world, c->b));
        assert_near(vec3_length(c->normal), 1, 1e-5);
        double normal = vec3_dot(c->impulse, c->normal);
        vec3 tangent = vec3_sub(c->impulse, vec3_scale(c->normal, normal));
        assert_at_least(normal, 0);
        assert_at_most(vec3_length(tangent), 0.5 * normal * (1 + 1e-4) + 1e-6);
        scree_body_info a = lab_info(world, c->a), b = lab_info(world, c->b);
        assert_false(a.fixed && b.fixed);
        if (c->gap <= 0) {
            touching++;
            double depth = -c->gap / fmin(a.bounding_radius, b.bounding_radius);
            deepest = fmax(deepest, depth);
            depth_sum += depth;
        }
        for (size_t k = 0; k < i; k++) // each point once
            assert_false(contacts[k].a == c->a && contacts[k].b == c->b && contacts[k].feature == c->feature);
    }
    free(contacts);
    assert_int_equal(figures.touching, touching);
    assert_true(touching > 0);
    assert_relative(figures.penetration_max, deepest, 1e-5);
    assert_relative(figures.penetration_mean, depth_sum / (double)touching, 1e-5);
    scree_world_destroy(world);
}

// Copying fewer than there are gives the first ones; copying none is allowed.
static void test_contacts_respect_the_capacity(void **state)
{
    (void)state;
    scree_world *world = settled_heap();
    size_t count;
    scree_contact *all = lab_contacts(world, &count), some[7];
    memset(some, 0x55, sizeof some);
    scree_contact untouched = some[6];
    assert_int_equal(scree_world_contacts(world, some, 6), 6);
    assert_memory_equal(&some[6], &untouched, sizeof untouched);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(some[i].a, all[i].a);
        assert_int_equal(some[i].b, all[i].b);
        assert_vec3_near(some[i].impulse, all[i].impulse, 0);
    }
    assert_int_equal(scree_world_contacts(world, NULL, 0), 0);
    free(all);
    scree_world_destroy(world);
}

// For every body: m (v' - v) = h m g + sum of its contacts' impulses. Impulses are single, velocities of the order 0.1.
static void test_impulses_explain_the_velocities(void **state)
{
    (void)state;
    scree_world *world = settled_heap();
    size_t bodies = scree_world_body_count(world);
    scree_id *ids = malloc(bodies * sizeof *ids);
    assert_non_null(ids);
    scree_world_body_ids(world, ids);
    for (int round = 0; round < 3; round++) {
        scree_id some[20];
        scree_state before[20];
        for (int i = 0; i < 20; i++)
            some[i] = ids[5 + 7 * i];
        lab_ok(scree_world_get_states(world, some, 20, before, error));
        lab_step(world, 1);
        for (int i = 0; i < 20; i++) {
            double mass = lab_info(world, some[i]).mass;
            vec3 expected = vec3_add_scaled(before[i].velocity, lab_impulse_on(world, some[i]), 1 / mass);
            expected.z -= 0.005 * 9.81;
            assert_vec3_near(lab_state(world, some[i]).velocity, expected, 1e-5);
        }
    }
    free(ids);
    scree_world_destroy(world);
}

static void test_figures_are_plausible(void **state)
{
    (void)state;
    scree_world *world = settled_heap();
    scree_figures figures = scree_world_figures(world);
    lab_totals total = lab_total(world);
    assert_int_equal(figures.steps, 150);
    assert_near(figures.time, 0.75, 1e-12);
    assert_int_equal(figures.bodies, 155);
    assert_relative(figures.kinetic, total.kinetic, 1e-6);
    assert_vec3_near(figures.momentum, total.momentum, 1e-9 * (1 + total.momentum_scale));
    double potential = 0;
    scree_id ids[155];
    scree_world_body_ids(world, ids);
    for (int i = 5; i < 155; i++)
        potential += lab_info(world, ids[i]).mass * 9.81 * lab_state(world, ids[i]).position.z;
    assert_relative(figures.potential, potential, 1e-9);
    assert_true(figures.contacts >= figures.touching && figures.touching > 0);
    assert_true(figures.penetration_mean <= figures.penetration_max && figures.penetration_max < 0.5);
    assert_in_range(figures.iterations, 1, 50);
    assert_true(figures.residual_mean >= 0 && figures.residual_mean <= figures.residual_max);
    assert_int_equal(figures.algorithm, SCREE_ALGORITHM_APGS);
    const double *last = &figures.last.broad, *sum = &figures.total.broad;
    for (int i = 0; i < 5; i++)
        assert_true(last[i] >= 0 && sum[i] >= last[i]);
    assert_at_least((double)figures.memory_bytes, 155 * 100);
    assert_at_most((double)figures.memory_bytes, 100e6);
    scree_world_destroy(world);
}

// More sweeps give a smaller residual, down to the tolerance, where they stop.
static void test_residual_falls_with_sweeps(void **state)
{
    double last = 1e300;
    for (int iterations = 5; iterations <= 500; iterations *= 10) {
        scree_world_def def = lab_def(*state, 0.005);
        def.solver.iterations = iterations;
        def.solver.tolerance = 0;
        scree_world *world = lab_create(&def);
        lab_add_container(world, 0.65);
        lab_add_heap(world, 50, 0.65, false, 4);
        lab_step(world, 60);
        scree_figures figures = scree_world_figures(world);
        assert_at_least((double)figures.contacts, 10);
        assert_int_equal(figures.iterations, iterations);
        assert_at_most(figures.residual_mean, 0.9 * last);
        last = figures.residual_mean;
        scree_world_destroy(world);
    }
}

static void test_tolerance_ends_the_sweeps(void **state)
{
    scree_world_def def = lab_def(*state, 0.005);
    def.solver.iterations = 2000;
    def.solver.tolerance = 1e-2;
    scree_world *world = lab_create(&def);
    lab_add_container(world, 0.65);
    lab_add_heap(world, 50, 0.65, false, 4);
    int early = 0;
    for (int i = 0; i < 60; i++) {
        lab_step(world, 1);
        scree_figures figures = scree_world_figures(world);
        if (figures.iterations < 2000) {
            assert_at_most(figures.residual_max, 1e-2);
            early += figures.contacts > 0;
        }
    }
    assert_in_range(early, 10, 60);
    scree_world_destroy(world);
}

static void check_point(const scree_world *world, vec3 expected)
{
    size_t count;
    scree_contact *contacts = lab_contacts(world, &count);
    assert_int_equal(count, 1);
    assert_vec3_near(contacts[0].point, expected, 1e-6);
    free(contacts);
}

// Balls that overlap are pushed out by velocities that they do not keep; the point between them is still told where it
// was found. Another pair of the world, and bodies that go, make no difference; nor does a snapshot.
static void test_contact_points_are_where_they_were_found(void **state)
{
    (void)state;
    const scree_method methods[] = {SCREE_METHOD_COMPLEMENTARITY, SCREE_METHOD_FFD};
    for (size_t i = 0; i < 2; i++) {
        scree_world_def def = scree_default_world_def();
        def.method = methods[i];
        def.gravity = NOWHERE;
        def.threads = 1;
        scree_world *world = lab_create(&def), *again;
        scree_id far[2] = {lab_add(world, lab_body(vec3_make(-9, 0, 0), NOWHERE), lab_sphere(0.5)),
                           lab_add(world, lab_body(vec3_make(-9, 0, 0.6), NOWHERE), lab_sphere(0.5))};
        scree_id near = lab_add(world, lab_body(vec3_make(1, 2, 3), NOWHERE), lab_sphere(0.5));
        lab_add(world, lab_body(vec3_make(1, 2, 3.6), NOWHERE), lab_sphere(0.3));
        lab_step(world, 1);
        assert_true(lab_state(world, near).position.z < 3 - 1e-4); // pushed, and more than the points may be off
        lab_ok(scree_world_remove_bodies(world, far, 2, error));
        const vec3 midway = {1, 2, 0.5 * (3 + 0.5 + 3.6 - 0.3)};
        check_point(world, midway);
        snapshot taken;
        lab_ok(snapshot_take(world, &taken, error));
        lab_ok(snapshot_restore(&taken, 1, &again, error));
        check_point(again, midway);
        snapshot_release(&taken);
        scree_world_destroy(again);
        scree_world_destroy(world);
    }
}

// Each point lies midway between two balls as they stood before the step.
static void check_points_between(const scree_world *world, const scree_state *before, double radius)
{
    size_t count;
    scree_contact *contacts = lab_contacts(world, &count);
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        vec3 a = before[contacts[i].a - 1].position, b = before[contacts[i].b - 1].position;
        assert_near(contacts[i].gap, vec3_length(vec3_sub(b, a)) - 2 * radius, 1e-6);
        assert_vec3_near(contacts[i].point, vec3_scale(vec3_add(a, b), 0.5), 1e-6);
    }
    free(contacts);
}

// A fast ball throws another against a third, which overlaps a fourth, so that these take the step once more, after
// overlapping balls on both sides of them have moved. Points are right all the same, in a snapshot too.
static void test_contact_points_of_a_step_in_two_goes(void **state)
{
    (void)state;
    enum { BALLS = 8 };
    const double radius = 0.1;
    static const double x[BALLS] = {-5, -4.85, 0, 0.2, 0.6, 0.75, 5, 5.15};
    scree_world_def def = scree_default_world_def();
    def.gravity = NOWHERE;
    def.step = 0.01;
    def.threads = 1;
    scree_world *world = lab_create(&def), *again;
    scree_material_def material = scree_default_material_def();
    material.restitution = 1;
    lab_ok(scree_world_set_material(world, 0, &material, error));
    scree_id ids[BALLS];
    scree_state before[BALLS];
    for (int i = 0; i < BALLS; i++) {
        scree_body_def body = lab_body(vec3_make(x[i], 0, 0), i == 2 ? vec3_make(40, 0, 0) : NOWHERE);
        body.mass = i == 2 ? 10 : 1;
        ids[i] = lab_add(world, body, lab_sphere(radius));
    }
    lab_ok(scree_world_get_states(world, ids, BALLS, before, error));
    lab_step(world, 1);
    assert_true(lab_state(world, ids[4]).velocity.x > 1); // the third was hit
    check_points_between(world, before, radius);
    snapshot taken;
    lab_ok(snapshot_take(world, &taken, error));
    lab_ok(snapshot_restore(&taken, 1, &again, error));
    check_points_between(again, before, radius);
    snapshot_release(&taken);
    scree_world_destroy(again);
    scree_world_destroy(world);
}

static void test_hash_follows_every_component(void **state)
{
    (void)state;
    scree_world *world = lab_world(&LAB_GS_SINGLE, 0.01, NOWHERE);
    scree_id id = lab_add(world, lab_body(NOWHERE, NOWHERE), lab_box(0.1, 0.2, 0.3));
    scree_state base = lab_state(world, id);
    uint64_t seen[14] = {scree_world_hash(world)};
    for (int i = 0; i < 12; i++) {
        scree_state changed = base;
        double *slot = i < 3   ? &changed.position.x + i
                       : i < 6 ? &changed.velocity.x + (i - 3)
                       : i < 9 ? &changed.spin.x + (i - 6)
                               : &changed.orientation.x + (i - 9);
        *slot = 1e-9;
        lab_ok(scree_world_set_states(world, &id, 1, &changed, error));
        seen[i + 1] = scree_world_hash(world);
    }
    lab_ok(scree_world_set_states(world, &id, 1, &base, error));
    assert_true(scree_world_hash(world) == seen[0]);
    for (int i = 0; i < 13; i++)
        for (int k = 0; k < i; k++)
            assert_true(seen[i] != seen[k]);
    scree_world_destroy(world);
}

// Bodies that differ in their places alone hash otherwise with places exchanged; slots do not matter; and the hashes of
// parts of a world add up to that of the whole.
static void test_hash_is_a_sum_over_ids(void **state)
{
    (void)state;
    enum { BODIES = 40, HALF = BODIES / 2 };
    scree_id ids[BODIES];
    scree_world *world = lab_world(&LAB_GS_SINGLE, 0.01, NOWHERE);
    for (int i = 0; i < BODIES; i++)
        ids[i] = lab_add(world, lab_body(vec3_make(i * 17 % BODIES, 0, 0), vec3_make(0, 0, 0.01)), lab_sphere(0.2));
    scree_state states[BODIES], exchanged[BODIES];
    lab_ok(scree_world_get_states(world, ids, BODIES, states, error));
    uint64_t unordered = scree_world_hash(world);
    lab_step(world, 1); // puts bodies in the order of space
    lab_ok(scree_world_set_states(world, ids, BODIES, states, error));
    assert_true(scree_world_hash(world) == unordered);
    memcpy(exchanged, states, sizeof states);
    exchanged[3] = states[5];
    exchanged[5] = states[3];
    lab_ok(scree_world_set_states(world, ids, BODIES, exchanged, error));
    assert_true(scree_world_hash(world) != unordered);
    lab_ok(scree_world_set_states(world, ids, BODIES, states, error));

    uint64_t parts = 0;
    for (int part = 0; part < 2; part++) {
        scree_world *half = lab_world(&LAB_GS_SINGLE, 0.01, NOWHERE);
        for (int i = 0; i < BODIES; i++)
            lab_add(half, lab_body(vec3_make(i * 17 % BODIES, 0, 0), vec3_make(0, 0, 0.01)), lab_sphere(0.2));
        lab_ok(scree_world_remove_bodies(half, ids + (1 - part) * HALF, HALF, error));
        parts += scree_world_hash(half);
        scree_world_destroy(half);
    }
    assert_true(parts == unordered);
    scree_world_destroy(world);
}

// A state that is no longer finite is reported with the body's id and the step, and the world can then be read, not
// stepped.
static void test_divergence_is_reported(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        scree_world *world = lab_world(&LAB_GS_SINGLE, 0.005, vec3_make(0, 0, -LAB_G));
        lab_add_floor(world);
        scree_id good = lab_add(world, lab_body(vec3_make(5, 0, 0.5), NOWHERE), lab_sphere(0.5));
        scree_id bad = lab_add(world, lab_body(vec3_make(0, 0, 0.5), NOWHERE), lab_sphere(0.5));
        lab_step(world, 7);
        scree_state wild = lab_state(world, bad);
        if (kind == 0)
            wild.velocity = vec3_make(1e300, 0, 1e300);
        if (kind == 1)
            wild.spin = vec3_make(1e300, 1e300, 0);
        if (kind == 2)
            wild.velocity = vec3_make(0, 1e20, 0);
        if (kind == 3)
            wild.position = vec3_make(1e200, 0, 0);
        lab_ok(scree_world_set_states(world, &bad, 1, &wild, error));
        scree_error error = {0};
        scree_status status = SCREE_OK;
        for (int i = 0; i < 2000 && status == SCREE_OK; i++)
            status = scree_world_step(world, 1, &error);
        assert_int_equal(status, SCREE_ERROR_DIVERGED);
        assert_int_equal(error.status, SCREE_ERROR_DIVERGED);
        char expected[32];
        snprintf(expected, sizeof expected, "body %d", (int)bad);
        assert_non_null(strstr(error.message, expected));
        assert_non_null(strstr(error.message, "step"));
        lab_state(world, bad);
        assert_near(lab_state(world, good).position.z, 0.5, 1e-2);
        uint64_t hash = scree_world_hash(world);
        assert_int_equal(scree_world_step(world, 1, &error), SCREE_ERROR_DIVERGED);
        assert_true(scree_world_hash(world) == hash);
        scree_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults_are_as_documented),
        cmocka_unit_test(test_definition_reads_back),
        cmocka_unit_test(test_pairs_combine_or_override),
        cmocka_unit_test(test_contacts_agree_with_figures),
        cmocka_unit_test(test_contacts_respect_the_capacity),
        cmocka_unit_test(test_impulses_explain_the_velocities),
        cmocka_unit_test(test_figures_are_plausible),
        LAB_TEST(test_residual_falls_with_sweeps, LAB_GS_DOUBLE),
        LAB_TEST(test_residual_falls_with_sweeps, LAB_JACOBI_DOUBLE),
        LAB_TEST_ALL(test_tolerance_ends_the_sweeps),
        cmocka_unit_test(test_contact_points_are_where_they_were_found),
        cmocka_unit_test(test_contact_points_of_a_step_in_two_goes),
        cmocka_unit_test(test_hash_follows_every_component),
        cmocka_unit_test(test_hash_is_a_sum_over_ids),
        cmocka_unit_test(test_divergence_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
