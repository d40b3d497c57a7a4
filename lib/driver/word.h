/* SPDX-License-Identifier: MIT */
/*
 * word - operations of cuStreamBatchMemOp(), checked and turned into steps, for streams (word.c) and for nodes of
 * graphs (graph_word.c). No state, no locks.
 */
#ifndef VPTR_DRIVER_WORD_H
#define VPTR_DRIVER_WORD_H

#include <vptr/cuda/cuda.h>

#include "cuda/word.h"

enum { VPTR__MOST_OPERATIONS = 255 };

/* What was said, as nodes are told by: params.paramArray is in it. */
typedef struct vptr__driver_operations {
  CUDA_BATCH_MEM_OP_NODE_PARAMS params;
  CUstreamBatchMemOpParams operations[VPTR__MOST_OPERATIONS];
} vptr__driver_operations;

typedef struct vptr__driver_words {
  vptr__word_step steps[VPTR__MOST_OPERATIONS];
  vptr__driver_operations told;
  vptr__words words; /* of both: its pointers point there */
} vptr__driver_words;

/* version: 2, or 1 as programs of CUDA 11 know it. Errors: INVALID_VALUE, NOT_SUPPORTED (a flush). */
CUresult vptr__driver_words_read(const char *call, int version, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params,
                            vptr__driver_words *words_out);

#endif
