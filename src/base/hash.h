// 64-bit hashing of words: for cell keys and for state fingerprints. Not cryptographic.
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdint.h>
#include <string.h>

// Mixes one word into a running hash (the multiply-rotate of the murmur family).
static inline uint64_t hash_word(uint64_t hash, uint64_t word)
{
    hash ^= word * 0x9fb21c651e98df25u;
    hash = (hash << 29) | (hash >> 35);
    hash *= 0xa0761d6478bd642fu;
    return hash ^ (hash >> 32);
}

// -0 and +0 are equal values, so they hash alike.
static inline uint64_t hash_double(uint64_t hash, double value)
{
    uint64_t word;
    value += 0.0;
    memcpy(&word, &value, sizeof word);
    return hash_word(hash, word);
}

// Spreads the last words over all bits, so that hashes may be added up (the finaliser of splitmix64).
static inline uint64_t hash_end(uint64_t hash)
{
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
    return hash ^ (hash >> 31);
}

#endif
