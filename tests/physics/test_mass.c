// Mass, centre and inertia: from shapes, from compounds, from overrides; and that bodies move by them. The world keeps
// moments of inertia in single precision: 1e-7 of their size is the tolerance wherever they enter.
#include "lab.h"

static const vec3 NOWHERE = {0, 0, 0};

static scree_world *weightless(double step)
{
    scree_world *world = lab_world(&LAB_GS_SINGLE, step, NOWHERE);
    lab_surface(world, 0.5, 0); // density 1000
    return world;
}

static scree_id add_compound(scree_world *world, scree_body_def body, const scree_shape_def *shapes, size_t count)
{
    scree_id id = 0;
    body.shapes = shapes;
    body.shape_count = count;
    lab_ok(scree_world_add_bodies(world, &body, 1, &id, error));
    return id;
}

// Ball: 4/3 pi r^3 rho, 2/5 m r^2. Box with half edges a, b, c: 8 abc rho, m/3 (b^2 + c^2) and so on.
static void test_mass_of_simple_shapes(void **state)
{
    (void)state;
    scree_world *world = weightless(0.01);
    scree_body_info ball = lab_info(world, lab_add(world, lab_body(NOWHERE, NOWHERE), lab_sphere(0.3)));
    double mass = 4.0 / 3 * LAB_PI * 0.027 * 1000, moment = 0.4 * mass * 0.09;
    assert_relative(ball.mass, mass, 1e-12);
    assert_vec3_near(ball.inertia, vec3_make(moment, moment, moment), 1e-7 * moment);
    assert_relative(ball.bounding_radius, 0.3, 1e-6);
    scree_body_info box =
        lab_info(world, lab_add(world, lab_body(vec3_make(5, 0, 0), NOWHERE), lab_box(0.1, 0.2, 0.4)));
    mass = 8 * 0.1 * 0.2 * 0.4 * 1000;
    assert_relative(box.mass, mass, 1e-12);
    assert_vec3_near(box.inertia, vec3_make(mass / 3 * 0.2, mass / 3 * 0.17, mass / 3 * 0.05), 1e-7 * mass);
    assert_relative(box.bounding_radius, sqrt(0.21), 1e-6);
    assert_vec3_near(box.frame, vec3_make(5, 0, 0), 1e-14);
    scree_body_info floor = lab_info(world, lab_add_floor(world));
    assert_true(floor.fixed && isinf(floor.mass) && isinf(floor.inertia.x) && isinf(floor.bounding_radius));
    scree_world_destroy(world);
}

// Two equal balls at +-d on the local x axis: moments 2 (2/5 m r^2) along and 2 (2/5 m r^2 + m d^2) across (Steiner).
// Two unequal ones have their centre of mass at the weighted mean, and turn about it when pushed there.
static void test_dumbbell(void **state)
{
    (void)state;
    const double h = 0.01, r = 0.1, d = 0.3;
    scree_world *world = weightless(h);
    scree_shape_def shapes[2] = {lab_sphere(r), lab_sphere(r)};
    shapes[0].position = vec3_make(-d, 0, 0);
    shapes[1].position = vec3_make(d, 0, 0);
    scree_id even = add_compound(world, lab_body(NOWHERE, NOWHERE), shapes, 2);
    double m = 4.0 / 3 * LAB_PI * r * r * r * 1000;
    double along = 0.8 * m * r * r, across = along + 2 * m * d * d;
    scree_body_info info = lab_info(world, even);
    assert_relative(info.mass, 2 * m, 1e-12);
    assert_int_equal(info.shape_count, 2);
    assert_vec3_near(info.inertia, vec3_make(along, across, across), 1e-7 * across);
    assert_relative(info.bounding_radius, d + r, 1e-6);

    shapes[1].radius = 2 * r; // eight times the mass
    scree_body_def body = lab_body(vec3_make(0, 4, 0), NOWHERE);
    body.orientation = quat_from_rotation(vec3_make(0, 0, LAB_PI / 2));
    scree_id odd = add_compound(world, body, shapes, 2);
    double offset = (8 * d - d) / 9;
    assert_vec3_near(lab_state(world, odd).position, vec3_make(0, 4 + offset, 0), 1e-12);
    assert_vec3_near(lab_info(world, odd).frame, vec3_make(0, 4, 0), 1e-12);

    // A torque for one step, then a quarter turn of free rotation: the centre of mass rests, the frame circles it.
    vec3 force = NOWHERE, torque = {0, 0, 1};
    lab_ok(scree_world_apply_forces(world, &even, &force, &torque, 1, error));
    lab_step(world, 1);
    assert_relative(lab_state(world, even).spin.z, h / across, 1e-7);
    scree_state now = lab_state(world, odd);
    now.spin = vec3_make(0, 0, 1);
    lab_ok(scree_world_set_states(world, &odd, 1, &now, error));
    int quarter = 157;
    lab_step(world, quarter);
    now = lab_state(world, odd);
    assert_vec3_near(now.position, vec3_make(0, 4 + offset, 0), 1e-12);
    assert_vec3_near(now.spin, vec3_make(0, 0, 1), 1e-12);
    vec3 arm = quat_rotate(quat_from_rotation(vec3_make(0, 0, quarter * h)), vec3_make(0, -offset, 0));
    assert_vec3_near(lab_info(world, odd).frame, vec3_add(now.position, arm), 1e-9);
    scree_world_destroy(world);
}

// An L of two bars has products of inertia: its principal moments must equal those of the tensor written out here, and
// a free spin must keep the angular momentum that this tensor gives.
static void test_compound_with_products_of_inertia(void **state)
{
    (void)state;
    scree_world *world = weightless(0.002);
    scree_shape_def bars[2] = {lab_box(0.3, 0.1, 0.1), lab_box(0.1, 0.1, 0.3)};
    bars[0].position = vec3_make(0.2, 0, 0);
    bars[1].position = vec3_make(0, 0, 0.4);
    scree_body_def body = lab_body(NOWHERE, NOWHERE);
    body.spin = vec3_make(1, 2, 3);
    scree_id id = add_compound(world, body, bars, 2);
    // Equal masses m; centre (0.1, 0, 0.2); arms of the bars' centres (0.1, 0, -0.2) and (-0.1, 0, 0.2).
    double m = 8 * 0.3 * 0.1 * 0.1 * 1000, own = m / 3;
    mat3 tensor = {{{own * (0.02 + 0.10) + 2 * m * 0.04, 0, 2 * m * 0.02},
                    {0, own * (0.10 + 0.10) + 2 * m * 0.05, 0},
                    {2 * m * 0.02, 0, own * (0.10 + 0.02) + 2 * m * 0.01}}};
    double mean = (tensor.m[0][0] + tensor.m[2][2]) / 2, half = (tensor.m[0][0] - tensor.m[2][2]) / 2;
    double spread = hypot(half, tensor.m[0][2]);
    vec3 found = lab_info(world, id).inertia;
    double low = fmin(found.x, fmin(found.y, found.z)), high = vec3_max(found);
    assert_relative(low, mean - spread, 1e-7);
    assert_relative(high, fmax(mean + spread, tensor.m[1][1]), 1e-7);
    assert_relative(found.x + found.y + found.z, 2 * mean + tensor.m[1][1], 1e-7);

    vec3 start = mat3_apply(&tensor, body.spin);
    for (int i = 0; i < 20; i++) {
        lab_step(world, 50);
        scree_state now = lab_state(world, id);
        vec3 local = quat_rotate_back(now.orientation, now.spin);
        vec3 momentum = quat_rotate(now.orientation, mat3_apply(&tensor, local));
        assert_vec3_near(momentum, start, 2e-7 * vec3_length(start));
    }
    assert_vec3_near(lab_state(world, id).position, vec3_make(0.1, 0, 0.2), 1e-12);
    scree_world_destroy(world);
}

// A given mass scales the inertia of the shapes; a given inertia and centre are taken as they are.
static void test_overrides(void **state)
{
    (void)state;
    const double h = 0.01;
    scree_world *world = weightless(h);
    scree_body_def body = lab_body(NOWHERE, NOWHERE);
    body.mass = 3;
    scree_id heavy = lab_add(world, body, lab_sphere(0.5));
    assert_near(lab_info(world, heavy).mass, 3, 0);
    assert_vec3_near(lab_info(world, heavy).inertia, vec3_make(0.3, 0.3, 0.3), 1e-7);

    body.position = vec3_make(0, 5, 0);
    body.inertia = vec3_make(1, 2, 4);
    scree_id shaped = lab_add(world, body, lab_sphere(0.5));
    assert_vec3_near(lab_info(world, shaped).inertia, vec3_make(1, 2, 4), 0);

    body.position = vec3_make(0, 10, 0);
    body.has_center = true;
    body.center = vec3_make(0.2, -0.1, 0.3);
    scree_id eccentric = lab_add(world, body, lab_sphere(0.5));
    assert_vec3_near(lab_state(world, eccentric).position, vec3_make(0.2, 9.9, 0.3), 1e-14);
    assert_vec3_near(lab_info(world, eccentric).frame, vec3_make(0, 10, 0), 1e-14);
    assert_relative(lab_info(world, eccentric).bounding_radius, sqrt(0.14) + 0.5, 1e-6);

    const scree_id ids[3] = {heavy, shaped, eccentric};
    const vec3 forces[3] = {{6, 0, 0}, {6, 0, 0}, {6, 0, 0}}, torques[3] = {{0, 1, 0}, {0, 1, 0}, {0, 0, 1}};
    lab_ok(scree_world_apply_forces(world, ids, forces, torques, 3, error));
    lab_step(world, 1);
    for (int i = 0; i < 3; i++)
        assert_vec3_near(lab_state(world, ids[i]).velocity, vec3_make(6 * h / 3, 0, 0), 1e-14);
    assert_vec3_near(lab_state(world, heavy).spin, vec3_make(0, h / 0.3, 0), 1e-7);
    assert_vec3_near(lab_state(world, shaped).spin, vec3_make(0, h / 2, 0), 1e-12);
    assert_vec3_near(lab_state(world, eccentric).spin, vec3_make(0, 0, h / 4), 1e-12);
    scree_world_destroy(world);
}

// A ball whose centre of mass lies low is a tumbler: laid on its side it rocks about the upright and does not fall
// over.
static void test_low_center_rights_itself(void **state)
{
    (void)state;
    scree_world *world = lab_world(&LAB_GS_DOUBLE, 0.002, vec3_make(0, 0, -LAB_G));
    lab_surface(world, 0.8, 0);
    lab_add_floor(world);
    scree_body_def body = lab_body(vec3_make(0, 0, 0.5), NOWHERE);
    body.orientation = quat_from_rotation(vec3_make(0, 0.5, 0));
    body.has_center = true;
    body.center = vec3_make(0, 0, -0.2);
    scree_id id = lab_add(world, body, lab_sphere(0.5));
    double m = lab_info(world, id).mass, moment = lab_info(world, id).inertia.y;
    // Rolling pendulum with arm e below the geometric centre at radius R: for small angles
    // omega^2 = m g e / (I + m (R - e)^2); at 0.5 rad the period is longer by a few per cent.
    double period = 2 * LAB_PI / sqrt(m * LAB_G * 0.2 / (moment + m * 0.09));
    double last = 0.5, crossing[2] = {0, 0};
    int crossings = 0;
    for (int i = 1; i <= 3000 && crossings < 2; i++) {
        lab_step(world, 1);
        vec3 up = quat_rotate(lab_state(world, id).orientation, vec3_make(0, 0, 1));
        assert_at_most(fabs(up.x), sin(0.5) + 1e-3);
        if (last * up.x < 0)
            crossing[crossings++] = 0.002 * i;
        last = up.x;
    }
    assert_int_equal(crossings, 2);
    assert_relative(2 * (crossing[1] - crossing[0]), period, 0.06);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mass_of_simple_shapes),
        cmocka_unit_test(test_dumbbell),
        cmocka_unit_test(test_compound_with_products_of_inertia),
        cmocka_unit_test(test_overrides),
        cmocka_unit_test(test_low_center_rights_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
