// Geometry from files through the public interface: types, options, messages.
#include "../../physics/check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "temporary.h"

#include "geometry/geometry.h"
#include "scree/scree.h"

static char folder[512];

static const char *file(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *stream = fopen(file(name), "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

static int make_files(void **state)
{
    (void)state;
    if (!mkdtemp(temporary_template(folder, sizeof folder, "load")))
        return -1;
    write_file("corner.OBJ", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    write_file("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\n");
    write_file("ground.txt", "5 6 7\n1 2 3\n");
    write_file("ground.asc", "ncols 3\nnrows 2\ncellsize 0.5\n5 6 7\n1 2 3\n");
    write_file("set.spheres", "volume 2\ninertia 1 2 3 0 0 0\n1 0 0 0.5\n-1 0 0 0.5\n");
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    static const char *const names[] = {"corner.OBJ", "flat.obj", "ground.txt", "ground.asc", "set.spheres"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(file(names[i]));
    return rmdir(folder);
}

static scree_geometry *load(scree_shape_type type, const char *name, const scree_file_options *options)
{
    scree_geometry *geometry;
    scree_error error = {0};
    if (scree_geometry_load(type, file(name), options, &geometry, &error) != SCREE_OK)
        print_error("%s\n", error.message);
    assert_non_null(geometry);
    assert_int_equal(geometry->type, type);
    return geometry;
}

static double volume_of(const scree_geometry *geometry)
{
    scree_shape_def shape = scree_default_shape_def();
    shape.type = geometry->type;
    shape.geometry = geometry;
    return scree_shape_volume(&shape);
}

static void test_each_type(void **state)
{
    (void)state;
    scree_file_options options = scree_default_file_options();
    assert_true(options.scale == 1 && options.width == 0 && options.depth == 0 && options.offset == 0);
    options.scale = 2;
#if SCREE_HAVE_QHULL
    scree_geometry *hull = load(SCREE_SHAPE_HULL, "corner.OBJ", &options);
    assert_near(volume_of(hull), 8.0 / 6, 1e-14);
    scree_geometry_release(hull);
#endif
    scree_geometry *mesh = load(SCREE_SHAPE_MESH, "corner.OBJ", &options);
    assert_near(volume_of(mesh), 8.0 / 6, 1e-14);
    scree_geometry_release(mesh);
    scree_geometry *spheres = load(SCREE_SHAPE_SPHERES, "set.spheres", &options);
    assert_near(volume_of(spheres), 16, 1e-14);
    assert_near(spheres->solid.inertia.m[2][2], 3 * 32, 1e-13);
    assert_near(spheres->radius, 3, 1e-14);
    scree_geometry_release(spheres);
}

// The size along z shows in the box about the geometry, the rectangle along x and y.
static void test_height_fields(void **state)
{
    (void)state;
    scree_geometry *ground = load(SCREE_SHAPE_HEIGHTFIELD, "ground.txt", NULL);
    assert_near(ground->half.x, 1, 1e-6);
    assert_near(ground->half.y, 0.5, 1e-6);
    scree_geometry_release(ground);
    ground = load(SCREE_SHAPE_HEIGHTFIELD, "ground.asc", NULL);
    assert_near(ground->half.x, 0.5, 1e-6);
    scree_geometry_release(ground);
    scree_file_options options = {.scale = 10, .width = 8, .depth = 6, .offset = -3};
    ground = load(SCREE_SHAPE_HEIGHTFIELD, "ground.asc", &options);
    assert_near(ground->half.x, 4, 1e-6);
    assert_near(ground->half.y, 3, 1e-6);
    scree_geometry_release(ground);
}

static void assert_refused(scree_shape_type type, const char *name, const scree_file_options *options,
                           scree_status status, const char *word)
{
    scree_geometry *geometry;
    scree_error error = {0};
    assert_int_equal(scree_geometry_load(type, file(name), options, &geometry, &error), status);
    assert_null(geometry);
    if (!strstr(error.message, word))
        print_error("'%s' lacks '%s'\n", error.message, word);
    assert_non_null(strstr(error.message, word));
}

static void test_refusals(void **state)
{
    (void)state;
    assert_refused(SCREE_SHAPE_BOX, "corner.OBJ", NULL, SCREE_ERROR_INVALID, "hull, mesh, heightfield and spheres");
    assert_refused(SCREE_SHAPE_MESH, "ground.txt", NULL, SCREE_ERROR_INVALID, ".obj, .stl, .ply, .inp");
    assert_refused(SCREE_SHAPE_HEIGHTFIELD, "corner.OBJ", NULL, SCREE_ERROR_INVALID, ".png");
    assert_refused(SCREE_SHAPE_SPHERES, "corner.OBJ", NULL, SCREE_ERROR_INVALID, ".spheres");
    assert_refused(SCREE_SHAPE_MESH, "none.stl", NULL, SCREE_ERROR_IO, "none.stl");
#if SCREE_HAVE_QHULL
    assert_refused(SCREE_SHAPE_HULL, "flat.obj", NULL, SCREE_ERROR_INVALID,
                   "flat.obj: the points of a hull lie in one plane");
#endif
    scree_file_options options = {.scale = 0};
    assert_refused(SCREE_SHAPE_MESH, "corner.OBJ", &options, SCREE_ERROR_INVALID, "scale");
    options = (scree_file_options){.scale = 1, .width = -1};
    assert_refused(SCREE_SHAPE_HEIGHTFIELD, "ground.txt", &options, SCREE_ERROR_INVALID, "width");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_type),
        cmocka_unit_test(test_height_fields),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
