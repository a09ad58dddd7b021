#include "record/summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <sys/resource.h>

#include "base/error.h"
#include "base/threads.h"
#include "record/file.h"
#include "record/rows.h"
#include "record/state.h"
#include "scene/keys.h"
#include "scree/version.h"

void statistics_add(run_statistics *to, const scree_step_figures *figures, double deepest, double seconds)
{
    double contacts = (double)figures->contacts;
    to->step_s += seconds;
    to->row_step_s += seconds;
    to->row_steps += 1;
    to->broad_s += figures->stages.broad;
    to->narrow_s += figures->stages.narrow;
    to->prepare_s += figures->stages.prepare;
    to->solve_s += figures->stages.solve;
    to->integrate_s += figures->stages.integrate;
    to->contacts_sum += contacts;
    to->contacts_max = fmax(to->contacts_max, contacts);
    to->iterations_sum += figures->iterations;
    to->residual_sum += figures->residual_mean;
    to->residual_max = fmax(to->residual_max, figures->residual_max);
    to->stopped[figures->stop] += 1;
    to->deepest = fmax(to->deepest, deepest);
}

enum { STATISTICS_VALUES = sizeof(run_statistics) / sizeof(double) };

scree_status statistics_save(const run_statistics *from, snapshot *state, scree_error *error)
{
    return state_put(state, "statistics", SNAPSHOT_F64, 1, STATISTICS_VALUES, from, error);
}

scree_status statistics_load(run_statistics *to, const snapshot *state, scree_error *error)
{
    const void *data;
    scree_status status = state_get(state, "statistics", SNAPSHOT_F64, 1, STATISTICS_VALUES, &data, error);
    if (status == SCREE_OK)
        memcpy(to, data, sizeof *to);
    return status;
}

// JSON has no infinities; a number that is not finite is written as null.
static void put_number(FILE *to, const char *before, double value, const char *after)
{
    char text[NUMBER_SIZE];
    fprintf(to, "%s%s%s", before, isfinite(value) ? number_text(value, text) : "null", after);
}

static void put_text(FILE *to, const char *text)
{
    fputc('"', to);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(to, "\\%c", *c);
        else if (*c < 0x20)
            fprintf(to, "\\u%04x", *c);
        else
            fputc(*c, to);
    }
    fputc('"', to);
}

// The word by which a scene names the value.
static const char *word_of(const key_table *table, const char *key, int value)
{
    const key_word *word = word_of_value(table_find(table, key)->words, value);
    return word ? word->name : "unknown";
}

static double peak_megabytes(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (double)usage.ru_maxrss * 1024 / 1e6 : 0;
}

static void put_times(FILE *to, const run_summary *from, double steps)
{
    const run_statistics *all = from->statistics;
    double scale = steps > 0 ? 1000 / steps : 0;
    put_number(to, "  \"wall_s\": ", from->wall_s, ",\n");
    put_number(to, "  \"ms_per_step\": ", all->step_s * scale, ",\n");
    fprintf(to, "  \"stages_ms\": {\n");
    put_number(to, "    \"broad\": ", all->broad_s * scale, ",\n");
    put_number(to, "    \"narrow\": ", all->narrow_s * scale, ",\n");
    put_number(to, "    \"prepare\": ", all->prepare_s * scale, ",\n");
    put_number(to, "    \"solve\": ", all->solve_s * scale, ",\n");
    put_number(to, "    \"integrate\": ", all->integrate_s * scale, ",\n");
    put_number(to, "    \"output\": ", all->output_s * scale, "\n  },\n");
}

static void put_contacts(FILE *to, const run_statistics *all, const scree_figures *figures)
{
    double steps = (double)figures->steps;
    put_number(to, "  \"contacts\": { \"final\": ", (double)figures->contacts, ", ");
    put_number(to, "\"mean\": ", steps > 0 ? all->contacts_sum / steps : 0, ", ");
    put_number(to, "\"max\": ", all->contacts_max, " },\n");
    put_number(to, "  \"touching\": ", (double)figures->touching, ",\n");
    put_number(to, "  \"penetration\": { \"mean\": ", figures->penetration_mean, ", ");
    put_number(to, "\"max\": ", figures->penetration_max, " },\n");
}

static void put_world(FILE *to, const scree_figures *figures)
{
    put_number(to, "  \"energy\": { \"kinetic\": ", figures->kinetic, ", ");
    put_number(to, "\"potential\": ", figures->potential, " },\n");
    put_number(to, "  \"momentum\": [", figures->momentum.x, ", ");
    put_number(to, "", figures->momentum.y, ", ");
    put_number(to, "", figures->momentum.z, "],\n");
}

static void put_solver(FILE *to, const run_statistics *all, const scree_figures *figures)
{
    double steps = (double)figures->steps;
    fprintf(to, "  \"solver\": {\n    \"algorithm\": \"%s\",\n",
            word_of(&solver_table, "algorithm", (int)figures->algorithm));
    put_number(to, "    \"iterations_mean\": ", steps > 0 ? all->iterations_sum / steps : 0, ",\n");
    put_number(to, "    \"residual_mean\": ", steps > 0 ? all->residual_sum / steps : 0, ",\n");
    put_number(to, "    \"residual_max\": ", all->residual_max, ",\n");
    put_number(to, "    \"stopped\": { \"tolerance\": ", all->stopped[SCREE_STOP_TOLERANCE], ", ");
    put_number(to, "\"iterations\": ", all->stopped[SCREE_STOP_ITERATIONS], ", ");
    put_number(to, "\"stalled\": ", all->stopped[SCREE_STOP_STALLED], " }\n  },\n");
}

scree_status summary_write(const run_summary *from, const char *path, scree_error *error)
{
    file_draft draft;
    scree_status status = draft_open(&draft, path, error);
    if (status != SCREE_OK)
        return status;
    FILE *to = draft.stream;
    scree_figures figures = scree_world_figures(from->world);
    scree_world_def def = scree_world_get_def(from->world);
    fprintf(to, "{\n  \"scree\": \"%s\",\n  \"scene\": ", scree_version());
    put_text(to, from->scene);
    fprintf(to, ",\n  \"method\": \"%s\",\n", word_of(&scene_table, "method", (int)def.method));
    fprintf(to, "  \"steps\": %" PRIu64 ",\n", figures.steps);
    put_number(to, "  \"time\": ", figures.time, ",\n");
    fprintf(to, "  \"bodies\": %zu,\n", figures.bodies);
    put_times(to, from, (double)figures.steps);
    put_contacts(to, from->statistics, &figures);
    put_world(to, &figures);
    put_solver(to, from->statistics, &figures);
    put_number(to, "  \"stable_step\": ", figures.stable_step, ",\n");
    fprintf(to, "  \"threads\": %d,\n", def.threads > 0 ? def.threads : threads_available());
    fprintf(to, "  \"ranks\": 1,\n  \"backend\": \"cpu\",\n");
    put_number(to, "  \"memory_mb\": ", peak_megabytes(), ",\n");
    fprintf(to, "  \"state_hash\": \"%016" PRIx64 "\",\n", scree_world_hash(from->world));
    const double *stopped = from->statistics->stopped;
    put_number(to, "  \"tolerance_missed\": ", stopped[SCREE_STOP_ITERATIONS] + stopped[SCREE_STOP_STALLED], ",\n");
    put_number(to, "  \"penetration_worst\": ", fmax(from->statistics->deepest, figures.penetration_max), "\n}\n");
    return draft_commit(&draft, error);
}
