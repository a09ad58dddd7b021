#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/pages.h"

enum { ALIGNMENT = CACHE_LINE, SMALLEST_BLOCK = 1 << 16, QUIET_RESETS = 64 };

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
    if (from->recent < from->taken)
        from->recent = from->taken;
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

// One block instead of all; a little more than `bytes`, so that slow growth does not split the arena at every step.
static void replace_blocks(arena *from, size_t bytes)
{
    arena_free(from);
    add_block(from, round_up(bytes + bytes / 64)); // when this fails the next arena_take tries again
    from->peak = bytes;
}

// Whether a look at the last resets shows that a sixteenth of what is held has not been needed for long.
static bool is_too_large(arena *from)
{
    if (++from->quiet < QUIET_RESETS)
        return false;
    bool found = from->held > SMALLEST_BLOCK && from->recent + from->recent / 64 < from->held - from->held / 16;
    from->quiet = 0;
    from->peak = from->recent;
    from->recent = 0;
    return found;
}

void arena_rewind(arena *from)
{
    if (from->newest && from->newest->older)
        replace_blocks(from, from->peak);
    from->used = 0;
    from->taken = 0;
}

void arena_reset(arena *from)
{
    if (is_too_large(from))
        replace_blocks(from, from->peak);
    arena_rewind(from);
}

void arena_reset_all(arena *all, int count)
{
    size_t peak = 0, recent = 0;
    int quiet = 0;
    for (int i = 0; i < count; i++) {
        peak = all[i].peak > peak ? all[i].peak : peak;
        recent = all[i].recent > recent ? all[i].recent : recent;
        quiet = all[i].quiet > quiet ? all[i].quiet : quiet;
    }
    for (int i = 0; i < count; i++) {
        all[i].peak = peak;
        all[i].recent = recent;
        all[i].quiet = quiet;
        arena_reset(&all[i]);
        if (all[i].held < all[i].peak)
            replace_blocks(&all[i], all[i].peak);
    }
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
