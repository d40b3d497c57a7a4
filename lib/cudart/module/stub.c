/* SPDX-License-Identifier: MIT */
/*
 * stub - the table from stubs, the program's addresses that stand for kernels, to functions.
 *
 * The static `stubs`, which is atomic, points to a hash table with linear probing that is replaced when it grows.
 * Readers take no lock, so no bound stub is ever moved inside a table, and old tables are never freed, which doubles
 * the memory at worst. Writers hold the static `stub_lock`, of rank LEAF. A place that is not empty and has no function
 * is left: its stub was unbound, and the way of a bound one may lead over it.
 *
 *     empty | A | left | B | left | empty        the left place in the middle stays while B's way leads over it;
 *                                                the last is nobody's, and is emptied
 *
 * Left places are taken over by stubs whose way leads there, and emptied as soon as no bound stub's does (after Knuth's
 * algorithm R, volume 3, 6.4, but for the moving). So a table is filled by the stubs that are bound and what lies in
 * their ways, however many have come and gone, and grows for those alone. A thread that asks for an unbound stub might
 * get the function of who came behind it, but nobody may be using one.
 *
 * Called by module/module.c, which binds stubs and unbinds those of a module; by cudart/cuda/registration.c and
 * cudart/cuda/binary.c, which bind and look functions up; by driver/module.c, which binds and unbinds; and by
 * cudart/graph/work.c, driver/function.c, driver/graph_work.c, driver/kernel.c, driver/launch.c and
 * driver/reference_call.c, which look up. Nothing blocks.
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
  size_t mask, used;        /* used: places that are not empty */
  stub_place places[];
} stub_table;

static vptr__lock stub_lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static _Atomic(stub_table *) stubs;

/* Addresses of functions differ in their middle bits. */
static size_t hash_stub(const void *stub) {
  return (size_t)(((uintptr_t)stub >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20);
}

/* Where stub is, or the empty place where it would be. There is always one. */
static stub_place *place_of(stub_table *table, const void *stub) {
  for (size_t i = hash_stub(stub);; i++) {
    stub_place *place = &table->places[i & table->mask];
    const void *there = atomic_load_explicit(&place->stub, memory_order_acquire);
    if (there == stub || there == NULL)
      return place;
  }
}

/* The first place on the way to stub's that is nobody's any more; NULL: none. */
static stub_place *left_place(stub_table *table, const void *stub) {
  for (size_t i = hash_stub(stub);; i++) {
    stub_place *place = &table->places[i & table->mask];
    if (atomic_load(&place->stub) == NULL)
      return NULL;
    if (atomic_load(&place->function) == NULL)
      return place;
  }
}

static void insert_stub(stub_table *table, const void *stub, vptr__function *function) {
  stub_place *place = place_of(table, stub);
  if (atomic_load(&place->stub) == NULL) {
    stub_place *left = left_place(table, stub);
    table->used += left == NULL;
    place = left != NULL ? left : place;
    atomic_store_explicit(&place->stub, stub, memory_order_release);
  }
  atomic_store_explicit(&place->function, function, memory_order_release);
}

/* ---- places that are left ------------------------------------------------------------------------------- */

/* Whether a bound stub behind a place is found by a way that leads over it. */
static bool is_on_a_way(stub_table *table, size_t at) {
  for (size_t steps = 1;; steps++) {
    stub_place *place = &table->places[(at + steps) & table->mask];
    const void *stub = atomic_load(&place->stub);
    if (stub == NULL)
      return false;
    if (atomic_load(&place->function) != NULL && ((at + steps - hash_stub(stub)) & table->mask) >= steps)
      return true;
  }
}

/* A place's stub is unbound. Its way led over places before, which may be nobody's now, like itself. */
static void remove_stub(stub_table *table, size_t at) {
  atomic_store(&table->places[at & table->mask].function, NULL);
  for (;; at--) {
    stub_place *place = &table->places[at & table->mask];
    if (atomic_load(&place->stub) == NULL)
      return;
    if (atomic_load(&place->function) == NULL && !is_on_a_way(table, at)) {
      atomic_store(&place->stub, NULL);
      table->used--;
    }
  }
}

/* ---- tables --------------------------------------------------------------------------------------------- */

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
      insert_stub(grown, atomic_load(&table->places[i].stub), function);
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
    insert_stub(table, stub, function);
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
  stub_table *table = atomic_load(&stubs);
  if (vptr__function_of(stub) != NULL)
    remove_stub(table, (size_t)(place_of(table, stub) - table->places));
  vptr__lock_give(&stub_lock);
}

void vptr__function_unbind_all(const vptr__module *module) {
  vptr__lock_take(&stub_lock);
  stub_table *table = atomic_load(&stubs);
  for (size_t i = 0; table != NULL && i <= table->mask; i++) {
    vptr__function *function = atomic_load(&table->places[i].function);
    if (function != NULL && function->module == module)
      remove_stub(table, i);
  }
  vptr__lock_give(&stub_lock);
}
