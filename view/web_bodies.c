#include "view/web_bodies.h"

#include "base/error.h"
#include "view/body_walk.h"

// A lone sphere about the centre of mass looks the same however it is turned.
static scree_status is_turned(const body_walk *walk, bool *turned, scree_error *error)
{
    scree_shape_def shape;
    scree_pose pose;
    scree_status status = SCREE_OK;
    *turned = true;
    if (walk->info.shape_count == 1 && body_walk_shape(walk, 0, &shape, &pose, &status, error))
        *turned = shape.type != SCREE_SPHERE ||
                  vec3_length(vec3_sub(pose.position, walk->state.position)) > 1e-6 * shape.radius;
    return status;
}

// Appends the bodies that frames tell of, or those that stand still.
static scree_status add_bodies(web_bodies *to, const scree_world *world, bool streamed, scree_error *error)
{
    body_walk walk;
    scree_status status = body_walk_begin(&walk, world, error);
    while (body_walk_next(&walk, &status, error)) {
        if ((!walk.info.fixed || walk.info.moved) != streamed)
            continue;
        quat turn = walk.state.orientation;
        web_body next = {.id = walk.id,
                         .fixed = walk.info.fixed,
                         .material = walk.info.material,
                         .gone = UINT32_MAX,
                         .pose = {walk.state.position, turn},
                         .frame = quat_rotate_back(turn, vec3_sub(walk.info.frame, walk.state.position))};
        status = is_turned(&walk, &next.turned, error);
        if (status == SCREE_OK && (to->list.count >= WEB_NO_BODY || !array_push(&to->list, next)))
            status = fail_no_memory(error);
    }
    body_walk_end(&walk);
    return status;
}

static scree_status number_ids(web_bodies *to, scree_error *error)
{
    scree_id most = 0;
    for (size_t i = 0; i < to->list.count; i++)
        most = to->list.data[i].id > most ? to->list.data[i].id : most;
    if (!array_resize(&to->number_of_id, (size_t)most + 1))
        return fail_no_memory(error);
    for (size_t i = 0; i <= most; i++)
        to->number_of_id.data[i] = WEB_NO_BODY;
    for (size_t i = 0; i < to->list.count; i++)
        to->number_of_id.data[to->list.data[i].id] = (uint32_t)i;
    return SCREE_OK;
}

scree_status web_bodies_read(web_bodies *to, film *shown, scree_error *error)
{
    *to = (web_bodies){0};
    scree_status status = film_show(shown, 0, error);
    if (status == SCREE_OK)
        status = add_bodies(to, shown->run->world, true, error);
    to->streamed = to->list.count;
    if (status == SCREE_OK)
        status = add_bodies(to, shown->run->world, false, error);
    if (status == SCREE_OK)
        status = number_ids(to, error);
    return status;
}

void web_bodies_free(web_bodies *bodies)
{
    array_free(&bodies->list);
    array_free(&bodies->number_of_id);
}
