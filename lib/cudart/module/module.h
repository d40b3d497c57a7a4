/* SPDX-License-Identifier: MIT */
/*
 * module - kernels and variables that came as a text, and what becomes of them on each device.
 *
 *     image      the text, read: which kernels, parameters, variables there are        no device
 *     module     an image that was loaded; its functions and variables                 no device
 *     program    a module built for one device; made when first needed there, or found on disk (cache)
 *     variable   the memory of a variable on one device; made when first needed there, and again after a reset
 *     function   one kernel of a module; a kernel object for each device where it was launched
 *     launch     arguments resolved, commands sent
 *
 * Loading touches no device, so that programs register their kernels before main() at the cost of reading a few lines.
 * A function may also be found by an address of the program's, the stub that stands for it on the host, and by its own.
 *
 * A launch is work of a stream (stream/stream.h). Its pointer arguments are virtual: each becomes the device's own
 * address, or a buffer and an offset where the device has none. What is no address of ours is refused before anything
 * is sent, and so is memory of another device: no kernel runs with a pointer that means something else to it. A
 * pointer one past the end of an allocation is passed on, since loops end there.
 *
 * Managed variables are copied to the device before a kernel that uses them, by name or by an argument that points
 * into them, and back behind it, in the stream: the host sees them once it has waited. An assert that failed writes
 * to a word of the device's, which follows the kernel to the host: see vptr__launch_failed_assert().
 *
 * Thread-safe, every call; a module is not unloaded while another thread uses it. Locks: `building` of a module and of
 * each function, of rank ARRAY, is held while a driver compiles a program or a kernel is made (program.c); `lock` of
 * managed.c, of the same rank, around a launch that uses managed variables; one in each kernel, of rank MAPPING, guards
 * its arguments from the first to the enqueue. The tables of stubs (stub.c), variables (variable.c) and words of
 * asserts (assert.c), and the list of what leaves (leaving.c), have one of rank LEAF each; stubs and words are looked
 * up without. Other files say theirs in their heads. Used by the folders cuda, graph, library, record and replay of
 * lib/cudart, by lib/driver, and by kernel.c of lib/cublas, lib/cufft, lib/curand and lib/cusparse.
 */
#ifndef VPTR_MODULE_MODULE_H
#define VPTR_MODULE_MODULE_H

#include <vptr/vptr.h>

#include "mapper/mapper.h"
#include "module/image.h"
#include "module/leaving.h"
#include "module/variable.h"
#include "stream/stream.h"

typedef struct vptr__module vptr__module;
typedef struct vptr__function vptr__function;

/* ---- modules --------------------------------------------------------------------------------------------- */

/* Reads a module's text, which is copied. Errors: as vptr__module_image_parse(). */
vptr_status vptr__module_load(const char *text, size_t length, vptr__module **module_out);

/* Waits for all work of devices where it was built, then frees its programs and those of its variables that are
 * its own. The latter waits for nothing: its functions and variables are unknown when it returns, shadows and what else
 * the caller has of it are not looked at any more, and the rest goes when work in flight is over (module/leaving.h).
 * But that reads and writes the bytes of managed variables. */
VPTR_API void vptr__module_unload(vptr__module *module);
VPTR_API void vptr__module_leave(vptr__module *module, vptr__leaving_when when);

VPTR_API const vptr__module_image *vptr__module_image_of(const vptr__module *module);

/* By name=, lowered= or entry=, or NULL: nothing is said. */
VPTR_API vptr__function *vptr__module_function(vptr__module *module, const char *name);

/* The line of a variable, by name= or lowered=, or NULL: nothing is said. */
const vptr__image_variable *vptr__module_variable_line(const vptr__module *module, const char *name);

/* Memory and size of a variable, by name= or lowered=, on a mapper's device; made now if need be. Of a managed one
 * it is that on the host. Errors: INVALID_ARGUMENT (no such variable), those of allocation. */
VPTR_API vptr_status vptr__module_variable(vptr__module *module, const char *name, vptr_mapper *mapper, void **ptr_out,
                                  size_t *size_out);

/* Makes shadow, an address of the program's, stand for a variable of the module's from now on: before its first use.
 * A variable that the module defines is registered by that key, and forgotten when the module is unloaded; without
 * initial content it has that of the module's text. One that is extern only learns by which key to look, which
 * need not be known yet. A managed variable without a shadow has its bytes with the module. Errors: INVALID_ARGUMENT
 * (no such variable, smaller or of another kind there, larger than the initial content that it takes from the
 * text), NOT_READY (the key is known already), OUT_OF_HOST_MEMORY. */
VPTR_API vptr_status vptr__module_bind_variable(vptr__module *module, const char *name, const vptr__variable *shadow);

/* ---- functions ------------------------------------------------------------------------------------------- */

/* A stub's address means a function from now on; again: the later one. Errors: OUT_OF_HOST_MEMORY. */
VPTR_API vptr_status vptr__function_bind(const void *stub, vptr__function *function);
VPTR_API void vptr__function_unbind(const void *stub);

/* The function of a stub, or NULL. Lock-free. */
VPTR_API vptr__function *vptr__function_of(const void *stub);

VPTR_API vptr__module *vptr__function_module(const vptr__function *function);
VPTR_API const vptr__image_kernel *vptr__function_image(const vptr__function *function);

/* What the driver says of it on a device; builds it if need be. */
VPTR_API vptr_status vptr__function_limits(vptr__function *function, vptr_mapper *mapper,
                                           vptr__kernel_limits *limits_out);

/* Whether it has been built for a device. */
VPTR_API bool vptr__function_is_built(const vptr__function *function, const vptr_mapper *mapper);

/* The dynamic shared memory that a launch may ask for, at most: what the program set, at first what the device has
 * beside the static one, up to 48 KiB. */
VPTR_API size_t vptr__function_dynamic_limit(const vptr__function *function, vptr_mapper *mapper);
VPTR_API vptr_status vptr__function_set_dynamic_limit(vptr__function *function, vptr_mapper *mapper, size_t bytes);

/* What a program wishes of a function, by the caller's own numbering: kept and told, 0 at first. */
enum { VPTR__FUNCTION_WISHES = 3 };
void vptr__function_wish(vptr__function *function, unsigned which, int value);
int vptr__function_wished(const vptr__function *function, unsigned which);

/* ---- launching ------------------------------------------------------------------------------------------- */

/* Why a launch does not fit. */
typedef enum vptr__launch_fault {
  VPTR__LAUNCH_FITS,
  VPTR__LAUNCH_BUILD,     /* with any error: the kernel could not be built for the device */
  VPTR__LAUNCH_SHAPE,     /* an empty grid or block, or larger than any of the device's, or than __launch_bounds__ */
  VPTR__LAUNCH_RESOURCES, /* more threads than this kernel's registers and memory allow */
  VPTR__LAUNCH_SHARED     /* more shared memory than there is, or than the function may have */
} vptr__launch_fault;

/* What a launch reaches of what an argument points to: bytes from there on, and of those, how many each layer of blocks
 * does (device/reach.h); 0: nothing is said of either. */
typedef struct vptr__launch_reach {
  size_t bytes, layer;
} vptr__launch_reach;

typedef struct vptr__launch {
  const char *what;            /* the public call, for words */
  uint32_t grid[3], block[3];
  uint32_t blocks[3];          /* the launch's own, where a work-item runs several; grid is the work-items' then */
  uint32_t together;           /* of them: how many each work-item runs, one behind the other */
  bool is_cooperative;         /* its blocks may wait for each other */
  bool is_of_graph;            /* a step of an executable graph */
  uint32_t threads[3];         /* the launch's own: of a block, where one work-item runs them; block is 1 then */
  size_t shared;               /* dynamic, bytes */
  void *const *arguments;      /* where each parameter's value lies; NULL: packed */
  const int *accesses;         /* vptr_access of the first access_count of them, 0: not said */
  size_t access_count;
  const vptr__launch_reach *reaches; /* of the same arguments; NULL: not said */
  unsigned axis;               /* along which it may be divided among several devices, from 1; 0: it may not */
  const void *packed;          /* or all of them, laid out as in CUDA */
  size_t packed_size;
  void **child_room_out;       /* of a launch by a kernel: takes what it launches itself (child.c); NULL: the host's */
  const struct vptr__family *family; /* likewise: the host's launch that it is below */
  vptr__launch_fault fault;    /* out, with an error: what does not fit; FITS: it is something else */
} vptr__launch;

/* Whether grid, block and dynamic shared memory are such as the mapper's device can have, as far as is known before the
 * kernel is built for it. Errors: INVALID_ARGUMENT, said. */
vptr_status vptr__function_check_shape(const vptr__function *function, vptr_mapper *mapper,
                                       vptr__launch *launch);

/* Sends it. What `arguments` shows is read before the call returns. Errors: INVALID_ARGUMENT (grid or block empty
 * or larger than the device's limits, too much shared memory, too few arguments), UNKNOWN_ADDRESS, FREED,
 * OTHER_MAPPER (a pointer), OPENCL and UNSUPPORTED (it cannot be built), those of streams. Blocks while a driver
 * compiles: the first time on a device. */
VPTR_API vptr_status vptr__function_launch(vptr__function *function, vptr__stream *stream, vptr__launch *launch);

/* Who sees each launch before it is sent, and sends it in its place by the second call; NULL, as at first: nobody. Set
 * once, before there are launches (lib/cudart/record). */
typedef vptr_status vptr__launch_watcher(vptr__function *function, vptr__stream *stream, vptr__launch *launch);
extern _Atomic(vptr__launch_watcher *) vptr__launch_watched;
vptr_status vptr__function_send(vptr__function *function, vptr__stream *stream, vptr__launch *launch);

/* What the first kernel that stopped itself, of those that are over on a device, left behind: CUDA's number of the
 * error, 710 for a failed assert(), 719 for __trap(); 0: none. It stays until it is forgotten, which waits for the
 * device. */
VPTR_API int vptr__launch_failed_assert(int ordinal);
VPTR_API void vptr__launch_forget_asserts(int ordinal);

/* ---- printf() in kernels: print.c ---- */

/* Prints what kernels of a device have printed by now, as far as it is there; and the same where one has failed, which
 * may have said so by a kernel that prints nothing else. It waits for no kernel. */
VPTR_API void vptr__print_flush(int ordinal);
VPTR_API void vptr__print_flush_failure(int ordinal);

/* How many bytes are kept of that, from the first launch on of a kernel that prints; as many as usual, and what
 * was kept is printed, and its memory given back. Nothing may be running there. */
VPTR_API void vptr__print_limit(int ordinal, size_t bytes);
VPTR_API void vptr__print_forget(int ordinal);

/* ---- launches in kernels: child.c ---- */

/* What a stream fails with that is no command's, by the number of CUDA's error; and back, 0: it is another code. */
#define VPTR__CUDA_CODE(error) (-30000 - (error))
static inline int vptr__cuda_error_of_code(int code) {
  return code < -30000 && code > -31000 ? -30000 - code : 0;
}

/* How many launches a grid on a device may ask for, from the next on; as many as usual. */
VPTR_API void vptr__child_limit(int ordinal, size_t pending);
VPTR_API void vptr__child_forget_limit(int ordinal);

/* ---- malloc() in kernels: kernel_heap.c ---- */

/* The bytes that the heap of a device has from its first use on. False if it is in use. */
VPTR_API bool vptr__kernel_heap_limit(int ordinal, size_t bytes);

/* Nothing is in it any more, and it has the usual size. Nobody may be using it. */
VPTR_API void vptr__kernel_heap_forget(int ordinal);

/* Of atomic operations on 16 bytes in kernels (lock_words.c): they are made anew. Nobody may be using them. */
VPTR_API void vptr__lock_words_forget(int ordinal);

/* Before a mapper's streams and events end: what orders launches that use managed variables goes too. */
VPTR_API void vptr__managed_forget(const vptr_mapper *mapper);

#endif
