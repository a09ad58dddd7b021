// Detection goes through the whole world for the sake of what may be one body. What it can find is seen at less cost
// from spheres around the fast exits, each in the cell of its centre; a body looks into the cells that it comes near.
//
//     +-----------+-----------+
//     |   exit    |           |     cells are wide against exits and bodies, so that most bodies look into one or two,
//     |    o    body          |     and most of those are empty
//     |         [-+-]         |
//     +-----------+-----------+
#include "rigid/exits/exit_look.h"

#include <stdatomic.h>
#include <string.h>

#include "base/threads.h"
#include "geometry/shape.h"

enum {
    BODY_BLOCK = 512,
    CELL_WIDTHS = 2,   // of the widest sphere
    MOST_IN_CELL = 64, // more of them are an explosion, or of unlike sizes, for which detection is the better way
    MOST_CELLS = 64,   // that a body looks into; a larger one looks at all spheres
};

typedef struct exit_sphere {
    vec3 center;
    double radius;
    uint32_t slot;
    uint32_t next; // of the same bucket; NO_SPHERE: it is the last
} exit_sphere;

static const uint32_t NO_SPHERE = UINT32_MAX;

typedef struct exit_spheres {
    const step_problem *problem;
    const proxy_view *view;
    const fast_exits *exits;
    exit_sphere *all;
    size_t count;
    double widest;         // radius
    double edge;           // of a cell
    uint32_t *first;       // by bucket of cells
    uint32_t mask;         // buckets less one, which are a power of two
    _Atomic uint8_t *hits; // by sphere: it may run into something
} exit_spheres;

// ---------------------------------------------------------------------------------------------------------------- grid

// How far a body's points may be from its centre within the step.
static double radius_of(const exit_spheres *spheres, size_t slot)
{
    return (double)spheres->problem->radius[slot] +
           spheres->problem->step * vec3_length(spheres->exits->reached[slot].velocity);
}

// Cells of one bucket may be far from each other: spheres are compared by their places.
static uint32_t bucket_of(const exit_spheres *spheres, int64_t x, int64_t y, int64_t z)
{
    uint64_t hash =
        (uint64_t)x * 0x9e3779b97f4a7c15u ^ (uint64_t)y * 0xc2b2ae3d27d4eb4fu ^ (uint64_t)z * 0x165667b19e3779f9u;
    return (uint32_t)(hash >> 32) & spheres->mask;
}

static int64_t cell_at(const exit_spheres *spheres, double along)
{
    return (int64_t)floor(along / spheres->edge);
}

static exit_sphere sphere_of(const exit_spheres *spheres, size_t slot)
{
    return (exit_sphere){spheres->problem->position[slot], radius_of(spheres, slot), (uint32_t)slot, NO_SPHERE};
}

static bool list_spheres(exit_spheres *spheres, arena *scratch)
{
    const fast_exits *exits = spheres->exits;
    spheres->all = arena_array(scratch, exit_sphere, exits->count);
    spheres->hits = arena_array(scratch, _Atomic uint8_t, exits->count);
    if (!spheres->all || !spheres->hits)
        return false;
    for (size_t i = 0; i < spheres->problem->body_count; i++) {
        if (!exits->is_fast_exit[i])
            continue;
        exit_sphere sphere = sphere_of(spheres, i);
        spheres->widest = fmax(spheres->widest, sphere.radius);
        atomic_init(&spheres->hits[spheres->count], 0);
        spheres->all[spheres->count++] = sphere;
    }
    spheres->edge = 2 * CELL_WIDTHS * spheres->widest;
    return true;
}

// Puts the spheres into their cells. *crowded: one holds too many.
static bool fill_cells(exit_spheres *spheres, arena *scratch, bool *crowded)
{
    size_t buckets = 64;
    while (buckets < 2 * spheres->count)
        buckets *= 2;
    spheres->mask = (uint32_t)(buckets - 1);
    spheres->first = arena_array(scratch, uint32_t, buckets);
    uint8_t *held = arena_array(scratch, uint8_t, buckets);
    if (!spheres->first || !held)
        return false;
    memset(spheres->first, 0xff, buckets * sizeof *spheres->first);
    memset(held, 0, buckets);
    *crowded = !isfinite(spheres->edge) || spheres->edge == 0;
    for (size_t i = 0; !*crowded && i < spheres->count; i++) {
        vec3 at = spheres->all[i].center;
        uint32_t bucket = bucket_of(spheres, cell_at(spheres, at.x), cell_at(spheres, at.y), cell_at(spheres, at.z));
        spheres->all[i].next = spheres->first[bucket];
        spheres->first[bucket] = (uint32_t)i;
        *crowded = ++held[bucket] > MOST_IN_CELL;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------------------ meetings

// How far contacts, which are in single precision, may be off at the end of the step.
static double rounding(const exit_spheres *spheres, size_t a, size_t b, double size, vec3 relative)
{
    const float *radius = spheres->problem->radius;
    double turning = 0;
    for (int i = 0; i < 2; i++) {
        size_t slot = i == 0 ? a : b;
        double spin = vec3_length(spheres->exits->reached[slot].spin);
        turning += spin > 0 ? spin * (double)radius[slot] : 0; // bodies with planes are without end
    }
    return 1e-6 * (size + spheres->problem->step * (vec3_length(relative) + turning));
}

// Whether balls that are apart go past each other, or touch so late that they come no nearer than `least` beyond the
// plane of the touch (collide/impact.h).
static bool balls_pass(const exit_spheres *spheres, vec3 between, vec3 relative, double reach, double least)
{
    double square = vec3_dot(relative, relative), along = vec3_dot(between, relative);
    double outside = vec3_dot(between, between) - reach * reach, root = along * along - square * outside;
    if (outside <= least * reach) // touching balls have the plane of the beginning
        return false;
    if (!(root > 0))
        return true;
    double left = spheres->problem->step - outside / (sqrt(root) - along);
    return left * sqrt(root) / reach < least;
}

// Whatever `collides` finds, and next to nothing else.
static bool balls_collide(const exit_spheres *spheres, size_t a, size_t b)
{
    const step_problem *problem = spheres->problem;
    double radius_a = (double)problem->radius[a], radius_b = (double)problem->radius[b];
    vec3 between = vec3_sub(problem->position[b], problem->position[a]);
    vec3 relative = vec3_sub(spheres->exits->reached[b].velocity, spheres->exits->reached[a].velocity);
    double distance = vec3_length(between), gap = distance - radius_a - radius_b;
    double end = gap + spheres->problem->step * vec3_dot(between, relative) / distance;
    double least = UNEXPECTED_OVERLAP * fmin(radius_a, radius_b) - rounding(spheres, a, b, distance, relative);
    return !(end >= fmin(0, gap) - least) && !balls_pass(spheres, between, relative, radius_a + radius_b, least);
}

static bool meets_plane(const exit_spheres *spheres, size_t slot, const proxy *p)
{
    const step_problem *problem = spheres->problem;
    const plane_geometry *plane = &spheres->view->planes[p->geometry];
    const body_velocity *moving = &spheres->exits->reached[p->body];
    if (vec3_dot(moving->spin, moving->spin) > 0)
        return true;
    vec3 normal = quat_rotate(proxy_orientation(spheres->view, p), plane->normal);
    vec3 on = vec3_add_scaled(proxy_center(spheres->view, p), normal, plane->offset);
    vec3 relative = vec3_sub(spheres->exits->reached[slot].velocity, moving->velocity);
    double radius = (double)problem->radius[slot];
    double gap = vec3_dot(normal, vec3_sub(problem->position[slot], on)) - radius;
    double end = gap + spheres->problem->step * vec3_dot(normal, relative);
    double least = UNEXPECTED_OVERLAP * radius - rounding(spheres, slot, p->body, fabs(gap) + radius, relative);
    return !(end >= (body_is_sphere(spheres->view, slot) ? fmin(0, gap) - least : 0));
}

// Whether the sphere around a fast exit comes near the box around a shape.
static bool meets_shape(const exit_spheres *spheres, size_t slot, const proxy *p)
{
    const body_velocity *moving = &spheres->exits->reached[p->body];
    vec3 half = proxy_half_extents(spheres->view, p);
    vec3 away = vec3_sub(spheres->problem->position[slot], proxy_center(spheres->view, p));
    vec3 outside = {fmax(0, fabs(away.x) - half.x), fmax(0, fabs(away.y) - half.y), fmax(0, fabs(away.z) - half.z)};
    double turning = vec3_length(moving->spin) * (double)spheres->problem->radius[p->body];
    double moved = spheres->problem->step * (vec3_length(moving->velocity) + (turning > 0 ? turning : 0));
    return !(vec3_length(outside) > radius_of(spheres, slot) + moved);
}

static bool may_meet(const exit_spheres *spheres, size_t slot, size_t other)
{
    const proxy_view *view = spheres->view;
    if (slot == other)
        return false;
    if (body_is_sphere(view, slot) && body_is_sphere(view, other))
        return balls_collide(spheres, slot, other);
    for (uint32_t k = view->first_proxy[other]; k < view->first_proxy[other + 1]; k++) {
        const proxy *p = &view->proxies[k];
        if (shape_is_unbounded((scree_shape_type)p->type) ? meets_plane(spheres, slot, p)
                                                          : meets_shape(spheres, slot, p))
            return true;
    }
    return false;
}

// ------------------------------------------------------------------------------------------------------------ the look

static bool is_near(const exit_sphere *of, vec3 center, double radius)
{
    double most = of->radius + radius;
    return !(fabs(center.x - of->center.x) > most || fabs(center.y - of->center.y) > most ||
             fabs(center.z - of->center.z) > most);
}

// May the body in the midst of the sphere run into another?
static bool comes_near(const exit_spheres *spheres, const exit_sphere *of, size_t slot, double radius)
{
    return is_near(of, spheres->problem->position[slot], radius) && may_meet(spheres, of->slot, slot);
}

static bool look_at_sphere(const exit_spheres *spheres, size_t index, size_t slot, double radius)
{
    if (!comes_near(spheres, &spheres->all[index], slot, radius))
        return false;
    atomic_store_explicit(&spheres->hits[index], 1, memory_order_relaxed);
    return true;
}

static bool look_at_all(const exit_spheres *spheres, size_t slot, double radius)
{
    bool any = false;
    for (size_t i = 0; i < spheres->count; i++)
        any |= look_at_sphere(spheres, i, slot, radius);
    return any;
}

static bool look_into_bucket(const exit_spheres *spheres, uint32_t bucket, size_t slot, double radius)
{
    bool any = false;
    for (uint32_t i = spheres->first[bucket]; i != NO_SPHERE; i = spheres->all[i].next)
        any |= look_at_sphere(spheres, i, slot, radius);
    return any;
}

// May any fast exit run into the body? All that may are noted.
static bool look_around(const exit_spheres *spheres, size_t slot)
{
    vec3 center = spheres->problem->position[slot];
    double radius = radius_of(spheres, slot), far = radius + spheres->widest;
    double side = 2 * far / spheres->edge + 2;
    if (!(side * side * side <= MOST_CELLS)) // planes are without end
        return look_at_all(spheres, slot, radius);
    int64_t low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = cell_at(spheres, vec3_get(center, k) - far);
        high[k] = cell_at(spheres, vec3_get(center, k) + far);
    }
    bool any = false;
    for (int64_t z = low[2]; z <= high[2]; z++)
        for (int64_t y = low[1]; y <= high[1]; y++)
            for (int64_t x = low[0]; x <= high[0]; x++)
                any |= look_into_bucket(spheres, bucket_of(spheres, x, y, z), slot, radius);
    return any;
}

typedef struct near_search {
    const exit_spheres *spheres;
    bool crowded;
    uint8_t *near;
} near_search;

static void mark_range(void *context, size_t first, size_t end)
{
    const near_search *search = context;
    for (size_t i = first; i < end; i++)
        search->near[i] = search->crowded || look_around(search->spheres, i);
}

static size_t mark_near(const exit_spheres *spheres, bool crowded, uint8_t *near)
{
    const step_problem *problem = spheres->problem;
    size_t count = 0;
    near_search search = {spheres, crowded, near};
    for_ranges(problem->threads, problem->body_count, BODY_BLOCK, mark_range, &search);
    for (size_t i = 0; i < spheres->count; i++)
        near[spheres->all[i].slot] |= atomic_load_explicit(&spheres->hits[i], memory_order_relaxed);
    for (size_t i = 0; i < problem->body_count; i++)
        count += near[i];
    return count;
}

bool exits_look(const step_problem *problem, const proxy_view *view, const fast_exits *exits, arena *scratch,
                exit_look *look)
{
    *look = (exit_look){0};
    if (exits->count == 0)
        return true;
    exit_spheres spheres = {.problem = problem, .view = view, .exits = exits};
    uint8_t *near = arena_array(scratch, uint8_t, problem->body_count);
    bool crowded;
    if (!near || !list_spheres(&spheres, scratch) || !fill_cells(&spheres, scratch, &crowded))
        return false;
    look->count = mark_near(&spheres, crowded, near);
    look->near = look->count > 0 ? near : NULL;
    return true;
}

bool exits_pair_is_near(const step_problem *problem, const proxy_view *view, const fast_exits *exits, size_t a,
                        size_t b)
{
    const exit_spheres spheres = {.problem = problem, .view = view, .exits = exits};
    const size_t slots[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        const exit_sphere of = sphere_of(&spheres, slots[i]);
        if (exits->is_fast_exit[slots[i]] && comes_near(&spheres, &of, slots[1 - i], radius_of(&spheres, slots[1 - i])))
            return true;
    }
    return false;
}
