// Convex hulls of points, by qhull (Barber, Dobkin and Huhdanpaa, The Quickhull algorithm for convex hulls, 1996).
//
// qhull gets the points about their middle and at unit size, so that its tolerances are relative. It merges faces that
// are coplanar to within the rounding of single precision, in which mesh files are often written: a box from such a
// file has six faces, not twelve. Where merging leaves something that is not convex (needles and flakes thinner than
// the tolerance) it is done again with rounding alone, and at last with points moved by a hair, which always works.
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "geometry/hull.h"

#if SCREE_HAVE_QHULL

#include <libqhull_r/qhull_ra.h>

static const char *const attempts[] = {"qhull Pp C-0 C1e-7", "qhull Pp C-0", "qhull Pp QJ"};
enum { ATTEMPTS = sizeof attempts / sizeof *attempts };

typedef struct point_cloud {
    const vec3 *points;
    size_t count;
    vec3 middle;
    double size;
    coordT *scaled; // what qhull sees
} point_cloud;

static scree_status check_points(const vec3 *points, size_t count, scree_error *error)
{
    if (!points || count < 4)
        return fail(error, SCREE_ERROR_INVALID, "a hull needs four points at least, not %zu", points ? count : 0);
    if (count > 1 << 28)
        return fail(error, SCREE_ERROR_INVALID, "a hull takes %d points at most, not %zu", 1 << 28, count);
    for (size_t i = 0; i < count; i++)
        if (!(fabs(points[i].x) <= 1e15 && fabs(points[i].y) <= 1e15 && fabs(points[i].z) <= 1e15))
            return fail(error, SCREE_ERROR_INVALID,
                        "point %zu of a hull must be finite, at most 1e15, not (%g, %g, %g)", i + 1, points[i].x,
                        points[i].y, points[i].z);
    return SCREE_OK;
}

static scree_status scale_points(point_cloud *cloud, scree_error *error)
{
    vec3 low = cloud->points[0], high = low;
    for (size_t i = 1; i < cloud->count; i++) {
        low = vec3_lower(low, cloud->points[i]);
        high = vec3_upper(high, cloud->points[i]);
    }
    cloud->middle = vec3_add_scaled(low, vec3_sub(high, low), 0.5);
    cloud->size = vec3_max(vec3_sub(high, low));
    if (!(cloud->size > 1e-15))
        return fail(error, SCREE_ERROR_INVALID,
                    "the points of a hull are all the same; four that span a volume are needed");
    cloud->scaled = malloc(3 * cloud->count * sizeof *cloud->scaled);
    if (!cloud->scaled)
        return fail_no_memory(error);
    for (size_t i = 0; i < cloud->count; i++)
        for (int axis = 0; axis < 3; axis++)
            cloud->scaled[3 * i + (size_t)axis] =
                (vec3_get(cloud->points[i], axis) - vec3_get(cloud->middle, axis)) / cloud->size;
    return SCREE_OK;
}

// The faces that qhull found become the hull's; `number` has room for one number per point and keeps track of vertices.
static bool copy_faces(qhT *qh, const point_cloud *cloud, uint32_t *number, scree_geometry *made)
{
    facetT *facet;
    vertexT *vertex, **vertexp;
    size_t vertices = 0, faces = 0, corners = 0;
    FORALLvertices vertices++;
    FORALLfacets
    {
        faces++;
        corners += (size_t)qh_setsize(qh, facet->vertices);
    }
    made->hull = hull_new(vertices, faces, corners);
    if (!made->hull)
        return false;
    hull_geometry *hull = made->hull;
    vertices = faces = corners = 0;
    FORALLvertices
    {
        size_t point = (size_t)qh_pointid(qh, vertex->point);
        number[point] = (uint32_t)vertices;
        hull->vertices[vertices++] = vec3_sub(cloud->points[point], cloud->middle);
    }
    FORALLfacets
    {
        setT *ring = qh_facet3vertex(qh, facet); // clockwise from outside
        size_t end = corners += (size_t)qh_setsize(qh, ring);
        FOREACHvertex_(ring) hull->face_corners[--end] = number[qh_pointid(qh, vertex->point)];
        qh_settempfree(qh, &ring);
        hull->face_start[++faces] = (uint32_t)corners;
    }
    return true;
}

// About the centroid of what the faces bound.
static scree_status center_hull(scree_geometry *made, vec3 middle, scree_error *error)
{
    solid_properties solid;
    scree_status status = hull_solid(made->hull, &solid, error);
    if (status)
        return status;
    for (size_t v = 0; v < made->hull->vertex_count; v++)
        made->hull->vertices[v] = vec3_sub(made->hull->vertices[v], solid.centroid);
    made->origin = vec3_add(middle, solid.centroid);
    return hull_finish(made, error);
}

// After qh_new_qhull an error within qhull would end the process, unless there is a place to jump to.
static scree_status take_faces(qhT *qh, const point_cloud *cloud, uint32_t *number, scree_geometry *made,
                               scree_error *error)
{
    if (setjmp(qh->errexit) != 0) {
        qh->NOerrexit = True;
        return fail(error, SCREE_ERROR_INVALID, "the points of a hull span no volume that can be told from rounding");
    }
    qh->NOerrexit = False;
    bool done = copy_faces(qh, cloud, number, made);
    qh->NOerrexit = True;
    return done ? SCREE_OK : fail_no_memory(error);
}

static scree_status run_qhull(qhT *qh, const point_cloud *cloud, char *command, FILE *stream, scree_error *error)
{
    switch (qh_new_qhull(qh, 3, (int)cloud->count, cloud->scaled, False, command, stream, stream)) {
    case qh_ERRnone:
        return SCREE_OK;
    case qh_ERRmem:
        return fail_no_memory(error);
    case qh_ERRsingular:
        return fail(error, SCREE_ERROR_INVALID,
                    "the points of a hull lie in one plane, or nearly so; four that span a volume are needed");
    default:
        return fail(error, SCREE_ERROR_INVALID, "the points of a hull span no volume that can be told from rounding");
    }
}

static scree_status attempt(const point_cloud *cloud, const char *options, uint32_t *number, scree_geometry *made,
                            scree_error *error)
{
    // qhull writes to its two streams and to nothing else; what it says is thrown away.
    char heard[256], command[32];
    FILE *stream = fmemopen(heard, sizeof heard, "w");
    if (!stream)
        return fail_no_memory(error);
    snprintf(command, sizeof command, "%s", options);
    qhT state;
    qh_zero(&state, stream);
    scree_status status = run_qhull(&state, cloud, command, stream, error);
    if (status == SCREE_OK)
        status = take_faces(&state, cloud, number, made, error);
    qh_freeqhull(&state, !qh_ALL);
    int current, total;
    qh_memfreeshort(&state, &current, &total);
    fclose(stream);
    return status ? status : center_hull(made, cloud->middle, error);
}

static scree_status build(const point_cloud *cloud, scree_geometry **geometry, scree_error *error)
{
    uint32_t *number = malloc(cloud->count * sizeof *number);
    scree_status status = number ? SCREE_ERROR_INVALID : fail_no_memory(error);
    scree_error first;
    for (int i = 0; i < ATTEMPTS && status == SCREE_ERROR_INVALID; i++) {
        scree_geometry *made = geometry_new(SCREE_SHAPE_HULL);
        scree_error *where = i == 0 ? &first : NULL; // later attempts move points: the first knows best what is wrong
        status = made ? attempt(cloud, attempts[i], number, made, where) : fail_no_memory(where);
        if (status == SCREE_OK)
            *geometry = made;
        else
            scree_geometry_release(made);
        if (i == 0 && status && error)
            *error = first;
        if (i == 0 && status == SCREE_ERROR_INVALID && strstr(first.message, "one plane"))
            break;
    }
    free(number);
    return status;
}

scree_status scree_hull_create(const scree_vec3 *points, size_t count, scree_geometry **geometry, scree_error *error)
{
    if ((!points && count > 0) || !geometry)
        return fail_null(error, "scree_hull_create");
    *geometry = NULL;
    point_cloud cloud = {.points = points, .count = count};
    scree_status status = check_points(points, count, error);
    if (status == SCREE_OK)
        status = scale_points(&cloud, error);
    if (status == SCREE_OK)
        status = build(&cloud, geometry, error);
    free(cloud.scaled);
    return status;
}

#else

scree_status scree_hull_create(const scree_vec3 *points, size_t count, scree_geometry **geometry, scree_error *error)
{
    (void)points, (void)count;
    *geometry = NULL;
    return fail(error, SCREE_ERROR_INVALID,
                "convex hulls need qhull, which this build is without; scree devices lists it");
}

#endif
