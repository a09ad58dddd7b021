#include "record/frames/frame.h"

#include <math.h>

#include "base/error.h"
#include "base/threads.h"
#include "base/vec.h"
#include "record/frames/surface.h"
#include "record/frames/vtp.h"

enum { BLOCK = 256 };

typedef struct body_view { // what a column of the bodies' file can show
    scree_id id;
    const scree_state *state;
    scree_body_info info;
    scree_shape_def shape; // the first one
} body_view;

static void put_position(const body_view *body, void *to)
{
    memcpy(to, &body->state->position, sizeof(vec3));
}

static void put_id(const body_view *body, void *to)
{
    memcpy(to, &body->id, sizeof body->id);
}

static void put_radius(const body_view *body, void *to)
{
    float radius = (float)body->info.bounding_radius;
    memcpy(to, &radius, sizeof radius);
}

static void put_vector(vec3 vector, void *to)
{
    vec3f narrow = vec3f_from(vector);
    memcpy(to, &narrow, sizeof narrow);
}

// The size of a box or ellipsoid where it is alone, else of the bounding sphere.
static void put_size(const body_view *body, void *to)
{
    double radius = body->info.bounding_radius;
    vec3 size = {radius, radius, radius};
    if (body->info.shape_count == 1 && body->shape.type == SCREE_SHAPE_BOX)
        size = body->shape.half;
    if (body->info.shape_count == 1 && body->shape.type == SCREE_SHAPE_ELLIPSOID)
        size = body->shape.radii;
    put_vector(size, to);
}

static void put_orientation(const body_view *body, void *to)
{
    quat q = body->state->orientation;
    memcpy(to, (const float[]){(float)q.w, (float)q.x, (float)q.y, (float)q.z}, 4 * sizeof(float));
}

static void put_velocity(const body_view *body, void *to)
{
    put_vector(body->state->velocity, to);
}

static void put_spin(const body_view *body, void *to)
{
    put_vector(body->state->spin, to);
}

static void put_material(const body_view *body, void *to)
{
    memcpy(to, &(uint16_t){(uint16_t)body->info.material}, sizeof(uint16_t));
}

// The type of its shape; of several, SCREE_SHAPE_TYPES.
static void put_shape(const body_view *body, void *to)
{
    uint16_t type = (uint16_t)(body->info.shape_count == 1 ? body->shape.type : SCREE_SHAPE_TYPES);
    memcpy(to, &type, sizeof type);
}

typedef struct body_column {
    const char *name;
    vtp_type type;
    size_t components, bytes; // per body
    bool deep;                // needs info and shape, not only id and state
    void (*put)(const body_view *body, void *to);
} body_column;

static const body_column position_column = {"Points", VTP_F64, 3, 24, false, put_position};
static const body_column columns[] = {
    {"id", VTP_U64, 1, 8, false, put_id},
    {"radius", VTP_F32, 1, 4, true, put_radius},
    {"size", VTP_F32, 3, 12, true, put_size},
    {"orientation", VTP_F32, 4, 16, false, put_orientation},
    {"velocity", VTP_F32, 3, 12, false, put_velocity},
    {"spin", VTP_F32, 3, 12, false, put_spin},
    {"material", VTP_U16, 1, 2, true, put_material},
    {"shape", VTP_U16, 1, 2, true, put_shape},
};

static bool fill_block(const scree_world *world, const id_array *ids, const body_column *column, size_t block, char *to)
{
    scree_state states[BLOCK];
    size_t from = block * BLOCK, count = block_end(block, BLOCK, ids->count) - from;
    if (scree_world_get_states(world, ids->data + from, count, states, NULL) != SCREE_OK)
        return false;
    for (size_t i = 0; i < count; i++) {
        body_view body = {.id = ids->data[from + i], .state = &states[i]};
        if (column->deep && (scree_world_get_body(world, body.id, &body.info, NULL) != SCREE_OK ||
                             scree_world_get_shape(world, body.id, 0, &body.shape, NULL) != SCREE_OK))
            return false;
        column->put(&body, to + (from + i) * column->bytes);
    }
    return true;
}

typedef ARRAY(char) byte_array;

static scree_status write_column(vtp *file, const scree_world *world, const id_array *ids, const body_column *column,
                                 byte_array *scratch, scree_error *error)
{
    size_t blocks = block_count(ids->count, BLOCK);
    if (!array_resize(scratch, ids->count * column->bytes))
        return fail_no_memory(error);
    bool good = true;
#pragma omp parallel for if (blocks > 1) num_threads(file->threads) schedule(static) reduction(&& : good)
    for (size_t block = 0; block < blocks; block++)
        good = fill_block(world, ids, column, block, scratch->data) && good;
    if (!good)
        return fail(error, SCREE_ERROR_INVALID, "a frame lost a body");
    return vtp_array(file, column->name, column->type, column->components, ids->count, scratch->data, error);
}

// Cells of `corners` points each, in the order of the points.
static scree_status write_cells(vtp *file, const char *section, size_t cells, int32_t corners, scree_error *error)
{
    ARRAY(int32_t)
    index = {0};
    if (cells > INT32_MAX / 2 || !array_resize(&index, cells * (size_t)corners)) {
        array_free(&index);
        return fail_no_memory(error);
    }
    vtp_section(file, section);
    for (size_t i = 0; i < index.count; i++)
        index.data[i] = (int32_t)i;
    scree_status status = vtp_array(file, "connectivity", VTP_I32, 1, index.count, index.data, error);
    for (size_t i = 0; i < cells; i++)
        index.data[i] = (int32_t)(i + 1) * corners;
    if (status == SCREE_OK)
        status = vtp_array(file, "offsets", VTP_I32, 1, cells, index.data, error);
    array_free(&index);
    return status;
}

static scree_status finish(vtp *file, scree_status status, scree_error *error)
{
    if (status == SCREE_OK)
        return vtp_end(file, error);
    vtp_discard(file);
    return status;
}

scree_status frame_write_bodies(const char *path, const scree_world *world, const body_roster *roster, int threads,
                                scree_error *error)
{
    vtp file;
    byte_array scratch = {0};
    const id_array *ids = &roster->moving;
    scree_status status =
        vtp_begin(&file, path, &(vtp_counts){.points = ids->count, .verts = ids->count}, threads, error);
    if (status != SCREE_OK)
        return status;
    vtp_section(&file, "PointData");
    for (size_t i = 0; status == SCREE_OK && i < sizeof columns / sizeof *columns; i++)
        status = write_column(&file, world, ids, &columns[i], &scratch, error);
    vtp_section(&file, "Points");
    if (status == SCREE_OK)
        status = write_column(&file, world, ids, &position_column, &scratch, error);
    array_free(&scratch);
    if (status == SCREE_OK)
        status = write_cells(&file, "Verts", ids->count, 1, error);
    return finish(&file, status, error);
}

static scree_status write_surface(const char *path, const surface *from, bool with_speed, int threads,
                                  scree_error *error)
{
    vtp file;
    size_t polygons = from->ends.count;
    scree_status status =
        vtp_begin(&file, path, &(vtp_counts){.points = from->points.count, .polys = polygons}, threads, error);
    if (status != SCREE_OK)
        return status;
    vtp_section(&file, "CellData");
    status = vtp_array(&file, "id", VTP_U64, 1, polygons, from->ids.data, error);
    if (status == SCREE_OK && with_speed)
        status = vtp_array(&file, "speed", VTP_F32, 1, polygons, from->speeds.data, error);
    vtp_section(&file, "Points");
    if (status == SCREE_OK)
        status = vtp_array(&file, "Points", VTP_F64, 3, from->points.count, from->points.data, error);
    vtp_section(&file, "Polys");
    if (status == SCREE_OK)
        status = vtp_array(&file, "connectivity", VTP_I32, 1, from->corners.count, from->corners.data, error);
    if (status == SCREE_OK)
        status = vtp_array(&file, "offsets", VTP_I32, 1, polygons, from->ends.data, error);
    return finish(&file, status, error);
}

scree_status frame_write_walls(const char *path, const scree_world *world, const body_roster *roster, int threads,
                               scree_error *error)
{
    surface walls = {0};
    id_array all = {0};
    surface_extent extent;
    if (!array_resize(&all, scree_world_body_count(world)))
        return fail_no_memory(error);
    scree_world_body_ids(world, all.data);
    scree_status status = surface_find_extent(world, all.data, all.count, &extent, error);
    array_free(&all);
    for (size_t i = 0; status == SCREE_OK && i < roster->fixed.count; i++)
        status = surface_add_body(&walls, world, roster->fixed.data[i], &extent, error);
    if (status == SCREE_OK)
        status = write_surface(path, &walls, false, threads, error);
    surface_free(&walls);
    return status;
}

static bool is_lone_sphere(const scree_world *world, scree_id id)
{
    scree_body_info info;
    scree_shape_def shape;
    return scree_world_get_body(world, id, &info, NULL) == SCREE_OK && info.shape_count == 1 &&
           scree_world_get_shape(world, id, 0, &shape, NULL) == SCREE_OK && shape.type == SCREE_SHAPE_SPHERE;
}

scree_status frame_write_boxes(const char *path, const scree_world *world, const body_roster *roster, int threads,
                               bool *some, scree_error *error)
{
    surface boxes = {0};
    const surface_extent none = {vec3_make(0, 0, 0), 1}; // what moves is bounded
    scree_status status = SCREE_OK;
    for (size_t i = 0; status == SCREE_OK && i < roster->moving.count; i++)
        if (!is_lone_sphere(world, roster->moving.data[i]))
            status = surface_add_body(&boxes, world, roster->moving.data[i], &none, error);
    *some = boxes.ends.count > 0;
    if (status == SCREE_OK && *some)
        status = write_surface(path, &boxes, true, threads, error);
    surface_free(&boxes);
    return status;
}

// The point where a contact's line ends at a body.
static bool line_end(const scree_world *world, scree_id id, vec3 point, vec3 *end)
{
    scree_body_info info;
    scree_state state;
    if (scree_world_get_body(world, id, &info, NULL) != SCREE_OK ||
        scree_world_get_states(world, &id, 1, &state, NULL) != SCREE_OK)
        return false;
    *end = isfinite(info.bounding_radius) && !info.fixed ? state.position : point;
    return true;
}

typedef struct contact_lines {
    ARRAY(scree_contact)
    contacts;
    ARRAY(vec3)
    points;
    ARRAY(scree_id)
    a, b;
    ARRAY(vec3f)
    forces; // on b
    ARRAY(float)
    normal_forces, gaps;
} contact_lines;

static scree_status make_lines(contact_lines *lines, const scree_world *world, int threads, scree_error *error)
{
    size_t count = scree_world_step_figures(world).contacts;
    double step = scree_world_get_def(world).step;
    if (!array_resize(&lines->contacts, count) || !array_resize(&lines->points, 2 * count) ||
        !array_resize(&lines->a, count) || !array_resize(&lines->b, count) || !array_resize(&lines->forces, count) ||
        !array_resize(&lines->normal_forces, count) || !array_resize(&lines->gaps, count))
        return fail_no_memory(error);
    count = scree_world_contacts(world, lines->contacts.data, count);
    lines->contacts.count = count;
    bool good = true;
#pragma omp parallel for if (count > BLOCK) num_threads(threads) schedule(static) reduction(&& : good)
    for (size_t i = 0; i < count; i++) {
        const scree_contact *c = &lines->contacts.data[i];
        good = line_end(world, c->a, c->point, &lines->points.data[2 * i]) &&
               line_end(world, c->b, c->point, &lines->points.data[2 * i + 1]) && good;
        lines->a.data[i] = c->a;
        lines->b.data[i] = c->b;
        lines->forces.data[i] = vec3f_from(vec3_scale(c->impulse, 1 / step));
        lines->normal_forces.data[i] = (float)(vec3_dot(c->impulse, c->normal) / step);
        lines->gaps.data[i] = (float)c->gap;
    }
    return good ? SCREE_OK : fail(error, SCREE_ERROR_INVALID, "a contact's body is gone");
}

static scree_status write_lines(const char *path, const contact_lines *lines, int threads, scree_error *error)
{
    vtp file;
    size_t count = lines->contacts.count;
    scree_status status = vtp_begin(&file, path, &(vtp_counts){.points = 2 * count, .lines = count}, threads, error);
    if (status != SCREE_OK)
        return status;
    vtp_section(&file, "CellData");
    status = vtp_array(&file, "normal_force", VTP_F32, 1, count, lines->normal_forces.data, error);
    if (status == SCREE_OK)
        status = vtp_array(&file, "gap", VTP_F32, 1, count, lines->gaps.data, error);
    if (status == SCREE_OK)
        status = vtp_array(&file, "a", VTP_U64, 1, count, lines->a.data, error);
    if (status == SCREE_OK)
        status = vtp_array(&file, "b", VTP_U64, 1, count, lines->b.data, error);
    if (status == SCREE_OK)
        status = vtp_array(&file, "force", VTP_F32, 3, count, lines->forces.data, error);
    vtp_section(&file, "Points");
    if (status == SCREE_OK)
        status = vtp_array(&file, "Points", VTP_F64, 3, 2 * count, lines->points.data, error);
    if (status == SCREE_OK)
        status = write_cells(&file, "Lines", count, 2, error);
    return finish(&file, status, error);
}

scree_status frame_write_contacts(const char *path, const scree_world *world, int threads, scree_error *error)
{
    contact_lines lines = {0};
    scree_status status = make_lines(&lines, world, threads, error);
    if (status == SCREE_OK)
        status = write_lines(path, &lines, threads, error);
    array_free(&lines.contacts);
    array_free(&lines.points);
    array_free(&lines.a);
    array_free(&lines.b);
    array_free(&lines.forces);
    array_free(&lines.normal_forces);
    array_free(&lines.gaps);
    return status;
}
