// The passes of a picture, in order: objects and planes into the samples, shadow map, light per pixel, its smoothing,
// and the finished pixels.
#include "view/gl/renderer.h"

#include <epoxy/gl.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "view/gl/batch.h"
#include "view/gl/program.h"
#include "view/gl/shaders.h"
#include "view/gl/target.h"
#include "view/raster/camera.h"
#include "view/raster/ground.h"
#include "view/raster/light.h"
#include "view/world/overlay.h"

enum { MOST_PLANES = 24, TAPS = 24 };

enum {
    PROGRAM_SURFACE,
    PROGRAM_DEPTH,
    PROGRAM_LIGHT,        // with eight taps at both scales of occlusion
    PROGRAM_LIGHT_COARSE, // with sixteen at the coarse one
    PROGRAM_LIGHT_BOTH,
    PROGRAM_SMOOTH,
    PROGRAM_FINISH,
    PROGRAM_PANE,
    PROGRAM_LINE,
    PROGRAMS
};

static const unsigned GROUND_COLOR = 0xd8d6d1;
static const char *const KIND_NAMES[GL_KINDS] = {"SPHERE", "BOX", "ELLIPSOID", "CAPSULE", "CYLINDER", "CONE", "HULL"};

// A buffer that shaders read texel by texel.
typedef struct texel_buffer {
    GLuint buffer, texture;
} texel_buffer;

struct gl_renderer {
    GLuint objects[GL_KINDS][2];     // by kind and use; 0 until first needed
    GLuint programs[PROGRAMS][2];    // by samples per pixel and axis less one; made when first used
    GLuint grounds[MOST_PLANES + 1]; // by the number of planes; made when first used
    GLuint empty_array, surface_array, surface_buffer;
    texel_buffer texels, colors, faces;
    gl_targets targets;
    gl_batch batches[2]; // by use
};

// The values that all passes of one picture share.
typedef struct pass {
    gl_renderer *renderer;
    const picture *scene;
    gl_quality quality;
    raster_view view;
    extent span;
    vec3 middle, up;
    double radius, grain;
    float depths[2]; // of the camera: kept depth = depths[0] z + depths[1]
    light sun;
    float sun_depths[2];
} pass;

static void texel_buffer_make(texel_buffer *made, GLenum format)
{
    glGenBuffers(1, &made->buffer);
    glGenTextures(1, &made->texture);
    glBindBuffer(GL_TEXTURE_BUFFER, made->buffer);
    glBindTexture(GL_TEXTURE_BUFFER, made->texture);
    glTexBuffer(GL_TEXTURE_BUFFER, format, made->buffer);
}

static void texel_buffer_fill(const texel_buffer *to, const void *data, size_t bytes)
{
    glBindBuffer(GL_TEXTURE_BUFFER, to->buffer);
    glBufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)bytes, data, GL_STREAM_DRAW);
}

static void texel_buffer_free(texel_buffer *from)
{
    glDeleteBuffers(1, &from->buffer);
    glDeleteTextures(1, &from->texture);
}

scree_status gl_renderer_make(gl_renderer **renderer, scree_error *error)
{
    *renderer = NULL;
    if (epoxy_gl_version() < 33)
        return fail(error, SCREE_ERROR_IO, "OpenGL %d.%d is there, and 3.3 is needed", epoxy_gl_version() / 10,
                    epoxy_gl_version() % 10);
    gl_renderer *made = calloc(1, sizeof *made);
    if (!made)
        return fail_no_memory(error);
    glGenVertexArrays(1, &made->empty_array);
    glGenVertexArrays(1, &made->surface_array);
    glGenBuffers(1, &made->surface_buffer);
    texel_buffer_make(&made->texels, GL_RGBA32F);
    texel_buffer_make(&made->colors, GL_RGBA8);
    texel_buffer_make(&made->faces, GL_RGBA32F);
    *renderer = made;
    return SCREE_OK;
}

void gl_renderer_free(gl_renderer *renderer)
{
    if (!renderer)
        return;
    for (int i = 0; i < GL_KINDS; i++)
        for (int use = 0; use < 2; use++)
            glDeleteProgram(renderer->objects[i][use]);
    for (int i = 0; i < PROGRAMS; i++)
        for (int k = 0; k < 2; k++)
            glDeleteProgram(renderer->programs[i][k]);
    for (int i = 0; i <= MOST_PLANES; i++)
        glDeleteProgram(renderer->grounds[i]);
    glDeleteVertexArrays(1, &renderer->empty_array);
    glDeleteVertexArrays(1, &renderer->surface_array);
    glDeleteBuffers(1, &renderer->surface_buffer);
    texel_buffer_free(&renderer->texels);
    texel_buffer_free(&renderer->colors);
    texel_buffer_free(&renderer->faces);
    gl_targets_free(&renderer->targets);
    gl_batch_free(&renderer->batches[GL_FOR_PICTURE]);
    gl_batch_free(&renderer->batches[GL_FOR_SHADOW]);
    free(renderer);
}

// ---------------------------------------------------------------------------------------------------------- programs

static GLuint object_program(gl_renderer *renderer, gl_kind kind, gl_batch_use use, scree_error *error)
{
    GLuint *program = &renderer->objects[kind][use];
    if (*program == 0) {
        char defines[64];
        snprintf(defines, sizeof defines, "#define %s\n%s", KIND_NAMES[kind],
                 use == GL_FOR_SHADOW ? "#define SHADOW\n" : "");
        *program = gl_program_make(&(gl_source){defines,
                                                {gl_shader_view_glsl, gl_shader_object_vert},
                                                {gl_shader_view_glsl, gl_shader_keep_frag,
                                                 kind == GL_SPHERES ? gl_shader_sphere_frag : gl_shader_solid_frag}},
                                   error);
    }
    return *program;
}

static GLuint other_program(const pass *p, int which, scree_error *error)
{
    static const char *const numbers[] = {"#define SAMPLES 1\n", "#define SAMPLES 2\n"};
    static const gl_source sources[PROGRAMS] = {
        [PROGRAM_SURFACE] = {"#define SPHERE\n",
                             {gl_shader_view_glsl, gl_shader_surface_vert},
                             {gl_shader_view_glsl, gl_shader_keep_frag, gl_shader_surface_frag}},
        [PROGRAM_DEPTH] = {"", {gl_shader_screen_vert}, {gl_shader_view_glsl, gl_shader_depth_frag}},
        [PROGRAM_LIGHT] = {"#define FINE 0, 8\n#define COARSE 0, 8\n",
                           {gl_shader_screen_vert},
                           {gl_shader_view_glsl, gl_shader_light_frag}},
        [PROGRAM_LIGHT_COARSE] = {"#define FINE 0, 8\n#define COARSE 8, 16\n",
                                  {gl_shader_screen_vert},
                                  {gl_shader_view_glsl, gl_shader_light_frag}},
        [PROGRAM_LIGHT_BOTH] = {"#define FINE 8, 16\n#define COARSE 8, 16\n",
                                {gl_shader_screen_vert},
                                {gl_shader_view_glsl, gl_shader_light_frag}},
        [PROGRAM_SMOOTH] = {"", {gl_shader_screen_vert}, {gl_shader_view_glsl, gl_shader_smooth_frag}},
        [PROGRAM_FINISH] = {"", {gl_shader_screen_vert}, {gl_shader_view_glsl, gl_shader_finish_frag}},
        [PROGRAM_PANE] = {"#define BOX\n#define PANE\n",
                          {gl_shader_view_glsl, gl_shader_object_vert},
                          {gl_shader_view_glsl, gl_shader_keep_frag, gl_shader_solid_frag}},
        [PROGRAM_LINE] = {"", {gl_shader_view_glsl, gl_shader_line_vert}, {gl_shader_view_glsl, gl_shader_line_frag}},
    };
    int more = p->quality.samples - 1;
    GLuint *program = &p->renderer->programs[which][more];
    if (*program == 0) {
        gl_source source = sources[which];
        char defines[96];
        snprintf(defines, sizeof defines, "%s%s", source.defines, numbers[more]);
        source.defines = defines;
        *program = gl_program_make(&source, error);
    }
    return *program;
}

static GLuint ground_program(gl_renderer *renderer, size_t planes, scree_error *error)
{
    if (renderer->grounds[planes] == 0) {
        char defines[64];
        snprintf(defines, sizeof defines, "#define SPHERE\n#define COUNT %zu\n", planes);
        renderer->grounds[planes] = gl_program_make(
            &(gl_source){
                defines, {gl_shader_screen_vert}, {gl_shader_view_glsl, gl_shader_keep_frag, gl_shader_ground_frag}},
            error);
    }
    return renderer->grounds[planes];
}

static void set_view(GLuint program, const raster_view *view, const float depths[2], vec3 reference)
{
    float rows[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            rows[i][j] = (float)view->axes.m[i][j];
    vec3f eye = vec3f_from(vec3_sub(view->origin, reference));
    glUseProgram(program);
    gl_set_matrix(program, "axes", rows);
    gl_set_floats(program, "eye", 3, 1, &eye.x);
    gl_set_floats(program, "frame", 4, 1, (const float[]){view->left, view->top, view->step, view->nearest});
    gl_set_floats(program, "extent", 2, 1, (const float[]){(float)view->width, (float)view->height});
    gl_set_floats(program, "depths", 2, 1, depths);
    gl_set_float(program, "perspective", view->perspective ? 1 : 0);
}

static void set_scene(GLuint program, const pass *p)
{
    vec3f middle = vec3f_from(raster_view_point(&p->view, p->middle));
    gl_set_float(program, "pixel", (float)p->quality.samples);
    gl_set_floats(program, "middle", 4, 1, (const float[]){middle.x, middle.y, middle.z, (float)p->radius});
}

// ----------------------------------------------------------------------------------------------------------- objects

// Six corners for each object of the list, by the program in use.
static void draw_list(const gl_renderer *r, GLuint program, const gl_list *list)
{
    texel_buffer_fill(&r->texels, list->texels.data, list->texels.count * sizeof *list->texels.data);
    texel_buffer_fill(&r->colors, list->colors.data, list->colors.count * sizeof *list->colors.data);
    gl_set_texture(program, "objects", 0, GL_TEXTURE_BUFFER, r->texels.texture);
    gl_set_texture(program, "colors", 1, GL_TEXTURE_BUFFER, r->colors.texture);
    gl_set_texture(program, "faces", 2, GL_TEXTURE_BUFFER, r->faces.texture);
    glBindVertexArray(r->empty_array);
    glDrawArrays(GL_TRIANGLES, 0, (GLsizei)(6 * list->count));
}

static scree_status draw_kind(const pass *p, gl_kind kind, gl_batch_use use, const raster_view *view,
                              const float depths[2], scree_error *error)
{
    gl_renderer *r = p->renderer;
    const gl_list *list = &r->batches[use].lists[kind];
    if (list->count == 0)
        return SCREE_OK;
    GLuint program = object_program(r, kind, use, error);
    if (program == 0)
        return SCREE_ERROR_IO;
    set_view(program, view, depths, p->middle);
    set_scene(program, p);
    draw_list(r, program, list);
    return SCREE_OK;
}

static scree_status draw_objects(const pass *p, gl_batch_use use, const raster_view *view, const float depths[2],
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    for (int kind = 0; status == SCREE_OK && kind < GL_KINDS; kind++)
        status = draw_kind(p, (gl_kind)kind, use, view, depths, error);
    return status;
}

typedef struct surface_corner { // as surface.vert takes it
    vec3f corner, normal;
    color tint;
} surface_corner;

static scree_status draw_surfaces(const pass *p, scree_error *error)
{
    gl_renderer *r = p->renderer;
    size_t count = 3 * p->scene->triangle_count;
    ARRAY(surface_corner) corners = {0};
    GLuint program = count > 0 ? other_program(p, PROGRAM_SURFACE, error) : 0;
    if (count == 0)
        return SCREE_OK;
    if (program == 0)
        return SCREE_ERROR_IO;
    if (!array_resize(&corners, count))
        return fail_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        const picture_triangle *t = &p->scene->triangles[i / 3];
        color tint = {t->color.r, t->color.g, t->color.b, 0};
        corners.data[i] = (surface_corner){vec3f_from(vec3_sub(t->corners[i % 3], p->middle)), t->normals[i % 3], tint};
    }
    glBindVertexArray(r->surface_array);
    glBindBuffer(GL_ARRAY_BUFFER, r->surface_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof *corners.data), corners.data, GL_STREAM_DRAW);
    array_free(&corners);
    const GLsizei stride = sizeof(surface_corner);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, stride, (void *)offsetof(surface_corner, corner));
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, stride, (void *)offsetof(surface_corner, normal));
    glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride, (void *)offsetof(surface_corner, tint));
    for (GLuint i = 0; i < 3; i++)
        glEnableVertexAttribArray(i);
    set_view(program, &p->view, p->depths, p->middle);
    set_scene(program, p);
    glEnable(GL_CULL_FACE);
    glFrontFace(GL_CW); // rows run downwards, which turns all triangles over
    glDrawArrays(GL_TRIANGLES, 0, (GLsizei)count);
    glDisable(GL_CULL_FACE);
    return SCREE_OK;
}

static void draw_screen(const gl_renderer *r)
{
    glBindVertexArray(r->empty_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void set_planes(GLuint program, const ground *planes, int count)
{
    float plane[MOST_PLANES][4], middle[MOST_PLANES][4], along[MOST_PLANES][4], across[MOST_PLANES][4];
    float fade[MOST_PLANES][2];
    for (int i = 0; i < count; i++) {
        const ground_plane *g = &planes->planes.data[i];
        memcpy(plane[i], (const float[]){g->normal.x, g->normal.y, g->normal.z, g->offset}, sizeof plane[i]);
        memcpy(middle[i], (const float[]){g->middle.x, g->middle.y, g->middle.z, g->lined ? 1 : 0}, sizeof middle[i]);
        memcpy(along[i], (const float[]){g->along.x, g->along.y, g->along.z, g->phase_along}, sizeof along[i]);
        memcpy(across[i], (const float[]){g->across.x, g->across.y, g->across.z, g->phase_across}, sizeof across[i]);
        fade[i][0] = g->fade_start;
        fade[i][1] = g->seen ? g->fade_end : 0;
    }
    gl_set_floats(program, "planes", 4, count, plane[0]);
    gl_set_floats(program, "middles", 4, count, middle[0]);
    gl_set_floats(program, "alongs", 4, count, along[0]);
    gl_set_floats(program, "acrosses", 4, count, across[0]);
    gl_set_floats(program, "fades", 2, count, fade[0]);
    gl_set_float(program, "grid", planes->grid);
    gl_set_float(program, "slack", planes->slack);
}

static scree_status draw_planes(const pass *p, scree_error *error)
{
    if (p->scene->plane_count == 0)
        return SCREE_OK;
    size_t count = p->scene->plane_count < MOST_PLANES ? p->scene->plane_count : MOST_PLANES;
    GLuint program = ground_program(p->renderer, count, error);
    ground planes;
    if (program == 0)
        return SCREE_ERROR_IO;
    if (!ground_make(&planes, p->scene, &p->view, p->up, p->middle, p->radius))
        return fail_no_memory(error);
    color paint = color_make(GROUND_COLOR);
    set_view(program, &p->view, p->depths, p->middle);
    set_scene(program, p);
    set_planes(program, &planes, (int)count);
    gl_set_floats(program, "ground_color", 3, 1,
                  (const float[]){(float)paint.r / 255, (float)paint.g / 255, (float)paint.b / 255});
    ground_free(&planes);
    draw_screen(p->renderer);
    return SCREE_OK;
}

static void bind_target(GLuint framebuffer, size_t width, size_t height)
{
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, (GLsizei)width, (GLsizei)height);
}

static scree_status draw_samples(const pass *p, scree_error *error)
{
    const gl_targets *t = &p->renderer->targets;
    bind_target(t->samples, p->view.width, p->view.height);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    glDisable(GL_BLEND);
    glClearColor(0, 0, 0, 0);
    glClearDepth(1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    scree_status status = draw_objects(p, GL_FOR_PICTURE, &p->view, p->depths, error);
    if (status == SCREE_OK)
        status = draw_surfaces(p, error);
    return status == SCREE_OK ? draw_planes(p, error) : status;
}

// ------------------------------------------------------------------------------------------------------------- light

static scree_status draw_shadows(const pass *p, scree_error *error)
{
    bind_target(p->renderer->targets.shadow, p->sun.view.width, p->sun.view.height);
    glClear(GL_DEPTH_BUFFER_BIT);
    return draw_objects(p, GL_FOR_SHADOW, &p->sun.view, p->sun_depths, error);
}

static void set_sun(GLuint program, const pass *p)
{
    const light *sun = &p->sun;
    gl_set_floats(program, "toward", 3, 1, &sun->toward.x);
    gl_set_matrix(program, "to_light", sun->turn);
    gl_set_floats(program, "light_shift", 3, 1, &sun->shift.x);
    gl_set_floats(program, "light_frame", 4, 1,
                  (const float[]){sun->view.left, sun->view.top, sun->view.step, sun->bias});
    gl_set_floats(program, "light_depths", 2, 1, p->sun_depths);
    gl_set_floats(program, "probes", 2, LIGHT_PROBES, sun->probes[0]);
}

// Spirals of taps as in view/raster/occlusion.c, with fewer taps: smoothing takes in nine of them.
static void set_taps(GLuint program)
{
    static const struct {
        int taps, turns;
    } levels[] = {{8, 5}, {16, 7}};
    static const unsigned char order[9] = {0, 5, 7, 3, 8, 1, 6, 2, 4}; // unlike turns side by side
    float taps[TAPS][2], turns[9][2];
    int at = 0;
    for (size_t level = 0; level < sizeof levels / sizeof *levels; level++)
        for (int i = 0; i < levels[level].taps; i++, at++) {
            float share = ((float)i + 0.5f) / (float)levels[level].taps;
            float angle = 6.2831853f * share * (float)levels[level].turns;
            taps[at][0] = share * cosf(angle);
            taps[at][1] = share * sinf(angle);
        }
    for (int i = 0; i < 9; i++) {
        turns[i][0] = cosf(6.2831853f * (float)order[i] / 9);
        turns[i][1] = sinf(6.2831853f * (float)order[i] / 9);
    }
    gl_set_floats(program, "taps", 2, TAPS, taps[0]);
    gl_set_floats(program, "turns", 2, 9, turns[0]);
}

// Draws one depth per pixel, from which light is found.
static scree_status draw_depth(const pass *p, scree_error *error)
{
    const gl_targets *t = &p->renderer->targets;
    GLuint program = other_program(p, PROGRAM_DEPTH, error);
    if (program == 0)
        return SCREE_ERROR_IO;
    bind_target(t->depth, p->scene->width, p->scene->height);
    set_view(program, &p->view, p->depths, p->middle);
    gl_set_texture(program, "depth_map", 0, GL_TEXTURE_2D, t->depth_texture);
    draw_screen(p->renderer);
    return SCREE_OK;
}

// More taps where the discs that they are strewn over are large on the screen, in the middle of the scene.
static int light_program(const pass *p, const float radii[2])
{
    const double most = 128; // pixels that eight taps are enough for: with smoothing they are seventy-two
    double depth = raster_view_point(&p->view, p->middle).z, pixel = (double)p->view.step * p->quality.samples;
    double reach = most * pixel * fmax(depth, 0);
    return (double)radii[1] <= reach   ? PROGRAM_LIGHT
           : (double)radii[0] <= reach ? PROGRAM_LIGHT_COARSE
                                       : PROGRAM_LIGHT_BOTH;
}

static scree_status draw_light(const pass *p, scree_error *error)
{
    const gl_targets *t = &p->renderer->targets;
    const float radii[2] = {(float)(1.6 * p->grain), (float)fmax(0.16 * p->radius, 4 * p->grain)};
    GLuint found = other_program(p, light_program(p, radii), error);
    GLuint smooth = found ? other_program(p, PROGRAM_SMOOTH, error) : 0;
    if (smooth == 0 || draw_depth(p, error) != SCREE_OK)
        return SCREE_ERROR_IO;
    bind_target(t->open[0], p->scene->width, p->scene->height);
    set_view(found, &p->view, p->depths, p->middle);
    set_sun(found, p);
    set_taps(found);
    gl_set_floats(found, "radii", 2, 1, radii);
    gl_set_texture(found, "depth_map", 0, GL_TEXTURE_2D, t->pixel_depth_texture);
    gl_set_texture(found, "surface_map", 1, GL_TEXTURE_2D, t->surface_texture);
    gl_set_texture(found, "shadow_map", 2, GL_TEXTURE_2D, t->shadow_texture);
    draw_screen(p->renderer);
    bind_target(t->open[1], p->scene->width, p->scene->height);
    set_view(smooth, &p->view, p->depths, p->middle);
    gl_set_float(smooth, "grain", (float)p->grain);
    gl_set_texture(smooth, "depth_map", 0, GL_TEXTURE_2D, t->pixel_depth_texture);
    gl_set_texture(smooth, "open_map", 1, GL_TEXTURE_2D, t->open_textures[0]);
    draw_screen(p->renderer);
    return SCREE_OK;
}

// Everything is open to the sky and to the sun.
static scree_status draw_no_light(const pass *p)
{
    bind_target(p->renderer->targets.open[1], p->scene->width, p->scene->height);
    glClearColor(1, 1, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    return SCREE_OK;
}

static scree_status draw_pixels(const pass *p, scree_error *error)
{
    const gl_targets *t = &p->renderer->targets;
    GLuint program = other_program(p, PROGRAM_FINISH, error);
    if (program == 0)
        return SCREE_ERROR_IO;
    vec3f up = vec3f_from(raster_view_direction(&p->view, p->up));
    bind_target(t->picture, p->scene->width, p->scene->height);
    set_view(program, &p->view, p->depths, p->middle);
    gl_set_floats(program, "toward", 3, 1, &p->sun.toward.x);
    gl_set_floats(program, "up", 3, 1, &up.x);
    gl_set_float(program, "grain", (float)p->grain);
    gl_set_texture(program, "albedo_map", 0, GL_TEXTURE_2D, t->albedo_texture);
    gl_set_texture(program, "surface_map", 1, GL_TEXTURE_2D, t->surface_texture);
    gl_set_texture(program, "depth_map", 2, GL_TEXTURE_2D, t->depth_texture);
    gl_set_texture(program, "open_map", 3, GL_TEXTURE_2D, t->open_textures[1]);
    draw_screen(p->renderer);
    return SCREE_OK;
}

// ----------------------------------------------------------------------------------------------------------- overlay

// Over the finished pixels: their view has one sample per pixel, the depths of all samples tell what hides.
static scree_status draw_over(const pass *p, int which, const gl_list *list, const raster_view *view,
                              scree_error *error)
{
    if (list->count == 0)
        return SCREE_OK;
    GLuint program = other_program(p, which, error);
    if (program == 0)
        return SCREE_ERROR_IO;
    set_view(program, view, p->depths, p->middle);
    gl_set_float(program, "finest", (float)OVERLAY_FINEST);
    gl_set_texture(program, "depth_map", 3, GL_TEXTURE_2D, p->renderer->targets.depth_texture);
    draw_list(p->renderer, program, list);
    return SCREE_OK;
}

static scree_status draw_overlay(const pass *p, scree_error *error)
{
    gl_batch *batch = &p->renderer->batches[GL_FOR_PICTURE];
    raster_view view = camera_view(p->scene, 1);
    if (!gl_batch_add_lines(batch, p->scene, p->middle))
        return fail_no_memory(error);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    scree_status status = draw_over(p, PROGRAM_PANE, &batch->panes, &view, error);
    if (status == SCREE_OK)
        status = draw_over(p, PROGRAM_LINE, &batch->edges, &view, error);
    if (status == SCREE_OK)
        status = draw_over(p, PROGRAM_LINE, &batch->lines, &view, error);
    glDisable(GL_BLEND);
    return status;
}

// ----------------------------------------------------------------------------------------------------------- picture

static bool pass_make(pass *p)
{
    if (!extent_find(&p->span, p->scene))
        return false;
    p->view = camera_view(p->scene, (size_t)p->quality.samples);
    p->up = vec3_normalize(p->scene->camera.up);
    p->middle = vec3_scale(vec3_add(p->span.low, p->span.high), 0.5);
    p->radius = 0.5 * vec3_length(vec3_sub(p->span.high, p->span.low));
    p->grain = p->span.grain > 0 ? p->span.grain : 0.1 * p->radius;
    // Kept depths lie between 0 and 1; what is drawn ends not far from the middle, but never mind how far.
    double farthest = vec3_length(vec3_sub(p->view.origin, p->middle)) + 1000 * p->radius;
    p->depths[0] = (float)(1 / farthest);
    p->sun = light_place(p->scene, &p->view, p->middle, 1.05 * p->radius);
    p->sun_depths[0] = (float)(0.5 / (100 * p->radius));
    p->sun_depths[1] = 0.5f;
    return true;
}

// The objects that are seen, and those that cast shadows: each found by a thread of its own.
static bool fill_batches(const pass *p)
{
    bool made[2] = {true, true};
    int uses = p->quality.light ? 2 : 1;
#pragma omp parallel for num_threads(uses)
    for (int use = 0; use < uses; use++)
        made[use] = gl_batch_fill(&p->renderer->batches[use], p->scene, use == GL_FOR_SHADOW ? &p->sun.view : &p->view,
                                  &p->span, (gl_batch_use)use, p->middle);
    return made[0] && made[1];
}

scree_status gl_renderer_draw(gl_renderer *renderer, const picture *scene, gl_quality quality, scree_error *error)
{
    pass p = {.renderer = renderer, .scene = scene, .quality = quality};
    scree_status status = picture_check(scene, error);
    if (status != SCREE_OK)
        return status;
    if (!pass_make(&p))
        return fail_no_memory(error);
    status = gl_targets_fit(&renderer->targets, scene->width, scene->height, (size_t)quality.samples, p.sun.view.width,
                            error);
    if (status != SCREE_OK)
        return status;
    if (!fill_batches(&p))
        return fail_no_memory(error);
    texel_buffer_fill(&renderer->faces, scene->faces, scene->face_count * sizeof *scene->faces);
    status = draw_samples(&p, error);
    if (status == SCREE_OK && quality.light)
        status = draw_shadows(&p, error);
    glDisable(GL_DEPTH_TEST);
    if (status == SCREE_OK)
        status = quality.light ? draw_light(&p, error) : draw_no_light(&p);
    if (status == SCREE_OK)
        status = draw_pixels(&p, error);
    if (status == SCREE_OK)
        status = draw_overlay(&p, error);
    return status == SCREE_OK && glGetError() == GL_OUT_OF_MEMORY
               ? fail(error, SCREE_ERROR_NO_MEMORY, "OpenGL is out of memory")
               : status;
}

void gl_renderer_read(const gl_renderer *renderer, canvas *sheet)
{
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->targets.picture);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, (GLsizei)sheet->width, (GLsizei)sheet->height, GL_RGBA, GL_UNSIGNED_BYTE, sheet->pixels);
}

void gl_renderer_show(const gl_renderer *renderer, int width, int height)
{
    const gl_targets *t = &renderer->targets;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, t->picture);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, (GLint)t->width, (GLint)t->height, 0, height, width, 0, GL_COLOR_BUFFER_BIT, GL_LINEAR);
}
