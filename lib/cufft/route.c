/* SPDX-License-Identifier: MIT */
/*
 * route - how a transform goes; see route.h.
 *
 * No state, no locks. Called by run.c, before it checks and when it sends. Nothing blocks.
 */
#include "cufft/route.h"

#include <string.h>

/* In place, what an engine reads must be what it writes there: rows, planes and transforms begin at the same bytes. */
static bool lie_alike(const vptr__fft_shape *shape, const vptr__fft_side *in, const vptr__fft_side *out) {
  int64_t in_size = (int64_t)vptr__fft_shape_size(shape, false),
          out_size = (int64_t)vptr__fft_shape_size(shape, true);
  for (int i = 1; i <= VPTR__FFT_MOST_RANK; i++) {
    bool counts = i < VPTR__FFT_MOST_RANK ? i < shape->rank : shape->batch > 1;
    if (counts && in->step[i] * in_size != out->step[i] * out_size)
      return false;
  }
  return true;
}

/* Complex numbers stay what they are along a dimension of one. */
static bool is_computed(vptr__fft_kind kind, int64_t n) {
  return kind != VPTR__FFT_COMPLEX || n > 1;
}

/* The side's steps from element to element along all dimensions of the request but the first, then from transform to
 * transform: of one, what its elements take. */
static void set_steps(const vptr__fft_request *request, const vptr__fft_shape *shape, const vptr__fft_side *side,
                      uint64_t *step) {
  int rank = 0;
  uint64_t natural = (uint64_t)shape->n[0] + 2;
  for (int i = 0; i < shape->rank; i++)
    if (is_computed(request->kind, shape->n[i]) && rank++ > 0) {
      step[rank - 2] = (uint64_t)side->step[i];
      natural = (uint64_t)side->step[i] * (uint64_t)shape->n[i];
    }
  if (rank > 0)
    step[rank - 1] = shape->batch == 1 ? natural : (uint64_t)side->step[VPTR__FFT_MOST_RANK];
}

static void set_request(const vptr__fft_plan *plan, vptr__fft_route *route) {
  const vptr__fft_shape *shape = &plan->shape;
  vptr__fft_request *request = &route->request;
  const vptr__fft_side *in = route->packs_input ? &route->packed_in : &route->in;
  const vptr__fft_side *out = route->packs_output ? &route->packed_out : &route->out;
  request->kind = route->is_by_complex ? VPTR__FFT_COMPLEX : vptr__fft_shape_kind(shape);
  request->is_double = vptr__fft_shape_is_double(shape);
  request->is_inverse = route->is_inverse;
  request->rank = 0;
  request->batch = (uint64_t)shape->batch;
  for (int i = 0; i < shape->rank; i++)
    if (is_computed(request->kind, shape->n[i]))
      request->n[request->rank++] = (uint64_t)shape->n[i];
  set_steps(request, shape, in, request->in_step);
  set_steps(request, shape, out, request->out_step);
}

vptr__fft_route vptr__fft_route_of(const vptr__fft_plan *plan, bool is_in_place, bool is_inverse, bool packs_input,
                                   bool packs_output) {
  const vptr__fft_shape *shape = &plan->shape;
  vptr__fft_kind kind = vptr__fft_shape_kind(shape);
  vptr__fft_route route = { .is_in_place = is_in_place, .is_inverse = is_inverse };
  route.is_by_complex = plan->is_by_complex || (kind != VPTR__FFT_COMPLEX && shape->n[0] == 1);
  bool is_idle = (kind == VPTR__FFT_COMPLEX || route.is_by_complex) && shape->rank == 1 && shape->n[0] == 1;
  route.in = vptr__fft_shape_side(shape, false, is_in_place);
  route.out = vptr__fft_shape_side(shape, true, is_in_place);
  route.packs_input = packs_input || is_idle || route.is_by_complex ||
                      !vptr__fft_shape_is_direct(shape, false, &route.in) ||
                      (is_in_place && !lie_alike(shape, &route.in, &route.out));
  route.packs_output =
      packs_output || is_idle || route.is_by_complex || !vptr__fft_shape_is_direct(shape, true, &route.out);
  bool is_by_real = kind != VPTR__FFT_COMPLEX && !route.is_by_complex;
  int64_t row = is_by_real ? shape->n[0] / 2 + 1 : shape->n[0];
  route.packed_in = vptr__fft_shape_packed(shape, is_by_real && kind == VPTR__FFT_FROM_REAL ? 2 * row : row);
  route.packed_out = vptr__fft_shape_packed(shape, is_by_real && kind == VPTR__FFT_TO_REAL ? 2 * row : row);
  if (route.packs_input || route.packs_output)
    route.packed_bytes = vptr__fft_shape_complex_bytes(shape) / (size_t)shape->n[0] * (size_t)row;
  set_request(plan, &route);
  return route;
}
