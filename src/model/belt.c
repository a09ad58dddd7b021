// The belt's line is the convex hull of the circles: arcs, and the outer tangents between them. Its outward normal
// turns once round, so that an arc is a circle and two angles of that normal.
#include "model/belt.h"

#include <math.h>

#include "base/vec.h"

typedef struct belt_arc {
    const belt_circle *circle;
    double from, to; // angles of the outward normal
    double start;    // length of the line up to this arc
} belt_arc;

typedef struct belt_line {
    belt_arc arcs[BELT_MOST_CIRCLES + 2]; // the first circle has the first and the last
    size_t count;
    double length;
} belt_line;

static belt_point on_circle(const belt_circle *circle, double angle)
{
    vec3 out = vec3_on_circle(circle->radius, angle, 0);
    return (belt_point){circle->center.x + out.x, circle->center.z + out.y};
}

static double distance(belt_point a, belt_point b)
{
    return hypotenuse(b.x - a.x, b.z - a.z);
}

// Angle, from `angle` on, of the normal of the outer tangent from one circle to another; infinity where there is none.
static double tangent_angle(const belt_circle *a, const belt_circle *b, double angle)
{
    double far = distance(a->center, b->center), cosine = (a->radius - b->radius) / far;
    if (!(fabs(cosine) <= 1))
        return HUGE_VAL;
    double normal = arc_tangent(b->center.z - a->center.z, b->center.x - a->center.x) -
                    arc_tangent(sqrt(1 - cosine * cosine), cosine);
    return normal + 2 * PI * ceil((angle - normal) / (2 * PI));
}

// Walks once round the circles, from the first one where its normal has the given angle.
static bool walk_round(const belt_circle *circles, size_t count, double angle, belt_line *line)
{
    const double end = angle + 2 * PI;
    size_t at = 0;
    *line = (belt_line){0};
    while (line->count < BELT_MOST_CIRCLES + 2) {
        size_t next = at;
        double leave = end;
        for (size_t i = 0; i < count; i++) {
            double normal = i == at ? HUGE_VAL : tangent_angle(&circles[at], &circles[i], angle);
            if (normal < leave) {
                leave = normal;
                next = i;
            }
        }
        line->arcs[line->count++] = (belt_arc){&circles[at], angle, leave, line->length};
        line->length += circles[at].radius * (leave - angle);
        if (next == at)
            return at == 0;
        line->length += distance(on_circle(&circles[at], leave), on_circle(&circles[next], leave));
        at = next;
        angle = leave;
    }
    return false;
}

static belt_point point_at(const belt_line *line, double length)
{
    size_t i = line->count - 1;
    while (i > 0 && length < line->arcs[i].start)
        i--;
    const belt_arc *arc = &line->arcs[i];
    double angle = arc->from + (length - arc->start) / arc->circle->radius;
    if (angle <= arc->to || i + 1 == line->count)
        return on_circle(arc->circle, angle);
    double beyond = arc->circle->radius * (angle - arc->to);
    belt_point here = on_circle(arc->circle, arc->to);
    vec3 out = vec3_on_circle(beyond, arc->to, 0);
    return (belt_point){here.x - out.y, here.z + out.x};
}

// Lays one link after the other along the line; by how much the last pin stands beyond the line's end.
static double lay_links(const belt_line *line, double pitch, belt_point *pins, size_t count)
{
    double at = 0;
    for (size_t i = 0; i < count; i++) {
        double low = at, high = at + 1.3 * pitch;
        pins[i] = point_at(line, at);
        for (int k = 0; k < 60; k++) {
            double middle = 0.5 * (low + high);
            *(distance(pins[i], point_at(line, middle)) < pitch ? &low : &high) = middle;
        }
        at = 0.5 * (low + high);
    }
    return at - line->length;
}

// Links beyond the end of the line when the last circle stands at x; infinity where there is no line.
static double excess(belt_circle *circles, size_t circle_count, double x, double pitch, belt_point *pins, size_t count,
                     double *angle)
{
    belt_line line;
    circles[circle_count - 1].center.x = x;
    if (!walk_round(circles, circle_count, 0, &line))
        return HUGE_VAL;
    *angle = 0.5 * (line.arcs[0].to + line.arcs[line.count - 1].from - 2 * PI);
    return walk_round(circles, circle_count, *angle, &line) ? lay_links(&line, pitch, pins, count) : HUGE_VAL;
}

bool belt_wind(belt_circle *circles, size_t circle_count, double pitch, belt_point *pins, size_t count, double *angle)
{
    if (circle_count < 2 || circle_count > BELT_MOST_CIRCLES)
        return false;
    double near = circles[circle_count - 1].center.x + (double)count * pitch / 4, far = near - (double)count * pitch;
    for (int k = 0; k < 60; k++) { // the farther back, the longer the line
        double x = 0.5 * (near + far);
        *(excess(circles, circle_count, x, pitch, pins, count, angle) > 0 ? &near : &far) = x;
    }
    return fabs(excess(circles, circle_count, far, pitch, pins, count, angle)) < 1e-6 * pitch;
}
