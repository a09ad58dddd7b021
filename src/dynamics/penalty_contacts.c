// The contacts of a step as users, figures and frames read them; and memories as a snapshot keeps them.
#include "base/error.h"
#include "collide/narrow_pair.h"
#include "dynamics/penalty.h"

#include <stdlib.h>

static contact contact_of_pair(const scree_world *world, size_t pair)
{
    const penalty *of = world->penalty;
    const proxy *a = &world->bodies.proxies.data[of->pairs.a.data[pair]];
    const proxy *b = &world->bodies.proxies.data[of->pairs.b.data[pair]];
    const particle *at_a = &of->particles.data[of->pairs.a.data[pair]];
    const particle *at_b = &of->particles.data[of->pairs.b.data[pair]];
    double between[3];
    for (int i = 0; i < 3; i++)
        between[i] = (double)(int32_t)(at_b->place[i] - at_a->place[i]) * of->unit;
    vec3 d = vec3_make(between[0], between[1], between[2]);
    double distance = vec3_length(d), gap = distance - ((double)at_a->radius + (double)at_b->radius);
    vec3 normal = distance > 0 ? vec3_scale(d, 1 / distance) : vec3_make(0, 0, 1);
    vec3 arm = vec3_make((double)at_a->arm[0], (double)at_a->arm[1], (double)at_a->arm[2]);
    contact made = make_contact(a, b, 0, vec3_add_scaled(arm, normal, (double)at_a->radius + 0.5 * gap), normal, gap);
    const float *force = of->force.data[pair];
    made.impulse = (vec3f){force[0], force[1], force[2]};
    return made;
}

// Both kinds rise by the slot of a but for points, which stand by ids: a counting sort puts all in order.
scree_status list_contacts(scree_world *world, scree_error *error)
{
    penalty *of = world->penalty;
    size_t bodies = world->bodies.count, count = of->points.count;
    for (size_t i = 0; i < of->pairs.a.count; i++)
        count += of->pairs.touches.data[i] != 0;
    uint32_t *start = arena_array(&world->scratch, uint32_t, bodies + 1);
    if (!start || !array_reserve(&world->contacts, count))
        return fail_no_memory(error);
    memset(start, 0, (bodies + 1) * sizeof *start);
    const proxy *proxies = world->bodies.proxies.data;
    for (size_t i = 0; i < of->pairs.a.count; i++)
        start[proxies[of->pairs.a.data[i]].body + 1] += of->pairs.touches.data[i] != 0;
    for (size_t i = 0; i < of->points.count; i++)
        start[of->points.data[i].a + 1]++;
    for (size_t i = 0; i < bodies; i++)
        start[i + 1] += start[i];
    float step = (float)world->def.step;
    for (size_t i = 0; i < of->pairs.a.count; i++)
        if (of->pairs.touches.data[i])
            world->contacts.data[start[proxies[of->pairs.a.data[i]].body]++] = contact_of_pair(world, i);
    for (size_t i = 0; i < of->points.count; i++)
        world->contacts.data[start[of->points.data[i].a]++] = of->points.data[i];
    for (size_t i = 0; i < count; i++) {
        vec3f *impulse = &world->contacts.data[i].impulse;
        *impulse = (vec3f){impulse->x * step, impulse->y * step, impulse->z * step};
    }
    world->contacts.count = count;
    return SCREE_OK;
}

bool penalty_recall(scree_world *world, const touch_record *records, size_t count, double stable_step)
{
    penalty *of = world->penalty = calloc(1, sizeof *world->penalty);
    if (!of)
        return false;
    of->stale = true;
    of->stable_step = stable_step > 0 ? stable_step : HUGE_VAL;
    for (size_t i = 0; i < count; i++) {
        touch_record_array *to = records[i].name & POINT_NAME ? &of->point_memory : &of->loose;
        if (!array_push(to, records[i]))
            return false;
    }
    return true;
}

double penalty_stable_step(const scree_world *world)
{
    const penalty *of = world->penalty;
    return of && isfinite(of->stable_step) ? of->stable_step : 0;
}

size_t penalty_bytes(const penalty *of)
{
    if (!of)
        return 0;
    size_t bytes = sizeof *of + array_bytes(&of->position) + array_bytes(&of->spin) + array_bytes(&of->orientation) +
                   array_bytes(&of->others) + array_bytes(&of->listed_position) +
                   array_bytes(&of->listed_orientation) + array_bytes(&of->margin) + array_bytes(&of->particles) +
                   array_bytes(&of->loads) + array_bytes(&of->active) + array_bytes(&of->first_active) +
                   array_bytes(&of->outbox_particle) + array_bytes(&of->outbox) + array_bytes(&of->force) +
                   array_bytes(&of->points) + array_bytes(&of->pair_of_point) + array_bytes(&of->point_memory);
    const near_list *lists[] = {&of->pairs, &of->spare};
    for (int i = 0; i < 2; i++)
        bytes += array_bytes(&lists[i]->a) + array_bytes(&lists[i]->b) + array_bytes(&lists[i]->touches) +
                 array_bytes(&lists[i]->spring) + array_bytes(&lists[i]->rolled);
    return bytes;
}
