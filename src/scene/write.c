// A scene as YAML with every default written out, by the same tables that read it. Numbers are written so that they
// read back as the same bits.
#include "scene/write.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/locale.h"
#include "scene/document/scalar.h"

void scree_text_free(char *text)
{
    array_free_bytes(text);
}

enum { LONGEST_PIECE = 128 }; // names, the longest of all, have 100 letters at most

// Adds to the text; out of memory is remembered in it, so that only the end needs to ask.
static void put_bytes(text_buffer *out, const char *text, size_t length)
{
    if (!array_reserve(out, out->count + length + 1)) {
        out->failed = true;
        return;
    }
    memcpy(out->data + out->count, text, length);
    out->count += length;
    out->data[out->count] = 0;
}

__attribute__((format(printf, 2, 3))) static void put(text_buffer *out, const char *format, ...)
{
    if (!array_reserve(out, out->count + LONGEST_PIECE)) {
        out->failed = true;
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(out->data + out->count, LONGEST_PIECE, format, arguments);
    va_end(arguments);
    assert(length >= 0 && length < LONGEST_PIECE);
    out->count += (size_t)length;
}

static void put_reals(text_buffer *out, const double *values, size_t count)
{
    char text[REAL_TEXT_SIZE];
    for (size_t i = 0; i < count; i++) {
        real_text(values[i], text);
        put(out, "%s%s%s", i == 0 ? "[" : ", ", text, i + 1 == count ? "]" : "");
    }
}

static void put_real(text_buffer *out, double value)
{
    char text[REAL_TEXT_SIZE];
    real_text(value, text);
    put(out, "%s", text);
}

static void put_vec3(text_buffer *out, scree_vec3 vector)
{
    put_reals(out, (double[]){vector.x, vector.y, vector.z}, 3);
}

static void put_range(text_buffer *out, fill_range range)
{
    if (range.low == range.high)
        put_real(out, range.low);
    else
        put_reals(out, (double[]){range.low, range.high}, 2);
}

// Quoted where another reader of YAML might see a number, a truth value or an operator.
static void put_name(text_buffer *out, const char *name)
{
    static const char *const special[] = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"};
    bool letter = (name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z');
    bool quoted = !letter;
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        quoted = quoted || strcasecmp(name, special[i]) == 0;
    put(out, quoted ? "\"%s\"" : "%s", name);
}

// Always quoted: a path may hold anything.
static void put_path(text_buffer *out, const char *path)
{
    put(out, "\"");
    for (const char *c = path; *c; c++) {
        unsigned char byte = (unsigned char)*c;
        if (byte < 0x20 || byte == 0x7f)
            put(out, "\\x%02x", byte);
        else if (byte == '"' || byte == '\\')
            put(out, "\\%c", *c);
        else
            put_bytes(out, c, 1);
    }
    put(out, "\"");
}

// Rows of `width` numbers as a list of lists.
static void put_rows(text_buffer *out, const double *rows, size_t count, size_t width)
{
    put(out, "[");
    for (size_t i = 0; i < count; i++) {
        put(out, "%s", i ? ", " : "");
        put_reals(out, rows + i * width, width);
    }
    put(out, "]");
}

static void put_groups(text_buffer *out, uint32_t bits)
{
    const char *separator = "";
    put(out, "[");
    for (int group = 0; group < 32; group++)
        if (bits >> group & 1) {
            put(out, "%s%d", separator, group);
            separator = ", ";
        }
    put(out, "]");
}

static void put_names(text_buffer *out, char *const *names, size_t count)
{
    put(out, "[");
    for (size_t i = 0; i < count; i++) {
        put(out, "%s", i ? ", " : "");
        put_name(out, names[i]);
    }
    put(out, "]");
}

static const char *material_name(const scree_scene *scene, int material)
{
    return material == 0 ? "default" : scene->materials[material].name;
}

// ------------------------------------------------------------------------------------------------------- by the table

static void write_flow(text_buffer *out, const scree_scene *scene, const key_table *table, const void *target);

// The kinds that are a number or a word.
static void write_scalar(text_buffer *out, const scree_scene *scene, const key_row *row, const void *at)
{
    switch (row->kind) {
    case KEY_REAL:
        put_real(out, *(const double *)at);
        break;
    case KEY_INT:
        put(out, "%d", *(const int *)at);
        break;
    case KEY_SIZE:
        put(out, "%zu", *(const size_t *)at);
        break;
    case KEY_U64:
        put(out, "%llu", (unsigned long long)*(const uint64_t *)at);
        break;
    case KEY_GROUP:
        put(out, "%d", ffs((int)*(const uint32_t *)at) - 1);
        break;
    case KEY_GROUPS:
        put_groups(out, *(const uint32_t *)at);
        break;
    case KEY_TRUTH:
        put(out, "%s", *(const bool *)at ? "true" : "false");
        break;
    case KEY_WORD:
        put(out, "%s", word_of_value(row->words, *(const int *)at)->name);
        break;
    case KEY_NAME:
        put_name(out, *(char *const *)at);
        break;
    case KEY_PATH:
        put_path(out, *(char *const *)at);
        break;
    case KEY_MATERIAL:
        put_name(out, material_name(scene, *(const int *)at));
        break;
    default: // KEY_BODY
        put_name(out, scene->bodies[*(const size_t *)at].name);
    }
}

void write_value(text_buffer *out, const scree_scene *scene, const key_row *row, const void *target)
{
    const void *at = (const char *)target + row->offset;
    const scree_vec3 *vectors = at;
    const scree_quat *rotation = at;
    const fill_range *ranges = at;
    const scene_points *points = at;
    const fill_shifts *shifts = at;
    const scene_balls *balls = at;
    switch (row->kind) {
    case KEY_VEC2:
    case KEY_LIMITS:
        put_reals(out, at, 2);
        break;
    case KEY_VEC3:
    case KEY_DIRECTION:
        put_vec3(out, vectors[0]);
        break;
    case KEY_POINTS:
        put_rows(out, (const double *)points->data, points->count, 3);
        break;
    case KEY_SHIFTS:
        put_rows(out, (const double *)shifts->data, shifts->count, 2);
        break;
    case KEY_BALLS:
        put_rows(out, (const double *)balls->data, balls->count, 4);
        break;
    case KEY_QUAT:
    case KEY_ROTATION:
        if (row->kind == KEY_ROTATION && *((const bool *)target + row->flag))
            put(out, "random");
        else
            put_reals(out, (double[]){rotation->w, rotation->x, rotation->y, rotation->z}, 4);
        break;
    case KEY_BOX:
    case KEY_ENDS:
        put(out, "[");
        put_vec3(out, vectors[0]);
        put(out, ", ");
        put_vec3(out, vectors[1]);
        put(out, "]");
        break;
    case KEY_RANGE:
        put_range(out, ranges[0]);
        break;
    case KEY_RANGE3:
        for (int i = 0; i < 3; i++) {
            put(out, "%s", i ? ", " : "[");
            put_range(out, ranges[i]);
        }
        put(out, "]");
        break;
    case KEY_MATERIALS:
        put(out, "[");
        put_name(out, material_name(scene, ((const int *)at)[0]));
        put(out, ", ");
        put_name(out, material_name(scene, ((const int *)at)[1]));
        put(out, "]");
        break;
    case KEY_TABLE:
        write_flow(out, scene, row->table, target);
        break;
    default:
        write_scalar(out, scene, row, at);
    }
}

static bool differs_from_default(const key_row *row, const void *target)
{
    const void *at = (const char *)target + row->offset;
    const scree_vec3 *vector = at;
    if (row->flag)
        return *((const bool *)target + row->flag);
    switch (row->kind) {
    case KEY_REAL:
        return *(const double *)at != row->fallback[0];
    case KEY_MATERIAL:
        return *(const int *)at != (int)row->fallback[0];
    case KEY_NAME:
    case KEY_PATH:
        return **(char *const *)at != 0;
    case KEY_GROUPS:
        return *(const uint32_t *)at != (uint32_t)row->fallback[0];
    case KEY_POINTS:
        return ((const scene_points *)at)->count > 0;
    case KEY_SHIFTS:
        return ((const fill_shifts *)at)->count > 0;
    case KEY_BALLS:
        return ((const scene_balls *)at)->count > 0;
    case KEY_VEC2:
        return memcmp(at, row->fallback, 2 * sizeof(double)) != 0;
    case KEY_LIMITS:
        return ((const double *)at)[0] > -HUGE_VAL || ((const double *)at)[1] < HUGE_VAL;
    case KEY_VEC3:
        return vector->x != row->fallback[0] || vector->y != row->fallback[1] || vector->z != row->fallback[2];
    default:
        return true;
    }
}

// Lists and maps, and the output that holds some, are written by code of their own.
static bool is_written(const key_table *table, const key_row *row, const void *target)
{
    const key_row *variant = table_variant_key(table);
    if (variant && !key_in_variant(row, *(const int *)((const char *)target + variant->offset)))
        return false;
    if (row->flags & KEY_APPLIED)
        return false;
    if (row->kind == KEY_LIST || row->kind == KEY_MAP || row->kind == KEY_NAMES || row->table == &output_table)
        return false;
    return !(row->flags & KEY_OMITTED) || differs_from_default(row, target);
}

static void write_flow(text_buffer *out, const scree_scene *scene, const key_table *table, const void *target)
{
    const char *separator = "{";
    for (size_t i = 0; i < table->count; i++) {
        if (!is_written(table, &table->keys[i], target))
            continue;
        put(out, "%s%s: ", separator, table->keys[i].name);
        write_value(out, scene, &table->keys[i], target);
        separator = ", ";
    }
    put(out, "}");
}

// One line per key; `first` is the beginning of the first line, `indent` of the others.
static void write_block(text_buffer *out, const scree_scene *scene, const key_table *table, const void *target,
                        const char *first, const char *indent)
{
    for (size_t i = 0; i < table->count; i++) {
        if (!is_written(table, &table->keys[i], target))
            continue;
        put(out, "%s%s: ", first, table->keys[i].name);
        write_value(out, scene, &table->keys[i], target);
        put(out, "\n");
        first = indent;
    }
}

// ---------------------------------------------------------------------------------------------------------- the lists

// The source of a shape without a geometry; none of it is written.
static const scene_source no_source = {.file = ""};

// An entry of a list of mappings, in one line.
static void write_item(text_buffer *out, const scree_scene *scene, const char *indent, const key_table *table,
                       const void *element)
{
    put(out, "%s  - ", indent);
    write_flow(out, scene, table, element);
    put(out, "\n");
}

// A list of mappings in one line each. The elements are structs of `size` bytes that the table describes.
static void write_list(text_buffer *out, const scree_scene *scene, const char *indent, const char *name,
                       const key_table *table, const void *elements, size_t count, size_t size)
{
    put(out, "%s%s:%s\n", indent, name, count ? "" : " []");
    for (size_t i = 0; i < count; i++)
        write_item(out, scene, indent, table, (const char *)elements + i * size);
}

static void write_materials(text_buffer *out, const scree_scene *scene)
{
    put(out, "materials:\n");
    for (size_t i = 0; i < scene->material_count; i++) {
        put(out, "  ");
        put_name(out, scene->materials[i].name);
        put(out, ": ");
        write_flow(out, scene, &material_table, &scene->materials[i]);
        put(out, "\n");
    }
}

static void write_bodies(text_buffer *out, const scree_scene *scene)
{
    put(out, "bodies:%s\n", scene->body_count ? "" : " []");
    for (size_t i = 0; i < scene->body_count; i++) {
        const scene_body *body = &scene->bodies[i];
        write_block(out, scene, &body_table, body, "  - ", "    ");
        put(out, "    shapes:\n");
        for (size_t k = 0; k < body->def.shape_count; k++) {
            const scene_shape shape = {body->def.shapes[k], body->sources ? body->sources[k] : no_source};
            write_item(out, scene, "    ", &shape_table, &shape);
        }
    }
}

static void write_fills(text_buffer *out, const scree_scene *scene)
{
    put(out, "fills:%s\n", scene->fill_count ? "" : " []");
    for (size_t i = 0; i < scene->fill_count; i++) {
        const scene_fill *fill = &scene->fills[i];
        write_block(out, scene, &fill_table, fill, "  - ", "    ");
        put(out, "    shapes:\n");
        for (size_t k = 0; k < fill->def.shape_count; k++) {
            const scene_fill_shape shape = {fill->def.shapes[k], fill->sources ? fill->sources[k] : no_source};
            write_item(out, scene, "    ", &fill_shape_table, &shape);
        }
    }
}

static void write_joints(text_buffer *out, const scree_scene *scene)
{
    put(out, "joints:%s\n", scene->joint_count ? "" : " []");
    for (size_t i = 0; i < scene->joint_count; i++) {
        const scene_joint *joint = &scene->joints[i];
        write_block(out, scene, &joint_table, joint, "  - ", "    ");
        put(out, "    %s: ", joint->couples ? "joints" : "bodies");
        put_names(out, joint->ends, 2);
        put(out, "\n");
    }
}

static void write_events(text_buffer *out, const scree_scene *scene)
{
    put(out, "events:%s\n", scene->event_count ? "" : " []");
    for (size_t i = 0; i < scene->event_count; i++) {
        const scene_event *event = &scene->events[i];
        write_block(out, scene, &event_table, event, "  - ", "    ");
        put(out, "    remove: ");
        put_names(out, event->remove_names, event->remove_count);
        put(out, "\n");
    }
}

static void write_output(text_buffer *out, const scree_scene *scene)
{
    const scene_output *output = &scene->output;
    put(out, "output:\n");
    write_block(out, scene, &output_table, scene, "  ", "  ");
    put(out, "  probes: [");
    for (size_t i = 0; i < output->probe_count; i++) {
        put(out, "%s", i ? ", " : "");
        put_name(out, output->probes[i].name);
    }
    put(out, "]\n");
    write_list(out, scene, "  ", "counters", &counter_table, output->counters, output->counter_count,
               sizeof *output->counters);
}

scree_status scree_scene_text(const scree_scene *scene, char **text, scree_error *error)
{
    if (!scene || !text)
        return fail_null(error, "scree_scene_text");
    if (!scene || !text)
        return fail(error, SCREE_ERROR_INVALID,
                    "scree_scene_text: a scene and a place for its text are needed, found NULL");
    text_buffer out = {0};
    locale_t before = plain_locale_begin();
    write_block(&out, scene, &scene_table, scene, "", "");
    write_materials(&out, scene);
    write_list(&out, scene, "", "pairs", &pair_table, scene->pairs, scene->pair_count, sizeof *scene->pairs);
    write_bodies(&out, scene);
    write_fills(&out, scene);
    write_joints(&out, scene);
    write_list(&out, scene, "", "motions", &motion_table, scene->motions, scene->motion_count, sizeof *scene->motions);
    write_events(&out, scene);
    write_output(&out, scene);
    plain_locale_end(before);
    if (out.failed) {
        array_free(&out);
        return fail_no_memory(error);
    }
    *text = out.data;
    return SCREE_OK;
}
