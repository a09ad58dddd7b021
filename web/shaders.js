// What the graphics card does: bodies stand where two textures say (their places and orientations at two frames,
// between which time runs), spheres are quads on which each pixel casts its own ray, all else are meshes.

const BODIES = `
precision highp float;
precision highp int;
precision highp sampler2D;

uniform mat4 viewMatrix, projectionMatrix;
uniform sampler2D placesA, placesB, turnsA, turnsB, paints, scale;
uniform float between;    // 0 at frame A, 1 at frame B
uniform bool scaled;      // colours by the scale, else by the body's own paint

ivec2 texelOf(float body, sampler2D table) {
  int width = textureSize(table, 0).x, index = int(body + 0.5);
  return ivec2(index % width, index / width);
}

// xyz: where the centre of mass is; w: what the colour tells, below 0 when the body is gone.
vec4 placeOf(float body) {
  ivec2 at = texelOf(body, placesA);
  vec4 a = texelFetch(placesA, at, 0), b = texelFetch(placesB, at, 0);
  return vec4(mix(a.xyz, b.xyz, between), a.w < 0.0 ? a.w : b.w < 0.0 ? a.w : mix(a.w, b.w, between));
}

vec4 turnOf(float body) {
  ivec2 at = texelOf(body, turnsA);
  vec4 a = texelFetch(turnsA, at, 0), b = texelFetch(turnsB, at, 0);
  return normalize(mix(a, dot(a, b) < 0.0 ? -b : b, between)); // x, y, z, w
}

vec3 turn(vec4 q, vec3 v) {
  return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

vec3 paintOf(float body, float told) {
  vec4 own = texelFetch(paints, texelOf(body, paints), 0);
  return scaled && own.a > 0.5 ? texture(scale, vec2(clamp(told, 0.0, 1.0) * 0.984 + 0.008, 0.5)).rgb : own.rgb;
}
`;

const LIGHT = `
uniform vec3 sun, sky;    // directions in view space
uniform mat4 shadowFromView;
uniform highp sampler2DShadow shadow;
uniform float shadowTexel;
out vec4 color;

// How much of the sun reaches a point: nine looks into the shadow map.
float sunlight(vec3 point, vec3 normal, float bias) {
  vec4 at = shadowFromView * vec4(point + bias * normal, 1.0);
  vec3 p = at.xyz / at.w * 0.5 + 0.5;
  if (any(lessThan(p, vec3(0.0))) || any(greaterThan(p, vec3(1.0)))) return 1.0;
  float sum = 0.0;
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++)
      sum += texture(shadow, vec3(p.xy + 1.3 * shadowTexel * vec2(i, j), p.z));
  return sum / 9.0;
}

vec3 shade(vec3 paint, vec3 normal, vec3 point, float bias) {
  vec3 linear = pow(paint, vec3(2.2));
  float up = 0.5 + 0.5 * dot(normal, sky);
  float direct = max(dot(normal, sun), 0.0);
  direct *= direct > 0.0 ? sunlight(point, normal, bias) : 0.0;
  vec3 half_way = normalize(sun - normalize(point));
  float shine = direct > 0.0 ? 0.18 * pow(max(dot(normal, half_way), 0.0), 40.0) : 0.0;
  vec3 light = linear * (mix(vec3(0.16, 0.15, 0.15), vec3(0.42, 0.46, 0.52), up) + 0.95 * direct * vec3(1.0, 0.97, 0.92));
  return pow(light + shine * direct, vec3(1.0 / 2.2));
}
`;

// ------------------------------------------------------------------------------------------------------------ spheres

export const sphereVertex = `${BODIES}
in vec3 position;     // corner of the quad
in float body;
in vec4 ball;         // place in the body, radius
uniform bool parallel; // seen along z, as the sun does
out vec3 center, corner;
out float radius;
flat out vec3 paint;

void main() {
  vec4 place = placeOf(body);
  vec3 world = place.xyz + turn(turnOf(body), ball.xyz);
  center = (viewMatrix * vec4(world, 1.0)).xyz;
  radius = ball.w;
  paint = paintOf(body, place.w);
  // The quad stands square to the line of sight and just holds the outline.
  float far = length(center);
  vec3 ahead = parallel ? vec3(0.0, 0.0, -1.0) : center / far;
  float reach = parallel ? radius : radius * far / sqrt(max(far * far - radius * radius, 1e-6 * far * far));
  vec3 right = normalize(cross(ahead, abs(ahead.y) > 0.9 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0)));
  corner = center + 1.05 * reach * (position.x * right + position.y * cross(right, ahead));
  gl_Position = place.w < 0.0 ? vec4(2.0, 2.0, 2.0, 1.0) : projectionMatrix * vec4(corner, 1.0);
}
`;

const CAST = `
precision highp float;
uniform mat4 projectionMatrix;
uniform bool parallel;
in vec3 center, corner;
in float radius;
flat in vec3 paint;

float cover; // how much of the pixel the sphere takes, at its outline

// Where the ray through this pixel meets the sphere; the pixel is dropped where it does not.
vec3 meet() {
  vec3 from = parallel ? vec3(corner.xy, 0.0) : vec3(0.0);
  vec3 ahead = parallel ? vec3(0.0, 0.0, -1.0) : normalize(corner);
  vec3 to = center - from;
  float along = dot(to, ahead), aside = length(to - along * ahead);
  cover = clamp((radius - aside) / max(fwidth(aside), 1e-12) + 0.5, 0.0, 1.0);
  if (cover <= 0.0) discard;
  vec3 point = from + (along - sqrt(max(radius * radius - aside * aside, 0.0))) * ahead;
  vec4 clip = projectionMatrix * vec4(point, 1.0);
  gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
  return point;
}
`;

export const sphereFragment = `${CAST}${LIGHT}
void main() {
  vec3 point = meet();
  vec3 normal = (point - center) / radius;
  color = vec4(shade(paint, normalize(normal), point, 0.04 * radius), cover);
}
`;

export const sphereDepth = `${CAST}
out vec4 color;
void main() {
  meet();
  color = vec4(1.0);
}
`;

// ------------------------------------------------------------------------------------------------------------- meshes

export const meshVertex = `${BODIES}
in vec3 position, normal;
in float body;
in vec3 place;        // of the part in its body
in vec4 turned;       // x, y, z, w
in vec4 size;         // along its axes; w: how far the halves of a capsule are from the middle
out vec3 point, facing;
flat out vec3 paint;

void main() {
  vec4 at = placeOf(body), q = turnOf(body);
  vec3 local = position * size.xyz + vec3(0.0, 0.0, sign(position.z) * size.w);
  vec3 world = at.xyz + turn(q, place + turn(turned, local));
  facing = mat3(viewMatrix) * turn(q, turn(turned, normalize(normal / size.xyz)));
  point = (viewMatrix * vec4(world, 1.0)).xyz;
  paint = paintOf(body, at.w);
  gl_Position = at.w < 0.0 ? vec4(2.0, 2.0, 2.0, 1.0) : projectionMatrix * vec4(point, 1.0);
}
`;

export const meshFragment = `
precision highp float;
in vec3 point, facing;
flat in vec3 paint;
uniform float opacity, grain;
${LIGHT}
void main() {
  vec3 normal = normalize(facing) * (gl_FrontFacing ? 1.0 : -1.0);
  color = vec4(shade(paint, normal, point, 0.08 * grain), opacity);
}
`;

export const meshDepth = `
precision highp float;
out vec4 color;
void main() { color = vec4(1.0); }
`;

// ------------------------------------------------------------------------------------------------------------- ground

export const groundVertex = `
precision highp float;
uniform mat4 modelMatrix, viewMatrix, projectionMatrix;
in vec3 position;
out vec3 point;
out vec2 place;
void main() {
  vec4 at = viewMatrix * modelMatrix * vec4(position, 1.0);
  point = at.xyz;
  place = position.xy;
  gl_Position = projectionMatrix * at;
}
`;

export const groundFragment = `
precision highp float;
in vec3 point;
in vec2 place;
uniform float grid, reach, grain;
uniform vec3 upward;
${LIGHT}
void main() {
  vec2 cell = abs(fract(place / grid - 0.5) - 0.5) / fwidth(place / grid);
  float line = 1.0 - min(min(cell.x, cell.y), 1.0);
  vec3 paint = mix(vec3(0.88, 0.88, 0.87), vec3(0.76, 0.77, 0.79), 0.6 * line);
  float fade = 1.0 - smoothstep(0.35, 1.0, length(place) / reach);
  color = vec4(shade(paint, upward, point, 0.08 * grain), fade);
}
`;
