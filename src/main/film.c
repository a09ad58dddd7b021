// Frames go to ffmpeg through a pipe, as raw pixels; its own words go to a file that is read when it fails.
#include "main/film.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "record/file.h"
#include "view/world/world_scene.h"

enum { MOST_MEASURED = 9 };

typedef struct encoder {
    pid_t process;
    int pipe;
    FILE *words; // what it says
} encoder;

// ------------------------------------------------------------------------------------------------------------ ffmpeg

static bool ends_in(const char *text, const char *ending)
{
    size_t length = strlen(text), own = strlen(ending);
    return length >= own && strcmp(text + length - own, ending) == 0;
}

bool film_is_name(const char *path)
{
    return path && (ends_in(path, ".mp4") || ends_in(path, ".webm") || ends_in(path, ".gif"));
}

// In the child: becomes ffmpeg, or ends with 127.
static void become_encoder(const world_picture_def *def, const film_settings *settings)
{
    char size[48], rate[16];
    snprintf(size, sizeof size, "%zux%zu", def->width, def->height);
    snprintf(rate, sizeof rate, "%d", settings->rate);
    const char *arguments[40] = {"ffmpeg", "-y",          "-loglevel", "error",      "-f", "rawvideo", "-pixel_format",
                                 "rgba",   "-video_size", size,        "-framerate", rate, "-i",       "-"};
    size_t count = 14;
    if (ends_in(settings->path, ".gif")) {
        arguments[count++] = "-filter_complex"; // a palette of the film's own, or skies would be in bands
        arguments[count++] = "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=sierra2_4a";
    } else {
        arguments[count++] = "-vf"; // the common encodings want even sides
        arguments[count++] = "scale=trunc(iw/2)*2:trunc(ih/2)*2:out_color_matrix=bt709,format=yuv420p";
        arguments[count++] = "-crf";
        arguments[count++] = ends_in(settings->path, ".webm") ? "30" : "18";
        if (ends_in(settings->path, ".webm")) {
            arguments[count++] = "-b:v";
            arguments[count++] = "0";
        } else {
            arguments[count++] = "-movflags";
            arguments[count++] = "+faststart";
        }
        arguments[count++] = "-colorspace";
        arguments[count++] = "bt709";
    }
    // A name that begins with a dash would be an option to it, and one with a colon a protocol.
    char path[PATH_MAX + 8];
    snprintf(path, sizeof path, "file:%s", settings->path);
    arguments[count++] = path;
    execvp("ffmpeg", (char *const *)arguments);
    _exit(127);
}

static scree_status encoder_start(encoder *made, const world_picture_def *def, const film_settings *settings,
                                  scree_error *error)
{
    int ends[2];
    *made = (encoder){.words = tmpfile()};
    if (!made->words || pipe(ends) != 0)
        return fail(error, SCREE_ERROR_IO, "cannot start ffmpeg: %s", strerror(errno));
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    made->process = fork();
    if (made->process == 0) {
        dup2(ends[0], STDIN_FILENO);
        dup2(fileno(made->words), STDERR_FILENO);
        dup2(fileno(made->words), STDOUT_FILENO);
        become_encoder(def, settings);
    }
    close(ends[0]);
    made->pipe = ends[1];
    return made->process > 0 ? SCREE_OK : fail(error, SCREE_ERROR_IO, "cannot start ffmpeg: %s", strerror(errno));
}

// False when ffmpeg takes no more; why it does not, it says at the end.
static bool encoder_add(encoder *to, const canvas *sheet)
{
    const char *at = (const char *)sheet->pixels;
    size_t left = sheet->width * sheet->height * sizeof *sheet->pixels;
    while (left > 0) {
        ssize_t written = write(to->pipe, at, left);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        at += written;
        left -= (size_t)written;
    }
    return true;
}

static scree_status encoder_finish(encoder *done, const char *path, scree_error *error)
{
    int status = 0;
    char words[256] = "";
    close(done->pipe);
    while (waitpid(done->process, &status, 0) < 0 && errno == EINTR)
        ;
    rewind(done->words);
    size_t length = fread(words, 1, sizeof words - 1, done->words);
    while (length > 0 && (words[length - 1] == '\n' || words[length - 1] == ' '))
        length--;
    words[length] = '\0';
    for (char *at = words; *at; at++)
        *at = *at == '\n' ? ' ' : *at;
    fclose(done->words);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return SCREE_OK;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return fail(error, SCREE_ERROR_IO,
                    "%s: a film needs ffmpeg, which is not installed; pictures of all frames are made by --all", path);
    return fail(error, SCREE_ERROR_IO, "%s: ffmpeg failed: %s", path, words);
}

// ------------------------------------------------------------------------------------------------------------- frames

// Measures the extent of a few frames, for a camera and a scale that suit all.
static scree_status measure(subject *drawn, world_picture_def *def, scree_error *error)
{
    world_picture_span over = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, HUGE_VAL, -HUGE_VAL};
    world_scene scene = {0};
    scree_status status = SCREE_OK;
    size_t count = drawn->count < MOST_MEASURED ? drawn->count : MOST_MEASURED;
    for (size_t i = 0; status == SCREE_OK && i < count; i++) {
        status = subject_show(drawn, count > 1 ? i * (drawn->count - 1) / (count - 1) : 0, error);
        if (status == SCREE_OK)
            status = world_scene_measure(&scene, &drawn->bodies, def, &over, error);
    }
    world_scene_free(&scene);
    def->has_span = true;
    def->span = over;
    if (!def->has_range && body_color_is_scale(def->color)) {
        def->has_range = true;
        def->low = over.scale_low;
        def->high = over.scale_high;
    }
    return status;
}

static scree_status save(const canvas *sheet, const char *folder, size_t number, scree_error *error)
{
    char name[32];
    snprintf(name, sizeof name, "%06zu.png", number);
    char *path = path_join(folder, name);
    scree_status status = path ? canvas_save(sheet, path, error) : fail_no_memory(error);
    free(path);
    return status;
}

static scree_status draw_frames(subject *drawn, world_picture_def def, const film_settings *settings, encoder *to,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    bool open = true;
    double start = def.azimuth;
    for (size_t frame = 0; status == SCREE_OK && open && frame < drawn->count; frame += settings->stride) {
        canvas sheet = {0};
        def.azimuth = start + settings->turn * (double)frame / (double)drawn->count;
        status = subject_show(drawn, frame, error);
        if (status == SCREE_OK)
            status = world_picture_draw(&drawn->bodies, &def, &sheet, error);
        if (status == SCREE_OK && settings->folder)
            status = save(&sheet, settings->path, frame, error);
        else if (status == SCREE_OK)
            open = encoder_add(to, &sheet);
        canvas_free(&sheet);
    }
    return status;
}

scree_status film_draw(subject *drawn, const world_picture_def *given, const film_settings *settings,
                       scree_error *error)
{
    world_picture_def def = *given;
    encoder film = {0};
    if (drawn->kind != PATH_RUN)
        return fail(error, SCREE_ERROR_INVALID, "%s: only a run has frames for a film or --all", drawn->path);
    if (settings->folder && mkdir(settings->path, 0777) != 0 && errno != EEXIST)
        return fail(error, SCREE_ERROR_IO, "%s: cannot make the folder: %s", settings->path, strerror(errno));
    scree_status status = measure(drawn, &def, error);
    if (status != SCREE_OK)
        return status;
    if (settings->folder)
        return draw_frames(drawn, def, settings, NULL, error);
    struct sigaction before, ignore = {.sa_handler = SIG_IGN}; // an ffmpeg that ends early is no reason to die
    sigaction(SIGPIPE, &ignore, &before);
    status = encoder_start(&film, &def, settings, error);
    if (status == SCREE_OK) {
        status = draw_frames(drawn, def, settings, &film, error);
        scree_error ending;
        scree_status ended = encoder_finish(&film, settings->path, &ending);
        if (status == SCREE_OK && ended != SCREE_OK) {
            status = ended;
            *error = ending;
        }
    }
    sigaction(SIGPIPE, &before, NULL);
    return status;
}
