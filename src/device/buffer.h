// Memory on a device: buffers that grow by half and never shrink, within a budget that is asked before the driver is.
//
// A driver may hand out more than the device has (PoCL does), so that making a buffer proves nothing. What a buffer
// held is lost when it grows.
#ifndef DEVICE_BUFFER_H
#define DEVICE_BUFFER_H

#include "device/device.h"

typedef struct device_buffer {
    const char *name; // for messages
    cl_mem memory;
    size_t bytes;
} device_buffer;

// SCREE_ERROR_NO_MEMORY where the budget or the largest buffer of the device does not allow it; the buffer is empty
// then.
scree_status device_buffer_reserve(device *on, device_buffer *buffer, size_t bytes, scree_error *error);
void device_buffer_free(device *on, device_buffer *buffer);

// Bytes from the beginning of the buffer, which must have them; both return when they have been copied.
scree_status device_write(device *on, const device_buffer *to, const void *from, size_t bytes, scree_error *error);
scree_status device_read(device *on, const device_buffer *from, void *to, size_t bytes, scree_error *error);

#endif
