#include "geometry/fit/sphere_fit.h"

#include <stdlib.h>

#include "base/error.h"
#include "geometry/fit/closed_surface.h"
#include "geometry/fit/sphere_measure.h"
#include "geometry/solid.h"
#include "geometry/triangle_math.h"

enum { DEPTHS = 8 }; // tried for each sphere

// A part of the surface with its sphere: one triangle or a piece of one, or a patch of whole triangles.
typedef struct piece {
    vec3 corners[3]; // of a triangle
    vec3 normal;
    double ratio;
    uint32_t first, count; // of a patch: in `order`; a triangle has count 0
    scree_ball ball;
    double protrusion; // bound
} piece;

typedef struct sort_key {
    double key;
    uint32_t triangle;
} sort_key;

typedef struct fitter {
    const sphere_fit_options *options;
    closed_surface surface;
    double size;         // of the mesh's box
    bool *sharp;         // by triangle
    uint32_t *order;     // of triangles, patch by patch
    sort_key *keys;      // scratch, by triangle
    ARRAY(piece) pieces; // a heap: the largest bound first
} fitter;

sphere_fit_options sphere_fit_default_options(void)
{
    return (sphere_fit_options){.ratio = 0.7, .edge_angle = PI / 6, .edge_ratio = 0.7};
}

// ----------------------------------------------------------------------------------------------------------- fitting

// Centre and radius of the smallest circle around a triangle: through its corners, or on its longest side as diameter
// where the angle across is obtuse, since the circle through the corners then is large for nothing.
static vec3 circle_around(const vec3 c[3], double *radius)
{
    for (int i = 0; i < 3; i++) {
        vec3 a = vec3_sub(c[(i + 1) % 3], c[i]), b = vec3_sub(c[(i + 2) % 3], c[i]);
        if (vec3_dot(a, b) <= 0) {
            vec3 middle = vec3_scale(vec3_add(c[(i + 1) % 3], c[(i + 2) % 3]), 0.5);
            *radius = vec3_length(vec3_sub(c[(i + 1) % 3], middle));
            return middle;
        }
    }
    // The point where the perpendicular bisectors meet: C = P + (|V|^2 W - |W|^2 V) x N / (2 |N|^2) with N = V x W.
    vec3 v = vec3_sub(c[1], c[0]), w = vec3_sub(c[2], c[0]), n = vec3_cross(v, w);
    vec3 lean = vec3_sub(vec3_scale(w, vec3_dot(v, v)), vec3_scale(v, vec3_dot(w, w)));
    vec3 arm = vec3_scale(vec3_cross(lean, n), 1 / (2 * vec3_dot(n, n)));
    *radius = vec3_length(arm);
    return vec3_add(c[0], arm);
}

static double reach_of_patch(const fitter *fit, const piece *patch, vec3 from)
{
    double most = 0;
    for (uint32_t i = patch->first; i < patch->first + patch->count; i++)
        for (size_t c = 0; c < 3; c++) {
            vec3 p = fit->surface.vertices[fit->surface.triangles[3 * (size_t)fit->order[i] + c]];
            most = fmax(most, vec3_length(vec3_sub(p, from)));
        }
    return most;
}

static double reach_of(const fitter *fit, const piece *part, vec3 from)
{
    if (part->count > 0)
        return reach_of_patch(fit, part, from);
    double most = 0;
    for (int i = 0; i < 3; i++)
        most = fmax(most, vec3_length(vec3_sub(part->corners[i], from)));
    return most;
}

// The depth, among all up to the one that the ratio asks for, whose sphere sticks out least. `base` is the middle of
// the piece and `radius` its reach from there; at ratio f the depth is f r, with r^2 = radius^2 + (f r)^2.
static void fit_ball(const fitter *fit, piece *part, vec3 base, double radius)
{
    double deepest = part->ratio * radius / sqrt(1 - part->ratio * part->ratio);
    if (part->count == 0 && deepest > 0)
        deepest = closed_surface_half_thickness(&fit->surface, base, part->normal, deepest);
    part->protrusion = HUGE_VAL;
    for (int i = deepest > 0 ? DEPTHS : 0; i >= 0; i--) {
        vec3 nearest, center = vec3_add_scaled(base, part->normal, -deepest * i / DEPTHS);
        double r = reach_of(fit, part, center);
        double protrusion = r - closed_surface_depth(&fit->surface, center, &nearest);
        if (protrusion < part->protrusion) {
            part->protrusion = protrusion;
            part->ball = (scree_ball){center, r};
        }
    }
}

static void fit_triangle(const fitter *fit, piece *part)
{
    double radius;
    vec3 base = circle_around(part->corners, &radius);
    fit_ball(fit, part, base, radius);
}

static void box_of_patch(const fitter *fit, const piece *patch, vec3 *low, vec3 *high)
{
    *low = vec3_make(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    *high = vec3_negate(*low);
    for (uint32_t i = patch->first; i < patch->first + patch->count; i++)
        for (size_t c = 0; c < 3; c++) {
            vec3 p = fit->surface.vertices[fit->surface.triangles[3 * (size_t)fit->order[i] + c]];
            *low = vec3_make(fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z));
            *high = vec3_make(fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z));
        }
}

// Submerged along the mean normal, the less the more the normals of the patch differ.
static void fit_patch(const fitter *fit, piece *patch)
{
    vec3 sum = {0, 0, 0}, low, high;
    double area = 0;
    for (uint32_t i = patch->first; i < patch->first + patch->count; i++) {
        const uint32_t *corner = &fit->surface.triangles[3 * (size_t)fit->order[i]];
        const vec3 *v = fit->surface.vertices;
        vec3 twice = vec3_cross(vec3_sub(v[corner[1]], v[corner[0]]), vec3_sub(v[corner[2]], v[corner[0]]));
        sum = vec3_add(sum, twice);
        area += vec3_length(twice);
    }
    patch->normal = area > 0 ? vec3_scale(sum, 1 / area) : sum;
    patch->ratio = fit->options->ratio;
    box_of_patch(fit, patch, &low, &high);
    vec3 base = vec3_scale(vec3_add(low, high), 0.5);
    fit_ball(fit, patch, base, reach_of_patch(fit, patch, base));
}

// -------------------------------------------------------------------------------------------------------------- heap

static bool push_piece(fitter *fit, const piece *part)
{
    if (!array_push(&fit->pieces, *part))
        return false;
    piece *heap = fit->pieces.data;
    for (size_t i = fit->pieces.count - 1; i > 0 && heap[(i - 1) / 2].protrusion < heap[i].protrusion;) {
        piece kept = heap[i];
        heap[i] = heap[(i - 1) / 2];
        heap[(i - 1) / 2] = kept;
        i = (i - 1) / 2;
    }
    return true;
}

static piece pop_piece(fitter *fit)
{
    piece *heap = fit->pieces.data, top = heap[0];
    size_t count = --fit->pieces.count;
    heap[0] = heap[count];
    for (size_t i = 0;;) {
        size_t larger = 2 * i + 1;
        if (larger >= count)
            break;
        if (larger + 1 < count && heap[larger + 1].protrusion > heap[larger].protrusion)
            larger++;
        if (heap[larger].protrusion <= heap[i].protrusion)
            break;
        piece kept = heap[i];
        heap[i] = heap[larger];
        heap[larger] = kept;
        i = larger;
    }
    return top;
}

// --------------------------------------------------------------------------------------------------------- splitting

static bool push_triangle(fitter *fit, const vec3 corners[3], vec3 normal, double ratio)
{
    piece part = {.corners = {corners[0], corners[1], corners[2]}, .normal = normal, .ratio = ratio};
    fit_triangle(fit, &part);
    return push_piece(fit, &part);
}

// Across the middle of the longest side.
static bool halve_triangle(fitter *fit, const piece *whole)
{
    int longest = 0;
    double length[3];
    for (int i = 0; i < 3; i++) {
        length[i] = vec3_length(vec3_sub(whole->corners[(i + 1) % 3], whole->corners[i]));
        if (length[i] > length[longest])
            longest = i;
    }
    vec3 a = whole->corners[longest], b = whole->corners[(longest + 1) % 3], c = whole->corners[(longest + 2) % 3];
    vec3 middle = vec3_scale(vec3_add(a, b), 0.5);
    return push_triangle(fit, (vec3[]){a, middle, c}, whole->normal, whole->ratio) &&
           push_triangle(fit, (vec3[]){middle, b, c}, whole->normal, whole->ratio);
}

// At the middles of its sides.
static bool quarter_triangle(fitter *fit, const vec3 c[3], vec3 normal, double ratio)
{
    vec3 m[3];
    for (int i = 0; i < 3; i++)
        m[i] = vec3_scale(vec3_add(c[i], c[(i + 1) % 3]), 0.5);
    return push_triangle(fit, (vec3[]){c[0], m[0], m[2]}, normal, ratio) &&
           push_triangle(fit, (vec3[]){m[0], c[1], m[1]}, normal, ratio) &&
           push_triangle(fit, (vec3[]){m[2], m[1], c[2]}, normal, ratio) && push_triangle(fit, m, normal, ratio);
}

static double ratio_of(const fitter *fit, size_t triangle)
{
    return fit->sharp[triangle] ? fit->options->edge_ratio : fit->options->ratio;
}

static bool push_patch(fitter *fit, uint32_t first, uint32_t count)
{
    piece patch = {.first = first, .count = count};
    if (count == 1) {
        vec3 corners[3];
        uint32_t triangle = fit->order[first];
        triangles_corners(fit->surface.vertices, fit->surface.triangles, triangle, corners);
        return push_triangle(fit, corners, fit->surface.face_normals[triangle], ratio_of(fit, triangle));
    }
    fit_patch(fit, &patch);
    return push_piece(fit, &patch);
}

static int compare_keys(const void *left, const void *right)
{
    const sort_key *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

// Cuts a patch into halves along the longest side of its box.
static bool halve_patch(fitter *fit, const piece *whole)
{
    vec3 low, high;
    box_of_patch(fit, whole, &low, &high);
    vec3 size = vec3_sub(high, low);
    int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    for (uint32_t i = 0; i < whole->count; i++) {
        vec3 c[3];
        uint32_t triangle = fit->order[whole->first + i];
        triangles_corners(fit->surface.vertices, fit->surface.triangles, triangle, c);
        fit->keys[i] = (sort_key){vec3_get(c[0], axis) + vec3_get(c[1], axis) + vec3_get(c[2], axis), triangle};
    }
    qsort(fit->keys, whole->count, sizeof *fit->keys, compare_keys);
    for (uint32_t i = 0; i < whole->count; i++)
        fit->order[whole->first + i] = fit->keys[i].triangle;
    uint32_t half = whole->count / 2;
    return push_patch(fit, whole->first, half) && push_patch(fit, whole->first + half, whole->count - half);
}

// ------------------------------------------------------------------------------------------------------- sharp edges

// A triangle is at a sharp edge when the normal of one that shares a corner with it differs by more than the angle.
static bool find_sharp(fitter *fit)
{
    const closed_surface *surface = &fit->surface;
    size_t corners = 3 * surface->triangle_count;
    uint32_t *start = calloc(surface->vertex_count + 1, sizeof *start), *around = malloc(corners * sizeof *around);
    bool done = start && around;
    double limit = vec3_on_circle(1, fit->options->edge_angle, 0).x;
    if (done) {
        for (size_t i = 0; i < corners; i++)
            start[surface->triangles[i] + 1]++;
        for (size_t v = 0; v < surface->vertex_count; v++)
            start[v + 1] += start[v];
        for (size_t i = corners; i-- > 0;) // fills from the end, so that `start` comes to be where each begins
            around[--start[surface->triangles[i] + 1]] = (uint32_t)(i / 3);
    }
    for (size_t i = 0; done && i < corners; i++) {
        size_t vertex = surface->triangles[i];
        size_t end = vertex + 2 <= surface->vertex_count ? start[vertex + 2] : corners;
        for (size_t other = start[vertex + 1]; other < end && !fit->sharp[i / 3]; other++)
            fit->sharp[i / 3] = vec3_dot(surface->face_normals[i / 3], surface->face_normals[around[other]]) < limit;
    }
    free(start);
    free(around);
    return done;
}

// --------------------------------------------------------------------------------------------------------- the whole

// A sphere per triangle, four where it is sharp.
static bool fit_all_triangles(fitter *fit)
{
    bool done = true;
    for (size_t t = 0; done && t < fit->surface.triangle_count; t++) {
        vec3 corners[3], normal = fit->surface.face_normals[t];
        triangles_corners(fit->surface.vertices, fit->surface.triangles, t, corners);
        done = fit->sharp[t] ? quarter_triangle(fit, corners, normal, fit->options->edge_ratio)
                             : push_triangle(fit, corners, normal, fit->options->ratio);
    }
    return done;
}

// Splits the worst until the limits are kept.
static bool refine(fitter *fit)
{
    size_t most = fit->options->count ? fit->options->count : MOST_FITTED_SPHERES;
    double limit = fit->options->max_protrusion;
    bool done = true;
    while (done && fit->pieces.count < most) {
        bool too_far = limit > 0 && fit->pieces.data[0].protrusion > limit;
        if (!too_far && (limit > 0 || fit->options->count == 0))
            break;
        piece worst = pop_piece(fit);
        done = worst.count > 0 ? halve_patch(fit, &worst) : halve_triangle(fit, &worst);
    }
    return done;
}

static bool fit_pieces(fitter *fit, sphere_fit_report *report)
{
    size_t triangles = fit->surface.triangle_count, sharp = 0;
    if (!find_sharp(fit))
        return false;
    for (size_t t = 0; t < triangles; t++)
        sharp += fit->sharp[t];
    report->sharp_triangles = sharp;
    for (size_t t = 0; t < triangles; t++)
        fit->order[t] = (uint32_t)t;
    bool few = fit->options->count > 0 && fit->options->count < triangles + 3 * sharp;
    return (few ? push_patch(fit, 0, (uint32_t)triangles) : fit_all_triangles(fit)) && refine(fit);
}

// A sphere that still sticks out too far shrinks about its centre, as far as it may and keep a size.
static bool take_balls(const fitter *fit, sphere_list *list, sphere_fit_report *report)
{
    double limit = fit->options->max_protrusion;
    for (size_t i = 0; i < fit->pieces.count; i++) {
        piece part = fit->pieces.data[i];
        double shrink = limit > 0 ? fmax(part.protrusion - limit, 0) : 0;
        if (shrink >= part.ball.radius)
            shrink = 0.999 * part.ball.radius;
        part.ball.radius -= shrink;
        report->protrusion.bound = fmax(report->protrusion.bound, part.protrusion - shrink);
        report->gap.bound = fmax(report->gap.bound, shrink);
        if (!array_push(&list->balls, part.ball))
            return false;
    }
    return true;
}

static void center_mesh(triangle_mesh *mesh, sphere_list *list)
{
    solid_properties solid = solid_of_triangles(mesh->vertices.data, mesh->corners.data, mesh->corners.count / 3);
    for (size_t i = 0; i < mesh->vertices.count; i++)
        mesh->vertices.data[i] = vec3_sub(mesh->vertices.data[i], solid.centroid);
    const double(*m)[3] = (const double(*)[3])solid.inertia.m;
    list->has_body = true;
    list->body = (scree_solid){solid.volume, {0, 0, 0}, {m[0][0], m[1][1], m[2][2], m[0][1], m[0][2], m[1][2]}};
}

static scree_status check_options(const sphere_fit_options *options, scree_error *error)
{
    bool good = options->ratio >= 0 && options->ratio <= 0.99 && options->edge_ratio >= 0 &&
                options->edge_ratio <= 0.99 && options->edge_angle >= 0 && options->edge_angle <= PI &&
                options->max_protrusion >= 0 && isfinite(options->max_protrusion) &&
                options->count <= MOST_FITTED_SPHERES;
    if (!good)
        return fail(error, SCREE_ERROR_INVALID,
                    "ratios must be from 0 to 0.99, the angle of sharp edges from 0 to pi, the protrusion from 0, and "
                    "the count at most %d",
                    MOST_FITTED_SPHERES);
    return SCREE_OK;
}

// A sphere whose centre is no deeper than f of its radius r sticks out by p >= (1 - f) r, and a flat piece within it
// lies in a disc of area pi (r^2 - f^2 r^2) <= pi p^2 (1 + f) / (1 - f): so many spheres at least cover the surface.
static double least_count(const triangle_mesh *mesh, const sphere_fit_options *options)
{
    double f = fmax(options->ratio, options->edge_ratio), area = 0;
    for (size_t t = 0; t < mesh->corners.count / 3; t++) {
        vec3 c[3];
        triangles_corners(mesh->vertices.data, mesh->corners.data, t, c);
        area += 0.5 * vec3_length(vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0])));
    }
    return area * (1 - f) / (PI * options->max_protrusion * options->max_protrusion * (1 + f));
}

static scree_status check_protrusion(const char *name, const triangle_mesh *mesh, const sphere_fit_options *options,
                                     scree_error *error)
{
    if (options->count > 0 || options->max_protrusion == 0)
        return SCREE_OK;
    double least = least_count(mesh, options);
    if (least <= MOST_FITTED_SPHERES)
        return SCREE_OK;
    return fail(error, SCREE_ERROR_INVALID,
                "%s: a protrusion of at most %g needs %.3g spheres or more; up to %d are made, and a count is accepted",
                name, options->max_protrusion, least, MOST_FITTED_SPHERES);
}

static bool make_spheres(fitter *fit, const triangle_mesh *mesh, sphere_list *list, sphere_fit_report *report)
{
    size_t triangles = mesh->corners.count / 3;
    if (!closed_surface_make(&fit->surface, mesh->vertices.data, mesh->vertices.count, mesh->corners.data, triangles))
        return false;
    fit->sharp = calloc(triangles, sizeof *fit->sharp);
    fit->order = malloc(triangles * sizeof *fit->order);
    fit->keys = malloc(triangles * sizeof *fit->keys);
    vec3 low, high;
    triangles_bounds(mesh->vertices.data, mesh->corners.data, triangles, &low, &high);
    report->size = vec3_length(vec3_sub(high, low));
    return fit->sharp && fit->order && fit->keys && fit_pieces(fit, report) && take_balls(fit, list, report) &&
           sphere_measure(&fit->surface, list->balls.data, list->balls.count, report);
}

scree_status sphere_fit(const char *name, triangle_mesh *mesh, const sphere_fit_options *options, sphere_list *list,
                        sphere_fit_report *report, scree_error *error)
{
    *list = (sphere_list){0};
    *report = (sphere_fit_report){0};
    scree_status status = check_options(options, error);
    if (status == SCREE_OK)
        status = solid_check(mesh->vertices.data, mesh->corners.data, mesh->corners.count / 3, name, error);
    if (status == SCREE_OK)
        status = check_protrusion(name, mesh, options, error);
    if (status)
        return status;
    fitter fit = {.options = options};
    center_mesh(mesh, list);
    bool done = make_spheres(&fit, mesh, list, report);
    closed_surface_free(&fit.surface);
    free(fit.sharp);
    free(fit.order);
    free(fit.keys);
    array_free(&fit.pieces);
    if (done)
        return SCREE_OK;
    sphere_list_free(list);
    return fail_no_memory(error);
}
