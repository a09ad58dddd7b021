// An island as the Newton solver works on it: mass-scaled unknowns, constraints with their own diagonal, and the passes
// over them.
//
// Unknown of a body is y with v = v_free + L y, where L L^T = M^-1 (block by block, 6 x 6): bodies of any mass count
// alike, and what cannot move (a whole body, an axis) has zeros in L and drops out by itself. Constraints carry an
// anchor p_k and a stiffness: the augmented Lagrangian
//     phi(y) = 1/2 |y|^2 + sum_i 1/2 |P_i(z_i)|^2_W,     z_i = W^-1 (W_0 p_k - (u_i + b_i)),   W = W_0 + compliance,
// has the gradient y - L^T J^T p with p = P(z), P the projection in the metric W onto the cone or onto [low, high].
// W_0 is the constraint's own diagonal block of J M^-1 J^T divided by `stiffness`.
//
// Between two moves of the anchors everything is a difference from them: y counts from L^T J^T p_k, and so do impulses
// and speeds. Rounding errors of speeds are multiplied by the stiffness; of differences they vanish with them.
#ifndef SOLVE_NEWTON_NEWTON_SYSTEM_H
#define SOLVE_NEWTON_NEWTON_SYSTEM_H

#include "solve/newton/newton.h"
#include "solve/newton/newton_cone.h"
#include "solve/newton/sparse_blocks.h"

typedef struct mass_root { // L of a body
    double linear;
    double angular[3][3]; // lower triangle
} mass_root;

typedef struct contact_state {
    const problem_row *row;
    cone cone;
    cone_metric block;  // own diagonal block; the normal one without compliance
    cone_metric weight; // W
    double lift;        // de Saxce's term, added to the bias
    double lever;       // angular impulses times this count like impulses in the residual
    spatial free;       // relative velocity without impulses
    spatial base;       // with the anchors' impulses
    spatial anchor, impulse;
    spatial trial, speed; // z; along a direction: the change of u
    cone_point at;
    size_t off_diagonal;  // index of the block between its bodies in the matrix
    unsigned factored_as; // its case when the matrix was last assembled
    bool idle;            // nothing can move
} contact_state;

typedef struct row_state {
    const joint_row *row;
    double block, lever;
    double softness, weight;                          // W_0 and W
    double free, base, anchor, impulse, trial, speed; // base: the speed with the anchors' impulses
    size_t off_diagonal[JOINT_ROW_BODIES];            // blocks between bodies 0-1, 0-2, 1-2
    unsigned factored_as;
    bool idle;
} row_state;

typedef struct newton_system {
    const island *island;
    size_t movable_count;
    uint32_t *place;   // [body_count]: in the order of elimination once that is known; NO_BODY: not movable
    uint32_t *body;    // [movable_count]: the body at a place
    mass_root *root;   // by place
    spatial *velocity; // [body_count]
    spatial *momentum; // [movable_count]: J^T p
    contact_state *contacts;
    row_state *rows;
    sparse_blocks matrix;
    sparse_blocks held;    // the same of the rows that hold both ways alone, before it is scaled; empty without rows
    double held_stiffness; // of these rows when they were assembled; 0: never
    uint8_t *joined;       // by block below the diagonal: some constraint joins its bodies; the others are fill
    double stiffness, trial_stiffness; // now, and of the trial points
    double joint_stiffness;            // the least of rows that hold both ways
    bool convex;                       // the law of the round at hand; the island may ask for the other one
    bool factored;                     // the matrix is that of the present stiffness
    bool symmetric;                    // and so is it: by the convex law, or where nothing slides
} newton_system;

mass_root mass_root_make(const problem_body *body); // Cholesky, with a zero column where an axis is locked
spatial mass_root_apply(const mass_root *root, const spatial *y);            // L y
spatial mass_root_apply_transposed(const mass_root *root, const spatial *q); // L^T q

double joint_row_speed(const joint_row *row, const spatial *velocity);

// A row's own diagonal of J M^-1 J^T, and what an error of its impulse counts in the residual.
void joint_row_scale(const island *problem, const joint_row *row, double *block, double *lever);

// Impulses and velocities are zero; `load` takes the impulses of the island.
scree_status newton_system_make(newton_system *system, const island *problem, arena *scratch, scree_error *error);

// Finds the order of elimination, without which nothing can be assembled; places change.
scree_status newton_system_order(newton_system *system, arena *scratch, scree_error *error);

void newton_system_load(newton_system *system);

// Sets W of all constraints for a stiffness relative to their own diagonal blocks; rows that hold both ways may be
// stiffer than the others, since nothing is to be found out of them.
void newton_system_stiffen(newton_system *system, double stiffness, double joint_stiffness);

static inline bool row_holds_both_ways(const row_state *r)
{
    return !r->idle && r->row->low == -HUGE_VAL && r->row->high == HUGE_VAL;
}

// Do all constraints hold both ways?
bool newton_system_is_linear(const newton_system *system);

// Rows that hold both ways begin without impulses.
void newton_system_forget_joints(newton_system *system);

// velocity <- L y, or L (base + y)
void newton_system_move(newton_system *system, const spatial *y);
void newton_system_move_from(newton_system *system, const spatial *base, const spatial *y);

// From here on rounds obey the convex law, with de Saxce's terms at the velocities as they are if the island asks for
// the exact one, or the exact law.
void newton_system_relax(newton_system *system, bool convex);

// The impulses become the anchors, and y(p) of them goes into `base`.
void newton_system_set_anchors(newton_system *system, spatial *base);
void newton_system_return_to_anchors(newton_system *system);

// Squared distance of the impulses from their anchors, in the metric of the proximal term.
double newton_system_anchor_distance(const newton_system *system);

// The largest speed that the impulse of a constraint would give it if it were alone.
double newton_system_impulse_speed(const newton_system *system);

// The sum of p^T B p over the constraints, as if each were alone.
double newton_system_impulse_sum(const newton_system *system);

// Trial points and impulses at velocities that count from the anchors', and y(p - p_k) into `pushed`.
void newton_system_project(newton_system *system, spatial *pushed);

// Impulses that follow from the anchors at the velocities if everything stays as the trial points have it: open, stuck
// or sliding, whatever the cones say.
void newton_system_predict(newton_system *system, spatial *pushed);

// Speeds of all constraints along the direction whose velocities stand in the system.
void newton_system_set_speeds(newton_system *system);

// - sum of (p - p_k) . speed at the trial points of a step of length `length` along that direction.
double newton_system_slope(const newton_system *system, double length);

// y(p) for the impulses as they are.
void newton_system_push(newton_system *system, spatial *pushed);

// The natural map at the impulses and velocities as they are, and the largest error of a constraint's speed, which says
// more where light bodies carry heavy ones: the impulse that is missing to hold a light body is small beside its load.
residual newton_system_residual(const newton_system *system, double *speed);

// The largest error of the speed of a row that holds both ways.
double newton_system_joint_speed(const newton_system *system);

// Projected Gauss-Seidel over all constraints, from velocities that follow from the impulses.
void newton_system_sweep(newton_system *system, int sweeps);

// The impulse of a row after one local step, between its bounds: the natural map.
double newton_system_step_row(const newton_system *system, const row_state *r);

// The sweep over one row; gives back the change of its impulse. And a change that is known already.
double newton_system_sweep_row(newton_system *system, row_state *r);
void newton_system_add_to_row(newton_system *system, row_state *r, double change);

// Adds J^T p of one row to the momentum.
void newton_system_push_row(newton_system *system, const joint_row *row, double impulse);

// The generalised Hessian I + L^T J^T (dP W^-1) J L at the trial points, not factored.
void newton_system_assemble(newton_system *system);

// Whether the Hessian is the same as when it was last assembled: nothing opened, closed, stuck or got loose since, and
// nothing slides, since then it turns with the direction.
bool newton_system_is_factored(const newton_system *system);

#endif
