/* SPDX-License-Identifier: MIT */
/*
 * route - how a transform of a plan goes: which sides are packed, and what an engine is asked for; run.h has the table.
 *
 * A value; no locks.
 */
#ifndef VPTR_CUFFT_ROUTE_H
#define VPTR_CUFFT_ROUTE_H

#include "cufft/plan.h"

typedef struct vptr__fft_route {
  bool is_in_place;
  bool is_inverse;
  bool is_by_complex;                   /* reals are made complex for the engine */
  bool packs_input, packs_output;
  vptr__fft_side in, out;               /* as the program has them */
  vptr__fft_side packed_in, packed_out; /* as the engine does, where they are packed */
  vptr__fft_request request;            /* of no dimension where there is nothing to compute */
  size_t packed_bytes;                  /* of memory for packed sides, one for both */
} vptr__fft_route;

/* Sides that have to be packed whatever their layout is are told. */
vptr__fft_route vptr__fft_route_of(const vptr__fft_plan *plan, bool is_in_place, bool is_inverse, bool packs_input,
                                   bool packs_output);

#endif
