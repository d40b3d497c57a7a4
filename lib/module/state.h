/* SPDX-License-Identifier: MIT */
/*
 * state - modules in private: what their files share.
 *
 *     image.c      reading the text
 *     binary.c     built programs on disk
 *     program.c    building for a device, kernel objects
 *     variable.c   memory of variables
 *     module.c     loading, unloading, looking up; what stubs mean
 *     argument.c   one argument, resolved
 *     shape.c      whether grid, block and shared memory fit
 *     launch.c     sending
 *     spill.c      parameters that are too many
 *     managed.c    variables that the host sees
 */
#ifndef VPTR_MODULE_STATE_H
#define VPTR_MODULE_STATE_H

#include <stdatomic.h>

#include "module/module.h"
#include "module/variable.h"

/* A module, built for one device. */
typedef struct vptr__program {
  struct vptr__program *next; /* of its module's */
  vptr_mapper *mapper;
  cl_program program;
  bool has_addresses;         /* pointers are device addresses; else pairs of buffer and offset */
} vptr__program;

/* What an argument was set to last, so that it need not be set again. Only numbers: a buffer's handle may be used again. */
typedef struct vptr__argument_memory {
  uint64_t value;
  bool is_known;
} vptr__argument_memory;

/* A function on one device. */
typedef struct vptr__kernel {
  struct vptr__kernel *next;  /* of its function's */
  const vptr__program *program;
  vptr_mapper *mapper;
  cl_kernel kernel;
  vptr__kernel_limits limits;
  bool is_spilled;            /* its parameters are in one buffer */
  vptr__lock lock;            /* rank MAPPING: guards the arguments */
  vptr__argument_memory *memory; /* one each OpenCL argument */
} vptr__kernel;

struct vptr__function {
  vptr__module *module;
  const vptr__image_kernel *image;
  _Atomic(vptr__kernel *) kernels; /* newest first; grows under the building lock */
  atomic_size_t dynamic_limit;     /* SIZE_MAX: never set */
};

struct vptr__module {
  vptr__module_image *image;
  vptr__function *functions;  /* one each kernel of the image */
  const void **keys;          /* one each variable: what it is known by */
  bool *owned;                /* whether unloading forgets it */
  _Atomic(vptr__program *) programs; /* newest first; grows under the building lock */
  bool has_managed;
};

/* program.c: the function on a mapper's device; built now if need be. */
vptr_status vptr__kernel_get(vptr__function *function, vptr_mapper *mapper, vptr__kernel **kernel_out);
void vptr__module_release_built(vptr__module *module);

/* shape.c: whether a launch fits; says why not. */
vptr_status vptr__launch_check(const vptr__function *function, const vptr__kernel *kernel, vptr__launch *launch);

/* argument.c: what a pointer means to a kernel. Either an address, or a retained buffer and an offset. */
typedef struct vptr__pointer_meaning {
  uint64_t address;
  cl_mem buffer; /* NULL: address holds; to be released with buffer_release */
  size_t offset;
} vptr__pointer_meaning;

vptr_status vptr__pointer_resolve(const vptr__program *program, const char *what, uint32_t index, const void *ptr,
                                  vptr__pointer_meaning *meaning_out);

/* spill.c: a copy of a kernel's parameters on its device, freed behind the work that the stream has by then. */
vptr_status vptr__spill(const vptr__kernel *kernel, const char *what, const vptr__image_kernel *image,
                        const void *block, void **memory_out, vptr__pointer_meaning *meaning_out);
void vptr__spill_end(vptr_mapper *mapper, void *memory, vptr__stream *stream);

/* managed.c: around a launch, in this order: lock, order (before vptr__stream_begin()), push, pull (before _end()), mark,
 * unlock. */
bool vptr__function_uses_managed(const vptr__function *function);
void vptr__managed_lock(void);
void vptr__managed_unlock(void);
vptr_status vptr__managed_order(vptr__stream *stream);
vptr_status vptr__managed_push(const vptr__function *function, vptr__stream *stream, cl_command_queue queue);
vptr_status vptr__managed_pull(const vptr__function *function, vptr__stream *stream, cl_command_queue queue);
vptr_status vptr__managed_mark(vptr__stream *stream);

#endif
