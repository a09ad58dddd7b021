#include "device/device.h"

#include "base/error.h"

scree_status device_fail(const device *on, const char *tried, cl_int status, scree_error *error)
{
    scree_status kind = status == CL_OUT_OF_HOST_MEMORY ? SCREE_ERROR_NO_MEMORY : SCREE_ERROR_IO;
    return fail(error, kind, "device %zu (%s): %s: %s", on->number, on->info.name, tried, opencl_status_name(status));
}

scree_status device_open(device *opened, const device_def *def, scree_error *error)
{
    *opened = (device){.api = def->api, .info = *def->info, .number = def->number, .cache = def->cache};
    opened->budget = def->budget ? def->budget : opened->info.memory_bytes / 5 * 4;
    const char *shortcoming = device_shortcoming(&opened->info);
    if (shortcoming)
        return fail(error, SCREE_ERROR_INVALID, "device %zu (%s) cannot have the bits of the CPU: %s", def->number,
                    opened->info.name, shortcoming);
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)opened->info.platform, 0};
    cl_int status;
    opened->context = def->api->clCreateContext(properties, 1, &opened->info.id, NULL, NULL, &status);
    if (status != CL_SUCCESS) {
        opened->context = NULL;
        return device_fail(opened, "it does not open", status, error);
    }
    opened->queue = def->api->clCreateCommandQueue(opened->context, opened->info.id, 0, &status);
    if (status != CL_SUCCESS) {
        opened->queue = NULL;
        device_close(opened);
        return device_fail(opened, "it makes no queue", status, error);
    }
    return SCREE_OK;
}

void device_close(device *opened)
{
    if (opened->queue)
        opened->api->clReleaseCommandQueue(opened->queue);
    if (opened->context)
        opened->api->clReleaseContext(opened->context);
    opened->queue = NULL;
    opened->context = NULL;
}
