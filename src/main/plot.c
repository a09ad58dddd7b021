// scree plot: columns of a run's series and probes over time, as a picture.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "main/command.h"
#include "main/console.h"
#include "main/run_directory.h"
#include "record/file.h"
#include "view/chart.h"
#include "view/csv.h"

typedef struct plot_settings {
    const char *out, *title;
} plot_settings;

static const option options[] = {
    {'o', "out", OPTION_TEXT, offsetof(plot_settings, out), "FILE", "the picture (default RUN/plot.png)", 0, 0},
    {0, "title", OPTION_TEXT, offsetof(plot_settings, title), "TEXT", "above the picture (default: the run)", 0, 0},
};

static int plot_run(const command *self, int argc, char **argv);

enum { MOST_QUANTITIES = 12 };

const command plot_command = {
    .name = "plot",
    .arguments = "RUN [QUANTITY ...]",
    .summary = "draw what a run recorded over time",
    .notes = "QUANTITY is a column of series.csv, such as kinetic (the default), or NAME.COLUMN for a column of\n"
             "probes/NAME.csv, such as outflow.count or ball.z. Quantities of one column share a frame.",
    .example = "scree plot out/silo outflow.count -o flow.png --title \"Silo\"",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .least = 1,
    .most = 1 + MOST_QUANTITIES,
    .run = plot_run,
};

// One quantity: where it is from and its numbers.
typedef struct quantity {
    const char *name;   // as typed
    const char *column; // the part after the last dot
    csv table;
    const double *time, *values;
} quantity;

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

static scree_status read_quantity(const char *run, const char *name, quantity *result, scree_error *error)
{
    const char *dot = strrchr(name, '.');
    *result = (struct quantity){.name = name, .column = dot ? dot + 1 : name};
    char *path = table_path(run, name);
    scree_status status = path ? csv_read(path, &result->table, error) : fail_no_memory(error);
    if (status == SCREE_OK)
        status = csv_require(&result->table, path, "time", &result->time, error);
    if (status == SCREE_OK)
        status = csv_require(&result->table, path, result->column, &result->values, error);
    if (status == SCREE_OK && result->table.row_count == 0)
        status = fail(error, SCREE_INVALID, "%s: there are no rows yet", path);
    free(path);
    return status;
}

// Quantities whose columns have one name have one unit, so they share a chart. A chart of one quantity has no legend
// and tells the whole name at its axis.
static scree_status draw(const quantity *quantities, size_t count, const char *title, const char *path,
                         scree_error *error)
{
    chart charts[MOST_QUANTITIES];
    chart_series series[MOST_QUANTITIES];
    bool drawn[MOST_QUANTITIES] = {false};
    size_t chart_count = 0, used = 0;
    for (size_t i = 0; i < count; i++) {
        if (drawn[i])
            continue;
        chart *drawing = &charts[chart_count++];
        *drawing = chart_default();
        drawing->title = chart_count == 1 ? title : NULL;
        drawing->x_label = "time";
        drawing->series = &series[used];
        for (size_t j = i; j < count; j++) {
            const quantity *from = &quantities[j];
            if (strcmp(from->column, quantities[i].column) != 0)
                continue;
            series[used++] =
                (chart_series){.name = from->name, .x = from->time, .y = from->values, .count = from->table.row_count};
            drawing->series_count++;
            drawn[j] = true;
        }
        drawing->y_label = drawing->series_count == 1 ? quantities[i].name : quantities[i].column;
    }
    return chart_save_stacked(charts, chart_count, path, error);
}

static scree_status plot(const char *run, char **names, size_t count, const plot_settings *settings, char *path,
                         scree_error *error)
{
    quantity quantities[MOST_QUANTITIES];
    size_t read = 0;
    path_kind kind;
    scree_status status = path_kind_of(run, &kind, error);
    if (status == SCREE_OK && kind != PATH_RUN)
        status = fail(error, SCREE_INVALID, "%s is not a run directory", run);
    while (status == SCREE_OK && read < count) {
        status = read_quantity(run, names[read], &quantities[read], error);
        read++;
    }
    // A run or quantity that cannot be read is wrong input; only the picture itself is the machine's affair.
    if (status == SCREE_IO)
        error->status = status = SCREE_INVALID;
    if (status == SCREE_OK)
        status = draw(quantities, read, settings->title ? settings->title : run, path, error);
    for (size_t i = 0; i < read; i++)
        csv_free(&quantities[i].table);
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
    char *path = settings.out ? strdup(settings.out) : path_join(argv[0], "plot.png");
    scree_status status = fail_no_memory(&error);
    if (path && count > 1)
        status = plot(argv[0], argv + 1, count - 1, &settings, path, &error);
    else if (path)
        status = plot(argv[0], default_names, 1, &settings, path, &error);
    if (status == SCREE_OK)
        printf("%s\n", path);
    free(path);
    return status == SCREE_OK ? EXIT_DONE : complain_error(&error);
}
