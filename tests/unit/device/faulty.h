// A table of OpenCL's functions in which one call of the test's choice fails, and all others are those of `driver`.
#ifndef TESTS_DEVICE_FAULTY_H
#define TESTS_DEVICE_FAULTY_H

#include <stdbool.h>

#include "lab.h"

static long calls, failing_call; // the first call is 1
static cl_int failure;

static inline bool fails(void)
{
    return ++calls == failing_call;
}

#define STATUS_CALL(name, parameters, arguments)                                                                       \
    static cl_int CL_API_CALL faulty_##name parameters                                                                 \
    {                                                                                                                  \
        return fails() ? failure : driver.name arguments;                                                              \
    }

#define OBJECT_CALL(type, name, parameters, arguments)                                                                 \
    static type CL_API_CALL faulty_##name parameters                                                                   \
    {                                                                                                                  \
        if (fails()) {                                                                                                 \
            *status = failure;                                                                                         \
            return NULL;                                                                                               \
        }                                                                                                              \
        return driver.name arguments;                                                                                  \
    }

typedef void(CL_CALLBACK *told_of_context)(const char *, const void *, size_t, void *);
typedef void(CL_CALLBACK *told_of_program)(cl_program, void *);

STATUS_CALL(clGetPlatformIDs, (cl_uint room, cl_platform_id *ids, cl_uint *count), (room, ids, count))
STATUS_CALL(clGetPlatformInfo, (cl_platform_id of, cl_platform_info what, size_t room, void *to, size_t *size),
            (of, what, room, to, size))
STATUS_CALL(clGetDeviceIDs, (cl_platform_id of, cl_device_type type, cl_uint room, cl_device_id *ids, cl_uint *count),
            (of, type, room, ids, count))
STATUS_CALL(clGetDeviceInfo, (cl_device_id of, cl_device_info what, size_t room, void *to, size_t *size),
            (of, what, room, to, size))
OBJECT_CALL(cl_context, clCreateContext,
            (const cl_context_properties *list, cl_uint count, const cl_device_id *ids, told_of_context tell,
             void *user, cl_int *status),
            (list, count, ids, tell, user, status))
OBJECT_CALL(cl_command_queue, clCreateCommandQueue,
            (cl_context in, cl_device_id of, cl_command_queue_properties kind, cl_int *status), (in, of, kind, status))
OBJECT_CALL(cl_program, clCreateProgramWithSource,
            (cl_context in, cl_uint count, const char **texts, const size_t *sizes, cl_int *status),
            (in, count, texts, sizes, status))
OBJECT_CALL(cl_program, clCreateProgramWithBinary,
            (cl_context in, cl_uint count, const cl_device_id *ids, const size_t *sizes, const unsigned char **bytes,
             cl_int *loaded, cl_int *status),
            (in, count, ids, sizes, bytes, loaded, status))
STATUS_CALL(clBuildProgram,
            (cl_program of, cl_uint count, const cl_device_id *ids, const char *options, told_of_program tell,
             void *user),
            (of, count, ids, options, tell, user))
STATUS_CALL(clGetProgramInfo, (cl_program of, cl_program_info what, size_t room, void *to, size_t *size),
            (of, what, room, to, size))
STATUS_CALL(clGetProgramBuildInfo,
            (cl_program of, cl_device_id id, cl_program_build_info what, size_t room, void *to, size_t *size),
            (of, id, what, room, to, size))
OBJECT_CALL(cl_kernel, clCreateKernel, (cl_program of, const char *name, cl_int *status), (of, name, status))
STATUS_CALL(clSetKernelArg, (cl_kernel of, cl_uint index, size_t size, const void *value), (of, index, size, value))
OBJECT_CALL(cl_mem, clCreateBuffer, (cl_context in, cl_mem_flags flags, size_t size, void *from, cl_int *status),
            (in, flags, size, from, status))
STATUS_CALL(clEnqueueReadBuffer,
            (cl_command_queue queue, cl_mem from, cl_bool wait, size_t offset, size_t size, void *to, cl_uint count,
             const cl_event *events, cl_event *event),
            (queue, from, wait, offset, size, to, count, events, event))
STATUS_CALL(clEnqueueWriteBuffer,
            (cl_command_queue queue, cl_mem to, cl_bool wait, size_t offset, size_t size, const void *from,
             cl_uint count, const cl_event *events, cl_event *event),
            (queue, to, wait, offset, size, from, count, events, event))
STATUS_CALL(clEnqueueNDRangeKernel,
            (cl_command_queue queue, cl_kernel of, cl_uint axes, const size_t *offset, const size_t *all,
             const size_t *group, cl_uint count, const cl_event *events, cl_event *event),
            (queue, of, axes, offset, all, group, count, events, event))
STATUS_CALL(clFinish, (cl_command_queue queue), (queue))

// Releases stay the driver's own, so that a failure leaks nothing of the test's making.
static inline opencl faulty_table(void)
{
    opencl table = driver;
#define PUT(name) table.name = faulty_##name
    PUT(clGetPlatformIDs);
    PUT(clGetPlatformInfo);
    PUT(clGetDeviceIDs);
    PUT(clGetDeviceInfo);
    PUT(clCreateContext);
    PUT(clCreateCommandQueue);
    PUT(clCreateProgramWithSource);
    PUT(clCreateProgramWithBinary);
    PUT(clBuildProgram);
    PUT(clGetProgramInfo);
    PUT(clGetProgramBuildInfo);
    PUT(clCreateKernel);
    PUT(clSetKernelArg);
    PUT(clCreateBuffer);
    PUT(clEnqueueReadBuffer);
    PUT(clEnqueueWriteBuffer);
    PUT(clEnqueueNDRangeKernel);
    PUT(clFinish);
#undef PUT
    return table;
}

#endif
