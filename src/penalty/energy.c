// What the springs of contacts hold at the end of a step. Nothing of it is kept during steps: it is worked out when
// somebody asks, from where bodies are and from what contacts remember.
#include "penalty/penalty.h"
#include "world/view.h"

// Two bodies that overlap by `depth`.
typedef struct spring_contact {
    double depth, radius; // reduced
    double mass;          // reduced
    size_t law;
    const float *spring; // across the normal
} spring_contact;

static double inverse_mass(const body_store *store, uint32_t slot)
{
    return store->immovable.data[slot] ? 0 : 1 / store->mass.data[slot];
}

static double reduced_mass(const body_store *store, uint32_t a, uint32_t b)
{
    return 1 / (inverse_mass(store, a) + inverse_mass(store, b));
}

// The integral of the force over the overlap, and half the square of what is stretched across it. A cohesion that pulls
// whatever the overlap gains by it.
static double energy_of(const law_table *laws, const spring_contact *of)
{
    const law_row *law = &laws->rows[of->law];
    if (!(of->depth > 0))
        return 0;
    double stiffness = (double)law->stiffness[0] + (double)law->stiffness[1] * of->mass, share = 0.5, across = 0;
    if (laws->hertz) {
        stiffness = (double)law->stiffness[0] * sqrt(of->radius * of->depth);
        share = 4.0 / 15;
    }
    for (int i = 0; i < 3; i++)
        across += (double)of->spring[i] * (double)of->spring[i];
    return share * stiffness * of->depth * of->depth + 0.5 * (double)law->tangential[0] * stiffness * across -
           (double)law->cohesion * of->depth;
}

static spring_contact contact_of_pair(const scree_world *world, const proxy_view *view, size_t pair)
{
    const near_list *list = &penalty_of(world)->pairs;
    const proxy *a = &view->proxies[list->a.data[pair]], *b = &view->proxies[list->b.data[pair]];
    double of_a = (double)a->size[0], of_b = (double)b->size[0];
    double distance = vec3_length(vec3_sub(proxy_center(view, b), proxy_center(view, a)));
    return (spring_contact){of_a + of_b - distance, of_a * of_b / (of_a + of_b),
                            reduced_mass(&world->bodies, a->body, b->body), pair_index(world, a->material, b->material),
                            list->spring.data[pair]};
}

static spring_contact contact_of_wall(const scree_world *world, const proxy_view *view, size_t entry)
{
    const near_list *list = &penalty_of(world)->walls;
    const proxy *sphere = &view->proxies[list->a.data[entry]], *plane = &view->proxies[list->b.data[entry]];
    const plane_geometry *geometry = &view->planes[plane->geometry];
    vec3 outward = quat_rotate(proxy_orientation(view, plane), geometry->normal);
    vec3 from = vec3_sub(proxy_center(view, sphere), proxy_center(view, plane));
    double radius = (double)sphere->size[0];
    return (spring_contact){radius - vec3_dot(outward, from) + geometry->offset, radius,
                            reduced_mass(&world->bodies, sphere->body, plane->body),
                            pair_index(world, sphere->material, plane->material), list->spring.data[entry]};
}

// Points were found where forces act: they are taken to where bodies are now by the velocities.
static spring_contact contact_of_point(const scree_world *world, size_t index)
{
    const penalty *of = penalty_of(world);
    const body_store *store = &world->bodies;
    const contact *c = &of->points.data[index];
    vec3 arm = vec3_from_f(c->arm), normal = vec3_from_f(c->normal);
    vec3 arm_b = vec3_add(arm, vec3_sub(of->position.data[c->a], of->position.data[c->b]));
    vec3 at_a = vec3_add(store->velocity.data[c->a], vec3_cross(store->spin.data[c->a], arm));
    vec3 at_b = vec3_add(store->velocity.data[c->b], vec3_cross(store->spin.data[c->b], arm_b));
    double parting = vec3_dot(normal, vec3_sub(at_b, at_a)) * penalty_last_part(world);
    return (spring_contact){-(double)c->gap - parting, point_radius(world, index), reduced_mass(store, c->a, c->b),
                            pair_index(world, c->material_a, c->material_b),
                            of->point_memory.data[index].history.spring};
}

double penalty_energy(const scree_world *world)
{
    const penalty *of = penalty_of(world);
    double sum = 0;
    if (!of || of->stale || of->laws.count == 0)
        return 0;
    law_table laws = penalty_laws(world);
    proxy_view view = world_view(world, NULL, NULL);
    for (size_t i = 0; i < of->pairs.a.count; i++) {
        spring_contact at = contact_of_pair(world, &view, i);
        sum += energy_of(&laws, &at);
    }
    for (size_t i = 0; i < of->walls.a.count; i++) {
        spring_contact at = contact_of_wall(world, &view, i);
        sum += energy_of(&laws, &at);
    }
    for (size_t i = 0; i < of->points.count; i++) {
        spring_contact at = contact_of_point(world, i);
        sum += energy_of(&laws, &at);
    }
    return sum;
}
