// A world from a scene. Reading has checked nearly everything, so failures here are rare: bodies that do not fit, and
// numbers that only the engine can judge. They are reported with the place of the body or fill.
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "contact/start.h"
#include "scene/complaints.h"
#include "scene/scene.h"
#include "world/method.h"

// Puts the place and the name before the message that the engine gave.
static scree_status blame(const scree_scene *scene, scene_place place, const char *kind, const char *name,
                          scree_status status, scree_error *error)
{
    if (!error)
        return status;
    scree_error inner = *error;
    char where[32] = "";
    if (place.line)
        snprintf(where, sizeof where, ":%u:%u", place.line, place.column);
    return fail(error, status, "%s%s: %s%s%s%s: %s", scene->path, where, kind, *name ? " '" : "", name,
                *name ? "'" : "", inner.message);
}

static scree_status add_materials(const scree_scene *scene, scree_world *world, complaint_list *all, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (size_t i = 0; i < scene->material_count && status == SCREE_OK; i++) {
        const scene_material *material = &scene->materials[i];
        int index;
        status = i == 0 ? scree_world_set_material(world, 0, &material->def, error)
                        : scree_world_add_material(world, &material->def, &index, error);
        if (status != SCREE_OK)
            blame(scene, material->place, "material", material->name, status, error);
        status = complain_and_go_on(all, status, error);
    }
    for (size_t i = 0; i < scene->pair_count && status == SCREE_OK; i++) {
        const scene_pair *pair = &scene->pairs[i];
        status = scree_world_set_pair(world, pair->material_a, pair->material_b, &pair->def, error);
        if (status != SCREE_OK)
            blame(scene, pair->place, "pair", "", status, error);
        status = complain_and_go_on(all, status, error);
    }
    return status;
}

// All bodies were refused because of one of them or more: adding them one by one finds those.
static scree_status blame_bodies(const scree_scene *scene, scree_world *world, complaint_list *all, scree_error *error)
{
    for (size_t i = 0; i < scene->body_count; i++) {
        const scene_body *body = &scene->bodies[i];
        scree_status status = scree_world_add_bodies(world, &body->def, 1, NULL, error);
        if (status != SCREE_OK)
            blame(scene, body->place, "body", body->name, status, error);
        status = complain_and_go_on(all, status, error);
        if (status != SCREE_OK)
            return status;
    }
    return SCREE_ERROR_INVALID;
}

static scree_status add_bodies(const scree_scene *scene, scree_world *world, complaint_list *all, scree_error *error)
{
    if (scene->body_count == 0)
        return SCREE_OK;
    scree_body_def *defs = malloc(scene->body_count * sizeof *defs);
    if (!defs)
        return fail_no_memory(error);
    for (size_t i = 0; i < scene->body_count; i++)
        defs[i] = scene->bodies[i].def;
    scree_status status = scree_world_add_bodies(world, defs, scene->body_count, NULL, error);
    free(defs);
    return status == SCREE_ERROR_INVALID ? blame_bodies(scene, world, all, error) : status;
}

static scree_status add_fills(const scree_scene *scene, scree_world *world, complaint_list *all, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (size_t i = 0; i < scene->fill_count && status == SCREE_OK; i++) {
        const scene_fill *fill = &scene->fills[i];
        char kind[48] = "fill";
        status = fill_world(world, &fill->def, error);
        if (status == SCREE_ERROR_NO_MEMORY)
            snprintf(kind, sizeof kind, "fill of %zu bodies", fill->def.count);
        if (status != SCREE_OK)
            blame(scene, fill->place, kind, fill->name, status, error);
        status = complain_and_go_on(all, status, error);
    }
    return status;
}

static scree_status add_joints(const scree_scene *scene, scree_world *world, complaint_list *all, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (size_t i = 0; i < scene->joint_count && status == SCREE_OK; i++) {
        const scene_joint *joined = &scene->joints[i];
        status = scree_world_add_joints(world, &joined->def, 1, NULL, error);
        if (status != SCREE_OK)
            blame(scene, joined->place, "joint", joined->name, status, error);
        status = complain_and_go_on(all, status, error);
    }
    return status;
}

static scree_status set_motions(const scree_scene *scene, scree_world *world, complaint_list *all, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (size_t i = 0; i < scene->motion_count && status == SCREE_OK; i++) {
        const scene_motion *motion = &scene->motions[i];
        status = scree_world_set_motion(world, motion->body + 1, &motion->def, error);
        if (status != SCREE_OK)
            blame(scene, motion->place, "motion of body", scene->bodies[motion->body].name, status, error);
        status = complain_and_go_on(all, status, error);
    }
    return status;
}

scree_status scene_blame_body(const scree_scene *scene, scree_id id, scree_status status, scree_error *error)
{
    if (id > 0 && id <= scene->body_count)
        return blame(scene, scene->bodies[id - 1].place, "body", scene->bodies[id - 1].name, status, error);
    for (size_t i = 0; i < scene->fill_count; i++) {
        const scene_fill *fill = &scene->fills[i];
        if (id >= fill->ids.first && id - fill->ids.first < fill->ids.count)
            return blame(scene, fill->place, "fill", fill->name, status, error);
    }
    return status;
}

// Bodies that the first step would lose, and what the method cannot do.
static scree_status check_start(const scree_scene *scene, scree_world *world, complaint_list *all, scree_error *error)
{
    world_start start;
    scree_id lost = 1;
    scree_status status = start_begin(&start, world, error);
    while (status == SCREE_OK && lost) {
        status = start_next(&start, &lost, error);
        if (status != SCREE_OK)
            scene_blame_body(scene, lost, status, error);
        status = complain_and_go_on(all, status, error);
    }
    if (status != SCREE_OK)
        return status;
    status = world->method->check ? world->method->check(world, &(double){0}, error) : SCREE_OK;
    if (status != SCREE_OK)
        blame(scene, scene->method_place, "method", "", status, error);
    return complain_and_go_on(all, status, error);
}

typedef scree_status build_part(const scree_scene *scene, scree_world *world, complaint_list *all, scree_error *error);

scree_status scene_build_listing(const scree_scene *scene, int threads, complaint_list *all, scree_world **world,
                                 scree_error *error)
{
    static build_part *const parts[] = {add_materials, add_bodies, add_fills, add_joints, set_motions, check_start};
    scree_error own;
    error = error ? error : &own;
    *world = NULL;
    scree_world_def def = scene->world;
    def.threads = threads;
    scree_world *made;
    scree_status status = scree_world_create(&def, &made, error);
    if (status != SCREE_OK)
        return blame(scene, scene->method_place, "scene", "", status, error);
    // Each part needs all of those before it, so that their complaints are the last.
    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == SCREE_OK; i++) {
        status = parts[i](scene, made, all, error);
        if (all && all->count > 0 && (status == SCREE_OK || status == SCREE_ERROR_INVALID))
            status = fail(error, SCREE_ERROR_INVALID, "%s", all->data[0].message);
    }
    if (status == SCREE_OK)
        *world = made;
    else
        scree_world_destroy(made);
    return status;
}

scree_status scree_scene_build(const scree_scene *scene, int threads, scree_world **world, scree_error *error)
{
    if (!scene || !world)
        return fail(error, SCREE_ERROR_INVALID,
                    "scree_scene_build: a scene and a place for the world are needed, found NULL");
    return scene_build_listing(scene, threads, NULL, world, error);
}
