// Cylinders and cones are plane figures swept about their axis, so a point of space becomes one of the half plane:
//
//     out ^                    out ^
//         |                        |
//       r +------+               r +.
//         |      |                 |  `.        cone: base at -h/2, apex at 3h/2
//         +------+--> z            +-----`--> z
//         cylinder, to h
#include "collide/convex/point_distance.h"

#include "collide/narrow/narrow_pair.h"

// A point by its height along the axis and its distance from it; `radial` is where that distance points.
typedef struct half_point {
    double z, out;
    vec3 radial;
} half_point;

static half_point half_point_of(vec3 p)
{
    double out = sqrt(p.x * p.x + p.y * p.y);
    if (out > 1e-150) // below that the square is lost to underflow
        return (half_point){p.z, out, vec3_make(p.x / out, p.y / out, 0)};
    return (half_point){p.z, 0, vec3_make(1, 0, 0)};
}

static vec3 direction_of(const half_point *p, double z, double out)
{
    return vec3_make(out * p->radial.x, out * p->radial.y, z);
}

static double segment_distance(vec3 p, double half, vec3 *outward)
{
    vec3 away = {p.x, p.y, p.z - fmin(fmax(p.z, -half), half)};
    double distance = vec3_length(away);
    *outward = distance > 1e-150 ? vec3_scale(away, 1 / distance) : vec3_make(1, 0, 0);
    return distance;
}

static double cylinder_distance(vec3 point, double radius, double half, vec3 *outward)
{
    half_point p = half_point_of(point);
    double over = fabs(p.z) - half, out = p.out - radius, side = copysign(1, p.z);
    if (over > 0 && out > 0) {
        double distance = hypotenuse(over, out);
        *outward = direction_of(&p, side * over / distance, out / distance);
        return distance;
    }
    bool cap = over > out;
    *outward = cap ? direction_of(&p, side, 0) : direction_of(&p, 0, 1);
    return cap ? over : out;
}

static double cone_distance(vec3 point, double radius, double half, vec3 *outward)
{
    half_point p = half_point_of(point);
    double slant = hypotenuse(2 * half, radius), base = -0.5 * half;
    double side_z = radius / slant, side_out = 2 * half / slant; // normal of the side
    double over_side = side_z * (p.z - base) + side_out * (p.out - radius), under = base - p.z;
    double along = side_out * (p.z - base) - side_z * (p.out - radius); // up the side from the rim
    if (over_side <= 0 && under <= 0) {
        *outward = over_side > under ? direction_of(&p, side_z, side_out) : direction_of(&p, -1, 0);
        return fmax(over_side, under);
    }
    if (under > 0 && p.out <= radius) {
        *outward = direction_of(&p, -1, 0);
        return under;
    }
    if (over_side > 0 && along >= 0 && along <= slant) {
        *outward = direction_of(&p, side_z, side_out);
        return over_side;
    }
    bool apex = along > slant;
    double z = p.z - (apex ? 1.5 * half : base), out = apex ? p.out : p.out - radius, distance = hypotenuse(z, out);
    *outward = distance > 1e-150 ? direction_of(&p, z / distance, out / distance) : vec3_make(0, 0, 1);
    return distance;
}

// Inside a hull the way out leads through the nearest plane.
static bool hull_depth(const hull_geometry *hull, vec3 point, double *distance, vec3 *outward)
{
    *distance = (double)-INFINITY;
    for (size_t f = 0; f < hull->face_count; f++) {
        double over = vec3_dot(hull->normals[f], point) - hull->offsets[f];
        if (over > 0)
            return false;
        if (over > *distance) {
            *distance = over;
            *outward = hull->normals[f];
        }
    }
    return true;
}

bool point_distance(const convex *shape, vec3 point, double *distance, vec3 *outward)
{
    vec3 p = mat3_apply_transposed(&shape->axes, vec3_sub(point, shape->center)), local = {0, 0, 1};
    switch (shape->kind) {
    case CONVEX_POINT:
        *distance = segment_distance(p, 0, &local);
        break;
    case CONVEX_SEGMENT:
        *distance = segment_distance(p, shape->size.z, &local);
        break;
    case CONVEX_BOX:
        *distance = box_distance(p, shape->size, &local);
        break;
    case CONVEX_CYLINDER:
        *distance = cylinder_distance(p, shape->size.x, shape->size.z, &local);
        break;
    case CONVEX_CONE:
        *distance = cone_distance(p, shape->size.x, shape->size.z, &local);
        break;
    case CONVEX_HULL:
        if (!hull_depth(shape->hull, p, distance, &local))
            return false;
        break;
    default:
        return false;
    }
    *outward = mat3_apply(&shape->axes, local);
    return true;
}
