// Reading .pvd and .vtp files: arrays come back as they were written, damage of any byte is refused or harmless.
#include <math.h>

#include "record/frames/base64.h"
#include "record/frames/frame_read.h"
#include "record/frames/xml_scan.h"
#include "support.h"

static void base64_goes_both_ways(void **unused)
{
    (void)unused;
    static const struct {
        const char *plain, *text;
    } known[] = {{"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}}; // RFC 4648
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint8_t data[32];
        size_t size, length;
        char *text = NULL;
        FILE *to = open_memstream(&text, &length);
        base64_put(to, known[i].plain, strlen(known[i].plain));
        fclose(to);
        assert_string_equal(text, known[i].text);
        assert_int_equal(length, base64_length(strlen(known[i].plain)));
        assert_true(base64_decode(text, length, data, &size));
        assert_int_equal(size, strlen(known[i].plain));
        assert_memory_equal(data, known[i].plain, size);
        free(text);
    }
    uint8_t data[32];
    size_t size;
    assert_false(base64_decode("Zg=", 3, data, &size));
    assert_false(base64_decode("Z*==", 4, data, &size));
    assert_false(base64_decode("Zg==Zm9v", 8, data, &size));
    assert_false(base64_decode("====", 4, data, &size));
}

static void tags_and_attributes(void **unused)
{
    (void)unused;
    static const char text[] = "<?xml?>\n<A one=\"1\" two=\"a b\"/> words <B/><Aa></Aa>";
    xml_scan scan = {text, text + strlen(text)};
    xml_tag tag;
    char value[8];
    assert_true(xml_next(&scan, &tag) && !xml_is(&tag, "A"));
    assert_true(xml_next(&scan, &tag) && xml_is(&tag, "A"));
    assert_true(xml_attribute(&tag, "two", value, sizeof value));
    assert_string_equal(value, "a b");
    assert_false(xml_attribute(&tag, "three", value, sizeof value));
    assert_false(xml_attribute(&tag, "two", value, 3));
    assert_true(xml_next(&scan, &tag) && xml_is(&tag, "B"));
    assert_true(xml_next(&scan, &tag) && !xml_is(&tag, "A") && xml_is(&tag, "Aa"));
    assert_true(xml_next(&scan, &tag) && xml_is(&tag, "/Aa"));
    assert_false(xml_next(&scan, &tag));
}

enum { COUNT = 50000 }; // several blocks

static void write_sample(const char *path, size_t count)
{
    scree_error error;
    vtp file;
    float *values = malloc((3 * count + 1) * sizeof *values);
    double *points = malloc((3 * count + 1) * sizeof *points);
    for (size_t i = 0; i < 3 * count; i++) {
        values[i] = (float)i * 0.25f;
        points[i] = sqrt((double)i);
    }
    check_ok(vtp_begin(&file, path, &(vtp_counts){.points = count}, 2, &error), error);
    vtp_section(&file, "PointData");
    check_ok(vtp_array(&file, "velocity", VTP_F32, 3, count, values, &error), error);
    vtp_section(&file, "Points");
    check_ok(vtp_array(&file, "Points", VTP_F64, 3, count, points, &error), error);
    check_ok(vtp_end(&file, &error), error);
    free(values);
    free(points);
}

static void arrays_come_back(void **unused)
{
    (void)unused;
    scree_error error;
    vtp_source source;
    write_sample(in_scratch("a.vtp"), COUNT);
    check_ok(vtp_open(in_scratch("a.vtp"), &source, &error), error);
    assert_int_equal(source.counts.points, COUNT);
    float *values = malloc(3 * COUNT * sizeof *values);
    double *points = malloc(3 * COUNT * sizeof *points);
    check_ok(vtp_read(&source, "PointData", "velocity", VTP_F32, 3, COUNT, values, &error), error);
    check_ok(vtp_read(&source, "Points", "Points", VTP_F64, 3, COUNT, points, &error), error);
    for (size_t i = 0; i < 3 * COUNT; i++)
        assert_true(values[i] == (float)i * 0.25f && points[i] == sqrt((double)i));
    assert_int_equal(vtp_read(&source, "PointData", "velocity", VTP_F32, 3, COUNT - 1, values, &error),
                     SCREE_ERROR_INVALID);
    assert_int_equal(vtp_read(&source, "PointData", "velocity", VTP_F32, 1, COUNT, values, &error),
                     SCREE_ERROR_INVALID);
    assert_int_equal(vtp_read(&source, "PointData", "speed", VTP_F32, 3, COUNT, values, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "speed"));
    assert_int_equal(vtp_read(&source, "CellData", "velocity", VTP_F32, 3, COUNT, values, &error), SCREE_ERROR_INVALID);
    free(values);
    free(points);
    vtp_close(&source);
    write_sample(in_scratch("b.vtp"), 0);
    check_ok(vtp_open(in_scratch("b.vtp"), &source, &error), error);
    check_ok(vtp_read(&source, "PointData", "velocity", VTP_F32, 3, 0, NULL, &error), error);
    vtp_close(&source);
}

// Cut anywhere, or with any byte changed, a file is refused or read; it never reaches beyond its arrays.
static void damage_does_no_harm(void **unused)
{
    (void)unused;
    scree_error error;
    size_t size = 0;
    write_sample(in_scratch("a.vtp"), 40);
    char *text = read_file(in_scratch("a.vtp"), &size);
    assert_non_null(text);
    float values[120];
    size_t refused = 0;
    for (size_t i = 0; i < 2 * size; i++) {
        char *damaged = malloc(size);
        size_t length = i < size ? i : size;
        memcpy(damaged, text, length);
        if (i >= size)
            damaged[i - size] = (char)(damaged[i - size] ^ (1 << i % 7));
        vtp_source source;
        scree_status status = vtp_open_text(damaged, length, "damaged", &source, &error);
        if (status == SCREE_OK)
            status = vtp_read(&source, "PointData", "velocity", VTP_F32, 3, 40, values, &error);
        refused += status == SCREE_ERROR_INVALID;
        vtp_close(&source);
        free(damaged);
    }
    assert_true(refused > size / 2);
    free(text);
}

#define HEAD                   "<VTKFile type=\"Collection\">\n<Collection>\n"
#define TAIL                   "</Collection>\n</VTKFile>\n"
#define PART(time, part, file) "<DataSet timestep=\"" time "\" group=\"\" part=\"" part "\" file=\"" file "\"/>\n"

static scree_status parse(const char *text, frame_list *list)
{
    scree_error error;
    return frame_list_parse(text, strlen(text), "a.pvd", list, &error);
}

static void lists_of_frames(void **unused)
{
    (void)unused;
    frame_list list;
    assert_int_equal(parse(HEAD PART("0", "0", "bodies-000000.vtp") PART("0", "1", "walls-000000.vtp")
                               PART("0.5", "0", "bodies-000001.vtp") PART("0.5", "1", "walls-000000.vtp") TAIL,
                           &list),
                     SCREE_OK);
    assert_int_equal(list.count, 2);
    assert_true(list.frames[1].time == 0.5 && list.frames[1].numbers[PART_BODIES] == 1);
    assert_true(list.frames[1].numbers[PART_WALLS] == 0 && list.frames[1].numbers[PART_BOXES] == NO_FRAME_FILE);
    frame_list_free(&list);
    static const char *const bad[] = {
        "",
        HEAD PART("0", "0", "bodies-000000.vtp"),                                          // cut off
        HEAD PART("0", "0", "bodies-000000.vtp") PART("0", "0", "bodies-000001.vtp") TAIL, // twice
        HEAD PART("1", "0", "bodies-000000.vtp") PART("0", "0", "bodies-000001.vtp") TAIL, // back in time
        HEAD PART("0", "1", "walls-000000.vtp") TAIL,                                      // no bodies
        HEAD PART("0", "0", "../../bodies-000000.vtp") TAIL,                               // elsewhere
        HEAD PART("0", "9", "bodies-000000.vtp") TAIL,
        HEAD PART("nan", "0", "bodies-000000.vtp") TAIL,
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(parse(bad[i], &list), SCREE_ERROR_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(base64_goes_both_ways),
        cmocka_unit_test(tags_and_attributes),
        test(arrays_come_back),
        test(damage_does_no_harm),
        cmocka_unit_test(lists_of_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
