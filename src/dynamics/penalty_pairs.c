// Forces between spheres: particles take their places, pairs push them, blocks hand over what goes to other blocks.
#include "base/isa.h"
#include "base/threads.h"
#include "dynamics/penalty.h"

enum { ACTIVE_BLOCK = 1024 };

const penalty_kernels *penalty_kernels_here(void)
{
#ifdef SCREE_HAVE_AVX2
    if (isa_has_avx2())
        return &penalty_kernels_f32_avx2;
#endif
    return &penalty_kernels_f32_baseline;
}

// Adding this number leaves the integer nearest to a double, modulo 2^32, in its lowest bits.
static const double to_integer = 6755399441055744.0; // 1.5 x 2^52

static uint32_t place_of(double x, double per_unit)
{
    double units = x * per_unit;
    if (fabs(units) > 1e15)
        units = fmod(units, 4294967296.0);
    double sum = units + to_integer;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return (uint32_t)bits;
}

typedef struct placing {
    const body_store *store;
    penalty *of;
    double per_unit;
    uint32_t slot; // of the body at hand
    mat3 axes;
} placing;

static void take_body(placing *now, uint32_t slot)
{
    now->slot = slot;
    if (!now->of->plain.data[slot])
        now->axes = mat3_from_quat(now->of->orientation.data[slot]);
}

static void place_particle(const placing *now, uint32_t index)
{
    const proxy *p = &now->store->proxies.data[index];
    uint32_t slot = now->slot;
    particle *to = &now->of->particles.data[index];
    vec3 at = now->of->position.data[slot], velocity = now->store->velocity.data[slot];
    vec3 spin = now->of->spin.data[slot];
    if (p->local != 0) {
        vec3 arm = mat3_apply(&now->axes, now->store->locals.data[p->local].position);
        at = vec3_add(at, arm);
        velocity = vec3_add(velocity, vec3_cross(spin, arm));
        to->arm[0] = (float)arm.x;
        to->arm[1] = (float)arm.y;
        to->arm[2] = (float)arm.z;
    }
    to->place[0] = place_of(at.x, now->per_unit);
    to->place[1] = place_of(at.y, now->per_unit);
    to->place[2] = place_of(at.z, now->per_unit);
    to->velocity[0] = (float)velocity.x;
    to->velocity[1] = (float)velocity.y;
    to->velocity[2] = (float)velocity.z;
    to->spin[0] = (float)spin.x;
    to->spin[1] = (float)spin.y;
    to->spin[2] = (float)spin.z;
    now->of->loads.data[index] = (contact_load){0};
}

static void place_particles(scree_world *world)
{
    penalty *of = world->penalty;
    size_t count = of->active.count, blocks = block_count(count, ACTIVE_BLOCK);
#pragma omp parallel for num_threads(world->threads) schedule(static)
    for (size_t b = 0; b < blocks; b++) {
        placing now = {.store = &world->bodies, .of = of, .per_unit = 1 / of->unit, .slot = NO_SLOT};
        for (size_t i = b * ACTIVE_BLOCK; i < block_end(b, ACTIVE_BLOCK, count); i++) {
            uint32_t index = of->active.data[i], slot = world->bodies.proxies.data[index].body;
            if (slot != now.slot)
                take_body(&now, slot);
            place_particle(&now, index);
        }
    }
}

static void empty_outboxes(penalty *of)
{
    for (size_t b = 0; b + 1 < of->block_first.count; b++)
        for (size_t i = of->outbox_first.data[b]; i < of->outbox_first.data[b] + of->outbox_count.data[b]; i++) {
            float *to = (float *)&of->loads.data[of->outbox_particle.data[i]];
            const float *from = (const float *)&of->outbox.data[i];
            for (int k = 0; k < 8; k++)
                to[k] += from[k];
        }
}

void push_pairs(scree_world *world)
{
    penalty *of = world->penalty;
    const penalty_kernels *kernels = penalty_kernels_here();
    place_particles(world);
    pair_job job = {.laws = penalty_laws(world),
                    .unit = (float)of->unit,
                    .particles = of->particles.data,
                    .loads = of->loads.data,
                    .a = of->pairs.a.data,
                    .b = of->pairs.b.data,
                    .touches = of->pairs.touches.data,
                    .spring = of->pairs.spring.data,
                    .rolled = of->rich ? of->pairs.rolled.data : NULL,
                    .force = of->force.data,
                    .block_first = of->block_first.data,
                    .outbox_first = of->outbox_first.data,
                    .outbox_count = of->outbox_count.data,
                    .outbox_particle = of->outbox_particle.data,
                    .outbox = of->outbox.data};
    size_t blocks = of->block_first.count - 1;
#pragma omp parallel for num_threads(world->threads) schedule(dynamic)
    for (size_t b = 0; b < blocks; b++)
        kernels->pairs(&job, b);
    empty_outboxes(of);
}
