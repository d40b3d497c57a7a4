/* SPDX-License-Identifier: MIT */
/*
 * test_cuda_memory - what memory and copies of lib/cudart/cuda promise beyond CUDA: bounds that CUDA does not see, one
 * memory with vptr, faults, threads.
 *
 * What CUDA does as well is asked by the conform_*.c programs, which run on both.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cuda_runtime.h>

#include "base/memory.h"
#include "device/fake.h"
#include "expect.h"
#include "mapper/mapper.h"

/* ---- stricter than CUDA --------------------------------------------------------------------------------- */

START_TEST(sizes_that_wrap_around_are_refused) {
  char *p = device_memory(SIZE), host[8] = "";
  expect(cudaErrorInvalidValue, cudaMemset(p + 8, 0, (size_t)-4));
  expect(cudaErrorInvalidValue, cudaMemcpy(p + 8, host, (size_t)-4, cudaMemcpyHostToDevice));
  expect(cudaErrorInvalidValue, cudaMemcpy(host, p + 8, (size_t)-4, cudaMemcpyDeviceToHost));
  expect(cudaErrorInvalidValue, cudaMemcpy(host, host, SIZE_MAX, cudaMemcpyHostToHost));
  succeed(cudaFree(p));
}
END_TEST

START_TEST(freed_memory_is_never_taken_for_the_hosts) {
  char *p = device_memory(SIZE), host[SIZE] = "";
  succeed(cudaFree(p));
  for (int kind = cudaMemcpyHostToHost; kind <= cudaMemcpyDefault; kind++) {
    expect(cudaErrorInvalidValue, cudaMemcpy(host, p, SIZE, (enum cudaMemcpyKind)kind));
    expect(cudaErrorInvalidValue, cudaMemcpy(p, host, SIZE, (enum cudaMemcpyKind)kind));
  }
}
END_TEST

START_TEST(overlapping_copies_move_like_memmove) {
  char host[SIZE], model[SIZE], seen[SIZE];
  char *p = device_memory(SIZE);
  for (int i = 0; i < SIZE; i++)
    host[i] = (char)(i * 13);
  static const int moves[][3] = { { 0, 100, 300 }, { 100, 0, 300 }, { 1, 0, 999 }, { 0, 1, 999 }, { 5, 5, 50 } };
  for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
    memcpy(model, host, SIZE);
    memmove(model + moves[i][0], model + moves[i][1], (size_t)moves[i][2]);
    succeed(cudaMemcpy(p, host, SIZE, cudaMemcpyHostToDevice));
    succeed(cudaMemcpy(p + moves[i][0], p + moves[i][1], (size_t)moves[i][2], cudaMemcpyDeviceToDevice));
    succeed(cudaMemcpy(seen, p, SIZE, cudaMemcpyDeviceToHost));
    ck_assert_mem_eq(seen, model, SIZE);
  }
  succeed(cudaFree(p));
}
END_TEST

static cudaError_t copy_with(size_t to_pitch, size_t from_pitch, void *to, void *from, bool is_async) {
  struct cudaMemcpy3DParms p = { .kind = cudaMemcpyDefault };
  p.dstPtr = make_cudaPitchedPtr(to, to_pitch, 16, 2);
  p.srcPtr = make_cudaPitchedPtr(from, from_pitch, 16, 2);
  p.extent = make_cudaExtent(16, 2, 1);
  return is_async ? cudaMemcpy3DAsync(&p, NULL) : cudaMemcpy3D(&p);
}

static void refuse_pitch(char *p, char *host, size_t pitch) {
  expect(cudaErrorInvalidValue, cudaMemcpy2D(p, 16, host, pitch, 16, 2, cudaMemcpyHostToDevice));
  expect(cudaErrorInvalidValue, cudaMemcpy2D(host, pitch, p, 16, 16, 2, cudaMemcpyDeviceToHost));
  expect(cudaErrorInvalidValue, cudaMemcpy2DAsync(p, 16, host, pitch, 16, 2, cudaMemcpyHostToDevice, NULL));
  expect(cudaErrorInvalidValue, cudaMemcpy2DAsync(host, pitch, p, 16, 16, 2, cudaMemcpyDeviceToHost, NULL));
  for (int is_async = 0; is_async < 2; is_async++) {
    expect(cudaErrorInvalidValue, copy_with(16, pitch, p, host, is_async != 0));
    expect(cudaErrorInvalidValue, copy_with(pitch, 16, host, p, is_async != 0));
  }
}

/* CUDA 13 follows the pitch, and the process ends. */
START_TEST(rows_of_plain_host_memory_are_not_looked_for_beyond_the_limit) {
  int limit;
  char host[32] = "", *p = device_memory(SIZE);
  succeed(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxPitch, 0));
  refuse_pitch(p, host, (size_t)limit);
  refuse_pitch(p, host, (size_t)limit + 1);
  refuse_pitch(p, host, SIZE_MAX);
  succeed(cudaMemcpy2D(p, 16, host, SIZE_MAX, 16, 1, cudaMemcpyHostToDevice));
  succeed(cudaFree(p));
}
END_TEST

/* ---- one memory with vptr ------------------------------------------------------------------------------- */

START_TEST(cuda_memory_is_vptr_memory) {
  vptr_location location;
  size_t before = vptr_count(NULL);
  char *p = device_memory(SIZE);
  ck_assert_uint_eq(vptr_count(NULL), before + 1);
  support_succeed(vptr_resolve(NULL, p + 7, SIZE - 7, &location));
  ck_assert_uint_eq(location.size, SIZE);
  ck_assert_int_eq(location.device, 0);
  support_succeed(vptr_free(NULL, p));
  expect(cudaErrorInvalidValue, cudaFree(p));
  void *q;
  support_succeed(vptr_malloc(NULL, SIZE, &q));
  succeed(cudaMemset(q, 1, SIZE));
  succeed(cudaFree(q));
  ck_assert_uint_eq(vptr_count(NULL), before);
}
END_TEST

START_TEST(mapped_memory_is_not_freed) {
  void *host;
  char *p = device_memory(SIZE);
  support_succeed(vptr_map(NULL, p, SIZE, VPTR_ACCESS_READ_WRITE, &host));
  expect(cudaErrorAlreadyMapped, cudaFree(p));
  support_succeed(vptr_unmap(NULL, host));
  succeed(cudaFree(p));
}
END_TEST

/* More than one piece of the way through the host. */
static const size_t BETWEEN_BYTES = ((size_t)9 << 20) + 5;

START_TEST(every_mapper_is_found_by_its_addresses) {
  vptr_mapper *mapper;
  void *theirs;
  char *ours = device_memory(BETWEEN_BYTES);
  unsigned char *host = malloc(BETWEEN_BYTES), *seen = calloc(BETWEEN_BYTES, 1);
  for (size_t i = 0; i < BETWEEN_BYTES; i++)
    host[i] = (unsigned char)(i * 7 + (i >> 13));
  support_succeed(vptr_mapper_create(NULL, &mapper));
  support_succeed(vptr_malloc(mapper, BETWEEN_BYTES, &theirs));
  succeed(cudaMemcpy(theirs, host, BETWEEN_BYTES, cudaMemcpyHostToDevice));
  succeed(cudaMemcpy(ours, theirs, BETWEEN_BYTES, cudaMemcpyDeviceToDevice));
  succeed(cudaMemset(theirs, 0, BETWEEN_BYTES));
  succeed(cudaMemcpy(seen, ours, BETWEEN_BYTES, cudaMemcpyDeviceToHost));
  ck_assert_mem_eq(seen, host, BETWEEN_BYTES);
  expect(cudaErrorInvalidValue, cudaMemcpy(ours, theirs, BETWEEN_BYTES + 1, cudaMemcpyDeviceToDevice));
  succeed(cudaFree(theirs));
  ck_assert_uint_eq(vptr_count(mapper), 0);
  succeed(cudaFree(ours));
  support_succeed(vptr_mapper_destroy(mapper));
  free(host);
  free(seen);
}
END_TEST

START_TEST(the_reserve_of_the_attributes_is_not_written) {
  struct cudaPointerAttributes attributes;
  char *p = device_memory(SIZE);
  const void *asked[] = { p, p + SIZE, &attributes, NULL };
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
    memset(&attributes, 0x5a, sizeof attributes);
    succeed(cudaPointerGetAttributes(&attributes, asked[i]));
    for (size_t k = 0; k < sizeof attributes.reserved / sizeof *attributes.reserved; k++)
      ck_assert_int_eq(attributes.reserved[k], 0x5a5a5a5a5a5a5a5a);
  }
  succeed(cudaFree(p));
}
END_TEST

START_TEST(free_bytes_are_the_stats_own) {
  size_t free_bytes, total;
  vptr_stats stats = { .struct_size = sizeof stats };
  char *p = device_memory((size_t)32 << 20);
  support_succeed(vptr_get_stats(NULL, &stats));
  succeed(cudaMemGetInfo(&free_bytes, &total));
  ck_assert_uint_eq(total, stats.device_bytes);
  ck_assert_uint_eq(free_bytes, stats.device_bytes - (stats.buffer_bytes - stats.idle_bytes));
  succeed(cudaFree(p));
  size_t after;
  succeed(cudaMemGetInfo(&after, NULL));
  ck_assert_uint_ge(after, free_bytes + ((size_t)32 << 20)); /* cached or released: free it is */
}
END_TEST

__attribute__((noinline)) static void *allocate_here(void) {
  void *p = NULL;
  cudaMalloc(&p, SIZE);
  __asm__ volatile("" ::: "memory"); /* no tail call: the return address shall be in here */
  return p;
}

START_TEST(a_trace_names_the_caller_of_cudaMalloc) {
  vptr_mapper *mapper;
  vptr_location location;
  vptr_status state;
  const void *site = NULL;
  void *p = allocate_here();
  support_succeed(vptr__mapper_for_device(0, &mapper));
  ck_assert(vptr__heap_nearest(mapper->heap, p, &location, &state, &site));
  uintptr_t distance = (uintptr_t)site - (uintptr_t)allocate_here;
  ck_assert_msg(distance < 256, "made at %p, %zu bytes behind allocate_here()", site, (size_t)distance);
  succeed(cudaFree(p));
}
END_TEST

/* ---- faults --------------------------------------------------------------------------------------------- */

static void device_faults(long n) {
  vptr__fake_fail_nth(n, CL_MEM_OBJECT_ALLOCATION_FAILURE);
}

/* Allocates and uses memory of every kind of size while the n-th thing fails; whatever happens, the answer is a
 * success or out of memory, and what was there before is there after. */
static bool survives_fault(void (*arm)(long n), long n, const char *kept) {
  static const size_t sizes[] = { 1, 300, 20000, 300000, (size_t)3 << 20, (size_t)40 << 20 };
  bool failed = false;
  char seen[SIZE];
  support_succeed(vptr_trim(NULL, 0));
  arm(n);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    void *p = (void *)16;
    cudaError_t error = cudaMalloc(&p, sizes[i]);
    ck_assert(error == cudaSuccess || error == cudaErrorMemoryAllocation);
    ck_assert((error == cudaSuccess) == (p != NULL));
    failed |= error != cudaSuccess;
    if (error == cudaSuccess && cudaMemset(p, 1, sizes[i]) != cudaSuccess)
      failed = true;
    bool freed = cudaFree(p) == cudaSuccess; /* the wait before it may fail, and then nothing was freed */
    if (!freed && cudaFree(p) != cudaSuccess)
      ck_abort_msg("a fault at %ld broke cudaFree(): %s", n, vptr_last_error());
    failed |= !freed;
  }
  arm(0);
  failed |= cudaDeviceSynchronize() != cudaSuccess; /* cudaMemset() does not wait: what it met is told here */
  cudaGetLastError();
  succeed(cudaMemcpy(seen, kept, SIZE, cudaMemcpyDeviceToHost));
  for (int i = 0; i < SIZE; i++)
    ck_assert_int_eq(seen[i], 42);
  support_succeed(vptr_check(NULL));
  return failed;
}

/* Until no fault has hit for a while: the fault may come in a call that can do without. */
static void survive_every_fault(void (*arm)(long n), int least) {
  char *kept = device_memory(SIZE);
  size_t count = vptr_count(NULL);
  int hits = 0, quiet = 0;
  succeed(cudaMemset(kept, 42, SIZE));
  for (long n = 1; quiet < 30; n++) {
    bool hit = survives_fault(arm, n, kept);
    hits += hit;
    quiet = hit ? 0 : quiet + 1;
    ck_assert_uint_eq(vptr_count(NULL), count);
  }
  ck_assert_int_ge(hits, least);
  succeed(cudaFree(kept));
}

START_TEST(faults_of_the_device_break_nothing) {
  if (!support_has_opencl())
    survive_every_fault(device_faults, 1);
}
END_TEST

START_TEST(faults_of_the_host_break_nothing) {
  survive_every_fault(vptr__memory_fail_nth, 1);
}
END_TEST

START_TEST(a_copy_between_mappers_survives_a_fault) {
  vptr_mapper *mapper;
  void *theirs;
  char *ours = device_memory(SIZE);
  support_succeed(vptr_mapper_create(NULL, &mapper));
  support_succeed(vptr_malloc(mapper, SIZE, &theirs));
  succeed(cudaMemcpy(ours, theirs, SIZE, cudaMemcpyDeviceToDevice)); /* what is made once is there now */
  long live = vptr__memory_live();
  vptr__memory_fail_nth(1);
  expect(cudaErrorMemoryAllocation, cudaMemcpy(ours, theirs, SIZE, cudaMemcpyDeviceToDevice));
  vptr__memory_fail_nth(0);
  int failures = 0;
  for (long n = 1; n <= 12 && !support_has_opencl(); n++) {
    unsigned char seen[SIZE];
    support_succeed(vptr_memset(mapper, theirs, (int)n, SIZE));
    vptr__fake_fail_nth(n, CL_DEVICE_NOT_AVAILABLE);
    cudaError_t error = cudaMemcpy(ours, theirs, SIZE, cudaMemcpyDeviceToDevice);
    vptr__fake_fail_nth(0, 0);
    failures += error != cudaSuccess;
    if (error != cudaSuccess)
      expect(cudaErrorDevicesUnavailable, error);
    else /* a flush that fails is made up for by the wait */
      ck_assert_int_eq(cudaMemcpy(seen, ours, SIZE, cudaMemcpyDeviceToHost) == cudaSuccess && seen[SIZE - 1] == n, 1);
  }
  ck_assert_int_ge(failures, support_has_opencl() ? 0 : 2); /* the read and the write at least */
  ck_assert_int_eq(vptr__memory_live(), live);
  succeed(cudaMemcpy(ours, theirs, SIZE, cudaMemcpyDeviceToDevice));
  support_succeed(vptr_mapper_destroy(mapper));
  succeed(cudaFree(ours));
  cudaGetLastError();
}
END_TEST

static void sleep_a_while(void *has_begun) {
  atomic_store((atomic_bool *)has_begun, true);
  usleep(20000);
}

typedef struct batch {
  cudaStream_t stream;
  char *device, *pinned;
} batch;

static cudaError_t send_batch(const batch *it, enum cudaMemcpySrcAccessOrder order) {
  struct cudaMemcpyAttributes attributes = { .srcAccessOrder = order };
  void *to[] = { it->device, it->device + SIZE };
  const void *from[] = { it->pinned, it->pinned + SIZE };
  const size_t sizes[] = { SIZE, SIZE };
  size_t first = 0;
  return cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 1, it->stream);
}

/* How many operations there are that may fail while it is sent, without the wait. */
static long operations_of(const batch *it) {
  vptr__fake_counts before, after;
  vptr__fake_get_counts(&before);
  succeed(send_batch(it, cudaMemcpySrcAccessOrderStream));
  vptr__fake_get_counts(&after);
  return (long)(after.operations - before.operations);
}

/* The first copy is behind a function of the host's when the second one fails. Returns whether it did. */
static bool batch_fails(const batch *it, long n) {
  char seen[SIZE];
  atomic_bool has_begun = false;
  memset(it->pinned, 7, 2 * SIZE);
  succeed(cudaMemset(it->device, 0, 2 * SIZE));
  succeed(cudaDeviceSynchronize());
  succeed(cudaLaunchHostFunc(it->stream, sleep_a_while, &has_begun));
  while (!atomic_load(&has_begun))
    usleep(100);
  device_faults(n);
  cudaError_t error = send_batch(it, cudaMemcpySrcAccessOrderDuringApiCall);
  device_faults(0);
  memset(it->pinned, 9, 2 * SIZE);
  cudaStreamSynchronize(it->stream);
  cudaGetLastError();
  succeed(cudaMemcpy(seen, it->device, SIZE, cudaMemcpyDeviceToHost));
  ck_assert_int_ne(seen[0], 9);
  ck_assert_int_ne(seen[SIZE - 1], 9);
  return error != cudaSuccess;
}

START_TEST(a_batch_that_fails_has_read_what_it_was_to_read) {
  batch it = { .device = device_memory(2 * SIZE) };
  int failures = 0;
  succeed(cudaMallocHost((void **)&it.pinned, 2 * SIZE));
  succeed(cudaStreamCreate(&it.stream));
  succeed(send_batch(&it, cudaMemcpySrcAccessOrderStream));
  succeed(cudaStreamSynchronize(it.stream));
  const long most = support_has_opencl() ? 0 : operations_of(&it);
  /* The last is the wait. On a slow machine the function has its end meanwhile, and takes the fault. */
  for (long n = 1; n <= most + (most > 0); n++)
    failures += batch_fails(&it, n) || batch_fails(&it, n) || batch_fails(&it, n);
  ck_assert_int_ge(failures, support_has_opencl() ? 0 : 2);
  succeed(cudaStreamDestroy(it.stream));
  succeed(cudaFreeHost(it.pinned));
  succeed(cudaFree(it.device));
}
END_TEST

/* ---- threads -------------------------------------------------------------------------------------------- */

enum { THREADS = 8, ROUNDS = 300 };

/* Memory, contents and last error are each thread's own. Returns how many answers were wrong. */
static size_t work(unsigned number) {
  size_t wrong = 0;
  uint64_t random = number;
  unsigned char host[3000];
  for (int round = 0; round < ROUNDS; round++) {
    size_t size = 1 + support_random(&random) % sizeof host;
    void *p = NULL;
    struct cudaPointerAttributes attributes;
    wrong += cudaMalloc(&p, size) != cudaSuccess;
    wrong += cudaMemset(p, (int)number, size) != cudaSuccess;
    wrong += cudaMemcpy(host, p, size, cudaMemcpyDeviceToHost) != cudaSuccess;
    wrong += host[0] != number || host[size - 1] != number;
    wrong += cudaPointerGetAttributes(&attributes, p) != cudaSuccess || attributes.type != cudaMemoryTypeDevice;
    wrong += cudaGetLastError() != cudaSuccess;
    wrong += (number % 2 != 0 ? cudaSetDevice(-1) : cudaMalloc(NULL, 1)) == cudaSuccess;
    wrong += cudaGetLastError() != (number % 2 != 0 ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    wrong += cudaFree(p) != cudaSuccess;
  }
  return wrong;
}

static void *thread_main(void *argument) {
  return (void *)work((unsigned)(uintptr_t)argument);
}

START_TEST(threads_do_not_disturb_each_other) {
  pthread_t threads[THREADS];
  size_t count = vptr_count(NULL);
  for (uintptr_t i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, thread_main, (void *)(i + 1)), 0);
  for (int i = 0; i < THREADS; i++) {
    void *wrong;
    pthread_join(threads[i], &wrong);
    ck_assert_ptr_null(wrong);
  }
  ck_assert_uint_eq(vptr_count(NULL), count);
  support_succeed(vptr_check(NULL));
}
END_TEST

static Suite *cuda_memory_suite(void) {
  Suite *suite = suite_create("cuda_memory");
  TCase *strict = tcase_create("stricter than CUDA");
  tcase_add_test(strict, sizes_that_wrap_around_are_refused);
  tcase_add_test(strict, freed_memory_is_never_taken_for_the_hosts);
  tcase_add_test(strict, overlapping_copies_move_like_memmove);
  tcase_add_test(strict, rows_of_plain_host_memory_are_not_looked_for_beyond_the_limit);
  suite_add_tcase(suite, strict);
  TCase *shared = tcase_create("one memory with vptr");
  tcase_add_test(shared, cuda_memory_is_vptr_memory);
  tcase_add_test(shared, mapped_memory_is_not_freed);
  tcase_add_test(shared, every_mapper_is_found_by_its_addresses);
  tcase_add_test(shared, the_reserve_of_the_attributes_is_not_written);
  tcase_add_test(shared, free_bytes_are_the_stats_own);
  tcase_add_test(shared, a_trace_names_the_caller_of_cudaMalloc);
  suite_add_tcase(suite, shared);
  TCase *faults = tcase_create("faults");
  tcase_add_test(faults, faults_of_the_device_break_nothing);
  tcase_add_test(faults, faults_of_the_host_break_nothing);
  tcase_add_test(faults, a_copy_between_mappers_survives_a_fault);
  tcase_add_test(faults, a_batch_that_fails_has_read_what_it_was_to_read);
  suite_add_tcase(suite, faults);
  TCase *threads = tcase_create("threads");
  tcase_add_test(threads, threads_do_not_disturb_each_other);
  suite_add_tcase(suite, threads);
  return suite;
}

/* The trace is decided when a mapper is made, so before the first test. */
int main(void) {
  setenv("VPTR_TRACE_ALLOC", "1", 1);
  return support_run(cuda_memory_suite());
}
