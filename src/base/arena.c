#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/pages.h"

enum { ALIGNMENT = CACHE_LINE, SMALLEST_BLOCK = 1 << 16 };

struct arena_block {
    arena_block *older;
    size_t size; // of the data that follow this header, which takes ALIGNMENT bytes
};

static size_t round_up(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static arena_block *add_block(arena *from, size_t size)
{
    if (size > SIZE_MAX - 2 * ALIGNMENT)
        return NULL;
    arena_block *block = pages_take(ALIGNMENT + size);
    if (!block)
        return NULL;
    block->older = from->newest;
    block->size = size;
    from->newest = block;
    from->used = 0;
    from->held += size;
    return block;
}

void *arena_take(arena *from, size_t bytes)
{
    if (bytes > SIZE_MAX - 4 * ALIGNMENT)
        return NULL;
    size_t size = round_up(bytes ? bytes : 1);
    arena_block *block = from->newest;
    if (!block || block->size - from->used < size) {
        block = add_block(from, size > SMALLEST_BLOCK ? size : SMALLEST_BLOCK);
        if (!block)
            return NULL;
    }
    char *result = (char *)block + ALIGNMENT + from->used;
    from->used += size;
    from->taken += size;
    if (from->peak < from->taken)
        from->peak = from->taken;
    return result;
}

void *arena_take_array(arena *from, size_t count, size_t element_size)
{
    if (element_size && count > SIZE_MAX / element_size)
        return NULL;
    return arena_take(from, count * element_size);
}

arena_mark arena_get_mark(const arena *from)
{
    return (arena_mark){from->newest, from->used, from->taken};
}

void arena_release(arena *from, arena_mark mark)
{
    if (from->newest != mark.newest)
        return;
    from->used = mark.used;
    from->taken = mark.taken;
}

void arena_reset(arena *from)
{
    size_t peak = from->peak;
    if (from->newest && from->newest->older) {
        // A little more than was needed, so that slow growth does not split the arena at every step.
        size_t size = round_up(peak + peak / 64);
        arena_free(from);
        add_block(from, size); // when this fails the next arena_take tries again
    }
    from->peak = peak;
    from->used = 0;
    from->taken = 0;
}

void arena_free(arena *from)
{
    for (arena_block *block = from->newest; block;) {
        arena_block *older = block->older;
        free(block);
        block = older;
    }
    *from = (struct arena){0};
}
