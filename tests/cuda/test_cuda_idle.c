/* SPDX-License-Identifier: MIT */
/*
 * idle - a process that has made its device ready, and one that has used it, has no thread of vptr's and hardly more
 * memory than without it: a program that is linked with vptr and does something else pays for nothing.
 *
 * The driver is begun by hand first, so that what it takes is not counted. The tests run in this order, in one
 * process.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cuda_runtime_api.h>
#include <vptr/vptr.h>

#include "device/device.h"
#include "support/support.h"

enum { KIB_AT_START = 1024, SMALL = 4096, LARGE = 4 << 20, ROUNDS = 3 };

static void need(cudaError_t error) {
  ck_assert_msg(error == cudaSuccess, "%s: %s", cudaGetErrorName(error), vptr_last_error());
}

static int threads(void) {
  int count = 0;
  DIR *tasks = opendir("/proc/self/task");
  ck_assert_ptr_nonnull(tasks);
  for (const struct dirent *task; (task = readdir(tasks)) != NULL;)
    count += task->d_name[0] != '.';
  closedir(tasks);
  return count;
}

/* Of the process's memory, what no other shares; -1: it is not known, or a sanitizer has its own in it. */
static long own_kib(void) {
  char line[256];
  long kib = -1;
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
  FILE *file = NULL;
#else
  FILE *file = fopen("/proc/self/smaps_rollup", "r");
#endif
  while (file != NULL && fgets(line, sizeof line, file) != NULL && sscanf(line, "Private_Dirty: %ld", &kib) != 1)
    continue;
  if (file != NULL)
    fclose(file);
  return kib;
}

/* What nobody can do without. The objects stay, as those of a program would. */
static void begin_driver(void) {
  const vptr__device_entry *entries;
  int count;
  cl_int code;
  support_succeed(vptr__device_list(&entries, &count));
  int chosen = 0;
  while (!entries[chosen].chosen)
    chosen++;
  cl_device_id device = entries[chosen].cl_device;
  if (device == NULL)
    return;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  ck_assert_int_eq(code, CL_SUCCESS);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
  ck_assert_int_eq(code, CL_SUCCESS);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, SMALL, NULL, &code);
  ck_assert_int_eq(code, CL_SUCCESS);
  const cl_uchar byte = 1;
  ck_assert_int_eq(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 1, &byte, 0, NULL, NULL), CL_SUCCESS);
}

START_TEST(a_ready_device_costs_no_thread_and_little_memory) {
  begin_driver();
  int threads_of_one = threads();
  long kib_of_one = own_kib();
  begin_driver(); /* what a driver takes for one more context */
  int threads_before = threads();
  long before = own_kib(), kib_of_driver = before > kib_of_one ? before - kib_of_one : 0;
  need(cudaFree(NULL));
  ck_assert_int_eq(threads() - threads_before, threads_before - threads_of_one);
  if (before < 0)
    puts("left out: no smaps_rollup, or a sanitizer looks on, so memory was not looked at");
  else
    ck_assert_int_le(own_kib() - before, kib_of_driver + KIB_AT_START);
}
END_TEST

/* LARGE is less than what is copied by several threads where the driver is slow at it (transfer/bulk.h): those are
 * begun by a copy that needs them. */
static void use(cudaStream_t stream, void *device, void *host, size_t size) {
  need(cudaMemcpy(device, host, size, cudaMemcpyHostToDevice));
  need(cudaMemsetAsync(device, 1, size, stream));
  need(cudaMemcpyAsync(host, device, size, cudaMemcpyDeviceToHost, stream));
  need(cudaStreamSynchronize(stream));
}

START_TEST(allocating_copying_and_waiting_begin_no_thread) {
  if (!support_has_opencl()) {
    puts("left out: commands of the fake device run on threads of its own");
    return;
  }
  begin_driver();
  need(cudaFree(NULL));
  int before = threads();
  for (size_t size = SMALL; size <= LARGE; size *= LARGE / SMALL) {
    void *device, *host = calloc(1, size), *pinned;
    cudaStream_t stream;
    cudaEvent_t event;
    ck_assert_ptr_nonnull(host);
    need(cudaMalloc(&device, size));
    need(cudaMallocHost(&pinned, size));
    need(cudaStreamCreate(&stream));
    need(cudaEventCreate(&event));
    for (int round = 0; round < ROUNDS; round++) {
      use(stream, device, host, size);
      use(stream, device, pinned, size);
      need(cudaEventRecord(event, stream));
      need(cudaEventSynchronize(event));
    }
    ck_assert_int_eq(threads(), before);
    need(cudaEventDestroy(event));
    need(cudaStreamDestroy(stream));
    need(cudaFreeHost(pinned));
    need(cudaFree(device));
    free(host);
  }
}
END_TEST

static void do_nothing(void *context) {
  (void)context;
}

/* The functions of all streams take turns on one thread. */
START_TEST(host_functions_share_one_thread) {
  if (!support_has_opencl()) {
    puts("left out: commands of the fake device run on threads of its own");
    return;
  }
  begin_driver();
  need(cudaFree(NULL));
  int before = threads();
  cudaStream_t streams[ROUNDS];
  for (int i = 0; i < ROUNDS; i++) {
    need(cudaStreamCreate(&streams[i]));
    need(cudaLaunchHostFunc(streams[i], do_nothing, NULL));
  }
  need(cudaDeviceSynchronize());
  ck_assert_int_eq(threads(), before + 1);
  for (int i = 0; i < ROUNDS; i++)
    need(cudaStreamDestroy(streams[i]));
}
END_TEST

int main(void) {
  TCase *idle = tcase_create("idle");
  tcase_add_test(idle, a_ready_device_costs_no_thread_and_little_memory);
  tcase_add_test(idle, allocating_copying_and_waiting_begin_no_thread);
  tcase_add_test(idle, host_functions_share_one_thread);
  Suite *suite = suite_create("idle");
  suite_add_tcase(suite, idle);
  return support_run(suite);
}
