// The commit that this program was built of, so that a measurement can be told from one of another version.
#ifndef BENCH_COMMIT_H
#define BENCH_COMMIT_H

#ifdef __cplusplus
extern "C" {
#endif

// The short hash of git; "+" follows where the source differed from it. Empty where the source is no checkout. The
// build makes the file that defines it (cmake/commit.cmake).
extern const char build_commit[];

#ifdef __cplusplus
}
#endif

#endif
