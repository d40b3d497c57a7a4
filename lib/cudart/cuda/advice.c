/* SPDX-License-Identifier: MIT */
/*
 * advice - the lists of what was said about managed memory, and changing them page by page (advice.h).
 *
 * The static table `records`, of `record_count` records, has one for each allocation that anything was said about, with
 * its list of stretches; it is freed with the allocation, or at a reset. The static `lock`, of rank LEAF, guards it
 * all; nothing is called while it is held but the allocator, and the caller's `advise`, which sets the fields of one
 * stretch.
 *
 * Called by advice_call.c for cudaMemAdvise(), prefetches and questions; by managed.c, whose hook tells of memory that
 * is about to be freed, whoever frees it; and by reset.c, which forgets all of a device's. Nothing blocks but for that
 * lock; a change fails without host memory, and then nothing has changed.
 */
#include "cuda/advice.h"

#include <string.h>

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"

enum { PAGE_SHIFT = 12 };

/* Pages from begin to the next stretch's, or to the end of the memory. */
typedef struct stretch {
  uintptr_t begin;
  vptr__cuda_advice advice;
} stretch;

typedef struct record {
  vptr__cuda_managed memory;
  stretch *stretches; /* count of them, at least one */
  size_t count, capacity;
} record;

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static record *records; /* by address */
static size_t record_count, record_capacity;

/* ---- advice --------------------------------------------------------------------------------------------- */

static vptr__cuda_advice no_advice(void) {
  return (vptr__cuda_advice){ .preferred = VPTR__CUDA_NOWHERE, .prefetched = VPTR__CUDA_NOWHERE };
}

static bool is_same_place(struct cudaMemLocation a, struct cudaMemLocation b) {
  return a.type == b.type && a.id == b.id;
}

static void keep_common(vptr__cuda_advice *common, const vptr__cuda_advice *other) {
  if (!is_same_place(common->preferred, other->preferred))
    common->preferred = VPTR__CUDA_NOWHERE;
  if (!is_same_place(common->prefetched, other->prefetched))
    common->prefetched = VPTR__CUDA_NOWHERE;
  common->devices &= other->devices;
  common->host = common->host && other->host;
  common->is_read_mostly = common->is_read_mostly && other->is_read_mostly;
}

/* ---- pages ---------------------------------------------------------------------------------------------- */

typedef struct pages {
  uintptr_t begin, end;
} pages;

static pages pages_of(const void *begin, size_t size) {
  uintptr_t first = (uintptr_t)begin;
  return (pages){ first >> PAGE_SHIFT, ((first + size - 1) >> PAGE_SHIFT) + 1 };
}

/* The stretch that a page lies in; the first one begins at or before it. */
static size_t stretch_at(const record *of, uintptr_t page) {
  size_t low = 0, high = of->count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (of->stretches[middle].begin <= page)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Makes a stretch begin at a page, unless the memory ends before. There is room for one more. */
static void split_stretch(record *of, uintptr_t page) {
  size_t at = stretch_at(of, page);
  if (of->stretches[at].begin == page || page >= pages_of(of->memory.base, of->memory.size).end)
    return;
  memmove(&of->stretches[at + 1], &of->stretches[at], (of->count - at) * sizeof(stretch));
  of->stretches[at + 1].begin = page;
  of->count++;
}

/* ---- records -------------------------------------------------------------------------------------------- */

/* Makes *items, count of size bytes each, have room for `more`. */
static bool reserve_items(void **items, size_t count, size_t *capacity, size_t more, size_t size) {
  if (count + more <= *capacity)
    return true;
  size_t grown = (count + more) * 2;
  void *moved = vptr__memory_calloc(grown, size);
  if (moved == NULL)
    return false;
  if (count > 0)
    memcpy(moved, *items, count * size);
  vptr__memory_free(*items);
  *items = moved;
  *capacity = grown;
  return true;
}

static size_t position_of(const void *base) {
  size_t low = 0, high = record_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if ((uintptr_t)records[middle].memory.base < (uintptr_t)base)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void remove_at(size_t at) {
  vptr__memory_free(records[at].stretches);
  memmove(&records[at], &records[at + 1], (record_count - at - 1) * sizeof *records);
  record_count--;
  if (record_count > 0)
    return;
  vptr__memory_free(records);
  records = NULL;
  record_capacity = 0;
}

static record *look_up(const vptr__cuda_managed *memory) {
  size_t at = position_of(memory->base);
  if (at == record_count || records[at].memory.base != memory->base || records[at].memory.size != memory->size)
    return NULL;
  return &records[at];
}

/* A new one, in place of what was left of memory that is no more. NULL: no memory. */
static record *insert_record(const vptr__cuda_managed *memory) {
  size_t at = position_of(memory->base), capacity = 0;
  void *first = NULL, *list = records;
  if (!reserve_items(&first, 0, &capacity, 2, sizeof(stretch)))
    return NULL;
  bool has_room = reserve_items(&list, record_count, &record_capacity, 1, sizeof *records);
  records = list;
  if (!has_room) {
    vptr__memory_free(first);
    return NULL;
  }
  if (at < record_count && records[at].memory.base == memory->base) {
    vptr__memory_free(records[at].stretches);
  } else {
    memmove(&records[at + 1], &records[at], (record_count - at) * sizeof *records);
    record_count++;
  }
  records[at] = (record){ *memory, first, 1, capacity };
  records[at].stretches[0] = (stretch){ pages_of(memory->base, memory->size).begin, no_advice() };
  return &records[at];
}

/* Two cuts will fit into it. */
static record *prepare_record(const vptr__cuda_managed *memory) {
  record *found = look_up(memory);
  if (found == NULL)
    found = insert_record(memory);
  if (found == NULL)
    return NULL;
  void *list = found->stretches;
  bool has_room = reserve_items(&list, found->count, &found->capacity, 2, sizeof(stretch));
  found->stretches = list;
  return has_room ? found : NULL;
}

/* ---- calls ---------------------------------------------------------------------------------------------- */

vptr_status vptr__cuda_advice_change(const vptr__cuda_range *range, vptr__cuda_advise advise,
                                     const struct cudaMemLocation *where) {
  pages told = pages_of(range->begin, range->size);
  vptr__lock_take(&lock);
  record *found = prepare_record(&range->memory);
  if (found != NULL) {
    split_stretch(found, told.begin);
    split_stretch(found, told.end);
    for (size_t i = stretch_at(found, told.begin); i < found->count && found->stretches[i].begin < told.end; i++)
      advise(&found->stretches[i].advice, where);
  }
  vptr__lock_give(&lock);
  return found != NULL ? VPTR_SUCCESS : vptr__error_host_memory(2 * sizeof(stretch));
}

vptr__cuda_advice vptr__cuda_advice_of(const vptr__cuda_range *range) {
  vptr__cuda_advice common = no_advice();
  pages asked = pages_of(range->begin, range->size);
  vptr__lock_take(&lock);
  const record *found = look_up(&range->memory);
  if (found != NULL) {
    size_t at = stretch_at(found, asked.begin);
    common = found->stretches[at].advice;
    while (++at < found->count && found->stretches[at].begin < asked.end)
      keep_common(&common, &found->stretches[at].advice);
  }
  vptr__lock_give(&lock);
  return common;
}

void vptr__cuda_advice_forget(const void *base) {
  vptr__lock_take(&lock);
  size_t at = position_of(base);
  if (at < record_count && records[at].memory.base == base)
    remove_at(at);
  vptr__lock_give(&lock);
}

void vptr__cuda_advice_forget_all(const vptr_mapper *mapper) {
  vptr__lock_take(&lock);
  for (size_t at = record_count; at-- > 0;)
    if (records[at].memory.mapper == NULL || records[at].memory.mapper == mapper)
      remove_at(at);
  vptr__lock_give(&lock);
}
