// Takes out the three-by-three pattern in which taps were turned, but not across steps in depth.
uniform sampler2D depth_map, open_map;
uniform float grain;
layout(location = 0) out vec2 openness;

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy), last = textureSize(open_map, 0) - 1;
    float own = texelFetch(depth_map, at, 0).x;
    float tolerance = max(0.3 * grain, 4 * own * frame.z), weight = 0;
    vec2 sum = vec2(0);
    for (int v = -1; v <= 1; v++)
        for (int u = -1; u <= 1; u++) {
            ivec2 place = clamp(at + ivec2(u, v), ivec2(0), last);
            float depth = texelFetch(depth_map, place, 0).x;
            if (abs(depth - own) < tolerance) {
                sum += texelFetch(open_map, place, 0).xy;
                weight += 1;
            }
        }
    openness = weight > 0 ? sum / weight : texelFetch(open_map, at, 0).xy;
}
