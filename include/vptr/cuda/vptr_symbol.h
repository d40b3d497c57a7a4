/* SPDX-License-Identifier: MIT */
/*
 * vptr_symbol - variables of the device, for those who stand in for CUDA's compiler.
 *
 * `__device__ float table[64];` is two variables: one that kernels see, in the memory of each device, and one on the
 * host whose address is its name in cudaMemcpyToSymbol() and its kin. NVIDIA's compiler registers each by a call that
 * its programs make before main(). This is that call for everyone else: translators of kernels, and programs by hand.
 *
 *     static float table[64];                                                the name on the host
 *     vptr_cuda_register_symbol(table, "table", sizeof table, NULL, 0);
 *     ...
 *     cudaMemcpyToSymbol(table, host, sizeof table, 0, cudaMemcpyHostToDevice);
 *     cudaGetSymbolAddress(&address, table);                                   for a kernel's argument
 *
 * Registering touches no device. Memory is made on each device when it is first needed there, with the initial content;
 * where it was lost since (cudaDeviceReset(), vptr_clear()), it is made anew. It has an address of its own that
 * cudaFree() refuses. Thread-safe, every call.
 */
#ifndef VPTR_CUDA_SYMBOL_H
#define VPTR_CUDA_SYMBOL_H

#include "driver_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The variable is `__constant__`: kernels only read it, and it has 64 KiB at most, as on every CUDA device. */
#define VPTR_CUDA_SYMBOL_CONSTANT 1u

/* Makes a variable known. host_symbol: any address that stands for it, once; it is never read or written. name, for
 * messages, and initial, size bytes or NULL for zeros, are not copied: they stay until the symbol is unregistered.
 * Errors: cudaErrorInvalidValue (NULL, size 0, unknown flags, too large for a constant), cudaErrorInvalidSymbol
 * (registered already), cudaErrorMemoryAllocation. */
VPTR_CUDA_API cudaError_t vptr_cuda_register_symbol(const void *host_symbol, const char *name, size_t size,
                                                    const void *initial, unsigned flags);

/* Forgets it, as for dlclose(): no other thread may be using it. Waits for no device: its memory is freed when the work
 * in flight is over. Errors: cudaErrorInvalidSymbol. */
VPTR_CUDA_API cudaError_t vptr_cuda_unregister_symbol(const void *host_symbol);

#ifdef __cplusplus
}
#endif

#endif
