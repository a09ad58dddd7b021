// Commands: what each file of this folder gives to the table in main.c.
//
// A command is a row: its name, the lines that help shows, its options, and the function that does the work and returns
// the exit status (0 done, 1 the simulation or the machine failed, 2 the user's input is wrong).
#ifndef MAIN_COMMAND_H
#define MAIN_COMMAND_H

#include "main/options.h"

typedef struct command {
    const char *name;
    const char *arguments; // as the usage line shows them; "" for none
    const char *summary;   // one line
    const char *notes;     // a few lines more, or ""
    const char *example;
    const option *options; // NULL when the command reads its own
    size_t option_count;
    size_t least, most; // how many positional arguments it takes
    int (*run)(const struct command *self, int argc, char **argv);
} command;

extern const command run_command, check_command, detect_command, info_command, render_command, view_command,
    plot_command, export_command, spheres_command, solve_command, devices_command, bench_command;

// Reads argv[1..] into `settings` by the command's options and moves the positional arguments to the front of `argv`,
// their number into `count`. False when the command has nothing more to do: help was printed, or an error, and
// `status` holds the exit status. Lists in `settings` are the caller's to free in either case.
bool command_read(const command *self, int argc, char **argv, void *settings, size_t *count, int *status);

void command_print_help(const command *self);

#endif
