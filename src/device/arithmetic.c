// Hard cases are ties, denormals, quotients and roots next to the middle of two numbers, and sums x y + z that lose
// nearly all digits, which a fused operation keeps.
#include "device/arithmetic.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "device/arithmetic_cases.h"
#include "device/program.h"

enum { CASES = 4096, GROUP = 64 };

static uint64_t random_word(random_stream *stream)
{
    uint64_t high = (uint64_t)(random_unit(stream) * 0x1p32), low = (uint64_t)(random_unit(stream) * 0x1p32);
    return high << 32 | low;
}

static double double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// Cases come in fours: any bits, special numbers, numbers of ordinary size, and a sum that loses its digits.
static void make_double_case(random_stream *stream, int kind, void *to)
{
    static const double special[] = {0, -0.0, 1, -1, 0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp1023, 0x1p52, 0.5, 3};
    double *x = to;
    for (int k = 0; k < 3; k++)
        x[k] = kind % 4 == 0   ? double_of(random_word(stream))
               : kind % 4 == 1 ? special[random_word(stream) % (sizeof special / sizeof *special)]
                               : random_between(stream, -8, 8);
    if (kind % 4 == 3)
        x[2] = -(x[0] * x[1]);
}

static void make_single_case(random_stream *stream, int kind, void *to)
{
    static const float special[] = {0, -0.0f, 1, -1, 0x1p-149f, 0x1p-126f, 0x1.fffffep127f, 0x1p23f, 0.5f, 3};
    float *x = to;
    for (int k = 0; k < 3; k++)
        x[k] = kind % 4 == 0   ? float_of((uint32_t)random_word(stream))
               : kind % 4 == 1 ? special[random_word(stream) % (sizeof special / sizeof *special)]
                               : (float)random_between(stream, -8, 8);
    if (kind % 4 == 3)
        x[2] = -(x[0] * x[1]);
}

static void solve_double_case(const void *of, void *result)
{
    const double *x = of;
    double_results(x[0], x[1], x[2], result);
}

static void solve_single_case(const void *of, void *result)
{
    const float *x = of;
    single_results(x[0], x[1], x[2], result);
}

static bool double_is_nan(const void *x)
{
    return isnan(*(const double *)x);
}

static bool single_is_nan(const void *x)
{
    return isnan(*(const float *)x);
}

typedef struct precision {
    const char *kernel;
    size_t bytes; // of a number
    size_t operations;
    const char *const *names;
    void (*make)(random_stream *stream, int kind, void *to);
    void (*solve)(const void *of, void *result);
    bool (*is_nan)(const void *x);
} precision;

static const precision precisions[] = {
    {"check_single", sizeof(float), SINGLE_OPERATIONS, single_operations, make_single_case, solve_single_case,
     single_is_nan},
    {"check_double", sizeof(double), DOUBLE_OPERATIONS, double_operations, make_double_case, solve_double_case,
     double_is_nan},
};

// ------------------------------------------------------------------------------------------------------ on the device

typedef struct trial {
    const device *on;
    cl_program program;
    const precision *in;
    char *cases, *results;
    size_t case_bytes, result_bytes; // of all cases
} trial;

static cl_int launch(const trial *of, cl_kernel kernel, cl_mem cases, cl_mem results)
{
    const opencl *api = of->on->api;
    const cl_uint count = CASES;
    const size_t all = CASES, group = of->on->info.work_group < GROUP ? 1 : GROUP;
    cl_int status = api->clSetKernelArg(kernel, 0, sizeof cases, &cases);
    if (status == CL_SUCCESS)
        status = api->clSetKernelArg(kernel, 1, sizeof results, &results);
    if (status == CL_SUCCESS)
        status = api->clSetKernelArg(kernel, 2, sizeof count, &count);
    if (status == CL_SUCCESS)
        status = api->clEnqueueNDRangeKernel(of->on->queue, kernel, 1, NULL, &all, &group, 0, NULL, NULL);
    if (status == CL_SUCCESS)
        status =
            api->clEnqueueReadBuffer(of->on->queue, results, CL_TRUE, 0, of->result_bytes, of->results, 0, NULL, NULL);
    return status;
}

static scree_status solve_on_device(const trial *of, scree_error *error)
{
    const opencl *api = of->on->api;
    cl_int status;
    cl_kernel kernel = api->clCreateKernel(of->program, of->in->kernel, &status);
    if (status != CL_SUCCESS)
        return device_fail(of->on, of->in->kernel, status, error);
    cl_mem cases = api->clCreateBuffer(of->on->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, of->case_bytes,
                                       of->cases, &status);
    if (status == CL_SUCCESS) {
        cl_mem results = api->clCreateBuffer(of->on->context, CL_MEM_READ_WRITE, of->result_bytes, NULL, &status);
        if (status == CL_SUCCESS) {
            status = launch(of, kernel, cases, results);
            api->clReleaseMemObject(results);
        }
        api->clReleaseMemObject(cases);
    }
    api->clReleaseKernel(kernel);
    return status == CL_SUCCESS ? SCREE_OK : device_fail(of->on, "the test of its arithmetic fails", status, error);
}

// -------------------------------------------------------------------------------------------------------- beside ours

static const char *find_difference(const trial *of)
{
    const precision *in = of->in;
    double right[DOUBLE_OPERATIONS]; // room for either
    for (size_t i = 0; i < CASES; i++) {
        in->solve(of->cases + i * 3 * in->bytes, right);
        for (size_t k = 0; k < in->operations; k++) {
            const char *a = (const char *)right + k * in->bytes,
                       *b = of->results + (i * in->operations + k) * in->bytes;
            if (memcmp(a, b, in->bytes) != 0 && !(in->is_nan(a) && in->is_nan(b)))
                return in->names[k];
        }
    }
    return NULL;
}

static scree_status check_precision(trial *of, const char **differs, scree_error *error)
{
    const precision *in = of->in;
    of->case_bytes = CASES * 3 * in->bytes;
    of->result_bytes = CASES * in->operations * in->bytes;
    of->cases = malloc(of->case_bytes);
    of->results = malloc(of->result_bytes);
    scree_status status = of->cases && of->results ? SCREE_OK : fail_no_memory(error);
    random_stream stream = {11};
    for (int i = 0; i < CASES && status == SCREE_OK; i++)
        in->make(&stream, i, of->cases + (size_t)i * 3 * in->bytes);
    if (status == SCREE_OK)
        status = solve_on_device(of, error);
    if (status == SCREE_OK)
        *differs = find_difference(of);
    free(of->cases);
    free(of->results);
    return status;
}

scree_status device_check_arithmetic(const device *on, const char **differs, scree_error *error)
{
    const device_source source = {"arithmetic.cl", kernel_arithmetic, kernel_arithmetic_size};
    trial of = {.on = on};
    *differs = NULL;
    scree_status status = device_program_build(&of.program, on, &source, error);
    if (status != SCREE_OK)
        return status;
    for (size_t i = 0; i < sizeof precisions / sizeof *precisions && status == SCREE_OK && !*differs; i++) {
        of.in = &precisions[i];
        status = check_precision(&of, differs, error);
    }
    on->api->clReleaseProgram(of.program);
    return status;
}

scree_status device_verify(const device_def *def, scree_error *error)
{
    device opened;
    const char *differs;
    scree_status status = device_open(&opened, def, error);
    if (status != SCREE_OK)
        return status;
    status = device_check_arithmetic(&opened, &differs, error);
    device_close(&opened);
    if (status == SCREE_OK && differs)
        return fail(error, SCREE_ERROR_INVALID, "device %zu (%s): %s differs from the CPU", def->number,
                    def->info->name, differs);
    return status;
}
