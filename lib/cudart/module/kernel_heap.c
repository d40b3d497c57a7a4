/* SPDX-License-Identifier: MIT */
/*
 * kernel_heap - the heap of malloc() and free() in kernels, one each device, for all modules, as CUDA has it: what one
 * kernel allocates another frees, and all of it goes with a reset.
 *
 * Its head and its memory are variables (module/variable.h), the head beginning with the memory's address; what kernels
 * do with them is in tools/kernelc/heap.cu, and the head's members stand in the same order there. They are made known
 * by the first launch of a kernel that uses them, so that a program may set the size before.
 *
 * Data: the static `heaps` has a kernel_heap for each device: the size that was set, and what the head begins with. The
 * static `lock`, of rank LEAF, guards them; a head that is ready does not change until it is forgotten, and is read
 * without the lock. The lock is not held while variables are registered or forgotten.
 *
 * Called by prepare.c for kernels that allocate, and by cudart/cuda/setting.c, which sets the size and forgets a heap
 * at a reset, by the functions that module.h declares. To forget it waits for the device, as vptr_free() does.
 */
#include "module/state.h"

#include "base/limit.h"

enum { LISTS = 61, USUAL_BYTES = 8 << 20, LEAST_BYTES = 32 };

/* 512 bytes, the device's. */
typedef struct heap_head {
  uint64_t memory; /* its address, which the table of variables writes */
  uint64_t bytes, given;
  uint64_t lists[LISTS];
} heap_head;

typedef struct kernel_heap {
  heap_head head; /* what it begins with; its address is the key of the device's */
  size_t bytes;   /* 0: as many as usual. Its address is the key of the memory */
  const void *memory;
  vptr__variable_link link;
  bool is_ready; /* and in use */
} kernel_heap;

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static kernel_heap heaps[VPTR__MOST_DEVICES];

static void make_ready(kernel_heap *heap) {
  vptr__lock_take(&lock);
  if (!heap->is_ready) {
    heap->head = (heap_head){ .bytes = heap->bytes != 0 ? heap->bytes : USUAL_BYTES };
    heap->memory = &heap->bytes;
    heap->link = (vptr__variable_link){ .key = &heap->memory };
    heap->is_ready = true;
  }
  vptr__lock_give(&lock);
}

static vptr_status know_variable(const vptr__variable *variable) {
  vptr_status status = vptr__variable_register(variable);
  return status == VPTR_ERROR_NOT_READY ? VPTR_SUCCESS : status;
}

vptr_status vptr__kernel_heap_key(int ordinal, const void **key_out) {
  kernel_heap *heap = &heaps[ordinal];
  make_ready(heap);
  const vptr__variable memory = { .key = heap->memory, .name = "heap", .size = (size_t)heap->head.bytes };
  const vptr__variable head = { .key = heap,
                                .name = "head of the heap",
                                .initial = &heap->head,
                                .size = sizeof heap->head,
                                .addresses = &heap->link,
                                .address_count = 1 };
  vptr_status status = know_variable(&memory);
  if (status == VPTR_SUCCESS)
    status = know_variable(&head);
  *key_out = heap;
  return status;
}

bool vptr__kernel_heap_limit(int ordinal, size_t bytes) {
  kernel_heap *heap = &heaps[ordinal];
  vptr__lock_take(&lock);
  bool is_free = !heap->is_ready;
  if (is_free)
    heap->bytes = bytes > LEAST_BYTES ? bytes : LEAST_BYTES;
  vptr__lock_give(&lock);
  return is_free;
}

void vptr__kernel_heap_forget(int ordinal) {
  kernel_heap *heap = &heaps[ordinal];
  vptr__variable_forget(heap);
  vptr__variable_forget(&heap->bytes);
  vptr__lock_take(&lock);
  heap->is_ready = false;
  heap->bytes = 0;
  vptr__lock_give(&lock);
}
