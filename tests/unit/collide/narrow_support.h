// A small world for narrow phase tests, and slow oracles to compare with.
#ifndef NARROW_SUPPORT_H
#define NARROW_SUPPORT_H

#include "../../physics/check.h"

#include "../geometry/random_pose.h"
#include "collide/narrow/narrow.h"

enum { WORLD_MAX = 256 };

typedef struct world {
    proxy proxies[WORLD_MAX];
    local_pose locals[WORLD_MAX + 1];
    plane_geometry planes[WORLD_MAX];
    const scree_geometry *const *geometries;
    vec3 centers[WORLD_MAX];
    quat orientations[WORLD_MAX];
    float margins[WORLD_MAX];
    uint8_t immovable[WORLD_MAX];
    uint32_t proxy_count, local_count, plane_count, body_count;
} world;

static inline proxy_view world_view(const world *w)
{
    return (proxy_view){
        .proxies = w->proxies,
        .proxy_count = w->proxy_count,
        .locals = w->locals,
        .planes = w->planes,
        .geometries = w->geometries,
        .centers = w->centers,
        .orientations = w->orientations,
        .margins = w->margins,
        .immovable = w->immovable,
        .body_count = w->body_count,
    };
}

static inline uint32_t add_body(world *w, vec3 center, quat orientation, float margin)
{
    assert_true(w->body_count < WORLD_MAX);
    w->centers[w->body_count] = center;
    w->orientations[w->body_count] = orientation;
    w->margins[w->body_count] = margin;
    return w->body_count++;
}

// The material is the proxy's number plus 100. `local` may be NULL.
static inline proxy *add_proxy(world *w, uint32_t body, scree_shape_type type, const local_pose *local)
{
    assert_true(w->proxy_count < WORLD_MAX);
    if (w->local_count == 0)
        w->locals[w->local_count++] = (local_pose){{0, 0, 0}, {1, 0, 0, 0}};
    proxy *p = &w->proxies[w->proxy_count];
    *p = (proxy){.body = body, .type = (unsigned)type & 31, .material = (100 + w->proxy_count) & 1023};
    w->proxy_count++;
    if (local) {
        p->local = w->local_count;
        w->locals[w->local_count++] = *local;
    }
    return p;
}

static inline proxy *add_sphere(world *w, uint32_t body, double radius, const local_pose *local)
{
    proxy *p = add_proxy(w, body, SCREE_SHAPE_SPHERE, local);
    p->size[0] = (float)radius;
    return p;
}

static inline proxy *add_box(world *w, uint32_t body, vec3 half, const local_pose *local)
{
    proxy *p = add_proxy(w, body, SCREE_SHAPE_BOX, local);
    p->size[0] = (float)half.x;
    p->size[1] = (float)half.y;
    p->size[2] = (float)half.z;
    return p;
}

static inline proxy *add_plane(world *w, uint32_t body, vec3 normal, double offset, const local_pose *local)
{
    proxy *p = add_proxy(w, body, SCREE_SHAPE_PLANE, local);
    p->geometry = w->plane_count;
    w->planes[w->plane_count++] = (plane_geometry){normal, offset};
    return p;
}

typedef struct points {
    contact data[8];
    size_t count;
} points;

// The contacts of proxies a and b; checks what every contact must have.
static inline points collide(const world *w, uint32_t a, uint32_t b)
{
    proxy_view view = world_view(w);
    proxy_pair pair = {a, b};
    contact_array out = {0};
    points result = {.count = 0};
    assert_true(narrow_phase(&view, &pair, 1, &out));
    assert_true(out.count <= narrow_most_points(w->proxies[a].type, w->proxies[b].type));
    double margin = (double)w->margins[w->proxies[a].body] + (double)w->margins[w->proxies[b].body];
    for (size_t i = 0; i < out.count; i++) {
        const contact *c = &out.data[i];
        assert_int_equal(c->a, w->proxies[a].body);
        assert_int_equal(c->b, w->proxies[b].body);
        assert_int_equal(c->material_a, w->proxies[a].material);
        assert_int_equal(c->material_b, w->proxies[b].material);
        assert_near(vec3_length(vec3_from_f(c->normal)), 1, 1e-6);
        assert_at_most((double)c->gap, margin * (1 + 1e-6));
        assert_true(vec3_finite(vec3_from_f(c->arm)));
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(c->feature, out.data[k].feature);
        result.data[result.count++] = *c;
    }
    array_free(&out);
    return result;
}

static inline double smallest_gap(const points *p)
{
    double smallest = CHECK_INFINITY;
    for (size_t i = 0; i < p->count; i++)
        smallest = fmin(smallest, (double)p->data[i].gap);
    return smallest;
}

// A box in the world, and the oracles on it: nothing here looks at separating axes or clipping.
typedef struct solid {
    vec3 center, half;
    mat3 axes; // columns
} solid;

static inline solid solid_of(const world *w, uint32_t index)
{
    proxy_view view = world_view(w);
    const proxy *p = &w->proxies[index];
    solid s = {.center = proxy_center(&view, p), .axes = mat3_from_quat(proxy_orientation(&view, p))};
    if (p->type == SCREE_SHAPE_BOX)
        s.half = vec3_make((double)p->size[0], (double)p->size[1], (double)p->size[2]);
    return s;
}

static inline vec3 solid_corner(const solid *s, int corner)
{
    vec3 sign = {corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1};
    return vec3_add(s->center, mat3_apply(&s->axes, vec3_multiply(sign, s->half)));
}

// Least and greatest of direction . x over the corners.
static inline void solid_span(const solid *s, vec3 direction, double *low, double *high)
{
    *low = CHECK_INFINITY;
    *high = -CHECK_INFINITY;
    for (int corner = 0; corner < 8; corner++) {
        double at = vec3_dot(direction, solid_corner(s, corner));
        *low = fmin(*low, at);
        *high = fmax(*high, at);
    }
}

// How far the solids are apart along a direction; negative when their spans overlap.
static inline double span_gap(const solid *a, const solid *b, vec3 direction)
{
    double low_a, high_a, low_b, high_b;
    solid_span(a, direction, &low_a, &high_a);
    solid_span(b, direction, &low_b, &high_b);
    return fmax(low_b - high_a, low_a - high_b);
}

// How far a point is outside the solid; 0 inside.
static inline double outside(const solid *s, vec3 point)
{
    vec3 v = mat3_apply_transposed(&s->axes, vec3_sub(point, s->center));
    return vec3_length(
        vec3_make(fmax(fabs(v.x) - s->half.x, 0), fmax(fabs(v.y) - s->half.y, 0), fmax(fabs(v.z) - s->half.z, 0)));
}

typedef struct bounds {
    double lower, upper;
} bounds;

static inline vec3 solid_clamp(const solid *s, vec3 local)
{
    return vec3_make(fmin(fmax(local.x, -s->half.x), s->half.x), fmin(fmax(local.y, -s->half.y), s->half.y),
                     fmin(fmax(local.z, -s->half.z), s->half.z));
}

// Distance of two solids by accelerated projected gradient steps on the squared distance of a point of each (Beck and
// Teboulle 2009, with restarts). The upper bound is a distance of two of their points, the lower one a width between
// two parallel planes: both hold however well the iteration has converged. Overlapping solids give an upper bound near
// 0.
static inline bounds distance_bounds(const solid *a, const solid *b)
{
    bounds found = {0, CHECK_INFINITY};
    vec3 x = {0, 0, 0}, y = {0, 0, 0}, px = x, py = y;
    double momentum = 1;
    vec3 between = vec3_sub(b->center, a->center);
    for (int iteration = 0; iteration < 20000; iteration++) {
        vec3 apart = vec3_add(between, vec3_sub(mat3_apply(&b->axes, py), mat3_apply(&a->axes, px)));
        vec3 nx = solid_clamp(a, vec3_add_scaled(px, mat3_apply_transposed(&a->axes, apart), 0.5));
        vec3 ny = solid_clamp(b, vec3_add_scaled(py, mat3_apply_transposed(&b->axes, apart), -0.5));
        double reversal = vec3_dot(vec3_sub(px, nx), vec3_sub(nx, x)) + vec3_dot(vec3_sub(py, ny), vec3_sub(ny, y));
        double next = reversal > 0 ? 1 : 0.5 * (1 + sqrt(1 + 4 * momentum * momentum));
        double weight = reversal > 0 ? 0 : (momentum - 1) / next;
        px = vec3_add_scaled(nx, vec3_sub(nx, x), weight);
        py = vec3_add_scaled(ny, vec3_sub(ny, y), weight);
        momentum = next;
        x = nx;
        y = ny;
        if (iteration % 50 != 49)
            continue;
        apart = vec3_add(between, vec3_sub(mat3_apply(&b->axes, y), mat3_apply(&a->axes, x)));
        found.upper = fmin(found.upper, vec3_length(apart));
        if (found.upper < 1e-9)
            break;
        found.lower = fmax(found.lower, span_gap(a, b, vec3_normalize(apart)));
        if (found.upper - found.lower < 1e-9)
            break;
    }
    return found;
}

#endif
