// Queries over a world against the same queries over worlds of one body each, and against closed forms.
#include "../../physics/lab.h"

#include "scree/query.h"

static const vec3 AT_REST = {0, 0, 0};

static vec3 random_point(random_stream *random, double size)
{
    return vec3_make(random_between(random, -size, size), random_between(random, -size, size),
                     random_between(random, -size, size));
}

static scree_shape_def random_shape(random_stream *random)
{
    static const scree_shape_type types[] = {SCREE_SHAPE_SPHERE,  SCREE_SHAPE_BOX,      SCREE_SHAPE_ELLIPSOID,
                                             SCREE_SHAPE_CAPSULE, SCREE_SHAPE_CYLINDER, SCREE_SHAPE_CONE};
    scree_shape_def shape = scree_default_shape_def();
    shape.type = types[random_bits(random) % 6];
    shape.radius = random_between(random, 0.2, 0.8);
    shape.half_length = random_between(random, 0.2, 0.8);
    shape.half = shape.radii =
        vec3_make(random_between(random, 0.2, 0.8), random_between(random, 0.2, 0.8), random_between(random, 0.2, 0.8));
    return shape;
}

static scree_geometry *tent(void)
{
    static const scree_vec3 vertices[] = {{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}, {0, 0, 2}};
    static const uint32_t triangles[] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4, 0, 2, 1, 0, 3, 2};
    scree_geometry *geometry = NULL;
    lab_ok(scree_mesh_create(vertices, 5, triangles, 6, &geometry, error));
    return geometry;
}

enum { BODIES = 60 };

typedef struct crowd {
    scree_world *all, *alone[BODIES + 1]; // alone[i] holds the body that has id i + 1 in `all`
    scree_body_def defs[BODIES + 1];
    scree_shape_def shapes[BODIES + 1];
    scree_geometry *mesh;
} crowd;

static void make_crowd(crowd *c)
{
    scree_world_def def = lab_def(&LAB_GS_SINGLE, 0.01);
    random_stream random = {23};
    c->all = lab_create(&def);
    c->mesh = tent();
    for (int i = 0; i <= BODIES; i++) {
        c->shapes[i] = random_shape(&random);
        c->defs[i] = lab_body(random_point(&random, 4), AT_REST);
        c->defs[i].orientation = (quat){random_unit(&random), random_unit(&random), random_unit(&random), 0.2};
        c->defs[i].group = 1u << i % 3;
        if (i == 0)
            c->shapes[i] = lab_plane(vec3_make(0, 0, 1), -5);
        if (i == 1) {
            c->shapes[i].type = SCREE_SHAPE_MESH;
            c->shapes[i].geometry = c->mesh;
        }
        c->defs[i].fixed = i < 2;
        if (i == 0)
            c->defs[i].orientation = quat_identity();
        lab_add(c->all, c->defs[i], c->shapes[i]);
        c->alone[i] = lab_create(&def);
        lab_add(c->alone[i], c->defs[i], c->shapes[i]);
    }
}

static void free_crowd(crowd *c)
{
    scree_world_destroy(c->all);
    for (int i = 0; i <= BODIES; i++)
        scree_world_destroy(c->alone[i]);
    scree_geometry_release(c->mesh);
}

static void test_rays_meet_the_first(void **state)
{
    (void)state;
    crowd c;
    make_crowd(&c);
    random_stream random = {5};
    enum { RAYS = 500 };
    scree_ray rays[RAYS];
    scree_hit hits[RAYS];
    for (int i = 0; i < RAYS; i++) {
        rays[i] = scree_default_ray();
        rays[i].origin = random_point(&random, 8);
        rays[i].direction = vec3_scale(random_point(&random, 1), 3);
        rays[i].length = i % 3 ? HUGE_VAL : 4;
        rays[i].mask = i % 2 ? UINT32_MAX : 5;
    }
    lab_ok(scree_world_cast_rays(c.all, rays, RAYS, hits, error));
    int met = 0;
    for (int i = 0; i < RAYS; i++) {
        double nearest = HUGE_VAL;
        for (int k = 0; k <= BODIES; k++) {
            scree_hit one;
            lab_ok(scree_world_cast_rays(c.alone[k], &rays[i], 1, &one, error));
            if (one.body)
                nearest = fmin(nearest, one.distance);
            if (hits[i].body == (scree_id)k + 1) {
                assert_int_equal(one.body, 1);
                assert_near(one.distance, hits[i].distance, 0);
                assert_vec3_near(one.normal, hits[i].normal, 0);
            }
        }
        assert_true(hits[i].body ? hits[i].distance == nearest : nearest == HUGE_VAL);
        met += hits[i].body != 0;
    }
    assert_in_range(met, 100, RAYS - 50);
    free_crowd(&c);
}

static void test_nearest_surface(void **state)
{
    (void)state;
    crowd c;
    make_crowd(&c);
    random_stream random = {6};
    int inside = 0;
    for (int i = 0; i < 400; i++) {
        scree_vec3 point = random_point(&random, 5);
        double within = i % 2 ? HUGE_VAL : 0.7, nearest = HUGE_VAL;
        scree_hit hit;
        lab_ok(scree_world_find_nearest(c.all, &point, 1, within, UINT32_MAX, &hit, error));
        for (int k = 0; k <= BODIES; k++) {
            scree_hit one;
            lab_ok(scree_world_find_nearest(c.alone[k], &point, 1, within, UINT32_MAX, &one, error));
            nearest = one.body ? fmin(nearest, one.distance) : nearest;
        }
        assert_true(hit.body ? fabs(hit.distance - nearest) < 1e-9 : nearest == HUGE_VAL);
        if (!hit.body)
            continue;
        inside += hit.distance < 0;
        // The point stands on the normal, or on the cone of normals of an edge, at its distance.
        assert_near(vec3_length(vec3_sub(point, hit.point)), fabs(hit.distance), 1e-6);
    }
    assert_true(inside > 10);
    free_crowd(&c);
}

static void test_near_bodies(void **state)
{
    (void)state;
    crowd c;
    make_crowd(&c);
    random_stream random = {7};
    size_t met = 0;
    for (int i = 0; i < 60; i++) {
        scree_shape_def shape = random_shape(&random);
        scree_pose pose = {random_point(&random, 4), {random_unit(&random), 0.3, random_unit(&random), 0.2}};
        double within = i % 2 ? 0 : 0.4;
        scree_id ids[BODIES + 1];
        size_t count, expected = 0;
        lab_ok(scree_world_find_near(c.all, &shape, &pose, within, UINT32_MAX, ids, BODIES + 1, &count, error));
        for (size_t k = 1; k < count; k++)
            assert_true(ids[k] > ids[k - 1]);
        for (int k = 0; k <= BODIES; k++) {
            size_t one;
            lab_ok(scree_world_find_near(c.alone[k], &shape, &pose, within, UINT32_MAX, NULL, 0, &one, error));
            expected += one;
            bool listed = false;
            for (size_t m = 0; m < count; m++)
                listed = listed || ids[m] == (scree_id)k + 1;
            assert_int_equal(listed, one == 1);
        }
        assert_int_equal(count, expected);
        met += count;
    }
    assert_true(met > 60);
    free_crowd(&c);
}

static void test_closed_forms(void **state)
{
    (void)state;
    scree_world_def def = lab_def(&LAB_GS_SINGLE, 0.01);
    scree_world *world = lab_create(&def);
    scree_id ball = lab_add(world, lab_body(vec3_make(10, 0, 0), AT_REST), lab_sphere(2));
    scree_ray ray = scree_default_ray();
    scree_hit hit;
    lab_ok(scree_world_cast_rays(world, &ray, 1, &hit, error));
    assert_int_equal(hit.body, ball);
    assert_near(hit.distance, 8, 1e-12);
    assert_vec3_near(hit.point, vec3_make(8, 0, 0), 1e-12);
    assert_vec3_near(hit.normal, vec3_make(-1, 0, 0), 1e-12);
    ray.mask = 2;
    lab_ok(scree_world_cast_rays(world, &ray, 1, &hit, error));
    assert_int_equal(hit.body, 0);
    scree_vec3 points[2] = {{10, 5, 0}, {10, 0.5, 0}};
    scree_hit hits[2];
    lab_ok(scree_world_find_nearest(world, points, 2, 10, 1, hits, error));
    assert_near(hits[0].distance, 3, 1e-9);
    assert_vec3_near(hits[0].point, vec3_make(10, 2, 0), 1e-9);
    assert_near(hits[1].distance, -1.5, 1e-9);
    // After a change the tree is made anew.
    scree_state moved = lab_state(world, ball);
    moved.position.x = 20;
    lab_ok(scree_world_set_states(world, &ball, 1, &moved, error));
    ray.mask = 1;
    lab_ok(scree_world_cast_rays(world, &ray, 1, &hit, error));
    assert_near(hit.distance, 18, 1e-12);
    scree_world_destroy(world);
}

static void test_refusals(void **state)
{
    (void)state;
    scree_world_def def = lab_def(&LAB_GS_SINGLE, 0.01);
    scree_world *world = lab_create(&def);
    scree_hit hit;
    scree_ray ray = scree_default_ray();
    lab_ok(scree_world_cast_rays(world, &ray, 1, &hit, error)); // an empty world is no error
    assert_int_equal(hit.body, 0);
    ray.direction = AT_REST;
    assert_int_equal(scree_world_cast_rays(world, &ray, 1, &hit, NULL), SCREE_ERROR_INVALID);
    ray = scree_default_ray();
    ray.length = 0;
    assert_int_equal(scree_world_cast_rays(world, &ray, 1, &hit, NULL), SCREE_ERROR_INVALID);
    scree_vec3 nowhere = {(double)NAN, 0, 0};
    assert_int_equal(scree_world_find_nearest(world, &nowhere, 1, 1, 1, &hit, NULL), SCREE_ERROR_INVALID);
    assert_int_equal(scree_world_find_nearest(world, &AT_REST, 1, -1, 1, &hit, NULL), SCREE_ERROR_INVALID);
    scree_shape_def plane = lab_plane(vec3_make(0, 0, 1), 0);
    scree_pose pose = {AT_REST, {1, 0, 0, 0}};
    size_t count;
    assert_int_equal(scree_world_find_near(world, &plane, &pose, 0, 1, NULL, 0, &count, NULL), SCREE_ERROR_INVALID);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rays_meet_the_first),
        cmocka_unit_test(test_nearest_surface),
        cmocka_unit_test(test_near_bodies),
        cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
