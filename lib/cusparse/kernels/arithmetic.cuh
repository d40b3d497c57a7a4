/* SPDX-License-Identifier: MIT */
/*
 * arithmetic - the four types of cuSPARSE under one set of names, and indices of either width.
 *
 * T is the type of values and R the real type of its parts; kernels.cu defines both, and includes the kernels once for
 * each. Indices come as two pointers of which one is NULL: which one is the same for all threads.
 */
#define VPTR_SPARSE_REAL(R)                                                                                           \
  static __device__ R plus(R a, R b) { return a + b; }                                                                \
  static __device__ R minus(R a, R b) { return a - b; }                                                               \
  static __device__ R times(R a, R b) { return a * b; }                                                               \
  static __device__ R over(R a, R b) { return a / b; }                                                                \
  static __device__ R conjugate_if(R a, int is_wanted) { return a; }                                                  \
  static __device__ bool is_zero(R a) { return a == 0; }                                                              \
  static __device__ bool is_positive(R a) { return a > 0; }                                                           \
  static __device__ R size_of(R a) { return a < 0 ? -a : a; }                                                         \
  static __device__ R root_of(R a) { return sqrt(a); }                                                                \
  static __device__ R scalar(R value, const R *at) { return at != NULL ? *at : value; }                               \
  static __device__ void add_to(R *to, long i, R value) { atomicAdd(&to[i], value); }

#define VPTR_SPARSE_COMPLEX(C, R, MAKE)                                                                               \
  static __device__ C plus(C a, C b) { return MAKE(a.x + b.x, a.y + b.y); }                                           \
  static __device__ C minus(C a, C b) { return MAKE(a.x - b.x, a.y - b.y); }                                          \
  static __device__ C times(C a, C b) { return MAKE(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }                  \
  static __device__ C over(C a, C b) {                                                                                \
    R across = b.x < 0 ? -b.x : b.x, along = b.y < 0 ? -b.y : b.y;                                                    \
    if (across >= along) {                                                                                            \
      R ratio = b.y / b.x, divisor = b.x + b.y * ratio;                                                               \
      return MAKE((a.x + a.y * ratio) / divisor, (a.y - a.x * ratio) / divisor);                                      \
    }                                                                                                                 \
    R ratio = b.x / b.y, divisor = b.x * ratio + b.y;                                                                 \
    return MAKE((a.x * ratio + a.y) / divisor, (a.y * ratio - a.x) / divisor);                                        \
  }                                                                                                                   \
  static __device__ C conjugate_if(C a, int is_wanted) { return is_wanted ? MAKE(a.x, -a.y) : a; }                    \
  static __device__ bool is_zero(C a) { return a.x == 0 && a.y == 0; }                                                \
  static __device__ bool is_positive(C a) { return a.x > 0; }                                                         \
  static __device__ R size_of(C a) { return hypot(a.x, a.y); }                                                        \
  static __device__ C root_of(C a) { return MAKE(sqrt(a.x), 0); }                                                     \
  static __device__ C scalar(C value, const C *at) { return at != NULL ? *at : value; }                               \
  static __device__ void add_to(R *to, long i, C value) {                                                             \
    atomicAdd(&to[2 * i], value.x);                                                                                   \
    atomicAdd(&to[2 * i + 1], value.y);                                                                               \
  }

VPTR_SPARSE_REAL(float)
VPTR_SPARSE_REAL(double)
VPTR_SPARSE_COMPLEX(float2, float, make_float2)
VPTR_SPARSE_COMPLEX(double2, double, make_double2)

/* Of half and bfloat16, with either sign. */
static __device__ bool is_zero(unsigned short a) { return (a & 0x7fff) == 0; }

#define INDICES(name) const int *name##_narrow, const long *name##_wide
#define OUTPUT_INDICES(name) int *name##_narrow, long *name##_wide
#define PASSED(name) name##_narrow, name##_wide
#define AT(name, i) index_at(name##_narrow, name##_wide, i)
/* Of an i that all threads of a block share, where they meet behind what is found: as a function's, which others call
 * with an i of each thread's own, it would not be known to be one. */
#define SHARED_AT(name, i) (name##_wide != NULL ? name##_wide[i] : (long)name##_narrow[i])

static __device__ long index_at(const int *narrow, const long *wide, long i) {
  return wide != NULL ? wide[i] : (long)narrow[i];
}

static __device__ void put_index(int *narrow, long *wide, long i, long value) {
  if (wide != NULL)
    wide[i] = value;
  else
    narrow[i] = (int)value;
}

/* This thread's number in the grid's first axis, and how many of them there are. */
static __device__ long first_index(void) { return (long)blockIdx.x * blockDim.x + threadIdx.x; }
static __device__ long all_threads(void) { return (long)gridDim.x * blockDim.x; }

/* The line that entry k is in: the last one whose offset is not beyond k. */
static __device__ long line_of(INDICES(offsets), long base, long lines, long k) {
  long low = 0, high = lines - 1;
  while (low < high) {
    long middle = low + (high - low + 1) / 2;
    if (AT(offsets, middle) - base <= k)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}
