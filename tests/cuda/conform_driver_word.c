/* SPDX-License-Identifier: MIT */
/*
 * conform_driver_word - streams that wait for words of memory, and write them: cuStreamWaitValue32() and its kin.
 *
 * A device or driver that has no such operations is left out with status 77.
 */
#include "conform_driver.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { LOOKS = 4, LOOK_US = 500, LATE_US = 20000, ROUNDS = 50, MANY = 255, MARK = 77 };

static CUstream one, other; /* non-blocking */
static cuuint64_t *pinned;  /* the host's address */
static CUdeviceptr mapped;  /* the same memory for streams */
static CUdeviceptr device;  /* of device memory, as many words */
static int has_64, has_nor;

enum { WORDS = 512 };

static void set_host(size_t i, cuuint64_t value, int bits) {
  if (bits == 64)
    __atomic_store_n(&pinned[i], value, __ATOMIC_SEQ_CST);
  else
    __atomic_store_n((cuuint32_t *)&pinned[i], (cuuint32_t)value, __ATOMIC_SEQ_CST);
}

static cuuint64_t host_64(size_t i) {
  return __atomic_load_n(&pinned[i], __ATOMIC_SEQ_CST);
}

static cuuint32_t host_32(size_t i) {
  return __atomic_load_n((cuuint32_t *)&pinned[i], __ATOMIC_SEQ_CST);
}

static CUdeviceptr host_word(size_t i) {
  return mapped + 8 * i;
}

static CUdeviceptr word(size_t i) {
  return device + 8 * i;
}

static cuuint64_t device_64(size_t i) {
  cuuint64_t value = 0;
  driver_succeed(cuMemcpyDtoH(&value, word(i), sizeof value));
  return value;
}

static void clear(void) {
  memset(pinned, 0, WORDS * sizeof *pinned);
  driver_succeed(cuMemsetD8(device, 0, WORDS * 8));
  driver_succeed(cuCtxSynchronize());
}

/* Several looks, some time apart. */
static void is_waiting(CUstream stream) {
  for (int i = 0; i < LOOKS; i++) {
    driver_expect(CUDA_ERROR_NOT_READY, cuStreamQuery(stream));
    usleep(LOOK_US);
  }
}

static void is_over(CUstream stream) {
  driver_succeed(cuStreamSynchronize(stream));
  driver_succeed(cuStreamQuery(stream));
}

/* In the host's memory, within a time that is long for any machine. */
static void becomes(size_t i, cuuint32_t value) {
  for (int looks = 0; looks < 20000 && host_32(i) != value; looks++)
    usleep(LOOK_US);
  driver_true(host_32(i) == value);
}

/* ---- what is waited for ---------------------------------------------------------------------------------- */

typedef struct comparison {
  unsigned flags;
  int bits;
  cuuint64_t value, before, not_yet, then;
} comparison;

static const comparison comparisons[] = {
  { CU_STREAM_WAIT_VALUE_GEQ, 32, 5, 0, 4, 5 },
  { CU_STREAM_WAIT_VALUE_GEQ, 32, 5, 0xfffffff0, 0x80000005, 6 },
  { CU_STREAM_WAIT_VALUE_GEQ, 32, 0xfffffffe, 0xfffffff0, 0x7ffffffe, 3 }, /* the counter wraps around */
  { CU_STREAM_WAIT_VALUE_EQ, 32, 7, 6, 8, 7 },
  { CU_STREAM_WAIT_VALUE_AND, 32, 6, 0, 9, 12 },
  { CU_STREAM_WAIT_VALUE_NOR, 32, 0xfffffffc, 3, 7, 1 },
  { CU_STREAM_WAIT_VALUE_GEQ, 64, 1ull << 40, 0, (1ull << 40) - 1, 1ull << 40 },
  { CU_STREAM_WAIT_VALUE_GEQ, 64, ~1ull, ~9ull, ~2ull >> 1, 3 },
  { CU_STREAM_WAIT_VALUE_EQ, 64, 0x100000005, 5, 0x200000005, 0x100000005 },
  { CU_STREAM_WAIT_VALUE_AND, 64, 1ull << 35, 1ull << 3, 1ull << 34, 3ull << 35 },
  { CU_STREAM_WAIT_VALUE_NOR, 64, ~(1ull << 40), 1ull << 40, ~0ull, 1 },
};

static int is_there(const comparison *what) {
  return (what->bits == 32 || has_64) && (what->flags != CU_STREAM_WAIT_VALUE_NOR || has_nor);
}

static CUresult wait_for(CUstream stream, CUdeviceptr address, const comparison *what) {
  return what->bits == 64 ? cuStreamWaitValue64(stream, address, what->value, what->flags)
                          : cuStreamWaitValue32(stream, address, (cuuint32_t)what->value, what->flags);
}

static void the_host_releases(const comparison *what) {
  CUevent event = NULL;
  clear();
  driver_succeed(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  set_host(0, what->before, what->bits);
  driver_succeed(wait_for(one, host_word(0), what));
  driver_succeed(cuMemsetD32Async(word(1), MARK, 1, one));
  driver_succeed(cuEventRecord(event, one));
  is_waiting(one);
  driver_expect(CUDA_ERROR_NOT_READY, cuEventQuery(event));
  set_host(0, what->not_yet, what->bits);
  is_waiting(one);
  driver_true(device_64(1) == 0);
  set_host(0, what->then, what->bits);
  driver_succeed(cuEventSynchronize(event));
  is_over(one);
  driver_true(device_64(1) == MARK);
  driver_succeed(cuEventDestroy(event));
}

static void a_stream_releases(const comparison *what) {
  clear();
  pinned[1] = what->before;
  pinned[2] = what->not_yet;
  pinned[3] = what->then;
  driver_succeed(cuMemcpyHtoD(word(0), &pinned[1], 8));
  driver_succeed(wait_for(one, word(0), what));
  driver_succeed(cuMemsetD32Async(word(1), MARK, 1, one));
  is_waiting(one);
  driver_succeed(cuMemcpyHtoDAsync(word(0), &pinned[2], (size_t)what->bits / 8, other));
  is_over(other);
  is_waiting(one);
  driver_succeed(cuMemcpyHtoDAsync(word(0), &pinned[3], (size_t)what->bits / 8, other));
  is_over(one);
  is_over(other);
  driver_true(device_64(1) == MARK);
}

static void streams_wait_for_what_was_said(void) {
  for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
    if (is_there(&comparisons[i])) {
      the_host_releases(&comparisons[i]);
      a_stream_releases(&comparisons[i]);
    }
}

static void what_is_there_is_not_waited_for(void) {
  clear();
  set_host(0, 9, 32);
  driver_succeed(cuStreamWaitValue32(one, host_word(0), 9, CU_STREAM_WAIT_VALUE_EQ));
  driver_succeed(cuStreamWaitValue32(one, word(0), 0, CU_STREAM_WAIT_VALUE_GEQ));
  is_over(one);
}

/* A value that was there before the stream gets to the wait is not taken for it. */
static void a_wait_begins_behind_earlier_work(void) {
  clear();
  set_host(0, 1, 32);
  driver_succeed(cuStreamWriteValue32(one, host_word(0), 0, CU_STREAM_WRITE_VALUE_DEFAULT));
  driver_succeed(cuStreamWriteValue32(one, host_word(1), 1, CU_STREAM_WRITE_VALUE_DEFAULT));
  driver_succeed(cuStreamWaitValue32(one, host_word(0), 1, CU_STREAM_WAIT_VALUE_EQ));
  becomes(1, 1);
  is_waiting(one);
  set_host(0, 1, 32);
  is_over(one);
}

/* ---- who changes it -------------------------------------------------------------------------------------- */

static void writes_and_sets_and_copies_release(void) {
  clear();
  for (int i = 0; i < 4; i++)
    driver_succeed(cuStreamWaitValue32(one, word((size_t)i), 5, CU_STREAM_WAIT_VALUE_EQ));
  is_waiting(one);
  driver_succeed(cuStreamWriteValue32(other, word(0), 5, CU_STREAM_WRITE_VALUE_DEFAULT));
  driver_succeed(cuMemsetD32Async(word(1), 5, 1, other));
  driver_succeed(cuMemcpyDtoDAsync(word(2), word(1), 4, other));
  is_over(other);
  is_waiting(one);
  driver_succeed(cuMemsetD8(word(3), 5, 1));
  is_over(one);
}

/* Each round waits for the other stream's; all are queued before the first begins. */
static void streams_go_on_in_turns(int in_host_memory) {
  CUdeviceptr there = in_host_memory ? host_word(0) : word(0), back = in_host_memory ? host_word(1) : word(1);
  clear();
  driver_succeed(cuStreamWaitValue32(other, host_word(2), 1, CU_STREAM_WAIT_VALUE_EQ));
  for (cuuint32_t i = 1; i <= ROUNDS; i++) {
    driver_succeed(cuStreamWaitValue32(one, there, i, CU_STREAM_WAIT_VALUE_GEQ));
    driver_succeed(cuStreamWriteValue32(one, back, i, CU_STREAM_WRITE_VALUE_DEFAULT));
    driver_succeed(cuStreamWriteValue32(other, there, i, CU_STREAM_WRITE_VALUE_DEFAULT));
    driver_succeed(cuStreamWaitValue32(other, back, i, CU_STREAM_WAIT_VALUE_GEQ));
  }
  is_waiting(one);
  set_host(2, 1, 32);
  is_over(one);
  is_over(other);
  driver_true((in_host_memory ? host_64(1) : device_64(1)) == ROUNDS);
}

static int is_released;

static void *release_late(void *nothing) {
  usleep(LATE_US);
  __atomic_store_n(&is_released, 1, __ATOMIC_SEQ_CST);
  set_host(0, 1, 32);
  return nothing;
}

static void synchronizing_waits_for_the_word(void) {
  pthread_t thread;
  clear();
  driver_succeed(cuStreamWaitValue32(one, host_word(0), 1, CU_STREAM_WAIT_VALUE_GEQ));
  driver_true(pthread_create(&thread, NULL, release_late, NULL) == 0);
  driver_succeed(cuStreamSynchronize(one));
  driver_true(__atomic_load_n(&is_released, __ATOMIC_SEQ_CST));
  pthread_join(thread, NULL);
}

/* ---- writes ---------------------------------------------------------------------------------------------- */

static void writes_come_in_their_turn(void) {
  clear();
  driver_succeed(cuStreamWaitValue32(one, host_word(0), 1, CU_STREAM_WAIT_VALUE_EQ));
  driver_succeed(cuStreamWriteValue32(one, word(1), 3, CU_STREAM_WRITE_VALUE_DEFAULT));
  driver_succeed(cuStreamWriteValue32(one, host_word(1) + 4, 4, CU_STREAM_WRITE_VALUE_DEFAULT));
  if (has_64) {
    driver_succeed(cuStreamWriteValue64(one, word(2), 0x123456789abcdef0, CU_STREAM_WRITE_VALUE_DEFAULT));
    driver_succeed(cuStreamWriteValue64(one, host_word(2), 0xfedcba9876543210, CU_STREAM_WRITE_VALUE_DEFAULT));
  }
  is_waiting(one);
  driver_true(device_64(1) == 0 && host_64(1) == 0 && device_64(2) == 0 && host_64(2) == 0);
  set_host(0, 1, 32);
  is_over(one);
  driver_true(device_64(0) == 0 && device_64(1) == 3 && host_64(1) == (cuuint64_t)4 << 32);
  driver_true(!has_64 || device_64(2) == 0x123456789abcdef0);
  driver_true(!has_64 || host_64(2) == 0xfedcba9876543210);
  driver_true(device_64(3) == 0 && host_64(3) == 0);
}

/* ---- batches --------------------------------------------------------------------------------------------- */

static CUstreamBatchMemOpParams operation(CUstreamBatchMemOpType type, CUdeviceptr address, cuuint64_t value,
                                          unsigned flags) {
  CUstreamBatchMemOpParams made;
  memset(&made, 0, sizeof made);
  made.operation = type;
  if (type == CU_STREAM_MEM_OP_WAIT_VALUE_32 || type == CU_STREAM_MEM_OP_WAIT_VALUE_64) {
    made.waitValue.address = address;
    made.waitValue.value64 = value;
    made.waitValue.flags = flags;
  } else {
    made.writeValue.address = address;
    made.writeValue.value64 = value;
    made.writeValue.flags = flags;
  }
  return made;
}

static void batches_go_in_their_order(void) {
  CUstreamBatchMemOpParams batch[] = {
    operation(CU_STREAM_MEM_OP_WRITE_VALUE_32, host_word(1), 1, CU_STREAM_WRITE_VALUE_DEFAULT),
    operation(CU_STREAM_MEM_OP_WAIT_VALUE_32, host_word(0), 1, CU_STREAM_WAIT_VALUE_EQ),
    operation(CU_STREAM_MEM_OP_WRITE_VALUE_32, host_word(2), 2, CU_STREAM_WRITE_VALUE_DEFAULT),
    operation(CU_STREAM_MEM_OP_WRITE_VALUE_32, word(2), 3, CU_STREAM_WRITE_VALUE_DEFAULT),
    operation(CU_STREAM_MEM_OP_WRITE_VALUE_32, host_word(3), 3, CU_STREAM_WRITE_VALUE_DEFAULT),
    operation(CU_STREAM_MEM_OP_WAIT_VALUE_32, host_word(0), 2, CU_STREAM_WAIT_VALUE_GEQ),
    operation(CU_STREAM_MEM_OP_WRITE_VALUE_32, word(2), 4, CU_STREAM_WRITE_VALUE_DEFAULT),
  };
  clear();
  driver_succeed(cuStreamBatchMemOp(one, sizeof batch / sizeof *batch, batch, 0));
  memset(batch, 0, sizeof batch); /* the call has taken what it needs */
  becomes(1, 1);
  is_waiting(one);
  driver_true(host_32(2) == 0);
  set_host(0, 1, 32);
  becomes(2, 2);
  becomes(3, 3);
  is_waiting(one);
  driver_true(device_64(2) == 3);
  set_host(0, 2, 32);
  is_over(one);
  driver_true(device_64(2) == 4);
}

static void large_batches_are_taken(void) {
  static CUstreamBatchMemOpParams batch[MANY + 1];
  cuuint64_t found[WORDS];
  int wrong = 0;
  clear();
  for (int i = 0; i <= MANY; i++)
    batch[i] = operation(CU_STREAM_MEM_OP_WRITE_VALUE_32, i % 2 == 0 ? word((size_t)i) : host_word((size_t)i),
                         (cuuint64_t)i + 1, CU_STREAM_WRITE_VALUE_DEFAULT);
  driver_succeed(cuStreamBatchMemOp(one, MANY, batch, 0));
  is_over(one);
  driver_succeed(cuMemcpyDtoH(found, device, sizeof found));
  for (size_t i = 0; i < WORDS; i++) {
    cuuint64_t is = i < MANY ? i + 1 : 0;
    wrong += found[i] != (i % 2 == 0 ? is : 0) || host_64(i) != (i % 2 == 0 ? 0 : is);
  }
  driver_true(wrong == 0);
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(one, MANY + 1, batch, 0));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(one, 1, batch, 1));
  driver_observe("no operations", cuStreamBatchMemOp(one, 0, batch, 0));
  batch[0].operation = (CUstreamBatchMemOpType)99;
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(one, 1, batch, 0));
  memset(batch, 0, sizeof *batch);
  batch[0].operation = CU_STREAM_MEM_OP_BARRIER;
  driver_observe("a barrier", cuStreamBatchMemOp(one, 1, batch, 0));
  is_over(one);
}

/* ---- other streams ---------------------------------------------------------------------------------------- */

static void the_default_stream_waits(void) {
  CUstream blocking = NULL;
  clear();
  driver_succeed(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
  driver_succeed(cuStreamWaitValue32(NULL, host_word(0), 1, CU_STREAM_WAIT_VALUE_EQ));
  driver_succeed(cuStreamWriteValue32(blocking, word(1), MARK, CU_STREAM_WRITE_VALUE_DEFAULT));
  is_waiting(NULL);
  is_waiting(blocking);
  set_host(0, 1, 32);
  is_over(blocking);
  is_over(NULL);
  driver_true(device_64(1) == MARK);
  driver_succeed(cuStreamDestroy(blocking));
}

/* It ends when its work is done, and the call does not wait for that. */
static void a_waiting_stream_is_destroyed(void) {
  CUstream stream = NULL;
  clear();
  driver_succeed(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  driver_succeed(cuStreamWaitValue32(stream, host_word(0), 1, CU_STREAM_WAIT_VALUE_EQ));
  driver_succeed(cuStreamWriteValue32(stream, host_word(1), MARK, CU_STREAM_WRITE_VALUE_DEFAULT));
  driver_succeed(cuStreamDestroy(stream));
  usleep(LATE_US);
  driver_true(host_32(1) == 0);
  set_host(0, 1, 32);
  driver_succeed(cuCtxSynchronize());
  driver_true(host_32(1) == MARK);
}

/* ---- arguments -------------------------------------------------------------------------------------------- */

static void wrong_arguments_are_refused(void) {
  static const CUdeviceptr none = 0;
  clear();
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue32(one, none, 0, CU_STREAM_WAIT_VALUE_GEQ));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32(one, none, 0, CU_STREAM_WRITE_VALUE_DEFAULT));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue32(one, word(0) + 2, 0, CU_STREAM_WAIT_VALUE_GEQ));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue32(one, host_word(0) + 1, 0, CU_STREAM_WAIT_VALUE_GEQ));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32(one, word(0) + 1, 9, CU_STREAM_WRITE_VALUE_DEFAULT));
  driver_expect(CUDA_ERROR_INVALID_VALUE,
                cuStreamWriteValue32(one, host_word(0) + 2, 9, CU_STREAM_WRITE_VALUE_DEFAULT));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue32(one, word(0), 0, 4));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32(one, word(0), 9, 2));
  if (has_64) {
    driver_expect(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue64(one, word(0) + 4, 0, CU_STREAM_WAIT_VALUE_GEQ));
    driver_expect(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue64(one, word(0) + 4, 9, CU_STREAM_WRITE_VALUE_DEFAULT));
  }
  is_over(one);
  driver_true(device_64(0) == 0 && host_64(0) == 0);
}

/* What CUDA's manual leaves open, or what differs by machine. */
static void the_rest_is_observed(void) {
  static cuuint64_t plain;
  CUdeviceptr managed = 0;
  CUdeviceptr freed = 0;
  int flushes = 0;
  driver_observe("a word of plain host memory",
                 cuStreamWriteValue32(one, (CUdeviceptr)(uintptr_t)&plain, 1, CU_STREAM_WRITE_VALUE_DEFAULT));
  driver_succeed(cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
  driver_observe("a word of managed memory", cuStreamWriteValue32(one, managed, 1, CU_STREAM_WRITE_VALUE_DEFAULT));
  is_over(one);
  driver_succeed(cuMemFree(managed));
  driver_succeed(cuMemAlloc(&freed, 4 << 20));
  driver_succeed(cuMemFree(freed));
  driver_observe("a word of freed memory", cuStreamWaitValue32(one, freed, 0, CU_STREAM_WAIT_VALUE_GEQ));
  driver_observe("a write without a barrier",
                 cuStreamWriteValue32(one, word(0), 0, CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER));
  driver_succeed(cuDeviceGetAttribute(&flushes, CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES, 0));
  CUresult result = cuStreamWaitValue32(one, word(0), 0, CU_STREAM_WAIT_VALUE_FLUSH);
  driver_true((result == CUDA_SUCCESS) == (flushes != 0));
  driver_observe("a flush", result);
  is_over(one);
}

static void entries_are_found(void) {
  static const char *const names[] = { "cuStreamWaitValue32", "cuStreamWaitValue64", "cuStreamWriteValue32",
                                       "cuStreamWriteValue64", "cuStreamBatchMemOp" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    void *first = NULL, *second = NULL;
    driver_succeed(cuGetProcAddress(names[i], &first, 9000, CU_GET_PROC_ADDRESS_DEFAULT, NULL));
    driver_succeed(cuGetProcAddress(names[i], &second, 11070, CU_GET_PROC_ADDRESS_DEFAULT, NULL));
    driver_true(first != NULL && second != NULL && first != second);
  }
}

static void set_up(void) {
  CUcontext context = NULL;
  void *host = NULL;
  driver_succeed(cuInit(0));
  driver_succeed(cuDevicePrimaryCtxRetain(&context, 0));
  driver_succeed(cuCtxSetCurrent(context));
  driver_succeed(cuStreamCreate(&one, CU_STREAM_NON_BLOCKING));
  driver_succeed(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  driver_succeed(cuMemHostAlloc(&host, WORDS * sizeof *pinned, CU_MEMHOSTALLOC_DEVICEMAP));
  driver_succeed(cuMemAlloc(&device, WORDS * 8));
  driver_succeed(cuDeviceGetAttribute(&has_64, CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, 0));
  driver_succeed(cuDeviceGetAttribute(&has_nor, CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR, 0));
  printf("observed: 64 bits: %d, NOR: %d\n", has_64, has_nor);
  pinned = host;
}

static void all(CUdeviceptr host) {
  mapped = host;
  streams_wait_for_what_was_said();
  what_is_there_is_not_waited_for();
  a_wait_begins_behind_earlier_work();
  writes_and_sets_and_copies_release();
  streams_go_on_in_turns(0);
  streams_go_on_in_turns(1);
  synchronizing_waits_for_the_word();
  writes_come_in_their_turn();
  batches_go_in_their_order();
  large_batches_are_taken();
  the_default_stream_waits();
  a_waiting_stream_is_destroyed();
  wrong_arguments_are_refused();
}

int main(void) {
  CUdeviceptr mapped_by_name = 0;
  set_up();
  if (cuStreamWriteValue32(one, device, 0, CU_STREAM_WRITE_VALUE_DEFAULT) == CUDA_ERROR_NOT_SUPPORTED)
    return 77;
  driver_succeed(cuStreamSynchronize(one)); /* what follows begins on another stream */
  all((CUdeviceptr)(uintptr_t)pinned);
  CUresult result = cuMemHostGetDevicePointer(&mapped_by_name, pinned, 0);
  driver_true(result == CUDA_SUCCESS || result == CUDA_ERROR_NOT_SUPPORTED);
  if (result == CUDA_SUCCESS && mapped_by_name != mapped)
    all(mapped_by_name);
  the_rest_is_observed();
  entries_are_found();
  driver_succeed(cuMemFree(device));
  driver_succeed(cuMemFreeHost(pinned));
  driver_succeed(cuStreamDestroy(one));
  driver_succeed(cuStreamDestroy(other));
  return driver_done("conform_driver_word");
}
