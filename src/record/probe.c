#include "record/probe.h"

static const char header[] = "time,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz";

scree_status probes_open(probe_set *set, const scene_output *output, const char *folder, const snapshot *state,
                         bool keep, scree_error *error)
{
    set->probes = output->probes;
    scree_status status = row_set_make(&set->files, "probe", output->probe_count, error);
    if (status != SCREE_OK)
        return status;
    for (size_t i = 0; i < output->probe_count; i++)
        set->files.names[i] = output->probes[i].name;
    return row_set_open(&set->files, folder, header, state, keep, error);
}

scree_status probes_row(probe_set *set, const scree_world *world, double time, scree_error *error)
{
    for (size_t i = 0; i < set->files.count; i++) {
        scree_state at;
        if (!scree_world_has_body(world, set->probes[i].body))
            continue;
        scree_status status = scree_world_get_states(world, &set->probes[i].body, 1, &at, error);
        if (status != SCREE_OK)
            return status;
        const double values[] = {
            time,
            at.position.x,
            at.position.y,
            at.position.z,
            at.orientation.w,
            at.orientation.x,
            at.orientation.y,
            at.orientation.z,
            at.velocity.x,
            at.velocity.y,
            at.velocity.z,
            at.spin.x,
            at.spin.y,
            at.spin.z,
        };
        status = rows_append(&set->files.files[i], values, sizeof values / sizeof *values, error);
        if (status != SCREE_OK)
            return status;
    }
    return row_set_flush(&set->files, error);
}
