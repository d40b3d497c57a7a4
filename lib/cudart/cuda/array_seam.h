/* SPDX-License-Identifier: MIT */
/*
 * array_seam - copies between an array and memory that lies in several buffers (heap/span.h), cut so that each piece's
 * memory is in one.
 *
 * A rect is halved, its slices first, then its rows, until what crosses a seam is a line, and that is cut between the
 * last element before the seam and the first behind it. Parts begin at whole windows, so an element lies across a seam
 * only where memory is not aligned to elements. It goes through the host then, which waits for it.
 *
 * No data and no locks of its own: the pieces' copies take theirs. Used by array_copy.c.
 */
#ifndef VPTR_CUDA_ARRAY_SEAM_H
#define VPTR_CUDA_ARRAY_SEAM_H

#include "cuda/array.h"

/* Copies one piece, whose region is in elements as that of the whole. */
typedef cudaError_t vptr__cuda_array_piece(void *context, const vptr__cuda_array_copy *piece);

/* From the first byte of a rect to behind its last. The last slice is not full: the gap behind it is not ours. False:
 * it runs past the end of the address space. */
bool vptr__cuda_array_reach(const vptr__operand *memory, const size_t bytes[3], size_t *reach_out);

/* Whether a rect of so many bytes, rows and slices reaches across a seam. */
bool vptr__cuda_array_has_seam(const vptr__operand *memory, const size_t bytes[3]);

/* Calls for each piece of a copy with an array at one endpoint, in the order of the addresses, until one fails. Its
 * memory was checked. element: its bytes; the stream is that of the pieces. Errors: the pieces', and those of a
 * transfer. */
cudaError_t vptr__cuda_array_cut(const vptr__cuda_array_copy *copy, size_t element, vptr__stream *stream,
                                 vptr__cuda_array_piece *piece, void *context);

#endif
