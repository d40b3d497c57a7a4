/* SPDX-License-Identifier: MIT */
/*
 * program_kept - builds a program from its binary on disk, or from its text (program_kept.h).
 *
 * No data and no locks: a program is its caller's. A build blocks while the driver compiles. Called by
 * cudart/module/program.c, for modules, by cufft/vkfft.c, for VkFFT's kernels, and by cublas/tensor.c.
 */
#include "device/program_kept.h"

#include "base/error.h"
#include "base/memory.h"
#include "device/program_key.h"

/* From disk, if it is there and the driver takes it. */
static bool build_kept(vptr__device *device, const vptr__binary_key *key, vptr__program_source source,
                       cl_program *program_out) {
  unsigned char *binary;
  if (!vptr__binary_load(key, &binary, &source.binary_size))
    return false;
  source.binary = binary;
  vptr__error_try();
  vptr_status status = device->ops->kernel.program_build(device, &source, program_out);
  vptr__error_tried(VPTR_SUCCESS);
  vptr__memory_free(binary);
  return status == VPTR_SUCCESS;
}

static void keep_binary(vptr__device *device, const vptr__binary_key *key, cl_program program) {
  unsigned char *binary;
  size_t size;
  vptr__error_try();
  if (device->ops->kernel.program_binary(device, program, &binary, &size) == VPTR_SUCCESS) {
    vptr__binary_keep(key, binary, size);
    vptr__memory_free(binary);
  }
  vptr__error_tried(VPTR_SUCCESS);
}

vptr_status vptr__program_build_kept(vptr__device *device, const vptr__program_source *source,
                                     cl_program *program_out) {
  const vptr__binary_key key = vptr__binary_key_of(device, source);
  if (build_kept(device, &key, *source, program_out))
    return VPTR_SUCCESS;
  vptr_status status = device->ops->kernel.program_build(device, source, program_out);
  if (status == VPTR_SUCCESS && vptr__binary_is_on())
    keep_binary(device, &key, *program_out);
  return status;
}
