// Reading what happened: energies, momentum, contacts, penetration.
#include "step/figures.h"

#include "contact/row.h"
#include "world/joints/joints.h"
#include "world/method.h"

static double kinetic_energy(const scree_world *world, size_t slot, const body_velocity *at)
{
    const body_store *store = &world->bodies;
    vec3 w = quat_rotate_back(store->orientation.data[slot], at->spin);
    vec3 inertia = vec3_from_f(store->inertia.data[slot]);
    return 0.5 *
           (store->mass.data[slot] * vec3_dot(at->velocity, at->velocity) + vec3_dot(w, vec3_multiply(inertia, w)));
}

static void add_energies(const scree_world *world, scree_figures *figures)
{
    const body_store *store = &world->bodies;
    for (uint32_t i = 0; i < store->count; i++) {
        if (store->immovable.data[i])
            continue;
        body_velocity at;
        velocity_at_pose(world, i, &at.velocity, &at.spin);
        figures->kinetic += kinetic_energy(world, i, &at);
        figures->potential -= store->mass.data[i] * vec3_dot(world->def.gravity, store->position.data[i]);
        figures->momentum = vec3_add_scaled(figures->momentum, at.velocity, store->mass.data[i]);
    }
}

static void add_spring_energies(const scree_world *world, scree_figures *figures)
{
    for (size_t i = 0; i < world->joints.list.count; i++)
        figures->potential += joint_energy(world, &world->joints.list.data[i]);
    if (world->method->add_energy)
        world->method->add_energy(world, &figures->potential);
}

static void add_penetration(const scree_world *world, scree_figures *figures)
{
    double sum = 0;
    contacts_wanted(world);
    for (size_t i = 0; i < world->contacts.count; i++) {
        const contact *c = &world->contacts.data[i];
        if (c->gap > 0)
            continue;
        const float *radius = world->bodies.radius.data;
        double depth = -(double)c->gap / (double)fminf(radius[c->a], radius[c->b]);
        sum += depth;
        figures->penetration_max = fmax(figures->penetration_max, depth);
        figures->touching++;
    }
    figures->penetration_mean = figures->touching ? sum / (double)figures->touching : 0;
}

double contacts_deepest(const scree_world *world)
{
    double most = 0;
    if (world->method->contacts_wanted) // they are counted, and made when somebody reads them
        return 0;
    const float *radius = world->bodies.radius.data;
    for (size_t i = 0; i < world->contacts.count; i++) {
        const contact *c = &world->contacts.data[i];
        if (c->gap < 0)
            most = fmax(most, -(double)c->gap / (double)fminf(radius[c->a], radius[c->b]));
    }
    return most;
}

scree_step_figures scree_world_step_figures(const scree_world *world)
{
    if (!world)
        return (scree_step_figures){0};
    return (scree_step_figures){
        .steps = world->steps,
        .time = world->time,
        .bodies = world->bodies.count,
        .contacts = world->contacts.count,
        .iterations = world->solved.iterations,
        .residual_mean = world->solved.residual_mean,
        .residual_max = world->solved.residual_max,
        .algorithm = world->solved.algorithm,
        .stop = world->solved.stop,
        .stages = world->last,
    };
}

static size_t workers_bytes(const scree_world *world)
{
    size_t held = 0;
    for (int i = 0; i < world->most_threads; i++)
        held += world->workers[i].held;
    return held;
}

static size_t meetings_bytes(const pair_meetings *meetings)
{
    return array_bytes(&meetings->list) + array_bytes(&meetings->meets);
}

static size_t strike_list_bytes(const strike_list *list)
{
    return array_bytes(&list->contacts) + array_bytes(&list->angular) + meetings_bytes(&list->meetings);
}

scree_figures scree_world_figures(const scree_world *world)
{
    if (!world)
        return (scree_figures){0};
    scree_figures figures = {
        .steps = world->steps,
        .time = world->time,
        .bodies = world->bodies.count,
        .sleeping = world->sleeping,
        .contacts = world->contacts.count,
        .iterations = world->solved.iterations,
        .residual_mean = world->solved.residual_mean,
        .residual_max = world->solved.residual_max,
        .algorithm = world->solved.algorithm,
        .stop = world->solved.stop,
        .stable_step = method_stable_step(world),
        .last = world->last,
        .total = world->total,
        .memory_bytes = sizeof *world + body_store_bytes(&world->bodies) + array_bytes(&world->materials) +
                        array_bytes(&world->pairs) + array_bytes(&world->motions) + array_bytes(&world->forces) +
                        array_bytes(&world->contacts) + array_bytes(&world->angular_impulses) +
                        strike_list_bytes(&world->strikes) + strike_list_bytes(&world->thrown) +
                        array_bytes(&world->tree.boxes.nodes) + array_bytes(&world->tree.boxes.items) +
                        array_bytes(&world->tree.bounded) + array_bytes(&world->pushes) +
                        array_bytes(&world->half_kicks) + meetings_bytes(&world->meetings) + world->scratch.held +
                        array_bytes(&world->joints.list) + workers_bytes(world) +
                        (world->method->bytes ? world->method->bytes(world) : 0),
    };
    add_energies(world, &figures);
    add_spring_energies(world, &figures);
    add_penetration(world, &figures);
    return figures;
}

// Contacts are found before bodies move, by one step of their velocity, or by half a step, and by what pushes them out
// of overlaps.
static vec3 position_at_detection(const scree_world *world, uint32_t slot)
{
    bool midway = world->method->detects_midway && world->method->detects_midway(world);
    vec3 unpushed = vec3_sub(world->bodies.position.data[slot], pushes_path(&world->pushes, slot));
    return vec3_add_scaled(unpushed, world->bodies.velocity.data[slot], -(midway ? 0.5 : 1) * world->def.step);
}

static double hidden_pull(const scree_world *world, const contact *c)
{
    step_problem problem = step_problem_of(world);
    return world->method->impulses_hold_pull ? cohesive_pull(&problem, c) : 0;
}

size_t scree_world_contacts(const scree_world *world, scree_contact *contacts, size_t capacity)
{
    if (!world || (!contacts && capacity > 0))
        return 0;
    const body_store *store = &world->bodies;
    contacts_wanted(world);
    size_t count = world->contacts.count < capacity ? world->contacts.count : capacity;
    for (size_t i = 0; i < count; i++) {
        const contact *c = &world->contacts.data[i];
        contacts[i] = (scree_contact){
            .a = store->id.data[c->a],
            .b = store->id.data[c->b],
            .point = vec3_add(position_at_detection(world, c->a), vec3_from_f(c->arm)),
            .normal = vec3_from_f(c->normal),
            .gap = (double)c->gap,
            .impulse = vec3_add_scaled(vec3_from_f(c->impulse), vec3_from_f(c->normal),
                                       -hidden_pull(world, c) * world->def.step),
            .feature = c->feature,
        };
    }
    return count;
}
