/* SPDX-License-Identifier: MIT */
/*
 * device - counting, choosing and waiting for devices; see device.h.
 *
 * cudaSetDevice() opens the device, as CUDA's does since 12: programs call it where they can afford the second that a
 * driver may take, and time what comes after. No lock of its own. The thread-local vptr__cuda_mine (thread.h), which is
 * defined here, has the thread's current device; `default_device`, that of threads that have chosen none, and
 * `is_used`, which devices were used, are static and atomic. To open a device takes the registry's lock of rank BIRTH
 * (mapper/registry.c). Called by programs; by the files of lib/cudart/replay, and of lib/driver, which count devices,
 * make those of contexts current and wait; by cublas/handle.c, cufft/make.c, curand/discrete.c and generator.c,
 * cusparse/handle.c and cusolver/handle.c, for the current device; and by nearly every file of this folder, which ask
 * for the current device or its mapper. cudaDeviceSynchronize() waits for all of the device's work, and looks then for
 * modules that were given up behind it; what opens a device blocks while the driver starts.
 */
#include "cuda/device.h"

#include <stdatomic.h>
#include <string.h>

#include "base/error.h"
#include "base/hot.h"
#include "cuda/error.h"
#include "cuda/lost.h"
#include "cuda/property.h"
#include "cuda/setting.h"
#include "mapper/request.h"
#include "cuda/stream.h"
#include "cuda/thread.h"
#include "cuda/unit.h"
#include "graph/capture.h"
#include "device/device.h"
#include "mapper/mapper.h"
#include "module/leaving.h"
#include "pool/pool.h"

#include <vptr/cuda/cuda_runtime_api.h>

_Thread_local vptr__cuda_thread vptr__cuda_mine;
static atomic_bool is_used[VPTR__MOST_DEVICES];

/* What a thread that has not chosen has: the first of cudaSetValidDevices(). */
static atomic_int default_device;

/* The list itself says what is missing; it is asked only when there is nothing to count. */
VPTR__HOT cudaError_t vptr__cuda_device_exists(void) {
  if (vptr__device_count() > 0)
    return cudaSuccess;
  const vptr__device_entry *entries;
  int count;
  vptr_status status = vptr__device_list(&entries, &count);
  return vptr__cuda_from_status(status != VPTR_SUCCESS ? status : VPTR_ERROR_NO_DEVICE);
}

cudaError_t vptr__cuda_no_such_device(const char *call, int ordinal) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
              "%s: there is no device %d, ordinals are 0 to %d; VPTR_PLATFORM, VPTR_DEVICE and CUDA_VISIBLE_DEVICES "
              "choose the devices (see vptr-info)",
              call, ordinal, vptr__device_count() - 1);
  return cudaErrorInvalidDevice;
}

int vptr__cuda_current_device(void) {
  int chosen = vptr__cuda_mine.chosen;
  return chosen != 0 ? chosen - 1 : atomic_load(&default_device);
}

/* Written once for each thread and device: calls are frequent, and the flags are shared. */
static void mark_device_used(int device) {
  if (vptr__cuda_mine.entered == device + 1)
    return;
  vptr__cuda_mine.entered = device + 1;
  atomic_store(&is_used[device], true);
}

/* Not while units wait for memory: each call tries to register them. */
static void cache_mapper(vptr_mapper *mapper, unsigned epoch) {
  if (vptr__cuda_unit_waits())
    return;
  vptr__cuda_mine.mapper = mapper;
  vptr__cuda_mine.stream = NULL;
  vptr__cuda_mine.epoch = epoch;
}

/* The thread's current device is another one from now on, or is not in use. */
static void put_away(void) {
  vptr__cuda_mine.mapper = NULL;
  vptr__cuda_mine.stream = NULL;
}

/* The epoch is read before anything is asked: what changes meanwhile is asked again next time. */
static cudaError_t find_mapper(vptr_mapper **mapper_out) {
  unsigned epoch = vptr__epoch_now();
  int device = vptr__cuda_current_device();
  cudaError_t error = vptr__cuda_permitted();
  if (error == cudaSuccess)
    error = vptr__cuda_from_status(vptr__mapper_for_device(device, mapper_out));
  if (error != cudaSuccess)
    return error;
  mark_device_used(device);
  cache_mapper(*mapper_out, epoch);
  return cudaSuccess;
}

VPTR__HOT cudaError_t vptr__cuda_current_mapper(vptr_mapper **mapper_out) {
  vptr_mapper *mapper = vptr__cuda_at_hand();
  if (mapper == NULL)
    return find_mapper(mapper_out);
  *mapper_out = mapper;
  return cudaSuccess;
}

int vptr__cuda_entered_device(void) {
  return vptr__cuda_mine.entered - 1;
}

cudaError_t vptr__cuda_enter_device(int ordinal) {
  vptr_mapper *mapper;
  cudaError_t error = vptr__cuda_from_status(vptr__mapper_for_device(ordinal, &mapper));
  if (error == cudaSuccess)
    vptr__cuda_mine.chosen = vptr__cuda_mine.entered = ordinal + 1;
  put_away();
  return error;
}

void vptr__cuda_leave_device(void) {
  vptr__cuda_mine.entered = 0;
  put_away();
}

bool vptr__cuda_device_is_used(int ordinal) {
  return atomic_load(&is_used[ordinal]);
}

void vptr__cuda_forget_use(int ordinal) {
  atomic_store(&is_used[ordinal], false);
  if (vptr__cuda_mine.entered == ordinal + 1)
    vptr__cuda_leave_device();
}

cudaError_t vptr__cuda_check_ordinal(const char *call, int device) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  return device >= 0 && device < vptr__device_count() ? cudaSuccess : vptr__cuda_no_such_device(call, device);
}

static cudaError_t open_device(const char *call, int device) {
  cudaError_t error = vptr__cuda_check_ordinal(call, device);
  if (error != cudaSuccess)
    return error;
  vptr_mapper *mapper;
  return vptr__cuda_from_status(vptr__mapper_for_device(device, &mapper));
}

static cudaError_t get_count(int *count) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  if (count == NULL)
    return vptr__cuda_null_output("cudaGetDeviceCount", "count");
  *count = vptr__device_count();
  return cudaSuccess;
}

static cudaError_t get_current(int *device) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  if (device == NULL)
    return vptr__cuda_null_output("cudaGetDevice", "device");
  *device = vptr__cuda_current_device();
  return cudaSuccess;
}

static cudaError_t set_current(int device) {
  cudaError_t error = open_device("cudaSetDevice", device);
  if (error == cudaSuccess) {
    vptr__cuda_mine.chosen = device + 1;
    put_away();
    mark_device_used(device);
  }
  return error;
}

/* ---- which device a thread without one has -------------------------------------------------------------- */

/* CUDA tries a list of devices in turn, for the case that some are in exclusive use; no device of vptr's can be, so the
 * first one it is. */
static cudaError_t set_valid(const int *devices, int count) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  if (count < 0 || count > vptr__device_count() || (devices == NULL && count > 0)) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "cudaSetValidDevices: %d devices at %p; there are %d", count,
                (const void *)devices, vptr__device_count());
    return cudaErrorInvalidValue;
  }
  for (int i = 0; i < count && error == cudaSuccess; i++)
    error = vptr__cuda_check_ordinal("cudaSetValidDevices", devices[i]);
  if (error != cudaSuccess)
    return error;
  atomic_store(&default_device, count > 0 ? devices[0] : 0);
  vptr__epoch_end();
  return error;
}

/* How many of the wishes in wanted a device grants. What is 0 is not wished for. */
static int score_device(const struct cudaDeviceProp *wanted, const struct cudaDeviceProp *has) {
  int capability = wanted->major * 10 + wanted->minor;
  int granted = 0;
  granted += capability > 0 && has->major * 10 + has->minor >= capability;
  granted += wanted->totalGlobalMem > 0 && has->totalGlobalMem >= wanted->totalGlobalMem;
  granted += wanted->sharedMemPerBlock > 0 && has->sharedMemPerBlock >= wanted->sharedMemPerBlock;
  granted += wanted->maxThreadsPerBlock > 0 && has->maxThreadsPerBlock >= wanted->maxThreadsPerBlock;
  granted += wanted->multiProcessorCount > 0 && has->multiProcessorCount >= wanted->multiProcessorCount;
  granted += wanted->clockRate > 0 && has->clockRate >= wanted->clockRate;
  granted += wanted->totalConstMem > 0 && has->totalConstMem >= wanted->totalConstMem;
  granted += wanted->name[0] != '\0' && strncmp(wanted->name, has->name, sizeof has->name) == 0;
  return granted;
}

static cudaError_t choose_device(int *device, const struct cudaDeviceProp *prop) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  if (device == NULL || prop == NULL)
    return vptr__cuda_null_output("cudaChooseDevice", device == NULL ? "device" : "prop");
  int best = 0, best_score = -1;
  for (int ordinal = 0; ordinal < vptr__device_count(); ordinal++) {
    struct cudaDeviceProp has;
    error = vptr__cuda_get_properties(&has, ordinal);
    if (error != cudaSuccess)
      return error;
    int scored = score_device(prop, &has);
    if (scored > best_score) {
      best = ordinal;
      best_score = scored;
    }
  }
  *device = best;
  return cudaSuccess;
}

/* Other bits of flags are not looked at, as CUDA 13.0 was seen to do. */
static cudaError_t init_device(int device, unsigned deviceFlags, unsigned flags) {
  cudaError_t error = vptr__cuda_check_ordinal("cudaInitDevice", device);
  if (error == cudaSuccess && (flags & cudaInitDeviceFlagsAreValid) != 0)
    error = vptr__cuda_set_flags("cudaInitDevice", device, deviceFlags);
  return error == cudaSuccess ? open_device("cudaInitDevice", device) : error;
}

/* ---- waiting, versions ---------------------------------------------------------------------------------- */

static cudaError_t wait_for_current(void) {
  vptr_mapper *mapper;
  cudaError_t error = vptr__cuda_current_mapper(&mapper);
  if (error == cudaSuccess && vptr__captures_any())
    error = vptr__capture_refuse_all("cudaDeviceSynchronize", mapper);
  if (error != cudaSuccess)
    return error;
  vptr__pool_before_wait(mapper, NULL);
  error = vptr__cuda_from_status(vptr__stream_synchronize_all(mapper));
  vptr__leaving_look();
  vptr__pool_after_wait(mapper);
  vptr__request_look(mapper);
  return vptr__cuda_poll_failure(error, mapper->device->ordinal);
}

static cudaError_t get_version(const char *call, int *version) {
  if (version == NULL)
    return vptr__cuda_null_output(call, "the version");
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count) {
  return vptr__cuda_record(get_count(count));
}

cudaError_t cudaGetDevice(int *device) {
  return vptr__cuda_record(get_current(device));
}

cudaError_t cudaSetDevice(int device) {
  return vptr__cuda_record(set_current(device));
}

cudaError_t cudaSetValidDevices(int *device_arr, int len) {
  return vptr__cuda_record(set_valid(device_arr, len));
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop) {
  return vptr__cuda_record(choose_device(device, prop));
}

cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags) {
  return vptr__cuda_record(init_device(device, deviceFlags, flags));
}

cudaError_t cudaDeviceSynchronize(void) {
  return vptr__cuda_record(wait_for_current());
}

cudaError_t cudaThreadSynchronize(void) {
  return cudaDeviceSynchronize();
}

cudaError_t cudaRuntimeGetVersion(int *runtimeVersion) {
  return vptr__cuda_record(get_version("cudaRuntimeGetVersion", runtimeVersion));
}

cudaError_t cudaDriverGetVersion(int *driverVersion) {
  return vptr__cuda_record(get_version("cudaDriverGetVersion", driverVersion));
}
