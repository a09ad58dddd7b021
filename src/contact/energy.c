#include "contact/energy.h"

#include "contact/step_problem.h"
#include "contact/velocity.h"

// Contacts were detected before the step moved the bodies: the gap is taken to where they are now.
static double contact_energy(const step_problem *problem, const contact *c)
{
    double stiffness = (double)pair_of_contact(problem, c)->stiffness, h = problem->step;
    if (stiffness == 0)
        return 0;
    vec3 relative = vec3_sub(problem->velocity[c->b], problem->velocity[c->a]), arm = vec3_from_f(c->arm);
    vec3 arm_b = vec3_add_scaled(arm_of_b(problem->position, c), relative, h);
    relative =
        vec3_add(relative, vec3_sub(vec3_cross(problem->spin[c->b], arm_b), vec3_cross(problem->spin[c->a], arm)));
    double depth = -(double)c->gap - h * vec3_dot(vec3_from_f(c->normal), relative);
    return depth > 0 ? 0.5 * stiffness * depth * depth : 0;
}

void add_spring_energies(const scree_world *world, double *sum)
{
    step_problem problem = step_problem_of(world);
    for (size_t i = 0; world->extended && i < world->contacts.count; i++)
        *sum += contact_energy(&problem, &world->contacts.data[i]);
}
