#include "record/series.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "record/file.h"
#include "record/state.h"

static const char header[] = "step,time,bodies,contacts,kinetic,potential,penetration_max,residual,iterations,step_ms,"
                             "stopped";

scree_status series_open(series *to, const char *folder, const snapshot *state, bool keep, scree_error *error)
{
    char *path = path_join(folder, "series.csv");
    if (!path)
        return fail_no_memory(error);
    uint64_t size = 0;
    scree_status status = state ? state_get_count(state, "series_size", &size, error) : SCREE_OK;
    if (status == SCREE_OK)
        status = state ? rows_reopen(&to->file, path, size, keep, error) : rows_create(&to->file, path, header, error);
    free(path);
    return status;
}

scree_status series_row(series *to, const scree_world *world, run_statistics *statistics, scree_error *error)
{
    scree_figures figures = scree_world_figures(world);
    double step_s = statistics->row_steps > 0 ? statistics->row_step_s / statistics->row_steps : 0;
    statistics->row_step_s = statistics->row_steps = 0;
    if (figures.steps > 0) // before the first step nothing has been detected
        statistics->deepest = fmax(statistics->deepest, figures.penetration_max);
    const double values[] = {
        (double)figures.steps, figures.time,      (double)figures.bodies,  (double)figures.contacts,
        figures.kinetic,       figures.potential, figures.penetration_max, figures.residual_max,
        figures.iterations,    step_s * 1000,     (double)figures.stop,
    };
    scree_status status = rows_append(&to->file, values, sizeof values / sizeof *values, error);
    return status == SCREE_OK ? rows_flush(&to->file, error) : status;
}

scree_status series_save(const series *from, snapshot *state, scree_error *error)
{
    return state_put_count(state, "series_size", from->file.size, error);
}
