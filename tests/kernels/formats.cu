/* SPDX-License-Identifier: MIT */
/* formats - see formats.h: by the own front end. */
#include "kernels.h"

#include "formats.h"

int main(void) {
  failures += formats_differ();
  return verdict("formats");
}
