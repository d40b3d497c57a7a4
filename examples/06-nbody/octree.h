/* SPDX-License-Identifier: MIT */
/*
 * octree - bodies, and the tree of cubes that they lie in: what host and kernels share, linked by pointers.
 *
 * Whatever memory a world is made of, host functions and kernels find everything from its address: the root, each
 * cube's parts, the bodies of a leaf, the next body. Nothing here knows of CUDA.
 *
 * The method is Barnes and Hut's (Nature 324, 1986): far cubes pull as if all their mass were in one place.
 */
#ifndef NBODY_OCTREE_H
#define NBODY_OCTREE_H

enum { PARTS = 8, MOST_DEPTH = 20, MOST_IN_LEAF = 4 };

/* What a walk that keeps the cubes to be seen in an array can have there at most. */
enum { MOST_WAITING = (PARTS - 1) * MOST_DEPTH + 1 };

struct vector {
  double x, y, z;
};

struct body {
  struct vector at, velocity, acceleration;
  double mass;
  struct body *next; /* in the same leaf */
  int visited;       /* cubes that its acceleration took */
};

struct cube {
  struct vector centre; /* of its mass */
  double mass, edge;
  struct cube *parts[PARTS]; /* NULL: nobody is there */
  struct body *bodies;       /* of a leaf, which has no parts; else NULL */
};

struct world {
  struct body *bodies;
  int body_count;
  struct cube *cubes; /* room for them; the first cube_count are the tree */
  int cube_count, most_cubes;
  struct cube *root;
  double opening;     /* cubes are opened that are nearer than their edge divided by this */
  double softening;   /* a length: as if bodies were not points */
  double time_step;
};

/* Makes the tree anew from where the bodies are. A cube that there is no room to divide stays a leaf. */
void octree_build(struct world *world);

/* A ball of bodies at rest, thick in the middle: the same for the same count. */
void octree_populate(struct world *world);

#endif
