/* SPDX-License-Identifier: MIT */
/*
 * checkpoints - what the tests of checkpoints share: a mapper at one place of the addresses, which can end and begin
 * anew, and a model of what is live in it.
 *
 * The bytes of an allocation follow from its seed. checkpoints_again() ends the mapper, whatever is in it, and makes an
 * empty one with the same addresses: for vptr_restore() that is what a new process is.
 */
#ifndef VPTR_TESTS_CHECKPOINTS_H
#define VPTR_TESTS_CHECKPOINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

enum { CHECKPOINTS_MOST = 256, CHECKPOINTS_LARGEST = 3 << 20 };

/* An allocation as it is expected to be. */
typedef struct checkpoints_item {
  void *ptr; /* NULL: not live */
  size_t size;
  uint64_t seed, serial;
} checkpoints_item;

typedef struct checkpoints_model {
  checkpoints_item items[CHECKPOINTS_MOST];
  uint64_t state; /* of the random numbers */
} checkpoints_model;

extern vptr_mapper *checkpoints_mapper;
extern char checkpoints_folder[], checkpoints_path[];

void checkpoints_set_up(void);
void checkpoints_tear_down(void);
void checkpoints_again(void);

/* Allocates, frees or writes anew, as it comes; and so many times. */
void checkpoints_change(checkpoints_model *model, int steps);

/* Allocations, serials and bytes are those of the model, and nothing else is live. */
void checkpoints_expect(const checkpoints_model *model);

/* A file's bytes, by malloc(); and puts some there. */
unsigned char *checkpoints_read(const char *path, size_t *size_out);
void checkpoints_put(const char *path, const unsigned char *bytes, size_t size);

#endif
