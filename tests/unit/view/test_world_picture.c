// Pictures of worlds: bodies stand where their states say, wear the colour asked for, and are framed by themselves.
#include "physics/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "unit/view/scratch.h"
#include "view/raster/picture.h"
#include "view/world/world_picture.h"

static scree_world *new_world(void)
{
    scree_world_def def = scree_default_world_def();
    scree_world *world;
    assert_int_equal(scree_world_create(&def, &world, NULL), SCREE_OK);
    return world;
}

static scree_id add(scree_world *world, const scree_body_def *def)
{
    scree_id id;
    scree_error error = {0};
    if (scree_world_add_bodies(world, def, 1, &id, &error) != SCREE_OK)
        give_up("%s\n", error.message);
    return id;
}

static scree_id add_ball(scree_world *world, vec3 position, double radius, vec3 velocity, int material)
{
    scree_shape_def shape = scree_default_shape_def();
    shape.radius = radius;
    scree_body_def body = scree_default_body_def();
    body.position = position;
    body.velocity = velocity;
    body.material = material;
    body.shapes = &shape;
    body.shape_count = 1;
    return add(world, &body);
}

// Solid below z = height.
static scree_id add_floor(scree_world *world, double height)
{
    scree_shape_def shape = scree_default_shape_def();
    shape.type = SCREE_SHAPE_PLANE;
    shape.normal = (vec3){0, 2, 0}; // turned up by the body, and normalised
    shape.offset = 0.25;
    scree_body_def body = scree_default_body_def();
    body.position = (vec3){7, 7, height - 0.25};
    body.orientation = quat_from_rotation(vec3_make(1.5707963267948966, 0, 0));
    body.fixed = true;
    body.shapes = &shape;
    body.shape_count = 1;
    return add(world, &body);
}

static world_picture_def small_def(void)
{
    world_picture_def def = world_picture_default();
    def.width = 400;
    def.height = 300;
    def.threads = 2;
    def.legend = false;
    def.caption = "";
    return def;
}

// From y = -10 towards +y: x to the right, z up, with `focal` pixels per unit of slope.
static world_picture_def front_def(double *focal)
{
    world_picture_def def = small_def();
    def.has_from = def.has_look_at = true;
    def.from = (vec3){0, -10, 0};
    *focal = 150 / tan(0.5 * def.field_of_view);
    return def;
}

static scree_status draw(const scree_world *world, const world_picture_def *def, canvas *sheet, scree_error *error)
{
    world_bodies bodies = {0};
    scree_status status = world_bodies_read(&bodies, world, error);
    if (status == SCREE_OK)
        status = world_picture_draw(&bodies, def, sheet, error);
    world_bodies_free(&bodies);
    return status;
}

static canvas drawn(const scree_world *world, const world_picture_def *def)
{
    canvas sheet;
    scree_error error = {0};
    if (draw(world, def, &sheet, &error) != SCREE_OK)
        give_up("%s\n", error.message);
    return sheet;
}

static color at(const canvas *sheet, double x, double y)
{
    return canvas_get(sheet, (size_t)x, (size_t)y);
}

static bool is_backdrop(color c)
{
    return c.r > 215 && c.g > 215 && c.b > 215;
}

// Hue in degrees: what shading leaves of a colour.
static double hue(color c)
{
    double r = (double)color_to_linear(c.r), g = (double)color_to_linear(c.g), b = (double)color_to_linear(c.b);
    return atan2(sqrt(3) * (g - b), 2 * r - g - b) * 57.29577951308232;
}

static void assert_same_hue(color seen, color expected)
{
    double difference = fabs(fmod(fabs(hue(seen) - hue(expected)) + 180, 360) - 180);
    assert_at_most(difference, 14);
}

static void color_names_are_read(void **state)
{
    (void)state;
    body_color value;
    scree_error error = {0};
    assert_int_equal(body_color_parse("speed", &value, &error), SCREE_OK);
    assert_int_equal(value, BODY_COLOR_SPEED);
    assert_int_equal(body_color_parse("material", &value, &error), SCREE_OK);
    assert_int_equal(value, BODY_COLOR_MATERIAL);
    assert_int_equal(body_color_parse("id", &value, &error), SCREE_OK);
    assert_int_equal(value, BODY_COLOR_BODY);
    assert_int_equal(body_color_parse("height", &value, &error), SCREE_OK);
    assert_int_equal(value, BODY_COLOR_HEIGHT);
    assert_int_equal(body_color_parse("Speed", &value, &error), SCREE_ERROR_INVALID);
    assert_string_equal(
        error.message,
        "cannot colour by 'Speed': speed, spin, material, body, force, coordination, rank and height are accepted");
}

static void compound_bodies_stand_as_their_states_say(void **state)
{
    (void)state;
    scree_world *world = new_world();
    // Two balls of unlike size on a rod, turned by a quarter about y: local x points down, so local -x up.
    scree_shape_def shapes[2] = {scree_default_shape_def(), scree_default_shape_def()};
    shapes[0].radius = 0.4;
    shapes[0].position = (vec3){-1, 0, 0};
    shapes[1].radius = 0.2;
    shapes[1].position = (vec3){1, 0, 0};
    scree_body_def body = scree_default_body_def();
    body.position = (vec3){0.5, 0, 0};
    body.orientation = quat_from_rotation(vec3_make(0, 1.5707963267948966, 0));
    body.shapes = shapes;
    body.shape_count = 2;
    add(world, &body);
    double focal;
    world_picture_def def = front_def(&focal);
    canvas sheet = drawn(world, &def);
    double scale = focal / 10, x = 200 + 0.5 * scale;
    assert_false(is_backdrop(at(&sheet, x, 150 - scale)));
    assert_false(is_backdrop(at(&sheet, x, 150 - 1.35 * scale)));
    assert_true(is_backdrop(at(&sheet, x, 150 - 1.46 * scale)));
    assert_false(is_backdrop(at(&sheet, x, 150 + scale)));
    assert_true(is_backdrop(at(&sheet, x, 150 + 1.25 * scale)));
    assert_true(is_backdrop(at(&sheet, x, 150)));
    canvas_free(&sheet);
    scree_world_destroy(world);
}

static void boxes_are_turned_with_shape_and_body(void **state)
{
    (void)state;
    scree_world *world = new_world();
    scree_shape_def shape = scree_default_shape_def();
    shape.type = SCREE_SHAPE_BOX;
    shape.half = (vec3){1, 0.1, 0.1};
    shape.orientation = quat_from_rotation(vec3_make(0, -0.7853981633974483, 0));
    scree_body_def body = scree_default_body_def();
    body.orientation = quat_from_rotation(vec3_make(0, -0.7853981633974483, 0));
    body.shapes = &shape;
    body.shape_count = 1;
    add(world, &body); // 45 and 45 degrees: the long side stands upright
    double focal;
    world_picture_def def = front_def(&focal);
    canvas sheet = drawn(world, &def);
    double scale = focal / 10;
    assert_false(is_backdrop(at(&sheet, 200, 150 - 0.9 * scale)));
    assert_false(is_backdrop(at(&sheet, 200, 150 + 0.9 * scale)));
    assert_true(is_backdrop(at(&sheet, 200 + 0.3 * scale, 150)));
    assert_true(is_backdrop(at(&sheet, 200, 150 - 1.1 * scale)));
    canvas_free(&sheet);
    scree_world_destroy(world);
}

static void planes_are_turned_and_placed_with_their_body(void **state)
{
    (void)state;
    scree_world *world = new_world();
    add_ball(world, vec3_make(0, 0, 1), 0.4, vec3_make(0, 0, 0), 0);
    add_ball(world, vec3_make(0, 0, -1), 0.4, vec3_make(0, 0, 0), 0);
    double focal;
    world_picture_def def = front_def(&focal);
    def.from = (vec3){0, -6, 6}; // half down: the balls are seen at slopes of 1/11 and 1/13 from the middle
    def.color = BODY_COLOR_MATERIAL;
    for (int floor = 0; floor < 2; floor++) {
        canvas sheet = drawn(world, &def);
        color below = at(&sheet, 200, 150 + focal / 13), above = at(&sheet, 200, 150 - focal / 11);
        assert_true(above.b > above.r + 60);
        assert_int_equal(below.b > below.r + 60, floor == 0);
        canvas_free(&sheet);
        add_floor(world, 0.1);
    }
    scree_world_destroy(world);
}

static void colours_say_what_was_asked(void **state)
{
    (void)state;
    scree_world *world = new_world();
    scree_material_def steel = scree_default_material_def();
    int material;
    assert_int_equal(scree_world_add_material(world, &steel, &material, NULL), SCREE_OK);
    assert_int_equal(material, 1);
    scree_id slow = add_ball(world, vec3_make(-1, 0, 0), 0.5, vec3_make(0, 0, 0), 0);
    scree_id fast = add_ball(world, vec3_make(1, 0, 0.5), 0.5, vec3_make(0, 3, 4), 1);
    double focal;
    world_picture_def def = front_def(&focal);
    double scale = focal / 10, left = 200 - scale, right = 200 + scale, high = 150 - 0.5 * scale;
    canvas sheet = drawn(world, &def);
    assert_same_hue(at(&sheet, left, 150), color_of_scale(0));
    assert_same_hue(at(&sheet, right, high), color_of_scale(1)); // 5 is the next round number
    canvas_free(&sheet);
    def.has_range = true;
    def.high = 10;
    sheet = drawn(world, &def);
    assert_same_hue(at(&sheet, right, high), color_of_scale(0.5));
    canvas_free(&sheet);
    def.has_range = false;
    def.color = BODY_COLOR_HEIGHT;
    sheet = drawn(world, &def);
    assert_same_hue(at(&sheet, left, 150), color_of_scale(0));
    assert_same_hue(at(&sheet, right, high), color_of_scale(1));
    canvas_free(&sheet);
    def.color = BODY_COLOR_MATERIAL;
    sheet = drawn(world, &def);
    assert_same_hue(at(&sheet, left, 150), color_of_kind(0));
    assert_same_hue(at(&sheet, right, high), color_of_kind(1));
    canvas_free(&sheet);
    def.color = BODY_COLOR_BODY;
    sheet = drawn(world, &def);
    assert_same_hue(at(&sheet, left, 150), color_of_id(slow));
    assert_same_hue(at(&sheet, right, high), color_of_id(fast));
    canvas_free(&sheet);
    scree_world_destroy(world);
}

static void noise_at_rest_does_not_fill_the_scale(void **state)
{
    (void)state;
    scree_world *world = new_world();
    add_ball(world, vec3_make(-1, 0, 0), 0.5, vec3_make(0, 0, 0), 0);
    add_ball(world, vec3_make(1, 0, 0), 0.5, vec3_make(1e-4, 0, 0), 0);
    double focal;
    world_picture_def def = front_def(&focal);
    canvas sheet = drawn(world, &def);
    assert_same_hue(at(&sheet, 200 + focal / 10, 150), color_of_scale(0));
    canvas_free(&sheet);
    scree_world_destroy(world);
}

static void cameras_frame_the_moving_bodies(void **state)
{
    (void)state;
    scree_world *world = new_world();
    vec3 offset = {300, -200, 50};
    for (int i = 0; i < 27; i++)
        add_ball(world, vec3_add(offset, vec3_make(i % 3, i / 3 % 3, i / 9)), 0.45, vec3_make(0, 0, 0), 0);
    add_floor(world, 0); // without end, but not what the picture is about
    world_picture_def def = small_def();
    def.color = BODY_COLOR_BODY;
    canvas sheet = drawn(world, &def);
    long left = 400, right = 0, top = 300, bottom = 0;
    for (long y = 0; y < 300; y++)
        for (long x = 0; x < 400; x++) {
            color c = canvas_get(&sheet, (size_t)x, (size_t)y);
            if (abs(c.r - c.g) + abs(c.g - c.b) > 80) { // coloured: a ball
                left = x < left ? x : left;
                right = x > right ? x : right;
                top = y < top ? y : top;
                bottom = y > bottom ? y : bottom;
            }
        }
    assert_true(left > 5 && right < 395 && top > 5 && bottom < 295);
    assert_true(bottom - top > 200);
    assert_near(0.5 * (double)(left + right), 200, 20);
    assert_near(0.5 * (double)(top + bottom), 150, 20);
    canvas_free(&sheet);
    scree_world_destroy(world);
}

static void up_is_against_gravity(void **state)
{
    (void)state;
    scree_world_def world_def = scree_default_world_def();
    world_def.gravity = (vec3){0, -9.81, 0};
    scree_world *world;
    assert_int_equal(scree_world_create(&world_def, &world, NULL), SCREE_OK);
    add_ball(world, vec3_make(0, 0, 0), 0.5, vec3_make(0, 0, 0), 0);
    add_ball(world, vec3_make(0, 3, 0), 0.5, vec3_make(0, 0, 0), 0);
    world_picture_def def = small_def();
    def.color = BODY_COLOR_HEIGHT;
    canvas sheet = drawn(world, &def);
    double high = 0, low = 0, high_count = 0, low_count = 0;
    for (size_t y = 0; y < 300; y++)
        for (size_t x = 0; x < 400; x++) {
            color c = canvas_get(&sheet, x, y);
            if (is_backdrop(c))
                continue;
            if (c.g > c.b + 30) {
                high += (double)y;
                high_count++;
            } else if (c.b > c.g + 30) {
                low += (double)y;
                low_count++;
            }
        }
    assert_true(high_count > 200 && low_count > 200);
    assert_true(high / high_count + 50 < low / low_count);
    canvas_free(&sheet);
    scree_world_destroy(world);
}

static canvas drawn_alone(const scree_shape_def *shape)
{
    scree_world *world = new_world();
    scree_body_def body = scree_default_body_def();
    body.position = vec3_make(3, -1, 2);
    body.orientation = quat_from_rotation(vec3_make(0.4, -0.9, 0.3));
    body.shapes = shape;
    body.shape_count = 1;
    add(world, &body);
    world_picture_def def = small_def();
    def.color = BODY_COLOR_MATERIAL;
    def.has_from = def.has_look_at = true;
    def.from = vec3_make(3, -6, 4);
    def.look_at = vec3_make(3, -1, 2);
    canvas sheet = drawn(world, &def);
    scree_world_destroy(world);
    return sheet;
}

// Two shapes that are the same solid look the same, wherever they stand in their body.
static void same_solids_look_the_same(void **state)
{
    (void)state;
    scree_shape_def shapes[5];
    for (int i = 0; i < 5; i++) {
        shapes[i] = scree_default_shape_def();
        shapes[i].position = vec3_make(0.1, 0.2, -0.1);
        shapes[i].orientation = quat_from_rotation(vec3_make(0, 0.7, 0.2));
        shapes[i].half = vec3_make(0.3, 0.6, 0.5);
    }
    vec3 corners[8];
    for (int i = 0; i < 8; i++) // about a point that is not the hull's centroid
        corners[i] = vec3_make(i & 1 ? 0.6 : 0, i & 2 ? 1.2 : 0, i & 4 ? 1 : 0);
    scree_geometry *hull = NULL;
    bool has_hulls = scree_hull_create(corners, 8, &hull, NULL) == SCREE_OK; // needs qhull
    shapes[1].type = SCREE_SHAPE_ELLIPSOID;
    shapes[2].type = SCREE_SHAPE_CAPSULE;
    shapes[2].half_length = 1e-4;
    shapes[3].type = SCREE_SHAPE_BOX;
    shapes[4].type = SCREE_SHAPE_HULL;
    shapes[4].geometry = hull;
    shapes[4].position = vec3_sub(shapes[4].position, quat_rotate(shapes[4].orientation, shapes[4].half));
    const int pairs[3][2] = {{0, 1}, {0, 2}, {3, 4}};
    for (int p = 0; p < (has_hulls ? 3 : 2); p++) {
        canvas a = drawn_alone(&shapes[pairs[p][0]]), b = drawn_alone(&shapes[pairs[p][1]]);
        size_t coloured = 0, differ = 0;
        for (size_t i = 0; i < a.width * a.height; i++) {
            coloured += a.pixels[i].b > a.pixels[i].r + 60;
            differ += abs(a.pixels[i].b - b.pixels[i].b) > 40 || abs(a.pixels[i].r - b.pixels[i].r) > 40;
        }
        assert_true(coloured > 500);
        assert_true(differ * 50 < coloured);
        canvas_free(&a);
        canvas_free(&b);
    }
    scree_geometry_release(hull);
}

// A sheet is seen from its front alone: what stands in a bin made of one shows from any side.
static void sheets_are_seen_into(void **state)
{
    (void)state;
    const vec3 corners[8] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0},
                             {-1, -1, 2}, {1, -1, 2}, {1, 1, 2}, {-1, 1, 2}};
    uint32_t triangles[24];
    for (uint32_t k = 0; k < 4; k++) {
        const uint32_t n = (k + 1) % 4, inward[6] = {k, n + 4, n, k, k + 4, n + 4};
        memcpy(triangles + 6 * k, inward, sizeof inward);
    }
    for (int outward = 0; outward < 2; outward++) {
        scree_geometry *bin;
        assert_int_equal(scree_mesh_create(corners, 8, triangles, 8, &bin, NULL), SCREE_OK);
        scree_world *world = new_world();
        add_ball(world, vec3_make(0, 0, 0.8), 0.7, vec3_make(0, 0, 0), 0);
        scree_shape_def shape = scree_default_shape_def();
        shape.type = SCREE_SHAPE_MESH;
        shape.geometry = bin;
        scree_body_def body = scree_default_body_def();
        body.fixed = true;
        body.shapes = &shape;
        body.shape_count = 1;
        add(world, &body);
        world_picture_def def = small_def();
        def.color = BODY_COLOR_MATERIAL;
        def.has_from = def.has_look_at = true;
        def.from = vec3_make(1, -9, 1);
        def.look_at = vec3_make(0, 0, 1);
        canvas sheet = drawn(world, &def);
        size_t coloured = 0;
        for (size_t i = 0; i < sheet.width * sheet.height; i++)
            coloured += sheet.pixels[i].b > sheet.pixels[i].r + 60;
        assert_true(outward ? coloured == 0 : coloured > 500);
        canvas_free(&sheet);
        scree_world_destroy(world);
        scree_geometry_release(bin);
        for (int t = 0; t < 8; t++) {
            uint32_t first = triangles[3 * t];
            triangles[3 * t] = triangles[3 * t + 1];
            triangles[3 * t + 1] = first;
        }
    }
}

static void walls_do_not_hide_what_they_hold(void **state)
{
    (void)state;
    scree_world *world = new_world();
    for (int i = 0; i < 125; i++)
        add_ball(world, vec3_make(i % 5 - 2, i / 5 % 5 - 2, i / 25), 0.45, vec3_make(0, 0, 0), 0);
    scree_shape_def shapes[4];
    for (int i = 0; i < 4; i++) {
        shapes[i] = scree_default_shape_def();
        shapes[i].type = SCREE_SHAPE_BOX;
        double side = i % 2 ? 2.7 : -2.7;
        shapes[i].position = i < 2 ? vec3_make(side, 0, 2) : vec3_make(0, side, 2);
        shapes[i].half = i < 2 ? vec3_make(0.1, 2.8, 3) : vec3_make(2.8, 0.1, 3);
    }
    scree_body_def silo = scree_default_body_def();
    silo.fixed = true;
    silo.shapes = shapes;
    silo.shape_count = 4;
    add(world, &silo);
    world_picture_def def = small_def();
    def.color = BODY_COLOR_MATERIAL;
    canvas sheet = drawn(world, &def);
    size_t coloured = 0;
    for (size_t i = 0; i < sheet.width * sheet.height; i++)
        coloured += sheet.pixels[i].b > sheet.pixels[i].r + 60;
    assert_true(coloured > 6000);
    canvas_free(&sheet);
    scree_world_destroy(world);
}

static void empty_worlds_are_drawn(void **state)
{
    (void)state;
    scree_world *world = new_world();
    world_picture_def def = world_picture_default();
    def.width = 320;
    def.height = 200;
    for (int by = BODY_COLOR_SPEED; by <= BODY_COLOR_HEIGHT; by++) {
        def.color = (body_color)by;
        canvas sheet = drawn(world, &def);
        canvas_free(&sheet);
    }
    add_floor(world, 0);
    canvas sheet = drawn(world, &def);
    canvas_free(&sheet);
    scree_world_destroy(world);
}

static void pixels_do_not_depend_on_threads(void **state)
{
    (void)state;
    scree_world *world = new_world();
    add_floor(world, 0);
    for (int i = 0; i < 200; i++)
        add_ball(world, vec3_make(i % 6, i / 6 % 6, 0.5 + i / 36), 0.5, vec3_make(0.01 * i, 0, 0), 0);
    world_picture_def def = world_picture_default();
    def.width = 320;
    def.height = 200;
    def.threads = 1;
    canvas first = drawn(world, &def);
    def.threads = 3;
    canvas again = drawn(world, &def);
    assert_memory_equal(first.pixels, again.pixels, 320 * 200 * sizeof(color));
    canvas_free(&first);
    canvas_free(&again);
    scree_world_destroy(world);
}

static void failures_are_told(void **state)
{
    scratch *s = *state;
    scree_world *world = new_world();
    add_ball(world, vec3_make(0, 0, 0), 0.5, vec3_make(0, 0, 0), 0);
    world_picture_def def = small_def();
    scree_error error = {0};
    canvas sheet;
    assert_int_equal(world_picture_save(world, &def, scratch_path(s, "world.png"), &error), SCREE_OK);
    assert_int_equal(scratch_count(s), 1);
    assert_int_equal(world_picture_save(world, &def, scratch_path(s, "no/world.png"), &error), SCREE_ERROR_IO);
    assert_non_null(strstr(error.message, "no/world.png"));
    def.width = 10;
    assert_int_equal(draw(world, &def, &sheet, &error), SCREE_ERROR_INVALID);
    assert_null(sheet.pixels);
    def = small_def();
    def.field_of_view = 0;
    assert_int_equal(draw(world, &def, &sheet, &error), SCREE_ERROR_INVALID);
    def = small_def();
    def.has_range = true;
    assert_int_equal(draw(world, &def, &sheet, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "low < high"));
    def = small_def();
    def.has_from = def.has_look_at = true;
    assert_int_equal(draw(world, &def, &sheet, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "camera"));
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(color_names_are_read),
        cmocka_unit_test(compound_bodies_stand_as_their_states_say),
        cmocka_unit_test(boxes_are_turned_with_shape_and_body),
        cmocka_unit_test(planes_are_turned_and_placed_with_their_body),
        cmocka_unit_test(colours_say_what_was_asked),
        cmocka_unit_test(noise_at_rest_does_not_fill_the_scale),
        cmocka_unit_test(cameras_frame_the_moving_bodies),
        cmocka_unit_test(up_is_against_gravity),
        cmocka_unit_test(same_solids_look_the_same),
        cmocka_unit_test(sheets_are_seen_into),
        cmocka_unit_test(walls_do_not_hide_what_they_hold),
        cmocka_unit_test(empty_worlds_are_drawn),
        cmocka_unit_test(pixels_do_not_depend_on_threads),
        cmocka_unit_test(failures_are_told),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
