// Making height fields: validity, bounds, packing; and finding cells.
#include "geometry/height.h"

#include <stdlib.h>

#include "base/error.h"
#include "geometry/kind.h"

static const size_t most_cells = (size_t)1 << 29; // half edges have 32-bit names

void height_free(height_geometry *field)
{
    if (field)
        free(field->heights);
    free(field);
}

static scree_status check_field(const scree_heightfield_def *def, scree_error *error)
{
    if (!def || !def->heights)
        return fail(error, SCREE_ERROR_INVALID, "a height field needs heights");
    if (def->columns < 2 || def->rows < 2 || def->columns > most_cells || def->rows > most_cells / def->columns)
        return fail(error, SCREE_ERROR_INVALID,
                    "a height field needs 2 columns and 2 rows of samples at least, and at most %zu samples; not %zu "
                    "by %zu",
                    most_cells, def->columns, def->rows);
    if (!shape_size_valid(def->width) || !shape_size_valid(def->depth))
        return fail(error, SCREE_ERROR_INVALID,
                    "width and depth of a height field must be from 1e-15 to 1e15, not %g and %g", def->width,
                    def->depth);
    for (size_t i = 0; i < def->columns * def->rows; i++)
        if (!(fabsf(def->heights[i]) <= 1e15f))
            return fail(error, SCREE_ERROR_INVALID, "height %zu in row %zu must be finite and within 1e15, not %g",
                        i % def->columns, i / def->columns, (double)def->heights[i]);
    return SCREE_OK;
}

static void set_bounds(scree_geometry *geometry)
{
    height_geometry *field = geometry->height;
    size_t count = field->columns * field->rows;
    float low = field->heights[0], high = low;
    for (size_t i = 1; i < count; i++) {
        low = fminf(low, field->heights[i]);
        high = fmaxf(high, field->heights[i]);
    }
    double bottom = (double)low - fmax(field->width, field->depth);
    field->shift = 0.5 * (bottom + (double)high);
    field->lowest = (double)low - field->shift;
    field->highest = (double)high - field->shift;
    geometry->origin = vec3_make(0, 0, field->shift);
    geometry->half = vec3_make(0.5 * field->width, 0.5 * field->depth, 0.5 * ((double)high - bottom));
    vec3 corner = {geometry->half.x, geometry->half.y, fmax(fabs(field->lowest), fabs(field->highest))};
    geometry->radius = vec3_length(corner);
}

scree_status scree_heightfield_create(const scree_heightfield_def *def, scree_geometry **geometry, scree_error *error)
{
    if (!def || !geometry)
        return fail_null(error, "scree_heightfield_create");
    scree_status status = check_field(def, error);
    if (status)
        return status;
    size_t count = def->columns * def->rows;
    scree_geometry *made = geometry_new(SCREE_SHAPE_HEIGHTFIELD);
    height_geometry *field = made ? made->height = calloc(1, sizeof *field) : NULL;
    if (!field || !(field->heights = malloc(count * sizeof *field->heights))) {
        scree_geometry_release(made);
        return fail_no_memory(error);
    }
    field->columns = def->columns;
    field->rows = def->rows;
    field->width = def->width;
    field->depth = def->depth;
    field->step_x = def->width / (double)(def->columns - 1);
    field->step_y = def->depth / (double)(def->rows - 1);
    memcpy(field->heights, def->heights, count * sizeof *field->heights);
    set_bounds(made);
    *geometry = made;
    return SCREE_OK;
}

uint32_t height_opposite(const height_geometry *field, uint32_t edge)
{
    uint32_t triangle = edge / 3, side = edge % 3, cell = triangle / 2;
    uint32_t across = (uint32_t)field->columns - 1, column = cell % across, row = cell / across;
    if (triangle % 2 == 0) {
        if (side == 2)
            return edge + 1; // the diagonal
        if (side == 0)       // towards -y
            return row == 0 ? MESH_NO_EDGE : 3 * (triangle - 2 * across + 1) + 1;
        return column + 1 == across ? MESH_NO_EDGE : 3 * (triangle + 3) + 2; // towards +x
    }
    if (side == 0)
        return edge - 1;
    if (side == 1) // towards +y
        return row + 2 == (uint32_t)field->rows ? MESH_NO_EDGE : 3 * (triangle + 2 * across - 1);
    return column == 0 ? MESH_NO_EDGE : 3 * (triangle - 3) + 1; // towards -x
}

// The cell along one axis, clamped to the field.
static size_t cell_at(double at, double step, double half, size_t cells)
{
    double cell = floor((at + half) / step);
    return cell <= 0 ? 0 : cell >= (double)(cells - 1) ? cells - 1 : (size_t)cell;
}

bool height_cells_in(const height_geometry *field, vec3 low, vec3 high, height_cells *cells)
{
    double half_x = 0.5 * field->width, half_y = 0.5 * field->depth;
    if (low.x > half_x || high.x < -half_x || low.y > half_y || high.y < -half_y)
        return false;
    cells->first_column = cell_at(low.x, field->step_x, half_x, field->columns - 1);
    cells->last_column = cell_at(high.x, field->step_x, half_x, field->columns - 1);
    cells->first_row = cell_at(low.y, field->step_y, half_y, field->rows - 1);
    cells->last_row = cell_at(high.y, field->step_y, half_y, field->rows - 1);
    return true;
}

uint32_t height_triangle_at(const height_geometry *field, double x, double y)
{
    height_cells cell;
    vec3 at = {x, y, 0};
    if (!height_cells_in(field, at, at, &cell))
        return MESH_NO_EDGE;
    double u = (x + 0.5 * field->width) / field->step_x - (double)cell.first_column;
    double v = (y + 0.5 * field->depth) / field->step_y - (double)cell.first_row;
    return 2 * (uint32_t)(cell.first_row * (field->columns - 1) + cell.first_column) + (v > u ? 1 : 0);
}

// ------------------------------------------------------------------------------------------------------------ packing

// Reals: width and depth. Words: columns and rows, then the bits of the heights.
bool height_pack(const scree_geometry *geometry, geometry_parts *to)
{
    const height_geometry *field = geometry->height;
    size_t count = field->columns * field->rows;
    if (!array_reserve(&to->reals, to->reals.count + 2) || !array_reserve(&to->words, to->words.count + 2 + count))
        return false;
    to->reals.data[to->reals.count++] = field->width;
    to->reals.data[to->reals.count++] = field->depth;
    to->words.data[to->words.count++] = (uint32_t)field->columns;
    to->words.data[to->words.count++] = (uint32_t)field->rows;
    memcpy(to->words.data + to->words.count, field->heights, count * sizeof *field->heights);
    to->words.count += count;
    return true;
}

scree_status height_unpack(const packed_geometry *from, scree_geometry **geometry, scree_error *error)
{
    if (from->real_count != 2 || from->word_count < 2 ||
        (uint64_t)from->words[0] * from->words[1] != from->word_count - 2)
        return fail(error, SCREE_ERROR_INVALID, "a height field of %zu numbers and %zu words cannot be",
                    from->real_count, from->word_count);
    float *heights = malloc((from->word_count - 1) * sizeof *heights);
    if (!heights)
        return fail_no_memory(error);
    memcpy(heights, from->words + 2, (from->word_count - 2) * sizeof *heights);
    scree_heightfield_def def = {from->words[0], from->words[1], from->reals[0], from->reals[1], heights};
    scree_status status = scree_heightfield_create(&def, geometry, error);
    free(heights);
    return status;
}
