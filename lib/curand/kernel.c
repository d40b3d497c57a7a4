/* SPDX-License-Identifier: MIT */
/*
 * kernel - the module of the library's own kernels; see kernel.h.
 *
 * The module has its own lock (library/kernel.h). Called by lanes.c, quasi.c and twister.c. The first call of a kernel
 * on a device waits for the driver's compiler.
 */
#include "curand/kernel.h"

#include "curand/kernel_text.h"
#include "library/kernel.h"

#include <stdio.h>

enum { BLOCK = 64 };

static vptr__library_kernels kernels = VPTR__LIBRARY_KERNELS("curand", vptr__rand_kernel_text);

vptr_status vptr__rand_launch(const char *call, vptr__stream *stream, const char *kernel, uint64_t threads,
                              void *const *arguments) {
  vptr__function *function = NULL;
  vptr__launch launch = { .what = call,
                          .grid = { (uint32_t)((threads - 1) / BLOCK + 1), 1, 1 },
                          .block = { BLOCK, 1, 1 },
                          .arguments = arguments };
  vptr_status status = vptr__library_kernel(&kernels, kernel, &function);
  return status == VPTR_SUCCESS ? vptr__function_launch(function, stream, &launch) : status;
}

vptr_status vptr__rand_launch_fill(const char *call, vptr__stream *stream, const char *generator,
                                   vptr__rand_number number, uint64_t threads, void *const *arguments) {
  static const char *const plurals[] = { "words", "floats", "doubles", "longs" };
  char kernel[32];
  snprintf(kernel, sizeof kernel, "%s_%s", generator, plurals[number]);
  return vptr__rand_launch(call, stream, kernel, threads, arguments);
}
