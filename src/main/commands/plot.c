// scree plot: columns of the series, probes and counters of one run or several over time, as a picture or as text.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "main/command.h"
#include "main/console.h"
#include "main/run_directory.h"
#include "record/file.h"
#include "view/chart/chart.h"
#include "view/chart/csv.h"
#include "view/chart/smooth.h"
#include "view/chart/sparkline.h"

typedef struct plot_settings {
    const char *out, *title;
    option_size size;
    option_number smooth;
    bool logarithmic, text;
} plot_settings;

static const option options[] = {
    {'o', "out", OPTION_TEXT, offsetof(plot_settings, out), "FILE", "the picture, .png or .svg (default RUN/plot.png)",
     0, 0},
    {0, "title", OPTION_TEXT, offsetof(plot_settings, title), "TEXT", "above the picture (default: the run)", 0, 0},
    {0, "size", OPTION_SIZE, offsetof(plot_settings, size), "WxH", "of each chart in pixels (default 960x600)", 64,
     8192},
    {0, "smooth", OPTION_NUMBER, offsetof(plot_settings, smooth), "SECONDS",
     "filter by a Gaussian of this standard deviation, in simulated time", 1e-300, HUGE_VAL},
    {0, "log", OPTION_FLAG, offsetof(plot_settings, logarithmic), NULL, "powers of ten on the vertical axis", 0, 0},
    {0, "text", OPTION_FLAG, offsetof(plot_settings, text), NULL, "a line of blocks on the terminal, and no picture", 0,
     0},
};

static int plot_run(const command *self, int argc, char **argv);

enum { MOST_ARGUMENTS = 32, SPARKLINE_COLUMNS = 60, NAME_ROOM = 320 };

const command plot_command = {
    .name = "plot",
    .arguments = "RUN... [QUANTITY...]",
    .summary = "draw what runs recorded over time",
    .notes = "QUANTITY is a column of series.csv, such as kinetic (the default), or NAME.COLUMN for a column of\n"
             "probes/NAME.csv, such as outflow.count or ball.z. Quantities of one column share a chart, and so\n"
             "do those of several runs.",
    .example = "scree plot out/silo outflow.rate --smooth 0.1 -o flow.svg --title \"Silo\"",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .least = 1,
    .most = MOST_ARGUMENTS,
    .run = plot_run,
};

// One quantity of one run: where it is from and its numbers.
typedef struct quantity {
    char name[NAME_ROOM]; // for the legend: with its run, where there are several
    const char *column;   // the part after the last dot
    csv table;
    const double *time, *values;
    double *smooth; // owned; NULL when the values are shown as they are
} quantity;

typedef struct plot {
    char **runs, **names;
    size_t run_count, name_count;
    const plot_settings *settings;
    ARRAY(quantity) quantities;
} plot;

// ------------------------------------------------------------------------------------------------------------ reading

// The file of a quantity as a new string; NULL when out of memory.
static char *table_path(const char *run, const char *name)
{
    const char *dot = strrchr(name, '.');
    if (!dot)
        return path_join(run, "series.csv");
    size_t size = strlen("probes/") + (size_t)(dot - name) + strlen(".csv") + 1;
    char *file = malloc(size);
    if (!file)
        return NULL;
    snprintf(file, size, "probes/%.*s.csv", (int)(dot - name), name);
    char *path = path_join(run, file);
    free(file);
    return path;
}

static scree_status smooth_values(quantity *of, double sigma, scree_error *error)
{
    of->smooth = malloc(of->table.row_count * sizeof *of->smooth);
    if (!of->smooth)
        return fail_no_memory(error);
    smooth_gaussian(of->time, of->values, of->table.row_count, sigma, of->smooth);
    of->values = of->smooth;
    return SCREE_OK;
}

static scree_status read_quantity(const plot *from, const char *run, const char *name, quantity *result,
                                  scree_error *error)
{
    const char *dot = strrchr(name, '.'), *short_run = strrchr(run, '/');
    *result = (struct quantity){.column = dot ? dot + 1 : name};
    if (from->run_count > 1)
        snprintf(result->name, sizeof result->name, "%s: %s", short_run && short_run[1] ? short_run + 1 : run, name);
    else
        snprintf(result->name, sizeof result->name, "%s", name);
    char *path = table_path(run, name);
    scree_status status = path ? csv_read(path, &result->table, error) : fail_no_memory(error);
    if (status == SCREE_OK)
        status = csv_require(&result->table, path, "time", &result->time, error);
    if (status == SCREE_OK)
        status = csv_require(&result->table, path, result->column, &result->values, error);
    if (status == SCREE_OK && result->table.row_count == 0)
        status = fail(error, SCREE_ERROR_INVALID, "%s: there are no rows yet", path);
    if (status == SCREE_OK && from->settings->smooth.text)
        status = smooth_values(result, from->settings->smooth.value, error);
    free(path);
    return status;
}

// Every quantity of every run, run by run. A file that cannot be read is wrong input.
static scree_status read_quantities(plot *to, scree_error *error)
{
    if (!array_reserve(&to->quantities, to->run_count * to->name_count))
        return fail_no_memory(error);
    scree_status status = SCREE_OK;
    for (size_t run = 0; run < to->run_count; run++)
        for (size_t i = 0; status == SCREE_OK && i < to->name_count; i++)
            status =
                read_quantity(to, to->runs[run], to->names[i], &to->quantities.data[to->quantities.count++], error);
    if (status == SCREE_ERROR_IO)
        error->status = status = SCREE_ERROR_INVALID;
    return status;
}

// ------------------------------------------------------------------------------------------------------------ showing

typedef ARRAY(chart) chart_array;
typedef ARRAY(chart_series) series_array;

// Quantities whose columns have one name have one unit, so they share a chart. A chart of one quantity has no legend
// and tells the whole name at its axis. Both arrays have room for all.
static void make_charts(const plot *from, chart_array *charts, series_array *series)
{
    const quantity *all = from->quantities.data;
    size_t count = from->quantities.count;
    for (size_t i = 0; i < count; i++) {
        bool drawn = false;
        for (size_t j = 0; j < i; j++)
            drawn = drawn || strcmp(all[j].column, all[i].column) == 0;
        if (drawn)
            continue;
        chart next = chart_default();
        if (from->settings->size.width > 0) {
            next.width = from->settings->size.width;
            next.height = from->settings->size.height;
        }
        next.x_label = "time";
        next.logarithmic_y = from->settings->logarithmic;
        next.series = series->data + series->count;
        for (size_t j = i; j < count; j++)
            if (strcmp(all[j].column, all[i].column) == 0) {
                series->data[series->count++] = (chart_series){
                    .name = all[j].name, .x = all[j].time, .y = all[j].values, .count = all[j].table.row_count};
                next.series_count++;
            }
        next.y_label = next.series_count == 1 ? all[i].name : all[i].column;
        charts->data[charts->count++] = next;
    }
}

static scree_status save_picture(const plot *from, const char *path, scree_error *error)
{
    chart_array charts = {0};
    series_array series = {0};
    size_t count = from->quantities.count;
    scree_status status = SCREE_OK;
    if (!array_reserve(&charts, count) || !array_reserve(&series, count))
        status = fail_no_memory(error);
    if (status == SCREE_OK) {
        make_charts(from, &charts, &series);
        const char *title = from->settings->title;
        charts.data[0].title = title ? title : from->run_count == 1 ? from->runs[0] : NULL;
        status = chart_save_stacked(charts.data, charts.count, path, error);
    }
    array_free(&charts);
    array_free(&series);
    return status;
}

static void print_sparkline(const quantity *of, int name_width)
{
    char line[SPARKLINE_COLUMNS * SPARKLINE_BYTES + 1];
    double low = HUGE_VAL, high = -HUGE_VAL;
    size_t rows = of->table.row_count;
    for (size_t i = 0; i < rows; i++)
        if (isfinite(of->values[i])) {
            low = fmin(low, of->values[i]);
            high = fmax(high, of->values[i]);
        }
    sparkline_make(of->time, of->values, rows, low, high, SPARKLINE_COLUMNS, line);
    if (low <= high)
        printf("%-*s  %s  %.4g to %.4g, last %.4g\n", name_width, of->name, line, low, high, of->values[rows - 1]);
    else
        printf("%-*s  no finite values\n", name_width, of->name);
}

static void print_sparklines(const plot *from)
{
    size_t width = 0;
    double begin = HUGE_VAL, end = -HUGE_VAL;
    for (size_t i = 0; i < from->quantities.count; i++) {
        const quantity *of = &from->quantities.data[i];
        width = strlen(of->name) > width ? strlen(of->name) : width;
        begin = fmin(begin, of->time[0]);
        end = fmax(end, of->time[of->table.row_count - 1]);
    }
    for (size_t i = 0; i < from->quantities.count; i++)
        print_sparkline(&from->quantities.data[i], (int)width);
    printf("%-*s  time %.4g to %.4g\n", (int)width, "", begin, end);
}

// ------------------------------------------------------------------------------------------------------------- command

// A folder behind the first run is another run, whatever else is a quantity.
static scree_status count_runs(char **arguments, size_t count, size_t *runs, scree_error *error)
{
    path_kind kind;
    scree_status status = path_kind_of(arguments[0], &kind, error);
    if (status == SCREE_OK && kind != PATH_RUN)
        status = fail(error, SCREE_ERROR_INVALID, "%s is not a run directory", arguments[0]);
    *runs = 1;
    while (*runs < count && path_kind_of(arguments[*runs], &kind, NULL) == SCREE_OK && kind == PATH_RUN)
        ++*runs;
    return status;
}

static scree_status show(plot *shown, scree_error *error)
{
    scree_status status = read_quantities(shown, error);
    if (status != SCREE_OK)
        return status;
    if (shown->settings->text) {
        print_sparklines(shown);
        return SCREE_OK;
    }
    const char *out = shown->settings->out, *ending = out ? path_ending(out) : "";
    if (*ending && strcmp(ending, "png") != 0 && strcmp(ending, "svg") != 0)
        return fail(error, SCREE_ERROR_INVALID, "%s: a plot is a .png or an .svg, not a .%s", out, ending);
    char *path = out ? strdup(out) : path_join(shown->runs[0], "plot.png");
    status = path ? save_picture(shown, path, error) : fail_no_memory(error);
    if (status == SCREE_OK)
        printf("%s\n", path);
    free(path);
    return status;
}

static int plot_run(const command *self, int argc, char **argv)
{
    static char kinetic[] = "kinetic", *default_names[] = {kinetic};
    plot_settings settings = {0};
    size_t count;
    int exit_status;
    if (!command_read(self, argc, argv, &settings, &count, &exit_status))
        return exit_status;
    scree_error error;
    plot shown = {.runs = argv, .settings = &settings};
    scree_status status = count_runs(argv, count, &shown.run_count, &error);
    shown.names = shown.run_count < count ? argv + shown.run_count : default_names;
    shown.name_count = shown.run_count < count ? count - shown.run_count : 1;
    if (status == SCREE_OK)
        status = show(&shown, &error);
    for (size_t i = 0; i < shown.quantities.count; i++) {
        csv_free(&shown.quantities.data[i].table);
        free(shown.quantities.data[i].smooth);
    }
    array_free(&shown.quantities);
    return status == SCREE_OK ? EXIT_DONE : complain_error(&error);
}
