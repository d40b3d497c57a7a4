/* SPDX-License-Identifier: MIT */
/*
 * conform_ipc_event - events of one process opened by another: each records them, waits for them and asks, and streams
 * of one wait for the other's. A process that ends leaves nobody waiting.
 */
#include "conform.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MANY = 200, LOOKS = 4, LOOK_US = 1000 };

static int in, out; /* to the other process */
static cudaEvent_t event;
static cudaStream_t stream;

static void say(char word) {
  conform_true(write(out, &word, 1) == 1);
}

static void hear(char expected) {
  char word = 0;
  conform_true(read(in, &word, 1) == 1 && word == expected);
}

/* A stream that does not go on before the gate is opened. */
static void CUDART_CB wait_for_gate(void *gate) {
  while (__atomic_load_n((int *)gate, __ATOMIC_ACQUIRE) == 0)
    usleep(LOOK_US);
}

static void shut(int *gate) {
  __atomic_store_n(gate, 0, __ATOMIC_RELEASE);
  conform_succeed(cudaLaunchHostFunc(stream, wait_for_gate, gate));
}

static void is_pending(cudaStream_t waiting) {
  for (int i = 0; i < LOOKS; i++) {
    conform_true(cudaEventQuery(event) == cudaErrorNotReady);
    if (waiting != NULL)
      conform_true(cudaStreamQuery(waiting) == cudaErrorNotReady);
    usleep(LOOK_US);
  }
}

/* What the one records the other waits for, by each way to wait. */
static void record_for_other(void) {
  static int gate;
  for (int i = 0; i < 3; i++) {
    shut(&gate);
    conform_succeed(cudaEventRecord(event, stream));
    say('r');
    hear('p'); /* it is pending there */
    __atomic_store_n(&gate, 1, __ATOMIC_RELEASE);
    conform_succeed(cudaEventSynchronize(event));
    hear('d');
  }
}

static void wait_for_other(void) {
  for (int i = 0; i < 3; i++) {
    hear('r');
    if (i == 0)
      conform_succeed(cudaStreamWaitEvent(stream, event, 0));
    is_pending(i == 0 ? stream : NULL);
    say('p');
    if (i == 0)
      conform_succeed(cudaStreamSynchronize(stream));
    else if (i == 1)
      conform_succeed(cudaEventSynchronize(event));
    else
      while (cudaEventQuery(event) == cudaErrorNotReady)
        usleep(LOOK_US);
    conform_succeed(cudaEventQuery(event));
    say('d');
  }
}

/* More than there is room for, one behind the other; the latest counts. */
static void record_often(void) {
  for (int i = 0; i < MANY; i++)
    conform_succeed(cudaEventRecord(event, stream));
  conform_succeed(cudaEventSynchronize(event));
  conform_succeed(cudaStreamSynchronize(stream));
}

static void other_process(void) {
  cudaIpcEventHandle_t handle;
  cudaEvent_t same = NULL;
  static int never;
  conform_true(read(in, &handle, sizeof handle) == (ssize_t)sizeof handle);
  conform_succeed(cudaIpcOpenEventHandle(&event, handle));
  conform_succeed(cudaEventQuery(event)); /* never recorded */
  say('o');
  conform_succeed(cudaStreamCreate(&stream));
  wait_for_other();
  record_for_other();
  record_often();
  conform_succeed(cudaIpcOpenEventHandle(&same, handle));
  conform_succeed(cudaEventDestroy(same));
  say('e');
  hear('e');
  int failed = conform_done("conform_ipc_event, the other process");
  fflush(stdout);
#ifdef VPTR_CUDA_RUNTIME_API_H /* NVIDIA's driver ends the work, too, in its own time */
  shut(&never);
  conform_succeed(cudaEventRecord(event, stream));
  say('r');
  hear('p');
#else
  (void)never;
#endif
  _exit(failed);
}

static void first_process(pid_t child) {
  cudaIpcEventHandle_t handle;
  cudaEvent_t own = NULL, plain = NULL;
  conform_succeed(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
  conform_succeed(cudaEventCreate(&plain));
#ifdef VPTR_CUDA_RUNTIME_API_H /* NVIDIA's writes there */
  conform_expect(cudaErrorInvalidValue, cudaIpcGetEventHandle(NULL, event));
#endif
  conform_expect(cudaErrorInvalidResourceHandle, cudaIpcGetEventHandle(&handle, plain));
  conform_succeed(cudaIpcGetEventHandle(&handle, event));
#ifdef VPTR_CUDA_RUNTIME_API_H
  conform_expect(cudaErrorDeviceUninitialized, cudaIpcOpenEventHandle(&own, handle));
  cudaIpcEventHandle_t wrong;
  memset(&wrong, 0, sizeof wrong);
  conform_expect(cudaErrorInvalidValue, cudaIpcOpenEventHandle(&own, wrong));
#endif
  conform_true(own == NULL);
  conform_true(write(out, &handle, sizeof handle) == (ssize_t)sizeof handle);
  conform_succeed(cudaStreamCreate(&stream));
  hear('o');
  record_for_other();
  wait_for_other();
  hear('e');
  conform_succeed(cudaEventSynchronize(event));
  record_often();
  say('e');
#ifdef VPTR_CUDA_RUNTIME_API_H
  hear('r');
  conform_succeed(cudaStreamWaitEvent(stream, event, 0));
  is_pending(stream);
  say('p');
  conform_succeed(cudaStreamSynchronize(stream)); /* what the process left counts as reached */
  conform_succeed(cudaEventQuery(event));
#endif
  int status = 0;
  conform_true(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  conform_succeed(cudaEventDestroy(plain));
  conform_succeed(cudaEventDestroy(event));
  conform_succeed(cudaStreamDestroy(stream));
}

int main(void) {
  int there[2], back[2];
  if (pipe(there) != 0 || pipe(back) != 0)
    return EXIT_FAILURE;
  const pid_t child = fork();
  in = child == 0 ? there[0] : back[0];
  out = child == 0 ? back[1] : there[1];
  close(child == 0 ? there[1] : back[1]);
  close(child == 0 ? back[0] : there[0]);
  if (child == 0)
    other_process();
  first_process(child);
  return conform_done("conform_ipc_event");
}
