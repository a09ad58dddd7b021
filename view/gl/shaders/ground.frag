// Planes: view/ground.c in GLSL. The nearest of them that is drawn at a sample is kept.
// COUNT, their number, is defined when this is compiled: loops of a known length cost a third.
uniform vec4 planes[COUNT];   // normal and offset, in the view
uniform vec4 middles[COUNT];  // of the part that is drawn; w: 1 when it carries a grid
uniform vec4 alongs[COUNT];   // of the grid; w: its place at the middle
uniform vec4 acrosses[COUNT];
uniform vec2 fades[COUNT];    // start, end; an end of 0: not seen
uniform vec3 ground_color;
uniform float grid, slack;

float presence_of(int i, vec3 point)
{
    float t = clamp((fades[i].y - distance(point, middles[i].xyz)) / (fades[i].y - fades[i].x), 0, 1);
    return t * t * (3 - 2 * t);
}

float line_cover(float place, float footprint)
{
    return clamp(1.2 - abs(place - grid * round(place / grid)) / footprint, 0, 1);
}

float line_at(int i, vec3 point, float footprint)
{
    vec3 away = point - middles[i].xyz;
    float a = line_cover(dot(away, alongs[i].xyz) + alongs[i].w, footprint);
    float b = line_cover(dot(away, acrosses[i].xyz) + acrosses[i].w, footprint);
    return middles[i].w * max(a, b) * clamp(1.5 - 8 * footprint / grid, 0, 1); // far away, lines vanish
}

void main()
{
    vec2 place = place_of(gl_FragCoord.xy);
    vec3 direction = direction_of(place);
    float best = NO_EDGE, presence = 0;
    int met = -1;
    for (int i = 0; i < COUNT; i++) {
        float speed = dot(planes[i].xyz, direction);
        float depth = planes[i].w / speed;
        if (fades[i].y <= 0 || speed > -1e-6 || depth < frame.w || depth >= best)
            continue;
        vec3 point = depth * direction;
        float here = presence_of(i, point);
        for (int j = 0; j < COUNT; j++)
            if (j != i && dot(planes[j].xyz, point) < planes[j].w - slack)
                here = 0;
        if (here > 0) {
            best = depth;
            presence = here;
            met = i;
        }
    }
    if (met < 0)
        discard;
    vec3 point = best * direction;
    float slant = abs(dot(planes[met].xyz, normalize(direction)));
    float footprint = pixel * frame.z * point.z / sqrt(max(slant, 0.05));
    gl_FragDepth = depths.x * point.z + depths.y;
    albedo = vec4(ground_color, presence);
    surface = vec4(planes[met].xyz, -(1 - 0.16 * line_at(met, point, footprint)));
}
