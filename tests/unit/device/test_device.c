// Devices of this machine: listed, opened, their arithmetic tried, programs built and kept; and the same with every
// call failing once. Skipped where there is no device.
#include <dirent.h>
#include <stdbool.h>

#include "lab.h"

#include "device/arithmetic.h"
#include "device/program.h"
#include "faulty.h"

// ---------------------------------------------------------------------------------------------------------------- list

static void test_devices_say_what_they_are(void **state)
{
    (void)state;
    if (devices.count == 0)
        skip();
    for (size_t i = 0; i < devices.count; i++) {
        const device_info *info = &devices.data[i];
        assert_true(info->name[0] && info->driver[0] && info->platform_name[0]);
        assert_true(info->memory_bytes > 1 << 20 && info->largest_buffer > 1 << 20 && info->work_group >= 1);
    }
}

static void test_shortcomings_are_named_and_refused(void **state)
{
    (void)state;
    const device_info good = {
        .name = "card", .has_double = true, .has_denormals = true, .divides_right = true, .compiles = true};
    assert_null(device_shortcoming(&good));
    device_info bad[] = {good, good, good, good};
    bad[0].has_double = bad[1].has_denormals = bad[2].divides_right = bad[3].compiles = false;
    const char *words[] = {"double", "denormals", "division", "compiler"};
    for (size_t i = 0; i < 4; i++) {
        device opened;
        scree_error error;
        const device_def def = {&driver, &bad[i], 3, NULL, 0};
        assert_int_equal(device_open(&opened, &def, &error), SCREE_ERROR_INVALID);
        assert_non_null(strstr(error.message, "device 3 (card)"));
        assert_non_null(strstr(error.message, words[i]));
    }
}

static void test_statuses_have_names(void **state)
{
    (void)state;
    assert_string_equal(opencl_status_name(CL_SUCCESS), "CL_SUCCESS");
    assert_string_equal(opencl_status_name(-5), "CL_OUT_OF_RESOURCES");
    assert_string_equal(opencl_status_name(-1001), "CL_PLATFORM_NOT_FOUND_KHR");
    assert_string_equal(opencl_status_name(12345), "an unknown status");
}

// ---------------------------------------------------------------------------------------------------------- arithmetic

static void test_arithmetic_is_that_of_the_cpu(void **state)
{
    (void)state;
    device opened = open_first(0);
    const char *differs = "not asked";
    scree_error error;
    if (device_check_arithmetic(&opened, &differs, &error) != SCREE_OK)
        fail_msg("%s", error.message);
    assert_null(differs);
    device_close(&opened);
}

static size_t flipped_byte;

static cl_int CL_API_CALL read_wrongly(cl_command_queue queue, cl_mem from, cl_bool wait, size_t offset, size_t size,
                                       void *to, cl_uint count, const cl_event *events, cl_event *event)
{
    cl_int status = driver.clEnqueueReadBuffer(queue, from, wait, offset, size, to, count, events, event);
    ((unsigned char *)to)[flipped_byte] ^= 1;
    return status;
}

static void test_one_wrong_bit_names_its_operation(void **state)
{
    (void)state;
    device opened = open_first(0);
    opencl wrong = driver;
    wrong.clEnqueueReadBuffer = read_wrongly;
    opened.api = &wrong;
    // The third case has ordinary numbers; its fourth operation is a division, its sixth x y + z.
    const struct {
        size_t operation;
        const char *name;
    } trials[] = {{3, "x / y"}, {5, "x y + z"}};
    for (size_t i = 0; i < 2; i++) {
        const char *differs = NULL;
        flipped_byte = (2 * 10 + trials[i].operation) * sizeof(float);
        assert_int_equal(device_check_arithmetic(&opened, &differs, NULL), SCREE_OK);
        assert_non_null(differs);
        assert_string_equal(differs, trials[i].name);
    }
    scree_error error;
    const device_def def = {&wrong, &devices.data[0], 0, cache, 0};
    assert_int_equal(device_verify(&def, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "x y + z differs from the CPU"));
    opened.api = &driver;
    device_close(&opened);
}

// ------------------------------------------------------------------------------------------------------------ programs

static const char whole_text[] = "kernel void put(global int *to)\n{\n    to[0] = 7;\n}\n";
static const char broken_text[] = "#line 1 \"broken.cl\"\nkernel void put(global int *to)\n{\n    to[0] = seven;\n}\n";

static device_source source_of(const char *text)
{
    return (device_source){"broken.cl", (const unsigned char *)text, strlen(text)};
}

static void test_a_broken_program_is_named_by_file_and_line(void **state)
{
    (void)state;
    device opened = open_first(0);
    device_source source = source_of(broken_text);
    cl_program program;
    scree_error error;
    assert_int_equal(device_program_build(&program, &opened, &source, &error), SCREE_ERROR_IO);
    assert_non_null(strstr(error.message, "broken.cl:3"));
    assert_non_null(strstr(error.message, "seven"));
    device_close(&opened);
}

// The path of the only kept program.
static void find_kept(char *path, size_t room)
{
    DIR *folder = opendir(cache);
    assert_non_null(folder);
    path[0] = 0;
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
        if (strstr(entry->d_name, ".bin"))
            snprintf(path, room, "%s/%s", cache, entry->d_name);
    closedir(folder);
}

static void put_bytes(const char *path, const unsigned char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static size_t take_bytes(const char *path, unsigned char *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, room, file);
    fclose(file);
    return size;
}

static void build_whole(const device *on)
{
    device_source source = source_of(whole_text);
    cl_program program;
    scree_error error;
    if (device_program_build(&program, on, &source, &error) != SCREE_OK)
        fail_msg("%s", error.message);
    on->api->clReleaseProgram(program);
}

static void test_damaged_programs_are_built_again(void **state)
{
    (void)state;
    static unsigned char kept[1 << 22], damaged[1 << 22];
    char path[512];
    device opened = open_first(0);
    find_kept(path, sizeof path);
    if (path[0])
        remove(path);
    build_whole(&opened);
    find_kept(path, sizeof path);
    assert_true(path[0]);
    size_t size = take_bytes(path, kept, sizeof kept);
    assert_true(size > 32 && size < sizeof kept);
    for (int kind = 0; kind < 5; kind++) { // empty, cut, longer, one bit, another key
        size_t left = kind == 0 ? 0 : kind == 1 ? size / 2 : kind == 2 ? size + 1 : size;
        memcpy(damaged, kept, size);
        damaged[size] = 0;
        damaged[kind == 3 ? size - 1 : 8] ^= kind >= 3;
        put_bytes(path, damaged, left);
        build_whole(&opened);
        assert_int_equal(take_bytes(path, damaged, sizeof damaged), size);
        assert_memory_equal(damaged, kept, 16); // magic and key are whole again
    }
    device_close(&opened);
}

// ----------------------------------------------------------------------------------------------------- calls that fail

static void test_every_call_fails_once(void **state)
{
    (void)state;
    if (devices.count == 0)
        skip();
    const cl_int kinds[] = {CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, CL_MEM_OBJECT_ALLOCATION_FAILURE,
                            CL_DEVICE_NOT_AVAILABLE};
    opencl table = faulty_table();
    long reached = 0;
    for (failing_call = 1; failing_call <= reached + 1; failing_call++) {
        failure = kinds[failing_call % 4];
        calls = 0;
        device_list list = {0};
        scree_error error = {0};
        scree_status status = device_list_make(&list, &table, &error);
        if (status == SCREE_OK) {
            const device_def def = {&table, &list.data[0], 0, cache, 0};
            status = device_verify(&def, &error);
        }
        bool met = calls >= failing_call;
        reached = met ? failing_call : reached;
        // A kept program that does not load is built from its source, so some failures cost nothing.
        assert_true(status == SCREE_OK || (met && error.message[0]));
        array_free(&list);
    }
    assert_true(reached > 25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_devices_say_what_they_are),
        cmocka_unit_test(test_shortcomings_are_named_and_refused),
        cmocka_unit_test(test_statuses_have_names),
        cmocka_unit_test(test_arithmetic_is_that_of_the_cpu),
        cmocka_unit_test(test_one_wrong_bit_names_its_operation),
        cmocka_unit_test(test_a_broken_program_is_named_by_file_and_line),
        cmocka_unit_test(test_damaged_programs_are_built_again),
        cmocka_unit_test(test_every_call_fails_once),
    };
    return cmocka_run_group_tests(tests, open_driver, close_driver);
}
