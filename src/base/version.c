#include "scree/version.h"

const char *scree_version(void)
{
    return SCREE_VERSION;
}
