/* SPDX-License-Identifier: MIT */
/*
 * program - making and destroying programs, and handing out what they hold; see program.h.
 *
 * A program is its caller's from nvrtcCreateProgram() to nvrtcDestroyProgram(); its own mutex guards it in between, and
 * there is no other data. What NVRTC calls PTX is the module's text here, and so is a CUBIN, if the program was
 * compiled for a real architecture; LTO-IR and OptiX-IR have no bytes. Called by programs alone; a call waits while
 * another thread compiles the same program.
 */
#include "nvrtc/program.h"

#include <string.h>

#include "base/memory.h"

static void free_program(nvrtcProgram program) {
  vptr__memory_free(program->source);
  vptr__memory_free(program->name);
  vptr__memory_free(program->module);
  vptr__nvrtc_list_free(&program->headers);
  vptr__nvrtc_list_free(&program->header_names);
  vptr__nvrtc_list_free(&program->expressions);
  vptr__nvrtc_list_free(&program->lowered);
  vptr__nvrtc_text_free(&program->log);
  pthread_mutex_destroy(&program->mutex);
  vptr__memory_free(program);
}

static bool has_headers(int count, const char *const *headers, const char *const *names) {
  if (count < 0 || (count > 0 && (headers == NULL || names == NULL)))
    return false;
  for (int i = 0; i < count; i++)
    if (headers[i] == NULL || names[i] == NULL)
      return false;
  return true;
}

static bool fill_program(nvrtcProgram program, const char *source, const char *name, int count,
                         const char *const *headers, const char *const *names) {
  program->source = vptr__nvrtc_copy(source, strlen(source));
  program->name = vptr__nvrtc_copy(name, strlen(name));
  for (int i = 0; i < count; i++) {
    vptr__nvrtc_list_add(&program->headers, headers[i], strlen(headers[i]));
    vptr__nvrtc_list_add(&program->header_names, names[i], strlen(names[i]));
  }
  return program->source != NULL && program->name != NULL && !program->headers.failed &&
         !program->header_names.failed;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *prog, const char *src, const char *name, int numHeaders,
                               const char *const *headers, const char *const *includeNames) {
  if (prog == NULL)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (src == NULL || !has_headers(numHeaders, headers, includeNames))
    return NVRTC_ERROR_INVALID_INPUT;
  nvrtcProgram program = vptr__memory_calloc(1, sizeof *program);
  if (program == NULL)
    return NVRTC_ERROR_OUT_OF_MEMORY;
  pthread_mutex_init(&program->mutex, NULL);
  bool is_named = name != NULL && name[0] != '\0';
  if (!fill_program(program, src, is_named ? name : "default_program", numHeaders, headers, includeNames)) {
    free_program(program);
    return NVRTC_ERROR_OUT_OF_MEMORY;
  }
  *prog = program;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *prog) {
  if (prog == NULL || *prog == NULL)
    return NVRTC_ERROR_INVALID_PROGRAM;
  free_program(*prog);
  *prog = NULL;
  return NVRTC_SUCCESS;
}

/* ---- outputs -------------------------------------------------------------------------------------------- */

typedef enum output { MODULE, BINARY, NONE, LOG } output;

/* Texts end with a zero, which counts; what there is not has no bytes at all. */
static size_t bytes_of(nvrtcProgram program, output which, const char **bytes_out) {
  const char *bytes = which == LOG ? program->log.bytes : program->module;
  size_t length = which == LOG ? program->log.length : program->module_length;
  if (which == NONE || (which == BINARY && (bytes == NULL || !program->is_real)))
    return 0;
  *bytes_out = bytes != NULL ? bytes : "";
  return bytes != NULL ? length + 1 : 1;
}

static nvrtcResult get_size(nvrtcProgram program, output which, size_t *size_out) {
  const char *bytes;
  if (program == NULL)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (size_out == NULL)
    return NVRTC_ERROR_INVALID_INPUT;
  pthread_mutex_lock(&program->mutex);
  *size_out = bytes_of(program, which, &bytes);
  pthread_mutex_unlock(&program->mutex);
  return NVRTC_SUCCESS;
}

static nvrtcResult get_output(nvrtcProgram program, output which, char *out) {
  const char *bytes;
  if (program == NULL)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (out == NULL)
    return NVRTC_ERROR_INVALID_INPUT;
  pthread_mutex_lock(&program->mutex);
  size_t size = bytes_of(program, which, &bytes);
  if (size > 0)
    memcpy(out, bytes, size);
  pthread_mutex_unlock(&program->mutex);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t *ptxSizeRet) {
  return get_size(prog, MODULE, ptxSizeRet);
}

nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char *ptx) {
  return get_output(prog, MODULE, ptx);
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t *cubinSizeRet) {
  return get_size(prog, BINARY, cubinSizeRet);
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char *cubin) {
  return get_output(prog, BINARY, cubin);
}

nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram prog, size_t *LTOIRSizeRet) {
  return get_size(prog, NONE, LTOIRSizeRet);
}

nvrtcResult nvrtcGetLTOIR(nvrtcProgram prog, char *LTOIR) {
  return get_output(prog, NONE, LTOIR);
}

nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram prog, size_t *optixirSizeRet) {
  return get_size(prog, NONE, optixirSizeRet);
}

nvrtcResult nvrtcGetOptiXIR(nvrtcProgram prog, char *optixir) {
  return get_output(prog, NONE, optixir);
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t *logSizeRet) {
  return get_size(prog, LOG, logSizeRet);
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char *log) {
  return get_output(prog, LOG, log);
}
