/* SPDX-License-Identifier: MIT */
/*
 * copy_rect - CUDA's copies in three dimensions: the endpoints, as its structures have them, and the copy between two.
 *
 * No data, no locks. Called by array_transfer.c, batch.c and copy_peer.c, and by replay/send.c and work_of.c.
 */
#ifndef VPTR_CUDA_COPY_RECT_H
#define VPTR_CUDA_COPY_RECT_H

#include <limits.h>

#include "cuda/copy.h"

/* One endpoint of cudaMemcpy3DParms or cudaMemcpy3DPeerParms. */
typedef struct vptr__cuda_endpoint {
  const char *what;
  cudaArray_t array;
  const struct cudaPitchedPtr *memory;
  const struct cudaPos *position;
} vptr__cuda_endpoint;

/* Copies a rect between two endpoints; with vptr__cuda_never() that is checked, and not done. */
cudaError_t vptr__cuda_copy_3d(const vptr__cuda_call *call, const vptr__cuda_endpoint *to,
                               const vptr__cuda_endpoint *from, const struct cudaExtent *extent,
                               enum cudaMemcpyKind kind, vptr__cuda_when when);

/* CUDA's largest pitch on every device, cudaDevAttrMaxPitch. A copy's is less: CUDA refuses this very value too. */
enum { VPTR__CUDA_MOST_PITCH = INT_MAX };

/* Whether so many rows of width bytes can begin at this distance; of a single row no next one begins, and there is no
 * limit.
 * Errors: cudaErrorInvalidPitchValue (they overlap), cudaErrorInvalidValue (beyond CUDA's limit: an address computed
 * with such a pitch is most likely a mistake, and on the host's side nobody could tell: CUDA itself reads there). */
cudaError_t vptr__cuda_check_pitch(const char *what, size_t pitch, size_t width, size_t rows);

#endif
