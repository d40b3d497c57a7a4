/* SPDX-License-Identifier: MIT */
/*
 * migrate - vptr_migrate(): a mapper goes to another device.
 *
 * The mapper's device is a proxy then (device/proxy.h), and the exchange happens there, with all that was made on the
 * device: the mapper itself has little to change. Its addresses, the heap, streams and events do not notice.
 *
 *     device/proxy_move.c   all objects of the device, and their bytes
 *     heap/exchange.c       the device's addresses of buffers
 *     texel_table.c         the same in what kernels read of textures
 *     standby.c             the device that comes, and the one that is left: opened, closed, or kept open
 *
 * The file owns nothing; of the mapper it changes `device`, which is atomic. While the exchange goes on it holds
 * mapper->texel_table.lock, of rank MAPPING, and vptr__heap.lock, of rank HEAP: is_ready(), which proxy_move.c calls,
 * tries for both and does not wait, and moved() or is_off() gives them back. vptr_migrate_lost() takes the heap's lock
 * for moments. Called by programs; and by standby.c, which says why a mapper stays. It waits for all work of the
 * mapper, and for the copies.
 */
#include "mapper/mapper.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"

static bool is_ready(void *context) {
  vptr_mapper *mapper = context;
  if (!vptr__lock_try(&mapper->texel_table.lock))
    return false;
  if (vptr__heap_try_lock(mapper->heap))
    return true;
  vptr__lock_give(&mapper->texel_table.lock);
  return false;
}

static void give_locks(vptr_mapper *mapper) {
  vptr__heap_give_lock(mapper->heap);
  vptr__lock_give(&mapper->texel_table.lock);
}

static void is_off(void *context) {
  give_locks(context);
}

static void moved(vptr__device *face, void *context) {
  vptr_mapper *mapper = context;
  vptr__texel_table_relocate(mapper, face);
  vptr__heap_change_device(mapper->heap, face);
  atomic_store(&mapper->device, face);
  give_locks(mapper);
}

vptr_status vptr__mapper_refuse_move(const vptr_mapper *mapper, const char *what) {
  return vptr__error(VPTR_ERROR_UNSUPPORTED,
                     "%s: the mapper on %s was made to stay: make it with VPTR_CONFIG_MIGRATE, or set "
                     "VPTR_MIGRATE=1 for the whole program",
                     what, mapper->device->name);
}

static void is_lost(vptr__device *device, bool is_used, void *context) {
  vptr__standby_forget(&((vptr_mapper *)context)->standby, device);
  if (!is_used)
    vptr__device_close(device);
}

static void is_left(vptr__device *device, bool is_used, void *context) {
  if (is_used)
    is_lost(device, is_used, context);
  else
    vptr__standby_give(&((vptr_mapper *)context)->standby, device);
}

/* What the two public calls differ by. */
typedef struct way {
  const char *name;
  vptr_status (*exchange)(vptr__device *device, vptr__device *next, const vptr__mover *mover);
  void (*left)(vptr__device *device, bool is_used, void *context);
} way;

static const way as_it_is = { "vptr_migrate", vptr__device_exchange, is_left };
static const way what_is_left = { "vptr_migrate_lost", vptr__device_abandon, is_lost };

static vptr_status exchange_device(vptr_mapper *mapper, vptr__device *next, const way *way) {
  const vptr__mover mover = { is_ready, is_off, moved, way->left, &mapper->standby.ring, mapper };
  vptr__device *before = mapper->device;
  const uint64_t began = vptr__clock_ns();
  vptr__error_try();
  vptr_status status = vptr__error_tried(way->exchange(before, next, &mover));
  if (status == VPTR_SUCCESS)
    vptr__log(VPTR__LOG_DECISION, "the mapper went from %s (%s) to %s (%s): %.3f s", before->name, before->platform,
              next->name, next->platform, (double)(vptr__clock_ns() - began) / 1e9);
  return status;
}

static vptr_status migrate(vptr_mapper *mapper, cl_device_id device, const way *way) {
  vptr__device *next;
  if (mapper->device->proxy == NULL)
    return vptr__mapper_refuse_move(mapper, way->name);
  vptr_status status = vptr__standby_open(&mapper->standby, device, &next);
  if (status != VPTR_SUCCESS)
    return status;
  status = exchange_device(mapper, next, way);
  if (status != VPTR_SUCCESS)
    vptr__standby_give(&mapper->standby, next);
  return status;
}

vptr_status vptr_migrate(vptr_mapper *mapper, cl_device_id device) {
  vptr_status status = VPTR_SUCCESS;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  return meant != NULL ? migrate(meant, device, &as_it_is) : status;
}

/* ---- what was lost -------------------------------------------------------------------------------------- */

static void tell_losses(vptr_mapper *mapper, void (*lost)(const vptr_location *allocation, void *context),
                        void *context) {
  vptr_location location;
  uintptr_t from = 0;
  while (vptr__heap_next(mapper->heap, from, &location)) {
    from = (uintptr_t)location.base + 1;
    location.buffer = NULL;
    if (vptr__heap_has_lost(mapper->heap, location.base))
      lost(&location, context);
  }
}

vptr_status vptr_migrate_lost(vptr_mapper *mapper, cl_device_id device,
                              void (*lost)(const vptr_location *allocation, void *context), void *context) {
  vptr_status status = VPTR_SUCCESS;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  if (meant == NULL)
    return status;
  status = migrate(meant, device, &what_is_left);
  if (status == VPTR_SUCCESS && lost != NULL)
    tell_losses(meant, lost, context);
  return status;
}
