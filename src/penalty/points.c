// Forces at the contact points of shapes that are not both particles: walls, boxes, meshes and all others.
//
// The narrow phase looks at the listed pairs in every step. A point finds what it remembers by the ids of its bodies
// and its feature.
#include "base/elementary.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/threads.h"
#include "collide/narrow/narrow.h"
#include "penalty/penalty.h"

enum { PAIR_BLOCK = 128, POINT_BLOCK = 256 };

double proxy_roundness(const proxy *p)
{
    double x = (double)p->size[0], y = (double)p->size[1], z = (double)p->size[2];
    switch ((scree_shape_type)p->type) {
    case SCREE_SHAPE_PLANE:
    case SCREE_SHAPE_MESH:
    case SCREE_SHAPE_HEIGHTFIELD:
    case SCREE_SHAPE_HULL:
        return HUGE_VAL;
    case SCREE_SHAPE_BOX:
    case SCREE_SHAPE_ELLIPSOID:
        return cube_root(x * y * z);
    default:
        return x;
    }
}

double point_radius(const scree_world *world, size_t index)
{
    const penalty *of = penalty_of(world);
    const proxy *proxies = world->bodies.proxies.data;
    const contact *c = &of->points.data[index];
    uint32_t pair = of->pair_of_point.data[index];
    double curvature = 1 / proxy_roundness(&proxies[of->others.a.data[pair]]);
    curvature += 1 / proxy_roundness(&proxies[of->others.b.data[pair]]);
    return curvature > 0 ? 1 / curvature
                         : (double)fminf(world->bodies.radius.data[c->a], world->bodies.radius.data[c->b]);
}

// ------------------------------------------------------------------------------------------------- finding the points

static size_t find_in_block(scree_world *world, const proxy_view *view, size_t first, size_t end, size_t room,
                            size_t capacity)
{
    penalty *of = penalty_of(world);
    contact_array out = {of->points.data + room, 0, capacity};
    for (size_t i = first; i < end; i++) {
        size_t before = out.count;
        narrow_phase(view, &(proxy_pair){of->others.a.data[i], of->others.b.data[i]}, 1, &out); // has room for all
        for (; before < out.count; before++)
            of->pair_of_point.data[room + before] = (uint32_t)i;
    }
    return out.count;
}

static bool find_points(scree_world *world, const proxy_view *view)
{
    penalty *of = penalty_of(world);
    const proxy *proxies = world->bodies.proxies.data;
    size_t count = of->others.a.count, blocks = block_count(count, PAIR_BLOCK), total = 0;
    size_t *room = arena_array(&world->scratch, size_t, blocks + 1);
    size_t *found = arena_array(&world->scratch, size_t, blocks + 1);
    if (!room || !found)
        return false;
    room[0] = 0;
    for (size_t b = 0; b < blocks; b++) {
        room[b + 1] = room[b] + NARROW_SLACK;
        for (size_t i = b * PAIR_BLOCK; i < block_end(b, PAIR_BLOCK, count); i++)
            room[b + 1] += narrow_most_points(proxies[of->others.a.data[i]].type, proxies[of->others.b.data[i]].type);
    }
    if (!array_reserve(&of->points, room[blocks]) || !array_reserve(&of->pair_of_point, room[blocks]))
        return false;
#pragma omp parallel for num_threads(world->threads) schedule(dynamic)
    for (size_t b = 0; b < blocks; b++)
        found[b] =
            find_in_block(world, view, b * PAIR_BLOCK, block_end(b, PAIR_BLOCK, count), room[b], room[b + 1] - room[b]);
    for (size_t b = 0; b < blocks; b++) {
        memmove(of->points.data + total, of->points.data + room[b], found[b] * sizeof *of->points.data);
        memmove(of->pair_of_point.data + total, of->pair_of_point.data + room[b], found[b] * sizeof(uint32_t));
        total += found[b];
    }
    of->points.count = of->pair_of_point.count = total;
    return true;
}

// ------------------------------------------------------------------------------------------------------------ memory

typedef struct point_table { // open addressing; entries are one more than places in `records`
    uint32_t *entries;
    size_t mask;
    const touch_record *records;
} point_table;

static uint64_t hash_of(scree_id a, scree_id b, uint64_t name)
{
    return hash_word(hash_word(hash_word(0, a), b), name);
}

static bool make_table(const penalty *of, point_table *table, arena *scratch)
{
    size_t size = 16;
    while (size < 2 * of->point_memory.count)
        size *= 2;
    *table = (point_table){arena_array(scratch, uint32_t, size), size - 1, of->point_memory.data};
    if (!table->entries)
        return false;
    memset(table->entries, 0, size * sizeof *table->entries);
    for (size_t i = 0; i < of->point_memory.count; i++) {
        const touch_record *record = &of->point_memory.data[i];
        size_t at = hash_of(record->a, record->b, record->name) & table->mask;
        while (table->entries[at])
            at = (at + 1) & table->mask;
        table->entries[at] = (uint32_t)i + 1;
    }
    return true;
}

static contact_history recall_point(const point_table *table, scree_id a, scree_id b, uint64_t name)
{
    for (size_t at = hash_of(a, b, name) & table->mask; table->entries[at]; at = (at + 1) & table->mask) {
        const touch_record *record = &table->records[table->entries[at] - 1];
        if (record->a == a && record->b == b && record->name == name)
            return record->history;
    }
    return (contact_history){0};
}

// ------------------------------------------------------------------------------------------------------------- forces

typedef struct point_job {
    scree_world *world;
    law_table laws;
    point_table table;
    touch_record *memory;  // by point, new
    contact_load (*on)[2]; // by point: on a, on b
} point_job;

static vec3 arm_to(const penalty *of, const contact *c, uint32_t slot)
{
    vec3 arm = vec3_from_f(c->arm);
    return slot == c->a ? arm : vec3_add(arm, vec3_sub(of->position.data[c->a], of->position.data[c->b]));
}

static vec3 velocity_at(const scree_world *world, uint32_t slot, vec3 arm)
{
    return vec3_add(world->bodies.velocity.data[slot], vec3_cross(penalty_of(world)->spin.data[slot], arm));
}

static double inverse_mass(const body_store *store, uint32_t slot)
{
    return store->immovable.data[slot] ? 0 : 1 / store->mass.data[slot];
}

static void put(float to[3][POINT_LANES], int lane, vec3 v)
{
    to[0][lane] = (float)v.x;
    to[1][lane] = (float)v.y;
    to[2][lane] = (float)v.z;
}

static vec3 take(const float from[3][POINT_LANES], int lane)
{
    return vec3_make((double)from[0][lane], (double)from[1][lane], (double)from[2][lane]);
}

static void fill_lane(const point_job *job, size_t index, point_lanes *lanes, int lane)
{
    const scree_world *world = job->world;
    const penalty *of = penalty_of(world);
    const contact *c = &of->points.data[index];
    vec3 at_a = velocity_at(world, c->a, arm_to(of, c, c->a)), at_b = velocity_at(world, c->b, arm_to(of, c, c->b));
    put(lanes->normal, lane, vec3_from_f(c->normal));
    put(lanes->velocity, lane, vec3_sub(at_b, at_a));
    put(lanes->spin, lane, vec3_sub(of->spin.data[c->b], of->spin.data[c->a]));
    lanes->depth[lane] = fmaxf(-c->gap, 0);
    lanes->inverse_mass[lane] = (float)(inverse_mass(&world->bodies, c->a) + inverse_mass(&world->bodies, c->b));
    lanes->radius[lane] = (float)point_radius(world, index);
    lanes->law[lane] = (uint32_t)pair_index(world, c->material_a, c->material_b);
    const scree_id *id = world->bodies.id.data;
    contact_history known = recall_point(&job->table, id[c->a], id[c->b], POINT_NAME | c->feature);
    for (int i = 0; i < 3; i++) {
        lanes->spring[i][lane] = known.spring[i];
        lanes->rolled[i][lane] = known.rolled[i];
    }
    lanes->history_stiffness[lane] = known.stiffness;
    lanes->spun[lane] = known.spun;
}

static contact_load load_of(vec3 force, vec3 torque, float stiffness, float damping)
{
    return (contact_load){{(float)force.x, (float)force.y, (float)force.z},
                          stiffness,
                          {(float)torque.x, (float)torque.y, (float)torque.z},
                          damping};
}

static void take_lane(const point_job *job, size_t index, const point_lanes *lanes, int lane)
{
    penalty *of = penalty_of(job->world);
    contact *c = &of->points.data[index];
    vec3 force = take(lanes->force, lane), rolling = {0, 0, 0};
    if (job->laws.resists_rolling)
        rolling = take(lanes->torque, lane);
    c->impulse = vec3f_from(force);
    vec3 on_a = vec3_negate(vec3_add(vec3_cross(arm_to(of, c, c->a), force), rolling));
    vec3 on_b = vec3_add(vec3_cross(arm_to(of, c, c->b), force), rolling);
    job->on[index][0] = load_of(vec3_negate(force), on_a, lanes->stiffness[lane], lanes->damping[lane]);
    job->on[index][1] = load_of(force, on_b, lanes->stiffness[lane], lanes->damping[lane]);
    const scree_id *id = job->world->bodies.id.data;
    touch_record *memory = &job->memory[index];
    *memory = (touch_record){.a = id[c->a], .b = id[c->b], .name = POINT_NAME | c->feature};
    for (int i = 0; i < 3; i++) {
        memory->history.spring[i] = lanes->spring[i][lane];
        memory->history.rolled[i] = job->laws.resists_rolling ? lanes->rolled[i][lane] : 0;
    }
    memory->history.stiffness = lanes->history_stiffness[lane];
    memory->history.spun = job->laws.resists_rolling ? lanes->spun[lane] : 0;
}

static void push_some(const point_job *job, size_t first, size_t count)
{
    point_lanes lanes;
    for (int i = 0; i < POINT_LANES; i++)
        fill_lane(job, first + ((size_t)i < count ? (size_t)i : 0), &lanes, i);
    penalty_kernels_here()->points(&job->laws, &lanes);
    for (int i = 0; (size_t)i < count; i++)
        take_lane(job, first + (size_t)i, &lanes, i);
}

static void push_all(const point_job *job)
{
    size_t count = penalty_of(job->world)->points.count, blocks = block_count(count, POINT_BLOCK);
#pragma omp parallel for num_threads(job->world->threads) schedule(static)
    for (size_t b = 0; b < blocks; b++) {
        size_t end = block_end(b, POINT_BLOCK, count);
        for (size_t i = b * POINT_BLOCK; i < end; i += POINT_LANES)
            push_some(job, i, end - i < POINT_LANES ? end - i : POINT_LANES);
    }
}

static void add_to(contact_load *sum, const contact_load *load)
{
    for (int i = 0; i < 3; i++) {
        sum->force[i] += load->force[i];
        sum->torque[i] += load->torque[i];
    }
    sum->stiffness += load->stiffness;
    sum->damping += load->damping;
}

static contact_load *sum_loads(const point_job *job)
{
    scree_world *world = job->world;
    const penalty *of = penalty_of(world);
    contact_load *sums = arena_array(&world->scratch, contact_load, world->bodies.count);
    if (!sums)
        return NULL;
    memset(sums, 0, world->bodies.count * sizeof *sums);
    for (size_t i = 0; i < of->points.count; i++) {
        add_to(&sums[of->points.data[i].a], &job->on[i][0]);
        add_to(&sums[of->points.data[i].b], &job->on[i][1]);
    }
    return sums;
}

scree_status push_points(scree_world *world, const contact_load **loads, scree_error *error)
{
    penalty *of = penalty_of(world);
    arena *scratch = &world->scratch;
    *loads = NULL;
    if (of->others.a.count == 0) {
        of->points.count = of->point_memory.count = 0;
        return SCREE_OK;
    }
    float *margins = arena_array(scratch, float, world->bodies.count);
    if (!margins)
        return fail_no_memory(error);
    memset(margins, 0, world->bodies.count * sizeof *margins);
    proxy_view view = penalty_view(world, margins, NULL);
    point_job job = {.world = world, .laws = penalty_laws(world)};
    if (!find_points(world, &view))
        return fail_no_memory(error);
    size_t count = of->points.count;
    job.memory = arena_array(scratch, touch_record, count);
    job.on = arena_take_array(scratch, count, sizeof *job.on);
    if (!job.memory || !job.on || !array_reserve(&of->point_memory, count) || !make_table(of, &job.table, scratch))
        return fail_no_memory(error);
    push_all(&job);
    if (count)
        memcpy(of->point_memory.data, job.memory, count * sizeof *job.memory);
    of->point_memory.count = count;
    *loads = sum_loads(&job);
    return *loads ? SCREE_OK : fail_no_memory(error);
}
