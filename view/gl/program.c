// The driver's words about a bad shader become the message.
#include "view/gl/program.h"

#include "base/error.h"

static GLuint compile(GLenum type, const char *defines, const char *const texts[GL_PROGRAM_TEXTS], scree_error *error)
{
    const char *parts[GL_PROGRAM_TEXTS + 2] = {"#version 330 core\n", defines};
    GLsizei count = 2;
    for (int i = 0; i < GL_PROGRAM_TEXTS && texts[i]; i++)
        parts[count++] = texts[i];
    GLuint shader = glCreateShader(type);
    GLint good = 0;
    glShaderSource(shader, count, parts, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good)
        return shader;
    char said[256] = "";
    glGetShaderInfoLog(shader, sizeof said, NULL, said);
    glDeleteShader(shader);
    fail(error, SCREE_ERROR_IO, "OpenGL does not compile a shader: %s", said);
    return 0;
}

GLuint gl_program_make(const gl_source *source, scree_error *error)
{
    GLuint vertex = compile(GL_VERTEX_SHADER, source->defines, source->vertex, error);
    GLuint fragment = vertex ? compile(GL_FRAGMENT_SHADER, source->defines, source->fragment, error) : 0;
    GLuint program = 0;
    if (fragment) {
        GLint good = 0;
        program = glCreateProgram();
        glAttachShader(program, vertex);
        glAttachShader(program, fragment);
        glLinkProgram(program);
        glGetProgramiv(program, GL_LINK_STATUS, &good);
        if (!good) {
            char said[256] = "";
            glGetProgramInfoLog(program, sizeof said, NULL, said);
            glDeleteProgram(program);
            program = 0;
            fail(error, SCREE_ERROR_IO, "OpenGL does not link a shader: %s", said);
        }
    }
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    return program;
}

void gl_set_int(GLuint program, const char *name, int value)
{
    glUniform1i(glGetUniformLocation(program, name), value);
}

void gl_set_float(GLuint program, const char *name, float value)
{
    glUniform1f(glGetUniformLocation(program, name), value);
}

void gl_set_floats(GLuint program, const char *name, int components, int count, const float *values)
{
    GLint place = glGetUniformLocation(program, name);
    if (components == 2)
        glUniform2fv(place, count, values);
    else if (components == 3)
        glUniform3fv(place, count, values);
    else
        glUniform4fv(place, count, values);
}

void gl_set_matrix(GLuint program, const char *name, const float rows[3][3])
{
    glUniformMatrix3fv(glGetUniformLocation(program, name), 1, GL_TRUE, &rows[0][0]);
}

void gl_set_texture(GLuint program, const char *name, int unit, GLenum target, GLuint texture)
{
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(target, texture);
    gl_set_int(program, name, unit);
}
