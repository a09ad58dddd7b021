// Abaqus input files: *NODE and *ELEMENT of triangles, quadrilaterals and tetrahedra; other keywords are read over.
//
// The outer surface of tetrahedra is taken: the faces that only one of them has. Nodes have numbers of the user's
// choice and are looked up when all is read.
#include <stdlib.h>

#include "base/error.h"
#include "files/mesh_file.h"
#include "files/text_file.h"

typedef struct node {
    int64_t number;
    uint32_t vertex;
    size_t line;
} node;

typedef struct facet { // of a tetrahedron
    uint32_t corners[3];
    uint32_t sorted[3];
} facet;

enum { ACCEPTED = 18 };

typedef struct element_type {
    const char *name;
    size_t nodes;   // on a data line
    size_t corners; // of them, that are corners: the first
    bool solid;
} element_type;

static const element_type element_types[ACCEPTED] = {
    {"S3", 3, 3, false},     {"S3R", 3, 3, false},    {"S3RS", 3, 3, false},   {"STRI3", 3, 3, false},
    {"R3D3", 3, 3, false},   {"M3D3", 3, 3, false},   {"SFM3D3", 3, 3, false}, {"DS3", 3, 3, false},
    {"STRI65", 6, 3, false}, {"S4", 4, 4, false},     {"S4R", 4, 4, false},    {"R3D4", 4, 4, false},
    {"M3D4", 4, 4, false},   {"SFM3D4", 4, 4, false}, {"C3D4", 4, 4, true},    {"C3D4H", 4, 4, true},
    {"C3D10", 10, 4, true},  {"C3D10M", 10, 4, true},
};

typedef struct inp_element {
    const element_type *type;
    int64_t corners[4];
    size_t line;
} inp_element;

typedef enum section { OTHER, NODES, ELEMENTS } section;

typedef struct inp_reader {
    text_scan scan;
    triangle_mesh *mesh;
    scree_error *error;
    section section;
    const element_type *type; // of the current section
    ARRAY(node) nodes;
    ARRAY(inp_element) elements;
    ARRAY(facet) facets;
} inp_reader;

// ----------------------------------------------------------------------------------------------------------- reading

static scree_status choose_type(inp_reader *reader)
{
    text_word word;
    reader->type = NULL;
    while (text_next_word(&reader->scan, &word)) {
        if (!word_is_like(word, "type"))
            continue;
        if (!text_next_word(&reader->scan, &word))
            break;
        for (int i = 0; i < ACCEPTED; i++)
            if (word_is_like(word, element_types[i].name))
                reader->type = &element_types[i];
        if (reader->type)
            return SCREE_OK;
        return text_fail(&reader->scan, reader->error,
                         "elements of type %.*s are not read; triangles (S3, S3R, STRI3, STRI65, R3D3, M3D3, SFM3D3), "
                         "quadrilaterals (S4, S4R, R3D4, M3D4, SFM3D4) and tetrahedra (C3D4, C3D10) are",
                         (int)(word.length < 40 ? word.length : 40), word.start);
    }
    return text_fail(&reader->scan, reader->error, "*ELEMENT needs TYPE=");
}

static scree_status read_keyword(inp_reader *reader)
{
    // Keywords end at a comma and may have spaces in them: *NODE OUTPUT is not *NODE.
    const char *end = reader->scan.at;
    while (end < reader->scan.line_end && *end != ',' && *end != '\r')
        end++;
    while (end > reader->scan.at && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    text_word keyword = {reader->scan.at, (size_t)(end - reader->scan.at)};
    reader->section = OTHER;
    if (word_is_like(keyword, "*node")) {
        reader->section = NODES;
    } else if (word_is_like(keyword, "*element")) {
        reader->section = ELEMENTS;
        reader->scan.at = end;
        return choose_type(reader);
    } else if (word_is_like(keyword, "*include")) {
        return text_fail(&reader->scan, reader->error, "*INCLUDE is not read; all must be in one file");
    }
    return SCREE_OK;
}

static scree_status read_node(inp_reader *reader)
{
    text_word word;
    double at[3];
    node made = {.vertex = (uint32_t)reader->mesh->vertices.count, .line = reader->scan.line};
    if (!text_next_word(&reader->scan, &word) || !word_whole(word, &made.number) || made.number < 1 ||
        !text_reals(&reader->scan, at, 3) || !mesh_coordinates_valid(vec3_make(at[0], at[1], at[2])))
        return text_fail(&reader->scan, reader->error, "a node is 'NUMBER, x, y, z' with numbers from -1e15 to 1e15");
    if (reader->mesh->vertices.count >= UINT32_MAX)
        return text_fail(&reader->scan, reader->error, "there are more than 2^32 - 1 nodes");
    bool done = array_push(&reader->nodes, made) && array_push(&reader->mesh->vertices, vec3_make(at[0], at[1], at[2]));
    return done ? SCREE_OK : fail_no_memory(reader->error);
}

// A line that ends in a comma goes on in the next.
static bool next_of_element(text_scan *scan, text_word *word)
{
    while (!text_next_word(scan, word)) {
        const char *last = scan->line_end;
        while (last > scan->line_start && (last[-1] == ' ' || last[-1] == '\t' || last[-1] == '\r'))
            last--;
        if (last == scan->line_start || last[-1] != ',' || !text_next_line(scan))
            return false;
    }
    return true;
}

static scree_status read_element(inp_reader *reader)
{
    inp_element made = {.type = reader->type, .line = reader->scan.line};
    text_word word;
    int64_t number;
    bool good = next_of_element(&reader->scan, &word) && word_whole(word, &number);
    for (size_t i = 0; good && i < made.type->nodes; i++) {
        good = next_of_element(&reader->scan, &word) && word_whole(word, &number);
        if (i < made.type->corners)
            made.corners[i] = number;
    }
    if (!good)
        return text_fail(&reader->scan, reader->error, "an element of type %s is its number and those of %zu nodes",
                         made.type->name, made.type->nodes);
    return array_push(&reader->elements, made) ? SCREE_OK : fail_no_memory(reader->error);
}

static scree_status read_lines(inp_reader *reader)
{
    while (text_next_line(&reader->scan)) {
        text_scan start = reader->scan;
        text_word word;
        if (!text_next_word(&reader->scan, &word) || (word.length >= 2 && memcmp(word.start, "**", 2) == 0))
            continue;
        reader->scan = start;
        reader->scan.at = word.start;
        scree_status status = SCREE_OK;
        if (*word.start == '*')
            status = read_keyword(reader);
        else if (reader->section == NODES)
            status = read_node(reader);
        else if (reader->section == ELEMENTS)
            status = read_element(reader);
        if (status)
            return status;
    }
    return SCREE_OK;
}

// ----------------------------------------------------------------------------------------------------------- surface

static int compare_nodes(const void *left, const void *right)
{
    const node *a = left, *b = right;
    return (a->number > b->number) - (a->number < b->number);
}

static scree_status sort_nodes(inp_reader *reader)
{
    if (reader->nodes.count == 0)
        return text_fail(&reader->scan, reader->error, "there is no *NODE in the file");
    qsort(reader->nodes.data, reader->nodes.count, sizeof *reader->nodes.data, compare_nodes);
    for (size_t i = 1; i < reader->nodes.count; i++)
        if (reader->nodes.data[i].number == reader->nodes.data[i - 1].number) {
            reader->scan.line = reader->nodes.data[i].line;
            return text_fail(&reader->scan, reader->error, "node %lld is there twice; one part is read from a file",
                             (long long)reader->nodes.data[i].number);
        }
    return SCREE_OK;
}

static void sort_three(uint32_t *v)
{
    for (int i = 0; i < 3; i++) {
        int a = i % 2;
        if (v[a] > v[a + 1]) {
            uint32_t kept = v[a];
            v[a] = v[a + 1];
            v[a + 1] = kept;
        }
    }
}

static bool push_tetrahedron(inp_reader *reader, const uint32_t *c)
{
    // Outward when the fourth corner is on the side that the first three turn left to; else the other way round.
    static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    const vec3 *v = reader->mesh->vertices.data;
    vec3 a = vec3_sub(v[c[1]], v[c[0]]), b = vec3_sub(v[c[2]], v[c[0]]), d = vec3_sub(v[c[3]], v[c[0]]);
    bool outward = vec3_dot(vec3_cross(a, b), d) > 0;
    for (int f = 0; f < 4; f++) {
        facet made;
        for (int i = 0; i < 3; i++)
            made.corners[outward ? i : 2 - i] = c[faces[f][i]];
        memcpy(made.sorted, made.corners, sizeof made.sorted);
        sort_three(made.sorted);
        if (!array_push(&reader->facets, made))
            return false;
    }
    return true;
}

static int compare_facets(const void *left, const void *right)
{
    const facet *a = left, *b = right;
    for (int i = 0; i < 3; i++)
        if (a->sorted[i] != b->sorted[i])
            return a->sorted[i] < b->sorted[i] ? -1 : 1;
    return 0;
}

static bool push_outer_facets(inp_reader *reader)
{
    size_t count = reader->facets.count;
    facet *facets = reader->facets.data;
    if (count > 0)
        qsort(facets, count, sizeof *facets, compare_facets);
    for (size_t i = 0, next; i < count; i = next) {
        next = i + 1;
        while (next < count && compare_facets(&facets[i], &facets[next]) == 0)
            next++;
        if (next == i + 1 && !mesh_push_fan(reader->mesh, facets[i].corners, 3))
            return false;
    }
    return true;
}

static scree_status push_element(inp_reader *reader, const inp_element *from)
{
    uint32_t corners[4];
    for (size_t i = 0; i < from->type->corners; i++) {
        node wanted = {.number = from->corners[i]};
        const node *found = bsearch(&wanted, reader->nodes.data, reader->nodes.count, sizeof wanted, compare_nodes);
        if (!found) {
            reader->scan.line = from->line;
            return text_fail(&reader->scan, reader->error, "node %lld is not in the file", (long long)wanted.number);
        }
        corners[i] = found->vertex;
    }
    bool done = from->type->solid ? push_tetrahedron(reader, corners)
                                  : mesh_push_fan(reader->mesh, corners, from->type->corners);
    return done ? SCREE_OK : fail_no_memory(reader->error);
}

scree_status inp_read(const char *name, const char *bytes, size_t size, triangle_mesh *mesh, scree_error *error)
{
    inp_reader reader = {.scan = text_scan_of(name, bytes, size), .mesh = mesh, .error = error};
    reader.scan.stops = ",=";
    scree_status status = read_lines(&reader);
    if (status == SCREE_OK)
        status = sort_nodes(&reader);
    for (size_t i = 0; status == SCREE_OK && i < reader.elements.count; i++)
        status = push_element(&reader, &reader.elements.data[i]);
    if (status == SCREE_OK && !push_outer_facets(&reader))
        status = fail_no_memory(error);
    array_free(&reader.nodes);
    array_free(&reader.elements);
    array_free(&reader.facets);
    return status;
}
