// Bodies and fills with their shapes.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/vec.h"
#include "geometry/shape.h"
#include "scene/read.h"

// Bodies and fills share one set of names.
static scree_status claim_name(const scene_reader *reader, const node *mapping, const char *name, name_index *index,
                               size_t value)
{
    if (name[0] == 0)
        return SCREE_OK;
    const node *at = value_of(mapping, "name");
    const scree_scene *scene = reader->scene;
    if (strcmp(name, "world") == 0)
        return reader_fail(reader, at, "the name 'world' is reserved for the fixed world; choose another");
    size_t body;
    if (names_find(&scene->body_names, name, &body) && scene->bodies[body].place.line)
        return reader_fail(reader, at, "the name '%s' is taken by the body at line %u; choose another", name,
                           scene->bodies[body].place.line);
    if (names_find(&scene->body_names, name, NULL) || names_find(&scene->fill_names, name, NULL))
        return reader_fail(reader, at, "the name '%s' is taken by another body or fill; choose another", name);
    names_add(index, name, value);
    return SCREE_OK;
}

// Keeps what the geometry of shape `index` of `count` is made of; most bodies have none.
static scree_status keep_source(const scene_reader *reader, const scene_source **sources, size_t index, size_t count,
                                const scene_source *source)
{
    scene_source *all = (scene_source *)*sources;
    scree_status status = all ? SCREE_OK : reader_array(reader, &all, count);
    if (status == SCREE_OK) {
        all[index] = *source;
        *sources = all;
    }
    return status;
}

static scree_status first_shape(const scene_reader *reader, const node *mapping, const key_table *table,
                                const node **item, size_t *count)
{
    *item = items_of(mapping, "shapes", count);
    if (*count == 0)
        return reader_fail(reader, value_of(mapping, "shapes"), "'shapes' is empty; %s needs one shape at least",
                           table->title);
    return SCREE_OK;
}

// ------------------------------------------------------------------------------------------------------------ bodies

static scree_status read_body(const scene_reader *reader, const node *mapping, size_t index)
{
    scene_body *body = &reader->scene->bodies[index];
    table_set_defaults(&body_table, body);
    body->def.group = 1;
    body->def.mask = UINT32_MAX;
    body->place = place_of(mapping);
    scree_status status = read_mapping(reader, mapping, &body_table, body);
    if (status == SCREE_OK || reader->all) { // a body that is refused is known to others by its name all the same
        scree_status named = claim_name(reader, mapping, body->name, &reader->scene->body_names, index);
        status = status == SCREE_OK ? named : status;
    }
    const node *item;
    if (status == SCREE_OK)
        status = first_shape(reader, mapping, &body_table, &item, &body->def.shape_count);
    scree_shape_def *shapes;
    if (status == SCREE_OK)
        status = reader_array(reader, &shapes, body->def.shape_count);
    if (status != SCREE_OK)
        return status;
    body->def.shapes = shapes;
    size_t before = reader_complaints(reader);
    for (size_t i = 0; item && status == SCREE_OK; item = item->next, i++) {
        scene_shape shape = {.def = scree_default_shape_def()};
        table_set_defaults(&shape_table, &shape);
        status = read_mapping(reader, item, &shape_table, &shape);
        if (status == SCREE_OK)
            status = scene_read_geometry(reader, item, shape.def.type, &shape.source, &shape.def.geometry);
        shapes[i] = shape.def;
        if (status == SCREE_OK && shape.def.geometry)
            status = keep_source(reader, &body->sources, i, body->def.shape_count, &shape.source);
        status = reader_go_on(reader, status);
    }
    return status == SCREE_OK && reader_complaints(reader) > before ? SCREE_ERROR_INVALID : status;
}

scree_status scene_read_bodies(const scene_reader *reader, const node *root)
{
    scree_scene *scene = reader->scene;
    size_t count;
    const node *item = items_of(root, "bodies", &count);
    scree_status status = reader_array(reader, &scene->bodies, count);
    if (status != SCREE_OK)
        return status;
    if (!names_init(&scene->body_names, &scene->memory, count))
        return fail_no_memory(reader->error);
    for (; item && status == SCREE_OK; item = item->next) {
        scene_body *body = &scene->bodies[scene->body_count];
        status = read_body(reader, item, scene->body_count++);
        if (status != SCREE_OK)
            body->def.shape_count = 0; // nothing more is to be said about it
        status = reader_go_on(reader, status);
    }
    return status;
}

static scree_status check_at_rest(const scene_reader *reader, const node *mapping, const char *key, scree_vec3 velocity)
{
    if (vec3_dot(velocity, velocity) == 0)
        return SCREE_OK;
    return reader_fail(reader, value_of(mapping, key),
                       "'%s' of a fixed body must be [0, 0, 0]; a motion moves a fixed body", key);
}

static scree_status check_movable(const scene_reader *reader, const node *mapping, const scree_body_def *def)
{
    const node *item = value_of(mapping, "shapes")->first;
    for (size_t i = 0; i < def->shape_count; i++, item = item->next)
        if (shape_is_fixed_only(def->shapes[i].type))
            return reader_fail(reader, item, "a %s needs a fixed body; give the body 'fixed: true' or a motion",
                               value_of(item, "type")->text);
    return SCREE_OK;
}

static scree_status mass_from_density(const scene_reader *reader, const node *mapping, scene_body *body)
{
    double volume = 0;
    for (size_t i = 0; i < body->def.shape_count; i++)
        volume += scree_shape_volume(&body->def.shapes[i]);
    body->def.mass = body->density * volume;
    if (body->def.mass > 0 && isfinite(body->def.mass))
        return SCREE_OK;
    return reader_fail(reader, value_of(mapping, "density"),
                       "'density' times the volume %g is not a mass; it must be positive and finite", volume);
}

scree_status scene_check_bodies(const scene_reader *reader, const node *root)
{
    size_t count;
    const node *item = items_of(root, "bodies", &count);
    scree_status status = SCREE_OK;
    for (size_t i = 0; i < count && status == SCREE_OK; i++, item = item->next) {
        scene_body *body = &reader->scene->bodies[i];
        if (body->def.shape_count == 0)
            continue;
        if (body->def.fixed) {
            status = check_at_rest(reader, item, "velocity", body->def.velocity);
            if (status == SCREE_OK)
                status = check_at_rest(reader, item, "spin", body->def.spin);
        } else {
            status = check_movable(reader, item, &body->def);
            if (status == SCREE_OK && body->density > 0 && body->def.mass == 0)
                status = mass_from_density(reader, item, body);
        }
        status = reader_go_on(reader, status);
    }
    return status;
}

// ------------------------------------------------------------------------------------------------------------- fills

static scree_status read_fill(const scene_reader *reader, const node *mapping, size_t index, scree_id first)
{
    scene_fill *fill = &reader->scene->fills[index];
    table_set_defaults(&fill_table, fill);
    fill->place = place_of(mapping);
    fill->def.seed = hash_word(hash_word(0, reader->scene->seed), index + 1);
    scree_status status = read_mapping(reader, mapping, &fill_table, fill);
    fill->ids = (scene_ids){first, fill->def.count};
    if (status == SCREE_OK || reader->all) {
        scree_status named = claim_name(reader, mapping, fill->name, &reader->scene->fill_names, index);
        status = status == SCREE_OK ? named : status;
    }
    const node *item;
    if (status == SCREE_OK)
        status = first_shape(reader, mapping, &fill_table, &item, &fill->def.shape_count);
    fill_shape *shapes;
    if (status == SCREE_OK)
        status = reader_array(reader, &shapes, fill->def.shape_count);
    if (status != SCREE_OK)
        return status;
    fill->def.shapes = shapes;
    for (size_t i = 0; item && status == SCREE_OK; item = item->next, i++) {
        scene_fill_shape shape = {.def.shape = scree_default_shape_def()};
        table_set_defaults(&fill_shape_table, &shape);
        status = read_mapping(reader, item, &fill_shape_table, &shape);
        if (status == SCREE_OK)
            status = scene_read_geometry(reader, item, shape.def.shape.type, &shape.source, &shape.def.shape.geometry);
        shapes[i] = shape.def;
        if (status == SCREE_OK && shape.def.shape.geometry)
            status = keep_source(reader, &fill->sources, i, fill->def.shape_count, &shape.source);
        status = reader_go_on(reader, status);
    }
    return status;
}

scree_status scene_read_fills(const scene_reader *reader, const node *root)
{
    scree_scene *scene = reader->scene;
    size_t count;
    const node *item = items_of(root, "fills", &count);
    scree_status status = reader_array(reader, &scene->fills, count);
    if (status != SCREE_OK)
        return status;
    if (!names_init(&scene->fill_names, &scene->memory, count))
        return fail_no_memory(reader->error);
    scree_id first = scene->body_count + 1;
    for (; item && status == SCREE_OK; item = item->next) {
        size_t index = scene->fill_count++;
        status = reader_go_on(reader, read_fill(reader, item, index, first));
        first += scene->fills[index].def.count;
    }
    return status;
}
