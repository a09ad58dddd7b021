// A scan over the tags of a small XML text, such as the .pvd and .vtp files that frames are made of. It knows tags and
// attributes in double quotes; entities, comments and all else that these files do not have it does not know.
#ifndef RECORD_FRAMES_XML_SCAN_H
#define RECORD_FRAMES_XML_SCAN_H

#include <stdbool.h>
#include <stddef.h>

typedef struct xml_scan {
    const char *at, *end;
} xml_scan;

typedef struct xml_tag {
    const char *text; // behind the '<': "DataArray type=..." or "/DataArray"
    size_t length;    // up to the '>'
} xml_tag;

// The next tag, and the scan moves behind it; false when there is none left.
bool xml_next(xml_scan *scan, xml_tag *tag);

// True when the tag has this name; "/Piece" is the end of a Piece.
bool xml_is(const xml_tag *tag, const char *name);

// Copies an attribute's value; false when there is none, or it does not fit.
bool xml_attribute(const xml_tag *tag, const char *name, char *value, size_t size);

#endif
