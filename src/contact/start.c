#include "contact/start.h"

#include <math.h>

#include "base/error.h"
#include "collide/broad/broad.h"
#include "contact/detect.h"
#include "world/view.h"

// Radii that a body would move in a step, by cause.
typedef struct first_path {
    double by_speed, by_spin, by_gravity;
} first_path;

static first_path path_of(const scree_world *world, size_t slot)
{
    const body_store *store = &world->bodies;
    double step = world->def.step, radius = (double)store->radius.data[slot];
    double turning = vec3_length(store->spin.data[slot]) > 0 ? vec3_length(store->spin.data[slot]) * radius : 0;
    first_path path = {.by_speed = step * vec3_length(store->velocity.data[slot]) / radius,
                       .by_spin = isinf(radius) ? 0 : step * turning / radius};
    if (!store->immovable.data[slot])
        path.by_gravity = step * step * vec3_length(world->def.gravity) / radius;
    return path;
}

static bool is_bearable(const first_path *path)
{
    return path->by_speed + path->by_spin + path->by_gravity <= MOST_RADII_PER_STEP;
}

static scree_status refuse_path(const scree_world *world, size_t slot, const first_path *path, scree_error *error)
{
    const body_store *store = &world->bodies;
    double most = fmax(path->by_speed, fmax(path->by_spin, path->by_gravity));
    const char *cause = most == path->by_speed ? "speed" : most == path->by_spin ? "spin" : "gravity";
    double amount = most == path->by_speed  ? vec3_length(store->velocity.data[slot])
                    : most == path->by_spin ? vec3_length(store->spin.data[slot])
                                            : vec3_length(world->def.gravity);
    return fail(error, SCREE_ERROR_INVALID,
                "%s of %g moves body %llu, of radius %g, by %.3g of its radii in a step of %g; at most %g are accepted",
                cause, amount, (unsigned long long)store->id.data[slot], (double)store->radius.data[slot], most,
                world->def.step, MOST_RADII_PER_STEP);
}

static scree_status refuse_place(const world_start *start, size_t slot, vec3 center, scree_error *error)
{
    double most = GRID_WORLD_LIMIT / start->grid.per_unit;
    double distance = fmax(fabs(center.x), fmax(fabs(center.y), fabs(center.z)));
    unsigned long long id = (unsigned long long)start->world->bodies.id.data[slot];
    if (distance < most)
        return fail(error, SCREE_ERROR_INVALID, "a shape of body %llu is too large beside the smallest in the world",
                    id);
    return fail(error, SCREE_ERROR_INVALID,
                "a shape of body %llu is at a distance of %g, where places of the smallest shapes cannot be told "
                "apart; up to %.3g is accepted",
                id, distance, most);
}

scree_status report_crowd(const scree_world *world, size_t slot, scree_error *error)
{
    return fail(
        error, SCREE_ERROR_INVALID,
        "body %llu meets more than %d bodies of its size, or the bounds of %d, in one place; bodies may not lie "
        "in one another by the hundred",
        (unsigned long long)world->bodies.id.data[slot], BROAD_MOST_INSIDE, BROAD_MOST_OTHERS);
}

// Pairs are looked for once, and forgotten.
static scree_status look_for_crowd(world_start *start, scree_id *lost, scree_error *error)
{
    const scree_world *world = start->world;
    proxy_pair *pairs;
    size_t count;
    scree_status status = broad_phase(&start->view, world->threads, &start->world->scratch, &pairs, &count, error);
    if (status == SCREE_ERROR_INVALID) {
        *lost = world->bodies.id.data[count];
        return report_crowd(world, count, error);
    }
    return status;
}

scree_status start_begin(world_start *start, scree_world *world, scree_error *error)
{
    *start = (world_start){.world = world};
    size_t count = world->bodies.count;
    arena_reset(&world->scratch);
    start->margins = arena_array(&world->scratch, float, count);
    if (!start->margins)
        return fail_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        first_path path = path_of(world, i);
        double radii = path.by_speed + path.by_spin + path.by_gravity, radius = (double)world->bodies.radius.data[i];
        start->margins[i] = is_bearable(&path) && isfinite(radius) ? (float)(radii * radius) : 0;
    }
    start->view = world_view(world, start->margins, NULL);
    return grid_plan(&start->grid, &start->view, world->threads, &world->scratch, error);
}

static scree_status check_body(const world_start *start, size_t slot, scree_error *error)
{
    const body_store *store = &start->world->bodies;
    first_path path = path_of(start->world, slot);
    if (!is_bearable(&path))
        return refuse_path(start->world, slot, &path, error);
    for (uint32_t i = store->first_proxy.data[slot]; i < store->first_proxy.data[slot + 1]; i++) {
        const proxy *p = &store->proxies.data[i];
        grid_box box;
        if (!shape_is_unbounded((scree_shape_type)p->type) && !grid_box_of(&start->grid, p, &box))
            return refuse_place(start, slot, proxy_center(&start->view, p), error);
    }
    return SCREE_OK;
}

scree_status start_next(world_start *start, scree_id *lost, scree_error *error)
{
    const body_store *store = &start->world->bodies;
    while (start->next < store->count) {
        size_t slot = start->next++;
        *lost = store->id.data[slot];
        if (check_body(start, slot, error) != SCREE_OK) {
            start->searched = true; // a crowd is looked for only where all have their place
            return SCREE_ERROR_INVALID;
        }
    }
    *lost = 0;
    if (start->searched)
        return SCREE_OK;
    start->searched = true;
    return look_for_crowd(start, lost, error);
}
