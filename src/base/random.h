// splitmix64: a small generator whose streams are easy to re-make in any language.
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

typedef struct random_stream {
    uint64_t state; // the seed before the first draw
} random_stream;

static inline uint64_t random_bits(random_stream *stream)
{
    uint64_t z = (stream->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// Uniform in [0, 1).
static inline double random_unit(random_stream *stream)
{
    return (double)(random_bits(stream) >> 11) * 0x1p-53;
}

// Uniform in [low, high).
static inline double random_between(random_stream *stream, double low, double high)
{
    return low + (high - low) * random_unit(stream);
}

#endif
