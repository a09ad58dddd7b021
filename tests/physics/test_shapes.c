// Every shape comes to rest on every kind of ground, where its lowest point touches the ground and not below.
#include "lab.h"

static const vec3 AT_REST = {0, 0, 0};

typedef struct stock { // geometries that shapes and grounds share
    scree_geometry *hull, *spheres, *mesh, *height;
} stock;

static void open_stock(stock *s)
{
    *s = (stock){0};
    static const scree_vec3 wedge[] = {{-0.5, -0.4, -0.3}, {0.5, -0.4, -0.3}, {0.5, 0.4, -0.3},
                                       {-0.5, 0.4, -0.3},  {-0.5, 0, 0.4},    {0.5, 0, 0.4}};
    if (scree_hull_create(wedge, 6, &s->hull, NULL) != SCREE_OK) // a build without qhull
        s->hull = NULL;
    static const scree_ball balls[] = {{{-0.3, -0.3, 0}, 0.3}, {{0.3, -0.3, 0}, 0.3}, {{0, 0.4, 0}, 0.3}};
    lab_ok(scree_spheres_create(balls, 3, NULL, &s->spheres, error));
    // Flat ground of uneven triangles, and a flat height field.
    enum { EDGE = 9 };
    scree_vec3 vertices[EDGE * EDGE];
    uint32_t triangles[(EDGE - 1) * (EDGE - 1) * 6];
    random_stream random = {3};
    for (int i = 0; i < EDGE * EDGE; i++) {
        bool rim = i % EDGE % (EDGE - 1) == 0 || i / EDGE % (EDGE - 1) == 0;
        double shift = rim ? 0 : 0.3;
        vertices[i] = vec3_make(i % EDGE - 4 + random_between(&random, -shift, shift),
                                i / EDGE - 4 + random_between(&random, -shift, shift), 0);
    }
    size_t count = 0;
    for (uint32_t y = 0; y < EDGE - 1; y++)
        for (uint32_t x = 0; x < EDGE - 1; x++) {
            uint32_t a = y * EDGE + x, quad[6] = {a, a + 1, a + EDGE + 1, a, a + EDGE + 1, a + EDGE};
            for (int k = 0; k < 6; k++)
                triangles[count++] = quad[k];
        }
    lab_ok(scree_mesh_create(vertices, EDGE * EDGE, triangles, count / 3, &s->mesh, error));
    const float heights[16] = {0};
    scree_heightfield_def field = {.columns = 4, .rows = 4, .width = 8, .depth = 8, .heights = heights};
    lab_ok(scree_heightfield_create(&field, &s->height, error));
}

static void close_stock(stock *s)
{
    scree_geometry_release(s->hull);
    scree_geometry_release(s->spheres);
    scree_geometry_release(s->mesh);
    scree_geometry_release(s->height);
}

static scree_shape_def shape_of(const stock *s, scree_shape_type type)
{
    scree_shape_def shape = scree_default_shape_def();
    shape.type = type;
    shape.radius = 0.4;
    shape.half_length = 0.5;
    shape.half = vec3_make(0.5, 0.4, 0.3);
    shape.radii = vec3_make(0.5, 0.4, 0.3);
    if (type == SCREE_SHAPE_HULL)
        shape.geometry = s->hull;
    if (type == SCREE_SHAPE_SPHERES)
        shape.geometry = s->spheres;
    return shape;
}

static scree_shape_def ground_of(const stock *s, scree_shape_type type)
{
    if (type == SCREE_SHAPE_PLANE)
        return lab_plane(vec3_make(0, 0, 1), 0);
    if (type == SCREE_SHAPE_BOX) {
        scree_shape_def box = lab_box(4, 4, 1);
        box.position.z = -1;
        return box;
    }
    scree_shape_def shape = scree_default_shape_def();
    shape.type = type;
    shape.geometry = type == SCREE_SHAPE_MESH ? s->mesh : s->height;
    return shape;
}

// How far the body's lowest point is from the ground at z = 0.
static double clearance(const scree_world *world, scree_id id)
{
    scree_pose ground = {AT_REST, {1, 0, 0, 0}}, pose = {lab_info(world, id).frame, lab_state(world, id).orientation};
    scree_shape_def plane = lab_plane(vec3_make(0, 0, 1), 0);
    double least = HUGE_VAL;
    for (size_t i = 0; i < lab_info(world, id).shape_count; i++) {
        scree_shape_def shape;
        double gap;
        lab_ok(scree_world_get_shape(world, id, i, &shape, error));
        lab_ok(scree_shape_gap(&shape, &pose, &plane, &ground, &gap, error));
        least = fmin(least, gap);
    }
    return least;
}

static const scree_shape_type MOVING[] = {SCREE_SHAPE_SPHERE,  SCREE_SHAPE_BOX,      SCREE_SHAPE_ELLIPSOID,
                                          SCREE_SHAPE_CAPSULE, SCREE_SHAPE_CYLINDER, SCREE_SHAPE_CONE,
                                          SCREE_SHAPE_HULL,    SCREE_SHAPE_SPHERES};
static const scree_shape_type GROUNDS[] = {SCREE_SHAPE_PLANE, SCREE_SHAPE_BOX, SCREE_SHAPE_MESH,
                                           SCREE_SHAPE_HEIGHTFIELD};
enum { KINDS = sizeof MOVING / sizeof *MOVING };

static void test_everything_rests_on_everything(void **state)
{
    (void)state;
    stock s;
    open_stock(&s);
    for (int g = 0; g < 4; g++)
        for (int m = 0; m < KINDS; m++) {
            if (MOVING[m] == SCREE_SHAPE_HULL && !s.hull)
                continue;
            scree_world_def def = scree_default_world_def();
            def.threads = 1;
            scree_world *world = lab_create(&def);
            lab_surface(world, 0.6, 0);
            lab_add_fixed(world, AT_REST, ground_of(&s, GROUNDS[g]));
            scree_body_def body = lab_body(vec3_make(0.2, 0.1, 0.9), AT_REST);
            body.orientation = quat_from_rotation(vec3_make(0.2, 0.15, 0.3));
            scree_id id = lab_add(world, body, shape_of(&s, MOVING[m]));
            lab_step(world, 1000);
            double gap = clearance(world, id), speed = vec3_length(lab_state(world, id).velocity);
            // Round things roll and rock on for a while; nothing sinks in or hovers.
            if (!(fabs(gap) < 3e-3 && speed < 0.6)) {
                print_error("shape %d on ground %d: clearance %g, speed %g\n", (int)MOVING[m], (int)GROUNDS[g], gap,
                            speed);
                _fail(__FILE__, __LINE__);
            }
            scree_world_destroy(world);
        }
    close_stock(&s);
}

// A small heap of all kinds in a box of planes: nothing overlaps by much, nothing is lost, energy falls.
static void test_mixed_heap_settles(void **state)
{
    (void)state;
    stock s;
    open_stock(&s);
    scree_world_def def = scree_default_world_def();
    def.threads = 2;
    scree_world *world = lab_create(&def);
    lab_add_container(world, 2);
    random_stream random = {9};
    for (int i = 0; i < 96; i++) {
        scree_shape_type type = MOVING[i % KINDS];
        if (type == SCREE_SHAPE_HULL && !s.hull)
            continue;
        scree_body_def body =
            lab_body(vec3_make(i % 3 * 1.25 - 1.25, i / 3 % 3 * 1.25 - 1.25, 0.8 + i / 9 * 1.25), AT_REST);
        body.orientation = quat_from_rotation(vec3_make(random_unit(&random), random_unit(&random), 0));
        lab_add(world, body, shape_of(&s, type));
    }
    lab_step(world, 800);
    scree_figures figures = scree_world_figures(world);
    assert_true(figures.penetration_mean < 0.01);
    assert_true(figures.penetration_max < 0.15);
    assert_true(figures.touching > 150);
    size_t bodies = scree_world_body_count(world);
    for (scree_id id = 6; id <= bodies; id++) { // after floor and walls
        scree_state st = lab_state(world, id);
        assert_true(fabs(st.position.x) < 2 && fabs(st.position.y) < 2 && st.position.z > 0 && st.position.z < 12);
        assert_true(vec3_length(st.velocity) < 3);
    }
    scree_world_destroy(world);
    close_stock(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everything_rests_on_everything),
        cmocka_unit_test(test_mixed_heap_settles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
