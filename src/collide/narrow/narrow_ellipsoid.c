// Ellipsoids against ellipsoids, spheres and planes: one point per pair, on the common normal.
//
// Pairs go through three sieves, each of them wide and each leaving fewer: bounding spheres, the characteristic
// polynomial, the common normal. Between them survivors are moved together, so that all lanes have work.
#include "collide/narrow/narrow_ellipsoid.h"

#include "collide/narrow/ellipsoid.h"
#include "collide/narrow/narrow_pair.h"

enum { BLOCK = 64 };

// Pairs that wait for OpM until there are enough of them.
typedef struct waiting_pairs {
    const proxy_view *view;
    const ellipsoid_kernels *kernels;
    contact_array *out;
    proxy_pair pairs[ELLIPSOID_LANES];
    ellipsoid_pairs lanes;
    int count;
} waiting_pairs;

static vec3 radii_of(const proxy *p)
{
    double first = (double)p->size[0];
    return p->type == SCREE_SHAPE_SPHERE ? vec3_make(first, first, first)
                                         : vec3_make(first, (double)p->size[1], (double)p->size[2]);
}

static float bounding_radius(const proxy *p)
{
    if (p->type == SCREE_SHAPE_SPHERE)
        return p->size[0];
    float larger = p->size[0] > p->size[1] ? p->size[0] : p->size[1];
    return larger > p->size[2] ? larger : p->size[2];
}

static void set_pose(const proxy_view *view, const proxy *p, ellipsoid_poses *poses, int which, int lane)
{
    vec3 radii = radii_of(p);
    quat orientation = proxy_orientation(view, p);
    poses->radii[which][0][lane] = radii.x;
    poses->radii[which][1][lane] = radii.y;
    poses->radii[which][2][lane] = radii.z;
    poses->orientations[which][0][lane] = orientation.w;
    poses->orientations[which][1][lane] = orientation.x;
    poses->orientations[which][2][lane] = orientation.y;
    poses->orientations[which][3][lane] = orientation.z;
}

static void set_lane(const proxy_view *view, proxy_pair pair, ellipsoid_poses *poses, int lane)
{
    const proxy *a = &view->proxies[pair.a], *b = &view->proxies[pair.b];
    vec3 between = place_pair(view, a, b).between;
    set_pose(view, a, poses, 0, lane);
    set_pose(view, b, poses, 1, lane);
    poses->between[0][lane] = between.x;
    poses->between[1][lane] = between.y;
    poses->between[2][lane] = between.z;
    poses->margin[lane] = pair_margin(view, a, b);
}

static void append_contact(const waiting_pairs *waiting, const ellipsoid_contacts *found, int lane)
{
    const proxy_view *view = waiting->view;
    const proxy *a = &view->proxies[waiting->pairs[lane].a], *b = &view->proxies[waiting->pairs[lane].b];
    vec3 point = {found->point[0][lane], found->point[1][lane], found->point[2][lane]};
    vec3 normal = {found->normal[0][lane], found->normal[1][lane], found->normal[2][lane]};
    if (a->local != 0)
        point = vec3_add(point, proxy_arm(view, a));
    waiting->out->data[waiting->out->count++] = make_contact(a, b, 0, point, normal, found->gap[lane]);
}

// OpM for those that wait; lanes without a pair repeat the first.
static void finish(waiting_pairs *waiting)
{
    if (waiting->count == 0)
        return;
    unsigned used = (1u << waiting->count) - 1;
    for (int lane = waiting->count; lane < ELLIPSOID_LANES; lane++)
        ellipsoid_pairs_copy_lane(&waiting->lanes, lane, &waiting->lanes, 0);
    ellipsoid_contacts found;
    waiting->kernels->contact(&waiting->lanes, -HUGE_VAL, &found);
    unsigned doubtful = used & found.near & ~found.certain;
    if (doubtful) {
        ellipsoid_poses poses;
        for (int lane = 0; lane < waiting->count; lane++)
            set_lane(waiting->view, waiting->pairs[lane], &poses, lane);
        ellipsoid_contacts_settle(waiting->kernels, &poses, &waiting->lanes, doubtful, &found);
    }
    for (int lane = 0; lane < waiting->count; lane++)
        if (found.near >> lane & 1)
            append_contact(waiting, &found, lane);
    waiting->count = 0;
}

// Takes as many pairs as there are lanes, or fewer; a bit for each. Lanes without a pair repeat the first.
static unsigned fill_group(const proxy_view *view, const ellipsoid_kernels *kernels, const proxy_pair *pairs, int count,
                           ellipsoid_pairs *lanes)
{
    ellipsoid_poses poses;
    for (int lane = 0; lane < ELLIPSOID_LANES; lane++)
        set_lane(view, pairs[lane < count ? lane : 0], &poses, lane);
    kernels->prepare(&poses, lanes);
    return (1u << count) - 1;
}

static void sift_group(waiting_pairs *waiting, const proxy_pair *pairs, int count, ellipsoid_method method)
{
    ellipsoid_pairs lanes;
    unsigned left = fill_group(waiting->view, waiting->kernels, pairs, count, &lanes);
    if (method == ELLIPSOID_METHOD_2)
        left &= waiting->kernels->may_touch(&lanes);
    for (int lane = 0; lane < count; lane++) {
        if (!(left >> lane & 1))
            continue;
        waiting->pairs[waiting->count] = pairs[lane];
        ellipsoid_pairs_copy_lane(&waiting->lanes, waiting->count++, &lanes, lane);
        if (waiting->count == ELLIPSOID_LANES)
            finish(waiting);
    }
}

// Keeps the pairs whose bounding spheres come within the margin of each other. The bound is widened a little, since
// radii may be rounded and margins added in another order.
static size_t keep_near(const proxy_view *view, const proxy_pair *pairs, size_t count, proxy_pair kept[BLOCK])
{
    size_t near = 0;
    for (size_t i = 0; i < count; i++) {
        const proxy *a = &view->proxies[pairs[i].a], *b = &view->proxies[pairs[i].b];
        vec3 between = place_pair(view, a, b).between;
        double limit = (double)bounding_radius(a) + (double)bounding_radius(b) + pair_margin(view, a, b);
        kept[near] = pairs[i];
        near += vec3_dot(between, between) <= limit * limit * (1 + 1e-12);
    }
    return near;
}

bool narrow_ellipsoids(const proxy_view *view, const proxy_pair *pairs, size_t count, ellipsoid_method method,
                       contact_array *out)
{
    if (!array_reserve(out, out->count + count))
        return false;
    waiting_pairs waiting = {.view = view, .kernels = ellipsoid_kernels_here(), .out = out};
    proxy_pair kept[BLOCK];
    size_t near = 0;
    for (size_t begin = 0; begin < count; begin += BLOCK) {
        size_t size = count - begin < BLOCK ? count - begin : BLOCK;
        const proxy_pair *some = pairs + begin;
        near = size;
        if (method == ELLIPSOID_METHOD_2) {
            near = keep_near(view, some, size, kept);
            some = kept;
        }
        for (size_t i = 0; i < near; i += ELLIPSOID_LANES)
            sift_group(&waiting, some + i, (int)(near - i < ELLIPSOID_LANES ? near - i : ELLIPSOID_LANES), method);
    }
    finish(&waiting);
    return true;
}

size_t narrow_ellipsoids_count(const proxy_view *view, const proxy_pair *pairs, size_t count)
{
    const ellipsoid_kernels *kernels = ellipsoid_kernels_here();
    size_t touching = 0;
    for (size_t i = 0; i < count; i += ELLIPSOID_LANES) {
        ellipsoid_pairs lanes;
        int size = (int)(count - i < ELLIPSOID_LANES ? count - i : ELLIPSOID_LANES);
        unsigned left = fill_group(view, kernels, pairs + i, size, &lanes);
        left &= kernels->may_touch(&lanes);
        touching += (size_t)__builtin_popcount(left);
    }
    return touching;
}

bool narrow_ellipsoid_ellipsoid(const proxy_view *view, const proxy_pair *pairs, size_t count, contact_array *out)
{
    return narrow_ellipsoids(view, pairs, count, ELLIPSOID_METHOD_2, out);
}

bool narrow_sphere_ellipsoid(const proxy_view *view, const proxy_pair *pairs, size_t count, contact_array *out)
{
    return narrow_ellipsoids(view, pairs, count, ELLIPSOID_METHOD_2, out);
}

static inline contact touch_plane(const proxy_view *view, const proxy *a, const proxy *b, const pair_place *place,
                                  double *gap)
{
    double height;
    vec3 down = vec3_negate(plane_under(view, b, place, &height));
    quat axes = proxy_orientation(view, a);
    vec3 lowest = quat_rotate(axes, ellipsoid_support(radii_of(a), quat_rotate_back(axes, down)));
    *gap = height - vec3_dot(lowest, down);
    return make_contact(a, b, 0, vec3_add(place->arm, vec3_add_scaled(lowest, down, 0.5 * *gap)), down, *gap);
}

bool narrow_ellipsoid_plane(const proxy_view *view, const proxy_pair *pairs, size_t count, contact_array *out)
{
    return narrow_points(view, pairs, count, touch_plane, out);
}
