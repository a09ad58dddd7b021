// Triangles of meshes and height fields: corners and normals from a buffer, three corners each.
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 color;
out vec3 point;      // in the view
out vec3 smooth_normal;
flat out vec4 tint;

void main()
{
    point = axes * (corner - eye);
    smooth_normal = axes * normal;
    tint = color;
    vec2 scale = 2 / (frame.z * extent);
    // Clip coordinates such that dividing by w gives the place on the view.
    vec2 at = (point.xy - frame.xy * point.z) * scale - point.z;
    gl_Position = vec4(at, point.z - 2 * frame.w, point.z);
}
