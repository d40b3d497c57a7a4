/* SPDX-License-Identifier: MIT */
/*
 * translate - CUDA text into a module, for the library that loads modules (translate.h).
 *
 * There is no data and no lock; both outputs are the caller's. Called by cudart/cuda/jit.c, which finds it by dlvsym(),
 * when a program gives it CUDA text for a module. It blocks while the text is translated.
 */
#include "nvrtc/translate.h"

#include <string.h>

#include "base/memory.h"
#include "base/option.h"
#include "nvrtc/header.h"
#include "translate/translate.h"

static vptr__nvrtc_verdict copy_translation(const vptr__translation *made, char **module_out, char **log_out) {
  const char *said = made->log != NULL ? made->log : "";
  char *log = vptr__nvrtc_copy(said, strlen(said));
  char *module = made->module != NULL ? vptr__nvrtc_copy(made->module, strlen(made->module)) : NULL;
  if (log == NULL || (made->module != NULL && module == NULL)) {
    vptr__memory_free(log);
    vptr__memory_free(module);
    return VPTR__NVRTC_OUT_OF_MEMORY;
  }
  *log_out = log;
  *module_out = module;
  return module != NULL ? VPTR__NVRTC_DONE : VPTR__NVRTC_ERRORS;
}

vptr__nvrtc_verdict vptr__nvrtc_translate(const char *text, size_t length, char **module_out, char **log_out) {
  const vptr__nvrtc_options options = { 0 };
  const vptr__translate_options wanted = { .finds_buffers = vptr__option_flag(VPTR__OPTION_FINDS_BUFFERS) };
  vptr__nvrtc_headers headers;
  vptr__translation made;
  vptr__nvrtc_headers_begin(&headers, NULL, &options);
  bool is_done = vptr__translate("module", text, length, &headers.reader, &wanted, &made);
  vptr__nvrtc_headers_end(&headers);
  if (!is_done)
    return VPTR__NVRTC_OUT_OF_MEMORY;
  vptr__nvrtc_verdict verdict = copy_translation(&made, module_out, log_out);
  vptr__translate_free(&made);
  return verdict;
}

void vptr__nvrtc_free(char *text) {
  vptr__memory_free(text);
}
