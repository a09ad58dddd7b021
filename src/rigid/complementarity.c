// One step of the complementarity method: Algorithm 1 of Negrut et al. 2010.
//
//     bodies -> contacts -> rows -> islands -> solution -> bodies
//
// An island whose solution throws a body against something that detection did not look for takes the step once more,
// with the new contacts, while all others move on.
#include "rigid/complementarity.h"

#include <string.h>

#include "base/error.h"
#include "contact/detect_step.h"
#include "contact/energy.h"
#include "contact/row.h"
#include "rigid/capture.h"
#include "rigid/choice.h"
#include "rigid/fast_exits.h"
#include "rigid/integrate.h"
#include "rigid/rest.h"
#include "rigid/starts.h"
#include "world/cell.h"
#include "world/motion.h"
#include "world/order.h"
#include "world/view.h"

// The step on its way.
typedef struct rigid_step {
    scree_world *world;
    step_problem problem;
    joint_rows joints;
    step_solution solution;
    const uint8_t *judged; // by island (starts.h)
    const uint8_t *done;   // bodies that have moved already, by slot; NULL: none
    bool moved;            // some have
    size_t lost;           // the first body without a finite state; SIZE_MAX: none
} rigid_step;

static void forget_impulses(scree_world *world)
{
    for (size_t i = 0; i < world->contacts.count; i++)
        world->contacts.data[i].impulse = (vec3f){0, 0, 0};
    for (size_t i = 0; i < world->angular_impulses.count; i++)
        world->angular_impulses.data[i] = (vec3f){0, 0, 0};
}

// Marks the bodies that are single spheres with equal moments of inertia, as the fastest kernels want them.
static bool find_spheres(const proxy_view *view, const vec3f *inertia, int threads, arena *scratch,
                         const uint8_t **found)
{
    uint8_t *sphere = arena_array(scratch, uint8_t, view->body_count);
    *found = sphere;
    if (!sphere)
        return false;
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (size_t i = 0; i < view->body_count; i++)
        sphere[i] = body_is_sphere(view, i) && inertia[i].x == inertia[i].y && inertia[i].y == inertia[i].z;
    return true;
}

// Keeps the rows for who asked for them; cohesion pulls on loads of their own.
static bool capture(const rigid_step *step)
{
    step_problem problem = step->problem;
    return gather_loads(step->world, &problem.loads) &&
           capture_rows(&problem, step->joints.rows, step->joints.count, step->world->capture);
}

static scree_status solve(rigid_step *step, scree_error *error)
{
    scree_world *world = step->world;
    arena_reset(&world->scratch);
    step_problem *problem = &step->problem;
    *problem = step_problem_of(world);
    problem->done = step->done;
    problem->interrupt = step->done ? NULL : &world->interrupt; // not when bodies have moved already
    if (!step_problem_add_joints(problem, world, &world->scratch) || !gather_loads(world, &problem->loads) ||
        !find_starts(problem, &world->scratch))
        return fail_no_memory(error);
    scree_status status = joints_make_rows(problem, &world->scratch, &step->joints, error);
    if (!status && !spread_tears(problem, &step->joints, &world->scratch))
        status = fail_no_memory(error);
    if (!status && world->capture && !capture(step))
        status = fail_no_memory(error);
    if (status)
        return status;
    proxy_view view = store_view(&world->bodies);
    if (!find_spheres(&view, problem->inertia, world->threads, &world->scratch, &problem->sphere))
        return fail_no_memory(error);
    stage_part_ends(world, &world->last.prepare, &world->last.joint_rows);
    step->solution = (step_solution){0};
    if (!islands_find(problem, &step->joints, &world->scratch, &step->solution.islands))
        return fail_no_memory(error);
    if (world->sleeping > 0)
        world->sleeping -= wake_islands(&step->solution.islands, problem->body_count, world->bodies.rest.data);
    stage_part_ends(world, &world->last.prepare, &world->last.islands);
    status = solve_islands(problem, &step->joints, &world->scratch, world->workers, &step->solution, error);
    world->solved = step->solution.outcome;
    if (!status) {
        step->judged = judge_islands(problem, &step->joints, &step->solution.islands, &world->scratch);
        status = step->judged ? SCREE_OK : fail_no_memory(error);
    }
    stage_ends(world, &world->last.solve);
    return status;
}

static scree_status move(rigid_step *step, const uint8_t *left_out, scree_error *error)
{
    step_bodies bodies = step_bodies_of(step->world);
    if (!step->moved)
        step->world->half_kicks.count = 0;
    step->moved = true;
    if (!note_pushes(&step->problem, &step->solution, left_out, &step->world->pushes) ||
        !note_instants(&step->problem, &step->solution, step->judged, left_out, bodies.instant,
                       &step->world->half_kicks))
        return fail_no_memory(error);
    note_solvers(&step->solution.islands, step->problem.body_count, left_out, bodies.solved_by);
    joints_finish(&step->problem, &step->joints, left_out);
    size_t lost = integrate_bodies(&step->problem, &step->solution, left_out, &bodies);
    step->lost = lost < step->lost ? lost : step->lost;
    stage_ends(step->world, &step->world->last.integrate);
    return SCREE_OK;
}

// Marks the bodies of islands in which a fast exit runs into something; returns whether there are any.
static bool mark_colliding(const step_problem *problem, const fast_exits *exits, const island_set *set, uint8_t *marked)
{
    bool any = false;
    for (size_t i = 0; i < set->count; i++)
        set->islands[i].done = false;
    for (size_t i = 0; i < problem->contact_count; i++)
        if (fast_exit_collides(problem, exits, &problem->contacts[i]))
            any = island_of_contact(set, &problem->contacts[i])->done = true;
    for (size_t i = 0; i < problem->body_count; i++)
        marked[i] = set->of_slot[i] != NO_ISLAND && set->islands[set->of_slot[i]].done;
    return any;
}

// Looks for what fast exits run into. Where they do, everything else moves on, and *again tells that the step is to
// be solved once more for the bodies that are left.
static scree_status look_again(rigid_step *step, bool *again, scree_error *error)
{
    scree_world *world = step->world;
    size_t bodies = world->bodies.count;
    arena *scratch = &world->scratch;
    proxy_view view = store_view(&world->bodies);
    fast_exits exits;
    if (!fast_exits_find(&step->problem, &step->solution, scratch, &exits) ||
        !fast_exits_may_hit(&step->problem, &view, &exits, scratch, again))
        return fail_no_memory(error);
    stage_part_ends(world, &world->last.broad, &world->last.exits);
    if (!*again)
        return SCREE_OK;
    kept_contacts solved;
    const body_velocity *velocities = fast_exits_search_velocities(&step->problem, &exits, scratch);
    if (!velocities || !contacts_keep(world->contacts.data, step->problem.angular_impulses, world->contacts.count, NULL,
                                      scratch, &solved))
        return fail_no_memory(error);
    scree_status status = detect_contacts_again(world, velocities, exits.is_fast_exit, solved.contacts, error);
    if (status)
        return status;
    island_set set;
    step_problem problem = step_problem_of(world);
    uint8_t *left = arena_array(scratch, uint8_t, bodies);
    if (!left || !islands_find(&problem, &step->joints, scratch, &set) || !array_resize(&world->done, bodies))
        return fail_no_memory(error);
    *again = mark_colliding(&problem, &exits, &set, left);
    if (!contacts_put_back(&solved, left, scratch, &world->contacts, &world->angular_impulses))
        return fail_no_memory(error);
    stage_part_ends(world, &world->last.prepare, &world->last.islands);
    if (!*again)
        return SCREE_OK;
    for (size_t i = 0; i < bodies; i++)
        world->done.data[i] = !left[i];
    step->done = world->done.data;
    return move(step, left, error);
}

// Counts times at rest, and lets islands fall asleep.
static bool rest(rigid_step *step)
{
    scree_world *world = step->world;
    const island_set *set = &step->solution.islands;
    if (!may_rest(&step->problem, set))
        return true;
    uint8_t *disturbed = arena_array(&world->scratch, uint8_t, world->bodies.count);
    if (!disturbed)
        return false;
    memset(disturbed, 0, world->bodies.count);
    step_bodies bodies = step_bodies_of(world);
    size_t fell_asleep;
    if (!mark_disturbed(world, disturbed) ||
        !update_rest(&step->problem, set, disturbed, &world->scratch, &bodies, &fell_asleep))
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
    rigid_step step = {.world = world, .lost = SIZE_MAX};
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
    bool again = false;
    if (!status)
        status = solve(&step, error);
    if (!status)
        status = look_again(&step, &again, error);
    if (!status && again)
        status = solve(&step, error);
    if (!status)
        status = move(&step, step.done, error);
    if (!status)
        status = end_step(world, step.lost, error);
    stage_ends(world, &world->last.integrate);
    if (!status && !rest(&step))
        status = fail_no_memory(error);
    stage_part_ends(world, &world->last.integrate, &world->last.rest);
    return status;
}

const method rigid_method = {.name = "complementarity",
                             .step = step_complementarity,
                             .impulses_hold_pull = true,
                             .add_energy = add_spring_energies};
