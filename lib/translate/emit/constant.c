/* SPDX-License-Identifier: MIT */
/* constant - numbers and strings, exact to the last bit: what is read again is what was meant. */
#include "translate/emit/emitter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *literal_suffix(uint64_t size, bool is_signed) {
  if (size == 8)
    return is_signed ? "L" : "UL";
  return is_signed ? "" : "u";
}

/* The value as the type holds it, in 64 bits. */
static uint64_t wrap_to_size(uint64_t value, uint64_t size, bool is_signed) {
  if (size >= 8)
    return value;
  uint64_t mask = (UINT64_C(1) << 8 * size) - 1, sign = UINT64_C(1) << (8 * size - 1);
  value &= mask;
  return is_signed && (value & sign) ? value | ~mask : value;
}

static void write_signed(vptr__writer *out, int64_t value, const char *end) {
  if (value == INT64_MIN)
    vptr__writer_text(out, "(-9223372036854775807L - 1)");
  else if (value == INT32_MIN && *end == '\0')
    vptr__writer_text(out, "(-2147483647 - 1)");
  else
    vptr__writer_format(out, value < 0 ? "(%lld%s)" : "%lld%s", (long long)value, end);
}

void vptr__emit_integer(vptr__emitter *emitter, uint64_t value, const vptr__type *type, vptr__level least) {
  if (type->kind == VPTR__TYPE_BOOL) {
    vptr__writer_text(emitter->out, value != 0 ? "1" : "0");
    return;
  }
  uint64_t size = vptr__type_size(type);
  bool is_signed = vptr__type_is_signed(type), is_small = size < 4;
  bool opened = vptr__emit_open(emitter, is_small ? VPTR__LEVEL_UNARY : VPTR__LEVEL_POSTFIX, least);
  if (is_small) /* no suffix says short or char */
    vptr__writer_format(emitter->out, "(%s)", vptr__emit_scalar(emitter, type));
  value = wrap_to_size(value, size, is_signed);
  if (is_signed || is_small)
    write_signed(emitter->out, (int64_t)value, literal_suffix(size, true));
  else
    vptr__writer_format(emitter->out, "%llu%s", (unsigned long long)value, literal_suffix(size, false));
  vptr__emit_close(emitter, opened);
}

/* The shortest decimal that reads back as the same value. */
static void write_decimal(char *text, size_t room, double value, bool is_float) {
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(text, room, "%.*g", digits, value);
    double again = is_float ? (double)strtof(text, NULL) : strtod(text, NULL);
    if (again == value)
      break;
  }
  if (strpbrk(text, ".e") == NULL)
    strcat(text, ".0");
}

void vptr__emit_floating(vptr__emitter *emitter, double value, bool is_float, vptr__level least) {
  char text[64];
  if (is_float)
    value = (double)(float)value;
  else
    emitter->uses_double = true;
  bool is_special = !isfinite(value), is_negative = signbit(value) != 0;
  bool opened = vptr__emit_open(emitter, is_special || is_negative ? VPTR__LEVEL_UNARY : VPTR__LEVEL_POSTFIX, least);
  if (is_special)
    snprintf(text, sizeof text, "%s%s%s", is_float ? "" : "(double)", is_negative ? "-" : "",
             isnan(value) ? "NAN" : "INFINITY");
  else
    write_decimal(text, sizeof text, value, is_float);
  vptr__writer_format(emitter->out, "%s%s", text, is_float && !is_special ? "f" : "");
  vptr__emit_close(emitter, opened);
}

void vptr__emit_string_bytes(vptr__writer *out, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    unsigned char byte = (unsigned char)text[i];
    if (byte == '"' || byte == '\\' || byte == '?') /* no trigraphs */
      vptr__writer_format(out, "\\%c", byte);
    else if (byte == '\n')
      vptr__writer_text(out, "\\n");
    else if (byte < 32 || byte > 126)
      vptr__writer_format(out, "\\%03o", byte);
    else
      vptr__writer_bytes(out, (const char *)&byte, 1);
  }
}

void vptr__emit_string(vptr__emitter *emitter, const char *text, size_t length) {
  vptr__writer_text(emitter->out, "\"");
  vptr__emit_string_bytes(emitter->out, text, length);
  vptr__writer_text(emitter->out, "\"");
}
