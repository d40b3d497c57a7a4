/* SPDX-License-Identifier: MIT */
/*
 * ptx_row - see ptx_row.h. Where CUDA has a function for the instruction the text calls it; what is named vptr_ is in
 * the prelude.
 */
#include "ptx_row.h"

#include <string.h>

#define ANY "u16 s16 u32 s32 u64 s64"
#define UNSIGNED "u16 u32 u64"
#define SIGNED "s16 s32 s64"
#define BITS "b16 b32 b64"

static const kc_ptx_row rows[] = {
  /* integers */
  { "add", ANY, "TTT", LLVMAdd, NULL },
  { "sub", ANY, "TTT", LLVMSub, NULL },
  { "mul.lo", ANY, "TTT", LLVMMul, NULL },
  { "add.sat", "s32", "uuu", 0, "((u32)vptr_sadd_sat32(%s0, %s1))" },
  { "sub.sat", "s32", "uuu", 0, "((u32)vptr_ssub_sat32(%s0, %s1))" },
  { "mul.hi", "u16", "hhh", 0, "((u16)((u32)%0 * %1 >> 16))" },
  { "mul.hi", "s16", "hhh", 0, "((u16)(%s0 * %s1 >> 16))" },
  { "mul.hi", "u32", "uuu", 0, "__umulhi(%0, %1)" },
  { "mul.hi", "s32", "uuu", 0, "((u32)__mulhi(%s0, %s1))" },
  { "mul.hi", "u64", "lll", 0, "__umul64hi(%0, %1)" },
  { "mul.hi", "s64", "lll", 0, "((u64)__mul64hi(%s0, %s1))" },
  { "mul.wide", "u16", "Whh", 0, "((u32)%0 * %1)" },
  { "mul.wide", "s16", "Whh", 0, "((u32)(%s0 * %s1))" },
  { "mul.wide", "u32", "Wuu", 0, "((u64)%0 * %1)" },
  { "mul.wide", "s32", "Wuu", 0, "((u64)((long long)%s0 * %s1))" },
  { "mad.lo", "u16 s16", "hhhh", 0, "((u16)((u32)%0 * %1 + %2))" },
  { "mad.lo", "u32 s32 u64 s64", "TTTT", 0, "(%0 * %1 + %2)" },
  { "mad.hi", "u16", "hhhh", 0, "((u16)(((u32)%0 * %1 >> 16) + %2))" },
  { "mad.hi", "s16", "hhhh", 0, "((u16)((%s0 * %s1 >> 16) + %s2))" },
  { "mad.hi", "u32", "uuuu", 0, "(__umulhi(%0, %1) + %2)" },
  { "mad.hi", "s32", "uuuu", 0, "((u32)__mulhi(%s0, %s1) + %2)" },
  { "mad.hi", "u64", "llll", 0, "(__umul64hi(%0, %1) + %2)" },
  { "mad.hi", "s64", "llll", 0, "((u64)__mul64hi(%s0, %s1) + %2)" },
  { "mad.wide", "u16", "WhhW", 0, "((u32)%0 * %1 + %2)" },
  { "mad.wide", "s16", "WhhW", 0, "((u32)(%s0 * %s1) + %2)" },
  { "mad.wide", "u32", "WuuW", 0, "((u64)%0 * %1 + %2)" },
  { "mad.wide", "s32", "WuuW", 0, "((u64)((long long)%s0 * %s1) + %2)" },
  { "mul24.lo", "u32", "uuu", 0, "__umul24(%0, %1)" },
  { "mul24.lo", "s32", "uuu", 0, "((u32)__mul24(%s0, %s1))" },
  { "mul24.hi", "u32", "uuu", 0, "((u32)((u64)(%0 & 0xffffffu) * (%1 & 0xffffffu) >> 16))" },
  { "mul24.hi", "s32", "uuu", 0, "((u32)((long long)(%s0 << 8 >> 8) * (%s1 << 8 >> 8) >> 16))" },
  { "mad24.lo", "u32", "uuuu", 0, "(__umul24(%0, %1) + %2)" },
  { "mad24.lo", "s32", "uuuu", 0, "((u32)__mul24(%s0, %s1) + %2)" },
  { "mad24.hi", "u32", "uuuu", 0, "((u32)((u64)(%0 & 0xffffffu) * (%1 & 0xffffffu) >> 16) + %2)" },
  { "mad24.hi", "s32", "uuuu", 0, "((u32)((long long)(%s0 << 8 >> 8) * (%s1 << 8 >> 8) >> 16) + %2)" },
  { "div", UNSIGNED, "TTT", 0, "((%T)(%0 / %1))" },
  { "div", SIGNED, "TTT", 0, "((%T)(%s0 / %s1))" },
  { "rem", UNSIGNED, "TTT", 0, "((%T)(%0 %% %1))" },
  { "rem", SIGNED, "TTT", 0, "((%T)(%s0 %% %s1))" },
  { "abs", SIGNED, "TT", 0, "((%T)(%s0 < 0 ? 0u - %0 : %0))" },
  { "neg", SIGNED, "TT", 0, "((%T)(0u - %0))" },
  { "min", UNSIGNED, "TTT", 0, "((%T)(%0 < %1 ? %0 : %1))" },
  { "max", UNSIGNED, "TTT", 0, "((%T)(%0 > %1 ? %0 : %1))" },
  { "min", SIGNED, "TTT", 0, "((%T)(%s0 < %s1 ? %0 : %1))" },
  { "max", SIGNED, "TTT", 0, "((%T)(%s0 > %s1 ? %0 : %1))" },
  { "sad", UNSIGNED, "TTTT", 0, "((%T)((%0 < %1 ? %1 - %0 : %0 - %1) + %2))" },
  { "sad", SIGNED, "TTTT", 0, "((%T)((%s0 < %s1 ? %1 - %0 : %0 - %1) + %2))" },

  /* bits */
  { "and", BITS " pred", "TTT", LLVMAnd, NULL },
  { "or", BITS " pred", "TTT", LLVMOr, NULL },
  { "xor", BITS " pred", "TTT", LLVMXor, NULL },
  { "not", BITS, "TT", 0, "((%T)~%0)" },
  { "not", "pred", "pp", 0, "(%0 ^ 1u)" },
  { "cnot", BITS, "TT", 0, "((%T)(%0 == 0))" },
  { "shl", BITS, "TTu", 0, "((%T)(%1 >= %Wu ? 0 : %0 << %1))" },
  { "shr", UNSIGNED " " BITS, "TTu", 0, "((%T)(%1 >= %Wu ? 0 : %0 >> %1))" },
  { "shr", SIGNED, "TTu", 0, "((%T)(%s0 >> (%1 < %Wu ? %1 : %Wu - 1u)))" },
  { "shf.l.wrap", "b32", "uuuu", 0, "__funnelshift_l(%0, %1, %2)" },
  { "shf.r.wrap", "b32", "uuuu", 0, "__funnelshift_r(%0, %1, %2)" },
  { "shf.l.clamp", "b32", "uuuu", 0, "__funnelshift_lc(%0, %1, %2)" },
  { "shf.r.clamp", "b32", "uuuu", 0, "__funnelshift_rc(%0, %1, %2)" },
  { "bfe", "u32", "uuuu", 0, "vptr_bfe(%0, %1, %2)" },
  { "bfe", "s32", "uuuu", 0, "vptr_bfe_signed(%0, %1, %2)" },
  { "bfe", "u64", "lluu", 0, "vptr_bfe64(%0, %1, %2)" },
  { "bfe", "s64", "lluu", 0, "vptr_bfe64_signed(%0, %1, %2)" },
  { "bfi", "b32", "uuuuu", 0, "vptr_bfi(%0, %1, %2, %3)" },
  { "bfi", "b64", "llluu", 0, "vptr_bfi64(%0, %1, %2, %3)" },
  { "bfind", "u32", "uu", 0, "(31u - (u32)__clz(%s0))" },
  { "bfind", "s32", "uu", 0, "(31u - (u32)__clz(%s0 < 0 ? ~%s0 : %s0))" },
  { "bfind", "u64", "ul", 0, "(63u - (u32)__clzll(%s0))" },
  { "bfind", "s64", "ul", 0, "(63u - (u32)__clzll(%s0 < 0 ? ~%s0 : %s0))" },
  { "bfind.shiftamt", "u32", "uu", 0, "(%0 == 0u ? ~0u : (u32)__clz(%s0))" },
  { "bfind.shiftamt", "s32", "uu", 0, "vptr_bfind_shift(%s0 < 0 ? ~%0 : %0)" },
  { "bfind.shiftamt", "u64", "ul", 0, "(%0 == 0u ? ~0u : (u32)__clzll(%s0))" },
  { "bfind.shiftamt", "s64", "ul", 0, "vptr_bfind_shift64(%s0 < 0 ? ~%0 : %0)" },
  { "brev", "b32", "uu", 0, "__brev(%0)" },
  { "brev", "b64", "ll", 0, "__brevll(%0)" },
  { "clz", "b32", "uu", 0, "((u32)__clz(%s0))" },
  { "clz", "b64", "ul", 0, "((u32)__clzll(%s0))" },
  { "popc", "b32", "uu", 0, "((u32)__popc(%0))" },
  { "popc", "b64", "ul", 0, "((u32)__popcll(%0))" },
  { "lop3", "b32", "uuuuu", 0, "vptr_lop3(%0, %1, %2, %3)" },
  { "prmt", "b32", "uuuu", 0, "vptr_prmt(%0, %1, %2)" },
  { "prmt.b32", "f4e", "uuuu", 0, "vptr_prmt(%0, %1, 0x3210u + 0x1111u * (%2 & 3u))" },
  { "prmt.b32", "b4e", "uuuu", 0, "vptr_prmt(%0, %1, vptr_prmt_backwards(%2 & 3u))" },
  { "prmt.b32", "rc8", "uuuu", 0, "vptr_prmt(%0, %1, 0x1111u * (%2 & 3u))" },
  { "prmt.b32", "ecl", "uuuu", 0, "vptr_prmt(%0, %1, vptr_prmt_clamp(%2 & 3u, 1u))" },
  { "prmt.b32", "ecr", "uuuu", 0, "vptr_prmt(%0, %1, vptr_prmt_clamp(%2 & 3u, 0u))" },
  { "prmt.b32", "rc16", "uuuu", 0, "vptr_prmt(%0, %1, (%2 & 1u) != 0u ? 0x3232u : 0x1010u)" },

  /* choices */
  { "slct.u32", "s32", "uuuu", 0, "(%s2 >= 0 ? %0 : %1)" },
  { "slct.s32", "s32", "uuuu", 0, "(%s2 >= 0 ? %0 : %1)" },
  { "slct.b32", "s32", "uuuu", 0, "(%s2 >= 0 ? %0 : %1)" },
  { "slct.f32", "s32", "fffu", 0, "(%s2 >= 0 ? %0 : %1)" },
  { "slct.u64", "s32", "lllu", 0, "(%s2 >= 0 ? %0 : %1)" },
  { "slct.b64", "s32", "lllu", 0, "(%s2 >= 0 ? %0 : %1)" },
  { "slct.f64", "s32", "dddu", 0, "(%s2 >= 0 ? %0 : %1)" },
  { "slct.u32", "f32", "uuuf", 0, "(%2 >= 0.0f ? %0 : %1)" },
  { "slct.b32", "f32", "uuuf", 0, "(%2 >= 0.0f ? %0 : %1)" },
  { "slct.f32", "f32", "ffff", 0, "(%2 >= 0.0f ? %0 : %1)" },

  /* sums of products of parts, and of differences */
  { "dp4a.u32", "u32", "uuuu", 0, "vptr_dp4a(%0, %1, %2, 0u, 0u)" },
  { "dp4a.s32", "s32", "uuuu", 0, "vptr_dp4a(%0, %1, %2, 1u, 1u)" },
  { "dp4a.u32", "s32", "uuuu", 0, "vptr_dp4a(%0, %1, %2, 0u, 1u)" },
  { "dp4a.s32", "u32", "uuuu", 0, "vptr_dp4a(%0, %1, %2, 1u, 0u)" },
  { "dp2a.lo.u32", "u32", "uuuu", 0, "vptr_dp2a(%0, %1, %2, 0u, 0u)" },
  { "dp2a.lo.s32", "s32", "uuuu", 0, "vptr_dp2a(%0, %1, %2, 1u, 1u)" },
  { "dp2a.lo.u32", "s32", "uuuu", 0, "vptr_dp2a(%0, %1, %2, 0u, 1u)" },
  { "dp2a.lo.s32", "u32", "uuuu", 0, "vptr_dp2a(%0, %1, %2, 1u, 0u)" },
  { "dp2a.hi.u32", "u32", "uuuu", 0, "vptr_dp2a(%0, %1 >> 16, %2, 0u, 0u)" },
  { "dp2a.hi.s32", "s32", "uuuu", 0, "vptr_dp2a(%0, %1 >> 16, %2, 1u, 1u)" },
  { "dp2a.hi.u32", "s32", "uuuu", 0, "vptr_dp2a(%0, %1 >> 16, %2, 0u, 1u)" },
  { "dp2a.hi.s32", "u32", "uuuu", 0, "vptr_dp2a(%0, %1 >> 16, %2, 1u, 0u)" },
  { "vshl.u32.u32.u32.clamp", "add", "uuuu", 0, "((%1 > 31u ? 0u : %0 << %1) + %2)" },
  { "vshr.u32.u32.u32.clamp", "add", "uuuu", 0, "((%1 > 31u ? 0u : %0 >> %1) + %2)" },
  { "vadd.u32.u32.u32", "add", "uuuu", 0, "(%0 + %1 + %2)" },
  { "vadd.u32.u32", "u32", "uuu", 0, "(%0 + %1)" },
  { "vadd.s32.s32", "s32", "uuu", 0, "(%0 + %1)" },
  { "vsub.u32.u32", "u32", "uuu", 0, "(%0 - %1)" },
  { "vsub.s32.s32", "s32", "uuu", 0, "(%0 - %1)" },
  { "vabsdiff.u32.u32", "u32", "uuu", 0, "(%0 < %1 ? %1 - %0 : %0 - %1)" },
  { "vabsdiff.u32.s32", "s32", "uuu", 0, "(%s0 < %s1 ? %1 - %0 : %0 - %1)" },
  { "vabsdiff.s32.s32", "s32", "uuu", 0, "(%s0 < %s1 ? %1 - %0 : %0 - %1)" },
  { "vabsdiff.u32.u32.u32", "add", "uuuu", 0, "((%0 < %1 ? %1 - %0 : %0 - %1) + %2)" },
  { "vmin.u32.u32", "u32", "uuu", 0, "(%0 < %1 ? %0 : %1)" },
  { "vmax.u32.u32", "u32", "uuu", 0, "(%0 > %1 ? %0 : %1)" },
  { "vmin.s32.s32", "s32", "uuu", 0, "(%s0 < %s1 ? %0 : %1)" },
  { "vmax.s32.s32", "s32", "uuu", 0, "(%s0 > %s1 ? %0 : %1)" },

#define VIDEO_OF(name, kind, lanes, bits, type, sign)                                                                \
  { name lanes "." type "." type, type, "uuuu", 0, "vptr_video(" kind ", " bits ", " sign ", %0, %1)" }, {           \
    name lanes "." type "." type "." type, "add", "uuuu", 0,                                                         \
        "vptr_video_sum(vptr_video(" kind ", " bits ", " sign ", %0, %1), " bits ", " sign ", %2)"                   \
  }
#define VIDEO(name, kind)                                                                                            \
  VIDEO_OF(name, kind, "2", "16u", "u32", "0u"), VIDEO_OF(name, kind, "2", "16u", "s32", "1u"),                      \
      VIDEO_OF(name, kind, "4", "8u", "u32", "0u"), VIDEO_OF(name, kind, "4", "8u", "s32", "1u")
  VIDEO("vadd", "0u"),
  VIDEO("vsub", "1u"),
  VIDEO("vavrg", "2u"),
  VIDEO("vabsdiff", "3u"),
  VIDEO("vmin", "4u"),
  VIDEO("vmax", "5u"),

  /* reals */
  { "add", "f32", "fff", LLVMFAdd, NULL },
  { "sub", "f32", "fff", LLVMFSub, NULL },
  { "mul", "f32", "fff", LLVMFMul, NULL },
  { "add", "f64", "ddd", LLVMFAdd, NULL },
  { "sub", "f64", "ddd", LLVMFSub, NULL },
  { "mul", "f64", "ddd", LLVMFMul, NULL },
  { "add.@", "f32", "fff", 0, "__fadd_@(%0, %1)" },
  { "sub.@", "f32", "fff", 0, "__fsub_@(%0, %1)" },
  { "mul.@", "f32", "fff", 0, "__fmul_@(%0, %1)" },
  { "div.@", "f32", "fff", 0, "__fdiv_@(%0, %1)" },
  { "div", "f32", "fff", 0, "fdividef(%0, %1)" },
  { "fma.@", "f32", "ffff", 0, "__fmaf_@(%0, %1, %2)" },
  { "mad.@", "f32", "ffff", 0, "__fmaf_@(%0, %1, %2)" },
  { "mad", "f32", "ffff", 0, "__fmaf_rn(%0, %1, %2)" },
  { "add.sat", "f32", "fff", 0, "__saturatef(__fadd_rn(%0, %1))" },
  { "mul.sat", "f32", "fff", 0, "__saturatef(__fmul_rn(%0, %1))" },
  { "fma.rn.sat", "f32", "ffff", 0, "__saturatef(__fmaf_rn(%0, %1, %2))" },
  { "rcp.@", "f32", "ff", 0, "__frcp_@(%0)" },
  { "sqrt.@", "f32", "ff", 0, "__fsqrt_@(%0)" },
  { "add.@", "f64", "ddd", 0, "__dadd_@(%0, %1)" },
  { "sub.@", "f64", "ddd", 0, "__dsub_@(%0, %1)" },
  { "mul.@", "f64", "ddd", 0, "__dmul_@(%0, %1)" },
  { "div.@", "f64", "ddd", 0, "__ddiv_@(%0, %1)" },
  { "fma.@", "f64", "dddd", 0, "__fma_@(%0, %1, %2)" },
  { "mad.@", "f64", "dddd", 0, "__fma_@(%0, %1, %2)" },
  { "rcp.@", "f64", "dd", 0, "__drcp_@(%0)" },
  { "sqrt.@", "f64", "dd", 0, "__dsqrt_@(%0)" },
  { "rcp", "f32", "ff", 0, "(1.0f / %0)" },
  { "rcp", "f64", "dd", 0, "(1.0 / %0)" },
  { "rsqrt", "f32", "ff", 0, "rsqrtf(%0)" },
  { "rsqrt", "f64", "dd", 0, "rsqrt(%0)" },
  { "sqrt", "f32", "ff", 0, "sqrtf(%0)" },
  { "ex2", "f32", "ff", 0, "exp2f(%0)" },
  { "lg2", "f32", "ff", 0, "__log2f(%0)" },
  { "sin", "f32", "ff", 0, "__sinf(%0)" },
  { "cos", "f32", "ff", 0, "__cosf(%0)" },
  { "tanh", "f32", "ff", 0, "__tanhf(%0)" },
  { "neg", "f32", "ff", 0, "(-%0)" },
  { "neg", "f64", "dd", 0, "(-%0)" },
  { "abs", "f32", "ff", 0, "fabsf(%0)" },
  { "abs", "f64", "dd", 0, "fabs(%0)" },
  { "min", "f32", "fff", 0, "fminf(%0, %1)" },
  { "max", "f32", "fff", 0, "fmaxf(%0, %1)" },
  { "min", "f64", "ddd", 0, "fmin(%0, %1)" },
  { "max", "f64", "ddd", 0, "fmax(%0, %1)" },
  { "min.NaN", "f32", "fff", 0, "(%0 != %0 || %1 != %1 ? __uint_as_float(0x7fffffffu) : fminf(%0, %1))" },
  { "max.NaN", "f32", "fff", 0, "(%0 != %0 || %1 != %1 ? __uint_as_float(0x7fffffffu) : fmaxf(%0, %1))" },
  { "copysign", "f32", "fff", 0, "copysignf(%1, %0)" },
  { "copysign", "f64", "ddd", 0, "copysign(%1, %0)" },
  { "testp.finite", "f32", "pf", 0, "((u32)(fabsf(%0) < __uint_as_float(0x7f800000u)))" },
  { "testp.infinite", "f32", "pf", 0, "((u32)(fabsf(%0) == __uint_as_float(0x7f800000u)))" },
  { "testp.number", "f32", "pf", 0, "((u32)(%0 == %0))" },
  { "testp.notanumber", "f32", "pf", 0, "((u32)(%0 != %0))" },
  { "testp.normal", "f32", "pf", 0, "vptr_class32(__float_as_uint(%0), 0x108u)" },
  { "testp.subnormal", "f32", "pf", 0, "vptr_class32(__float_as_uint(%0), 0x90u)" },

  /* what has an effect and gives nothing */
  { "nanosleep", "u32", "-u", 0, "__nanosleep(%0)" },
  { "membar", "cta", "-", 0, "__threadfence_block()" },
  { "membar", "gl", "-", 0, "__threadfence()" },
  { "membar", "sys", "-", 0, "__threadfence_system()" },
  { "fence.acq_rel", "cta", "-", 0, "__threadfence_block()" },
  { "fence.acq_rel", "gpu", "-", 0, "__threadfence()" },
  { "fence.acq_rel", "sys", "-", 0, "__threadfence_system()" },
  { "fence.sc", "cta", "-", 0, "__threadfence_block()" },
  { "fence.sc", "gpu", "-", 0, "__threadfence()" },
  { "fence.sc", "sys", "-", 0, "__threadfence_system()" },
  { "trap", "", "-", 0, "__trap()" },
  { "brkpt", "", "-", 0, "__brkpt()" },
  { "exit", "", "-", 0, "VPTR_RETURN" },
};

static bool has_type(const char *types, const char *type) {
  size_t length = strlen(type);
  if (*types == 0 || length == 0)
    return *types == *type;
  for (const char *at = types; (at = strstr(at, type)) != NULL; at += length)
    if ((at == types || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0))
      return true;
  return false;
}

/* CUDA's word for PTX's rounding; NULL: it is none. */
static const char *rounding_of(const char *part) {
  static const char *const names[][2] = { { "rn", "rn" }, { "rz", "rz" }, { "rm", "rd" }, { "rp", "ru" } };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i][0], part) == 0)
      return names[i][1];
  return NULL;
}

/* Modifiers that change nothing here. */
static bool is_without_effect(const char *part) {
  static const char *const parts[] = { "ftz", "approx", "full", "aligned" };
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strcmp(parts[i], part) == 0)
      return true;
  return false;
}

/* "mad.@" of mad.rz.ftz.f32, and with the rounding as it stands "mad.rz". */
static void print_name(const kc_ptx_instruction *instruction, bool hides_rounding, char *name, size_t size) {
  size_t length = 0;
  unsigned count = instruction->part_count > 1 ? instruction->part_count - 1 : 1;
  name[0] = 0;
  for (unsigned i = 0; i < count; i++) {
    const char *part = instruction->parts[i];
    if (is_without_effect(part))
      continue;
    if (hides_rounding && rounding_of(part) != NULL)
      part = "@";
    length += (size_t)snprintf(name + length, size - length, "%s%s", i > 0 ? "." : "", part);
    if (length >= size)
      return;
  }
}

const kc_ptx_row *kc_ptx_row_of(const kc_ptx_instruction *instruction, const char **type_out,
                                const char **rounding_out) {
  char name[128], hidden[128];
  const char *type = instruction->part_count > 1 ? instruction->parts[instruction->part_count - 1] : "";
  print_name(instruction, false, name, sizeof name);
  print_name(instruction, true, hidden, sizeof hidden);
  *rounding_out = NULL;
  for (unsigned i = 1; i < instruction->part_count; i++)
    if (rounding_of(instruction->parts[i]) != NULL)
      *rounding_out = rounding_of(instruction->parts[i]);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if ((strcmp(rows[i].name, name) == 0 || strcmp(rows[i].name, hidden) == 0) && has_type(rows[i].types, type)) {
      *type_out = type;
      return &rows[i];
    }
  return NULL;
}

/* ---- special registers ----------------------------------------------------------------------------------- */

static const struct {
  const char *name, *function;
  bool is_wide, is_text;
} specials[] = {
  { "laneid", "laneid", false, false },
  { "warpid", "warpid", false, false },
  { "nwarpid", "nwarpid", false, false },
  { "lanemask_eq", "lanemask.eq", false, false },
  { "lanemask_lt", "lanemask.lt", false, false },
  { "lanemask_le", "lanemask.le", false, false },
  { "lanemask_gt", "lanemask.gt", false, false },
  { "lanemask_ge", "lanemask.ge", false, false },
  { "smid", "smid", false, false },
  { "nsmid", "nsmid", false, false },
  { "gridid", "0ull", true, true },
  { "clock", "((u32)clock64())", false, true },
  { "clock_hi", "((u32)((u64)clock64() >> 32))", false, true },
  { "clock64", "((u64)clock64())", true, true },
  { "tid.x", "tid.x", false, false },
  { "tid.y", "tid.y", false, false },
  { "tid.z", "tid.z", false, false },
  { "ntid.x", "ntid.x", false, false },
  { "ntid.y", "ntid.y", false, false },
  { "ntid.z", "ntid.z", false, false },
  { "ctaid.x", "ctaid.x", false, false },
  { "ctaid.y", "ctaid.y", false, false },
  { "ctaid.z", "ctaid.z", false, false },
  { "nctaid.x", "nctaid.x", false, false },
  { "nctaid.y", "nctaid.y", false, false },
  { "nctaid.z", "nctaid.z", false, false },
};

const char *kc_ptx_special(const char *name, bool *is_wide_out, bool *is_text_out) {
  for (size_t i = 0; *name == '%' && i < sizeof specials / sizeof *specials; i++)
    if (strcmp(specials[i].name, name + 1) == 0) {
      *is_wide_out = specials[i].is_wide;
      *is_text_out = specials[i].is_text;
      return specials[i].function;
    }
  return NULL;
}
