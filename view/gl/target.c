// Nothing is filtered: every reader names the texel that it wants.
#include "view/gl/target.h"

#include "base/error.h"

static GLuint make_texture(GLint format, GLenum parts, GLenum type, size_t width, size_t height)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, format, (GLsizei)width, (GLsizei)height, 0, parts, type, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return texture;
}

static bool make_framebuffer(GLuint *framebuffer, const GLuint *colors, GLsizei count, GLuint depth)
{
    static const GLenum places[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    glGenFramebuffers(1, framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
    for (GLsizei i = 0; i < count; i++)
        glFramebufferTexture2D(GL_FRAMEBUFFER, places[i], GL_TEXTURE_2D, colors[i], 0);
    if (depth)
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth, 0);
    if (count > 0) {
        glDrawBuffers(count, places);
    } else {
        glDrawBuffer(GL_NONE);
        glReadBuffer(GL_NONE);
    }
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

static GLuint make_depth(size_t width, size_t height)
{
    return make_texture(GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT, width, height);
}

scree_status gl_targets_fit(gl_targets *t, size_t width, size_t height, size_t per_pixel, size_t shadow_side,
                            scree_error *error)
{
    if (t->width == width && t->height == height && t->per_pixel == per_pixel && t->shadow_side == shadow_side)
        return SCREE_OK;
    gl_targets_free(t);
    *t = (gl_targets){.width = width, .height = height, .per_pixel = per_pixel, .shadow_side = shadow_side};
    size_t across = width * per_pixel, down = height * per_pixel;
    t->albedo_texture = make_texture(GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, across, down);
    t->surface_texture = make_texture(GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, across, down);
    t->depth_texture = make_depth(across, down);
    t->shadow_texture = make_depth(shadow_side, shadow_side);
    t->picture_texture = make_texture(GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, width, height);
    bool made =
        make_framebuffer(&t->samples, (const GLuint[]){t->albedo_texture, t->surface_texture}, 2, t->depth_texture);
    made = make_framebuffer(&t->shadow, NULL, 0, t->shadow_texture) && made;
    t->pixel_depth_texture = make_texture(GL_R32F, GL_RED, GL_FLOAT, width, height);
    made = make_framebuffer(&t->depth, &t->pixel_depth_texture, 1, 0) && made;
    made = make_framebuffer(&t->picture, &t->picture_texture, 1, 0) && made;
    for (int i = 0; i < 2; i++) {
        // Two of four parts are used: texels of four bytes are the quickest to fetch where a processor draws.
        t->open_textures[i] = make_texture(GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, width, height);
        made = make_framebuffer(&t->open[i], &t->open_textures[i], 1, 0) && made;
    }
    if (made && glGetError() == GL_NO_ERROR)
        return SCREE_OK;
    gl_targets_free(t);
    return fail(error, SCREE_ERROR_NO_MEMORY, "OpenGL has no room for a picture of %zu x %zu pixels", width, height);
}

void gl_targets_free(gl_targets *t)
{
    glDeleteFramebuffers(1, &t->samples);
    glDeleteFramebuffers(1, &t->shadow);
    glDeleteFramebuffers(1, &t->depth);
    glDeleteFramebuffers(1, &t->picture);
    glDeleteFramebuffers(2, t->open);
    glDeleteTextures(1, &t->albedo_texture);
    glDeleteTextures(1, &t->surface_texture);
    glDeleteTextures(1, &t->depth_texture);
    glDeleteTextures(1, &t->shadow_texture);
    glDeleteTextures(1, &t->pixel_depth_texture);
    glDeleteTextures(1, &t->picture_texture);
    glDeleteTextures(2, t->open_textures);
    *t = (gl_targets){0};
}
