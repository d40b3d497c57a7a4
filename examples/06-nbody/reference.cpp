/* SPDX-License-Identifier: MIT */
/* reference - see reference.h. */
#include "reference.h"

#include <cmath>
#include <cstddef>

struct pull {
  struct vector sum;
  double sizes;
  int visited;
};

static struct vector between(struct vector from, struct vector to) {
  return { to.x - from.x, to.y - from.y, to.z - from.z };
}

static double square(struct vector d) {
  return d.x * d.x + d.y * d.y + d.z * d.z;
}

static void add(struct pull *pull, struct vector d, double mass, double softening) {
  double near = square(d) + softening * softening, scale = mass / (near * std::sqrt(near));
  pull->sum.x += scale * d.x;
  pull->sum.y += scale * d.y;
  pull->sum.z += scale * d.z;
  pull->sizes += scale * std::sqrt(square(d));
}

static void walk(const struct world *world, const struct cube *cube, const struct body *body, struct pull *pull) {
  struct vector d = between(body->at, cube->centre);
  pull->visited++;
  for (const struct body *other = cube->bodies; other != NULL; other = other->next)
    if (other != body)
      add(pull, between(body->at, other->at), other->mass, world->softening);
  if (cube->bodies != NULL)
    return;
  if (cube->edge * cube->edge < world->opening * world->opening * square(d)) {
    add(pull, d, cube->mass, world->softening);
    return;
  }
  for (int part = 0; part < PARTS; part++)
    if (cube->parts[part] != NULL)
      walk(world, cube->parts[part], body, pull);
}

static double apart(struct vector a, struct vector b) {
  return std::sqrt(square(between(a, b)));
}

/* Not a number is further off than anything. */
static double further(double most, double difference) {
  return difference <= most ? most : difference;
}

struct disagreement reference_compare(const struct world *world) {
  struct disagreement all = { 0, 0 };
  for (int i = 0; i < world->body_count; i++) {
    const struct body *body = &world->bodies[i];
    struct pull pull = {};
    walk(world, world->root, body, &pull);
    all.most = further(all.most, apart(pull.sum, body->acceleration) / pull.sizes);
    all.other_walks += pull.visited != body->visited;
  }
  return all;
}

double reference_error_of_method(const struct world *world) {
  enum { SAMPLES = 16 };
  double most = 0;
  for (int sample = 0; sample < SAMPLES; sample++) {
    const struct body *body = &world->bodies[(long long)sample * world->body_count / SAMPLES];
    struct pull pull = {};
    for (int i = 0; i < world->body_count; i++)
      if (&world->bodies[i] != body)
        add(&pull, between(body->at, world->bodies[i].at), world->bodies[i].mass, world->softening);
    most = further(most, apart(pull.sum, body->acceleration) / pull.sizes);
  }
  return most;
}
