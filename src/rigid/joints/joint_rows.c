// From joints to the rows of a step, and from the solved rows to reactions.
//
// What a joint holds must hold where the step ends, not along the tangent of where it begins: else a pendulum leaves
// its circle in every step, is pulled back in the next, and loses energy by it. With the pose q~ to which the bodies
// would drift at their present velocities v~, and the equation phi with its gradient J at the start of the step,
//
//     phi(q') ~ phi(q~) + h J (v' - v~) = 0      so      J v' + bias = 0,   bias = phi(q~) / h - J v~
//
// is one Newton step of the SHAKE iteration (Ryckaert, Ciccotti & Berendsen 1977): impulses act along J at the start,
// positions meet at the end. The method is symmetric up to terms of higher order, so energy swings but does not drift.
// The part of bias that corrects an error from before, phi(q) / h, is limited in speed.
//
// Springs push with  p = -(h F + g v'),  F = preload + k (l - l0),  g = theta h^2 k + eta h d  (see spring_law). Bodies
// that start take half a kick (world/instant.h): forces and their limits then act for h / 2, positions meet at h.
#include "rigid/joints/joint_rows.h"

#include "base/error.h"
#include "base/threads.h"

enum { JOINT_BLOCK = 64 };

_Static_assert((int)JOINT_MOST_BODIES == (int)JOINT_ROW_BODIES, "a row has room for all bodies of a joint");

// Error at the end of a step, in parts of a radius or in radians, from which on a joint counts as missed.
static const double missed_part = 0.002;

// Change of a joint's bias, in parts of its recovery speed, that is none beside what the most accurate factor leaves.
static const double straight = 1e-12;

// Compliance of a rigid joint, in parts of its mobility. What joints ask for may contradict itself, as in a net without
// slack that its weight pulls down: without any compliance their impulses would grow without bounds, against each
// other.
static const double rigid_compliance = 1e-10;

// One body of a joint during a step.
typedef struct joint_side {
    uint32_t slot; // NO_BODY: the world
    bool movable;
    scree_pose now, ahead; // at the start of the step, and where it would drift
    vec3 velocity, spin;   // present
    double inverse_mass;
    mat3 inverse_inertia;
} joint_side;

typedef struct row_maker {
    const step_problem *problem;
    const vec3 *velocity, *spin; // v~, by slot
    const joint *of;
    joint_side side[2];
    scree_pose now[2], ahead[2];
    double step;
    double kick;            // time for which forces act: the step, or half of it
    bool torn;              // velocities that were given contradict what the joint holds
    double recovery[2];     // most speed of correcting an error: along, and about an axis
    bool uses_end_gradient; // impulses act along where the step ends
    bool straight;          // its equations have no curvature, and nothing is ahead
    joint_row *rows;
    uint8_t *place;
    uint32_t count;
} row_maker;

// ------------------------------------------------------------------------------------------------------------ sides

static joint_side find_side(const row_maker *make, uint32_t slot)
{
    const step_problem *problem = make->problem;
    joint_side side = {.slot = slot, .now = pose_of_slot(problem, slot)};
    side.ahead = side.now;
    if (slot == NO_BODY)
        return side;
    side.velocity = make->velocity[slot];
    side.spin = make->spin[slot];
    side.movable = !problem->immovable[slot];
    if (side.movable) {
        side.inverse_mass = 1 / problem->mass[slot];
        side.inverse_inertia = inverse_inertia_at(problem->inertia[slot], &problem->orientation[slot]);
    }
    if (make->straight)
        return side;
    side.ahead.position = vec3_add_scaled(side.now.position, side.velocity, make->step);
    if (side.movable) {
        vec3 spin = side.spin;
        turn_freely(vec3_from_f(problem->inertia[slot]), make->step, side.spin, &side.ahead.orientation, &spin);
        return side;
    }
    quat rotation = quat_from_rotation(vec3_scale(side.spin, make->step));
    side.ahead.orientation = quat_multiply(rotation, side.now.orientation);
    return side;
}

// The fastest correction of an error along an axis. As with contacts it is slow against what a body of this size gains
// by falling its own radius.
static double recovery_of(const step_problem *problem, double radius)
{
    if (problem->solver.recovery_speed > 0)
        return problem->solver.recovery_speed;
    return problem->gravity_length > 0 ? 0.25 * sqrt(problem->gravity_length * radius) : 0.02 * radius / problem->step;
}

static void find_recovery(row_maker *make)
{
    const step_problem *problem = make->problem;
    double radius = HUGE_VAL;
    for (int i = 0; i < 2; i++)
        if (make->side[i].movable)
            radius = fmin(radius, (double)problem->radius[make->side[i].slot]);
    make->recovery[0] = recovery_of(problem, radius);
    make->recovery[1] = make->recovery[0] / radius;
}

static bool distance_is_held(const scree_joint_def *def)
{
    return def->type == SCREE_JOINT_DISTANCE && def->motor.type == SCREE_MOTOR_NONE && !isfinite(def->low) &&
           !isfinite(def->high);
}

static bool has_axis_spring(const scree_joint_def *def)
{
    return def->axis_stiffness > 0 || def->axis_damping > 0;
}

// Most joints that are held together say nothing of their coordinate.
static bool uses_coordinate(const scree_joint_def *def)
{
    return def->type == SCREE_JOINT_SPRING || def->type == SCREE_JOINT_TORSION_SPRING || distance_is_held(def) ||
           has_axis_spring(def) || def->motor.type != SCREE_MOTOR_NONE || isfinite(def->low) || isfinite(def->high) ||
           def->friction > 0;
}

// Anchors of a joint that are held together, as they move.
typedef struct moving_anchors {
    vec3 place[2], speed[2]; // of the anchors, or of the bodies that have them
    double arm[2], turn[2];  // the length of an anchor's arm, and the rate of its body's turning
} moving_anchors;

// An upper bound of their curvature: anchors move on circles about their bodies, and axes of the first turn under what
// separates them by at most `apart` and `speed`.
static double most_bend(const moving_anchors *of, double apart, double speed)
{
    const double *arm = of->arm, *turn = of->turn;
    return 0.5 * (turn[0] * turn[0] * (arm[0] + apart) + turn[1] * turn[1] * arm[1]) + turn[0] * speed;
}

static double most_bend_of_bodies(const moving_anchors *of)
{
    double apart = vec3_length(vec3_sub(of->place[1], of->place[0])) + of->arm[0] + of->arm[1];
    double speed = vec3_length(vec3_sub(of->speed[1], of->speed[0]));
    return most_bend(of, apart, speed + of->turn[0] * of->arm[0] + of->turn[1] * of->arm[1]);
}

static double most_bend_of_anchors(moving_anchors *of, const step_problem *problem, size_t index, const vec3 *spin)
{
    for (int i = 0; i < 2; i++) {
        uint32_t slot = problem->joint_ends[index].body[i];
        scree_pose pose = pose_of_slot(problem, slot);
        of->place[i] = joint_end(&problem->joints[index], i, &pose);
        if (slot != NO_BODY)
            of->speed[i] = vec3_add(of->speed[i], vec3_cross(spin[slot], vec3_sub(of->place[i], pose.position)));
    }
    return most_bend(of, vec3_length(vec3_sub(of->place[1], of->place[0])),
                     vec3_length(vec3_sub(of->speed[1], of->speed[0])));
}

// Is the curvature of its anchors none beside what an error is corrected with? Mostly bodies say so, without anchors.
static bool bends_little(const step_problem *problem, size_t index, const vec3 *velocity, const vec3 *spin)
{
    moving_anchors anchors = {0};
    double radius = HUGE_VAL;
    for (int i = 0; i < 2; i++) {
        uint32_t slot = problem->joint_ends[index].body[i];
        anchors.arm[i] = vec3_length(problem->joints[index].anchor[i]);
        if (slot == NO_BODY)
            continue;
        anchors.place[i] = problem->position[slot];
        anchors.speed[i] = velocity[slot];
        anchors.turn[i] = vec3_length(spin[slot]);
        if (!problem->immovable[slot])
            radius = fmin(radius, (double)problem->radius[slot]);
    }
    double most = straight * recovery_of(problem, radius) / problem->step;
    return most_bend_of_bodies(&anchors) < most || most_bend_of_anchors(&anchors, problem, index, spin) < most;
}

// Does it hold anchors together and nothing else, and do they move along straight lines?
static bool moves_straight(const step_problem *problem, size_t index, const vec3 *velocity, const vec3 *spin)
{
    const scree_joint_def *def = &problem->joints[index].def;
    return joint_kind_of(def->type)->hold == HOLD_NOTHING && !uses_coordinate(def) &&
           !(def->stiffness > 0 || def->damping > 0) && bends_little(problem, index, velocity, spin);
}

// All that it moves starts, or nothing does.
static bool joint_starts(const step_problem *problem, const joint_side side[2])
{
    for (int i = 0; problem->starting && i < 2; i++)
        if (side[i].movable)
            return problem->starting[side[i].slot];
    return false;
}

static void start_rows(row_maker *make, size_t index)
{
    make->of = &make->problem->joints[index];
    for (int i = 0; i < 2; i++) {
        make->side[i] = find_side(make, make->problem->joint_ends[index].body[i]);
        make->now[i] = make->side[i].now;
        make->ahead[i] = make->side[i].ahead;
    }
    make->kick = joint_starts(make->problem, make->side) ? 0.5 * make->step : make->step;
    find_recovery(make);
}

// The equation with the gradient by which it is held; `ahead` is not looked at where that is the present one.
static joint_equation held_equation(const row_maker *make, const joint_equation *now, const joint_equation *ahead)
{
    joint_equation held = make->uses_end_gradient ? *ahead : *now;
    held.value = now->value;
    return held;
}

static double speed_of(const row_maker *make, const joint_equation *equation)
{
    double speed = 0;
    for (int i = 0; i < 2; i++)
        speed +=
            vec3_dot(equation->linear[i], make->side[i].velocity) + vec3_dot(equation->angular[i], make->side[i].spin);
    return speed;
}

// By the velocities before the step, whatever the rows are made from.
static double speed_before(const row_maker *make, const joint_equation *equation)
{
    double speed = 0;
    for (int i = 0; i < 2; i++) {
        uint32_t slot = make->side[i].slot;
        if (slot != NO_BODY)
            speed += vec3_dot(equation->linear[i], make->problem->velocity[slot]) +
                     vec3_dot(equation->angular[i], make->problem->spin[slot]);
    }
    return speed;
}

// J M^-1 J^T: what a unit impulse changes the speed by.
static double mobility(const row_maker *make, const joint_equation *equation)
{
    double sum = 0;
    for (int i = 0; i < 2; i++) {
        if (!make->side[i].movable)
            continue;
        vec3 turned = mat3_apply(&make->side[i].inverse_inertia, equation->angular[i]);
        sum += make->side[i].inverse_mass * vec3_dot(equation->linear[i], equation->linear[i]) +
               vec3_dot(equation->angular[i], turned);
    }
    return sum;
}

static joint_row *add_row(row_maker *make, const joint_equation *equation, int place)
{
    joint_row *row = &make->rows[make->count];
    *row = (joint_row){.body = {make->side[0].slot, make->side[1].slot, NO_BODY},
                       .linear = {equation->linear[0], equation->linear[1]},
                       .angular = {equation->angular[0], equation->angular[1]},
                       .low = -HUGE_VAL,
                       .high = HUGE_VAL};
    if (make->problem->solver.warm_start)
        row->impulse = make->of->impulse[place];
    make->place[make->count++] = (uint8_t)place;
    return row;
}

// ------------------------------------------------------------------------------------------------------------- laws

// What the equation gains over the step beyond its present rate, through the curvature of its surface.
static double curvature(const row_maker *make, double now, double ahead, double speed)
{
    return ahead - now - make->step * speed;
}

// The speed that removes `error` and follows the curvature, up to sign.
static double holding_bias(const row_maker *make, double error, double bend, bool angular)
{
    double most = make->recovery[angular];
    return fmin(fmax(error / make->step, -most), most) + bend / make->step;
}

// Where bodies start, a speed that the joint asks for beside the curvature's is to be there already: else it comes by
// an impulse. `met` is the difference that counts as none, in parts of the fastest recovery.
static void look_for_tear(row_maker *make, double speed, double asked, bool angular, double met)
{
    make->torn = make->torn || fabs(speed + asked) > met * make->recovery[angular];
}

// p = -(h F + g s) as a compliant row. With theta = 0 a spring pushes as far as it is stretched when the step begins,
// which together with the step's positions is the symplectic Euler method: it neither damps nor feeds an oscillation
// that the step resolves. With x = h omega, omega^2 = k J M^-1 J^T, it is stable for theta >= 1/2 - 2 / x^2; theta
// rises well before, since several springs may hold one body, and tends to 1, which is implicit Euler. `bend` is the
// curvature, which stiff springs must follow as rigid joints do. A damper acts by the speed in the middle of the kick,
// d (s' + s) / 2, which is of second order, as long as the step resolves its decay; eta then rises as theta does. A
// tiny g stands for none.
static void spring_law(const row_maker *make, joint_row *row, const joint_equation *at, double mobile, double force,
                       double stiffness, double damping, double bend)
{
    const double resolved = 0.3, least = 1e-9;
    double h = make->step, x = h * sqrt(stiffness * mobile), decay = h * damping * mobile;
    double theta = x > resolved ? 1 - resolved / x : 0, eta = decay > 2 * resolved ? 1 - resolved / decay : 0.5;
    double g = fmax(make->kick * (theta * h * stiffness + eta * damping), least / mobile);
    double early = damping > 0 ? (1 - eta) * damping * speed_before(make, at) : 0;
    row->compliance = 1 / g;
    row->bias = make->kick * (force + theta * stiffness * bend + early) / g;
}

static void add_held(row_maker *make, const joint_equation *now, double bend, double stiffness, double damping,
                     bool angular)
{
    joint_row *row = add_row(make, now, now->place);
    if (stiffness > 0 || damping > 0)
        spring_law(make, row, now, mobility(make, now), stiffness * now->value, stiffness, damping, bend);
    else {
        row->bias = row->correction = holding_bias(make, now->value, bend, angular);
        if (make->kick < make->step)
            look_for_tear(make, speed_of(make, now), holding_bias(make, now->value, 0, angular), angular, 0.01);
        row->compliance = rigid_compliance * mobility(make, now);
    }
}

static void add_equations(row_maker *make)
{
    const scree_joint_def *def = &make->of->def;
    joint_equation now[6], end[6];
    double ahead[6];
    int count = joint_equations(make->of, make->now, now);
    if (!make->straight)
        joint_values(make->of, make->ahead, ahead);
    if (make->uses_end_gradient)
        joint_equations(make->of, make->ahead, end);
    for (int i = 0; i < count; i++) {
        bool angular = now[i].place >= ROW_ANGULAR;
        joint_equation held = held_equation(make, &now[i], make->uses_end_gradient ? &end[i] : NULL);
        double bend = make->straight ? 0 : curvature(make, held.value, ahead[i], speed_of(make, &held));
        add_held(make, &held, bend, angular ? def->angular_stiffness : def->stiffness,
                 angular ? def->angular_damping : def->damping, angular);
    }
}

// -------------------------------------------------------------------------------------------------- the coordinate

typedef struct coordinate {
    joint_equation at; // with full turns
    double ahead;      // where it would be
    double speed, bend, mobile;
    bool angular;
} coordinate;

static coordinate find_coordinate(const row_maker *make)
{
    joint_measure measure = joint_kind_of(make->of->def.type)->measure;
    joint_equation now = joint_coordinate(make->of, make->now), ahead = joint_coordinate(make->of, make->ahead);
    coordinate c = {
        .at = held_equation(make, &now, &ahead), .ahead = ahead.value, .angular = measure_is_angle(measure)};
    c.speed = speed_of(make, &c.at);
    if (measure == TWIST || measure == TURN) {
        c.at.value = angle_near(c.at.value, make->of->expected);
        c.ahead = angle_near(c.ahead, c.at.value + make->step * c.speed);
    }
    c.bend = curvature(make, c.at.value, c.ahead, c.speed);
    c.mobile = mobility(make, &c.at);
    return c;
}

static double motor_target(const joint *of, double time)
{
    const scree_motor_def *motor = &of->def.motor;
    double angle = 2 * PI * motor->frequency * (time - of->motor_start);
    return motor->target + motor->amplitude * (sine_of(angle + motor->phase) - sine_of(motor->phase));
}

// How fast the motor can slow the joint down when it moves in a direction, +1 or -1, if a third of what its force has
// left beside the load is used. The inertia is at least that of the two bodies alone, since what is tied to them never
// makes them lighter.
//
// A third: the load may grow on the way. Along v^2 = 2 r a e with a = a(e) the joint slows down by r (a + a' e), which
// is within a while a' e <= (1/r - 1) a. An arm that sinks to its level position under gravity has a ~ f - cos e, f >
// 1, and e sin e <= 2 (1 - cos e) for all e.
static double braking(const row_maker *make, const coordinate *c, double direction)
{
    const double part = 1.0 / 3;
    const motor_sense *sense = &make->of->sense;
    double inertia = sense->answers > 0 ? fmax(sense->pushes / sense->answers, 1 / c->mobile) : 1 / c->mobile;
    double load = inertia * sense->gained - sense->former;
    return part * fmax(make->of->def.motor.max_force - direction * load, 0) / inertia;
}

// The speed at which a position motor with a force limit, or a response time T of its own, makes up for an error e:
//
//     v^2 / (2 a) + v T = e,     a: what it can brake with
//
// so that it comes in with the time constant T, and from afar no faster than it can stop. It stays where it could not,
// and where it came to its limit without knowing the inertia, which the change of force then shows. The error at the
// end of the step counts, which adds h to T.
static double approach_speed(const row_maker *make, const coordinate *c, double error)
{
    const double default_steps = 10;
    double response = make->of->def.motor.response;
    double lag = make->step + (response > 0 ? response : default_steps * make->step);
    const motor_sense *sense = &make->of->sense;
    bool blind = !(sense->answers > 0) && fabs(sense->force) > 0.99 * make->of->def.motor.max_force;
    double brake = braking(make, c, error > 0 ? -1 : 1);
    return brake > 0 && !blind ? 2 * error / (lag + sqrt(lag * lag + 2 * fabs(error) / brake)) : 0;
}

static void add_motor(row_maker *make, const coordinate *c)
{
    const scree_motor_def *motor = &make->of->def.motor;
    if (motor->type == SCREE_MOTOR_NONE)
        return;
    double time = make->problem->time, h = make->step;
    double now = motor_target(make->of, time), then = motor_target(make->of, time + h);
    joint_row *row = add_row(make, &c->at, ROW_MOTOR);
    if (motor->type == SCREE_MOTOR_SPEED)
        row->correction = c->bend / h;
    else if (isfinite(motor->max_force) || motor->response > 0)
        row->correction = c->bend / h + approach_speed(make, c, c->at.value - now);
    else
        row->correction = holding_bias(make, c->at.value - now, c->bend, c->angular);
    row->bias = row->correction - (motor->type == SCREE_MOTOR_SPEED ? then : (then - now) / h);
    row->low = -motor->max_force * make->kick;
    row->high = motor->max_force * make->kick;
    if (!isfinite(motor->max_force)) // it may also come free or be given another target
        look_for_tear(make, c->speed, row->bias - c->bend / h, c->angular, 0.1);
}

// The limit nearer to where the coordinate is going. A limit that was left must not push: its impulse is forgotten.
static void add_limit(row_maker *make, const coordinate *c)
{
    const scree_joint_def *def = &make->of->def;
    double low = def->low, high = def->high;
    if (!isfinite(low) && !isfinite(high))
        return;
    bool near_high = high - c->ahead < c->ahead - low;
    joint_row *row = add_row(make, &c->at, ROW_LIMIT);
    if (near_high != make->of->near_high)
        row->impulse = 0;
    double over = c->at.value - (near_high ? high : low); // beyond the upper limit, or still above the lower
    bool violated = near_high ? over > 0 : over < 0;
    row->bias = violated ? holding_bias(make, over, c->bend, c->angular) : (over + c->bend) / make->step;
    row->correction = row->bias;
    if (low == high)
        return;
    row->low = near_high ? -HUGE_VAL : 0;
    row->high = near_high ? 0 : HUGE_VAL;
}

static void add_friction_row(row_maker *make, const joint_equation *equation, int place)
{
    joint_row *row = add_row(make, equation, place);
    row->high = make->of->def.friction * make->kick;
    row->low = -row->high;
}

// About an axis in the world.
static joint_equation spin_about(vec3 axis)
{
    return (joint_equation){.angular = {vec3_negate(axis), axis}};
}

static void add_friction(row_maker *make, const coordinate *c)
{
    const joint *of = make->of;
    if (!(of->def.friction > 0))
        return;
    mat3 first = mat3_from_quat(quat_multiply(make->now[0].orientation, of->frame[0]));
    mat3 second = mat3_from_quat(quat_multiply(make->now[1].orientation, of->frame[1]));
    joint_equation spin;
    switch (of->def.type) {
    case SCREE_JOINT_SPHERICAL:
        for (int i = 0; i < 3; i++) {
            spin = spin_about(mat3_column(&first, i));
            add_friction_row(make, &spin, ROW_FRICTION + i);
        }
        break;
    case SCREE_JOINT_UNIVERSAL:
        spin = spin_about(mat3_column(&first, 2));
        add_friction_row(make, &spin, ROW_FRICTION);
        spin = spin_about(mat3_column(&second, 0));
        add_friction_row(make, &spin, ROW_FRICTION + 1);
        break;
    default:
        add_friction_row(make, &c->at, ROW_FRICTION);
    }
}

static bool is_steadied(const joint *of)
{
    return of->geometric_damping[0] > 0 || of->geometric_damping[1] > 0 || of->geometric_damping[2] > 0;
}

static void add_geometric_damping(row_maker *make)
{
    if (!is_steadied(make->of))
        return;
    joint_equation swings[3];
    int count = joint_swings(make->of, make->now, swings);
    for (int i = 0; i < count; i++)
        if (make->of->geometric_damping[i] > 0)
            add_row(make, &swings[i], swings[i].place)->compliance = 1 / make->of->geometric_damping[i];
}

static void add_coordinate_rows(row_maker *make)
{
    const scree_joint_def *def = &make->of->def;
    coordinate c = find_coordinate(make);
    if (def->type == SCREE_JOINT_SPRING || def->type == SCREE_JOINT_TORSION_SPRING) {
        double rest = def->type == SCREE_JOINT_SPRING ? def->length : def->angle;
        double force = def->preload + def->stiffness * (c.at.value - rest);
        spring_law(make, add_row(make, &c.at, ROW_LINEAR), &c.at, c.mobile, force, def->stiffness, def->damping,
                   c.bend);
    }
    if (distance_is_held(def)) {
        joint_equation held = c.at;
        held.value -= def->length;
        held.place = ROW_LINEAR;
        add_held(make, &held, curvature(make, held.value, c.ahead - def->length, c.speed), def->stiffness, def->damping,
                 false);
    }
    if (has_axis_spring(def))
        spring_law(make, add_row(make, &c.at, ROW_SPRING), &c.at, c.mobile,
                   def->axis_stiffness * (c.at.value - def->rest), def->axis_stiffness, def->axis_damping, c.bend);
    add_motor(make, &c);
    add_limit(make, &c);
    add_friction(make, &c);
}

// ------------------------------------------------------------------------------------------------------------ gears

static void add_to_body(joint_row *row, uint32_t slot, vec3 linear, vec3 angular)
{
    if (slot == NO_BODY)
        return;
    int i = 0;
    while (row->body[i] != slot && row->body[i] != NO_BODY)
        i++;
    row->body[i] = slot;
    row->linear[i] = vec3_add(row->linear[i], linear);
    row->angular[i] = vec3_add(row->angular[i], angular);
}

// Second position less ratio times the first stays what it was: one row through the bodies of both joints.
static void add_coupling(row_maker *make, size_t index)
{
    const joint *gear = &make->problem->joints[index];
    joint_row row = {.body = {NO_BODY, NO_BODY, NO_BODY}, .low = -HUGE_VAL, .high = HUGE_VAL};
    double error = -gear->offset, bend = 0, speed = 0;
    bool angular = false;
    for (int i = 0; i < 2; i++) {
        double factor = i == 1 ? 1 : -gear->def.ratio;
        start_rows(make, make->problem->joint_ends[index].joint[i]);
        coordinate c = find_coordinate(make);
        for (int k = 0; k < 2; k++)
            add_to_body(&row, make->side[k].slot, vec3_scale(c.at.linear[k], factor),
                        vec3_scale(c.at.angular[k], factor));
        error += factor * c.at.value;
        bend += factor * c.bend;
        speed += factor * c.speed;
        angular = c.angular;
    }
    row.bias = row.correction = holding_bias(make, error, bend, angular);
    if (make->kick < make->step)
        look_for_tear(make, speed, holding_bias(make, error, 0, angular), angular, 0.01);
    if (make->problem->solver.warm_start)
        row.impulse = gear->impulse[ROW_LINEAR];
    make->rows[0] = row;
    make->place[0] = ROW_LINEAR;
    make->count = 1;
}

// ------------------------------------------------------------------------------------------------------ all joints

static uint32_t row_count(const joint *of)
{
    const scree_joint_def *def = &of->def;
    const joint_kind *kind = joint_kind_of(def->type);
    static const uint32_t rotations[] = {[HOLD_ALIGNED] = 2, [HOLD_LOCKED] = 3, [HOLD_CROSSED] = 1};
    if (of->broken)
        return 0;
    if (kind->measure == OF_OTHERS)
        return 1;
    uint32_t count = rotations[kind->hold] + kind->linear[0] + kind->linear[1] + kind->linear[2];
    count += def->type == SCREE_JOINT_SPRING || def->type == SCREE_JOINT_TORSION_SPRING || distance_is_held(def);
    count += has_axis_spring(def);
    count += def->motor.type != SCREE_MOTOR_NONE;
    count += isfinite(def->low) || isfinite(def->high);
    if (def->friction > 0)
        count += def->type == SCREE_JOINT_SPHERICAL ? 3 : def->type == SCREE_JOINT_UNIVERSAL ? 2 : 1;
    for (int i = 0; i < 3; i++)
        count += of->geometric_damping[i] > 0;
    return count;
}

// The rows of one joint as they follow from the velocities v~; there is room for row_count of them. Afterwards `make`
// knows whether the joint is torn by them, and how fast it recovers.
static void make_joint_rows(row_maker *make, size_t index)
{
    if (joint_kind_of(make->problem->joints[index].def.type)->measure == OF_OTHERS) {
        make->straight = false;
        add_coupling(make, index);
        start_rows(make, index);
        return;
    }
    start_rows(make, index);
    add_equations(make);
    if (joint_kind_of(make->of->def.type)->measure != NO_MEASURE && uses_coordinate(&make->of->def))
        add_coordinate_rows(make);
    add_geometric_damping(make);
}

static scree_status reserve_rows(const step_problem *problem, arena *scratch, joint_rows *made, scree_error *error)
{
    size_t joints = problem->joint_count;
    made->first = arena_array(scratch, uint32_t, joints + 1);
    if (!made->first)
        return fail_no_memory(error);
    uint64_t count = 0;
    for (size_t i = 0; i < joints; i++) {
        made->first[i] = (uint32_t)count;
        count += row_count(&problem->joints[i]);
    }
    if (count >= UINT32_MAX)
        return fail(error, SCREE_ERROR_INVALID, "the joints have more than 2^32 rows");
    made->first[joints] = (uint32_t)count;
    made->count = count;
    made->joint_count = joints;
    made->rows = arena_array(scratch, joint_row, count);
    made->place = arena_array(scratch, uint8_t, count);
    made->uses_end_gradient = arena_array(scratch, uint8_t, joints);
    made->followed = arena_array(scratch, uint8_t, joints);
    made->torn = arena_array(scratch, uint8_t, joints);
    made->straight = arena_array(scratch, uint8_t, joints);
    if (!made->rows || !made->place || !made->uses_end_gradient || !made->followed || !made->torn || !made->straight)
        return fail_no_memory(error);
    memset(made->uses_end_gradient, 0, joints);
    memset(made->followed, 0, joints);
    memset(made->torn, 0, joints);
    return SCREE_OK;
}

typedef struct joint_task {
    const step_problem *problem;
    joint_rows *made;
} joint_task;

static void make_range(void *context, size_t first, size_t end)
{
    const joint_task *task = context;
    const step_problem *problem = task->problem;
    joint_rows *made = task->made;
    for (size_t i = first; i < end; i++) {
        row_maker make = {.problem = problem,
                          .velocity = problem->velocity,
                          .spin = problem->spin,
                          .step = problem->step,
                          .straight = moves_straight(problem, i, problem->velocity, problem->spin),
                          .rows = made->rows + made->first[i],
                          .place = made->place + made->first[i]};
        made->straight[i] = make.straight;
        if (made->first[i] < made->first[i + 1]) {
            make_joint_rows(&make, i);
            made->torn[i] = make.torn;
        }
    }
}

scree_status joints_make_rows(const step_problem *problem, arena *scratch, joint_rows *made, scree_error *error)
{
    scree_status status = reserve_rows(problem, scratch, made, error);
    if (status)
        return status;
    for_ranges(problem->threads, problem->joint_count, JOINT_BLOCK, make_range, &(joint_task){problem, made});
    return SCREE_OK;
}

// How far from where it is meant to be the joint's equations would be at the end of the step, in parts of a radius or
// in radians.
static double missed_by(const row_maker *at, size_t index)
{
    row_maker make = *at;
    const joint *of = &make.problem->joints[index];
    const scree_joint_def *def = &of->def;
    joint_equation now[7], ahead[7];
    start_rows(&make, index);
    int count = joint_equations(of, make.now, now);
    joint_equations(of, make.ahead, ahead);
    if (distance_is_held(def)) {
        now[count] = joint_coordinate(of, make.now);
        ahead[count] = joint_coordinate(of, make.ahead);
        now[count].value -= def->length;
        now[count].place = ROW_LINEAR;
        ahead[count++].value -= def->length;
    }
    double worst = 0, radius = make.recovery[0] / make.recovery[1];
    for (int i = 0; i < count; i++) {
        bool angular = now[i].place >= ROW_ANGULAR;
        if ((angular ? def->angular_stiffness + def->angular_damping : def->stiffness + def->damping) > 0)
            continue;
        double meant = now[i].value - make.step * holding_bias(&make, now[i].value, 0, angular);
        worst = fmax(worst, fabs(ahead[i].value - meant) / (angular ? 1 : radius));
    }
    return worst;
}

// The largest change of a joint's bias, in parts of what an error is corrected with at most.
static double follow_joint(row_maker *at, size_t index, joint_row *rows, uint32_t count)
{
    make_joint_rows(at, index);
    double largest = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool angular = at->place[i] >= ROW_ANGULAR && at->place[i] < ROW_MOTOR;
        largest = fmax(largest, fabs(at->rows[i].bias - rows[i].bias) / at->recovery[angular]);
        rows[i].bias = at->rows[i].bias;
        rows[i].correction = at->rows[i].correction;
        rows[i].compliance = at->rows[i].compliance;
        memcpy(rows[i].linear, at->rows[i].linear, sizeof rows[i].linear);
        memcpy(rows[i].angular, at->rows[i].angular, sizeof rows[i].angular);
    }
    return largest;
}

bool joint_use_end_gradient(const step_problem *problem, const joint_rows *made, size_t index, const vec3 *velocity,
                            const vec3 *spin)
{
    const row_maker make = {.problem = problem, .velocity = velocity, .spin = spin, .step = problem->step};
    joint_measure measure = joint_kind_of(problem->joints[index].def.type)->measure;
    bool missed = measure != OF_OTHERS && !(missed_by(&make, index) < missed_part);
    made->uses_end_gradient[index] |= missed;
    return missed;
}

double joint_relinearise(const step_problem *problem, joint_rows *made, size_t index, const vec3 *velocity,
                         const vec3 *spin)
{
    bool straight_on = moves_straight(problem, index, velocity, spin);
    if (straight_on && made->straight[index] && !made->followed[index]) // following it is of no use
        return 0;
    joint_row rows[JOINT_ROWS];
    uint8_t place[JOINT_ROWS];
    made->followed[index] = 1;
    uint32_t first = made->first[index], count = made->first[index + 1] - first;
    row_maker make = {.problem = problem,
                      .velocity = velocity,
                      .spin = spin,
                      .step = problem->step,
                      .uses_end_gradient = made->uses_end_gradient[index],
                      .straight = straight_on && !made->uses_end_gradient[index],
                      .rows = rows,
                      .place = place};
    return follow_joint(&make, index, made->rows + first, count);
}

// An end at the arm a moves by h w x a in the step, and the gradient at it by as much.
double joint_turn(const step_problem *problem, size_t index)
{
    double largest = 0;
    for (int i = 0; i < 2; i++) {
        uint32_t slot = problem->joint_ends[index].body[i];
        if (slot == NO_SLOT || problem->immovable[slot])
            continue;
        vec3 arm = quat_rotate(problem->orientation[slot], problem->joints[index].anchor[i]);
        vec3 moved = vec3_cross(problem->spin[slot], arm), inertia = vec3_from_f(problem->inertia[slot]);
        double gyration = fmin(fmin(inertia.x, inertia.y), inertia.z) / problem->mass[slot];
        largest = fmax(largest, vec3_dot(moved, moved) / (gyration + vec3_dot(arm, arm)));
    }
    return problem->step * sqrt(largest);
}
