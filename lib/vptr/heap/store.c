/* SPDX-License-Identifier: MIT */
/*
 * store - see store.h: opens, writes, reads and closes the room for an evicted buffer's bytes.
 *
 * A vptr__store is its owner's: a range's, the heap's spare one, or one of a thread that moves bytes. The static
 * `failing` is which call of the system's is to fail, and `avoids_memory` whether host memory counts as full; tests set
 * them, and both are atomic. There are no locks here: vptr__heap.lock, of rank HEAP, guards the stores that a heap has.
 * Called by residence_store.c, residence_move.c and packing.c, and by range.c when a range ends, without the heap's
 * lock; but to close one, also with it. What goes to a file blocks as a disk does.
 */
#include "heap/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/disk.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/option.h"

static atomic_long failing;
static atomic_bool avoids_memory;

void vptr__store_fail_nth(long n) {
  atomic_store(&failing, n);
}

void vptr__store_avoid_memory(bool avoids) {
  atomic_store(&avoids_memory, avoids);
}

static bool is_to_fail(void) {
  if (atomic_load(&failing) <= 0 || atomic_fetch_sub(&failing, 1) != 1)
    return false;
  errno = EIO;
  return true;
}

/* ---- room ----------------------------------------------------------------------------------------------- */

bool vptr__store_has_memory(size_t bytes) {
  long pages = sysconf(_SC_AVPHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return !atomic_load(&avoids_memory) && (pages < 0 || page <= 0 || bytes / (size_t)page < (size_t)pages);
}

static bool take_memory(size_t bytes, vptr__store *store) {
  store->memory = vptr__memory_calloc(bytes, 1);
  return store->memory != NULL;
}

static vptr_status refuse_file(const char *folder, const char *what, size_t bytes) {
  return vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY, "%s of %zu bytes in VPTR_SPILL_DIR=%s: %s", what, bytes, folder,
                     strerror(errno));
}

/* Nobody sees the file by a name, and nothing of it is left behind, however the process ends. */
static int make_file(const char *folder) {
  char path[512];
  int file = is_to_fail() ? -1 : open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
    return file;
  if (snprintf(path, sizeof path, "%s/vptr-XXXXXX", folder) >= (int)sizeof path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  file = mkostemp(path, O_CLOEXEC);
  if (file >= 0)
    unlink(path);
  return file;
}

static vptr_status take_file(const char *folder, size_t bytes, vptr__store *store) {
  int file = make_file(folder);
  if (file < 0)
    return refuse_file(folder, "no file", bytes);
  errno = is_to_fail() ? EIO : posix_fallocate(file, 0, (off_t)bytes);
  if (errno != 0) {
    vptr_status status = refuse_file(folder, "no room for a file", bytes);
    close(file);
    return status;
  }
  store->file = file;
  return VPTR_SUCCESS;
}

vptr_status vptr__store_open(size_t bytes, vptr__store *store_out) {
  const char *folder = vptr__option_text(VPTR__OPTION_SPILL_DIR);
  vptr__store store = { .file = -1, .bytes = bytes };
  vptr_status status = VPTR_SUCCESS;
  bool done = (folder == NULL || vptr__store_has_memory(bytes)) && take_memory(bytes, &store);
  if (!done)
    status = folder != NULL ? take_file(folder, bytes, &store) : vptr__error_host_memory(bytes);
  if (status == VPTR_SUCCESS)
    *store_out = store;
  return status;
}

void vptr__store_close(vptr__store *store) {
  if (store->bytes == 0)
    return;
  vptr__memory_free(store->memory);
  if (store->file >= 0)
    close(store->file);
  *store = (vptr__store){ .file = -1 };
}

/* ---- bytes ---------------------------------------------------------------------------------------------- */

unsigned char *vptr__store_at(const vptr__store *store, size_t offset) {
  return store->memory != NULL ? store->memory + offset : NULL;
}

static vptr_status refuse_bytes(const char *what, size_t size) {
  return vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY,
                     "%s %zu bytes of an allocation that left its device, in VPTR_SPILL_DIR: %s", what, size,
                     errno != 0 ? strerror(errno) : "the file is shorter than it was");
}

vptr_status vptr__store_write(const vptr__store *store, size_t offset, const void *from, size_t size) {
  for (size_t at = 0; at < size;) {
    errno = 0;
    ssize_t done = is_to_fail() ? -1
                                : pwrite(store->file, (const char *)from + at, vptr__disk_piece(size - at),
                                         (off_t)(offset + at));
    if (done <= 0 && errno != EINTR)
      return refuse_bytes("writing", size);
    at += done > 0 ? (size_t)done : 0;
  }
  return VPTR_SUCCESS;
}

vptr_status vptr__store_read(const vptr__store *store, size_t offset, void *to, size_t size) {
  for (size_t at = 0; at < size;) {
    errno = 0;
    ssize_t done =
        is_to_fail() ? -1 : pread(store->file, (char *)to + at, vptr__disk_piece(size - at), (off_t)(offset + at));
    if (done <= 0 && errno != EINTR)
      return refuse_bytes("reading", size);
    at += done > 0 ? (size_t)done : 0;
  }
  return VPTR_SUCCESS;
}
