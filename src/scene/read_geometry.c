// Geometries of shapes: from the points or spheres that the scene lists, or from a file, which is loaded once for all
// shapes that name it in the same way. What a loader has to say is put behind the place where the file is named.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "scene/read.h"

// The key by which a type of shape may list what others take from a file; NULL when there is none.
static const char *list_key(scree_shape_type type)
{
    return type == SCREE_SHAPE_HULL ? "points" : type == SCREE_SHAPE_SPHERES ? "list" : NULL;
}

static scree_status check_keys(const scene_reader *reader, const node *mapping, scree_shape_type type)
{
    const char *list = list_key(type), *name = value_of(mapping, "type")->text;
    const node *file = value_of(mapping, "file"), *listed = list ? value_of(mapping, list) : NULL;
    if (file && listed)
        return reader_fail(reader, file, "a %s shape has '%s' and 'file'; one of them is accepted", name, list);
    if (file || listed)
        return SCREE_OK;
    return reader_fail(reader, mapping,
                       "a %s shape needs 'file', the path of a file from the folder of the scene%s%s%s", name,
                       list ? ", or '" : "", list ? list : "", list ? "'" : "");
}

// The scene holds the reference from now on.
static scree_status keep(const scene_reader *reader, const scree_geometry *made, const scree_geometry **geometry)
{
    if (!array_push(&reader->scene->geometries, made)) {
        scree_geometry_release(made);
        return fail_no_memory(reader->error);
    }
    *geometry = made;
    return SCREE_OK;
}

// ------------------------------------------------------------------------------------------------------------- lists

static scree_status make_hull(const scene_source *source, scree_geometry **made, scree_error *error)
{
    size_t count = source->points.count;
    scree_vec3 *scaled = malloc(count * sizeof *scaled);
    if (!scaled)
        return fail_no_memory(error);
    for (size_t i = 0; i < count; i++)
        scaled[i] = vec3_scale(source->points.data[i], source->options.scale);
    scree_status status = scree_hull_create(scaled, count, made, error);
    free(scaled);
    return status;
}

static scree_status make_spheres(const scene_source *source, scree_geometry **made, scree_error *error)
{
    size_t count = source->balls.count;
    scree_ball *scaled = malloc(count * sizeof *scaled);
    if (!scaled)
        return fail_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        const scree_ball *ball = &source->balls.data[i];
        scaled[i] =
            (scree_ball){vec3_scale(ball->position, source->options.scale), ball->radius * source->options.scale};
    }
    scree_status status = scree_spheres_create(scaled, count, NULL, made, error);
    free(scaled);
    return status;
}

static scree_status from_list(const scene_reader *reader, const node *mapping, scree_shape_type type,
                              const scene_source *source, const scree_geometry **geometry)
{
    scree_geometry *made = NULL;
    scree_error problem = {0};
    scree_status status =
        type == SCREE_SHAPE_HULL ? make_hull(source, &made, &problem) : make_spheres(source, &made, &problem);
    if (status == SCREE_ERROR_NO_MEMORY)
        return fail_no_memory(reader->error);
    if (status != SCREE_OK)
        return reader_fail(reader, value_of(mapping, list_key(type)), "%s", problem.message);
    return keep(reader, made, geometry);
}

// ------------------------------------------------------------------------------------------------------------- files

// A path as seen from here: one that is not absolute begins in the folder of the scene.
static scree_status path_from_here(const scene_reader *reader, const char *file, char **path)
{
    const char *scene = reader->scene->path, *slash = strrchr(scene, '/');
    size_t folder = slash && file[0] != '/' ? (size_t)(slash - scene) + 1 : 0, length = strlen(file);
    scree_status status = reader_array(reader, path, folder + length + 1);
    if (status == SCREE_OK) {
        memcpy(*path, scene, folder);
        memcpy(*path + folder, file, length);
    }
    return status;
}

// The absolute path where there is one; a file that is not there is for the loader to complain about.
static scree_status make_absolute(const scene_reader *reader, const char *path, char **absolute)
{
    char *real = realpath(path, NULL);
    const char *from = real ? real : path;
    scree_status status = reader_array(reader, absolute, strlen(from) + 1);
    if (status == SCREE_OK)
        strcpy(*absolute, from);
    free(real);
    return status;
}

static bool same_options(const scree_file_options *a, const scree_file_options *b)
{
    return a->scale == b->scale && a->width == b->width && a->depth == b->depth && a->offset == b->offset;
}

static const scene_file *find_loaded(const scree_scene *scene, scree_shape_type type, const scene_source *source)
{
    for (size_t i = 0; i < scene->files.count; i++) {
        const scene_file *file = &scene->files.data[i];
        if (file->type == type && same_options(&file->options, &source->options) &&
            strcmp(file->path, source->file) == 0)
            return file;
    }
    return NULL;
}

static scree_status from_file(const scene_reader *reader, const node *mapping, scree_shape_type type,
                              scene_source *source, const scree_geometry **geometry)
{
    scree_scene *scene = reader->scene;
    char *path;
    scree_status status = path_from_here(reader, source->file, &path);
    if (status == SCREE_OK)
        status = make_absolute(reader, path, &source->file);
    if (status != SCREE_OK)
        return status;
    const scene_file *loaded = find_loaded(scene, type, source);
    if (loaded) {
        *geometry = loaded->geometry;
        return SCREE_OK;
    }
    scree_geometry *made = NULL;
    scree_error problem = {0};
    status = scree_geometry_load(type, path, &source->options, &made, &problem);
    if (status == SCREE_ERROR_NO_MEMORY)
        return fail_no_memory(reader->error);
    if (status != SCREE_OK)
        return reader_fail(reader, value_of(mapping, "file"), "%s", problem.message);
    status = keep(reader, made, geometry);
    if (status == SCREE_OK && !array_push(&scene->files, ((scene_file){type, source->file, source->options, made})))
        status = fail_no_memory(reader->error);
    return status;
}

scree_status scene_read_geometry(const scene_reader *reader, const node *mapping, scree_shape_type type,
                                 scene_source *source, const scree_geometry **geometry)
{
    *geometry = NULL;
    if (type != SCREE_SHAPE_HULL && type != SCREE_SHAPE_MESH && type != SCREE_SHAPE_HEIGHTFIELD &&
        type != SCREE_SHAPE_SPHERES)
        return SCREE_OK;
    scree_status status = check_keys(reader, mapping, type);
    if (status != SCREE_OK)
        return status;
    return *source->file ? from_file(reader, mapping, type, source, geometry)
                         : from_list(reader, mapping, type, source, geometry);
}
