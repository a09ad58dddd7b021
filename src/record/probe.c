#include "record/probe.h"

#include "scree/joint.h"

static const char body_header[] = "time,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz";
static const char joint_header[] = "time,fx,fy,fz,tx,ty,tz,position,speed,local_fx,local_fy,local_fz,local_tx,local_ty,"
                                   "local_tz,broken";

scree_status probes_open(probe_set *set, const scene_output *output, const char *folder, const snapshot *state,
                         bool keep, scree_error *error)
{
    set->probes = output->probes;
    scree_status status = row_set_make(&set->files, "probe", output->probe_count, error);
    if (status != SCREE_OK)
        return status;
    for (size_t i = 0; i < output->probe_count; i++) {
        set->files.names[i] = output->probes[i].name;
        set->files.headers[i] = output->probes[i].joint ? joint_header : body_header;
    }
    return row_set_open(&set->files, folder, state, keep, error);
}

static scree_status body_row(row_file *file, const scree_world *world, scree_id body, double time, scree_error *error)
{
    scree_state at;
    if (!scree_world_has_body(world, body))
        return SCREE_OK;
    scree_status status = scree_world_get_states(world, &body, 1, &at, error);
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
    return rows_append(file, values, sizeof values / sizeof *values, error);
}

static scree_status joint_row(row_file *file, const scree_world *world, scree_id joint, double time, scree_error *error)
{
    scree_joint_state at;
    if (!scree_world_has_joint(world, joint))
        return SCREE_OK;
    scree_status status = scree_world_get_joint(world, joint, &at, error);
    if (status != SCREE_OK)
        return status;
    const double values[] = {
        time,
        at.force.x,
        at.force.y,
        at.force.z,
        at.torque.x,
        at.torque.y,
        at.torque.z,
        at.position,
        at.speed,
        at.local_force.x,
        at.local_force.y,
        at.local_force.z,
        at.local_torque.x,
        at.local_torque.y,
        at.local_torque.z,
        at.broken ? 1 : 0,
    };
    return rows_append(file, values, sizeof values / sizeof *values, error);
}

scree_status probes_row(probe_set *set, const scree_world *world, double time, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (size_t i = 0; i < set->files.count && status == SCREE_OK; i++) {
        const scene_probe *probe = &set->probes[i];
        status = probe->joint ? joint_row(&set->files.files[i], world, probe->joint, time, error)
                              : body_row(&set->files.files[i], world, probe->body, time, error);
    }
    return status == SCREE_OK ? row_set_flush(&set->files, error) : status;
}
