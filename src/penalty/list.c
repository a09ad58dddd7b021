// The lists of near pairs, at two levels. Groups that may meet within some steps come from the broad phase; from each
// pair of groups come the pairs of spheres, of spheres and walls, or of other shapes that are near now:
//
//     broad phase -- groups within their far margins -- shapes within a near margin -- contacts
//                    listed anew when a body has        compared anew, pair of groups by pair of groups, when
//                    used up its far margin             the two have moved against each other by their margin
//
// What moves together keeps its pairs however fast it is. Where every group is one shape, both levels are one.
#include "base/error.h"
#include "base/threads.h"
#include "penalty/penalty.h"

// Near margins in grains of the smaller body: between these, wide enough for some steps. Two groups that would use up
// the widest in fewer than `least_steps` are compared in every step, with no margin.
static const double least_near = 0.2, most_near = 0.4, near_steps = 8, least_steps = 2;

enum { PAIR_BLOCK = 128 };
static const uint32_t held = UINT32_MAX;

static near_list *list_of(penalty *of, pair_kind kind)
{
    return kind == SPHERES ? &of->pairs : kind == WALLS ? &of->walls : &of->others;
}

// ------------------------------------------------------------------------------------------------------- is it in time

static bool reserve_turns(scree_world *world)
{
    penalty *of = penalty_of(world);
    size_t count = world->bodies.count;
    if (!array_resize(&of->turned, count) || !array_resize(&of->last, count) || !array_resize(&of->turning, count) ||
        !array_resize(&of->grain, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        of->turned.data[i] = 0;
        of->last.data[i] = of->orientation.data[i];
        of->grain.data[i] = (float)grain_of(world, i);
    }
    return true;
}

static void add_turns(void *context, size_t block)
{
    scree_world *world = context;
    penalty *of = penalty_of(world);
    const double endless = 1e100; // a turning plane moves by more than any margin
    for (size_t i = block * BODY_BLOCK; i < block_end(block, BODY_BLOCK, world->bodies.count); i++) {
        double angle = of->centered_sphere.data[i] ? 0 : turned_by(of->last.data[i], of->orientation.data[i]);
        if (angle > 0)
            of->turned.data[i] += fmin(angle * (double)world->bodies.radius.data[i], endless);
        of->turning.data[i] = (float)(world->def.step * turning_speed(world, i));
        of->last.data[i] = of->orientation.data[i];
    }
}

static inline bool holds(const penalty *of, uint32_t a, uint32_t b, const near_state *state)
{
    vec3 between = vec3_sub(of->position.data[b], of->position.data[a]), moved = vec3_sub(between, state->between);
    double turned = of->turned.data[a] - state->turned[0] + (of->turned.data[b] - state->turned[1]);
    double left = (double)state->margin - (double)state->turn_factor * turned;
    return left >= 0 && vec3_dot(moved, moved) <= left * left;
}

// What two bodies need in order not to be compared in each of the next steps.
static double near_margin(const scree_world *world, uint32_t a, uint32_t b)
{
    const penalty *of = penalty_of(world);
    if (of->groups.single_proxies)
        return (double)of->far.margin.data[a] + (double)of->far.margin.data[b];
    const vec3 *velocity = world->bodies.velocity.data;
    float grains[2] = {of->grain.data[a], of->grain.data[b]};
    double grain = (double)(grains[0] < grains[1] ? grains[0] : grains[1]);
    double path = world->def.step * vec3_length(vec3_sub(velocity[b], velocity[a])) + (double)of->turning.data[a] +
                  (double)of->turning.data[b];
    if (path * least_steps > most_near * grain)
        return NO_MARGIN * grain;
    double wide = near_steps * path > least_near * grain ? near_steps * path : least_near * grain;
    return wide < most_near * grain ? wide : most_near * grain;
}

// ----------------------------------------------------------------------------------------------------------- comparing

// What one block of pairs of groups gives, in the memory of the thread that took it.
typedef struct found_block {
    uint32_t *a, *b;
    size_t count, room;
    size_t total; // with those that hold
    bool changed;
    bool failed;  // out of memory
    size_t first; // entry in the new list
} found_block;

typedef struct near_search {
    scree_world *world;
    proxy_view view;
    pair_kind kind;
    uint32_t *counts; // by pair of groups: found now, or `held`
    found_block *blocks;
} near_search;

static bool append(found_block *to, const near_shapes *found, arena *memory)
{
    if (to->count + found->count > to->room) {
        found_block old = *to;
        to->room = 2 * (to->count + found->count) + 512;
        to->a = arena_array(memory, uint32_t, to->room);
        to->b = arena_array(memory, uint32_t, to->room);
        if (!to->a || !to->b)
            return false;
        if (old.count) {
            memcpy(to->a, old.a, old.count * sizeof *old.a);
            memcpy(to->b, old.b, old.count * sizeof *old.b);
        }
    }
    if (found->count) {
        memcpy(to->a + to->count, found->a, found->count * sizeof *to->a);
        memcpy(to->b + to->count, found->b, found->count * sizeof *to->b);
    }
    to->count += found->count;
    return true;
}

static bool settle(const near_search *search, size_t index, const near_shapes *found, found_block *to, arena *memory)
{
    near_state *state = &penalty_of(search->world)->states[search->kind].data[index];
    state->margin = (float)(found->margin * (1 - 1e-6));
    search->counts[index] = (uint32_t)found->count;
    to->changed = to->changed || found->count + state->count > 0;
    to->total += found->count - state->count;
    return found->count == 0 || append(to, found, memory);
}

static bool settle_batch(const near_search *search, group_batch *batch, near_shapes *found, found_block *to,
                         arena *memory)
{
    bool done = true;
    measure_batch(batch);
    for (int i = 0; i < batch->count; i++) {
        compare_lane(batch, i, penalty_of(search->world), found);
        done = settle(search, batch->index[i], found, to, memory) && done;
    }
    batch->count = 0;
    return done;
}

// Compares the groups of a pair now, or puts them into the batch.
static bool compare_pair(const near_search *search, size_t index, near_shapes *found, group_batch *batch,
                         found_block *to, arena *memory)
{
    const penalty *of = penalty_of(search->world);
    proxy_pair pair = of->group_pairs[search->kind].data[index];
    if (search->kind == SPHERES) {
        found->count = 0;
        double apart = add_to_batch(batch, of, pair, found->margin, index);
        if (apart == 0)
            return batch->count < BOX_LANES || settle_batch(search, batch, found, to, memory);
        found->margin = apart;
        of->states[SPHERES].data[index].turn_factor = spheres_stay(of, pair) ? 0 : 1;
    } else {
        compare_shapes(search->world, &search->view, search->kind, pair, found);
    }
    return settle(search, index, found, to, memory);
}

static void compare_block(void *context, size_t block)
{
    const near_search *search = context;
    arena *memory = &search->world->workers[thread_index()];
    penalty *of = penalty_of(search->world);
    const sphere_group *groups = of->groups.groups.data;
    const proxy_pair *pairs = of->group_pairs[search->kind].data;
    near_state *states = of->states[search->kind].data;
    uint32_t *counts = search->counts;
    size_t end = block_end(block, PAIR_BLOCK, of->group_pairs[search->kind].count), before = 0;
    found_block *to = &search->blocks[block];
    near_shapes found;
    group_batch batch; // large: lanes are filled before they are read
    batch.count = 0;
    bool done = true;
    *to = (found_block){0};
    for (size_t i = block * PAIR_BLOCK; i < end; i++) {
        near_state *state = &states[i];
        uint32_t a = groups[pairs[i].a].body, b = groups[pairs[i].b].body;
        counts[i] = held;
        before += state->count;
        if (holds(of, a, b, state))
            continue;
        state->between = vec3_sub(of->position.data[b], of->position.data[a]);
        state->turn_factor = 1;
        state->turned[0] = of->turned.data[a];
        state->turned[1] = of->turned.data[b];
        found.margin = near_margin(search->world, a, b);
        done = compare_pair(search, i, &found, &batch, to, memory) && done;
    }
    done = (batch.count == 0 || settle_batch(search, &batch, &found, to, memory)) && done;
    to->total += before;
    to->failed = !done;
}

// --------------------------------------------------------------------------------------------------------- the new
// list

// Entries that hold and stand side by side move together.
typedef struct held_run {
    near_range old;
    size_t first; // in the new list
} held_run;

static void extend_run(held_run *run, near_list *to, const near_list *from, near_range old, size_t first)
{
    if (run->old.count > 0 && run->old.first + run->old.count == old.first && run->first + run->old.count == first) {
        run->old.count += old.count;
        return;
    }
    if (run->old.count > 0)
        keep_entries(to, run->first, from, run->old);
    *run = (held_run){old, first};
}

static void fill_block(void *context, size_t block)
{
    const near_search *search = context;
    penalty *of = penalty_of(search->world);
    near_list *to = &of->spare[search->kind];
    const near_list *from = list_of(of, search->kind);
    const found_block *found = &search->blocks[block];
    size_t end = block_end(block, PAIR_BLOCK, of->group_pairs[search->kind].count), taken = 0;
    size_t first = found->first;
    held_run run = {0};
    for (size_t i = block * PAIR_BLOCK; i < end; i++) {
        near_state *state = &of->states[search->kind].data[i];
        uint32_t count = search->counts[i];
        near_range old = {state->first, state->count};
        if (count == held && old.count > 0) {
            extend_run(&run, to, from, old, first);
        } else if (count != held && count > 0) {
            memcpy(to->a.data + first, found->a + taken, count * sizeof *found->a);
            memcpy(to->b.data + first, found->b + taken, count * sizeof *found->b);
            hand_over(to, (near_range){first, count}, from, old);
            taken += count;
        }
        if (count != held)
            state->count = count;
        state->first = first;
        first += state->count;
    }
    extend_run(&run, to, from, (near_range){0}, 0);
}

static void swap_lists(near_list *a, near_list *b)
{
    near_list swap = *a;
    *a = *b;
    *b = swap;
}

static bool fill_list(near_search *search, size_t blocks)
{
    scree_world *world = search->world;
    penalty *of = penalty_of(world);
    size_t total = 0;
    for (size_t b = 0; b < blocks; b++) {
        search->blocks[b].first = total;
        total += search->blocks[b].total;
    }
    if (!near_list_resize(&of->spare[search->kind], total, of->resists_rolling))
        return false;
    for_blocks(world->threads, blocks, fill_block, search);
    swap_lists(list_of(of, search->kind), &of->spare[search->kind]);
    return true;
}

static bool list_kind(scree_world *world, pair_kind kind, bool *changed)
{
    penalty *of = penalty_of(world);
    size_t count = of->group_pairs[kind].count, blocks = block_count(count, PAIR_BLOCK), total = 0;
    near_search search = {world, penalty_view(world, NULL, NULL), kind, arena_array(&world->scratch, uint32_t, count),
                          arena_array(&world->scratch, found_block, blocks)};
    if (!search.counts || !search.blocks)
        return false;
    for (int i = 0; i < world->threads; i++)
        arena_reset(&world->workers[i]);
    bool done = true, differs = false;
    for_blocks(world->threads, blocks, compare_block, &search);
    for (size_t b = 0; b < blocks; b++) {
        done = done && !search.blocks[b].failed;
        differs = differs || search.blocks[b].changed;
        total += search.blocks[b].total;
    }
    if (!done)
        return false;
    if (!differs && total == list_of(of, kind)->a.count)
        return true;
    *changed = true;
    return fill_list(&search, blocks);
}

// Makes the list where groups are single shapes: pairs of groups are the list.
static bool list_singles(scree_world *world)
{
    penalty *of = penalty_of(world);
    size_t count = of->group_pairs[SPHERES].count;
    near_list *to = &of->spare[SPHERES];
    const near_list *from = &of->pairs;
    if (!near_list_resize(to, count, of->resists_rolling))
        return false;
    for (size_t i = 0; i < count; i++) {
        to->a.data[i] = of->group_pairs[SPHERES].data[i].a;
        to->b.data[i] = of->group_pairs[SPHERES].data[i].b;
    }
    hand_over_singles(to, from, of->groups.rank.data);
    swap_lists(to, &of->pairs);
    return true;
}

// -------------------------------------------------------------------------------------------------------- making it

static bool entry_is_before(const penalty *of, const near_list *list, size_t at, proxy_pair pair)
{
    uint32_t a = of->groups.group_of.data[list->a.data[at]], b = of->groups.group_of.data[list->b.data[at]];
    return a != pair.a ? a < pair.a : of->groups.rank.data[b] < of->groups.rank.data[pair.b];
}

// Which entries of a list of spheres or walls belong to which pair of groups, when nobody has kept count.
static void find_entries(penalty *of, pair_kind kind)
{
    const near_list *list = list_of(of, kind);
    const uint32_t *group_of = of->groups.group_of.data;
    size_t at = 0, end = list->a.count;
    for (size_t i = 0; i < of->states[kind].count; i++) {
        proxy_pair pair = of->group_pairs[kind].data[i];
        near_state *state = &of->states[kind].data[i];
        while (at < end && entry_is_before(of, list, at, pair))
            at++;
        *state = (near_state){.margin = -1, .first = at};
        while (at < end && group_of[list->a.data[at]] == pair.a && group_of[list->b.data[at]] == pair.b)
            at++;
        state->count = (uint32_t)(at - state->first);
    }
}

static bool prepare_states(scree_world *world)
{
    penalty *of = penalty_of(world);
    if (!place_loose(world) || !reserve_turns(world))
        return false;
    near_list_resize(&of->others, 0, false); // remembers nothing
    for (int k = 0; k < PAIR_KINDS; k++)
        find_entries(of, (pair_kind)k);
    return true;
}

static bool list_pairs(scree_world *world, bool stale)
{
    bool single = penalty_of(world)->groups.single_proxies, changed = stale || single;
    if (stale && !prepare_states(world))
        return false;
    for_blocks(world->threads, block_count(world->bodies.count, BODY_BLOCK), add_turns, world);
    if (single && !list_singles(world))
        return false;
    for (int k = single ? WALLS : SPHERES; k < PAIR_KINDS; k++)
        if (!list_kind(world, (pair_kind)k, &changed))
            return false;
    return !changed || list_particles(world);
}

scree_status renew_list(scree_world *world, scree_error *error)
{
    penalty *of = penalty_of(world);
    bool stale = of->stale, changed;
    of->stale = true;
    of->tick++;
    scree_status status = list_groups(world, stale, &changed, error);
    if (status)
        return status;
    if ((changed || !of->groups.single_proxies) && !list_pairs(world, stale))
        return fail_no_memory(error);
    of->stale = false;
    return SCREE_OK;
}
