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

float line_cover(float place, float per_footprint) // place: in units of the grid
{
    return clamp(1.2 - abs(place - round(place)) * per_footprint, 0, 1);
}

void main()
{
    vec2 place = place_of(gl_FragCoord.xy);
    vec3 direction = direction_of(place);
    float best = NO_EDGE, presence = 0;
    // Normal of the plane that is met. It is chosen on the way, where its number is a constant: fetching by a variable costs more.
    vec3 normal = vec3(0);
    vec4 middle_met = vec4(0), along = vec4(0), across = vec4(0);
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
            normal = planes[i].xyz;
            middle_met = middles[i];
            along = alongs[i];
            across = acrosses[i];
        }
    }
    if (presence <= 0)
        discard;
    vec3 point = best * direction, away = point - middle_met.xyz;
    float slant = abs(dot(normal, direction)) * inversesqrt(dot(direction, direction)), per_grid = 1 / grid;
    float footprint = pixel * frame.z * per_grid * point.z * inversesqrt(max(slant, 0.05)), per_footprint = 1 / footprint;
    float line = max(line_cover((dot(away, along.xyz) + along.w) * per_grid, per_footprint),
                     line_cover((dot(away, across.xyz) + across.w) * per_grid, per_footprint));
    line *= middle_met.w * clamp(1.5 - 8 * footprint, 0, 1); // far away, lines vanish
    gl_FragDepth = depths.x * point.z + depths.y;
    albedo = vec4(ground_color, presence);
    surface = vec4(normal, -(1 - 0.16 * line));
}
