// Geometry from files, for users: the reader by the type of shape, then the maker.
#include <stdlib.h>

#include "base/error.h"
#include "files/height_file.h"
#include "files/mesh_file.h"
#include "files/sphere_file.h"
#include "geometry/geometry.h"

scree_file_options scree_default_file_options(void)
{
    return (scree_file_options){.scale = 1};
}

static scree_status check_options(const scree_file_options *options, scree_error *error)
{
    if (!(options->scale >= 1e-15 && options->scale <= 1e15))
        return fail(error, SCREE_ERROR_INVALID, "the scale of a file must be from 1e-15 to 1e15, not %g",
                    options->scale);
    if (!(options->width >= 0 && options->width <= 1e15) || !(options->depth >= 0 && options->depth <= 1e15))
        return fail(error, SCREE_ERROR_INVALID,
                    "width and depth of a height field must be from 0 to 1e15, not %g and %g", options->width,
                    options->depth);
    if (!(options->offset >= -1e15 && options->offset <= 1e15))
        return fail(error, SCREE_ERROR_INVALID, "the offset of a height field must be from -1e15 to 1e15, not %g",
                    options->offset);
    return SCREE_OK;
}

// Passes on a maker's message about the contents of a file.
static scree_status fail_of_file(const char *path, const scree_error *found, scree_error *error)
{
    if (found->status != SCREE_ERROR_INVALID)
        return fail(error, found->status, "%s", found->message);
    return fail(error, SCREE_ERROR_INVALID, "%s: %.400s", path, found->message);
}

static scree_status load_triangles(scree_shape_type type, const char *path, double scale, scree_geometry **geometry,
                                   scree_error *error)
{
    triangle_mesh mesh;
    scree_status status = mesh_file_load(path, &mesh, error);
    if (status)
        return status;
    for (size_t i = 0; i < mesh.vertices.count; i++)
        mesh.vertices.data[i] = vec3_scale(mesh.vertices.data[i], scale);
    scree_error found = {0};
    if (type == SCREE_SHAPE_HULL)
        status = scree_hull_create(mesh.vertices.data, mesh.vertices.count, geometry, &found);
    else
        status = scree_mesh_create(mesh.vertices.data, mesh.vertices.count, mesh.corners.data, mesh.corners.count / 3,
                                   geometry, &found);
    triangle_mesh_free(&mesh);
    return status ? fail_of_file(path, &found, error) : SCREE_OK;
}

static scree_status load_heights(const char *path, const scree_file_options *options, scree_geometry **geometry,
                                 scree_error *error)
{
    height_samples read;
    scree_status status = height_file_load(path, &read, error);
    if (status)
        return status;
    for (size_t i = 0; i < read.samples.count; i++)
        read.samples.data[i] = (float)(options->offset + options->scale * (double)read.samples.data[i]);
    double spacing = read.spacing > 0 ? read.spacing : 1;
    scree_heightfield_def def = {
        .columns = read.columns,
        .rows = read.rows,
        .width = options->width > 0 ? options->width : spacing * (double)(read.columns - 1),
        .depth = options->depth > 0 ? options->depth : spacing * (double)(read.rows - 1),
        .heights = read.samples.data,
    };
    scree_error found = {0};
    status = scree_heightfield_create(&def, geometry, &found);
    height_samples_free(&read);
    return status ? fail_of_file(path, &found, error) : SCREE_OK;
}

static scree_status load_spheres(const char *path, double scale, scree_geometry **geometry, scree_error *error)
{
    sphere_list list;
    scree_status status = sphere_file_load(path, &list, error);
    if (status)
        return status;
    for (size_t i = 0; i < list.balls.count; i++) {
        list.balls.data[i].position = vec3_scale(list.balls.data[i].position, scale);
        list.balls.data[i].radius *= scale;
    }
    list.body.centroid = vec3_scale(list.body.centroid, scale);
    list.body.volume *= scale * scale * scale;
    for (int i = 0; i < 6; i++)
        list.body.inertia[i] *= scale * scale * scale * scale * scale;
    scree_error found = {0};
    status =
        scree_spheres_create(list.balls.data, list.balls.count, list.has_body ? &list.body : NULL, geometry, &found);
    sphere_list_free(&list);
    return status ? fail_of_file(path, &found, error) : SCREE_OK;
}

scree_status scree_geometry_load(scree_shape_type type, const char *path, const scree_file_options *options,
                                 scree_geometry **geometry, scree_error *error)
{
    if (!path || !geometry)
        return fail_null(error, "scree_geometry_load");
    scree_file_options chosen = options ? *options : scree_default_file_options();
    *geometry = NULL;
    scree_status status = check_options(&chosen, error);
    if (status)
        return status;
    switch (type) {
    case SCREE_SHAPE_HULL:
    case SCREE_SHAPE_MESH:
        return load_triangles(type, path, chosen.scale, geometry, error);
    case SCREE_SHAPE_HEIGHTFIELD:
        return load_heights(path, &chosen, geometry, error);
    case SCREE_SHAPE_SPHERES:
        return load_spheres(path, chosen.scale, geometry, error);
    default:
        return fail(error, SCREE_ERROR_INVALID,
                    "shapes of type %d come from no file; hull, mesh, heightfield and spheres do", (int)type);
    }
}
