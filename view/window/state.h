// The state that the parts of the window share: the loop (viewer.c), keys and mouse (controls.c), text (hud.c).
#ifndef VIEW_WINDOW_STATE_H
#define VIEW_WINDOW_STATE_H

#include <GLFW/glfw3.h>

#include "view/gl/panel.h"
#include "view/gl/renderer.h"
#include "view/window/viewer.h"
#include "view/world/orbit.h"
#include "view/world/world_scene.h"

typedef enum drag_kind { DRAG_NONE, DRAG_ORBIT, DRAG_PAN, DRAG_PULL } drag_kind;

typedef struct viewer {
    const viewer_def *def;
    GLFWwindow *window;
    int width, height; // of the framebuffer
    gl_renderer *renderer;
    gl_panel panel;
    live *source;
    const live_moment *moment; // drawn last; NULL before the first
    uint64_t generation;       // of that moment
    size_t variant;            // of that moment
    world_scene scene;
    world_picture_def look;
    orbit_camera camera;
    bool aimed; // the camera stands

    bool help, paused;
    bool contacts; // are asked for
    double speed;
    scree_id inspected; // 0: none

    drag_kind drag;
    double mouse_x, mouse_y;                 // where it moved last, in screen coordinates of the window
    double press_x, press_y, last_x, last_y; // of the mouse, in pixels of the framebuffer
    bool moved;                              // since the button went down
    scree_id pulled;
    scree_vec3 pull_point;
    double pull_depth;

    bool changed;     // something other than the moment: draw again
    bool hud_changed; // its text did
    double stirred;   // when the picture last moved [s]
    bool draft;       // the last picture was a quick one
    double fine_cost; // of the last fine picture [s]
    double frames_per_second;
    double count_start, hud_time;
    int counted;
    size_t shots;
    bool shoot; // a screenshot is wanted
} viewer;

// controls.c
void controls_attach(viewer *v);
void controls_fly(viewer *v, double seconds); // while keys are held

// hud.c
scree_status hud_draw(viewer *v, scree_error *error); // into the panel

// One action, as a line of JSON: {"action": "pause", ...}; the rest are members as by printf.
__attribute__((format(printf, 3, 4))) void viewer_log(const viewer *v, const char *action, const char *members, ...);

#endif
