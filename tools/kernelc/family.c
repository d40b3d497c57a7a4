/* SPDX-License-Identifier: MIT */
/*
 * family - see family.h.
 *
 * clang's headers for CUDA name the functions of NVIDIA's bitcode library: __nv_ and CUDA's own name, with a few
 * differences. The translator has CUDA's functions by their names.
 */
#include "family.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "template.h"
#include "type.h"
#include "value.h"

/* ---- NVIDIA's library ------------------------------------------------------------------------------------ */

static const struct {
  const char *name, *text;
} exceptions[] = {
  { "abs", "((u32)abs(%s0))" },
  { "llabs", "((u64)llabs(%s0))" },
  { "min", "((u32)min(%s0, %s1))" },
  { "max", "((u32)max(%s0, %s1))" },
  { "umin", "min(%0, %1)" },
  { "umax", "max(%0, %1)" },
  { "llmin", "((u64)min(%s0, %s1))" },
  { "llmax", "((u64)max(%s0, %s1))" },
  { "ullmin", "min(%0, %1)" },
  { "ullmax", "max(%0, %1)" },
  { "isnand", "((u32)isnan(%0))" },
  { "isnanf", "((u32)isnan(%0))" },
  { "isinfd", "((u32)isinf(%0))" },
  { "isinff", "((u32)isinf(%0))" },
  { "isfinited", "((u32)isfinite(%0))" },
  { "finitef", "((u32)isfinite(%0))" },
  { "signbitd", "((u32)signbit(%0))" },
  { "signbitf", "((u32)signbit(%0))" },
  { "powi", "pow(%0, (double)%s1)" },
  { "powif", "powf(%0, (float)%s1)" },
  { "mulhi", "((u32)__mulhi(%s0, %s1))" },
  { "umulhi", "__umulhi(%0, %1)" },
  { "mul64hi", "((u64)__mul64hi(%s0, %s1))" },
  { "umul64hi", "__umul64hi(%0, %1)" },
  { "mul24", "((u32)__mul24(%s0, %s1))" },
  { "umul24", "__umul24(%0, %1)" },
  { "sad", "__sad(%s0, %s1, %2)" },
  { "usad", "__usad(%0, %1, %2)" },
  { "hadd", "((u32)__hadd(%s0, %s1))" },
  { "rhadd", "((u32)__rhadd(%s0, %s1))" },
  { "uhadd", "__uhadd(%0, %1)" },
  { "urhadd", "__urhadd(%0, %1)" },
  { "byte_perm", "__byte_perm(%0, %1, %2)" },
  { "brev", "__brev(%0)" },
  { "brevll", "__brevll(%0)" },
  { "clz", "((u32)__clz(%s0))" },
  { "clzll", "((u32)__clzll(%s0))" },
  { "popc", "((u32)__popc(%0))" },
  { "popcll", "((u32)__popcll(%0))" },
  { "ffs", "((u32)__ffs(%s0))" },
  { "ffsll", "((u32)__ffsll(%s0))" },
  { "saturatef", "__saturatef(%0)" },
  { "fdividef", "fdividef(%0, %1)" },
  { "int_as_float", "__uint_as_float(%0)" },
  { "uint_as_float", "__uint_as_float(%0)" },
  { "float_as_int", "__float_as_uint(%0)" },
  { "float_as_uint", "__float_as_uint(%0)" },
  { "longlong_as_double", "__longlong_as_double((long long)%0)" },
  { "double_as_longlong", "((u64)__double_as_longlong(%0))" },
  { "hiloint2double", "__hiloint2double(%s0, %s1)" },
  { "double2hiint", "((u32)__double2hiint(%0))" },
  { "double2loint", "((u32)__double2loint(%0))" },
  { "ilogb", "((u32)ilogb(%0))" },
  { "ilogbf", "((u32)ilogbf(%0))" },
  { "llrint", "((u64)llrint(%0))" },
  { "llrintf", "((u64)llrintf(%0))" },
  { "llround", "((u64)llround(%0))" },
  { "llroundf", "((u64)llroundf(%0))" },
  { "ldexp", "ldexp(%0, %s1)" },
  { "ldexpf", "ldexpf(%0, %s1)" },
  { "scalbn", "scalbn(%0, %s1)" },
  { "scalbnf", "scalbnf(%0, %s1)" },
  { "jn", "jn(%s0, %1)" },
  { "jnf", "jnf(%s0, %1)" },
  { "yn", "yn(%s0, %1)" },
  { "ynf", "ynf(%s0, %1)" },
  { "frexp", "frexp(%0, (int *)%1)" },
  { "frexpf", "frexpf(%0, (int *)%1)" },
  { "remquo", "remquo(%0, %1, (int *)%2)" },
  { "remquof", "remquof(%0, %1, (int *)%2)" },
  { "modf", "modf(%0, (double *)%1)" },
  { "modff", "modff(%0, (float *)%1)" },
  { "sincos", "sincos(%0, (double *)%1, (double *)%2)" },
  { "sincosf", "sincosf(%0, (float *)%1, (float *)%2)" },
  { "sincospi", "sincospi(%0, (double *)%1, (double *)%2)" },
  { "sincospif", "sincospif(%0, (float *)%1, (float *)%2)" },
  { "fast_sincosf", "__sincosf(%0, (float *)%1, (float *)%2)" },
  { "half2float", "vptr_half_to_float(%0)" },
  { "float2half_rn", "vptr_float_to_half(%0)" },
  { "nan", "__longlong_as_double(0x7ff8000000000000ll)" },
  { "nanf", "__uint_as_float(0x7fc00000u)" },
};

static void call_by_name(kc_writer *writer, const char *prefix, const char *name, LLVMValueRef call) {
  kc_print(writer, "%s%s(", prefix, name);
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    kc_print(writer, i > 0 ? ", " : "");
    kc_value(writer, LLVMGetOperand(call, i), 0);
  }
  kc_print(writer, ")");
}

/* fadd_rn, dsqrt_rz, float2int_rd: CUDA has them with two underscores. */
static bool is_rounded(const char *name) {
  size_t length = strlen(name);
  return length > 3 && name[length - 3] == '_' && name[length - 2] == 'r' && strchr("nzud", name[length - 1]) != NULL;
}

/* int2float_rn(int), ll2double_rn(long long): what begins with a signed type takes it so. */
static void call_rounded(kc_writer *writer, const char *name, LLVMValueRef call) {
  bool is_signed = kc_starts(name, "int2") || kc_starts(name, "ll2");
  LLVMTypeRef type = LLVMTypeOf(call);
  if (kc_is_integer(type))
    kc_print(writer, "((%s)", kc_type_name(writer, type));
  if (is_signed) {
    kc_print(writer, "__%s(", name);
    kc_signed_value(writer, LLVMGetOperand(call, 0), 0);
    kc_print(writer, ")");
  } else {
    call_by_name(writer, "__", name, call);
  }
  if (kc_is_integer(type))
    kc_print(writer, ")");
}

static void call_library(kc_writer *writer, const char *name, LLVMValueRef call) {
  for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
    if (strcmp(exceptions[i].name, name) == 0) {
      kc_template(writer, exceptions[i].text, call, 0);
      return;
    }
  if (kc_starts(name, "fast_"))
    call_by_name(writer, "__", name + strlen("fast_"), call);
  else if (is_rounded(name))
    call_rounded(writer, name, call);
  else
    call_by_name(writer, "", name, call);
}

/* ---- CUDA's functions by their C++ names ----------------------------------------------------------------- */

static const char *code_name(char code) {
  static const struct {
    char code;
    const char *name;
  } codes[] = {
    { 'b', "bool" },  { 'c', "char" },           { 'a', "signed char" }, { 'h', "unsigned char" },
    { 's', "short" }, { 't', "unsigned short" }, { 'i', "int" },         { 'j', "unsigned int" },
    { 'l', "long" },  { 'm', "unsigned long" },  { 'x', "long long" },   { 'y', "unsigned long long" },
    { 'f', "float" }, { 'd', "double" },         { 'v', "void" },
  };
  for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
    if (codes[i].code == code)
      return codes[i].name;
  return NULL;
}

/* One parameter of a mangled name, as a C type; moves *code behind it. False: it is of another kind. */
static bool print_parameter(kc_writer *writer, const char **code) {
  unsigned stars = 0;
  bool is_const = false, is_volatile = false;
  for (; strchr("PKV", **code) != NULL && **code != 0; (*code)++) {
    stars += **code == 'P';
    is_const |= **code == 'K';
    is_volatile |= **code == 'V';
  }
  const char *name = code_name(**code);
  if (name == NULL || stars > 1)
    return false;
  (*code)++;
  kc_print(writer, "(%s%s%s%s)", is_const ? "const " : "", is_volatile ? "volatile " : "", name,
           stars > 0 ? " *" : "");
  return true;
}

static bool call_mangled(kc_writer *writer, const char *name, LLVMValueRef call) {
  char *end = NULL;
  const char *text = name + (name[2] == 'L' ? 3 : 2);
  unsigned long length = strtoul(text, &end, 10);
  if (length == 0 || strlen(end) <= length)
    return false;
  const char *code = end + length;
  LLVMTypeRef type = LLVMTypeOf(call);
  if (kc_is_integer(type))
    kc_print(writer, "(%s)", kc_type_name(writer, type));
  kc_print(writer, "%.*s(", (int)length, end);
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    kc_print(writer, i > 0 ? ", " : "");
    if (!print_parameter(writer, &code))
      kc_refuse(writer, "%.*s() is not available in kernels", (int)length, end);
    kc_value(writer, LLVMGetOperand(call, i), 0);
  }
  kc_print(writer, ")");
  return true;
}

bool kc_family_call(kc_writer *writer, LLVMValueRef call, const char *name) {
  if (kc_starts(name, "__nv_")) {
    call_library(writer, name + strlen("__nv_"), call);
    return true;
  }
  return kc_starts(name, "_Z") && (isdigit((unsigned char)name[2]) || name[2] == 'L') &&
         call_mangled(writer, name, call);
}

/* ---- intrinsics ------------------------------------------------------------------------------------------ */

/* f2i -> float2int. */
static const char *conversion_name(const char *word, size_t length) {
  static const char *const names[][2] = {
    { "f2i", "float2int" },    { "f2ui", "float2uint" },  { "f2ll", "float2ll" },  { "f2ull", "float2ull" },
    { "d2i", "double2int" },   { "d2ui", "double2uint" }, { "d2ll", "double2ll" }, { "d2ull", "double2ull" },
    { "i2f", "int2float" },    { "ui2f", "uint2float" },  { "ll2f", "ll2float" },  { "ull2f", "ull2float" },
    { "i2d", "int2double" },   { "ui2d", "uint2double" }, { "ll2d", "ll2double" }, { "ull2d", "ull2double" },
    { "d2f", "double2float" },
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i][0]) == length && memcmp(names[i][0], word, length) == 0)
      return names[i][1];
  return NULL;
}

static bool is_operation(const char *word, size_t length) {
  static const char *const words[] = { "add", "mul", "div", "fma" };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0)
      return true;
  return false;
}

bool kc_family_intrinsic(kc_writer *writer, LLVMValueRef call, const char *name) {
  if (!kc_starts(name, "llvm.nvvm."))
    return false;
  const char *word = name + strlen("llvm.nvvm."), *dot = strchr(word, '.');
  if (dot == NULL || dot[1] != 'r' || strchr("nzud", dot[2]) == NULL)
    return false;
  char function[32];
  const char *converted = conversion_name(word, (size_t)(dot - word));
  if (converted != NULL)
    snprintf(function, sizeof function, "%s_%.2s", converted, dot + 1);
  else if (is_operation(word, (size_t)(dot - word)))
    snprintf(function, sizeof function, "%s%.3s%s_%.2s",
             kc_starts(word, "fma")           ? ""
             : dot[3] == '.' && dot[4] == 'd' ? "d"
                                              : "f",
             word, kc_starts(word, "fma") && !(dot[3] == '.' && dot[4] == 'd') ? "f" : "", dot + 1);
  else
    return false;
  call_rounded(writer, function, call);
  return true;
}
