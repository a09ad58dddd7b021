// The first device of this machine, with a folder for its programs that is removed again. Without one, tests are
// skipped.
#ifndef TESTS_DEVICE_LAB_H
#define TESTS_DEVICE_LAB_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "device/device.h"
#include "temporary.h"

static opencl driver;
static device_list devices;
static char cache[256];

// Programs are kept in a folder of the test's own, and so are the driver's.
static inline int open_driver(void **state)
{
    (void)state;
    if (!mkdtemp(temporary_template(cache, sizeof cache, "device")))
        return -1;
    setenv("POCL_CACHE_DIR", cache, 1);
    if (opencl_load(&driver, NULL) != SCREE_OK)
        return 0;
    return device_list_make(&devices, &driver, NULL) == SCREE_OK ? 0 : -1;
}

static inline int close_driver(void **state)
{
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", cache);
    array_free(&devices);
    return system(command);
}

static inline device open_first(uint64_t budget)
{
    if (devices.count == 0)
        skip();
    device opened;
    scree_error error;
    const device_def def = {&driver, &devices.data[0], 0, cache, budget};
    if (device_open(&opened, &def, &error) != SCREE_OK)
        fail_msg("%s", error.message);
    return opened;
}

#endif
