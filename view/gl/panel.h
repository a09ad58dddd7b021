// A canvas drawn over a whole window, with its transparency.
#ifndef VIEW_GL_PANEL_H
#define VIEW_GL_PANEL_H

#include <epoxy/gl.h>

#include "view/canvas/canvas.h"

typedef struct gl_panel {
    GLuint program, texture, array;
    size_t width, height; // of what was uploaded last
} gl_panel;

scree_status gl_panel_make(gl_panel *panel, scree_error *error); // in the current context
void gl_panel_free(gl_panel *panel);                             // accepts one that is all zero

void gl_panel_upload(gl_panel *panel, const canvas *sheet);

// Over framebuffer 0, which has the size of the sheet.
void gl_panel_draw(const gl_panel *panel);

#endif
