// Geometric damping of taut joints. A pull F through a joint stiffens the swinging of the bodies beside it: a body that
// is turned against the pull is turned back with F times its arm. Rows act along where the step begins, so this
// stiffness k is explicit, and with x = h sqrt(k / inertia) a light link on a heavily loaded chain would be flung about
// once x is above 2. What the step cannot resolve is damped: the joint gets rows on the relative motion, p = -g s,
// implicit, so that momentum and angular momentum stay and the motion of the whole is not touched.
//
// A taut chain of links of mass m and length L has, for the wave with neighbours turning against each other by
// 2 sin(q / 2), the inertia m L^2 / (4 sin^2(q / 2)), the stiffness F L and, with a damper c in each joint, the damping
// 4 c sin^2(q / 2). It is stable if  h c / inertia >= x^2 / 2 - 2  for all q, which needs  c = h F L X / 32  with
// X = h^2 F / (m L), and nothing below X = 1. Here x^2 = 24 X, from the inertia of a link about its centre.
// (The instability and other cures: Tournier, Nesme, Gilles & Faure 2015; Andrews, Teichmann & Kry 2017.)
#include "rigid/joints/joint_rows.h"

// Values of x^2 up to this are left alone. Well below the limit of stability lies a resonance: with h omega = sqrt(2) a
// wave takes four steps, the pull, which has its double frequency, two, and they feed each other.
static const double resolved = 3;

// g over h^2 k, at least and per x^2; well above what the chain needs, since a mechanism is not a chain.
static const double least = 0.25, per_square = 1.0 / 32;

// The sum of k_i w_i of turning while the joint holds the anchors together, times this, is x^2 if that is less than
// that of bodies alone: links of a chain and knots of a net still count as bodies alone, while a ball on an arm counts
// with the inertia of its swing. A string of balls, each on an arm L from the centre of the one above, has waves of up
// to 4 X, and the sum is 2 X, or X on a fixed pin. With this factor it is damped from 12 * 2 X = 3 on, X = 1/8, which
// is where a chain of links is, 24 X = 3: both at (h omega)^2 = 1/2 of their fastest wave.
static const double several_joints = 12;

// The same limit of x^2, and g over h^2 k, for distances and springs. In a chain or net of bodies without arms on them
// every wave has stiffness and damping in the same proportion, and inertia m, so that g = h^2 k / 2 is enough for all;
// the fastest has (h omega)^2 = 2 x^2 in a chain, twice that in a net. These rows turn against the line's own turning,
// so that, while they are needed, angular momentum is not kept.
static const double line_resolved = 0.25, line_part = 0.5;

// A body of the joint, and what the joint's force does to it. One that does not move has no mobility at all.
typedef struct pulled_body {
    bool movable;
    double inverse_mass;
    mat3 inverse_inertia;
    vec3 arm, pull; // from its centre to its anchor, and the force there
} pulled_body;

static pulled_body pulled_of(const step_problem *problem, const joint *of, int which, uint32_t slot,
                             const scree_pose *pose)
{
    pulled_body body = {.movable = slot != NO_SLOT && !problem->immovable[slot],
                        .arm = quat_rotate(pose->orientation, of->anchor[which]),
                        .pull = vec3_scale(of->force, which == 1 ? 1 : -1)};
    if (body.movable) {
        body.inverse_mass = 1 / problem->mass[slot];
        body.inverse_inertia = inverse_inertia_at(problem->inertia[slot], &problem->orientation[slot]);
    }
    return body;
}

// ---------------------------------------------------------------------------------------------------- turning bodies

// Adds to the columns of a matrix how an impulse on the anchor changes the anchor's velocity: 1/m + [a]^T I^-1 [a].
static void add_anchor_mobility(const pulled_body *body, vec3 sum[3])
{
    for (int i = 0; body->movable && i < 3; i++) {
        vec3 unit = vec3_make(i == 0, i == 1, i == 2);
        vec3 spin = mat3_apply(&body->inverse_inertia, vec3_cross(body->arm, unit));
        sum[i] = vec3_add(sum[i], vec3_add_scaled(vec3_cross(spin, body->arm), unit, body->inverse_mass));
    }
}

// A^-1 v, or nothing where there is none.
static vec3 solve_columns(const vec3 columns[3], vec3 v)
{
    vec3 across = vec3_cross(columns[1], columns[2]);
    double determinant = vec3_dot(columns[0], across);
    if (!(determinant > 0))
        return vec3_make(0, 0, 0);
    vec3 solution = {vec3_dot(v, across), vec3_dot(columns[0], vec3_cross(v, columns[2])),
                     vec3_dot(columns[0], vec3_cross(columns[1], v))};
    return vec3_scale(solution, 1 / determinant);
}

// How much a body turns across its arm when it is turned about the axis and its anchor is held, in parts of the part of
// the axis across the arm. Turning about the arm itself is free, and no pull stiffens it: counted with the rest, it
// would make a swing of any body that is small against its arm look fast.
static double held_mobility(const pulled_body *body, const vec3 columns[3], vec3 axis, vec3 spin)
{
    double square = vec3_dot(body->arm, body->arm);
    vec3 across = vec3_add_scaled(axis, body->arm, square > 0 ? -vec3_dot(axis, body->arm) / square : 0);
    double part = vec3_dot(across, across);
    vec3 hold = vec3_cross(body->arm, solve_columns(columns, vec3_cross(spin, body->arm)));
    vec3 turns = vec3_sub(spin, mat3_apply(&body->inverse_inertia, hold));
    return part > 0 ? fmax(0, vec3_dot(across, turns)) / part : 0;
}

static bool holds_anchors(const joint *of)
{
    const bool *linear = joint_kind_of(of->def.type)->linear;
    return linear[0] && linear[1] && linear[2] && !(of->def.stiffness > 0 || of->def.damping > 0);
}

static double turning_damping(const joint *of, const pulled_body body[2], vec3 axis, double square_step)
{
    double pull = square_step * vec3_length(vec3_cross(axis, of->force)), stiffness = 0, alone = 0, held = 0;
    vec3 columns[3] = {{0}};
    for (int i = 0; i < 2; i++)
        add_anchor_mobility(&body[i], columns);
    for (int i = 0; i < 2; i++) {
        if (!body[i].movable)
            continue;
        vec3 spin = mat3_apply(&body[i].inverse_inertia, axis);
        double own = pull * vec3_length(vec3_cross(axis, body[i].arm)), mobility = vec3_dot(axis, spin);
        stiffness += own;
        alone += mobility;
        held += own * held_mobility(&body[i], columns, axis, spin);
    }
    double square = holds_anchors(of) ? fmin(stiffness * alone, several_joints * held) : stiffness * alone;
    return square > resolved ? stiffness * (1 - resolved / square) * fmax(least, per_square * square) : 0;
}

// ------------------------------------------------------------------------------------------------------------- lines

// Twice the work that a turning costs against the pull, to second order; negative where the body is pulled through its
// centre, and thus turned on.
static double turning_work(const pulled_body *body, vec3 turning)
{
    return vec3_dot(vec3_cross(turning, body->pull), vec3_cross(turning, body->arm));
}

// The ends move across the line as a push across it would move them. Bodies with arms turn with that, and where the
// pull turns them on, less of the stiffness comes back: a spring that is anchored far behind its body stiffens no more
// than one that begins at the body.
static double line_damping(const pulled_body body[2], const joint_equation *across, double pull_by_length,
                           double square_step)
{
    vec3 spin[2];
    double mobility = 0, turned = 0;
    for (int i = 0; i < 2; i++) {
        spin[i] = mat3_apply(&body[i].inverse_inertia, across->angular[i]);
        mobility += vec3_dot(across->linear[i], across->linear[i]) * body[i].inverse_mass +
                    vec3_dot(across->angular[i], spin[i]);
    }
    for (int i = 0; i < 2; i++)
        turned += turning_work(&body[i], spin[i]);
    double stiffness = square_step * (pull_by_length + fmin(0, turned / (mobility * mobility)));
    double square = stiffness * mobility;
    return square > line_resolved ? stiffness * (1 - line_resolved / square) * line_part : 0;
}

// The pull over the length. That of a push is negative, and does not stiffen.
static double pull_by_length_of(const joint *of, const scree_pose pose[2])
{
    vec3 between = vec3_sub(joint_end(of, 1, &pose[1]), joint_end(of, 0, &pose[0]));
    double square = vec3_dot(between, between);
    return square > 0 ? -vec3_dot(of->force, between) / square : 0;
}

// An upper bound of x^2 of turning, for any axis and any pose: most joints carry too little to be looked at.
static double most_square(const step_problem *problem, const joint *of, const uint32_t slots[2])
{
    double arms = 0, mobility = 0;
    for (int i = 0; i < 2; i++) {
        if (slots[i] == NO_SLOT || problem->immovable[slots[i]])
            continue;
        vec3f inertia = problem->inertia[slots[i]];
        arms += vec3_length(of->anchor[i]);
        mobility += 1 / (double)fminf(fminf(inertia.x, inertia.y), inertia.z);
    }
    return problem->step * problem->step * vec3_length(of->force) * arms * mobility;
}

void joint_find_geometric_damping(const step_problem *problem, size_t index)
{
    joint *of = &problem->joints[index];
    const joint_kind *kind = joint_kind_of(of->def.type);
    const uint32_t *slots = problem->joint_ends[index].body;
    if (kind->measure == OF_OTHERS || (kind->measure != LENGTH && !(most_square(problem, of, slots) > resolved)))
        return;
    pulled_body body[2];
    scree_pose pose[2];
    for (int i = 0; i < 2; i++) {
        pose[i] = pose_of_slot(problem, slots[i]);
        body[i] = pulled_of(problem, of, i, slots[i], &pose[i]);
    }
    bool line = kind->measure == LENGTH;
    double square_step = problem->step * problem->step, pull = line ? pull_by_length_of(of, pose) : 0;
    joint_equation swings[3];
    int count = joint_swings(of, pose, swings);
    for (int i = 0; i < count; i++)
        if (!line)
            of->geometric_damping[i] = turning_damping(of, body, swings[i].angular[1], square_step);
        else if (pull > 0)
            of->geometric_damping[i] = line_damping(body, &swings[i], pull, square_step);
}
