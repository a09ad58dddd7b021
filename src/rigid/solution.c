// Large islands come first, one after the other with all threads; then small ones, each by one thread. In either case
// the result is that of the island alone.
#include "rigid/solution.h"

#include <stdatomic.h>
#include <string.h>

#include "base/error.h"
#include "base/threads.h"
#include "rigid/direct.h"
#include "rigid/push_out.h"
#include "rigid/rebound.h"
#include "rigid/swept.h"

enum { LARGE_ISLAND = 2048, BODY_BLOCK = 512, AHEAD = 12 }; // contacts, bodies

typedef struct solve_work {
    island_run shared; // what all runs have in common
    step_solution *solution;
    island_outcome *outcomes; // by island
    arena *workers;           // of each thread
    _Atomic bool *failed;     // an island is out of memory
} solve_work;

// --------------------------------------------------------------------------------------------------------- one island

static scree_status solve_first(island_run *run, scree_error *error)
{
    bool direct = run->island->solver == ISLAND_DIRECT, checked = run->island->solver == ISLAND_SWEPT_THEN_CHECKED;
    if (!run_order(run, direct ? HUGE_VAL : run->problem->cell)) // the first by ids alone
        return fail_no_memory(error);
    if (direct)
        return direct_solve_joints(run, error);
    bool finished = false;
    scree_status status = checked && run_is_slow(run) ? direct_finish(run, &finished, error) : SCREE_OK;
    if (status == SCREE_OK && !finished)
        status = swept_solve(run, error);
    if (status == SCREE_OK && !finished && checked)
        status = direct_check(run, error);
    return status;
}

static scree_status solve_island(island_run *run, scree_error *error)
{
    scree_status status = solve_first(run, error);
    island_outcome found = run->outcome;
    if (status == SCREE_OK)
        status = split_push_out(run, error);
    if (status == SCREE_OK)
        status = limit_rebounds(run, error);
    run->outcome = found;
    return status;
}

typedef struct giving {
    const island_run *run;
    step_solution *solution;
} giving;

static void give_block(void *context, size_t block)
{
    const giving *to = context;
    const island_run *run = to->run;
    size_t end = block_end(block, BODY_BLOCK, run->island->body_count);
    for (size_t i = block * BODY_BLOCK; i < end; i++) {
        uint32_t slot = run_bodies(run)[i], ahead = run_bodies(run)[i + AHEAD < end ? i + AHEAD : i];
        __builtin_prefetch(&run->problem->velocity[ahead]);
        __builtin_prefetch(&run->problem->spin[ahead]);
        __builtin_prefetch(&to->solution->end[ahead], 1);
        to->solution->end[slot] = run_velocity(run, i);
        if (to->solution->position)
            to->solution->position[slot] = run_position_velocity(run, i);
    }
}

static void give_velocities(const island_run *run, step_solution *solution)
{
    for_blocks(run->threads, block_count(run->island->body_count, BODY_BLOCK), give_block, &(giving){run, solution});
}

// ------------------------------------------------------------------------------------------------------- large islands

static bool is_solved(const island_entry *entry)
{
    return entry->solver != ISLAND_ASLEEP && entry->solver != ISLAND_DONE;
}

static bool is_large(const island_entry *entry)
{
    return entry->solver == ISLAND_SWEPT && entry->contact_count >= LARGE_ISLAND;
}

static size_t count_large(const island_set *set)
{
    size_t count = 0;
    for (size_t i = 0; i < set->count; i++)
        count += is_large(&set->islands[i]);
    return count;
}

// Their velocities stay where they are until there is room for all; everything else is given back.
static scree_status solve_large(solve_work *work, island_run *runs, scree_error *error)
{
    const island_set *set = work->shared.set;
    scree_status status = SCREE_OK;
    for (size_t i = 0; status == SCREE_OK && i < set->count; i++) {
        if (!is_large(&set->islands[i]))
            continue;
        *runs = work->shared;
        runs->island = &set->islands[i];
        runs->alone = true;
        status = solve_island(runs, error);
        if (status == SCREE_OK)
            arena_release(runs->scratch, runs->kept);
        work->outcomes[i] = runs->outcome;
        runs++;
    }
    return status;
}

// ------------------------------------------------------------------------------------------------------- small islands

static scree_status solve_small_island(const solve_work *work, size_t index, arena *scratch)
{
    island_run run = work->shared;
    arena_rewind(scratch);
    run.island = &run.set->islands[index];
    run.scratch = scratch;
    run.threads = 1;
    scree_status status = solve_island(&run, NULL);
    if (status == SCREE_OK)
        give_velocities(&run, work->solution);
    work->outcomes[index] = run.outcome;
    return status;
}

static void solve_block(void *context, size_t index)
{
    const solve_work *work = context;
    const island_entry *entry = &work->shared.set->islands[index];
    if (!is_solved(entry) || is_large(entry))
        return;
    if (solve_small_island(work, index, &work->workers[thread_index()]) != SCREE_OK)
        atomic_store(work->failed, true);
}

static scree_status solve_small(solve_work *work, scree_error *error)
{
    _Atomic bool failed = false;
    work->failed = &failed;
    for_blocks(work->shared.problem->threads, work->shared.set->count, solve_block, work);
    return failed ? fail_no_memory(error) : SCREE_OK;
}

// -------------------------------------------------------------------------------------------------------------- the
// step

// Joints are followed by velocities of slots: those of bodies that no solve changes stand there from the beginning.
static bool take_trials(island_run *shared)
{
    const step_problem *problem = shared->problem;
    for (int k = 0; shared->joints->count > 0 && k < 2; k++) {
        shared->trial_velocity[k] = arena_array(shared->scratch, vec3, problem->body_count);
        shared->trial_spin[k] = arena_array(shared->scratch, vec3, problem->body_count);
        if (!shared->trial_velocity[k] || !shared->trial_spin[k])
            return false;
        memcpy(shared->trial_velocity[k], problem->velocity, problem->body_count * sizeof(vec3));
        memcpy(shared->trial_spin[k], problem->spin, problem->body_count * sizeof(vec3));
    }
    return true;
}

static bool any_pushed(const island_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->islands[i].pushed && is_solved(&set->islands[i]))
            return true;
    return false;
}

// Bodies without contacts and joints end with their free velocities, and those that do not move as they are.
static void set_free_velocities(void *context, size_t first, size_t end)
{
    const solve_work *work = context;
    const step_problem *problem = work->shared.problem;
    const step_solution *solution = work->solution;
    for (size_t i = first; i < end; i++) {
        bool moves = slot_moves(problem, i);
        if (moves && solution->islands.of_slot[i] != NO_ISLAND)
            continue;
        solution->end[i] = moves ? free_velocity_of(problem, i) : start_velocity(problem, i);
        if (solution->position)
            solution->position[i] = solution->end[i];
    }
}

// Velocities that are there already stay where nothing is solved.
static bool take_velocities(solve_work *work, arena *scratch)
{
    const step_problem *problem = work->shared.problem;
    step_solution *solution = work->solution;
    size_t bodies = problem->body_count;
    bool fresh = !solution->end, pushed = any_pushed(&solution->islands);
    if (fresh)
        solution->end = arena_array(scratch, body_velocity, bodies);
    if (!solution->end)
        return false;
    if (pushed && !solution->position) {
        solution->position = arena_array(scratch, body_velocity, bodies);
        if (!solution->position)
            return false;
        if (!fresh)
            memcpy(solution->position, solution->end, bodies * sizeof *solution->end);
    }
    if (fresh)
        for_ranges(problem->threads, bodies, BODY_BLOCK, set_free_velocities, work);
    return true;
}

static scree_status fail_interrupted(scree_error *error)
{
    return fail(error, SCREE_ERROR_INTERRUPTED, "the step was interrupted while it was solved");
}

static void join_outcomes(const step_problem *problem, const solve_work *work)
{
    const island_set *set = work->shared.set;
    step_outcome *all = &work->solution->outcome;
    *all = (step_outcome){.algorithm = problem->solver.algorithm == SCREE_ALGORITHM_AUTO ? SCREE_ALGORITHM_APGS
                                                                                         : problem->solver.algorithm};
    double sum = 0;
    size_t constraints = 0, most = 0;
    for (size_t i = 0; i < set->count; i++) {
        const island_outcome *of = &work->outcomes[i];
        if (!is_solved(&set->islands[i]))
            continue;
        sum += of->error_sum;
        constraints += of->constraints;
        all->residual_max = fmax(all->residual_max, of->error_max);
        all->iterations = of->iterations > all->iterations ? of->iterations : all->iterations;
        if (of->constraints > most) {
            most = of->constraints;
            all->algorithm = of->algorithm;
            all->stop = of->stop;
        }
    }
    all->residual_mean = constraints ? sum / (double)constraints : 0;
    if (all->residual_max <= problem->solver.tolerance)
        all->stop = SCREE_STOP_TOLERANCE;
}

scree_status solve_islands(const step_problem *problem, joint_rows *joints, arena *scratch, arena *workers,
                           step_solution *solution, scree_error *error)
{
    island_set *set = &solution->islands;
    size_t large = count_large(set);
    solve_work work = {
        .shared = {.problem = problem, .set = set, .joints = joints, .scratch = scratch, .threads = problem->threads},
        .solution = solution,
        .workers = workers,
        .outcomes = arena_array(scratch, island_outcome, set->count)};
    island_run *runs = arena_array(scratch, island_run, large);
    if (!work.outcomes || !runs || !take_trials(&work.shared))
        return fail_no_memory(error);
    scree_status status = solve_large(&work, runs, error);
    if (status)
        return status;
    if (interrupt_asked(problem->interrupt))
        return fail_interrupted(error);
    if (!take_velocities(&work, scratch))
        return fail_no_memory(error);
    for (size_t i = 0; i < large; i++)
        give_velocities(&runs[i], solution);
    status = solve_small(&work, error);
    if (status == SCREE_OK)
        join_outcomes(problem, &work);
    return status == SCREE_OK && interrupt_asked(problem->interrupt) ? fail_interrupted(error) : status;
}
