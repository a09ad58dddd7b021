#include "files/mesh_file.h"

#include "base/error.h"
#include "base/locale.h"
#include "files/text_file.h"

typedef scree_status mesh_reader(const char *name, const char *bytes, size_t size, triangle_mesh *mesh,
                                 scree_error *error);

static const char *const endings[MESH_FORMATS] = {"obj", "stl", "ply", "inp"};
static mesh_reader *const readers[MESH_FORMATS] = {obj_read, stl_read, ply_read, inp_read};

scree_status mesh_file_load(const char *path, triangle_mesh *mesh, scree_error *error)
{
    *mesh = (triangle_mesh){0};
    int format = file_ending(path, endings, MESH_FORMATS);
    if (format < 0)
        return fail_ending(error, path, "a mesh", endings, MESH_FORMATS);
    file_bytes bytes;
    scree_status status = file_bytes_read(path, LARGEST_GEOMETRY_FILE, &bytes, error);
    if (status)
        return status;
    status = mesh_file_read((mesh_format)format, path, bytes.data, bytes.count, mesh, error);
    array_free(&bytes);
    return status;
}

scree_status mesh_file_read(mesh_format format, const char *name, const char *bytes, size_t size, triangle_mesh *mesh,
                            scree_error *error)
{
    *mesh = (triangle_mesh){0};
    locale_t before = plain_locale_begin();
    scree_status status = readers[format](name, bytes, size, mesh, error);
    plain_locale_end(before);
    if (status == SCREE_OK && mesh->vertices.count == 0)
        status = fail(error, SCREE_ERROR_INVALID, "%s: there are no vertices in it", name);
    if (status)
        triangle_mesh_free(mesh);
    return status;
}

void triangle_mesh_free(triangle_mesh *mesh)
{
    array_free(&mesh->vertices);
    array_free(&mesh->corners);
}

bool mesh_coordinates_valid(vec3 vertex)
{
    return fabs(vertex.x) <= 1e15 && fabs(vertex.y) <= 1e15 && fabs(vertex.z) <= 1e15;
}

bool mesh_push_fan(triangle_mesh *mesh, const uint32_t *corners, size_t count)
{
    for (size_t i = 2; i < count; i++) {
        uint32_t a = corners[0], b = corners[i - 1], c = corners[i];
        if (a == b || b == c || c == a)
            continue;
        if (!array_reserve(&mesh->corners, mesh->corners.count + 3))
            return false;
        uint32_t *to = &mesh->corners.data[mesh->corners.count];
        to[0] = a;
        to[1] = b;
        to[2] = c;
        mesh->corners.count += 3;
    }
    return true;
}
