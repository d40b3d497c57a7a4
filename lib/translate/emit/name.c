/* SPDX-License-Identifier: MIT */
/*
 * name - names of the program, where OpenCL leaves them free.
 *
 * What OpenCL C keeps for itself, its functions, and what drivers define as macros, gets a `_` behind it; so does
 * what looks like that: two names never become one. Functions of the module have a prefix, records live among the
 * tags, so only local variables, parameters and members can meet anything.
 */
#include "translate/emit/emitter.h"

#include <stdlib.h>
#include <string.h>

/* Sorted. C's keywords that are not CUDA's names anyway, OpenCL's words, types, functions, and macros. */
static const char *const reserved[] = {
  "CHAR_BIT",
  "CHAR_MAX",
  "CHAR_MIN",
  "CLK_GLOBAL_MEM_FENCE",
  "CLK_LOCAL_MEM_FENCE",
  "DBL_DIG",
  "DBL_EPSILON",
  "DBL_MAX",
  "DBL_MIN",
  "FLT_DIG",
  "FLT_EPSILON",
  "FLT_MAX",
  "FLT_MIN",
  "FP_CONTRACT",
  "HUGE_VAL",
  "HUGE_VALF",
  "INFINITY",
  "INT_MAX",
  "INT_MIN",
  "LONG_MAX",
  "LONG_MIN",
  "MAXFLOAT",
  "NAN",
  "NULL",
  "NV_CL",
  "SCHAR_MAX",
  "SCHAR_MIN",
  "SHRT_MAX",
  "SHRT_MIN",
  "UCHAR_MAX",
  "UINT_MAX",
  "ULONG_MAX",
  "USHRT_MAX",
  "abs",
  "abs_diff",
  "acos",
  "acosh",
  "acospi",
  "add_sat",
  "all",
  "amd",
  "any",
  "as",
  "asin",
  "asinh",
  "asinpi",
  "asm",
  "atan",
  "atan2",
  "atan2pi",
  "atanh",
  "atanpi",
  "auto",
  "barrier",
  "bitselect",
  "bool",
  "cbrt",
  "ceil",
  "char",
  "clamp",
  "clk_event_t",
  "clz",
  "complex",
  "constant",
  "convert",
  "copysign",
  "cos",
  "cosh",
  "cospi",
  "cross",
  "ctz",
  "degrees",
  "distance",
  "dot",
  "double",
  "erf",
  "erfc",
  "event_t",
  "exp",
  "exp10",
  "exp2",
  "expm1",
  "extern",
  "fabs",
  "fast_distance",
  "fast_length",
  "fast_normalize",
  "fdim",
  "float",
  "floor",
  "fma",
  "fmax",
  "fmin",
  "fmod",
  "fract",
  "frexp",
  "generic",
  "global",
  "hadd",
  "half",
  "hypot",
  "i386",
  "ilogb",
  "image1d_array_t",
  "image1d_buffer_t",
  "image1d_t",
  "image2d_array_t",
  "image2d_t",
  "image3d_t",
  "imaginary",
  "inline",
  "int",
  "intptr_t",
  "isequal",
  "isfinite",
  "isgreater",
  "isgreaterequal",
  "isinf",
  "isless",
  "islessequal",
  "islessgreater",
  "isnan",
  "isnormal",
  "isnotequal",
  "isordered",
  "isunordered",
  "kernel",
  "kernel_exec",
  "ldexp",
  "length",
  "lgamma",
  "lgamma_r",
  "linux",
  "local",
  "log",
  "log10",
  "log1p",
  "log2",
  "logb",
  "long",
  "mad",
  "mad24",
  "mad_hi",
  "mad_sat",
  "max",
  "maxmag",
  "mem_fence",
  "min",
  "minmag",
  "mix",
  "modf",
  "mul24",
  "mul_hi",
  "nan",
  "ndrange_t",
  "nextafter",
  "normalize",
  "pipe",
  "popcount",
  "pow",
  "pown",
  "powr",
  "prefetch",
  "printf",
  "private",
  "ptrdiff_t",
  "quad",
  "queue_t",
  "radians",
  "read_mem_fence",
  "read_only",
  "read_write",
  "register",
  "remainder",
  "remquo",
  "reserve_id_t",
  "restrict",
  "rhadd",
  "rint",
  "rootn",
  "rotate",
  "round",
  "rsqrt",
  "sampler_t",
  "select",
  "short",
  "shuffle",
  "shuffle2",
  "sign",
  "signbit",
  "signed",
  "sin",
  "sincos",
  "sinh",
  "sinpi",
  "size_t",
  "sizeof",
  "smoothstep",
  "sqrt",
  "step",
  "sub_sat",
  "tan",
  "tanh",
  "tanpi",
  "tgamma",
  "trunc",
  "typeof",
  "uchar",
  "uint",
  "uintptr_t",
  "ulong",
  "uniform",
  "unix",
  "unsigned",
  "upsample",
  "ushort",
  "vec_step",
  "vec_type_hint",
  "wait_group_events",
  "work_group_size_hint",
  "write_mem_fence",
  "write_only",
  "x86_64",
};

static const char *const prefixes[] = {
  "__",
  "vptr",
  "VPTR",
  "CL_",
  "CLK_",
  "cl_",
  "M_",
  "NV_",
  "POCL",
  "atom_",
  "atomic_",
  "as_",
  "async_work_group_",
  "convert_",
  "get_",
  "half_",
  "native_",
  "read_image",
  "sub_group_",
  "vload",
  "vstore",
  "work_group_",
  "write_image",
  "intel_",
  "amd_",
  "nv_",
};

static const char *const vector_bases[] = { "bool",  "char",  "double", "float", "half",   "int", "long",
                                            "short", "uchar", "uint",   "ulong", "ushort", "quad" };

static int compare_words(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static bool is_listed(const char *name) {
  return bsearch(&name, reserved, sizeof reserved / sizeof *reserved, sizeof *reserved, compare_words) != NULL;
}

static bool has_prefix(const char *name) {
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
      return true;
  return name[0] == '_' && name[1] >= 'A' && name[1] <= 'Z';
}

/* float3, int16: OpenCL's vectors, with any number behind. */
static bool is_vector(const char *name) {
  size_t digits = strcspn(name, "0123456789");
  if (name[digits] == '\0' || name[digits + strspn(name + digits, "0123456789")] != '\0')
    return false;
  for (size_t i = 0; i < sizeof vector_bases / sizeof *vector_bases; i++)
    if (strlen(vector_bases[i]) == digits && strncmp(name, vector_bases[i], digits) == 0)
      return true;
  return false;
}

const char *vptr__emit_name(vptr__emitter *emitter, const char *name) {
  size_t length = strlen(name), end = length;
  while (end > 1 && name[end - 1] == '_')
    end--;
  const char *stem = end < length ? vptr__arena_copy(emitter->arena, name, end) : name;
  if (is_listed(stem) || is_vector(stem))
    return vptr__arena_format(emitter->arena, "%s_", name);
  /* a `_` behind would not free these */
  return has_prefix(name) ? vptr__arena_format(emitter->arena, "vptr_n_%s", name) : name;
}

const char *vptr__emit_declaration_name(vptr__emitter *emitter, const vptr__declaration *declaration) {
  void **slot = vptr__map_find(&emitter->names, (uintptr_t)declaration);
  if (slot != NULL)
    return *slot;
  if (declaration->name != NULL)
    return vptr__emit_name(emitter, declaration->name->text);
  return vptr__arena_format(emitter->arena, "vptr_unnamed_%u", (unsigned)declaration->position);
}

/* The body of a kernel, which its entry calls, is apart from a function of the same name. */
const char *vptr__emit_function_name(vptr__emitter *emitter, const vptr__instance *instance) {
  static const char entry[] = "vptr_k_";
  const char *name = instance->name;
  if (instance->is_kernel && strncmp(name, entry, sizeof entry - 1) == 0)
    return vptr__arena_format(emitter->arena, "vptr_b_%s", name + sizeof entry - 1);
  return vptr__arena_format(emitter->arena, "vptr_f_%s", instance->name);
}
