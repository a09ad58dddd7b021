// The painter that draws pictures with OpenGL, without a window.
#ifndef VIEW_GL_PAINTER_H
#define VIEW_GL_PAINTER_H

#include "view/gl/context.h"
#include "view/gl/renderer.h"
#include "view/raster/painter.h"

typedef struct gl_painter {
    gl_context context;
    gl_renderer *renderer;
} gl_painter;

// For the thread that calls; SCREE_ERROR_IO with the reason when this machine cannot. On failure nothing needs closing.
scree_status gl_painter_open(gl_painter *painter, scree_error *error);
void gl_painter_close(gl_painter *painter); // accepts one that is all zero

// The painter for world pictures; `painter` must outlive it.
picture_painter gl_painter_use(gl_painter *painter);

#endif
