#include "rigid/rebound.h"

#include "base/error.h"
#include "contact/velocity.h"

// Energy that rounding and unfinished iterations may create, as a part of what impulses exchange.
static const double tolerated = 1e-6;

// The solution with rebounds, while the one without them is found.
typedef struct rebound_solution {
    body_velocity *velocity; // by place
    vec3f *impulses;         // by contact of the island
} rebound_solution;

typedef struct rebound_work {     // E, of one contact or of the island
    double with, without, middle; // with rebounds, without them, and half way
    double scale;
} rebound_work;

static vec3 between(vec3 from, vec3 to, double part)
{
    return part == 1 ? to : vec3_add_scaled(from, vec3_sub(to, from), part);
}

static body_velocity velocity_now(const island_run *run, uint32_t slot)
{
    return run->problem->immovable[slot] ? free_velocity_of(run->problem, slot)
                                         : run_velocity(run, run_place(run, slot));
}

static body_velocity velocity_with(const island_run *run, const rebound_solution *with, uint32_t slot)
{
    return run->problem->immovable[slot] ? free_velocity_of(run->problem, slot) : with->velocity[run_place(run, slot)];
}

// The energy that an impulse adds, less what pushing an overlap out does.
static double work_of(const problem_row *row, double push, vec3 before, vec3 after, vec3 impulse)
{
    return 0.5 * (vec3_dot(vec3_add(before, after), impulse) - push * vec3_dot(row->normal, impulse));
}

// The solution as it stands is the one without rebounds when the other is given, else the one with them.
static rebound_work measure_contact(const island_run *run, const rebound_solution *with, size_t index)
{
    const step_problem *problem = run->problem;
    const contact *c = &problem->contacts[run_contacts(run)[index]];
    contact_row made = contact_row_of(problem, run_contacts(run)[index]);
    const problem_row *row = &made.row;
    rebound_work work = {0};
    if (row->compliance > 0) // a spring gives back what it has taken
        return work;
    double push = (made.pushed ? 0 : made.speeds.push_out) + made.speeds.lift;
    vec3 impulse = vec3_from_f(c->impulse);
    vec3 before =
        relative_velocity(free_velocity_of(problem, row->a), row->arm_a, free_velocity_of(problem, row->b), row->arm_b);
    vec3 after = relative_velocity(velocity_now(run, row->a), row->arm_a, velocity_now(run, row->b), row->arm_b);
    if (!with) {
        work.with = work_of(row, push, before, after, impulse);
        work.scale = vec3_length(impulse) * vec3_length(before);
        return work;
    }
    vec3 then =
        relative_velocity(velocity_with(run, with, row->a), row->arm_a, velocity_with(run, with, row->b), row->arm_b);
    work.without = work_of(row, push, before, after, impulse);
    work.middle = work_of(row, push, before, between(after, then, 0.5),
                          between(impulse, vec3_from_f(with->impulses[index]), 0.5));
    return work;
}

// The sum over the contacts, in their order.
static rebound_work measure(const island_run *run, const rebound_solution *with)
{
    rebound_work sum = {0};
    for (size_t i = 0; i < run->island->contact_count; i++) {
        rebound_work work = measure_contact(run, with, i);
        sum.with += work.with;
        sum.without += work.without;
        sum.middle += work.middle;
        sum.scale += work.scale;
    }
    return sum;
}

static bool any_rebounds(const island_run *run)
{
    for (size_t i = 0; i < run->island->contact_count; i++)
        if (contact_rebounds(run->problem, &run->problem->contacts[run_contacts(run)[i]]))
            return true;
    return false;
}

static bool keep_solution(const island_run *run, rebound_solution *with)
{
    with->velocity = arena_array(run->scratch, body_velocity, run->island->body_count);
    with->impulses = arena_array(run->scratch, vec3f, run->island->contact_count);
    if (!with->velocity || !with->impulses)
        return false;
    for (size_t i = 0; i < run->island->body_count; i++)
        with->velocity[i] = run_velocity(run, i);
    for (size_t i = 0; i < run->island->contact_count; i++)
        with->impulses[i] = run->problem->contacts[run_contacts(run)[i]].impulse;
    return true;
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

static void blend(island_run *run, const rebound_solution *with, double part)
{
    for (size_t i = 0; i < run->island->contact_count; i++) {
        contact *c = &run->problem->contacts[run_contacts(run)[i]];
        c->impulse = vec3f_from(between(vec3_from_f(c->impulse), vec3_from_f(with->impulses[i]), part));
    }
    for (size_t i = 0; i < run->island->body_count; i++) {
        body_velocity at = run_velocity(run, i);
        at.velocity = between(at.velocity, with->velocity[i].velocity, part);
        at.spin = between(at.spin, with->velocity[i].spin, part);
        run_set_velocity(run, i, at);
    }
}

// Joints and their motors do work of their own, so islands with them are left alone.
scree_status limit_rebounds(island_run *run, scree_error *error)
{
    if (!run->problem->bouncy || run->island->row_count > 0 || !any_rebounds(run))
        return SCREE_OK;
    rebound_work work = measure(run, NULL);
    if (!(work.with > tolerated * work.scale))
        return SCREE_OK;
    rebound_solution with;
    if (!keep_solution(run, &with))
        return fail_no_memory(error);
    scree_status status = run_solve_again(run, bias_without_rebound, run->problem->solver.iterations, error);
    if (status)
        return status;
    rebound_work both = measure(run, &with);
    blend(run, &with, largest_part(both.without, both.middle, work.with));
    return SCREE_OK;
}
