// Frames of a web page, decoded by a reader of its own from what web_frame.h says: every body is where it was.
#include "physics/check.h"

#include "base/random.h"
#include "view/export/web_frame.h"

enum { BALLS = 40, FRAMES = 8 };

static scree_world *mixed_world(scree_id *ids)
{
    scree_world_def def = scree_default_world_def();
    scree_world *world;
    def.threads = 1;
    assert_int_equal(scree_world_create(&def, &world, NULL), SCREE_OK);
    for (int i = 0; i < BALLS; i++) {
        scree_shape_def shape = scree_default_shape_def();
        scree_body_def body = scree_default_body_def();
        shape.type = i % 4 == 3 ? SCREE_SHAPE_BOX : SCREE_SHAPE_SPHERE;
        shape.half = vec3_make(0.3, 0.2, 0.1);
        body.shapes = &shape;
        body.shape_count = 1;
        body.position = vec3_make(2 * i, 0, 0);
        assert_int_equal(scree_world_add_bodies(world, &body, 1, &ids[i], NULL), SCREE_OK);
    }
    return world;
}

static quat random_turn(random_stream *source)
{
    quat q = {random_between(source, -1, 1), random_between(source, -1, 1), random_between(source, -1, 1),
              random_between(source, -1, 1)};
    return quat_normalize(q);
}

static void scatter(scree_world *world, const scree_id *ids, size_t count, int frame, random_stream *source)
{
    for (size_t i = 0; i < count; i++) {
        scree_state state = {.orientation = random_turn(source)};
        state.position = vec3_make(2.0 * (double)i + 0.3 * frame, random_between(source, -1, 1), -0.1 * frame * frame);
        state.velocity = vec3_make(0.1 * (double)i, 0, 0);
        state.spin = vec3_make(0, random_between(source, 0, 3), 0);
        assert_int_equal(scree_world_set_states(world, &ids[i], 1, &state, NULL), SCREE_OK);
    }
}

static int64_t value_at(const uint8_t *block, size_t count, size_t i, int width)
{
    uint64_t value = 0;
    for (int k = width - 1; k >= 0; k--)
        value = value << 8 | block[(size_t)k * count + i];
    return value % 2 ? -(int64_t)((value + 1) / 2) : (int64_t)(value / 2);
}

typedef struct decoder {
    int64_t last[3 * BALLS], before[3 * BALLS], turns[4 * BALLS];
    int frames;
} decoder;

static void decode(decoder *reader, const web_stream *stream, const uint8_t *bytes)
{
    size_t count = stream->bodies->streamed, turned = stream->turned.count;
    for (size_t at = 0; at < 3 * count; at++) {
        int64_t expected = reader->frames < 2 ? reader->last[at] : 2 * reader->last[at] - reader->before[at];
        reader->before[at] = reader->last[at];
        reader->last[at] = expected + value_at(bytes, 3 * count, at, 4);
    }
    for (size_t at = 0; at < 4 * turned; at++)
        reader->turns[at] += value_at(bytes + 12 * count, 4 * turned, at, 2);
    reader->frames++;
}

static void check_frame(const decoder *reader, const web_stream *stream, const scree_world *world, const uint8_t *bytes)
{
    size_t count = stream->bodies->streamed, turned = stream->turned.count, next = 0;
    const uint8_t *speeds = bytes + 12 * count + 8 * turned, *spins = speeds + count;
    for (size_t i = 0; i < count; i++) {
        scree_state state;
        const web_body *body = &stream->bodies->list.data[i];
        bool there = scree_world_get_states(world, &body->id, 1, &state, NULL) == SCREE_OK;
        size_t index = body->turned ? next++ : 0;
        if (!there)
            continue;
        const double places[3] = {state.position.x - stream->origin.x, state.position.y - stream->origin.y,
                                  state.position.z - stream->origin.z};
        for (size_t k = 0; k < 3; k++)
            assert_near((double)reader->last[k * count + i] * stream->quantum, places[k], 0.5001 * stream->quantum);
        assert_near(speeds[i] / 255.0 * stream->speed, fmin(vec3_length(state.velocity), stream->speed),
                    0.51 / 255 * stream->speed);
        assert_near(spins[i] / 255.0 * stream->spin, fmin(vec3_length(state.spin), stream->spin),
                    0.51 / 255 * stream->spin);
        if (!body->turned)
            continue;
        const int64_t *q = reader->turns + index;
        double along = ((double)q[0] * state.orientation.w + (double)q[turned] * state.orientation.x +
                        (double)q[2 * turned] * state.orientation.y + (double)q[3 * turned] * state.orientation.z) /
                       23169;
        assert_near(fabs(along), 1, 1e-4);
    }
    assert_int_equal(next, turned);
}

static void bodies_are_where_they_were(void **unused)
{
    (void)unused;
    scree_id ids[BALLS];
    scree_world *world = mixed_world(ids);
    replay run = {.world = world};
    film shown = {.run = &run,
                  .low = {0, -1, -5},
                  .high = {80, 1, 1},
                  .radius = 0.4,
                  .speed = 3, // some are faster: they are at the top
                  .spin = 4};
    web_bodies bodies = {0};
    for (int i = 0; i < BALLS; i++) {
        web_body body = {.id = ids[i], .turned = i % 4 == 3, .gone = UINT32_MAX};
        assert_true(array_push(&bodies.list, body));
    }
    bodies.streamed = BALLS;
    assert_true(array_resize(&bodies.number_of_id, BALLS + 1));
    for (uint32_t i = 0; i <= BALLS; i++)
        bodies.number_of_id.data[i] = i > 0 ? i - 1 : WEB_NO_BODY;
    web_stream stream;
    web_bytes bytes = {0};
    world_bodies now = {0};
    decoder reader = {0};
    random_stream source = {5};
    assert_int_equal(web_stream_begin(&stream, &bodies, &shown, NULL), SCREE_OK);
    assert_int_equal(stream.turned.count, BALLS / 4);
    size_t there = BALLS;
    for (int frame = 0; frame < FRAMES; frame++) {
        scatter(world, ids, there, frame, &source);
        assert_int_equal(world_bodies_read(&now, world, NULL), SCREE_OK);
        assert_int_equal(web_stream_frame(&stream, &now, &bytes, NULL), SCREE_OK);
        assert_int_equal(bytes.count, 14 * BALLS + 8 * (BALLS / 4));
        decode(&reader, &stream, bytes.data);
        check_frame(&reader, &stream, world, bytes.data);
        if (frame == FRAMES / 2) { // the last one goes
            there--;
            assert_int_equal(scree_world_remove_bodies(world, &ids[there], 1, NULL), SCREE_OK);
        }
    }
    array_free(&bytes);
    world_bodies_free(&now);
    web_stream_end(&stream);
    web_bodies_free(&bodies);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bodies_are_where_they_were)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
