/* SPDX-License-Identifier: MIT */
/*
 * device - what __half and __nv_bfloat16 have on the device alone: mathematics, loads and stores, shuffles and
 * atomic additions. cuda_fp16.h and cuda_bf16.h include it, each once, with the names of narrow/functions.h.
 *
 * A function of mathematics is calculated in float. Where numbers within the error of that round to different results,
 * it is calculated in double: so it is the nearest number, as CUDA's, and double is needed for it.
 */
#define VPTR_S VPTR_SHORT
#define VPTR_S2 VPTR_SHORT2
#define VPTR_JOINED(a, b, c) a##b##c
#define VPTR_JOIN(a, b, c) VPTR_JOINED(a, b, c)
#define VPTR_OF VPTR_JOIN(__float2, VPTR_SHORT_NAME, )
#define VPTR_OF_BITS VPTR_JOIN(__ushort_as_, VPTR_SHORT_NAME, )

/* ---- mathematics ----------------------------------------------------------------------------------------------- */

/* What the float rounds to, if it does not matter which one within 8 units of its last place it is. */
#define VPTR_CLANG_SETTLED VPTR_JOIN(vptr_clang_settled_, VPTR_SHORT_NAME, )
VPTR_CLANG_DEVICE bool VPTR_CLANG_SETTLED(float value, VPTR_S *result) {
  const float apart = value * 9.5367431640625e-7f;
  *result = VPTR_OF(value - apart);
  return vptr_bits(*result) == vptr_bits(VPTR_OF(value + apart));
}

#define VPTR_CLANG_SHORT_EXACT(name, expression)                                                                     \
  VPTR_CLANG_DEVICE VPTR_S h##name(const VPTR_S a) {                                                                 \
    const float x = vptr_float(a);                                                                                   \
    return VPTR_OF(expression);                                                                                      \
  }                                                                                                                  \
  VPTR_CLANG_DEVICE VPTR_S2 h2##name(const VPTR_S2 a) {                                                              \
    return VPTR_S2(::h##name(a.x), ::h##name(a.y));                                                                  \
  }
#define VPTR_CLANG_SHORT_MATH(name, single, twice)                                                                   \
  VPTR_CLANG_DEVICE VPTR_S h##name(const VPTR_S a) {                                                                 \
    VPTR_S result;                                                                                                   \
    const float x = vptr_float(a);                                                                                   \
    if (VPTR_CLANG_SETTLED(single, &result))                                                                         \
      return result;                                                                                                 \
    const double y = static_cast<double>(x);                                                                         \
    return VPTR_JOIN(__double2, VPTR_SHORT_NAME, )(twice);                                                           \
  }                                                                                                                  \
  VPTR_CLANG_DEVICE VPTR_S2 h2##name(const VPTR_S2 a) {                                                              \
    return VPTR_S2(::h##name(a.x), ::h##name(a.y));                                                                  \
  }
VPTR_CLANG_SHORT_EXACT(ceil, ::ceilf(x))
VPTR_CLANG_SHORT_EXACT(floor, ::floorf(x))
VPTR_CLANG_SHORT_EXACT(rint, ::rintf(x))
VPTR_CLANG_SHORT_EXACT(trunc, ::truncf(x))
VPTR_CLANG_SHORT_EXACT(sqrt, ::sqrtf(x))
VPTR_CLANG_SHORT_EXACT(rcp, 1.0f / x)
VPTR_CLANG_SHORT_MATH(cos, ::cosf(x), ::cos(y))
VPTR_CLANG_SHORT_MATH(sin, ::sinf(x), ::sin(y))
VPTR_CLANG_SHORT_MATH(exp, ::expf(x), ::exp(y))
VPTR_CLANG_SHORT_MATH(exp2, ::exp2f(x), ::exp2(y))
VPTR_CLANG_SHORT_MATH(exp10, ::exp10f(x), ::exp10(y))
VPTR_CLANG_SHORT_MATH(log, ::logf(x), ::log(y))
VPTR_CLANG_SHORT_MATH(log2, ::log2f(x), ::log2(y))
VPTR_CLANG_SHORT_MATH(log10, ::log10f(x), ::log10(y))
VPTR_CLANG_SHORT_MATH(rsqrt, ::rsqrtf(x), ::rsqrt(y))
VPTR_CLANG_SHORT_MATH(tanh, ::tanhf(x), ::tanh(y))
VPTR_CLANG_DEVICE VPTR_S htanh_approx(const VPTR_S a) {
  return ::htanh(a);
}
VPTR_CLANG_DEVICE VPTR_S2 h2tanh_approx(const VPTR_S2 a) {
  return ::h2tanh(a);
}
#undef VPTR_CLANG_SHORT_EXACT
#undef VPTR_CLANG_SHORT_MATH
#undef VPTR_CLANG_SETTLED

/* ---- memory ---------------------------------------------------------------------------------------------------- */

VPTR_CLANG_DEVICE VPTR_S __ldg(const VPTR_S *pointer) {
  return *pointer;
}
VPTR_CLANG_DEVICE VPTR_S2 __ldg(const VPTR_S2 *pointer) {
  return *pointer;
}

/* The word that a pair is, in which no other type's rules of aliasing hold. */
VPTR_CLANG_DEVICE unsigned int vptr_clang_word_of(VPTR_S2 pair) {
  return static_cast<unsigned int>(vptr_bits(pair.y)) << 16 | vptr_bits(pair.x);
}
VPTR_CLANG_DEVICE VPTR_S2 vptr_clang_pair_of(VPTR_S2, unsigned int word) {
  return VPTR_S2(VPTR_OF_BITS(static_cast<unsigned short>(word)),
                 VPTR_OF_BITS(static_cast<unsigned short>(word >> 16)));
}

/* Two numbers lie in one word of memory: another's half of it stays as it is. */
VPTR_CLANG_DEVICE VPTR_S atomicAdd(VPTR_S *pointer, VPTR_S value) {
  vptr_clang_word2 *const bits = reinterpret_cast<vptr_clang_word2 *>(pointer);
  unsigned short seen = *bits, expected;
  do {
    expected = seen;
    const VPTR_S sum = ::__hadd(VPTR_OF_BITS(expected), value);
    __atomic_compare_exchange_n(bits, &seen, vptr_bits(sum), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  } while (seen != expected);
  return VPTR_OF_BITS(seen);
}
VPTR_CLANG_DEVICE VPTR_S2 atomicAdd(VPTR_S2 *pointer, VPTR_S2 value) {
  vptr_clang_word4 *const word = reinterpret_cast<vptr_clang_word4 *>(pointer);
  unsigned int seen = *word, expected;
  do {
    expected = seen;
    const VPTR_S2 sum = ::__hadd2(::vptr_clang_pair_of(value, expected), value);
    __atomic_compare_exchange_n(word, &seen, ::vptr_clang_word_of(sum), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  } while (seen != expected);
  return ::vptr_clang_pair_of(value, seen);
}

/* ---- warps ----------------------------------------------------------------------------------------------------- */

#define VPTR_CLANG_SHUFFLE(name, at)                                                                                 \
  VPTR_CLANG_DEVICE VPTR_S name##_sync(unsigned int mask, VPTR_S value, at lane, int width = warpSize) {             \
    const int got = ::name##_sync(mask, static_cast<int>(vptr_bits(value)), lane, width);                            \
    return VPTR_OF_BITS(static_cast<unsigned short>(got));                                                           \
  }                                                                                                                  \
  VPTR_CLANG_DEVICE VPTR_S2 name##_sync(unsigned int mask, VPTR_S2 value, at lane, int width = warpSize) {           \
    return ::vptr_clang_pair_of(value, ::name##_sync(mask, ::vptr_clang_word_of(value), lane, width));               \
  }
VPTR_CLANG_SHUFFLE(__shfl, int)
VPTR_CLANG_SHUFFLE(__shfl_up, unsigned int)
VPTR_CLANG_SHUFFLE(__shfl_down, unsigned int)
VPTR_CLANG_SHUFFLE(__shfl_xor, int)
#undef VPTR_CLANG_SHUFFLE

/* the older ones, without a mask */
#define VPTR_CLANG_SHUFFLE(name, type, at)                                                                             \
  VPTR_CLANG_DEVICE type name(type value, at lane, int width = warpSize) {                                             \
    return ::name##_sync(::__activemask(), value, lane, width);                                                        \
  }
VPTR_CLANG_SHUFFLE(__shfl, VPTR_S, int)
VPTR_CLANG_SHUFFLE(__shfl_up, VPTR_S, unsigned int)
VPTR_CLANG_SHUFFLE(__shfl_down, VPTR_S, unsigned int)
VPTR_CLANG_SHUFFLE(__shfl_xor, VPTR_S, int)
VPTR_CLANG_SHUFFLE(__shfl, VPTR_S2, int)
VPTR_CLANG_SHUFFLE(__shfl_up, VPTR_S2, unsigned int)
VPTR_CLANG_SHUFFLE(__shfl_down, VPTR_S2, unsigned int)
VPTR_CLANG_SHUFFLE(__shfl_xor, VPTR_S2, int)
#undef VPTR_CLANG_SHUFFLE

#undef VPTR_S
#undef VPTR_S2
#undef VPTR_JOINED
#undef VPTR_JOIN
#undef VPTR_OF
#undef VPTR_OF_BITS
