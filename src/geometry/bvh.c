// Building by the surface area heuristic in bins (Wald 2007, "On fast construction of SAH-based bounding volume
// hierarchies"), from the top down and in place, and walking the tree.
#include "geometry/bvh.h"

#include <float.h>
#include <stdlib.h>

enum { BINS = 16, GREEDY_DEPTH = 40 };

_Static_assert(sizeof(bvh_node) == 32, "two nodes in a cache line");

// ---------------------------------------------------------------------------------------------------------- building

typedef struct build_item {
    bvh_box box;
    uint32_t index;
} build_item;

typedef struct build_task {
    uint32_t node, begin, end, depth;
} build_task;

static float rounded_down(double value)
{
    float near = (float)value;
    return (double)near > value ? nextafterf(near, -FLT_MAX) : near;
}

static float rounded_up(double value)
{
    return -rounded_down(-value);
}

bvh_box bvh_box_around(vec3 low, vec3 high)
{
    return (bvh_box){{rounded_down(low.x), rounded_down(low.y), rounded_down(low.z)},
                     {rounded_up(high.x), rounded_up(high.y), rounded_up(high.z)}};
}

static const bvh_box empty_box = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};

static inline void box_add(bvh_box *sum, const bvh_box *box)
{
    for (int axis = 0; axis < 3; axis++) {
        sum->low[axis] = box->low[axis] < sum->low[axis] ? box->low[axis] : sum->low[axis];
        sum->high[axis] = box->high[axis] > sum->high[axis] ? box->high[axis] : sum->high[axis];
    }
}

static double box_area(const bvh_box *box)
{
    double x = (double)box->high[0] - (double)box->low[0], y = (double)box->high[1] - (double)box->low[1];
    double z = (double)box->high[2] - (double)box->low[2];
    return x * y + y * z + z * x;
}

static inline float box_middle(const bvh_box *box, int axis)
{
    return 0.5f * box->low[axis] + 0.5f * box->high[axis];
}

typedef struct bins {
    int axis;
    float low, scale; // bin = (middle - low) scale
    bvh_box boxes[BINS];
    uint32_t counts[BINS];
} bins;

static inline int bin_of(const bins *b, const bvh_box *box)
{
    int bin = (int)((box_middle(box, b->axis) - b->low) * b->scale);
    return bin < 0 ? 0 : bin < BINS ? bin : BINS - 1;
}

// Bins along the longest side of the box of the items' middles; false when they are all in one place.
static bool fill_bins(bins *b, const build_item *items, uint32_t count)
{
    bvh_box middles = empty_box;
    for (uint32_t i = 0; i < count; i++)
        for (int axis = 0; axis < 3; axis++) {
            float middle = box_middle(&items[i].box, axis);
            middles.low[axis] = middle < middles.low[axis] ? middle : middles.low[axis];
            middles.high[axis] = middle > middles.high[axis] ? middle : middles.high[axis];
        }
    float longest = -1;
    for (int axis = 0; axis < 3; axis++) {
        float side = middles.high[axis] - middles.low[axis];
        if (side > longest) {
            longest = side;
            b->axis = axis;
        }
    }
    b->low = middles.low[b->axis];
    b->scale = (float)BINS / longest;
    if (!(longest > 0) || !isfinite(b->scale))
        return false;
    for (int bin = 0; bin < BINS; bin++) {
        b->boxes[bin] = empty_box;
        b->counts[bin] = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        int bin = bin_of(b, &items[i].box);
        box_add(&b->boxes[bin], &items[i].box);
        b->counts[bin]++;
    }
    return true;
}

// The bin before which cutting costs least; 0 when no cut leaves items on both sides.
static int cheapest_cut(const bins *b)
{
    double cost[BINS] = {0};
    bvh_box sum = empty_box;
    uint32_t count = 0;
    for (int bin = BINS - 1; bin > 0; bin--) {
        box_add(&sum, &b->boxes[bin]);
        count += b->counts[bin];
        cost[bin] = count ? box_area(&sum) * count : -1;
    }
    sum = empty_box;
    count = 0;
    double least = HUGE_VAL;
    int cut = 0;
    for (int bin = 1; bin < BINS; bin++) {
        box_add(&sum, &b->boxes[bin - 1]);
        count += b->counts[bin - 1];
        if (count == 0 || cost[bin] < 0)
            continue;
        double both = cost[bin] + box_area(&sum) * count;
        if (both < least) {
            least = both;
            cut = bin;
        }
    }
    return cut;
}

// Reorders items into two parts; the size of the first. Deep down, where only odd boxes lead, halves keep the depth in
// bounds.
static uint32_t split_items(build_item *items, uint32_t count, uint32_t depth)
{
    bins b;
    int cut = depth < GREEDY_DEPTH && fill_bins(&b, items, count) ? cheapest_cut(&b) : 0;
    if (cut == 0)
        return count / 2;
    uint32_t low = 0, high = count;
    while (low < high) {
        if (bin_of(&b, &items[low].box) < cut) {
            low++;
        } else {
            build_item moved = items[low];
            items[low] = items[--high];
            items[high] = moved;
        }
    }
    return low;
}

static void build_nodes(bvh *tree, const bvh_box *boxes, build_item *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        items[i] = (build_item){boxes[i], (uint32_t)i};
    build_task stack[BVH_DEPTH_MOST];
    int waiting = 0;
    tree->nodes.count = 1;
    stack[waiting++] = (build_task){0, 0, (uint32_t)count, 0};
    while (waiting > 0) {
        build_task task = stack[--waiting];
        bvh_box box = empty_box;
        for (uint32_t i = task.begin; i < task.end; i++)
            box_add(&box, &items[i].box);
        bvh_node *node = &tree->nodes.data[task.node];
        *node = (bvh_node){{box.low[0], box.low[1], box.low[2]},
                           task.begin,
                           {box.high[0], box.high[1], box.high[2]},
                           task.end - task.begin};
        if (node->count <= BVH_LEAF_MOST)
            continue;
        uint32_t middle = task.begin + split_items(items + task.begin, node->count, task.depth);
        uint32_t children = (uint32_t)tree->nodes.count;
        node->first = children;
        node->count = 0;
        tree->nodes.count += 2;
        stack[waiting++] = (build_task){children + 1, middle, task.end, task.depth + 1};
        stack[waiting++] = (build_task){children, task.begin, middle, task.depth + 1};
    }
}

bool bvh_build(bvh *tree, const bvh_box *boxes, size_t count)
{
    *tree = (bvh){0};
    if (count == 0)
        return true;
    bvh built = {0};
    build_item *items = malloc(count * sizeof *items);
    bool done = items && array_reserve_exact(&built.nodes, 2 * count);
    if (done) {
        build_nodes(&built, boxes, items, count);
        // The room was for leaves of one item each.
        done = array_reserve_exact(&tree->nodes, built.nodes.count) && array_reserve_exact(&tree->items, count);
    }
    if (done) {
        memcpy(tree->nodes.data, built.nodes.data, built.nodes.count * sizeof *built.nodes.data);
        tree->nodes.count = built.nodes.count;
        for (size_t i = 0; i < count; i++)
            tree->items.data[i] = items[i].index;
        tree->items.count = count;
    } else {
        bvh_free(tree);
    }
    bvh_free(&built);
    free(items);
    return done;
}

bool bvh_build_in(bvh *tree, const bvh_box *boxes, size_t count, arena *scratch)
{
    *tree = (bvh){0};
    if (count == 0)
        return true;
    build_item *items = arena_array(scratch, build_item, count);
    tree->nodes.data = arena_array(scratch, bvh_node, 2 * count);
    tree->items.data = arena_array(scratch, uint32_t, count);
    if (!items || !tree->nodes.data || !tree->items.data)
        return false;
    build_nodes(tree, boxes, items, count);
    for (size_t i = 0; i < count; i++)
        tree->items.data[i] = items[i].index;
    tree->items.count = count;
    return true;
}

void bvh_free(bvh *tree)
{
    array_free(&tree->nodes);
    array_free(&tree->items);
}

// ----------------------------------------------------------------------------------------------------------- walking

static inline bool node_overlaps(const bvh_node *node, const bvh_box *box)
{
    return node->low[0] <= box->high[0] && node->high[0] >= box->low[0] && node->low[1] <= box->high[1] &&
           node->high[1] >= box->low[1] && node->low[2] <= box->high[2] && node->high[2] >= box->low[2];
}

bvh_walk bvh_walk_box(const bvh *tree, const bvh_box *box)
{
    bvh_walk walk;
    walk.tree = tree;
    walk.box = *box;
    walk.next = walk.end = 0;
    walk.waiting = tree->nodes.count > 0 && node_overlaps(&tree->nodes.data[0], box);
    walk.stack[0] = 0;
    return walk;
}

bool bvh_next_in_box(bvh_walk *walk, uint32_t *item)
{
    const bvh_node *nodes = walk->tree->nodes.data;
    while (walk->next == walk->end) {
        if (walk->waiting == 0)
            return false;
        const bvh_node *node = &nodes[walk->stack[--walk->waiting]];
        if (node->count > 0) {
            walk->next = node->first;
            walk->end = node->first + node->count;
            break;
        }
        if (node_overlaps(&nodes[node->first + 1], &walk->box))
            walk->stack[walk->waiting++] = node->first + 1;
        if (node_overlaps(&nodes[node->first], &walk->box))
            walk->stack[walk->waiting++] = node->first;
    }
    *item = walk->tree->items.data[walk->next++];
    return true;
}

static double node_distance(const bvh_search *search, const bvh_node *node)
{
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        double at = vec3_get(search->origin, axis);
        double outside = fmax(fmax((double)node->low[axis] - at, at - (double)node->high[axis]), 0);
        square += outside * outside;
    }
    return sqrt(square);
}

// The distance at which the ray enters the box; infinite when it does not. Both ends are moved apart by more than their
// rounding.
static double node_entry(const bvh_search *search, const bvh_node *node)
{
    double enter = 0, leave = HUGE_VAL;
    for (int axis = 0; axis < 3; axis++) {
        double at = vec3_get(search->origin, axis), inverse = vec3_get(search->inverse, axis);
        double low = (double)node->low[axis] - at, high = (double)node->high[axis] - at;
        if (inverse == 0) { // along this axis the ray stands still
            if (low > 0 || high < 0)
                return HUGE_VAL;
            continue;
        }
        double near = inverse > 0 ? low * inverse : high * inverse;
        double far = inverse > 0 ? high * inverse : low * inverse;
        enter = fmax(enter, near - 4e-16 * fabs(near));
        leave = fmin(leave, far + 4e-16 * fabs(far));
    }
    return enter <= leave ? enter : HUGE_VAL;
}

typedef double node_measure(const bvh_search *search, const bvh_node *node);

static void push_node(bvh_search *search, double distance, uint32_t node)
{
    search->stack[search->waiting].distance = distance;
    search->stack[search->waiting++].node = node;
}

static bvh_search search_begin(const bvh *tree, vec3 origin, vec3 direction)
{
    // A component whose inverse overflows moves by less than one could see.
    vec3 inverse = vec3_make(1 / direction.x, 1 / direction.y, 1 / direction.z);
    inverse.x = isfinite(inverse.x) ? inverse.x : 0;
    inverse.y = isfinite(inverse.y) ? inverse.y : 0;
    inverse.z = isfinite(inverse.z) ? inverse.z : 0;
    return (bvh_search){.tree = tree, .origin = origin, .direction = direction, .inverse = inverse};
}

static inline bool next_item(bvh_search *search, double limit, node_measure *measure, uint32_t *item)
{
    const bvh_node *nodes = search->tree->nodes.data;
    while (search->next == search->end) {
        if (search->waiting == 0)
            return false;
        search->waiting--;
        if (!(search->stack[search->waiting].distance <= limit))
            continue;
        const bvh_node *node = &nodes[search->stack[search->waiting].node];
        if (node->count > 0) {
            search->next = node->first;
            search->end = node->first + node->count;
            break;
        }
        double first = measure(search, &nodes[node->first]), second = measure(search, &nodes[node->first + 1]);
        uint32_t near = first <= second ? 0u : 1u;
        double farther = near ? first : second, nearer = near ? second : first;
        if (farther <= limit && farther < HUGE_VAL)
            push_node(search, farther, node->first + 1 - near);
        if (nearer <= limit && nearer < HUGE_VAL)
            push_node(search, nearer, node->first + near);
    }
    *item = search->tree->items.data[search->next++];
    return true;
}

static bvh_search search_root(bvh_search search, node_measure *measure)
{
    if (search.tree->nodes.count > 0) {
        double distance = measure(&search, &search.tree->nodes.data[0]);
        if (distance < HUGE_VAL)
            push_node(&search, distance, 0);
    }
    return search;
}

bvh_search bvh_search_near(const bvh *tree, vec3 point)
{
    return search_root(search_begin(tree, point, vec3_make(0, 0, 0)), node_distance);
}

bool bvh_next_near(bvh_search *search, double limit, uint32_t *item)
{
    return next_item(search, limit, node_distance, item);
}

bvh_search bvh_search_along(const bvh *tree, vec3 origin, vec3 direction)
{
    return search_root(search_begin(tree, origin, direction), node_entry);
}

bool bvh_next_along(bvh_search *search, double limit, uint32_t *item)
{
    return next_item(search, limit, node_entry, item);
}
