// One step of the complementarity method: Algorithm 1 of Negrut et al. 2010.
//
//     bodies -> contacts -> problem -> solution -> bodies
#include "base/clock.h"
#include "base/error.h"
#include "dynamics/sleep.h"
#include "dynamics/stale.h"
#include "dynamics/throw.h"

enum { MOST_THROWS = 2 };

static scree_status solve_contacts(scree_world *world, joint_rows *joints, step_solution *solution, scree_error *error)
{
    arena_reset(&world->scratch);
    if (!forget_stale_impulses(world))
        return fail_no_memory(error);
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
        bool may_collide;
        if (!thrown_find(world, solution, &thrown) || !thrown_look(world, &thrown, &may_collide))
            return fail_no_memory(error);
        if (!may_collide)
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

scree_status step_complementarity(scree_world *world, scree_error *error)
{
    step_solution solution;
    joint_rows joints;
    order_bodies(world);
    arena_reset(&world->scratch);
    motions_set_velocities(world);

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
    return status;
}
