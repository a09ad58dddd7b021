#include "joint/joint.h"

static const joint_kind kinds[SCREE_JOINT_TYPES] = {
    [SCREE_JOINT_SPHERICAL] = {"spherical", {true, true, true}, HOLD_NOTHING, SWING, true},
    [SCREE_JOINT_REVOLUTE] = {"revolute", {true, true, true}, HOLD_ALIGNED, TWIST, true},
    [SCREE_JOINT_PRISMATIC] = {"prismatic", {true, true, false}, HOLD_LOCKED, TRAVEL, true},
    [SCREE_JOINT_CYLINDRICAL] = {"cylindrical", {true, true, false}, HOLD_ALIGNED, TRAVEL, true},
    [SCREE_JOINT_PLANAR] = {"planar", {false, false, true}, HOLD_ALIGNED, TWIST, true},
    [SCREE_JOINT_UNIVERSAL] = {"universal", {true, true, true}, HOLD_CROSSED, TURN, true},
    [SCREE_JOINT_FIXED] = {"fixed", {true, true, true}, HOLD_LOCKED, NO_MEASURE, false},
    [SCREE_JOINT_DISTANCE] = {"distance", {false, false, false}, HOLD_NOTHING, LENGTH, false},
    [SCREE_JOINT_POINT_ON_LINE] = {"point_on_line", {true, true, false}, HOLD_NOTHING, TRAVEL, true},
    [SCREE_JOINT_SPRING] = {"spring", {false, false, false}, HOLD_NOTHING, LENGTH, false},
    [SCREE_JOINT_TORSION_SPRING] = {"torsion_spring", {false, false, false}, HOLD_NOTHING, TWIST, true},
    [SCREE_JOINT_GEAR] = {"gear", {false, false, false}, HOLD_NOTHING, OF_OTHERS, false},
    [SCREE_JOINT_RACK] = {"rack", {false, false, false}, HOLD_NOTHING, OF_OTHERS, false},
};

const joint_kind *joint_kind_of(scree_joint_type type)
{
    return &kinds[type];
}

// What every equation is made of, in the world.
typedef struct joint_view {
    mat3 axes;       // columns: x, y, z of the frame on the first body
    quat relative;   // the second frame in the first
    vec3 arm[2];     // from each body's centre to its anchor
    vec3 separation; // d: from the first anchor to the second
} joint_view;

// All but the relative orientation, which joints that leave turning free do not look at.
static joint_view view_places(const joint *of, const scree_pose pose[2])
{
    joint_view view;
    for (int i = 0; i < 2; i++)
        view.arm[i] = quat_rotate(pose[i].orientation, of->anchor[i]);
    view.axes = mat3_from_quat(quat_multiply(pose[0].orientation, of->frame[0]));
    view.relative = quat_identity();
    view.separation = vec3_add(vec3_sub(pose[1].position, pose[0].position), vec3_sub(view.arm[1], view.arm[0]));
    return view;
}

static joint_view view_joint(const joint *of, const scree_pose pose[2])
{
    joint_view view = view_places(of, pose);
    quat frame[2];
    for (int i = 0; i < 2; i++)
        frame[i] = quat_multiply(pose[i].orientation, of->frame[i]);
    view.relative = quat_multiply(quat_conjugate(frame[0]), frame[1]);
    return view;
}

vec3 joint_end(const joint *of, int body, const scree_pose *pose)
{
    return vec3_add(pose->position, quat_rotate(pose->orientation, of->anchor[body]));
}

// The function direction . d, with the direction fixed in the first body: both bodies are pushed at the second anchor.
static joint_equation along(const joint_view *view, vec3 direction)
{
    vec3 arm_to_second = vec3_add(view->arm[0], view->separation);
    return (joint_equation){.value = vec3_dot(direction, view->separation),
                            .linear = {vec3_negate(direction), direction},
                            .angular = {vec3_cross(direction, arm_to_second), vec3_cross(view->arm[1], direction)}};
}

// A function of the relative rotation, which grows by `gradient` . (w_b - w_a); the gradient is in the first frame.
static joint_equation turning(const joint_view *view, double value, vec3 gradient)
{
    vec3 axis = mat3_apply(&view->axes, gradient);
    return (joint_equation){.value = value, .angular = {vec3_negate(axis), axis}};
}

static vec3 unit_axis(int axis)
{
    return vec3_make(axis == 0, axis == 1, axis == 2);
}

// An axis of the second frame in the first turns with W x b, so b_i grows with W . (b x e_i).
static joint_equation component(const joint_view *view, vec3 b, int axis)
{
    return turning(view, vec3_get(b, axis), vec3_cross(b, unit_axis(axis)));
}

// The vector part v of q grows by (q_w W + W x v) / 2. Of q and -q, which are the same rotation, the nearer to none.
static joint_equation locked(const joint_view *view, int axis)
{
    quat q = view->relative;
    double sign = q.w < 0 ? -1 : 1;
    vec3 v = vec3_scale(vec3_make(q.x, q.y, q.z), sign);
    vec3 e = unit_axis(axis);
    return turning(view, 2 * vec3_get(v, axis), vec3_add_scaled(vec3_cross(v, e), e, sign * q.w));
}

static int rotation_equations(joint_hold hold, const joint_view *view, joint_equation *equations)
{
    vec3 z = quat_rotate(view->relative, unit_axis(2)), x = quat_rotate(view->relative, unit_axis(0));
    switch (hold) {
    case HOLD_ALIGNED:
        equations[0] = component(view, z, 0);
        equations[1] = component(view, z, 1);
        return 2;
    case HOLD_LOCKED:
        for (int i = 0; i < 3; i++)
            equations[i] = locked(view, i);
        return 3;
    case HOLD_CROSSED:
        equations[0] = component(view, x, 2);
        return 1;
    default:
        return 0;
    }
}

int joint_equations(const joint *of, const scree_pose pose[2], joint_equation *equations)
{
    const joint_kind *kind = joint_kind_of(of->def.type);
    joint_view view = kind->hold == HOLD_NOTHING ? view_places(of, pose) : view_joint(of, pose);
    int count = 0;
    for (int i = 0; i < 3; i++)
        if (kind->linear[i]) {
            equations[count] = along(&view, mat3_column(&view.axes, i));
            equations[count++].place = ROW_LINEAR + i;
        }
    if (kind->hold == HOLD_NOTHING)
        return count;
    int rotations = rotation_equations(kind->hold, &view, equations + count);
    for (int i = 0; i < rotations; i++)
        equations[count + i].place = ROW_ANGULAR + i;
    return count + rotations;
}

void joint_values(const joint *of, const scree_pose pose[2], double values[6])
{
    const joint_kind *kind = joint_kind_of(of->def.type);
    joint_view view = kind->hold == HOLD_NOTHING ? view_places(of, pose) : view_joint(of, pose);
    for (int i = 0; i < 3; i++)
        if (kind->linear[i])
            *values++ = vec3_dot(mat3_column(&view.axes, i), view.separation);
    if (kind->hold == HOLD_NOTHING)
        return;
    joint_equation equations[3];
    int rotations = rotation_equations(kind->hold, &view, equations);
    for (int i = 0; i < rotations; i++)
        *values++ = equations[i].value;
}

// Each body is pushed at its own anchor. Such a pair of forces has a moment; the law of the lever would ask for a
// torque on a body, and bodies on lines may have no arms to bear it.
static joint_equation across(const joint_view *view, vec3 direction)
{
    return (joint_equation){.linear = {vec3_negate(direction), direction},
                            .angular = {vec3_cross(direction, view->arm[0]), vec3_cross(view->arm[1], direction)}};
}

int joint_swing_count(const joint *of)
{
    const joint_kind *kind = joint_kind_of(of->def.type);
    if (kind->measure == LENGTH || kind->hold == HOLD_CROSSED)
        return 2;
    if (kind->hold == HOLD_ALIGNED)
        return 1;
    return kind->hold == HOLD_NOTHING && kind->linear[0] ? 3 : 0;
}

int joint_swings(const joint *of, const scree_pose pose[2], joint_equation swings[3])
{
    const joint_kind *kind = joint_kind_of(of->def.type);
    joint_view view = kind->hold == HOLD_CROSSED ? view_joint(of, pose) : view_places(of, pose);
    int count = joint_swing_count(of);
    if (kind->measure == LENGTH) {
        vec3 along_it = vec3_normalize(view.separation);
        vec3 other = fabs(along_it.x) < 0.6 ? unit_axis(0) : unit_axis(1);
        vec3 first = vec3_normalize(vec3_cross(along_it, other));
        swings[0] = across(&view, first);
        swings[1] = across(&view, vec3_cross(along_it, first));
    } else if (kind->hold == HOLD_CROSSED) {
        swings[0] = turning(&view, 0, unit_axis(2));
        swings[1] = turning(&view, 0, quat_rotate(view.relative, unit_axis(0)));
    } else if (kind->hold == HOLD_ALIGNED) {
        swings[0] = turning(&view, 0, unit_axis(2));
    } else {
        for (int i = 0; i < count; i++)
            swings[i] = turning(&view, 0, unit_axis(i));
    }
    for (int i = 0; i < count; i++)
        swings[i].place = ROW_GEOMETRIC_DAMPING + i;
    return count;
}

// ------------------------------------------------------------------------------------------------------ coordinates

// Where the ends meet, the line between them has no direction; any will do, as none of its forces has a lever.
static joint_equation length_coordinate(const joint_view *view)
{
    double length = vec3_length(view->separation);
    vec3 direction = length > 0 ? vec3_scale(view->separation, 1 / length) : mat3_column(&view->axes, 2);
    joint_equation equation = along(view, direction);
    equation.value = length;
    return equation;
}

// From q' = W q / 2: the rate of 2 atan2(q_z, q_w). It has no direction where the frames are half a turn of swing
// apart.
static joint_equation twist_coordinate(const joint_view *view)
{
    quat q = view->relative;
    double square = q.w * q.w + q.z * q.z;
    double inverse = square > 1e-12 ? 1 / square : 0;
    double sign = q.w < 0 ? -1 : 1;
    vec3 gradient = {(q.w * q.y + q.x * q.z) * inverse, (q.y * q.z - q.w * q.x) * inverse, 1};
    return turning(view, 2 * arc_tangent(sign * q.z, sign * q.w), gradient);
}

static joint_equation turn_coordinate(const joint_view *view)
{
    vec3 b = quat_rotate(view->relative, unit_axis(0));
    double square = b.x * b.x + b.y * b.y;
    double tilt = square > 1e-12 ? -b.z / square : 0;
    return turning(view, arc_tangent(b.y, b.x), vec3_make(tilt * b.x, tilt * b.y, 1));
}

static joint_equation swing_coordinate(const joint_view *view)
{
    vec3 b = quat_rotate(view->relative, unit_axis(2));
    double across = sqrt(b.x * b.x + b.y * b.y);
    vec3 gradient = across > 1e-12 ? vec3_make(-b.y / across, b.x / across, 0) : vec3_make(1, 0, 0);
    return turning(view, arc_tangent(across, b.z), gradient);
}

joint_equation joint_coordinate(const joint *of, const scree_pose pose[2])
{
    joint_view view = view_joint(of, pose);
    switch (joint_kind_of(of->def.type)->measure) {
    case TRAVEL:
        return along(&view, mat3_column(&view.axes, 2));
    case LENGTH:
        return length_coordinate(&view);
    case TWIST:
        return twist_coordinate(&view);
    case TURN:
        return turn_coordinate(&view);
    case SWING:
        return swing_coordinate(&view);
    default:
        return (joint_equation){0};
    }
}
