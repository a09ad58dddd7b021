#include "contact/step_problem.h"

step_problem step_problem_of(const scree_world *world)
{
    const body_store *store = &world->bodies;
    return (step_problem){
        .step = world->def.step,
        .gravity = world->def.gravity,
        .gravity_length = world->gravity,
        .solver = world->def.solver,
        .cell = world->def.solver.cell,
        .threads = world->threads,
        .body_count = store->count,
        .id = store->id.data,
        .position = store->position.data,
        .velocity = store->velocity.data,
        .spin = store->spin.data,
        .orientation = store->orientation.data,
        .mass = store->mass.data,
        .inertia = store->inertia.data,
        .radius = store->radius.data,
        .rest = store->rest.data,
        .immovable = store->immovable.data,
        .solved_by = store->solved_by.data,
        .contact_count = world->contacts.count,
        .contacts = world->contacts.data,
        .angular_impulses = world->extended ? world->angular_impulses.data : NULL,
        .pairs = world->pairs.data,
        .material_count = world->materials.count,
        .bouncy = world->bouncy,
    };
}
