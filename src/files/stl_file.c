// STL, text and binary. The format repeats a vertex in each of its triangles; equal coordinates become one vertex
// again.
#include <stdlib.h>

#include "base/error.h"
#include "base/hash.h"
#include "files/mesh_file.h"
#include "files/text_file.h"

enum { HEADER = 80, RECORD = 50 }; // bytes of a binary file: before the count, and of each triangle

// Vertices by their coordinates: open addressing, at most half full.
typedef struct weld {
    triangle_mesh *mesh;
    uint32_t *slots; // vertex + 1; 0 is empty
    size_t slot_count;
} weld;

static size_t slot_of(const weld *welded, vec3 p)
{
    uint64_t hash = hash_double(hash_double(hash_double(1, p.x), p.y), p.z);
    size_t slot = (size_t)(hash % welded->slot_count);
    while (welded->slots[slot]) {
        vec3 other = welded->mesh->vertices.data[welded->slots[slot] - 1];
        if (other.x == p.x && other.y == p.y && other.z == p.z)
            break;
        slot = slot + 1 < welded->slot_count ? slot + 1 : 0;
    }
    return slot;
}

static bool grow(weld *welded)
{
    free(welded->slots);
    welded->slot_count = 4 * welded->mesh->vertices.count + 64;
    welded->slots = calloc(welded->slot_count, sizeof *welded->slots);
    for (size_t v = 0; welded->slots && v < welded->mesh->vertices.count; v++)
        welded->slots[slot_of(welded, welded->mesh->vertices.data[v])] = (uint32_t)(v + 1);
    return welded->slots;
}

static bool find_or_add(weld *welded, vec3 p, uint32_t *vertex)
{
    size_t count = welded->mesh->vertices.count;
    if (2 * count >= welded->slot_count && (count >= UINT32_MAX - 1 || !grow(welded)))
        return false;
    size_t slot = slot_of(welded, p);
    if (!welded->slots[slot]) {
        if (!array_push(&welded->mesh->vertices, p))
            return false;
        welded->slots[slot] = (uint32_t)(count + 1);
    }
    *vertex = welded->slots[slot] - 1;
    return true;
}

// -------------------------------------------------------------------------------------------------------------- text

static scree_status read_text_vertex(text_scan *scan, weld *welded, uint32_t polygon[3], size_t *corners,
                                     scree_error *error)
{
    double at[3];
    if (*corners >= 3)
        return text_fail(scan, error, "a facet has three vertices; this is a fourth");
    if (!text_reals(scan, at, 3) || !mesh_coordinates_valid(vec3_make(at[0], at[1], at[2])))
        return text_fail(scan, error, "a vertex is 'vertex x y z' with numbers from -1e15 to 1e15");
    return find_or_add(welded, vec3_make(at[0], at[1], at[2]), &polygon[(*corners)++]) ? SCREE_OK
                                                                                       : fail_no_memory(error);
}

static scree_status read_text(const char *name, const char *bytes, size_t size, weld *welded, scree_error *error)
{
    text_scan scan = text_scan_of(name, bytes, size);
    uint32_t polygon[3];
    size_t corners = 0;
    bool within = false, ended = false;
    while (text_next_line(&scan)) {
        text_word word;
        if (!text_next_word(&scan, &word))
            continue;
        scree_status status = SCREE_OK;
        if (word_is_like(word, "facet")) {
            within = true;
            corners = 0;
        } else if (word_is_like(word, "vertex") && within) {
            status = read_text_vertex(&scan, welded, polygon, &corners, error);
        } else if (word_is_like(word, "endfacet") && within && corners == 3) {
            within = false;
            status = mesh_push_fan(welded->mesh, polygon, 3) ? SCREE_OK : fail_no_memory(error);
        } else if (word_is_like(word, "endsolid") && !within) {
            ended = true;
        } else if (!(word_is_like(word, "solid") && !within) && !word_is_like(word, "outer") &&
                   !word_is_like(word, "endloop")) {
            status = text_fail(&scan, error,
                               "'%.*s' is out of place; facet normal, outer loop, three times vertex, endloop, "
                               "endfacet is accepted",
                               (int)(word.length < 40 ? word.length : 40), word.start);
        }
        if (status)
            return status;
    }
    return ended ? SCREE_OK : text_fail(&scan, error, "the file ends without endsolid");
}

// ------------------------------------------------------------------------------------------------------------ binary

static uint32_t little_word(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double little_float(const char *bytes)
{
    uint32_t word = little_word(bytes);
    float value;
    memcpy(&value, &word, sizeof value);
    return (double)value;
}

static scree_status read_binary(const char *name, const char *bytes, size_t count, weld *welded, scree_error *error)
{
    for (size_t t = 0; t < count; t++) {
        uint32_t polygon[3];
        for (size_t corner = 0; corner < 3; corner++) {
            // After the normal, which is twelve bytes long.
            const char *at = bytes + HEADER + 4 + RECORD * t + 12 + 12 * corner;
            vec3 p = {little_float(at), little_float(at + 4), little_float(at + 8)};
            if (!mesh_coordinates_valid(p))
                return fail(error, SCREE_ERROR_INVALID,
                            "%s: byte %zu: a vertex of triangle %zu is (%g, %g, %g); numbers from -1e15 to 1e15 are "
                            "accepted",
                            name, (size_t)(at - bytes), t + 1, p.x, p.y, p.z);
            if (!find_or_add(welded, p, &polygon[corner]))
                return fail_no_memory(error);
        }
        if (!mesh_push_fan(welded->mesh, polygon, 3))
            return fail_no_memory(error);
    }
    return SCREE_OK;
}

scree_status stl_read(const char *name, const char *bytes, size_t size, triangle_mesh *mesh, scree_error *error)
{
    weld welded = {.mesh = mesh};
    scree_status status;
    // Some binary files begin with "solid" too, but none of the text files has the size that its bytes 80 to 83 say.
    size_t count = size >= HEADER + 4 ? little_word(bytes + HEADER) : 0;
    if (size >= HEADER + 4 && (size - HEADER - 4) / RECORD == count && (size - HEADER - 4) % RECORD == 0)
        status = read_binary(name, bytes, count, &welded, error);
    else if (size >= 5 && word_is_like((text_word){bytes, 5}, "solid"))
        status = read_text(name, bytes, size, &welded, error);
    else
        status = fail(error, SCREE_ERROR_INVALID,
                      "%s: neither a text STL, which begins with 'solid', nor a binary one, which has 84 bytes and 50 "
                      "for each triangle: it has %zu, and says %zu triangles",
                      name, size, count);
    free(welded.slots);
    return status;
}
