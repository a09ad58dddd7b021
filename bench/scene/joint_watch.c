#include "bench/scene/joint_watch.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/vec.h"

static bool holds_point(scree_joint_type type)
{
    return type == SCREE_JOINT_SPHERICAL || type == SCREE_JOINT_REVOLUTE || type == SCREE_JOINT_UNIVERSAL ||
           type == SCREE_JOINT_FIXED;
}

scree_status joint_watch_begin(joint_watch *watch, scree_world *world, scree_vec3 axis, scree_error *error)
{
    size_t all = scree_world_joint_count(world);
    *watch = (joint_watch){.world = world, .axis = axis, .joints = malloc((all + 1) * sizeof *watch->joints)};
    if (!watch->joints)
        return fail_no_memory(error);
    scree_world_joint_ids(world, watch->joints);
    for (size_t i = 0; i < all; i++) {
        scree_joint_state state;
        scree_status status = scree_world_get_joint(world, watch->joints[i], &state, error);
        if (status)
            return status;
        if (holds_point(state.type))
            watch->joints[watch->count++] = watch->joints[i];
    }
    return SCREE_OK;
}

static void note_energy(joint_watch *watch)
{
    scree_figures figures = scree_world_figures(watch->world);
    double energy = figures.kinetic + figures.potential;
    if (watch->noted++ == 0)
        watch->first = watch->least = watch->most = energy;
    watch->least = fmin(watch->least, energy);
    watch->most = fmax(watch->most, energy);
}

scree_status joint_watch_note(void *context, scree_error *error)
{
    joint_watch *watch = context;
    note_energy(watch);
    for (size_t i = 0; i < watch->count; i++) {
        scree_joint_state state;
        scree_status status = scree_world_get_joint(watch->world, watch->joints[i], &state, error);
        if (status)
            return status;
        vec3 ends[2] = {{state.ends[0].x, state.ends[0].y, state.ends[0].z},
                        {state.ends[1].x, state.ends[1].y, state.ends[1].z}};
        watch->gap = fmax(watch->gap, vec3_length(vec3_sub(ends[1], ends[0])));
        watch->force = fmax(watch->force, fabs(state.force.x * watch->axis.x + state.force.y * watch->axis.y +
                                               state.force.z * watch->axis.z));
    }
    return SCREE_OK;
}

void joint_watch_print(const joint_watch *watch, json_line *line)
{
    json_line_count(line, "joints", watch->count);
    json_line_number(line, "gap_max", watch->gap);
    json_line_number(line, "force_max", watch->force);
    json_line_number(line, "energy_lost", watch->first - watch->least);
    json_line_number(line, "energy_gained", watch->most - watch->first);
}

void joint_watch_end(joint_watch *watch)
{
    free(watch->joints);
}
