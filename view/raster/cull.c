// From near to far, an object is compared with the cells that its outline touches, and covers cells itself when it is
// seen. A ball covers, in perspective too, a disc of its own radius square to the view's axis through its centre: the
// point of the disc on a ray lies inside the ball.
#include "view/raster/cull.h"

#include "base/array.h"

enum { BUCKETS = 4096 };

typedef ARRAY(uint32_t) order_array;

typedef struct cell_grid {
    const raster_view *view;
    long across, down;
    float left, top, side; // of the cells, on the view
    ARRAY(float) depth;    // nothing behind it is seen in the cell
} cell_grid;

// Roughly from near to far, by a counting sort: order decides how much is found, not whether it is right.
static bool sort_by_depth(const cull_ball *balls, size_t count, order_array *order)
{
    float low = RASTER_NOTHING, high = -RASTER_NOTHING;
    uint32_t starts[BUCKETS + 1] = {0};
    if (!array_resize(order, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        low = fminf(low, balls[i].center.z);
        high = fmaxf(high, balls[i].center.z);
    }
    float scale = (BUCKETS - 1) / fmaxf(high - low, 1e-30f);
    for (size_t i = 0; i < count; i++)
        starts[(size_t)((balls[i].center.z - low) * scale) + 1]++;
    for (size_t b = 0; b < BUCKETS; b++)
        starts[b + 1] += starts[b];
    for (size_t i = 0; i < count; i++)
        order->data[starts[(size_t)((balls[i].center.z - low) * scale)]++] = (uint32_t)i;
    return true;
}

static long clamp_cell(float place, long count)
{
    return place < 0 ? 0 : place > (float)count ? count : (long)place;
}

// Seen in one cell at least, among those that its outline touches.
static bool is_seen(const cell_grid *grid, const cull_ball *ball)
{
    raster_sphere sphere = {ball->center, ball->outer};
    raster_bounds b = raster_bounds_of_sphere(grid->view, &sphere);
    if (b.left >= b.right || b.top >= b.bottom)
        return false;
    float front = ball->center.z - ball->outer, shrink = grid->view->step / grid->side;
    long left = (long)((float)b.left * shrink), right = (long)ceilf((float)b.right * shrink);
    long top = (long)((float)b.top * shrink), bottom = (long)ceilf((float)b.bottom * shrink);
    right = right < grid->across ? right : grid->across;
    bottom = bottom < grid->down ? bottom : grid->down;
    for (long y = top; y < bottom; y++) {
        const float *row = grid->depth.data + y * grid->across;
        for (long x = left; x < right; x++)
            if (!(row[x] < front))
                return true;
    }
    return false;
}

static void cover(cell_grid *grid, const cull_ball *ball)
{
    float z = ball->center.z, scale = grid->view->perspective ? 1 / z : 1;
    if (ball->inner <= 0 || z - ball->inner <= grid->view->nearest)
        return;
    float x = (ball->center.x * scale - grid->left) / grid->side, y = (ball->center.y * scale - grid->top) / grid->side;
    float radius = 0.999f * ball->inner * scale / grid->side, radius2 = radius * radius;
    long top = clamp_cell(ceilf(y - radius), grid->down), bottom = clamp_cell(floorf(y + radius), grid->down);
    for (long v = top; v < bottom; v++) {
        float far = fmaxf(fabsf((float)v - y), fabsf((float)v + 1 - y)), width2 = radius2 - far * far;
        if (!(width2 > 0))
            continue;
        float width = sqrtf(width2), *row = grid->depth.data + v * grid->across;
        long left = clamp_cell(ceilf(x - width), grid->across), right = clamp_cell(floorf(x + width), grid->across);
        for (long u = left; u < right; u++)
            row[u] = row[u] < z ? row[u] : z;
    }
}

bool cull_find_hidden(const raster_view *view, const cull_ball *balls, size_t count, size_t cell, uint8_t *hidden)
{
    cell_grid grid = {.view = view,
                      .across = (long)((view->width + cell - 1) / cell),
                      .down = (long)((view->height + cell - 1) / cell),
                      .left = view->left,
                      .top = view->top,
                      .side = view->step * (float)cell};
    order_array order = {0};
    bool made = sort_by_depth(balls, count, &order) && array_resize(&grid.depth, (size_t)(grid.across * grid.down));
    for (size_t i = 0; made && i < grid.depth.count; i++)
        grid.depth.data[i] = RASTER_NOTHING;
    for (size_t k = 0; made && k < count; k++) {
        const cull_ball *ball = &balls[order.data[k]];
        bool seen = is_seen(&grid, ball);
        hidden[order.data[k]] = !seen;
        if (seen)
            cover(&grid, ball);
    }
    array_free(&order);
    array_free(&grid.depth);
    return made;
}
