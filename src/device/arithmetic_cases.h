// The operations that kernels are made of, once for the host and once for the device: what both must round alike.
//
// Each takes three numbers that stand for hard cases, and gives one result an operation. The names are for messages.
#ifndef DEVICE_ARITHMETIC_CASES_H
#define DEVICE_ARITHMETIC_CASES_H

#ifdef __OPENCL_C_VERSION__
#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define sqrtf     sqrt
#define floorf    floor
#define copysignf copysign
#endif

#include "base/elementary.h"

#define SINGLE_OPERATIONS 10
#define DOUBLE_OPERATIONS 13

#ifndef __OPENCL_C_VERSION__
static const char *const single_operations[SINGLE_OPERATIONS] = {
    "x + y", "x - y", "x y", "x / y", "sqrt x", "x y + z", "1 / x", "floor x", "copysign", "double to float"};
static const char *const double_operations[DOUBLE_OPERATIONS] = {
    "x + y",           "x - y",   "x y",       "x / y", "sqrt x", "x y + z",    "floor x",
    "float to double", "to long", "from long", "sine",  "cosine", "arc tangent"};
#endif

static inline void single_results(float x, float y, float z, float result[SINGLE_OPERATIONS])
{
    result[0] = x + y;
    result[1] = x - y;
    result[2] = x * y;
    result[3] = x / y;
    result[4] = sqrtf(x);
    result[5] = x * y + z;
    result[6] = 1.0f / x;
    result[7] = floorf(x);
    result[8] = copysignf(x, y);
    result[9] = (float)((double)x * (double)y + (double)z);
}

// Conversions to integers are asked of numbers that have one.
static inline void double_results(double x, double y, double z, double result[DOUBLE_OPERATIONS])
{
    double whole = x > -1e12 && x < 1e12 ? x : 3, turn = x > -1e5 && x < 1e5 ? x : 1;
    result[0] = x + y;
    result[1] = x - y;
    result[2] = x * y;
    result[3] = x / y;
    result[4] = sqrt(x);
    result[5] = x * y + z;
    result[6] = floor(x);
    result[7] = (double)(float)y;
    result[8] = (double)(long)whole;
    result[9] = (double)((long)whole * 1048583);
    sin_cos(turn, &result[10], &result[11]);
    result[12] = arc_tangent(y, x);
}

#endif
