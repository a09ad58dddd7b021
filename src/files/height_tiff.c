// Height fields as TIFF images: one sample per pixel, floating point of 32 or 64 bits, or grey of 8 or 16 bits; in
// strips or tiles, with any compression that libtiff knows.
#include "base/error.h"
#include "files/height_file.h"

#if SCREE_HAVE_TIFF

#include <stdio.h>
#include <stdlib.h>
#include <tiffio.h>

enum { MOST_BYTES_AT_ONCE = 1 << 28 }; // that libtiff may take for one strip or tile

typedef struct tiff_source {
    const char *bytes;
    size_t size, at;
    char complaint[160]; // the first one of libtiff
} tiff_source;

typedef struct tiff_image {
    TIFF *tiff;
    size_t columns, rows;
    uint16_t bits, format;
} tiff_image;

static tmsize_t give_bytes(thandle_t handle, void *to, tmsize_t count)
{
    tiff_source *source = handle;
    size_t left = source->at < source->size ? source->size - source->at : 0;
    size_t given = (size_t)count < left ? (size_t)count : left;
    memcpy(to, source->bytes + (given ? source->at : 0), given);
    source->at += given;
    return (tmsize_t)given;
}

static tmsize_t take_bytes(thandle_t handle, void *from, tmsize_t count)
{
    (void)handle, (void)from, (void)count;
    return 0;
}

static toff_t seek(thandle_t handle, toff_t offset, int whence)
{
    tiff_source *source = handle;
    size_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? source->at : source->size;
    source->at = base + (size_t)offset;
    return source->at;
}

static int close_source(thandle_t handle)
{
    (void)handle;
    return 0;
}

static toff_t size_of_source(thandle_t handle)
{
    return ((tiff_source *)handle)->size;
}

static int hear_error(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments)
{
    (void)tiff, (void)module;
    tiff_source *source = user;
    if (source->complaint[0] == '\0')
        vsnprintf(source->complaint, sizeof source->complaint, format, arguments);
    for (char *c = source->complaint; *c; c++)
        if (*c < ' ')
            *c = '?';
    return 1;
}

static int hear_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments)
{
    (void)tiff, (void)user, (void)module, (void)format, (void)arguments;
    return 1;
}

static TIFF *open_source(const char *name, tiff_source *source)
{
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (!options)
        return NULL;
    TIFFOpenOptionsSetErrorHandlerExtR(options, hear_error, source);
    TIFFOpenOptionsSetWarningHandlerExtR(options, hear_warning, source);
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, MOST_BYTES_AT_ONCE);
    TIFF *tiff = TIFFClientOpenExt(name, "rm", source, give_bytes, take_bytes, seek, close_source, size_of_source, NULL,
                                   NULL, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}

static scree_status read_header(const char *name, tiff_image *image, scree_error *error)
{
    uint32_t columns = 0, rows = 0;
    uint16_t samples = 1, planes = PLANARCONFIG_CONTIG;
    image->bits = 1;
    image->format = SAMPLEFORMAT_UINT;
    TIFFGetField(image->tiff, TIFFTAG_IMAGEWIDTH, &columns);
    TIFFGetField(image->tiff, TIFFTAG_IMAGELENGTH, &rows);
    TIFFGetFieldDefaulted(image->tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
    TIFFGetFieldDefaulted(image->tiff, TIFFTAG_PLANARCONFIG, &planes);
    TIFFGetFieldDefaulted(image->tiff, TIFFTAG_BITSPERSAMPLE, &image->bits);
    TIFFGetFieldDefaulted(image->tiff, TIFFTAG_SAMPLEFORMAT, &image->format);
    image->columns = columns;
    image->rows = rows;
    bool real = image->format == SAMPLEFORMAT_IEEEFP && (image->bits == 32 || image->bits == 64);
    bool grey = image->format == SAMPLEFORMAT_UINT && (image->bits == 8 || image->bits == 16);
    if (samples != 1 || !(real || grey))
        return fail(error, SCREE_ERROR_INVALID,
                    "%s: has %u samples of %u bits per pixel; one sample is accepted, floating point of 32 or 64 bits "
                    "or grey of 8 or 16",
                    name, samples, image->bits);
    return height_check_size(name, image->columns, image->rows, error);
}

static float sample_at(const tiff_image *image, const unsigned char *bytes, size_t index)
{
    if (image->format != SAMPLEFORMAT_IEEEFP) {
        uint16_t wide = 0;
        if (image->bits == 8)
            return (float)bytes[index] / 255;
        memcpy(&wide, bytes + 2 * index, sizeof wide);
        return (float)wide / 65535;
    }
    float single = 0;
    double both = 0;
    if (image->bits == 32)
        memcpy(&single, bytes + 4 * index, sizeof single);
    else
        memcpy(&both, bytes + 8 * index, sizeof both);
    return image->bits == 32 ? single : (float)both;
}

// One row of pieces, `high` pixels of them from `first` on: a strip is a piece as wide as the image.
static bool read_pieces(const tiff_image *image, unsigned char *piece, tmsize_t bytes, size_t wide, size_t high,
                        size_t first, height_samples *samples)
{
    size_t rows = first + high < image->rows ? high : image->rows - first;
    if (!array_resize(&samples->samples, (first + rows) * image->columns))
        return false;
    for (size_t left = 0; left < image->columns; left += wide) {
        memset(piece, 0, (size_t)bytes);
        tmsize_t got = TIFFIsTiled(image->tiff)
                           ? TIFFReadTile(image->tiff, piece, (uint32_t)left, (uint32_t)first, 0, 0)
                           : TIFFReadEncodedStrip(image->tiff, (uint32_t)(first / high), piece, bytes);
        if (got < 0)
            return false;
        for (size_t row = 0; row < rows; row++)
            for (size_t i = 0; i < wide && left + i < image->columns; i++)
                samples->samples.data[(first + row) * image->columns + left + i] =
                    sample_at(image, piece, row * wide + i);
    }
    samples->rows = first + rows;
    return true;
}

static bool read_image(const tiff_image *image, height_samples *samples)
{
    uint32_t wide = (uint32_t)image->columns, high = (uint32_t)image->rows;
    bool tiled = TIFFIsTiled(image->tiff);
    tmsize_t bytes = tiled ? TIFFTileSize(image->tiff) : TIFFStripSize(image->tiff);
    if (tiled &&
        (!TIFFGetField(image->tiff, TIFFTAG_TILEWIDTH, &wide) || !TIFFGetField(image->tiff, TIFFTAG_TILELENGTH, &high)))
        return false;
    if (!tiled)
        TIFFGetFieldDefaulted(image->tiff, TIFFTAG_ROWSPERSTRIP, &high);
    if (high > image->rows && !tiled)
        high = (uint32_t)image->rows;
    if (wide == 0 || high == 0 || bytes <= 0 || bytes > MOST_BYTES_AT_ONCE ||
        (size_t)bytes < (size_t)wide * high * (image->bits / 8u))
        return false;
    unsigned char *piece = malloc((size_t)bytes);
    bool done = piece;
    samples->columns = image->columns;
    for (size_t first = 0; done && first < image->rows; first += high)
        done = read_pieces(image, piece, bytes, wide, high, first, samples);
    free(piece);
    return done;
}

scree_status height_tiff_read(const char *name, const char *bytes, size_t size, height_samples *samples,
                              scree_error *error)
{
    tiff_source source = {.bytes = bytes, .size = size};
    tiff_image image = {.tiff = open_source(name, &source)};
    scree_status status = SCREE_OK;
    if (image.tiff)
        status = read_header(name, &image, error);
    if (!image.tiff || (status == SCREE_OK && !read_image(&image, samples)))
        status = fail(error, SCREE_ERROR_INVALID, "%s: no TIFF image can be read from it: %s", name,
                      source.complaint[0] ? source.complaint : "it is too large or its parts do not fit together");
    if (image.tiff)
        TIFFClose(image.tiff);
    return status;
}

#else

scree_status height_tiff_read(const char *name, const char *bytes, size_t size, height_samples *samples,
                              scree_error *error)
{
    (void)bytes, (void)size, (void)samples;
    return fail(error, SCREE_ERROR_INVALID,
                "%s: TIFF files need libtiff, which this build is without; PNG images and text grids are accepted",
                name);
}

#endif
