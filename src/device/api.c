#include "device/api.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"

static const char *const library_names[] = {"libOpenCL.so.1", "libOpenCL.so"};

typedef struct function_place {
    const char *name;
    size_t offset;
} function_place;

scree_status opencl_load(opencl *api, scree_error *error)
{
#define PLACE(name) {#name, offsetof(opencl, name)},
    static const function_place places[] = {OPENCL_FUNCTIONS(PLACE)};
#undef PLACE
    *api = (opencl){0};
    for (size_t i = 0; i < sizeof library_names / sizeof *library_names && !api->library; i++)
        api->library = dlopen(library_names[i], RTLD_NOW | RTLD_LOCAL);
    if (!api->library)
        return fail(error, SCREE_ERROR_IO,
                    "no OpenCL on this machine: %s is not installed (Debian: ocl-icd-libopencl1 and the driver of your "
                    "card, or pocl-opencl-icd for the processor)",
                    library_names[0]);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        void *found = dlsym(api->library, places[i].name);
        if (!found) {
            opencl_unload(api);
            return fail(error, SCREE_ERROR_IO, "%s lacks %s: OpenCL 1.2 or later is needed", library_names[0],
                        places[i].name);
        }
        memcpy((char *)api + places[i].offset, &found, sizeof found); // POSIX lets a function be a void pointer
    }
    return SCREE_OK;
}

void opencl_unload(opencl *api)
{
    if (api->library)
        dlclose(api->library);
    *api = (opencl){0};
}

const char *opencl_status_name(cl_int status)
{
    static const struct {
        cl_int status;
        const char *name;
    } names[] = {
#define NAME(status) {status, #status}
        NAME(CL_SUCCESS),
        NAME(CL_DEVICE_NOT_FOUND),
        NAME(CL_DEVICE_NOT_AVAILABLE),
        NAME(CL_COMPILER_NOT_AVAILABLE),
        NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE),
        NAME(CL_OUT_OF_RESOURCES),
        NAME(CL_OUT_OF_HOST_MEMORY),
        NAME(CL_BUILD_PROGRAM_FAILURE),
        NAME(CL_MAP_FAILURE),
        NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
        NAME(CL_INVALID_VALUE),
        NAME(CL_INVALID_DEVICE_TYPE),
        NAME(CL_INVALID_PLATFORM),
        NAME(CL_INVALID_DEVICE),
        NAME(CL_INVALID_CONTEXT),
        NAME(CL_INVALID_QUEUE_PROPERTIES),
        NAME(CL_INVALID_COMMAND_QUEUE),
        NAME(CL_INVALID_MEM_OBJECT),
        NAME(CL_INVALID_BINARY),
        NAME(CL_INVALID_BUILD_OPTIONS),
        NAME(CL_INVALID_PROGRAM),
        NAME(CL_INVALID_PROGRAM_EXECUTABLE),
        NAME(CL_INVALID_KERNEL_NAME),
        NAME(CL_INVALID_KERNEL),
        NAME(CL_INVALID_ARG_INDEX),
        NAME(CL_INVALID_ARG_VALUE),
        NAME(CL_INVALID_ARG_SIZE),
        NAME(CL_INVALID_KERNEL_ARGS),
        NAME(CL_INVALID_WORK_DIMENSION),
        NAME(CL_INVALID_WORK_GROUP_SIZE),
        NAME(CL_INVALID_WORK_ITEM_SIZE),
        NAME(CL_INVALID_GLOBAL_OFFSET),
        NAME(CL_INVALID_EVENT_WAIT_LIST),
        NAME(CL_INVALID_OPERATION),
        NAME(CL_INVALID_BUFFER_SIZE),
        NAME(CL_INVALID_GLOBAL_WORK_SIZE),
#undef NAME
        {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].status == status)
            return names[i].name;
    return "an unknown status";
}
