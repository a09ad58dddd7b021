#include "record/replay.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "world/playback.h"

static bool has_frames(const replay *film)
{
    return film->frames.count > 0;
}

size_t replay_count(const replay *film)
{
    return has_frames(film) ? film->frames.count : film->checkpoints.count;
}

double replay_time(const replay *film, size_t number)
{
    return has_frames(film) ? film->frames.frames[number].time
                            : (double)film->checkpoints.data[number] * film->scene->world.step;
}

static scree_status open_checkpoint(const replay *film, size_t number, checkpoint *opened, scree_error *error)
{
    char *path = checkpoint_path(film->run, film->checkpoints.data[number]);
    scree_status status = path ? checkpoint_open(path, opened, error) : fail_no_memory(error);
    free(path);
    return status;
}

// A run's copy of the scene is always called scene.yaml, so its frames and checkpoints have to tell the name.
static scree_status find_name(replay *film, scree_error *error)
{
    if (has_frames(film)) {
        film->name = strdup(film->frames.name);
        return film->name ? SCREE_OK : fail_no_memory(error);
    }
    scree_status status = checkpoint_list(film->run, &film->checkpoints, error);
    if (status == SCREE_OK && film->checkpoints.count == 0)
        status = fail(error, SCREE_ERROR_INVALID, "%s has neither frames nor checkpoints", film->run);
    checkpoint newest = {0};
    if (status == SCREE_OK)
        status = open_checkpoint(film, film->checkpoints.count - 1, &newest, error);
    if (status == SCREE_OK) {
        film->name = strdup(newest.header.scene);
        status = film->name ? SCREE_OK : fail_no_memory(error);
    }
    checkpoint_close(&newest);
    return status;
}

scree_status replay_open(replay *film, const char *run, int threads, scree_error *error)
{
    *film = (replay){.threads = threads, .run = strdup(run)};
    char *path = path_join(run, "scene.yaml");
    scree_status status = film->run && path ? SCREE_OK : fail_no_memory(error);
    if (status == SCREE_OK && !file_exists(path))
        status = fail(error, SCREE_ERROR_INVALID, "%s is not a run directory: it has no scene.yaml", run);
    if (status == SCREE_OK)
        status = frame_list_read(run, &film->frames, error);
    if (status == SCREE_OK)
        status = find_name(film, error);
    if (status == SCREE_OK)
        status = scree_scene_load(path, NULL, 0, &film->scene, error);
    if (status == SCREE_OK)
        film->scene->name = film->name;
    free(path);
    if (status != SCREE_OK)
        replay_close(film);
    return status;
}

static scree_status show_checkpoint(replay *film, size_t number, scree_error *error)
{
    checkpoint opened = {0};
    scree_world_destroy(film->world);
    film->world = NULL;
    scree_status status = open_checkpoint(film, number, &opened, error);
    if (status == SCREE_OK)
        status = checkpoint_world(&opened, film->threads, &film->world, error);
    checkpoint_close(&opened);
    return status;
}

// Removes from the world what the frame does not have: both lists rise.
static scree_status remove_gone(replay *film, scree_error *error)
{
    const frame_data *frame = &film->frame;
    id_array ids = {0};
    size_t count = scree_world_body_count(film->world), gone = 0, moving = 0, fixed = 0;
    if (!array_resize(&ids, count))
        return fail_no_memory(error);
    scree_world_body_ids(film->world, ids.data);
    for (size_t i = 0; i < count; i++) {
        if (moving < frame->ids.count && frame->ids.data[moving] == ids.data[i])
            moving++;
        else if (fixed < frame->fixed.count && frame->fixed.data[fixed] == ids.data[i])
            fixed++;
        else
            ids.data[gone++] = ids.data[i];
    }
    scree_status status = SCREE_OK;
    if (moving < frame->ids.count || fixed < frame->fixed.count)
        status = fail(error, SCREE_ERROR_INVALID, "a frame of %s has bodies that its scene has not", film->run);
    else if (gone > 0)
        status = scree_world_remove_bodies(film->world, ids.data, gone, error);
    film->removed = film->removed || gone > 0;
    array_free(&ids);
    return status;
}

// Bodies may come back when an earlier frame is shown.
static scree_status rebuild_world(replay *film, scree_error *error)
{
    size_t there = film->frame.ids.count + film->frame.fixed.count;
    if (film->world && (!film->removed || there <= scree_world_body_count(film->world)))
        return SCREE_OK;
    scree_world_destroy(film->world);
    film->world = NULL;
    film->removed = false;
    return scree_scene_build(film->scene, film->threads, &film->world, error);
}

scree_status replay_show(replay *film, size_t number, scree_error *error)
{
    if (number >= replay_count(film))
        return fail(error, SCREE_ERROR_INVALID, "there is no frame %zu; 0 to %zu are there", number,
                    replay_count(film) - 1);
    if (!has_frames(film))
        return show_checkpoint(film, number, error);
    frame_data *frame = &film->frame;
    scree_status status = frame_read(&film->frames, number, frame, error);
    if (status == SCREE_OK)
        status = rebuild_world(film, error);
    if (status == SCREE_OK)
        status = remove_gone(film, error);
    if (status == SCREE_OK)
        status = scree_world_set_states(film->world, frame->ids.data, frame->ids.count, frame->states.data, error);
    if (status == SCREE_OK)
        world_set_clock(film->world, (uint64_t)llround(frame->time / film->scene->world.step), frame->time);
    return status;
}

void replay_close(replay *film)
{
    scree_world_destroy(film->world);
    scree_scene_destroy(film->scene);
    frame_list_free(&film->frames);
    frame_data_free(&film->frame);
    array_free(&film->checkpoints);
    free(film->run);
    free(film->name);
    *film = (replay){0};
}
