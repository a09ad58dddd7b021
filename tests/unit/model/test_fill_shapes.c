// Fills of every shape: inside the box, clear of each other and of meshes and height fields, of the sizes asked for.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/vec.h"
#include "model/fill.h"
#include "scree/query.h"

enum { COUNT = 25 };

static fill_shape shape_of(scree_shape_type type, const scree_geometry *geometry)
{
    fill_shape shape = {.shape = scree_default_shape_def(),
                        .radius = {0.1, 0.2},
                        .half_length = {0.15, 0.3},
                        .half = {{0.1, 0.2}, {0.1, 0.1}, {0.2, 0.3}},
                        .radii = {{0.3, 0.3}, {0.1, 0.2}, {0.1, 0.15}}};
    shape.shape.type = type;
    shape.shape.geometry = geometry;
    return shape;
}

static fill_def fill_of(const fill_shape *shape, fill_pattern pattern)
{
    return (fill_def){.pattern = pattern,
                      .count = COUNT,
                      .low = {-2, -2, 0},
                      .high = {2, 2, 4},
                      .jitter = 0.5,
                      .shapes = shape,
                      .shape_count = 1,
                      .orientation = {1, 0, 0, 0},
                      .random_orientation = true,
                      .group = 4,
                      .mask = 6,
                      .seed = 7};
}

static scree_world *new_world(void)
{
    scree_world *world;
    scree_world_def def = scree_default_world_def();
    def.threads = 1;
    assert_int_equal(scree_world_create(&def, &world, NULL), SCREE_OK);
    return world;
}

static void fill_or_fail(scree_world *world, const fill_def *def)
{
    scree_error error = {0};
    if (fill_world(world, def, &error) != SCREE_OK)
        fail_msg("%s", error.message);
}

// The definition that a body was made from, as far as the world still knows it; sphere sets have become spheres.
static void get_shape(const scree_world *world, scree_id id, size_t index, scree_shape_def *shape, scree_pose *pose)
{
    scree_body_info info;
    scree_state state;
    assert_int_equal(scree_world_get_body(world, id, &info, NULL), SCREE_OK);
    assert_int_equal(scree_world_get_states(world, &id, 1, &state, NULL), SCREE_OK);
    assert_int_equal(scree_world_get_shape(world, id, index, shape, NULL), SCREE_OK);
    *pose = (scree_pose){info.frame, state.orientation};
}

static size_t shapes_of(const scree_world *world, scree_id id)
{
    scree_body_info info;
    assert_int_equal(scree_world_get_body(world, id, &info, NULL), SCREE_OK);
    return info.shape_count;
}

static double gap_between(const scree_world *world, scree_id a, size_t i, scree_id b, size_t k)
{
    scree_shape_def first, second;
    scree_pose at, there;
    double gap;
    get_shape(world, a, i, &first, &at);
    get_shape(world, b, k, &second, &there);
    assert_int_equal(scree_shape_gap(&first, &at, &second, &there, &gap, NULL), SCREE_OK);
    return gap;
}

static void assert_clear_and_inside(const scree_world *world)
{
    scree_shape_def wall = scree_default_shape_def();
    const scree_pose origin = {{0, 0, 0}, {1, 0, 0, 0}};
    const vec3 normals[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    const double offsets[6] = {-2, -2, -2, -2, 0, -4};
    wall.type = SCREE_SHAPE_PLANE;
    for (scree_id a = 1; a <= COUNT; a++)
        for (size_t i = 0; i < shapes_of(world, a); i++) {
            scree_shape_def shape;
            scree_pose pose;
            get_shape(world, a, i, &shape, &pose);
            for (int side = 0; side < 6; side++) {
                double gap;
                wall.normal = normals[side];
                wall.offset = offsets[side];
                assert_int_equal(scree_shape_gap(&shape, &pose, &wall, &origin, &gap, NULL), SCREE_OK);
                assert_true(gap > -1e-6);
            }
            for (scree_id b = a + 1; b <= COUNT; b++)
                for (size_t k = 0; k < shapes_of(world, b); k++)
                    assert_true(gap_between(world, a, i, b, k) > -1e-6);
        }
}

static void test_every_shape(void **state)
{
    (void)state;
    const vec3 corners[] = {{0, 0, 0}, {0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}, {0.4, 0.4, 0.1}};
    const scree_ball balls[] = {{{0, 0, 0}, 0.15}, {{0.2, 0, 0}, 0.15}, {{0.2, 0.2, 0}, 0.1}};
    scree_geometry *hull = NULL, *set;
    assert_int_equal(scree_spheres_create(balls, 3, NULL, &set, NULL), SCREE_OK);
    bool has_hulls = scree_hull_create(corners, 5, &hull, NULL) == SCREE_OK; // needs qhull
    for (int type = 0; type < SCREE_SHAPE_TYPES; type++) {
        if (type == SCREE_SHAPE_PLANE || type == SCREE_SHAPE_MESH || type == SCREE_SHAPE_HEIGHTFIELD ||
            (type == SCREE_SHAPE_HULL && !has_hulls))
            continue;
        fill_shape shape = shape_of((scree_shape_type)type, type == SCREE_SHAPE_HULL      ? hull
                                                            : type == SCREE_SHAPE_SPHERES ? set
                                                                                          : NULL);
        for (int pattern = FILL_LATTICE; pattern <= FILL_RANDOM; pattern++) {
            scree_world *world = new_world();
            fill_def def = fill_of(&shape, (fill_pattern)pattern);
            fill_or_fail(world, &def);
            assert_int_equal(scree_world_body_count(world), COUNT);
            assert_clear_and_inside(world);
            scree_world_destroy(world);
        }
    }
    scree_geometry_release(hull);
    scree_geometry_release(set);
}

static void test_sizes_are_drawn(void **state)
{
    (void)state;
    fill_shape pill = shape_of(SCREE_SHAPE_CAPSULE, NULL), egg = shape_of(SCREE_SHAPE_ELLIPSOID, NULL);
    scree_world *world = new_world();
    fill_def def = fill_of(&pill, FILL_RANDOM);
    fill_or_fail(world, &def);
    def.shapes = &egg;
    def.low.z = 4;
    def.high.z = 8;
    fill_or_fail(world, &def);
    double least = HUGE_VAL, most = 0;
    for (scree_id id = 1; id <= 2 * COUNT; id++) {
        scree_shape_def shape;
        scree_pose pose;
        get_shape(world, id, 0, &shape, &pose);
        double size = id <= COUNT ? shape.half_length : shape.radii.y + 0.1;
        least = fmin(least, size);
        most = fmax(most, size);
        if (id <= COUNT)
            assert_true(shape.radius > 0.0999 && shape.radius < 0.2001 && size > 0.1499 && size < 0.3001);
        else
            assert_true(fabs(shape.radii.x - 0.3) < 1e-6 && shape.radii.z > 0.0999 && shape.radii.z < 0.1501);
    }
    assert_true(most - least > 0.1);
    scree_world_destroy(world);
}

// Over a height field that rises into the box, and beside a mesh that stands in it.
static void test_grounds_are_spared(void **state)
{
    (void)state;
    float heights[9 * 9];
    for (int i = 0; i < 81; i++)
        heights[i] = (float)(0.15 * (i % 9));
    const scree_heightfield_def slope = {.columns = 9, .rows = 9, .width = 4, .depth = 4, .heights = heights};
    const vec3 corners[] = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}, {0, 0, 3}};
    const uint32_t triangles[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    scree_geometry *field, *mesh;
    assert_int_equal(scree_heightfield_create(&slope, &field, NULL), SCREE_OK);
    assert_int_equal(scree_mesh_create(corners, 4, triangles, 4, &mesh, NULL), SCREE_OK);
    scree_shape_def grounds[2] = {scree_default_shape_def(), scree_default_shape_def()};
    grounds[0].type = SCREE_SHAPE_HEIGHTFIELD;
    grounds[0].geometry = field;
    grounds[1].type = SCREE_SHAPE_MESH;
    grounds[1].geometry = mesh;
    scree_body_def body = scree_default_body_def();
    body.fixed = true;
    body.shapes = grounds;
    body.shape_count = 2;
    scree_world *world = new_world();
    assert_int_equal(scree_world_add_bodies(world, &body, 1, NULL, NULL), SCREE_OK);
    fill_shape ball = shape_of(SCREE_SHAPE_SPHERE, NULL);
    fill_def def = fill_of(&ball, FILL_RANDOM);
    fill_or_fail(world, &def);
    for (scree_id id = 2; id <= COUNT + 1; id++) {
        scree_shape_def shape;
        scree_pose pose;
        scree_hit hit;
        get_shape(world, id, 0, &shape, &pose);
        assert_int_equal(scree_world_find_nearest(world, &pose.position, 1, 5, 1, &hit, NULL), SCREE_OK);
        assert_int_equal(hit.body, 1);
        assert_true(hit.distance > shape.radius - 1e-6);
    }
    scree_world_destroy(world);
    scree_geometry_release(field);
    scree_geometry_release(mesh);
}

static void test_refusals(void **state)
{
    (void)state;
    scree_world *world = new_world();
    const scree_shape_type types[] = {SCREE_SHAPE_PLANE, SCREE_SHAPE_MESH, SCREE_SHAPE_HEIGHTFIELD};
    scree_error error = {0};
    for (int i = 0; i < 3; i++) {
        fill_shape shape = shape_of(types[i], NULL);
        fill_def def = fill_of(&shape, FILL_RANDOM);
        assert_int_equal(fill_world(world, &def, &error), SCREE_ERROR_INVALID);
        assert_string_equal(error.message, "fill, shape 0: a fill cannot be made of planes, meshes or height fields");
    }
    fill_shape cone = shape_of(SCREE_SHAPE_CONE, NULL);
    cone.half_length = (fill_range){0.3, 0.2};
    fill_def def = fill_of(&cone, FILL_RANDOM);
    assert_int_equal(fill_world(world, &def, &error), SCREE_ERROR_INVALID);
    assert_string_equal(error.message, "fill, shape 0: the size range [0.3, 0.2] must run upwards");
    assert_int_equal(scree_world_body_count(world), 0);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_shape),
        cmocka_unit_test(test_sizes_are_drawn),
        cmocka_unit_test(test_grounds_are_spared),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
