// Fast frictional dynamics: collisions of two bodies against closed forms, what it conserves, what it never creates,
// and how well it rests and stacks.
#include "lab.h"

static const vec3 NOWHERE = {0, 0, 0};

static scree_world *ffd_world(double step, double gravity, double friction, double restitution)
{
    scree_world_def def = scree_default_world_def();
    def.method = SCREE_METHOD_FFD;
    def.step = step;
    def.gravity = vec3_make(0, 0, -gravity);
    def.threads = 1;
    scree_world *world = lab_create(&def);
    lab_surface(world, friction, restitution);
    return world;
}

// ------------------------------------------------------------------------------------------------------- two bodies

static void test_balls_collide_head_on(void **state)
{
    (void)state;
    const double radii[3] = {0.5, 0.7, 0.1};
    for (int i = 0; i < 9; i++) {
        double e = 0.5 * (i % 3), other = radii[i / 3];
        scree_world *world = ffd_world(1e-3, 0, 0.4, e);
        scree_id a = lab_add(world, lab_body(NOWHERE, vec3_make(1, 0, 0)), lab_sphere(0.5));
        scree_id b = lab_add(world, lab_body(vec3_make(0.9 + other, 0, 0), vec3_make(-0.5, 0, 0)), lab_sphere(other));
        double ma = lab_info(world, a).mass, mb = lab_info(world, b).mass;
        double common = (ma - 0.5 * mb) / (ma + mb);
        lab_step(world, 600);
        assert_near(lab_state(world, a).velocity.x, common - e * 1.5 * mb / (ma + mb), 1e-8);
        assert_near(lab_state(world, b).velocity.x, common + e * 1.5 * ma / (ma + mb), 1e-8);
        assert_vec3_near(lab_state(world, b).spin, NOWHERE, 1e-8);
        scree_world_destroy(world);
    }
}

// Two equal balls that graze at an angle of 45 degrees: with p along the normal, friction changes the tangential speed
// by mu p (1 + e), or stops the slip if that is less: a ball's contact gives 7/2 times as easily along as across.
static void test_balls_collide_obliquely(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        double mu = i % 2 ? 0.1 : 0.8, e = i / 2 ? 0.6 : 0, root = sqrt(0.5);
        scree_world *world = ffd_world(1e-4, 0, mu, e);
        scree_id a = lab_add(world, lab_body(NOWHERE, vec3_make(1, 0, 0)), lab_sphere(0.5));
        lab_add(world, lab_body(vec3_make(root + 0.05, root, 0), NOWHERE), lab_sphere(0.5));
        vec3 before = lab_state(world, a).velocity;
        lab_totals first = lab_total(world);
        lab_step(world, 3000);
        lab_totals last = lab_total(world);
        vec3 change = vec3_sub(lab_state(world, a).velocity, before);
        vec3 normal = vec3_make(root, root, 0), along = vec3_make(root, -root, 0); // up to one step of the path
        double pushed = -vec3_dot(change, normal), rubbed = -vec3_dot(change, along);
        assert_relative(pushed, (1 + e) * 0.5 * root, 1e-2);
        assert_relative(rubbed, fmin(mu * pushed, root / 7), 1e-2);
        assert_vec3_near(last.momentum, first.momentum, 1e-12 * first.momentum_scale);
        assert_vec3_near(last.angular, first.angular, 1e-9 * last.angular_scale);
        scree_world_destroy(world);
    }
}

static scree_shape_def any_shape(random_stream *stream, int index)
{
    scree_shape_def shape = lab_box(random_between(stream, 0.2, 0.5), random_between(stream, 0.2, 0.5), 0.3);
    if (index % 3 == 1) {
        shape.type = SCREE_SHAPE_ELLIPSOID;
        shape.radii = shape.half;
    } else if (index % 3 == 2) {
        shape.type = SCREE_SHAPE_CAPSULE;
        shape.radius = 0.2;
        shape.half_length = 0.3;
    }
    return shape;
}

// Two bodies of any shape, turning, alone: momentum and angular momentum stay to rounding, energy does not grow.
static void test_any_two_bodies(void **state)
{
    (void)state;
    random_stream stream = {5};
    int collided = 0;
    for (int i = 0; i < 30; i++) {
        scree_world *world = ffd_world(1e-3, 0, 0.1 * (i % 7), 0.25 * (i % 5));
        for (int k = 0; k < 2; k++) {
            scree_body_def body = lab_body(vec3_make(1.1 * k, 0.2 * random_unit(&stream), 0.2 * random_unit(&stream)),
                                           vec3_make(k ? -1 : 1, 0, 0));
            body.spin = vec3_make(random_unit(&stream), random_unit(&stream), random_unit(&stream));
            body.orientation = quat_from_rotation(vec3_make(random_unit(&stream), 3 * random_unit(&stream), 0));
            lab_add(world, body, any_shape(&stream, i + k));
        }
        lab_totals first = lab_total(world);
        double energy = first.kinetic;
        for (int k = 0; k < 400; k++) {
            lab_step(world, 1);
            lab_totals now = lab_total(world);
            assert_vec3_near(now.momentum, first.momentum, 1e-10 * first.momentum_scale);
            assert_vec3_near(now.angular, first.angular, 1e-2 * first.angular_scale); // push-out moves them
            assert_at_most(now.kinetic, energy * (1 + 1e-5)); // turning freely, it swings by less than this
            collided += scree_world_figures(world).touching > 0;
            energy = fmax(now.kinetic, energy * (1 - 1e-5));
        }
        scree_world_destroy(world);
    }
    assert_at_least(collided, 30);
}

// A box that falls flat on a plate strikes with four corners at once, like two points.
static void test_flat_boxes_collide_like_points(void **state)
{
    (void)state;
    scree_world *world = ffd_world(1e-3, 0, 0.3, 0.5);
    scree_id a = lab_add(world, lab_body(vec3_make(0, 0, 0.6), vec3_make(0, 0, -1)), lab_box(0.5, 0.5, 0.5));
    scree_id b = lab_add(world, lab_body(NOWHERE, NOWHERE), lab_box(1, 1, 0.05));
    double ma = lab_info(world, a).mass, mb = lab_info(world, b).mass, common = -ma / (ma + mb);
    lab_step(world, 300);
    assert_near(lab_state(world, a).velocity.z, common + 0.5 * mb / (ma + mb), 1e-7);
    assert_near(lab_state(world, b).velocity.z, common - 0.5 * ma / (ma + mb), 1e-7);
    assert_vec3_near(lab_state(world, b).spin, NOWHERE, 1e-7);
    scree_world_destroy(world);
}

// ----------------------------------------------------------------------------------------------------- several bodies

// Five balls in a row that touch: the first stops, the last one goes.
static void test_cradle(void **state)
{
    (void)state;
    scree_world *world = ffd_world(1e-3, 0, 0, 1);
    scree_id ids[6];
    for (int i = 0; i < 6; i++)
        ids[i] =
            lab_add(world, lab_body(vec3_make(i + (i ? 0.3 : 0), 0, 0), vec3_make(i ? 0 : 1, 0, 0)), lab_sphere(0.5));
    lab_step(world, 1000);
    for (int i = 0; i < 6; i++)
        assert_near(lab_state(world, ids[i]).velocity.x, i == 5, 1e-6);
    scree_world_destroy(world);
}

// Pairs in a line share the body in between: four that run into it at once give it what one of four masses would have.
static void test_one_into_many(void **state)
{
    (void)state;
    scree_world *world = ffd_world(1e-3, 0, 0, 0);
    scree_id plate = lab_add(world, lab_body(vec3_make(0, 0, 0), vec3_make(1, 0, 0)), lab_box(0.1, 2, 2));
    for (int i = 0; i < 4; i++)
        lab_add(world, lab_body(vec3_make(0.8, i % 2 ? 1 : -1, i / 2 ? 1 : -1), NOWHERE), lab_sphere(0.5));
    lab_totals first = lab_total(world);
    lab_step(world, 500);
    lab_totals last = lab_total(world);
    assert_near(lab_state(world, plate).spin.y, 0, 1e-9);
    assert_relative(last.momentum.x, first.momentum.x, 0.2); // local: it does not know of all of them
    assert_at_most(last.kinetic, first.kinetic);
    scree_world_destroy(world);
}

// A crowd of balls or of boxes, every one of them in contact with several others: kinetic energy never grows.
static void check_crowd(bool boxes, double restitution, double friction)
{
    scree_world *world = ffd_world(0.005, 0, friction, restitution);
    random_stream stream = {17};
    enum { SIDE = 6 };
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        vec3 at = {0.205 * (i % SIDE), 0.205 * (i / SIDE % SIDE), 0.205 * (i / SIDE / SIDE)};
        vec3 velocity = {random_between(&stream, -2, 2), random_between(&stream, -2, 2),
                         random_between(&stream, -2, 2)};
        velocity = vec3_add_scaled(velocity, vec3_sub(at, vec3_make(0.5, 0.5, 0.5)), -4); // inwards
        lab_add(world, lab_body(at, velocity), boxes ? lab_box(0.1, 0.1, 0.1) : lab_sphere(0.1));
    }
    double energy = lab_total(world).kinetic;
    size_t most = 0;
    for (int i = 0; i < 100; i++) {
        lab_step(world, 1);
        double now = lab_total(world).kinetic;
        assert_at_most(now, energy * (1 + (boxes ? 1e-4 : 1e-9))); // boxes turn freely, which swings a little
        energy = now;
        size_t contacts = scree_world_figures(world).contacts;
        most = contacts > most ? contacts : most;
    }
    assert_at_least((double)most, SIDE * SIDE * SIDE);
    scree_world_destroy(world);
}

static void test_energy_is_never_created(void **state)
{
    (void)state;
    check_crowd(false, 0, 0.5);
    check_crowd(false, 1, 0);
    check_crowd(false, 0.7, 0.5);
    check_crowd(true, 0.5, 0.5);
}

// A dilute elastic gas, 1 % of the volume: energy stays but for the rare meetings of three, momentum but for the walls.
static void test_gas(void **state)
{
    (void)state;
    enum { SIDE = 8 };
    scree_world *world = ffd_world(0.01, 0, 0, 1);
    random_stream stream = {23};
    const vec3 inward[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    for (int i = 0; i < 6; i++)
        lab_add_fixed(world, NOWHERE, lab_plane(inward[i], i % 2 ? -SIDE : 0));
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        vec3 at = {0.5 + i % SIDE, 0.5 + i / SIDE % SIDE, 0.5 + i / SIDE / SIDE};
        vec3 velocity = {random_between(&stream, -1, 1), random_between(&stream, -1, 1),
                         random_between(&stream, -1, 1)};
        lab_add(world, lab_body(at, velocity), lab_sphere(0.13365));
    }
    lab_totals first = lab_total(world);
    vec3 from_walls = {0, 0, 0};
    double energy = first.kinetic;
    for (int i = 0; i < 400; i++) {
        lab_step(world, 1);
        for (scree_id wall = 1; wall <= 6; wall++)
            from_walls = vec3_sub(from_walls, lab_impulse_on(world, wall));
        double now = lab_total(world).kinetic;
        assert_at_most(now, energy * (1 + 1e-9));
        energy = now;
    }
    lab_totals last = lab_total(world);
    assert_relative(last.kinetic, first.kinetic, 2e-3);
    assert_vec3_near(vec3_sub(last.momentum, from_walls), first.momentum, 2e-3 * first.momentum_scale);
    scree_id ids[SIDE * SIDE * SIDE + 6];
    scree_world_body_ids(world, ids);
    for (int i = 6; i < SIDE * SIDE * SIDE + 6; i++) {
        vec3 at = lab_state(world, ids[i]).position;
        assert_at_least(fmin(at.x, fmin(at.y, at.z)), 0.13);
        assert_at_most(fmax(at.x, fmax(at.y, at.z)), SIDE - 0.13);
    }
    scree_world_destroy(world);
}

// ------------------------------------------------------------------------------------------------- with fixed bodies

static void test_ball_rebounds_to_e_squared(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        double e = i ? 1 : 0.8, h = 1e-3, drop = 1;
        scree_world *world = ffd_world(h, LAB_G, 0.5, e);
        lab_add_floor(world);
        scree_id id = lab_add(world, lab_body(vec3_make(0, 0, 0.5 + drop), NOWHERE), lab_sphere(0.5));
        double speed = 0;
        int n = 0;
        for (int k = 0; k < 5000 && n < 3; k++) {
            lab_step(world, 1);
            scree_state now = lab_state(world, id);
            if (speed > 0 && now.velocity.z <= 0) { // at the top
                n++;
                assert_relative(now.position.z - 0.5, drop * pow(e, 2 * n), 0.02);
            }
            speed = now.velocity.z;
        }
        assert_int_equal(n, 3);
        scree_world_destroy(world);
    }
}

// A ball without losses under gravity: with contact in the middle of a step, the energy of a bounce is exact.
static void test_bouncing_keeps_energy(void **state)
{
    (void)state;
    scree_world *world = ffd_world(0.005, LAB_G, 0.5, 1);
    lab_add_floor(world);
    lab_add(world, lab_body(vec3_make(0, 0, 1.5), NOWHERE), lab_sphere(0.5));
    scree_figures first = scree_world_figures(world);
    lab_step(world, 4000);
    scree_figures last = scree_world_figures(world);
    assert_relative(last.kinetic + last.potential, first.kinetic + first.potential, 1e-6);
    scree_world_destroy(world);
}

static void test_box_on_a_slope(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        double angle = i ? 0.6 : 0.3, mu = 0.5; // tan 0.3 < 0.5 < tan 0.6
        scree_world *world = ffd_world(0.002, LAB_G, mu, 0);
        lab_add_fixed(world, NOWHERE, lab_plane(vec3_make(sin(angle), 0, cos(angle)), 0));
        scree_body_def body = lab_body(vec3_make(0.2 * sin(angle), 0, 0.2 * cos(angle)), NOWHERE);
        body.orientation = (quat){cos(angle / 2), 0, sin(angle / 2), 0};
        scree_id id = lab_add(world, body, lab_box(0.4, 0.3, 0.2));
        lab_step(world, 500);
        vec3 first = lab_state(world, id).velocity;
        lab_step(world, 500);
        vec3 change = vec3_sub(lab_state(world, id).velocity, first);
        double gained = change.x * cos(angle) - change.z * sin(angle);
        assert_near(gained, i ? LAB_G * (sin(angle) - mu * cos(angle)) : 0, i ? 1e-4 : 1e-8);
        assert_near(lab_state(world, id).spin.y, 0, 1e-6);
        scree_world_destroy(world);
    }
}

// A ball that slides begins to roll at 5/7 of its speed; with rolling friction of arm s it then loses 5/7 g s / r.
static void test_ball_begins_to_roll(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        double arm = i ? 0.01 : 0, r = 0.5;
        scree_world *world = ffd_world(0.001, LAB_G, 0.3, 0);
        scree_material_def material = scree_default_material_def();
        material.friction = 0.3;
        material.rolling_friction = arm;
        lab_ok(scree_world_set_material(world, 0, &material, error));
        lab_add_floor(world);
        scree_body_def body = lab_body(vec3_make(0, 0, r), vec3_make(7, 0, 0));
        if (i) {
            body.velocity.x = 1;
            body.spin.y = 1 / r;
        }
        scree_id id = lab_add(world, body, lab_sphere(r));
        lab_step(world, 2000);
        scree_state now = lab_state(world, id);
        assert_relative(now.velocity.x, i ? 1 - 2 * LAB_G * arm / r * 5 / 7 : 5, 2e-3);
        assert_relative(now.spin.y * r, now.velocity.x, 1e-3); // it rests a little deeper than r
        scree_world_destroy(world);
    }
}

// A ball that sticks to a ceiling holds as long as its weight is less than the pull.
static void test_cohesion_carries(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        scree_world *world = ffd_world(0.005, LAB_G, 0.5, 0);
        scree_material_def material = scree_default_material_def();
        material.cohesion = 100;
        lab_ok(scree_world_set_material(world, 0, &material, error));
        lab_add_fixed(world, NOWHERE, lab_plane(vec3_make(0, 0, -1), 0));
        scree_body_def body = lab_body(vec3_make(0, 0, -0.4999), NOWHERE);
        body.mass = (i ? 105 : 95) / LAB_G;
        scree_id id = lab_add(world, body, lab_sphere(0.5));
        lab_step(world, 400);
        double fallen = -0.5 - lab_state(world, id).position.z;
        if (i)
            assert_at_least(fallen, 0.5);
        else
            assert_near(fallen, 0, 2e-3);
        scree_world_destroy(world);
    }
}

// ------------------------------------------------------------------------------------------------- rest and stacking

// Bodies know of their own contacts only, and of the impulses there in the last step: these build up over the steps,
// and what has sunk by then is pushed out slowly.
static void test_tower_stands(void **state)
{
    (void)state;
    enum { HEIGHT = 10 };
    scree_world *world = ffd_world(0.005, LAB_G, 0.5, 0);
    lab_add_floor(world);
    scree_id ids[HEIGHT];
    for (int i = 0; i < HEIGHT; i++)
        ids[i] = lab_add(world, lab_body(vec3_make(0, 0, 0.5 + i), NOWHERE), lab_box(0.5, 0.5, 0.5));
    lab_step(world, CHECK_SANITIZED ? 400 : 2000);
    for (int i = 0; i < HEIGHT; i++) {
        scree_state now = lab_state(world, ids[i]);
        assert_vec3_near(now.position, vec3_make(0, 0, 0.5 + i), CHECK_SANITIZED ? 0.1 : 0.03);
        assert_vec3_near(now.velocity, NOWHERE, 1e-4);
    }
    scree_world_destroy(world);
}

// A tower on a lift rides along, in both directions.
static void test_tower_on_a_lift(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        scree_world *world = ffd_world(0.005, LAB_G, 0.5, 0);
        scree_id lift = lab_add_fixed(world, vec3_make(0, 0, -0.5), lab_box(2, 2, 0.5)), ids[4];
        for (int k = 0; k < 4; k++)
            ids[k] = lab_add(world, lab_body(vec3_make(0, 0, 0.5 + k), NOWHERE), lab_box(0.5, 0.5, 0.5));
        lab_step(world, 400);
        scree_motion_def motion = scree_default_motion_def();
        motion.type = SCREE_MOTION_VELOCITY;
        motion.linear = vec3_make(0, 0, i ? 1 : -0.5);
        lab_set_motion(world, lift, motion);
        lab_step(world, 600);
        double top = lab_state(world, lift).position.z + 0.5;
        for (int k = 0; k < 4; k++) {
            assert_near(lab_state(world, ids[k]).position.z - top, 0.5 + k,
                        0.2); // it sinks while the load is on its way
            assert_near(lab_state(world, ids[k]).velocity.z, motion.linear.z, 1e-3);
        }
        scree_world_destroy(world);
    }
}

static void test_belt_carries(void **state)
{
    (void)state;
    scree_world *world = ffd_world(0.005, LAB_G, 0.5, 0);
    scree_id belt = lab_add_floor(world);
    scree_motion_def motion = scree_default_motion_def();
    motion.type = SCREE_MOTION_VELOCITY;
    motion.linear = vec3_make(0.5, 0.2, 0);
    lab_set_motion(world, belt, motion);
    scree_id id = lab_add(world, lab_body(vec3_make(0, 0, 0.2), NOWHERE), lab_box(0.4, 0.3, 0.2));
    lab_step(world, 400);
    assert_vec3_near(lab_state(world, id).velocity, motion.linear, 1e-6);
    scree_world_destroy(world);
}

static void test_heap_comes_to_rest(void **state)
{
    (void)state;
    const size_t count = CHECK_SANITIZED ? 100 : 200;
    scree_world *world = ffd_world(0.005, LAB_G, 0.5, 0);
    lab_add_container(world, 0.7);
    lab_add_heap(world, count, 0.7, true, 3);
    double first = scree_world_figures(world).potential;
    lab_step(world, 700);
    scree_figures now = scree_world_figures(world);
    assert_int_equal(now.bodies, count + 5);
    assert_at_most(now.kinetic, 1e-4 * first);
    assert_at_most(now.penetration_mean, 0.05);
    scree_id *ids = malloc(now.bodies * sizeof *ids);
    assert_non_null(ids);
    scree_world_body_ids(world, ids);
    for (size_t i = 5; i < now.bodies; i++) {
        vec3 at = lab_state(world, ids[i]).position;
        assert_at_least(at.z, 0);
        assert_at_most(fmax(fabs(at.x), fabs(at.y)), 0.7);
    }
    free(ids);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balls_collide_head_on),
        cmocka_unit_test(test_balls_collide_obliquely),
        cmocka_unit_test(test_any_two_bodies),
        cmocka_unit_test(test_flat_boxes_collide_like_points),
        cmocka_unit_test(test_cradle),
        cmocka_unit_test(test_one_into_many),
        cmocka_unit_test(test_energy_is_never_created),
        cmocka_unit_test(test_gas),
        cmocka_unit_test(test_ball_rebounds_to_e_squared),
        cmocka_unit_test(test_bouncing_keeps_energy),
        cmocka_unit_test(test_box_on_a_slope),
        cmocka_unit_test(test_ball_begins_to_roll),
        cmocka_unit_test(test_cohesion_carries),
        cmocka_unit_test(test_tower_stands),
        cmocka_unit_test(test_tower_on_a_lift),
        cmocka_unit_test(test_belt_carries),
        cmocka_unit_test(test_heap_comes_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
