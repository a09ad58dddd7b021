#include "step/methods.h"

#include "ffd/ffd.h"
#include "penalty/penalty.h"
#include "rigid/complementarity.h"

static const method *const methods[] = {[SCREE_METHOD_COMPLEMENTARITY] = &rigid_method,
                                        [SCREE_METHOD_PENALTY] = &penalty_method,
                                        [SCREE_METHOD_FFD] = &ffd_method};

const method *method_numbered(uint64_t number)
{
    return number < sizeof methods / sizeof methods[0] ? methods[number] : NULL;
}
