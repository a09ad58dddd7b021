#include "files/text_file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

enum { CHUNK = 1 << 16, LONGEST_NUMBER = 64 };

static scree_status fail_read(scree_error *error, const char *path, int code)
{
    char reason[128] = "";
    if (strerror_r(code, reason, sizeof reason) != 0)
        snprintf(reason, sizeof reason, "error %d", code);
    return fail(error, SCREE_ERROR_IO, "cannot read %s: %s", path, reason);
}

// Opened without waiting, since a FIFO would block until somebody writes to it.
static scree_status open_regular(const char *path, FILE **stream, scree_error *error)
{
    struct stat info;
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return fail_read(error, path, errno);
    scree_status status = SCREE_OK;
    if (fstat(descriptor, &info) != 0)
        status = fail_read(error, path, errno);
    else if (!S_ISREG(info.st_mode))
        status =
            fail(error, SCREE_ERROR_INVALID, "%s: not a regular file; devices, pipes and folders are not read", path);
    else if (!(*stream = fdopen(descriptor, "rb")))
        status = fail_read(error, path, errno);
    if (status != SCREE_OK)
        close(descriptor);
    return status;
}

scree_status file_bytes_read(const char *path, size_t most, file_bytes *bytes, scree_error *error)
{
    *bytes = (file_bytes){0};
    FILE *stream = NULL;
    scree_status status = open_regular(path, &stream, error);
    if (status != SCREE_OK)
        return status;
    for (size_t got = 1; got > 0 && status == SCREE_OK;) {
        if (!array_reserve(bytes, bytes->count + CHUNK)) {
            status = fail_no_memory(error);
            break;
        }
        errno = 0;
        got = fread(bytes->data + bytes->count, 1, CHUNK, stream);
        bytes->count += got;
        if (ferror(stream))
            status = fail_read(error, path, errno ? errno : EIO);
        else if (bytes->count > most)
            status = fail(error, SCREE_ERROR_INVALID, "%s: too large; at most %zu MB are accepted", path, most >> 20);
    }
    fclose(stream);
    if (status)
        array_free(bytes);
    return status;
}

int file_ending(const char *path, const char *const *endings, int count)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    for (int i = 0; dot && i < count; i++)
        if (strcasecmp(dot + 1, endings[i]) == 0)
            return i;
    return -1;
}

scree_status fail_ending(scree_error *error, const char *path, const char *what, const char *const *endings, int count)
{
    char list[96] = "";
    for (int i = 0; i < count; i++) {
        size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, "%s.%s", i ? ", " : "", endings[i]);
    }
    return fail(error, SCREE_ERROR_INVALID, "%s: the ending does not say what is in the file; %s ends in %s", path,
                what, list);
}

text_scan text_scan_of(const char *name, const char *bytes, size_t size)
{
    return (text_scan){
        .name = name, .at = bytes, .line_start = bytes, .line_end = bytes, .end = bytes + size, .stops = ""};
}

bool text_next_line(text_scan *scan)
{
    const char *start = scan->line == 0 ? scan->at : scan->line_end + 1; // after the line end
    if (start >= scan->end)
        return false;
    const char *newline = memchr(start, '\n', (size_t)(scan->end - start));
    scan->at = scan->line_start = start;
    scan->line_end = newline ? newline : scan->end;
    scan->line++;
    return true;
}

static bool ends_word(const text_scan *scan, char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || (c != '\0' && strchr(scan->stops, c));
}

bool text_next_word(text_scan *scan, text_word *word)
{
    while (scan->at < scan->line_end && ends_word(scan, *scan->at))
        scan->at++;
    word->start = scan->at;
    while (scan->at < scan->line_end && !ends_word(scan, *scan->at))
        scan->at++;
    word->length = (size_t)(scan->at - word->start);
    return word->length > 0;
}

bool word_is(text_word word, const char *text)
{
    return strlen(text) == word.length && memcmp(word.start, text, word.length) == 0;
}

bool word_is_like(text_word word, const char *text)
{
    return strlen(text) == word.length && strncasecmp(word.start, text, word.length) == 0;
}

bool word_real(text_word word, double *value)
{
    // strtod also takes hexadecimal digits, infinities and NaN, and needs an end.
    char copy[LONGEST_NUMBER];
    if (word.length == 0 || word.length >= sizeof copy)
        return false;
    for (size_t i = 0; i < word.length; i++) {
        char c = word.start[i];
        if (c == '\0' || !strchr("0123456789+-.eEdD", c))
            return false;
        copy[i] = c == 'd' || c == 'D' ? 'e' : c; // as Fortran writes them
    }
    copy[word.length] = '\0';
    char *end;
    *value = strtod(copy, &end);
    return end == copy + word.length && isfinite(*value);
}

bool word_whole(text_word word, int64_t *value)
{
    size_t i = word.length > 0 && (word.start[0] == '-' || word.start[0] == '+');
    if (i >= word.length || word.length > 18)
        return false;
    int64_t sum = 0;
    for (; i < word.length; i++) {
        if (word.start[i] < '0' || word.start[i] > '9')
            return false;
        sum = 10 * sum + (word.start[i] - '0');
    }
    *value = word.start[0] == '-' ? -sum : sum;
    return true;
}

bool text_reals(text_scan *scan, double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        text_word word;
        if (!text_next_word(scan, &word) || !word_real(word, &values[i]))
            return false;
    }
    return true;
}

scree_status text_fail(const text_scan *scan, scree_error *error, const char *format, ...)
{
    char message[SCREE_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    // Words of the file may be quoted in it: one line, and nothing that a terminal would obey.
    for (char *c = message; *c; c++)
        if (!isprint((unsigned char)*c))
            *c = '?';
    return fail(error, SCREE_ERROR_INVALID, "%s:%zu: %s", scan->name, scan->line, message);
}
