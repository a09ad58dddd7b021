// Integration: velocities from the solution, then q <- q + h L v (equation (8) of Negrut et al. 2010).
#include "rigid/integrate.h"

#include "base/error.h"
#include "base/threads.h"
#include "world/wake.h"

enum { BODY_BLOCK = 1024 };

static bool advance_body(scree_world *world, const step_solution *solution, size_t slot)
{
    body_store *store = &world->bodies;
    body_velocity end = solution->end[slot], moving = solution->position ? solution->position[slot] : end;
    turn_freely(vec3_from_f(store->inertia.data[slot]), world->def.step, moving.spin, &store->orientation.data[slot],
                &end.spin);
    vec3 *position = &store->position.data[slot];
    *position = vec3_add_scaled(*position, moving.velocity, world->def.step);
    store->velocity.data[slot] = end.velocity;
    store->spin.data[slot] = end.spin;
    return state_is_finite(world, slot);
}

bool note_pushes(scree_world *world, const step_solution *solution, const uint8_t *left_out)
{
    for (uint32_t i = 0; solution->position && i < world->bodies.count; i++) {
        if (world->bodies.immovable.data[i] || body_sleeps(&world->bodies, i) || (left_out && left_out[i]))
            continue;
        vec3 path = vec3_sub(solution->position[i].velocity, solution->end[i].velocity);
        if (!pushes_note(&world->pushes, i, vec3_scale(path, world->def.step)))
            return false;
    }
    pushes_sort(&world->pushes); // a step may move bodies in two goes
    return true;
}

size_t integrate_bodies(scree_world *world, const step_solution *solution, const uint8_t *left_out)
{
    size_t bodies = world->bodies.count, lost = SIZE_MAX, blocks = block_count(bodies, BODY_BLOCK);
#pragma omp parallel for num_threads(world->threads) schedule(static) reduction(min : lost) if (blocks > 1)
    for (size_t b = 0; b < blocks; b++)
        for (size_t i = b * BODY_BLOCK; i < block_end(b, BODY_BLOCK, bodies); i++)
            if (!world->bodies.immovable.data[i] && !body_sleeps(&world->bodies, i) && !(left_out && left_out[i]) &&
                !advance_body(world, solution, i))
                lost = i < lost ? i : lost;
    return lost;
}
