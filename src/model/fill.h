// Fills: many bodies of one kind placed in a box without overlaps, on a lattice or at random.
#ifndef MODEL_FILL_H
#define MODEL_FILL_H

#include "scree/world.h"

typedef enum fill_pattern { FILL_LATTICE, FILL_RANDOM } fill_pattern;

// A number, or one drawn uniformly from [low, high) for each body.
typedef struct fill_range {
    double low, high;
} fill_range;

// Ways along x and y.
typedef struct fill_shifts {
    double (*data)[2];
    size_t count;
} fill_shifts;

// A shape whose sizes may be drawn per body. `shape` gives all that is not drawn (placement, material).
typedef struct fill_shape {
    scree_shape_def shape;
    fill_range radius;      // sphere, capsule, cylinder, cone
    fill_range half_length; // capsule, cylinder, cone
    fill_range half[3];     // box
    fill_range radii[3];    // ellipsoid
} fill_shape;

typedef struct fill_def {
    fill_pattern pattern;
    size_t count;
    scree_vec3 low, high; // corners of the box that holds every body wholly
    scree_vec3 spacing;   // lattice: size of a cell, each 0 for as small as the largest body, stretched to fill x and y
    fill_shifts shifts;   // lattice: of layer k, entry k modulo their number; none: not shifted
    double jitter;        // lattice: shift as a part of the free room round each body, in [0, 1]
    const fill_shape *shapes;
    size_t shape_count;
    int material;
    uint32_t group, mask; // as of a body
    bool fixed;           // never moved by forces or contacts; then at rest
    double mass;          // 0: from density
    scree_vec3 velocity;  // of every body
    fill_range speed;     // in a random direction on top of that, >= 0
    scree_vec3 spin;
    bool random_orientation; // uniform over all rotations; otherwise `orientation`
    scree_quat orientation;
    uint64_t seed;
} fill_def;

// Adds the bodies in one go, clear of one another and of everything already in the world. When they do not fit nothing
// is added and the message says how many did. The same definition in the same world gives the same bodies, bit for bit.
scree_status fill_world(scree_world *world, const fill_def *def, scree_error *error);

#endif
