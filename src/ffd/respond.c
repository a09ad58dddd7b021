// One body and everything that it touches: lines 22 to 31 of Algorithm 1.
//
// The closest feasible velocity may hand the body more energy than its pairs have to give, since each body answers for
// itself. Then as much of it is taken as the energy limit allows, and the rest from what they found on their own, in
// which no energy is created and no momentum is lost: a part of the body's mass for each of them, whose mean is the
// body again.
#include "base/threads.h"
#include "ffd/ffd.h"

// Where constraints contradict each other, those of immovable bodies are kept.
static const double hard = 1e-10, soft = 1e-7;

static const double rounding = 1e-12;

// Softness of push-out: a body between others that push it both ways shall not slip out sideways.
static const double yielding = 0.1;

typedef struct response {
    ffd_step *step;
    size_t slot;
    uint32_t *touching;    // its contacts, closing ones first
    size_t count, closing; // of them
    ffd_contact *contacts;
    local_problem problem;
    body_velocity before, paired; // without contacts, and as its pairs found
    double energy_limit;          // energy that it may end with
} response;

void note_steps(ffd_step *step, int steps)
{
    int *most = &step->most_steps[thread_index()];
    if (*most >= 0)
        *most = steps < 0 || steps > *most ? steps : *most;
}

static bool is_a(const response *r, size_t i)
{
    return r->contacts[i].row.a == r->slot;
}

static size_t other_of(const response *r, size_t i)
{
    return is_a(r, i) ? r->contacts[i].row.b : r->contacts[i].row.a;
}

static bool is_hard(const response *r, size_t i)
{
    return r->step->problem.immovable[other_of(r, i)];
}

static double kinetic(const step_problem *problem, size_t slot, body_velocity of)
{
    vec3 local = quat_rotate_back(problem->orientation[slot], of.spin);
    vec3 inertia = vec3_from_f(problem->inertia[slot]);
    return 0.5 *
           (problem->mass[slot] * vec3_dot(of.velocity, of.velocity) + vec3_dot(local, vec3_multiply(inertia, local)));
}

// Rows are whitened by M^(-1/2), in world axes.
static void whiten(response *r)
{
    const step_problem *problem = &r->step->problem;
    double of_mass = 1 / sqrt(problem->mass[r->slot]);
    vec3 inertia = vec3_from_f(problem->inertia[r->slot]);
    double of_inertia[3] = {1 / sqrt(inertia.x), 1 / sqrt(inertia.y), 1 / sqrt(inertia.z)};
    mat3 axes = mat3_from_quat(problem->orientation[r->slot]);
    memset(r->problem.whitened, 0, sizeof r->problem.whitened);
    for (int i = 0; i < 3; i++) {
        r->problem.whitened[i][i] = of_mass;
        for (int k = 0; k < 3; k++)
            for (int m = 0; m < 3; m++)
                r->problem.whitened[3 + i][3 + k] += axes.m[i][m] * of_inertia[m] * axes.m[k][m];
    }
}

// The spin that two bodies would share.
static vec3 shared_spin(const response *r, size_t i)
{
    const step_problem *problem = &r->step->problem;
    vec3 other = r->step->before[other_of(r, i)].spin;
    if (is_hard(r, i))
        return other;
    double own = vec3_max(vec3_from_f(problem->inertia[r->slot]));
    double its = vec3_max(vec3_from_f(problem->inertia[other_of(r, i)]));
    return vec3_add_scaled(r->before.spin, vec3_sub(other, r->before.spin), its / (own + its));
}

// A contact as seen from the body: pushed along the normal if it is b, against it if it is a.
static local_contact seen_from(const response *r, size_t i)
{
    const ffd_contact *c = &r->contacts[i];
    double side = is_a(r, i) ? -1 : 1;
    vec3 arm = is_a(r, i) ? c->row.arm_a : c->row.arm_b;
    vec3 wanted = vec3_sub(r->step->constraints[r->touching[i]].velocity, point_velocity(r->before, arm));
    return (local_contact){.normal = vec3_scale(c->row.normal, side),
                           .arm = arm,
                           .least = side * vec3_dot(c->row.normal, wanted) + (is_a(r, i) ? 0 : c->slowest),
                           .slide = wanted,
                           .roll = vec3_sub(shared_spin(r, i), r->before.spin),
                           .friction = c->row.friction,
                           .rolling = c->row.rolling,
                           .spinning = c->row.spinning,
                           .rebound = c->rebound,
                           .softness = is_hard(r, i) ? hard : soft};
}

static void add_wrench(const response *r, size_t i, vec3 impulse, vec3 angular_impulse, vec3 *force, vec3 *torque)
{
    const ffd_contact *c = &r->contacts[i];
    double side = is_a(r, i) ? -1 : 1;
    vec3 turned = vec3_cross(is_a(r, i) ? c->row.arm_a : c->row.arm_b, impulse);
    *force = vec3_add_scaled(*force, impulse, side);
    *torque = vec3_add_scaled(*torque, vec3_add(turned, angular_impulse), side);
}

// What its pairs found: velocity, and energy.
static void add_pairs(response *r)
{
    const step_problem *problem = &r->step->problem;
    body_velocity warm_started = r->step->warm_started[r->slot];
    vec3 force = {0, 0, 0}, torque = {0, 0, 0};
    r->energy_limit = kinetic(problem, r->slot, r->before);
    for (size_t i = 0; i < r->count; i++) {
        const contact_constraint *constraint = &r->step->constraints[r->touching[i]];
        add_wrench(r, i, vec3_sub(constraint->impulse, constraint->remembered), constraint->angular_impulse, &force,
                   &torque);
        r->energy_limit += is_a(r, i) ? constraint->gain_a : constraint->gain_b;
    }
    mat3 inverse = inverse_inertia_at(problem->inertia[r->slot], &problem->orientation[r->slot]);
    r->paired.velocity = vec3_add_scaled(warm_started.velocity, force, 1 / problem->mass[r->slot]);
    r->paired.spin = vec3_add(warm_started.spin, mat3_apply(&inverse, torque));
}

// Collects the contacts of the body, closing ones first: those make its local problem.
static bool take(response *r, arena *scratch)
{
    const ffd_step *step = r->step;
    const uint32_t *touching = step->touching + step->first[r->slot];
    r->count = step->first[r->slot + 1] - step->first[r->slot];
    r->touching = arena_array(scratch, uint32_t, r->count);
    r->contacts = arena_array(scratch, ffd_contact, r->count);
    r->problem.contacts = arena_array(scratch, local_contact, r->count);
    if (!r->touching || !r->contacts || !r->problem.contacts)
        return false;
    size_t behind = 0;
    for (size_t i = 0; i < r->count; i++)
        r->closing += step->constraints[touching[i]].closing;
    for (size_t i = 0, front = 0; i < r->count; i++)
        r->touching[step->constraints[touching[i]].closing ? front++ : r->closing + behind++] = touching[i];
    for (size_t i = 0; i < r->count; i++)
        r->contacts[i] = ffd_contact_of(step, r->touching[i]);
    for (size_t i = 0; i < r->count; i++)
        r->problem.contacts[i] = seen_from(r, i);
    return true;
}

static bool touches_moved(const response *r)
{
    for (size_t i = 0; i < r->count; i++) {
        const body_velocity *other = &r->step->before[other_of(r, i)];
        if (is_hard(r, i) && vec3_dot(other->velocity, other->velocity) + vec3_dot(other->spin, other->spin) > 0)
            return true;
    }
    return false;
}

static body_velocity between(body_velocity from, body_velocity to, double part)
{
    return (body_velocity){vec3_add_scaled(from.velocity, vec3_sub(to.velocity, from.velocity), part),
                           vec3_add_scaled(from.spin, vec3_sub(to.spin, from.spin), part)};
}

// Goes from the velocity that its pairs found as far towards `wanted` as the energy limit allows.
static body_velocity limit_energy(const response *r, body_velocity wanted)
{
    const step_problem *problem = &r->step->problem;
    double most = kinetic(problem, r->slot, wanted), least = kinetic(problem, r->slot, r->paired);
    double room = r->energy_limit - least;
    if (room <= 0) {
        double part = least > 0 ? sqrt(fmax(0, r->energy_limit) / least) : 0;
        return (body_velocity){vec3_scale(r->paired.velocity, part), vec3_scale(r->paired.spin, part)};
    }
    // square s^2 + slope s = room at the part s of the way
    double middle = kinetic(problem, r->slot, between(r->paired, wanted, 0.5));
    double square = 2 * (least + most) - 4 * middle, slope = most - least - square;
    double root = sqrt(fmax(0, slope * slope + 4 * square * room));
    double part = slope > 0 ? 2 * room / (slope + root) : (root - slope) / (2 * square);
    return between(r->paired, wanted, fmin(1, fmax(0, part)));
}

static body_velocity respond_to(response *r, arena *scratch)
{
    body_velocity found = r->paired, change;
    r->problem.count = r->closing;
    if (!has_one_pair(r->step, r->slot)) { // otherwise the pair has found it
        note_steps(r->step, local_respond(&r->problem, true, scratch, &change));
        found = (body_velocity){vec3_add(r->before.velocity, change.velocity), vec3_add(r->before.spin, change.spin)};
    }
    if (touches_moved(r) || kinetic(&r->step->problem, r->slot, found) <= r->energy_limit * (1 + rounding))
        return found;
    return limit_energy(r, found);
}

// Overlaps are pushed out by a velocity of this step only, to which each body contributes as it gives way.
static body_velocity push_out(response *r, arena *scratch)
{
    bool any = false;
    const double *mass = r->step->problem.mass;
    for (size_t i = 0; i < r->count; i++) {
        const ffd_contact *c = &r->contacts[i];
        double part = is_hard(r, i) ? 1 : mass[other_of(r, i)] / (mass[other_of(r, i)] + mass[r->slot]);
        r->problem.contacts[i].softness = yielding;
        r->problem.contacts[i].least = part * (c->push + c->slowest);
        any = any || c->push > 0;
    }
    body_velocity change = {{0, 0, 0}, {0, 0, 0}};
    r->problem.count = r->count;
    if (any)
        note_steps(r->step, local_respond(&r->problem, false, scratch, &change));
    return change;
}

void respond(ffd_step *step, size_t slot)
{
    arena *scratch = &step->workers[thread_index()];
    response r = {.step = step, .slot = slot, .before = step->before[slot]};
    step->after[slot] = r.before;
    step->pushed[slot] = (body_velocity){{0, 0, 0}, {0, 0, 0}};
    if (step->first[slot] == step->first[slot + 1])
        return;
    arena_rewind(scratch);
    whiten(&r);
    if (!take(&r, scratch)) {
        note_steps(step, -1);
        return;
    }
    if (r.closing > 0) {
        add_pairs(&r);
        step->after[slot] = respond_to(&r, scratch);
    }
    step->pushed[slot] = push_out(&r, scratch);
}
