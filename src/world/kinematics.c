#include "world/kinematics.h"

#include "base/error.h"
#include "world/motion.h"

enum { MIDPOINT_STEPS = 4 };

// Positions beyond this are no place for a body; broad.c has the exact limit.
static const double farthest = 1e150;

// ------------------------------------------------------------------------------------------------------------ turning

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

mat3 turned_inverse_inertia(vec3f moments, quat orientation)
{
    vec3 inertia = vec3_from_f(moments);
    vec3 inverse = vec3_make(1 / inertia.x, 1 / inertia.y, 1 / inertia.z);
    mat3 axes = mat3_from_quat(orientation);
    mat3 result;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            result.m[i][j] = axes.m[i][0] * inverse.x * axes.m[j][0] + axes.m[i][1] * inverse.y * axes.m[j][1] +
                             axes.m[i][2] * inverse.z * axes.m[j][2];
    return result;
}

mat3 inverse_inertia(const scree_world *world, size_t slot)
{
    return inverse_inertia_at(world->bodies.inertia.data[slot], &world->bodies.orientation.data[slot]);
}

// ------------------------------------------------------------------------------------------------------------- forces

body_load *summed_forces(scree_world *world)
{
    body_load *sums = arena_array(&world->scratch, body_load, world->bodies.count);
    if (!sums)
        return NULL;
    memset(sums, 0, world->bodies.count * sizeof *sums);
    for (size_t i = 0; i < world->forces.count; i++) {
        const applied_force *f = &world->forces.data[i];
        body_load *load = &sums[body_slot(&world->bodies, f->id)];
        load->force = vec3_add(load->force, f->force);
        load->torque = vec3_add(load->torque, f->torque);
    }
    return sums;
}

bool gather_forces(scree_world *world, const body_load **loads)
{
    *loads = world->forces.count > 0 ? summed_forces(world) : NULL;
    return *loads || world->forces.count == 0;
}

// -------------------------------------------------------------------------------------------------- the end of a step

bool is_finite_state(vec3 position, quat orientation, vec3 velocity, vec3 spin)
{
    return vec3_finite(velocity) && vec3_finite(spin) && quat_finite(orientation) && fabs(position.x) < farthest &&
           fabs(position.y) < farthest && fabs(position.z) < farthest;
}

bool state_is_finite(const scree_world *world, size_t slot)
{
    const body_store *store = &world->bodies;
    return is_finite_state(store->position.data[slot], store->orientation.data[slot], store->velocity.data[slot],
                           store->spin.data[slot]);
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
    world->lost = world->bodies.id.data[lost];
    return fail(error, SCREE_ERROR_DIVERGED, "body %llu has no finite state after step %llu",
                (unsigned long long)world->lost, (unsigned long long)world->steps);
}
