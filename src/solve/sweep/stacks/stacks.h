// Stacks: the lanes of contacts in a tile where pairs of bodies touch at several points, as boxes do.
//
// A stack is up to sixteen pairs that share no movable body, in two sides of eight lanes, with the points of a pair
// above each other: level after level, groups with the same bodies in their lanes. A sweep loads the bodies once,
// relaxes level after level, and writes them back; two sides that know nothing of each other hide how long one
// relaxation takes until the next one may begin.
//
//     lanes     0 1 2 3 4 5 6 7   8 9 10 ...
//     level 0  [a b c d e f g h] [i j k       ]
//     level 1  [a b c d e f g h] [i j         ]      groups in memory: level 0 of both sides, level 1 of both ...
//     level 2  [a b c d e      ]
//     level 3  [a b            ]
//
// Lanes of a group that have no contact are empty ones as everywhere (problem.h).
#ifndef SOLVE_SWEEP_STACKS_STACKS_H
#define SOLVE_SWEEP_STACKS_STACKS_H

#include "solve/sweep/problem.h"
#include "solve/sweep/stacks/body_table.h"

typedef struct stack_source {
    const uint32_t (*ends)[2]; // of the tile's contacts, those of a pair one after the other
    const uint8_t *immovable;  // by body
} stack_source;

// Whether pairs of the tile have several points often enough.
bool stacks_pay(const stack_source *from, const problem_tile *tile);

// Sets the lanes of the tile's contacts, how many groups and stacks they take, and lists the bodies; returns how many.
// There is room for as many stacks as the tile has contacts.
uint32_t stacks_place(const stack_source *from, problem_tile *tile, body_table *table, uint16_t *lane,
                      problem_stack *stacks, uint32_t *bodies);

#endif
