#include "scene/keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/fill.h"
#include "scene/document/scalar.h"
#include "scene/scene.h"

const key_row *table_find(const key_table *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->keys[i].name, name) == 0)
            return &table->keys[i];
    return NULL;
}

const key_row *table_find_in(const key_table *table, const char *name, int variant)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->keys[i].name, name) == 0 && key_in_variant(&table->keys[i], variant))
            return &table->keys[i];
    return NULL;
}

const key_row *table_variant_key(const key_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->keys[i].flags & KEY_VARIANT)
            return &table->keys[i];
    return NULL;
}

bool key_in_variant(const key_row *row, int variant)
{
    return row->only == 0 || (variant >= 0 && (row->only >> variant & 1));
}

const key_word *word_find(const key_word *words, const char *name)
{
    for (; words->name; words++)
        if (strcmp(words->name, name) == 0)
            return words;
    return NULL;
}

const key_word *word_of_value(const key_word *words, int value)
{
    for (; words->name; words++)
        if (words->value == value)
            return words;
    return NULL;
}

// ---------------------------------------------------------------------------------------------------------- defaults

static void set_default(const key_row *row, char *target)
{
    char *at = target + row->offset;
    const double *value = row->fallback;
    switch (row->kind) {
    case KEY_REAL:
        *(double *)at = value[0];
        break;
    case KEY_INT:
    case KEY_WORD:
    case KEY_MATERIAL:
        *(int *)at = (int)value[0];
        break;
    case KEY_SIZE:
    case KEY_BODY:
        *(size_t *)at = (size_t)value[0];
        break;
    case KEY_U64:
        *(uint64_t *)at = (uint64_t)value[0];
        break;
    case KEY_GROUP:
    case KEY_GROUPS:
        *(uint32_t *)at = (uint32_t)value[0];
        break;
    case KEY_TRUTH:
        *(bool *)at = value[0] != 0;
        break;
    case KEY_VEC2:
        memcpy(at, value, 2 * sizeof(double));
        break;
    case KEY_VEC3:
    case KEY_DIRECTION:
        *(scree_vec3 *)at = (scree_vec3){value[0], value[1], value[2]};
        break;
    case KEY_QUAT:
    case KEY_ROTATION:
        *(scree_quat *)at = (scree_quat){value[0], value[1], value[2], value[3]};
        break;
    case KEY_BOX: // always given
        memset(at, 0, 2 * sizeof(scree_vec3));
        break;
    case KEY_ENDS:
        memset(at, 0, 2 * sizeof(scree_vec3));
        break;
    case KEY_LIMITS:
        ((double *)at)[0] = -HUGE_VAL;
        ((double *)at)[1] = HUGE_VAL;
        break;
    case KEY_MATERIALS: // always given
        memset(at, 0, 2 * sizeof(int));
        break;
    case KEY_RANGE:
        *(fill_range *)at = (fill_range){value[0], value[0]};
        break;
    case KEY_RANGE3:
        for (int i = 0; i < 3; i++)
            ((fill_range *)at)[i] = (fill_range){value[i], value[i]};
        break;
    case KEY_NAME:
    case KEY_PATH:
        *(char **)at = "";
        break;
    case KEY_POINTS:
        *(scene_points *)at = (scene_points){0};
        break;
    case KEY_SHIFTS:
        *(fill_shifts *)at = (fill_shifts){0};
        break;
    case KEY_BALLS:
        *(scene_balls *)at = (scene_balls){0};
        break;
    case KEY_TABLE:
        table_set_defaults(row->table, target);
        break;
    case KEY_VALUES:
    case KEY_NAMES:
    case KEY_LIST:
    case KEY_MAP:
        break;
    }
    if (row->flag)
        *(bool *)(target + row->flag) = false;
}

void table_set_defaults(const key_table *table, void *target)
{
    for (size_t i = 0; i < table->count; i++)
        set_default(&table->keys[i], target);
}

// ---------------------------------------------------------------------------------------------------------- messages

enum { RANGE_SIZE = 128 };

static void describe_range(const key_row *row, const char *what, char text[RANGE_SIZE])
{
    char low[REAL_TEXT_SIZE], high[REAL_TEXT_SIZE];
    real_text(row->low, low);
    real_text(row->high, high);
    bool has_low = isfinite(row->low), has_high = isfinite(row->high);
    if (has_low && has_high && row->open)
        snprintf(text, RANGE_SIZE, "%s greater than %s and at most %s", what, low, high);
    else if (has_low && has_high && row->low == row->high)
        snprintf(text, RANGE_SIZE, "%s", low);
    else if (has_low && has_high)
        snprintf(text, RANGE_SIZE, "%s from %s to %s", what, low, high);
    else if (has_low)
        snprintf(text, RANGE_SIZE, "%s %s %s", what, row->open ? "greater than" : "of at least", low);
    else
        snprintf(text, RANGE_SIZE, "a finite number");
}

// The kinds that always accept the same; the others are put together below.
static const char *const descriptions[] = {
    [KEY_GROUP] = "a whole number from 0 to 31",
    [KEY_GROUPS] = "a list of whole numbers from 0 to 31",
    [KEY_TRUTH] = "true or false",
    [KEY_DIRECTION] = "a direction [x, y, z] of numbers that are not all 0",
    [KEY_QUAT] = "a quaternion [w, x, y, z] of numbers that are not all 0",
    [KEY_ROTATION] = "random, or a quaternion [w, x, y, z] of numbers that are not all 0",
    [KEY_BOX] = "two corners [[x, y, z], [x, y, z]], the lower one first",
    [KEY_ENDS] = "two points [[x, y, z], [x, y, z]]",
    [KEY_LIMITS] = "two numbers [low, high], the lower one first",
    [KEY_NAME] = "a name of at most 100 letters, digits and _ . -",
    [KEY_PATH] = "the path of a file, from the folder of the scene",
    [KEY_POINTS] = "a list of four points [x, y, z] at least",
    [KEY_SHIFTS] = "a list of shifts [x, y], one at least",
    [KEY_BALLS] = "a list of spheres [x, y, z, radius], one at least",
    [KEY_MATERIAL] = "the name of a material",
    [KEY_MATERIALS] = "a list of two names of materials",
    [KEY_BODY] = "the name of a body",
    [KEY_VALUES] = "a mapping from dotted paths to values",
    [KEY_NAMES] = "a list of names",
    [KEY_LIST] = "a list of mappings",
    [KEY_MAP] = "a mapping from names to mappings",
};

void key_describe(const key_row *row, char text[DESCRIPTION_SIZE])
{
    char range[RANGE_SIZE], list[NAME_LIST_SIZE];
    switch (row->kind) {
    case KEY_REAL:
    case KEY_INT:
    case KEY_SIZE:
        describe_range(row, row->kind == KEY_INT || row->kind == KEY_SIZE ? "a whole number" : "a number", range);
        snprintf(text, DESCRIPTION_SIZE, "%s", range);
        break;
    case KEY_U64:
        snprintf(text, DESCRIPTION_SIZE, "a whole number from 0 to %llu", (unsigned long long)UINT64_MAX);
        break;
    case KEY_WORD:
        words_list(row->words, list);
        snprintf(text, DESCRIPTION_SIZE, "%s%s", strchr(list, ',') ? "one of " : "", list);
        break;
    case KEY_VEC2:
        describe_range(row, "a number", range);
        snprintf(text, DESCRIPTION_SIZE, "[x, y], each %s", range);
        break;
    case KEY_VEC3:
        describe_range(row, "a number", range);
        snprintf(text, DESCRIPTION_SIZE, "[x, y, z], each %s", range);
        break;
    case KEY_RANGE:
    case KEY_RANGE3:
        describe_range(row, "a number", range);
        snprintf(text, DESCRIPTION_SIZE, "%s%s, or two such numbers [low, high]",
                 row->kind == KEY_RANGE3 ? "[x, y, z], each " : "", range);
        break;
    case KEY_TABLE:
        table_list_keys(row->table, -1, list);
        snprintf(text, DESCRIPTION_SIZE, "a mapping with the keys %s", list);
        break;
    default:
        snprintf(text, DESCRIPTION_SIZE, "%s", descriptions[row->kind]);
    }
}

bool name_list_append(char text[NAME_LIST_SIZE], const char *word)
{
    size_t used = strlen(text), room = NAME_LIST_SIZE - sizeof ", ..." - used;
    if (used >= 3 && strcmp(text + used - 3, "...") == 0)
        return false;
    const char *separator = used ? ", " : "";
    bool fits = strlen(separator) + strlen(word) <= room;
    snprintf(text + used, NAME_LIST_SIZE - used, "%s%s", separator, fits ? word : "...");
    return fits;
}

void table_list_keys(const key_table *table, int variant, char text[NAME_LIST_SIZE])
{
    text[0] = 0;
    for (size_t i = 0; i < table->count; i++) {
        const key_row *row = &table->keys[i];
        bool first = variant >= 0 || table_find(table, row->name) == row;
        if (first && (variant < 0 || key_in_variant(row, variant)))
            name_list_append(text, row->name);
    }
}

void words_list(const key_word *words, char text[NAME_LIST_SIZE])
{
    text[0] = 0;
    for (; words->name; words++)
        name_list_append(text, words->name);
}
