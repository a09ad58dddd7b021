// Comparing two groups that may meet: which of their shapes are within a margin. Where the groups are farther apart
// than that, by spheres around them or by their boxes, the whole distance is their margin.
#include "geometry/shape.h"
#include "penalty/penalty.h"

// ---------------------------------------------------------------------------------------------------- pairs of spheres

// From the body's centre to that of the box.
static inline vec3 center_of(const penalty *of, const sphere_group *group)
{
    vec3f at = group->center;
    return at.x == 0 && at.y == 0 && at.z == 0 ? vec3_make(0, 0, 0)
                                               : quat_rotate(of->orientation.data[group->body], vec3_from_f(at));
}

static void fill_lane(group_batch *batch, const penalty *of, const sphere_group *a, const sphere_group *b, vec3 between)
{
    int lane = batch->count++;
    const sphere_group *group[2] = {a, b};
    const float from[3] = {(float)between.x, (float)between.y, (float)between.z};
    for (int k = 0; k < 2; k++) {
        quat q = of->orientation.data[group[k]->body];
        const float parts[4] = {(float)q.w, (float)q.x, (float)q.y, (float)q.z};
        const float half[3] = {group[k]->half.x, group[k]->half.y, group[k]->half.z};
        for (int i = 0; i < 4; i++)
            batch->lanes.orientation[k][i][lane] = parts[i];
        for (int i = 0; i < 3; i++)
            batch->lanes.half[k][i][lane] = half[i];
    }
    for (int i = 0; i < 3; i++)
        batch->lanes.between[i][lane] = from[i];
    batch->lanes.round[lane] = a->radius + b->radius;
}

double add_to_batch(group_batch *batch, const penalty *of, proxy_pair pair, double margin, size_t index)
{
    const sphere_group *a = &of->groups.groups.data[pair.a], *b = &of->groups.groups.data[pair.b];
    vec3 between = vec3_sub(of->position.data[b->body], of->position.data[a->body]);
    between = vec3_add(between, vec3_sub(center_of(of, b), center_of(of, a)));
    double reach = (double)a->reach + (double)b->reach, square = vec3_dot(between, between);
    if (square > (reach + margin) * (reach + margin))
        return sqrt(square) - reach;
    batch->pair[batch->count] = pair;
    batch->margin[batch->count] = (float)margin;
    batch->index[batch->count] = index;
    fill_lane(batch, of, a, b, between);
    return 0;
}

bool spheres_stay(const penalty *of, proxy_pair pair)
{
    vec3f a = of->groups.groups.data[pair.a].center, b = of->groups.groups.data[pair.b].center;
    return a.x == 0 && a.y == 0 && a.z == 0 && b.x == 0 && b.y == 0 && b.z == 0;
}

void measure_batch(group_batch *batch)
{
    box_lanes *lanes = &batch->lanes;
    for (int i = batch->count; i < BOX_LANES; i++) // idle lanes
        for (int k = 0; k < 4; k++)
            lanes->orientation[0][k][i] = lanes->orientation[1][k][i] = 0;
    penalty_kernels_here()->boxes(lanes);
}

static void set_box(group_job *job, int which, const sphere_group *group)
{
    const float center[3] = {group->center.x, group->center.y, group->center.z};
    const float half[3] = {group->half.x, group->half.y, group->half.z};
    for (int i = 0; i < 3; i++) {
        job->center[which][i] = center[i];
        job->half[which][i] = (half[i] + group->radius) * 1.00001f + job->margin;
    }
}

void compare_lane(const group_batch *batch, int lane, const penalty *of, near_shapes *found)
{
    const box_lanes *lanes = &batch->lanes;
    found->count = 0;
    found->margin = (double)batch->margin[lane];
    if (lanes->gap[lane] > batch->margin[lane]) {
        found->margin = (double)lanes->gap[lane];
        return;
    }
    const sphere_group *a = &of->groups.groups.data[batch->pair[lane].a];
    const sphere_group *b = &of->groups.groups.data[batch->pair[lane].b];
    group_job job = {.x = of->groups.x.data,
                     .y = of->groups.y.data,
                     .z = of->groups.z.data,
                     .radius = of->groups.radius.data,
                     .first = {a->first, b->first},
                     .count = {a->count, b->count},
                     .margin = batch->margin[lane] * (1 + 1e-5f)};
    const float of_a[3] = {a->center.x, a->center.y, a->center.z}, of_b[3] = {b->center.x, b->center.y, b->center.z};
    for (int i = 0; i < 3; i++) {
        job.between[i] = lanes->seen[i][lane] + of_a[i];
        for (int j = 0; j < 3; j++) {
            job.rotation[i][j] = lanes->rotation[i][j][lane];
            job.between[i] -= job.rotation[i][j] * of_b[j];
        }
    }
    set_box(&job, 0, a);
    set_box(&job, 1, b);
    found->count = penalty_kernels_here()->groups(&job, found->a, found->b);
}

// ------------------------------------------------------------------------------------------------------- walls, others

// Heights of the spheres of a group above a plane whose normal is given in the body's axes.
static void find_heights(const group_set *set, const sphere_group *group, vec3 normal, double height,
                         float heights[GROUP_MOST])
{
    const float *x = set->x.data + group->first, *y = set->y.data + group->first, *z = set->z.data + group->first;
    float nx = (float)normal.x, ny = (float)normal.y, nz = (float)normal.z, above = (float)height;
    for (uint32_t i = 0; i < group->count; i++)
        heights[i] = above + (nx * x[i] + ny * y[i] + nz * z[i]);
}

static void compare_with_wall(const scree_world *world, const proxy_view *view, const sphere_group *group,
                              uint32_t wall, near_shapes *found)
{
    const penalty *of = penalty_of(world);
    const proxy *proxies = world->bodies.proxies.data, *plane = &proxies[wall];
    const plane_geometry *geometry = &view->planes[plane->geometry];
    vec3 outward = quat_rotate(proxy_orientation(view, plane), geometry->normal);
    vec3 from = vec3_sub(of->position.data[group->body], proxy_center(view, plane));
    double height = vec3_dot(outward, from) - geometry->offset;
    double rounding = 1e-12 * (fabs(height) + vec3_length(from));
    double gap = height + vec3_dot(outward, center_of(of, group)) - (double)group->reach - rounding;
    if (gap > found->margin) {
        found->margin = gap;
        return;
    }
    float heights[GROUP_MOST] = {(float)(height + vec3_dot(outward, center_of(of, group)))};
    if (!of->groups.single_proxies)
        find_heights(&of->groups, group, quat_rotate_back(of->orientation.data[group->body], outward), height, heights);
    float near = (float)(found->margin + rounding) + 1e-5f * group->reach;
    for (uint32_t i = 0; i < group->count; i++) {
        found->a[found->count] = group->first + i;
        found->b[found->count] = wall;
        found->count += heights[i] <= proxies[group->first + i].size[0] + near;
    }
}

// Are the boxes of two shapes within the margin? Shapes without bounds are always near.
static bool are_near(const proxy_view *view, const proxy *p, const proxy *q, double margin)
{
    if (shape_is_unbounded((scree_shape_type)p->type) || shape_is_unbounded((scree_shape_type)q->type))
        return true;
    vec3 away = vec3_sub(proxy_center(view, p), proxy_center(view, q));
    vec3 half = vec3_add(proxy_half_extents(view, p), proxy_half_extents(view, q));
    double reach = margin + 1e-6 * (margin + vec3_max(half));
    return fabs(away.x) <= half.x + reach && fabs(away.y) <= half.y + reach && fabs(away.z) <= half.z + reach;
}

static void compare_others(const scree_world *world, const proxy_view *view, const sphere_group *a,
                           const sphere_group *b, near_shapes *found)
{
    const proxy *proxies = world->bodies.proxies.data;
    for (uint32_t p = a->first; p < a->first + a->count; p++)
        for (uint32_t q = b->first; q < b->first + b->count; q++) {
            if (!penalty_of(world)->groups.single_proxies && !are_near(view, &proxies[p], &proxies[q], found->margin))
                continue;
            found->a[found->count] = p;
            found->b[found->count++] = q;
        }
}

void compare_shapes(const scree_world *world, const proxy_view *view, pair_kind kind, proxy_pair pair,
                    near_shapes *found)
{
    const sphere_group *a = &penalty_of(world)->groups.groups.data[pair.a];
    const sphere_group *b = &penalty_of(world)->groups.groups.data[pair.b];
    found->count = 0;
    if (kind == WALLS)
        compare_with_wall(world, view, a, b->first, found);
    else
        compare_others(world, view, a, b, found);
}
