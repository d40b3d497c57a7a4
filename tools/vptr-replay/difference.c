/* SPDX-License-Identifier: MIT */
/* difference - see difference.h. */
#include "difference.h"

#include <math.h>
#include <stdio.h>

static size_t width_of(rp_type type) {
  return type == RP_DOUBLE ? sizeof(double) : type == RP_FLOAT ? sizeof(float) : 1;
}

static double number_at(rp_type type, const unsigned char *bytes) {
  double wide;
  float narrow;
  if (type == RP_DOUBLE)
    return memcpy(&wide, bytes, sizeof wide), wide;
  return memcpy(&narrow, bytes, sizeof narrow), (double)narrow;
}

static bool are_close(const rp_rule *rule, double a, double b) {
  if (isnan(a) || isnan(b))
    return isnan(a) && isnan(b);
  return fabs(a - b) <= rule->tolerance * fmax(fabs(a), fabs(b));
}

size_t rp_difference_find(const rp_rule *rule, const unsigned char *a, const unsigned char *b, size_t size) {
  const size_t width = width_of(rule->type);
  if (memcmp(a, b, size) == 0)
    return size;
  for (size_t at = 0; at < size; at += width) {
    const size_t part = size - at < width ? size - at : width;
    if (memcmp(a + at, b + at, part) == 0)
      continue;
    if (part < width || width == 1 || !are_close(rule, number_at(rule->type, a + at), number_at(rule->type, b + at)))
      return at;
  }
  return size;
}

static const char *kind_name(uint32_t kind) {
  static const char *const names[] = {
    "", "an allocation", "an attached buffer", "pinned memory", "registered memory", "managed memory", "variable"
  };
  return names[kind];
}

void rp_difference_tell(const rp_recording *recording, const rp_launch *launch, uint32_t area, size_t offset,
                        const rp_rule *rule, const unsigned char *a, const unsigned char *b, const char *of_a,
                        const char *of_b) {
  const rp_area *in = &launch->areas[area];
  char line[512];
  rp_launch_line(recording, launch, line, sizeof line);
  printf("launch %llu, of %.*s%s%s, differs\n", (unsigned long long)launch->number, (int)launch->name.length,
         launch->name.at, line[0] != '\0' ? " at " : "", line);
  printf("  first at byte %zu of %s%s%.*s%s at %#llx, of %llu bytes\n", offset, kind_name(in->is.kind),
         in->text.length == 0                 ? ""
         : in->is.kind == VPTR__AREA_VARIABLE ? " "
                                              : " (made at ",
         (int)in->text.length, in->text.at, in->text.length == 0 || in->is.kind == VPTR__AREA_VARIABLE ? "" : ")",
         (unsigned long long)in->is.address, (unsigned long long)in->is.size);
  if (rule->type == RP_BYTES || in->is.size - offset < width_of(rule->type))
    printf("  %s: 0x%02x; %s: 0x%02x\n", of_a, a[0], of_b, b[0]);
  else
    printf("  %s: %.17g; %s: %.17g\n", of_a, number_at(rule->type, a), of_b, number_at(rule->type, b));
}
