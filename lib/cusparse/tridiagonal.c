/* SPDX-License-Identifier: MIT */
/*
 * tridiagonal - systems of three diagonals: cusparseXgtsv2() with pivots and cusparseXgtsv2_nopivot() without, of
 * several right sides, and cusparseXgtsv2StridedBatch(), of several systems.
 *
 * Without pivots, rows are reduced all at once, each step binding them to rows twice as far away: as many steps as the
 * size has bits, of any number of systems. What lies between is in memory of the pool. Pivots are not sought, so a
 * diagonal has to rule its row, as cuSPARSE has it. With pivots, one thread eliminates row by row, as LAPACK does,
 * since whether two rows change places depends on all before; right sides go side by side.
 *
 * No state and no locks. Called by programs. Nothing waits. No buffer is needed: its size is told as 0.
 */
#include "cusparse/kernel.h"
#include "cusparse/lines.h"

enum { SMALLEST = 3 };

/* Systems as the program hands them in: distances are in elements. */
typedef struct systems {
  int m, count, sides;
  int64_t stride, x_stride, x_apart;
  const void *lower, *middle, *upper;
  void *x;
} systems;

static void check_systems(vptr__sparse_call *call, vptr__sparse_type type, const systems *it) {
  const size_t size = vptr__sparse_size(type);
  call->type = type;
  vptr__sparse_require(call, it->m >= SMALLEST, "m is %d, and must be %d or more", it->m, (int)SMALLEST);
  vptr__sparse_require(call, it->count > 0 && it->sides >= 0,
                       "batchCount is %d, and n %d: the first must be above 0, the second not below", it->count,
                       it->sides);
  vptr__sparse_require(call, it->stride >= it->m && it->x_apart >= it->m,
                       "ldb or batchStride is below m, which is %d", it->m);
  int64_t diagonal = (it->count - 1) * it->stride + it->m;
  int64_t x = (it->count - 1) * it->x_stride + (it->sides > 0 ? (it->sides - 1) * it->x_apart + it->m : 0);
  vptr__sparse_memory(call, "dl", it->lower, diagonal, size);
  vptr__sparse_memory(call, "d", it->middle, diagonal, size);
  vptr__sparse_memory(call, "du", it->upper, diagonal, size);
  vptr__sparse_memory(call, it->count > 1 ? "x" : "B", it->x, x, size);
}

static cusparseStatus_t tell_no_buffer(const char *name, cusparseHandle_t handle, vptr__sparse_type type,
                                       const systems *it, size_t *size) {
  vptr__sparse_call call = vptr__sparse_enter(name, handle);
  check_systems(&call, type, it);
  vptr__sparse_require(&call, size != NULL, "bufferSizeInBytes is NULL");
  if (vptr__sparse_is_well(&call))
    *size = 0;
  return vptr__sparse_finish(&call);
}

/* The three diagonals and the right sides, without gaps. */
typedef struct room {
  void *lower, *middle, *upper, *x;
} room;

static room make_room(vptr__sparse_call *call, int64_t rows, int64_t sides) {
  const size_t size = vptr__sparse_size(call->type);
  char *at = vptr__sparse_work(call, rows * (3 + sides), size);
  size_t each = (size_t)rows * size;
  return at == NULL ? (room){ NULL, NULL, NULL, NULL } : (room){ at, at + each, at + 2 * each, at + 3 * each };
}

/* The last step writes to where the first one read, so there are two of them at least. */
static cusparseStatus_t solve(const char *name, cusparseHandle_t handle, vptr__sparse_type type, systems it) {
  vptr__sparse_call call = vptr__sparse_enter(name, handle);
  check_systems(&call, type, &it);
  if (!vptr__sparse_is_well(&call) || it.sides == 0)
    return vptr__sparse_finish(&call);
  int64_t m = it.m, count = it.count, sides = it.sides, rows = m * count, to_stride = m * sides;
  room rooms[2] = { make_room(&call, rows, sides), make_room(&call, rows, sides) };
  void *result = it.x;
  const int64_t stride = it.x_stride, apart = it.x_apart;
  for (int64_t step = 1, turn = 0; step < m && vptr__sparse_is_well(&call); step *= 2, turn = !turn) {
    int is_last = 2 * step >= m;
    room *to = &rooms[turn];
    void **x = is_last ? &result : &to->x;
    const int64_t *x_stride = is_last ? &stride : &to_stride, *x_apart = is_last ? &apart : &m;
    vptr__sparse_launch(&call, VPTR__SPARSE_REDUCE, vptr__sparse_line(rows),
                        VPTR__SPARSE_ARGUMENTS(&m, &count, &sides, &step, &is_last, &it.lower, &it.middle, &it.upper,
                                               &it.stride, &it.x, &it.x_stride, &it.x_apart, &to->lower, &to->middle,
                                               &to->upper, x, x_stride, x_apart));
    it = (systems){ it.m, it.count, it.sides, m, to_stride, m, to->lower, to->middle, to->upper, to->x };
  }
  return vptr__sparse_finish(&call);
}

/* With the larger of two pivots each. */
static cusparseStatus_t solve_with_pivots(const char *name, cusparseHandle_t handle, vptr__sparse_type type,
                                          systems it) {
  vptr__sparse_call call = vptr__sparse_enter(name, handle);
  check_systems(&call, type, &it);
  if (!vptr__sparse_is_well(&call) || it.sides == 0)
    return vptr__sparse_finish(&call);
  const vptr__sparse_shape one_thread = { { 1, 1, 1 }, { 1, 1, 1 } };
  int64_t m = it.m, sides = it.sides;
  room to = make_room(&call, m, 1);
  void *factors = to.x, *swaps = vptr__sparse_work(&call, m, sizeof(int));
  vptr__sparse_launch(&call, VPTR__SPARSE_ELIMINATE, one_thread,
                      VPTR__SPARSE_ARGUMENTS(&m, &it.lower, &it.middle, &it.upper, &factors, &swaps, &to.middle,
                                             &to.upper, &to.lower));
  vptr__sparse_launch(
      &call, VPTR__SPARSE_SUBSTITUTE, vptr__sparse_line(sides),
      VPTR__SPARSE_ARGUMENTS(&m, &sides, &factors, &swaps, &to.middle, &to.upper, &to.lower, &it.x, &it.x_apart));
  return vptr__sparse_finish(&call);
}

static systems of_sides(int m, int n, const void *dl, const void *d, const void *du, void *b, int ldb) {
  return (systems){ m, 1, n, m, 0, ldb, dl, d, du, b };
}

static systems of_batch(int m, const void *dl, const void *d, const void *du, void *x, int count, int stride) {
  return (systems){ m, count, 1, stride, stride, stride, dl, d, du, x };
}

#define TRIDIAGONAL(letter, T, type)                                                                                 \
  cusparseStatus_t cusparse##letter##gtsv2_bufferSizeExt(cusparseHandle_t handle, int m, int n, const T *dl,         \
                                                         const T *d, const T *du, const T *B, int ldb,               \
                                                         size_t *bufferSizeInBytes) {                                \
    systems it = of_sides(m, n, dl, d, du, vptr__sparse_address(B), ldb);                                            \
    return tell_no_buffer("cusparse" #letter "gtsv2_bufferSizeExt", handle, type, &it, bufferSizeInBytes);           \
  }                                                                                                                  \
  cusparseStatus_t cusparse##letter##gtsv2(cusparseHandle_t handle, int m, int n, const T *dl, const T *d,           \
                                           const T *du, T *B, int ldb, void *pBuffer) {                              \
    (void)pBuffer;                                                                                                   \
    return solve_with_pivots("cusparse" #letter "gtsv2", handle, type, of_sides(m, n, dl, d, du, B, ldb));           \
  }                                                                                                                  \
  cusparseStatus_t cusparse##letter##gtsv2_nopivot_bufferSizeExt(cusparseHandle_t handle, int m, int n, const T *dl, \
                                                                 const T *d, const T *du, const T *B, int ldb,       \
                                                                 size_t *bufferSizeInBytes) {                        \
    systems it = of_sides(m, n, dl, d, du, vptr__sparse_address(B), ldb);                                            \
    return tell_no_buffer("cusparse" #letter "gtsv2_nopivot_bufferSizeExt", handle, type, &it, bufferSizeInBytes);   \
  }                                                                                                                  \
  cusparseStatus_t cusparse##letter##gtsv2_nopivot(cusparseHandle_t handle, int m, int n, const T *dl, const T *d,   \
                                                   const T *du, T *B, int ldb, void *pBuffer) {                      \
    (void)pBuffer;                                                                                                   \
    return solve("cusparse" #letter "gtsv2_nopivot", handle, type, of_sides(m, n, dl, d, du, B, ldb));               \
  }                                                                                                                  \
  cusparseStatus_t cusparse##letter##gtsv2StridedBatch_bufferSizeExt(                                                \
      cusparseHandle_t handle, int m, const T *dl, const T *d, const T *du, const T *x, int batchCount,              \
      int batchStride, size_t *bufferSizeInBytes) {                                                                  \
    systems it = of_batch(m, dl, d, du, vptr__sparse_address(x), batchCount, batchStride);                           \
    return tell_no_buffer("cusparse" #letter "gtsv2StridedBatch_bufferSizeExt", handle, type, &it,                   \
                          bufferSizeInBytes);                                                                        \
  }                                                                                                                  \
  cusparseStatus_t cusparse##letter##gtsv2StridedBatch(cusparseHandle_t handle, int m, const T *dl, const T *d,      \
                                                       const T *du, T *x, int batchCount, int batchStride,           \
                                                       void *pBuffer) {                                              \
    (void)pBuffer;                                                                                                   \
    return solve("cusparse" #letter "gtsv2StridedBatch", handle, type,                                               \
                 of_batch(m, dl, d, du, x, batchCount, batchStride));                                                \
  }
TRIDIAGONAL(S, float, VPTR__SPARSE_S)
TRIDIAGONAL(D, double, VPTR__SPARSE_D)
TRIDIAGONAL(C, cuComplex, VPTR__SPARSE_C)
TRIDIAGONAL(Z, cuDoubleComplex, VPTR__SPARSE_Z)
