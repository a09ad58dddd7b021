// Reading mappings of a document into structs by the tables of keys.h, with messages that say where, what is wrong and
// what is accepted.
#ifndef SCENE_READER_H
#define SCENE_READER_H

#include "scene/complaints.h"
#include "scene/document/document.h"
#include "scene/keys.h"
#include "scene/scene.h"

typedef struct scene_reader {
    const scene_document *document;
    scree_scene *scene; // being made; its arena holds what is read
    name_index materials;
    scree_error *error;
    complaint_list *all; // every refusal, or NULL when the first one ends the reading
} scene_reader;

// Turns a refusal that is on the list into SCREE_OK, so that reading goes on with the next item.
static inline scree_status reader_go_on(const scene_reader *reader, scree_status status)
{
    return status == SCREE_ERROR_INVALID && reader->all && reader->all->count < MOST_COMPLAINTS ? SCREE_OK : status;
}

static inline size_t reader_complaints(const scene_reader *reader)
{
    return reader->all ? reader->all->refusals : 0;
}

__attribute__((format(printf, 3, 4))) scree_status reader_fail(const scene_reader *reader, const node *at,
                                                               const char *format, ...);

// Reads every key of a mapping that has a place in `target`, a struct that the table describes and that holds the
// defaults already. Unknown keys, keys of another variant and missing required keys are errors. Lists and maps are
// only checked for being such.
scree_status read_mapping(const scene_reader *reader, const node *mapping, const key_table *table, void *target);

// The value of a key of a mapping, or NULL.
const node *value_of(const node *mapping, const char *name);

// A list of mappings, or NULL when it is not there; `count` becomes its length.
const node *items_of(const node *mapping, const char *name, size_t *count);

// The place of a node, for messages that come when the document is gone.
static inline scene_place place_of(const node *at)
{
    return at->set ? (scene_place){0} : (scene_place){at->line, at->column};
}

// Zeroed memory for `count` elements from the scene's arena, never NULL when SCREE_OK.
#define reader_array(reader, array, count) reader_take((reader), (void **)(array), (count), sizeof **(array))
scree_status reader_take(const scene_reader *reader, void **memory, size_t count, size_t element_size);

// Fails with "'KEY' must be ..., found ...".
scree_status fail_value(const scene_reader *reader, const node *value, const key_row *row);

// Fail for a name that means nothing here: "unknown material 'x', did you mean 'y'?", or with the names that there are.
scree_status fail_unknown_material(const scene_reader *reader, const node *value);
typedef enum named_things { NAMED_BODIES = 1, NAMED_FILLS = 2, NAMED_JOINTS = 4 } named_things;
scree_status fail_unknown_thing(const scene_reader *reader, const node *value, unsigned things);

// The following are in values.c.

// Reads one value into the row's place in `target`.
scree_status read_value(const scene_reader *reader, const node *value, const key_row *row, void *target);

// A name that may stand in a file name, copied into the scene.
scree_status read_name(const scene_reader *reader, const node *value, const key_row *row, char **name);

// Index of a body by its name.
scree_status read_body_name(const scene_reader *reader, const node *value, const key_row *row, size_t *body);

#endif
