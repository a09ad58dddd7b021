// The broad phase against brute force on random worlds: every overlapping pair is there, once, and little else.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "collide/broad/broad.h"
#include "collide/broad/broad_query.h"
#include "geometry/shape.h"

enum { MOST = 4096 };

typedef struct test_world {
    proxy proxies[MOST];
    local_pose locals[MOST];
    plane_geometry planes[8];
    scree_geometry *hull; // of every hull
    vec3 centers[MOST];
    quat orientations[MOST];
    float margins[MOST];
    uint8_t immovable[MOST];
    size_t proxy_count, body_count, local_count, plane_count;
} test_world;

static proxy_view view_of(const test_world *world)
{
    return (proxy_view){
        .proxies = world->proxies,
        .proxy_count = world->proxy_count,
        .locals = world->locals,
        .planes = world->planes,
        .geometries = (const scree_geometry *const *)&world->hull,
        .geometry_count = 1,
        .centers = world->centers,
        .orientations = world->orientations,
        .margins = world->margins,
        .immovable = world->immovable,
        .body_count = world->body_count,
    };
}

static quat random_quat(random_stream *stream)
{
    quat q = {random_between(stream, -1, 1), random_between(stream, -1, 1), random_between(stream, -1, 1), 0.3};
    return quat_normalize(q);
}

static void add_body(test_world *world, random_stream *stream, vec3 center, double size, bool boxes, size_t shapes)
{
    uint32_t body = (uint32_t)world->body_count++;
    world->centers[body] = center;
    world->orientations[body] = random_quat(stream);
    world->margins[body] = (float)(random_unit(stream) * 0.05 * size);
    world->immovable[body] = random_unit(stream) < 0.1;
    for (size_t i = 0; i < shapes; i++) {
        proxy p = {.body = body, .type = SCREE_SHAPE_SPHERE, .ordinal = i & 0x1ffff};
        p.size[0] = p.size[1] = p.size[2] = (float)size;
        if (boxes && random_unit(stream) < 0.5) {
            p.type = SCREE_SHAPE_BOX;
            p.size[1] = (float)(size * random_between(stream, 0.2, 1));
        }
        if (i > 0) {
            p.local = (uint32_t)world->local_count;
            vec3 offset = {size * random_unit(stream), size * random_unit(stream), 0};
            world->locals[world->local_count++] = (local_pose){offset, random_quat(stream)};
        }
        world->proxies[world->proxy_count++] = p;
    }
}

static void add_plane(test_world *world, vec3 normal, double offset)
{
    uint32_t body = (uint32_t)world->body_count++;
    world->centers[body] = vec3_make(0, 0, 0);
    world->orientations[body] = quat_identity();
    world->margins[body] = 0;
    world->immovable[body] = 1;
    proxy p = {.body = body, .type = SCREE_SHAPE_PLANE};
    p.geometry = (uint32_t)world->plane_count;
    world->planes[world->plane_count++] = (plane_geometry){vec3_normalize(normal), offset};
    world->proxies[world->proxy_count++] = p;
}

static test_world *new_world(void)
{
    test_world *world = calloc(1, sizeof *world);
    world->locals[world->local_count++] = (local_pose){{0, 0, 0}, {1, 0, 0, 0}};
    return world;
}

static double plane_height(const test_world *world, const proxy *plane, const proxy *other, vec3 half)
{
    proxy_view view = view_of(world);
    vec3 normal = world->planes[plane->geometry].normal;
    double reach = fabs(normal.x) * half.x + fabs(normal.y) * half.y + fabs(normal.z) * half.z;
    if (other->type == SCREE_SHAPE_SPHERE)
        reach = (double)other->size[0];
    return vec3_dot(normal, proxy_center(&view, other)) - world->planes[plane->geometry].offset - reach;
}

// Distance of the bounds along the worst axis, margins taken off: at most 0 when the pair must be found. Spheres are
// their own bounds against spheres and planes.
static double bounds_gap(const test_world *world, const proxy *a, const proxy *b)
{
    proxy_view view = view_of(world);
    double margin = (double)world->margins[a->body] + (double)world->margins[b->body];
    if (a->type == SCREE_SHAPE_PLANE)
        return plane_height(world, a, b, proxy_half_extents(&view, b)) - margin;
    if (b->type == SCREE_SHAPE_PLANE)
        return plane_height(world, b, a, proxy_half_extents(&view, a)) - margin;
    vec3 between = vec3_sub(proxy_center(&view, a), proxy_center(&view, b));
    if (a->type == SCREE_SHAPE_SPHERE && b->type == SCREE_SHAPE_SPHERE)
        return vec3_length(between) - (double)a->size[0] - (double)b->size[0] - margin;
    vec3 half = vec3_add(proxy_half_extents(&view, a), proxy_half_extents(&view, b));
    double x = fabs(between.x) - half.x, y = fabs(between.y) - half.y, z = fabs(between.z) - half.z;
    return fmax(x, fmax(y, z)) - margin;
}

static bool may_pair(const test_world *world, const proxy *a, const proxy *b)
{
    return a->body != b->body && !(world->immovable[a->body] && world->immovable[b->body]);
}

static void compare_with_brute_force(const test_world *world, double smallest)
{
    proxy_view view = view_of(world);
    arena scratch = {0};
    proxy_pair *pairs;
    size_t count, n = world->proxy_count;
    assert_int_equal(broad_phase(&view, 1, &scratch, &pairs, &count, NULL), SCREE_OK);
    uint8_t *found = calloc(n, n);
    uint32_t last = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t a = pairs[i].a, b = pairs[i].b;
        assert_true(world->proxies[a].body >= last);
        last = world->proxies[a].body;
        found[a * n + b]++;
        found[b * n + a]++;
        assert_true(may_pair(world, &world->proxies[a], &world->proxies[b]));
        assert_true(bounds_gap(world, &world->proxies[a], &world->proxies[b]) < 0.02 * smallest + 1e-9);
    }
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 1; b < n; b++) {
            const proxy *p = &world->proxies[a], *q = &world->proxies[b];
            assert_true(found[a * n + b] <= 1);
            if (may_pair(world, p, q) && bounds_gap(world, p, q) <= 0)
                assert_int_equal(found[a * n + b], 1);
        }
    free(found);
    arena_free(&scratch);
}

static void test_random_worlds_of_all_size_ratios(void **state)
{
    (void)state;
    static const double ratios[] = {1, 2, 10, 100, 1000};
    for (uint64_t seed = 1; seed <= 25; seed++) {
        random_stream stream = {seed};
        double ratio = ratios[seed % 5];
        test_world *world = new_world();
        double smallest = HUGE_VAL;
        for (int i = 0; i < 600; i++) {
            double size = exp(log(ratio) * random_unit(&stream) * random_unit(&stream));
            double width = 8 * cbrt(ratio);
            vec3 center = {random_between(&stream, -width, width), random_between(&stream, -width, width),
                           random_between(&stream, -width, width)};
            add_body(world, &stream, center, size, true, 1 + (size_t)(3 * random_unit(&stream)));
            smallest = fmin(smallest, size);
        }
        add_plane(world, vec3_make(0, 0, 1), 0);
        add_plane(world, vec3_make(1, 0.3, -0.2), 3);
        compare_with_brute_force(world, smallest);
        free(world);
    }
}

static void test_far_from_the_origin_and_far_apart(void **state)
{
    (void)state;
    static const double places[] = {0, 1e6, -3e9, 7e7};
    random_stream stream = {5};
    test_world *world = new_world();
    for (int place = 0; place < 4; place++)
        for (int i = 0; i < 150; i++) {
            vec3 center = {places[place] + random_between(&stream, -4, 4), random_between(&stream, -4, 4),
                           places[place] * 0.5 + random_between(&stream, -4, 4)};
            add_body(world, &stream, center, 0.5, true, 1);
        }
    compare_with_brute_force(world, 0.5);
    free(world);
}

// Neighbours on both sides of cell borders, of the origin, and of the places where 32-bit coordinates wrap.
static void test_lattices_across_borders(void **state)
{
    (void)state;
    static const double origins[] = {0, 2147483648.0 / 4096, -2147483648.0 / 4096, 4294967296.0 / 4096};
    for (int k = 0; k < 4; k++) {
        random_stream stream = {1};
        test_world *world = new_world();
        for (int i = 0; i < 512; i++) {
            vec3 center = {origins[k] + i % 8 - 4, i / 8 % 8 - 4, origins[k] + i / 64 - 4};
            add_body(world, &stream, center, 0.5, false, 1);
            world->margins[i] = 0;
            world->immovable[i] = 0;
        }
        compare_with_brute_force(world, 0.5);
        free(world);
    }
}

// A crowd of shapes of one body, or of fixed ones, and a few balls: right, and without comparing the crowd with itself.
static void test_crowds_are_not_compared_with_themselves(void **state)
{
    (void)state;
    for (int fixed = 0; fixed < 3; fixed++) { // one free body, one fixed, many fixed
        random_stream stream = {(uint64_t)fixed + 9};
        test_world *world = new_world();
        for (int i = 0; i < (fixed == 2 ? 2000 : 1); i++) {
            vec3 center = {random_between(&stream, 0, 8), random_between(&stream, 0, 8), 0};
            add_body(world, &stream, fixed == 2 ? center : vec3_make(4, 4, 0), 0.5, false, fixed == 2 ? 1 : 2000);
            world->immovable[world->body_count - 1] = fixed > 0;
        }
        for (size_t i = 1; i < world->local_count; i++)
            world->locals[i].position = vec3_make(random_between(&stream, -4, 4), random_between(&stream, -4, 4), 0);
        for (int i = 0; i < 5; i++) {
            add_body(world, &stream, vec3_make(1.5 * i, 4, 0.7), 0.3 + 0.2 * i, i == 2, 1);
            world->immovable[world->body_count - 1] = 0;
        }
        compare_with_brute_force(world, 0.3);
        free(world);
    }
}

static void count_hits(hit_list *hits)
{
    *(size_t *)hits->context += hits->count;
    hits->count = 0;
}

static size_t hits_of(const broad_grid *grid)
{
    size_t total = 0;
    static hit_list hits;
    hits = (hit_list){.flush = count_hits, .context = &total};
    for (uint32_t i = 0; i < grid->view->proxy_count; i++) {
        grid_query q = {.rank = grid->rank[i], .cell = grid->cell[i]};
        q.at = grid_box_at(grid, proxy_center(grid->view, &grid->view->proxies[i]));
        query_kernels_here()->query(grid, &q, 1, false, &hits);
    }
    count_hits(&hits);
    return total;
}

static void test_owners_save_hits(void **state)
{
    (void)state;
    random_stream stream = {3};
    test_world *world = new_world();
    add_body(world, &stream, vec3_make(0, 0, 0), 0.5, false, 3000);
    for (size_t i = 1; i < world->local_count; i++)
        world->locals[i].position = vec3_make(random_between(&stream, 0, 20), random_between(&stream, 0, 20), 0);
    add_body(world, &stream, vec3_make(3, 3, 0.5), 0.5, false, 1);
    world->immovable[0] = world->immovable[1] = 0;
    proxy_view view = view_of(world);
    arena scratch = {0};
    broad_grid grid;
    assert_int_equal(grid_plan(&grid, &view, 1, &scratch, NULL), SCREE_OK);
    assert_true(grid.crowded);
    assert_int_equal(grid_fill(&grid, GRID_FOR_PAIRS, 1, &scratch, NULL), SCREE_OK);
    size_t without = hits_of(&grid);
    assert_int_equal(grid_find_owners(&grid, 1, &scratch, NULL), SCREE_OK);
    size_t with = hits_of(&grid);
    if (!(with > 0 && 50 * with < without))
        fail_msg("%zu hits with owners, %zu without", with, without);
    arena_free(&scratch);
    free(world);
}

static void test_same_order_on_any_number_of_threads(void **state)
{
    (void)state;
    random_stream stream = {9};
    test_world *world = new_world();
    for (int i = 0; i < 2000; i++) {
        vec3 center = {random_between(&stream, 0, 12), random_between(&stream, 0, 12), random_between(&stream, 0, 12)};
        add_body(world, &stream, center, random_between(&stream, 0.1, 0.5), true, 1);
    }
    proxy_view view = view_of(world);
    arena one = {0};
    proxy_pair *expected;
    size_t expected_count;
    assert_int_equal(broad_phase(&view, 1, &one, &expected, &expected_count, NULL), SCREE_OK);
    assert_true(expected_count > 1000);
    for (int threads = 2; threads <= 3; threads++) {
        arena scratch = {0};
        proxy_pair *pairs;
        size_t count;
        assert_int_equal(broad_phase(&view, threads, &scratch, &pairs, &count, NULL), SCREE_OK);
        assert_int_equal(count, expected_count);
        assert_memory_equal(pairs, expected, count * sizeof *pairs);
        arena_free(&scratch);
    }
    arena_free(&one);
    free(world);
}

static void test_more_pairs_than_foreseen(void **state)
{
    (void)state;
    random_stream stream = {3};
    test_world *world = new_world();
    for (int i = 0; i < 200; i++) // all in one heap: about 20,000 pairs
        add_body(world, &stream, vec3_make(random_unit(&stream), 0, 0), 1, false, 1);
    compare_with_brute_force(world, 1);
    free(world);
}

enum { CROWD_OF_SPHERES, CROWD_OF_BOXES, CROWD_OF_CONES, CROWD_OF_HULLS, SHEAF_OF_NEEDLES, CROWDS };

// An octahedron: the ball within it has 0.58 of the radius of the ball about it.
static scree_geometry *new_octahedron(void)
{
    static const scree_vec3 tips[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    scree_geometry *hull;
    assert_int_equal(scree_hull_create(tips, 6, &hull, NULL), SCREE_OK);
    return hull;
}

// In a row of half their size, a good part of each in each.
static void make_crowd_of(test_world *world, int kind)
{
    if (kind == CROWD_OF_HULLS)
        world->hull = new_octahedron();
    for (size_t i = 0; i < world->proxy_count; i++) {
        proxy *p = &world->proxies[i];
        p->type = kind == CROWD_OF_HULLS ? SCREE_SHAPE_HULL : SCREE_SHAPE_CONE;
        if (kind == CROWD_OF_HULLS)
            p->geometry = 0;
        world->centers[i].x *= 0.5;
    }
}

// Needles side by side lie in each other's bounds, not in each other.
static test_world *new_crowd(int kind)
{
    random_stream stream = {3};
    test_world *world = new_world();
    for (int i = 0; i < 400; i++) { // half of them spheres where there are boxes
        add_body(world, &stream, vec3_make(random_unit(&stream), 0, 0), 1, kind == CROWD_OF_BOXES, 1);
        if (kind != SHEAF_OF_NEEDLES)
            continue;
        proxy *needle = &world->proxies[i];
        needle->type = SCREE_SHAPE_BOX;
        needle->size[0] = 2;
        needle->size[1] = needle->size[2] = 0.001f;
        world->centers[i] = vec3_make(0, 0.004 * (i % 20), 0.004 * (int)(i / 20));
    }
    if (kind == CROWD_OF_HULLS || kind == CROWD_OF_CONES)
        make_crowd_of(world, kind);
    return world;
}

static void test_crowds_are_refused(void **state)
{
    (void)state;
    for (int kind = 0; kind < CROWDS; kind++) {
        test_world *world = new_crowd(kind);
        proxy_view view = view_of(world);
        arena scratch = {0};
        proxy_pair *pairs;
        size_t slot, again;
        scree_status status = broad_phase(&view, 2, &scratch, &pairs, &slot, NULL);
        assert_int_equal(broad_phase(&view, 1, &scratch, &pairs, &again, NULL), status);
        assert_int_equal(again, slot);
        assert_int_equal(status, kind == SHEAF_OF_NEEDLES ? SCREE_OK : SCREE_ERROR_INVALID);
        assert_true(kind == SHEAF_OF_NEEDLES || slot < world->body_count);
        arena_free(&scratch);
        scree_geometry_release(world->hull);
        free(world);
    }
}

static void test_a_body_outside_the_representable_world_is_reported(void **state)
{
    (void)state;
    random_stream stream = {3};
    test_world *world = new_world();
    add_body(world, &stream, vec3_make(0, 0, 0), 1e-3, false, 1);
    add_body(world, &stream, vec3_make(1e12, 0, 0), 1e-3, false, 1);
    proxy_view view = view_of(world);
    arena scratch = {0};
    proxy_pair *pairs;
    size_t count;
    scree_error error;
    assert_int_equal(broad_phase(&view, 1, &scratch, &pairs, &count, &error), SCREE_ERROR_DIVERGED);
    static const double nowhere[] = {HUGE_VAL, -HUGE_VAL, (double)NAN, 1e300};
    for (int i = 0; i < 4; i++) {
        world->centers[1].x = nowhere[i];
        assert_int_equal(broad_phase(&view, 1, &scratch, &pairs, &count, &error), SCREE_ERROR_DIVERGED);
        world->centers[0].x = nowhere[i]; // all of them
        assert_int_equal(broad_phase(&view, 1, &scratch, &pairs, &count, &error), SCREE_ERROR_DIVERGED);
        world->centers[0].x = 0;
    }
    arena_free(&scratch);
    free(world);
}

static void test_nothing_to_do(void **state)
{
    (void)state;
    test_world *world = new_world();
    add_plane(world, vec3_make(0, 0, 1), 0);
    compare_with_brute_force(world, 1);
    free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_worlds_of_all_size_ratios),
        cmocka_unit_test(test_far_from_the_origin_and_far_apart),
        cmocka_unit_test(test_lattices_across_borders),
        cmocka_unit_test(test_crowds_are_not_compared_with_themselves),
        cmocka_unit_test(test_owners_save_hits),
        cmocka_unit_test(test_same_order_on_any_number_of_threads),
        cmocka_unit_test(test_more_pairs_than_foreseen),
        cmocka_unit_test(test_crowds_are_refused),
        cmocka_unit_test(test_a_body_outside_the_representable_world_is_reported),
        cmocka_unit_test(test_nothing_to_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
