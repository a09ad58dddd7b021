#include "contact/row.h"

#include "contact/velocity.h"

// Bodies come to rest at this overlap, as a part of the smaller radius.
static const double resting_depth = 0.001;

// A speed so many times as large as that at which two bodies come near each other is not reached by what they meet.
static const double any_speed = 16;

static vec3 velocity_at_arms(const step_problem *problem, const contact *c, vec3 arm_a, vec3 arm_b)
{
    return relative_velocity(start_velocity(problem, c->a), arm_a, start_velocity(problem, c->b), arm_b);
}

static vec3 approach_velocity(const step_problem *problem, const contact *c)
{
    return velocity_at_arms(problem, c, vec3_from_f(c->arm), second_arm(problem, c));
}

// -------------------------------------------------------------------------------------------------------------- loads

// Contacts that touch pull, and so do those that the convex law holds apart while they slide.
double cohesive_pull(const step_problem *problem, const contact *c)
{
    const pair_properties *pair = pair_of_contact(problem, c);
    if (!(pair->cohesion > 0))
        return 0;
    double reach = resting_depth * smaller_radius(problem, c);
    if (problem->solver.friction == SCREE_FRICTION_CONVEX)
        reach += (double)pair->friction * vec3_length(approach_velocity(problem, c)) * problem->step;
    return (double)c->gap <= reach ? (double)pair->cohesion : 0;
}

static void add_load(body_load *load, vec3 arm, vec3 force)
{
    load->force = vec3_add(load->force, force);
    load->torque = vec3_add(load->torque, vec3_cross(arm, force));
}

// A contact that may pull with the force F is an ordinary one between bodies that attract each other with F: its
// impulse is larger by h F than the one that acts, and so is what friction is measured by.
void add_cohesion(const step_problem *problem, const contact *c)
{
    double pull = cohesive_pull(problem, c);
    if (pull == 0)
        return;
    vec3 force = vec3_scale(vec3_normalize(vec3_from_f(c->normal)), pull);
    if (!problem->immovable[c->a])
        add_load(&problem->loads[c->a], vec3_from_f(c->arm), force);
    if (!problem->immovable[c->b])
        add_load(&problem->loads[c->b], second_arm(problem, c), vec3_scale(force, -1));
}

bool is_loaded(const step_problem *problem, size_t slot)
{
    if (!problem->loads)
        return false;
    const body_load *load = &problem->loads[slot];
    vec3 f = load->force, t = load->torque;
    return f.x != 0 || f.y != 0 || f.z != 0 || t.x != 0 || t.y != 0 || t.z != 0;
}

// A body without a load keeps the signs of its zeros, whether others have one or not.
body_velocity free_velocity_of(const step_problem *problem, size_t slot)
{
    body_velocity at = start_velocity(problem, slot);
    if (problem->immovable[slot])
        return at;
    bool starts = problem->starting && problem->starting[slot];
    at.velocity = vec3_add_scaled(at.velocity, problem->gravity, starts ? 0.5 * problem->step : problem->step);
    if (!is_loaded(problem, slot))
        return at;
    mat3 inverse = inverse_inertia_at(problem->inertia[slot], &problem->orientation[slot]);
    at.velocity = vec3_add_scaled(at.velocity, problem->loads[slot].force, problem->step / problem->mass[slot]);
    at.spin = vec3_add_scaled(at.spin, mat3_apply(&inverse, problem->loads[slot].torque), problem->step);
    return at;
}

problem_body free_body(const step_problem *problem, size_t slot)
{
    body_velocity at = free_velocity_of(problem, slot);
    problem_body body = {.velocity = at.velocity, .spin = at.spin};
    if (!problem->immovable[slot]) {
        body.inverse_mass = 1 / problem->mass[slot];
        body.inverse_inertia = inverse_inertia_at(problem->inertia[slot], &problem->orientation[slot]);
    }
    return body;
}

// --------------------------------------------------------------------------------------------------------------- rows

// Fastest push-out of an overlap: slow against what a body of this size gains by falling its own radius.
static double recovery_speed(const step_problem *problem, const contact *c)
{
    if (problem->solver.recovery_speed > 0)
        return problem->solver.recovery_speed;
    double radius = smaller_radius(problem, c), gravity = problem->gravity_length;
    return gravity > 0 ? 0.25 * sqrt(gravity * radius) : 0.02 * radius / problem->step;
}

// Slop, as other engines call it: a gap closes, and a little further, so that what rests does touch; a larger overlap
// is pushed out at a limited speed (b of (10)). Around the depth of rest nothing is corrected: there a solution that
// has not fully converged would be answered in the next step by a correction as large as its error, on top of the error
// itself, and tall stacks would rock themselves to pieces. What is set up to touch exactly, and does so but for
// rounding, rests as it is: if some of its points were let down, and others not, it would lean. In the convex law
// sliding narrows that band, since a sliding contact keeps its distance mu |u_t| h only where the gap is corrected.
//
//             -2 depth    -depth      0  depth / 4
//     push-out    |...........rest.......|    approach        (band at full width)
static contact_speeds gap_speeds(const step_problem *problem, const contact *c, double approach, double slip)
{
    double depth = resting_depth * smaller_radius(problem, c), speed = resting_speed(problem);
    double band = slip > 0 ? depth * fmax(0, 1 - slip / speed) : depth;
    double above = (double)c->gap + depth;
    if (above > band * (approach > -speed ? 1.25 : 1))
        return (contact_speeds){.approach = above / problem->step};
    if (above < -band)
        return (contact_speeds){.push_out = fmin(-(above + band) / problem->step, recovery_speed(problem, c))};
    return (contact_speeds){0};
}

// How much faster the second body of a contact gets against the first by gravity in the step, along a normal.
static double falling_speed(const step_problem *problem, const contact *c, vec3 normal)
{
    double of_b = problem->immovable[c->b] ? 0 : 1, of_a = problem->immovable[c->a] ? 0 : 1;
    return (of_b - of_a) * problem->step * vec3_dot(normal, problem->gravity);
}

// Does a point of a pair that meets within the step touch at the moment of that?
static bool is_struck(const step_problem *problem, const contact *c, const pair_meeting *met, double approach)
{
    double path = problem->step * (approach + falling_speed(problem, c, vec3_from_f(c->normal)));
    double then = (double)c->gap + (double)met->moment * path;
    return met->kind == MEETING_HIT && approach < 0 && then <= 2 * resting_depth * smaller_radius(problem, c);
}

// A collision rebounds by restitution from its approach velocity, without push-out on top.
static bool rebounds_at(const step_problem *problem, const contact *c, const pair_meeting *met, double approach)
{
    const pair_properties *pair = pair_of_contact(problem, c);
    bool meets = met ? is_struck(problem, c, met, approach) : (double)c->gap + problem->step * approach <= 0;
    return pair->restitution > 0 && pair->stiffness == 0 && meets && approach < -resting_speed(problem);
}

// After an impact at the moment t, in parts of the step, bodies move to it, and on from there by what they keep. Before
// the step their velocities are those of half a step ago, and after it those of half a step to its end, so with f, the
// speed that gravity gives in a step,
//
//     u_t = u + (1/2 + t) f,     u' = -e u_t + (1/2 - t) f,     h mean = -gap + h (1 - t) (-e u_t) + h (1 - t)^2 f / 2
static contact_speeds rebound_after_flight(const step_problem *problem, const contact *c, double moment,
                                           double approach, double fall)
{
    double way = problem->step * -(approach + 0.5 * fall * (1 + moment)),
           t = way > 0 ? fmin(1, (double)c->gap / way) : 1;
    double after = -(double)pair_of_contact(problem, c)->restitution * (approach + (0.5 + t) * fall);
    double rebound = fmax(0, after + (0.5 - t) * fall);
    double mean = (1 - t) * after + 0.5 * (1 - t) * (1 - t) * fall - (double)c->gap / problem->step;
    return (contact_speeds){.rebound = rebound, .flight = rebound - mean, .lift = (1 - 2 * t) * fall};
}

// What does not rebound comes to rest as deep as all else does.
static contact_speeds stop_after_flight(const step_problem *problem, const contact *c, double moment, double opening)
{
    double depth = opening > 0 ? 0 : resting_depth * smaller_radius(problem, c);
    double mean = (1 - moment) * opening - ((double)c->gap + depth) / problem->step;
    return (contact_speeds){.rebound = opening, .flight = opening - mean};
}

// What may meet after another impact, or as something else turns it aside: bodies do not move through each other, and
// the blow itself is left to the next step. At the end of this one any speed is allowed.
static contact_speeds later_speeds(const step_problem *problem, const contact *c, vec3 velocity)
{
    double most = ((double)c->gap + resting_depth * smaller_radius(problem, c)) / problem->step;
    double any = any_speed * (most + vec3_length(velocity));
    return (contact_speeds){.approach = any, .flight = most - any};
}

// A contact that touches, by the exact law and without restitution, asks for the same at any velocity.
static contact_speeds find_speeds(const step_problem *problem, const contact *c, const pair_meeting *met,
                                  const problem_row *row)
{
    bool parts = problem->solver.friction == SCREE_FRICTION_CONVEX;
    double opening = problem->opening ? (double)problem->opening[c - problem->contacts] : -1;
    if (!met && opening < 0 && !parts && (double)c->gap <= 0 && !(pair_of_contact(problem, c)->restitution > 0))
        return gap_speeds(problem, c, 0, 0);
    vec3 normal = row->normal, velocity = velocity_at_arms(problem, c, row->arm_a, row->arm_b);
    double approach = vec3_dot(normal, velocity);
    bool rebounds = opening < 0 && rebounds_at(problem, c, met, approach);
    bool struck = met && is_struck(problem, c, met, approach);
    if (met && met->flies && !struck && opening < 0)
        return later_speeds(problem, c, velocity);
    if (met && met->flies && struck)
        return rebounds
                   ? rebound_after_flight(problem, c, (double)met->moment, approach, falling_speed(problem, c, normal))
                   : stop_after_flight(problem, c, (double)met->moment, fmax(0, opening));
    if (opening >= 0)
        return (contact_speeds){.rebound = opening};
    if (rebounds)
        return (contact_speeds){.rebound = -(double)pair_of_contact(problem, c)->restitution * approach};
    return gap_speeds(problem, c, approach, parts ? vec3_length(vec3_add_scaled(velocity, normal, -approach)) : 0);
}

bool contact_rebounds(const step_problem *problem, const contact *c)
{
    vec3 normal = vec3_normalize(vec3_from_f(c->normal));
    double approach = vec3_dot(normal, approach_velocity(problem, c));
    return rebounds_at(problem, c, meeting_of(problem, c), approach);
}

// A spring k with a damper d, taken at the end of the step: p = -h k (gap + h u_n) - h d u_n. It asks for a speed
// towards its length without load, on either side of it.
static contact_speeds set_spring(const step_problem *problem, const contact *c, const pair_properties *pair,
                                 problem_row *row)
{
    double h = problem->step, k = (double)pair->stiffness, d = (double)pair->damping, gap = (double)c->gap;
    row->compliance = 1 / (h * h * k + h * d);
    return (contact_speeds){.approach = gap / (gap > 0 ? h : h + d / k)};
}

// It has nothing to rub on; the relaxed law would hold bodies apart by it.
static bool passes(const pair_meeting *met)
{
    return met && met->kind == MEETING_PASS;
}

bool contact_passes(const step_problem *problem, const contact *c)
{
    return passes(meeting_of(problem, c));
}

// Everything is written where it belongs at once: a row that is made elsewhere and copied takes twice as long.
contact_speeds contact_row_make(const step_problem *problem, size_t index, problem_row *row)
{
    const contact *c = &problem->contacts[index];
    const pair_properties *pair = pair_of_contact(problem, c);
    const pair_meeting *met = meeting_of(problem, c);
    row->a = c->a;
    row->b = c->b;
    row->normal = vec3_normalize(vec3_from_f(c->normal));
    row->arm_a = vec3_from_f(c->arm);
    row->arm_b = arm_of_second(problem, c, met);
    row->bias = 0;
    row->friction = passes(met) ? 0 : (double)pair->friction;
    row->rolling = (double)pair->rolling;
    row->spinning = (double)pair->spinning;
    row->compliance = 0;
    row->impulse = vec3_from_f(c->impulse);
    row->angular_impulse =
        problem->angular_impulses ? vec3_from_f(problem->angular_impulses[index]) : vec3_make(0, 0, 0);
    return pair->stiffness > 0 ? set_spring(problem, c, pair, row) : find_speeds(problem, c, met, row);
}

contact_row contact_row_of(const step_problem *problem, size_t index)
{
    contact_row made;
    made.speeds = contact_row_make(problem, index, &made.row);
    made.pushed = contact_is_pushed(problem, &problem->contacts[index]);
    return made;
}

double whole_bias(const contact_speeds *speeds, bool pushed)
{
    (void)pushed;
    return speeds->approach + speeds->flight - speeds->push_out - speeds->rebound;
}

double bias_without_push_out(const contact_speeds *speeds, bool pushed)
{
    return speeds->approach - (pushed ? 0 : speeds->push_out) - speeds->rebound;
}

double bias_without_rebound(const contact_speeds *speeds, bool pushed)
{
    (void)pushed;
    return speeds->approach;
}

double least_pushed_depth(const step_problem *problem)
{
    return problem->step * resting_speed(problem);
}

// Faster than what gravity alone does to a body at rest: such a push-out would be felt as a rebound.
bool contact_is_pushed(const step_problem *problem, const contact *c)
{
    double deeper = -(double)c->gap - least_pushed_depth(problem);
    const pair_meeting *met = c->gap > 0 ? meeting_of(problem, c) : NULL;
    if (met && met->flies)
        return true;
    return deeper > 0 && deeper > 2 * resting_depth * smaller_radius(problem, c) &&
           pair_of_contact(problem, c)->stiffness == 0;
}
