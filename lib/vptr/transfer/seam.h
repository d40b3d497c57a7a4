/* SPDX-License-Identifier: MIT */
/*
 * seam - transfers of memory that lies in several buffers (heap/span.h), cut so that each piece is in one.
 *
 * A rect that crosses a seam is halved, its slices first, then its rows, until what crosses is a line, and that is cut
 * at the seam: some pieces for each seam, however many rows there are. Pieces follow each other as addresses do, or the
 * other way round where a move goes forward within one allocation, so that nothing is overwritten that is still to be
 * read. All of both operands is checked before the first piece is sent. Each piece is held by itself, and on a stream
 * they are commands one behind the other.
 *
 * No data, and no lock of its own: checking and holding take those that transfer/endpoint.h names, and the pieces'
 * transfers theirs.
 */
#ifndef VPTR_TRANSFER_SEAM_H
#define VPTR_TRANSFER_SEAM_H

#include "heap/heap.h"
#include "mapper/mapper.h"
#include "transfer/async.h"

/* Whether an operand, classified, has a seam within its reach. */
static inline bool vptr__seam_is_in(const vptr__operand *operand, size_t reach) {
  return operand->owner != NULL && vptr__heap_has_seam(operand->owner->heap, operand->ptr, reach);
}

/* Transfers one piece; from is NULL where the transfer has one operand. */
typedef vptr_status vptr__seam_piece(void *context, const vptr__operand *to, const vptr__operand *from,
                                     const size_t region[3]);

/* Calls for each piece of a rect, checked and not empty, until one fails. from may be NULL. The reaches are what
 * vptr__rect_check() said. Errors: those of vptr_resolve() for either operand, before any piece; then the pieces'. */
vptr_status vptr__seam_cut(const vptr__operand *to, size_t to_reach, const vptr__operand *from, size_t from_reach,
                           const size_t region[3], vptr__seam_piece *piece, void *context);

/* Copies bytes between the host and device memory of the mapper's that may have seams, and waits. Nothing else is
 * checked or waited for. Errors: those of look-ups, in words, and of the device. */
vptr_status vptr__seam_read(vptr_mapper *mapper, const char *what, void *to, const void *from, size_t size);
vptr_status vptr__seam_write(vptr_mapper *mapper, const char *what, void *to, const void *from, size_t size);

#endif
