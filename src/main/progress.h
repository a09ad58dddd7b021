// How far a run is, on stderr: a bar on a terminal, a line every few seconds anywhere else.
#ifndef MAIN_PROGRESS_H
#define MAIN_PROGRESS_H

#include "scree/run.h"

typedef struct progress {
    const char *name;
    bool quiet, terminal;
    double due;        // clock at which to show again
    double last_clock; // when the rate was last measured
    uint64_t last_step;
    double steps_per_second; // smoothed; 0 before the first measurement
    bool drawn;              // a bar stands on the terminal's line
} progress;

// `name` is shown on lines and must outlive the progress.
progress progress_begin(const char *name, const scree_run *run, bool quiet);

// After every step; costs a look at the clock when nothing is due.
void progress_show(progress *shown, const scree_run *run);

// Takes the bar away, before anything else is printed.
void progress_end(progress *shown);

#endif
