// Plain value types shared by all public headers.
#ifndef SCREE_TYPES_H
#define SCREE_TYPES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_vec3 {
    double x, y, z;
} scree_vec3;

typedef struct scree_quat {
    double w, x, y, z;
} scree_quat;

// A body's name for its whole life. Ids count up from 1 in order of creation and are never used again;
// 0 is no body.
typedef uint64_t scree_id;

#ifdef __cplusplus
}
#endif

#endif
