// Integration: velocities from the solution, then q <- q + h L v (equation (8) of Negrut et al. 2010).
//
// Rotation is exact in what matters. Between impulses a body turns freely, so its angular momentum in the world, L,
// stays as it is: the midpoint rule  W = I(q_mid)^-1 L,  q_mid = exp(h W / 2) q,  q' = exp(h W) q  is solved by a few
// fixed-point steps, and the new spin is I(q')^-1 L. L is conserved to rounding; the rule is symmetric in time, so
// energy does not drift.
#include "base/error.h"
#include "base/threads.h"
#include "dynamics/sleep.h"
#include "dynamics/solution.h"

enum { MIDPOINT_STEPS = 4, BODY_BLOCK = 1024 };

// Positions beyond this are no place for a body; broad.c has the exact limit.
static const double farthest = 1e150;

static vec3 spin_from_momentum(quat orientation, vec3 inertia, vec3 momentum)
{
    vec3 local = quat_rotate_back(orientation, momentum);
    return quat_rotate(orientation, vec3_make(local.x / inertia.x, local.y / inertia.y, local.z / inertia.z));
}

void turn_freely(vec3 inertia, double step, vec3 moving, quat *orientation, vec3 *spin)
{
    quat start = *orientation;
    if (inertia.x == inertia.y && inertia.y == inertia.z) {
        *orientation = quat_normalize(quat_multiply(quat_from_rotation(vec3_scale(moving, step)), start));
        return;
    }
    vec3 momentum = quat_rotate(start, vec3_multiply(inertia, quat_rotate_back(start, moving)));
    vec3 kept = quat_rotate(start, vec3_multiply(inertia, quat_rotate_back(start, *spin)));
    vec3 mean = moving;
    for (int i = 0; i < MIDPOINT_STEPS; i++) {
        quat middle = quat_multiply(quat_from_rotation(vec3_scale(mean, 0.5 * step)), start);
        mean = spin_from_momentum(middle, inertia, momentum);
    }
    *orientation = quat_normalize(quat_multiply(quat_from_rotation(vec3_scale(mean, step)), start));
    *spin = spin_from_momentum(*orientation, inertia, kept);
}

static bool advance_body(scree_world *world, const step_solution *solution, size_t slot)
{
    body_store *store = &world->bodies;
    body_velocity kept = solution_velocity(world, solution, slot);
    body_velocity moving = solution->moving ? solution->moving[slot] : kept;
    vec3 v = kept.velocity, w = kept.spin;
    turn_freely(vec3_from_f(store->inertia.data[slot]), world->def.step, moving.spin, &store->orientation.data[slot],
                &w);
    vec3 *position = &store->position.data[slot];
    *position = vec3_add_scaled(*position, moving.velocity, world->def.step);
    store->velocity.data[slot] = v;
    store->spin.data[slot] = w;
    return state_is_finite(world, slot);
}

scree_status integrate_bodies(scree_world *world, const step_solution *solution, scree_error *error)
{
    size_t bodies = world->bodies.count;
    size_t lost = SIZE_MAX;
    size_t blocks = block_count(bodies, BODY_BLOCK);
#pragma omp parallel for num_threads(world->threads) schedule(static) reduction(min : lost)
    for (size_t b = 0; b < blocks; b++)
        for (size_t i = b * BODY_BLOCK; i < block_end(b, BODY_BLOCK, bodies); i++)
            if (!world->bodies.immovable.data[i] && !body_sleeps(&world->bodies, i) &&
                !advance_body(world, solution, i))
                lost = i < lost ? i : lost;
    return end_step(world, lost, error);
}

bool state_is_finite(const scree_world *world, size_t slot)
{
    const body_store *store = &world->bodies;
    vec3 x = store->position.data[slot];
    return vec3_finite(store->velocity.data[slot]) && vec3_finite(store->spin.data[slot]) &&
           quat_finite(store->orientation.data[slot]) && fabs(x.x) < farthest && fabs(x.y) < farthest &&
           fabs(x.z) < farthest;
}

// How far bodies have come since they were put in order: a sixteenth of them speaks for all.
static void count_travel(scree_world *world)
{
    size_t bodies = world->bodies.count;
    double travel = 0;
    for (size_t i = 0; i < bodies; i += 16)
        travel += vec3_length(world->bodies.velocity.data[i]);
    if (world->movable_count > 0)
        world->travel +=
            16 * travel * world->def.step * (double)world->movable_count / ((double)bodies * world->radius_sum);
}

scree_status end_step(scree_world *world, size_t lost, scree_error *error)
{
    count_travel(world);
    world->forces.count = 0;
    world->steps++;
    world->time = (double)world->steps * world->def.step;
    motions_set_poses(world);
    if (lost == SIZE_MAX)
        return SCREE_OK;
    world->diverged = true;
    return fail(error, SCREE_DIVERGED, "body %llu has no finite state after step %llu",
                (unsigned long long)world->bodies.id.data[lost], (unsigned long long)world->steps);
}
