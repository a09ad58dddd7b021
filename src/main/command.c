// The part that all commands share: reading their options, and their help, both from the table row.
#include "main/command.h"

#include <stdio.h>
#include <string.h>

#include "main/console.h"

static void print_option(const option *row, int width)
{
    char call[64], letter[8] = "    ";
    if (row->letter)
        snprintf(letter, sizeof letter, "-%c, ", row->letter);
    snprintf(call, sizeof call, "--%s %s", row->name, row->argument ? row->argument : "");
    printf("  %s%-*s  %s\n", letter, width, call, row->help);
}

void command_print_help(const command *self)
{
    printf("%s\n\nusage: scree %s%s%s%s\n", self->summary, self->name, *self->arguments ? " " : "", self->arguments,
           self->option_count > 0 ? " [options]" : "");
    if (*self->notes)
        printf("\n%s\n", self->notes);
    size_t width = strlen("--help");
    for (size_t i = 0; i < self->option_count; i++) {
        const option *row = &self->options[i];
        size_t length = strlen("--") + strlen(row->name) + (row->argument ? 1 + strlen(row->argument) : 0);
        width = length > width ? length : width;
    }
    printf("\noptions:\n");
    for (size_t i = 0; i < self->option_count; i++)
        print_option(&self->options[i], (int)width);
    print_option(&(option){.letter = 'h', .name = "help", .help = "this text"}, (int)width);
    printf("\nexample: %s\n", self->example);
}

bool command_read(const command *self, int argc, char **argv, void *settings, size_t *count, int *status)
{
    scree_error error;
    bool help;
    if (options_parse(self->options, self->option_count, argv + 1, (size_t)argc - 1, settings, count, &help, &error) !=
        SCREE_OK) {
        *status = complain_error(&error);
        return false;
    }
    if (help) {
        command_print_help(self);
        *status = EXIT_DONE;
        return false;
    }
    memmove(argv, argv + 1, *count * sizeof *argv);
    if (*count < self->least)
        *status = complain(EXIT_WRONG, "%s needs %s; scree %s --help shows an example", self->name, self->arguments,
                           self->name);
    else if (*count > self->most)
        *status = complain(EXIT_WRONG, "'%s' is one argument too many; scree %s %s is accepted", argv[self->most],
                           self->name, self->arguments);
    else
        return true;
    return false;
}
