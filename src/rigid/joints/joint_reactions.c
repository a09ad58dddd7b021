// After the solve: what joints remember for the next step, what they carried, and which of them broke.
#include "base/threads.h"
#include "rigid/joints/joint_rows.h"

enum { JOINT_BLOCK = 64 };

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

// Bodies that start take half a kick; what an impulse did is told by the step.
static double kick_time(const step_problem *problem, const joint_rows *solved, size_t index)
{
    bool starts = false;
    for (uint32_t r = solved->first[index]; problem->starting && r < solved->first[index + 1]; r++)
        for (int i = 0; i < JOINT_ROW_BODIES; i++) {
            uint32_t slot = solved->rows[r].body[i];
            starts = starts || (slot != NO_BODY && problem->starting[slot]);
        }
    return starts && !solved->torn[index] ? 0.5 * problem->step : problem->step;
}

static void take_reaction(const step_problem *problem, const joint_rows *solved, size_t index)
{
    joint *of = &problem->joints[index];
    bool gear = joint_kind_of(of->def.type)->measure == OF_OTHERS;
    size_t place = gear ? problem->joint_ends[index].joint[1] : index;
    const joint *placed = &problem->joints[place];
    const uint32_t *slots = problem->joint_ends[place].body;
    scree_pose at = pose_of_slot(problem, slots[1]);
    reaction sum = gear ? gear_reaction(&solved->rows[solved->first[index]], slots[1]) : sum_rows(solved, index);
    vec3 arm = quat_rotate(at.orientation, placed->anchor[1]);
    quat frame = quat_multiply(pose_of_slot(problem, slots[0]).orientation, placed->frame[0]);
    double per_step = 1 / kick_time(problem, solved, index);
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

// The coordinate with full turns as the bodies stand before the step, and its speed.
static double coordinate_before(const step_problem *problem, size_t index, double *speed)
{
    const joint *of = &problem->joints[index];
    const uint32_t *slots = problem->joint_ends[index].body;
    scree_pose pose[2] = {pose_of_slot(problem, slots[0]), pose_of_slot(problem, slots[1])};
    joint_equation coordinate = joint_coordinate(of, pose);
    *speed = 0;
    for (int i = 0; i < 2; i++)
        if (slots[i] != NO_SLOT)
            *speed += vec3_dot(coordinate.linear[i], problem->velocity[slots[i]]) +
                      vec3_dot(coordinate.angular[i], problem->spin[slots[i]]);
    return angle_near(coordinate.value, of->expected);
}

// A joint's answer to a change of its motor's force shows the inertia that hangs on it. A load that changes at the same
// time spoils what is seen, so only pushes count that no load would follow by itself, and answers at least as clear as
// those before; the clearer, the more (least squares with the acceleration as the known, halved at each).
static void take_answer(motor_sense *sense, double acceleration, double most)
{
    const double noticed = 0.1; // change of force, in parts of the most
    double push = sense->force - sense->former, answer = acceleration - sense->gained;
    bool clear = fabs(push) >= noticed * most || answer * answer >= sense->answers;
    if (!clear || !(push * answer > 0))
        return;
    sense->pushes = 0.5 * sense->pushes + push * answer;
    sense->answers = 0.5 * sense->answers + answer * answer;
}

// The joint now has the speed with which the step before ended.
static void sense_load(joint *of, double speed)
{
    motor_sense *sense = &of->sense;
    if (sense->seen > 0) {
        double acceleration = (speed - sense->speed) / sense->time;
        if (sense->seen > 1)
            take_answer(sense, acceleration, of->def.motor.max_force);
        sense->former = sense->force;
        sense->gained = acceleration;
    }
    sense->seen = fmin(sense->seen + 1, 2);
    sense->speed = speed;
}

static void finish_joint(const step_problem *problem, const joint_rows *solved, size_t index)
{
    const vec3 none = {0, 0, 0};
    joint *of = &problem->joints[index];
    joint_measure measure = joint_kind_of(of->def.type)->measure;
    bool turns = measure == TWIST || measure == TURN, driven = of->def.motor.type != SCREE_MOTOR_NONE;
    if (turns || driven) {
        double speed, position = coordinate_before(problem, index, &speed);
        if (turns)
            of->expected = position + problem->step * speed;
        if (driven)
            sense_load(of, speed);
    }
    if (!driven)
        of->sense = (motor_sense){0};
    memset(of->geometric_damping, 0, sizeof of->geometric_damping);
    if (of->broken) {
        of->force = of->torque = of->local_force = of->local_torque = none;
        return;
    }
    take_reaction(problem, solved, index);
    remember_impulses(of, solved, index);
    if (driven) {
        of->sense.time = kick_time(problem, solved, index);
        of->sense.force = of->impulse[ROW_MOTOR] / of->sense.time;
    }
    of->broken = vec3_length(of->force) > of->def.break_force || vec3_length(of->torque) > of->def.break_torque;
    if (of->broken)
        memset(of->impulse, 0, sizeof of->impulse);
    else
        joint_find_geometric_damping(problem, index);
}

// A joint is left out with the bodies that it moves, which are all of one island.
static bool is_left_out(const step_problem *problem, const joint_rows *solved, size_t index, const uint8_t *left_out)
{
    for (uint32_t r = solved->first[index]; left_out && r < solved->first[index + 1]; r++)
        for (int k = 0; k < JOINT_ROW_BODIES; k++) {
            uint32_t slot = solved->rows[r].body[k];
            if (slot != NO_BODY && !problem->immovable[slot])
                return left_out[slot];
        }
    return false;
}

typedef struct joint_task {
    const step_problem *problem;
    const joint_rows *solved;
    const uint8_t *left_out;
} joint_task;

static void finish_range(void *context, size_t first, size_t end)
{
    const joint_task *task = context;
    for (size_t i = first; i < end; i++)
        if (!is_left_out(task->problem, task->solved, i, task->left_out))
            finish_joint(task->problem, task->solved, i);
}

void joints_finish(const step_problem *problem, const joint_rows *solved, const uint8_t *left_out)
{
    joint *joints = problem->joints;
    for_ranges(problem->threads, problem->joint_count, JOINT_BLOCK, finish_range,
               &(joint_task){problem, solved, left_out});
    for (size_t i = 0; i < problem->joint_count; i++) { // a gear without one of its joints has nothing to couple
        const uint32_t *coupled = problem->joint_ends[i].joint;
        if (joint_kind_of(joints[i].def.type)->measure == OF_OTHERS)
            joints[i].broken = joints[i].broken || joints[coupled[0]].broken || joints[coupled[1]].broken;
    }
}
