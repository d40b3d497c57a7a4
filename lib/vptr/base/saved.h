/* SPDX-License-Identifier: MIT */
/*
 * saved - what modules add to a checkpoint beside the heap's memory: variables of CUDA's modules, managed and pinned
 * memory, and what else a program has that is no allocation of a mapper's.
 *
 * A list has an item for each, and behind the items one block of bytes with their names and details. So it goes into
 * the file as it is (checkpoint/format.h), and a tool tells names and sizes without knowing what the details mean.
 * Modules add items and make them again, through the functions of base/subsystem.h.
 *
 * A list is its caller's, and used by one thread at a time; there is no lock. Called by lib/vptr/checkpoint, by the
 * files of lib/cudart that have such things, and by the tool vptr-checkpoint.
 */
#ifndef VPTR_BASE_SAVED_H
#define VPTR_BASE_SAVED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

/* As the file has them. */
typedef enum vptr__saved_kind { 
  VPTR__SAVED_VARIABLE = 1, VPTR__SAVED_MANAGED, VPTR__SAVED_PINNED,
  VPTR__SAVED_ARRAY, VPTR__SAVED_MIPMAP, VPTR__SAVED_TEXTURE, VPTR__SAVED_SURFACE,
  VPTR__SAVED_KINDS
} vptr__saved_kind;

/* What is said of PINNED more: which buffer of the mapper's is over the same bytes. What the program registered has no
 * bytes: it lies in host memory that the program names, by the item's name, so many bytes behind its beginning. */
typedef enum vptr__saved_pinned_kind {
  VPTR__SAVED_PINNED_WHOLE, VPTR__SAVED_PINNED_BLOCK, VPTR__SAVED_PINNED_REGISTERED
} vptr__saved_pinned_kind;

typedef struct vptr__saved_pinned {
  uint64_t device, serial; /* its address and serial; device 0: there is none */
  uint64_t offset;         /* REGISTERED */
  uint32_t flags;          /* lib/cudart/pinned's own */
  uint32_t kind;           /* BLOCK: it shares its pages with others */
} vptr__saved_pinned;

#define VPTR__SAVED_NOWHERE (UINT64_C(1) << 63)

typedef struct vptr__saved {
  uint64_t address;      /* where it lies; or what the program has for it, a handle; of an array a number from
                          * VPTR__SAVED_NOWHERE on, as if it lay there */
  uint64_t size;         /* as it was asked for */
  uint64_t serial;       /* which it is of those that were there */
  uint64_t bytes;        /* of it, from address on, that are in the file by themselves; 0: they are the heap's */
  uint64_t born;         /* number of the first checkpoint that has it; the checkpoint's own */
  uint64_t at;           /* where its name begins, among the list's bytes, and behind it the detail; both padded to 8 */
  uint32_t kind;
  uint32_t name_bytes;   /* without the zero behind it */
  uint32_t detail_bytes; /* what the kind has more */
  uint32_t unused;
} vptr__saved;

_Static_assert(sizeof(vptr__saved) == 64, "as the file has it");

typedef struct vptr__saved_list {
  vptr__saved *items; /* both are vptr__memory_free()'s, see vptr__saved_free() */
  char *bytes;
  size_t count, room;
  size_t byte_count, byte_room;
} vptr__saved_list;

/* Adds a copy; of the item kind, address, size, serial and bytes are given. Errors: OUT_OF_HOST_MEMORY. */
VPTR_API vptr_status vptr__saved_add(vptr__saved_list *list, const vptr__saved *item, const char *name,
                                     const void *detail, size_t detail_bytes);

void vptr__saved_free(vptr__saved_list *list);

VPTR_API const char *vptr__saved_name(const vptr__saved_list *list, const vptr__saved *item);
VPTR_API const void *vptr__saved_detail(const vptr__saved_list *list, const vptr__saved *item);

/* Puts those with bytes of their own behind the others, by address; and where they begin. */
void vptr__saved_sort(vptr__saved_list *list);
VPTR_API size_t vptr__saved_first_stored(const vptr__saved_list *list);

/* Whether all of it lies where it says, and is of kinds that there are, in that order: a list that came from a file. */
bool vptr__saved_is_whole(const vptr__saved_list *list);

/* What a kind is, in a word or two. */
VPTR_API const char *vptr__saved_word(uint32_t kind);

#endif
