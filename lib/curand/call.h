/* SPDX-License-Identifier: MIT */
/*
 * call - a call of a generator on its way: where its work goes, and the first thing that went wrong, which stays.
 *
 * What follows something wrong does nothing, so that a call is written as one line after the other.
 *
 * No locks: a generator is used by one thread at a time.
 */
#ifndef VPTR_CURAND_CALL_H
#define VPTR_CURAND_CALL_H

#include "curand/generator.h"

typedef struct vptr__rand_call {
  const char *name;
  curandGenerator_t generator;
  vptr__stream *stream; /* NULL: the host's */
  bool captures;        /* it is captured: nothing is sent */
  curandStatus_t status;
} vptr__rand_call;

vptr__rand_call vptr__rand_call_enter(const char *name, curandGenerator_t generator);

/* One that was captured, on the stream that its graph is launched on. */
vptr__rand_call vptr__rand_call_resume(const char *name, curandGenerator_t generator, vptr__stream *stream);

static inline bool vptr__rand_call_is_fine(const vptr__rand_call *it) {
  return it->status == CURAND_STATUS_SUCCESS;
}

/* What the library below said, in words too. */
void vptr__rand_call_fail(vptr__rand_call *it, vptr_status status);
/* What is wrong with an argument, in words. */
void vptr__rand_call_refuse(vptr__rand_call *it, curandStatus_t status, const char *what);

/* That `count` numbers of `size` bytes may be written: to the host's memory by a host's generator, and else to the
 * device's. */
void vptr__rand_call_check_output(vptr__rand_call *it, const void *to, size_t count, size_t size);

/* At least so many bytes of states; what was in them is lost if there were fewer. */
void vptr__rand_call_reserve(vptr__rand_call *it, size_t bytes);

/* Writes the host's bytes into the states, where the generator's work of before has been done. */
void vptr__rand_call_upload(vptr__rand_call *it, const void *from, size_t offset, size_t bytes);

#endif
