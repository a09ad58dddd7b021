#include "record/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/error.h"
#include "record/checkpoint.h"
#include "record/file.h"
#include "record/frames/frames.h"
#include "record/problem/problem_file.h"

scree_status directory_open(run_directory *directory, const char *path, scree_error *error)
{
    *directory = (run_directory){.lock = -1};
    scree_status status = folder_make(path, error);
    if (status != SCREE_OK)
        return status;
    directory->path = strdup(path);
    if (!directory->path)
        return fail_no_memory(error);
    directory->lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory->lock < 0)
        return fail_io(error, "open", path, errno);
    // File systems without locks are used without.
    if (flock(directory->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return fail(error, SCREE_ERROR_INVALID, "another run is writing to %s; give this one another directory", path);
    return SCREE_OK;
}

void directory_close(run_directory *directory)
{
    if (directory->path && directory->lock >= 0)
        close(directory->lock);
    free(directory->path);
    *directory = (run_directory){.lock = -1};
}

static bool ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), size = strlen(ending);
    return length > size && strcmp(name + length - size, ending) == 0;
}

static bool is_main_file(const char *name)
{
    uint64_t step;
    return strcmp(name, "scene.yaml") == 0 || strcmp(name, "summary.json") == 0 || checkpoint_name_step(name, &step);
}

bool directory_holds_run(const char *path)
{
    name_array names;
    bool found = false;
    if (folder_list(path, &names, NULL) != SCREE_OK)
        return false;
    for (size_t i = 0; i < names.count; i++)
        found = found || is_main_file(names.data[i]);
    names_free(&names);
    return found;
}

typedef bool file_test(const char *folder, const char *name, const char *scene);

static bool is_draft(const char *folder, const char *name, const char *scene)
{
    (void)folder, (void)scene;
    uint64_t number;
    char whole[64];
    if (!ends_in(name, FILE_DRAFT_ENDING) || strlen(name) >= sizeof whole)
        return false;
    strcpy(whole, name);
    whole[strlen(name) + 1 - sizeof FILE_DRAFT_ENDING] = '\0';
    return is_main_file(whole) || frame_name_number(whole, &number) || problem_name_step(whole, &number) ||
           ends_in(whole, ".pvd") || ends_in(whole, ".py");
}

static bool is_run_file(const char *folder, const char *name, const char *scene)
{
    return is_main_file(name) || strcmp(name, "series.csv") == 0 || strcmp(name, "flow.png") == 0 ||
           (ends_in(name, ".png") && strlen(name) == strlen(scene) + 4 && strncmp(name, scene, strlen(scene)) == 0) ||
           is_draft(folder, name, scene);
}

// All files of probes begin with the time; somebody else's table may not.
static bool is_probe_file(const char *folder, const char *name, const char *scene)
{
    (void)scene;
    char start[5] = "";
    char *path = ends_in(name, ".csv") ? path_join(folder, name) : NULL;
    FILE *file = path ? fopen(path, "rb") : NULL;
    size_t got = file ? fread(start, 1, sizeof start, file) : 0;
    if (file)
        fclose(file);
    free(path);
    return got == sizeof start && memcmp(start, "time,", sizeof start) == 0;
}

// The state for ParaView that is written beside the frames.
static bool is_state(const char *name, const char *scene)
{
    return ends_in(name, ".py") && strlen(name) == strlen(scene) + 3 && strncmp(name, scene, strlen(scene)) == 0;
}

static bool is_frame_file(const char *folder, const char *name, const char *scene)
{
    uint64_t number;
    return frame_name_number(name, &number) || ends_in(name, ".pvd") || is_state(name, scene) ||
           is_draft(folder, name, scene);
}

static bool is_problem_file(const char *folder, const char *name, const char *scene)
{
    uint64_t step;
    return problem_name_step(name, &step) || is_draft(folder, name, scene);
}

static scree_status remove_files(const char *folder, file_test *test, const char *scene, scree_error *error)
{
    name_array names;
    scree_status status = folder_list(folder, &names, error);
    for (size_t i = 0; status == SCREE_OK && i < names.count; i++) {
        if (!test(folder, names.data[i], scene))
            continue;
        char *path = path_join(folder, names.data[i]);
        status = path ? file_remove(path, error) : fail_no_memory(error);
        free(path);
    }
    names_free(&names);
    return status;
}

static scree_status remove_in(const char *path, const char *name, file_test *test, const char *scene, bool folder_too,
                              scree_error *error)
{
    char *folder = path_join(path, name);
    if (!folder)
        return fail_no_memory(error);
    // A linked folder is not the run's own, and what it leads to is somebody's.
    scree_status status = path_is_link(folder) ? SCREE_OK : remove_files(folder, test, scene, error);
    if (status == SCREE_OK && folder_too)
        rmdir(folder); // stays when something is left in it
    free(folder);
    return status;
}

scree_status directory_refuse_links(const char *path, scree_error *error)
{
    static const char *const names[] = {"probes", "frames", "problems"};
    scree_status status = SCREE_OK;
    for (size_t i = 0; status == SCREE_OK && i < sizeof names / sizeof *names; i++) {
        char *folder = path_join(path, names[i]);
        if (!folder)
            return fail_no_memory(error);
        if (path_is_link(folder))
            status = fail_link(error, folder);
        free(folder);
    }
    return status;
}

scree_status directory_clear(const char *path, const char *scene, scree_error *error)
{
    scree_status status = remove_in(path, "probes", is_probe_file, scene, true, error);
    if (status == SCREE_OK)
        status = remove_in(path, "frames", is_frame_file, scene, true, error);
    if (status == SCREE_OK)
        status = remove_in(path, "problems", is_problem_file, scene, true, error);
    return status == SCREE_OK ? remove_files(path, is_run_file, scene, error) : status;
}

scree_status directory_sweep(const char *path, scree_error *error)
{
    scree_status status = remove_files(path, is_draft, "", error);
    if (status == SCREE_OK)
        status = remove_in(path, "problems", is_draft, "", false, error);
    return status == SCREE_OK ? remove_in(path, "frames", is_draft, "", false, error) : status;
}
