// A scene removes a body once, so all of them are there. A joint may have gone before, with a body of its own.
#include "scene/event.h"

#include "base/error.h"

static scree_status remove_joints(scree_world *world, const scene_event *event, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (size_t i = 0; status == SCREE_OK && i < event->remove_count; i++)
        if (scree_world_has_joint(world, event->remove_joints[i]))
            status = scree_world_remove_joints(world, &event->remove_joints[i], 1, error);
    return status;
}

static scree_status apply_event(scree_world *world, const scene_event *event, scree_error *error)
{
    ARRAY(scree_id) ids = {0};
    scree_status status = remove_joints(world, event, error);
    for (size_t i = 0; status == SCREE_OK && i < event->remove_count; i++)
        for (size_t k = 0; status == SCREE_OK && k < event->remove[i].count; k++)
            if (!array_push(&ids, event->remove[i].first + k))
                status = fail_no_memory(error);
    if (status == SCREE_OK)
        status = scree_world_remove_bodies(world, ids.data, ids.count, error);
    array_free(&ids);
    return status;
}

scree_status scene_apply_events(const scree_scene *scene, scree_world *world, double time, uint64_t *next,
                                scree_error *error)
{
    double until = time + 0.5 * scene->world.step;
    scree_status status = SCREE_OK;
    while (status == SCREE_OK && *next < scene->event_count && scene->events[*next].time <= until)
        status = apply_event(world, &scene->events[(*next)++], error);
    return status;
}
