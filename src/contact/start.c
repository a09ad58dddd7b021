#include "contact/start.h"

#include <math.h>

#include "base/error.h"
#include "collide/broad/broad.h"
#include "contact/detect.h"
#include "world/motion.h"
#include "world/view.h"

// Radii that a body would move in a step, by cause.
typedef struct first_path {
    vec3 velocity, spin;
    double by_speed, by_spin, by_gravity;
} first_path;

static first_path path_by(const scree_world *world, size_t slot, vec3 velocity, vec3 spin)
{
    const body_store *store = &world->bodies;
    double step = world->def.step, radius = (double)store->radius.data[slot];
    double turning = vec3_length(spin) > 0 ? vec3_length(spin) * radius : 0;
    first_path path = {.velocity = velocity,
                       .spin = spin,
                       .by_speed = step * vec3_length(velocity) / radius,
                       .by_spin = isinf(radius) ? 0 : step * turning / radius};
    if (!store->immovable.data[slot])
        path.by_gravity = step * step * vec3_length(world->def.gravity) / radius;
    return path;
}

static first_path path_of(const scree_world *world, size_t slot)
{
    return path_by(world, slot, world->bodies.velocity.data[slot], world->bodies.spin.data[slot]);
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
    double amount = most == path->by_speed  ? vec3_length(path->velocity)
                    : most == path->by_spin ? vec3_length(path->spin)
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

// Moments that were given are checked when they are. Of those that follow from shapes, products enter the turning of a
// body in single precision, unless they are all equal.
static bool has_moments(const body_store *store, size_t slot)
{
    vec3f moments = store->inertia.data[slot];
    bool equal = moments.x == moments.y && moments.y == moments.z;
    return equal || fmaxf(moments.x, fmaxf(moments.y, moments.z)) <= 1e25f;
}

static scree_status refuse_moments(const body_store *store, size_t slot, scree_error *error)
{
    vec3f moments = store->inertia.data[slot];
    return fail(error, SCREE_ERROR_INVALID,
                "the moments of inertia of body %llu are (%g, %g, %g) by its shapes; up to 1e25 are accepted",
                (unsigned long long)store->id.data[slot], (double)moments.x, (double)moments.y, (double)moments.z);
}

static scree_status check_body(const world_start *start, size_t slot, scree_error *error)
{
    const body_store *store = &start->world->bodies;
    if (!has_moments(store, slot))
        return refuse_moments(store, slot, error);
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

// A motion gives its body a speed in the first step alone.
static scree_status check_motion(const scree_world *world, const body_motion *motion, scree_error *error)
{
    vec3 velocity, spin;
    motion_velocities(world, motion, &velocity, &spin);
    uint32_t slot = body_slot(&world->bodies, motion->id);
    first_path path = path_by(world, slot, velocity, spin);
    return is_bearable(&path) ? SCREE_OK : refuse_path(world, slot, &path, error);
}

scree_status start_next(world_start *start, scree_id *lost, scree_error *error)
{
    const body_store *store = &start->world->bodies;
    while (start->next_motion < start->world->motions.count) {
        const body_motion *motion = &start->world->motions.data[start->next_motion++];
        *lost = motion->id;
        if (check_motion(start->world, motion, error) != SCREE_OK) {
            start->searched = true;
            return SCREE_ERROR_INVALID;
        }
    }
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
