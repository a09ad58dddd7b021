// Every step may be missing on some machine, and each says so.
#include "view/gl/context.h"

#include <dlfcn.h>
#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <stdio.h>

#include "base/error.h"

static scree_status refuse(gl_context *context, const char *why, scree_error *error)
{
    gl_context_close(context);
    return fail(error, SCREE_ERROR_IO, "no OpenGL without a window on this machine: %s", why);
}

// libepoxy loads libraries when they are first needed, and ends the process when one is missing.
static bool library_is_there(const char *name)
{
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (library)
        dlclose(library);
    return library != NULL;
}

static bool client_has(const char *extension)
{
    return epoxy_has_egl_extension(EGL_NO_DISPLAY, extension);
}

static scree_status make_current(gl_context *made, scree_error *error)
{
    static const EGLint wanted[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    if (!epoxy_has_egl_extension(made->display, "EGL_KHR_no_config_context") ||
        !epoxy_has_egl_extension(made->display, "EGL_KHR_surfaceless_context"))
        return refuse(made, "EGL needs a surface here", error);
    if (!eglBindAPI(EGL_OPENGL_API))
        return refuse(made, "EGL knows no OpenGL", error);
    made->context = eglCreateContext(made->display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wanted);
    if (!made->context || !eglMakeCurrent(made->display, EGL_NO_SURFACE, EGL_NO_SURFACE, made->context))
        return refuse(made, "OpenGL 3.3 is not there", error);
    snprintf(made->renderer, sizeof made->renderer, "%s", (const char *)glGetString(GL_RENDERER));
    snprintf(made->version, sizeof made->version, "%s", (const char *)glGetString(GL_VERSION));
    return SCREE_OK;
}

scree_status gl_context_open(gl_context *context, scree_error *error)
{
    *context = (gl_context){0};
    if (!library_is_there("libEGL.so.1"))
        return refuse(context, "libEGL.so.1 is not installed", error);
    if (!library_is_there("libOpenGL.so.0") && !library_is_there("libGL.so.1"))
        return refuse(context, "neither libOpenGL.so.0 nor libGL.so.1 is installed", error);
    if (!client_has("EGL_EXT_platform_base") || !client_has("EGL_MESA_platform_surfaceless"))
        return refuse(context, "EGL knows no surfaceless platform", error);
    EGLDisplay display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (!display || !eglInitialize(display, NULL, NULL))
        return refuse(context, "EGL does not start", error);
    context->display = display;
    return make_current(context, error);
}

void gl_context_close(gl_context *context)
{
    if (context->display) {
        eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (context->context)
            eglDestroyContext(context->display, context->context);
        eglTerminate(context->display);
    }
    *context = (gl_context){0};
}
