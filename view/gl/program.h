// Shader programs: compiled from texts that follow one another, and their uniforms by name.
#ifndef VIEW_GL_PROGRAM_H
#define VIEW_GL_PROGRAM_H

#include <epoxy/gl.h>

#include "scree/status.h"

enum { GL_PROGRAM_TEXTS = 4 };

typedef struct gl_source {
    const char *defines;                    // lines "#define ...\n", or ""
    const char *vertex[GL_PROGRAM_TEXTS];   // texts one after another, up to the first NULL
    const char *fragment[GL_PROGRAM_TEXTS]; // as the vertex texts
} gl_source;

// Zero when it fails; the message then holds what the driver says.
GLuint gl_program_make(const gl_source *source, scree_error *error);

// Set a uniform of the program in use; one that the program does not have is left out.
void gl_set_int(GLuint program, const char *name, int value);
void gl_set_float(GLuint program, const char *name, float value);
void gl_set_floats(GLuint program, const char *name, int components, int count, const float *values);
void gl_set_matrix(GLuint program, const char *name, const float rows[3][3]);

// Binds a texture to a unit and names it to a sampler.
void gl_set_texture(GLuint program, const char *name, int unit, GLenum target, GLuint texture);

#endif
