// The tree against looking at every box: overlaps, nearest items and rays, and trees that are hard to build.
#include "../../physics/check.h"

#include <stdlib.h>

#include "geometry/bvh.h"
#include "random_pose.h"

enum { ITEMS = CHECK_SANITIZED ? 500 : 3000, TRIALS = CHECK_SANITIZED ? 100 : 500 };

typedef struct cloud {
    vec3 low[ITEMS], high[ITEMS];
    bvh_box boxes[ITEMS];
    size_t count;
    bvh tree;
} cloud;

static void cloud_build(cloud *c)
{
    for (size_t i = 0; i < c->count; i++)
        c->boxes[i] = bvh_box_around(c->low[i], c->high[i]);
    assert_true(bvh_build(&c->tree, c->boxes, c->count));
}

// Sizes over three decades; some boxes are flat, some are points.
static cloud *random_cloud(random_stream *random, size_t count)
{
    cloud *c = calloc(1, sizeof *c);
    c->count = count;
    for (size_t i = 0; i < count; i++) {
        vec3 half = vec3_scale(random_vec(random, 1), pow(10, random_between(random, -3, 0)));
        half = vec3_make(fabs(half.x), i % 5 == 0 ? 0 : fabs(half.y), i % 10 == 0 ? 0 : fabs(half.z));
        vec3 at = random_vec(random, 10);
        c->low[i] = vec3_sub(at, half);
        c->high[i] = vec3_add(at, half);
    }
    cloud_build(c);
    return c;
}

static void cloud_free(cloud *c)
{
    bvh_free(&c->tree);
    free(c);
}

static double distance_to(const cloud *c, size_t i, vec3 p)
{
    vec3 out = {fmax(fmax(c->low[i].x - p.x, p.x - c->high[i].x), 0),
                fmax(fmax(c->low[i].y - p.y, p.y - c->high[i].y), 0),
                fmax(fmax(c->low[i].z - p.z, p.z - c->high[i].z), 0)};
    return vec3_length(out);
}

// Every item in exactly one leaf, every box within its parent's, every leaf small.
static void check_tree(const cloud *c)
{
    const bvh *tree = &c->tree;
    uint8_t *seen = calloc(c->count + 1, 1);
    size_t items = 0;
    for (size_t n = 0; n < tree->nodes.count; n++) {
        const bvh_node *node = &tree->nodes.data[n];
        assert_true(node->count <= BVH_LEAF_MOST);
        for (uint32_t k = 0; k < node->count; k++) {
            uint32_t item = tree->items.data[node->first + k];
            assert_true(item < c->count && !seen[item]);
            seen[item] = 1;
            items++;
            for (int axis = 0; axis < 3; axis++)
                assert_true(node->low[axis] <= c->boxes[item].low[axis] &&
                            node->high[axis] >= c->boxes[item].high[axis]);
        }
        for (uint32_t k = 0; node->count == 0 && k < 2; k++)
            for (int axis = 0; axis < 3; axis++)
                assert_true(node->low[axis] <= tree->nodes.data[node->first + k].low[axis] &&
                            node->high[axis] >= tree->nodes.data[node->first + k].high[axis]);
    }
    assert_int_equal(items, c->count);
    free(seen);
}

static void test_boxes_round_outward(void **state)
{
    (void)state;
    random_stream random = {3};
    for (int i = 0; i < 10000; i++) {
        vec3 v = vec3_scale(random_vec(&random, 1), pow(10, random_between(&random, -12, 12)));
        bvh_box box = bvh_box_around(v, v);
        assert_true((double)box.low[0] <= v.x && (double)box.high[0] >= v.x);
        assert_at_most((double)box.high[0] - (double)box.low[0], 2.5e-7 * fabs(v.x));
    }
}

static void test_overlaps(void **state)
{
    (void)state;
    random_stream random = {5};
    cloud *c = random_cloud(&random, ITEMS);
    check_tree(c);
    size_t visited = 0, wanted = 0;
    uint8_t *given = malloc(c->count);
    for (int trial = 0; trial < TRIALS; trial++) {
        vec3 at = random_vec(&random, 11), half = {0.5, 0.8, random_between(&random, 0, 2)};
        vec3 low = vec3_sub(at, half), high = vec3_add(at, half);
        bvh_box box = bvh_box_around(low, high);
        memset(given, 0, c->count);
        bvh_walk walk = bvh_walk_box(&c->tree, &box);
        for (uint32_t item; bvh_next_in_box(&walk, &item); visited++) {
            assert_int_equal(given[item], 0);
            given[item] = 1;
        }
        for (size_t i = 0; i < c->count; i++) {
            bool overlaps = c->low[i].x <= high.x && c->high[i].x >= low.x && c->low[i].y <= high.y &&
                            c->high[i].y >= low.y && c->low[i].z <= high.z && c->high[i].z >= low.z;
            assert_true(!overlaps || given[i]);
            wanted += overlaps;
        }
    }
    assert_true(wanted > TRIALS / 10 && visited < (size_t)TRIALS * ITEMS / 10); // all of them, and not the whole tree
    free(given);
    cloud_free(c);
}

static void test_nearest(void **state)
{
    (void)state;
    random_stream random = {7};
    cloud *c = random_cloud(&random, ITEMS);
    size_t visited = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        vec3 p = random_vec(&random, 15);
        double brute = CHECK_INFINITY, found = trial % 2 ? CHECK_INFINITY : 2;
        for (size_t i = 0; i < c->count; i++)
            brute = fmin(brute, distance_to(c, i, p));
        bvh_search search = bvh_search_near(&c->tree, p);
        for (uint32_t item; bvh_next_near(&search, found, &item); visited++)
            found = fmin(found, distance_to(c, item, p));
        assert_true(found == (trial % 2 ? brute : fmin(brute, 2)));
    }
    assert_true(visited < (size_t)TRIALS * ITEMS / 10);
    cloud_free(c);
}

// Where a ray meets a box, by clipping in double.
static double entry_of(const cloud *c, size_t i, vec3 origin, vec3 direction)
{
    double enter = 0, leave = CHECK_INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        double at = vec3_get(origin, axis), d = vec3_get(direction, axis);
        double low = vec3_get(c->low[i], axis) - at, high = vec3_get(c->high[i], axis) - at;
        if (d == 0 && (low > 0 || high < 0))
            return CHECK_INFINITY;
        if (d != 0) {
            enter = fmax(enter, fmin(low / d, high / d));
            leave = fmin(leave, fmax(low / d, high / d));
        }
    }
    return enter <= leave ? enter : CHECK_INFINITY;
}

static void test_rays(void **state)
{
    (void)state;
    random_stream random = {11};
    cloud *c = random_cloud(&random, ITEMS);
    size_t visited = 0, hits = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        vec3 origin = random_vec(&random, 15), direction = vec3_scale(random_direction(&random), 3);
        if (trial % 3 == 0) { // along an axis, exactly over the edge of some box
            size_t i = random_bits(&random) % c->count;
            origin = vec3_make(-20, c->low[i].y, c->high[i].z);
            direction = vec3_make(2, 0, 0);
        }
        double brute = CHECK_INFINITY, found = CHECK_INFINITY;
        for (size_t i = 0; i < c->count; i++)
            brute = fmin(brute, entry_of(c, i, origin, direction));
        bvh_search search = bvh_search_along(&c->tree, origin, direction);
        for (uint32_t item; bvh_next_along(&search, found, &item); visited++)
            found = fmin(found, entry_of(c, item, origin, direction));
        assert_true(found == brute);
        hits += brute < CHECK_INFINITY;
    }
    assert_true(hits > TRIALS / 4 && visited < (size_t)TRIALS * ITEMS / 10);
    cloud_free(c);
}

// All in one place; each twice as far as the one before; few; none.
static void test_odd_trees(void **state)
{
    (void)state;
    cloud *c = calloc(1, sizeof *c);
    c->count = 300;
    cloud_build(c);
    check_tree(c);
    bvh_free(&c->tree);
    c->count = 120;
    for (size_t i = 0; i < c->count; i++)
        c->low[i] = c->high[i] = vec3_make(ldexp(1, (int)i - 60), 0, 0);
    cloud_build(c);
    check_tree(c);
    bvh_free(&c->tree);
    for (c->count = 1; c->count < 10; c->count++) {
        cloud_build(c);
        check_tree(c);
        bvh_free(&c->tree);
    }
    c->count = 0;
    cloud_build(c);
    bvh_box all = bvh_box_around(vec3_make(-1e9, -1e9, -1e9), vec3_make(1e9, 1e9, 1e9));
    bvh_walk walk = bvh_walk_box(&c->tree, &all);
    uint32_t item;
    assert_false(bvh_next_in_box(&walk, &item));
    bvh_search search = bvh_search_near(&c->tree, vec3_make(0, 0, 0));
    assert_false(bvh_next_near(&search, CHECK_INFINITY, &item));
    cloud_free(c);
}

static void test_equal_boxes_give_equal_trees(void **state)
{
    (void)state;
    random_stream random = {13}, again = {13};
    cloud *a = random_cloud(&random, ITEMS), *b = random_cloud(&again, ITEMS);
    assert_int_equal(a->tree.nodes.count, b->tree.nodes.count);
    assert_memory_equal(a->tree.nodes.data, b->tree.nodes.data, a->tree.nodes.count * sizeof(bvh_node));
    assert_memory_equal(a->tree.items.data, b->tree.items.data, a->tree.items.count * sizeof(uint32_t));
    cloud_free(a);
    cloud_free(b);
}

static void test_trees_in_scratch_memory_are_the_same(void **state)
{
    (void)state;
    random_stream random = {21};
    const size_t counts[] = {0, 1, 4, 5, 300};
    arena scratch = {0};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        cloud *c = random_cloud(&random, counts[k]);
        bvh tree;
        assert_true(bvh_build_in(&tree, c->boxes, c->count, &scratch));
        assert_int_equal(tree.nodes.count, c->tree.nodes.count);
        assert_int_equal(tree.items.count, c->tree.items.count);
        if (c->count > 0) {
            assert_memory_equal(tree.nodes.data, c->tree.nodes.data, tree.nodes.count * sizeof *tree.nodes.data);
            assert_memory_equal(tree.items.data, c->tree.items.data, tree.items.count * sizeof *tree.items.data);
        }
        cloud_free(c);
    }
    arena_free(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes_round_outward),
        cmocka_unit_test(test_overlaps),
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_rays),
        cmocka_unit_test(test_odd_trees),
        cmocka_unit_test(test_equal_boxes_give_equal_trees),
        cmocka_unit_test(test_trees_in_scratch_memory_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
