// A sink that keeps all contacts, and comparing what two detections gave.
#ifndef DETECT_SUPPORT_H
#define DETECT_SUPPORT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/vec.h"
#include "scree/detect.h"

typedef struct kept_contacts {
    ARRAY(scree_detect_contact) list;
    scree_detect_result result;
} kept_contacts;

static inline bool keep_contacts(void *user, int thread, const scree_detect_contact *contacts, size_t count)
{
    kept_contacts *kept = user;
    bool done;
    (void)thread;
#pragma omp critical
    {
        done = array_reserve(&kept->list, kept->list.count + count);
        if (done)
            memcpy(kept->list.data + kept->list.count, contacts, count * sizeof *contacts);
        kept->list.count += count;
    }
    return done;
}

static inline scree_detector *new_detector(int threads, uint64_t memory, double margin, scree_detect_order order)
{
    scree_detect_def def = scree_default_detect_def();
    def.threads = threads;
    def.memory_bytes = memory;
    def.margin = margin;
    def.order = order;
    scree_detector *detector;
    scree_error error = {0};
    assert_int_equal(scree_detector_create(&def, &detector, &error), SCREE_OK);
    return detector;
}

static inline uint64_t contact_hash(uint64_t hash, const scree_detect_contact *c)
{
    hash = hash_word(hash_word(hash, c->a), c->b);
    const double values[7] = {c->point.x, c->point.y, c->point.z, c->normal.x, c->normal.y, c->normal.z, c->gap};
    for (int i = 0; i < 7; i++)
        hash = hash_double(hash, values[i]);
    return hash;
}

// Of contacts in their order.
static inline uint64_t hash_in_order(const kept_contacts *kept)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < kept->list.count; i++)
        hash = contact_hash(hash, &kept->list.data[i]);
    return hash;
}

// In whatever order.
static inline uint64_t hash_of_set(const kept_contacts *kept)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < kept->list.count; i++)
        hash += contact_hash(0, &kept->list.data[i]);
    return hash;
}

static inline void assert_same_counts(const scree_detect_result *a, const scree_detect_result *b)
{
    assert_true(a->bodies == b->bodies && a->pairs == b->pairs && a->contacts == b->contacts);
    assert_true(a->overlapping == b->overlapping && a->deepest == b->deepest);
    assert_true(a->deepest_a == b->deepest_a && a->deepest_b == b->deepest_b);
}

// What the result says of the contacts, counted again. Points of a pair stand side by side in order.
static inline void check_result(const kept_contacts *kept, double margin)
{
    uint64_t pairs = 0, overlapping = 0;
    double deepest = 0;
    for (size_t i = 0; i < kept->list.count; i++) {
        const scree_detect_contact *c = &kept->list.data[i];
        assert_true(c->a < c->b && c->gap <= margin && fabs(vec3_length(c->normal) - 1) < 1e-5);
        pairs += i == 0 || c->a != c[-1].a || c->b != c[-1].b;
        overlapping += c->gap < 0;
        deepest = fmax(deepest, -c->gap);
    }
    assert_int_equal(kept->result.contacts, kept->list.count);
    assert_int_equal(kept->result.pairs, pairs);
    assert_int_equal(kept->result.overlapping, overlapping);
    assert_true(kept->result.deepest == deepest);
}

#endif
