// Four pairs of boxes at a time: separating axes, and the points of two faces that meet. No knowledge of worlds.
//
// Everything is double: a pebble on a floor a thousand times its size has a gap that is exact to its own size, and no
// pair needs a second look. The functions are compiled per instruction set from kernels/box.c.
#ifndef COLLIDE_NARROW_BOX_LANES_H
#define COLLIDE_NARROW_BOX_LANES_H

#include <stdint.h>

enum { BOX_LANES = 4 };

// A pair of boxes in numbers; [0] is the first box, [1] the second. A pair's numbers stand side by side, as they come
// from memory; the kernel turns them into lanes.
typedef struct box_lane {
    double orientation[2][4]; // unit quaternions: w, x, y, z
    double half[2][4];        // half edges; the last of the first box is the margin: gaps up to it are contacts
    double between[4];        // from the first centre to the second; the last is not used
} box_lane;

enum { BOX_MARGIN = 3 };

// The box_separation (narrow_boxes.h) of one pair, and the values that it was found from.
typedef struct box_separations {
    double axes[2][3][3][BOX_LANES];  // [box][axis][component]: in the world
    double rotation[3][3][BOX_LANES]; // [i][j]: axis i of the first . axis j of the second
    double shift[2][3][BOX_LANES];    // from the first centre to the second, axes of the first and of the second
    double widest[BOX_LANES], preferred[BOX_LANES];
    double axis[BOX_LANES];  // of the preferred separation: a whole number
    double scale[BOX_LANES]; // as box_pair_scale
    unsigned near;           // bit per lane: no axis separates by more than the margin
} box_separations;

// Two faces: the reference and the incident one. Rows of three are along u and v, the axes of the reference face, and
// w, its outward normal.
typedef struct box_faces {
    double half[3][BOX_LANES];     // of the reference box
    double slack[BOX_LANES];       // how far outside the reference face a corner may stand and still belong to it
    double axes[3][3][BOX_LANES];  // [axis][component]: u, v and w in the world
    double origin[3][BOX_LANES];   // of the reference box's centre in the world, from where arms are wanted
    double center[3][BOX_LANES];   // of the incident face
    double edges[2][3][BOX_LANES]; // half edges of the incident face
    double margin[BOX_LANES];
} box_faces;

// The incident face cut by the sides of the reference face has at most eight corners. Each has one of twelve slots, by
// which it is known from step to step.
//
//   0..3   where edge i of the incident face, going round, begins or comes in
//   4..7   where edge i goes out
//   8..11  corners of the reference face
//
// Slots are chosen with the slack, so that faces with common edges keep their points from step to step; the points
// themselves lie within the reference face.
enum { BOX_SLOTS = 12 };

typedef struct box_face_points {
    float arm[BOX_SLOTS][3][BOX_LANES]; // midway between the two surfaces, world axes
    float gap[BOX_SLOTS][BOX_LANES];
    int64_t slots[BOX_LANES];   // bit per slot: there is a point, and its gap is at most the margin
    double smallest[BOX_LANES]; // gap of all corners, whatever the margin; infinity when there are none
} box_face_points;

typedef struct box_kernels {
    void (*separate)(const box_lane lanes[BOX_LANES], box_separations *separations);
    void (*meet)(const box_faces *faces, box_face_points *points);
} box_kernels;

// The widest build that this machine runs. All builds give the same bits.
const box_kernels *box_kernels_here(void);

extern const box_kernels box_kernels_baseline, box_kernels_avx2;

#endif
