#include "view/body_walk.h"

#include "base/error.h"

scree_status body_walk_begin(body_walk *walk, const scree_world *world, scree_error *error)
{
    *walk = (body_walk){.world = world};
    if (!array_resize(&walk->ids, scree_world_body_count(world)))
        return fail_no_memory(error);
    scree_world_ids(world, walk->ids.data);
    return SCREE_OK;
}

bool body_walk_next(body_walk *walk, scree_status *status, scree_error *error)
{
    if (*status != SCREE_OK || walk->next >= walk->ids.count)
        return false;
    walk->id = walk->ids.data[walk->next++];
    *status = scree_world_get_body(walk->world, walk->id, &walk->info, error);
    if (*status == SCREE_OK)
        *status = scree_world_get_states(walk->world, &walk->id, 1, &walk->state, error);
    return *status == SCREE_OK;
}

bool body_walk_shape(const body_walk *walk, size_t k, scree_shape_def *shape, scree_pose *pose, scree_status *status,
                     scree_error *error)
{
    *status = scree_world_get_shape(walk->world, walk->id, k, shape, error);
    if (*status != SCREE_OK)
        return false;
    quat turn = walk->state.orientation;
    pose->position = vec3_add(walk->info.frame, quat_rotate(turn, shape->position));
    pose->orientation = quat_normalize(quat_multiply(turn, quat_normalize(shape->orientation)));
    return true;
}

void body_walk_end(body_walk *walk)
{
    array_free(&walk->ids);
}
