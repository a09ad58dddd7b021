// One step of the complementarity method: Algorithm 1 of Negrut et al. 2010.
//
//     bodies -> contacts -> problem -> solution -> bodies
#include "base/clock.h"
#include "base/error.h"
#include "dynamics/sleep.h"
#include "dynamics/solution.h"

scree_status step_complementarity(scree_world *world, scree_error *error)
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
    return status;
}
