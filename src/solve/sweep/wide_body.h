// Bodies with very many contacts (a slab in a heap, a plate, a track shoe) as blocks of the sweeps: all contacts of
// such a body are relaxed at once, exactly, together with its velocity.
//
// Contact by contact a light plate between two beds of grains would be thrown from one to the other, and momentum would
// throw it further. Here the velocity d that the step gives to the wide body is the unknown. With the other bodies held
// where they are, each contact answers it by its own step p_i(d), and the balance
//     M d = sum of D_i (p_i(d) - p_i)
// has six unknowns and one solution, since its right side only falls with d: it is the stationary point of a convex
// function. Newton's method finds it in a few rounds, whatever the mass. Other bodies enter by their own diagonals,
// bounded as in problem.c and times the number of contacts that a body has with the wide one, so that a step never
// raises the energy of the problem.
#ifndef SOLVE_SWEEP_WIDE_BODY_H
#define SOLVE_SWEEP_WIDE_BODY_H

#include "solve/sweep/kernels.h"

enum { WIDE_CONTACTS = 128 }; // a movable body with more contacts than this is wide

typedef struct wide_body wide_body;

typedef struct wide_bodies {
    wide_body *list; // by their indices in the problem
    size_t count, contact_count;
    uint32_t *place; // by row: which of its contacts
    uint32_t *owner; // by row: in `list`
} wide_bodies;

// Rows have at least one end that is_wide (by body); a contact of two such bodies belongs to a. Rows are numbered as
// given, and speak of `bodies`, as the problem does.
scree_status wide_bodies_make(wide_bodies *made, const problem_body *bodies, size_t body_count, const uint8_t *is_wide,
                              const problem_row *rows, size_t row_count, arena *scratch, scree_error *error);

// Sets the marks of the wide bodies and of all that they touch, by their indices in the problem.
void wide_bodies_mark_bodies(const wide_bodies *wide, uint8_t *marks);

// Adds the effect of the impulses to the velocities, those of x_k or of x_{k-1}.
void wide_bodies_apply(wide_bodies *wide, contact_problem *problem);
void wide_bodies_apply_before(wide_bodies *wide, contact_problem *problem);

// Their velocities have more digits than the problem stores. Notes them for both points, x_k and x_{k-1}, before the
// problem's are changed by one of the two below: sets those of x_k + beta (x_k - x_{k-1}), or scales all impulses.
void wide_bodies_note(wide_bodies *wide, const contact_problem *problem, const void *now, const void *before);
void wide_bodies_extrapolate(wide_bodies *wide, contact_problem *problem, double beta);
void wide_bodies_scale(wide_bodies *wide, const contact_problem *problem, const void *now, const void *before,
                       double factor);

// Adds the work of the impulses of x_k (impulse_scale.h).
void wide_bodies_add_work(const wide_bodies *wide, const contact_problem *problem, impulse_work *sum);

// One step of each body's block, one after another, from x_k + beta (x_k - x_{k-1}), of which the velocities are. Adds
// to the sums, in the metric of the block; gives back the largest squared change of an impulse.
double wide_bodies_relax(wide_bodies *wide, contact_problem *problem, double beta, step_sums *sums, int threads);

// Adds the errors of the contacts, each in the metric of both of its bodies as tiles have it. Gives back their number.
size_t wide_bodies_residual(const wide_bodies *wide, const contact_problem *problem, tile_residual *sums);

// The velocity of a body in the problem, with all the digits that it has as a wide one.
void wide_bodies_velocity(const wide_bodies *wide, const contact_problem *problem, uint32_t body, vec3 *velocity,
                          vec3 *spin);

// Impulse on b of a row, with a and b as they were given.
vec3 wide_bodies_impulse(const wide_bodies *wide, size_t row);
vec3 wide_bodies_angular_impulse(const wide_bodies *wide, size_t row);

#endif
