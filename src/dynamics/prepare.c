// From contacts to the problem of this step: equations (4)-(7) and (9)-(10) of Negrut et al. 2010.
#include "base/error.h"
#include "base/threads.h"
#include "dynamics/solution.h"

// Bodies come to rest at this overlap, as a part of the smaller radius.
static const double resting_depth = 0.001;

void note_pairs(scree_world *world)
{
    if (world->pairs_noted)
        return;
    world->cohesive = world->rich = world->bouncy = false;
    for (size_t i = 0; i < world->pairs.count; i++) {
        const pair_properties *pair = &world->pairs.data[i];
        world->cohesive |= pair->cohesion > 0;
        world->bouncy |= pair->restitution > 0;
        world->rich |= pair->rolling > 0 || pair->spinning > 0 || pair->stiffness > 0;
    }
    world->pairs_noted = true;
}

static const pair_properties *pair_of(const scree_world *world, const contact *c)
{
    return &world->pairs.data[pair_index(world, c->material_a, c->material_b)];
}

static double smaller_radius(const scree_world *world, const contact *c)
{
    float a = world->bodies.radius.data[c->a], b = world->bodies.radius.data[c->b];
    return (double)(a < b ? a : b);
}

// Where body b's end of a contact is, seen from its centre of mass.
static vec3 arm_of_b(const scree_world *world, const contact *c)
{
    const vec3 *position = world->bodies.position.data;
    return vec3_add(vec3_from_f(c->arm), vec3_sub(position[c->a], position[c->b]));
}

static vec3 approach_velocity(const scree_world *world, const contact *c)
{
    const vec3 *velocity = world->bodies.velocity.data, *spin = world->bodies.spin.data;
    vec3 at_a = vec3_add(velocity[c->a], vec3_cross(spin[c->a], vec3_from_f(c->arm)));
    vec3 at_b = vec3_add(velocity[c->b], vec3_cross(spin[c->b], arm_of_b(world, c)));
    return vec3_sub(at_b, at_a);
}

// Contacts that touch pull, and so do those that the convex law holds apart while they slide.
double cohesive_pull(const scree_world *world, const contact *c)
{
    const pair_properties *pair = pair_of(world, c);
    if (!(pair->cohesion > 0))
        return 0;
    double reach = resting_depth * smaller_radius(world, c);
    if (world->def.solver.friction == SCREE_FRICTION_CONVEX)
        reach += (double)pair->friction * vec3_length(approach_velocity(world, c)) * world->def.step;
    return (double)c->gap <= reach ? (double)pair->cohesion : 0;
}

static void add_load(body_load *load, vec3 arm, vec3 force)
{
    load->force = vec3_add(load->force, force);
    load->torque = vec3_add(load->torque, vec3_cross(arm, force));
}

// A contact that may pull with the force F is an ordinary one between bodies that attract each other with F: its
// impulse is larger by h F than the one that acts, and so is what friction is measured by.
static void add_cohesion(const scree_world *world, body_load *loads)
{
    for (size_t i = 0; i < world->contacts.count; i++) {
        const contact *c = &world->contacts.data[i];
        double pull = cohesive_pull(world, c);
        if (pull == 0)
            continue;
        vec3 force = vec3_scale(vec3_normalize(vec3_from_f(c->normal)), pull);
        add_load(&loads[c->a], vec3_from_f(c->arm), force);
        add_load(&loads[c->b], arm_of_b(world, c), vec3_scale(force, -1));
    }
}

// All zero but for the applied forces; NULL when out of memory.
static body_load *sum_forces(scree_world *world)
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
    *loads = world->forces.count > 0 ? sum_forces(world) : NULL;
    return *loads || world->forces.count == 0;
}

bool gather_loads(scree_world *world, const body_load **loads)
{
    note_pairs(world);
    if (!world->cohesive)
        return gather_forces(world, loads);
    body_load *sums = sum_forces(world);
    *loads = sums;
    if (sums)
        add_cohesion(world, sums);
    return sums;
}

mat3 inverse_inertia(const scree_world *world, size_t slot)
{
    vec3 inertia = vec3_from_f(world->bodies.inertia.data[slot]);
    vec3 inverse = vec3_make(1 / inertia.x, 1 / inertia.y, 1 / inertia.z);
    if (inertia.x == inertia.y && inertia.y == inertia.z)
        return (mat3){{{inverse.x, 0, 0}, {0, inverse.x, 0}, {0, 0, inverse.x}}};
    mat3 axes = mat3_from_quat(world->bodies.orientation.data[slot]);
    mat3 result;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            result.m[i][j] = axes.m[i][0] * inverse.x * axes.m[j][0] + axes.m[i][1] * inverse.y * axes.m[j][1] +
                             axes.m[i][2] * inverse.z * axes.m[j][2];
    return result;
}

void free_velocity(const scree_world *world, const body_load *loads, size_t slot, vec3 *velocity, vec3 *spin)
{
    const body_store *store = &world->bodies;
    double step = world->def.step;
    *velocity = store->velocity.data[slot];
    *spin = store->spin.data[slot];
    if (store->immovable.data[slot])
        return;
    *velocity = vec3_add_scaled(*velocity, world->def.gravity, step);
    if (!loads)
        return;
    mat3 inverse = inverse_inertia(world, slot);
    *velocity = vec3_add_scaled(*velocity, loads[slot].force, step / store->mass.data[slot]);
    *spin = vec3_add_scaled(*spin, mat3_apply(&inverse, loads[slot].torque), step);
}

problem_body free_body(const scree_world *world, const body_load *loads, size_t slot)
{
    problem_body body = {0};
    free_velocity(world, loads, slot, &body.velocity, &body.spin);
    if (!world->bodies.immovable.data[slot]) {
        body.inverse_mass = 1 / world->bodies.mass.data[slot];
        body.inverse_inertia = inverse_inertia(world, slot);
    }
    return body;
}

// Fastest push-out of an overlap: slow against what a body of this size gains by falling its own radius.
static double recovery_speed(const scree_world *world, const contact *c)
{
    if (world->def.solver.recovery_speed > 0)
        return world->def.solver.recovery_speed;
    double radius = smaller_radius(world, c);
    return world->gravity > 0 ? 0.25 * sqrt(world->gravity * radius) : 0.02 * radius / world->def.step;
}

// Speeds that gravity gives within two steps are those of rest, not of an impact or of sliding.
static double resting_speed(const scree_world *world)
{
    return 2 * world->def.step * world->gravity;
}

// b of (10): a gap closes, and a little further, so that what rests does touch; a larger overlap is pushed out at a
// limited speed. Around the depth of rest nothing is corrected: there a solution that has not fully converged would be
// answered in the next step by a correction as large as its error, on top of the error itself, and tall stacks would
// rock themselves to pieces. What is set up to touch exactly, and does so but for rounding, rests as it is: if some of
// its points were let down, and others not, it would lean. In the convex law sliding narrows that band, since a sliding
// contact keeps its distance mu |u_t| h only where the gap is corrected.
//
//             -2 depth    -depth      0  depth / 4
//     push-out    |...........rest.......|    approach        (band at full width)
static double gap_bias(const scree_world *world, const contact *c, double approach, double slip)
{
    double depth = resting_depth * smaller_radius(world, c), speed = resting_speed(world);
    double band = slip > 0 ? depth * fmax(0, 1 - slip / speed) : depth;
    double above = (double)c->gap + depth;
    if (above > band * (approach > -speed ? 1.25 : 1))
        return above / world->def.step;
    return above < -band ? fmax((above + band) / world->def.step, -recovery_speed(world, c)) : 0;
}

// A collision rebounds by restitution from its approach velocity, without push-out on top.
static bool rebounds_at(const scree_world *world, const contact *c, double approach)
{
    const pair_properties *pair = pair_of(world, c);
    bool closes = (double)c->gap + world->def.step * approach <= 0;
    return pair->restitution > 0 && pair->stiffness == 0 && closes && approach < -resting_speed(world);
}

static double normal_bias(const scree_world *world, const contact *c, vec3 normal)
{
    vec3 velocity = approach_velocity(world, c);
    double approach = vec3_dot(normal, velocity);
    if (rebounds_at(world, c, approach))
        return (double)pair_of(world, c)->restitution * approach;
    bool parts = world->def.solver.friction == SCREE_FRICTION_CONVEX;
    return gap_bias(world, c, approach, parts ? vec3_length(vec3_add_scaled(velocity, normal, -approach)) : 0);
}

bool contact_rebounds(const scree_world *world, const contact *c)
{
    vec3 normal = vec3_normalize(vec3_from_f(c->normal));
    return rebounds_at(world, c, vec3_dot(normal, approach_velocity(world, c)));
}

// A spring k with a damper d, taken at the end of the step: p = -h k (gap + h u_n) - h d u_n.
static void set_spring(const scree_world *world, const contact *c, const pair_properties *pair, problem_row *row)
{
    double h = world->def.step, k = (double)pair->stiffness, d = (double)pair->damping, gap = (double)c->gap;
    row->compliance = 1 / (h * h * k + h * d);
    row->bias = gap / (gap > 0 ? h : h + d / k);
}

problem_row contact_row(const scree_world *world, size_t index)
{
    const contact *c = &world->contacts.data[index];
    const pair_properties *pair = pair_of(world, c);
    problem_row row; // every field is set below: clearing it first would take as long as all the rest
    row.a = c->a;
    row.b = c->b;
    row.normal = vec3_normalize(vec3_from_f(c->normal));
    row.arm_a = vec3_from_f(c->arm);
    row.arm_b = arm_of_b(world, c);
    row.friction = (double)pair->friction;
    row.rolling = (double)pair->rolling;
    row.spinning = (double)pair->spinning;
    row.compliance = 0;
    if (pair->stiffness > 0)
        set_spring(world, c, pair, &row);
    else
        row.bias = normal_bias(world, c, row.normal);
    row.impulse = world->def.solver.warm_start ? vec3_from_f(c->impulse) : vec3_make(0, 0, 0);
    row.angular_impulse = vec3_make(0, 0, 0);
    return row;
}

// Is the arm along the normal, as in every contact of a ball in its centre?
static bool is_radial(vec3 arm, vec3f normal)
{
    vec3 across = vec3_cross(arm, vec3_from_f(normal));
    return vec3_dot(across, across) <= 1e-10 * vec3_dot(arm, arm);
}

static bool is_between_balls(const scree_world *world, const contact *c)
{
    const uint8_t *immovable = world->bodies.immovable.data;
    return (immovable[c->a] || is_radial(vec3_from_f(c->arm), c->normal)) &&
           (immovable[c->b] || is_radial(arm_of_b(world, c), c->normal));
}

static problem_kind kind_of_problem(const scree_world *world)
{
    if (world->rich)
        return PROBLEM_RICH;
    size_t uneven = 0, others = 0;
    const vec3f *inertia = world->bodies.inertia.data;
    const uint8_t *immovable = world->bodies.immovable.data;
#pragma omp parallel for num_threads(world->threads) schedule(static) reduction(+ : uneven, others)
    for (size_t i = 0; i < world->bodies.count; i++) {
        uneven += !immovable[i] && (inertia[i].x != inertia[i].y || inertia[i].y != inertia[i].z);
        others += immovable[i] && vec3_length(world->bodies.spin.data[i]) > 0;
    }
    if (uneven > 0)
        return PROBLEM_PLAIN;
    if (others > 0 || world->def.solver.precision == SCREE_DOUBLE) // arms are along normals to single precision
        return PROBLEM_ROUND;
#pragma omp parallel for num_threads(world->threads) schedule(static) reduction(+ : others)
    for (size_t i = 0; i < world->contacts.count; i++)
        others += !is_between_balls(world, &world->contacts.data[i]);
    return others ? PROBLEM_ROUND : PROBLEM_BALLS;
}

// Faster than what gravity alone does to a body at rest: such a push-out would be felt as a rebound.
bool contact_is_pushed(const scree_world *world, const contact *c)
{
    double depth = resting_depth * smaller_radius(world, c);
    return (double)c->gap < -2 * depth - world->def.step * resting_speed(world) && pair_of(world, c)->stiffness == 0;
}

problem_row relaxed_row(const scree_world *world, size_t index)
{
    problem_row row = contact_row(world, index);
    if (contact_is_pushed(world, &world->contacts.data[index]))
        row.bias = fmax(row.bias, 0);
    return row;
}

problem_row calm_row(const scree_world *world, size_t index)
{
    problem_row row = contact_row(world, index);
    if (row.compliance == 0)
        row.bias = fmax(row.bias, 0);
    return row;
}

static bool find_ends(scree_world *world, const step_solution *solution, problem_ends *ends)
{
    *ends = (problem_ends){NULL, NULL, sizeof(contact)};
    size_t count = solution->islands.swept_contacts;
    const contact *contacts = world->contacts.data;
    if (count > 0 && !solution->swept) {
        ends->a = &contacts[0].a;
        ends->b = &contacts[0].b;
    } else if (count > 0) {
        uint32_t *pairs = arena_array(&world->scratch, uint32_t, 2 * count);
        if (!pairs)
            return false;
        for (size_t i = 0; i < count; i++) {
            pairs[2 * i] = contacts[solution->swept[i]].a;
            pairs[2 * i + 1] = contacts[solution->swept[i]].b;
        }
        *ends = (problem_ends){pairs, pairs + 1, 2 * sizeof *pairs};
    }
    return true;
}

scree_status prepare_problem(scree_world *world, step_solution *solution, scree_error *error)
{
    size_t bodies = world->bodies.count, contacts = solution->islands.swept_contacts;
    contact_problem *problem = &solution->problem;
    problem_ends ends;
    if (!find_ends(world, solution, &ends))
        return fail_no_memory(error);
    scree_status status =
        problem_lay_out_kind(problem, world->def.solver.precision, kind_of_problem(world), bodies,
                             world->bodies.immovable.data, &ends, contacts, world->threads, &world->scratch, error);
    if (status)
        return status;
#pragma omp parallel num_threads(world->threads)
    {
#pragma omp for schedule(static)
        for (size_t i = 0; i < bodies; i++) {
            problem_body body = free_body(world, solution->loads, i);
            problem_set_body(problem, i, &body);
        }
#pragma omp for schedule(static)
        for (size_t i = 0; i < contacts; i++) {
            problem_row row = contact_row(world, solution->swept ? solution->swept[i] : i);
            problem_set_contact(problem, i, &row);
        }
    }
    return SCREE_OK;
}
