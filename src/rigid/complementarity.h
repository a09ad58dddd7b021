// The complementarity method, for the table of methods.
#ifndef RIGID_COMPLEMENTARITY_H
#define RIGID_COMPLEMENTARITY_H

#include "world/method.h"

extern const method rigid_method;

#endif
