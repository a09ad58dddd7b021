#include "collide/impact.h"

#include "collide/convex/convex.h"
#include "collide/narrow/narrow.h"
#include "collide/narrow/narrow_pair.h"
#include "geometry/shape.h"

enum { MOST_TURNS = 40, MOST_REFINED = 12, MOST_SURFACE_POINTS = 16 + NARROW_SLACK };

// In smaller radii: shapes this near each other touch; and so near that the tangent leads to the touch.
static const double touching = 1e-6, nearly = 1e-3;

// Two shapes alone, as they stand at some moment: places relative to where a begins.
typedef struct moving_pair {
    const pair_paths *paths;
    vec3 start[2];
    quat turned[2];
    proxy proxies[2];
    vec3 centers[2];
    quat orientations[2];
    float margins[2];
    uint8_t immovable[2];
    uint64_t ids[2];
    proxy_view view;
} moving_pair;

static void set_up(moving_pair *pair, const proxy_view *view, const proxy *a, const proxy *b, const pair_paths *paths)
{
    pair->paths = paths;
    pair->proxies[0] = *a;
    pair->proxies[1] = *b;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t slot = paths->slot[i];
        pair->start[i] = vec3_sub(view->centers[slot], view->centers[paths->slot[0]]);
        pair->turned[i] = view->orientations[slot];
        pair->margins[i] = view->margins[slot];
        pair->immovable[i] = view->immovable[slot];
        pair->ids[i] = view->ids ? view->ids[slot] : slot;
        pair->proxies[i].body = i;
    }
    pair->view = (proxy_view){.proxies = pair->proxies,
                              .proxy_count = 2,
                              .locals = view->locals,
                              .planes = view->planes,
                              .geometries = view->geometries,
                              .geometry_count = view->geometry_count,
                              .centers = pair->centers,
                              .orientations = pair->orientations,
                              .margins = pair->margins,
                              .immovable = pair->immovable,
                              .ids = pair->ids,
                              .body_count = 2};
}

static void move_to(moving_pair *pair, double moment)
{
    double time = moment * pair->paths->step;
    for (int i = 0; i < 2; i++) {
        vec3 spin = pair->paths->spin[i];
        pair->centers[i] = vec3_add_scaled(pair->start[i], pair->paths->velocity[i], time);
        pair->orientations[i] = vec3_dot(spin, spin) > 0
                                    ? quat_multiply(quat_from_rotation(vec3_scale(spin, time)), pair->turned[i])
                                    : pair->turned[i];
    }
}

// b against a at a point.
static vec3 velocity_at(const moving_pair *pair, vec3 point)
{
    vec3 of[2];
    for (int i = 0; i < 2; i++)
        of[i] = vec3_add(pair->paths->velocity[i], vec3_cross(pair->paths->spin[i], vec3_sub(point, pair->centers[i])));
    return vec3_sub(of[1], of[0]);
}

// ------------------------------------------------------------------------------------------------------- the distance

typedef struct pair_distance {
    double gap;
    double change;   // of it by the velocities, in the whole step
    double approach; // the most by which any point of it may come nearer, in the whole step
} pair_distance;

static bool is_surface(const proxy *p)
{
    return p->type == SCREE_SHAPE_MESH || p->type == SCREE_SHAPE_HEIGHTFIELD;
}

// How fast points turn about the centres, across a normal or, with none, in any direction; bodies with planes are
// without end.
static double turning_speed(const pair_paths *paths, const vec3 *normal)
{
    double speed = 0;
    for (int i = 0; i < 2; i++) {
        double turning = vec3_length(normal ? vec3_cross(paths->spin[i], *normal) : paths->spin[i]);
        speed += turning > 0 ? turning * paths->radius[i] : 0;
    }
    return speed;
}

static pair_distance along_normal(const moving_pair *pair, double gap, vec3 normal, vec3 point)
{
    const pair_paths *paths = pair->paths;
    double closing = vec3_dot(normal, vec3_sub(paths->velocity[0], paths->velocity[1]));
    return (pair_distance){gap, paths->step * vec3_dot(normal, velocity_at(pair, point)),
                           paths->step * (closing + turning_speed(paths, &normal))};
}

static pair_distance distance_to_plane(const moving_pair *pair, const convex *shape, const proxy *plane)
{
    const proxy_view *view = &pair->view;
    const plane_geometry *geometry = &view->planes[plane->geometry];
    vec3 outward = quat_rotate(proxy_orientation(view, plane), geometry->normal), down = vec3_negate(outward);
    vec3 lowest = vec3_add_scaled(convex_support(shape, down), down, shape->radius);
    double gap = vec3_dot(outward, vec3_sub(lowest, proxy_center(view, plane))) - geometry->offset;
    return along_normal(pair, gap, pair->proxies[0].type == SCREE_SHAPE_PLANE ? outward : down, lowest);
}

// The nearest point of a surface counts, and comes nearer from any side.
static pair_distance distance_to_surface(const moving_pair *pair)
{
    contact room[MOST_SURFACE_POINTS];
    contact_array points = {room, 0, MOST_SURFACE_POINTS};
    const pair_paths *paths = pair->paths;
    double any = vec3_length(vec3_sub(paths->velocity[0], paths->velocity[1])) + turning_speed(paths, NULL);
    pair_distance nearest = {(double)pair->margins[0] + (double)pair->margins[1], -paths->step * any,
                             paths->step * any};
    if (!narrow_phase(&pair->view, &(proxy_pair){0, 1}, 1, &points))
        return nearest;
    for (size_t i = 0; i < points.count; i++) {
        const contact *c = &points.data[i];
        if (!((double)c->gap < nearest.gap))
            continue;
        vec3 point = vec3_add(pair->centers[0], vec3_from_f(c->arm));
        nearest.gap = (double)c->gap;
        nearest.change = paths->step * vec3_dot(vec3_from_f(c->normal), velocity_at(pair, point));
    }
    return nearest;
}

static pair_distance distance_now(const moving_pair *pair)
{
    const proxy_view *view = &pair->view;
    const proxy *a = &pair->proxies[0], *b = &pair->proxies[1];
    if (is_surface(a) || is_surface(b))
        return distance_to_surface(pair);
    const proxy *plane = a->type == SCREE_SHAPE_PLANE ? a : b->type == SCREE_SHAPE_PLANE ? b : NULL;
    const proxy *shape = plane == a ? b : a;
    convex of_shape = convex_of_proxy(view, shape, proxy_center(view, shape));
    if (plane)
        return distance_to_plane(pair, &of_shape, plane);
    convex of_b = convex_of_proxy(view, b, proxy_center(view, b));
    convex_distance found = {0};
    convex_find_distance(&of_shape, &of_b, HUGE_VAL, &found);
    return along_normal(pair, found.gap, found.normal, vec3_scale(vec3_add(found.on_a, found.on_b), 0.5));
}

// --------------------------------------------------------------------------------------------------------- the moment

// Two balls: |x + t u| = R, a quadratic.
static impact_kind moment_of_balls(const moving_pair *pair, double *moment)
{
    vec3 x = vec3_sub(pair->start[1], pair->start[0]);
    vec3 u = vec3_sub(pair->paths->velocity[1], pair->paths->velocity[0]);
    double reach = (double)pair->proxies[0].size[0] + (double)pair->proxies[1].size[0], step = pair->paths->step;
    double square = vec3_dot(u, u), along = vec3_dot(x, u), outside = vec3_dot(x, x) - reach * reach;
    double root = along * along - square * outside;
    *moment = 0;
    if (!(along < 0) || !(outside > 0))
        return along < 0 ? IMPACT_UNKNOWN : IMPACT_PASS;
    double meet = root >= 0 ? outside / (sqrt(root) - along) : HUGE_VAL;
    *moment = fmin(1, fmin(meet, -along / square) / step);
    return meet <= step ? IMPACT_HIT : IMPACT_PASS;
}

// A tangent of the distance that is above zero at both ends of the step is a plane that lets both shapes pass. One that
// is below zero at the end leads on, and never beyond the touch; one that is below zero at the beginning is of a moment
// after the nearest.
static impact_kind moment_by_tangents(moving_pair *pair, double near, double *moment)
{
    double low = 0, high = 1;
    *moment = 0;
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        move_to(pair, *moment);
        pair_distance now = distance_now(pair);
        if (now.gap <= near)
            return *moment > 0 ? IMPACT_HIT : IMPACT_UNKNOWN;
        bool leads_on = now.gap + (1 - *moment) * now.change <= near;
        if (!leads_on && now.gap - *moment * now.change >= 0)
            return IMPACT_PASS;
        double next = 1;
        if (leads_on) {
            low = *moment;
            next = fmin(1, low - now.gap / now.change);
        } else {
            high = *moment;
        }
        *moment = next < high || high == 1 ? next : 0.5 * (low + high);
    }
    return IMPACT_UNKNOWN;
}

// From shapes that nearly touch on to where they do, or part again.
static impact_kind moment_of_touch(moving_pair *pair, double near, double *moment)
{
    for (int turn = 0; turn < MOST_REFINED; turn++) {
        move_to(pair, *moment);
        pair_distance now = distance_now(pair);
        if (fabs(now.gap) <= near)
            return IMPACT_HIT;
        double next = *moment - now.gap / now.change;
        if (!(now.change < 0) || !(next <= 1))
            return IMPACT_PASS;
        *moment = fmax(0, next);
    }
    return IMPACT_HIT;
}

// What cannot have met yet goes on until then.
static impact_kind moment_by_advancement(moving_pair *pair, double near, double *moment)
{
    double now = 0, nearest = HUGE_VAL, enough = near * nearly / touching;
    *moment = 0;
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        move_to(pair, now);
        pair_distance at = distance_now(pair);
        if (at.gap < nearest) {
            nearest = at.gap;
            *moment = now;
        }
        if (at.gap <= enough)
            return moment_of_touch(pair, near, moment);
        if (now == 1 || !(at.gap < (1 - now) * at.approach))
            return IMPACT_PASS;
        now = fmin(1, now + at.gap / at.approach);
    }
    return IMPACT_UNKNOWN;
}

// Points that turn by less than they may be apart from what touches go straight.
static bool turns(const pair_paths *paths, double near)
{
    return paths->step * turning_speed(paths, NULL) > near;
}

static impact_kind moment_of_shapes(moving_pair *pair, double *moment)
{
    const proxy *a = &pair->proxies[0], *b = &pair->proxies[1];
    double near = touching * fmin(pair->paths->radius[0], pair->paths->radius[1]);
    if (a->type == SCREE_SHAPE_SPHERE && b->type == SCREE_SHAPE_SPHERE && (a->local | b->local) == 0)
        return moment_of_balls(pair, moment);
    bool straight = !turns(pair->paths, near) && !is_surface(a) && !is_surface(b);
    return straight ? moment_by_tangents(pair, near, moment) : moment_by_advancement(pair, near, moment);
}

// ------------------------------------------------------------------------------------------------- bodies of shapes

// Whether the spheres around two shapes come within a distance of each other at any time of the step.
static bool may_meet(const proxy_view *view, const pair_paths *paths, const proxy *a, const proxy *b, double within)
{
    if (shape_is_unbounded((scree_shape_type)a->type) || shape_is_unbounded((scree_shape_type)b->type))
        return true;
    vec3 x = vec3_sub(proxy_center(view, b), proxy_center(view, a));
    vec3 path = vec3_scale(vec3_sub(paths->velocity[1], paths->velocity[0]), paths->step);
    double square = vec3_dot(path, path), along = square > 0 ? -vec3_dot(x, path) / square : 0;
    double distance = vec3_length(vec3_add_scaled(x, path, fmin(fmax(along, 0), 1)));
    double reach = vec3_length(proxy_half_extents(view, a)) + vec3_length(proxy_half_extents(view, b));
    return !(distance > reach + within + 2 * paths->step * turning_speed(paths, NULL));
}

typedef struct shape_pairs {
    uint32_t next[2], first[2], end[2];
} shape_pairs;

static shape_pairs pairs_of(const proxy_view *view, const pair_paths *paths)
{
    shape_pairs all;
    for (int i = 0; i < 2; i++) {
        all.first[i] = all.next[i] = view->first_proxy[paths->slot[i]];
        all.end[i] = view->first_proxy[paths->slot[i] + 1];
    }
    return all;
}

// The next two shapes of the bodies.
static bool next_pair(shape_pairs *all, const proxy_view *view, const proxy **a, const proxy **b)
{
    if (all->next[0] >= all->end[0] || all->first[1] >= all->end[1])
        return false;
    *a = &view->proxies[all->next[0]];
    *b = &view->proxies[all->next[1]];
    if (++all->next[1] == all->end[1]) {
        all->next[1] = all->first[1];
        all->next[0]++;
    }
    return true;
}

// The earliest hit counts. Where all shapes pass, one moment is as good as another, since such contacts hold nothing.
impact_kind impact_moment(const proxy_view *view, const pair_paths *paths, double *moment)
{
    shape_pairs all = pairs_of(view, paths);
    impact_kind found = IMPACT_PASS;
    const proxy *a, *b;
    *moment = 0;
    while (next_pair(&all, view, &a, &b)) {
        if (!may_meet(view, paths, a, b, 0))
            continue;
        moving_pair pair;
        double when;
        set_up(&pair, view, a, b, paths);
        impact_kind kind = moment_of_shapes(&pair, &when);
        if (kind == IMPACT_UNKNOWN)
            return IMPACT_UNKNOWN;
        if (kind == found ? (kind == IMPACT_HIT ? when < *moment : when > *moment) : kind == IMPACT_HIT)
            *moment = when;
        found = kind == IMPACT_HIT ? kind : found;
    }
    return found;
}

// --------------------------------------------------------------------------------------------------------- the points

size_t impact_most_points(const proxy_view *view, const pair_paths *paths)
{
    shape_pairs all = pairs_of(view, paths);
    size_t most = NARROW_SLACK;
    const proxy *a, *b;
    while (next_pair(&all, view, &a, &b))
        most += narrow_most_points((uint8_t)a->type, (uint8_t)b->type);
    return most;
}

bool impact_points(const proxy_view *view, const pair_paths *paths, double moment, double within, contact_array *out)
{
    shape_pairs all = pairs_of(view, paths);
    const proxy *a, *b;
    while (next_pair(&all, view, &a, &b)) {
        if (!may_meet(view, paths, a, b, within))
            continue;
        moving_pair pair;
        size_t first = out->count;
        set_up(&pair, view, a, b, paths);
        pair.margins[0] = (float)within;
        pair.margins[1] = 0;
        move_to(&pair, moment);
        if (!narrow_phase(&pair.view, &(proxy_pair){0, 1}, 1, out))
            return false;
        for (size_t i = first; i < out->count; i++) {
            contact *c = &out->data[i];
            vec3 point = vec3_add(pair.centers[0], vec3_from_f(c->arm));
            double closed = moment * paths->step * vec3_dot(vec3_from_f(c->normal), velocity_at(&pair, point));
            c->gap = (float)fmax(0, (double)c->gap - closed);
            c->a = paths->slot[0];
            c->b = paths->slot[1];
        }
    }
    return true;
}
