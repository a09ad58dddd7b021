// One step of fast frictional dynamics: Algorithm 1 of Iglberger and Rüde 2009 without its messages, after Kaufman,
// Edmunds and Pai 2005. Every body answers for itself, from its own contacts and the velocities of what it touches.
//
//     half a step -> contacts -> constraints of pairs -> response of each body -> half a step
//
// Both velocity half-steps are taken together in the middle, where nothing is between them for a body that is free.
// The paper leaves the second one out for bodies in contact, which then weigh half of what they should along a slope.
#include "ffd/ffd.h"

#include "base/error.h"
#include "base/radix.h"
#include "base/threads.h"
#include "contact/detect_step.h"
#include "world/motion.h"
#include "world/order.h"

enum { BODY_BLOCK = 256 };

typedef struct stored_pose {
    vec3 position;
    quat orientation;
    vec3 spin;
} stored_pose;

static void half_step(const step_problem *problem, const step_bodies *bodies, size_t slot, body_velocity pushed)
{
    double half = 0.5 * problem->step;
    vec3 *position = &bodies->position[slot], *spin = &bodies->spin[slot];
    vec3 moving = vec3_add(*spin, vec3_scale(pushed.spin, 2));
    *position = vec3_add_scaled(*position, vec3_add_scaled(bodies->velocity[slot], pushed.velocity, 2), half);
    turn_freely(vec3_from_f(problem->inertia[slot]), half, moving, &bodies->orientation[slot], spin);
}

// Line 3. Poses are kept, so that a step that cannot be finished can be undone.
static bool first_half(const step_problem *problem, const step_bodies *bodies, arena *scratch, stored_pose **kept)
{
    const body_velocity none = {{0, 0, 0}, {0, 0, 0}};
    stored_pose *poses = *kept = arena_array(scratch, stored_pose, problem->body_count);
    if (!poses)
        return false;
#pragma omp parallel for num_threads(problem->threads) schedule(static)
    for (size_t i = 0; i < problem->body_count; i++) {
        poses[i] = (stored_pose){bodies->position[i], bodies->orientation[i], bodies->spin[i]};
        if (!problem->immovable[i])
            half_step(problem, bodies, i, none);
    }
    return true;
}

static void move_prescribed_half_way(scree_world *world)
{
    double start = world->time;
    world->time += 0.5 * world->def.step;
    motions_set_poses(world);
    world->time = start;
}

static void undo_first_half(const step_bodies *bodies, size_t count, const stored_pose *kept)
{
    for (size_t i = 0; i < count; i++) {
        bodies->position[i] = kept[i].position;
        bodies->orientation[i] = kept[i].orientation;
        bodies->spin[i] = kept[i].spin;
    }
}

static void add_touching(const ffd_step *step, uint32_t slot, size_t index)
{
    if (!step->problem.immovable[slot])
        step->touching[step->first[slot + 1]++] = (uint32_t)index;
}

// Line 8: contacts by body. They are handed out body by body in the order of ids: sums and projections over the
// contacts of a body must not depend on slots. Contacts stand by the slot of a, those of one pair side by side.
static bool list_contacts(ffd_step *step, arena *scratch)
{
    const contact *contacts = step->problem.contacts;
    const uint8_t *immovable = step->problem.immovable;
    size_t bodies = step->problem.body_count, count = step->problem.contact_count;
    uint32_t *first = step->first, *first_of_a = arena_array(scratch, uint32_t, bodies + 1);
    uint32_t *by_id = arena_array(scratch, uint32_t, bodies);
    uint32_t *other = arena_array(scratch, uint32_t, bodies);
    if (!first_of_a || !by_id || !other)
        return false;
    for (size_t i = 0; i < bodies; i++)
        by_id[i] = (uint32_t)i;
    radix_sort(step->problem.id, by_id, other, bodies);
    memset(first, 0, (bodies + 2) * sizeof *first);
    memset(first_of_a, 0, (bodies + 1) * sizeof *first_of_a);
    for (size_t i = 0; i < count; i++) {
        first_of_a[contacts[i].a + 1]++;
        first[contacts[i].a + 2] += !immovable[contacts[i].a];
        first[contacts[i].b + 2] += !immovable[contacts[i].b];
    }
    for (size_t i = 0; i < bodies; i++) {
        first_of_a[i + 1] += first_of_a[i];
        first[i + 2] += first[i + 1];
    }
    for (size_t k = 0; k < bodies; k++)
        for (size_t i = first_of_a[by_id[k]]; i < first_of_a[by_id[k] + 1]; i++) {
            add_touching(step, by_id[k], i);
            add_touching(step, contacts[i].b, i);
        }
    return true;
}

static bool make_step(const step_problem *problem, arena *workers, arena *scratch, ffd_step *step)
{
    size_t bodies = problem->body_count, contacts = problem->contact_count, threads = (size_t)problem->threads;
    *step = (ffd_step){.problem = *problem,
                       .workers = workers,
                       .before = arena_array(scratch, body_velocity, bodies),
                       .after = arena_array(scratch, body_velocity, bodies),
                       .warm_started = arena_array(scratch, body_velocity, bodies),
                       .warm_part = arena_array(scratch, double, bodies),
                       .pushed = arena_array(scratch, body_velocity, bodies),
                       .constraints = arena_array(scratch, contact_constraint, contacts),
                       .first = arena_array(scratch, uint32_t, bodies + 2),
                       .touching = arena_array(scratch, uint32_t, 2 * contacts),
                       .most_steps = arena_array(scratch, int, threads)};
    if (!step->before || !step->after || !step->warm_started || !step->warm_part || !step->pushed ||
        !step->constraints || !step->first || !step->touching || !step->most_steps)
        return false;
    memset(step->most_steps, 0, threads * sizeof *step->most_steps);
    return true;
}

// The pull of cohesive contacts on a body, which it feels besides the applied forces.
static body_load pull_on(const ffd_step *step, size_t slot, body_load load)
{
    const step_problem *problem = &step->problem;
    for (size_t k = step->first[slot]; k < step->first[slot + 1]; k++) {
        const contact *c = &problem->contacts[step->touching[k]];
        double pull = cohesive_pull(problem, c);
        if (pull == 0)
            continue;
        vec3 arm = vec3_from_f(c->arm), force = vec3_scale(vec3_normalize(vec3_from_f(c->normal)), pull);
        if (c->b == slot) {
            arm = arm_of_b(problem->position, c);
            force = vec3_negate(force);
        }
        load.force = vec3_add(load.force, force);
        load.torque = vec3_add(load.torque, vec3_cross(arm, force));
    }
    return load;
}

// Line 4, with line 30.
static void velocity_step(ffd_step *step)
{
    const step_problem *problem = &step->problem;
#pragma omp parallel for num_threads(problem->threads) schedule(static)
    for (size_t i = 0; i < problem->body_count; i++) {
        if (problem->loads)
            problem->loads[i] = pull_on(step, i, problem->loads[i]);
        step->before[i] = free_velocity_of(problem, i);
    }
}

// Lines 22 to 31.
static void respond_all(ffd_step *step)
{
    size_t bodies = step->problem.body_count, blocks = block_count(bodies, BODY_BLOCK);
#pragma omp parallel for num_threads(step->problem.threads) schedule(dynamic)
    for (size_t b = 0; b < blocks; b++)
        for (size_t i = b * BODY_BLOCK; i < block_end(b, BODY_BLOCK, bodies); i++) {
            if (!step->problem.immovable[i])
                respond(step, i);
            else
                step->after[i] = step->before[i];
        }
}

// The speed at which contacts still close faster than their gaps allow is what this method leaves undone.
static void measure_residual(ffd_step *step, step_outcome *outcome)
{
    size_t count = step->problem.contact_count;
    double mean = 0, most = 0;
    for (size_t i = 0; i < count; i++) {
        contact *c = &step->problem.contacts[i];
        ffd_contact asked = ffd_contact_of(step, i);
        vec3 after = relative_velocity(step->after[c->a], asked.row.arm_a, step->after[c->b], asked.row.arm_b);
        double speed = vec3_dot(asked.row.normal, after);
        double missing = fmax(0, asked.slowest - speed);
        mean += missing / (double)count;
        most = fmax(most, missing);
        c->impulse = vec3f_from(step->constraints[i].impulse);
    }
    outcome->residual_mean = mean;
    outcome->residual_max = most;
}

// False when some projection was out of memory.
static bool finish_response(ffd_step *step, step_outcome *outcome)
{
    *outcome = (step_outcome){.algorithm = step->problem.solver.algorithm, .stop = SCREE_STOP_TOLERANCE};
    for (int i = 0; i < step->problem.threads; i++) {
        if (step->most_steps[i] < 0)
            return false;
        outcome->iterations = step->most_steps[i] > outcome->iterations ? step->most_steps[i] : outcome->iterations;
    }
    measure_residual(step, outcome);
    return true;
}

static bool note_pushes(const ffd_step *step, body_pushes *pushes)
{
    for (uint32_t i = 0; i < step->problem.body_count; i++)
        if (!step->problem.immovable[i] &&
            !pushes_note(pushes, i, vec3_scale(step->pushed[i].velocity, step->problem.step)))
            return false;
    return true;
}

// Line 32. Returns the first slot whose state is not finite afterwards, or SIZE_MAX.
static size_t second_half(const ffd_step *step, const step_bodies *bodies)
{
    size_t lost = SIZE_MAX;
#pragma omp parallel for num_threads(step->problem.threads) schedule(static) reduction(min : lost)
    for (size_t i = 0; i < step->problem.body_count; i++) {
        if (step->problem.immovable[i])
            continue;
        bodies->velocity[i] = step->after[i].velocity;
        bodies->spin[i] = step->after[i].spin;
        half_step(&step->problem, bodies, i, step->pushed[i]);
        if (!is_finite_state(bodies->position[i], bodies->orientation[i], bodies->velocity[i], bodies->spin[i]))
            lost = i < lost ? i : lost;
    }
    return lost;
}

static scree_status collide(scree_world *world, ffd_step *step, scree_error *error)
{
    scree_status status = detect_contacts(world, NULL, error);
    if (status)
        return status;
    step_problem problem = step_problem_of(world);
    if (!gather_loads(world, &problem.loads) || !make_step(&problem, world->workers, &world->scratch, step) ||
        !list_contacts(step, &world->scratch))
        return fail_no_memory(error);
    velocity_step(step);
    calculate_constraints(step);
    stage_ends(world, &world->last.prepare);
    respond_all(step);
    if (!finish_response(step, &world->solved) || !note_pushes(step, &world->pushes))
        status = fail_no_memory(error);
    stage_ends(world, &world->last.solve);
    return status;
}

static scree_status step_ffd(scree_world *world, scree_error *error)
{
    ffd_step step;
    stored_pose *kept;
    order_bodies(world);
    arena_reset(&world->scratch);
    motions_set_velocities(world);
    stage_part_ends(world, &world->last.prepare, &world->last.order);
    step_problem problem = step_problem_of(world);
    step_bodies bodies = step_bodies_of(world);
    if (!first_half(&problem, &bodies, &world->scratch, &kept))
        return fail_no_memory(error);
    move_prescribed_half_way(world);
    stage_ends(world, &world->last.integrate);
    scree_status status = collide(world, &step, error);
    if (status) {
        undo_first_half(&bodies, problem.body_count, kept);
        return status;
    }
    return end_step(world, second_half(&step, &bodies), error);
}

static bool detects_midway(const scree_world *world)
{
    (void)world;
    return true;
}

const method ffd_method = {.name = "ffd",
                           .step = step_ffd,
                           .no_joints = "fast frictional dynamics has no joints; the method complementarity has",
                           .impulses_hold_pull = true,
                           .detects_midway = detects_midway};
