in vec3 point;
in vec3 smooth_normal;
flat in vec4 tint;

void main()
{
    keep_point(point, normalize(smooth_normal), NO_EDGE, 0, tint);
}
