// Objects are listed per tile by a counting sort in two visits; a tile then casts its list in order, nearest wins, and
// between equals the first. Bounds of an outline err on the large side only, so no sample is missed.
#include "view/raster.h"

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

// What a sphere covers on one axis: between the slopes of the two tangents to it through the eye, which solve
// (c - s z)^2 = r^2 (1 + s^2) for s.
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

static raster_bounds bounds_of_sphere(const raster_view *view, const raster_sphere *s)
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

raster_bounds raster_bounds_of_box(const raster_view *view, const raster_box *box)
{
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    int behind = 0;
    for (int corner = 0; corner < 8; corner++) {
        vec3 p = vec3_from_f(box->center);
        for (int i = 0; i < 3; i++) {
            double sign = corner >> i & 1 ? 1 : -1;
            p = vec3_add_scaled(p, vec3_from_f(box->axes[i]), sign * (double)box->half[i]);
        }
        behind += p.z <= (double)view->nearest;
        double scale = view->perspective ? 1 / p.z : 1;
        low[0] = fmin(low[0], p.x * scale);
        high[0] = fmax(high[0], p.x * scale);
        low[1] = fmin(low[1], p.y * scale);
        high[1] = fmax(high[1], p.y * scale);
    }
    if (behind == 8)
        return (raster_bounds){0};
    if (behind > 0)
        return bounds_everywhere(view);
    raster_bounds b;
    sample_range(view, low[0], high[0], view->left, view->width, &b.left, &b.right);
    sample_range(view, low[1], high[1], view->top, view->height, &b.top, &b.bottom);
    return b;
}

static raster_bounds bounds_of_object(const raster_view *view, const raster_objects *objects, size_t i)
{
    if (i < objects->sphere_count)
        return bounds_of_sphere(view, &objects->spheres[i]);
    const raster_box *box = &objects->boxes[i - objects->sphere_count];
    return box->hidden ? (raster_bounds){0} : raster_bounds_of_box(view, box);
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
    for (size_t i = 0; i < objects->sphere_count + objects->box_count; i++) {
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

static void box_row(const raster_view *view, const raster_box *box, uint32_t number, int y, int left, int right,
                    float *depth, uint32_t *object)
{
    for (int x = left; x < right; x++) {
        raster_ray ray = raster_view_ray(view, (float)x + 0.5f, (float)y + 0.5f);
        float front;
        int face;
        if (raster_hit_box(box, &ray, &front, &face) && front > view->nearest && front < depth[x]) {
            depth[x] = front;
            object[x] = number;
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
                box_row(view, &objects->boxes[i - objects->sphere_count], (uint32_t)i + 1, y, left, right, depth,
                        object);
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
