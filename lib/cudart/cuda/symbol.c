/* SPDX-License-Identifier: MIT */
/*
 * symbol - variables of the device by their address on the host: registering them, and the CUDA calls that take them.
 *
 * What a variable is, and its memory on each device, is module/variable.h's business; here its key is the address on
 * the host. A managed variable is that address: its bytes are the host's, and the symbol's end of a copy is host
 * memory, once the device has done what it was given. A symbol that is unknown has registration tried again, under the
 * lock of rank UNIT. There is no data here but constants, and no lock of its own: variables are module/variable.c's,
 * under its static `lock`, of rank LEAF. Called by programs, and by replay/work_of.c; copies block as cudaMemcpy()
 * does, those of the Async forms are work of a stream.
 */
#include <vptr/cuda/vptr_symbol.h>

#include "base/error.h"
#include "cuda/binary.h"
#include "cuda/copy.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/stream.h"
#include "cuda/unit.h"
#include "mapper/mapper.h"
#include "module/variable.h"

#include <vptr/cuda/cuda_runtime_api.h>

#include <stdbool.h>

enum { LARGEST_CONSTANT = 64 << 10 };

static cudaError_t refuse_key(const char *call, const void *key) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
              "%s: %p is no symbol of the device; vptr_cuda_register_symbol() makes one known, and a C program gives "
              "the variable's address, not its name",
              call, key);
  return cudaErrorInvalidSymbol;
}

static cudaError_t find_symbol(const char *call, const void *key, vptr__variable *found_out) {
  if (vptr__variable_find(key, found_out))
    return cudaSuccess;
  cudaError_t error = vptr__cuda_unit_try(call, key);
  if (error == cudaSuccess && !vptr__variable_find(key, found_out))
    error = vptr__cuda_binary_try(call, key);
  if (error != cudaSuccess)
    return error;
  return vptr__variable_find(key, found_out) ? cudaSuccess : refuse_key(call, key);
}

/* Finds a symbol and its memory on the current device; a managed one's on the host. */
static cudaError_t locate_symbol(const char *call, const void *key, vptr__variable *found_out, void **address_out) {
  vptr_mapper *mapper;
  cudaError_t error = vptr__cuda_current_mapper(&mapper);
  if (error == cudaSuccess)
    error = find_symbol(call, key, found_out);
  if (error != cudaSuccess)
    return error;
  if (found_out->is_managed) {
    *address_out = (void *)(uintptr_t)key;
    return cudaSuccess;
  }
  return vptr__cuda_from_status(vptr__variable_address(key, mapper, address_out));
}

/* ---- registering ---------------------------------------------------------------------------------------- */

static cudaError_t check_new(const vptr__variable *made, unsigned flags) {
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

static cudaError_t register_symbol(const vptr__variable *made, unsigned flags) {
  cudaError_t error = check_new(made, flags);
  if (error != cudaSuccess)
    return error;
  vptr_status status = vptr__variable_register(made);
  if (status != VPTR_ERROR_NOT_READY)
    return vptr__cuda_from_status(status);
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
              "vptr_cuda_register_symbol: %s: %p is a symbol already; unregister it first", made->name, made->key);
  return cudaErrorInvalidSymbol;
}

static cudaError_t unregister_symbol(const void *key) {
  return vptr__variable_leave(key, VPTR__LEAVING_WHEN_UNUSED) ? cudaSuccess
                                                              : refuse_key("vptr_cuda_unregister_symbol", key);
}

cudaError_t vptr_cuda_register_symbol(const void *host_symbol, const char *name, size_t size, const void *initial,
                                      unsigned flags) {
  vptr__variable made = { .key = host_symbol, .name = name, .size = size, .initial = initial };
  made.site = __builtin_return_address(0);
  return vptr__cuda_record(register_symbol(&made, flags));
}

cudaError_t vptr_cuda_unregister_symbol(const void *host_symbol) {
  return vptr__cuda_record(unregister_symbol(host_symbol));
}

/* ---- CUDA's calls --------------------------------------------------------------------------------------- */

static cudaError_t get_address(void **devPtr, const void *key) {
  vptr__variable found;
  void *address = NULL;
  cudaError_t error = locate_symbol("cudaGetSymbolAddress", key, &found, &address);
  if (error == cudaSuccess && devPtr == NULL)
    error = vptr__cuda_null_output("cudaGetSymbolAddress", "devPtr");
  if (error == cudaSuccess)
    *devPtr = address;
  return error;
}

static cudaError_t get_size(size_t *size, const void *key) {
  vptr__variable found;
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess)
    error = find_symbol("cudaGetSymbolSize", key, &found);
  if (error == cudaSuccess && size == NULL)
    error = vptr__cuda_null_output("cudaGetSymbolSize", "size");
  if (error == cudaSuccess)
    *size = found.size;
  return error;
}

/* The symbol's end of a copy. */
typedef struct symbol_end {
  unsigned char *memory;    /* at the copy's offset */
  enum cudaMemcpyKind kind; /* of the copy, as its memory lies */
} symbol_end;

/* Kernels bring a managed variable's bytes back behind them. */
static cudaError_t await_managed(void) {
  vptr_mapper *mapper;
  cudaError_t error = vptr__cuda_current_mapper(&mapper);
  return error == cudaSuccess ? vptr__cuda_from_status(vptr__stream_synchronize_all(mapper)) : error;
}

/* Its memory at offset, if the copy stays inside and its kind has the device there. */
static cudaError_t locate_end(const char *call, const void *key, size_t count, size_t offset, bool kind_fits,
                              symbol_end *end) {
  vptr__variable found;
  void *address = NULL;
  cudaError_t error = locate_symbol(call, key, &found, &address);
  if (error != cudaSuccess)
    return error;
  if (!kind_fits) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s is device memory, and that kind of copy has none there", call,
                found.name);
    return cudaErrorInvalidMemcpyDirection;
  }
  if (offset > found.size || count > found.size - offset) {
    vptr__error(VPTR_ERROR_OUT_OF_BOUNDS, "%s: %zu bytes from %zu leave %s, which has %zu", call, count, offset,
                found.name, found.size);
    return cudaErrorInvalidValue;
  }
  end->memory = (unsigned char *)address + offset;
  if (!found.is_managed)
    return cudaSuccess;
  end->kind = cudaMemcpyDefault;
  return await_managed();
}

static bool goes_to_device(enum cudaMemcpyKind kind) {
  return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
}

static bool comes_from_device(enum cudaMemcpyKind kind) {
  return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
}

static cudaError_t copy_to(const vptr__cuda_call *call, const void *key, const void *src, size_t count, size_t offset,
                           enum cudaMemcpyKind kind, vptr__cuda_when when) {
  symbol_end end = { .kind = kind };
  if (count == 0)
    return vptr__cuda_device_exists(); /* CUDA looks at nothing then, nor for the symbol */
  cudaError_t error = locate_end(call->name, key, count, offset, goes_to_device(kind), &end);
  return error != cudaSuccess ? error : vptr__cuda_copy_line(call, end.memory, src, count, end.kind, when);
}

static cudaError_t copy_from(const vptr__cuda_call *call, void *dst, const void *key, size_t count, size_t offset,
                             enum cudaMemcpyKind kind, vptr__cuda_when when) {
  symbol_end end = { .kind = kind };
  if (count == 0)
    return vptr__cuda_device_exists();
  cudaError_t error = locate_end(call->name, key, count, offset, comes_from_device(kind), &end);
  return error != cudaSuccess ? error : vptr__cuda_copy_line(call, dst, end.memory, count, end.kind, when);
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
