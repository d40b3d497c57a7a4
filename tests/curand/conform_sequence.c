/* SPDX-License-Identifier: MIT */
/*
 * conform_sequence - generators of the host and of the device have cuRAND's sequences (golden.h), for different seeds,
 * offsets and orderings, and go on from call to call. Plain cuRAND: it builds with NVIDIA's, too, and with "print" it
 * writes golden.h; "print device" of the device's generators.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>

#include "sequence.h"

enum { MOST = 700000 };

static int failures;

#define CHECK(call)                                                                                                  \
  do {                                                                                                               \
    int status_ = (int)(call);                                                                                       \
    if (status_ != 0) {                                                                                              \
      printf("%s:%d: %s: status %d\n", __FILE__, __LINE__, #call, status_);                                          \
      exit(1);                                                                                                       \
    }                                                                                                                \
  } while (0)

static size_t size_of(int number) {
  return number == DOUBLES || number == NORMALS_DOUBLE || number == LONGS ? 8 : 4;
}

static int draw(curandGenerator_t generator, int number, void *to, size_t count) {
  switch (number) {
  case WORDS:
    return (int)curandGenerate(generator, (unsigned int *)to, count);
  case FLOATS:
    return (int)curandGenerateUniform(generator, (float *)to, count);
  case DOUBLES:
    return (int)curandGenerateUniformDouble(generator, (double *)to, count);
  case LONGS:
    return (int)curandGenerateLongLong(generator, (unsigned long long *)to, count);
  case NORMALS:
    return (int)curandGenerateNormal(generator, (float *)to, count, 1, 2);
  case NORMALS_DOUBLE:
    return (int)curandGenerateNormalDouble(generator, (double *)to, count, 1, 2);
  default:
    return (int)curandGenerateLogNormal(generator, (float *)to, count, 0, 1);
  }
}

/* Whether all of its bits are cuRAND's. */
static int is_exact(const sequence *it) {
  return it->number <= DOUBLES || it->number == LONGS;
}

static void set_up(curandGenerator_t generator, const sequence *it) {
  if (it->type >= CURAND_RNG_QUASI_DEFAULT)
    CHECK(curandSetQuasiRandomGeneratorDimensions(generator, (unsigned int)it->seed));
  else
    CHECK(curandSetPseudoRandomGeneratorSeed(generator, it->seed));
  CHECK(curandSetGeneratorOrdering(generator, it->ordering));
  if (it->type != CURAND_RNG_PSEUDO_MT19937)
    CHECK(curandSetGeneratorOffset(generator, it->offset));
}

static void generate(const sequence *it, int on_device, char *to) {
  curandGenerator_t generator;
  size_t size = size_of(it->number);
  char *buffer = to;
  CHECK(on_device ? curandCreateGenerator(&generator, it->type) : curandCreateGeneratorHost(&generator, it->type));
  set_up(generator, it);
  if (on_device)
    CHECK(cudaMalloc((void **)&buffer, MOST * size));
  CHECK(draw(generator, it->number, buffer, it->first));
  CHECK(draw(generator, it->number, buffer + it->first * size, it->then));
  if (on_device) {
    CHECK(cudaMemcpy(to, buffer, (it->first + it->then) * size, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(buffer));
  }
  CHECK(curandDestroyGenerator(generator));
}

/* FNV-1a. */
static unsigned long long hash_of(const char *bytes, size_t count) {
  unsigned long long hash = 14695981039346656037ull;
  for (size_t i = 0; i < count; i++)
    hash = (hash ^ (unsigned char)bytes[i]) * 1099511628211ull;
  return hash;
}

static double number_at(const sequence *it, const char *from, size_t i) {
  float narrow;
  double wide;
  memcpy(&narrow, from + 4 * i, 4);
  if (size_of(it->number) == 4)
    return narrow;
  memcpy(&wide, from + 8 * i, 8);
  return wide;
}

/* Which six. */
static size_t place_of(const sequence *it, int i) {
  return i < 4 ? (size_t)i : it->first + it->then - (i == 4 ? 2 : 1);
}

static void print_sequence(const sequence *it, const char *numbers) {
  size_t bytes = (it->first + it->then) * size_of(it->number);
  printf("{ (curandRngType_t)%d, (curandOrdering_t)%d, %lluu, %lluu, %d, %zu, %zu,\n  0x%016llxu,\n  { ",
         (int)it->type, (int)it->ordering, it->seed, it->offset, it->number, it->first, it->then,
         is_exact(it) ? hash_of(numbers, bytes) : 0);
  for (int i = 0; i < 6; i++)
    printf("%.*g%s", size_of(it->number) == 8 ? 17 : 9, is_exact(it) ? 0 : number_at(it, numbers, place_of(it, i)),
           i < 5 ? (i == 2 ? ",\n    " : ", ") : " } },\n");
}

static void check_sequence(const sequence *it, int on_device, const char *numbers) {
  size_t bytes = (it->first + it->then) * size_of(it->number);
  double tolerance = size_of(it->number) == 8 ? 1e-13 : 2e-5;
  int is_right = !is_exact(it) || hash_of(numbers, bytes) == it->hash;
  for (int i = 0; i < 6 && !is_exact(it); i++)
    if (!(fabs(number_at(it, numbers, place_of(it, i)) - it->some[i]) <= tolerance * (1 + fabs(it->some[i]))))
      is_right = 0;
  if (is_right)
    return;
  printf("%s: type %d, ordering %d, seed %llu, offset %llu, numbers of kind %d, %zu and %zu: not cuRAND's\n",
         on_device ? "device" : "host", (int)it->type, (int)it->ordering, it->seed, it->offset, it->number, it->first,
         it->then);
  failures++;
}

int main(int argc, char **argv) {
  (void)argv;
  static double numbers[MOST];
  int prints = argc > 1, on_device = argc > 2, devices = 0;
  int has_device = cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
  for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
    for (int device = prints ? on_device : 0; device <= (prints ? on_device : has_device); device++) {
      generate(&sequences[i], device, (char *)numbers);
      if (prints)
        print_sequence(&sequences[i], (const char *)numbers);
      else
        check_sequence(&sequences[i], device, (const char *)numbers);
    }
  return failures != 0;
}
