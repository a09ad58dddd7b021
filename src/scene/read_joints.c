// Joints: what they join or couple, and what a motor of theirs does.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "scene/read.h"

static scree_status claim_name(const scene_reader *reader, const node *mapping, const char *name, size_t index)
{
    scree_scene *scene = reader->scene;
    if (name[0] == 0)
        return SCREE_OK;
    const node *at = value_of(mapping, "name");
    if (strcmp(name, "world") == 0)
        return reader_fail(reader, at, "the name 'world' is reserved for the fixed world; choose another");
    if (names_find(&scene->joint_names, name, NULL) || names_find(&scene->body_names, name, NULL) ||
        names_find(&scene->fill_names, name, NULL))
        return reader_fail(reader, at, "the name '%s' is taken by another joint, body or fill; choose another", name);
    names_add(&scene->joint_names, name, index);
    return SCREE_OK;
}

// The id of a body, or 0 for the world.
static scree_status read_body_id(const scene_reader *reader, const node *value, scree_id *id)
{
    size_t body;
    bool world = value->kind == NODE_SCALAR && strcmp(value->text, "world") == 0;
    scree_status status = world ? SCREE_OK : read_body_name(reader, value, table_find(&joint_table, "bodies"), &body);
    if (status == SCREE_OK)
        *id = world ? 0 : body + 1;
    return status;
}

static scree_status read_joint_id(const scene_reader *reader, const node *value, scree_id *id)
{
    size_t joint;
    if (value->kind != NODE_SCALAR)
        return fail_value(reader, value, table_find(&joint_table, "joints"));
    if (!names_find(&reader->scene->joint_names, value->text, &joint))
        return fail_unknown_thing(reader, value, NAMED_JOINTS);
    *id = joint + 1;
    return SCREE_OK;
}

// The two names under `bodies` or `joints`.
static scree_status read_ends(const scene_reader *reader, const node *mapping, scene_joint *joint)
{
    const char *key = joint->couples ? "joints" : "bodies";
    const node *list = value_of(mapping, key);
    const char *what = joint->couples ? "joints that are listed before it" : "bodies, one of which may be world";
    if (!list || list->count != 2)
        return reader_fail(reader, list ? list : mapping, "a %s needs '%s', a list of two names of %s",
                           value_of(mapping, "type")->text, key, what);
    const node *item = list->first;
    scree_status status = SCREE_OK;
    for (int i = 0; i < 2 && status == SCREE_OK; i++, item = item->next) {
        status = joint->couples ? read_joint_id(reader, item, &joint->def.joints[i])
                                : read_body_id(reader, item, &joint->def.bodies[i]);
        if (status == SCREE_OK)
            status = read_name(reader, item, table_find(&joint_table, key), &joint->ends[i]);
    }
    return status;
}

// A universal joint has two axes; where only the first is given, any across it will do.
static scree_status read_axes(const scene_reader *reader, const node *mapping, scene_joint *joint)
{
    bool universal = joint->def.type == SCREE_JOINT_UNIVERSAL;
    if (joint->has_axes && joint->has_axis)
        return reader_fail(reader, value_of(mapping, "axis"), "'axis' and 'axes' exclude each other; 'axes' has both");
    joint->has_axis = !universal; // so it is written back
    if (!universal)
        return SCREE_OK;
    vec3 first = joint->def.axis;
    if (!joint->has_axes)
        joint->def.second_axis =
            vec3_cross(first, fabs(first.x) < 0.6 * vec3_length(first) ? vec3_make(1, 0, 0) : vec3_make(0, 1, 0));
    joint->has_axes = true;
    return SCREE_OK;
}

static scree_status read_motor(const scene_reader *reader, const node *mapping, scene_joint *joint)
{
    scree_motor_def *motor = &joint->def.motor;
    if (!joint->has_motor)
        return SCREE_OK;
    const node *at = value_of(mapping, "motor");
    if (joint->has_speed == joint->has_position)
        return reader_fail(reader, at, "a motor needs 'speed' or 'position', and only one of them");
    if (joint->has_speed && motor->response > 0)
        return reader_fail(reader, value_of(at, "response"), "'response' goes with 'position'; leave it out");
    motor->type = joint->has_speed ? SCREE_MOTOR_SPEED : SCREE_MOTOR_POSITION;
    motor->target = joint->has_speed ? joint->speed : joint->position;
    return SCREE_OK;
}

static scree_status read_joint(const scene_reader *reader, const node *mapping, size_t index)
{
    scene_joint *joint = &reader->scene->joints[index];
    joint->def = scree_default_joint_def();
    table_set_defaults(&joint_table, joint);
    joint->place = place_of(mapping);
    scree_status status = read_mapping(reader, mapping, &joint_table, joint);
    if (status != SCREE_OK)
        return status;
    joint->couples = joint->def.type == SCREE_JOINT_GEAR || joint->def.type == SCREE_JOINT_RACK;
    bool ends = joint->def.type == SCREE_JOINT_DISTANCE || joint->def.type == SCREE_JOINT_SPRING;
    if (ends && !value_of(mapping, "positions"))
        return reader_fail(reader, mapping, "a %s needs 'positions', two points [[x, y, z], [x, y, z]]",
                           value_of(mapping, "type")->text);
    status = read_ends(reader, mapping, joint);
    if (status == SCREE_OK)
        status = read_axes(reader, mapping, joint);
    if (status == SCREE_OK)
        status = read_motor(reader, mapping, joint);
    return status == SCREE_OK ? claim_name(reader, mapping, joint->name, index) : status;
}

scree_status scene_read_joints(const scene_reader *reader, const node *root)
{
    scree_scene *scene = reader->scene;
    size_t count;
    const node *item = items_of(root, "joints", &count);
    scree_status status = reader_array(reader, &scene->joints, count);
    if (status != SCREE_OK)
        return status;
    if (!names_init(&scene->joint_names, &scene->memory, count))
        return fail_no_memory(reader->error);
    for (; item && status == SCREE_OK; item = item->next)
        status = reader_go_on(reader, read_joint(reader, item, scene->joint_count++));
    return status;
}
