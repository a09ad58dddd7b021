// Direct islands go to Newton's method, all others to the wide sweeps; small islands that the sweeps have left
// unfinished go to Newton's method as well, from where the sweeps got to.
#include "dynamics/solution.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/threads.h"
#include "dynamics/rebound.h"
#include "dynamics/sleep.h"
#include "solve/articulation.h"
#include "solve/newton.h"
#include "solve/part.h"

enum { NEWTON_STEPS = 200, MOST_BENDS = 6 };

// Newton's method converges fast at its end, so that more digits than the user asked for cost a step or two.
static const double direct_tolerance = 1e-8;

// Change of a joint's bias, in parts of its recovery speed, that is worth another solve.
static const double followed_bias = 1e-5;

// Errors of contacts' speeds that small islands at rest are left with, in parts of what gravity gives in a step. The
// residual alone, which is relative to the mean load, would let a tower lean a little more in every step.
static const double resting_accuracy = 1e-4;

// Ratio of masses in an island from which on sweeps need more iterations, and how many times as many at most.
static const double unlike_masses = 1e4, most_added = 20;

typedef struct direct_result {
    int steps;
    double error_sum, error_max; // residuals of contacts and rows
    size_t constraints;
    bool polished; // its contacts are among those that the sweeps answer for
} direct_result;

typedef struct direct_work {
    scree_world *world;
    joint_row *rows;
    step_solution *solution;
    direct_result *results; // by island
    problem_row (*row)(const scree_world *world, size_t contact);
} direct_work;

// ------------------------------------------------------------------------------------------------------ direct islands

// An immovable body has a place of its own for each contact with it, since islands are solved at the same time.
static uint32_t local_body(const direct_work *work, const island_entry *entry, uint32_t slot, island *local)
{
    if (slot == NO_BODY)
        return NO_BODY;
    if (!work->world->bodies.immovable.data[slot])
        return work->solution->islands.place_of_slot[slot] - entry->first_body;
    local->bodies[local->body_count] = free_body(work->world, work->solution->loads, slot);
    return (uint32_t)local->body_count++;
}

static bool take_island(const direct_work *work, const island_entry *entry, arena *scratch, island *local)
{
    size_t most = entry->body_count + entry->contact_count + JOINT_ROW_BODIES * (size_t)entry->row_count;
    const island_set *set = &work->solution->islands;
    *local = (island){.contact_count = entry->contact_count,
                      .row_count = entry->row_count,
                      .convex = work->world->def.solver.friction == SCREE_FRICTION_CONVEX};
    local->bodies = arena_array(scratch, problem_body, most);
    local->contacts = arena_array(scratch, problem_row, entry->contact_count);
    local->rows = arena_array(scratch, joint_row, entry->row_count);
    if (!local->bodies || !local->contacts || !local->rows)
        return false;
    for (; local->body_count < entry->body_count; local->body_count++)
        local->bodies[local->body_count] =
            free_body(work->world, work->solution->loads, set->bodies[entry->first_body + local->body_count]);
    for (size_t i = 0; i < entry->contact_count; i++) {
        problem_row *row = &local->contacts[i];
        *row = work->row(work->world, set->contacts[entry->first_contact + i]);
        row->a = local_body(work, entry, row->a, local);
        row->b = local_body(work, entry, row->b, local);
    }
    for (size_t i = 0; i < entry->row_count; i++) {
        joint_row *row = &local->rows[i];
        *row = work->rows[set->rows[entry->first_row + i]];
        for (int k = 0; k < JOINT_ROW_BODIES; k++)
            row->body[k] = local_body(work, entry, row->body[k], local);
    }
    return true;
}

static void put_island(const direct_work *work, const island_entry *entry, const island *local)
{
    const island_set *set = &work->solution->islands;
    memcpy(work->solution->direct + entry->first_body, local->bodies, entry->body_count * sizeof *local->bodies);
    for (size_t i = 0; i < entry->contact_count; i++)
        work->world->contacts.data[set->contacts[entry->first_contact + i]].impulse =
            vec3f_from(local->contacts[i].impulse);
    for (size_t i = 0; i < entry->row_count; i++)
        work->rows[set->rows[entry->first_row + i]].impulse = local->rows[i].impulse;
}

// Of the impulses that it starts from; leaves it as it is.
static scree_status island_residual(island *local, arena *scratch, island_result *result, scree_error *error)
{
    problem_body *kept = arena_array(scratch, problem_body, local->body_count);
    if (!kept)
        return fail_no_memory(error);
    memcpy(kept, local->bodies, local->body_count * sizeof *kept);
    scree_status status = newton_solve(local, 0, 0, scratch, result, error);
    memcpy(local->bodies, kept, local->body_count * sizeof *kept);
    return status;
}

static double fall_speed(const scree_world *world)
{
    return world->def.step * vec3_length(world->def.gravity);
}

static bool is_slow(const island *local, size_t movable, double speed)
{
    for (size_t i = 0; i < movable; i++)
        if (!(vec3_length(local->bodies[i].velocity) <= speed))
            return false;
    return true;
}

// Has the sweep left the island good enough? Bodies are there with their free velocities.
static bool is_accepted(const scree_world *world, const island *local, size_t movable, const island_result *swept)
{
    double fall = fall_speed(world);
    return swept->residual.max <= world->def.solver.tolerance &&
           (swept->speed <= resting_accuracy * fall || !is_slow(local, movable, 3 * fall));
}

static scree_status solve_island(const direct_work *work, size_t index, scree_error *error)
{
    island_entry *entry = &work->solution->islands.islands[index];
    arena *scratch = &work->world->workers[thread_index()];
    arena_reset(scratch);
    island local;
    island_result result;
    if (!take_island(work, entry, scratch, &local))
        return fail_no_memory(error);
    double tolerance = fmin(direct_tolerance, work->world->def.solver.tolerance);
    if (entry->way == ISLAND_DOUBTED) {
        scree_status status = island_residual(&local, scratch, &result, error);
        if (status || is_accepted(work->world, &local, entry->body_count, &result))
            return status;
    }
    scree_status status = newton_solve(&local, NEWTON_STEPS, tolerance, scratch, &result, error);
    if (status)
        return status;
    put_island(work, entry, &local);
    size_t constraints = local.contact_count + local.row_count;
    work->results[index] = (direct_result){result.steps, result.residual.mean * (double)constraints,
                                           result.residual.max, constraints, entry->way == ISLAND_DOUBTED};
    entry->way = ISLAND_DIRECT;
    return SCREE_OK;
}

// All islands of one way, or those of them that are marked, several at a time.
static scree_status solve_islands(const direct_work *work, island_way way, const uint8_t *marked, scree_error *error)
{
    const island_set *set = &work->solution->islands;
    scree_status status = SCREE_OK;
#pragma omp parallel for num_threads(work->world->threads) schedule(dynamic)
    for (size_t i = 0; i < set->count; i++) {
        if (set->islands[i].way != way || (marked && !marked[i]))
            continue;
        scree_status here = solve_island(work, i, NULL);
        if (here != SCREE_OK) {
#pragma omp atomic write
            status = here;
        }
    }
    return status ? fail_no_memory(error) : SCREE_OK;
}

static void take_velocities(const scree_world *world, const step_solution *solution, vec3 *velocity, vec3 *spin)
{
    const island_set *set = &solution->islands;
    for (size_t i = 0; i < world->bodies.count; i++) {
        velocity[i] = world->bodies.velocity.data[i];
        spin[i] = world->bodies.spin.data[i];
        if (set->of_slot[i] != NO_ISLAND && set->islands[set->of_slot[i]].way == ISLAND_DIRECT) {
            velocity[i] = solution->direct[set->place_of_slot[i]].velocity;
            spin[i] = solution->direct[set->place_of_slot[i]].spin;
        }
    }
}

typedef struct trial {
    vec3 *velocity, *spin; // by slot
} trial;

static bool take_trial(scree_world *world, const step_solution *solution, trial *taken)
{
    size_t bodies = world->bodies.count;
    taken->velocity = arena_array(&world->scratch, vec3, bodies);
    taken->spin = arena_array(&world->scratch, vec3, bodies);
    if (!taken->velocity || !taken->spin)
        return false;
    take_velocities(world, solution, taken->velocity, taken->spin);
    return true;
}

// Half-way between the velocities tried and those that came of it: light links that turn far would else be thrown from
// one side to the other.
static void approach_trial(const scree_world *world, trial *tried, const trial *found)
{
    for (size_t i = 0; i < world->bodies.count; i++) {
        tried->velocity[i] = vec3_scale(vec3_add(tried->velocity[i], found->velocity[i]), 0.5);
        tried->spin[i] = vec3_scale(vec3_add(tried->spin[i], found->spin[i]), 0.5);
    }
}

// Where light links turn far within the step.
static scree_status bend_joints(scree_world *world, joint_rows *joints, const direct_work *work, trial *tried,
                                scree_error *error)
{
    trial found;
    if (!take_trial(world, work->solution, &found))
        return fail_no_memory(error);
    for (int round = 0; round < MOST_BENDS; round++) {
        if (joints_bend(world, joints, found.velocity, found.spin) == 0)
            break;
        approach_trial(world, tried, &found);
        joints_follow(world, joints, tried->velocity, tried->spin);
        scree_status status = solve_islands(work, ISLAND_DIRECT, NULL, error);
        if (status)
            return status;
        take_velocities(world, work->solution, found.velocity, found.spin);
    }
    return SCREE_OK;
}

// Joints hold where bodies get to, which depends on the velocities found: where that changes the rows they are solved
// once more.
static scree_status follow_joints(scree_world *world, joint_rows *joints, const direct_work *work, scree_error *error)
{
    trial tried;
    if (joints->count == 0)
        return SCREE_OK;
    if (!take_trial(world, work->solution, &tried))
        return fail_no_memory(error);
    if (joints_follow(world, joints, tried.velocity, tried.spin) < followed_bias)
        return SCREE_OK;
    scree_status status = solve_islands(work, ISLAND_DIRECT, NULL, error);
    return status ? status : bend_joints(world, joints, work, &tried, error);
}

// ------------------------------------------------------------------------------------------------------- swept islands

static bool is_swept(const island_entry *entry)
{
    return entry->way == ISLAND_SWEPT || entry->way == ISLAND_DOUBTED;
}

static bool list_swept(scree_world *world, step_solution *solution)
{
    const island_set *set = &solution->islands;
    solution->swept = NULL;
    if (set->swept_contacts == world->contacts.count)
        return true;
    solution->swept = arena_array(&world->scratch, uint32_t, set->swept_contacts);
    if (!solution->swept)
        return false;
    size_t count = 0;
    for (size_t i = 0; i < world->contacts.count; i++)
        if (is_swept(island_of_contact(set, &world->contacts.data[i])))
            solution->swept[count++] = (uint32_t)i;
    return true;
}

// The rows of islands that are swept, as one block of the sweeps; they go back to where they came from when solved.
static scree_status take_swept_joints(const direct_work *work, size_t row_count, scree_error *error)
{
    step_solution *solution = work->solution;
    const island_set *set = &solution->islands;
    scree_world *world = work->world;
    if (set->swept_rows == 0)
        return SCREE_OK;
    joint_row *rows = arena_array(&world->scratch, joint_row, set->swept_rows);
    problem_body *bodies = arena_array(&world->scratch, problem_body, world->bodies.count);
    solution->problem.joints = arena_array(&world->scratch, articulation, 1);
    solution->swept_rows = arena_array(&world->scratch, uint32_t, set->swept_rows);
    if (!rows || !bodies || !solution->problem.joints || !solution->swept_rows)
        return fail_no_memory(error);
    size_t count = 0;
    for (size_t i = 0; i < row_count; i++) {
        const island_entry *entry = island_of_row(world, set, &work->rows[i]);
        if (!entry || entry->way != ISLAND_SWEPT)
            continue;
        solution->swept_rows[count] = (uint32_t)i;
        rows[count++] = work->rows[i];
    }
    for (size_t i = 0; i < world->bodies.count; i++)
        bodies[i] = free_body(world, solution->loads, i);
    return articulation_make(solution->problem.joints, bodies, rows, count, &world->scratch, error);
}

static void return_swept_joints(const direct_work *work)
{
    const step_solution *solution = work->solution;
    for (size_t i = 0; i < solution->islands.swept_rows; i++)
        work->rows[solution->swept_rows[i]].impulse = solution->problem.joints->part.rows[i].impulse;
}

static size_t swept_index(const step_solution *solution, size_t i)
{
    return solution->swept ? solution->swept[i] : i;
}

static void take_impulses(scree_world *world, const step_solution *solution)
{
    const contact_problem *problem = &solution->problem;
#pragma omp parallel for num_threads(world->threads) schedule(static)
    for (size_t i = 0; i < problem->contact_count; i++)
        world->contacts.data[swept_index(solution, i)].impulse = vec3f_from(problem_get_impulse(problem, i));
}

// What Newton's method found goes back into the problem, so that its residual speaks of the solution as it is.
static void return_impulses(scree_world *world, step_solution *solution)
{
    contact_problem *problem = &solution->problem;
    const island_set *set = &solution->islands;
    for (size_t i = 0; i < problem->contact_count; i++) {
        const contact *c = &world->contacts.data[swept_index(solution, i)];
        if (island_of_contact(set, c)->way == ISLAND_DIRECT)
            problem_set_impulse(problem, i, vec3_from_f(c->impulse));
    }
    for (size_t i = 0; i < set->body_count; i++) {
        uint32_t slot = set->bodies[i];
        if (set->islands[set->of_slot[slot]].way == ISLAND_DIRECT)
            problem_set_velocity(problem, slot, solution->direct[i].velocity, solution->direct[i].spin);
    }
}

static bool any_island(const island_set *set, island_way way)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->islands[i].way == way)
            return true;
    return false;
}

// Sweeps pass a load on in parts of what the lighter body can carry: the number that is needed grows with the root of
// the ratio of masses. Islands with such ratios get more of them than others, if only to a modest accuracy.
static scree_solver_def swept_def(const scree_world *world, const island_set *set)
{
    scree_solver_def def = world->def.solver;
    double ratio = 1;
    for (size_t i = 0; i < set->count; i++)
        if (set->islands[i].way == ISLAND_SWEPT)
            ratio = fmax(ratio, set->islands[i].heaviest / set->islands[i].lightest);
    if (def.algorithm != SCREE_AUTO || ratio < unlike_masses)
        return def;
    def.iterations = (int)fmin(INT32_MAX, def.iterations * fmin(most_added, sqrt(ratio / unlike_masses) * 5));
    return def;
}

static scree_status solve_swept(scree_world *world, const direct_work *work, scree_error *error)
{
    step_solution *solution = work->solution;
    solve_result *result = &world->solved;
    scree_solver_def def = swept_def(world, &solution->islands);
    arena_mark before = arena_get_mark(&world->scratch);
    scree_status status = solve_problem(&solution->problem, &def, world->threads, &world->scratch, result, error);
    arena_release(&world->scratch, before);
    if (status)
        return status;
    take_impulses(world, solution);
    return_swept_joints(work);
    if (!any_island(&solution->islands, ISLAND_DOUBTED))
        return SCREE_OK;
    status = solve_islands(work, ISLAND_DOUBTED, NULL, error);
    if (status)
        return status;
    return_impulses(world, solution);
    result->residual = problem_residual(&solution->problem, world->threads);
    return SCREE_OK;
}

// ---------------------------------------------------------------------------------------------------------- velocities

// A double rounded to float. gcc 12 drops the conversion there and back where it vectorises two of them side by side;
// the volatile keeps it.
static double through_single(double value)
{
    volatile float single = (float)value;
    return (double)single;
}

// What contacts changed, at the precision of the solver, on top of the free velocity in double: a body without
// contacts keeps all its digits.
static vec3 swept_velocity(vec3 free, vec3 solved, scree_precision precision)
{
    if (precision == SCREE_DOUBLE)
        return solved;
    vec3 single = {through_single(free.x), through_single(free.y), through_single(free.z)};
    return vec3_add(free, vec3_sub(solved, single));
}

body_velocity solution_velocity(const scree_world *world, const step_solution *solution, size_t slot)
{
    const island_set *set = &solution->islands;
    uint32_t index = set->of_slot[slot];
    if (solution->settled)
        return solution->settled[slot];
    if (index != NO_ISLAND && set->islands[index].way == ISLAND_DIRECT) {
        const problem_body *direct = &solution->direct[set->place_of_slot[slot]];
        return (body_velocity){direct->velocity, direct->spin};
    }
    vec3 free_v, free_w, v, w;
    free_velocity(world, solution->loads, slot, &free_v, &free_w);
    problem_get_velocity(&solution->problem, slot, &v, &w);
    scree_precision precision = solution->problem.precision;
    return (body_velocity){swept_velocity(free_v, v, precision), swept_velocity(free_w, w, precision)};
}

// ---------------------------------------------------------------------------------------------------------- relaxation

// Islands with contacts that are pushed out; `pushed` by island.
static bool find_pushed(const scree_world *world, const island_set *set, uint8_t *pushed)
{
    bool any = false;
    memset(pushed, 0, set->count);
    for (size_t i = 0; i < world->contacts.count; i++) {
        const contact *c = &world->contacts.data[i];
        island_entry *entry = island_of_contact(set, c);
        if (entry->way == ISLAND_ASLEEP || !contact_is_pushed(world, c))
            continue;
        pushed[entry - set->islands] = 1;
        any = true;
    }
    return any;
}

static bool any_swept_pushed(const island_set *set, const uint8_t *pushed)
{
    for (size_t i = 0; i < set->count; i++)
        if (pushed[i] && is_swept(&set->islands[i]))
            return true;
    return false;
}

static scree_status relax_swept(const direct_work *work, int iterations, scree_error *error)
{
    scree_world *world = work->world;
    step_solution *solution = work->solution;
    contact_problem *problem = &solution->problem;
    scree_solver_def def = world->def.solver;
    def.iterations = iterations;
#pragma omp parallel num_threads(world->threads)
    {
#pragma omp for schedule(static)
        for (size_t i = 0; i < world->bodies.count; i++) {
            problem_body body = free_body(world, solution->loads, i);
            problem_set_body(problem, i, &body);
        }
#pragma omp for schedule(static)
        for (size_t i = 0; i < problem->contact_count; i++) {
            problem_row row = work->row(world, swept_index(solution, i));
            row.impulse = problem_get_impulse(problem, i);
            problem_set_contact(problem, i, &row);
        }
    }
    solve_result ignored;
    arena_mark before = arena_get_mark(&world->scratch);
    scree_status status = solve_problem(problem, &def, world->threads, &world->scratch, &ignored, error);
    arena_release(&world->scratch, before);
    if (!status)
        take_impulses(world, solution);
    return status;
}

// Only what was pushed has to change: those contacts, and the others of their tiles and of tiles around those, with the
// velocities as they are.
static scree_status relax_pushed(const direct_work *work, int iterations, scree_error *error)
{
    scree_world *world = work->world;
    contact_problem *problem = &work->solution->problem, part;
    scree_solver_def def = world->def.solver;
    def.iterations = iterations;
    if (def.algorithm == SCREE_AUTO || def.algorithm == SCREE_APGS)
        def.algorithm = SCREE_GAUSS_SEIDEL; // so few sweeps of what changes here and there gain nothing by momentum
    arena_mark before = arena_get_mark(&world->scratch);
    uint8_t *marked = arena_array(&world->scratch, uint8_t, problem->tile_count);
    if (!marked)
        return fail_no_memory(error);
    memset(marked, 0, problem->tile_count);
    for (size_t i = 0; i < problem->contact_count; i++)
        if (contact_is_pushed(world, &world->contacts.data[swept_index(work->solution, i)]))
            marked[problem_tile_of(problem, i)] = 1;
    if (!problem_part(problem, marked, &world->scratch, &part))
        return fail_no_memory(error);
    problem_take_off_impulses(&part, world->threads);
    for (size_t i = 0; i < problem->contact_count; i++) {
        size_t index = swept_index(work->solution, i);
        if (!contact_is_pushed(world, &world->contacts.data[index]))
            continue;
        problem_row row = work->row(world, index);
        row.impulse = problem_get_impulse(problem, i);
        row.angular_impulse = problem_get_angular_impulse(problem, i);
        problem_set_contact(problem, i, &row);
    }
    solve_result ignored;
    scree_status status = solve_problem(&part, &def, world->threads, &world->scratch, &ignored, error);
    arena_release(&world->scratch, before);
    if (!status)
        take_impulses(world, work->solution);
    return status;
}

// Push-out of overlaps is for positions. Solving again without it, from the impulses found, leaves velocities that it
// has no part in: what overlapped comes apart, and does not fly apart.
static scree_status relax(scree_world *world, direct_work *work, scree_error *error)
{
    step_solution *solution = work->solution;
    uint8_t *pushed = arena_array(&world->scratch, uint8_t, solution->islands.count);
    if (!pushed)
        return fail_no_memory(error);
    if (!find_pushed(world, &solution->islands, pushed))
        return SCREE_OK;
    solution->moving = arena_array(&world->scratch, body_velocity, world->bodies.count);
    if (!solution->moving)
        return fail_no_memory(error);
#pragma omp parallel for num_threads(world->threads) schedule(static)
    for (size_t i = 0; i < world->bodies.count; i++)
        if (!world->bodies.immovable.data[i])
            solution->moving[i] = solution_velocity(world, solution, i);
    work->row = relaxed_row;
    scree_status status = solve_islands(work, ISLAND_DIRECT, pushed, error);
    if (status || !any_swept_pushed(&solution->islands, pushed))
        return status;
    int iterations = (world->def.solver.iterations + 3) / 4;
    return solution->problem.joints ? relax_swept(work, iterations, error) : relax_pushed(work, iterations, error);
}

// Where rebounds created energy the step is solved anew without them.
static scree_status hold_rebounds(scree_world *world, direct_work *work, scree_error *error)
{
    if (!world->bouncy)
        return SCREE_OK;
    rebound measured;
    if (!rebound_measure(world, work->solution, &measured))
        return fail_no_memory(error);
    if (!measured.any)
        return SCREE_OK;
    work->row = calm_row;
    scree_status status = solve_islands(work, ISLAND_DIRECT, measured.gains, error);
    if (!status && measured.any_swept)
        status = relax_swept(work, world->def.solver.iterations, error);
    if (!status && !rebound_blend(world, work->solution, &measured))
        status = fail_no_memory(error);
    return status;
}

// ------------------------------------------------------------------------------------------------------------ the step

// Sweeps and direct islands together.
static void join_results(scree_world *world, const direct_work *work)
{
    const island_set *set = &work->solution->islands;
    solve_result *result = &world->solved;
    size_t swept = set->swept_contacts, constraints = swept;
    double sum = result->residual.mean * (double)swept;
    for (size_t i = 0; i < set->count; i++) {
        const direct_result *direct = &work->results[i];
        if (set->islands[i].way != ISLAND_DIRECT)
            continue;
        result->residual.max = fmax(result->residual.max, direct->error_max);
        if (!direct->polished) {
            sum += direct->error_sum;
            constraints += direct->constraints;
        }
        if (swept == 0) {
            result->iterations = direct->steps > result->iterations ? direct->steps : result->iterations;
            result->algorithm = SCREE_NEWTON;
        }
    }
    result->residual.mean = constraints ? sum / (double)constraints : 0;
    result->stop = result->residual.max <= world->def.solver.tolerance ? SCREE_STOPPED_TOLERANCE : result->stop;
}

scree_status solve_step(scree_world *world, joint_rows *joints, step_solution *solution, scree_error *error)
{
    double start = clock_seconds();
    *solution = (step_solution){0};
    direct_work work = {.world = world, .rows = joints->rows, .solution = solution, .row = contact_row};
    island_set *set = &solution->islands;
    if (!gather_loads(world, &solution->loads) || !islands_find(world, joints->rows, joints->count, set) ||
        !list_swept(world, solution))
        return fail_no_memory(error);
    wake_islands(world, set);
    solution->direct = arena_array(&world->scratch, problem_body, set->body_count);
    work.results = arena_array(&world->scratch, direct_result, set->count);
    if (!solution->direct || !work.results)
        return fail_no_memory(error);
    scree_status status = prepare_problem(world, solution, error);
    if (status)
        return status;
    double prepared = clock_seconds();
    status = take_swept_joints(&work, joints->count, error);
    if (!status)
        status = solve_islands(&work, ISLAND_DIRECT, NULL, error);
    if (!status)
        status = follow_joints(world, joints, &work, error);
    if (!status)
        status = solve_swept(world, &work, error);
    if (status)
        return status;
    join_results(world, &work);
    status = relax(world, &work, error);
    if (!status)
        status = hold_rebounds(world, &work, error);
    if (status)
        return status;
    world->last.prepare += prepared - start;
    world->last.solve += clock_seconds() - prepared;
    return SCREE_OK;
}
