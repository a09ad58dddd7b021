// Bodies are kept in the order of their ids, so that finding one is a search by halves.
#include "view/world/world_bodies.h"

#include "base/error.h"
#include "contact/detect_step.h" // detection alone, without a step

uint32_t world_bodies_find(const world_bodies *bodies, scree_id id)
{
    size_t low = 0, high = bodies->ids.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (bodies->ids.data[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < bodies->ids.count && bodies->ids.data[low] == id ? (uint32_t)low : WORLD_NO_BODY;
}

static scree_status read_shapes(world_bodies *to, const scree_world *world, scree_error *error)
{
    size_t count = to->ids.count, total = 0;
    if (!array_resize(&to->first_shapes, count + 1))
        return fail_no_memory(error);
    for (size_t i = 0; i <= count; i++) {
        to->first_shapes.data[i] = (uint32_t)total;
        total += i < count ? to->infos.data[i].shape_count : 0;
    }
    if (total > UINT32_MAX || !array_resize(&to->shapes, total))
        return fail_no_memory(error);
    scree_status status = SCREE_OK;
    for (size_t i = 0; status == SCREE_OK && i < count; i++)
        for (size_t k = 0; status == SCREE_OK && k < to->infos.data[i].shape_count; k++)
            status =
                scree_world_get_shape(world, to->ids.data[i], k, &to->shapes.data[to->first_shapes.data[i] + k], error);
    return status;
}

// The point where a contact's line ends at a body.
static vec3 line_end(const world_bodies *bodies, uint32_t body, vec3 point)
{
    bool bounded =
        body != WORLD_NO_BODY && isfinite(bodies->infos.data[body].bounding_radius) && !bodies->infos.data[body].fixed;
    return bounded ? bodies->states.data[body].position : point;
}

static scree_status read_contacts(world_bodies *to, const scree_world *world, scree_error *error)
{
    size_t count = scree_world_step_figures(world).contacts;
    double step = scree_world_get_def(world).step;
    if (!array_resize(&to->scratch, count) || !array_resize(&to->contacts, count))
        return fail_no_memory(error);
    count = scree_world_contacts(world, to->scratch.data, count);
    to->contacts.count = count;
    for (size_t i = 0; i < count; i++) {
        const scree_contact *c = &to->scratch.data[i];
        uint32_t a = world_bodies_find(to, c->a), b = world_bodies_find(to, c->b);
        to->contacts.data[i] = (world_contact){.a = a,
                                               .b = b,
                                               .ends = {line_end(to, a, c->point), line_end(to, b, c->point)},
                                               .point = c->point,
                                               .normal = c->normal,
                                               .has_normal = true,
                                               .force = vec3_dot(c->impulse, c->normal) / step};
    }
    to->has_contacts = true;
    return SCREE_OK;
}

scree_status world_bodies_read_states(world_bodies *to, const scree_world *world, scree_error *error)
{
    size_t count = scree_world_body_count(world);
    ARRAY(scree_id) ids = {0};
    if (count >= WORLD_NO_BODY || !array_resize(&ids, count) || !array_resize(&to->states, count) ||
        !array_resize(&to->infos, count)) {
        array_free(&ids);
        return fail_no_memory(error);
    }
    scree_world_body_ids(world, ids.data);
    bool same = to->first_shapes.count == count + 1 && to->ids.count == count &&
                (count == 0 || memcmp(ids.data, to->ids.data, count * sizeof *ids.data) == 0);
    array_free(&to->ids);
    memcpy(&to->ids, &ids, sizeof ids);
    scree_status status = scree_world_get_states(world, to->ids.data, count, to->states.data, error);
    for (size_t i = 0; status == SCREE_OK && i < count; i++)
        status = scree_world_get_body(world, to->ids.data[i], &to->infos.data[i], error);
    if (status == SCREE_OK && !same)
        status = read_shapes(to, world, error);
    to->has_contacts = false;
    to->contacts.count = 0;
    to->gravity = scree_world_get_def(world).gravity;
    to->time = scree_world_step_figures(world).time;
    return status;
}

scree_status world_bodies_read(world_bodies *to, const scree_world *world, scree_error *error)
{
    scree_status status = world_bodies_read_states(to, world, error);
    return status == SCREE_OK ? read_contacts(to, world, error) : status;
}

// ---------------------------------------------------------------------------------------------------- frames' contacts

// Contacts are told at the places where bodies were before they moved; bodies at rest have not.
scree_status world_bodies_find_contacts(world_bodies *to, scree_world *world, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (size_t i = 0; status == SCREE_OK && i < to->ids.count; i++) {
        scree_state still = to->states.data[i];
        still.velocity = still.spin = (vec3){0, 0, 0};
        if (!to->infos.data[i].fixed)
            status = scree_world_set_states(world, &to->ids.data[i], 1, &still, error);
    }
    arena_reset(&world->scratch);
    if (status == SCREE_OK)
        status = detect_contacts(world, NULL, error);
    return status == SCREE_OK ? read_contacts(to, world, error) : status;
}

scree_status world_bodies_take_contacts(world_bodies *to, const frame_data *frame, scree_error *error)
{
    to->has_contacts = frame->has_contacts;
    to->contacts.count = 0;
    if (!frame->has_contacts)
        return SCREE_OK;
    if (!array_resize(&to->contacts, frame->contacts.count))
        return fail_no_memory(error);
    for (size_t i = 0; i < frame->contacts.count; i++) {
        const frame_contact *c = &frame->contacts.data[i];
        to->contacts.data[i] = (world_contact){.a = world_bodies_find(to, c->a),
                                               .b = world_bodies_find(to, c->b),
                                               .ends = {c->from, c->to},
                                               .force = (double)c->normal_force};
    }
    return SCREE_OK;
}

void world_bodies_free(world_bodies *bodies)
{
    array_free(&bodies->ids);
    array_free(&bodies->states);
    array_free(&bodies->infos);
    array_free(&bodies->first_shapes);
    array_free(&bodies->shapes);
    array_free(&bodies->contacts);
    array_free(&bodies->scratch);
    *bodies = (world_bodies){0};
}
