// Sinks of detection: number and checksum of contacts. The checksum depends on neither their order nor on the threads.
#ifndef BENCH_SCENE_DETECT_SUM_H
#define BENCH_SCENE_DETECT_SUM_H

#include "scree/detect.h"

enum { DETECT_SUM_THREADS = 256 };

typedef struct detect_sum { // starts as all zero
    struct {
        uint64_t count, checksum;
        char apart[48]; // no two threads write to one line of the cache
    } by_thread[DETECT_SUM_THREADS];
} detect_sum;

// With a detect_sum as `user`. The first one touches nothing but the number of contacts.
bool detect_sum_count(void *user, int thread, const scree_detect_contact *contacts, size_t count);
bool detect_sum_checksum(void *user, int thread, const scree_detect_contact *contacts, size_t count);

uint64_t detect_sum_contacts(const detect_sum *sum);
uint64_t detect_sum_of_all(const detect_sum *sum);

#endif
