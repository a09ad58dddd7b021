// One step of the complementarity method: Algorithm 1 of Negrut et al. 2010.
//
//     bodies -> contacts -> rows -> islands -> solution -> bodies
//
// A body that the solution throws against something that detection did not look for is solved once more, with the
// bodies around it and the new contacts (exits/patch.h).
#include "rigid/complementarity.h"

#include <string.h>

#include "base/error.h"
#include "base/threads.h"
#include "contact/detect_step.h"
#include "contact/energy.h"
#include "contact/meet.h"
#include "contact/row.h"
#include "rigid/capture.h"
#include "rigid/choice.h"
#include "rigid/exits/patch.h"
#include "rigid/exits/strikes.h"
#include "rigid/integrate.h"
#include "rigid/rest.h"
#include "rigid/starts.h"
#include "world/cell.h"
#include "world/motion.h"
#include "world/order.h"
#include "world/view.h"

enum { BODY_BLOCK = 4096 };

// A problem, and what came of it.
typedef struct rigid_solve {
    step_problem problem;
    joint_rows joints;
    step_solution solution;
    const uint8_t *judged; // by island (starts.h)
} rigid_solve;

// The step on its way.
typedef struct rigid_step {
    scree_world *world;
    rigid_solve first;
    rigid_solve again; // of what fast exits strike
    patch struck;      // its bodies
    bool strikes;      // something is struck
} rigid_step;

static void forget_impulses(scree_world *world)
{
    for (size_t i = 0; i < world->contacts.count; i++)
        world->contacts.data[i].impulse = (vec3f){0, 0, 0};
    for (size_t i = 0; i < world->angular_impulses.count; i++)
        world->angular_impulses.data[i] = (vec3f){0, 0, 0};
}

typedef struct sphere_marks {
    const proxy_view *view;
    const vec3f *inertia;
    uint8_t *sphere;
} sphere_marks;

static void mark_spheres(void *context, size_t first, size_t end)
{
    const sphere_marks *to = context;
    const vec3f *inertia = to->inertia;
    for (size_t i = first; i < end; i++)
        to->sphere[i] = body_is_sphere(to->view, i) && inertia[i].x == inertia[i].y && inertia[i].y == inertia[i].z;
}

// Marks the bodies that are single spheres with equal moments of inertia, as the fastest kernels want them.
static bool find_spheres(const proxy_view *view, const vec3f *inertia, int threads, arena *scratch,
                         const uint8_t **found)
{
    sphere_marks to = {view, inertia, arena_array(scratch, uint8_t, view->body_count)};
    *found = to.sphere;
    if (to.sphere)
        for_ranges(threads, view->body_count, BODY_BLOCK, mark_spheres, &to);
    return to.sphere;
}

// Keeps the rows for who asked for them; cohesion pulls on loads of their own.
static bool capture(scree_world *world, const rigid_solve *of)
{
    step_problem problem = of->problem;
    return gather_loads(world, &problem.loads) &&
           capture_rows(&problem, of->joints.rows, of->joints.count, world->capture);
}

// Room for what impacts that pass on leave, where anything rebounds.
static bool take_openings(step_problem *problem, arena *scratch)
{
    problem->opening = problem->bouncy ? arena_array(scratch, float, problem->contact_count) : NULL;
    for (size_t i = 0; problem->opening && i < problem->contact_count; i++)
        problem->opening[i] = -1;
    return problem->opening || !problem->bouncy;
}

static scree_status make_rows(scree_world *world, rigid_solve *of, scree_error *error)
{
    if (!take_openings(&of->problem, &world->scratch))
        return fail_no_memory(error);
    scree_status status = joints_make_rows(&of->problem, &world->scratch, &of->joints, error);
    if (!status && !spread_tears(&of->problem, &of->joints, &world->scratch))
        status = fail_no_memory(error);
    stage_part_ends(world, &world->last.prepare, &world->last.joint_rows);
    return status;
}

static scree_status solve(scree_world *world, rigid_solve *of, scree_error *error)
{
    step_problem *problem = &of->problem;
    if (!islands_find(problem, &of->joints, &world->scratch, &of->solution.islands))
        return fail_no_memory(error);
    if (world->sleeping > 0)
        world->sleeping -= wake_islands(&of->solution.islands, problem->body_count, world->bodies.rest.data);
    stage_part_ends(world, &world->last.prepare, &world->last.islands);
    scree_status status = solve_islands(problem, &of->joints, &world->scratch, world->workers, &of->solution, error);
    if (!status) {
        of->judged = judge_islands(problem, &of->joints, &of->solution.islands, &world->scratch);
        status = of->judged ? SCREE_OK : fail_no_memory(error);
    }
    stage_ends(world, &world->last.solve);
    return status;
}

static scree_status solve_first(rigid_step *step, scree_error *error)
{
    scree_world *world = step->world;
    arena_reset(&world->scratch);
    step_problem *problem = &step->first.problem;
    *problem = step_problem_of(world);
    problem->interrupt = &world->interrupt;
    if (!step_problem_add_joints(problem, world, &world->scratch) || !gather_loads(world, &problem->loads) ||
        !find_starts(problem, &world->scratch))
        return fail_no_memory(error);
    scree_status status = make_rows(world, &step->first, error);
    if (status)
        return status;
    proxy_view view = store_view(&world->bodies);
    if ((world->capture && !capture(world, &step->first)) ||
        !find_spheres(&view, problem->inertia, world->threads, &world->scratch, &problem->sphere))
        return fail_no_memory(error);
    status = solve(world, &step->first, error);
    world->solved = step->first.solution.outcome;
    return status;
}

// ------------------------------------------------------------------------------------------------------------- strikes

// Joins the contacts at which fast exits strike something to all others.
static bool join_struck(rigid_step *step)
{
    scree_world *world = step->world;
    const step_problem *problem = &step->first.problem;
    const strike_list *found = &world->strikes;
    patch_mark(problem, &step->first.joints, &found->contacts, &step->struck);
    patch_take_whole(problem, &step->first.solution.islands, &step->struck);
    return patch_join(problem, &step->struck, &found->contacts, world->extended ? &found->angular : NULL,
                      &world->contacts, world->extended ? &world->angular_impulses : NULL) &&
           patch_join_meetings(&found->contacts, &found->meetings, &world->meetings);
}

// Marks of struck bodies stay in scratch memory; all that the look needed besides is given back.
static scree_status find_struck(rigid_step *step, scree_error *error)
{
    scree_world *world = step->world;
    arena *scratch = &world->scratch;
    const step_problem *problem = &step->first.problem;
    fast_exits exits;
    if (!patch_take(problem->body_count, scratch, &step->struck))
        return fail_no_memory(error);
    arena_mark before = arena_get_mark(scratch);
    if (!fast_exits_find(problem, &step->first.solution, scratch, &exits))
        return fail_no_memory(error);
    const strike_problem of = {world, problem, &step->first.joints, &step->struck};
    scree_status status = strikes_find(&of, &exits, error);
    step->strikes = !status && world->strikes.contacts.count > 0;
    arena_release(scratch, before);
    if (step->strikes && !join_struck(step))
        status = fail_no_memory(error);
    stage_part_ends(world, &world->last.broad, &world->last.exits);
    return status;
}

// The ways in which bodies have just been solved, so that a part of them is solved likewise.
static const uint8_t *ways_of(const rigid_solve *of, arena *scratch)
{
    size_t bodies = of->problem.body_count;
    uint8_t *ways = arena_array(scratch, uint8_t, bodies);
    if (ways && bodies > 0)
        memcpy(ways, of->problem.solved_by, bodies);
    if (ways)
        note_solvers(&of->solution.islands, bodies, NULL, ways);
    return ways;
}

// The figures of a step whose bodies were in part solved again.
static step_outcome join_outcomes(const rigid_step *step)
{
    const step_outcome *first = &step->first.solution.outcome, *again = &step->again.solution.outcome;
    step_outcome all = *first;
    double rows = (double)(step->first.problem.contact_count + step->first.joints.count);
    double rows_again = (double)(step->again.problem.contact_count + step->again.joints.count);
    all.iterations = first->iterations > again->iterations ? first->iterations : again->iterations;
    all.residual_max = fmax(first->residual_max, again->residual_max);
    all.residual_mean = (rows * first->residual_mean + rows_again * again->residual_mean) / fmax(1, rows + rows_again);
    return all;
}

// The problem of all contacts, also those that joined.
static step_problem problem_of_all(const rigid_step *step)
{
    scree_world *world = step->world;
    step_problem all = step->first.problem;
    all.contacts = world->contacts.data;
    all.contact_count = world->contacts.count;
    all.angular_impulses = world->extended ? world->angular_impulses.data : NULL;
    all.meetings = world->meetings.list.data;
    all.meeting_count = world->meetings.list.count;
    all.meets = world->meetings.meets.data;
    all.opening = NULL; // which the patch finds for its own contacts
    return all;
}

static bool make_again(rigid_step *step)
{
    scree_world *world = step->world;
    rigid_solve *of = &step->again;
    of->problem = problem_of_all(step);
    of->problem.solved_by = ways_of(&step->first, &world->scratch);
    of->solution = (step_solution){.end = step->first.solution.end, .position = step->first.solution.position};
    return of->problem.solved_by && gather_loads(world, &of->problem.loads) &&
           patch_cut_out(&of->problem, &step->struck, &world->scratch) && find_starts(&of->problem, &world->scratch);
}

static scree_status solve_patch(rigid_step *step, scree_error *error)
{
    rigid_solve *of = &step->again;
    if (!make_again(step))
        return fail_no_memory(error);
    scree_status status = make_rows(step->world, of, error);
    if (!status)
        status = solve(step->world, of, error);
    step->first.solution.position = of->solution.position;
    return status;
}

static bool widen(rigid_step *step)
{
    const step_solution *solution = &step->again.solution;
    step_problem all = problem_of_all(step);
    return patch_widen(&all, &step->first.solution.islands, &solution->islands,
                       solution->position ? solution->position : solution->end, &step->struck);
}

static scree_status solve_struck(rigid_step *step, scree_error *error)
{
    scree_world *world = step->world;
    scree_status status = solve_patch(step, error);
    if (!status && widen(step))
        status = solve_patch(step, error);
    if (status)
        return status;
    patch_return(&step->again.problem, &step->struck, world->contacts.data,
                 world->extended ? world->angular_impulses.data : NULL);
    world->solved = join_outcomes(step);
    return SCREE_OK;
}

// ----------------------------------------------------------------------------------------------------------------- end

// Notes what the next step has to know of a solve, but for bodies that are left out.
static bool note_solve(const rigid_solve *of, const uint8_t *left_out, scree_world *world)
{
    step_bodies bodies = step_bodies_of(world);
    note_solvers(&of->solution.islands, of->problem.body_count, left_out, bodies.solved_by);
    joints_finish(&of->problem, &of->joints, left_out);
    return note_instants(&of->problem, &of->solution, of->judged, left_out, bodies.instant, &world->half_kicks);
}

static scree_status move(rigid_step *step, scree_error *error)
{
    scree_world *world = step->world;
    const rigid_solve *first = &step->first;
    step_bodies bodies = step_bodies_of(world);
    world->half_kicks.count = 0;
    if (!note_pushes(&first->problem, &first->solution, &world->pushes) ||
        !note_solve(first, step->strikes ? step->struck.marked : NULL, world) ||
        (step->strikes && !note_solve(&step->again, step->struck.done, world)))
        return fail_no_memory(error);
    size_t lost = integrate_bodies(&first->problem, &first->solution, &bodies);
    stage_ends(world, &world->last.integrate);
    return end_step(world, lost, error);
}

// Counts times at rest, and lets islands fall asleep.
static bool rest(rigid_step *step)
{
    scree_world *world = step->world;
    const step_problem *problem = &step->first.problem;
    const island_set *set = &step->first.solution.islands;
    if (!may_rest(problem, set))
        return true;
    uint8_t *disturbed = arena_array(&world->scratch, uint8_t, world->bodies.count);
    if (!disturbed)
        return false;
    memset(disturbed, 0, world->bodies.count);
    if (step->strikes)
        memcpy(disturbed, step->struck.marked, world->bodies.count);
    step_bodies bodies = step_bodies_of(world);
    size_t fell_asleep;
    if (!mark_disturbed(world, disturbed) ||
        !update_rest(problem, set, disturbed, &world->scratch, &bodies, &fell_asleep))
        return false;
    world->sleeping += fell_asleep;
    return true;
}

// An applied force begins and ends with the step: an impulse of h times it, at velocities of this instant.
static bool begin_forced(scree_world *world)
{
    if (world->forces.count == 0)
        return true;
    uint8_t *marked = arena_array(&world->scratch, uint8_t, world->bodies.count);
    if (!marked)
        return false;
    memset(marked, 0, world->bodies.count);
    for (size_t i = 0; i < world->forces.count; i++)
        marked[body_slot(&world->bodies, world->forces.data[i].id)] = 1;
    return begin_marked(world, marked);
}

static scree_status step_complementarity(scree_world *world, scree_error *error)
{
    rigid_step step = {.world = world};
    arena_reset(&world->scratch);
    if (!cell_decide(world))
        return fail_no_memory(error);
    order_bodies(world);
    arena_reset(&world->scratch);
    if (!begin_forced(world))
        return fail_no_memory(error);
    motions_set_velocities(world);
    stage_part_ends(world, &world->last.prepare, &world->last.order);

    scree_status status = detect_contacts(world, NULL, error);
    if (!status && !world->def.solver.warm_start)
        forget_impulses(world);
    if (!status)
        status = solve_first(&step, error);
    if (!status)
        status = find_struck(&step, error);
    if (!status && step.strikes)
        status = solve_struck(&step, error);
    if (!status)
        status = move(&step, error);
    stage_ends(world, &world->last.integrate);
    if (!status && !rest(&step))
        status = fail_no_memory(error);
    meetings_end(&world->meetings, &world->contacts);
    stage_part_ends(world, &world->last.integrate, &world->last.rest);
    return status;
}

const method rigid_method = {.name = "complementarity",
                             .step = step_complementarity,
                             .follows_paths = true,
                             .impulses_hold_pull = true,
                             .add_energy = add_spring_energies};
