// `scree`: the table of commands and the way from argv to one of them. Each command lives in its own file.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "main/command.h"
#include "main/console.h"
#include "scene/document/suggest.h"
#include "scree/version.h"

static const command *const commands[] = {
    &run_command,  &check_command,  &detect_command,  &info_command,  &render_command,  &view_command,
    &plot_command, &export_command, &spheres_command, &solve_command, &devices_command, &bench_command,
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_help(FILE *to)
{
    fprintf(to, "Scree simulates large numbers of rigid bodies in contact.\n\n"
                "usage: scree COMMAND [arguments]\n\n");
    for (size_t i = 0; i < COMMANDS; i++) {
        char call[48];
        snprintf(call, sizeof call, "%s %s", commands[i]->name, commands[i]->arguments);
        fprintf(to, "  scree %-28s %s\n", call, commands[i]->summary);
    }
    fprintf(to, "\n"
                "  scree COMMAND --help               options and an example\n"
                "  scree --version                    the version\n\n"
                "example: scree run scenes/pile.yaml --steps 200\n");
}

// With stdin, stdout or stderr closed, the next file opened would take its number and printing would run into that
// file. Descriptors opened for the wrong direction make such printing fail instead, as it should.
static void guard_standard_streams(void)
{
    static const int modes[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int stream = 0; stream < 3; stream++)
        if (fcntl(stream, F_GETFD) == -1 && errno == EBADF && open("/dev/null", modes[stream]) == -1)
            return;
}

// Threads of the OpenMP runtime spin while they wait for one another. On a machine that does anything else at the same
// time a spinning thread keeps the one it waits for from running, and a step takes many times longer. Threads that
// sleep at once are woken late, and often on the core of the one that wakes them: a pile of 16,000 then takes half as
// long again. So they spin for some hundredths of a millisecond, then sleep. The runtime reads its settings when it is
// loaded, so the program starts itself again with them; users can choose others.
static void wait_quietly(char **argv)
{
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT"))
        return;
    if (setenv("OMP_WAIT_POLICY", "passive", 1) == 0 && setenv("GOMP_SPINCOUNT", "4000", 1) == 0)
        execv("/proc/self/exe", argv); // where that fails, threads spin
}

static int complain_unknown(const char *name)
{
    suggestion search = suggest_for(name);
    for (size_t i = 0; i < COMMANDS; i++)
        suggest_offer(&search, commands[i]->name);
    suggest_offer(&search, "--help");
    suggest_offer(&search, "--version");
    if (search.best)
        return complain(EXIT_WRONG, "unknown command '%s'; did you mean scree %s?", name, search.best);
    return complain(EXIT_WRONG, "unknown command '%s'; scree --help lists what is accepted", name);
}

static int run_program(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return EXIT_WRONG;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_help(stdout);
        return EXIT_DONE;
    }
    if (strcmp(name, "--version") == 0) {
        printf("scree %s\n", scree_version());
        return EXIT_DONE;
    }
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i]->run(commands[i], argc - 1, argv + 1);
    return complain_unknown(name);
}

int main(int argc, char **argv)
{
    wait_quietly(argv);
    guard_standard_streams();
    signal(SIGPIPE, SIG_IGN); // a broken pipe is a failed write, reported like any other
    return flush_output(run_program(argc, argv));
}
