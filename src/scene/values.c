// One value of each kind: from a node into its place in a struct.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "scene/document/scalar.h"
#include "scene/reader.h"

enum { LONGEST_NAME = 100, LONGEST_PATH = 4000 };

_Static_assert(sizeof(scree_vec3) == 3 * sizeof(double) && sizeof(scree_ball) == 4 * sizeof(double), "rows of numbers");

// Directions and quaternions are normalised by their users, whose squares must neither overflow nor vanish.
static const double shortest_direction = 1e-100, longest_direction = 1e100;

static bool in_range(const key_row *row, double value)
{
    return isfinite(value) && value <= row->high && (row->open ? value > row->low : value >= row->low);
}

static bool real_of(const node *value, double *real)
{
    return value->kind == NODE_SCALAR && value->plain && scalar_real(value->text, real);
}

// A number within the row's range, from a node that may be an item of a list.
static scree_status read_real(const scene_reader *reader, const node *value, const key_row *row, double *real)
{
    double parsed;
    if (!real_of(value, &parsed) || !in_range(row, parsed))
        return fail_value(reader, value, row);
    *real = parsed;
    return SCREE_OK;
}

static scree_status read_whole(const scene_reader *reader, const node *value, const key_row *row, char *at)
{
    uint64_t whole;
    if (value->kind != NODE_SCALAR || !value->plain || !scalar_whole(value->text, &whole) ||
        !in_range(row, (double)whole))
        return fail_value(reader, value, row);
    if (row->kind == KEY_INT)
        *(int *)at = (int)whole;
    else if (row->kind == KEY_SIZE)
        *(size_t *)at = (size_t)whole;
    else
        *(uint64_t *)at = whole;
    return SCREE_OK;
}

// Adds the bit of a group.
static scree_status read_group(const scene_reader *reader, const node *value, const key_row *row, uint32_t *bits)
{
    uint64_t group;
    if (value->kind != NODE_SCALAR || !value->plain || !scalar_whole(value->text, &group) || group > 31)
        return fail_value(reader, value, row);
    *bits |= (uint32_t)1 << group;
    return SCREE_OK;
}

static scree_status read_groups(const scene_reader *reader, const node *value, const key_row *row, uint32_t *bits)
{
    uint32_t all = 0;
    scree_status status = value->kind == NODE_LIST ? SCREE_OK : fail_value(reader, value, row);
    for (const node *item = value->first; item && status == SCREE_OK; item = item->next)
        status = read_group(reader, item, row, &all);
    *bits = all;
    return status;
}

// A list of exactly `count` numbers. An item that is wrong is pointed at by itself.
static scree_status read_reals(const scene_reader *reader, const node *value, const key_row *row, double *reals,
                               size_t count)
{
    if (value->kind != NODE_LIST || value->count != count)
        return fail_value(reader, value, row);
    scree_status status = SCREE_OK;
    for (const node *item = value->first; item && status == SCREE_OK; item = item->next)
        status = read_real(reader, item, row, reals++);
    return status;
}

static scree_status read_vec3(const scene_reader *reader, const node *value, const key_row *row, scree_vec3 *vector)
{
    double parts[3];
    scree_status status = read_reals(reader, value, row, parts, 3);
    if (status == SCREE_OK)
        *vector = (scree_vec3){parts[0], parts[1], parts[2]};
    return status;
}

// A list of rows of `width` numbers; the last number of a row must be `positive` when that is asked for.
static scree_status read_rows(const scene_reader *reader, const node *value, const key_row *row, size_t least,
                              size_t width, bool positive, double **rows)
{
    if (value->kind != NODE_LIST || value->count < least)
        return fail_value(reader, value, row);
    scree_status status = reader_array(reader, rows, value->count * width);
    double *next = status == SCREE_OK ? *rows : NULL;
    for (const node *item = value->first; item && status == SCREE_OK; item = item->next, next += width) {
        status = read_reals(reader, item, row, next, width);
        if (status == SCREE_OK && positive && !(next[width - 1] > 0))
            status = fail_value(reader, item, row);
    }
    return status;
}

static scree_status read_points(const scene_reader *reader, const node *value, const key_row *row, scene_points *points)
{
    double *rows;
    scree_status status = read_rows(reader, value, row, 4, 3, false, &rows);
    if (status == SCREE_OK)
        *points = (scene_points){(scree_vec3 *)rows, value->count};
    return status;
}

static scree_status read_shifts(const scene_reader *reader, const node *value, const key_row *row, fill_shifts *shifts)
{
    double *rows;
    scree_status status = read_rows(reader, value, row, 1, 2, false, &rows);
    if (status == SCREE_OK)
        *shifts = (fill_shifts){(double(*)[2])rows, value->count};
    return status;
}

static scree_status read_balls(const scene_reader *reader, const node *value, const key_row *row, scene_balls *balls)
{
    double *rows;
    scree_status status = read_rows(reader, value, row, 1, 4, true, &rows);
    if (status == SCREE_OK)
        *balls = (scene_balls){(scree_ball *)rows, value->count};
    return status;
}

static bool can_be_normalised(double length)
{
    return length >= shortest_direction && length <= longest_direction;
}

static scree_status read_direction(const scene_reader *reader, const node *value, const key_row *row,
                                   scree_vec3 *direction)
{
    scree_vec3 parsed;
    scree_status status = read_vec3(reader, value, row, &parsed);
    if (status != SCREE_OK)
        return status;
    if (!can_be_normalised(vec3_length(parsed)))
        return fail_value(reader, value, row);
    *direction = parsed;
    return SCREE_OK;
}

static scree_status read_quat(const scene_reader *reader, const node *value, const key_row *row, scree_quat *rotation)
{
    double parts[4];
    scree_status status = read_reals(reader, value, row, parts, 4);
    if (status != SCREE_OK)
        return status;
    scree_quat parsed = {parts[0], parts[1], parts[2], parts[3]};
    if (!can_be_normalised(quat_length(parsed)))
        return fail_value(reader, value, row);
    *rotation = parsed;
    return SCREE_OK;
}

static scree_status read_rotation(const scene_reader *reader, const node *value, const key_row *row, char *target)
{
    bool random = value->kind == NODE_SCALAR && strcmp(value->text, "random") == 0;
    *(bool *)(target + row->flag) = random;
    return random ? SCREE_OK : read_quat(reader, value, row, (scree_quat *)(target + row->offset));
}

static scree_status read_box(const scene_reader *reader, const node *value, const key_row *row, scree_vec3 corners[2])
{
    if (value->kind != NODE_LIST || value->count != 2)
        return fail_value(reader, value, row);
    scree_status status = read_vec3(reader, value->first, row, &corners[0]);
    if (status == SCREE_OK)
        status = read_vec3(reader, value->first->next, row, &corners[1]);
    if (status != SCREE_OK)
        return status;
    for (int axis = 0; axis < 3; axis++) {
        double low = vec3_get(corners[0], axis), high = vec3_get(corners[1], axis);
        if (!(low < high))
            return reader_fail(reader, value,
                               "'%s' has %c from %g to %g; the lower corner comes first, and the box "
                               "must not be flat",
                               row->name, "xyz"[axis], low, high);
    }
    return SCREE_OK;
}

static scree_status read_ends(const scene_reader *reader, const node *value, const key_row *row, scree_vec3 ends[2])
{
    if (value->kind != NODE_LIST || value->count != 2)
        return fail_value(reader, value, row);
    scree_status status = read_vec3(reader, value->first, row, &ends[0]);
    return status == SCREE_OK ? read_vec3(reader, value->first->next, row, &ends[1]) : status;
}

static scree_status read_limits(const scene_reader *reader, const node *value, const key_row *row, double limits[2])
{
    scree_status status = read_reals(reader, value, row, limits, 2);
    return status == SCREE_OK && limits[0] > limits[1] ? fail_value(reader, value, row) : status;
}

static scree_status read_range(const scene_reader *reader, const node *value, const key_row *row, fill_range *range)
{
    if (value->kind != NODE_LIST) {
        scree_status status = read_real(reader, value, row, &range->low);
        range->high = range->low;
        return status;
    }
    double bounds[2];
    scree_status status = read_reals(reader, value, row, bounds, 2);
    if (status != SCREE_OK)
        return status;
    if (bounds[0] > bounds[1])
        return reader_fail(reader, value, "'%s' is drawn from %g to %g; the lower number comes first", row->name,
                           bounds[0], bounds[1]);
    *range = (fill_range){bounds[0], bounds[1]};
    return SCREE_OK;
}

static scree_status read_ranges(const scene_reader *reader, const node *value, const key_row *row, fill_range ranges[3])
{
    if (value->kind != NODE_LIST || value->count != 3)
        return fail_value(reader, value, row);
    scree_status status = SCREE_OK;
    for (const node *item = value->first; item && status == SCREE_OK; item = item->next)
        status = read_range(reader, item, row, ranges++);
    return status;
}

// ------------------------------------------------------------------------------------------------------------- words

static scree_status read_truth(const scene_reader *reader, const node *value, const key_row *row, bool *truth)
{
    if (value->kind == NODE_SCALAR && value->plain && scalar_truth(value->text, truth))
        return SCREE_OK;
    return fail_value(reader, value, row);
}

static scree_status read_word(const scene_reader *reader, const node *value, const key_row *row, int *number)
{
    if (value->kind != NODE_SCALAR)
        return fail_value(reader, value, row);
    const key_word *word = word_find(row->words, value->text);
    char accepted[DESCRIPTION_SIZE];
    key_describe(row, accepted);
    if (word) {
        *number = word->value;
        return SCREE_OK;
    }
    suggestion nearest = suggest_for(value->text);
    for (word = row->words; word->name; word++)
        suggest_offer(&nearest, word->name);
    if (nearest.best)
        return reader_fail(reader, value, "'%s' must be %s, found '%s', did you mean '%s'?", row->name, accepted,
                           make_printable(value->text).text, nearest.best);
    return fail_value(reader, value, row);
}

// ------------------------------------------------------------------------------------------------------------- names

scree_status read_name(const scene_reader *reader, const node *value, const key_row *row, char **name)
{
    static const char accepted[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    const char *text = value->kind == NODE_SCALAR ? value->text : NULL;
    size_t length = text ? strlen(text) : 0;
    if (length == 0 || length > LONGEST_NAME || strspn(text, accepted) != length)
        return fail_value(reader, value, row);
    char *copy;
    scree_status status = reader_array(reader, &copy, length + 1);
    if (status == SCREE_OK) {
        memcpy(copy, text, length);
        *name = copy;
    }
    return status;
}

// The path as written; where it leads is found out where the file is opened.
static scree_status read_path(const scene_reader *reader, const node *value, const key_row *row, char **path)
{
    size_t length = value->kind == NODE_SCALAR ? strlen(value->text) : 0;
    if (length == 0 || length > LONGEST_PATH)
        return fail_value(reader, value, row);
    char *copy;
    scree_status status = reader_array(reader, &copy, length + 1);
    if (status == SCREE_OK) {
        memcpy(copy, value->text, length);
        *path = copy;
    }
    return status;
}

static scree_status read_material(const scene_reader *reader, const node *value, const key_row *row, int *material)
{
    if (value->kind != NODE_SCALAR)
        return fail_value(reader, value, row);
    size_t index;
    if (!names_find(&reader->materials, value->text, &index))
        return fail_unknown_material(reader, value);
    *material = (int)index;
    return SCREE_OK;
}

static scree_status read_materials(const scene_reader *reader, const node *value, const key_row *row, int materials[2])
{
    if (value->kind != NODE_LIST || value->count != 2)
        return fail_value(reader, value, row);
    scree_status status = read_material(reader, value->first, row, &materials[0]);
    return status == SCREE_OK ? read_material(reader, value->first->next, row, &materials[1]) : status;
}

scree_status read_body_name(const scene_reader *reader, const node *value, const key_row *row, size_t *body)
{
    if (value->kind != NODE_SCALAR)
        return fail_value(reader, value, row);
    if (names_find(&reader->scene->body_names, value->text, body))
        return SCREE_OK;
    if (names_find(&reader->scene->fill_names, value->text, NULL))
        return reader_fail(reader, value, "'%s' is a fill; '%s' must be the name of a single body", value->text,
                           row->name);
    return fail_unknown_thing(reader, value, NAMED_BODIES);
}

// -------------------------------------------------------------------------------------------------------------------

scree_status read_value(const scene_reader *reader, const node *value, const key_row *row, void *target)
{
    void *at = (char *)target + row->offset;
    if (row->flag)
        *(bool *)((char *)target + row->flag) = true;
    switch (row->kind) {
    case KEY_REAL:
        return read_real(reader, value, row, at);
    case KEY_INT:
    case KEY_SIZE:
    case KEY_U64:
        return read_whole(reader, value, row, at);
    case KEY_GROUP:
        *(uint32_t *)at = 0;
        return read_group(reader, value, row, at);
    case KEY_GROUPS:
        return read_groups(reader, value, row, at);
    case KEY_TRUTH:
        return read_truth(reader, value, row, at);
    case KEY_WORD:
        return read_word(reader, value, row, at);
    case KEY_VEC2:
        return read_reals(reader, value, row, at, 2);
    case KEY_VEC3:
        return read_vec3(reader, value, row, at);
    case KEY_DIRECTION:
        return read_direction(reader, value, row, at);
    case KEY_QUAT:
        return read_quat(reader, value, row, at);
    case KEY_ROTATION:
        return read_rotation(reader, value, row, target);
    case KEY_BOX:
        return read_box(reader, value, row, at);
    case KEY_ENDS:
        return read_ends(reader, value, row, at);
    case KEY_LIMITS:
        return read_limits(reader, value, row, at);
    case KEY_RANGE:
        return read_range(reader, value, row, at);
    case KEY_RANGE3:
        return read_ranges(reader, value, row, at);
    case KEY_NAME:
        return read_name(reader, value, row, at);
    case KEY_PATH:
        return read_path(reader, value, row, at);
    case KEY_POINTS:
        return read_points(reader, value, row, at);
    case KEY_SHIFTS:
        return read_shifts(reader, value, row, at);
    case KEY_BALLS:
        return read_balls(reader, value, row, at);
    case KEY_MATERIAL:
        return read_material(reader, value, row, at);
    case KEY_MATERIALS:
        return read_materials(reader, value, row, at);
    case KEY_BODY:
        return read_body_name(reader, value, row, at);
    case KEY_NAMES:
    case KEY_LIST:
        return value->kind == NODE_LIST ? SCREE_OK : fail_value(reader, value, row);
    case KEY_VALUES:
    case KEY_MAP:
        return value->kind == NODE_MAPPING ? SCREE_OK : fail_value(reader, value, row);
    case KEY_TABLE: // read by read_mapping
        break;
    }
    return SCREE_OK;
}
