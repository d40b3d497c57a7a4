/* SPDX-License-Identifier: MIT */
/* device - see device.h. */
#include "device.h"

#include <vptr/vptr.h>

#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 128 };

/* context: room for the name. */
static void keep_name(const char *section, const char *name, const char *value, const char *why, void *context) {
  (void)why;
  if (strcmp(section, "device") == 0 && strcmp(name, "name") == 0)
    snprintf(context, NAME_SIZE, "%s", value);
}

bool device_is_fake(void) {
  return vptr_get_device(NULL) == NULL;
}

bool device_describe(char *text, size_t size) {
  char name[NAME_SIZE] = "";
  if (vptr_report(NULL, keep_name, name) != VPTR_SUCCESS) {
    fprintf(stderr, "vptr-bench: %s\n", vptr_last_error());
    return false;
  }
  snprintf(text, size, "%s%s", name,
           device_is_fake() ? ", so allocations only, with no OpenCL behind them; --real takes the device there is"
                            : "");
  return true;
}
