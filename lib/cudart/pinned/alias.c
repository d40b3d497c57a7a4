/* SPDX-License-Identifier: MIT */
/*
 * alias - making and dropping the device addresses of pinned host memory, and finding either address by the other
 * (alias.h).
 *
 * The static `aliases` has two trees, from host address to alias and from device address to alias; its member `lock`,
 * of rank MAPPING, guards both and the records in them, which are made and freed here, and is held while a buffer is
 * made over host memory and attached. `serial` (how often the trees changed), `followed` and `refused` (which devices
 * have kernels that follow pointers, and which do not work on host memory in place) are atomic. The calls of
 * vptr__pinned_*() that are here are declared in pinned.h.
 *
 * Called by pinned.c and register.c, which wait and drop aliases when memory is freed or unregistered; by restored.c,
 * which tells a checkpoint of them, makes them again and drops them; by
 * cudart/cuda/host.c, pointer.c, memory.c and word.c, cudart/module/argument.c, managed/managed.c and usm/usm.c, which
 * ask for the device's or the host's address; and through base/subsystem.h by mapper/translation_table.c, which lists
 * them. vptr__alias_wait() blocks until work that may use the memory is over, and vptr__alias_drop(), which frees the
 * attachment without the lock, as vptr_free() does.
 */
#include "pinned/alias.h"

#include "base/error.h"
#include "base/memory.h"
#include "mapper/translation_table.h"
#include "mapper/ledger.h"
#include "heap/heap.h"
#include "mapper/registry.h"
#include "pinned/pinned.h"
#include "tree/tree.h"

typedef struct alias {
  vptr_mapper *mapper;
  uintptr_t host, device; /* first addresses */
  size_t size;
  uint64_t serial; /* of the attachment: vptr_clear() may end it, and its address be issued again */
} alias;

static struct {
  vptr__lock lock;
  _Atomic(uint64_t) serial;   /* of the latest change of the trees */
  _Atomic(uint64_t) followed; /* a bit for each device with kernels that follow pointers */
  _Atomic(uint64_t) refused;  /* likewise, for each that does not work on host memory in place */
  bool has_trees;
  vptr__tree by_host, by_device; /* first address -> alias */
} aliases = { .lock = VPTR__LOCK_INIT(VPTR__RANK_MAPPING) };

/* ---- the trees; under the lock -------------------------------------------------------------------------- */

static vptr_status prepare_trees(void) {
  vptr_status status = VPTR_SUCCESS;
  if (!aliases.has_trees) {
    status = vptr__tree_init(&aliases.by_host);
    if (status != VPTR_SUCCESS)
      return status;
    status = vptr__tree_init(&aliases.by_device);
    if (status != VPTR_SUCCESS) {
      vptr__tree_fini(&aliases.by_host);
      return status;
    }
    aliases.has_trees = true;
  }
  status = vptr__tree_reserve(&aliases.by_host);
  return status == VPTR_SUCCESS ? vptr__tree_reserve(&aliases.by_device) : status;
}

static alias *find_host(uintptr_t host) {
  uint64_t key;
  uintptr_t value;
  bool found = aliases.has_trees && vptr__tree_find_le(&aliases.by_host, host, &key, &value) && key == host;
  return found ? (alias *)value : NULL;
}

static void insert_alias(alias *made) {
  vptr__tree_insert(&aliases.by_host, made->host, (uintptr_t)made);
  vptr__tree_insert(&aliases.by_device, made->device, (uintptr_t)made);
  aliases.serial++;
}

static alias *remove_alias(uintptr_t host) {
  alias *found = find_host(host);
  if (found != NULL) {
    vptr__tree_remove(&aliases.by_host, found->host, NULL);
    vptr__tree_remove(&aliases.by_device, found->device, NULL);
    aliases.serial++;
  }
  return found;
}

/* Whether the attachment is still there. */
static bool is_live(const alias *it) {
  vptr_location location;
  return vptr__mapper_locate(it->mapper, (void *)it->device, 1, &location) == VPTR_SUCCESS &&
         location.serial == it->serial;
}

/* ---- making --------------------------------------------------------------------------------------------- */

/* Where an address is to be, and its serial; 0: wherever there is room. */
typedef struct alias_wish {
  uintptr_t device;
  uint64_t serial;
} alias_wish;

static vptr_status attach_buffer(vptr_mapper *mapper, cl_mem buffer, alias_wish wish, void **device_out) {
  if (wish.device == 0)
    return vptr_attach(mapper, buffer, device_out);
  vptr_status status =
      vptr__heap_attach_at(mapper->heap, buffer, wish.device, wish.serial, __builtin_return_address(0));
  if (status == VPTR_SUCCESS)
    *device_out = (void *)wish.device;
  return status;
}

static vptr_status attach_place(const vptr__pinned_place *place, alias_wish wish, void **device_out) {
  vptr__device *device = place->mapper->device;
  cl_mem buffer;
  if (device->proxy == NULL && (uintptr_t)place->base % VPTR__SHARE_ALIGNMENT != 0)
    return vptr__error(VPTR_ERROR_UNSUPPORTED,
                       "%p, where this memory was registered from, is no multiple of %d: %s cannot address it",
                       place->base, (int)VPTR__SHARE_ALIGNMENT, device->name);
  vptr_status status = device->proxy != NULL
                           ? vptr__proxy_share_pinned(device, place->base, place->size, &buffer)
                           : device->ops->memory.share_host(device, place->base, place->size, &buffer);
  if (status != VPTR_SUCCESS)
    return status;
  status = attach_buffer(place->mapper, buffer, wish, device_out);
  if (status == VPTR_SUCCESS)
    vptr__ledger_own(place->mapper, *device_out);
  device->ops->memory.release(device, buffer); /* attaching retained it */
  return status;
}

/* Under the lock. */
static vptr_status make_alias(const vptr__pinned_place *place, alias_wish wish, alias **alias_out) {
  void *device;
  alias *made = vptr__memory_calloc(1, sizeof *made);
  if (made == NULL)
    return vptr__error_host_memory(sizeof *made);
  vptr_status status = prepare_trees();
  if (status == VPTR_SUCCESS)
    status = attach_place(place, wish, &device);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(made);
    return status;
  }
  vptr_location location;
  vptr__mapper_locate(place->mapper, device, 1, &location);
  *made = (alias){ place->mapper, (uintptr_t)place->base, (uintptr_t)device, place->size, location.serial };
  insert_alias(made);
  *alias_out = made;
  return VPTR_SUCCESS;
}

/* Tells the allocation that it has a device address, so that its end takes that back. */
static void mark_shared(const vptr__pinned_place *place) {
  vptr__region *region = vptr__region_of(place->base);
  if (region == NULL)
    return;
  uintptr_t offset = (uintptr_t)place->base - atomic_load(&region->base);
  if (atomic_load(&region->kind) == VPTR__REGION_BLOCKS)
    vptr__blocks_mark_shared(&region->blocks, offset / VPTR__BLOCK_STEP);
  else
    atomic_store(&region->is_shared, true);
}

/* Registered at an odd address it is no buffer, but still what it was before. */
static bool is_as_plain(const vptr__pinned_place *place) {
  vptr__device *device = place->mapper->device;
  return (uintptr_t)place->base % VPTR__SHARE_ALIGNMENT != 0 && device->ops->memory.takes_system(device);
}

static vptr_status find_or_make(const vptr__pinned_place *place, const void *host, alias_wish wish,
                                void **device_out) {
  vptr_status status = VPTR_SUCCESS;
  vptr__lock_take(&aliases.lock);
  alias *found = find_host((uintptr_t)place->base);
  if (found != NULL && !is_live(found)) {
    vptr__memory_free(remove_alias(found->host));
    found = NULL;
  }
  if (found == NULL) {
    status = make_alias(place, wish, &found);
    if (status == VPTR_SUCCESS)
      mark_shared(place);
  }
  if (status == VPTR_SUCCESS)
    *device_out = (void *)(found->device + ((uintptr_t)host - found->host));
  vptr__lock_give(&aliases.lock);
  return status;
}

static const alias_wish nowhere;

static vptr_status get_address(const vptr__pinned_place *place, const void *host, void **device_out) {
  if (!place->mapper->device->reaches_pinned && !is_as_plain(place))
    return find_or_make(place, host, nowhere, device_out);
  mark_shared(place);
  *device_out = (void *)(uintptr_t)host;
  return VPTR_SUCCESS;
}

vptr_status vptr__pinned_device_address(const void *host, void **device_out) {
  vptr__pinned_place place = vptr__pinned_find(host);
  if (place.kind == VPTR__PINNED_NONE)
    return vptr__error(VPTR_ERROR_UNKNOWN_ADDRESS, "a device address for %p: that is no pinned memory", host);
  return get_address(&place, host, device_out);
}

static void *find_made(const vptr__pinned_place *place, const void *host) {
  vptr__lock_take(&aliases.lock);
  const alias *found = find_host((uintptr_t)place->base);
  uintptr_t address = found != NULL && is_live(found) ? found->device + ((uintptr_t)host - found->host) : 0;
  vptr__lock_give(&aliases.lock);
  return (void *)address;
}

/* A refusal has words, which cost more than the question: a device that refused memory which is aligned for it is not
 * asked again. base is aligned. */
static void *try_to_make(const vptr__pinned_place *place, const void *host, uint64_t bit) {
  void *address = NULL;
  vptr__error_try();
  vptr_status status = find_or_make(place, host, nowhere, &address);
  vptr__error_tried(VPTR_SUCCESS);
  if (status == VPTR_ERROR_UNSUPPORTED)
    atomic_fetch_or(&aliases.refused, bit);
  return status == VPTR_SUCCESS ? address : NULL;
}

void *vptr__pinned_known_address(const vptr__pinned_place *place, const void *host) {
  const vptr__device *device = place->mapper->device;
  uint64_t bit = device->ordinal >= 0 && device->ordinal < 64 ? UINT64_C(1) << device->ordinal : 0;
  if (device->reaches_pinned)
    return (void *)(uintptr_t)host;
  if (vptr__registry_is_forked() || (atomic_load_explicit(&aliases.refused, memory_order_relaxed) & bit) != 0)
    return NULL;
  if (is_as_plain(place)) {
    mark_shared(place);
    return (void *)(uintptr_t)host;
  }
  if (device->proxy == NULL && (uintptr_t)place->base % VPTR__SHARE_ALIGNMENT != 0)
    return NULL;
  void *address = place->has_device_address ? find_made(place, host) : NULL;
  return address != NULL ? address : try_to_make(place, host, bit);
}

void *vptr__pinned_host_address(const void *device) {
  uintptr_t value, host = 0;
  vptr__lock_take(&aliases.lock);
  if (aliases.has_trees && vptr__tree_find_le(&aliases.by_device, (uintptr_t)device, NULL, &value)) {
    const alias *found = (const alias *)value;
    uintptr_t offset = (uintptr_t)device - found->device;
    host = offset < found->size && is_live(found) ? found->host + offset : 0;
  }
  vptr__lock_give(&aliases.lock);
  return (void *)host;
}

/* ---- for checkpoints ------------------------------------------------------------------------------------- */

bool vptr__alias_find(const void *host, uint64_t *device_out, uint64_t *serial_out) {
  vptr__lock_take(&aliases.lock);
  const alias *found = find_host((uintptr_t)host);
  const bool is_there = found != NULL && is_live(found);
  if (is_there) {
    *device_out = found->device;
    *serial_out = found->serial;
  }
  vptr__lock_give(&aliases.lock);
  return is_there;
}

vptr_status vptr__alias_restore(const void *host, uintptr_t device, uint64_t serial) {
  const vptr__pinned_place place = vptr__pinned_find(host);
  void *made;
  if (device == 0)
    return vptr__pinned_device_address(host, &made);
  return find_or_make(&place, host, (alias_wish){ device, serial }, &made);
}

/* ---- for kernels that follow pointers -------------------------------------------------------------------- */

size_t vptr__alias_list(const vptr_mapper *mapper, vptr__host_range *ranges, size_t room) {
  size_t count = 0;
  uint64_t key = 0;
  uintptr_t value;
  if (mapper->device->ordinal >= 0)
    atomic_fetch_or(&aliases.followed, UINT64_C(1) << mapper->device->ordinal % 64);
  vptr__lock_take(&aliases.lock);
  for (; aliases.has_trees && vptr__tree_find_ge(&aliases.by_host, key, &key, &value); key++) {
    const alias *it = (const alias *)value;
    if (it->mapper != mapper || !is_live(it))
      continue;
    if (count < room)
      ranges[count] = (vptr__host_range){ .host = it->host, .size = it->size, .device = it->device };
    count++;
  }
  vptr__lock_give(&aliases.lock);
  return count;
}

uint64_t vptr__alias_serial(void) {
  return atomic_load(&aliases.serial);
}

/* ---- ending --------------------------------------------------------------------------------------------- */

vptr_status vptr__alias_wait(vptr__region *region, bool is_shared) {
  if (is_shared)
    vptr__region_acquire(region, atomic_load(&region->mapper)->device->ordinal);
  uint64_t followed = atomic_load(&aliases.followed);
  for (int ordinal = 0; followed != 0; ordinal++, followed >>= 1)
    if ((followed & 1) != 0)
      vptr__region_acquire(region, ordinal);
  return vptr__region_wait(region);
}

/* If the program has it mapped (vptr_map()), it stays attached, to memory that stays mapped into the process until that
 * is trimmed: wrong data at worst, for a program that frees what it uses. */
void vptr__alias_drop(const void *host) {
  vptr__lock_take(&aliases.lock);
  alias *gone = remove_alias((uintptr_t)host);
  vptr__lock_give(&aliases.lock);
  if (gone == NULL)
    return;
  if (is_live(gone))
    vptr_free(gone->mapper, (void *)gone->device);
  vptr__memory_free(gone);
}
