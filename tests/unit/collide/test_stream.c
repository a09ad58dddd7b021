// Streaming box by box gives each contact of the whole collection once: number and checksum are those of all pairs
// tried one by one, whatever the boxes are.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "collide/stream.h"

typedef struct totals {
    uint64_t count, checksum;
} totals;

// All pairs, by the formulas of the narrow phase.
static totals brute_force(const stream_sphere *spheres, size_t count)
{
    stream_sum sum;
    memset(&sum, 0, sizeof sum);
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = a + 1; b < count; b++) {
            vec3 between = vec3_sub(spheres[b].centre, spheres[a].centre);
            double distance = vec3_length(between);
            double gap = distance - ((double)spheres[a].radius + (double)spheres[b].radius);
            vec3 normal = vec3_scale(between, 1 / distance);
            contact c = {.a = a, .b = b, .normal = vec3f_from(normal), .gap = (float)gap};
            if (gap <= 0)
                stream_checksum(&sum, 0, &c, 1);
        }
    return (totals){stream_sum_count(&sum), stream_sum_checksum(&sum)};
}

static totals streamed(const stream_sphere *spheres, size_t count, uint64_t box_spheres, uint64_t memory, int threads,
                       stream_figures *figures)
{
    stream_sum sum;
    memset(&sum, 0, sizeof sum);
    stream_source source = stream_array(spheres, count);
    stream_options options = {.threads = threads, .memory_bytes = memory, .box_spheres = box_spheres};
    scree_error error = {0};
    assert_int_equal(stream_contacts(&source, &options, stream_checksum, &sum, figures, &error), SCREE_OK);
    return (totals){stream_sum_count(&sum), stream_sum_checksum(&sum)};
}

static void compare_with_brute_force(const stream_sphere *spheres, size_t count)
{
    static const uint64_t box_sizes[] = {100000, 1000, 200, 40};
    totals expected = brute_force(spheres, count);
    assert_true(expected.count > 0);
    for (int i = 0; i < 4; i++) {
        stream_figures figures;
        totals got = streamed(spheres, count, box_sizes[i], 400000, 1 + i % 3, &figures);
        assert_int_equal(got.count, expected.count);
        assert_true(got.checksum == expected.checksum);
        if (i > 0)
            assert_true(figures.boxes > 1 && figures.passes > 2);
    }
}

static void test_random_spheres(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    stream_sphere *spheres = malloc(COUNT * sizeof *spheres);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        random_stream stream = {seed};
        for (int i = 0; i < COUNT; i++) {
            vec3 at = {random_between(&stream, -9, 9), random_between(&stream, -9, 9), random_between(&stream, 0, 20)};
            spheres[i] = (stream_sphere){at, (float)random_between(&stream, 0.05, 0.8)};
        }
        compare_with_brute_force(spheres, COUNT);
    }
    free(spheres);
}

// Centres and touching points on the very faces of boxes: a lattice whose size the boxes divide.
static void test_spheres_on_faces_of_boxes(void **state)
{
    (void)state;
    enum { ACROSS = 13, COUNT = ACROSS * ACROSS * ACROSS };
    static const double places[] = {0, 1e5, -77777.25};
    stream_sphere *spheres = malloc(COUNT * sizeof *spheres);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < COUNT; i++) {
            vec3 at = {places[k] + i % ACROSS, places[k] + i / ACROSS % ACROSS, i / (ACROSS * ACROSS)};
            spheres[i] = (stream_sphere){at, 0.5f};
        }
        compare_with_brute_force(spheres, COUNT);
    }
    free(spheres);
}

static void test_spheres_larger_than_boxes(void **state)
{
    (void)state;
    enum { COUNT = 2500 };
    random_stream stream = {8};
    stream_sphere *spheres = malloc(COUNT * sizeof *spheres);
    for (int i = 0; i < COUNT; i++) {
        vec3 at = {random_between(&stream, 0, 30), random_between(&stream, 0, 30), random_between(&stream, 0, 30)};
        double radius = i % 100 == 0 ? random_between(&stream, 5, 40) : random_between(&stream, 0.01, 0.5);
        spheres[i] = (stream_sphere){at, (float)radius};
    }
    compare_with_brute_force(spheres, COUNT);
    free(spheres);
}

// Nearly all in one place, and all in one plane.
static void test_uneven_collections(void **state)
{
    (void)state;
    enum { COUNT = 2500 };
    random_stream stream = {9};
    stream_sphere *spheres = malloc(COUNT * sizeof *spheres);
    for (int i = 0; i < COUNT; i++) {
        double width = i % 10 == 0 ? 1000 : 12;
        vec3 at = {random_between(&stream, 0, width), random_between(&stream, 0, width),
                   random_between(&stream, 0, width)};
        spheres[i] = (stream_sphere){at, 0.5f};
    }
    compare_with_brute_force(spheres, COUNT);
    for (int i = 0; i < COUNT; i++) {
        vec3 at = {random_between(&stream, 0, 40), 0, random_between(&stream, 0, 40)};
        spheres[i] = (stream_sphere){at, 0.5f};
    }
    compare_with_brute_force(spheres, COUNT);
    free(spheres);
}

static void test_contacts_in_a_file(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    stream_sphere *spheres = malloc(COUNT * sizeof *spheres);
    for (int i = 0; i < COUNT; i++)
        spheres[i] = (stream_sphere){vec3_make(i % 10, i / 10 % 10, i / 100), 0.51f};
    FILE *file = tmpfile();
    assert_non_null(file);
    stream_source source = stream_array(spheres, COUNT);
    stream_options options = {.threads = 2, .memory_bytes = 1000000, .box_spheres = 300};
    assert_int_equal(stream_contacts(&source, &options, stream_write, file, NULL, NULL), SCREE_OK);
    rewind(file);
    contact c;
    stream_sum sum;
    memset(&sum, 0, sizeof sum);
    while (fread(&c, sizeof c, 1, file) == 1)
        stream_checksum(&sum, 0, &c, 1);
    totals expected = brute_force(spheres, COUNT);
    assert_int_equal(stream_sum_count(&sum), expected.count);
    assert_true(stream_sum_checksum(&sum) == expected.checksum);
    fclose(file);
    free(spheres);
}

static bool refuse(void *context, int thread, const contact *contacts, size_t count)
{
    (void)context, (void)thread, (void)contacts, (void)count;
    return false;
}

static void test_what_is_refused(void **state)
{
    (void)state;
    stream_sphere spheres[2] = {{{0, 0, 0}, 1}, {{1, 0, 0}, 1}};
    stream_source source = stream_array(spheres, 2);
    stream_options options = {.threads = 1, .memory_bytes = 1000000};
    scree_error error = {0};
    assert_int_equal(stream_contacts(&source, &options, refuse, NULL, NULL, &error), SCREE_IO);
    spheres[1].radius = 0;
    assert_int_equal(stream_contacts(&source, &options, refuse, NULL, NULL, &error), SCREE_INVALID);
    spheres[1] = (stream_sphere){{HUGE_VAL, 0, 0}, 1};
    assert_int_equal(stream_contacts(&source, &options, refuse, NULL, NULL, &error), SCREE_INVALID);
    options.threads = 0;
    assert_int_equal(stream_contacts(&source, &options, refuse, NULL, NULL, &error), SCREE_INVALID);
    source.count = (uint64_t)1 << 32;
    assert_int_equal(stream_contacts(&source, &options, refuse, NULL, NULL, &error), SCREE_INVALID);
    source.count = 0;
    options.threads = 1;
    assert_int_equal(stream_contacts(&source, &options, refuse, NULL, NULL, &error), SCREE_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_spheres),
        cmocka_unit_test(test_spheres_on_faces_of_boxes),
        cmocka_unit_test(test_spheres_larger_than_boxes),
        cmocka_unit_test(test_uneven_collections),
        cmocka_unit_test(test_contacts_in_a_file),
        cmocka_unit_test(test_what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
