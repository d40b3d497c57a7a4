/* SPDX-License-Identifier: MIT */
/*
 * assert - how the host learns that a kernel stopped itself, by a failed assert() or by __trap().
 *
 * A word on each device is written to by the first kernel that stops itself, and a copy of the word follows each kernel
 * that may, as a command of the kernel's stream. Streams overlap, and the zero that one of them has read may arrive
 * behind the news that another has: so each has a copy of its own here, by its number, and only streams that are COPIES
 * apart share one. The word is a variable (module/variable.h) whose key is the place of the copies, so a reset takes it
 * along as it takes all others.
 *
 * Data: the static list `words` has an assert_word for each mapper, with the copies, `seen`, which are atomic, since
 * the driver writes them. The list only grows and nothing of it is freed. The static `lock`, of rank LEAF, guards its
 * growth; it is atomic, and is read without the lock.
 *
 * Called by prepare.c and launch.c for kernels that have such a word, by child.c for what those launch, and by
 * cudart/cuda/lost.c, which asks whether one was written to and forgets that at a reset, by the functions that module.h
 * declares. To forget waits for the device.
 */
#include "module/state.h"

#include "base/error.h"
#include "base/hot.h"
#include "base/memory.h"

enum { COPIES = 64 };

typedef struct assert_word {
  struct assert_word *next;
  vptr_mapper *mapper;
  _Atomic(int32_t) seen[COPIES]; /* written by the driver */
} assert_word;

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static _Atomic(assert_word *) words;

static assert_word *find_word(const vptr_mapper *mapper) {
  assert_word *word = atomic_load_explicit(&words, memory_order_acquire);
  while (word != NULL && word->mapper != mapper)
    word = word->next;
  return word;
}

/* Takes over made, unless another thread was faster. */
static assert_word *insert_word(assert_word *made) {
  vptr__lock_take(&lock);
  assert_word *word = find_word(made->mapper);
  if (word == NULL) {
    made->next = atomic_load(&words);
    atomic_store_explicit(&words, made, memory_order_release);
  }
  vptr__lock_give(&lock);
  if (word != NULL)
    vptr__memory_free(made);
  return word != NULL ? word : made;
}

vptr_status vptr__assert_key(vptr_mapper *mapper, const void **key_out) {
  assert_word *word = find_word(mapper);
  if (word == NULL) {
    word = vptr__memory_calloc(1, sizeof *word);
    if (word == NULL)
      return vptr__error_host_memory(sizeof *word);
    word->mapper = mapper;
    word = insert_word(word);
  }
  const vptr__variable variable = { .key = word, .name = "assert", .size = sizeof word->seen[0], .is_scratch = true };
  vptr_status status = vptr__variable_register(&variable);
  *key_out = word;
  return status == VPTR_ERROR_NOT_READY ? VPTR_SUCCESS : status;
}

VPTR__HOT static assert_word *word_of_device(int ordinal) {
  assert_word *word = atomic_load_explicit(&words, memory_order_acquire);
  while (word != NULL && word->mapper->device->ordinal != ordinal)
    word = word->next;
  return word;
}

VPTR__HOT int vptr__launch_failed_assert(int ordinal) {
  const assert_word *word = word_of_device(ordinal);
  int32_t code = 0;
  for (int i = 0; word != NULL && i < COPIES && code == 0; i++)
    code = atomic_load_explicit(&word->seen[i], memory_order_relaxed);
  return code;
}

/* Freeing the word waits for the kernels that may write to it, and for what follows them. */
void vptr__launch_forget_asserts(int ordinal) {
  assert_word *word = word_of_device(ordinal);
  if (word == NULL)
    return;
  vptr__variable_forget(word);
  vptr__stream_synchronize_all(word->mapper);
  for (int i = 0; i < COPIES; i++)
    atomic_store(&word->seen[i], 0);
}

vptr_status vptr__assert_pull(vptr_mapper *mapper, vptr__stream *stream, cl_command_queue queue) {
  vptr__device *device = mapper->device;
  assert_word *word = find_word(mapper);
  _Atomic(int32_t) *copy = &word->seen[vptr__stream_id(stream) % COPIES];
  vptr_location location;
  void *memory;
  cl_event event = NULL;
  vptr_status status = vptr__variable_address(word, mapper, &memory);
  if (status == VPTR_SUCCESS)
    status = vptr__heap_retain(mapper->heap, memory, sizeof *copy, &location);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__stream_expect(stream);
  if (status == VPTR_SUCCESS)
    status = device->ops->transfer.enqueue_read(device, queue, location.buffer, location.buffer_offset, (void *)copy,
                                                sizeof *copy, &event);
  vptr__stream_note(stream, event);
  device->ops->memory.release(device, location.buffer);
  return status;
}
