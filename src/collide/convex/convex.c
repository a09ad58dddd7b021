// Support functions: for each kind the farthest point of its core along a direction, found in the shape's own axes.
#include "collide/convex/convex.h"

#include "collide/convex/farthest.h"

// Hulls of more vertices are climbed from vertex to vertex; below that a scan in lanes is faster.
enum { HULL_SCAN = 128 };

convex convex_of_proxy(const proxy_view *view, const proxy *p, vec3 center)
{
    convex shape = {.center = center, .axes = mat3_from_quat(proxy_orientation(view, p))};
    double x = (double)p->size[0], y = (double)p->size[1], z = (double)p->size[2];
    switch ((scree_shape_type)p->type) {
    case SCREE_SHAPE_BOX:
    case SCREE_SHAPE_ELLIPSOID:
        shape.kind = p->type == SCREE_SHAPE_BOX ? CONVEX_BOX : CONVEX_ELLIPSOID;
        shape.size = vec3_make(x, y, z);
        break;
    case SCREE_SHAPE_CAPSULE:
        shape.kind = CONVEX_SEGMENT;
        shape.radius = x;
        shape.size.z = y;
        break;
    case SCREE_SHAPE_CYLINDER:
    case SCREE_SHAPE_CONE:
        shape.kind = p->type == SCREE_SHAPE_CYLINDER ? CONVEX_CYLINDER : CONVEX_CONE;
        shape.size = vec3_make(x, 0, y);
        break;
    case SCREE_SHAPE_HULL:
        shape.kind = CONVEX_HULL;
        shape.hull = view->geometries[p->geometry]->hull;
        break;
    default:
        shape.kind = CONVEX_POINT;
        shape.radius = x;
    }
    return shape;
}

// The point of a circle about z that is farthest along a direction; along the axis all are, and the first is taken.
static vec3 circle_support(vec3 direction, double radius, double z)
{
    double across = sqrt(direction.x * direction.x + direction.y * direction.y);
    if (across <= 1e-150) // below that the square is lost to underflow
        return vec3_make(radius, 0, z);
    return vec3_make(radius * (direction.x / across), radius * (direction.y / across), z);
}

// The apex beats the circle of the base when the direction leans by more than the side.
static vec3 cone_support(vec3 direction, double radius, double half)
{
    double across = sqrt(direction.x * direction.x + direction.y * direction.y);
    if (2 * half * direction.z > radius * across)
        return vec3_make(0, 0, 1.5 * half);
    return circle_support(direction, radius, -0.5 * half);
}

// The gradient of the support function |R d|.
static vec3 ellipsoid_support(vec3 direction, vec3 radii)
{
    vec3 scaled = vec3_multiply(direction, radii);
    double largest = fmax(fabs(scaled.x), fmax(fabs(scaled.y), fabs(scaled.z)));
    if (!(largest > 0))
        return vec3_make(radii.x, 0, 0);
    return vec3_multiply(vec3_normalize(vec3_scale(scaled, 1 / largest)), radii);
}

static uint32_t hull_scan(const hull_geometry *hull, vec3 direction)
{
    const double d[3] = {direction.x, direction.y, direction.z};
    return farthest_point(hull->vertex_columns, hull_column_length(hull->vertex_count), d);
}

// A vertex of a convex polyhedron that no neighbour surpasses is the farthest of all.
static uint32_t hull_climb(const hull_geometry *hull, vec3 direction, uint32_t at)
{
    double most = vec3_dot(hull->vertices[at], direction);
    for (;;) {
        uint32_t from = at;
        for (uint32_t i = hull->ring_start[from]; i < hull->ring_start[from + 1]; i++) {
            double along = vec3_dot(hull->vertices[hull->ring[i]], direction);
            if (along > most) {
                most = along;
                at = hull->ring[i];
            }
        }
        if (at == from)
            return at;
    }
}

static vec3 triangle_support(const vec3 corners[3], vec3 direction)
{
    double d[3];
    for (int i = 0; i < 3; i++)
        d[i] = vec3_dot(corners[i], direction);
    return corners[d[0] >= d[1] ? (d[0] >= d[2] ? 0 : 2) : (d[1] >= d[2] ? 1 : 2)];
}

vec3 convex_support_from(const convex *shape, vec3 direction, uint32_t *start)
{
    vec3 d = mat3_apply_transposed(&shape->axes, direction), size = shape->size, point = {0, 0, 0};
    switch (shape->kind) {
    case CONVEX_POINT:
        return shape->center;
    case CONVEX_SEGMENT:
        point.z = copysign(size.z, d.z);
        break;
    case CONVEX_TRIANGLE:
        point = triangle_support(shape->corners, d);
        break;
    case CONVEX_BOX:
        point = vec3_make(copysign(size.x, d.x), copysign(size.y, d.y), copysign(size.z, d.z));
        break;
    case CONVEX_ELLIPSOID:
        point = ellipsoid_support(d, size);
        break;
    case CONVEX_CYLINDER:
        point = circle_support(d, size.x, copysign(size.z, d.z));
        break;
    case CONVEX_CONE:
        point = cone_support(d, size.x, size.z);
        break;
    case CONVEX_HULL:
        *start =
            shape->hull->vertex_count <= HULL_SCAN ? hull_scan(shape->hull, d) : hull_climb(shape->hull, d, *start);
        point = shape->hull->vertices[*start];
        break;
    }
    return vec3_add(shape->center, mat3_apply(&shape->axes, point));
}

vec3 convex_support(const convex *shape, vec3 direction)
{
    uint32_t start = 0;
    return convex_support_from(shape, direction, &start);
}
