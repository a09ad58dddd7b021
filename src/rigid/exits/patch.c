#include "rigid/exits/patch.h"

#include <string.h>

#include "base/search.h"
#include "base/sort.h"
#include "contact/row.h"
#include "contact/velocity.h"
#include "rigid/exits/exit_look.h"

// How many contacts a patch extends from what is struck. With twice as many, overlaps in a pile and in a silo are no
// smaller.
enum { RINGS = 6 };

// ------------------------------------------------------------------------------------------------------------- marking

enum { OUTSIDE, INSIDE, LATEST, NEXT };

typedef struct spreading {
    const step_problem *problem;
    const joint_rows *joints;
    uint8_t *ring; // by slot: outside, inside, in the ring marked last, or in the one that is being marked
} spreading;

static bool is_movable(const step_problem *problem, uint32_t slot)
{
    return slot != NO_BODY && !problem->immovable[slot];
}

static bool is_asleep(const step_problem *problem, uint32_t slot)
{
    return problem->rest[slot] < 0;
}

// The bodies of a joint move together: they are all in one ring.
static bool spread_over_row(const spreading *of, const joint_row *row)
{
    bool inside = false, changed = false;
    for (int k = 0; k < JOINT_ROW_BODIES; k++)
        inside |= is_movable(of->problem, row->body[k]) && of->ring[row->body[k]] != OUTSIDE;
    for (int k = 0; inside && k < JOINT_ROW_BODIES; k++) {
        if (!is_movable(of->problem, row->body[k]) || of->ring[row->body[k]] != OUTSIDE)
            continue;
        of->ring[row->body[k]] = NEXT;
        changed = true;
    }
    return changed;
}

// Sleeping bodies that touch wake together.
static bool spread_over_sleepers(const spreading *of, const contact *c)
{
    const step_problem *problem = of->problem;
    bool both = is_movable(problem, c->a) && is_movable(problem, c->b);
    if (!both || !is_asleep(problem, c->a) || !is_asleep(problem, c->b) ||
        (of->ring[c->a] == OUTSIDE) == (of->ring[c->b] == OUTSIDE))
        return false;
    of->ring[of->ring[c->a] == OUTSIDE ? c->a : c->b] = NEXT;
    return true;
}

static bool any_sleeper(const spreading *of)
{
    for (size_t i = 0; i < of->problem->body_count; i++)
        if (of->ring[i] != OUTSIDE && is_asleep(of->problem, (uint32_t)i))
            return true;
    return false;
}

// Adds what belongs to the ring being marked, which is then the latest.
static void end_ring(const spreading *of)
{
    bool changed = true, sleepers = any_sleeper(of);
    while (changed) {
        changed = false;
        for (size_t i = 0; i < of->joints->count; i++)
            changed |= spread_over_row(of, &of->joints->rows[i]);
        for (size_t i = 0; sleepers && i < of->problem->contact_count; i++)
            changed |= spread_over_sleepers(of, &of->problem->contacts[i]);
    }
    for (size_t i = 0; i < of->problem->body_count; i++)
        of->ring[i] = of->ring[i] == NEXT ? LATEST : of->ring[i] == LATEST ? INSIDE : of->ring[i];
}

static void spread_once(const spreading *of)
{
    const step_problem *problem = of->problem;
    for (size_t i = 0; i < problem->contact_count; i++) {
        uint32_t a = problem->contacts[i].a, b = problem->contacts[i].b;
        if (of->ring[a] == LATEST && of->ring[b] == OUTSIDE && !problem->immovable[b])
            of->ring[b] = NEXT;
        if (of->ring[b] == LATEST && of->ring[a] == OUTSIDE && !problem->immovable[a])
            of->ring[a] = NEXT;
    }
    end_ring(of);
}

static void mark_struck(const spreading *of, const contact_array *colliding)
{
    for (size_t i = 0; i < colliding->count; i++) {
        const contact *c = &colliding->data[i];
        if (!of->problem->immovable[c->a])
            of->ring[c->a] = NEXT;
        if (!of->problem->immovable[c->b])
            of->ring[c->b] = NEXT;
    }
}

bool patch_take(size_t body_count, arena *scratch, patch *taken)
{
    *taken =
        (patch){.marked = arena_array(scratch, uint8_t, body_count), .done = arena_array(scratch, uint8_t, body_count)};
    return taken->marked && taken->done;
}

void patch_mark(const step_problem *problem, const joint_rows *joints, const contact_array *colliding,
                const patch *marked)
{
    spreading of = {problem, joints, marked->marked};
    memset(of.ring, OUTSIDE, problem->body_count);
    mark_struck(&of, colliding);
    end_ring(&of);
    for (int i = 0; i < RINGS; i++)
        spread_once(&of);
    for (size_t i = 0; i < problem->body_count; i++) {
        of.ring[i] = of.ring[i] != OUTSIDE;
        marked->done[i] = !of.ring[i];
    }
}

static bool is_marked(const patch *of, const contact *c)
{
    return of->marked[c->a] || of->marked[c->b];
}

void patch_take_whole(const step_problem *problem, const island_set *islands, const patch *marked)
{
    for (size_t i = 0; i < islands->count; i++)
        islands->islands[i].done = false;
    for (size_t i = 0; problem->opening && i < problem->contact_count; i++)
        if (problem->opening[i] >= 0 && is_marked(marked, &problem->contacts[i]))
            island_of_contact(islands, &problem->contacts[i])->done = true;
    for (size_t i = 0; i < problem->body_count; i++)
        if (marked->marked[i] && islands->of_slot[i] != NO_ISLAND && islands->islands[islands->of_slot[i]].flies)
            islands->islands[islands->of_slot[i]].done = true;
    for (size_t i = 0; i < problem->body_count; i++) {
        marked->marked[i] |= islands->of_slot[i] != NO_ISLAND && islands->islands[islands->of_slot[i]].done;
        marked->done[i] = !marked->marked[i];
    }
}

static bool is_within(const step_problem *problem, const patch *of, const contact *c)
{
    bool a = of->marked[c->a], b = of->marked[c->b];
    return (a || b) && (a || problem->immovable[c->a]) && (b || problem->immovable[c->b]);
}

static bool is_on_rim(const step_problem *problem, const patch *of, const contact *c)
{
    return (of->marked[c->a] || of->marked[c->b]) && !is_within(problem, of, c);
}

bool patch_widen(const step_problem *problem, const island_set *before, const island_set *again,
                 const body_velocity *velocities, patch *of)
{
    bool any = false;
    for (size_t i = 0; i < again->count; i++)
        again->islands[i].done = false;
    for (size_t i = 0; i < before->count; i++)
        before->islands[i].done = false;
    for (size_t i = 0; i < problem->contact_count; i++) {
        const contact *c = &problem->contacts[i];
        if (is_on_rim(problem, of, c) && contact_collides(problem, velocities, c))
            any = again->islands[again->of_slot[of->marked[c->a] ? c->a : c->b]].done = true;
    }
    for (size_t i = 0; any && i < problem->body_count; i++)
        if (of->marked[i] && again->islands[again->of_slot[i]].done && before->of_slot[i] != NO_ISLAND)
            before->islands[before->of_slot[i]].done = true;
    for (size_t i = 0; any && i < problem->body_count; i++) {
        of->marked[i] |= before->of_slot[i] != NO_ISLAND && before->islands[before->of_slot[i]].done;
        of->done[i] = !of->marked[i];
    }
    return any;
}

// ------------------------------------------------------------------------------------------------------------ contacts

// Contacts are sorted by slot of a: does one of these two bodies, in this order, collide?
static bool pair_collides(const step_problem *problem, const fast_exits *exits, const contact_array *found, uint32_t a,
                          uint32_t b)
{
    size_t i = lower_bound_u32(found->data, found->count, sizeof(contact), offsetof(contact, a), a);
    for (; i < found->count && found->data[i].a == a; i++)
        if (found->data[i].b == b && fast_exit_collides(problem, exits, &found->data[i]))
            return true;
    return false;
}

// Compounds touch in either order. What is dropped is marked first, since those that are left are looked at again.
bool keep_colliding(const step_problem *problem, const proxy_view *view, const fast_exits *exits, contact_array *found,
                    vec3f_array *angular, arena *scratch)
{
    uint8_t *stays = arena_array(scratch, uint8_t, found->count);
    size_t kept = 0;
    if (!stays)
        return false;
    for (size_t i = 0; i < found->count; i++) {
        uint32_t a = found->data[i].a, b = found->data[i].b;
        stays[i] = exits_pair_is_near(problem, view, exits, a, b) &&
                   (pair_collides(problem, exits, found, a, b) || pair_collides(problem, exits, found, b, a));
    }
    for (size_t i = 0; i < found->count; i++) {
        if (!stays[i])
            continue;
        if (angular)
            angular->data[kept] = angular->data[i];
        found->data[kept++] = found->data[i];
    }
    found->count = kept;
    if (angular)
        angular->count = kept;
    return true;
}

static bool has_pair(const contact_array *found, uint32_t a, uint32_t b)
{
    size_t i = lower_bound_u32(found->data, found->count, sizeof(contact), offsetof(contact, a), a);
    for (; i < found->count && found->data[i].a == a; i++)
        if (found->data[i].b == b)
            return true;
    return false;
}

// Drops the contacts whose pairs were found again; returns how many are left. Few pairs were: most contacts have no
// body of theirs.
static size_t drop_found(const contact_array *found, const uint8_t *marked, contact_array *contacts,
                         vec3f_array *angular)
{
    size_t kept = 0;
    for (size_t i = 0; i < contacts->count; i++) {
        const contact *c = &contacts->data[i];
        if ((marked[c->a] || marked[c->b]) && (has_pair(found, c->a, c->b) || has_pair(found, c->b, c->a)))
            continue;
        if (kept < i) {
            contacts->data[kept] = *c;
            if (angular)
                angular->data[kept] = angular->data[i];
        }
        kept++;
    }
    return kept;
}

static bool comes_after(const step_problem *problem, const contact *c, const contact *other)
{
    return c->a != other->a ? c->a > other->a : problem->id[c->b] > problem->id[other->b];
}

bool patch_join(const step_problem *problem, const patch *of, const contact_array *found,
                const vec3f_array *found_angular, contact_array *contacts, vec3f_array *angular)
{
    size_t old = drop_found(found, of->marked, contacts, angular), to = old + found->count;
    if (!array_reserve(contacts, to) || (angular && !array_reserve(angular, to)))
        return false;
    contacts->count = to;
    if (angular)
        angular->count = to;
    for (size_t next = found->count; next > 0; next--) { // from the back, so that it can be done in place
        const contact *c = &found->data[next - 1];
        while (old > 0 && comes_after(problem, &contacts->data[old - 1], c)) {
            contacts->data[--to] = contacts->data[--old];
            if (angular)
                angular->data[to] = angular->data[old];
        }
        contacts->data[--to] = *c;
        if (angular)
            angular->data[to] = found_angular->data[next - 1];
    }
    return true;
}

bool patch_join_meetings(const contact_array *found, const pair_meetings *met, pair_meetings *all)
{
    size_t kept = 0;
    for (size_t i = 0; i < all->list.count; i++) {
        const pair_meeting *old = &all->list.data[i];
        if (!has_pair(found, old->a, old->b) && !has_pair(found, old->b, old->a))
            all->list.data[kept++] = *old;
    }
    all->list.count = kept;
    if (met->list.count > 0 && all->meets.count == 0) {
        if (!array_resize(&all->meets, met->meets.count))
            return false;
        memset(all->meets.data, 0, all->meets.count);
    }
    for (size_t i = 0; i < met->list.count; i++) {
        const pair_meeting *add = &met->list.data[i];
        if (!has_pair(found, add->a, add->b))
            continue;
        if (!array_push(&all->list, *add))
            return false;
        all->meets.data[add->a] = all->meets.data[add->b] = 1;
    }
    meetings_sort(all);
    return true;
}

// ------------------------------------------------------------------------------------------------------------- problem

// A contact of a body in the patch with one outside it. Their order follows from ids: so do the sums of loads.
typedef struct rim_contact {
    scree_id a, b;
    uint32_t feature, index;
} rim_contact;

static int compare_rim(const void *x, const void *y)
{
    const rim_contact *p = x, *q = y;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    if (p->b != q->b)
        return p->b < q->b ? -1 : 1;
    return (p->feature > q->feature) - (p->feature < q->feature);
}

static void add_impulse(body_load *load, double per_step, vec3 arm, vec3 impulse, vec3 angular)
{
    load->force = vec3_add_scaled(load->force, impulse, per_step);
    load->torque = vec3_add_scaled(load->torque, vec3_add(vec3_cross(arm, impulse), angular), per_step);
}

static void press(const step_problem *problem, uint32_t index)
{
    const contact *c = &problem->contacts[index];
    vec3 impulse = vec3_from_f(c->impulse);
    vec3 turning = problem->angular_impulses ? vec3_from_f(problem->angular_impulses[index]) : vec3_make(0, 0, 0);
    double per_step = 1 / problem->step;
    add_cohesion(problem, c);
    add_impulse(&problem->loads[c->a], -per_step, vec3_from_f(c->arm), impulse, turning);
    add_impulse(&problem->loads[c->b], per_step, second_arm(problem, c), impulse, turning);
}

// Loads of the patch's bodies, by slot, where there are none yet.
static bool take_loads(step_problem *problem, arena *scratch)
{
    if (problem->loads)
        return true;
    problem->loads = arena_array(scratch, body_load, problem->body_count);
    if (problem->loads)
        memset(problem->loads, 0, problem->body_count * sizeof *problem->loads);
    return problem->loads;
}

static bool press_on_rim(step_problem *problem, const patch *of, size_t count, arena *scratch)
{
    rim_contact *rim = arena_array(scratch, rim_contact, count);
    if (!rim || !take_loads(problem, scratch))
        return false;
    size_t listed = 0;
    for (size_t i = 0; i < problem->contact_count; i++) {
        const contact *c = &problem->contacts[i];
        if (is_on_rim(problem, of, c))
            rim[listed++] = (rim_contact){problem->id[c->a], problem->id[c->b], c->feature, (uint32_t)i};
    }
    sort_items(rim, count, sizeof *rim, compare_rim);
    for (size_t i = 0; i < count; i++)
        press(problem, rim[i].index);
    return true;
}

// Bodies fly to where they meet in some islands (islands.h), and in others when a patch has islands of its own.
static bool copy_meetings(step_problem *problem, arena *scratch)
{
    if (problem->meeting_count == 0)
        return true;
    pair_meeting *copy = arena_array(scratch, pair_meeting, problem->meeting_count);
    if (copy)
        memcpy(copy, problem->meetings, problem->meeting_count * sizeof *copy);
    problem->meetings = copy;
    return copy;
}

bool patch_cut_out(step_problem *problem, patch *of, arena *scratch)
{
    size_t within = 0, rim = 0;
    for (size_t i = 0; i < problem->contact_count; i++) {
        within += is_within(problem, of, &problem->contacts[i]);
        rim += is_on_rim(problem, of, &problem->contacts[i]);
    }
    contact *contacts = arena_array(scratch, contact, within);
    vec3f *angular = problem->angular_impulses ? arena_array(scratch, vec3f, within) : NULL;
    of->index = arena_array(scratch, uint32_t, within);
    if (!contacts || !of->index || (problem->angular_impulses && !angular) ||
        (rim > 0 && !press_on_rim(problem, of, rim, scratch)) || !copy_meetings(problem, scratch))
        return false;
    of->contact_count = 0;
    for (size_t i = 0; i < problem->contact_count; i++) {
        if (!is_within(problem, of, &problem->contacts[i]))
            continue;
        contacts[of->contact_count] = problem->contacts[i];
        if (angular)
            angular[of->contact_count] = problem->angular_impulses[i];
        of->index[of->contact_count++] = (uint32_t)i;
    }
    problem->contacts = contacts;
    problem->angular_impulses = angular;
    problem->contact_count = within;
    problem->done = of->done;
    return true;
}

void patch_return(const step_problem *problem, const patch *of, contact *contacts, vec3f *angular)
{
    for (size_t i = 0; i < of->contact_count; i++) {
        contacts[of->index[i]].impulse = problem->contacts[i].impulse;
        if (angular)
            angular[of->index[i]] = problem->angular_impulses[i];
    }
}
