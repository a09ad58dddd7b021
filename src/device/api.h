// OpenCL as a table of functions that is found when a program asks for it.
//
// Nothing is linked: a machine without OpenCL runs the same executable, and a test can put functions of its own into
// the table. Only functions of OpenCL 1.2 are in it, which every driver has.
#ifndef DEVICE_API_H
#define DEVICE_API_H

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_icd.h>

#include "scree/status.h"

#define OPENCL_FUNCTIONS(X)                                                                                            \
    X(clGetPlatformIDs)                                                                                                \
    X(clGetPlatformInfo)                                                                                               \
    X(clGetDeviceIDs)                                                                                                  \
    X(clGetDeviceInfo)                                                                                                 \
    X(clCreateContext)                                                                                                 \
    X(clReleaseContext)                                                                                                \
    X(clCreateCommandQueue)                                                                                            \
    X(clReleaseCommandQueue)                                                                                           \
    X(clCreateProgramWithSource)                                                                                       \
    X(clCreateProgramWithBinary)                                                                                       \
    X(clBuildProgram)                                                                                                  \
    X(clGetProgramInfo)                                                                                                \
    X(clGetProgramBuildInfo)                                                                                           \
    X(clReleaseProgram)                                                                                                \
    X(clCreateKernel)                                                                                                  \
    X(clReleaseKernel)                                                                                                 \
    X(clSetKernelArg)                                                                                                  \
    X(clCreateBuffer)                                                                                                  \
    X(clReleaseMemObject)                                                                                              \
    X(clEnqueueReadBuffer)                                                                                             \
    X(clEnqueueWriteBuffer)                                                                                            \
    X(clEnqueueNDRangeKernel)                                                                                          \
    X(clFinish)

typedef struct opencl {
    void *library;
#define MEMBER(name) cl_api_##name name;
    OPENCL_FUNCTIONS(MEMBER)
#undef MEMBER
} opencl;

// SCREE_ERROR_IO where the loader of OpenCL is not installed or lacks a function; the message says what to install.
scree_status opencl_load(opencl *api, scree_error *error);
void opencl_unload(opencl *api);

// The name of a status as the standard has it, such as "CL_OUT_OF_RESOURCES".
const char *opencl_status_name(cl_int status);

#endif
