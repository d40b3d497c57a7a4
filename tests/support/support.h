/* SPDX-License-Identifier: MIT */
/*
 * support - what every test program shares: running a suite, the backend under test, random numbers.
 *
 * VPTR_TEST_BACKEND (fake, pocl, or any platform's name) says which device the tests run on; unset means fake.
 * Tests that need a real device ask support_has_opencl() and say that they were left out.
 */
#ifndef VPTR_TESTS_SUPPORT_H
#define VPTR_TESTS_SUPPORT_H

#include <check.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

/* Check writes the place of every assertion that holds to a file, for the parent to read when its test's process
 * crashed. The line of START_TEST, which Check writes itself, is enough to find the test, and by the million the writes
 * are most of what a test takes. */
#define _mark_point(file, line) ((void)0)

/* Selects the backend (sets VPTR_PLATFORM before the library reads it), runs the suite, prints what failed, frees the
 * suite and returns main()'s exit status.
 *
 * Each test runs in a forked process, so that a crash or a hang (120 s, or the test case's own limit) is a failure of
 * that one test. The library refuses work in a child of a process that used it: main() and unchecked fixtures run in
 * the parent and must not use it; checked fixtures run in the child. With a sanitizer, or CK_FORK=no in the environment
 * (valgrind, gdb), all tests run in the program's own process, and without a limit. */
int support_run(Suite *suite);

/* The backend under test is a real OpenCL platform. */
bool support_has_opencl(void);

/* An address where nothing is, as a program could have it: of memory that was unmapped. */
void *support_nowhere(void);

/* How many rounds of something random are made: all, but an eighth, and at least one, where ThreadSanitizer or valgrind
 * makes each take ten to fifty times as long. The full number is for the plain build and AddressSanitizer. */
long support_rounds(long rounds);

/* Behind n, the next of the calls, or allocations, that are made to fail one at a time: each of them, but one in seven
 * under ThreadSanitizer, which has nothing to see in most. */
long support_next(long n);

/* A reproducible random number (splitmix64). */
uint64_t support_random(uint64_t *state);

/* The next of the sequence, below a limit that is not 0. */
size_t support_below(uint64_t *state, size_t limit);

/* What keeps a stream: a function that it calls, which waits there until the gate is opened. */
typedef struct support_gate {
  atomic_bool reached; /* the function runs, and no other can meanwhile: they share a thread */
  atomic_bool opened;
} support_gate;

/* For vptr__stream_host(), with a gate as context. */
void support_wait_at_gate(vptr_status status, void *gate);

/* As ck_assert(), for conditions that are checked by the million: nothing of it is formatted as long as it holds. */
#define support_must(condition)                                                                             \
  do {                                                                                                      \
    if (!(condition))                                                                                       \
      ck_abort_msg("does not hold: %s", #condition);                                                        \
  } while (0)

/* Fails the test unless the call's status is expected; shows both, and the library's sentence. */
#define support_expect(expected, call)                                                                      \
  do {                                                                                                      \
    vptr_status support_got = (call);                                                                       \
    if (support_got != (expected))                                                                          \
      ck_abort_msg("%s: got %d (%s), expected %d (%s): %s", #call, support_got,                             \
                   vptr_status_string(support_got), (expected), vptr_status_string(expected),               \
                   vptr_last_error());                                                                      \
  } while (0)

#define support_succeed(call) support_expect(VPTR_SUCCESS, call)

/* Whether a thread sanitizer looks on: some things it does not survive. */
#if defined __has_feature
#if __has_feature(thread_sanitizer)
#define SUPPORT_WATCHES_THREADS 1
#endif
#if __has_feature(address_sanitizer)
#define SUPPORT_WATCHES_ADDRESSES 1
#endif
#endif
#if defined __SANITIZE_THREAD__
#define SUPPORT_WATCHES_THREADS 1
#elif !defined SUPPORT_WATCHES_THREADS
#define SUPPORT_WATCHES_THREADS 0
#endif
#if defined __SANITIZE_ADDRESS__
#define SUPPORT_WATCHES_ADDRESSES 1
#elif !defined SUPPORT_WATCHES_ADDRESSES
#define SUPPORT_WATCHES_ADDRESSES 0
#endif
#define SUPPORT_IS_SANITIZED (SUPPORT_WATCHES_THREADS || SUPPORT_WATCHES_ADDRESSES)

#endif
