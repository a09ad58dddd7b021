// Adding, removing, driving and reading joints through the public interface.
#include "world/joints/joints.h"

#include "base/error.h"
#include "base/search.h"
#include "world/joints/joint_check.h"
#include "world/method.h"
#include "world/wake.h"

scree_motor_def scree_default_motor_def(void)
{
    return (scree_motor_def){.type = SCREE_MOTOR_NONE, .max_force = (double)INFINITY};
}

scree_joint_def scree_default_joint_def(void)
{
    return (scree_joint_def){.type = SCREE_JOINT_SPHERICAL,
                             .axis = {0, 0, 1},
                             .second_axis = {1, 0, 0},
                             .length = -1,
                             .low = -(double)INFINITY,
                             .high = (double)INFINITY,
                             .break_force = (double)INFINITY,
                             .break_torque = (double)INFINITY,
                             .motor = scree_default_motor_def(),
                             .ratio = 1};
}

uint32_t joint_slot(const joint_store *store, scree_id id)
{
    const joint *list = store->list.data;
    size_t at = lower_bound_u64(list, store->list.count, sizeof *list, offsetof(joint, id), id);
    bool found = at < store->list.count && list[at].id == id && !list[at].gone;
    return found ? (uint32_t)at : NO_SLOT;
}

scree_pose joint_body_pose(const scree_world *world, scree_id id)
{
    if (id == 0)
        return (scree_pose){{0, 0, 0}, quat_identity()};
    uint32_t slot = body_slot(&world->bodies, id);
    return (scree_pose){world->bodies.position.data[slot], world->bodies.orientation.data[slot]};
}

static void joint_poses(const scree_world *world, const joint *of, scree_pose pose[2])
{
    pose[0] = joint_body_pose(world, of->def.bodies[0]);
    pose[1] = joint_body_pose(world, of->def.bodies[1]);
}

// ----------------------------------------------------------------------------------------------------------- adding

// The rotation that takes z to one axis and x as near as possible to another.
static quat frame_along(vec3 axis, vec3 second)
{
    vec3 z = vec3_normalize(axis);
    vec3 x = vec3_add_scaled(second, z, -vec3_dot(second, z));
    if (!(vec3_length(x) > 1e-6 * vec3_length(second))) {
        vec3 other = fabs(z.x) < 0.6 ? vec3_make(1, 0, 0) : vec3_make(0, 1, 0);
        x = vec3_add_scaled(other, z, -vec3_dot(other, z));
    }
    x = vec3_normalize(x);
    vec3 y = vec3_cross(z, x);
    // From a rotation matrix with the columns x, y, z, by its largest diagonal sum (Shepperd 1978).
    double sums[4] = {x.x + y.y + z.z, x.x - y.y - z.z, y.y - x.x - z.z, z.z - x.x - y.y};
    int largest = 0;
    for (int i = 1; i < 4; i++)
        largest = sums[i] > sums[largest] ? i : largest;
    double wx = y.z - z.y, wy = z.x - x.z, wz = x.y - y.x;
    double xy = x.y + y.x, xz = z.x + x.z, yz = y.z + z.y;
    double diagonal = 1 + sums[largest];
    const quat by_largest[4] = {
        {diagonal, wx, wy, wz}, {wx, diagonal, xy, xz}, {wy, xy, diagonal, yz}, {wz, xz, yz, diagonal}};
    return quat_normalize(by_largest[largest]);
}

static void place_joint(const scree_world *world, joint *made)
{
    const scree_joint_def *def = &made->def;
    bool ends = joint_kind_of(def->type)->measure == LENGTH;
    vec3 axis = ends ? vec3_sub(def->positions[1], def->positions[0]) : def->axis;
    if (!(vec3_length(axis) > 0))
        axis = vec3_make(0, 0, 1);
    quat frame = frame_along(axis, def->second_axis);
    for (int i = 0; i < 2; i++) {
        scree_pose pose = joint_body_pose(world, def->bodies[i]);
        vec3 point = ends ? def->positions[i] : def->position;
        made->anchor[i] = quat_rotate_back(pose.orientation, vec3_sub(point, pose.position));
        made->frame[i] = quat_multiply(quat_conjugate(pose.orientation), frame);
    }
    if (made->def.length < 0)
        made->def.length = vec3_length(vec3_sub(def->positions[1], def->positions[0]));
}

static void couple_joints(const scree_world *world, joint *made)
{
    double position[2];
    for (int i = 0; i < 2; i++) {
        const joint *other = &world->joints.list.data[joint_slot(&world->joints, made->def.joints[i])];
        position[i] = joint_position(world, other, NULL);
        made->def.bodies[i] = other->def.bodies[1];
    }
    made->offset = position[1] - made->def.ratio * position[0];
}

static joint make_joint(const scree_world *world, const scree_joint_def *def)
{
    joint made = {.id = world->joints.last_id + 1, .def = *def, .motor_start = world->time};
    const vec3 unused = {0, 0, 0};
    joint_measure measure = joint_kind_of(def->type)->measure;
    if (measure != LENGTH) {
        made.def.positions[0] = made.def.positions[1] = unused;
        made.def.length = 0;
    }
    if (measure == LENGTH || measure == OF_OTHERS)
        made.def.position = made.def.axis = unused;
    if (def->type != SCREE_JOINT_UNIVERSAL)
        made.def.second_axis = unused;
    if (measure == OF_OTHERS) {
        couple_joints(world, &made);
        return made;
    }
    made.def.joints[0] = made.def.joints[1] = 0;
    place_joint(world, &made);
    return made;
}

// The bodies of joints that come, go or are driven otherwise begin anew. Without memory for that they go on as they
// are: that costs accuracy of first order in the step.
static void begin_joined(scree_world *world, const joint *joints, size_t count)
{
    const body_store *store = &world->bodies;
    bool behind = false;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++) {
            uint32_t slot = joints[i].def.bodies[k] ? body_slot(store, joints[i].def.bodies[k]) : NO_SLOT;
            behind = behind || (slot != NO_SLOT && store->instant.data[slot] == VELOCITY_BEHIND);
        }
    for (size_t i = 0; behind && i < count; i++)
        begin_bodies(world, joints[i].def.bodies, 2);
}

scree_status scree_world_add_joints(scree_world *world, const scree_joint_def *defs, size_t count, scree_id *ids,
                                    scree_error *error)
{
    if (!world || (!defs && count > 0))
        return fail_null(error, "scree_world_add_joints");
    joint_store *store = &world->joints;
    if (count > 0 && world->method->no_joints)
        return fail(error, SCREE_ERROR_INVALID, "%s", world->method->no_joints);
    for (size_t i = 0; i < count; i++) {
        scree_error reason = {0};
        if (joint_check(world, &defs[i], &reason))
            return count == 1 ? fail(error, SCREE_ERROR_INVALID, "%s", reason.message)
                              : fail(error, SCREE_ERROR_INVALID, "joint %zu: %s", i, reason.message);
    }
    if (store->list.count + count >= NO_SLOT)
        return fail(error, SCREE_ERROR_INVALID, "more than %u joints in one world", NO_SLOT - 1);
    if (!array_reserve(&store->list, store->list.count + count))
        return fail_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        joint made = make_joint(world, &defs[i]);
        array_push(&store->list, made);
        store->last_id = made.id;
        wake_bodies(world, made.def.bodies, 2);
        if (ids)
            ids[i] = made.id;
    }
    begin_joined(world, store->list.data + store->list.count - count, count);
    return SCREE_OK;
}

// --------------------------------------------------------------------------------------------------------- removing

static bool joint_stands(const scree_world *world, const joint *of)
{
    for (int i = 0; i < 2; i++) {
        if (of->def.bodies[i] && body_slot(&world->bodies, of->def.bodies[i]) == NO_SLOT)
            return false;
        // Coupled joints were added before, so they have been looked at.
        if (of->def.joints[i] && joint_slot(&world->joints, of->def.joints[i]) == NO_SLOT)
            return false;
    }
    return true;
}

void joints_forget(scree_world *world)
{
    joint_store *store = &world->joints;
    for (size_t i = 0; i < store->list.count; i++) {
        joint *of = &store->list.data[i];
        of->gone = of->gone || !joint_stands(world, of);
        if (of->gone) {
            wake_bodies(world, of->def.bodies, 2);
            begin_joined(world, of, 1);
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < store->list.count; i++)
        if (!store->list.data[i].gone)
            store->list.data[kept++] = store->list.data[i];
    store->list.count = kept;
    if (kept == 0)
        world->half_kicks.count = 0; // all that had any have begun anew
}

static scree_status find_joint(const scree_world *world, scree_id id, uint32_t *slot, scree_error *error)
{
    *slot = joint_slot(&world->joints, id);
    if (*slot == NO_SLOT)
        return fail(error, SCREE_ERROR_INVALID, "joint %llu does not exist", (unsigned long long)id);
    return SCREE_OK;
}

scree_status scree_world_remove_joints(scree_world *world, const scree_id *ids, size_t count, scree_error *error)
{
    if (!world || (!ids && count > 0))
        return fail_null(error, "scree_world_remove_joints");
    joint *list = world->joints.list.data;
    uint32_t slot;
    size_t marked = 0;
    while (marked < count && find_joint(world, ids[marked], &slot, NULL) == SCREE_OK) {
        list[slot].gone = true;
        marked++;
    }
    if (marked == count) {
        joints_forget(world);
        return SCREE_OK;
    }
    for (size_t i = 0; i < world->joints.list.count; i++)
        list[i].gone = false;
    scree_status status = find_joint(world, ids[marked], &slot, error);
    return status ? status
                  : fail(error, SCREE_ERROR_INVALID, "joint %llu is named twice", (unsigned long long)ids[marked]);
}

// ---------------------------------------------------------------------------------------------------------- driving

scree_status scree_world_set_motor(scree_world *world, scree_id id, const scree_motor_def *def, scree_error *error)
{
    if (!world || !def)
        return fail_null(error, "scree_world_set_motor");
    uint32_t slot;
    scree_status status = find_joint(world, id, &slot, error);
    if (status)
        return status;
    joint *of = &world->joints.list.data[slot];
    status = joint_check_motor(of->def.type, def, error);
    if (status)
        return status;
    of->def.motor = *def;
    of->motor_start = world->time;
    of->impulse[ROW_MOTOR] = 0;
    wake_bodies(world, of->def.bodies, 2);
    begin_joined(world, of, 1);
    return SCREE_OK;
}

// Is it moved by a motion, or driven by a motor to a speed or to a target that changes with time?
static bool is_driven(const scree_world *world, const joint *of)
{
    const body_store *store = &world->bodies;
    const scree_motor_def *motor = &of->def.motor;
    bool driven = (motor->type != SCREE_MOTOR_NONE && motor->amplitude != 0) ||
                  (motor->type == SCREE_MOTOR_SPEED && motor->target != 0);
    for (int k = 0; k < 2 && !driven; k++) {
        uint32_t slot = of->def.bodies[k] ? body_slot(store, of->def.bodies[k]) : NO_SLOT;
        driven = slot != NO_SLOT && store->immovable.data[slot] &&
                 (vec3_length(store->velocity.data[slot]) > 0 || vec3_length(store->spin.data[slot]) > 0);
    }
    return driven && !of->broken;
}

void joints_mark_driven(const scree_world *world, uint8_t *marked)
{
    for (size_t i = 0; i < world->joints.list.count; i++) {
        const joint *of = &world->joints.list.data[i];
        for (int k = 0; k < 2 && is_driven(world, of); k++)
            if (of->def.bodies[k])
                marked[body_slot(&world->bodies, of->def.bodies[k])] = 1;
    }
}

// ---------------------------------------------------------------------------------------------------------- reading

static double equation_speed(const scree_world *world, const joint *of, const joint_equation *equation)
{
    double speed = 0;
    for (int i = 0; i < 2; i++) {
        if (of->def.bodies[i] == 0)
            continue;
        uint32_t slot = body_slot(&world->bodies, of->def.bodies[i]);
        vec3 velocity, spin;
        velocity_at_pose(world, slot, &velocity, &spin);
        speed += vec3_dot(equation->linear[i], velocity) + vec3_dot(equation->angular[i], spin);
    }
    return speed;
}

double joint_position(const scree_world *world, const joint *of, double *speed)
{
    joint_measure measure = joint_kind_of(of->def.type)->measure;
    if (measure == OF_OTHERS)
        of = &world->joints.list.data[joint_slot(&world->joints, of->def.joints[1])];
    scree_pose pose[2];
    joint_poses(world, of, pose);
    joint_equation coordinate = joint_coordinate(of, pose);
    if (speed)
        *speed = equation_speed(world, of, &coordinate);
    measure = joint_kind_of(of->def.type)->measure;
    return measure == TWIST || measure == TURN ? angle_near(coordinate.value, of->expected) : coordinate.value;
}

static double strain_energy(double stiffness, double stretch)
{
    return 0.5 * stiffness * stretch * stretch;
}

double joint_energy(const scree_world *world, const joint *of)
{
    const scree_joint_def *def = &of->def;
    if (of->broken || joint_kind_of(def->type)->measure == OF_OTHERS)
        return 0;
    if (def->type == SCREE_JOINT_SPRING || def->type == SCREE_JOINT_TORSION_SPRING) {
        double rest = def->type == SCREE_JOINT_SPRING ? def->length : def->angle;
        double stretch = joint_position(world, of, NULL) - rest;
        return strain_energy(def->stiffness, stretch) + def->preload * stretch;
    }
    if (def->type == SCREE_JOINT_DISTANCE)
        return strain_energy(def->stiffness, joint_position(world, of, NULL) - def->length);
    scree_pose pose[2];
    joint_poses(world, of, pose);
    joint_equation equations[6];
    int count = joint_equations(of, pose, equations);
    double sum =
        def->axis_stiffness > 0 ? strain_energy(def->axis_stiffness, joint_position(world, of, NULL) - def->rest) : 0;
    for (int i = 0; i < count; i++)
        sum += strain_energy(equations[i].place >= ROW_ANGULAR ? def->angular_stiffness : def->stiffness,
                             equations[i].value);
    return sum;
}

scree_status scree_world_get_joint(const scree_world *world, scree_id id, scree_joint_state *state, scree_error *error)
{
    if (!world || !state)
        return fail_null(error, "scree_world_get_joint");
    uint32_t slot;
    scree_status status = find_joint(world, id, &slot, error);
    if (status)
        return status;
    const joint *of = &world->joints.list.data[slot];
    const joint *placed = of;
    if (joint_kind_of(of->def.type)->measure == OF_OTHERS)
        placed = &world->joints.list.data[joint_slot(&world->joints, of->def.joints[1])];
    *state = (scree_joint_state){.type = of->def.type,
                                 .bodies = {of->def.bodies[0], of->def.bodies[1]},
                                 .force = of->force,
                                 .torque = of->torque,
                                 .local_force = of->local_force,
                                 .local_torque = of->local_torque,
                                 .broken = of->broken};
    for (int i = 0; i < 2; i++) {
        scree_pose pose = joint_body_pose(world, placed->def.bodies[i]);
        state->ends[i] = joint_end(placed, i, &pose);
    }
    state->position = joint_position(world, of, &state->speed);
    return SCREE_OK;
}

size_t scree_world_joint_count(const scree_world *world)
{
    if (!world)
        return 0;
    return world->joints.list.count;
}

bool scree_world_has_joint(const scree_world *world, scree_id id)
{
    if (!world)
        return false;
    return joint_slot(&world->joints, id) != NO_SLOT;
}

void scree_world_joint_ids(const scree_world *world, scree_id *ids)
{
    if (!world || !ids)
        return;
    for (size_t i = 0; i < world->joints.list.count; i++)
        ids[i] = world->joints.list.data[i].id;
}
