/* SPDX-License-Identifier: MIT */
/*
 * engine - transforms of one shape, layout and direction, as VkFFT computes them on buffers of a device.
 *
 * An engine has rows without gaps between their elements, any distance from row to row, from plane to plane and from
 * transform to transform, and places that begin anywhere. Sides may be one memory if their rows, planes and transforms
 * begin at the same bytes. What else a plan may ask for is packed for it by kernels (exec.c).
 *
 * No lock of its own: VkFFT keeps the arguments of a call in what is an engine, so its callers see to it that an engine
 * sends for one at a time (plan.h). Making one waits for the driver's compiler.
 */
#ifndef VPTR_CUFFT_ENGINE_H
#define VPTR_CUFFT_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/device.h"

typedef struct vptr__fft_engine vptr__fft_engine;

typedef enum vptr__fft_kind { VPTR__FFT_COMPLEX, VPTR__FFT_FROM_REAL, VPTR__FFT_TO_REAL } vptr__fft_kind;

enum { VPTR__FFT_MOST_RANK = 3 };

typedef struct vptr__fft_request {
  vptr__fft_kind kind;
  bool is_double;
  bool is_inverse; /* TO_REAL always is, FROM_REAL never */
  int rank;
  uint64_t n[VPTR__FFT_MOST_RANK]; /* of the real side, where there is one; the rows' first */
  /* From one row, plane, transform to the next, the last of them at rank - 1, in elements of the side. Each is at least
   * what lies in between. */
  uint64_t in_step[VPTR__FFT_MOST_RANK], out_step[VPTR__FFT_MOST_RANK];
  uint64_t batch;
} vptr__fft_request;

static inline bool vptr__fft_request_is(const vptr__fft_request *a, const vptr__fft_request *b) {
  bool is = a->kind == b->kind && a->is_double == b->is_double && a->is_inverse == b->is_inverse &&
            a->rank == b->rank && a->batch == b->batch;
  for (int i = 0; i < a->rank && is; i++)
    is = a->n[i] == b->n[i] && a->in_step[i] == b->in_step[i] && a->out_step[i] == b->out_step[i];
  return is;
}

/* Elements of a side up to which 32 bits are enough to count them, and those in front of it in its buffer. */
enum { VPTR__FFT_NARROW = 1 << 30 };

/* Whether an engine counts in 64 bits, since a side of its request is larger. */
static inline bool vptr__fft_request_is_wide(const vptr__fft_request *request) {
  uint64_t in = request->in_step[request->rank - 1], out = request->out_step[request->rank - 1];
  return (in > out ? in : out) > VPTR__FFT_NARROW / request->batch;
}

typedef struct vptr__fft_place {
  cl_mem buffer;
  size_t offset; /* bytes; whole elements of the side, of the work whole complex numbers */
} vptr__fft_place;

/* Errors: UNSUPPORTED, where VkFFT has no way to do it; OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, OPENCL. */
vptr_status vptr__fft_engine_create(vptr__device *device, const vptr__fft_request *request,
                                    vptr__fft_engine **engine_out);
void vptr__fft_engine_destroy(vptr__fft_engine *engine);

/* Bytes that it needs between its kernels; 0 for most. */
size_t vptr__fft_engine_work(const vptr__fft_engine *engine);

/* Whether the input is memory to compute in, where the output is elsewhere. */
bool vptr__fft_engine_spoils_input(const vptr__fft_engine *engine);

/* Sends all kernels to a queue; the event is the last one's, NULL if none was sent. */
vptr_status vptr__fft_engine_send(vptr__fft_engine *engine, cl_command_queue queue, const vptr__fft_place *in,
                                  const vptr__fft_place *out, const vptr__fft_place *work, cl_event *event_out);

#endif
