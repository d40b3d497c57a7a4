/* SPDX-License-Identifier: MIT */
/*
 * word - where the words lie that streams wait for and write: CUDA's stream memory operations, for lib/driver.
 *
 * A word is of device memory, of any device's, or of pinned host memory, by its host address or its device address;
 * managed memory is taken where it lies in place, though CUDA takes none. All words of a call are checked before any is
 * used. No data, and no locks here. Called by driver/word.c, and for nodes by replay/word_node.c.
 */
#ifndef VPTR_CUDA_WORD_H
#define VPTR_CUDA_WORD_H

#include <vptr/cuda/driver_types.h>

#include "graph/graph.h"
#include "stream/word.h"

/* What a call puts into a stream, in this order. Addresses are the program's. */
typedef struct vptr__words {
  const vptr__word_step *steps; /* count of them */
  size_t count;
  const void *told;             /* what a node tells it by: told_bytes, more than 0 */
  size_t told_bytes;
} vptr__words;

/* Errors: those of vptr__cuda_stream(), and cudaErrorInvalidValue for an address that is none of the above, or no
 * multiple of the word's size. No last error is kept. */
VPTR_API cudaError_t vptr__cuda_words(const char *call, cudaStream_t stream, const vptr__words *words);

/* Whether all words are there, for a stream of the mapper. Errors: cudaErrorInvalidValue. */
cudaError_t vptr__cuda_words_check(const char *call, vptr_mapper *mapper, const vptr__words *words);

/* The work of an empty node that does the same; and what such work is told by, or NULL: it is none. Errors: of memory.
 * The node's graph is locked, or nobody else's. */
cudaError_t vptr__cuda_words_work(const char *call, const vptr__words *words, vptr__graph_work *work_out);
const void *vptr__cuda_words_told(const vptr__graph_work *work, size_t *bytes_out);

#endif
