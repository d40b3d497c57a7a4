/* SPDX-License-Identifier: MIT */
/*
 * property_table - prints doc/cuda-device-properties.md from the table that the library works by.
 *
 *     make update-properties       writes the document again
 *
 * tests/project/properties.sh compares.
 */
#include "cuda/property.h"

#include <inttypes.h>
#include <stdio.h>

static const char head[] =
    "# CUDA's device properties, and where they come from\n"
    "\n"
    "Made by `make update-properties` from `lib/cudart/cuda/property_table.c`; do not edit.\n"
    "\n"
    "`cudaGetDeviceProperties()` fills in a field, `cudaDeviceGetAttribute()` tells an attribute; both use these "
    "rows.\n"
    "*Asked* is what the device itself answers to the OpenCL query named, and where there are two, to the first it\n"
    "knows. A device that does not answer (the fake device answers nothing) gets the value behind the query, which "
    "is\n"
    "invented. *Known* is what vptr itself has or has not. *Invented* is what OpenCL does not tell.\n"
    "\n"
    "`name` is CL_DEVICE_NAME; `uuid` is CL_DEVICE_UUID_KHR, else made from the name and the ordinal; `luid` and\n"
    "`luidDeviceNodeMask` are Windows's, and 0.\n"
    "\n"
    "| field | attribute | source | value |\n"
    "|---|---|---|---|\n";

static const char *source(const vptr__cuda_property *row) {
  static const char *const names[] = {
    [VPTR__CUDA_INVENTED] = "invented", [VPTR__CUDA_KNOWN] = "known", [VPTR__CUDA_ASKED] = "asked"
  };
  return names[row->source];
}

static void print_value(const vptr__cuda_property *row) {
  if (row->asked != NULL)
    printf("%s", row->asked);
  if (row->multiply != 0)
    printf(" * %u", row->multiply);
  if (row->divide != 0)
    printf(" / %u", row->divide);
  if (row->mask != 0)
    printf(" is not 0");
  if (row->most != 0)
    printf(", at most %" PRId64, row->most);
  printf("%s%" PRId64, row->asked != NULL ? "; else " : "", row->fixed);
}

int main(void) {
  fputs(head, stdout);
  for (size_t i = 0; i < vptr__cuda_property_count; i++) {
    const vptr__cuda_property *row = &vptr__cuda_properties[i];
    printf("| %s | %s | %s | ", row->field != NULL ? row->field : "",
           row->attribute_name != NULL ? row->attribute_name : "", source(row));
    print_value(row);
    printf(row->note != NULL ? " (%s) |\n" : " |\n", row->note);
  }
  return 0;
}
