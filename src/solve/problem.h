// The contact problem of one step as plain arrays: bodies, contact rows, and the order in which they may be relaxed.
//
// Find impulses g in the product of friction cones that minimise 1/2 g^T N g + r^T g with N = D^T M^-1 D (never
// formed): equations (4)-(8) of Negrut et al. 2010 with the convex relaxation of (6). Velocities v = M^-1 (D g + k) are
// kept beside the impulses, so that one relaxation of a contact reads and writes two bodies only.
//
// Layout. Eight contacts that share no movable body make a group, groups make tiles of neighbouring contacts, and tiles
// stand in a fixed order. Two tiles that share a movable body are neighbours, and run in that order; all others may
// run at the same time:
//
//     tiles:  [group group group] [group group] [group group group] ...
//               colour 0 first: no two of them are neighbours  |  then colour 1  |  ...
//
// The order depends on the contacts alone, so results have the same bits for any number of threads. A group is an array
// of structures of eight lanes: 72 bytes a contact in single precision, and no tangent directions are stored, since
// impulses and velocities are split into their normal part and the rest in world axes.
#ifndef SOLVE_PROBLEM_H
#define SOLVE_PROBLEM_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "scree/world.h"
#include "solve/rows.h"

enum { PROBLEM_LANES = 8 };

// What the kernels are specialised for.
typedef enum problem_kind {
    PROBLEM_PLAIN,
    PROBLEM_ROUND, // every body has three equal moments of inertia: its inverse fits beside the velocities
    PROBLEM_RICH,  // some contact has compliance, rolling or spinning friction
    PROBLEM_KINDS, // how many
} problem_kind;

// In the arrays of bodies:  vx vy vz 1/m  wx wy wz -  Ixx Iyy Izz Ixy Ixz Iyz - -   (inverse inertia, world axes), or
// vx vy vz 1/m  wx wy wz 1/I  in round problems. The first 8 reals are all that solving changes.
enum { PROBLEM_BODY_REALS = 16, PROBLEM_ROUND_REALS = 8, PROBLEM_VELOCITY_REALS = 8 };

#define PROBLEM_GROUP(real)                                                                                            \
    struct {                                                                                                           \
        uint32_t a[PROBLEM_LANES], b[PROBLEM_LANES]; /* bodies; empty lanes name the resting body at the end */        \
        real normal[3][PROBLEM_LANES];               /* from a towards b */                                            \
        real arm_a[3][PROBLEM_LANES], arm_b[3][PROBLEM_LANES];                                                         \
        real bias[PROBLEM_LANES];            /* wanted: normal velocity + bias >= 0 */                                 \
        real friction[PROBLEM_LANES];        /* mu */                                                                  \
        real inverse_normal[PROBLEM_LANES];  /* 1 / N_nn of the contact's own block */                                 \
        real inverse_tangent[PROBLEM_LANES]; /* 1 / largest eigenvalue of its tangential block */                      \
        real impulse[3][PROBLEM_LANES];      /* on b, world axes */                                                    \
    }

// What contacts of rich problems have besides.
#define PROBLEM_EXTRA(real)                                                                                            \
    struct {                                                                                                           \
        real compliance[PROBLEM_LANES], rolling[PROBLEM_LANES], spinning[PROBLEM_LANES];                               \
        real inverse_rolling[PROBLEM_LANES];  /* 1 / largest eigenvalue of the tangential angular block */             \
        real inverse_spinning[PROBLEM_LANES]; /* 1 / its normal element */                                             \
        real angular[3][PROBLEM_LANES];       /* impulse on b, world axes */                                           \
    }

typedef PROBLEM_EXTRA(float) problem_extra_f32;
typedef PROBLEM_EXTRA(double) problem_extra_f64;

typedef PROBLEM_GROUP(float) problem_group_f32;
typedef PROBLEM_GROUP(double) problem_group_f64;
_Static_assert(offsetof(problem_group_f64, b) == PROBLEM_LANES * sizeof(uint32_t), "the ends of a group are one array");

typedef struct problem_tile {
    uint32_t first_group, group_count;
} problem_tile;

typedef struct tile_residual { // sums over a tile, combined in the order of tiles
    double error_sum, error_max;
    double impulse_sum; // over contacts with an impulse
    size_t loaded;      // how many those are
} tile_residual;

typedef struct tile_result {
    _Atomic uint32_t passes; // taken in the run at hand
    double change;           // largest squared change of an impulse in the last pass
    double turn;             // how far momentum carried the wrong way in the last pass (kernels.h)
    tile_residual residual;
} tile_result;

typedef struct contact_problem {
    scree_precision precision;
    problem_kind kind;
    double coupling;   // of friction: 1 for the convex law, 0 for Coulomb's
    size_t body_count; // `bodies` holds one more, the resting body of empty lanes
    void *bodies;      // float or double [body_count + 1][as many as the kind has]

    size_t contact_count;
    size_t group_count;
    void *groups;           // problem_group_f32 or _f64
    void *extras;           // by group: problem_extra_f32 or _f64; NULL but in rich problems
    uint32_t *contact_lane; // [contact_count]: group * 8 + lane

    size_t tile_count;
    problem_tile *tiles;
    uint32_t *neighbour_start; // [tile_count + 1] into neighbours
    uint32_t *neighbours;      // tiles that share a movable body with a tile
    tile_result *results;      // [tile_count]: what kernels say of each tile

    struct articulation *joints; // relaxed after every sweep; NULL when there are none
} contact_problem;

typedef struct problem_ends { // the two bodies of each contact, wherever the caller keeps them
    const uint32_t *a, *b;    // of the first contact
    size_t stride;            // bytes from one contact to the next
} problem_ends;

// Decides tiles, their order and lanes for contacts between bodies (`immovable` by body) and takes all arrays from
// `scratch`. Bodies and rows are then set by the functions below, from any threads, each body and each contact once,
// bodies first.
scree_status problem_lay_out(contact_problem *problem, scree_precision precision, size_t body_count,
                             const uint8_t *immovable, const problem_ends *ends, size_t contact_count, int threads,
                             arena *scratch, scree_error *error);
scree_status problem_lay_out_kind(contact_problem *problem, scree_precision precision, problem_kind kind,
                                  size_t body_count, const uint8_t *immovable, const problem_ends *ends,
                                  size_t contact_count, int threads, arena *scratch, scree_error *error);
void problem_set_body(contact_problem *problem, size_t body, const problem_body *values);
void problem_set_contact(contact_problem *problem, size_t contact, const problem_row *row);

// Adds the effect of the rows' impulses to the velocities, v = M^-1 (D g + k), or that of other impulses in the order
// of lanes (problem_impulse_size bytes a group) when they are given.
void problem_apply_impulses(contact_problem *problem, const void *impulses, int threads);

void problem_set_velocity(contact_problem *problem, size_t body, vec3 velocity, vec3 spin);
void problem_set_impulse(contact_problem *problem, size_t contact, vec3 impulse);

void problem_get_velocity(const contact_problem *problem, size_t body, vec3 *velocity, vec3 *spin);
vec3 problem_get_impulse(const contact_problem *problem, size_t contact);
vec3 problem_get_angular_impulse(const contact_problem *problem, size_t contact);

size_t problem_real_size(const contact_problem *problem);   // bytes
size_t problem_body_stride(const contact_problem *problem); // bytes from one body to the next

// Bytes of the impulses of a group: 3 reals a lane, or 6 with the angular ones of rich problems.
size_t problem_impulse_size(const contact_problem *problem);

// The bodies of a group's lanes: eight a, then eight b.
const uint32_t *problem_group_ends(const contact_problem *problem, size_t group);

#endif
