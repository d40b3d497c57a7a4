/* SPDX-License-Identifier: MIT */
/*
 * test_cuda_full - whatever is asked for on a full device gets what others can do without: what cudaFreeAsync() has
 * left in a pool, and managed memory, which has its bytes on the host too.
 *
 * The device is the fake one, with memory for 16 MiB, which is all fake devices'.
 */
#include <stdlib.h>
#include <string.h>

#include <vptr/cuda/cuda_runtime.h>

#include "device/fake.h"
#include "expect.h"

enum { MIB = 1 << 20, DEVICE_MIB = 16, MANAGED = 4 };

static const struct cudaChannelFormatDesc uint_desc = { 32, 0, 0, 0, cudaChannelFormatKindUnsigned };

static cudaStream_t stream;

static void setup(void) {
  succeed(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
}

/* The device's end is a reset's, so that whatever a test has made goes. */
static void teardown(void) {
  succeed(cudaDeviceReset());
}

/* ---- who can do without --------------------------------------------------------------------------------- */

static void leave_to_pool(int mib) {
  void *memory = NULL;
  succeed(cudaMallocAsync(&memory, (size_t)mib * MIB, stream));
  succeed(cudaMemsetAsync(memory, 7, (size_t)mib * MIB, stream));
  succeed(cudaFreeAsync(memory, stream));
}

static unsigned char *managed[MANAGED];

static void bring_managed(int mib_each) {
  size_t size = (size_t)mib_each * MIB;
  for (int i = 0; i < MANAGED; i++) {
    succeed(cudaMallocManaged((void **)&managed[i], size, cudaMemAttachGlobal));
    succeed(cudaMemset(managed[i], i + 1, size));
  }
}

static void expect_managed(int mib_each) {
  for (int i = 0; i < MANAGED; i++)
    for (size_t at = 0; at < (size_t)mib_each * MIB; at += 1000)
      support_must(managed[i][at] == i + 1);
}

/* ---- who asks ------------------------------------------------------------------------------------------- */

enum { ASKS_HEIGHT = 2048, ASKS_WIDTH = 1024 /* of four bytes: half of the device */ };

static cudaError_t ask_linear(void) {
  void *memory;
  return cudaMalloc(&memory, ASKS_WIDTH * 4 * ASKS_HEIGHT);
}

static cudaError_t ask_pitched(void) {
  void *memory;
  size_t pitch;
  return cudaMallocPitch(&memory, &pitch, ASKS_WIDTH * 4, ASKS_HEIGHT);
}

static cudaError_t ask_of_pool(void) {
  void *memory;
  return cudaMallocAsync(&memory, ASKS_WIDTH * 4 * ASKS_HEIGHT, stream);
}

static cudaError_t ask_array(void) {
  cudaArray_t array;
  return cudaMallocArray(&array, &uint_desc, ASKS_WIDTH, ASKS_HEIGHT, 0);
}

static cudaError_t ask_managed(void) {
  void *memory;
  cudaError_t error = cudaMallocManaged(&memory, ASKS_WIDTH * 4 * ASKS_HEIGHT, cudaMemAttachGlobal);
  return error == cudaSuccess ? cudaMemset(memory, 1, ASKS_WIDTH * 4 * ASKS_HEIGHT) : error;
}

/* Through a buffer, since the elements are not of one format or the rows lie apart: of 3 MiB. */
enum { STAGED_WIDTH = 1024, STAGED_HEIGHT = 768, STAGED_MIB = 3 };

static cudaArray_t staged_array;
static unsigned char *staged_rows;
static const size_t staged_row = STAGED_WIDTH * 4, staged_pitch = STAGED_WIDTH * 4 + 512;

static void make_staged(void) {
  succeed(cudaMallocArray(&staged_array, &uint_desc, STAGED_WIDTH, STAGED_HEIGHT, 0));
  staged_rows = (unsigned char *)device_memory(staged_pitch * STAGED_HEIGHT);
  succeed(cudaMemset(staged_rows, 5, staged_pitch * STAGED_HEIGHT));
}

static cudaError_t copy_rows(void) {
  return cudaMemcpy2DToArrayAsync(staged_array, 0, 0, staged_rows, staged_pitch, staged_row, STAGED_HEIGHT,
                                  cudaMemcpyDeviceToDevice, stream);
}

static cudaError_t copy_within(void) {
  return cudaMemcpy2DArrayToArray(staged_array, 0, 1, staged_array, 0, 0, staged_row, STAGED_HEIGHT - 1,
                                  cudaMemcpyDeviceToDevice);
}

/* Another format: a new image, and all elements are moved to it. */
static cudaError_t change_format(void) {
  cudaTextureObject_t texture;
  const struct cudaChannelFormatDesc byte_desc = { 8, 8, 8, 8, cudaChannelFormatKindUnsigned };
  const struct cudaTextureDesc desc = { .filterMode = cudaFilterModePoint, .readMode = cudaReadModeNormalizedFloat };
  struct cudaResourceDesc resource = { .resType = cudaResourceTypeArray };
  cudaError_t error = cudaMallocArray(&resource.res.array.array, &byte_desc, STAGED_WIDTH, STAGED_HEIGHT, 0);
  return error == cudaSuccess ? cudaCreateTextureObject(&texture, &resource, &desc, NULL) : error;
}

static cudaError_t (*const asks[])(void) = { ask_linear, ask_pitched, ask_of_pool, ask_array, ask_managed };
static cudaError_t (*const staged_asks[])(void) = { copy_rows, copy_within, change_format };
enum { ASKS = sizeof asks / sizeof *asks, STAGED_ASKS = sizeof staged_asks / sizeof *staged_asks };

/* ---- tests ---------------------------------------------------------------------------------------------- */

START_TEST(what_a_pool_has_is_given_to_who_asks) {
  leave_to_pool(13);
  succeed(asks[_i]());
}
END_TEST

START_TEST(what_a_pool_has_is_given_to_staging_buffers) {
  make_staged();
  leave_to_pool(DEVICE_MIB - 2 * STAGED_MIB - 1);
  succeed(staged_asks[_i]());
}
END_TEST

START_TEST(managed_memory_leaves_for_who_asks) {
  bring_managed(3);
  succeed(asks[_i]());
  expect_managed(3);
}
END_TEST

START_TEST(managed_memory_leaves_for_staging_buffers) {
  make_staged();
  bring_managed(2);
  succeed(staged_asks[_i]());
  expect_managed(2);
}
END_TEST

/* What nobody uses goes before what somebody does. */
START_TEST(what_a_pool_has_goes_before_managed_memory) {
  vptr__fake_counts counts;
  bring_managed(1);
  leave_to_pool(11);
  vptr__fake_get_counts(&counts);
  ck_assert_uint_eq(counts.bytes, 15 * MIB);
  succeed(asks[_i]());
  vptr__fake_get_counts(&counts);
  ck_assert_uint_eq(counts.bytes, 12 * MIB);
  expect_managed(1);
}
END_TEST

START_TEST(what_does_not_fit_is_refused_all_the_same) {
  device_memory(9 * MIB);
  expect(cudaErrorMemoryAllocation, asks[_i]());
  cudaGetLastError();
}
END_TEST

static void add_tests(TCase *full) {
  tcase_add_loop_test(full, what_a_pool_has_is_given_to_who_asks, 0, ASKS);
  tcase_add_loop_test(full, what_a_pool_has_is_given_to_staging_buffers, 0, STAGED_ASKS);
  tcase_add_loop_test(full, managed_memory_leaves_for_who_asks, 0, ASKS);
  tcase_add_loop_test(full, managed_memory_leaves_for_staging_buffers, 0, STAGED_ASKS);
  tcase_add_loop_test(full, what_a_pool_has_goes_before_managed_memory, 0, ASKS);
  tcase_add_loop_test(full, what_does_not_fit_is_refused_all_the_same, 0, ASKS);
}

int main(void) {
  Suite *suite = suite_create("cuda_full");
  TCase *full = tcase_create("a full device");
  setenv("VPTR_FAKE_BYTES", "16M", 1);
  tcase_add_checked_fixture(full, setup, teardown);
  if (!support_has_opencl())
    add_tests(full);
  suite_add_tcase(suite, full);
  return support_run(suite);
}
