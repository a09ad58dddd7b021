#include "view/export/web_bodies.h"

#include "base/error.h"

// A lone sphere about the centre of mass looks the same however it is turned.
static bool is_turned(const film *shown, size_t body)
{
    const world_bodies *bodies = &shown->bodies;
    const scree_shape_def *shape = &bodies->shapes.data[bodies->first_shapes.data[body]];
    if (bodies->infos.data[body].shape_count != 1 || shape->type != SCREE_SHAPE_SPHERE)
        return true;
    vec3 place = film_shape_pose(shown, body, shape).position;
    return vec3_length(vec3_sub(place, bodies->states.data[body].position)) > 1e-6 * shape->radius;
}

// Appends the bodies that frames tell of, or those that stand still.
static scree_status add_bodies(web_bodies *to, const film *shown, bool streamed, scree_error *error)
{
    for (size_t i = 0; i < shown->bodies.ids.count; i++) {
        const scree_body_info *info = &shown->bodies.infos.data[i];
        const scree_state *state = &shown->bodies.states.data[i];
        if ((!info->fixed || info->moved) != streamed)
            continue;
        web_body next = {.id = shown->bodies.ids.data[i],
                         .fixed = info->fixed,
                         .turned = is_turned(shown, i),
                         .material = info->material,
                         .gone = UINT32_MAX,
                         .pose = {state->position, state->orientation},
                         .frame = quat_rotate_back(state->orientation, vec3_sub(info->frame, state->position))};
        if (!array_push(&to->list, next))
            return fail_no_memory(error);
    }
    return SCREE_OK;
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
        status = add_bodies(to, shown, true, error);
    to->streamed = to->list.count;
    if (status == SCREE_OK)
        status = add_bodies(to, shown, false, error);
    if (status == SCREE_OK)
        status = number_ids(to, error);
    return status;
}

void web_bodies_free(web_bodies *bodies)
{
    array_free(&bodies->list);
    array_free(&bodies->number_of_id);
}
