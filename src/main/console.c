// Printing. Nothing else in the program writes to stderr or looks at whether stdout took what it was given.
#include "main/console.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// A message is one line, whatever a file name holds.
static void print_line(const char *start, const char *format, va_list arguments)
{
    char line[2048];
    vsnprintf(line, sizeof line, format, arguments);
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    fflush(stdout);
    fprintf(stderr, "%s%s\n", start, line);
}

int complain(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("scree: ", format, arguments);
    va_end(arguments);
    return status;
}

void warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("scree: warning: ", format, arguments);
    va_end(arguments);
}

int exit_status_of(scree_status status)
{
    return status == SCREE_OK ? EXIT_DONE : status == SCREE_ERROR_INVALID ? EXIT_WRONG : EXIT_FAILED;
}

int scene_exit_status_of(scree_status status)
{
    return status == SCREE_ERROR_IO ? EXIT_WRONG : exit_status_of(status);
}

int complain_error(const scree_error *error)
{
    return complain(exit_status_of(error->status), "%s", error->message);
}

int complain_scene_error(const scree_error *error)
{
    return complain(scene_exit_status_of(error->status), "%s", error->message);
}

void print_row(const char *label, const char *format, ...)
{
    printf("  %-13s ", label);
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

int flush_output(int status)
{
    int flushed = fflush(stdout);
    if ((flushed == 0 && !ferror(stdout)) || status != EXIT_DONE)
        return status;
    return complain(EXIT_FAILED, "cannot write to standard output: %s",
                    flushed != 0 ? strerror(errno) : "an earlier write failed");
}

short_text format_text(const char *format, ...)
{
    short_text text;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text.text, sizeof text.text, format, arguments);
    va_end(arguments);
    return text;
}

short_text format_count(uint64_t count)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)count);
    short_text result = {""};
    size_t at = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            result.text[at++] = ',';
        result.text[at++] = digits[i];
    }
    result.text[at] = '\0';
    return result;
}

short_text format_plural(uint64_t count, const char *one, const char *many)
{
    short_text result = format_count(count);
    size_t length = strlen(result.text);
    snprintf(result.text + length, sizeof result.text - length, " %s", count == 1 ? one : many);
    return result;
}

short_text format_duration(double seconds)
{
    short_text result;
    if (!(seconds < 60)) {
        double whole = floor(fmin(seconds, 3.6e9) + 0.5);
        int hours = (int)(whole / 3600), minutes = (int)(fmod(whole, 3600) / 60), rest = (int)fmod(whole, 60);
        if (hours > 0)
            snprintf(result.text, sizeof result.text, "%d:%02d:%02d", hours, minutes, rest);
        else
            snprintf(result.text, sizeof result.text, "%d:%02d", minutes, rest);
    } else {
        snprintf(result.text, sizeof result.text, seconds < 10 ? "%.2f s" : "%.1f s", seconds);
    }
    return result;
}

short_text format_bytes(double bytes)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    size_t unit = 0;
    while (bytes >= 1000 && unit + 1 < sizeof units / sizeof *units) {
        bytes /= 1000;
        unit++;
    }
    short_text result;
    snprintf(result.text, sizeof result.text, unit > 0 && bytes < 10 ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
    return result;
}

void format_bar(char *text, size_t width, double share, char rest)
{
    size_t filled = share > 0 ? (size_t)(fmin(share, 1) * (double)width + 0.5) : 0;
    memset(text, '#', filled);
    memset(text + filled, rest, width - filled);
    text[width] = '\0';
}
