// A question that long work asks now and then: is it to be given up? Once the answer is yes it stays so.
#ifndef BASE_INTERRUPT_H
#define BASE_INTERRUPT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct interrupt {
    bool (*ask)(void *context); // from any thread; NULL: nobody wants that
    void *context;
} interrupt;

static inline bool interrupt_asked(const interrupt *of)
{
    return of && of->ask && of->ask(of->context);
}

#endif
