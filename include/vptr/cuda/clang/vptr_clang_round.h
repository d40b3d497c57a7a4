/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_round - numbers of 16 bits, __half or __nv_bfloat16, from wider ones and back by a rounding of one's own.
 *
 * The nearest one is corrected by one step where it lies on the wrong side. Their bits without the sign are in the
 * order of their magnitudes, so a step is one up or down. Of a wider number a double holds enough: 64-bit integers that
 * do not fit in its 53 bits are beyond half precision, and for bfloat16 their lost bits matter next to a tie alone.
 */
#ifndef VPTR_CUDA_CLANG_ROUND_H
#define VPTR_CUDA_CLANG_ROUND_H

/* Where `nearest` is no neighbour of 0 on the other side: the next number towards or away from 0. */
template <class Short> VPTR_CLANG_BOTH Short vptr_clang_step(Short nearest, int bits) {
  return vptr_clang_of_bits(nearest, static_cast<unsigned short>(vptr_clang_bits(nearest) + bits));
}

template <class Short> VPTR_CLANG_BOTH Short vptr_clang_towards_zero(double value) {
  const Short nearest = ::vptr_clang_nearest<Short>(value);
  const double got = static_cast<double>(static_cast<float>(nearest));
  return (value > 0 && got > value) || (value < 0 && got < value) ? vptr_clang_step(nearest, -1) : nearest;
}

template <class Short> VPTR_CLANG_BOTH Short vptr_clang_away_from_zero(double value) {
  const Short nearest = ::vptr_clang_nearest<Short>(value);
  const double got = static_cast<double>(static_cast<float>(nearest));
  return (value > 0 && got < value) || (value < 0 && got > value) ? vptr_clang_step(nearest, 1) : nearest;
}

template <class Short> VPTR_CLANG_BOTH Short vptr_clang_downwards(double value) {
  return value < 0 ? ::vptr_clang_away_from_zero<Short>(value) : ::vptr_clang_towards_zero<Short>(value);
}
template <class Short> VPTR_CLANG_BOTH Short vptr_clang_upwards(double value) {
  return value > 0 ? ::vptr_clang_away_from_zero<Short>(value) : ::vptr_clang_towards_zero<Short>(value);
}

#define VPTR_CLANG_SHORT_TO_INTEGER(type, name, Short)                                                                 \
  VPTR_CLANG_BOTH type name##_rn(Short a) { return static_cast<type>(::rintf(a)); }                                    \
  VPTR_CLANG_BOTH type name##_rz(Short a) { return static_cast<type>(static_cast<float>(a)); }                         \
  VPTR_CLANG_BOTH type name##_rd(Short a) { return static_cast<type>(::floorf(a)); }                                   \
  VPTR_CLANG_BOTH type name##_ru(Short a) { return static_cast<type>(::ceilf(a)); }
#define VPTR_CLANG_SHORT_OF_INTEGER(type, name, Short)                                                                 \
  VPTR_CLANG_BOTH Short name##_rn(type a) { return ::vptr_clang_nearest<Short>(static_cast<double>(a)); }              \
  VPTR_CLANG_BOTH Short name##_rz(type a) { return ::vptr_clang_towards_zero<Short>(static_cast<double>(a)); }         \
  VPTR_CLANG_BOTH Short name##_rd(type a) { return ::vptr_clang_downwards<Short>(static_cast<double>(a)); }            \
  VPTR_CLANG_BOTH Short name##_ru(type a) { return ::vptr_clang_upwards<Short>(static_cast<double>(a)); }

#endif
