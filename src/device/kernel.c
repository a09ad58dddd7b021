#include "device/kernel.h"

scree_status device_kernels_make(device *on, cl_program program, device_kernel *kernels, size_t count,
                                 scree_error *error)
{
    for (size_t i = 0; i < count; i++)
        kernels[i].kernel = NULL;
    for (size_t i = 0; i < count; i++) {
        cl_int status;
        cl_kernel made = on->api->clCreateKernel(program, kernels[i].name, &status);
        if (status != CL_SUCCESS)
            return device_fail(on, kernels[i].name, status, error);
        kernels[i].kernel = made;
    }
    return SCREE_OK;
}

void device_kernels_free(device *on, device_kernel *kernels, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (kernels[i].kernel)
            on->api->clReleaseKernel(kernels[i].kernel);
        kernels[i].kernel = NULL;
    }
}

scree_status device_run(device *on, const device_kernel *kernel, const device_launch *launch, scree_error *error)
{
    if (launch->groups == 0)
        return SCREE_OK;
    cl_int status = CL_SUCCESS;
    for (cl_uint i = 0; i < launch->count && status == CL_SUCCESS; i++)
        status = on->api->clSetKernelArg(kernel->kernel, i, launch->arguments[i].size, launch->arguments[i].value);
    const size_t all = launch->groups * launch->group_size;
    if (status == CL_SUCCESS)
        status = on->api->clEnqueueNDRangeKernel(on->queue, kernel->kernel, 1, NULL, &all, &launch->group_size, 0, NULL,
                                                 NULL);
    return status == CL_SUCCESS ? SCREE_OK : device_fail(on, kernel->name, status, error);
}
