// OpenGL 3.3 without a window: an EGL context without a surface, on a graphics card or, where there is none, on Mesa's
// software driver. No display server is needed.
#ifndef VIEW_GL_CONTEXT_H
#define VIEW_GL_CONTEXT_H

#include "scree/status.h"

enum { GL_CONTEXT_NAME_SIZE = 128 };

typedef struct gl_context {
    void *display, *context;
    char renderer[GL_CONTEXT_NAME_SIZE]; // what draws, such as "llvmpipe (LLVM 15.0.6, 256 bits)"
    char version[GL_CONTEXT_NAME_SIZE];  // of OpenGL
} gl_context;

// Makes a context current in the calling thread. SCREE_ERROR_IO when this machine has none, with the reason.
scree_status gl_context_open(gl_context *context, scree_error *error);

void gl_context_close(gl_context *context); // accepts one that failed to open, or is all zero

#endif
