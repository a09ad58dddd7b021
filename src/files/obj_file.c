// Wavefront OBJ: `v x y z` and `f a b c ...`, where a corner is v, v/vt, v//vn or v/vt/vn and negative indices count
// back from the newest vertex.
#include "base/error.h"
#include "files/mesh_file.h"
#include "files/text_file.h"

typedef struct obj_reader {
    text_scan scan;
    triangle_mesh *mesh;
    scree_error *error;
    ARRAY(uint32_t) polygon; // of the current face
} obj_reader;

static scree_status read_vertex(obj_reader *reader)
{
    double at[3];
    if (!text_reals(&reader->scan, at, 3) || !mesh_coordinates_valid(vec3_make(at[0], at[1], at[2])))
        return text_fail(&reader->scan, reader->error, "a vertex is 'v x y z' with numbers from -1e15 to 1e15");
    if (reader->mesh->vertices.count >= UINT32_MAX)
        return text_fail(&reader->scan, reader->error, "there are more than 2^32 - 1 vertices");
    return array_push(&reader->mesh->vertices, vec3_make(at[0], at[1], at[2])) ? SCREE_OK
                                                                               : fail_no_memory(reader->error);
}

static scree_status read_corner(obj_reader *reader, text_word word)
{
    const char *slash = memchr(word.start, '/', word.length);
    text_word first = {word.start, slash ? (size_t)(slash - word.start) : word.length};
    int64_t index, count = (int64_t)reader->mesh->vertices.count;
    if (!word_whole(first, &index))
        return text_fail(&reader->scan, reader->error, "'%.*s' is no corner of a face; v, v/vt, v//vn and v/vt/vn are",
                         (int)(word.length < 40 ? word.length : 40), word.start);
    if (index == 0 || index > count || index < -count)
        return text_fail(&reader->scan, reader->error,
                         "vertex %lld is not there; so far there are 1 to %lld, or -1 to -%lld", (long long)index,
                         (long long)count, (long long)count);
    uint32_t corner = (uint32_t)(index > 0 ? index - 1 : count + index);
    return array_push(&reader->polygon, corner) ? SCREE_OK : fail_no_memory(reader->error);
}

static scree_status read_face(obj_reader *reader)
{
    reader->polygon.count = 0;
    for (text_word word; text_next_word(&reader->scan, &word);) {
        scree_status status = read_corner(reader, word);
        if (status)
            return status;
    }
    if (reader->polygon.count < 3)
        return text_fail(&reader->scan, reader->error, "a face has three corners at least, not %zu",
                         reader->polygon.count);
    return mesh_push_fan(reader->mesh, reader->polygon.data, reader->polygon.count) ? SCREE_OK
                                                                                    : fail_no_memory(reader->error);
}

scree_status obj_read(const char *name, const char *bytes, size_t size, triangle_mesh *mesh, scree_error *error)
{
    obj_reader reader = {.scan = text_scan_of(name, bytes, size), .mesh = mesh, .error = error};
    scree_status status = SCREE_OK;
    while (status == SCREE_OK && text_next_line(&reader.scan)) {
        text_word word;
        if (!text_next_word(&reader.scan, &word))
            continue;
        if (word_is(word, "v"))
            status = read_vertex(&reader);
        else if (word_is(word, "f"))
            status = read_face(&reader);
    }
    array_free(&reader.polygon);
    return status;
}
