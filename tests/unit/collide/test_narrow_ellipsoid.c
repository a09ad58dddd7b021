// Ellipsoids in the narrow phase: against spheres, ellipsoids and planes, as bodies of a world.
#include "narrow_support.h"

#include "ellipsoid_support.h"

#include "collide/narrow/narrow_ellipsoid.h"
#include "geometry/shape.h"

#if CHECK_SANITIZED
enum { TRIALS = 300 };
#else
enum { TRIALS = 4000 };
#endif

static proxy *add_ellipsoid(world *w, uint32_t body, vec3 radii, const local_pose *local)
{
    proxy *p = add_proxy(w, body, SCREE_SHAPE_ELLIPSOID, local);
    p->size[0] = (float)radii.x;
    p->size[1] = (float)radii.y;
    p->size[2] = (float)radii.z;
    return p;
}

// What a proxy is after its sizes were rounded to float.
static oval oval_of(const world *w, uint32_t index)
{
    proxy_view view = world_view(w);
    const proxy *p = &w->proxies[index];
    double first = (double)p->size[0];
    vec3 radii = {first, (double)p->size[1], (double)p->size[2]};
    return (oval){p->type == SCREE_SHAPE_SPHERE ? vec3_make(first, first, first) : radii, proxy_orientation(&view, p)};
}

static oval_pair pair_of(const world *w, uint32_t a, uint32_t b)
{
    proxy_view view = world_view(w);
    vec3 between = vec3_sub(proxy_center(&view, &w->proxies[b]), proxy_center(&view, &w->proxies[a]));
    return (oval_pair){oval_of(w, a), oval_of(w, b), between, 0};
}

static local_pose random_local(random_stream *random)
{
    vec3 position = random_vec(random, 0.5);
    return (local_pose){position, random_rotation(random)};
}

// Checks one contact of proxies 0 and 1 against its definition: the normal is that of the greatest gap, the point lies
// midway between the surfaces.
static void check_contact(const world *w, const contact *c, double scale)
{
    proxy_view view = world_view(w);
    oval_pair pair = pair_of(w, 0, 1);
    vec3 normal = vec3_normalize(vec3_from_f(c->normal));
    double gap = gap_along(&pair, normal);
    assert_near((double)c->gap, gap, 2e-6 * scale);
    vec3 arm = vec3_sub(proxy_center(&view, &w->proxies[0]), w->centers[w->proxies[0].body]);
    vec3 middle = vec3_add_scaled(vec3_add(arm, oval_support(&pair.first, normal)), normal, 0.5 * gap);
    assert_vec3_near(vec3_from_f(c->arm), middle, 2e-5 * scale);
    vec3 on_second = vec3_sub(pair.between, oval_support(&pair.second, normal));
    assert_vec3_near(on_second, vec3_add_scaled(oval_support(&pair.first, normal), normal, gap), 2e-5 * scale);
    assert_at_least(gap, climb(&pair, &normal) - 1e-6 * scale);
}

// Bodies of one shape and of shapes off their centres, near the origin and 1e5 sizes away from it, spheres in either
// place: none missed, none too many, all by their definition.
static void test_random_pairs(void **state)
{
    (void)state;
    random_stream random = {61};
    int found = 0, apart = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        world w = {0};
        vec3 origin = trial % 3 == 2 ? vec3_make(1e5, -1e5, 3e4) : vec3_make(0, 0, 0);
        for (int i = 0; i < 2; i++) {
            uint32_t body =
                add_body(&w, vec3_add(origin, random_vec(&random, 1)), random_rotation(&random), 0.01f * (float)i);
            local_pose local = random_local(&random);
            vec3 radii = random_oval(&random, 3).radii;
            if (trial % 4 == i)
                add_sphere(&w, body, radii.x, trial % 2 ? &local : NULL);
            else
                add_ellipsoid(&w, body, radii, trial % 2 ? &local : NULL);
        }
        points p = collide(&w, 0, 1);
        oval_pair pair = pair_of(&w, 0, 1);
        vec3 normal;
        double gap = trial % 10 == 0 || p.count == 0 ? brute_gap(&pair, 400, &normal) : -1;
        if (fabs(gap - 0.01) > 1e-6)
            assert_int_equal(p.count, gap <= 0.01);
        found += p.count == 1;
        apart += p.count == 0;
        if (p.count == 1)
            check_contact(&w, &p.data[0], 1);
    }
    assert_true(found > TRIALS / 4 && apart > TRIALS / 20);
}

// The same pair from the other side is the same contact.
static void test_sides(void **state)
{
    (void)state;
    random_stream random = {62};
    for (int trial = 0; trial < TRIALS / 4; trial++) {
        world w = {0};
        add_sphere(&w, add_body(&w, random_vec(&random, 0.2), quat_identity(), 0), 0.5, NULL);
        vec3 at = random_vec(&random, 0.2);
        add_ellipsoid(&w, add_body(&w, at, random_rotation(&random), 0), vec3_make(0.9, 0.5, 0.4), NULL);
        points one = collide(&w, 0, 1), other = collide(&w, 1, 0);
        assert_int_equal(one.count, 1);
        assert_int_equal(other.count, 1);
        assert_near((double)one.data[0].gap, (double)other.data[0].gap, 0);
        assert_vec3_near(vec3_from_f(one.data[0].normal), vec3_negate(vec3_from_f(other.data[0].normal)), 0);
        assert_int_equal(one.data[0].feature, other.data[0].feature);
    }
}

static void test_exact_touch(void **state)
{
    (void)state;
    world w = {0};
    add_ellipsoid(&w, add_body(&w, vec3_make(1, 2, 3), quat_identity(), 0), vec3_make(3, 1, 2), NULL);
    add_ellipsoid(&w, add_body(&w, vec3_make(7, 2, 3), quat_identity(), 0), vec3_make(3, 1, 2), NULL);
    points p = collide(&w, 0, 1);
    assert_int_equal(p.count, 1);
    assert_true(p.data[0].gap == 0 && p.data[0].normal.x == 1 && p.data[0].arm.x == 3);
    w.centers[1].x = 7 + 1e-12;
    assert_int_equal(collide(&w, 0, 1).count, 0);
    w.margins[0] = 0.5f;
    w.centers[1].x = 7.5;
    p = collide(&w, 0, 1);
    assert_int_equal(p.count, 1);
    assert_true(p.data[0].gap == 0.5f && p.data[0].arm.x == 3.25f);
}

// Long lists, so that lanes fill up and are moved together: both methods give the same contacts in the order of the
// pairs, each of them the one that the pair gives alone. ChM alone counts as many.
static void test_methods_agree(void **state)
{
    (void)state;
    enum { BODIES = 60, PAIRS = BODIES * (BODIES - 1) / 2 };
    random_stream random = {63};
    static proxy_pair pairs[PAIRS];
    for (int trial = 0; trial < TRIALS / 200; trial++) {
        world w = {0};
        for (int i = 0; i < BODIES; i++) {
            vec3 radii = vec3_scale(random_oval(&random, trial % 2 ? 8 : 2).radii, 0.6);
            add_ellipsoid(&w, add_body(&w, random_vec(&random, 1), random_rotation(&random), 0), radii, NULL);
        }
        size_t count = 0;
        for (uint32_t a = 0; a < BODIES; a++)
            for (uint32_t b = a + 1; b < BODIES; b++)
                pairs[count++] = (proxy_pair){a, b};
        proxy_view view = world_view(&w);
        contact_array found[2] = {{0}, {0}};
        for (int method = 1; method <= 2; method++)
            assert_true(narrow_ellipsoids(&view, pairs, count, (ellipsoid_method)method, &found[method - 1]));
        assert_int_equal(found[0].count, found[1].count);
        assert_int_equal(found[0].count, narrow_ellipsoids_count(&view, pairs, count));
        assert_true(found[0].count > 50 && found[0].count < count);
        size_t next = 0;
        for (size_t i = 0; i < count; i++) {
            points alone = collide(&w, pairs[i].a, pairs[i].b);
            if (alone.count == 0)
                continue;
            const contact *one = &found[0].data[next], *two = &found[1].data[next];
            next++;
            assert_int_equal(two->a, pairs[i].a);
            assert_int_equal(two->b, pairs[i].b);
            assert_memory_equal(two, &alone.data[0], sizeof *two);
            assert_near((double)one->gap, (double)two->gap, 1e-7);
            if (fabs((double)one->gap - (double)two->gap) == 0)
                assert_vec3_near(vec3_from_f(one->normal), vec3_from_f(two->normal), 1e-5);
        }
        assert_int_equal(next, found[1].count);
        array_free(&found[0]);
        array_free(&found[1]);
    }
}

static void test_plane(void **state)
{
    (void)state;
    random_stream random = {64};
    for (int trial = 0; trial < TRIALS; trial++) {
        world w = {0};
        local_pose local = random_local(&random);
        add_ellipsoid(&w, add_body(&w, random_vec(&random, 1), random_rotation(&random), 0.3f),
                      random_oval(&random, 5).radii, trial % 2 ? &local : NULL);
        add_plane(&w, add_body(&w, random_vec(&random, 1), random_rotation(&random), 0), random_direction(&random), 0.2,
                  NULL);
        proxy_view view = world_view(&w);
        vec3 up = quat_rotate(w.orientations[1], w.planes[0].normal), center = proxy_center(&view, &w.proxies[0]);
        double height = vec3_dot(up, vec3_sub(center, w.centers[1])) - 0.2, lowest = CHECK_INFINITY;
        oval o = oval_of(&w, 0);
        for (int i = 0; i < 500; i++) { // points of the surface, none of them lower than the support point
            vec3 on = quat_rotate(o.orientation, vec3_multiply(o.radii, sphere_spiral(i, 500)));
            lowest = fmin(lowest, height + vec3_dot(up, on));
        }
        points p = collide(&w, 0, 1);
        if (lowest < 0.29)
            assert_int_equal(p.count, 1);
        if (p.count == 0)
            continue;
        assert_at_most((double)p.data[0].gap, lowest + 1e-6);
        assert_at_least((double)p.data[0].gap, lowest - 0.02);
        assert_vec3_near(vec3_from_f(p.data[0].normal), vec3_negate(up), 1e-6);
        vec3 point = vec3_add(w.centers[0], vec3_from_f(p.data[0].arm));
        vec3 surface = vec3_add_scaled(vec3_sub(point, center), up, 0.5 * (double)p.data[0].gap);
        vec3 own = quat_rotate_back(o.orientation, surface);
        vec3 round = {own.x / o.radii.x, own.y / o.radii.y, own.z / o.radii.z};
        assert_near(vec3_length(round), 1, 1e-5); // on the ellipsoid
        assert_near(vec3_dot(up, vec3_sub(point, w.centers[1])) - 0.2, 0.5 * (double)p.data[0].gap, 1e-5);
    }
}

// Equation (12): no point of the surface is outside the bounds, and each side is touched.
static void test_bounds(void **state)
{
    (void)state;
    random_stream random = {65};
    for (int trial = 0; trial < 200; trial++) {
        world w = {0};
        add_ellipsoid(&w, add_body(&w, random_vec(&random, 1), random_rotation(&random), 0),
                      random_oval(&random, 20).radii, NULL);
        proxy_view view = world_view(&w);
        vec3 half = proxy_half_extents(&view, &w.proxies[0]);
        oval o = oval_of(&w, 0);
        for (int i = 0; i < 300; i++) {
            vec3 on = quat_rotate(o.orientation, vec3_multiply(o.radii, sphere_spiral(i, 300)));
            assert_true(fabs(on.x) <= half.x * (1 + 1e-6) && fabs(on.y) <= half.y * (1 + 1e-6) &&
                        fabs(on.z) <= half.z * (1 + 1e-6));
        }
        assert_relative(oval_support(&o, vec3_make(1, 0, 0)).x, half.x, 1e-6);
        assert_relative(oval_support(&o, vec3_make(0, 1, 0)).y, half.y, 1e-6);
        assert_relative(oval_support(&o, vec3_make(0, 0, -1)).z, -half.z, 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_pairs),  cmocka_unit_test(test_sides), cmocka_unit_test(test_exact_touch),
        cmocka_unit_test(test_methods_agree), cmocka_unit_test(test_plane), cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
