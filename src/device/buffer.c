#include "device/buffer.h"

#include "base/error.h"

static const double megabyte = 1e6;

static bool fits(const device *on, const device_buffer *buffer, size_t bytes)
{
    uint64_t others = on->used - buffer->bytes;
    return bytes <= on->info.largest_buffer && others <= on->budget && bytes <= on->budget - others;
}

scree_status device_buffer_reserve(device *on, device_buffer *buffer, size_t bytes, scree_error *error)
{
    if (bytes <= buffer->bytes)
        return SCREE_OK;
    size_t more = buffer->bytes + buffer->bytes / 2;
    size_t wanted = more > bytes && fits(on, buffer, more) ? more : bytes;
    if (!fits(on, buffer, wanted))
        return fail(
            error, SCREE_ERROR_NO_MEMORY,
            "device %zu (%s): %.3g MB for %s are too many: %.3g of %.3g MB are in use, and a buffer may have %.3g",
            on->number, on->info.name, (double)wanted / megabyte, buffer->name, (double)on->used / megabyte,
            (double)on->budget / megabyte, (double)on->info.largest_buffer / megabyte);
    device_buffer_free(on, buffer);
    cl_int status;
    buffer->memory = on->api->clCreateBuffer(on->context, CL_MEM_READ_WRITE, wanted, NULL, &status);
    if (status != CL_SUCCESS) {
        buffer->memory = NULL;
        return device_fail(on, buffer->name, status, error);
    }
    buffer->bytes = wanted;
    on->used += wanted;
    return SCREE_OK;
}

void device_buffer_free(device *on, device_buffer *buffer)
{
    if (buffer->memory)
        on->api->clReleaseMemObject(buffer->memory);
    on->used -= buffer->bytes;
    buffer->memory = NULL;
    buffer->bytes = 0;
}

scree_status device_write(device *on, const device_buffer *to, const void *from, size_t bytes, scree_error *error)
{
    if (bytes == 0)
        return SCREE_OK;
    cl_int status = on->api->clEnqueueWriteBuffer(on->queue, to->memory, CL_TRUE, 0, bytes, from, 0, NULL, NULL);
    on->moved += bytes;
    return status == CL_SUCCESS ? SCREE_OK : device_fail(on, to->name, status, error);
}

scree_status device_read(device *on, const device_buffer *from, void *to, size_t bytes, scree_error *error)
{
    if (bytes == 0)
        return SCREE_OK;
    cl_int status = on->api->clEnqueueReadBuffer(on->queue, from->memory, CL_TRUE, 0, bytes, to, 0, NULL, NULL);
    on->moved += bytes;
    return status == CL_SUCCESS ? SCREE_OK : device_fail(on, from->name, status, error);
}
