#include "files/sphere_file.h"

#include "base/error.h"
#include "base/locale.h"
#include "files/text_file.h"

typedef struct sphere_reader {
    text_scan scan;
    sphere_list *list;
    scree_error *error;
    bool has_volume, has_centroid, has_inertia;
} sphere_reader;

scree_status sphere_file_check_ending(const char *path, scree_error *error)
{
    static const char *const endings[] = {"txt", "spheres"};
    return file_ending(path, endings, 2) >= 0 ? SCREE_OK : fail_ending(error, path, "a sphere set", endings, 2);
}

scree_status sphere_file_load(const char *path, sphere_list *list, scree_error *error)
{
    *list = (sphere_list){0};
    file_bytes bytes;
    scree_status status = sphere_file_check_ending(path, error);
    if (status == SCREE_OK)
        status = file_bytes_read(path, LARGEST_GEOMETRY_FILE, &bytes, error);
    if (status)
        return status;
    status = sphere_file_read(path, bytes.data, bytes.count, list, error);
    array_free(&bytes);
    return status;
}

static bool line_ends(text_scan *scan)
{
    text_word word;
    return !text_next_word(scan, &word) || *word.start == '#';
}

static scree_status read_header_line(sphere_reader *reader, text_word key)
{
    double *place = NULL, centroid[3];
    size_t count = 0;
    bool *given = NULL;
    if (word_is(key, "volume")) {
        place = &reader->list->body.volume, count = 1, given = &reader->has_volume;
    } else if (word_is(key, "centroid")) {
        place = centroid, count = 3, given = &reader->has_centroid;
    } else if (word_is(key, "inertia")) {
        place = reader->list->body.inertia, count = 6, given = &reader->has_inertia;
    } else {
        return text_fail(&reader->scan, reader->error,
                         "'%.*s' is not known; 'x y z r', 'volume V', 'centroid x y z' and 'inertia xx yy zz xy xz yz' "
                         "are accepted",
                         (int)(key.length < 40 ? key.length : 40), key.start);
    }
    if (*given || !text_reals(&reader->scan, place, count) || !line_ends(&reader->scan))
        return text_fail(&reader->scan, reader->error, "'%.*s' stands once, with %zu number%s", (int)key.length,
                         key.start, count, count == 1 ? "" : "s");
    *given = true;
    if (place == centroid)
        reader->list->body.centroid = (scree_vec3){centroid[0], centroid[1], centroid[2]};
    return SCREE_OK;
}

static scree_status read_sphere(sphere_reader *reader)
{
    double at[4];
    if (!text_reals(&reader->scan, at, 4) || !line_ends(&reader->scan) || !(at[3] > 0))
        return text_fail(&reader->scan, reader->error, "a sphere is 'x y z r' with a radius above 0");
    scree_ball ball = {{at[0], at[1], at[2]}, at[3]};
    return array_push(&reader->list->balls, ball) ? SCREE_OK : fail_no_memory(reader->error);
}

static scree_status read_lines(sphere_reader *reader)
{
    while (text_next_line(&reader->scan)) {
        text_scan start = reader->scan;
        text_word word;
        if (!text_next_word(&reader->scan, &word) || *word.start == '#')
            continue;
        bool letter = (*word.start >= 'a' && *word.start <= 'z') || (*word.start >= 'A' && *word.start <= 'Z');
        if (!letter)
            reader->scan = start;
        scree_status status = letter ? read_header_line(reader, word) : read_sphere(reader);
        if (status)
            return status;
    }
    if (reader->list->balls.count == 0)
        return text_fail(&reader->scan, reader->error, "there are no spheres in it; a line 'x y z r' is one");
    if (reader->has_volume != reader->has_inertia || (reader->has_centroid && !reader->has_volume))
        return text_fail(&reader->scan, reader->error, "volume and inertia go together, and centroid with them");
    reader->list->has_body = reader->has_volume;
    return SCREE_OK;
}

scree_status sphere_file_read(const char *name, const char *bytes, size_t size, sphere_list *list, scree_error *error)
{
    *list = (sphere_list){0};
    sphere_reader reader = {.scan = text_scan_of(name, bytes, size), .list = list, .error = error};
    reader.scan.stops = ",";
    locale_t before = plain_locale_begin();
    scree_status status = read_lines(&reader);
    plain_locale_end(before);
    if (status)
        sphere_list_free(list);
    return status;
}

void sphere_file_write(const sphere_list *list, FILE *stream)
{
    locale_t before = plain_locale_begin();
    fprintf(stream, "# Sphere set: one sphere per line, x y z r.\n");
    if (list->has_body) {
        const double *m = list->body.inertia;
        fprintf(stream, "volume %.17g\n", list->body.volume);
        fprintf(stream, "centroid %.17g %.17g %.17g\n", list->body.centroid.x, list->body.centroid.y,
                list->body.centroid.z);
        fprintf(stream, "inertia %.17g %.17g %.17g %.17g %.17g %.17g\n", m[0], m[1], m[2], m[3], m[4], m[5]);
    }
    for (size_t i = 0; i < list->balls.count; i++) {
        const scree_ball *ball = &list->balls.data[i];
        fprintf(stream, "%.17g %.17g %.17g %.17g\n", ball->position.x, ball->position.y, ball->position.z,
                ball->radius);
    }
    plain_locale_end(before);
}

void sphere_list_free(sphere_list *list)
{
    array_free(&list->balls);
    *list = (sphere_list){0};
}
