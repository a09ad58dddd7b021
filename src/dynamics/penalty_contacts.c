// The contacts of a step as users, figures and frames read them.
#include "base/error.h"
#include "collide/narrow_pair.h"
#include "dynamics/penalty.h"

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

static contact contact_of_wall(const scree_world *world, const proxy_view *view, size_t entry)
{
    const penalty *of = world->penalty;
    const proxy *a = &world->bodies.proxies.data[of->walls.a.data[entry]];
    const proxy *b = &world->bodies.proxies.data[of->walls.b.data[entry]];
    pair_place place = place_pair(view, a, b);
    double height;
    vec3 normal = vec3_negate(plane_under(view, b, &place, &height));
    double gap = height - (double)a->size[0];
    contact made =
        make_contact(a, b, 0, vec3_add_scaled(place.arm, normal, (double)a->size[0] + 0.5 * gap), normal, gap);
    const float *force = of->wall_force.data[entry]; // on the sphere, which is a
    made.impulse = (vec3f){-force[0], -force[1], -force[2]};
    return made;
}

static size_t count_touching(const scree_world *world, const near_list *list, uint32_t *by_body)
{
    const proxy *proxies = world->bodies.proxies.data;
    size_t count = 0;
    for (size_t i = 0; i < list->a.count; i++)
        if (list->touches.data[i]) {
            by_body[proxies[list->a.data[i]].body]++;
            count++;
        }
    return count;
}

// By the slot of a, by a counting sort: pairs, walls and points each have an order of their own.
scree_status list_contacts(scree_world *world, scree_error *error)
{
    penalty *of = world->penalty;
    const proxy *proxies = world->bodies.proxies.data;
    size_t bodies = world->bodies.count;
    uint32_t *next = arena_array(&world->scratch, uint32_t, bodies + 1);
    if (!next)
        return fail_no_memory(error);
    memset(next, 0, (bodies + 1) * sizeof *next);
    size_t count = count_touching(world, &of->pairs, next + 1) + count_touching(world, &of->walls, next + 1);
    for (size_t i = 0; i < of->points.count; i++)
        next[of->points.data[i].a + 1]++;
    count += of->points.count;
    if (!array_reserve(&world->contacts, count))
        return fail_no_memory(error);
    for (size_t i = 0; i < bodies; i++)
        next[i + 1] += next[i];
    contact *contacts = world->contacts.data;
    proxy_view view = penalty_view(world, NULL, NULL);
    for (size_t i = 0; i < of->pairs.a.count; i++)
        if (of->pairs.touches.data[i])
            contacts[next[proxies[of->pairs.a.data[i]].body]++] = contact_of_pair(world, i);
    for (size_t i = 0; i < of->walls.a.count; i++)
        if (of->walls.touches.data[i])
            contacts[next[proxies[of->walls.a.data[i]].body]++] = contact_of_wall(world, &view, i);
    for (size_t i = 0; i < of->points.count; i++)
        contacts[next[of->points.data[i].a]++] = of->points.data[i];
    float step = (float)world->def.step;
    for (size_t i = 0; i < count; i++)
        contacts[i].impulse =
            (vec3f){contacts[i].impulse.x * step, contacts[i].impulse.y * step, contacts[i].impulse.z * step};
    world->contacts.count = count;
    return SCREE_OK;
}
