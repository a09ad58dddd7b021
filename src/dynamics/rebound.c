#include "dynamics/rebound.h"

#include "base/threads.h"

// Energy that rounding and unfinished iterations may create, as a part of what impulses exchange.
static const double tolerated = 1e-6;

// Velocities of both bodies of a contact at its point, one way or another.
typedef body_velocity velocity_function(const scree_world *world, const step_solution *solution, const rebound *r,
                                        size_t slot);

static body_velocity velocity_before(const scree_world *world, const step_solution *solution, const rebound *r,
                                     size_t slot)
{
    (void)r;
    body_velocity at;
    free_velocity(world, solution->loads, slot, &at.velocity, &at.spin);
    return at;
}

static body_velocity velocity_now(const scree_world *world, const step_solution *solution, const rebound *r,
                                  size_t slot)
{
    if (world->bodies.immovable.data[slot])
        return velocity_before(world, solution, r, slot);
    return solution_velocity(world, solution, slot);
}

static body_velocity velocity_with(const scree_world *world, const step_solution *solution, const rebound *r,
                                   size_t slot)
{
    return world->bodies.immovable.data[slot] ? velocity_before(world, solution, r, slot) : r->velocity[slot];
}

static vec3 relative(const scree_world *world, const step_solution *solution, const rebound *r, const problem_row *row,
                     velocity_function *velocity)
{
    body_velocity a = velocity(world, solution, r, row->a), b = velocity(world, solution, r, row->b);
    vec3 at_a = vec3_add(a.velocity, vec3_cross(a.spin, row->arm_a));
    vec3 at_b = vec3_add(b.velocity, vec3_cross(b.spin, row->arm_b));
    return vec3_sub(at_b, at_a);
}

static vec3 between(vec3 from, vec3 to, double part)
{
    return part == 1 ? to : vec3_add_scaled(from, vec3_sub(to, from), part);
}

// What the impulse adds to the energy, less what pushing an overlap out does.
static double work_of(const problem_row *row, double push, vec3 before, vec3 after, vec3 impulse)
{
    return 0.5 * (vec3_dot(vec3_add(before, after), impulse) - push * vec3_dot(row->normal, impulse));
}

static bool keep_solution(scree_world *world, const step_solution *solution, rebound *r)
{
    size_t contacts = world->contacts.count, bodies = world->bodies.count;
    r->impulses = arena_array(&world->scratch, vec3, contacts);
    body_velocity *velocity = arena_array(&world->scratch, body_velocity, bodies);
    if (!r->impulses || !velocity)
        return false;
    for (size_t i = 0; i < contacts; i++)
        r->impulses[i] = vec3_from_f(world->contacts.data[i].impulse);
    for (size_t i = 0; i < bodies; i++)
        if (!world->bodies.immovable.data[i])
            velocity[i] = solution_velocity(world, solution, i);
    r->velocity = velocity;
    return true;
}

// Islands in which something rebounds. Joints and their motors do work of their own, so islands with them are left
// alone.
static bool find_bouncing(const scree_world *world, const island_set *set, uint8_t *bounces)
{
    int any = 0;
    memset(bounces, 0, set->count);
#pragma omp parallel for num_threads(world->threads) schedule(static) reduction(| : any)
    for (size_t i = 0; i < world->contacts.count; i++) {
        const contact *c = &world->contacts.data[i];
        const island_entry *entry = island_of_contact(set, c);
        if (entry->way == ISLAND_ASLEEP || entry->row_count > 0 || !contact_rebounds(world, c))
            continue;
        any = 1;
#pragma omp atomic write
        bounces[entry - set->islands] = 1;
    }
    return any;
}

// With the solution as it stands as the one without rebounds when the other is kept, else as the one with them.
static contact_work measure_contact(const scree_world *world, const step_solution *solution, const rebound *r,
                                    size_t index)
{
    const contact *c = &world->contacts.data[index];
    problem_row row = relaxed_row(world, index);
    contact_work work = {0};
    if (row.compliance > 0) // a spring gives back what it has taken
        return work;
    double push = contact_rebounds(world, c) ? 0 : fmax(0, -row.bias);
    vec3 impulse = vec3_from_f(c->impulse);
    vec3 before = relative(world, solution, r, &row, velocity_before);
    vec3 after = relative(world, solution, r, &row, velocity_now);
    if (!r->velocity) {
        work.with = work_of(&row, push, before, after, impulse);
        work.scale = vec3_length(impulse) * vec3_length(before);
        return work;
    }
    vec3 with = relative(world, solution, r, &row, velocity_with);
    work.without = work_of(&row, push, before, after, impulse);
    work.middle = work_of(&row, push, before, between(after, with, 0.5), between(impulse, r->impulses[index], 0.5));
    return work;
}

// Sums over the marked islands, in the order of contacts.
static bool sum_work(scree_world *world, const step_solution *solution, const rebound *r, contact_work *sums)
{
    const island_set *set = &solution->islands;
    size_t contacts = world->contacts.count;
    contact_work *works = arena_array(&world->scratch, contact_work, contacts);
    if (!works)
        return false;
#pragma omp parallel for num_threads(world->threads) schedule(static)
    for (size_t i = 0; i < contacts; i++)
        if (r->gains[island_of_contact(set, &world->contacts.data[i]) - set->islands])
            works[i] = measure_contact(world, solution, r, i);
    memset(sums, 0, set->count * sizeof *sums);
    for (size_t i = 0; i < contacts; i++) {
        size_t island = (size_t)(island_of_contact(set, &world->contacts.data[i]) - set->islands);
        if (!r->gains[island])
            continue;
        sums[island].with += works[i].with;
        sums[island].without += works[i].without;
        sums[island].middle += works[i].middle;
        sums[island].scale += works[i].scale;
    }
    return true;
}

bool rebound_measure(scree_world *world, const step_solution *solution, rebound *measured)
{
    const island_set *set = &solution->islands;
    *measured = (rebound){.gains = arena_array(&world->scratch, uint8_t, set->count),
                          .work = arena_array(&world->scratch, contact_work, set->count)};
    if (!measured->gains || !measured->work)
        return false;
    if (!find_bouncing(world, set, measured->gains))
        return true;
    if (!sum_work(world, solution, measured, measured->work))
        return false;
    for (size_t i = 0; i < set->count; i++) {
        measured->gains[i] &= measured->work[i].with > tolerated * measured->work[i].scale;
        measured->any |= measured->gains[i];
        measured->any_swept |= measured->gains[i] && set->islands[i].way != ISLAND_DIRECT;
    }
    return !measured->any || keep_solution(world, solution, measured);
}

// The largest part s in [0, 1] at which the quadratic through E(0) = low < 0, E(1/2) = middle and E(1) = high > 0 is
// not positive.
static double largest_part(double low, double middle, double high)
{
    if (!(low < 0))
        return 0;
    double curve = 2 * (low + high - 2 * middle), slope = high - low - curve;
    double root = slope * slope - 4 * curve * low;
    double part = root >= 0 ? -2 * low / (slope + sqrt(root)) : 0; // of the two roots the positive one
    return part > 0 && part < 1 ? part : 0;
}

bool rebound_blend(scree_world *world, step_solution *solution, const rebound *measured)
{
    const island_set *set = &solution->islands;
    contact_work *sums = arena_array(&world->scratch, contact_work, set->count);
    double *parts = arena_array(&world->scratch, double, set->count);
    if (!sums || !parts || !sum_work(world, solution, measured, sums))
        return false;
    for (size_t i = 0; i < set->count; i++)
        parts[i] = measured->gains[i] ? largest_part(sums[i].without, sums[i].middle, measured->work[i].with) : 1;
    for (size_t i = 0; i < world->contacts.count; i++) {
        contact *c = &world->contacts.data[i];
        double part = parts[island_of_contact(set, c) - set->islands];
        c->impulse = vec3f_from(between(vec3_from_f(c->impulse), measured->impulses[i], part));
    }
    for (size_t i = 0; i < world->bodies.count; i++) {
        uint32_t island = set->of_slot[i];
        if (island == NO_ISLAND || !measured->gains[island])
            continue; // with its rebounds
        body_velocity without = solution_velocity(world, solution, i), *to = &measured->velocity[i];
        to->velocity = between(without.velocity, to->velocity, parts[island]);
        to->spin = between(without.spin, to->spin, parts[island]);
    }
    solution->settled = measured->velocity;
    return true;
}
