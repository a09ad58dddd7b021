// Detection: from bodies to the contacts of this step, in the order of their first body's slot and their second body's
// id. Which of two bodies is first follows from types and ids (pair_order.h).
//
// Bounds are widened by how far a body may come in one step, so that what will touch within the step is found before
// it overlaps; of the points found, those stay that are near or closing fast enough to matter.
#include "contact/detect.h"

#include "base/error.h"
#include "base/threads.h"
#include "collide/broad/broad.h"
#include "collide/narrow/narrow.h"
#include "collide/reduce.h"
#include "contact/fast_pairs.h"
#include "contact/filter.h"
#include "contact/memory.h"
#include "contact/pair_order.h"
#include "contact/sleepers.h"
#include "contact/start.h"
#include "contact/velocity.h"
#include "geometry/shape.h"
#include "world/materials.h"
#include "world/method.h"
#include "world/view.h"

enum { PAIR_BLOCK = 256, BLOCKS_PER_THREAD = 32, BODY_BLOCK = 256 };

// A contact stays in the problem within this part of the smaller radius for each of its bodies that can move, so that
// resting contacts persist.
static const double contact_tolerance = 0.002;

// How near a body's contacts must be to be kept.
typedef struct search_limits {
    float *search_margins;        // by slot: what the body may move in the step, and its part of the tolerance
    double fall;                  // speed that gravity gives in a step
    const body_velocity *reached; // by slot; or NULL
    const uint8_t *searched;      // by slot: bodies whose contacts are looked for; NULL: all
    const contact *before;        // with `searched`: the contacts that others keep
} search_limits;

// Gaps up to this matter whatever the velocities are. The two bodies alone decide it: nothing else in the world may
// change what they do.
static double tolerance(const scree_world *world, size_t a, size_t b)
{
    const uint8_t *immovable = world->bodies.immovable.data;
    float of_a = world->bodies.radius.data[a], of_b = world->bodies.radius.data[b];
    return contact_tolerance * (double)(of_a < of_b ? of_a : of_b) * (2 - immovable[a] - immovable[b]);
}

// The largest speed that spin gives to a point of a body; bodies with planes are without end.
static double turning_speed(const scree_world *world, size_t slot, vec3 spin)
{
    double speed = vec3_length(spin);
    return speed > 0 ? speed * (double)world->bodies.radius.data[slot] : 0;
}

// The largest speed of any point of a body.
static double largest_speed(const scree_world *world, size_t slot, body_velocity at)
{
    double turning = turning_speed(world, slot, at.spin);
    return vec3_length(at.velocity) + (isfinite(turning) ? turning : 0);
}

// Widest extra margin of a body that leaves the step much faster than it began it, in its radii. A limit is needed: a
// body that is squeezed out of a deep overlap may be so fast that its margin would cover the whole world.
static const double most_exit_radii = 4;

static float margin_of(const scree_world *world, const search_limits *limits, size_t slot)
{
    double path = world->def.step * largest_speed(world, slot, world_velocity(world, slot));
    if (world->bodies.immovable.data[slot])
        return (float)path;
    double radius = (double)world->bodies.radius.data[slot];
    path += world->def.step * limits->fall;
    if (limits->reached)
        path = fmax(path, fmin(world->def.step * largest_speed(world, slot, limits->reached[slot]),
                               path + most_exit_radii * radius));
    return (float)(path + contact_tolerance * radius);
}

static scree_status report_fast_body(scree_world *world, size_t slot, scree_error *error)
{
    world->diverged = true;
    return fail(error, SCREE_ERROR_DIVERGED, "body %llu has exploded: its speed is %g and its spin %g before step %llu",
                (unsigned long long)world->bodies.id.data[slot], vec3_length(world->bodies.velocity.data[slot]),
                vec3_length(world->bodies.spin.data[slot]), (unsigned long long)world->steps + 1);
}

// The broad phase knows slots only; users know ids.
scree_status report_far_body(scree_world *world, scree_error *error)
{
    const body_store *store = &world->bodies;
    size_t farthest = 0;
    double most = -1;
    for (size_t i = 0; i < store->count; i++) {
        vec3 p = store->position.data[i];
        double distance = fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z)));
        if (distance > most) {
            most = distance;
            farthest = i;
        }
    }
    world->diverged = true;
    return fail(error, SCREE_ERROR_DIVERGED,
                "body %llu has left the representable world before step %llu (distance %g)",
                (unsigned long long)store->id.data[farthest], (unsigned long long)world->steps + 1, most);
}

static scree_status find_margins(scree_world *world, search_limits *limits, scree_error *error)
{
    size_t count = world->bodies.count, lost = SIZE_MAX;
    float *found = limits->search_margins = arena_array(&world->scratch, float, count);
    limits->fall = world->def.step * vec3_length(world->def.gravity);
    if (!found)
        return fail_no_memory(error);
#pragma omp parallel for num_threads(world->threads) schedule(static) reduction(min : lost)
    for (size_t i = 0; i < count; i++) {
        found[i] = margin_of(world, limits, i);
        if (!((double)found[i] <= MOST_RADII_PER_STEP * (double)world->bodies.radius.data[i]))
            lost = i < lost ? i : lost;
    }
    return lost == SIZE_MAX ? SCREE_OK : report_fast_body(world, lost, error);
}

// Hulls take long to tell how far they extend, and are asked for each of their pairs: then all proxies are asked once.
static bool find_half_extents(scree_world *world, proxy_view *view)
{
    if (world->bodies.geometries.count == 0)
        return true;
    vec3 *found = arena_array(&world->scratch, vec3, view->proxy_count);
#pragma omp parallel for num_threads(world->threads) schedule(static) if (found)
    for (size_t i = 0; i < view->proxy_count; i++)
        if (found && !shape_is_unbounded((scree_shape_type)view->proxies[i].type))
            found[i] = proxy_half_extents(view, &view->proxies[i]);
    view->half_extents = found;
    return found;
}

// How fast surfaces may come near each other: by the velocities given, or when one of the bodies is stopped by
// something else on the way; then the other comes as near as its own velocity takes it.
static double closing_speed(const scree_world *world, const contact *c, body_velocity a, body_velocity b)
{
    vec3 normal = vec3_from_f(c->normal);
    vec3 at_a = point_velocity(a, vec3_from_f(c->arm)), at_b = point_velocity(b, arm_of_b(world, c));
    double of_a = vec3_dot(normal, at_a), of_b = -vec3_dot(normal, at_b);
    // A sliding contact of the relaxed law keeps the distance mu |u_t| h.
    double slip = vec3_length(vec3_add_scaled(vec3_sub(at_a, at_b), normal, -(of_a + of_b)));
    double friction = (double)world->pairs.data[pair_index(world, c->material_a, c->material_b)].friction;
    return fmax(of_a + of_b, fmax(of_a, of_b)) + slip * friction;
}

static body_velocity reached_velocity(const scree_world *world, const search_limits *limits, size_t slot)
{
    return world->bodies.immovable.data[slot] ? world_velocity(world, slot) : limits->reached[slot];
}

// Is a contact near enough, or closing fast enough? Contacts beyond the two margins never count, since the broad phase
// may or may not have found them.
static bool may_matter(const scree_world *world, const search_limits *limits, const contact *c)
{
    double least = tolerance(world, c->a, c->b), gap = (double)c->gap;
    if (gap <= least)
        return true;
    if (gap > (double)limits->search_margins[c->a] + (double)limits->search_margins[c->b])
        return false;
    double closing = closing_speed(world, c, world_velocity(world, c->a), world_velocity(world, c->b)) + limits->fall;
    if (limits->reached)
        closing = fmax(closing, closing_speed(world, c, reached_velocity(world, limits, c->a),
                                              reached_velocity(world, limits, c->b)));
    return gap <= least + world->def.step * closing;
}

static size_t keep_what_matters(const scree_world *world, const search_limits *limits, contact *contacts, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (!may_matter(world, limits, &contacts[i]))
            continue;
        if (kept < i)
            contacts[kept] = contacts[i];
        kept++;
    }
    return kept;
}

// ------------------------------------------------------------------------------------------- pairs that cannot meet

// Bounds are widened the same in all directions; what falls side by side does not come nearer by falling. Exact
// distances of other shapes than spheres cost so much that boxes around them, and velocities along the axes, are
// compared before. What is left out cannot touch within the step, whether both bodies move or one of them is stopped.

// In smaller radii: margins up to this let in few pairs that could be left out.
static const float wide_margin = 0.05f;

typedef struct pair_motion {
    vec3 speeds; // along each axis: how fast the bodies may come near each other, or one of them the other's place
    double any;  // in whatever direction: by turning, falling, and sliding
} pair_motion;

static pair_motion motion_of(const scree_world *world, const search_limits *limits, double friction, size_t a, size_t b,
                             body_velocity of_a, body_velocity of_b)
{
    vec3 relative = vec3_sub(of_a.velocity, of_b.velocity), u = of_a.velocity, v = of_b.velocity;
    double turning = turning_speed(world, a, of_a.spin) + turning_speed(world, b, of_b.spin);
    return (pair_motion){.speeds = {fmax(fabs(relative.x), fmax(fabs(u.x), fabs(v.x))),
                                    fmax(fabs(relative.y), fmax(fabs(u.y), fabs(v.y))),
                                    fmax(fabs(relative.z), fmax(fabs(u.z), fabs(v.z)))},
                         .any = turning + limits->fall + friction * (vec3_length(relative) + turning)};
}

static bool boxes_meet(vec3 gap, double least, double step, const pair_motion *motion)
{
    double most = least + step * motion->any;
    return gap.x <= most + step * motion->speeds.x && gap.y <= most + step * motion->speeds.y &&
           gap.z <= most + step * motion->speeds.z;
}

static bool pair_may_matter(const scree_world *world, const search_limits *limits, const proxy_view *view,
                            proxy_pair pair)
{
    const proxy *p = &view->proxies[pair.a], *q = &view->proxies[pair.b];
    if ((p->type == SCREE_SHAPE_SPHERE && q->type == SCREE_SHAPE_SPHERE) ||
        shape_is_unbounded((scree_shape_type)q->type))
        return true;
    size_t a = p->body, b = q->body;
    float smaller = world->bodies.radius.data[a] < world->bodies.radius.data[b] ? world->bodies.radius.data[a]
                                                                                : world->bodies.radius.data[b];
    if (limits->search_margins[a] + limits->search_margins[b] <= wide_margin * smaller)
        return true;
    vec3 half = vec3_add(proxy_half_extents(view, p), proxy_half_extents(view, q));
    vec3 apart = vec3_sub(proxy_center(view, p), proxy_center(view, q));
    vec3 gap = {fabs(apart.x) - half.x, fabs(apart.y) - half.y, fabs(apart.z) - half.z};
    if (gap.x <= 0 && gap.y <= 0 && gap.z <= 0)
        return true;
    double least = tolerance(world, a, b);
    double friction = (double)world->pairs.data[pair_index(world, p->material, q->material)].friction;
    pair_motion motion = motion_of(world, limits, friction, a, b, world_velocity(world, a), world_velocity(world, b));
    if (boxes_meet(gap, least, world->def.step, &motion) || !limits->reached)
        return boxes_meet(gap, least, world->def.step, &motion);
    motion = motion_of(world, limits, friction, a, b, reached_velocity(world, limits, a),
                       reached_velocity(world, limits, b));
    return boxes_meet(gap, least, world->def.step, &motion);
}

// Whether the contacts of a pair are known from before.
static bool is_known(const search_limits *limits, const proxy_view *view, proxy_pair pair)
{
    return limits->searched && !limits->searched[view->proxies[pair.a].body] &&
           !limits->searched[view->proxies[pair.b].body];
}

static size_t keep_pairs(const scree_world *world, const search_limits *limits, const proxy_view *view,
                         const proxy_pair *pairs, size_t count, proxy_pair *kept)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        if (is_known(limits, view, pairs[i]) || pair_may_matter(world, limits, view, pairs[i]))
            kept[left++] = pairs[i];
    return left;
}

// Most points that the block's pairs can give.
static size_t most_points(const scree_world *world, const proxy_pair *pairs, size_t count)
{
    const proxy *proxies = world->bodies.proxies.data;
    size_t most = NARROW_SLACK;
    for (size_t i = 0; i < count; i++)
        most += narrow_most_points(proxies[pairs[i].a].type, proxies[pairs[i].b].type);
    return most;
}

// Blocks of `count` contacts each, which begin at `first`, move together from `total` on; returns where they end.
static size_t close_ranks(contact *contacts, size_t total, const size_t *first, const size_t *count, size_t blocks)
{
    for (size_t b = 0; b < blocks; b++) {
        memmove(contacts + total, contacts + first[b], count[b] * sizeof *contacts);
        total += count[b];
    }
    return total;
}

typedef struct contact_search {
    const proxy_view *view;
    const search_limits *limits;
    body_paths paths;
    const contact_memory *memory;
    bool recall; // impulses; else they are left at zero
    const proxy_pair *pairs;
    size_t pair_count;
    size_t *room, *found; // by block of those at hand: where its room begins, and how many it found
} contact_search;

// The end of a block that should end about here: pairs of the same two bodies stay together, since their points
// share what is remembered.
static size_t find_cut(const contact_search *search, size_t at)
{
    const proxy *proxies = search->view->proxies;
    const proxy_pair *pairs = search->pairs;
    if (at >= search->pair_count)
        return search->pair_count;
    while (at > 0 && at < search->pair_count && proxies[pairs[at].a].body == proxies[pairs[at - 1].a].body &&
           proxies[pairs[at].b].body == proxies[pairs[at - 1].b].body)
        at++;
    return at;
}

// The contacts of two bodies as they were. False when there is no room for them, as there may not be where bodies have
// woken that fell asleep with others.
static bool take_over(const contact_search *search, uint32_t a, uint32_t b, contact_array *out)
{
    const contact_memory *memory = search->memory;
    size_t first = out->count;
    for (uint32_t i = memory->start[a]; i < memory->start[a + 1]; i++) {
        if (memory->others[i] != b)
            continue;
        if (out->count == out->capacity) {
            out->count = first;
            return false;
        }
        out->data[out->count++] = search->limits->before[i];
    }
    return true;
}

// Contacts of pairs that are kept: found, where they are or where they meet, or taken over.
static bool search_pairs(const scree_world *world, const contact_search *search, const proxy_pair *pairs, size_t count,
                         contact_array *out)
{
    const proxy_view *view = search->view;
    const body_paths *paths = &search->paths;
    for (size_t begin = 0, end; begin < count; begin = end) {
        uint32_t a = view->proxies[pairs[begin].a].body, b = view->proxies[pairs[begin].b].body;
        end = begin + 1;
        if (is_known(search->limits, view, pairs[begin]) && take_over(search, a, b, out))
            continue;
        bool fast = pair_is_fast(paths, view, pairs[begin]);
        while (!fast && end < count && !is_known(search->limits, view, pairs[end]) &&
               !pair_is_fast(paths, view, pairs[end]))
            end++;
        if (!(fast ? fast_pair_contacts(paths, view, pairs[begin], tolerance(world, a, b), out)
                   : narrow_phase(view, pairs + begin, end - begin, out)))
            return false;
    }
    return true;
}

static size_t search_block(const scree_world *world, const contact_search *search, size_t first, size_t end,
                           contact_array *out)
{
    for (proxy_pair kept[PAIR_BLOCK]; first < end; first += PAIR_BLOCK) {
        size_t count = end - first < PAIR_BLOCK ? end - first : PAIR_BLOCK;
        count = keep_pairs(world, search->limits, search->view, search->pairs + first, count, kept);
        if (!search_pairs(world, search, kept, count, out))
            return SIZE_MAX;
    }
    size_t found = keep_what_matters(world, search->limits, out->data, out->count);
    if (search->recall)
        memory_recall(search->memory, search->view, out->data, found);
    return found;
}

// Every block of pairs writes into room of its own behind the world's contacts; then blocks close ranks in order.
static bool search_blocks(scree_world *world, const contact_search *search, size_t first, size_t end)
{
    size_t blocks = block_count(end - first, PAIR_BLOCK), *room = search->room;
    room[0] = world->contacts.count;
#pragma omp parallel for num_threads(world->threads) schedule(static) if (blocks > 1)
    for (size_t b = 0; b < blocks; b++) {
        size_t begin = find_cut(search, first + b * PAIR_BLOCK);
        room[b + 1] = most_points(world, search->pairs + begin, find_cut(search, first + (b + 1) * PAIR_BLOCK) - begin);
    }
    for (size_t b = 0; b < blocks; b++)
        room[b + 1] += room[b];
    size_t slack = room[blocks] / 64;
    if (room[blocks] > world->contacts.capacity && !array_reserve_exact(&world->contacts, room[blocks] + slack))
        return false;
    contact *contacts = world->contacts.data;
    bool done = true;
#pragma omp parallel for num_threads(world->threads) schedule(dynamic) reduction(&& : done)
    for (size_t b = 0; b < blocks; b++) {
        contact_array out = {contacts + room[b], 0, room[b + 1] - room[b]};
        size_t begin = find_cut(search, first + b * PAIR_BLOCK);
        search->found[b] = search_block(world, search, begin, find_cut(search, first + (b + 1) * PAIR_BLOCK), &out);
        done = search->found[b] != SIZE_MAX && done;
    }
    if (done)
        world->contacts.count = close_ranks(contacts, room[0], room, search->found, blocks);
    return done;
}

// A few blocks at a time, so that there is room for what is found and not for every point that there could be.
static bool find_contacts(scree_world *world, const proxy_view *view, const search_limits *limits,
                          const contact_memory *memory, bool recall, const proxy_pair *pairs, size_t pair_count)
{
    size_t at_once = (size_t)world->threads * BLOCKS_PER_THREAD, most = at_once * PAIR_BLOCK;
    contact_search search = {.view = view,
                             .limits = limits,
                             .paths = {.velocity = world->bodies.velocity.data,
                                       .spin = world->bodies.spin.data,
                                       .reached = limits->reached,
                                       .radius = world->bodies.radius.data,
                                       .step = world->def.step},
                             .memory = memory,
                             .recall = recall,
                             .pairs = pairs,
                             .pair_count = pair_count,
                             .room = arena_array(&world->scratch, size_t, at_once + 1),
                             .found = arena_array(&world->scratch, size_t, at_once)};
    bool done = search.room && search.found;
    world->contacts.count = 0;
    for (size_t first = 0; done && first < pair_count; first += most)
        done = search_blocks(world, &search, first, pair_count - first < most ? pair_count : first + most);
    return done;
}

// ----------------------------------------------------------------------------------------- bodies of several shapes

// Two bodies with one shape each are found once, from one side; planes are always second.
static bool is_one_sided(const body_store *store)
{
    for (size_t i = 0; store->proxies.count > store->count && i < store->count; i++) {
        uint32_t first = store->first_proxy.data[i], end = store->first_proxy.data[i + 1];
        for (uint32_t k = first; end - first > 1 && k < end; k++)
            if (store->proxies.data[k].type != SCREE_SHAPE_PLANE)
                return false;
    }
    return true;
}

// Marks bodies of several shapes by slot; NULL when every body that can move has one shape.
static bool find_compounds(scree_world *world, uint8_t **is_compound)
{
    const body_store *store = &world->bodies;
    *is_compound = NULL;
    if (store->proxies.count == store->count)
        return true;
    uint8_t *found = arena_array(&world->scratch, uint8_t, store->count);
    if (!found)
        return false;
    bool any = false;
    for (size_t i = 0; i < store->count; i++) {
        found[i] = !store->immovable.data[i] && store->first_proxy.data[i + 1] - store->first_proxy.data[i] > 1;
        any = any || found[i];
    }
    *is_compound = any ? found : NULL;
    return true;
}

static size_t first_contact_of(const scree_world *world, size_t slot)
{
    size_t low = 0, high = world->contacts.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (world->contacts.data[middle].a < slot)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Reduces the contacts of a block of bodies, pair by pair; returns how many are left.
static size_t reduce_block(const scree_world *world, const uint8_t *is_compound, contact *contacts, size_t count)
{
    size_t kept = 0;
    for (size_t begin = 0, end; begin < count; begin = end) {
        uint32_t a = contacts[begin].a, b = contacts[begin].b;
        for (end = begin + 1; end < count && contacts[end].a == a && contacts[end].b == b;)
            end++;
        size_t most = is_compound[a] ? (size_t)world->def.contacts_per_pair : end - begin;
        size_t picked = contacts_pick(contacts + begin, end - begin, most);
        memmove(contacts + kept, contacts + begin, picked * sizeof *contacts);
        kept += picked;
    }
    return kept;
}

// Remembered impulses decide close choices, and are then handed to the points that are left.
static bool reduce_contacts(scree_world *world, const proxy_view *view, const uint8_t *is_compound,
                            const contact_memory *memory)
{
    contact *contacts = world->contacts.data;
    size_t bodies = world->bodies.count, blocks = block_count(bodies, BODY_BLOCK);
    size_t *first = arena_array(&world->scratch, size_t, blocks + 1);
    size_t *kept = arena_array(&world->scratch, size_t, blocks);
    if (!first || !kept || !contacts_gather(view, is_compound, contacts, world->contacts.count, &world->scratch))
        return false;
    for (size_t b = 0; b < blocks; b++)
        first[b] = first_contact_of(world, b * BODY_BLOCK);
    first[blocks] = world->contacts.count;
#pragma omp parallel for num_threads(world->threads) schedule(dynamic)
    for (size_t b = 0; b < blocks; b++) {
        contact *here = contacts + first[b];
        memory_recall_features(memory, view, here, first[b + 1] - first[b]);
        kept[b] = reduce_block(world, is_compound, here, first[b + 1] - first[b]);
        for (size_t i = 0; i < kept[b]; i++)
            here[i].impulse = (vec3f){0, 0, 0};
        memory_recall(memory, view, here, kept[b]);
    }
    world->contacts.count = close_ranks(contacts, 0, first, kept, blocks);
    return true;
}

// Angular impulses find their contacts as linear ones do, where any pair has such friction.
static bool recall_angular(scree_world *world, const contact_memory *memory, const proxy_view *view, vec3f *remembered,
                           size_t remembered_count)
{
    size_t count = world->contacts.count;
    if (!world->extended) {
        world->angular_impulses.count = 0;
        return true;
    }
    if (!array_resize(&world->angular_impulses, count))
        return false;
    if (count == 0)
        return true;
    if (!remembered || remembered_count == 0)
        memset(world->angular_impulses.data, 0, count * sizeof(vec3f));
    else
        memory_recall_angular(memory, view, remembered, world->contacts.data, count, world->angular_impulses.data);
    return true;
}

// A copy of what contacts had; NULL when that is nothing.
static bool keep_angular(scree_world *world, vec3f **kept)
{
    size_t count = world->angular_impulses.count;
    note_pairs(world);
    *kept = NULL;
    if (!world->extended || count != world->contacts.count)
        return true;
    *kept = arena_array(&world->scratch, vec3f, count);
    if (*kept && count)
        memcpy(*kept, world->angular_impulses.data, count * sizeof **kept);
    return *kept;
}

static scree_status detect(scree_world *world, search_limits limits, scree_error *error)
{
    world->pushes.count = 0;
    contact_memory memory;
    vec3f *angular;
    size_t remembered = world->contacts.count;
    scree_status status = find_margins(world, &limits, error);
    if (status)
        return status;
    if (!memory_take(&memory, &world->contacts, world->bodies.count, is_one_sided(&world->bodies), world->threads,
                     &world->scratch))
        return fail_no_memory(error);
    if (!keep_angular(world, &angular))
        return fail_no_memory(error);
    const pair_filter *filter;
    if (!find_filter(world, &filter))
        return fail_no_memory(error);
    sleepers asleep;
    if (!sleepers_find(world, &asleep))
        return fail_no_memory(error);
    proxy_view view = world_view(world, limits.search_margins, filter);
    view.immovable = asleep.still;
    if (!find_half_extents(world, &view))
        return fail_no_memory(error);
    proxy_pair *pairs;
    size_t pair_count;
    status = broad_phase(&view, world->threads, &world->scratch, &pairs, &pair_count, error);
    if (status == SCREE_ERROR_INVALID)
        return report_crowd(world, pair_count, error);
    if (status)
        return status == SCREE_ERROR_DIVERGED ? report_far_body(world, error) : status;
    pairs = order_pairs(&view, pairs, pair_count, world->threads, &world->scratch);
    if (!pairs)
        return fail_no_memory(error);
    stage_ends(world, &world->last.broad);
    uint8_t *is_compound;
    if (!find_compounds(world, &is_compound) ||
        !find_contacts(world, &view, &limits, &memory, !is_compound, pairs, pair_count) ||
        (is_compound && world->contacts.count > 0 && !reduce_contacts(world, &view, is_compound, &memory)) ||
        !sleepers_return(world, &asleep) || !recall_angular(world, &memory, &view, angular, remembered))
        return fail_no_memory(error);
    stage_ends(world, &world->last.narrow);
    return SCREE_OK;
}

scree_status detect_contacts(scree_world *world, const body_velocity *reached, scree_error *error)
{
    return detect(world, (search_limits){.reached = reached}, error);
}

scree_status detect_contacts_again(scree_world *world, const body_velocity *reached, const uint8_t *changed,
                                   const contact *before, scree_error *error)
{
    const body_store *store = &world->bodies;
    uint8_t *searched = arena_array(&world->scratch, uint8_t, store->count);
    if (!searched)
        return fail_no_memory(error);
    // Impulses choose which points carry a compound, and they are others now.
    for (size_t i = 0; i < store->count; i++)
        searched[i] = changed[i] || store->first_proxy.data[i + 1] - store->first_proxy.data[i] > 1;
    return detect(world, (search_limits){.reached = reached, .searched = searched, .before = before}, error);
}
