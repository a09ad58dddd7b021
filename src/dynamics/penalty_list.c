// The lists of near pairs, at two levels. Groups that may meet within some steps come from the broad phase; from them
// come the pairs of spheres, of spheres and walls, and of other shapes that are near now:
//
//     broad phase -- groups within their far margins -- pairs within their near margins -- contacts
//                    made anew when a body has used     made anew when a body has used
//                    up its far margin                  up its near margin
//
// Where every group is one shape, both levels are one.
#include "base/error.h"
#include "base/threads.h"
#include "collide/broad.h"
#include "dynamics/penalty.h"
#include "geometry/shape.h"

// Margins in radii of the body's first sphere, or else of the body. Fast bodies get room for some steps.
static const double least_near = 0.1, calm_near = 0.3, most_near = 1, near_steps = 8;
static const double no_margin = 1e-3; // still covers rounding
static const double far_steps = 4, most_far = 2;

enum { PAIR_BLOCK = 128 };

// ------------------------------------------------------------------------------------------------------- is it in time

static double moved_by(const scree_world *world, const list_poses *since, size_t slot)
{
    const penalty *of = world->penalty;
    double path = vec3_length(vec3_sub(of->position.data[slot], since->position.data[slot]));
    if (of->plain.data[slot])
        return path;
    quat now = of->orientation.data[slot], then = since->orientation.data[slot];
    double w = now.w - then.w, x = now.x - then.x, y = now.y - then.y, z = now.z - then.z;
    double turn = 2.2 * sqrt(w * w + x * x + y * y + z * z); // at least the angle, up to a radian
    return turn > 0 ? path + turn * (double)world->bodies.radius.data[slot] : path;
}

// Has no body used up its margin, of which it needs `part` of the near margin for what comes?
static bool list_holds(const scree_world *world, const list_poses *since, double part)
{
    size_t count = world->bodies.count;
    const float *near = world->penalty->near.margin.data;
    bool holds = true;
#pragma omp parallel for num_threads(world->threads) schedule(static) reduction(&& : holds)
    for (size_t i = 0; i < count; i++)
        holds = holds && moved_by(world, since, i) + part * (double)near[i] <= (double)since->margin.data[i];
    return holds;
}

static bool note_poses(const scree_world *world, list_poses *now)
{
    const penalty *of = world->penalty;
    size_t count = world->bodies.count;
    if (!array_resize(&now->margin, count) || !array_resize(&now->position, count) ||
        !array_resize(&now->orientation, count))
        return false;
    memcpy(now->position.data, of->position.data, count * sizeof(vec3));
    memcpy(now->orientation.data, of->orientation.data, count * sizeof(quat));
    return true;
}

static double size_of(const scree_world *world, size_t slot)
{
    const body_store *store = &world->bodies;
    const proxy *first = &store->proxies.data[store->first_proxy.data[slot]];
    double radius = first->type == SCREE_SPHERE ? (double)first->size[0] : (double)store->radius.data[slot];
    return isfinite(radius) || world->movable_count == 0 ? radius : world->radius_sum / (double)world->movable_count;
}

static double path_per_step(const scree_world *world, size_t slot)
{
    const body_store *store = &world->bodies;
    double radius = (double)store->radius.data[slot], spin = vec3_length(store->spin.data[slot]);
    double speed = vec3_length(store->velocity.data[slot]);
    if (spin > 0 && !world->penalty->plain.data[slot] && isfinite(radius))
        speed += spin * radius;
    return world->def.step * speed;
}

// In a world at rest slow bodies stay slow and the least margin does; the livelier it is, the sooner they are hit, and
// the wider their margins are, up to a point.
static double margin_of_slow(const scree_world *world)
{
    double sum = 0;
    for (size_t i = 0; i < world->bodies.count; i++)
        if (!world->bodies.immovable.data[i])
            sum += path_per_step(world, i) / size_of(world, i);
    double mean = world->movable_count > 0 ? sum / (double)world->movable_count : 0;
    return fmin(fmax(near_steps * mean, least_near), calm_near);
}

// Where some body uses up even the widest margin in a step, the list holds for one step whatever the margins are, and
// they are left out.
static void set_near_margins(scree_world *world)
{
    float *margin = world->penalty->near.margin.data;
    double least = margin_of_slow(world);
    bool fast = false;
    for (size_t i = 0; i < world->bodies.count; i++) {
        double size = size_of(world, i), path = path_per_step(world, i);
        bool still = world->bodies.immovable.data[i] && path == 0;
        margin[i] = still ? 0 : (float)fmin(fmax(near_steps * path, least * size), most_near * size);
        fast = fast || path > most_near * size;
    }
    for (size_t i = 0; fast && i < world->bodies.count; i++)
        margin[i] = fminf(margin[i], (float)(no_margin * size_of(world, i)));
}

static void set_far_margins(scree_world *world)
{
    penalty *of = world->penalty;
    for (size_t i = 0; i < world->bodies.count; i++) {
        double near = (double)of->near.margin.data[i], size = size_of(world, i), path = path_per_step(world, i);
        bool still = world->bodies.immovable.data[i] && path == 0;
        double more = still ? 0 : fmin(fmax(far_steps * path, least_near * size), most_far * size);
        of->far.margin.data[i] = (float)(of->groups.plain ? near : near + more);
    }
}

// ----------------------------------------------------------------------------------------------------- pairs of groups

// By a, then b: counting, and insertion within the few of one.
static bool sort_pairs(proxy_pair *pairs, size_t count, size_t groups, arena *scratch)
{
    uint32_t *start = arena_array(scratch, uint32_t, groups + 2);
    proxy_pair *sorted = arena_array(scratch, proxy_pair, count);
    if (!start || !sorted)
        return false;
    memset(start, 0, (groups + 2) * sizeof *start);
    for (size_t i = 0; i < count; i++)
        start[pairs[i].a + 2]++;
    for (size_t i = 2; i < groups + 2; i++)
        start[i] += start[i - 1];
    for (size_t i = 0; i < count; i++)
        sorted[start[pairs[i].a + 1]++] = pairs[i];
    for (size_t i = 1; i < count; i++) {
        proxy_pair p = sorted[i];
        size_t k = i;
        for (; k > 0 && sorted[k - 1].a == p.a && sorted[k - 1].b > p.b; k--)
            sorted[k] = sorted[k - 1];
        sorted[k] = p;
    }
    memcpy(pairs, sorted, count * sizeof *pairs);
    return true;
}

typedef enum pair_kind { SPHERES, WALLS, OTHERS, PAIR_KINDS } pair_kind;

// What kind it is, with the groups in the order that the kind wants: the earlier first; walls second; for others the
// body with the lower id first, since features depend on the order.
static pair_kind classify(const scree_world *world, proxy_pair *pair)
{
    const sphere_group *groups = world->penalty->groups.groups.data;
    const proxy *proxies = world->bodies.proxies.data;
    const sphere_group *a = &groups[pair->a], *b = &groups[pair->b];
    bool turn;
    pair_kind kind = OTHERS;
    if (a->particles && b->particles) {
        kind = SPHERES;
        turn = pair->a > pair->b;
    } else if (a->particles && proxies[b->first].type == SCREE_PLANE) {
        kind = WALLS;
        turn = false;
    } else if (b->particles && proxies[a->first].type == SCREE_PLANE) {
        kind = WALLS;
        turn = true;
    } else {
        turn = world->bodies.id.data[a->body] > world->bodies.id.data[b->body];
    }
    if (turn)
        *pair = (proxy_pair){pair->b, pair->a};
    return kind;
}

static proxy_view group_view(const scree_world *world, const pair_filter *filter)
{
    const penalty *of = world->penalty;
    proxy_view view = penalty_view(world, of->far.margin.data, filter);
    if (!of->groups.plain) {
        view.proxies = of->groups.proxies.data;
        view.proxy_count = of->groups.proxies.count;
        view.locals = of->groups.locals.data;
    }
    return view;
}

static bool keep_group_pairs(scree_world *world, proxy_pair *pairs, size_t count)
{
    penalty *of = world->penalty;
    size_t kept[PAIR_KINDS] = {0};
    proxy_pair *of_kind[PAIR_KINDS];
    for (int k = 0; k < PAIR_KINDS; k++)
        if (!(of_kind[k] = arena_array(&world->scratch, proxy_pair, count)))
            return false;
    for (size_t i = 0; i < count; i++) {
        pair_kind kind = classify(world, &pairs[i]);
        of_kind[kind][kept[kind]++] = pairs[i];
    }
    for (int k = 0; k < PAIR_KINDS; k++) {
        if (!sort_pairs(of_kind[k], kept[k], of->groups.groups.count, &world->scratch) ||
            !array_resize(&of->group_pairs[k], kept[k]))
            return false;
        if (kept[k])
            memcpy(of->group_pairs[k].data, of_kind[k], kept[k] * sizeof *pairs);
    }
    return true;
}

static scree_status list_groups(scree_world *world, scree_error *error)
{
    const pair_filter *filter;
    if (!find_filter(world, &filter) || !note_poses(world, &world->penalty->far))
        return fail_no_memory(error);
    set_far_margins(world);
    proxy_view view = group_view(world, filter);
    proxy_pair *pairs;
    size_t count;
    scree_status status = broad_phase(&view, world->threads, &world->scratch, &pairs, &count, error);
    if (status)
        return status == SCREE_DIVERGED ? report_far_body(world, error) : status;
    return keep_group_pairs(world, pairs, count) ? SCREE_OK : fail_no_memory(error);
}

// ---------------------------------------------------------------------------------------------------- pairs of spheres

// Where bodies and groups stand.
typedef struct group_places {
    mat3 *axes;   // by slot
    vec3 *centre; // by group: of its box, from the centre of its body
} group_places;

// The second group as the first sees it, from body to body and from box to box, in the axes of the first body.
typedef struct group_view_of {
    double turn[3][3];
    vec3 between, boxes;
} group_view_of;

// False when the spheres around the two groups are apart.
static bool see_group(const scree_world *world, const group_places *places, const proxy_pair *pair, double margin,
                      group_view_of *seen)
{
    const penalty *of = world->penalty;
    const sphere_group *a = &of->groups.groups.data[pair->a], *b = &of->groups.groups.data[pair->b];
    vec3 between = vec3_sub(of->position.data[b->body], of->position.data[a->body]);
    vec3 boxes = vec3_add(between, vec3_sub(places->centre[pair->b], places->centre[pair->a]));
    double reach = (double)a->reach + (double)b->reach + margin;
    if (vec3_dot(boxes, boxes) > reach * reach)
        return false;
    const mat3 *of_a = &places->axes[a->body], *of_b = &places->axes[b->body];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            seen->turn[i][j] =
                of_a->m[0][i] * of_b->m[0][j] + of_a->m[1][i] * of_b->m[1][j] + of_a->m[2][i] * of_b->m[2][j];
    seen->between = mat3_apply_transposed(of_a, between);
    seen->boxes = mat3_apply_transposed(of_a, boxes);
    return true;
}

// Separating axes of the two boxes, but for products of edges.
static bool boxes_meet(const sphere_group *a, const sphere_group *b, const group_view_of *seen, double margin)
{
    const double half_a[3] = {(double)a->half.x, (double)a->half.y, (double)a->half.z};
    const double half_b[3] = {(double)b->half.x, (double)b->half.y, (double)b->half.z};
    const double boxes[3] = {seen->boxes.x, seen->boxes.y, seen->boxes.z};
    for (int i = 0; i < 3; i++) {
        double sum = half_a[i] + margin;
        for (int j = 0; j < 3; j++)
            sum += half_b[j] * fabs(seen->turn[i][j]);
        if (fabs(boxes[i]) > sum)
            return false;
    }
    for (int j = 0; j < 3; j++) {
        double along = 0, sum = half_b[j] + margin;
        for (int i = 0; i < 3; i++) {
            along += boxes[i] * seen->turn[i][j];
            sum += half_a[i] * fabs(seen->turn[i][j]);
        }
        if (fabs(along) > sum)
            return false;
    }
    return true;
}

static bool prepare_places(scree_world *world, group_places *places)
{
    const penalty *of = world->penalty;
    const sphere_group *groups = of->groups.groups.data;
    size_t group_count = of->groups.groups.count;
    places->axes = arena_array(&world->scratch, mat3, world->bodies.count);
    places->centre = arena_array(&world->scratch, vec3, group_count);
    if (!places->axes || !places->centre)
        return false;
    for (size_t g = 0; g < group_count; g++) {
        uint32_t slot = groups[g].body;
        if (g == 0 || groups[g - 1].body != slot)
            places->axes[slot] = mat3_from_quat(of->orientation.data[slot]);
        places->centre[g] = mat3_apply(&places->axes[slot], vec3_from_f(groups[g].centre));
    }
    return true;
}

static void set_box(group_job *job, int which, const sphere_group *group, double margin)
{
    const float centre[3] = {group->centre.x, group->centre.y, group->centre.z};
    const float half[3] = {group->half.x, group->half.y, group->half.z};
    for (int i = 0; i < 3; i++) {
        job->centre[which][i] = centre[i];
        job->half[which][i] = half[i] * 1.00001f + (float)margin;
    }
}

// Compares the spheres of two groups; the result has room for all.
static size_t compare_groups(const scree_world *world, const group_places *places, const proxy_pair *pair,
                             uint32_t *found_a, uint32_t *found_b)
{
    const penalty *of = world->penalty;
    const sphere_group *a = &of->groups.groups.data[pair->a], *b = &of->groups.groups.data[pair->b];
    double margin = (double)of->near.margin.data[a->body] + (double)of->near.margin.data[b->body];
    group_view_of seen;
    if (!see_group(world, places, pair, margin, &seen) || !boxes_meet(a, b, &seen, margin))
        return 0;
    group_job job = {.x = of->groups.x.data,
                     .y = of->groups.y.data,
                     .z = of->groups.z.data,
                     .radius = of->groups.radius.data,
                     .first = {a->first, b->first},
                     .count = {a->count, b->count},
                     .between = {(float)seen.between.x, (float)seen.between.y, (float)seen.between.z},
                     .margin = (float)(margin * (1 + 1e-5))};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            job.turn[i][j] = (float)seen.turn[i][j];
    set_box(&job, 0, a, margin);
    set_box(&job, 1, b, margin);
    return penalty_kernels_here()->groups(&job, found_a, found_b);
}

// What one block of group pairs gives, in the memory of the thread that took it.
typedef struct found_pairs {
    uint32_t *a, *b;
    size_t count;
} found_pairs;

static bool compare_block(const scree_world *world, const group_places *places, size_t block, arena *memory,
                          found_pairs *found)
{
    enum { MOST = GROUP_MOST * GROUP_MOST };
    const penalty *of = world->penalty;
    size_t end = block_end(block, PAIR_BLOCK, of->group_pairs[SPHERES].count), room = 0;
    uint32_t a[MOST + 8], b[MOST + 8];
    *found = (found_pairs){0};
    for (size_t i = block * PAIR_BLOCK; i < end; i++) {
        const proxy_pair *pair = &of->group_pairs[SPHERES].data[i];
        size_t count = compare_groups(world, places, pair, a, b);
        if (found->count + count > room) {
            found_pairs old = *found;
            room = 2 * (found->count + count) + 512;
            found->a = arena_array(memory, uint32_t, room);
            found->b = arena_array(memory, uint32_t, room);
            if (!found->a || !found->b)
                return false;
            if (old.count) {
                memcpy(found->a, old.a, old.count * sizeof *old.a);
                memcpy(found->b, old.b, old.count * sizeof *old.b);
            }
        }
        if (count > 0) {
            memcpy(found->a + found->count, a, count * sizeof *a);
            memcpy(found->b + found->count, b, count * sizeof *b);
        }
        found->count += count;
    }
    return true;
}

static bool list_spheres_of_groups(scree_world *world)
{
    penalty *of = world->penalty;
    group_places places;
    size_t blocks = block_count(of->group_pairs[SPHERES].count, PAIR_BLOCK), total = 0;
    found_pairs *found = arena_array(&world->scratch, found_pairs, blocks);
    if (!found || !prepare_places(world, &places))
        return false;
    for (int i = 0; i < world->threads; i++)
        arena_reset(&world->workers[i]);
    bool done = true;
#pragma omp parallel for num_threads(world->threads) schedule(dynamic) reduction(&& : done)
    for (size_t b = 0; b < blocks; b++)
        done = compare_block(world, &places, b, &world->workers[thread_index()], &found[b]) && done;
    for (size_t b = 0; done && b < blocks; b++)
        total += found[b].count;
    if (!done || !near_list_resize(&of->spare, total, of->rich))
        return false;
    total = 0;
    for (size_t b = 0; b < blocks; b++) {
        if (found[b].count == 0)
            continue;
        memcpy(of->spare.a.data + total, found[b].a, found[b].count * sizeof(uint32_t));
        memcpy(of->spare.b.data + total, found[b].b, found[b].count * sizeof(uint32_t));
        total += found[b].count;
    }
    return true;
}

static bool list_spheres(scree_world *world)
{
    penalty *of = world->penalty;
    if (!of->groups.plain)
        return list_spheres_of_groups(world);
    size_t count = of->group_pairs[SPHERES].count;
    if (!near_list_resize(&of->spare, count, of->rich))
        return false;
    for (size_t i = 0; i < count; i++) {
        of->spare.a.data[i] = of->group_pairs[SPHERES].data[i].a;
        of->spare.b.data[i] = of->group_pairs[SPHERES].data[i].b;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------------- walls, others

// Appends the spheres of a group that are near a plane.
static size_t list_wall(const scree_world *world, const proxy_view *view, const sphere_group *group, uint32_t wall,
                        near_list *list, size_t count)
{
    const penalty *of = world->penalty;
    const proxy *proxies = world->bodies.proxies.data, *plane = &proxies[wall];
    const plane_geometry *geometry = &view->planes[plane->geometry];
    vec3 outward = quat_rotate(proxy_orientation(view, plane), geometry->normal);
    vec3 from = vec3_sub(of->position.data[group->body], proxy_centre(view, plane));
    double height = vec3_dot(outward, from) - geometry->offset;
    double margin = (double)of->near.margin.data[group->body] + (double)of->near.margin.data[plane->body];
    margin += 1e-12 * (fabs(height) + vec3_length(from));
    vec3 local = {0, 0, 0}; // the normal in the body's axes; a plain body has one sphere, in its centre
    if (!of->plain.data[group->body])
        local = quat_rotate_back(of->orientation.data[group->body], outward);
    for (uint32_t p = group->first; p < group->first + group->count; p++) {
        double above = height + vec3_dot(local, world->bodies.locals.data[proxies[p].local].position);
        if (above > (double)proxies[p].size[0] + margin)
            continue;
        list->a.data[count] = p;
        list->b.data[count++] = wall;
    }
    return count;
}

static bool list_walls(scree_world *world, const proxy_view *view)
{
    penalty *of = world->penalty;
    const sphere_group *groups = of->groups.groups.data;
    size_t count = 0, most = 0;
    for (size_t i = 0; i < of->group_pairs[WALLS].count; i++)
        most += groups[of->group_pairs[WALLS].data[i].a].count;
    if (!near_list_resize(&of->spare_walls, most, of->rich))
        return false;
    for (size_t i = 0; i < of->group_pairs[WALLS].count; i++) {
        const proxy_pair *pair = &of->group_pairs[WALLS].data[i];
        count = list_wall(world, view, &groups[pair->a], groups[pair->b].first, &of->spare_walls, count);
    }
    return near_list_resize(&of->spare_walls, count, of->rich);
}

// A sphere of a group and the bounds of a single shape; shapes without bounds are always near.
static bool is_near_shape(const proxy_view *view, const proxy *p, const proxy *shape, double margin)
{
    if (shape_is_unbounded((scree_shape_type)shape->type))
        return true;
    vec3 away = vec3_sub(proxy_centre(view, p), proxy_centre(view, shape)), half = proxy_half_extents(view, shape);
    double reach = (double)p->size[0] + margin;
    reach += 1e-6 * (reach + vec3_max(half));
    return fabs(away.x) <= half.x + reach && fabs(away.y) <= half.y + reach && fabs(away.z) <= half.z + reach;
}

static bool list_others(scree_world *world, const proxy_view *view)
{
    penalty *of = world->penalty;
    const proxy *proxies = world->bodies.proxies.data;
    of->others.count = 0;
    for (size_t i = 0; i < of->group_pairs[OTHERS].count; i++) {
        const sphere_group *a = &of->groups.groups.data[of->group_pairs[OTHERS].data[i].a];
        const sphere_group *b = &of->groups.groups.data[of->group_pairs[OTHERS].data[i].b];
        double margin = (double)of->near.margin.data[a->body] + (double)of->near.margin.data[b->body];
        bool single = a->count == 1 && b->count == 1;
        for (uint32_t p = a->first; p < a->first + a->count; p++)
            for (uint32_t q = b->first; q < b->first + b->count; q++) {
                const proxy *sphere = &proxies[a->particles ? p : q], *shape = &proxies[a->particles ? q : p];
                if (!single && !is_near_shape(view, sphere, shape, margin))
                    continue;
                if (!array_push(&of->others, ((proxy_pair){p, q})))
                    return false;
            }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------------------- making
// it

static void swap_lists(near_list *a, near_list *b)
{
    near_list swap = *a;
    *a = *b;
    *b = swap;
}

static bool list_pairs(scree_world *world)
{
    penalty *of = world->penalty;
    proxy_view view = penalty_view(world, of->near.margin.data, NULL);
    if (!place_loose(world) || !list_spheres(world) || !list_walls(world, &view) || !list_others(world, &view))
        return false;
    hand_over(&of->groups, &of->spare, &of->pairs);
    hand_over(&of->groups, &of->spare_walls, &of->walls);
    swap_lists(&of->pairs, &of->spare);
    swap_lists(&of->walls, &of->spare_walls);
    return list_particles(world);
}

scree_status renew_list(scree_world *world, scree_error *error)
{
    penalty *of = world->penalty;
    if (!of->stale && list_holds(world, &of->near, 0))
        return SCREE_OK;
    bool stale = of->stale;
    of->stale = true;
    if (!note_poses(world, &of->near))
        return fail_no_memory(error);
    set_near_margins(world);
    if (stale || of->groups.plain || !list_holds(world, &of->far, 1)) {
        scree_status status = list_groups(world, error);
        if (status)
            return status;
    }
    if (!list_pairs(world))
        return fail_no_memory(error);
    of->stale = false;
    return SCREE_OK;
}
