// The narrow phase as a whole: order, pairs given the other way round, compound bodies, and places far from the origin.
#include "narrow_support.h"

static const scree_shape_type TYPES[] = {SCREE_SHAPE_SPHERE, SCREE_SHAPE_BOX, SCREE_SHAPE_PLANE};

static proxy *add_any(world *w, random_stream *random, scree_shape_type type, uint32_t body, const local_pose *local)
{
    if (type == SCREE_SHAPE_SPHERE)
        return add_sphere(w, body, random_between(random, 0.3, 0.8), local);
    if (type == SCREE_SHAPE_BOX)
        return add_box(w, body, vec3_make(random_between(random, 0.3, 0.8), 0.5, 0.6), local);
    return add_plane(w, body, random_direction(random), random_between(random, -0.5, 0.5), local);
}

static void random_pair(world *w, random_stream *random, scree_shape_type a, scree_shape_type b)
{
    *w = (world){0};
    for (int i = 0; i < 2; i++) {
        local_pose local = {random_vec(random, 0.3), random_rotation(random)};
        uint32_t body = add_body(w, random_vec(random, 0.8), random_rotation(random), 0.05f);
        add_any(w, random, i ? b : a, body, random_unit(random) < 0.5 ? &local : NULL);
    }
}

// Every point of (b, a) is one of (a, b) seen from the other side, by the same name.
static void test_turned_pairs_mirror(void **state)
{
    (void)state;
    random_stream random = {61};
    size_t seen = 0;
    for (int trial = 0; trial < 6000; trial++) {
        world w;
        scree_shape_type a = TYPES[trial % 3], b = trial % 4 ? TYPES[(trial + 1) % 3] : SCREE_SHAPE_BOX;
        random_pair(&w, &random, a, b);
        points ab = collide(&w, 0, 1), ba = collide(&w, 1, 0);
        assert_int_equal(ab.count, ba.count);
        vec3 between = vec3_sub(w.centers[0], w.centers[1]);
        for (size_t i = 0; i < ab.count; i++) {
            assert_int_equal(ab.data[i].feature, ba.data[i].feature);
            assert_true(ab.data[i].gap == ba.data[i].gap);
            assert_vec3_near(vec3_from_f(ba.data[i].normal), vec3_negate(vec3_from_f(ab.data[i].normal)), 0);
            assert_vec3_near(vec3_from_f(ba.data[i].arm), vec3_add(vec3_from_f(ab.data[i].arm), between), 1e-6);
        }
        seen += ab.count;
    }
    assert_true(seen > 3000);
}

static void test_turned_spheres_mirror(void **state)
{
    (void)state;
    random_stream random = {67};
    for (int trial = 0; trial < 3000; trial++) {
        world w;
        random_pair(&w, &random, SCREE_SHAPE_SPHERE, SCREE_SHAPE_SPHERE);
        points ab = collide(&w, 0, 1), ba = collide(&w, 1, 0);
        assert_int_equal(ab.count, ba.count);
        if (ab.count == 0)
            continue;
        assert_near((double)ab.data[0].gap, (double)ba.data[0].gap, 1e-6);
        assert_vec3_near(vec3_from_f(ba.data[0].normal), vec3_negate(vec3_from_f(ab.data[0].normal)), 1e-6);
        vec3 between = vec3_sub(w.centers[0], w.centers[1]);
        assert_vec3_near(vec3_from_f(ba.data[0].arm), vec3_add(vec3_from_f(ab.data[0].arm), between), 1e-6);
    }
}

// Moving both bodies by the same rigid motion turns arms and normals with it and changes nothing else. Far away the
// positions themselves have only about ten digits, which bounds what can be asked.
static void check_moved(random_stream *random, double distance, double tolerance)
{
    size_t seen = 0;
    for (int trial = 0; trial < 6000; trial++) {
        world w, moved;
        scree_shape_type a = TYPES[trial % 2], b = TYPES[trial / 2 % 3];
        random_pair(&w, random, a, b);
        moved = w;
        vec3 shift = vec3_scale(random_direction(random), distance);
        quat turn = random_rotation(random);
        for (int body = 0; body < 2; body++) {
            moved.centers[body] = vec3_add(shift, quat_rotate(turn, w.centers[body]));
            moved.orientations[body] = quat_multiply(turn, w.orientations[body]);
        }
        points p = collide(&w, 0, 1), q = collide(&moved, 0, 1);
        bool on_margin = false; // of the outcome: then either is right
        for (size_t i = 0; i < p.count; i++)
            on_margin = on_margin || fabs((double)p.data[i].gap - 0.1) < 1e-5;
        for (size_t i = 0; i < q.count; i++)
            on_margin = on_margin || fabs((double)q.data[i].gap - 0.1) < 1e-5;
        if (on_margin)
            continue;
        assert_int_equal(p.count, q.count);
        for (size_t i = 0; i < p.count; i++) {
            assert_int_equal(p.data[i].feature, q.data[i].feature);
            assert_near((double)q.data[i].gap, (double)p.data[i].gap, tolerance);
            assert_vec3_near(vec3_from_f(q.data[i].normal), quat_rotate(turn, vec3_from_f(p.data[i].normal)), 1e-4);
            assert_vec3_near(vec3_from_f(q.data[i].arm), quat_rotate(turn, vec3_from_f(p.data[i].arm)), 1e-4);
        }
        seen += p.count;
    }
    assert_true(seen > 3000);
}

static void test_moving_frames(void **state)
{
    (void)state;
    random_stream random = {71};
    check_moved(&random, 10, 1e-6);
}

static void test_far_from_the_origin(void **state)
{
    (void)state;
    random_stream random = {73};
    check_moved(&random, 1e6, 2e-6);
}

// Bodies of all types, one or two shapes each, in a heap.
static void random_heap(world *w, random_stream *random)
{
    *w = (world){0};
    for (int i = 0; i < 60; i++) {
        uint32_t body = add_body(w, random_vec(random, 1.5), random_rotation(random), 0.05f);
        int shapes = i % 3 == 0 ? 3 : 1;
        for (int s = 0; s < shapes; s++) {
            local_pose local = {random_vec(random, 0.5), random_rotation(random)};
            scree_shape_type type = random_unit(random) < 0.1 ? SCREE_SHAPE_PLANE : TYPES[random_bits(random) % 2];
            add_any(w, random, type, body, shapes > 1 ? &local : NULL)->ordinal = (uint8_t)s;
        }
    }
}

static size_t all_pairs(const world *w, random_stream *random, proxy_pair *pairs)
{
    size_t count = 0;
    for (uint32_t a = 0; a < w->proxy_count; a++)
        for (uint32_t b = a + 1; b < w->proxy_count; b++)
            if (w->proxies[a].body != w->proxies[b].body)
                pairs[count++] = random_unit(random) < 0.5 ? (proxy_pair){a, b} : (proxy_pair){b, a};
    return count;
}

// A long mixed list gives the same points, in the same order, as its pairs one by one.
static void test_order_of_pairs_is_kept(void **state)
{
    (void)state;
    random_stream random = {79};
    world w;
    random_heap(&w, &random);
    static proxy_pair pairs[WORLD_MAX * WORLD_MAX];
    size_t count = all_pairs(&w, &random, pairs);
    proxy_view view = world_view(&w);
    contact_array all = {0}, single = {0};
    assert_true(narrow_phase(&view, pairs, count, &all));
    assert_true(all.count > 1000);
    for (size_t i = 0; i < count; i++)
        assert_true(narrow_phase(&view, &pairs[i], 1, &single));
    assert_int_equal(all.count, single.count);
    for (size_t i = 0; i < all.count; i++)
        assert_memory_equal(&all.data[i], &single.data[i], sizeof(contact));
    // What was in `out` before stays.
    size_t before = all.count;
    assert_true(narrow_phase(&view, pairs, 10, &all));
    assert_memory_equal(all.data, single.data, before * sizeof(contact));
    assert_true(narrow_phase(&view, pairs, 0, &all));
    array_free(&all);
    array_free(&single);
}

// No two points of a pair of bodies have the same name, however many shapes touch.
static void test_features_of_compounds_differ(void **state)
{
    (void)state;
    random_stream random = {83};
    world w;
    random_heap(&w, &random);
    static proxy_pair pairs[WORLD_MAX * WORLD_MAX];
    size_t count = 0, same_bodies = 0;
    for (uint32_t a = 0; a < w.proxy_count; a++)
        for (uint32_t b = a + 1; b < w.proxy_count; b++)
            if (w.proxies[a].body != w.proxies[b].body && w.proxies[a].type <= w.proxies[b].type)
                pairs[count++] = (proxy_pair){a, b};
    proxy_view view = world_view(&w);
    contact_array all = {0};
    assert_true(narrow_phase(&view, pairs, count, &all));
    for (size_t i = 0; i < all.count; i++)
        for (size_t k = 0; k < i; k++)
            if (all.data[i].a == all.data[k].a && all.data[i].b == all.data[k].b) {
                same_bodies++;
                assert_int_not_equal(all.data[i].feature, all.data[k].feature);
            }
    assert_true(same_bodies > 1000);
    array_free(&all);
}

static void test_ordinals_leave_single_shapes_alone(void **state)
{
    (void)state;
    world w = {0};
    add_box(&w, add_body(&w, vec3_make(0, 0, 0), quat_identity(), 0.1f), vec3_make(1, 1, 1), NULL);
    add_plane(&w, add_body(&w, vec3_make(0, 0, -1), quat_identity(), 0), vec3_make(0, 0, 1), 0, NULL);
    points plain = collide(&w, 0, 1);
    w.proxies[0].ordinal = 7;
    w.proxies[1].ordinal = 9;
    points named = collide(&w, 0, 1);
    assert_int_equal(plain.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(plain.data[i].feature, i);
        assert_int_not_equal(named.data[i].feature, i);
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(named.data[i].feature, named.data[k].feature);
    }
}

static void test_planes_do_not_meet(void **state)
{
    (void)state;
    world w = {0};
    for (int i = 0; i < 2; i++)
        add_plane(&w, add_body(&w, vec3_make(0, 0, 0), quat_identity(), 1), vec3_make(0, i, 1 - i), 0, NULL);
    assert_int_equal(collide(&w, 0, 1).count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turned_pairs_mirror),
        cmocka_unit_test(test_turned_spheres_mirror),
        cmocka_unit_test(test_moving_frames),
        cmocka_unit_test(test_far_from_the_origin),
        cmocka_unit_test(test_order_of_pairs_is_kept),
        cmocka_unit_test(test_features_of_compounds_differ),
        cmocka_unit_test(test_ordinals_leave_single_shapes_alone),
        cmocka_unit_test(test_planes_do_not_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
