/* SPDX-License-Identifier: MIT */
/*
 * heap - device memory, issued and taken back: what joins addresses, their order, and buffers.
 *
 *     request                 where it goes
 *     up to 256 KiB - 1       a slot of a slab: one buffer cut into slots of one size class (heap/slab)
 *     above                   a buffer of its own (heap/range)
 *     freed buffers           the cache, until they are too old or too many (heap/cache)
 *
 * Every buffer lies at the start of its own run of windows (space), is an item of the tree, and has its entries in the
 * directory; the three change together, under the heap's lock (vptr__heap.lock in state.h, rank HEAP). OpenCL is never
 * called with the lock held, except to retain or release: a buffer is made without it, and what was read before is read
 * again afterwards. Functions that change the heap take the lock themselves, where nothing else is said.
 *
 * Guarantees: sizes are exact to the byte; [base + size] belongs to nothing; a failed call has changed nothing; when
 * the device is full, everything idle is released, and the buffer is asked for again before the caller is told; whom
 * else to ask for memory, the caller knows (mapper/reclaim.h). Look-ups are the directory's and take no lock.
 *
 * The functions are in heap.c, place.c, placed.c, query.c, span.c, exchange.c, compact.c, residence.c and
 * residence_move.c. They are called by lib/vptr/mapper and by files that stand above it, which the heads of those name.
 */
#ifndef VPTR_HEAP_HEAP_H
#define VPTR_HEAP_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

#include "device/device.h"
#include "heap/directory.h"

typedef struct vptr__heap vptr__heap;

/* Makes what needs device memory; and asks for it again while somebody gives some up (mapper/reclaim.h). */
typedef vptr_status vptr__heap_attempt(void *context);
typedef vptr_status vptr__heap_insist(void *insist_context, vptr__heap_attempt *attempt, void *context);

/* Moves the bytes of a buffer from or to memory of the host, more quickly than the driver does; it waits for them.
 * False: nothing was moved, and the driver is to be asked. *status_out is SUCCESS, or what failed. */
typedef bool vptr__heap_move(void *insist_context, cl_mem buffer, bool to_device, void *host, size_t size,
                             vptr_status *status_out);

typedef struct vptr__heap_config {
  uintptr_t base_address;
  size_t reserve_size;
  size_t alignment;         /* a power of two */
  size_t quarantine_bytes;
  size_t arena_bytes;       /* of the device's memory, whose addresses are the heap's (heap/arena.h); 0: none */
  size_t idle_bytes;        /* what the cache may hold */
  bool reuse_at_once;
  bool trace;               /* remember call sites */
  vptr__heap_insist *insist; /* NULL: no allocation ever leaves the device (heap/residence.h) */
  void *insist_context;
  vptr__heap_move *move;    /* of what leaves and comes back; NULL: the driver does it */
  bool exact;               /* every allocation is a buffer of its own size, and no buffer is used again */
} vptr__heap_config;

/* heap/exchange.c: for the exchange of a device that is a proxy. The lock, if nobody has it; with it, the face of the
 * new device; and the lock is given back. */
bool vptr__heap_try_lock(vptr__heap *heap);
void vptr__heap_change_device(vptr__heap *heap, vptr__device *device);
void vptr__heap_give_lock(vptr__heap *heap);

/* heap/exchange.c: whether the bytes of a live allocation stayed on a device that was lost. */
bool vptr__heap_has_lost(vptr__heap *heap, const void *ptr);

/* A heap on a device, which it borrows. Errors: OUT_OF_ADDRESSES, OUT_OF_HOST_MEMORY, INVALID_ARGUMENT; with an arena
 * UNSUPPORTED (the device has none), OUT_OF_DEVICE_MEMORY, and OPENCL. */
vptr_status vptr__heap_create(vptr__device *device, const vptr__heap_config *config, vptr__heap **heap_out);

/* Releases everything. The work in flight must have been waited for. NULL is allowed. */
void vptr__heap_destroy(vptr__heap *heap);

/* As vptr_malloc(), size at least 1. site: the caller's return address, for traces. Takes the lock; what needs none is
 * heap/magazine.h's. */
vptr_status vptr__heap_allocate(vptr__heap *heap, size_t size, const void *site, void **ptr_out);

/* An allocation of size bytes, at least 1, with a buffer of its own, that begins at an address: that of a window, and
 * all its windows are free (heap/placed.c). Errors: INVALID_ARGUMENT, OUT_OF_ADDRESSES, UNSUPPORTED (the addresses are
 * the device's), and those of vptr__heap_allocate(). */
VPTR_API vptr_status vptr__heap_allocate_at(vptr__heap *heap, uintptr_t address, size_t size, const void *site);

/* A buffer that is not the heap's own, as vptr__heap_attach() has it, but where it was in another process, with its
 * serial there, once what that process had allocated is here again. The buffer is retained. Errors: INVALID_ARGUMENT,
 * OUT_OF_ADDRESSES, UNSUPPORTED (the addresses are the device's), OUT_OF_HOST_MEMORY. */
VPTR_API vptr_status vptr__heap_attach_at(vptr__heap *heap, cl_mem buffer, uintptr_t address, uint64_t serial,
                                          const void *site);

/* As vptr_free(), ptr not NULL. The message is the caller's to say. */
VPTR_API vptr_status vptr__heap_free(vptr__heap *heap, void *ptr);

/* The same without the lock, where that can be; false: nothing was done. */
bool vptr__heap_free_pooled(vptr__heap *heap, void *ptr);

/* As vptr_free_no_reuse(), ptr not NULL, and silent. */
vptr_status vptr__heap_free_no_reuse(vptr__heap *heap, void *ptr);

/* ---- a free in two steps ----
 * The place of an allocation outlives it for a while where work in flight still uses the memory, and where the next
 * allocation in it is known to come behind that work: see pool/pool.h.
 *
 *     live ---retire---> retired ---recycle---> free, or in quarantine
 *       ^------reissue------'
 *
 * A retired place counts as freed for everybody who asks about its addresses, and is issued to nobody. It is whoever
 * retired it who reissues or recycles it, once, and from one thread at a time. */

/* The bytes set aside for a live allocation: its slot's, or its buffer's; 0 if there is none at ptr. */
VPTR_API size_t vptr__heap_room(vptr__heap *heap, const void *ptr);

/* Which places a request of size bytes, at least 1, can be reissued in: those whose allocations were of the same bin,
 * or, in the last bin (VPTR__HEAP_BIN_WHOLE), those with room enough. */
enum { VPTR__HEAP_BIN_WHOLE = 64 };
VPTR_API unsigned vptr__heap_bin(const vptr__heap *heap, size_t size);

/* Errors: as vptr__heap_free(), and UNSUPPORTED for an attached buffer, whose place is not ours; silent. */
VPTR_API vptr_status vptr__heap_retire(vptr__heap *heap, void *ptr);

/* A new allocation of size bytes at ptr, which is retired and fits. Errors: OUT_OF_HOST_MEMORY; NOT_READY if the place
 * has to be recycled because its numbers have run out; nothing has changed then. */
VPTR_API vptr_status vptr__heap_reissue(vptr__heap *heap, void *ptr, size_t size, const void *site);
VPTR_API void vptr__heap_recycle(vptr__heap *heap, void *ptr);

/* Whether freed addresses must stay unused for a while: then nothing should be reissued. */
bool vptr__heap_has_quarantine(const vptr__heap *heap);

vptr_status vptr__heap_attach(vptr__heap *heap, cl_mem buffer, const void *site, void **ptr_out);
vptr_status vptr__heap_trim(vptr__heap *heap, size_t keep_bytes);

/* Releases everything idle, and waits for the device's work, with which a driver may keep it; false: it was nothing. */
bool vptr__heap_give_idle(vptr__heap *heap);

/* Whether size bytes at ptr, of which the first is live, lie in more than one buffer (heap/span.h). Takes no lock. */
VPTR_API bool vptr__heap_has_seam(const vptr__heap *heap, const void *ptr, size_t size);

/* Says so, and what to do; UNSUPPORTED. */
vptr_status vptr__heap_refuse_seam(const vptr__heap *heap, const void *ptr, size_t size);

/* Whether there is a live allocation of several buffers; and one of buffers that do not lie one behind the other on the
 * device. Take no lock. */
VPTR_API bool vptr__heap_has_parts(const vptr__heap *heap);
VPTR_API bool vptr__heap_has_apart(const vptr__heap *heap);

/* Whether a live address lies in one of several buffers that do not lie one behind the other on the device. */
VPTR_API bool vptr__heap_is_apart(vptr__heap *heap, const void *ptr);

/* Says so, and what to do; UNSUPPORTED. */
VPTR_API vptr_status vptr__heap_refuse_apart(const vptr__heap *heap, const void *ptr);

/* What of the allocation at a live address lies in one buffer, from there on. Takes no lock. Errors: those of a
 * look-up, in silence. */
VPTR_API vptr_status vptr__heap_part_at(const vptr__heap *heap, const void *ptr, vptr_part *part_out);

/* Resolves and retains the root buffer in one step that no free can come between; release it through the
 * device. Errors also: UNSUPPORTED, which has been said, where the bytes lie in several buffers. */
VPTR_API vptr_status vptr__heap_retain(vptr__heap *heap, const void *ptr, size_t need, vptr_location *location_out);

/* As vptr__heap_retain(), and while pinned (vptr__heap_unpin() of the base) vptr__heap_free() answers MAPPED. need of
 * 0: no buffer is retained, nor stays on the device for it, and the location has none. */
VPTR_API vptr_status vptr__heap_pin(vptr__heap *heap, const void *ptr, size_t need, vptr_location *location_out);
VPTR_API void vptr__heap_unpin(vptr__heap *heap, void *base);
bool vptr__heap_is_pinned(vptr__heap *heap, const void *base);

/* A buffer that begins at the base of ptr's allocation: the root itself, or a cached sub-buffer; borrowed. */
vptr_status vptr__heap_buffer_at_base(vptr__heap *heap, const void *ptr, cl_mem *buffer_out);

/* The device's own address of ptr (UNSUPPORTED where the device has none). Remembered per buffer. From then on
 * the buffer is released only after the queue has been waited for, since the driver cannot know who uses it. */
VPTR_API vptr_status vptr__heap_device_address(vptr__heap *heap, const void *ptr, uint64_t *address_out);

/* ---- allocations that leave a full device: see heap/residence.h ---- */

/* Whether any may. */
VPTR_API bool vptr__heap_moves(const vptr__heap *heap);

/* Whether work that found no room may begin anew (below): where any may leave, and the thread may wait. */
VPTR_API bool vptr__heap_may_try_anew(const vptr__heap *heap);

/* Likewise of an allocation, whose caller may have leases still: if it has none. */
bool vptr__heap_may_allocate_anew(const vptr__heap *heap);

/* From now on the allocation at ptr stays on the device, to which it comes if need be; nothing happens to what is no
 * live allocation. Errors: as of making a buffer. Callers hold no lock of rank HEAP or above. */
VPTR_API vptr_status vptr__heap_fix(vptr__heap *heap, const void *ptr);

/* Makes room: packs nearly empty slabs, once; or has the movable allocation leave that was used longest ago, of this
 * heap or else of another one of the device. Where none can leave now, it waits for a moment, if the thread may: others
 * may move or hold some, or the driver may not have destroyed yet what left. False: nothing can leave, and nothing has
 * changed since the last call. A vptr__heap_patience is what one request for room remembers between its calls. */
typedef struct vptr__heap_patience {
  uint64_t until, seen; /* 0 at first: when the moment is over; which changes the last call knew of */
  bool has_evicted, has_compacted;
} vptr__heap_patience;
bool vptr__heap_evict(vptr__heap *heap, vptr__heap_patience *patience);

/* ---- slabs that are nearly empty: see heap/packing.h ---- */

/* Packs those of which no more than one part in `share` is live, and adds to *released_out by how many bytes buffers
 * are less now. Errors: OPENCL, OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY; what was packed before stays so. */
vptr_status vptr__heap_compact(vptr__heap *heap, unsigned share, size_t *released_out);

/* Of slabs with a buffer of their own: bytes, and those of live slots; and of the buffers that packed ones are in. With
 * the lock held. */
typedef struct vptr__slab_use {
  size_t bytes, live_bytes, pack_bytes;
} vptr__slab_use;
vptr__slab_use vptr__heap_slab_use(vptr__heap *heap);

/* Whether other threads move movable allocations, or hold leases of some, so that there may soon be room. */
bool vptr__heap_is_busy(vptr__heap *heap);

/* For work that holds several leases, and found no room for one more: it gives back all, and tries anew between begin
 * and end, which one thread does at a time (a lock of rank LEASE), as long as again() says that others may have been
 * in the way. Who tries holds nothing. */
typedef struct vptr__heap_anew {
  vptr__heap *heap;
  uint64_t until, seen;
} vptr__heap_anew;
VPTR_API vptr__heap_anew vptr__heap_anew_begin(vptr__heap *heap);
VPTR_API bool vptr__heap_anew_again(vptr__heap_anew *anew);
VPTR_API void vptr__heap_anew_end(void);

/* The first movable buffer whose addresses begin at or behind `from`, and a live allocation in it: a lease of that
 * holds the whole buffer. False: there is none. */
VPTR_API bool vptr__heap_next_movable(vptr__heap *heap, uintptr_t from, uintptr_t *base_out, uintptr_t *live_out);

/* Bytes of buffers by where they are, and how many of them are not on the device. */
typedef struct vptr__heap_places {
  size_t staying, movable;   /* on the device */
  size_t in_memory, in_files;
  size_t copies;             /* of the movable ones, in memory of the host's */
  size_t away_count;
  size_t packed, packs;      /* slabs that are packed, as long as they were, and the buffers that they are in */
} vptr__heap_places;
vptr__heap_places vptr__heap_places_of(vptr__heap *heap);

/* The first live allocation at or after an address, in order; false behind the last. Lock-free. */
bool vptr__heap_next(vptr__heap *heap, uintptr_t from, vptr_location *location_out);

/* The nearest allocation to an address, live ones first: the one it lies in or behind, else the one before,
 * else the one after; false if nothing was ever issued. *state_out: SUCCESS (live), FREED. *site_out: where it
 * was made, or NULL. For messages. */
VPTR_API bool vptr__heap_nearest(vptr__heap *heap, const void *ptr, vptr_location *location_out,
                                 vptr_status *state_out, const void **site_out);

size_t vptr__heap_count(vptr__heap *heap);
void vptr__heap_stats(vptr__heap *heap, vptr_stats *stats_out);
vptr_status vptr__heap_check(vptr__heap *heap);
const vptr__directory *vptr__heap_directory(const vptr__heap *heap);

#endif
