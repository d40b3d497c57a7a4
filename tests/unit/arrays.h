/* SPDX-License-Identifier: MIT */
/*
 * arrays - arrays of each kind, a mipmapped one where the device tells addresses, and texture and surface objects over
 * them and over memory, with a content that is known; for tests that take them away and bring them back.
 */
#ifndef VPTR_TESTS_ARRAYS_H
#define VPTR_TESTS_ARRAYS_H

#include <stdbool.h>

#include <vptr/cuda/cuda_runtime.h>
#include <vptr/vptr.h>

enum { ARRAYS_COUNT = 7, ARRAYS_LARGE = ARRAYS_COUNT - 1, LEVELS = 4 };

/* An array as it is made; its elements are of one channel but for the last. */
typedef struct arrays_shape {
  struct cudaExtent extent;
  unsigned flags;
  int bits, channels;
} arrays_shape;

extern const arrays_shape arrays_shapes[];

/* All of them; 0: not made. Processes hand it on by host memory that is kept. */
struct arrays_all {
  cudaArray_t arrays[ARRAYS_COUNT], levels[LEVELS];
  cudaMipmappedArray_t mipmap;
  cudaTextureObject_t of_array, of_memory, of_rows, of_mipmap;
  cudaSurfaceObject_t surface;
  unsigned char *memory;
};

extern struct arrays_all arrays_all;
extern vptr_mapper *arrays_mapper; /* of the first device; the test's to set */

/* Makes all, the large array too if it is asked for; or few, for tests in which each call fails once; or one array. */
void arrays_make(bool with_large);
void arrays_make_some(void);
void arrays_make_one(int i);

/* The content that an array is made with; the numbers of arrays_shapes[] are seeds. */
void arrays_write(cudaArray_t array, const arrays_shape *of, unsigned seed);
struct cudaChannelFormatDesc arrays_format(const arrays_shape *of);

/* What was made is there, as it was; and goes: handles are none any more. */
void arrays_expect(void);
void arrays_release(void);

/* Leaves another content in memory that is free. */
void arrays_spoil(void);

#endif
