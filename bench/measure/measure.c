// Clocks, memory and child processes for the benchmarks.
#include "bench/measure/measure.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"

double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool step_times_make(step_times *times, size_t capacity)
{
    *times = (step_times){.capacity = capacity};
    times->wall_s = malloc((capacity ? capacity : 1) * sizeof *times->wall_s);
    return times->wall_s != NULL;
}

void step_times_free(step_times *times)
{
    free(times->wall_s);
    *times = (step_times){0};
}

void step_times_start(step_times *times)
{
    times->cpu_start = cpu_seconds();
    times->wall_start = clock_seconds();
}

void step_times_stop(step_times *times, bool keep)
{
    double wall = clock_seconds() - times->wall_start, cpu = cpu_seconds() - times->cpu_start;
    if (!keep || times->count == times->capacity)
        return;
    times->wall_s[times->count++] = wall;
    times->cpu_s += cpu;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double middle_of_sorted(const double *values, size_t count)
{
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

timing step_times_timing(step_times *times)
{
    size_t n = times->count;
    if (n == 0)
        return (timing){0};
    qsort(times->wall_s, n, sizeof *times->wall_s, compare_doubles);
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += times->wall_s[i];
    return (timing){.mean = 1e3 * sum / (double)n,
                    .minimum = 1e3 * times->wall_s[0],
                    .median = 1e3 * middle_of_sorted(times->wall_s, n),
                    .maximum = 1e3 * times->wall_s[n - 1],
                    .cpu = 1e3 * times->cpu_s / (double)n,
                    .count = n};
}

void samples_add(samples *taken, double seconds)
{
    if (taken->count < SAMPLES_MOST)
        taken->seconds[taken->count++] = seconds;
}

double samples_least(const samples *taken)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < taken->count; i++)
        least = fmin(least, taken->seconds[i]);
    return least;
}

double samples_median(const samples *taken)
{
    samples sorted = *taken;
    if (sorted.count == 0)
        return HUGE_VAL;
    qsort(sorted.seconds, sorted.count, sizeof sorted.seconds[0], compare_doubles);
    return middle_of_sorted(sorted.seconds, sorted.count);
}

double lap_seconds(double *start)
{
    double now = clock_seconds(), passed = now - *start;
    *start = now;
    return passed;
}

double memory_peak_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * (double)usage.ru_maxrss;
}

double memory_resident_bytes(void)
{
    unsigned long size = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    if (fscanf(file, "%lu %lu", &size, &resident) != 2)
        resident = 0;
    fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

// ------------------------------------------------------------------------------------------------ child processes

static bool write_all(int descriptor, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        ssize_t written = write(descriptor, at, size);
        if (written <= 0)
            return false;
        at += written;
        size -= (size_t)written;
    }
    return true;
}

static bool read_all(int descriptor, void *data, size_t size)
{
    char *at = data;
    while (size > 0) {
        ssize_t taken = read(descriptor, at, size);
        if (taken <= 0)
            return false;
        at += taken;
        size -= (size_t)taken;
    }
    return true;
}

_Noreturn static void measure_in_child(measurement *measure, const void *input, void *output, size_t size, int answer)
{
    scree_error error = {0};
    error.status = measure(input, output, &error);
    bool sent = write_all(answer, &error, sizeof error) && write_all(answer, output, size);
    _exit(sent ? 0 : 1);
}

scree_status measure_apart(measurement *measure, const void *input, void *output, size_t size, scree_error *error)
{
    int ends[2];
    if (pipe(ends) != 0)
        return fail(error, SCREE_ERROR_IO, "cannot make a pipe for the measurement");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        measure_in_child(measure, input, output, size, ends[1]);
    }
    close(ends[1]);
    scree_error answer = {0};
    bool whole = child > 0 && read_all(ends[0], &answer, sizeof answer) && read_all(ends[0], output, size);
    close(ends[0]);
    int outcome = 0;
    if (child > 0)
        waitpid(child, &outcome, 0);
    if (whole && answer.status == SCREE_OK)
        return SCREE_OK;
    if (whole)
        return fail(error, answer.status, "%s", answer.message);
    if (child > 0 && WIFSIGNALED(outcome))
        return fail(error, SCREE_ERROR_NO_MEMORY, "the measurement was ended by signal %d", WTERMSIG(outcome));
    return fail(error, SCREE_ERROR_NO_MEMORY, "the measurement could not be run in a process of its own");
}

scree_status temporary_folder(char *path, size_t size, scree_error *error)
{
    const char *base = getenv("TMPDIR");
    int length = snprintf(path, size, "%s/scree-bench-XXXXXX", base && *base ? base : "/tmp");
    if (length >= (int)size || !mkdtemp(path))
        return fail(error, SCREE_ERROR_IO, "cannot make a temporary folder %s", path);
    return SCREE_OK;
}
