// Four lanes in double precision: one register where there is AVX2.
#define SCREE_REAL_DOUBLE 1
#define SCREE_LANES       4
#include "wide_checks.h"
