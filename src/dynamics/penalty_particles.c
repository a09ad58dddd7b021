// Particles: the spheres that are in any pair or near a wall, the blocks in which threads take their pairs, and their
// places at the poses where forces act.
#include "base/threads.h"
#include "dynamics/penalty.h"

enum { ACTIVE_BLOCK = 1024 };

// Blocks end where a group ends, since the pairs of two groups stand together.
static bool set_block_ends(scree_world *world)
{
    penalty *of = world->penalty;
    of->block_end.count = 0;
    uint32_t begin = 0;
    for (size_t g = 0; g < of->groups.groups.count; g++) {
        const sphere_group *group = &of->groups.groups.data[g];
        uint32_t end = group->first + group->count;
        if (end - begin < PARTICLE_BLOCK && g + 1 < of->groups.groups.count)
            continue;
        if (!array_push(&of->block_end, end))
            return false;
        begin = end;
    }
    return true;
}

static bool set_blocks(scree_world *world)
{
    penalty *of = world->penalty;
    if (!set_block_ends(world))
        return false;
    size_t blocks = of->block_end.count, pair = 0, wall = 0, out = 0;
    if (!array_resize(&of->block_first, blocks + 1) || !array_resize(&of->wall_first, blocks + 1) ||
        !array_resize(&of->outbox_first, blocks + 1) || !array_resize(&of->outbox_count, blocks + 1))
        return false;
    for (size_t b = 0; b < blocks; b++) {
        uint32_t end = of->block_end.data[b];
        of->block_first.data[b] = pair;
        of->wall_first.data[b] = wall;
        of->outbox_first.data[b] = out;
        for (; pair < of->pairs.a.count && of->pairs.a.data[pair] < end; pair++)
            out += of->pairs.b.data[pair] >= end;
        while (wall < of->walls.a.count && of->walls.a.data[wall] < end)
            wall++;
    }
    of->block_first.data[blocks] = pair;
    of->wall_first.data[blocks] = wall;
    of->outbox_first.data[blocks] = out;
    return array_resize(&of->outbox_particle, out) && array_resize(&of->outbox, out) &&
           array_resize(&of->force, of->pairs.a.count) && array_resize(&of->wall_force, of->walls.a.count);
}

static void mark_active(const scree_world *world, uint8_t *active, uint8_t *active_body)
{
    const penalty *of = world->penalty;
    const proxy *proxies = world->bodies.proxies.data;
    memset(active, 0, world->bodies.proxies.count);
    memset(active_body, 0, world->bodies.count);
    const near_list *lists[2] = {&of->pairs, &of->walls};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->a.count; i++) {
            uint32_t a = lists[k]->a.data[i], b = lists[k]->b.data[i];
            active[a] = active_body[proxies[a].body] = 1;
            if (k == 0)
                active[b] = active_body[proxies[b].body] = 1;
        }
}

static void add_particles(scree_world *world, uint32_t slot, const uint8_t *active)
{
    const body_store *store = &world->bodies;
    penalty *of = world->penalty;
    float inverse_mass = store->immovable.data[slot] ? 0 : (float)(1 / store->mass.data[slot]);
    for (uint32_t i = store->first_proxy.data[slot]; i < store->first_proxy.data[slot + 1]; i++) {
        if (!active[i])
            continue;
        const proxy *p = &store->proxies.data[i];
        of->particles.data[i] = (particle){.radius = p->size[0], .inverse_mass = inverse_mass, .material = p->material};
        of->active.data[of->active.count++] = i;
    }
}

static bool set_active(scree_world *world)
{
    penalty *of = world->penalty;
    size_t proxies = world->bodies.proxies.count, bodies = world->bodies.count;
    uint8_t *active = arena_array(&world->scratch, uint8_t, proxies);
    uint8_t *active_body = arena_array(&world->scratch, uint8_t, bodies);
    if (!active || !active_body || !array_resize(&of->particles, proxies) || !array_resize(&of->loads, proxies) ||
        !array_reserve(&of->active, proxies) || !array_resize(&of->first_active, bodies + 1))
        return false;
    mark_active(world, active, active_body);
    of->active.count = 0;
    for (uint32_t slot = 0; slot < bodies; slot++) {
        of->first_active.data[slot] = (uint32_t)of->active.count;
        if (active_body[slot])
            add_particles(world, slot, active);
    }
    of->first_active.data[bodies] = (uint32_t)of->active.count;
    return true;
}

bool list_particles(scree_world *world)
{
    double largest = world->penalty->groups.largest;
    // Differences of places of a listed pair stay below eight radii of the largest.
    world->penalty->unit = largest > 0 ? exp2(ceil(log2(16 * largest)) - 32) : 1;
    return set_blocks(world) && set_active(world);
}

// ------------------------------------------------------------------------------------------------------------- placing

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

void place_particles(scree_world *world)
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
