// Programs for a device: built from sources that are part of the executable, and kept as binaries in a cache.
//
// A kept binary is found by what it was made of: source, options, device, driver and version. One that is damaged,
// foreign or refused by the driver is deleted, and the program built from its source.
#ifndef DEVICE_PROGRAM_H
#define DEVICE_PROGRAM_H

#include "device/device.h"

typedef struct device_source {
    const char *name; // of the file, for messages
    const unsigned char *text;
    size_t size;
} device_source;

// The sources that are embedded. Includes are expanded, with #line where a file begins.
extern const unsigned char kernel_arithmetic[];
extern const size_t kernel_arithmetic_size;
extern const unsigned char kernel_sort[];
extern const size_t kernel_sort_size;

// Options that every program has: the bits of the CPU depend on them.
#define DEVICE_OPTIONS "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt -w"

// A program that does not compile fails with file, line and the compiler's first error.
scree_status device_program_build(cl_program *program, const device *on, const device_source *source,
                                  scree_error *error);

#endif
