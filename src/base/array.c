#include "base/array.h"

#include <stdlib.h>

#include "base/pages.h"

enum { ALIGNMENT = CACHE_LINE };

bool array_reserve_bytes(void **data, size_t *capacity, size_t need, size_t element_size, bool with_slack)
{
    if (need <= *capacity)
        return true;
    size_t wanted = need;
    if (with_slack && wanted < *capacity + *capacity / 2)
        wanted = *capacity + *capacity / 2;
    if (with_slack && wanted < 16)
        wanted = 16;
    if (wanted > (SIZE_MAX - ALIGNMENT) / element_size)
        return false;
    size_t bytes = (wanted * element_size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    void *grown = pages_take(bytes);
    if (!grown)
        return false;
    if (*data)
        memcpy(grown, *data, *capacity * element_size);
    free(*data);
    *data = grown;
    *capacity = wanted;
    return true;
}

void array_free_bytes(void *data)
{
    free(data);
}
