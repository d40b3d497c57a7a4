/* SPDX-License-Identifier: MIT */
/*
 * replay - main() for a fuzz target without a fuzzer: runs files, and all files of folders, through it once.
 *
 *     replay [FILE|FOLDER]...      without arguments: the corpus in the tree
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static int runs;

static int run_file(const char *path) {
  enum { LARGEST = 1 << 20 };
  FILE *file = fopen(path, "rb");
  uint8_t *bytes = malloc(LARGEST);
  if (file == NULL || bytes == NULL) {
    perror(path);
    exit(1);
  }
  size_t length = fread(bytes, 1, LARGEST, file);
  fclose(file);
  /* an exact copy: the address sanitizer sees what reads on behind it */
  uint8_t *exact = malloc(length > 0 ? length : 1);
  if (exact == NULL)
    exit(1);
  for (size_t i = 0; i < length; i++)
    exact[i] = bytes[i];
  free(bytes);
  int result = LLVMFuzzerTestOneInput(exact, length);
  free(exact);
  runs++;
  return result;
}

static int run(const char *path) {
  DIR *folder = opendir(path);
  if (folder == NULL)
    return run_file(path);
  int result = 0;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    char name[4096];
    if (entry->d_name[0] != '.' && snprintf(name, sizeof name, "%s/%s", path, entry->d_name) < (int)sizeof name)
      result |= run_file(name);
  }
  closedir(folder);
  return result;
}

int main(int argc, char **argv) {
  int result = 0;
  for (int i = 1; i < argc; i++)
    result |= run(argv[i]);
  if (argc == 1)
    result = run(VPTR_FUZZ_CORPUS);
  printf("%d inputs\n", runs);
  return result != 0 || runs == 0;
}
