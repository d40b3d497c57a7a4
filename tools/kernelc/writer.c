/* SPDX-License-Identifier: MIT */
/* writer - see writer.h. */
#include "writer.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "place.h"

void kc_print(kc_writer *writer, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(writer->out, format, arguments);
  va_end(arguments);
}

void *kc_allocate(size_t count, size_t size) {
  void *memory = calloc(count > 0 ? count : 1, size);
  if (memory != NULL)
    return memory;
  fputs("vptr-kernelc: error: memory is out\n", stderr);
  exit(1);
}

static bool print_place(LLVMValueRef value) {
  kc_place place;
  if (value == NULL || !kc_place_of(value, &place))
    return false;
  fprintf(stderr, "%.*s:%u:", place.length, place.file, place.line);
  if (place.column > 0)
    fprintf(stderr, "%u:", place.column);
  fputc(' ', stderr);
  return true;
}

void kc_refuse(kc_writer *writer, const char *format, ...) {
  va_list arguments;
  LLVMValueRef function = writer->kernel != NULL ? writer->kernel->function : NULL;
  int length = 0;
  size_t characters = 0;
  if (!print_place(writer->instruction) && !print_place(function))
    fprintf(stderr, "%s: ", LLVMGetSourceFileName(writer->module, &characters));
  fputs("error: ", stderr);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  if (function != NULL) {
    const char *name = kc_place_function_name(function, &length);
    fprintf(stderr, " (in kernel %.*s)", length, name);
  }
  fputc('\n', stderr);
  writer->errors++;
  longjmp(writer->refused, 1);
}

void kc_begin(kc_writer *writer, kc_text *text) {
  text->before = writer->out;
  writer->out = open_memstream(&text->text, &text->length);
  if (writer->out == NULL) {
    fputs("vptr-kernelc: error: memory is out\n", stderr);
    exit(1);
  }
}

void kc_end(kc_writer *writer, kc_text *text) {
  fclose(writer->out);
  writer->out = text->before;
}

bool kc_starts(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}
