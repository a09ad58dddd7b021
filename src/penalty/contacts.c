// The contacts of a step as users, figures and frames read them.
#include "base/error.h"
#include "collide/narrow/narrow_pair.h"
#include "penalty/penalty.h"

static contact contact_of_pair(const scree_world *world, size_t pair)
{
    const penalty *of = penalty_of(world);
    const proxy *a = &world->bodies.proxies.data[of->pairs.a.data[pair]];
    const proxy *b = &world->bodies.proxies.data[of->pairs.b.data[pair]];
    const particle *at_a = &of->particles.data[of->pairs.a.data[pair]];
    const particle *at_b = &of->particles.data[of->pairs.b.data[pair]];
    vec3 d = vec3_make(at_b->center[0] - at_a->center[0], at_b->center[1] - at_a->center[1],
                       at_b->center[2] - at_a->center[2]);
    double distance = vec3_length(d), gap = distance - (at_a->radius + at_b->radius);
    vec3 normal = distance > 0 ? vec3_scale(d, 1 / distance) : vec3_make(0, 0, 1);
    vec3 arm = particle_arm(of, a->body, of->pairs.a.data[pair]);
    contact made = make_contact(a, b, 0, vec3_add_scaled(arm, normal, at_a->radius + 0.5 * gap), normal, gap);
    const float *force = of->rows.data[of->row_of.data[pair]].force;
    made.impulse = (vec3f){force[0], force[1], force[2]};
    return made;
}

static contact contact_of_wall(const scree_world *world, const proxy_view *view, size_t entry)
{
    const penalty *of = penalty_of(world);
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

static size_t count_touching(const near_list *list)
{
    size_t count = 0;
    for (size_t i = 0; i < list->a.count; i++)
        count += list->touches.data[i] != 0;
    return count;
}

scree_status reserve_contacts(scree_world *world, scree_error *error)
{
    penalty *of = penalty_of(world);
    size_t count = count_touching(&of->pairs) + count_touching(&of->walls) + of->points.count;
    if (!array_reserve(&world->contacts, count) || !array_resize(&of->next_contact, world->bodies.count + 1))
        return fail_no_memory(error);
    world->contacts.count = count;
    of->contacts_due = true;
    return SCREE_OK;
}

static void count_by_body(const scree_world *world, const near_list *list, uint32_t *by_body)
{
    const proxy *proxies = world->bodies.proxies.data;
    for (size_t i = 0; i < list->a.count; i++)
        by_body[proxies[list->a.data[i]].body] += list->touches.data[i] != 0;
}

// By the slot of a, by a counting sort: pairs, walls and points each have an order of their own.
void penalty_materialise_contacts(scree_world *world)
{
    penalty *of = penalty_of(world);
    if (!of || !of->contacts_due)
        return;
    of->contacts_due = false;
    const proxy *proxies = world->bodies.proxies.data;
    uint32_t *next = of->next_contact.data;
    memset(next, 0, of->next_contact.count * sizeof *next);
    count_by_body(world, &of->pairs, next + 1);
    count_by_body(world, &of->walls, next + 1);
    for (size_t i = 0; i < of->points.count; i++)
        next[of->points.data[i].a + 1]++;
    for (size_t i = 0; i + 1 < of->next_contact.count; i++)
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
    for (size_t i = 0; i < world->contacts.count; i++)
        contacts[i].impulse =
            (vec3f){contacts[i].impulse.x * step, contacts[i].impulse.y * step, contacts[i].impulse.z * step};
}
