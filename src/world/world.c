// Making worlds.
#include "world/world.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/threads.h"
#include "world/method.h"
#include "world/query.h"

enum { MOST_THREADS = 1024 };

static scree_status check_solver(const scree_solver_def *solver, scree_error *error)
{
    if ((unsigned)solver->algorithm > SCREE_ALGORITHM_NEWTON)
        return fail(error, SCREE_ERROR_INVALID, "solver algorithm %d is unknown", (int)solver->algorithm);
    if ((unsigned)solver->friction > SCREE_FRICTION_EXACT)
        return fail(error, SCREE_ERROR_INVALID, "solver friction law %d is unknown", (int)solver->friction);
    if (solver->precision != SCREE_PRECISION_SINGLE && solver->precision != SCREE_PRECISION_DOUBLE)
        return fail(error, SCREE_ERROR_INVALID, "solver precision %d is unknown", (int)solver->precision);
    if ((unsigned)solver->sleep > SCREE_SLEEP_ON)
        return fail(error, SCREE_ERROR_INVALID, "solver sleep %d is unknown", (int)solver->sleep);
    if (solver->iterations < 1)
        return fail(error, SCREE_ERROR_INVALID, "solver iterations are %d, must be at least 1", solver->iterations);
    if (!(solver->tolerance >= 0))
        return fail(error, SCREE_ERROR_INVALID, "solver tolerance is %g, must be at least 0", solver->tolerance);
    if (!(solver->recovery_speed >= 0 && isfinite(solver->recovery_speed)))
        return fail(error, SCREE_ERROR_INVALID, "solver recovery speed is %g, must be at least 0",
                    solver->recovery_speed);
    if (!(solver->omega > 0 && isfinite(solver->omega)))
        return fail(error, SCREE_ERROR_INVALID, "solver omega is %g, must be greater than 0", solver->omega);
    if (!(solver->lambda > 0 && solver->lambda <= 1))
        return fail(error, SCREE_ERROR_INVALID, "solver lambda is %g, must be in (0, 1]", solver->lambda);
    if (!(solver->cell >= 0 && isfinite(solver->cell)))
        return fail(error, SCREE_ERROR_INVALID,
                    "solver cell is %g, must be greater than 0, or 0 for the world to decide", solver->cell);
    return SCREE_OK;
}

static scree_status check_world(const scree_world_def *def, scree_error *error)
{
    if (!vec3_finite(def->gravity))
        return fail(error, SCREE_ERROR_INVALID, "gravity must be finite");
    if (!(def->step > 0 && isfinite(def->step)))
        return fail(error, SCREE_ERROR_INVALID, "time step is %g, must be greater than 0", def->step);
    if (def->threads < 0 || def->threads > MOST_THREADS)
        return fail(error, SCREE_ERROR_INVALID, "threads are %d, must be 0 (all) to %d", def->threads, MOST_THREADS);
    if (def->contacts_per_pair < 1)
        return fail(error, SCREE_ERROR_INVALID, "contacts per pair are %d, must be at least 1", def->contacts_per_pair);
    return check_solver(&def->solver, error);
}

scree_status world_make(const scree_world_def *def, const struct method *by, scree_world **world, scree_error *error)
{
    scree_status status = check_world(def, error);
    if (status)
        return status;
    scree_world *made = calloc(1, sizeof *made);
    if (!made)
        return fail_no_memory(error);
    made->def = *def;
    made->method = by;
    made->gravity = vec3_length(def->gravity);
    made->threads = made->most_threads = def->threads ? def->threads : threads_available();
    made->workers = calloc((size_t)made->most_threads, sizeof *made->workers);
    scree_material_def material = scree_default_material_def();
    int index;
    if (!made->workers || !body_store_init(&made->bodies) ||
        scree_world_add_material(made, &material, &index, NULL) != SCREE_OK) {
        scree_world_destroy(made);
        return fail_no_memory(error);
    }
    *world = made;
    return SCREE_OK;
}

static void free_strikes(strike_list *list)
{
    array_free(&list->contacts);
    array_free(&list->angular);
    meetings_free(&list->meetings);
}

void scree_world_destroy(scree_world *world)
{
    if (!world)
        return;
    body_store_free(&world->bodies);
    array_free(&world->joints.list);
    array_free(&world->materials);
    array_free(&world->pairs);
    array_free(&world->motions);
    array_free(&world->forces);
    array_free(&world->apart);
    world_tree_free(&world->tree);
    array_free(&world->contacts);
    array_free(&world->angular_impulses);
    free_strikes(&world->strikes);
    free_strikes(&world->thrown);
    array_free(&world->pushes);
    array_free(&world->half_kicks);
    meetings_free(&world->meetings);
    if (world->method->free)
        world->method->free(world);
    array_free(&world->touching);
    array_free(&world->begun);
    array_free(&world->ended);
    arena_free(&world->scratch);
    for (int i = 0; world->workers && i < world->most_threads; i++)
        arena_free(&world->workers[i]);
    free(world->workers);
    free(world);
}

scree_world_def scree_world_get_def(const scree_world *world)
{
    if (!world)
        return (scree_world_def){0};
    return world->def;
}
