// What every test file needs of cmocka, and comparisons of doubles that print both values when they differ.
#ifndef PHYSICS_CHECK_H
#define PHYSICS_CHECK_H

// cmocka.h wants these four before it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail // the library has a function of that name

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "scree/types.h"

// Sanitizers slow everything down by five to fifty: the long tests then run with fewer bodies or steps.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CHECK_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define CHECK_SANITIZED 1
#endif
#endif
#ifndef CHECK_SANITIZED
#define CHECK_SANITIZED 0
#endif

// math.h has these as float, which -Wdouble-promotion refuses where a double is wanted.
#define CHECK_NAN      ((double)NAN)
#define CHECK_INFINITY ((double)INFINITY)

// |actual - expected| <= tolerance; a NaN fails.
#define assert_near(actual, expected, tolerance)                                                                       \
    check_near((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)

// |actual - expected| <= tolerance |expected|
#define assert_relative(actual, expected, tolerance)                                                                   \
    check_near((actual), (expected), (tolerance)*fabs(expected), #actual, __FILE__, __LINE__)

// value <= bound; a NaN fails.
#define assert_at_most(value, bound)  check_at_most((value), (bound), #value, __FILE__, __LINE__)
#define assert_at_least(value, bound) check_at_most(-(value), -(bound), "-(" #value ")", __FILE__, __LINE__)

// Each component within the tolerance.
#define assert_vec3_near(actual, expected, tolerance)                                                                  \
    check_vec3_near((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)

static inline void check_near(double actual, double expected, double tolerance, const char *what, const char *file,
                              int line)
{
    if (fabs(actual - expected) <= tolerance)
        return;
    print_error("%s = %.17g, expected %.17g within %.3g (off by %.3g)\n", what, actual, expected, tolerance,
                actual - expected);
    _fail(file, line);
}

static inline void check_at_most(double value, double bound, const char *what, const char *file, int line)
{
    if (value <= bound)
        return;
    print_error("%s = %.17g, must be at most %.17g\n", what, value, bound);
    _fail(file, line);
}

static inline void check_vec3_near(scree_vec3 actual, scree_vec3 expected, double tolerance, const char *what,
                                   const char *file, int line)
{
    if (fabs(actual.x - expected.x) <= tolerance && fabs(actual.y - expected.y) <= tolerance &&
        fabs(actual.z - expected.z) <= tolerance)
        return;
    print_error("%s = (%.17g, %.17g, %.17g), expected (%.17g, %.17g, %.17g) within %.3g\n", what, actual.x, actual.y,
                actual.z, expected.x, expected.y, expected.z, tolerance);
    _fail(file, line);
}

#endif
