#include "record/frames/paraview.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "record/file.h"

extern const unsigned char paraview_state[]; // paraview_state.py, embedded by the build
extern const size_t paraview_state_size;

// A text in the quotes of Python.
static void put_quoted(FILE *to, const char *text, size_t length)
{
    fputc('"', to);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"' || text[i] == '\\')
            fputc('\\', to);
        if ((unsigned char)text[i] < ' ')
            fprintf(to, "\\x%02x", (unsigned char)text[i]);
        else
            fputc(text[i], to);
    }
    fputc('"', to);
}

// The place where `mark` begins in the text that is left; NULL when it does not.
static const char *find_mark(const char *text, size_t size, const char *mark)
{
    size_t length = strlen(mark);
    for (const char *at = text; (at = memchr(at, mark[0], size - (size_t)(at - text))) != NULL; at++)
        if (size - (size_t)(at - text) >= length && memcmp(at, mark, length) == 0)
            return at;
    return NULL;
}

// The script with its two names put in, in the order in which it has them.
static void put_state(FILE *to, const char *folder, const char *name, size_t length)
{
    const char *const marks[] = {"@NAME@", "@FOLDER@"}, *const texts[] = {name, folder};
    const size_t lengths[] = {length, strlen(folder)};
    const char *at = (const char *)paraview_state, *end = at + paraview_state_size;
    for (int i = 0; i < 2; i++) {
        const char *mark = find_mark(at, (size_t)(end - at), marks[i]);
        if (!mark)
            break;
        fwrite(at, 1, (size_t)(mark - at), to);
        put_quoted(to, texts[i], lengths[i]);
        at = mark + strlen(marks[i]);
    }
    fwrite(at, 1, (size_t)(end - at), to);
}

scree_status paraview_write_state(const char *folder, const char *name, size_t length, scree_error *error)
{
    size_t size = strlen(folder) + 1 + length + sizeof ".py";
    char *path = malloc(size), *absolute = realpath(folder, NULL);
    file_draft draft;
    if (!path) {
        free(absolute);
        return fail_no_memory(error);
    }
    snprintf(path, size, "%s/%.*s.py", folder, (int)length, name);
    scree_status status = draft_open(&draft, path, error);
    if (status == SCREE_OK) {
        draft.deferred = true;
        put_state(draft.stream, absolute ? absolute : folder, name, length);
        status = draft_commit(&draft, error);
    }
    free(path);
    free(absolute);
    return status;
}
