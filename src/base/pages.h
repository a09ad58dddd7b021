// Aligned memory, in large pages where there is much of it.
//
// A step goes through all of its arrays again and again, and the processor's table of small pages covers a few
// megabytes only. To ask for large ones is no more than a request, and of no effect on what is computed.
#ifndef BASE_PAGES_H
#define BASE_PAGES_H

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CACHE_LINE = 64, LARGE_PAGE = 1 << 21 };

// `size` is a multiple of CACHE_LINE. For free(); NULL when out of memory.
static inline void *pages_take(size_t size)
{
    if (size < 2 * (size_t)LARGE_PAGE)
        return aligned_alloc(CACHE_LINE, size);
    void *memory; // not by aligned_alloc, which may ask for a size of whole pages
    if (posix_memalign(&memory, LARGE_PAGE, size) != 0)
        return NULL;
#ifdef MADV_HUGEPAGE
    madvise(memory, size, MADV_HUGEPAGE);
#endif
    return memory;
}

// Bytes of memory that the machine has; infinite where it does not say. What is asked for beyond them is often granted
// and ends the program when it is written to.
static inline double pages_of_machine(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (double)pages * (double)size : (double)INFINITY;
}

#endif
