/* SPDX-License-Identifier: MIT */
/*
 * stub - which function an address of the program's stands for.
 *
 * A hash table that is replaced when it grows, and never changed but by filling places: readers take no lock, and old
 * tables stay, which doubles the memory at worst. An unbound stub's place keeps its key and has no function, until
 * another stub takes it over; who asks for the old one meanwhile might get the new one's function, but nobody may be
 * using an unbound stub. Writers hold the table's lock, rank LEAF.
 */
#include "module/state.h"

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"

typedef struct stub_place {
  _Atomic(const void *) stub;
  _Atomic(vptr__function *) function;
} stub_place;

typedef struct stub_table {
  struct stub_table *older; /* outgrown; readers may still be in it */
  size_t mask, used;
  stub_place places[];
} stub_table;

static vptr__lock stub_lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static _Atomic(stub_table *) stubs;

/* Addresses of functions differ in their middle bits. */
static size_t hash(const void *stub) {
  return (size_t)(((uintptr_t)stub >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20);
}

/* Where stub is, or the empty place where it would be. There is always one. */
static stub_place *place_of(stub_table *table, const void *stub) {
  for (size_t i = hash(stub);; i++) {
    stub_place *place = &table->places[i & table->mask];
    const void *there = atomic_load_explicit(&place->stub, memory_order_acquire);
    if (there == stub || there == NULL)
      return place;
  }
}

/* The first place on the way to stub's that is nobody's any more; NULL: none. */
static stub_place *left_place(stub_table *table, const void *stub) {
  for (size_t i = hash(stub);; i++) {
    stub_place *place = &table->places[i & table->mask];
    if (atomic_load(&place->stub) == NULL)
      return NULL;
    if (atomic_load(&place->function) == NULL)
      return place;
  }
}

static void fill(stub_table *table, const void *stub, vptr__function *function) {
  stub_place *place = place_of(table, stub);
  if (atomic_load(&place->stub) == NULL) {
    stub_place *left = left_place(table, stub);
    table->used += left == NULL;
    place = left != NULL ? left : place;
    atomic_store_explicit(&place->stub, stub, memory_order_release);
  }
  atomic_store_explicit(&place->function, function, memory_order_release);
}

/* Under the lock. The table has room for one more afterwards. */
static stub_table *have_room(void) {
  stub_table *table = atomic_load(&stubs);
  if (table != NULL && table->used * 2 < table->mask)
    return table;
  size_t count = table == NULL ? 64 : (table->mask + 1) * 2;
  stub_table *grown = vptr__memory_calloc(1, sizeof *grown + count * sizeof *grown->places);
  if (grown == NULL)
    return NULL;
  grown->mask = count - 1;
  grown->older = table;
  for (size_t i = 0; table != NULL && i <= table->mask; i++) {
    vptr__function *function = atomic_load(&table->places[i].function);
    if (function != NULL)
      fill(grown, atomic_load(&table->places[i].stub), function);
  }
  atomic_store_explicit(&stubs, grown, memory_order_release);
  return grown;
}

vptr_status vptr__function_bind(const void *stub, vptr__function *function) {
  if (stub == NULL)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "the stub of kernel %s is NULL", function->image->name);
  vptr__lock_take(&stub_lock);
  stub_table *table = have_room();
  if (table != NULL)
    fill(table, stub, function);
  vptr__lock_give(&stub_lock);
  return table != NULL ? VPTR_SUCCESS : vptr__error_host_memory(sizeof *table);
}

vptr__function *vptr__function_of(const void *stub) {
  stub_table *table = atomic_load_explicit(&stubs, memory_order_acquire);
  return table != NULL && stub != NULL ? atomic_load_explicit(&place_of(table, stub)->function, memory_order_acquire)
                                       : NULL;
}

void vptr__function_unbind(const void *stub) {
  vptr__lock_take(&stub_lock);
  if (vptr__function_of(stub) != NULL)
    atomic_store(&place_of(atomic_load(&stubs), stub)->function, NULL);
  vptr__lock_give(&stub_lock);
}

void vptr__function_unbind_all(const vptr__module *module) {
  vptr__lock_take(&stub_lock);
  stub_table *table = atomic_load(&stubs);
  for (size_t i = 0; table != NULL && i <= table->mask; i++) {
    vptr__function *function = atomic_load(&table->places[i].function);
    if (function != NULL && function->module == module)
      atomic_store(&table->places[i].function, NULL);
  }
  vptr__lock_give(&stub_lock);
}
