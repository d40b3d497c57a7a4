/* SPDX-License-Identifier: MIT */
/*
 * reader - opening, checking and reading a file of checkpoints (reader.h).
 *
 * The file has no data, and takes no lock. A vptr__reader is its caller's, and what it has, arrays and a descriptor, is
 * allocated by vptr__reader_open() and freed by vptr__reader_close(). restore.c has a static one, which the lock of
 * kept.c, of rank CHECKPOINT, guards: vptr_restore() holds that from begin to end. The tool has one, and one thread.
 * While the thread of ahead.c reads chunks from a reader, nobody changes it. Called by ahead.c and restore.c, and by
 * the tool vptr-checkpoint. All of it blocks as long as the disk does.
 */
#include "checkpoint/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/disk.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"

typedef unsigned long long ull;

static vptr_status refuse_damage(const vptr__reader *reader, uint64_t at, const char *what) {
  return vptr__error(VPTR_ERROR_FILE, "%s is damaged at byte %llu: %s; it cannot be restored", reader->name, (ull)at,
                     what);
}

static vptr_status read_at(const vptr__reader *reader, void *bytes, size_t size, uint64_t at) {
  if (vptr__disk_read(reader->descriptor, bytes, size, at))
    return VPTR_SUCCESS;
  return vptr__error(VPTR_ERROR_FILE, "%s cannot be read at byte %llu: %s", reader->name, (ull)at,
                     errno == 0 ? "it ends there, and was longer before" : strerror(errno));
}

/* ---- fronts ---------------------------------------------------------------------------------------------- */

/* Bytes behind a front, and of the record. */
static uint64_t payload_of(const vptr__checkpoint_front *front) {
  return front->head.length - sizeof front->body;
}

static uint64_t record_bytes(const vptr__checkpoint_front *front) {
  return sizeof *front + vptr__record_padded(payload_of(front));
}

static bool is_front(const vptr__checkpoint_front *front) {
  return front->head.mark == VPTR__RECORD_MARK && front->head.sum == vptr__checkpoint_sum(front) &&
         front->head.length >= sizeof front->body && front->head.length <= (uint64_t)INT64_MAX / 2;
}

static vptr_status is_zero_from(const vptr__reader *reader, uint64_t at, bool *is_zero_out) {
  unsigned char piece[4096];
  *is_zero_out = true;
  while (at < reader->size && *is_zero_out) {
    size_t size = vptr__smaller(sizeof piece, reader->size - at);
    vptr_status status = read_at(reader, piece, size, at);
    if (status != VPTR_SUCCESS)
      return status;
    *is_zero_out = vptr__digest_is_blank(piece, size);
    at += size;
  }
  return VPTR_SUCCESS;
}

/* The front of a whole record; *is_end_out: there is none, and what there is belongs to nothing. */
static vptr_status read_front(const vptr__reader *reader, uint64_t at, vptr__checkpoint_front *front_out,
                              bool *is_end_out) {
  *is_end_out = reader->size - at < sizeof *front_out;
  if (*is_end_out)
    return VPTR_SUCCESS;
  vptr_status status = read_at(reader, front_out, sizeof *front_out, at);
  if (status != VPTR_SUCCESS)
    return status;
  if (!is_front(front_out)) {
    status = is_zero_from(reader, at, is_end_out);
    return status != VPTR_SUCCESS || *is_end_out ? status
                                                 : refuse_damage(reader, at,
                                                                 "no record begins there, or its sum is "
                                                                 "another one");
  }
  *is_end_out = record_bytes(front_out) > reader->size - at;
  return VPTR_SUCCESS;
}

/* ---- the first look: what is complete -------------------------------------------------------------------- */

/* The checkpoint that the records belong to which are looked at. */
typedef struct progress {
  uint64_t begin, records, table;
} progress;

static vptr_status add_commit(vptr__reader *reader, const progress *now, uint64_t at) {
  if (reader->commit_count == reader->commit_room) {
    size_t room = 2 * reader->commit_room + 16;
    vptr__reader_commit *grown = vptr__memory_calloc(room, sizeof *grown);
    if (grown == NULL)
      return vptr__error_host_memory(room * sizeof *grown);
    if (reader->commit_count > 0)
      memcpy(grown, reader->commits, reader->commit_count * sizeof *grown);
    vptr__memory_free(reader->commits);
    reader->commits = grown;
    reader->commit_room = room;
  }
  reader->commits[reader->commit_count++] =
      (vptr__reader_commit){ at + sizeof(vptr__checkpoint_front), now->records, at - now->begin, now->table };
  return VPTR_SUCCESS;
}

static vptr_status take_front(vptr__reader *reader, progress *now, const vptr__checkpoint_front *front, uint64_t at) {
  const bool is_commit = front->head.type == VPTR__CHECKPOINT_COMMIT;
  if (front->head.number != reader->commit_count + 1)
    return refuse_damage(reader, at, "the record is of another checkpoint than its place says");
  if (front->head.type < VPTR__CHECKPOINT_DATA || front->head.type > VPTR__CHECKPOINT_COMMIT)
    return refuse_damage(reader, at, "the record is of no kind that there is");
  if (is_commit && (front->body.address != now->records || front->body.size != at - now->begin || now->table == 0))
    return refuse_damage(reader, at, "the checkpoint that ends there has not the records that it says");
  if (is_commit) {
    vptr_status status = add_commit(reader, now, at);
    *now = (progress){ .begin = at + record_bytes(front) };
    return status;
  }
  if (front->head.type == VPTR__CHECKPOINT_TABLE)
    now->table = at;
  now->records++;
  return VPTR_SUCCESS;
}

static vptr_status scan(vptr__reader *reader) {
  progress now = { .begin = sizeof reader->header };
  vptr__checkpoint_front front;
  uint64_t at = now.begin;
  bool is_end;
  vptr_status status = read_front(reader, at, &front, &is_end);
  while (status == VPTR_SUCCESS && !is_end) {
    status = take_front(reader, &now, &front, at);
    at += record_bytes(&front);
    if (status == VPTR_SUCCESS)
      status = read_front(reader, at, &front, &is_end);
  }
  if (status == VPTR_SUCCESS && reader->commit_count == 0)
    return vptr__error(VPTR_ERROR_FILE, "%s has no complete checkpoint: it ends at byte %llu, within the first one",
                       reader->name, (ull)reader->size);
  return status;
}

/* ---- the table ------------------------------------------------------------------------------------------- */

/* There is room for what fills them up to a multiple of 8, too. */
static vptr_status read_checked(const vptr__reader *reader, uint64_t at, const vptr__checkpoint_front *front,
                                unsigned char *bytes) {
  const uint64_t size = payload_of(front), padded = vptr__record_padded(size);
  vptr_status status = read_at(reader, bytes, padded, at + sizeof *front);
  if (status == VPTR_SUCCESS && (!vptr__digest_equals(vptr__digest_of(bytes, size), front->body.digest) ||
                                 !vptr__digest_is_blank(bytes + size, padded - size)))
    return refuse_damage(reader, at + sizeof *front,
                         "the bytes of the record that begins before them are others than were written");
  return status;
}

/* Of a record that was looked at before; the bytes are vptr__memory_free()'s. */
static vptr_status read_record(const vptr__reader *reader, uint64_t at, vptr__checkpoint_front *front_out,
                               char **bytes_out) {
  vptr_status status = read_at(reader, front_out, sizeof *front_out, at);
  if (status == VPTR_SUCCESS && (!is_front(front_out) || record_bytes(front_out) > reader->size - at))
    return refuse_damage(reader, at, "the record has changed since it was looked at");
  if (status != VPTR_SUCCESS)
    return status;
  const uint64_t size = vptr__record_padded(payload_of(front_out));
  char *bytes = vptr__memory_calloc(1, size + 1);
  if (bytes == NULL)
    return vptr__error_host_memory(size + 1);
  status = read_checked(reader, at, front_out, (unsigned char *)bytes);
  if (status == VPTR_SUCCESS)
    *bytes_out = bytes;
  else
    vptr__memory_free(bytes);
  return status;
}

static bool is_table(const vptr__checkpoint_table *table, uint64_t length) {
  const uint64_t most = length / sizeof(vptr__snapshot_place);
  return length >= sizeof *table && table->buffer_count <= most && table->place_count <= most &&
         table->kept_count <= length + UINT32_MAX && table->saved_count <= most && table->saved_bytes <= length &&
         length == sizeof *table + table->buffer_count * sizeof(vptr__checkpoint_buffer) +
                       table->place_count * sizeof(vptr__snapshot_place) + table->saved_count * sizeof(vptr__saved) +
                       table->saved_bytes;
}

/* Rising, apart, and among the mapper's addresses. */
static bool are_buffers(const vptr__reader *reader) {
  uint64_t from = reader->header.base;
  const uint64_t end = reader->header.base + reader->header.size;
  for (size_t i = 0; i < reader->snapshot.buffer_count; i++) {
    const vptr__snapshot_buffer *is = &reader->buffers[i].is;
    if (is->base < from || is->base >= end || is->bytes == 0 || is->bytes > end - is->base)
      return false;
    from = is->base + is->bytes;
  }
  return true;
}

static vptr_status copy_saved(vptr__saved_list *saved, const vptr__checkpoint_table *table, const char *bytes) {
  const size_t size = table->saved_count * sizeof *saved->items;
  saved->items = vptr__memory_calloc(table->saved_count + 1, sizeof *saved->items);
  saved->bytes = vptr__memory_calloc(1, table->saved_bytes + 1);
  if (saved->items == NULL || saved->bytes == NULL)
    return vptr__error_host_memory(size + table->saved_bytes);
  memcpy(saved->items, bytes, size);
  memcpy(saved->bytes, bytes + size, table->saved_bytes);
  saved->count = table->saved_count;
  saved->byte_count = table->saved_bytes;
  return VPTR_SUCCESS;
}

/* What the record has, in memory that is one's own. */
static vptr_status copy_table(vptr__reader *reader, const vptr__checkpoint_table *table, const char *bytes) {
  vptr__snapshot *snapshot = &reader->snapshot;
  snapshot->serial = table->serial;
  const size_t most = table->buffer_count + table->saved_count + 1;
  reader->buffers = vptr__memory_calloc(most, sizeof *reader->buffers);
  reader->first_chunks = vptr__memory_calloc(most, sizeof *reader->first_chunks);
  snapshot->buffers = vptr__memory_calloc(table->buffer_count + 1, sizeof *snapshot->buffers);
  snapshot->places = vptr__memory_calloc(table->place_count + 1, sizeof *snapshot->places);
  reader->kept = vptr__memory_calloc(table->kept_count + 1, sizeof *reader->kept);
  if (reader->buffers == NULL || reader->first_chunks == NULL || snapshot->buffers == NULL ||
      snapshot->places == NULL || reader->kept == NULL)
    return vptr__error_host_memory((table->buffer_count + table->place_count) * sizeof *reader->buffers);
  snapshot->buffer_count = table->buffer_count;
  snapshot->place_count = table->place_count;
  bytes += sizeof *table;
  memcpy(reader->buffers, bytes, table->buffer_count * sizeof *reader->buffers);
  memcpy(snapshot->places, bytes + table->buffer_count * sizeof *reader->buffers,
         table->place_count * sizeof *snapshot->places);
  for (size_t i = 0; i < table->buffer_count; i++)
    snapshot->buffers[i] = reader->buffers[i].is;
  return copy_saved(&reader->saved, table,
                    bytes + table->buffer_count * sizeof *reader->buffers +
                        table->place_count * sizeof *snapshot->places);
}

/* What modules saved with bytes of its own is buffers, too. */
static void add_stored(vptr__reader *reader) {
  const vptr__saved_list *saved = &reader->saved;
  reader->buffer_count = reader->snapshot.buffer_count;
  for (size_t i = vptr__saved_first_stored(saved); i < saved->count; i++) {
    const vptr__saved *item = &saved->items[i];
    reader->buffers[reader->buffer_count++] =
        (vptr__checkpoint_buffer){ { .base = item->address, .bytes = item->bytes }, item->born };
  }
}

static vptr_status count_chunks(vptr__reader *reader) {
  add_stored(reader);
  for (size_t i = 0; i < reader->buffer_count; i++) {
    reader->first_chunks[i] = reader->chunk_count;
    reader->chunk_count += vptr__checkpoint_chunks(reader->buffers[i].is.bytes);
  }
  reader->chunks = vptr__memory_calloc(reader->chunk_count + 1, sizeof *reader->chunks);
  return reader->chunks != NULL ? VPTR_SUCCESS
                                : vptr__error_host_memory((reader->chunk_count + 1) * sizeof *reader->chunks);
}

static vptr_status read_table(vptr__reader *reader, uint64_t *kept_out) {
  const uint64_t at = reader->commits[reader->commit_count - 1].table;
  vptr__checkpoint_front front;
  vptr__checkpoint_table table;
  char *bytes = NULL;
  vptr_status status = read_record(reader, at, &front, &bytes);
  if (status != VPTR_SUCCESS)
    return status;
  memcpy(&table, bytes, vptr__smaller(sizeof table, payload_of(&front)));
  if (is_table(&table, payload_of(&front)))
    status = copy_table(reader, &table, bytes);
  else
    status = refuse_damage(reader, at, "the table has another size than what it counts");
  vptr__memory_free(bytes);
  if (status == VPTR_SUCCESS && !are_buffers(reader))
    status = refuse_damage(reader, at, "the table has buffers that no mapper has");
  if (status == VPTR_SUCCESS && !vptr__saved_is_whole(&reader->saved))
    status = refuse_damage(reader, at, "the table has things of kinds that there are not");
  *kept_out = table.kept_count;
  return status == VPTR_SUCCESS ? count_chunks(reader) : status;
}

/* ---- the second look: where the bytes are ---------------------------------------------------------------- */

/* The buffer that an address lies in, or how many there are: first come those among the mapper's addresses. */
static size_t buffer_of(const vptr__reader *reader, uint64_t address) {
  const bool is_heaps = address - reader->header.base < reader->header.size;
  const size_t end = is_heaps ? reader->snapshot.buffer_count : reader->buffer_count;
  size_t low = is_heaps ? 0 : reader->snapshot.buffer_count, high = end;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (reader->buffers[middle].is.base + reader->buffers[middle].is.bytes <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low < end && reader->buffers[low].is.base <= address ? low : reader->buffer_count;
}

static vptr_status index_data(vptr__reader *reader, const vptr__checkpoint_front *front, uint64_t at) {
  const size_t i = buffer_of(reader, front->body.address);
  if (i == reader->buffer_count || front->head.number < reader->buffers[i].born)
    return VPTR_SUCCESS; /* of what was freed since */
  const vptr__snapshot_buffer *is = &reader->buffers[i].is;
  const uint64_t offset = front->body.address - is->base, payload = payload_of(front);
  if (offset % VPTR__CHECKPOINT_CHUNK != 0 || front->body.size != vptr__checkpoint_chunk_size(is->bytes, offset) ||
      (payload != 0 && payload != front->body.size))
    return refuse_damage(reader, at, "the memory is no chunk of its buffer");
  reader->chunks[reader->first_chunks[i] + offset / VPTR__CHECKPOINT_CHUNK] = payload == 0 ? 0 : at;
  return VPTR_SUCCESS;
}

static vptr_status index_kept(vptr__reader *reader, const vptr__checkpoint_front *front, uint64_t at, uint64_t most) {
  const uint64_t payload = payload_of(front), length = front->body.address;
  if (front->head.number != reader->commit_count)
    return VPTR_SUCCESS;
  if (reader->kept_count == most || length >= payload || vptr__record_padded(length + 1) > payload ||
      front->body.size != payload - vptr__record_padded(length + 1))
    return refuse_damage(reader, at, "the memory that was kept has another size than it says");
  reader->kept[reader->kept_count++] = (vptr__reader_kept){ at, length, front->body.size };
  return VPTR_SUCCESS;
}

static vptr_status make_index(vptr__reader *reader, uint64_t most_kept) {
  const uint64_t end = reader->commits[reader->commit_count - 1].end;
  vptr__checkpoint_front front;
  vptr_status status = VPTR_SUCCESS;
  for (uint64_t at = sizeof reader->header; at < end && status == VPTR_SUCCESS; at += record_bytes(&front)) {
    status = read_at(reader, &front, sizeof front, at);
    if (status == VPTR_SUCCESS && !is_front(&front))
      status = refuse_damage(reader, at, "the record has changed since it was looked at");
    if (status == VPTR_SUCCESS && front.head.type == VPTR__CHECKPOINT_DATA)
      status = index_data(reader, &front, at);
    if (status == VPTR_SUCCESS && front.head.type == VPTR__CHECKPOINT_KEPT)
      status = index_kept(reader, &front, at, most_kept);
    if (status != VPTR_SUCCESS)
      return status;
  }
  if (reader->kept_count != most_kept)
    return refuse_damage(reader, end, "there is less memory that was kept than the table says");
  return status;
}

/* ---- opening and reading --------------------------------------------------------------------------------- */

static vptr_status check_header(vptr__reader *reader) {
  vptr__record_header *header = &reader->header;
  if (reader->size < sizeof *header)
    return vptr__error(VPTR_ERROR_FILE, "%s is no checkpoint: it has %llu bytes", reader->name, (ull)reader->size);
  vptr_status status = read_at(reader, header, sizeof *header, 0);
  if (status != VPTR_SUCCESS)
    return status;
  if (memcmp(header->magic, VPTR__CHECKPOINT_MAGIC, sizeof header->magic) != 0)
    return vptr__error(VPTR_ERROR_FILE, "%s is no checkpoint: it begins with other bytes, at byte 0", reader->name);
  if (header->order == __builtin_bswap32(VPTR__RECORD_ORDER))
    return vptr__error(VPTR_ERROR_FILE, "%s is of a machine with another order of bytes", reader->name);
  if (header->sum != vptr__record_header_sum(header) || header->order != VPTR__RECORD_ORDER ||
      header->base + header->size < header->base)
    return refuse_damage(reader, 0, "the header's sum is another one");
  if (header->version != VPTR__CHECKPOINT_VERSION)
    return vptr__error(VPTR_ERROR_FILE, "%s is of version %u, and this is vptr with version %u", reader->name,
                       header->version, VPTR__CHECKPOINT_VERSION);
  return VPTR_SUCCESS;
}

static vptr_status read_file(vptr__reader *reader) {
  struct stat now;
  uint64_t kept = 0;
  if (fstat(reader->descriptor, &now) != 0 || !S_ISREG(now.st_mode))
    return vptr__error(VPTR_ERROR_FILE, "%s is no file with a size", reader->name);
  reader->size = (uint64_t)now.st_size;
  vptr_status status = check_header(reader);
  if (status == VPTR_SUCCESS)
    status = scan(reader);
  if (status == VPTR_SUCCESS)
    status = read_table(reader, &kept);
  return status == VPTR_SUCCESS ? make_index(reader, kept) : status;
}

vptr_status vptr__reader_open(vptr__reader *reader, const char *name) {
  *reader = (vptr__reader){ .descriptor = -1 };
  int length = snprintf(reader->name, sizeof reader->name, "%s", name);
  if (length < 0 || (size_t)length >= sizeof reader->name)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "the name of the checkpoint has %d bytes, and may have %zu",
                       length, sizeof reader->name - 1);
  reader->descriptor = vptr__disk_open(name, O_RDONLY);
  if (reader->descriptor < 0)
    return vptr__error(VPTR_ERROR_FILE, "%s cannot be opened: %s", name, strerror(errno));
  vptr_status status = read_file(reader);
  if (status != VPTR_SUCCESS)
    vptr__reader_close(reader);
  return status;
}

void vptr__reader_close(vptr__reader *reader) {
  vptr__snapshot_free(&reader->snapshot);
  vptr__saved_free(&reader->saved);
  vptr__memory_free(reader->commits);
  vptr__memory_free(reader->buffers);
  vptr__memory_free(reader->first_chunks);
  vptr__memory_free(reader->chunks);
  vptr__memory_free(reader->kept);
  close(reader->descriptor);
}

vptr_status vptr__reader_chunk(const vptr__reader *reader, size_t buffer, uint64_t chunk, void *bytes) {
  const uint64_t at = reader->chunks[reader->first_chunks[buffer] + chunk];
  vptr__checkpoint_front front;
  vptr_status status = read_at(reader, &front, sizeof front, at);
  if (status != VPTR_SUCCESS)
    return status;
  const uint64_t size = vptr__checkpoint_chunk_size(reader->buffers[buffer].is.bytes, chunk * VPTR__CHECKPOINT_CHUNK);
  if (!is_front(&front) || payload_of(&front) != size)
    return refuse_damage(reader, at, "the record has changed since it was looked at");
  return read_checked(reader, at, &front, bytes);
}

vptr_status vptr__reader_kept_bytes(const vptr__reader *reader, size_t kept, char **bytes_out) {
  vptr__checkpoint_front front;
  char *bytes = NULL;
  vptr_status status = read_record(reader, reader->kept[kept].at, &front, &bytes);
  if (status != VPTR_SUCCESS)
    return status;
  if (front.body.address != reader->kept[kept].name_length || bytes[reader->kept[kept].name_length] != '\0') {
    vptr__memory_free(bytes);
    return refuse_damage(reader, reader->kept[kept].at, "the name of what was kept has no end");
  }
  *bytes_out = bytes;
  return VPTR_SUCCESS;
}

vptr_status vptr__reader_verify(const vptr__reader *reader) {
  const uint64_t end = reader->commits[reader->commit_count - 1].end;
  uint64_t at = sizeof reader->header;
  while (at < end) {
    vptr__checkpoint_front front;
    char *bytes = NULL;
    vptr_status status = read_record(reader, at, &front, &bytes);
    if (status != VPTR_SUCCESS)
      return status;
    vptr__memory_free(bytes);
    at += record_bytes(&front);
  }
  return VPTR_SUCCESS;
}
