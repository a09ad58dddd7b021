// The document tree: places, JSON, aliases, and limits that stop hostile input.
#include "parse.h"

#include <stdio.h>
#include <stdlib.h>

#include "scene/document/document.h"

static node *read_text(scene_document *document, const char *text)
{
    scree_error error = {0};
    *document = (scene_document){.name = "file"};
    if (document_parse(document, text, strlen(text), 0, &document->root, &error) != SCREE_OK)
        fail_msg("%s", error.message);
    return document->root;
}

static void assert_message(const char *text, size_t size, const char *message)
{
    scene_document document = {.name = "file"};
    scree_error error = {0};
    assert_int_equal(document_parse(&document, text, size, 0, &document.root, &error), SCREE_ERROR_INVALID);
    assert_string_equal(error.message, message);
    assert_null(document.root);
    document_free(&document);
}

static void assert_place(const node *at, uint32_t line, uint32_t column)
{
    assert_int_equal(at->line, line);
    assert_int_equal(at->column, column);
}

static void test_places(void **state)
{
    (void)state;
    scene_document document;
    node *root = read_text(&document, "a: 1\nb:\n  - x\n  - {c: [2, 3],\n     d: 'q'}\nü: é\n");
    assert_int_equal(root->kind, NODE_MAPPING);
    assert_int_equal(root->count, 3);
    assert_place(root, 1, 1);
    assert_place(mapping_find(root, "a"), 1, 1);
    assert_place(mapping_find(root, "a")->first, 1, 4);
    const node *list = mapping_find(root, "b")->first;
    assert_int_equal(list->kind, NODE_LIST);
    assert_int_equal(list->count, 2);
    assert_place(list->first, 3, 5);
    const node *inner = list->first->next;
    assert_place(mapping_find(inner, "c"), 4, 6);
    assert_place(mapping_find(inner, "c")->first->first->next, 4, 13);
    assert_place(mapping_find(inner, "d"), 5, 6);
    assert_false(mapping_find(inner, "d")->first->plain);
    assert_place(mapping_find(root, "ü")->first, 6, 4); // columns count characters, not bytes
    assert_null(mapping_find(root, "e"));
    document_free(&document);
}

static void test_json(void **state)
{
    (void)state;
    scene_document document;
    node *root = read_text(&document, "{\n\t\"a\":[1,-2.5e3,true],\n\t\"b\":{\"c\":\"x\\u00e9\\/\\\"\"}\n}\n");
    const node *list = mapping_find(root, "a")->first;
    assert_int_equal(list->count, 3);
    assert_string_equal(list->first->next->text, "-2.5e3");
    assert_string_equal(mapping_find(mapping_find(root, "b")->first, "c")->first->text, "xé/\"");
    document_free(&document);
}

static void test_empty_documents(void **state)
{
    (void)state;
    const char *texts[] = {"", "\n", "# only this\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        scene_document document;
        assert_null(read_text(&document, texts[i]));
        document_free(&document);
    }
}

static void test_aliases_are_copies(void **state)
{
    (void)state;
    scene_document document;
    node *root = read_text(&document, "a: &x [1, {k: v}]\nb: *x\nc: &y text\nd: *y\n&z e: 5\nf: *z\n");
    const node *a = mapping_find(root, "a")->first, *b = mapping_find(root, "b")->first;
    assert_ptr_not_equal(a, b);
    assert_int_equal(b->count, 2);
    assert_string_equal(b->first->text, "1");
    assert_string_equal(mapping_find(b->first->next, "k")->first->text, "v");
    assert_place(b->first, 1, 8); // where it was written
    assert_string_equal(mapping_find(root, "d")->first->text, "text");
    assert_string_equal(mapping_find(root, "f")->first->text, "e");
    assert_null(mapping_find(root, "f")->first->first);
    document_free(&document);
}

static void test_messages(void **state)
{
    (void)state;
#define REFUSED(text, message) assert_message((text), sizeof(text) - 1, (message))
    REFUSED("a: 1\na: 2\n", "file:2:1: 'a' is given twice, first at line 1");
    REFUSED("a: *b\n", "file:1:4: an alias (*) without its anchor (&); the anchor must come first");
    REFUSED("a: &a {b: *a}\n", "file:1:11: an alias (*) cannot stand inside what its own anchor (&) marks");
    REFUSED("a: 1\n---\nb: 1\n", "file:2:1: a second document begins here; a scene is one document");
    REFUSED("a: !t 1\n", "file:1:4: tags (!) are not accepted in a scene");
    REFUSED("{[a]: 1}\n", "file:1:2: a list or a mapping cannot be a key; a key is a single word");
    REFUSED("a:\n\tb: 1\n", "file:2:1: found character that cannot start any token while scanning for the next token; "
                            "YAML is indented by spaces, not by tabs");
    REFUSED("a: [1, 2\n", "file:2:1: did not find expected ',' or ']' while parsing a flow sequence");
    REFUSED("a: b\0c\n", "file:1:5: control characters are not allowed; a scene is UTF-8 text");
    REFUSED("a: \"b\\0c\"\n", "file:1:4: a text with a NUL character is not accepted");
    REFUSED("\n\xc3\xa9\xff", "file:2:2: invalid leading UTF-8 octet; a scene is UTF-8 text");
#undef REFUSED
}

static char *repeat(const char *part, size_t times, size_t *size)
{
    size_t length = strlen(part);
    char *text = malloc(times * length + 1);
    assert_non_null(text);
    for (size_t i = 0; i < times; i++)
        memcpy(text + i * length, part, length);
    *size = times * length;
    text[*size] = 0;
    return text;
}

static void test_depth_is_limited(void **state)
{
    (void)state;
    scene_document document;
    char text[400] = "";
    for (int i = 0; i < DOCUMENT_DEPTH; i++)
        strcat(text, "[");
    for (int i = 0; i < DOCUMENT_DEPTH; i++)
        strcat(text, "]");
    assert_non_null(read_text(&document, text));
    document_free(&document);
    const char *parts[] = {"[", "{a: ", "- ", "? "};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t size;
        char *deep = repeat(parts[i], 100000, &size);
        scree_error error = {0};
        document = (scene_document){.name = "file"};
        assert_int_equal(document_parse(&document, deep, size, 0, &document.root, &error), SCREE_ERROR_INVALID);
        document_free(&document);
        free(deep);
    }
}

static void test_aliases_cannot_explode(void **state)
{
    (void)state;
    char text[4000] = "- &a0 [x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 12; i++) {
        char line[200];
        snprintf(line, sizeof line, "- &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", i, i - 1, i - 1, i - 1,
                 i - 1, i - 1, i - 1, i - 1, i - 1);
        strcat(text, line);
    }
    scene_document document = {.name = "file"};
    scree_error error = {0};
    assert_int_equal(document_parse(&document, text, strlen(text), 0, &document.root, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "aliases (*) stand for too much"));
    assert_true(document.node_count < 2 * DOCUMENT_COPIED_NODES);
    document_free(&document);
}

static void test_anchors_are_limited(void **state)
{
    (void)state;
    size_t size;
    char *text = repeat("- &a x\n", DOCUMENT_ANCHORS + 1, &size);
    assert_message(text, size, "file:1001:3: too many anchors; at most 1000 are accepted");
    free(text);
}

// The repeated keys of a large mapping are found without comparing all with all.
static void test_many_keys(void **state)
{
    (void)state;
    enum { KEYS = 200000 };
    char *text = malloc(KEYS * 12 + 20);
    assert_non_null(text);
    size_t size = 0;
    for (int i = 0; i < KEYS; i++)
        size += (size_t)sprintf(text + size, "k%d: 1\n", i);
    size += (size_t)sprintf(text + size, "k77777: 1\n");
    assert_message(text, size, "file:200001:1: 'k77777' is given twice, first at line 77778");
    free(text);
}

static void test_printable(void **state)
{
    (void)state;
    assert_string_equal(make_printable("plain").text, "plain");
    assert_string_equal(make_printable("a\nb\tc\x7f").text, "a?b?c?");
    char text[300];
    memset(text, 'x', sizeof text);
    text[299] = 0;
    printable cut = make_printable(text);
    assert_int_equal(strlen(cut.text), 63);
    assert_string_equal(cut.text + 60, "...");
    memset(text, 'x', sizeof text);
    memcpy(text + 59, "é", 2); // not cut in two
    text[299] = 0;
    cut = make_printable(text);
    assert_int_equal(strlen(cut.text), 62);
}

static void test_long_paths_leave_room_for_the_message(void **state)
{
    (void)state;
    char path[2000];
    memset(path, 'a', sizeof path);
    strcpy(path + 1990, "b.yaml");
    scene_document document = {.name = path};
    scree_error error = {0};
    assert_int_equal(document_parse(&document, "a: !t 1", 7, 0, &document.root, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "aab.yaml:1:4: tags (!) are not accepted in a scene"));
    document_free(&document);
}

static void test_error_may_be_null(void **state)
{
    (void)state;
    const char *texts[] = {"a: [", "a: 1\na: 2", "*a", "&a [*a]", "\xff"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        scene_document document = {.name = "file"};
        assert_int_equal(document_parse(&document, texts[i], strlen(texts[i]), 0, &document.root, NULL),
                         SCREE_ERROR_INVALID);
        document_free(&document);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_empty_documents),
        cmocka_unit_test(test_aliases_are_copies),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_depth_is_limited),
        cmocka_unit_test(test_aliases_cannot_explode),
        cmocka_unit_test(test_anchors_are_limited),
        cmocka_unit_test(test_many_keys),
        cmocka_unit_test(test_printable),
        cmocka_unit_test(test_long_paths_leave_room_for_the_message),
        cmocka_unit_test(test_error_may_be_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
