/* SPDX-License-Identifier: MIT */
/* conform_advice - prefetches of managed memory, advice about it, and what is told of both. */
#include "conform.h"

#include <stdint.h>
#include <string.h>

enum { PAGE = 4096, SIZE = 1 << 20, DEVICE = 0, HOST = cudaCpuDeviceId, NONE = cudaInvalidDeviceId, UNTOUCHED = 77 };

static char *memory; /* SIZE bytes, at a page's beginning; each test begins with new ones */
static cudaStream_t stream;
static int count;

static struct cudaMemLocation at(int type, int id) {
  struct cudaMemLocation location = { (enum cudaMemLocationType)type, id };
  return location;
}

static struct cudaMemLocation device(int id) {
  return at(cudaMemLocationTypeDevice, id);
}

static struct cudaMemLocation host(void) {
  return at(cudaMemLocationTypeHost, 0);
}

static cudaError_t ask(int *answer, int attribute, const void *ptr, size_t size) {
  return cudaMemRangeGetAttribute(answer, sizeof *answer, (enum cudaMemRangeAttribute)attribute, ptr, size);
}

static int told(int attribute, const void *ptr, size_t size) {
  int answer = UNTOUCHED;
  conform_succeed(ask(&answer, attribute, ptr, size));
  return answer;
}

/* The place that is told, by all three attributes that tell it. */
static int place(enum cudaMemRangeAttribute old, enum cudaMemRangeAttribute type, enum cudaMemRangeAttribute id,
                 const void *ptr, size_t size) {
  static const int types[] = { cudaMemLocationTypeInvalid, cudaMemLocationTypeHost, cudaMemLocationTypeDevice };
  int answer = told(old, ptr, size);
  conform_true(answer >= NONE && answer < count);
  conform_true(told(type, ptr, size) == types[answer < 0 ? answer - NONE : 2]);
  conform_true(told(id, ptr, size) == answer);
  return answer;
}

static int preferred(const void *ptr, size_t size) {
  return place(cudaMemRangeAttributePreferredLocation, cudaMemRangeAttributePreferredLocationType,
               cudaMemRangeAttributePreferredLocationId, ptr, size);
}

static int prefetched(const void *ptr, size_t size) {
  return place(cudaMemRangeAttributeLastPrefetchLocation, cudaMemRangeAttributeLastPrefetchLocationType,
               cudaMemRangeAttributeLastPrefetchLocationId, ptr, size);
}

static int is_read_mostly(const void *ptr, size_t size) {
  return told(cudaMemRangeAttributeReadMostly, ptr, size);
}

/* Whether a, b and then nobody are told to access it. */
static int accessed(const void *ptr, size_t size, int a, int b) {
  int answers[4] = { UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED };
  conform_succeed(cudaMemRangeGetAttribute(answers, 3 * sizeof(int), cudaMemRangeAttributeAccessedBy, ptr, size));
  return answers[0] == a && answers[1] == b && answers[2] == NONE && answers[3] == UNTOUCHED;
}

/* ---- prefetches ----------------------------------------------------------------------------------------- */

static void nothing_is_told_at_first(void) {
  conform_true(is_read_mostly(memory, SIZE) == 0);
  conform_true(preferred(memory, SIZE) == NONE);
  conform_true(prefetched(memory, SIZE) == NONE);
  conform_true(accessed(memory, SIZE, NONE, NONE));
}

static void the_last_prefetch_is_told(void) {
  conform_succeed(cudaMemPrefetchAsync(memory, SIZE, device(DEVICE), 0, 0));
  conform_true(prefetched(memory, SIZE) == DEVICE);
  conform_succeed(cudaMemPrefetchAsync(memory, PAGE, host(), 0, stream));
  conform_true(prefetched(memory, PAGE) == HOST);
  conform_true(prefetched(memory + PAGE, SIZE - PAGE) == DEVICE);
  conform_true(prefetched(memory, SIZE) == NONE);
  conform_succeed(cudaMemPrefetchAsync(memory, SIZE, host(), 0, cudaStreamPerThread));
  conform_true(prefetched(memory, SIZE) == HOST);
  conform_succeed(cudaMemPrefetchAsync(memory, SIZE, device(count - 1), 0, cudaStreamLegacy));
  conform_true(prefetched(memory, SIZE) == count - 1);
  conform_succeed(cudaDeviceSynchronize());
  conform_true(prefetched(memory, SIZE) == count - 1);
}

static void a_prefetch_is_of_whole_pages(void) {
  conform_succeed(cudaMemPrefetchAsync(memory + 100, 10, device(DEVICE), 0, stream));
  conform_true(prefetched(memory, PAGE) == DEVICE);
  conform_true(prefetched(memory + 50, 4) == DEVICE);
  conform_true(prefetched(memory + PAGE, PAGE) == NONE);
  conform_succeed(cudaMemPrefetchAsync(memory + 2 * PAGE - 1, 2, host(), 0, stream));
  conform_true(prefetched(memory + PAGE, 2 * PAGE) == HOST);
  conform_true(prefetched(memory + 3 * PAGE - 1, 1) == HOST);
  conform_true(prefetched(memory + 3 * PAGE, 1) == NONE);
  conform_true(prefetched(memory + PAGE - 1, 2) == NONE);
}

static void the_host_keeps_what_it_wrote(void) {
  for (int i = 0; i < SIZE; i++)
    memory[i] = (char)(i * 7);
  for (int round = 0; round < 2; round++) {
    int same = 1;
    conform_succeed(cudaMemPrefetchAsync(memory, SIZE, round == 0 ? device(DEVICE) : host(), 0, stream));
    conform_succeed(cudaStreamSynchronize(stream));
    for (int i = 0; i < SIZE; i++)
      same = same && memory[i] == (char)(i * 7);
    conform_true(same);
  }
}

/* Between two settings on a stream, it changes neither. */
static void a_prefetch_is_work_of_its_stream(void) {
  conform_succeed(cudaMemsetAsync(memory, 1, SIZE, stream));
  conform_succeed(cudaMemPrefetchAsync(memory, SIZE, host(), 0, stream));
  conform_succeed(cudaMemsetAsync(memory, 2, SIZE / 2, stream));
  conform_succeed(cudaMemPrefetchAsync(memory, SIZE / 2, device(DEVICE), 0, stream));
  conform_succeed(cudaStreamSynchronize(stream));
  conform_true(memory[0] == 2 && memory[SIZE / 2 - 1] == 2 && memory[SIZE / 2] == 1 && memory[SIZE - 1] == 1);
}

static void prefetches_are_refused(void) {
  conform_expect(cudaErrorInvalidDevice, cudaMemPrefetchAsync(memory, PAGE, device(count), 0, 0));
  conform_expect(cudaErrorInvalidDevice, cudaMemPrefetchAsync(memory, PAGE, device(-1), 0, 0));
  conform_expect(cudaErrorInvalidDevice, cudaMemPrefetchAsync(memory, PAGE, device(-2), 0, 0));
  conform_expect(cudaErrorInvalidValue, cudaMemPrefetchAsync(memory, PAGE, at(0, 0), 0, 0));
  conform_expect(cudaErrorInvalidValue, cudaMemPrefetchAsync(memory, PAGE, at(7, 0), 0, 0));
  conform_expect(cudaErrorInvalidValue, cudaMemPrefetchAsync(memory, PAGE, device(DEVICE), 1, 0));
  conform_expect(cudaErrorInvalidValue, cudaMemPrefetchAsync(memory, PAGE, device(count), 1, 0));
  conform_expect(cudaErrorInvalidValue, cudaMemPrefetchAsync(memory, 0, device(DEVICE), 0, 0));
  conform_expect(cudaErrorInvalidValue, cudaMemPrefetchAsync(memory, 0, device(count), 0, 0));
  conform_expect(cudaErrorInvalidValue, cudaMemPrefetchAsync(NULL, PAGE, device(DEVICE), 0, 0));
  conform_expect(cudaErrorInvalidValue, cudaMemPrefetchAsync(NULL, PAGE, device(count), 0, 0));
  conform_expect(cudaErrorInvalidValue, cudaMemPrefetchAsync(memory, SIZE + 1, device(DEVICE), 0, 0));
  conform_expect(cudaErrorInvalidValue, cudaMemPrefetchAsync(memory + SIZE - 1, 2, device(DEVICE), 0, 0));
  conform_true(prefetched(memory, SIZE) == NONE);
}

static void nodes_of_the_host_are_places(void) {
  conform_succeed(cudaMemPrefetchAsync(memory, PAGE, at(cudaMemLocationTypeHost, 55), 0, 0));
  conform_true(prefetched(memory, PAGE) == HOST);
  conform_succeed(cudaMemPrefetchAsync(memory, PAGE, at(cudaMemLocationTypeHostNuma, 0), 0, 0));
  conform_true(told(cudaMemRangeAttributeLastPrefetchLocation, memory, PAGE) == HOST);
  conform_true(told(cudaMemRangeAttributeLastPrefetchLocationType, memory, PAGE) == cudaMemLocationTypeHostNuma);
  conform_true(told(cudaMemRangeAttributeLastPrefetchLocationId, memory, PAGE) == 0);
  conform_expect(cudaErrorInvalidValue,
                 cudaMemPrefetchAsync(memory, PAGE, at(cudaMemLocationTypeHostNuma, 9999), 0, 0));
  conform_expect(cudaErrorInvalidValue,
                 cudaMemPrefetchAsync(memory, PAGE, at(cudaMemLocationTypeHostNuma, -1), 0, 0));
  conform_succeed(cudaMemPrefetchAsync(memory, PAGE, at(cudaMemLocationTypeHostNumaCurrent, 0), 0, 0));
  conform_true(told(cudaMemRangeAttributeLastPrefetchLocation, memory, PAGE) == HOST);
  conform_true(told(cudaMemRangeAttributeLastPrefetchLocationType, memory, PAGE) ==
               cudaMemLocationTypeHostNumaCurrent);
  printf("observed: the id of the current node is told as %d\n",
         told(cudaMemRangeAttributeLastPrefetchLocationId, memory, PAGE));
  conform_succeed(cudaMemAdvise(memory, PAGE, cudaMemAdviseSetPreferredLocation, at(cudaMemLocationTypeHostNuma, 0)));
  printf("observed: a preferred node is told as type %d\n",
         told(cudaMemRangeAttributePreferredLocationType, memory, PAGE));
}

/* ---- advice --------------------------------------------------------------------------------------------- */

static void what_is_mostly_read_is_told(void) {
  conform_succeed(cudaMemAdvise(memory + PAGE - 6, 12, cudaMemAdviseSetReadMostly, device(DEVICE)));
  conform_true(is_read_mostly(memory, 2 * PAGE) == 1);
  conform_true(is_read_mostly(memory, 2 * PAGE + 1) == 0);
  conform_succeed(cudaMemAdvise(memory + 100, 10, cudaMemAdviseUnsetReadMostly, device(DEVICE)));
  conform_true(is_read_mostly(memory, PAGE) == 0);
  conform_true(is_read_mostly(memory + PAGE, PAGE) == 1);
  conform_succeed(cudaMemAdvise(memory, SIZE, cudaMemAdviseSetReadMostly, device(99)));
  conform_true(is_read_mostly(memory, SIZE) == 1);
  conform_expect(cudaErrorInvalidValue, cudaMemAdvise(memory, SIZE, cudaMemAdviseUnsetReadMostly, at(0, 0)));
  conform_expect(cudaErrorInvalidValue, cudaMemAdvise(memory, SIZE, cudaMemAdviseUnsetReadMostly, at(5, 0)));
  conform_true(is_read_mostly(memory, SIZE) == 1);
}

static void what_is_preferred_is_told(void) {
  conform_succeed(cudaMemAdvise(memory, PAGE, cudaMemAdviseSetPreferredLocation, device(DEVICE)));
  conform_true(preferred(memory, PAGE) == DEVICE);
  conform_true(preferred(memory, 2 * PAGE) == NONE);
  conform_succeed(cudaMemAdvise(memory + PAGE, PAGE, cudaMemAdviseSetPreferredLocation, host()));
  conform_true(preferred(memory + PAGE, PAGE) == HOST);
  conform_true(preferred(memory, 2 * PAGE) == NONE);
  conform_succeed(cudaMemAdvise(memory, PAGE, cudaMemAdviseSetPreferredLocation, at(cudaMemLocationTypeHost, 99)));
  conform_true(preferred(memory, 2 * PAGE) == HOST);
  conform_expect(cudaErrorInvalidValue,
                 cudaMemAdvise(memory, PAGE, cudaMemAdviseSetPreferredLocation, device(count)));
  conform_expect(cudaErrorInvalidValue, cudaMemAdvise(memory, PAGE, cudaMemAdviseSetPreferredLocation, device(-1)));
  conform_expect(cudaErrorInvalidValue, cudaMemAdvise(memory, PAGE, cudaMemAdviseSetPreferredLocation, at(0, 0)));
  conform_expect(cudaErrorInvalidValue, cudaMemAdvise(memory, PAGE, cudaMemAdviseSetPreferredLocation, at(9, 0)));
  conform_true(preferred(memory, 2 * PAGE) == HOST);
  conform_expect(cudaErrorInvalidValue, cudaMemAdvise(memory, PAGE, cudaMemAdviseUnsetPreferredLocation, at(9, 0)));
  conform_succeed(cudaMemAdvise(memory, PAGE, cudaMemAdviseUnsetPreferredLocation, device(99)));
  conform_true(preferred(memory, PAGE) == NONE && preferred(memory + PAGE, PAGE) == HOST);
}

static void who_accesses_it_is_told(void) {
  int first = UNTOUCHED;
  conform_succeed(cudaMemAdvise(memory, PAGE, cudaMemAdviseSetAccessedBy, host()));
  conform_true(accessed(memory, PAGE, HOST, NONE));
  conform_succeed(cudaMemAdvise(memory, 2 * PAGE, cudaMemAdviseSetAccessedBy, device(DEVICE)));
  conform_true(accessed(memory, PAGE, DEVICE, HOST));
  conform_true(accessed(memory, 2 * PAGE, DEVICE, NONE));
  conform_true(accessed(memory, 4 * PAGE, NONE, NONE));
  conform_succeed(ask(&first, cudaMemRangeAttributeAccessedBy, memory, PAGE));
  conform_true(first == DEVICE);
  conform_expect(cudaErrorInvalidValue, cudaMemAdvise(memory, PAGE, cudaMemAdviseSetAccessedBy, device(count)));
  conform_expect(cudaErrorInvalidValue, cudaMemAdvise(memory, PAGE, cudaMemAdviseSetAccessedBy, device(-1)));
  conform_expect(cudaErrorInvalidValue, cudaMemAdvise(memory, PAGE, cudaMemAdviseUnsetAccessedBy, device(count)));
  conform_expect(cudaErrorInvalidValue, cudaMemAdvise(memory, PAGE, cudaMemAdviseUnsetAccessedBy, at(0, 0)));
  for (int type = cudaMemLocationTypeHostNuma; type <= cudaMemLocationTypeHostNumaCurrent; type++) {
    conform_expect(cudaErrorInvalidValue, cudaMemAdvise(memory, PAGE, cudaMemAdviseSetAccessedBy, at(type, 0)));
    conform_expect(cudaErrorInvalidValue, cudaMemAdvise(memory, PAGE, cudaMemAdviseUnsetAccessedBy, at(type, 0)));
  }
  conform_succeed(cudaMemAdvise(memory, PAGE, cudaMemAdviseUnsetAccessedBy, device(DEVICE)));
  conform_true(accessed(memory, PAGE, HOST, NONE));
  conform_succeed(cudaMemAdvise(memory, PAGE, cudaMemAdviseUnsetAccessedBy, host()));
  conform_true(accessed(memory, PAGE, NONE, NONE));
  if (count < 2)
    return;
  conform_succeed(cudaMemAdvise(memory, SIZE, cudaMemAdviseSetAccessedBy, device(1)));
  conform_succeed(cudaMemAdvise(memory, SIZE, cudaMemAdviseSetAccessedBy, device(DEVICE)));
  conform_true(accessed(memory, SIZE, DEVICE, 1));
}

static void advice_is_refused(void) {
  conform_expect(cudaErrorInvalidValue, cudaMemAdvise(memory, PAGE, (enum cudaMemoryAdvise)0, device(DEVICE)));
  conform_expect(cudaErrorInvalidValue, cudaMemAdvise(memory, PAGE, (enum cudaMemoryAdvise)7, device(DEVICE)));
  conform_expect(cudaErrorInvalidValue, cudaMemAdvise(memory, 0, cudaMemAdviseSetReadMostly, device(DEVICE)));
  conform_expect(cudaErrorInvalidValue, cudaMemAdvise(NULL, PAGE, cudaMemAdviseSetReadMostly, device(DEVICE)));
  conform_expect(cudaErrorInvalidValue, cudaMemAdvise(memory, SIZE + 1, cudaMemAdviseSetReadMostly, device(DEVICE)));
  conform_true(is_read_mostly(memory, SIZE) == 0);
}

/* ---- questions ------------------------------------------------------------------------------------------ */

static void questions_are_refused(void) {
  static const size_t wrong[] = { 0, 3, 8 };
  int answer = UNTOUCHED;
  for (int i = 0; i < 8 * 3; i++)
    if (i / 3 + 1 != cudaMemRangeAttributeAccessedBy)
      conform_expect(
          cudaErrorInvalidValue,
          cudaMemRangeGetAttribute(&answer, wrong[i % 3], (enum cudaMemRangeAttribute)(i / 3 + 1), memory, PAGE));
  conform_expect(cudaErrorInvalidValue,
                 cudaMemRangeGetAttribute(&answer, 5, cudaMemRangeAttributeAccessedBy, memory, PAGE));
  conform_expect(cudaErrorInvalidValue,
                 cudaMemRangeGetAttribute(&answer, 0, cudaMemRangeAttributeAccessedBy, memory, PAGE));
  conform_expect(cudaErrorInvalidValue, ask(&answer, 0, memory, PAGE));
  conform_expect(cudaErrorInvalidValue, ask(&answer, 9, memory, PAGE));
  conform_expect(cudaErrorInvalidValue, ask(&answer, 1, memory, 0));
  conform_expect(cudaErrorInvalidValue, ask(&answer, 1, NULL, 4));
  conform_expect(cudaErrorInvalidValue, ask(&answer, 1, memory, SIZE + 1));
  conform_expect(cudaErrorInvalidValue, ask(NULL, 1, memory, PAGE));
  conform_true(answer == UNTOUCHED);
}

static void several_are_told_at_once_or_none(void) {
  int read_mostly = UNTOUCHED, by[2] = { UNTOUCHED, UNTOUCHED };
  void *data[] = { &read_mostly, by }, *missing[] = { &read_mostly, NULL };
  size_t sizes[] = { sizeof read_mostly, sizeof by }, wrong[] = { sizeof read_mostly, 3 };
  enum cudaMemRangeAttribute both[] = { cudaMemRangeAttributeReadMostly, cudaMemRangeAttributeAccessedBy };
  enum cudaMemRangeAttribute unknown[] = { cudaMemRangeAttributeReadMostly, (enum cudaMemRangeAttribute)9 };
  conform_expect(cudaErrorInvalidValue, cudaMemRangeGetAttributes(data, sizes, unknown, 2, memory, PAGE));
  conform_expect(cudaErrorInvalidValue, cudaMemRangeGetAttributes(data, wrong, both, 2, memory, PAGE));
  conform_expect(cudaErrorInvalidValue, cudaMemRangeGetAttributes(missing, sizes, both, 2, memory, PAGE));
  conform_expect(cudaErrorInvalidValue, cudaMemRangeGetAttributes(data, sizes, both, 0, memory, PAGE));
  conform_expect(cudaErrorInvalidValue, cudaMemRangeGetAttributes(NULL, sizes, both, 2, memory, PAGE));
  conform_expect(cudaErrorInvalidValue, cudaMemRangeGetAttributes(data, NULL, both, 2, memory, PAGE));
  conform_expect(cudaErrorInvalidValue, cudaMemRangeGetAttributes(data, sizes, NULL, 2, memory, PAGE));
  conform_true(read_mostly == UNTOUCHED && by[0] == UNTOUCHED);
  conform_succeed(cudaMemAdvise(memory, PAGE, cudaMemAdviseSetAccessedBy, host()));
  conform_succeed(cudaMemRangeGetAttributes(data, sizes, both, 2, memory, PAGE));
  conform_true(read_mostly == 0 && by[0] == HOST && by[1] == NONE);
}

/* ---- what memory it is ---------------------------------------------------------------------------------- */

static void expect_refusals(void *ptr) {
  int answer = UNTOUCHED;
  conform_expect(cudaErrorInvalidValue, cudaMemPrefetchAsync(ptr, 64, device(DEVICE), 0, 0));
  conform_expect(cudaErrorInvalidDevice, cudaMemPrefetchAsync(ptr, 64, device(count), 0, 0));
  conform_expect(cudaErrorInvalidValue, cudaMemAdvise(ptr, 64, cudaMemAdviseSetReadMostly, device(DEVICE)));
  conform_expect(cudaErrorInvalidValue, cudaMemAdvise(ptr, 64, cudaMemAdviseSetPreferredLocation, device(count)));
  conform_expect(cudaErrorInvalidValue, ask(&answer, cudaMemRangeAttributeReadMostly, ptr, 64));
  conform_expect(cudaErrorInvalidValue, cudaStreamAttachMemAsync(stream, ptr, 0, cudaMemAttachSingle));
  conform_true(answer == UNTOUCHED);
}

/* Where the device takes any memory of the system's, that takes advice too; to be attached it wants a length. */
static void memory_of_the_system_takes_advice(void) {
  int takes_any = 0;
  conform_succeed(cudaDeviceGetAttribute(&takes_any, cudaDevAttrPageableMemoryAccess, 0));
  printf("observed: pageableMemoryAccess is %d\n", takes_any);
  if (!takes_any)
    return; /* only_managed_memory_takes_advice() has the refusals */
  char *plain = malloc(SIZE);
  memset(plain, 5, SIZE);
  conform_succeed(cudaMemPrefetchAsync(plain, SIZE, device(DEVICE), 0, stream));
  conform_succeed(cudaMemPrefetchAsync(plain + 1, 64, host(), 0, stream));
  conform_succeed(cudaMemAdvise(plain, SIZE, cudaMemAdviseSetReadMostly, device(DEVICE)));
  conform_succeed(cudaMemAdvise(plain, SIZE, cudaMemAdviseUnsetReadMostly, device(DEVICE)));
  conform_succeed(cudaMemAdvise(plain, SIZE, cudaMemAdviseSetPreferredLocation, host()));
  conform_succeed(cudaMemAdvise(plain, SIZE, cudaMemAdviseSetAccessedBy, device(DEVICE)));
  conform_succeed(cudaStreamAttachMemAsync(stream, plain, SIZE, cudaMemAttachSingle));
  conform_succeed(cudaStreamAttachMemAsync(stream, plain, SIZE, cudaMemAttachGlobal));
  conform_expect(cudaErrorInvalidValue, cudaStreamAttachMemAsync(stream, plain, 0, cudaMemAttachSingle));
  conform_expect(cudaErrorInvalidDevice, cudaMemPrefetchAsync(plain, SIZE, device(count), 0, stream));
  conform_expect(cudaErrorInvalidValue, cudaMemAdvise(plain, SIZE, (enum cudaMemoryAdvise)9, device(DEVICE)));
  conform_succeed(cudaStreamSynchronize(stream));
  conform_true(plain[0] == 5 && plain[SIZE - 1] == 5);
  free(plain);
}

/* The same. */
static void only_managed_memory_takes_advice(void) {
  static char plain[64];
  int takes_any = 0;
  void *pinned = NULL, *on_device = NULL, *freed = NULL;
  conform_succeed(cudaDeviceGetAttribute(&takes_any, cudaDevAttrPageableMemoryAccess, 0));
  conform_succeed(cudaMallocHost(&pinned, 64));
  conform_succeed(cudaMalloc(&on_device, 64));
  conform_succeed(cudaMallocManaged(&freed, SIZE, cudaMemAttachGlobal));
  conform_succeed(cudaFree(freed));
  if (!takes_any)
    expect_refusals(plain);
  expect_refusals(pinned);
  expect_refusals(on_device);
  if (!takes_any)
    expect_refusals(freed);
  conform_succeed(cudaFree(on_device));
  conform_succeed(cudaFreeHost(pinned));
}

/* Neighbours on a page are not asked about: CUDA has one answer for a page, ours is each allocation's. */
static void a_small_allocation_is_advised_to_its_last_byte(void) {
  char *small = NULL;
  conform_succeed(cudaMallocManaged((void **)&small, 1000, cudaMemAttachGlobal));
  conform_succeed(cudaMemAdvise(small + 999, 1, cudaMemAdviseSetReadMostly, device(DEVICE)));
  conform_true(is_read_mostly(small, 1000) == 1);
  conform_succeed(cudaMemPrefetchAsync(small, 1000, device(DEVICE), 0, 0));
  conform_true(prefetched(small, 1000) == DEVICE);
  conform_expect(cudaErrorInvalidValue, cudaMemPrefetchAsync(small, 1001, device(DEVICE), 0, 0));
  conform_expect(cudaErrorInvalidValue, cudaMemAdvise(small, 1001, cudaMemAdviseSetReadMostly, device(DEVICE)));
  conform_succeed(cudaFree(small));
}

/* What comes to lie where it was begins anew. */
static void advice_ends_with_its_memory(void) {
  static const size_t sizes[] = { 1000, 16 * PAGE, SIZE };
  for (int round = 0; round < 12; round++) {
    size_t size = sizes[round / 4];
    char *p = NULL;
    conform_succeed(cudaMallocManaged((void **)&p, size, cudaMemAttachGlobal));
    conform_true(is_read_mostly(p, size) == 0 && preferred(p, size) == NONE && prefetched(p, size) == NONE);
    conform_succeed(cudaMemAdvise(p, size, cudaMemAdviseSetReadMostly, device(DEVICE)));
    conform_succeed(cudaMemAdvise(p, size, cudaMemAdviseSetPreferredLocation, host()));
    conform_succeed(cudaMemPrefetchAsync(p, size, device(DEVICE), 0, 0));
    conform_succeed(cudaFree(p));
  }
}

static void advice_outlives_a_free_that_is_refused(void) {
  conform_succeed(cudaMemAdvise(memory, SIZE, cudaMemAdviseSetReadMostly, device(DEVICE)));
  conform_expect(cudaErrorInvalidValue, cudaFree(memory + 64));
  conform_true(is_read_mostly(memory, SIZE) == 1);
}

/* ---- attaching ------------------------------------------------------------------------------------------ */

static void whole_allocations_are_attached(void) {
  char *p = NULL;
  conform_succeed(cudaMallocManaged((void **)&p, 1000, cudaMemAttachHost));
  conform_succeed(cudaStreamAttachMemAsync(stream, p, 0, cudaMemAttachSingle));
  conform_succeed(cudaStreamAttachMemAsync(stream, p, 1000, cudaMemAttachSingle));
  conform_succeed(cudaStreamSynchronize(stream));
  p[0] = 5;
  conform_succeed(cudaStreamAttachMemAsync(stream, p, 0, cudaMemAttachHost));
  conform_succeed(cudaStreamAttachMemAsync(stream, p, 0, cudaMemAttachGlobal));
  conform_succeed(cudaStreamAttachMemAsync(0, p, 0, cudaMemAttachGlobal));
  conform_succeed(cudaDeviceSynchronize());
  conform_true(p[0] == 5);
  conform_expect(cudaErrorInvalidValue, cudaStreamAttachMemAsync(0, p, 0, cudaMemAttachSingle));
  conform_expect(cudaErrorInvalidValue, cudaStreamAttachMemAsync(stream, p, 100, cudaMemAttachSingle));
  conform_expect(cudaErrorInvalidValue, cudaStreamAttachMemAsync(stream, p, 2000, cudaMemAttachSingle));
  conform_expect(cudaErrorInvalidValue, cudaStreamAttachMemAsync(stream, p + 8, 0, cudaMemAttachSingle));
  conform_expect(cudaErrorInvalidValue, cudaStreamAttachMemAsync(stream, NULL, 0, cudaMemAttachSingle));
  conform_expect(cudaErrorInvalidValue, cudaStreamAttachMemAsync(stream, p, 0, 3));
  conform_expect(cudaErrorInvalidValue, cudaStreamAttachMemAsync(stream, p, 0, 8));
  conform_succeed(cudaFree(p));
}

/* ---- handles, reset ------------------------------------------------------------------------------------- */

#ifdef VPTR_CUDA_RUNTIME_API_H
/* CUDA follows such a handle. */
static void a_destroyed_stream_is_refused(void) {
  cudaStream_t gone;
  conform_succeed(cudaStreamCreate(&gone));
  conform_succeed(cudaStreamDestroy(gone));
  conform_expect(cudaErrorInvalidResourceHandle, cudaMemPrefetchAsync(memory, PAGE, device(DEVICE), 0, gone));
  conform_expect(cudaErrorInvalidResourceHandle, cudaStreamAttachMemAsync(gone, memory, 0, cudaMemAttachSingle));
  conform_true(prefetched(memory, SIZE) == NONE);
}

/* CUDA takes it on some streams, and crashes on others. */
static void attaching_wants_a_flag(void) {
  conform_expect(cudaErrorInvalidValue, cudaStreamAttachMemAsync(stream, memory, 0, 0));
}

static void bytes_that_wrap_around_are_refused(void) {
  conform_expect(cudaErrorInvalidValue, cudaMemPrefetchAsync(memory + PAGE, SIZE_MAX, device(DEVICE), 0, 0));
  conform_expect(cudaErrorInvalidValue,
                 cudaMemAdvise(memory + PAGE, SIZE_MAX - 2, cudaMemAdviseSetReadMostly, device(DEVICE)));
}
#endif

static void advice_ends_with_a_reset(void) {
  conform_succeed(cudaMemAdvise(memory, SIZE, cudaMemAdviseSetReadMostly, device(DEVICE)));
  conform_succeed(cudaDeviceReset());
  conform_succeed(cudaMallocManaged((void **)&memory, SIZE, cudaMemAttachGlobal));
  conform_true(is_read_mostly(memory, SIZE) == 0);
}

static void run(void (*test)(void)) {
  conform_succeed(cudaMallocManaged((void **)&memory, SIZE, cudaMemAttachGlobal));
  test();
  conform_succeed(cudaFree(memory));
}

int main(void) {
  conform_succeed(cudaGetDeviceCount(&count));
  conform_succeed(cudaStreamCreate(&stream));
  run(nothing_is_told_at_first);
  run(the_last_prefetch_is_told);
  run(a_prefetch_is_of_whole_pages);
  run(the_host_keeps_what_it_wrote);
  run(a_prefetch_is_work_of_its_stream);
  run(prefetches_are_refused);
  run(nodes_of_the_host_are_places);
  run(what_is_mostly_read_is_told);
  run(what_is_preferred_is_told);
  run(who_accesses_it_is_told);
  run(advice_is_refused);
  run(questions_are_refused);
  run(several_are_told_at_once_or_none);
  run(memory_of_the_system_takes_advice);
  run(only_managed_memory_takes_advice);
  run(a_small_allocation_is_advised_to_its_last_byte);
  run(advice_ends_with_its_memory);
  run(advice_outlives_a_free_that_is_refused);
  run(whole_allocations_are_attached);
#ifdef VPTR_CUDA_RUNTIME_API_H
  run(a_destroyed_stream_is_refused);
  run(attaching_wants_a_flag);
  run(bytes_that_wrap_around_are_refused);
#endif
  run(advice_ends_with_a_reset);
  return conform_done("conform_advice");
}
