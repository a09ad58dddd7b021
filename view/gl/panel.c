// Uploaded only when it changes, drawn with every picture.
#include "view/gl/panel.h"

#include "view/gl/program.h"
#include "view/gl/shaders.h"

scree_status gl_panel_make(gl_panel *panel, scree_error *error)
{
    *panel = (gl_panel){0};
    panel->program = gl_program_make(&(gl_source){"", {gl_shader_screen_vert}, {gl_shader_panel_frag}}, error);
    if (panel->program == 0)
        return SCREE_ERROR_IO;
    glGenTextures(1, &panel->texture);
    glGenVertexArrays(1, &panel->array);
    return SCREE_OK;
}

void gl_panel_free(gl_panel *panel)
{
    if (panel->program) {
        glDeleteProgram(panel->program);
        glDeleteTextures(1, &panel->texture);
        glDeleteVertexArrays(1, &panel->array);
    }
    *panel = (gl_panel){0};
}

void gl_panel_upload(gl_panel *panel, const canvas *sheet)
{
    glBindTexture(GL_TEXTURE_2D, panel->texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, (GLsizei)sheet->width, (GLsizei)sheet->height, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, sheet->pixels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    panel->width = sheet->width;
    panel->height = sheet->height;
}

void gl_panel_draw(const gl_panel *panel)
{
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, (GLsizei)panel->width, (GLsizei)panel->height);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glUseProgram(panel->program);
    gl_set_texture(panel->program, "sheet", 0, GL_TEXTURE_2D, panel->texture);
    glBindVertexArray(panel->array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisable(GL_BLEND);
}
