/* SPDX-License-Identifier: MIT */
/*
 * lives - a program's life, lived again and again, each time with another allocation or call of the device's failing.
 *
 * It goes on as a program does that looks at what it is told: what was not made is not used. A call that fails says
 * so, in CUDA's words and in ours, and writes nothing; what lives cost is given back in the end; and the next life, in
 * which nothing fails, does all that it should. On the fake device, by the driver's interface.
 */
#ifndef VPTR_TESTS_LIVES_H
#define VPTR_TESTS_LIVES_H

#include <unistd.h>

#include <vptr/cuda/cuda.h>
#include <vptr/cuda/cuda_runtime_api.h>

#include "base/memory.h"
#include "device/fake.h"
#include "mapper/mapper.h"
#include "support/support.h"

/* Trees of addresses have a node more or less from life to life. */
enum { MOST_FAILURES = 3000, NODES_OF_TREES = 4 };

static int failed; /* calls of this life */

/* Whether it went well. */
static bool fine(CUresult result) {
  if (result == CUDA_SUCCESS)
    return true;
  failed++;
  ck_assert_str_ne(vptr_last_error(), "");
  return false;
}

/* What can fail once, and then does what it should: ends, mostly. */
#define in_the_end(call)                                                                                             \
  do {                                                                                                               \
    if (!fine(call))                                                                                                 \
      ck_assert_int_eq(call, CUDA_SUCCESS);                                                                          \
  } while (0)

/* ---- every call fails once -------------------------------------------------------------------------------- */

typedef void life(void);

typedef struct balance {
  long memory;
  size_t buffers, host_buffers, events, queues, allocations;
} balance;

static balance take_balance(void) {
  vptr__fake_counts counts;
  vptr_mapper *mapper;
  ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
  support_succeed(vptr__mapper_for_device(0, &mapper));
  support_succeed(vptr_check(mapper));
  vptr__fake_get_counts(&counts);
  return (balance){ vptr__memory_live(), counts.buffers, counts.host_buffers,
                    counts.events,       counts.queues,  vptr_count(mapper) };
}

static bool is_balanced(const balance *before, const balance *after) {
  return after->memory <= before->memory + NODES_OF_TREES && after->buffers <= before->buffers &&
         after->host_buffers <= before->host_buffers && after->events <= before->events &&
         after->queues <= before->queues && after->allocations == before->allocations;
}

/* A thread of the library's or the device's may be on its way out of a function of the host's. */
static void expect_balance(const balance *before, long nth, const char *what) {
  balance after = take_balance();
  for (int i = 0; i < 100 && !is_balanced(before, &after); i++) {
    usleep(10000);
    after = take_balance();
  }
  ck_assert_msg(
      is_balanced(before, &after),
      "%s %ld: host memory %ld, was %ld; buffers %zu, %zu; pinned %zu, %zu; events %zu, %zu; queues %zu, %zu; "
      "allocations %zu, %zu",
      what, nth, after.memory, before->memory, after.buffers, before->buffers, after.host_buffers,
      before->host_buffers, after.events, before->events, after.queues, before->queues, after.allocations,
      before->allocations);
}

static CUstream stream; /* of a life */

static void live_with_stream(life *live) {
  failed = 0;
  if (fine(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING))) {
    live();
    in_the_end(cuStreamDestroy(stream));
  } else {
    ck_assert_ptr_null(stream);
  }
  stream = NULL;
}

static void live_well(life *live) {
  live_with_stream(live);
  ck_assert_int_eq(failed, 0);
}

static void fail_device(long nth) {
  vptr__fake_fail_nth(nth, CL_OUT_OF_RESOURCES);
}

static int fail_each(life *live, void (*inject)(long nth), const char *what) {
  int heard = 0;
  live_well(live);
  take_balance();
  live_well(live);
  const balance before = take_balance();
  for (long nth = 1, unheard = 0; unheard < 20; nth++) {
    ck_assert_int_lt(nth, MOST_FAILURES);
    inject(nth);
    live_with_stream(live);
    inject(0);
    cudaDeviceSynchronize();
    cudaGetLastError();
    heard += failed > 0;
    unheard = failed > 0 ? 0 : unheard + 1;
    live_well(live);
    expect_balance(&before, nth, what);
  }
  return heard;
}

static void fail_all(life *live) {
  ck_assert_int_gt(fail_each(live, vptr__memory_fail_nth, "allocation"), 2);
  ck_assert_int_gt(fail_each(live, fail_device, "operation"), 2);
}

#endif
