#include "device/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "device/cache.h"
#include "scree/version.h"

static uint64_t hash_text(uint64_t hash, const void *text, size_t size)
{
    const unsigned char *bytes = text;
    for (size_t i = 0; i < size; i++)
        hash = hash_word(hash, bytes[i]);
    return hash_word(hash, size);
}

static uint64_t key_of(const device *on, const device_source *source)
{
    const char *parts[] = {DEVICE_OPTIONS, on->info.name, on->info.driver, on->info.platform_name, scree_version()};
    uint64_t hash = hash_text(0, source->text, source->size);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        hash = hash_text(hash, parts[i], strlen(parts[i]));
    return hash_end(hash);
}

// ------------------------------------------------------------------------------------------------------- from a cache

static bool load_kept(cl_program *program, const device *on, uint64_t key)
{
    size_t size;
    unsigned char *bytes = cache_read(on->cache, key, &size);
    if (!bytes)
        return false;
    const unsigned char *binaries[] = {bytes};
    cl_int loaded = CL_INVALID_BINARY, status;
    *program = on->api->clCreateProgramWithBinary(on->context, 1, &on->info.id, &size, binaries, &loaded, &status);
    free(bytes);
    bool good = status == CL_SUCCESS && loaded == CL_SUCCESS &&
                on->api->clBuildProgram(*program, 1, &on->info.id, DEVICE_OPTIONS, NULL, NULL) == CL_SUCCESS;
    if (good)
        return true;
    if (status == CL_SUCCESS)
        on->api->clReleaseProgram(*program);
    cache_remove(on->cache, key);
    return false;
}

static void keep(cl_program program, const device *on, uint64_t key)
{
    size_t size = 0;
    if (on->api->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) != CL_SUCCESS)
        return;
    unsigned char *bytes = size > 0 ? malloc(size) : NULL;
    if (bytes && on->api->clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL) == CL_SUCCESS)
        cache_write(on->cache, key, bytes, size);
    free(bytes);
}

// ------------------------------------------------------------------------------------------------------ from a source

// The first line of a compiler's log that names an error, else its first line.
static const char *first_error(char *log)
{
    char *line = strstr(log, "error");
    while (line && line > log && line[-1] != '\n')
        line--;
    line = line ? line : log;
    line[strcspn(line, "\n")] = 0;
    return line;
}

static scree_status fail_build(cl_program program, const device *on, const device_source *source, cl_int status,
                               scree_error *error)
{
    size_t size = 0;
    char *log = NULL;
    if (status == CL_BUILD_PROGRAM_FAILURE &&
        on->api->clGetProgramBuildInfo(program, on->info.id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) == CL_SUCCESS)
        log = calloc(size + 1, 1);
    if (log &&
        on->api->clGetProgramBuildInfo(program, on->info.id, CL_PROGRAM_BUILD_LOG, size, log, NULL) == CL_SUCCESS)
        fail(error, SCREE_ERROR_IO, "device %zu (%s): %s", on->number, on->info.name, first_error(log));
    else
        fail(error, SCREE_ERROR_IO, "device %zu (%s): %s does not compile: %s", on->number, on->info.name, source->name,
             opencl_status_name(status));
    free(log);
    return SCREE_ERROR_IO;
}

static scree_status build(cl_program *program, const device *on, const device_source *source, scree_error *error)
{
    const char *texts[] = {(const char *)source->text};
    cl_int status;
    *program = on->api->clCreateProgramWithSource(on->context, 1, texts, &source->size, &status);
    if (status != CL_SUCCESS)
        return device_fail(on, "it takes no program", status, error);
    status = on->api->clBuildProgram(*program, 1, &on->info.id, DEVICE_OPTIONS, NULL, NULL);
    if (status == CL_SUCCESS)
        return SCREE_OK;
    scree_status failed = fail_build(*program, on, source, status, error);
    on->api->clReleaseProgram(*program);
    return failed;
}

scree_status device_program_build(cl_program *program, const device *on, const device_source *source,
                                  scree_error *error)
{
    uint64_t key = key_of(on, source);
    if (on->cache && load_kept(program, on, key))
        return SCREE_OK;
    scree_status status = build(program, on, source, error);
    if (status == SCREE_OK && on->cache)
        keep(*program, on, key);
    return status;
}
