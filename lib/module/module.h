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
 * A function may also be found by an address of the program's: the stub that stands for it on the host.
 *
 * A launch is work of a stream (stream/stream.h). Its pointer arguments are virtual: each becomes the device's own address, or a
 * buffer and an offset where the device has none. What is no address of ours is refused before anything is sent, and
 * so is memory of another device: no kernel runs with a pointer that means something else to it. A pointer one past the end of an
 * allocation is passed on, since loops end there.
 *
 * Managed variables are copied to the device before a kernel that uses them, and back behind it, in the stream: the host
 * sees them once it has waited. An assert that failed writes to a word of the device's, which follows the kernel to the host: see
 * vptr__launch_failed_assert().
 *
 * Thread-safe, every call; a module is not unloaded while another thread uses it. Locks: one of rank ARRAY guards the building of programs and kernels (held
 * while a driver compiles), one a kernel, rank MAPPING, its arguments from the first to the enqueue; the tables by address
 * are read without.
 */
#ifndef VPTR_MODULE_MODULE_H
#define VPTR_MODULE_MODULE_H

#include <vptr/vptr.h>

#include "mapper/mapper.h"
#include "module/image.h"
#include "stream/stream.h"

typedef struct vptr__module vptr__module;
typedef struct vptr__function vptr__function;

/* ---- modules --------------------------------------------------------------------------------------------- */

/* Reads a module's text, which is copied. Errors: as vptr__module_image_parse(). */
vptr_status vptr__module_load(const char *text, size_t length, vptr__module **module_out);

/* Waits for all work of devices where it was built, then frees its programs and those of its variables that are its own. */
void vptr__module_unload(vptr__module *module);

const vptr__module_image *vptr__module_image_of(const vptr__module *module);

/* By name=, lowered= or entry=, or NULL: nothing is said. */
vptr__function *vptr__module_function(vptr__module *module, const char *name);

/* Memory and size of a variable, by name= or lowered=, on a mapper's device; made now if need be. Errors: INVALID_ARGUMENT (no
 * such variable), those of allocation. */
vptr_status vptr__module_variable(vptr__module *module, const char *name, vptr_mapper *mapper, void **ptr_out,
                                  size_t *size_out);

/* Says that a variable's place is that of an address on the host (a symbol): before the first launch. MANAGED variables need
 * one: it is where the host sees them. Errors: INVALID_ARGUMENT. */
vptr_status vptr__module_bind_variable(vptr__module *module, const char *name, const void *host);

/* ---- functions ------------------------------------------------------------------------------------------- */

/* A stub's address means a function from now on; again: the later one. Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__function_bind(const void *stub, vptr__function *function);
void vptr__function_unbind(const void *stub);

/* The function of a stub, or NULL. Lock-free. */
vptr__function *vptr__function_of(const void *stub);

vptr__module *vptr__function_module(const vptr__function *function);
const vptr__image_kernel *vptr__function_image(const vptr__function *function);

/* What the driver says of it on a device; builds it if need be. */
vptr_status vptr__function_limits(vptr__function *function, vptr_mapper *mapper, vptr__kernel_limits *limits_out);

/* The dynamic shared memory that a launch may ask for, at most: what the program set, at first what the device has beside the
 * static one, up to 48 KiB. */
size_t vptr__function_dynamic_limit(const vptr__function *function, vptr_mapper *mapper);
vptr_status vptr__function_set_dynamic_limit(vptr__function *function, vptr_mapper *mapper, size_t bytes);

/* ---- launching ------------------------------------------------------------------------------------------- */

/* Why a launch does not fit. */
typedef enum vptr__launch_fault {
  VPTR__LAUNCH_FITS,
  VPTR__LAUNCH_SHAPE,     /* an empty grid or block, or larger than any of the device's */
  VPTR__LAUNCH_RESOURCES, /* more threads than this kernel can have in a block */
  VPTR__LAUNCH_SHARED     /* more shared memory than there is, or than the function may have */
} vptr__launch_fault;

typedef struct vptr__launch {
  const char *what;            /* the public call, for words */
  uint32_t grid[3], block[3];
  size_t shared;               /* dynamic, bytes */
  void *const *arguments;      /* where each parameter's value lies; NULL: packed */
  const void *packed;          /* or all of them, laid out as in CUDA */
  size_t packed_size;
  vptr__launch_fault fault;    /* out: with INVALID_ARGUMENT, what does not fit */
} vptr__launch;

/* Sends it. What `arguments` shows is read before the call returns. Errors: INVALID_ARGUMENT (grid or block empty or
 * larger than the device's limits, too much shared memory, too few arguments), NOT_OURS, FREED, OTHER_MAPPER (a pointer), OPENCL and
 * UNSUPPORTED (it cannot be built), those of streams. Blocks while a driver compiles: the first time on a device. */
vptr_status vptr__function_launch(vptr__function *function, vptr__stream *stream, vptr__launch *launch);

/* The first failed assertion of work that is over on a mapper's device; it stays until the device is reset. */
bool vptr__launch_failed_assert(vptr_mapper *mapper);
void vptr__launch_forget_asserts(vptr_mapper *mapper);

#endif
