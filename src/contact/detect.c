// Detection: from bodies to the contacts of this step, in the order of their first body's slot and their second body's
// id. Which of two bodies is first follows from types and ids (pair_order.h).
//
// Bounds are widened by how far a body may come in one step, so that what will touch within the step is found before
// it overlaps; of the points found, those stay that are near or closing fast enough to matter.
#include "contact/detect.h"

#include "base/error.h"
#include "base/search.h"
#include "base/threads.h"
#include "collide/broad/broad.h"
#include "collide/narrow/narrow.h"
#include "collide/reduce.h"
#include "contact/kept_edges.h"
#include "contact/pair_order.h"
#include "contact/velocity.h"
#include "geometry/shape.h"

enum { PAIR_BLOCK = 256, BLOCKS_PER_THREAD = 8, BODY_BLOCK = 256 };

// A contact stays in the problem within this part of the smaller radius for each of its bodies that can move, so that
// resting contacts persist.
static const double contact_tolerance = 0.002;

// Gaps up to this matter whatever the velocities are. The two bodies alone decide it: nothing else in the world may
// change what they do.
static double tolerance(const detection *of, size_t a, size_t b)
{
    const uint8_t *immovable = of->problem->immovable;
    float of_a = of->problem->radius[a], of_b = of->problem->radius[b];
    return contact_tolerance * (double)(of_a < of_b ? of_a : of_b) * (2 - immovable[a] - immovable[b]);
}

// The largest speed that spin gives to a point of a body; bodies with planes are without end.
static double turning_speed(const detection *of, size_t slot, vec3 spin)
{
    double speed = vec3_length(spin);
    return speed > 0 ? speed * (double)of->problem->radius[slot] : 0;
}

// The largest speed of any point of a body.
static double largest_speed(const detection *of, size_t slot, body_velocity at)
{
    double turning = turning_speed(of, slot, at.spin);
    return vec3_length(at.velocity) + (isfinite(turning) ? turning : 0);
}

// The velocity that a body leaves the step with, as far as it is looked for.
static body_velocity reached_velocity(const detection *of, size_t slot)
{
    bool keeps = of->problem->immovable[slot] || (of->searched && !of->searched[slot]);
    return keeps ? start_velocity(of->problem, slot) : of->reached[slot];
}

// Widest extra margin of a body that leaves the step much faster than it began it, in its radii. A limit is needed: a
// body that is squeezed out of a deep overlap may be so fast that its margin would cover the whole world.
static const double most_exit_radii = 4;

static float margin_of(const detection *of, size_t slot)
{
    double path = of->problem->step * largest_speed(of, slot, start_velocity(of->problem, slot));
    if (of->problem->immovable[slot])
        return (float)path;
    double radius = (double)of->problem->radius[slot];
    path += of->problem->step * of->fall;
    if (of->reached)
        path = fmax(path, fmin(of->problem->step * largest_speed(of, slot, reached_velocity(of, slot)),
                               path + most_exit_radii * radius));
    return (float)(path + contact_tolerance * radius);
}

typedef struct margin_search {
    const detection *of;
    float *margins;
    _Atomic size_t lost; // the first body that is too fast
} margin_search;

static void find_margins(void *context, size_t first, size_t end)
{
    margin_search *search = context;
    const detection *of = search->of;
    for (size_t i = first; i < end; i++) {
        search->margins[i] = !of->near || of->near[i] ? margin_of(of, i) : 0;
        if (!((double)search->margins[i] <= MOST_RADII_PER_STEP * (double)of->problem->radius[i]))
            note_least(&search->lost, i);
    }
}

bool detection_find_margins(detection *of, size_t *lost)
{
    const step_problem *problem = of->problem;
    margin_search search = {of, arena_array(of->scratch, float, problem->body_count), SIZE_MAX};
    of->view.margins = search.margins;
    of->fall = problem->step * problem->gravity_length;
    if (!search.margins)
        return false;
    for_ranges(problem->threads, problem->body_count, BODY_BLOCK, find_margins, &search);
    *lost = search.lost;
    return true;
}

typedef struct extent_search {
    const proxy_view *view;
    vec3 *found;
} extent_search;

static void find_extents(void *context, size_t first, size_t end)
{
    const extent_search *search = context;
    for (size_t i = first; i < end; i++)
        if (!shape_is_unbounded((scree_shape_type)search->view->proxies[i].type))
            search->found[i] = proxy_half_extents(search->view, &search->view->proxies[i]);
}

// Hulls take long to tell how far they extend, and are asked for each of their pairs: then all proxies are asked once.
static bool find_half_extents(const detection *of, proxy_view *view)
{
    if (view->geometry_count == 0)
        return true;
    extent_search search = {view, arena_array(of->scratch, vec3, view->proxy_count)};
    if (search.found)
        for_ranges(of->problem->threads, view->proxy_count, BODY_BLOCK, find_extents, &search);
    view->half_extents = search.found;
    return search.found;
}

// How fast surfaces may come near each other: by the velocities given, or when one of the bodies is stopped by
// something else on the way; then the other comes as near as its own velocity takes it.
static double closing_speed(const detection *of, const contact *c, body_velocity a, body_velocity b)
{
    vec3 normal = vec3_from_f(c->normal);
    vec3 at_a = point_velocity(a, vec3_from_f(c->arm)), at_b = point_velocity(b, arm_of_b(of->problem->position, c));
    double of_a = vec3_dot(normal, at_a), of_b = -vec3_dot(normal, at_b);
    // A sliding contact of the relaxed law keeps the distance mu |u_t| h.
    double slip = vec3_length(vec3_add_scaled(vec3_sub(at_a, at_b), normal, -(of_a + of_b)));
    double friction = (double)pair_of_contact(of->problem, c)->friction;
    return fmax(of_a + of_b, fmax(of_a, of_b)) + slip * friction;
}

// Is a contact near enough, or closing fast enough? Contacts beyond the two margins never count, since the broad phase
// may or may not have found them.
static bool may_matter(const detection *of, const contact *c)
{
    double least = tolerance(of, c->a, c->b), gap = (double)c->gap;
    if (gap <= least)
        return true;
    if (gap > (double)of->view.margins[c->a] + (double)of->view.margins[c->b])
        return false;
    double closing =
        closing_speed(of, c, start_velocity(of->problem, c->a), start_velocity(of->problem, c->b)) + of->fall;
    if (of->reached)
        closing = fmax(closing, closing_speed(of, c, reached_velocity(of, c->a), reached_velocity(of, c->b)));
    return gap <= least + of->problem->step * closing;
}

static size_t keep_what_matters(const detection *of, contact *contacts, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (!may_matter(of, &contacts[i]))
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

static pair_motion motion_of(const detection *of, double friction, size_t a, size_t b, body_velocity of_a,
                             body_velocity of_b)
{
    vec3 relative = vec3_sub(of_a.velocity, of_b.velocity), u = of_a.velocity, v = of_b.velocity;
    double turning = turning_speed(of, a, of_a.spin) + turning_speed(of, b, of_b.spin);
    return (pair_motion){.speeds = {fmax(fabs(relative.x), fmax(fabs(u.x), fabs(v.x))),
                                    fmax(fabs(relative.y), fmax(fabs(u.y), fabs(v.y))),
                                    fmax(fabs(relative.z), fmax(fabs(u.z), fabs(v.z)))},
                         .any = turning + of->fall + friction * (vec3_length(relative) + turning)};
}

static bool boxes_meet(vec3 gap, double least, double step, const pair_motion *motion)
{
    double most = least + step * motion->any;
    return gap.x <= most + step * motion->speeds.x && gap.y <= most + step * motion->speeds.y &&
           gap.z <= most + step * motion->speeds.z;
}

static bool pair_may_matter(const detection *of, proxy_pair pair)
{
    const proxy_view *view = &of->view;
    const proxy *p = &view->proxies[pair.a], *q = &view->proxies[pair.b];
    if ((p->type == SCREE_SHAPE_SPHERE && q->type == SCREE_SHAPE_SPHERE) ||
        shape_is_unbounded((scree_shape_type)q->type))
        return true;
    size_t a = p->body, b = q->body;
    const float *radius = of->problem->radius;
    float smaller = radius[a] < radius[b] ? radius[a] : radius[b];
    if (of->view.margins[a] + of->view.margins[b] <= wide_margin * smaller)
        return true;
    vec3 half = vec3_add(proxy_half_extents(view, p), proxy_half_extents(view, q));
    vec3 apart = vec3_sub(proxy_center(view, p), proxy_center(view, q));
    vec3 gap = {fabs(apart.x) - half.x, fabs(apart.y) - half.y, fabs(apart.z) - half.z};
    if (gap.x <= 0 && gap.y <= 0 && gap.z <= 0)
        return true;
    double least = tolerance(of, a, b);
    double friction = (double)pair_of(of->problem, p->material, q->material)->friction;
    pair_motion motion = motion_of(of, friction, a, b, start_velocity(of->problem, a), start_velocity(of->problem, b));
    if (boxes_meet(gap, least, of->problem->step, &motion) || !of->reached)
        return boxes_meet(gap, least, of->problem->step, &motion);
    motion = motion_of(of, friction, a, b, reached_velocity(of, a), reached_velocity(of, b));
    return boxes_meet(gap, least, of->problem->step, &motion);
}

static size_t keep_pairs(const detection *of, const proxy_pair *pairs, size_t count, proxy_pair *kept)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        if (pair_may_matter(of, pairs[i]))
            kept[left++] = pairs[i];
    return left;
}

// Most points that the block's pairs can give.
static size_t most_points(const proxy *proxies, const proxy_pair *pairs, size_t count)
{
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

// The end of a block that should end about here: pairs of the same two bodies stay together, since their points
// share what is remembered.
static size_t find_cut(const detection *of, size_t at)
{
    const proxy *proxies = of->view.proxies;
    const proxy_pair *pairs = of->pairs;
    if (at >= of->pair_count)
        return of->pair_count;
    while (at > 0 && at < of->pair_count && proxies[pairs[at].a].body == proxies[pairs[at - 1].a].body &&
           proxies[pairs[at].b].body == proxies[pairs[at - 1].b].body)
        at++;
    return at;
}

static bool are_boxes(const proxy_view *view, const proxy_pair *pair)
{
    return view->proxies[pair->a].type == SCREE_SHAPE_BOX && view->proxies[pair->b].type == SCREE_SHAPE_BOX;
}

// Where no contacts are reduced afterwards they recall their impulses at once.
static size_t search_block(const detection *of, bool recall, size_t first, size_t end, contact_array *out)
{
    bool boxes = false;
    for (proxy_pair kept[PAIR_BLOCK]; first < end; first += PAIR_BLOCK) {
        size_t count = end - first < PAIR_BLOCK ? end - first : PAIR_BLOCK;
        count = keep_pairs(of, of->pairs + first, count, kept);
        if (!narrow_phase(&of->view, kept, count, out))
            return SIZE_MAX;
        for (size_t i = 0; of->remembered > 0 && !boxes && i < count; i++)
            boxes = are_boxes(&of->view, &kept[i]);
    }
    if (boxes)
        out->count = keep_edges(&of->memory, &of->view, out->data, out->count);
    size_t found = keep_what_matters(of, out->data, out->count);
    if (recall)
        memory_recall(&of->memory, &of->view, out->data, found);
    return found;
}

// By block of the pairs at hand: where its room begins, how many contacts it found, and where those go.
typedef struct block_room {
    size_t *first, *found, *place;
} block_room;

// A few blocks of pairs on their way to contacts.
typedef struct pair_blocks {
    const detection *of;
    bool recall;
    const block_room *room;
    size_t begin;      // pair
    contact *contacts; // of all of them, each in its room
    _Atomic bool failed;
} pair_blocks;

static void append_block(void *context, size_t block)
{
    const pair_blocks *at = context;
    const block_room *room = at->room;
    if (room->found[block] > 0)
        memcpy(at->of->contacts->data + room->place[block], at->contacts + room->first[block],
               room->found[block] * sizeof *at->contacts);
}

// Blocks of contacts line up behind those so far; there is room for what was found, and little more.
static bool append_blocks(pair_blocks *at, size_t blocks)
{
    const detection *of = at->of;
    size_t *place = at->room->place;
    place[0] = of->contacts->count;
    for (size_t b = 0; b < blocks; b++)
        place[b + 1] = place[b] + at->room->found[b];
    size_t count = place[blocks], slack = count / 64;
    if (count > of->contacts->capacity && !array_reserve_exact(of->contacts, count + slack))
        return false;
    of->contacts->count = count;
    for_blocks(of->problem->threads, blocks, append_block, at);
    return true;
}

static size_t cut_of_block(const pair_blocks *at, size_t block)
{
    return find_cut(at->of, at->begin + block * PAIR_BLOCK);
}

static void find_room(void *context, size_t block)
{
    const pair_blocks *at = context;
    size_t first = cut_of_block(at, block), count = cut_of_block(at, block + 1) - first;
    at->room->first[block + 1] = most_points(at->of->view.proxies, at->of->pairs + first, count);
}

static void search_room(void *context, size_t block)
{
    pair_blocks *at = context;
    const size_t *first = at->room->first, end = cut_of_block(at, block + 1);
    contact_array out = {at->contacts + first[block], 0, first[block + 1] - first[block]};
    size_t found = search_block(at->of, at->recall, cut_of_block(at, block), end, &out);
    at->room->found[block] = found;
    if (found == SIZE_MAX)
        atomic_store(&at->failed, true);
}

// Every block of pairs writes into room of its own.
static bool search_blocks(const detection *of, bool recall, const block_room *room, size_t begin, size_t end)
{
    size_t blocks = block_count(end - begin, PAIR_BLOCK), *first = room->first;
    pair_blocks at = {.of = of, .recall = recall, .room = room, .begin = begin};
    first[0] = 0;
    for_blocks(of->problem->threads, blocks, find_room, &at);
    for (size_t b = 0; b < blocks; b++)
        first[b + 1] += first[b];
    at.contacts = arena_array(of->scratch, contact, first[blocks]);
    if (!at.contacts)
        return false;
    for_blocks(of->problem->threads, blocks, search_room, &at);
    return !at.failed && append_blocks(&at, blocks);
}

// A few blocks at a time, so that there is room for what is found and not for every point that there could be.
static bool find_contacts(const detection *of, bool recall)
{
    size_t at_once = (size_t)of->problem->threads * BLOCKS_PER_THREAD, most = at_once * PAIR_BLOCK;
    block_room room = {.first = arena_array(of->scratch, size_t, at_once + 1),
                       .found = arena_array(of->scratch, size_t, at_once),
                       .place = arena_array(of->scratch, size_t, at_once + 1)};
    bool done = room.first && room.found && room.place;
    of->contacts->count = 0;
    for (size_t first = 0; done && first < of->pair_count; first += most) {
        arena_mark before = arena_get_mark(of->scratch);
        done = search_blocks(of, recall, &room, first, of->pair_count - first < most ? of->pair_count : first + most);
        arena_release(of->scratch, before);
    }
    return done;
}

// ----------------------------------------------------------------------------------------- bodies of several shapes

static uint32_t shapes_of(const proxy_view *view, size_t slot)
{
    return view->first_proxy[slot + 1] - view->first_proxy[slot];
}

// Two bodies with one shape each are found once, from one side; planes are always second.
static bool is_one_sided(const proxy_view *view)
{
    for (size_t i = 0; view->proxy_count > view->body_count && i < view->body_count; i++) {
        uint32_t first = view->first_proxy[i], end = view->first_proxy[i + 1];
        for (uint32_t k = first; end - first > 1 && k < end; k++)
            if (view->proxies[k].type != SCREE_SHAPE_PLANE)
                return false;
    }
    return true;
}

// Marks bodies of several shapes by slot; NULL when every body that can move has one shape.
static bool find_compounds(const detection *of, uint8_t **is_compound)
{
    const proxy_view *view = &of->view;
    *is_compound = NULL;
    if (view->proxy_count == view->body_count)
        return true;
    uint8_t *found = arena_array(of->scratch, uint8_t, view->body_count);
    if (!found)
        return false;
    bool any = false;
    for (size_t i = 0; i < view->body_count; i++) {
        found[i] = !of->problem->immovable[i] && shapes_of(view, i) > 1;
        any = any || found[i];
    }
    *is_compound = any ? found : NULL;
    return true;
}

// Reduces the contacts of a block of bodies, pair by pair; returns how many are left.
static size_t reduce_block(const detection *of, const uint8_t *is_compound, contact *contacts, size_t count)
{
    size_t kept = 0;
    for (size_t begin = 0, end; begin < count; begin = end) {
        uint32_t a = contacts[begin].a, b = contacts[begin].b;
        for (end = begin + 1; end < count && contacts[end].a == a && contacts[end].b == b;)
            end++;
        size_t picked = contacts_pick(contacts + begin, end - begin, is_compound[a] ? of->most_per_pair : end - begin);
        memmove(contacts + kept, contacts + begin, picked * sizeof *contacts);
        kept += picked;
    }
    return kept;
}

typedef struct reduction_task {
    const detection *of;
    const uint8_t *is_compound;
    const size_t *first;
    size_t *kept;
} reduction_task;

// Remembered impulses decide close choices, and are then handed to the points that are left.
static void reduce_body_block(void *context, size_t block)
{
    const reduction_task *task = context;
    const detection *of = task->of;
    contact *here = of->contacts->data + task->first[block];
    size_t count = task->first[block + 1] - task->first[block], kept;
    memory_recall_features(&of->memory, &of->view, here, count);
    kept = task->kept[block] = reduce_block(of, task->is_compound, here, count);
    for (size_t i = 0; i < kept; i++)
        here[i].impulse = (vec3f){0, 0, 0};
    memory_recall(&of->memory, &of->view, here, kept);
}

static bool reduce_contacts(const detection *of, const uint8_t *is_compound)
{
    contact *contacts = of->contacts->data;
    size_t blocks = block_count(of->problem->body_count, BODY_BLOCK);
    size_t *first = arena_array(of->scratch, size_t, blocks + 1);
    size_t *kept = arena_array(of->scratch, size_t, blocks);
    if (!first || !kept || !contacts_gather(&of->view, is_compound, contacts, of->contacts->count, of->scratch))
        return false;
    for (size_t b = 0; b < blocks; b++)
        first[b] = lower_bound_u32(of->contacts->data, of->contacts->count, sizeof(contact), offsetof(contact, a),
                                   (uint32_t)(b * BODY_BLOCK));
    first[blocks] = of->contacts->count;
    for_blocks(of->problem->threads, blocks, reduce_body_block, &(reduction_task){of, is_compound, first, kept});
    of->contacts->count = close_ranks(contacts, 0, first, kept, blocks);
    return true;
}

// -------------------------------------------------------------------------------------------------- angular impulses

// Angular impulses find their contacts as linear ones do, where any pair has such friction.
static bool recall_angular(const detection *of)
{
    if (!of->angular)
        return true;
    size_t count = of->contacts->count;
    if (!array_resize(of->angular, count))
        return false;
    if (count == 0)
        return true;
    if (!of->angular_before || of->remembered == 0)
        memset(of->angular->data, 0, count * sizeof(vec3f));
    else
        memory_recall_angular(&of->memory, &of->view, of->angular_before, of->contacts->data, count, of->angular->data);
    return true;
}

// A copy of what contacts had; NULL when that is nothing.
static bool keep_angular(detection *of)
{
    of->angular_before = NULL;
    if (!of->angular || of->last_angular->count != of->remembered)
        return true;
    vec3f *kept = arena_array(of->scratch, vec3f, of->remembered);
    if (kept && of->remembered)
        memcpy(kept, of->last_angular->data, of->remembered * sizeof *kept);
    of->angular_before = kept;
    return kept;
}

// ------------------------------------------------------------------------------------------------------------- stages

bool detection_narrow_down(detection *of)
{
    const proxy_view *all = &of->view;
    uint32_t *first = arena_array(of->scratch, uint32_t, all->body_count + 1);
    uint8_t *still = arena_array(of->scratch, uint8_t, all->body_count);
    if (!first || !still)
        return false;
    first[0] = 0;
    for (size_t i = 0; i < all->body_count; i++) {
        first[i + 1] = first[i] + (of->near[i] ? shapes_of(all, i) : 0);
        still[i] = !of->searched[i];
    }
    proxy *proxies = arena_array(of->scratch, proxy, first[all->body_count]);
    if (!proxies)
        return false;
    for (size_t i = 0; i < all->body_count; i++)
        if (first[i + 1] > first[i])
            memcpy(proxies + first[i], all->proxies + all->first_proxy[i], (first[i + 1] - first[i]) * sizeof *proxies);
    of->view.proxies = proxies;
    of->view.first_proxy = first;
    of->view.proxy_count = first[of->view.body_count];
    of->view.immovable = still;
    return true;
}

bool detection_remember(detection *of)
{
    of->remembered = of->last->count;
    return memory_take(&of->memory, of->last, of->problem->body_count, is_one_sided(&of->view), of->problem->threads,
                       of->scratch) &&
           keep_angular(of);
}

scree_status detection_find_pairs(detection *of, size_t *lost, scree_error *error)
{
    int threads = of->problem->threads;
    proxy_pair *pairs;
    size_t count = 0;
    if (!find_half_extents(of, &of->view))
        return fail_no_memory(error);
    scree_status status = broad_phase(&of->view, threads, of->scratch, &pairs, &count, error);
    *lost = count;
    if (status)
        return status;
    of->pairs = order_pairs(&of->view, pairs, count, threads, of->scratch);
    of->pair_count = count;
    return of->pairs ? SCREE_OK : fail_no_memory(error);
}

bool detection_find_contacts(detection *of, const sleepers *asleep)
{
    uint8_t *is_compound;
    return find_compounds(of, &is_compound) && find_contacts(of, !is_compound) &&
           (!is_compound || of->contacts->count == 0 || reduce_contacts(of, is_compound)) &&
           sleepers_return(asleep, of->contacts) && recall_angular(of);
}
