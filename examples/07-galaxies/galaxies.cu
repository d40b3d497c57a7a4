/* SPDX-License-Identifier: MIT */
/*
 * galaxies - two galaxies pass each other, and their stars are drawn out into tails; writes a picture.
 *
 *     galaxies [STARS [PICTURE]]
 *
 * Each star is pulled by the two centres (model.h), for all steps; then its light falls on the picture. Everything the
 * device needs is in one allocation: stars, path of the centres, light, tints. The same steps are then taken by one
 * thread of the CPU, with the same function, and both times are told. Exits with 1 if the stars are not where the CPU
 * has them.
 */
#include "model.h"
#include "picture.h"

#include <cuda_runtime.h>

#include <cerrno>
#include <chrono>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <unistd.h>

enum { BLOCK = 128, STEPS = 640, STEPS_AT_ONCE = 40 };
/* The picture: the orbit's plane is turned and then slanted; and how many pixels a unit is. */
#define VIEW_TURN 0.95f
#define VIEW_SLANT 0.25f
#define VIEW_SCALE 92.0f
#define TOLERANCE 0.01
#define MOST_AWAY 0.001
enum { DEFAULT_STARS = 1 << 20, MOST_STARS = 1 << 26 };

/* ---- kernels --------------------------------------------------------------------------------------------- */

__host__ __device__ static void pull(struct vector *velocity, const struct vector *at, const struct vector *centre) {
  float x = centre->x - at->x, y = centre->y - at->y, z = centre->z - at->z;
  float square = x * x + y * y + z * z + SOFTENING;
  float scale = TIME_STEP / (square * sqrtf(square));
  velocity->x += scale * x;
  velocity->y += scale * y;
  velocity->z += scale * z;
}

/* One step of a star by leapfrog. Its numbers are in NUMBERS rows of count each, of which star is in the first. */
__host__ __device__ static void step(float *star, size_t count, const struct centres *now) {
  float *speed = star + 3 * count;
  struct vector at = { star[0], star[count], star[2 * count] };
  struct vector velocity = { speed[0], speed[count], speed[2 * count] };
  pull(&velocity, &at, &now->first);
  pull(&velocity, &at, &now->second);
  star[0] = at.x + TIME_STEP * velocity.x;
  star[count] = at.y + TIME_STEP * velocity.y;
  star[2 * count] = at.z + TIME_STEP * velocity.z;
  speed[0] = velocity.x;
  speed[count] = velocity.y;
  speed[2 * count] = velocity.z;
}

__global__ void move(float *stars, int count, const struct centres *now) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    step(stars + i, count, now);
}

/* Where the picture lies in space: what a star's place is multiplied with for its column, and for its row. */
struct view {
  struct vector right, down;
};

__device__ static float along(struct vector direction, struct vector at) {
  return direction.x * at.x + direction.y * at.y + direction.z * at.z;
}

/* The light of a star is shared out to the four pixels around it, in 256ths. */
__global__ void expose(const float *stars, int count, const unsigned char *tints, struct view view, unsigned *light) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const float *star = stars + i;
  struct vector at = { star[0], star[count], star[2 * (size_t)count] };
  float column = WIDTH / 2 + along(view.right, at), row = HEIGHT / 2 + along(view.down, at);
  if (!(column >= 0 && column < WIDTH - 1 && row >= 0 && row < HEIGHT - 1))
    return;
  int left = (int)column, top = (int)row;
  unsigned right_part = (unsigned)(16 * (column - left)), low_part = (unsigned)(16 * (row - top));
  unsigned *pixel = light + (top * WIDTH + left) * TINTS + tints[i], *below = pixel + WIDTH * TINTS;
  atomicAdd(pixel, (16 - right_part) * (16 - low_part));
  atomicAdd(pixel + TINTS, right_part * (16 - low_part));
  atomicAdd(below, (16 - right_part) * low_part);
  atomicAdd(below + TINTS, right_part * low_part);
}

/* ---- the device -------------------------------------------------------------------------------------------- */

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t error, const char *call, int line) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "galaxies.cu:%d: %s: %s\n", line, call, cudaGetErrorString(error));
  exit(1);
}

static double now(void) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/* One line that is written over, for those who watch. */
static void show_progress(const char *who, int steps, double began) {
  if (!isatty(STDERR_FILENO))
    return;
  fprintf(stderr, "\r  %-10s %4.0f of %.0f million years, %5.1f s ", who, (double)(steps * TIME_STEP * MILLION_YEARS),
          (double)(STEPS * TIME_STEP * MILLION_YEARS), now() - began);
  if (steps == STEPS)
    fprintf(stderr, "\r%60s\r", "");
}

/* Where everything is, in one allocation: each part begins where the one before ends. */
struct sky {
  int count;
  float *stars;
  struct centres *path;
  unsigned *light;
  unsigned char *tints;
};

static size_t carve(struct sky *sky, void *memory) {
  sky->stars = (float *)memory;
  sky->path = (struct centres *)(sky->stars + NUMBERS * (size_t)sky->count);
  sky->light = (unsigned *)(sky->path + STEPS);
  sky->tints = (unsigned char *)(sky->light + WIDTH * HEIGHT * TINTS);
  return (size_t)(sky->tints + sky->count - (unsigned char *)memory);
}

static struct sky make_sky(const std::vector<float> &stars, const std::vector<centres> &path,
                           const std::vector<unsigned char> &tints) {
  struct sky sky = { (int)tints.size(), NULL, NULL, NULL, NULL };
  void *memory;
  CHECK(cudaMalloc(&memory, carve(&sky, NULL)));
  carve(&sky, memory);
  CHECK(cudaMemcpy(sky.stars, stars.data(), stars.size() * sizeof *sky.stars, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(sky.path, path.data(), path.size() * sizeof *sky.path, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(sky.tints, tints.data(), tints.size(), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(sky.light, 0, WIDTH * HEIGHT * TINTS * sizeof *sky.light));
  return sky;
}

static int blocks_for(int stars) {
  return (stars + BLOCK - 1) / BLOCK;
}

/* A first launch that moves nobody, for drivers build a kernel when it is first used: that is told apart. */
static double have_kernel_built(struct sky sky) {
  double began = now();
  move<<<blocks_for(sky.count), BLOCK>>>(sky.stars, 0, sky.path);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  return now() - began;
}

static double move_on_device(struct sky sky) {
  double began = now();
  for (int i = 0; i < STEPS; i++) {
    move<<<blocks_for(sky.count), BLOCK>>>(sky.stars, sky.count, sky.path + i);
    CHECK(cudaGetLastError());
    if ((i + 1) % STEPS_AT_ONCE == 0) {
      CHECK(cudaDeviceSynchronize());
      show_progress("device", i + 1, began);
    }
  }
  return now() - began;
}

static std::vector<unsigned> photograph(struct sky sky) {
  const float c = cosf(VIEW_TURN), s = sinf(VIEW_TURN), cs = cosf(VIEW_SLANT), ss = sinf(VIEW_SLANT);
  const struct view view = { { VIEW_SCALE * c, VIEW_SCALE * s, 0 },
                             { VIEW_SCALE * cs * s, -VIEW_SCALE * cs * c, VIEW_SCALE * ss } };
  std::vector<unsigned> light(WIDTH * HEIGHT * TINTS);
  expose<<<blocks_for(sky.count), BLOCK>>>(sky.stars, sky.count, sky.tints, view, sky.light);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(light.data(), sky.light, light.size() * sizeof light[0], cudaMemcpyDeviceToHost));
  return light;
}

/* ---- the CPU ----------------------------------------------------------------------------------------------- */

static double move_on_cpu(std::vector<float> &stars, int count, const std::vector<centres> &path) {
  double began = now();
  for (int i = 0; i < STEPS; i++) {
    for (int star = 0; star < count; star++)
      step(&stars[(size_t)star], (size_t)count, &path[(size_t)i]);
    if ((i + 1) % STEPS_AT_ONCE == 0)
      show_progress("one thread", i + 1, began);
  }
  return now() - began;
}

/* Rounding differs, and a star that passes close to a centre makes much of it: a few may be elsewhere. */
static size_t count_strays(const std::vector<float> &expected, const std::vector<float> &seen) {
  size_t count = expected.size() / NUMBERS, strays = 0;
  for (size_t i = 0; i < count; i++) {
    double square = 0;
    for (size_t row = 0; row < 3; row++)
      square += pow(seen[row * count + i] - expected[row * count + i], 2);
    if (!(square <= TOLERANCE * TOLERANCE))
      strays++;
  }
  return strays;
}

/* ---- the program ------------------------------------------------------------------------------------------- */

static int parse_stars(const char *text) {
  char *end;
  long number = strtol(text, &end, 10);
  if (*text != '\0' && *end == '\0' && number > 0 && number <= MOST_STARS)
    return (int)number;
  fprintf(stderr, "usage: galaxies [STARS [PICTURE]]: STARS is a number from 1 to %d\n", MOST_STARS);
  exit(2);
}

/* Moves the stars on the device, and writes the picture of where they are then. Returns how long the steps took. */
static double run_on_device(std::vector<float> &stars, const std::vector<centres> &path,
                            const std::vector<unsigned char> &tints, const char *picture) {
  struct sky sky = make_sky(stars, path, tints);
  double build = have_kernel_built(sky), seconds = move_on_device(sky);
  printf("  the device         %8.2f s, and %.2f s for its driver to build the kernel\n", seconds, build);
  if (!picture_write(picture, photograph(sky))) {
    fprintf(stderr, "galaxies: %s cannot be written: %s\n", picture, strerror(errno));
    exit(1);
  }
  CHECK(cudaMemcpy(stars.data(), sky.stars, stars.size() * sizeof stars[0], cudaMemcpyDeviceToHost));
  CHECK(cudaFree(sky.stars));
  return seconds;
}

int main(int argc, char **argv) {
  const int count = argc > 1 ? parse_stars(argv[1]) : DEFAULT_STARS;
  const char *picture = argc > 2 ? argv[2] : "galaxies.png";
  std::vector<float> stars(NUMBERS * (size_t)count);
  std::vector<unsigned char> tints((size_t)count);
  model_populate(stars, tints);
  const std::vector<centres> path = model_orbit(STEPS);
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  printf("%d stars of two galaxies that pass each other, %d steps, on %s\n", count, STEPS, properties.name);

  std::vector<float> moved = stars;
  double device = run_on_device(moved, path, tints, picture);
  fflush(stdout);
  double cpu = move_on_cpu(stars, count, path);
  size_t strays = count_strays(stars, moved);
  printf("  one thread of CPU  %8.2f s, which is %.1f times the device's\n", cpu, cpu / device);
  printf("  %zu of the stars are more than %g parsecs from where the CPU has them\n", strays, 1e4 * TOLERANCE);
  printf("The picture is in %s\n", picture);
  return (double)strays <= MOST_AWAY * count ? 0 : 1;
}
