// From what is kept per sample to the colour of a pixel: view/shade.c in GLSL. Light is added up in linear units, the mean
// over the samples is taken there, and only the finished pixel is turned into sRGB.
uniform sampler2D albedo_map, surface_map, depth_map, open_map;
uniform vec3 toward, up; // to the sun, and up, in the view
uniform float grain;
layout(location = 0) out vec4 color;

vec3 to_linear(vec3 c) // within 0.2 % of the sRGB curve
{
    return c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878);
}

vec3 from_linear(vec3 c)
{
    c = clamp(c, 0, 1);
    return mix(12.92 * c, 1.055 * pow(max(c, vec3(1e-6)), vec3(1 / 2.4)) - 0.055, greaterThan(c, vec3(0.0031308)));
}

// Bright light is held back softly, so that a lit thing keeps the colour that the legend shows.
vec3 held_back(vec3 received)
{
    const float start = 0.75, most = 1.1, room = most - start;
    return mix(most - room * exp((start - received) / room), received, lessThan(received, vec3(start)));
}

// The light of the neighbour on a sample's side that lies nearest to its depth.
vec2 openness_beside(ivec2 pixel, ivec2 offset, float depth)
{
    ivec2 last = textureSize(open_map, 0) - 1, best = pixel;
    float least = 3e38;
    for (int i = 1; i < 4; i++) {
        ivec2 place = clamp(pixel + offset * ivec2(i & 1, i >> 1), ivec2(0), last);
        float off = abs(texelFetch(depth_map, place * SAMPLES + SAMPLES / 2, 0).x - depth);
        best = off < least ? place : best;
        least = min(off, least);
    }
    return texelFetch(open_map, best, 0).xy;
}

vec3 lit_color(vec3 base, vec4 surface, vec2 open, vec3 direction)
{
    vec3 normal = surface.xyz;
    float facing = max(0, dot(normal, toward)), height = 0.5 + 0.5 * dot(normal, up);
    vec3 sky = mix(vec3(0.46, 0.44, 0.42), vec3(0.64, 0.66, 0.69), height);
    float direct = 0.88 * facing * open.y * (0.55 + 0.45 * open.x);
    vec3 result = base * held_back(sky * open.x + vec3(1.0, 0.97, 0.92) * direct) * abs(surface.w);
    if (surface.w < 0)
        return result;
    vec3 half_way = normalize(toward - normalize(direction));
    float mirrored = max(0, dot(half_way, normal)), m2 = mirrored * mirrored, m4 = m2 * m2, m8 = m4 * m4, m16 = m8 * m8;
    return result + m16 * m16 * m8 * 0.10 * open.y * open.x; // to the 40th
}

vec3 shade(ivec2 at, vec4 albedo, vec4 surface, vec2 open, vec3 behind)
{
    vec3 direction = direction_of(place_of(vec2(at) + 0.5));
    return surface.w == 0 ? behind
                          : mix(behind, lit_color(to_linear(albedo.rgb), surface, open, direction), albedo.a);
}

void main()
{
    const int COUNT = SAMPLES * SAMPLES;
    ivec2 pixel = ivec2(gl_FragCoord.xy), first = pixel * SAMPLES;
    float down = gl_FragCoord.y * float(SAMPLES) / extent.y;
    vec3 behind = mix(vec3(0.93, 0.95, 0.98), vec3(0.76, 0.79, 0.83), down * down), sum = vec3(0);
    float own = texelFetch(depth_map, first + SAMPLES / 2, 0).x, depth[COUNT];
    float tolerance = max(0.3 * grain, 4 * own / depths.x * frame.z) * depths.x;
    vec2 open = texelFetch(open_map, pixel, 0).xy;
    vec4 albedo[COUNT], surface[COUNT];
    bool even = true;
    for (int i = 0; i < COUNT; i++) {
        ivec2 at = first + ivec2(i % SAMPLES, i / SAMPLES);
        albedo[i] = texelFetch(albedo_map, at, 0);
        surface[i] = texelFetch(surface_map, at, 0);
        depth[i] = texelFetch(depth_map, at, 0).x;
        vec4 off = abs(surface[i] - surface[0]);
        even = even && albedo[i] == albedo[0] && max(max(off.x, off.y), max(off.z, off.w)) < 0.12 &&
               abs(depth[i] - own) <= tolerance;
    }
    if (even) { // inside of one object: one light serves all samples
        vec4 mean = surface[0];
        for (int i = 1; i < COUNT; i++)
            mean += surface[i];
        mean = vec4(normalize(mean.xyz), mean.w / float(COUNT));
        sum = shade(first + SAMPLES / 2, albedo[0], surface[0].w == 0 ? surface[0] : mean, open, behind);
    } else {
        for (int i = 0; i < COUNT; i++) {
            ivec2 side = ivec2(i % SAMPLES, i / SAMPLES), at = first + side;
            vec2 here = abs(depth[i] - own) <= tolerance ? open : openness_beside(pixel, 2 * side - 1, depth[i]);
            sum += shade(at, albedo[i], surface[i], here, behind) / float(COUNT);
        }
    }
    color = vec4(from_linear(sum), 1);
}
