/* SPDX-License-Identifier: MIT */
/*
 * residences - what the tests of memory beyond the device share: a mapper whose device holds FIT allocations of SIZE
 * bytes at once, MANY of them with bytes that the test knows, and a place where a move can be held up.
 */
#ifndef VPTR_TESTS_RESIDENCES_H
#define VPTR_TESTS_RESIDENCES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include <vptr/vptr.h>

#include "device/device.h"
#include "heap/residence.h"
#include "mapper/mapper.h"

enum { SIZE = 256 << 10 /* the least that has a buffer to itself */, FIT = 4, MANY = 2 * FIT, LEFT = SIZE / 2 };

extern vptr_mapper *residences_mapper;
extern unsigned char *many[MANY];
extern unsigned char seen[SIZE];

/* The mapper alone; with the allocations, each with its own bytes. */
void residences_begin(bool oversubscribes);
void residences_end(void);
void residences_set_up(void);
void residences_tear_down(void);

unsigned char *residences_allocate(void);

/* Writes the bytes that a value stands for, SIZE of them, to an allocation; expects them there. Or in the test's own
 * memory. */
void residences_write(void *to, int value);
void residences_expect(const void *from, int value);
bool residences_match(const unsigned char *host, int value);

vptr__residence residences_state(const void *ptr);
size_t residences_away(void);

/* The n-th call of the device's from now on fails, in the one way or the other; 0: none does. For who has called
 * faults_begin(). And whether one did that was let fail so. */
typedef void residences_fail(long n);
residences_fail residences_fail_device, residences_fail_for_room, residences_fail_call;
bool residences_has_fired(residences_fail *plant);

/* So many threads, each with a worker of its own; expects no failures of them. */
typedef struct residences_worker {
  int number, failures;
} residences_worker;

void residences_run_threads(int count, void *(*work)(void *worker));

/* The device's next step of a kind waits at a gate, and fails there or does not; to release a buffer never fails. */
typedef enum residences_step { STEP_FINISH, STEP_READ, STEP_CREATE, STEP_WRITE, STEP_RELEASE, STEPS } residences_step;

void residences_hold_up(residences_step step, bool fails);
/* Until a thread is there; it goes on; and nobody is held up any more. */
void residences_await(void);
void residences_let_go(void);
void residences_undo(void);

#endif
