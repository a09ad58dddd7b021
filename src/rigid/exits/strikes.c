#include "rigid/exits/strikes.h"

#include <string.h>

#include "base/error.h"
#include "contact/detect_step.h"
#include "contact/velocity.h"
#include "rigid/exits/exit_look.h"
#include "world/view.h"

enum { MOST_PASSED_ON = 4 };

// A body is thrown when its path in the step exceeds the one that it had by this part of its radius: less than that is
// pushed out as overlaps are.
static const double thrown_path = 0.25;

// ------------------------------------------------------------------------------------------------------------ throwing

// A blow to a body, and the velocity that it gives.
typedef struct blow {
    uint32_t slot;
    vec3 velocity;
} blow;

typedef struct throwing {
    fast_exits exits;       // those of the last round
    uint8_t *is_exit;       // by slot: of any round; NULL before something is thrown
    body_velocity *reached; // by slot: of the exits, which is a copy of the solution's
} throwing;

// The velocity that a blow gives along the normal to the second body of a contact, or to the first.
static vec3 thrown_velocity(const step_problem *problem, const body_velocity *reached, const contact *c, bool second)
{
    uint32_t slot = second ? c->b : c->a, other = second ? c->a : c->b;
    vec3 normal = vec3_from_f(c->normal);
    double speed =
        vec3_dot(normal, relative_velocity(reached[c->a], vec3_from_f(c->arm), reached[c->b], second_arm(problem, c)));
    double restitution = (double)pair_of_contact(problem, c)->restitution;
    double share = problem->immovable[other] ? 1 : problem->mass[other] / (problem->mass[slot] + problem->mass[other]);
    return vec3_add_scaled(reached[slot].velocity, normal, (second ? -1 : 1) * (1 + restitution) * share * speed);
}

// Of several blows the hardest counts, wherever bodies stand in memory.
static bool is_harder(vec3 velocity, vec3 than)
{
    double square = vec3_dot(velocity, velocity), other = vec3_dot(than, than);
    if (square != other)
        return square > other;
    return velocity.x != than.x   ? velocity.x > than.x
           : velocity.y != than.y ? velocity.y > than.y
                                  : velocity.z > than.z;
}

static bool is_thrown(const step_problem *problem, uint32_t slot, vec3 velocity)
{
    double path = problem->step * vec3_length(vec3_sub(velocity, problem->velocity[slot]));
    return path > thrown_path * (double)problem->radius[slot];
}

// Lists the blows of the last round's exits that throw bodies which are none of the exits yet.
static size_t list_blows(const step_problem *problem, const throwing *of, blow *blows)
{
    const uint8_t *is_exit = of->is_exit ? of->is_exit : of->exits.is_fast_exit;
    size_t count = 0;
    for (size_t i = 0; i < problem->contact_count; i++) {
        const contact *c = &problem->contacts[i];
        if (!fast_exit_collides(problem, &of->exits, c))
            continue;
        for (int k = 0; k < 2; k++) {
            uint32_t slot = k ? c->b : c->a;
            if (is_exit[slot] || !slot_moves(problem, slot))
                continue;
            vec3 velocity = thrown_velocity(problem, of->exits.reached, c, k);
            if (is_thrown(problem, slot, velocity))
                blows[count++] = (blow){slot, velocity};
        }
    }
    return count;
}

// Marks and velocities that can be changed; the solution keeps its own.
static bool copy_exits(size_t bodies, arena *scratch, throwing *of)
{
    if (of->is_exit)
        return true;
    uint8_t *now = arena_array(scratch, uint8_t, bodies);
    of->is_exit = arena_array(scratch, uint8_t, bodies);
    of->reached = arena_array(scratch, body_velocity, bodies);
    if (!now || !of->is_exit || !of->reached)
        return false;
    memcpy(of->is_exit, of->exits.is_fast_exit, bodies);
    memcpy(of->reached, of->exits.reached, bodies * sizeof *of->reached);
    of->exits.is_fast_exit = now;
    of->exits.reached = of->reached;
    return true;
}

// The exits of the next round are what those of the last throw; none when they throw nothing far. The problem has the
// contacts at which they strike.
static bool throw_struck(const step_problem *problem, arena *scratch, throwing *of)
{
    blow *blows = arena_array(scratch, blow, 2 * problem->contact_count);
    if (!blows)
        return false;
    size_t count = list_blows(problem, of, blows);
    of->exits.count = 0;
    if (count == 0)
        return true;
    if (!copy_exits(problem->body_count, scratch, of))
        return false;
    uint8_t *now = of->exits.is_fast_exit;
    memset(now, 0, problem->body_count);
    for (size_t i = 0; i < count; i++) {
        const blow *b = &blows[i];
        if (now[b->slot] && !is_harder(b->velocity, of->reached[b->slot].velocity))
            continue;
        of->exits.count += !now[b->slot];
        of->reached[b->slot].velocity = b->velocity;
        now[b->slot] = of->is_exit[b->slot] = 1;
    }
    return true;
}

// -------------------------------------------------------------------------------------------------------------- rounds

static vec3f_array *angular_of(const scree_world *world, strike_list *list)
{
    return world->extended ? &list->angular : NULL;
}

// The problem with the contacts of a list alone.
static step_problem problem_of_strikes(const step_problem *problem, const strike_list *list)
{
    step_problem of = *problem;
    of.contacts = list->contacts.data;
    of.contact_count = list->contacts.count;
    of.meetings = list->meetings.list.data;
    of.meeting_count = list->meetings.list.count;
    of.meets = list->meetings.meets.data;
    return of;
}

// Detects what exits strike, where there may be anything.
static scree_status find_round(const strike_problem *of, const fast_exits *exits, strike_list *list, scree_error *error)
{
    scree_world *world = of->world;
    proxy_view view = store_view(&world->bodies);
    exit_look look;
    list->contacts.count = list->angular.count = 0;
    if (!exits_look(of->problem, &view, exits, &world->scratch, &look))
        return fail_no_memory(error);
    if (!look.near)
        return SCREE_OK;
    const strike_search search = {exits->is_fast_exit, look.near, exits->reached, &list->meetings};
    scree_status status = detect_strikes(world, &search, &list->contacts, angular_of(world, list), error);
    if (status)
        return status;
    step_problem seen = problem_of_strikes(of->problem, list);
    bool kept = keep_colliding(&seen, &view, exits, &list->contacts, angular_of(world, list), &world->scratch);
    return kept ? SCREE_OK : fail_no_memory(error);
}

// What was found in earlier rounds stays as it is.
static bool add_round(const strike_problem *of)
{
    scree_world *world = of->world;
    strike_list *all = &world->strikes, *latest = &world->thrown;
    patch_mark(of->problem, of->joints, &all->contacts, of->marks);
    if (!patch_join(of->problem, of->marks, &all->contacts, angular_of(world, all), &latest->contacts,
                    angular_of(world, latest)) ||
        !patch_join_meetings(&all->contacts, &all->meetings, &latest->meetings))
        return false;
    strike_list joined = *latest;
    *latest = *all;
    *all = joined;
    return true;
}

scree_status strikes_find(const strike_problem *of, const fast_exits *exits, scree_error *error)
{
    scree_world *world = of->world;
    throwing thrown = {.exits = *exits};
    scree_status status = find_round(of, exits, &world->strikes, error);
    for (int passed = 0; !status && world->strikes.contacts.count > 0 && passed < MOST_PASSED_ON; passed++) {
        step_problem struck = problem_of_strikes(of->problem, &world->strikes);
        if (!throw_struck(&struck, &world->scratch, &thrown))
            return fail_no_memory(error);
        status = find_round(of, &thrown.exits, &world->thrown, error);
        if (status || world->thrown.contacts.count == 0)
            break;
        if (!add_round(of))
            return fail_no_memory(error);
    }
    return status;
}
