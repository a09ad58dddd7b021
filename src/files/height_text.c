// Height fields as text: a row of numbers per line, after an ESRI header (ncols, nrows, cellsize, ...) if there is one.
#include "base/error.h"
#include "files/height_file.h"
#include "files/text_file.h"

typedef struct esri_header {
    double columns, rows; // 0 when not given
    double no_data;
    bool has_no_data;
} esri_header;

// A header line is a known word and a number.
static scree_status read_header_line(text_scan *scan, text_word key, esri_header *header, height_samples *samples,
                                     scree_error *error)
{
    double value;
    text_word more;
    if (!text_reals(scan, &value, 1) || text_next_word(scan, &more))
        return text_fail(scan, error, "'%.*s' takes one number", (int)(key.length < 40 ? key.length : 40), key.start);
    if (word_is_like(key, "ncols"))
        header->columns = value;
    else if (word_is_like(key, "nrows"))
        header->rows = value;
    else if (word_is_like(key, "cellsize") && value > 0)
        samples->spacing = value;
    else if (word_is_like(key, "nodata_value"))
        *header = (esri_header){header->columns, header->rows, value, true};
    else if (!word_is_like(key, "xllcorner") && !word_is_like(key, "yllcorner") && !word_is_like(key, "xllcenter") &&
             !word_is_like(key, "yllcenter"))
        return text_fail(scan, error,
                         "'%.*s' is no number; rows of numbers are accepted, and before them ncols, nrows, cellsize, "
                         "xllcorner, yllcorner, nodata_value",
                         (int)(key.length < 40 ? key.length : 40), key.start);
    return SCREE_OK;
}

static scree_status read_row(text_scan *scan, text_word word, const esri_header *header, height_samples *samples,
                             scree_error *error)
{
    size_t columns = 0;
    do {
        double value;
        if (*word.start == '#')
            break;
        if (!word_real(word, &value) || !(value >= -1e15 && value <= 1e15))
            return text_fail(scan, error, "'%.*s' is not accepted; a number from -1e15 to 1e15 is",
                             (int)(word.length < 40 ? word.length : 40), word.start);
        if (header->has_no_data && value == header->no_data)
            return text_fail(scan, error, "column %zu has no data; a height field has no holes", columns + 1);
        if (!array_push(&samples->samples, (float)value))
            return fail_no_memory(error);
        columns++;
    } while (text_next_word(scan, &word));
    if (samples->rows > 0 && columns != samples->columns)
        return text_fail(scan, error, "this row has %zu numbers; the first has %zu", columns, samples->columns);
    samples->columns = columns;
    samples->rows++;
    return SCREE_OK;
}

static scree_status check_header(const text_scan *scan, const esri_header *header, const height_samples *samples,
                                 scree_error *error)
{
    if ((header->columns != 0 && header->columns != (double)samples->columns) ||
        (header->rows != 0 && header->rows != (double)samples->rows))
        return text_fail(scan, error, "there are %zu columns and %zu rows; ncols and nrows say %g and %g",
                         samples->columns, samples->rows, header->columns, header->rows);
    return SCREE_OK;
}

scree_status height_text_read(const char *name, const char *bytes, size_t size, height_samples *samples,
                              scree_error *error)
{
    text_scan scan = text_scan_of(name, bytes, size);
    scan.stops = ",;";
    esri_header header = {0};
    while (text_next_line(&scan)) {
        text_word word;
        if (!text_next_word(&scan, &word) || *word.start == '#')
            continue;
        bool letter = (*word.start >= 'a' && *word.start <= 'z') || (*word.start >= 'A' && *word.start <= 'Z');
        scree_status status = letter && samples->rows == 0 ? read_header_line(&scan, word, &header, samples, error)
                                                           : read_row(&scan, word, &header, samples, error);
        if (status)
            return status;
    }
    return check_header(&scan, &header, samples, error);
}
