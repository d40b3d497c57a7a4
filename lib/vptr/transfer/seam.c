/* SPDX-License-Identifier: MIT */
/*
 * seam - checking and cutting transfers that cross seams, and moving what has seams to and from the host (seam.h).
 *
 * No data, and no locks of its own: seam.h names those that it takes. Called by async.c, copy.c and set.c, for
 * transfers that cross a seam, and by access.c, for host accessors that do. It waits as its pieces do.
 */
#include "transfer/seam.h"

#include "base/number.h"
#include "transfer/endpoint.h"
#include "transfer/rect.h"

typedef struct cutting {
  vptr__seam_piece *piece;
  void *context;
  bool is_backwards;
} cutting;

/* ---- checking ------------------------------------------------------------------------------------------- */

/* `words` is a mapper to speak for host memory. */
static vptr_status check_operand(vptr_mapper *words, const vptr__operand *operand, size_t reach) {
  vptr_location location;
  vptr__endpoint held;
  if (!vptr__seam_is_in(operand, reach)) {
    vptr_mapper *owner = operand->owner != NULL ? operand->owner : words;
    vptr_status status =
        vptr__endpoint_hold(owner, operand->kind, VPTR_ACCESS_READ, operand->what, operand->ptr, reach, &held);
    if (status == VPTR_SUCCESS)
      vptr__endpoint_release(&held);
    return status;
  }
  vptr_status status = vptr__mapper_locate_all(operand->owner, operand->ptr, reach, &location);
  return status == VPTR_SUCCESS ? status
                                : vptr__mapper_explain(operand->owner, status, operand->what, operand->ptr, reach);
}

/* ---- cutting -------------------------------------------------------------------------------------------- */

static size_t reach_of(const vptr__operand *operand, const size_t region[3]) {
  return region[0] + (region[1] > 1 ? (region[1] - 1) * operand->row : 0) +
         (region[2] > 1 ? (region[2] - 1) * operand->slice : 0);
}

static bool has_seam(const vptr__operand *operand, const size_t region[3]) {
  return operand != NULL && vptr__seam_is_in(operand, reach_of(operand, region));
}

/* Of a line: how much of it lies in one buffer. */
static size_t bytes_to_seam(const vptr__operand *operand, size_t size) {
  vptr_part part;
  if (operand == NULL || operand->owner == NULL ||
      vptr__heap_part_at(operand->owner->heap, operand->ptr, &part) != VPTR_SUCCESS)
    return size;
  return vptr__smaller(part.size, size);
}

/* Where a rect is cut: before that many slices, rows or bytes. */
static size_t cut_at(const vptr__operand *to, const vptr__operand *from, const size_t region[3], int dimension) {
  if (dimension == 0)
    return vptr__smaller(bytes_to_seam(to, region[0]), bytes_to_seam(from, region[0]));
  return region[dimension] / 2;
}

static void move_on(vptr__operand *operand, int dimension, size_t by) {
  const size_t step = dimension == 0 ? 1 : dimension == 1 ? operand->row : operand->slice;
  operand->ptr = (unsigned char *)operand->ptr + by * step;
}

static vptr_status cut(const cutting *it, const vptr__operand *to, const vptr__operand *from, const size_t region[3]);

/* The two halves of a rect, in their order. */
static vptr_status cut_in_two(const cutting *it, const vptr__operand *to, const vptr__operand *from,
                              const size_t region[3], int dimension) {
  size_t head[3] = { region[0], region[1], region[2] }, tail[3] = { region[0], region[1], region[2] };
  vptr__operand behind = *to, from_behind = from != NULL ? *from : *to;
  head[dimension] = cut_at(to, from, region, dimension);
  tail[dimension] -= head[dimension];
  if (tail[dimension] == 0) /* freed meanwhile, and there are no seams any more: it will be said */
    return it->piece(it->context, to, from, region);
  move_on(&behind, dimension, head[dimension]);
  move_on(&from_behind, dimension, head[dimension]);
  const vptr__operand *from_tail = from != NULL ? &from_behind : NULL;
  vptr_status status = it->is_backwards ? cut(it, &behind, from_tail, tail) : cut(it, to, from, head);
  if (status == VPTR_SUCCESS)
    status = it->is_backwards ? cut(it, to, from, head) : cut(it, &behind, from_tail, tail);
  return status;
}

static vptr_status cut(const cutting *it, const vptr__operand *to, const vptr__operand *from,
                       const size_t region[3]) {
  if (!has_seam(to, region) && !has_seam(from, region))
    return it->piece(it->context, to, from, region);
  return cut_in_two(it, to, from, region, region[2] > 1 ? 2 : region[1] > 1 ? 1 : 0);
}

vptr_status vptr__seam_cut(const vptr__operand *to, size_t to_reach, const vptr__operand *from, size_t from_reach,
                           const size_t region[3], vptr__seam_piece *piece, void *context) {
  const bool is_backwards = from != NULL && to->owner == from->owner && (uintptr_t)to->ptr > (uintptr_t)from->ptr;
  const cutting it = { piece, context, is_backwards };
  vptr_mapper *words = to->owner == NULL && from != NULL ? from->owner : to->owner;
  vptr_status status = check_operand(words, to, to_reach);
  if (status == VPTR_SUCCESS && from != NULL)
    status = check_operand(words, from, from_reach);
  return status == VPTR_SUCCESS ? cut(&it, to, from, region) : status;
}

/* ---- to and from the host ------------------------------------------------------------------------------- */

/* One part of it; *done grows. */
static vptr_status move_part(vptr_mapper *mapper, const char *what, const void *at, unsigned char *host, size_t size,
                             bool to_host, size_t *done) {
  vptr_part part;
  vptr__endpoint held;
  vptr_status status = vptr__heap_part_at(mapper->heap, at, &part);
  if (status != VPTR_SUCCESS)
    return vptr__mapper_explain(mapper, status, what, at, 1);
  const size_t bytes = vptr__smaller(part.size, size);
  status = vptr__endpoint_hold_device(mapper, what, at, bytes, &held);
  if (status != VPTR_SUCCESS)
    return status;
  status = to_host ? held.device->ops->transfer.read(held.device, held.buffer, held.offset, host, bytes)
                   : held.device->ops->transfer.write(held.device, held.buffer, held.offset, host, bytes);
  vptr__endpoint_release(&held);
  *done += bytes;
  return status;
}

static vptr_status move_all(vptr_mapper *mapper, const char *what, const void *device, unsigned char *host,
                            size_t size, bool to_host) {
  vptr_status status = VPTR_SUCCESS;
  for (size_t done = 0; done < size && status == VPTR_SUCCESS;)
    status = move_part(mapper, what, (const char *)device + done, host + done, size - done, to_host, &done);
  return status;
}

vptr_status vptr__seam_read(vptr_mapper *mapper, const char *what, void *to, const void *from, size_t size) {
  return move_all(mapper, what, from, to, size, true);
}

vptr_status vptr__seam_write(vptr_mapper *mapper, const char *what, void *to, const void *from, size_t size) {
  return move_all(mapper, what, to, (unsigned char *)(uintptr_t)from, size, false);
}
