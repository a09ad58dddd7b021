// Pictures: what is seen, where, how large, and what hides what; the same pixels for any number of threads.
#include "physics/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/vec.h"
#include "unit/view/scratch.h"
#include "view/raster/picture.h"

static const color RED = {220, 30, 30, 255}, BLUE = {30, 60, 220, 255}, GREY = {200, 200, 205, 255};

static canvas drawn(const picture *scene)
{
    canvas sheet;
    scree_error error = {0};
    if (picture_draw(scene, &sheet, &error) != SCREE_OK)
        give_up("%s\n", error.message);
    return sheet;
}

static bool equal_colors(color a, color b)
{
    return a.r == b.r && a.g == b.g && a.b == b.b;
}

// 1 where the scene differs from the same view of nothing.
static unsigned char *mask_of(const picture *scene)
{
    picture nothing = *scene;
    nothing.sphere_count = nothing.box_count = nothing.plane_count = 0;
    canvas with = drawn(scene), without = drawn(&nothing);
    unsigned char *mask = malloc(with.width * with.height);
    for (size_t i = 0; i < with.width * with.height; i++)
        mask[i] = !equal_colors(with.pixels[i], without.pixels[i]);
    canvas_free(&with);
    canvas_free(&without);
    return mask;
}

static double area_of(const picture *scene)
{
    unsigned char *mask = mask_of(scene);
    double sum = 0;
    for (size_t i = 0; i < scene->width * scene->height; i++)
        sum += mask[i];
    free(mask);
    return sum;
}

static void flood(unsigned char *mask, long width, long height, long x, long y)
{
    if (x < 0 || y < 0 || x >= width || y >= height || !mask[y * width + x])
        return;
    mask[y * width + x] = 0;
    flood(mask, width, height, x + 1, y);
    flood(mask, width, height, x - 1, y);
    flood(mask, width, height, x, y + 1);
    flood(mask, width, height, x, y - 1);
}

static int count_blobs(const picture *scene)
{
    unsigned char *mask = mask_of(scene);
    long width = (long)scene->width, height = (long)scene->height;
    int blobs = 0;
    for (long y = 0; y < height; y++)
        for (long x = 0; x < width; x++)
            if (mask[y * width + x]) {
                blobs++;
                flood(mask, width, height, x, y);
            }
    free(mask);
    return blobs;
}

static picture small_picture(void)
{
    picture scene = picture_default();
    scene.width = 400;
    scene.height = 300;
    scene.threads = 2;
    scene.camera = (picture_camera){{0, -10, 0}, {0, 0, 0}, {0, 0, 1}, 0.6};
    return scene;
}

// Pixels per unit of slope.
static double focal_length(const picture *scene)
{
    return 0.5 * (double)scene->height / tan(0.5 * scene->camera.field_of_view);
}

static color pixel_at(const picture *scene, const canvas *sheet, vec3 point)
{
    canvas_point at;
    assert_true(picture_project(scene, point, &at));
    return canvas_get(sheet, (size_t)at.x, (size_t)at.y);
}

static bool is_reddish(color c)
{
    return c.r > c.b + 40;
}

static bool is_bluish(color c)
{
    return c.b > c.r + 40;
}

static void separate_spheres_are_separate_blobs(void **state)
{
    (void)state;
    picture_sphere spheres[35];
    random_stream random = {4};
    for (int i = 0; i < 35; i++)
        spheres[i] = (picture_sphere){{(i % 7 - 3) * 1.1, random_between(&random, -0.5, 0.5), (i / 7 - 2) * 1.1},
                                      random_between(&random, 0.1, 0.4),
                                      color_of_id((uint64_t)i)};
    picture scene = small_picture();
    scene.spheres = spheres;
    for (size_t count = 1; count <= 35; count += 17) {
        scene.sphere_count = count;
        assert_int_equal(count_blobs(&scene), count);
    }
}

// A sphere at the angle t from the axis of view, of half angle a (sin a = r / d), is seen as an ellipse with half axes
// f sin a cos a / (cos^2 t - sin^2 a) and f sin a / sqrt(cos^2 t - sin^2 a).
static void spheres_have_their_area(void **state)
{
    (void)state;
    picture scene = small_picture();
    scene.width = 600;
    scene.height = 450;
    static const picture_sphere cases[] = {{{0, 0, 0}, 1.6, {220, 30, 30, 255}},
                                           {{2.2, -1, 1}, 1.1, {220, 30, 30, 255}},
                                           {{-1, 5, -2}, 2, {220, 30, 30, 255}}};
    for (int i = 0; i < 3; i++) {
        scene.spheres = &cases[i];
        scene.sphere_count = 1;
        vec3 d = vec3_sub(cases[i].center, scene.camera.position);
        double distance = vec3_length(d), sine = cases[i].radius / distance, cosine = d.y / distance;
        double gap = cosine * cosine - sine * sine, f = focal_length(&scene);
        double area = 3.141592653589793 * (f * sine * sqrt(1 - sine * sine) / gap) * (f * sine / sqrt(gap));
        assert_relative(area_of(&scene), area, 0.02);
    }
}

static void spheres_are_where_they_project_to(void **state)
{
    (void)state;
    picture_sphere sphere = {{1.3, 0.5, -0.9}, 0.05, RED};
    picture scene = small_picture();
    scene.spheres = &sphere;
    scene.sphere_count = 1;
    unsigned char *mask = mask_of(&scene);
    double x = 0, y = 0, count = 0;
    for (size_t i = 0; i < scene.width * scene.height; i++)
        if (mask[i]) {
            x += (double)(i % scene.width) + 0.5;
            y += (double)(i / scene.width) + 0.5;
            count++;
        }
    free(mask);
    double f = focal_length(&scene);
    assert_near(x / count, 200 + f * 1.3 / 10.5, 0.4); // to the right is x, down is -z
    assert_near(y / count, 150 + f * 0.9 / 10.5, 0.4);
    canvas_point at;
    assert_true(picture_project(&scene, sphere.center, &at));
    assert_near(at.x, 200 + f * 1.3 / 10.5, 1e-3);
    assert_near(at.y, 150 + f * 0.9 / 10.5, 1e-3);
    assert_false(picture_project(&scene, vec3_make(0, -11, 0), &at));
}

static void the_nearer_hides_the_farther(void **state)
{
    (void)state;
    picture_sphere spheres[] = {{{0, 2, 0}, 1.5, BLUE}, {{0, 0, 0}, 0.5, RED}};
    picture scene = small_picture();
    scene.spheres = spheres;
    scene.sphere_count = 2;
    for (int order = 0; order < 2; order++) {
        canvas sheet = drawn(&scene);
        assert_true(is_reddish(canvas_get(&sheet, 200, 150)));
        assert_true(is_bluish(pixel_at(&scene, &sheet, vec3_make(0.9, 0, 0))));
        canvas_free(&sheet);
        picture_sphere first = spheres[0];
        spheres[0] = spheres[1];
        spheres[1] = first;
    }
    picture_box box = {{0, -2, 0}, {1, 0, 0, 0}, {0.3, 0.3, 0.3}, BLUE, false};
    scene.boxes = &box;
    scene.box_count = 1;
    canvas sheet = drawn(&scene);
    assert_true(is_bluish(canvas_get(&sheet, 200, 150)));
    canvas_free(&sheet);
}

// Area of the convex hull by gift wrapping.
static double hull_area(const canvas_point *points, int count)
{
    int start = 0;
    for (int i = 1; i < count; i++)
        if (points[i].x < points[start].x)
            start = i;
    double area = 0;
    int at = start;
    do {
        int next = at == 0 ? 1 : 0;
        for (int i = 0; i < count; i++) {
            double turn = (points[next].x - points[at].x) * (points[i].y - points[at].y) -
                          (points[next].y - points[at].y) * (points[i].x - points[at].x);
            if (turn < 0)
                next = i;
        }
        area += 0.5 * (points[at].x * points[next].y - points[next].x * points[at].y);
        at = next;
    } while (at != start);
    return fabs(area);
}

static void boxes_have_their_silhouette(void **state)
{
    (void)state;
    picture scene = small_picture();
    scene.width = 600;
    scene.height = 450;
    random_stream random = {6};
    for (int trial = 0; trial < 4; trial++) {
        quat turn = trial == 0 ? quat_identity() : quat_from_rotation(vec3_make(trial, 0.7 * trial, -0.4));
        picture_box box = {{random_between(&random, -1, 1), 0, 0.3}, turn, {1.2, 0.7, 0.9}, BLUE, false};
        scene.boxes = &box;
        scene.box_count = 1;
        canvas_point corners[8];
        for (int i = 0; i < 8; i++) {
            vec3 local = {i & 1 ? 1.2 : -1.2, i & 2 ? 0.7 : -0.7, i & 4 ? 0.9 : -0.9};
            assert_true(picture_project(&scene, vec3_add(box.center, quat_rotate(turn, local)), &corners[i]));
        }
        assert_relative(area_of(&scene), hull_area(corners, 8), 0.02);
    }
}

static void walls_in_front_are_seen_through(void **state)
{
    (void)state;
    picture_sphere sphere = {{0, 0, 0}, 0.8, RED};
    picture_box wall = {{0, -2, 0}, {1, 0, 0, 0}, {1.5, 0.1, 1.5}, GREY, true};
    picture scene = small_picture();
    scene.spheres = &sphere;
    scene.sphere_count = 1;
    scene.boxes = &wall;
    scene.box_count = 1;
    canvas sheet = drawn(&scene);
    assert_true(is_reddish(canvas_get(&sheet, 200, 150)));
    color edge = pixel_at(&scene, &sheet, vec3_make(1.5, -2.1, 0.4)), open = canvas_get(&sheet, 350, 20);
    assert_true(edge.r + 40 < open.r); // its outline is there
    color tint = pixel_at(&scene, &sheet, vec3_make(1.2, -2.1, 0.4));
    assert_true(abs(tint.r - open.r) < 25);
    canvas_free(&sheet);
    wall.wall = false;
    sheet = drawn(&scene);
    assert_false(is_reddish(canvas_get(&sheet, 200, 150)));
    canvas_free(&sheet);
    wall.wall = true;
    wall.center.y = 2;
    sheet = drawn(&scene);
    assert_true(is_reddish(canvas_get(&sheet, 200, 150)));
    tint = pixel_at(&scene, &sheet, vec3_make(1.2, 1.9, 1.2));
    assert_true(tint.r < open.r - 10 || tint.b < open.b - 10); // solid behind
    canvas_free(&sheet);
}

static void the_ground_hides_what_is_below_and_takes_shadows(void **state)
{
    (void)state;
    picture_sphere spheres[] = {{{0, 0, 0.8}, 0.5, RED}, {{1.5, 0, -1.2}, 0.5, BLUE}};
    picture_plane ground = {{0, 0, 1}, 0};
    picture scene = small_picture();
    scene.camera.position = (vec3){0, -10, 5};
    scene.spheres = spheres;
    scene.sphere_count = 2;
    canvas sheet = drawn(&scene);
    assert_true(is_bluish(pixel_at(&scene, &sheet, spheres[1].center)));
    canvas_free(&sheet);
    scene.planes = &ground;
    scene.plane_count = 1;
    sheet = drawn(&scene);
    assert_false(is_bluish(pixel_at(&scene, &sheet, spheres[1].center)));
    assert_true(is_reddish(pixel_at(&scene, &sheet, spheres[0].center)));
    // The sun stands to the left of the camera and behind it, so shadows fall to the right and away.
    color lit = pixel_at(&scene, &sheet, vec3_make(-1.3, -0.3, 0)),
          dark = pixel_at(&scene, &sheet, vec3_make(0.4, 0.35, 0));
    assert_true(dark.r + 40 < lit.r);
    canvas_free(&sheet);
    // From below, through the solid side, the plane is not there.
    scene.camera.position = (vec3){0, -10, -5};
    sheet = drawn(&scene);
    assert_true(is_bluish(pixel_at(&scene, &sheet, spheres[1].center)));
    canvas_free(&sheet);
}

static picture_sphere many[3000];

static picture crowded_picture(picture_box *boxes, picture_plane *planes)
{
    random_stream random = {8};
    for (int i = 0; i < 3000; i++)
        many[i] = (picture_sphere){
            {random_between(&random, -2, 2), random_between(&random, -2, 2), random_between(&random, 0, 2)},
            random_between(&random, 0.03, 0.08),
            color_of_scale(random_unit(&random))};
    boxes[0] = (picture_box){{0, -2.2, 1}, {1, 0, 0, 0}, {2, 0.1, 1.2}, GREY, true};
    boxes[1] = (picture_box){{0, 2.2, 1}, {1, 0, 0, 0}, {2, 0.1, 1.2}, GREY, true};
    boxes[2] = (picture_box){{1, 0, 2.2}, quat_from_rotation((vec3){1, 2, 0}), {0.3, 0.2, 0.4}, BLUE, false};
    planes[0] = (picture_plane){{0, 0, 1}, -0.1};
    planes[1] = (picture_plane){{1, 0, 0}, -2.5};
    picture scene = small_picture();
    scene.camera = (picture_camera){{6, -8, 6}, {0, 0, 1}, {0, 0, 1}, 0.6};
    scene.spheres = many;
    scene.sphere_count = 3000;
    scene.boxes = boxes;
    scene.box_count = 3;
    scene.planes = planes;
    scene.plane_count = 2;
    scene.scale_title = "speed";
    scene.scale_high = 2;
    scene.caption = "a caption";
    return scene;
}

static void pixels_do_not_depend_on_threads(void **state)
{
    (void)state;
    picture_box boxes[3];
    picture_plane planes[2];
    picture scene = crowded_picture(boxes, planes);
    scene.threads = 1;
    canvas first = drawn(&scene);
    static const int threads[] = {2, 3, 0};
    for (int i = 0; i < 3; i++) {
        scene.threads = threads[i];
        canvas again = drawn(&scene);
        assert_memory_equal(again.pixels, first.pixels, first.width * first.height * sizeof(color));
        canvas_free(&again);
    }
    canvas_free(&first);
}

static void legends_are_written_over_the_scene(void **state)
{
    (void)state;
    picture_box boxes[3];
    picture_plane planes[2];
    picture scene = crowded_picture(boxes, planes), plain = scene;
    plain.scale_title = plain.caption = NULL;
    canvas with = drawn(&scene), without = drawn(&plain);
    size_t corner = 0, foot = 0, elsewhere = 0;
    for (size_t y = 0; y < 300; y++)
        for (size_t x = 0; x < 400; x++)
            if (!equal_colors(canvas_get(&with, x, y), canvas_get(&without, x, y))) {
                corner += x > 300 && y < 200;
                foot += x < 150 && y > 260;
                elsewhere += !(x > 300 && y < 200) && !(x < 150 && y > 260);
            }
    assert_true(corner > 1000 && foot > 500);
    assert_int_equal(elsewhere, 0);
    // The two ends of the scale are there in their own colours.
    bool low = false, high = false;
    for (size_t i = 0; i < with.width * with.height; i++) {
        low = low || equal_colors(with.pixels[i], color_of_scale(0.5 / 126));
        high = high || equal_colors(with.pixels[i], color_of_scale(125.5 / 126));
    }
    assert_true(low && high);
    canvas_free(&with);
    canvas_free(&without);
    picture_key keys[] = {{"steel", RED}, {"glass", BLUE}};
    plain.keys = keys;
    plain.key_count = 2;
    with = drawn(&plain);
    bool red = false, blue = false;
    for (size_t i = 0; i < with.width * with.height; i++) {
        red = red || equal_colors(with.pixels[i], RED);
        blue = blue || equal_colors(with.pixels[i], BLUE);
    }
    assert_true(red && blue);
    canvas_free(&with);
}

static void frames_hold_their_box(void **state)
{
    (void)state;
    random_stream random = {12};
    for (int trial = 0; trial < 200; trial++) {
        vec3 low = {random_between(&random, -5, 5), random_between(&random, -5, 5), random_between(&random, -5, 5)};
        vec3 size = {random_between(&random, 0.1, 9), random_between(&random, 0.1, 9), random_between(&random, 0.1, 9)};
        vec3 high = vec3_add(low, size);
        picture scene = small_picture();
        vec3 direction = {random_between(&random, -1, 1), random_between(&random, 0.1, 1),
                          random_between(&random, -1, 0.4)};
        scene.camera = picture_frame(low, high, direction, vec3_make(0, 0, 1), 0.5, 400.0 / 300);
        double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
        for (int i = 0; i < 8; i++) {
            canvas_point at;
            assert_true(picture_project(
                &scene, vec3_make(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z), &at));
            left = fmin(left, at.x);
            right = fmax(right, at.x);
            top = fmin(top, at.y);
            bottom = fmax(bottom, at.y);
        }
        assert_true(left >= 0 && top >= 0 && right <= 400 && bottom <= 300);
        assert_true(right - left > 0.8 * 400 || bottom - top > 0.8 * 300);
        assert_near(left + right, 400, 12);
        assert_near(top + bottom, 300, 12);
    }
}

static void views_along_the_vertical_work(void **state)
{
    (void)state;
    picture_sphere sphere = {{0, 0, 0}, 1, RED};
    picture scene = small_picture();
    scene.spheres = &sphere;
    scene.sphere_count = 1;
    scene.camera.position = (vec3){0, 0, 10};
    assert_int_equal(count_blobs(&scene), 1);
    scene.camera.position = (vec3){0, 0, -10};
    assert_int_equal(count_blobs(&scene), 1);
}

static void check_refused(const picture *scene, const char *words)
{
    canvas sheet;
    scree_error error = {0};
    assert_int_equal(picture_draw(scene, &sheet, &error), SCREE_ERROR_INVALID);
    if (!strstr(error.message, words))
        give_up("'%s' does not speak of '%s'\n", error.message, words);
    assert_null(sheet.pixels);
}

static void wrong_input_is_refused(void **state)
{
    (void)state;
    picture_sphere sphere = {{0, CHECK_NAN, 0}, 1, RED};
    picture_box box = {{0, 0, 0}, {1, 1, 0, 0}, {1, 1, 1}, RED, false};
    picture_plane plane = {{0, 0, 2}, 0};
    picture scene = small_picture(), p = scene;
    p.width = 63;
    check_refused(&p, "64 to 8192");
    p = scene;
    p.camera.look_at = p.camera.position;
    check_refused(&p, "camera");
    p = scene;
    p.camera.field_of_view = 4;
    check_refused(&p, "field of view");
    p = scene;
    p.scale_title = "speed";
    p.scale_high = CHECK_INFINITY;
    check_refused(&p, "colour scale");
    p = scene;
    p.threads = -1;
    check_refused(&p, "threads");
    p = scene;
    p.spheres = &sphere;
    p.sphere_count = 1;
    check_refused(&p, "sphere 0");
    p = scene;
    p.boxes = &box;
    p.box_count = 1;
    check_refused(&p, "box 0");
    p = scene;
    p.planes = &plane;
    p.plane_count = 1;
    check_refused(&p, "plane 0");
}

static void files_are_written_or_the_failure_told(void **state)
{
    scratch *s = *state;
    picture_sphere sphere = {{0, 0, 0}, 1, RED};
    picture scene = small_picture();
    scene.spheres = &sphere;
    scene.sphere_count = 1;
    scree_error error = {0};
    assert_int_equal(picture_save(&scene, scratch_path(s, "ball.png"), &error), SCREE_OK);
    canvas read, sheet = drawn(&scene);
    assert_int_equal(canvas_load(&read, s->path, &error), SCREE_OK);
    assert_memory_equal(read.pixels, sheet.pixels, sheet.width * sheet.height * sizeof(color));
    canvas_free(&read);
    canvas_free(&sheet);
    assert_int_equal(picture_save(&scene, scratch_path(s, "no/ball.png"), &error), SCREE_ERROR_IO);
    assert_non_null(strstr(error.message, "no/ball.png"));
    assert_int_equal(scratch_count(s), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(separate_spheres_are_separate_blobs),
        cmocka_unit_test(spheres_have_their_area),
        cmocka_unit_test(spheres_are_where_they_project_to),
        cmocka_unit_test(the_nearer_hides_the_farther),
        cmocka_unit_test(boxes_have_their_silhouette),
        cmocka_unit_test(walls_in_front_are_seen_through),
        cmocka_unit_test(the_ground_hides_what_is_below_and_takes_shadows),
        cmocka_unit_test(pixels_do_not_depend_on_threads),
        cmocka_unit_test(legends_are_written_over_the_scene),
        cmocka_unit_test(frames_hold_their_box),
        cmocka_unit_test(views_along_the_vertical_work),
        cmocka_unit_test(wrong_input_is_refused),
        cmocka_unit_test(files_are_written_or_the_failure_told),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
