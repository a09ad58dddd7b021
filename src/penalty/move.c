// Moving bodies: half a step by their velocities, a kick by the forces there, and the other half by what they then
// have.
//
//     x' = x + h/2 v,   v1 = v + h F(x', v) / m,   x1 = x' + h/2 v1
//
// This is symplectic and of second order. Rotations do the same with angular momenta. Spheres need no orientation to
// collide, so theirs follows at the end by the mean of both spins. Euler's rule is the same with no first half.
#include "base/error.h"
#include "base/threads.h"
#include "penalty/penalty.h"
#include "world/motion.h"
#include "world/view.h"

static double first_part(const scree_world *world)
{
    return world->def.penalty.integrator == SCREE_INTEGRATOR_EULER ? 0 : 0.5 * world->def.step;
}

double penalty_last_part(const scree_world *world)
{
    return world->def.step - first_part(world);
}

static bool is_centered_sphere(const body_store *store, size_t slot)
{
    uint32_t first = store->first_proxy.data[slot];
    const proxy *p = &store->proxies.data[first];
    vec3f inertia = store->inertia.data[slot];
    vec3 at = store->locals.data[p->local].position;
    return store->first_proxy.data[slot + 1] == first + 1 && p->type == SCREE_SHAPE_SPHERE && vec3_dot(at, at) == 0 &&
           inertia.x == inertia.y && inertia.y == inertia.z;
}

bool penalty_reserve(scree_world *world)
{
    penalty *of = penalty_of(world);
    size_t count = world->bodies.count;
    if (of->position.count == count && !of->moved_slots)
        return true;
    of->stale = of->moved_slots = true;
    if (!array_resize(&of->position, count) || !array_resize(&of->spin, count) ||
        !array_resize(&of->orientation, count) || !array_resize(&of->centered_sphere, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        of->centered_sphere.data[i] = is_centered_sphere(&world->bodies, i);
        of->orientation.data[i] = world->bodies.orientation.data[i];
    }
    of->moved_slots = !groups_make(&of->groups, &world->bodies, &world->scratch) || !make_particles(world);
    return !of->moved_slots;
}

proxy_view penalty_view(const scree_world *world, const float *margins, const pair_filter *filter)
{
    proxy_view view = world_view(world, margins, filter);
    view.centers = penalty_of(world)->position.data;
    view.orientations = penalty_of(world)->orientation.data;
    return view;
}

// Turns a unit quaternion. Small angles go by series, which are exact to rounding below a fifth of a radian.
static inline quat turn_roughly(quat q, vec3 rotation)
{
    double s = 0.25 * vec3_dot(rotation, rotation);
    if (!(s < 0.01))
        return quat_multiply(quat_from_rotation(rotation), q);
    double cosine = 1 - s * (1.0 / 2 - s * (1.0 / 24 - s * (1.0 / 720 - s * (1.0 / 40320))));
    double sine = 0.5 - s * (1.0 / 12 - s * (1.0 / 240 - s * (1.0 / 10080 - s * (1.0 / 725760))));
    return quat_multiply((quat){cosine, sine * rotation.x, sine * rotation.y, sine * rotation.z}, q);
}

// The length is kept by one step of Newton's method, from a length that is 1 but for rounding.
static inline quat turn_by(quat q, vec3 rotation)
{
    q = turn_roughly(q, rotation);
    double scale = 1.5 - 0.5 * (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (quat){q.w * scale, q.x * scale, q.y * scale, q.z * scale};
}

static inline bool has_equal_moments(vec3f inertia)
{
    return inertia.x == inertia.y && inertia.y == inertia.z;
}

// Free of torques. A body with three equal moments keeps its spin.
static void turn_body(vec3f inertia, double time, quat *orientation, vec3 *spin)
{
    if (has_equal_moments(inertia))
        *orientation = turn_by(*orientation, vec3_scale(*spin, time));
    else
        turn_freely(vec3_from_f(inertia), time, *spin, orientation, spin);
}

static void move_body_to_forces(scree_world *world, size_t slot, double time)
{
    const body_store *store = &world->bodies;
    penalty *of = penalty_of(world);
    of->position.data[slot] = vec3_add_scaled(store->position.data[slot], store->velocity.data[slot], time);
    of->spin.data[slot] = store->spin.data[slot];
    if (of->centered_sphere.data[slot])
        return;
    of->orientation.data[slot] = store->orientation.data[slot];
    if (!(time > 0) || store->immovable.data[slot])
        return;
    if (has_equal_moments(store->inertia.data[slot])) // the second part of the turn keeps the length
        of->orientation.data[slot] =
            turn_roughly(store->orientation.data[slot], vec3_scale(store->spin.data[slot], time));
    else
        turn_freely(vec3_from_f(store->inertia.data[slot]), time, store->spin.data[slot], &of->orientation.data[slot],
                    &of->spin.data[slot]);
}

static void move_block_to_forces(void *context, size_t block)
{
    scree_world *world = context;
    double time = first_part(world);
    for (size_t i = block * BODY_BLOCK; i < block_end(block, BODY_BLOCK, world->bodies.count); i++)
        move_body_to_forces(world, i, time);
}

void move_to_forces(scree_world *world)
{
    double time = first_part(world);
    for_blocks(world->threads, block_count(world->bodies.count, BODY_BLOCK), move_block_to_forces, world);
    for (size_t i = 0; i < world->motions.count; i++) {
        const body_motion *motion = &world->motions.data[i];
        uint32_t slot = body_slot(&world->bodies, motion->id);
        scree_pose pose = motion_pose(world, motion, world->time + time);
        penalty_of(world)->position.data[slot] = pose.position;
        penalty_of(world)->orientation.data[slot] = pose.orientation;
    }
}

// --------------------------------------------------------------------------------------------------------- the forces

typedef struct body_sum {
    vec3 force, torque;
    double stiffness, damping;
} body_sum;

// At the body's centre.
static void add_load(body_sum *sum, const contact_load *load)
{
    vec3 force = vec3_make((double)load->force[0], (double)load->force[1], (double)load->force[2]);
    vec3 torque = vec3_make((double)load->torque[0], (double)load->torque[1], (double)load->torque[2]);
    sum->force = vec3_add(sum->force, force);
    sum->torque = vec3_add(sum->torque, torque);
    sum->stiffness += (double)load->stiffness;
    sum->damping += (double)load->damping;
}

// Equations (5.21) and (5.22): over the particles of the body.
static body_sum sum_particles(const penalty *of, size_t slot)
{
    size_t first = of->first_active.data[slot], end = of->first_active.data[slot + 1];
    body_sum total = {0};
    if (first == end)
        return total;
    if (of->centered_sphere.data[slot]) {
        add_load(&total, &of->loads.data[of->active.data[first]]);
        return total;
    }
    sum_job job = {of->active.data, (const float(*)[4])of->arms.data, of->loads.data};
    particle_sum sum;
    penalty_kernels_here()->sum(&job, first, end, &sum);
    return (body_sum){.force = vec3_make(sum.force[0], sum.force[1], sum.force[2]),
                      .torque = vec3_make(sum.torque[0], sum.torque[1], sum.torque[2]),
                      .stiffness = sum.stiffness,
                      .damping = sum.damping};
}

// The worst body: sums of stiffness and damping over mass.
typedef struct worst_body {
    double stiffness, damping;
} worst_body;

// All contacts of a body pull it back at once, and so do those at the other ends: twice the stiffness of the sum.
static double stable_step(worst_body worst)
{
    if (!(worst.stiffness > 0))
        return HUGE_VAL;
    double frequency = sqrt(2 * worst.stiffness), ratio = worst.damping / frequency;
    return 2 / frequency * (sqrt(1 + ratio * ratio) - ratio);
}

static vec3 limit_speed(vec3 velocity, double most)
{
    double square = vec3_dot(velocity, velocity);
    return most > 0 && square > most * most ? vec3_scale(velocity, most / sqrt(square)) : velocity;
}

static vec3 turn_by_torque(const scree_world *world, size_t slot, vec3 torque)
{
    vec3 inertia = vec3_from_f(world->bodies.inertia.data[slot]);
    quat turned = penalty_of(world)->orientation.data[slot];
    if (has_equal_moments(world->bodies.inertia.data[slot]))
        return vec3_scale(torque, 1 / inertia.x);
    vec3 local = quat_rotate_back(turned, torque);
    return quat_rotate(turned, vec3_make(local.x / inertia.x, local.y / inertia.y, local.z / inertia.z));
}

static void move_body_by_forces(scree_world *world, size_t slot, const body_load *load, const contact_load *points,
                                worst_body *worst)
{
    body_store *store = &world->bodies;
    const penalty *of = penalty_of(world);
    double step = world->def.step, rest = penalty_last_part(world), inverse_mass = 1 / store->mass.data[slot];
    body_sum sum = sum_particles(of, slot);
    if (points)
        add_load(&sum, points);
    double stiffness = sum.stiffness * inverse_mass, damping = sum.damping * inverse_mass;
    worst->stiffness = stiffness > worst->stiffness ? stiffness : worst->stiffness;
    worst->damping = damping > worst->damping ? damping : worst->damping;
    if (load) {
        sum.force = vec3_add(sum.force, load->force);
        sum.torque = vec3_add(sum.torque, load->torque);
    }
    vec3 velocity = vec3_add_scaled(store->velocity.data[slot], world->def.gravity, step);
    velocity =
        limit_speed(vec3_add_scaled(velocity, sum.force, step * inverse_mass), world->def.penalty.terminal_velocity);
    vec3 before = of->spin.data[slot], spin = vec3_add_scaled(before, turn_by_torque(world, slot, sum.torque), step);
    store->velocity.data[slot] = velocity;
    store->spin.data[slot] = spin;
    store->position.data[slot] = vec3_add_scaled(of->position.data[slot], velocity, rest);
    if (of->centered_sphere.data[slot]) {
        vec3 rotation = vec3_add(vec3_scale(before, step - rest), vec3_scale(spin, rest));
        store->orientation.data[slot] = turn_by(store->orientation.data[slot], rotation);
    } else {
        store->orientation.data[slot] = of->orientation.data[slot];
        turn_body(store->inertia.data[slot], rest, &store->orientation.data[slot], &store->spin.data[slot]);
    }
}

typedef struct force_task {
    scree_world *world;
    const body_load *loads;
    const contact_load *point_loads;
    worst_body *worst; // by block
    size_t *lost;      // by block: the first body without a finite state, or SIZE_MAX
} force_task;

static void move_block_by_forces(void *context, size_t block)
{
    const force_task *task = context;
    scree_world *world = task->world;
    worst_body worst = {0};
    size_t lost = SIZE_MAX;
    for (size_t i = block * BODY_BLOCK; i < block_end(block, BODY_BLOCK, world->bodies.count); i++) {
        if (world->bodies.immovable.data[i])
            continue;
        move_body_by_forces(world, i, task->loads ? &task->loads[i] : NULL,
                            task->point_loads ? &task->point_loads[i] : NULL, &worst);
        if (!state_is_finite(world, i))
            lost = i < lost ? i : lost;
    }
    task->worst[block] = worst;
    task->lost[block] = lost;
}

scree_status move_by_forces(scree_world *world, const body_load *loads, const contact_load *point_loads,
                            scree_error *error)
{
    size_t blocks = block_count(world->bodies.count, BODY_BLOCK), lost = SIZE_MAX;
    force_task task = {world, loads, point_loads, arena_array(&world->scratch, worst_body, blocks),
                       arena_array(&world->scratch, size_t, blocks)};
    if (!task.worst || !task.lost)
        return fail_no_memory(error);
    for_blocks(world->threads, blocks, move_block_by_forces, &task);
    worst_body worst = {0};
    for (size_t b = 0; b < blocks; b++) {
        worst.stiffness = fmax(worst.stiffness, task.worst[b].stiffness);
        worst.damping = fmax(worst.damping, task.worst[b].damping);
        lost = task.lost[b] < lost ? task.lost[b] : lost;
    }
    penalty_of(world)->stable_step = fmin(penalty_of(world)->stable_step, stable_step(worst));
    return end_step(world, lost, error);
}
