/* ---- malloc() and free(), of modules that call them ----
 *
 * vptr_heap is the runtime's (lib/cudart/module/kernel_heap.c): the address of the memory, its bytes, those that were
 * given out, and by level a list of blocks that were freed. A block has 32 << level bytes, in whose first 16 its level
 * and the next in its list stand; blocks are never joined. Lists and the end are changed by a compare and swap, nobody
 * waits: a list's head is the number of a block in its lower half (in units of 16 bytes, from 1; 0: none) and a count of
 * changes in the upper one, so that a head which has come back is no other's. */

extern "C" { extern __device__ __align__(16) unsigned char vptr_heap[512]; }

static __device__ inline char *vptr_heap_memory() { return __vptr_pointer(*(u64 *)vptr_heap); }

static __device__ inline char *vptr_heap_reused(char *memory, u32 level) {
  u64 *list = (u64 *)((char *)vptr_heap + 24u) + level;
  u64 head = *(volatile u64 *)list;
  while ((u32)head != 0u) {
    char *block = memory + ((u64)(u32)head - 1u) * 16u;
    u64 seen = atomicCAS(list, head, ((head >> 32) + 1u) << 32 | *(volatile u32 *)(block + 4u));
    if (seen == head)
      return block;
    head = seen;
  }
  return NULL;
}

static __device__ inline char *vptr_heap_new(char *memory, u32 level) {
  u64 *end = (u64 *)((char *)vptr_heap + 16u), bytes = *(u64 *)((char *)vptr_heap + 8u), size = 32ull << level;
  u64 at = *(volatile u64 *)end;
  while (size <= bytes && at <= bytes - size) {
    u64 seen = atomicCAS(end, at, at + size);
    if (seen == at) {
      *(u32 *)(memory + at) = level;
      return memory + at;
    }
    at = seen;
  }
  return NULL;
}

/* Where nothing else is left, a larger block than is needed. */
static __device__ inline char *vptr_malloc(u64 bytes) {
  char *memory = vptr_heap_memory(), *block;
  u32 level = 0u, most = 31u;
  if (bytes == 0u || bytes >> 36)
    return NULL;
  while ((32ull << level) < bytes + 16u)
    level++;
  block = vptr_heap_reused(memory, level);
  if (block == NULL)
    block = vptr_heap_new(memory, level);
  while (block == NULL && level < most)
    block = vptr_heap_reused(memory, ++level);
  return block == NULL ? NULL : block + 16u;
}

static __device__ inline void vptr_free(char *p) {
  if (p == NULL)
    return;
  char *block = p - 16u;
  u64 *list = (u64 *)((char *)vptr_heap + 24u) + *(u32 *)block;
  u64 number = (u64)(block - vptr_heap_memory()) / 16u + 1u, head = *(volatile u64 *)list, seen;
  while (true) {
    *(volatile u32 *)(block + 4u) = (u32)head;
    __threadfence();
    seen = atomicCAS(list, head, ((head >> 32) + 1u) << 32 | number);
    if (seen == head)
      return;
    head = seen;
  }
}
