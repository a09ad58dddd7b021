// The window of `scree view`: draws what a live simulation shows, and hands on what keys and mouse wish.
#ifndef VIEW_WINDOW_VIEWER_H
#define VIEW_WINDOW_VIEWER_H

#include <stdio.h>

#include "view/world/live.h"
#include "view/world/world_picture.h"

typedef struct viewer_def {
    const char *title;
    live_def source;                  // `wake` is the viewer's
    const char *const *variant_names; // by scene
    world_picture_def look;           // size of the window, colours, where the camera stands at first
    const char *shots;                // folder of screenshots
    const char *name;                 // how they are called
    FILE *log;                        // one line of JSON per action; NULL: none
} viewer_def;

// Opens the window and returns when it is closed. SCREE_ERROR_IO when there is no display or no OpenGL 3.3.
scree_status viewer_run(const viewer_def *def, scree_error *error);

#endif
