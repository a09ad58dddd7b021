// Draws pictures with OpenGL 3.3: the same picture that picture_draw makes in software, light for light.
//
// Every solid is a rectangle on the screen in which each sample casts its ray, with true depth; meshes are triangles.
// Samples keep colour, normal and depth; then the sky's and the sun's light is found once per pixel, from the depths
// and from a shadow map, and each sample is lit. Objects that cannot be seen are left out on the way
// (view/raster/cull.h).
#ifndef VIEW_GL_RENDERER_H
#define VIEW_GL_RENDERER_H

#include "view/raster/picture.h"

typedef struct gl_renderer gl_renderer;

typedef struct gl_quality {
    int samples; // per pixel and axis: 1 or 2
    bool light;  // shadows and ambient occlusion
} gl_quality;

// Needs a current context of OpenGL 3.3 or newer here and in all calls below.
scree_status gl_renderer_make(gl_renderer **renderer, scree_error *error);
void gl_renderer_free(gl_renderer *renderer); // accepts NULL

// Draws what picture_check accepts, without legends, into a framebuffer of the renderer's own.
scree_status gl_renderer_draw(gl_renderer *renderer, const picture *scene, gl_quality quality, scree_error *error);

// Copies the last picture onto a canvas of its size.
void gl_renderer_read(const gl_renderer *renderer, canvas *sheet);

// Copies the last picture to the whole of framebuffer 0, a window's, of the given size in pixels.
void gl_renderer_show(const gl_renderer *renderer, int width, int height);

#endif
