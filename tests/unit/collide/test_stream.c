// Streaming spheres box by box gives each contact of the whole collection once: those of all pairs tried one by one,
// in the same order whatever the boxes and the threads are.
#include "detect_support.h"

#include "base/random.h"

static const uint64_t memories[] = {1000000000, 2000000, 300000, 65536};

static kept_contacts detect(const scree_ball *balls, size_t count, scree_detector *detector)
{
    kept_contacts kept = {.list = {0}};
    scree_ball_source source = scree_ball_array(balls, count);
    scree_error error = {0};
    assert_int_equal(scree_detect_spheres(detector, &source, keep_contacts, &kept, &kept.result, &error), SCREE_OK);
    return kept;
}

static double radius_of(const scree_ball *ball)
{
    return (double)(float)ball->radius;
}

static void check_contact(const scree_ball *balls, const scree_detect_contact *c)
{
    const scree_ball *a = &balls[c->a], *b = &balls[c->b];
    vec3 between = vec3_sub(b->position, a->position);
    double distance = vec3_length(between), gap = distance - (radius_of(a) + radius_of(b));
    double size = radius_of(a) + radius_of(b);
    assert_true(c->gap == (double)(float)gap);
    vec3 normal = distance > 0 ? vec3_scale(between, 1 / distance) : vec3_make(0, 0, 1);
    assert_true(vec3_length(vec3_sub(normal, c->normal)) < 1e-6);
    vec3 point = vec3_add_scaled(a->position, normal, radius_of(a) + 0.5 * gap);
    assert_true(vec3_length(vec3_sub(point, c->point)) <= 1e-6 * size + 1e-15 * vec3_length(point));
}

static int compare_pairs(const void *left, const void *right)
{
    const scree_detect_contact *a = left, *b = right;
    return a->a != b->a ? (a->a < b->a ? -1 : 1) : (a->b > b->b) - (a->b < b->b);
}

// Contacts of all pairs, and no others.
static void check_all_pairs(const scree_ball *balls, size_t count, const kept_contacts *kept, double margin)
{
    scree_detect_contact *sorted = malloc((kept->list.count + 1) * sizeof *sorted), *next = sorted;
    memcpy(sorted, kept->list.data, kept->list.count * sizeof *sorted);
    qsort(sorted, kept->list.count, sizeof *sorted, compare_pairs);
    for (size_t a = 0; a < count; a++)
        for (size_t b = a + 1; b < count; b++) {
            double distance = vec3_length(vec3_sub(balls[b].position, balls[a].position));
            if (!((double)(float)(distance - (radius_of(&balls[a]) + radius_of(&balls[b]))) <= margin))
                continue;
            assert_true(next < sorted + kept->list.count && next->a == a && next->b == b);
            check_contact(balls, next++);
        }
    assert_true(next == sorted + kept->list.count);
    free(sorted);
}

// Every memory, on one to three threads, in order and as found, and by counting alone.
static void compare_with_brute_force(const scree_ball *balls, size_t count, double margin)
{
    uint64_t in_order = 0, set = 0;
    kept_contacts whole = {.list = {0}};
    for (int i = 0; i < 4; i++)
        for (int threads = 1 + i % 2; threads <= 1 + i % 3; threads++) {
            scree_detector *sorting = new_detector(threads, memories[i], margin, SCREE_DETECT_ORDER_FIXED);
            scree_detector *quick = new_detector(threads, memories[i], margin, SCREE_DETECT_ORDER_AS_FOUND);
            kept_contacts sorted = detect(balls, count, sorting), found = detect(balls, count, quick);
            scree_detect_result counted;
            scree_ball_source source = scree_ball_array(balls, count);
            assert_int_equal(scree_detect_spheres(quick, &source, NULL, NULL, &counted, NULL), SCREE_OK);
            if (i == 0 && threads == 1) {
                whole = sorted;
                check_result(&whole, margin);
                check_all_pairs(balls, count, &whole, margin);
                in_order = hash_in_order(&whole);
                set = hash_of_set(&whole);
                assert_int_equal(whole.result.boxes, 1);
            }
            assert_true(hash_in_order(&sorted) == in_order);
            assert_true(hash_of_set(&found) == set);
            assert_same_counts(&sorted.result, &whole.result);
            assert_same_counts(&found.result, &whole.result);
            assert_same_counts(&counted, &whole.result);
            if (i == 3)
                assert_true(sorted.result.boxes > 1 && found.result.boxes > 1 && sorted.result.readings > 2);
            if (sorted.list.data != whole.list.data)
                array_free(&sorted.list);
            array_free(&found.list);
            scree_detector_destroy(sorting);
            scree_detector_destroy(quick);
        }
    assert_true(whole.list.count > 0);
    array_free(&whole.list);
}

static vec3 random_place(random_stream *stream, double x, double y, double z)
{
    double at_x = random_between(stream, 0, x), at_y = random_between(stream, 0, y);
    return vec3_make(at_x, at_y, random_between(stream, 0, z));
}

static void test_random_spheres(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    static const double margins[] = {0, 0.1, 0.3};
    scree_ball *balls = malloc(COUNT * sizeof *balls);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        random_stream stream = {seed};
        for (int i = 0; i < COUNT; i++)
            balls[i] = (scree_ball){vec3_sub(random_place(&stream, 18, 18, 20), vec3_make(9, 9, 0)),
                                    random_between(&stream, 0.05, 0.8)};
        compare_with_brute_force(balls, COUNT, margins[seed - 1]);
    }
    free(balls);
}

// Centres and touching points on the very faces of boxes: a lattice whose size the boxes divide.
static void test_spheres_on_faces_of_boxes(void **state)
{
    (void)state;
    enum { ACROSS = 13, COUNT = ACROSS * ACROSS * ACROSS };
    static const double places[] = {0, 1e5, -77777.25};
    scree_ball *balls = malloc(COUNT * sizeof *balls);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < COUNT; i++) {
            vec3 at = {places[k] + i % ACROSS, places[k] + i / ACROSS % ACROSS, i / (ACROSS * ACROSS)};
            balls[i] = (scree_ball){at, 0.5};
        }
        compare_with_brute_force(balls, COUNT, 0);
    }
    free(balls);
}

static void test_spheres_larger_than_boxes(void **state)
{
    (void)state;
    enum { COUNT = 2500 };
    random_stream stream = {8};
    scree_ball *balls = malloc(COUNT * sizeof *balls);
    for (int i = 0; i < COUNT; i++) {
        vec3 at = random_place(&stream, 30, 30, 30);
        balls[i] = (scree_ball){at, i % 100 == 0 ? random_between(&stream, 5, 40) : random_between(&stream, 0.01, 0.5)};
    }
    compare_with_brute_force(balls, COUNT, 0);
    free(balls);
}

// Nearly all in one place, all in one plane, all in one line.
static void test_uneven_collections(void **state)
{
    (void)state;
    enum { COUNT = 2500 };
    static const vec3 widths[] = {{12, 12, 12}, {40, 0, 40}, {0, 900, 0}};
    random_stream stream = {9};
    scree_ball *balls = malloc(COUNT * sizeof *balls);
    for (int kind = 0; kind < 3; kind++) {
        for (int i = 0; i < COUNT; i++) {
            vec3 width = kind == 0 && i % 10 == 0 ? vec3_make(1000, 1000, 1000) : widths[kind];
            balls[i] = (scree_ball){random_place(&stream, width.x, width.y, width.z), 0.5};
        }
        compare_with_brute_force(balls, COUNT, 0);
    }
    free(balls);
}

// Balls about one centre have no direction between them, and still one result.
static void test_balls_about_one_center(void **state)
{
    (void)state;
    enum { COUNT = 400 };
    scree_ball *balls = malloc(COUNT * sizeof *balls);
    for (int i = 0; i < COUNT; i++)
        balls[i] = (scree_ball){vec3_make(10 * (i / 4), 0, 0), 1 + 0.25 * (i * 7 % 4)};
    compare_with_brute_force(balls, COUNT, 0);
    free(balls);
}

// One detector, collections of all sizes one after another.
static void test_detector_is_used_again(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    random_stream stream = {10};
    scree_ball *balls = malloc(COUNT * sizeof *balls);
    for (int i = 0; i < COUNT; i++)
        balls[i] = (scree_ball){random_place(&stream, 12, 12, 12), random_between(&stream, 0.2, 0.7)};
    scree_detector *detector = new_detector(2, 200000, 0, SCREE_DETECT_ORDER_FIXED);
    for (size_t count = COUNT; count > 1; count /= 3) {
        kept_contacts again = detect(balls, count, detector);
        scree_detector *fresh = new_detector(1, 1000000000, 0, SCREE_DETECT_ORDER_FIXED);
        kept_contacts once = detect(balls, count, fresh);
        assert_true(hash_in_order(&again) == hash_in_order(&once));
        check_result(&again, 0);
        scree_detector_destroy(fresh);
        array_free(&again.list);
        array_free(&once.list);
    }
    scree_detector_destroy(detector);
    free(balls);
}

static bool refuse(void *user, int thread, const scree_detect_contact *contacts, size_t count)
{
    (void)user, (void)thread, (void)contacts, (void)count;
    return false;
}

static bool read_nothing(void *user, uint64_t first, size_t count, scree_ball *out)
{
    (void)user, (void)first, (void)count, (void)out;
    return false;
}

// Other spheres in every reading.
static bool read_otherwise(void *user, uint64_t first, size_t count, scree_ball *out)
{
    int *calls = user;
    for (size_t i = 0; i < count; i++)
        out[i] = (scree_ball){{(double)((first + i) * 7919 % 1000) * *calls, 0, 0}, 0.5 * *calls};
    ++*calls;
    return true;
}

static void test_sources_that_change_are_refused(void **state)
{
    (void)state;
    for (uint64_t memory = 65536; memory <= 200000; memory *= 2) {
        int calls = 1;
        scree_ball_source source = {read_otherwise, &calls, 1000};
        scree_detector *detector = new_detector(1, memory, 0, SCREE_DETECT_ORDER_FIXED);
        scree_error error = {0};
        assert_int_equal(scree_detect_spheres(detector, &source, NULL, NULL, NULL, &error), SCREE_ERROR_INVALID);
        assert_non_null(strstr(error.message, "changed"));
        scree_detector_destroy(detector);
    }
}

static void check_refused(scree_ball_source source, scree_status expected, const char *said)
{
    scree_error error = {0};
    for (int order = SCREE_DETECT_ORDER_FIXED; order <= SCREE_DETECT_ORDER_AS_FOUND; order++) {
        scree_detector *detector = new_detector(2, 100000, 0, (scree_detect_order)order);
        assert_int_equal(scree_detect_spheres(detector, &source, refuse, NULL, NULL, &error), expected);
        if (said)
            assert_non_null(strstr(error.message, said));
        scree_detector_destroy(detector);
    }
}

static void test_what_is_refused(void **state)
{
    (void)state;
    scree_ball balls[2] = {{{0, 0, 0}, 1}, {{1, 0, 0}, 1}};
    check_refused(scree_ball_array(balls, 2), SCREE_ERROR_IO, "sink");
    check_refused((scree_ball_source){read_nothing, NULL, 2}, SCREE_ERROR_IO, "from number 0 on");
    check_refused((scree_ball_source){read_nothing, NULL, UINT32_MAX}, SCREE_ERROR_INVALID, "4,294,967,294");
    check_refused(scree_ball_array(balls, 0), SCREE_OK, NULL);
    balls[1].radius = 0;
    check_refused(scree_ball_array(balls, 2), SCREE_ERROR_INVALID, "sphere 1: ");
    balls[1] = (scree_ball){{HUGE_VAL, 0, 0}, 1};
    check_refused(scree_ball_array(balls, 2), SCREE_ERROR_INVALID, "sphere 1: ");
    balls[1] = (scree_ball){{1e17, 0, 0}, 1};
    check_refused(scree_ball_array(balls, 2), SCREE_ERROR_DIVERGED, "representable");
}

static void test_definitions_that_are_refused(void **state)
{
    (void)state;
    scree_detect_def good = scree_default_detect_def(), bad[6] = {good, good, good, good, good, good};
    bad[0].threads = -1;
    bad[1].threads = 257;
    bad[2].memory_bytes = 65535;
    bad[3].margin = -1;
    bad[4].margin = (double)NAN;
    bad[5].order = (scree_detect_order)7;
    for (int i = 0; i < 6; i++) {
        scree_detector *detector;
        scree_error error = {0};
        assert_int_equal(scree_detector_create(&bad[i], &detector, &error), SCREE_ERROR_INVALID);
        assert_null(detector);
        assert_true(strlen(error.message) > 0);
    }
    scree_detector_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_spheres),
        cmocka_unit_test(test_spheres_on_faces_of_boxes),
        cmocka_unit_test(test_spheres_larger_than_boxes),
        cmocka_unit_test(test_uneven_collections),
        cmocka_unit_test(test_balls_about_one_center),
        cmocka_unit_test(test_detector_is_used_again),
        cmocka_unit_test(test_sources_that_change_are_refused),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_definitions_that_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
