// The Newton solver against closed forms, the laws as rows.h states them, and a slow plain Gauss-Seidel.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "islands.h"

static void is_near(double a, double b, double room)
{
    assert_true(fabs(a - b) <= room);
}

static const double TOLERANCE = 1e-8;
enum { STEPS = 200 };

static island_result solve(test_island *t)
{
    island_result result;
    scree_error error;
    assert_int_equal(newton_solve(&t->island, STEPS, TOLERANCE, &t->scratch, &result, &error), SCREE_OK);
    assert_true(result.residual.mean <= result.residual.max);
    return result;
}

static void solve_fully(test_island *t)
{
    island_result result = solve(t);
    assert_true(result.reached);
    assert_true(result.residual.max <= TOLERANCE);
}

static test_island copy_of(const test_island *t)
{
    test_island copy = {.island = t->island};
    const island *from = &t->island;
    copy.island.bodies = calloc(from->body_count + 1, sizeof *from->bodies);
    copy.island.contacts = calloc(from->contact_count + 1, sizeof *from->contacts);
    copy.island.rows = calloc(from->row_count + 1, sizeof *from->rows);
    for (size_t i = 0; i < from->body_count; i++)
        copy.island.bodies[i] = from->bodies[i];
    for (size_t i = 0; i < from->contact_count; i++)
        copy.island.contacts[i] = from->contacts[i];
    for (size_t i = 0; i < from->row_count; i++)
        copy.island.rows[i] = from->rows[i];
    return copy;
}

// ---- the laws, from their definition

static void push_rows(const joint_row *row, problem_body *bodies, double impulse)
{
    for (int k = 0; k < JOINT_ROW_BODIES; k++)
        if (row->body[k] != NO_BODY)
            push(&bodies[row->body[k]], vec3_make(0, 0, 0), vec3_scale(row->linear[k], impulse),
                 vec3_scale(row->angular[k], impulse), 1);
}

// Velocities are the free ones and what the impulses add.
static void check_momentum(const test_island *before, const test_island *after)
{
    const island *problem = &after->island;
    test_island copy = copy_of(before);
    for (size_t i = 0; i < problem->contact_count; i++) {
        const problem_row *row = &problem->contacts[i];
        push(&copy.island.bodies[row->a], row->arm_a, row->impulse, row->angular_impulse, -1);
        push(&copy.island.bodies[row->b], row->arm_b, row->impulse, row->angular_impulse, 1);
    }
    for (size_t i = 0; i < problem->row_count; i++)
        push_rows(&problem->rows[i], copy.island.bodies, problem->rows[i].impulse);
    for (size_t i = 0; i < problem->body_count; i++) {
        vec3 velocity = copy.island.bodies[i].velocity, spin = copy.island.bodies[i].spin;
        assert_true(vec3_length(vec3_sub(velocity, problem->bodies[i].velocity)) < 1e-9);
        assert_true(vec3_length(vec3_sub(spin, problem->bodies[i].spin)) < 1e-9);
    }
    free_island(&copy);
}

// |part| <= radius load, and where something moves, the limit is met against the motion.
static void check_disc(vec3 part, vec3 motion, double limit, double room)
{
    assert_true(vec3_length(part) <= limit + room);
    double speed = vec3_length(motion);
    if (speed > 1e-4)
        assert_true(vec3_length(vec3_add_scaled(part, motion, limit / speed)) < 1e-2 * limit + room);
}

static void check_contact(const island *problem, const problem_row *row)
{
    const double room = 1e-6;
    vec3 u = slip_of(problem, row), n = row->normal, p = row->impulse, t = row->angular_impulse;
    vec3 w = vec3_sub(problem->bodies[row->b].spin, problem->bodies[row->a].spin);
    double u_n = vec3_dot(n, u), p_n = vec3_dot(n, p), t_n = vec3_dot(n, t), w_n = vec3_dot(n, w);
    vec3 u_t = vec3_add_scaled(u, n, -u_n), p_t = vec3_add_scaled(p, n, -p_n);
    vec3 w_t = vec3_add_scaled(w, n, -w_n), t_t = vec3_add_scaled(t, n, -t_n);
    double left = u_n + row->bias + row->compliance * p_n;
    if (problem->convex)
        left -= row->friction * vec3_length(u_t) + row->rolling * vec3_length(w_t) + row->spinning * fabs(w_n);
    assert_true(p_n >= -room && left >= -room && fabs(left * p_n) < room);
    check_disc(p_t, u_t, row->friction * p_n, room);
    check_disc(t_t, w_t, row->rolling * p_n, room);
    check_disc(vec3_scale(n, t_n), vec3_scale(n, w_n), row->spinning * p_n, room);
}

static double speed_of(const island *problem, const joint_row *row)
{
    double speed = 0;
    for (int k = 0; k < JOINT_ROW_BODIES; k++)
        if (row->body[k] != NO_BODY)
            speed += vec3_dot(row->linear[k], problem->bodies[row->body[k]].velocity) +
                     vec3_dot(row->angular[k], problem->bodies[row->body[k]].spin);
    return speed;
}

static void check_row(const island *problem, const joint_row *row)
{
    const double room = 1e-6;
    double left = speed_of(problem, row) + row->bias + row->compliance * row->impulse;
    assert_true(row->impulse >= row->low - room && row->impulse <= row->high + room);
    if (row->impulse > row->low + room)
        assert_true(left <= room);
    if (row->impulse < row->high - room)
        assert_true(left >= -room);
}

static void check_laws(const test_island *before, const test_island *after)
{
    check_momentum(before, after);
    for (size_t i = 0; i < after->island.contact_count; i++)
        check_contact(&after->island, &after->island.contacts[i]);
    for (size_t i = 0; i < after->island.row_count; i++)
        check_row(&after->island, &after->island.rows[i]);
}

// ---- random islands

static vec3 any_vec(random_stream *stream)
{
    return vec3_make(random_between(stream, -1, 1), random_between(stream, -1, 1), random_between(stream, -1, 1));
}

static void add_random_rows(random_stream *stream, test_island *t, uint32_t a, uint32_t b)
{
    joint_row *row = add_point_row(t, a, b, any_vec(stream), any_vec(stream), vec3_normalize(any_vec(stream)));
    row->bias = random_between(stream, -0.2, 0.2);
    row = add_turn_row(t, a, b, vec3_normalize(any_vec(stream)));
    row->compliance = random_between(stream, 0, 0.5);
    row->low = random_between(stream, -0.1, 0);
    row->high = random_between(stream, 0, 0.1);
    row->bias = random_between(stream, -0.3, 0.3);
}

static test_island random_island(uint64_t seed, int bodies, bool plain)
{
    test_island t = {.island = {.convex = true}};
    random_stream stream = {seed};
    add_fixed(&t);
    for (int i = 0; i < bodies; i++) {
        double mass = exp(random_between(&stream, -1, 1));
        uint32_t b = add_box(&t, mass, random_between(&stream, 0.7, 1.5), any_vec(&stream));
        t.island.bodies[b].spin = any_vec(&stream);
        for (int k = 0; k < 2; k++) {
            uint32_t a = (uint32_t)(random_bits(&stream) % b);
            problem_row *row = add_contact(&t, a, b, vec3_normalize(any_vec(&stream)), any_vec(&stream),
                                           any_vec(&stream), random_between(&stream, 0, 1));
            row->bias = random_between(&stream, -0.2, 0.2);
            if (plain)
                continue;
            row->compliance = k == 0 ? random_between(&stream, 0, 0.3) : 0;
            row->rolling = i % 3 == 0 ? random_between(&stream, 0, 0.3) : 0;
            row->spinning = i % 2 == 0 ? random_between(&stream, 0, 0.3) : 0;
        }
        if (!plain && i % 2)
            add_random_rows(&stream, &t, (uint32_t)(random_bits(&stream) % b), b);
    }
    return t;
}

static void obeys_laws(bool convex)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        test_island t = random_island(seed, 2 + (int)(seed % 12), seed % 3 == 0);
        t.island.convex = convex;
        test_island before = copy_of(&t);
        solve_fully(&t);
        check_laws(&before, &t);
        free_island(&before);
        free_island(&t);
    }
}

static void obeys_convex_laws(void **state)
{
    (void)state;
    obeys_laws(true);
}

static void obeys_exact_laws(void **state)
{
    (void)state;
    obeys_laws(false);
}

// ---- against plain Gauss-Seidel

static void agrees_with_gauss_seidel(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        test_island t = random_island(seed, 3 + (int)(seed % 4), true);
        test_island slow = copy_of(&t);
        solve_fully(&t);
        for (int sweep = 0; sweep < 150000; sweep++)
            for (size_t i = 0; i < slow.island.contact_count; i++)
                relax_contact(&slow.island, &slow.island.contacts[i]);
        for (size_t i = 0; i < t.island.body_count; i++) {
            const problem_body *x = &t.island.bodies[i], *y = &slow.island.bodies[i];
            assert_true(vec3_length(vec3_sub(x->velocity, y->velocity)) < 1e-5);
            assert_true(vec3_length(vec3_sub(x->spin, y->spin)) < 1e-5);
        }
        free_island(&slow);
        free_island(&t);
    }
}

// ---- closed forms: stacks

static double load_of(const island *problem, size_t first, size_t count)
{
    double load = 0;
    for (size_t i = first; i < first + count; i++)
        load += vec3_dot(problem->contacts[i].normal, problem->contacts[i].impulse);
    return load;
}

static void rests(const island *problem, double accuracy)
{
    for (size_t i = 0; i < problem->body_count; i++) {
        assert_true(vec3_length(problem->bodies[i].velocity) < accuracy);
        assert_true(vec3_length(problem->bodies[i].spin) < accuracy);
    }
}

// Each face of a tower carries what is above it. A cold start is solved, and from its solution nothing is left to do.
static void check_tower(int boxes, double top, bool convex)
{
    test_island t;
    make_tower(&t, boxes, top, 0.5);
    t.island.convex = convex;
    test_island before = copy_of(&t);
    solve_fully(&t);
    rests(&t.island, 1e-4 * FALL);
    for (int i = 0; i < boxes; i++) {
        double above = FALL * (top + boxes - 1 - i);
        is_near(load_of(&t.island, 4 * (size_t)i, 4), above, 1e-6 * above);
    }
    for (size_t i = 0; i < t.island.body_count; i++)
        t.island.bodies[i] = before.island.bodies[i];
    assert_int_equal(solve(&t).steps, 0);
    free_island(&before);
    free_island(&t);
}

static void towers_stand(void **state)
{
    (void)state;
    for (int convex = 0; convex < 2; convex++) {
        check_tower(1, 1, convex);
        check_tower(20, 1, convex);
        check_tower(50, 1, convex);
    }
}

static void light_carries_heavy(void **state)
{
    (void)state;
    for (double ratio = 1e2; ratio < 2e6; ratio *= 100)
        for (int convex = 0; convex < 2; convex++) {
            check_tower(2, ratio, convex);
            check_tower(10, ratio, convex);
            check_tower(10, 1 / ratio, convex);
        }
}

// A slab of 1e6 on a floor of 200 points of a light plate: all carry some, together all.
static void many_points_share(void **state)
{
    (void)state;
    test_island t = {.island = {.convex = true}};
    uint32_t floor = add_fixed(&t), plate = add_box(&t, 1, 1, vec3_make(0, 0, -FALL));
    uint32_t slab = add_box(&t, 1e6, 1, vec3_make(0, 0, -FALL));
    random_stream stream = {3};
    for (int i = 0; i < 200; i++) {
        double angle = 0.1 * PI * i, radius = random_between(&stream, 0.2, 1);
        vec3 at = {radius * cos(angle), radius * sin(angle), -0.5};
        add_contact(&t, floor, plate, vec3_make(0, 0, 1), vec3_make(at.x, at.y, 0), at, 0.7);
    }
    add_face(&t, plate, slab, 0.5, 0.5, 1, 0.3);
    solve_fully(&t);
    rests(&t.island, 1e-4 * FALL);
    is_near(load_of(&t.island, 0, 200), FALL * (1e6 + 1), 1e-6 * 1e6 * FALL);
    free_island(&t);
}

// A ball in a groove whose walls stand at 45 degrees, without friction: each wall carries m v / sqrt 2.
static void groove_carries(void **state)
{
    (void)state;
    test_island t = {.island = {.convex = true}};
    uint32_t groove = add_fixed(&t), ball = add_box(&t, 2, 1, vec3_make(0, 0, -FALL));
    for (int side = -1; side <= 1; side += 2) {
        vec3 normal = vec3_normalize(vec3_make(side, 0, 1));
        add_contact(&t, groove, ball, normal, vec3_make(0, 0, 0), vec3_scale(normal, -0.5), 0);
    }
    solve_fully(&t);
    for (size_t i = 0; i < 2; i++)
        is_near(load_of(&t.island, i, 1), 2 * FALL / sqrt(2), 1e-8);
    rests(&t.island, 1e-7);
    free_island(&t);
}

// ---- closed forms: one contact

static test_island one_contact(double mass, vec3 velocity, double friction)
{
    test_island t = {.island = {.convex = true}};
    uint32_t floor = add_fixed(&t), body = add_box(&t, mass, 1, velocity);
    t.island.bodies[body].inverse_inertia = (mat3){{{0}}}; // cannot turn
    add_contact(&t, floor, body, vec3_make(0, 0, 1), vec3_make(0, 0, 0), vec3_make(0, 0, -0.5), friction);
    return t;
}

// v' + c p = 0 with v' = v + p / m.
static void compliance_is_a_spring(void **state)
{
    (void)state;
    for (double c = 1e-6; c < 1e4; c *= 100) {
        test_island t = one_contact(2, vec3_make(0, 0, -1), 0.5);
        t.island.contacts[0].compliance = c;
        t.island.contacts[0].bias = -0.5;
        solve_fully(&t);
        double p = 1.5 / (1 / 2.0 + c);
        is_near(t.island.contacts[0].impulse.z, p, 1e-6 * p);
        is_near(t.island.bodies[1].velocity.z, -1 + p / 2, 1e-6);
        free_island(&t);
    }
}

// A body that slides with the speed s and falls with v. Exact: it stops falling and friction takes mu v off s. Convex:
// it is lifted with mu s', where p_n / m = v + mu s' and s' = s - mu p_n / m, so s' = (s - mu v) / (1 + mu^2).
static void only_the_convex_law_lifts(void **state)
{
    (void)state;
    const double mu = 0.5, s = 2, v = 0.1;
    test_island t = one_contact(3, vec3_make(s, 0, -v), mu);
    solve_fully(&t);
    double left = (s - mu * v) / (1 + mu * mu);
    is_near(t.island.bodies[1].velocity.x, left, 1e-7);
    is_near(t.island.bodies[1].velocity.z, mu * left, 1e-7);
    free_island(&t);
    t = one_contact(3, vec3_make(s, 0, -v), mu);
    t.island.convex = false;
    solve_fully(&t);
    is_near(t.island.bodies[1].velocity.x, s - mu * v, 1e-7);
    is_near(t.island.bodies[1].velocity.z, 0, 1e-7);
    free_island(&t);
}

static void friction_of_any_size(void **state)
{
    (void)state;
    for (int convex = 0; convex < 2; convex++) {
        test_island t = one_contact(1, vec3_make(1, 0, -1), 0);
        t.island.convex = convex;
        solve_fully(&t);
        is_near(t.island.bodies[1].velocity.x, 1, 1e-12);
        is_near(t.island.bodies[1].velocity.z, 0, 1e-7);
        free_island(&t);
        t = one_contact(1, vec3_make(1, 0, -1), 1e6);
        t.island.convex = convex;
        solve_fully(&t);
        rests(&t.island, 1e-6);
        free_island(&t);
    }
}

// A ball pressed on the floor that spins about the normal and rolls: each torque is at its limit, or stops the turning.
static void check_turning(double spinning, double rolling, bool convex)
{
    test_island t = {.island = {.convex = convex}};
    uint32_t floor = add_fixed(&t), ball = add_body(&t, 1, vec3_make(0.1, 0.1, 0.1), vec3_make(0, 0, -FALL));
    problem_row *row = add_contact(&t, floor, ball, vec3_make(0, 0, 1), vec3_make(0, 0, 0), vec3_make(0, 0, 0), 0);
    row->spinning = spinning;
    row->rolling = rolling;
    t.island.bodies[ball].spin = vec3_make(1, 0, 2);
    test_island before = copy_of(&t);
    solve_fully(&t);
    check_laws(&before, &t);
    const problem_body *body = &t.island.bodies[ball];
    if (!convex) { // the load is FALL then
        is_near(body->spin.z, fmax(0, 2 - 10 * spinning * FALL), 1e-7);
        is_near(body->spin.x, fmax(0, 1 - 10 * rolling * FALL), 1e-7);
    }
    free_island(&before);
    free_island(&t);
}

static void turning_is_resisted(void **state)
{
    (void)state;
    for (int convex = 0; convex < 2; convex++) {
        check_turning(0.5, 0.5, convex);
        check_turning(0, 0.5, convex);
        check_turning(0.5, 0, convex);
        check_turning(10, 0.1, convex);
        check_turning(10, 10, convex);
    }
}

// An immovable body that moves drags what lies on it.
static void belt_drags(void **state)
{
    (void)state;
    test_island t = one_contact(1, vec3_make(0, 0, -1), 0.3);
    t.island.convex = false;
    t.island.bodies[0].velocity = vec3_make(2, 0, 0);
    solve_fully(&t);
    is_near(t.island.bodies[1].velocity.x, 0.3, 1e-7);
    is_near(t.island.bodies[0].velocity.x, 2, 0);
    free_island(&t);
}

// ---- closed forms: joints

// Each joint of a hanging chain carries the masses below it.
static void chains_hang(void **state)
{
    (void)state;
    const double ends[] = {1, 1e3, 1e4, 1e6};
    enum { LINKS = 40 };
    for (int k = 0; k < 4; k++) {
        test_island t;
        make_chain(&t, LINKS, ends[k], 0);
        solve_fully(&t);
        rests(&t.island, 1e-4 * FALL);
        for (int i = 0; i < LINKS; i++) {
            double below = FALL * (ends[k] + LINKS - 1 - i);
            is_near(t.island.rows[3 * i + 2].impulse, below, 1e-5 * below);
        }
        free_island(&t);
    }
}

// A door on three hinges, 15 rows where 5 would do, its centre 0.5 off the axis: it stays, and the hinges carry its
// weight and its moment together.
static void door_hangs_on_three_hinges(void **state)
{
    (void)state;
    test_island t = {.island = {.convex = true}};
    uint32_t wall = add_fixed(&t), door = add_body(&t, 30, vec3_make(10, 12, 2.5), vec3_make(0, 0, -FALL));
    for (int hinge = -1; hinge <= 1; hinge++) {
        vec3 arm = vec3_make(-0.5, 0, 0.8 * hinge);
        add_spherical(&t, wall, door, vec3_make(0, 0, 0.8 * hinge), arm);
        add_turn_row(&t, wall, door, vec3_make(1, 0, 0));
        add_turn_row(&t, wall, door, vec3_make(0, 1, 0));
    }
    test_island before = copy_of(&t);
    solve_fully(&t);
    rests(&t.island, 1e-6 * FALL);
    double weight = 0, moment = 0;
    for (int hinge = 0; hinge < 3; hinge++) {
        const joint_row *rows = t.island.rows + 5 * hinge;
        weight += rows[2].impulse;
        moment += 0.8 * (hinge - 1) * rows[0].impulse + 0.5 * rows[2].impulse + rows[4].impulse;
    }
    is_near(weight, 30 * FALL, 1e-6);
    is_near(moment, 0, 1e-6);
    check_laws(&before, &t);
    free_island(&before);
    free_island(&t);
}

// The same door: what its hinges push against each other, and no motion asks for, is not kept from the start.
static void add_door(test_island *t)
{
    uint32_t wall = add_fixed(t), door = add_body(t, 30, vec3_make(10, 12, 2.5), vec3_make(0, 0, -FALL));
    for (int hinge = -1; hinge <= 1; hinge++) {
        add_spherical(t, wall, door, vec3_make(0, 0, 0.8 * hinge), vec3_make(-0.5, 0, 0.8 * hinge));
        add_turn_row(t, wall, door, vec3_make(1, 0, 0));
        add_turn_row(t, wall, door, vec3_make(0, 1, 0));
    }
}

static void forgets_self_stress(void **state)
{
    (void)state;
    test_island fresh = {.island = {.convex = true}}, stressed = {.island = {.convex = true}};
    add_door(&fresh);
    add_door(&stressed);
    const double push[] = {1e4, -2e4, 1e4}; // along x: no force and no moment together
    for (int hinge = 0; hinge < 3; hinge++)
        stressed.island.rows[5 * hinge].impulse = push[hinge];
    solve_fully(&fresh);
    solve_fully(&stressed);
    for (size_t i = 0; i < fresh.island.row_count; i++)
        is_near(stressed.island.rows[i].impulse, fresh.island.rows[i].impulse, 1e-6 * 30 * FALL);
    // along the axis all three are alike, and each carries a third
    for (int hinge = 0; hinge < 3; hinge++)
        is_near(fresh.island.rows[5 * hinge + 2].impulse, 10 * FALL, 1e-6);
    free_island(&fresh);
    free_island(&stressed);
}

// Hinges that ask for a micrometre a second against each other: least squares, with impulses of the size of the load.
static void contradictions_cost_little(void **state)
{
    (void)state;
    test_island t = {.island = {.convex = true}};
    add_door(&t);
    t.island.rows[5].bias = 1e-6;
    scree_error error;
    island_result result;
    assert_int_equal(newton_solve(&t.island, STEPS, TOLERANCE, &t.scratch, &result, &error), SCREE_OK);
    assert_true(result.speed < 1e-6);
    for (size_t i = 0; i < t.island.row_count; i++)
        assert_true(fabs(t.island.rows[i].impulse) < 10 * 30 * FALL);
    rests(&t.island, 1e-5);
    free_island(&t);
}

// A motor on a wheel reaches its speed, or gives all it has.
static void motors_saturate(void **state)
{
    (void)state;
    for (int strong = 0; strong < 2; strong++) {
        test_island t = {.island = {.convex = true}};
        uint32_t wheel = add_body(&t, 1, vec3_make(1, 1, 0.5), vec3_make(0, 0, 0));
        joint_row *motor = add_row(&t);
        motor->body[0] = wheel;
        motor->angular[0] = vec3_make(0, 0, 1);
        motor->bias = -3;
        motor->high = strong ? 2 : 0.2;
        motor->low = -motor->high;
        solve_fully(&t);
        is_near(t.island.bodies[wheel].spin.z, strong ? 3 : 0.4, 1e-7);
        is_near(t.island.rows[0].impulse, strong ? 1.5 : 0.2, 1e-7);
        free_island(&t);
    }
}

// Two wheels of one carrier in a gear: spins about z stand as -2 : 1, and momentum about z is shared through the
// carrier.
static void gear_couples_three(void **state)
{
    (void)state;
    test_island t = {.island = {.convex = true}};
    vec3 z = vec3_make(0, 0, 1);
    for (int i = 0; i < 3; i++)
        add_body(&t, 1, vec3_make(1, 1, 1 + i), vec3_make(0, 0, 0));
    t.island.bodies[1].spin = vec3_make(0, 0, 6);
    joint_row *gear = add_row(&t);
    const double ratio[3] = {-3, 1, 2}; // (w_1 - w_0) + 2 (w_2 - w_0) = 0
    for (uint32_t i = 0; i < 3; i++) {
        gear->body[i] = i;
        gear->angular[i] = vec3_scale(z, ratio[i]);
    }
    solve_fully(&t);
    double p = -6 / (9 / 1.0 + 1 / 2.0 + 4 / 3.0);
    for (int i = 0; i < 3; i++)
        is_near(t.island.bodies[i].spin.z, (i == 1 ? 6 : 0) + ratio[i] * p / (1 + i), 1e-7);
    free_island(&t);
}

// ---- robustness

// Two islands in one call end as each alone.
static void islands_do_not_meet(void **state)
{
    (void)state;
    test_island one = random_island(7, 6, false), both = random_island(7, 6, false), other = random_island(8, 5, false);
    uint32_t shift = (uint32_t)both.island.body_count;
    for (size_t i = 0; i < other.island.body_count; i++) {
        add_fixed(&both);
        both.island.bodies[shift + i] = other.island.bodies[i];
    }
    for (size_t i = 0; i < other.island.contact_count; i++) {
        problem_row *row = add_contact(&both, 0, 0, vec3_make(0, 0, 1), vec3_make(0, 0, 0), vec3_make(0, 0, 0), 0);
        *row = other.island.contacts[i];
        row->a += shift;
        row->b += shift;
    }
    for (size_t i = 0; i < other.island.row_count; i++) {
        joint_row *row = add_row(&both);
        *row = other.island.rows[i];
        row->body[0] += shift;
        row->body[1] += shift;
    }
    solve_fully(&one);
    solve_fully(&other);
    solve_fully(&both);
    for (size_t i = 0; i < both.island.body_count; i++) {
        vec3 alone = i < shift ? one.island.bodies[i].velocity : other.island.bodies[i - shift].velocity;
        assert_true(vec3_length(vec3_sub(both.island.bodies[i].velocity, alone)) < 1e-6);
    }
    free_island(&one);
    free_island(&other);
    free_island(&both);
}

static void nothing_to_do(void **state)
{
    (void)state;
    test_island t = {.island = {.convex = false}};
    solve_fully(&t);
    uint32_t a = add_fixed(&t), b = add_fixed(&t);
    t.island.bodies[b].velocity = vec3_make(0, 0, -1);
    add_contact(&t, a, b, vec3_make(0, 0, 1), vec3_make(0, 0, 0), vec3_make(0, 0, 0), 0.5);
    add_spherical(&t, a, b, vec3_make(0, 0, 0), vec3_make(0, 0, 0));
    solve_fully(&t); // nothing can move, so nothing is wrong
    is_near(t.island.bodies[b].velocity.z, -1, 0);
    uint32_t flying = add_box(&t, 1, 1, vec3_make(0, 0, 1));
    add_contact(&t, a, flying, vec3_make(0, 0, 1), vec3_make(0, 0, 0), vec3_make(0, 0, -0.5), 0.5)->impulse.z = 5;
    solve_fully(&t); // it parts by itself, whatever the start says
    is_near(t.island.bodies[flying].velocity.z, 1, 1e-12);
    free_island(&t);
}

// Without iterations the start is judged, and velocities follow from it.
static void judges_the_start(void **state)
{
    (void)state;
    test_island t = one_contact(2, vec3_make(0, 0, -1), 0.5);
    t.island.contacts[0].impulse = vec3_make(0, 0, 1);
    island_result result;
    assert_int_equal(newton_solve(&t.island, 0, 0, &t.scratch, &result, NULL), SCREE_OK);
    is_near(t.island.bodies[1].velocity.z, -0.5, 1e-15);
    is_near(t.island.contacts[0].impulse.z, 1, 0);
    is_near(result.residual.max, 1, 1e-15); // one more would stop it
    assert_false(result.reached);
    free_island(&t);
}

// However few steps are allowed, the answer is finite and not worse than the start.
static void gives_back_the_best(void **state)
{
    (void)state;
    for (uint64_t seed = 20; seed < 30; seed++) {
        double last = HUGE_VAL;
        for (int steps = 0; steps < 12; steps++) {
            test_island t = random_island(seed, 12, false);
            t.island.convex = seed % 2;
            island_result result;
            assert_int_equal(newton_solve(&t.island, steps, TOLERANCE, &t.scratch, &result, NULL), SCREE_OK);
            assert_true(result.steps <= steps);
            assert_true(isfinite(result.residual.max));
            assert_true(result.residual.max <= fmax(last, TOLERANCE) * 1.0001);
            last = result.residual.max;
            for (size_t i = 0; i < t.island.body_count; i++)
                assert_true(vec3_finite(t.island.bodies[i].velocity) && vec3_finite(t.island.bodies[i].spin));
            free_island(&t);
        }
    }
}

// A net that hangs from its first row and is torn about, with one heavy ball, springs, and hinges among its joints.
static void make_net(test_island *t, uint32_t side, random_stream *stream)
{
    *t = (test_island){.island = {.convex = true}};
    for (uint32_t i = 0; i < side * side; i++) {
        uint32_t column = i / side, row = i % side;
        vec3 velocity = vec3_make(random_between(stream, -1, 1), random_between(stream, -1, 1), -FALL);
        uint32_t ball = row == 0 ? add_fixed(t) : add_box(t, i == side + 3 ? 50 : 1, 1, velocity);
        if (row > 0)
            add_spherical(t, ball - 1, ball, vec3_make(0, 0, -0.5), vec3_make(0, 0.02, 0.5));
        if (row > 0 && column > 0)
            add_spherical(t, ball - side, ball, vec3_make(0.5, 0, 0), vec3_make(-0.5, 0, 0));
        if (i % 7 == 6)
            add_turn_row(t, ball - 1, ball, vec3_make(0, 1, 0))->compliance = i % 2 ? 0 : 0.1;
        if (i % 5 == 4)
            t->island.rows[t->island.row_count - 1].bias = random_between(stream, -0.1, 0.1);
    }
}

// Islands of joints alone are solved over their joints. A contact between what cannot move sends the same island over
// bodies.
static void over_joints_as_over_bodies(void **state)
{
    (void)state;
    for (uint32_t side = 2; side <= 12; side += 5) {
        test_island nets[2];
        for (int k = 0; k < 2; k++) {
            random_stream stream = {17};
            make_net(&nets[k], side, &stream);
            if (k == 1)
                add_contact(&nets[k], 0, side, vec3_make(0, 0, 1), vec3_make(0, 0, 0), vec3_make(0, 0, 0), 0);
            solve(&nets[k]);
        }
        for (size_t i = 0; i < nets[0].island.body_count; i++) {
            const problem_body *a = &nets[0].island.bodies[i], *b = &nets[1].island.bodies[i];
            is_near(vec3_length(vec3_sub(a->velocity, b->velocity)), 0, 1e-7);
            is_near(vec3_length(vec3_sub(a->spin, b->spin)), 0, 1e-7);
        }
        double largest = 1; // a net may be near to a singular one, and its impulses a million times the loads
        for (size_t i = 0; i < nets[0].island.row_count; i++)
            largest = fmax(largest, fabs(nets[0].island.rows[i].impulse));
        for (size_t i = 0; i < nets[0].island.row_count; i++)
            is_near(nets[0].island.rows[i].impulse, nets[1].island.rows[i].impulse, 1e-6 * largest);
        free_island(&nets[0]);
        free_island(&nets[1]);
    }
}

static bool has_lost_patience(void *context)
{
    return (*(int *)context)-- <= 0;
}

// Whoever gives up waits for the step at hand and no longer, and gets the best answer so far.
static void ends_when_interrupted(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        double last = HUGE_VAL;
        for (int patience = 0; patience < (kind == 0 ? 2 : 4); patience++) {
            random_stream stream = {17};
            test_island t;
            if (kind == 0)
                make_net(&t, 7, &stream);
            else
                t = random_island(24, 12, false);
            t.island.convex = kind < 2;
            test_island whole = copy_of(&t);
            int left = patience;
            t.island.interrupt = &(interrupt){has_lost_patience, &left};
            island_result result = solve(&t), finished = solve(&whole);
            assert_true(result.steps <= patience && result.steps < finished.steps);
            assert_false(result.reached);
            assert_true(isfinite(result.residual.max) && result.residual.max <= last * 1.0001);
            last = result.residual.max;
            free_island(&whole);
            free_island(&t);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obeys_convex_laws),
        cmocka_unit_test(obeys_exact_laws),
        cmocka_unit_test(agrees_with_gauss_seidel),
        cmocka_unit_test(towers_stand),
        cmocka_unit_test(light_carries_heavy),
        cmocka_unit_test(many_points_share),
        cmocka_unit_test(groove_carries),
        cmocka_unit_test(compliance_is_a_spring),
        cmocka_unit_test(only_the_convex_law_lifts),
        cmocka_unit_test(friction_of_any_size),
        cmocka_unit_test(turning_is_resisted),
        cmocka_unit_test(belt_drags),
        cmocka_unit_test(chains_hang),
        cmocka_unit_test(over_joints_as_over_bodies),
        cmocka_unit_test(door_hangs_on_three_hinges),
        cmocka_unit_test(forgets_self_stress),
        cmocka_unit_test(contradictions_cost_little),
        cmocka_unit_test(motors_saturate),
        cmocka_unit_test(gear_couples_three),
        cmocka_unit_test(islands_do_not_meet),
        cmocka_unit_test(nothing_to_do),
        cmocka_unit_test(judges_the_start),
        cmocka_unit_test(gives_back_the_best),
        cmocka_unit_test(ends_when_interrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
