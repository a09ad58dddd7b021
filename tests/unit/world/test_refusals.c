// Every input that the public headers exclude is refused with SCREE_ERROR_INVALID and a one-line message, and changes
// nothing.
#include "../../physics/lab.h"

#include <string.h>

static const vec3 NOWHERE = {0, 0, 0};
static const double BAD[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};

typedef struct fingerprint {
    uint64_t hash;
    size_t bodies, materials;
    scree_id last;
} fingerprint;

static fingerprint fingerprint_of(const scree_world *world)
{
    fingerprint print = {scree_world_hash(world), scree_world_body_count(world), scree_world_material_count(world), 0};
    while (scree_world_has_body(world, print.last + 1))
        print.last++;
    return print;
}

static void check_refused(const scree_world *world, const fingerprint *before, scree_status status,
                          const scree_error *given, const char *call, int line)
{
    fingerprint after = fingerprint_of(world);
    bool silent = given->message[0] == '\0' || given->status != SCREE_ERROR_INVALID || strchr(given->message, '\n');
    bool changed = after.hash != before->hash || after.bodies != before->bodies ||
                   after.materials != before->materials || after.last != before->last;
    if (status == SCREE_ERROR_INVALID && !silent && !changed)
        return;
    print_error("%s: status %d, message \"%s\"%s\n", call, (int)status, given->message,
                changed ? ", and the world was changed" : "");
    _fail(__FILE__, line);
}

// `call` uses `error`.
#define refused(world, call)                                                                                           \
    do {                                                                                                               \
        fingerprint refused_before = fingerprint_of(world);                                                            \
        scree_error refused_error = {0};                                                                               \
        scree_error *error = &refused_error;                                                                           \
        scree_status refused_status = (call);                                                                          \
        check_refused(world, &refused_before, refused_status, error, #call, __LINE__);                                 \
        error = NULL; /* and without anywhere to put the message */                                                    \
        assert_int_equal((call), SCREE_ERROR_INVALID);                                                                 \
    } while (0)

typedef struct stage { // a floor, a ball and a box that have moved a little, and one more material
    scree_world *world;
    scree_id floor, ball, box, removed;
} stage;

static stage set_stage(void)
{
    stage set = {.world = lab_world(&LAB_GS_SINGLE, 0.005, vec3_make(0, 0, -LAB_G))};
    int material;
    scree_material_def def = scree_default_material_def();
    lab_ok(scree_world_add_material(set.world, &def, &material, error));
    assert_int_equal(material, 1);
    set.floor = lab_add_floor(set.world);
    set.ball = lab_add(set.world, lab_body(vec3_make(0, 0, 0.6), NOWHERE), lab_sphere(0.5));
    set.box = lab_add(set.world, lab_body(vec3_make(2, 0, 0.6), NOWHERE), lab_box(0.5, 0.5, 0.5));
    set.removed = lab_add(set.world, lab_body(vec3_make(4, 0, 0.6), NOWHERE), lab_sphere(0.5));
    lab_step(set.world, 3);
    lab_ok(scree_world_remove_bodies(set.world, &set.removed, 1, error));
    return set;
}

#define REFUSE_WORLD(change)                                                                                           \
    do {                                                                                                               \
        scree_world_def def = scree_default_world_def();                                                               \
        change;                                                                                                        \
        scree_world *world = (scree_world *)(uintptr_t)1;                                                              \
        scree_error refusal = {0};                                                                                     \
        assert_int_equal(scree_world_create(&def, &world, &refusal), SCREE_ERROR_INVALID);                             \
        assert_int_equal(refusal.status, SCREE_ERROR_INVALID);                                                         \
        assert_true(refusal.message[0] != '\0');                                                                       \
        world = NULL;                                                                                                  \
        assert_int_equal(scree_world_create(&def, &world, NULL), SCREE_ERROR_INVALID);                                 \
    } while (0)

static void test_bad_world_definitions(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        REFUSE_WORLD(def.gravity.x = BAD[i]);
        REFUSE_WORLD(def.gravity.z = BAD[i]);
        REFUSE_WORLD(def.step = BAD[i]);
        REFUSE_WORLD(def.solver.recovery_speed = BAD[i]);
        REFUSE_WORLD(def.solver.omega = BAD[i]);
        REFUSE_WORLD(def.solver.lambda = BAD[i]);
        REFUSE_WORLD(def.solver.cell = BAD[i]);
    }
    REFUSE_WORLD(def.step = 0);
    REFUSE_WORLD(def.step = -0.01);
    REFUSE_WORLD(def.threads = -1);
    REFUSE_WORLD(def.solver.iterations = 0);
    REFUSE_WORLD(def.solver.iterations = -5);
    REFUSE_WORLD(def.solver.tolerance = -1e-9);
    REFUSE_WORLD(def.solver.tolerance = BAD[0]);
    REFUSE_WORLD(def.solver.recovery_speed = -1);
    REFUSE_WORLD(def.solver.omega = 0);
    REFUSE_WORLD(def.solver.omega = -0.3);
    REFUSE_WORLD(def.solver.lambda = 0);
    REFUSE_WORLD(def.solver.lambda = 1.0001);
    REFUSE_WORLD(def.solver.cell = -0.5);
    REFUSE_WORLD(def.solver.algorithm = (scree_algorithm)99);
    REFUSE_WORLD(def.solver.precision = (scree_precision)99);
    scree_world_destroy(NULL);
}

#define REFUSE_MATERIAL(change)                                                                                        \
    do {                                                                                                               \
        scree_material_def def = scree_default_material_def();                                                         \
        change;                                                                                                        \
        int material = 0;                                                                                              \
        refused(set.world, scree_world_add_material(set.world, &def, &material, error));                               \
        refused(set.world, scree_world_set_material(set.world, 1, &def, error));                                       \
    } while (0)

static void test_bad_materials(void **state)
{
    (void)state;
    stage set = set_stage();
    for (int i = 0; i < 3; i++) {
        REFUSE_MATERIAL(def.density = BAD[i]);
        REFUSE_MATERIAL(def.friction = BAD[i]);
        REFUSE_MATERIAL(def.restitution = BAD[i]);
    }
    REFUSE_MATERIAL(def.density = 0);
    REFUSE_MATERIAL(def.density = -1);
    REFUSE_MATERIAL(def.friction = -0.1);
    REFUSE_MATERIAL(def.restitution = -0.1);
    REFUSE_MATERIAL(def.restitution = 1.1);
    scree_material_def def = scree_default_material_def(), read = {0};
    const int unknown[] = {-1, 2, 1024, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        refused(set.world, scree_world_set_material(set.world, unknown[i], &def, error));
        refused(set.world, scree_world_get_material(set.world, unknown[i], &read, error));
    }
    lab_ok(scree_world_get_material(set.world, 1, &read, error));
    assert_near(read.friction, def.friction, 0);
    scree_world_destroy(set.world);
}

static void test_bad_pairs(void **state)
{
    (void)state;
    stage set = set_stage();
    scree_pair_def good = {.friction = 0.4, .restitution = 0.1}, read = {0};
    lab_ok(scree_world_set_pair(set.world, 0, 1, &good, error));
    for (int i = 0; i < 3; i++) {
        refused(set.world,
                scree_world_set_pair(set.world, 0, 1, &(scree_pair_def){.friction = BAD[i], .restitution = 0}, error));
        refused(set.world, scree_world_set_pair(set.world, 0, 1,
                                                &(scree_pair_def){.friction = 0.5, .restitution = BAD[i]}, error));
    }
    refused(set.world,
            scree_world_set_pair(set.world, 0, 1, &(scree_pair_def){.friction = -0.1, .restitution = 0}, error));
    refused(set.world,
            scree_world_set_pair(set.world, 0, 1, &(scree_pair_def){.friction = 0.5, .restitution = 1.5}, error));
    refused(set.world,
            scree_world_set_pair(set.world, 0, 1, &(scree_pair_def){.friction = 0.5, .restitution = -0.5}, error));
    const int unknown[] = {-1, 2, 70000};
    for (int i = 0; i < 3; i++) {
        refused(set.world, scree_world_set_pair(set.world, 0, unknown[i], &good, error));
        refused(set.world, scree_world_set_pair(set.world, unknown[i], 0, &good, error));
        refused(set.world, scree_world_get_pair(set.world, unknown[i], 1, &read, error));
        refused(set.world, scree_world_get_pair(set.world, 1, unknown[i], &read, error));
    }
    lab_ok(scree_world_get_pair(set.world, 1, 0, &read, error));
    assert_near(read.friction, 0.4, 1e-7); // kept in float
    assert_near(read.restitution, 0.1, 1e-7);
    scree_world_destroy(set.world);
}

static void test_one_material_too_many(void **state)
{
    (void)state;
    scree_world_def world_def = lab_def(&LAB_GS_SINGLE, 0.005);
    scree_world *world = lab_create(&world_def);
    scree_material_def def = scree_default_material_def();
    int material = 0;
    while (scree_world_material_count(world) < 1024) {
        lab_ok(scree_world_add_material(world, &def, &material, error));
        assert_int_equal(material, scree_world_material_count(world) - 1);
    }
    refused(world, scree_world_add_material(world, &def, &material, error));
    scree_pair_def pair = {.friction = 0.25, .restitution = 0.5}, read = {0};
    lab_ok(scree_world_set_pair(world, 1023, 3, &pair, error));
    lab_ok(scree_world_get_pair(world, 3, 1023, &read, error));
    assert_near(read.friction, 0.25, 0);
    scree_world_destroy(world);
}

// The spoilt body comes second of three, so that a world that adds one by one is found out.
#define REFUSE_BODY(change)                                                                                            \
    do {                                                                                                               \
        scree_shape_def good_shape = lab_sphere(0.5), shapes[2] = {lab_sphere(0.5), lab_box(0.2, 0.3, 0.4)};           \
        scree_body_def bodies[3];                                                                                      \
        for (int at = 0; at < 3; at++) {                                                                               \
            bodies[at] = lab_body(vec3_make(10, 0, 2.0 * at), NOWHERE);                                                \
            bodies[at].shapes = &good_shape;                                                                           \
            bodies[at].shape_count = 1;                                                                                \
        }                                                                                                              \
        scree_body_def *body = &bodies[1];                                                                             \
        body->shapes = shapes;                                                                                         \
        body->shape_count = 2;                                                                                         \
        change;                                                                                                        \
        scree_id ids[3] = {77, 77, 77};                                                                                \
        refused(set.world, scree_world_add_bodies(set.world, bodies, 3, ids, error));                                  \
        refused(set.world, scree_world_add_bodies(set.world, body, 1, NULL, error));                                   \
    } while (0)

static void test_bad_bodies(void **state)
{
    (void)state;
    stage set = set_stage();
    for (int i = 0; i < 3; i++) {
        REFUSE_BODY(body->position.x = BAD[i]);
        REFUSE_BODY(body->position.y = BAD[i]);
        REFUSE_BODY(body->position.z = BAD[i]);
        REFUSE_BODY(body->orientation.w = BAD[i]);
        REFUSE_BODY(body->orientation.z = BAD[i]);
        REFUSE_BODY(body->velocity.y = BAD[i]);
        REFUSE_BODY(body->spin.z = BAD[i]);
        REFUSE_BODY(body->mass = BAD[i]);
        REFUSE_BODY(body->inertia = vec3_make(1, BAD[i], 1));
        REFUSE_BODY((body->has_center = true, body->center.y = BAD[i]));
    }
    REFUSE_BODY(body->orientation = ((quat){0, 0, 0, 0}));
    REFUSE_BODY(body->mass = -1);
    REFUSE_BODY(body->inertia = vec3_make(1, 0, 1));
    REFUSE_BODY(body->inertia = vec3_make(0, 1, 1));
    REFUSE_BODY(body->inertia = vec3_make(1, 1, 0));
    REFUSE_BODY(body->inertia = vec3_make(1, -1, 1));
    REFUSE_BODY(body->inertia = vec3_make(-1, -1, -1));
    REFUSE_BODY(body->material = -1);
    REFUSE_BODY(body->material = 2);
    REFUSE_BODY(body->material = INT32_MAX);
    REFUSE_BODY(body->shape_count = 0);
    REFUSE_BODY((body->fixed = true, body->position.x = BAD[0]));
    REFUSE_BODY((body->fixed = true, body->shape_count = 0));
    scree_world_destroy(set.world);
}

static void test_bad_shapes(void **state)
{
    (void)state;
    stage set = set_stage();
    for (int i = 0; i < 3; i++) {
        REFUSE_BODY(shapes[0].radius = BAD[i]);
        REFUSE_BODY(shapes[1].half.x = BAD[i]);
        REFUSE_BODY(shapes[1].half.z = BAD[i]);
        REFUSE_BODY(shapes[0].position.x = BAD[i]);
        REFUSE_BODY(shapes[1].orientation.y = BAD[i]);
        REFUSE_BODY((body->fixed = true, shapes[1] = lab_plane(vec3_make(0, 0, BAD[i]), 0)));
        REFUSE_BODY((body->fixed = true, shapes[1] = lab_plane(vec3_make(0, 0, 1), BAD[i])));
    }
    REFUSE_BODY(shapes[0].radius = 0);
    REFUSE_BODY(shapes[0].radius = -0.5);
    REFUSE_BODY(shapes[1].half.y = 0);
    REFUSE_BODY(shapes[1].half.z = -1);
    REFUSE_BODY(shapes[1].orientation = ((quat){0, 0, 0, 0}));
    REFUSE_BODY(shapes[0].material = 2);
    REFUSE_BODY(shapes[0].material = -2);
    REFUSE_BODY(shapes[0].type = SCREE_SHAPE_TYPES);
    REFUSE_BODY(shapes[1].type = (scree_shape_type)-1);
    REFUSE_BODY(shapes[1] = lab_plane(vec3_make(0, 0, 1), 0)); // on a body that moves
    REFUSE_BODY((body->fixed = true, shapes[1] = lab_plane(vec3_make(0, 0, 0), 0)));
    scree_world_destroy(set.world);
}

static void test_bad_removals(void **state)
{
    (void)state;
    stage set = set_stage();
    const scree_id lists[][3] = {{set.ball, set.box, set.ball},
                                 {set.ball, 0, set.box},
                                 {set.ball, set.box, 999},
                                 {set.removed, set.ball, set.box},
                                 {UINT64_MAX, set.ball, set.box}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        refused(set.world, scree_world_remove_bodies(set.world, lists[i], 3, error));
        assert_true(scree_world_has_body(set.world, set.ball) && scree_world_has_body(set.world, set.box));
    }
    scree_world_destroy(set.world);
}

#define REFUSE_MOTION(id, change)                                                                                      \
    do {                                                                                                               \
        scree_motion_def motion = scree_default_motion_def();                                                          \
        motion.axis = vec3_make(0, 0, 1);                                                                              \
        motion.amplitude = motion.frequency = motion.speed = 0.5;                                                      \
        change;                                                                                                        \
        refused(set.world, scree_world_set_motion(set.world, id, &motion, error));                                     \
    } while (0)

static void test_bad_motions(void **state)
{
    (void)state;
    stage set = set_stage();
    const scree_id unknown[] = {0, set.removed, 999, UINT64_MAX, set.ball}; // the ball is not fixed
    for (int i = 0; i < 5; i++)
        REFUSE_MOTION(unknown[i], motion.type = SCREE_MOTION_SINE);
    for (int i = 0; i < 3; i++) {
        REFUSE_MOTION(set.floor, (motion.type = SCREE_MOTION_SINE, motion.amplitude = BAD[i]));
        REFUSE_MOTION(set.floor, (motion.type = SCREE_MOTION_SINE, motion.frequency = BAD[i]));
        REFUSE_MOTION(set.floor, (motion.type = SCREE_MOTION_SINE, motion.phase = BAD[i]));
        REFUSE_MOTION(set.floor, (motion.type = SCREE_MOTION_SINE, motion.axis.y = BAD[i]));
        REFUSE_MOTION(set.floor, (motion.type = SCREE_MOTION_VELOCITY, motion.linear.x = BAD[i]));
        REFUSE_MOTION(set.floor, (motion.type = SCREE_MOTION_VELOCITY, motion.angular.z = BAD[i]));
        REFUSE_MOTION(set.floor, (motion.type = SCREE_MOTION_ROTATION, motion.axis.x = BAD[i]));
        REFUSE_MOTION(set.floor, (motion.type = SCREE_MOTION_ROTATION, motion.center.x = BAD[i]));
        REFUSE_MOTION(set.floor, (motion.type = SCREE_MOTION_ROTATION, motion.speed = BAD[i]));
    }
    REFUSE_MOTION(set.floor, (motion.type = SCREE_MOTION_SINE, motion.axis = NOWHERE));
    REFUSE_MOTION(set.floor, (motion.type = SCREE_MOTION_ROTATION, motion.axis = NOWHERE));
    REFUSE_MOTION(set.floor, motion.type = (scree_motion_type)17);
    assert_false(lab_info(set.world, set.floor).moved);
    scree_world_destroy(set.world);
}

// A refused call applies none of its forces: the next step is that of a world where nobody asked.
static void test_bad_forces(void **state)
{
    (void)state;
    stage set = set_stage(), untouched = set_stage();
    const vec3 push = {1000, 0, 0};
    for (int i = 0; i < 3; i++) {
        const scree_id ids[2] = {set.ball, set.box};
        const vec3 forces[2] = {push, {0, BAD[i], 0}}, fine[2] = {push, push};
        refused(set.world, scree_world_apply_forces(set.world, ids, forces, NULL, 2, error));
        refused(set.world, scree_world_apply_forces(set.world, ids, fine, forces, 2, error));
    }
    const scree_id unknown[] = {0, set.removed, 999};
    for (int i = 0; i < 3; i++) {
        const scree_id ids[2] = {set.ball, unknown[i]};
        const vec3 forces[2] = {push, push};
        refused(set.world, scree_world_apply_forces(set.world, ids, forces, NULL, 2, error));
    }
    lab_step(set.world, 1);
    lab_step(untouched.world, 1);
    assert_true(scree_world_hash(set.world) == scree_world_hash(untouched.world));
    scree_world_destroy(set.world);
    scree_world_destroy(untouched.world);
}

static void test_bad_states(void **state)
{
    (void)state;
    stage set = set_stage();
    const scree_id ids[2] = {set.ball, set.box};
    scree_state good[2];
    lab_ok(scree_world_get_states(set.world, ids, 2, good, error));
    for (int i = 0; i < 3; i++) {
        scree_state bad[2] = {good[0], good[1]};
        bad[0].position.x += 1;
        bad[1].position.y = BAD[i];
        refused(set.world, scree_world_set_states(set.world, ids, 2, bad, error));
        bad[1] = good[1];
        bad[1].orientation.x = BAD[i];
        refused(set.world, scree_world_set_states(set.world, ids, 2, bad, error));
        bad[1] = good[1];
        bad[1].velocity.z = BAD[i];
        refused(set.world, scree_world_set_states(set.world, ids, 2, bad, error));
        bad[1] = good[1];
        bad[1].spin.x = BAD[i];
        refused(set.world, scree_world_set_states(set.world, ids, 2, bad, error));
    }
    scree_state bad[2] = {good[0], good[1]}, read[2];
    bad[0].position.x += 1;
    bad[1].orientation = (quat){0, 0, 0, 0};
    refused(set.world, scree_world_set_states(set.world, ids, 2, bad, error));
    bad[1] = good[1];
    const scree_id others[] = {set.floor, 0, set.removed, 999};
    for (int i = 0; i < 4; i++) {
        const scree_id wrong[2] = {set.ball, others[i]};
        refused(set.world, scree_world_set_states(set.world, wrong, 2, bad, error));
        if (others[i] != set.floor)
            refused(set.world, scree_world_get_states(set.world, wrong, 2, read, error));
    }
    scree_world_destroy(set.world);
}

static void test_bad_reading_and_stepping(void **state)
{
    (void)state;
    stage set = set_stage();
    scree_body_info info;
    scree_shape_def shape;
    const scree_id unknown[] = {0, set.removed, 999, UINT64_MAX};
    for (int i = 0; i < 4; i++) {
        refused(set.world, scree_world_get_body(set.world, unknown[i], &info, error));
        refused(set.world, scree_world_get_shape(set.world, unknown[i], 0, &shape, error));
        assert_false(scree_world_has_body(set.world, unknown[i]));
    }
    refused(set.world, scree_world_get_shape(set.world, set.ball, 1, &shape, error));
    refused(set.world, scree_world_get_shape(set.world, set.ball, SIZE_MAX, &shape, error));
    refused(set.world, scree_world_step(set.world, -1, error));
    uint64_t hash = scree_world_hash(set.world);
    lab_step(set.world, 0);
    assert_true(scree_world_hash(set.world) == hash);
    scree_world_destroy(set.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_world_definitions),
        cmocka_unit_test(test_bad_materials),
        cmocka_unit_test(test_bad_pairs),
        cmocka_unit_test(test_one_material_too_many),
        cmocka_unit_test(test_bad_bodies),
        cmocka_unit_test(test_bad_shapes),
        cmocka_unit_test(test_bad_removals),
        cmocka_unit_test(test_bad_motions),
        cmocka_unit_test(test_bad_forces),
        cmocka_unit_test(test_bad_states),
        cmocka_unit_test(test_bad_reading_and_stepping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
