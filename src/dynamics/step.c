// One step of the complementarity method: Algorithm 1 of Negrut et al. 2010.
//
//     bodies -> contacts -> problem -> solution -> bodies
#include "base/clock.h"
#include "base/error.h"
#include "dynamics/sleep.h"
#include "dynamics/solution.h"

static void add_times(scree_stage_times *sum, const scree_stage_times *last)
{
    sum->broad += last->broad;
    sum->narrow += last->narrow;
    sum->prepare += last->prepare;
    sum->solve += last->solve;
    sum->integrate += last->integrate;
}

static scree_status step_once(scree_world *world, scree_error *error)
{
    step_solution solution;
    order_bodies(world);
    arena_reset(&world->scratch);
    motions_set_velocities(world);

    scree_status status = detect_contacts(world, error);
    if (status)
        return status;
    arena_reset(&world->scratch);
    joint_rows joints;
    status = joints_make_rows(world, &joints, error);
    if (!status && world->capture)
        status = capture_rows(world, joints.rows, joints.count, error);
    if (!status)
        status = solve_step(world, &joints, &solution, error);
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
