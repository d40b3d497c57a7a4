/* SPDX-License-Identifier: MIT */
/*
 * opencl_helper - builds kernels of the library's own, and keeps on disk what was built and what trials with them
 * showed.
 *
 * A driver takes some 70 ms to compile even a kernel of one line (PoCL 3.1), and a first launch would wait for it. So
 * what was compiled is kept on disk as users' programs are (base/binary.h), and so is the outcome of a trial if it
 * was good: under the text of the trial's kernels, the device and its driver, so that a change of any makes the trial
 * anew. A refusal is not kept, since a driver may refuse for want of something that a later process has.
 *
 * No state and no locks of its own: what is shared is on disk, and callers hold vptr__opencl.lock (opencl.h), of rank
 * DEVICE. A program is its caller's to release. Nothing here says an error; the codes are the caller's to put into
 * words. Called by opencl_address.c, opencl_blit.c and opencl_system.c. A build blocks while the driver compiles.
 */
#include "device/opencl.h"

#include "base/error.h"
#include "base/memory.h"
#include "device/program_key.h"

#include <string.h>

static vptr__program_source program_of(const char *text) {
  return (vptr__program_source){ .text = text, .length = strlen(text), .options = "" };
}

/* The key of what a trial has shown. Options in this form are no driver's. */
static vptr__program_source verdict_of(const char *text) {
  return (vptr__program_source){ .text = text, .length = strlen(text), .options = "a trial's verdict" };
}

static cl_int build_cl_program(vptr__device *device, const vptr__program_source *source, cl_program *program_out) {
  cl_int code;
  cl_program program = vptr__opencl_program_make(device, source, &code);
  if (code != CL_SUCCESS)
    return code;
  code = clBuildProgram(program, 1, &device->cl_device, source->options, NULL, NULL);
  if (code == CL_SUCCESS)
    *program_out = program;
  else
    clReleaseProgram(program);
  return code;
}

static bool build_kept(vptr__device *device, const vptr__binary_key *key, vptr__program_source source,
                       cl_program *program_out) {
  unsigned char *binary;
  if (!vptr__binary_load(key, &binary, &source.binary_size))
    return false;
  source.binary = binary;
  cl_int code = build_cl_program(device, &source, program_out);
  vptr__memory_free(binary);
  return code == CL_SUCCESS;
}

static void keep_built_binary(vptr__device *device, const vptr__binary_key *key, cl_program program) {
  unsigned char *binary;
  size_t size;
  vptr__error_try();
  if (vptr__opencl_program_binary(device, program, &binary, &size) == VPTR_SUCCESS) {
    vptr__binary_keep(key, binary, size);
    vptr__memory_free(binary);
  }
  vptr__error_tried(VPTR_SUCCESS);
}

cl_int vptr__opencl_helper_build(vptr__device *device, const char *text, cl_program *program_out) {
  const vptr__program_source source = program_of(text);
  const vptr__binary_key key = vptr__binary_key_of(device, &source);
  if (build_kept(device, &key, source, program_out))
    return CL_SUCCESS;
  cl_int code = build_cl_program(device, &source, program_out);
  if (code == CL_SUCCESS && vptr__binary_is_on())
    keep_built_binary(device, &key, *program_out);
  return code;
}

static const unsigned char yes[] = { 'y', 'e', 's' };

bool vptr__opencl_helper_recalls(const vptr__device *device, const char *text) {
  const vptr__program_source source = verdict_of(text);
  const vptr__binary_key key = vptr__binary_key_of(device, &source);
  unsigned char *found;
  size_t size;
  if (!vptr__binary_load(&key, &found, &size))
    return false;
  bool recalls = size == sizeof yes && memcmp(found, yes, sizeof yes) == 0;
  vptr__memory_free(found);
  return recalls;
}

void vptr__opencl_helper_remember(const vptr__device *device, const char *text) {
  const vptr__program_source source = verdict_of(text);
  const vptr__binary_key key = vptr__binary_key_of(device, &source);
  vptr__binary_keep(&key, yes, sizeof yes);
}
