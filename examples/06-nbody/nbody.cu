/* SPDX-License-Identifier: MIT */
/*
 * nbody - bodies that pull each other, by a tree of pointers that host and kernels walk alike.
 *
 *     nbody [BODIES [STEPS]]
 *
 * Each step a kernel moves the bodies, the host builds the tree anew from where they are, and a kernel walks it for
 * the accelerations. That is done twice. In managed memory there is nothing else to do: the kernels are given the
 * world's address, and find the rest by its pointers, as the host does. Without, the program keeps a world on either
 * side: it gets the bodies, builds, turns every pointer into what it is on the device, and sends bodies and tree.
 *
 * Both must end with the same bits; and the CPU walks the managed tree by itself, which must visit the same cubes and
 * come to the same accelerations but for rounding. What a step takes is told for both.
 */
#include "octree.h"
#include "reference.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

enum { BLOCK = 128 };
enum { FEWEST_BODIES = 2, MOST_BODIES = 20000000, MOST_STEPS = 100000 };
static const double TOLERANCE = 1e-12; /* rounding: sums of thousands, in another order */
static const double METHOD = 0.05;     /* what far cubes may cost in accuracy, with the opening below */

/* ---- kernels --------------------------------------------------------------------------------------------- */

__device__ static struct vector between(struct vector from, struct vector to) {
  struct vector d = { to.x - from.x, to.y - from.y, to.z - from.z };
  return d;
}

__device__ static double square(struct vector d) {
  return d.x * d.x + d.y * d.y + d.z * d.z;
}

__device__ static void add(struct vector *sum, struct vector d, double mass, double softening) {
  double near = square(d) + softening * softening, scale = mass / (near * sqrt(near));
  sum->x += scale * d.x;
  sum->y += scale * d.y;
  sum->z += scale * d.z;
}

__global__ void move(struct world *world) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= world->body_count)
    return;
  struct body *body = &world->bodies[i];
  double step = world->time_step;
  body->velocity.x += step * body->acceleration.x;
  body->velocity.y += step * body->acceleration.y;
  body->velocity.z += step * body->acceleration.z;
  body->at.x += step * body->velocity.x;
  body->at.y += step * body->velocity.y;
  body->at.z += step * body->velocity.z;
}

/* Kernels have no recursion: cubes yet to be seen wait in an array. */
__global__ void attract(struct world *world) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= world->body_count)
    return;
  struct body *body = &world->bodies[i];
  struct vector at = body->at, sum = { 0, 0, 0 };
  double opening = world->opening * world->opening, softening = world->softening;
  const struct cube *waiting[MOST_WAITING];
  int count = 0, visited = 0;
  waiting[count++] = world->root;
  while (count > 0) {
    const struct cube *cube = waiting[--count];
    struct vector d = between(at, cube->centre);
    visited++;
    if (cube->bodies != NULL) {
      for (const struct body *other = cube->bodies; other != NULL; other = other->next)
        if (other != body)
          add(&sum, between(at, other->at), other->mass, softening);
    } else if (cube->edge * cube->edge < opening * square(d)) {
      add(&sum, d, cube->mass, softening);
    } else {
      for (int part = 0; part < PARTS; part++)
        if (cube->parts[part] != NULL)
          waiting[count++] = cube->parts[part];
    }
  }
  body->acceleration = sum;
  body->visited = visited;
}

/* ---- both ways ------------------------------------------------------------------------------------------- */

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t error, const char *call, int line) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "nbody.cu:%d: %s: %s\n", line, call, cudaGetErrorString(error));
  exit(1);
}

static int blocks_for(int bodies) {
  return (bodies + BLOCK - 1) / BLOCK;
}

static void wait_for_kernel(void) {
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
}

static void set_up(struct world *world, int bodies, int most_cubes) {
  world->body_count = bodies;
  world->most_cubes = most_cubes;
  world->opening = 0.5;
  world->softening = 0.01;
  world->time_step = 0.01;
  octree_populate(world);
}

/* Managed memory: no copies. */
static struct world *make_managed(int bodies, int most_cubes) {
  struct world *world;
  CHECK(cudaMallocManaged((void **)&world, sizeof *world));
  CHECK(cudaMallocManaged((void **)&world->bodies, bodies * sizeof *world->bodies));
  CHECK(cudaMallocManaged((void **)&world->cubes, most_cubes * sizeof *world->cubes));
  set_up(world, bodies, most_cubes);
  return world;
}

static void step_managed(struct world *world) {
  int blocks = blocks_for(world->body_count);
  move<<<blocks, BLOCK>>>(world);
  wait_for_kernel();
  octree_build(world);
  attract<<<blocks, BLOCK>>>(world);
  wait_for_kernel();
}

static void drop_managed(struct world *world) {
  CHECK(cudaFree(world->cubes));
  CHECK(cudaFree(world->bodies));
  CHECK(cudaFree(world));
}

/* The same world on the host, and on the device under other addresses. */
struct copies {
  struct world here, there; /* there: as the device sees it, all addresses are the device's */
  struct world *device;     /* where it is kept */
};

static void make_copies(struct copies *copies, int bodies, int most_cubes) {
  copies->here.bodies = (struct body *)malloc(bodies * sizeof(struct body));
  copies->here.cubes = (struct cube *)malloc(most_cubes * sizeof(struct cube));
  if (copies->here.bodies == NULL || copies->here.cubes == NULL) {
    fprintf(stderr, "nbody: no memory for %d bodies\n", bodies);
    exit(1);
  }
  set_up(&copies->here, bodies, most_cubes);
  copies->there = copies->here;
  CHECK(cudaMalloc((void **)&copies->device, sizeof *copies->device));
  CHECK(cudaMalloc((void **)&copies->there.bodies, bodies * sizeof(struct body)));
  CHECK(cudaMalloc((void **)&copies->there.cubes, most_cubes * sizeof(struct cube)));
  CHECK(cudaMemcpy(copies->there.bodies, copies->here.bodies, bodies * sizeof(struct body), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(copies->device, &copies->there, sizeof copies->there, cudaMemcpyHostToDevice));
}

static struct body *body_there(const struct copies *copies, const struct body *body) {
  return body != NULL ? copies->there.bodies + (body - copies->here.bodies) : NULL;
}

static struct cube *cube_there(const struct copies *copies, const struct cube *cube) {
  return cube != NULL ? copies->there.cubes + (cube - copies->here.cubes) : NULL;
}

/* Every pointer becomes the device's. The host's tree is of no use behind that, until it is built again. */
static void relocate(struct copies *copies) {
  for (int i = 0; i < copies->here.body_count; i++)
    copies->here.bodies[i].next = body_there(copies, copies->here.bodies[i].next);
  for (int i = 0; i < copies->here.cube_count; i++) {
    struct cube *cube = &copies->here.cubes[i];
    cube->bodies = body_there(copies, cube->bodies);
    for (int part = 0; part < PARTS; part++)
      cube->parts[part] = cube_there(copies, cube->parts[part]);
  }
  copies->there.root = cube_there(copies, copies->here.root);
  copies->there.cube_count = copies->here.cube_count;
}

static void fetch_bodies(struct copies *copies) {
  size_t size = copies->here.body_count * sizeof(struct body);
  CHECK(cudaMemcpy(copies->here.bodies, copies->there.bodies, size, cudaMemcpyDeviceToHost));
}

static void send_all(struct copies *copies) {
  size_t bodies = copies->here.body_count * sizeof(struct body), cubes = copies->here.cube_count * sizeof(struct cube);
  CHECK(cudaMemcpy(copies->there.bodies, copies->here.bodies, bodies, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(copies->there.cubes, copies->here.cubes, cubes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(copies->device, &copies->there, sizeof copies->there, cudaMemcpyHostToDevice));
}

static void step_copies(struct copies *copies) {
  int blocks = blocks_for(copies->here.body_count);
  move<<<blocks, BLOCK>>>(copies->device);
  fetch_bodies(copies);
  octree_build(&copies->here);
  relocate(copies);
  send_all(copies);
  attract<<<blocks, BLOCK>>>(copies->device);
  wait_for_kernel();
}

static void drop_copies(struct copies *copies) {
  CHECK(cudaFree(copies->there.cubes));
  CHECK(cudaFree(copies->there.bodies));
  CHECK(cudaFree(copies->device));
  free(copies->here.cubes);
  free(copies->here.bodies);
}

/* ---- comparisons ----------------------------------------------------------------------------------------- */

static bool are_same(const struct body *a, const struct body *b) {
  return memcmp(&a->at, &b->at, sizeof a->at) == 0 && memcmp(&a->velocity, &b->velocity, sizeof a->velocity) == 0 &&
         memcmp(&a->acceleration, &b->acceleration, sizeof a->acceleration) == 0 && a->visited == b->visited;
}

static int count_different(const struct world *a, const struct world *b) {
  int different = 0;
  for (int i = 0; i < a->body_count; i++)
    different += !are_same(&a->bodies[i], &b->bodies[i]);
  return different;
}

static double mean_visited(const struct world *world) {
  double sum = 0;
  for (int i = 0; i < world->body_count; i++)
    sum += world->bodies[i].visited;
  return sum / world->body_count;
}

/* True if all agree; says so, and what is known of the tree. */
static bool judge(const struct world *managed, struct copies *copies) {
  fetch_bodies(copies);
  int different = count_different(managed, &copies->here);
  struct disagreement cpu = reference_compare(managed);
  double method = reference_error_of_method(managed);
  printf("a tree of %d cubes, of which a body visits %.0f\n", managed->cube_count, mean_visited(managed));
  printf("with copies: %d bodies differ\n", different);
  printf("on the CPU: accelerations differ by %.2g at most (%g allowed), %d bodies visit other cubes\n", cpu.most,
         TOLERANCE, cpu.other_walks);
  printf("sum over all pairs: %.2g off (%g allowed)\n", method, METHOD);
  return different == 0 && cpu.most <= TOLERANCE && cpu.other_walks == 0 && method <= METHOD;
}

/* ---- the run --------------------------------------------------------------------------------------------- */

static double now(void) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/* Half the width of the middle half is how sure it is. */
static double report(const char *name, std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  size_t count = samples.size();
  double median = samples[count / 2], spread = (samples[(count - 1) * 3 / 4] - samples[count / 4]) / 2;
  printf("  %-8s %10.3f ms  +- %.3f\n", name, median, spread);
  return median;
}

/* The two take turns. Kernels are built in the first step, which is not counted. */
static void simulate(struct world *managed, struct copies *copies, int steps) {
  std::vector<double> with_managed, with_copies;
  for (int step = 0; step <= steps; step++) {
    double begin = now();
    step_managed(managed);
    double between = now();
    step_copies(copies);
    double end = now();
    if (step > 0) {
      with_managed.push_back(between - begin);
      with_copies.push_back(end - between);
    }
  }
  printf("a step, median of %d:\n", steps);
  double managed_ms = report("managed", with_managed), copies_ms = report("copies", with_copies);
  printf("  %-8s %10.3f\n", "ratio", managed_ms / copies_ms);
}

static int parse(const char *text, int least, int most) {
  char *end;
  long number = strtol(text, &end, 10);
  if (*text != '\0' && *end == '\0' && number >= least && number <= most)
    return (int)number;
  fprintf(stderr, "usage: nbody [BODIES [STEPS]], BODIES from %d to %d, STEPS from 1 to %d; not '%s'\n",
          FEWEST_BODIES, MOST_BODIES, MOST_STEPS, text);
  exit(2);
}

int main(int argc, char **argv) {
  int bodies = argc > 1 ? parse(argv[1], FEWEST_BODIES, MOST_BODIES) : 4000;
  int steps = argc > 2 ? parse(argv[2], 1, MOST_STEPS) : 5;
  int most_cubes = 2 * bodies + 100;
  struct world *managed = make_managed(bodies, most_cubes);
  struct copies copies;
  make_copies(&copies, bodies, most_cubes);
  printf("%d bodies\n", bodies);
  simulate(managed, &copies, steps);
  bool agree = judge(managed, &copies);
  drop_copies(&copies);
  drop_managed(managed);
  printf("nbody: %s\n", agree ? "managed memory, copies and the CPU agree" : "they differ");
  return agree ? 0 : 1;
}
