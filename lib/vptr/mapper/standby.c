/* SPDX-License-Identifier: MIT */
/*
 * standby - see standby.h: devices that are open for a mapper to go to, and vptr_keep_device().
 *
 * A vptr__standby is a member of a mapper. Its list, whose entries are made and freed here, and the devices in them,
 * are guarded by vptr__standby.lock, of rank LEAF. Called by programs, by migrate.c, which opens, closes and leaves
 * devices, and by mapper.c. Opening blocks while a driver starts, and closing while it ends.
 */
#include "mapper/standby.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "mapper/mapper.h"

typedef struct vptr__standby_device {
  struct vptr__standby_device *next;
  cl_device_id id;
  vptr__device *device; /* NULL: the mapper has it */
} vptr__standby_device;

void vptr__standby_init(vptr__standby *standby) {
  vptr__lock_init(&standby->lock, VPTR__RANK_LEAF);
  standby->devices = NULL;
  vptr__proxy_ring_init(&standby->ring);
}

/* Of NULL too: the mapper has it. The ring may be of that device, and goes first. */
static void close_device(vptr__standby *standby, vptr__device *device) {
  if (device == NULL)
    return;
  vptr__error_try();
  vptr__proxy_ring_drop(&standby->ring);
  vptr__device_close(device);
  vptr__error_tried(VPTR_SUCCESS);
}

void vptr__standby_fini(vptr__standby *standby) {
  while (standby->devices != NULL) {
    vptr__standby_device *it = standby->devices;
    standby->devices = it->next;
    close_device(standby, it->device);
    vptr__memory_free(it);
  }
  vptr__proxy_ring_fini(&standby->ring);
  vptr__lock_fini(&standby->lock);
}

/* ---- the list, under its lock ---------------------------------------------------------------------------- */

static vptr__standby_device *find_device(const vptr__standby *standby, cl_device_id id) {
  vptr__standby_device *it = standby->devices;
  while (it != NULL && it->id != id)
    it = it->next;
  return it;
}

static vptr__standby_device *unlink_device(vptr__standby *standby, cl_device_id id) {
  vptr__standby_device **link = &standby->devices;
  while (*link != NULL && (*link)->id != id)
    link = &(*link)->next;
  vptr__standby_device *it = *link;
  if (it != NULL)
    *link = it->next;
  return it;
}

/* ---- opening and leaving --------------------------------------------------------------------------------- */

/* NULL is also what the fake device has. */
static cl_device_id id_of(cl_device_id device) {
  const vptr__device_entry *entries;
  int count = 0;
  if (device != NULL || vptr__device_list(&entries, &count) != VPTR_SUCCESS)
    return device;
  for (int i = 0; i < count; i++)
    if (entries[i].chosen)
      return entries[i].cl_device;
  return NULL;
}

static vptr__device *take_device(vptr__standby *standby, cl_device_id id) {
  vptr__lock_take(&standby->lock);
  vptr__standby_device *it = find_device(standby, id);
  vptr__device *device = it != NULL ? it->device : NULL;
  if (it != NULL)
    it->device = NULL;
  vptr__lock_give(&standby->lock);
  return device;
}

vptr_status vptr__standby_open(vptr__standby *standby, cl_device_id device, vptr__device **device_out) {
  vptr_config config = VPTR_CONFIG_INIT;
  config.device = device;
  *device_out = take_device(standby, id_of(device));
  if (*device_out != NULL) {
    vptr__log(VPTR__LOG_DECISION, "%s was kept open", (*device_out)->name);
    return VPTR_SUCCESS;
  }
  const uint64_t began = vptr__clock_ns();
  vptr_status status = vptr__device_open(&config, 0, device_out);
  if (status == VPTR_SUCCESS)
    vptr__log(VPTR__LOG_DECISION, "%s was opened in %.4f s", (*device_out)->name,
              (double)(vptr__clock_ns() - began) / 1e9);
  return status;
}

void vptr__standby_give(vptr__standby *standby, vptr__device *device) {
  vptr__lock_take(&standby->lock);
  vptr__standby_device *it = find_device(standby, device->cl_device);
  const bool stays = it != NULL && it->device == NULL;
  if (stays)
    it->device = device;
  vptr__lock_give(&standby->lock);
  if (!stays)
    close_device(standby, device);
}

static void forget(vptr__standby *standby, cl_device_id id) {
  vptr__lock_take(&standby->lock);
  vptr__standby_device *it = unlink_device(standby, id);
  vptr__lock_give(&standby->lock);
  if (it != NULL)
    close_device(standby, it->device);
  vptr__memory_free(it);
}

void vptr__standby_forget(vptr__standby *standby, const vptr__device *device) {
  forget(standby, device->cl_device);
  vptr__proxy_ring_drop(&standby->ring);
}

/* ---- what the program names ------------------------------------------------------------------------------ */

/* Whether it is to be opened still. */
static vptr_status name_device(vptr__standby *standby, cl_device_id id, bool *is_missing_out) {
  vptr__standby_device *made = vptr__memory_calloc(1, sizeof *made);
  if (made == NULL)
    return vptr__error_host_memory(sizeof *made);
  vptr__lock_take(&standby->lock);
  vptr__standby_device *it = find_device(standby, id);
  if (it == NULL) {
    *made = (vptr__standby_device){ standby->devices, id, NULL };
    it = standby->devices = made;
  }
  *is_missing_out = it->device == NULL;
  vptr__lock_give(&standby->lock);
  if (it != made)
    vptr__memory_free(made);
  return VPTR_SUCCESS;
}

static vptr_status keep(vptr_mapper *mapper, cl_device_id device) {
  const cl_device_id id = id_of(device);
  bool is_missing = false;
  vptr__device *opened;
  vptr_status status = name_device(&mapper->standby, id, &is_missing);
  if (status != VPTR_SUCCESS || !is_missing || mapper->device->cl_device == id)
    return status;
  status = vptr__standby_open(&mapper->standby, device, &opened);
  if (status == VPTR_SUCCESS)
    vptr__standby_give(&mapper->standby, opened);
  else
    forget(&mapper->standby, id);
  return status;
}

vptr_status vptr_keep_device(vptr_mapper *mapper, cl_device_id device, int is_kept) {
  vptr_status status = VPTR_SUCCESS;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  if (meant == NULL)
    return status;
  if (meant->device->proxy == NULL)
    return vptr__mapper_refuse_move(meant, "vptr_keep_device");
  if (is_kept)
    return keep(meant, device);
  forget(&meant->standby, id_of(device));
  return VPTR_SUCCESS;
}
