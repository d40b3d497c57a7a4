/* SPDX-License-Identifier: MIT */
/*
 * word - where the words lie that streams wait for and write: CUDA's stream memory operations, for lib/driver.
 *
 * A word is of device memory, of any device's, or of pinned host memory, by its host address or its device address;
 * managed memory is taken where it lies in place, though CUDA takes none. All words of a call are checked before any is
 * used. No data, and no locks here. Called by driver/word.c alone.
 */
#ifndef VPTR_CUDA_WORD_H
#define VPTR_CUDA_WORD_H

#include <vptr/cuda/driver_types.h>

#include "stream/word.h"

/* Puts the steps into the stream, in their order. Their addresses are the program's, and their owners are filled in.
 * Errors: those of vptr__cuda_stream(), and cudaErrorInvalidValue for an address that is none of the above, or no
 * multiple of the word's size. No last error is kept. */
VPTR_API cudaError_t vptr__cuda_words(const char *call, cudaStream_t stream, vptr__word_step *steps, size_t count);

#endif
