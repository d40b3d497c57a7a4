/* SPDX-License-Identifier: MIT */
/*
 * builtin - the functions that CUDA gives to kernels: a table, by name, of what they take and what becomes of them.
 *
 * A signature is letters, the result first: v void, b bool, c char, s short, i int, j unsigned, l long, m unsigned
 * long, x long long, y unsigned long long, f float, d double, z size_t; P<letter> a pointer to that, C<letter> a
 * pointer to const; {name} a record of the built-in headers, as {float4}; '*' at the end: any more arguments
 * (printf). And two that stand for more:
 *   a       any arithmetic type, given as double: C++'s further overloads of the math library ("daa": pow(float, int)).
 *           It fits as well as an exact match, but a row that fits without it is preferred.
 *   Q, T    Q: a pointer to any scalar or record, const or not; T: what it points to, without const and volatile ("TQ":
 *           __ldg).
 * Overloads are several rows with one name, next to each other; types/ chooses by C++'s rules. `std::` finds the same
 * names.
 *
 * What becomes of a call is `lowered`, the name of a function in the emitter's prelude or of OpenCL's own;
 * `by_space`: the name is completed by the space of its first pointer ("_global", "_local", "_private"); `unit`,
 * which piece of the prelude (emit/prelude) has to be there; `special`: emit/builtin.c knows (printf, assert,
 * __syncthreads, ...), and `lowered` is the word it knows it by.
 */
#ifndef VPTR_TRANSLATE_TYPES_BUILTIN_H
#define VPTR_TRANSLATE_TYPES_BUILTIN_H

#include <stdbool.h>

enum { /* flags */
  VPTR__BUILTIN_BY_SPACE = 1, VPTR__BUILTIN_SPECIAL = 2,
  VPTR__BUILTIN_BARRIER = 4,   /* all threads of the block must come by: see lower/uniform.c */
  VPTR__BUILTIN_DIVERGENT = 8, /* its result differs between threads even if its arguments do not */
  VPTR__BUILTIN_SIDE_EFFECT = 16,
  VPTR__BUILTIN_STATUS = 32,   /* writes the launch's status: assert, __trap (the context has MEMBER_STATUS) */
  VPTR__BUILTIN_ATOMIC = 64,   /* its pointer is to global or shared memory: others are refused */
  /* its result is the same for all threads of a block, whatever its arguments (__syncthreads_or) */
  VPTR__BUILTIN_UNIFORM = 128,
  VPTR__BUILTIN_SCRATCH = 256, /* works through a shared int of the emitter's */
  VPTR__BUILTIN_COMMON = 512,  /* the emitter converts the arguments to the result's type: max(int, unsigned) */
  VPTR__BUILTIN_PRINTS = 1024, /* writes to the buffer whose size cudaLimitPrintfFifoSize is */
  VPTR__BUILTIN_GLOBAL = 2048, /* its pointer, and what it returns, point into global memory */
  VPTR__BUILTIN_SHARED = 4096, /* what it returns points into shared memory */
  VPTR__BUILTIN_OWN = 8192,    /* what it returns points into a thread's own memory */
  VPTR__BUILTIN_BLOCK = 16384, /* of STATUS: only where a kernel runs its block's threads itself */
  VPTR__BUILTIN_WARP = 32768,  /* kernel C's: threads of a warp or block exchange something, or wait for each other */
  VPTR__BUILTIN_TELLS = 131072, /* writes a record of printf()'s (the context has MEMBER_PRINTS) */
  VPTR__BUILTIN_LOCKED = 65536 /* Q is to 16 bytes that align as such; the runtime's locks become the last argument */
};

typedef struct vptr__builtin {
  const char *name;
  const char *signature;
  const char *lowered;
  const char *unit;   /* NULL: nothing needed */
  unsigned flags;
} vptr__builtin;

/* The tables, each sorted by name in strcmp()'s order, a row without a name behind the last. A name is in one
 * table only. */
extern const vptr__builtin vptr__builtin_atomics[], vptr__builtin_conversions[], vptr__builtin_integers[],
    vptr__builtin_math[], vptr__builtin_rounded[], vptr__builtin_special[],
    vptr__builtin_threads[], vptr__builtin_warps[];
extern const vptr__builtin *const vptr__builtin_tables[]; /* all of them; NULL behind the last */

/* The first row of that name, and in *count_out how many follow it with the same name, itself included; NULL: none. */
const vptr__builtin *vptr__builtin_find(const char *name, int *count_out);

/* If CUDA has a function of that name that is not here: what to say about it; else NULL. */
const char *vptr__builtin_missing(const char *name);

#endif
