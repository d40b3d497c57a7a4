/* SPDX-License-Identifier: MIT */
/*
 * ptx - making a module of a PTX text: it is surveyed (survey.c), and written anew (writer.c).
 *
 * No data, no locks: the survey is a variable of the call's, and the module that is made is the caller's. Called by
 * cudart/cuda/foreign.c. Fails without host memory, and for texts that are no PTX.
 */
#include "nvidia/ptx.h"

#include "base/error.h"
#include "base/memory.h"
#include "nvidia/survey.h"
#include "nvidia/writer.h"

#include <stdlib.h>
#include <string.h>

/* The stream's memory is the C library's. */
static vptr_status take_over(const char *written, size_t length, char **module_out) {
  char *module = vptr__memory_calloc(length + 1, 1);
  if (module == NULL)
    return vptr__error_host_memory(length + 1);
  memcpy(module, written, length);
  *module_out = module;
  return VPTR_SUCCESS;
}

static vptr_status write_module(const vptr__ptx_survey *survey, char **module_out) {
  char *written = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&written, &length);
  if (out == NULL)
    return vptr__error_host_memory(survey->length);
  vptr_status status = vptr__ptx_write(survey, out);
  bool has_failed = ferror(out) != 0;
  has_failed |= fclose(out) != 0;
  if (status == VPTR_SUCCESS && has_failed)
    status = vptr__error_host_memory(2 * survey->length);
  if (status == VPTR_SUCCESS)
    status = take_over(written, length, module_out);
  free(written);
  return status;
}

vptr_status vptr__ptx_translate(const char *text, size_t length, char **module_out) {
  vptr__ptx_survey survey;
  vptr_status status = vptr__ptx_survey_read(text, length, &survey);
  if (status == VPTR_SUCCESS)
    status = write_module(&survey, module_out);
  vptr__ptx_survey_free(&survey);
  return status;
}
