/* SPDX-License-Identifier: MIT */
/*
 * device - one compute device, and a table of the operations that vptr asks of it.
 *
 * Everything OpenCL that the rest of the library needs goes through this table of operations, for two reasons:
 * a fake device (host memory that plays a device, device/fake.c) can stand in for tests, sanitizers and
 * fuzzers; and there is one place where an OpenCL error becomes a status with words. `cl_mem` is an opaque
 * handle here: on the fake device it is the fake's own object.
 *
 * Guarantees:
 *   - memory.create() returns a buffer that is committed: it has its memory, or there is an error.
 *   - read, write, copy, fill, map and unmap block until done, and go to the device's own in-order queue.
 *   - A command that fails leaves the device usable.
 *
 * Thread-safe, every call. What the structure vptr__device shows never changes after open, but for cl_queue and the
 * state at its end, which are atomic; what the kinds keep behind it is guarded by locks of their own
 * (opencl.h, fake_driver.h, proxy.h). A device is made by vptr__device_open(), and freed by vptr__device_close(). Used
 * by the folders of lib/vptr above this one, and of lib/cudart, lib/driver, lib/ml and lib/cufft.
 */
#ifndef VPTR_DEVICE_DEVICE_H
#define VPTR_DEVICE_DEVICE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

#include "base/limit.h"
#include "base/lock.h"

typedef struct vptr__device vptr__device;
typedef struct vptr__proxy vptr__proxy; /* proxy.h; the others are row.h's and joint.h's */
typedef struct vptr__row vptr__row;
typedef struct vptr__joint vptr__joint;

/* One side of a copy of a rect: where its first byte lies, and how far apart rows and slices are. */
typedef struct vptr__rect {
  cl_mem buffer;
  size_t offset;       /* of the first byte */
  size_t row, slice;   /* bytes from one row, one slice, to the next; slice is a multiple of row */
} vptr__rect;

/* An image: elements of one format in rows, slices, layers. Layers are counted as slices; what a kind has not is 1. */
typedef struct vptr__image {
  cl_mem memory;            /* of the image itself; image.create() sets it */
  cl_mem_object_type type;  /* CL_MEM_OBJECT_IMAGE1D, 2D, 3D, 1D_ARRAY, 2D_ARRAY; over a buffer: 1D_BUFFER, 2D */
  cl_image_format format;
  size_t element;           /* bytes of one */
  size_t extent[3];         /* elements, rows, slices; at least 1 each */
  cl_mem buffer;            /* NULL; or whose bytes the elements are, from its first */
  size_t row;               /* with a buffer: bytes from one row to the next */
  /* a buffer, element behind element, that kernels read by its address: as image.create() was asked, or where the
   * device has no such images */
  bool plain;
  size_t offset;            /* of the first element in the memory of a plain one */
} vptr__image;

/* How a kernel reads an image. */
typedef struct vptr__sampler {
  bool normalized; /* coordinates from 0 to 1 */
  cl_addressing_mode addressing;
  cl_filter_mode filter;
} vptr__sampler;

/* A program to be built: its text, or what kernel.program_binary() made of it for this device and driver (then text is
 * not looked at). A zero is behind the text. */
typedef struct vptr__program_source {
  const char *text;
  bool is_ptx;                 /* the text is PTX, for devices that take it (ptx); else OpenCL C */
  size_t length;
  const char *options;
  const char *kernel;          /* the only one in it, for messages; NULL: there may be more */
  const unsigned char *binary; /* NULL: the text is built */
  size_t binary_size;
} vptr__program_source;

/* What a built kernel allows and takes, as the driver says. */
typedef struct vptr__kernel_limits {
  size_t group;           /* most work-items in a group */
  size_t multiple;        /* of which a group's size should be */
  uint64_t local_bytes;   /* of local memory, without arguments */
  uint64_t private_bytes; /* of private memory, for each work-item; 0 where the driver does not tell */
} vptr__kernel_limits;

/* What event.notify() calls. */
typedef void (CL_CALLBACK vptr__notify)(cl_event event, cl_int state, void *context);

/* Of memory that is shared: OpenCL's largest type has to fit. */
enum { VPTR__SHARE_ALIGNMENT = 128 };

/* What no device of CUDA's exceeds, and programs therefore take for granted: threads of a block, all together and along
 * x and y; along z; and the shared memory of a launch that was not told to expect more. A device may well have more. */
enum { VPTR__MOST_THREADS = 1024, VPTR__MOST_DEEP = 64, VPTR__PLAIN_SHARED = 48 << 10 };

/* Bytes of a pattern of transfer.enqueue_set(). */
enum { VPTR__SET_BYTES = 48 };

/* The operations. Offsets and sizes are bytes. Errors are said (base/error.h) where they are found. */
typedef struct vptr__device_ops {
  /* Tables by what the operations act on. They lie inside, so that a call loads no more pointers than of one list.
   *
   * What is named enqueue is a command, and does not wait. A queue is in-order. A command that returns SUCCESS is
   * queued, and keeps what it needs of buffers alive itself; host memory must stay until it is complete. event_out
   * may be NULL; else the event is the caller's to release. A queue need not be flushed before somebody waits for it
   * through this table. No bytes are a command too: its event is complete when all before it is. A command that fails
   * fails its event alone; waiting for its queue may succeed. */

  /* Buffers, and memory of the host that is made fit for the device. */
  struct {
    vptr_status (*create)(vptr__device *device, size_t bytes, cl_mem *buffer_out);
    /* The same, and every byte of it has a value, to whatever queue uses it. */
    vptr_status (*create_set)(vptr__device *device, size_t bytes, unsigned char byte, cl_mem *buffer_out);
    /* A buffer with these bytes, which kernels only read. Made without a queue: it waits for nothing in flight. */
    vptr_status (*create_of)(vptr__device *device, const void *bytes, size_t size, cl_mem *buffer_out);
    /* A place for buffers of part_bytes, the last of what is left, one behind the other in the memory of kernels; or
     * UNSUPPORTED. A part is made as by create_set(), when the one before is gone, and keeps the row. */
    vptr_status (*row_create)(vptr__device *device, size_t bytes, size_t part_bytes, vptr__row **row_out);
    void (*row_release)(vptr__device *device, vptr__row *row);
    vptr_status (*row_part)(vptr__device *device, vptr__row *row, size_t index, unsigned char byte, cl_mem *buffer_out);
    void (*retain)(vptr__device *device, cl_mem buffer);
    void (*release)(vptr__device *device, cl_mem buffer);
    /* Whether others hold it too. A command in flight may count as one. */
    bool (*is_shared)(vptr__device *device, cl_mem buffer);
    /* bytes [origin, origin + size) of root as a buffer of its own; origin is aligned to `alignment` below. root may be
     * such a buffer itself. */
    vptr_status (*create_sub)(vptr__device *device, cl_mem root, size_t origin, size_t size, cl_mem *buffer_out);
    /* The same, and every byte of it has a value, as of create_set(). */
    vptr_status (*create_sub_set)(vptr__device *device, cl_mem root, size_t origin, size_t size, unsigned char byte,
                                  cl_mem *buffer_out);
    /* size of a foreign buffer; INVALID_ARGUMENT if it is none, or of another context */
    vptr_status (*size)(vptr__device *device, cl_mem buffer, size_t *bytes_out);
    /* only where host_unified: the device's own memory, seen by the host */
    vptr_status (*map)(vptr__device *device, cl_mem buffer, size_t offset, size_t size, vptr_access access,
                       void **host_out);
    vptr_status (*unmap)(vptr__device *device, cl_mem buffer, void *host);
    /* whether address() tells: found out by a trial, or remembered from an earlier process's */
    vptr_status (*takes_addresses)(vptr__device *device, bool *takes_out);
    /* the device's own address of a buffer's byte 0, which never moves; UNSUPPORTED where there is no such thing.
     * Runs a kernel: some 10 us, and some 100 ms more the first time ever, for the driver to compile it. */
    vptr_status (*address)(vptr__device *device, cl_mem buffer, uint64_t *address_out);
    /* Makes host memory such that copies to and from it need no detour; *pin_out is what to undo it with, NULL where
     * nothing had to be done. The bytes stay what they are, if nobody writes them meanwhile. */
    vptr_status (*pin_host)(vptr__device *device, void *host, size_t size, cl_mem *pin_out);
    void (*unpin_host)(vptr__device *device, cl_mem pin, void *host);
    /* A buffer whose bytes are the host memory itself: what one side writes the other sees once they have synchronised,
     * without a copy. host is aligned to SHARE_ALIGNMENT. UNSUPPORTED where that cannot be shown to hold. */
    vptr_status (*share_host)(vptr__device *device, void *host, size_t size, cl_mem *buffer_out);
    /* Whether kernels work on plain memory of the process by its own address. The first call may try it: some 100 ms;
     * an error then is a no for now. Takes no lock afterwards. */
    bool (*takes_system)(vptr__device *device);
  } memory;

  /* Copies and fills: the first four wait until they are done, the rest are commands. */
  struct {
    vptr_status (*write)(vptr__device *device, cl_mem buffer, size_t offset, const void *from, size_t size);
    vptr_status (*read)(vptr__device *device, cl_mem buffer, size_t offset, void *to, size_t size);
    /* ranges must not overlap in one buffer */
    vptr_status (*copy)(vptr__device *device, cl_mem from, size_t from_offset, cl_mem to, size_t to_offset,
                        size_t size);
    /* pattern_size is 1, 2, 4, ... 128; offset and size are multiples of it */
    vptr_status (*fill)(vptr__device *device, cl_mem buffer, size_t offset, size_t size, const void *pattern,
                        size_t pattern_size);
    vptr_status (*enqueue_write)(vptr__device *device, cl_command_queue queue, cl_mem buffer, size_t offset,
                                 const void *from, size_t size, cl_event *event_out);
    vptr_status (*enqueue_read)(vptr__device *device, cl_command_queue queue, cl_mem buffer, size_t offset, void *to,
                                size_t size, cl_event *event_out);
    vptr_status (*enqueue_copy)(vptr__device *device, cl_command_queue queue, cl_mem from, size_t from_offset,
                                cl_mem to, size_t to_offset, size_t size, cl_event *event_out);
    vptr_status (*enqueue_fill)(vptr__device *device, cl_command_queue queue, cl_mem buffer, size_t offset,
                                size_t size, const void *pattern, size_t pattern_size, cl_event *event_out);
    /* rects: region is {bytes, rows, slices}; no byte outside the rect is touched; two rects of one buffer must not
     * have a byte in common, and may have other rows and slices: the event's times are then those of the last step */
    vptr_status (*enqueue_write_rect)(vptr__device *device, cl_command_queue queue, const vptr__rect *to,
                                      const void *from, size_t from_row, size_t from_slice, const size_t region[3],
                                      cl_event *event_out);
    vptr_status (*enqueue_read_rect)(vptr__device *device, cl_command_queue queue, const vptr__rect *from, void *to,
                                     size_t to_row, size_t to_slice, const size_t region[3], cl_event *event_out);
    vptr_status (*enqueue_copy_rect)(vptr__device *device, cl_command_queue queue, const vptr__rect *from,
                                     const vptr__rect *to, const size_t region[3], cl_event *event_out);
    /* A rect that is not empty, set to VPTR__SET_BYTES of pattern, over and over in each row, from the multiple of 16
     * bytes of the buffer on that is at the row's first byte or before it. false: the device has no such command, or
     * not for this; then nothing is queued or said. */
    bool (*enqueue_set)(vptr__device *device, cl_command_queue queue, const vptr__rect *to, const size_t region[3],
                        const unsigned char *pattern, cl_event *event_out);
  } transfer;

  /* Queues, and which of them the device knows of. */
  struct {
    /* waits for the queue, and for the queues named to use(): all of them, and tells the first error */
    vptr_status (*finish_all)(vptr__device *device);
    vptr_status (*use)(vptr__device *device, cl_command_queue queue);
    /* the same for a queue of the library's own streams, which settle() leaves alone */
    vptr_status (*adopt)(vptr__device *device, cl_command_queue queue);
    /* waits for the queues named to use() alone, whose order nobody else knows; tells the first error */
    vptr_status (*settle)(vptr__device *device);
    vptr_status (*drop)(vptr__device *device, cl_command_queue queue);
    /* priority 0: normal, < 0: high. A timed one keeps the times of its commands, for event.times(), which others need
     * not: on an H100 a small blocking copy takes 15 us on a queue that does, and 8 us on one that does not. */
    vptr_status (*create)(vptr__device *device, int priority, bool timed, cl_command_queue *queue_out);
    /* The device's own queue becomes a timed one, behind all that it has; nothing to do if it is. To be called while
     * nobody sends to it but by calls that block, and before the program knows it. */
    vptr_status (*time)(vptr__device *device);
    void (*release)(vptr__device *device, cl_command_queue queue);
    vptr_status (*flush)(vptr__device *device, cl_command_queue queue);
    vptr_status (*finish)(vptr__device *device, cl_command_queue queue);
    /* Later commands of the queue wait for these events too (other queues' ones as well; flush those). The event is
     * complete when all earlier commands of the queue and these events are. */
    vptr_status (*enqueue_barrier)(vptr__device *device, cl_command_queue queue, cl_uint count,
                                   const cl_event *events, cl_event *event_out);
  } queue;

  /* Images and samplers. */
  struct {
    /* An image, committed as buffers are; memory.retain and memory.release serve for it too. It holds its buffer, if
     * it has one. UNSUPPORTED where the device has no such images, or none of that format; INVALID_SIZE: not so
     * large. */
    vptr_status (*create)(vptr__device *device, vptr__image *image);
    vptr_status (*sampler_create)(vptr__device *device, const vptr__sampler *what, cl_sampler *sampler_out);
    void (*sampler_release)(vptr__device *device, cl_sampler sampler);
    /* images: origin and region are {elements, rows, slices}. Buffers hold the elements one behind the other, without
     * gaps. Images that are copied have one format, and are not the same one. */
    vptr_status (*enqueue_write)(vptr__device *device, cl_command_queue queue, const vptr__image *to,
                                 const size_t origin[3], const size_t region[3], const void *from, size_t from_row,
                                 size_t from_slice, cl_event *event_out);
    vptr_status (*enqueue_read)(vptr__device *device, cl_command_queue queue, const vptr__image *from,
                                const size_t origin[3], const size_t region[3], void *to, size_t to_row,
                                size_t to_slice, cl_event *event_out);
    vptr_status (*enqueue_copy)(vptr__device *device, cl_command_queue queue, const vptr__image *from,
                                const size_t from_origin[3], const vptr__image *to, const size_t to_origin[3],
                                const size_t region[3], cl_event *event_out);
    vptr_status (*enqueue_from_buffer)(vptr__device *device, cl_command_queue queue, cl_mem from, size_t offset,
                                       const vptr__image *to, const size_t origin[3], const size_t region[3],
                                       cl_event *event_out);
    vptr_status (*enqueue_to_buffer)(vptr__device *device, cl_command_queue queue, const vptr__image *from,
                                     const size_t origin[3], const size_t region[3], cl_mem to, size_t offset,
                                     cl_event *event_out);
  } image;

  /* Programs, kernels, their arguments and launches. */
  struct {
    /* the argument becomes a buffer from its first byte; NULL: a NULL pointer */
    vptr_status (*arg_buffer)(vptr__device *device, cl_kernel kernel, cl_uint index, cl_mem buffer);
    /* the same, and the kernel only reads it */
    vptr_status (*arg_read)(vptr__device *device, cl_kernel kernel, cl_uint index, cl_mem buffer);
    /* the argument becomes a value */
    vptr_status (*arg_value)(vptr__device *device, cl_kernel kernel, cl_uint index, const void *value, size_t size);
    /* the argument becomes a device address that memory.address() told, or one inside that buffer; or an address of
     * the process's where memory.takes_system() */
    vptr_status (*arg_address)(vptr__device *device, cl_kernel kernel, cl_uint index, uint64_t address);
    /* A build may take seconds, and blocks. Errors of program_build: OPENCL, and the words hold the beginning of the
     * driver's log; UNSUPPORTED: no compiler. binary_out is vptr__memory_free()'s. Releasing does not wait: work in
     * flight keeps what it uses. The arguments of a kernel, and commands with it, are one thread's at a time. */
    vptr_status (*program_build)(vptr__device *device, const vptr__program_source *source, cl_program *program_out);
    vptr_status (*program_binary)(vptr__device *device, cl_program program, unsigned char **binary_out,
                                  size_t *size_out);
    void (*program_release)(vptr__device *device, cl_program program);
    vptr_status (*create)(vptr__device *device, cl_program program, const char *name, cl_kernel *kernel_out);
    void (*release)(vptr__device *device, cl_kernel kernel);
    vptr_status (*limits)(vptr__device *device, cl_kernel kernel, vptr__kernel_limits *limits_out);
    /* the argument becomes size bytes of local memory, at least 1 */
    vptr_status (*arg_local)(vptr__device *device, cl_kernel kernel, cl_uint index, size_t size);
    /* A kernel with the arguments that it has now, over work-items: where the first is, how many, and how many a
     * group. */
    vptr_status (*enqueue)(vptr__device *device, cl_command_queue queue, cl_kernel kernel, const size_t offset[3],
                           const size_t global[3], const size_t local[3], cl_event *event_out);
  } kernel;

  /* Events: what a command's completion is asked by. */
  struct {
    void (*retain)(vptr__device *device, cl_event event);
    void (*release)(vptr__device *device, cl_event event);
    vptr_status (*wait)(vptr__device *device, cl_event event); /* OPENCL if the command failed */
    /* CL_COMPLETE .. CL_QUEUED, or a negative code */
    vptr_status (*state)(vptr__device *device, cl_event event, cl_int *state_out);
    /* ns on the device's clock when the command began and ended; it must be complete */
    vptr_status (*times)(vptr__device *device, cl_event event, uint64_t *begin_out, uint64_t *end_out);
    /* notify runs once, on a thread of the driver's, when the event is complete or failed; it may not block. PoCL 3.1
     * does not call it for what failed, so do not fail a user event that somebody must hear of. */
    vptr_status (*notify)(vptr__device *device, cl_event event, vptr__notify *notify, void *context);
    /* an event that the host completes, for queues to wait for */
    vptr_status (*create_user)(vptr__device *device, cl_event *event_out);
    vptr_status (*set_user)(vptr__device *device, cl_event event, cl_int state);
  } event;

  void (*close)(vptr__device *device);
} vptr__device_ops;

/* What it is, what it can, what is known of its driver, what was measured: asked or tried when it was opened. */
struct vptr__device {
  const vptr__device_ops *ops;
  vptr__proxy *proxy;       /* NULL: it is what it is; else another device is behind it, which can be exchanged */
  vptr__joint *joint;       /* NULL: it is one device; else it is several, and its objects are no driver's */
  uint64_t generation;      /* of a proxy's: rises with each exchange; what was built for another is not for this one */
  int ordinal;              /* among the chosen devices; -1: named by vptr_config, and not one of them */
  char name[128];
  char platform[128];
  char vendor[128];
  char version[128];        /* CL_DEVICE_VERSION */
  char driver[128];         /* CL_DRIVER_VERSION */
  cl_device_type type;
  cl_platform_id cl_platform;
  cl_device_id cl_device;   /* these three are NULL on the fake device */
  cl_context cl_context;
  /* on the fake device a handle of its own, for this table alone; see queue.time() */
  _Atomic(cl_command_queue) cl_queue;

  /* Capabilities. */
  uint64_t memory_bytes;    /* CL_DEVICE_GLOBAL_MEM_SIZE, or the budget (device/budget.h) */
  uint64_t max_buffer_bytes; /* CL_DEVICE_MAX_MEM_ALLOC_SIZE; a driver may allow more */
  size_t alignment;         /* CL_DEVICE_MEM_BASE_ADDR_ALIGN in bytes */
  bool has_budget;          /* less than all its memory: buffers are counted */
  bool host_unified;        /* mapping a buffer shows its own memory: no copies */
  size_t parameter_bytes;   /* CL_DEVICE_MAX_PARAMETER_SIZE */
  uint64_t local_bytes;     /* CL_DEVICE_LOCAL_MEM_SIZE: a group's */
  size_t max_group;         /* CL_DEVICE_MAX_WORK_GROUP_SIZE, at most VPTR__MOST_THREADS */
  size_t max_items[3];      /* CL_DEVICE_MAX_WORK_ITEM_SIZES of the first three dimensions, at most as CUDA's */
  unsigned units;           /* CL_DEVICE_MAX_COMPUTE_UNITS: cores, where it is a CPU; 0: unknown */
  uint64_t max_global;      /* work-items along a dimension: 2^CL_DEVICE_ADDRESS_BITS - 1 */
  bool rounds_division;     /* -cl-fp32-correctly-rounded-divide-sqrt is taken */
  bool has_double;          /* cl_khr_fp64 or its successor */
  bool reaches_pinned;      /* kernels that are given the address of pinned host memory work on that memory itself */
  unsigned registers;       /* of 32 bits, that a group's threads share; 0: unknown (NVIDIA tells) */
  unsigned ptx;             /* 0: kernels have no asm() of PTX; else 100 times NVIDIA's compute capability */

  /* How its driver differs from others, mostly where that has to be worked around. */
  struct {
    size_t fill_reach;        /* how far from a buffer's beginning a fill may end */
    /* what fails on the device takes its context along, and every queue tells: its own event tells no more */
    bool fails_whole;
    bool begins_unflushed;    /* a command begins although nobody flushed its queue */
    bool spoils_buffers;      /* a kernel's argument that was once an address takes no buffer any more */
    /* a write takes the host's bytes when it is queued, though an earlier command may change them still */
    bool takes_early;
    /* behind barriers under conditions, unless the text has more (translate/lower/meeting.h): PoCL to 3.1 */
    bool loses_threads;
    /* on which all private arrays of a block lie, by a driver that does not check; 0: nowhere so */
    size_t stack_bytes;
    bool trusts_max_buffer;   /* a buffer above max_buffer_bytes is refused without asking the driver */
    bool tells_no_group;      /* says 256 of every kernel, and takes what registers allow (NVIDIA) */
  } quirk;

  /* Which of two ways is the quicker one, and from how many bytes on: measured. */
  struct {
    bool fill_wide;           /* 16 bytes fill faster than one: GPUs yes, PoCL no */
    size_t blit_bytes;        /* fills and copies of so many bytes may go by kernels (opencl_blit.c); SIZE_MAX: none */
    size_t bulk_bytes;        /* blocking copies of so much pageable memory are quicker by transfer/bulk.h; 0: none */
    bool packs_rows;          /* rects between it and the host may be quicker by transfer/pack.h */
    bool loops_over_threads;  /* one work-item a block is quicker than one a thread, or VPTR_THREADS wants it */
    bool packs_arguments;     /* one struct of all parameters is quicker to pass, or VPTR_ARGUMENTS wants it */
  } tuning;

  /* What tests set, and nobody else. */
  struct {
    bool keeps_apart;         /* it does not work on host memory in place */
    bool blit_untried;        /* blit_bytes and more go by kernels without a trial */
  } test;

  /* State: what changes after open, beside cl_queue. */
  atomic_bool gave_address; /* some kernel's argument was an address; set where quirk.spoils_buffers */
  atomic_bool has_program_queues; /* some of those are the program's, whose work nobody else knows of */
  atomic_bool has_queues;   /* queues are named by queue.use(): frees must wait for them (queue.finish_all) */
  atomic_bool has_printed;  /* a kernel that may print was sent, since the device was used first or reset */
  /* kernels were given plain memory: its bytes belong to the order of streams from then on */
  atomic_bool acquires_system;
};

/* One device that could be opened. */
typedef struct vptr__device_entry {
  cl_platform_id cl_platform; /* NULL: the fake device */
  cl_device_id cl_device;   /* NULL: the fake device, or it is a joint one */
  cl_device_type type;
  int platform_ordinal;     /* of its platform, as the ICD loader counts them */
  bool too_old;             /* knows less than OpenCL 1.2: cannot be chosen */
  char platform[128];
  char name[128];
  bool chosen;              /* passes VPTR_PLATFORM and VPTR_DEVICE, or the default choice */
  bool is_joint;            /* of VPTR_STRIPE: it is all those that are members; not on a platform of its own */
  bool is_member;           /* chosen as one of these, and not by itself */
  const char *why;          /* static text: why it was chosen or not */
} vptr__device_entry;

/* Every device of every platform, or of those that VPTR_PLATFORM names if they have any, GPUs first, then accelerators,
 * then the rest, each in the drivers' order; `chosen` marks those of use: what VPTR_PLATFORM and VPTR_DEVICE select (by
 * ordinal, or a part of the name in any case), by default the GPUs if there are any, else all; of these, what
 * CUDA_VISIBLE_DEVICES names, and in that order. VPTR_PARTITION cuts each device into parts, which are devices then.
 * VPTR_PLATFORM=fake lists the fake device alone. VPTR_STRIPE makes one of several of the chosen, at the end of the
 * list, and chooses that alone. Scanned once: a list with a device in it stays, an empty one is
 * looked for again next time. *entries_out is static. Errors: NO_DEVICE if none is chosen: the text says what to
 * install or which names there are; the list is written all the same. */
VPTR_API vptr_status vptr__device_list(const vptr__device_entry **entries_out, int *count_out);

/* How many platforms were not asked for devices, since VPTR_PLATFORM names others. */
VPTR_API int vptr__device_platforms_unasked(void);

/* How many devices are chosen, 0 if none. */
VPTR_API int vptr__device_count(void);

/* Whether somebody asked before, and one is chosen. Starts no driver. */
VPTR_API bool vptr__device_is_known(void);

/* Opens the ordinal-th chosen device, or what config's context, device and queue name (retained): a queue alone
 * brings its context and device, a context without a device its only one or the first chosen one in it; or a joint one
 * of the devices that config names. config may be NULL. Errors: NO_DEVICE, INVALID_ARGUMENT (a queue that is
 * out-of-order or of another context, a device that is not of the context, several devices that cannot be one),
 * OUT_OF_HOST_MEMORY, OPENCL. */
vptr_status vptr__device_open(const vptr_config *config, int ordinal, vptr__device **device_out);

/* Waits for the work in flight, then releases all that open retained. NULL is allowed. */
void vptr__device_close(vptr__device *device);

/* device/proxy.c: a device that stands for inner, which is its from then on, and can be exchanged (device/proxy.h).
 * has_strangers: the program knows inner's queue; then every exchange is refused. */
vptr_status vptr__device_open_proxy(vptr__device *inner, bool has_strangers, vptr__device **device_out);

/* device/proxy.c: from one to the other the device behind a proxy stays what it is, so that its addresses hold. Not for
 * long, and not while work of it is waited for. */
VPTR_API void vptr__proxy_hold(vptr__proxy *proxy);
VPTR_API void vptr__proxy_let_go(vptr__proxy *proxy);

static inline void vptr__device_hold(const vptr__device *device) {
  if (device->proxy != NULL)
    vptr__proxy_hold(device->proxy);
}

static inline void vptr__device_let_go(const vptr__device *device) {
  if (device->proxy != NULL)
    vptr__proxy_let_go(device->proxy);
}

/* device/proxy_buffer.c: a handle of the program's buffer, or one more reference to what is a handle already; and the
 * object behind a handle, for the program, which stops every exchange from then on. device/proxy_queue.c: the same of
 * the device's own queue. Of devices that are no proxies they are the same thing. */
vptr_status vptr__proxy_adopt_buffer(vptr__device *device, cl_mem buffer, cl_mem *handle_out);
cl_mem vptr__proxy_show_buffer(vptr__device *device, cl_mem buffer);
cl_mem vptr__proxy_give_buffer(vptr__device *device, cl_mem buffer);
cl_command_queue vptr__proxy_show_queue(vptr__device *device);

/* device/proxy_buffer.c: as memory.share_host(), of pages that stay, and of any alignment: a device that does not work
 * on them in place has a copy (device/proxy_apart.h). */
VPTR_API vptr_status vptr__proxy_share_pinned(vptr__device *device, void *host, size_t size, cl_mem *buffer_out);

static inline cl_mem vptr__device_show_buffer(vptr__device *device, cl_mem buffer) {
  return device->proxy != NULL ? vptr__proxy_show_buffer(device, buffer) : buffer;
}

/* The same for what the caller has retained, and the program is to release. */
static inline cl_mem vptr__device_give_buffer(vptr__device *device, cl_mem buffer) {
  return device->proxy != NULL ? vptr__proxy_give_buffer(device, buffer) : buffer;
}

/* What an exchange tells its caller, while nobody is let in. is_ready: whether the caller has what it needs for the
 * rest, for which it may not wait, since who has it may wait to be let in: if not, all go on, and it tries again.
 * After true one of two follows: is_off, for it is not ready any more; or moved, with the new device's face, which
 * cannot fail. left: at the end, with others let in: the old device, the caller's now, but where it is used still. */
typedef struct vptr__mover {
  bool (*is_ready)(void *context);
  void (*is_off)(void *context);
  void (*moved)(vptr__device *face, void *context);
  void (*left)(vptr__device *device, bool is_used, void *context);
  struct vptr__proxy_ring *ring; /* of moves before, and of this one (proxy.h) */
  void *context;
} vptr__mover;

/* device/proxy_move.c: exchanges the device behind a proxy for `next`, which is its on success and else the caller's.
 * Waits for all work. On an error all is as it was: UNSUPPORTED, MAPPED, NOT_READY, those of buffers and of copies. */
vptr_status vptr__device_exchange(vptr__device *device, vptr__device *next, const vptr__mover *mover);

/* The same for a device that takes no more work: nothing of it is waited for, and buffers that it does not give the
 * bytes of are zeros afterwards, of which vptr__proxy_is_lost() tells until the next exchange. */
vptr_status vptr__device_abandon(vptr__device *device, vptr__device *next, const vptr__mover *mover);
bool vptr__proxy_is_lost(cl_mem buffer);

/* device/proxy_move.c: the address that a byte has on the device that `moved` is told of, where it had `address` on the
 * one before; `address` itself, if that one never told it to anybody. Only while `moved` runs. */
uint64_t vptr__proxy_translate(const vptr__device *face, uint64_t address);

/* ---- inside lib/vptr/device ---------------------------------------------------------------------------------- */

/* The two kinds. An entry of NULL: config names the device. */
vptr_status vptr__device_open_opencl(const vptr__device_entry *entry, const vptr_config *config,
                                     vptr__device **device_out);
vptr_status vptr__device_open_fake(vptr__device **device_out);

/* device/partition.c: the parts of a device, at most `most`, into parts. The number of parts; 0: it stays whole, since
 * that was asked for, or since the driver cannot (which is logged). Parts are never released. */
int vptr__device_cut(cl_device_id device, int pieces, cl_device_id *parts, int most);

/* device/refusal.c: says that a buffer of some bytes could not be made, because of code; the status for it:
 * OUT_OF_DEVICE_MEMORY, INVALID_SIZE or OPENCL. */
vptr_status vptr__device_refuse(const vptr__device *device, cl_int code, size_t bytes);

/* The same where vptr counts for itself: used of the device's bytes are taken. OUT_OF_DEVICE_MEMORY. */
vptr_status vptr__device_refuse_full(const vptr__device *device, size_t bytes, uint64_t used);

/* The same before the driver is asked: INVALID_SIZE if the device can never hold bytes, else SUCCESS. */
vptr_status vptr__device_check_size(const vptr__device *device, size_t bytes);

#endif
