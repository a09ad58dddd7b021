// Readers of geometry files under libFuzzer: the first byte chooses the format, the rest is the file. Any bytes are
// read or refused with a message; what is read is sound, and hulls and sphere sets are made of it.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "files/height_file.h"
#include "files/mesh_file.h"
#include "files/sphere_file.h"
#include "geometry/hull.h"
#include "geometry/solid.h"

enum { MOST_POINTS = 200 }; // of a hull

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void require_message(scree_status status, const scree_error *error)
{
    require(status == SCREE_OK || (error->status == status && !strchr(error->message, '\n')));
    require(status == SCREE_OK || status == SCREE_ERROR_NO_MEMORY || strncmp(error->message, "file:", 5) == 0);
}

static void try_mesh(mesh_format format, const char *bytes, size_t size)
{
    triangle_mesh mesh;
    scree_error error = {0};
    scree_status status = mesh_file_read(format, "file", bytes, size, &mesh, &error);
    require_message(status, &error);
    if (status)
        return;
    require(mesh.vertices.count > 0 && mesh.corners.count % 3 == 0);
    for (size_t i = 0; i < mesh.corners.count; i++)
        require(mesh.corners.data[i] < mesh.vertices.count);
    solid_check(mesh.vertices.data, mesh.corners.data, mesh.corners.count / 3, "file", &error);
    if (mesh.vertices.count <= MOST_POINTS) {
        scree_geometry *hull;
        status = scree_hull_create(mesh.vertices.data, mesh.vertices.count, &hull, &error);
        require(status == SCREE_OK ? hull->solid.volume > 0 : !hull);
        scree_geometry_release(hull);
    }
    triangle_mesh_free(&mesh);
}

static void try_heights(height_format format, const char *bytes, size_t size)
{
    height_samples samples;
    scree_error error = {0};
    scree_status status = height_file_read(format, "file", bytes, size, &samples, &error);
    require_message(status, &error);
    require(status || (samples.samples.count == samples.columns * samples.rows && samples.columns >= 2));
    height_samples_free(&samples);
}

static void try_spheres(const char *bytes, size_t size)
{
    sphere_list list;
    scree_error error = {0};
    scree_status status = sphere_file_read("file", bytes, size, &list, &error);
    require_message(status, &error);
    if (status)
        return;
    scree_geometry *geometry = NULL;
    status =
        scree_spheres_create(list.balls.data, list.balls.count, list.has_body ? &list.body : NULL, &geometry, &error);
    require((status == SCREE_OK) == (geometry != NULL));
    scree_geometry_release(geometry);
    sphere_list_free(&list);
}

// A packed hull: a count of numbers, the numbers, then words.
static void try_hull(const uint8_t *data, size_t size)
{
    size_t reals = size > 0 ? data[0] : 0;
    if (size < 1 + 8 * reals)
        return;
    size_t words = (size - 1 - 8 * reals) / 4;
    double *numbers = malloc(8 * reals + 8);
    uint32_t *indices = malloc(4 * words + 4);
    if (numbers && indices) {
        memcpy(numbers, data + 1, 8 * reals);
        memcpy(indices, data + 1 + 8 * reals, 4 * words);
        packed_geometry from = {numbers, indices, reals, words};
        scree_geometry *hull;
        scree_status status = hull_unpack(&from, &hull, NULL);
        require((status == SCREE_OK) == (hull != NULL));
        scree_geometry_release(hull);
    }
    free(numbers);
    free(indices);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const char *bytes = (const char *)data + 1;
    int format = data[0] % (MESH_FORMATS + HEIGHT_FORMATS + 2);
    if (format < MESH_FORMATS)
        try_mesh((mesh_format)format, bytes, size - 1);
    else if (format < MESH_FORMATS + HEIGHT_FORMATS)
        try_heights((height_format)(format - MESH_FORMATS), bytes, size - 1);
    else if (format == MESH_FORMATS + HEIGHT_FORMATS)
        try_spheres(bytes, size - 1);
    else
        try_hull(data + 1, size - 1);
    return 0;
}
