/* SPDX-License-Identifier: MIT */
/*
 * disk - the system's calls on files that are the library's, through one door: so that tests can make the n-th of them
 * fail, or write but a part, and see that nothing breaks. A call that fails leaves its reason in errno.
 *
 * Any thread may call. No locks; three static numbers, for tests, are atomic, and descriptors are the caller's to
 * close. Used by lib/vptr/checkpoint, lib/cudart/record and heap/store.c.
 */
#ifndef VPTR_BASE_DISK_H
#define VPTR_BASE_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include <vptr/vptr.h>

/* As open(); the descriptor is closed by exec(). -1: errno. */
int vptr__disk_open(const char *name, int flags);

/* Writes all of the pieces where the file's position is; they are changed. */
VPTR_API bool vptr__disk_write(int descriptor, struct iovec *pieces, int count);

/* Reads exactly so much; false with errno 0: the file ends before. */
bool vptr__disk_read(int descriptor, void *bytes, size_t size, uint64_t offset);

bool vptr__disk_sync(int descriptor);
bool vptr__disk_cut(int descriptor, uint64_t size);

/* The file `from` is what `to` names from now on, also after a loss of power. Both lie in one folder. */
bool vptr__disk_rename(const char *from, const char *to);

/* For tests: the n-th of these calls from now on fails with EIO (1: the next), once; one that writes writes half of it
 * before. 0 switches this off. Any thread. */
void vptr__disk_fail_nth(long n);

/* For tests: from now on no call of the system's writes or reads more than so many bytes, as it may at any time; 0: no
 * limit. And what that leaves of a call for so many, for those who do not come through this door. */
void vptr__disk_shorten(size_t bytes);
size_t vptr__disk_piece(size_t size);

/* For tests: how many of these calls there were since. */
long vptr__disk_calls(void);

#endif
