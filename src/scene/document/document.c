#include "scene/document/document.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "base/array.h"
#include "base/error.h"

enum { NODE_CHUNK = 512, TEXT_CHUNK = 1 << 14, LONGEST_PATH = 250 };

typedef struct open_frame { // a list or mapping that is still open
    node *container;
    node *last;    // child, NULL before the first
    node *key;     // of a mapping: the key that waits for its value
    size_t anchor; // its index and 1, or 0 when it has none
} open_frame;

typedef struct named_anchor {
    const char *name;
    node *target;
    bool open; // the target is a list or mapping that is not read to its end yet
} named_anchor;

typedef struct sorted_key {
    const char *text;
    const node *key;
} sorted_key;

typedef struct tree_builder {
    scene_document *document;
    uint32_t set;
    node *root;
    bool has_document;
    open_frame frames[DOCUMENT_DEPTH];
    size_t depth;
    ARRAY(named_anchor) anchors;
    ARRAY(sorted_key) keys;
    scree_error *error;
} tree_builder;

static scree_status take_event(tree_builder *builder, const yaml_event_t *event);
static scree_status syntax_error(const tree_builder *builder, const yaml_parser_t *parser, const char *text,
                                 size_t size);

scree_status document_parse(scene_document *document, const char *text, size_t size, uint32_t set, node **root,
                            scree_error *error)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return fail_no_memory(error);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    scree_error unread;
    tree_builder builder = {.document = document, .set = set, .error = error ? error : &unread};
    scree_status status = SCREE_OK;
    for (bool more = true; more && status == SCREE_OK;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            status = syntax_error(&builder, &parser, text, size);
            break;
        }
        more = event.type != YAML_STREAM_END_EVENT;
        status = take_event(&builder, &event);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    array_free(&builder.anchors);
    array_free(&builder.keys);
    if (status == SCREE_OK)
        *root = builder.root;
    return status;
}

void document_free(scene_document *document)
{
    arena_free(&document->memory);
    *document = (scene_document){0};
}

// ------------------------------------------------------------------------------------------------ nodes and messages

static char *copy_text(scene_document *document, const char *text, size_t length)
{
    if (length >= document->spare_text_size) {
        size_t size = length < TEXT_CHUNK ? TEXT_CHUNK : length + 1;
        document->spare_text = arena_take(&document->memory, size);
        document->spare_text_size = document->spare_text ? size : 0;
        if (!document->spare_text)
            return NULL;
    }
    char *copy = document->spare_text;
    memcpy(copy, text, length);
    copy[length] = 0;
    document->spare_text += length + 1;
    document->spare_text_size -= length + 1;
    return copy;
}

node *document_add(scene_document *document, node_kind kind, uint32_t set, const char *text, size_t length)
{
    if (document->spare_node_count == 0) {
        document->spare_nodes = arena_array(&document->memory, node, NODE_CHUNK);
        if (!document->spare_nodes)
            return NULL;
        document->spare_node_count = NODE_CHUNK;
    }
    node *added = document->spare_nodes;
    *added = (node){.kind = kind, .set = set};
    if (kind == NODE_SCALAR && !(added->text = copy_text(document, text, length)))
        return NULL;
    document->spare_nodes++;
    document->spare_node_count--;
    document->node_count++;
    return added;
}

const node *mapping_find(const node *mapping, const char *name)
{
    for (const node *key = mapping->first; key; key = key->next)
        if (strcmp(key->text, name) == 0)
            return key;
    return NULL;
}

bool node_is_nothing(const node *at)
{
    return at->kind == NODE_SCALAR && at->plain && at->text[0] == 0;
}

printable make_printable(const char *text)
{
    printable result;
    size_t length = 0;
    for (; text[length] && length < PRINTABLE_SIZE - 4; length++) {
        unsigned char c = (unsigned char)text[length];
        result.text[length] = c < 0x20 || c == 0x7f ? '?' : (char)c;
    }
    if (text[length]) {
        while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) // not inside a UTF-8 character
            length--;
        memcpy(result.text + length, "...", 3);
        length += 3;
    }
    result.text[length] = 0;
    return result;
}

scree_status document_fail(const scene_document *document, const node *at, scree_error *error, const char *format, ...)
{
    if (!error)
        return SCREE_ERROR_INVALID;
    va_list arguments;
    va_start(arguments, format);
    char message[SCREE_MESSAGE_SIZE];
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (at->set)
        return fail(error, SCREE_ERROR_INVALID, "--set %s: %s", make_printable(document->sets[at->set - 1]).text,
                    message);
    size_t length = strlen(document->name); // of a very long path the end must do, or there is no room for the message
    const char *name = document->name + (length > LONGEST_PATH ? length - LONGEST_PATH : 0);
    return fail(error, SCREE_ERROR_INVALID, "%s:%u:%u: %s", name, at->line, at->column, message);
}

// ----------------------------------------------------------------------------------------------- errors from libyaml

// The reader stops at a byte, not at a line and column: an invalid character.
static node place_of_byte(const char *text, size_t size, size_t offset)
{
    node place = {.line = 1, .column = 1};
    for (size_t i = 0; i < offset && i < size; i++) {
        if (text[i] == '\n') {
            place.line++;
            place.column = 1;
        } else if (((unsigned char)text[i] & 0xc0) != 0x80) {
            place.column++;
        }
    }
    return place;
}

// Indentation by tabs is the commonest cause of messages that do not say so.
static bool line_begins_with_tab(const char *text, size_t size, uint32_t line)
{
    const char *at = text, *end = text + size;
    for (; line > 1 && at; line--) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    while (at && at < end && *at == ' ')
        at++;
    return at && at < end && *at == '\t';
}

static scree_status syntax_error(const tree_builder *builder, const yaml_parser_t *parser, const char *text,
                                 size_t size)
{
    if (parser->error == YAML_MEMORY_ERROR)
        return fail_no_memory(builder->error);
    const char *problem = parser->problem ? parser->problem : "cannot be read as YAML";
    if (parser->error == YAML_READER_ERROR) {
        node place = place_of_byte(text, size, parser->problem_offset);
        place.set = builder->set;
        return document_fail(builder->document, &place, builder->error, "%s; a scene is UTF-8 text", problem);
    }
    node place = {.set = builder->set,
                  .line = (uint32_t)parser->problem_mark.line + 1,
                  .column = (uint32_t)parser->problem_mark.column + 1};
    bool tab = line_begins_with_tab(text, size, place.line);
    return document_fail(builder->document, &place, builder->error, "%s%s%s%s", problem, parser->context ? " " : "",
                         parser->context ? parser->context : "",
                         tab ? "; YAML is indented by spaces, not by tabs" : "");
}

// ------------------------------------------------------------------------------------------------------ from events

static scree_status fail_at(const tree_builder *builder, const yaml_event_t *event, const char *message)
{
    node place = {.set = builder->set,
                  .line = (uint32_t)event->start_mark.line + 1,
                  .column = (uint32_t)event->start_mark.column + 1};
    return document_fail(builder->document, &place, builder->error, "%s", message);
}

// Puts a node where the next one is expected.
static scree_status attach(tree_builder *builder, node *added)
{
    if (builder->depth == 0) {
        builder->root = added;
        return SCREE_OK;
    }
    open_frame *frame = &builder->frames[builder->depth - 1];
    if (frame->key) {
        frame->key->first = added;
        frame->key = NULL;
        return SCREE_OK;
    }
    if (frame->container->kind == NODE_MAPPING) {
        if (added->kind != NODE_SCALAR)
            return document_fail(builder->document, added, builder->error,
                                 "a list or a mapping cannot be a key; a key is a single word");
        frame->key = added;
    }
    *(frame->last ? &frame->last->next : &frame->container->first) = added;
    frame->last = added;
    frame->container->count++;
    return SCREE_OK;
}

static scree_status add_anchor(tree_builder *builder, const yaml_event_t *event, const yaml_char_t *name, node *target)
{
    if (!name)
        return SCREE_OK;
    if (builder->anchors.count >= DOCUMENT_ANCHORS)
        return fail_at(builder, event, "too many anchors; at most 1000 are accepted");
    const char *copy = copy_text(builder->document, (const char *)name, strlen((const char *)name));
    if (!copy || !array_push(&builder->anchors, ((named_anchor){copy, target, target->kind != NODE_SCALAR})))
        return fail_no_memory(builder->error);
    return SCREE_OK;
}

// Makes the node of an event with its place and anchor; containers become the open frame.
static scree_status take_node(tree_builder *builder, const yaml_event_t *event, node_kind kind, const yaml_char_t *tag,
                              const yaml_char_t *anchor, const char *text, size_t length, bool plain)
{
    if (tag)
        return fail_at(builder, event, "tags (!) are not accepted in a scene");
    if (builder->document->node_count >= DOCUMENT_NODES)
        return fail_at(builder, event, "the scene is too large; at most 32 million values are accepted");
    if (kind != NODE_SCALAR && builder->depth == DOCUMENT_DEPTH)
        return fail_at(builder, event, "nested too deeply; at most 64 levels are accepted");
    if (text && memchr(text, 0, length))
        return fail_at(builder, event, "a text with a NUL character is not accepted");
    node *added = document_add(builder->document, kind, builder->set, text, length);
    if (!added)
        return fail_no_memory(builder->error);
    added->plain = plain;
    added->line = (uint32_t)event->start_mark.line + 1;
    added->column = (uint32_t)event->start_mark.column + 1;
    scree_status status = attach(builder, added);
    if (status == SCREE_OK)
        status = add_anchor(builder, event, anchor, added);
    if (status == SCREE_OK && kind != NODE_SCALAR)
        builder->frames[builder->depth++] =
            (open_frame){.container = added, .anchor = anchor ? builder->anchors.count : 0};
    return status;
}

static int compare_keys(const void *a, const void *b)
{
    const sorted_key *first = a, *second = b;
    int order = strcmp(first->text, second->text);
    if (order == 0)
        order = (first->key->line > second->key->line) - (first->key->line < second->key->line);
    if (order == 0)
        order = (first->key->column > second->key->column) - (first->key->column < second->key->column);
    return order;
}

static scree_status refuse_repeated_keys(tree_builder *builder, const node *mapping)
{
    builder->keys.count = 0;
    for (const node *key = mapping->first; key; key = key->next)
        if (!array_push(&builder->keys, ((sorted_key){key->text, key})))
            return fail_no_memory(builder->error);
    if (builder->keys.count < 2)
        return SCREE_OK;
    qsort(builder->keys.data, builder->keys.count, sizeof *builder->keys.data, compare_keys);
    for (size_t i = 1; i < builder->keys.count; i++) {
        const sorted_key *pair = &builder->keys.data[i - 1];
        if (strcmp(pair[0].text, pair[1].text) == 0)
            return document_fail(builder->document, pair[1].key, builder->error,
                                 "'%s' is given twice, first at line %u", make_printable(pair[1].text).text,
                                 pair[0].key->line);
    }
    return SCREE_OK;
}

static scree_status close_container(tree_builder *builder)
{
    const open_frame *frame = &builder->frames[--builder->depth];
    if (frame->anchor)
        builder->anchors.data[frame->anchor - 1].open = false;
    return frame->container->kind == NODE_MAPPING ? refuse_repeated_keys(builder, frame->container) : SCREE_OK;
}

// A copy of a whole subtree for an alias; NULL with the error set when that is too much.
static node *copy_node(tree_builder *builder, const yaml_event_t *event, const node *original, size_t depth)
{
    scene_document *document = builder->document;
    if (depth > DOCUMENT_DEPTH || document->copied_count++ >= DOCUMENT_COPIED_NODES) {
        fail_at(builder, event, "aliases (*) stand for too much; at most a million values and 64 levels are accepted");
        return NULL;
    }
    size_t length = original->text ? strlen(original->text) : 0;
    node *copy = document_add(document, original->kind, original->set, original->text, length);
    if (!copy) {
        fail_no_memory(builder->error);
        return NULL;
    }
    copy->plain = original->plain;
    copy->line = original->line;
    copy->column = original->column;
    copy->count = original->count;
    node **link = &copy->first;
    for (const node *child = original->first; child; child = child->next) {
        *link = copy_node(builder, event, child, depth + (original->kind != NODE_SCALAR));
        if (!*link)
            return NULL;
        link = &(*link)->next;
    }
    return copy;
}

static scree_status take_alias(tree_builder *builder, const yaml_event_t *event)
{
    const char *name = (const char *)event->data.alias.anchor;
    for (size_t i = builder->anchors.count; i-- > 0;) {
        const named_anchor *anchor = &builder->anchors.data[i];
        if (strcmp(anchor->name, name) != 0)
            continue;
        if (anchor->open)
            return fail_at(builder, event, "an alias (*) cannot stand inside what its own anchor (&) marks");
        node original = *anchor->target;
        if (original.kind == NODE_SCALAR)
            original.first = NULL; // the anchor of a key does not mark its value
        node *copy = copy_node(builder, event, &original, builder->depth);
        return copy ? attach(builder, copy) : builder->error->status;
    }
    return fail_at(builder, event, "an alias (*) without its anchor (&); the anchor must come first");
}

static scree_status take_event(tree_builder *builder, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (builder->has_document)
            return fail_at(builder, event, "a second document begins here; a scene is one document");
        builder->has_document = true;
        return SCREE_OK;
    case YAML_SCALAR_EVENT:
        return take_node(builder, event, NODE_SCALAR, event->data.scalar.tag, event->data.scalar.anchor,
                         (const char *)event->data.scalar.value, event->data.scalar.length,
                         event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE);
    case YAML_SEQUENCE_START_EVENT:
        return take_node(builder, event, NODE_LIST, event->data.sequence_start.tag, event->data.sequence_start.anchor,
                         NULL, 0, false);
    case YAML_MAPPING_START_EVENT:
        return take_node(builder, event, NODE_MAPPING, event->data.mapping_start.tag, event->data.mapping_start.anchor,
                         NULL, 0, false);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return close_container(builder);
    case YAML_ALIAS_EVENT:
        return take_alias(builder, event);
    default:
        return SCREE_OK;
    }
}
