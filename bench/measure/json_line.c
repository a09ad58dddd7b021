// JSON lines on stdout. Keys are names, from the benchmarks' own source or from scenes, so they need no escaping.
#include "bench/measure/json_line.h"

#include <math.h>
#include <stdio.h>

#include "bench/commit.h"

static void write_key(json_line *line, const char *key)
{
    printf("%s\"%s\":", line->needs_comma ? "," : "", key);
    line->needs_comma = true;
}

json_line json_line_begin(const char *bench, const char *engine)
{
    json_line line = {false};
    putchar('{');
    json_line_text(&line, "bench", bench);
    json_line_text(&line, "engine", engine);
    if (build_commit[0])
        json_line_text(&line, "commit", build_commit);
    return line;
}

void json_line_text(json_line *line, const char *key, const char *text)
{
    write_key(line, key);
    putchar('"');
    for (const char *at = text; *at; at++) {
        if (*at == '"' || *at == '\\')
            putchar('\\');
        if ((unsigned char)*at < ' ')
            printf("\\u%04x", (unsigned)*at);
        else
            putchar(*at);
    }
    putchar('"');
}

void json_line_count(json_line *line, const char *key, size_t value)
{
    write_key(line, key);
    printf("%zu", value);
}

void json_line_number(json_line *line, const char *key, double value)
{
    write_key(line, key);
    if (isfinite(value))
        printf("%.6g", value);
    else
        fputs("null", stdout);
}

void json_line_repeats(json_line *line, size_t warm_up, size_t repeats, double median_over_least)
{
    json_line_count(line, "warm_up", warm_up);
    json_line_count(line, "repeats", repeats);
    json_line_number(line, "median_over_least", median_over_least);
}

void json_line_open(json_line *line, const char *key)
{
    write_key(line, key);
    putchar('{');
    line->needs_comma = false;
}

void json_line_close(json_line *line)
{
    putchar('}');
    line->needs_comma = true;
}

void json_line_end(json_line *line)
{
    line->needs_comma = false;
    puts("}");
    fflush(stdout);
}
