#include "device/list.h"

#include <string.h>

#include "base/error.h"

enum { MOST_PLATFORMS = 16, MOST_DEVICES = 64, DEVICE_NOT_FOUND_KHR = -1001 };

// Drivers end strings themselves, but for those that are longer than the room.
static bool read_string(const opencl *api, cl_device_id id, cl_device_info what, char *to, size_t room)
{
    char text[1024] = "";
    if (api->clGetDeviceInfo(id, what, sizeof text - 1, text, NULL) != CL_SUCCESS)
        return false;
    const char *first = text + strspn(text, " ");
    size_t length = strlen(first);
    length = length < room ? length : room - 1;
    memcpy(to, first, length);
    to[length] = 0;
    return true;
}

static bool read_number(const opencl *api, cl_device_id id, cl_device_info what, void *to, size_t size)
{
    return api->clGetDeviceInfo(id, what, size, to, NULL) == CL_SUCCESS;
}

static bool read_arithmetic(const opencl *api, device_info *info)
{
    cl_device_fp_config single = 0, twice = 0;
    bool done = read_number(api, info->id, CL_DEVICE_SINGLE_FP_CONFIG, &single, sizeof single);
    // Devices of OpenCL 1.1 may not know the question.
    if (!read_number(api, info->id, CL_DEVICE_DOUBLE_FP_CONFIG, &twice, sizeof twice))
        twice = 0;
    info->has_double = (twice & CL_FP_FMA) && (twice & CL_FP_DENORM);
    info->has_denormals = single & CL_FP_DENORM;
    info->divides_right = single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
    return done;
}

static bool read_device(const opencl *api, device_info *info)
{
    cl_ulong memory = 0, largest = 0, local_memory = 0;
    cl_device_type type = 0;
    cl_bool compiler = CL_FALSE;
    cl_device_id id = info->id;
    bool done = read_string(api, id, CL_DEVICE_NAME, info->name, sizeof info->name) &&
                read_string(api, id, CL_DRIVER_VERSION, info->driver, sizeof info->driver) &&
                read_number(api, id, CL_DEVICE_GLOBAL_MEM_SIZE, &memory, sizeof memory) &&
                read_number(api, id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, &largest, sizeof largest) &&
                read_number(api, id, CL_DEVICE_LOCAL_MEM_SIZE, &local_memory, sizeof local_memory) &&
                read_number(api, id, CL_DEVICE_MAX_WORK_GROUP_SIZE, &info->work_group, sizeof info->work_group) &&
                read_number(api, id, CL_DEVICE_TYPE, &type, sizeof type) &&
                read_number(api, id, CL_DEVICE_COMPILER_AVAILABLE, &compiler, sizeof compiler) &&
                read_arithmetic(api, info);
    info->memory_bytes = memory;
    info->largest_buffer = largest;
    info->local_bytes = local_memory;
    info->is_gpu = type & CL_DEVICE_TYPE_GPU;
    info->compiles = compiler;
    return done;
}

static scree_status add_devices(device_list *list, const opencl *api, cl_platform_id platform, scree_error *error)
{
    cl_device_id ids[MOST_DEVICES];
    cl_uint count = 0;
    char name[64] = "";
    cl_int status = api->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MOST_DEVICES, ids, &count);
    if (status == CL_DEVICE_NOT_FOUND)
        return SCREE_OK;
    if (status == CL_SUCCESS)
        status = api->clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
    if (status != CL_SUCCESS)
        return fail(error, SCREE_ERROR_IO, "a platform of OpenCL does not list its devices: %s",
                    opencl_status_name(status));
    for (cl_uint i = 0; i < count && i < MOST_DEVICES; i++) {
        device_info info = {.platform = platform, .id = ids[i]};
        memcpy(info.platform_name, name, sizeof name);
        if (!read_device(api, &info))
            return fail(error, SCREE_ERROR_IO, "device %zu of OpenCL (%s) does not say what it can do", list->count,
                        name);
        if (!array_push(list, info))
            return fail_no_memory(error);
    }
    return SCREE_OK;
}

scree_status device_list_make(device_list *list, const opencl *api, scree_error *error)
{
    cl_platform_id platforms[MOST_PLATFORMS];
    cl_uint count = 0;
    list->count = 0;
    cl_int found = api->clGetPlatformIDs(MOST_PLATFORMS, platforms, &count);
    if (found == DEVICE_NOT_FOUND_KHR) // the loader's word for no driver at all
        return SCREE_OK;
    if (found != CL_SUCCESS)
        return fail(error, SCREE_ERROR_IO, "OpenCL does not list its platforms: %s", opencl_status_name(found));
    scree_status status = SCREE_OK;
    for (cl_uint i = 0; i < count && i < MOST_PLATFORMS && status == SCREE_OK; i++)
        status = add_devices(list, api, platforms[i], error);
    return status;
}

const char *device_shortcoming(const device_info *info)
{
    if (!info->compiles)
        return "the driver has no compiler";
    if (!info->has_double)
        return "no double precision";
    if (!info->has_denormals)
        return "no denormals in single precision";
    if (!info->divides_right)
        return "division of single precision is not rounded correctly";
    return NULL;
}
