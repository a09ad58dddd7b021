// scree bench: hands over to the benchmarks, which read their own arguments.
#include "bench/bench.h"

#include "main/command.h"

static int bench_run(const command *self, int argc, char **argv)
{
    (void)self;
    return bench_main(argc, argv);
}

const command bench_command = {
    .name = "bench",
    .arguments = "[NAME]",
    .summary = "run a benchmark, or list them",
    .run = bench_run,
};
