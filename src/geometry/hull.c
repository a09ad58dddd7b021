// Everything that follows from a hull's vertices and faces: planes, rings, mass, bounds; and hulls as plain arrays for
// snapshots.
//
// Making a hull and reading one from a snapshot end in the same function, so a snapshot holds vertices and faces only,
// and whatever a file says is checked like the rest: a closed surface of one piece in which each face lies below its
// neighbours' planes.
#include "geometry/hull.h"

#include <stdlib.h>

#include "base/error.h"
#include "geometry/solid.h"

// How far a face's corners may lie off its plane, since the merging of nearly coplanar faces leaves some unevenness: in
// parts of the hull's size, and of its depth below its nearest face.
#define UNEVENNESS_OF_SIZE  2e-6
#define UNEVENNESS_OF_DEPTH 1e-2

hull_geometry *hull_new(size_t vertex_count, size_t face_count, size_t corner_count)
{
    hull_geometry *hull = calloc(1, sizeof *hull);
    if (!hull)
        return NULL;
    hull->vertex_count = vertex_count;
    hull->face_count = face_count;
    hull->vertices = calloc(vertex_count, sizeof *hull->vertices);
    hull->normals = calloc(face_count, sizeof *hull->normals);
    hull->offsets = calloc(face_count, sizeof *hull->offsets);
    hull->face_start = calloc(face_count + 1, sizeof *hull->face_start);
    hull->face_corners = calloc(corner_count, sizeof *hull->face_corners);
    hull->ring_start = calloc(vertex_count + 1, sizeof *hull->ring_start);
    hull->ring = calloc(corner_count, sizeof *hull->ring);
    hull->vertex_columns = calloc(3 * hull_column_length(vertex_count), sizeof *hull->vertex_columns);
    hull->normal_columns = calloc(3 * hull_column_length(face_count), sizeof *hull->normal_columns);
    if (hull->vertices && hull->normals && hull->offsets && hull->face_start && hull->face_corners &&
        hull->ring_start && hull->ring && hull->vertex_columns && hull->normal_columns)
        return hull;
    hull_free(hull);
    return NULL;
}

void hull_free(hull_geometry *hull)
{
    if (!hull)
        return;
    free(hull->vertices);
    free(hull->normals);
    free(hull->offsets);
    free(hull->face_start);
    free(hull->face_corners);
    free(hull->ring_start);
    free(hull->ring);
    free(hull->vertex_columns);
    free(hull->normal_columns);
    free(hull);
}

static size_t corner_count_of(const hull_geometry *hull)
{
    return hull->face_start[hull->face_count];
}

// ------------------------------------------------------------------------------------------------------------- edges

// One direction of an edge and the face to its left.
typedef struct side {
    uint32_t from, to, face;
} side;

static int compare_sides(const void *left, const void *right)
{
    const side *a = left, *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

// NULL when out of memory.
static side *sorted_sides(const hull_geometry *hull)
{
    size_t count = corner_count_of(hull);
    side *sides = malloc(count * sizeof *sides);
    if (!sides)
        return NULL;
    for (size_t f = 0; f < hull->face_count; f++)
        for (uint32_t i = hull->face_start[f]; i < hull->face_start[f + 1]; i++) {
            uint32_t next = i + 1 < hull->face_start[f + 1] ? i + 1 : hull->face_start[f];
            sides[i] = (side){hull->face_corners[i], hull->face_corners[next], (uint32_t)f};
        }
    qsort(sides, count, sizeof *sides, compare_sides);
    return sides;
}

static const side *find_side(const side *sides, size_t count, uint32_t from, uint32_t to)
{
    side wanted = {from, to, 0};
    return bsearch(&wanted, sides, count, sizeof *sides, compare_sides);
}

// Each side once, each with its opposite, each vertex with three at least; then Euler's formula holds for a sphere.
static bool edges_close(const hull_geometry *hull, const side *sides)
{
    size_t count = corner_count_of(hull), degree = 0;
    for (size_t i = 0; i < count; i++) {
        degree = i > 0 && sides[i].from == sides[i - 1].from ? degree + 1 : 1;
        bool last = i + 1 == count || sides[i + 1].from != sides[i].from;
        if (sides[i].from == sides[i].to || (i > 0 && compare_sides(&sides[i - 1], &sides[i]) == 0) ||
            !find_side(sides, count, sides[i].to, sides[i].from) || (last && degree < 3))
            return false;
    }
    return hull->vertex_count + hull->face_count == count / 2 + 2;
}

static void fill_rings(hull_geometry *hull, const side *sides)
{
    size_t count = corner_count_of(hull);
    for (size_t i = 0; i < count; i++) {
        hull->ring[i] = sides[i].to;
        hull->ring_start[sides[i].from + 1] = (uint32_t)(i + 1);
    }
    for (size_t v = 0; v < hull->vertex_count; v++) // vertices without edges have empty rings
        if (hull->ring_start[v + 1] < hull->ring_start[v])
            hull->ring_start[v + 1] = hull->ring_start[v];
}

// Whether one walk along edges reaches every vertex.
static bool is_one_piece(const hull_geometry *hull, bool *connected)
{
    uint32_t *waiting = malloc(hull->vertex_count * sizeof *waiting);
    bool *seen = calloc(hull->vertex_count, sizeof *seen);
    bool done = waiting && seen;
    size_t reached = 1, next = 0;
    if (done) {
        waiting[0] = 0;
        seen[0] = true;
        for (; next < reached; next++)
            for (uint32_t i = hull->ring_start[waiting[next]]; i < hull->ring_start[waiting[next] + 1]; i++)
                if (!seen[hull->ring[i]]) {
                    seen[hull->ring[i]] = true;
                    waiting[reached++] = hull->ring[i];
                }
        *connected = reached == hull->vertex_count;
    }
    free(waiting);
    free(seen);
    return done;
}

// ------------------------------------------------------------------------------------------------------------ planes

// Newell's normal, which weighs all corners alike; the plane passes through the outermost of them and of their
// neighbours, so that nothing is outside.
static void set_plane(hull_geometry *hull, size_t face)
{
    vec3 sum = {0, 0, 0};
    uint32_t start = hull->face_start[face], end = hull->face_start[face + 1];
    vec3 base = hull->vertices[hull->face_corners[start]];
    for (uint32_t i = start + 1; i + 1 < end; i++)
        sum = vec3_add(sum, vec3_cross(vec3_sub(hull->vertices[hull->face_corners[i]], base),
                                       vec3_sub(hull->vertices[hull->face_corners[i + 1]], base)));
    hull->normals[face] = vec3_normalize(sum);
    hull->offsets[face] = -HUGE_VAL;
    for (uint32_t i = start; i < end; i++) {
        uint32_t corner = hull->face_corners[i];
        hull->offsets[face] = fmax(hull->offsets[face], vec3_dot(hull->normals[face], hull->vertices[corner]));
        for (uint32_t r = hull->ring_start[corner]; r < hull->ring_start[corner + 1]; r++)
            hull->offsets[face] =
                fmax(hull->offsets[face], vec3_dot(hull->normals[face], hull->vertices[hull->ring[r]]));
    }
}

// The face's own corners lie in its plane, the origin and the corners of the faces around below it.
static bool face_is_convex(const hull_geometry *hull, size_t face, double tolerance)
{
    double length = vec3_length(hull->normals[face]);
    if (!(fabs(length - 1) < 1e-6) || !(hull->offsets[face] > 0))
        return false;
    uint32_t start = hull->face_start[face], end = hull->face_start[face + 1];
    for (uint32_t i = start; i < end; i++) {
        double below = hull->offsets[face] - vec3_dot(hull->normals[face], hull->vertices[hull->face_corners[i]]);
        if (!(below <= tolerance))
            return false;
        // A polygon turns left at every corner, or goes straight on.
        vec3 a = hull->vertices[hull->face_corners[i]];
        vec3 b = hull->vertices[hull->face_corners[i + 1 < end ? i + 1 : start]];
        vec3 c = hull->vertices[hull->face_corners[i + 2 < end ? i + 2 : start + (i + 2 - end)]];
        vec3 cross = vec3_cross(vec3_sub(b, a), vec3_sub(c, b));
        if (!(vec3_dot(cross, hull->normals[face]) >= -tolerance * vec3_length(vec3_sub(c, a))))
            return false;
    }
    return true;
}

// -------------------------------------------------------------------------------------------------------- the whole

scree_status hull_solid(const hull_geometry *hull, solid_properties *solid, scree_error *error)
{
    ARRAY(uint32_t) fan = {0};
    if (!array_reserve_exact(&fan, 3 * corner_count_of(hull)))
        return fail_no_memory(error);
    for (size_t f = 0; f < hull->face_count; f++)
        for (uint32_t i = hull->face_start[f] + 1; i + 1 < hull->face_start[f + 1]; i++) {
            fan.data[fan.count++] = hull->face_corners[hull->face_start[f]];
            fan.data[fan.count++] = hull->face_corners[i];
            fan.data[fan.count++] = hull->face_corners[i + 1];
        }
    *solid = solid_of_triangles(hull->vertices, fan.data, fan.count / 3);
    array_free(&fan);
    return SCREE_OK;
}

static scree_status check_faces(const hull_geometry *hull, scree_error *error)
{
    for (size_t v = 0; v < hull->vertex_count; v++)
        if (!(fabs(hull->vertices[v].x) <= 1e15 && fabs(hull->vertices[v].y) <= 1e15 &&
              fabs(hull->vertices[v].z) <= 1e15))
            return fail(error, SCREE_ERROR_INVALID, "a hull's vertices must be finite, at most 1e15 from its middle");
    for (size_t i = 0; i < corner_count_of(hull); i++)
        if (hull->face_corners[i] >= hull->vertex_count)
            return fail(error, SCREE_ERROR_INVALID, "a hull's face speaks of vertex %lu of %zu",
                        (unsigned long)hull->face_corners[i], hull->vertex_count);
    return SCREE_OK;
}

static scree_status connect(hull_geometry *hull, scree_error *error)
{
    side *sides = sorted_sides(hull);
    if (!sides)
        return fail_no_memory(error);
    bool closed = edges_close(hull, sides), connected = false;
    fill_rings(hull, sides);
    free(sides);
    if (!is_one_piece(hull, &connected))
        return fail_no_memory(error);
    if (!closed || !connected)
        return fail(error, SCREE_ERROR_INVALID, "a hull's faces must make one closed surface");
    return SCREE_OK;
}

void hull_fill_columns(double *columns, const vec3 *from, size_t count)
{
    size_t length = hull_column_length(count);
    for (size_t i = 0; i < length; i++)
        for (int k = 0; k < 3; k++)
            columns[(size_t)k * length + i] = vec3_get(from[i < count ? i : 0], k);
}

scree_status hull_finish(scree_geometry *geometry, scree_error *error)
{
    hull_geometry *hull = geometry->hull;
    scree_status status = check_faces(hull, error);
    if (status == SCREE_OK)
        status = connect(hull, error);
    if (status)
        return status;
    geometry_set_bounds(geometry, hull->vertices, hull->vertex_count);
    double depth = HUGE_VAL;
    for (size_t f = 0; f < hull->face_count; f++) {
        set_plane(hull, f);
        depth = fmin(depth, hull->offsets[f]);
    }
    hull->inner_radius = depth;
    double tolerance = fmin(UNEVENNESS_OF_SIZE * geometry->radius, UNEVENNESS_OF_DEPTH * depth);
    for (size_t f = 0; f < hull->face_count; f++)
        if (!face_is_convex(hull, f, tolerance))
            return fail(error, SCREE_ERROR_INVALID, "a hull must be convex about its middle: its face %zu is not", f);
    hull_fill_columns(hull->vertex_columns, hull->vertices, hull->vertex_count);
    hull_fill_columns(hull->normal_columns, hull->normals, hull->face_count);
    status = hull_solid(hull, &geometry->solid, error);
    if (status)
        return status;
    if (!(geometry->solid.volume > 0) || !isfinite(geometry->solid.volume))
        return fail(error, SCREE_ERROR_INVALID, "a hull must have a volume");
    return SCREE_OK;
}

// ----------------------------------------------------------------------------------------------------------- packing
//
// reals: origin, vertices. words: vertices, faces, corners of each face, all corners.

static bool push_vec(geometry_parts *to, vec3 v)
{
    return array_push(&to->reals, v.x) && array_push(&to->reals, v.y) && array_push(&to->reals, v.z);
}

bool hull_pack(const scree_geometry *geometry, geometry_parts *to)
{
    const hull_geometry *hull = geometry->hull;
    bool done = push_vec(to, geometry->origin);
    for (size_t v = 0; done && v < hull->vertex_count; v++)
        done = push_vec(to, hull->vertices[v]);
    done = done && array_push(&to->words, (uint32_t)hull->vertex_count);
    done = done && array_push(&to->words, (uint32_t)hull->face_count);
    for (size_t f = 0; done && f < hull->face_count; f++)
        done = array_push(&to->words, hull->face_start[f + 1] - hull->face_start[f]);
    for (size_t i = 0; done && i < corner_count_of(hull); i++)
        done = array_push(&to->words, hull->face_corners[i]);
    return done;
}

// The number of corners of all faces; 0 when the arrays are not of the sizes that they speak of.
static size_t packed_corners(const packed_geometry *from)
{
    if (from->word_count < 2 || from->real_count < 3)
        return 0;
    size_t vertices = from->words[0], faces = from->words[1], corners = 0;
    if (vertices < 4 || faces < 4 || from->real_count != 3 * vertices + 3 || faces > from->word_count - 2)
        return 0;
    for (size_t f = 0; f < faces; f++) {
        if (from->words[2 + f] < 3)
            return 0;
        corners += from->words[2 + f];
    }
    return corners <= UINT32_MAX && corners == from->word_count - 2 - faces ? corners : 0;
}

static void copy_parts(scree_geometry *geometry, const packed_geometry *from, size_t corners)
{
    hull_geometry *hull = geometry->hull;
    geometry->origin = vec3_make(from->reals[0], from->reals[1], from->reals[2]);
    for (size_t v = 0; v < hull->vertex_count; v++) {
        const double *r = &from->reals[3 + 3 * v];
        hull->vertices[v] = vec3_make(r[0], r[1], r[2]);
    }
    for (size_t f = 0; f < hull->face_count; f++)
        hull->face_start[f + 1] = hull->face_start[f] + from->words[2 + f];
    memcpy(hull->face_corners, from->words + 2 + hull->face_count, corners * sizeof *hull->face_corners);
}

scree_status hull_unpack(const packed_geometry *from, scree_geometry **geometry, scree_error *error)
{
    *geometry = NULL;
    size_t corners = packed_corners(from);
    if (corners == 0)
        return fail(error, SCREE_ERROR_INVALID, "a hull's arrays are not of the sizes that they speak of");
    scree_geometry *made = geometry_new(SCREE_SHAPE_HULL);
    if (!made || !(made->hull = hull_new(from->words[0], from->words[1], corners))) {
        scree_geometry_release(made);
        return fail_no_memory(error);
    }
    copy_parts(made, from, corners);
    scree_status status = vec3_finite(made->origin)
                              ? hull_finish(made, error)
                              : fail(error, SCREE_ERROR_INVALID, "a hull's origin must be finite");
    if (status) {
        scree_geometry_release(made);
        return status;
    }
    *geometry = made;
    return SCREE_OK;
}
