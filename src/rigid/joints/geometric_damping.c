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

// The same limit of x^2, and g over h^2 k, for distances and springs. In a chain or net of bodies without arms on them
// every wave has stiffness and damping in the same proportion, and inertia m, so that g = h^2 k / 2 is enough for all;
// the fastest has (h omega)^2 = 2 x^2 in a chain, twice that in a net. These rows turn against the line's own turning,
// so that, while they are needed, angular momentum is not kept.
static const double line_resolved = 0.25, line_part = 0.5;

static bool is_line(const joint *of)
{
    return joint_kind_of(of->def.type)->measure == LENGTH;
}

static double damping_factor(const joint *of, double square)
{
    if (is_line(of))
        return fmax(0, 1 - line_resolved / square) * line_part;
    return fmax(0, 1 - resolved / square) * fmax(least, per_square * square);
}

// k: how much torque, or force, comes back per turning, or moving across, by the force F.
static double pull_stiffness(const joint *of, const scree_pose pose[2], const bool movable[2],
                             const joint_equation *swing)
{
    if (is_line(of)) { // a push does not stiffen
        vec3 between = vec3_sub(joint_end(of, 1, &pose[1]), joint_end(of, 0, &pose[0]));
        double square = vec3_dot(between, between);
        return square > 0 ? fmax(0, -vec3_dot(of->force, between) / square) : 0;
    }
    vec3 axis = swing->angular[1];
    double arms = 0;
    for (int i = 0; i < 2; i++) {
        vec3 arm = quat_rotate(pose[i].orientation, of->anchor[i]);
        if (movable[i])
            arms += vec3_length(vec3_cross(axis, arm));
    }
    return vec3_length(vec3_cross(axis, of->force)) * arms;
}

static double mobility(const step_problem *problem, const uint32_t slots[2], const bool movable[2],
                       const joint_equation *swing)
{
    double sum = 0;
    for (int i = 0; i < 2; i++) {
        if (!movable[i])
            continue;
        uint32_t slot = slots[i];
        mat3 inverse = inverse_inertia_at(problem->inertia[slot], &problem->orientation[slot]);
        sum += vec3_dot(swing->linear[i], swing->linear[i]) / problem->mass[slot] +
               vec3_dot(swing->angular[i], mat3_apply(&inverse, swing->angular[i]));
    }
    return sum;
}

void joint_find_geometric_damping(const step_problem *problem, size_t index)
{
    joint *of = &problem->joints[index];
    const uint32_t *slots = problem->joint_ends[index].body;
    if (joint_kind_of(of->def.type)->measure == OF_OTHERS)
        return;
    scree_pose pose[2];
    bool movable[2];
    for (int i = 0; i < 2; i++) {
        movable[i] = slots[i] != NO_SLOT && !problem->immovable[slots[i]];
        pose[i] = pose_of_slot(problem, slots[i]);
    }
    joint_equation swings[3];
    int count = joint_swings(of, pose, swings);
    double square_step = problem->step * problem->step;
    for (int i = 0; i < count; i++) {
        double stiffness = pull_stiffness(of, pose, movable, &swings[i]);
        double square = square_step * stiffness * mobility(problem, slots, movable, &swings[i]);
        if (square > 0)
            of->geometric_damping[i] = square_step * stiffness * damping_factor(of, square);
    }
}
