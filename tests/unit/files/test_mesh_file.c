// Readers of mesh files: one tetrahedron in every format, what a format allows, what it does not, and damaged files.
#include "../../physics/check.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/random.h"
#include "files/mesh_file.h"
#include "files/text_file.h"
#include "geometry/solid.h"
#include "temporary.h"

static const char *const file_names[MESH_FORMATS] = {"a.obj", "a.stl", "a.ply", "a.inp"};

static scree_status read_bytes(mesh_format format, const char *bytes, size_t size, triangle_mesh *mesh,
                               scree_error *error)
{
    return mesh_file_read(format, file_names[format], bytes, size, mesh, error);
}

static triangle_mesh read_good(mesh_format format, const char *bytes, size_t size)
{
    triangle_mesh mesh;
    scree_error error = {0};
    if (read_bytes(format, bytes, size, &mesh, &error) != SCREE_OK) {
        print_error("%s\n", error.message);
        assert_true(false);
    }
    return mesh;
}

static triangle_mesh read_text(mesh_format format, const char *text)
{
    return read_good(format, text, strlen(text));
}

static void assert_refused(mesh_format format, const char *text, const char *where, const char *word)
{
    triangle_mesh mesh;
    scree_error error = {0};
    assert_int_equal(read_bytes(format, text, strlen(text), &mesh, &error), SCREE_ERROR_INVALID);
    assert_null(mesh.vertices.data);
    if (strncmp(error.message, where, strlen(where)) != 0 || !strstr(error.message, word))
        print_error("'%s' should begin with '%s' and have '%s'\n", error.message, where, word);
    assert_ptr_equal(strstr(error.message, where), error.message);
    assert_non_null(strstr(error.message, word));
}

// The corner of the unit cube, closed.
static void assert_corner(triangle_mesh *mesh)
{
    assert_int_equal(mesh->vertices.count, 4);
    assert_int_equal(mesh->corners.count, 12);
    assert_int_equal(solid_check(mesh->vertices.data, mesh->corners.data, 4, "x", NULL), SCREE_OK);
    solid_properties solid = solid_of_triangles(mesh->vertices.data, mesh->corners.data, 4);
    assert_near(solid.volume, 1.0 / 6, 1e-15);
    assert_near(solid.centroid.x, 0.25, 1e-15);
    triangle_mesh_free(mesh);
}

static void test_obj(void **state)
{
    (void)state;
    triangle_mesh mesh =
        read_text(MESH_OBJ, "# corner\nmtllib a.mtl\no thing\nv 0 0 0\nv 1 0 0 1.0\nv 0 1e0 0\n\nv 0 0 +1.\r\n"
                            "vt 0 0\nvn 0 0 1\nusemtl red\ns off\nf 1 3 2\nf 1/1 2/1 4/1\n"
                            "f -4//1 -1//1 -2//1\nf 2/1/1 3/1/1 4/1/1\n");
    assert_corner(&mesh);
    mesh = read_text(MESH_OBJ, "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0.5 2 0\nv 0 1 0\nf 1 2 3 4 5"); // no line end
    assert_int_equal(mesh.corners.count, 9);
    triangle_mesh_free(&mesh);
    mesh = read_text(MESH_OBJ, "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 2\nf 1 2 3");
    assert_int_equal(mesh.corners.count, 3);
    triangle_mesh_free(&mesh);
    assert_refused(MESH_OBJ, "v 0 0 0\nv 1 x 0\n", "a.obj:2: ", "v x y z");
    assert_refused(MESH_OBJ, "v 0 0 0\nv 1 0\n", "a.obj:2: ", "v x y z");
    assert_refused(MESH_OBJ, "v 0 0 nan\n", "a.obj:1: ", "v x y z");
    assert_refused(MESH_OBJ, "v 0 0 1e16\n", "a.obj:1: ", "1e15");
    assert_refused(MESH_OBJ, "v 0 0 0\n\nf 1 1\n", "a.obj:3: ", "three corners");
    assert_refused(MESH_OBJ, "v 0 0 0\nf 1 2 1\n", "a.obj:2: ", "vertex 2 is not there");
    assert_refused(MESH_OBJ, "v 0 0 0\nf 1 0 1\n", "a.obj:2: ", "vertex 0");
    assert_refused(MESH_OBJ, "v 0 0 0\nf -2 1 1\n", "a.obj:2: ", "vertex -2");
    assert_refused(MESH_OBJ, "v 0 0 0\nf 1 1x 1\n", "a.obj:2: ", "v/vt/vn");
    assert_refused(MESH_OBJ, "", "a.obj: ", "no vertices");
}

#define STL_FACET(a, b, c)                                                                                             \
    "facet normal 0 0 0\n outer loop\n  vertex " a "\n  vertex " b "\n  vertex " c "\n endloop\nendfacet\n"

static const char stl_text[] =
    "solid corner\n" STL_FACET("0 0 0", "0 1 0", "1 0 0") STL_FACET("0 0 -0", "1 0 0", "0 0 1")
        STL_FACET("0 0 0", "0 0 1", "0 1 0") STL_FACET("1 0 0", "0 1 0", "0 0 1") "endsolid corner\n";

// Triangles of the corner as floats, little end first, as the machine has them.
static size_t make_binary_stl(char *bytes, const char *header)
{
    static const float v[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const int triangles[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    memset(bytes, 0, 84 + 200);
    strcpy(bytes, header);
    bytes[80] = 4;
    for (size_t t = 0; t < 4; t++)
        for (size_t c = 0; c < 3; c++)
            memcpy(bytes + 84 + 50 * t + 12 + 12 * c, v[triangles[t][c]], 12);
    return 84 + 200;
}

static void test_stl(void **state)
{
    (void)state;
    triangle_mesh mesh = read_text(MESH_STL, stl_text);
    assert_corner(&mesh);
    char bytes[400];
    size_t size = make_binary_stl(bytes, "made by hand");
    mesh = read_good(MESH_STL, bytes, size);
    assert_corner(&mesh);
    size = make_binary_stl(bytes, "solid but binary"); // as some programs write
    mesh = read_good(MESH_STL, bytes, size);
    assert_corner(&mesh);
    scree_error error;
    size = make_binary_stl(bytes, "short");
    assert_int_equal(read_bytes(MESH_STL, bytes, size - 1, &mesh, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "says 4 triangles"));
    float nan = NAN;
    memcpy(bytes + 84 + 50 + 12, &nan, sizeof nan);
    assert_int_equal(read_bytes(MESH_STL, bytes, size, &mesh, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "triangle 2"));
    assert_refused(MESH_STL, "solid\nfacet\nouter loop\nvertex 0 0\n", "a.stl:4: ", "vertex x y z");
    assert_refused(MESH_STL, "solid\nfacet\nvertex 0 0 0\nendfacet\n", "a.stl:4: ", "endfacet");
    assert_refused(MESH_STL, "solid\nvertex 0 0 0\n", "a.stl:2: ", "vertex");
    assert_refused(MESH_STL, "solid\n", "a.stl:1: ", "endsolid");
    assert_refused(MESH_STL, "hello", "a.stl: ", "solid");
}

static const char ply_text[] =
    "ply\nformat ascii 1.0\ncomment x\nelement vertex 4\nproperty float z\nproperty uchar red\n"
    "property double x\nproperty float y\nelement face 4\nproperty uchar flags\n"
    "property list uchar int vertex_indices\nproperty list uchar float texcoord\nelement edge 1\nproperty int a\n"
    "end_header\n0 9 0 0\n0 9 1 0\n0 9 0 1\n1 9 0 0\n"
    "7 3 0 2 1 2 0 0\n7 3 0 1 3 0\n7 3 0 3 2 0\n7 3\n1 2 3 0\n5\n";

static void put(char **to, uint64_t value, size_t size, bool big)
{
    for (size_t i = 0; i < size; i++)
        *(*to)++ = (char)(value >> 8 * (big ? size - 1 - i : i));
}

static size_t make_binary_ply(char *bytes, bool big)
{
    static const int triangles[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    sprintf(bytes,
            "ply\r\nformat binary_%s_endian 1.0\r\nelement vertex 4\r\nproperty short y\r\nproperty double x\r\n"
            "property float z\r\nelement face 4\r\nproperty list uint16 uint32 vertex_index\r\nproperty char "
            "c\r\nend_header\r\n",
            big ? "big" : "little");
    char *to = bytes + strlen(bytes);
    for (int v = 0; v < 4; v++) {
        double x = v == 1;
        float z = v == 3;
        uint64_t wide;
        uint32_t narrow;
        memcpy(&wide, &x, 8);
        memcpy(&narrow, &z, 4);
        put(&to, v == 2, 2, big);
        put(&to, wide, 8, big);
        put(&to, narrow, 4, big);
    }
    for (int t = 0; t < 4; t++) {
        put(&to, 3, 2, big);
        for (int c = 0; c < 3; c++)
            put(&to, (uint64_t)triangles[t][c], 4, big);
        put(&to, 0xff, 1, big);
    }
    return (size_t)(to - bytes);
}

static void test_ply(void **state)
{
    (void)state;
    triangle_mesh mesh = read_text(MESH_PLY, ply_text);
    assert_corner(&mesh);
    char bytes[1000];
    for (int big = 0; big < 2; big++) {
        size_t size = make_binary_ply(bytes, big);
        mesh = read_good(MESH_PLY, bytes, size);
        assert_corner(&mesh);
        scree_error error;
        assert_int_equal(read_bytes(MESH_PLY, bytes, size - 1, &mesh, &error), SCREE_ERROR_INVALID);
        assert_non_null(strstr(error.message, "ends before"));
    }
    static const char negative[] =
        "ply\nformat binary_big_endian 1.0\nelement vertex 1\nproperty int8 x\nproperty short "
        "y\nproperty int z\nend_header\n\xff\xff\xfe\xff\xff\xff\xfd";
    mesh = read_good(MESH_PLY, negative, sizeof negative - 1);
    assert_true(mesh.vertices.data[0].x == -1 && mesh.vertices.data[0].y == -2 && mesh.vertices.data[0].z == -3);
    triangle_mesh_free(&mesh);
#define HEAD "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n"
    assert_refused(MESH_PLY, "plx\n", "a.ply:1: ", "ply");
    assert_refused(MESH_PLY, "ply\nformat text\n", "a.ply:2: ", "ascii");
    assert_refused(MESH_PLY, "ply\nproperty int x\n", "a.ply:2: ", "element");
    assert_refused(MESH_PLY, HEAD "property list float int a\n", "a.ply:7: ", "WHOLE-TYPE");
    assert_refused(MESH_PLY, HEAD, "a.ply:6: ", "end_header");
    assert_refused(MESH_PLY, HEAD "end_header\n0 0\n", "a.ply:8: ", "ends before");
    assert_refused(MESH_PLY, HEAD "end_header\n0 0 q\n", "a.ply:8: ", "'q'");
    assert_refused(MESH_PLY, HEAD "element face 1\nproperty list uchar int vertex_index\nend_header\n0 0 0\n3 0 1 2\n",
                   "a.ply: ", "there are 0 to 0");
    assert_refused(MESH_PLY, "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n0\n",
                   "a.ply: ", "x, y and z");
    // Counts that a file only claims.
    assert_refused(MESH_PLY, "ply\nformat ascii 1.0\nelement thing 99999999999999999\nend_header\n",
                   "a.ply: ", "no vertices");
}

static void test_inp(void **state)
{
    (void)state;
#define NODES_OF_CORNER                                                                                                \
    "*Heading\n** a comment\n*Part, name=p\n*NODE, nset=all\n 10, 0., 0., 0.\n20, 1, 0, 0\n30,0,1.D0,0\n 40, 0,0,1\n"
    triangle_mesh mesh =
        read_text(MESH_INP, NODES_OF_CORNER
                  "*ELEMENT, TYPE=S3, ELSET=shell\n1, 10, 30, 20\n2, 10, 20,\n 40\n"
                  "*element,elset=b, type = stri3\n3, 10,40,30\n4,20,30,40\n*NODE OUTPUT\nU, V\n*End Part\n");
    assert_corner(&mesh);
    mesh = read_text(MESH_INP, NODES_OF_CORNER "*ELEMENT, TYPE=C3D4\n1, 10, 20, 30, 40\n");
    assert_corner(&mesh);
    mesh = read_text(MESH_INP, NODES_OF_CORNER "*ELEMENT, TYPE=C3D4\n1, 10, 30, 20, 40\n"); // the other way round
    assert_corner(&mesh);
    // Two tetrahedra share a face, which is not part of the surface.
    mesh =
        read_text(MESH_INP, NODES_OF_CORNER "50, 1, 1, 1\n*ELEMENT, TYPE=C3D4\n1, 10, 20, 30, 40\n2, 20, 30, 40, 50\n");
    assert_int_equal(mesh.corners.count, 18);
    assert_int_equal(solid_check(mesh.vertices.data, mesh.corners.data, 6, "x", NULL), SCREE_OK);
    assert_near(solid_of_triangles(mesh.vertices.data, mesh.corners.data, 6).volume, 0.5, 1e-15);
    triangle_mesh_free(&mesh);
    mesh = read_text(MESH_INP, NODES_OF_CORNER "*ELEMENT, TYPE=S4R\n1, 10, 20, 30, 40\n");
    assert_int_equal(mesh.corners.count, 6);
    triangle_mesh_free(&mesh);
    assert_refused(MESH_INP, NODES_OF_CORNER "*ELEMENT, TYPE=C3D8\n", "a.inp:9: ", "C3D4");
    assert_refused(MESH_INP, NODES_OF_CORNER "*ELEMENT\n", "a.inp:9: ", "TYPE=");
    assert_refused(MESH_INP, NODES_OF_CORNER "*ELEMENT, TYPE=S3\n1, 10, 20\n", "a.inp:10: ", "3 nodes");
    assert_refused(MESH_INP, NODES_OF_CORNER "*ELEMENT, TYPE=S3\n1, 10, 20, 77\n", "a.inp:10: ", "node 77");
    assert_refused(MESH_INP, NODES_OF_CORNER "10, 0, 0, 0\n", "a.inp:", "twice");
    assert_refused(MESH_INP, "*NODE\n1, 2, 3\n", "a.inp:2: ", "NUMBER, x, y, z");
    assert_refused(MESH_INP, "*INCLUDE, INPUT=b.inp\n", "a.inp:1: ", "*INCLUDE");
    assert_refused(MESH_INP, "*HEADING\n", "a.inp:1: ", "*NODE");
}

// Bytes changed, cut and doubled: whatever comes, it is read or refused with a message, and corners are in range.
static void test_damaged_files(void **state)
{
    (void)state;
    static const char obj_text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/1/1 -2 3\n";
    static const char inp_text[] = NODES_OF_CORNER "*ELEMENT, TYPE=C3D4\n1, 10, 20, 30, 40\n";
    char binary_stl[400], binary_ply[1000];
    size_t stl_size = make_binary_stl(binary_stl, "x"), ply_size = make_binary_ply(binary_ply, false);
    const struct {
        mesh_format format;
        const char *bytes;
        size_t size;
    } files[] = {
        {MESH_STL, stl_text, sizeof stl_text - 1}, {MESH_STL, binary_stl, stl_size},
        {MESH_PLY, ply_text, sizeof ply_text - 1}, {MESH_PLY, binary_ply, ply_size},
        {MESH_OBJ, obj_text, sizeof obj_text - 1}, {MESH_INP, inp_text, sizeof inp_text - 1},
    };
    random_stream random = {1};
    for (int trial = 0; trial < 30000; trial++) {
        size_t which = random_bits(&random) % (sizeof files / sizeof *files), size = files[which].size;
        char copy[1000];
        memcpy(copy, files[which].bytes, size);
        for (uint64_t i = random_bits(&random) % 4; i > 0; i--)
            copy[random_bits(&random) % size] =
                random_bits(&random) % 2 ? "0-,.\n e9"[random_bits(&random) % 8] : (char)random_bits(&random);
        if (trial % 3 == 0)
            size = random_bits(&random) % size;
        triangle_mesh mesh;
        scree_error error = {0};
        scree_status status = read_bytes(files[which].format, copy, size, &mesh, &error);
        assert_true(status == SCREE_OK ? mesh.vertices.count > 0 && mesh.corners.count % 3 == 0
                                       : error.message[0] != 0);
        assert_null(strchr(error.message, '\n'));
        for (size_t i = 0; i < mesh.corners.count; i++)
            assert_true(mesh.corners.data[i] < mesh.vertices.count);
        triangle_mesh_free(&mesh);
    }
}

static void test_endings_and_missing_files(void **state)
{
    (void)state;
    triangle_mesh mesh;
    scree_error error = {0};
    assert_int_equal(mesh_file_load("shoe.dae", &mesh, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, ".obj, .stl, .ply, .inp"));
    assert_int_equal(mesh_file_load("no.such.folder/obj", &mesh, &error), SCREE_ERROR_INVALID);
    assert_int_equal(mesh_file_load("no-such-file.OBJ", &mesh, &error), SCREE_ERROR_IO);
    assert_non_null(strstr(error.message, "no-such-file.OBJ"));
    assert_int_equal(mesh_file_load("/.stl", &mesh, &error), SCREE_ERROR_IO);
}

// Files that never end or begin are refused at once.
static void test_devices_and_pipes(void **state)
{
    (void)state;
    static const char *const targets[] = {"/dev/zero", "/dev/tty", "pipe", "/"};
    char folder[512], path[600], pipe[600];
    file_bytes bytes;
    assert_non_null(mkdtemp(temporary_template(folder, sizeof folder, "files")));
    snprintf(path, sizeof path, "%s/a.obj", folder);
    snprintf(pipe, sizeof pipe, "%s/pipe", folder);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        triangle_mesh mesh;
        scree_error error = {0};
        assert_int_equal(symlink(targets[i], path), 0);
        scree_status status = mesh_file_load(path, &mesh, &error);
        // Without a terminal /dev/tty cannot even be opened.
        assert_true(status == SCREE_ERROR_INVALID || (i == 1 && status == SCREE_ERROR_IO));
        assert_non_null(strstr(error.message, "a.obj"));
        unlink(path);
    }
    FILE *file = fopen(path, "w");
    fputs("v 0 0 0\n", file);
    fclose(file);
    scree_error error = {0};
    assert_int_equal(file_bytes_read(path, 8, &bytes, &error), SCREE_OK);
    assert_int_equal(bytes.count, 8);
    array_free(&bytes);
    assert_int_equal(file_bytes_read(path, 7, &bytes, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "too large"));
    unlink(path);
    unlink(pipe);
    rmdir(folder);
}

// Numbers have a point, whatever the language of the user.
static void test_locale_does_not_matter(void **state)
{
    (void)state;
    if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8"))
        skip();
    triangle_mesh mesh = read_text(MESH_OBJ, "v 0.5 1.25 2\n");
    assert_true(mesh.vertices.data[0].x == 0.5 && mesh.vertices.data[0].y == 1.25);
    triangle_mesh_free(&mesh);
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_obj),
        cmocka_unit_test(test_stl),
        cmocka_unit_test(test_ply),
        cmocka_unit_test(test_inp),
        cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_endings_and_missing_files),
        cmocka_unit_test(test_devices_and_pipes),
        cmocka_unit_test(test_locale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
