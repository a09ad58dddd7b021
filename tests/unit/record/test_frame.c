// One frame's files, decoded: every body with its values, walls and boxes as polygons, contacts as lines.
#include <math.h>

#include "base/vec.h"
#include "record/frames/frame.h"
#include "record/frames/frame_read.h"
#include "vtp_support.h"
#include "world_support.h"

typedef struct mixed_bodies { // two floors, spheres of two materials, boxes
    scree_world *world;
    body_roster roster;
} mixed_bodies;

static mixed_bodies mixed_world(int threads)
{
    scree_error error;
    mixed_bodies mixed = {empty_world(threads), {{0}, {0}}};
    scree_material_def steel = {.density = 7800, .friction = 0.3, .restitution = 0};
    int material;
    check_ok(scree_world_add_material(mixed.world, &steel, &material, &error), error);
    scree_shape_def plane = plane_shape((scree_vec3){0, 0, 1}, 0), wall = box_shape(1, 0.1, 1);
    add_body(mixed.world, &plane, 1, (scree_vec3){0, 0, 0}, true);
    add_body(mixed.world, &wall, 1, (scree_vec3){0, 1.5, 1}, true);
    for (int i = 0; i < 600; i++) {
        scree_shape_def shape = i % 5 == 4 ? box_shape(0.04, 0.05, 0.03) : sphere_shape(0.04 + 1e-5 * i);
        scree_body_def def = scree_default_body_def();
        def.shapes = &shape;
        def.shape_count = 1;
        def.material = i % 2 ? material : 0;
        def.position = (scree_vec3){0.1 * (i % 10), 0.1 * (i / 10 % 10), 0.045 + 0.1 * (i / 100)};
        def.velocity = (scree_vec3){0.01 * i, 0, -1};
        def.spin = (scree_vec3){0, 0.5 * i, 2};
        check_ok(scree_world_add_bodies(mixed.world, &def, 1, NULL, &error), error);
    }
    check_ok(roster_read(&mixed.roster, mixed.world, &error), error);
    return mixed;
}

static void mixed_free(mixed_bodies *mixed)
{
    roster_free(&mixed->roster);
    scree_world_destroy(mixed->world);
}

static void bodies_have_their_values(void **unused)
{
    (void)unused;
    scree_error error;
    mixed_bodies mixed = mixed_world(2);
    take_steps(mixed.world, 3);
    check_ok(frame_write_bodies(in_scratch("b.vtp"), mixed.world, &mixed.roster, 2, &error), error);
    char *file = read_file(in_scratch("b.vtp"), NULL);
    assert_int_equal(vtp_count(file, "<Piece", "NumberOfPoints"), 600);
    assert_int_equal(vtp_count(file, "<Piece", "NumberOfVerts"), 600);
    size_t size;
    double *points = (double *)vtp_data(file, "Points", "Points", "Float64", &size);
    assert_int_equal(size, 600 * 24);
    uint64_t *ids = (uint64_t *)vtp_data(file, "PointData", "id", "UInt64", &size);
    float *radius = (float *)vtp_data(file, "PointData", "radius", "Float32", &size);
    float *half = (float *)vtp_data(file, "PointData", "size", "Float32", &size);
    float *turn = (float *)vtp_data(file, "PointData", "orientation", "Float32", &size);
    float *velocity = (float *)vtp_data(file, "PointData", "velocity", "Float32", &size);
    float *spin = (float *)vtp_data(file, "PointData", "spin", "Float32", &size);
    uint16_t *material = (uint16_t *)vtp_data(file, "PointData", "material", "UInt16", &size);
    int32_t *ends = (int32_t *)vtp_data(file, "Verts", "offsets", "Int32", &size);
    assert_int_equal(size, 600 * 4);
    for (int i = 0; i < 600; i++) {
        scree_id id = ids[i];
        scree_state state;
        scree_body_info info;
        assert_int_equal(id, i + 3);
        check_ok(scree_world_get_states(mixed.world, &id, 1, &state, &error), error);
        check_ok(scree_world_get_body(mixed.world, id, &info, &error), error);
        assert_true(points[3 * i] == state.position.x && points[3 * i + 2] == state.position.z);
        assert_true(radius[i] == (float)info.bounding_radius);
        assert_true(turn[4 * i] == (float)state.orientation.w && turn[4 * i + 3] == (float)state.orientation.z);
        assert_true(velocity[3 * i] == (float)state.velocity.x && velocity[3 * i + 2] == (float)state.velocity.z);
        assert_true(spin[3 * i + 1] == (float)state.spin.y);
        assert_int_equal(material[i], i % 2);
        assert_true(i % 5 == 4 ? fabsf(half[3 * i + 1] - 0.05f) < 1e-6f : half[3 * i + 1] == radius[i]);
        assert_int_equal(ends[i], i + 1);
    }
    free(points), free(ids), free(radius), free(half), free(turn), free(velocity), free(spin), free(material);
    free(ends);
    free(file);
    mixed_free(&mixed);
}

static void same_bytes_for_any_number_of_threads(void **unused)
{
    (void)unused;
    scree_error error;
    size_t one_size, three_size;
    mixed_bodies mixed = mixed_world(1);
    check_ok(frame_write_bodies(in_scratch("1.vtp"), mixed.world, &mixed.roster, 1, &error), error);
    check_ok(frame_write_bodies(in_scratch("3.vtp"), mixed.world, &mixed.roster, 3, &error), error);
    char *one = read_file(in_scratch("1.vtp"), &one_size), *three = read_file(in_scratch("3.vtp"), &three_size);
    assert_int_equal(one_size, three_size);
    assert_memory_equal(one, three, one_size);
    free(one);
    free(three);
    mixed_free(&mixed);
}

static void walls_and_boxes_are_polygons(void **unused)
{
    (void)unused;
    scree_error error;
    bool some = false;
    mixed_bodies mixed = mixed_world(1);
    check_ok(frame_write_walls(in_scratch("w.vtp"), mixed.world, &mixed.roster, 1, &error), error);
    char *file = read_file(in_scratch("w.vtp"), NULL);
    assert_int_equal(vtp_count(file, "<Piece", "NumberOfPolys"), 1 + 6);
    assert_int_equal(vtp_count(file, "<Piece", "NumberOfPoints"), 4 + 8);
    free(file);
    check_ok(frame_write_boxes(in_scratch("x.vtp"), mixed.world, &mixed.roster, 1, &some, &error), error);
    assert_true(some);
    file = read_file(in_scratch("x.vtp"), NULL);
    assert_int_equal(vtp_count(file, "<Piece", "NumberOfPolys"), 120 * 6);
    size_t size;
    uint64_t *ids = (uint64_t *)vtp_data(file, "CellData", "id", "UInt64", &size);
    float *speeds = (float *)vtp_data(file, "CellData", "speed", "Float32", &size);
    assert_int_equal(size, 720 * 4);
    for (int i = 0; i < 720; i++) {
        int index = 5 * (i / 6) + 4;
        double x = 0.01 * index;
        assert_int_equal(ids[i], index + 3);
        assert_true(fabs((double)speeds[i] - sqrt(x * x + 1)) < 1e-6);
    }
    free(ids);
    free(speeds);
    free(file);
    mixed_free(&mixed);
}

static void no_boxes_no_file(void **unused)
{
    (void)unused;
    scree_error error;
    bool some = true;
    body_roster roster = {0};
    scree_world *world = empty_world(1);
    scree_shape_def ball = sphere_shape(0.1);
    add_body(world, &ball, 1, (scree_vec3){0, 0, 0}, false);
    check_ok(roster_read(&roster, world, &error), error);
    check_ok(frame_write_boxes(in_scratch("x.vtp"), world, &roster, 1, &some, &error), error);
    assert_false(some);
    assert_false(file_exists(in_scratch("x.vtp")));
    roster_free(&roster);
    scree_world_destroy(world);
}

static void contacts_are_lines(void **unused)
{
    (void)unused;
    scree_error error;
    scree_world *world = column_world(1, 1);
    take_steps(world, 200);
    check_ok(frame_write_contacts(in_scratch("c.vtp"), world, 1, &error), error);
    char *file = read_file(in_scratch("c.vtp"), NULL);
    scree_contact contacts[64];
    size_t count = scree_world_contacts(world, contacts, 64), size;
    assert_true(count > 0);
    assert_int_equal(vtp_count(file, "<Piece", "NumberOfLines"), count);
    assert_int_equal(vtp_count(file, "<Piece", "NumberOfPoints"), 2 * count);
    double *points = (double *)vtp_data(file, "Points", "Points", "Float64", &size);
    float *force = (float *)vtp_data(file, "CellData", "normal_force", "Float32", &size);
    float *gap = (float *)vtp_data(file, "CellData", "gap", "Float32", &size);
    uint64_t *a = (uint64_t *)vtp_data(file, "CellData", "a", "UInt64", &size);
    uint64_t *b = (uint64_t *)vtp_data(file, "CellData", "b", "UInt64", &size);
    float(*vector)[3] = (float(*)[3])vtp_data(file, "CellData", "force", "Float32", &size);
    assert_int_equal(size, count * sizeof *vector);
    for (size_t i = 0; i < count; i++) {
        const scree_contact *c = &contacts[i];
        for (int end = 0; end < 2; end++) {
            scree_id id = end ? c->b : c->a;
            scree_state state;
            check_ok(scree_world_get_states(world, &id, 1, &state, &error), error);
            double x = id == 1 ? c->point.x : state.position.x;
            assert_true(points[6 * i + 3 * (size_t)end] == x);
        }
        double push = c->impulse.x * c->normal.x + c->impulse.y * c->normal.y + c->impulse.z * c->normal.z;
        assert_true(force[i] == (float)(push / 0.005));
        assert_true(gap[i] == (float)c->gap);
        assert_true(a[i] == c->a && b[i] == c->b);
    }
    free(points), free(force), free(gap), free(a), free(b), free(vector), free(file);
    scree_world_destroy(world);
}

// The forces of the contacts of a body at rest add up to what carries its weight; friction on a slope is part of that.
static void forces_carry_the_weight(void **unused)
{
    (void)unused;
    scree_error error;
    scree_world_def def = scree_default_world_def();
    def.threads = 1;
    def.solver.iterations = 500;
    def.solver.tolerance = 1e-9;
    scree_world *world;
    check_ok(scree_world_create(&def, &world, &error), error);
    scree_shape_def slope = plane_shape((scree_vec3){sin(0.2), 0, cos(0.2)}, 0), block = box_shape(0.1, 0.2, 0.1);
    scree_id floor = add_body(world, &slope, 1, (scree_vec3){0, 0, 0}, true);
    scree_body_def body = scree_default_body_def();
    body.shapes = &block;
    body.shape_count = 1;
    body.position = (scree_vec3){0.1 * sin(0.2), 0, 0.1 * cos(0.2)};
    body.orientation = (scree_quat){cos(0.1), 0, sin(0.1), 0};
    scree_id id;
    check_ok(scree_world_add_bodies(world, &body, 1, &id, &error), error);
    scree_body_info info;
    check_ok(scree_world_get_body(world, id, &info, &error), error);
    take_steps(world, 300);
    check_ok(frame_write_contacts(in_scratch("c.vtp"), world, 1, &error), error);
    vtp_source source;
    frame_data frame = {0};
    check_ok(vtp_open(in_scratch("c.vtp"), &source, &error), error);
    check_ok(frame_read_contacts(&source, &frame, &error), error);
    vtp_close(&source);
    vec3 sum = {0, 0, 0};
    assert_true(frame.contacts.count > 0);
    for (size_t i = 0; i < frame.contacts.count; i++) {
        const frame_contact *c = &frame.contacts.data[i];
        assert_true((c->a == floor && c->b == id) || (c->a == id && c->b == floor));
        sum = vec3_add_scaled(sum, vec3_from_f(c->force), c->b == id ? 1 : -1);
    }
    double weight = info.mass * 9.81;
    assert_true(fabs(sum.x) < 1e-4 * weight && fabs(sum.y) < 1e-4 * weight);
    assert_true(fabs(sum.z - weight) < 1e-4 * weight);
    frame_data_free(&frame);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(bodies_have_their_values),     test(same_bytes_for_any_number_of_threads),
        test(walls_and_boxes_are_polygons), test(no_boxes_no_file),
        test(contacts_are_lines),           test(forces_carry_the_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
