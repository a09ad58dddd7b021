// The bar takes as much as the terminal's width allows: fields join in order of importance while they fit, and what
// is left over goes to the bar itself.
#include "main/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "main/console.h"

static const double BAR_INTERVAL = 0.1, FIRST_LINE = 1, LINE_INTERVAL = 5; // seconds
static const double RATE_MEMORY = 3;                                       // seconds that the rate is smoothed over

enum { FIELDS = 6, FIELD_SIZE = 64, SHORTEST_BAR = 8, LONGEST_BAR = 40, LONGEST_LINE = 256 };

progress progress_begin(const char *name, const scree_run *run, bool quiet)
{
    double now = clock_seconds();
    bool terminal = isatty(STDERR_FILENO);
    return (progress){.name = name,
                      .quiet = quiet,
                      .terminal = terminal,
                      .due = now + (terminal ? 0 : FIRST_LINE),
                      .last_clock = now,
                      .last_step = scree_run_progress(run).step};
}

static void measure_rate(progress *shown, double now, uint64_t step)
{
    double elapsed = now - shown->last_clock;
    if (elapsed <= 0 || step == shown->last_step)
        return;
    double rate = (double)(step - shown->last_step) / elapsed;
    double weight = shown->steps_per_second > 0 ? 1 - exp(-elapsed / RATE_MEMORY) : 1;
    shown->steps_per_second += weight * (rate - shown->steps_per_second);
    shown->last_clock = now;
    shown->last_step = step;
}

// In the order in which they are shown.
static void make_fields(const progress *shown, const scree_run *run, char fields[FIELDS][FIELD_SIZE])
{
    scree_progress at = scree_run_progress(run);
    scree_figures figures = scree_world_figures(scree_run_world(run));
    double rate = shown->steps_per_second;
    snprintf(fields[0], FIELD_SIZE, "%s", format_plural(figures.bodies, "body", "bodies").text);
    snprintf(fields[1], FIELD_SIZE, "%s", format_plural(figures.contacts, "contact", "contacts").text);
    snprintf(fields[2], FIELD_SIZE, "t %.4g s", figures.time);
    snprintf(fields[3], FIELD_SIZE, "wall %s", format_duration(at.wall_s).text);
    snprintf(fields[4], FIELD_SIZE, rate < 100 ? "%.1f steps/s" : "%.0f steps/s", rate);
    if (rate > 0)
        snprintf(fields[5], FIELD_SIZE, "%s left", format_duration((double)(at.steps - at.step) / rate).text);
    else
        fields[5][0] = '\0';
}

static size_t terminal_width(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return 80;
    return size.ws_col;
}

static void draw_bar(double share, char fields[FIELDS][FIELD_SIZE])
{
    static const int importance[FIELDS] = {5, 2, 4, 1, 0, 3};
    char bar[LONGEST_BAR + 1];
    size_t width = terminal_width();
    width = width < LONGEST_LINE ? width : LONGEST_LINE;
    size_t fixed = strlen("100% [] "); // one column stays free: a full line would wrap
    size_t used = fixed + SHORTEST_BAR;
    bool fits[FIELDS] = {false};
    for (int i = 0; i < FIELDS; i++) {
        size_t length = strlen(fields[importance[i]]) + 2;
        if (length > 2 && used + length <= width) {
            fits[importance[i]] = true;
            used += length;
        }
    }
    size_t spare = width > used ? width - used : 0;
    size_t bar_width = SHORTEST_BAR + spare < LONGEST_BAR ? SHORTEST_BAR + spare : LONGEST_BAR;
    format_bar(bar, bar_width, share, '.');
    if (width < fixed + SHORTEST_BAR)
        fprintf(stderr, "\r%3.0f%%", floor(100 * share));
    else
        fprintf(stderr, "\r%3.0f%% [%s]", floor(100 * share), bar);
    for (int i = 0; i < FIELDS; i++)
        if (fits[i])
            fprintf(stderr, "  %s", fields[i]);
    fputs("\033[K", stderr); // clears what an earlier, longer bar left
    fflush(stderr);
}

void progress_show(progress *shown, const scree_run *run)
{
    double now = clock_seconds();
    if (shown->quiet || now < shown->due)
        return;
    scree_progress at = scree_run_progress(run);
    double share = at.steps > 0 ? (double)at.step / (double)at.steps : 1;
    char fields[FIELDS][FIELD_SIZE];
    measure_rate(shown, now, at.step);
    make_fields(shown, run, fields);
    if (shown->terminal) {
        draw_bar(share, fields);
        shown->drawn = true;
    } else {
        fprintf(stderr, "%s: %.0f%%, %s, %s, %s, %s, %s%s%s\n", shown->name, floor(100 * share), fields[0], fields[1],
                fields[2], fields[3], fields[4], fields[5][0] ? ", " : "", fields[5]);
    }
    // Counted from the end of the drawing, so that a slow terminal does not slow the run down.
    shown->due = clock_seconds() + (shown->terminal ? BAR_INTERVAL : LINE_INTERVAL);
}

void progress_end(progress *shown)
{
    if (!shown->drawn)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    shown->drawn = false;
}
