// Lines of a picture as rectangles on the screen. Two texels each: end and width, end and how much shows through.
uniform samplerBuffer objects, colors;
uniform float finest; // least width, in pixels

flat out vec4 paint;
flat out vec4 ends;     // in pixels
flat out vec2 nearness; // at the ends: one over depth, which runs evenly along the line
flat out vec2 widths;   // at the ends, in pixels
flat out float through;

void main()
{
    int line = gl_VertexID / 6, corner = gl_VertexID % 6;
    vec4 first = texelFetch(objects, 2 * line), second = texelFetch(objects, 2 * line + 1);
    vec3 a = axes * (first.xyz - eye), b = axes * (second.xyz - eye);
    float nearest = frame.w;
    bool behind = a.z < nearest && b.z < nearest;
    if (a.z < nearest)
        a = mix(b, a, (nearest - b.z) / (a.z - b.z));
    else if (b.z < nearest)
        b = mix(a, b, (nearest - a.z) / (b.z - a.z));
    nearness = vec2(1 / a.z, 1 / b.z);
    ends = vec4((a.xy / a.z - frame.xy) / frame.z, (b.xy / b.z - frame.xy) / frame.z);
    widths = max(first.w * nearness / frame.z, vec2(finest));
    through = second.w;
    paint = texelFetch(colors, line);
    vec2 along = ends.zw - ends.xy;
    along = dot(along, along) > 1e-12 ? normalize(along) : vec2(1, 0);
    vec2 across = vec2(-along.y, along.x);
    bool last = corner == 1 || corner == 4 || corner == 5, right = corner == 2 || corner == 3 || corner == 5;
    float reach = 0.5 * max(widths.x, widths.y) + 1;
    vec2 at = (last ? ends.zw + reach * along : ends.xy - reach * along) + (right ? reach : -reach) * across;
    gl_Position = behind ? vec4(2, 2, 2, 1) : vec4(2 * at / extent - 1, 0, 1);
}
