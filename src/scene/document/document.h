// A YAML document as a tree in which every node knows where it was written.
//
// The tree is built from libyaml's events, so that a message can point at line and column and so that limits on depth
// and size stop hostile input early. JSON is read as the part of YAML that it is. An alias (*name) is replaced by a
// copy of what its anchor (&name) marks. Nodes and text live in one arena and stay where they are until document_free.
#ifndef SCENE_DOCUMENT_DOCUMENT_H
#define SCENE_DOCUMENT_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "scree/status.h"

enum {
    DOCUMENT_DEPTH = 64,             // deepest nesting that is read
    DOCUMENT_NODES = 32 * 1000000,   // most nodes in all
    DOCUMENT_COPIED_NODES = 1000000, // most nodes that come from aliases
    DOCUMENT_ANCHORS = 1000,
};

typedef enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAPPING } node_kind;

typedef struct node node;
struct node {
    node_kind kind;
    bool plain;            // scalar without quotes
    uint32_t set;          // 0: written in the file; k + 1: given by override k
    uint32_t line, column; // from 1
    uint32_t count;        // list: items; mapping: keys
    const char *text;      // scalar: its text, without NUL inside; else NULL
    node *first;           // list: first item; mapping: first key; key: its value
    node *next;            // the next item or key
};

typedef struct scene_document {
    const char *name;        // stands for the file in messages
    const char *const *sets; // the overrides, "path=value", for messages
    node *root;              // NULL when the document is empty
    arena memory;
    node *spare_nodes;
    size_t spare_node_count;
    char *spare_text;
    size_t spare_text_size;
    size_t node_count, copied_count;
} scene_document;

// Reads one document from `text` into nodes marked as coming from `set` (as in node). `root` becomes NULL when there
// is nothing in it. The document takes ownership of nothing but its own copy.
scree_status document_parse(scene_document *document, const char *text, size_t size, uint32_t set, node **root,
                            scree_error *error);

void document_free(scene_document *document);

// A new node at the place of an override; `text` of `length` bytes is copied for a scalar. NULL when out of memory.
node *document_add(scene_document *document, node_kind kind, uint32_t set, const char *text, size_t length);

// The key node of that name, whose `first` is the value; NULL when there is none.
const node *mapping_find(const node *mapping, const char *name);

// True for a plain scalar without text: a key with nothing after it.
bool node_is_nothing(const node *at);

// Fails with SCREE_ERROR_INVALID and a message that begins with FILE:LINE:COLUMN, or with the override the node came
// from.
__attribute__((format(printf, 4, 5))) scree_status document_fail(const scene_document *document, const node *at,
                                                                 scree_error *error, const char *format, ...);

enum { PRINTABLE_SIZE = 64 };
typedef struct printable {
    char text[PRINTABLE_SIZE];
} printable;

// The beginning of any text, in one line and short enough for a message.
printable make_printable(const char *text);

#endif
