// Lines 10 to 19 of Algorithm 1: the constraints of contacts. Their offsets follow from the velocities that two bodies
// have at the moment of maximum compression, solved for each pair as if the two were alone. The mass of a body is split
// among its pairs, since what one of them takes the others cannot have; and a body enters with a warm start, the
// velocity that it would have if its other pairs did what they did in the last step.
#include "base/threads.h"
#include "ffd/ffd.h"

enum { SIZE = 6, CONTACT_BLOCK = 256, MOST_SPLIT = 32 };

// Two bodies alone have no rows that contradict each other.
static const double pair_softness = 1e-10;

typedef struct side {                         // one of the two bodies, with its part of the mass
    body_velocity warm_started, start, after; // start: without what this pair did in the last step
    double inverse_mass;
    mat3 inverse_inertia;
    vec3 arm; // from its centre to the first contact
} side;

typedef struct wrench {
    vec3 force, torque;
} wrench;

// A gap may close; a collision rebounds with the part of its approach that it had before forces acted in this step.
ffd_contact ffd_contact_of(const ffd_step *step, size_t index)
{
    const step_problem *problem = &step->problem;
    const contact *c = &problem->contacts[index];
    contact_row asked = contact_row_of(problem, index);
    ffd_contact made = {.row = biased_row(&asked, whole_bias)};
    problem_row *row = &made.row;
    made.approach = relative_velocity(step->before[c->a], row->arm_a, step->before[c->b], row->arm_b);
    double speed = vec3_dot(row->normal, made.approach);
    if (problem->bouncy && contact_rebounds(problem, c)) {
        double most = (double)pair_of_contact(problem, c)->restitution;
        made.rebound = speed < 0 ? fmin(most, -asked.speeds.rebound / speed) : 0;
    } else {
        made.slowest = -fmax(asked.speeds.approach, 0);
        made.push = asked.speeds.push_out - fmin(asked.speeds.approach, 0);
    }
    return made;
}

static side side_of(const ffd_step *step, size_t slot, vec3 arm, double split)
{
    side made = {.warm_started = step->warm_started[slot], .arm = arm};
    if (step->problem.immovable[slot])
        return made;
    made.inverse_mass = split / step->problem.mass[slot];
    made.inverse_inertia = inverse_inertia_at(step->problem.inertia[slot], &step->problem.orientation[slot]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            made.inverse_inertia.m[i][k] *= split;
    return made;
}

// Change of velocity of a body by a wrench about its centre.
static body_velocity change_by(const side *of, wrench by)
{
    return (body_velocity){vec3_scale(by.force, of->inverse_mass), mat3_apply(&of->inverse_inertia, by.torque)};
}

// Change of velocity of a side, measured at the first contact, by a wrench about that point.
static body_velocity change_at(const side *of, vec3 force, vec3 torque)
{
    body_velocity change = change_by(of, (wrench){force, vec3_add(torque, vec3_cross(of->arm, force))});
    change.velocity = point_velocity(change, of->arm);
    return change;
}

// The velocity of b against a per wrench between them, W, as W = L L^T; rows are whitened by L^T.
static void whiten(const side *a, const side *b, double whitened[SIZE][SIZE])
{
    double w[SIZE][SIZE];
    for (int k = 0; k < SIZE; k++) {
        double unit[SIZE] = {0};
        unit[k] = 1;
        vec3 force = {unit[0], unit[1], unit[2]}, torque = {unit[3], unit[4], unit[5]};
        body_velocity of_a = change_at(a, force, torque), of_b = change_at(b, force, torque);
        vec3 linear = vec3_add(of_a.velocity, of_b.velocity), angular = vec3_add(of_a.spin, of_b.spin);
        double column[SIZE] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
        memcpy(w[k], column, sizeof column);
    }
    memset(whitened, 0, SIZE * sizeof *whitened);
    for (int i = 0; i < SIZE; i++) {
        for (int k = 0; k <= i; k++) {
            double sum = w[i][k];
            for (int m = 0; m < k; m++)
                sum -= whitened[m][i] * whitened[m][k];
            whitened[k][i] = i == k ? sqrt(fmax(sum, 1e-14 * w[i][i])) : sum / whitened[k][k];
        }
    }
}

static void set_local(const ffd_contact *c, const side *a, const side *b, local_contact *out)
{
    vec3 approach = relative_velocity(a->start, c->row.arm_a, b->start, c->row.arm_b);
    *out = (local_contact){.normal = c->row.normal,
                           .arm = vec3_sub(c->row.arm_a, a->arm),
                           .least = c->slowest - vec3_dot(c->row.normal, approach),
                           .slide = vec3_negate(approach),
                           .roll = vec3_sub(a->start.spin, b->start.spin),
                           .friction = c->row.friction,
                           .rolling = c->row.rolling,
                           .spinning = c->row.spinning,
                           .rebound = c->rebound,
                           .softness = pair_softness};
}

static double give_along(const side *of, vec3 arm, vec3 normal)
{
    vec3 lever = vec3_cross(arm, normal);
    return of->inverse_mass + vec3_dot(lever, mat3_apply(&of->inverse_inertia, lever));
}

// What is between the two sides after the collision, at a contact that parts or slides, is divided by how easily each
// of them gives way.
static vec3 compression_velocity(const ffd_contact *c, const side *a, const side *b)
{
    vec3 normal = c->row.normal;
    vec3 of_a = point_velocity(a->after, c->row.arm_a), of_b = point_velocity(b->after, c->row.arm_b);
    double give_a = give_along(a, c->row.arm_a, normal), give_b = give_along(b, c->row.arm_b, normal);
    vec3 between = vec3_add_scaled(vec3_sub(of_b, of_a), normal, -c->slowest);
    return vec3_add_scaled(of_a, between, give_a / (give_a + give_b));
}

static wrench plus(wrench a, wrench b, double factor)
{
    return (wrench){vec3_add_scaled(a.force, b.force, factor), vec3_add_scaled(a.torque, b.torque, factor)};
}

static body_velocity moved(body_velocity from, const side *of, wrench by, double factor)
{
    body_velocity change = change_by(of, by);
    return (body_velocity){vec3_add_scaled(from.velocity, change.velocity, factor),
                           vec3_add_scaled(from.spin, change.spin, factor)};
}

// Work of a wrench while the velocity of its body goes from one value to the other.
static double work(wrench by, body_velocity from, body_velocity to)
{
    return 0.5 * (vec3_dot(by.force, vec3_add(from.velocity, to.velocity)) +
                  vec3_dot(by.torque, vec3_add(from.spin, to.spin)));
}

typedef struct pair {
    ffd_step *step;
    size_t first, count;
    ffd_contact *contacts;
    local_problem problem;
    side a, b;
    wrench old_a, old_b, new_a, new_b; // of the last step and of this one, on each body
} pair;

static wrench wrench_on(vec3 arm, vec3 impulse, vec3 angular_impulse)
{
    return (wrench){impulse, vec3_add(vec3_cross(arm, impulse), angular_impulse)};
}

static void solve_pair(pair *p, arena *scratch)
{
    const wrench none = {{0, 0, 0}, {0, 0, 0}};
    body_velocity change;
    note_steps(p->step, local_respond(&p->problem, true, scratch, &change));
    p->new_a = p->new_b = none;
    for (size_t i = 0; i < p->count; i++) {
        const local_contact *c = &p->problem.contacts[i];
        p->new_a = plus(p->new_a, wrench_on(p->contacts[i].row.arm_a, c->impulse, c->angular_impulse), -1);
        p->new_b = plus(p->new_b, wrench_on(p->contacts[i].row.arm_b, c->impulse, c->angular_impulse), 1);
    }
    p->a.after = moved(p->a.start, &p->a, p->new_a, 1);
    p->b.after = moved(p->b.start, &p->b, p->new_b, 1);
}

// Energy that the split mass of a body gets from its pair: by what the pair did in the last step, which counts as far
// as the warm start takes it, and by what the pair does differently now.
static double gain_of(const pair *p, const side *of, size_t slot, double warm_part, wrench old, wrench new)
{
    return warm_part * work(old, p->step->before[slot], of->warm_started) +
           work(plus(new, old, -1), of->warm_started, of->after);
}

// What both together get by all that the pair does; more than 0 if it creates energy.
static double gain_of_both(const pair *p)
{
    return gain_of(p, &p->a, p->contacts[0].row.a, 1, p->old_a, p->new_a) +
           gain_of(p, &p->b, p->contacts[0].row.b, 1, p->old_b, p->new_b);
}

// A pair has nothing to give but what one of the two loses.
static void take_gains(const pair *p, contact_constraint *constraint)
{
    size_t a = p->contacts[0].row.a, b = p->contacts[0].row.b;
    double excess = fmax(0, gain_of_both(p));
    constraint->gain_a = gain_of(p, &p->a, a, p->step->warm_part[a], p->old_a, p->new_a);
    constraint->gain_b = gain_of(p, &p->b, b, p->step->warm_part[b], p->old_b, p->new_b);
    *(constraint->gain_a > constraint->gain_b ? &constraint->gain_a : &constraint->gain_b) -= excess;
}

static bool take_pair(pair *p, arena *scratch)
{
    p->contacts = arena_array(scratch, ffd_contact, p->count);
    p->problem = (local_problem){.contacts = arena_array(scratch, local_contact, p->count), .count = p->count};
    if (!p->contacts || !p->problem.contacts)
        return false;
    for (size_t i = 0; i < p->count; i++)
        p->contacts[i] = ffd_contact_of(p->step, p->first + i);
    const contact_constraint *constraint = &p->step->constraints[p->first];
    p->a = side_of(p->step, p->contacts[0].row.a, p->contacts[0].row.arm_a, constraint->mass_split_a);
    p->b = side_of(p->step, p->contacts[0].row.b, p->contacts[0].row.arm_b, constraint->mass_split_b);
    for (size_t i = 0; i < p->count; i++) {
        vec3 old = p->step->constraints[p->first + i].remembered, none = {0, 0, 0};
        p->old_a = plus(p->old_a, wrench_on(p->contacts[i].row.arm_a, old, none), -1);
        p->old_b = plus(p->old_b, wrench_on(p->contacts[i].row.arm_b, old, none), 1);
    }
    p->a.after = p->a.start = moved(p->a.warm_started, &p->a, p->old_a, -1);
    p->b.after = p->b.start = moved(p->b.warm_started, &p->b, p->old_b, -1);
    for (size_t i = 0; i < p->count; i++)
        set_local(&p->contacts[i], &p->a, &p->b, &p->problem.contacts[i]);
    return true;
}

// Did rebounds create energy? Several contacts with different restitution can.
static bool rebound_creates_energy(const pair *p)
{
    double rebound = 0;
    for (size_t i = 0; i < p->count; i++)
        rebound = fmax(rebound, p->contacts[i].rebound);
    double handled = fabs(work(p->new_a, p->a.start, p->a.after)) + fabs(work(p->new_b, p->b.start, p->b.after));
    return rebound > 0 && gain_of_both(p) > 1e-9 * handled;
}

static void collide_pair(ffd_step *step, size_t first, size_t end, arena *scratch)
{
    pair p = {.step = step, .first = first, .count = end - first};
    contact_constraint *constraint = &step->constraints[first];
    if (!take_pair(&p, scratch)) {
        note_steps(step, -1);
        return;
    }
    whiten(&p.a, &p.b, p.problem.whitened);
    solve_pair(&p, scratch);
    if (rebound_creates_energy(&p)) {
        for (size_t i = 0; i < p.count; i++)
            p.problem.contacts[i].rebound = 0;
        solve_pair(&p, scratch);
    }
    take_gains(&p, constraint);
    bool closing = false;
    for (size_t i = 0; i < p.count; i++) {
        constraint[i].velocity = compression_velocity(&p.contacts[i], &p.a, &p.b);
        constraint[i].impulse = p.problem.contacts[i].impulse;
        constraint[i].angular_impulse = p.problem.contacts[i].angular_impulse;
        closing = closing || p.problem.contacts[i].strength > 0;
    }
    for (size_t i = 0; i < p.count; i++)
        constraint[i].closing = closing;
}

static bool same_pair(const ffd_step *step, size_t i, size_t k)
{
    const contact *contacts = step->problem.contacts;
    return contacts[i].a == contacts[k].a && contacts[i].b == contacts[k].b;
}

static size_t pair_end(const ffd_step *step, size_t first)
{
    size_t end = first + 1;
    while (end < step->problem.contact_count && same_pair(step, first, end))
        end++;
    return end;
}

bool has_one_pair(const ffd_step *step, size_t slot)
{
    size_t first = step->first[slot];
    for (size_t k = first + 1; k < step->first[slot + 1]; k++)
        if (!same_pair(step, step->touching[first], step->touching[k]))
            return false;
    return true;
}

// Line 12: is a constraint of the pair violated, or was it held in the last step?
static void find_closing(ffd_step *step, size_t first, size_t end)
{
    double resting = 2 * step->problem.step * step->problem.gravity_length;
    bool closing = false;
    for (size_t i = first; i < end; i++) {
        ffd_contact c = ffd_contact_of(step, i);
        double speed = vec3_dot(c.row.normal, c.approach);
        step->constraints[i] = (contact_constraint){0};
        if (speed <= resting)
            step->constraints[i].remembered = vec3_from_f(step->problem.contacts[i].impulse);
        closing = closing || speed < c.slowest || vec3_dot(c.row.normal, step->constraints[i].remembered) > 0;
    }
    for (size_t i = first; i < end; i++)
        step->constraints[i].closing = closing;
}

static void solve_closing_pair(ffd_step *step, size_t first, size_t end)
{
    arena *scratch = &step->workers[thread_index()];
    if (!step->constraints[first].closing)
        return;
    arena_rewind(scratch);
    collide_pair(step, first, end, scratch);
}

// All pairs, in blocks; a pair belongs to the block in which it begins.
static void for_each_pair(ffd_step *step, void (*visit)(ffd_step *step, size_t first, size_t end))
{
    size_t count = step->problem.contact_count, blocks = block_count(count, CONTACT_BLOCK);
#pragma omp parallel for num_threads(step->problem.threads) schedule(dynamic)
    for (size_t b = 0; b < blocks; b++) {
        size_t i = b * CONTACT_BLOCK;
        while (i > 0 && i < count && same_pair(step, i - 1, i))
            i++;
        while (i < block_end(b, CONTACT_BLOCK, count)) {
            size_t end = pair_end(step, i);
            visit(step, i, end);
            i = end;
        }
    }
}

// ---------------------------------------------------------------------------------------- a body and all its pairs

static wrench wrench_of(const vec3 *position, const contact *c, size_t slot, vec3 impulse)
{
    vec3 arm = vec3_from_f(c->arm), none = {0, 0, 0};
    if (c->a == slot)
        return wrench_on(arm, vec3_negate(impulse), none);
    return wrench_on(arm_of_b(position, c), impulse, none);
}

// The velocity with the impulses of the last step. They are taken as far as they take energy from the body, or
// balance the forces of this step, and no further: some of them may have stopped a fall. A pair that is the only one
// takes away what it did itself.
static void warm_start_body(ffd_step *step, size_t slot, const side *whole)
{
    const step_problem *problem = &step->problem;
    wrench sum = {{0, 0, 0}, {0, 0, 0}};
    for (size_t k = step->first[slot]; k < step->first[slot + 1]; k++) {
        size_t i = step->touching[k];
        sum = plus(sum, wrench_of(problem->position, &problem->contacts[i], slot, step->constraints[i].remembered), 1);
    }
    body_velocity change = change_by(whole, sum), before = step->before[slot];
    body_velocity kick = {vec3_sub(before.velocity, problem->velocity[slot]),
                          vec3_sub(before.spin, problem->spin[slot])};
    double square = work(sum, change, change);
    double stopping = -fmin(work(sum, before, before), work(sum, kick, kick));
    double warm_part = square > 0 && !has_one_pair(step, slot) ? fmin(1, fmax(0, stopping / square)) : 1;
    step->warm_part[slot] = warm_part;
    step->warm_started[slot] = moved(before, whole, sum, warm_part);
}

// By how much a pair of the body may be felt in another one: the cosine between what they do to it.
static double cosine_between(const side *whole, wrench a, wrench b)
{
    body_velocity by_a = change_by(whole, a), by_b = change_by(whole, b);
    double square = 4 * work(a, by_a, by_a) * work(b, by_b, by_b);
    return square > 0 ? fmin(1, fabs(work(a, by_b, by_b)) / sqrt(0.25 * square)) : 1;
}

static void set_mass_split(ffd_step *step, size_t slot, size_t first, double split)
{
    bool is_a = step->problem.contacts[first].a == slot;
    *(is_a ? &step->constraints[first].mass_split_a : &step->constraints[first].mass_split_b) = split;
}

// A pair's part of the body's mass is one over the sum of its couplings, itself included: what all pairs together do to
// the body costs no more energy than what each of them does to its part, since a symmetric matrix is bounded by the
// diagonal of its row sums. Pairs that act across each other have the whole mass each.
static void split_mass(ffd_step *step, size_t slot, const side *whole)
{
    const contact *contacts = step->problem.contacts;
    wrench of[MOST_SPLIT];
    uint32_t firsts[MOST_SPLIT];
    size_t count = 0;
    for (size_t k = step->first[slot]; k < step->first[slot + 1]; k++) {
        uint32_t i = step->touching[k];
        if (!step->constraints[i].closing)
            continue;
        bool begins = i == 0 || !same_pair(step, i - 1, i);
        wrench by = wrench_of(step->problem.position, &contacts[i], slot, vec3_from_f(contacts[i].normal));
        count += begins;
        if (count > MOST_SPLIT)
            continue;
        of[count - 1] = begins ? by : plus(of[count - 1], by, 1);
        if (begins)
            firsts[count - 1] = i;
    }
    if (count <= MOST_SPLIT) {
        for (size_t i = 0; i < count; i++) {
            double sum = 0;
            for (size_t k = 0; k < count; k++)
                sum += i == k ? 1 : cosine_between(whole, of[i], of[k]);
            set_mass_split(step, slot, firsts[i], sum);
        }
        return;
    }
    for (size_t k = step->first[slot]; k < step->first[slot + 1]; k++)
        if (step->constraints[step->touching[k]].closing)
            set_mass_split(step, slot, step->touching[k], (double)count);
}

static void prepare_bodies(ffd_step *step)
{
    const step_problem *problem = &step->problem;
#pragma omp parallel for num_threads(problem->threads) schedule(static)
    for (size_t slot = 0; slot < problem->body_count; slot++) {
        step->warm_started[slot] = step->before[slot];
        step->warm_part[slot] = 1;
        if (problem->immovable[slot] || step->first[slot] == step->first[slot + 1])
            continue;
        side whole = side_of(step, slot, vec3_make(0, 0, 0), 1);
        warm_start_body(step, slot, &whole);
        split_mass(step, slot, &whole);
    }
}

void calculate_constraints(ffd_step *step)
{
    for_each_pair(step, find_closing);
    prepare_bodies(step);
    for_each_pair(step, solve_closing_pair);
}
