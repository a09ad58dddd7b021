// Frames are written as they come; the scene, which has to say when bodies go, is the last line.
#include "view/export/web_page.h"

#include <stdlib.h>
#include <zlib.h>

#include "base/error.h"
#include "record/frames/base64.h"
#include "view/export/web_scene.h"

// One line of the page's data: zlib, then base64.
static scree_status put_line(FILE *to, const void *data, size_t size, web_bytes *packed, scree_error *error)
{
    uLongf length = compressBound((uLong)size);
    if (!array_resize(packed, length))
        return fail_no_memory(error);
    if (compress2(packed->data, &length, data, (uLong)size, Z_BEST_COMPRESSION) != Z_OK)
        return fail_no_memory(error);
    base64_put(to, packed->data, length);
    fputc('\n', to);
    return SCREE_OK;
}

static void note_gone(web_bodies *bodies, const scree_world *world, uint32_t frame)
{
    for (size_t i = 0; i < bodies->list.count; i++) {
        web_body *body = &bodies->list.data[i];
        if (body->gone == UINT32_MAX && !scree_world_has_body(world, body->id))
            body->gone = frame;
    }
}

static scree_status put_frames(FILE *to, film *shown, web_bodies *bodies, web_stream *stream, web_bytes *packed,
                               scree_error *error)
{
    web_bytes bytes = {0};
    scree_status status = SCREE_OK;
    for (size_t i = 0; status == SCREE_OK && i < shown->count; i++) {
        status = film_show(shown, i, error);
        if (status == SCREE_OK)
            status = web_stream_frame(stream, &shown->bodies, &bytes, error);
        if (status == SCREE_OK) {
            note_gone(bodies, shown->run->world, (uint32_t)i);
            status = put_line(to, bytes.data, bytes.count, packed, error);
        }
    }
    array_free(&bytes);
    return status;
}

static scree_status put_scene(FILE *to, film *shown, const web_bodies *bodies, const web_stream *stream,
                              web_bytes *packed, scree_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        return fail_no_memory(error);
    scree_status status = film_show(shown, 0, error);
    if (status == SCREE_OK)
        status = web_scene_put(memory, shown, bodies, stream, error);
    if (fclose(memory) != 0 && status == SCREE_OK)
        status = fail_no_memory(error);
    if (status == SCREE_OK)
        status = put_line(to, text, size, packed, error);
    free(text);
    return status;
}

static scree_status put_data(FILE *to, film *shown, scree_error *error)
{
    web_bodies bodies = {0};
    web_stream stream = {0};
    web_bytes packed = {0};
    scree_status status = web_bodies_read(&bodies, shown, error);
    if (status == SCREE_OK)
        status = web_stream_begin(&stream, &bodies, shown, error);
    if (status == SCREE_OK)
        status = put_frames(to, shown, &bodies, &stream, &packed, error);
    if (status == SCREE_OK)
        status = put_scene(to, shown, &bodies, &stream, &packed, error);
    web_bodies_free(&bodies);
    web_stream_end(&stream);
    array_free(&packed);
    return status;
}

static void put_title(FILE *to, const char *name)
{
    for (; *name; name++) {
        if (*name == '<' || *name == '&')
            fputs(*name == '<' ? "&lt;" : "&amp;", to);
        else
            fputc(*name, to);
    }
}

scree_status web_page_write(film *shown, const web_script *script, const char *path, scree_error *error)
{
    file_draft draft;
    scree_status status = draft_open(&draft, path, error);
    if (status != SCREE_OK)
        return status;
    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          draft.stream);
    put_title(draft.stream, shown->run->name);
    fputs("</title>\n</head>\n<body>\n<script type=\"text/plain\" id=\"film\">\n", draft.stream);
    status = put_data(draft.stream, shown, error);
    fputs("</script>\n<script>\n", draft.stream);
    fwrite(script->text, 1, script->size, draft.stream);
    fputs("</script>\n</body>\n</html>\n", draft.stream);
    return draft_finish(&draft, status, error);
}
