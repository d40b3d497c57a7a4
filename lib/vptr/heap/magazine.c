/* SPDX-License-Identifier: MIT */
/*
 * magazine - see magazine.h: how magazines and their racks are made, filled, used and emptied.
 *
 * A vptr__magazine is its heap's, in the list heap->magazines, and is freed when its thread or the heap ends. Its
 * counts are atomic, since others read them; the rest is the owning thread's, inside of its pass, or that of whoever
 * has vptr__heap.lock, of rank HEAP, and has stopped the owner. With that lock held an owner works at his own magazine
 * without his pass: whoever would stop him needs the lock.
 *
 * Which magazines a thread has is in the thread-local `held`, and of which process it is in `process`. The static
 * `books` has the list of heaps that have magazines, the number of the latest, and the key by which a thread's end is
 * heard of; its `lock`, of rank MAGAZINE, guards list and number. A thread that gets a magazine takes the heap's lock;
 * one that gives its magazine up takes that of `books`, and then the heap's.
 *
 * Called by mapper/memory.c, which allocates from the thread's magazine, and place.c, which frees into it, without the
 * heap's lock; by heap.c, place.c, placed.c, query.c and snapshot.c, with it, but for vptr__magazine_visit() and where
 * a heap begins or ends; and by the C library, when a thread ends. Whoever stops a magazine waits for its owner to
 * leave his pass; a thread that ends gives its slots back, which may wait for the device (heap.c), with the lock of
 * `books` held. Nothing else blocks, but giving the heap's lock back, which may wait for the device too.
 */
#include "heap/magazine.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/barrier.h"
#include "base/hot.h"
#include "base/memory.h"
#include "heap/slab.h"
#include "heap/state.h"

enum {
  MOST_SLOTS = 16,       /* in a rack */
  MOST_BYTES = 64 << 10, /* of them */
  NUMBERS = 256,         /* of allocations, taken at a time */
  VISITS = 16,           /* of the heap before a thread gets a magazine */
  HEAPS_OF_THREAD = 4    /* that it has magazines of at once; programs have a heap for each device */
};

typedef struct rack {
  uint16_t count;
  uint16_t most;   /* (set once) */
  uint32_t wanted; /* slots at the next filling: grows with each */
  uintptr_t slots[MOST_SLOTS];
} rack;

struct vptr__magazine {
  vptr__pass pass;
  uint64_t number, last_number; /* of allocations: the next is number + 1; up to the last */
  _Atomic(size_t) live_count;   /* allocated here, less what was freed here; wraps */
  _Atomic(size_t) live_bytes;
  vptr__magazine *next; /* of the heap's; guarded by its lock */
  rack racks[VPTR__CLASS_COUNT];
};

/* ---- whose it is ----------------------------------------------------------------------------------------- */

typedef struct holding {
  uint64_t heap; /* its number; 0: none */
  vptr__magazine *magazine;
  uint32_t visits;
} holding;

static _Thread_local holding held[HEAPS_OF_THREAD];
static _Thread_local pid_t
    process; /* that the thread is of; a child after fork() must not touch the parent's heaps */

static struct {
  vptr__lock lock;
  vptr__heap *first; /* heap that has magazines */
  uint64_t number;   /* of the latest heap */
  pthread_once_t once;
  pthread_key_t leave_key;
  bool has_leave_key;
} books = { .lock = VPTR__LOCK_INIT(VPTR__RANK_MAGAZINE), .once = PTHREAD_ONCE_INIT };

static inline holding *holding_of(const vptr__heap *heap) {
  return &held[heap->magazines.number % HEAPS_OF_THREAD];
}

static inline vptr__magazine *own_magazine(const vptr__heap *heap) {
  const holding *mine = holding_of(heap);
  return mine->heap == heap->magazines.number ? mine->magazine : NULL;
}

static inline void add_to_counter(_Atomic(size_t) *to, size_t what) {
  atomic_store_explicit(to, atomic_load_explicit(to, memory_order_relaxed) + what, memory_order_relaxed);
}

/* ---- racks ----------------------------------------------------------------------------------------------- */

static uint16_t rack_capacity(uint32_t slot_size) {
  uint32_t slots = MOST_BYTES / slot_size;
  return (uint16_t)(slots < 1 ? 1 : slots > MOST_SLOTS ? MOST_SLOTS : slots);
}

/* With the heap's lock; first those that came first. */
static void give_back(vptr__heap *heap, rack *from, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    vptr__heap_make_free(heap, from->slots[i]);
  from->count = (uint16_t)(from->count - count);
  for (uint32_t i = 0; i < from->count; i++)
    from->slots[i] = from->slots[i + count];
}

bool vptr__magazine_is_nearly_empty(const vptr__heap *heap, const vptr__range *range) {
  const vptr__slab *slab = &range->slab;
  if (range->bytes <= VPTR__SLAB_KEPT)
    return false;
  return vptr__slab_used(slab) <= MOST_SLOTS * atomic_load_explicit(&heap->magazines.count, memory_order_relaxed);
}

/* ---- allocations ----------------------------------------------------------------------------------------- */

/* A slab counts its numbers from where it began, in 32 bits: NULL if the number at hand is none of those. */
VPTR__HOT static inline void *issue_slot(vptr__heap *heap, vptr__magazine *mine, rack *from, size_t size) {
  uintptr_t address = from->slots[from->count - 1];
  vptr__directory_entry *entry = &heap->directory.entries[vptr__directory_window(&heap->directory, (void *)address)];
  uint64_t step = mine->number + 1 - atomic_load_explicit(&entry->serial, memory_order_relaxed);
  if (step - 1 >= UINT32_MAX - 1)
    return NULL;
  size_t offset = address - atomic_load_explicit(&entry->base, memory_order_relaxed);
  uint32_t slot = vptr__directory_slot(offset, atomic_load_explicit(&entry->reciprocal, memory_order_relaxed));
  uint32_t slot_size = atomic_load_explicit(&entry->slot_size, memory_order_relaxed);
  vptr__directory_write_state(atomic_load_explicit(&entry->states, memory_order_relaxed), slot, (uint32_t)step,
                              slot_size - size);
  mine->number++;
  from->count--;
  add_to_counter(&mine->live_count, 1);
  add_to_counter(&mine->live_bytes, size);
  return (void *)address;
}

VPTR__HOT void *vptr__magazine_issue(vptr__heap *heap, size_t size) {
  vptr__magazine *mine = own_magazine(heap);
  if (mine == NULL || size - 1 >= VPTR__CLASS_MAX_SLOT - 1 || !vptr__pass_enter(&mine->pass))
    return NULL;
  rack *from = &mine->racks[vptr__class_of(size, heap->granule_shift)];
  void *ptr = from->count != 0 && mine->number != mine->last_number ? issue_slot(heap, mine, from, size) : NULL;
  vptr__pass_leave(&mine->pass);
  return ptr;
}

/* ---- frees ----------------------------------------------------------------------------------------------- */

/* Ends the allocation that begins at ptr: its size, or 0 if there is none, or not in a slab. Whoever has ended it has
 * the slot, so the slab stays. An entry that moved between the look and the exchange was another slab's: a pointer
 * that two threads free at once can come to that; what was done is undone. */
VPTR__HOT static inline size_t end_allocation(vptr__directory_entry *entry, const void *ptr,
                                              uint32_t *slot_size_out) {
  vptr__slot_at at;
  if (!vptr__directory_find_slot(entry, (uintptr_t)ptr, &at))
    return 0;
  int16_t state = atomic_load_explicit(at.state, memory_order_relaxed);
  int16_t ended = vptr__slot_state_ended(state);
  if (!vptr__slot_state_is_live(state) || !atomic_compare_exchange_strong(at.state, &state, ended))
    return 0;
  if (vptr__directory_has_moved(entry, at.sequence)) {
    atomic_compare_exchange_strong(at.state, &ended, state);
    return 0;
  }
  *slot_size_out = at.slot_size;
  return at.slot_size - vptr__slot_state_slack(state);
}

/* Nothing comes to hang on an allocation while anybody is inside of a magazine: so it can be asked beforehand. */
VPTR__HOT static inline bool has_derived(const vptr__heap *heap, uint32_t window) {
  return atomic_load_explicit(&heap->directory.derived[window], memory_order_acquire) != 0;
}

VPTR__HOT static inline bool can_keep(const vptr__heap *heap, const rack *to, const void *ptr) {
  return to->count < to->most && !vptr__magazine_is_nearly_empty(heap, vptr__range_at(heap, ptr));
}

VPTR__HOT static inline size_t take_back(vptr__heap *heap, vptr__magazine *mine, void *ptr) {
  uint32_t slot_size, window = vptr__directory_window(&heap->directory, ptr);
  size_t size = has_derived(heap, window) ? 0 : end_allocation(&heap->directory.entries[window], ptr, &slot_size);
  if (size == 0)
    return VPTR__RETURN_UNDONE;
  add_to_counter(&mine->live_count, (size_t)-1);
  add_to_counter(&mine->live_bytes, -size);
  rack *to = &mine->racks[vptr__class_of(slot_size - 1, heap->granule_shift)];
  if (!can_keep(heap, to, ptr))
    return size;
  to->slots[to->count++] = (uintptr_t)ptr;
  return VPTR__RETURN_DONE;
}

VPTR__HOT size_t vptr__magazine_return(vptr__heap *heap, void *ptr) {
  vptr__magazine *mine = own_magazine(heap);
  if (mine == NULL || !vptr__pass_enter(&mine->pass))
    return VPTR__RETURN_UNDONE;
  size_t returned = take_back(heap, mine, ptr);
  vptr__pass_leave(&mine->pass);
  return returned;
}

/* ---- with the heap's lock -------------------------------------------------------------------------------- */

/* Not behind where a slab's numbers begin that began meanwhile. */
static void give_numbers_back(vptr__heap *heap, vptr__magazine *from) {
  if (from->last_number != heap->serial)
    return;
  heap->serial = from->number > heap->slab_serial ? from->number : heap->slab_serial;
  from->last_number = from->number;
}

void vptr__magazine_settle(vptr__heap *heap) {
  vptr__magazine *mine = own_magazine(heap);
  if (mine != NULL)
    give_numbers_back(heap, mine);
}

/* A slab that began since the numbers were taken counts from behind them. */
static void take_numbers(vptr__heap *heap, vptr__magazine *mine) {
  if (mine->number != mine->last_number && mine->number >= heap->slab_serial)
    return;
  mine->number = heap->serial;
  mine->last_number = heap->serial += NUMBERS;
}

void vptr__magazine_fill(vptr__heap *heap, unsigned class) {
  vptr__magazine *mine = own_magazine(heap);
  if (mine == NULL)
    return;
  take_numbers(heap, mine);
  vptr__range *range = vptr__slab_with_room(heap, class);
  if (range == NULL || vptr__magazine_is_nearly_empty(heap, range))
    return;
  rack *to = &mine->racks[class];
  uint32_t half = to->most / 2u;
  to->wanted = to->wanted * 2 + 1 < half ? to->wanted * 2 + 1 : half;
  uint32_t count = vptr__slab_take(heap, range, to->slots, to->wanted);
  to->count = (uint16_t)count;
  for (uint32_t i = 0; i < count / 2; i++) { /* the lowest address goes first */
    uintptr_t slot = to->slots[i];
    to->slots[i] = to->slots[count - 1 - i];
    to->slots[count - 1 - i] = slot;
  }
}

void vptr__magazine_unfill(vptr__heap *heap, unsigned class) {
  vptr__magazine *mine = own_magazine(heap);
  if (mine != NULL)
    give_back(heap, &mine->racks[class], mine->racks[class].count);
}

void vptr__magazine_make_room(vptr__heap *heap, unsigned class) {
  vptr__magazine *mine = own_magazine(heap);
  if (mine == NULL)
    return;
  rack *of = &mine->racks[class];
  if (of->count == of->most)
    give_back(heap, of, (of->count + 1u) / 2);
}

void vptr__magazines_stop(vptr__heap *heap) {
  if (heap->magazines.first == NULL)
    return;
  for (vptr__magazine *each = heap->magazines.first; each != NULL; each = each->next)
    vptr__pass_mark(&each->pass);
  vptr__barrier_pass();
  for (vptr__magazine *each = heap->magazines.first; each != NULL; each = each->next)
    vptr__pass_wait(&each->pass);
}

void vptr__magazines_go(vptr__heap *heap) {
  for (vptr__magazine *each = heap->magazines.first; each != NULL; each = each->next)
    vptr__pass_release(&each->pass);
}

static void empty_magazine(vptr__heap *heap, vptr__magazine *magazine) {
  for (unsigned class = 0; class < VPTR__CLASS_COUNT; class ++)
    give_back(heap, &magazine->racks[class], magazine->racks[class].count);
}

void vptr__magazines_empty(vptr__heap *heap) {
  vptr__magazines_stop(heap);
  for (vptr__magazine *each = heap->magazines.first; each != NULL; each = each->next)
    empty_magazine(heap, each);
  vptr__magazines_go(heap);
}

/* At each halving of what is left, so that a slab whose last slots others hold is not asked after at every free. */
void vptr__magazine_call_in(vptr__heap *heap, vptr__range *range) {
  const vptr__slab *slab = &range->slab;
  uint32_t used = vptr__slab_used(slab);
  unsigned class = slab->class;
  if ((used & (used - 1)) != 0 || !vptr__magazine_is_nearly_empty(heap, range))
    return;
  vptr__magazines_stop(heap);
  for (vptr__magazine *each = heap->magazines.first; each != NULL; each = each->next)
    give_back(heap, &each->racks[class], each->racks[class].count);
  vptr__magazines_go(heap);
}

/* ---- sums ------------------------------------------------------------------------------------------------ */

size_t vptr__magazines_live_count(const vptr__heap *heap) {
  size_t sum = 0;
  for (const vptr__magazine *each = heap->magazines.first; each != NULL; each = each->next)
    sum += atomic_load_explicit(&each->live_count, memory_order_relaxed);
  return sum;
}

size_t vptr__magazines_live_bytes(const vptr__heap *heap) {
  size_t sum = 0;
  for (const vptr__magazine *each = heap->magazines.first; each != NULL; each = each->next)
    sum += atomic_load_explicit(&each->live_bytes, memory_order_relaxed);
  return sum;
}

static size_t new_slots(const vptr__heap *heap, const rack *of) {
  size_t count = 0;
  for (uint32_t i = 0; i < of->count; i++) {
    const vptr__range *range = vptr__range_at(heap, (void *)of->slots[i]);
    count += !vptr__slot_state_was_issued(atomic_load(&range->slab.states[vptr__slab_slot(range, of->slots[i])]));
  }
  return count;
}

size_t vptr__magazines_new_slots(const vptr__heap *heap) {
  size_t count = 0;
  for (const vptr__magazine *each = heap->magazines.first; each != NULL; each = each->next)
    for (unsigned class = 0; class < VPTR__CLASS_COUNT; class ++)
      count += new_slots(heap, &each->racks[class]);
  return count;
}

/* ---- coming and going ------------------------------------------------------------------------------------ */

static void unlink_magazine(vptr__heap *heap, const vptr__magazine *magazine) {
  vptr__magazine **link = &heap->magazines.first;
  while (*link != magazine)
    link = &(*link)->next;
  *link = magazine->next;
  heap->magazines.count--;
}

/* Its thread's part in the heap's books ends. */
static void retire_magazine(vptr__heap *heap, vptr__magazine *magazine) {
  vptr__heap_lock(heap);
  give_numbers_back(heap, magazine);
  empty_magazine(heap, magazine);
  heap->live_count += magazine->live_count;
  heap->live_bytes += magazine->live_bytes;
  unlink_magazine(heap, magazine);
  vptr__heap_unlock(heap);
  vptr__memory_free(magazine);
}

static vptr__heap *heap_of(uint64_t number) {
  vptr__heap *heap = books.first;
  while (heap != NULL && heap->magazines.number != number)
    heap = heap->magazines.next_heap;
  return heap;
}

static void give_up(holding *mine) {
  holding was = *mine;
  *mine = (holding){ 0 };
  if (was.magazine == NULL)
    return;
  vptr__lock_take(&books.lock);
  vptr__heap *heap = heap_of(was.heap);
  if (heap != NULL)
    retire_magazine(heap, was.magazine);
  vptr__lock_give(&books.lock);
}

static void leave_heaps(void *holdings) {
  for (int i = 0; i < HEAPS_OF_THREAD && process == getpid(); i++)
    give_up((holding *)holdings + i);
}

static void make_leave_key(void) {
  books.has_leave_key = pthread_key_create(&books.leave_key, leave_heaps) == 0;
}

void vptr__magazines_init(vptr__heap *heap) {
  bool has_pools = vptr__heap_pools(heap, 1);
  if (heap->trace || heap->quarantine.limit != 0 || !has_pools)
    return;
  vptr__barrier_settle();
  vptr__lock_take(&books.lock);
  heap->magazines.number = ++books.number;
  heap->magazines.next_heap = books.first;
  books.first = heap;
  vptr__lock_give(&books.lock);
}

void vptr__magazines_fini(vptr__heap *heap) {
  if (heap->magazines.number == 0)
    return;
  vptr__lock_take(&books.lock);
  vptr__heap **link = &books.first;
  while (*link != heap)
    link = &(*link)->magazines.next_heap;
  *link = heap->magazines.next_heap;
  vptr__lock_give(&books.lock);
  while (heap->magazines.first != NULL) {
    vptr__magazine *next = heap->magazines.first->next;
    vptr__memory_free(heap->magazines.first);
    heap->magazines.first = next;
  }
}

/* A thread that cannot be told of its end gets none, and one for which there is no memory does without. */
static void get_magazine(vptr__heap *heap, holding *mine) {
  pthread_once(&books.once, make_leave_key);
  if (!books.has_leave_key || pthread_setspecific(books.leave_key, held) != 0)
    return;
  vptr__magazine *magazine = vptr__memory_calloc(1, sizeof *magazine);
  if (magazine == NULL)
    return;
  for (unsigned class = 0; class < VPTR__CLASS_COUNT; class ++)
    magazine->racks[class].most = rack_capacity(vptr__class_slot_size(class, heap->granule_shift));
  process = getpid();
  mine->magazine = magazine;
  vptr__heap_lock(heap);
  magazine->next = heap->magazines.first;
  heap->magazines.first = magazine;
  heap->magazines.count++;
  vptr__heap_unlock(heap);
}

void vptr__magazine_visit(vptr__heap *heap) {
  if (heap->magazines.number == 0)
    return;
  holding *mine = holding_of(heap);
  if (mine->heap != heap->magazines.number) {
    give_up(mine);
    mine->heap = heap->magazines.number;
  }
  if (mine->magazine == NULL && ++mine->visits >= VISITS) {
    mine->visits = 0;
    get_magazine(heap, mine);
  }
}
