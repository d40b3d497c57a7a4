/* SPDX-License-Identifier: MIT */
/*
 * saved - adding to a list of what is saved, and reading it (saved.h).
 *
 * The file has no data but words, and no lock: a list is its caller's, with what it allocates. Called by
 * checkpoint/checkpoint.c, reader.c, restore.c and taker.c, by cudart/cuda/array_saved.c, cudart/module/restored.c,
 * cudart/pinned/restored.c and mirror/restored.c, and by the tool vptr-checkpoint. Adding fails without host memory;
 * then the list is as it was.
 */
#include "base/saved.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/record.h"

/* A block with the same content and more room; NULL: there is no memory. */
static void *grow(void *block, size_t used, size_t room) {
  void *grown = vptr__memory_calloc(1, room);
  if (grown == NULL)
    return NULL;
  if (used > 0)
    memcpy(grown, block, used);
  vptr__memory_free(block);
  return grown;
}

static bool have_room(vptr__saved_list *list, size_t bytes) {
  if (list->count == list->room) {
    const size_t room = 2 * list->room + 8;
    vptr__saved *items = grow(list->items, list->count * sizeof *items, room * sizeof *items);
    if (items == NULL)
      return false;
    list->items = items;
    list->room = room;
  }
  if (bytes > list->byte_room - list->byte_count) {
    const size_t room = 2 * list->byte_room + bytes;
    char *grown = grow(list->bytes, list->byte_count, room);
    if (grown == NULL)
      return false;
    list->bytes = grown;
    list->byte_room = room;
  }
  return true;
}

vptr_status vptr__saved_add(vptr__saved_list *list, const vptr__saved *item, const char *name, const void *detail,
                            size_t detail_bytes) {
  const size_t name_bytes = strlen(name), head = vptr__record_padded(name_bytes + 1);
  const size_t bytes = head + vptr__record_padded(detail_bytes);
  if (!have_room(list, bytes))
    return vptr__error_host_memory(bytes + (list->count + 1) * sizeof *item);
  vptr__saved *added = &list->items[list->count++];
  *added = *item;
  added->at = list->byte_count;
  added->name_bytes = (uint32_t)name_bytes;
  added->detail_bytes = (uint32_t)detail_bytes;
  memcpy(list->bytes + added->at, name, name_bytes);
  if (detail_bytes > 0)
    memcpy(list->bytes + added->at + head, detail, detail_bytes);
  list->byte_count += bytes;
  return VPTR_SUCCESS;
}

void vptr__saved_free(vptr__saved_list *list) {
  vptr__memory_free(list->items);
  vptr__memory_free(list->bytes);
  *list = (vptr__saved_list){ .items = NULL };
}

const char *vptr__saved_name(const vptr__saved_list *list, const vptr__saved *item) {
  return list->bytes + item->at;
}

const void *vptr__saved_detail(const vptr__saved_list *list, const vptr__saved *item) {
  return list->bytes + item->at + vptr__record_padded((uint64_t)item->name_bytes + 1);
}

/* ---- order ------------------------------------------------------------------------------------------------ */

static int compare_items(const void *a, const void *b) {
  const vptr__saved *left = a, *right = b;
  const uint64_t of_left = left->bytes == 0 ? 0 : left->address, of_right = right->bytes == 0 ? 0 : right->address;
  return (of_left > of_right) - (of_left < of_right);
}

void vptr__saved_sort(vptr__saved_list *list) {
  if (list->count > 0)
    qsort(list->items, list->count, sizeof *list->items, compare_items);
}

size_t vptr__saved_first_stored(const vptr__saved_list *list) {
  size_t first = 0;
  while (first < list->count && list->items[first].bytes == 0)
    first++;
  return first;
}

/* Bytes of two do not overlap. */
static bool is_ordered(const vptr__saved_list *list) {
  uint64_t end = 0;
  for (size_t i = vptr__saved_first_stored(list); i < list->count; i++) {
    const vptr__saved *item = &list->items[i];
    if (item->bytes == 0 || item->address < end || item->bytes > UINT64_MAX - item->address)
      return false;
    end = item->address + item->bytes;
  }
  return true;
}

/* ---- lists that came from a file -------------------------------------------------------------------------- */

static bool is_item_whole(const vptr__saved_list *list, const vptr__saved *item) {
  const uint64_t head = vptr__record_padded((uint64_t)item->name_bytes + 1);
  const uint64_t bytes = head + vptr__record_padded(item->detail_bytes);
  return item->kind >= VPTR__SAVED_VARIABLE && item->kind < VPTR__SAVED_KINDS && item->at % 8 == 0 &&
         item->at <= list->byte_count && bytes <= list->byte_count - item->at &&
         strnlen(list->bytes + item->at, head) == item->name_bytes;
}

bool vptr__saved_is_whole(const vptr__saved_list *list) {
  bool is_whole = is_ordered(list);
  for (size_t i = 0; i < list->count && is_whole; i++)
    is_whole = is_item_whole(list, &list->items[i]);
  return is_whole;
}

const char *vptr__saved_word(uint32_t kind) {
  static const char *const words[VPTR__SAVED_KINDS] = {
    [VPTR__SAVED_VARIABLE] = "variable", [VPTR__SAVED_MANAGED] = "managed", [VPTR__SAVED_PINNED] = "pinned",
    [VPTR__SAVED_ARRAY] = "array",       [VPTR__SAVED_MIPMAP] = "mipmap",   [VPTR__SAVED_TEXTURE] = "texture",
    [VPTR__SAVED_SURFACE] = "surface",
  };
  return kind < VPTR__SAVED_KINDS && words[kind] != NULL ? words[kind] : "thing of an unknown kind";
}
