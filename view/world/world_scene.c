// Shapes become what pictures are made of; what bodies do becomes colour; the camera, when none is given, stands where
// all of it is seen.
#include "view/world/world_scene.h"

#include <stdio.h>

#include "base/error.h"
#include "geometry/hull.h"
#include "view/chart/axis.h"
#include "view/raster/camera.h"
#include "view/raster/vec3f.h"
#include "view/world/extent.h"

static const unsigned WALL_COLOR = 0xcdd1d6, MOVED_COLOR = 0x9aa3ad;

void world_scene_free(world_scene *scene)
{
    array_free(&scene->spheres);
    array_free(&scene->boxes);
    array_free(&scene->solids);
    array_free(&scene->sphere_bodies);
    array_free(&scene->box_bodies);
    array_free(&scene->solid_bodies);
    array_free(&scene->faces);
    array_free(&scene->hulls);
    array_free(&scene->surfaces);
    array_free(&scene->last_surfaces);
    array_free(&scene->triangles);
    array_free(&scene->planes);
    array_free(&scene->lines);
    array_free(&scene->values);
    array_free(&scene->forces);
    *scene = (world_scene){0};
}

scree_vec3 world_scene_up(const world_bodies *bodies)
{
    vec3 gravity = bodies->gravity;
    return vec3_length(gravity) > 0 ? vec3_normalize(vec3_negate(gravity)) : vec3_make(0, 0, 1);
}

// ------------------------------------------------------------------------------------------------------------- colour

// Under force chains bodies are pale, so that the chains stand out.
static color paled(color paint)
{
    const double share = 0.6;
    return (color){(uint8_t)(paint.r + share * (226 - paint.r)), (uint8_t)(paint.g + share * (226 - paint.g)),
                   (uint8_t)(paint.b + share * (222 - paint.b)), paint.a};
}

static void make_scale(world_scene *scene)
{
    if (scene->scale[0].a > 0)
        return;
    for (int i = 0; i < WORLD_SCENE_SHADES; i++)
        scene->scale[i] = color_of_scale((double)i / (WORLD_SCENE_SHADES - 1));
}

static color color_on_scale(const world_scene *scene, double value)
{
    double t = (value - scene->low) / (scene->high - scene->low);
    return isnan(t) ? color_of_scale(t) : scene->scale[(int)(fmin(fmax(t, 0), 1) * (WORLD_SCENE_SHADES - 1) + 0.5)];
}

static color color_of_body(const world_scene *scene, const world_bodies *bodies, const world_picture_def *def,
                           size_t body, int material)
{
    color paint;
    if (bodies->infos.data[body].fixed)
        return color_make(bodies->infos.data[body].moved ? MOVED_COLOR : WALL_COLOR);
    if (def->color == BODY_COLOR_MATERIAL)
        paint = color_of_kind((size_t)material);
    else if (def->color == BODY_COLOR_BODY)
        paint = color_of_id(bodies->ids.data[body]);
    else if (def->color == BODY_COLOR_RANK)
        paint = color_of_kind(0);
    else
        paint = color_on_scale(scene, scene->values.data[body]);
    return def->force_chains ? paled(paint) : paint;
}

// ------------------------------------------------------------------------------------------------------------- shapes

// Index of the first face of a hull in `faces`; most bodies share their hull with one of the last few.
static bool find_faces(world_scene *scene, const scree_geometry *geometry, size_t *first)
{
    for (size_t i = scene->hulls.count; i-- > 0;)
        if (scene->hulls.data[i].geometry == geometry) {
            *first = scene->hulls.data[i].first;
            return true;
        }
    const hull_geometry *hull = geometry->hull;
    *first = scene->faces.count;
    bool done = array_push(&scene->hulls, ((hull_faces){geometry, *first}));
    for (size_t f = 0; f < hull->face_count && done; f++)
        done = array_push(&scene->faces, ((picture_face){vec3f_from(hull->normals[f]), (float)hull->offsets[f]}));
    return done;
}

static bool add_solid(world_scene *scene, const scree_shape_def *shape, picture_solid solid, uint32_t body)
{
    double radius = shape->radius, half = shape->half_length;
    switch (shape->type) {
    case SCREE_SHAPE_ELLIPSOID:
        solid.type = PICTURE_ELLIPSOID;
        solid.size = shape->radii;
        break;
    case SCREE_SHAPE_HULL:
        solid.type = PICTURE_HULL;
        solid.center = vec3_add(solid.center, quat_rotate(solid.orientation, shape->geometry->origin));
        solid.size = shape->geometry->half;
        solid.face_count = shape->geometry->hull->face_count;
        if (!find_faces(scene, shape->geometry, &solid.first_face))
            return false;
        break;
    default:
        solid.type = shape->type == SCREE_SHAPE_CAPSULE    ? PICTURE_CAPSULE
                     : shape->type == SCREE_SHAPE_CYLINDER ? PICTURE_CYLINDER
                                                           : PICTURE_CONE;
        solid.size = vec3_make(radius, radius, half);
    }
    return array_push(&scene->solids, solid) && array_push(&scene->solid_bodies, body);
}

// One shape, where it stands and what it looks like.
typedef struct placed_shape {
    const scree_shape_def *shape;
    vec3 place;
    quat orientation;
    color paint;
    bool fixed;
    uint32_t body;
} placed_shape;

static bool add_shape(world_scene *scene, const placed_shape *s)
{
    const scree_shape_def *shape = s->shape;
    if (shape->type == SCREE_SHAPE_SPHERE)
        return array_push(&scene->spheres, ((picture_sphere){s->place, shape->radius, s->paint})) &&
               array_push(&scene->sphere_bodies, s->body);
    if (shape->type == SCREE_SHAPE_BOX)
        return array_push(&scene->boxes, ((picture_box){s->place, s->orientation, shape->half, s->paint, s->fixed})) &&
               array_push(&scene->box_bodies, s->body);
    if (shape->type == SCREE_SHAPE_MESH || shape->type == SCREE_SHAPE_HEIGHTFIELD)
        return array_push(&scene->surfaces, ((placed_surface){shape->geometry, s->place, s->orientation, s->paint, 0}));
    if (shape->type != SCREE_SHAPE_PLANE)
        return add_solid(
            scene, shape,
            (picture_solid){.center = s->place, .orientation = s->orientation, .color = s->paint, .wall = s->fixed},
            s->body);
    vec3 normal = quat_rotate(s->orientation, vec3_normalize(shape->normal));
    return array_push(&scene->planes, ((picture_plane){normal, shape->offset + vec3_dot(normal, s->place)}));
}

static bool is_cut_away(const world_picture_def *def, vec3 place)
{
    for (size_t i = 0; i < def->section_count; i++)
        if (vec3_dot(def->sections[i].normal, place) > def->sections[i].offset)
            return true;
    return false;
}

// Whether a body is made of particles: several spheres and nothing else.
static bool has_particles(const world_bodies *bodies, size_t body)
{
    size_t first = bodies->first_shapes.data[body], end = bodies->first_shapes.data[body + 1];
    bool all = end - first > 1 && !bodies->infos.data[body].fixed;
    for (size_t k = first; all && k < end; k++)
        all = bodies->shapes.data[k].type == SCREE_SHAPE_SPHERE;
    return all;
}

// A body of particles as one: the box along its own axes that holds them.
static bool add_whole(world_scene *scene, const world_bodies *bodies, const world_picture_def *def, size_t body)
{
    const scree_body_info *info = &bodies->infos.data[body];
    quat turn = quat_normalize(bodies->states.data[body].orientation);
    vec3 low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (size_t k = bodies->first_shapes.data[body]; k < bodies->first_shapes.data[body + 1]; k++) {
        vec3 p = bodies->shapes.data[k].position;
        double r = bodies->shapes.data[k].radius;
        low = vec3_make(fmin(low.x, p.x - r), fmin(low.y, p.y - r), fmin(low.z, p.z - r));
        high = vec3_make(fmax(high.x, p.x + r), fmax(high.y, p.y + r), fmax(high.z, p.z + r));
    }
    vec3 place = vec3_add(info->frame, quat_rotate(turn, vec3_scale(vec3_add(low, high), 0.5)));
    if (!vec3_finite(place) || !quat_finite(turn) || is_cut_away(def, bodies->states.data[body].position))
        return true;
    picture_box box = {place, turn, vec3_scale(vec3_sub(high, low), 0.5),
                       color_of_body(scene, bodies, def, body, info->material), false};
    return array_push(&scene->boxes, box) && array_push(&scene->box_bodies, (uint32_t)body);
}

static bool add_body(world_scene *scene, const world_bodies *bodies, const world_picture_def *def, size_t body)
{
    const scree_body_info *info = &bodies->infos.data[body];
    quat turn = bodies->states.data[body].orientation;
    bool added = true;
    if (!info->fixed && is_cut_away(def, bodies->states.data[body].position))
        return true;
    for (size_t k = bodies->first_shapes.data[body]; added && k < bodies->first_shapes.data[body + 1]; k++) {
        const scree_shape_def *shape = &bodies->shapes.data[k];
        int material = shape->material == SCREE_MATERIAL_OF_BODY ? info->material : shape->material;
        placed_shape placed = {shape,
                               vec3_add(info->frame, quat_rotate(turn, shape->position)),
                               quat_normalize(quat_multiply(turn, shape->orientation)),
                               color_of_body(scene, bodies, def, body, material),
                               info->fixed,
                               (uint32_t)body};
        if (!vec3_finite(placed.place) || !quat_finite(placed.orientation)) // a diverged body has no place in a picture
            continue;
        if (info->fixed && shape->type != SCREE_SHAPE_PLANE && is_cut_away(def, placed.place))
            continue;
        if (!info->fixed && material >= 0 && material < WORLD_SCENE_KEYS)
            scene->used[material] = true;
        added = add_shape(scene, &placed);
    }
    return added;
}

// Triangles of meshes and height fields, where they are not the same as in the last picture.
static bool add_surfaces(world_scene *scene, const world_bodies *bodies)
{
    size_t count = scene->surfaces.count;
    if (count == scene->last_surfaces.count && (count == 0 || memcmp(scene->surfaces.data, scene->last_surfaces.data,
                                                                     count * sizeof *scene->surfaces.data) == 0))
        return true;
    scene->triangles.count = 0;
    for (size_t i = 0; i < count; i++) {
        const placed_surface *s = &scene->surfaces.data[i];
        size_t k = 0;
        while (bodies->shapes.data[k].geometry != s->geometry)
            k++;
        if (!facets_add(&scene->triangles, &bodies->shapes.data[k], s->place, s->orientation, s->paint))
            return false;
    }
    if (!array_resize(&scene->last_surfaces, count))
        return false;
    memcpy(scene->last_surfaces.data, scene->surfaces.data, count * sizeof *scene->surfaces.data);
    return true;
}

static bool add_bodies(world_scene *scene, const world_bodies *bodies, const world_picture_def *def)
{
    scene->spheres.count = scene->boxes.count = scene->solids.count = scene->planes.count = 0;
    scene->sphere_bodies.count = scene->box_bodies.count = scene->solid_bodies.count = 0;
    scene->surfaces.count = scene->faces.count = scene->hulls.count = 0;
    scene->moving = 0;
    memset(scene->used, 0, sizeof scene->used);
    bool added = array_reserve(&scene->spheres, bodies->ids.count);
    for (size_t i = 0; added && i < bodies->ids.count; i++) {
        scene->moving += !bodies->infos.data[i].fixed;
        added = def->proxies && has_particles(bodies, i) ? add_whole(scene, bodies, def, i)
                                                         : add_body(scene, bodies, def, i);
    }
    return added && add_surfaces(scene, bodies);
}

// ------------------------------------------------------------------------------------------------------------- legend

static void add_kinds(world_scene *scene, const world_picture_def *def)
{
    picture *p = &scene->picture;
    for (size_t i = 0; def->color == BODY_COLOR_MATERIAL && i < WORLD_SCENE_KEYS; i++) {
        if (!scene->used[i])
            continue;
        if (i < def->material_name_count)
            snprintf(scene->key_names[i], WORLD_SCENE_NAME, "%s", def->material_names[i]);
        else
            snprintf(scene->key_names[i], WORLD_SCENE_NAME, "material %zu", i);
        scene->keys[p->key_count++] = (picture_key){scene->key_names[i], color_of_kind(i)};
    }
    if (def->color == BODY_COLOR_RANK)
        scene->keys[p->key_count++] = (picture_key){"rank 0", color_of_kind(0)};
    p->keys = scene->keys;
}

static void add_legend(world_scene *scene, const world_bodies *bodies, const world_picture_def *def)
{
    picture *p = &scene->picture;
    p->caption = def->caption;
    if (!def->caption) {
        char count[AXIS_LABEL_SIZE];
        axis_format((double)scene->moving, 0, count);
        snprintf(scene->caption, sizeof scene->caption, "%s %s   t = %.4g", count,
                 scene->moving == 1 ? "body" : "bodies", bodies->time);
        p->caption = scene->caption;
    }
    if (!def->legend || scene->moving == 0)
        return;
    add_kinds(scene, def);
    if (body_color_is_scale(def->color)) {
        p->scale_title = body_color_name(def->color);
        p->scale_low = scene->low;
        p->scale_high = scene->high;
    }
}

// ------------------------------------------------------------------------------------------------------------ picture

static void borrow(world_scene *scene, const world_picture_def *def)
{
    picture *p = &scene->picture;
    *p = picture_default();
    p->width = def->width;
    p->height = def->height;
    p->threads = def->threads;
    p->without_grid = def->without_grid;
    p->spheres = scene->spheres.data;
    p->sphere_count = scene->spheres.count;
    p->boxes = scene->boxes.data;
    p->box_count = scene->boxes.count;
    p->solids = scene->solids.data;
    p->solid_count = scene->solids.count;
    p->faces = scene->faces.data;
    p->face_count = scene->faces.count;
    p->triangles = scene->triangles.data;
    p->triangle_count = scene->triangles.count;
    p->planes = scene->planes.data;
    p->plane_count = scene->planes.count;
}

static scree_status check(const world_picture_def *def, scree_error *error)
{
    if (!(def->field_of_view > 0 && def->field_of_view < 3.14))
        return fail(error, SCREE_ERROR_INVALID, "a field of view of %g: between 0 and 3.14 radians is accepted",
                    def->field_of_view);
    if (def->width < 64 || def->height < 64 || def->width > CANVAS_MAX_SIDE || def->height > CANVAS_MAX_SIDE)
        return fail(error, SCREE_ERROR_INVALID, "a picture of %zu x %zu pixels: sides from 64 to %d are accepted",
                    def->width, def->height, CANVAS_MAX_SIDE);
    if (def->has_range && !(def->low < def->high && isfinite(def->low) && isfinite(def->high)))
        return fail(error, SCREE_ERROR_INVALID,
                    "a colour scale from %g to %g: finite ends with low < high are accepted", def->low, def->high);
    return SCREE_OK;
}

scree_status world_scene_fill(world_scene *scene, const world_bodies *bodies, const world_picture_def *def,
                              scree_error *error)
{
    scene->low = def->low;
    scene->high = def->high;
    make_scale(scene);
    scree_status status = check(def, error);
    if (status == SCREE_OK)
        status = body_color_values(bodies, def->color, world_scene_up(bodies), &scene->values, error);
    if (status == SCREE_OK && !def->has_range)
        status = body_color_range(bodies, def->color, &scene->values, &scene->low, &scene->high, error);
    if (status == SCREE_OK && !add_bodies(scene, bodies, def))
        status = fail_no_memory(error);
    if (status != SCREE_OK)
        return status;
    borrow(scene, def);
    status = world_scene_add_lines(scene, bodies, def, error);
    if (status != SCREE_OK)
        return status;
    scene->picture.lines = scene->lines.data;
    scene->picture.line_count = scene->lines.count;
    scene->picture.camera.up = world_scene_up(bodies);
    add_legend(scene, bodies, def);
    return SCREE_OK;
}

scree_status world_scene_measure(world_scene *scene, const world_bodies *bodies, const world_picture_def *def,
                                 world_picture_span *over, scree_error *error)
{
    extent span;
    scree_status status = world_scene_fill(scene, bodies, def, error);
    if (status == SCREE_OK && !extent_find(&span, &scene->picture))
        status = fail_no_memory(error);
    if (status != SCREE_OK)
        return status;
    over->low = vec3_make(fmin(over->low.x, span.low.x), fmin(over->low.y, span.low.y), fmin(over->low.z, span.low.z));
    over->high =
        vec3_make(fmax(over->high.x, span.high.x), fmax(over->high.y, span.high.y), fmax(over->high.z, span.high.z));
    over->scale_low = fmin(over->scale_low, scene->low);
    over->scale_high = fmax(over->scale_high, scene->high);
    return SCREE_OK;
}

// ------------------------------------------------------------------------------------------------------------- camera

// From the camera into the scene.
static vec3 view_direction(const world_picture_def *def, vec3 up)
{
    vec3 right = vec3_square_to(up), back = vec3_cross(up, right);
    vec3 level = vec3_add_scaled(vec3_scale(right, -sin(def->azimuth)), back, cos(def->azimuth));
    return vec3_add_scaled(vec3_scale(level, cos(def->elevation)), up, -sin(def->elevation));
}

scree_status world_scene_aim(world_scene *scene, const world_picture_def *def, scree_error *error)
{
    picture *p = &scene->picture;
    vec3 up = p->camera.up, low = def->span.low, high = def->span.high;
    if (!def->has_span) {
        extent span;
        if (!extent_find(&span, p))
            return fail_no_memory(error);
        low = span.low;
        high = span.high;
    }
    p->camera = picture_frame(low, high, view_direction(def, up), up, def->field_of_view,
                              (double)def->width / (double)def->height);
    vec3 offset = vec3_sub(p->camera.position, p->camera.look_at);
    if (def->has_look_at)
        p->camera.look_at = def->look_at;
    else if (def->has_from)
        p->camera.look_at = vec3_scale(vec3_add(low, high), 0.5);
    p->camera.position = def->has_from ? def->from : vec3_add(p->camera.look_at, offset);
    return SCREE_OK;
}

// ------------------------------------------------------------------------------------------------------------ picking

uint32_t world_scene_pick(const world_scene *scene, canvas_point at, double *depth)
{
    const picture *p = &scene->picture;
    raster_view view = camera_view(p, 1);
    raster_ray ray = raster_view_ray(&view, (float)at.x, (float)at.y);
    float nearest = RASTER_NOTHING, length2 = vec3f_dot(ray.direction, ray.direction);
    uint32_t body = WORLD_NO_BODY;
    for (size_t i = 0; i < p->sphere_count; i++) {
        raster_sphere s = raster_view_sphere(&view, p->spheres[i].center, p->spheres[i].radius);
        float middle = vec3f_dot(s.center, ray.direction) / length2;
        vec3f beside = vec3f_add_scaled(s.center, ray.direction, -middle);
        float inside = s.radius * s.radius - vec3f_dot(beside, beside);
        float front = inside > 0 ? middle - sqrtf(inside / length2) : RASTER_NOTHING;
        if (front > view.nearest && front < nearest) {
            nearest = front;
            body = scene->sphere_bodies.data[i];
        }
    }
    for (size_t i = 0; i < p->box_count; i++) {
        raster_box b = raster_view_box(&view, p->boxes[i].center, p->boxes[i].orientation, p->boxes[i].half);
        float front;
        int face;
        if (!p->boxes[i].wall && raster_hit_box(&b, &ray, &front, &face) && front > view.nearest && front < nearest) {
            nearest = front;
            body = scene->box_bodies.data[i];
        }
    }
    for (size_t i = 0; i < p->solid_count; i++) {
        raster_solid s = raster_view_solid(&view, &p->solids[i], p->faces);
        solid_hit hit;
        if (solid_meet(&s, &ray, &hit) && hit.depth > view.nearest && hit.depth < nearest) {
            nearest = hit.depth;
            body = scene->solid_bodies.data[i];
        }
    }
    *depth = (double)nearest;
    return body;
}
