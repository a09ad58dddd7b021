#include "contact/pair_order.h"

#include <string.h>

#include "base/threads.h"

enum { BODY_BLOCK = 1024, RUN = 8 };

static proxy_pair turned_as_wanted(const proxy_view *view, proxy_pair pair)
{
    const proxy *a = &view->proxies[pair.a], *b = &view->proxies[pair.b];
    bool first = a->type != b->type ? a->type < b->type : body_is_before(view, a->body, b->body);
    return first ? pair : (proxy_pair){pair.b, pair.a};
}

// Among pairs with the same first body.
static bool is_before(const proxy_view *view, proxy_pair x, proxy_pair y)
{
    uint32_t of_x = view->proxies[x.b].body, of_y = view->proxies[y.b].body;
    if (of_x != of_y)
        return view->ids[of_x] < view->ids[of_y];
    return x.a != y.a ? x.a < y.a : x.b < y.b;
}

static void insert_all(const proxy_view *view, proxy_pair *pairs, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        proxy_pair pair = pairs[i];
        size_t k = i;
        for (; k > 0 && is_before(view, pair, pairs[k - 1]); k--)
            pairs[k] = pairs[k - 1];
        pairs[k] = pair;
    }
}

// Short runs by insertion, which are then merged; a floor may have pairs with every body. `other` has room for as many.
static void sort_pairs(const proxy_view *view, proxy_pair *pairs, size_t count, proxy_pair *other)
{
    for (size_t i = 0; i < count; i += RUN)
        insert_all(view, pairs + i, count - i < RUN ? count - i : RUN);
    for (size_t run = RUN; run < count; run *= 2)
        for (size_t begin = 0; begin + run < count; begin += 2 * run) {
            size_t end = begin + 2 * run < count ? begin + 2 * run : count, right = begin + run, left = 0, to = begin;
            memcpy(other, pairs + begin, run * sizeof *pairs);
            while (left < run && right < end)
                pairs[to++] = is_before(view, pairs[right], other[left]) ? pairs[right++] : other[left++];
            memcpy(pairs + to, other + left, (run - left) * sizeof *pairs);
        }
}

proxy_pair *order_pairs(const proxy_view *view, proxy_pair *pairs, size_t count, int threads, arena *scratch)
{
    proxy_pair *sorted = arena_array(scratch, proxy_pair, count);
    uint32_t *start = arena_array(scratch, uint32_t, view->body_count + 2);
    if (!sorted || !start)
        return NULL;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t i = 0; i < count; i++)
        pairs[i] = turned_as_wanted(view, pairs[i]);
    memset(start, 0, (view->body_count + 2) * sizeof *start);
    for (size_t i = 0; i < count; i++)
        start[view->proxies[pairs[i].a].body + 2]++;
    for (size_t i = 2; i < view->body_count + 2; i++)
        start[i] += start[i - 1];
    for (size_t i = 0; i < count; i++)
        sorted[start[view->proxies[pairs[i].a].body + 1]++] = pairs[i];
    size_t blocks = block_count(view->body_count, BODY_BLOCK);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (size_t b = 0; b < blocks; b++)
        for (size_t i = b * BODY_BLOCK; i < block_end(b, BODY_BLOCK, view->body_count); i++)
            if (start[i + 1] > start[i])
                sort_pairs(view, sorted + start[i], start[i + 1] - start[i], pairs + start[i]);
    return sorted;
}
