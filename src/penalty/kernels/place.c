// Spheres follow their bodies, and bodies get what pushes their spheres.
#include "penalty/kernels/lanes.h"

typedef struct placed_body {
    four_doubles axes[3]; // columns
    four_doubles center, velocity, spin, spin_yzx, spin_zxy;
} placed_body;

// The fourth lane is idle.
static inline four_doubles three(double x, double y, double z)
{
    return (four_doubles){x, y, z, z};
}

static inline four_doubles load_three(const double from[3])
{
    return three(from[0], from[1], from[2]);
}

static inline four_doubles yzx(four_doubles v)
{
    return __builtin_shufflevector(v, v, 1, 2, 0, 3);
}

static inline four_doubles zxy(four_doubles v)
{
    return __builtin_shufflevector(v, v, 2, 0, 1, 3);
}

static inline placed_body take_centered_sphere(const place_job *job, uint32_t slot)
{
    return (placed_body){.center = load_three(job->position[slot]),
                         .velocity = load_three(job->velocity[slot]),
                         .spin = load_three(job->spin[slot])};
}

static inline placed_body take_body(const place_job *job, uint32_t slot)
{
    placed_body body = take_centered_sphere(job, slot);
    const double *q = job->orientation[slot];
    double w = q[0], x = q[1], y = q[2], z = q[3];
    body.axes[0] = three(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y));
    body.axes[1] = three(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x));
    body.axes[2] = three(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y));
    body.spin_yzx = yzx(body.spin);
    body.spin_zxy = zxy(body.spin);
    return body;
}

// Three numbers, and the fourth as it was.
static inline void store_three(void *to, four_floats three)
{
    four_floats row = __builtin_shufflevector(three, four_floats_load(to), 0, 1, 2, 7);
    memcpy(to, &row, sizeof row);
}

static inline void store_center(particle *to, four_doubles center)
{
    four_doubles old;
    memcpy(&old, to->center, sizeof old);
    four_doubles row = __builtin_shufflevector(center, old, 0, 1, 2, 7); // keeps the radius
    memcpy(to->center, &row, sizeof row);
}

static inline void place_centered_sphere(const place_job *job, uint32_t index, uint32_t slot)
{
    placed_body body = take_centered_sphere(job, slot);
    particle *to = &job->particles[index];
    store_center(to, body.center);
    store_three(to->velocity, floats_of_doubles(body.velocity));
    store_three(to->spin, floats_of_doubles(body.spin));
    job->loads[index] = (contact_load){0};
}

// Active particles from `first` on that belong to one body.
static void place_arms(const place_job *job, size_t first, size_t end, const placed_body *body)
{
    four_doubles axes[3] = {body->axes[0], body->axes[1], body->axes[2]};
    four_doubles spin_yzx = body->spin_yzx, spin_zxy = body->spin_zxy;
    four_floats spin = floats_of_doubles(body->spin);
    for (size_t i = first; i < end; i++) {
        uint32_t index = job->active[i];
        particle *to = &job->particles[index];
        const double *local = job->local[index];
        four_doubles arm = axes[0] * local[0] + axes[1] * local[1] + axes[2] * local[2];
        store_center(to, body->center + arm);
        store_three(to->velocity, floats_of_doubles(body->velocity + (spin_yzx * zxy(arm) - spin_zxy * yzx(arm))));
        store_three(to->spin, spin);
        four_floats rounded = floats_of_doubles(arm);
        memcpy(job->arms[index], &rounded, sizeof rounded);
        job->loads[index] = (contact_load){0};
    }
}

void PENALTY_KERNEL(place)(const place_job *job, size_t first, size_t end)
{
    for (size_t i = first, next; i < end; i = next) {
        uint32_t slot = job->body[i];
        next = i + 1;
        if (job->centered_sphere[slot]) {
            place_centered_sphere(job, job->active[i], slot);
            continue;
        }
        while (next < end && job->body[next] == slot)
            next++;
        placed_body body = take_body(job, slot);
        place_arms(job, i, next, &body);
    }
}

// Lanes are independent, so the sums are those of plain loops.
void PENALTY_KERNEL(sum)(const sum_job *job, size_t first, size_t end, particle_sum *sum)
{
    four_doubles force = {0}, torque = {0};
    for (size_t i = first; i < end; i++) {
        uint32_t index = job->active[i];
        const contact_load *load = &job->loads[index];
        four_doubles arm = doubles_of_floats(four_floats_load(job->arms[index]));
        four_doubles pushed = doubles_of_floats(four_floats_load(load->force));
        four_doubles turned = doubles_of_floats(four_floats_load(load->torque));
        force += pushed;
        torque = torque + turned + (yzx(arm) * zxy(pushed) - zxy(arm) * yzx(pushed));
    }
    memcpy(sum->force, &force, sizeof force);
    memcpy(sum->torque, &torque, sizeof torque);
}
