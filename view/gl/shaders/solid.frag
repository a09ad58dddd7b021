// The solids that are no spheres, met in their own axes: view/solid.c has the same in C, with the reasons.
#ifdef HULL
uniform samplerBuffer faces; // normal and offset
#endif

vec3 start, along; // the ray in the axes of the solid, from where it passes the centre
float best = NO_EDGE, best_edge = NO_EDGE;
vec3 best_normal = vec3(0);

void offer(float depth, vec3 normal, float edge)
{
    if (depth < best) {
        best = depth;
        best_normal = normal;
        best_edge = edge;
    }
}

bool solve(float a, float b, float c, out vec2 roots)
{
    float square = b * b - a * c;
    if (!(square >= 0) || abs(a) < 1e-20)
        return false;
    float root = sqrt(square) / abs(a);
    roots = vec2(-b / a - root, -b / a + root);
    return true;
}

void meet_box(vec3 reach)
{
    vec3 speed = mix(along, vec3(1e-20), lessThan(abs(along), vec3(1e-20)));
    vec3 to = sign(speed) * reach, enter = (-to - start) / speed, leave = (to - start) / speed;
    float first = max(enter.x, max(enter.y, enter.z));
    if (!(first < min(leave.x, min(leave.y, leave.z))))
        return;
    vec3 normal = first == enter.x ? vec3(1, 0, 0) : first == enter.y ? vec3(0, 1, 0) : vec3(0, 0, 1);
    vec3 room = max(reach - abs(start + first * along), vec3(0));
    // One of the three is zero on the face; the next is the distance to the nearest edge.
    float low = min(room.x, room.y), high = max(room.x, room.y);
    offer(first, -normal * sign(speed), max(low, min(high, room.z)));
}

void meet_ellipsoid(vec3 radii)
{
    vec3 inverse = 1 / radii, s = start * inverse, d = along * inverse;
    float speed2 = dot(d, d), nearest = -dot(s, d) / speed2;
    vec3 beside = s + nearest * d;
    float inside = 1 - dot(beside, beside);
    if (!(inside > 0))
        return;
    float depth = nearest - sqrt(inside / speed2);
    offer(depth, (s + depth * d) * inverse, NO_EDGE);
}

void meet_ball(float radius, float z)
{
    vec3 s = start - vec3(0, 0, z);
    float speed2 = dot(along, along), nearest = -dot(s, along) / speed2;
    vec3 beside = s + nearest * along;
    float inside = radius * radius - dot(beside, beside);
    if (!(inside > 0))
        return;
    float depth = nearest - sqrt(inside / speed2);
    offer(depth, s + depth * along, NO_EDGE);
}

void meet_tube(float radius, float reach, bool rims)
{
    vec2 roots;
    if (!solve(dot(along.xy, along.xy), dot(start.xy, along.xy), dot(start.xy, start.xy) - radius * radius, roots))
        return;
    vec3 at = start + roots.x * along;
    if (abs(at.z) <= reach)
        offer(roots.x, vec3(at.xy, 0), rims ? reach - abs(at.z) : NO_EDGE);
}

void meet_disc(float radius, float z, float up)
{
    if (along.z * up > -1e-20)
        return;
    float depth = (z - start.z) / along.z;
    vec3 at = start + depth * along;
    float across2 = dot(at.xy, at.xy);
    if (across2 <= radius * radius)
        offer(depth, vec3(0, 0, up), radius - sqrt(across2));
}

// x^2 + y^2 = k^2 (top - z)^2 between the base and the apex.
void meet_cone_side(float radius, float reach)
{
    float k = radius / (2 * reach), k2 = k * k, top = 1.5 * reach, below = top - start.z;
    vec2 roots;
    if (!solve(dot(along.xy, along.xy) - k2 * along.z * along.z, dot(start.xy, along.xy) + k2 * below * along.z,
               dot(start.xy, start.xy) - k2 * below * below, roots))
        return;
    for (int i = 0; i < 2; i++) {
        vec3 at = start + roots[i] * along;
        if (at.z >= -0.5 * reach && at.z <= top)
            offer(roots[i], vec3(at.xy, k2 * (top - at.z)), (at.z + 0.5 * reach) * sqrt(1 + k2));
    }
}

#ifdef HULL
float face_edge(int first, int count, int own, vec3 at)
{
    float edge = NO_EDGE;
    vec3 n = texelFetch(faces, first + own).xyz;
    for (int i = 0; i < count; i++) {
        vec4 face = texelFetch(faces, first + i);
        float cosine = dot(face.xyz, n), sine2 = 1 - cosine * cosine;
        if (i != own && sine2 > 1e-6)
            edge = min(edge, (face.w - dot(face.xyz, at)) / sqrt(sine2));
    }
    return max(edge, 0);
}

void meet_hull(int first, int count)
{
    float enter = -NO_EDGE, leave = NO_EDGE;
    int entered = 0;
    for (int i = 0; i < count; i++) {
        vec4 face = texelFetch(faces, first + i);
        float speed = dot(face.xyz, along), room = face.w - dot(face.xyz, start);
        if (abs(speed) < 1e-20) {
            leave = room < 0 ? -NO_EDGE : leave;
            continue;
        }
        float depth = room / speed;
        if (speed > 0) {
            leave = min(leave, depth);
        } else if (depth > enter) {
            enter = depth;
            entered = i;
        }
    }
    if (enter < leave)
#ifdef SHADOW
        offer(enter, vec3(0, 0, 1), NO_EDGE);
#else
        offer(enter, texelFetch(faces, first + entered).xyz, face_edge(first, count, entered, start + enter * along));
#endif
}
#endif

void main()
{
    vec2 place = place_of(gl_FragCoord.xy);
    vec3 direction = direction_of(place), offset = origin_of(place) - center.xyz;
    float nearest = -dot(offset, direction) / dot(direction, direction);
    start = local * (offset + nearest * direction);
    along = local * direction;
#if defined(BOX)
    meet_box(size.xyz);
    float thickness = min(size.x, min(size.y, size.z));
#elif defined(ELLIPSOID)
    meet_ellipsoid(size.xyz);
    float thickness = 0;
#elif defined(CAPSULE)
    meet_tube(size.x, size.z, false);
    meet_ball(size.x, size.z);
    meet_ball(size.x, -size.z);
    float thickness = 0;
#elif defined(CYLINDER)
    meet_tube(size.x, size.z, true);
    meet_disc(size.x, size.z, 1);
    meet_disc(size.x, -size.z, -1);
    float thickness = min(size.x, size.z);
#elif defined(CONE)
    meet_cone_side(size.x, size.z);
    meet_disc(size.x, -0.5 * size.z, -1);
    float thickness = min(size.x, size.z);
#elif defined(HULL)
    meet_hull(int(center.w), int(size.w));
    float thickness = min(size.x, min(size.y, size.z));
#endif
    float depth = nearest + best;
    if (best >= NO_EDGE || depth < frame.w)
        discard;
    keep(depth, transpose(local) * normalize(best_normal), best_edge, thickness);
}
