// The OpenCL devices of this machine: what each is called and can do.
//
// Devices are numbered in the order in which platforms and their devices are found, which is what `--device N` means.
#ifndef DEVICE_LIST_H
#define DEVICE_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "device/api.h"

typedef struct device_info {
    cl_platform_id platform;
    cl_device_id id;
    char name[128], driver[64], platform_name[64];
    uint64_t memory_bytes, largest_buffer, local_bytes;
    size_t work_group; // work-items at most
    bool is_gpu;
    bool has_double;    // arithmetic in double precision
    bool has_denormals; // of single precision
    bool divides_right; // division and square root of single precision can be asked to round correctly
    bool compiles;      // the driver has a compiler
} device_info;

typedef ARRAY(device_info) device_list;

// No platform and no device is no error: the list is empty then.
scree_status device_list_make(device_list *list, const opencl *api, scree_error *error);

// A reason, by the device's own word, why it cannot have the bits of the CPU; NULL where there is none. Whether it
// keeps its word is for device_check_arithmetic to find out.
const char *device_shortcoming(const device_info *info);

#endif
