/* SPDX-License-Identifier: MIT */
/* conform_event - events: recording, asking, waiting, time, and handles that are none. */
#include "conform.h"

#include <unistd.h>

static void CUDART_CB wait_until_set(void *context) {
  const int *set = context;
  while (!__atomic_load_n(set, __ATOMIC_ACQUIRE))
    usleep(50);
}

static void CUDART_CB sleep_a_while(void *context) {
  (void)context;
  usleep(20000);
}

static void refuse_bad_arguments(void) {
  cudaEvent_t event = NULL;
  float ms;
  conform_expect(cudaErrorInvalidValue, cudaEventCreate(NULL));
  conform_expect(cudaErrorInvalidValue, cudaEventCreateWithFlags(NULL, 0));
  conform_expect(cudaErrorInvalidValue, cudaEventCreateWithFlags(&event, 0x80));
  conform_expect(cudaErrorInvalidValue, cudaEventCreateWithFlags(&event, cudaEventInterprocess));
  conform_true(event == NULL);
  conform_expect(cudaErrorInvalidResourceHandle, cudaEventRecord(NULL, NULL));
  conform_expect(cudaErrorInvalidResourceHandle, cudaEventQuery(NULL));
  conform_expect(cudaErrorInvalidResourceHandle, cudaEventSynchronize(NULL));
  conform_expect(cudaErrorInvalidResourceHandle, cudaEventDestroy(NULL));
  conform_succeed(cudaEventCreate(&event));
  conform_expect(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, event, NULL));
  conform_expect(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, event, event));
  conform_expect(cudaErrorInvalidValue, cudaEventRecordWithFlags(event, NULL, 0x100));
  conform_expect(cudaErrorIllegalState, cudaEventRecordWithFlags(event, NULL, cudaEventRecordExternal));
  conform_expect(cudaErrorInvalidValue, cudaEventElapsedTime(NULL, NULL, NULL));
  conform_succeed(cudaEventRecord(event, NULL));
  conform_succeed(cudaEventSynchronize(event));
  conform_expect(cudaErrorInvalidValue, cudaEventElapsedTime(NULL, event, event));
  conform_succeed(cudaEventDestroy(event));
}

static void all_flags_are_taken(void) {
  static const unsigned flags[] = { cudaEventDefault, cudaEventBlockingSync, cudaEventDisableTiming,
                                    cudaEventBlockingSync | cudaEventDisableTiming,
                                    cudaEventDisableTiming | cudaEventInterprocess };
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
    cudaEvent_t event;
    conform_succeed(cudaEventCreateWithFlags(&event, flags[i]));
    conform_succeed(cudaEventRecordWithFlags(event, cudaStreamPerThread, cudaEventRecordDefault));
    conform_succeed(cudaEventSynchronize(event));
    conform_succeed(cudaEventDestroy(event));
  }
}

static void an_event_that_was_never_recorded_is_done(void) {
  cudaEvent_t event;
  conform_succeed(cudaEventCreate(&event));
  conform_succeed(cudaEventQuery(event));
  conform_succeed(cudaEventSynchronize(event));
  conform_succeed(cudaStreamWaitEvent(NULL, event, 0));
  conform_succeed(cudaStreamSynchronize(NULL));
  conform_succeed(cudaEventDestroy(event));
}

static void an_event_is_behind_what_was_there_when_it_was_recorded(void) {
  int set = 0, later = 0;
  cudaStream_t stream;
  cudaEvent_t event, first;
  conform_succeed(cudaStreamCreate(&stream));
  conform_succeed(cudaEventCreate(&event));
  conform_succeed(cudaEventCreate(&first));
  conform_succeed(cudaEventRecord(first, stream));
  conform_succeed(cudaEventSynchronize(first));
  conform_succeed(cudaLaunchHostFunc(stream, wait_until_set, &set));
  conform_succeed(cudaEventRecord(event, stream));
  conform_succeed(cudaLaunchHostFunc(stream, wait_until_set, &later));
  conform_succeed(cudaEventQuery(first));
  conform_not_ready(cudaEventQuery(event));
  __atomic_store_n(&set, 1, __ATOMIC_RELEASE);
  conform_succeed(cudaEventSynchronize(event));
  conform_succeed(cudaEventQuery(event));
  conform_not_ready(cudaStreamQuery(stream));
  __atomic_store_n(&later, 1, __ATOMIC_RELEASE);
  conform_succeed(cudaStreamSynchronize(stream));
  conform_succeed(cudaEventDestroy(event));
  conform_succeed(cudaEventDestroy(first));
  conform_succeed(cudaStreamDestroy(stream));
}

static void an_event_on_the_legacy_stream_is_behind_blocking_streams(void) {
  int set = 0;
  cudaStream_t stream;
  cudaEvent_t event;
  conform_succeed(cudaStreamCreate(&stream));
  conform_succeed(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  conform_succeed(cudaLaunchHostFunc(stream, wait_until_set, &set));
  conform_succeed(cudaEventRecord(event, NULL));
  conform_not_ready(cudaEventQuery(event));
  __atomic_store_n(&set, 1, __ATOMIC_RELEASE);
  conform_succeed(cudaEventSynchronize(event));
  conform_succeed(cudaStreamQuery(stream));
  conform_succeed(cudaEventDestroy(event));
  conform_succeed(cudaStreamDestroy(stream));
}

static void a_pending_event_may_be_destroyed(void) {
  int set = 0;
  cudaStream_t one, two;
  cudaEvent_t event;
  conform_succeed(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
  conform_succeed(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
  conform_succeed(cudaEventCreate(&event));
  conform_succeed(cudaLaunchHostFunc(one, wait_until_set, &set));
  conform_succeed(cudaEventRecord(event, one));
  conform_succeed(cudaStreamWaitEvent(two, event, 0));
  conform_succeed(cudaEventDestroy(event));
  conform_not_ready(cudaStreamQuery(two));
  __atomic_store_n(&set, 1, __ATOMIC_RELEASE);
  conform_succeed(cudaStreamSynchronize(two));
  conform_succeed(cudaStreamSynchronize(one));
  conform_succeed(cudaStreamDestroy(one));
  conform_succeed(cudaStreamDestroy(two));
}

static void a_query_leaves_the_last_error(void) {
  int set = 0;
  float ms;
  cudaEvent_t event;
  conform_succeed(cudaEventCreate(&event));
  conform_succeed(cudaLaunchHostFunc(NULL, wait_until_set, &set));
  conform_succeed(cudaEventRecord(event, NULL));
  conform_true(cudaEventDestroy(NULL) == cudaErrorInvalidResourceHandle);
  conform_not_ready(cudaEventQuery(event));
  conform_not_ready(cudaStreamQuery(NULL));
  conform_not_ready(cudaEventElapsedTime(&ms, event, event));
  conform_true(cudaGetLastError() == cudaErrorInvalidResourceHandle);
  conform_not_ready(cudaEventQuery(event));
  __atomic_store_n(&set, 1, __ATOMIC_RELEASE);
  conform_succeed(cudaEventSynchronize(event));
  conform_succeed(cudaEventDestroy(event));
}

static void time_passes_between_two_events(void) {
  float ms = -1;
  cudaStream_t stream;
  cudaEvent_t start, end, untimed;
  conform_succeed(cudaStreamCreate(&stream));
  conform_succeed(cudaEventCreate(&start));
  conform_succeed(cudaEventCreate(&end));
  conform_succeed(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  conform_succeed(cudaEventRecord(start, stream));
  conform_succeed(cudaLaunchHostFunc(stream, sleep_a_while, NULL));
  conform_succeed(cudaEventRecord(end, stream));
  conform_succeed(cudaEventRecord(untimed, stream));
  conform_not_ready(cudaEventElapsedTime(&ms, start, end));
  conform_succeed(cudaEventSynchronize(untimed));
  conform_succeed(cudaEventElapsedTime(&ms, start, end));
  conform_true(ms > 19 && ms < 10000);
  conform_succeed(cudaEventElapsedTime(&ms, end, start));
  conform_true(ms < 0);
  conform_succeed(cudaEventElapsedTime(&ms, start, start));
  conform_true(ms == 0);
  conform_expect(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, start, untimed));
  conform_succeed(cudaEventDestroy(start));
  conform_succeed(cudaEventDestroy(end));
  conform_succeed(cudaEventDestroy(untimed));
  conform_succeed(cudaStreamDestroy(stream));
}

int main(void) {
  refuse_bad_arguments();
  all_flags_are_taken();
  an_event_that_was_never_recorded_is_done();
  an_event_is_behind_what_was_there_when_it_was_recorded();
  an_event_on_the_legacy_stream_is_behind_blocking_streams();
  a_pending_event_may_be_destroyed();
  a_query_leaves_the_last_error();
  time_passes_between_two_events();
  return conform_done("conform_event");
}
