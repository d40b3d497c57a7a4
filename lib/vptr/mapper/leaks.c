/* SPDX-License-Identifier: MIT */
/*
 * leaks - prints the table of what was never freed, to stderr, when the process ends (VPTR_LEAKS=1).
 *
 * It is printed by a destructor of the library. That runs behind all exit handlers of the program, and behind the
 * destructors of the program and of the libraries that depend on this one, while the code is mapped. What atexit() was
 * given would run before the destructors of a C++ program's static objects, whose device memory would be told as leaks;
 * and what on_exit() was given might be unmapped. What a destructor costs: drivers may have taken themselves down by
 * then, thus nothing here may call OpenCL; and a program that closes stderr in an exit handler closes it for the table
 * too.
 *
 * Listed is what the program asked for: device memory, pinned and managed memory, and buffers that it attached and did
 * not detach. Registered host memory is the program's and is not listed. What the library has for itself is told apart
 * by the ledger (mapper/ledger.h), which is kept from the first mapper on.
 *
 * A child of fork() inherits the mappers, but not the duty: the process that made the first mapper prints, and no
 * other. The static `watching_process` is that process, and atomic. Other threads may still run, so everything is read
 * through calls that any thread may use at any time. The registry's lock (`registry.lock` in registry.c), of rank
 * REGISTRY, is held for the time, addr2line's included, so that a thread that makes a mapper meanwhile waits;
 * vptr__heap.lock, of rank HEAP, and the ledger's (`ledger.lock` in ledger.c), of rank LEAF, are taken for moments.
 *
 * Called by mapper.c when a mapper is made, and by the loader, when the process ends. Declared in mapper.h.
 */
#include "mapper/mapper.h"

#include "base/callsite.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/option.h"
#include "mapper/ledger.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

/* Rows of a table. Enough for every program that leaks by mistake; one that leaks a million blocks in a loop has a few
 * places in its code, which folding shows, and addr2line takes milliseconds a row. */
enum { MAX_ROWS = 32, SITE_SIZE = 256 };

typedef enum leak_kind { LEAK_DEVICE, LEAK_ATTACHED, LEAK_PINNED, LEAK_MANAGED } leak_kind;

static const char *const kind_names[] = { "device", "attached", "pinned", "managed" };

/* Allocations of one size made at one place. */
typedef struct leak {
  size_t size; /* of each */
  size_t count;
  uint64_t serial; /* of the first; 0: host memory has none */
  const void *site;
  leak_kind kind;
} leak;

typedef struct leak_list {
  leak *leaks;
  size_t count, capacity;
  size_t bytes;    /* of all allocations, listed or not */
  size_t unlisted; /* allocations beyond the capacity */
} leak_list;

/* The process that prints; 0: none. Written once, by the first vptr__leaks_watch(). */
static _Atomic(pid_t) watching_process;

/* ---- collecting ------------------------------------------------------------------------------------------ */

static const void *site_of(vptr__heap *heap, const vptr_location *location) {
  vptr_location nearest;
  vptr_status state;
  const void *site = NULL;
  bool known = vptr__heap_nearest(heap, location->base, &nearest, &state, &site);
  return known && nearest.serial == location->serial ? site : NULL;
}

static void list_add(leak_list *list, const leak *what) {
  list->bytes += what->size;
  if (list->count == list->capacity)
    list->unlisted++;
  else
    list->leaks[list->count++] = *what;
}

static void add_device_memory(leak_list *list, vptr__heap *heap, bool traced) {
  vptr_location location;
  for (uintptr_t from = 0; vptr__heap_next(heap, from, &location); from = (uintptr_t)location.base + 1)
    if (!vptr__ledger_is_own(&location))
      list_add(list, &(leak){ .size = location.size,
                              .count = 1,
                              .serial = location.serial,
                              .site = traced ? site_of(heap, &location) : NULL,
                              .kind = location.kind == VPTR_KIND_ATTACHED ? LEAK_ATTACHED : LEAK_DEVICE });
}

static void add_host_memory(leak_list *list, const vptr_mapper *mapper, bool traced) {
  vptr__ledger_entry entry;
  for (uintptr_t from = 0; vptr__ledger_next(mapper, from, &entry); from = (uintptr_t)entry.base + 1)
    list_add(list, &(leak){ .size = entry.size,
                            .count = 1,
                            .site = traced ? entry.site : NULL,
                            .kind = entry.kind == VPTR__LEDGER_MANAGED ? LEAK_MANAGED : LEAK_PINNED });
}

/* Room for as many as there are now; what other threads add meanwhile is counted, not listed. If the host has no memory
 * for that, the table has totals only. */
static void list_collect(leak_list *list, const vptr_mapper *mapper) {
  size_t capacity = vptr__heap_count(mapper->heap) + vptr__ledger_count();
  *list = (leak_list){ .leaks = vptr__memory_calloc(capacity, sizeof(leak)) };
  list->capacity = list->leaks != NULL ? capacity : 0;
  bool traced = vptr__option_flag(VPTR__OPTION_TRACE_ALLOC);
  add_device_memory(list, mapper->heap, traced);
  add_host_memory(list, mapper, traced);
}

/* ---- ordering and folding -------------------------------------------------------------------------------- */

static int compare_numbers(uint64_t a, uint64_t b) {
  return (a > b) - (a < b);
}

/* Neighbours are what folding joins. */
static int by_place(const void *left, const void *right) {
  const leak *a = left, *b = right;
  int order = compare_numbers((uintptr_t)a->site, (uintptr_t)b->site);
  if (order == 0)
    order = compare_numbers(a->kind, b->kind);
  if (order == 0)
    order = compare_numbers(a->size, b->size);
  return order != 0 ? order : compare_numbers(a->serial, b->serial);
}

/* The most bytes first: for a single allocation that is its size. */
static int by_bytes(const void *left, const void *right) {
  const leak *a = left, *b = right;
  int order = compare_numbers(b->size * b->count, a->size * a->count);
  return order != 0 ? order : compare_numbers(a->serial, b->serial);
}

static bool same_place(const leak *a, const leak *b) {
  return a->site == b->site && a->kind == b->kind && a->size == b->size;
}

static void list_fold(leak_list *list) {
  qsort(list->leaks, list->count, sizeof(leak), by_place);
  size_t kept = 0;
  for (size_t i = 1; i < list->count; i++)
    if (same_place(&list->leaks[kept], &list->leaks[i]))
      list->leaks[kept].count++;
    else
      list->leaks[++kept] = list->leaks[i];
  list->count = kept + 1;
}

/* A short list keeps a row for each allocation: serial numbers are worth more than brevity. */
static void list_arrange(leak_list *list) {
  if (list->count > MAX_ROWS)
    list_fold(list);
  if (list->count > 0)
    qsort(list->leaks, list->count, sizeof(leak), by_bytes);
}

/* ---- printing -------------------------------------------------------------------------------------------- */

static void print_row(const leak *row) {
  char site[SITE_SIZE] = "";
  if (row->site != NULL)
    vptr__callsite_describe((const char *)row->site - 1, site, sizeof site);
  char serial[24] = "-";
  if (row->serial != 0)
    snprintf(serial, sizeof serial, "%" PRIu64, row->serial);
  vptr__log_always("  %16zu %9zu %16zu %9s  %-8s  %s", row->size * row->count, row->count, row->size, serial,
                   kind_names[row->kind], site);
}

static void print_rest(const leak_list *list, size_t shown) {
  size_t count = list->unlisted;
  size_t bytes = list->bytes;
  for (size_t i = 0; i < shown; i++)
    bytes -= list->leaks[i].size * list->leaks[i].count;
  for (size_t i = shown; i < list->count; i++)
    count += list->leaks[i].count;
  if (count > 0)
    vptr__log_always("  %16zu %9zu  in %zu more rows%s", bytes, count, list->count - shown,
                     list->unlisted > 0 ? " and some for which the host had no memory" : "");
}

static void print_list(const vptr_mapper *mapper, const leak_list *list, size_t live) {
  const vptr__device *device = mapper->device;
  vptr__log_always("never freed on device %d (%s): %zu allocations, %zu bytes", device->ordinal, device->name, live,
                   list->bytes);
  vptr__log_always("  %16s %9s %16s %9s  %-8s  %s", "bytes", "count", "size", "serial", "kind",
                   vptr__option_flag(VPTR__OPTION_TRACE_ALLOC) ? "made at" : "made at (VPTR_TRACE_ALLOC=1 tells)");
  size_t shown = list->count < MAX_ROWS ? list->count : MAX_ROWS;
  for (size_t i = 0; i < shown; i++)
    print_row(&list->leaks[i]);
  print_rest(list, shown);
}

/* context: the number of leaks so far, over all mappers. */
static void report_mapper(vptr_mapper *mapper, void *context) {
  size_t *total = context;
  leak_list list;
  list_collect(&list, mapper);
  size_t live = list.count + list.unlisted;
  *total += live;
  if (live > 0) {
    list_arrange(&list);
    print_list(mapper, &list, live);
  }
  vptr__memory_free(list.leaks);
}

/* Says so too if there is nothing to tell: silence could also mean that nobody looked. */
__attribute__((destructor)) static void report_all(void) {
  if (atomic_load(&watching_process) != getpid())
    return;
  size_t total = 0;
  vptr__mapper_each(report_mapper, &total);
  if (total == 0)
    vptr__log_always("every allocation was freed");
}

void vptr__leaks_watch(void) {
  if (!vptr__option_flag(VPTR__OPTION_LEAKS))
    return;
  atomic_store(&vptr__ledger_is_kept, true);
  pid_t nobody = 0;
  atomic_compare_exchange_strong(&watching_process, &nobody, getpid());
}
