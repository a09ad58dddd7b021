// From a file or a text to a scene: the document is parsed, overrides are put into it, and then its parts are read.
#include "scene/scene.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/error.h"
#include "base/locale.h"
#include "scene/document/override.h"
#include "scene/read.h"

static const off_t largest_file = 256 << 20;
static const double most_steps = 0x1p53; // steps times step stays exact enough to count by

// Copies what of the path names the scene: without folders and ending.
static char *name_of_path(arena *memory, const char *path)
{
    const char *base = strrchr(path, '/');
    base = base ? base + 1 : path;
    const char *dot = strrchr(base, '.');
    size_t length = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    char *name = arena_take(memory, length + 1);
    if (name) {
        memcpy(name, base, length);
        name[length] = 0;
    }
    return name;
}

static scree_status check_times(const scene_reader *reader, const node *root)
{
    const scree_scene *scene = reader->scene;
    if (scene->duration / scene->world.step <= most_steps)
        return SCREE_OK;
    return reader_fail(reader, value_of(root, "time"), "a duration of %g in steps of %g takes more than 2^53 steps",
                       scene->duration, scene->world.step);
}

static scree_status check_contents(const scene_reader *reader, const node *root)
{
    size_t bodies, fills;
    items_of(root, "bodies", &bodies);
    items_of(root, "fills", &fills);
    if (bodies + fills > 0 || reader_complaints(reader) > 0) // a key may be misspelt
        return SCREE_OK;
    return reader_fail(reader, root, "a scene needs 'bodies' or 'fills', with one entry at least");
}

// Bodies are looked at a second time when it is known which of them are moved; not where a motion was refused.
static scree_status read_motions(const scene_reader *reader, const node *root)
{
    size_t before = reader_complaints(reader);
    scree_status status = scene_read_motions(reader, root);
    return status == SCREE_OK && reader_complaints(reader) == before ? scene_check_bodies(reader, root) : status;
}

static scree_status read_parts(scene_reader *reader, const node *root)
{
    static scree_status (*const parts[])(const scene_reader *reader, const node *root) = {
        scene_read_pairs, scene_read_bodies, scene_read_fills,  check_contents,
        read_motions,     scene_read_joints, scene_read_events, scene_read_output};
    scree_scene *scene = reader->scene;
    table_set_defaults(&scene_table, scene);
    scene->world.contacts_per_pair = scree_default_world_def().contacts_per_pair;
    scree_status status = read_mapping(reader, root, &scene_table, scene);
    if (root->kind != NODE_MAPPING)
        return status;
    const node *method = mapping_find(root, "method");
    scene->method_place = method ? place_of(method) : place_of(root);
    status = reader_go_on(reader, status);
    if (status == SCREE_OK)
        status = reader_go_on(reader, scene_read_variants(reader, root));
    if (status == SCREE_OK)
        status = reader_go_on(reader, check_times(reader, root));
    if (status == SCREE_OK)
        status = reader_go_on(reader, scene_read_materials(reader, root));
    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == SCREE_OK; i++)
        status = reader_go_on(reader, parts[i](reader, root));
    return status;
}

static scree_status read_document(scene_document *document, const char *text, size_t size, size_t set_count,
                                  complaint_list *all, scree_scene *scene, scree_error *error)
{
    scree_status status = document_parse(document, text, size, 0, &document->root, error);
    if (status == SCREE_OK)
        status = variant_apply(document, set_count, error);
    for (size_t i = 0; i < set_count && status == SCREE_OK; i++)
        status = override_apply(document, i, error);
    if (status != SCREE_OK)
        return status;
    const node start = {.kind = NODE_MAPPING, .line = 1, .column = 1}; // of an empty document
    scene_reader reader = {.document = document, .scene = scene, .error = error, .all = all};
    status = read_parts(&reader, document->root && !node_is_nothing(document->root) ? document->root : &start);
    if (!all || all->count == 0 || (status != SCREE_OK && status != SCREE_ERROR_INVALID))
        return status;
    return fail(error, SCREE_ERROR_INVALID, "%s", all->data[0].message);
}

static scree_status parse_listing(const char *text, size_t size, const char *name, const char *const *sets,
                                  size_t set_count, complaint_list *all, scree_scene **scene, scree_error *error)
{
    if (!scene)
        return fail(error, SCREE_ERROR_INVALID, "scree_scene_parse: a place for the scene is needed, found NULL");
    *scene = NULL;
    if ((!text && size) || !name || (!sets && set_count) || set_count >= UINT32_MAX)
        return fail(error, SCREE_ERROR_INVALID, "scree_scene_parse: text, name and overrides must not be NULL");
    for (size_t i = 0; i < set_count; i++)
        if (!sets[i])
            return fail(error, SCREE_ERROR_INVALID, "scree_scene_parse: override %zu is NULL", i);
    scree_scene *made = calloc(1, sizeof *made);
    if (!made)
        return fail_no_memory(error);
    made->path = arena_take(&made->memory, strlen(name) + 1);
    made->name = name_of_path(&made->memory, name);
    if (!made->path || !made->name) {
        scree_scene_destroy(made);
        return fail_no_memory(error);
    }
    strcpy(made->path, name);
    scene_document document = {.name = made->path, .sets = sets};
    locale_t before = plain_locale_begin();
    scree_status status = read_document(&document, text ? text : "", size, set_count, all, made, error);
    plain_locale_end(before);
    document_free(&document);
    if (status == SCREE_OK)
        *scene = made;
    else
        scree_scene_destroy(made);
    return status;
}

scree_status scree_scene_parse(const char *text, size_t size, const char *name, const char *const *sets,
                               size_t set_count, scree_scene **scene, scree_error *error)
{
    return parse_listing(text, size, name, sets, set_count, NULL, scene, error);
}

// -------------------------------------------------------------------------------------------------------------- file

typedef struct byte_array {
    char *data;
    size_t count, capacity;
} byte_array;

// Pipes are scenes too, so the size of a file is not all that limits what is read.
static scree_status read_stream(FILE *file, const char *path, byte_array *bytes, scree_error *error)
{
    enum { CHUNK = 1 << 16 };
    struct stat about;
    bool too_large = fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode) && about.st_size > largest_file;
    for (size_t got = CHUNK; got == CHUNK && !too_large;) {
        if (!array_reserve(bytes, bytes->count + CHUNK))
            return fail_no_memory(error);
        got = fread(bytes->data + bytes->count, 1, CHUNK, file);
        bytes->count += got;
        too_large = bytes->count > (size_t)largest_file;
    }
    if (too_large)
        return fail(error, SCREE_ERROR_INVALID, "%s: too large; a scene of at most 256 MB is accepted", path);
    if (ferror(file))
        return fail(error, SCREE_ERROR_INVALID, "%s: cannot read: %s", path, strerror(errno));
    return SCREE_OK;
}

scree_status scree_scene_load(const char *path, const char *const *sets, size_t set_count, scree_scene **scene,
                              scree_error *error)
{
    return scene_load_listing(path, sets, set_count, NULL, scene, error);
}

scree_status scene_load_listing(const char *path, const char *const *sets, size_t set_count, complaint_list *all,
                                scree_scene **scene, scree_error *error)
{
    if (scene)
        *scene = NULL;
    if (!path)
        return fail(error, SCREE_ERROR_INVALID, "scree_scene_load: a path is needed, found NULL");
    FILE *file = fopen(path, "rb");
    if (!file)
        return fail(error, SCREE_ERROR_INVALID, "%s: cannot open: %s", path, strerror(errno));
    byte_array bytes = {0};
    scree_status status = read_stream(file, path, &bytes, error);
    fclose(file);
    if (status == SCREE_OK)
        status = parse_listing(bytes.data, bytes.count, path, sets, set_count, all, scene, error);
    array_free(&bytes);
    return status;
}

void scree_scene_destroy(scree_scene *scene)
{
    if (!scene)
        return;
    for (size_t i = 0; i < scene->geometries.count; i++)
        scree_geometry_release(scene->geometries.data[i]);
    array_free(&scene->geometries);
    array_free(&scene->files);
    arena_free(&scene->memory);
    free(scene);
}

scree_id scree_scene_body(const scree_scene *scene, const char *name)
{
    size_t body;
    return scene && name && names_find(&scene->body_names, name, &body) ? body + 1 : 0;
}

size_t scree_scene_variant_count(const scree_scene *scene)
{
    return scene ? scene->variant_count : 0;
}

const char *scree_scene_variant(const scree_scene *scene, size_t index)
{
    return scene && index < scene->variant_count ? scene->variants[index].name : NULL;
}

scree_id scree_scene_joint(const scree_scene *scene, const char *name)
{
    size_t joint;
    return scene && name && names_find(&scene->joint_names, name, &joint) ? joint + 1 : 0;
}
