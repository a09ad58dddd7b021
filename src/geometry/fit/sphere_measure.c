#include "geometry/fit/sphere_measure.h"

#include <stdlib.h>

enum { SAMPLES = 40000, LEAST_PER_BALL = 24, MOST_PER_BALL = 4000, MOST_PER_SIDE = 64 };

// How far a point is outside of all balls but one; 0 inside.
static double distance_to_balls(const bvh *tree, const scree_ball *balls, uint32_t without, vec3 p)
{
    double least = HUGE_VAL;
    bvh_search search = bvh_search_near(tree, p);
    for (uint32_t item; least > 0 && bvh_next_near(&search, least, &item);)
        if (item != without)
            least = fmin(least, fmax(vec3_length(vec3_sub(p, balls[item].position)) - balls[item].radius, 0));
    return least;
}

static bool build_tree(bvh *tree, const scree_ball *balls, size_t count)
{
    bvh_box *boxes = malloc(count * sizeof *boxes);
    for (size_t i = 0; boxes && i < count; i++) {
        vec3 half = {balls[i].radius, balls[i].radius, balls[i].radius};
        boxes[i] = bvh_box_around(vec3_sub(balls[i].position, half), vec3_add(balls[i].position, half));
    }
    bool done = boxes && bvh_build(tree, boxes, count);
    free(boxes);
    return done;
}

static size_t clamp(double wanted, size_t low, size_t high)
{
    return wanted < (double)low ? low : wanted > (double)high ? high : (size_t)wanted;
}

// A lattice over each triangle, corners and edges included, the finer the larger it is.
static distance_figures measure_gap(const closed_surface *surface, const bvh *tree, const scree_ball *balls)
{
    double area = 0, sum = 0, weight = 0;
    distance_figures gap = {0};
    for (int pass = 0; pass < 2; pass++)
        for (size_t t = 0; t < surface->triangle_count; t++) {
            const uint32_t *corner = &surface->triangles[3 * t];
            vec3 a = surface->vertices[corner[0]], b = vec3_sub(surface->vertices[corner[1]], a),
                 c = vec3_sub(surface->vertices[corner[2]], a);
            double own = 0.5 * vec3_length(vec3_cross(b, c));
            if (pass == 0) {
                area += own;
                continue;
            }
            size_t side = clamp(sqrt(2 * SAMPLES * own / area), 3, MOST_PER_SIDE);
            double piece = own / (double)((side + 1) * (side + 2) / 2);
            for (size_t i = 0; i <= side; i++)
                for (size_t j = 0; i + j <= side; j++) {
                    vec3 p =
                        vec3_add_scaled(vec3_add_scaled(a, b, (double)i / (double)side), c, (double)j / (double)side);
                    double distance = distance_to_balls(tree, balls, UINT32_MAX, p);
                    gap.max = fmax(gap.max, distance);
                    sum += piece * distance;
                    weight += piece;
                }
        }
    gap.mean = weight > 0 ? sum / weight : 0;
    return gap;
}

// Point `index` of `count` spread evenly over the unit sphere, by the golden angle.
static vec3 spread_direction(size_t index, size_t count)
{
    double z = 1 - (2 * (double)index + 1) / (double)count, radius = sqrt(1 - z * z);
    double angle = PI * (3 - sqrt(5)) * (double)index;
    return vec3_on_circle(radius, angle, z);
}

// Points all over each sphere, and the one behind the nearest point of the surface. For the mean, those inside of other
// spheres are no part of the outer surface.
static distance_figures measure_protrusion(const closed_surface *surface, const bvh *tree, const scree_ball *balls,
                                           size_t count)
{
    distance_figures out = {0};
    double sum = 0, weight = 0;
    size_t each = clamp((double)SAMPLES / (double)count, LEAST_PER_BALL, MOST_PER_BALL);
    for (size_t b = 0; b < count; b++) {
        vec3 center = balls[b].position, nearest;
        double radius = balls[b].radius, piece = radius * radius / (double)each;
        double depth = closed_surface_depth(surface, center, &nearest);
        vec3 towards = vec3_scale(vec3_normalize(vec3_sub(nearest, center)), depth < 0 ? -1 : 1);
        for (size_t i = 0; i <= each; i++) {
            vec3 direction = i < each ? spread_direction(i, each) : towards;
            vec3 p = vec3_add_scaled(center, direction, radius);
            double above = fmax(-closed_surface_depth(surface, p, &nearest), 0);
            out.max = fmax(out.max, above);
            if (i == each || distance_to_balls(tree, balls, (uint32_t)b, p) <= 0)
                continue;
            sum += piece * above;
            weight += piece;
        }
    }
    out.mean = weight > 0 ? sum / weight : 0;
    return out;
}

bool sphere_measure(const closed_surface *surface, const scree_ball *balls, size_t count, sphere_fit_report *report)
{
    bvh tree;
    if (!build_tree(&tree, balls, count))
        return false;
    distance_figures out = measure_protrusion(surface, &tree, balls, count);
    distance_figures gap = measure_gap(surface, &tree, balls);
    report->protrusion.max = out.max;
    report->protrusion.mean = out.mean;
    report->gap.max = gap.max;
    report->gap.mean = gap.mean;
    bvh_free(&tree);
    return true;
}
