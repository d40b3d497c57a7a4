/* SPDX-License-Identifier: MIT */
/*
 * image - the module as text: what translators write, programs carry, and lib/cudart/module reads.
 *
 *     //vptr-module 1
 *     //vptr kernel name=saxpy lowered=_Z5saxpyifPKfPf entry=vptr_k_saxpy packed=1 shared=0 max_threads=256 ...
 *                 ... min_blocks=0 fast=0                    (one line with the one above it)
 *     //vptr param size=4 align=4 kind=value
 *     //vptr param size=8 align=8 kind=pointer access=read       (nothing is written through it; left out: who knows)
 *     //vptr param size=24 align=8 kind=value pointers=0,16
 *     //vptr hidden kind=variable name=_ZN1a5tableE
 *     //vptr hidden kind=shared                  dynamic shared memory: a __local uchar *
 *     //vptr hidden kind=status                  __global int *: assert writes to it. With of=block only what runs the
 *                                                block's threads does (kind=block), so not where VPTR_PTX is set
 *     //vptr hidden kind=prints                        __global uint *, the ring of what is printed (print.c)
 *     //vptr hidden kind=windows                       the same, for allocations of buffers that lie apart alone
 *     //vptr hidden kind=translation                   __global const ulong *, always a buffer: it follows pointers
 *     //vptr hidden kind=texels                        __global const ulong *, always a buffer: it reads textures
 *     //vptr hidden kind=block                   ulong: the block's size in x, y << 16 and z << 32. Such a kernel has
 *                                                one work-item for each block, which runs the block's threads; where
 *                                                VPTR_PTX is set it is as others are, and the number means nothing
 *     //vptr hidden kind=grid                    ulong, the address of the grid's room (grid.c), beside kind=block:
 *                                                where VPTR_PTX is not set one work-item runs all blocks of the grid
 *     //vptr hidden kind=block of=loops          the same, but it is such a kernel, and has this argument, only where
 *                                                VPTR_LOOPS is set. Bits from 48 on: how many blocks each work-item
 *                                                runs, one behind the other; 1 without the next line
 *     //vptr hidden kind=blocks of=loops         ulong: the grid's size in x, y << 32 and z << 48, beside the above
 *     //vptr variable name=table lowered=table size=64 align=4 kind=constant initial=00ff...  (hex; left out: zeros)
 *     //vptr variable name=flag lowered=flag size=4 align=4 kind=device extern=1
 *     //vptr variable name=vptr_heap lowered=vptr_heap size=512 align=16 kind=device extern=1     (the runtime's)
 *     //vptr variable name=vptr_locks lowered=vptr_locks size=1024 align=4 kind=device extern=1     (the runtime's)
 *     //vptr variable name=vptr_children lowered=vptr_children size=64 align=64 kind=device extern=1   (each launch's)
 *     //vptr variable name=image lowered=image size=8 align=8 kind=device reference=texture reads=floats
 *                                                (or reference=surface; reads= only where integers are read so)
 *     //vptr address variable=head at=8 of=table plus=16   (byte 8 of head begins with the address of table, and 16)
 *     //vptr expression name=&a::k<int> lowered=...     (a name expression of run-time compilation; value is
 *                                                        percent-encoded)
 *     //vptr text language=ptx                   what follows is PTX, or with language=cubin machine code: see below
 *     <OpenCL C>, in which lines begin sections:
 *     //vptr-for 0,3-5                           what follows is needed by the kernels of these numbers alone (from 0)
 *     //vptr-for *                               by all, as what is before the first such line (part.c)
 *
 * A line is a word and key=value pairs with single spaces; values have no spaces (percent-encoded if they would).
 * Params and hiddens belong to the kernel above them, in the order of the OpenCL arguments, params first. Variables
 * come before addresses, in the order of which those are, and before kernels; the name= of a hidden variable is that
 * variable's lowered=, as are variable= and of= of an address, neither of which is managed. kind of variables: device,
 * constant, managed. fast=1 on any kernel: the whole text is built with fast math. private=8192: each thread has arrays
 * of that many bytes. loops=4096: where VPTR_LOOPS is set, the work-item that runs a block has so many in arrays.
 * alone=short: there, each thread of a block whose rows have less than 8 goes through the kernel by itself;
 * alone=split: of a block with several rows that are not whole warps; texts of old do not say so. arch=900: the
 * __CUDA_ARCH__ that it was compiled for; left out: 700. packed=1: its text has the form of VPTR_PACKED; texts of old
 * have not; packed=always: it has that form alone (chain.c). prints=1: it reaches printf(); texts of old do not say so.
 *
 * The OpenCL text expects these macros when it is built:
 *     VPTR_ADDRESSES       1: a pointer parameter is a ulong, the device address; 0: a pair, __global pointer and ulong
 *                          offset in bytes, and so are hidden variables, the status and the ring
 *     VPTR_FORMS           with VPTR_LOOPS, for which blocks: 1 those as loops, 2 those of alone=, 3 or nothing both
 *     VPTR_PARAMETER_LIMIT bytes of parameters that the device takes; a kernel whose parameters (the sum of sizes, each
 *                          aligned, hidden ones as 8) are more takes one pointer, in the same form, in place of all
 *                          params, laid out as in CUDA; hidden ones stay
 *     VPTR_PACKED          1, only where VPTR_ADDRESSES is: a kernel that says packed=1 takes one struct by value in
 *                          place of all params, laid out as in CUDA, pointers as addresses, and behind them, each a
 *                          ulong, hidden variables, the status and the ring, in their order; the others stay.
 *                          Unless that struct,
 *                          and 8 for each other one, are more than the limit
 *     VPTR_PTX             not 0: asm("...") of PTX works (NVIDIA). It is 100 times the compute capability, 900 for 9.0
 *     VPTR_MEETS           1: VPTR_MEET is a barrier, for drivers that need more of them than CUDA does, and VPTR_PART
 *                          a mark (PoCL to 3.1: translate/lower/meeting.h)
 *     VPTR_LOOPS           1: kernels with a kind=block of=loops have a work-item for one or several blocks, which
 *                          runs their threads as loops between barriers (translate/lower/loops.h)
 *     VPTR_GRID_X, _Y, _Z  only where a grid is cut in pieces: the whole grid's blocks; the global offset is the
 *                          number of the piece
 *     VPTR_PIECE           and with these: a piece has as many whole blocks along an axis as fit into so many
 *                          work-items
 * and is built with -cl-std=CL1.2; with fast=0 -cl-fp32-correctly-rounded-divide-sqrt is asked for, where the device
 * has it, and with fast=1 -cl-fast-relaxed-math instead.
 *
 * A text that is PTX (cudart/nvidia writes it from what nvcc made) is built as it is. Its kernels take each parameter
 * by itself, pointers as the device's addresses. words= of a parameter names offsets as pointers= does, of what may be
 * pointers and may be other numbers. Hidden variables are no arguments: word i of __vptr_at is the address of the
 * module's variable i, and the kernel __vptr_set(i, address) writes it. Nor is hidden shared memory one: the number
 * behind __vptr_dynamic[ has its size, in VPTR__IMAGE_DYNAMIC_DIGITS places, and each size is a program of its own.
 * Machine code has neither variables nor dynamic shared memory. refused= of a kernel says what it has that is not to
 * be had: textures, grid or dynamic.
 *
 * Lock: none. A vptr__module_image belongs to its module (module.c), and does not change once it is read; image.c makes
 * and frees it. Used by module.c, which has texts read, by all of lib/cudart/module and those who ask for a module's
 * image (module.h), and by nvidia/writer.c, which writes such texts.
 */
#ifndef VPTR_MODULE_IMAGE_H
#define VPTR_MODULE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

#include "module/name.h"

/* Names of a text that is PTX. */
#define VPTR__IMAGE_SETTER "__vptr_set"
#define VPTR__IMAGE_DYNAMIC_NAME "__vptr_dynamic"
#define VPTR__IMAGE_DYNAMIC_SHARED ".shared .align 128 .b8 " VPTR__IMAGE_DYNAMIC_NAME "[        16];"
enum { VPTR__IMAGE_DYNAMIC_DIGITS = 10 };

typedef enum vptr__param_kind {
  VPTR__PARAM_VALUE, VPTR__PARAM_POINTER, VPTR__PARAM_VARIABLE, VPTR__PARAM_SHARED, VPTR__PARAM_STATUS,
  VPTR__PARAM_PRINTS, VPTR__PARAM_TRANSLATION, VPTR__PARAM_TEXELS, VPTR__PARAM_BLOCK, VPTR__PARAM_BLOCKS,
  VPTR__PARAM_GRID
} vptr__param_kind;

typedef struct vptr__image_param {
  vptr__param_kind kind;
  uint32_t size, align;
  /* among the parameters as CUDA lays them out; of VARIABLE, STATUS and PRINTS behind them, if packed */
  uint32_t offset;
  uint32_t *pointers;       /* offsets inside the value */
  uint32_t pointer_count;
  bool are_words;           /* these are words that may be pointers: what is no memory is passed as it is */
  uint32_t variable;        /* index, of VARIABLE */
  bool is_of_loops;         /* of BLOCK and BLOCKS: there only where VPTR_LOOPS is set */
  bool is_of_block;         /* of STATUS: written only where the kernel runs its block's threads itself */
  bool is_for_windows;  /* TRANSLATION: of allocations whose buffers lie apart alone */
  bool is_read_only;        /* of POINTER: the kernel writes nothing through it */
} vptr__image_param;

/* A hidden parameter that is an OpenCL argument of its own in every form: no memory that a struct could point to. */
static inline bool vptr__image_is_separate(const vptr__image_param *param) {
  return param->kind == VPTR__PARAM_SHARED || param->kind == VPTR__PARAM_TRANSLATION ||
         param->kind == VPTR__PARAM_TEXELS || param->kind == VPTR__PARAM_BLOCK || param->kind == VPTR__PARAM_BLOCKS ||
         param->kind == VPTR__PARAM_GRID;
}

typedef enum vptr__image_alone { VPTR__ALONE_UNSAID, VPTR__ALONE_SHORT, VPTR__ALONE_SPLIT } vptr__image_alone;

typedef struct vptr__image_kernel {
  const char *name, *lowered, *entry;
  uint32_t shared;          /* static, bytes */
  uint32_t max_threads, min_blocks; /* __launch_bounds__; 0: none */
  uint32_t arch;            /* __CUDA_ARCH__ */
  uint64_t private_bytes;   /* of a thread's arrays; 0: hardly any, or an older text */
  vptr__image_param *params;
  uint32_t param_count, hidden_count; /* params first, then hidden ones */
  uint32_t parameter_bytes; /* as CUDA lays them out */
  bool packs;               /* its text has a form with all of them in one struct: */
  bool is_always_packed;    /* and no other; such a text is never spilled, nor built where there are no addresses */
  uint32_t packed_end, packed_align; /* of that struct; its size is the end, aligned */
  bool prints;              /* it may, by printf() */
  const char *refused;      /* NULL; or why no device of ours can run it */
  bool has_shared;          /* dynamic, by a hidden parameter */
  bool runs_threads;        /* of its block itself, where there is no PTX: one work-item for each block */
  bool meets_blocks;        /* of its grid: has room for them */
  bool has_loops;           /* it does where VPTR_LOOPS is set, by loops */
  bool runs_blocks;         /* and there a work-item may run several blocks */
  uint64_t loops_bytes;     /* of the arrays that it then has */
  vptr__image_alone alone;  /* which blocks' threads go by themselves there */
  bool has_table;           /* of translation */
  bool follows_pointers;    /* that lie in memory: has a translation table, and may reach what no argument names */
  bool launches;            /* kernels: has a room for that, as a hidden variable */
  bool reads_texels;        /* of textures or surfaces: has the table of them (mapper/texel_table.h) */
} vptr__image_kernel;

typedef enum vptr__variable_kind {
  VPTR__VARIABLE_DEVICE,
  VPTR__VARIABLE_CONSTANT,
  VPTR__VARIABLE_MANAGED
} vptr__variable_kind;

/* Of a variable, which is to be at byte `at` of another one. */
typedef struct vptr__image_address {
  uint32_t of; /* index */
  uint64_t at, plus;
} vptr__image_address;

typedef struct vptr__image_variable {
  const char *name, *lowered;
  uint64_t size, align;
  vptr__variable_kind kind;
  bool is_extern;
  bool is_texture, is_surface; /* references, whose content is a number that the host has for them */
  bool reads_floats;        /* of a texture: integers as floats */
  bool is_child_room;       /* where a launch keeps what its kernel launches (child.c) */
  bool is_heap;             /* of malloc() in kernels, which the runtime has (kernel_heap.c) */
  bool is_locks;            /* of atomic operations on 16 bytes, which the runtime has, too (lock_words.c) */
  unsigned char *initial;   /* NULL: zeros */
  vptr__image_address *addresses;
  uint32_t address_count;
} vptr__image_variable;

typedef struct vptr__image_expression { const char *name, *lowered; } vptr__image_expression;

/* One allocation: vptr__module_image_free() gives all of it back. */
typedef struct vptr__module_image {
  const char *text;         /* the whole, as given (a copy), and a zero */
  size_t length;
  bool fast_math;
  bool is_ptx;              /* what follows the lines is PTX, or machine code: */
  bool is_code;
  vptr__image_kernel *kernels;
  uint32_t kernel_count;
  vptr__image_variable *variables;
  uint32_t variable_count;
  vptr__image_address *addresses; /* of all variables */
  uint32_t address_count;
  vptr__image_expression *expressions;
  uint32_t expression_count;
  vptr__name_table kernel_names;   /* lowered=, name= and entry= */
  vptr__name_table variable_names; /* lowered= and name= */
} vptr__module_image;

/* Errors: INVALID_ARGUMENT with the line's number and what is wrong with it (text that is no module: what it
 * begins with), OUT_OF_HOST_MEMORY. */
vptr_status vptr__module_image_parse(const char *text, size_t length, vptr__module_image **image_out);
void vptr__module_image_free(vptr__module_image *image);

#endif
