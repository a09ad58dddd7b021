#include "contact/fast_pairs.h"

#include "collide/impact.h"
#include "collide/narrow/narrow.h"
#include "contact/velocity.h"

// In smaller radii: what moves less against each other in a step turns the plane between them by no more than that.
static const double far_path = 0.02;

static body_velocity start_velocity(const body_paths *paths, uint32_t slot)
{
    return (body_velocity){paths->velocity[slot], paths->spin[slot]};
}

static double turning_speed(const pair_paths *of, int i)
{
    double spin = vec3_length(of->spin[i]);
    return spin > 0 ? spin * of->radius[i] : 0; // bodies with planes are without end
}

static pair_paths paths_of(const body_paths *paths, uint32_t a, uint32_t b, bool reached)
{
    body_velocity of_a = reached ? paths->reached[a] : start_velocity(paths, a);
    body_velocity of_b = reached ? paths->reached[b] : start_velocity(paths, b);
    return (pair_paths){.velocity = {of_a.velocity, of_b.velocity},
                        .spin = {of_a.spin, of_b.spin},
                        .radius = {(double)paths->radius[a], (double)paths->radius[b]},
                        .step = paths->step};
}

static bool moves_far(const pair_paths *of)
{
    double speed =
        vec3_length(vec3_sub(of->velocity[1], of->velocity[0])) + turning_speed(of, 0) + turning_speed(of, 1);
    double path = of->step * speed;
    return path > far_path * fmin(of->radius[0], of->radius[1]) && isfinite(path);
}

// Margins tell most pairs apart, and are at hand.
bool pair_is_fast(const body_paths *paths, const proxy_view *view, proxy_pair pair)
{
    const proxy *p = &view->proxies[pair.a], *q = &view->proxies[pair.b];
    uint32_t a = p->body, b = q->body;
    double smaller = (double)fminf(paths->radius[a], paths->radius[b]);
    if ((double)view->margins[a] + (double)view->margins[b] <= far_path * smaller || !impact_is_known(p, q))
        return false;
    pair_paths of = paths_of(paths, a, b, false);
    if (moves_far(&of) || !paths->reached)
        return moves_far(&of);
    of = paths_of(paths, a, b, true);
    return moves_far(&of);
}

// Whether any point would act on bodies that go on by their paths.
static bool would_act(const proxy_view *view, const pair_paths *of, const contact *points, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const contact *c = &points[i];
        vec3 arm = vec3_from_f(c->arm), other = vec3_add(arm, vec3_sub(view->centers[c->a], view->centers[c->b]));
        vec3 relative = relative_velocity((body_velocity){of->velocity[0], of->spin[0]}, arm,
                                          (body_velocity){of->velocity[1], of->spin[1]}, other);
        if ((double)c->gap + of->step * vec3_dot(vec3_from_f(c->normal), relative) <= impact_distance(of))
            return true;
    }
    return false;
}

static bool touches(const contact *points, size_t count, double touching)
{
    for (size_t i = 0; i < count; i++)
        if ((double)points[i].gap <= touching)
            return true;
    return false;
}

bool fast_pair_contacts(const body_paths *paths, const proxy_view *view, proxy_pair pair, double touching,
                        contact_array *out)
{
    size_t first = out->count;
    if (!narrow_phase(view, &pair, 1, out))
        return false;
    const contact *points = out->data + first;
    size_t count = out->count - first;
    if (touches(points, count, touching))
        return true;
    uint32_t a = view->proxies[pair.a].body, b = view->proxies[pair.b].body;
    pair_paths of = paths_of(paths, a, b, false);
    double moment = 0;
    bool acts = would_act(view, &of, points, count), hit = acts && impact_moment(view, pair, &of, &moment);
    if (!hit && paths->reached) {
        of = paths_of(paths, a, b, true);
        acts = would_act(view, &of, points, count);
        moment = 0;
        if (acts)
            impact_moment(view, pair, &of, &moment);
    }
    if (!acts || moment == 0)
        return true;
    out->count = first;
    return impact_points(view, pair, &of, moment, out);
}
