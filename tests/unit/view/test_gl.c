// OpenGL draws what the rasteriser draws, and both draw what they drew before: every kind of object against stored
// pictures, spheres by counting, and the same picture with and without objects that nobody can see.
//
// Tolerances, in steps of OKLab: 0.006 in the mean and 0.06 for all but one pixel in a hundred between the two ways of
// drawing; half of that against the stored picture of the same way. A grey one step of 255 off is 0.004 away.
#include "physics/check.h"

#include <stdlib.h>
#include <string.h>

#include "unit/view/gallery.h"
#include "unit/view/perceptual.h"
#include "unit/view/scratch.h"
#include "view/raster/painter.h"
#if SCREE_HAVE_GL
#include "view/gl/painter.h"
#endif

static const double MEAN = 0.006, MOST = 0.06;

static void assert_alike(const char *what, const canvas *a, const canvas *b, double share)
{
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    perceptual_difference d = perceptual_compare(a, b);
    print_message("%s: mean %.5f, most %.4f\n", what, d.mean, d.most);
    assert_at_most(d.mean, share * MEAN);
    assert_at_most(d.most, share * MOST);
}

// With SCREE_NEW_PICTURES set, what is drawn becomes the stored picture.
static void compare_with_stored(const char *name, const canvas *sheet)
{
    char path[512];
    canvas stored;
    snprintf(path, sizeof path, "%s/tests/data/pictures/%s.png", SCREE_SOURCE_DIR, name);
    if (getenv("SCREE_NEW_PICTURES"))
        assert_int_equal(canvas_save(sheet, path, NULL), SCREE_OK);
    assert_int_equal(canvas_load(&stored, path, NULL), SCREE_OK);
    assert_alike(name, sheet, &stored, 0.5);
    canvas_free(&stored);
}

static canvas drawn(picture_painter painter, const picture *scene)
{
    canvas sheet;
    scree_error error = {0};
    if (painter_draw(painter, scene, &sheet, &error) != SCREE_OK)
        give_up("%s\n", error.message);
    return sheet;
}

static void software_draws_every_kind(void **state)
{
    (void)state;
    gallery g;
    gallery_of_kinds(&g);
    canvas sheet = drawn((picture_painter){0}, &g.scene);
    compare_with_stored("kinds", &sheet);
    canvas_free(&sheet);
}

static void software_draws_as_many(void **state)
{
    (void)state;
    for (size_t count = 1; count <= 40; count += 13) {
        gallery g;
        gallery_of_spheres(&g, count);
        canvas sheet = drawn((picture_painter){0}, &g.scene);
        assert_int_equal(count_blobs(&sheet), count);
        canvas_free(&sheet);
    }
}

// The measure itself: nothing differs from itself, and an object less in the stored picture is far more than tolerated.
static void differences_are_seen(void **state)
{
    (void)state;
    gallery g;
    gallery_of_kinds(&g);
    canvas all = drawn((picture_painter){0}, &g.scene);
    g.scene.sphere_count--;
    canvas fewer = drawn((picture_painter){0}, &g.scene);
    assert_at_most(perceptual_compare(&all, &all).mean, 0);
    assert_true(perceptual_compare(&all, &fewer).most > MOST);
    canvas_free(&all);
    canvas_free(&fewer);
}

#if SCREE_HAVE_GL

static picture_painter gl_or_skip(void **state)
{
    static gl_painter painter;
    scree_error error = {0};
    (void)state;
    if (!painter.renderer && gl_painter_open(&painter, &error) != SCREE_OK) {
        print_message("skipped: %s\n", error.message);
        skip();
    }
    return gl_painter_use(&painter);
}

static void opengl_draws_every_kind(void **state)
{
    picture_painter painter = gl_or_skip(state);
    gallery g;
    gallery_of_kinds(&g);
    canvas sheet = drawn(painter, &g.scene), other = drawn((picture_painter){0}, &g.scene);
    compare_with_stored("kinds-opengl", &sheet);
    assert_alike("both ways", &sheet, &other, 1);
    canvas_free(&sheet);
    canvas_free(&other);
}

static void opengl_draws_as_many(void **state)
{
    picture_painter painter = gl_or_skip(state);
    for (size_t count = 1; count <= 40; count += 13) {
        gallery g;
        gallery_of_spheres(&g, count);
        canvas sheet = drawn(painter, &g.scene);
        assert_int_equal(count_blobs(&sheet), count);
        canvas_free(&sheet);
    }
}

// A block of spheres, of which the inner ones are not handed to OpenGL.
static void opengl_draws_a_block(void **state)
{
    enum { SIDE = 14, COUNT = SIDE * SIDE * SIDE };
    picture_painter painter = gl_or_skip(state);
    picture_sphere *spheres = malloc(COUNT * sizeof *spheres);
    assert_non_null(spheres);
    for (int i = 0; i < COUNT; i++)
        spheres[i] = (picture_sphere){
            {i % SIDE - 6.5, i / SIDE % SIDE - 6.5, i / SIDE / SIDE + 0.5}, 0.5, color_of_id((uint64_t)i)};
    gallery g;
    gallery_of_spheres(&g, 1);
    picture scene = g.scene;
    scene.width = 240;
    scene.height = 160;
    scene.spheres = spheres;
    scene.sphere_count = COUNT;
    scene.camera = picture_frame(vec3_make(-7, -7, 0), vec3_make(7, 7, 14), vec3_make(-0.5, 0.7, -0.4),
                                 vec3_make(0, 0, 1), 0.5, 1.5);
    canvas sheet = drawn(painter, &scene), other = drawn((picture_painter){0}, &scene);
    assert_alike("a block", &sheet, &other, 1);
    canvas_free(&sheet);
    canvas_free(&other);
    free(spheres);
}

// Without shadows and with one sample per pixel, as the window draws while things move.
static void opengl_draws_quickly(void **state)
{
    gl_painter *painter = gl_or_skip(state).self;
    gallery g;
    canvas sheet;
    scree_error error = {0};
    gallery_of_spheres(&g, 27);
    assert_int_equal(canvas_make(&sheet, g.scene.width, g.scene.height, color_make(0), NULL), SCREE_OK);
    if (gl_renderer_draw(painter->renderer, &g.scene, (gl_quality){.samples = 1, .light = false}, &error) != SCREE_OK)
        give_up("%s\n", error.message);
    gl_renderer_read(painter->renderer, &sheet);
    assert_int_equal(count_blobs(&sheet), 27);
    canvas_free(&sheet);
}

static void opengl_refuses_as_software_does(void **state)
{
    picture_painter painter = gl_or_skip(state);
    gallery g;
    canvas sheet;
    scree_error error = {0};
    gallery_of_spheres(&g, 3);
    g.spheres[1].radius = -1;
    assert_int_equal(painter_draw(painter, &g.scene, &sheet, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "sphere 1"));
    assert_null(sheet.pixels);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(software_draws_every_kind),
        cmocka_unit_test(software_draws_as_many),
        cmocka_unit_test(differences_are_seen),
#if SCREE_HAVE_GL
        cmocka_unit_test(opengl_draws_every_kind),
        cmocka_unit_test(opengl_draws_as_many),
        cmocka_unit_test(opengl_draws_a_block),
        cmocka_unit_test(opengl_draws_quickly),
        cmocka_unit_test(opengl_refuses_as_software_does),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
