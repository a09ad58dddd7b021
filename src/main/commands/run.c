// scree run: a scene into a run directory, with progress, the closing table, and a clean end on signals and failures.
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "main/closing_table.h"
#include "main/command.h"
#include "main/console.h"
#include "main/load.h"
#include "main/progress.h"
#include "main/scene_warnings.h"
#include "scene/scene.h"
#include "scree/run.h"

typedef struct run_settings {
    const char *out;
    option_number duration;
    uint64_t steps;
    option_list sets;
    uint64_t threads;
    int backend;
    bool resume, quiet, force;
} run_settings;

static const option options[] = {
    {'o', "out", OPTION_TEXT, offsetof(run_settings, out), "DIR", "the run directory (default out/<scene name>)", 0, 0},
    {0, "duration", OPTION_NUMBER, offsetof(run_settings, duration), "S", "simulated seconds, instead of the scene's",
     0, 1e12},
    {0, "steps", OPTION_COUNT, offsetof(run_settings, steps), "N", "time steps in all; wins over a duration", 1, 1e15},
    {0, "set", OPTION_LIST, offsetof(run_settings, sets), "PATH=VALUE",
     "a value of the scene, such as solver.iterations=200; may be repeated", 0, 0},
    {'t', "threads", OPTION_COUNT, offsetof(run_settings, threads), "N",
     "threads (default 0: as many as the machine has)", 0, 1024},
    {0, "backend", OPTION_CHOICE, offsetof(run_settings, backend), "cpu|opencl", "where to compute (default cpu)", 0,
     0},
    {0, "resume", OPTION_FLAG, offsetof(run_settings, resume), NULL, "continue from the newest checkpoint in DIR", 0,
     0},
    {0, "force", OPTION_FLAG, offsetof(run_settings, force), NULL, "replace an earlier run in DIR", 0, 0},
    {'q', "quiet", OPTION_FLAG, offsetof(run_settings, quiet), NULL, "neither progress nor closing table", 0, 0},
};

static int run_run(const command *self, int argc, char **argv);

const command run_command = {
    .name = "run",
    .arguments = "SCENE",
    .summary = "simulate a scene into a run directory",
    .notes =
        "The directory gets scene.yaml, summary.json, series.csv, probes/, frames/ and the newest two checkpoints.\n"
        "Ctrl-C finishes the step, writes a checkpoint and says how to resume.\n"
        "Exit status: 0 done, 1 the simulation or the machine failed, 2 the input is wrong, 130 or 143 interrupted.",
    .example = "scree run scenes/pile.yaml -o out/pile --set solver.iterations=100 --duration 2",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .least = 1,
    .most = 1,
    .run = run_run,
};

static const double PATIENCE = 5; // seconds that a step may take on after a signal

static volatile sig_atomic_t reading; // the scene, which may be a pipe that nobody writes to
static volatile sig_atomic_t caught_signal;
static double caught_at; // written by the handler alone

// While the scene is read there is nothing to end. The run ends after its present step, or within it where that takes
// longer than five seconds more. A second signal ends the program at once, unless it comes right after the first:
// `timeout` and others signal a process both by its id and by its group, and one Ctrl-C may be passed on by a parent.
static void catch_signal(int number)
{
    static const char again[] =
        "scree: interrupted again, and ended at once: what came after the newest checkpoint, if "
        "there is one, is lost\n";
    static const char early[] = "scree: interrupted before the run began; nothing was written\n";
    if (reading) {
        ssize_t written = write(STDERR_FILENO, early, sizeof early - 1);
        (void)written;
        _exit(128 + number);
    } else if (!caught_signal) {
        caught_at = clock_seconds();
        caught_signal = number;
    } else if (clock_seconds() > caught_at + 0.25) {
        ssize_t written = write(STDERR_FILENO, again, sizeof again - 1);
        (void)written;
        signal(number, SIG_DFL);
        raise(number);
    }
}

static void watch_signals(void)
{
    struct sigaction action = {.sa_handler = catch_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

// --steps sets the duration as well, so that the run's scene.yaml tells the run as it was. The scene's time step must
// be known for that, hence the second reading.
static scree_status load_scene(const char *path, const run_settings *settings, scree_scene **scene, scree_error *error)
{
    char duration[64] = "";
    if (settings->duration.text)
        snprintf(duration, sizeof duration, "time.duration=%.17g", settings->duration.value);
    scree_status status = load_scene_with(path, &settings->sets, *duration ? duration : NULL, scene, error);
    if (status != SCREE_OK || settings->steps == 0)
        return status;
    double step = (*scene)->world.step;
    scree_scene_destroy(*scene);
    *scene = NULL;
    snprintf(duration, sizeof duration, "time.duration=%.17g", step * (double)settings->steps);
    return load_scene_with(path, &settings->sets, duration, scene, error);
}

// Appends a word as a shell takes it back.
static void append_word(char *line, size_t size, const char *word)
{
    size_t at = strlen(line);
    const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=,:+-";
    bool quote = word[strspn(word, plain)] != '\0' || *word == '\0';
    at += (size_t)snprintf(line + at, size - at, quote ? " '" : " ");
    for (; *word && at + 8 < size; word++)
        at += (size_t)snprintf(line + at, size - at, *word == '\'' ? "'\\''" : "%c", *word);
    snprintf(line + at, size - at, "%s", quote ? "'" : "");
}

// The command that goes on where this one stopped, with all that bears on the results and the speed.
static void make_resume_command(char *line, size_t size, const char *scene_path, const char *directory,
                                const run_settings *settings)
{
    char number[24];
    snprintf(line, size, "scree run");
    append_word(line, size, scene_path);
    append_word(line, size, "-o");
    append_word(line, size, directory);
    for (size_t i = 0; i < settings->sets.count; i++) {
        append_word(line, size, "--set");
        append_word(line, size, settings->sets.data[i]);
    }
    if (settings->duration.text) {
        append_word(line, size, "--duration");
        append_word(line, size, settings->duration.text);
    }
    if (settings->steps > 0) {
        append_word(line, size, "--steps");
        snprintf(number, sizeof number, "%llu", (unsigned long long)settings->steps);
        append_word(line, size, number);
    }
    if (settings->threads > 0) {
        append_word(line, size, "--threads");
        snprintf(number, sizeof number, "%llu", (unsigned long long)settings->threads);
        append_word(line, size, number);
    }
    append_word(line, size, "--resume");
}

static int report_interrupt(const char *scene_path, const char *directory, const run_settings *settings, uint64_t step)
{
    char line[1536];
    make_resume_command(line, sizeof line, scene_path, directory, settings);
    return complain(128 + (int)caught_signal, "interrupted after step %s; resume with: %s", format_count(step).text,
                    line);
}

// The step that was under way when the signal came was not waited for.
static int report_given_up(const char *scene_path, const char *directory, const run_settings *settings, uint64_t step,
                           const char *checkpoint)
{
    char line[1536];
    make_resume_command(line, sizeof line, scene_path, directory, settings);
    if (!*checkpoint)
        return complain(128 + (int)caught_signal, "interrupted within step %s, before the first checkpoint",
                        format_count(step + 1).text);
    return complain(128 + (int)caught_signal,
                    "interrupted within step %s; the newest checkpoint is %s; resume with: %s",
                    format_count(step + 1).text, checkpoint, line);
}

static bool waits_too_long(void *unused)
{
    (void)unused;
    return caught_signal && clock_seconds() > caught_at + PATIENCE;
}

static int report_failure(const scree_error *error, const char *checkpoint)
{
    if (*checkpoint)
        return complain(exit_status_of(error->status), "%s; the last good checkpoint is %s", error->message,
                        checkpoint);
    return complain(exit_status_of(error->status), "%s; no checkpoint had been written yet", error->message);
}

static scree_status read_scene(const char *path, const run_settings *settings, scree_scene **scene, scree_error *error)
{
    reading = 1;
    watch_signals();
    scree_status status = load_scene(path, settings, scene, error);
    reading = 0;
    return status;
}

// Ends a run that was opened: by its last step, by a signal, or by a failure, whichever `status` and the run say.
static int finish_run(scree_run *run, scree_status status, scree_error *error, const char *scene_path,
                      const char *directory, const run_settings *settings)
{
    bool interrupted = status == SCREE_OK && !scree_run_done(run);
    uint64_t step = scree_run_progress(run).step;
    if (interrupted)
        status = scree_run_checkpoint(run, error);
    bool given_up = status == SCREE_ERROR_INTERRUPTED;
    char checkpoint[PATH_MAX];
    snprintf(checkpoint, sizeof checkpoint, "%s", scree_run_checkpoint_path(run));
    scree_error close_error;
    scree_status closed = scree_run_close(run, &close_error);
    if (given_up)
        return report_given_up(scene_path, directory, settings, step, checkpoint);
    if (status != SCREE_OK)
        return report_failure(error, checkpoint);
    if (closed != SCREE_OK)
        return report_failure(&close_error, checkpoint);
    if (interrupted)
        return report_interrupt(scene_path, directory, settings, step);
    return EXIT_DONE;
}

static int print_closing_table(const char *directory)
{
    scree_error error;
    closing_figures figures;
    if (closing_figures_read(directory, &figures, &error) != SCREE_OK)
        return complain(EXIT_FAILED, "%s", error.message);
    closing_table_print(&figures, directory);
    return EXIT_DONE;
}

static int run_scene(const scree_scene *scene, const char *scene_path, const run_settings *settings)
{
    char directory[PATH_MAX];
    int length = settings->out ? snprintf(directory, sizeof directory, "%s", settings->out)
                               : snprintf(directory, sizeof directory, "out/%s", scene->name);
    if (length < 0 || (size_t)length >= sizeof directory)
        return complain(EXIT_WRONG, "the path of the run directory is too long");
    scree_run_def def = scree_default_run_def();
    def.directory = directory;
    def.steps = settings->steps;
    def.threads = (int)settings->threads;
    def.resume = settings->resume;
    def.force = settings->force;
    scree_run *run;
    scree_error error;
    if (!settings->quiet)
        announce_fills(scene);
    if (scree_run_open(scene, &def, &run, &error) != SCREE_OK)
        return complain_error(&error);
    if (*scree_run_passed_over(run))
        warn("%s; the run goes on from %s", scree_run_passed_over(run), scree_run_checkpoint_path(run));
    scree_run_set_interrupt(run, waits_too_long, NULL, NULL);
    progress shown = progress_begin(scene->name, run, settings->quiet);
    scree_status status = SCREE_OK;
    while (status == SCREE_OK && !caught_signal && !scree_run_done(run)) {
        status = scree_run_step(run, &error);
        if (status == SCREE_OK)
            progress_show(&shown, run);
    }
    progress_end(&shown);
    int exit_status = finish_run(run, status, &error, scene_path, directory, settings);
    return exit_status == EXIT_DONE && !settings->quiet ? print_closing_table(directory) : exit_status;
}

static int run_run(const command *self, int argc, char **argv)
{
    run_settings settings = {0};
    size_t count;
    int exit_status;
    if (command_read(self, argc, argv, &settings, &count, &exit_status)) {
        scree_scene *scene = NULL;
        scree_error error;
        if (settings.backend != 0)
            exit_status = complain(EXIT_WRONG, "--backend opencl is not available in this version; cpu is accepted");
        else if (settings.resume && settings.force)
            exit_status = complain(EXIT_WRONG, "--resume and --force exclude each other; one of them is accepted");
        else if (read_scene(argv[0], &settings, &scene, &error) != SCREE_OK)
            exit_status = complain_scene_error(&error);
        else
            exit_status = run_scene(scene, argv[0], &settings);
        scree_scene_destroy(scene);
    }
    array_free(&settings.sets);
    return exit_status;
}
