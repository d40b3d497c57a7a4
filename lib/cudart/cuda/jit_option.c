/* SPDX-License-Identifier: MIT */
/*
 * jit_option - reading the options of calls that take an image, and writing their logs (jit_option.h).
 *
 * No data and no lock. Called by library.c; by driver/module.c, for cuModuleLoadDataEx(), and driver/link.c, for a
 * linker's state and what is added to it. Options that are CUDA's and not about logs have no effect. Nothing blocks.
 */
#include "cuda/jit_option.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

#include <vptr/cuda/vptr_driver_types.h>

/* Enumerations of two interfaces, in as many bytes. */
static unsigned option_at(const void *options, unsigned index) {
  unsigned option;
  _Static_assert(sizeof option == sizeof(CUjit_option), "an option is one of these");
  memcpy(&option, (const unsigned char *)options + index * sizeof option, sizeof option);
  return option;
}

static cudaError_t check_options(const char *call, unsigned count, const void *options, void **values) {
  if (count > 0 && (options == NULL || values == NULL)) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: there are %u options, and no places where they are", call, count);
    return cudaErrorInvalidValue;
  }
  for (unsigned i = 0; i < count; i++)
    if (option_at(options, i) >= CU_JIT_NUM_OPTIONS) {
      vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: option %u is %u, which CUDA does not know; they are 0 to %d",
                  call, i, option_at(options, i), CU_JIT_NUM_OPTIONS - 1);
      return cudaErrorInvalidValue;
    }
  return cudaSuccess;
}

/* CUDA passes sizes as the value itself, in place of its address. */
static void read_size(vptr__cuda_log_room *room, void **value) {
  room->size = (unsigned)(uintptr_t)*value;
  room->size_place = value;
}

cudaError_t vptr__cuda_jit_read(const char *call, unsigned count, const void *options, void **values,
                                vptr__cuda_jit_logs *logs_out) {
  cudaError_t error = check_options(call, count, options, values);
  *logs_out = (vptr__cuda_jit_logs){ .info = { 0 } };
  for (unsigned i = 0; i < count && error == cudaSuccess; i++)
    switch (option_at(options, i)) {
    case CU_JIT_INFO_LOG_BUFFER:
      logs_out->info.bytes = values[i];
      break;
    case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
      read_size(&logs_out->info, &values[i]);
      break;
    case CU_JIT_ERROR_LOG_BUFFER:
      logs_out->error.bytes = values[i];
      break;
    case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
      read_size(&logs_out->error, &values[i]);
      break;
    default:
      break;
    }
  return error;
}

static void write_log(const vptr__cuda_log_room *room, const char *text) {
  size_t length = 0;
  if (room->bytes != NULL && room->size > 0) {
    snprintf(room->bytes, room->size, "%s", text);
    length = strlen(room->bytes);
  }
  if (room->size_place != NULL)
    *room->size_place = (void *)(uintptr_t)length;
}

void vptr__cuda_jit_write(const vptr__cuda_jit_logs *logs, const char *error) {
  write_log(&logs->info, "");
  write_log(&logs->error, error);
}
