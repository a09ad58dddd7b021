#include "contact/step_problem.h"

#include "world/joints/joints.h"
#include "world/materials.h"

step_problem step_problem_of(const scree_world *world)
{
    const body_store *store = &world->bodies;
    return (step_problem){
        .step = world->def.step,
        .time = world->time,
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
        .instant = store->instant.data,
        .contact_count = world->contacts.count,
        .contacts = world->contacts.data,
        .angular_impulses = world->extended ? world->angular_impulses.data : NULL,
        .pairs = world->pairs.data,
        .material_count = world->materials.count,
        .bouncy = world->bouncy,
        .meetings = world->meetings.list.data,
        .meeting_count = world->meetings.list.count,
        .meets = world->meetings.meets.data,
    };
}

step_bodies step_bodies_of(scree_world *world)
{
    body_store *store = &world->bodies;
    return (step_bodies){.position = store->position.data,
                         .velocity = store->velocity.data,
                         .spin = store->spin.data,
                         .orientation = store->orientation.data,
                         .rest = store->rest.data,
                         .solved_by = store->solved_by.data,
                         .instant = store->instant.data};
}

bool gather_loads(scree_world *world, body_load **loads)
{
    note_pairs(world);
    bool any = world->cohesive || world->forces.count > 0;
    *loads = any ? summed_forces(world) : NULL;
    return *loads || !any;
}

bool step_problem_add_joints(step_problem *problem, scree_world *world, arena *scratch)
{
    const joint_store *store = &world->joints;
    joint_ends *ends = arena_array(scratch, joint_ends, store->list.count);
    if (!ends)
        return false;
    for (size_t i = 0; i < store->list.count; i++) {
        const scree_joint_def *def = &store->list.data[i].def;
        for (int k = 0; k < 2; k++) {
            ends[i].body[k] = def->bodies[k] ? body_slot(&world->bodies, def->bodies[k]) : NO_SLOT;
            ends[i].joint[k] = def->joints[k] ? joint_slot(store, def->joints[k]) : NO_SLOT;
        }
    }
    problem->joint_count = store->list.count;
    problem->joints = store->list.data;
    problem->joint_ends = ends;
    return true;
}
