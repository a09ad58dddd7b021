// Scratch memory of a step: taken in pieces, given back all at once.
//
// An arena is a list of blocks. Taking more than the blocks hold adds one; the next reset replaces them by a single
// block of the whole size, so that from the second step on a steady simulation does not call malloc. When many resets
// in a row needed much less than is held, as after an impact, the arena shrinks to what they needed.
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

typedef struct arena_block arena_block;

typedef struct arena {
    arena_block *newest; // NULL when the arena holds nothing
    size_t used;         // of the newest block
    size_t held;         // bytes of all blocks
    size_t peak;         // most that was taken between two resets, since the arena last shrank
    size_t taken;        // since the last reset
    size_t recent;       // most that was taken between two of the last `quiet` resets
    int quiet;           // resets since the need for memory was last looked at
} arena;

// 64-byte aligned, not initialised; NULL when out of memory. Zero bytes give a valid pointer.
void *arena_take(arena *from, size_t bytes);

#define arena_array(from, T, n) ((T *)arena_take_array((from), (n), sizeof(T)))
void *arena_take_array(arena *from, size_t count, size_t element_size);

// A mark in an arena: releasing it gives back the memory taken since, unless blocks were added: then that waits for the
// next reset.
typedef struct arena_mark {
    arena_block *newest;
    size_t used, taken;
} arena_mark;

arena_mark arena_get_mark(const arena *from);
void arena_release(arena *from, arena_mark mark);

void arena_reset(arena *from);

// Gives everything back between two pieces of work of one step, which may need more or less: not a reset that counts
// for shrinking.
void arena_rewind(arena *from);

// Resets the arenas of threads that share work. Each then holds what the neediest one needed, since any of them may get
// the largest piece of work in the next step.
void arena_reset_all(arena *all, int count);

void arena_free(arena *from);

#endif
