/* SPDX-License-Identifier: MIT */
/* pointer - a program that uses libvptr alone; --version prints the version of the headers it was built with. */
#include <vptr/vptr.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--version") == 0) {
    puts(VPTR_VERSION_STRING);
    return vptr_version() == VPTR_VERSION ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  void *memory;
  char there[] = "a device", back[sizeof there] = "";
  if (vptr_malloc(NULL, sizeof there, &memory) != VPTR_SUCCESS ||
      vptr_memcpy(NULL, memory, there, sizeof there) != VPTR_SUCCESS ||
      vptr_memcpy(NULL, back, (char *)memory + 2, sizeof there - 2) != VPTR_SUCCESS ||
      vptr_get_offset(NULL, (char *)memory + 2) != 2 || vptr_free(NULL, memory) != VPTR_SUCCESS) {
    fprintf(stderr, "%s\n", vptr_last_error());
    return EXIT_FAILURE;
  }
  return strcmp(back, "device") == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
