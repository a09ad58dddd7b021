#include "world/joints/joint_check.h"

#include "base/error.h"
#include "world/joints/joints.h"

// Beyond this the two axes of a universal joint are not perpendicular: the cosine of their angle.
static const double most_slant = 1e-3;

static scree_status check_bodies(const scree_world *world, const scree_joint_def *def, scree_error *error)
{
    bool movable = false;
    for (int i = 0; i < 2; i++) {
        if (def->bodies[i] == 0)
            continue;
        uint32_t slot = body_slot(&world->bodies, def->bodies[i]);
        if (slot == NO_SLOT)
            return fail(error, SCREE_ERROR_INVALID, "body %llu does not exist", (unsigned long long)def->bodies[i]);
        movable = movable || !world->bodies.immovable.data[slot];
    }
    if (def->bodies[0] == def->bodies[1])
        return fail(error, SCREE_ERROR_INVALID, "its two bodies are the same, must be different");
    if (!movable)
        return fail(error, SCREE_ERROR_INVALID, "both bodies are fixed, one at least must be free to move");
    return SCREE_OK;
}

// Bodies farther away are refused as well: nobody could tell places apart there.
static const double farthest = 1e15;

static bool is_within_reach(vec3 place)
{
    return fabs(place.x) <= farthest && fabs(place.y) <= farthest && fabs(place.z) <= farthest;
}

static scree_status check_places(const scree_joint_def *def, scree_error *error)
{
    const joint_kind *kind = joint_kind_of(def->type);
    bool ends = kind->measure == LENGTH;
    if (ends ? !is_within_reach(def->positions[0]) || !is_within_reach(def->positions[1])
             : !is_within_reach(def->position))
        return fail(error, SCREE_ERROR_INVALID, "its position must be within 1e15");
    double length = vec3_length(def->axis), second = vec3_length(def->second_axis);
    if (kind->uses_axis && !(length > 0 && isfinite(length)))
        return fail(error, SCREE_ERROR_INVALID, "its axis must be a direction other than zero");
    if (def->type == SCREE_JOINT_UNIVERSAL &&
        !(fabs(vec3_dot(def->axis, def->second_axis)) <= most_slant * length * second && second > 0))
        return fail(error, SCREE_ERROR_INVALID,
                    "the two axes of a universal joint must be perpendicular to each other");
    if (!ends)
        return SCREE_OK;
    if (!(fabs(def->length) <= farthest))
        return fail(error, SCREE_ERROR_INVALID, "length is %g, must be from 0 to 1e15, or negative: as the ends stand",
                    def->length);
    double apart = vec3_length(vec3_sub(def->positions[1], def->positions[0]));
    bool rigid = def->type == SCREE_JOINT_DISTANCE && def->motor.type == SCREE_MOTOR_NONE && !isfinite(def->low) &&
                 !isfinite(def->high);
    if (rigid && (def->length == 0 || (def->length < 0 && apart == 0)))
        return fail(error, SCREE_ERROR_INVALID,
                    "a distance of 0 is no distance joint; a spherical joint holds two points "
                    "together");
    return SCREE_OK;
}

static scree_status check_at_least_zero(double value, const char *name, scree_error *error)
{
    if (value >= 0 && isfinite(value))
        return SCREE_OK;
    return fail(error, SCREE_ERROR_INVALID, "%s is %g, must be at least 0", name, value);
}

static scree_status check_numbers(const scree_joint_def *def, scree_error *error)
{
    const joint_kind *kind = joint_kind_of(def->type);
    scree_status status = check_at_least_zero(def->stiffness, "stiffness", error);
    if (!status)
        status = check_at_least_zero(def->damping, "damping", error);
    if (!status)
        status = check_at_least_zero(def->angular_stiffness, "angular stiffness", error);
    if (!status)
        status = check_at_least_zero(def->angular_damping, "angular damping", error);
    if (!status)
        status = check_at_least_zero(def->axis_stiffness, "axis stiffness", error);
    if (!status)
        status = check_at_least_zero(def->axis_damping, "axis damping", error);
    if (!status)
        status = check_at_least_zero(def->friction, "friction", error);
    if (status)
        return status;
    if (!isfinite(def->preload) || !isfinite(def->angle) || !isfinite(def->rest))
        return fail(error, SCREE_ERROR_INVALID, "preload, angle and rest must be finite");
    if ((def->axis_stiffness > 0 || def->axis_damping > 0) && !joint_has_free_axis(def->type))
        return fail(error, SCREE_ERROR_INVALID, "a %s joint has no free axis that a spring could act on", kind->name);
    if (!(def->break_force > 0) || !(def->break_torque > 0))
        return fail(error, SCREE_ERROR_INVALID, "break force and break torque must be greater than 0");
    if (!(def->low <= def->high))
        return fail(error, SCREE_ERROR_INVALID, "limits are %g and %g, the first must not exceed the second", def->low,
                    def->high);
    bool measured = kind->measure != NO_MEASURE && kind->measure != OF_OTHERS;
    if (!measured && (isfinite(def->low) || isfinite(def->high) || def->friction > 0))
        return fail(error, SCREE_ERROR_INVALID, "a %s joint has no position, so neither limits nor friction",
                    kind->name);
    if (kind->measure == SWING && isfinite(def->low) && def->low != 0)
        return fail(error, SCREE_ERROR_INVALID, "the lower limit of a spherical joint is %g, must be 0", def->low);
    return SCREE_OK;
}

scree_status joint_check_motor(scree_joint_type type, const scree_motor_def *def, scree_error *error)
{
    const joint_kind *kind = joint_kind_of(type);
    bool driven = kind->measure != NO_MEASURE && kind->measure != OF_OTHERS && kind->measure != SWING;
    if ((unsigned)def->type > SCREE_MOTOR_POSITION)
        return fail(error, SCREE_ERROR_INVALID, "motor type %d is unknown", (int)def->type);
    if (def->type == SCREE_MOTOR_NONE)
        return SCREE_OK;
    if (!driven)
        return fail(error, SCREE_ERROR_INVALID, "a %s joint has no position that a motor could drive", kind->name);
    if (!(def->max_force > 0))
        return fail(error, SCREE_ERROR_INVALID, "motor force limit is %g, must be greater than 0", def->max_force);
    if (!isfinite(def->target) || !isfinite(def->amplitude) || !isfinite(def->frequency) || !isfinite(def->phase))
        return fail(error, SCREE_ERROR_INVALID, "target, amplitude, frequency and phase of a motor must be finite");
    return check_at_least_zero(def->response, "motor response", error);
}

// ------------------------------------------------------------------------------------------------------------ gears

// Whether the joints' bodies are three at most: a row of them has no room for more.
static bool share_a_body(const joint *a, const joint *b)
{
    scree_id found[4];
    int count = 0;
    const scree_id all[4] = {a->def.bodies[0], a->def.bodies[1], b->def.bodies[0], b->def.bodies[1]};
    for (int i = 0; i < 4; i++) {
        bool known = all[i] == 0;
        for (int k = 0; k < count; k++)
            known = known || found[k] == all[i];
        if (!known)
            found[count++] = all[i];
    }
    return count <= JOINT_MOST_BODIES;
}

static scree_status check_gear(const scree_world *world, const scree_joint_def *def, scree_error *error)
{
    const joint *coupled[2];
    for (int i = 0; i < 2; i++) {
        uint32_t slot = joint_slot(&world->joints, def->joints[i]);
        if (slot == NO_SLOT)
            return fail(error, SCREE_ERROR_INVALID, "joint %llu does not exist", (unsigned long long)def->joints[i]);
        coupled[i] = &world->joints.list.data[slot];
    }
    if (coupled[0] == coupled[1])
        return fail(error, SCREE_ERROR_INVALID, "its two joints are the same, must be different");
    if (!(def->ratio != 0 && isfinite(def->ratio)))
        return fail(error, SCREE_ERROR_INVALID, "ratio is %g, must be a number other than 0", def->ratio);
    joint_measure first = joint_kind_of(coupled[0]->def.type)->measure;
    joint_measure second = joint_kind_of(coupled[1]->def.type)->measure;
    bool angle[2] = {first == TWIST || first == TURN, second == TWIST || second == TURN};
    bool travel[2] = {first == TRAVEL || first == LENGTH, second == TRAVEL || second == LENGTH};
    if (def->type == SCREE_JOINT_RACK && !(angle[0] && travel[1]))
        return fail(error, SCREE_ERROR_INVALID, "a rack couples a joint that turns, the first, with one that slides");
    if (def->type == SCREE_JOINT_GEAR && !(angle[0] && angle[1]) && !(travel[0] && travel[1]))
        return fail(error, SCREE_ERROR_INVALID, "a gear couples two joints that turn, or two that slide");
    if (!share_a_body(coupled[0], coupled[1]))
        return fail(error, SCREE_ERROR_INVALID, "its two joints must have a body in common, or the world");
    return SCREE_OK;
}

scree_status joint_check(const scree_world *world, const scree_joint_def *def, scree_error *error)
{
    if ((unsigned)def->type >= SCREE_JOINT_TYPES)
        return fail(error, SCREE_ERROR_INVALID, "type %d is unknown", (int)def->type);
    scree_status status;
    if (joint_kind_of(def->type)->measure == OF_OTHERS) {
        status = check_gear(world, def, error);
    } else {
        status = check_bodies(world, def, error);
        if (!status)
            status = check_places(def, error);
    }
    if (!status)
        status = check_numbers(def, error);
    return status ? status : joint_check_motor(def->type, &def->motor, error);
}
