/* SPDX-License-Identifier: MIT */
/*
 * ptx_convert - see ptx_convert.h.
 *
 * An integer becomes another one by being cut and extended; to and from reals CUDA has a function for each rounding
 * (__float2int_rz), for integers of 32 and 64 bits, from which narrower ones are cut at their limits.
 */
#include "ptx_convert.h"

#include <stdlib.h>
#include <string.h>

#include "type.h"

typedef struct conversion {
  const char *to, *from; /* "s32", "f64" */
  unsigned to_bits, from_bits;
  const char *rounding; /* "rn", "rz", "rd", "ru" */
  bool is_integral;     /* rni and its kin */
  bool is_saturated;
  char text[400];
} conversion;

static bool is_real(const char *type) {
  return *type == 'f' || *type == 'b';
}

static unsigned bits_of(const char *type) {
  return (unsigned)strtoul(type + strcspn(type, "0123456789"), NULL, 10);
}

static void read_rounding(const kc_ptx_work *work, const char *part, conversion *conversion) {
  static const char *const names[][2] = { { "rn", "rn" }, { "rz", "rz" }, { "rm", "rd" }, { "rp", "ru" } };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(names[i][0], part, 2) == 0 && (part[2] == 0 || strcmp(part + 2, "i") == 0)) {
      conversion->rounding = names[i][1];
      conversion->is_integral = part[2] == 'i';
      return;
    }
  if (strcmp(part, "sat") == 0)
    conversion->is_saturated = true;
  else if (strcmp(part, "ftz") != 0)
    kc_ptx_refuse(work, "kernels have no such conversion");
}

static void read_conversion(const kc_ptx_work *work, conversion *conversion) {
  const kc_ptx_instruction *instruction = work->instruction;
  if (instruction->part_count < 3)
    kc_ptx_refuse(work, "a conversion has two types");
  conversion->to = instruction->parts[instruction->part_count - 2];
  conversion->from = instruction->parts[instruction->part_count - 1];
  conversion->to_bits = bits_of(conversion->to);
  conversion->from_bits = bits_of(conversion->from);
  conversion->rounding = "rn";
  for (unsigned i = 1; i + 2 < instruction->part_count; i++)
    read_rounding(work, instruction->parts[i], conversion);
}

/* ---- the expression ---------------------------------------------------------------------------------------- */

static const char *wide_name(const char *type, unsigned bits) {
  return bits == 64 ? (*type == 's' ? "ll" : "ull") : *type == 's' ? "int" : "uint";
}

static const char *c_type(const char *type, unsigned bits) {
  static const char *const names[][2] = {
    { "u8", "signed char" }, { "u16", "short" }, { "u32", "int" }, { "u64", "long long" }
  };
  return names[bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3][*type == 's'];
}

/* Within an integer's limits, of an expression that is unsigned, or signed. */
static void print_limited(conversion *conversion, const char *value, bool is_unsigned) {
  unsigned bits = conversion->to_bits;
  bool is_to_unsigned = *conversion->to == 'u';
  unsigned long long greatest = is_to_unsigned ? ~0ull >> (64 - bits) : (1ull << (bits - 1)) - 1;
  if (is_unsigned)
    snprintf(conversion->text, sizeof conversion->text, "((u%u)min((u64)%s, %lluull))", bits, value, greatest);
  else if (is_to_unsigned && bits == 64)
    snprintf(conversion->text, sizeof conversion->text, "((u64)max((long long)%s, 0ll))", value);
  else
    snprintf(conversion->text, sizeof conversion->text, "((u%u)max(%s%lldll%s, min((long long)%s, %lldll)))", bits,
             is_to_unsigned ? "" : "-", is_to_unsigned ? 0ll : (long long)greatest, is_to_unsigned ? "" : " - 1ll",
             value, (long long)greatest);
}

static void of_integers(conversion *conversion) {
  char value[60];
  const char *from = c_type(conversion->from, conversion->from_bits);
  snprintf(value, sizeof value, "((%s)%%0)", from);
  if (conversion->is_saturated)
    print_limited(conversion, value, *conversion->from == 'u');
  else
    snprintf(conversion->text, sizeof conversion->text, "((u%u)%s)", conversion->to_bits, value);
}

/* A real operand as float or double. */
static const char *real_value(const conversion *conversion) {
  if (strcmp(conversion->from, "f16") == 0)
    return "vptr_half_to_float(%0)";
  if (strcmp(conversion->from, "bf16") == 0)
    return "__uint_as_float((u32)%0 << 16)";
  return "%0";
}

static void real_to_integer(conversion *conversion) {
  char value[120];
  unsigned bits = conversion->to_bits == 64 ? 64 : 32;
  bool is_narrow = conversion->to_bits < 32;
  const char *type = is_narrow ? "s32" : conversion->to; /* of which a narrower one is cut */
  snprintf(value, sizeof value, "__%s2%s_%s(%s)", conversion->from_bits == 64 ? "double" : "float",
           wide_name(type, bits), conversion->rounding, real_value(conversion));
  if (is_narrow)
    print_limited(conversion, value, false);
  else
    snprintf(conversion->text, sizeof conversion->text, "((u%u)%s)", bits, value);
}

static unsigned way_of(const char *rounding) {
  return strcmp(rounding, "rn") == 0 ? 0 : strcmp(rounding, "rz") == 0 ? 1 : strcmp(rounding, "rd") == 0 ? 2 : 3;
}

/* A float as the bits of 16. */
static void narrowed(const kc_ptx_work *work, conversion *conversion, const char *value) {
  unsigned way = way_of(conversion->rounding);
  if (strcmp(conversion->to, "bf16") == 0 && way > 1)
    kc_ptx_refuse(work, "kernels have no such conversion");
  if (strcmp(conversion->to, "bf16") == 0)
    snprintf(conversion->text, sizeof conversion->text, "vptr_float_to_bfloat16(%s, %uu)", value, way);
  else if (way == 0)
    snprintf(conversion->text, sizeof conversion->text, "vptr_float_to_half(%s)", value);
  else
    snprintf(conversion->text, sizeof conversion->text, "vptr_float_to_half_by(%s, %uu)", value, way);
}

static void integer_to_real(const kc_ptx_work *work, conversion *conversion) {
  char value[160];
  unsigned bits = conversion->from_bits == 64 ? 64 : 32;
  const char *extended = c_type(conversion->from, conversion->from_bits);
  bool is_exact = conversion->to_bits == 64 && bits == 32;
  if (is_exact)
    snprintf(conversion->text, sizeof conversion->text, "((double)(%s)%%0)", extended);
  else
    snprintf(value, sizeof value, "__%s2%s_%s((%s)(%s)%%0)", wide_name(conversion->from, bits),
             conversion->to_bits == 64 ? "double" : "float", conversion->to_bits == 16 ? "rn" : conversion->rounding,
             c_type(conversion->from, bits), extended);
  if (!is_exact && conversion->to_bits == 16)
    narrowed(work, conversion, value);
  else if (!is_exact)
    snprintf(conversion->text, sizeof conversion->text, "%s", value);
}

static void of_reals(const kc_ptx_work *work, conversion *conversion) {
  const char *value = real_value(conversion);
  const char *suffix = conversion->from_bits == 64 ? "" : "f";
  static const char *const functions[] = { "rint", "trunc", "floor", "ceil" };
  char whole[120];
  snprintf(whole, sizeof whole, "%s", value);
  if (conversion->is_integral)
    snprintf(whole, sizeof whole, "%s%s(%s)", functions[way_of(conversion->rounding)], suffix, value);
  if (conversion->to_bits == 16 && conversion->from_bits == 64)
    kc_ptx_refuse(work, "kernels have no such conversion");
  if (conversion->to_bits == 16)
    narrowed(work, conversion, whole);
  else if (conversion->to_bits == 32 && conversion->from_bits == 64)
    snprintf(conversion->text, sizeof conversion->text, "__double2float_%s(%s)", conversion->rounding, whole);
  else if (conversion->to_bits == 64 && conversion->from_bits != 64)
    snprintf(conversion->text, sizeof conversion->text, "((double)%s)", whole);
  else
    snprintf(conversion->text, sizeof conversion->text, "(%s)", whole);
  if (!conversion->is_saturated)
    return;
  if (conversion->to_bits != 32)
    kc_ptx_refuse(work, "kernels have no such conversion");
  char text[sizeof conversion->text];
  memcpy(text, conversion->text, sizeof text);
  snprintf(conversion->text, sizeof conversion->text, "__saturatef(%.380s)", text);
}

/* ---- all of them ------------------------------------------------------------------------------------------- */

/* cvt.rn.f16x2.f32 d, a, b: a is the upper half. */
static void convert_pair(kc_ptx_work *work, bool is_bfloat) {
  const kc_ptx_operand *operands = work->instruction->operands;
  conversion conversion = { .to = is_bfloat ? "bf16" : "f16", .from = "f32", .to_bits = 16, .from_bits = 32 };
  conversion.rounding = kc_ptx_has(work->instruction, "rz") ? "rz" : "rn";
  char text[900], high[sizeof conversion.text];
  if (work->instruction->operand_count != 3 || kc_ptx_has(work->instruction, "relu"))
    kc_ptx_refuse(work, "kernels have no such conversion");
  narrowed(work, &conversion, "%0");
  memcpy(high, conversion.text, sizeof high);
  narrowed(work, &conversion, "%1");
  snprintf(text, sizeof text, "((u32)%s << 16 | %s)", high, conversion.text);
  LLVMTypeRef real = kc_ptx_type(work, "f32");
  LLVMValueRef values[] = { kc_ptx_get(work, &operands[1], real), kc_ptx_get(work, &operands[2], real) };
  kc_ptx_put(work, &operands[0], kc_ptx_expression(work, text, kc_ptx_type(work, "b32"), values, 2, false), false);
}

void kc_ptx_convert(kc_ptx_work *work) {
  const kc_ptx_instruction *instruction = work->instruction;
  conversion conversion = { .to = NULL };
  if (kc_ptx_has(instruction, "f16x2") || kc_ptx_has(instruction, "bf16x2")) {
    convert_pair(work, kc_ptx_has(instruction, "bf16x2"));
    return;
  }
  read_conversion(work, &conversion);
  LLVMTypeRef to = kc_ptx_type(work, conversion.to), from = kc_ptx_type(work, conversion.from);
  if (to == NULL || from == NULL || instruction->operand_count != 2 || kc_is_pointer(from))
    kc_ptx_refuse(work, "kernels have no such conversion");
  if (is_real(conversion.to) && is_real(conversion.from))
    of_reals(work, &conversion);
  else if (is_real(conversion.to))
    integer_to_real(work, &conversion);
  else if (is_real(conversion.from))
    real_to_integer(&conversion);
  else
    of_integers(&conversion);
  LLVMValueRef value = kc_ptx_get(work, &instruction->operands[1], from);
  kc_ptx_put(work, &instruction->operands[0], kc_ptx_expression(work, conversion.text, to, &value, 1, false),
             kc_ptx_is_signed(conversion.to));
}
