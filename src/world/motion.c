// Prescribed motions of fixed bodies: poses from closed forms of time, so that nothing drifts.
#include "world/motion.h"

#include "base/error.h"
#include "world/wake.h"

static const double two_pi = 6.28318530717958647692;

scree_motion_def scree_default_motion_def(void)
{
    return (scree_motion_def){.type = SCREE_MOTION_NONE, .axis = {0, 0, 1}};
}

static scree_status check_motion(const scree_motion_def *def, scree_error *error)
{
    if ((unsigned)def->type > SCREE_MOTION_ROTATION)
        return fail(error, SCREE_ERROR_INVALID, "motion type %d is unknown", (int)def->type);
    double length = vec3_length(def->axis);
    bool needs_axis = def->type == SCREE_MOTION_SINE || def->type == SCREE_MOTION_ROTATION;
    if (needs_axis && !(length > 0 && isfinite(length)))
        return fail(error, SCREE_ERROR_INVALID, "the axis of a motion must be a direction other than zero");
    if (!isfinite(def->amplitude) || !isfinite(def->frequency) || !isfinite(def->phase) || !vec3_finite(def->linear) ||
        !vec3_finite(def->angular) || !vec3_finite(def->center) || !isfinite(def->speed))
        return fail(error, SCREE_ERROR_INVALID, "all numbers of a motion must be finite");
    return SCREE_OK;
}

scree_status scree_world_set_motion(scree_world *world, scree_id id, const scree_motion_def *def, scree_error *error)
{
    if (!world || !def)
        return fail_null(error, "scree_world_set_motion");
    uint32_t slot = body_slot(&world->bodies, id);
    if (slot == NO_SLOT)
        return fail(error, SCREE_ERROR_INVALID, "body %llu does not exist", (unsigned long long)id);
    if (!world->bodies.immovable.data[slot])
        return fail(error, SCREE_ERROR_INVALID, "body %llu is not fixed; only fixed bodies can have a motion",
                    (unsigned long long)id);
    scree_status status = check_motion(def, error);
    if (status)
        return status;
    size_t index = 0;
    while (index < world->motions.count && world->motions.data[index].id != id)
        index++;
    wake_bodies(world, &id, 1);
    body_motion motion = {id, *def, body_frame(&world->bodies, slot), world->time};
    motion.def.axis = vec3_normalize(def->axis);
    if (def->type == SCREE_MOTION_NONE) {
        world->bodies.velocity.data[slot] = world->bodies.spin.data[slot] = vec3_make(0, 0, 0);
        if (index < world->motions.count)
            world->motions.data[index] = world->motions.data[--world->motions.count];
    } else if (index < world->motions.count) {
        world->motions.data[index] = motion;
    } else if (!array_push(&world->motions, motion)) {
        return fail_no_memory(error);
    }
    return SCREE_OK;
}

static scree_pose pose_at(const body_motion *motion, double time)
{
    const scree_motion_def *def = &motion->def;
    double t = time - motion->start_time;
    scree_pose pose = motion->start;
    if (def->type == SCREE_MOTION_SINE) {
        double path = def->amplitude * (sine_of(two_pi * def->frequency * t + def->phase) - sine_of(def->phase));
        pose.position = vec3_add_scaled(pose.position, def->axis, path);
    } else if (def->type == SCREE_MOTION_VELOCITY) {
        pose.position = vec3_add_scaled(pose.position, def->linear, t);
        pose.orientation = quat_multiply(quat_from_rotation(vec3_scale(def->angular, t)), pose.orientation);
    } else if (def->type == SCREE_MOTION_ROTATION) {
        quat rotation = quat_from_rotation(vec3_scale(def->axis, fmod(def->speed * t, two_pi)));
        pose.position = vec3_add(def->center, quat_rotate(rotation, vec3_sub(pose.position, def->center)));
        pose.orientation = quat_multiply(rotation, pose.orientation);
    }
    pose.orientation = quat_normalize(pose.orientation);
    return pose;
}

scree_pose motion_pose(const scree_world *world, const body_motion *motion, double time)
{
    scree_pose frame = pose_at(motion, time);
    return body_pose_of_frame(&world->bodies, body_slot(&world->bodies, motion->id), &frame);
}

void motion_velocities(const scree_world *world, const body_motion *motion, vec3 *velocity, vec3 *spin)
{
    vec3 now = pose_at(motion, world->time).position;
    vec3 then = pose_at(motion, world->time + world->def.step).position;
    // The mean over the step, so that what rides on the body arrives where the body does.
    *velocity = vec3_scale(vec3_sub(then, now), 1 / world->def.step);
    *spin = vec3_make(0, 0, 0);
    if (motion->def.type == SCREE_MOTION_VELOCITY)
        *spin = motion->def.angular;
    if (motion->def.type == SCREE_MOTION_ROTATION)
        *spin = vec3_scale(motion->def.axis, motion->def.speed);
}

void motions_set_velocities(scree_world *world)
{
    for (size_t i = 0; i < world->motions.count; i++) {
        const body_motion *motion = &world->motions.data[i];
        uint32_t slot = body_slot(&world->bodies, motion->id);
        motion_velocities(world, motion, &world->bodies.velocity.data[slot], &world->bodies.spin.data[slot]);
    }
}

void motions_set_poses(scree_world *world)
{
    for (size_t i = 0; i < world->motions.count; i++) {
        scree_pose pose = pose_at(&world->motions.data[i], world->time);
        body_set_frame(&world->bodies, body_slot(&world->bodies, world->motions.data[i].id), &pose);
    }
}
