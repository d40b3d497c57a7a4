/* SPDX-License-Identifier: MIT */
/*
 * test_cuda_bounds - what a copy, a set or a launch may not reach: behind the end of pinned and managed memory, and
 * memory of either kind that was freed.
 *
 * The kinds are alike here, whether managed memory lies in place or is kept by page faults. CUDA lets some of these
 * pass, or dies of them; here each is refused, with words, and changes no byte.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vptr/cuda/cuda_runtime.h>
#include <vptr/vptr_usm.h>

#include "managed.h"
#include "mapper/mapper.h"
#include "pinned/pinned.h"

enum { BYTES = 4000, TWICE = 2 * BYTES, LARGE = 3 << 20, KINDS = 5 };

typedef struct kind {
  const char *name;
  size_t size;
  bool is_managed;
} kind;

static const kind kinds[KINDS] = { { "small managed", BYTES, true },
                                   { "small pinned", BYTES, false },
                                   { "pinned among smaller", 300001, false },
                                   { "large managed", LARGE + 5, true },
                                   { "large pinned", LARGE + 5, false } };

static unsigned char *plain; /* the program's own, large enough for all */

static unsigned char *memory_of(const kind *it) {
  void *p = NULL;
  succeed(it->is_managed ? cudaMallocManaged(&p, it->size, cudaMemAttachGlobal) : cudaMallocHost(&p, it->size));
  return p;
}

static void free_memory(const kind *it, void *p) {
  succeed(it->is_managed ? cudaFree(p) : cudaFreeHost(p));
}

static void setup(void) {
  managed_setup();
  plain = calloc(1, 2 * LARGE);
  ck_assert_ptr_nonnull(plain);
  vptr_usm_kind(
      NULL, plain); /* a driver maps something when it is asked for the first time, maybe where memory was freed */
}

static void teardown(void) {
  free(plain);
  managed_teardown();
}

static void expect_words(const char *word) {
  if (strstr(vptr_last_error(), word) == NULL)
    ck_abort_msg("no \"%s\" in: %s", word, vptr_last_error());
}

#define refused(word, call)                                                                                          \
  do {                                                                                                               \
    expect(cudaErrorInvalidValue, call);                                                                             \
    expect_words(word);                                                                                              \
  } while (0)

/* ---- all the calls -------------------------------------------------------------------------------------- */

/* Each copy into size bytes at p, and out of them; none is to happen. */
static void refuse_lines(const char *word, unsigned char *p, size_t size, unsigned char *device) {
  for (int turn = 0; turn < 2; turn++) {
    unsigned char *other = turn == 0 ? plain : device;
    refused(word, cudaMemcpy(p, other, size, cudaMemcpyDefault));
    refused(word, cudaMemcpy(other, p, size, cudaMemcpyDefault));
    refused(word, cudaMemcpyAsync(p, other, size, cudaMemcpyDefault, NULL));
    refused(word, cudaMemcpyAsync(other, p, size, cudaMemcpyDefault, NULL));
  }
  refused(word, cudaMemcpy(p, plain, size, cudaMemcpyHostToHost));
  refused(word, cudaMemcpy(plain, p, size, cudaMemcpyHostToHost));
  refused(word, cudaMemcpy(p, plain, size, cudaMemcpyHostToDevice));
  refused(word, cudaMemcpy(plain, p, size, cudaMemcpyDeviceToHost));
  refused(word, cudaMemcpy(p, device, size, cudaMemcpyDeviceToHost));
  refused(word, cudaMemcpy(device, p, size, cudaMemcpyHostToDevice));
  refused(word, cudaMemcpy(p, device, size, cudaMemcpyDeviceToDevice));
  refused(word, cudaMemcpy(device, p, size, cudaMemcpyDeviceToDevice));
  refused(word, cudaMemset(p, 1, size));
  refused(word, cudaMemsetAsync(p, 1, size, NULL));
}

/* Likewise rows: together they reach over size bytes and less. */
static void refuse_rects(const char *word, unsigned char *p, size_t size, unsigned char *device) {
  const size_t rows = 10, width = 16, pitch = (size - width) / (rows - 1);
  for (int turn = 0; turn < 2; turn++) {
    unsigned char *other = turn == 0 ? plain : device;
    struct cudaMemcpy3DParms rect = { .kind = cudaMemcpyDefault, .extent = make_cudaExtent(width, rows, 1) };
    refused(word, cudaMemcpy2D(p, pitch, other, width, width, rows, cudaMemcpyDefault));
    refused(word, cudaMemcpy2D(other, width, p, pitch, width, rows, cudaMemcpyDefault));
    refused(word, cudaMemcpy2DAsync(p, pitch, other, width, width, rows, cudaMemcpyDefault, NULL));
    refused(word, cudaMemcpy2DAsync(other, width, p, pitch, width, rows, cudaMemcpyDefault, NULL));
    rect.dstPtr = make_cudaPitchedPtr(p, pitch, width, rows);
    rect.srcPtr = make_cudaPitchedPtr(other, width, width, rows);
    refused(word, cudaMemcpy3D(&rect));
    refused(word, cudaMemcpy3DAsync(&rect, NULL));
    rect.srcPtr = make_cudaPitchedPtr(p, pitch, width, rows);
    rect.dstPtr = make_cudaPitchedPtr(other, width, width, rows);
    refused(word, cudaMemcpy3D(&rect));
    refused(word, cudaMemcpy3DAsync(&rect, NULL));
  }
  refused(word, cudaMemset2D(p, pitch, 1, width, rows));
  refused(word, cudaMemset2DAsync(p, pitch, 1, width, rows, NULL));
  refused(word, cudaMemset3D(make_cudaPitchedPtr(p, pitch, width, rows), 1, make_cudaExtent(width, rows, 1)));
}

static void refuse_calls_of_vptr(vptr_status status, unsigned char *p, size_t size, unsigned char *device) {
  for (int turn = 0; turn < 2; turn++) {
    unsigned char *other = turn == 0 ? plain : device;
    support_expect(status, vptr_memcpy(NULL, p, other, size));
    support_expect(status, vptr_memcpy(NULL, other, p, size));
    support_expect(status, vptr_usm_memcpy(NULL, p, other, size));
    support_expect(status, vptr_usm_memcpy(NULL, other, p, size));
  }
  support_expect(status, vptr_fill(NULL, device, p, size, 1));
  support_expect(status, vptr_usm_fill(NULL, device, p, size, 1));
  support_expect(status, vptr_usm_memset(NULL, p, 1, size));
  support_expect(status, vptr_usm_fill(NULL, p, "ab", 2, (size + 1) / 2));
}

static unsigned char *device_bytes(void) {
  return (unsigned char *)device_memory(2 * LARGE);
}

/* ---- behind the end ------------------------------------------------------------------------------------- */

static bool all_are(const unsigned char *p, size_t size, unsigned char value) {
  for (size_t i = 0; i < size; i++)
    if (p[i] != value)
      return false;
  return true;
}

/* Two neighbours, so that what overruns the one hits the other, or a third. */
START_TEST(nothing_reaches_behind_the_end) {
  const kind *it = &kinds[_i];
  unsigned char *both[2] = { memory_of(it), memory_of(it) }, *device = device_bytes();
  memset(plain, 9, 2 * LARGE);
  succeed(cudaMemset(device, 9, 2 * LARGE));
  for (int i = 0; i < 2; i++)
    memset(both[i], 5, it->size);
  for (int i = 0; i < 2; i++) {
    refuse_lines(" bytes", both[i] + it->size - 1, 2, device);
    refuse_lines(" bytes", both[i], it->size + 1, device);
    refuse_lines(" bytes", both[i] + 3, it->size + TWICE - 3, device);
    refuse_rects(" bytes", both[i], it->size + 40, device);
    refuse_calls_of_vptr(VPTR_ERROR_OUT_OF_BOUNDS, both[i], it->size + 1, device);
    refuse_calls_of_vptr(VPTR_ERROR_OUT_OF_BOUNDS, both[i] + 8, it->size, device);
    support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr_usm_memset(NULL, both[i] + 300, 1, SIZE_MAX - 200));
  }
  for (int i = 0; i < 2; i++)
    ck_assert(all_are(both[i], it->size, 5));
  ck_assert(all_are(plain, 2 * LARGE, 9));
  for (int i = 0; i < 2; i++)
    free_memory(it, both[i]);
  succeed(cudaFree(device));
}
END_TEST

/* What fits to the byte is done. */
START_TEST(all_of_it_may_be_copied) {
  const kind *it = &kinds[_i];
  unsigned char *p = memory_of(it), *device = device_bytes(), *host = malloc(it->size);
  ck_assert_ptr_nonnull(host);
  succeed(cudaMemset(device, 7, it->size));
  succeed(cudaMemcpy(p, device, it->size, cudaMemcpyDefault));
  succeed(cudaMemcpy(host, p, it->size, cudaMemcpyDefault));
  ck_assert(all_are(host, it->size, 7));
  memset(host, 3, it->size);
  succeed(cudaMemcpy(p, host, it->size, cudaMemcpyHostToHost));
  support_succeed(vptr_memcpy(NULL, host, p + it->size - 1, 1));
  support_succeed(vptr_memcpy(NULL, device, p, it->size));
  succeed(cudaMemcpy(p + it->size - 1, device + 1, 1, cudaMemcpyDefault));
  succeed(cudaMemset(p + it->size - 1, 3, 1));
  succeed(cudaDeviceSynchronize());
  ck_assert(all_are(p, it->size, 3));
  free(host);
  free_memory(it, p);
  succeed(cudaFree(device));
}
END_TEST

/* ---- freed ---------------------------------------------------------------------------------------------- */

/* A sanitizer maps memory of its own at any time, maybe where some was given back: that is the program's then. */
static bool may_be_taken(const kind *it) {
  return SUPPORT_IS_SANITIZED && (it->is_managed || it->size > LARGE);
}

START_TEST(nothing_reaches_what_was_freed) {
  const kind *it = &kinds[_i];
  if (may_be_taken(it))
    return;
  unsigned char *p = memory_of(it), *device = device_bytes();
  memset(p, 5, it->size);
  free_memory(it, p);
  refuse_lines("freed", p, 8, device);
  refuse_lines("freed", p + it->size / 2, it->size / 2, device);
  refuse_rects("freed", p, it->size, device);
  refuse_calls_of_vptr(VPTR_ERROR_FREED, p + 100, 100, device);
  support_expect(VPTR_ERROR_FREED, vptr_memset(NULL, p, 1, 8));
  support_expect(VPTR_ERROR_FREED, vptr_fill(NULL, p, "ab", 2, 4));
  succeed(cudaFree(device));
}
END_TEST

/* The kernel has run before: a driver that builds one maps memory, maybe where some was freed. */
START_TEST(no_kernel_gets_what_was_freed) {
  const kind *it = &kinds[_i];
  if (may_be_taken(it))
    return;
  unsigned char *p = memory_of(it);
  succeed(managed_run_add((int *)(void *)p, 1, 1, NULL));
  succeed(cudaDeviceSynchronize());
  free_memory(it, p);
  refused("freed", managed_run_add((int *)(void *)p, 1, 1, NULL));
  refused("freed", managed_run_add((int *)(void *)(p + 40), 1, 1, NULL));
}
END_TEST

/* Where the system has the pages back, too. */
START_TEST(large_memory_is_remembered_when_it_is_given_back) {
  const kind *it = &kinds[_i];
  if (SUPPORT_IS_SANITIZED)
    return;
  unsigned char *p = memory_of(it), *device = device_bytes();
  vptr_mapper *mapper;
  free_memory(it, p);
  support_succeed(vptr__mapper_for_device(0, &mapper));
  vptr__pinned_trim(mapper, 0);
  refuse_lines("freed", p, 8, device);
  refuse_calls_of_vptr(VPTR_ERROR_FREED, p + 100, 100, device);
  succeed(cudaFree(device));
}
END_TEST

/* ---- in front of device memory -------------------------------------------------------------------------- */

START_TEST(nothing_lies_in_front_of_the_first_device_address) {
  vptr_mapper *mapper;
  unsigned char *device = device_bytes(), host[8] = "";
  support_succeed(vptr__mapper_for_device(0, &mapper));
  unsigned char *base = (unsigned char *)vptr__heap_directory(mapper->heap)->base;
  for (int kind = cudaMemcpyHostToHost; kind <= cudaMemcpyDefault; kind++) {
    expect(cudaErrorInvalidValue, cudaMemcpy(base - 1, host, 1, (enum cudaMemcpyKind)kind));
    expect(cudaErrorInvalidValue, cudaMemcpy(host, base - 8, 8, (enum cudaMemcpyKind)kind));
    expect(cudaErrorInvalidValue, cudaMemcpy(base - 4, device, 4, (enum cudaMemcpyKind)kind));
    expect(cudaErrorInvalidValue, cudaMemcpyAsync(base - 4, device, 4, (enum cudaMemcpyKind)kind, NULL));
  }
  succeed(cudaFree(device));
}
END_TEST

static Suite *bounds_suite(void) {
  Suite *suite = suite_create("cuda_bounds");
  TCase *bounds = tcase_create("bounds");
  tcase_add_checked_fixture(bounds, setup, teardown);
  tcase_add_loop_test(bounds, all_of_it_may_be_copied, 0, KINDS);
  tcase_add_loop_test(bounds, nothing_reaches_behind_the_end, 0, KINDS);
  tcase_add_loop_test(bounds, nothing_reaches_what_was_freed, 0, KINDS);
  tcase_add_loop_test(bounds, no_kernel_gets_what_was_freed, 0, KINDS);
  tcase_add_loop_test(bounds, large_memory_is_remembered_when_it_is_given_back, 2, KINDS);
  tcase_add_test(bounds, nothing_lies_in_front_of_the_first_device_address);
  suite_add_tcase(suite, bounds);
  return suite;
}

int main(void) {
  alarm(300);
  return support_run(bounds_suite());
}
