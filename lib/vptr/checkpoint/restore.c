/* SPDX-License-Identifier: MIT */
/*
 * restore - the public vptr_restore(): makes again, at its addresses, what a checkpoint has.
 *
 *     open and check the file -> find the mapper -> check names -> buffers and allocations -> what modules saved
 *     -> bytes -> host memory
 *
 * What fails before the last step frees what was made, and has changed nothing. The file's one static is the `reader`
 * in vptr_restore(). The lock of kept.c, of rank CHECKPOINT, guards it, and is held from begin to end
 * (vptr__kept_begin()). Called by programs. It blocks until disk and device are done.
 */
#include <string.h>

#include "base/error.h"
#include "base/hold.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/subsystem.h"
#include "checkpoint/ahead.h"
#include "checkpoint/kept.h"
#include "checkpoint/reader.h"
#include "mapper/mapper.h"
#include "mapper/registry.h"
#include "mirror/mirror.h"

typedef unsigned long long ull;

/* Chunks that are written to the device at once, and bytes of so many, while the next are read into another block. */
enum { MOST_CHUNKS = 16, BLOCK = MOST_CHUNKS * VPTR__CHECKPOINT_CHUNK };

/* ---- the mapper ------------------------------------------------------------------------------------------ */

/* A default mapper that is made now begins where the other one did. */
static vptr_mapper *find_mapper(vptr_mapper *mapper, const vptr__reader *reader, vptr_status *status_out) {
  if (mapper == NULL && vptr__mapper_made(0) == NULL)
    vptr__registry_place(reader->header.base, reader->header.size);
  return vptr__mapper_of(mapper, status_out);
}

static vptr_status check_mapper(vptr_mapper *mapper, const vptr__reader *reader) {
  vptr_stats stats = { .struct_size = sizeof stats };
  vptr_status status = vptr_get_stats(mapper, &stats);
  if (status != VPTR_SUCCESS)
    return status;
  if (stats.live_count > 0)
    return vptr__error(
        VPTR_ERROR_INVALID_ARGUMENT,
        "vptr_restore: %zu allocations are live; restore before anything is allocated, or vptr_clear() "
        "the mapper",
        stats.live_count);
  if (stats.reserve_base != reader->header.base || stats.window_bytes != reader->header.window)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "vptr_restore: the checkpoint's addresses begin at %#llx, in windows of %llu bytes, and the "
                       "mapper's at %#zx, in windows of %zu: make it with base_address %#llx and reserve_size %llu",
                       (ull)reader->header.base, (ull)reader->header.window, (size_t)stats.reserve_base,
                       stats.window_bytes, (ull)reader->header.base, (ull)reader->header.size);
  return VPTR_SUCCESS;
}

/* ---- host memory ----------------------------------------------------------------------------------------- */

/* What was kept, read and checked, and whither it goes. */
typedef struct kept_bytes {
  char *bytes; /* the name, and the memory behind it */
  const vptr__kept *to;
} kept_bytes;

static vptr_status match_kept(const vptr__reader *reader, size_t i, kept_bytes *it) {
  const uint64_t size = reader->kept[i].size;
  vptr_status status = vptr__reader_kept_bytes(reader, i, &it->bytes);
  if (status != VPTR_SUCCESS)
    return status;
  it->to = vptr__kept_named(it->bytes);
  if (it->to != NULL && it->to->size == size)
    return VPTR_SUCCESS;
  return it->to == NULL
             ? vptr__error(
                   VPTR_ERROR_INVALID_ARGUMENT,
                   "vptr_restore: the checkpoint has %llu bytes that were kept as \"%s\", which was not named: "
                   "vptr_checkpoint_keep() it before",
                   (ull)size, it->bytes)
             : vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                           "vptr_restore: \"%s\" has %zu bytes here, and %llu in the checkpoint", it->bytes,
                           it->to->size, (ull)size);
}

/* None is named that the checkpoint has not. Names in it are different ones, as they were in the process. */
static vptr_status check_names(const kept_bytes *all, size_t count) {
  for (const vptr__kept *kept = vptr__kept_first(); kept != NULL; kept = kept->next) {
    bool is_there = false;
    for (size_t i = 0; i < count; i++)
      is_there |= all[i].to == kept;
    if (!is_there)
      return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                         "vptr_restore: \"%s\" was named by vptr_checkpoint_keep(), and the checkpoint has no such "
                         "memory",
                         kept->name);
  }
  return VPTR_SUCCESS;
}

static vptr_status read_kept(const vptr__reader *reader, kept_bytes *all) {
  vptr_status status = VPTR_SUCCESS;
  for (size_t i = 0; i < reader->kept_count && status == VPTR_SUCCESS; i++)
    status = match_kept(reader, i, &all[i]);
  return status == VPTR_SUCCESS ? check_names(all, reader->kept_count) : status;
}

static void fill_kept(const kept_bytes *all, size_t count) {
  for (size_t i = 0; i < count; i++)
    memcpy(all[i].to->host, all[i].bytes + vptr__record_padded(all[i].to->name_length + 1), all[i].to->size);
}

static void free_kept(kept_bytes *all, size_t count) {
  for (size_t i = 0; i < count; i++)
    vptr__memory_free(all[i].bytes);
  vptr__memory_free(all);
}

/* ---- memory --------------------------------------------------------------------------------------------- */

static const vptr__saved *item_of(const vptr__reader *reader, size_t buffer) {
  const vptr__saved_list *saved = &reader->saved;
  return &saved->items[vptr__saved_first_stored(saved) + buffer - reader->snapshot.buffer_count];
}

/* The first chunks of a part from one on that are not zero, as many as there is room for; count 0: there are none.
 * Parts of a buffer are whole windows, so whole chunks. */
static vptr__ahead_run next_run(const vptr__reader *reader, size_t buffer, const vptr__snapshot_part *part,
                                uint64_t chunk) {
  const uint64_t *chunks = &reader->chunks[reader->first_chunks[buffer]];
  const uint64_t end = vptr__checkpoint_chunks(part->from + part->bytes);
  vptr__ahead_run run = { .buffer = buffer, .chunk = chunk };
  while (run.chunk < end && chunks[run.chunk] == 0)
    run.chunk++;
  while (run.chunk + run.count < end && run.count < MOST_CHUNKS && chunks[run.chunk + run.count] != 0)
    run.count++;
  return run;
}

static vptr_status write_saved(vptr_mapper *mapper, const vptr__saved *item, uint64_t offset,
                               const unsigned char *bytes, size_t size) {
  const vptr__subsystem *owner = vptr__subsystem_for_saved(item->kind);
  if (owner->copy_saved != NULL)
    return owner->copy_saved(mapper, item, offset, (void *)(uintptr_t)bytes, size, false);
  return vptr_memcpy(mapper, (unsigned char *)(uintptr_t)item->address + offset, bytes, size);
}

/* Device memory, or what a module saved: then the part is all of it. */
static vptr_status write_run(vptr_mapper *mapper, const vptr__reader *reader, const vptr__ahead_run *run,
                             const vptr__snapshot_part *part, const unsigned char *bytes) {
  const uint64_t offset = run->chunk * VPTR__CHECKPOINT_CHUNK - part->from;
  const size_t size = vptr__smaller(run->count * VPTR__CHECKPOINT_CHUNK, part->bytes - offset);
  if (run->buffer >= reader->snapshot.buffer_count)
    return write_saved(mapper, item_of(reader, run->buffer), offset, bytes, size);
  return mapper->device->ops->transfer.write(mapper->device, part->memory, offset, bytes, size);
}

/* What could not be read ahead is read again, so that the error is this thread's. */
static vptr_status write_part(vptr_mapper *mapper, const vptr__reader *reader, size_t buffer,
                              const vptr__snapshot_part *part, unsigned char *blocks) {
  vptr__ahead_run now = next_run(reader, buffer, part, part->from / VPTR__CHECKPOINT_CHUNK);
  unsigned char *block = blocks, *other = blocks + BLOCK;
  bool is_ahead = false;
  vptr_status status = VPTR_SUCCESS;
  while (now.count > 0 && status == VPTR_SUCCESS) {
    status = is_ahead && vptr__ahead_wait() ? VPTR_SUCCESS : vptr__ahead_read(reader, &now, block);
    const vptr__ahead_run next = next_run(reader, buffer, part, now.chunk + now.count);
    is_ahead = status == VPTR_SUCCESS && next.count > 0;
    if (is_ahead)
      vptr__ahead_hand(reader, &next, other);
    if (status == VPTR_SUCCESS)
      status = write_run(mapper, reader, &now, part, block);
    unsigned char *const done = block;
    block = other;
    other = done;
    now = next;
  }
  if (is_ahead)
    (void)vptr__ahead_wait();
  return status;
}

static vptr_status write_buffer(vptr_mapper *mapper, const vptr__reader *reader, size_t buffer,
                                unsigned char *blocks) {
  const uint64_t bytes = reader->snapshot.buffers[buffer].bytes;
  vptr_status status = VPTR_SUCCESS;
  vptr__snapshot_part part;
  for (uint64_t from = 0; from < bytes && status == VPTR_SUCCESS; from += part.bytes) {
    status = vptr__snapshot_lease(mapper->heap, &reader->snapshot, buffer, from, VPTR_ACCESS_WRITE, &part);
    if (status != VPTR_SUCCESS)
      return status;
    status = write_part(mapper, reader, buffer, &part, blocks);
    vptr__lease_give(&part.lease);
  }
  return status;
}

static vptr_status write_memory(vptr_mapper *mapper, const vptr__reader *reader) {
  unsigned char *blocks = vptr__memory_calloc(2, BLOCK);
  vptr_status status = blocks != NULL ? VPTR_SUCCESS : vptr__error_host_memory((size_t)2 * BLOCK);
  for (size_t i = 0; i < reader->snapshot.buffer_count && status == VPTR_SUCCESS; i++)
    status = write_buffer(mapper, reader, i, blocks);
  for (size_t i = reader->snapshot.buffer_count; i < reader->buffer_count && status == VPTR_SUCCESS; i++) {
    const vptr__snapshot_part all = { .bytes = reader->buffers[i].is.bytes };
    status = write_part(mapper, reader, i, &all, blocks);
  }
  vptr__memory_free(blocks);
  return status;
}

/* All that is in the file is some module's here. */
static vptr_status check_saved(const vptr__reader *reader) {
  const vptr__saved_list *saved = &reader->saved;
  const unsigned kinds = vptr__subsystems_saved_kinds();
  for (size_t i = 0; i < saved->count; i++)
    if ((kinds >> saved->items[i].kind & 1) == 0)
      return vptr__error(
          VPTR_ERROR_UNSUPPORTED,
          "vptr_restore: the checkpoint has the %s %s of %llu bytes, which libvptr-cudart makes again: "
          "link the program with it",
          vptr__saved_word(saved->items[i].kind), vptr__saved_name(saved, &saved->items[i]),
          (ull)saved->items[i].size);
  return VPTR_SUCCESS;
}

/* What the host reaches lies where it lay. Registered memory, which has no bytes of its own, is the program's. */
static void hold_places(const vptr__saved_list *saved) {
  for (size_t i = 0; i < saved->count; i++) {
    const vptr__saved *item = &saved->items[i];
    if (item->kind == VPTR__SAVED_MANAGED || item->kind == VPTR__SAVED_PINNED)
      vptr__hold((uintptr_t)item->address, (size_t)item->bytes);
  }
}

static vptr_status restore_memory(vptr_mapper *mapper, const vptr__reader *reader, const void *site) {
  hold_places(&reader->saved);
  vptr_status status = vptr__snapshot_restore(mapper->heap, &reader->snapshot, site);
  if (status != VPTR_SUCCESS) {
    vptr__hold_end();
    return status;
  }
  status = vptr__subsystems_restore(mapper, &reader->saved);
  vptr__hold_end();
  if (status == VPTR_SUCCESS)
    status = write_memory(mapper, reader);
  if (status == VPTR_SUCCESS)
    return status;
  vptr__subsystems_undo_restore(mapper);
  vptr__snapshot_undo(mapper->heap);
  return status;
}

/* ---- all of it ------------------------------------------------------------------------------------------- */

static vptr_status restore(vptr_mapper *mapper, const vptr__reader *reader, const void *site) {
  vptr_status status = VPTR_SUCCESS;
  vptr_mapper *meant = find_mapper(mapper, reader, &status);
  if (meant == NULL)
    return status;
  vptr__mirrors_watch();
  kept_bytes *all = vptr__memory_calloc(reader->kept_count + 1, sizeof *all);
  if (all == NULL)
    return vptr__error_host_memory((reader->kept_count + 1) * sizeof *all);
  status = check_mapper(meant, reader);
  if (status == VPTR_SUCCESS)
    status = check_saved(reader);
  if (status == VPTR_SUCCESS)
    status = read_kept(reader, all);
  if (status == VPTR_SUCCESS)
    status = restore_memory(meant, reader, site);
  if (status == VPTR_SUCCESS) {
    vptr__subsystems_settle_restore(meant);
    fill_kept(all, reader->kept_count);
  }
  free_kept(all, reader->kept_count);
  return status;
}

vptr_status vptr_restore(vptr_mapper *mapper, const char *path) {
  static vptr__reader reader; /* too large for a stack; the lock guards it */
  if (path == NULL)
    return vptr__error(VPTR_ERROR_NULL_POINTER, "vptr_restore: path is NULL; name the file");
  vptr__kept_begin();
  vptr_status status = vptr__reader_open(&reader, path);
  if (status == VPTR_SUCCESS) {
    status = restore(mapper, &reader, __builtin_return_address(0));
    vptr__reader_close(&reader);
  }
  vptr__kept_end();
  return status;
}
