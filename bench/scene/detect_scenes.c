// Generators of the collections. The k-th draw of a splitmix64 stream follows from k, so any sphere can be made alone.
#include "bench/scene/detect_scenes.h"

#include <math.h>

#include "base/random.h"

enum { RANDOM_SEED = 42, MOVED_SEED = 43, DENSE_SEED = 44, RATIO_SEED = 45 };

const char *const detect_scene_names[DETECT_SCENES] = {"random", "moved", "dense", "shuffled", "ratio", "uniform"};

// The stream of a seed after so many draws.
static random_stream stream_at(uint64_t seed, uint64_t draws)
{
    return (random_stream){seed + draws * 0x9e3779b97f4a7c15u};
}

detect_source detect_source_make(detect_scene scene, uint64_t count)
{
    detect_source source = {.scene = scene, .count = count};
    double n = (double)count;
    source.across = (uint64_t)ceil(cbrt(n) - 1e-9);
    double sphere_volume = 4.0 / 3.0 * 3.14159265358979323846;
    // Mean of the cube of radii that are uniform in their logarithm from 1 to 1000.
    double mean_cube = (1e9 - 1) / (3 * log(1e3));
    switch (scene) {
    case DETECT_DENSE:
    case DETECT_SHUFFLED:
        source.width = 0.998 * (double)source.across;
        break;
    case DETECT_RATIO:
        source.width = cbrt(n * sphere_volume * mean_cube / 0.3);
        break;
    case DETECT_UNIFORM:
        source.width = cbrt(n * sphere_volume / 0.3);
        break;
    default:
        source.width = cbrt(n / 1.25e-7);
    }
    return source;
}

static scene_sphere random_sphere(const detect_source *source, uint64_t number)
{
    random_stream draw = stream_at(RANDOM_SEED, 4 * number), move = stream_at(MOVED_SEED, 3 * number);
    scene_sphere sphere = {.x = source->width * random_unit(&draw)};
    sphere.y = source->width * random_unit(&draw);
    sphere.z = source->width * random_unit(&draw);
    sphere.radius = 101 * (1 - random_unit(&draw));
    if (source->scene == DETECT_MOVED) {
        sphere.x += 2 * random_unit(&move) - 1;
        sphere.y += 2 * random_unit(&move) - 1;
        sphere.z += 2 * random_unit(&move) - 1;
    }
    return sphere;
}

// A permutation of 0 .. count - 1: an invertible scramble of the next power of two, walked until it falls inside.
static uint64_t shuffled_number(uint64_t number, uint64_t count)
{
    int bits = 1;
    while (count >> bits)
        bits++;
    uint64_t mask = ((uint64_t)1 << bits) - 1;
    do {
        for (int round = 0; round < 3; round++) {
            number = (number * 0x9e3779b97f4a7c15u + DENSE_SEED) & mask;
            number ^= number >> (bits / 2 + 1);
        }
    } while (number >= count);
    return number;
}

static scene_sphere lattice_sphere(const detect_source *source, uint64_t number)
{
    if (source->scene == DETECT_SHUFFLED)
        number = shuffled_number(number, source->count);
    uint64_t n = source->across;
    random_stream draw = stream_at(DENSE_SEED, 3 * number);
    double a = 0.998;
    scene_sphere sphere = {.radius = 0.5};
    sphere.x = a * ((double)(number % n) + 0.5) + 0.0005 * (2 * random_unit(&draw) - 1);
    sphere.y = a * ((double)(number / n % n) + 0.5) + 0.0005 * (2 * random_unit(&draw) - 1);
    sphere.z = a * ((double)(number / (n * n)) + 0.5) + 0.0005 * (2 * random_unit(&draw) - 1);
    return sphere;
}

static scene_sphere ratio_sphere(const detect_source *source, uint64_t number)
{
    random_stream draw = stream_at(RATIO_SEED, 4 * number);
    scene_sphere sphere = {.x = source->width * random_unit(&draw)};
    sphere.y = source->width * random_unit(&draw);
    sphere.z = source->width * random_unit(&draw);
    sphere.radius = source->scene == DETECT_RATIO ? exp(log(1e3) * random_unit(&draw)) : 1;
    return sphere;
}

scene_sphere detect_sphere(const detect_source *source, uint64_t number)
{
    switch (source->scene) {
    case DETECT_DENSE:
    case DETECT_SHUFFLED:
        return lattice_sphere(source, number);
    case DETECT_RATIO:
    case DETECT_UNIFORM:
        return ratio_sphere(source, number);
    default:
        return random_sphere(source, number);
    }
}
