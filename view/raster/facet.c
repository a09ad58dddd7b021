// A corner's normal is the mean of those of the triangles that meet there, by their area, without the ones that turn
// away sharply: slopes look smooth, and edges stay edges.
#include "view/raster/facet.h"

#include "geometry/surface.h"
#include "view/raster/vec3f.h"

static const double SHARP = 0.82; // cosine of the angle, about 35 degrees, from which an edge is an edge
enum { MANY_TRIANGLES = 64 };     // at one corner: then the corner is sharp for all of them

typedef struct facet_mesh {
    shape_surface surface;
    ARRAY(vec3) normals;    // by triangle, as long as twice its area
    ARRAY(uint32_t) starts; // by point: where its triangles begin in `around`
    ARRAY(uint32_t) around;
} facet_mesh;

static void facet_mesh_free(facet_mesh *mesh)
{
    shape_surface_free(&mesh->surface);
    array_free(&mesh->normals);
    array_free(&mesh->starts);
    array_free(&mesh->around);
}

static bool find_normals(facet_mesh *mesh)
{
    const shape_surface *s = &mesh->surface;
    if (!array_resize(&mesh->normals, s->ends.count))
        return false;
    for (size_t t = 0; t < s->ends.count; t++) {
        const uint32_t *c = s->corners.data + 3 * t;
        vec3 a = s->points.data[c[0]];
        mesh->normals.data[t] = vec3_cross(vec3_sub(s->points.data[c[1]], a), vec3_sub(s->points.data[c[2]], a));
    }
    return true;
}

// Which triangles meet at each point, by a counting sort.
static bool find_neighbours(facet_mesh *mesh)
{
    const shape_surface *s = &mesh->surface;
    size_t points = s->points.count;
    if (!array_resize(&mesh->starts, points + 2) || !array_resize(&mesh->around, s->corners.count))
        return false;
    uint32_t *next = mesh->starts.data + 1; // moves on to the start of the next point while triangles are put in
    memset(mesh->starts.data, 0, (points + 2) * sizeof *next);
    for (size_t i = 0; i < s->corners.count; i++)
        next[s->corners.data[i] + 1]++;
    for (size_t i = 1; i <= points; i++)
        next[i] += next[i - 1];
    for (size_t i = 0; i < s->corners.count; i++)
        mesh->around.data[next[s->corners.data[i]]++] = (uint32_t)(i / 3);
    return true;
}

static vec3 corner_normal(const facet_mesh *mesh, size_t triangle, uint32_t point)
{
    vec3 own = mesh->normals.data[triangle], unit = vec3_normalize(own), sum = {0, 0, 0};
    uint32_t from = mesh->starts.data[point], end = mesh->starts.data[point + 1];
    if (end - from > MANY_TRIANGLES)
        return unit;
    for (uint32_t i = from; i < end; i++) {
        vec3 other = mesh->normals.data[mesh->around.data[i]];
        if (vec3_dot(unit, other) > SHARP * vec3_length(other))
            sum = vec3_add(sum, other);
    }
    return vec3_normalize(sum);
}

static bool add_triangles(facet_array *to, const facet_mesh *mesh, vec3 place, quat orientation, color paint)
{
    const shape_surface *s = &mesh->surface;
    if (!array_reserve(to, to->count + s->ends.count))
        return false;
    for (size_t t = 0; t < s->ends.count; t++) {
        if (!(vec3_length(mesh->normals.data[t]) > 0)) // without an area there is nothing to see
            continue;
        picture_triangle *facet = &to->data[to->count++];
        facet->color = paint;
        for (int i = 0; i < 3; i++) {
            uint32_t point = s->corners.data[3 * t + (size_t)i];
            facet->corners[i] = vec3_add(place, quat_rotate(orientation, s->points.data[point]));
            facet->normals[i] = vec3f_from(quat_rotate(orientation, corner_normal(mesh, t, point)));
        }
    }
    return true;
}

bool facets_add(facet_array *to, const scree_shape_def *shape, scree_vec3 place, scree_quat orientation, color paint)
{
    facet_mesh mesh = {0};
    const uint32_t sectors = 8; // nothing is round here
    bool done = shape_surface_add(&mesh.surface, shape, sectors) && find_normals(&mesh) && find_neighbours(&mesh) &&
                add_triangles(to, &mesh, place, orientation, paint);
    facet_mesh_free(&mesh);
    return done;
}
