#include "record/frames/xml_scan.h"

#include <string.h>

bool xml_next(xml_scan *scan, xml_tag *tag)
{
    const char *open = memchr(scan->at, '<', (size_t)(scan->end - scan->at));
    const char *close = open ? memchr(open, '>', (size_t)(scan->end - open)) : NULL;
    scan->at = close ? close + 1 : scan->end;
    if (!close)
        return false;
    *tag = (xml_tag){open + 1, (size_t)(close - open - 1)};
    return true;
}

static bool ends_name(const xml_tag *tag, size_t at)
{
    return at == tag->length || strchr(" \t\r\n/", tag->text[at]) != NULL;
}

bool xml_is(const xml_tag *tag, const char *name)
{
    size_t length = strlen(name);
    return tag->length >= length && memcmp(tag->text, name, length) == 0 && ends_name(tag, length);
}

bool xml_attribute(const xml_tag *tag, const char *name, char *value, size_t size)
{
    size_t length = strlen(name);
    const char *at = tag->text, *end = tag->text + tag->length;
    while ((at = memchr(at, ' ', (size_t)(end - at))) != NULL) {
        at++;
        if ((size_t)(end - at) < length + 2 || memcmp(at, name, length) != 0 || memcmp(at + length, "=\"", 2) != 0)
            continue;
        at += length + 2;
        const char *quote = memchr(at, '"', (size_t)(end - at));
        if (!quote || (size_t)(quote - at) >= size)
            return false;
        memcpy(value, at, (size_t)(quote - at));
        value[quote - at] = '\0';
        return true;
    }
    return false;
}
