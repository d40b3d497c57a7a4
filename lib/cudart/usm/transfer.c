/* SPDX-License-Identifier: MIT */
/*
 * transfer - copies and sets of unified shared memory, and hints about it.
 *
 * All ranges are checked to the byte before anything moves, here or by vptr_memcpy(), except plain memory (the
 * program's own, of no kind) in a copy, which is taken on trust; plain memory may be the pattern of a fill, and not
 * what is filled. Copies are done by vptr_memcpy(), and fills of device memory, or of managed memory that is kept by
 * page faults, by vptr_fill(): both act when all earlier work of the mapper is done. Where neither end is such memory,
 * nothing orders a write by the host behind kernels that are under way and use pinned memory, or managed memory in
 * place. So the mapper's work is waited for, and then the host's processor copies or fills. It is waited for also where
 * the pattern of a fill lies in pinned memory, since kernels may write to that. No data, and no locks here:
 * vptr_memcpy(), vptr_fill() and managed memory take theirs. Called by programs alone: vptr_usm.h declares its
 * functions. Copies, sets and prefetches block until they are done; advice only checks.
 */
#include <string.h>

#include <vptr/vptr_usm.h>

#include "base/error.h"
#include "mirror/address_index.h"
#include "mapper/host.h"
#include "pinned/pinned.h"
#include "managed/managed.h"
#include "transfer/repeat.h"
#include "usm/place.h"

/* ---- copies --------------------------------------------------------------------------------------------- */

/* Device memory is checked by vptr_memcpy(), attached buffers too. What is left without a kind is plain memory. */
static vptr_status check_end(vptr_mapper *mapper, const char *what, const void *ptr, size_t size,
                             bool *is_device_out) {
  vptr__usm_place place;
  if (ptr == NULL)
    return vptr__error(VPTR_ERROR_NULL_POINTER, "%s: NULL, with %zu bytes to copy", what, size);
  *is_device_out = vptr__mapper_owning(ptr) != NULL || vptr__address_index_has(ptr);
  if (vptr__mapper_owning(ptr) != NULL || vptr__usm_find(ptr).kind == VPTR_USM_UNKNOWN)
    return VPTR_SUCCESS;
  return vptr__usm_check(mapper, what, ptr, size, &place);
}

vptr_status vptr_usm_memcpy(vptr_mapper *mapper, void *dst, const void *src, size_t size) {
  bool to_device = false, from_device = false;
  vptr_status status = size > 0 ? vptr__usm_mapper_of(&mapper) : VPTR_SUCCESS;
  if (status != VPTR_SUCCESS || size == 0)
    return status;
  status = check_end(mapper, "vptr_usm_memcpy, destination", dst, size, &to_device);
  if (status == VPTR_SUCCESS)
    status = check_end(mapper, "vptr_usm_memcpy, source", src, size, &from_device);
  if (status == VPTR_SUCCESS && !to_device && !from_device) /* kernels may write to either */
    status = vptr_finish(mapper);
  return status == VPTR_SUCCESS ? vptr_memcpy(mapper, dst, src, size) : status;
}

/* ---- sets ----------------------------------------------------------------------------------------------- */

/* A pattern may lie where it is written to: it is moved into its first place before anything else, and copied from
 * there. */
static void repeat_pattern(unsigned char *to, size_t size, const void *pattern, size_t pattern_size) {
  memmove(to, pattern, pattern_size);
  vptr__repeat_on(to, pattern_size, size);
}

static vptr_status fill_host(vptr_mapper *mapper, void *ptr, const void *pattern, size_t pattern_size, size_t size) {
  vptr_status status = vptr_finish(mapper);
  if (status == VPTR_SUCCESS)
    repeat_pattern(ptr, size, pattern, pattern_size);
  return status;
}

static vptr_status fill_memory(vptr_mapper *mapper, const char *what, void *ptr, const void *pattern,
                               size_t pattern_size, size_t count) {
  vptr__usm_place place;
  vptr_status status = vptr__usm_mapper_of(&mapper);
  if (status == VPTR_SUCCESS)
    status = vptr__usm_check(mapper, what, ptr, pattern_size * count, &place);
  if (status != VPTR_SUCCESS)
    return status;
  if (vptr__pinned_find(pattern).kind != VPTR__PINNED_NONE)
    status = vptr_finish(mapper); /* kernels may write to the pattern */
  if (status != VPTR_SUCCESS)
    return status;
  if (place.kind == VPTR_USM_DEVICE || vptr__address_index_has(ptr))
    return vptr_fill(mapper, ptr, pattern, pattern_size, count);
  return fill_host(mapper, ptr, pattern, pattern_size, pattern_size * count);
}

vptr_status vptr_usm_memset(vptr_mapper *mapper, void *ptr, int value, size_t size) {
  unsigned char byte = (unsigned char)value;
  return size > 0 ? fill_memory(mapper, "vptr_usm_memset", ptr, &byte, 1, size) : VPTR_SUCCESS;
}

static vptr_status check_pattern(const void *pattern, size_t pattern_size, size_t count) {
  if (pattern_size == 0)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "vptr_usm_fill: the pattern has no bytes; its size is at least 1");
  if (pattern == NULL)
    return vptr__error(VPTR_ERROR_NULL_POINTER, "vptr_usm_fill: the pattern is NULL");
  if (vptr__mapper_owning(pattern) != NULL)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "vptr_usm_fill: the pattern at %p is device memory; copy it to the host first", pattern);
  if (vptr__host_check(NULL, pattern, pattern_size) != VPTR_SUCCESS)
    return vptr__host_check("vptr_usm_fill, pattern", pattern, pattern_size);
  if (count > SIZE_MAX / pattern_size)
    return vptr__error(VPTR_ERROR_INVALID_SIZE,
                       "vptr_usm_fill: %zu times %zu bytes are more than %zu; check the count", count, pattern_size,
                       (size_t)SIZE_MAX);
  return VPTR_SUCCESS;
}

vptr_status vptr_usm_fill(vptr_mapper *mapper, void *ptr, const void *pattern, size_t pattern_size, size_t count) {
  vptr_status status = check_pattern(pattern, pattern_size, count);
  if (status != VPTR_SUCCESS || count == 0)
    return status;
  return fill_memory(mapper, "vptr_usm_fill", ptr, pattern, pattern_size, count);
}

/* ---- hints ---------------------------------------------------------------------------------------------- */

static vptr_status check_hint(vptr_mapper **mapper, const char *what, const void *ptr, size_t size) {
  vptr__usm_place place;
  vptr_status status = vptr__usm_mapper_of(mapper);
  return status == VPTR_SUCCESS ? vptr__usm_check(*mapper, what, ptr, size, &place) : status;
}

vptr_status vptr_usm_prefetch(vptr_mapper *mapper, const void *ptr, size_t size) {
  vptr_status status = size > 0 ? check_hint(&mapper, "vptr_usm_prefetch", ptr, size) : VPTR_SUCCESS;
  if (status != VPTR_SUCCESS || size == 0)
    return status;
  return vptr__managed_bring((void *)(uintptr_t)ptr, size, mapper, NULL);
}

vptr_status vptr_usm_advise(vptr_mapper *mapper, const void *ptr, size_t size, vptr_usm_advice advice) {
  if ((unsigned)advice > VPTR_USM_ADVICE_ON_HOST)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "vptr_usm_advise: advice %d is none, they are 0 to %d",
                       (int)advice, (int)VPTR_USM_ADVICE_ON_HOST);
  return size > 0 ? check_hint(&mapper, "vptr_usm_advise", ptr, size) : VPTR_SUCCESS;
}
