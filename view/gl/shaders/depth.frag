// The depth of each pixel's middle sample, in units of the scene: what light is found from, in a quarter of the memory.
uniform sampler2D depth_map;
layout(location = 0) out float depth;

void main()
{
    float kept = texelFetch(depth_map, ivec2(gl_FragCoord.xy) * SAMPLES + SAMPLES / 2, 0).x;
    depth = (kept - depths.y) / depths.x;
}
