// The laboratory of the physics tests: worlds with the settings that a test names, bodies in one line, closed forms'
// needs.
//
// Everything here goes through include/scree/world.h and fails the running test when a call does not succeed.
#ifndef PHYSICS_LAB_H
#define PHYSICS_LAB_H

#include "check.h"

#include <stdlib.h>

#include "base/random.h"
#include "base/vec.h"
#include "scree/joint.h"
#include "scree/world.h"

#define LAB_G  9.81
#define LAB_PI 3.14159265358979323846

// One way of solving; tests that hold for all of them take one as their state.
typedef struct lab_solver {
    scree_algorithm algorithm;
    scree_precision precision;
    scree_friction friction;
} lab_solver;

static const lab_solver LAB_GS_SINGLE = {SCREE_ALGORITHM_GAUSS_SEIDEL, SCREE_PRECISION_SINGLE, SCREE_FRICTION_CONVEX};
static const lab_solver LAB_GS_DOUBLE = {SCREE_ALGORITHM_GAUSS_SEIDEL, SCREE_PRECISION_DOUBLE, SCREE_FRICTION_CONVEX};
static const lab_solver LAB_JACOBI_SINGLE = {SCREE_ALGORITHM_JACOBI, SCREE_PRECISION_SINGLE, SCREE_FRICTION_CONVEX};
static const lab_solver LAB_JACOBI_DOUBLE = {SCREE_ALGORITHM_JACOBI, SCREE_PRECISION_DOUBLE, SCREE_FRICTION_CONVEX};
static const lab_solver LAB_APGS_SINGLE = {SCREE_ALGORITHM_APGS, SCREE_PRECISION_SINGLE, SCREE_FRICTION_CONVEX};
static const lab_solver LAB_APGS_DOUBLE = {SCREE_ALGORITHM_APGS, SCREE_PRECISION_DOUBLE, SCREE_FRICTION_CONVEX};

#define LAB_TEST(test, solver)                                                                                         \
    {                                                                                                                  \
#test " " #solver, test, NULL, NULL, (void *)(uintptr_t)&solver                                                \
    }
#define LAB_TEST_ALL(test)                                                                                             \
    LAB_TEST(test, LAB_GS_SINGLE), LAB_TEST(test, LAB_GS_DOUBLE), LAB_TEST(test, LAB_JACOBI_SINGLE),                   \
        LAB_TEST(test, LAB_JACOBI_DOUBLE), LAB_TEST(test, LAB_APGS_SINGLE), LAB_TEST(test, LAB_APGS_DOUBLE)

#define lab_ok(call)                                                                                                   \
    do {                                                                                                               \
        scree_error lab_error = {0};                                                                                   \
        scree_error *error = &lab_error;                                                                               \
        if ((call) != SCREE_OK) {                                                                                      \
            print_error("%s: %s\n", #call, lab_error.message);                                                         \
            _fail(__FILE__, __LINE__);                                                                                 \
        }                                                                                                              \
    } while (0)

// Few bodies, solved nearly to the end, so that what is measured is the method and not the iteration.
static inline scree_world_def lab_def(const lab_solver *solver, double step)
{
    scree_world_def def = scree_default_world_def();
    def.gravity = vec3_make(0, 0, -LAB_G);
    def.step = step;
    def.threads = 1;
    def.solver.algorithm = solver->algorithm;
    def.solver.precision = solver->precision;
    def.solver.friction = solver->friction;
    def.solver.iterations = 300;
    def.solver.tolerance = solver->precision == SCREE_PRECISION_DOUBLE ? 1e-8 : 1e-5;
    return def;
}

static inline scree_world *lab_create(const scree_world_def *def)
{
    scree_world *world = NULL;
    lab_ok(scree_world_create(def, &world, error));
    assert_non_null(world);
    return world;
}

static inline scree_world *lab_world(const lab_solver *solver, double step, vec3 gravity)
{
    scree_world_def def = lab_def(solver, step);
    def.gravity = gravity;
    return lab_create(&def);
}

static inline void lab_step(scree_world *world, int steps)
{
    lab_ok(scree_world_step(world, steps, error));
}

// Changes material 0, which every body here is made of.
static inline void lab_surface(scree_world *world, double friction, double restitution)
{
    scree_material_def material = scree_default_material_def();
    material.density = 1000;
    material.friction = friction;
    material.restitution = restitution;
    lab_ok(scree_world_set_material(world, 0, &material, error));
}

static inline scree_shape_def lab_sphere(double radius)
{
    scree_shape_def shape = scree_default_shape_def();
    shape.type = SCREE_SHAPE_SPHERE;
    shape.radius = radius;
    return shape;
}

static inline scree_shape_def lab_box(double x, double y, double z)
{
    scree_shape_def shape = scree_default_shape_def();
    shape.type = SCREE_SHAPE_BOX;
    shape.half = vec3_make(x, y, z);
    return shape;
}

static inline scree_shape_def lab_plane(vec3 normal, double offset)
{
    scree_shape_def shape = scree_default_shape_def();
    shape.type = SCREE_SHAPE_PLANE;
    shape.normal = normal;
    shape.offset = offset;
    return shape;
}

static inline scree_body_def lab_body(vec3 position, vec3 velocity)
{
    scree_body_def def = scree_default_body_def();
    def.position = position;
    def.velocity = velocity;
    return def;
}

static inline scree_id lab_add(scree_world *world, scree_body_def body, scree_shape_def shape)
{
    scree_id id = 0;
    body.shapes = &shape;
    body.shape_count = 1;
    lab_ok(scree_world_add_bodies(world, &body, 1, &id, error));
    return id;
}

static inline scree_id lab_add_fixed(scree_world *world, vec3 position, scree_shape_def shape)
{
    scree_body_def body = lab_body(position, vec3_make(0, 0, 0));
    body.fixed = true;
    return lab_add(world, body, shape);
}

static inline scree_id lab_add_floor(scree_world *world)
{
    return lab_add_fixed(world, vec3_make(0, 0, 0), lab_plane(vec3_make(0, 0, 1), 0));
}

// A rigid body that slides like a point: it cannot turn.
static inline scree_id lab_add_puck(scree_world *world, vec3 position, double radius)
{
    scree_body_def body = lab_body(position, vec3_make(0, 0, 0));
    body.inertia = vec3_make(1e9, 1e9, 1e9);
    return lab_add(world, body, lab_sphere(radius));
}

static inline scree_state lab_state(const scree_world *world, scree_id id)
{
    scree_state state = {0};
    lab_ok(scree_world_get_states(world, &id, 1, &state, error));
    return state;
}

static inline scree_body_info lab_info(const scree_world *world, scree_id id)
{
    scree_body_info info = {0};
    lab_ok(scree_world_get_body(world, id, &info, error));
    return info;
}

static inline void lab_set_motion(scree_world *world, scree_id id, scree_motion_def motion)
{
    lab_ok(scree_world_set_motion(world, id, &motion, error));
}

static inline scree_joint_def lab_joint(scree_joint_type type, scree_id a, scree_id b, vec3 position, vec3 axis)
{
    scree_joint_def def = scree_default_joint_def();
    def.type = type;
    def.bodies[0] = a;
    def.bodies[1] = b;
    def.position = position;
    def.axis = axis;
    return def;
}

static inline scree_id lab_add_joint(scree_world *world, const scree_joint_def *def)
{
    scree_id id = 0;
    lab_ok(scree_world_add_joints(world, def, 1, &id, error));
    return id;
}

// A joint that is all default but for its kind and place.
static inline scree_id lab_join(scree_world *world, scree_joint_type type, scree_id a, scree_id b, vec3 position,
                                vec3 axis)
{
    scree_joint_def def = lab_joint(type, a, b, position, axis);
    return lab_add_joint(world, &def);
}

static inline scree_joint_state lab_joint_state(const scree_world *world, scree_id id)
{
    scree_joint_state state = {0};
    lab_ok(scree_world_get_joint(world, id, &state, error));
    return state;
}

static inline void lab_push(scree_world *world, scree_id id, vec3 force)
{
    lab_ok(scree_world_apply_forces(world, &id, &force, NULL, 1, error));
}

// All contacts of the last step in a new array that the caller frees.
static inline scree_contact *lab_contacts(const scree_world *world, size_t *count)
{
    size_t room = scree_world_figures(world).contacts;
    scree_contact *contacts = malloc((room + 1) * sizeof *contacts);
    assert_non_null(contacts);
    *count = scree_world_contacts(world, contacts, room + 1);
    assert_int_equal(*count, room);
    return contacts;
}

// Sum of the impulses of the last step that act on one body.
static inline vec3 lab_impulse_on(const scree_world *world, scree_id id)
{
    size_t count;
    scree_contact *contacts = lab_contacts(world, &count);
    vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        if (contacts[i].b == id)
            sum = vec3_add(sum, contacts[i].impulse);
        if (contacts[i].a == id)
            sum = vec3_sub(sum, contacts[i].impulse);
    }
    free(contacts);
    return sum;
}

// Spin's angular momentum in world axes, for bodies whose inertia is diagonal in the body's frame.
static inline vec3 lab_own_angular_momentum(const scree_state *state, vec3 inertia)
{
    vec3 local = quat_rotate_back(state->orientation, state->spin);
    return quat_rotate(state->orientation, vec3_multiply(inertia, local));
}

// What a system of bodies that are not fixed holds, added up here from states and not taken from the figures.
typedef struct lab_totals {
    double mass, kinetic;
    vec3 momentum, angular;               // angular momentum about the origin
    double momentum_scale, angular_scale; // sums of lengths, to judge rounding by
} lab_totals;

static inline lab_totals lab_total(const scree_world *world)
{
    lab_totals total = {0};
    size_t count = scree_world_body_count(world);
    scree_id *ids = malloc((count + 1) * sizeof *ids);
    assert_non_null(ids);
    scree_world_body_ids(world, ids);
    for (size_t i = 0; i < count; i++) {
        scree_body_info info = lab_info(world, ids[i]);
        if (info.fixed)
            continue;
        scree_state state = lab_state(world, ids[i]);
        vec3 momentum = vec3_scale(state.velocity, info.mass);
        vec3 own = lab_own_angular_momentum(&state, info.inertia);
        vec3 orbital = vec3_cross(state.position, momentum);
        total.mass += info.mass;
        total.kinetic += 0.5 * vec3_dot(momentum, state.velocity) + 0.5 * vec3_dot(own, state.spin);
        total.momentum = vec3_add(total.momentum, momentum);
        total.angular = vec3_add(total.angular, vec3_add(own, orbital));
        total.momentum_scale += vec3_length(momentum);
        total.angular_scale += vec3_length(own) + vec3_length(orbital);
    }
    free(ids);
    return total;
}

// Five frictional planes around [-half, half]^2 with the floor at z = 0; returns the floor's id.
static inline scree_id lab_add_container(scree_world *world, double half)
{
    scree_id floor = lab_add_floor(world);
    const vec3 inward[4] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    for (int i = 0; i < 4; i++)
        lab_add_fixed(world, vec3_make(0, 0, 0), lab_plane(inward[i], -half));
    return floor;
}

// `count` bodies of radius about 0.1 on a jittered lattice above the floor, inside a container of half width `half`:
// every third a box when `with_boxes`.
static inline void lab_add_heap(scree_world *world, size_t count, double half, bool with_boxes, uint64_t seed)
{
    random_stream stream = {seed};
    const double cell = 0.26;
    size_t across = (size_t)(2 * half / cell);
    double spacing = 2 * half / (double)across;
    for (size_t i = 0; i < count; i++) {
        vec3 at = {((double)(i % across) + 0.5) * spacing - half,
                   ((double)(i / across % across) + 0.5) * spacing - half,
                   ((double)(i / (across * across)) + 0.5) * cell + 0.02};
        double jitter = 0.02;
        at.x += random_between(&stream, -jitter, jitter);
        at.y += random_between(&stream, -jitter, jitter);
        double radius = random_between(&stream, 0.08, 0.1);
        scree_body_def body = lab_body(at, vec3_make(0, 0, 0));
        body.orientation = quat_from_rotation(vec3_make(random_unit(&stream), random_unit(&stream), 0));
        bool box = with_boxes && i % 3 == 0;
        lab_add(world, body, box ? lab_box(0.6 * radius, 0.5 * radius, 0.7 * radius) : lab_sphere(radius));
    }
}

#endif
