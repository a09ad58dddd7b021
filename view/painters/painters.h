// Who draws the pictures of a command: OpenGL where this build and this machine have it, or else the rasteriser.
#ifndef VIEW_PAINTERS_PAINTERS_H
#define VIEW_PAINTERS_PAINTERS_H

#include "view/raster/painter.h"
#if SCREE_HAVE_GL
#include "view/gl/painter.h"
#endif

typedef enum painter_choice { PAINTER_AUTO, PAINTER_OPENGL, PAINTER_SOFTWARE } painter_choice;

typedef struct painters {
    bool opengl;
#if SCREE_HAVE_GL
    gl_painter gl;
#endif
} painters;

// Fails only for OpenGL that was asked for by name and is not there.
scree_status painters_open(painters *made, int choice, scree_error *error);
void painters_close(painters *made); // accepts one that is all zero

picture_painter painters_use(painters *made);

#endif
