// How every fallible function of Scree answers: a status, and on failure a message for a human.
#ifndef SCREE_STATUS_H
#define SCREE_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SCREE_API __attribute__((visibility("default")))
#else
#define SCREE_API
#endif

typedef enum scree_status {
    SCREE_OK = 0,
    SCREE_ERROR_INVALID,     // the caller's input is wrong; nothing was changed
    SCREE_ERROR_NO_MEMORY,   // an allocation failed
    SCREE_ERROR_IO,          // a file could not be read or written
    SCREE_ERROR_DIVERGED,    // a body's state is no longer finite, or it left the representable world
    SCREE_ERROR_INTERRUPTED, // the caller asked for it (scree_world_set_interrupt)
} scree_status;

enum { SCREE_MESSAGE_SIZE = 512 };

// Filled on failure only. Every function that takes one accepts NULL.
typedef struct scree_error {
    scree_status status;
    char message[SCREE_MESSAGE_SIZE]; // what was wrong, where, and what is accepted; one line, no newline
} scree_error;

#ifdef __cplusplus
}
#endif

#endif
