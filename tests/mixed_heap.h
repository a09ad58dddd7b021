// Two heaps: one to look at, and one a kilometre away that must not matter to it.
//
// The far heap has what the near one may lack: rolling friction, cohesion, restitution, sphere sets, bodies of several
// shapes, spheres a hundred times as large and as small, and speeds and masses that are larger by far. It is of another
// group, since the planes around the near heap have no end.
#ifndef TESTS_MIXED_HEAP_H
#define TESTS_MIXED_HEAP_H

#include "physics/lab.h"

#include <string.h>

#include "scree/geometry.h"

enum { HEAP_BODIES = CHECK_SANITIZED ? 60 : 120, FAR_BODIES = 60, FAR_MATERIAL = 2 };

static inline scree_material_def heap_material(double friction, double restitution)
{
    scree_material_def material = scree_default_material_def();
    material.density = 1000;
    material.friction = friction;
    material.restitution = restitution;
    return material;
}

// Springs are for the penalty method alone: elsewhere they would make contacts soft.
static inline void heap_add_materials(scree_world *world, bool all_shapes)
{
    bool springs = scree_world_get_def(world).method == SCREE_METHOD_PENALTY;
    scree_material_def materials[3] = {heap_material(0.5, 0), heap_material(0.2, 0), heap_material(0.7, 0.5)};
    for (int i = 0; i < 3; i++) {
        if (springs) {
            materials[i].stiffness = 4e4;
            materials[i].youngs_modulus = 2e6;
        }
        if (i == FAR_MATERIAL || (all_shapes && i == 1)) {
            materials[i].rolling_friction = materials[i].spinning_friction = 0.002;
            materials[i].cohesion = 0.1;
            materials[i].restitution = 0.4;
        }
        int index = 0;
        if (i == 0)
            lab_ok(scree_world_set_material(world, 0, &materials[0], error));
        else
            lab_ok(scree_world_add_material(world, &materials[i], &index, error));
        assert_int_equal(index, i);
    }
}

static inline scree_shape_def heap_shape(scree_shape_type type, const scree_geometry *geometry)
{
    scree_shape_def shape = scree_default_shape_def();
    shape.type = type;
    shape.geometry = geometry;
    shape.radius = 0.06;
    shape.half_length = 0.05;
    shape.radii = vec3_make(0.09, 0.07, 0.05);
    return shape;
}

// Five spheres in the shape of a caltrop.
static inline scree_geometry *heap_sphere_set(void)
{
    static const scree_ball balls[] = {{{0, 0, 0}, 0.06},
                                       {{0.08, 0, 0}, 0.05},
                                       {{-0.05, 0.06, 0}, 0.05},
                                       {{-0.05, -0.06, 0}, 0.05},
                                       {{0, 0, 0.08}, 0.04}};
    scree_geometry *set = NULL;
    lab_ok(scree_spheres_create(balls, sizeof balls / sizeof balls[0], NULL, &set, error));
    return set;
}

// A slope of four triangles.
static inline scree_geometry *heap_mesh(void)
{
    static const scree_vec3 vertices[] = {{-1, -1, 0.1}, {1, -1, 0}, {1, 1, 0.1}, {-1, 1, 0.2}, {0, 0, 0.02}};
    static const uint32_t triangles[] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
    scree_geometry *mesh = NULL;
    lab_ok(scree_mesh_create(vertices, 5, triangles, 4, &mesh, error));
    return mesh;
}

// A box with a sphere on it and a sphere beside it: three shapes of one body.
static inline void heap_add_compound(scree_world *world, scree_body_def body)
{
    scree_shape_def shapes[3] = {lab_box(0.06, 0.05, 0.04), lab_sphere(0.05), lab_sphere(0.04)};
    shapes[1].position = vec3_make(0.01, 0, 0.06);
    shapes[2].position = vec3_make(0.07, 0.02, 0);
    body.shapes = shapes;
    body.shape_count = 3;
    lab_ok(scree_world_add_bodies(world, &body, 1, NULL, error));
}

static inline void heap_add_walls(scree_world *world, bool all_shapes)
{
    scree_shape_def walls[4];
    const vec3 inward[4] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    for (int i = 0; i < 4; i++)
        walls[i] = lab_plane(inward[i], -0.6);
    scree_body_def body = lab_body(vec3_make(0, 0, 0), vec3_make(0, 0, 0));
    body.fixed = true;
    body.shapes = walls;
    body.shape_count = 4;
    lab_ok(scree_world_add_bodies(world, &body, 1, NULL, error));
    lab_add_fixed(world, vec3_make(0, 0, 0), lab_plane(vec3_make(0, 0, 1), 0));
    if (!all_shapes)
        return;
    scree_geometry *mesh = heap_mesh();
    lab_add_fixed(world, vec3_make(0, 0, 0), heap_shape(SCREE_SHAPE_MESH, mesh));
    lab_add_fixed(world, vec3_make(0.2, 0.1, 0.1), lab_box(0.2, 0.1, 0.1));
    scree_geometry_release(mesh);
}

// Bodies on a jittered lattice that touch each other soon. Poor: spheres of three sizes; rich: all shapes.
static inline void heap_add_bodies(scree_world *world, bool all_shapes)
{
    random_stream stream = {11};
    scree_geometry *set = heap_sphere_set();
    const scree_shape_def shapes[] = {lab_sphere(0.08),
                                      lab_sphere(0.1),
                                      lab_sphere(0.06),
                                      lab_box(0.07, 0.08, 0.06),
                                      heap_shape(SCREE_SHAPE_SPHERES, set),
                                      heap_shape(SCREE_SHAPE_CAPSULE, NULL),
                                      heap_shape(SCREE_SHAPE_ELLIPSOID, NULL),
                                      heap_shape(SCREE_SHAPE_CYLINDER, NULL)};
    for (int i = 0; i < HEAP_BODIES; i++) {
        vec3 at = {0.23 * (i % 5 - 2), 0.23 * (i / 5 % 5 - 2), 0.36 + 0.21 * (i / 25)};
        at = vec3_add(at, vec3_make(random_between(&stream, -0.01, 0.01), random_between(&stream, -0.01, 0.01), 0));
        vec3 velocity = {random_between(&stream, -1, 1), random_between(&stream, -1, 1), -2};
        scree_body_def body = lab_body(at, velocity);
        body.orientation = quat_from_rotation(vec3_make(random_unit(&stream), random_unit(&stream), 0));
        body.spin = vec3_make(0, random_between(&stream, -2, 2), 1);
        body.material = i % 2;
        if (all_shapes && i % 9 == 8)
            heap_add_compound(world, body);
        else
            lab_add(world, body, shapes[all_shapes ? i % 9 : i % 3]);
    }
    scree_geometry_release(set);
}

static inline scree_world *heap_create(const scree_world_def *def, bool all_shapes)
{
    scree_world *world = lab_create(def);
    heap_add_materials(world, all_shapes);
    heap_add_walls(world, all_shapes);
    heap_add_bodies(world, all_shapes);
    return world;
}

static inline scree_body_def heap_far_body(vec3 position, vec3 velocity)
{
    scree_body_def body = lab_body(position, velocity);
    body.material = FAR_MATERIAL;
    body.group = body.mask = 2;
    return body;
}

static inline void heap_add_far(scree_world *world)
{
    random_stream stream = {7};
    scree_geometry *set = heap_sphere_set();
    const vec3 middle = {800, -600, 5};
    const scree_shape_def shapes[] = {lab_sphere(0.4), lab_sphere(0.001), lab_box(0.5, 0.3, 0.2),
                                      heap_shape(SCREE_SHAPE_SPHERES, set), heap_shape(SCREE_SHAPE_CONE, NULL)};
    scree_body_def floor = heap_far_body(vec3_sub(middle, vec3_make(0, 0, 1)), vec3_make(0, 0, 0));
    floor.fixed = true;
    lab_add(world, floor, lab_box(4, 4, 0.5));
    lab_add(world, heap_far_body(vec3_add(middle, vec3_make(0, 0, 14)), vec3_make(0, 0, -8)), lab_sphere(11));
    for (int i = 0; i < FAR_BODIES; i++) {
        vec3 at = {0.9 * (i % 4 - 1.5), 0.9 * (i / 4 % 4 - 1.5), 0.9 * (i / 16)};
        vec3 velocity = {random_between(&stream, -9, 9), random_between(&stream, -9, 9), -20};
        scree_body_def body = heap_far_body(vec3_add(middle, at), velocity);
        body.spin = vec3_make(random_between(&stream, -30, 30), 10, 0);
        body.mass = 5 + 200 * random_unit(&stream);
        if (i % 6 == 5)
            heap_add_compound(world, body);
        else
            lab_add(world, body, shapes[i % 6]);
    }
    scree_geometry_release(set);
}

static inline bool same_bits(scree_state a, scree_state b)
{
    return memcmp(&a.position, &b.position, sizeof a.position) == 0 &&
           memcmp(&a.orientation, &b.orientation, sizeof a.orientation) == 0 &&
           memcmp(&a.velocity, &b.velocity, sizeof a.velocity) == 0 && memcmp(&a.spin, &b.spin, sizeof a.spin) == 0;
}

// Steps both worlds, and compares the bodies of the first after each step: all of them stand first in the second, too.
static inline void heap_assert_alike(scree_world *alone, scree_world *with_more, int steps)
{
    scree_id last = (scree_id)scree_world_figures(alone).bodies;
    for (int step = 1; step <= steps; step++) {
        lab_step(alone, 1);
        lab_step(with_more, 1);
        for (scree_id id = 1; id <= last; id++)
            if (!same_bits(lab_state(alone, id), lab_state(with_more, id))) {
                print_error("body %d differs after step %d\n", (int)id, step);
                _fail(__FILE__, __LINE__);
            }
    }
}

// The far heap visits the second world for a while: it comes after some steps, and is gone before the end.
static inline void heap_assert_guests_leave_no_trace(scree_world *alone, scree_world *with_guests, int steps)
{
    scree_id last = (scree_id)scree_world_figures(alone).bodies;
    heap_assert_alike(alone, with_guests, steps / 4);
    heap_add_far(with_guests);
    heap_assert_alike(alone, with_guests, steps / 4);
    for (scree_id id = last + 1; id <= last + FAR_BODIES + 2; id++)
        lab_ok(scree_world_remove_bodies(with_guests, &id, 1, error));
    heap_assert_alike(alone, with_guests, steps / 2);
    assert_true(scree_world_hash(alone) == scree_world_hash(with_guests));
}

#endif
