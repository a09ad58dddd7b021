// Joints of a scene: every type is read, built and written back; overrides, probes and events speak of them.
#include "parse.h"

#include <stdio.h>

#include "scree/joint.h"

static const char bodies[] = "bodies:\n"
                             "  - {name: floor, fixed: true, shapes: [{type: plane, offset: -5}]}\n"
                             "  - {name: a, shapes: [{type: box}]}\n"
                             "  - {name: b, position: [1, 0, 0], shapes: [{type: box}]}\n"
                             "  - {name: c, position: [2, 0, 0], shapes: [{type: box}]}\n";

static const char joints[] =
    "joints:\n"
    "  - {name: ball, type: spherical, bodies: [world, a], position: [0, 0, 1], limits: [0, 0.5], friction: 2}\n"
    "  - {name: hinge, type: revolute, bodies: [a, b], position: [0.5, 0, 0], axis: [0, 2, 0],\n"
    "     motor: {speed: 3, max_force: 7}, limits: [-1, 2], break_torque: 9}\n"
    "  - {name: slide, type: prismatic, bodies: [a, c], axis: [1, 0, 0], motor: {position: 0.1, amplitude: 0.2, "
    "frequency: 3}}\n"
    "  - {type: cylindrical, bodies: [a, c], stiffness: 10, damping: 2, angular_stiffness: 4, angular_damping: 1}\n"
    "  - {type: planar, bodies: [floor, c], collide: true, axis_stiffness: 3, axis_damping: 0.5, rest: 0.1}\n"
    "  - {name: cross, type: universal, bodies: [b, c], axes: [[0, 1, 0], [0, 0, 1]]}\n"
    "  - {type: universal, bodies: [b, c], axis: [1, 0, 0]}\n"
    "  - {type: fixed, bodies: [c, world]}\n"
    "  - {type: distance, bodies: [a, b], positions: [[0, 0, 0], [1, 0, 0]], length: 1.5}\n"
    "  - {type: point_on_line, bodies: [a, b], axis: [0, 0, 1]}\n"
    "  - {type: spring, bodies: [world, b], positions: [[0, 0, 5], [1, 0, 0]], stiffness: 30, damping: 1, preload: 4}\n"
    "  - {type: torsion_spring, bodies: [a, b], stiffness: 3, angle: 0.4, preload: -1}\n"
    "  - {name: teeth, type: rack, joints: [hinge, slide], ratio: 0.25}\n";

static scree_scene *parse_joints(const char *more, const char *const *sets, size_t set_count)
{
    char text[8000];
    snprintf(text, sizeof text, "%s%s%s", bodies, joints, more);
    return parse_with(text, sets, set_count);
}

static scree_joint_state state_of(const scree_world *world, scree_id id)
{
    scree_joint_state state;
    assert_int_equal(scree_world_get_joint(world, id, &state, NULL), SCREE_OK);
    return state;
}

static void test_every_type_is_built(void **unused)
{
    (void)unused;
    scree_scene *scene = parse_joints("", NULL, 0);
    scree_world *world;
    scree_error error = {0};
    assert_int_equal(scene->joint_count, 13);
    if (scree_scene_build(scene, 1, &world, &error) != SCREE_OK)
        fail_msg("%s", error.message);
    assert_int_equal(scree_world_joint_count(world), 13);
    assert_int_equal(scree_scene_joint(scene, "hinge"), 2);
    assert_int_equal(scree_scene_joint(scene, "hing"), 0);
    assert_int_equal(scree_scene_joint(scene, "a"), 0);
    scree_joint_state hinge = state_of(world, scree_scene_joint(scene, "hinge"));
    assert_int_equal(hinge.type, SCREE_JOINT_REVOLUTE);
    assert_int_equal(hinge.bodies[0], scree_scene_body(scene, "a"));
    assert_int_equal(hinge.bodies[1], scree_scene_body(scene, "b"));
    assert_true(hinge.ends[1].x == 0.5);
    assert_int_equal(state_of(world, 1).bodies[0], 0);
    assert_true(state_of(world, 9).position == 1); // the ends stand 1 apart, whatever is wanted
    const scree_joint_def *defs[] = {&scene->joints[1].def, &scene->joints[2].def, &scene->joints[10].def};
    assert_true(defs[0]->motor.type == SCREE_MOTOR_SPEED && defs[0]->motor.target == 3 &&
                defs[0]->motor.max_force == 7);
    assert_true(defs[0]->low == -1 && defs[0]->high == 2 && defs[0]->break_torque == 9);
    assert_true(defs[1]->motor.type == SCREE_MOTOR_POSITION && defs[1]->motor.target == 0.1);
    assert_true(defs[1]->motor.amplitude == 0.2 && defs[1]->motor.frequency == 3);
    assert_true(defs[1]->motor.max_force == scree_default_motor_def().max_force);
    assert_true(defs[2]->stiffness == 30 && defs[2]->preload == 4 && defs[2]->length < 0);
    assert_int_equal(scree_world_step(world, 2, &error), SCREE_OK);
    scree_world_destroy(world);
    scree_scene_destroy(scene);
}

static void test_defaults_are_the_library_s(void **unused)
{
    (void)unused;
    scree_scene *scene = parse("bodies: [{name: a, shapes: [{type: box}]}]\n"
                               "joints: [{type: revolute, bodies: [world, a], motor: {speed: 0}}]\n");
    scree_joint_def made = scree_default_joint_def();
    const scree_joint_def *read = &scene->joints[0].def;
    assert_memory_equal(&read->position, &made.position, sizeof made.position);
    assert_memory_equal(&read->axis, &made.axis, sizeof made.axis);
    assert_true(read->stiffness == made.stiffness && read->damping == made.damping && read->friction == made.friction);
    assert_true(read->low == made.low && read->high == made.high && read->length == made.length);
    assert_true(read->break_force == made.break_force && read->break_torque == made.break_torque);
    assert_true(read->ratio == made.ratio && read->collide == made.collide && read->preload == made.preload);
    assert_true(read->motor.max_force == made.motor.max_force && read->motor.response == made.motor.response);
    scree_scene_destroy(scene);
}

static void test_written_back(void **unused)
{
    (void)unused;
    scree_scene *scene =
        parse_joints("output: {probes: [a, hinge]}\nevents: [{time: 1, remove: [ball, b]}]\n", NULL, 0);
    char *first, *second;
    assert_int_equal(scree_scene_text(scene, &first, NULL), SCREE_OK);
    scree_scene *again = parse(first);
    assert_int_equal(scree_scene_text(again, &second, NULL), SCREE_OK);
    assert_string_equal(first, second);
    assert_non_null(strstr(first, "    axes: [[0, 1, 0], [0, 0, 1]]\n"));
    assert_non_null(strstr(first, "    motor: {speed: 3, max_force: 7, "));
    assert_non_null(strstr(first, "    joints: [hinge, slide]\n"));
    assert_non_null(strstr(first, "  probes: [a, hinge]\n"));
    assert_non_null(strstr(first, "    remove: [ball, b]\n"));
    assert_int_equal(scene->joint_count, again->joint_count);
    scree_text_free(first);
    scree_text_free(second);
    scree_scene_destroy(scene);
    scree_scene_destroy(again);
}

static void test_overrides(void **unused)
{
    (void)unused;
    const char *sets[] = {"joints.1.motor.speed=-2", "joints.0.limits=[0, 0.25]", "joints.4.break_force=5"};
    scree_scene *scene = parse_joints("", sets, 3);
    assert_true(scene->joints[1].def.motor.target == -2);
    assert_true(scene->joints[0].def.high == 0.25);
    assert_true(scene->joints[4].def.break_force == 5);
    scree_scene_destroy(scene);
    const char *wrong[] = {"joints.1.motor.speed=fast"};
    char text[8000];
    snprintf(text, sizeof text, "%s%s", bodies, joints);
    assert_refused_with(text, wrong, 1,
                        "--set joints.1.motor.speed=fast: 'speed' must be a finite number, found 'fast'");
}

static void test_probes_and_events(void **unused)
{
    (void)unused;
    scree_scene *scene =
        parse_joints("output: {probes: [hinge, a]}\nevents: [{time: 1, remove: [ball, b]}]\n", NULL, 0);
    assert_true(scene->output.probes[0].joint == 2 && scene->output.probes[0].body == 0);
    assert_true(scene->output.probes[1].joint == 0 && scene->output.probes[1].body == 2);
    assert_true(scene->events[0].remove_joints[0] == 1 && scene->events[0].remove[0].count == 0);
    assert_true(scene->events[0].remove_joints[1] == 0 && scene->events[0].remove[1].first == 3);
    scree_scene_destroy(scene);
}

// What only the engine can judge is reported with the place of the joint.
static void test_refused_by_the_engine(void **unused)
{
    (void)unused;
    static const char *const cases[][2] = {
        {"{name: x, type: universal, bodies: [a, b], axes: [[0, 0, 1], [0, 1, 1]]}",
         "joint 'x': the two axes of a universal joint must be perpendicular to each other"},
        {"{name: x, type: fixed, bodies: [world, floor]}",
         "joint 'x': both bodies are fixed, one at least must be free to move"},
        {"{type: fixed, bodies: [a, a]}", "joint: its two bodies are the same, must be different"},
        {"{type: distance, bodies: [a, b], positions: [[0, 0, 0], [0, 0, 0]]}",
         "joint: a distance of 0 is no distance joint; a spherical joint holds two points together"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2000], message[400];
        snprintf(text, sizeof text, "%sjoints:\n  - %s\n", bodies, cases[i][0]);
        snprintf(message, sizeof message, "scene.yaml:7:5: %s", cases[i][1]);
        scree_scene *scene = parse(text);
        scree_world *world = NULL;
        scree_error error = {0};
        assert_int_equal(scree_scene_build(scene, 1, &world, &error), SCREE_ERROR_INVALID);
        assert_null(world);
        assert_string_equal(error.message, message);
        scree_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_type_is_built), cmocka_unit_test(test_defaults_are_the_library_s),
        cmocka_unit_test(test_written_back),        cmocka_unit_test(test_overrides),
        cmocka_unit_test(test_probes_and_events),   cmocka_unit_test(test_refused_by_the_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
