#include "files/height_file.h"

#include <math.h>

#include "base/error.h"
#include "base/locale.h"
#include "files/text_file.h"

typedef scree_status height_reader(const char *name, const char *bytes, size_t size, height_samples *samples,
                                   scree_error *error);

static const char *const endings[] = {"png", "tif", "tiff", "txt", "asc"};
static const height_format formats[] = {HEIGHT_PNG, HEIGHT_TIFF, HEIGHT_TIFF, HEIGHT_TEXT, HEIGHT_TEXT};
enum { ENDINGS = sizeof endings / sizeof *endings };
static height_reader *const readers[HEIGHT_FORMATS] = {height_png_read, height_tiff_read, height_text_read};

scree_status height_file_load(const char *path, height_samples *samples, scree_error *error)
{
    *samples = (height_samples){0};
    int ending = file_ending(path, endings, ENDINGS);
    if (ending < 0)
        return fail_ending(error, path, "a height field", endings, ENDINGS);
    file_bytes bytes;
    scree_status status = file_bytes_read(path, LARGEST_GEOMETRY_FILE, &bytes, error);
    if (status)
        return status;
    status = height_file_read(formats[ending], path, bytes.data, bytes.count, samples, error);
    array_free(&bytes);
    return status;
}

static void flip_rows(height_samples *samples)
{
    size_t columns = samples->columns;
    for (size_t row = 0; row < samples->rows / 2; row++) {
        float *low = samples->samples.data + row * columns;
        float *high = samples->samples.data + (samples->rows - 1 - row) * columns;
        for (size_t i = 0; i < columns; i++) {
            float kept = low[i];
            low[i] = high[i];
            high[i] = kept;
        }
    }
}

scree_status height_file_read(height_format format, const char *name, const char *bytes, size_t size,
                              height_samples *samples, scree_error *error)
{
    *samples = (height_samples){0};
    locale_t before = plain_locale_begin();
    scree_status status = readers[format](name, bytes, size, samples, error);
    plain_locale_end(before);
    if (status == SCREE_OK)
        status = height_check_size(name, samples->columns, samples->rows, error);
    for (size_t i = 0; status == SCREE_OK && i < samples->samples.count; i++)
        if (!isfinite(samples->samples.data[i]))
            status = fail(error, SCREE_ERROR_INVALID, "%s: sample %zu of row %zu is no finite number", name,
                          i % samples->columns + 1, i / samples->columns + 1);
    if (status)
        height_samples_free(samples);
    else
        flip_rows(samples);
    return status;
}

void height_samples_free(height_samples *samples)
{
    array_free(&samples->samples);
    *samples = (height_samples){0};
}

scree_status height_check_size(const char *name, size_t columns, size_t rows, scree_error *error)
{
    if (columns < 2 || rows < 2 || columns > MOST_HEIGHT_SIDE || rows > MOST_HEIGHT_SIDE ||
        columns * rows > MOST_HEIGHT_SAMPLES)
        return fail(error, SCREE_ERROR_INVALID,
                    "%s: a height field has 2 to %d columns and rows and %d samples at most, not "
                    "%zu by %zu",
                    name, MOST_HEIGHT_SIDE, MOST_HEIGHT_SAMPLES, columns, rows);
    return SCREE_OK;
}
