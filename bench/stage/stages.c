// Stages: how long each stage of a step takes on its own, over plain arrays. A pile settles in a world; its arrays are
// copied, and the straight line of a step is gone through again and again on the copies, from the same state.
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "bench/benchmarks.h"
#include "bench/measure/json_line.h"
#include "bench/measure/measure.h"
#include "contact/detect.h" // stages are measured from inside
#include "contact/row.h"
#include "rigid/exits/exit_look.h"
#include "rigid/integrate.h"
#include "rigid/rest.h"
#include "step/touches.h"
#include "world/view.h"

// The arrays of a step. Those that stages write are copies, which `from` fills anew.
typedef struct stage_lab {
    const scree_world *from;
    step_problem problem;
    step_bodies bodies;
    proxy_view view;
    detection detected;
    joint_rows joints; // none
    step_solution solution;
    fast_exits exits;
    uint8_t *disturbed; // nobody is
    contact_array contacts;
    vec3f_array angular;
    body_pushes pushes;
    body_pair_array touching, begun, ended;
    arena scratch, *workers; // one for each thread
    double sum;              // of what is computed and not kept
} stage_lab;

// --------------------------------------------------------------------------------------------------- one by one

static bool find_margins(stage_lab *lab)
{
    size_t lost;
    lab->detected = (detection){.problem = &lab->problem,
                                .view = lab->view,
                                .most_per_pair = (size_t)lab->from->def.contacts_per_pair,
                                .last = &lab->contacts,
                                .contacts = &lab->contacts,
                                .last_angular = &lab->angular,
                                .angular = lab->from->extended ? &lab->angular : NULL,
                                .scratch = &lab->scratch};
    return detection_find_margins(&lab->detected, &lost) && lost == SIZE_MAX;
}

static bool remember(stage_lab *lab)
{
    return detection_remember(&lab->detected);
}

static bool find_pairs(stage_lab *lab)
{
    size_t lost;
    return detection_find_pairs(&lab->detected, &lost, NULL) == SCREE_OK;
}

static bool find_contacts(stage_lab *lab)
{
    const sleepers none = {0};
    bool done = detection_find_contacts(&lab->detected, &none);
    lab->problem.contacts = lab->contacts.data;
    lab->problem.contact_count = lab->contacts.count;
    lab->problem.angular_impulses = lab->detected.angular ? lab->angular.data : NULL;
    return done;
}

// Solvers make rows where they want them; here they are made one after the other, and forgotten.
static bool make_rows(stage_lab *lab)
{
    problem_row row;
    for (size_t i = 0; i < lab->problem.contact_count; i++)
        lab->sum += contact_row_make(&lab->problem, i, &row).push_out + row.friction;
    return true;
}

static bool find_islands(stage_lab *lab)
{
    lab->solution = (step_solution){0};
    return islands_find(&lab->problem, &lab->joints, &lab->scratch, &lab->solution.islands);
}

static bool solve(stage_lab *lab)
{
    for (int i = 0; i < lab->problem.threads; i++)
        arena_reset(&lab->workers[i]);
    return solve_islands(&lab->problem, &lab->joints, &lab->scratch, lab->workers, &lab->solution, NULL) == SCREE_OK;
}

static bool look_for_exits(stage_lab *lab)
{
    exit_look look;
    return fast_exits_find(&lab->problem, &lab->solution, &lab->scratch, &lab->exits) &&
           exits_look(&lab->problem, &lab->view, &lab->exits, &lab->scratch, &look);
}

static bool integrate(stage_lab *lab)
{
    lab->pushes.count = 0;
    return note_pushes(&lab->problem, &lab->solution, &lab->pushes) &&
           integrate_bodies(&lab->problem, &lab->solution, &lab->bodies) == SIZE_MAX;
}

static bool rest(stage_lab *lab)
{
    size_t fell_asleep;
    return update_rest(&lab->problem, &lab->solution.islands, lab->disturbed, &lab->scratch, &lab->bodies,
                       &fell_asleep);
}

static bool update_touches(stage_lab *lab)
{
    touch_lists lists = {&lab->touching, &lab->begun, &lab->ended};
    return touches_update(lab->contacts.data, lab->contacts.count, lab->problem.id, &lab->scratch, &lists);
}

static const struct {
    const char *name;
    bool (*run)(stage_lab *lab);
    bool by_body; // what it costs is told by body, otherwise by contact
} stages[] = {
    {"margins", find_margins, true},
    {"remember", remember, false},
    {"pairs", find_pairs, false},
    {"contacts", find_contacts, false},
    {"rows", make_rows, false},
    {"islands", find_islands, false},
    {"solve", solve, false},
    {"exits", look_for_exits, true},
    {"integrate", integrate, true},
    {"rest", rest, true},
    {"touches", update_touches, false},
};
enum { STAGES = sizeof stages / sizeof stages[0] };

// -------------------------------------------------------------------------------------------------------- the arrays

// Room for the copies, and the problem that reads them.
static bool make_lab(scree_world *world, stage_lab *lab)
{
    size_t bodies = world->bodies.count;
    *lab = (stage_lab){.from = world, .problem = step_problem_of(world), .view = store_view(&world->bodies)};
    lab->bodies = (step_bodies){.position = malloc(bodies * sizeof(vec3)),
                                .velocity = malloc(bodies * sizeof(vec3)),
                                .spin = malloc(bodies * sizeof(vec3)),
                                .orientation = malloc(bodies * sizeof(quat)),
                                .rest = malloc(bodies * sizeof(float)),
                                .solved_by = malloc(bodies)};
    lab->disturbed = calloc(bodies, 1);
    lab->workers = calloc((size_t)world->threads, sizeof *lab->workers);
    lab->problem.position = lab->view.centers = lab->bodies.position;
    lab->problem.velocity = lab->bodies.velocity;
    lab->problem.spin = lab->bodies.spin;
    lab->problem.orientation = lab->view.orientations = lab->bodies.orientation;
    lab->problem.rest = lab->bodies.rest;
    lab->problem.solved_by = lab->bodies.solved_by;
    return lab->bodies.position && lab->bodies.velocity && lab->bodies.spin && lab->bodies.orientation &&
           lab->bodies.rest && lab->bodies.solved_by && lab->disturbed && lab->workers;
}

static void free_lab(stage_lab *lab)
{
    free(lab->bodies.position);
    free(lab->bodies.velocity);
    free(lab->bodies.spin);
    free(lab->bodies.orientation);
    free(lab->bodies.rest);
    free(lab->bodies.solved_by);
    free(lab->disturbed);
    for (int i = 0; lab->workers && i < lab->problem.threads; i++)
        arena_free(&lab->workers[i]);
    free(lab->workers);
    arena_free(&lab->scratch);
    array_free(&lab->contacts);
    array_free(&lab->angular);
    array_free(&lab->pushes);
    array_free(&lab->touching);
    array_free(&lab->begun);
    array_free(&lab->ended);
}

// The state from which a step begins.
static bool restore(stage_lab *lab)
{
    const body_store *store = &lab->from->bodies;
    size_t bodies = store->count, contacts = lab->from->contacts.count;
    memcpy(lab->bodies.position, store->position.data, bodies * sizeof(vec3));
    memcpy(lab->bodies.velocity, store->velocity.data, bodies * sizeof(vec3));
    memcpy(lab->bodies.spin, store->spin.data, bodies * sizeof(vec3));
    memcpy(lab->bodies.orientation, store->orientation.data, bodies * sizeof(quat));
    memcpy(lab->bodies.rest, store->rest.data, bodies * sizeof(float));
    memcpy(lab->bodies.solved_by, store->solved_by.data, bodies);
    if (!array_resize(&lab->contacts, contacts))
        return false;
    memcpy(lab->contacts.data, lab->from->contacts.data, contacts * sizeof(contact));
    arena_reset(&lab->scratch);
    return true;
}

// --------------------------------------------------------------------------------------------------------- measuring

static scree_status measure_stages(stage_lab *lab, size_t repeats, samples taken[STAGES], scree_error *error)
{
    enum { WARM_UP = 2 };
    for (size_t i = 0; i < repeats + WARM_UP; i++) {
        if (!restore(lab))
            return fail_no_memory(error);
        for (int k = 0; k < STAGES; k++) {
            double start = clock_seconds();
            if (!stages[k].run(lab))
                return fail(error, SCREE_ERROR_INVALID, "stage %s failed", stages[k].name);
            if (i >= WARM_UP)
                samples_add(&taken[k], clock_seconds() - start);
        }
    }
    return SCREE_OK;
}

static void print_stages(const stage_lab *lab, const bench_options *options, const samples taken[STAGES])
{
    for (int k = 0; k < STAGES; k++) {
        double least = samples_least(&taken[k]);
        size_t items = stages[k].by_body ? lab->problem.body_count : lab->problem.contact_count;
        json_line line = json_line_begin("stages", "scree");
        json_line_text(&line, "stage", stages[k].name);
        json_line_count(&line, "bodies", options->spheres);
        json_line_count(&line, "contacts", lab->problem.contact_count);
        json_line_count(&line, "threads", (size_t)options->threads);
        json_line_number(&line, "wall_ms", 1e3 * least);
        json_line_repeats(&line, 2, taken[k].count, samples_median(&taken[k]) / least);
        json_line_number(&line, stages[k].by_body ? "ns_per_body" : "ns_per_contact", 1e9 * least / (double)items);
        json_line_end(&line);
    }
}

scree_status bench_stages(const bench_options *options, scree_error *error)
{
    scree_world *world;
    samples taken[STAGES] = {0};
    scree_status status = pile_world_make(options, &world, error);
    if (status)
        return status;
    status = scree_world_step(world, (int)options->steps, error);
    stage_lab lab = {0};
    if (!status && !make_lab(world, &lab))
        status = fail_no_memory(error);
    if (!status)
        status = measure_stages(&lab, options->last, taken, error);
    if (!status)
        print_stages(&lab, options, taken);
    free_lab(&lab);
    scree_world_destroy(world);
    return status;
}
