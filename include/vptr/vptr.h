/* SPDX-License-Identifier: MIT */
/*
 * vptr.h - virtual device pointers over OpenCL buffers.
 *
 * A virtual device pointer is an address that nobody may read. It can be added, subtracted, compared, stored
 * in a struct and passed around like any pointer; given back to vptr, anywhere inside its allocation, it
 * resolves to an OpenCL buffer and a byte offset.
 *
 * Conventions that hold for every function here, so that they need not be said again at each:
 *
 *   - Sizes and offsets are in bytes, unless the text says elements.
 *   - A vptr_mapper argument of NULL means the default mapper, which is made on first use, on the device that
 *     VPTR_PLATFORM and VPTR_DEVICE select (see vptr(7)).
 *   - Every function may be called from any thread at any time. Look-ups (vptr_resolve, vptr_get_offset, and
 *     the checks that the other calls start with) take no lock and write no memory that threads share.
 *   - A function that returns vptr_status writes its outputs only on VPTR_SUCCESS, and a call that fails has
 *     changed nothing. vptr_last_error() says in words what was wrong.
 *   - "Live" is an allocation that was made and not yet freed.
 *   - After fork(), a child of a process that has a mapper gets FORKED from every call, until it calls exec(); the
 *     parent is not affected.
 *
 * Work and memory: all commands that vptr sends go to one in-order command queue, vptr_get_queue(). Kernels
 * that use virtual pointers belong on that queue too; then freeing memory that a kernel still uses is safe,
 * since whoever gets the memory next can only reach it through the same queue. Tell vptr_use_queue() about
 * other queues that run such kernels.
 */
#ifndef VPTR_VPTR_H
#define VPTR_VPTR_H

#include <stddef.h>
#include <stdint.h>

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>

#include <vptr/version.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef VPTR_API
#define VPTR_API __attribute__((visibility("default")))
#endif

/* ---- verdicts ------------------------------------------------------------------------------------------- */

/* What became of a call. Each verdict about an address is a value of its own. */
typedef enum vptr_status {
  VPTR_SUCCESS = 0,

  /* verdicts about an address */
  VPTR_ERROR_NULL_POINTER = 1,    /* the address, or an output argument, is NULL */
  VPTR_ERROR_UNKNOWN_ADDRESS = 2, /* no mapper of this process ever issued this address */
  VPTR_ERROR_FREED = 3,           /* was live once, was freed, and has not been issued again */
  VPTR_ERROR_PAST_END = 4,        /* at or behind the end of a live allocation, before the next one */
  VPTR_ERROR_OUT_OF_BOUNDS = 5,   /* begins inside a live allocation, but the range asked for leaves it */
  VPTR_ERROR_OTHER_MAPPER = 6,    /* lies in the addresses of another mapper */
  VPTR_ERROR_INTERIOR = 7,        /* live, but not the start of its allocation, which this call needs */

  /* verdicts about a request */
  VPTR_ERROR_INVALID_ARGUMENT = 20,
  VPTR_ERROR_INVALID_SIZE = 21,         /* larger than the device or the arithmetic allows */
  VPTR_ERROR_MAPPED = 22,               /* the memory is mapped to the host; vptr_unmap() first */
  VPTR_ERROR_NOT_MAPPED = 23,           /* vptr_unmap() of an address that vptr_map() did not return */
  VPTR_ERROR_UNSUPPORTED = 24,          /* this device cannot do it */
  VPTR_ERROR_NOT_READY = 25,            /* not done yet: an answer of queries; or the call would wait for itself */

  /* verdicts about the machine */
  VPTR_ERROR_OUT_OF_DEVICE_MEMORY = 40,
  VPTR_ERROR_OUT_OF_HOST_MEMORY = 41,
  VPTR_ERROR_OUT_OF_ADDRESSES = 42,     /* the reservation is full, or could not be made */
  VPTR_ERROR_NO_DEVICE = 43,            /* no OpenCL device fits; the text says what to install */
  VPTR_ERROR_OPENCL = 44,               /* an OpenCL call failed: vptr_last_cl_error() */
  VPTR_ERROR_FORKED = 45,               /* a child process after fork(): drivers do not survive it */
  VPTR_ERROR_FILE = 46,                 /* a file cannot be opened, read or written, or is not what it must be */

  VPTR_ERROR_CORRUPT = 60               /* vptr_check() found a broken invariant: a bug, please report it */
} vptr_status;

/* The name and meaning of a status, in English, as a static string. Never NULL; an unknown value says so. */
VPTR_API const char *vptr_status_string(vptr_status status);

/* One sentence about the calling thread's last failed vptr call: the value, the limit or the nearest
 * allocation, and the next step. Static storage of the thread, valid until its next failing call; an empty
 * string if nothing has failed. A successful call leaves it as it is. */
VPTR_API const char *vptr_last_error(void);

/* The OpenCL code behind the calling thread's last VPTR_ERROR_OPENCL or out-of-device-memory status;
 * CL_SUCCESS if there was none. */
VPTR_API cl_int vptr_last_cl_error(void);

/* The version of the library that is running, as VPTR_VERSION was when it was built. */
VPTR_API int vptr_version(void);

/* ---- mappers -------------------------------------------------------------------------------------------- */

/* One address space on one device: its reservation, its buffers, its queue. Opaque. */
typedef struct vptr_mapper vptr_mapper;

/* Flags of vptr_config. */
#define VPTR_CONFIG_REUSE_ADDRESSES 1u /* issue the addresses of released buffers again at once, not last */
#define VPTR_CONFIG_OVERSUBSCRIBE 2u   /* what was used longest ago leaves a full device for the host: see vptr(7) */
#define VPTR_CONFIG_MIGRATE 4u         /* the mapper can go to another device: see vptr_migrate() */

/* How to make a mapper. Begin with VPTR_CONFIG_INIT and set what matters; 0 and NULL mean the default. */
typedef struct vptr_config {
  size_t struct_size;       /* sizeof(vptr_config) of the caller: how the structure may grow */
  cl_context context;       /* retained; NULL: a context of its own on the device */
  cl_device_id device;      /* NULL: the context's device if it has just one, else as the environment selects */
  cl_command_queue queue;   /* in-order, of that context; retained; NULL: a queue of its own */
  uintptr_t base_address;   /* where the reservation shall begin; 0: anywhere */
  /* bytes of addresses to reserve, halved until they fit; 0: VPTR_RESERVE or a share of what is free */
  size_t reserve_size;
  size_t alignment;         /* of every allocation, a power of two; 0: 256 or what the device needs, the larger */
  size_t quarantine_bytes;  /* freed memory is held back until this much was freed after it; 0: not at all */
  unsigned flags;           /* VPTR_CONFIG_* */
  /* Several devices that are one, of any platforms (doc/scaling.md): its memory is that of all, copies go to all at
   * once. The array is read by the call alone; NULL: the first device_count of those that the environment selects. */
  const cl_device_id *devices;
  size_t device_count;      /* 0: `device` says which; 1: that one, as any other; else 2 to 16, none of them twice */
  size_t stripe_bytes;      /* allocations of so many bytes and more lie on all of them, cut alike; 0: 8 MiB */
} vptr_config;

#define VPTR_CONFIG_INIT { sizeof(vptr_config), NULL, NULL, NULL, 0, 0, 0, 0, 0u, NULL, 0, 0 }

/* Makes a mapper; config may be NULL. Blocks while the driver starts. One over several devices has no OpenCL objects
 * that the program could use: vptr_get_context(), _device(), _queue() and _buffer() answer NULL, kernel arguments and
 * vptr_attach() are refused, and so are MIGRATE and OVERSUBSCRIBE, with a line on stderr and no error.
 * Errors: INVALID_ARGUMENT, NO_DEVICE, OUT_OF_ADDRESSES, OUT_OF_HOST_MEMORY, OPENCL. */
VPTR_API vptr_status vptr_mapper_create(const vptr_config *config, vptr_mapper **mapper_out);

/* Waits for the work in flight, then frees all that the mapper holds, mapped memory included. No other call on
 * this mapper may run or follow. The default mapper cannot be destroyed (INVALID_ARGUMENT); vptr_clear() it. */
VPTR_API vptr_status vptr_mapper_destroy(vptr_mapper *mapper);

/* The mapper's OpenCL objects, borrowed; NULL when the (default) mapper cannot be made. On the fake device
 * (VPTR_PLATFORM=fake) they are NULL too. The queue, unless vptr_config named it, keeps times for
 * clGetEventProfilingInfo() from the first time that it is asked for, which some drivers' blocking copies pay for. */
VPTR_API cl_context vptr_get_context(vptr_mapper *mapper);
VPTR_API cl_device_id vptr_get_device(vptr_mapper *mapper);
VPTR_API cl_command_queue vptr_get_queue(vptr_mapper *mapper);

/* Tells the mapper of another queue (retained) whose commands use its memory: from now on vptr_free() and the
 * blocking calls wait for that queue too. vptr_drop_queue() waits for it once more and forgets it.
 * Errors: INVALID_ARGUMENT (not a queue of the mapper's context; to drop: not known). */
VPTR_API vptr_status vptr_use_queue(vptr_mapper *mapper, cl_command_queue queue);
VPTR_API vptr_status vptr_drop_queue(vptr_mapper *mapper, cl_command_queue queue);

/* Waits until all work of the mapper's queues is done. Errors of that work surface here. */
VPTR_API vptr_status vptr_finish(vptr_mapper *mapper);

/* ---- memory --------------------------------------------------------------------------------------------- */

/* Allocates size bytes of device memory, committed: if the device has no room, this call says so, after caches
 * were emptied and tried again; where memory may leave the device (VPTR_CONFIG_OVERSUBSCRIBE) it also waits for other
 * threads' calls that use some there. Contents are undefined. Size 0: NULL and success. The address is aligned to 256
 * bytes, to the device's CL_DEVICE_MEM_BASE_ADDR_ALIGN and to vptr_config.alignment; no host address equals it.
 * Errors: INVALID_SIZE, OUT_OF_DEVICE_MEMORY, OUT_OF_HOST_MEMORY, OUT_OF_ADDRESSES, OPENCL. */
VPTR_API vptr_status vptr_malloc(vptr_mapper *mapper, size_t size, void **ptr_out);

/* Frees an allocation, or detaches an attached buffer. NULL: success, nothing done. Work in flight on the
 * mapper's queue may still use the memory; queues named to vptr_use_queue() are waited for.
 * Errors: INTERIOR, FREED, UNKNOWN_ADDRESS, PAST_END, OTHER_MAPPER, MAPPED; nothing is freed then. */
VPTR_API vptr_status vptr_free(vptr_mapper *mapper, void *ptr);

/* As vptr_free(), and the mapper never issues the addresses again: a pointer that a program kept stays FREED as long as
 * the mapper lives, and equals no later one. An allocation with a buffer of its own (more than 256 KiB, or attached)
 * gives its memory back at once, a smaller one when all that shares its buffer is freed. Each buffer costs at least
 * vptr_stats.window_bytes of the reserved addresses for good, so this is not for every free of a long run.
 * Where addresses are the device's (VPTR_ADDRESSES=device), they are its memory, and issued again at last.
 * Errors: those of vptr_free(); UNSUPPORTED (memory of a stream-ordered pool); nothing is freed then. */
VPTR_API vptr_status vptr_free_no_reuse(vptr_mapper *mapper, void *ptr);

/* Gives an existing buffer of the mapper's context an address. The buffer is retained until vptr_free() or
 * vptr_clear(). The same buffer may be attached more than once, at different addresses. */
VPTR_API vptr_status vptr_attach(vptr_mapper *mapper, cl_mem buffer, void **ptr_out);

/* Frees every allocation of the mapper, after the work in flight. Errors: MAPPED, OPENCL. */
VPTR_API vptr_status vptr_clear(vptr_mapper *mapper);

/* Releases cached buffers until at most keep_bytes of them are left, and the pinned memory that large copies
 * went through. Live allocations are not touched. */
VPTR_API vptr_status vptr_trim(vptr_mapper *mapper, size_t keep_bytes);

/* Packs what lies in nearly empty buffers together, and releases those: of small allocations, whose buffers are half
 * free at least, and of which nothing is in use or shown to the program. Addresses stay, and what is packed is used as
 * before; a buffer comes back for it where something is allocated in its place, or a kernel follows pointers in memory.
 * Waits for the work in flight. The same happens, to what is nearly empty, before an allocation is refused.
 * *released_out, which may be NULL, is how many bytes the device has more now.
 * Errors: UNSUPPORTED where allocations do not move: VPTR_CONFIG_OVERSUBSCRIBE; NOT_READY (in a host function); OPENCL,
 * OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY (no room to pack them in): what was packed before stays so. */
VPTR_API vptr_status vptr_compact(vptr_mapper *mapper, size_t *released_out);

/* The number of live allocations, attached buffers included; 0 when there is no mapper. */
VPTR_API size_t vptr_count(vptr_mapper *mapper);

/* Exact accounting, in bytes unless said. */
typedef struct vptr_stats {
  size_t struct_size;        /* set by the caller to sizeof(vptr_stats) */
  size_t live_count;         /* allocations, attached buffers included */
  size_t live_bytes;         /* as requested */
  size_t attached_bytes;     /* of live_bytes: memory that belongs to the caller */
  size_t buffer_count;       /* OpenCL buffers that vptr holds, cached ones included */
  size_t buffer_bytes;       /* their sizes */
  size_t idle_bytes;         /* of buffer_bytes: cached, with nothing live in them */
  size_t device_bytes;       /* memory of the device, or what VPTR_ADDRESSES=device has taken of it */
  uintptr_t reserve_base;    /* first address of the reservation */
  size_t reserve_bytes;      /* its length */
  size_t window_bytes;       /* granule of addresses that a buffer takes */
  uint64_t serial;           /* number of the latest allocation, from 1 */
  size_t slab_bytes;         /* of buffer_bytes: cut into small allocations */
  size_t slab_free_bytes;    /* of slab_bytes: where none is live; much of it is fragmentation */
  size_t packed_bytes;       /* of buffer_bytes: what vptr_compact() has packed */
} vptr_stats;

VPTR_API vptr_status vptr_get_stats(vptr_mapper *mapper, vptr_stats *stats_out);

/* ---- look-up -------------------------------------------------------------------------------------------- */

/* What kind of memory an address stands for. */
typedef enum vptr_kind {
  VPTR_KIND_DEVICE = 1,     /* made by vptr_malloc() */
  VPTR_KIND_ATTACHED = 2,   /* a buffer of the caller's, by vptr_attach() */
  VPTR_KIND_HOST = 3,       /* pinned host memory: cudaMallocHost(), VPTR_USM_HOST */
  VPTR_KIND_REGISTERED = 4, /* the program's memory, by cudaHostRegister() */
  VPTR_KIND_MANAGED = 5,    /* of host and device: cudaMallocManaged(), VPTR_USM_SHARED */
  VPTR_KIND_PART = 6        /* of an allocation that consists of several buffers: vptr_get_parts() */
} vptr_kind;

/* What an address means. */
typedef struct vptr_location {
  cl_mem buffer;        /* root OpenCL buffer, borrowed; NULL of the last three kinds: theirs may change, or be none */
  size_t buffer_offset; /* where in it the byte lies */
  void *base;           /* the allocation: its start */
  size_t offset;        /* ptr - base */
  size_t size;          /* its size as requested */
  vptr_kind kind;
  int device;           /* ordinal of the device */
  uint64_t serial; /* number of the allocation in its mapper, from 1; used once, and in the order of time as long as
                           one thread allocates; 0 of the last three kinds */
} vptr_location;

/* Says what ptr means, if the bytes [ptr, ptr + need) lie in one live allocation; need 0 asks for one byte. Of host
 * memory libvptr-cudart knows, where the program has it. Takes no lock, but a short one for managed memory. Errors:
 * NULL_POINTER, UNKNOWN_ADDRESS (plain host memory too), FREED, PAST_END, OUT_OF_BOUNDS, OTHER_MAPPER. */
VPTR_API vptr_status vptr_resolve(vptr_mapper *mapper, const void *ptr, size_t need,
                                  vptr_location *location_out);

/* vptr_resolve() for many addresses at once, all with the same need: faster for each where there are many
 * allocations, since the memory that one answer waits for is fetched while others are given. verdicts_out[i] is
 * the status that vptr_resolve() would return for ptrs[i], but nothing is said of it in words; locations_out[i] is
 * written where that is VPTR_SUCCESS. The call's own status speaks of the call: SUCCESS however the verdicts are.
 * vptr_fast.h has look-ups without a call. Errors: NULL_POINTER (an array, unless count is 0), those of making the
 * default mapper. */
VPTR_API vptr_status vptr_resolve_batch(vptr_mapper *mapper, const void *const *ptrs, size_t count, size_t need,
                                        vptr_location *locations_out, vptr_status *verdicts_out);

/* What of an allocation lies in one OpenCL buffer. */
typedef struct vptr_part {
  void *ptr;            /* its first byte */
  size_t size;          /* how many of the bytes asked for are there */
  cl_mem buffer;        /* borrowed, as of vptr_resolve() */
  size_t buffer_offset; /* where in it ptr's byte lies */
} vptr_part;

/* The buffers that the bytes [ptr, ptr + size) of one live allocation lie in, in their order; size at least 1. Mostly
 * it is one. An allocation that is larger than a buffer of the device may be consists of several where the device's
 * memory is the host's: of such, vptr_resolve() tells the part, by VPTR_KIND_PART, and of the part base, size and
 * offset, and refuses bytes beyond it (UNSUPPORTED). Copies, fills, host accessors and kernels need not care: the
 * buffers lie one behind the other for kernels. At most `room` parts are written to parts_out, which may be NULL for
 * room 0; *count_out is how many there are. Errors: those of vptr_resolve(). */
VPTR_API vptr_status vptr_get_parts(vptr_mapper *mapper, const void *ptr, size_t size, vptr_part *parts_out,
                                    size_t room, size_t *count_out);

/* The OpenCL buffer whose byte 0 is the start of ptr's allocation; borrowed, valid until the allocation is
 * freed. For a pooled allocation this is a sub-buffer, made on first demand and kept. NULL on error; an
 * allocation of several buffers is one. */
VPTR_API cl_mem vptr_get_buffer(vptr_mapper *mapper, const void *ptr);

/* Bytes from the start of ptr's allocation to ptr; -1 on error. Takes no lock. */
VPTR_API ptrdiff_t vptr_get_offset(vptr_mapper *mapper, const void *ptr);

/* The root buffer of ptr, retained for the caller (clReleaseMemObject() it), and the byte offset of ptr in it.
 * Safe against a free in another thread: the buffer outlives it. */
VPTR_API vptr_status vptr_retain_buffer(vptr_mapper *mapper, const void *ptr, cl_mem *buffer_out,
                                        size_t *offset_out);

/* Calls visit for each live allocation in the order of addresses, until it returns non-zero. It may call vptr;
 * allocations made or freed meanwhile may or may not be seen. */
VPTR_API vptr_status vptr_walk(vptr_mapper *mapper, int (*visit)(const vptr_location *location, void *context),
                               void *context);

/* Checks every invariant of the mapper; for tests and debuggers. Locks it for the time. Errors: CORRUPT. */
VPTR_API vptr_status vptr_check(vptr_mapper *mapper);

/* ---- another device ------------------------------------------------------------------------------------- */

/* Takes all that the mapper has to another OpenCL device, of another vendor too: its memory with the same addresses,
 * serial numbers and bytes, its streams and events. Pointers that lie in that memory lead where they led. device
 * NULL: the one that VPTR_PLATFORM and VPTR_DEVICE choose first, in a context of its own. The mapper must be one that
 * can (VPTR_CONFIG_MIGRATE, VPTR_MIGRATE=1). It waits for the mapper's work, like vptr_finish(), then for the copies;
 * other threads may go on calling, and wait meanwhile, but for look-ups, which do not. Kernels are built anew when
 * they are launched next. vptr_get_context() and vptr_get_device() answer those of the new device from then on. On an
 * error all is on the old device as before. Errors: UNSUPPORTED (not such a mapper; memory whose cl_mem the program
 * made or was told, queues that it knows; what the device cannot hold in the form that it has), MAPPED, NOT_READY
 * (the work does not come to rest), OUT_OF_DEVICE_MEMORY, OUT_OF_HOST_MEMORY, NO_DEVICE, INVALID_ARGUMENT, OPENCL. */
VPTR_API vptr_status vptr_migrate(vptr_mapper *mapper, cl_device_id device);

/* Keeps a device open for the mapper, also while it is on another one: vptr_migrate() to it does not open it then, and
 * one that leaves it does not close it. That is for programs that know where they will go, or that go there and back; a
 * driver takes some 100 ms to open a device, and holds memory on it as long as it is open; and 24 MiB of pinned host
 * memory, by which bytes go, stay with the two devices of the last move. device NULL: as in vptr_migrate(). It is
 * opened now, unless the mapper is on it; is_kept 0 ends that: it is closed now, or when the mapper leaves it. To say
 * either twice is no error, nor is it to end what did not begin. A device that vptr_migrate_lost() leaves is kept no
 * longer. Any thread may call it; it blocks while the driver opens or closes the device. Errors: UNSUPPORTED (the
 * mapper stays), NO_DEVICE, INVALID_ARGUMENT, OUT_OF_HOST_MEMORY, OPENCL; then the device is not kept. */
VPTR_API vptr_status vptr_keep_device(vptr_mapper *mapper, cl_device_id device, int is_kept);

/* The same when the mapper's device takes no more work (CL_DEVICE_NOT_AVAILABLE, a kernel that went astray, a driver's
 * reset): nothing is waited for. Commands that were not over have failed. Addresses and serial numbers stay; what the
 * host has is kept: allocations that had left a full device, pinned memory, managed memory that the host used last.
 * An allocation whose bytes the device gives no more is zeros, and `lost` is called for each such one, in the order
 * of addresses, on this thread, when the mapper works again; it may call vptr, and be NULL. What a buffer of many
 * small allocations had is told of each. Errors: as of vptr_migrate(); then nothing has changed, and lost was not
 * called. */
VPTR_API vptr_status vptr_migrate_lost(vptr_mapper *mapper, cl_device_id device,
                                       void (*lost)(const vptr_location *allocation, void *context), void *context);

/* ---- transfers ------------------------------------------------------------------------------------------ */

/* Copies size bytes between any two of host and device memory. Ranges may overlap, as with memmove(). Device
 * ranges are checked against their allocations before anything is copied. Blocks until the copy is done. */
VPTR_API vptr_status vptr_memcpy(vptr_mapper *mapper, void *dst, const void *src, size_t size);

/* Sets size bytes of device memory to (unsigned char)value. Blocks until done. */
VPTR_API vptr_status vptr_memset(vptr_mapper *mapper, void *ptr, int value, size_t size);

/* Writes a pattern of pattern_size bytes (any size from 1) count times, one behind the other, at any
 * alignment. Blocks until done. Errors also: INVALID_ARGUMENT for pattern_size 0, INVALID_SIZE if the product is too
 * large. */
VPTR_API vptr_status vptr_fill(vptr_mapper *mapper, void *ptr, const void *pattern, size_t pattern_size,
                               size_t count);

/* How the host will use mapped memory. The discard modes promise to write before reading: nothing is copied in,
 * and bytes that the host does not write are undefined after vptr_unmap(). */
typedef enum vptr_access {
  VPTR_ACCESS_READ = 1,
  VPTR_ACCESS_WRITE = 2,
  VPTR_ACCESS_READ_WRITE = 3,
  VPTR_ACCESS_DISCARD_WRITE = 4,
  VPTR_ACCESS_DISCARD_READ_WRITE = 5
} vptr_access;

/* A host accessor: makes size bytes at ptr readable or writable for the host at *host_out until vptr_unmap().
 * Blocks until the bytes are there. Device work must not touch the range meanwhile, and the allocation cannot
 * be freed (MAPPED). Ranges that overlap may be mapped at a time for reading only. Size 0: NULL and success. On devices
 * with memory of their own this copies the bytes in, unless they are discarded, and vptr_unmap() copies them back,
 * unless they are only read; elsewhere nothing moves. VPTR_VERBOSE=2 tells the bytes of each call. */
VPTR_API vptr_status vptr_map(vptr_mapper *mapper, void *ptr, size_t size, vptr_access access, void **host_out);

/* Ends a mapping: host is what vptr_map() returned; NULL: success, nothing done. What was written is on the device
 * when this returns; if it fails, the mapping is still open. Errors: NOT_MAPPED, OPENCL. */
VPTR_API vptr_status vptr_unmap(vptr_mapper *mapper, void *host);

/* ---- checkpoints ---------------------------------------------------------------------------------------- */

/* Flags of vptr_checkpoint(). */
#define VPTR_CHECKPOINT_WHOLE 1u /* write a new file also where the last one could go on */

/* Writes all live memory of the mapper into the file at path, after the work in flight: allocations with their
 * addresses, sizes, serials and bytes, and the host memory that vptr_checkpoint_keep() named. At any instant, a loss
 * of power included, the file is the former one or the new one. The first call for a path writes a new file beside
 * it, PATH.new, which then takes its place; a later call of the same process adds to it what has changed since, as
 * chunks of 256 KiB, until more than half of the file is out of date. Nothing may write the memory meanwhile; others
 * may allocate, free and look up. What cannot be written is an error before anything is: attached buffers, open
 * mappings, addresses that are the device's (VPTR_ADDRESSES=device), and of libvptr-cudart's memory what
 * doc/checkpoint.md lists. Errors: FILE, INVALID_ARGUMENT, UNSUPPORTED, MAPPED, NOT_READY, OUT_OF_HOST_MEMORY,
 * OPENCL. */
VPTR_API vptr_status vptr_checkpoint(vptr_mapper *mapper, const char *path, unsigned flags);

/* Makes all that the last complete checkpoint in the file has again, at the same addresses, on whatever device the
 * mapper is on; the same program calls it in a new process, before it allocates. The default mapper, if it was not
 * made yet, begins where the other process's did; another one is to be made with that base_address. Each name that
 * was kept must have been named, with the same size, and no other; the bytes are put there last. Errors: FILE
 * (damaged, or no complete checkpoint; the text has the place), INVALID_ARGUMENT (something is live, other addresses
 * or another alignment, names or sizes of variables that differ), OUT_OF_ADDRESSES (the process has something else
 * where managed or pinned memory was), UNSUPPORTED, and those of vptr_malloc(). */
VPTR_API vptr_status vptr_restore(vptr_mapper *mapper, const char *path);

/* Names host memory of the program's, such as counters and the pointers to its allocations, that checkpoints of any
 * mapper write too, and vptr_restore() fills. It is read whenever a checkpoint is taken, and must stay until the name
 * is given up, with host NULL. A name again replaces what it meant. At most 255 bytes. Errors: NULL_POINTER,
 * INVALID_ARGUMENT (the name is empty or too long), INVALID_SIZE (0), OUT_OF_HOST_MEMORY. */
VPTR_API vptr_status vptr_checkpoint_keep(const char *name, void *host, size_t size);

/* ---- kernels -------------------------------------------------------------------------------------------- */

/* Sets argument index, a __global pointer, to where ptr points, interior pointers of any alignment included;
 * NULL gives the kernel NULL (but on NVIDIA's devices an argument that was an interior pointer or host memory
 * before takes no NULL any more: the kernel is refused when it is enqueued). Not thread-safe for one kernel, like
 * clSetKernelArg(). The pointer must be live when the kernel is enqueued. Where a device can take no addresses and ptr
 * is not the start of its allocation, the status is UNSUPPORTED: use vptr_set_kernel_arg_pair(). So it is for managed
 * memory that page faults keep, in both: only launches bring it (cuda/vptr_kernel.h). */
VPTR_API vptr_status vptr_set_kernel_arg(vptr_mapper *mapper, cl_kernel kernel, cl_uint index, const void *ptr);

/* The same for arguments first, first + 1, ... of `count` pointers, resolved together: quicker than one by one. It ends
 * with the first that is refused; those before it are set. */
VPTR_API vptr_status vptr_set_kernel_args(vptr_mapper *mapper, cl_kernel kernel, cl_uint first, const void *const *ptrs,
                                          cl_uint count);

/* Sets two arguments, index: the root buffer, and index + 1: a ulong, the byte offset of ptr in it, for kernels
 * declared as (__global uchar *base, ulong offset). Works on every OpenCL 1.2 device. NULL: a NULL buffer and
 * offset 0. */
VPTR_API vptr_status vptr_set_kernel_arg_pair(vptr_mapper *mapper, cl_kernel kernel, cl_uint index,
                                              const void *ptr);

/* ---- reports -------------------------------------------------------------------------------------------- */

/* Tells what vptr found and chose: one call of line per fact, with the section it belongs to, its name, its
 * value, and why or whence ("" if there is nothing to add). The strings live for the call only. When there is
 * no device, the candidates and the reason are still told, and the status says so. */
VPTR_API vptr_status vptr_report(vptr_mapper *mapper,
                                 void (*line)(const char *section, const char *name, const char *value,
                                              const char *why, void *context),
                                 void *context);

#ifdef __cplusplus
}
#endif

#endif
