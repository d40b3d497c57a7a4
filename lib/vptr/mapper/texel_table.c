/* SPDX-License-Identifier: MIT */
/*
 * texel_table - see texel_table.h: keeps the entries on the host, and makes tables of them on the device.
 *
 * A vptr__texel_table is the field `texel_table` of its mapper; its `lock`, of rank MAPPING, guards all of it. It is
 * taken here, but migrate.c holds it when it calls vptr__texel_table_relocate(). Entries are kept on the host and
 * copied under the lock; the buffer is made of the copy without it, which asks the device for memory and may fail. Who
 * puts an entry in or takes a table holds the device (vptr__device_hold()), since addresses are of one device. A launch
 * that took a table has retained it.
 *
 * Called by mapper.c when a mapper begins and ends, and by migrate.c when it goes to another device; by
 * cudart/cuda/array.c, when an array becomes an image or is one no more, and by texture.c and surface.c, as objects
 * come and go; and by cudart/module/launch.c for each launch of a kernel that reads textures or surfaces.
 */
#include "mapper/texel_table.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "mapper/mapper.h"

enum { SOME_ENTRIES = 34 /* 16 objects of each kind, behind the table's own */ };

static_assert(sizeof(vptr__texel_entry) == 80, "prelude/texture.cl counts on it");

void vptr__texel_table_init(vptr__texel_table *texels) {
  *texels = (vptr__texel_table){ .serial = 1 };
  vptr__lock_init(&texels->lock, VPTR__RANK_MAPPING);
}

void vptr__texel_table_fini(vptr_mapper *mapper) {
  vptr__texel_table *texels = &mapper->texel_table;
  if (texels->table != NULL)
    mapper->device->ops->memory.release(mapper->device, texels->table);
  vptr__memory_free(texels->entries);
  vptr__lock_fini(&texels->lock);
}

/* ---- entries -------------------------------------------------------------------------------------------- */

static size_t slot_of(uint64_t handle, bool is_surface) {
  return 2 * (size_t)(uint32_t)handle + is_surface;
}

static uint32_t generation_of(uint64_t handle) {
  return (uint32_t)(handle >> 32);
}

/* Under the lock. */
static vptr_status make_room(vptr__texel_table *texels, size_t slot) {
  size_t count = texels->count > 0 ? texels->count : SOME_ENTRIES;
  if (slot < texels->count)
    return VPTR_SUCCESS;
  while (count <= slot)
    count *= 2;
  if (count > UINT32_MAX)
    return vptr__error_host_memory(count * sizeof *texels->entries);
  vptr__texel_entry *grown = vptr__memory_calloc(count, sizeof *grown);
  if (grown == NULL)
    return vptr__error_host_memory(count * sizeof *grown);
  if (texels->count > 0)
    memcpy(grown, texels->entries, texels->count * sizeof *grown);
  vptr__memory_free(texels->entries);
  texels->entries = grown;
  texels->count = (uint32_t)count;
  grown[0].width = (uint32_t)count;
  return VPTR_SUCCESS;
}

vptr_status vptr__texel_table_put(vptr_mapper *mapper, uint64_t handle, bool is_surface,
                                  const vptr__texel_entry *entry) {
  vptr__texel_table *texels = &mapper->texel_table;
  size_t slot = slot_of(handle, is_surface);
  vptr__lock_take(&texels->lock);
  vptr_status status = make_room(texels, slot);
  if (status == VPTR_SUCCESS) {
    texels->entries[slot] = *entry;
    texels->entries[slot].generation = generation_of(handle);
    texels->serial++;
  }
  vptr__lock_give(&texels->lock);
  return status;
}

/* Whether it was there. Under the lock. */
static bool forget_entry(vptr__texel_table *texels, uint64_t handle, bool is_surface) {
  size_t slot = slot_of(handle, is_surface);
  bool is_there = slot < texels->count && texels->entries[slot].generation == generation_of(handle);
  if (is_there)
    texels->entries[slot] = (vptr__texel_entry){ .generation = 0 };
  return is_there;
}

void vptr__texel_table_drop(vptr_mapper *mapper, uint64_t handle, bool is_surface) {
  vptr__texel_table *texels = &mapper->texel_table;
  vptr__lock_take(&texels->lock);
  (void)forget_entry(texels, handle, is_surface);
  vptr__lock_give(&texels->lock);
}

void vptr__texel_table_revoke(vptr_mapper *mapper, uint64_t handle, bool is_surface) {
  vptr__texel_table *texels = &mapper->texel_table;
  vptr__lock_take(&texels->lock);
  texels->serial += forget_entry(texels, handle, is_surface);
  vptr__lock_give(&texels->lock);
}

void vptr__texel_table_away(vptr_mapper *mapper, int more) {
  vptr__texel_table *texels = &mapper->texel_table;
  vptr__lock_take(&texels->lock);
  texels->away += (uint32_t)more;
  vptr__lock_give(&texels->lock);
}

void vptr__texel_table_relocate(vptr_mapper *mapper, const vptr__device *face) {
  vptr__texel_table *texels = &mapper->texel_table;
  for (uint32_t i = 0; i < texels->count; i++)
    if (texels->entries[i].generation != 0 && texels->entries[i].address != 0)
      texels->entries[i].address = vptr__proxy_translate(face, texels->entries[i].address);
  texels->serial++;
}

/* ---- the table on the device ---------------------------------------------------------------------------- */

/* What a launch gets: the table that there is, or what to make one of. */
typedef struct snapshot {
  cl_mem table; /* retained; NULL: there is none that is true */
  vptr__texel_entry *entries;
  uint32_t count;
  uint64_t serial;
} snapshot;

static vptr_status refuse_away(const char *what, uint32_t away) {
  return vptr__error(VPTR_ERROR_UNSUPPORTED,
                     "kernel %s reads textures or surfaces, and %u array(s) are OpenCL images since "
                     "vptr_cuda_set_texture_arg() or vptr_cuda_set_surface_arg(): destroy the objects that those "
                     "calls were given first",
                     what, away);
}

/* Under the lock. A table of one entry serves where there are no objects. */
static vptr_status copy_entries(const vptr__texel_table *texels, snapshot *it) {
  it->count = texels->count > 0 ? texels->count : 1;
  it->serial = texels->serial;
  it->entries = vptr__memory_calloc(it->count, sizeof *it->entries);
  if (it->entries == NULL)
    return vptr__error_host_memory(it->count * sizeof *it->entries);
  if (texels->count > 0)
    memcpy(it->entries, texels->entries, texels->count * sizeof *it->entries);
  it->entries[0].width = it->count;
  return VPTR_SUCCESS;
}

static vptr_status look_at_table(vptr_mapper *mapper, const char *what, snapshot *it) {
  vptr__texel_table *texels = &mapper->texel_table;
  vptr_status status = VPTR_SUCCESS;
  vptr__lock_take(&texels->lock);
  if (texels->away > 0) {
    status = refuse_away(what, texels->away);
  } else if (texels->table != NULL && texels->table_serial == texels->serial) {
    it->table = texels->table;
    mapper->device->ops->memory.retain(mapper->device, it->table);
  } else {
    status = copy_entries(texels, it);
  }
  vptr__lock_give(&texels->lock);
  return status;
}

/* The last to come stays: if it is older than another's, the next launch sees that by its serial. */
static void keep_table(vptr_mapper *mapper, const snapshot *it) {
  vptr__texel_table *texels = &mapper->texel_table;
  mapper->device->ops->memory.retain(mapper->device, it->table);
  vptr__lock_take(&texels->lock);
  cl_mem old = texels->table;
  texels->table = it->table;
  texels->table_serial = it->serial;
  vptr__lock_give(&texels->lock);
  if (old != NULL)
    mapper->device->ops->memory.release(mapper->device, old);
}

vptr_status vptr__texel_table_take(vptr_mapper *mapper, const char *what, cl_mem *table_out) {
  snapshot it = { .table = NULL };
  vptr_status status = look_at_table(mapper, what, &it);
  if (status == VPTR_SUCCESS && it.table == NULL) {
    status =
        mapper->device->ops->memory.create_of(mapper->device, it.entries, it.count * sizeof *it.entries, &it.table);
    if (status == VPTR_SUCCESS)
      keep_table(mapper, &it);
  }
  vptr__memory_free(it.entries);
  if (status == VPTR_SUCCESS)
    *table_out = it.table;
  return status;
}
