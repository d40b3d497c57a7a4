/* SPDX-License-Identifier: MIT */
/*
 * disk - calls on files that tests can make fail (disk.h).
 *
 * The static counters, for tests, are atomic: `calls`, which of them fails (`failing`), and how much one call to the
 * system moves (`most`). There are no locks; files are the caller's. Called by checkpoint/scribe.c, writer.c and
 * reader.c, by cudart/record/file.c, and by heap/store.c, which asks how much. Calls block as long as the disk does.
 */
#include "base/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static _Atomic(long) calls, failing;
static _Atomic(size_t) most; /* 0: as much as there is */

static bool fails_now(void) {
  long call = atomic_fetch_add(&calls, 1) + 1;
  if (call != atomic_load(&failing))
    return false;
  errno = EIO;
  return true;
}

void vptr__disk_fail_nth(long n) {
  atomic_store(&calls, 0);
  atomic_store(&failing, n);
}

long vptr__disk_calls(void) {
  return atomic_load(&calls);
}

void vptr__disk_shorten(size_t bytes) {
  atomic_store(&most, bytes);
}

size_t vptr__disk_piece(size_t size) {
  const size_t limit = atomic_load_explicit(&most, memory_order_relaxed);
  return limit != 0 && limit < size ? limit : size;
}

int vptr__disk_open(const char *name, int flags) {
  return fails_now() ? -1 : open(name, flags | O_CLOEXEC, 0666);
}

/* What is left of the pieces behind so many bytes. */
static void advance(struct iovec **pieces, int *count, size_t written) {
  for (; *count > 0 && written >= (*pieces)->iov_len; (*pieces)++, (*count)--)
    written -= (*pieces)->iov_len;
  if (*count > 0) {
    (*pieces)->iov_base = (char *)(*pieces)->iov_base + written;
    (*pieces)->iov_len -= written;
  }
}

/* All that one call takes; tests may want it to be less than the first piece. */
static ssize_t write_some(int descriptor, const struct iovec *pieces, int count) {
  const size_t first = vptr__disk_piece(pieces->iov_len);
  if (first < pieces->iov_len)
    return write(descriptor, pieces->iov_base, first);
  return writev(descriptor, pieces, count < IOV_MAX ? count : IOV_MAX);
}

static bool write_pieces(int descriptor, struct iovec *pieces, int count) {
  while (count > 0) {
    ssize_t written = write_some(descriptor, pieces, count);
    if (written < 0 && errno == EINTR)
      continue;
    if (written == 0)
      errno = EIO;
    if (written <= 0)
      return false;
    advance(&pieces, &count, (size_t)written);
  }
  return true;
}

bool vptr__disk_write(int descriptor, struct iovec *pieces, int count) {
  advance(&pieces, &count, 0);
  if (!fails_now())
    return write_pieces(descriptor, pieces, count);
  if (count > 0)
    (void)!write(descriptor, pieces->iov_base, pieces->iov_len / 2);
  errno = EIO;
  return false;
}

bool vptr__disk_read(int descriptor, void *bytes, size_t size, uint64_t offset) {
  char *at = bytes;
  if (fails_now())
    return false;
  while (size > 0) {
    ssize_t got = pread(descriptor, at, vptr__disk_piece(size), (off_t)offset);
    if (got < 0 && errno == EINTR)
      continue;
    if (got == 0)
      errno = 0;
    if (got <= 0)
      return false;
    at += got;
    size -= (size_t)got;
    offset += (uint64_t)got;
  }
  return true;
}

bool vptr__disk_sync(int descriptor) {
  return !fails_now() && fsync(descriptor) == 0;
}

bool vptr__disk_cut(int descriptor, uint64_t size) {
  return !fails_now() && ftruncate(descriptor, (off_t)size) == 0;
}

/* A folder that cannot be opened or synchronised, as on some file systems, is not what fails. */
static void sync_folder_of(const char *name) {
  char folder[PATH_MAX];
  const char *slash = strrchr(name, '/');
  snprintf(folder, sizeof folder, "%.*s",
           slash == NULL   ? 1
           : slash == name ? 1
                           : (int)(slash - name),
           slash == NULL ? "." : name);
  int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    return;
  (void)fsync(descriptor);
  close(descriptor);
}

bool vptr__disk_rename(const char *from, const char *to) {
  if (fails_now() || rename(from, to) != 0)
    return false;
  sync_folder_of(to);
  return true;
}
