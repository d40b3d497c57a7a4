/* SPDX-License-Identifier: MIT */
/*
 * checkpoints - what the tests of checkpoints share: a mapper at one place of the addresses, which can end and begin
 * anew, and a model of what is live in it.
 *
 * The bytes of an allocation follow from its seed. checkpoints_again() ends the mapper, whatever is in it, and makes an
 * empty one with the same addresses: for vptr_restore() that is what a new process is. And calls that fail, and the
 * program as a process of its own.
 */
#ifndef VPTR_TESTS_CHECKPOINTS_H
#define VPTR_TESTS_CHECKPOINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

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

/* Whose calls fail: the disk's, malloc(), and the device's in two ways, which faults_can() may not allow. */
enum { CHECKPOINTS_DISK, CHECKPOINTS_MEMORY, CHECKPOINTS_DEVICE, CHECKPOINTS_DEVICE_CALL, CHECKPOINTS_FAILURES };

/* The n-th call from now on fails. */
void checkpoints_fail(int whose, long n);

/* No call fails any more. Whether the n-th did, as far as that is known: of malloc() it is not. */
bool checkpoints_end_failing(int whose, long n);

/* Whole checkpoints, in each of which one call more goes well, until none fails. */
void checkpoints_fail_each(vptr_mapper *mapper, int whose, long most);

/* This program again, with these words, of which the last is NULL; what it says on stderr goes to a file, if one is
 * named. And its exit status, once it has ended; -1 if it was killed. */
pid_t checkpoints_start_self(const char *const *words, const char *errors);
int checkpoints_await(pid_t child);

#endif
