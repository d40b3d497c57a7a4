/* SPDX-License-Identifier: MIT */
/*
 * kernel - the library's own kernels (lib/cufft/kernels), found and sent: what moves elements from one layout to
 * another, and real numbers to complex ones and back.
 *
 * They are one module, whose text the library carries; it is read when the first kernel is wanted, and a kernel is
 * built when it is first sent, as those of programs are, and kept on disk.
 *
 * The lock is that of library/kernel.h, of rank UNIT, while the module is read: so no plan's lock is held meanwhile.
 */
#ifndef VPTR_CUFFT_KERNEL_H
#define VPTR_CUFFT_KERNEL_H

#include "cufft/shape.h"
#include "stream/stream.h"

typedef enum vptr__fft_move {
  VPTR__FFT_MOVE_REAL,    /* real numbers as they are */
  VPTR__FFT_MOVE_COMPLEX, /* complex ones */
  VPTR__FFT_WIDEN,        /* real numbers to complex ones */
  VPTR__FFT_NARROW_TO,    /* complex ones to their real parts */
  VPTR__FFT_UNFOLD,       /* rows of half a spectrum, and one, to whole ones: the rest is conjugate */
  VPTR__FFT_MOVES
} vptr__fft_move;

/* From where to where, `row` elements of each row of the shape. */
typedef struct vptr__fft_moving {
  const char *call;
  const vptr__fft_shape *shape;
  int64_t row;
  const void *from;
  vptr__fft_side from_side;
  void *to;
  vptr__fft_side to_side;
} vptr__fft_moving;

vptr_status vptr__fft_move_send(vptr__stream *stream, vptr__fft_move move, const vptr__fft_moving *moving);

#endif
