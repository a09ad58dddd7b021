#include "rigid/energy.h"

// Contacts were detected before the step moved the bodies: the gap is taken to where they are now.
static double contact_energy(const scree_world *world, const contact *c)
{
    const body_store *store = &world->bodies;
    double stiffness = (double)world->pairs.data[pair_index(world, c->material_a, c->material_b)].stiffness;
    if (stiffness == 0)
        return 0;
    double h = world->def.step;
    vec3 relative = vec3_sub(store->velocity.data[c->b], store->velocity.data[c->a]);
    vec3 arm = vec3_from_f(c->arm);
    vec3 arm_b =
        vec3_add_scaled(vec3_add(arm, vec3_sub(store->position.data[c->a], store->position.data[c->b])), relative, h);
    relative = vec3_add(relative,
                        vec3_sub(vec3_cross(store->spin.data[c->b], arm_b), vec3_cross(store->spin.data[c->a], arm)));
    double depth = -(double)c->gap - h * vec3_dot(vec3_from_f(c->normal), relative);
    return depth > 0 ? 0.5 * stiffness * depth * depth : 0;
}

void add_spring_energies(const scree_world *world, double *sum)
{
    for (size_t i = 0; world->extended && i < world->contacts.count; i++)
        *sum += contact_energy(world, &world->contacts.data[i]);
}
