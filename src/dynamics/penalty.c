// One step of the penalty method: Harada's rigid bodies made of particles (GPU Gems 3, 2007), as in chapter 5 of the
// thesis that docs/penalty.md names, and the discrete element method of Cundall and Strack (1979).
//
//     bodies -> poses at mid-step -> near pairs -> forces of overlaps -> momenta -> bodies
#include "dynamics/penalty.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"

scree_status penalty_begin(scree_world *world, scree_error *error)
{
    if (world->joints.list.count > 0)
        return fail(error, SCREE_INVALID, "the penalty method knows no joints; joints need method complementarity");
    if (!world->penalty) {
        world->penalty = calloc(1, sizeof *world->penalty);
        if (!world->penalty)
            return fail_no_memory(error);
        world->penalty->stale = world->penalty->moved_slots = true;
        world->penalty->stable_step = HUGE_VAL;
    }
    return penalty_make_laws(world, error);
}

scree_status step_penalty(scree_world *world, scree_error *error)
{
    const contact_load *point_loads;
    const body_load *loads;
    double start = clock_seconds();
    scree_status status = penalty_begin(world, error);
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
    place_particles(world);
    push_pairs(world);
    push_walls(world);
    status = push_points(world, &point_loads, error);
    if (status)
        return status;
    double pushed = clock_seconds();
    status = reserve_contacts(world, error);
    if (!status)
        status = move_by_forces(world, loads, point_loads, error);
    if (!status)
        status = update_touches(world, error);
    double end = clock_seconds();
    world->last = (scree_stage_times){
        .prepare = listing - start, .broad = listed - listing, .solve = pushed - listed, .integrate = end - pushed};
    return status;
}

static void free_list(near_list *list)
{
    array_free(&list->a);
    array_free(&list->b);
    array_free(&list->touches);
    array_free(&list->spring);
    array_free(&list->rolled);
}

static size_t list_bytes(const near_list *list)
{
    return array_bytes(&list->a) + array_bytes(&list->b) + array_bytes(&list->touches) + array_bytes(&list->spring) +
           array_bytes(&list->rolled);
}

// Plain arrays of the method, for those who free or count them all.
// clang-format off
#define EACH_ARRAY(X) \
    X(laws) X(position) X(spin) X(orientation) X(plain) X(far.position) X(far.step) X(far.orientation) \
    X(far.margin) X(far.swing) X(far.born) X(planes) X(stray_pairs) X(next_pairs) X(next_states) X(last) \
    X(turned) X(turning) X(grain) X(group_pairs[SPHERES]) X(group_pairs[WALLS]) X(group_pairs[OTHERS]) \
    X(states[SPHERES]) X(states[WALLS]) X(states[OTHERS]) X(loose) X(particles) X(loads) X(local) X(active) \
    X(active_body) X(first_active) X(block_end) X(block_first) X(wall_first) X(outbox_first) X(outbox_count) \
    X(outbox_particle) X(outbox) X(force) X(wall_force) X(points) X(pair_of_point) X(point_memory) \
    X(next_contact)
// clang-format on

void penalty_free(penalty *of)
{
    if (!of)
        return;
    free_list(&of->pairs);
    free_list(&of->walls);
    free_list(&of->others);
    for (int k = 0; k < PAIR_KINDS; k++)
        free_list(&of->spare[k]);
    groups_free(&of->groups);
#define FREE(name) array_free(&of->name);
    EACH_ARRAY(FREE)
#undef FREE
    free(of);
}

size_t penalty_bytes(const penalty *of)
{
    if (!of)
        return 0;
    size_t bytes = sizeof *of + list_bytes(&of->pairs) + list_bytes(&of->walls) + list_bytes(&of->others) +
                   groups_bytes(&of->groups);
    for (int k = 0; k < PAIR_KINDS; k++)
        bytes += list_bytes(&of->spare[k]);
#define ADD(name) bytes += array_bytes(&of->name);
    EACH_ARRAY(ADD)
#undef ADD
    return bytes;
}

double penalty_stable_step(const scree_world *world)
{
    const penalty *of = world->penalty;
    return of && isfinite(of->stable_step) ? of->stable_step : 0;
}
