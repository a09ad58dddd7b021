// Pairs of ellipsoids for tests, one at a time or in lanes, and slow oracles that know nothing of the methods.
#ifndef ELLIPSOID_SUPPORT_H
#define ELLIPSOID_SUPPORT_H

#include "../../physics/check.h"

#include "../geometry/random_pose.h"
#include "collide/narrow/ellipsoid.h"

enum { ALL_LANES = (1 << ELLIPSOID_LANES) - 1 };

typedef struct oval {
    vec3 radii;
    quat orientation;
} oval;

typedef struct oval_pair {
    oval first, second;
    vec3 between;
    double margin;
} oval_pair;

typedef struct oval_contact {
    vec3 normal, point;
    double gap;
    bool near;
    unsigned steps; // of the first search
} oval_contact;

// Farthest point along a direction, from the oval's centre in the world's axes.
static inline vec3 oval_support(const oval *o, vec3 direction)
{
    return quat_rotate(o->orientation, ellipsoid_support(o->radii, quat_rotate_back(o->orientation, direction)));
}

// How far the two are apart along a unit direction.
static inline double gap_along(const oval_pair *pair, vec3 c)
{
    return vec3_dot(c, pair->between) - vec3_dot(c, oval_support(&pair->first, c)) -
           vec3_dot(c, oval_support(&pair->second, c));
}

static inline vec3 sphere_spiral(int i, int count)
{
    double z = 1 - (2 * i + 1) / (double)count, angle = 2.399963229728653 * i, r = sqrt(1 - z * z);
    return vec3_make(r * cos(angle), r * sin(angle), z);
}

// Climbs by compass search from a direction: slow, and sure to end on a local top.
static inline double climb(const oval_pair *pair, vec3 *c)
{
    double best = gap_along(pair, *c);
    for (double reach = 0.1; reach > 1e-9;) {
        vec3 u = vec3_normalize(vec3_cross(*c, fabs(c->x) < 0.6 ? vec3_make(1, 0, 0) : vec3_make(0, 1, 0)));
        vec3 v = vec3_cross(*c, u);
        bool better = false;
        for (int k = 0; k < 8; k++) {
            double angle = 0.7853981633974483 * k;
            vec3 side = vec3_add(vec3_scale(u, cos(angle)), vec3_scale(v, sin(angle)));
            vec3 trial = vec3_normalize(vec3_add_scaled(*c, side, reach));
            double gap = gap_along(pair, trial);
            if (gap > best) {
                best = gap;
                *c = trial;
                better = true;
                break;
            }
        }
        reach *= better ? 1.5 : 0.5;
        reach = fmin(reach, 0.3);
    }
    return best;
}

// The greatest gap over all directions, by looking at many and climbing from the best of them.
static inline double brute_gap(const oval_pair *pair, int directions, vec3 *normal)
{
    enum { TOPS = 6 };
    double top[TOPS];
    vec3 at[TOPS];
    for (int k = 0; k < TOPS; k++) {
        top[k] = -CHECK_INFINITY;
        at[k] = vec3_make(0, 0, 1);
    }
    for (int i = 0; i < directions; i++) {
        vec3 c = sphere_spiral(i, directions);
        double gap = gap_along(pair, c);
        int worst = 0, same = -1;
        for (int k = 0; k < TOPS; k++) {
            worst = top[k] < top[worst] ? k : worst;
            if (vec3_dot(at[k], c) > 0.95 && isfinite(top[k]))
                same = k;
        }
        int k = same >= 0 ? same : worst;
        if (gap > top[k]) {
            top[k] = gap;
            at[k] = c;
        }
    }
    double best = -CHECK_INFINITY;
    for (int k = 0; k < TOPS; k++) {
        double gap = climb(pair, &at[k]);
        if (gap > best) {
            best = gap;
            *normal = at[k];
        }
    }
    return best;
}

static inline void set_oval_lane(ellipsoid_poses *poses, int lane, const oval_pair *pair)
{
    const oval *both[2] = {&pair->first, &pair->second};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++)
            poses->radii[i][k][lane] = vec3_get(both[i]->radii, k);
        poses->orientations[i][0][lane] = both[i]->orientation.w;
        poses->orientations[i][1][lane] = both[i]->orientation.x;
        poses->orientations[i][2][lane] = both[i]->orientation.y;
        poses->orientations[i][3][lane] = both[i]->orientation.z;
    }
    for (int k = 0; k < 3; k++)
        poses->between[k][lane] = vec3_get(pair->between, k);
    poses->margin[lane] = pair->margin;
}

typedef struct oval_results {
    oval_contact at[ELLIPSOID_LANES];
    unsigned may_touch;
} oval_results;

// A group of pairs by the paper's method 1 or 2.
static inline oval_results collide_ovals(const oval_pair pairs[ELLIPSOID_LANES], int method)
{
    const ellipsoid_kernels *kernels = ellipsoid_kernels_here();
    ellipsoid_poses poses;
    ellipsoid_pairs lanes;
    ellipsoid_contacts found;
    oval_results results = {.may_touch = ALL_LANES};
    for (int lane = 0; lane < ELLIPSOID_LANES; lane++)
        set_oval_lane(&poses, lane, &pairs[lane]);
    kernels->prepare(&poses, &lanes);
    if (method == 2)
        results.may_touch = kernels->may_touch(&lanes);
    kernels->contact(&lanes, -HUGE_VAL, &found);
    ellipsoid_contacts_settle(kernels, &poses, &lanes, ALL_LANES, &found);
    for (int i = 0; i < ELLIPSOID_LANES; i++)
        results.at[i] = (oval_contact){{found.normal[0][i], found.normal[1][i], found.normal[2][i]},
                                       {found.point[0][i], found.point[1][i], found.point[2][i]},
                                       found.gap[i],
                                       found.near >> i & 1,
                                       found.steps[i]};
    return results;
}

static inline oval_contact collide_oval(const oval_pair *pair, int method)
{
    oval_pair pairs[ELLIPSOID_LANES];
    for (int lane = 0; lane < ELLIPSOID_LANES; lane++)
        pairs[lane] = *pair;
    return collide_ovals(pairs, method).at[3];
}

// Radii of which the greatest is 1 and the least 1 / ratio: the middle one anywhere between, or as thin as the least
// (needles), or as long as the greatest (discs).
static inline oval random_oval(random_stream *random, double ratio)
{
    double thin = 1 / ratio, middle = exp(log(thin) * random_unit(random));
    double kind = random_unit(random);
    middle = kind < 0.2 ? thin : kind < 0.4 ? 1 : middle;
    double sizes[3] = {1, middle, thin};
    int shift = (int)(3 * random_unit(random));
    vec3 radii = {sizes[shift], sizes[(shift + 1) % 3], sizes[(shift + 2) % 3]};
    return (oval){radii, random_rotation(random)};
}

// A pair that stands `gap` apart along the known common normal.
static inline oval_pair pair_with_normal(random_stream *random, double ratio, vec3 normal, double gap)
{
    oval_pair pair = {.first = random_oval(random, ratio), .second = random_oval(random, ratio)};
    pair.between = vec3_add(oval_support(&pair.first, normal), oval_support(&pair.second, normal));
    pair.between = vec3_add_scaled(pair.between, normal, gap);
    return pair;
}

static inline double angle_degrees(vec3 a, vec3 b)
{
    return atan2(vec3_length(vec3_cross(a, b)), vec3_dot(a, b)) * 57.29577951308232;
}

#endif
