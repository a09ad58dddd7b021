// A run is played back by record/replay.h; checkpoints and scenes are one world each.
#include "main/subject.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "record/checkpoint.h"
#include "record/file.h"

// A checkpoint stands in its run's folder, whose scene knows the names of materials and the view.
static scree_status load_scene_beside(subject *drawn, scree_error *error)
{
    const char *slash = strrchr(drawn->path, '/');
    size_t length = slash ? (size_t)(slash - drawn->path) : 0;
    char *folder = slash ? strndup(drawn->path, length > 0 ? length : 1) : strdup(".");
    char *path = folder ? path_join(folder, "scene.yaml") : NULL;
    scree_status status = path ? SCREE_OK : fail_no_memory(error);
    if (status == SCREE_OK && file_exists(path))
        status = scree_scene_load(path, NULL, 0, &drawn->own_scene, error);
    free(folder);
    free(path);
    return status;
}

static scree_status open_checkpoint(subject *drawn, scree_error *error)
{
    checkpoint opened;
    scree_status status = checkpoint_open(drawn->path, &opened, error);
    if (status != SCREE_OK)
        return status;
    drawn->own_name = strdup(opened.header.scene);
    status = drawn->own_name ? checkpoint_world(&opened, 0, &drawn->world, error) : fail_no_memory(error);
    checkpoint_close(&opened);
    drawn->name = drawn->own_name;
    return status == SCREE_OK ? load_scene_beside(drawn, error) : status;
}

static scree_status open_scene(subject *drawn, scree_error *error)
{
    scree_status status = scree_scene_load(drawn->path, NULL, 0, &drawn->own_scene, error);
    if (status != SCREE_OK)
        return status;
    drawn->name = drawn->own_scene->name;
    return scree_scene_build(drawn->own_scene, 0, &drawn->world, error);
}

static scree_status list_materials(subject *drawn, scree_error *error)
{
    for (size_t i = 0; drawn->scene && i < drawn->scene->material_count; i++)
        if (!array_push(&drawn->material_names, drawn->scene->materials[i].name))
            return fail_no_memory(error);
    return SCREE_OK;
}

scree_status subject_open(subject *drawn, const char *path, scree_error *error)
{
    *drawn = (subject){.path = path, .count = 1};
    scree_status status = path_kind_of(path, &drawn->kind, error);
    if (status != SCREE_OK)
        return status;
    if (drawn->kind == PATH_RUN) {
        status = replay_open(&drawn->film, path, 0, error);
        if (status != SCREE_OK)
            return status;
        drawn->count = replay_count(&drawn->film);
        drawn->name = drawn->film.name;
        drawn->scene = drawn->film.scene;
        return list_materials(drawn, error);
    }
    status = drawn->kind == PATH_CHECKPOINT ? open_checkpoint(drawn, error) : open_scene(drawn, error);
    drawn->scene = drawn->own_scene;
    return status == SCREE_OK ? list_materials(drawn, error) : status;
}

void subject_close(subject *drawn)
{
    replay_close(&drawn->film);
    world_bodies_free(&drawn->bodies);
    scree_world_destroy(drawn->world);
    scree_scene_destroy(drawn->own_scene);
    free(drawn->own_name);
    array_free(&drawn->material_names);
    *drawn = (subject){0};
}

size_t subject_nearest(const subject *drawn, double time)
{
    size_t best = 0;
    if (drawn->kind != PATH_RUN)
        return 0;
    for (size_t i = 1; i < drawn->count; i++)
        if (fabs(replay_time(&drawn->film, i) - time) < fabs(replay_time(&drawn->film, best) - time))
            best = i;
    return best;
}

scree_status subject_show(subject *drawn, size_t frame, scree_error *error)
{
    if (drawn->kind != PATH_RUN)
        return world_bodies_read(&drawn->bodies, drawn->world, error);
    const scree_world *before = drawn->film.world;
    scree_status status = replay_show(&drawn->film, frame, error);
    if (before != drawn->film.world) // geometries belong to the world that is gone
        world_bodies_free(&drawn->bodies);
    if (status == SCREE_OK)
        status = world_bodies_read(&drawn->bodies, drawn->film.world, error);
    if (status == SCREE_OK && drawn->film.frames.count > 0)
        status = drawn->normals ? world_bodies_find_contacts(&drawn->bodies, drawn->film.world, error)
                                : world_bodies_take_contacts(&drawn->bodies, &drawn->film.frame, error);
    return status;
}

scree_status subject_show_newest(subject *drawn, scree_error *error)
{
    checkpoint newest;
    if (drawn->kind != PATH_RUN || drawn->film.frames.count == 0 ||
        checkpoint_open_newest(drawn->path, &newest, NULL, NULL) != SCREE_OK)
        return subject_show(drawn, drawn->count - 1, error);
    double slack = 0.5 * drawn->scene->world.step;
    bool newer = newest.header.time >= replay_time(&drawn->film, drawn->count - 1) - slack;
    scree_status status = newer ? checkpoint_world(&newest, 0, &drawn->world, error) : SCREE_OK;
    checkpoint_close(&newest);
    if (status != SCREE_OK || !newer)
        return newer ? status : subject_show(drawn, drawn->count - 1, error);
    return world_bodies_read(&drawn->bodies, drawn->world, error);
}
