// Bandwidth: the bytes that accelerated sweeps go through, over the time they take, beside copying as many in the same
// run. A lattice of bodies larger than any cache, three contacts a body. Processor time of all threads over their
// number, since that is hardly disturbed by what else runs on the machine.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "base/threads.h"
#include "bench/benchmarks.h"
#include "bench/measure/json_line.h"
#include "bench/measure/measure.h"
#include "solve/solver.h"

enum { SWEEPS = 48, ROUNDS = 5, COPY_BLOCK = 1 << 20, CELL_EDGE = 5 };

typedef struct lattice {
    size_t side; // bodies along each edge
    size_t body_count, contact_count;
    uint32_t *ends; // two by contact
    uint8_t *axes;  // of the contacts' normals
    uint8_t *immovable;
    vec3 *positions;
    uint64_t *ids;
    uint32_t *bodies, *place; // in the order of cells, and back
    uint32_t *contacts;       // likewise
    problem_kind kind;
} lattice;

static void list_contacts(lattice *made)
{
    const size_t strides[3] = {made->side * made->side, made->side, 1};
    for (size_t i = 0; i < made->body_count; i++) {
        size_t at[3] = {i / strides[0], i / strides[1] % made->side, i % made->side};
        made->positions[i] = vec3_make((double)at[0], (double)at[1], (double)at[2]);
        made->ids[i] = made->bodies[i] = (uint32_t)i;
        for (uint8_t axis = 0; axis < 3; axis++) {
            if (at[axis] + 1 == made->side)
                continue;
            made->ends[2 * made->contact_count] = (uint32_t)i;
            made->ends[2 * made->contact_count + 1] = (uint32_t)(i + strides[axis]);
            made->contacts[made->contact_count] = (uint32_t)made->contact_count;
            made->axes[made->contact_count++] = axis;
        }
    }
}

static bool lattice_make(lattice *made, size_t bodies)
{
    size_t side = (size_t)cbrt((double)bodies);
    *made = (lattice){.side = side, .body_count = side * side * side};
    made->ends = malloc(6 * made->body_count * sizeof *made->ends);
    made->axes = malloc(3 * made->body_count);
    made->contacts = malloc(3 * made->body_count * sizeof *made->contacts);
    made->immovable = calloc(made->body_count, 1);
    made->positions = malloc(made->body_count * sizeof *made->positions);
    made->ids = malloc(made->body_count * sizeof *made->ids);
    made->bodies = malloc(made->body_count * sizeof *made->bodies);
    made->place = malloc(made->body_count * sizeof *made->place);
    if (!made->ends || !made->axes || !made->contacts || !made->immovable || !made->positions || !made->ids ||
        !made->bodies || !made->place)
        return false;
    list_contacts(made);
    return true;
}

static void lattice_free(lattice *made)
{
    free(made->ends);
    free(made->axes);
    free(made->contacts);
    free(made->immovable);
    free(made->positions);
    free(made->ids);
    free(made->bodies);
    free(made->place);
}

static contact_key key_of_contact(const void *context, uint32_t contact)
{
    const lattice *from = context;
    return (contact_key){.owner = from->place[from->ends[2 * contact]], .other = from->ends[2 * contact + 1]};
}

static contact_ends ends_of_contact(const void *context, size_t index)
{
    const lattice *from = context;
    uint32_t contact = from->contacts[index];
    return (contact_ends){from->place[from->ends[2 * contact]], from->place[from->ends[2 * contact + 1]], from->kind};
}

static scree_status lay_out(lattice *from, int threads, arena *scratch, contact_problem *problem, scree_error *error)
{
    cell_bodies bodies;
    cell_list cells;
    if (!cells_order_bodies(from->bodies, from->body_count, from->positions, from->ids, CELL_EDGE, 1, scratch, &bodies))
        return fail_no_memory(error);
    for (size_t i = 0; i < from->body_count; i++)
        from->place[from->bodies[i]] = (uint32_t)i;
    if (!cells_order_contacts(&bodies, from->contacts, from->contact_count, key_of_contact, from, threads, scratch,
                              &cells))
        return fail_no_memory(error);
    problem_spec spec = {.precision = SCREE_PRECISION_SINGLE,
                         .body_count = from->body_count,
                         .immovable = from->immovable,
                         .contact_count = from->contact_count,
                         .ends = ends_of_contact,
                         .context = from,
                         .cells = &cells};
    return problem_lay_out(problem, &spec, threads, scratch, error);
}

static scree_status load_problem(lattice *from, int threads, arena *scratch, contact_problem *problem,
                                 scree_error *error)
{
    scree_status status = lay_out(from, threads, scratch, problem, error);
    random_stream stream = {1};
    for (size_t i = 0; status == SCREE_OK && i < from->body_count; i++) {
        problem_body body = {.inverse_mass = 1, .inverse_inertia = {{{10, 0, 0}, {0, 10, 0}, {0, 0, 10}}}};
        body.velocity = vec3_make(random_between(&stream, -1, 1), random_between(&stream, -1, 1), -1);
        problem_set_body(problem, i, &body);
    }
    for (size_t i = 0; status == SCREE_OK && i < from->contact_count; i++) {
        contact_ends ends = ends_of_contact(from, i);
        uint8_t axis = from->axes[from->contacts[i]];
        problem_row row = {.a = ends.a, .b = ends.b, .friction = 0.5};
        row.normal = vec3_make(axis == 0, axis == 1, axis == 2);
        row.arm_a = vec3_scale(row.normal, 0.5);
        row.arm_b = vec3_scale(row.normal, -0.5);
        problem_set_contact(problem, i, &row);
    }
    return status;
}

// Bytes that an accelerated sweep reads and writes: rows; impulses of two points, one of them anew; the same of
// velocities; inertia.
static double sweep_bytes(const contact_problem *problem, size_t row_bytes)
{
    double contacts = (double)problem->contact_count, bodies = (double)problem->body_count;
    double body = PROBLEM_BODY_REALS * (double)problem_real_size(problem);
    double impulse =
        (double)(problem_impulse_reals(problem->tiles[0].kind) * problem_real_size(problem)) / PROBLEM_LANES;
    return contacts * ((double)row_bytes + 3 * impulse) + bodies * (3 * body + (problem->inertia ? body : 0));
}

static void copy_once(char *to, const char *from, size_t size, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t block = 0; block < block_count(size, COPY_BLOCK); block++)
        memcpy(to + block * COPY_BLOCK, from + block * COPY_BLOCK,
               block_end(block, COPY_BLOCK, size) - block * COPY_BLOCK);
}

// Bytes read and written per second, by copying `bytes` / 2.
static double copy_bandwidth(double bytes, int threads)
{
    size_t size = (size_t)(bytes / 2);
    char *from = malloc(size), *to = malloc(size);
    double best = HUGE_VAL;
    if (from && to) {
        memset(from, 1, size);
        memset(to, 2, size);
        for (int round = 0; round < 4 * ROUNDS; round++) {
            double start = cpu_seconds();
            copy_once(to, from, size, threads);
            best = fmin(best, cpu_seconds() - start);
        }
    }
    free(from);
    free(to);
    return 2 * (double)size * threads / best;
}

static scree_status measure_kind(lattice *on, const char *name, problem_kind kind, size_t row_bytes, int threads,
                                 scree_error *error)
{
    arena scratch = {0};
    double bytes = 0;
    samples solves = {.count = 0};
    scree_solver_def def = scree_default_world_def().solver;
    def.algorithm = SCREE_ALGORITHM_APGS;
    def.iterations = SWEEPS;
    def.tolerance = 0;
    scree_status status = SCREE_OK;
    for (int round = 0; round < ROUNDS && status == SCREE_OK; round++) {
        contact_problem problem;
        solve_result result;
        arena_reset(&scratch);
        on->kind = kind;
        status = load_problem(on, threads, &scratch, &problem, error);
        double start = cpu_seconds();
        if (status == SCREE_OK)
            status = solve_problem(&problem, &def, threads, &scratch, &result, error);
        samples_add(&solves, cpu_seconds() - start);
        bytes = sweep_bytes(&problem, row_bytes);
    }
    arena_free(&scratch);
    if (status != SCREE_OK)
        return status;
    double best = samples_least(&solves) / SWEEPS;
    double copy = copy_bandwidth(bytes, threads), swept = bytes * threads / best;
    json_line line = json_line_begin("bandwidth", "scree");
    json_line_text(&line, "kind", name);
    json_line_count(&line, "threads", (size_t)threads);
    json_line_count(&line, "bodies", on->body_count);
    json_line_count(&line, "contacts", on->contact_count);
    json_line_repeats(&line, 0, ROUNDS, samples_median(&solves) / samples_least(&solves));
    json_line_number(&line, "mb", 1e-6 * bytes);
    json_line_number(&line, "bytes_per_contact", bytes / (double)on->contact_count);
    json_line_number(&line, "ns_per_contact", 1e9 * best / (double)on->contact_count);
    json_line_number(&line, "sweep_gb_per_s", 1e-9 * swept);
    json_line_number(&line, "copy_gb_per_s", 1e-9 * copy);
    json_line_number(&line, "copy_over_sweep", copy / swept);
    json_line_end(&line);
    return SCREE_OK;
}

scree_status bench_bandwidth(const bench_options *options, scree_error *error)
{
    lattice on;
    int threads = options->threads > 0 ? options->threads : threads_available();
    scree_status status = lattice_make(&on, options->spheres) ? SCREE_OK : fail_no_memory(error);
    if (status == SCREE_OK)
        status = measure_kind(&on, "balls", PROBLEM_CENTERED_SPHERES, sizeof(problem_sphere_group) / PROBLEM_LANES,
                              threads, error);
    if (status == SCREE_OK)
        status =
            measure_kind(&on, "round", PROBLEM_ISOTROPIC, sizeof(problem_group_f32) / PROBLEM_LANES, threads, error);
    if (status == SCREE_OK)
        status = measure_kind(&on, "plain", PROBLEM_GENERAL_INERTIA, sizeof(problem_group_f32) / PROBLEM_LANES, threads,
                              error);
    lattice_free(&on);
    return status;
}
