// Performance profiles of the algorithms on a folder of contact problems (Dolan and More 2002): which share of the
// problems an algorithm solves within a multiple of the time of the fastest. One line per solve; with --chart a
// picture.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/error.h"
#include "bench/benchmarks.h"
#include "bench/measure/json_line.h"
#include "bench/measure/measure.h"
#include "record/file.h"
#include "record/problem/problem_file.h"
#include "reference/matrix_solver.h"
#include "view/chart/chart.h"

enum { PANELS = 4, REPEATS = 3, MOST_ITERATIONS = 10000000 };

typedef struct panel { // one law and one tolerance
    bool exact;
    double tolerance;
    const char *title;
} panel;

static const panel panels[PANELS] = {
    {false, 1e-4, "convex law, to 1e-4"},
    {true, 1e-4, "exact law, to 1e-4"},
    {false, 1e-8, "convex law, to 1e-8"},
    {true, 1e-8, "exact law, to 1e-8"},
};

typedef struct timing_row { // processor seconds of one problem; HUGE_VAL where it was not solved
    double seconds[MATRIX_ALGORITHMS];
} timing_row;

typedef struct profile {
    ARRAY(char *) paths;
    ARRAY(timing_row) times[PANELS];
    double limit_s;
} profile;

static bool is_problem(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && (strcmp(dot, ".hdf5") == 0 || strcmp(dot, ".h5") == 0);
}

// Problems of a folder and of the folders in it.
static scree_status find_problems(profile *p, const char *folder, bool deeper, scree_error *error)
{
    name_array names;
    scree_status status = folder_list(folder, &names, error);
    for (size_t i = 0; status == SCREE_OK && i < names.count; i++) {
        char *path = path_join(folder, names.data[i]);
        struct stat info;
        if (!path) {
            status = fail_no_memory(error);
        } else if (is_problem(path)) {
            if (array_push(&p->paths, path))
                continue;
            status = fail_no_memory(error);
        } else if (deeper && stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
            status = find_problems(p, path, false, error);
        }
        free(path);
    }
    names_free(&names);
    return status;
}

static void print_solve(const char *path, const panel *kind, const matrix_result *result, matrix_algorithm algorithm,
                        double seconds)
{
    const char *slash = strrchr(path, '/');
    json_line line = json_line_begin("profile", "scree");
    json_line_text(&line, "problem", slash ? slash + 1 : path);
    json_line_text(&line, "friction", kind->exact ? "exact" : "convex");
    json_line_number(&line, "tolerance", kind->tolerance);
    json_line_text(&line, "algorithm", matrix_algorithm_names[algorithm]);
    json_line_text(&line, "result", result->solved ? "solved" : "not solved");
    json_line_count(&line, "iterations", (size_t)result->iterations);
    json_line_number(&line, "cpu_ms", 1e3 * seconds);
    json_line_number(&line, "residual", result->residual.max);
    json_line_number(&line, "fclib_error", result->residual.fclib);
    json_line_end(&line);
}

// The least of a few times where solving is quick.
static scree_status time_solve(const profile *p, const problem_file *file, const char *path, const panel *kind,
                               matrix_algorithm algorithm, double *seconds, scree_error *error)
{
    const matrix_options options = {.algorithm = algorithm,
                                    .exact = kind->exact,
                                    .iterations = MOST_ITERATIONS,
                                    .tolerance = kind->tolerance,
                                    .seconds = p->limit_s};
    matrix_result result = {0};
    double best = HUGE_VAL, *r = malloc((file->problem.size + 1) * sizeof *r);
    scree_status status = r ? SCREE_OK : fail_no_memory(error);
    for (int i = 0; status == SCREE_OK && i < REPEATS && (i == 0 || best < 0.1 * p->limit_s); i++) {
        memset(r, 0, file->problem.size * sizeof *r);
        double begun = cpu_seconds();
        status = matrix_solve(&file->problem, &options, r, &result, error);
        best = fmin(best, cpu_seconds() - begun);
    }
    free(r);
    *seconds = result.solved ? fmax(best, 1e-6) : HUGE_VAL;
    if (status == SCREE_OK)
        print_solve(path, kind, &result, algorithm, best);
    return status;
}

static scree_status time_problem(profile *p, const char *path, scree_error *error)
{
    problem_file file;
    scree_status status = problem_file_read(path, false, &file, error);
    if (status != SCREE_OK)
        return status;
    for (int k = 0; status == SCREE_OK && k < PANELS; k++) {
        timing_row row;
        for (int a = 0; status == SCREE_OK && a < MATRIX_ALGORITHMS; a++)
            status = time_solve(p, &file, path, &panels[k], (matrix_algorithm)a, &row.seconds[a], error);
        if (status == SCREE_OK && !array_push(&p->times[k], row))
            status = fail_no_memory(error);
    }
    problem_file_free(&file);
    return status;
}

// ------------------------------------------------------------------------------------------------------------ picture

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The steps of one algorithm's profile: x is the power of ten of its time over the best, y the share solved by then.
static size_t make_steps(const profile *p, int kind, int algorithm, double end, double *x, double *y)
{
    const timing_row *rows = p->times[kind].data;
    size_t problems = p->times[kind].count, solved = 0, count = 0;
    double *ratios = x + 2 * problems + 4; // the second half of the room
    for (size_t i = 0; i < problems; i++) {
        double best = HUGE_VAL;
        for (int a = 0; a < MATRIX_ALGORITHMS; a++)
            best = fmin(best, rows[i].seconds[a]);
        if (isfinite(rows[i].seconds[algorithm]))
            ratios[solved++] = log10(rows[i].seconds[algorithm] / best);
    }
    qsort(ratios, solved, sizeof *ratios, compare_numbers);
    x[count] = 0, y[count++] = 0;
    for (size_t i = 0; i < solved; i++) {
        double at = fmin(ratios[i], end);
        x[count] = at, y[count] = y[count - 1], count++;
        x[count] = at, y[count++] = 100 * (double)(i + 1) / (double)problems;
    }
    x[count] = end, y[count] = y[count - 1];
    return count + 1;
}

static scree_status draw(const profile *p, const char *path, scree_error *error)
{
    enum { CURVES = PANELS * MATRIX_ALGORITHMS };
    const double end = 3;
    size_t room = 3 * p->paths.count + 8;
    double *numbers = calloc(CURVES * 2 * room, sizeof *numbers);
    if (!numbers)
        return fail_no_memory(error);
    chart_series series[CURVES];
    chart charts[PANELS];
    for (int k = 0; k < PANELS; k++) {
        for (int a = 0; a < MATRIX_ALGORITHMS; a++) {
            double *x = numbers + (size_t)(k * MATRIX_ALGORITHMS + a) * 2 * room, *y = x + room;
            size_t count = make_steps(p, k, a, end, x, y);
            series[k * MATRIX_ALGORITHMS + a] =
                (chart_series){.name = matrix_algorithm_names[a], .x = x, .y = y, .count = count};
        }
        charts[k] = chart_default();
        charts[k].height = 320;
        charts[k].title = panels[k].title;
        charts[k].x_label = "time over the fastest, as a power of ten";
        charts[k].y_label = "solved [%]";
        charts[k].series = series + k * MATRIX_ALGORITHMS;
        charts[k].series_count = MATRIX_ALGORITHMS;
        charts[k].from_zero = true;
    }
    scree_status status = chart_save_stacked(charts, PANELS, path, error);
    free(numbers);
    return status;
}

scree_status bench_profile(const bench_options *options, scree_error *error)
{
    profile p = {.limit_s = options->seconds};
    const char *folder = options->folder ? options->folder : getenv("SCREE_FCLIB_DIR");
    if (!folder)
        return fail(error, SCREE_ERROR_INVALID, "bench profile needs problems: --folder DIR, or SCREE_FCLIB_DIR");
    scree_status status = find_problems(&p, folder, true, error);
    if (status == SCREE_OK && p.paths.count == 0)
        status = fail(error, SCREE_ERROR_INVALID, "%s holds no .h5 or .hdf5 files", folder);
    for (size_t i = 0; status == SCREE_OK && i < p.paths.count; i++)
        status = time_problem(&p, p.paths.data[i], error);
    if (status == SCREE_OK && options->chart)
        status = draw(&p, options->chart, error);
    for (size_t i = 0; i < p.paths.count; i++)
        free(p.paths.data[i]);
    array_free(&p.paths);
    for (int k = 0; k < PANELS; k++)
        array_free(&p.times[k]);
    return status;
}
