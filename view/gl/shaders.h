// The texts of view/gl/shaders/, as cmake/shaders.cmake compiles them in.
#ifndef VIEW_GL_SHADERS_H
#define VIEW_GL_SHADERS_H

extern const char gl_shader_view_glsl[], gl_shader_keep_frag[], gl_shader_object_vert[], gl_shader_sphere_frag[],
    gl_shader_solid_frag[], gl_shader_surface_vert[], gl_shader_surface_frag[], gl_shader_screen_vert[],
    gl_shader_ground_frag[], gl_shader_depth_frag[], gl_shader_light_frag[], gl_shader_smooth_frag[],
    gl_shader_finish_frag[], gl_shader_line_vert[], gl_shader_line_frag[], gl_shader_panel_frag[];

#endif
