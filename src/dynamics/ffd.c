// One step of fast frictional dynamics: Algorithm 1 of Iglberger and Rüde 2009 without its messages, after Kaufman,
// Edmunds and Pai 2005. Every body answers for itself, from its own contacts and the velocities of what it touches.
//
//     half a step -> contacts -> how pairs meet -> response of each body -> half a step
//
// Both velocity half-steps are taken together in the middle, where nothing is between them for a body that is free.
// The paper leaves the second one out for bodies in contact, which then weigh half of what they should along a slope.
#include "dynamics/ffd.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/threads.h"

enum { BODY_BLOCK = 256 };

typedef struct stored_pose {
    vec3 position;
    quat orientation;
    vec3 spin;
} stored_pose;

static void half_step(scree_world *world, size_t slot, body_velocity pushed)
{
    body_store *store = &world->bodies;
    double half = 0.5 * world->def.step;
    vec3 *position = &store->position.data[slot], *spin = &store->spin.data[slot];
    vec3 moving = vec3_add(*spin, vec3_scale(pushed.spin, 2));
    *position = vec3_add_scaled(*position, vec3_add_scaled(store->velocity.data[slot], pushed.velocity, 2), half);
    turn_freely(vec3_from_f(store->inertia.data[slot]), half, moving, &store->orientation.data[slot], spin);
}

// Line 3. Poses are kept, so that a step that cannot be finished can be undone.
static bool first_half(scree_world *world, stored_pose **kept)
{
    body_store *store = &world->bodies;
    const body_velocity none = {{0, 0, 0}, {0, 0, 0}};
    stored_pose *poses = *kept = arena_array(&world->scratch, stored_pose, store->count);
    if (!poses)
        return false;
#pragma omp parallel for num_threads(world->threads) schedule(static)
    for (size_t i = 0; i < store->count; i++) {
        poses[i] = (stored_pose){store->position.data[i], store->orientation.data[i], store->spin.data[i]};
        if (!store->immovable.data[i])
            half_step(world, i, none);
    }
    double start = world->time;
    world->time += 0.5 * world->def.step;
    motions_set_poses(world);
    world->time = start;
    return true;
}

static void undo_first_half(scree_world *world, const stored_pose *kept)
{
    for (size_t i = 0; i < world->bodies.count; i++) {
        world->bodies.position.data[i] = kept[i].position;
        world->bodies.orientation.data[i] = kept[i].orientation;
        world->bodies.spin.data[i] = kept[i].spin;
    }
}

// Line 8: contacts by body.
static void list_contacts(ffd_step *step)
{
    const contact *contacts = step->world->contacts.data;
    size_t bodies = step->world->bodies.count, count = step->world->contacts.count;
    const uint8_t *immovable = step->world->bodies.immovable.data;
    uint32_t *first = step->first;
    memset(first, 0, (bodies + 1) * sizeof *first);
    for (size_t i = 0; i < count; i++) {
        first[contacts[i].a] += !immovable[contacts[i].a];
        first[contacts[i].b] += !immovable[contacts[i].b];
    }
    for (size_t i = 0; i < bodies; i++)
        first[i + 1] += first[i];
    for (size_t i = count; i-- > 0;) {
        if (!immovable[contacts[i].a])
            step->touching[--first[contacts[i].a]] = (uint32_t)i;
        if (!immovable[contacts[i].b])
            step->touching[--first[contacts[i].b]] = (uint32_t)i;
    }
}

static bool make_step(scree_world *world, ffd_step *step)
{
    arena *scratch = &world->scratch;
    size_t bodies = world->bodies.count, contacts = world->contacts.count;
    *step = (ffd_step){.world = world,
                       .before = arena_array(scratch, body_velocity, bodies),
                       .after = arena_array(scratch, body_velocity, bodies),
                       .expected = arena_array(scratch, body_velocity, bodies),
                       .trust = arena_array(scratch, double, bodies),
                       .pushed = arena_array(scratch, body_velocity, bodies),
                       .meetings = arena_array(scratch, meeting, contacts),
                       .first = arena_array(scratch, uint32_t, bodies + 1),
                       .touching = arena_array(scratch, uint32_t, 2 * contacts),
                       .most_steps = arena_array(scratch, int, (size_t)world->threads)};
    if (!step->before || !step->after || !step->expected || !step->trust || !step->pushed || !step->meetings ||
        !step->first || !step->touching || !step->most_steps)
        return false;
    memset(step->most_steps, 0, (size_t)world->threads * sizeof *step->most_steps);
    return true;
}

// Line 4, with line 30.
static bool velocity_step(ffd_step *step)
{
    scree_world *world = step->world;
    const body_load *loads;
    if (!gather_loads(world, &loads))
        return false;
#pragma omp parallel for num_threads(world->threads) schedule(static)
    for (size_t i = 0; i < world->bodies.count; i++)
        free_velocity(world, loads, i, &step->before[i].velocity, &step->before[i].spin);
    return true;
}

// Lines 22 to 31.
static void respond_all(ffd_step *step)
{
    size_t bodies = step->world->bodies.count, blocks = block_count(bodies, BODY_BLOCK);
#pragma omp parallel for num_threads(step->world->threads) schedule(dynamic)
    for (size_t b = 0; b < blocks; b++)
        for (size_t i = b * BODY_BLOCK; i < block_end(b, BODY_BLOCK, bodies); i++) {
            if (!step->world->bodies.immovable.data[i])
                respond(step, i);
            else
                step->after[i] = step->before[i];
        }
}

// The speed at which contacts still close faster than their gaps allow is what this method leaves undone.
static void judge(ffd_step *step)
{
    scree_world *world = step->world;
    size_t count = world->contacts.count;
    residual *left = &world->solved.residual;
    *left = (residual){0};
    for (size_t i = 0; i < count; i++) {
        contact *c = &world->contacts.data[i];
        ffd_contact asked = ffd_contact_of(step, i);
        vec3 of_a = point_velocity(step->after[c->a], asked.row.arm_a);
        vec3 of_b = point_velocity(step->after[c->b], asked.row.arm_b);
        double speed = vec3_dot(asked.row.normal, vec3_sub(of_b, of_a));
        double missing = fmax(0, asked.slowest - speed);
        left->mean += missing / (double)count;
        left->max = fmax(left->max, missing);
        c->impulse = vec3f_from(step->meetings[i].impulse);
    }
}

static scree_status finish_response(ffd_step *step, scree_error *error)
{
    solve_result *result = &step->world->solved;
    *result = (solve_result){.algorithm = step->world->def.solver.algorithm, .stop = SCREE_STOPPED_TOLERANCE};
    for (int i = 0; i < step->world->threads; i++) {
        if (step->most_steps[i] < 0)
            return fail_no_memory(error);
        result->iterations = step->most_steps[i] > result->iterations ? step->most_steps[i] : result->iterations;
    }
    judge(step);
    return SCREE_OK;
}

// Line 32.
static scree_status second_half(ffd_step *step, scree_error *error)
{
    scree_world *world = step->world;
    size_t lost = SIZE_MAX;
#pragma omp parallel for num_threads(world->threads) schedule(static) reduction(min : lost)
    for (size_t i = 0; i < world->bodies.count; i++) {
        if (world->bodies.immovable.data[i])
            continue;
        world->bodies.velocity.data[i] = step->after[i].velocity;
        world->bodies.spin.data[i] = step->after[i].spin;
        half_step(world, i, step->pushed[i]);
        if (!state_is_finite(world, i))
            lost = i < lost ? i : lost;
    }
    return end_step(world, lost, error);
}

static scree_status collide(scree_world *world, ffd_step *step, scree_error *error)
{
    scree_status status = detect_contacts(world, NULL, error);
    if (status)
        return status;
    double start = clock_seconds();
    if (!make_step(world, step) || !velocity_step(step))
        return fail_no_memory(error);
    list_contacts(step);
    meet_pairs(step);
    double met = clock_seconds();
    respond_all(step);
    status = finish_response(step, error);
    world->last.prepare = met - start;
    world->last.solve = clock_seconds() - met;
    return status;
}

scree_status step_ffd(scree_world *world, scree_error *error)
{
    ffd_step step;
    stored_pose *kept;
    order_bodies(world);
    arena_reset(&world->scratch);
    motions_set_velocities(world);
    if (!first_half(world, &kept))
        return fail_no_memory(error);
    scree_status status = collide(world, &step, error);
    if (status) {
        undo_first_half(world, kept);
        return status;
    }
    double solved = clock_seconds();
    status = second_half(&step, error);
    if (!status)
        status = update_touches(world, error);
    world->last.integrate = clock_seconds() - solved;
    return status;
}
