#include "view/export/web_scene.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "geometry/surface.h"
#include "scree/version.h"
#include "view/chart/csv.h"

// Tables longer than this are thinned: a plot of a page is not as wide.
enum { MOST_ROWS = 4000 };

// ------------------------------------------------------------------------------------------------------------- values

static void put_text(FILE *to, const char *text)
{
    fputc('"', to);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fprintf(to, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            fprintf(to, "\\u%04x", (unsigned char)*text);
        else
            fputc(*text, to);
    }
    fputc('"', to);
}

static void put_number(FILE *to, double value)
{
    if (isfinite(value))
        fprintf(to, "%.7g", value);
    else
        fputs("null", to);
}

static void put_key_number(FILE *to, const char *key, double value)
{
    fprintf(to, ",\"%s\":", key);
    put_number(to, value);
}

static void put_vector(FILE *to, vec3 v)
{
    fprintf(to, "[%.10g,%.10g,%.10g]", v.x, v.y, v.z);
}

static void put_key_vector(FILE *to, const char *key, vec3 v)
{
    fprintf(to, ",\"%s\":", key);
    put_vector(to, v);
}

// ------------------------------------------------------------------------------------------------------------- bodies

// One array of numbers by body.
typedef double body_value(const web_body *body);

static double id_of(const web_body *body)
{
    return (double)body->id;
}

static double material_of(const web_body *body)
{
    return body->material;
}

static double fixed_of(const web_body *body)
{
    return body->fixed;
}

static double turned_of(const web_body *body)
{
    return body->turned;
}

static double gone_of(const web_body *body) // -1: stays to the end
{
    return body->gone == UINT32_MAX ? -1 : (double)body->gone;
}

static void put_column(FILE *to, const char *key, const web_bodies *bodies, body_value *value)
{
    fprintf(to, ",\"%s\":[", key);
    for (size_t i = 0; i < bodies->list.count; i++)
        fprintf(to, "%s%.17g", i > 0 ? "," : "", value(&bodies->list.data[i]));
    fputc(']', to);
}

static void put_bodies(FILE *to, const web_bodies *bodies)
{
    put_column(to, "ids", bodies, id_of);
    put_column(to, "material", bodies, material_of);
    put_column(to, "fixed", bodies, fixed_of);
    put_column(to, "turned", bodies, turned_of);
    put_column(to, "gone", bodies, gone_of);
    fputs(",\"poses\":[", to); // of those that stand still
    for (size_t i = bodies->streamed; i < bodies->list.count; i++) {
        const scree_pose *pose = &bodies->list.data[i].pose;
        fprintf(to, "%s%.10g,%.10g,%.10g,%.7g,%.7g,%.7g,%.7g", i > bodies->streamed ? "," : "", pose->position.x,
                pose->position.y, pose->position.z, pose->orientation.w, pose->orientation.x, pose->orientation.y,
                pose->orientation.z);
    }
    fputc(']', to);
}

// ------------------------------------------------------------------------------------------------------------- shapes

// Parts are written kind by kind, so there is a walk over all bodies for each.
typedef struct part_writer {
    FILE *to;
    const film *shown;
    const web_bodies *bodies;
    ARRAY(const scree_geometry *) meshes; // in the order of their numbers
    bool comma;
} part_writer;

typedef scree_status shape_visitor(part_writer *writer, size_t body, const scree_shape_def *shape, scree_error *error);

static scree_status visit_shapes(part_writer *writer, shape_visitor *visit, scree_error *error)
{
    const world_bodies *bodies = &writer->shown->bodies;
    scree_status status = SCREE_OK;
    writer->comma = false;
    for (size_t i = 0; i < bodies->ids.count; i++)
        for (size_t k = bodies->first_shapes.data[i]; status == SCREE_OK && k < bodies->first_shapes.data[i + 1]; k++)
            status = visit(writer, i, &bodies->shapes.data[k], error);
    return status;
}

static uint32_t number_of(const part_writer *writer, size_t body)
{
    return web_body_number(writer->bodies, writer->shown->bodies.ids.data[body]);
}

static void put_comma(part_writer *writer)
{
    if (writer->comma)
        fputc(',', writer->to);
    writer->comma = true;
}

// Place of a shape from its body's centre of mass, in the body's axes.
static vec3 local_place(const part_writer *writer, size_t body, const scree_shape_def *shape)
{
    return vec3_add(writer->bodies->list.data[number_of(writer, body)].frame, shape->position);
}

// body, place, radius
static scree_status visit_sphere(part_writer *writer, size_t body, const scree_shape_def *shape, scree_error *error)
{
    (void)error;
    if (shape->type != SCREE_SHAPE_SPHERE)
        return SCREE_OK;
    vec3 at = local_place(writer, body, shape);
    put_comma(writer);
    fprintf(writer->to, "%" PRIu32 ",%.6g,%.6g,%.6g,%.6g", number_of(writer, body), at.x, at.y, at.z, shape->radius);
    return SCREE_OK;
}

// body, normal and offset in the world
static scree_status visit_plane(part_writer *writer, size_t body, const scree_shape_def *shape, scree_error *error)
{
    (void)error;
    if (shape->type != SCREE_SHAPE_PLANE)
        return SCREE_OK;
    scree_pose pose = film_shape_pose(writer->shown, body, shape);
    vec3 normal = quat_rotate(pose.orientation, vec3_normalize(shape->normal));
    put_comma(writer);
    fprintf(writer->to, "%" PRIu32 ",%.7g,%.7g,%.7g,%.10g", number_of(writer, body), normal.x, normal.y, normal.z,
            shape->offset + vec3_dot(normal, pose.position));
    return SCREE_OK;
}

static size_t mesh_number(const part_writer *writer, const scree_geometry *geometry)
{
    size_t i = writer->meshes.count; // most bodies share their geometry with one of the last few
    while (i > 0 && writer->meshes.data[i - 1] != geometry)
        i--;
    return i - 1; // SIZE_MAX when it is new
}

static void put_mesh(FILE *to, const shape_surface *surface, bool smooth)
{
    fprintf(to, "{\"smooth\":%s,\"points\":[", smooth ? "true" : "false");
    for (size_t i = 0; i < surface->points.count; i++) {
        vec3 p = surface->points.data[i];
        fprintf(to, "%s%.7g,%.7g,%.7g", i > 0 ? "," : "", p.x, p.y, p.z);
    }
    fputs("],\"triangles\":[", to);
    for (size_t i = 0, from = 0; i < surface->ends.count; from = surface->ends.data[i++])
        for (size_t k = from + 1; k + 1 < surface->ends.data[i]; k++)
            fprintf(to, "%s%u,%u,%u", i > 0 || k > from + 1 ? "," : "", surface->corners.data[from],
                    surface->corners.data[k], surface->corners.data[k + 1]);
    fputs("]}", to);
}

static scree_status visit_geometry(part_writer *writer, size_t body, const scree_shape_def *shape, scree_error *error)
{
    (void)body;
    shape_surface surface = {0};
    if (!shape->geometry || mesh_number(writer, shape->geometry) != SIZE_MAX)
        return SCREE_OK;
    bool good = shape_surface_add(&surface, shape, 16) && array_push(&writer->meshes, shape->geometry);
    if (good) {
        put_comma(writer);
        put_mesh(writer->to, &surface, shape->type == SCREE_SHAPE_HEIGHTFIELD);
    }
    shape_surface_free(&surface);
    return good ? SCREE_OK : fail_no_memory(error);
}

// body, kind (a name, or the number of a mesh), place, orientation, size, and how far a capsule's halves are apart
static scree_status visit_part(part_writer *writer, size_t body, const scree_shape_def *shape, scree_error *error)
{
    (void)error;
    static const char *const names[SCREE_SHAPE_TYPES] = {
        [SCREE_SHAPE_BOX] = "\"box\"",         [SCREE_SHAPE_ELLIPSOID] = "\"ellipsoid\"",
        [SCREE_SHAPE_CAPSULE] = "\"capsule\"", [SCREE_SHAPE_CYLINDER] = "\"cylinder\"",
        [SCREE_SHAPE_CONE] = "\"cone\"",
    };
    double r = shape->radius, h = shape->half_length;
    if (shape->type == SCREE_SHAPE_SPHERE || shape->type == SCREE_SHAPE_PLANE)
        return SCREE_OK;
    put_comma(writer);
    fprintf(writer->to, "[%" PRIu32 ",", number_of(writer, body));
    if (names[shape->type])
        fputs(names[shape->type], writer->to);
    else
        fprintf(writer->to, "%zu", mesh_number(writer, shape->geometry));
    vec3 size = {1, 1, 1}, at = local_place(writer, body, shape);
    quat turn = quat_normalize(shape->orientation);
    if (shape->type == SCREE_SHAPE_BOX)
        size = shape->half;
    else if (shape->type == SCREE_SHAPE_ELLIPSOID)
        size = shape->radii;
    else if (shape->type == SCREE_SHAPE_CAPSULE)
        size = vec3_make(r, r, r);
    else if (names[shape->type])
        size = vec3_make(r, r, h);
    fprintf(writer->to, ",%.7g,%.7g,%.7g,%.7g,%.7g,%.7g,%.7g,%.6g,%.6g,%.6g,%.6g]", at.x, at.y, at.z, turn.w, turn.x,
            turn.y, turn.z, size.x, size.y, size.z, shape->type == SCREE_SHAPE_CAPSULE ? h : 0);
    return SCREE_OK;
}

static scree_status put_shapes(FILE *to, const film *shown, const web_bodies *bodies, scree_error *error)
{
    static const struct {
        const char *key;
        shape_visitor *visit;
    } lists[] = {{"spheres", visit_sphere}, {"planes", visit_plane}, {"meshes", visit_geometry}, {"parts", visit_part}};
    part_writer writer = {.to = to, .shown = shown, .bodies = bodies};
    scree_status status = SCREE_OK;
    for (size_t i = 0; status == SCREE_OK && i < sizeof lists / sizeof *lists; i++) {
        fprintf(to, ",\"%s\":[", lists[i].key);
        status = visit_shapes(&writer, lists[i].visit, error);
        fputc(']', to);
    }
    array_free(&writer.meshes);
    return status;
}

// ------------------------------------------------------------------------------------------------------------- tables

static void put_table(FILE *to, const char *name, const csv *table)
{
    size_t stride = 1 + table->row_count / MOST_ROWS;
    fputs("{\"name\":", to);
    put_text(to, name);
    fputs(",\"columns\":{", to);
    for (size_t column = 0; column < table->column_count; column++) {
        fputs(column > 0 ? "," : "", to);
        put_text(to, table->names[column]);
        fputs(":[", to);
        for (size_t row = 0; row < table->row_count; row += stride) {
            fputs(row > 0 ? "," : "", to);
            put_number(to, table->values[column * table->row_count + row]);
        }
        fputc(']', to);
    }
    fputs("}}", to);
}

// A table that cannot be read is left out: the page is about the bodies.
static bool put_file(FILE *to, const char *folder, const char *file, size_t name_length, bool comma)
{
    csv table;
    char name[256];
    char *path = path_join(folder, file);
    bool good = path && csv_read(path, &table, NULL) == SCREE_OK;
    if (good) {
        snprintf(name, sizeof name, "%.*s", (int)name_length, file);
        fputs(comma ? "," : "", to);
        put_table(to, name, &table);
        csv_free(&table);
    }
    free(path);
    return good;
}

static scree_status put_tables(FILE *to, const char *run, scree_error *error)
{
    char *folder = path_join(run, "probes");
    name_array names = {0};
    scree_status status = folder ? folder_list(folder, &names, error) : fail_no_memory(error);
    fputs(",\"tables\":[", to);
    bool some = put_file(to, run, "series.csv", strlen("series"), false);
    for (size_t i = 0; status == SCREE_OK && i < names.count; i++) {
        size_t length = strlen(names.data[i]);
        if (length > 4 && strcmp(names.data[i] + length - 4, ".csv") == 0)
            some = put_file(to, folder, names.data[i], length - 4, some) || some;
    }
    fputc(']', to);
    names_free(&names);
    free(folder);
    return status;
}

// summary.json as it is; null while the run goes on.
static scree_status put_summary(FILE *to, const char *run, scree_error *error)
{
    file_text text = {0};
    char *path = path_join(run, "summary.json");
    scree_status status = path ? SCREE_OK : fail_no_memory(error);
    fputs(",\"summary\":", to);
    if (status == SCREE_OK && file_exists(path))
        status = file_read(path, &text, error);
    if (text.count > 0)
        fwrite(text.data, 1, text.count, to);
    else
        fputs("null", to);
    array_free(&text);
    free(path);
    return status;
}

// -------------------------------------------------------------------------------------------------------------- public

static void put_color(FILE *to, const char *before, color paint)
{
    fprintf(to, "%s\"#%02x%02x%02x\"", before, paint.r, paint.g, paint.b);
}

static void put_colors(FILE *to)
{
    enum { SCALE_COLORS = 65 };
    fputs(",\"scale\":[", to);
    for (int i = 0; i < SCALE_COLORS; i++)
        put_color(to, i > 0 ? "," : "", color_of_scale((double)i / (SCALE_COLORS - 1)));
    fputs("],\"kinds\":[", to);
    for (size_t i = 0; i < COLOR_KINDS; i++)
        put_color(to, i > 0 ? "," : "", color_of_kind(i));
    fputc(']', to);
}

static void put_view(FILE *to, const film *shown, const web_stream *stream)
{
    put_colors(to);
    put_key_vector(to, "origin", stream->origin);
    put_key_number(to, "quantum", stream->quantum);
    put_key_number(to, "speed", shown->speed);
    put_key_number(to, "spin", shown->spin);
    put_key_number(to, "radius", shown->radius);
    put_key_vector(to, "low", shown->low);
    put_key_vector(to, "high", shown->high);
    put_key_vector(to, "up", shown->up);
    put_key_vector(to, "from", shown->camera.position);
    put_key_vector(to, "lookAt", shown->camera.look_at);
    put_key_number(to, "fieldOfView", shown->camera.field_of_view);
    fprintf(to, ",\"color\":\"%s\"", body_color_name(shown->def.look.color));
}

scree_status web_scene_put(FILE *to, film *shown, const web_bodies *bodies, const web_stream *stream,
                           scree_error *error)
{
    const scree_scene *scene = shown->run->scene;
    fputs("{\"name\":", to);
    put_text(to, shown->run->name);
    fprintf(to, ",\"scree\":\"%s\",\"streamed\":%zu,\"times\":[", SCREE_VERSION, bodies->streamed);
    for (size_t i = 0; i < shown->count; i++)
        fprintf(to, "%s%.10g", i > 0 ? "," : "", film_time(shown, i));
    fputs("],\"materials\":[", to);
    for (size_t i = 0; i < scene->material_count; i++) {
        fputs(i > 0 ? "," : "", to);
        put_text(to, scene->materials[i].name);
    }
    fputc(']', to);
    put_view(to, shown, stream);
    put_bodies(to, bodies);
    scree_status status = put_shapes(to, shown, bodies, error);
    if (status == SCREE_OK)
        status = put_tables(to, shown->run->run, error);
    if (status == SCREE_OK)
        status = put_summary(to, shown->run->run, error);
    fputs("}\n", to);
    return status;
}
