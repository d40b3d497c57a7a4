/* SPDX-License-Identifier: MIT */
/*
 * type - the classes of one kind of number of 16 bits and of its pairs. cuda_fp16.h and cuda_bf16.h include it,
 * each once, with these names defined:
 *
 *     VPTR_SHORT, VPTR_SHORT2           the classes, and with _RAW behind them the structs of their bits
 *     VPTR_SHORT_OF, VPTR_SHORT_TO      the bits of a float, and the float of bits
 *     VPTR_SHORT_FORMAT                 bits of fraction and of exponent
 *     VPTR_SHORT_CONVERTS               1, or 0 where the program wants no conversions
 *
 * Conversions to integers cut towards zero, and end at the type's limits, as CUDA's do.
 */
#define VPTR_SHORT_OF_NUMBER(type, wide)                                                                             \
  VPTR_SHORT(const type value)                                                                                       \
      : __x(vptr_narrow_of_number<VPTR_SHORT_FORMAT>(static_cast<wide>(value), VPTR_TO_NEAREST)) {}                  \
  VPTR_SHORT &operator=(const type value) {                                                                          \
    __x = vptr_narrow_of_number<VPTR_SHORT_FORMAT>(static_cast<wide>(value), VPTR_TO_NEAREST);                       \
    return *this;                                                                                                    \
  }
#define VPTR_SHORT_TO_INTEGER(type)                                                                                  \
  operator type() const {                                                                                            \
    return vptr_integer_of<type>(VPTR_SHORT_TO(__x), VPTR_TO_ZERO);                                                  \
  }

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Weffc++"
#endif

struct __align__(2) VPTR_SHORT {
protected:
  unsigned short __x;

public:
  VPTR_SHORT() = default;
  constexpr VPTR_SHORT(const VPTR_SHORT_RAW &raw) : __x(raw.x) {}
  VPTR_SHORT &operator=(const VPTR_SHORT_RAW &raw) {
    __x = raw.x;
    return *this;
  }
  void operator=(const VPTR_SHORT_RAW &raw) volatile {
    __x = raw.x;
  }
  void operator=(const volatile VPTR_SHORT_RAW &raw) volatile {
    __x = raw.x;
  }
  operator VPTR_SHORT_RAW() const {
    VPTR_SHORT_RAW raw = { __x };
    return raw;
  }
  operator VPTR_SHORT_RAW() const volatile {
    VPTR_SHORT_RAW raw = { __x };
    return raw;
  }
#if VPTR_SHORT_CONVERTS
  VPTR_SHORT(const float value) : __x(VPTR_SHORT_OF(value)) {}
  VPTR_SHORT &operator=(const float value) {
    __x = VPTR_SHORT_OF(value);
    return *this;
  }
  VPTR_SHORT_OF_NUMBER(double, double)
  VPTR_SHORT_OF_NUMBER(short, long long)
  VPTR_SHORT_OF_NUMBER(unsigned short, long long)
  VPTR_SHORT_OF_NUMBER(int, long long)
  VPTR_SHORT_OF_NUMBER(unsigned int, long long)
  VPTR_SHORT_OF_NUMBER(long, long long)
  VPTR_SHORT_OF_NUMBER(unsigned long, unsigned long long)
  VPTR_SHORT_OF_NUMBER(long long, long long)
  VPTR_SHORT_OF_NUMBER(unsigned long long, unsigned long long)
  VPTR_SHORT_FROM_OTHER
  operator float() const {
    return VPTR_SHORT_TO(__x);
  }
  VPTR_SHORT_TO_INTEGER(signed char)
  VPTR_SHORT_TO_INTEGER(unsigned char)
  VPTR_SHORT_TO_INTEGER(char)
  VPTR_SHORT_TO_INTEGER(short)
  VPTR_SHORT_TO_INTEGER(unsigned short)
  VPTR_SHORT_TO_INTEGER(int)
  VPTR_SHORT_TO_INTEGER(unsigned int)
  VPTR_SHORT_TO_INTEGER(long)
  VPTR_SHORT_TO_INTEGER(unsigned long)
  VPTR_SHORT_TO_INTEGER(long long)
  VPTR_SHORT_TO_INTEGER(unsigned long long)
  constexpr operator bool() const {
    return (__x & 0x7fffu) != 0;
  }
#endif
};

struct __align__(4) VPTR_SHORT2 {
  VPTR_SHORT x, y;
  VPTR_SHORT2() = default;
  constexpr VPTR_SHORT2(const VPTR_SHORT &low, const VPTR_SHORT &high) : x(low), y(high) {}
  VPTR_SHORT2(const VPTR_SHORT2_RAW &raw) {
    *this = raw;
  }
  VPTR_SHORT2 &operator=(const VPTR_SHORT2_RAW &raw) {
    VPTR_SHORT_RAW low = { raw.x }, high = { raw.y };
    x = low;
    y = high;
    return *this;
  }
  operator VPTR_SHORT2_RAW() const {
    VPTR_SHORT2_RAW raw = { static_cast<VPTR_SHORT_RAW>(x).x, static_cast<VPTR_SHORT_RAW>(y).x };
    return raw;
  }
};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#undef VPTR_SHORT_OF_NUMBER
#undef VPTR_SHORT_TO_INTEGER
