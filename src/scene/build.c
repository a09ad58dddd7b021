// A world from a scene. Reading has checked nearly everything, so failures here are rare: bodies that do not fit, and
// numbers that only the engine can judge. They are reported with the place of the body or fill.
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "scene/scene.h"

// Puts the place and the name before the message that the engine gave. A lack of memory is nobody's fault.
static scree_status blame(const scree_scene *scene, scene_place place, const char *kind, const char *name,
                          scree_status status, scree_error *error)
{
    if (!error || status != SCREE_ERROR_INVALID)
        return status;
    scree_error inner = *error;
    char where[32] = "";
    if (place.line)
        snprintf(where, sizeof where, ":%u:%u", place.line, place.column);
    return fail(error, status, "%s%s: %s%s%s%s: %s", scene->path, where, kind, *name ? " '" : "", name,
                *name ? "'" : "", inner.message);
}

static scree_status add_materials(const scree_scene *scene, scree_world *world, scree_error *error)
{
    scree_status status = scree_world_set_material(world, 0, &scene->materials[0].def, error);
    for (size_t i = 1; i < scene->material_count && status == SCREE_OK; i++) {
        int material;
        status = scree_world_add_material(world, &scene->materials[i].def, &material, error);
    }
    for (size_t i = 0; i < scene->pair_count && status == SCREE_OK; i++) {
        const scene_pair *pair = &scene->pairs[i];
        status = scree_world_set_pair(world, pair->material_a, pair->material_b, &pair->def, error);
    }
    return status;
}

// All bodies were refused because of one of them: adding them one by one finds it.
static scree_status blame_body(const scree_scene *scene, scree_world *world, scree_error *error)
{
    scree_status status = SCREE_ERROR_INVALID;
    for (size_t i = 0; i < scene->body_count; i++) {
        const scene_body *body = &scene->bodies[i];
        status = scree_world_add_bodies(world, &body->def, 1, NULL, error);
        if (status != SCREE_OK)
            return blame(scene, body->place, "body", body->name, status, error);
    }
    return SCREE_ERROR_INVALID;
}

static scree_status add_bodies(const scree_scene *scene, scree_world *world, scree_error *error)
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
    return status == SCREE_ERROR_INVALID ? blame_body(scene, world, error) : status;
}

static scree_status add_fills(const scree_scene *scene, scree_world *world, scree_error *error)
{
    for (size_t i = 0; i < scene->fill_count; i++) {
        const scene_fill *fill = &scene->fills[i];
        scree_status status = fill_world(world, &fill->def, error);
        if (status != SCREE_OK)
            return blame(scene, fill->place, "fill", fill->name, status, error);
    }
    return SCREE_OK;
}

static scree_status add_joints(const scree_scene *scene, scree_world *world, scree_error *error)
{
    for (size_t i = 0; i < scene->joint_count; i++) {
        const scene_joint *joint = &scene->joints[i];
        scree_status status = scree_world_add_joints(world, &joint->def, 1, NULL, error);
        if (status != SCREE_OK)
            return blame(scene, joint->place, "joint", joint->name, status, error);
    }
    return SCREE_OK;
}

static scree_status set_motions(const scree_scene *scene, scree_world *world, scree_error *error)
{
    for (size_t i = 0; i < scene->motion_count; i++) {
        const scene_motion *motion = &scene->motions[i];
        scree_status status = scree_world_set_motion(world, motion->body + 1, &motion->def, error);
        if (status != SCREE_OK)
            return blame(scene, motion->place, "motion of body", scene->bodies[motion->body].name, status, error);
    }
    return SCREE_OK;
}

static scree_status check_step(const scree_scene *scene, scree_world *world, scree_error *error)
{
    scree_status status = scree_world_check(world, NULL, error);
    return status ? blame(scene, (scene_place){0}, "method", "", status, error) : SCREE_OK;
}

scree_status scree_scene_build(const scree_scene *scene, int threads, scree_world **world, scree_error *error)
{
    if (!scene || !world)
        return fail(error, SCREE_ERROR_INVALID,
                    "scree_scene_build: a scene and a place for the world are needed, found NULL");
    *world = NULL;
    scree_world_def def = scene->world;
    def.threads = threads;
    scree_world *made;
    scree_status status = scree_world_create(&def, &made, error);
    if (status != SCREE_OK)
        return status;
    status = add_materials(scene, made, error);
    if (status == SCREE_OK)
        status = add_bodies(scene, made, error);
    if (status == SCREE_OK)
        status = add_fills(scene, made, error);
    if (status == SCREE_OK)
        status = add_joints(scene, made, error);
    if (status == SCREE_OK)
        status = set_motions(scene, made, error);
    if (status == SCREE_OK)
        status = check_step(scene, made, error);
    if (status == SCREE_OK)
        *world = made;
    else
        scree_world_destroy(made);
    return status;
}
