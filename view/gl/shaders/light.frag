// How open to the sky and to the sun each pixel is: view/occlusion.c and view/light.c in GLSL, once per pixel.
// FINE and COARSE, first tap and number of taps of either scale, are defined when this is compiled.
uniform sampler2D depth_map, surface_map, shadow_map;
uniform vec2 radii;               // of the two scales of occlusion
uniform vec2 taps[24];            // on spirals of 8 and 16
uniform vec2 turns[9];            // cosine and sine
uniform mat3 to_light;            // from the view into the sun's
uniform vec3 light_shift, toward; // toward the sun, in the view
uniform vec4 light_frame;         // left, top, step, bias
uniform vec2 light_depths;        // as depths, of the sun's view
uniform vec2 probes[9];
layout(location = 0) out vec2 openness; // sky, sun

vec3 point_at(vec2 at)
{
    return texelFetch(depth_map, ivec2(at), 0).x * direction_of(place_of(at * SAMPLES + (SAMPLES / 2 + 0.5)));
}

// Mean obscurance on a disc of the given radius in the scene, at most 1, in a deep gap. What rises by less than `slope` takes
// nothing away. `first` and `count` are constants, and so are then the taps: a processor that draws fetches what is chosen
// by a variable eight times over.
float closed(vec3 point, vec3 normal, vec2 at, float radius, float slope, int first, int count)
{
    float wide = point.z * frame.z * float(SAMPLES), reach = min(radius / wide, 400.0);
    float seen = reach * wide, radius2 = seen * seen, sum = 0;
    vec2 last = vec2(textureSize(depth_map, 0) - 1);
    ivec2 pattern = ivec2(at) % 3;
    vec2 turn = reach * turns[pattern.y * 3 + pattern.x];
    float floor_rise = 1e-3 * wide / float(SAMPLES);
    for (int i = 0; i < count; i++) {
        vec2 t = taps[first + i];
        vec2 off = vec2(turn.x * t.x - turn.y * t.y, turn.y * t.x + turn.x * t.y);
        vec3 d = point_at(clamp(at + round(off), vec2(0), last)) - point;
        float distance2 = dot(d, d), near = max(radius2 - distance2, 0);
        sum += near * near * near * max(dot(d, normal) - floor_rise - slope * sqrt(distance2), 0) / (distance2 + 1e-4 * radius2);
    }
    return reach < 1.5 ? 0.0 : min(5 * sum * seen / (radius2 * radius2 * radius2 * float(count)), 1);
}

float noise(vec2 at) // interleaved gradient noise, Jimenez 2014
{
    return fract(52.9829189 * fract(dot(at, vec2(0.06711056, 0.00583715))));
}

float sunlight(vec3 point, vec3 normal)
{
    if (dot(normal, toward) <= 0)
        return 0.0;
    vec3 seen = to_light * (point + 2 * light_frame.z * normal) + light_shift;
    vec2 at = (seen.xy - light_frame.xy) / light_frame.z;
    float angle = 6.2831853 * noise(floor(gl_FragCoord.xy)), c = cos(angle), s = sin(angle), lit = 0;
    float depth = light_depths.x * (seen.z - light_frame.w) + light_depths.y;
    ivec2 last = textureSize(shadow_map, 0) - 1;
    for (int i = 0; i < 9; i++) {
        vec2 p = probes[i];
        ivec2 place = ivec2(floor(at + vec2(c * p.x - s * p.y, s * p.x + c * p.y)));
        bool beyond = any(lessThan(place, ivec2(0))) || any(greaterThan(place, last));
        lit += beyond || texelFetch(shadow_map, place, 0).x >= depth ? 1.0 : 0.0;
    }
    return lit / 9;
}

void main()
{
    vec2 at = floor(gl_FragCoord.xy);
    vec4 surface = texelFetch(surface_map, ivec2(at) * SAMPLES + SAMPLES / 2, 0);
    openness = vec2(1);
    if (surface.w == 0)
        return;
    vec3 point = point_at(at), normal = surface.xyz;
    float slope = surface.w < 0 ? 0.2 : 0; // the facets of a smooth surface shall not show
    float fine = closed(point, normal, at, radii.x, slope, FINE);
    float coarse = closed(point, normal, at, radii.y, slope, COARSE);
    openness = vec2((1 - 0.55 * fine) * (1 - 0.5 * coarse), sunlight(point, normal));
}
