#include "contact/pair_order.h"

#include <string.h>

#include "base/threads.h"

enum { BODY_BLOCK = 1024, RUN = 8, LEAST_PART = 4096, MOST_PARTS = 8 };

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

// A stable counting sort by first body. Threads take a part of the pairs each; the order is the same however many parts
// there are.
typedef struct pair_sort {
    const proxy_view *view;
    proxy_pair *pairs, *sorted;
    size_t count, parts;
    uint32_t *start;  // by body, one more: its first pair
    uint32_t *cursor; // by part and body: how many pairs, then where the next one goes; of the last part: `start` + 1
} pair_sort;

static bool take_sort(pair_sort *sort, int threads, arena *scratch)
{
    size_t parts = threads > 1 ? sort->count / LEAST_PART + 1 : 1,
           most = threads < MOST_PARTS ? (size_t)threads : MOST_PARTS;
    sort->parts = parts < most ? parts : most;
    sort->sorted = arena_array(scratch, proxy_pair, sort->count);
    sort->cursor = arena_array(scratch, uint32_t, sort->parts * sort->view->body_count + 1);
    sort->start = sort->cursor + (sort->parts - 1) * sort->view->body_count;
    return sort->sorted && sort->cursor;
}

static uint32_t *cursor_of(const pair_sort *sort, size_t part)
{
    return part + 1 == sort->parts ? sort->start + 1 : sort->cursor + part * sort->view->body_count;
}

static void turn_part(void *context, size_t part)
{
    const pair_sort *sort = context;
    uint32_t *cursor = cursor_of(sort, part);
    memset(cursor, 0, sort->view->body_count * sizeof *cursor);
    for (size_t i = sort->count * part / sort->parts; i < sort->count * (part + 1) / sort->parts; i++) {
        sort->pairs[i] = turned_as_wanted(sort->view, sort->pairs[i]);
        cursor[sort->view->proxies[sort->pairs[i].a].body]++;
    }
}

static void move_part(void *context, size_t part)
{
    const pair_sort *sort = context;
    uint32_t *cursor = cursor_of(sort, part);
    for (size_t i = sort->count * part / sort->parts; i < sort->count * (part + 1) / sort->parts; i++)
        sort->sorted[cursor[sort->view->proxies[sort->pairs[i].a].body]++] = sort->pairs[i];
}

static void place_parts(const pair_sort *sort)
{
    uint32_t sum = 0;
    for (size_t body = 0; body < sort->view->body_count; body++)
        for (size_t part = 0; part < sort->parts; part++) {
            uint32_t *cursor = &cursor_of(sort, part)[body], here = *cursor;
            *cursor = sum;
            sum += here;
        }
    sort->start[0] = 0;
}

static void sort_block(void *context, size_t block)
{
    const pair_sort *sort = context;
    const uint32_t *start = sort->start;
    for (size_t i = block * BODY_BLOCK; i < block_end(block, BODY_BLOCK, sort->view->body_count); i++)
        if (start[i + 1] > start[i])
            sort_pairs(sort->view, sort->sorted + start[i], start[i + 1] - start[i], sort->pairs + start[i]);
}

proxy_pair *order_pairs(const proxy_view *view, proxy_pair *pairs, size_t count, int threads, arena *scratch)
{
    pair_sort sort = {.view = view, .pairs = pairs, .count = count};
    if (!take_sort(&sort, threads, scratch))
        return NULL;
    for_blocks(threads, sort.parts, turn_part, &sort);
    place_parts(&sort);
    for_blocks(threads, sort.parts, move_part, &sort);
    for_blocks(threads, block_count(view->body_count, BODY_BLOCK), sort_block, &sort);
    return sort.sorted;
}
