/* SPDX-License-Identifier: MIT */
/*
 * mapper - see mapper.h: how a mapper begins and ends, and the OpenCL objects it stands on.
 *
 * A vptr_mapper is made and freed here; the file has no variables. It initialises the mapper's locks, and takes none of
 * them itself: `mapping_lock`, of rank MAPPING, is for transfer/access.c and checkpoint/taker.c, `stream_lock`, of rank
 * STREAM, for lib/vptr/stream, and those of its translation table and its texel table, of rank MAPPING, are for
 * translation_table.c, texel_table.c and migrate.c. To make and to destroy a mapper takes `lock` of registry.c, of rank
 * REGISTRY, and to destroy one the locks of the subsystems that it ends. registry.c holds its `birth`, of rank BIRTH,
 * when it calls vptr__mapper_open().
 *
 * Called by programs; by registry.c, which makes the default mappers; by stream/stream.c, which names its queues; and
 * by cudart/cuda/reset.c, cudart/pinned/pinned.c and region.c, and cudart/usm/transfer.c, for vptr_finish(). Where
 * allocations may leave the device, heap/residence_move.c and placed.c come here by the heap's configuration (heap.h),
 * without its lock, to ask for room and to move bytes. migrate.c exchanges `device`, with the locks of the texel table
 * and of the heap held. Making a mapper blocks while the driver starts; vptr_finish(), destroying a mapper, and naming
 * its first queue or dropping one wait for the device. vptr_finish() also serves a checkpoint that a signal asked for
 * (request.h), under the lock of checkpoint/kept.c, of rank CHECKPOINT, and blocks as long: so its callers hold no
 * lock.
 */
#include "mapper/mapper.h"

#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/option.h"
#include "base/resident.h"
#include "base/waiting.h"
#include "mapper/reclaim.h"
#include "mapper/registry.h"
#include "mapper/request.h"
#include "space/reservation.h"

enum { LEAST_ALIGNMENT = 256, LEAST_FOR_ALL = 512 /* of what goes to other devices, which have no more than that */ };

/* ---- configuration -------------------------------------------------------------------------------------- */

/* The caller's structure may be older and shorter than ours, or newer and longer. */
static vptr_status read_config(const vptr_config *config, vptr_config *full) {
  *full = (vptr_config)VPTR_CONFIG_INIT;
  if (config == NULL)
    return VPTR_SUCCESS;
  if (config->struct_size < offsetof(vptr_config, flags))
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "vptr_config.struct_size is %zu, less than the first version's: begin with VPTR_CONFIG_INIT",
                       config->struct_size);
  memcpy(full, config, config->struct_size < sizeof *full ? config->struct_size : sizeof *full);
  if ((full->flags & ~(VPTR_CONFIG_REUSE_ADDRESSES | VPTR_CONFIG_OVERSUBSCRIBE | VPTR_CONFIG_MIGRATE)) != 0)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "vptr_config.flags has unknown bits: 0x%x", full->flags);
  if ((full->alignment & (full->alignment - 1)) != 0)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "vptr_config.alignment is %zu: not a power of two",
                       full->alignment);
  return VPTR_SUCCESS;
}

static size_t reserve_size(const vptr_config *config) {
  size_t size = config->reserve_size != 0 ? config->reserve_size : vptr__option_number(VPTR__OPTION_RESERVE, 0);
  return size != 0 ? size : vptr__reservation_share();
}

/* A program that says where its addresses shall be has its way. */
static size_t arena_bytes(const vptr_config *config, const vptr__device *device) {
  uint64_t asked = vptr__option_number(VPTR__OPTION_ADDRESSES, VPTR__ADDRESSES_OWN);
  if (asked == VPTR__ADDRESSES_OWN || config->base_address != 0)
    return 0;
  if (device->proxy != NULL) {
    vptr__log_always(
        "a mapper that can go to another device has addresses of its own: VPTR_ADDRESSES=device is ignored");
    return 0;
  }
  return asked == VPTR__ADDRESSES_DEVICE ? vptr__align_up(device->memory_bytes / 4 * 3, 4096) : asked;
}

static vptr__heap_config heap_config(const vptr_config *config, const vptr__device *device) {
  return (vptr__heap_config){
    .base_address = config->base_address,
    .reserve_size = reserve_size(config),
    .alignment = vptr__larger(vptr__larger(config->alignment, device->alignment),
                              device->proxy != NULL ? LEAST_FOR_ALL : LEAST_ALIGNMENT),
    .quarantine_bytes = config->quarantine_bytes,
    .arena_bytes = arena_bytes(config, device),
    .exact = vptr__option_flag(VPTR__OPTION_EXACT),
    .idle_bytes = vptr__option_number(VPTR__OPTION_IDLE_BYTES, device->memory_bytes / 16),
    .reuse_at_once = (config->flags & VPTR_CONFIG_REUSE_ADDRESSES) != 0,
    .trace = vptr__option_flag(VPTR__OPTION_TRACE_ALLOC),
  };
}

static vptr_status insist(void *mapper, vptr__heap_attempt *attempt, void *context) {
  vptr__reclaim reclaim = vptr__reclaim_begin(mapper, false);
  return vptr__reclaim_insist(&reclaim, attempt, context);
}

/* Large ones, by transfer/bulk.h. */
static bool move_bytes(void *mapper, cl_mem buffer, bool to_device, void *host, size_t size,
                       vptr_status *status_out) {
  const vptr__subsystem *bulk = vptr__subsystem_at(VPTR__SUBSYSTEM_BULK);
  return bulk != NULL && bulk->move_bytes(mapper, buffer, to_device, host, size, status_out);
}

/* Parts of an arena cannot leave by themselves. */
static void let_move(vptr_mapper *mapper, const vptr_config *config) {
  if (!vptr__option_flag(VPTR__OPTION_OVERSUBSCRIBE) && (config->flags & VPTR_CONFIG_OVERSUBSCRIBE) == 0)
    return;
  if (mapper->device->joint != NULL) {
    vptr__log_always("no allocation leaves %s, which is several devices: VPTR_OVERSUBSCRIBE is ignored",
                     mapper->device->name);
    return;
  }
  if (mapper->heap_config.arena_bytes > 0) {
    vptr__log_always("with VPTR_ADDRESSES=device no allocation leaves %s: VPTR_OVERSUBSCRIBE is ignored",
                     mapper->device->name);
    return;
  }
  mapper->heap_config.insist = insist;
  mapper->heap_config.insist_context = mapper;
  mapper->heap_config.move = move_bytes;
}

/* ---- life ----------------------------------------------------------------------------------------------- */

static bool means_no_arena(vptr_status status) {
  return status == VPTR_ERROR_UNSUPPORTED || status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY;
}

/* Where the device cannot have the addresses that VPTR_ADDRESSES asks for, the mapper has its own. */
static vptr_status make_heap(vptr_mapper *mapper) {
  vptr__heap_config *config = &mapper->heap_config;
  if (config->arena_bytes == 0)
    return vptr__heap_create(mapper->device, config, &mapper->heap);
  vptr__error_try();
  vptr_status status = vptr__heap_create(mapper->device, config, &mapper->heap);
  const bool has_none = means_no_arena(status);
  if (has_none)
    vptr__log_always("VPTR_ADDRESSES=device is ignored for %s (%s): %s", mapper->device->name,
                     mapper->device->platform, vptr_last_error());
  vptr__error_tried(has_none ? VPTR_SUCCESS : status);
  if (!has_none)
    return status;
  config->arena_bytes = 0;
  return vptr__heap_create(mapper->device, config, &mapper->heap);
}

/* One that can go to another device has a proxy of the device. */
static vptr_status open_device(const vptr_config *config, int ordinal, vptr_mapper *mapper) {
  vptr__device *device, *proxy;
  vptr_status status = vptr__device_open(config, ordinal, &device);
  if (status != VPTR_SUCCESS)
    return status;
  mapper->device = device;
  if (!vptr__option_flag(VPTR__OPTION_MIGRATE) && (config->flags & VPTR_CONFIG_MIGRATE) == 0)
    return VPTR_SUCCESS;
  if (device->joint != NULL) {
    vptr__log_always("%s is several devices, which stay: VPTR_MIGRATE is ignored", device->name);
    return VPTR_SUCCESS;
  }
  status = vptr__device_open_proxy(device, config->queue != NULL, &proxy);
  if (status == VPTR_SUCCESS)
    mapper->device = proxy;
  else
    vptr__device_close(device);
  return status;
}

static vptr_status build_mapper(const vptr_config *config, int ordinal, vptr_mapper *mapper) {
  vptr_status status = open_device(config, ordinal, mapper);
  if (status != VPTR_SUCCESS)
    return status;
  mapper->heap_config = heap_config(config, mapper->device);
  let_move(mapper, config);
  status = make_heap(mapper);
  if (status != VPTR_SUCCESS)
    goto close_device;
  vptr__lock_init(&mapper->mapping_lock, VPTR__RANK_MAPPING);
  vptr__lock_init(&mapper->stream_lock, VPTR__RANK_STREAM);
  vptr__translation_table_init(&mapper->translation_table);
  vptr__texel_table_init(&mapper->texel_table);
  vptr__standby_init(&mapper->standby);
  mapper->view = vptr__mapper_view(mapper);
  mapper->queue_shown = config->queue != NULL;
  status = vptr__registry_add(mapper);
  if (status == VPTR_SUCCESS)
    return VPTR_SUCCESS;

  vptr__standby_fini(&mapper->standby);
  vptr__texel_table_fini(mapper);
  vptr__translation_table_fini(mapper);
  vptr__lock_fini(&mapper->stream_lock);
  vptr__lock_fini(&mapper->mapping_lock);
  vptr__heap_destroy(mapper->heap);
close_device:
  vptr__device_close(mapper->device);
  return status;
}

vptr_status vptr__mapper_open(const vptr_config *config, int ordinal, vptr_mapper **mapper_out) {
  vptr_config full;
  vptr_status status = vptr__registry_check_process();
  if (status == VPTR_SUCCESS)
    status = read_config(config, &full);
  if (status != VPTR_SUCCESS)
    return status;
  if (config == NULL)
    full.quarantine_bytes = vptr__option_number(VPTR__OPTION_QUARANTINE, 0);
  vptr__stay_resident();
  vptr_mapper *mapper = vptr__memory_calloc(1, sizeof *mapper);
  if (mapper == NULL)
    return vptr__error_host_memory(sizeof *mapper);
  status = build_mapper(&full, ordinal, mapper);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(mapper);
    return status;
  }
  vptr__leaks_watch();
  vptr__trap_install();
  vptr__request_install();
  vptr__log(VPTR__LOG_DECISION, "mapper on %s (%s): %zu bytes of addresses from %p", mapper->device->name,
            mapper->device->platform, vptr__heap_directory(mapper->heap)->size,
            (void *)vptr__heap_directory(mapper->heap)->base);
  *mapper_out = mapper;
  return VPTR_SUCCESS;
}

vptr_status vptr_mapper_create(const vptr_config *config, vptr_mapper **mapper_out) {
  if (mapper_out == NULL)
    return vptr__error(VPTR_ERROR_NULL_POINTER, "vptr_mapper_create: mapper_out is NULL");
  return vptr__mapper_open(config, 0, mapper_out);
}

vptr_status vptr_mapper_destroy(vptr_mapper *mapper) {
  if (mapper == NULL || vptr__registry_is_default(mapper))
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "vptr_mapper_destroy: the default mapper lives as long as the process; vptr_clear() it");
  vptr_status status = vptr__registry_check_process();
  if (status == VPTR_SUCCESS)
    status = vptr__waiting_check();
  if (status != VPTR_SUCCESS)
    return status;
  vptr__subsystems_stop(mapper);
  status = mapper->device->ops->queue.finish_all(mapper->device);
  vptr_status left = vptr__subsystems_depart(mapper);
  vptr__subsystems_close(mapper);
  vptr__registry_remove(mapper);
  vptr__texel_table_fini(mapper);
  vptr__translation_table_fini(mapper);
  vptr__heap_destroy(mapper->heap);
  vptr__lock_fini(&mapper->stream_lock);
  vptr__lock_fini(&mapper->mapping_lock);
  vptr__standby_fini(&mapper->standby);
  vptr__device_close(mapper->device);
  vptr__memory_free(mapper);
  return status == VPTR_SUCCESS ? left : status;
}

/* ---- OpenCL objects ------------------------------------------------------------------------------------- */

cl_context vptr_get_context(vptr_mapper *mapper) {
  vptr_status status;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  return meant != NULL ? meant->device->cl_context : NULL;
}

cl_device_id vptr_get_device(vptr_mapper *mapper) {
  vptr_status status;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  return meant != NULL ? meant->device->cl_device : NULL;
}

/* As long as the mapper's own queue was the only one, memory was freed without waiting: whoever got it next stood
 * behind its last user. A second queue does not, so what was freed until now is waited for, once. */
vptr_status vptr__mapper_use_queue(vptr_mapper *mapper, cl_command_queue queue, bool of_program) {
  vptr__device *device = mapper->device;
  bool is_first = !device->has_queues;
  if (vptr__waiting_is_barred())
    return vptr__waiting_check();
  vptr_status status = of_program ? device->ops->queue.use(device, queue) : device->ops->queue.adopt(device, queue);
  if (status != VPTR_SUCCESS || !is_first)
    return status;
  status = device->ops->queue.finish(device, device->cl_queue);
  if (status != VPTR_SUCCESS)
    device->ops->queue.drop(device, queue);
  return status;
}

vptr_status vptr_use_queue(vptr_mapper *mapper, cl_command_queue queue) {
  vptr_status status = VPTR_SUCCESS;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  return meant != NULL ? vptr__mapper_use_queue(meant, queue, true) : status;
}

vptr_status vptr_drop_queue(vptr_mapper *mapper, cl_command_queue queue) {
  vptr_status status = VPTR_SUCCESS;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  if (meant != NULL)
    status = vptr__waiting_check();
  return status == VPTR_SUCCESS ? meant->device->ops->queue.drop(meant->device, queue) : status;
}

vptr_status vptr_finish(vptr_mapper *mapper) {
  vptr_status status = VPTR_SUCCESS;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  if (meant == NULL)
    return status;
  status = meant->device->ops->queue.finish_all(meant->device);
  vptr__request_look(meant);
  return status;
}
