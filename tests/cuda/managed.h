/* SPDX-License-Identifier: MIT */
/*
 * managed - what the tests of managed memory through CUDA share: a module of two kernels, gates, and what mirrors
 * counted.
 *
 * Where managed memory lies in place there is no mirror, and nothing is counted: managed_faults() says so. All else
 * holds there too.
 */
#ifndef VPTR_TESTS_CUDA_MANAGED_H
#define VPTR_TESTS_CUDA_MANAGED_H

#include <pthread.h>
#include <stdatomic.h>

#include "expect.h"
#include "mirror/mirror.h"

/* Stubs: add(int *x, int n, int by) adds to each of n numbers, which wrap around; duplicate(int *to, const int *from,
 * int n) copies them. */
extern char managed_add, managed_duplicate;
extern int managed_table[4]; /* a variable of the device, 1 to 4 at first */

/* Fixture: the module; at the end nothing is left of anything. */
void managed_setup(void);
void managed_teardown(void);

int *managed_numbers(int n);

/* Whether it is kept in step by page faults; then what its mirror counted. */
bool managed_faults(const void *memory);
vptr__mirror_counts managed_counts(const void *memory);

/* Kernels of one thread. */
cudaError_t managed_run_add(int *x, int n, int by, cudaStream_t stream);
cudaError_t managed_run_duplicate(int *to, const int *from, int n, cudaStream_t stream);

/* What is behind it in its stream waits until it is opened, by a thread that does so after 20 ms. */
typedef struct managed_gate {
  atomic_bool opened;
  pthread_t thread;
} managed_gate;
void managed_close_gate(managed_gate *gate, cudaStream_t stream);
void managed_open_gate_later(managed_gate *gate);
void managed_end_gate(managed_gate *gate);

#endif
