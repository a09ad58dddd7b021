// The contact problem of one step as plain arrays: bodies, contact rows, and the order in which they may be relaxed.
//
// Find impulses g in the product of friction cones that minimise 1/2 g^T N g + r^T g with N = D^T M^-1 D (never
// formed): equations (4)-(8) of Negrut et al. 2010 with the convex relaxation of (6). Velocities v = M^-1 (D g + k) are
// kept beside the impulses, so that one relaxation of a contact reads and writes two bodies only.
//
// Layout. Eight contacts that share no movable body make a group, groups make tiles of neighbouring contacts, and tiles
// stand in the order of cells (cells.h). Two tiles that share a movable body are neighbours, and run in that order; all
// others may run at the same time:
//
//     tiles:  [group group group] [group group] [group group group] ...
//              cells of even x, by the parities of y and z  |  cells of odd x  |  the next band ...
//
// The order depends on the state of the bodies alone, so results have the same bits for any number of threads. Groups
// are structures of eight lanes, rows apart from impulses: 60 + 12 bytes a contact in single precision, 36 + 12 between
// balls. Each tile has the kind of its most general contact. No tangent directions are stored, since impulses and
// velocities are split into their normal part and the rest in world axes.
#ifndef SOLVE_SWEEP_PROBLEM_H
#define SOLVE_SWEEP_PROBLEM_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/cells.h"
#include "base/interrupt.h"
#include "base/vec.h"
#include "scree/world.h"
#include "solve/rows.h"

enum { PROBLEM_LANES = 8 };

// Kernels are specialised for these kinds of contacts; each can do what those before it can.
typedef enum problem_kind {
    PROBLEM_CENTERED_SPHERES, // isotropic, and the arms of movable bodies are along the normals; immovable bodies do
                              // not spin. In double precision it is laid out as isotropic: arms have digits there that
                              // normals have not
    PROBLEM_ISOTROPIC, // both bodies have three equal moments of inertia: their inverse fits beside the velocities
    PROBLEM_GENERAL_INERTIA,  // any moments of inertia
    PROBLEM_EXTENDED_CONTACT, // with compliance, rolling or spinning friction
    PROBLEM_KINDS,            // how many
} problem_kind;

// A body is  vx vy vz 1/m  wx wy wz 1/I,  the last where its moments of inertia are equal, else 0; and apart from that,
// in problems with contacts of other kinds than these two, the inverse inertia in world axes:
//     xx yy zz xy xz yz - -
enum { PROBLEM_BODY_REALS = 8 };

#define PROBLEM_GROUP(real)                                                                                            \
    struct {                                                                                                           \
        uint32_t a[PROBLEM_LANES], b[PROBLEM_LANES]; /* where bodies begin, in reals; empty lanes: the resting one */  \
        real normal[3][PROBLEM_LANES];               /* from a towards b */                                            \
        real bias[PROBLEM_LANES];                    /* wanted: normal velocity + bias >= 0 */                         \
        real friction[PROBLEM_LANES];                /* mu */                                                          \
        real arm_a[3][PROBLEM_LANES], arm_b[3][PROBLEM_LANES];                                                         \
        real inverse_normal[PROBLEM_LANES];  /* 1 / N_nn of the contact's own block */                                 \
        real inverse_tangent[PROBLEM_LANES]; /* 1 / largest eigenvalue of its tangential block */                      \
    }

// Between balls: arms are along the normal, and the block's diagonal follows from them and the bodies.
typedef struct problem_sphere_group {
    uint32_t a[PROBLEM_LANES], b[PROBLEM_LANES];
    float normal[3][PROBLEM_LANES];
    float bias[PROBLEM_LANES];
    float friction[PROBLEM_LANES];
    float arm_a[PROBLEM_LANES], arm_b[PROBLEM_LANES]; // arm of a over the normal, of b over its opposite
} problem_sphere_group;

// Extended contacts have besides:
#define PROBLEM_EXTRA(real)                                                                                            \
    struct {                                                                                                           \
        real compliance[PROBLEM_LANES], rolling[PROBLEM_LANES], spinning[PROBLEM_LANES];                               \
        real inverse_rolling[PROBLEM_LANES];  /* 1 / largest eigenvalue of the tangential angular block */             \
        real inverse_spinning[PROBLEM_LANES]; /* 1 / its normal element */                                             \
    }

typedef PROBLEM_EXTRA(float) problem_extra_f32;
typedef PROBLEM_EXTRA(double) problem_extra_f64;

typedef PROBLEM_GROUP(float) problem_group_f32;
typedef PROBLEM_GROUP(double) problem_group_f64;
_Static_assert(offsetof(problem_group_f64, b) == PROBLEM_LANES * sizeof(uint32_t), "the ends of a group are one array");

typedef struct problem_stack { // groups with the same bodies in their lanes (stacks/stacks.h)
    uint8_t levels[2];         // of its sides; 0: it has one side
} problem_stack;

typedef struct problem_tile {
    uint32_t first_contact, contact_count;
    uint32_t first_group, group_count;
    uint32_t first_stack, stack_count; // that its groups make; none where pairs touch at one point
    size_t rows, extras;               // bytes before its groups, and before what extended ones have besides
    size_t impulses;                   // reals before its impulses
    problem_kind kind;
    uint16_t across; // which part of the problem comes before it across the bands, of CELLS_WHOLE
} problem_tile;

typedef struct tile_residual { // sums over a tile, combined in the order of tiles
    double error_sum, error_max;
    double impulse_sum; // over contacts with an impulse
    size_t loaded;      // how many those are
} tile_residual;

typedef struct impulse_work { // of impulses x
    double now;               // x . (N x + r)
    double unpushed;          // x . r
} impulse_work;

typedef struct tile_result {
    _Atomic uint32_t passes; // taken in the run at hand
    double change;           // largest squared change of an impulse in the last pass
    double reversal;         // how far momentum carried the wrong way in the last pass (kernels.h)
    double moved;            // how far impulses stepped in the last pass (kernels.h)
    double load, sliding;    // impulses after it, and those of contacts that slide (kernels.h)
    tile_residual residual;
    impulse_work work;
} tile_result;

enum { MOST_WAVE_PASSES = 8 }; // more gain nothing

// Runs of tiles, for taking several passes over a problem at once (tiles.c).
typedef struct tile_bands {
    uint32_t *first; // [count + 1]: tile
    uint32_t count;
    uint32_t lag;                    // neighbours are at most so many bands apart
    uint32_t wave;                   // passes that run through the bands together, at most MOST_WAVE_PASSES
    uint32_t first_block, end_block; // the bands of all tiles that share a movable body with a block (blocks.h)
} tile_bands;

typedef struct contact_problem {
    scree_precision precision;
    unsigned kinds;           // a bit for each kind that some tile has
    double friction_dilation; // of friction: 1 for the convex law, 0 for Coulomb's
    bool carries_heavy;       // bodies that are far heavier than others: the convex law's impulses are a start (apgs.c)
    size_t body_count;        // arrays hold one more, the resting body of empty lanes
    void *velocities;         // float or double [body_count + 1][PROBLEM_BODY_REALS]
    void *inertia;            // the same; NULL when all kinds are isotropic or centered spheres

    size_t contact_count;
    size_t group_count;
    void *groups;   // by tile: problem_group_f32 or _f64, or problem_sphere_group
    void *extras;   // by tile: problem_extra_f32 or _f64; of extended ones alone
    void *impulses; // by group: on b, world axes, [3][8] reals, or [6][8] with the angular ones of extended contacts
    size_t row_bytes, extra_bytes, impulse_reals; // of the three arrays
    uint16_t *contact_lane;                       // [contact_count]: group * 8 + lane, within the tile

    size_t tile_count;
    problem_tile *tiles;
    problem_stack *stacks;
    uint32_t *neighbour_start;     // [tile_count + 1] into neighbours
    uint32_t *neighbours;          // tiles that share a movable body with a tile
    uint32_t *first_body, *bodies; // by tile, one more: where the bodies begin that it is the first to touch
    uint32_t movable_count;        // of `bodies`: those that no tile touches come last
    tile_result *results;          // [tile_count]: what kernels say of each tile
    tile_bands bands;

    bool has_unlike_masses; // impulses are scaled (impulse_scale.h), and a modest accuracy is enough (stopping.c)

    const interrupt *interrupt; // ends iterations early; NULL: nothing does

    struct articulation *joints; // relaxed after every sweep; NULL when there are none
    struct wide_bodies *wide;    // blocks of wide bodies, relaxed after every sweep: contacts that no tile has; or NULL
} contact_problem;

typedef struct contact_ends {
    uint32_t a, b;
    problem_kind kind;
} contact_ends;

typedef struct problem_spec {
    scree_precision precision;
    size_t body_count;
    const uint8_t *immovable; // by body
    size_t contact_count;     // in the order in which they are to be relaxed
    contact_ends (*ends)(const void *context, size_t contact);
    const void *context;
    const cell_list *cells; // of the contacts; NULL: they are cut into runs as they come
    void *velocities;       // room for those of the problem; NULL: it is taken from scratch memory as well
} problem_spec;

// Decides tiles, their order and lanes for contacts between bodies and takes all arrays from `scratch`. Bodies and rows
// are then set by the functions below, from any threads, each body and each contact once, bodies first.
scree_status problem_lay_out(contact_problem *problem, const problem_spec *spec, int threads, arena *scratch,
                             scree_error *error);
void problem_set_body(contact_problem *problem, size_t body, const problem_body *values);
void problem_set_contact(contact_problem *problem, size_t contact, const problem_row *row);

// The same for all contacts, whose rows are made one after the other by a function.
typedef void problem_row_function(const void *context, size_t contact, problem_row *row);
void problem_set_contacts(contact_problem *problem, problem_row_function *row, const void *context, int threads);

// Adds the effect of the rows' impulses to the velocities, v = M^-1 (D g + k), or that of other impulses in the order
// of lanes when they are given.
void problem_apply_impulses(contact_problem *problem, const void *impulses, int threads);

// The opposite, for the rows' impulses: velocities as they were before.
void problem_take_off_impulses(contact_problem *problem, int threads);

void problem_set_velocity(contact_problem *problem, size_t body, vec3 velocity, vec3 spin);
void problem_set_impulse(contact_problem *problem, size_t contact, vec3 impulse);

void problem_get_velocity(const contact_problem *problem, size_t body, vec3 *velocity, vec3 *spin);
void velocities_get(scree_precision precision, const void *velocities, size_t body, vec3 *velocity, vec3 *spin);
vec3 problem_get_impulse(const contact_problem *problem, size_t contact);
vec3 problem_get_angular_impulse(const contact_problem *problem, size_t contact);

// Hands the impulses of all contacts to a function.
typedef void problem_impulse_function(void *context, size_t contact, vec3 impulse, vec3 angular_impulse);
void problem_get_impulses(const contact_problem *problem, problem_impulse_function *take, void *context, int threads);

size_t problem_real_size(const contact_problem *problem);       // bytes
size_t problem_velocities_size(const contact_problem *problem); // bytes of all of them
size_t velocities_size(scree_precision precision, size_t body_count);
size_t problem_impulses_size(const contact_problem *problem); // bytes of all of them
size_t problem_contact_bytes(const contact_problem *problem); // that sweeps with momentum go through per contact

// Bytes of a group of some kind, and of what extended ones have besides; reals of a group's impulses.
size_t problem_group_size(const contact_problem *problem, problem_kind kind);
size_t problem_extra_size(const contact_problem *problem);
size_t problem_impulse_reals(problem_kind kind);

// The tile of a contact.
size_t problem_tile_of(const contact_problem *problem, size_t contact);

// The bodies of the lanes of a tile's group: eight a, then eight b.
void problem_get_ends(const contact_problem *problem, const problem_tile *tile, size_t group_in_tile,
                      uint32_t ends[2 * PROBLEM_LANES]);

#endif
