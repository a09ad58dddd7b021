#include "bench/scene/detect_sum.h"

#include <string.h>

#include "base/hash.h"

bool detect_sum_count(void *user, int thread, const scree_detect_contact *contacts, size_t count)
{
    (void)contacts;
    ((detect_sum *)user)->by_thread[thread].count += count;
    return true;
}

// Numbers of a contact are single precision, so nothing is lost.
static uint64_t float_bits(double value)
{
    uint32_t bits;
    float single = (float)value + 0.0f; // -0 and +0 are the same
    memcpy(&bits, &single, sizeof bits);
    return bits;
}

static uint64_t contact_hash(const scree_detect_contact *c)
{
    uint64_t hash = hash_word(0, c->a << 32 | c->b);
    hash = hash_word(hash, float_bits(c->normal.x) << 32 | float_bits(c->normal.y));
    return hash_word(hash, float_bits(c->normal.z) << 32 | float_bits(c->gap));
}

bool detect_sum_checksum(void *user, int thread, const scree_detect_contact *contacts, size_t count)
{
    uint64_t checksum = 0;
    for (size_t i = 0; i < count; i++)
        checksum += contact_hash(&contacts[i]);
    ((detect_sum *)user)->by_thread[thread].checksum += checksum;
    return detect_sum_count(user, thread, contacts, count);
}

uint64_t detect_sum_contacts(const detect_sum *sum)
{
    uint64_t all = 0;
    for (int t = 0; t < DETECT_SUM_THREADS; t++)
        all += sum->by_thread[t].count;
    return all;
}

uint64_t detect_sum_of_all(const detect_sum *sum)
{
    uint64_t all = 0;
    for (int t = 0; t < DETECT_SUM_THREADS; t++)
        all += sum->by_thread[t].checksum;
    return all;
}
