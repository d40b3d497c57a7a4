/* SPDX-License-Identifier: MIT */
/*
 * state - modules in private: what their files share.
 *
 *     image.c      reading the text, image_line.c a line of it
 *     part.c       what of the text one kernel needs, and whether it is built alone
 *     name.c       which kernel or variable has a name
 *     program.c    building for a device, kernel objects; base/binary.c keeps built programs on disk
 *     variable.c   memory of variables, which group.c makes; restored.c has what a checkpoint had of them
 *     module.c     loading, unloading, looking up
 *     stub.c       what stubs mean
 *     address_word.c    where a program of PTX finds variables
 *     leaving.c    what ends when work in flight is over
 *     argument.c   one pointer, resolved
 *     shape.c      whether grid, block and shared memory fit
 *     prepare.c    all arguments, resolved
 *     launch.c     setting them, and sending
 *     cut.c        grids that are too large for the device
 *     reach.c      which bytes a launch says it reaches, for devices that are several
 *     assert.c     kernels that stopped themselves
 *     print.c      what kernels print; print_record.c what one call of printf() left
 *     kernel_heap.c     the heap of malloc() in kernels
 *     lock_words.c the locks of atomic operations on 16 bytes
 *     spill.c      parameters that are too many
 *     grid.c       room for blocks that wait for each other
 *     child.c      what kernels launch, and room.c the memory for it
 *     chain.c      several launches of a block each, as one kernel, whose text chain_text.c writes
 *     managed.c    variables that the host sees
 *     managed_pointer.c     managed memory that is kept in step by page faults
 *
 * Of lib, only the .c files of this folder include it. The structures are made and freed by module.c (vptr__module with
 * its functions) and program.c (vptr__program, vptr__kernel); a vptr__preparation is one launch's, and its thread's.
 * Locks: `building` of a module and of a function, of rank ARRAY, guards what is built; vptr__kernel.lock, of rank
 * MAPPING, the arguments; the lock of address_word.c, of rank ARRAY, vptr__program.told. The lists of programs and
 * kernels are atomic, and read without a lock.
 */
#ifndef VPTR_MODULE_STATE_H
#define VPTR_MODULE_STATE_H

#include <stdatomic.h>

#include "mapper/device_address.h"
#include "mirror/address_index.h"
#include "mirror/working_set.h"
#include "module/leaving.h"
#include "module/module.h"
#include "module/variable.h"

/* A module, or one kernel of it, built for one device. */
typedef struct vptr__program {
  struct vptr__program *next; /* of its module's */
  vptr_mapper *mapper;
  uint64_t generation;        /* of its device, when it was built */
  const vptr__function *function; /* the only one in it; NULL: all of the module's are */
  uint64_t price;             /* of building that one: part.c */
  cl_program program;
  bool has_addresses;         /* pointers are device addresses; else pairs of buffer and offset */
  bool packs;                 /* kernels take all their parameters in one struct, if their text has that form */
  vptr__address_view view;    /* where they are found; without addresses one where nothing is */
  uint32_t registers;         /* that a thread may have; 0: as many as the driver likes */
  uint32_t grid[3];           /* whose pieces it is built for; zeros: for whole grids */
  unsigned forms;             /* vptr__forms */
  size_t shared;              /* of PTX: dynamic, that it is built with; 0: the least */
  uint64_t *told;             /* of PTX: the address of each variable that it was told; NULL: it has none */
  uint64_t until;             /* of a module that leaves: the last work that may use it */
} vptr__program;

/* What an argument was set to last, so that it need not be set again. Only numbers: a buffer's handle may be used
 * again. */
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
  size_t most_threads;        /* in a block that is surely none too large */
  size_t stack_threads;       /* in a block whose private arrays fit on the driver's stack; SIZE_MAX: any */
  bool is_spilled;            /* its parameters are in one buffer */
  uint32_t packed_bytes;      /* of the struct that they are in; 0: in none */
  bool has_gaps;              /* between the struct's members, or behind them */
  bool may_assert;
  bool prints;                /* by records (print.c) */
  bool is_followed;           /* by something of the library's, or noted: it may assert, or prints */
  bool is_ptx;                /* hidden parameters are no arguments */
  bool runs_threads;          /* of its block itself, on this device: one work-item for each block */
  bool runs_loops;            /* and as loops (translate/lower/loops.h) */
  uint32_t pointers;          /* at most, that a launch resolves */
  vptr__lock lock;            /* rank MAPPING: guards the arguments */
  vptr__argument_memory *memory; /* one each OpenCL argument */
  unsigned char *packed;      /* what the struct was set to last; NULL: there is none */
} vptr__kernel;

struct vptr__function {
  vptr__module *module;
  const vptr__image_kernel *image;
  vptr__lock building;             /* rank ARRAY: of programs with this one alone; held while a driver compiles */
  _Atomic(vptr__kernel *) kernels; /* newest first; only grows */
  atomic_size_t dynamic_limit;     /* SIZE_MAX: never set */
  atomic_int wishes[VPTR__FUNCTION_WISHES];
};

struct vptr__module {
  vptr__leaving leaving;
  vptr__module_image *image;
  vptr__digest digest;        /* of its text, if it has variables */
  vptr__function *functions;  /* one each kernel of the image */
  const void **keys;          /* one each variable: what it is known by; NULL: nobody has said */
  bool *owned;                /* whether unloading forgets it */
  unsigned char **managed;    /* bytes of managed variables that have no shadow */
  vptr__variable_link *addresses; /* that variables begin with, in the order of the variables */
  vptr__lock building;        /* rank ARRAY: of programs with all functions */
  _Atomic(vptr__program *) programs; /* newest first; only grows */
};

/* kernel_heap.c: the key of the heap's head on a device, which is a variable. Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__kernel_heap_key(int ordinal, const void **key_out);

/* lock_words.c: the key of a device's locks, which are a variable. Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__lock_words_key(int ordinal, const void **key_out);

/* stub.c: of a module that goes. */
void vptr__function_unbind_all(const vptr__module *module);

/* part.c: whether a function that is not built yet is better built alone, and what is said to be the price of that; the
 * text of one or several of a module alone, vptr__memory_free()'s; and how many bytes of it are one's. */
bool vptr__part_is_better(const vptr__function *function, const vptr_mapper *mapper, const uint32_t grid[3],
                          uint64_t *price_out);
vptr_status vptr__part_cut(const vptr__function *const *functions, size_t count, char **text_out, size_t *length_out);
uint64_t vptr__part_own_bytes(const vptr__function *function);
const char *vptr__part_skip_lines(const vptr__module_image *image);
bool vptr__program_is_for(const vptr__program *program, const vptr_mapper *mapper, const uint32_t grid[3]);

/* Which blocks a program is for, as VPTR_FORMS has it (image.h). */
typedef enum vptr__forms { VPTR__FORMS_LOOPS = 1, VPTR__FORMS_ALONE = 2, VPTR__FORMS_BOTH = 3,
               VPTR__FORMS_APART = 4 } vptr__forms;

/* program.c: the function on a mapper's device, for pieces of a grid if grid is not zeros, for such blocks, with
 * dynamic shared memory as vptr__launch_shared() says; built now if need be. */
vptr_status vptr__kernel_get(vptr__function *function, vptr_mapper *mapper, const uint32_t grid[3], vptr__forms forms,
                             size_t shared, vptr__kernel **kernel_out);

/* program.c: what a launch of such blocks needs. */
vptr__forms vptr__forms_for(const vptr__function *function, const vptr__device *device, const uint32_t block[3]);
void vptr__module_release_built(vptr__module *module);

/* shape.c: whether a launch fits; says why not. And how many threads' private arrays fit on the device's stack. */
size_t vptr__stack_threads(const vptr__device *device, const vptr__image_kernel *image);
vptr_status vptr__launch_check(const vptr__function *function, const vptr__kernel *kernel, vptr__launch *launch);

/* shape.c: for how much dynamic shared memory a program is built, which a launch wants; 0 where all have one. */
size_t vptr__launch_shared(const vptr__function *function, const vptr__device *device, size_t shared);

/* argument.c: what a pointer means to a kernel. Either an address, or a leased buffer and an offset. */
typedef struct vptr__pointer_meaning {
  uint64_t address;
  cl_mem buffer; /* NULL: address holds */
  size_t offset;
  bool is_read; /* nothing is written to the buffer */
  vptr__lease lease; /* of the buffer: to be given back */
  /* offset lies in managed memory, which is held; all else is known when it is acquired (managed_pointer.c) */
  vptr__mirror *mirror;
} vptr__pointer_meaning;

/* A pointer into managed memory: where in it, and where its address goes. */
typedef struct vptr__managed_pointer {
  size_t offset;
  void *at;                       /* in the block; NULL: nowhere */
  vptr__pointer_meaning *meaning; /* which becomes a pair; NULL: none */
} vptr__managed_pointer;

/* A managed variable that a launch uses. */
typedef struct vptr__managed_use {
  const void *host;
  size_t size;
} vptr__managed_use;

/* *use_out is the managed variable that ptr points into, with NULL as its host if there is none. */
vptr_status vptr__pointer_resolve(const vptr__program *program, vptr_access access, const char *what, uint32_t index,
                                  const void *ptr, vptr__pointer_meaning *meaning_out, vptr__managed_use *use_out);

/* A launch on its way. */
enum { VPTR__BLOCK_ROOM = 512, VPTR__POINTER_ROOM = 40, VPTR__USE_ROOM = 8, VPTR__LEASE_ROOM = 8 };
enum { VPTR__MANAGED_POINTER_ROOM = 8 };
typedef struct vptr__preparation {
  vptr__function *function;
  vptr__kernel *kernel;
  const vptr__launch *launch;
  /* the parameters as CUDA lays them out, pointers as addresses where there are any; the struct, if packed */
  unsigned char *block;
  /* of hidden params, and before them of pointers where those are pairs, in order; none if packed */
  vptr__pointer_meaning *meanings;
  uint32_t meaning_count;
  vptr__managed_use *uses; /* each variable once */
  uint32_t use_count, use_room;
  vptr__managed_pointer *managed_pointers;
  vptr__working_set_item *items; /* one each, of mirrors that are held; its tag is the other's index */
  uint32_t managed_pointer_count, managed_pointer_room;
  vptr__lease *leases; /* of movable allocations whose addresses are among the parameters, or that it may reach */
  uint32_t lease_count, lease_room;
  cl_event last; /* the kernel's, retained, if managed memory is acquired; NULL: it was not sent */
  cl_event last_met; /* the same, if its blocks meet */
  bool lies_apart;    /* an argument does, of a kernel that goes on in memory as it is */
  cl_mem translation; /* NULL: the kernel follows no pointers in memory */
  cl_mem texels; /* NULL: it reads no textures or surfaces */
  vptr__pointer_meaning spill; /* where the block lies on the device, if it is spilled */
  void *spill_memory;
  vptr__pointer_meaning grid; /* the room of a kernel whose blocks meet */
  void *grid_memory, *old_grid_memory; /* old: of a room that made way, to be freed; NULL: none did */
  int grid_slot;                       /* of a room that is kept; below 0: it is the launch's own */
  void *child_memory; /* the room of a kernel that launches kernels; NULL: it does not */
  uint32_t child_most, child_stride; /* records in it, and bytes of each */
  struct vptr__family *family; /* of what the host launches: who reads it; NULL: whose launch it was */
  bool is_aside;               /* and it is in the stream */
  _Alignas(16) unsigned char block_room[VPTR__BLOCK_ROOM];
  vptr__pointer_meaning meaning_room[VPTR__POINTER_ROOM];
  vptr__managed_use some_uses[VPTR__USE_ROOM];
  vptr__lease some_leases[VPTR__LEASE_ROOM];
  vptr__managed_pointer some_managed_pointers[VPTR__MANAGED_POINTER_ROOM];
  vptr__working_set_item some_items[VPTR__MANAGED_POINTER_ROOM];
} vptr__preparation;

/* prepare.c: all that may fail for a reason of the caller's. function, kernel and launch are set; whatever it
 * returns, clear comes after it. */
vptr_status vptr__prepare(vptr__preparation *it);

/* What a module's variable is known by on a device: NULL if nobody has said. Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__prepare_key(const vptr__module *module, uint32_t index, int ordinal, const void **key_out);
void vptr__prepare_clear(vptr__preparation *it);

/* lease.c: whether a kernel has a form that finds the buffers of allocations which lie apart: then it is no error yet
 * that an argument of the usual one does. */
bool vptr__apart_has_form(const vptr__function *function);

/* lease.c: that form. Errors: UNSUPPORTED, in silence:
 * it has none, and the refusal that has been said stays; and those of building it. */
vptr_status vptr__apart_kernel(vptr__function *function, const vptr__kernel *usual, vptr__kernel **kernel_out);

/* lease.c: what may leave the device, held until the kernel is in its queue; to keep a lease takes it over, however it
 * goes. Of an allocation of several buffers all parts, for argument `index`; for a kernel that may reach any, of all.
 * Errors: OUT_OF_HOST_MEMORY, and those of vptr__lease_take(). */
vptr_status vptr__leases_keep(vptr__preparation *it, const vptr__lease *lease);
vptr_status vptr__leases_take_parts(vptr__preparation *it, uint32_t index, vptr_access access, const void *ptr);
vptr_status vptr__leases_take_all(vptr__preparation *it);
void vptr__leases_give(vptr__preparation *it);

/* cut.c: the kernel to send for a grid: the whole one's, or that of pieces; how many work-items along an axis a piece
 * has at most. And, of a grid that is cut, a piece: false behind the last. */
vptr_status vptr__cut_kernel(vptr__function *function, const vptr__launch *launch, vptr__kernel *whole,
                             vptr__kernel **kernel_out);
/* Of a kernel that runs the threads of a block itself: a block is one work-item from here on, or several blocks are,
 * where there are many. */
void vptr__cut_among_items(const vptr__function *function, const vptr__device *device, vptr__launch *launch);
uint64_t vptr__cut_most(const vptr__device *device);
unsigned vptr__cut_axis(const uint32_t grid[3]); /* that a launch of such a grid is divided along, from 1 */
typedef struct vptr__piece {
  size_t offset[3]; /* which piece it is along each axis: a number of pieces, not of work-items */
  size_t global[3];
} vptr__piece;
bool vptr__cut_next(const vptr__device *device, const vptr__launch *launch, vptr__piece *piece);

/* reach.c: whether what a launch says of its arguments' bytes is so: INVALID_ARGUMENT, and what is said of addresses.
 * And along which axis it may be divided, 0: along none. And, of an argument that is set, under the kernel's lock. */
vptr_status vptr__reach_check(const vptr__preparation *it);
unsigned vptr__reach_axis(const vptr__function *function, const vptr__device *device, const vptr__launch *launch);
void vptr__reach_set(const vptr__preparation *it, uint32_t param, cl_uint index, const vptr__pointer_meaning *meaning);

/* address_word.c: of PTX, when arguments are prepared: the program knows where the kernel's variables are. */
vptr_status vptr__address_words_tell(const vptr__preparation *it);

/* assert.c: the key of the word that kernels write to, made known now if need be; and the command that brings it
 * here. */
vptr_status vptr__assert_key(vptr_mapper *mapper, const void **key_out);
vptr_status vptr__assert_pull(vptr_mapper *mapper, vptr__stream *stream, cl_command_queue queue);

/* print.c: the ring of a mapper's device, made now if need be, which is plain memory or the device's; and around a
 * launch of a kernel that prints, the latter with its event, or with NULL if it was not sent. */
vptr_status vptr__print_room(vptr_mapper *mapper, bool has_addresses, bool *is_plain_out, void **ptr_out);
void vptr__print_begin(const vptr_mapper *mapper);
void vptr__print_sent(const vptr_mapper *mapper, cl_event event);

/* spill.c: a copy of a kernel's parameters on its device, freed behind the work that the stream has by then. */
vptr_status vptr__spill(vptr__preparation *it);
vptr_status vptr__spill_send(const vptr__preparation *it, vptr__stream *stream, cl_command_queue queue);
void vptr__spill_end(vptr_mapper *mapper, void *memory, vptr__stream *stream);

/* grid.c: room for a grid whose blocks meet; what is written there first, if it is new; and, behind a launch that was
 * sent or failed, what becomes of it: it is kept, or freed as spilled parameters are. */
vptr_status vptr__grid(vptr__preparation *it);
vptr_status vptr__grid_send(vptr__preparation *it, vptr__stream *stream, cl_command_queue queue);
void vptr__grid_end(const vptr__preparation *it, vptr__stream *stream);

/* child.c: room for what a kernel launches; what is written there first; when all else is prepared, whether a launch
 * may be one by a kernel; the event up to which a parent's managed memory is used; puts what is launched into the
 * stream, behind a launch of the host's that was sent; and, behind one that was sent or failed, what becomes of the
 * room: it is whose launch it was, or put into the stream, if it is not yet. */
vptr_status vptr__child_room(vptr__preparation *it);
vptr_status vptr__child_send(const vptr__preparation *it, vptr__stream *stream, cl_command_queue queue);
vptr_status vptr__child_ready(vptr__preparation *it);
cl_event vptr__child_end(const vptr__preparation *it);
vptr_status vptr__child_aside(vptr__preparation *it, vptr__stream *stream);
void vptr__child_follow(vptr__preparation *it, vptr__stream *stream, vptr_status *status);

/* managed_pointer.c: takes the mirror over, that is held, also if it fails; acquires all, before
 * vptr__stream_begin(); gives all back, before _end(), or where there was no begin. */
vptr_status vptr__managed_pointers_add(vptr__preparation *it, vptr__mirror *mirror, vptr_access access,
                              const vptr__managed_pointer *pointer);
vptr_status vptr__managed_pointers_add_all(vptr__preparation *it);
vptr_status vptr__managed_pointers_acquire(vptr__preparation *it);
void vptr__managed_pointers_release(vptr__preparation *it, uint64_t stream);
void vptr__managed_pointers_clear(vptr__preparation *it);

/* managed.c: around a launch that uses managed variables (brings), or whose blocks meet, in this order: lock, order
 * (before vptr__stream_begin()), push, pull (before _end()), record, unlock. What brings nothing may be recorded by its
 * kernel's event, in the place of one behind it. */
vptr_status vptr__managed_lock(vptr__stream *stream, bool brings);
void vptr__managed_unlock(void);
vptr_status vptr__managed_order(vptr__stream *stream, bool brings);
vptr_status vptr__managed_push(const vptr__preparation *it, vptr__stream *stream, cl_command_queue queue);
vptr_status vptr__managed_pull(const vptr__preparation *it, vptr__stream *stream, cl_command_queue queue);
vptr_status vptr__managed_record(vptr__stream *stream);
void vptr__managed_record_kernel(vptr__stream *stream, cl_event kernel);

#endif
