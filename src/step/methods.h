// The methods that there are.
#ifndef STEP_METHODS_H
#define STEP_METHODS_H

#include "world/method.h"

const method *method_numbered(uint64_t number); // by scree_method; NULL when there is none

#endif
