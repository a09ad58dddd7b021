// The block step in the space of bodies, with the means of the Newton solver: with r the rows' speeds (bias and
// compliance included), A = J L and weights W = own diagonal / stiffness + compliance,
//     (1 + A^T W^-1 A) y = -A^T W^-1 r,     p += -W^-1 (r + A y)
// solves J M^-1 J^T + W instead of J M^-1 J^T + compliance, which may be singular. It leaves the speeds -(W -
// compliance) dp, and repeating it with these is the iterative refinement that takes the softness out again: each time
// by a factor of the stiffness times the least eigenvalue.
#include "solve/sweep/articulation.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort.h"
#include "solve/newton/sparse_cholesky.h"

static const double STIFFNESS = 1e9, ENOUGH = 1e-9;
enum { MOST_REFINEMENTS = 4 };

static int compare_bodies(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// Which bodies there are, each once.
static bool list_bodies(articulation *joined, const joint_row *rows, size_t row_count, arena *scratch)
{
    size_t count = 0, kept = 0;
    joined->bodies = arena_array(scratch, uint32_t, JOINT_ROW_BODIES * row_count);
    if (!joined->bodies)
        return false;
    for (size_t i = 0; i < row_count; i++)
        for (int k = 0; k < JOINT_ROW_BODIES; k++)
            if (rows[i].body[k] != NO_BODY)
                joined->bodies[count++] = rows[i].body[k];
    sort_items(joined->bodies, count, sizeof *joined->bodies, compare_bodies);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || joined->bodies[kept - 1] != joined->bodies[i])
            joined->bodies[kept++] = joined->bodies[i];
    joined->island.body_count = kept;
    return true;
}

static bool copy_parts(articulation *joined, const problem_body *bodies, const joint_row *rows, arena *scratch)
{
    island *own = &joined->island;
    own->bodies = arena_array(scratch, problem_body, own->body_count);
    own->rows = arena_array(scratch, joint_row, own->row_count);
    if (!own->bodies || !own->rows)
        return false;
    for (size_t i = 0; i < own->body_count; i++)
        own->bodies[i] = bodies[joined->bodies[i]];
    for (size_t i = 0; i < own->row_count; i++) {
        joint_row *row = &own->rows[i];
        *row = rows[i];
        for (int k = 0; k < JOINT_ROW_BODIES; k++) {
            if (row->body[k] == NO_BODY)
                continue;
            const uint32_t *found =
                bsearch(&row->body[k], joined->bodies, own->body_count, sizeof *found, compare_bodies);
            row->body[k] = (uint32_t)(found - joined->bodies);
        }
    }
    return true;
}

scree_status articulation_make(articulation *joined, const problem_body *bodies, const joint_row *rows,
                               size_t row_count, arena *scratch, scree_error *error)
{
    *joined = (articulation){.island = {.row_count = row_count, .convex = true}};
    if (!list_bodies(joined, rows, row_count, scratch) || !copy_parts(joined, bodies, rows, scratch))
        return fail_no_memory(error);
    newton_system *system = &joined->system;
    scree_status status = newton_system_make(system, &joined->island, scratch, error);
    if (!status)
        status = newton_system_order(system, scratch, error);
    if (status)
        return status;
    joined->step = arena_array(scratch, spatial, system->movable_count);
    joined->change = arena_array(scratch, spatial, joined->island.body_count);
    joined->before = arena_array(scratch, double, row_count);
    if (!joined->step || !joined->change || !joined->before)
        return fail_no_memory(error);
    memset(joined->change, 0, joined->island.body_count * sizeof *joined->change); // of what does not move it stays so
    newton_system_load(system);
    newton_system_stiffen(system, STIFFNESS, STIFFNESS);
    for (size_t i = 0; i < row_count; i++) {
        joined->before[i] = system->rows[i].impulse;
        system->rows[i].free = 0; // the problem's velocities are whole
        // a bounded row at its bound adds nothing to the matrix
        system->rows[i].trial = row_holds_both_ways(&system->rows[i]) ? 0 : HUGE_VAL;
    }
    newton_system_assemble(system);
    sparse_cholesky_factor(&system->matrix, 1);
    return SCREE_OK;
}

static void take_velocities(articulation *joined, const contact_problem *problem)
{
    for (size_t i = 0; i < joined->island.body_count; i++) {
        spatial *to = &joined->system.velocity[i];
        problem_get_velocity(problem, joined->bodies[i], &to->linear, &to->angular);
    }
}

static void give_velocities(const articulation *joined, contact_problem *problem)
{
    for (size_t i = 0; i < joined->island.body_count; i++)
        if (joined->system.place[i] != NO_BODY)
            problem_set_velocity(problem, joined->bodies[i], joined->system.velocity[i].linear,
                                 joined->system.velocity[i].angular);
}

// What the impulses do to the velocities; rows keep those that they have.
static void push_bodies(articulation *joined, contact_problem *problem, const double *impulses)
{
    newton_system *system = &joined->system;
    take_velocities(joined, problem);
    for (size_t i = 0; i < joined->island.row_count; i++) {
        double kept = system->rows[i].impulse;
        newton_system_add_to_row(system, &system->rows[i], impulses ? impulses[i] : kept);
        system->rows[i].impulse = kept;
    }
    give_velocities(joined, problem);
}

void articulation_mark_bodies(const articulation *joined, uint8_t *marks)
{
    for (size_t i = 0; i < joined->island.body_count; i++)
        marks[joined->bodies[i]] = 1;
}

void articulation_apply(articulation *joined, contact_problem *problem)
{
    push_bodies(joined, problem, NULL);
}

void articulation_apply_before(articulation *joined, contact_problem *problem)
{
    push_bodies(joined, problem, joined->before);
}

// Speeds of the rows that hold both ways, into `speed`; the largest of them in units of impulses.
static double find_speeds(newton_system *system)
{
    double largest = 0;
    for (size_t i = 0; i < system->island->row_count; i++) {
        row_state *r = &system->rows[i];
        if (!row_holds_both_ways(r))
            continue;
        r->speed = joint_row_speed(r->row, system->velocity) + r->row->bias + r->row->compliance * r->impulse;
        largest = fmax(largest, fabs(r->speed) / r->block);
    }
    return largest;
}

// Solves for y and its velocities.
static void find_step(articulation *joined)
{
    newton_system *system = &joined->system;
    memset(system->momentum, 0, system->movable_count * sizeof *system->momentum);
    for (size_t i = 0; i < joined->island.row_count; i++) {
        const row_state *r = &system->rows[i];
        if (row_holds_both_ways(r))
            newton_system_push_row(system, r->row, -r->speed / r->weight);
    }
    for (size_t i = 0; i < system->movable_count; i++)
        joined->step[i] = mass_root_apply_transposed(&system->root[i], &system->momentum[i]);
    sparse_cholesky_solve(&system->matrix, (double *)joined->step);
    for (size_t i = 0; i < system->movable_count; i++)
        joined->change[system->body[i]] = mass_root_apply(&system->root[i], &joined->step[i]);
}

// The impulses of the step, all from the velocities before it; velocities follow from impulses, so momentum is kept.
static double take_step(articulation *joined)
{
    newton_system *system = &joined->system;
    double largest = 0;
    for (size_t i = 0; i < joined->island.row_count; i++) {
        row_state *r = &system->rows[i];
        if (!row_holds_both_ways(r))
            continue;
        double change = -(r->speed + joint_row_speed(r->row, joined->change)) / r->weight;
        newton_system_add_to_row(system, r, change);
        largest = fmax(largest, change * change);
    }
    return largest;
}

// Moves impulses from x_k to y; x_k is kept as the one before.
static void extrapolate(articulation *joined, double beta)
{
    for (size_t i = 0; i < joined->island.row_count; i++) {
        row_state *r = &joined->system.rows[i];
        double now = r->impulse;
        r->impulse = now + beta * (now - joined->before[i]);
        joined->before[i] = now;
    }
}

// Rows with bounds, one by one. `reversal` is completed when they have all moved, since x_k is the same for all.
static double sweep_bounded(articulation *joined, step_sums *sums)
{
    newton_system *system = &joined->system;
    double largest = 0;
    for (size_t i = 0; i < joined->island.row_count; i++) {
        row_state *r = &system->rows[i];
        if (r->idle || row_holds_both_ways(r))
            continue;
        double change = newton_system_sweep_row(system, r), weight = r->block + r->row->compliance;
        sums->moved += weight * change * change;
        sums->reversal -= weight * change * (r->impulse - joined->before[i]);
        largest = fmax(largest, change * change);
    }
    return largest;
}

// All other rows at once. With B = J M^-1 J^T + compliance the step from y has B (y - x_{k+1}) = r(y), the speeds
// before it; they stand in `trial`, which only the matrix needs, and that is made.
static double relax_block(articulation *joined, step_sums *sums)
{
    newton_system *system = &joined->system;
    double largest = 0, before = find_speeds(system), now = before;
    for (size_t i = 0; i < joined->island.row_count; i++)
        if (row_holds_both_ways(&system->rows[i])) {
            system->rows[i].trial = system->rows[i].speed;
            system->rows[i].anchor = system->rows[i].impulse;
        }
    for (int round = 0; round < MOST_REFINEMENTS && now > ENOUGH * before; round++) {
        find_step(joined);
        largest = fmax(largest, take_step(joined));
        double next = find_speeds(system);
        if (!(next < now))
            break;
        now = next;
    }
    for (size_t i = 0; i < joined->island.row_count; i++) {
        const row_state *r = &system->rows[i];
        if (!row_holds_both_ways(r))
            continue;
        sums->moved += r->trial * (r->anchor - r->impulse);
        sums->reversal += r->trial * (r->impulse - joined->before[i]);
    }
    return largest;
}

static void give_impulses(articulation *joined)
{
    for (size_t i = 0; i < joined->island.row_count; i++)
        joined->island.rows[i].impulse = joined->system.rows[i].impulse;
}

double articulation_relax_onwards(articulation *joined, contact_problem *problem, double beta, step_sums *sums)
{
    take_velocities(joined, problem);
    extrapolate(joined, beta);
    double bounded = sweep_bounded(joined, sums), block = relax_block(joined, sums);
    give_impulses(joined);
    give_velocities(joined, problem);
    return fmax(bounded, block);
}

double articulation_relax(articulation *joined, contact_problem *problem)
{
    step_sums unused = {0};
    return articulation_relax_onwards(joined, problem, 0, &unused);
}

// ---- all rows at once, each by itself

void articulation_begin_jacobi(articulation *joined, const contact_problem *problem, double omega, double lambda)
{
    newton_system *system = &joined->system;
    take_velocities(joined, problem);
    for (size_t i = 0; i < joined->island.row_count; i++) {
        row_state *r = &system->rows[i];
        joined->before[i] = r->impulse;
        if (r->idle)
            continue;
        double speed = joint_row_speed(r->row, system->velocity) + r->row->bias + r->row->compliance * r->impulse;
        double next = r->impulse - omega * speed / (r->block + r->row->compliance);
        next = fmin(fmax(next, r->row->low), r->row->high);
        joined->before[i] = r->impulse + lambda * (next - r->impulse);
    }
}

void articulation_finish_jacobi(articulation *joined, contact_problem *problem)
{
    take_velocities(joined, problem);
    for (size_t i = 0; i < joined->island.row_count; i++) {
        row_state *r = &joined->system.rows[i];
        newton_system_add_to_row(&joined->system, r, joined->before[i] - r->impulse);
    }
    give_impulses(joined);
    give_velocities(joined, problem);
}

// ---- residual

size_t articulation_residual(articulation *joined, const contact_problem *problem, tile_residual *sums)
{
    size_t count = 0;
    take_velocities(joined, problem);
    for (size_t i = 0; i < joined->island.row_count; i++) {
        const row_state *r = &joined->system.rows[i];
        if (r->idle)
            continue;
        double error = r->lever * fabs(newton_system_step_row(&joined->system, r) - r->impulse);
        double load = r->lever * fabs(r->impulse);
        sums->error_sum += error;
        sums->error_max = fmax(sums->error_max, error);
        sums->impulse_sum += load;
        sums->loaded += load > 0;
        count++;
    }
    return count;
}
