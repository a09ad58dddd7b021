// Joints as one block of a sweep: no speeds are left, loads are those of closed forms, and alternating with contacts
// leads to the Newton solver's answer.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "islands.h"
#include "solve/sweep/articulation.h"

static void is_near(double a, double b, double room)
{
    assert_true(fabs(a - b) <= room);
}

typedef struct fixture {
    test_island t;
    contact_problem problem; // the bodies, without contacts
    articulation joined;
} fixture;

static void load(fixture *f, scree_precision precision)
{
    island *part = &f->t.island;
    uint8_t immovable[128];
    assert_true(part->body_count <= sizeof immovable);
    for (size_t i = 0; i < part->body_count; i++)
        immovable[i] = part->bodies[i].inverse_mass == 0;
    problem_spec spec = {.precision = precision, .body_count = part->body_count, .immovable = immovable};
    assert_int_equal(problem_lay_out(&f->problem, &spec, 1, &f->t.scratch, NULL), SCREE_OK);
    for (size_t i = 0; i < part->body_count; i++)
        problem_set_body(&f->problem, i, &part->bodies[i]);
    assert_int_equal(articulation_make(&f->joined, part->bodies, part->rows, part->row_count, &f->t.scratch, NULL),
                     SCREE_OK);
}

static double speed_of(const fixture *f, const joint_row *row)
{
    double speed = row->bias;
    for (int k = 0; k < JOINT_ROW_BODIES; k++)
        if (row->body[k] != NO_BODY) {
            vec3 v, w;
            problem_get_velocity(&f->problem, row->body[k], &v, &w);
            speed += vec3_dot(row->linear[k], v) + vec3_dot(row->angular[k], w);
        }
    return speed;
}

static void holds(const fixture *f, double accuracy)
{
    for (size_t i = 0; i < f->t.island.row_count; i++) {
        const joint_row *row = &f->t.island.rows[i];
        is_near(speed_of(f, row) + row->compliance * f->joined.island.rows[i].impulse, 0, accuracy);
    }
}

static vec3 any_vec(random_stream *stream)
{
    return vec3_make(random_between(stream, -1, 1), random_between(stream, -1, 1), random_between(stream, -1, 1));
}

// Links leaning to and fro with loops closed between them, some with rows twice, some soft.
static void make_mechanism(test_island *t, uint64_t seed)
{
    random_stream stream = {seed};
    make_chain(t, 12, 5, 0.3);
    for (uint32_t i = 1; i + 4 <= 12; i += 3)
        add_spherical(t, i, i + 4, any_vec(&stream), any_vec(&stream));
    for (uint32_t i = 2; i + 1 <= 12; i += 4) {
        vec3 arm_a = any_vec(&stream), arm_b = any_vec(&stream);
        add_spherical(t, i, i + 1, arm_a, arm_b);
        add_spherical(t, i, i + 1, arm_a, arm_b); // the same again
        add_turn_row(t, i, i + 1, vec3_normalize(any_vec(&stream)))->compliance = 0.1;
    }
    for (size_t i = 1; i < t->island.body_count; i++) {
        t->island.bodies[i].velocity = any_vec(&stream);
        t->island.bodies[i].spin = any_vec(&stream);
    }
}

static void one_step_leaves_no_speeds(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++)
        for (int precision = 0; precision < 2; precision++) {
            fixture f;
            make_mechanism(&f.t, seed);
            load(&f, precision ? SCREE_PRECISION_DOUBLE : SCREE_PRECISION_SINGLE);
            assert_true(articulation_relax(&f.joined, &f.problem) > 0);
            holds(&f, precision ? 1e-7 : 2e-5);
            double again = articulation_relax(&f.joined, &f.problem);
            assert_true(precision ? again < 1e-10 : again < 1e-5);
            free_island(&f.t);
        }
}

// The loads of a hanging chain in one step, from nothing, with an end of 1e4 links' mass.
static void chain_in_one_step(void **state)
{
    (void)state;
    enum { LINKS = 40 };
    fixture f;
    make_chain(&f.t, LINKS, 1e4, 0);
    load(&f, SCREE_PRECISION_DOUBLE);
    articulation_relax(&f.joined, &f.problem);
    holds(&f, 1e-8);
    for (int i = 0; i < LINKS; i++) {
        double below = FALL * (1e4 + LINKS - 1 - i);
        is_near(f.joined.island.rows[3 * i + 2].impulse, below, 1e-6 * below);
    }
    free_island(&f.t);
}

// Joints are solved where there are no contacts.
static void solver_takes_joints_alone(void **state)
{
    (void)state;
    fixture f;
    make_chain(&f.t, 40, 10, 0);
    load(&f, SCREE_PRECISION_DOUBLE);
    f.problem.joints = &f.joined;
    solve_result result;
    scree_solver_def def = {.algorithm = SCREE_ALGORITHM_AUTO, .iterations = 10, .tolerance = 1e-6};
    assert_int_equal(solve_problem(&f.problem, &def, 1, &f.t.scratch, &result, NULL), SCREE_OK);
    holds(&f, 1e-8);
    free_island(&f.t);
}

// Impulses to start from act at once: from those of the solution there is nothing left to do.
static void starts_from_impulses(void **state)
{
    (void)state;
    fixture f;
    make_mechanism(&f.t, 3);
    load(&f, SCREE_PRECISION_DOUBLE);
    articulation_relax(&f.joined, &f.problem);
    for (size_t i = 0; i < f.t.island.row_count; i++)
        f.t.island.rows[i].impulse = f.joined.island.rows[i].impulse;
    load(&f, SCREE_PRECISION_DOUBLE);
    articulation_apply(&f.joined, &f.problem);
    holds(&f, 1e-7);
    free_island(&f.t);
}

// A motor on a hinge whose force is bounded, against the Newton solver: in and beyond its means.
static void motors_are_bounded(void **state)
{
    (void)state;
    for (double limit = 0.01; limit < 20; limit *= 1000) {
        fixture f = {.t = {.island = {.convex = true}}};
        uint32_t wall = add_fixed(&f.t), door = add_body(&f.t, 3, vec3_make(1, 1.2, 0.4), vec3_make(0, 0, -FALL));
        add_spherical(&f.t, wall, door, vec3_make(0, 0, 0), vec3_make(-0.5, 0, 0));
        add_turn_row(&f.t, wall, door, vec3_make(1, 0, 0));
        add_turn_row(&f.t, wall, door, vec3_make(0, 1, 0));
        joint_row *motor = add_turn_row(&f.t, wall, door, vec3_make(0, 0, 1));
        motor->bias = -2;
        motor->low = -limit;
        motor->high = limit;
        load(&f, SCREE_PRECISION_DOUBLE);
        for (int sweep = 0; sweep < 300; sweep++)
            articulation_relax(&f.joined, &f.problem);
        island_result result;
        assert_int_equal(newton_solve(&f.t.island, 100, 1e-9, &f.t.scratch, &result, NULL), SCREE_OK);
        assert_true(result.reached);
        vec3 v, w;
        problem_get_velocity(&f.problem, door, &v, &w);
        is_near(w.z, f.t.island.bodies[door].spin.z, 1e-6);
        is_near(w.z, limit < 1 ? limit / (0.4 + 3 * 0.25) : 2, 1e-6); // about the hinge: Steiner
        free_island(&f.t);
    }
}

// Three boxes in a row, joined by hinges, fall on the floor and slide.
static void make_train(test_island *t, double friction)
{
    *t = (test_island){.island = {.convex = true}};
    uint32_t floor = add_fixed(t), last = 0;
    for (int i = 0; i < 3; i++) {
        uint32_t box = add_box(t, 1 + i, 1, vec3_make(0.3, 0.02 * i, -FALL * (1 + i)));
        add_face(t, floor, box, 0, 0.5, 0.8, friction);
        if (i > 0) {
            add_spherical(t, last, box, vec3_make(0.6, 0, 0), vec3_make(-0.6, 0, 0));
            add_turn_row(t, last, box, vec3_make(1, 0, 0));
            add_turn_row(t, last, box, vec3_make(0, 0, 1));
        }
        last = box;
    }
}

// Contacts one by one, then all joints, again and again: the way of a sweep.
static void alternate(double friction, double accuracy)
{
    fixture f;
    make_train(&f.t, friction);
    load(&f, SCREE_PRECISION_DOUBLE);
    island slow = f.t.island;
    problem_row contacts[12];
    problem_body bodies[4];
    memcpy(contacts, slow.contacts, sizeof contacts);
    memcpy(bodies, slow.bodies, sizeof bodies);
    slow.contacts = contacts;
    slow.bodies = bodies;
    for (int sweep = 0; sweep < 20000; sweep++) {
        articulation_relax(&f.joined, &f.problem);
        for (size_t i = 0; i < slow.body_count; i++)
            problem_get_velocity(&f.problem, i, &bodies[i].velocity, &bodies[i].spin);
        for (size_t i = 0; i < slow.contact_count; i++)
            relax_contact(&slow, &contacts[i]);
        for (size_t i = 1; i < slow.body_count; i++)
            problem_set_velocity(&f.problem, i, bodies[i].velocity, bodies[i].spin);
    }
    island_result result;
    assert_int_equal(newton_solve(&f.t.island, 100, 1e-9, &f.t.scratch, &result, NULL), SCREE_OK);
    assert_true(result.reached);
    for (size_t i = 0; i < slow.body_count; i++) {
        assert_true(vec3_length(vec3_sub(bodies[i].velocity, f.t.island.bodies[i].velocity)) < accuracy);
        assert_true(vec3_length(vec3_sub(bodies[i].spin, f.t.island.bodies[i].spin)) < accuracy);
    }
    free_island(&f.t);
}

static void alternates_with_contacts(void **state)
{
    (void)state;
    alternate(0, 1e-6);
    alternate(0.4, 5e-4); // plain sweeps over four points of a face come near slowly
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_step_leaves_no_speeds), cmocka_unit_test(chain_in_one_step),
        cmocka_unit_test(solver_takes_joints_alone), cmocka_unit_test(starts_from_impulses),
        cmocka_unit_test(motors_are_bounded),        cmocka_unit_test(alternates_with_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
