// scree check: reads a scene, builds its world, and says what is in it. Nothing runs and nothing is written.
#include <math.h>
#include <stdio.h>

#include "base/array.h"
#include "base/error.h"
#include "base/vec.h"
#include "geometry/surface.h"
#include "main/command.h"
#include "main/console.h"
#include "main/scene_table.h"
#include "main/scene_warnings.h"
#include "scene/complaints.h"

typedef struct check_settings {
    option_list sets;
} check_settings;

static const option options[] = {
    {0, "set", OPTION_LIST, offsetof(check_settings, sets), "PATH=VALUE", "as for scree run; may be repeated", 0, 0},
};

static int check_run(const command *self, int argc, char **argv);

const command check_command = {
    .name = "check",
    .arguments = "SCENE",
    .summary = "validate a scene and say what is in it",
    .notes = "Builds the world, so that bodies that do not fit show, but runs nothing. Lists all errors at once, and "
             "warns of\n"
             "overlaps, of steps that are long for what moves, and of moments of inertia that no body has.",
    .example = "scree check scenes/silo.yaml --set fills.0.count=64000",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .least = 1,
    .most = 1,
    .run = check_run,
};

// The contents of the world, summed up over its bodies.
typedef struct inventory {
    size_t moving, fixed, moved;
    size_t shapes[SCREE_SHAPE_TYPES];
    double mass;
    bool bounded; // at least one shape has bounds
    scree_vec3 low, high;
} inventory;

// A mesh or height field has no distance from a half space, but corners.
static scree_status widen_by_corners(inventory *found, const scree_shape_def *shape, const scree_pose *pose,
                                     scree_error *error)
{
    shape_surface surface = {0};
    const uint32_t sectors = 8; // nothing is round here
    bool done = shape_surface_add(&surface, shape, sectors);
    for (size_t i = 0; i < surface.points.count && done; i++) {
        vec3 turned = quat_rotate(quat_normalize(shape->orientation), surface.points.data[i]);
        vec3 p = vec3_add(pose->position, quat_rotate(pose->orientation, vec3_add(shape->position, turned)));
        found->low = vec3_lower(found->low, p);
        found->high = vec3_upper(found->high, p);
    }
    found->bounded = true;
    shape_surface_free(&surface);
    return done ? SCREE_OK : fail_no_memory(error);
}

// The gap to a half space through the origin is how far the shape reaches along its normal, for any other shape.
static scree_status widen_bounds(inventory *found, const scree_shape_def *shape, const scree_pose *pose,
                                 scree_error *error)
{
    static const scree_pose world = {{0, 0, 0}, {1, 0, 0, 0}};
    double *low[] = {&found->low.x, &found->low.y, &found->low.z};
    double *high[] = {&found->high.x, &found->high.y, &found->high.z};
    scree_shape_def plane = scree_default_shape_def();
    plane.type = SCREE_SHAPE_PLANE;
    if (shape->type == SCREE_SHAPE_MESH || shape->type == SCREE_SHAPE_HEIGHTFIELD)
        return widen_by_corners(found, shape, pose, error);
    for (int axis = 0; axis < 3; axis++) {
        double least, most;
        plane.normal = (scree_vec3){axis == 0, axis == 1, axis == 2};
        scree_status status = scree_shape_gap(shape, pose, &plane, &world, &least, error);
        plane.normal = vec3_negate(plane.normal);
        if (status == SCREE_OK)
            status = scree_shape_gap(shape, pose, &plane, &world, &most, error);
        if (status != SCREE_OK)
            return status;
        *low[axis] = fmin(*low[axis], least);
        *high[axis] = fmax(*high[axis], -most);
    }
    found->bounded = true;
    return SCREE_OK;
}

static scree_status add_body(const scree_world *world, scree_id id, inventory *found, scree_error *error)
{
    scree_body_info info;
    scree_state state;
    scree_status status = scree_world_get_body(world, id, &info, error);
    if (status == SCREE_OK)
        status = scree_world_get_states(world, &id, 1, &state, error);
    if (status != SCREE_OK)
        return status;
    found->moving += !info.fixed;
    found->fixed += info.fixed;
    found->moved += info.moved;
    found->mass += info.fixed ? 0 : info.mass;
    scree_pose pose = {info.frame, state.orientation};
    for (size_t i = 0; i < info.shape_count && status == SCREE_OK; i++) {
        scree_shape_def shape;
        status = scree_world_get_shape(world, id, i, &shape, error);
        if (status != SCREE_OK)
            break;
        found->shapes[shape.type]++;
        if (isfinite(scree_shape_reach(&shape)))
            status = widen_bounds(found, &shape, &pose, error);
    }
    return status;
}

static scree_status take_inventory(const scree_world *world, inventory *found, scree_error *error)
{
    ARRAY(scree_id) ids = {0};
    if (!array_resize(&ids, scree_world_body_count(world)))
        return fail_no_memory(error);
    scree_world_body_ids(world, ids.data);
    scree_status status = SCREE_OK;
    for (size_t i = 0; i < ids.count && status == SCREE_OK; i++)
        status = add_body(world, ids.data[i], found, error);
    array_free(&ids);
    return status;
}

static void print_inventory(const inventory *found)
{
    print_row("moving", "%s of mass %.6g", format_plural(found->moving, "body", "bodies").text, found->mass);
    print_row("fixed", "%s, %s moved by motions", format_plural(found->fixed, "body", "bodies").text,
              format_count(found->moved).text);
    char line[256] = "";
    size_t length = 0;
    for (int type = 0; type < SCREE_SHAPE_TYPES; type++)
        if (found->shapes[type] > 0)
            length += (size_t)snprintf(line + length, sizeof line - length, "%s%s %s", length > 0 ? ", " : "",
                                       format_count(found->shapes[type]).text, scene_word(&shape_table, "type", type));
    print_row("shapes", "%s", line);
    if (found->bounded)
        print_row("bounds", "[%.4g, %.4g, %.4g] to [%.4g, %.4g, %.4g]", found->low.x, found->low.y, found->low.z,
                  found->high.x, found->high.y, found->high.z);
}

// Contacts come with the first step. A dense pile has about three per moving body; what one costs was measured on a
// settled pile of 16,000 spheres.
static void print_memory(const scree_world *world, const inventory *found)
{
    static const double CONTACTS_PER_BODY = 3, BYTES_PER_CONTACT = 140;
    double built = (double)scree_world_figures(world).memory_bytes;
    double packed = built + CONTACTS_PER_BODY * BYTES_PER_CONTACT * (double)found->moving;
    print_row("memory", "%s for the bodies, about %s when densely packed", format_bytes(built).text,
              format_bytes(packed).text);
}

// The penalty method bears a step of some length only.
static void print_step(scree_world *world)
{
    double longest = HUGE_VAL;
    if (scree_world_check(world, &longest, NULL) == SCREE_OK && isfinite(longest))
        print_row("step", "accepted up to %.4g s, which one contact of the lightest bodies bears", longest);
}

// A scene with complaints is wrong, whatever else failed on the way.
static int complain_all(const complaint_list *all, const scree_error *error, int exit_status)
{
    for (size_t i = 0; i < all->count; i++)
        complain_error(&all->data[i]);
    if (all->count == MOST_COMPLAINTS)
        complain(EXIT_WRONG, "these are the first %d errors; there may be more", MOST_COMPLAINTS);
    if (all->count == 0)
        complain(exit_status, "%s", error->message);
    return all->count > 0 ? EXIT_WRONG : exit_status;
}

static int check_world(const scree_scene *scene)
{
    scree_world *world;
    scree_error error;
    complaint_list all = {0};
    announce_fills(scene);
    scree_status built = scene_build_listing(scene, 0, &all, &world, &error);
    int exit_status = built == SCREE_OK ? EXIT_DONE : complain_all(&all, &error, exit_status_of(built));
    array_free(&all);
    if (built != SCREE_OK)
        return exit_status;
    inventory found = {.low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, .high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    scree_status status = take_inventory(world, &found, &error);
    if (status == SCREE_OK) {
        scene_table_print(scene);
        print_inventory(&found);
        print_step(world);
        print_memory(world, &found);
        warn_of_scene(scene, world);
    }
    scree_world_destroy(world);
    return status == SCREE_OK ? EXIT_DONE : complain_error(&error);
}

static int check_run(const command *self, int argc, char **argv)
{
    check_settings settings = {{0}};
    size_t count;
    int exit_status;
    if (command_read(self, argc, argv, &settings, &count, &exit_status)) {
        scree_scene *scene = NULL;
        scree_error error;
        complaint_list all = {0};
        scree_status status =
            scene_load_listing(argv[0], settings.sets.data, settings.sets.count, &all, &scene, &error);
        if (status == SCREE_OK)
            exit_status = check_world(scene);
        else
            exit_status = complain_all(&all, &error, scene_exit_status_of(status));
        array_free(&all);
        scree_scene_destroy(scene);
    }
    array_free(&settings.sets);
    return exit_status;
}
