/* SPDX-License-Identifier: MIT */
/*
 * dependency - which stream waits for which, as pools learn it from the program's events.
 *
 * An event stands for a timestamp of the stream that it was recorded in (vptr__event_note). A stream that waits for
 * the event comes after everything that was freed there up to that time, and may use it again at once
 * (vptr__dependency). Both are in the pool allocator (pool_allocator.h): the tree `notes`, and each free list's
 * `dependencies`.
 *
 * vptr__pool_allocator.lock, of rank POOL, guards them; it is held while the event is recorded, waited for by a stream
 * or polled, so that what is noted is what the event means. Nothing here waits for the device on purpose: with that
 * lock held it may wait until another thread has sent what it is sending (stream/order.c), and in
 * vptr__pool_after_event(), which gives memory back to the heap, for work that uses it. Without host memory a note is
 * not kept, and memory is reused later.
 *
 * Called by cudart/cuda/event.c in place of vptr__event_destroy(), and after it has waited for an event; by
 * cudart/cuda/shared_event.c in place of vptr__event_record() and vptr__stream_wait(), and by sharing.c, to end an
 * event; and by cudart/replay/send.c, lanes.c and memory_step.c and cudart/graph/memory.c in place of all three.
 * Without a pool allocator they do only what those do. Declared in pool.h.
 */
#include "pool/pool_allocator.h"

#include "base/error.h"
#include "base/memory.h"

static vptr__event_note *note_of(const vptr__pool_allocator *allocator, const vptr__event *event) {
  uint64_t key;
  uintptr_t note;
  bool found = vptr__tree_find_le(&allocator->notes, (uintptr_t)event, &key, &note) && key == (uintptr_t)event;
  return found ? (vptr__event_note *)note : NULL;
}

/* The event's note, made if need be; NULL if there is no memory: then the event tells pools nothing. */
static vptr__event_note *make_note(vptr__pool_allocator *allocator, const vptr__event *event) {
  vptr__event_note *note = note_of(allocator, event);
  if (note != NULL)
    return note;
  vptr__error_try();
  bool has_node = vptr__tree_reserve(&allocator->notes) == VPTR_SUCCESS;
  vptr__error_tried(VPTR_SUCCESS);
  note = has_node ? vptr__memory_calloc(1, sizeof *note) : NULL;
  if (note != NULL)
    vptr__tree_insert(&allocator->notes, (uintptr_t)event, (uintptr_t)note);
  return note;
}

static void drop_note(vptr__pool_allocator *allocator, const vptr__event *event) {
  uintptr_t note;
  if (vptr__tree_remove(&allocator->notes, (uintptr_t)event, &note))
    vptr__memory_free((void *)note);
}

/* A stream in which nothing waits to be used again has nothing to tell. */
vptr_status vptr__pool_event_record(vptr__event *event, vptr__stream *stream) {
  vptr__pool_allocator *allocator = vptr__pool_allocator_if_any(vptr__event_mapper(event));
  if (allocator == NULL || vptr__stream_mapper(stream) != vptr__event_mapper(event))
    return vptr__event_record(event, stream);
  vptr__lock_take(&allocator->lock);
  vptr_status status = vptr__event_record(event, stream);
  if (status == VPTR_SUCCESS) {
    const vptr__free_list *free_list = vptr__free_list_find(allocator, vptr__stream_id(stream));
    vptr__event_note *note = free_list != NULL && free_list->count > 0 ? make_note(allocator, event) : NULL;
    if (note != NULL)
      *note = (vptr__event_note){ .id = free_list->id, .timestamp = allocator->timestamp };
    else
      drop_note(allocator, event);
  }
  vptr__lock_give(&allocator->lock);
  return status;
}

vptr_status vptr__pool_stream_wait(vptr__stream *stream, vptr__event *event) {
  vptr__pool_allocator *allocator = vptr__pool_allocator_if_any(vptr__event_mapper(event));
  if (allocator == NULL || vptr__stream_mapper(stream) != vptr__event_mapper(event))
    return vptr__stream_wait(stream, event);
  vptr__lock_take(&allocator->lock);
  vptr_status status = vptr__stream_wait(stream, event);
  const vptr__event_note *note = status == VPTR_SUCCESS ? note_of(allocator, event) : NULL;
  vptr__free_list *free_list = NULL;
  if (note != NULL) {
    vptr__error_try();
    vptr_status found = vptr__free_list_of(allocator, stream, &free_list);
    vptr__error_tried(VPTR_SUCCESS);
    if (found == VPTR_SUCCESS)
      vptr__free_list_depend(allocator, free_list, note->id, note->timestamp);
  }
  vptr__lock_give(&allocator->lock);
  return status;
}

vptr_status vptr__pool_event_destroy(vptr__event *event) {
  vptr__pool_allocator *allocator =
      vptr__event_is_live(event) ? vptr__pool_allocator_if_any(vptr__event_mapper(event)) : NULL;
  if (allocator == NULL)
    return vptr__event_destroy(event);
  vptr__lock_take(&allocator->lock);
  drop_note(allocator, event);
  vptr_status status = vptr__event_destroy(event);
  vptr__lock_give(&allocator->lock);
  return status;
}

static void poll_free_list(vptr__pool_allocator *allocator, vptr__free_list *free_list, void *context) {
  (void)context;
  vptr__free_list_poll(allocator, free_list);
}

/* Asked again under the lock, since another thread may have recorded the event anew while this one waited. */
void vptr__pool_after_event(vptr__event *event) {
  vptr__pool_allocator *allocator = vptr__pool_allocator_if_any(vptr__event_mapper(event));
  if (allocator == NULL)
    return;
  vptr__lock_take(&allocator->lock);
  const vptr__event_note *note = note_of(allocator, event);
  vptr__free_list *free_list = note != NULL ? vptr__free_list_find(allocator, note->id) : NULL;
  vptr__error_try();
  if (free_list != NULL && vptr__event_poll(event) == VPTR_SUCCESS)
    vptr__free_list_done(allocator, free_list, note->timestamp);
  vptr__error_tried(VPTR_SUCCESS);
  vptr__free_list_each(allocator, poll_free_list, NULL);
  vptr__pool_allocator_shrink(allocator);
  vptr__lock_give(&allocator->lock);
}
