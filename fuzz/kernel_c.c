/* SPDX-License-Identifier: MIT */
/*
 * kernel_c - the translator as vptrcc runs it on what vptr-kernelc wrote: fuzz/kernelc.sh has its words and its text
 * judged.
 *
 *     kernel_c INPUT.kernel.cu OUTPUT.cl
 */
#include <stdio.h>
#include <stdlib.h>

#include "translate/translate.h"

static char *read_text(const char *path, size_t *length_out) {
  enum { LARGEST = 64 << 20 };
  FILE *file = fopen(path, "rb");
  char *text = malloc(LARGEST);
  if (file == NULL || text == NULL) {
    perror(path);
    exit(2);
  }
  *length_out = fread(text, 1, LARGEST - 1, file);
  text[*length_out] = 0;
  fclose(file);
  return text;
}

static bool write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  return file != NULL && fputs(text, file) >= 0 && fclose(file) == 0;
}

static bool open_nothing(void *context, const char *name, bool is_quoted, const char *includer, const char *after,
                         const char **text_out, size_t *length_out, const char **path_out) {
  (void)context, (void)name, (void)is_quoted, (void)includer, (void)after;
  (void)text_out, (void)length_out, (void)path_out;
  return false;
}

int main(int argc, char **argv) {
  size_t length = 0;
  if (argc != 3) {
    fputs("usage: kernel_c INPUT.kernel.cu OUTPUT.cl\nTranslates kernel C.\n", stderr);
    return 2;
  }
  char *text = read_text(argv[1], &length);
  vptr__reader reader = { .open = open_nothing };
  vptr__translate_options options = { .is_kernel_c = true, .memory_limit = (size_t)1 << 30, .no_warnings = true };
  vptr__translation translation;
  if (!vptr__translate(argv[1], text, length, &reader, &options, &translation)) {
    fputs("kernel_c: error: memory is out\n", stderr);
    return 2;
  }
  fputs(translation.log, stderr);
  bool is_good = translation.module != NULL;
  if (is_good && !write_text(argv[2], translation.module)) {
    perror(argv[2]);
    return 2;
  }
  vptr__translate_free(&translation);
  free(text);
  return is_good ? 0 : 1;
}
