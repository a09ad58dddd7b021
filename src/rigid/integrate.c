// Integration: velocities from the solution, then q <- q + h L v (equation (8) of Negrut et al. 2010).
#include "rigid/integrate.h"

#include "base/threads.h"

enum { BODY_BLOCK = 1024 };

static bool advance_body(const step_problem *problem, const step_solution *solution, const step_bodies *bodies,
                         size_t slot)
{
    body_velocity end = solution->end[slot], moving = solution->position ? solution->position[slot] : end;
    turn_freely(vec3_from_f(problem->inertia[slot]), problem->step, moving.spin, &bodies->orientation[slot], &end.spin);
    vec3 *position = &bodies->position[slot];
    *position = vec3_add_scaled(*position, moving.velocity, problem->step);
    bodies->velocity[slot] = end.velocity;
    bodies->spin[slot] = end.spin;
    return is_finite_state(*position, bodies->orientation[slot], end.velocity, end.spin);
}

bool note_pushes(const step_problem *problem, const step_solution *solution, body_pushes *pushes)
{
    for (uint32_t i = 0; solution->position && i < problem->body_count; i++) {
        if (!slot_moves(problem, i))
            continue;
        vec3 path = vec3_sub(solution->position[i].velocity, solution->end[i].velocity);
        if (!pushes_note(pushes, i, vec3_scale(path, problem->step)))
            return false;
    }
    return true;
}

typedef struct integration {
    const step_problem *problem;
    const step_solution *solution;
    const step_bodies *bodies;
    _Atomic size_t lost; // the first body that is no longer finite
} integration;

static void integrate_range(void *context, size_t first, size_t end)
{
    integration *of = context;
    for (size_t i = first; i < end; i++)
        if (slot_moves(of->problem, i) && !advance_body(of->problem, of->solution, of->bodies, i))
            note_least(&of->lost, i);
}

size_t integrate_bodies(const step_problem *problem, const step_solution *solution, const step_bodies *bodies)
{
    integration of = {problem, solution, bodies, SIZE_MAX};
    for_ranges(problem->threads, problem->body_count, BODY_BLOCK, integrate_range, &of);
    return of.lost;
}
