// Where motion is smooth the step is a leapfrog, whose first kick is half of one (world/instant.h). Smooth is an island
// of which no contact and no stop of a joint carries anything, that bears no applied force, and that was not torn from
// velocities which contradict its joints: all these are impulses, and half of an impulse is nobody's acceleration.
#include "rigid/starts.h"

#include <string.h>

#include "base/disjoint.h"
#include "contact/row.h"

// ------------------------------------------------------------------------------------------------------------- starts

static bool is_movable(const step_problem *problem, uint32_t slot)
{
    return slot != NO_SLOT && !problem->immovable[slot];
}

// Marks bodies that could start, each looked at alone; returns whether there are any.
static bool mark_given(const step_problem *problem, uint8_t *starting)
{
    bool any = false;
    for (size_t i = 0; i < problem->body_count; i++) {
        starting[i] = problem->instant[i] == VELOCITY_GIVEN && slot_moves(problem, i) && !is_loaded(problem, i);
        any = any || starting[i];
    }
    for (size_t i = 0; any && i < problem->contact_count; i++)
        if (!contact_passes(problem, &problem->contacts[i]))
            starting[problem->contacts[i].a] = starting[problem->contacts[i].b] = 0;
    return any;
}

// Bodies that hang together as disjoint sets of slots; NULL when out of memory.
static uint32_t *unite_mechanisms(const step_problem *problem, arena *scratch)
{
    uint32_t *parent = arena_array(scratch, uint32_t, problem->body_count);
    if (!parent)
        return NULL;
    disjoint_begin(parent, problem->body_count);
    for (size_t i = 0; i < problem->joint_count; i++) {
        const uint32_t *ends = problem->joint_ends[i].body;
        if (!problem->joints[i].broken && is_movable(problem, ends[0]) && is_movable(problem, ends[1]))
            disjoint_unite(parent, ends[0], ends[1]);
    }
    return parent;
}

// A mechanism starts as a whole or not at all.
static void agree_over_joints(const step_problem *problem, uint32_t *parent, uint8_t *starting)
{
    size_t bodies = problem->body_count;
    for (uint32_t i = 0; i < bodies; i++)
        if (!starting[i])
            starting[disjoint_root(parent, i)] = 0;
    for (uint32_t i = 0; i < bodies; i++)
        starting[i] = starting[disjoint_root(parent, i)];
}

bool find_starts(step_problem *problem, arena *scratch)
{
    problem->starting = NULL;
    arena_mark mark = arena_get_mark(scratch);
    uint8_t *starting = arena_array(scratch, uint8_t, problem->body_count);
    if (!starting)
        return false;
    if (!mark_given(problem, starting)) {
        arena_release(scratch, mark);
        return true;
    }
    uint32_t *parent = problem->joint_count > 0 ? unite_mechanisms(problem, scratch) : NULL;
    if (problem->joint_count > 0 && !parent)
        return false;
    if (parent)
        agree_over_joints(problem, parent, starting);
    problem->starting = starting;
    return true;
}

// The mechanism that a joint belongs to, or NO_SLOT.
static uint32_t mechanism_of(const step_problem *problem, uint32_t *parent, size_t index)
{
    const uint32_t *ends = problem->joint_ends[index].body;
    for (int k = 0; k < 2; k++)
        if (is_movable(problem, ends[k]))
            return disjoint_root(parent, ends[k]);
    return NO_SLOT;
}

bool spread_tears(const step_problem *problem, const joint_rows *joints, arena *scratch)
{
    if (joints->joint_count == 0 || !memchr(joints->torn, 1, joints->joint_count))
        return true;
    uint32_t *parent = unite_mechanisms(problem, scratch);
    uint8_t *torn = arena_array(scratch, uint8_t, problem->body_count);
    if (!parent || !torn)
        return false;
    memset(torn, 0, problem->body_count);
    for (size_t i = 0; i < joints->joint_count; i++) {
        uint32_t mechanism = mechanism_of(problem, parent, i);
        if (joints->torn[i] && mechanism != NO_SLOT)
            torn[mechanism] = 1;
    }
    for (size_t i = 0; i < joints->joint_count; i++) {
        uint32_t mechanism = mechanism_of(problem, parent, i);
        joints->torn[i] = mechanism != NO_SLOT && torn[mechanism];
    }
    return true;
}

// ----------------------------------------------------------------------------------------------------------- instants

static bool carries_contact(const step_problem *problem, const island_set *set, const island_entry *island)
{
    for (uint32_t i = 0; i < island->contact_count; i++) {
        vec3f p = problem->contacts[set->contacts[island->first_contact + i]].impulse;
        if (p.x != 0 || p.y != 0 || p.z != 0)
            return true;
    }
    return false;
}

uint8_t *judge_islands(const step_problem *problem, const joint_rows *joints, const island_set *set, arena *scratch)
{
    uint8_t *instant = arena_array(scratch, uint8_t, set->count);
    for (size_t i = 0; instant && i < set->count; i++)
        instant[i] = VELOCITY_BEHIND;
    if (!instant)
        return NULL;
    for (size_t i = 0; problem->loads && i < problem->body_count; i++)
        if (set->of_slot[i] != NO_ISLAND && is_loaded(problem, i))
            instant[set->of_slot[i]] = VELOCITY_GIVEN;
    for (size_t i = 0; i < set->count; i++)
        if (carries_contact(problem, set, &set->islands[i]))
            instant[i] = VELOCITY_SOLVED;
    for (size_t i = 0; i < joints->joint_count; i++)
        for (uint32_t r = joints->first[i]; r < joints->first[i + 1]; r++) {
            const island_entry *island = island_of_row(problem, set, &joints->rows[r]);
            bool stops = joints->place[r] == ROW_LIMIT && joints->rows[r].impulse != 0;
            if (island && (stops || joints->torn[i]))
                instant[island - set->islands] = VELOCITY_SOLVED;
        }
    return instant;
}

static half_kick half_kick_of(const step_problem *problem, const body_velocity *end, uint32_t slot)
{
    double part = problem->starting && problem->starting[slot] ? 1 : 0.5; // that was half a kick already
    vec3 gained = vec3_scale(vec3_sub(end->velocity, problem->velocity[slot]), part);
    vec3 turned = vec3_scale(vec3_sub(end->spin, problem->spin[slot]), part);
    quat at = problem->orientation[slot];
    vec3 inertia = vec3_from_f(problem->inertia[slot]);
    return (half_kick){.velocity = gained,
                       .momentum = quat_rotate(at, vec3_multiply(inertia, quat_rotate_back(at, turned))),
                       .slot = slot};
}

bool note_instants(const step_problem *problem, const step_solution *solution, const uint8_t *judged,
                   const uint8_t *left_out, uint8_t *instant, half_kicks *kicks)
{
    const island_set *set = &solution->islands;
    for (uint32_t i = 0; i < problem->body_count; i++) {
        if (!slot_moves(problem, i) || (left_out && left_out[i]))
            continue;
        uint32_t island = set->of_slot[i];
        bool free = island == NO_ISLAND;
        instant[i] = !free ? judged[island] : is_loaded(problem, i) ? VELOCITY_GIVEN : VELOCITY_BEHIND;
        if (free || instant[i] != VELOCITY_BEHIND || set->islands[island].row_count == 0)
            continue;
        if (!array_push(kicks, half_kick_of(problem, &solution->end[i], i)))
            return false;
    }
    half_kicks_sort(kicks); // a step may move bodies in two goes
    return true;
}
