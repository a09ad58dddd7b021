// A sphere met by the ray of each sample. The distance of ray and centre is formed from their difference, which stays
// exact for small far spheres. It is a grain and has no edges, so nothing of keep() is needed.
void main()
{
    vec2 place = place_of(gl_FragCoord.xy);
#ifdef SHADOW // rays are parallel, else they meet in the eye
    vec2 beside = center.xy - place;
    float inside = center.w * center.w - dot(beside, beside), depth = center.z - sqrt(max(inside, 0));
#else
    vec3 direction = vec3(place, 1);
    float per_length2 = 1 / dot(direction, direction), middle = dot(center.xyz, direction) * per_length2;
    vec3 beside = center.xyz - middle * direction;
    float inside = center.w * center.w - dot(beside, beside);
    float depth = middle - sqrt(max(inside, 0) * per_length2);
#endif
    if (inside <= 0 || depth < frame.w)
        discard;
    gl_FragDepth = depths.x * depth + depths.y;
#ifndef SHADOW
    albedo = vec4(paint.rgb, 1);
    surface = vec4((depth * direction - center.xyz) / center.w, 1);
#endif
}
