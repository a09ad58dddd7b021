#include "base/locale.h"

locale_t plain_locale_begin(void)
{
    // Should the C locale not be had, the thread stays with its own.
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return uselocale(plain);
}

void plain_locale_end(locale_t before)
{
    locale_t plain = uselocale(before);
    if (plain != before && plain != LC_GLOBAL_LOCALE && plain != (locale_t)0)
        freelocale(plain);
}
