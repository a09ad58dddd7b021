// Particles: the spheres that are in any pair or near a wall, the blocks in which threads take their pairs, and their
// places at the poses where forces act.
#include "base/threads.h"
#include "penalty/penalty.h"

// The kernel reads vectors and quaternions as rows of numbers.
_Static_assert(sizeof(vec3) == 3 * sizeof(double) && sizeof(quat) == 4 * sizeof(double), "no gaps");

// Blocks end where a group ends, since the pairs of two groups stand together.
static bool set_block_ends(penalty *of)
{
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
    penalty *of = penalty_of(world);
    size_t blocks = of->block_end.count, pair = 0, wall = 0;
    if (!array_resize(&of->block_first, blocks + 1) || !array_resize(&of->wall_first, blocks + 1))
        return false;
    for (size_t b = 0; b < blocks; b++) {
        uint32_t end = of->block_end.data[b];
        of->block_first.data[b] = pair;
        of->wall_first.data[b] = wall;
        while (pair < of->pairs.a.count && of->pairs.a.data[pair] < end)
            pair++;
        while (wall < of->walls.a.count && of->walls.a.data[wall] < end)
            wall++;
    }
    of->block_first.data[blocks] = pair;
    of->wall_first.data[blocks] = wall;
    return array_resize(&of->wall_force, of->walls.a.count);
}

// By group, one more: where the pairs begin whose first sphere is in it.
static uint32_t *find_runs(const penalty *of, arena *scratch)
{
    const group_pair_array *pairs = &of->group_pairs[SPHERES];
    const near_state *states = of->groups.single_proxies ? NULL : of->states[SPHERES].data;
    size_t groups = of->groups.groups.count, next = 0;
    uint32_t *first = arena_array(scratch, uint32_t, groups + 1);
    if (!first)
        return NULL;
    for (size_t i = 0; i < pairs->count; i++)
        if (!states || states[i].count > 0)
            for (; next <= pairs->data[i].a; next++)
                first[next] = (uint32_t)(states ? states[i].first : i);
    for (; next <= groups; next++)
        first[next] = (uint32_t)of->pairs.a.count;
    return first;
}

// The rows of a particle stand side by side, in the order of the ids of those that push it.
static bool set_rows(scree_world *world)
{
    penalty *of = penalty_of(world);
    size_t pairs = of->pairs.a.count;
    const uint32_t *b = of->pairs.b.data, *first = find_runs(of, &world->scratch);
    if (!first || !array_resize(&of->row_of, pairs) || !array_resize(&of->rows, pairs) ||
        !array_resize(&of->row_end, world->bodies.proxies.count))
        return false;
    uint32_t *next = of->row_end.data, sum = 0;
    for (size_t i = 0; i < of->active.count; i++)
        next[of->active.data[i]] = 0;
    for (size_t i = 0; i < pairs; i++)
        next[b[i]]++;
    for (size_t i = 0; i < of->active.count; i++) {
        uint32_t *here = &next[of->active.data[i]], count = *here;
        *here = sum;
        sum += count;
    }
    for (size_t k = 0; k < of->groups.by_id.count; k++) {
        uint32_t group = of->groups.by_id.data[k];
        for (uint32_t i = first[group]; i < first[group + 1]; i++) {
            uint32_t row = of->row_of.data[i] = next[b[i]]++;
            of->rows.data[row] = (contact_load){0};
        }
    }
    return true;
}

// A bit for each sphere of a group.
static void mark_groups(const penalty *of, pair_kind kind, const near_list *list, uint32_t *active)
{
    const sphere_group *groups = of->groups.groups.data;
    for (size_t i = 0; i < of->states[kind].count; i++) {
        const near_state *state = &of->states[kind].data[i];
        if (state->count == 0)
            continue;
        proxy_pair pair = of->group_pairs[kind].data[i];
        uint32_t first_a = groups[pair.a].first, first_b = groups[pair.b].first, bits_a = 0, bits_b = 0;
        for (size_t k = state->first; k < state->first + state->count; k++) {
            bits_a |= UINT32_C(1) << (list->a.data[k] - first_a);
            bits_b |= UINT32_C(1) << (list->b.data[k] - first_b);
        }
        active[pair.a] |= bits_a;
        if (kind == SPHERES)
            active[pair.b] |= bits_b;
    }
}

static void mark_active(const penalty *of, uint32_t *active)
{
    memset(active, 0, of->groups.groups.count * sizeof *active);
    for (size_t i = 0; of->groups.single_proxies && i < of->pairs.a.count; i++)
        active[of->pairs.a.data[i]] = active[of->pairs.b.data[i]] = 1;
    if (!of->groups.single_proxies)
        mark_groups(of, SPHERES, &of->pairs, active);
    mark_groups(of, WALLS, &of->walls, active);
}

_Static_assert(GROUP_MOST <= 32, "bits of a group");

static bool all_centered_spheres(const penalty *of)
{
    for (size_t i = 0; i < of->centered_sphere.count; i++)
        if (!of->centered_sphere.data[i])
            return false;
    return true;
}

bool make_particles(scree_world *world)
{
    const body_store *store = &world->bodies;
    penalty *of = penalty_of(world);
    size_t count = store->proxies.count, placed = all_centered_spheres(of) ? 0 : count;
    if (!array_resize(&of->particles, count) || !array_resize(&of->loads, count) || !array_resize(&of->local, placed) ||
        !array_resize(&of->arms, placed))
        return false;
    for (size_t i = 0; i < count; i++) {
        const proxy *p = &store->proxies.data[i];
        float inverse_mass = store->immovable.data[p->body] ? 0 : (float)(1 / store->mass.data[p->body]);
        of->particles.data[i] =
            (particle){.radius = (double)p->size[0], .inverse_mass = inverse_mass, .material = p->material};
    }
    for (size_t i = 0; i < placed; i++) {
        vec3 at = store->locals.data[store->proxies.data[i].local].position;
        memcpy(of->local.data[i], (double[4]){at.x, at.y, at.z, 0}, sizeof(double_quad));
    }
    return set_block_ends(of);
}

static bool set_active(scree_world *world)
{
    penalty *of = penalty_of(world);
    const sphere_group *groups = of->groups.groups.data;
    size_t proxies = world->bodies.proxies.count, bodies = world->bodies.count, count = 0, slot = 0;
    uint32_t *active = arena_array(&world->scratch, uint32_t, of->groups.groups.count);
    if (!active || !array_reserve(&of->active, proxies) || !array_reserve(&of->active_body, proxies) ||
        !array_resize(&of->first_active, bodies + 1))
        return false;
    mark_active(of, active);
    for (size_t g = 0; g < of->groups.groups.count; g++) {
        for (; slot <= groups[g].body; slot++)
            of->first_active.data[slot] = (uint32_t)count;
        for (uint32_t bits = active[g]; bits; bits &= bits - 1) {
            of->active_body.data[count] = groups[g].body;
            of->active.data[count++] = groups[g].first + (uint32_t)__builtin_ctz(bits);
        }
    }
    for (; slot <= bodies; slot++)
        of->first_active.data[slot] = (uint32_t)count;
    of->active.count = of->active_body.count = count;
    return true;
}

bool list_particles(scree_world *world)
{
    return set_blocks(world) && set_active(world) && set_rows(world);
}

typedef struct place_task {
    place_job job;
    size_t count;
} place_task;

static void place_block(void *context, size_t block)
{
    const place_task *task = context;
    penalty_kernels_here()->place(&task->job, block * ACTIVE_BLOCK, block_end(block, ACTIVE_BLOCK, task->count));
}

void place_particles(scree_world *world)
{
    penalty *of = penalty_of(world);
    const body_store *store = &world->bodies;
    place_job job = {.active = of->active.data,
                     .body = of->active_body.data,
                     .centered_sphere = of->centered_sphere.data,
                     .position = (const double(*)[3])of->position.data,
                     .velocity = (const double(*)[3])store->velocity.data,
                     .spin = (const double(*)[3])of->spin.data,
                     .orientation = (const double(*)[4])of->orientation.data,
                     .local = (const double(*)[4])of->local.data,
                     .particles = of->particles.data,
                     .arms = of->arms.data,
                     .loads = of->loads.data};
    place_task task = {job, of->active.count};
    for_blocks(world->threads, block_count(task.count, ACTIVE_BLOCK), place_block, &task);
}
