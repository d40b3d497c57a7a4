/* SPDX-License-Identifier: MIT */
/*
 * word - words of memory that a stream waits for, or writes.
 *
 *     stream   --earlier work--[ stop ]=====================[ barrier ]--later work--
 *     watcher                    due -> step, step, ... step -^
 *
 * OpenCL queues wait for events and not for memory, so a thread looks at the word, and opens the stream when it is
 * what was waited for: whoever changed it, a kernel, a copy or a write of another stream, or the host. Steps of one
 * call are taken in their order, each when the one before is done. What is queued later waits, and so does who waits
 * for the stream or asks it.
 *
 * One thread, the watcher, looks at all words: in short turns first, then less and less often, until it is once in a
 * millisecond. It is another one than that of host functions, which may block. Words in host memory are loaded and
 * stored whole; those in device memory by commands on a queue that nothing else waits in (mirror/copy_queue.h), so
 * that one is seen to change while the device's other queues are shut.
 *
 * A buffer with a word in it is kept until the call is over; pinned host memory is for the caller to acquire. A word
 * that cannot be read, after some tries, and one whose mapper begins anew, end the call: the stream goes on, and its
 * next synchronising call tells the failure.
 *
 * Thread-safe. Locks: mapper->stream_lock, of rank STREAM, guards how many calls a mapper has; `watcher.lock` (word.c),
 * of rank LEAF, which calls have become due.
 */
#ifndef VPTR_STREAM_WORD_H
#define VPTR_STREAM_WORD_H

#include "stream/stream.h"

/* The first four wait. */
typedef enum vptr__word_verb {
  VPTR__WORD_GEQ,   /* word - value is not negative, as a signed number: counters may wrap around */
  VPTR__WORD_EQ,
  VPTR__WORD_AND,   /* a bit is set in both */
  VPTR__WORD_NOR,   /* a bit is clear in both */
  VPTR__WORD_WRITE
} vptr__word_verb;

typedef struct vptr__word_step {
  vptr__word_verb verb;
  size_t size;          /* 4 or 8 bytes */
  uint64_t value;
  uintptr_t address;    /* a multiple of size */
  vptr_mapper *owner;   /* whose device memory the word is in; NULL: host memory */
} vptr__word_step;

/* Puts the steps, at least one, into the stream. Errors: those of vptr_resolve(), OUT_OF_HOST_MEMORY, OPENCL; then
 * none is taken. */
VPTR_API vptr_status vptr__stream_words(vptr__stream *stream, const vptr__word_step *steps, size_t count);

#endif
