// From a world to a picture: shapes become what pictures are made of; what bodies do becomes colour; the camera, when
// none is given, stands where all of it is seen.
#include "view/world_picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "geometry/hull.h"
#include "view/axis.h"
#include "view/extent.h"
#include "view/facet.h"
#include "view/picture.h"
#include "view/quantile.h"
#include "view/vec3f.h"

static const unsigned WALL_COLOR = 0xcdd1d6, MOVED_COLOR = 0x9aa3ad;
static const char *const COLOR_NAMES[] = {"speed", "material", "id", "height"};

enum { MOST_KEYS = 12, NAME_SIZE = 64 };

typedef struct hull_faces { // where the faces of a hull are
    const scree_geometry *geometry;
    size_t first;
} hull_faces;

// Everything that a picture of a world borrows while it is drawn.
typedef struct world_view {
    const scree_world *world;
    const world_picture_def *def;
    vec3 up;
    ARRAY(scree_id) ids;
    ARRAY(scree_state) states;
    ARRAY(scree_body_info) infos;
    ARRAY(picture_sphere) spheres;
    ARRAY(picture_box) boxes;
    ARRAY(picture_solid) solids;
    ARRAY(picture_face) faces; // of hulls, each once
    ARRAY(hull_faces) hulls;
    facet_array triangles;
    ARRAY(picture_plane) planes;
    size_t moving;    // bodies that are not fixed
    double low, high; // of the colour scale
    bool used[MOST_KEYS];
    picture_key keys[MOST_KEYS];
    char key_names[MOST_KEYS][NAME_SIZE];
    char caption[160];
} world_view;

scree_status world_picture_color_parse(const char *name, world_picture_color *value, scree_error *error)
{
    for (size_t i = 0; i < sizeof COLOR_NAMES / sizeof *COLOR_NAMES; i++)
        if (strcmp(name, COLOR_NAMES[i]) == 0) {
            *value = (world_picture_color)i;
            return SCREE_OK;
        }
    return fail(error, SCREE_INVALID, "cannot colour by '%s': speed, material, id and height are accepted", name);
}

world_picture_def world_picture_default(void)
{
    return (world_picture_def){.width = 1280, .height = 720, .field_of_view = 0.5, .legend = true};
}

// ------------------------------------------------------------------------------------------------------------ reading

static void world_view_free(world_view *view)
{
    array_free(&view->ids);
    array_free(&view->states);
    array_free(&view->infos);
    array_free(&view->spheres);
    array_free(&view->boxes);
    array_free(&view->solids);
    array_free(&view->faces);
    array_free(&view->hulls);
    array_free(&view->triangles);
    array_free(&view->planes);
}

static scree_status read_bodies(world_view *view, scree_error *error)
{
    size_t count = scree_world_body_count(view->world);
    if (!array_resize(&view->ids, count) || !array_resize(&view->states, count) || !array_resize(&view->infos, count))
        return fail_no_memory(error);
    scree_world_ids(view->world, view->ids.data);
    scree_status status = scree_world_get_states(view->world, view->ids.data, count, view->states.data, error);
    for (size_t i = 0; status == SCREE_OK && i < count; i++) {
        status = scree_world_get_body(view->world, view->ids.data[i], &view->infos.data[i], error);
        view->moving += status == SCREE_OK && !view->infos.data[i].fixed;
    }
    return status;
}

// -------------------------------------------------------------------------------------------------------------- colour

// What a body is coloured by, where that is a quantity.
static double quantity_of(const world_view *view, size_t body)
{
    const scree_state *state = &view->states.data[body];
    return view->def->color == WORLD_PICTURE_HEIGHT ? vec3_dot(state->position, view->up)
                                                    : vec3_length(state->velocity);
}

// Speeds are shown from zero to where all but one in two hundred end, heights over their whole range. The noise of
// bodies at rest shall not fill the scale: it reaches at least a tenth of the speed of a fall by one body's radius.
static scree_status find_range(world_view *view, scree_error *error)
{
    ARRAY(double) values = {0};
    if (!array_reserve(&values, view->moving))
        return fail_no_memory(error);
    double radii = 0;
    for (size_t i = 0; i < view->ids.count; i++) {
        double value = quantity_of(view, i);
        if (!view->infos.data[i].fixed && isfinite(value)) {
            values.data[values.count++] = value;
            radii += view->infos.data[i].bounding_radius;
        }
    }
    view->high = 1;
    if (values.count > 0) {
        quantile_sort(values.data, values.count);
        double gravity = vec3_length(scree_world_get_def(view->world).gravity);
        double least = 0.1 * sqrt(2 * gravity * radii / (double)values.count);
        if (view->def->color == WORLD_PICTURE_HEIGHT) {
            view->low = values.data[0];
            view->high = fmax(values.data[values.count - 1], view->low + fmax(1e-9, 1e-6 * fabs(view->low)));
        } else {
            view->high = axis_round_up(fmax(quantile_of(values.data, values.count, 0.995), least));
        }
    }
    array_free(&values);
    return SCREE_OK;
}

static color color_of_body(const world_view *view, size_t body, int material)
{
    if (view->infos.data[body].fixed)
        return color_make(view->infos.data[body].moved ? MOVED_COLOR : WALL_COLOR);
    switch (view->def->color) {
    case WORLD_PICTURE_MATERIAL:
        return color_of_kind((size_t)material);
    case WORLD_PICTURE_ID:
        return color_of_id(view->ids.data[body]);
    default:
        return color_of_scale((quantity_of(view, body) - view->low) / (view->high - view->low));
    }
}

// ------------------------------------------------------------------------------------------------------------- shapes

// Index of the first face of a hull in `faces`; most bodies share their hull with one of the last few.
static bool find_faces(world_view *view, const scree_geometry *geometry, size_t *first)
{
    for (size_t i = view->hulls.count; i-- > 0;)
        if (view->hulls.data[i].geometry == geometry) {
            *first = view->hulls.data[i].first;
            return true;
        }
    const hull_geometry *hull = geometry->hull;
    *first = view->faces.count;
    bool done = array_push(&view->hulls, ((hull_faces){geometry, *first}));
    for (size_t f = 0; f < hull->face_count && done; f++)
        done = array_push(&view->faces, ((picture_face){vec3f_from(hull->normals[f]), (float)hull->offsets[f]}));
    return done;
}

static bool add_solid(world_view *view, const scree_shape_def *shape, picture_solid solid)
{
    double radius = shape->radius, half = shape->half_length;
    switch (shape->type) {
    case SCREE_ELLIPSOID:
        solid.type = PICTURE_ELLIPSOID;
        solid.size = shape->radii;
        break;
    case SCREE_HULL:
        solid.type = PICTURE_HULL;
        solid.center = vec3_add(solid.center, quat_rotate(solid.orientation, shape->geometry->origin));
        solid.size = shape->geometry->half;
        solid.face_count = shape->geometry->hull->face_count;
        if (!find_faces(view, shape->geometry, &solid.first_face))
            return false;
        break;
    default:
        solid.type = shape->type == SCREE_CAPSULE    ? PICTURE_CAPSULE
                     : shape->type == SCREE_CYLINDER ? PICTURE_CYLINDER
                                                     : PICTURE_CONE;
        solid.size = vec3_make(radius, radius, half);
    }
    return array_push(&view->solids, solid);
}

static bool add_shape(world_view *view, size_t body, const scree_shape_def *shape)
{
    const scree_body_info *info = &view->infos.data[body];
    quat turn = view->states.data[body].orientation;
    vec3 place = vec3_add(info->frame, quat_rotate(turn, shape->position));
    quat orientation = quat_normalize(quat_multiply(turn, shape->orientation));
    if (!vec3_finite(place) || !quat_finite(orientation)) // a diverged body has no place in a picture
        return true;
    int material = shape->material == SCREE_MATERIAL_OF_BODY ? info->material : shape->material;
    color paint = color_of_body(view, body, material);
    if (!info->fixed && material >= 0 && material < MOST_KEYS)
        view->used[material] = true;
    if (shape->type == SCREE_SPHERE)
        return array_push(&view->spheres, ((picture_sphere){place, shape->radius, paint}));
    if (shape->type == SCREE_BOX)
        return array_push(&view->boxes, ((picture_box){place, orientation, shape->half, paint, info->fixed}));
    if (shape->type == SCREE_MESH || shape->type == SCREE_HEIGHTFIELD)
        return facets_add(&view->triangles, shape, place, orientation, paint);
    if (shape->type != SCREE_PLANE)
        return add_solid(
            view, shape,
            (picture_solid){.center = place, .orientation = orientation, .color = paint, .wall = info->fixed});
    vec3 normal = quat_rotate(orientation, vec3_normalize(shape->normal));
    return array_push(&view->planes, ((picture_plane){normal, shape->offset + vec3_dot(normal, place)}));
}

static scree_status add_shapes(world_view *view, scree_error *error)
{
    if (!array_reserve_exact(&view->spheres, view->ids.count))
        return fail_no_memory(error);
    for (size_t i = 0; i < view->ids.count; i++)
        for (size_t k = 0; k < view->infos.data[i].shape_count; k++) {
            scree_shape_def shape;
            scree_status status = scree_world_get_shape(view->world, view->ids.data[i], k, &shape, error);
            if (status != SCREE_OK)
                return status;
            if (!add_shape(view, i, &shape))
                return fail_no_memory(error);
        }
    return SCREE_OK;
}

// ------------------------------------------------------------------------------------------------------------ picture

static void add_legend(world_view *view, picture *scene)
{
    const world_picture_def *def = view->def;
    if (!def->legend || view->moving == 0)
        return;
    if (def->color == WORLD_PICTURE_SPEED || def->color == WORLD_PICTURE_HEIGHT) {
        scene->scale_title = COLOR_NAMES[def->color];
        scene->scale_low = view->low;
        scene->scale_high = view->high;
    }
    for (size_t i = 0; def->color == WORLD_PICTURE_MATERIAL && i < MOST_KEYS; i++) {
        if (!view->used[i])
            continue;
        if (i < def->material_name_count)
            snprintf(view->key_names[i], NAME_SIZE, "%s", def->material_names[i]);
        else
            snprintf(view->key_names[i], NAME_SIZE, "material %zu", i);
        view->keys[scene->key_count++] = (picture_key){view->key_names[i], color_of_kind(i)};
    }
    scene->keys = view->keys;
}

static const char *make_caption(world_view *view)
{
    if (view->def->caption)
        return view->def->caption;
    char count[AXIS_LABEL_SIZE];
    axis_format((double)view->moving, 0, count);
    snprintf(view->caption, sizeof view->caption, "%s %s   t = %.4g", count, view->moving == 1 ? "body" : "bodies",
             scree_world_figures(view->world).time);
    return view->caption;
}

// From the front, a little from the right and from above.
static vec3 default_direction(vec3 up)
{
    vec3 right = vec3_square_to(up), back = vec3_cross(up, right);
    const double side = -0.5, front = 0.72, down = 0.34;
    return vec3_normalize(vec3_add_scaled(vec3_add_scaled(vec3_scale(right, side), back, front), up, -down));
}

static scree_status place_camera(const world_view *view, picture *scene, scree_error *error)
{
    const world_picture_def *def = view->def;
    extent span;
    if (!extent_find(&span, scene))
        return fail_no_memory(error);
    vec3 direction = default_direction(view->up);
    scene->camera = picture_frame(span.low, span.high, direction, view->up, def->field_of_view,
                                  (double)def->width / (double)def->height);
    vec3 offset = vec3_sub(scene->camera.position, scene->camera.look_at);
    if (def->has_look_at)
        scene->camera.look_at = def->look_at;
    else if (def->has_from)
        scene->camera.look_at = vec3_scale(vec3_add(span.low, span.high), 0.5);
    scene->camera.position = def->has_from ? def->from : vec3_add(scene->camera.look_at, offset);
    return SCREE_OK;
}

static scree_status check(const world_picture_def *def, scree_error *error)
{
    if (!(def->field_of_view > 0 && def->field_of_view < 3.14))
        return fail(error, SCREE_INVALID, "a field of view of %g: between 0 and 3.14 radians is accepted",
                    def->field_of_view);
    if (def->width < 64 || def->height < 64 || def->width > CANVAS_MAX_SIDE || def->height > CANVAS_MAX_SIDE)
        return fail(error, SCREE_INVALID, "a picture of %zu x %zu pixels: sides from 64 to %d are accepted", def->width,
                    def->height, CANVAS_MAX_SIDE);
    if (def->has_range && !(def->low < def->high && isfinite(def->low) && isfinite(def->high)))
        return fail(error, SCREE_INVALID, "a colour scale from %g to %g: finite ends with low < high are accepted",
                    def->low, def->high);
    return SCREE_OK;
}

static scree_status draw(world_view *view, canvas *sheet, scree_error *error)
{
    const world_picture_def *def = view->def;
    vec3 gravity = scree_world_get_def(view->world).gravity;
    view->up = vec3_length(gravity) > 0 ? vec3_normalize(vec3_negate(gravity)) : vec3_make(0, 0, 1);
    view->low = def->low;
    view->high = def->high;
    scree_status status = read_bodies(view, error);
    if (status == SCREE_OK && !def->has_range)
        status = find_range(view, error);
    if (status == SCREE_OK)
        status = add_shapes(view, error);
    if (status != SCREE_OK)
        return status;
    picture scene = picture_default();
    scene.width = def->width;
    scene.height = def->height;
    scene.threads = def->threads;
    scene.spheres = view->spheres.data;
    scene.sphere_count = view->spheres.count;
    scene.boxes = view->boxes.data;
    scene.box_count = view->boxes.count;
    scene.solids = view->solids.data;
    scene.solid_count = view->solids.count;
    scene.faces = view->faces.data;
    scene.face_count = view->faces.count;
    scene.triangles = view->triangles.data;
    scene.triangle_count = view->triangles.count;
    scene.planes = view->planes.data;
    scene.plane_count = view->planes.count;
    scene.caption = make_caption(view);
    add_legend(view, &scene);
    status = place_camera(view, &scene, error);
    return status == SCREE_OK ? painter_draw(def->painter, &scene, sheet, error) : status;
}

scree_status world_picture_draw(const scree_world *world, const world_picture_def *def, canvas *sheet,
                                scree_error *error)
{
    *sheet = (canvas){0};
    world_view view = {.world = world, .def = def};
    scree_status status = check(def, error);
    if (status == SCREE_OK)
        status = draw(&view, sheet, error);
    world_view_free(&view);
    return status;
}

scree_status world_picture_save(const scree_world *world, const world_picture_def *def, const char *path,
                                scree_error *error)
{
    canvas sheet;
    scree_status status = world_picture_draw(world, def, &sheet, error);
    if (status == SCREE_OK)
        status = canvas_save(&sheet, path, error);
    canvas_free(&sheet);
    return status;
}
