/* SPDX-License-Identifier: MIT */
/*
 * jit_option - reading the options of calls that take an image, and writing their logs (jit_option.h).
 *
 * No data and no lock. Called by module.c, for cuModuleLoadDataEx(), and link.c, for a linker's state and what is added
 * to it. Options that are CUDA's and not about logs have no effect. Nothing blocks.
 */
#include "driver/jit_option.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "driver/context.h"

static CUresult check_options(const char *call, unsigned count, const CUjit_option *options, void **values) {
  if (count > 0 && (options == NULL || values == NULL))
    return vptr__driver_invalid(call, "there are options, and no places where they are");
  for (unsigned i = 0; i < count; i++)
    if ((unsigned)options[i] >= CU_JIT_NUM_OPTIONS)
      return vptr__driver_invalid(call, "an option is none of CUDA's");
  return CUDA_SUCCESS;
}

/* CUDA passes sizes as the value itself, in place of its address. */
static void read_size(vptr__driver_log_room *room, void **value) {
  room->size = (unsigned)(uintptr_t)*value;
  room->size_place = value;
}

CUresult vptr__driver_read_options(const char *call, unsigned count, const CUjit_option *options, void **values,
                                   vptr__driver_logs *logs_out) {
  CUresult result = check_options(call, count, options, values);
  *logs_out = (vptr__driver_logs){ .info = { 0 } };
  for (unsigned i = 0; i < count && result == CUDA_SUCCESS; i++)
    switch (options[i]) {
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
  return result;
}

static void write_log(const vptr__driver_log_room *room, const char *text) {
  size_t length = 0;
  if (room->bytes != NULL && room->size > 0) {
    snprintf(room->bytes, room->size, "%s", text);
    length = strlen(room->bytes);
  }
  if (room->size_place != NULL)
    *room->size_place = (void *)(uintptr_t)length;
}

void vptr__driver_write_logs(const vptr__driver_logs *logs, const char *error) {
  write_log(&logs->info, "");
  write_log(&logs->error, error);
}
