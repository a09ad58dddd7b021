// scree solve: a contact problem from a file, solved by any algorithm, the way there as JSON lines.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "main/command.h"
#include "main/console.h"
#include "record/file.h"
#include "record/problem/problem_file.h"
#include "reference/matrix_solver.h"

enum { DEFAULT_ITERATIONS = 100000 };
static const double default_tolerance = 1e-4;

typedef struct solve_settings {
    int algorithm, friction;
    uint64_t iterations;
    option_number tolerance, seconds;
    const char *write;
    bool cold, fclib_only, quiet;
} solve_settings;

enum { FRICTION_CONVEX = 1, FRICTION_EXACT };

static const option options[] = {
    {'a', "algorithm", OPTION_CHOICE, offsetof(solve_settings, algorithm),
     "auto|jacobi|gauss-seidel|apgd|apgs|newton|interior", "the algorithm (default auto)", 0, 0},
    {'f', "friction", OPTION_CHOICE, offsetof(solve_settings, friction), "file|convex|exact",
     "the law (default: of the file, or exact)", 0, 0},
    {'n', "iterations", OPTION_COUNT, offsetof(solve_settings, iterations), "N",
     "most iterations (default 100000 unless --seconds)", 1, 1e9},
    {'t', "tolerance", OPTION_NUMBER, offsetof(solve_settings, tolerance), "T",
     "both errors at most this (default 1e-4)", 0, 1},
    {0, "seconds", OPTION_NUMBER, offsetof(solve_settings, seconds), "S", "stop after so many seconds", 0, 1e9},
    {'w', "write", OPTION_TEXT, offsetof(solve_settings, write), "FILE", "write impulses and velocities, as JSON lines",
     0, 0},
    {0, "cold", OPTION_FLAG, offsetof(solve_settings, cold), NULL, "start from zero, not from the file's guess", 0, 0},
    {0, "fclib", OPTION_FLAG, offsetof(solve_settings, fclib_only), NULL, "read only what FCLIB knows of a step", 0, 0},
    {'q', "quiet", OPTION_FLAG, offsetof(solve_settings, quiet), NULL, "print the closing line only", 0, 0},
};

static int solve_run(const command *self, int argc, char **argv);

const command solve_command = {
    .name = "solve",
    .arguments = "PROBLEM",
    .summary = "solve a contact problem from a file",
    .notes =
        "PROBLEM is an HDF5 file: a local or global problem of FCLIB, or a step that a run wrote with\n"
        "output.problems_every. Printed is one JSON object per line: the problem, the residual over iterations and\n"
        "seconds, and the result. The exit status is 0 when the tolerance was reached, 1 when not, 2 for a wrong\n"
        "file or option.",
    .example = "scree solve out/tower/problems/problem-000000000100.h5 --tolerance 1e-8",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .least = 1,
    .most = 1,
    .run = solve_run,
};

// JSON has no word for what is not finite.
static void print_number(const char *key, double value)
{
    if (isfinite(value))
        printf(", \"%s\": %.6g", key, value);
    else
        printf(", \"%s\": null", key);
}

static void print_residual(const matrix_residual *residual)
{
    print_number("residual", residual->max);
    print_number("residual_mean", residual->mean);
    print_number("fclib_error", residual->fclib);
}

static void print_progress(void *context, const matrix_progress *progress)
{
    (void)context;
    printf("{\"algorithm\": \"%s\", \"iteration\": %d", matrix_algorithm_names[progress->algorithm],
           progress->iteration);
    print_number("seconds", progress->seconds);
    print_residual(&progress->residual);
    printf("}\n");
}

static void print_problem(const problem_file *file, bool exact)
{
    printf("{\"form\": \"%s\", \"contacts\": %zu, \"joint_rows\": %zu, \"unknowns\": %zu, \"friction\": \"%s\"",
           problem_form_names[file->form], file->contacts, file->joints, file->problem.size,
           exact ? "exact" : "convex");
    print_number("asymmetry", sparse_asymmetry(&file->problem.w));
    printf("}\n");
}

static void print_result(const matrix_result *result, const matrix_residual *reference)
{
    printf("{\"result\": \"%s\", \"algorithm\": \"%s\", \"iterations\": %d", result->solved ? "solved" : "not solved",
           matrix_algorithm_names[result->algorithm], result->iterations);
    print_number("seconds", result->seconds);
    print_residual(&result->residual);
    if (reference)
        print_number("fclib_error_of_file", reference->fclib);
    printf("}\n");
}

static void write_numbers(FILE *to, const char *key, const double *values, size_t count)
{
    fprintf(to, ", \"%s\": [", key);
    for (size_t i = 0; i < count; i++)
        fprintf(to, "%s%.17g", i ? ", " : "", values[i]);
    fprintf(to, "]");
}

static void write_bound(FILE *to, const char *key, double bound)
{
    if (isfinite(bound))
        fprintf(to, ", \"%s\": %.17g", key, bound);
    else
        fprintf(to, ", \"%s\": null", key);
}

// A block with all that its errors follow from: its rows of W as [column, value], its part of q, impulses and
// velocities.
static void write_block(FILE *to, const matrix_problem *problem, const matrix_block *block, const double *r,
                        const double *u)
{
    fprintf(to, "{\"first\": %u", block->first);
    write_bound(to, "low", block->low);
    write_bound(to, "high", block->high);
    fprintf(to, ", \"caps\": [");
    for (uint32_t k = 0; k < block->cap_count; k++)
        fprintf(to, "%s[%u, %.17g]", k ? ", " : "", block->cap[k].size, block->cap[k].coefficient);
    fprintf(to, "]");
    write_numbers(to, "impulse", r + block->first, block->size);
    write_numbers(to, "velocity", u + block->first, block->size);
    write_numbers(to, "q", problem->q + block->first, block->size);
    fprintf(to, ", \"w\": [");
    for (uint32_t i = 0; i < block->size; i++) {
        const sparse_matrix *w = &problem->w;
        size_t row = block->first + i, start = w->start[row];
        fprintf(to, "%s[", i ? ", " : "");
        for (size_t k = start; k < w->start[row + 1]; k++)
            fprintf(to, "%s[%u, %.17g]", k > start ? ", " : "", w->column[k], w->value[k]);
        fprintf(to, "]");
    }
    fprintf(to, "]}\n");
}

static scree_status write_solution(const char *path, const problem_file *file, bool exact, const double *r,
                                   scree_error *error)
{
    const matrix_problem *problem = &file->problem;
    file_draft draft;
    double *u = calloc(problem->size + 1, sizeof *u);
    scree_status status = u ? draft_open(&draft, path, error) : fail_no_memory(error);
    if (status != SCREE_OK) {
        free(u);
        return status;
    }
    sparse_multiply(&problem->w, r, u);
    for (size_t i = 0; i < problem->size; i++)
        u[i] += problem->q[i];
    fprintf(draft.stream, "{\"friction\": \"%s\", \"blocks\": %zu, \"unknowns\": %zu}\n", exact ? "exact" : "convex",
            problem->block_count, problem->size);
    for (size_t i = 0; i < problem->block_count; i++)
        write_block(draft.stream, problem, &problem->blocks[i], r, u);
    free(u);
    return draft_commit(&draft, error);
}

static scree_status solve(const problem_file *file, const solve_settings *settings, bool *solved, scree_error *error)
{
    bool exact = settings->friction == FRICTION_EXACT ||
                 (settings->friction != FRICTION_CONVEX && (!file->law_known || file->exact));
    matrix_options options_of_solve = {
        .algorithm = (matrix_algorithm)settings->algorithm,
        .exact = exact,
        .iterations = settings->iterations          ? (int)settings->iterations
                      : settings->seconds.value > 0 ? INT_MAX
                                                    : DEFAULT_ITERATIONS,
        .tolerance = settings->tolerance.text ? settings->tolerance.value : default_tolerance,
        .seconds = settings->seconds.value,
        .report = settings->quiet ? NULL : print_progress,
    };
    matrix_result result;
    matrix_residual reference;
    double *r = calloc(file->problem.size + 1, sizeof *r);
    if (!r)
        return fail_no_memory(error);
    for (size_t i = 0; i < file->problem.size && !settings->cold; i++)
        r[i] = file->problem.start[i];
    if (!settings->quiet)
        print_problem(file, exact);
    scree_status status = matrix_solve(&file->problem, &options_of_solve, r, &result, error);
    if (status == SCREE_OK && file->solution)
        status = matrix_measure(&file->problem, exact, file->solution, &reference, error);
    if (status == SCREE_OK && settings->write)
        status = write_solution(settings->write, file, exact, r, error);
    if (status == SCREE_OK)
        print_result(&result, file->solution ? &reference : NULL);
    *solved = status == SCREE_OK && result.solved;
    free(r);
    return status;
}

static int solve_run(const command *self, int argc, char **argv)
{
    solve_settings settings = {0};
    size_t count;
    int exit_status;
    if (!command_read(self, argc, argv, &settings, &count, &exit_status))
        return exit_status;
    scree_error error;
    problem_file file;
    bool solved = false;
    scree_status status = problem_file_read(argv[0], settings.fclib_only, &file, &error);
    if (status == SCREE_ERROR_IO) // a file that is not there is wrong input
        error.status = status = SCREE_ERROR_INVALID;
    if (status == SCREE_OK) {
        status = solve(&file, &settings, &solved, &error);
        problem_file_free(&file);
    }
    if (status != SCREE_OK)
        return complain_error(&error);
    return solved ? EXIT_DONE : EXIT_FAILED;
}
