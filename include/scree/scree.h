// Everything public of Scree. See docs/guide.md for a first program.
#ifndef SCREE_SCREE_H
#define SCREE_SCREE_H

#include "scree/detect.h"
#include "scree/geometry.h"
#include "scree/joint.h"
#include "scree/query.h"
#include "scree/run.h"
#include "scree/scene.h"
#include "scree/shape.h"
#include "scree/status.h"
#include "scree/types.h"
#include "scree/version.h"
#include "scree/world.h"

#endif
