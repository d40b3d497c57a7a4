/* SPDX-License-Identifier: MIT */
/*
 * kernel - the module of the library's own kernels; see kernel.h.
 *
 * Lock: `lock`, of rank UNIT, since reading a module takes others. Called by lanes.c, quasi.c and twister.c. The first call of a kernel on
 * a device waits for the driver's compiler.
 */
#include "curand/kernel.h"

#include "base/error.h"
#include "base/lock.h"
#include "curand/kernel_text.h"
#include "module/module.h"

#include <stdio.h>

enum { BLOCK = 64 };

static struct {
  vptr__lock lock;
  vptr__module *module; /* NULL: not read yet */
} kernels = { .lock = VPTR__LOCK_INIT(VPTR__RANK_UNIT) };

static vptr_status find_function(const char *name, vptr__function **function_out) {
  vptr_status status = VPTR_SUCCESS;
  vptr__lock_take(&kernels.lock);
  if (kernels.module == NULL)
    status = vptr__module_load(vptr__rand_kernel_text, vptr__rand_kernel_text_length, &kernels.module);
  vptr__function *found = status == VPTR_SUCCESS ? vptr__module_function(kernels.module, name) : NULL;
  vptr__lock_give(&kernels.lock);
  if (status == VPTR_SUCCESS && found == NULL)
    return vptr__error(VPTR_ERROR_CORRUPT, "libvptr-curand has no kernel %s: its parts are of different builds",
                       name);
  *function_out = found;
  return status;
}

vptr_status vptr__rand_launch(const char *call, vptr__stream *stream, const char *kernel, uint64_t threads,
                              void *const *arguments) {
  vptr__function *function = NULL;
  vptr__launch launch = { .what = call,
                          .grid = { (uint32_t)((threads - 1) / BLOCK + 1), 1, 1 },
                          .block = { BLOCK, 1, 1 },
                          .arguments = arguments };
  vptr_status status = find_function(kernel, &function);
  return status == VPTR_SUCCESS ? vptr__function_launch(function, stream, &launch) : status;
}

vptr_status vptr__rand_launch_fill(const char *call, vptr__stream *stream, const char *generator,
                                   vptr__rand_number number, uint64_t threads, void *const *arguments) {
  static const char *const plurals[] = { "words", "floats", "doubles", "longs" };
  char kernel[32];
  snprintf(kernel, sizeof kernel, "%s_%s", generator, plurals[number]);
  return vptr__rand_launch(call, stream, kernel, threads, arguments);
}
