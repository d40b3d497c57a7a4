/* SPDX-License-Identifier: MIT */
/*
 * arithmetic - the four types of BLAS under one set of names, so that a kernel is written once for all of them.
 *
 * T is the type of elements and R the real type of its parts; kernels.cu defines both, and includes the kernels once
 * for each. Products of complex numbers are the four products of their parts, as in BLAS; quotients are scaled by the
 * larger part of the divisor, so that its square neither overflows nor vanishes.
 */
#define VPTR_BLAS_REAL(R)                                                                                             \
  static __device__ R plus(R a, R b) { return a + b; }                                                                \
  static __device__ R minus(R a, R b) { return a - b; }                                                               \
  static __device__ R times(R a, R b) { return a * b; }                                                               \
  static __device__ R over(R a, R b) { return a / b; }                                                                \
  static __device__ R scaled(R a, R by) { return a * by; }                                                            \
  static __device__ R conjugate_if(R a, int is_wanted) { return a; }                                                  \
  static __device__ R real_part(R a) { return a; }                                                                    \
  static __device__ R imaginary_part(R a) { return 0; }                                                               \
  static __device__ R only_real(R a) { return a; }                                                                    \
  static __device__ R size_of(R a) { return a < 0 ? -a : a; }                                                         \
  static __device__ bool is_zero(R a) { return a == 0; }                                                              \
  static __device__ R scalar(R value, const R *at) { return at != NULL ? *at : value; }

#define VPTR_BLAS_COMPLEX(C, R, MAKE)                                                                                 \
  static __device__ C plus(C a, C b) { return MAKE(a.x + b.x, a.y + b.y); }                                           \
  static __device__ C minus(C a, C b) { return MAKE(a.x - b.x, a.y - b.y); }                                          \
  static __device__ C times(C a, C b) { return MAKE(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }                  \
  static __device__ C over(C a, C b) {                                                                                \
    if (size_of(b.x) >= size_of(b.y)) {                                                                               \
      R ratio = b.y / b.x, divisor = b.x + b.y * ratio;                                                               \
      return MAKE((a.x + a.y * ratio) / divisor, (a.y - a.x * ratio) / divisor);                                      \
    }                                                                                                                 \
    R ratio = b.x / b.y, divisor = b.x * ratio + b.y;                                                                 \
    return MAKE((a.x * ratio + a.y) / divisor, (a.y * ratio - a.x) / divisor);                                        \
  }                                                                                                                   \
  static __device__ C scaled(C a, R by) { return MAKE(a.x * by, a.y * by); }                                          \
  static __device__ C conjugate_if(C a, int is_wanted) { return is_wanted ? MAKE(a.x, -a.y) : a; }                    \
  static __device__ R real_part(C a) { return a.x; }                                                                  \
  static __device__ R imaginary_part(C a) { return a.y; }                                                             \
  static __device__ C only_real(C a) { return MAKE(a.x, 0); }                                                         \
  static __device__ R size_of(C a) { return size_of(a.x) + size_of(a.y); }                                            \
  static __device__ bool is_zero(C a) { return a.x == 0 && a.y == 0; }                                                \
  static __device__ C scalar(C value, const C *at) { return at != NULL ? *at : value; }

VPTR_BLAS_REAL(float)
VPTR_BLAS_REAL(double)
VPTR_BLAS_COMPLEX(float2, float, make_float2)
VPTR_BLAS_COMPLEX(double2, double, make_double2)

/* This thread's number in the grid's first axis, and how many of them there are. */
static __device__ long first_index(void) { return (long)blockIdx.x * blockDim.x + threadIdx.x; }
static __device__ long all_threads(void) { return (long)gridDim.x * blockDim.x; }

/* The root of the sum of squares as scale * sqrt(squares), of which neither overflows: another is added. Infinity and
 * NaN stay what they are. */
#define VPTR_BLAS_ROOT(R)                                                                                             \
  static __device__ void add_squares(R *scale, R *squares, R other_scale, R other_squares) {                          \
    if (other_scale != other_scale || *scale != *scale) {                                                             \
      *scale = other_scale + *scale;                                                                                  \
      *squares = 1;                                                                                                   \
    } else if (other_scale > *scale) {                                                                                \
      R ratio = *scale / other_scale;                                                                                 \
      *squares = other_squares + (ratio != 0 ? *squares * ratio * ratio : 0);                                         \
      *scale = other_scale;                                                                                           \
    } else if (other_scale == *scale && other_scale != 0) {                                                           \
      *squares += other_squares;                                                                                      \
    } else if (other_scale != 0) {                                                                                    \
      R ratio = other_scale / *scale;                                                                                 \
      *squares += ratio != 0 ? other_squares * ratio * ratio : 0;                                                     \
    }                                                                                                                 \
  }

VPTR_BLAS_ROOT(float)
VPTR_BLAS_ROOT(double)
