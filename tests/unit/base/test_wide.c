// Eight lanes in single precision.
#define SCREE_REAL_DOUBLE 0
#include "wide_checks.h"
