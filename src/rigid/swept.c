#include "rigid/swept.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/threads.h"
#include "solve/solver.h"
#include "solve/sweep/articulation.h"
#include "solve/sweep/subproblem.h"
#include "solve/sweep/wide_body.h"

enum { BODY_BLOCK = 512, MOST_PARTS = 8, AHEAD = 8 };

// Ratio of masses in an island from which on sweeps need more iterations, and how many times as many at most.
static const double unlike_masses = 1e4, most_added = 20;

// How many times as many sweeps an island gets that Newton's method would have to finish.
static const double checked_times = 16;

// ------------------------------------------------------------------------------------------------------- local bodies

// The first of the contacts up to `index` that one pair of bodies has one after the other.
static uint32_t first_of_pair(const island_run *run, size_t index)
{
    const contact *contacts = run->problem->contacts, *last = &contacts[run_contacts(run)[index]];
    for (; index > 0; index--) {
        const contact *c = &contacts[run_contacts(run)[index - 1]];
        if (c->a != last->a || c->b != last->b)
            break;
    }
    return (uint32_t)index;
}

// An immovable body has a place for each pair with it, or one place for all where nobody else numbers it meanwhile.
static uint32_t local_body(const island_run *run, uint32_t slot, size_t index)
{
    if (!run->problem->immovable[slot])
        return run_place(run, slot);
    return run->island->body_count + (run->alone ? run->set->place_of_slot[slot] : first_of_pair(run, index));
}

// The immovable body of a contact; NO_BODY when it has none.
static uint32_t immovable_end(const step_problem *problem, uint32_t index)
{
    const contact *c = &problem->contacts[index];
    return problem->immovable[c->a] ? c->a : problem->immovable[c->b] ? c->b : NO_BODY;
}

static uint32_t fixed_slot(const island_run *run, size_t index)
{
    return immovable_end(run->problem, run_contacts(run)[index]);
}

// Numbers the immovable bodies that the island touches.
static void number_fixed(island_run *run)
{
    uint32_t *place = run->set->place_of_slot;
    const uint32_t *fixed = run->set->fixed + run->island->first_fixed;
    run->fixed_count = run->island->contact_count;
    if (!run->alone)
        return;
    for (size_t i = 0; i < run->island->fixed_count; i++)
        place[immovable_end(run->problem, fixed[i])] = NO_BODY;
    run->fixed_count = 0;
    for (size_t i = 0; i < run->island->fixed_count; i++) {
        uint32_t slot = immovable_end(run->problem, fixed[i]);
        if (place[slot] == NO_BODY)
            place[slot] = (uint32_t)run->fixed_count++;
    }
}

// --------------------------------------------------------------------------------------------------- kinds of contacts

// Is the arm along the normal, as in every contact of a ball in its centre?
static bool is_radial(vec3 arm, vec3f normal)
{
    vec3 across = vec3_cross(arm, vec3_from_f(normal));
    return vec3_dot(across, across) <= 1e-10 * vec3_dot(arm, arm);
}

static bool is_isotropic(const step_problem *problem, uint32_t slot)
{
    vec3f inertia = problem->inertia[slot];
    return problem->immovable[slot] || (inertia.x == inertia.y && inertia.y == inertia.z);
}

static bool is_ball(const step_problem *problem, uint32_t slot, vec3 arm, vec3f normal)
{
    return problem->immovable[slot] ? vec3_length(problem->spin[slot]) == 0 : is_radial(arm, normal);
}

// The arm of a sphere is along the normal whatever it touches, and of no use where nothing turns.
static bool is_sphere(const step_problem *problem, uint32_t slot)
{
    return problem->immovable[slot] ? vec3_length(problem->spin[slot]) == 0 : problem->sphere[slot];
}

// Where it is known who is a sphere nothing else is looked at: of boxes and hulls some point may be central, but never
// all that a tile has.
static problem_kind kind_of_contact(const step_problem *problem, const contact *c)
{
    const pair_properties *pair = pair_of_contact(problem, c);
    if (pair->rolling > 0 || pair->spinning > 0 || pair->stiffness > 0)
        return PROBLEM_EXTENDED_CONTACT;
    if (problem->sphere && is_sphere(problem, c->a) && is_sphere(problem, c->b))
        return PROBLEM_CENTERED_SPHERES;
    if (!is_isotropic(problem, c->a) || !is_isotropic(problem, c->b))
        return PROBLEM_GENERAL_INERTIA;
    if (problem->sphere)
        return PROBLEM_ISOTROPIC;
    vec3 arm = vec3_from_f(c->arm), arm_b = second_arm(problem, c);
    return is_ball(problem, c->a, arm, c->normal) && is_ball(problem, c->b, arm_b, c->normal) ? PROBLEM_CENTERED_SPHERES
                                                                                              : PROBLEM_ISOTROPIC;
}

static contact_ends ends_of_contact(const void *context, size_t index)
{
    const island_run *run = context;
    const contact *c = &run->problem->contacts[run_contacts(run)[index]];
    return (contact_ends){local_body(run, c->a, index), local_body(run, c->b, index), kind_of_contact(run->problem, c)};
}

// ----------------------------------------------------------------------------------------------------------- the rows

typedef struct row_source {
    const island_run *run;
    row_bias *bias;
} row_source;

// Contacts stand in memory by their first bodies' slots, and are asked for in the order of cells.
static void fetch_ahead(const island_run *run, size_t index)
{
    if (index + AHEAD >= run->island->contact_count)
        return;
    const contact *c = &run->problem->contacts[run_contacts(run)[index + AHEAD]];
    __builtin_prefetch(c);
    __builtin_prefetch((const char *)(c + 1) - 1); // it may reach into the next cache line
}

static void make_row(const void *context, size_t index, problem_row *row)
{
    const row_source *from = context;
    const step_problem *problem = from->run->problem;
    uint32_t of = run_contacts(from->run)[index];
    fetch_ahead(from->run, index);
    contact_speeds speeds = contact_row_make(problem, of, row);
    row->bias = from->bias(&speeds, speeds.push_out > 0 && contact_is_pushed(problem, &problem->contacts[of]));
    row->a = local_body(from->run, row->a, index);
    row->b = local_body(from->run, row->b, index);
}

static void set_block(void *context, size_t block)
{
    island_run *run = context;
    for (size_t i = block * BODY_BLOCK; i < block_end(block, BODY_BLOCK, run->island->body_count); i++) {
        problem_body body = free_body(run->problem, run_bodies(run)[i]);
        problem_set_body(&run->swept, i, &body);
    }
}

static void set_movable_bodies(island_run *run)
{
    for_blocks(run->threads, block_count(run->island->body_count, BODY_BLOCK), set_block, run);
}

static void set_fixed_bodies(island_run *run)
{
    size_t set = 0; // immovable bodies are numbered in the order of their first contacts
    for (size_t i = 0; run->alone && i < run->island->fixed_count; i++) {
        uint32_t slot = immovable_end(run->problem, run->set->fixed[run->island->first_fixed + i]);
        if (run->set->place_of_slot[slot] != set)
            continue;
        problem_body body = free_body(run->problem, slot);
        problem_set_body(&run->swept, run->island->body_count + set++, &body);
    }
    for (size_t i = 0; !run->alone && i < run->island->contact_count; i++) {
        uint32_t slot = fixed_slot(run, i);
        problem_body body = slot != NO_BODY ? free_body(run->problem, slot) : (problem_body){0};
        problem_set_body(&run->swept, run->island->body_count + i, &body);
    }
}

static void take_impulse(void *context, size_t index, vec3 impulse, vec3 angular_impulse)
{
    const island_run *run = context;
    uint32_t of = run_contacts(run)[index];
    run->problem->contacts[of].impulse = vec3f_from(impulse);
    if (run->problem->angular_impulses)
        run->problem->angular_impulses[of] = vec3f_from(angular_impulse);
}

// The rows of joints, as one block of the sweeps.
static scree_status take_joints(island_run *run, scree_error *error)
{
    size_t count = run->island->row_count;
    run->swept.joints = NULL;
    if (count == 0)
        return SCREE_OK;
    joint_row *rows = arena_array(run->scratch, joint_row, count);
    problem_body *bodies = arena_array(run->scratch, problem_body, run->island->body_count);
    articulation *joined = arena_array(run->scratch, articulation, 1);
    if (!rows || !bodies || !joined)
        return fail_no_memory(error);
    for (size_t i = 0; i < run->island->body_count; i++)
        bodies[i] = free_body(run->problem, run_bodies(run)[i]);
    for (size_t i = 0; i < count; i++) {
        rows[i] = run->joints->rows[run->set->rows[run->island->first_row + i]];
        for (int k = 0; k < JOINT_ROW_BODIES; k++) {
            uint32_t slot = rows[i].body[k];
            if (slot == NO_BODY)
                continue;
            if (!run->problem->immovable[slot]) {
                rows[i].body[k] = run_place(run, slot);
                continue;
            }
            // An immovable body adds its speed to the row, which then speaks of the world.
            rows[i].bias += vec3_dot(rows[i].linear[k], run->problem->velocity[slot]) +
                            vec3_dot(rows[i].angular[k], run->problem->spin[slot]);
            rows[i].body[k] = NO_BODY;
        }
    }
    scree_status status = articulation_make(joined, bodies, rows, count, run->scratch, error);
    run->swept.joints = joined;
    return status;
}

static void give_impulses(island_run *run)
{
    problem_get_impulses(&run->swept, take_impulse, run, run->threads);
    for (size_t i = 0; run->swept.wide && i < run->island->contact_count - run->ordinary_count; i++)
        take_impulse(run, run->ordinary_count + i, wide_bodies_impulse(run->swept.wide, i),
                     wide_bodies_angular_impulse(run->swept.wide, i));
    for (size_t i = 0; run->swept.joints && i < run->island->row_count; i++)
        run->joints->rows[run->set->rows[run->island->first_row + i]].impulse =
            run->swept.joints->island.rows[i].impulse;
}

// --------------------------------------------------------------------------------------------------------- wide bodies

// How many contacts each body has, of those in each part of them; immovable ones have a count of their own behind all
// others.
typedef struct contact_counts {
    const island_run *run;
    size_t parts;
    uint32_t *by_place; // of all parts, one after the other
} contact_counts;

static void count_part(void *context, size_t part)
{
    const contact_counts *counts = context;
    const island_run *run = counts->run;
    const uint8_t *immovable = run->problem->immovable;
    uint32_t none = run->island->body_count, *by_place = counts->by_place + part * (none + 1u);
    size_t contacts = run->island->contact_count, end = contacts * (part + 1) / counts->parts;
    memset(by_place, 0, (none + 1u) * sizeof *by_place);
    for (size_t i = contacts * part / counts->parts; i < end; i++) {
        const contact *c = &run->problem->contacts[run_contacts(run)[i]];
        by_place[immovable[c->a] ? none : run_place(run, c->a)]++;
        by_place[immovable[c->b] ? none : run_place(run, c->b)]++;
    }
}

// The counts of all parts together; NULL when out of memory.
static const uint32_t *count_contacts(const island_run *run)
{
    size_t parts = run->threads < MOST_PARTS ? (size_t)run->threads : MOST_PARTS, bodies = run->island->body_count;
    contact_counts counts = {run, parts, arena_array(run->scratch, uint32_t, parts * (bodies + 1))};
    if (!counts.by_place)
        return NULL;
    for_blocks(run->threads, parts, count_part, &counts);
    for (size_t part = 1; part < parts; part++)
        for (size_t i = 0; i < bodies; i++)
            counts.by_place[i] += counts.by_place[part * (bodies + 1) + i];
    return counts.by_place;
}

static bool any_crowded(const island_run *run, const uint32_t *contacts)
{
    uint32_t most = 0;
    for (size_t i = 0; i < run->island->body_count; i++)
        most = contacts[i] > most ? contacts[i] : most;
    return most > WIDE_CONTACTS;
}

// What each body touches: the mass of all movable bodies together, and of the lightest.
typedef struct touched {
    double mass, lightest;
} touched;

static void add_touched(const island_run *run, touched *by_place)
{
    const step_problem *problem = run->problem;
    for (size_t i = 0; i < run->island->body_count; i++)
        by_place[i] = (touched){0, HUGE_VAL};
    for (size_t i = 0; i < run->island->contact_count; i++) {
        const contact *c = &problem->contacts[run_contacts(run)[i]];
        if (problem->immovable[c->a] || problem->immovable[c->b])
            continue;
        touched *of_a = &by_place[run_place(run, c->a)], *of_b = &by_place[run_place(run, c->b)];
        *of_a = (touched){of_a->mass + problem->mass[c->b], fmin(of_a->lightest, problem->mass[c->b])};
        *of_b = (touched){of_b->mass + problem->mass[c->a], fmin(of_b->lightest, problem->mass[c->a])};
    }
}

// A body that is much heavier than what it touches: its velocity needs more digits than the sweeps' precision has.
static bool is_heavy(double mass, const touched *by)
{
    return mass > unlike_masses * by->lightest;
}

static bool mark_wide(island_run *run, const uint32_t *contacts, touched *touching)
{
    bool any = false;
    add_touched(run, touching);
    for (size_t i = 0; i < run->island->body_count; i++) {
        double mass = run->problem->mass[run_bodies(run)[i]];
        bool heavy = is_heavy(mass, &touching[i]);
        run->is_wide[i] = heavy || (contacts[i] > WIDE_CONTACTS && mass < touching[i].mass);
        any |= run->is_wide[i];
        if (heavy)
            run->heavy[run->heavy_count++].place = (uint32_t)i;
    }
    return any;
}

static bool has_heavy(const island_run *run)
{
    return run->island->heaviest > unlike_masses * run->island->lightest;
}

// Room for the heavy bodies that there may be, which outlives the run as its velocities do.
static bool take_heavy(island_run *run)
{
    size_t most = 0;
    run->heavy_count = 0;
    if (!has_heavy(run))
        return true;
    for (size_t i = 0; i < run->island->body_count; i++)
        most += run->problem->mass[run_bodies(run)[i]] > unlike_masses * run->island->lightest;
    run->heavy = arena_array(run->scratch, heavy_body, most);
    return run->heavy != NULL;
}

static void read_heavy(island_run *run)
{
    for (size_t i = 0; i < run->heavy_count; i++) {
        heavy_body *heavy = &run->heavy[i];
        wide_bodies_velocity(run->swept.wide, &run->swept, heavy->place, &heavy->end.velocity, &heavy->end.spin);
    }
}

static bool is_wide_contact(const island_run *run, uint32_t index)
{
    const contact *c = &run->problem->contacts[index];
    const uint8_t *immovable = run->problem->immovable;
    return (!immovable[c->a] && run->is_wide[run_place(run, c->a)]) ||
           (!immovable[c->b] && run->is_wide[run_place(run, c->b)]);
}

// Contacts of wide bodies move behind all others, both in the order that they have.
static bool separate_wide(island_run *run, cell_list *cells)
{
    uint32_t *contacts = run->set->contacts + run->island->first_contact;
    size_t count = run->island->contact_count, ordinary = 0, wide = 0, cell = 0;
    uint32_t *moved = arena_array(run->scratch, uint32_t, count);
    if (!moved)
        return false;
    for (size_t i = 0; i <= count; i++) {
        for (; cell <= cells->cell_count && cells->first_contact[cell] == i; cell++)
            cells->first_contact[cell] = (uint32_t)ordinary;
        if (i == count)
            break;
        if (is_wide_contact(run, contacts[i]))
            moved[wide++] = contacts[i];
        else
            contacts[ordinary++] = contacts[i];
    }
    memcpy(contacts + ordinary, moved, wide * sizeof *moved);
    run->ordinary_count = ordinary;
    return true;
}

// Finds light bodies with very many contacts, and takes those out of the cells.
static bool find_wide(island_run *run, cell_list *cells)
{
    size_t bodies = run->island->body_count + run->fixed_count;
    run->ordinary_count = run->island->contact_count;
    run->is_wide = NULL;
    bool unlike = has_heavy(run);
    if (run->island->contact_count <= WIDE_CONTACTS && !unlike)
        return true;
    arena_mark before = arena_get_mark(run->scratch);
    const uint32_t *contacts = count_contacts(run);
    if (!contacts)
        return false;
    if (unlike || any_crowded(run, contacts)) {
        touched *touching = arena_array(run->scratch, touched, run->island->body_count);
        run->is_wide = arena_array(run->scratch, uint8_t, bodies);
        if (!touching || !run->is_wide)
            return false;
        memset(run->is_wide, 0, bodies);
        if (mark_wide(run, contacts, touching))
            return separate_wide(run, cells);
    }
    run->is_wide = NULL;
    arena_release(run->scratch, before);
    return true;
}

static scree_status take_wide(island_run *run, row_bias *bias, scree_error *error)
{
    size_t bodies = run->swept.body_count, count = run->island->contact_count - run->ordinary_count;
    run->swept.wide = NULL;
    if (count == 0)
        return SCREE_OK;
    problem_body *free_bodies = arena_array(run->scratch, problem_body, bodies);
    problem_row *rows = arena_array(run->scratch, problem_row, count);
    wide_bodies *wide = arena_array(run->scratch, wide_bodies, 1);
    if (!free_bodies || !rows || !wide)
        return fail_no_memory(error);
    memset(free_bodies, 0, bodies * sizeof *free_bodies);
    for (size_t i = 0; i < run->island->body_count; i++)
        free_bodies[i] = free_body(run->problem, run_bodies(run)[i]);
    row_source source = {run, bias};
    for (size_t i = 0; i < count; i++) {
        uint32_t slot = fixed_slot(run, run->ordinary_count + i);
        make_row(&source, run->ordinary_count + i, &rows[i]);
        if (slot != NO_BODY)
            free_bodies[local_body(run, slot, run->ordinary_count + i)] = free_body(run->problem, slot);
    }
    scree_status status = wide_bodies_make(wide, free_bodies, bodies, run->is_wide, rows, count, run->scratch, error);
    run->swept.wide = wide;
    return status;
}

// ------------------------------------------------------------------------------------------------------------- solving

static bool lay_out(island_run *run, scree_error *error)
{
    size_t movable = run->island->body_count;
    scree_precision precision = run->problem->solver.precision;
    number_fixed(run);
    size_t bodies = movable + run->fixed_count;
    void *velocities = arena_take(run->scratch, velocities_size(precision, bodies));
    if (run->island->pushed)
        run->position_velocities = arena_take(run->scratch, velocities_size(precision, bodies));
    bool has_room = take_heavy(run);
    run->kept = arena_get_mark(run->scratch);
    uint8_t *immovable = arena_array(run->scratch, uint8_t, bodies);
    if (!velocities || (run->island->pushed && !run->position_velocities) || !has_room || !immovable ||
        !find_wide(run, &run->cells))
        return false;
    memset(immovable, 0, movable);
    memset(immovable + movable, 1, run->fixed_count);
    problem_spec spec = {.precision = precision,
                         .body_count = bodies,
                         .immovable = immovable,
                         .contact_count = run->ordinary_count,
                         .ends = ends_of_contact,
                         .context = run,
                         .cells = &run->cells,
                         .velocities = velocities};
    return problem_lay_out(&run->swept, &spec, run->threads, run->scratch, error) == SCREE_OK;
}

// Sweeps pass a load on in parts of what the lighter body can carry: the number that is needed grows with the root of
// the ratio of masses.
static bool has_unlike_masses(const island_run *run)
{
    return run->problem->solver.algorithm == SCREE_ALGORITHM_AUTO &&
           run->island->heaviest >= unlike_masses * run->island->lightest;
}

// Islands with unlike masses get more sweeps than others, if only to a modest accuracy; not where they are solved
// again, since they begin with a solution to which a few contacts have come. What is small and moves by the exact law
// is swept on for about as long as Newton's method would take to finish it, in many steps, since much changes; what
// rests it finishes sooner and better.
static int find_iterations(const island_run *run)
{
    const scree_solver_def *solver = &run->problem->solver;
    double ratio = run->island->heaviest / run->island->lightest;
    if (run->island->solver == ISLAND_SWEPT_THEN_CHECKED && solver->friction == SCREE_FRICTION_EXACT &&
        !run_is_slow(run))
        return (int)fmin(INT32_MAX, (double)solver->iterations * checked_times);
    if (!has_unlike_masses(run) || run->problem->done)
        return solver->iterations;
    return (int)fmin(INT32_MAX, solver->iterations * fmin(most_added, sqrt(ratio / unlike_masses) * 5));
}

static scree_status sweep(island_run *run, contact_problem *problem, const scree_solver_def *def, solve_result *result,
                          scree_error *error)
{
    arena_mark before = arena_get_mark(run->scratch);
    scree_status status = solve_problem(problem, def, run->threads, run->scratch, result, error);
    arena_release(run->scratch, before);
    if (status == SCREE_OK) {
        give_impulses(run);
        read_heavy(run);
    }
    return status;
}

scree_status swept_solve(island_run *run, scree_error *error)
{
    if (!lay_out(run, error))
        return fail_no_memory(error);
    set_movable_bodies(run);
    set_fixed_bodies(run);
    row_source source = {run, whole_bias};
    problem_set_contacts(&run->swept, make_row, &source, run->threads);
    scree_status status = take_joints(run, error);
    if (!status)
        status = take_wide(run, whole_bias, error);
    if (status)
        return status;
    scree_solver_def def = run->problem->solver;
    def.iterations = find_iterations(run);
    run->swept.has_unlike_masses = has_unlike_masses(run);
    run->swept.interrupt = run->problem->interrupt;
    solve_result result;
    run->swept.carries_heavy = run->swept.has_unlike_masses && def.iterations > run->problem->solver.iterations;
    status = sweep(run, &run->swept, &def, &result, error);
    run->swept.carries_heavy = false; // what is solved again starts from here
    size_t constraints = run->island->contact_count + run->island->row_count;
    run->is_direct = false;
    run->outcome = (island_outcome){.algorithm = result.algorithm,
                                    .iterations = result.iterations,
                                    .stop = result.stop,
                                    .error_sum = result.residual.mean * (double)constraints,
                                    .error_max = result.residual.max,
                                    .constraints = constraints};
    return status;
}

scree_status swept_solve_again(island_run *run, row_bias *bias, int iterations, scree_error *error)
{
    set_movable_bodies(run);
    row_source source = {run, bias};
    problem_set_contacts(&run->swept, make_row, &source, run->threads);
    scree_status status = take_joints(run, error);
    if (!status)
        status = take_wide(run, bias, error);
    if (status)
        return status;
    scree_solver_def def = run->problem->solver;
    def.iterations = iterations;
    solve_result ignored;
    return sweep(run, &run->swept, &def, &ignored, error);
}

// Contacts that are pushed, and the tiles that hold them.
static void mark_pushed(const island_run *run, uint8_t *marked)
{
    memset(marked, 0, run->swept.tile_count);
    for (size_t t = 0; t < run->swept.tile_count; t++) {
        const problem_tile *tile = &run->swept.tiles[t];
        for (size_t i = tile->first_contact; i < tile->first_contact + tile->contact_count; i++)
            marked[t] |= contact_is_pushed(run->problem, &run->problem->contacts[run_contacts(run)[i]]);
    }
}

scree_status swept_solve_pushed(island_run *run, row_bias *bias, int iterations, scree_error *error)
{
    contact_problem subproblem;
    scree_solver_def def = run->problem->solver;
    def.iterations = iterations;
    if (def.algorithm == SCREE_ALGORITHM_AUTO || def.algorithm == SCREE_ALGORITHM_APGS)
        def.algorithm =
            SCREE_ALGORITHM_GAUSS_SEIDEL; // so few sweeps of what changes here and there gain nothing by momentum
    arena_mark before = arena_get_mark(run->scratch);
    uint8_t *marked = arena_array(run->scratch, uint8_t, run->swept.tile_count);
    if (!marked)
        return fail_no_memory(error);
    mark_pushed(run, marked);
    if (!problem_take_subproblem(&run->swept, marked, run->scratch, &subproblem))
        return fail_no_memory(error);
    problem_take_off_impulses(&subproblem, run->threads);
    row_source source = {run, bias};
    for (size_t i = 0; i < run->swept.contact_count; i++) {
        if (!contact_is_pushed(run->problem, &run->problem->contacts[run_contacts(run)[i]]))
            continue;
        problem_row row;
        make_row(&source, i, &row);
        problem_set_contact(&run->swept, i, &row);
    }
    solve_result ignored;
    scree_status status = sweep(run, &subproblem, &def, &ignored, error);
    arena_release(run->scratch, before);
    return status;
}
