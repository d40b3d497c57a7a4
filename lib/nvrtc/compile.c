/* SPDX-License-Identifier: MIT */
/*
 * compile - nvrtcCompileProgram(): options, headers and text go to the translator, a module and a log come back.
 *
 * The file has no data: a program is its caller's (program.h), whose mutex is held meanwhile. Called by programs alone.
 * It blocks while the text is translated; for a program that needs clang about a second.
 */
#include <string.h>

#include "base/memory.h"
#include "nvrtc/clang.h"
#include "nvrtc/header.h"
#include "nvrtc/option.h"
#include "nvrtc/program.h"
#include "translate/translate.h"

static void clear_results(nvrtcProgram program) {
  vptr__memory_free(program->module);
  program->module = NULL;
  program->module_length = 0;
  vptr__nvrtc_list_free(&program->lowered);
  vptr__nvrtc_text_free(&program->log);
}

/* What -include names comes first, as if it stood there; lines are counted from 1 again behind it. */
static void write_text(nvrtcProgram program, const vptr__nvrtc_options *options, vptr__nvrtc_text *text) {
  for (size_t i = 0; i < options->includes.count; i++)
    vptr__nvrtc_text_print(text, "#include \"%s\"\n", options->includes.items[i]);
  if (options->includes.count > 0)
    vptr__nvrtc_text_print(text, "#line 1 \"%s\"\n", program->name);
  vptr__nvrtc_text_add(text, program->source, strlen(program->source));
}

static nvrtcResult store_translation(nvrtcProgram program, const vptr__translation *made,
                                     const vptr__nvrtc_options *options) {
  if (made->log != NULL)
    vptr__nvrtc_text_add(&program->log, made->log, strlen(made->log));
  if (program->log.failed)
    return NVRTC_ERROR_OUT_OF_MEMORY;
  if (made->module == NULL)
    return NVRTC_ERROR_COMPILATION;
  size_t length = strlen(made->module);
  program->module = vptr__nvrtc_copy(made->module, length);
  program->module_length = length;
  program->is_real = options->is_real;
  return program->module != NULL ? vptr__nvrtc_read_lowered(program) : NVRTC_ERROR_OUT_OF_MEMORY;
}

static nvrtcResult translate_program(nvrtcProgram program, const vptr__nvrtc_options *options, const char *text,
                                     size_t length) {
  vptr__nvrtc_headers headers;
  vptr__translation made;
  const vptr__translate_options wanted = {
    .defines = (const char *const *)options->defines.items,
    .names = (const char *const *)program->expressions.items,
    .arch = options->arch,
    .is_rtc = true,
    .default_device = options->default_device,
    .finds_buffers = options->finds_buffers,
    .no_fma = options->no_fma,
    .fast_math = options->fast_math,
    .no_warnings = options->no_warnings,
  };
  vptr__nvrtc_headers_begin(&headers, program, options);
  bool is_done = vptr__translate(program->name, text, length, &headers.reader, &wanted, &made);
  vptr__nvrtc_headers_end(&headers);
  if (!is_done)
    return NVRTC_ERROR_OUT_OF_MEMORY;
  nvrtcResult result = store_translation(program, &made, options);
  vptr__translate_free(&made);
  return result;
}

/* What the own translator has not is clang's, and vptrcc's is what other programs are linked with. If those cannot
 * either, what both said is told. */
static nvrtcResult compile_by_vptrcc(nvrtcProgram program, const vptr__nvrtc_options *options) {
  vptr__nvrtc_text module = { 0 }, log = { 0 };
  nvrtcResult result = vptr__nvrtc_clang_compile(program, options, &module, &log);
  if (result == NVRTC_SUCCESS) {
    vptr__nvrtc_text_free(&program->log);
    program->module = module.bytes;
    program->module_length = module.length;
    program->is_real = options->is_real;
    module = (vptr__nvrtc_text){ 0 };
    result = vptr__nvrtc_read_lowered(program);
  }
  if (log.bytes != NULL)
    vptr__nvrtc_text_add(&program->log, log.bytes, log.length);
  vptr__nvrtc_text_free(&module);
  vptr__nvrtc_text_free(&log);
  return program->log.failed ? NVRTC_ERROR_OUT_OF_MEMORY : result;
}

/* A relocatable program is a whole one where no vptrcc is: all that lacks is what a linker takes. */
static nvrtcResult compile_program(nvrtcProgram program, const vptr__nvrtc_options *options) {
  vptr__nvrtc_text text = { 0 };
  program->was_compiled = true;
  if (options->is_relocatable && vptr__nvrtc_clang_is_there())
    return compile_by_vptrcc(program, options);
  write_text(program, options, &text);
  nvrtcResult result =
      text.failed ? NVRTC_ERROR_OUT_OF_MEMORY : translate_program(program, options, text.bytes, text.length);
  vptr__nvrtc_text_free(&text);
  return result == NVRTC_ERROR_COMPILATION ? compile_by_vptrcc(program, options) : result;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int numOptions, const char *const *options) {
  if (prog == NULL)
    return NVRTC_ERROR_INVALID_PROGRAM;
  vptr__nvrtc_options read;
  pthread_mutex_lock(&prog->mutex);
  clear_results(prog);
  nvrtcResult result = vptr__nvrtc_options_read(numOptions, options, &prog->log, &read);
  if (result == NVRTC_SUCCESS)
    result = compile_program(prog, &read);
  vptr__nvrtc_options_free(&read);
  if (result == NVRTC_ERROR_OUT_OF_MEMORY)
    clear_results(prog);
  pthread_mutex_unlock(&prog->mutex);
  return result;
}
