/* SPDX-License-Identifier: MIT */
/*
 * usm - the kinds of unified shared memory: what is allocated has one, inside and nowhere else, until it is freed; what
 * is none of it is unknown; each mapper knows its own.
 *
 * Small and large requests take different ways underneath, so most tests run for sizes of both.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <vptr/cuda/cuda_runtime_api.h>
#include <vptr/vptr_usm.h>

#include "base/error.h"
#include "base/memory.h"
#include "device/fake.h"
#include "mirror/address_index.h"
#include "mapper/mapper.h"
#include "pinned/pinned.h"
#include "pinned/system.h"
#include "support/support.h"

static const struct cudaMemLocation here = { cudaMemLocationTypeDevice, 0 };
static const vptr_usm_type kinds[] = { VPTR_USM_DEVICE, VPTR_USM_HOST, VPTR_USM_SHARED };
static const size_t sizes[] = { 1, 255, 256, 257, 5000, 300000, 1048575, 1048576, 5000000 };
enum { KINDS = sizeof kinds / sizeof *kinds, SIZES = sizeof sizes / sizeof *sizes };

static char *allocate(vptr_usm_type kind, size_t size) {
  void *ptr = NULL;
  support_succeed(vptr_usm_alloc(NULL, kind, size, 0, &ptr));
  ck_assert_ptr_nonnull(ptr);
  return ptr;
}

static void release(void *ptr) {
  support_succeed(vptr_usm_free(NULL, ptr));
}

static vptr_mapper *own_mapper(void) {
  vptr_mapper *mapper = NULL;
  support_succeed(vptr_usm_mapper(0, &mapper));
  return mapper;
}

/* Nothing that was allocated here: what lies beside our memory may be anybody's. */
static void expect_no_allocation(const void *ptr) {
  vptr_usm_type kind = vptr_usm_kind(NULL, ptr);
  ck_assert(kind == VPTR_USM_UNKNOWN || (kind == VPTR_USM_SYSTEM && vptr_usm_supports(NULL, VPTR_USM_SYSTEM)));
}

static void expect_unknown(const void *ptr, vptr_status why) {
  int device = 77;
  ck_assert_int_eq(vptr_usm_kind(NULL, ptr), VPTR_USM_UNKNOWN);
  support_expect(why, vptr_usm_device(NULL, ptr, &device));
  ck_assert_int_eq(device, 77);
  if (why == VPTR_ERROR_FREED || why == VPTR_ERROR_NULL_POINTER) {
    vptr_location location = { .device = 77 };
    support_expect(why, vptr_resolve(NULL, ptr, 1, &location));
    ck_assert_int_eq(location.device, 77);
  }
}

static void teardown(void) {
  ck_assert_uint_eq(vptr_count(NULL), 0);
  support_succeed(vptr_check(NULL));
}

/* ---- what has a kind ------------------------------------------------------------------------------------ */

/* Many at once are told of host memory, too, and in silence. */
static void expect_same_in_batch(const void *ptr, const vptr_location *location) {
  const void *ptrs[] = { ptr, (const char *)location->base + location->size, ptr };
  vptr_location many[3], none;
  vptr_status verdicts[3], behind = vptr_resolve(NULL, ptrs[1], 1, &none);
  support_succeed(vptr_resolve_batch(NULL, ptrs, 3, 1, many, verdicts));
  support_succeed(verdicts[0]);
  ck_assert_mem_eq(&many[0], location, sizeof *location);
  ck_assert_int_eq(verdicts[1], behind);
  support_succeed(verdicts[2]);
  support_succeed(vptr_resolve_batch(NULL, ptrs, 1, location->size - location->offset + 1, many, verdicts));
  ck_assert_int_eq(verdicts[0], VPTR_ERROR_OUT_OF_BOUNDS);
}

static void expect_kind(vptr_usm_type kind, const void *ptr) {
  static const vptr_kind kinds_of[] = {
    [VPTR_USM_DEVICE] = VPTR_KIND_DEVICE, [VPTR_USM_HOST] = VPTR_KIND_HOST, [VPTR_USM_SHARED] = VPTR_KIND_MANAGED
  };
  vptr_location location;
  int device = 77;
  if (kind != VPTR_USM_SYSTEM) {
    support_succeed(vptr_resolve(NULL, ptr, 1, &location));
    ck_assert_int_eq(location.kind, kinds_of[kind]);
    ck_assert_ptr_eq((char *)location.base + location.offset, ptr);
    expect_same_in_batch(ptr, &location);
    support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr_resolve(NULL, ptr, location.size - location.offset + 1, &location));
  }
  ck_assert_int_eq(vptr_usm_kind(NULL, ptr), kind);
  support_succeed(vptr_usm_device(NULL, ptr, &device));
  ck_assert_int_eq(device, 0);
}

START_TEST(each_byte_of_an_allocation_has_its_kind_and_none_beside_it) {
  for (int k = 0; k < KINDS; k++)
    for (int i = 0; i < SIZES; i++) {
      char *ptr = allocate(kinds[k], sizes[i]);
      ck_assert_uint_eq((uintptr_t)ptr % 256, 0);
      expect_kind(kinds[k], ptr);
      expect_kind(kinds[k], ptr + sizes[i] / 2);
      expect_kind(kinds[k], ptr + sizes[i] - 1);
      expect_no_allocation(ptr + sizes[i]);
      expect_no_allocation(ptr - 1);
      release(ptr);
    }
}
END_TEST

START_TEST(the_host_reads_what_it_may) {
  for (int k = 1; k < KINDS; k++)
    for (int i = 0; i < SIZES; i++) {
      char *ptr = allocate(kinds[k], sizes[i]);
      memset(ptr, 0x5c, sizes[i]);
      for (size_t at = 0; at < sizes[i]; at++)
        support_must(ptr[at] == 0x5c);
      release(ptr);
    }
}
END_TEST

START_TEST(freed_memory_is_unknown_and_not_freed_twice) {
  for (int k = 0; k < KINDS; k++)
    for (int i = 0; i < SIZES; i++) {
      char *ptr = allocate(kinds[k], sizes[i]);
      release(ptr);
      expect_unknown(ptr, VPTR_ERROR_FREED);
      support_expect(VPTR_ERROR_FREED, vptr_usm_free(NULL, ptr));
      ck_assert_ptr_nonnull(strstr(vptr_last_error(), "freed"));
    }
}
END_TEST

START_TEST(only_the_start_can_be_freed) {
  for (int k = 0; k < KINDS; k++)
    for (int i = 1; i < SIZES; i++) {
      char *ptr = allocate(kinds[k], sizes[i]);
      support_expect(VPTR_ERROR_INTERIOR, vptr_usm_free(NULL, ptr + 1));
      support_expect(VPTR_ERROR_INTERIOR, vptr_usm_free(NULL, ptr + sizes[i] - 1));
      expect_kind(kinds[k], ptr);
      release(ptr);
    }
}
END_TEST

START_TEST(no_bytes_are_no_pointer_and_null_is_freed) {
  for (int k = 0; k < KINDS; k++) {
    void *ptr = &ptr;
    support_succeed(vptr_usm_alloc(NULL, kinds[k], 0, 0, &ptr));
    ck_assert_ptr_null(ptr);
  }
  release(NULL);
  expect_unknown(NULL, VPTR_ERROR_NULL_POINTER);
}
END_TEST

/* ---- what has none -------------------------------------------------------------------------------------- */

/* Plain memory is no device's and is not freed here, whatever its kind; it is the same to each mapper of the device. */
static void expect_plain(void *ptr, vptr_usm_type kind) {
  int device = 77;
  ck_assert_int_eq(vptr_usm_kind(NULL, ptr), kind);
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_usm_device(NULL, ptr, &device));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "vptr_usm_device"));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_usm_free(NULL, ptr));
  ck_assert_int_eq(device, 77);
}

/* Some containers forbid it; then a page without access is taken for memory. */
static bool can_ask_for_access(void) {
  char from = 1, to = 0;
  const struct iovec source = { &from, 1 }, target = { &to, 1 };
  return process_vm_readv(getpid(), &target, 1, &source, 1, 0) == 1;
}

/* A test before may have freed managed memory there. */
static vptr_status status_of_foreign(const void *idle) {
  return vptr__address_index_was(idle) ? VPTR_ERROR_FREED : VPTR_ERROR_UNKNOWN_ADDRESS;
}

static void expect_foreign(vptr_usm_type kind) {
  static char fixed[16];
  char on_stack[16] = { 0 }, *on_heap = malloc(5000), *page;
  const size_t bytes = 4096;
  void *plain[] = { fixed, on_stack, on_heap, on_heap + 4999 };
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    expect_plain(plain[i], kind);
  page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  expect_plain(page + 100, kind);
  mprotect(page, bytes, PROT_NONE);
  if (can_ask_for_access())
    expect_unknown(page + 100, status_of_foreign(page + 100));
  munmap(page, bytes);
  void *wild[] = { (void *)16, page + 100, (void *)0x8000000000001234, (void *)UINTPTR_MAX };
  for (size_t i = 0; i < sizeof wild / sizeof *wild; i++) {
    vptr_status why = status_of_foreign(wild[i]);
    expect_unknown(wild[i], why);
    support_expect(why, vptr_usm_free(NULL, wild[i]));
  }
  free(on_heap);
}

START_TEST(foreign_memory_is_of_the_system_at_most) {
  release(allocate(VPTR_USM_HOST, 100));
  expect_foreign(vptr_usm_supports(NULL, VPTR_USM_SYSTEM) != 0 ? VPTR_USM_SYSTEM : VPTR_USM_UNKNOWN);
}
END_TEST

/* And what vptr knows keeps its kind, or none. */
START_TEST(plain_memory_has_a_kind_where_kernels_take_it) {
  const vptr_config config = { .struct_size = sizeof config };
  vptr_mapper *other;
  void *ptr = &ptr;
  vptr__fake_take_system(true);
  if (vptr_usm_supports(NULL, VPTR_USM_SYSTEM) != 0) {
    expect_foreign(VPTR_USM_SYSTEM);
    expect_unknown(NULL, VPTR_ERROR_NULL_POINTER);
    support_succeed(vptr_mapper_create(&config, &other));
    ck_assert_int_eq(vptr_usm_kind(other, &config), VPTR_USM_SYSTEM);
    ck_assert_int_eq(vptr_usm_supports(other, VPTR_USM_SYSTEM), 1);
    support_succeed(vptr_mapper_destroy(other));
    for (int k = 0; k < KINDS; k++) {
      ptr = allocate(kinds[k], 5000);
      expect_kind(kinds[k], ptr);
      release(ptr);
      expect_unknown(ptr, VPTR_ERROR_FREED);
    }
    support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_usm_alloc(NULL, VPTR_USM_SYSTEM, 10, 0, &ptr));
  }
  vptr__fake_take_system(false);
  ck_assert(support_has_opencl() || vptr_usm_kind(NULL, &ptr) == VPTR_USM_UNKNOWN);
}
END_TEST

START_TEST(registered_memory_was_not_allocated) {
  char *plain = aligned_alloc(4096, 8192);
  support_succeed(vptr__pinned_register(own_mapper(), plain, 8192, 0));
  vptr_location location;
  expect_unknown(plain + 5000, VPTR_ERROR_UNKNOWN_ADDRESS);
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "registered"));
  support_succeed(vptr_resolve(NULL, plain + 5000, 3192, &location));
  ck_assert_int_eq(location.kind, VPTR_KIND_REGISTERED);
  ck_assert_ptr_eq(location.base, plain);
  ck_assert_ptr_null(location.buffer);
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_usm_free(NULL, plain));
  support_succeed(vptr__pinned_unregister(plain));
  free(plain);
}
END_TEST

/* What the device calls host memory is such a buffer, and must not be dropped by mistake. */
/* Whichever way it is kept. */
START_TEST(shared_memory_cannot_be_registered) {
  char *ptr = allocate(VPTR_USM_SHARED, 20000);
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  ck_assert_int_eq(cudaHostRegister(ptr, 20000, 0), cudaErrorInvalidValue);
  ck_assert_int_eq(cudaHostRegister(ptr + 5000, 1, 0), cudaErrorInvalidValue);
  ck_assert_int_eq(vptr_usm_kind(NULL, ptr), VPTR_USM_SHARED);
  release(ptr);
  char *around = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ck_assert_ptr_ne(around, MAP_FAILED);
  ck_assert_int_eq(cudaHostRegister(around, 3 * page, 0), cudaSuccess);
  ck_assert_int_eq(cudaHostUnregister(around), cudaSuccess);
  munmap(around, 3 * page);
}
END_TEST

/* The rest of a mirror's last page can be read by the host, and is nobody's. */
START_TEST(behind_managed_memory_is_no_plain_memory) {
  vptr__mirror *mirror;
  support_succeed(vptr__mirror_create(own_mapper(), 5000, &mirror));
  char *ptr = vptr__mirror_host(mirror);
  ck_assert(!vptr__system_takes(own_mapper(), ptr + 4999, 1));
  ck_assert(!vptr__system_takes(own_mapper(), ptr + 5001, 1));
  ck_assert(!vptr__system_acquire(own_mapper(), ptr + 5001));
  ck_assert_int_eq(vptr_usm_kind(NULL, ptr + 5001), VPTR_USM_UNKNOWN);
  vptr__mirror_destroy(mirror);
}
END_TEST

START_TEST(attached_buffers_were_not_allocated) {
  char *host = allocate(VPTR_USM_HOST, 1000);
  void *device = NULL;
  support_succeed(vptr__pinned_device_address(host, &device));
  if (device == host) { /* it is no other address: device->reaches_pinned */
    release(host);
    return;
  }
  expect_unknown(device, VPTR_ERROR_UNKNOWN_ADDRESS);
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "attached"));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_usm_free(NULL, device));
  ck_assert_uint_eq(vptr_count(NULL), 1);
  release(host);
}
END_TEST

/* ---- requests ------------------------------------------------------------------------------------------- */

static void refuse(vptr_status why, vptr_usm_type kind, size_t size, size_t alignment) {
  void *ptr = &ptr;
  support_expect(why, vptr_usm_alloc(NULL, kind, size, alignment, &ptr));
  ck_assert_ptr_eq(ptr, &ptr);
}

START_TEST(what_is_no_kind_is_refused) {
  refuse(VPTR_ERROR_INVALID_ARGUMENT, VPTR_USM_UNKNOWN, 100, 0);
  refuse(VPTR_ERROR_INVALID_ARGUMENT, VPTR_USM_SYSTEM, 100, 0);
  refuse(VPTR_ERROR_INVALID_ARGUMENT, (vptr_usm_type)9, 100, 0);
  refuse(VPTR_ERROR_INVALID_ARGUMENT, (vptr_usm_type)9, 0, 0);
  support_expect(VPTR_ERROR_NULL_POINTER, vptr_usm_alloc(NULL, VPTR_USM_HOST, 100, 0, NULL));
}
END_TEST

START_TEST(alignments_are_kept_or_refused) {
  for (int k = 0; k < KINDS; k++) {
    void *first, *ptr;
    support_succeed(vptr_usm_alloc(NULL, kinds[k], 3, 1, &first));
    for (size_t alignment = 1; alignment <= 256; alignment *= 2) {
      support_succeed(vptr_usm_alloc(NULL, kinds[k], 33, alignment, &ptr));
      ck_assert_uint_eq((uintptr_t)ptr % alignment, 0);
      release(ptr);
    }
    release(first);
    refuse(VPTR_ERROR_INVALID_ARGUMENT, kinds[k], 100, 3);
    refuse(VPTR_ERROR_INVALID_ARGUMENT, kinds[k], 100, SIZE_MAX);
    refuse(VPTR_ERROR_UNSUPPORTED, kinds[k], 100, (size_t)1 << 40);
    refuse(VPTR_ERROR_UNSUPPORTED, kinds[k], 0, (size_t)1 << 40);
  }
}
END_TEST

START_TEST(sizes_that_no_machine_has_are_refused) {
  const size_t impossible[] = { SIZE_MAX, SIZE_MAX - 4096, SIZE_MAX / 2, (size_t)1 << 50 };
  for (size_t i = 0; i < sizeof impossible / sizeof *impossible; i++)
    for (int k = 0; k < KINDS; k++) {
      void *ptr = &ptr;
      ck_assert_int_ne(vptr_usm_alloc(NULL, kinds[k], impossible[i], 0, &ptr), VPTR_SUCCESS);
      ck_assert_ptr_eq(ptr, &ptr);
    }
}
END_TEST

/* ---- mappers -------------------------------------------------------------------------------------------- */

START_TEST(memory_belongs_to_its_mapper) {
  const vptr_config config = { .struct_size = sizeof config, .alignment = 4096 };
  vptr_mapper *other;
  void *theirs, *ptr = &ptr;
  vptr_location location;
  int device = 77;
  support_succeed(vptr_mapper_create(&config, &other));
  support_succeed(vptr_usm_alloc(other, VPTR_USM_DEVICE, 100, 4096, &theirs));
  ck_assert_int_eq(vptr_usm_kind(other, theirs), VPTR_USM_DEVICE);
  ck_assert_uint_eq((uintptr_t)theirs % 4096, 0);
  expect_unknown(theirs, VPTR_ERROR_OTHER_MAPPER);
  support_expect(VPTR_ERROR_OTHER_MAPPER, vptr_usm_free(NULL, theirs));
  for (int k = 0; k < KINDS; k++) {
    char *ours = allocate(kinds[k], 100);
    ck_assert_int_eq(vptr_usm_kind(other, ours), VPTR_USM_UNKNOWN);
    support_expect(VPTR_ERROR_OTHER_MAPPER, vptr_usm_device(other, ours, &device));
    support_expect(VPTR_ERROR_OTHER_MAPPER, vptr_usm_free(other, ours));
    support_expect(VPTR_ERROR_OTHER_MAPPER, vptr_resolve(other, ours, 1, &location));
    support_expect(VPTR_ERROR_OTHER_MAPPER, vptr_usm_memcpy(other, theirs, ours, 10));
    support_expect(VPTR_ERROR_OTHER_MAPPER, vptr_usm_memset(other, ours, 1, 10));
    expect_kind(kinds[k], ours);
    release(ours);
  }
  for (int k = 1; k < KINDS; k++) {
    support_expect(VPTR_ERROR_UNSUPPORTED, vptr_usm_alloc(other, kinds[k], 100, 0, &ptr));
    ck_assert_int_eq(vptr_usm_supports(other, kinds[k]), 0);
  }
  ck_assert_int_eq(vptr_usm_supports(other, VPTR_USM_DEVICE), 1);
  support_succeed(vptr_usm_free(other, theirs));
  support_succeed(vptr_mapper_destroy(other));
}
END_TEST

START_TEST(the_default_mapper_is_the_first) {
  vptr_mapper *mapper = own_mapper(), *none = mapper;
  char *ptr = allocate(VPTR_USM_SHARED, 100);
  ck_assert_int_eq(vptr_usm_kind(mapper, ptr), VPTR_USM_SHARED);
  support_succeed(vptr_usm_free(mapper, ptr));
  support_expect(VPTR_ERROR_NO_DEVICE, vptr_usm_mapper(-1, &none));
  int count = vptr__device_count();
  support_expect(VPTR_ERROR_NO_DEVICE, vptr_usm_mapper(count, &none));
  ck_assert_msg(strstr(vptr_last_error(), " is not among the ") != NULL, "%s", vptr_last_error());
  support_expect(VPTR_ERROR_NULL_POINTER, vptr_usm_mapper(0, NULL));
  ck_assert_ptr_eq(none, mapper);
}
END_TEST

/* Where there is a second device: each has its own. */
START_TEST(each_device_has_its_own_mapper) {
  vptr_mapper *second;
  int device = 77;
  if (vptr__device_count() < 2)
    return;
  support_succeed(vptr_usm_mapper(1, &second));
  ck_assert_ptr_ne(second, own_mapper());
  for (int k = 0; k < KINDS; k++) {
    void *ptr, *ours = allocate(kinds[k], 1000);
    support_succeed(vptr_usm_alloc(second, kinds[k], 1000, 0, &ptr));
    ck_assert_int_eq(vptr_usm_kind(second, ptr), kinds[k]);
    support_succeed(vptr_usm_device(second, ptr, &device));
    ck_assert_int_eq(device, 1);
    expect_unknown(ptr, VPTR_ERROR_OTHER_MAPPER);
    support_expect(VPTR_ERROR_OTHER_MAPPER, vptr_usm_free(NULL, ptr));
    support_expect(VPTR_ERROR_OTHER_MAPPER, vptr_usm_memcpy(NULL, ours, ptr, 10));
    support_succeed(vptr_usm_memset(second, ptr, 1, 1000));
    support_succeed(vptr_usm_free(second, ptr));
    release(ours);
  }
}
END_TEST

static vptr_status refuse_to_share(vptr__device *device, void *host, size_t size, cl_mem *buffer_out) {
  (void)device, (void)host, (void)size, (void)buffer_out;
  return vptr__error(VPTR_ERROR_UNSUPPORTED, "not shared, as the test likes");
}

START_TEST(what_kernels_reach_is_told) {
  vptr__device *device = own_mapper()->device;
  const vptr__device_ops *true_ops = device->ops;
  vptr__device_ops ops = *true_ops;
  ck_assert_int_eq(vptr_usm_supports(NULL, VPTR_USM_DEVICE), 1);
  ck_assert_int_eq(vptr_usm_supports(NULL, VPTR_USM_SHARED), 1);
  ck_assert_int_eq(vptr_usm_supports(NULL, VPTR_USM_UNKNOWN), 0);
  ck_assert_int_eq(vptr_usm_supports(NULL, VPTR_USM_SYSTEM), device->ops->memory.takes_system(device));
  ck_assert(!device->ops->memory.takes_system(device) || (device->type & CL_DEVICE_TYPE_CPU) != 0);
  void *address, *host = allocate(VPTR_USM_HOST, 1);
  bool reaches = vptr__pinned_device_address(host, &address) == VPTR_SUCCESS;
  release(host);
  vptr__fake_counts before, after;
  vptr__fake_get_counts(&before);
  ck_assert_int_eq(vptr_usm_supports(NULL, VPTR_USM_HOST), reaches);
  vptr__fake_get_counts(&after);
  ck_assert_uint_eq(before.host_buffers, after.host_buffers);
  bool reaches_pinned = device->reaches_pinned;
  ops.memory.share_host = refuse_to_share;
  device->ops = &ops;
  device->reaches_pinned = false;
  vptr__error(VPTR_ERROR_NOT_READY, "as it was");
  ck_assert_int_eq(vptr_usm_supports(NULL, VPTR_USM_HOST), 0);
  ck_assert_str_eq(vptr_last_error(), "as it was");
  device->ops = true_ops;
  device->reaches_pinned = reaches_pinned;
}
END_TEST

/* ---- CUDA ----------------------------------------------------------------------------------------------- */

START_TEST(memory_of_the_cuda_runtime_has_kinds_too) {
  void *device, *host, *managed;
  ck_assert_int_eq(cudaMalloc(&device, 100), cudaSuccess);
  ck_assert_int_eq(cudaMallocHost(&host, 100), cudaSuccess);
  ck_assert_int_eq(cudaMallocManaged(&managed, 100, cudaMemAttachGlobal), cudaSuccess);
  expect_kind(VPTR_USM_DEVICE, device);
  expect_kind(VPTR_USM_HOST, host);
  expect_kind(VPTR_USM_SHARED, managed);
  release(device);
  release(host);
  release(managed);
  struct cudaPointerAttributes what;
  managed = allocate(VPTR_USM_SHARED, 100);
  ck_assert_int_eq(cudaPointerGetAttributes(&what, managed), cudaSuccess);
  ck_assert_int_eq(what.type, cudaMemoryTypeManaged);
  release(managed);
}
END_TEST

/* Whether memory was given the place of memory that was advised and freed; it must not be advised then. */
static bool try_place_of_advised(void) {
  int is_read_mostly = 77;
  void *ptr;
  ck_assert_int_eq(cudaMallocManaged(&ptr, 100000, cudaMemAttachGlobal), cudaSuccess);
  ck_assert_int_eq(cudaMemAdvise(ptr, 100000, cudaMemAdviseSetReadMostly, here), cudaSuccess);
  release(ptr);
  char *next = allocate(VPTR_USM_SHARED, 100000);
  ck_assert_int_eq(
      cudaMemRangeGetAttribute(&is_read_mostly, sizeof is_read_mostly, cudaMemRangeAttributeReadMostly, next, 100000),
      cudaSuccess);
  ck_assert_int_eq(is_read_mostly, 0);
  release(next);
  return next == ptr;
}

/* The system chooses the place, and a sanitizer maps memory of its own into the gap now and then. */
START_TEST(advice_goes_with_the_memory) {
  int attempts = 0;
  while (!try_place_of_advised())
    ck_assert_int_lt(++attempts, 100);
}
END_TEST

/* ---- failures ------------------------------------------------------------------------------------------- */

/* What failed is not there, and what was made goes: one of each kind, while the n-th allocation of host memory
   fails. */
static bool run_once(void) {
  bool failed = false;
  for (int k = 0; k < KINDS; k++) {
    void *ptr = NULL;
    vptr_status status = vptr_usm_alloc(NULL, kinds[k], 2000000, 0, &ptr);
    ck_assert((status == VPTR_SUCCESS) == (ptr != NULL));
    failed = failed || ptr == NULL;
    if (ptr != NULL && vptr_usm_free(NULL, ptr) != VPTR_SUCCESS)
      release(ptr);
  }
  vptr__pinned_trim(own_mapper(), 0);
  support_succeed(vptr_trim(NULL, 0));
  ck_assert_uint_eq(vptr_count(NULL), 0);
  return failed;
}

START_TEST(any_host_allocation_may_fail) {
  run_once();
  for (long n = 1;; n++) {
    vptr__memory_fail_nth(n);
    bool failed = run_once();
    vptr__memory_fail_nth(0);
    if (!failed)
      break;
  }
}
END_TEST

START_TEST(any_operation_may_fail) {
  vptr__fake_counts before, after;
  if (support_has_opencl())
    return; /* only the fake device fails on request */
  run_once();
  vptr__fake_get_counts(&before);
  int heard = 0;
  for (long n = 1, unharmed = 0; unharmed < 10; n++) {
    vptr__fake_fail_nth(n, CL_OUT_OF_RESOURCES);
    bool failed = run_once();
    vptr__fake_fail_nth(0, CL_SUCCESS);
    vptr__fake_get_counts(&after);
    ck_assert_uint_eq(before.host_buffers, after.host_buffers);
    ck_assert_uint_eq(before.buffers, after.buffers);
    heard += failed;
    unharmed = failed ? 0 : unharmed + 1;
  }
  ck_assert_int_gt(heard, 1);
}
END_TEST

static Suite *usm_suite(void) {
  Suite *suite = suite_create("usm");
  TCase *usm = tcase_create("usm");
  tcase_add_checked_fixture(usm, NULL, teardown);
  tcase_add_test(usm, each_byte_of_an_allocation_has_its_kind_and_none_beside_it);
  tcase_add_test(usm, the_host_reads_what_it_may);
  tcase_add_test(usm, freed_memory_is_unknown_and_not_freed_twice);
  tcase_add_test(usm, only_the_start_can_be_freed);
  tcase_add_test(usm, no_bytes_are_no_pointer_and_null_is_freed);
  tcase_add_test(usm, foreign_memory_is_of_the_system_at_most);
  tcase_add_test(usm, plain_memory_has_a_kind_where_kernels_take_it);
  tcase_add_test(usm, registered_memory_was_not_allocated);
  tcase_add_test(usm, attached_buffers_were_not_allocated);
  tcase_add_test(usm, shared_memory_cannot_be_registered);
  tcase_add_test(usm, behind_managed_memory_is_no_plain_memory);
  tcase_add_test(usm, what_is_no_kind_is_refused);
  tcase_add_test(usm, alignments_are_kept_or_refused);
  tcase_add_test(usm, sizes_that_no_machine_has_are_refused);
  tcase_add_test(usm, memory_belongs_to_its_mapper);
  tcase_add_test(usm, the_default_mapper_is_the_first);
  tcase_add_test(usm, each_device_has_its_own_mapper);
  tcase_add_test(usm, what_kernels_reach_is_told);
  tcase_add_test(usm, memory_of_the_cuda_runtime_has_kinds_too);
  tcase_add_test(usm, advice_goes_with_the_memory);
  tcase_add_test(usm, any_host_allocation_may_fail);
  tcase_add_test(usm, any_operation_may_fail);
  suite_add_tcase(suite, usm);
  return suite;
}

int main(void) {
  return support_run(usm_suite());
}
