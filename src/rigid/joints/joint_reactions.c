// After the solve: what joints remember for the next step, what they carried, and which of them broke.
#include "rigid/joints/joint_rows.h"
#include "world/joints/joints.h"

// The sum of a joint's impulses on its second body.
typedef struct reaction {
    vec3 linear, angular; // about the body's centre
} reaction;

static reaction sum_rows(const joint_rows *solved, size_t index)
{
    reaction sum = {{0, 0, 0}, {0, 0, 0}};
    for (uint32_t r = solved->first[index]; r < solved->first[index + 1]; r++) {
        const joint_row *row = &solved->rows[r];
        sum.linear = vec3_add_scaled(sum.linear, row->linear[1], row->impulse);
        sum.angular = vec3_add_scaled(sum.angular, row->angular[1], row->impulse);
    }
    return sum;
}

// A gear's row lists its bodies without the world and each once, so its second body must be looked for.
static reaction gear_reaction(const joint_row *row, uint32_t slot)
{
    for (int i = 0; i < JOINT_ROW_BODIES; i++)
        if (row->body[i] == slot && slot != NO_BODY)
            return (reaction){vec3_scale(row->linear[i], row->impulse), vec3_scale(row->angular[i], row->impulse)};
    return (reaction){{0, 0, 0}, {0, 0, 0}};
}

static void take_reaction(const scree_world *world, joint *of, const joint_rows *solved, size_t index)
{
    const joint *placed = of;
    bool gear = joint_kind_of(of->def.type)->measure == OF_OTHERS;
    if (gear)
        placed = &world->joints.list.data[joint_slot(&world->joints, of->def.joints[1])];
    scree_id second = placed->def.bodies[1];
    scree_pose at = joint_body_pose(world, second);
    uint32_t slot = second ? body_slot(&world->bodies, second) : NO_BODY;
    reaction sum = gear ? gear_reaction(&solved->rows[solved->first[index]], slot) : sum_rows(solved, index);
    vec3 arm = quat_rotate(at.orientation, placed->anchor[1]);
    quat frame = quat_multiply(joint_body_pose(world, placed->def.bodies[0]).orientation, placed->frame[0]);
    double per_step = 1 / world->def.step;
    of->force = vec3_scale(sum.linear, per_step);
    of->torque = vec3_scale(vec3_sub(sum.angular, vec3_cross(arm, sum.linear)), per_step);
    of->local_force = quat_rotate_back(frame, of->force);
    of->local_torque = quat_rotate_back(frame, of->torque);
}

static void remember_impulses(joint *of, const joint_rows *solved, size_t index)
{
    memset(of->impulse, 0, sizeof of->impulse);
    for (uint32_t r = solved->first[index]; r < solved->first[index + 1]; r++) {
        const joint_row *row = &solved->rows[r];
        of->impulse[solved->place[r]] = row->impulse;
        if (solved->place[r] == ROW_LIMIT)
            of->near_high = row->high == 0;
    }
}

static void finish_joint(const scree_world *world, joint *of, const joint_rows *solved, size_t index)
{
    const vec3 none = {0, 0, 0};
    joint_measure measure = joint_kind_of(of->def.type)->measure;
    if (measure == TWIST || measure == TURN) {
        double speed;
        double angle = joint_position(world, of, &speed);
        of->expected = angle + world->def.step * speed;
    }
    memset(of->geometric_damping, 0, sizeof of->geometric_damping);
    if (of->broken) {
        of->force = of->torque = of->local_force = of->local_torque = none;
        return;
    }
    take_reaction(world, of, solved, index);
    remember_impulses(of, solved, index);
    of->broken = vec3_length(of->force) > of->def.break_force || vec3_length(of->torque) > of->def.break_torque;
    if (of->broken)
        memset(of->impulse, 0, sizeof of->impulse);
    else
        joint_find_geometric_damping(world, of);
}

// A joint is left out with the bodies that it moves, which are all of one island.
static bool is_left_out(const scree_world *world, const joint_rows *solved, size_t index, const uint8_t *left_out)
{
    for (uint32_t r = solved->first[index]; left_out && r < solved->first[index + 1]; r++)
        for (int k = 0; k < JOINT_ROW_BODIES; k++) {
            uint32_t slot = solved->rows[r].body[k];
            if (slot != NO_BODY && !world->bodies.immovable.data[slot])
                return left_out[slot];
        }
    return false;
}

void joints_finish(scree_world *world, const joint_rows *solved, const uint8_t *left_out)
{
    joint_store *store = &world->joints;
    size_t count = store->list.count;
#pragma omp parallel for num_threads(world->threads) schedule(static)
    for (size_t i = 0; i < count; i++)
        if (!is_left_out(world, solved, i, left_out))
            finish_joint(world, &store->list.data[i], solved, i);
    for (size_t i = 0; i < count; i++) { // a gear without one of its joints has nothing to couple
        joint *of = &store->list.data[i];
        if (joint_kind_of(of->def.type)->measure == OF_OTHERS)
            of->broken = of->broken || store->list.data[joint_slot(store, of->def.joints[0])].broken ||
                         store->list.data[joint_slot(store, of->def.joints[1])].broken;
    }
}
