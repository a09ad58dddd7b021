// VTK files: what is written comes back from an independent decoder, whatever the size.
#include "base/random.h"
#include "record/frames/vtp.h"
#include "vtp_support.h"

static void write_array(const char *path, vtp_type type, size_t components, size_t count, const void *data, int threads)
{
    scree_error error;
    vtp file;
    check_ok(vtp_begin(&file, path, &(vtp_counts){.points = count}, threads, &error), error);
    vtp_section(&file, "PointData");
    check_ok(vtp_array(&file, "values", type, components, count, data, &error), error);
    check_ok(vtp_end(&file, &error), error);
}

static void arrays_of_any_size_come_back(void **unused)
{
    (void)unused;
    enum { MOST = 300000 };
    static double values[MOST];
    random_stream chance = {1};
    for (int i = 0; i < MOST; i++)
        values[i] = random_unit(&chance);
    // Round the block size of 2^17 bytes, and the three lengths that base64 tells apart.
    const size_t counts[] = {0, 1, 2, 3, 4, 5, 16383, 16384, 16385, 32768, 100000, MOST};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        size_t size;
        write_array(in_scratch("a.vtp"), VTP_F64, 1, counts[i], values, 1 + (int)i % 3);
        char *file = read_file(in_scratch("a.vtp"), NULL);
        assert_int_equal(vtp_count(file, "<Piece", "NumberOfPoints"), counts[i]);
        uint8_t *data = vtp_data(file, "PointData", "values", "Float64", &size);
        assert_int_equal(size, counts[i] * 8);
        assert_memory_equal(data, values, size);
        free(data);
        free(file);
    }
}

static void types_and_components(void **unused)
{
    (void)unused;
    static const struct {
        vtp_type type;
        const char *name;
        size_t bytes;
    } types[] = {{VTP_U16, "UInt16", 2},
                 {VTP_I32, "Int32", 4},
                 {VTP_U64, "UInt64", 8},
                 {VTP_F32, "Float32", 4},
                 {VTP_F64, "Float64", 8}};
    const char raw[] = "sixty-four bytes of anything at all, to be read as numbers......";
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        size_t size;
        write_array(in_scratch("a.vtp"), types[i].type, 2, 3, raw, 1);
        char *file = read_file(in_scratch("a.vtp"), NULL);
        uint8_t *data = vtp_data(file, "PointData", "values", types[i].name, &size);
        assert_int_equal(size, 6 * types[i].bytes);
        assert_memory_equal(data, raw, size);
        assert_int_equal(vtp_count(file, "<DataArray", "NumberOfComponents"), 2);
        free(data);
        free(file);
    }
}

static void frame_of_the_file(void **unused)
{
    (void)unused;
    scree_error error;
    vtp file;
    check_ok(vtp_begin(&file, in_scratch("a.vtp"), &(vtp_counts){1, 2, 3, 4}, 1, &error), error);
    vtp_section(&file, "Points");
    vtp_section(&file, "Verts");
    check_ok(vtp_end(&file, &error), error);
    assert_file_text(
        in_scratch("a.vtp"),
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\" "
        "compressor=\"vtkZLibDataCompressor\">\n<PolyData>\n"
        "<Piece NumberOfPoints=\"1\" NumberOfVerts=\"2\" NumberOfLines=\"3\" NumberOfStrips=\"0\" "
        "NumberOfPolys=\"4\">\n<Points>\n</Points>\n<Verts>\n</Verts>\n</Piece>\n</PolyData>\n</VTKFile>\n");
}

static void full_disk_is_an_error(void **unused)
{
    (void)unused;
    scree_error error = {0};
    vtp file;
    write_text(in_scratch("a.vtp"), "old");
    set_disk_room(0);
    check_ok(vtp_begin(&file, in_scratch("a.vtp"), &(vtp_counts){0}, 1, &error), error);
    assert_int_equal(vtp_end(&file, &error), SCREE_ERROR_IO);
    set_disk_room(RLIM_INFINITY);
    assert_non_null(strstr(error.message, "a.vtp"));
    assert_file_text(in_scratch("a.vtp"), "old");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(arrays_of_any_size_come_back),
        test(types_and_components),
        test(frame_of_the_file),
        test(full_disk_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
