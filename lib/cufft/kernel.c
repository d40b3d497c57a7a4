/* SPDX-License-Identifier: MIT */
/*
 * kernel - the module of the library's own kernels; see kernel.h.
 *
 * The module has its own lock (library/kernel.h). Called by run.c, for what is to be packed. The first call of a kernel
 * on a device waits for the driver's compiler.
 */
#include "cufft/kernel.h"

#include "cufft/kernel_text.h"
#include "library/kernel.h"

#include <stdatomic.h>
#include <stdio.h>

enum { BLOCK = 256, MOST_BLOCKS = 4096 };

static const char *const names[] = { [VPTR__FFT_MOVE_REAL] = "move_real",
                                     [VPTR__FFT_MOVE_COMPLEX] = "move_complex",
                                     [VPTR__FFT_WIDEN] = "widen",
                                     [VPTR__FFT_NARROW_TO] = "narrow",
                                     [VPTR__FFT_UNFOLD] = "unfold" };

static vptr__library_kernels kernels = VPTR__LIBRARY_KERNELS("cufft", vptr__fft_kernel_text);
static _Atomic(vptr__function *) functions[2][VPTR__FFT_MOVES];

static vptr_status find_function(bool is_double, vptr__fft_move move, vptr__function **function_out) {
  char name[32];
  snprintf(name, sizeof name, "%c_%s", is_double ? 'd' : 's', names[move]);
  vptr_status status = vptr__library_kernel(&kernels, name, function_out);
  if (status == VPTR_SUCCESS)
    atomic_store_explicit(&functions[is_double][move], *function_out, memory_order_release);
  return status;
}

/* Kernels go on behind the last thread of a grid. */
static uint32_t blocks_of(int64_t count) {
  int64_t blocks = (count - 1) / BLOCK + 1;
  return (uint32_t)(blocks > MOST_BLOCKS ? MOST_BLOCKS : blocks);
}

vptr_status vptr__fft_move_send(vptr__stream *stream, vptr__fft_move move, const vptr__fft_moving *it) {
  bool is_double = vptr__fft_shape_is_double(it->shape);
  vptr__function *function = atomic_load_explicit(&functions[is_double][move], memory_order_acquire);
  vptr_status status = function != NULL ? VPTR_SUCCESS : find_function(is_double, move, &function);
  if (status != VPTR_SUCCESS)
    return status;
  const int64_t *n = it->shape->n, *from = it->from_side.step, *to = it->to_side.step;
  const void *const arguments[] = { &it->from, &from[0], &from[1], &from[2], &from[3], &it->to, &to[0],
                                    &to[1],    &to[2],   &to[3],   &it->row, &n[1],    &n[2],   &it->shape->batch };
  void *addresses[sizeof arguments / sizeof *arguments];
  for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
    addresses[i] = (void *)(uintptr_t)arguments[i];
  vptr__launch launch = { .what = it->call,
                          .grid = { blocks_of(it->row * n[1] * n[2] * it->shape->batch), 1, 1 },
                          .block = { BLOCK, 1, 1 },
                          .arguments = addresses };
  return vptr__function_launch(function, stream, &launch);
}
