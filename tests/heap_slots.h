// The near heap of mixed_heap.h under any method: its bits depend neither on the slots that bodies have in memory nor
// on bodies that were there and are gone.
#ifndef TESTS_HEAP_SLOTS_H
#define TESTS_HEAP_SLOTS_H

#include "mixed_heap.h"
#include "shuffle.h"

static inline void heap_assert_slots_do_not_matter(const scree_world_def *def, bool rich, int steps)
{
    scree_world *steady = heap_create(def, rich), *shuffled = heap_create(def, rich);
    lab_step(steady, steps);
    step_shuffled(shuffled, steps, 3);
    assert_at_least((double)scree_world_figures(steady).touching, HEAP_BODIES / 2);
    assert_true(scree_world_hash(steady) == scree_world_hash(shuffled));
    scree_world_destroy(steady);
    scree_world_destroy(shuffled);
}

static inline void heap_assert_the_gone_do_not_matter(const scree_world_def *def, int steps)
{
    scree_world *alone = heap_create(def, true), *with_guests = heap_create(def, true);
    heap_assert_guests_leave_no_trace(alone, with_guests, steps);
    scree_world_destroy(alone);
    scree_world_destroy(with_guests);
}

#endif
