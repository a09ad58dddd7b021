// Stepping a world by its method.
#include "base/error.h"
#include "contact/start.h"
#include "step/touches.h"
#include "world/method.h"

static void add_times(scree_stage_times *sum, const scree_stage_times *last)
{
    sum->broad += last->broad;
    sum->narrow += last->narrow;
    sum->prepare += last->prepare;
    sum->solve += last->solve;
    sum->integrate += last->integrate;
    sum->order += last->order;
    sum->joint_rows += last->joint_rows;
    sum->islands += last->islands;
    sum->exits += last->exits;
    sum->rest += last->rest;
    sum->touches += last->touches;
}

// Threads are no use to a small world: waking and joining them at every stage takes longer than its work. Bits do not
// depend on it. Who asks for a number gets it.
static int threads_of_step(const scree_world *world)
{
    enum { SMALL_BODIES = 2048, SMALL_CONTACTS = 1024 };
    bool small = world->bodies.count < SMALL_BODIES && world->contacts.count < SMALL_CONTACTS;
    return small && world->def.threads == 0 ? 1 : world->most_threads;
}

static bool watch_touches(scree_world *world)
{
    contacts_wanted(world);
    touch_lists lists = {&world->touching, &world->begun, &world->ended};
    return touches_update(world->contacts.data, world->contacts.count, world->bodies.id.data, &world->scratch, &lists);
}

static scree_status step_once(scree_world *world, scree_error *error)
{
    stages_begin(world);
    arena_reset_all(world->workers, world->most_threads);
    world->threads = threads_of_step(world);
    scree_status status = world->method->step(world, error);
    if (status)
        return status;
    stage_ends(world, &world->last.integrate);
    if (world->watch_touches) {
        status = watch_touches(world) ? SCREE_OK : fail_no_memory(error);
        stage_part_ends(world, &world->last.integrate, &world->last.touches);
    }
    if (status == SCREE_OK)
        add_times(&world->total, &world->last);
    return status;
}

scree_status scree_world_check(scree_world *world, double *longest_step, scree_error *error)
{
    if (!world)
        return fail_null(error, "scree_world_check");
    double longest = HUGE_VAL;
    scree_id lost;
    world_start start;
    scree_status status = start_begin(&start, world, error);
    if (status == SCREE_OK)
        status = start_next(&start, &lost, error);
    if (status == SCREE_OK && world->method->check)
        status = world->method->check(world, &longest, error);
    if (longest_step)
        *longest_step = longest;
    return status;
}

scree_status scree_world_set_interrupt(scree_world *world, scree_interrupt *ask, void *context, scree_error *error)
{
    if (!world)
        return fail_null(error, "scree_world_set_interrupt");
    world->interrupt = (interrupt){ask, context};
    return SCREE_OK;
}

scree_status scree_world_step(scree_world *world, int steps, scree_error *error)
{
    if (!world)
        return fail_null(error, "scree_world_step");
    if (steps < 0)
        return fail(error, SCREE_ERROR_INVALID, "number of steps is %d, must be at least 0", steps);
    if (world->diverged)
        return fail(error, SCREE_ERROR_DIVERGED, "this world has diverged at step %llu and cannot be stepped on",
                    (unsigned long long)world->steps);
    scree_status status = SCREE_OK;
    world->tree.valid = false;
    for (int i = 0; i < steps && status == SCREE_OK; i++) {
        status = step_once(world, error);
        if (status == SCREE_ERROR_NO_MEMORY || status == SCREE_ERROR_INTERRUPTED)
            world->contacts.count = 0;
    }
    return status;
}
