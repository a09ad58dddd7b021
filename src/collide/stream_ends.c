// The two ends of a stream: an array as its source, and the consumers of contacts.
#include <string.h>

#include "base/hash.h"
#include "collide/stream.h"

static bool read_array(void *context, uint64_t first, size_t count, stream_sphere *out)
{
    const stream_sphere *spheres = context;
    memcpy(out, spheres + first, count * sizeof *out);
    return true;
}

stream_source stream_array(const stream_sphere *spheres, size_t count)
{
    return (stream_source){.read = read_array, .context = (void *)(uintptr_t)spheres, .count = count};
}

bool stream_count(void *sum, int thread, const contact *contacts, size_t count)
{
    (void)contacts;
    ((stream_sum *)sum)->by_thread[thread].count += count;
    return true;
}

static uint64_t float_bits(float value)
{
    uint32_t bits;
    value += 0.0f; // -0 and +0 are the same
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// As seen from the sphere with the smaller number.
static uint64_t contact_hash(const contact *c)
{
    bool turned = c->a > c->b;
    float sign = turned ? -1 : 1;
    uint64_t hash = hash_word(0, (uint64_t)(turned ? c->b : c->a) << 32 | (turned ? c->a : c->b));
    hash = hash_word(hash, float_bits(sign * c->normal.x) << 32 | float_bits(sign * c->normal.y));
    return hash_word(hash, float_bits(sign * c->normal.z) << 32 | float_bits(c->gap));
}

bool stream_checksum(void *sum, int thread, const contact *contacts, size_t count)
{
    uint64_t checksum = 0;
    for (size_t i = 0; i < count; i++)
        checksum += contact_hash(&contacts[i]);
    ((stream_sum *)sum)->by_thread[thread].checksum += checksum;
    return stream_count(sum, thread, contacts, count);
}

uint64_t stream_sum_count(const stream_sum *sum)
{
    uint64_t all = 0;
    for (int t = 0; t < STREAM_MOST_THREADS; t++)
        all += sum->by_thread[t].count;
    return all;
}

uint64_t stream_sum_checksum(const stream_sum *sum)
{
    uint64_t all = 0;
    for (int t = 0; t < STREAM_MOST_THREADS; t++)
        all += sum->by_thread[t].checksum;
    return all;
}

bool stream_write(void *file, int thread, const contact *contacts, size_t count)
{
    (void)thread;
    return fwrite(contacts, sizeof *contacts, count, file) == count; // stdio locks the file for each call
}
