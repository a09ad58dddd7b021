// How long each algorithm takes to solve one large problem to a given residual: the contacts of a settled pile, from
// impulses of zero, in steps of a millisecond.
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "bench/benchmarks.h"
#include "bench/measure/json_line.h"
#include "bench/measure/measure.h"
#include "contact/detect_step.h"
#include "contact/row.h"
#include "rigid/solution.h"
#include "solve/solver.h"

enum { REFERENCE_ITERATIONS = 4000 };

typedef struct solved_run {
    scree_algorithm algorithm;
    scree_solver_def def;
    solve_result result;
    double wall_s, cpu_s;
} solved_run;

// Velocities as 6 numbers a body.
static void write_velocities(const body_velocity *from, size_t count, double *to)
{
    for (size_t i = 0; i < count; i++) {
        vec3 velocity = from[i].velocity, spin = from[i].spin;
        const double values[6] = {velocity.x, velocity.y, velocity.z, spin.x, spin.y, spin.z};
        memcpy(to + 6 * i, values, sizeof values);
    }
}

// |a - b| in the metric of the masses.
static double distance(const scree_world *world, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < world->bodies.count; i++) {
        if (world->bodies.immovable.data[i])
            continue;
        double moment = (double)world->bodies.inertia.data[i].x; // of a sphere
        for (int k = 0; k < 6; k++) {
            double difference = a[6 * i + (size_t)k] - b[6 * i + (size_t)k];
            sum += (k < 3 ? world->bodies.mass.data[i] : moment) * difference * difference;
        }
    }
    return sqrt(sum);
}

// Solves the problem anew from impulses of zero, and leaves the velocities in `after`, those from before in `before`.
static scree_status solve_once(scree_world *world, solved_run *run, double *before, double *after, scree_error *error)
{
    size_t bodies = world->bodies.count;
    for (size_t i = 0; i < world->contacts.count; i++)
        world->contacts.data[i].impulse = (vec3f){0, 0, 0};
    arena_reset(&world->scratch);
    step_problem problem = step_problem_of(world);
    problem.solver = run->def;
    joint_rows none = {0};
    step_solution solution = {0};
    body_velocity *free_ones = arena_array(&world->scratch, body_velocity, bodies);
    if (!free_ones || !gather_loads(world, &problem.loads) ||
        !islands_find(&problem, &none, &world->scratch, &solution.islands))
        return fail_no_memory(error);
    for (size_t i = 0; i < bodies; i++)
        free_ones[i] = free_velocity_of(&problem, i);
    write_velocities(free_ones, bodies, before);
    double wall = 0, cpu = cpu_seconds();
    lap_seconds(&wall);
    scree_status status = solve_islands(&problem, &none, &world->scratch, world->workers, &solution, error);
    run->wall_s = lap_seconds(&wall);
    run->cpu_s = cpu_seconds() - cpu;
    run->result = (solve_result){.algorithm = solution.outcome.algorithm,
                                 .iterations = solution.outcome.iterations,
                                 .residual = {solution.outcome.residual_mean, solution.outcome.residual_max},
                                 .stop = solution.outcome.stop};
    if (status == SCREE_OK)
        write_velocities(solution.end, bodies, after);
    return status;
}

static void print_run(const scree_world *world, const solved_run *run, double error)
{
    static const char *const names[] = {[SCREE_ALGORITHM_JACOBI] = "jacobi",
                                        [SCREE_ALGORITHM_GAUSS_SEIDEL] = "gauss-seidel",
                                        [SCREE_ALGORITHM_APGD] = "apgd",
                                        [SCREE_ALGORITHM_APGS] = "apgs"};
    json_line line = json_line_begin("residual", "scree");
    json_line_text(&line, "algorithm", names[run->def.algorithm]);
    json_line_count(&line, "bodies", world->bodies.count);
    json_line_count(&line, "contacts", world->contacts.count);
    json_line_count(&line, "threads", (size_t)world->threads);
    json_line_count(&line, "iterations", (size_t)run->result.iterations);
    json_line_number(&line, "wall_s", run->wall_s);
    json_line_number(&line, "cpu_s", run->cpu_s);
    json_line_number(&line, "ns_per_contact",
                     1e9 * run->cpu_s / run->result.iterations / (double)world->contacts.count);
    json_line_number(&line, "residual_max", run->result.residual.max);
    json_line_number(&line, "residual_mean", run->result.residual.mean);
    json_line_number(&line, "velocity_error", error);
    json_line_end(&line);
}

static scree_status compare_algorithms(scree_world *world, const bench_options *options, double *velocities[3],
                                       scree_error *error)
{
    static const scree_algorithm algorithms[] = {SCREE_ALGORITHM_APGS, SCREE_ALGORITHM_APGD,
                                                 SCREE_ALGORITHM_GAUSS_SEIDEL, SCREE_ALGORITHM_JACOBI};
    solved_run run = {.def = world->def.solver};
    run.def.algorithm = SCREE_ALGORITHM_APGS;
    run.def.precision = SCREE_PRECISION_DOUBLE;
    run.def.iterations = REFERENCE_ITERATIONS;
    run.def.tolerance = 1e-10;
    scree_status status = solve_once(world, &run, velocities[0], velocities[1], error);
    double whole = distance(world, velocities[0], velocities[1]);
    run.def.precision = SCREE_PRECISION_SINGLE;
    run.def.omega = 0.45; // the largest that converges here
    run.def.iterations = options->iterations > 0 ? options->iterations : 20000;
    run.def.tolerance = options->tolerance >= 0 ? options->tolerance : 1e-3;
    for (int i = 0; i < 4 && status == SCREE_OK; i++) {
        if (options->algorithm != SCREE_ALGORITHM_AUTO && options->algorithm != algorithms[i])
            continue;
        run.def.algorithm = algorithms[i];
        status = solve_once(world, &run, velocities[0], velocities[2], error);
        if (status == SCREE_OK)
            print_run(world, &run, distance(world, velocities[2], velocities[1]) / whole);
    }
    return status;
}

scree_status bench_residual(const bench_options *options, scree_error *error)
{
    scree_world *world;
    scree_status status = pile_world_make(options, &world, error);
    if (status != SCREE_OK)
        return status;
    status = scree_world_step(world, (int)options->steps, error);
    double *velocities[3];
    size_t size = (world->bodies.count * 6 + 1) * sizeof(double);
    bool made = true;
    for (int i = 0; i < 3; i++)
        made &= (velocities[i] = malloc(size)) != NULL;
    world->def.step = 1e-3;
    world->def.solver.warm_start = false;
    arena_reset(&world->scratch);
    if (status == SCREE_OK)
        status = made ? detect_contacts(world, NULL, error) : fail_no_memory(error);
    if (status == SCREE_OK)
        status = compare_algorithms(world, options, velocities, error);
    for (int i = 0; i < 3; i++)
        free(velocities[i]);
    scree_world_destroy(world);
    return status;
}
