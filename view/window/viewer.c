// The loop of the window: waits for events or for a new moment, and draws when there is something new.
//
// Quick pictures without shadows are drawn while things move where a fine one takes long (OpenGL on the processor),
// and a fine one as soon as they have been still for a moment.
#include "view/window/viewer.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/error.h"
#include "view/chart/legend.h"
#include "view/window/state.h"

static const double SLOW = 0.06, STILL = 0.3; // a fine picture that takes longer; how long without a movement [s]

void viewer_log(const viewer *v, const char *action, const char *members, ...)
{
    if (!v->def->log)
        return;
    va_list arguments;
    va_start(arguments, members);
    fprintf(v->def->log, "{\"action\": \"%s\"", action);
    if (*members) {
        fprintf(v->def->log, ", ");
        vfprintf(v->def->log, members, arguments);
    }
    fprintf(v->def->log, "}\n");
    fflush(v->def->log);
    va_end(arguments);
}

// ------------------------------------------------------------------------------------------------------------ picture

// The scale holds still: it widens when bodies leave it, and is found anew with another colour or world.
static void keep_range(viewer *v)
{
    if (!body_color_is_scale(v->look.color) || v->def->look.has_range)
        return;
    if (!v->look.has_range || v->scene.high > v->look.high || v->scene.low < v->look.low) {
        v->look.low = v->look.has_range ? fmin(v->look.low, v->scene.low) : v->scene.low;
        v->look.high = v->look.has_range ? fmax(v->look.high, v->scene.high) : v->scene.high;
        v->look.has_range = v->look.low < v->look.high;
        v->hud_changed = true;
    }
}

static bool tells_contacts(body_color what)
{
    return what == BODY_COLOR_FORCE || what == BODY_COLOR_COORDINATION;
}

// Contacts are asked for while they are drawn or inspected.
static void want_contacts(viewer *v)
{
    bool wanted = v->look.force_chains || v->look.normals || tells_contacts(v->look.color) || v->inspected != 0;
    if (wanted != v->contacts)
        live_want_contacts(v->source, wanted);
    v->contacts = wanted;
}

static scree_status fill_scene(viewer *v, scree_error *error)
{
    if (tells_contacts(v->look.color) && !v->moment->bodies.has_contacts) {
        if (v->scene.values.count == v->moment->bodies.ids.count)
            return SCREE_OK; // they are on the way: the last picture stays
        v->look.color = BODY_COLOR_SPEED;
    }
    world_picture_def measured = v->look;
    measured.has_range = v->def->look.has_range;
    measured.width = (size_t)(v->width > 64 ? v->width : 64);
    measured.height = (size_t)(v->height > 64 ? v->height : 64);
    if (!v->moment->bodies.has_contacts)
        measured.force_chains = measured.normals = false;
    scree_status status = world_scene_fill(&v->scene, &v->moment->bodies, &measured, error);
    if (status != SCREE_OK)
        return status;
    keep_range(v);
    if (body_color_is_scale(v->look.color) && v->look.has_range) { // once more with the scale that is kept
        measured.has_range = true;
        measured.low = v->look.low;
        measured.high = v->look.high;
        status = world_scene_fill(&v->scene, &v->moment->bodies, &measured, error);
    }
    if (status == SCREE_OK && !v->aimed) {
        status = world_scene_aim(&v->scene, &measured, error);
        v->camera = orbit_from(&v->scene.picture.camera);
        v->aimed = true;
    }
    v->scene.picture.camera = orbit_place(&v->camera);
    return status;
}

// The spring by which the mouse pulls.
static scree_status add_pull(viewer *v, scree_error *error)
{
    if (!v->moment->pulling)
        return SCREE_OK;
    picture_line line = {
        {v->moment->pull[0], v->moment->pull[1]}, 0.004 * v->camera.distance, 0.6f, {200, 30, 30, 255}};
    if (!array_push(&v->scene.lines, line))
        return fail_no_memory(error);
    v->scene.picture.lines = v->scene.lines.data;
    v->scene.picture.line_count = v->scene.lines.count;
    return SCREE_OK;
}

static void save_shot(viewer *v)
{
    canvas sheet;
    char path[1024];
    struct stat about;
    const picture *p = &v->scene.picture;
    do
        snprintf(path, sizeof path, "%s/%s-%03zu.png", v->def->shots, v->def->name, v->shots++);
    while (stat(path, &about) == 0);
    if (canvas_make(&sheet, p->width, p->height, color_make(0xffffff), NULL) != SCREE_OK)
        return;
    gl_renderer_read(v->renderer, &sheet);
    legend_draw(p, &sheet);
    scree_error error = {0};
    bool saved = canvas_save(&sheet, path, &error) == SCREE_OK;
    viewer_log(v, "screenshot", "\"saved\": %s, \"file\": \"%s\"", saved ? "true" : "false", path);
    canvas_free(&sheet);
}

static scree_status draw(viewer *v, scree_error *error)
{
    double start = clock_seconds();
    bool quick = v->fine_cost > SLOW && start - v->stirred < STILL && !v->shoot;
    scree_status status = fill_scene(v, error);
    if (status == SCREE_OK)
        status = add_pull(v, error);
    gl_quality quality = {.samples = quick || v->width > 4096 ? 1 : 2, .light = !quick};
    if (status == SCREE_OK)
        status = gl_renderer_draw(v->renderer, &v->scene.picture, quality, error);
    if (status != SCREE_OK)
        return status;
    if (v->shoot)
        save_shot(v);
    v->shoot = false;
    gl_renderer_show(v->renderer, v->width, v->height);
    if (v->hud_changed || start - v->hud_time > 0.25) {
        status = hud_draw(v, error);
        v->hud_time = start;
        v->hud_changed = false;
    }
    gl_panel_draw(&v->panel);
    glfwSwapBuffers(v->window);
    v->draft = quick;
    if (!quick)
        v->fine_cost = clock_seconds() - start;
    return status;
}

// --------------------------------------------------------------------------------------------------------------- loop

static void count_frame(viewer *v)
{
    double now = clock_seconds();
    v->counted++;
    if (now - v->count_start > 1) {
        v->frames_per_second = v->counted / (now - v->count_start);
        v->count_start = now;
        v->counted = 0;
    }
}

static void look(viewer *v)
{
    bool is_new;
    const live_moment *moment = live_look(v->source, &is_new);
    if (!moment || !is_new)
        return;
    if (v->generation != moment->generation) // another world: another scale
        v->look.has_range = v->def->look.has_range;
    if (v->variant != moment->variant) // and perhaps of another size
        v->aimed = false;
    if (!moment->paused || !v->moment)
        v->stirred = clock_seconds();
    v->moment = moment;
    v->generation = moment->generation;
    v->variant = moment->variant;
    v->changed = true;
}

static scree_status loop(viewer *v, scree_error *error)
{
    scree_status status = SCREE_OK;
    double last = clock_seconds();
    v->count_start = v->stirred = last;
    while (status == SCREE_OK && !glfwWindowShouldClose(v->window)) {
        double now = clock_seconds(), still = v->draft ? v->stirred + STILL - now : 0.25;
        if (v->changed)
            glfwPollEvents();
        else
            glfwWaitEventsTimeout(fmax(still, 0.001));
        now = clock_seconds();
        controls_fly(v, fmin(now - last, 0.1));
        last = now;
        want_contacts(v);
        look(v);
        bool refine = v->draft && now - v->stirred >= STILL;
        if (v->moment && v->width > 0 && v->height > 0 && (v->changed || refine)) {
            v->changed = false;
            status = draw(v, error);
            count_frame(v);
        }
    }
    return status;
}

static scree_status open_window(viewer *v, scree_error *error)
{
    const char *why = NULL;
    if (!glfwInit()) {
        glfwGetError(&why);
        return fail(error, SCREE_ERROR_IO, "no window on this machine: %s", why ? why : "GLFW does not start");
    }
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    v->window = glfwCreateWindow((int)v->look.width, (int)v->look.height, v->def->title, NULL, NULL);
    if (!v->window) {
        glfwGetError(&why);
        return fail(error, SCREE_ERROR_IO, "no window with OpenGL 3.3: %s", why ? why : "GLFW does not say why");
    }
    glfwMakeContextCurrent(v->window);
    glfwSwapInterval(1);
    glfwGetFramebufferSize(v->window, &v->width, &v->height);
    return SCREE_OK;
}

static void close_window(viewer *v)
{
    live_close(v->source);
    if (v->window) {
        gl_renderer_free(v->renderer);
        gl_panel_free(&v->panel);
        glfwDestroyWindow(v->window);
    }
    glfwTerminate();
    world_scene_free(&v->scene);
}

scree_status viewer_run(const viewer_def *def, scree_error *error)
{
    viewer v = {.def = def, .look = def->look, .paused = def->source.paused, .speed = 1, .hud_changed = true};
    live_def source = def->source;
    source.wake = glfwPostEmptyEvent;
    scree_status status = open_window(&v, error);
    if (status == SCREE_OK)
        status = gl_renderer_make(&v.renderer, error);
    if (status == SCREE_OK)
        status = gl_panel_make(&v.panel, error);
    if (status == SCREE_OK)
        status = live_open(&v.source, &source, error);
    if (status == SCREE_OK) {
        controls_attach(&v);
        viewer_log(&v, "open", "\"width\": %d, \"height\": %d", v.width, v.height);
        status = loop(&v, error);
        viewer_log(&v, "close", "\"frames_per_second\": %.3g, \"steps_per_second\": %.4g, \"own_share\": %.4g",
                   v.frames_per_second, v.moment ? v.moment->steps_per_second : 0, v.moment ? v.moment->own_share : 0);
    }
    close_window(&v);
    return status;
}
