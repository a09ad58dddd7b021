// Six corners of the rectangle that holds the outline of an object; objects are taken from buffers by number.
uniform samplerBuffer objects; // SPHERE: one texel each; else three
uniform samplerBuffer colors;  // alpha 1: a grain; 0: a wall

flat out vec4 paint;
flat out vec4 center;   // in the view; w: radius, or number of the first face
#ifndef SPHERE
flat out vec4 size;     // w: number of faces
flat out mat3 local;    // from the view into the object's axes
#endif

const vec2 CORNERS[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(0, 1), vec2(1, 0), vec2(1, 1));

// What a sphere covers on one axis, between the slopes of the tangents through the eye.
vec2 sphere_range(float c, float z, float r)
{
    if (perspective == 0)
        return vec2(c - r, c + r);
    float root = r * sqrt(max(c * c + z * z - r * r, 0)), scale = 1 / (z * z - r * r);
    return vec2(c * z - root, c * z + root) * scale;
}

#ifndef SPHERE
mat3 turn_of(vec4 q) // w, x, y, z
{
    float w = q.x, x = q.y, y = q.z, z = q.w;
    return mat3(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y),
                2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
                2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y));
}

vec3 half_extents(vec3 s)
{
#if defined(CAPSULE)
    return vec3(s.x, s.x, s.z + s.x);
#elif defined(CYLINDER)
    return vec3(s.x, s.x, s.z);
#elif defined(CONE)
    return vec3(s.x, s.x, 1.5 * s.z);
#else
    return s;
#endif
}
#endif

void main()
{
    int object = gl_VertexID / 6;
    vec2 low = vec2(3e38), high = vec2(-3e38), all = frame.xy + frame.z * extent;
    bool behind = false, around = false;
    paint = texelFetch(colors, object);
#ifdef SPHERE
    vec4 ball = texelFetch(objects, object);
    center = vec4(axes * (ball.xyz - eye), ball.w);
    float r = center.w;
    behind = center.z + r <= frame.w;
    around = perspective > 0 && center.z - r <= 1e-3 * r;
    if (!behind && !around) {
        vec2 x = sphere_range(center.x, center.z, r), y = sphere_range(center.y, center.z, r);
        low = vec2(x.x, y.x);
        high = vec2(x.y, y.y);
    }
#else
    vec4 place = texelFetch(objects, 3 * object);
    size = texelFetch(objects, 3 * object + 2);
    center = vec4(axes * (place.xyz - eye), place.w);
    mat3 turn = axes * turn_of(texelFetch(objects, 3 * object + 1));
    local = transpose(turn);
    vec3 extents = half_extents(size.xyz);
    int cut = 0;
    for (int i = 0; i < 8; i++) {
        vec3 corner = center.xyz + turn * (extents * (vec3(i & 1, i >> 1 & 1, i >> 2) * 2 - 1));
        cut += corner.z <= frame.w ? 1 : 0;
        vec2 at = perspective > 0 ? corner.xy / corner.z : corner.xy;
        low = min(low, at);
        high = max(high, at);
    }
    behind = cut == 8;
    around = cut > 0;
#endif
    if (around) {
        low = frame.xy;
        high = all;
    }
    vec2 at = mix(low, high, CORNERS[gl_VertexID % 6]);
    gl_Position = behind ? vec4(2, 2, 2, 1) : vec4(2 * (at - frame.xy) / (frame.z * extent) - 1, 0, 1);
}
