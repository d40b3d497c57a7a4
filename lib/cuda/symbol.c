/* SPDX-License-Identifier: MIT */
/*
 * symbol - variables of the device by their address on the host: registering them, and the CUDA calls that take them.
 *
 * A table of symbols, sorted by that address, is one a process; each symbol has a place for each device, filled when the
 * device is first asked for it. The memory is the heap's like any other, and whoever empties the heap (a reset,
 * vptr_clear()) need not know of symbols: a place remembers the serial number of its allocation, and when that is no
 * longer live the next call makes a new one, with the initial content. That is what CUDA's reset does too.
 *
 * The address that is told lies LEAD bytes into its allocation, so that cudaFree() refuses it as it refuses any interior
 * address: in CUDA a symbol cannot be freed.
 *
 * Lock: one, rank LEAF, guards the table and the places. No allocation is made and nothing is copied under it: two
 * threads that meet an empty place may both fill one, and the later one frees its own again.
 */
#include <vptr/cuda/vptr_symbol.h>

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"
#include "cuda/copy.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/stream.h"
#include "mapper/mapper.h"

#include <vptr/cuda/cuda_runtime_api.h>

#include <stdbool.h>
#include <string.h>

enum { LEAD = 256, LARGEST_CONSTANT = 64 << 10 };

/* A symbol's memory on one device. */
typedef struct symbol_place {
  unsigned char *memory; /* NULL: none yet */
  uint64_t serial;       /* of its allocation */
} symbol_place;

typedef struct symbol {
  const void *key;
  const char *name;
  size_t size;
  const void *initial;
  const void *site; /* who registered it, for traces */
  symbol_place *places;
  int place_count;
} symbol;

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static symbol *symbols;
static size_t symbol_count, symbol_capacity;

/* ---- the table ------------------------------------------------------------------------------------------ */

/* Where key is, or would be. Under the lock. */
static size_t position_of(const void *key) {
  size_t low = 0, high = symbol_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if ((uintptr_t)symbols[middle].key < (uintptr_t)key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static symbol *look_up(const void *key) {
  size_t at = position_of(key);
  return at < symbol_count && symbols[at].key == key ? &symbols[at] : NULL;
}

static bool grow(void) {
  if (symbol_count < symbol_capacity)
    return true;
  size_t capacity = symbol_capacity == 0 ? 16 : symbol_capacity * 2;
  symbol *grown = vptr__memory_calloc(capacity, sizeof *grown);
  if (grown == NULL)
    return false;
  if (symbol_count > 0)
    memcpy(grown, symbols, symbol_count * sizeof *grown);
  vptr__memory_free(symbols);
  symbols = grown;
  symbol_capacity = capacity;
  return true;
}

typedef enum insertion { INSERTED, PRESENT, NO_MEMORY } insertion;

static insertion insert(const symbol *made) {
  insertion result = INSERTED;
  vptr__lock_take(&lock);
  if (look_up(made->key) != NULL) {
    result = PRESENT;
  } else if (!grow()) {
    result = NO_MEMORY;
  } else {
    size_t at = position_of(made->key);
    memmove(symbols + at + 1, symbols + at, (symbol_count - at) * sizeof *symbols);
    symbols[at] = *made;
    symbol_count++;
  }
  vptr__lock_give(&lock);
  return result;
}

/* Takes a symbol out; its places are the caller's then. */
static bool take_out(const void *key, symbol *taken_out) {
  vptr__lock_take(&lock);
  symbol *found = look_up(key);
  if (found != NULL) {
    size_t at = (size_t)(found - symbols);
    *taken_out = *found;
    memmove(symbols + at, symbols + at + 1, (symbol_count - at - 1) * sizeof *symbols);
    symbol_count--;
  }
  if (symbol_count == 0) {
    vptr__memory_free(symbols);
    symbols = NULL;
    symbol_capacity = 0;
  }
  vptr__lock_give(&lock);
  return found != NULL;
}

/* A copy of what key means: good while nobody unregisters it, but for the places. */
static cudaError_t find(const char *call, const void *key, symbol *found_out) {
  vptr__lock_take(&lock);
  const symbol *found = look_up(key);
  if (found != NULL)
    *found_out = *found;
  vptr__lock_give(&lock);
  if (found != NULL)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
              "%s: %p is no symbol of the device; vptr_cuda_register_symbol() makes one known, and a C program gives "
              "the variable's address, not its name",
              call, key);
  return cudaErrorInvalidSymbol;
}

/* ---- places --------------------------------------------------------------------------------------------- */

static bool is_live(vptr_mapper *mapper, const symbol_place *place) {
  vptr_location location;
  return place->memory != NULL && vptr__mapper_locate(mapper, place->memory, 1, &location) == VPTR_SUCCESS &&
         location.serial == place->serial;
}

static symbol_place get_place(const void *key, int device) {
  symbol_place place = { NULL, 0 };
  vptr__lock_take(&lock);
  const symbol *found = look_up(key);
  if (found != NULL && device < found->place_count)
    place = found->places[device];
  vptr__lock_give(&lock);
  return place;
}

static vptr_status fill(vptr_mapper *mapper, const symbol *of, unsigned char *memory) {
  if (of->initial == NULL)
    return vptr_memset(mapper, memory, 0, of->size);
  return vptr_memcpy(mapper, memory, of->initial, of->size);
}

static vptr_status make_place(vptr_mapper *mapper, const symbol *of, symbol_place *place_out) {
  void *base;
  vptr_status status = vptr__heap_allocate(mapper->heap, LEAD + of->size, of->site, &base);
  if (status != VPTR_SUCCESS)
    return status;
  symbol_place place = { (unsigned char *)base + LEAD, 0 };
  status = fill(mapper, of, place.memory);
  if (status != VPTR_SUCCESS) {
    vptr_free(mapper, base);
    return status;
  }
  vptr_location location;
  vptr__mapper_locate(mapper, base, 1, &location);
  place.serial = location.serial;
  *place_out = place;
  return VPTR_SUCCESS;
}

/* Enters a place unless the one that was `seen` has been replaced meanwhile by another thread: then that one is written
 * to *place, and the caller frees its own. */
static bool publish(const void *key, int device, const symbol_place *seen, symbol_place *place) {
  bool entered = false;
  vptr__lock_take(&lock);
  symbol *found = look_up(key);
  symbol_place *current = found != NULL && device < found->place_count ? &found->places[device] : NULL;
  if (current != NULL && current->memory == seen->memory && current->serial == seen->serial) {
    *current = *place;
    entered = true;
  } else if (current != NULL) {
    *place = *current;
  }
  vptr__lock_give(&lock);
  return entered;
}

/* Makes room for the places of all devices. */
static vptr_status have_places(const void *key) {
  int count = vptr__device_count();
  symbol_place *places = vptr__memory_calloc((size_t)count, sizeof *places);
  if (places == NULL)
    return vptr__error_host_memory((size_t)count * sizeof *places);
  vptr__lock_take(&lock);
  symbol *found = look_up(key);
  if (found != NULL && found->places == NULL) {
    found->places = places;
    found->place_count = count;
    places = NULL;
  }
  vptr__lock_give(&lock);
  vptr__memory_free(places);
  return VPTR_SUCCESS;
}

static cudaError_t address_on(vptr_mapper *mapper, const symbol *of, int device, void **address_out) {
  symbol_place seen = get_place(of->key, device);
  symbol_place place = seen;
  if (!is_live(mapper, &seen)) {
    vptr_status status = of->places == NULL ? have_places(of->key) : VPTR_SUCCESS;
    if (status == VPTR_SUCCESS)
      status = make_place(mapper, of, &place);
    if (status != VPTR_SUCCESS)
      return vptr__cuda_from_status(status);
    unsigned char *made = place.memory;
    if (!publish(of->key, device, &seen, &place))
      vptr_free(mapper, made - LEAD);
  }
  *address_out = place.memory;
  return cudaSuccess;
}

/* Finds a symbol and its memory on the current device. */
static cudaError_t locate(const char *call, const void *key, symbol *found_out, void **address_out) {
  vptr_mapper *mapper;
  int device;
  cudaError_t error = vptr__cuda_current_mapper(&mapper);
  if (error == cudaSuccess)
    error = find(call, key, found_out);
  if (error == cudaSuccess)
    error = cudaGetDevice(&device);
  return error != cudaSuccess ? error : address_on(mapper, found_out, device, address_out);
}

static void free_places(const symbol *of) {
  for (int device = 0; device < of->place_count; device++) {
    const symbol_place *place = &of->places[device];
    vptr_mapper *mapper = place->memory != NULL ? vptr__mapper_owning(place->memory) : NULL;
    if (mapper != NULL && is_live(mapper, place))
      vptr_free(mapper, place->memory - LEAD);
  }
  vptr__memory_free(of->places);
}

/* ---- registering ---------------------------------------------------------------------------------------- */

static cudaError_t check_new(const symbol *made, unsigned flags) {
  const char *wrong = NULL;
  if (made->key == NULL || made->name == NULL)
    wrong = "its address on the host, or its name, is NULL";
  else if ((flags & ~VPTR_CUDA_SYMBOL_CONSTANT) != 0)
    wrong = "a flag is none of VPTR_CUDA_SYMBOL_*";
  else if (made->size == 0 || made->size > PTRDIFF_MAX)
    wrong = "its size is none";
  else if ((flags & VPTR_CUDA_SYMBOL_CONSTANT) != 0 && made->size > LARGEST_CONSTANT)
    wrong = "constant memory has 64 KiB; leave out VPTR_CUDA_SYMBOL_CONSTANT";
  if (wrong == NULL)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "vptr_cuda_register_symbol: %s, %zu bytes: %s",
              made->name != NULL ? made->name : "(no name)", made->size, wrong);
  return cudaErrorInvalidValue;
}

static cudaError_t add(const symbol *made, unsigned flags) {
  cudaError_t error = check_new(made, flags);
  if (error != cudaSuccess)
    return error;
  switch (insert(made)) {
  case INSERTED:
    return cudaSuccess;
  case PRESENT:
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                "vptr_cuda_register_symbol: %s: %p is a symbol already; unregister it first", made->name, made->key);
    return cudaErrorInvalidSymbol;
  case NO_MEMORY:
    break;
  }
  return vptr__cuda_from_status(vptr__error_host_memory(sizeof *made));
}

static cudaError_t forget(const void *key) {
  symbol taken;
  if (!take_out(key, &taken))
    return find("vptr_cuda_unregister_symbol", key, &taken);
  free_places(&taken);
  return cudaSuccess;
}

cudaError_t vptr_cuda_register_symbol(const void *host_symbol, const char *name, size_t size, const void *initial,
                                      unsigned flags) {
  symbol made = { .key = host_symbol, .name = name, .size = size, .initial = initial };
  made.site = __builtin_return_address(0);
  return vptr__cuda_record(add(&made, flags));
}

cudaError_t vptr_cuda_unregister_symbol(const void *host_symbol) {
  return vptr__cuda_record(forget(host_symbol));
}

/* ---- CUDA's calls --------------------------------------------------------------------------------------- */

static cudaError_t get_address(void **devPtr, const void *key) {
  symbol found;
  if (devPtr == NULL)
    return vptr__cuda_null_output("cudaGetSymbolAddress", "devPtr");
  void *address = NULL;
  cudaError_t error = locate("cudaGetSymbolAddress", key, &found, &address);
  if (error == cudaSuccess)
    *devPtr = address;
  return error;
}

static cudaError_t get_size(size_t *size, const void *key) {
  symbol found;
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  if (size == NULL)
    return vptr__cuda_null_output("cudaGetSymbolSize", "size");
  error = find("cudaGetSymbolSize", key, &found);
  if (error == cudaSuccess)
    *size = found.size;
  return error;
}

/* The symbol's end of a copy: its memory at offset, if the copy stays inside and its kind has the device there. */
static cudaError_t locate_end(const char *call, const void *key, size_t count, size_t offset, bool kind_fits,
                              unsigned char **end_out) {
  symbol found;
  void *address = NULL;
  cudaError_t error = locate(call, key, &found, &address);
  if (error != cudaSuccess)
    return error;
  if (!kind_fits) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s is device memory, and that kind of copy has none there", call,
                found.name);
    return cudaErrorInvalidMemcpyDirection;
  }
  if (offset > found.size || count > found.size - offset) {
    vptr__error(VPTR_ERROR_CROSSES_END, "%s: %zu bytes from %zu leave %s, which has %zu", call, count, offset,
                found.name, found.size);
    return cudaErrorInvalidValue;
  }
  *end_out = (unsigned char *)address + offset;
  return cudaSuccess;
}

static bool goes_to_device(enum cudaMemcpyKind kind) {
  return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
}

static bool comes_from_device(enum cudaMemcpyKind kind) {
  return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
}

static cudaError_t copy_to(const vptr__cuda_call *call, const void *key, const void *src, size_t count, size_t offset,
                           enum cudaMemcpyKind kind, vptr__cuda_when when) {
  unsigned char *end;
  cudaError_t error = locate_end(call->name, key, count, offset, goes_to_device(kind), &end);
  return error != cudaSuccess ? error : vptr__cuda_copy_line(call, end, src, count, kind, when);
}

static cudaError_t copy_from(const vptr__cuda_call *call, void *dst, const void *key, size_t count, size_t offset,
                             enum cudaMemcpyKind kind, vptr__cuda_when when) {
  unsigned char *end;
  cudaError_t error = locate_end(call->name, key, count, offset, comes_from_device(kind), &end);
  return error != cudaSuccess ? error : vptr__cuda_copy_line(call, dst, end, count, kind, when);
}

static const vptr__cuda_call to_symbol = { "cudaMemcpyToSymbol", "cudaMemcpyToSymbol destination",
                                           "cudaMemcpyToSymbol source" };
static const vptr__cuda_call to_symbol_async = { "cudaMemcpyToSymbolAsync", "cudaMemcpyToSymbolAsync destination",
                                                 "cudaMemcpyToSymbolAsync source" };
static const vptr__cuda_call from_symbol = { "cudaMemcpyFromSymbol", "cudaMemcpyFromSymbol destination",
                                             "cudaMemcpyFromSymbol source" };
static const vptr__cuda_call from_symbol_async = { "cudaMemcpyFromSymbolAsync",
                                                   "cudaMemcpyFromSymbolAsync destination",
                                                   "cudaMemcpyFromSymbolAsync source" };

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset,
                               enum cudaMemcpyKind kind) {
  return vptr__cuda_record(copy_to(&to_symbol, symbol, src, count, offset, kind, vptr__cuda_now()));
}

cudaError_t cudaMemcpyToSymbol_ptds(const void *symbol, const void *src, size_t count, size_t offset,
                                    enum cudaMemcpyKind kind) {
  return vptr__cuda_record(copy_to(&to_symbol, symbol, src, count, offset, kind, vptr__cuda_now_ptds()));
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream) {
  return vptr__cuda_record(copy_to(&to_symbol_async, symbol, src, count, offset, kind, vptr__cuda_on(stream)));
}

cudaError_t cudaMemcpyToSymbolAsync_ptsz(const void *symbol, const void *src, size_t count, size_t offset,
                                         enum cudaMemcpyKind kind, cudaStream_t stream) {
  return cudaMemcpyToSymbolAsync(symbol, src, count, offset, kind, vptr__cuda_own_default(stream));
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset,
                                 enum cudaMemcpyKind kind) {
  return vptr__cuda_record(copy_from(&from_symbol, dst, symbol, count, offset, kind, vptr__cuda_now()));
}

cudaError_t cudaMemcpyFromSymbol_ptds(void *dst, const void *symbol, size_t count, size_t offset,
                                      enum cudaMemcpyKind kind) {
  return vptr__cuda_record(copy_from(&from_symbol, dst, symbol, count, offset, kind, vptr__cuda_now_ptds()));
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
  return vptr__cuda_record(copy_from(&from_symbol_async, dst, symbol, count, offset, kind, vptr__cuda_on(stream)));
}

cudaError_t cudaMemcpyFromSymbolAsync_ptsz(void *dst, const void *symbol, size_t count, size_t offset,
                                           enum cudaMemcpyKind kind, cudaStream_t stream) {
  return cudaMemcpyFromSymbolAsync(dst, symbol, count, offset, kind, vptr__cuda_own_default(stream));
}

cudaError_t cudaGetSymbolAddress(void **devPtr, const void *symbol) {
  return vptr__cuda_record(get_address(devPtr, symbol));
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol) {
  return vptr__cuda_record(get_size(size, symbol));
}
