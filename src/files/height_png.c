// Height fields as grey PNG images of up to 16 bits.
#include <png.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "files/height_file.h"

typedef struct png_source {
    const char *name, *at, *end;
    height_samples *samples;
    scree_error *error;
    char complaint[128]; // of libpng
    unsigned char *row;
    bool no_memory;
} png_source;

static void give_bytes(png_structp png, png_bytep to, size_t count)
{
    png_source *source = png_get_io_ptr(png);
    if ((size_t)(source->end - source->at) < count)
        png_error(png, "the file ends too early");
    memcpy(to, source->at, count);
    source->at += count;
}

static void hear_error(png_structp png, png_const_charp text)
{
    png_source *source = png_get_error_ptr(png);
    snprintf(source->complaint, sizeof source->complaint, "%s", text);
    png_longjmp(png, 1);
}

static void hear_warning(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

static void read_header(png_structp png, png_infop info, png_source *source)
{
    png_set_read_fn(png, source, give_bytes);
    png_set_user_limits(png, MOST_HEIGHT_SIDE, MOST_HEIGHT_SIDE);
    png_read_info(png, info);
    int type = png_get_color_type(png, info);
    if (type != PNG_COLOR_TYPE_GRAY && type != PNG_COLOR_TYPE_GRAY_ALPHA)
        png_error(png, "the image has colours; a grey one of 8 or 16 bits is accepted");
    if (png_get_interlace_type(png, info) != PNG_INTERLACE_NONE)
        png_error(png, "the image is interlaced; one that is not is accepted");
    png_set_expand_gray_1_2_4_to_8(png);
    png_set_strip_alpha(png);
    png_read_update_info(png, info);
}

// Memory grows row by row: a header that lies about the size costs nothing.
static void read_rows(png_structp png, png_infop info, png_source *source)
{
    height_samples *samples = source->samples;
    size_t columns = png_get_image_width(png, info), rows = png_get_image_height(png, info);
    bool wide = png_get_bit_depth(png, info) == 16;
    if (height_check_size(source->name, columns, rows, source->error) != SCREE_OK)
        png_error(png, "");
    samples->columns = columns;
    source->row = malloc(png_get_rowbytes(png, info));
    source->no_memory = !source->row;
    for (size_t row = 0; row < rows && !source->no_memory; row++) {
        png_read_row(png, source->row, NULL);
        if (!array_reserve(&samples->samples, samples->samples.count + columns)) {
            source->no_memory = true;
            break;
        }
        float *to = samples->samples.data + samples->samples.count;
        for (size_t i = 0; i < columns; i++)
            to[i] =
                wide ? (float)(source->row[2 * i] << 8 | source->row[2 * i + 1]) / 65535 : (float)source->row[i] / 255;
        samples->samples.count += columns;
        samples->rows++;
    }
}

scree_status height_png_read(const char *name, const char *bytes, size_t size, height_samples *samples,
                             scree_error *error)
{
    scree_error own = {.status = SCREE_OK};
    png_source source = {.name = name, .at = bytes, .end = bytes + size, .samples = samples, .error = &own};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &source, hear_error, hear_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info) {
        png_destroy_read_struct(&png, NULL, NULL);
        return fail_no_memory(error);
    }
    if (setjmp(png_jmpbuf(png)) == 0) {
        read_header(png, info, &source);
        read_rows(png, info, &source);
    } else if (own.status == SCREE_OK) {
        fail(&own, SCREE_ERROR_INVALID, "%s: %s", name, source.complaint);
    }
    png_destroy_read_struct(&png, &info, NULL);
    free(source.row);
    if (source.no_memory)
        fail_no_memory(&own);
    if (own.status && error)
        *error = own;
    return own.status;
}
