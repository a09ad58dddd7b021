#include "contact/meet.h"

#include "base/search.h"
#include "base/threads.h"
#include "collide/impact.h"
#include "collide/reduce.h"
#include "contact/velocity.h"

enum { CONTACT_BLOCK = 256, FEW_POINTS = 40 };

// A pair moves far when it moves by more than this part of the smaller radius within the step; and one that bounces on
// something immovable, since what gravity does on the way to it and back is then in the speed of all that follows.
static const double far_path = 0.05, far_path_of_bounce = 0.01;

// And what does not rebound, and goes straight along the normal.
static const double late_stop = 0.5;

// Shapes nearer than this part of the smaller radius for each movable body touch already, as detection sees it: what
// slides, rolls and rests has the contacts of where it is. What bounces does not rest.
static const double touching_part = 0.002;

// Impacts within this part of the step are one.
static const double simultaneous = 1e-3;

static const uint32_t NO_TWIN = UINT32_MAX;

// A pair of bodies that may meet. Compounds may touch in either order: the points of the moment are in one.
typedef struct fast_pair {
    uint32_t first, count; // contacts of the beginning
    uint32_t points;       // of the moment
    uint32_t twin;         // first contact of the same two bodies in the other order, or NO_TWIN
    bool leaves;           // the points of the moment are those of its twin
    bool again;            // only by the velocities that a solve gave
    uint8_t kind;          // impact_kind
    double moment;
    contact *more; // the points of the moment where there are more than contacts of the beginning; else NULL: they
                   // stand in those contacts' place
} fast_pair;

// -------------------------------------------------------------------------------------------------------- which pairs

// How bodies move in the step without impulses and loads, or as a solve has it.
static pair_paths paths_of(const meeting_search *of, uint32_t a, uint32_t b, bool reached)
{
    const step_problem *problem = of->problem;
    pair_paths paths = {.slot = {a, b}, .step = problem->step};
    for (int i = 0; i < 2; i++) {
        uint32_t slot = paths.slot[i];
        body_velocity at = reached && !problem->immovable[slot] ? of->reached[slot] : start_velocity(problem, slot);
        bool falls = !reached && slot_moves(problem, slot);
        paths.velocity[i] = falls ? vec3_add_scaled(at.velocity, problem->gravity, problem->step) : at.velocity;
        paths.spin[i] = at.spin;
        paths.radius[i] = (double)problem->radius[slot];
    }
    return paths;
}

// Does a body bounce on something immovable?
static bool is_bounce(const meeting_search *of, const contact *c)
{
    return pair_of_contact(of->problem, c)->restitution > 0 &&
           of->problem->immovable[c->a] != of->problem->immovable[c->b];
}

// How far points of a body turn about its centre within the step. Balls turn in place; bodies with planes are without
// end, and turn only when they are moved.
static double turning_path(const meeting_search *search, const pair_paths *of, int i)
{
    double turning = vec3_length(of->spin[i]);
    return turning > 0 && !body_is_sphere(search->view, of->slot[i]) ? of->step * turning * of->radius[i] : 0;
}

// The path that counts, in parts of the smaller radius: of what rebounds all of it. What does not comes to rest on what
// it hits, whenever it does so, unless the normal turns on the way: then its path across that normal counts, and all of
// it only where it is so long that a stop in the step after would be seen.
static double path_that_counts(const meeting_search *search, const contact *c, const pair_paths *of)
{
    vec3 path = vec3_scale(vec3_sub(of->velocity[1], of->velocity[0]), of->step), normal = vec3_from_f(c->normal);
    double whole = vec3_length(path), smaller = fmin(of->radius[0], of->radius[1]);
    if (pair_of_contact(search->problem, c)->restitution > 0 || whole > late_stop * smaller)
        return whole;
    return vec3_length(vec3_add_scaled(path, normal, -vec3_dot(path, normal)));
}

static bool moves_far(const meeting_search *search, const pair_paths *of, const contact *c)
{
    double part = is_bounce(search, c) ? far_path_of_bounce : far_path;
    double far = part * fmin(of->radius[0], of->radius[1]), path = path_that_counts(search, c, of);
    if (!(path > far))
        path += turning_path(search, of, 0) + turning_path(search, of, 1);
    return path > far && isfinite(path);
}

// The path of b against a at a contact, whose second arm is other than that of the beginning by `shift`.
static vec3 relative_path(const meeting_search *of, const pair_paths *paths, const contact *c, vec3 shift)
{
    vec3 arm = vec3_from_f(c->arm), other = vec3_add(arm_of_b(of->problem->position, c), shift);
    vec3 relative = relative_velocity((body_velocity){paths->velocity[0], paths->spin[0]}, arm,
                                      (body_velocity){paths->velocity[1], paths->spin[1]}, other);
    return vec3_scale(relative, paths->step);
}

static double closing_path(const meeting_search *of, const pair_paths *paths, const contact *c, vec3 shift)
{
    return vec3_dot(vec3_from_f(c->normal), relative_path(of, paths, c, shift));
}

// Does a contact slide so fast that the relaxed law holds it open? What slides is as near as that law lets it be.
static bool is_held_open(const meeting_search *of, const contact *c, vec3 path)
{
    if (of->problem->solver.friction != SCREE_FRICTION_CONVEX)
        return false;
    double closing = -vec3_dot(vec3_from_f(c->normal), path);
    double slip = vec3_length(vec3_add_scaled(path, vec3_from_f(c->normal), closing));
    return closing < (double)pair_of_contact(of->problem, c)->friction * slip;
}

// Whether any of the contacts of the beginning would act on bodies that go on by their paths.
static bool would_act(const meeting_search *of, const pair_paths *paths, size_t first, size_t count)
{
    double depth = touching_part * fmin(paths->radius[0], paths->radius[1]);
    bool acts = false;
    for (size_t i = first; i < first + count; i++) {
        const contact *c = &of->contacts->data[i];
        vec3 path = relative_path(of, paths, c, vec3_make(0, 0, 0));
        if (is_held_open(of, c, path))
            return false;
        acts = acts || (double)c->gap + vec3_dot(vec3_from_f(c->normal), path) <= depth;
    }
    return acts;
}

static bool carries(const contact *c)
{
    return c->impulse.x != 0 || c->impulse.y != 0 || c->impulse.z != 0;
}

static const pair_meeting *met_before(const meeting_search *of, uint32_t a, uint32_t b)
{
    if (!of->before)
        return NULL;
    const pair_meeting *list = of->before->list.data, *met = meeting_find(list, of->before->list.count, a, b);
    return met ? met : meeting_find(list, of->before->list.count, b, a);
}

// What carried something in the last step touches, too: the relaxed law holds apart what slides. What rebounded is on
// its way, and may turn past the other or meet it again. What met already in this step carries what that gave.
static bool is_apart(const meeting_search *of, size_t first, size_t count)
{
    const contact *contacts = of->contacts->data;
    const uint8_t *immovable = of->problem->immovable;
    uint32_t a = contacts[first].a, b = contacts[first].b;
    bool rebounds = pair_of_contact(of->problem, &contacts[first])->restitution > 0;
    bool may_carry = rebounds || met_before(of, a, b);
    double touching = is_bounce(of, &contacts[first]) ? 0 : touching_part * (2 - immovable[a] - immovable[b]);
    touching *= smaller_radius(of->problem, &contacts[first]);
    for (size_t i = first; i < first + count; i++)
        if (!((double)contacts[i].gap > touching) || (!may_carry && carries(&contacts[i])))
            return false;
    return true;
}

// Contacts of one pair that stand side by side from `first` on.
static size_t count_pair(const contact_array *contacts, size_t first)
{
    size_t end = first + 1;
    while (end < contacts->count && contacts->data[end].a == contacts->data[first].a &&
           contacts->data[end].b == contacts->data[first].b)
        end++;
    return end - first;
}

static bool has_shapes(const proxy_view *view, uint32_t slot)
{
    return view->first_proxy[slot + 1] - view->first_proxy[slot] > 1;
}

// Contacts of the same two bodies in the other order, of which none or some stand side by side.
static size_t find_twin(const meeting_search *of, const contact *c)
{
    const contact_array *all = of->contacts;
    size_t i = lower_bound_u32(all->data, all->count, sizeof(contact), offsetof(contact, a), c->b);
    while (i < all->count && all->data[i].a == c->b && all->data[i].b != c->a)
        i++;
    return i < all->count && all->data[i].a == c->b ? i : SIZE_MAX;
}

// Does a pair move far by its paths, and would a contact of it in either order act?
static bool would_meet(const meeting_search *of, const fast_pair *pair, bool reached)
{
    const contact *c = &of->contacts->data[pair->first];
    pair_paths paths = paths_of(of, c->a, c->b, reached);
    if (!moves_far(of, &paths, c))
        return false;
    if (would_act(of, &paths, pair->first, pair->count))
        return true;
    if (pair->twin == NO_TWIN)
        return false;
    paths = paths_of(of, c->b, c->a, reached);
    return would_act(of, &paths, pair->twin, count_pair(of->contacts, pair->twin));
}

// Compounds may touch in either order. False where they touch already.
static bool look_for_twin(const meeting_search *of, fast_pair *pair)
{
    const contact *c = &of->contacts->data[pair->first];
    size_t twin = has_shapes(of->view, c->a) || has_shapes(of->view, c->b) ? find_twin(of, c) : SIZE_MAX;
    if (twin == SIZE_MAX)
        return true;
    pair->twin = (uint32_t)twin;
    pair->leaves = of->problem->id[c->a] > of->problem->id[c->b];
    return is_apart(of, twin, count_pair(of->contacts, twin));
}

// Does a body turn in place, or not at all?
static bool turns_in_place(const meeting_search *of, uint32_t slot)
{
    vec3 spin = of->problem->spin[slot];
    return body_is_sphere(of->view, slot) || (of->problem->immovable[slot] && !(vec3_dot(spin, spin) > 0));
}

// Most pairs touch, or are balls that fall side by side or part: seen at little cost from the velocities before the
// step.
static bool is_plainly_slow(const meeting_search *of, size_t first, size_t count)
{
    const step_problem *problem = of->problem;
    const contact *c = &of->contacts->data[first];
    if (!(c->gap > 0))
        return true;
    if (of->reached || count > 1 || !turns_in_place(of, c->a) || !turns_in_place(of, c->b))
        return false;
    vec3 speed = vec3_sub(problem->velocity[c->b], problem->velocity[c->a]);
    speed =
        vec3_add_scaled(speed, problem->gravity, problem->step * (problem->immovable[c->a] - problem->immovable[c->b]));
    vec3 path = vec3_scale(speed, problem->step);
    double radius = smaller_radius(problem, c), closing = -vec3_dot(vec3_from_f(c->normal), path);
    double least = far_path_of_bounce * radius;
    return !(vec3_dot(path, path) > least * least) || (double)c->gap - closing > 2 * touching_part * radius;
}

static bool is_fast(const meeting_search *of, size_t first, size_t count, fast_pair *pair)
{
    if (is_plainly_slow(of, first, count) || !is_apart(of, first, count))
        return false;
    *pair = (fast_pair){.first = (uint32_t)first, .count = (uint32_t)count, .twin = NO_TWIN};
    if (!look_for_twin(of, pair))
        return false;
    if (would_meet(of, pair, false))
        return true;
    pair->again = true;
    return of->reached && would_meet(of, pair, true);
}

// The first contact of a pair at or after the beginning of a block.
static size_t block_begin(const contact_array *contacts, size_t block)
{
    size_t at = block * CONTACT_BLOCK;
    while (at > 0 && at < contacts->count && contacts->data[at].a == contacts->data[at - 1].a &&
           contacts->data[at].b == contacts->data[at - 1].b)
        at++;
    return at < contacts->count ? at : contacts->count;
}

// Counts the fast pairs of a block; lists them when there is room.
static size_t find_in_block(const meeting_search *of, size_t block, fast_pair *pairs)
{
    size_t found = 0, end = block_begin(of->contacts, block + 1);
    for (size_t first = block_begin(of->contacts, block), count; first < end; first += count) {
        fast_pair pair;
        count = count_pair(of->contacts, first);
        if (!is_fast(of, first, count, &pair))
            continue;
        if (pairs)
            pairs[found] = pair;
        found++;
    }
    return found;
}

static bool find_fast_pairs(const meeting_search *of, fast_pair **pairs, size_t *count)
{
    int threads = of->problem->threads;
    size_t blocks = block_count(of->contacts->count, CONTACT_BLOCK);
    size_t *first = arena_array(of->scratch, size_t, blocks + 1);
    *pairs = NULL;
    *count = 0;
    if (!first)
        return false;
    first[0] = 0;
#pragma omp parallel for num_threads(threads) schedule(static) if (blocks > 1)
    for (size_t b = 0; b < blocks; b++)
        first[b + 1] = find_in_block(of, b, NULL);
    for (size_t b = 0; b < blocks; b++)
        first[b + 1] += first[b];
    *count = first[blocks];
    if (*count == 0)
        return true;
    fast_pair *all = arena_array(of->scratch, fast_pair, *count);
    if (!all)
        return false;
#pragma omp parallel for num_threads(threads) schedule(static) if (blocks > 1)
    for (size_t b = 0; b < blocks; b++)
        if (first[b + 1] > first[b])
            find_in_block(of, b, all + first[b]);
    *pairs = all;
    return true;
}

// ------------------------------------------------------------------------------------------------------ their contacts

static pair_paths paths_of_pair(const meeting_search *of, const fast_pair *pair)
{
    const contact *c = &of->contacts->data[pair->first];
    return paths_of(of, c->a, c->b, pair->again);
}

// The paths without impulses count where bodies meet by them, else those that a solve gave.
static void find_moment(const meeting_search *of, fast_pair *pair)
{
    pair_paths paths = paths_of_pair(of, pair);
    pair->kind = (uint8_t)impact_moment(of->view, &paths, &pair->moment);
    if (pair->again || pair->kind == IMPACT_HIT || !of->reached)
        return;
    pair->again = true;
    paths = paths_of_pair(of, pair);
    pair->kind = (uint8_t)impact_moment(of->view, &paths, &pair->moment);
}

static bool is_compound(const meeting_search *of, const pair_paths *paths)
{
    for (int i = 0; i < 2; i++) {
        uint32_t slot = paths->slot[i];
        if (!of->problem->immovable[slot] && has_shapes(of->view, slot))
            return true;
    }
    return false;
}

// What passes is left alone by its contact.
static void open_passing(const meeting_search *of, const pair_paths *paths, double moment, contact *points,
                         size_t count)
{
    vec3 shift = impact_shift(paths, moment);
    double depth = touching_part * fmin(paths->radius[0], paths->radius[1]);
    for (size_t i = 0; i < count; i++) {
        double least = depth - closing_path(of, paths, &points[i], shift);
        points[i].gap = (float)fmax((double)points[i].gap, least);
    }
}

// The points of a pair at its moment, as many as it may have. False when there is no memory, or no room for them.
static bool find_points(const meeting_search *of, const pair_paths *paths, fast_pair *pair, contact_array *out)
{
    double within = (double)of->view->margins[paths->slot[0]] + (double)of->view->margins[paths->slot[1]];
    if (!impact_points(of->view, paths, pair->moment, within, out))
        return false;
    if (is_compound(of, paths))
        out->count = contacts_pick(out->data, out->count, of->most_per_pair);
    if (pair->kind == IMPACT_PASS)
        open_passing(of, paths, pair->moment, out->data, out->count);
    pair->points = (uint32_t)out->count;
    if (out->count == 0)
        pair->kind = IMPACT_UNKNOWN;
    return true;
}

// Where the points find room in the contacts of the beginning they take their place. False when there is no room.
static bool put_in_place(const meeting_search *of, fast_pair *pair)
{
    contact room[FEW_POINTS];
    contact_array out = {room, 0, FEW_POINTS};
    pair_paths paths = paths_of_pair(of, pair);
    if (pair->kind == IMPACT_UNKNOWN)
        return true;
    if (impact_most_points(of->view, &paths) > FEW_POINTS || !find_points(of, &paths, pair, &out) ||
        pair->points > pair->count)
        return false;
    memcpy(of->contacts->data + pair->first, room, pair->points * sizeof *room);
    return true;
}

static bool put_elsewhere(const meeting_search *of, fast_pair *pair)
{
    pair_paths paths = paths_of_pair(of, pair);
    size_t most = impact_most_points(of->view, &paths);
    contact_array out = {arena_array(of->scratch, contact, most), 0, most};
    if (!out.data || !find_points(of, &paths, pair, &out))
        return false;
    pair->more = out.data;
    return true;
}

// What leaves its points to its twin meets as that does.
static void follow_twin(const fast_pair *pairs, size_t count, fast_pair *pair)
{
    size_t i = lower_bound_u32(pairs, count, sizeof *pairs, offsetof(fast_pair, first), pair->twin);
    pair->kind = IMPACT_UNKNOWN;
    if (i == count || pairs[i].first != pair->twin)
        return;
    pair->kind = pairs[i].kind;
    pair->moment = pairs[i].moment;
    pair->again = pairs[i].again;
}

// The points of all fast pairs at their moments.
static bool find_all_points(const meeting_search *of, fast_pair *pairs, size_t count)
{
    int threads = of->problem->threads;
    uint8_t *placed = arena_array(of->scratch, uint8_t, count);
    if (!placed)
        return false;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16) if (count > 16)
    for (size_t i = 0; i < count; i++) {
        placed[i] = pairs[i].leaves;
        if (pairs[i].leaves)
            continue;
        find_moment(of, &pairs[i]);
        placed[i] = put_in_place(of, &pairs[i]);
    }
    for (size_t i = 0; i < count; i++)
        if (!placed[i] && !put_elsewhere(of, &pairs[i]))
            return false;
    for (size_t i = 0; i < count; i++)
        if (pairs[i].leaves)
            follow_twin(pairs, count, &pairs[i]);
    return true;
}

// ----------------------------------------------------------------------------------------------------- one after other

// When a contact of the beginning that closes fast enough to be an impact does so, as a part of the step; else 2.
static double closing_moment(const meeting_search *of, const contact *c)
{
    pair_paths paths = paths_of(of, c->a, c->b, false);
    double closing = -closing_path(of, &paths, c, vec3_make(0, 0, 0)), h = of->problem->step;
    double resting = 2 * h * h * of->problem->gravity_length;
    return closing > resting && (double)c->gap <= closing ? fmax(0, (double)c->gap / closing) : 2;
}

static void note_first(const meeting_search *of, float *first, const contact *c, double moment)
{
    for (int i = 0; i < 2; i++) {
        uint32_t slot = i ? c->b : c->a;
        if (!of->problem->immovable[slot])
            first[slot] = fminf(first[slot], (float)moment);
    }
}

// By slot, for bodies of fast pairs, when the first impact of a body is; impacts after it may never be.
static float *find_first_impacts(const meeting_search *of, const fast_pair *pairs, size_t count)
{
    const float unasked = 3, never = 2;
    float *first = arena_array(of->scratch, float, of->problem->body_count);
    size_t next = 0;
    for (size_t i = 0; first && i < of->problem->body_count; i++)
        first[i] = unasked;
    for (size_t i = 0; first && i < count; i++) {
        const contact *c = &of->contacts->data[pairs[i].first];
        first[c->a] = first[c->b] = never;
    }
    for (size_t i = 0; first && i < of->contacts->count; i++) {
        const contact *c = &of->contacts->data[i];
        if (first[c->a] == unasked && first[c->b] == unasked)
            continue;
        while (next < count && pairs[next].first + pairs[next].count <= i)
            next++;
        bool fast = next < count && pairs[next].first <= i && pairs[next].kind != IMPACT_UNKNOWN;
        double moment = !fast                                                  ? closing_moment(of, c)
                        : pairs[next].kind == IMPACT_HIT && !pairs[next].again ? pairs[next].moment
                                                                               : 2;
        if (moment <= 1)
            note_first(of, first, c, moment);
    }
    return first;
}

// Who is first by the velocities of the beginning is known from a search among all contacts.
static meeting_kind kind_of_meeting(const meeting_search *of, const fast_pair *pair, const pair_paths *paths,
                                    const float *first)
{
    if (pair->kind == IMPACT_PASS)
        return MEETING_PASS;
    const pair_meeting *before = met_before(of, paths->slot[0], paths->slot[1]);
    if (before && !pair->again)
        return (meeting_kind)before->kind;
    for (int i = 0; i < 2; i++) {
        uint32_t slot = paths->slot[i];
        if (pair->again || (!of->problem->immovable[slot] && pair->moment > (double)first[slot] + simultaneous))
            return MEETING_LATER;
    }
    return MEETING_HIT;
}

// ------------------------------------------------------------------------------------------------------- putting back

// Takes contacts of the beginning out that none of the moment has taken the place of.
static void take_out(const meeting_search *of, fast_pair *pairs, size_t count)
{
    contact *contacts = of->contacts->data;
    size_t kept = pairs[0].first, next = 0;
    for (size_t i = kept; i < of->contacts->count;) {
        size_t end = i + 1, left = end;
        if (next < count && pairs[next].first == i) {
            end = i + pairs[next].count;
            left = i + (pairs[next].more ? 0 : pairs[next].points);
            pairs[next++].first = (uint32_t)kept;
        }
        for (; i < left; i++, kept++) {
            if (of->angular)
                of->angular->data[kept] = of->angular->data[i];
            contacts[kept] = contacts[i];
        }
        i = end;
    }
    of->contacts->count = kept;
}

// Puts the contacts of the moment in that found no room, from the last to the first.
static bool put_in(const meeting_search *of, const fast_pair *pairs, size_t count)
{
    size_t end = of->contacts->count, to = end;
    for (size_t i = 0; i < count; i++)
        to += pairs[i].more ? pairs[i].points : 0;
    if (!array_reserve(of->contacts, to) || (of->angular && !array_reserve(of->angular, to)))
        return false;
    contact *contacts = of->contacts->data;
    vec3f *angular = of->angular ? of->angular->data : NULL;
    of->contacts->count = to;
    if (of->angular)
        of->angular->count = to;
    for (size_t i = count; i-- > 0;) {
        if (!pairs[i].more)
            continue;
        size_t moved = end - pairs[i].first, added = pairs[i].points;
        to -= moved;
        memmove(contacts + to, contacts + pairs[i].first, moved * sizeof *contacts);
        if (angular)
            memmove(angular + to, angular + pairs[i].first, moved * sizeof *angular);
        to -= added;
        memcpy(contacts + to, pairs[i].more, added * sizeof *contacts);
        if (angular && added)
            memset(angular + to, 0, added * sizeof *angular);
        end = pairs[i].first;
    }
    return true;
}

// The list of contacts with those of the moment.
static bool close_ranks(const meeting_search *of, fast_pair *pairs, size_t count)
{
    bool fits = true;
    for (size_t i = 0; i < count; i++)
        fits = fits && !pairs[i].more && pairs[i].points == pairs[i].count;
    if (fits)
        return true;
    take_out(of, pairs, count);
    return put_in(of, pairs, count);
}

static bool note_meetings(const meeting_search *of, const fast_pair *pairs, size_t count, const float *first)
{
    pair_meetings *meetings = of->meetings;
    size_t bodies = of->problem->body_count;
    if (meetings->meets.count == 0) {
        if (!array_resize(&meetings->meets, bodies))
            return false;
        memset(meetings->meets.data, 0, bodies);
    }
    for (size_t i = 0; i < count; i++) {
        if (pairs[i].leaves)
            continue;
        pair_paths paths = paths_of_pair(of, &pairs[i]);
        pair_meeting met = {.a = paths.slot[0],
                            .b = paths.slot[1],
                            .shift = vec3f_from(impact_shift(&paths, pairs[i].moment)),
                            .moment = (float)pairs[i].moment,
                            .kind = (uint8_t)kind_of_meeting(of, &pairs[i], &paths, first)};
        if (!array_push(&meetings->list, met))
            return false;
        meetings->meets.data[met.a] = meetings->meets.data[met.b] = 1;
    }
    meetings_sort(meetings);
    return true;
}

// Whether any body moves far against any other: margins tell that at once for a world that hardly moves.
static bool any_moves_far(const meeting_search *of)
{
    float widest = 0, smallest = HUGE_VALF;
    for (size_t i = 0; i < of->problem->body_count; i++) {
        widest = fmaxf(widest, of->view->margins[i]);
        smallest = fminf(smallest, of->problem->radius[i]);
    }
    return 2 * (double)widest > far_path_of_bounce * (double)smallest;
}

bool meet_pairs(const meeting_search *of)
{
    fast_pair *pairs = NULL;
    size_t found = 0, count = 0;
    if (of->contacts->count > 0 && any_moves_far(of) && !find_fast_pairs(of, &pairs, &found))
        return false;
    if (!find_all_points(of, pairs, found))
        return false;
    for (size_t i = 0; i < found; i++)
        if (pairs[i].kind != IMPACT_UNKNOWN)
            pairs[count++] = pairs[i];
    if (count == 0)
        return true;
    const float *first = find_first_impacts(of, pairs, count);
    return first && note_meetings(of, pairs, count, first) && close_ranks(of, pairs, count);
}

void meetings_end(pair_meetings *meetings, const contact_array *contacts)
{
    const pair_meeting_array *list = &meetings->list;
    for (size_t i = 0; list->count > 0 && i < contacts->count; i++) {
        contact *c = &contacts->data[i];
        const pair_meeting *met = meetings->meets.data[c->a] && meetings->meets.data[c->b]
                                      ? meeting_find(list->data, list->count, c->a, c->b)
                                      : NULL;
        if (met)
            c->arm = vec3f_from(vec3_add_scaled(vec3_from_f(c->arm), vec3_from_f(met->shift), 0.5));
    }
    meetings_clear(meetings);
}
