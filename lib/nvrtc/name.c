/* SPDX-License-Identifier: MIT */
/*
 * name - name expressions, and the names in the module that they stand for.
 *
 * The module says so itself, in lines "//vptr expression name=... lowered=..." (module/image.h), percent-encoded
 * where a value would have a space. They are read here by hand, since the module's reader belongs to a library that
 * this one does without.
 *
 * The names are a program's (program.h), whose mutex guards them. Called by programs; and by compile.c, with that mutex
 * held.
 */
#include <string.h>

#include "base/memory.h"
#include "nvrtc/program.h"

static const char word[] = "//vptr expression ";

static int hex_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* A value to its end, decoded. */
static void add_decoded(vptr__nvrtc_text *text, const char *at, const char *end) {
  for (; at < end && *at != ' '; at++) {
    char byte = *at;
    if (byte == '%' && end - at > 2 && hex_digit(at[1]) >= 0 && hex_digit(at[2]) >= 0) {
      byte = (char)(16 * hex_digit(at[1]) + hex_digit(at[2]));
      at += 2;
    }
    vptr__nvrtc_text_add(text, &byte, 1);
  }
}

/* The value of " key=" in a line. */
static void read_value(const char *line, const char *end, const char *key, vptr__nvrtc_text *value_out) {
  size_t length = strlen(key);
  for (const char *at = line; at + length < end; at++)
    if (strncmp(at, key, length) == 0) {
      add_decoded(value_out, at + length, end);
      return;
    }
}

/* The lowered name of an expression, "" if the module has none. */
static void find_lowered(const char *module, const char *expression, vptr__nvrtc_text *lowered_out) {
  for (const char *line = module; strncmp(line, "//vptr", 6) == 0;) {
    const char *end = strchr(line, '\n');
    if (end == NULL)
      return;
    if (strncmp(line, word, sizeof word - 1) == 0) {
      vptr__nvrtc_text name = { 0 };
      read_value(line, end, " name=", &name);
      bool is_it = name.bytes != NULL && strcmp(name.bytes, expression) == 0;
      lowered_out->failed |= name.failed;
      vptr__nvrtc_text_free(&name);
      if (is_it) {
        read_value(line, end, " lowered=", lowered_out);
        return;
      }
    }
    line = end + 1;
  }
}

nvrtcResult vptr__nvrtc_read_lowered(nvrtcProgram program) {
  for (size_t i = 0; i < program->expressions.count; i++) {
    vptr__nvrtc_text lowered = { 0 };
    find_lowered(program->module, program->expressions.items[i], &lowered);
    vptr__nvrtc_list_add(&program->lowered, lowered.bytes, lowered.length);
    program->lowered.failed |= lowered.failed;
    vptr__nvrtc_text_free(&lowered);
  }
  return program->lowered.failed ? NVRTC_ERROR_OUT_OF_MEMORY : NVRTC_SUCCESS;
}

static nvrtcResult add_expression(nvrtcProgram program, const char *expression) {
  if (program->was_compiled)
    return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  if (vptr__nvrtc_list_add(&program->expressions, expression, strlen(expression)) != NULL)
    return NVRTC_SUCCESS;
  program->expressions.failed = false; /* what it holds is whole: this one is simply not in it */
  return NVRTC_ERROR_OUT_OF_MEMORY;
}

static nvrtcResult get_lowered(nvrtcProgram program, const char *expression, const char **lowered_out) {
  if (program->module == NULL)
    return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  for (size_t i = 0; i < program->expressions.count; i++)
    if (strcmp(program->expressions.items[i], expression) == 0 && program->lowered.items[i][0] != '\0') {
      *lowered_out = program->lowered.items[i];
      return NVRTC_SUCCESS;
    }
  return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog, const char *const name_expression) {
  if (prog == NULL)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (name_expression == NULL)
    return NVRTC_ERROR_INVALID_INPUT;
  pthread_mutex_lock(&prog->mutex);
  nvrtcResult result = add_expression(prog, name_expression);
  pthread_mutex_unlock(&prog->mutex);
  return result;
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog, const char *const name_expression, const char **lowered_name) {
  if (prog == NULL)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (name_expression == NULL || lowered_name == NULL)
    return NVRTC_ERROR_INVALID_INPUT;
  pthread_mutex_lock(&prog->mutex);
  nvrtcResult result = get_lowered(prog, name_expression, lowered_name);
  pthread_mutex_unlock(&prog->mutex);
  return result;
}
