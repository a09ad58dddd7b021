// What is kept of a sample: depth, and for pictures colour, presence and normal. With SHADOW depth alone; with PANE nothing,
// but the finished pixel is tinted where the object stands before all else.
const float NO_EDGE = 3e38;
flat in vec4 paint;
flat in vec4 center;
#ifndef SPHERE
flat in vec4 size;
flat in mat3 local;
#endif
#ifdef SHADOW
void keep(float depth, vec3 normal, float edge, float thickness) { gl_FragDepth = depths.x * depth + depths.y; }
#elif defined(PANE)
uniform sampler2D depth_map;
layout(location = 0) out vec4 color;
void keep(float depth, vec3 normal, float edge, float thickness)
{
    float behind = texelFetch(depth_map, ivec2(gl_FragCoord.xy) * SAMPLES + SAMPLES / 2, 0).x;
    color = vec4(paint.rgb, depths.x * depth + depths.y < behind ? paint.a : 0);
}
#else
uniform float pixel;    // samples per pixel and axis
uniform vec4 middle;    // of the scene, in the view; w: its radius
layout(location = 0) out vec4 albedo;  // alpha: presence
layout(location = 1) out vec4 surface; // normal; w: how light its edge leaves it, negative for what has no gloss

// Walls fade out with the distance from the middle: a floor slab of any size ends softly.
float wall_presence(vec3 point)
{
    float t = clamp((3.2 * middle.w - distance(point, middle.xyz)) / (2.0 * middle.w), 0, 1);
    return t * t * (3 - 2 * t);
}

// Edges are drawn a little darker: a tower of equal boxes shall not look like one.
void keep_point(vec3 point, vec3 normal, float edge, float thickness, vec4 color)
{
    bool wall = color.a < 0.5;
    float width = pixel * frame.z * point.z;
    float strength = (wall ? 0.22 : 0.38) * clamp(thickness / (6 * width), 0, 1);
    float light = edge < NO_EDGE ? 1 - strength * clamp(1.3 - edge / width, 0, 1) : 1;
    gl_FragDepth = depths.x * point.z + depths.y;
    albedo = vec4(color.rgb, wall ? wall_presence(point) : 1);
    surface = vec4(normal, wall ? -light : light);
}

void keep(float depth, vec3 normal, float edge, float thickness)
{
    vec2 place = place_of(gl_FragCoord.xy);
    keep_point(origin_of(place) + depth * direction_of(place), normal, edge, thickness, paint);
}
#endif
