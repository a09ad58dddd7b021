// An array is unpacked as it was packed: base64 of a head with the sizes of all blocks, then base64 of the blocks. All
// sizes are compared with what the caller expects before anything of that size is touched.
#include "record/frames/vtp_read.h"

#include <stdlib.h>
#include <zlib.h>

#include "base/error.h"
#include "record/frames/base64.h"
#include "record/frames/xml_scan.h"

enum { HEADER_WORDS = 3, WORD = 8, VALUE_SIZE = 64 };

// zlib makes at most 1032 bytes out of one, so a text of this length bounds what it can hold.
enum { MOST_GROWTH = 1100 };

static scree_status refuse(const vtp_source *source, const char *what, scree_error *error)
{
    return fail(error, SCREE_ERROR_INVALID, "%s: %s; a frame as scree writes it is expected", source->name, what);
}

static bool has_value(const xml_tag *tag, const char *attribute, const char *expected)
{
    char value[VALUE_SIZE];
    return xml_attribute(tag, attribute, value, sizeof value) && strcmp(value, expected) == 0;
}

static bool read_count(const xml_tag *tag, const char *attribute, size_t most, size_t *count)
{
    char value[VALUE_SIZE], *end;
    if (!xml_attribute(tag, attribute, value, sizeof value) || value[0] < '0' || value[0] > '9')
        return false;
    unsigned long long number = strtoull(value, &end, 10);
    *count = (size_t)number;
    return *end == '\0' && number <= most;
}

scree_status vtp_open_text(const char *text, size_t size, const char *name, vtp_source *source, scree_error *error)
{
    *source = (vtp_source){0};
    snprintf(source->name, sizeof source->name, "%s", name);
    xml_scan scan = {text, text + size};
    xml_tag tag;
    bool good = false;
    while (xml_next(&scan, &tag) && !xml_is(&tag, "Piece"))
        good = good || (xml_is(&tag, "VTKFile") && has_value(&tag, "type", "PolyData") &&
                        has_value(&tag, "byte_order", vtp_byte_order()) && has_value(&tag, "header_type", "UInt64") &&
                        has_value(&tag, "compressor", "vtkZLibDataCompressor"));
    if (!good)
        return refuse(source, "the head is not that of a .vtp file", error);
    vtp_counts *counts = &source->counts;
    size_t most_points = size * MOST_GROWTH / (3 * sizeof(double)), most_cells = size * MOST_GROWTH / sizeof(int32_t);
    if (!read_count(&tag, "NumberOfPoints", most_points, &counts->points) ||
        !read_count(&tag, "NumberOfVerts", most_cells, &counts->verts) ||
        !read_count(&tag, "NumberOfLines", most_cells, &counts->lines) ||
        !read_count(&tag, "NumberOfPolys", most_cells, &counts->polys))
        return refuse(source, "the numbers of points and cells are missing, or more than the file can hold", error);
    source->text = scan.at;
    source->size = (size_t)(scan.end - scan.at);
    return SCREE_OK;
}

scree_status vtp_open(const char *path, vtp_source *source, scree_error *error)
{
    file_text text = {0};
    *source = (vtp_source){0};
    scree_status status = file_read(path, &text, error);
    if (status == SCREE_OK)
        status = vtp_open_text(text.data, text.count, path, source, error);
    source->owned = text;
    return status;
}

void vtp_close(vtp_source *source)
{
    array_free(&source->owned);
    *source = (vtp_source){0};
}

// The text between <DataArray ...> and </DataArray>, without white space around it.
static bool find_array(const vtp_source *source, const char *section, const char *name, const char *type,
                       size_t components, const char **text, size_t *length)
{
    xml_scan scan = {source->text, source->text + source->size};
    xml_tag tag;
    bool inside = false;
    size_t found;
    while (xml_next(&scan, &tag)) {
        if (tag.length > 0 && tag.text[0] == '/')
            inside = inside && xml_is(&tag, "/DataArray");
        else if (xml_is(&tag, section))
            inside = true;
        else if (inside && xml_is(&tag, "DataArray") && has_value(&tag, "Name", name) &&
                 has_value(&tag, "type", type) && has_value(&tag, "format", "binary") &&
                 read_count(&tag, "NumberOfComponents", SIZE_MAX, &found) && found == components) {
            const char *begin = scan.at, *end = memchr(begin, '<', (size_t)(scan.end - begin));
            while (end && begin < end && strchr(" \r\n\t", *begin))
                begin++;
            while (end && end > begin && strchr(" \r\n\t", end[-1]))
                end--;
            *text = begin;
            *length = end ? (size_t)(end - begin) : 0;
            return end != NULL;
        }
    }
    return false;
}

typedef struct packed_array {
    uint64_t *header; // blocks, block size, size of the last partial block, then the packed size of each block
    uint8_t *blocks;
    size_t blocks_size;
} packed_array;

// Both parts of an array's text. False when they are not what they should be, or out of memory.
static bool decode(const char *text, size_t length, packed_array *packed)
{
    size_t head_length = base64_length(HEADER_WORDS * WORD), size;
    uint64_t head[HEADER_WORDS + 1];
    if (length < head_length || !base64_decode(text, head_length, (uint8_t *)head, &size) || head[0] > length / WORD)
        return false;
    size_t header_size = (HEADER_WORDS + (size_t)head[0]) * WORD;
    head_length = base64_length(header_size);
    if (length < head_length)
        return false;
    packed->header = malloc(head_length / 4 * 3 + WORD);
    packed->blocks = malloc((length - head_length) / 4 * 3 + 1);
    return packed->header && packed->blocks && base64_decode(text, head_length, (uint8_t *)packed->header, &size) &&
           size == header_size &&
           base64_decode(text + head_length, length - head_length, packed->blocks, &packed->blocks_size);
}

// Blocks behind each other into `data`, which takes exactly `size` bytes.
static bool unpack(const packed_array *packed, uint8_t *data, size_t size)
{
    size_t blocks = (size_t)packed->header[0], from = 0, to = 0;
    uint64_t whole = packed->header[1], last = packed->header[2] ? packed->header[2] : whole;
    for (size_t i = 0; i < blocks; i++) {
        uint64_t expected = i + 1 == blocks ? last : whole, length = packed->header[HEADER_WORDS + i];
        if (expected > size - to || length > packed->blocks_size - from)
            return false;
        uLongf got = (uLongf)expected;
        if (uncompress(data + to, &got, packed->blocks + from, (uLong)length) != Z_OK || got != expected)
            return false;
        from += (size_t)length;
        to += (size_t)expected;
    }
    return to == size && from == packed->blocks_size;
}

scree_status vtp_read(const vtp_source *source, const char *section, const char *name, vtp_type type, size_t components,
                      size_t count, void *data, scree_error *error)
{
    const char *text;
    size_t length;
    char what[128];
    snprintf(what, sizeof what, "array '%s' of %s is missing or damaged", name, section);
    if (!find_array(source, section, name, vtp_type_name(type), components, &text, &length))
        return refuse(source, what, error);
    packed_array packed = {0};
    bool good = decode(text, length, &packed) && unpack(&packed, data, count * components * vtp_type_size(type));
    free(packed.header);
    free(packed.blocks);
    return good ? SCREE_OK : refuse(source, what, error);
}
