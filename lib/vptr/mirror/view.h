/* SPDX-License-Identifier: MIT */
/*
 * view - host pages that are mapped twice.
 *
 * One file without a name, two mappings of it: `user` is the memory that the program knows, open or closed as its state
 * says; `alias` is always open, and known to the library and the driver alone. Bytes that come from the device are
 * written by the alias while the user's view is still closed, so no thread sees a page half brought; and a driver that
 * reads or writes by the alias never faults.
 *
 * Where. A pointer that is stored in the memory itself is valid for kernels only if host and device mean the same by
 * it: the user's view is put at the device's own address of the buffer if that place can be had. It can if nothing is
 * mapped there; or if a driver has set the addresses aside for its buffers, without access (NVIDIA's has: kernel and
 * host keep words of their own at one address, and transfers between the two work). Closing gives such a place back as
 * it was.
 *
 * How it opens and closes. By mprotect(); or, where the process is notified of faults by userfaultfd (userfault.h),
 * by its calls, and the mapping itself is always one to be written. The latter needs no mapping for each piece that
 * is open in its own way; mprotect() does, and the process may run out of them (vm.max_map_count) if a view is
 * protected in very many pieces: then vptr__view_grant() fails, and one call for the whole view does not.
 *
 * By userfaultfd pages may be less open than was granted: those that nobody ever touched have no page in the file, and
 * the system takes pages out of the page table when it wants to (swapping). A fault at such a page is answered with
 * vptr__view_mend().
 *
 * A child after fork() gets neither mapping: it would share pages with its parent, and no device keeps them coherent.
 *
 * One thread at a time may change a view. It has no lock: vptr__mirror.lock, of rank MIRROR, guards a mirror's.
 */
#ifndef VPTR_MIRROR_VIEW_H
#define VPTR_MIRROR_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mirror/pages.h"

typedef struct vptr__view {
  unsigned char *user;
  unsigned char *alias;
  size_t size;
  /* bytes after user that nobody may touch: 0 at the device's own address, where ends mean the same */
  size_t behind;
  bool is_reserved; /* user lies where somebody had set addresses aside */
  bool is_guarded;  /* opened and closed by userfaultfd, not by mprotect(); then: */
  vptr__pages open; /* how far: a DEVICE page is closed, a BOTH page may be read, a HOST page written */
} vptr__view;

/* Where a view should lie. */
typedef struct vptr__view_wish {
  uint64_t address;  /* 0: anywhere */
  bool may_replace;  /* addresses that are set aside there are the buffer's own */
  bool is_must;      /* there or nowhere */
} vptr__view_wish;

/* size bytes of zeros, whole pages; the user may read. Lies elsewhere if the wish cannot be granted, and
 * need not. Errors: OUT_OF_HOST_MEMORY; OUT_OF_ADDRESSES (something else is there). */
vptr_status vptr__view_open(vptr__view *view, size_t size, vptr__view_wish wish);
void vptr__view_close(vptr__view *view);

/* Opens a range of whole pages, none of which is open farther: PROT_READ, or PROT_READ | PROT_WRITE. Errors:
 * OUT_OF_HOST_MEMORY (silent: there is a way on). */
vptr_status vptr__view_grant(vptr__view *view, size_t offset, size_t size, int protection);

/* For a page that was granted so already, and faulted all the same: it is open when this returns. If it was never
 * there, those around it are opened with it, to which the same was granted. */
vptr_status vptr__view_mend(vptr__view *view, size_t page, vptr__run around, int protection);

/* Closes a range of whole pages: PROT_NONE, or PROT_READ where all were open. No thread is left that can do more when
 * this returns. Errors: OUT_OF_HOST_MEMORY (silent). */
vptr_status vptr__view_revoke(vptr__view *view, size_t offset, size_t size, int protection);

/* Whether nobody can use an address: nothing is mapped there, or addresses are set aside. */
bool vptr__view_is_vacant(const void *address);

#endif
