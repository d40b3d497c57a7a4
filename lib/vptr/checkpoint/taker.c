/* SPDX-License-Identifier: MIT */
/*
 * taker - reading a mapper's live memory chunk by chunk, and handing what has changed to the writer (taker.h).
 *
 * A vptr__taken is its caller's, checkpoint.c's static `last` in the end, and freed by vptr__taken_free(); the file
 * has no data but a constant. Callers hold the lock of kept.c, of rank CHECKPOINT, under which the list of what is
 * kept is read. mapper->mapping_lock (mapper/mapper.h), of rank MAPPING, is taken where the driver maps or unmaps
 * memory, as by transfer/access.c; and vptr__heap.lock, of rank HEAP, where a buffer is leased. Where device memory is
 * the host's, and stays there, it is read in place, else through one block. Called by checkpoint.c, while nobody else
 * takes a checkpoint. It blocks as long as device and disk do.
 */
#include "checkpoint/taker.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/subsystem.h"
#include "checkpoint/kept.h"

/* What is read from the device at once: whole chunks, and whole batches of the writer, of which one is written while
 * the digests of the next are made. */
enum { STRIP = 8 * VPTR__WRITER_BATCH * VPTR__CHECKPOINT_CHUNK };

typedef struct taking {
  vptr_mapper *mapper;
  vptr__snapshot *snapshot;
  vptr__saved_list *saved;
  vptr__writer *writer;
  vptr__taken *taken;
  void *block; /* of STRIP bytes, where memory is read through one */
} taking;

void vptr__taken_free(vptr__taken *taken) {
  for (size_t i = 0; i < taken->count; i++)
    vptr__memory_free(taken->buffers[i].digests);
  vptr__memory_free(taken->buffers);
  *taken = (vptr__taken){ .buffers = NULL };
}

/* ---- strips of a buffer ---------------------------------------------------------------------------------- */

static vptr_status show_strip(const taking *it, cl_mem buffer, size_t offset, size_t size, void **host_out) {
  vptr__device *device = it->mapper->device;
  *host_out = it->block;
  if (it->block != NULL)
    return device->ops->transfer.read(device, buffer, offset, it->block, size);
  vptr__lock_take(&it->mapper->mapping_lock);
  vptr_status status = device->ops->memory.map(device, buffer, offset, size, VPTR_ACCESS_READ, host_out);
  vptr__lock_give(&it->mapper->mapping_lock);
  return status;
}

static vptr_status hide_strip(const taking *it, cl_mem buffer, void *host) {
  vptr__device *device = it->mapper->device;
  if (it->block != NULL)
    return VPTR_SUCCESS;
  vptr__lock_take(&it->mapper->mapping_lock);
  vptr_status status = device->ops->memory.unmap(device, buffer, host);
  vptr__lock_give(&it->mapper->mapping_lock);
  return status;
}

/* What is as it was in the file is left out, and zeros that nothing in it speaks against. */
static vptr_status write_strip(const taking *it, vptr__taken_buffer *buffer, const vptr__taken_buffer *former,
                               size_t offset, const unsigned char *host, size_t size) {
  static const vptr__digest blank = { 0, 0 };
  vptr_status status = VPTR_SUCCESS;
  for (size_t at = 0; at < size && status == VPTR_SUCCESS; at += VPTR__CHECKPOINT_CHUNK) {
    const size_t chunk = (offset + at) / VPTR__CHECKPOINT_CHUNK;
    const size_t bytes = vptr__checkpoint_chunk_size(buffer->is.bytes, offset + at);
    const vptr__digest digest = vptr__digest_of(host + at, bytes);
    buffer->digests[chunk] = digest;
    it->taken->stored += vptr__digest_equals(digest, blank) ? 0 : bytes;
    if (!vptr__digest_equals(digest, former != NULL ? former->digests[chunk] : blank))
      status = vptr__writer_put_data(it->writer, buffer->is.base + offset + at, host + at, bytes, digest);
  }
  return status == VPTR_SUCCESS ? vptr__writer_flush(it->writer) : status;
}

static vptr_status write_part(const taking *it, vptr__taken_buffer *buffer, const vptr__taken_buffer *former,
                              const vptr__snapshot_part *part) {
  vptr_status status = VPTR_SUCCESS;
  for (size_t at = 0; at < part->bytes && status == VPTR_SUCCESS; at += STRIP) {
    const size_t size = vptr__smaller(STRIP, part->bytes - at);
    void *host;
    status = show_strip(it, part->memory, at, size, &host);
    if (status != VPTR_SUCCESS)
      return status;
    status = write_strip(it, buffer, former, part->from + at, host, size);
    vptr_status hidden = hide_strip(it, part->memory, host);
    status = status == VPTR_SUCCESS ? hidden : status;
  }
  return status;
}

/* ---- buffers --------------------------------------------------------------------------------------------- */

/* The same buffer as a checkpoint before has it, from a place on that rises with the addresses; NULL: it is new. */
static const vptr__taken_buffer *find_former(const vptr__taken *former, size_t *from, size_t end,
                                             const vptr__taken_buffer *now) {
  while (*from < end && former->buffers[*from].is.base < now->is.base)
    ++*from;
  if (*from == end)
    return NULL;
  const vptr__taken_buffer *there = &former->buffers[*from];
  const bool is_same = there->is.base == now->is.base && there->is.bytes == now->is.bytes &&
                       there->is.slot_size == now->is.slot_size && there->serial == now->serial &&
                       there->digests != NULL;
  return is_same ? there : NULL;
}

static vptr_status write_parts(const taking *it, size_t index, const vptr__taken_buffer *former) {
  vptr__taken_buffer *buffer = &it->taken->buffers[index];
  vptr_status status = VPTR_SUCCESS;
  vptr__snapshot_part part;
  for (uint64_t from = 0; from < buffer->is.bytes && status == VPTR_SUCCESS; from += part.bytes) {
    status = vptr__snapshot_lease(it->mapper->heap, it->snapshot, index, from, VPTR_ACCESS_READ, &part);
    if (status != VPTR_SUCCESS)
      return status;
    status = write_part(it, buffer, former, &part);
    vptr__lease_give(&part.lease);
  }
  return status;
}

static vptr__saved *item_of(const taking *it, size_t index) {
  return &it->saved->items[vptr__saved_first_stored(it->saved) + index - it->taken->heap_count];
}

static vptr_status read_saved(const taking *it, const vptr__subsystem *owner, const vptr__saved *item, size_t at,
                              size_t size) {
  if (owner->copy_saved != NULL)
    return owner->copy_saved(it->mapper, item, at, it->block, size, true);
  if (!owner->has_saved(item))
    return VPTR_ERROR_FREED;
  return vptr_memcpy(it->mapper, it->block, (const unsigned char *)(uintptr_t)item->address + at, size);
}

static vptr_status write_saved(const taking *it, size_t index, const vptr__taken_buffer *former) {
  vptr__taken_buffer *buffer = &it->taken->buffers[index];
  const vptr__saved *item = item_of(it, index);
  const vptr__subsystem *owner = vptr__subsystem_for_saved(item->kind);
  vptr_status status = VPTR_SUCCESS;
  for (uint64_t at = 0; at < item->bytes && status == VPTR_SUCCESS; at += STRIP) {
    const size_t size = vptr__smaller(STRIP, item->bytes - at);
    status = read_saved(it, owner, item, at, size);
    if (status == VPTR_SUCCESS)
      status = write_strip(it, buffer, former, at, it->block, size);
  }
  return status;
}

/* What is freed after some of it was written is not in the table, and so those chunks mean nothing. */
static vptr_status write_buffer(const taking *it, size_t index, const vptr__taken_buffer *former) {
  vptr__taken_buffer *buffer = &it->taken->buffers[index];
  const size_t chunks = vptr__checkpoint_chunks(buffer->is.bytes);
  const uint64_t stored = it->taken->stored;
  buffer->born = former != NULL ? former->born : it->writer->number;
  buffer->digests = vptr__memory_calloc(chunks, sizeof *buffer->digests);
  if (buffer->digests == NULL)
    return vptr__error_host_memory(chunks * sizeof *buffer->digests);
  vptr_status status =
      index < it->taken->heap_count ? write_parts(it, index, former) : write_saved(it, index, former);
  if (status != VPTR_ERROR_FREED)
    return status;
  vptr__memory_free(buffer->digests);
  buffer->digests = NULL;
  it->taken->stored = stored;
  return VPTR_SUCCESS;
}

static vptr_status write_buffers(const taking *it, const vptr__taken *former) {
  const vptr__snapshot *snapshot = it->snapshot;
  vptr_status status = VPTR_SUCCESS;
  size_t from = 0;
  for (size_t i = 0; i < snapshot->buffer_count && status == VPTR_SUCCESS; i++) {
    vptr__taken_buffer *buffer = &it->taken->buffers[i];
    buffer->is = snapshot->buffers[i];
    buffer->serial = buffer->is.slot_size == 0 ? snapshot->places[buffer->is.first_place].serial : 0;
    status = write_buffer(it, i, find_former(former, &from, former->heap_count, buffer));
  }
  return status;
}

/* What is freed meanwhile stays in the list, and is zeros. */
static vptr_status write_all_saved(const taking *it, const vptr__taken *former) {
  vptr_status status = VPTR_SUCCESS;
  size_t from = former->heap_count;
  for (size_t i = it->taken->heap_count; i < it->taken->count && status == VPTR_SUCCESS; i++) {
    vptr__taken_buffer *buffer = &it->taken->buffers[i];
    vptr__saved *item = item_of(it, i);
    buffer->is = (vptr__snapshot_buffer){ .base = item->address, .bytes = item->bytes };
    buffer->serial = item->serial;
    status = write_buffer(it, i, find_former(former, &from, former->count, buffer));
    item->born = buffer->digests != NULL ? buffer->born : it->writer->number + 1;
  }
  return status;
}

/* ---- the rest -------------------------------------------------------------------------------------------- */

static vptr_status write_kept(const taking *it, const vptr__kept *kept) {
  const size_t head = vptr__record_padded(kept->name_length + 1);
  char *bytes = vptr__memory_calloc(1, head + kept->size);
  if (bytes == NULL)
    return vptr__error_host_memory(head + kept->size);
  memcpy(bytes, kept->name, kept->name_length);
  memcpy(bytes + head, kept->host, kept->size);
  vptr_status status =
      vptr__writer_put(it->writer, VPTR__CHECKPOINT_KEPT, kept->name_length, kept->size, bytes, head + kept->size);
  if (status == VPTR_SUCCESS)
    status = vptr__writer_flush(it->writer);
  vptr__memory_free(bytes);
  return status;
}

static vptr_status write_all_kept(const taking *it, uint64_t *count_out) {
  vptr_status status = VPTR_SUCCESS;
  *count_out = 0;
  for (const vptr__kept *kept = vptr__kept_first(); kept != NULL && status == VPTR_SUCCESS; kept = kept->next) {
    status = write_kept(it, kept);
    ++*count_out;
  }
  return status;
}

/* Behind the places. */
static size_t fill_saved(const taking *it, vptr__checkpoint_table *table, vptr__saved *items) {
  const vptr__saved_list *saved = it->saved;
  table->saved_count = saved->count;
  table->saved_bytes = saved->byte_count;
  if (saved->count > 0) {
    memcpy(items, saved->items, saved->count * sizeof *items);
    memcpy(items + saved->count, saved->bytes, saved->byte_count);
  }
  return saved->count * sizeof *items + saved->byte_count;
}

/* Buffers and places of those that were read. */
static size_t fill_table(const taking *it, vptr__checkpoint_table *table, vptr__checkpoint_buffer *buffers) {
  const vptr__taken *taken = it->taken;
  for (size_t i = 0; i < taken->heap_count; i++)
    if (taken->buffers[i].digests != NULL)
      buffers[table->buffer_count++] = (vptr__checkpoint_buffer){ taken->buffers[i].is, taken->buffers[i].born };
  vptr__snapshot_place *places = (vptr__snapshot_place *)(buffers + table->buffer_count);
  for (size_t i = 0; i < table->buffer_count; i++) {
    vptr__snapshot_buffer *is = &buffers[i].is;
    memcpy(&places[table->place_count], &it->snapshot->places[is->first_place], is->place_count * sizeof *places);
    is->first_place = table->place_count;
    table->place_count += is->place_count;
  }
  return sizeof *table + table->buffer_count * sizeof *buffers + table->place_count * sizeof *places +
         fill_saved(it, table, (vptr__saved *)(places + table->place_count));
}

static vptr_status write_table(const taking *it, uint64_t kept_count) {
  const size_t most = sizeof(vptr__checkpoint_table) + it->taken->count * sizeof(vptr__checkpoint_buffer) +
                      it->snapshot->place_count * sizeof(vptr__snapshot_place) +
                      it->saved->count * sizeof(vptr__saved) + it->saved->byte_count;
  vptr__checkpoint_table *table = vptr__memory_calloc(1, most);
  if (table == NULL)
    return vptr__error_host_memory(most);
  table->serial = it->snapshot->serial;
  table->kept_count = kept_count;
  const size_t size = fill_table(it, table, (vptr__checkpoint_buffer *)(table + 1));
  vptr_status status = vptr__writer_put(it->writer, VPTR__CHECKPOINT_TABLE, 0, 0, table, size);
  if (status == VPTR_SUCCESS)
    status = vptr__writer_flush(it->writer);
  vptr__memory_free(table);
  return status;
}

/* What is mapped keeps a mapper from going to another device. */
static bool reads_in_place(const vptr__device *device) {
  return device->host_unified && device->proxy == NULL;
}

static vptr_status write_all(taking *it, const vptr__taken *former) {
  uint64_t kept_count = 0;
  if (!reads_in_place(it->mapper->device) && (it->block = vptr__memory_calloc(1, STRIP)) == NULL)
    return vptr__error_host_memory(STRIP);
  vptr_status status = write_buffers(it, former);
  if (status == VPTR_SUCCESS && it->taken->count > it->taken->heap_count && it->block == NULL &&
      (it->block = vptr__memory_calloc(1, STRIP)) == NULL)
    status = vptr__error_host_memory(STRIP);
  if (status == VPTR_SUCCESS)
    status = write_all_saved(it, former);
  if (status == VPTR_SUCCESS)
    status = write_all_kept(it, &kept_count);
  if (status == VPTR_SUCCESS)
    status = write_table(it, kept_count);
  vptr__memory_free(it->block);
  return status;
}

vptr_status vptr__taken_write(vptr_mapper *mapper, vptr__snapshot *snapshot, vptr__saved_list *saved,
                              const vptr__taken *former, vptr__writer *writer, vptr__taken *taken_out) {
  const size_t stored = saved->count - vptr__saved_first_stored(saved);
  vptr__taken taken = { .count = snapshot->buffer_count + stored, .heap_count = snapshot->buffer_count };
  taking it = { .mapper = mapper, .snapshot = snapshot, .saved = saved, .writer = writer, .taken = &taken };
  taken.buffers = vptr__memory_calloc(taken.count + 1, sizeof *taken.buffers);
  if (taken.buffers == NULL)
    return vptr__error_host_memory((taken.count + 1) * sizeof *taken.buffers);
  vptr_status status = write_all(&it, former);
  if (status == VPTR_SUCCESS)
    *taken_out = taken;
  else
    vptr__taken_free(&taken);
  return status;
}
