// Objects are listed per tile by a counting sort in two visits; a tile then casts its list in order, nearest wins, and
// between equals the first. Bounds of an outline err on the large side only, so no sample is missed.
#include "view/raster/raster.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/threads.h"

enum { TILE = 64 };

typedef ARRAY(uint32_t) number_array;
typedef ARRAY(size_t) size_array;

// Which objects each tile must cast: lists[starts[t] .. starts[t + 1]), rising.
typedef struct tile_lists {
    size_t across, down;
    size_array starts;
    number_array lists;
} tile_lists;

vec3 raster_view_point(const raster_view *view, vec3 point)
{
    return mat3_apply(&view->axes, vec3_sub(point, view->origin));
}

vec3 raster_view_direction(const raster_view *view, vec3 direction)
{
    return mat3_apply(&view->axes, direction);
}

raster_sphere raster_view_sphere(const raster_view *view, vec3 center, double radius)
{
    return (raster_sphere){vec3f_from(raster_view_point(view, center)), (float)radius};
}

raster_box raster_view_box(const raster_view *view, vec3 center, quat orientation, vec3 half)
{
    raster_box box = {.center = vec3f_from(raster_view_point(view, center)),
                      .half = {(float)half.x, (float)half.y, (float)half.z}};
    mat3 turn = mat3_from_quat(orientation);
    for (int i = 0; i < 3; i++)
        box.axes[i] = vec3f_from(raster_view_direction(view, mat3_column(&turn, i)));
    return box;
}

raster_solid raster_view_solid(const raster_view *view, const picture_solid *solid, const picture_face *faces)
{
    raster_box box = raster_view_box(view, solid->center, solid->orientation, solid_half_extents(solid));
    return (raster_solid){
        .shape = solid,
        .faces = solid->type == PICTURE_HULL ? faces + solid->first_face : NULL,
        .center = box.center,
        .axes = {box.axes[0], box.axes[1], box.axes[2]},
        .size = {(float)solid->size.x, (float)solid->size.y, (float)solid->size.z},
        .half = {box.half[0], box.half[1], box.half[2]},
    };
}

raster_triangle raster_view_triangle(const raster_view *view, const scree_vec3 corners[3])
{
    raster_triangle seen;
    for (int i = 0; i < 3; i++)
        seen.corners[i] = vec3f_from(raster_view_point(view, corners[i]));
    return seen;
}

raster_ray raster_view_ray(const raster_view *view, float x, float y)
{
    float px = view->left + x * view->step, py = view->top + y * view->step;
    if (view->perspective)
        return (raster_ray){{0, 0, 0}, {px, py, 1}};
    return (raster_ray){{px, py, 0}, {0, 0, 1}};
}

bool raster_hit_box(const raster_box *box, const raster_ray *ray, float *depth, int *face)
{
    vec3f offset = vec3f_sub(ray->origin, box->center);
    float enter = -RASTER_NOTHING, leave = RASTER_NOTHING;
    for (int i = 0; i < 3; i++) {
        float start = vec3f_dot(box->axes[i], offset), speed = vec3f_dot(box->axes[i], ray->direction);
        if (fabsf(speed) < 1e-20f)
            speed = 1e-20f;
        float reach = speed > 0 ? box->half[i] : -box->half[i];
        float in = (-reach - start) / speed, out = (reach - start) / speed;
        if (in > enter) {
            enter = in;
            *face = i;
        }
        leave = fminf(leave, out);
    }
    *depth = enter;
    return enter < leave;
}

// Moller and Trumbore 1997. A ray that runs along the edge of two triangles shall not slip between them, so a little
// beyond the edge still counts.
bool raster_hit_triangle(const raster_triangle *triangle, const raster_ray *ray, float *depth, float weights[3])
{
    const float slack = -1e-5f;
    vec3f first = vec3f_sub(triangle->corners[1], triangle->corners[0]);
    vec3f second = vec3f_sub(triangle->corners[2], triangle->corners[0]);
    vec3f across = vec3f_cross(ray->direction, second), from = vec3f_sub(ray->origin, triangle->corners[0]);
    float facing = vec3f_dot(first, across);
    if (!(facing > 0))
        return false;
    vec3f turned = vec3f_cross(from, first);
    weights[1] = vec3f_dot(from, across) / facing;
    weights[2] = vec3f_dot(ray->direction, turned) / facing;
    weights[0] = 1 - weights[1] - weights[2];
    *depth = vec3f_dot(second, turned) / facing;
    return weights[0] >= slack && weights[1] >= slack && weights[2] >= slack;
}

// ------------------------------------------------------------------------------------------------------------ bounds

// Samples whose middle may lie in [low, high] on one axis of the view; a spare one on each side covers rounding.
static void sample_range(const raster_view *view, double low, double high, float corner, size_t count, int *first,
                         int *end)
{
    double a = floor((low - (double)corner) / (double)view->step - 0.5) - 1;
    double b = ceil((high - (double)corner) / (double)view->step - 0.5) + 2;
    *first = a < 0 ? 0 : a > (double)count ? (int)count : (int)a;
    *end = b < 0 ? 0 : b > (double)count ? (int)count : (int)b;
}

static raster_bounds bounds_everywhere(const raster_view *view)
{
    return (raster_bounds){0, 0, (int)view->width, (int)view->height};
}

// The interval that a sphere covers on one axis: between the slopes of the two tangents to it through the eye, which
// solve (c - s z)^2 = r^2 (1 + s^2) for s.
static void sphere_range(const raster_view *view, double c, double z, double r, double *low, double *high)
{
    if (view->perspective) {
        double root = r * sqrt(c * c + z * z - r * r), scale = 1 / (z * z - r * r);
        *low = (c * z - root) * scale;
        *high = (c * z + root) * scale;
    } else {
        *low = c - r;
        *high = c + r;
    }
}

raster_bounds raster_bounds_of_sphere(const raster_view *view, const raster_sphere *s)
{
    double r = (double)s->radius, z = (double)s->center.z;
    if (z + r <= (double)view->nearest)
        return (raster_bounds){0};
    if (view->perspective && z - r <= 1e-3 * r)
        return bounds_everywhere(view);
    raster_bounds b;
    double low, high;
    sphere_range(view, (double)s->center.x, z, r, &low, &high);
    sample_range(view, low, high, view->left, view->width, &b.left, &b.right);
    sphere_range(view, (double)s->center.y, z, r, &low, &high);
    sample_range(view, low, high, view->top, view->height, &b.top, &b.bottom);
    return b;
}

// The bounds of the hull of some points.
static raster_bounds bounds_of_points(const raster_view *view, const vec3 *points, int count)
{
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    int behind = 0;
    for (int i = 0; i < count; i++) {
        vec3 p = points[i];
        behind += p.z <= (double)view->nearest;
        double scale = view->perspective ? 1 / p.z : 1;
        low[0] = fmin(low[0], p.x * scale);
        high[0] = fmax(high[0], p.x * scale);
        low[1] = fmin(low[1], p.y * scale);
        high[1] = fmax(high[1], p.y * scale);
    }
    if (behind == count)
        return (raster_bounds){0};
    if (behind > 0)
        return bounds_everywhere(view);
    raster_bounds b;
    sample_range(view, low[0], high[0], view->left, view->width, &b.left, &b.right);
    sample_range(view, low[1], high[1], view->top, view->height, &b.top, &b.bottom);
    return b;
}

static raster_bounds bounds_of_axes(const raster_view *view, vec3f center, const vec3f axes[3], const float half[3])
{
    vec3 corners[8];
    for (int corner = 0; corner < 8; corner++) {
        corners[corner] = vec3_from_f(center);
        for (int i = 0; i < 3; i++) {
            double sign = corner >> i & 1 ? 1 : -1;
            corners[corner] = vec3_add_scaled(corners[corner], vec3_from_f(axes[i]), sign * (double)half[i]);
        }
    }
    return bounds_of_points(view, corners, 8);
}

raster_bounds raster_bounds_of_box(const raster_view *view, const raster_box *box)
{
    return bounds_of_axes(view, box->center, box->axes, box->half);
}

// Nothing where only the back can be seen.
static raster_bounds bounds_of_triangle(const raster_view *view, const raster_triangle *triangle)
{
    const vec3f *c = triangle->corners;
    vec3f normal = vec3f_cross(vec3f_sub(c[1], c[0]), vec3f_sub(c[2], c[0]));
    if ((view->perspective ? vec3f_dot(normal, c[0]) : normal.z) >= 0)
        return (raster_bounds){0};
    const vec3 corners[3] = {vec3_from_f(c[0]), vec3_from_f(c[1]), vec3_from_f(c[2])};
    return bounds_of_points(view, corners, 3);
}

static raster_bounds bounds_of_object(const raster_view *view, const raster_objects *objects, size_t i)
{
    if (i < objects->sphere_count)
        return raster_bounds_of_sphere(view, &objects->spheres[i]);
    i -= objects->sphere_count;
    if (i < objects->box_count) {
        const raster_box *box = &objects->boxes[i];
        return box->hidden ? (raster_bounds){0} : raster_bounds_of_box(view, box);
    }
    i -= objects->box_count;
    if (i < objects->solid_count) {
        const raster_solid *solid = &objects->solids[i];
        return bounds_of_axes(view, solid->center, solid->axes, solid->half);
    }
    return bounds_of_triangle(view, &objects->triangles[i - objects->solid_count]);
}

static size_t object_count(const raster_objects *objects)
{
    return objects->sphere_count + objects->box_count + objects->solid_count + objects->triangle_count;
}

// ------------------------------------------------------------------------------------------------------------- tiles

static void tiles_free(tile_lists *tiles)
{
    array_free(&tiles->starts);
    array_free(&tiles->lists);
}

// Visits the tiles of every object: first counts them, then, once `lists` has room, writes the lists. After the
// second visit starts[t + 1] is the end of tile t, as it should be.
static void tiles_visit(tile_lists *tiles, const raster_view *view, const raster_objects *objects, bool write)
{
    size_t *next = tiles->starts.data + 1;
    for (size_t i = 0; i < object_count(objects); i++) {
        raster_bounds b = bounds_of_object(view, objects, i);
        if (b.left >= b.right || b.top >= b.bottom)
            continue;
        for (size_t y = (size_t)b.top / TILE; y <= (size_t)(b.bottom - 1) / TILE; y++)
            for (size_t x = (size_t)b.left / TILE; x <= (size_t)(b.right - 1) / TILE; x++) {
                size_t tile = y * tiles->across + x;
                if (write)
                    tiles->lists.data[next[tile]] = (uint32_t)i;
                next[tile]++;
            }
    }
}

static bool tiles_make(tile_lists *tiles, const raster_view *view, const raster_objects *objects)
{
    *tiles = (tile_lists){.across = block_count(view->width, TILE), .down = block_count(view->height, TILE)};
    size_t count = tiles->across * tiles->down;
    if (!array_resize(&tiles->starts, count + 1))
        return false;
    size_t *starts = tiles->starts.data, total = 0;
    memset(starts, 0, (count + 1) * sizeof *starts);
    tiles_visit(tiles, view, objects, false);
    for (size_t t = 0; t < count; t++) {
        size_t listed = starts[t + 1];
        starts[t + 1] = total;
        total += listed;
    }
    if (!array_resize(&tiles->lists, total))
        return false;
    tiles_visit(tiles, view, objects, true);
    return true;
}

// ------------------------------------------------------------------------------------------------------------ casting

// One row of samples against one sphere, written without branches so that it runs several samples wide. The
// distance of the ray from the centre is formed from their difference, which stays exact for small far spheres.
static void sphere_row(const raster_view *view, const raster_sphere *s, uint32_t number, int y, int left, int right,
                       float *restrict depth, uint32_t *restrict object)
{
    const float py = view->top + ((float)y + 0.5f) * view->step, radius2 = s->radius * s->radius;
    const float cx = s->center.x, cy = s->center.y, cz = s->center.z, nearest = view->nearest;
    const float slope = view->perspective ? 1.0f : 0.0f;
    for (int x = left; x < right; x++) {
        float px = view->left + ((float)x + 0.5f) * view->step;
        float dx = slope * px, dy = slope * py, ox = px - dx, oy = py - dy;
        float length2 = dx * dx + dy * dy + 1;
        float middle = ((cx - ox) * dx + (cy - oy) * dy + cz) / length2;
        float ex = cx - ox - middle * dx, ey = cy - oy - middle * dy, ez = cz - middle;
        float inside = radius2 - (ex * ex + ey * ey + ez * ez);
        float front = middle - sqrtf((inside > 0 ? inside : 0) / length2);
        int hit = (inside > 0) & (front > nearest) & (front < depth[x]);
        depth[x] = hit ? front : depth[x];
        object[x] = hit ? number : object[x];
    }
}

// Depth at which a ray enters object i, which is no sphere.
static bool hit_object(const raster_objects *objects, size_t i, const raster_ray *ray, float *depth)
{
    i -= objects->sphere_count;
    if (i < objects->box_count) {
        int face;
        return raster_hit_box(&objects->boxes[i], ray, depth, &face);
    }
    i -= objects->box_count;
    if (i < objects->solid_count) {
        solid_hit hit;
        bool met = solid_meet(&objects->solids[i], ray, &hit);
        *depth = met ? hit.depth : RASTER_NOTHING;
        return met;
    }
    float weights[3];
    return raster_hit_triangle(&objects->triangles[i - objects->solid_count], ray, depth, weights);
}

static void object_row(const raster_view *view, const raster_objects *objects, size_t i, int y, int left, int right,
                       float *depth, uint32_t *object)
{
    for (int x = left; x < right; x++) {
        raster_ray ray = raster_view_ray(view, (float)x + 0.5f, (float)y + 0.5f);
        float front;
        if (hit_object(objects, i, &ray, &front) && front > view->nearest && front < depth[x]) {
            depth[x] = front;
            object[x] = (uint32_t)i + 1;
        }
    }
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static void cast_tile(const raster_view *view, const raster_objects *objects, const tile_lists *tiles, size_t tile,
                      raster *out)
{
    int tile_left = (int)(tile % tiles->across) * TILE, tile_top = (int)(tile / tiles->across) * TILE;
    for (size_t k = tiles->starts.data[tile]; k < tiles->starts.data[tile + 1]; k++) {
        size_t i = tiles->lists.data[k];
        raster_bounds b = bounds_of_object(view, objects, i);
        int left = larger(b.left, tile_left), right = smaller(b.right, tile_left + TILE);
        int top = larger(b.top, tile_top), bottom = smaller(b.bottom, tile_top + TILE);
        for (int y = top; y < bottom; y++) {
            float *depth = out->depth + (size_t)y * view->width;
            uint32_t *object = out->object + (size_t)y * view->width;
            if (i < objects->sphere_count)
                sphere_row(view, &objects->spheres[i], (uint32_t)i + 1, y, left, right, depth, object);
            else
                object_row(view, objects, i, y, left, right, depth, object);
        }
    }
}

scree_status raster_cast(const raster_view *view, const raster_objects *objects, int threads, raster *out,
                         scree_error *error)
{
    size_t samples = view->width * view->height;
    *out = (raster){malloc(samples * sizeof *out->depth), calloc(samples, sizeof *out->object)};
    tile_lists tiles = {0};
    if (!out->depth || !out->object || !tiles_make(&tiles, view, objects)) {
        tiles_free(&tiles);
        raster_free(out);
        return fail_no_memory(error);
    }
    for (size_t i = 0; i < samples; i++)
        out->depth[i] = RASTER_NOTHING;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (size_t tile = 0; tile < tiles.across * tiles.down; tile++)
        cast_tile(view, objects, &tiles, tile, out);
    tiles_free(&tiles);
    return SCREE_OK;
}

void raster_free(raster *out)
{
    free(out->depth);
    free(out->object);
    *out = (raster){0};
}
