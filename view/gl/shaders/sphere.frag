// A sphere met by the ray of each sample. The distance of ray and centre is formed from their difference, which stays
// exact for small far spheres.
void main()
{
    vec2 place = place_of(gl_FragCoord.xy);
    vec3 direction = direction_of(place), offset = center.xyz - origin_of(place);
    float length2 = dot(direction, direction), middle = dot(offset, direction) / length2;
    vec3 beside = offset - middle * direction;
    float inside = center.w * center.w - dot(beside, beside);
    float depth = middle - sqrt(max(inside, 0) / length2);
    if (inside <= 0 || depth < frame.w)
        discard;
    keep(depth, (depth * direction - offset) / center.w, NO_EDGE, center.w);
}
