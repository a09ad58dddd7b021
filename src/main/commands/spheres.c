// scree spheres: a sphere set from a closed triangle mesh.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "geometry/fit/sphere_fit.h"
#include "main/command.h"
#include "main/console.h"
#include "record/file.h"

typedef struct spheres_settings {
    const char *out;
    option_number ratio, edge_angle, edge_ratio, max_protrusion;
    uint64_t count;
} spheres_settings;

static const option options[] = {
    {'o', "out", OPTION_TEXT, offsetof(spheres_settings, out), "FILE",
     "the sphere set, .txt or .spheres (default: MESH with the ending .spheres)", 0, 0},
    {0, "count", OPTION_COUNT, offsetof(spheres_settings, count), "N", "make so many spheres", 1, MOST_FITTED_SPHERES},
    {0, "max-protrusion", OPTION_NUMBER, offsetof(spheres_settings, max_protrusion), "L",
     "spheres stick out of the mesh by no more than this length", 1e-15, 1e15},
    {0, "ratio", OPTION_NUMBER, offsetof(spheres_settings, ratio), "F",
     "depth of a sphere's centre below its triangle over its radius, at most (default 0.7)", 0, 0.99},
    {0, "edge-angle", OPTION_NUMBER, offsetof(spheres_settings, edge_angle), "DEG",
     "edges are sharp where normals differ by more than this (default 30 degrees)", 0, 180},
    {0, "edge-ratio", OPTION_NUMBER, offsetof(spheres_settings, edge_ratio), "F",
     "the ratio at sharp edges, whose triangles are split in four (default 0.7)", 0, 0.99},
};

static int spheres_run(const command *self, int argc, char **argv);

const command spheres_command = {
    .name = "spheres",
    .arguments = "MESH",
    .summary = "cover a closed mesh with spheres",
    .notes =
        "MESH is a closed triangle mesh: .obj, .stl, .ply or .inp. Its centre of mass becomes the origin. The file\n"
        "written has the mesh's volume and inertia, so that a body of the spheres weighs what the mesh does, and\n"
        "serves as file of a shape of type spheres. Printed are the distances from the spheres to the mesh and back.",
    .example = "scree spheres shoe.obj -o shoe.spheres --count 500",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .least = 1,
    .most = 1,
    .run = spheres_run,
};

static sphere_fit_options fit_options_of(const spheres_settings *settings)
{
    sphere_fit_options fit = sphere_fit_default_options();
    if (settings->ratio.text)
        fit.ratio = settings->ratio.value;
    if (settings->edge_angle.text)
        fit.edge_angle = settings->edge_angle.value * PI / 180;
    if (settings->edge_ratio.text)
        fit.edge_ratio = settings->edge_ratio.value;
    fit.max_protrusion = settings->max_protrusion.value;
    fit.count = (size_t)settings->count;
    return fit;
}

// MESH with another ending.
static char *default_path(const char *mesh)
{
    size_t length = strlen(mesh) + sizeof ".spheres";
    char *path = malloc(length);
    if (!path)
        return NULL;
    const char *slash = strrchr(mesh, '/'), *dot = strrchr(slash ? slash : mesh, '.');
    snprintf(path, length, "%.*s.spheres", (int)(dot ? dot - mesh : (ptrdiff_t)strlen(mesh)), mesh);
    return path;
}

static void print_distances(const char *label, const distance_figures *figures, double size)
{
    print_row(label, "max %.4g (%.2f %% of the mesh's size), mean %.4g, proven bound %.4g", figures->max,
              100 * figures->max / size, figures->mean, figures->bound);
}

static void print_report(const char *path, size_t triangles, const sphere_list *list, const sphere_fit_report *report)
{
    printf("%s\n", path);
    print_row("spheres", "%s", format_count(list->balls.count).text);
    print_row("triangles", "%s, %s at sharp edges", format_count(triangles).text,
              format_count(report->sharp_triangles).text);
    print_row("volume", "%.6g", list->body.volume);
    print_distances("protrusion", &report->protrusion, report->size);
    print_distances("gap", &report->gap, report->size);
}

static scree_status write_list(const char *path, const sphere_list *list, scree_error *error)
{
    file_draft draft;
    scree_status status = draft_open(&draft, path, error);
    if (status)
        return status;
    sphere_file_write(list, draft.stream);
    return draft_commit(&draft, error);
}

static scree_status make_set(const char *from, const char *path, const spheres_settings *settings, scree_error *error)
{
    sphere_fit_options fit = fit_options_of(settings);
    triangle_mesh mesh;
    sphere_list list = {0};
    sphere_fit_report report;
    scree_status status = mesh_file_load(from, &mesh, error);
    if (status == SCREE_ERROR_IO) // a mesh that is not there is wrong input; only the output is the machine's affair
        error->status = status = SCREE_ERROR_INVALID;
    if (status)
        return status;
    status = sphere_fit(from, &mesh, &fit, &list, &report, error);
    if (status == SCREE_OK)
        status = write_list(path, &list, error);
    if (status == SCREE_OK)
        print_report(path, mesh.corners.count / 3, &list, &report);
    triangle_mesh_free(&mesh);
    sphere_list_free(&list);
    return status;
}

static int spheres_run(const command *self, int argc, char **argv)
{
    spheres_settings settings = {0};
    size_t count;
    int exit_status;
    if (!command_read(self, argc, argv, &settings, &count, &exit_status))
        return exit_status;
    scree_error error;
    char *path = settings.out ? strdup(settings.out) : default_path(argv[0]);
    scree_status status = path ? sphere_file_check_ending(path, &error) : fail_no_memory(&error);
    if (status == SCREE_OK)
        status = make_set(argv[0], path, &settings, &error);
    free(path);
    return status == SCREE_OK ? EXIT_DONE : complain_error(&error);
}
