// The textures that the passes of a picture write and read.
#ifndef VIEW_GL_TARGET_H
#define VIEW_GL_TARGET_H

#include <epoxy/gl.h>
#include <stddef.h>

#include "scree/status.h"

typedef struct gl_targets {
    size_t width, height, per_pixel, shadow_side;          // what they are made for
    GLuint samples, shadow, depth, open[2], picture;       // framebuffers
    GLuint albedo_texture, surface_texture, depth_texture; // of samples
    GLuint shadow_texture, pixel_depth_texture, open_textures[2], picture_texture;
} gl_targets;

// Makes them, or makes them again when the sizes differ; all zero at first. On failure there are none.
scree_status gl_targets_fit(gl_targets *targets, size_t width, size_t height, size_t per_pixel, size_t shadow_side,
                            scree_error *error);
void gl_targets_free(gl_targets *targets);

#endif
