/* SPDX-License-Identifier: MIT */
/*
 * random_kernel - kernels made at random, as CUDA C and as a tree that is interpreted thread by thread.
 *
 * Their barriers are reached by all threads of a block: what they stand under depends on the block alone (parameters,
 * blockIdx, memory that all load from one address, loop counters, what a vote gave back). All else may depend on the
 * thread. They have no races: a thread writes its own element of shared memory, others read it between barriers, and
 * what all add to is only added to. So there is one right result.
 *
 * Kernels without barriers have blocks of several rows, and begin with what programs of that kind begin with: some
 * threads leave, by where they are, or all that follows is under a condition. Behind it they go round loops together.
 *
 *     random_make.c   makes them       random_print.c  as CUDA C
 *     random_run.c    interprets them, each thread on a stack of its own, from barrier to barrier
 */
#ifndef VPTR_TESTS_TRANSLATE_RANDOM_KERNEL_H
#define VPTR_TESTS_TRANSLATE_RANDOM_KERNEL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { RANDOM_UNIFORM = 4, RANDOM_OWN = 3, RANDOM_COUNTERS = 8, RANDOM_INPUTS = 16, RANDOM_SUMS = 8, RANDOM_TABLE = 4 };

typedef enum random_kind {
  /* values; `number` says which or how much */
  RANDOM_NUMBER,
  RANDOM_PARAMETER,
  RANDOM_BLOCK,
  RANDOM_SAME /* u: the same for all */,
  RANDOM_THREAD,
  RANDOM_ROW /* of the block; of blocks of several */,
  RANDOM_PLACE /* in the grid's row */,
  RANDOM_MINE /* v: a thread's */,
  RANDOM_COUNTER,
  RANDOM_INPUT /* f[..] */,
  RANDOM_SLOT /* s[thread] */,
  RANDOM_BINARY /* number: the operator */,
  RANDOM_CHOICE /* ?: */,
  /* statements */
  RANDOM_SET_SAME,
  RANDOM_SET_MINE,
  RANDOM_SET_SLOT,
  RANDOM_ADD /* atomicAdd(&count[number]) */,
  RANDOM_BARRIER,
  RANDOM_EXCHANGE /* v = another's slot, between barriers */,
  RANDOM_REPORT /* u = what one thread has, by shared memory */,
  RANDOM_VOTE /* u = __syncthreads_count(), _and, _or */,
  RANDOM_IF,
  RANDOM_FOR,
  RANDOM_WHILE,
  RANDOM_DO,
  RANDOM_SWITCH,
  RANDOM_BREAK,
  RANDOM_CONTINUE,
  RANDOM_RETURN,
  RANDOM_LEAVE /* a return without a result */,
  RANDOM_CALL /* v = helper(v, u) */
} random_kind;

typedef struct random_node {
  random_kind kind;
  unsigned number, counter;
  struct random_node *a, *b, *c;          /* operands; the condition is a */
  struct random_node *ways[4], *next;     /* lists of statements: of an if, a loop, a switch's labels */
  unsigned falls;                         /* of a SWITCH: bit i: way i goes on into the next */
} random_node;

typedef struct random_kernel {
  random_node *body, *helper;             /* helper: a device function with barriers; NULL: none */
  unsigned threads, rows, blocks;         /* threads: of a row of a block */
  bool is_free;                           /* it has no barriers, and nothing shared */
  bool ends_inside;                       /* all is under its last statement's condition, the result too */
  unsigned n, m;                          /* parameters */
  void *memory;
} random_kernel;

random_kernel *random_make(uint64_t seed);
random_kernel *random_make_free(uint64_t seed);
void random_free(random_kernel *kernel);

/* `name` is the kernel's; it takes (unsigned *out, unsigned *sums, const unsigned *f, unsigned n, unsigned m). */
void random_print(const random_kernel *kernel, const char *name, FILE *to);

/* out: one for each thread of each block; sums: RANDOM_SUMS of them. 0: threads waited at different barriers, which
 * random_make() promises not to do. */
int random_run(const random_kernel *kernel, const unsigned *f, unsigned *out, unsigned *sums);

#endif
