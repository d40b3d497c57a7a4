/* SPDX-License-Identifier: MIT */
/* setuid - a program with more rights than its caller makes a mistake that is told of; its caller would like to hear
 * where, from a program of his. */
#include <stdio.h>
#include <sys/auxv.h>
#include <vptr/vptr.h>

enum { NO_DEVICE = 2, NOT_SECURE = 3 };

int main(void) {
  void *memory;
  if (getauxval(AT_SECURE) == 0)
    return NOT_SECURE;
  if (vptr_malloc(NULL, 100, &memory) != VPTR_SUCCESS)
    return NO_DEVICE;
  if (vptr_free(NULL, (char *)memory + 4) == VPTR_SUCCESS)
    return 4;
  printf("%s\n", vptr_last_error());
  return vptr_free(NULL, memory) == VPTR_SUCCESS ? 0 : 5;
}
