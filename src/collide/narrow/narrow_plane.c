// Capsules, cylinders, cones and hulls against planes: the points of the shape that may be lowest, each with its own
// height.
//
//     capsule    the ends of its core                         standing: 1 point, lying: 2
//     cylinder   four points of the cap that faces the plane, and its lowest; else the ends of the lowest side line
//     cone       the same with its base; else the lowest point of the base and the apex
//     hull       all corners, thinned out to those that span
#include "collide/convex/spread.h"
#include "collide/narrow/narrow.h"
#include "collide/narrow/narrow_pair.h"

static const double CAP_COSINE = 0.98; // a cap within 11 degrees of the plane rests on four points
static const double EXACT = 1e-7;      // in radii: a rim may be that much lower than its four points

enum { NAME_LOWEST = 8, NAME_SIDE = 16 };

// A shape over a plane, in the world's axes about the shape's centre.
typedef struct plane_job {
    convex shape;
    vec3 outward, tangent[2];
    vec3 down; // against the normal of the plane, in the shape's axes
    double height;
    spread kept;
} plane_job;

// A point of the core in the shape's axes.
static double point_gap(const plane_job *job, vec3 point)
{
    return job->height - vec3_dot(job->down, point) - job->shape.radius;
}

static void keep_point(plane_job *job, vec3 point, uint32_t name)
{
    double gap = point_gap(job, point);
    if (gap > job->kept.margin)
        return;
    vec3 at = vec3_add_scaled(mat3_apply(&job->shape.axes, point), job->outward, -job->shape.radius - 0.5 * gap);
    spread_point p = {vec3_dot(at, job->tangent[0]), vec3_dot(at, job->tangent[1]), vec3_dot(at, job->outward), gap,
                      name};
    spread_add(&job->kept, &p);
}

// The lowest point of the circle of the shape's radius at height z.
static vec3 lowest_of_circle(const plane_job *job, double z)
{
    vec3 out = vec3_normalize(vec3_make(job->down.x, job->down.y, 0));
    return vec3_make(job->shape.size.x * out.x, job->shape.size.x * out.y, z);
}

// Places fixed in the shape, so that a shape at rest keeps its points; the lowest joins them where it is lower.
static void keep_cap(plane_job *job, double z)
{
    double radius = job->shape.size.x, smallest = HUGE_VAL;
    const vec3 rim[4] = {{radius, 0, z}, {0, radius, z}, {-radius, 0, z}, {0, -radius, z}};
    for (uint32_t i = 0; i < 4; i++) {
        smallest = fmin(smallest, point_gap(job, rim[i]));
        keep_point(job, rim[i], i + (z > 0 ? 4 : 0));
    }
    vec3 lowest = lowest_of_circle(job, z);
    if (point_gap(job, lowest) < smallest - EXACT * radius)
        keep_point(job, lowest, NAME_LOWEST);
}

static void keep_shape(plane_job *job)
{
    double half = job->shape.size.z, toward = job->down.z;
    switch (job->shape.kind) {
    case CONVEX_SEGMENT:
        keep_point(job, vec3_make(0, 0, -half), 0);
        keep_point(job, vec3_make(0, 0, half), 1);
        break;
    case CONVEX_CYLINDER:
        if (fabs(toward) >= CAP_COSINE) {
            keep_cap(job, copysign(half, toward));
            break;
        }
        keep_point(job, lowest_of_circle(job, -half), NAME_SIDE);
        keep_point(job, lowest_of_circle(job, half), NAME_SIDE + 1);
        break;
    case CONVEX_CONE:
        if (-toward >= CAP_COSINE)
            keep_cap(job, -0.5 * half);
        else
            keep_point(job, lowest_of_circle(job, -0.5 * half), NAME_SIDE);
        keep_point(job, vec3_make(0, 0, 1.5 * half), NAME_SIDE + 1);
        break;
    default:
        for (uint32_t i = 0; i < job->shape.hull->vertex_count; i++)
            keep_point(job, job->shape.hull->vertices[i], i);
    }
}

static plane_job job_make(const proxy_view *view, const proxy *a, const proxy *b, const pair_place *place)
{
    plane_job job = {.shape = convex_of_proxy(view, a, vec3_make(0, 0, 0))};
    job.outward = plane_under(view, b, place, &job.height);
    job.down = vec3_negate(mat3_apply_transposed(&job.shape.axes, job.outward));
    vec3 axis = fabs(job.outward.x) <= 0.6 ? vec3_make(1, 0, 0) : vec3_make(0, 1, 0);
    job.tangent[0] = vec3_normalize(vec3_cross(job.outward, axis));
    job.tangent[1] = vec3_cross(job.outward, job.tangent[0]);
    spread_begin(&job.kept, pair_margin(view, a, b), 0);
    return job;
}

bool narrow_convex_plane(const proxy_view *view, const proxy_pair *pairs, size_t count, contact_array *out)
{
    for (size_t i = 0; i < count; i++) {
        if (!array_reserve(out, out->count + MANIFOLD_MOST))
            return false;
        const proxy *a = &view->proxies[pairs[i].a], *b = &view->proxies[pairs[i].b];
        pair_place place = place_pair(view, a, b);
        plane_job job = job_make(view, a, b, &place);
        keep_shape(&job);
        spread_point points[MANIFOLD_MOST];
        int found = spread_end(&job.kept, points);
        for (int k = 0; k < found; k++) {
            vec3 arm = vec3_add_scaled(place.arm, job.outward, points[k].z);
            arm = vec3_add_scaled(vec3_add_scaled(arm, job.tangent[0], points[k].x), job.tangent[1], points[k].y);
            out->data[out->count++] = make_contact(a, b, points[k].name, arm, vec3_negate(job.outward), points[k].gap);
        }
    }
    return true;
}
