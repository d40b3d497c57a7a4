/* SPDX-License-Identifier: MIT */
/* writer - see writer.h. */
#include "writer.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

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

static void print_place(LLVMValueRef value) {
  unsigned directory_length = 0, length = 0, line = LLVMGetDebugLocLine(value);
  const char *file = LLVMGetDebugLocFilename(value, &length);
  const char *directory = LLVMGetDebugLocDirectory(value, &directory_length);
  if (file == NULL || length == 0)
    return;
  if (*file != '/' && directory != NULL && directory_length > 0 && LLVMIsAFunction(value) == NULL)
    directory = NULL; /* as the command named it */
  fprintf(stderr, "%.*s:%u:", (int)length, file, line);
  if (LLVMIsAInstruction(value) != NULL)
    fprintf(stderr, "%u:", LLVMGetDebugLocColumn(value));
  fputc(' ', stderr);
}

static bool has_place(LLVMValueRef value) {
  unsigned length = 0;
  return value != NULL && LLVMGetDebugLocFilename(value, &length) != NULL && length > 0;
}

void kc_refuse(kc_writer *writer, const char *format, ...) {
  va_list arguments;
  LLVMValueRef function = writer->kernel != NULL ? writer->kernel->function : NULL;
  size_t length = 0;
  if (has_place(writer->instruction))
    print_place(writer->instruction);
  else if (has_place(function))
    print_place(function);
  fputs("error: ", stderr);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  if (function != NULL)
    fprintf(stderr, " (in kernel %s)", LLVMGetValueName2(function, &length));
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
