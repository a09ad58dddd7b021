// Whether a device rounds as the CPU does: not by its word, but by trying.
#ifndef DEVICE_ARITHMETIC_H
#define DEVICE_ARITHMETIC_H

#include "device/device.h"

// Runs every operation that kernels use over some 4,000 hard cases. `differs` gets the first operation of which a bit
// differs from the CPU's, or NULL.
scree_status device_check_arithmetic(const device *on, const char **differs, scree_error *error);

// Opens a device, tries its arithmetic and closes it again. SCREE_OK means bits as on the CPU; else the message says
// why not.
scree_status device_verify(const device_def *def, scree_error *error);

#endif
