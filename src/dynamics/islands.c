// Islands are found as disjoint sets of bodies and numbered by their lowest slots, which do not depend on the order of
// contacts.
#include "dynamics/islands.h"

#include <string.h>

#include "base/disjoint.h"
#include "dynamics/sleep.h"

// Newton's method costs sparse factorisations. They are cheap for few bodies, and for more where those touch as stones
// of a tower or links of a chain do; in a heap they fill up.
enum { FEW_BODIES = 32, MANY_BODIES = 2000, MOST_DOUBTED = 128 };
static const double most_pairs = 1.5, few_pairs = 0.1; // per body

// Of masses, beyond which sweeps need too many iterations.
static const double most_swept_ratio = 100;

static bool is_movable(const scree_world *world, uint32_t slot)
{
    return slot != NO_BODY && !world->bodies.immovable.data[slot];
}

static uint32_t row_slot(const scree_world *world, const joint_row *row)
{
    for (int i = 0; i < JOINT_ROW_BODIES; i++)
        if (is_movable(world, row->body[i]))
            return row->body[i];
    return NO_BODY;
}

static void unite_all(const scree_world *world, const joint_row *rows, size_t row_count, uint32_t *parent)
{
    for (size_t i = 0; i < world->contacts.count; i++) {
        const contact *c = &world->contacts.data[i];
        if (is_movable(world, c->a) && is_movable(world, c->b))
            disjoint_unite(parent, c->a, c->b);
    }
    for (size_t i = 0; i < row_count; i++) {
        uint32_t first = row_slot(world, &rows[i]);
        for (int k = 0; k < JOINT_ROW_BODIES; k++)
            if (is_movable(world, rows[i].body[k]))
                disjoint_unite(parent, first, rows[i].body[k]);
    }
}

static size_t count_roots(const uint8_t *tied, const uint32_t *parent, size_t bodies)
{
    size_t roots = 0;
    for (size_t i = 0; i < bodies; i++)
        roots += tied[i] && parent[i] == i;
    return roots;
}

// Roots are the lowest slots of their islands, so one pass in rising order numbers them.
static void number_islands(const scree_world *world, const uint8_t *tied, uint32_t *parent, island_set *set)
{
    for (uint32_t slot = 0; slot < world->bodies.count; slot++) {
        uint32_t root = disjoint_root(parent, slot);
        set->of_slot[slot] = NO_ISLAND;
        if (!tied[slot])
            continue;
        double mass = world->bodies.mass.data[slot];
        if (root == slot) {
            set->of_slot[slot] = (uint32_t)set->count;
            set->islands[set->count++] = (island_entry){.heaviest = mass, .lightest = mass};
        }
        set->of_slot[slot] = set->of_slot[root];
        island_entry *island = &set->islands[set->of_slot[slot]];
        island->body_count++;
        island->heaviest = fmax(island->heaviest, mass);
        island->lightest = fmin(island->lightest, mass);
        island->awake |= !body_sleeps(&world->bodies, slot);
    }
}

static void mark_tied(const scree_world *world, const joint_row *rows, size_t row_count, uint8_t *tied)
{
    memset(tied, 0, world->bodies.count);
    for (size_t i = 0; i < world->contacts.count; i++) {
        const contact *c = &world->contacts.data[i];
        tied[c->a] = is_movable(world, c->a);
        tied[c->b] = is_movable(world, c->b);
    }
    for (size_t i = 0; i < row_count; i++)
        for (int k = 0; k < JOINT_ROW_BODIES; k++)
            if (is_movable(world, rows[i].body[k]))
                tied[rows[i].body[k]] = 1;
}

island_entry *island_of_row(const scree_world *world, const island_set *set, const joint_row *row)
{
    uint32_t slot = row_slot(world, row);
    return slot == NO_BODY ? NULL : &set->islands[set->of_slot[slot]];
}

static void count_constraints(const scree_world *world, const joint_row *rows, size_t row_count, island_set *set)
{
    for (size_t i = 0; i < world->contacts.count; i++) {
        const contact *c = &world->contacts.data[i];
        island_entry *island = island_of_contact(set, c);
        bool both = is_movable(world, c->a) && is_movable(world, c->b);
        island->contact_count++;
        island->pair_count += both && (i == 0 || c[-1].a != c->a || c[-1].b != c->b);
        island->supported |= !both;
    }
    for (size_t i = 0; i < row_count; i++) {
        island_entry *island = island_of_row(world, set, &rows[i]);
        if (!island)
            continue;
        island->row_count++;
        island->supported |= !is_movable(world, rows[i].body[0]) || !is_movable(world, rows[i].body[1]);
    }
}

static bool is_cheap(const island_entry *island)
{
    bool mechanism = island->row_count > 0 && island->pair_count <= few_pairs * island->body_count;
    return mechanism || island->body_count <= FEW_BODIES ||
           (island->body_count <= MANY_BODIES && island->pair_count <= most_pairs * island->body_count);
}

static island_way choose_way(const scree_world *world, const island_entry *island)
{
    if (!island->awake)
        return ISLAND_ASLEEP;
    if (world->def.solver.algorithm == SCREE_NEWTON)
        return ISLAND_DIRECT;
    if (!is_cheap(island))
        return ISLAND_SWEPT;
    if (world->def.solver.algorithm != SCREE_AUTO)
        return island->row_count > 0 ? ISLAND_DIRECT : ISLAND_SWEPT;
    bool hard = island->row_count > 0 || island->heaviest > most_swept_ratio * island->lightest;
    if (hard)
        return ISLAND_DIRECT;
    return island->body_count <= MOST_DOUBTED ? ISLAND_DOUBTED : ISLAND_SWEPT;
}

static void choose_ways(const scree_world *world, island_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        island_entry *island = &set->islands[i];
        island->way = choose_way(world, island);
        if (island->way == ISLAND_SWEPT || island->way == ISLAND_DOUBTED)
            set->swept_contacts += island->contact_count;
        if (island->way == ISLAND_SWEPT)
            set->swept_rows += island->row_count;
        if (!island_is_listed(island))
            continue;
        island->first_body = (uint32_t)set->body_count;
        island->first_contact = (uint32_t)set->contact_count;
        island->first_row = (uint32_t)set->row_count;
        set->body_count += island->body_count;
        set->contact_count += island->contact_count;
        set->row_count += island->row_count;
    }
}

// Counts are used up and come back as the lists fill.
static void fill_lists(const scree_world *world, const joint_row *rows, size_t row_count, island_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        if (island_is_listed(&set->islands[i]))
            set->islands[i].body_count = set->islands[i].contact_count = set->islands[i].row_count = 0;
    for (uint32_t slot = 0; slot < world->bodies.count; slot++) {
        island_entry *island = set->of_slot[slot] == NO_ISLAND ? NULL : &set->islands[set->of_slot[slot]];
        if (!island || !island_is_listed(island))
            continue;
        set->place_of_slot[slot] = island->first_body + island->body_count++;
        set->bodies[set->place_of_slot[slot]] = slot;
    }
    for (size_t i = 0; i < world->contacts.count; i++) {
        island_entry *island = island_of_contact(set, &world->contacts.data[i]);
        if (island_is_listed(island))
            set->contacts[island->first_contact + island->contact_count++] = (uint32_t)i;
    }
    for (size_t i = 0; i < row_count; i++) {
        island_entry *island = island_of_row(world, set, &rows[i]);
        if (island && island_is_listed(island))
            set->rows[island->first_row + island->row_count++] = (uint32_t)i;
    }
}

bool islands_find(scree_world *world, const joint_row *rows, size_t row_count, island_set *set)
{
    size_t bodies = world->bodies.count;
    *set = (island_set){0};
    set->of_slot = arena_array(&world->scratch, uint32_t, bodies);
    set->place_of_slot = arena_array(&world->scratch, uint32_t, bodies);
    uint32_t *parent = set->place_of_slot; // not needed at the same time
    uint8_t *tied = arena_array(&world->scratch, uint8_t, bodies);
    if (!set->of_slot || !parent || !tied)
        return false;
    disjoint_begin(parent, bodies);
    unite_all(world, rows, row_count, parent);
    mark_tied(world, rows, row_count, tied);
    set->islands = arena_array(&world->scratch, island_entry, count_roots(tied, parent, bodies));
    if (!set->islands)
        return false;
    number_islands(world, tied, parent, set);
    count_constraints(world, rows, row_count, set);
    choose_ways(world, set);
    if (set->body_count == 0)
        return true;
    set->bodies = arena_array(&world->scratch, uint32_t, set->body_count);
    set->contacts = arena_array(&world->scratch, uint32_t, set->contact_count);
    set->rows = arena_array(&world->scratch, uint32_t, set->row_count);
    if (!set->bodies || !set->contacts || !set->rows)
        return false;
    fill_lists(world, rows, row_count, set);
    return true;
}
