#include "rigid/direct.h"

#include <string.h>

#include "base/error.h"

enum { NEWTON_STEPS = 200, MOST_END_GRADIENT_ROUNDS = 6 };

// Newton's method converges fast at its end, so that more digits than the user asked for cost a step or two.
static const double direct_tolerance = 1e-8;

// Part of the tolerance asked for that is good enough where Newton's method does not come further.
static const double rough_part = 0.1;

// Change of a joint's bias, in parts of its recovery speed, that is worth another solve.
static const double followed_bias = 1e-5;

// Errors of contacts' speeds that small islands at rest are left with, in parts of what gravity gives in a step. The
// residual alone, which is relative to the mean load, would let a tower lean a little more in every step.
static const double resting_accuracy = 1e-4;

// A motor without a limit of force is jammed when this part of what motors ask for is not there in the solution. It
// then gets this compliance, in parts of its mobility.
static const double jammed_part = 1e-3, jam_softness = 1e-3;

// ----------------------------------------------------------------------------------------------------- taking, giving

static void take_body(island_run *run, uint32_t slot)
{
    const step_problem *problem = run->problem;
    island *local = &run->direct;
    local->before[local->body_count] = (spatial){problem->velocity[slot], problem->spin[slot]};
    local->bodies[local->body_count++] = free_body(problem, slot);
}

// An immovable body has a place of its own for each contact with it, since islands are solved at the same time.
static uint32_t local_body(island_run *run, uint32_t slot)
{
    if (slot == NO_BODY)
        return NO_BODY;
    if (!run->problem->immovable[slot])
        return run_place(run, slot);
    take_body(run, slot);
    return (uint32_t)run->direct.body_count - 1;
}

// Without friction both laws are one, and the convex one has symmetric factors.
static bool any_friction(const island *local)
{
    for (size_t i = 0; i < local->contact_count; i++) {
        const problem_row *row = &local->contacts[i];
        if (row->friction > 0 || row->rolling > 0 || row->spinning > 0)
            return true;
    }
    return false;
}

static bool is_held(const step_problem *problem, uint32_t index)
{
    const uint32_t *slots = problem->joint_ends[index].body;
    return slots[0] == NO_SLOT || slots[1] == NO_SLOT || problem->immovable[slots[0]] || problem->immovable[slots[1]];
}

// Equations of joints depend on each other in closed loops alone, and a combination of them may vanish where the step
// begins, but not where it ends.
static double largest_turn(const island_run *run)
{
    const uint32_t *joints = &run->set->joints[run->island->first_joint];
    size_t joint_count = run->island->joint_count, ends = run->island->body_count;
    bool held = false;
    double largest = 0;
    for (size_t i = 0; i < joint_count; i++) {
        largest = fmax(largest, joint_turn(run->problem, joints[i]));
        held = held || is_held(run->problem, joints[i]);
    }
    return joint_count + 1 > ends + held ? largest : 0;
}

static bool take_island(island_run *run, row_bias *bias)
{
    const island_entry *entry = run->island;
    size_t most = entry->body_count + entry->contact_count + JOINT_ROW_BODIES * (size_t)entry->row_count;
    island *local = &run->direct;
    *local = (island){.contact_count = entry->contact_count,
                      .row_count = entry->row_count,
                      .enough = rough_part * run->problem->solver.tolerance,
                      .turn = largest_turn(run),
                      .interrupt = run->problem->interrupt};
    local->bodies = arena_array(run->scratch, problem_body, most);
    local->before = arena_array(run->scratch, spatial, most);
    local->contacts = arena_array(run->scratch, problem_row, entry->contact_count);
    local->rows = arena_array(run->scratch, joint_row, entry->row_count);
    if (!local->bodies || !local->before || !local->contacts || !local->rows)
        return false;
    for (size_t i = 0; i < entry->body_count; i++)
        take_body(run, run_bodies(run)[i]);
    for (size_t i = 0; i < entry->contact_count; i++) {
        problem_row *row = &local->contacts[i];
        contact_row made = contact_row_of(run->problem, run_contacts(run)[i]);
        *row = biased_row(&made, bias);
        row->a = local_body(run, row->a);
        row->b = local_body(run, row->b);
    }
    local->convex = run->problem->solver.friction == SCREE_FRICTION_CONVEX || !any_friction(local);
    for (size_t i = 0; i < entry->row_count; i++) {
        joint_row *row = &local->rows[i];
        *row = run->joints->rows[run->set->rows[entry->first_row + i]];
        for (int k = 0; k < JOINT_ROW_BODIES; k++)
            row->body[k] = local_body(run, row->body[k]);
    }
    return true;
}

static void give_impulses(const island_run *run)
{
    const island_entry *entry = run->island;
    const island *local = &run->direct;
    for (size_t i = 0; i < entry->contact_count; i++) {
        uint32_t index = run_contacts(run)[i];
        run->problem->contacts[index].impulse = vec3f_from(local->contacts[i].impulse);
        if (run->problem->angular_impulses)
            run->problem->angular_impulses[index] = vec3f_from(local->contacts[i].angular_impulse);
    }
    for (size_t i = 0; i < entry->row_count; i++)
        run->joints->rows[run->set->rows[entry->first_row + i]].impulse = local->rows[i].impulse;
}

// ---------------------------------------------------------------------------------------------------------------- jams
//
// A motor without a limit of force that drives an arm against a stop asks for what no impulse can give. The impulses of
// both grow as far as the stiffness of Newton's method does, to 1e9 times those of free motion, and remain for the next
// step, in which the jam may have opened. A motor that has already pushed as if to reach its speed a thousand times and
// has not is made as soft as that: the solution is then one of least squares, in which it pushes so far and no farther.

// Equations of joints have no limits either, but a compliance of their own (joint_rows.c).
static bool is_unlimited_motor(const joint_row *row)
{
    return row->compliance == 0 && row->low == -HUGE_VAL && row->high == HUGE_VAL;
}

// Speed of a row per impulse of its own.
static double row_mobility(const island *local, const joint_row *row)
{
    double sum = 0;
    for (int k = 0; k < JOINT_ROW_BODIES; k++) {
        if (row->body[k] == NO_BODY)
            continue;
        const problem_body *body = &local->bodies[row->body[k]];
        vec3 turn = mat3_apply(&body->inverse_inertia, row->angular[k]);
        sum += body->inverse_mass * vec3_dot(row->linear[k], row->linear[k]) + vec3_dot(turn, row->angular[k]);
    }
    return sum;
}

// What a row asks for at the velocities of the bodies as they are, or at rest. A motor that runs at its speed lacks
// nothing, and the errors of rounding beside that are no jam.
static double row_demand(const island *local, const joint_row *row)
{
    double speed = row->bias;
    for (int k = 0; k < JOINT_ROW_BODIES; k++)
        if (row->body[k] != NO_BODY)
            speed += vec3_dot(row->linear[k], local->bodies[row->body[k]].velocity) +
                     vec3_dot(row->angular[k], local->bodies[row->body[k]].spin);
    return fmax(fabs(row->bias), fabs(speed));
}

// The most that an unlimited motor asks for, in free motion.
static double largest_demand(const island *local)
{
    double largest = 0;
    for (size_t i = 0; i < local->row_count; i++)
        if (is_unlimited_motor(&local->rows[i]))
            largest = fmax(largest, row_demand(local, &local->rows[i]));
    return largest;
}

static bool is_jammed(const island *local, double wanted, const island_result *result)
{
    if (!(result->speed > jammed_part * wanted))
        return false;
    for (size_t i = 0; i < local->row_count; i++) {
        const joint_row *row = &local->rows[i];
        if (is_unlimited_motor(row) && fabs(row->impulse) * row_mobility(local, row) * jam_softness > wanted)
            return true;
    }
    return false;
}

static void soften_motors(island *local)
{
    for (size_t i = 0; i < local->row_count; i++)
        if (is_unlimited_motor(&local->rows[i]))
            local->rows[i].compliance = jam_softness * row_mobility(local, &local->rows[i]);
}

// ------------------------------------------------------------------------------------------------------------- solving

static void take_solution(island_run *run, const island_result *result)
{
    size_t constraints = run->direct.contact_count + run->direct.row_count;
    give_impulses(run);
    run->is_direct = true;
    run->outcome = (island_outcome){.algorithm = SCREE_ALGORITHM_NEWTON,
                                    .iterations = result->steps,
                                    .stop = SCREE_STOP_ITERATIONS,
                                    .error_sum = result->residual.mean * (double)constraints,
                                    .error_max = result->residual.max,
                                    .constraints = constraints};
}

static scree_status solve_taken(island_run *run, row_bias *bias, double tolerance, scree_error *error)
{
    double wanted = largest_demand(&run->direct);
    island_result result;
    scree_status status = newton_solve(&run->direct, NEWTON_STEPS, tolerance, run->scratch, &result, error);
    if (!status && is_jammed(&run->direct, wanted, &result)) {
        if (!take_island(run, bias))
            return fail_no_memory(error);
        soften_motors(&run->direct);
        status = newton_solve(&run->direct, NEWTON_STEPS, tolerance, run->scratch, &result, error);
    }
    if (!status)
        take_solution(run, &result);
    return status;
}

scree_status direct_solve(island_run *run, row_bias *bias, scree_error *error)
{
    double tolerance = fmin(direct_tolerance, run->problem->solver.tolerance);
    return take_island(run, bias) ? solve_taken(run, bias, tolerance, error) : fail_no_memory(error);
}

scree_status direct_finish(island_run *run, bool *finished, scree_error *error)
{
    double tolerance = fmin(direct_tolerance, run->problem->solver.tolerance);
    arena_mark before = arena_get_mark(run->scratch);
    island_result result;
    if (!take_island(run, whole_bias))
        return fail_no_memory(error);
    scree_status status = newton_finish(&run->direct, tolerance, run->scratch, &result, error);
    *finished = !status && result.reached;
    if (*finished)
        take_solution(run, &result);
    else
        arena_release(run->scratch, before);
    return status;
}

// The residual of the impulses that it starts from; leaves it as it is.
static scree_status start_residual(island_run *run, island_result *result, scree_error *error)
{
    island *local = &run->direct;
    problem_body *kept = arena_array(run->scratch, problem_body, local->body_count);
    if (!kept)
        return fail_no_memory(error);
    memcpy(kept, local->bodies, local->body_count * sizeof *kept);
    scree_status status = newton_solve(local, 0, 0, run->scratch, result, error);
    memcpy(local->bodies, kept, local->body_count * sizeof *kept);
    return status;
}

// An island that moves by the exact law is asked for the residual alone: more digits would cost Newton's method many
// steps, and speeds only matter where small errors add up.
scree_status direct_check(island_run *run, scree_error *error)
{
    island_result result;
    if (!take_island(run, whole_bias))
        return fail_no_memory(error);
    double tolerance = run->problem->solver.tolerance;
    bool slow = run_is_slow(run);
    double speed = slow ? resting_accuracy * run->problem->step * run->problem->gravity_length : HUGE_VAL;
    scree_status status = start_residual(run, &result, error);
    if (status || (result.residual.max <= tolerance && result.speed <= speed))
        return status;
    if (slow || run->direct.convex)
        return solve_taken(run, whole_bias, fmin(direct_tolerance, tolerance), error);
    run->direct.enough_speed = speed;
    return solve_taken(run, whole_bias, tolerance, error);
}

// -------------------------------------------------------------------------------------------------------------- joints

// The velocities found become a trial, by slot; bodies that do not move stay in it as they were.
static void take_trial(const island_run *run, int which)
{
    for (size_t i = 0; i < run->island->body_count; i++) {
        uint32_t slot = run_bodies(run)[i];
        run->trial_velocity[which][slot] = run->direct.bodies[i].velocity;
        run->trial_spin[which][slot] = run->direct.bodies[i].spin;
    }
}

static double relinearise(const island_run *run)
{
    double largest = 0;
    for (size_t i = 0; i < run->island->joint_count; i++)
        largest =
            fmax(largest, joint_relinearise(run->problem, run->joints, run->set->joints[run->island->first_joint + i],
                                            run->trial_velocity[0], run->trial_spin[0]));
    return largest;
}

static size_t count_missed(const island_run *run)
{
    size_t missed = 0;
    for (size_t i = 0; i < run->island->joint_count; i++)
        missed += joint_use_end_gradient(run->problem, run->joints, run->set->joints[run->island->first_joint + i],
                                         run->trial_velocity[1], run->trial_spin[1]);
    return missed;
}

// Half-way between the velocities tried and those that came of it: light links that turn far would else be thrown from
// one side to the other.
static void approach_trial(const island_run *run)
{
    for (size_t i = 0; i < run->island->body_count; i++) {
        uint32_t slot = run_bodies(run)[i];
        vec3 *velocity = &run->trial_velocity[0][slot], *spin = &run->trial_spin[0][slot];
        *velocity = vec3_scale(vec3_add(*velocity, run->trial_velocity[1][slot]), 0.5);
        *spin = vec3_scale(vec3_add(*spin, run->trial_spin[1][slot]), 0.5);
    }
}

// Where light links turn far within the step.
static scree_status use_end_gradients(island_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (int round = 0; status == SCREE_OK && round < MOST_END_GRADIENT_ROUNDS; round++) {
        take_trial(run, 1);
        if (count_missed(run) == 0)
            break;
        approach_trial(run);
        relinearise(run);
        status = direct_solve(run, whole_bias, error);
    }
    return status;
}

scree_status direct_solve_joints(island_run *run, scree_error *error)
{
    scree_status status = direct_solve(run, whole_bias, error);
    if (status || run->island->joint_count == 0)
        return status;
    take_trial(run, 0);
    if (relinearise(run) < followed_bias)
        return SCREE_OK;
    status = direct_solve(run, whole_bias, error);
    return status ? status : use_end_gradients(run, error);
}
