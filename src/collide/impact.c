#include "collide/impact.h"

#include "collide/convex/convex.h"
#include "collide/narrow/narrow.h"
#include "collide/narrow/narrow_pair.h"

enum { MOST_TURNS = 40 };

// The two bodies alone, as they stand at some moment: places relative to where a begins.
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

static void set_up(moving_pair *pair, const proxy_view *view, proxy_pair of, const pair_paths *paths)
{
    pair->paths = paths;
    pair->proxies[0] = view->proxies[of.a];
    pair->proxies[1] = view->proxies[of.b];
    uint32_t a = pair->proxies[0].body;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t slot = pair->proxies[i].body;
        pair->start[i] = vec3_sub(view->centers[slot], view->centers[a]);
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

// b against a at a point in the world.
static vec3 velocity_at(const moving_pair *pair, vec3 point)
{
    vec3 of[2];
    for (int i = 0; i < 2; i++)
        of[i] = vec3_add(pair->paths->velocity[i], vec3_cross(pair->paths->spin[i], vec3_sub(point, pair->centers[i])));
    return vec3_sub(of[1], of[0]);
}

// ------------------------------------------------------------------------------------------------------ the distance

static convex_distance distance_to_plane(const proxy_view *view, const convex *shape, const proxy *plane)
{
    const plane_geometry *geometry = &view->planes[plane->geometry];
    vec3 outward = quat_rotate(proxy_orientation(view, plane), geometry->normal), down = vec3_negate(outward);
    vec3 lowest = vec3_add_scaled(convex_support(shape, down), down, shape->radius);
    double gap = vec3_dot(outward, vec3_sub(lowest, proxy_center(view, plane))) - geometry->offset;
    return (convex_distance){gap, down, lowest, vec3_add_scaled(lowest, down, gap)};
}

static convex_distance distance_now(const moving_pair *pair)
{
    const proxy_view *view = &pair->view;
    const proxy *a = &pair->proxies[0], *b = &pair->proxies[1];
    convex of_a = convex_of_proxy(view, a, proxy_center(view, a));
    if (b->type == SCREE_SHAPE_PLANE)
        return distance_to_plane(view, &of_a, b);
    convex of_b = convex_of_proxy(view, b, proxy_center(view, b));
    convex_distance distance = {0};
    convex_find_distance(&of_a, &of_b, HUGE_VAL, &distance);
    return distance;
}

// --------------------------------------------------------------------------------------------------------- the moment

// Two balls: |x + t u| = R, a quadratic.
static bool moment_of_balls(const moving_pair *pair, double *moment)
{
    vec3 x = vec3_sub(pair->start[1], pair->start[0]);
    vec3 u = vec3_sub(pair->paths->velocity[1], pair->paths->velocity[0]);
    double reach = (double)pair->proxies[0].size[0] + (double)pair->proxies[1].size[0], step = pair->paths->step;
    double square = vec3_dot(u, u), along = vec3_dot(x, u), outside = vec3_dot(x, x) - reach * reach;
    double root = along * along - square * outside;
    *moment = 0;
    if (!(along < 0))
        return false;
    double meet = root >= 0 ? outside / (sqrt(root) - along) : HUGE_VAL;
    *moment = fmin(1, fmin(meet, -along / square) / step);
    return meet <= step;
}

// How fast the distance may shrink along the normal: by the centres, and by points that turn about them.
static double fastest_approach(const pair_paths *paths, vec3 normal)
{
    double speed = vec3_dot(normal, vec3_sub(paths->velocity[0], paths->velocity[1]));
    for (int i = 0; i < 2; i++) {
        double turning = vec3_length(vec3_cross(paths->spin[i], normal));
        speed += turning > 0 ? turning * paths->radius[i] : 0; // bodies with planes are without end
    }
    return speed;
}

// A tangent of the distance that is above zero at both ends of the step is a plane that lets both shapes pass. One that
// is below zero at the end leads on, and never beyond the touch; one that is below zero at the beginning is of a moment
// after the nearest.
static bool moment_of_shapes(moving_pair *pair, double *moment)
{
    const pair_paths *paths = pair->paths;
    double near = impact_distance(paths), low = 0, high = 1;
    *moment = 0;
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        move_to(pair, *moment);
        convex_distance distance = distance_now(pair);
        vec3 middle = vec3_scale(vec3_add(distance.on_a, distance.on_b), 0.5);
        double change = paths->step * vec3_dot(distance.normal, velocity_at(pair, middle)), gap = distance.gap;
        if (gap <= near)
            return true;
        bool leads_on = gap + (1 - *moment) * change <= near;
        if (!leads_on && gap - *moment * change >= 0)
            return false;
        double next = 1;
        if (leads_on) {
            low = *moment;
            next = fmin(1, low + gap / (paths->step * fastest_approach(paths, distance.normal)));
        } else {
            high = *moment;
        }
        *moment = next < high || high == 1 ? next : 0.5 * (low + high);
    }
    return false;
}

bool impact_is_known(const proxy *a, const proxy *b)
{
    return a->type < SCREE_SHAPE_PLANE && b->type <= SCREE_SHAPE_PLANE;
}

bool impact_moment(const proxy_view *view, proxy_pair of, const pair_paths *paths, double *moment)
{
    moving_pair pair;
    set_up(&pair, view, of, paths);
    bool balls = pair.proxies[0].type == SCREE_SHAPE_SPHERE && pair.proxies[1].type == SCREE_SHAPE_SPHERE &&
                 (pair.proxies[0].local | pair.proxies[1].local) == 0;
    return balls ? moment_of_balls(&pair, moment) : moment_of_shapes(&pair, moment);
}

// --------------------------------------------------------------------------------------------------------- the points

bool impact_points(const proxy_view *view, proxy_pair of, const pair_paths *paths, double moment, contact_array *out)
{
    moving_pair pair;
    size_t first = out->count;
    set_up(&pair, view, of, paths);
    move_to(&pair, moment);
    if (!narrow_phase(&pair.view, &(proxy_pair){0, 1}, 1, out))
        return false;
    vec3 nearer = vec3_sub(paths->velocity[0], paths->velocity[1]);
    for (size_t i = first; i < out->count; i++) {
        contact *c = &out->data[i];
        vec3 point = vec3_add(pair.centers[0], vec3_from_f(c->arm));
        double closed = moment * paths->step * vec3_dot(vec3_from_f(c->normal), velocity_at(&pair, point));
        c->gap = (float)fmax(0, (double)c->gap - closed);
        c->shift = vec3f_from(vec3_scale(nearer, moment * paths->step));
        c->a = view->proxies[of.a].body;
        c->b = view->proxies[of.b].body;
    }
    return true;
}
