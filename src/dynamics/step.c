// One step of the complementarity method: Algorithm 1 of Negrut et al. 2010.
//
//     bodies -> contacts -> problem -> solution -> bodies
#include "base/clock.h"
#include "base/error.h"
#include "dynamics/sleep.h"
#include "dynamics/throw.h"

enum { MOST_THROWS = 2 };

static void add_times(scree_stage_times *sum, const scree_stage_times *last)
{
    sum->broad += last->broad;
    sum->narrow += last->narrow;
    sum->prepare += last->prepare;
    sum->solve += last->solve;
    sum->integrate += last->integrate;
}

static scree_status solve_contacts(scree_world *world, joint_rows *joints, step_solution *solution, scree_error *error)
{
    arena_reset(&world->scratch);
    scree_status status = joints_make_rows(world, joints, error);
    if (!status && world->capture)
        status = capture_rows(world, joints->rows, joints->count, error);
    return status ? status : solve_step(world, joints, solution, error);
}

// Bodies that are thrown in the step may run into others that nobody looked at: then it is solved again with them, from
// the impulses found.
static scree_status solve_throws(scree_world *world, joint_rows *joints, step_solution *solution, scree_error *error)
{
    for (int round = 0; round < MOST_THROWS; round++) {
        thrown_bodies thrown;
        if (!thrown_find(world, solution, &thrown))
            return fail_no_memory(error);
        if (!thrown.any)
            break;
        scree_status status = detect_contacts(world, thrown.reached, error);
        if (status)
            return status;
        if (!thrown_collide(world, &thrown))
            break;
        status = solve_contacts(world, joints, solution, error);
        if (status)
            return status;
    }
    return SCREE_OK;
}

static scree_status step_once(scree_world *world, scree_error *error)
{
    step_solution solution;
    joint_rows joints;
    order_bodies(world);
    arena_reset(&world->scratch);
    motions_set_velocities(world);
    world->last = (scree_stage_times){0};

    scree_status status = detect_contacts(world, NULL, error);
    if (!status)
        status = solve_contacts(world, &joints, &solution, error);
    if (!status)
        status = solve_throws(world, &joints, &solution, error);
    if (status)
        return status;
    joints_finish(world, &joints);
    double solved = clock_seconds();
    status = integrate_bodies(world, &solution, error);
    if (!status)
        status = update_touches(world, error);
    if (!status && !update_rest(world, &solution.islands))
        status = fail_no_memory(error);
    world->last.integrate = clock_seconds() - solved;
    add_times(&world->total, &world->last);
    return status;
}

scree_status scree_world_step(scree_world *world, int steps, scree_error *error)
{
    if (steps < 0)
        return fail(error, SCREE_INVALID, "number of steps is %d, must be at least 0", steps);
    if (world->diverged)
        return fail(error, SCREE_DIVERGED, "this world has diverged at step %llu and cannot be stepped on",
                    (unsigned long long)world->steps);
    scree_status status = SCREE_OK;
    world->tree.valid = false;
    for (int i = 0; i < steps && status == SCREE_OK; i++) {
        status = step_once(world, error);
        if (status == SCREE_NO_MEMORY)
            world->contacts.count = 0;
    }
    return status;
}
