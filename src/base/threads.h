// How work is divided over threads: always into blocks whose bounds depend on the count of items alone, so that
// sums taken block by block have the same bits for any number of threads.
#ifndef BASE_THREADS_H
#define BASE_THREADS_H

#include <stdatomic.h>
#include <stddef.h>

#ifdef _OPENMP
#include <omp.h>
static inline int threads_available(void)
{
    return omp_get_num_procs();
}
static inline int thread_index(void)
{
    return omp_get_thread_num();
}
#else
static inline int threads_available(void)
{
    return 1;
}
static inline int thread_index(void)
{
    return 0;
}
#endif

// Number of blocks of `block` items that hold `count` items.
static inline size_t block_count(size_t count, size_t block)
{
    return (count + block - 1) / block;
}

static inline size_t block_end(size_t index, size_t block, size_t count)
{
    size_t end = (index + 1) * block;
    return end < count ? end : count;
}

typedef void block_task(void *context, size_t block);

// All blocks, by so many threads. One thread, or one block, goes without the half microsecond of a parallel region,
// which small worlds would notice.
static inline void for_blocks(int threads, size_t blocks, block_task *task, void *context)
{
    if (threads == 1 || blocks < 2) {
        for (size_t b = 0; b < blocks; b++)
            task(context, b);
        return;
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (size_t b = 0; b < blocks; b++)
        task(context, b);
}

typedef void range_task(void *context, size_t first, size_t end);

// All items, in ranges of `block` of them; one thread takes them all at once.
static inline void for_ranges(int threads, size_t count, size_t block, range_task *task, void *context)
{
    size_t blocks = block_count(count, block);
    if (threads == 1 || blocks < 2) {
        task(context, 0, count);
        return;
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (size_t b = 0; b < blocks; b++)
        task(context, b * block, block_end(b, block, count));
}

typedef double range_value(void *context, size_t first, size_t end);

// The largest value of a range, or zero.
static inline double largest_of_ranges(int threads, size_t count, size_t block, range_value *value, void *context)
{
    size_t blocks = block_count(count, block);
    double largest = 0;
    if (threads == 1 || blocks < 2)
        return count > 0 ? value(context, 0, count) : 0;
#pragma omp parallel for num_threads(threads) schedule(dynamic) reduction(max : largest)
    for (size_t b = 0; b < blocks; b++) {
        double here = value(context, b * block, block_end(b, block, count));
        largest = here > largest ? here : largest;
    }
    return largest;
}

// Tasks of several threads keep the least of what they find.
static inline void note_least(_Atomic size_t *least, size_t found)
{
    size_t before = atomic_load_explicit(least, memory_order_relaxed);
    while (found < before && !atomic_compare_exchange_weak(least, &before, found))
        ;
}

#endif
