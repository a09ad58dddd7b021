// Kernels of a program and their launches.
//
// A kernel is launched over groups of work-items and takes its arguments as a list: buffers by their memory, all else
// by value. Work-items beyond the work are the kernel's to leave idle.
#ifndef DEVICE_KERNEL_H
#define DEVICE_KERNEL_H

#include "device/buffer.h"
#include "device/program.h"

typedef struct device_argument {
    size_t size;
    const void *value;
} device_argument;

#define BY_VALUE(variable) ((device_argument){sizeof(variable), &(variable)})
#define BY_BUFFER(buffer)  ((device_argument){sizeof(cl_mem), &(buffer).memory})

typedef struct device_kernel {
    const char *name;
    cl_kernel kernel;
} device_kernel;

// Kernels by their names, which are set already; those made are to be freed whatever the status.
scree_status device_kernels_make(device *on, cl_program program, device_kernel *kernels, size_t count,
                                 scree_error *error);
void device_kernels_free(device *on, device_kernel *kernels, size_t count);

typedef struct device_launch {
    size_t groups, group_size;
    const device_argument *arguments;
    cl_uint count;
} device_launch;

// Puts a launch into the queue; no groups are no launch.
scree_status device_run(device *on, const device_kernel *kernel, const device_launch *launch, scree_error *error);

#endif
