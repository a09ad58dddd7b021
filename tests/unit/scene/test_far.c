// Every shipped scene, shortened, in its own method: its bodies keep every bit when a heap comes to be a kilometre
// away, and when they change their slots before every step.
#include "mixed_heap.h"
#include "shuffle.h"

#include <glob.h>
#include <stdio.h>

#include "scene/scene.h"
#include "scree/joint.h"

enum {
    STEPS = CHECK_SANITIZED ? 10 : 200,
    MOST_FILLED = 100,
    MOST_FILLS = 16,
    MOST_SCENES = 200,
    GUESTS = 40,
    GUEST_GROUP = 1 << 20
};

// ------------------------------------------------------------------------------------------------------------ scenes

static scree_scene *load(const char *path, const char *const *sets, size_t set_count)
{
    scree_scene *scene = NULL;
    lab_ok(scree_scene_load(path, sets, set_count, &scene, error));
    return scene;
}

// With fewer bodies, where there are many.
static scree_scene *load_small(const char *path)
{
    char texts[MOST_FILLS][64];
    const char *sets[MOST_FILLS];
    size_t count = 0;
    scree_scene *scene = load(path, NULL, 0);
    assert_in_range(scene->fill_count, 0, MOST_FILLS);
    for (size_t i = 0; i < scene->fill_count; i++) {
        if (scene->fills[i].def.fixed || scene->fills[i].def.count <= MOST_FILLED)
            continue;
        snprintf(texts[count], sizeof texts[count], "fills.%zu.count=%d", i, MOST_FILLED);
        sets[count] = texts[count];
        count++;
    }
    scree_scene_destroy(scene);
    return load(path, sets, count);
}

static scree_world *build(const scree_scene *scene, int threads)
{
    scree_world *world = NULL;
    lab_ok(scree_scene_build(scene, threads, &world, error));
    return world;
}

// ------------------------------------------------------------------------------------------------------------ guests

// The first body that can move: guests are of its size and material, so that the step suits them.
static scree_body_info typical_body(const scree_world *world)
{
    scree_id id = 1;
    while (lab_info(world, id).fixed)
        id++;
    return lab_info(world, id);
}

static scree_body_def guest_at(vec3 at, vec3 velocity)
{
    scree_body_def body = lab_body(at, velocity);
    body.group = body.mask = GUEST_GROUP;
    return body;
}

// A material that no body of the scene has: heavier and richer than the one given.
static int add_material(scree_world *world, int like)
{
    scree_material_def material;
    lab_ok(scree_world_get_material(world, like, &material, error));
    material.density *= 3;
    material.friction += 0.2;
    if (scree_world_get_def(world).method == SCREE_METHOD_COMPLEMENTARITY) {
        material.rolling_friction = material.spinning_friction = 0.01;
        material.restitution = 0.6;
        material.cohesion = 0.01;
    }
    int index;
    lab_ok(scree_world_add_material(world, &material, &index, error));
    return index;
}

// A pair on a hinge with a motor.
static void add_mechanism(scree_world *world, vec3 at, double radius)
{
    scree_joint_def hinge = scree_default_joint_def();
    hinge.type = SCREE_JOINT_REVOLUTE;
    for (int i = 0; i < 2; i++) {
        vec3 place = vec3_add(at, vec3_make(2 * radius * i, 0, 0));
        hinge.bodies[i] =
            lab_add(world, guest_at(place, vec3_make(0, 0, 0)), lab_box(0.9 * radius, radius, 0.5 * radius));
    }
    hinge.position = vec3_add(at, vec3_make(radius, 0, 0));
    hinge.motor.type = SCREE_MOTOR_SPEED;
    hinge.motor.target = 3;
    lab_ok(scree_world_add_joints(world, &hinge, 1, NULL, error));
}

// Balls, boxes and compounds that run into each other on a slab.
static void add_guests(scree_world *world)
{
    scree_world_def def = scree_world_get_def(world);
    bool rigid = def.method == SCREE_METHOD_COMPLEMENTARITY;
    scree_body_info like = typical_body(world);
    int materials[2] = {like.material, add_material(world, like.material)};
    double radius = like.bounding_radius, speed = fmin(50, 0.1 * radius / def.step);
    const vec3 middle = {800, -600, 20};
    scree_body_def slab = guest_at(vec3_sub(middle, vec3_make(0, 0, 1.5 * radius)), vec3_make(0, 0, 0));
    slab.fixed = true;
    slab.material = like.material;
    lab_add(world, slab, lab_box(20 * radius, 20 * radius, radius));
    random_stream stream = {9};
    for (int i = 0; i < GUESTS; i++) {
        vec3 at = {2.6 * radius * (i % 4), 2.6 * radius * (i / 4 % 4), radius * (1 + 2.6 * (i / 16))};
        vec3 velocity = {random_between(&stream, -1, 1), random_between(&stream, -1, 1), -1};
        scree_body_def body = guest_at(vec3_add(middle, at), vec3_scale(velocity, speed));
        body.material = materials[i % 2];
        if (rigid && i % 7 == 0)
            body.mass = i == 0 ? 1e6 : 100;
        scree_shape_def shapes[2] = {lab_sphere(0.6 * radius), lab_box(0.5 * radius, 0.4 * radius, 0.6 * radius)};
        shapes[1].position = vec3_make(0.4 * radius, 0, 0);
        body.shapes = shapes;
        body.shape_count = i % 3 == 2 ? 2 : 1;
        lab_ok(scree_world_add_bodies(world, &body, 1, NULL, error));
    }
    if (rigid)
        add_mechanism(world, vec3_add(middle, vec3_make(-10 * radius, 0, radius)), radius);
}

// ------------------------------------------------------------------------------------------------------------- tests

static size_t contacts_seen; // by all scenes at their ends

// One step of the scene alone decides its cells, which are then those of the others, too.
static void test_scene(void **state)
{
    scree_scene *scene = load_small(*state);
    scree_world *alone = build(scene, 1), *with_guests = build(scene, 2), *shuffled = build(scene, 1);
    scree_world *first = build(scene, 1);
    lab_step(first, 1);
    with_guests->def.solver.cell = shuffled->def.solver.cell = alone->def.solver.cell = first->def.solver.cell;
    add_guests(with_guests);
    heap_assert_alike(alone, with_guests, STEPS);
    step_shuffled(shuffled, STEPS, 17);
    assert_true(scree_world_hash(alone) == scree_world_hash(shuffled));
    contacts_seen += scree_world_figures(alone).contacts;
    scree_world_destroy(alone);
    scree_world_destroy(with_guests);
    scree_world_destroy(shuffled);
    scree_world_destroy(first);
    scree_scene_destroy(scene);
}

// After all others.
static void test_scenes_have_contacts(void **state)
{
    (void)state;
    assert_at_least((double)contacts_seen, CHECK_SANITIZED ? 100 : 2000);
}

int main(void)
{
    static struct CMUnitTest tests[MOST_SCENES + 1];
    glob_t found;
    if (glob(SCREE_SOURCE_DIR "/scenes/*.yaml", 0, NULL, &found) != 0 ||
        glob(SCREE_SOURCE_DIR "/scenes/physics/*.yaml", GLOB_APPEND, NULL, &found) != 0 || found.gl_pathc > MOST_SCENES)
        return 1;
    for (size_t i = 0; i < found.gl_pathc; i++)
        tests[i] = (struct CMUnitTest){found.gl_pathv[i], test_scene, NULL, NULL, found.gl_pathv[i]};
    tests[found.gl_pathc] = (struct CMUnitTest)cmocka_unit_test(test_scenes_have_contacts);
    int failed = _cmocka_run_group_tests("scenes", tests, found.gl_pathc + 1, NULL, NULL);
    globfree(&found);
    return failed;
}
