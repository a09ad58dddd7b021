#include "rigid/fast_exits.h"

#include <string.h>

#include "base/search.h"
#include "base/sort.h"
#include "contact/velocity.h"
#include "geometry/shape.h"

// Parts of a radius: path beyond what was expected that makes a fast exit, overlap that counts as a collision.
static const double unexpected_path = 0.02, unexpected_overlap = 0.025;

// Distance of a point from the way between the origin and another.
static double distance_from_way(vec3 point, vec3 end)
{
    double square = vec3_dot(end, end), along = square > 0 ? vec3_dot(point, end) / square : 0;
    return vec3_length(vec3_add_scaled(point, end, -fmin(fmax(along, 0), 1)));
}

// Detection looks at where bodies go on as they are, and where either is stopped.
static bool is_fast_exit(const step_problem *problem, size_t slot, vec3 reached)
{
    double h = problem->step, fall = h * problem->gravity_length;
    double unexpected = distance_from_way(reached, problem->velocity[slot]) - fall;
    return h * unexpected > unexpected_path * (double)problem->radius[slot];
}

bool fast_exits_find(const step_problem *problem, const step_solution *solution, arena *scratch, fast_exits *exits)
{
    *exits = (fast_exits){.is_fast_exit = arena_array(scratch, uint8_t, problem->body_count),
                          .reached = arena_array(scratch, body_velocity, problem->body_count)};
    if (!exits->is_fast_exit || !exits->reached)
        return false;
    size_t count = 0;
#pragma omp parallel for num_threads(problem->threads) schedule(static) reduction(+ : count)
    for (size_t i = 0; i < problem->body_count; i++) {
        bool moves = slot_moves(problem, i);
        exits->reached[i] = !moves               ? start_velocity(problem, i)
                            : solution->position ? solution->position[i]
                                                 : solution->end[i];
        exits->is_fast_exit[i] = moves && is_fast_exit(problem, i, exits->reached[i].velocity);
        count += exits->is_fast_exit[i];
    }
    exits->count = count;
    return true;
}

// The gap at the end of the step against the one at its beginning, where that was an overlap already.
static bool collides(const step_problem *problem, const fast_exits *exits, const contact *c)
{
    vec3 relative = relative_velocity(exits->reached[c->a], vec3_from_f(c->arm), exits->reached[c->b],
                                      arm_of_b(problem->position, c));
    double end = (double)c->gap + problem->step * vec3_dot(vec3_from_f(c->normal), relative);
    return end < fmin(0, (double)c->gap) - unexpected_overlap * smaller_radius(problem, c);
}

bool fast_exit_collides(const step_problem *problem, const fast_exits *exits, const contact *c)
{
    return (exits->is_fast_exit[c->a] || exits->is_fast_exit[c->b]) && collides(problem, exits, c);
}

body_velocity *fast_exits_search_velocities(const step_problem *problem, const fast_exits *exits, arena *scratch)
{
    body_velocity *velocities = arena_array(scratch, body_velocity, problem->body_count);
    for (size_t i = 0; velocities && i < problem->body_count; i++)
        velocities[i] = exits->is_fast_exit[i] ? exits->reached[i] : start_velocity(problem, i);
    return velocities;
}

// ---------------------------------------------------------------------------------------------------- two detections

bool contacts_keep(const contact *all, const vec3f *angular, size_t count, const uint8_t *marked, arena *scratch,
                   kept_contacts *kept)
{
    *kept = (kept_contacts){.contacts = arena_array(scratch, contact, count),
                            .angular = angular ? arena_array(scratch, vec3f, count) : NULL};
    if (!kept->contacts || (angular && !kept->angular))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (marked && !marked[all[i].a] && !marked[all[i].b])
            continue;
        if (angular)
            kept->angular[kept->count] = angular[i];
        kept->contacts[kept->count++] = all[i];
    }
    return true;
}

static void append_contact(const kept_contacts *from, size_t index, contact_array *contacts, vec3f_array *angular)
{
    if (from->angular)
        angular->data[contacts->count] = from->angular[index];
    contacts->data[contacts->count++] = from->contacts[index];
}

bool contacts_put_back(const kept_contacts *solved, const uint8_t *marked, arena *scratch, contact_array *contacts,
                       vec3f_array *angular)
{
    kept_contacts found;
    if (!contacts_keep(contacts->data, solved->angular ? angular->data : NULL, contacts->count, marked, scratch,
                       &found))
        return false;
    size_t count = found.count, next = 0;
    for (size_t i = 0; i < solved->count; i++)
        count += !marked[solved->contacts[i].a] && !marked[solved->contacts[i].b];
    if (!array_reserve_exact(contacts, count) || (solved->angular && !array_reserve_exact(angular, count)))
        return false;
    contacts->count = 0;
    for (size_t i = 0; i < solved->count; i++) {
        const contact *c = &solved->contacts[i];
        while (next < found.count && found.contacts[next].a < c->a)
            append_contact(&found, next++, contacts, angular);
        if (!marked[c->a] && !marked[c->b])
            append_contact(solved, i, contacts, angular);
    }
    while (next < found.count)
        append_contact(&found, next++, contacts, angular);
    if (solved->angular)
        angular->count = contacts->count;
    return true;
}

// ------------------------------------------------------------------------------------------------- a look beforehand

// Detection goes through the whole world for the sake of what may be one body. Whether it can find anything is seen at
// less cost from spheres around the fast exits, in the order of their place along x.
//
//     | low ---- exit ---- |
//            | low ---- exit ---- |            a body may meet those that begin before its end,
//                    | --- body --- |           and not more than the widest before its beginning

typedef struct exit_sphere {
    double low; // along x
    vec3 center;
    double radius;
    uint32_t slot;
} exit_sphere;

typedef struct exit_spheres {
    const step_problem *problem;
    const proxy_view *view;
    const fast_exits *exits;
    const exit_sphere *all;
    size_t count;
    double widest;
} exit_spheres;

// More of them are an explosion, for which detection is the better way.
enum { MOST_EXITS = 128 };

static int compare_exit_spheres(const void *a, const void *b)
{
    const exit_sphere *x = a, *y = b;
    return x->low != y->low ? (x->low > y->low) - (x->low < y->low) : (x->slot > y->slot) - (x->slot < y->slot);
}

// How far a body's points may be from its centre within the step.
static double radius_of(const exit_spheres *spheres, size_t slot)
{
    return (double)spheres->problem->radius[slot] +
           spheres->problem->step * vec3_length(spheres->exits->reached[slot].velocity);
}

// Fills in the spheres of a look whose arrays are given.
static bool list_exit_spheres(exit_spheres *spheres, arena *scratch)
{
    const fast_exits *exits = spheres->exits;
    exit_sphere *all = arena_array(scratch, exit_sphere, exits->count);
    if (!all)
        return false;
    spheres->all = all;
    for (size_t i = 0; i < spheres->problem->body_count; i++) {
        if (!exits->is_fast_exit[i])
            continue;
        vec3 center = spheres->problem->position[i];
        double radius = radius_of(spheres, i);
        all[spheres->count++] = (exit_sphere){center.x - radius, center, radius, (uint32_t)i};
        spheres->widest = fmax(spheres->widest, 2 * radius);
    }
    sort_items(all, spheres->count, sizeof *all, compare_exit_spheres);
    return true;
}

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

// Whatever `collides` finds, and next to nothing else.
static bool balls_collide(const exit_spheres *spheres, size_t a, size_t b)
{
    const step_problem *problem = spheres->problem;
    double radius_a = (double)problem->radius[a], radius_b = (double)problem->radius[b];
    vec3 between = vec3_sub(problem->position[b], problem->position[a]);
    vec3 relative = vec3_sub(spheres->exits->reached[b].velocity, spheres->exits->reached[a].velocity);
    double distance = vec3_length(between), gap = distance - radius_a - radius_b;
    double end = gap + spheres->problem->step * vec3_dot(between, relative) / distance;
    double least = unexpected_overlap * fmin(radius_a, radius_b) - rounding(spheres, a, b, distance, relative);
    return !(end >= fmin(0, gap) - least);
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
    double least = unexpected_overlap * radius - rounding(spheres, slot, p->body, fabs(gap) + radius, relative);
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

// The first sphere that begins at `low` or after.
static size_t first_exit_sphere(const exit_spheres *spheres, double low)
{
    return lower_bound_f64(spheres->all, spheres->count, sizeof *spheres->all, offsetof(exit_sphere, low), low);
}

static bool is_near(const exit_sphere *of, vec3 center, double radius)
{
    double most = of->radius + radius;
    return !(fabs(center.x - of->center.x) > most || fabs(center.y - of->center.y) > most ||
             fabs(center.z - of->center.z) > most);
}

static bool meets_any(const exit_spheres *spheres, size_t slot)
{
    vec3 center = spheres->problem->position[slot];
    double radius = radius_of(spheres, slot);
    bool bounded = isfinite(radius);
    for (size_t i = bounded ? first_exit_sphere(spheres, center.x - radius - spheres->widest) : 0; i < spheres->count;
         i++) {
        if (bounded && spheres->all[i].low > center.x + radius)
            break;
        if (is_near(&spheres->all[i], center, radius) && may_meet(spheres, spheres->all[i].slot, slot))
            return true;
    }
    return false;
}

bool fast_exits_may_hit(const step_problem *problem, const proxy_view *view, const fast_exits *exits, arena *scratch,
                        bool *may_collide)
{
    *may_collide = exits->count > MOST_EXITS;
    if (exits->count == 0 || *may_collide)
        return true;
    exit_spheres spheres = {.problem = problem, .view = view, .exits = exits};
    if (!list_exit_spheres(&spheres, scratch))
        return false;
    int any = 0;
#pragma omp parallel for num_threads(problem->threads) schedule(static) reduction(| : any)
    for (size_t i = 0; i < problem->body_count; i++)
        any |= !any && meets_any(&spheres, i);
    *may_collide = any;
    return true;
}
