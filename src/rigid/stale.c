#include "rigid/stale.h"

#include <string.h>

#include "base/threads.h"

// The first two in units of the heaviest body at the largest speed; the third in what gravity gives in a step.
static const double unbalanced_limit = 50, load_limit = 1000, gravity_steps = 100;

enum { MOST_PASSES = 16, BLOCK = 1024 };

static double speed_of(const step_problem *problem, size_t slot)
{
    double radius = (double)problem->radius[slot], spin = vec3_length(problem->spin[slot]);
    return vec3_length(problem->velocity[slot]) + (spin > 0 && isfinite(radius) ? spin * radius : 0);
}

static double largest_speed(void *context, size_t first, size_t end)
{
    const island_run *run = context;
    double speed = 0;
    for (size_t i = first; i < end; i++)
        speed = fmax(speed, speed_of(run->problem, run_bodies(run)[i]));
    return speed;
}

static double impulse_unit(island_run *run)
{
    const step_problem *problem = run->problem;
    double speed = largest_of_ranges(run->threads, run->island->body_count, BLOCK, largest_speed, run);
    for (size_t i = 0; i < run->island->fixed_count; i++) {
        const contact *c = &problem->contacts[run->set->fixed[run->island->first_fixed + i]];
        speed = fmax(speed, speed_of(problem, problem->immovable[c->a] ? c->a : c->b));
    }
    return run->island->heaviest * (speed + gravity_steps * problem->step * problem->gravity_length);
}

typedef struct impulse_limit {
    const island_run *run;
    double most;
} impulse_limit;

// The square of the largest impulse; larger ones than the limit become as small as that.
static double limit_range(void *context, size_t first, size_t end)
{
    const impulse_limit *limit = context;
    const island_run *run = limit->run;
    double most = limit->most, largest = 0;
    for (size_t i = first; i < end; i++) {
        contact *c = &run->problem->contacts[run_contacts(run)[i]];
        vec3 impulse = vec3_from_f(c->impulse);
        double square = vec3_dot(impulse, impulse);
        if (square > most * most) {
            c->impulse = vec3f_from(vec3_scale(impulse, most / sqrt(square)));
            square = most * most;
        }
        largest = square > largest ? square : largest;
    }
    return largest;
}

static double limit_impulses(const island_run *run, double most)
{
    impulse_limit limit = {run, most};
    return sqrt(largest_of_ranges(run->threads, run->island->contact_count, BLOCK, limit_range, &limit));
}

// What impulses leave over on each body. Bodies that do not move carry anything, and so do jointed ones.
typedef struct imbalance {
    vec3 *unbalanced; // by place
    uint8_t *carried; // by place
} imbalance;

static void add_to_body(const island_run *run, const imbalance *on, uint32_t slot, vec3 impulse, double sign)
{
    if (run->problem->immovable[slot])
        return;
    vec3 *to = &on->unbalanced[run_place(run, slot)];
    *to = vec3_add_scaled(*to, impulse, sign);
}

static void add_to_bodies(const island_run *run, const imbalance *on, const contact *c, double sign)
{
    add_to_body(run, on, c->a, vec3_from_f(c->impulse), -sign);
    add_to_body(run, on, c->b, vec3_from_f(c->impulse), sign);
}

static bool is_overloaded(const island_run *run, const imbalance *on, uint32_t slot, double most)
{
    if (run->problem->immovable[slot])
        return false;
    uint32_t place = run_place(run, slot);
    return !on->carried[place] && vec3_dot(on->unbalanced[place], on->unbalanced[place]) > most * most;
}

// Sets the impulses on bodies that are out of balance to zero; that may put their neighbours out of balance.
static size_t forget_once(const island_run *run, const imbalance *on, double most)
{
    size_t forgotten = 0;
    for (size_t i = 0; i < run->island->contact_count; i++) {
        contact *c = &run->problem->contacts[run_contacts(run)[i]];
        bool none = c->impulse.x == 0 && c->impulse.y == 0 && c->impulse.z == 0;
        if (none || (!is_overloaded(run, on, c->a, most) && !is_overloaded(run, on, c->b, most)))
            continue;
        add_to_bodies(run, on, c, -1);
        c->impulse = (vec3f){0, 0, 0};
        forgotten++;
    }
    return forgotten;
}

static void mark_carried(const island_run *run, uint8_t *carried)
{
    memset(carried, 0, run->island->body_count);
    for (size_t i = 0; i < run->island->row_count; i++) {
        const joint_row *row = &run->joints->rows[run->set->rows[run->island->first_row + i]];
        for (int k = 0; k < JOINT_ROW_BODIES; k++)
            if (row->body[k] != NO_BODY && !run->problem->immovable[row->body[k]])
                carried[run_place(run, row->body[k])] = 1;
    }
}

// A motor of any strength catches bodies as a blade does. Its impulses are left over when theirs are limited, so they
// are forgotten, and then jointed bodies carry nothing either.
static void forget_joints(const island_run *run, const imbalance *on)
{
    for (size_t i = 0; i < run->island->row_count; i++)
        run->joints->rows[run->set->rows[run->island->first_row + i]].impulse = 0;
    memset(on->carried, 0, run->island->body_count);
}

bool forget_stale_impulses(island_run *run)
{
    double unit = impulse_unit(run);
    double largest = unit > 0 ? limit_impulses(run, load_limit * unit) : 0;
    if (largest <= unbalanced_limit * unit)
        return true;
    arena_mark mark = arena_get_mark(run->scratch);
    imbalance on = {.unbalanced = arena_array(run->scratch, vec3, run->island->body_count),
                    .carried = arena_array(run->scratch, uint8_t, run->island->body_count)};
    if (!on.unbalanced || !on.carried)
        return false;
    mark_carried(run, on.carried);
    if (largest >= load_limit * unit)
        forget_joints(run, &on);
    memset(on.unbalanced, 0, run->island->body_count * sizeof *on.unbalanced);
    for (size_t i = 0; i < run->island->contact_count; i++)
        add_to_bodies(run, &on, &run->problem->contacts[run_contacts(run)[i]], 1);
    for (int pass = 0; pass < MOST_PASSES && forget_once(run, &on, unbalanced_limit * unit) > 0; pass++)
        ;
    arena_release(run->scratch, mark);
    return true;
}
