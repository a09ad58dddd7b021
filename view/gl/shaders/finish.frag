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

vec3 lit_color(vec3 base, vec4 surface, vec2 open, vec3 half_way)
{
    vec3 normal = surface.xyz;
    float facing = max(0, dot(normal, toward)), height = 0.5 + 0.5 * dot(normal, up);
    vec3 sky = mix(vec3(0.46, 0.44, 0.42), vec3(0.64, 0.66, 0.69), height);
    float direct = 0.88 * facing * open.y * (0.55 + 0.45 * open.x);
    vec3 result = base * held_back(sky * open.x + vec3(1.0, 0.97, 0.92) * direct) * abs(surface.w);
    float mirrored = max(0, dot(half_way, normal)), m2 = mirrored * mirrored, m4 = m2 * m2, m8 = m4 * m4, m16 = m8 * m8;
    return result + (surface.w < 0 ? 0 : m16 * m16 * m8 * 0.10 * open.y * open.x); // to the 40th
}

// A pixel beside this one: depth of its middle, and its light.
vec3 beside(ivec2 pixel)
{
    ivec2 place = clamp(pixel, ivec2(0), textureSize(open_map, 0) - 1);
    return vec3(texelFetch(depth_map, place * SAMPLES + SAMPLES / 2, 0).x, texelFetch(open_map, place, 0).xy);
}

// All samples are treated alike, also inside of one object: a processor that draws runs both sides of a branch. A sample at
// another depth than the pixel's middle takes the light of the neighbour on its side that lies nearest to its depth.
void main()
{
    const int COUNT = SAMPLES * SAMPLES;
    ivec2 pixel = ivec2(gl_FragCoord.xy), first = pixel * SAMPLES;
    float down = gl_FragCoord.y * float(SAMPLES) / extent.y;
    vec3 behind = mix(vec3(0.93, 0.95, 0.98), vec3(0.76, 0.79, 0.83), down * down), sum = vec3(0);
    float own = texelFetch(depth_map, first + SAMPLES / 2, 0).x;
    float tolerance = max(0.3 * grain, 4 * own / depths.x * frame.z) * depths.x;
    vec2 open = texelFetch(open_map, pixel, 0).xy;
    vec3 across[2] = vec3[](beside(pixel - ivec2(1, 0)), beside(pixel + ivec2(1, 0)));
    vec3 along[2] = vec3[](beside(pixel - ivec2(0, 1)), beside(pixel + ivec2(0, 1)));
    vec3 half_way = normalize(toward - normalize(direction_of(place_of(gl_FragCoord.xy * float(SAMPLES)))));
    for (int i = 0; i < COUNT; i++) {
        ivec2 side = ivec2(i % SAMPLES, i / SAMPLES), at = first + side;
        float depth = texelFetch(depth_map, at, 0).x;
        vec4 albedo = texelFetch(albedo_map, at, 0), surface = texelFetch(surface_map, at, 0);
        vec3 one = across[side.x], other = along[side.y];
        vec2 near = abs(one.x - depth) < abs(other.x - depth) ? one.yz : other.yz;
        vec2 here = abs(depth - own) <= tolerance ? open : near;
        vec3 lit = lit_color(to_linear(albedo.rgb), surface, here, half_way);
        sum += mix(behind, lit, surface.w == 0 ? 0 : albedo.a) / float(COUNT);
    }
    color = vec4(from_linear(sum), 1);
}
