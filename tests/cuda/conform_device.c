/* SPDX-License-Identifier: MIT */
/* conform_device - counting, choosing and waiting for devices; versions; which device a thread has. */
#include "conform.h"

#include <pthread.h>
#include <stdlib.h>

static int count;

static int current(void) {
  int device = -7;
  conform_succeed(cudaGetDevice(&device));
  return device;
}

static void there_is_a_device(void) {
  conform_succeed(cudaGetDeviceCount(&count));
  conform_true(count >= 1);
  conform_expect(cudaErrorInvalidValue, cudaGetDeviceCount(NULL));
  printf("observed: %d devices\n", count);
  const char *expected = getenv("VPTR_TEST_DEVICES"); /* tests/on-two-devices */
  conform_true(expected == NULL || count == atoi(expected));
}

static void a_thread_begins_with_device_0(void) {
  conform_true(current() == 0);
  conform_expect(cudaErrorInvalidValue, cudaGetDevice(NULL));
}

static void every_device_can_be_chosen(void) {
  for (int device = count - 1; device >= 0; device--) {
    conform_succeed(cudaSetDevice(device));
    conform_true(current() == device);
    conform_succeed(cudaDeviceSynchronize());
  }
}

static void a_wrong_ordinal_changes_nothing(void) {
  conform_succeed(cudaSetDevice(count - 1));
  conform_expect(cudaErrorInvalidDevice, cudaSetDevice(-1));
  conform_expect(cudaErrorInvalidDevice, cudaSetDevice(count));
  conform_expect(cudaErrorInvalidDevice, cudaSetDevice(1000));
  conform_true(current() == count - 1);
  conform_succeed(cudaSetDevice(0));
}

static void *begin_thread(void *unused) {
  (void)unused;
  conform_true(current() == 0);
  conform_succeed(cudaSetDevice(0));
  return NULL;
}

static void the_current_device_is_the_threads_own(void) {
  pthread_t thread;
  conform_succeed(cudaSetDevice(count - 1));
  int refused = pthread_create(&thread, NULL, begin_thread, NULL);
  if (refused == 0)
    pthread_join(thread, NULL);
  conform_true(refused == 0);
  conform_true(current() == count - 1);
  conform_succeed(cudaSetDevice(0));
}

/* Memory of one device is used and freed while another is current. */
static void an_address_knows_its_device(void) {
  for (int owner = 0; owner < count; owner++) {
    char sent[16] = "device memory", seen[16] = "";
    void *p = NULL;
    struct cudaPointerAttributes attributes;
    conform_succeed(cudaSetDevice(owner));
    conform_succeed(cudaMalloc(&p, 16));
    conform_succeed(cudaSetDevice((owner + 1) % count));
    conform_succeed(cudaMemcpy(p, sent, 16, cudaMemcpyHostToDevice));
    conform_succeed(cudaMemcpy(seen, p, 16, cudaMemcpyDeviceToHost));
    conform_true(seen[12] == 'y');
    conform_succeed(cudaPointerGetAttributes(&attributes, p));
    conform_true(attributes.device == owner);
    conform_succeed(cudaFree(p));
  }
  conform_succeed(cudaSetDevice(0));
}

static void devices_copy_between_each_other(void) {
  const size_t size = ((size_t)9 << 20) + 5;
  char *from = malloc(size), *to = calloc(size, 1);
  void *first = NULL, *last = NULL;
  for (size_t i = 0; i < size; i++)
    from[i] = (char)(i * 31 + (i >> 12));
  conform_succeed(cudaSetDevice(count - 1));
  conform_succeed(cudaMalloc(&last, size));
  conform_succeed(cudaSetDevice(0));
  conform_succeed(cudaMalloc(&first, size));
  conform_succeed(cudaMemcpy(last, from, size, cudaMemcpyHostToDevice));
  conform_succeed(cudaMemcpy(first, last, size, cudaMemcpyDeviceToDevice));
  conform_succeed(cudaMemcpy(to, first, size, cudaMemcpyDeviceToHost));
  size_t wrong = 0;
  for (size_t i = 0; i < size; i++)
    wrong += from[i] != to[i];
  conform_true(wrong == 0);
  conform_expect(cudaErrorInvalidValue, cudaMemcpy(first, last, size + 1, cudaMemcpyDeviceToDevice));
  conform_succeed(cudaFree(first));
  conform_succeed(cudaFree(last));
  free(from);
  free(to);
}

static void versions_are_told(void) {
  int runtime = 0, driver = 0;
  conform_succeed(cudaRuntimeGetVersion(&runtime));
  conform_succeed(cudaDriverGetVersion(&driver));
  conform_true(runtime == CUDART_VERSION);
  conform_true(driver >= 11000);
  conform_expect(cudaErrorInvalidValue, cudaRuntimeGetVersion(NULL));
  conform_expect(cudaErrorInvalidValue, cudaDriverGetVersion(NULL));
  printf("observed: runtime %d, driver %d\n", runtime, driver);
}

int main(void) {
  there_is_a_device();
  a_thread_begins_with_device_0();
  every_device_can_be_chosen();
  a_wrong_ordinal_changes_nothing();
  the_current_device_is_the_threads_own();
  an_address_knows_its_device();
  devices_copy_between_each_other();
  versions_are_told();
  return conform_done("conform_device");
}
