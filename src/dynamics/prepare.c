// From contacts to the problem of this step: equations (4)-(7) and (9)-(10) of Negrut et al. 2010.
#include "base/error.h"
#include "base/threads.h"
#include "dynamics/solution.h"

// Bodies come to rest at this overlap, as a part of the smaller radius.
static const double resting_depth = 0.001;

bool gather_loads(scree_world *world, const body_load **loads)
{
    *loads = NULL;
    if (world->forces.count == 0)
        return true;
    body_load *sums = arena_array(&world->scratch, body_load, world->bodies.count);
    if (!sums)
        return false;
    memset(sums, 0, world->bodies.count * sizeof *sums);
    for (size_t i = 0; i < world->forces.count; i++) {
        const applied_force *f = &world->forces.data[i];
        body_load *load = &sums[body_slot(&world->bodies, f->id)];
        load->force = vec3_add(load->force, f->force);
        load->torque = vec3_add(load->torque, f->torque);
    }
    *loads = sums;
    return true;
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
    const body_store *store = &world->bodies;
    double radius = (double)fminf(store->radius.data[c->a], store->radius.data[c->b]);
    double gravity = vec3_length(world->def.gravity);
    return gravity > 0 ? 0.25 * sqrt(gravity * radius) : 0.02 * radius / world->def.step;
}

// Speeds that gravity gives within two steps are those of rest, not of an impact or of sliding.
static double resting_speed(const scree_world *world)
{
    return 2 * world->def.step * vec3_length(world->def.gravity);
}

// b of (10): a gap closes, and a little further, so that what rests does touch; a larger overlap is pushed out at a
// limited speed. Around the depth of rest nothing is corrected: there a solution that has not fully converged would be
// answered in the next step by a correction as large as its error, on top of the error itself, and tall stacks would
// rock themselves to pieces. In the convex law sliding narrows that band, since a sliding contact keeps its distance
// mu |u_t| h only where the gap is corrected.
//
//             -2 depth    -depth      0
//     push-out    |........rest.......|    approach        (band at full width)
static double gap_bias(const scree_world *world, const contact *c, double slip)
{
    const body_store *store = &world->bodies;
    double depth = resting_depth * (double)fminf(store->radius.data[c->a], store->radius.data[c->b]);
    double band = slip > 0 ? depth * fmax(0, 1 - slip / resting_speed(world)) : depth;
    double above = (double)c->gap + depth;
    if (above > band)
        return above / world->def.step;
    return fmax(fmin(0, above + band) / world->def.step, -recovery_speed(world, c));
}

// A collision rebounds by restitution from its approach velocity, without push-out on top.
static double normal_bias(const scree_world *world, const contact *c, vec3 normal, vec3 velocity, double restitution)
{
    double approach = vec3_dot(normal, velocity);
    bool closes = (double)c->gap + world->def.step * approach <= 0;
    if (restitution > 0 && closes && approach < -resting_speed(world))
        return restitution * approach;
    bool parts = world->def.solver.friction == SCREE_FRICTION_CONVEX;
    return gap_bias(world, c, parts ? vec3_length(vec3_add_scaled(velocity, normal, -approach)) : 0);
}

problem_row contact_row(const scree_world *world, size_t index)
{
    const body_store *store = &world->bodies;
    const contact *c = &world->contacts.data[index];
    const pair_properties *pair = &world->pairs.data[pair_index(world, c->material_a, c->material_b)];
    problem_row row = {.a = c->a, .b = c->b, .friction = (double)pair->friction};
    row.normal = vec3_normalize(vec3_from_f(c->normal));
    row.arm_a = vec3_from_f(c->arm);
    row.arm_b = vec3_add(row.arm_a, vec3_sub(store->position.data[c->a], store->position.data[c->b]));
    vec3 at_a = vec3_add(store->velocity.data[c->a], vec3_cross(store->spin.data[c->a], row.arm_a));
    vec3 at_b = vec3_add(store->velocity.data[c->b], vec3_cross(store->spin.data[c->b], row.arm_b));
    row.bias = normal_bias(world, c, row.normal, vec3_sub(at_b, at_a), (double)pair->restitution);
    if (world->def.solver.warm_start)
        row.impulse = vec3_from_f(c->impulse);
    return row;
}

static problem_kind kind_of_problem(const scree_world *world)
{
    size_t bodies = world->bodies.count, uneven = 0;
    const vec3f *inertia = world->bodies.inertia.data;
    const uint8_t *immovable = world->bodies.immovable.data;
#pragma omp parallel for num_threads(world->threads) schedule(static) reduction(+ : uneven)
    for (size_t i = 0; i < bodies; i++)
        uneven += !immovable[i] && (inertia[i].x != inertia[i].y || inertia[i].y != inertia[i].z);
    return uneven ? PROBLEM_PLAIN : PROBLEM_ROUND;
}

// Faster than what gravity alone does to a body at rest: such a push-out would be felt as a rebound.
bool contact_is_pushed(const scree_world *world, const contact *c)
{
    const body_store *store = &world->bodies;
    double depth = resting_depth * (double)fminf(store->radius.data[c->a], store->radius.data[c->b]);
    return (double)c->gap < -2 * depth - world->def.step * resting_speed(world);
}

problem_row relaxed_row(const scree_world *world, size_t index)
{
    problem_row row = contact_row(world, index);
    if (contact_is_pushed(world, &world->contacts.data[index]))
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
