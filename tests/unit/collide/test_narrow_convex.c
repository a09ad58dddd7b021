// Every pair of convex shapes through the narrow phase: against the greatest separation over all directions, swapped,
// and far from the origin.
#include "convex_cases.h"
#include "narrow_support.h"

#include "geometry/geometry.h"

static const scree_shape_type TYPES[] = {SCREE_SHAPE_SPHERE,  SCREE_SHAPE_BOX,      SCREE_SHAPE_ELLIPSOID,
                                         SCREE_SHAPE_CAPSULE, SCREE_SHAPE_CYLINDER, SCREE_SHAPE_CONE,
                                         SCREE_SHAPE_HULL,    SCREE_SHAPE_PLANE};
enum { TYPE_COUNT = sizeof TYPES / sizeof *TYPES };

static case_hull hulls[2];
static scree_geometry geometries[2];
static const scree_geometry *const table[2] = {&geometries[0], &geometries[1]};

static void add_any(world *w, random_stream *random, scree_shape_type type, uint32_t body)
{
    local_pose local = {random_vec(random, 0.2), random_rotation(random)};
    if (type == SCREE_SHAPE_PLANE) {
        add_plane(w, body, random_direction(random), random_between(random, -0.5, 0.5), &local);
        return;
    }
    proxy *p = add_proxy(w, body, type, random_unit(random) < 0.5 ? &local : NULL);
    if (type == SCREE_SHAPE_HULL) {
        case_hull_random(&hulls[body], random, 10, vec3_make(0.5, 0.6, 0.7));
        geometries[body] = (scree_geometry){.type = SCREE_SHAPE_HULL, .hull = &hulls[body].hull};
        p->geometry = body;
        return;
    }
    for (int k = 0; k < 3; k++)
        p->size[k] = (float)random_between(random, 0.3, 0.8);
}

// Ellipsoids against spheres, planes and each other have algorithms, and tests, of their own; two planes never meet.
static bool is_here(scree_shape_type a, scree_shape_type b)
{
    bool smooth_a = a == SCREE_SHAPE_ELLIPSOID, smooth_b = b == SCREE_SHAPE_ELLIPSOID;
    bool own = (smooth_a && (smooth_b || b == SCREE_SHAPE_SPHERE || b == SCREE_SHAPE_PLANE)) ||
               (smooth_b && (a == SCREE_SHAPE_SPHERE || a == SCREE_SHAPE_PLANE));
    return !own && !(a == SCREE_SHAPE_PLANE && b == SCREE_SHAPE_PLANE);
}

static bool random_pair(world *w, random_stream *random, int trial)
{
    scree_shape_type a = TYPES[trial % TYPE_COUNT], b = TYPES[trial / TYPE_COUNT % TYPE_COUNT];
    if (!is_here(a, b))
        return false;
    *w = (world){.geometries = table};
    for (int i = 0; i < 2; i++)
        add_any(w, random, i ? b : a, add_body(w, random_vec(random, 0.8), random_rotation(random), 0.05f));
    return true;
}

// What the oracles say of a pair: the greatest separation that they find, and that along the normal of a contact.
typedef struct oracle {
    double greatest, along;
} oracle;

static oracle ask(const world *w, vec3 normal)
{
    proxy_view view = world_view(w);
    convex shape[2];
    int plane = -1;
    for (int i = 0; i < 2; i++) {
        if (w->proxies[i].type == SCREE_SHAPE_PLANE)
            plane = i;
        else
            shape[i] = convex_of_proxy(&view, &w->proxies[i], proxy_center(&view, &w->proxies[i]));
    }
    if (plane < 0)
        return (oracle){case_greatest_separation(&shape[0], &shape[1], 100),
                        case_separation(&shape[0], &shape[1], normal)};
    const proxy *p = &w->proxies[plane];
    vec3 outward = quat_rotate(proxy_orientation(&view, p), view.planes[p->geometry].normal);
    double gap = -case_reach(&shape[!plane], vec3_negate(outward)) - view.planes[p->geometry].offset -
                 vec3_dot(outward, proxy_center(&view, p));
    return (oracle){gap, gap};
}

static void test_gaps(void **state)
{
    (void)state;
    random_stream random = {41};
    int touching = 0;
    for (int trial = 0; trial < (CHECK_SANITIZED ? 640 : 6400); trial++) {
        world w;
        if (!random_pair(&w, &random, trial))
            continue;
        if (w.proxies[0].type == SCREE_SHAPE_BOX &&
            w.proxies[1].type == SCREE_SHAPE_BOX) // prefer faces, and have tests of their own
            continue;
        points p = collide(&w, 0, 1);
        oracle found = ask(&w, p.count ? vec3_from_f(p.data[0].normal) : vec3_make(0, 0, 1));
        if (p.count == 0) {
            assert_at_least(found.greatest, 0.0999); // climbing may end a little short
            continue;
        }
        touching++;
        assert_near(smallest_gap(&p), found.along, 2e-6);
        assert_at_least(smallest_gap(&p), found.greatest - 2e-6);
    }
    assert_true(touching > 100);
}

static void test_swapped(void **state)
{
    (void)state;
    random_stream random = {43};
    size_t seen = 0;
    for (int trial = 0; trial < 6400; trial++) {
        world w;
        if (!random_pair(&w, &random, trial))
            continue;
        points ab = collide(&w, 0, 1), ba = collide(&w, 1, 0);
        assert_int_equal(ab.count, ba.count);
        vec3 between = vec3_sub(w.centers[0], w.centers[1]);
        for (size_t i = 0; i < ab.count; i++) {
            assert_int_equal(ab.data[i].feature, ba.data[i].feature);
            assert_near((double)ab.data[i].gap, (double)ba.data[i].gap, 1e-6);
            assert_vec3_near(vec3_from_f(ba.data[i].normal), vec3_negate(vec3_from_f(ab.data[i].normal)), 1e-6);
            assert_vec3_near(vec3_from_f(ba.data[i].arm), vec3_add(vec3_from_f(ab.data[i].arm), between), 1e-6);
        }
        seen += ab.count;
    }
    assert_true(seen > 3000);
}

// 10^5 sizes away positions have some eleven digits left; the gap must lose no more than that.
static void test_far_from_the_origin(void **state)
{
    (void)state;
    random_stream random = {47};
    size_t seen = 0;
    for (int trial = 0; trial < 6400; trial++) {
        world w, moved;
        if (!random_pair(&w, &random, trial))
            continue;
        moved = w;
        vec3 shift = vec3_scale(random_direction(&random), 1e5);
        for (int body = 0; body < 2; body++)
            moved.centers[body] = vec3_add(shift, w.centers[body]);
        points p = collide(&w, 0, 1), q = collide(&moved, 0, 1);
        if (p.count == 0 || fabs(smallest_gap(&p) - 0.1) < 1e-5)
            continue;
        assert_true(q.count > 0);
        assert_near(smallest_gap(&q), smallest_gap(&p), 1e-6);
        seen++;
    }
    assert_true(seen > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_swapped),
        cmocka_unit_test(test_far_from_the_origin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
