// Readers of height fields: PNG and TIFF written by their libraries, text grids, damaged files.
#include "../../physics/check.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "temporary.h"

#include "base/random.h"
#include "files/height_file.h"
#include "files/text_file.h"

#if SCREE_HAVE_TIFF
#include <tiffio.h>
#endif

enum { COLUMNS = 37, ROWS = 21 };

static double sample(int column, int row)
{
    return (double)((column * 31 + row * 17) % 256) / 255;
}

static file_bytes take_file(const char *path)
{
    file_bytes bytes;
    assert_int_equal(file_bytes_read(path, LARGEST_GEOMETRY_FILE, &bytes, NULL), SCREE_OK);
    unlink(path);
    return bytes;
}

// The first row of the file is the one with the largest y.
static void assert_samples(height_format format, file_bytes *bytes, double tolerance)
{
    height_samples read;
    scree_error error = {0};
    if (height_file_read(format, "x", bytes->data, bytes->count, &read, &error) != SCREE_OK)
        print_error("%s\n", error.message);
    assert_int_equal(read.columns, COLUMNS);
    assert_int_equal(read.rows, ROWS);
    assert_int_equal(read.samples.count, COLUMNS * ROWS);
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            assert_near((double)read.samples.data[(ROWS - 1 - row) * COLUMNS + column], sample(column, row), tolerance);
    height_samples_free(&read);
    array_free(bytes);
}

static file_bytes make_png(int depth, int type, int interlace)
{
    char path[512];
    int descriptor = mkstemp(temporary_template(path, sizeof path, "png"));
    FILE *file = fdopen(descriptor, "wb");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, file);
    png_set_IHDR(png, info, COLUMNS, ROWS, depth, type, interlace, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    int passes = png_set_interlace_handling(png);
    unsigned channels = png_get_channels(png, info), bytes = (unsigned)depth / 8;
    for (int pass = 0; pass < passes; pass++)
        for (int row = 0; row < ROWS; row++) {
            unsigned char line[COLUMNS * 8];
            for (int column = 0; column < COLUMNS; column++) {
                unsigned value = (unsigned)(sample(column, row) * (depth == 16 ? 65535 : 255) + 0.5);
                unsigned char *to = line + (size_t)column * channels * bytes;
                memset(to, 0x77, (size_t)channels * bytes);
                to[0] = (unsigned char)(depth == 16 ? value >> 8 : value);
                if (depth == 16)
                    to[1] = (unsigned char)value;
            }
            png_write_row(png, line);
        }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    fclose(file);
    return take_file(path);
}

static void test_png(void **state)
{
    (void)state;
    file_bytes bytes = make_png(8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE);
    assert_samples(HEIGHT_PNG, &bytes, 1e-7);
    bytes = make_png(16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE);
    assert_samples(HEIGHT_PNG, &bytes, 1e-5);
    bytes = make_png(8, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_INTERLACE_NONE);
    assert_samples(HEIGHT_PNG, &bytes, 1e-7);
    const struct {
        int type, interlace;
        const char *word;
    } bad[] = {{PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, "colours"},
               {PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_ADAM7, "interlaced"}};
    for (int i = 0; i < 2; i++) {
        height_samples read;
        scree_error error = {0};
        bytes = make_png(8, bad[i].type, bad[i].interlace);
        assert_int_equal(height_file_read(HEIGHT_PNG, "x.png", bytes.data, bytes.count, &read, &error),
                         SCREE_ERROR_INVALID);
        assert_ptr_equal(strstr(error.message, "x.png: "), error.message);
        assert_non_null(strstr(error.message, bad[i].word));
        array_free(&bytes);
    }
}

#if SCREE_HAVE_TIFF

static file_bytes make_tiff(int bits, int format, bool tiled, int compression, const char *mode)
{
    char path[512];
    close(mkstemp(temporary_template(path, sizeof path, "tiff")));
    TIFF *tiff = TIFFOpen(path, mode);
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, COLUMNS);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, ROWS);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, format);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, compression);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 4);
    int wide = tiled ? 16 : COLUMNS, high = tiled ? 16 : 1;
    if (tiled) {
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, 16);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, 16);
    }
    for (int top = 0; top < ROWS; top += high)
        for (int left = 0; left < COLUMNS; left += wide) {
            unsigned char piece[16 * 16 * 8 + COLUMNS * 8] = {0};
            for (int i = 0; i < wide * high; i++) {
                double value = sample(left + i % wide, top + i / wide);
                float single = (float)value;
                uint16_t word = (uint16_t)(value * (bits == 8 ? 255 : 65535) + 0.5);
                unsigned char byte = (unsigned char)word, *to = piece + i * bits / 8;
                memcpy(to,
                       bits == 8    ? (void *)&byte
                       : bits == 16 ? (void *)&word
                       : bits == 32 ? (void *)&single
                                    : (void *)&value,
                       (size_t)bits / 8);
            }
            if (tiled)
                TIFFWriteTile(tiff, piece, (uint32_t)left, (uint32_t)top, 0, 0);
            else
                TIFFWriteScanline(tiff, piece, (uint32_t)top, 0);
        }
    TIFFClose(tiff);
    return take_file(path);
}

static void test_tiff(void **state)
{
    (void)state;
    file_bytes bytes;
    for (int tiled = 0; tiled < 2; tiled++) {
        bytes = make_tiff(32, SAMPLEFORMAT_IEEEFP, tiled, COMPRESSION_NONE, "wl");
        assert_samples(HEIGHT_TIFF, &bytes, 1e-7);
        bytes = make_tiff(32, SAMPLEFORMAT_IEEEFP, tiled, COMPRESSION_LZW, "wb");
        assert_samples(HEIGHT_TIFF, &bytes, 1e-7);
        bytes = make_tiff(64, SAMPLEFORMAT_IEEEFP, tiled, COMPRESSION_NONE, "w8");
        assert_samples(HEIGHT_TIFF, &bytes, 1e-7);
        bytes = make_tiff(16, SAMPLEFORMAT_UINT, tiled, COMPRESSION_NONE, "wb");
        assert_samples(HEIGHT_TIFF, &bytes, 1e-5);
        bytes = make_tiff(8, SAMPLEFORMAT_UINT, tiled, COMPRESSION_NONE, "wl");
        assert_samples(HEIGHT_TIFF, &bytes, 1e-7);
    }
    height_samples read;
    scree_error error = {0};
    bytes = make_tiff(32, SAMPLEFORMAT_INT, false, COMPRESSION_NONE, "wl");
    assert_int_equal(height_file_read(HEIGHT_TIFF, "x.tif", bytes.data, bytes.count, &read, &error),
                     SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "floating point"));
    assert_int_equal(height_file_read(HEIGHT_TIFF, "x.tif", "hello", 5, &read, &error), SCREE_ERROR_INVALID);
    assert_ptr_equal(strstr(error.message, "x.tif: "), error.message);
    array_free(&bytes);
}

#endif

static height_samples read_text(const char *text)
{
    height_samples read;
    assert_int_equal(height_file_read(HEIGHT_TEXT, "x", text, strlen(text), &read, NULL), SCREE_OK);
    return read;
}

static void assert_refused(const char *text, const char *where, const char *word)
{
    height_samples read;
    scree_error error = {0};
    assert_int_equal(height_file_read(HEIGHT_TEXT, "x.txt", text, strlen(text), &read, &error), SCREE_ERROR_INVALID);
    if (strncmp(error.message, where, strlen(where)) != 0 || !strstr(error.message, word))
        print_error("'%s' should begin with '%s' and have '%s'\n", error.message, where, word);
    assert_ptr_equal(strstr(error.message, where), error.message);
    assert_non_null(strstr(error.message, word));
    assert_null(read.samples.data);
}

static void test_text(void **state)
{
    (void)state;
    height_samples read = read_text("# ground\n1 2 3 # north\n\n4, 5, 6.5\r\n");
    assert_int_equal(read.columns, 3);
    assert_int_equal(read.rows, 2);
    static const float expected[] = {4, 5, 6.5f, 1, 2, 3};
    assert_memory_equal(read.samples.data, expected, sizeof expected);
    height_samples_free(&read);
    read = read_text("ncols 2\nnrows 3\nxllcorner 7\nyllcorner 8\ncellsize 0.5\nNODATA_value -9999\n1 2\n3 4\n5 6");
    assert_int_equal(read.rows, 3);
    assert_true(read.spacing == 0.5 && read.samples.data[0] == 5);
    height_samples_free(&read);
    assert_refused("1 2\n3\n", "x.txt:2: ", "1 numbers; the first has 2");
    assert_refused("1 2\n3 x\n", "x.txt:2: ", "'x'");
    assert_refused("1 2\n3 inf\n", "x.txt:2: ", "'inf'");
    assert_refused("ncols 3\n1 2\n3 4\n", "x.txt:3: ", "ncols");
    assert_refused("nodata_value -1\n1 2\n3 -1\n", "x.txt:3: ", "column 2 has no data");
    assert_refused("colums 3\n", "x.txt:1: ", "ncols");
    assert_refused("", "x.txt: ", "0 by 0");
    assert_refused("1 2 3", "x.txt: ", "3 by 1");
}

static void test_damaged_files(void **state)
{
    (void)state;
    file_bytes files[3] = {make_png(16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE)};
    static const char text[] = "ncols 2\nnrows 3\ncellsize 0.5\n1 2\n3 4\n5 6\n";
    for (size_t i = 0; i + 1 < sizeof text; i++)
        assert_true(array_push(&files[1], text[i]));
    int count = 2;
#if SCREE_HAVE_TIFF
    files[count++] = make_tiff(32, SAMPLEFORMAT_IEEEFP, true, COMPRESSION_LZW, "wl");
#endif
    static const height_format formats[] = {HEIGHT_PNG, HEIGHT_TEXT, HEIGHT_TIFF};
    random_stream random = {1};
    for (int trial = 0; trial < 6000; trial++) {
        file_bytes *file = &files[trial % count];
        size_t at[4], size = trial % 4 ? file->count : random_bits(&random) % file->count;
        char kept[4];
        for (int i = 0; i < 4; i++) {
            at[i] = random_bits(&random) % (random_bits(&random) % 2 ? file->count
                                            : file->count < 200      ? file->count
                                                                     : 200);
            kept[i] = file->data[at[i]];
            file->data[at[i]] = (char)random_bits(&random);
        }
        height_samples read;
        scree_error error = {0};
        scree_status status = height_file_read(formats[trial % count], "x", file->data, size, &read, &error);
        assert_true(status == SCREE_OK ? read.samples.count == read.columns * read.rows : error.message[0] != 0);
        height_samples_free(&read);
        for (int i = 3; i >= 0; i--)
            file->data[at[i]] = kept[i];
    }
    for (int i = 0; i < count; i++)
        array_free(&files[i]);
}

static void test_endings(void **state)
{
    (void)state;
    height_samples read;
    scree_error error = {0};
    assert_int_equal(height_file_load("ground.jpg", &read, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, ".png, .tif, .tiff, .txt, .asc"));
    assert_int_equal(height_file_load("no-such-file.PNG", &read, &error), SCREE_ERROR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_png),
#if SCREE_HAVE_TIFF
        cmocka_unit_test(test_tiff),
#endif
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_endings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
