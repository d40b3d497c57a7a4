/* SPDX-License-Identifier: MIT */
/*
 * lost - which devices take no more work, and how that is found out (lost.h).
 *
 * The static variables are atomic, and there is no lock: `lost_by` has the first error of each device, `lost_at` which
 * generation of the device had it (after vptr_migrate_lost() there is another), and `any` says whether there ever was
 * one. A loss ends the epoch (mapper/registry.h). vptr__cuda_poll_failure() has what kernels printed written, under the
 * lock of module/print.c, of rank ARRAY. Called by error.c after a failure of the kind that may take a device along; by
 * stream.c, for all calls that need the device; by library/call.c, for those of cuBLAS and its kin; by launch.c, whose
 * launch failed; by copy.c, before it copies; by batch.c, copy.c, stream.c, event.c, device.c and memory.c, which look
 * for failed asserts after a wait; and by reset.c. A device that is asked is opened if it is not open, handed a command
 * and flushed, and not waited for; vptr__cuda_forget_loss() waits for its work (module/assert.c).
 */
#include "cuda/lost.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/hot.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/thread.h"
#include "device/device.h"
#include "mapper/mapper.h"
#include "module/module.h"

#include <vptr/cuda/cuda_runtime_api.h>

static atomic_bool any;
static _Atomic(cudaError_t) lost_by[VPTR__MOST_DEVICES]; /* cudaSuccess: it is not */
static _Atomic(uint64_t) lost_at[VPTR__MOST_DEVICES]; /* the device's generation then: after vptr_migrate_lost() it is
                                                            another one */

static uint64_t generation_of(int ordinal) {
  const vptr_mapper *mapper = vptr__mapper_made(ordinal);
  return mapper != NULL ? mapper->device->generation : 0;
}

/* The first error of a device stays; one of a device that was left does not. */
static void lose(int ordinal, cudaError_t error) {
  const uint64_t now = generation_of(ordinal);
  cudaError_t none = cudaSuccess;
  if (atomic_exchange(&lost_at[ordinal], now) != now)
    atomic_store(&lost_by[ordinal], error);
  else
    atomic_compare_exchange_strong(&lost_by[ordinal], &none, error);
}

static cudaError_t lost_on(int device) {
  return generation_of(device) == atomic_load(&lost_at[device]) ? atomic_load(&lost_by[device]) : cudaSuccess;
}

VPTR__HOT cudaError_t vptr__cuda_lost(void) {
  if (!atomic_load_explicit(&any, memory_order_relaxed))
    return cudaSuccess;
  return lost_on(vptr__cuda_current_device());
}

VPTR__HOT cudaError_t vptr__cuda_refuse_lost_device(int device) {
  if (!atomic_load_explicit(&any, memory_order_relaxed))
    return cudaSuccess;
  cudaError_t error = lost_on(device);
  if (error != cudaSuccess)
    vptr__error(VPTR_ERROR_OPENCL,
                "device %d takes no more work since a command failed there (%s): call cudaDeviceReset(), or end the "
                "process if that does not help",
                device, cudaGetErrorName(error));
  return error;
}

cudaError_t vptr__cuda_refuse_lost(void) {
  return vptr__cuda_refuse_lost_device(vptr__cuda_current_device());
}

/* Nobody goes on by what it was told before. */
static void set_any(void) {
  atomic_store(&any, true);
  vptr__epoch_end();
}

/* Drivers refuse at once what they send to a ruined context, so there is nothing to wait for; and what may be pending
 * could wait for the very thread that asks. */
static bool is_device_working(vptr__device *device) {
  return device->ops->queue.enqueue_barrier(device, device->cl_queue, 0, NULL, NULL) == VPTR_SUCCESS &&
         device->ops->queue.flush(device, device->cl_queue) == VPTR_SUCCESS;
}

void vptr__cuda_classify_device(cudaError_t error) {
  vptr_mapper *mapper;
  int device = vptr__cuda_current_device();
  vptr__error_try();
  if (vptr__mapper_for_device(device, &mapper) == VPTR_SUCCESS && !is_device_working(mapper->device)) {
    lose(device, error);
    set_any();
  }
  vptr__error_tried(VPTR_SUCCESS);
}

void vptr__cuda_forget_loss(void) {
  vptr__launch_forget_asserts(vptr__cuda_current_device()); /* first: who hears of one meanwhile is forgotten too */
  atomic_store(&lost_by[vptr__cuda_current_device()], cudaSuccess);
}

VPTR__HOT cudaError_t vptr__cuda_poll_failure(cudaError_t error, int ordinal) {
  vptr__print_flush(ordinal);
  if (error != cudaSuccess)
    return error;
  int code = vptr__launch_failed_assert(ordinal);
  if (code == 0)
    return cudaSuccess;
  vptr__print_flush_failure(ordinal);
  lose(ordinal, (cudaError_t)code);
  const cudaError_t first = atomic_load(&lost_by[ordinal]);
  set_any();
  vptr__error(VPTR_ERROR_OPENCL, "device %d: %s in a kernel; cudaDeviceReset() makes it work again", ordinal,
              first == cudaErrorAssert ? "an assert() failed" : "a __trap() was met");
  return first;
}
