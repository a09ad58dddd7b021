#include "geometry/near_tree.h"

#include <stdlib.h>

enum { LEAF = 4, DEEPEST = 64 };

typedef struct centred {
    double key;
    uint32_t item;
} centred;

static int compare_centred(const void *left, const void *right)
{
    const centred *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->item > b->item) - (a->item < b->item);
}

static near_box box_of(const near_box *boxes, const uint32_t *items, size_t count)
{
    near_box sum = boxes[items[0]];
    for (size_t i = 1; i < count; i++) {
        const near_box *b = &boxes[items[i]];
        sum.low = vec3_make(fmin(sum.low.x, b->low.x), fmin(sum.low.y, b->low.y), fmin(sum.low.z, b->low.z));
        sum.high = vec3_make(fmax(sum.high.x, b->high.x), fmax(sum.high.y, b->high.y), fmax(sum.high.z, b->high.z));
    }
    return sum;
}

// Puts the items of a range in the order of their middles along the longest side of their box.
static void sort_range(const near_box *boxes, const near_box *whole, uint32_t *items, size_t count, centred *scratch)
{
    vec3 size = vec3_sub(whole->high, whole->low);
    int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    for (size_t i = 0; i < count; i++) {
        const near_box *b = &boxes[items[i]];
        scratch[i] = (centred){vec3_get(b->low, axis) + vec3_get(b->high, axis), items[i]};
    }
    qsort(scratch, count, sizeof *scratch, compare_centred);
    for (size_t i = 0; i < count; i++)
        items[i] = scratch[i].item;
}

// Each node is cut in the middle until a leaf is left; nodes are made breadth first, so no stack is needed.
static bool split_nodes(near_tree *tree, const near_box *boxes, centred *scratch)
{
    for (size_t n = 0; n < tree->nodes.count; n++) {
        near_node node = tree->nodes.data[n];
        uint32_t *items = tree->items.data + node.first;
        tree->nodes.data[n].box = box_of(boxes, items, node.count);
        if (node.count <= LEAF)
            continue;
        sort_range(boxes, &tree->nodes.data[n].box, items, node.count, scratch);
        uint32_t half = node.count / 2;
        near_node low = {.first = node.first, .count = half};
        near_node high = {.first = node.first + half, .count = node.count - half};
        tree->nodes.data[n].first = (uint32_t)tree->nodes.count;
        tree->nodes.data[n].count = 0;
        if (!array_push(&tree->nodes, low) || !array_push(&tree->nodes, high))
            return false;
    }
    return true;
}

bool near_tree_build(near_tree *tree, const near_box *boxes, size_t count)
{
    *tree = (near_tree){0};
    if (count == 0)
        return true;
    centred *scratch = malloc(count * sizeof *scratch);
    near_node root = {.count = (uint32_t)count};
    bool done = scratch && array_resize(&tree->items, count) && array_push(&tree->nodes, root);
    for (size_t i = 0; done && i < count; i++)
        tree->items.data[i] = (uint32_t)i;
    done = done && split_nodes(tree, boxes, scratch);
    free(scratch);
    if (!done)
        near_tree_free(tree);
    return done;
}

void near_tree_free(near_tree *tree)
{
    array_free(&tree->nodes);
    array_free(&tree->items);
}

static double distance_to_box(const near_box *box, vec3 p)
{
    vec3 out = {fmax(fmax(box->low.x - p.x, p.x - box->high.x), 0), fmax(fmax(box->low.y - p.y, p.y - box->high.y), 0),
                fmax(fmax(box->low.z - p.z, p.z - box->high.z), 0)};
    return vec3_length(out);
}

uint32_t near_tree_find(const near_tree *tree, vec3 point, near_distance *distance, const void *context, double *found)
{
    uint32_t stack[DEEPEST], best = UINT32_MAX;
    int waiting = 0;
    *found = HUGE_VAL;
    if (tree->nodes.count > 0)
        stack[waiting++] = 0;
    while (waiting > 0) {
        const near_node *node = &tree->nodes.data[stack[--waiting]];
        if (distance_to_box(&node->box, point) >= *found)
            continue;
        for (uint32_t i = 0; i < node->count; i++) {
            uint32_t item = tree->items.data[node->first + i];
            double d = distance(context, item, point);
            if (d < *found) {
                *found = d;
                best = item;
            }
        }
        if (node->count > 0)
            continue;
        const near_node *pair = &tree->nodes.data[node->first];
        bool first_nearer = distance_to_box(&pair[0].box, point) <= distance_to_box(&pair[1].box, point);
        stack[waiting++] = node->first + first_nearer; // the farther one waits below
        stack[waiting++] = node->first + !first_nearer;
    }
    return best;
}
