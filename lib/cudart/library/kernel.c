/* SPDX-License-Identifier: MIT */
/*
 * kernel - finding a kernel of a library's own by its name, in a module that is read when the first is wanted
 * (kernel.h).
 *
 * The file has no data: the vptr__library_kernels is a static of the caller's. Its `lock`, of rank UNIT, guards its
 * `module`, which stays for good, and is held while the module is read. Called by cublas/kernel.c, cufft/kernel.c,
 * curand/kernel.c and cusparse/kernel.c. Nothing waits for a device.
 */
#include "library/kernel.h"

#include "base/error.h"

vptr_status vptr__library_kernel(vptr__library_kernels *kernels, const char *name, vptr__function **function_out) {
  vptr_status status = VPTR_SUCCESS;
  vptr__lock_take(&kernels->lock);
  if (kernels->module == NULL)
    status = vptr__module_load(kernels->text, *kernels->length, &kernels->module);
  vptr__function *found = status == VPTR_SUCCESS ? vptr__module_function(kernels->module, name) : NULL;
  vptr__lock_give(&kernels->lock);
  if (status == VPTR_SUCCESS && found == NULL)
    return vptr__error(VPTR_ERROR_CORRUPT, "libvptr-%s has no kernel %s: its parts are of different builds",
                       kernels->library, name);
  if (status == VPTR_SUCCESS)
    *function_out = found;
  return status;
}
