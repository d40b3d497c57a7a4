/* SPDX-License-Identifier: MIT */
/* reference - the same accelerations by the CPU alone, and how far off others are. */
#ifndef NBODY_REFERENCE_H
#define NBODY_REFERENCE_H

#include "octree.h"

/* Differences are told in parts of the sum of all single pulls' sizes: many that cancel out leave no measure. */
struct disagreement {
  double most;     /* of all accelerations */
  int other_walks; /* bodies for which other cubes were visited */
};

/* Walks the world's tree for each body, by recursion, and compares with what is in the bodies. */
struct disagreement reference_compare(const struct world *world);

/* How far the tree's way is off the sum over all pairs, for some bodies: as above, the most of them. */
double reference_error_of_method(const struct world *world);

#endif
