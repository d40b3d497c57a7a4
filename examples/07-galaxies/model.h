/* SPDX-License-Identifier: MIT */
/*
 * model - two galaxies that pass each other: where their stars begin, and how their centres move.
 *
 * Alar and Juri Toomre's model of 1972 ("Galactic Bridges and Tails"): each galaxy's mass is at its centre, and the
 * stars around it have none. The centres' orbit depends on nothing else and is laid down beforehand, a row for each
 * step; every star is then a problem of its own. Units: 10 kiloparsecs, 10^11 solar masses, and 47.2 million years,
 * in which G is 1.
 */
#ifndef MODEL_H
#define MODEL_H

#include <vector>

struct vector {
  float x, y, z;
};

struct centres {
  struct vector first, second;
};

#define TIME_STEP 0.02f
#define SOFTENING 0.04f /* the square of a centre's radius: its pull is a Plummer sphere's */
#define MILLION_YEARS 47.2f

enum { TINTS = 5 }; /* which galaxy, and how far from its centre: see picture.cpp */

/*
 * The stars of both galaxies: all x, all y, all z, then the same of their velocities, as many of each as there are
 * tints, which are below TINTS. They are the same on every machine.
 */
enum { NUMBERS = 6 };
void model_populate(std::vector<float> &stars, std::vector<unsigned char> &tints);

/* The centres at each step. */
std::vector<centres> model_orbit(int steps);

#endif
