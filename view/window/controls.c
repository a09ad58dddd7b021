// Keys and mouse. Every action has one function, one line of the log, and one line of the help in hud.c.
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/vec.h"
#include "view/window/state.h"

static const double TURN = 0.006; // [rad] per pixel

static viewer *viewer_of(GLFWwindow *window)
{
    return glfwGetWindowUserPointer(window);
}

static void stir(viewer *v)
{
    v->changed = true;
    v->stirred = clock_seconds();
}

static const char *truth(bool value)
{
    return value ? "true" : "false";
}

static void log_camera(const viewer *v, const char *action)
{
    picture_camera c = orbit_place(&v->camera);
    viewer_log(v, action, "\"from\": [%.9g, %.9g, %.9g], \"look_at\": [%.9g, %.9g, %.9g]", c.position.x, c.position.y,
               c.position.z, c.look_at.x, c.look_at.y, c.look_at.z);
}

// --------------------------------------------------------------------------------------------------------------- keys

static void pause(viewer *v)
{
    v->paused = !v->paused;
    live_pause(v->source, v->paused);
    viewer_log(v, "pause", "\"paused\": %s, \"time\": %.9g", truth(v->paused), v->moment ? v->moment->bodies.time : 0);
}

static void single_step(viewer *v)
{
    v->paused = true;
    live_step(v->source);
    viewer_log(v, "step", "\"steps\": %llu, \"time\": %.9g", v->moment ? (unsigned long long)v->moment->steps : 0ull,
               v->moment ? v->moment->bodies.time : 0);
}

static void reset(viewer *v, size_t variant)
{
    live_reset(v->source, variant);
    v->inspected = 0;
    viewer_log(v, "reset", "\"variant\": %zu", variant + 1);
}

static void choose_variant(viewer *v, size_t variant)
{
    if (variant >= v->def->source.scene_count || v->def->source.run)
        return;
    reset(v, variant);
}

static void change_speed(viewer *v, double factor)
{
    v->speed = fmin(fmax(v->speed * factor, 1.0 / 1024), 1024);
    live_set_speed(v->source, v->speed);
    viewer_log(v, "speed", "\"speed\": %.9g", v->speed);
}

static void next_color(viewer *v)
{
    bool of_contacts;
    do {
        v->look.color = (body_color)((v->look.color + 1) % BODY_COLORS);
        of_contacts = v->look.color == BODY_COLOR_FORCE || v->look.color == BODY_COLOR_COORDINATION;
    } while (of_contacts && v->moment && !v->moment->may_have_contacts);
    v->look.has_range = false;
    viewer_log(v, "color", "\"color\": \"%s\"", body_color_name(v->look.color));
}

static void toggle(viewer *v, bool *what, const char *action)
{
    *what = !*what;
    viewer_log(v, action, "\"shown\": %s", truth(*what));
}

static void toggle_grid(viewer *v)
{
    v->look.without_grid = v->look.bounds;
    toggle(v, &v->look.bounds, "grid");
    v->look.without_grid = !v->look.bounds;
}

static bool is_held(const viewer *v, int key)
{
    return glfwGetKey(v->window, key) == GLFW_PRESS;
}

// S alone is a screenshot; with another key or button of flying it is a step back.
static bool is_flying(const viewer *v)
{
    return is_held(v, GLFW_KEY_W) || is_held(v, GLFW_KEY_A) || is_held(v, GLFW_KEY_D) ||
           glfwGetMouseButton(v->window, GLFW_MOUSE_BUTTON_RIGHT) == GLFW_PRESS;
}

static void press_key(viewer *v, int key)
{
    if (key >= GLFW_KEY_1 && key <= GLFW_KEY_9) {
        choose_variant(v, (size_t)(key - GLFW_KEY_1));
        return;
    }
    switch (key) {
    case GLFW_KEY_SPACE:
        pause(v);
        break;
    case GLFW_KEY_PERIOD:
        single_step(v);
        break;
    case GLFW_KEY_R:
        reset(v, v->moment ? v->moment->variant : 0);
        break;
    case GLFW_KEY_P:
        toggle(v, &v->look.proxies, "proxies");
        break;
    case GLFW_KEY_C:
        next_color(v);
        break;
    case GLFW_KEY_F:
        toggle(v, &v->look.force_chains, "forces");
        break;
    case GLFW_KEY_G:
        toggle_grid(v);
        break;
    case GLFW_KEY_H:
        toggle(v, &v->help, "help");
        break;
    case GLFW_KEY_EQUAL:
    case GLFW_KEY_KP_ADD:
        change_speed(v, 2);
        break;
    case GLFW_KEY_MINUS:
    case GLFW_KEY_KP_SUBTRACT:
        change_speed(v, 0.5);
        break;
    case GLFW_KEY_S:
        v->shoot = !is_flying(v);
        break;
    case GLFW_KEY_HOME:
        v->aimed = false;
        viewer_log(v, "home", "\"aimed\": true");
        break;
    case GLFW_KEY_ESCAPE:
        glfwSetWindowShouldClose(v->window, GLFW_TRUE);
        break;
    default:
        break;
    }
}

static bool flies(int key)
{
    return key == GLFW_KEY_W || key == GLFW_KEY_A || key == GLFW_KEY_D || key == GLFW_KEY_Q || key == GLFW_KEY_E ||
           key == GLFW_KEY_UP || key == GLFW_KEY_DOWN || key == GLFW_KEY_LEFT || key == GLFW_KEY_RIGHT;
}

static void on_key(GLFWwindow *window, int key, int code, int action, int modifiers)
{
    (void)code;
    (void)modifiers;
    viewer *v = viewer_of(window);
    if (action == GLFW_PRESS)
        press_key(v, key);
    else if (action == GLFW_REPEAT && key == GLFW_KEY_PERIOD)
        single_step(v);
    else if (action == GLFW_RELEASE && flies(key))
        log_camera(v, "fly");
    v->hud_changed = true;
    stir(v);
}

void controls_fly(viewer *v, double seconds)
{
    const double rate = 0.7; // distances per second
    bool back = is_held(v, GLFW_KEY_S) && is_flying(v);
    double forward = (is_held(v, GLFW_KEY_W) || is_held(v, GLFW_KEY_UP)) - (back || is_held(v, GLFW_KEY_DOWN));
    double right =
        (is_held(v, GLFW_KEY_D) || is_held(v, GLFW_KEY_RIGHT)) - (is_held(v, GLFW_KEY_A) || is_held(v, GLFW_KEY_LEFT));
    double up = is_held(v, GLFW_KEY_E) - is_held(v, GLFW_KEY_Q);
    if (forward == 0 && right == 0 && up == 0)
        return;
    orbit_fly(&v->camera, forward * rate * seconds, right * rate * seconds, up * rate * seconds);
    stir(v);
}

// -------------------------------------------------------------------------------------------------------------- mouse

// Windows count in screen coordinates, pictures in pixels. Where the mouse was at an event, not where it has got to
// since.
static canvas_point mouse_place(const viewer *v)
{
    int width, height;
    glfwGetWindowSize(v->window, &width, &height);
    return (canvas_point){v->mouse_x * v->width / (width > 0 ? width : 1),
                          v->mouse_y * v->height / (height > 0 ? height : 1)};
}

static uint32_t body_under_mouse(const viewer *v, double *depth)
{
    if (!v->moment || !v->aimed)
        return WORLD_NO_BODY;
    return world_scene_pick(&v->scene, mouse_place(v), depth);
}

static void grab(viewer *v)
{
    double depth;
    uint32_t body = body_under_mouse(v, &depth);
    v->drag = DRAG_ORBIT;
    v->pulled = 0;
    if (body == WORLD_NO_BODY || body >= v->moment->bodies.ids.count || v->moment->bodies.infos.data[body].fixed)
        return;
    const scree_state *state = &v->moment->bodies.states.data[body];
    scree_vec3 point = orbit_point(&v->camera, mouse_place(v), v->width, v->height, depth);
    v->drag = DRAG_PULL;
    v->pulled = v->moment->bodies.ids.data[body];
    v->pull_depth = depth;
    v->pull_point = quat_rotate(quat_conjugate(state->orientation), vec3_sub(point, state->position));
}

static void inspect(viewer *v)
{
    double depth;
    uint32_t body = body_under_mouse(v, &depth);
    bool some = body != WORLD_NO_BODY && body < v->moment->bodies.ids.count;
    v->inspected = some ? v->moment->bodies.ids.data[body] : 0;
    viewer_log(v, "inspect", "\"body\": %llu", (unsigned long long)v->inspected);
}

static void let_go(viewer *v)
{
    uint32_t body = world_bodies_find(&v->moment->bodies, v->pulled);
    vec3 at = body == WORLD_NO_BODY ? vec3_make(0, 0, 0) : v->moment->bodies.states.data[body].position;
    live_pull(v->source, 0, at, at);
    viewer_log(v, "pull", "\"body\": %llu, \"position\": [%.9g, %.9g, %.9g]", (unsigned long long)v->pulled, at.x, at.y,
               at.z);
}

static void release(viewer *v)
{
    if (v->drag == DRAG_PULL && v->moved) {
        let_go(v);
    } else if (v->drag == DRAG_ORBIT && v->moved) {
        log_camera(v, "orbit");
    } else if (v->drag == DRAG_PAN && v->moved) {
        log_camera(v, "pan");
    } else if (v->drag == DRAG_ORBIT || v->drag == DRAG_PULL) {
        inspect(v);
    }
    v->drag = DRAG_NONE;
}

static void on_button(GLFWwindow *window, int button, int action, int modifiers)
{
    viewer *v = viewer_of(window);
    canvas_point at = mouse_place(v);
    if (action == GLFW_PRESS) {
        v->press_x = v->last_x = at.x;
        v->press_y = v->last_y = at.y;
        v->moved = false;
        if (button == GLFW_MOUSE_BUTTON_MIDDLE || (button == GLFW_MOUSE_BUTTON_LEFT && modifiers & GLFW_MOD_SHIFT))
            v->drag = DRAG_PAN;
        else if (button == GLFW_MOUSE_BUTTON_RIGHT)
            v->drag = DRAG_ORBIT;
        else
            grab(v);
    } else {
        release(v);
    }
    v->hud_changed = true;
    stir(v);
}

static void on_move(GLFWwindow *window, double x, double y)
{
    viewer *v = viewer_of(window);
    v->mouse_x = x;
    v->mouse_y = y;
    canvas_point at = mouse_place(v);
    double dx = at.x - v->last_x, dy = at.y - v->last_y;
    const double shake = 3; // a click may shake by so many pixels
    if (v->drag == DRAG_NONE)
        return;
    if (!v->moved && hypot(at.x - v->press_x, at.y - v->press_y) < shake)
        return;
    v->moved = true;
    v->last_x = at.x;
    v->last_y = at.y;
    if (v->drag == DRAG_ORBIT)
        orbit_turn(&v->camera, -TURN * dx, TURN * dy);
    else if (v->drag == DRAG_PAN)
        orbit_pan(&v->camera, dx, dy, v->height);
    else
        live_pull(v->source, v->pulled, v->pull_point, orbit_point(&v->camera, at, v->width, v->height, v->pull_depth));
    stir(v);
}

static void on_scroll(GLFWwindow *window, double x, double y)
{
    (void)x;
    viewer *v = viewer_of(window);
    orbit_zoom(&v->camera, pow(0.88, y));
    log_camera(v, "zoom");
    stir(v);
}

static void on_size(GLFWwindow *window, int width, int height)
{
    viewer *v = viewer_of(window);
    v->width = width;
    v->height = height;
    v->hud_changed = true;
    viewer_log(v, "size", "\"width\": %d, \"height\": %d", width, height);
    stir(v);
}

static void on_refresh(GLFWwindow *window)
{
    viewer_of(window)->changed = true;
}

void controls_attach(viewer *v)
{
    glfwSetWindowUserPointer(v->window, v);
    glfwSetKeyCallback(v->window, on_key);
    glfwSetMouseButtonCallback(v->window, on_button);
    glfwSetCursorPosCallback(v->window, on_move);
    glfwSetScrollCallback(v->window, on_scroll);
    glfwSetFramebufferSizeCallback(v->window, on_size);
    glfwSetWindowRefreshCallback(v->window, on_refresh);
}
