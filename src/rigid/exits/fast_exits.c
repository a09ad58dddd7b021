#include "rigid/exits/fast_exits.h"

#include "base/threads.h"
#include "contact/velocity.h"

enum { BODY_BLOCK = 2048 };

// Part of a radius: path beyond what was expected that makes a fast exit.
static const double unexpected_path = 0.02;

// Distance of a point from the way between the origin and another.
static double distance_from_way(vec3 point, vec3 end)
{
    double square = vec3_dot(end, end), along = square > 0 ? vec3_dot(point, end) / square : 0;
    return vec3_length(vec3_add_scaled(point, end, -fmin(fmax(along, 0), 1)));
}

// Detection looks at where bodies go on as they are, and where either is stopped.
static bool is_fast_exit(const step_problem *problem, size_t slot, vec3 reached)
{
    double h = problem->step, fall = h * problem->gravity_length;
    double unexpected = distance_from_way(reached, problem->velocity[slot]) - fall;
    return h * unexpected > unexpected_path * (double)problem->radius[slot];
}

typedef struct exit_search {
    const step_problem *problem;
    fast_exits *exits;
    _Atomic size_t count;
} exit_search;

static void find_range(void *context, size_t first, size_t end)
{
    exit_search *search = context;
    fast_exits *exits = search->exits;
    size_t count = 0;
    for (size_t i = first; i < end; i++) {
        exits->is_fast_exit[i] =
            slot_moves(search->problem, i) && is_fast_exit(search->problem, i, exits->reached[i].velocity);
        count += exits->is_fast_exit[i];
    }
    search->count += count;
}

bool fast_exits_find(const step_problem *problem, const step_solution *solution, arena *scratch, fast_exits *exits)
{
    const body_velocity *reached = solution->position ? solution->position : solution->end;
    *exits = (fast_exits){.is_fast_exit = arena_array(scratch, uint8_t, problem->body_count), .reached = reached};
    if (!exits->is_fast_exit)
        return false;
    exit_search search = {problem, exits, 0};
    for_ranges(problem->threads, problem->body_count, BODY_BLOCK, find_range, &search);
    exits->count = search.count;
    return true;
}

bool contact_collides(const step_problem *problem, const body_velocity *velocities, const contact *c)
{
    vec3 relative = relative_velocity(velocities[c->a], vec3_from_f(c->arm), velocities[c->b], second_arm(problem, c));
    double end = (double)c->gap + problem->step * vec3_dot(vec3_from_f(c->normal), relative);
    return end < fmin(0, (double)c->gap) - UNEXPECTED_OVERLAP * smaller_radius(problem, c);
}

bool fast_exit_collides(const step_problem *problem, const fast_exits *exits, const contact *c)
{
    return (exits->is_fast_exit[c->a] || exits->is_fast_exit[c->b]) && contact_collides(problem, exits->reached, c);
}
