// docs/scene.md, docs/scene.schema.json and the library's default makers say what the tables of keys say.
#include "parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "scene/document/document.h"
#include "scene/document/scalar.h"
#include "scene/write.h"

// ------------------------------------------------------------------------------------------------ walking the tables

typedef void (*visit_row)(const key_table *table, const key_row *row, const char *value, const void *context);

// Visits every row of a table and of the tables below it, with its default as the scene's text would have it, or NULL
// when it has none that is a value.
static int walk(const key_table *table, visit_row visit, const void *context)
{
    union { // a place for the structs of all tables
        scree_scene scene;
        scene_body body;
        scene_fill fill;
        scene_shape shape;
        scene_fill_shape fill_shape;
        scene_joint joint;
        scene_motion motion;
    } *target = calloc(1, sizeof *target);
    assert_non_null(target);
    table_set_defaults(table, target);
    int count = 0;
    for (size_t i = 0; i < table->count; i++) {
        const key_row *row = &table->keys[i];
        text_buffer value = {0};
        bool is_value = row->kind != KEY_TABLE && row->kind != KEY_LIST && row->kind != KEY_MAP &&
                        row->kind != KEY_NAMES && row->kind != KEY_VALUES && !(row->flags & KEY_REQUIRED) && !row->note;
        if (is_value)
            write_value(&value, NULL, row, target);
        assert_false(value.failed);
        visit(table, row, value.data, context);
        array_free(&value);
        count++;
        if (row->table)
            count += walk(row->table, visit, context);
    }
    free(target);
    return count;
}

static char *read_all(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot open %s", path);
    enum { SIZE = 1 << 20 };
    char *text = calloc(1, SIZE);
    assert_non_null(text);
    size_t size = fread(text, 1, SIZE - 1, file);
    assert_true(size > 0 && size < SIZE - 1);
    fclose(file);
    return text;
}

// ------------------------------------------------------------------------------------------------------ the reference

static void check_reference(const key_table *table, const key_row *row, const char *value, const void *context)
{
    char heading[100], accepted[DESCRIPTION_SIZE], line[1000];
    snprintf(heading, sizeof heading, "\n## `%s`\n", table->path);
    const char *section = strstr(context, heading);
    if (!section)
        fail_msg("docs/scene.md has no section '## `%s`'", table->path);
    const char *end = strstr(section + strlen(heading), "\n## ");
    key_describe(row, accepted);
    const char *quote = value ? "`" : "";
    const char *text = row->flags & KEY_REQUIRED ? "required" : row->note ? row->note : value ? value : "below";
    snprintf(line, sizeof line, "\n| `%s` | %s | %s%s%s | %s |\n", row->name, accepted, quote, text, quote, row->help);
    const char *found = strstr(section, line);
    if (!found || (end && found > end))
        fail_msg("docs/scene.md, section %s, lacks the row%s", table->path, line);
}

static void test_reference_has_every_row(void **state)
{
    (void)state;
    char *text = read_all(SCREE_SOURCE_DIR "/docs/scene.md");
    assert_true(walk(&scene_table, check_reference, text) > 80);
    free(text);
}

// --------------------------------------------------------------------------------------------------------- the schema

static const node *get(const node *mapping, const char *name)
{
    const node *key = mapping && mapping->kind == NODE_MAPPING ? mapping_find(mapping, name) : NULL;
    return key ? key->first : NULL;
}

static const node *schema_of(const node *root, const char *path)
{
    if (strcmp(path, "scene") == 0)
        return root;
    char name[100] = ""; // the path without its brackets
    for (const char *c = path; *c; c++)
        if (*c != '[' && *c != ']')
            strncat(name, c, 1);
    return get(get(root, "definitions"), name);
}

// A default in the schema and one in the scene's text are equal when their items are, as numbers or as words.
static bool same_value(const node *a, const node *b)
{
    if (a->kind != b->kind || a->count != b->count)
        return false;
    if (a->kind == NODE_SCALAR) {
        double first, second;
        if (scalar_real(a->text, &first) && scalar_real(b->text, &second))
            return first == second;
        return strcmp(a->text, b->text) == 0;
    }
    const node *other = b->first;
    for (const node *item = a->first; item; item = item->next, other = other->next)
        if (!same_value(item, other))
            return false;
    return true;
}

static void check_bound(const char *where, const node *schema, const char *name, bool expected, double bound)
{
    const node *found = get(schema, name);
    double value;
    if (!expected && found)
        fail_msg("scene.schema.json: %s has a '%s' that the table does not have", where, name);
    if (expected && (!found || !scalar_real(found->text, &value) || value != bound))
        fail_msg("scene.schema.json: %s must have '%s' %g", where, name, bound);
}

// Where a row's numbers are described: in the property itself, in its items, or in the first alternative.
static const node *number_schema(const node *schema, const key_row *row)
{
    const node *items = get(schema, "items");
    switch (row->kind) {
    case KEY_REAL:
    case KEY_INT:
    case KEY_SIZE:
        return schema;
    case KEY_VEC2:
    case KEY_LIMITS:
    case KEY_VEC3:
    case KEY_DIRECTION:
    case KEY_QUAT:
        return items;
    case KEY_POINTS:
    case KEY_SHIFTS:
    case KEY_BALLS:
    case KEY_BOX:
    case KEY_ENDS:
        return get(items, "items");
    case KEY_RANGE:
        return get(schema, "anyOf")->first;
    case KEY_RANGE3:
        return get(items, "anyOf")->first;
    default:
        return NULL;
    }
}

static void check_words(const char *where, const node *schema, const key_row *row)
{
    const node *item = get(schema, "enum") ? get(schema, "enum")->first : NULL;
    for (const key_word *word = row->words; word->name; word++) {
        if (!item || strcmp(item->text, word->name) != 0)
            fail_msg("scene.schema.json: %s must accept '%s'", where, word->name);
        item = item->next;
    }
    assert_null(item);
}

static bool is_required(const node *schema, const char *name)
{
    const node *list = get(schema, "required");
    for (const node *item = list ? list->first : NULL; item; item = item->next)
        if (strcmp(item->text, name) == 0)
            return true;
    return false;
}

// Among the rows of its name: how many there are, and which one it is.
static size_t rows_of_name(const key_table *table, const key_row *row, size_t *index)
{
    size_t count = 0;
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->keys[i].name, row->name) == 0) {
            if (&table->keys[i] == row)
                *index = count;
            count++;
        }
    return count;
}

static size_t count_names(const key_table *table)
{
    size_t count = 0, index = 0;
    for (size_t i = 0; i < table->count; i++) {
        rows_of_name(table, &table->keys[i], &index);
        count += index == 0;
    }
    return count;
}

// A name with several rows has one alternative for each of them, in their order.
static const node *property_of(const node *schema, const key_table *table, const key_row *row)
{
    const node *property = get(get(schema, "properties"), row->name);
    size_t index = 0;
    if (rows_of_name(table, row, &index) == 1 || !property)
        return property;
    const node *alternatives = get(property, "anyOf");
    const node *item = alternatives ? alternatives->first : NULL;
    while (item && index-- > 0)
        item = item->next;
    return item;
}

// For each word of the variant the schema says of a row that it is out of place or, where several rows share the name,
// which alternative holds.
static void check_variants(const node *schema, const key_table *table, const key_row *row)
{
    const key_row *variant = table_variant_key(table);
    if (!variant)
        return;
    const node *rule = get(schema, "allOf")->first;
    for (const key_word *word = variant->words; word->name; word++) {
        const node *when = get(get(get(get(rule, "if"), "properties"), variant->name), "const");
        assert_non_null(when);
        assert_string_equal(when->text, word->name);
        const node *said = get(get(get(rule, "then"), "properties"), row->name);
        char expected[200] = "";
        size_t index = 0;
        const key_row *holds = table_find_in(table, row->name, word->value);
        if (!holds)
            snprintf(expected, sizeof expected, "false");
        else if (rows_of_name(table, holds, &index) > 1)
            snprintf(expected, sizeof expected, "properties/%s/anyOf/%zu", row->name, index);
        const char *found = !said ? "" : said->kind == NODE_SCALAR ? said->text : get(said, "$ref")->text;
        size_t length = strlen(found), wanted = strlen(expected);
        if (length < wanted || strcmp(found + length - wanted, expected) != 0 || (wanted == 0 && length > 0))
            fail_msg("scene.schema.json: %s, key %s of a %s: '%s' must be '%s'", table->path, row->name, word->name,
                     found, expected);
        rule = rule->next;
    }
    assert_null(rule);
}

static void check_schema(const key_table *table, const key_row *row, const char *value, const void *context)
{
    char where[200];
    snprintf(where, sizeof where, "%s, key %s", table->path, row->name);
    const node *schema = schema_of(context, table->path);
    const node *property = property_of(schema, table, row);
    if (!property)
        fail_msg("scene.schema.json lacks %s", where);
    assert_int_equal(get(schema, "properties")->count, count_names(table));
    assert_string_equal(get(schema, "additionalProperties")->text, "false");
    assert_string_equal(get(property, "description")->text, row->help);
    assert_int_equal(is_required(schema, row->name), (row->flags & KEY_REQUIRED) != 0);
    const node *fallback = get(property, "default");
    if (!value != !fallback)
        fail_msg("scene.schema.json: %s: the default must be %s", where, value ? value : "absent");
    if (value) {
        scene_document document = {.name = "default"};
        assert_int_equal(document_parse(&document, value, strlen(value), 0, &document.root, NULL), SCREE_OK);
        if (!same_value(document.root, fallback))
            fail_msg("scene.schema.json: %s: the default must be %s", where, value);
        document_free(&document);
    }
    const node *numbers = number_schema(property, row);
    if (numbers) {
        check_bound(where, numbers, "minimum", isfinite(row->low) && !row->open, row->low);
        check_bound(where, numbers, "exclusiveMinimum", isfinite(row->low) && row->open, row->low);
        check_bound(where, numbers, "maximum", isfinite(row->high), row->high);
    }
    if (row->kind == KEY_WORD)
        check_words(where, property, row);
    check_variants(schema, table, row);
}

static void test_schema_has_every_row(void **state)
{
    (void)state;
    char *text = read_all(SCREE_SOURCE_DIR "/docs/scene.schema.json");
    scene_document document = {.name = "scene.schema.json"};
    scree_error error = {0};
    if (document_parse(&document, text, strlen(text), 0, &document.root, &error) != SCREE_OK)
        fail_msg("%s", error.message);
    assert_true(walk(&scene_table, check_schema, document.root) > 80);
    document_free(&document);
    free(text);
}

// --------------------------------------------------------------------------------------------------- the default
// makers

static void test_defaults_are_the_library_s(void **state)
{
    (void)state;
    scree_scene *scene = parse("bodies:\n"
                               "  - {shapes: [{type: sphere}, {type: box}, {type: cone}, {type: ellipsoid}]}\n"
                               "  - {fixed: true, shapes: [{type: plane}]}\n");
    scree_world_def world = scree_default_world_def();
    const scree_solver_def *made = &scene->world.solver, *solver = &world.solver;
    assert_memory_equal(&scene->world.gravity, &world.gravity, sizeof world.gravity);
    assert_true(scene->world.step == world.step);
    assert_int_equal(made->algorithm, solver->algorithm);
    assert_int_equal(made->iterations, solver->iterations);
    assert_true(made->tolerance == solver->tolerance && made->recovery_speed == solver->recovery_speed);
    assert_int_equal(made->precision, solver->precision);
    assert_int_equal(made->warm_start, solver->warm_start);
    assert_int_equal(scene->world.contacts_per_pair, world.contacts_per_pair);
    scree_body_def body = scree_default_body_def();
    assert_true(scene->bodies[0].def.group == body.group && scene->bodies[0].def.mask == body.mask);
    assert_true(made->omega == solver->omega && made->lambda == solver->lambda && made->cell == solver->cell);
    scree_material_def material = scree_default_material_def();
    assert_memory_equal(&scene->materials[0].def, &material, sizeof material);
    scree_shape_def shape = scree_default_shape_def();
    const scree_shape_def *sphere = &scene->bodies[0].def.shapes[0];
    assert_true(sphere->radius == shape.radius);
    assert_memory_equal(&sphere[1].half, &shape.half, sizeof shape.half);
    assert_true(sphere[2].radius == shape.radius && sphere[2].half_length == shape.half_length);
    assert_memory_equal(&sphere[3].radii, &shape.radii, sizeof shape.radii);
    assert_memory_equal(&scene->bodies[1].def.shapes[0].normal, &shape.normal, sizeof shape.normal);
    assert_memory_equal(&sphere->orientation, &shape.orientation, sizeof shape.orientation);
    assert_int_equal(sphere->material, shape.material);
    scree_scene_destroy(scene);
}

// ----------------------------------------------------------------------------------------------------------- messages

static void test_descriptions(void **state)
{
    (void)state;
    char text[DESCRIPTION_SIZE];
    key_describe(table_find(&time_table, "step"), text);
    assert_string_equal(text, "a number greater than 0");
    key_describe(table_find(&solver_table, "lambda"), text);
    assert_string_equal(text, "a number greater than 0 and at most 1");
    key_describe(table_find(&material_table, "restitution"), text);
    assert_string_equal(text, "a number from 0 to 1");
    char list[NAME_LIST_SIZE];
    table_list_keys(&shape_table, SCREE_SHAPE_BOX, list);
    assert_string_equal(list, "type, half, position, orientation, material");
    table_list_keys(&shape_table, SCREE_SHAPE_CONE, list);
    assert_string_equal(list, "type, radius, half, position, orientation, material");
    table_list_keys(&shape_table, -1, list);
    assert_string_equal(list, "type, radius, half, radii, points, list, file, scale, size, offset, normal, position, "
                              "orientation, material");
    assert_true(table_find_in(&shape_table, "half", SCREE_SHAPE_BOX)->kind == KEY_VEC3);
    assert_true(table_find_in(&shape_table, "half", SCREE_SHAPE_CYLINDER)->kind == KEY_REAL);
    assert_null(table_find_in(&shape_table, "half", SCREE_SHAPE_SPHERE));
    scree_file_options made = scree_default_file_options();
    scene_shape shape = {.def = scree_default_shape_def()};
    table_set_defaults(&shape_table, &shape);
    assert_memory_equal(&shape.source.options, &made, sizeof made);
    list[0] = 0;
    for (int i = 0; i < 100; i++)
        name_list_append(list, "material");
    assert_true(strlen(list) < NAME_LIST_SIZE);
    assert_string_equal(list + strlen(list) - 5, ", ...");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference_has_every_row),
        cmocka_unit_test(test_schema_has_every_row),
        cmocka_unit_test(test_defaults_are_the_library_s),
        cmocka_unit_test(test_descriptions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
