/* SPDX-License-Identifier: MIT */
/*
 * shape - whether a launch fits: grid, block and shared memory against what the device and the kernel have.
 *
 * Limits of grids are CUDA's (programming guide, table of technical specifications), since no device of OpenCL has any
 * of its own but the width of an address. Those of blocks are the device's, and the kernel's as the driver tells them.
 * It has no locks, and no data of its own but constants, the static `most_blocks` with CUDA's limits of grids among
 * them; it is the one to set a function's `dynamic_limit` and `wishes` (state.h), which are atomic. Called by launch.c
 * for each launch, and by program.c, chain.c and cudart/cuda/function.c, which ask for limits; the latter sets one,
 * too; and by cudart/graph/captured_work.c and replay/work_of.c, for nodes of graphs. Nothing blocks.
 */
#include "module/state.h"

#include "base/error.h"
#include "base/hot.h"
#include "base/number.h"

static const uint32_t most_blocks[3] = { INT32_MAX, 65535, 65535 };

static const char axis[] = "xyz";

static vptr_status check_grid(const vptr__function *function, vptr__launch *launch) {
  launch->fault = VPTR__LAUNCH_SHAPE;
  for (int i = 0; i < 3; i++)
    if (launch->grid[i] == 0 || launch->grid[i] > most_blocks[i])
      return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                         "%s: kernel %s: a grid of %u blocks in %c; 1 to %u are possible", launch->what,
                         function->image->name, launch->grid[i], axis[i], most_blocks[i]);
  return VPTR_SUCCESS;
}

static vptr_status check_block(const vptr__function *function, const vptr__device *device, vptr__launch *launch) {
  launch->fault = VPTR__LAUNCH_SHAPE;
  for (int i = 0; i < 3; i++)
    if (launch->block[i] == 0 || launch->block[i] > device->max_items[i])
      return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                         "%s: kernel %s: a block of %u threads in %c; 1 to %zu are possible", launch->what,
                         function->image->name, launch->block[i], axis[i], device->max_items[i]);
  uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
  if (threads > device->max_group)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: kernel %s: a block of %ux%ux%u threads; %s has room for %zu",
                       launch->what, function->image->name, launch->block[0], launch->block[1], launch->block[2],
                       device->name, device->max_group);
  return VPTR_SUCCESS;
}

/* What a driver has there besides: its own calls, and of each thread what is kept from one barrier to the next. */
enum { STACK_SPARED = 64 << 10, SPARED_EACH = 64 };

static size_t stack_room(const vptr__device *device) {
  return device->quirk.stack_bytes > STACK_SPARED ? device->quirk.stack_bytes - STACK_SPARED : 0;
}

size_t vptr__stack_threads(const vptr__device *device, const vptr__image_kernel *image) {
  if (device->quirk.stack_bytes == 0)
    return SIZE_MAX;
  if (image->has_loops && device->tuning.loops_over_threads) /* one thread's, and an element of each array for all */
    return image->private_bytes < SIZE_MAX / 2 && image->private_bytes + image->loops_bytes <= stack_room(device)
               ? SIZE_MAX
               : 0;
  if (image->private_bytes == 0)
    return SIZE_MAX;
  if (image->private_bytes > SIZE_MAX - SPARED_EACH)
    return 0;
  if (image->runs_threads) /* what they have is in one array */
    return image->private_bytes <= stack_room(device) ? SIZE_MAX : 0;
  return stack_room(device) / ((size_t)image->private_bytes + SPARED_EACH);
}

static vptr_status refuse_private(const vptr__function *function, const vptr__kernel *kernel,
                                  const vptr__launch *launch, uint64_t threads) {
  return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                     "%s: kernel %s: the arrays of %llu threads, of %llu bytes each, do not fit on the stack of %zu "
                     "bytes on which %s has "
                     "those of a block: there is room for %zu threads (launch fewer in a block, make the arrays "
                     "smaller or put them in "
                     "global memory, or raise the stack by ulimit -s before the program starts)",
                     launch->what, function->image->name, (unsigned long long)threads,
                     (unsigned long long)function->image->private_bytes, kernel->mapper->device->quirk.stack_bytes,
                     kernel->mapper->device->name, kernel->stack_threads);
}

static vptr_status check_threads(const vptr__function *function, const vptr__kernel *kernel, vptr__launch *launch) {
  uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
  size_t most = function->image->max_threads > 0 && function->image->max_threads < kernel->limits.group
                    ? function->image->max_threads
                    : kernel->limits.group;
  launch->fault = most == kernel->limits.group ? VPTR__LAUNCH_RESOURCES : VPTR__LAUNCH_SHAPE;
  if (threads <= most)
    return VPTR_SUCCESS;
  if (most == kernel->stack_threads)
    return refuse_private(function, kernel, launch, threads);
  return vptr__error(
      VPTR_ERROR_INVALID_ARGUMENT, "%s: kernel %s: a block of %llu threads; this kernel can have %zu (%s)",
      launch->what, function->image->name, (unsigned long long)threads, most,
      most == kernel->limits.group ? "its registers and memory allow no more" : "its __launch_bounds__");
}

/* ---- shared memory -------------------------------------------------------------------------------------- */

static size_t room_for_dynamic(const vptr__function *function, const vptr__device *device) {
  return device->local_bytes > function->image->shared ? (size_t)device->local_bytes - function->image->shared : 0;
}

size_t vptr__function_dynamic_limit(const vptr__function *function, vptr_mapper *mapper) {
  size_t room = function->module->image->is_code ? 0 : room_for_dynamic(function, mapper->device);
  size_t set = atomic_load_explicit(&function->dynamic_limit, memory_order_relaxed);
  if (set == SIZE_MAX)
    set = function->image->shared < VPTR__PLAIN_SHARED ? VPTR__PLAIN_SHARED - function->image->shared : 0;
  return vptr__smaller(set, room);
}

vptr_status vptr__function_set_dynamic_limit(vptr__function *function, vptr_mapper *mapper, size_t bytes) {
  size_t room = room_for_dynamic(function, mapper->device);
  if (bytes > room)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "kernel %s: %zu bytes of dynamic shared memory; %s has %llu, and the kernel itself takes %u",
                       function->image->name, bytes, mapper->device->name,
                       (unsigned long long)mapper->device->local_bytes, function->image->shared);
  atomic_store_explicit(&function->dynamic_limit, bytes, memory_order_relaxed);
  return VPTR_SUCCESS;
}

/* Each size is built, so sizes are rounded: to eight steps from one power of two to the next. What does not fit at all
 * is refused by the check, whatever was built. */
size_t vptr__launch_shared(const vptr__function *function, const vptr__device *device, size_t shared) {
  enum { LEAST_STEP = 256, STEPS = 8 };
  size_t room = room_for_dynamic(function, device), power = LEAST_STEP * STEPS;
  if (shared == 0 || shared > room || !function->module->image->is_ptx || !function->image->has_shared)
    return 0;
  while (power <= shared / 2)
    power *= 2;
  return vptr__smaller(vptr__align_up(shared, power / STEPS), room);
}

static vptr_status check_shared(const vptr__function *function, vptr_mapper *mapper, vptr__launch *launch) {
  size_t most = vptr__function_dynamic_limit(function, mapper);
  launch->fault = VPTR__LAUNCH_SHARED;
  if (launch->shared <= most)
    return VPTR_SUCCESS;
  return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                     "%s: kernel %s: %zu bytes of dynamic shared memory; it may have %zu beside its own %u "
                     "(cudaFuncSetAttribute() raises that where the device has more)",
                     launch->what, function->image->name, launch->shared, most, function->image->shared);
}

/* What needs no kernel, which the device's driver may have to build first. */
vptr_status vptr__function_check_shape(const vptr__function *function, vptr_mapper *mapper, vptr__launch *launch) {
  const uint32_t most = function->image->max_threads;
  const uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
  vptr_status status = check_grid(function, launch);
  if (status == VPTR_SUCCESS)
    status = check_block(function, mapper->device, launch);
  if (status == VPTR_SUCCESS && most > 0 && threads > most)
    status = vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                         "%s: kernel %s: a block of %llu threads; its __launch_bounds__ allow %u", launch->what,
                         function->image->name, (unsigned long long)threads, most);
  if (status == VPTR_SUCCESS)
    status = check_shared(function, mapper, launch);
  if (status == VPTR_SUCCESS)
    launch->fault = VPTR__LAUNCH_FITS;
  return status;
}

/* Nearly every launch fits: that is seen in one go, and only the others are looked at axis by axis, for the words. */
VPTR__HOT static bool fits_plainly(const vptr__kernel *kernel, const vptr__launch *launch) {
  const uint32_t *grid = launch->grid, *block = launch->block;
  const vptr__device *device = kernel->mapper->device;
  for (int i = 0; i < 3; i++)
    if (grid[i] - 1 >= most_blocks[i] || (size_t)block[i] - 1 >= device->max_items[i] ||
        block[i] > kernel->most_threads)
      return false;
  uint64_t plane = (uint64_t)block[0] * block[1];
  return plane <= kernel->most_threads && plane * block[2] <= kernel->most_threads && launch->shared == 0;
}

VPTR__HOT vptr_status vptr__launch_check(const vptr__function *function, const vptr__kernel *kernel,
                                         vptr__launch *launch) {
  if (fits_plainly(kernel, launch)) {
    launch->fault = VPTR__LAUNCH_FITS;
    return VPTR_SUCCESS;
  }
  vptr_status status = check_grid(function, launch);
  if (status == VPTR_SUCCESS)
    status = check_block(function, kernel->mapper->device, launch);
  if (status == VPTR_SUCCESS)
    status = check_threads(function, kernel, launch);
  if (status == VPTR_SUCCESS)
    status = check_shared(function, kernel->mapper, launch);
  if (status == VPTR_SUCCESS)
    launch->fault = VPTR__LAUNCH_FITS;
  return status;
}

/* ---- wishes --------------------------------------------------------------------------------------------- */

void vptr__function_wish(vptr__function *function, unsigned which, int value) {
  atomic_store(&function->wishes[which], value);
}

int vptr__function_wished(const vptr__function *function, unsigned which) {
  return atomic_load(&function->wishes[which]);
}
