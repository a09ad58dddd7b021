// Spheres to contacts in one sweep: against all pairs tried one by one, in double.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "collide/broad/broad_query.h"
#include "collide/broad/broad_spheres.h"
#include "collide/narrow/narrow_pair.h"

enum { MOST = 3000 };

typedef struct ball_world {
    proxy proxies[MOST];
    vec3 centers[MOST];
    float margins[MOST];
    uint8_t immovable[MOST];
    size_t count;
} ball_world;

static ball_world *new_world(void)
{
    return calloc(1, sizeof(ball_world));
}

static void add_ball(ball_world *world, vec3 center, double radius, double margin)
{
    uint32_t body = (uint32_t)world->count++;
    world->centers[body] = center;
    world->margins[body] = (float)margin;
    world->proxies[body] = (proxy){.size = {(float)radius},
                                   .body = body,
                                   .type = SCREE_SHAPE_SPHERE,
                                   .material = body % 7 & 1023,
                                   .ordinal = body % 3 & 0x1ffff};
}

static proxy_view view_of(const ball_world *world)
{
    return (proxy_view){.proxies = world->proxies,
                        .proxy_count = world->count,
                        .centers = world->centers,
                        .margins = world->margins,
                        .immovable = world->immovable,
                        .body_count = world->count};
}

static double pair_gap(const ball_world *world, size_t a, size_t b)
{
    return vec3_length(vec3_sub(world->centers[b], world->centers[a])) -
           ((double)world->proxies[a].size[0] + (double)world->proxies[b].size[0]);
}

static void check_point(const ball_world *world, const contact *c)
{
    vec3 between = vec3_sub(world->centers[c->b], world->centers[c->a]), normal = vec3_from_f(c->normal);
    double distance = vec3_length(between), gap = pair_gap(world, c->a, c->b);
    double size = (double)world->proxies[c->a].size[0] + (double)world->proxies[c->b].size[0];
    assert_true(fabs((double)c->gap - gap) <= 1e-7 * (fabs(gap) + 1e-30));
    assert_true(fabs(vec3_length(normal) - 1) < 1e-6);
    if (distance > 1e-100)
        assert_true(fabs(vec3_dot(normal, between) - distance) <= 1e-6 * distance);
    double arm = vec3_dot(vec3_from_f(c->arm), normal);
    assert_true(fabs(arm - ((double)world->proxies[c->a].size[0] + 0.5 * gap)) <= 1e-6 * size);
    assert_int_equal(c->material_a, world->proxies[c->a].material);
    assert_int_equal(c->material_b, world->proxies[c->b].material);
    assert_int_equal(c->feature, body_feature(world->proxies[c->a].ordinal, world->proxies[c->b].ordinal, 0));
    assert_true(c->impulse.x == 0 && c->impulse.y == 0 && c->impulse.z == 0);
}

static size_t compare_with_brute_force(const ball_world *world)
{
    size_t n = world->count;
    uint8_t *found = calloc(n, n);
    proxy_view view = view_of(world);
    sphere_detection detection = {0};
    assert_int_equal(sphere_contacts(&detection, &view, 1, NULL), SCREE_OK);
    size_t sum = 0;
    for (size_t p = 0; p < detection.piece_count; p++)
        for (size_t i = 0; i < detection.pieces[p].count; i++, sum++) {
            const contact *c = &detection.pieces[p].contacts[i];
            found[c->a * n + c->b]++;
            found[c->b * n + c->a]++;
            check_point(world, c);
        }
    assert_int_equal(sum, detection.count);
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 1; b < n; b++) {
            bool allowed = !(world->immovable[a] && world->immovable[b]);
            bool near = pair_gap(world, a, b) <= (double)world->margins[a] + (double)world->margins[b];
            assert_int_equal(found[a * n + b], allowed && near ? 1 : 0);
        }
    sphere_detection_free(&detection);
    free(found);
    return sum;
}

static vec3 random_place(random_stream *stream, double width)
{
    double x = random_between(stream, 0, width), y = random_between(stream, 0, width);
    return vec3_make(x, y, random_between(stream, 0, width));
}

static void test_random_worlds_of_all_size_ratios(void **state)
{
    (void)state;
    static const double ratios[] = {1, 3, 30, 1000, 10000};
    for (uint64_t seed = 0; seed < 15; seed++) {
        random_stream stream = {seed};
        ball_world *world = new_world();
        double ratio = ratios[seed % 5], width = 2 * cbrt(ratio) * 6;
        for (int i = 0; i < 1200; i++) {
            double size = exp(log(ratio) * random_unit(&stream) * random_unit(&stream));
            add_ball(world, random_place(&stream, width), size, seed % 2 ? 0.05 * random_unit(&stream) : 0);
            world->immovable[i] = seed % 3 == 0 && random_unit(&stream) < 0.2;
        }
        assert_true(compare_with_brute_force(world) > 100);
        free(world);
    }
}

// Centres that coincide, balls that contain others, and some that touch exactly: distances of whole numbers.
static void test_degenerate_pairs(void **state)
{
    (void)state;
    ball_world *world = new_world();
    for (int i = 0; i < 5; i++)
        add_ball(world, vec3_make(3, 4, 5), 1, 0);
    add_ball(world, vec3_make(3.5, 4, 5), 40, 0);
    for (int i = 0; i < 20; i++)
        add_ball(world, vec3_make(100 + 2 * i, 0, 0), 1, 0);
    add_ball(world, vec3_make(100, 3, 4), 4, 0); // 5 from the first of the row
    add_ball(world, vec3_make(100 - 3, 0, -4), 4, 0);
    assert_true(compare_with_brute_force(world) >= 10 + 5 + 19 + 2);
    free(world);
}

static void test_lattices_that_touch_exactly(void **state)
{
    (void)state;
    static const double places[] = {0, 1e5, -1e5, 524288};
    for (int k = 0; k < 4; k++) {
        ball_world *world = new_world();
        for (int i = 0; i < 1000; i++)
            add_ball(world, vec3_make(places[k] + i % 10, i / 10 % 10 - 5, places[k] + i / 100), 0.5, 0);
        assert_int_equal(compare_with_brute_force(world), 2700);
        free(world);
    }
}

// Far apart heaps, a few balls very far away, and balls on a wide lattice: places of the ring are shared.
static void test_scattered_worlds(void **state)
{
    (void)state;
    random_stream stream = {77};
    ball_world *world = new_world();
    for (int heap = 0; heap < 8; heap++)
        for (int i = 0; i < 150; i++)
            add_ball(world,
                     vec3_add(random_place(&stream, 5), vec3_scale(vec3_make(heap % 2, heap / 2 % 2, heap / 4), 1e7)),
                     0.5, 0);
    for (int i = 0; i < 600; i++)
        add_ball(world, vec3_make(64 * (i % 8) + i / 300, 64 * (i / 8 % 8), 64 * (i / 64)), 0.6, 0);
    for (int i = 0; i < 10; i++)
        add_ball(world, vec3_make(1e9 + 0.9 * i, -1e9, 1e8), 0.5, 0);
    assert_true(compare_with_brute_force(world) > 1000);
    free(world);
}

// A row, a wall and a few balls in a vast space: the ring is no larger than the balls need.
static void test_rings_are_as_small_as_the_world_is_empty(void **state)
{
    (void)state;
    random_stream stream = {4};
    for (int kind = 0; kind < 3; kind++) {
        ball_world *world = new_world();
        for (int i = 0; i < 1000; i++) {
            vec3 at = random_place(&stream, 1e6);
            at.y = kind < 2 ? 0.3 * random_unit(&stream) : at.y;
            at.z = kind < 1 ? 0.3 * random_unit(&stream) : at.z;
            add_ball(world, at, 0.5, 0);
            add_ball(world, vec3_add(at, vec3_make(0.6, 0.6, 0)), 0.5, 0);
        }
        assert_true(compare_with_brute_force(world) >= 1000);
        proxy_view view = view_of(world);
        arena scratch = {0};
        broad_grid grid;
        assert_int_equal(grid_plan(&grid, &view, 1, &scratch, NULL), SCREE_OK);
        assert_true(grid.cell_count <= 3 * world->count);
        arena_free(&scratch);
        free(world);
    }
}

static void test_same_points_on_any_number_of_threads(void **state)
{
    (void)state;
    random_stream stream = {5};
    ball_world *world = new_world();
    for (int i = 0; i < MOST; i++)
        add_ball(world, random_place(&stream, 14), random_between(&stream, 0.2, 1), 0);
    proxy_view view = view_of(world);
    sphere_detection one = {0};
    assert_int_equal(sphere_contacts(&one, &view, 1, NULL), SCREE_OK);
    contact *expected = malloc(one.count * sizeof *expected), *got = malloc(one.count * sizeof *got);
    for (int threads = 1; threads <= 3; threads++) {
        sphere_detection detection = {0};
        assert_int_equal(sphere_contacts(&detection, &view, threads, NULL), SCREE_OK);
        assert_int_equal(detection.count, one.count);
        contact *to = threads == 1 ? expected : got;
        for (size_t p = 0, at = 0; p < detection.piece_count; at += detection.pieces[p++].count)
            memcpy(to + at, detection.pieces[p].contacts, detection.pieces[p].count * sizeof *to);
        if (threads > 1)
            assert_memory_equal(got, expected, one.count * sizeof *got);
        sphere_detection_free(&detection);
    }
    free(expected);
    free(got);
    sphere_detection_free(&one);
    free(world);
}

typedef struct all_hits {
    uint64_t sum;
    size_t count;
} all_hits;

static void sum_hits(hit_list *hits)
{
    all_hits *all = hits->context;
    for (size_t i = 0; i < hits->count; i++)
        all->sum = all->sum * 31 + hits->a[i] * 7 + hits->b[i];
    all->count += hits->count;
    hits->count = 0;
}

// The plain loops, which other machines run, find what the wide ones of this machine find, in the same order.
static void check_builds_agree(double least_radius)
{
    random_stream stream = {6};
    ball_world *world = new_world();
    for (int i = 0; i < 2000; i++)
        add_ball(world, random_place(&stream, 10), random_between(&stream, least_radius, 0.8), 0);
    proxy_view view = view_of(world);
    arena scratch = {0};
    broad_grid grid;
    assert_int_equal(grid_plan(&grid, &view, 1, &scratch, NULL), SCREE_OK);
    assert_int_equal(grid_fill(&grid, GRID_FOR_SPHERE_CONTACTS, 1, &scratch, NULL), SCREE_OK);
    const query_kernels *builds[2] = {query_kernels_here(), &query_kernels_f32_baseline};
    all_hits all[2][2] = {{{0}}};
    for (int build = 0; build < 2; build++)
        for (int sparse = 0; sparse < 2; sparse++) {
            hit_list hits = {.flush = sum_hits, .context = &all[build][sparse]};
            for (uint32_t i = 0; i < grid.count; i++) {
                grid_query q = {i, grid.spheres[i].data.cell, grid_box_at(&grid, grid.spheres[i].center)};
                builds[build]->query(&grid, &q, 1, sparse, &hits);
            }
            sum_hits(&hits);
            assert_true(all[build][sparse].count > 2000);
            assert_memory_equal(&all[build][sparse], &all[0][0], sizeof all[0][0]);
        }
    arena_free(&scratch);
    free(world);
}

static void test_all_builds_of_the_loops_agree(void **state)
{
    (void)state;
    check_builds_agree(0.1);
    check_builds_agree(0.7); // one level
}

static void test_lost_spheres_are_refused(void **state)
{
    (void)state;
    const double places[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, 1e300, -1e300, 1e17, -1e17};
    for (int i = 0; i < 10; i++) {
        random_stream stream = {7};
        ball_world *world = new_world();
        for (int k = 0; k < 1000; k++)
            add_ball(world, random_place(&stream, 10), 0.5, 0);
        const float sizes[] = {(float)INFINITY, NAN};
        if (i < 7)
            world->centers[500].y = places[i];
        else if (i < 9)
            world->proxies[500].size[0] = sizes[i - 7];
        for (int k = 0; i == 9 && k < 1000; k++)
            world->centers[k].z += 1e18; // all of them
        proxy_view view = view_of(world);
        sphere_detection detection = {0};
        scree_error error;
        assert_int_equal(sphere_contacts(&detection, &view, 1, &error), SCREE_ERROR_DIVERGED);
        sphere_detection_free(&detection);
        free(world);
    }
}

static void test_other_shapes_are_refused(void **state)
{
    (void)state;
    ball_world *world = new_world();
    add_ball(world, vec3_make(0, 0, 0), 1, 0);
    proxy_view view = view_of(world);
    view.planes = &(plane_geometry){{0, 0, 1}, 0};
    world->proxies[0] = (proxy){.type = SCREE_SHAPE_BOX, .size = {1, 1, 1}};
    world->proxies[0].body = 0;
    quat axes = quat_identity();
    view.orientations = &axes;
    sphere_detection detection = {0};
    assert_int_equal(sphere_contacts(&detection, &view, 1, NULL), SCREE_ERROR_INVALID);
    sphere_detection_free(&detection);
    free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_worlds_of_all_size_ratios),
        cmocka_unit_test(test_degenerate_pairs),
        cmocka_unit_test(test_lattices_that_touch_exactly),
        cmocka_unit_test(test_scattered_worlds),
        cmocka_unit_test(test_rings_are_as_small_as_the_world_is_empty),
        cmocka_unit_test(test_same_points_on_any_number_of_threads),
        cmocka_unit_test(test_all_builds_of_the_loops_agree),
        cmocka_unit_test(test_lost_spheres_are_refused),
        cmocka_unit_test(test_other_shapes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
