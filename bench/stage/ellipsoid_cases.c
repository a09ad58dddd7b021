// Pairs of ellipsoids whose contact is known (Table 1 of Pazouki, Mazhar and Negrut 2012): inside each other with one
// centre, overlapping, touching, apart. Says the gap and the normal that OpM finds beside what they are.
#include <math.h>

#include "base/error.h"
#include "bench/benchmarks.h"
#include "bench/measure/json_line.h"
#include "collide/narrow/narrow_ellipsoid.h"

typedef struct known_pair {
    float axes[2][3];
    bool turned[2]; // by 90 degrees about z
    vec3 centers[2];
    double distance; // the paper's |d|, which has no sign
    double gap;
    vec3 normal;
} known_pair;

static const known_pair pairs[] = {
    {{{3, 1, 2}, {6, 2, 4}}, {false, false}, {{1, 1, 1}, {1, 1, 1}}, 3, -3, {0, 1, 0}},
    {{{3, 1, 2}, {12, 4, 8}}, {true, false}, {{1, 1, 1}, {1, 1, 1}}, 7, -7, {0, 1, 0}},
    {{{3, 1, 2}, {3, 1, 2}}, {false, false}, {{0, 0, 0}, {5.8, 0, 0}}, 0.2, -0.2, {1, 0, 0}},
    {{{3, 1, 2}, {1, 3, 2}}, {true, true}, {{1, 1, 1}, {5.2, 1, 1}}, 0.2, 0.2, {1, 0, 0}},
    {{{3, 1, 2}, {1, 3, 2}}, {true, true}, {{1, 1, 1}, {4.8, 1, 1}}, 0.2, -0.2, {1, 0, 0}},
    {{{3, 1, 2}, {3, 1, 2}}, {false, false}, {{0, 0, 0}, {6, 0, 0}}, 0, 0, {1, 0, 0}},
};

static scree_status find_contact(const known_pair *known, contact *found, scree_error *error)
{
    const quat upright = {1, 0, 0, 0}, turned = {sqrt(0.5), 0, 0, sqrt(0.5)};
    proxy proxies[2];
    quat orientations[2];
    float margins[2] = {1, 1}; // so that a pair that is apart is told as well
    uint8_t immovable[2] = {0, 0};
    for (uint32_t i = 0; i < 2; i++) {
        const float *axes = known->axes[i];
        proxies[i] = (proxy){.size = {axes[0], axes[1], axes[2]}, .body = i, .type = SCREE_SHAPE_ELLIPSOID};
        orientations[i] = known->turned[i] ? turned : upright;
    }
    proxy_view view = {.proxies = proxies,
                       .proxy_count = 2,
                       .centers = known->centers,
                       .orientations = orientations,
                       .margins = margins,
                       .immovable = immovable,
                       .body_count = 2};
    contact_array out = {0};
    proxy_pair pair = {0, 1};
    scree_status status =
        narrow_ellipsoids(&view, &pair, 1, ELLIPSOID_METHOD_1, &out) ? SCREE_OK : fail_no_memory(error);
    const vec3f none = {(float)NAN, (float)NAN, (float)NAN};
    *found = out.count ? out.data[0] : (contact){.normal = none, .gap = (float)NAN};
    array_free(&out);
    return status;
}

scree_status bench_ellipsoid_cases(const bench_options *options, scree_error *error)
{
    (void)options;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        contact found;
        scree_status status = find_contact(&pairs[i], &found, error);
        if (status != SCREE_OK)
            return status;
        vec3 normal = vec3_make((double)found.normal.x, (double)found.normal.y, (double)found.normal.z);
        double along = fabs(vec3_dot(normal, pairs[i].normal)); // its sign is free where the centres are one
        json_line line = json_line_begin("ellipsoid-cases", "scree");
        json_line_count(&line, "case", i + 1);
        json_line_number(&line, "distance", fabs((double)found.gap));
        json_line_number(&line, "gap", (double)found.gap);
        json_line_number(&line, "normal_x", fabs(normal.x));
        json_line_number(&line, "normal_y", fabs(normal.y));
        json_line_number(&line, "normal_z", fabs(normal.z));
        json_line_number(&line, "distance_error", fabs(fabs((double)found.gap) - pairs[i].distance));
        json_line_number(&line, "gap_error", fabs((double)found.gap - pairs[i].gap));
        json_line_number(&line, "normal_error", vec3_length(vec3_sub(normal, vec3_scale(pairs[i].normal, along))));
        json_line_end(&line);
    }
    return SCREE_OK;
}
