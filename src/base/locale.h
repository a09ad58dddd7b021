// Numbers in text with a decimal point, whatever the locale of the caller.
#ifndef BASE_LOCALE_H
#define BASE_LOCALE_H

#include <locale.h>

// strtod and printf follow the calling thread's locale, where a comma may be the decimal point. Between these two calls
// the thread has the C locale.
locale_t plain_locale_begin(void);
void plain_locale_end(locale_t before);

#endif
