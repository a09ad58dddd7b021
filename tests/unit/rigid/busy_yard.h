// A yard of many islands for tests of what islands may know of each other: a heap of all shapes, and around it a
// mechanism with a motor, a hanging chain, a shaken tray, a stack that falls asleep and is woken, a ram among pebbles,
// bodies that begin inside each other. And a far yard, a kilometre away, that must not matter.
#ifndef TESTS_UNIT_RIGID_BUSY_YARD_H
#define TESTS_UNIT_RIGID_BUSY_YARD_H

#include "mixed_heap.h"

#include "scree/joint.h"
#include "world/world.h"

enum { YARD_SOFT = 3, YARD_GROUP = 4 }; // the planes around the heap have no end

typedef struct yard_setting {
    scree_algorithm algorithm;
    scree_precision precision;
    scree_friction friction;
} yard_setting;

#define YARD_TEST(test, algorithm, precision, friction)                                                                \
    {                                                                                                                  \
#test " " #algorithm " " #precision " " #friction, test, NULL, NULL, &(yard_setting)                           \
        {                                                                                                              \
            SCREE_ALGORITHM_##algorithm, SCREE_PRECISION_##precision, SCREE_FRICTION_##friction                        \
        }                                                                                                              \
    }

static inline scree_world_def yard_def(const yard_setting *set, int threads)
{
    scree_world_def def = scree_default_world_def();
    def.threads = threads;
    def.solver.algorithm = set->algorithm;
    def.solver.precision = set->precision;
    def.solver.friction = set->friction;
    def.solver.iterations = 20;
    def.solver.sleep = SCREE_SLEEP_ON;
    return def;
}

static inline scree_id yard_add(scree_world *world, scree_body_def body, scree_shape_def shape)
{
    body.group = body.mask = YARD_GROUP;
    return lab_add(world, body, shape);
}

static inline scree_id yard_add_at(scree_world *world, vec3 at, scree_shape_def shape)
{
    return yard_add(world, lab_body(at, vec3_make(0, 0, 0)), shape);
}

static inline scree_id yard_add_fixed(scree_world *world, vec3 at, scree_shape_def shape)
{
    scree_body_def body = lab_body(at, vec3_make(0, 0, 0));
    body.fixed = true;
    return yard_add(world, body, shape);
}

// A field of gentle waves.
static inline scree_geometry *yard_field(void)
{
    enum { SIDE = 9 };
    float heights[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++)
        heights[i] = (float)(0.02 * (i % SIDE % 2) + 0.015 * (i / SIDE % 3));
    scree_heightfield_def def = {.heights = heights, .columns = SIDE, .rows = SIDE, .width = 2, .depth = 2};
    scree_geometry *field = NULL;
    lab_ok(scree_heightfield_create(&def, &field, error));
    return field;
}

static inline scree_geometry *yard_hull(void)
{
    static const scree_vec3 corners[] = {{0.1, 0, -0.05},   {-0.04, 0.09, -0.06}, {-0.05, -0.08, -0.05},
                                         {0.01, 0.01, 0.1}, {0.06, 0.06, 0.03},   {-0.06, 0.01, 0.07}};
    scree_geometry *hull = NULL;
    lab_ok(scree_hull_create(corners, sizeof corners / sizeof corners[0], &hull, error));
    return hull;
}

static inline scree_joint_def yard_joint(scree_joint_type type, scree_id a, scree_id b, vec3 at)
{
    scree_joint_def def = scree_default_joint_def();
    def.type = type;
    def.bodies[0] = a;
    def.bodies[1] = b;
    def.position = at;
    def.axis = vec3_make(0, 1, 0);
    return def;
}

// Links hang from the world and swing into whatever stands below.
static inline void yard_add_chain(scree_world *world, vec3 from, int links, double mass)
{
    scree_id before = 0;
    for (int i = 0; i < links; i++) {
        vec3 at = vec3_add(from, vec3_make(0.12 * (i + 0.5), 0, 0));
        scree_body_def body = lab_body(at, vec3_make(0, 0, 0));
        body.mass = i + 1 < links ? 0.2 : mass;
        scree_id link = yard_add(world, body, lab_box(0.05, 0.02, 0.02));
        scree_joint_def def =
            yard_joint(SCREE_JOINT_SPHERICAL, before, link, vec3_add(from, vec3_make(0.12 * i, 0, 0)));
        lab_ok(scree_world_add_joints(world, &def, 1, NULL, error));
        before = link;
    }
}

// A paddle on a hinge with a motor, among balls.
static inline void yard_add_paddle(scree_world *world, vec3 at, double speed)
{
    scree_id paddle = yard_add_at(world, at, lab_box(0.25, 0.05, 0.1));
    scree_joint_def def = yard_joint(SCREE_JOINT_REVOLUTE, 0, paddle, at);
    def.axis = vec3_make(0, 0, 1);
    def.motor.type = SCREE_MOTOR_SPEED;
    def.motor.target = speed;
    def.motor.max_force = 20;
    lab_ok(scree_world_add_joints(world, &def, 1, NULL, error));
    for (int i = 0; i < 4; i++)
        yard_add_at(world, vec3_add(at, vec3_make(0.3 * (i % 2 ? 1 : -1), 0.3 * (i / 2 ? 1 : -1), -0.02)),
                    lab_sphere(0.08));
}

// Balls and a soft ball on a tray that goes to and fro.
static inline void yard_add_tray(scree_world *world, vec3 at)
{
    scree_id tray = yard_add_fixed(world, at, lab_box(0.4, 0.3, 0.02));
    scree_motion_def motion = scree_default_motion_def();
    motion.type = SCREE_MOTION_SINE;
    motion.axis = vec3_make(1, 0, 0.3);
    motion.amplitude = 0.03;
    motion.frequency = 2;
    lab_set_motion(world, tray, motion);
    for (int i = 0; i < 3; i++) {
        scree_body_def body = lab_body(vec3_add(at, vec3_make(0.22 * (i - 1), 0.05 * i, 0.13)), vec3_make(0, 0, 0));
        body.material = i == 2 ? YARD_SOFT : 1;
        yard_add(world, body, i == 1 ? lab_box(0.1, 0.08, 0.1) : lab_sphere(0.1));
    }
}

// Stones that come to rest, and one that is on its way to them.
static inline void yard_add_stack(scree_world *world, vec3 at)
{
    for (int i = 0; i < 4; i++)
        yard_add_at(world, vec3_add(at, vec3_make(0.004 * i, 0, 0.06 + 0.12 * i)), lab_box(0.08, 0.07, 0.06));
    scree_body_def body = lab_body(vec3_add(at, vec3_make(0.02, 0.01, 8.5)), vec3_make(0, 0, 0));
    yard_add(world, body, lab_sphere(0.07));
}

// A heavy ball runs into light ones, which it throws against others.
static inline void yard_add_ram(scree_world *world, vec3 at, double speed, double mass)
{
    scree_body_def ram = lab_body(at, vec3_make(speed, 0, 0));
    ram.mass = mass;
    ram.material = 1;
    yard_add(world, ram, lab_sphere(0.2));
    for (int i = 0; i < 12; i++) {
        vec3 aside = {0.3 + 0.062 * (i % 4), 0.064 * (i / 4 - 1), -0.16 + 0.003 * (i % 3)};
        scree_body_def pebble = lab_body(vec3_add(at, aside), vec3_make(0, 0, 0));
        pebble.material = 1;
        yard_add(world, pebble, i % 5 == 4 ? lab_box(0.025, 0.025, 0.025) : lab_sphere(0.03));
    }
}

// Bodies inside each other, beside others.
static inline void yard_add_squeezed(scree_world *world, vec3 at)
{
    const vec3 places[] = {{0, 0, 0.1}, {0.03, 0.01, 0.12}, {0.21, 0, 0.1}, {-0.2, 0.02, 0.11}, {0, 0.02, 0.28}};
    for (int i = 0; i < 5; i++)
        yard_add_at(world, vec3_add(at, places[i]), i == 3 ? lab_box(0.09, 0.09, 0.09) : lab_sphere(0.1));
}

static inline void yard_add_corner(scree_world *world, vec3 at)
{
    scree_geometry *field = yard_field(), *hull = yard_hull();
    scree_body_def ground = lab_body(vec3_add(at, vec3_make(0, 0, 0)), vec3_make(0, 0, 0));
    ground.fixed = true;
    yard_add(world, ground, heap_shape(SCREE_SHAPE_HEIGHTFIELD, field));
    for (int i = 0; i < 5; i++) {
        scree_body_def body =
            lab_body(vec3_add(at, vec3_make(0.16 * (i % 3) - 0.1, 0.2 * (i / 3), 0.2 + 0.1 * i)), vec3_make(0, 0, -1));
        body.material = i % 2;
        yard_add(world, body, i % 2 ? lab_sphere(0.07) : heap_shape(SCREE_SHAPE_HULL, hull));
    }
    scree_geometry_release(field);
    scree_geometry_release(hull);
}

// A step of several shapes that does not move, under what does.
static inline void yard_add_steps(scree_world *world, vec3 at)
{
    scree_shape_def shapes[3] = {lab_sphere(0.1), lab_box(0.2, 0.2, 0.1), lab_box(0.1, 0.1, 0.2)};
    shapes[0].position = vec3_make(0.15, 0, 0.1);
    shapes[2].position = vec3_make(-0.15, 0, 0.05);
    scree_body_def body = lab_body(at, vec3_make(0, 0, 0));
    body.fixed = true;
    body.shapes = shapes;
    body.shape_count = 3;
    body.group = body.mask = YARD_GROUP;
    lab_ok(scree_world_add_bodies(world, &body, 1, NULL, error));
    for (int i = 0; i < 4; i++) {
        scree_body_def loose =
            lab_body(vec3_add(at, vec3_make(0.06 * i - 0.1, 0.02 * i, 0.3 + 0.14 * i)), vec3_make(0, 0, 0));
        loose.group = loose.mask = YARD_GROUP;
        if (i % 2)
            heap_add_compound(world, loose);
        else
            lab_add(world, loose, lab_box(0.09, 0.05, 0.04));
    }
}

static inline void yard_add_materials(scree_world *world)
{
    heap_add_materials(world, true);
    scree_material_def soft = heap_material(0.3, 0);
    soft.stiffness = 2e4;
    soft.damping = 10;
    int index;
    lab_ok(scree_world_add_material(world, &soft, &index, error));
    assert_int_equal(index, YARD_SOFT);
}

static inline void yard_add_all(scree_world *world, vec3 middle, double force)
{
    yard_add_fixed(world, vec3_add(middle, vec3_make(0, 0, -0.1)), lab_box(5, 5, 0.1));
    yard_add_chain(world, vec3_add(middle, vec3_make(-3, 0, 0.8)), 7, 2 * force);
    yard_add_squeezed(world, vec3_add(middle, vec3_make(-2.6, 0, 0)));
    yard_add_paddle(world, vec3_add(middle, vec3_make(0, 0, 0.12)), 5 * force);
    yard_add_tray(world, vec3_add(middle, vec3_make(2.5, 0, 0.05)));
    yard_add_stack(world, vec3_add(middle, vec3_make(0, 2.5, 0)));
    yard_add_ram(world, vec3_add(middle, vec3_make(-2.5, -2.5, 0.2)), 10 * force, 30 * force);
    yard_add_steps(world, vec3_add(middle, vec3_make(2.5, 2.5, 0.1)));
    yard_add_corner(world, vec3_add(middle, vec3_make(2.5, -2.5, 0)));
}

// The cells are those of the near yard, with or without the far one.
static inline scree_world *yard_create(const scree_world_def *def)
{
    scree_world *world = lab_create(def);
    world->def.solver.cell = 1;
    yard_add_materials(world);
    heap_add_walls(world, true);
    heap_add_bodies(world, true);
    yard_add_all(world, vec3_make(7, 0, 0), 1);
    return world;
}

// One island so large that all threads solve it at once. It is pressed together, so as to be there soon.
enum {
    LARGE_HEAP = CHECK_SANITIZED ? 300 : 900,
    LARGE_HEAP_STEPS = CHECK_SANITIZED ? 30 : 120,
    LARGE_HEAP_CONTACTS = CHECK_SANITIZED ? 100 : 2300,
};

static inline scree_world *yard_create_large(int threads)
{
    scree_world_def def = scree_default_world_def();
    def.threads = threads;
    def.gravity.z = -60;
    def.solver.iterations = 10;
    scree_world *world = lab_create(&def);
    world->def.solver.cell = 1;
    yard_add_materials(world);
    lab_add_container(world, 0.9);
    lab_add_heap(world, LARGE_HEAP, 0.9, true, 8);
    return world;
}

// More of everything, five times as violent; and a body of a million.
static inline void yard_add_far(scree_world *world)
{
    heap_add_far(world);
    yard_add_all(world, vec3_make(-900, 500, 30), 5);
    scree_body_def heavy = lab_body(vec3_make(-900, 500, 33), vec3_make(0, 0, -50));
    heavy.mass = 1e6;
    heavy.material = FAR_MATERIAL;
    yard_add(world, heavy, lab_sphere(0.5));
    scree_id turned = yard_add_fixed(world, vec3_make(-900, 500, 30.2), lab_box(0.4, 0.1, 0.1));
    scree_motion_def motion = scree_default_motion_def();
    motion.type = SCREE_MOTION_ROTATION;
    motion.center = vec3_make(-900, 500, 30.2);
    motion.speed = 8;
    lab_set_motion(world, turned, motion);
}

#endif
