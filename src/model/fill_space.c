#include "model/fill_space.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/vec.h"

static const uint32_t NONE = UINT32_MAX;

static scree_pose pose_of(const scree_body_def *body)
{
    return (scree_pose){body->position, body->orientation};
}

static space_item make_item(const scree_body_def *body, size_t shape)
{
    scree_shape_def centered = body->shapes[shape];
    vec3 arm = quat_rotate(quat_normalize(body->orientation), centered.position);
    centered.position = vec3_make(0, 0, 0);
    return (space_item){
        .center = vec3_add(body->position, arm),
        .radius = scree_shape_reach(&centered),
        .body = body,
        .shape = (uint32_t)shape,
    };
}

// The smallest with 2 radius <= 2^exponent.
static int item_exponent(const space_item *item)
{
    int exponent;
    double fraction = frexp(2 * item->radius, &exponent);
    return fraction == 0.5 ? exponent - 1 : exponent;
}

static int64_t cell_of(double coordinate, double cell)
{
    const double far = 0x1p53; // beyond that all share a cell, which is slow but right
    return (int64_t)floor(fmin(fmax(coordinate / cell, -far), far));
}

// Neighbours along x are neighbours in memory.
static size_t bucket_of(const fill_space *space, int exponent, int64_t x, int64_t y, int64_t z)
{
    uint64_t hash = hash_word(hash_word((uint64_t)exponent, (uint64_t)y), (uint64_t)z) + (uint64_t)x;
    return (size_t)hash & (space->buckets.count - 1);
}

// The bucket of the cell that holds a point.
static size_t bucket_at(const fill_space *space, int exponent, vec3 point)
{
    double cell = ldexp(1, exponent);
    return bucket_of(space, exponent, cell_of(point.x, cell), cell_of(point.y, cell), cell_of(point.z, cell));
}

static void link_item(fill_space *space, uint32_t index)
{
    space_item *item = &space->items.data[index];
    size_t bucket = bucket_at(space, item_exponent(item), item->center);
    item->next = space->buckets.data[bucket];
    space->buckets.data[bucket] = index;
}

// At least as many buckets as items can be held without moving.
static bool grow_buckets(fill_space *space)
{
    size_t count = 64;
    while (count < space->items.capacity)
        count *= 2;
    if (count == space->buckets.count)
        return true;
    if (!array_reserve_exact(&space->buckets, count))
        return false;
    space->buckets.count = count;
    for (size_t i = 0; i < count; i++)
        space->buckets.data[i] = NONE;
    for (size_t i = 0; i < space->items.count; i++)
        link_item(space, (uint32_t)i);
    return true;
}

static bool count_level(fill_space *space, int exponent)
{
    for (size_t i = 0; i < space->levels.count; i++)
        if (space->levels.data[i].exponent == exponent) {
            space->levels.data[i].count++;
            return true;
        }
    return array_push(&space->levels, ((space_level){exponent, 1}));
}

static bool add_item(fill_space *space, const space_item *item)
{
    if (isinf(item->radius))
        return array_push(&space->unbounded, *item);
    if (!array_reserve(&space->items, space->items.count + 1) || !grow_buckets(space) ||
        !count_level(space, item_exponent(item)))
        return false;
    space->items.data[space->items.count++] = *item;
    link_item(space, (uint32_t)(space->items.count - 1));
    return true;
}

scree_status space_add(fill_space *space, const scree_body_def *body, scree_error *error)
{
    for (size_t shape = 0; shape < body->shape_count; shape++) {
        space_item item = make_item(body, shape);
        if (space->items.count >= NONE)
            return fail(error, SCREE_ERROR_INVALID, "fill: more than %u shapes in and around the box", NONE);
        if (!add_item(space, &item))
            return fail_no_memory(error);
    }
    return SCREE_OK;
}

// ---------------------------------------------------------------------------------------------------------- asking

// One question to the space; it ends at the first overlap or error.
typedef struct space_query {
    const fill_space *space;
    space_item item;
    bool clear;
    scree_status status;
    scree_error *error;
} space_query;

static bool query_over(const space_query *query)
{
    return !query->clear || query->status != SCREE_OK;
}

static void test_item(space_query *query, const space_item *other)
{
    const space_item *item = &query->item;
    vec3 between = vec3_sub(other->center, item->center);
    double reach = item->radius + other->radius, gap;
    if (vec3_dot(between, between) > reach * reach)
        return;
    scree_pose pose = pose_of(item->body), other_pose = pose_of(other->body);
    query->status = scree_shape_gap(&item->body->shapes[item->shape], &pose, &other->body->shapes[other->shape],
                                    &other_pose, &gap, query->error);
    // A body on the floor touches it; what rounding makes of that is no overlap.
    query->clear = query->status == SCREE_OK && gap > -1e-9 * item->radius;
}

static void test_bucket(space_query *query, size_t bucket)
{
    const fill_space *space = query->space;
    for (uint32_t i = space->buckets.data[bucket]; i != NONE && !query_over(query); i = space->items.data[i].next)
        test_item(query, &space->items.data[i]);
}

// Everything of this level within reach: its centre is at most our radius and half a cell away.
static void test_level(space_query *query, const space_level *level)
{
    const fill_space *space = query->space;
    const space_item *item = &query->item;
    double cell = ldexp(1, level->exponent), reach = item->radius + 0.5 * cell;
    double edge = 2 * reach / cell + 1;
    if (edge * edge * edge > (double)space->items.count) { // a boulder in dust: looking at all is less than all cells
        for (size_t i = 0; i < space->items.count && !query_over(query); i++)
            if (item_exponent(&space->items.data[i]) == level->exponent)
                test_item(query, &space->items.data[i]);
        return;
    }
    test_bucket(query, bucket_at(space, level->exponent, item->center)); // where an overlap is most likely
    int64_t x_low = cell_of(item->center.x - reach, cell), x_high = cell_of(item->center.x + reach, cell);
    int64_t y_low = cell_of(item->center.y - reach, cell), y_high = cell_of(item->center.y + reach, cell);
    int64_t z_low = cell_of(item->center.z - reach, cell), z_high = cell_of(item->center.z + reach, cell);
    for (int64_t z = z_low; z <= z_high; z++)
        for (int64_t y = y_low; y <= y_high; y++)
            for (int64_t x = x_low; x <= x_high && !query_over(query); x++)
                test_bucket(query, bucket_of(space, level->exponent, x, y, z));
}

scree_status space_is_clear(const fill_space *space, const scree_body_def *body, bool *clear, scree_error *error)
{
    space_query query = {.space = space, .clear = true, .status = SCREE_OK, .error = error};
    for (size_t shape = 0; shape < body->shape_count && !query_over(&query); shape++) {
        query.item = make_item(body, shape);
        for (size_t i = 0; i < space->unbounded.count && !query_over(&query); i++)
            test_item(&query, &space->unbounded.data[i]);
        for (size_t i = 0; i < space->levels.count && !query_over(&query); i++)
            test_level(&query, &space->levels.data[i]);
    }
    *clear = query.clear;
    return query.status;
}

void space_free(fill_space *space)
{
    array_free(&space->items);
    array_free(&space->unbounded);
    array_free(&space->buckets);
    array_free(&space->levels);
}
