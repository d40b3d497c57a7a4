/* SPDX-License-Identifier: MIT */
/*
 * translation_table - see translation_table.h: gathers what goes into a table, writes it, and keeps the latest.
 *
 * A vptr__translation_table is the field `translation_table` of its mapper; its `lock`, of rank MAPPING, guards which
 * table that is, and its serials. It is not held while a table is made, which takes vptr__heap.lock, of rank HEAP, and
 * those of who lists host memory (base/subsystem.h), asks the device for addresses of buffers, and fails without host
 * or device memory. A launch that took a table has retained it. Called by mapper.c when a mapper begins and ends, and
 * by cudart/module/launch.c for each launch of a kernel that follows pointers.
 */
#include "mapper/translation_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/subsystem.h"
#include "heap/survey.h"
#include "mapper/mapper.h"

enum { HEAD = 6, ENTRY = 3, MARKS = 64, SOME_HOSTS = 16 };

void vptr__translation_table_init(vptr__translation_table *translation) {
  *translation = (vptr__translation_table){ .table = NULL };
  vptr__lock_init(&translation->lock, VPTR__RANK_MAPPING);
}

void vptr__translation_table_fini(vptr_mapper *mapper) {
  vptr__translation_table *translation = &mapper->translation_table;
  if (translation->table != NULL)
    mapper->device->ops->memory.release(mapper->device, translation->table);
  vptr__lock_fini(&translation->lock);
}

/* ---- what goes into it ---------------------------------------------------------------------------------- */

/* What a table is made of. */
typedef struct material {
  vptr__survey buffers;
  vptr__host_range *hosts;
  size_t host_count;
  uint64_t host_serial;
} material;

/* As many as there is room for; how many there are. */
static size_t list_hosts(const vptr_mapper *mapper, vptr__host_range *ranges, size_t room) {
  size_t count = 0;
  for (int id = 0; id < VPTR__SUBSYSTEMS; id++) {
    const vptr__subsystem *subsystem = vptr__subsystem_at((vptr__subsystem_id)id);
    if (subsystem != NULL && subsystem->list_hosts != NULL)
      count += subsystem->list_hosts(mapper, ranges + (count < room ? count : room), count < room ? room - count : 0);
  }
  return count;
}

static vptr_status gather_hosts(const vptr_mapper *mapper, material *it) {
  size_t room = SOME_HOSTS;
  it->host_serial = vptr__subsystems_host_serial();
  do {
    if (it->host_count > room)
      room = it->host_count;
    vptr__memory_free(it->hosts);
    it->hosts = vptr__memory_calloc(room, sizeof *it->hosts);
    if (it->hosts == NULL)
      return vptr__error_host_memory(room * sizeof *it->hosts);
    it->host_count = list_hosts(mapper, it->hosts, room);
  } while (it->host_count > room);
  return VPTR_SUCCESS;
}

static vptr_status gather_material(vptr_mapper *mapper, material *it) {
  vptr_status status = gather_hosts(mapper, it); /* first: what they are attached as is a buffer by then */
  return status == VPTR_SUCCESS ? vptr__survey_make(mapper->heap, &it->buffers) : status;
}

static void drop_material(material *it) {
  vptr__memory_free(it->buffers.lines);
  vptr__memory_free(it->hosts);
}

/* ---- writing it ----------------------------------------------------------------------------------------- */

static int by_first(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

static void write_entry(uint64_t *entries, size_t index, uint64_t first, uint64_t size, uint64_t add) {
  uint64_t *entry = &entries[ENTRY * index];
  entry[0] = first;
  entry[1] = size;
  entry[2] = add;
}

/* Where the device has an address of the mapper's; 0: nowhere, it has gone meanwhile. */
static uint64_t address_of(const vptr__survey *buffers, uintptr_t ptr) {
  size_t low = 0, high = buffers->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (buffers->lines[middle].base <= ptr)
      low = middle + 1;
    else
      high = middle;
  }
  const vptr__survey_line *line = low > 0 ? &buffers->lines[low - 1] : NULL;
  return line != NULL && ptr - line->base < line->bytes ? line->address + (ptr - line->base) : 0;
}

/* A buffer whose address is the device's own needs no window: it means itself (heap/arena.h). */
static bool is_elsewhere(const vptr__survey_line *line) {
  return line->address != line->base;
}

/* The first of the buffers that are elsewhere, and the last; NULL: none is. */
static const vptr__survey_line *first_elsewhere(const material *it) {
  for (size_t i = 0; i < it->buffers.count; i++)
    if (is_elsewhere(&it->buffers.lines[i]))
      return &it->buffers.lines[i];
  return NULL;
}

static const vptr__survey_line *last_elsewhere(const material *it) {
  for (size_t i = it->buffers.count; i > 0; i--)
    if (is_elsewhere(&it->buffers.lines[i - 1]))
      return &it->buffers.lines[i - 1];
  return NULL;
}

static size_t windows_of(const material *it, unsigned shift) {
  const vptr__survey_line *first = first_elsewhere(it), *last = last_elsewhere(it);
  return first != NULL ? ((last->base - first->base) >> shift) + last->windows : 0;
}

static void write_windows(const material *it, unsigned shift, uint64_t *windows) {
  const vptr__survey_line *begin = first_elsewhere(it);
  for (size_t i = 0; i < it->buffers.count; i++) {
    const vptr__survey_line *line = &it->buffers.lines[i];
    if (!is_elsewhere(line))
      continue;
    size_t first = (line->base - begin->base) >> shift;
    for (uint32_t window = 0; window < line->windows; window++)
      windows[first + window] = line->address - line->base;
  }
}

/* Both lists of host memory; returns how many of it there are inwards. */
static size_t write_hosts(const material *it, uint64_t *inwards, uint64_t *outwards, size_t *out_count) {
  size_t in = 0, out = 0;
  for (size_t i = 0; i < it->host_count; i++) {
    const vptr__host_range *range = &it->hosts[i];
    uint64_t address = range->address != 0 ? range->address : address_of(&it->buffers, range->device);
    if (address == 0)
      continue;
    if (address != range->host)
      write_entry(inwards, in++, range->host, range->size, address - range->host);
    write_entry(outwards, out++, address, range->size, range->host - address);
  }
  *out_count = out;
  qsort(inwards, in, ENTRY * sizeof *inwards, by_first);
  qsort(outwards, out, ENTRY * sizeof *outwards, by_first);
  return in;
}

static void write_buffers(const material *it, uint64_t *entries) {
  for (size_t i = 0; i < it->buffers.count; i++) {
    const vptr__survey_line *line = &it->buffers.lines[i];
    write_entry(entries, i, line->address, line->bytes, line->base - line->address);
  }
  qsort(entries, it->buffers.count, ENTRY * sizeof *entries, by_first);
}

static size_t marks_of(size_t windows) {
  return (windows + MARKS - 1) / MARKS;
}

/* Memory was zeros, but for what the lists were moved up from. */
static void write_marks(const material *it, unsigned shift, uint64_t *marks, size_t count) {
  const vptr__survey_line *begin = first_elsewhere(it);
  memset(marks, 0, count * sizeof *marks);
  for (size_t i = 0; i < it->buffers.count; i++) {
    const vptr__survey_line *line = &it->buffers.lines[i];
    const size_t first = line->is_apart ? (line->base - begin->base) >> shift : 0;
    for (size_t window = first; line->is_apart && window < first + line->windows; window++)
      marks[window / MARKS] |= UINT64_C(1) << window % MARKS;
  }
}

/* Returns how many numbers it is. The lists are written where they would be if none were shorter, and moved up. */
static size_t write_table(const material *it, unsigned shift, uint64_t *table) {
  size_t windows = windows_of(it, shift), out = 0;
  uint64_t *inwards = table + HEAD + windows, *outwards = inwards + ENTRY * it->host_count;
  write_windows(it, shift, table + HEAD);
  size_t in = write_hosts(it, inwards, outwards, &out);
  uint64_t *end = inwards + ENTRY * in;
  for (size_t i = 0; i < ENTRY * out; i++)
    *end++ = outwards[i];
  write_buffers(it, end);
  table[0] = windows > 0 ? first_elsewhere(it)->base : 0;
  table[1] = shift;
  table[2] = windows;
  table[3] = in;
  table[4] = out;
  table[5] = it->buffers.count;
  end += ENTRY * it->buffers.count;
  write_marks(it, shift, end, marks_of(windows));
  return (size_t)(end - table) + marks_of(windows);
}

static vptr_status make_table(vptr_mapper *mapper, const material *it, cl_mem *table_out) {
  unsigned shift = vptr__heap_directory(mapper->heap)->shift;
  size_t windows = windows_of(it, shift);
  size_t most = HEAD + windows + ENTRY * (2 * it->host_count + it->buffers.count) + marks_of(windows);
  uint64_t *table = vptr__memory_calloc(most, sizeof *table);
  if (table == NULL)
    return vptr__error_host_memory(most * sizeof *table);
  size_t count = write_table(it, shift, table);
  vptr_status status = mapper->device->ops->memory.create_of(mapper->device, table, count * sizeof *table, table_out);
  vptr__memory_free(table);
  return status;
}

/* ---- which one it is ------------------------------------------------------------------------------------ */

/* The table that there is, retained, if it is still true; NULL otherwise. */
static cl_mem take_true(vptr_mapper *mapper) {
  vptr__translation_table *translation = &mapper->translation_table;
  uint64_t hosts = vptr__subsystems_host_serial(), buffers = vptr__survey_serial(mapper->heap);
  vptr__lock_take(&translation->lock);
  cl_mem table = translation->buffers == buffers && translation->hosts == hosts ? translation->table : NULL;
  if (table != NULL)
    mapper->device->ops->memory.retain(mapper->device, table);
  vptr__lock_give(&translation->lock);
  return table;
}

/* The last to come stays: if it is older than another's, the next launch sees that by its serials. */
static void keep_table(vptr_mapper *mapper, const material *it, cl_mem table) {
  vptr__translation_table *translation = &mapper->translation_table;
  mapper->device->ops->memory.retain(mapper->device, table);
  vptr__lock_take(&translation->lock);
  cl_mem old = translation->table;
  translation->table = table;
  translation->buffers = it->buffers.serial;
  translation->hosts = it->host_serial;
  vptr__lock_give(&translation->lock);
  if (old != NULL)
    mapper->device->ops->memory.release(mapper->device, old);
}

vptr_status vptr__translation_table_take(vptr_mapper *mapper, cl_mem *table_out) {
  cl_mem table = take_true(mapper);
  if (table != NULL) {
    *table_out = table;
    return VPTR_SUCCESS;
  }
  material it = { .hosts = NULL };
  vptr_status status = gather_material(mapper, &it);
  if (status == VPTR_SUCCESS)
    status = make_table(mapper, &it, &table);
  if (status == VPTR_SUCCESS) {
    keep_table(mapper, &it, table);
    *table_out = table;
  }
  drop_material(&it);
  return status;
}
