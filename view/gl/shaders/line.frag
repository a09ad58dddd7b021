// The cover of a line with round ends; behind what stands before it, it shows through as much as it is told to.
uniform sampler2D depth_map; // of the samples; depths are theirs
flat in vec4 paint;
flat in vec4 ends;
flat in vec2 nearness;
flat in vec2 widths;
flat in float through;
layout(location = 0) out vec4 color;

void main()
{
    vec2 from = gl_FragCoord.xy - ends.xy, run = ends.zw - ends.xy;
    float t = clamp(dot(from, run) / max(dot(run, run), 1e-12), 0, 1);
    float cover = clamp(0.5 * mix(widths.x, widths.y, t) + 0.5 - distance(from, t * run), 0, 1);
    float depth = 0.998 / mix(nearness.x, nearness.y, t) * depths.x + depths.y, seen = 0;
    if (cover <= 0)
        discard;
    for (int i = 0; i < SAMPLES * SAMPLES; i++)
        seen += texelFetch(depth_map, ivec2(gl_FragCoord.xy) * SAMPLES + ivec2(i % SAMPLES, i / SAMPLES), 0).x > depth
                    ? 1.0 / float(SAMPLES * SAMPLES) : 0.0;
    color = vec4(paint.rgb, paint.a * cover * mix(through, 1, seen));
}
