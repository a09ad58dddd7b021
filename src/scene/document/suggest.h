// "Did you mean ...?": the candidate nearest to a mistyped word.
#ifndef SCENE_DOCUMENT_SUGGEST_H
#define SCENE_DOCUMENT_SUGGEST_H

#include <stddef.h>

typedef struct suggestion {
    const char *text;
    const char *best; // NULL when no candidate is near enough
    size_t distance;  // of the best
} suggestion;

suggestion suggest_for(const char *text);

// Takes the candidate when it is nearer than the best so far. It must outlive the suggestion.
void suggest_offer(suggestion *nearest, const char *candidate);

// Number of letters to insert, drop, change or swap with their neighbour to turn one text into the other, each place
// edited once at most; texts longer than SUGGEST_LENGTH are infinitely far (SIZE_MAX).
size_t edit_distance(const char *a, const char *b);

enum { SUGGEST_LENGTH = 63 };

#endif
