// The public interface of joints: what is refused, ids, what goes when something is removed, who may touch whom, and
// snapshots that go on with the same bits.
#include "joint_lab.h"

#include <string.h>

#include "step/snapshot.h"

static const vec3 ORIGIN = {0, 0, 0}, Z = {0, 0, 1};

typedef struct stage {
    scree_world *world;
    scree_id floor, a, b, c;
} stage;

static stage set_stage(void)
{
    stage set = {.world = joint_world(0.005, vec3_make(0, 0, -LAB_G))};
    set.floor = lab_add_fixed(set.world, vec3_make(0, 0, -5), lab_box(1, 1, 1));
    set.a = lab_add(set.world, lab_body(ORIGIN, ORIGIN), lab_box(0.5, 0.3, 0.2));
    set.b = lab_add(set.world, lab_body(vec3_make(1, 0, 0), ORIGIN), lab_box(0.5, 0.3, 0.2));
    set.c = lab_add(set.world, lab_body(vec3_make(2, 0, 0), ORIGIN), lab_box(0.5, 0.3, 0.2));
    return set;
}

// ---------------------------------------------------------------------------------------------------------- refusals

static void expect_refused(scree_world *world, const scree_joint_def *def, const char *word, int line)
{
    scree_error error = {0};
    size_t before = scree_world_joint_count(world);
    scree_status status = scree_world_add_joints(world, def, 1, NULL, &error);
    if (status == SCREE_ERROR_INVALID && strstr(error.message, word) && scree_world_joint_count(world) == before &&
        scree_world_add_joints(world, def, 1, NULL, NULL) == SCREE_ERROR_INVALID)
        return;
    print_error("status %d, message \"%s\", expected a word of \"%s\"\n", (int)status, error.message, word);
    _fail(__FILE__, line);
}

#define REFUSE(of_type, change, word)                                                                                  \
    do {                                                                                                               \
        scree_joint_def def = lab_joint(of_type, set.a, set.b, vec3_make(0.5, 0, 0), Z);                               \
        def.positions[1] = vec3_make(1, 0, 0);                                                                         \
        change;                                                                                                        \
        expect_refused(set.world, &def, word, __LINE__);                                                               \
    } while (0)

static void test_refusals(void **state)
{
    (void)state;
    stage set = set_stage();
    REFUSE(SCREE_JOINT_TYPES, (void)0, "type");
    REFUSE(SCREE_JOINT_FIXED, def.bodies[1] = 99, "body 99 does not exist");
    REFUSE(SCREE_JOINT_FIXED, def.bodies[1] = set.a, "the same");
    REFUSE(SCREE_JOINT_FIXED, def.bodies[0] = set.floor; def.bodies[1] = 0, "both bodies are fixed");
    REFUSE(SCREE_JOINT_REVOLUTE, def.axis = ORIGIN, "axis");
    REFUSE(SCREE_JOINT_REVOLUTE, def.axis.x = CHECK_NAN, "axis");
    REFUSE(SCREE_JOINT_REVOLUTE, def.position.y = CHECK_INFINITY, "position");
    REFUSE(SCREE_JOINT_SPRING, def.positions[1].y = CHECK_NAN, "position");
    REFUSE(SCREE_JOINT_REVOLUTE, def.position.z = -1e16, "position");
    REFUSE(SCREE_JOINT_SPRING, def.positions[0].x = 1e30, "position");
    REFUSE(SCREE_JOINT_SPRING, def.length = 1e300, "length");
    REFUSE(SCREE_JOINT_UNIVERSAL, def.second_axis = vec3_make(1, 0, 0.1), "perpendicular");
    REFUSE(SCREE_JOINT_UNIVERSAL, def.second_axis = ORIGIN, "perpendicular");
    REFUSE(SCREE_JOINT_DISTANCE, def.positions[1] = ORIGIN, "spherical");
    REFUSE(SCREE_JOINT_DISTANCE, def.length = 0, "spherical");
    REFUSE(SCREE_JOINT_SPRING, def.length = CHECK_NAN, "length");
    REFUSE(SCREE_JOINT_SPRING, def.stiffness = -1, "stiffness");
    REFUSE(SCREE_JOINT_SPRING, def.stiffness = CHECK_INFINITY, "stiffness");
    REFUSE(SCREE_JOINT_SPRING, def.damping = CHECK_NAN, "damping");
    REFUSE(SCREE_JOINT_FIXED, def.angular_stiffness = -1, "angular stiffness");
    REFUSE(SCREE_JOINT_FIXED, def.angular_damping = -1, "angular damping");
    REFUSE(SCREE_JOINT_REVOLUTE, def.axis_stiffness = -1, "axis stiffness");
    REFUSE(SCREE_JOINT_REVOLUTE, def.axis_damping = CHECK_NAN, "axis damping");
    REFUSE(SCREE_JOINT_REVOLUTE, def.rest = CHECK_INFINITY, "rest");
    REFUSE(SCREE_JOINT_FIXED, def.axis_stiffness = 1, "free axis");
    REFUSE(SCREE_JOINT_SPHERICAL, def.axis_damping = 1, "free axis");
    REFUSE(SCREE_JOINT_TORSION_SPRING, def.axis_stiffness = 1, "free axis");
    REFUSE(SCREE_JOINT_SPRING, def.preload = CHECK_INFINITY, "preload");
    REFUSE(SCREE_JOINT_REVOLUTE, def.friction = -1, "friction");
    REFUSE(SCREE_JOINT_FIXED, def.friction = 1, "friction");
    REFUSE(SCREE_JOINT_REVOLUTE, def.break_force = 0, "break");
    REFUSE(SCREE_JOINT_REVOLUTE, def.break_torque = CHECK_NAN, "break");
    REFUSE(SCREE_JOINT_REVOLUTE, def.low = 1; def.high = 0.5, "limits");
    REFUSE(SCREE_JOINT_REVOLUTE, def.low = CHECK_NAN, "limits");
    REFUSE(SCREE_JOINT_FIXED, def.low = 0; def.high = 1, "limits");
    REFUSE(SCREE_JOINT_SPHERICAL, def.low = -1; def.high = 1, "lower limit");
    REFUSE(SCREE_JOINT_SPHERICAL, def.motor.type = SCREE_MOTOR_SPEED, "motor");
    REFUSE(SCREE_JOINT_FIXED, def.motor.type = SCREE_MOTOR_SPEED, "motor");
    REFUSE(SCREE_JOINT_REVOLUTE, def.motor.type = (scree_motor_type)9, "motor");
    REFUSE(SCREE_JOINT_REVOLUTE, def.motor.type = SCREE_MOTOR_SPEED; def.motor.max_force = 0, "force limit");
    REFUSE(SCREE_JOINT_REVOLUTE, def.motor.type = SCREE_MOTOR_SPEED; def.motor.target = CHECK_NAN, "target");
    REFUSE(SCREE_JOINT_REVOLUTE, def.motor.type = SCREE_MOTOR_POSITION; def.motor.response = -1, "response");
    scree_world_destroy(set.world);
}

static void test_gear_refusals(void **state)
{
    (void)state;
    stage set = set_stage();
    const scree_joint_type types[] = {SCREE_JOINT_REVOLUTE, SCREE_JOINT_PRISMATIC, SCREE_JOINT_FIXED};
    scree_id d = lab_add(set.world, lab_body(vec3_make(9, 0, 0), ORIGIN), lab_sphere(0.1));
    scree_id joints[4];
    for (int i = 0; i < 3; i++) {
        scree_joint_def def = lab_joint(types[i], set.a, set.b, ORIGIN, Z);
        joints[i] = lab_add_joint(set.world, &def);
    }
    scree_joint_def far = lab_joint(SCREE_JOINT_REVOLUTE, set.c, d, ORIGIN, Z);
    joints[3] = lab_add_joint(set.world, &far);
    REFUSE(SCREE_JOINT_GEAR, (void)0, "joint 0 does not exist");
    REFUSE(SCREE_JOINT_GEAR, def.joints[0] = joints[0]; def.joints[1] = 77, "joint 77 does not exist");
    REFUSE(SCREE_JOINT_GEAR, def.joints[0] = def.joints[1] = joints[0], "the same");
    REFUSE(SCREE_JOINT_GEAR, def.joints[0] = joints[0]; def.joints[1] = joints[1], "two joints that turn");
    REFUSE(SCREE_JOINT_GEAR, def.joints[0] = joints[0]; def.joints[1] = joints[2], "two joints that turn");
    REFUSE(SCREE_JOINT_RACK, def.joints[0] = joints[1]; def.joints[1] = joints[0], "the first");
    REFUSE(SCREE_JOINT_GEAR, def.joints[0] = joints[0]; def.joints[1] = joints[3], "in common");
    REFUSE(SCREE_JOINT_RACK, def.joints[0] = joints[0]; def.joints[1] = joints[1]; def.ratio = 0, "ratio");
    REFUSE(SCREE_JOINT_RACK, def.joints[0] = joints[0]; def.joints[1] = joints[1]; def.friction = 1, "friction");
    scree_joint_state unused;
    scree_error why = {0};
    assert_int_equal(scree_world_get_joint(set.world, 55, &unused, &why), SCREE_ERROR_INVALID);
    assert_non_null(strstr(why.message, "joint 55"));
    scree_motor_def motor = scree_default_motor_def();
    motor.type = SCREE_MOTOR_SPEED;
    assert_int_equal(scree_world_set_motor(set.world, 55, &motor, NULL), SCREE_ERROR_INVALID);
    assert_int_equal(scree_world_set_motor(set.world, joints[2], &motor, NULL), SCREE_ERROR_INVALID);
    scree_world_destroy(set.world);
}

// --------------------------------------------------------------------------------------------------- ids and removal

static void test_ids_are_never_used_again(void **state)
{
    (void)state;
    stage set = set_stage();
    scree_joint_def defs[3];
    scree_id ids[3], listed[8];
    for (int i = 0; i < 3; i++)
        defs[i] = lab_joint(SCREE_JOINT_SPHERICAL, 0, i == 0 ? set.a : i == 1 ? set.b : set.c, ORIGIN, Z);
    lab_ok(scree_world_add_joints(set.world, defs, 3, ids, error));
    assert_int_equal(scree_world_joint_count(set.world), 3);
    scree_error why = {0};
    scree_id wrong[2] = {ids[0], ids[0]};
    assert_int_equal(scree_world_remove_joints(set.world, wrong, 2, &why), SCREE_ERROR_INVALID);
    assert_non_null(strstr(why.message, "twice"));
    wrong[1] = 99;
    assert_int_equal(scree_world_remove_joints(set.world, wrong, 2, &why), SCREE_ERROR_INVALID);
    assert_non_null(strstr(why.message, "99 does not exist"));
    assert_int_equal(scree_world_joint_count(set.world), 3);
    lab_ok(scree_world_remove_joints(set.world, &ids[1], 1, error));
    assert_false(scree_world_has_joint(set.world, ids[1]));
    assert_true(scree_world_has_joint(set.world, ids[2]));
    scree_id added = lab_add_joint(set.world, &defs[1]);
    assert_true(added > ids[2]);
    scree_world_joint_ids(set.world, listed);
    assert_int_equal(listed[0], ids[0]);
    assert_int_equal(listed[1], ids[2]);
    assert_int_equal(listed[2], added);
    scree_world_destroy(set.world);
}

// The joints of a body go with it, and the gears of those joints.
static void test_removed_bodies_take_their_joints(void **state)
{
    (void)state;
    stage set = set_stage();
    scree_joint_def def = lab_joint(SCREE_JOINT_REVOLUTE, 0, set.a, ORIGIN, Z);
    scree_id first = lab_add_joint(set.world, &def);
    def = lab_joint(SCREE_JOINT_REVOLUTE, set.a, set.b, ORIGIN, Z);
    scree_id second = lab_add_joint(set.world, &def);
    def = lab_joint(SCREE_JOINT_REVOLUTE, 0, set.c, ORIGIN, Z);
    scree_id third = lab_add_joint(set.world, &def);
    def = lab_joint(SCREE_JOINT_GEAR, 0, 0, ORIGIN, Z);
    def.joints[0] = first;
    def.joints[1] = third;
    scree_id gear = lab_add_joint(set.world, &def);
    def.joints[0] = third;
    def.joints[1] = first;
    scree_id other = lab_add_joint(set.world, &def);
    lab_ok(scree_world_remove_joints(set.world, &other, 1, error));
    lab_ok(scree_world_remove_bodies(set.world, &set.a, 1, error));
    assert_false(scree_world_has_joint(set.world, first));
    assert_false(scree_world_has_joint(set.world, second));
    assert_false(scree_world_has_joint(set.world, gear));
    assert_true(scree_world_has_joint(set.world, third));
    assert_int_equal(scree_world_joint_count(set.world), 1);
    joint_steps(set.world, 3);
    scree_world_destroy(set.world);
}

// Positions are in the user's frame of the world, wherever the centre of mass is and however the body is turned.
static void test_frames(void **state)
{
    (void)state;
    scree_world *world = joint_world(0.005, vec3_make(0, 0, -LAB_G));
    scree_shape_def shapes[2] = {lab_box(0.5, 0.1, 0.1), lab_sphere(0.2)};
    shapes[1].position = vec3_make(0.4, 0.3, 0.1);
    scree_body_def body = lab_body(vec3_make(1, 2, 3), ORIGIN);
    body.orientation = quat_from_rotation(vec3_make(0.4, -0.3, 1));
    body.shapes = shapes;
    body.shape_count = 2;
    scree_id lump;
    lab_ok(scree_world_add_bodies(world, &body, 1, &lump, error));
    scree_joint_def def = lab_joint(SCREE_JOINT_FIXED, lump, 0, vec3_make(1.5, 2, 3), vec3_make(0, 1, 0));
    scree_id id = lab_add_joint(world, &def);
    scree_joint_state at = lab_joint_state(world, id);
    assert_vec3_near(at.ends[0], vec3_make(1.5, 2, 3), 1e-13);
    assert_vec3_near(at.ends[1], vec3_make(1.5, 2, 3), 1e-13);
    scree_state before = lab_state(world, lump);
    joint_steps(world, 20);
    assert_vec3_near(lab_state(world, lump).position, before.position, 1e-12);
    double weight = lab_info(world, lump).mass * LAB_G;
    at = lab_joint_state(world, id); // the world is the second body: it is pulled down, about the joint
    vec3 lever = vec3_sub(before.position, vec3_make(1.5, 2, 3));
    assert_vec3_near(at.force, vec3_make(0, 0, -weight), 1e-8 * weight);
    assert_vec3_near(at.torque, vec3_cross(lever, vec3_make(0, 0, -weight)), 1e-8 * weight);
    assert_vec3_near(vec3_make(0, 0, at.local_force.z), ORIGIN, 1e-8 * weight); // the axis is level
    scree_world_destroy(world);
}

// ------------------------------------------------------------------------------------------------------- collisions

static void test_joined_bodies_do_not_touch_unless_asked(void **state)
{
    (void)state;
    stage set = set_stage(); // a and b touch, b and c touch
    scree_joint_def def = lab_joint(SCREE_JOINT_SPRING, set.a, set.b, ORIGIN, Z);
    def.positions[1] = vec3_make(1, 0, 0);
    def.break_force = 1e9;
    scree_id spring = lab_add_joint(set.world, &def);
    lab_step(set.world, 1);
    size_t count, alone;
    scree_contact *contacts = lab_contacts(set.world, &alone);
    for (size_t i = 0; i < alone; i++)
        assert_true(contacts[i].a != set.a && contacts[i].b != set.a);
    assert_true(alone > 0);
    free(contacts);
    lab_ok(scree_world_remove_joints(set.world, &spring, 1, error));
    def.collide = true;
    lab_add_joint(set.world, &def);
    lab_step(set.world, 1);
    free(lab_contacts(set.world, &count));
    assert_true(count > alone);
    scree_world_destroy(set.world);
}

// -------------------------------------------------------------------------------------------------------- snapshots

static scree_world *busy_world(void)
{
    stage set = set_stage();
    scree_joint_def def = lab_joint(SCREE_JOINT_REVOLUTE, 0, set.a, vec3_make(-0.5, 0, 0), vec3_make(0, 1, 0));
    def.friction = 3;
    def.low = -1.2;
    def.high = 9;
    def.break_force = 1e7;
    scree_id first = lab_add_joint(set.world, &def);
    def = lab_joint(SCREE_JOINT_UNIVERSAL, set.a, set.b, vec3_make(0.5, 0, 0), Z);
    def.second_axis = vec3_make(0, 1, 0);
    def.motor = (scree_motor_def){SCREE_MOTOR_POSITION, 0.2, 500, 0.3, 1, 0.1, 0};
    lab_add_joint(set.world, &def);
    def = lab_joint(SCREE_JOINT_DISTANCE, set.b, set.c, ORIGIN, Z);
    def.positions[0] = vec3_make(1.5, 0, 0);
    def.positions[1] = vec3_make(2.2, 0, 0.1);
    lab_add_joint(set.world, &def);
    def = lab_joint(SCREE_JOINT_PRISMATIC, 0, set.c, vec3_make(2, 0, 0), Z);
    def.low = -0.5;
    def.high = 0.5;
    def.stiffness = 1e5;
    scree_id slide = lab_add_joint(set.world, &def);
    def = lab_joint(SCREE_JOINT_RACK, 0, 0, ORIGIN, Z);
    def.joints[0] = first;
    def.joints[1] = slide;
    def.ratio = -0.4;
    lab_add_joint(set.world, &def);
    return set.world;
}

static void test_snapshot_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    scree_world *whole = busy_world();
    for (int round = 0; round < 6; round++) {
        joint_steps(whole, 17);
        snapshot taken;
        scree_world *again;
        lab_ok(snapshot_take(whole, &taken, error));
        lab_ok(snapshot_restore(&taken, 1, &again, error));
        snapshot_release(&taken);
        for (int i = 0; i < 20; i++) {
            joint_step(whole);
            joint_step(again);
            assert_true(scree_world_hash(whole) == scree_world_hash(again));
        }
        assert_int_equal(scree_world_joint_count(again), scree_world_joint_count(whole));
        for (scree_id id = 1; id <= 5; id++) {
            scree_joint_state a = lab_joint_state(whole, id), b = lab_joint_state(again, id);
            assert_memory_equal(&a.force, &b.force, 4 * sizeof(vec3));
            assert_true(a.position == b.position && a.speed == b.speed && a.type == b.type);
        }
        size_t bytes = JOINT_ROWS * sizeof(double); // the warm start
        for (size_t i = 0; i < whole->joints.list.count; i++)
            assert_memory_equal(whole->joints.list.data[i].impulse, again->joints.list.data[i].impulse, bytes);
        assert_int_equal(whole->joints.last_id, again->joints.last_id);
        scree_world_destroy(whole);
        whole = again;
    }
    scree_world_destroy(whole);
}

// Every word and number of every joint damaged in turn: refused, or a world that can be stepped and read.
static void test_damaged_snapshots_do_no_harm(void **state)
{
    (void)state;
    scree_world *world = busy_world();
    joint_steps(world, 5);
    snapshot taken;
    lab_ok(snapshot_take(world, &taken, error));
    const uint64_t bad[] = {0, 1, 3, 12, UINT64_MAX, 0x7ff8000000000000u, 0x7ff0000000000000u, 0xfff0000000000000u};
    size_t refused = 0, accepted = 0;
    for (size_t f = 0; f < taken.count; f++) {
        snapshot_field *field = &taken.fields[f];
        if (strncmp(field->name, "joint", 5) != 0)
            continue;
        size_t count = field->rows * field->columns;
        uint64_t *copy = malloc((count + 1) * sizeof *copy);
        const void *original = field->data;
        memcpy(copy, original, count * sizeof *copy);
        field->data = copy;
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
                uint64_t saved = copy[i];
                copy[i] = bad[k];
                scree_world *again = NULL;
                scree_error why = {0};
                scree_status status = snapshot_restore(&taken, 1, &again, &why);
                assert_true(status == SCREE_OK || (status == SCREE_ERROR_INVALID && why.message[0]));
                refused += status == SCREE_ERROR_INVALID;
                if (status == SCREE_OK) {
                    accepted++;
                    scree_joint_state unused;
                    for (scree_id id = 1; id <= 5; id++)
                        scree_world_get_joint(again, id, &unused, NULL);
                    joint_rows made;
                    arena_reset(&again->scratch);
                    step_problem problem = joint_problem(again);
                    lab_ok(joints_make_rows(&problem, &again->scratch, &made, error));
                    joints_finish(&problem, &made, NULL);
                    scree_world_destroy(again);
                }
                copy[i] = saved;
            }
        field->data = original;
        free(copy);
    }
    assert_true(refused > 800 && accepted > 100);
    snapshot_release(&taken);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_gear_refusals),
        cmocka_unit_test(test_ids_are_never_used_again),
        cmocka_unit_test(test_removed_bodies_take_their_joints),
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_joined_bodies_do_not_touch_unless_asked),
        cmocka_unit_test(test_snapshot_goes_on_with_the_same_bits),
        cmocka_unit_test(test_damaged_snapshots_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
