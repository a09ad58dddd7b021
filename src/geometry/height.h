// Height fields: ground over a rectangle of equal cells, two triangles to a cell, solid below.
//
//     d ----- c      Triangle 2 k of cell k is a, b, c; triangle 2 k + 1 is a, c, d: counter-clockwise from above, the
//     |  1  / |      diagonal from the corner of least x and y. Cells count along x first. Half edges as in mesh.h:
//     |   /   |      3 t + e runs from corner e of triangle t to the next.
//     | /  0  |
//     a ----- b
//
// The box of the geometry reaches as far below the lowest sample as the rectangle is wide, so that detection finds what
// has got under the surface; its ball is about the surface alone.
#ifndef GEOMETRY_HEIGHT_H
#define GEOMETRY_HEIGHT_H

#include "geometry/geometry.h"
#include "geometry/mesh.h"

typedef struct height_geometry {
    size_t columns, rows;   // of samples
    double width, depth;    // of the rectangle, about the origin
    double step_x, step_y;  // of the cells
    double shift;           // internal z = height - shift
    double lowest, highest; // sample, internal
    float *heights;         // [rows][columns], as the user gave them
} height_geometry;

static inline vec3 height_sample(const height_geometry *field, size_t column, size_t row)
{
    return vec3_make((double)column * field->step_x - 0.5 * field->width,
                     (double)row * field->step_y - 0.5 * field->depth,
                     (double)field->heights[row * field->columns + column] - field->shift);
}

static inline void height_corners(const height_geometry *field, uint32_t triangle, vec3 corners[3])
{
    size_t cell = triangle / 2, across = field->columns - 1;
    size_t column = cell % across, row = cell / across;
    corners[0] = height_sample(field, column, row);
    if (triangle % 2 == 0) {
        corners[1] = height_sample(field, column + 1, row);
        corners[2] = height_sample(field, column + 1, row + 1);
    } else {
        corners[1] = height_sample(field, column + 1, row + 1);
        corners[2] = height_sample(field, column, row + 1);
    }
}

// The half edge on the other side; MESH_NO_EDGE on the rim.
uint32_t height_opposite(const height_geometry *field, uint32_t edge);

// Cells that a range of x and y touches, from first to last; false when there are none.
typedef struct height_cells {
    size_t first_column, last_column, first_row, last_row;
} height_cells;

bool height_cells_in(const height_geometry *field, vec3 low, vec3 high, height_cells *cells);

// The triangle over or under a point; MESH_NO_EDGE beside the rectangle.
uint32_t height_triangle_at(const height_geometry *field, double x, double y);

#endif
