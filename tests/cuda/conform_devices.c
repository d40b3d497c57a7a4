/* SPDX-License-Identifier: MIT */
/* conform_devices - choosing, opening and resetting devices; peers, flags, limits, places on the bus. */
#include "conform.h"

#include <pthread.h>
#include <string.h>

static int count;

static void wishes_choose_a_device(void) {
  struct cudaDeviceProp wish;
  int device = -7;
  memset(&wish, 0, sizeof wish);
  conform_succeed(cudaChooseDevice(&device, &wish));
  conform_true(device >= 0 && device < count);
  wish.major = 1;
  conform_succeed(cudaChooseDevice(&device, &wish));
  conform_true(device >= 0 && device < count);
  conform_expect(cudaErrorInvalidValue, cudaChooseDevice(NULL, &wish));
  conform_expect(cudaErrorInvalidValue, cudaChooseDevice(&device, NULL));
}

static void a_device_is_opened_ahead(void) {
  int before = -7, after = -7;
  conform_succeed(cudaGetDevice(&before));
  conform_succeed(cudaInitDevice(count - 1, 0, 0));
  conform_succeed(cudaInitDevice(0, cudaDeviceScheduleAuto, cudaInitDeviceFlagsAreValid));
  conform_succeed(cudaGetDevice(&after));
  conform_true(before == after);
  conform_expect(cudaErrorInvalidDevice, cudaInitDevice(count, 0, 0));
  conform_expect(cudaErrorInvalidDevice, cudaInitDevice(-1, 0, 0));
  conform_succeed(cudaInitDevice(0, 0, 2));
}

static void peers_are_told(void) {
  int value = -7;
  conform_expect(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&value, 0, count));
  conform_expect(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&value, -1, 0));
  conform_expect(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(count, 0));
  conform_expect(cudaErrorInvalidDevice, cudaDeviceDisablePeerAccess(count));
  conform_expect(cudaErrorInvalidDevice, cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, count));
  conform_true(value == -7);
  cudaError_t error = cudaDeviceCanAccessPeer(&value, 0, 0);
  printf("observed: device 0 and itself: %s, %d\n", cudaGetErrorName(error), value);
  conform_expect(cudaErrorPeerAccessUnsupported, cudaDeviceEnablePeerAccess(0, 0));
  conform_expect(cudaErrorInvalidValue, cudaDeviceEnablePeerAccess(0, 1));
  conform_expect(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(count, 1));
  conform_expect(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(0));
  conform_expect(cudaErrorInvalidDevice, cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0));
  conform_expect(cudaErrorInvalidDevice, cudaDeviceGetP2PAttribute(&value, (enum cudaDeviceP2PAttr)99, 0, 0));
  conform_expect(cudaErrorInvalidValue, cudaDeviceGetP2PAttribute(NULL, cudaDevP2PAttrAccessSupported, 0, count));
  if (count < 2)
    return;
  conform_succeed(cudaDeviceCanAccessPeer(&value, 0, 1));
  conform_true(value == 0 || value == 1);
  conform_expect(value ? cudaSuccess : cudaErrorPeerAccessUnsupported, cudaDeviceEnablePeerAccess(1, 0));
  conform_expect(value ? cudaSuccess : cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
  conform_expect(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
  conform_expect(cudaErrorInvalidValue, cudaDeviceEnablePeerAccess(1, 1));
}

static void flags_are_kept(void) {
  unsigned flags = 0x5555;
  conform_succeed(cudaGetDeviceFlags(&flags));
  printf("observed: flags 0x%x\n", flags);
  conform_succeed(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
  conform_succeed(cudaGetDeviceFlags(&flags));
  conform_true((flags & cudaDeviceScheduleMask) == cudaDeviceScheduleBlockingSync);
  conform_true((flags & cudaDeviceMapHost) != 0);
  conform_succeed(cudaSetDeviceFlags(cudaDeviceScheduleAuto));
  conform_expect(cudaErrorInvalidValue, cudaSetDeviceFlags(0x4000));
  conform_expect(cudaErrorInvalidValue, cudaGetDeviceFlags(NULL));
  conform_expect(cudaErrorInvalidValue, cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield));
  conform_expect(cudaErrorInvalidValue, cudaInitDevice(0, 0x4000, cudaInitDeviceFlagsAreValid));
  conform_succeed(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceSyncMemops));
  conform_succeed(cudaGetDeviceFlags(&flags));
  conform_true(flags == (cudaDeviceScheduleSpin | cudaDeviceSyncMemops | cudaDeviceMapHost));
  conform_succeed(cudaSetDeviceFlags(0x60)); /* bits of cudaDeviceMask that have no name */
  conform_succeed(cudaGetDeviceFlags(&flags));
  conform_true(flags == cudaDeviceMapHost);
}

static void limits_are_told(void) {
  size_t value = 0;
  conform_succeed(cudaDeviceGetLimit(&value, cudaLimitStackSize));
  conform_true(value > 0);
  conform_succeed(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  conform_succeed(cudaDeviceGetLimit(&value, cudaLimitStackSize));
  conform_true(value >= 4096);
  conform_succeed(cudaDeviceGetLimit(&value, cudaLimitPrintfFifoSize));
  conform_true(value > 0);
  conform_succeed(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20));
  conform_expect(cudaErrorInvalidValue, cudaDeviceGetLimit(NULL, cudaLimitStackSize));
  for (int limit = 0; limit <= cudaLimitPersistingL2CacheSize + 1; limit++) {
    value = 0;
    cudaError_t error = cudaDeviceGetLimit(&value, (enum cudaLimit)limit);
    printf("observed: limit %d is %zu: %s\n", limit, value, cudaGetErrorName(error));
  }
  cudaGetLastError();
}

static void caches_take_wishes(void) {
  enum cudaFuncCache cache;
  conform_succeed(cudaDeviceGetCacheConfig(&cache));
  printf("observed: cache preference %d\n", (int)cache);
  conform_succeed(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  conform_succeed(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone));
  conform_expect(cudaErrorInvalidValue, cudaDeviceGetCacheConfig(NULL));
  conform_expect(cudaErrorInvalidValue, cudaDeviceSetCacheConfig((enum cudaFuncCache)4));
  conform_expect(cudaErrorInvalidValue, cudaDeviceSetCacheConfig((enum cudaFuncCache) - 1));
}

static void a_place_on_the_bus_names_its_device(void) {
  char text[64] = "";
  for (int device = 0; device < count; device++) {
    int found = -7;
    conform_succeed(cudaDeviceGetPCIBusId(text, sizeof text, device));
    conform_true(strlen(text) >= 12);
    conform_succeed(cudaDeviceGetByPCIBusId(&found, text));
    conform_true(found == device);
  }
  printf("observed: the last device is at %s\n", text);
  char small[8] = "#######";
  conform_succeed(cudaDeviceGetPCIBusId(text, sizeof text, 0));
  conform_expect(cudaErrorInvalidValue, cudaDeviceGetPCIBusId(small, 6, 0));
  conform_true(memcmp(small, text, 5) == 0 && small[5] == '\0' && small[6] == '#');
  int found = -7;
  conform_expect(cudaErrorInvalidValue, cudaDeviceGetByPCIBusId(NULL, text));
  conform_expect(cudaErrorInvalidValue, cudaDeviceGetByPCIBusId(&found, NULL));
  conform_expect(cudaErrorInvalidValue, cudaDeviceGetPCIBusId(NULL, 64, 0));
  conform_expect(cudaErrorInvalidDevice, cudaDeviceGetPCIBusId(text, 64, count));
  conform_expect(cudaErrorInvalidValue, cudaDeviceGetPCIBusId(NULL, 64, count));
  conform_expect(cudaErrorInvalidDevice, cudaDeviceGetPCIBusId(text, 0, count));
  conform_expect(cudaErrorInvalidValue, cudaDeviceGetByPCIBusId(&found, "nonsense"));
  conform_expect(cudaErrorInvalidValue, cudaDeviceGetByPCIBusId(&found, ""));
  conform_expect(cudaErrorInvalidValue, cudaDeviceGetByPCIBusId(&found, "fe:1e"));
  conform_expect(cudaErrorInvalidDevice, cudaDeviceGetByPCIBusId(&found, "fe:1e.0"));
  conform_expect(cudaErrorInvalidDevice, cudaDeviceGetByPCIBusId(&found, "0ffe:fe:1e.0"));
  conform_true(found == -7);
}

/* Of the forms of a place the function may be left out where there is a domain. */
static void a_place_without_its_function(void) {
  char text[64] = "";
  int found = -7;
  conform_succeed(cudaDeviceGetPCIBusId(text, sizeof text, 0));
  char *function = strchr(text, '.');
  conform_true(function != NULL && function[1] == '0');
  if (function != NULL)
    *function = 0;
  conform_succeed(cudaDeviceGetByPCIBusId(&found, text));
  conform_true(found == 0);
}

static void a_reset_frees_and_leaves_the_device_usable(void) {
  char sent[64] = "after the reset", seen[64] = "";
  void *before = NULL, *after = NULL;
  size_t left = 0, total = 0;
  conform_succeed(cudaSetDevice(0));
  conform_succeed(cudaMalloc(&before, 1 << 20));
  conform_succeed(cudaMemset(before, 1, 1 << 20));
  conform_succeed(cudaDeviceReset());
  conform_expect(cudaErrorInvalidValue, cudaMemcpy(seen, before, 64, cudaMemcpyDeviceToHost));
  conform_expect(cudaErrorInvalidValue, cudaFree(before));
  conform_succeed(cudaMalloc(&after, 64));
  conform_succeed(cudaMemcpy(after, sent, 64, cudaMemcpyHostToDevice));
  conform_succeed(cudaMemcpy(seen, after, 64, cudaMemcpyDeviceToHost));
  conform_true(strcmp(sent, seen) == 0);
  conform_succeed(cudaMemGetInfo(&left, &total));
  conform_true(left <= total);
  conform_succeed(cudaDeviceReset());
  conform_succeed(cudaDeviceReset());
  conform_succeed(cudaDeviceSynchronize());
}

#ifdef VPTR_CUDA_RUNTIME_API_H
static void *see_default(void *device_out) {
  conform_succeed(cudaGetDevice(device_out));
  return NULL;
}

/* What a thread of its own begins with: a device that was chosen stays with the thread that chose it. */
static int default_of_a_thread(void) {
  pthread_t thread;
  int device = -7;
  if (pthread_create(&thread, NULL, see_default, &device) == 0)
    pthread_join(thread, NULL);
  return device;
}

static void threads_begin_with_the_first_valid_device(void) {
  int last_first[] = { count - 1, 0 }, wrong = count;
  conform_succeed(cudaSetValidDevices(last_first, 1));
  conform_true(default_of_a_thread() == count - 1);
  conform_expect(cudaErrorInvalidDevice, cudaSetValidDevices(&wrong, 1));
  conform_expect(cudaErrorInvalidValue, cudaSetValidDevices(NULL, 1));
  conform_expect(cudaErrorInvalidValue, cudaSetValidDevices(last_first, count + 1));
  conform_true(default_of_a_thread() == count - 1);
  conform_succeed(cudaSetValidDevices(NULL, 0));
  conform_true(default_of_a_thread() == 0);
}

/* What CUDA 13 removed. */
static void former_names_work(void) {
  enum cudaFuncCache cache;
  enum cudaSharedMemConfig banks;
  size_t value = 0;
  conform_succeed(cudaThreadSynchronize());
  conform_succeed(cudaThreadSetLimit(cudaLimitStackSize, 2048));
  conform_succeed(cudaThreadGetLimit(&value, cudaLimitStackSize));
  conform_true(value == 2048);
  conform_succeed(cudaThreadGetCacheConfig(&cache));
  conform_succeed(cudaThreadSetCacheConfig(cudaFuncCachePreferEqual));
  conform_succeed(cudaDeviceGetSharedMemConfig(&banks));
  conform_true(banks == cudaSharedMemBankSizeFourByte);
  conform_succeed(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
  conform_expect(cudaErrorInvalidValue, cudaDeviceSetSharedMemConfig((enum cudaSharedMemConfig)9));
  conform_succeed(cudaThreadSetLimit(cudaLimitMallocHeapSize, 16 << 20));
  conform_succeed(cudaThreadGetLimit(&value, cudaLimitMallocHeapSize));
  conform_true(value == 16 << 20);
  conform_succeed(cudaThreadExit());
  conform_succeed(cudaThreadGetLimit(&value, cudaLimitStackSize));
  conform_true(value == 1024);
}
#endif

int main(void) {
  conform_succeed(cudaGetDeviceCount(&count));
#ifdef VPTR_CUDA_RUNTIME_API_H
  threads_begin_with_the_first_valid_device();
#endif
  wishes_choose_a_device();
  a_device_is_opened_ahead();
  peers_are_told();
  flags_are_kept();
  limits_are_told();
  caches_take_wishes();
  a_place_on_the_bus_names_its_device();
  a_place_without_its_function();
  a_reset_frees_and_leaves_the_device_usable();
#ifdef VPTR_CUDA_RUNTIME_API_H
  former_names_work();
#endif
  return conform_done("conform_devices");
}
