// scree devices: what this build can use on this machine.
#include <hdf5.h>
#include <png.h>
#include <stdio.h>
#include <yaml.h>
#include <zlib.h>
#if SCREE_HAVE_QHULL
#include <libqhull_r/qhull_ra.h>
#endif
#if SCREE_HAVE_TIFF
#include <tiffio.h>
#endif
#if SCREE_HAVE_WINDOW
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#endif

#include "base/isa.h"
#include "base/threads.h"
#include "bench/commit.h"
#if SCREE_HAVE_OPENCL
#include "device/arithmetic.h"
#include "device/cache.h"
#include "device/device.h"
#endif
#include "main/command.h"
#include "main/console.h"
#include "scree/version.h"
#include "view/painters/painters.h"

extern const size_t web_page_script_size;

static int devices_run(const command *self, int argc, char **argv);

const command devices_command = {
    .name = "devices",
    .arguments = "",
    .summary = "what this build can use on this machine",
    .notes = "",
    .example = "scree devices",
    .run = devices_run,
};

static void print_opengl(void)
{
#if SCREE_HAVE_GL
    painters pictures;
    scree_error error;
    if (painters_open(&pictures, PAINTER_OPENGL, &error) == SCREE_OK)
        print_row("OpenGL", "%s, %s (optional: pictures)", pictures.gl.context.version, pictures.gl.context.renderer);
    else
        print_row("OpenGL", "not used: %s", error.message);
    painters_close(&pictures);
#else
    print_row("OpenGL", "not in this build: pictures are drawn in software");
#endif
#if SCREE_HAVE_WINDOW
    print_row("GLFW", "%s (optional: the window)", glfwGetVersionString());
#else
    print_row("GLFW", "not in this build: no window");
#endif
}

#if SCREE_HAVE_OPENCL
static void print_device(const opencl *api, const device_info *info, size_t number)
{
    char folder[1024], label[40];
    scree_error error;
    device_def def = {api, info, number, cache_folder(folder, sizeof folder) ? folder : NULL, 0};
    bool good = device_verify(&def, &error) == SCREE_OK;
    snprintf(label, sizeof label, "  device %zu", number);
    print_row(label, "%s, %s %s, %.1f GB, %s, work-groups of %zu: %s%s", info->name, info->platform_name, info->driver,
              (double)info->memory_bytes / 1e9, info->has_double ? "fp64" : "no fp64", info->work_group,
              good ? "bits as on the CPU" : "not used: ", good ? "" : error.message);
}

static void print_opencl(void)
{
    opencl api;
    device_list list = {0};
    scree_error error;
    if (opencl_load(&api, &error) != SCREE_OK) {
        print_row("OpenCL", "not used: %s", error.message);
        return;
    }
    if (device_list_make(&list, &api, &error) != SCREE_OK)
        print_row("OpenCL", "not used: %s", error.message);
    else
        print_row("OpenCL", "%zu device%s (optional)", list.count, list.count == 1 ? "" : "s");
    for (size_t i = 0; i < list.count; i++)
        print_device(&api, &list.data[i], i);
    array_free(&list);
    opencl_unload(&api);
}
#else
static void print_opencl(void)
{
    print_row("OpenCL", "not in this build");
}
#endif

static int devices_run(const command *self, int argc, char **argv)
{
    size_t count;
    int exit_status;
    char settings;
    if (!command_read(self, argc, argv, &settings, &count, &exit_status))
        return exit_status;
    unsigned major, minor, release;
    printf("scree %s\n", scree_version());
    print_row("commit", "%s", build_commit[0] ? build_commit : "unknown: not built from a checkout of git");
    print_row("threads", "%d", threads_available());
    print_row("SIMD", "%s", wide_isa());
    print_opencl();
    print_row("MPI", "not in this version");
    print_row("libyaml", "%s", yaml_get_version_string());
    if (H5get_libversion(&major, &minor, &release) >= 0)
        print_row("HDF5", "%u.%u.%u", major, minor, release);
    print_row("libpng", "%s", png_get_libpng_ver(NULL));
    print_row("zlib", "%s", zlibVersion());
#if SCREE_HAVE_QHULL
    print_row("qhull", "%s (optional: convex hulls of points)", qh_version);
#else
    print_row("qhull", "not in this build: no convex hulls of points");
#endif
#if SCREE_HAVE_TIFF
    print_row("libtiff", "%d.%d.%d (optional: height fields from TIFF)", TIFFLIB_MAJOR_VERSION, TIFFLIB_MINOR_VERSION,
              TIFFLIB_MICRO_VERSION);
#else
    print_row("libtiff", "not in this build: no height fields from TIFF");
#endif
    print_row("web page", web_page_script_size > 0 ? "yes (optional: scree export --web)"
                                                   : "not in this build: no scree export --web");
    print_opengl();
    return EXIT_DONE;
}
