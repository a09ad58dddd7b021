// An opened OpenCL device: its context, its queue, and calls that say in words what went wrong.
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include "device/list.h"

typedef struct device {
    const opencl *api;
    device_info info;
    size_t number; // in the list of devices
    cl_context context;
    cl_command_queue queue;
    const char *cache;     // folder of built programs, NULL for none
    uint64_t budget, used; // bytes of buffers: at most, and now
    uint64_t moved;        // bytes read and written so far
} device;

typedef struct device_def {
    const opencl *api;
    const device_info *info;
    size_t number;
    const char *cache; // stays the caller's
    uint64_t budget;   // bytes of buffers, 0 for four fifths of the memory of the device
} device_def;

// Opens a device that has no shortcoming (device_shortcoming).
scree_status device_open(device *opened, const device_def *def, scree_error *error);
void device_close(device *opened);

// Fails with the device's number and name, what was tried, and the status by name.
scree_status device_fail(const device *on, const char *tried, cl_int status, scree_error *error);

#endif
