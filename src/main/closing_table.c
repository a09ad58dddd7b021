// One table says which key of summary.json goes where; the printing below is the only closing table there is.
#include "main/closing_table.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "main/console.h"
#include "main/json.h"
#include "main/run_directory.h"
#include "record/file.h"

static const char *const stage_names[STAGES] = {"broad", "narrow", "prepare", "solve", "integrate", "output"};

typedef struct figure_key {
    const char *key;
    size_t offset;
} figure_key;

static const figure_key texts[] = {
    {"scree", offsetof(closing_figures, version)},   {"scene", offsetof(closing_figures, scene)},
    {"method", offsetof(closing_figures, method)},   {"solver.algorithm", offsetof(closing_figures, algorithm)},
    {"backend", offsetof(closing_figures, backend)}, {"state_hash", offsetof(closing_figures, state_hash)},
};

static const figure_key numbers[] = {
    {"steps", offsetof(closing_figures, steps)},
    {"time", offsetof(closing_figures, time)},
    {"bodies", offsetof(closing_figures, bodies)},
    {"wall_s", offsetof(closing_figures, wall_s)},
    {"ms_per_step", offsetof(closing_figures, ms_per_step)},
    {"stages_ms.broad", offsetof(closing_figures, stages_ms[0])},
    {"stages_ms.narrow", offsetof(closing_figures, stages_ms[1])},
    {"stages_ms.prepare", offsetof(closing_figures, stages_ms[2])},
    {"stages_ms.solve", offsetof(closing_figures, stages_ms[3])},
    {"stages_ms.integrate", offsetof(closing_figures, stages_ms[4])},
    {"stages_ms.output", offsetof(closing_figures, stages_ms[5])},
    {"contacts.final", offsetof(closing_figures, contacts_final)},
    {"contacts.mean", offsetof(closing_figures, contacts_mean)},
    {"contacts.max", offsetof(closing_figures, contacts_max)},
    {"touching", offsetof(closing_figures, touching)},
    {"penetration.mean", offsetof(closing_figures, penetration_mean)},
    {"penetration.max", offsetof(closing_figures, penetration_max)},
    {"energy.kinetic", offsetof(closing_figures, kinetic)},
    {"energy.potential", offsetof(closing_figures, potential)},
    {"momentum.0", offsetof(closing_figures, momentum.x)},
    {"momentum.1", offsetof(closing_figures, momentum.y)},
    {"momentum.2", offsetof(closing_figures, momentum.z)},
    {"solver.iterations_mean", offsetof(closing_figures, iterations_mean)},
    {"solver.residual_mean", offsetof(closing_figures, residual_mean)},
    {"solver.residual_max", offsetof(closing_figures, residual_max)},
    {"stable_step", offsetof(closing_figures, stable_step)},
    {"threads", offsetof(closing_figures, threads)},
    {"ranks", offsetof(closing_figures, ranks)},
    {"memory_mb", offsetof(closing_figures, memory_mb)},
};

static const figure_key later_numbers[] = {
    {"tolerance_missed", offsetof(closing_figures, tolerance_missed)},
    {"penetration_worst", offsetof(closing_figures, penetration_worst)},
};

scree_status closing_figures_read(const char *directory, closing_figures *figures, scree_error *error)
{
    json file;
    char *path = path_join(directory, "summary.json");
    scree_status status = path ? json_read(path, &file, error) : fail_no_memory(error);
    if (status != SCREE_OK) {
        free(path);
        return status;
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts && status == SCREE_OK; i++) {
        const char *text;
        status = json_text(&file, texts[i].key, &text, error);
        if (status == SCREE_OK)
            snprintf((char *)figures + texts[i].offset, FIGURE_TEXT, "%s", text);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && status == SCREE_OK; i++)
        status = json_number(&file, numbers[i].key, (double *)((char *)figures + numbers[i].offset), error);
    for (size_t i = 0; i < sizeof later_numbers / sizeof *later_numbers && status == SCREE_OK; i++) {
        double *to = (double *)((char *)figures + later_numbers[i].offset);
        if (json_number(&file, later_numbers[i].key, to, NULL) != SCREE_OK)
            *to = -1;
    }
    json_free(&file);
    free(path);
    return status;
}

// Counts are whole and never negative in a good file; a damaged one must not reach an undefined conversion.
static uint64_t whole(double number)
{
    return number >= 0 && number < 1e18 ? (uint64_t)(number + 0.5) : 0;
}

static void print_stages(const closing_figures *s)
{
    double sum = 0;
    for (int i = 0; i < STAGES; i++)
        sum += s->stages_ms[i];
    for (int i = 0; i < STAGES; i++) {
        double share = sum > 0 ? s->stages_ms[i] / sum : 0;
        char bar[25];
        format_bar(bar, sizeof bar - 1, share, '\0');
        print_row(i == 0 ? "stages" : "", "%-9s %9.4g ms %5.1f %%%s%s", stage_names[i], s->stages_ms[i], 100 * share,
                  *bar ? "  " : "", bar);
    }
}

static void print_files(const char *directory)
{
    run_files files = run_directory_list(directory);
    print_row("files", "%s", directory);
    if (files.probes > 0)
        print_row("", "series.csv, %s", format_plural(files.probes, "file in probes/", "files in probes/").text);
    else
        print_row("", "series.csv");
    if (files.frames > 0)
        print_row("", "%s for ParaView: frames/%s", format_plural(files.frames, "frame", "frames").text,
                  files.frame_entry);
    if (files.checkpoint[0])
        print_row("", "%s", files.checkpoint);
}

// The row of the penalty method, whose contacts bear a step of some length only.
static void print_step(const closing_figures *s)
{
    double step = s->steps > 0 ? s->time / s->steps : 0;
    print_row("step", "%.4g s, %s %.4g s that all contacts of a body together bear for certain", step,
              step <= s->stable_step ? "within the" : "BEYOND the", s->stable_step);
}

static void print_solver(const closing_figures *s)
{
    print_row("solver", "%.1f iterations mean; residual %.2e mean, %.2e worst", s->iterations_mean, s->residual_mean,
              s->residual_max);
    if (s->tolerance_missed == 0)
        print_row("", "tolerance reached in all steps");
    else if (s->tolerance_missed > 0)
        print_row("", "TOLERANCE MISSED in %s of %s steps", format_count(whole(s->tolerance_missed)).text,
                  format_count(whole(s->steps)).text);
}

void closing_table_print(const closing_figures *s, const char *directory)
{
    printf("%s\n", s->scene);
    print_row("method", "%s, %s", s->method, s->algorithm);
    print_row("bodies", "%s", format_count(whole(s->bodies)).text);
    print_row("contacts", "%s at the end (%s touching), %s mean, %s most", format_count(whole(s->contacts_final)).text,
              format_count(whole(s->touching)).text, format_count(whole(s->contacts_mean)).text,
              format_count(whole(s->contacts_max)).text);
    print_row("simulated", "%g s in %s", s->time, format_plural(whole(s->steps), "step", "steps").text);
    print_row("wall time", "%s, %.4g ms per step", format_duration(s->wall_s).text, s->ms_per_step);
    print_stages(s);
    if (s->stable_step > 0)
        print_step(s);
    else
        print_solver(s);
    print_row("penetration", "%.2e mean, %.2e worst, of the smaller radius", s->penetration_mean, s->penetration_max);
    if (s->penetration_worst >= 0)
        print_row("", "%.2e worst in the whole run", s->penetration_worst);
    print_row("energy", "kinetic %.6g, potential %.6g", s->kinetic, s->potential);
    print_row("momentum", "%.4g, %.4g, %.4g", s->momentum.x, s->momentum.y, s->momentum.z);
    print_row("machine", "%s, %s, %.0f MB at most", format_plural(whole(s->threads), "thread", "threads").text,
              s->backend, s->memory_mb);
    print_row("state", "%s", s->state_hash);
    print_files(directory);
}
