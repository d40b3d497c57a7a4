/* SPDX-License-Identifier: MIT */
/* octree - see octree.h. */
#include "octree.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

/* ---- the tree -------------------------------------------------------------------------------------------- */

static double largest(double a, double b) {
  return a > b ? a : b;
}

/* Half the edge of a cube around the origin that has room for all. */
static double reach(const struct world *world) {
  double most = 0;
  for (int i = 0; i < world->body_count; i++) {
    struct vector at = world->bodies[i].at;
    most = largest(most, largest(std::fabs(at.x), largest(std::fabs(at.y), std::fabs(at.z))));
  }
  return most > 0 ? most : 1;
}

static int part_of(struct vector at, struct vector middle) {
  return (at.x >= middle.x) | (at.y >= middle.y) << 1 | (at.z >= middle.z) << 2;
}

static struct vector middle_of_part(struct vector middle, double quarter, int part) {
  middle.x += part & 1 ? quarter : -quarter;
  middle.y += part & 2 ? quarter : -quarter;
  middle.z += part & 4 ? quarter : -quarter;
  return middle;
}

static void weigh(struct cube *cube, struct vector at, double mass) {
  cube->centre.x += mass * at.x;
  cube->centre.y += mass * at.y;
  cube->centre.z += mass * at.z;
  cube->mass += mass;
}

static void balance(struct cube *cube) {
  cube->centre.x /= cube->mass;
  cube->centre.y /= cube->mass;
  cube->centre.z /= cube->mass;
}

static struct cube *build(struct world *world, struct body *bodies, struct vector middle, double edge, int depth);

/* Each body goes into its part's list, and each list becomes a cube. */
static void divide(struct world *world, struct cube *cube, struct body *bodies, struct vector middle, int depth) {
  struct body *lists[PARTS] = { NULL };
  for (struct body *body = bodies, *next; body != NULL; body = next) {
    int part = part_of(body->at, middle);
    next = body->next;
    body->next = lists[part];
    lists[part] = body;
  }
  for (int part = 0; part < PARTS; part++) {
    if (lists[part] == NULL)
      continue;
    struct vector there = middle_of_part(middle, cube->edge / 4, part);
    cube->parts[part] = build(world, lists[part], there, cube->edge / 2, depth + 1);
    weigh(cube, cube->parts[part]->centre, cube->parts[part]->mass);
  }
}

static bool is_leaf(const struct body *bodies, int depth) {
  int count = 0;
  for (const struct body *body = bodies; body != NULL && count <= MOST_IN_LEAF; body = body->next)
    count++;
  return count <= MOST_IN_LEAF || depth == MOST_DEPTH;
}

/* What a division may need is kept free: the parts of this cube, and of those around it that wait for theirs. */
static bool has_room(const struct world *world, int depth) {
  return world->most_cubes - world->cube_count >= PARTS * (depth + 1);
}

static struct cube *build(struct world *world, struct body *bodies, struct vector middle, double edge, int depth) {
  static const struct cube nothing = {};
  struct cube *cube = &world->cubes[world->cube_count++];
  *cube = nothing;
  cube->edge = edge;
  if (is_leaf(bodies, depth) || !has_room(world, depth)) {
    cube->bodies = bodies;
    for (const struct body *body = bodies; body != NULL; body = body->next)
      weigh(cube, body->at, body->mass);
  } else {
    divide(world, cube, bodies, middle, depth);
  }
  balance(cube);
  return cube;
}

void octree_build(struct world *world) {
  for (int i = 0; i < world->body_count; i++)
    world->bodies[i].next = i + 1 < world->body_count ? &world->bodies[i + 1] : NULL;
  world->cube_count = 0;
  world->root = build(world, world->bodies, { 0, 0, 0 }, 2 * reach(world), 0);
}

/* ---- who lives in it ------------------------------------------------------------------------------------- */

/* From 0 up to 1; Knuth's constants for a linear congruence. */
static double chance(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*state >> 11) / (double)(UINT64_C(1) << 53);
}

void octree_populate(struct world *world) {
  uint64_t state = 1;
  for (int i = 0; i < world->body_count; i++) {
    double radius = chance(&state), turn = 6.283185307179586 * chance(&state), z = 2 * chance(&state) - 1;
    double flat = std::sqrt(1 - z * z);
    world->bodies[i] = body{};
    world->bodies[i].at = { radius * flat * std::cos(turn), radius * flat * std::sin(turn), radius * z };
    world->bodies[i].mass = 1.0 / world->body_count;
  }
}
