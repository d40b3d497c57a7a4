/* SPDX-License-Identifier: MIT */
/*
 * mirrors - what the tests of managed memory share: a mapper, a mirror, and what plays the kernels that use it.
 *
 * Kernels are the device's own commands on the mirror's buffer, between acquire() and release(). A gate is a host
 * function that waits to be opened: what is behind it in its stream is pending for as long as a test needs it to be.
 */
#ifndef VPTR_TESTS_MIRRORS_H
#define VPTR_TESTS_MIRRORS_H

#include <stdatomic.h>

#include "mirror/mirror.h"
#include "stream/stream.h"
#include "support/support.h"

enum { PAGES = 64 /* of the mirror */ };

extern vptr_mapper *mapper;
extern vptr__mirror *mirror;
extern volatile unsigned char *host; /* the mirror's */
extern size_t page;                  /* bytes of one */

/* Fixtures: a mapper alone; the mirror too. */
void mirrors_begin(void);
void mirrors_end(void);
void mirrors_setup(void);
void mirrors_teardown(void);

vptr__mirror_counts mirrors_counts(void);

/* All of any mirror, to the mapper's device. */
vptr_status mirrors_acquire_all(vptr__mirror *what, vptr_access access);

/* Of the mirror, by work that is done when release() is called. */
void mirrors_acquire(vptr_access access);
void mirrors_release(void);

/* Between the two: sets bytes, reads one. And a whole kernel that sets bytes. */
void mirrors_fill(size_t offset, size_t size, unsigned char byte);
unsigned char mirrors_byte(size_t offset);
void mirrors_run(size_t offset, size_t size, unsigned char byte);

/* One step fails from now on, the n-th of a kind: 0, operation of the (fake) device; 1, command; 2, host allocation. n
 * is 0: none. */
void mirrors_fail_nth(int kind, long n);

/* A thread that opens a gate after 20 ms. */
void *mirrors_open_later(void *context);

/* A kernel behind a gate of its stream's, or behind none if that is NULL, which sets one page. */
void mirrors_send(vptr__stream *stream, support_gate *it, size_t at, unsigned char byte);

#endif
