#include "view/export/web_frame.h"

#include "base/error.h"

// Places are told to this part of a mean radius: less than a pixel until one looks at a grain as large as the screen.
static const double FINENESS = 1.0 / 100;

typedef ARRAY(uint32_t) place_list;

enum { UNIT_TURN = 23169, TOP = 255 };
static const double MOST_PLACE = 1 << 30;

scree_status web_stream_begin(web_stream *stream, const web_bodies *bodies, const film *shown, scree_error *error)
{
    size_t count = bodies->streamed;
    *stream = (web_stream){.bodies = bodies,
                           .origin = vec3_scale(vec3_add(shown->low, shown->high), 0.5),
                           .quantum = FINENESS * shown->radius,
                           .speed = shown->speed,
                           .spin = shown->spin};
    for (size_t i = 0; i < count; i++)
        if (bodies->list.data[i].turned && !array_push(&stream->turned, (uint32_t)i))
            return fail_no_memory(error);
    if (!array_resize(&stream->places[0], 3 * count) || !array_resize(&stream->places[1], 3 * count) ||
        !array_resize(&stream->turns, 4 * count) || !array_resize(&stream->speeds, count) ||
        !array_resize(&stream->spins, count))
        return fail_no_memory(error);
    if (count > 0) {
        memset(stream->places[0].data, 0, 3 * count * sizeof(int32_t));
        memset(stream->places[1].data, 0, 3 * count * sizeof(int32_t));
        memset(stream->turns.data, 0, 4 * count * sizeof(int16_t));
        memset(stream->speeds.data, 0, count);
        memset(stream->spins.data, 0, count);
    }
    return SCREE_OK;
}

static uint32_t fold(int64_t difference)
{
    return difference < 0 ? (uint32_t)(-2 * difference - 1) : (uint32_t)(2 * difference);
}

// Value i of a block of `count` values of `width` bytes.
static void put_value(uint8_t *block, size_t count, size_t i, int width, uint32_t value)
{
    for (int k = 0; k < width; k++)
        block[(size_t)k * count + i] = (uint8_t)(value >> (8 * k));
}

static int32_t place_of(const web_stream *stream, double value, double origin)
{
    double steps = (value - origin) / stream->quantum;
    return (int32_t)llround(fmin(fmax(steps, -MOST_PLACE), MOST_PLACE));
}

static uint8_t part_of(double value, double top)
{
    return (uint8_t)lround(fmin(fmax(value / top, 0), 1) * TOP);
}

// Places of one body, into the block; the two frames before move on. The first frame expects zero, the second the
// first.
static void tell_place(web_stream *stream, size_t body, const int32_t place[3], uint8_t *block)
{
    size_t count = stream->bodies->streamed;
    for (size_t k = 0; k < 3; k++) {
        size_t at = k * count + body;
        int32_t *last = &stream->places[0].data[at], *before = &stream->places[1].data[at];
        int64_t expected = stream->frames < 2 ? *last : 2 * (int64_t)*last - *before;
        put_value(block, 3 * count, at, 4, fold(place[k] - expected));
        *before = *last;
        *last = place[k];
    }
}

static void tell_turn(web_stream *stream, size_t index, const quat *turn, uint8_t *block)
{
    size_t count = stream->turned.count;
    int16_t *last = stream->turns.data + 4 * (size_t)stream->turned.data[index];
    const double values[4] = {turn->w, turn->x, turn->y, turn->z};
    double along = 0;
    for (int k = 0; k < 4; k++)
        along += values[k] * last[k];
    for (size_t k = 0; k < 4; k++) {
        int16_t value = (int16_t)lround((along < 0 ? -values[k] : values[k]) * UNIT_TURN);
        put_value(block, 4 * count, k * count + index, 2, fold(value - last[k]));
        last[k] = value;
    }
}

// Place of each streamed body in `from`, by number; WORLD_NO_BODY for those that are gone.
static bool find_bodies(const web_stream *stream, const world_bodies *from, place_list *places)
{
    if (!array_resize(places, stream->bodies->streamed))
        return false;
    for (size_t i = 0; i < places->count; i++)
        places->data[i] = world_bodies_find(from, stream->bodies->list.data[i].id);
    return true;
}

static void tell_states(web_stream *stream, const world_bodies *from, const place_list *places, uint8_t *bytes)
{
    size_t count = stream->bodies->streamed, turned = stream->turned.count, next = 0;
    uint8_t *turns = bytes + 12 * count, *speeds = turns + 8 * turned, *spins = speeds + count;
    for (size_t i = 0; i < count; i++) {
        bool there = places->data[i] != WORLD_NO_BODY;
        const scree_state *at = there ? &from->states.data[places->data[i]] : NULL;
        int32_t place[3];
        for (size_t k = 0; k < 3; k++)
            place[k] = stream->places[0].data[k * count + i];
        if (there) {
            place[0] = place_of(stream, at->position.x, stream->origin.x);
            place[1] = place_of(stream, at->position.y, stream->origin.y);
            place[2] = place_of(stream, at->position.z, stream->origin.z);
            stream->speeds.data[i] = part_of(vec3_length(at->velocity), stream->speed);
            stream->spins.data[i] = part_of(vec3_length(at->spin), stream->spin);
        }
        tell_place(stream, i, place, bytes);
        speeds[i] = stream->speeds.data[i];
        spins[i] = stream->spins.data[i];
        if (!stream->bodies->list.data[i].turned)
            continue;
        const int16_t *last = stream->turns.data + 4 * i;
        quat turn = {(double)last[0] / UNIT_TURN, (double)last[1] / UNIT_TURN, (double)last[2] / UNIT_TURN,
                     (double)last[3] / UNIT_TURN};
        tell_turn(stream, next++, there ? &at->orientation : &turn, turns);
    }
}

scree_status web_stream_frame(web_stream *stream, const world_bodies *from, web_bytes *bytes, scree_error *error)
{
    place_list places = {0};
    bool good = array_resize(bytes, 14 * stream->bodies->streamed + 8 * stream->turned.count) &&
                find_bodies(stream, from, &places);
    if (good)
        tell_states(stream, from, &places, bytes->data);
    stream->frames += good;
    array_free(&places);
    return good ? SCREE_OK : fail_no_memory(error);
}

void web_stream_end(web_stream *stream)
{
    array_free(&stream->places[0]);
    array_free(&stream->places[1]);
    array_free(&stream->turns);
    array_free(&stream->turned);
    array_free(&stream->speeds);
    array_free(&stream->spins);
}
