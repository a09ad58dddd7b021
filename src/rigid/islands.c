// Islands are found as disjoint sets of bodies. Three passes over the contacts: unite, count, list. Several threads
// take a part of the contacts each; the sets, and the order of the lists, are the same however many parts there are.
#include "rigid/islands.h"

#include <string.h>

#include "base/disjoint.h"
#include "base/threads.h"
#include "contact/row.h"
#include "rigid/choice.h"
#include "world/wake.h"

static bool is_movable(const step_problem *problem, uint32_t slot)
{
    return slot != NO_BODY && !problem->immovable[slot];
}

static uint32_t row_slot(const step_problem *problem, const joint_row *row)
{
    for (int i = 0; i < JOINT_ROW_BODIES; i++)
        if (is_movable(problem, row->body[i]))
            return row->body[i];
    return NO_BODY;
}

island_entry *island_of_row(const step_problem *problem, const island_set *set, const joint_row *row)
{
    uint32_t slot = row_slot(problem, row);
    return slot == NO_BODY ? NULL : &set->islands[set->of_slot[slot]];
}

// -------------------------------------------------------------------------------------------------------------- parts

enum { LEAST_PART = 2048, MOST_PARTS = 16, MOST_FLYING_CONTACTS = 64 }; // contacts, parts, contacts

static size_t count_parts(const step_problem *problem, int of_thread)
{
    size_t parts = problem->threads > 1 ? (size_t)(of_thread * problem->threads) : 1;
    size_t most = problem->contact_count / LEAST_PART + 1;
    most = most < MOST_PARTS ? most : MOST_PARTS;
    return parts < most ? parts : most;
}

static size_t part_begin(const step_problem *problem, size_t part, size_t parts)
{
    return problem->contact_count * part / parts;
}

// ------------------------------------------------------------------------------------------------------------- uniting

typedef struct uniting {
    const step_problem *problem;
    size_t parts;
    uint32_t *parent; // of the first part, by slot; NO_BODY: nothing is tied to it
    uint32_t *others; // of the other parts
} uniting;

static void tie(uint32_t *parent, uint32_t slot)
{
    if (parent[slot] == NO_BODY)
        parent[slot] = slot;
}

static void unite_part(void *context, size_t part)
{
    const uniting *of = context;
    const step_problem *problem = of->problem;
    uint32_t *parent = part == 0 ? of->parent : of->others + (part - 1) * problem->body_count;
    memset(parent, 0xff, problem->body_count * sizeof *parent);
    for (size_t i = part_begin(problem, part, of->parts); i < part_begin(problem, part + 1, of->parts); i++) {
        const contact *c = &problem->contacts[i];
        bool a = is_movable(problem, c->a), b = is_movable(problem, c->b);
        if (a)
            tie(parent, c->a);
        if (b)
            tie(parent, c->b);
        if (a && b)
            disjoint_unite(parent, c->a, c->b);
    }
}

// Sets of another part join those that there are.
static void unite_sets(uint32_t *parent, const uint32_t *other, size_t bodies)
{
    for (uint32_t slot = 0; slot < bodies; slot++) {
        if (other[slot] == NO_BODY)
            continue;
        tie(parent, slot);
        if (other[slot] != slot)
            disjoint_unite(parent, slot, other[slot]);
    }
}

static void unite_rows(const step_problem *problem, const joint_rows *joints, uint32_t *parent)
{
    for (size_t i = 0; i < joints->count; i++) {
        uint32_t first = row_slot(problem, &joints->rows[i]);
        for (int k = 0; k < JOINT_ROW_BODIES; k++) {
            uint32_t slot = joints->rows[i].body[k];
            if (!is_movable(problem, slot))
                continue;
            tie(parent, slot);
            disjoint_unite(parent, first, slot);
        }
    }
}

// Unites bodies that are tied.
static bool unite_all(const step_problem *problem, const joint_rows *joints, uint32_t *parent, arena *scratch)
{
    arena_mark before = arena_get_mark(scratch);
    size_t bodies = problem->body_count;
    uniting of = {.problem = problem, .parts = count_parts(problem, 1), .parent = parent};
    of.others = arena_array(scratch, uint32_t, (of.parts - 1) * bodies);
    if (!of.others)
        return false;
    for_blocks(problem->threads, of.parts, unite_part, &of);
    for (size_t part = 1; part < of.parts; part++)
        unite_sets(parent, of.others + (part - 1) * bodies, bodies);
    unite_rows(problem, joints, parent);
    arena_release(scratch, before);
    return true;
}

// Roots are the lowest slots of their islands, and parents are below their children: one pass in rising order numbers
// all of them. Returns how many there are.
static size_t number_islands(const uint32_t *parent, size_t bodies, uint32_t *of_slot)
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < bodies; slot++)
        of_slot[slot] = parent[slot] == NO_BODY ? (uint32_t)NO_ISLAND
                        : parent[slot] == slot  ? count++
                                                : of_slot[parent[slot]];
    return count;
}

// ------------------------------------------------------------------------------------------------------------ counting

typedef struct part_count { // contacts of an island in a part; then how many of them the parts before it have
    uint32_t contacts, fixed, pairs;
    bool pushed;
} part_count;

typedef struct island_count {
    const step_problem *problem;
    island_set *set;
    size_t parts;
    part_count *counts; // by part and island
} island_count;

// Adds what a run of bodies of the same island has to it.
static void add_run(const step_problem *problem, size_t first, size_t end, island_entry *island)
{
    double heaviest = problem->mass[first], lightest = heaviest;
    uint32_t swept = 0, factored = 0;
    bool awake = false, done = false;
    for (size_t slot = first; slot < end; slot++) {
        heaviest = fmax(heaviest, problem->mass[slot]);
        lightest = fmin(lightest, problem->mass[slot]);
        awake |= problem->rest[slot] != ASLEEP;
        swept += problem->solved_by[slot] == SOLVED_BY_SWEEPS;
        factored += problem->solved_by[slot] == SOLVED_BY_FACTORS;
        done |= problem->done && problem->done[slot];
    }
    bool any = island->body_count > 0;
    island->heaviest = any ? fmax(island->heaviest, heaviest) : heaviest;
    island->lightest = any ? fmin(island->lightest, lightest) : lightest;
    island->body_count += (uint32_t)(end - first);
    island->awake |= awake;
    island->swept_before += swept;
    island->factored_before += factored;
    island->done |= done;
}

static void add_bodies(const step_problem *problem, island_set *set)
{
    for (size_t first = 0, end; first < problem->body_count; first = end) {
        for (end = first + 1; end < problem->body_count && set->of_slot[end] == set->of_slot[first];)
            end++;
        if (set->of_slot[first] != NO_ISLAND)
            add_run(problem, first, end, &set->islands[set->of_slot[first]]);
    }
}

static part_count *counts_of_part(const island_count *of, size_t part)
{
    return of->counts + part * of->set->count;
}

static void add_count(part_count *to, part_count added)
{
    to->contacts += added.contacts;
    to->fixed += added.fixed;
    to->pairs += added.pairs;
    to->pushed |= added.pushed;
}

// Most contacts are of the same island as the one before.
static void count_part(const island_count *of, size_t part)
{
    const step_problem *problem = of->problem;
    size_t first = part_begin(problem, part, of->parts), end = part_begin(problem, part + 1, of->parts);
    part_count *counts = counts_of_part(of, part), here = {0};
    uint32_t island = NO_ISLAND;
    const double depth = least_pushed_depth(problem);
    for (size_t i = first; i < end; i++) {
        const contact *c = &problem->contacts[i];
        uint32_t index = island_index(of->set, c);
        if (index != island && island != NO_ISLAND) {
            add_count(&counts[island], here);
            here = (part_count){0};
        }
        island = index;
        bool both = is_movable(problem, c->a) && is_movable(problem, c->b);
        here.contacts++;
        here.pairs += both && (i == 0 || c[-1].a != c->a || c[-1].b != c->b);
        here.fixed += !both;
        if ((double)c->gap < -depth)
            here.pushed |= contact_is_pushed(problem, c);
    }
    if (island != NO_ISLAND)
        add_count(&counts[island], here);
}

static void count_block(void *context, size_t block)
{
    const island_count *of = context;
    if (block == of->parts)
        add_bodies(of->problem, of->set);
    else
        count_part(of, block);
}

static void add_parts(const island_count *of)
{
    for (size_t part = 0; part < of->parts; part++)
        for (size_t i = 0; i < of->set->count; i++) {
            island_entry *island = &of->set->islands[i];
            part_count *count = &counts_of_part(of, part)[i], here = *count;
            *count = (part_count){.contacts = island->contact_count, .fixed = island->fixed_count};
            island->contact_count += here.contacts;
            island->fixed_count += here.fixed;
            island->pair_count += here.pairs;
            island->supported |= here.fixed > 0;
            island->pushed |= here.pushed;
        }
}

static void count_rows(const step_problem *problem, const joint_rows *joints, island_set *set)
{
    for (size_t i = 0; i < joints->count; i++) {
        island_entry *island = island_of_row(problem, set, &joints->rows[i]);
        if (!island)
            continue;
        island->row_count++;
        island->supported |=
            !is_movable(problem, joints->rows[i].body[0]) || !is_movable(problem, joints->rows[i].body[1]);
    }
}

// ------------------------------------------------------------------------------------------------------------- listing

typedef struct list_sizes {
    uint32_t bodies, contacts, fixed, rows;
} list_sizes;

static list_sizes place_lists(island_set *set)
{
    list_sizes sizes = {0};
    for (size_t i = 0; i < set->count; i++) {
        island_entry *island = &set->islands[i];
        island->first_body = sizes.bodies;
        island->first_contact = sizes.contacts;
        island->first_fixed = sizes.fixed;
        island->first_row = sizes.rows;
        sizes.bodies += island->body_count;
        sizes.contacts += island->contact_count;
        sizes.fixed += island->fixed_count;
        sizes.rows += island->row_count;
        island->body_count = island->row_count = 0; // they come back as the lists fill
    }
    return sizes;
}

static void list_bodies(const step_problem *problem, island_set *set)
{
    for (uint32_t slot = 0; slot < problem->body_count; slot++) {
        if (set->of_slot[slot] == NO_ISLAND)
            continue;
        island_entry *island = &set->islands[set->of_slot[slot]];
        set->place_of_slot[slot] = island->first_body + island->body_count++;
        set->bodies[set->place_of_slot[slot]] = slot;
    }
}

static void list_part(const island_count *of, size_t part)
{
    const step_problem *problem = of->problem;
    const island_set *set = of->set;
    part_count *counts = counts_of_part(of, part);
    for (size_t i = part_begin(problem, part, of->parts); i < part_begin(problem, part + 1, of->parts); i++) {
        const contact *c = &problem->contacts[i];
        uint32_t index = island_index(set, c);
        const island_entry *island = &set->islands[index];
        part_count *count = &counts[index];
        set->contacts[island->first_contact + count->contacts++] = (uint32_t)i;
        if (!is_movable(problem, c->a) || !is_movable(problem, c->b))
            set->fixed[island->first_fixed + count->fixed++] = (uint32_t)i;
    }
}

static void list_block(void *context, size_t block)
{
    const island_count *of = context;
    if (block == of->parts)
        list_bodies(of->problem, of->set);
    else
        list_part(of, block);
}

static void list_rows(const step_problem *problem, const joint_rows *joints, island_set *set)
{
    for (size_t i = 0; i < joints->count; i++) {
        island_entry *island = island_of_row(problem, set, &joints->rows[i]);
        if (island)
            set->rows[island->first_row + island->row_count++] = (uint32_t)i;
    }
}

// The joints of an island, by their first rows.
static island_entry *island_of_joint(const step_problem *problem, const joint_rows *joints, const island_set *set,
                                     size_t index)
{
    bool any = joints->first[index + 1] > joints->first[index];
    return any ? island_of_row(problem, set, &joints->rows[joints->first[index]]) : NULL;
}

static void list_joints(const step_problem *problem, const joint_rows *joints, island_set *set)
{
    for (size_t i = 0; i < joints->joint_count; i++) {
        island_entry *island = island_of_joint(problem, joints, set, i);
        if (island)
            island->joint_count++;
    }
    uint32_t first = 0;
    for (size_t i = 0; i < set->count; i++) {
        set->islands[i].first_joint = first;
        first += set->islands[i].joint_count;
        set->islands[i].joint_count = 0;
    }
    for (size_t i = 0; i < joints->joint_count; i++) {
        island_entry *island = island_of_joint(problem, joints, set, i);
        if (island)
            set->joints[island->first_joint + island->joint_count++] = (uint32_t)i;
    }
}

static bool take_lists(list_sizes sizes, size_t joints, arena *scratch, island_set *set)
{
    set->bodies = arena_array(scratch, uint32_t, sizes.bodies);
    set->contacts = arena_array(scratch, uint32_t, sizes.contacts);
    set->fixed = arena_array(scratch, uint32_t, sizes.fixed);
    set->rows = arena_array(scratch, uint32_t, sizes.rows);
    set->joints = arena_array(scratch, uint32_t, joints);
    return set->bodies && set->contacts && set->fixed && set->rows && set->joints;
}

static island_entry *island_of_meeting(const island_set *set, const pair_meeting *met)
{
    uint32_t index = set->of_slot[met->a] != NO_ISLAND ? set->of_slot[met->a] : set->of_slot[met->b];
    return index != NO_ISLAND ? &set->islands[index] : NULL;
}

// Islands in which bodies are moved to where they meet and on from there, which takes a second solve: not heaps, in
// which what meets stays where it is and goes on in the next step. There a body meets several others in one step, and
// all but the first of its impacts would wait for the step after: a blow would go through a heap by one body a step,
// and what a heavy slab squeezes would be pressed into each other meanwhile.
static void mark_flights(const step_problem *problem, island_set *set)
{
    for (size_t i = 0; i < problem->meeting_count; i++) {
        island_entry *island = island_of_meeting(set, &problem->meetings[i]);
        const pair_meeting *met = &problem->meetings[i];
        if (island && met->kind == MEETING_HIT && island->contact_count <= MOST_FLYING_CONTACTS)
            island->pushed = island->flies = true;
    }
    for (size_t i = 0; i < problem->meeting_count; i++) {
        const island_entry *island = island_of_meeting(set, &problem->meetings[i]);
        problem->meetings[i].flies = island && island->flies;
    }
}

// What flew in islands of an earlier solve of the step may not in those that are found now.
static void forget_flights(const step_problem *problem)
{
    for (size_t i = 0; i < problem->meeting_count; i++)
        problem->meetings[i].flies = false;
}

bool islands_find(const step_problem *problem, const joint_rows *joints, arena *scratch, island_set *set)
{
    size_t bodies = problem->body_count;
    forget_flights(problem);
    *set = (island_set){.of_slot = arena_array(scratch, uint32_t, bodies),
                        .place_of_slot = arena_array(scratch, uint32_t, bodies)};
    uint32_t *parent = set->place_of_slot; // not needed at the same time
    if (!set->of_slot || !parent || !unite_all(problem, joints, parent, scratch))
        return false;
    set->count = number_islands(parent, bodies, set->of_slot);
    island_count of = {.problem = problem, .set = set, .parts = count_parts(problem, 2)};
    size_t counts = of.parts * set->count;
    set->islands = arena_array(scratch, island_entry, set->count);
    of.counts = arena_array(scratch, part_count, counts);
    if (!set->islands || !of.counts)
        return false;
    memset(set->islands, 0, set->count * sizeof *set->islands);
    memset(of.counts, 0, counts * sizeof *of.counts);
    for_blocks(problem->threads, of.parts + 1, count_block, &of);
    add_parts(&of);
    count_rows(problem, joints, set);
    if (!take_lists(place_lists(set), joints->joint_count, scratch, set))
        return false;
    for_blocks(problem->threads, of.parts + 1, list_block, &of);
    list_rows(problem, joints, set);
    list_joints(problem, joints, set);
    mark_flights(problem, set);
    return choose_solvers(problem, joints, set, scratch);
}
