/* SPDX-License-Identifier: MIT */
/*
 * endpoint - bytes on the host or on the device, checked, and held while a command uses them.
 *
 * Every transfer begins the same way: which side does an address mean, do all the bytes asked for lie in one
 * live allocation, and will their buffer still be there when the command runs? An endpoint is the answer. A device
 * endpoint has a lease of its root buffer, so a free in another thread can give the addresses away but never pull the
 * memory from under the command. (Pinning the allocation instead would turn that race into a refused free: the
 * wrong call would be the one to fail.)
 *
 * Managed memory that is kept in step by page faults (mirror/mirror.h) is device memory to a transfer, as it is to a
 * kernel: it is acquired before the commands are sent, when both endpoints have been checked, and given back with
 * what to wait for. A transfer to or from the host's pages instead would fight with kernels that use other bytes of
 * them.
 *
 * An endpoint is a value of one call in one thread, which no lock guards. Calls take locks of others: the registry's
 * (mapper/registry.h) for a host range of more than 1 MiB; those of rank LEAF that mapper/host.h names; for managed
 * memory the address index', of rank LEAF, and vptr__mirror.lock, of rank MIRROR, that of mirror/working_set.c, of rank
 * WORKING_SET, where it is acquired anew, and on a full device those of who makes room (mapper/reclaim.h);
 * mapper->stream_lock, of rank STREAM, to settle; and vptr__heap.lock, of rank HEAP, where device memory has to come
 * back to the device, or the last lease of freed memory is given back, which may wait for the device.
 */
#ifndef VPTR_TRANSFER_ENDPOINT_H
#define VPTR_TRANSFER_ENDPOINT_H

#include <vptr/vptr.h>

#include "device/device.h"
#include "heap/lease.h"
#include "mirror/address_index.h"
#include "mirror/mirror.h"
#include "stream/stream.h"

/* What an address is, which is asked once for a copy, and is a question of numbers only. */
typedef enum vptr__memory_kind {
  VPTR__MEMORY_HOST,    /* pinned or not, or nobody's, or NULL */
  VPTR__MEMORY_MANAGED, /* kept in step by page faults */
  VPTR__MEMORY_DEVICE   /* inside the addresses of some mapper */
} vptr__memory_kind;

/* *owner_out is the mapper of device memory, and NULL for all other. */
static inline vptr__memory_kind vptr__memory_kind_of(const void *ptr, vptr_mapper **owner_out) {
  *owner_out = vptr__mapper_owning(ptr);
  if (*owner_out != NULL)
    return VPTR__MEMORY_DEVICE;
  return vptr__address_index_has(ptr) ? VPTR__MEMORY_MANAGED : VPTR__MEMORY_HOST;
}

typedef struct vptr__endpoint {
  vptr__device *device; /* NULL: host memory */
  unsigned char *host;  /* host memory: its first byte */
  cl_mem buffer;        /* device memory: the root buffer, leased */
  size_t offset;        /* ... and where in it the endpoint begins */
  vptr__lease lease;
  vptr__mirror *mirror; /* managed memory, held; there is a buffer while it is acquired */
  bool is_acquired;
} vptr__endpoint;

/* Checks and holds size (at least 1) bytes of memory of a kind, as vptr__memory_kind_of() told it. Host memory is taken
 * on trust, except that it must not run into any mapper's addresses, nor into the guard in front of them, and that
 * pinned and managed memory have bounds (mapper/host.h). access READ: nothing of it is written. `what` begins
 * the sentence about an error. Errors: those of vptr_resolve(), but UNKNOWN_ADDRESS only for addresses of the mapper
 * that were never issued; INVALID_ARGUMENT and INVALID_SIZE for a host range that cannot be one; FREED and
 * OUT_OF_BOUNDS for one that is not within such memory. */
vptr_status vptr__endpoint_hold(vptr_mapper *mapper, vptr__memory_kind kind, vptr_access access, const char *what,
                                const void *ptr, size_t size, vptr__endpoint *endpoint_out);

/* The same, where only device memory will do, which may be written. */
VPTR_API vptr_status vptr__endpoint_hold_device(vptr_mapper *mapper, const char *what, const void *ptr, size_t size,
                                            vptr__endpoint *endpoint_out);

/* Acquires what is managed of an endpoint of so many bytes, or of both endpoints of a transfer, to the mapper's device;
 * one of them may be NULL. to_access says whether all of the destination will be written. Nothing else happens to
 * other memory. Blocks until the device has the bytes. Errors: those of vptr__mirror_acquire(); then nothing is
 * acquired. */
VPTR_API vptr_status vptr__endpoint_acquire(vptr_mapper *mapper, vptr__endpoint *to, size_t to_size,
                                            vptr_access to_access, vptr__endpoint *from, size_t from_size);

/* Whether any of the two is acquired. */
static inline bool vptr__endpoint_is_acquired(const vptr__endpoint *to, const vptr__endpoint *from) {
  return to->is_acquired || (from != NULL && from->is_acquired);
}

/* Gives back what was acquired, for the commands in the stream's queue until now. Between vptr__stream_begin() and
 * _end(). */
VPTR_API void vptr__endpoint_release_managed(vptr__stream *stream, cl_command_queue queue, vptr__endpoint *to,
                                             vptr__endpoint *from);

/* Lets go of a held endpoint, and gives it back if no command uses it any more; not between vptr__stream_begin() and
 * _end(). */
VPTR_API void vptr__endpoint_release(vptr__endpoint *endpoint);

/* Puts the mapper's own queue, in which a transfer is about to run and which is in order, behind whatever may still
 * write what the transfer reads, or read what it overwrites: waits for the queues that vptr_use_queue() named, and
 * orders it behind the blocking streams. Those that are not blocking are left alone, as by CUDA's own copies: who wants
 * order among them says so by other means, and one that stands still must not stop everybody. */
vptr_status vptr__endpoint_settle(vptr_mapper *mapper);

/* Whose device managed memory is on; whose it was made for, while it is on none; NULL for all other memory. */
VPTR_API vptr_mapper *vptr__endpoint_managed_mapper(const void *ptr);

/* Whether size bytes at ptr can be host memory: not NULL, not around the end of the address space, and clear of
 * every mapper's addresses. */
vptr_status vptr__endpoint_check_host(vptr_mapper *mapper, const char *what, const void *ptr, size_t size);

#endif
