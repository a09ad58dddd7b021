// Where bodies will be. When groups are listed, every body gets a path: from where it is on with the velocity that it
// has. While it stays within its far margin of that path, and for PATH_STEPS steps, no two groups meet that are not
// listed. Bodies that stray, mostly because they were hit, get new paths and their groups are compared with all others,
// until so many stray that listing all groups anew is cheaper. What flies freely or rests does not stray.
#include "base/threads.h"
#include "collide/filter.h"
#include "geometry/shape.h"
#include "penalty/penalty.h"

// Far margins in radii of the body: between these, wide enough for a hit that turns the velocity around.
static const double least_far = 0.25, most_far = 0.4, far_turns = 1.5;

// Margins of single shapes. In a world at rest bodies stay slow, and the least margin is enough. The faster other
// bodies are, the sooner a slow one may be hit, so margins grow with their speed up to a limit.
static const double least_single = 0.1, calm_single = 0.3, most_single = 1, single_steps = 8;

double grain_of(const scree_world *world, size_t slot)
{
    const body_store *store = &world->bodies;
    const proxy *first = &store->proxies.data[store->first_proxy.data[slot]];
    double radius = first->type == SCREE_SHAPE_SPHERE ? (double)first->size[0] : (double)store->radius.data[slot];
    return isfinite(radius) || world->movable_count == 0 ? radius : world->radius_sum / (double)world->movable_count;
}

double turning_speed(const scree_world *world, size_t slot)
{
    double radius = (double)world->bodies.radius.data[slot], spin = vec3_length(world->bodies.spin.data[slot]);
    return spin > 0 && !penalty_of(world)->centered_sphere.data[slot] && isfinite(radius) ? spin * radius : 0;
}

double turned_by(quat then, quat now)
{
    double w = now.w - then.w, x = now.x - then.x, y = now.y - then.y, z = now.z - then.z;
    return 2.2 * sqrt(w * w + x * x + y * y + z * z);
}

// --------------------------------------------------------------------------------------------------------- who strayed

static vec3 path_place(const penalty *of, size_t slot)
{
    const far_paths *far = &of->far;
    return vec3_add_scaled(far->position.data[slot], far->step.data[slot], (double)(of->tick - far->born.data[slot]));
}

static double strayed_by(const penalty *of, size_t slot)
{
    vec3 place =
        of->groups.single_proxies ? of->far.position.data[slot] : path_place(of, slot); // single shapes have no steps
    double away = vec3_length(vec3_sub(of->position.data[slot], place));
    double swing = (double)of->far.swing.data[slot];
    if (swing == 0)
        return away;
    double angle = turned_by(of->far.orientation.data[slot], of->orientation.data[slot]);
    return angle > 0 ? away + angle * swing : away;
}

static bool path_is_over(const penalty *of, size_t slot)
{
    vec3 step = of->far.step.data[slot];
    return of->tick - of->far.born.data[slot] >= PATH_STEPS && vec3_dot(step, step) > 0;
}

static bool strays(const penalty *of, size_t slot)
{
    return !(strayed_by(of, slot) <= (double)of->far.margin.data[slot]) ||
           (!of->groups.single_proxies && path_is_over(of, slot));
}

typedef struct stray_task {
    const penalty *of;
    uint8_t *stray;
    size_t bodies;
} stray_task;

static void find_block(void *context, size_t block)
{
    const stray_task *task = context;
    for (size_t i = block * BODY_BLOCK; i < block_end(block, BODY_BLOCK, task->bodies); i++)
        task->stray[i] = strays(task->of, i);
}

size_t find_strays(const scree_world *world, uint8_t *stray)
{
    stray_task task = {penalty_of(world), stray, world->bodies.count};
    for_blocks(world->threads, block_count(task.bodies, BODY_BLOCK), find_block, &task);
    size_t count = 0;
    for (size_t i = 0; i < task.bodies; i++)
        count += stray[i];
    return count;
}

// -------------------------------------------------------------------------------------------------------------- paths

// How far from the body's centre anything is that moves the bounds of a group when the body turns.
static float swing_of(const scree_world *world, const sphere_group *group)
{
    const proxy *p = &world->bodies.proxies.data[group->first];
    vec3 center = vec3_from_f(group->center);
    if (group->particles)
        return (float)vec3_length(center);
    if (p->type == SCREE_SHAPE_SPHERE)
        return (float)vec3_length(world->bodies.locals.data[p->local].position);
    return world->bodies.radius.data[group->body];
}

static bool is_plane(const scree_world *world, const sphere_group *group)
{
    return world->bodies.proxies.data[group->first].type == SCREE_SHAPE_PLANE;
}

bool reserve_paths(scree_world *world)
{
    penalty *of = penalty_of(world);
    size_t count = world->bodies.count;
    if (!array_resize(&of->far.position, count) || !array_resize(&of->far.step, count) ||
        !array_resize(&of->far.orientation, count) || !array_resize(&of->far.margin, count) ||
        !array_resize(&of->far.swing, count) || !array_resize(&of->far.born, count))
        return false;
    memset(of->far.swing.data, 0, count * sizeof *of->far.swing.data);
    for (size_t g = 0; g < of->groups.groups.count; g++) {
        const sphere_group *group = &of->groups.groups.data[g];
        float *swing = &of->far.swing.data[group->body];
        *swing = fmaxf(*swing, swing_of(world, group));
    }
    of->planes.count = 0;
    for (uint32_t g = 0; g < of->groups.groups.count; g++)
        if (is_plane(world, &of->groups.groups.data[g]) && !array_push(&of->planes, g))
            return false;
    return true;
}

static double path_per_step(const scree_world *world, size_t slot)
{
    double speed = vec3_length(world->bodies.velocity.data[slot]);
    return world->def.step * (speed + (penalty_of(world)->far.swing.data[slot] > 0 ? turning_speed(world, slot) : 0));
}

static double margin_of_slow(const scree_world *world)
{
    double sum = 0;
    for (size_t i = 0; i < world->bodies.count; i++)
        if (!world->bodies.immovable.data[i])
            sum += path_per_step(world, i) / grain_of(world, i);
    double mean = world->movable_count > 0 ? sum / (double)world->movable_count : 0;
    return fmin(fmax(single_steps * mean, least_single), calm_single);
}

// Where a single shape uses up even the widest margin in a step, the pairs hold for one step whatever the margins are,
// and they are left out.
static void set_single_margins(scree_world *world)
{
    float *margin = penalty_of(world)->far.margin.data;
    double least = margin_of_slow(world);
    bool fast = false;
    for (size_t i = 0; i < world->bodies.count; i++) {
        double grain = grain_of(world, i), path = path_per_step(world, i);
        bool still = world->bodies.immovable.data[i] && path == 0;
        margin[i] = still ? 0 : (float)fmin(fmax(single_steps * path, least * grain), most_single * grain);
        fast = fast || path > most_single * grain;
    }
    for (size_t i = 0; fast && i < world->bodies.count; i++)
        margin[i] = fminf(margin[i], (float)(NO_MARGIN * grain_of(world, i)));
}

static void set_path(scree_world *world, size_t slot)
{
    penalty *of = penalty_of(world);
    far_paths *far = &of->far;
    double radius = (double)world->bodies.radius.data[slot], path = path_per_step(world, slot);
    double size = isfinite(radius) ? radius : grain_of(world, slot);
    bool still = world->bodies.immovable.data[slot] && path == 0;
    double margin = still ? 0 : fmin(fmax(far_turns * path, least_far * size), most_far * size);
    vec3 step = vec3_scale(world->bodies.velocity.data[slot], world->def.step);
    bool slow = PATH_STEPS * vec3_length(step) < margin; // has room for more steps without a path
    far->position.data[slot] = of->position.data[slot];
    far->orientation.data[slot] = of->orientation.data[slot];
    far->step.data[slot] = slow ? vec3_make(0, 0, 0) : step;
    far->margin.data[slot] = (float)margin;
    far->born.data[slot] = of->tick;
}

void set_paths(scree_world *world, const uint8_t *stray)
{
    penalty *of = penalty_of(world);
    size_t count = world->bodies.count;
    if (!of->groups.single_proxies) {
        for (size_t i = 0; i < count; i++)
            if (!stray || stray[i])
                set_path(world, i);
        return;
    }
    memcpy(of->far.position.data, of->position.data, count * sizeof(vec3));
    memcpy(of->far.orientation.data, of->orientation.data, count * sizeof(quat));
    memset(of->far.step.data, 0, count * sizeof(vec3));
    memset(of->far.born.data, 0, count * sizeof(uint32_t));
    set_single_margins(world);
}

// --------------------------------------------------------------------------------------------------- groups that meet

static vec3 path_center(const penalty *of, const sphere_group *group)
{
    vec3 center = vec3_from_f(group->center), at = path_place(of, group->body);
    if (vec3_dot(center, center) == 0)
        return at;
    return vec3_add(at, quat_rotate(of->far.orientation.data[group->body], center));
}

bool paths_meet(const penalty *of, proxy_pair pair)
{
    const sphere_group *a = &of->groups.groups.data[pair.a], *b = &of->groups.groups.data[pair.b];
    vec3 between = vec3_sub(path_center(of, b), path_center(of, a));
    vec3 closing = vec3_sub(of->far.step.data[b->body], of->far.step.data[a->body]);
    double square = vec3_dot(closing, closing), reach = (double)a->reach + (double)b->reach;
    reach += (double)of->far.margin.data[a->body] + (double)of->far.margin.data[b->body];
    double steps = square > 0 ? fmin(fmax(-vec3_dot(between, closing) / square, 0), PATH_STEPS) : 0;
    vec3 nearest = vec3_add_scaled(between, closing, steps);
    return vec3_dot(nearest, nearest) <= reach * reach * (1 + 1e-12);
}

// The middle of a path that lasts, and how far bodies may get from there.
void middle_of_paths(const scree_world *world, vec3 *centers, float *margins)
{
    const far_paths *far = &penalty_of(world)->far;
    for (size_t i = 0; i < world->bodies.count; i++) {
        vec3 half = vec3_scale(far->step.data[i], 0.5 * PATH_STEPS);
        centers[i] = vec3_add(far->position.data[i], half);
        margins[i] = (float)((double)far->margin.data[i] + vec3_length(half) * (1 + 1e-6));
    }
}

// The centre of a sphere around a group that is no plane, on its path; `reach` is its radius.
static vec3 bounds_of(const penalty *of, const proxy_view *then, const sphere_group *group, double *reach)
{
    const proxy *p = &then->proxies[group->first];
    *reach = (double)group->reach;
    if (group->particles)
        return path_center(of, group);
    *reach = vec3_length(proxy_half_extents(then, p));
    vec3 since = vec3_sub(path_place(of, group->body), of->far.position.data[group->body]);
    return vec3_add(proxy_center(then, p), since);
}

// Groups as columns of numbers, those that strayed last.
typedef struct path_columns {
    path_job job;
    uint32_t *group;
    size_t steady;
} path_columns;

static void order_groups(const scree_world *world, const uint8_t *stray, path_columns *columns)
{
    const penalty *of = penalty_of(world);
    columns->job.count = 0;
    for (int strayed = 0; strayed < 2; strayed++) {
        columns->steady = columns->job.count;
        for (uint32_t g = 0; g < of->groups.groups.count; g++) {
            const sphere_group *group = &of->groups.groups.data[g];
            if ((stray[group->body] != 0) == strayed && !is_plane(world, group))
                columns->group[columns->job.count++] = g;
        }
    }
}

// Coordinates are rounded; spheres are widened by as much.
static bool fill_columns(scree_world *world, const proxy_view *then, const uint8_t *stray, path_columns *columns)
{
    const penalty *of = penalty_of(world);
    size_t room = of->groups.groups.count + BOX_LANES;
    path_job *job = &columns->job;
    float *rows = arena_array(&world->scratch, float, 7 * room);
    columns->group = arena_array(&world->scratch, uint32_t, room);
    if (!rows || !columns->group)
        return false;
    order_groups(world, stray, columns);
    memset(rows, 0, 7 * room * sizeof *rows);
    for (size_t i = 0; i < job->count; i++) {
        const sphere_group *group = &of->groups.groups.data[columns->group[i]];
        double reach;
        vec3 at = bounds_of(of, then, group, &reach), step = of->far.step.data[group->body];
        reach = (reach + (double)of->far.margin.data[group->body]) * (1 + 1e-5);
        reach += 1e-6 * (fabs(at.x) + fabs(at.y) + fabs(at.z) + PATH_STEPS * vec3_length(step));
        const double column[7] = {at.x, at.y, at.z, step.x, step.y, step.z, reach};
        for (size_t k = 0; k < 7; k++)
            rows[k * room + i] = (float)column[k];
    }
    for (size_t k = 0; k < 3; k++) {
        job->at[k] = rows + k * room;
        job->step[k] = rows + (k + 3) * room;
    }
    job->reach = rows + 6 * room;
    job->steps = PATH_STEPS;
    return true;
}

static bool meet_planes(scree_world *world, const proxy_view *then, uint32_t index)
{
    penalty *of = penalty_of(world);
    const sphere_group *groups = of->groups.groups.data, *group = &groups[index];
    double reach;
    vec3 at = bounds_of(of, then, group, &reach), step = of->far.step.data[group->body];
    for (size_t i = 0; i < of->planes.count; i++) {
        const sphere_group *wall = &groups[of->planes.data[i]];
        const proxy *plane = &then->proxies[wall->first];
        const plane_geometry *geometry = &then->planes[plane->geometry];
        vec3 outward = quat_rotate(proxy_orientation(then, plane), geometry->normal);
        vec3 from = vec3_sub(at, proxy_center(then, plane));
        double height = vec3_dot(outward, from) - geometry->offset, falling = vec3_dot(outward, step) * PATH_STEPS;
        double margin = (double)of->far.margin.data[group->body] + (double)of->far.margin.data[wall->body];
        if (fmin(height, height + falling) > reach + margin + 1e-12 * (fabs(height) + vec3_length(from)) ||
            !bodies_may_pair(then, group->body, wall->body))
            continue;
        if (!array_push(&of->stray_pairs, ((proxy_pair){index, of->planes.data[i]})))
            return false;
    }
    return true;
}

static bool keep_found(penalty *of, const proxy_view *then, const path_columns *columns, uint32_t index,
                       const uint32_t *found, size_t count)
{
    const sphere_group *groups = of->groups.groups.data;
    uint32_t body = groups[index].body;
    for (size_t i = 0; i < count; i++) {
        uint32_t other = columns->group[found[i]];
        if (bodies_may_pair(then, body, groups[other].body) &&
            !array_push(&of->stray_pairs, ((proxy_pair){index, other})))
            return false;
    }
    return true;
}

bool planes_stray(const scree_world *world, const uint8_t *stray)
{
    const penalty *of = penalty_of(world);
    for (size_t i = 0; i < of->planes.count; i++)
        if (stray[of->groups.groups.data[of->planes.data[i]].body])
            return true;
    return false;
}

bool meet_strays(scree_world *world, const pair_filter *filter, const uint8_t *stray)
{
    penalty *of = penalty_of(world);
    proxy_view then = penalty_view(world, NULL, filter);
    then.centers = of->far.position.data;
    then.orientations = of->far.orientation.data;
    path_columns columns;
    path_job *job = &columns.job;
    uint32_t *found = arena_array(&world->scratch, uint32_t, of->groups.groups.count + BOX_LANES);
    of->stray_pairs.count = 0;
    if (!found || !fill_columns(world, &then, stray, &columns))
        return false;
    while (job->count > columns.steady) {
        size_t last = job->count - 1, count = penalty_kernels_here()->paths(job, last, found);
        uint32_t index = columns.group[last];
        if (!keep_found(of, &then, &columns, index, found, count) || !meet_planes(world, &then, index))
            return false;
        job->reach[last] = 0; // it has met all others
        job->count = last;
    }
    return true;
}
