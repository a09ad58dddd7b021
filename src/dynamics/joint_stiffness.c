// The geometric stiffness of joints: a body that hangs between two forces F at its joints swings across them like a
// string under tension, at the frequency sqrt(F s / I). Where a step does not resolve that, as with light links that
// carry a heavy end, rows that stay as they were at its start would feed the swing until it bursts the chain. Such
// bodies turn against a damper, just strong enough: Andrews, Teichmann and Kry 2017, "Geometric stiffness for real-time
// constrained multibody dynamics", in their diagonal form.
#include "dynamics/solution.h"

// Of h^2 k / I; the step is stable up to 4, less with several joints at work on each other.
static const double resolved = 1;

typedef struct hung_body {
    double stiffness; // sum of |force| |arm|
    double least_arm;
} hung_body;

static void add_joint(const scree_world *world, const joint *of, int side, hung_body *hung)
{
    uint32_t slot = body_slot(&world->bodies, of->def.bodies[side]);
    if (slot == NO_SLOT || world->bodies.immovable.data[slot])
        return;
    double arm = vec3_length(of->anchor[side]);
    hung[slot].stiffness += vec3_length(of->force) * arm;
    hung[slot].least_arm = fmin(hung[slot].least_arm, arm);
}

bool find_damping(scree_world *world, double **inertia)
{
    size_t bodies = world->bodies.count;
    *inertia = NULL;
    if (world->joints.list.count == 0)
        return true;
    hung_body *hung = arena_array(&world->scratch, hung_body, bodies);
    *inertia = arena_array(&world->scratch, double, bodies);
    if (!hung || !*inertia)
        return false;
    for (size_t i = 0; i < bodies; i++)
        hung[i] = (hung_body){0, HUGE_VAL};
    for (size_t i = 0; i < world->joints.list.count; i++)
        for (int side = 0; side < 2; side++)
            if (!world->joints.list.data[i].broken)
                add_joint(world, &world->joints.list.data[i], side, hung);
    double squared = world->def.step * world->def.step;
    for (size_t i = 0; i < bodies; i++) {
        (*inertia)[i] = 0;
        if (!(hung[i].stiffness > 0))
            continue;
        vec3f own = world->bodies.inertia.data[i];
        double least = (double)fminf(own.x, fminf(own.y, own.z));
        double about = least + world->bodies.mass.data[i] * hung[i].least_arm * hung[i].least_arm;
        (*inertia)[i] = fmax(0, squared * hung[i].stiffness - resolved * about);
    }
    return true;
}

void damp_body(const scree_world *world, size_t slot, double damping, problem_body *body)
{
    quat turn = world->bodies.orientation.data[slot];
    mat3 axes = mat3_from_quat(turn);
    vec3 own = vec3_from_f(world->bodies.inertia.data[slot]);
    vec3 inverse = vec3_make(1 / (own.x + damping), 1 / (own.y + damping), 1 / (own.z + damping));
    vec3 spin = quat_rotate_back(turn, body->spin);
    body->spin = quat_rotate(turn, vec3_multiply(spin, vec3_multiply(own, inverse)));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            body->inverse_inertia.m[i][j] = axes.m[i][0] * inverse.x * axes.m[j][0] +
                                            axes.m[i][1] * inverse.y * axes.m[j][1] +
                                            axes.m[i][2] * inverse.z * axes.m[j][2];
}
