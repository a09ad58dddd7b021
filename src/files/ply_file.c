// PLY (the Stanford polygon format): text, and binary of either byte order, with properties in any order.
//
// The header lists elements and their properties. Of the element `vertex` x, y and z are kept, of `face` the list
// vertex_indices (or vertex_index); all else is read over.
#include "base/error.h"
#include "files/mesh_file.h"
#include "files/text_file.h"

typedef enum number_type { INT8, UINT8, INT16, UINT16, INT32, UINT32, FLOAT32, FLOAT64, NUMBER_TYPES } number_type;

static const char *const type_names[NUMBER_TYPES][2] = {
    {"char", "int8"}, {"uchar", "uint8"}, {"short", "int16"},   {"ushort", "uint16"},
    {"int", "int32"}, {"uint", "uint32"}, {"float", "float32"}, {"double", "float64"},
};
static const size_t type_sizes[NUMBER_TYPES] = {1, 1, 2, 2, 4, 4, 4, 8};

typedef enum role { IGNORED, COORDINATE_X, COORDINATE_Y, COORDINATE_Z, INDICES } role;

typedef struct property {
    number_type type, count_type;
    bool list;
    role role;
} property;

enum { MOST_PROPERTIES = 64 };

typedef struct element {
    uint64_t count;
    bool vertex, face;
    size_t property_count;
    property properties[MOST_PROPERTIES];
} element;

typedef enum encoding { TEXT, LITTLE, BIG, UNKNOWN } encoding;

typedef struct ply_reader {
    text_scan scan; // of the whole text; of the header only where the rest is binary
    const char *at; // in binary data
    encoding encoding;
    ARRAY(element) elements;
    triangle_mesh *mesh;
    scree_error *error;
    ARRAY(uint32_t) polygon;
    double coordinates[3]; // of the current vertex
} ply_reader;

// ------------------------------------------------------------------------------------------------------------ header

static bool read_type(ply_reader *reader, number_type *type)
{
    text_word word;
    if (!text_next_word(&reader->scan, &word))
        return false;
    for (int i = 0; i < NUMBER_TYPES; i++)
        if (word_is(word, type_names[i][0]) || word_is(word, type_names[i][1])) {
            *type = (number_type)i;
            return true;
        }
    return false;
}

static role role_of(const element *owner, const property *made, text_word name)
{
    if (owner->vertex && !made->list)
        return word_is(name, "x")   ? COORDINATE_X
               : word_is(name, "y") ? COORDINATE_Y
               : word_is(name, "z") ? COORDINATE_Z
                                    : IGNORED;
    bool indices = word_is(name, "vertex_indices") || word_is(name, "vertex_index");
    return owner->face && made->list && indices ? INDICES : IGNORED;
}

static scree_status read_property(ply_reader *reader)
{
    if (reader->elements.count == 0)
        return text_fail(&reader->scan, reader->error, "a property must come after its element");
    element *owner = &reader->elements.data[reader->elements.count - 1];
    if (owner->property_count == MOST_PROPERTIES)
        return text_fail(&reader->scan, reader->error, "an element has more than %d properties", MOST_PROPERTIES);
    property made = {0};
    text_scan before = reader->scan;
    text_word word;
    made.list = text_next_word(&reader->scan, &word) && word_is(word, "list");
    if (!made.list)
        reader->scan = before;
    bool good = (!made.list || (read_type(reader, &made.count_type) && made.count_type < FLOAT32)) &&
                read_type(reader, &made.type) && text_next_word(&reader->scan, &word);
    if (!good)
        return text_fail(&reader->scan, reader->error,
                         "a property is 'property TYPE NAME' or 'property list WHOLE-TYPE TYPE NAME', a type one of "
                         "char, uchar, short, ushort, int, uint, float, double");
    made.role = role_of(owner, &made, word);
    owner->properties[owner->property_count++] = made;
    return SCREE_OK;
}

static scree_status read_element(ply_reader *reader)
{
    text_word name, count;
    int64_t number;
    if (!text_next_word(&reader->scan, &name) || !text_next_word(&reader->scan, &count) ||
        !word_whole(count, &number) || number < 0)
        return text_fail(&reader->scan, reader->error, "an element is 'element NAME COUNT'");
    element made = {.count = (uint64_t)number, .vertex = word_is(name, "vertex"), .face = word_is(name, "face")};
    return array_push(&reader->elements, made) ? SCREE_OK : fail_no_memory(reader->error);
}

static scree_status read_format(ply_reader *reader)
{
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    text_word word = {"", 0};
    text_next_word(&reader->scan, &word);
    for (int i = 0; i < 3; i++)
        if (word_is(word, names[i]))
            reader->encoding = (encoding)i;
    if (reader->encoding == UNKNOWN)
        return text_fail(&reader->scan, reader->error,
                         "the format is one of ascii, binary_little_endian, binary_big_endian");
    return SCREE_OK;
}

static scree_status read_header(ply_reader *reader)
{
    text_word word;
    reader->encoding = UNKNOWN;
    if (!text_next_line(&reader->scan) || !text_next_word(&reader->scan, &word) || !word_is(word, "ply"))
        return text_fail(&reader->scan, reader->error, "a PLY file begins with a line 'ply'");
    while (text_next_line(&reader->scan)) {
        scree_status status = SCREE_OK;
        if (!text_next_word(&reader->scan, &word) || word_is(word, "comment") || word_is(word, "obj_info"))
            continue;
        if (word_is(word, "format"))
            status = read_format(reader);
        else if (word_is(word, "element"))
            status = read_element(reader);
        else if (word_is(word, "property"))
            status = read_property(reader);
        else if (word_is(word, "end_header"))
            return reader->encoding == UNKNOWN
                       ? text_fail(&reader->scan, reader->error, "the header does not say the format")
                       : SCREE_OK;
        else
            status = text_fail(&reader->scan, reader->error,
                               "a header line begins with format, comment, element, property or end_header");
        if (status)
            return status;
    }
    return text_fail(&reader->scan, reader->error, "the file ends before end_header");
}

// -------------------------------------------------------------------------------------------------------------- data

static scree_status fail_short(ply_reader *reader)
{
    if (reader->encoding == TEXT)
        return text_fail(&reader->scan, reader->error, "the file ends before its last element");
    return fail(reader->error, SCREE_ERROR_INVALID, "%s: the file ends before its last element", reader->scan.name);
}

// Numbers in text may be broken over lines in any way.
static scree_status read_text_number(ply_reader *reader, double *value)
{
    text_word word;
    while (!text_next_word(&reader->scan, &word))
        if (!text_next_line(&reader->scan))
            return fail_short(reader);
    if (!word_real(word, value))
        return text_fail(&reader->scan, reader->error, "'%.*s' is no finite number",
                         (int)(word.length < 40 ? word.length : 40), word.start);
    return SCREE_OK;
}

static scree_status read_number(ply_reader *reader, number_type type, double *value)
{
    if (reader->encoding == TEXT)
        return read_text_number(reader, value);
    size_t size = type_sizes[type];
    if ((size_t)(reader->scan.end - reader->at) < size)
        return fail_short(reader);
    uint64_t word = 0;
    for (size_t i = 0; i < size; i++) {
        size_t byte = reader->encoding == LITTLE ? size - 1 - i : i; // the highest first
        word = word << 8 | (unsigned char)reader->at[byte];
    }
    reader->at += size;
    uint32_t half = (uint32_t)word;
    float single;
    memcpy(&single, &half, sizeof single);
    memcpy(value, &word, sizeof *value);
    if (type == FLOAT32)
        *value = (double)single;
    else if (type != FLOAT64 && (type == UINT8 || type == UINT16 || type == UINT32))
        *value = (double)word;
    else if (type != FLOAT64) // two's complement
        *value = (double)word - (word >> (8 * size - 1) ? ldexp(1, (int)(8 * size)) : 0);
    return SCREE_OK;
}

static scree_status fail_data(ply_reader *reader, const char *what)
{
    if (reader->encoding == TEXT)
        return text_fail(&reader->scan, reader->error, "%s", what);
    return fail(reader->error, SCREE_ERROR_INVALID, "%s: before byte %zu of the data: %s", reader->scan.name,
                (size_t)(reader->at - reader->scan.line_end), what);
}

static scree_status read_list(ply_reader *reader, const property *from)
{
    double count, value;
    scree_status status = read_number(reader, from->count_type, &count);
    if (status)
        return status;
    if (!(count >= 0 && count <= UINT32_MAX) || count != floor(count))
        return fail_data(reader, "the length of a list must be a whole number");
    for (uint64_t i = 0; i < (uint64_t)count; i++) {
        status = read_number(reader, from->type, &value);
        if (status)
            return status;
        if (from->role != INDICES)
            continue;
        if (!(value >= 0 && value < UINT32_MAX) || value != floor(value))
            return fail_data(reader, "a vertex index must be a whole number from 0");
        if (!array_push(&reader->polygon, (uint32_t)value))
            return fail_no_memory(reader->error);
    }
    return SCREE_OK;
}

static scree_status read_one(ply_reader *reader, const element *from)
{
    reader->polygon.count = 0;
    for (size_t p = 0; p < from->property_count; p++) {
        const property *row = &from->properties[p];
        double value;
        scree_status status = row->list ? read_list(reader, row) : read_number(reader, row->type, &value);
        if (status)
            return status;
        if (row->role >= COORDINATE_X && row->role <= COORDINATE_Z)
            reader->coordinates[row->role - COORDINATE_X] = value;
    }
    vec3 vertex = {reader->coordinates[0], reader->coordinates[1], reader->coordinates[2]};
    if (from->vertex && !mesh_coordinates_valid(vertex))
        return fail_data(reader, "a vertex has numbers beyond 1e15");
    bool done = (!from->vertex || array_push(&reader->mesh->vertices, vertex)) &&
                mesh_push_fan(reader->mesh, reader->polygon.data, reader->polygon.count);
    return done ? SCREE_OK : fail_no_memory(reader->error);
}

static scree_status check_vertex_element(ply_reader *reader, const element *from)
{
    bool found[INDICES + 1] = {0};
    for (size_t p = 0; p < from->property_count; p++)
        found[from->properties[p].role] = true;
    if (!found[COORDINATE_X] || !found[COORDINATE_Y] || !found[COORDINATE_Z])
        return fail(reader->error, SCREE_ERROR_INVALID, "%s: the element vertex must have the properties x, y and z",
                    reader->scan.name);
    return SCREE_OK;
}

static scree_status read_data(ply_reader *reader)
{
    reader->at = reader->scan.line_end < reader->scan.end ? reader->scan.line_end + 1 : reader->scan.end;
    reader->scan.at = reader->scan.line_end; // the rest of the header's last line holds nothing
    for (size_t e = 0; e < reader->elements.count; e++) {
        const element *from = &reader->elements.data[e];
        scree_status status = from->vertex ? check_vertex_element(reader, from) : SCREE_OK;
        // An element without properties takes no room, however many it says there are.
        for (uint64_t i = 0; status == SCREE_OK && from->property_count > 0 && i < from->count; i++)
            status = read_one(reader, from);
        if (status)
            return status;
    }
    for (size_t i = 0; i < reader->mesh->corners.count; i++)
        if (reader->mesh->corners.data[i] >= reader->mesh->vertices.count)
            return fail(reader->error, SCREE_ERROR_INVALID, "%s: a face speaks of vertex %lu; there are 0 to %zu",
                        reader->scan.name, (unsigned long)reader->mesh->corners.data[i],
                        reader->mesh->vertices.count - 1);
    return SCREE_OK;
}

scree_status ply_read(const char *name, const char *bytes, size_t size, triangle_mesh *mesh, scree_error *error)
{
    ply_reader reader = {.scan = text_scan_of(name, bytes, size), .mesh = mesh, .error = error};
    scree_status status = read_header(&reader);
    if (status == SCREE_OK)
        status = read_data(&reader);
    array_free(&reader.elements);
    array_free(&reader.polygon);
    return status;
}
