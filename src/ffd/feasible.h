// The point of a polyhedron in six variables that is closest to a given one: the velocity of one body that its contacts
// allow, in coordinates in which the kinetic energy is half the square of the length.
//
// With rows j_k the answer is y = start + sum of j_k beta_k with the multipliers beta_k in [low_k, high_k], where
//     j_k.y = offset_k   while low_k < beta_k < high_k,   >= at low_k,   <= at high_k.
// [0, infinity) is a wall that only pushes, [-f, f] dry friction of the strength f.
//
// Every row gives way by softness_k |j_k|^2 beta_k, so that any set of rows has one answer, and one only: rows that
// repeat each other share the load, rows that contradict each other are broken as little as possible, the softer ones
// more. Softness is meant to be that small, 1e-8 or so of what a row does on its own,
// that it is of no other consequence.
#ifndef FFD_FEASIBLE_H
#define FFD_FEASIBLE_H

#include <stddef.h>
#include <stdint.h>

enum { FEASIBLE_SIZE = 6 };

typedef struct feasible_row {
    double direction[FEASIBLE_SIZE];
    double offset;
    double low, high;
    double softness;   // > 0
    double multiplier; // out

    // of the solver
    double speed, change;   // direction . y, . the step
    double give, stiffness; // softness |direction|^2, and its inverse
    uint8_t free;           // the multiplier is between its bounds
} feasible_row;

// Finds the point that is closest to `start`. y: a guess, or the start again; out: the point. Returns the number of
// steps taken, 0 when the start is feasible and the guess.
int feasible_project(feasible_row *rows, size_t count, const double start[FEASIBLE_SIZE], double y[FEASIBLE_SIZE]);

#endif
