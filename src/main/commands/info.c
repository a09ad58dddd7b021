// scree info: the closing table of a run again, or what a checkpoint or scene holds.
#include <inttypes.h>
#include <stdio.h>

#include "main/closing_table.h"
#include "main/command.h"
#include "main/console.h"
#include "main/run_directory.h"
#include "main/scene_table.h"
#include "record/checkpoint.h"

static int info_run(const command *self, int argc, char **argv);

const command info_command = {
    .name = "info",
    .arguments = "RUN|CHECKPOINT|SCENE",
    .summary = "a run's closing table, or what a file holds",
    .notes =
        "RUN is a run directory: its closing table is printed again, or, while it has none, its newest checkpoint.",
    .example = "scree info out/pile",
    .least = 1,
    .most = 1,
    .run = info_run,
};

static int print_checkpoint(const checkpoint *opened)
{
    scree_world *world;
    scree_error error;
    if (checkpoint_world(opened, 0, &world, &error) != SCREE_OK)
        return complain_error(&error);
    scree_figures figures = scree_world_figures(world);
    printf("%s\n", opened->path);
    print_row("scene", "%s", opened->header.scene);
    print_row("written by", "scree %s", opened->header.scree);
    print_row("step", "%s", format_count(opened->header.step).text);
    print_row("time", "%g s", opened->header.time);
    print_row("bodies", "%s", format_count(opened->header.bodies).text);
    print_row("energy", "kinetic %.6g, potential %.6g", figures.kinetic, figures.potential);
    print_row("state", "%016" PRIx64, scree_world_hash(world));
    scree_world_destroy(world);
    return EXIT_DONE;
}

static int info_checkpoint(const char *path)
{
    checkpoint opened;
    scree_error error;
    if (checkpoint_open(path, &opened, &error) != SCREE_OK)
        return complain_error(&error);
    int exit_status = print_checkpoint(&opened);
    checkpoint_close(&opened);
    return exit_status;
}

// A run that was killed has no summary; its newest checkpoint is what there is to know.
static int info_of_run(const char *path)
{
    closing_figures figures;
    checkpoint opened;
    scree_error error, passed, newest_error;
    if (closing_figures_read(path, &figures, &error) == SCREE_OK) {
        closing_table_print(&figures, path);
        return EXIT_DONE;
    }
    if (error.status != SCREE_ERROR_IO || checkpoint_open_newest(path, &opened, &passed, &newest_error) != SCREE_OK)
        return complain(EXIT_WRONG, "%s", error.message);
    if (passed.status != SCREE_OK)
        warn("%s; what follows is of the checkpoint before it", passed.message);
    int exit_status = print_checkpoint(&opened);
    checkpoint_close(&opened);
    return exit_status;
}

static int info_scene(const char *path)
{
    scree_scene *scene;
    scree_error error;
    if (scree_scene_load(path, NULL, 0, &scene, &error) != SCREE_OK)
        return complain_scene_error(&error);
    scene_table_print(scene);
    scree_scene_destroy(scene);
    return EXIT_DONE;
}

static int info_run(const command *self, int argc, char **argv)
{
    size_t count;
    int exit_status;
    if (!command_read(self, argc, argv, NULL, &count, &exit_status))
        return exit_status;
    path_kind kind;
    scree_error error;
    if (path_kind_of(argv[0], &kind, &error) != SCREE_OK)
        return complain_error(&error);
    switch (kind) {
    case PATH_RUN:
        return info_of_run(argv[0]);
    case PATH_CHECKPOINT:
        return info_checkpoint(argv[0]);
    case PATH_SCENE:
        break;
    }
    return info_scene(argv[0]);
}
