// Without OpenGL in the build everything is drawn in software, and only asking for more is an error.
#include "view/painters/painters.h"

#include "base/error.h"

#if SCREE_HAVE_GL

scree_status painters_open(painters *made, int choice, scree_error *error)
{
    *made = (painters){0};
    if (choice == PAINTER_SOFTWARE)
        return SCREE_OK;
    scree_status status = gl_painter_open(&made->gl, error);
    made->opengl = status == SCREE_OK;
    return choice == PAINTER_OPENGL ? status : SCREE_OK;
}

void painters_close(painters *made)
{
    if (made->opengl)
        gl_painter_close(&made->gl);
    *made = (painters){0};
}

picture_painter painters_use(painters *made)
{
    return made->opengl ? gl_painter_use(&made->gl) : (picture_painter){0};
}

#else

scree_status painters_open(painters *made, int choice, scree_error *error)
{
    *made = (painters){0};
    if (choice == PAINTER_OPENGL)
        return fail(error, SCREE_ERROR_IO,
                    "this build draws without OpenGL; --renderer auto and software are accepted");
    return SCREE_OK;
}

void painters_close(painters *made)
{
    *made = (painters){0};
}

picture_painter painters_use(painters *made)
{
    return (picture_painter){.self = made};
}

#endif
