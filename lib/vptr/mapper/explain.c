/* SPDX-License-Identifier: MIT */
/*
 * explain - says what is wrong with an address, in words. Declared in mapper.h.
 *
 * A verdict alone ("freed") sends the reader into a debugger; with the allocation it belongs to, its size, its number
 * and where it was made, the bug is often plain. Reads without a lock what look-ups read, so a sentence made beside
 * changes in other threads may describe the moment after.
 *
 * The file owns nothing. vptr__mapper_describe(), which trap.c calls in its signal handler, takes no lock;
 * vptr__mapper_explain() asks vptr__host_check() (host.h), which takes locks of rank LEAF for a moment: its callers
 * hold none of that rank. Called by kernel_argument.c, lookup.c, memory.c and trap.c; by transfer/access.c, endpoint.c,
 * fill.c and seam.c, pool/reuse.c and stream/word.c; and by the files of lib/cudart, when they refuse an address.
 * Finding the place in the program takes milliseconds, and two seconds at most (base/callsite.h).
 */
#include <stdarg.h>
#include <stdio.h>

#include "base/callsite.h"
#include "base/error.h"
#include "mapper/host.h"
#include "mapper/mapper.h"

typedef struct phrase {
  char *text;
  size_t size, length;
} phrase;

static void __attribute__((format(printf, 2, 3))) append_phrase(phrase *words, const char *format, ...) {
  if (words->length >= words->size)
    return;
  va_list arguments;
  va_start(arguments, format);
  int written = vsnprintf(words->text + words->length, words->size - words->length, format, arguments);
  va_end(arguments);
  if (written > 0)
    words->length += (size_t)written;
}

static void report_allocation(phrase *words, const vptr_location *location, const void *site) {
  append_phrase(words, "allocation #%llu of %zu bytes at %p", (unsigned long long)location->serial, location->size,
                location->base);
  if (site == NULL)
    return;
  char where[160];
  vptr__callsite_describe((const char *)site - 1, where, sizeof where);
  append_phrase(words, ", made at %s", where);
}

/* The verdict proper, given the allocation it is about. */
static void report_verdict(phrase *words, vptr_status status, const vptr_location *about, const void *site,
                           size_t need) {
  switch (status) {
  case VPTR_ERROR_FREED:
    append_phrase(words, "was freed: it lies %zu bytes into what was ", about->offset);
    break;
  case VPTR_ERROR_PAST_END:
    append_phrase(words, "lies %zu bytes past the end of ", about->offset - about->size);
    break;
  case VPTR_ERROR_OUT_OF_BOUNDS:
    append_phrase(words,
                  "begins %zu bytes before the end of what it points to, but %zu bytes are needed; it lies in ",
                  about->size - about->offset, need);
    break;
  case VPTR_ERROR_INTERIOR:
    append_phrase(words, "points %zu bytes into its allocation, and only the start can be freed: ", about->offset);
    break;
  case VPTR_ERROR_MAPPED:
    append_phrase(words, "is mapped to the host; vptr_unmap() it first: ");
    break;
  default:
    append_phrase(words, "was never issued; the nearest is ");
    break;
  }
  report_allocation(words, about, site);
}

static void report_stranger(phrase *words, vptr_status status, const void *ptr, bool is_inside) {
  if (ptr == NULL)
    append_phrase(words, "is NULL");
  else if (status == VPTR_ERROR_OTHER_MAPPER)
    append_phrase(words, "belongs to another mapper; pass that one");
  else if (is_inside)
    append_phrase(words,
                  status == VPTR_ERROR_FREED ? "was freed, and its buffer was released since" : "was never issued");
  else
    append_phrase(words, "is not a virtual device pointer but a host address");
}

/* The allocation found beside an address explains the verdict if it is the one the verdict is about; the nearest
 * live one explains nothing about an address that was freed with its whole buffer. */
static bool fits_verdict(vptr_status status, const vptr_location *about, vptr_status state) {
  bool covers = about->offset < about->size;
  switch (status) {
  case VPTR_ERROR_FREED:
    return state == VPTR_ERROR_FREED;
  case VPTR_ERROR_PAST_END:
    return state == VPTR_SUCCESS && !covers;
  case VPTR_ERROR_OUT_OF_BOUNDS:
  case VPTR_ERROR_INTERIOR:
  case VPTR_ERROR_MAPPED:
    return state == VPTR_SUCCESS && covers;
  default:
    return status == VPTR_ERROR_UNKNOWN_ADDRESS && state == VPTR_SUCCESS;
  }
}

void vptr__mapper_describe(vptr_mapper *mapper, vptr_status status, const void *ptr, size_t need, char *text,
                           size_t text_size) {
  phrase words = { text, text_size, 0 };
  vptr_location about;
  vptr_status state;
  const void *site;
  bool is_inside = vptr__directory_covers(vptr__heap_directory(mapper->heap), ptr);
  append_phrase(&words, "%p ", ptr);
  if (is_inside && vptr__heap_nearest(mapper->heap, ptr, &about, &state, &site) &&
      fits_verdict(status, &about, state))
    report_verdict(&words, status, &about, site, need);
  else
    report_stranger(&words, status, ptr, is_inside);
}

/* Whether an address was pinned or managed memory, which is said. */
static bool was_host(vptr_status status, const char *what, const void *ptr) {
  return status == VPTR_ERROR_UNKNOWN_ADDRESS && ptr != NULL && vptr__mapper_owning(ptr) == NULL &&
         vptr__host_check(what, ptr, 1) == VPTR_ERROR_FREED;
}

vptr_status vptr__mapper_explain(vptr_mapper *mapper, vptr_status status, const char *what, const void *ptr,
                                 size_t need) {
  if (status == VPTR_ERROR_UNKNOWN_ADDRESS && vptr__mapper_owning(ptr) != NULL &&
      !vptr__directory_covers(vptr__heap_directory(mapper->heap), ptr))
    status = VPTR_ERROR_OTHER_MAPPER;
  if (status == VPTR_ERROR_UNSUPPORTED)
    return vptr__heap_refuse_seam(mapper->heap, ptr, need);
  if (was_host(status, what, ptr))
    return VPTR_ERROR_FREED;
  char text[400];
  vptr__mapper_describe(mapper, status, ptr, need, text, sizeof text);
  return vptr__error(status, "%s: %s", what, text);
}
