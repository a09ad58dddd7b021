// `scree bench`: the benchmarks behind docs/results.md. One JSON line per measurement on stdout, nothing else.
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

// argv[0] is the word "bench". Without a name the benchmarks are listed. Returns the exit status: 0 done, 1 a benchmark
// failed, 2 the command line is wrong.
int bench_main(int argc, char **argv);

#endif
