// One step of the penalty method: Harada's rigid bodies made of particles (GPU Gems 3, 2007), as in chapter 5 of the
// thesis that docs/penalty.md names, and the discrete element method of Cundall and Strack (1979).
//
//     bodies -> poses at mid-step -> near pairs -> forces of overlaps -> momenta -> bodies
#include "dynamics/penalty.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"

static scree_status begin_step(scree_world *world, scree_error *error)
{
    if (world->joints.list.count > 0)
        return fail(error, SCREE_INVALID, "the penalty method knows no joints; joints need method complementarity");
    if (!world->penalty) {
        world->penalty = calloc(1, sizeof *world->penalty);
        if (!world->penalty)
            return fail_no_memory(error);
        world->penalty->stale = true;
        world->penalty->stable_step = HUGE_VAL;
    }
    return penalty_make_laws(world, error);
}

scree_status step_penalty(scree_world *world, scree_error *error)
{
    const contact_load *point_loads;
    const body_load *loads;
    double start = clock_seconds();
    scree_status status = begin_step(world, error);
    if (status)
        return status;
    order_bodies(world);
    arena_reset(&world->scratch);
    if (!penalty_reserve(world) || !gather_forces(world, &loads))
        return fail_no_memory(error);
    motions_set_velocities(world);
    move_to_forces(world);

    double listing = clock_seconds();
    status = renew_list(world, error);
    if (status)
        return status;
    double listed = clock_seconds();
    push_pairs(world);
    status = push_points(world, &point_loads, error);
    if (status)
        return status;
    double pushed = clock_seconds();
    status = list_contacts(world, error);
    if (!status)
        status = move_by_forces(world, loads, point_loads, error);
    if (!status)
        status = update_touches(world, error);
    double end = clock_seconds();
    world->last = (scree_stage_times){.prepare = listing - start,
                                      .broad = listed - listing,
                                      .solve = pushed - listed,
                                      .integrate = end - pushed};
    return status;
}

void penalty_free(penalty *of)
{
    if (!of)
        return;
    near_list *lists[] = {&of->pairs, &of->spare};
    for (int i = 0; i < 2; i++) {
        array_free(&lists[i]->a);
        array_free(&lists[i]->b);
        array_free(&lists[i]->touches);
        array_free(&lists[i]->spring);
        array_free(&lists[i]->rolled);
    }
    array_free(&of->laws);
    array_free(&of->position);
    array_free(&of->spin);
    array_free(&of->orientation);
    array_free(&of->plain);
    array_free(&of->others);
    array_free(&of->loose);
    array_free(&of->listed_position);
    array_free(&of->listed_orientation);
    array_free(&of->margin);
    array_free(&of->particles);
    array_free(&of->loads);
    array_free(&of->active);
    array_free(&of->first_active);
    array_free(&of->block_first);
    array_free(&of->outbox_first);
    array_free(&of->outbox_count);
    array_free(&of->outbox_particle);
    array_free(&of->outbox);
    array_free(&of->force);
    array_free(&of->points);
    array_free(&of->pair_of_point);
    array_free(&of->point_memory);
    free(of);
}
