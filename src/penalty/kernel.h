// The wide loops of the penalty method: spheres that are listed as near each other, and contact points of all other
// shapes, eight at a time. Compiled for each instruction set from kernels/penalty*.c; here are the data and the table
// that picks.
//
// A particle is one sphere of one body, in one cache line.
#ifndef PENALTY_KERNEL_H
#define PENALTY_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct particle {
    double center[3];
    double radius;
    float velocity[3]; // of the sphere's centre
    float inverse_mass;
    float spin[3];
    uint32_t material;
} particle;

// Sums over the contacts of a particle or a body, about its centre.
typedef struct contact_load {
    float force[3];
    float stiffness; // sum, for the step that is stable
    float torque[3];
    float damping; // sum, for the step that is stable
} contact_load;

// The law of two materials. With the reduced mass m and radius R of two bodies and the overlap d:
//
//     linear   k = stiffness[0] + stiffness[1] m                    c = damping[0] + damping[1] m + damping[2] sqrt(m)
//     Hertz    k = stiffness[0] sqrt(R d), pushing with 2/3 k d     c = damping[2] sqrt(k m)
//
// and across the normal k_t = tangential[0] k, c_t = tangential[1] c; Hertz: c_t = damping[2] sqrt(k_t m).
typedef struct law_row {
    float stiffness[2];
    float damping[3];
    float tangential[2];
    float friction;
    float cohesion;
    float rolling, spinning;
    float spare[5];
} law_row;

// What a touching contact remembers: the tangential spring, by which b was moved against a, with the contact's
// stiffness when it was last loaded; angles of the rolling spring and of the spinning one.
typedef struct contact_history {
    float spring[3];
    float stiffness;
    float rolled[3];
    float spun;
} contact_history;

typedef struct law_table {
    const law_row *rows; // by material of a times `materials` plus material of b
    uint32_t materials;
    bool hertz;
    bool resists_rolling; // any rolling or spinning friction
    float step;
} law_table;

enum { PARTICLE_BLOCK = 1024 }; // at least; whole groups

// Particles that follow their bodies.
typedef struct place_job {
    const uint32_t *active, *body;  // particles, and the slots of their bodies
    const uint8_t *centered_sphere; // by slot: one sphere in the centre
    const double (*position)[3], (*velocity)[3], (*spin)[3];
    const double (*orientation)[4]; // w, x, y, z
    const double (*local)[4];       // by particle: place in the body's frame; NULL when all bodies are centered spheres
    particle *particles;
    float (*arms)[4]; // by particle: from the body's centre to the sphere's; of centered spheres not set
    contact_load *loads;
} place_job;

// Loads of particles, summed about the centre of their body.
typedef struct sum_job {
    const uint32_t *active;
    const float (*arms)[4];
    const contact_load *loads;
} sum_job;

typedef struct particle_sum {
    double force[3], stiffness;
    double torque[3], damping;
} particle_sum;

// Pairs of near spheres. A block is the pairs whose a is one of a range of particles: what pairs do to their a is added
// up at once, what they do to their b stands in a row of its own, and rows are gathered after all blocks. So every
// particle takes its pairs in the order of ids, whatever their order in the list is.
typedef struct pair_job {
    law_table laws;
    const particle *particles;
    contact_load *loads;       // by particle
    const uint32_t *a, *b;     // by pair, with room for eight more
    const uint32_t *row_of;    // by pair
    contact_load *rows;        // on b; 0 where a pair does not touch
    int32_t *touches;          // by pair: -1 or 0, with room for eight more
    float (*spring)[4];        // by pair: spring and stiffness of the history
    float (*rolled)[4];        // by pair: rolled and spun; NULL when no law resists rolling
    const size_t *block_first; // by block, one more: its pairs
} pair_job;

// The rows of a particle follow those of the active one before.
typedef struct gather_job {
    const uint32_t *active;
    const uint32_t *row_end; // by particle
    const contact_load *rows;
    contact_load *loads;
} gather_job;

// Eight contact points in the order of components: what is known of them, and what the law gives.
enum { POINT_LANES = 8 };
typedef struct point_lanes {
    float normal[3][POINT_LANES]; // from a to b
    float depth[POINT_LANES];
    float velocity[3][POINT_LANES];  // of b against a, at the point
    float spin[3][POINT_LANES];      // of b against a
    float inverse_mass[POINT_LANES]; // of both together
    float radius[POINT_LANES];       // reduced
    uint32_t law[POINT_LANES];       // row
    float spring[3][POINT_LANES], history_stiffness[POINT_LANES];
    float rolled[3][POINT_LANES], spun[POINT_LANES];
    float force[3][POINT_LANES], torque[3][POINT_LANES]; // on b
    float stiffness[POINT_LANES], damping[POINT_LANES];
} point_lanes;

// Two groups of spheres, each in the axes of its own body: a point q of the second is at turn q + between in the first.
typedef struct group_job {
    const float *x, *y, *z, *radius; // by proxy, with room for eight more
    uint32_t first[2], count[2];
    float rotation[3][3], between[3];
    float center[2][3], half[2][3]; // boxes around the groups, widened by the margin
    float margin;
} group_job;

// Eight pairs of rounded boxes, in the order of components.
enum { BOX_LANES = 8 };
typedef struct box_lanes {
    float orientation[2][4][BOX_LANES]; // w, x, y, z of the bodies
    float between[3][BOX_LANES];        // from the centre of the first box to that of the second
    float half[2][3][BOX_LANES];
    float round[BOX_LANES];          // sum of the radii by which the boxes are widened
    float rotation[3][3][BOX_LANES]; // out: from the axes of the second to those of the first
    float seen[3][BOX_LANES];        // out: `between` in the axes of the first
    float gap[BOX_LANES];            // out: they are at least so far apart; negative when no axis parts them
} box_lanes;

// Spheres on straight paths: by sphere, with room for eight more. Those without radius meet nothing.
typedef struct path_job {
    const float *at[3], *step[3];
    float *reach;
    size_t count;
    float steps;
} path_job;

typedef struct penalty_kernels {
    void (*pairs)(const pair_job *job, size_t block);
    void (*gather)(const gather_job *job, size_t first, size_t end); // rows of active particles, into their loads
    void (*points)(const law_table *laws, point_lanes *lanes);
    // Which spheres of two groups are within the margin; rising; room for eight more. Returns how many.
    size_t (*groups)(const group_job *job, uint32_t *found_a, uint32_t *found_b);
    // Which spheres meet a given one within so many steps; room for all and eight more. Returns how many.
    size_t (*paths)(const path_job *job, size_t which, uint32_t *found);
    void (*boxes)(box_lanes *lanes);
    void (*place)(const place_job *job, size_t first, size_t end); // of the active ones; their loads become zero
    void (*sum)(const sum_job *job, size_t first, size_t end, particle_sum *sum); // over the active ones of one body
} penalty_kernels;

const penalty_kernels *penalty_kernels_here(void);

extern const penalty_kernels penalty_kernels_f32_baseline, penalty_kernels_f32_avx2;

#endif
