// Actions and outputs: motions, events, probes and counters.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "scene/read.h"

static scree_status read_motion(const scene_reader *reader, const node *item, scene_motion *motion, bool *moved)
{
    scree_scene *scene = reader->scene;
    table_set_defaults(&motion_table, motion);
    motion->place = place_of(item);
    scree_status status = read_mapping(reader, item, &motion_table, motion);
    if (status != SCREE_OK)
        return status;
    if (moved[motion->body])
        return reader_fail(reader, value_of(item, "body"), "the body '%s' has a motion already; it can have one",
                           scene->bodies[motion->body].name);
    moved[motion->body] = true;
    scene->bodies[motion->body].def.fixed = true;
    return SCREE_OK;
}

scree_status scene_read_motions(const scene_reader *reader, const node *root)
{
    scree_scene *scene = reader->scene;
    const node *item = items_of(root, "motions", &scene->motion_count);
    bool *moved;
    scree_status status = reader_array(reader, &scene->motions, scene->motion_count);
    if (status == SCREE_OK)
        status = reader_array(reader, &moved, scene->body_count);
    for (size_t i = 0; i < scene->motion_count && status == SCREE_OK; i++, item = item->next)
        status = reader_go_on(reader, read_motion(reader, item, &scene->motions[i], moved));
    return status;
}

// ------------------------------------------------------------------------------------------------------------ events

typedef struct removed_marks { // by index: named by an event so far
    bool *bodies, *fills, *joints;
} removed_marks;

// Finds a body, a fill or a joint and marks it as removed.
static scree_status take_removed(const scene_reader *reader, const node *name, const removed_marks *marks,
                                 scene_ids *ids, scree_id *joint)
{
    const scree_scene *scene = reader->scene;
    if (name->kind != NODE_SCALAR)
        return fail_value(reader, name, table_find(&event_table, "remove"));
    size_t index;
    bool *removed;
    if (names_find(&scene->body_names, name->text, &index)) {
        *ids = (scene_ids){index + 1, 1};
        removed = &marks->bodies[index];
    } else if (names_find(&scene->fill_names, name->text, &index)) {
        *ids = scene->fills[index].ids;
        removed = &marks->fills[index];
    } else if (names_find(&scene->joint_names, name->text, &index)) {
        *joint = index + 1;
        removed = &marks->joints[index];
    } else {
        return fail_unknown_thing(reader, name, NAMED_BODIES | NAMED_FILLS | NAMED_JOINTS);
    }
    if (*removed)
        return reader_fail(reader, name, "'%s' is removed twice; it can be removed once", name->text);
    *removed = true;
    return SCREE_OK;
}

static scree_status read_event(const scene_reader *reader, const node *mapping, scene_event *event,
                               const removed_marks *marks)
{
    scree_status status = read_mapping(reader, mapping, &event_table, event);
    if (status != SCREE_OK)
        return status;
    const node *item = items_of(mapping, "remove", &event->remove_count);
    status = reader_array(reader, &event->remove, event->remove_count);
    if (status == SCREE_OK)
        status = reader_array(reader, &event->remove_joints, event->remove_count);
    if (status == SCREE_OK)
        status = reader_array(reader, &event->remove_names, event->remove_count);
    for (size_t i = 0; i < event->remove_count && status == SCREE_OK; i++, item = item->next) {
        status = take_removed(reader, item, marks, &event->remove[i], &event->remove_joints[i]);
        if (status == SCREE_OK)
            status = read_name(reader, item, table_find(&event_table, "remove"), &event->remove_names[i]);
    }
    return status;
}

typedef struct timed_event {
    scene_event event;
    size_t order; // in the file: equal times keep it
} timed_event;

static int compare_events(const void *a, const void *b)
{
    const timed_event *first = a, *second = b;
    int order = (first->event.time > second->event.time) - (first->event.time < second->event.time);
    return order ? order : (first->order > second->order) - (first->order < second->order);
}

scree_status scene_read_events(const scene_reader *reader, const node *root)
{
    scree_scene *scene = reader->scene;
    const node *item = items_of(root, "events", &scene->event_count);
    timed_event *timed;
    removed_marks marks;
    scree_status status = reader_array(reader, &scene->events, scene->event_count);
    if (status == SCREE_OK)
        status = reader_array(reader, &timed, scene->event_count);
    if (status == SCREE_OK)
        status = reader_array(reader, &marks.bodies, scene->body_count);
    if (status == SCREE_OK)
        status = reader_array(reader, &marks.fills, scene->fill_count);
    if (status == SCREE_OK)
        status = reader_array(reader, &marks.joints, scene->joint_count);
    for (size_t i = 0; i < scene->event_count && status == SCREE_OK; i++, item = item->next) {
        timed[i].order = i;
        status = reader_go_on(reader, read_event(reader, item, &timed[i].event, &marks));
    }
    if (status != SCREE_OK)
        return status;
    qsort(timed, scene->event_count, sizeof *timed, compare_events);
    for (size_t i = 0; i < scene->event_count; i++)
        scene->events[i] = timed[i].event;
    return SCREE_OK;
}

// ------------------------------------------------------------------------------------------------------------ output

static scree_status read_probe(const scene_reader *reader, const node *item, scene_probe *probe, name_index *files)
{
    const scree_scene *scene = reader->scene;
    size_t index;
    if (item->kind == NODE_SCALAR && names_find(&scene->joint_names, item->text, &index)) {
        *probe = (scene_probe){.name = scene->joints[index].name, .joint = index + 1};
    } else if (item->kind == NODE_SCALAR && !names_find(&scene->body_names, item->text, NULL) &&
               !names_find(&scene->fill_names, item->text, NULL)) {
        return fail_unknown_thing(reader, item, NAMED_BODIES | NAMED_JOINTS);
    } else {
        scree_status status = read_body_name(reader, item, table_find(&output_table, "probes"), &index);
        if (status != SCREE_OK)
            return status;
        *probe = (scene_probe){.name = scene->bodies[index].name, .body = index + 1};
    }
    if (names_find(files, probe->name, NULL))
        return reader_fail(reader, item, "'%s' is probed twice; once is enough", probe->name);
    names_add(files, probe->name, (size_t)(probe - scene->output.probes));
    return SCREE_OK;
}

static scree_status read_probes(const scene_reader *reader, const node *output, name_index *files)
{
    scree_scene *scene = reader->scene;
    const node *item = items_of(output, "probes", &scene->output.probe_count);
    scree_status status = reader_array(reader, &scene->output.probes, scene->output.probe_count);
    for (size_t i = 0; i < scene->output.probe_count && status == SCREE_OK; i++, item = item->next)
        status = reader_go_on(reader, read_probe(reader, item, &scene->output.probes[i], files));
    return status;
}

// A vector that is a unit already keeps its bits, so that a scene written back reads as the same scene.
static vec3 unit_of(vec3 direction)
{
    double length = vec3_length(direction);
    return fabs(length - 1) < 1e-14 ? direction : vec3_scale(direction, 1 / length);
}

static scree_status read_counter(const scene_reader *reader, const node *item, scene_counter *counter,
                                 name_index *files)
{
    table_set_defaults(&counter_table, counter);
    scree_status status = read_mapping(reader, item, &counter_table, counter);
    if (status != SCREE_OK)
        return status;
    if (names_find(files, counter->name, NULL))
        return reader_fail(reader, value_of(item, "name"),
                           "the name '%s' is taken by another probe or counter; choose another", counter->name);
    names_add(files, counter->name, (size_t)(counter - reader->scene->output.counters));
    counter->normal = unit_of(counter->normal);
    return SCREE_OK;
}

static scree_status read_counters(const scene_reader *reader, const node *output, name_index *files)
{
    scree_scene *scene = reader->scene;
    const node *item = items_of(output, "counters", &scene->output.counter_count);
    scree_status status = reader_array(reader, &scene->output.counters, scene->output.counter_count);
    for (size_t i = 0; i < scene->output.counter_count && status == SCREE_OK; i++, item = item->next)
        status = reader_go_on(reader, read_counter(reader, item, &scene->output.counters[i], files));
    return status;
}

scree_status scene_read_output(const scene_reader *reader, const node *root)
{
    const node *output = value_of(root, "output");
    if (!output || output->kind != NODE_MAPPING) // what is none has been refused
        return SCREE_OK;
    size_t probes, counters;
    items_of(output, "probes", &probes);
    items_of(output, "counters", &counters);
    name_index files; // probes and counters share the folder probes/
    if (!names_init(&files, &reader->scene->memory, probes + counters))
        return fail_no_memory(reader->error);
    scree_status status = read_probes(reader, output, &files);
    return status == SCREE_OK ? read_counters(reader, output, &files) : status;
}
