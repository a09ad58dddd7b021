// Islands are found as disjoint sets of bodies. Three passes over the contacts: unite, count, list.
#include "rigid/islands.h"

#include <string.h>

#include "base/disjoint.h"
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

// ------------------------------------------------------------------------------------------------------------- uniting

// Unites bodies that are tied, and marks them with island 0 until islands are numbered.
static void unite_all(const step_problem *problem, const joint_rows *joints, uint32_t *parent, uint32_t *of_slot)
{
    memset(of_slot, 0xff, problem->body_count * sizeof *of_slot);
    for (size_t i = 0; i < problem->contact_count; i++) {
        const contact *c = &problem->contacts[i];
        bool a = is_movable(problem, c->a), b = is_movable(problem, c->b);
        if (a)
            of_slot[c->a] = 0;
        if (b)
            of_slot[c->b] = 0;
        if (a && b)
            disjoint_unite(parent, c->a, c->b);
    }
    for (size_t i = 0; i < joints->count; i++) {
        uint32_t first = row_slot(problem, &joints->rows[i]);
        for (int k = 0; k < JOINT_ROW_BODIES; k++)
            if (is_movable(problem, joints->rows[i].body[k])) {
                disjoint_unite(parent, first, joints->rows[i].body[k]);
                of_slot[joints->rows[i].body[k]] = 0;
            }
    }
}

static size_t count_roots(const uint32_t *of_slot, const uint32_t *parent, size_t bodies)
{
    size_t roots = 0;
    for (size_t i = 0; i < bodies; i++)
        roots += of_slot[i] != NO_ISLAND && parent[i] == i;
    return roots;
}

// Roots are the lowest slots of their islands, so one pass in rising order numbers them.
static void number_islands(const step_problem *problem, uint32_t *parent, island_set *set)
{
    for (uint32_t slot = 0; slot < problem->body_count; slot++) {
        if (set->of_slot[slot] == NO_ISLAND)
            continue;
        uint32_t root = disjoint_root(parent, slot);
        double mass = problem->mass[slot];
        if (root == slot) {
            set->of_slot[slot] = (uint32_t)set->count;
            set->islands[set->count++] = (island_entry){.heaviest = mass, .lightest = mass};
        }
        set->of_slot[slot] = set->of_slot[root];
        island_entry *island = &set->islands[set->of_slot[slot]];
        island->body_count++;
        island->heaviest = fmax(island->heaviest, mass);
        island->lightest = fmin(island->lightest, mass);
        island->awake |= problem->rest[slot] != ASLEEP;
        island->swept_before += problem->solved_by[slot] == SOLVED_BY_SWEEPS;
        island->factored_before += problem->solved_by[slot] == SOLVED_BY_FACTORS;
        island->done |= problem->done && problem->done[slot];
    }
}

static void count_constraints(const step_problem *problem, const joint_rows *joints, island_set *set)
{
    for (size_t i = 0; i < problem->contact_count; i++) {
        const contact *c = &problem->contacts[i];
        island_entry *island = island_of_contact(set, c);
        bool both = is_movable(problem, c->a) && is_movable(problem, c->b);
        island->contact_count++;
        island->pair_count += both && (i == 0 || c[-1].a != c->a || c[-1].b != c->b);
        island->fixed_count += !both;
        island->supported |= !both;
        island->pushed |= contact_is_pushed(problem, c);
        island->flies |= contact_flies(problem, c);
    }
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
        // They come back as the lists fill.
        island->body_count = island->contact_count = island->fixed_count = island->row_count = 0;
    }
    return sizes;
}

static void fill_lists(const step_problem *problem, const joint_rows *joints, island_set *set)
{
    for (uint32_t slot = 0; slot < problem->body_count; slot++) {
        if (set->of_slot[slot] == NO_ISLAND)
            continue;
        island_entry *island = &set->islands[set->of_slot[slot]];
        set->place_of_slot[slot] = island->first_body + island->body_count++;
        set->bodies[set->place_of_slot[slot]] = slot;
    }
    for (size_t i = 0; i < problem->contact_count; i++) {
        island_entry *island = island_of_contact(set, &problem->contacts[i]);
        set->contacts[island->first_contact + island->contact_count++] = (uint32_t)i;
        if (!is_movable(problem, problem->contacts[i].a) || !is_movable(problem, problem->contacts[i].b))
            set->fixed[island->first_fixed + island->fixed_count++] = (uint32_t)i;
    }
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

bool islands_find(const step_problem *problem, const joint_rows *joints, arena *scratch, island_set *set)
{
    size_t bodies = problem->body_count;
    *set = (island_set){.of_slot = arena_array(scratch, uint32_t, bodies),
                        .place_of_slot = arena_array(scratch, uint32_t, bodies)};
    uint32_t *parent = set->place_of_slot; // not needed at the same time
    if (!set->of_slot || !parent)
        return false;
    disjoint_begin(parent, bodies);
    unite_all(problem, joints, parent, set->of_slot);
    set->islands = arena_array(scratch, island_entry, count_roots(set->of_slot, parent, bodies));
    if (!set->islands)
        return false;
    number_islands(problem, parent, set);
    count_constraints(problem, joints, set);
    list_sizes sizes = place_lists(set);
    set->bodies = arena_array(scratch, uint32_t, sizes.bodies);
    set->contacts = arena_array(scratch, uint32_t, sizes.contacts);
    set->fixed = arena_array(scratch, uint32_t, sizes.fixed);
    set->rows = arena_array(scratch, uint32_t, sizes.rows);
    set->joints = arena_array(scratch, uint32_t, joints->joint_count);
    if (!set->bodies || !set->contacts || !set->fixed || !set->rows || !set->joints)
        return false;
    fill_lists(problem, joints, set);
    list_joints(problem, joints, set);
    return choose_solvers(problem, joints, set, scratch);
}
