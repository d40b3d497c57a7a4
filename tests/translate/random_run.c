/* SPDX-License-Identifier: MIT */
/*
 * random_run - see random_kernel.h.
 *
 * A thread is a coroutine that gives up control at a barrier. When all have, they go on; each says at which barrier it
 * waits, so that the generator's promise is checked as well.
 */
#include "translate/random_kernel.h"

#include <stdbool.h>
#include <stdlib.h>
#include <ucontext.h>

enum { STACK_BYTES = 96 << 10, MOST_THREADS = 64 };

typedef enum flow { GOES_ON, BREAKS, CONTINUES, RETURNS, LEAVES } flow;

/* The variables of one function. */
typedef struct frame {
  unsigned u[RANDOM_UNIFORM], v[RANDOM_OWN], i[RANDOM_COUNTERS];
} frame;

typedef struct block block;

typedef struct thread {
  block *block;
  unsigned index;
  ucontext_t context;
  char *stack;
  const void *waits_at; /* NULL: it has ended */
} thread;

struct block {
  const random_kernel *kernel;
  const unsigned *f;
  unsigned *out, *sums;
  unsigned index, told, votes;
  unsigned s[MOST_THREADS];
  thread threads[MOST_THREADS];
  ucontext_t scheduler;
};

static void wait_for_all(thread *self, const void *barrier) {
  self->waits_at = barrier;
  swapcontext(&self->context, &self->block->scheduler);
}

static unsigned value(const thread *self, const frame *frame, const random_node *node) {
  const random_kernel *kernel = self->block->kernel;
  unsigned left, right;
  switch (node->kind) {
  case RANDOM_NUMBER:
    return node->number;
  case RANDOM_PARAMETER:
    return node->number ? kernel->m : kernel->n;
  case RANDOM_BLOCK:
    return self->block->index;
  case RANDOM_SAME:
    return frame->u[node->number];
  case RANDOM_THREAD:
    return self->index % kernel->threads;
  case RANDOM_ROW:
    return self->index / kernel->threads;
  case RANDOM_PLACE:
    return self->block->index * kernel->threads + self->index % kernel->threads;
  case RANDOM_MINE:
    return frame->v[node->number];
  case RANDOM_COUNTER:
    return frame->i[node->number];
  case RANDOM_INPUT:
    return self->block->f[value(self, frame, node->a) & (RANDOM_INPUTS - 1)];
  case RANDOM_SLOT:
    return self->block->s[self->index];
  case RANDOM_CHOICE:
    return value(self, frame, value(self, frame, node->a) ? node->b : node->c);
  default:
    left = value(self, frame, node->a);
    right = value(self, frame, node->b);
    return (const unsigned[]){ left + right, left ^ right, left * right,  left & right, left == right,
                               left < right, left - right, left && right, left || right }[node->number];
  }
}

static flow run_list(thread *self, frame *frame, const random_node *list);

static flow run_switch(thread *self, frame *frame, const random_node *statement) {
  unsigned way = value(self, frame, statement->a) & 3;
  if (statement->ways[way] == NULL)
    way = statement->ways[3] != NULL ? 3 : 4;
  for (; way < 4; way++) {
    flow flow = run_list(self, frame, statement->ways[way]);
    if (flow == BREAKS)
      return GOES_ON;
    if (flow != GOES_ON)
      return flow;
    if (statement->ways[way] != NULL && !(statement->falls >> way & 1))
      return GOES_ON;
  }
  return GOES_ON;
}

static flow run_loop(thread *self, frame *frame, const random_node *loop) {
  unsigned *i = &frame->i[loop->counter];
  bool is_for = loop->kind == RANDOM_FOR, is_do = loop->kind == RANDOM_DO;
  for (*i = 0;;) {
    if (is_for && *i >= value(self, frame, loop->a))
      return GOES_ON;
    if (loop->kind == RANDOM_WHILE) {
      unsigned before = (*i)++;
      if (before >= value(self, frame, loop->a))
        return GOES_ON;
    }
    flow flow = run_list(self, frame, loop->ways[0]);
    if (flow == BREAKS)
      return GOES_ON;
    if (flow == RETURNS || flow == LEAVES)
      return flow;
    if (is_for)
      ++*i;
    if (is_do) {
      ++*i;
      if (*i >= value(self, frame, loop->a))
        return GOES_ON;
    }
  }
}

static unsigned vote(thread *self, const random_node *statement, bool is_for_it) {
  block *block = self->block;
  if (self->index == 0)
    block->votes = 0;
  wait_for_all(self, statement);
  block->votes += is_for_it;
  wait_for_all(self, (const char *)statement + 1);
  unsigned votes = block->votes;
  wait_for_all(self, (const char *)statement + 2);
  return statement->counter == 1 ? votes == block->kernel->threads : votes != 0;
}

static unsigned call(thread *self, unsigned mine, unsigned same) {
  const random_kernel *kernel = self->block->kernel;
  frame inner = { .u = { kernel->n, same, 1, kernel->m }, .v = { mine, 5, self->index * 3 } };
  run_list(self, &inner, kernel->helper);
  return inner.v[0] ^ inner.v[1];
}

static void exchange(thread *self, frame *frame, const random_node *statement) {
  block *block = self->block;
  wait_for_all(self, statement);
  unsigned other = (self->index + value(self, frame, statement->a)) % block->kernel->threads;
  frame->v[statement->number] ^= block->s[other];
  wait_for_all(self, (const char *)statement + 1);
}

static void tell(thread *self, frame *frame, const random_node *statement) {
  if (self->index == statement->counter)
    self->block->told = value(self, frame, statement->a);
  wait_for_all(self, statement);
  frame->u[statement->number] = self->block->told & 7;
  wait_for_all(self, (const char *)statement + 1);
}

static flow run_statement(thread *self, frame *frame, const random_node *statement) {
  unsigned number = statement->number;
  switch (statement->kind) {
  case RANDOM_SET_SAME:
    frame->u[number] = value(self, frame, statement->a);
    return GOES_ON;
  case RANDOM_SET_MINE:
    frame->v[number] = frame->v[number] * 31 + value(self, frame, statement->a);
    return GOES_ON;
  case RANDOM_SET_SLOT:
    self->block->s[self->index] = value(self, frame, statement->a);
    return GOES_ON;
  case RANDOM_ADD:
    self->block->sums[number] += value(self, frame, statement->a);
    return GOES_ON;
  case RANDOM_BARRIER:
    wait_for_all(self, statement);
    return GOES_ON;
  case RANDOM_EXCHANGE:
    exchange(self, frame, statement);
    return GOES_ON;
  case RANDOM_REPORT:
    tell(self, frame, statement);
    return GOES_ON;
  case RANDOM_VOTE:
    frame->u[number] = vote(self, statement, value(self, frame, statement->a) != 0);
    return GOES_ON;
  case RANDOM_CALL:
    frame->v[number] = call(self, frame->v[number], value(self, frame, statement->a));
    return GOES_ON;
  case RANDOM_IF:
    return run_list(self, frame, statement->ways[value(self, frame, statement->a) ? 0 : 1]);
  case RANDOM_FOR:
  case RANDOM_WHILE:
  case RANDOM_DO:
    return run_loop(self, frame, statement);
  case RANDOM_SWITCH:
    return run_switch(self, frame, statement);
  case RANDOM_BREAK:
    return BREAKS;
  case RANDOM_CONTINUE:
    return CONTINUES;
  case RANDOM_LEAVE:
    return LEAVES;
  default:
    return RETURNS;
  }
}

static flow run_list(thread *self, frame *frame, const random_node *list) {
  flow flow = GOES_ON;
  for (; list != NULL && flow == GOES_ON; list = list->next)
    flow = run_statement(self, frame, list);
  return flow;
}

static void run_thread(unsigned high, unsigned low) {
  thread *self = (thread *)((uintptr_t)high << 32 | low);
  block *block = self->block;
  const random_kernel *kernel = block->kernel;
  unsigned x = self->index % kernel->threads;
  frame frame = { .u = { kernel->n, 0, 1, kernel->m }, .v = { x, 5, x * 3 } };
  block->s[self->index] = self->index;
  wait_for_all(self, block);
  flow end = run_list(self, &frame, kernel->body);
  if (end == RETURNS || (end == GOES_ON && !kernel->ends_inside))
    block->out[block->index * kernel->threads * kernel->rows + self->index] =
        frame.v[0] ^ frame.v[1] ^ frame.v[2] << 1;
  self->waits_at = NULL;
}

static void begin(thread *self) {
  uintptr_t address = (uintptr_t)self;
  getcontext(&self->context);
  self->stack = malloc(STACK_BYTES);
  self->context.uc_stack.ss_sp = self->stack;
  self->context.uc_stack.ss_size = STACK_BYTES;
  self->context.uc_link = &self->block->scheduler;
  makecontext(&self->context, (void (*)(void))run_thread, 2, (unsigned)(address >> 32), (unsigned)address);
}

static int run_block(block *block) {
  unsigned count = block->kernel->threads * block->kernel->rows;
  int is_well = 1;
  for (unsigned t = 0; t < count; t++) {
    block->threads[t] = (thread){ .block = block, .index = t };
    begin(&block->threads[t]);
  }
  do
    for (unsigned t = 0; t < count; t++) {
      swapcontext(&block->scheduler, &block->threads[t].context);
      is_well &= block->threads[t].waits_at == block->threads[0].waits_at;
    }
  while (is_well && block->threads[0].waits_at != NULL);
  for (unsigned t = 0; t < count; t++)
    free(block->threads[t].stack);
  return is_well;
}

int random_run(const random_kernel *kernel, const unsigned *f, unsigned *out, unsigned *sums) {
  int is_well = 1;
  for (unsigned i = 0; i < kernel->blocks && is_well; i++) {
    block *block = calloc(1, sizeof *block);
    block->kernel = kernel;
    block->f = f;
    block->out = out;
    block->sums = sums;
    block->index = i;
    is_well = run_block(block);
    free(block);
  }
  return is_well;
}
