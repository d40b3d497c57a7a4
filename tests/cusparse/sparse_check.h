/* SPDX-License-Identifier: MIT */
/*
 * sparse_check - what the programs that hold cuSPARSE against plain loops share: values of each type, random matrices,
 * and their copies on the device in each format; beside what support/library.h has. It knows nothing of vptr, so that
 * they also run on NVIDIA's.
 *
 * On the host all values are double complex; a matrix is a list of entries in the order of rows. Copies on the device
 * begin inside of their allocations: NVIDIA's at multiples of 256 bytes, as it may read several indices at once.
 */
#ifndef TESTS_CUSPARSE_SPARSE_CHECK_H
#define TESTS_CUSPARSE_SPARSE_CHECK_H

#include <complex.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cusparse.h>

#include "support/library.h"

static const char *checked = "";

/* What is checked from here on, with its sizes: a failure tells them. */
__attribute__((format(printf, 1, 2))) static inline void checking(const char *format, ...) {
  static char words[160];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words, sizeof words, format, arguments);
  va_end(arguments);
  checked = words;
}

/* In which combination of what calls may be told apart by, for counts of failures. */
static const char *combination = "";

__attribute__((format(printf, 1, 2))) static inline void combining(const char *format, ...) {
  static char words[100];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words, sizeof words, format, arguments);
  va_end(arguments);
  combination = words;
}

static inline bool gives(cusparseStatus_t given, cusparseStatus_t wanted, const char *call, int line) {
  checks++;
  if (given == wanted)
    return true;
  count_kind("%.*s, %s: %s", (int)strcspn(call, "("), call, combination, cusparseGetErrorName(given));
  if (count_failure_at(checked, line))
    printf("%s: %s: line %d: %s gives %s, and should give %s\n", checked, combination, line, call,
           cusparseGetErrorName(given), cusparseGetErrorName(wanted));
  return false;
}

#define EXPECT(condition) check_that(condition, checked, #condition, __LINE__)
#define GIVES(call, status) (CRASH_NOTE(__FILE__, __LINE__), gives(call, status, #call, __LINE__))
#define FINE(call) GIVES(call, CUSPARSE_STATUS_SUCCESS)

/* Whether the call did it. NVIDIA's may lack a combination, which its document does not promise for each version, and
 * say so; ours may not. */
#define DOES(call) (CRASH_NOTE(__FILE__, __LINE__), does(call, #call, __LINE__))
static inline bool does(cusparseStatus_t given, const char *call, int line) {
#ifdef ON_NVIDIA
  if (given == CUSPARSE_STATUS_NOT_SUPPORTED) {
    printf("observed: %.*s, %s: not supported\n", (int)strcspn(call, "("), call, combination);
    return false;
  }
#endif
  return gives(given, CUSPARSE_STATUS_SUCCESS, call, line);
}

typedef double complex number;

typedef struct kind {
  cudaDataType type;
  size_t size;
  bool is_complex, is_double;
} kind;

static const kind kinds[] = { { CUDA_R_32F, 4, false, false },
                              { CUDA_R_64F, 8, false, true },
                              { CUDA_C_32F, 8, true, false },
                              { CUDA_C_64F, 16, true, true } };

/* ---- random ------------------------------------------------------------------------------------------------ */

static inline int random_below(int limit) { return random_int(0, limit - 1); }
static inline number random_number(kind of) {
  number value = random_real();
  return of.is_complex ? value + I * random_real() : value;
}
static inline number *random_numbers(kind of, int64_t count) {
  number *numbers = malloc((size_t)(count > 0 ? count : 1) * sizeof *numbers);
  for (int64_t i = 0; i < count; i++)
    numbers[i] = random_number(of);
  return numbers;
}

/* ---- copies ------------------------------------------------------------------------------------------------ */

typedef struct copy {
  char *base;
  void *at;
} copy;

static inline copy copy_bytes(const void *bytes, size_t size, size_t before) {
  copy made;
#ifdef ON_NVIDIA
  before = 256;
#endif
  made.base = new_buffer(size + before + 16);
  made.at = made.base + before;
  cudaMemcpy(made.at, bytes, size, cudaMemcpyHostToDevice);
  return made;
}

/* The external buffer of a call. NVIDIA's want one of the size that they tell; ours tell 0 where they need none, and
 * are given none every second time. */
static inline void *external_buffer(size_t bytes) {
#ifndef ON_NVIDIA
  static int turn;
  if (bytes == 0 && turn++ % 2 == 0)
    return NULL;
#endif
  return new_buffer(bytes);
}

/* NVIDIA's have conjugates of complex matrices alone. */
static inline bool has_operation(kind of, cusparseOperation_t operation) {
#ifdef ON_NVIDIA
  return of.is_complex || operation != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
#else
  (void)of, (void)operation;
  return true;
#endif
}

static inline void pack(kind of, const number *from, void *to, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    double real = creal(from[i]), imaginary = cimag(from[i]);
    if (of.is_double && of.is_complex)
      ((double *)to)[2 * i] = real, ((double *)to)[2 * i + 1] = imaginary;
    else if (of.is_double)
      ((double *)to)[i] = real;
    else if (of.is_complex)
      ((float *)to)[2 * i] = (float)real, ((float *)to)[2 * i + 1] = (float)imaginary;
    else
      ((float *)to)[i] = (float)real;
  }
}

static inline number unpack(kind of, const void *from, int64_t i) {
  if (of.is_double)
    return of.is_complex ? ((const double *)from)[2 * i] + I * ((const double *)from)[2 * i + 1]
                         : ((const double *)from)[i];
  return of.is_complex ? ((const float *)from)[2 * i] + I * ((const float *)from)[2 * i + 1] : ((const float *)from)[i];
}

static inline copy copy_numbers(kind of, const number *from, int64_t count) {
  void *packed = malloc((size_t)count * of.size + 1);
  pack(of, from, packed, count);
  copy made = copy_bytes(packed, (size_t)count * of.size, 3 * of.size);
  free(packed);
  return made;
}

static inline number *read_numbers(kind of, const void *at, int64_t count) {
  void *packed = malloc((size_t)count * of.size + 1);
  number *numbers = malloc((size_t)(count + 1) * sizeof *numbers);
  copy_or_end(checked, packed, at, (size_t)count * of.size);
  for (int64_t i = 0; i < count; i++)
    numbers[i] = unpack(of, packed, i);
  free(packed);
  return numbers;
}

static inline copy copy_indices(cusparseIndexType_t type, const int *from, int64_t count, int base) {
  size_t size = type == CUSPARSE_INDEX_64I ? 8 : 4;
  void *packed = malloc((size_t)count * size + 1);
  for (int64_t i = 0; i < count; i++)
    if (size == 8)
      ((int64_t *)packed)[i] = from[i] + base;
    else
      ((int *)packed)[i] = from[i] + base;
  copy made = copy_bytes(packed, (size_t)count * size, size);
  free(packed);
  return made;
}

static inline bool is_near(kind of, number a, number b, double scale) {
  double allowed = (of.is_double ? 1e-12 : 2e-5) * (scale + 1);
  return cabs(a - b) <= allowed || (isnan(creal(a)) && isnan(creal(b)));
}

/* Each number is what it should be, beside numbers of a size of `scale`. */
static inline void compare_numbers(kind of, const void *at, const number *expected, int64_t count, double scale) {
  number *got = read_numbers(of, at, count);
  for (int64_t i = 0; i < count; i++) {
    checks++;
    if (is_near(of, got[i], expected[i], scale))
      continue;
    count_kind("values, %s", combination);
    if (count_failure_at(checked, __LINE__))
      printf("%s: %s: type %d, number %lld is %g%+gi, and should be %g%+gi\n", checked, combination, (int)of.type,
             (long long)i, creal(got[i]), cimag(got[i]), creal(expected[i]), cimag(expected[i]));
  }
  free(got);
}

/* ---- matrices ----------------------------------------------------------------------------------------------- */

typedef struct matrix {
  int rows, cols, nnz;
  int *row, *col;    /* of each entry */
  int *offset;       /* of each row, and behind the last */
  number *value;
} matrix;

typedef enum shape { EVEN, SKEWED, SPARSE_ROWS, SHAPES } shape;

/* Columns of a row are in order, and different: an entry is there with a chance that depends on the row. None is 0,
 * which dense matrices say for no entry. */
static inline matrix random_matrix(kind of, int rows, int cols, shape form) {
  matrix a = { rows, cols, 0, NULL, NULL, malloc((size_t)(rows + 1) * sizeof(int)), NULL };
  size_t room = (size_t)rows * (size_t)cols + 1;
  a.row = malloc(room * sizeof(int));
  a.col = malloc(room * sizeof(int));
  a.value = malloc(room * sizeof(number));
  int full = rows > 0 ? random_below(rows) : 0;
  for (int i = 0; i < rows; i++) {
    int chance = form == EVEN ? 10 : form == SKEWED ? (i == full ? 100 : 2) : i % 7 == 0 ? 30 : 0;
    a.offset[i] = a.nnz;
    for (int j = 0; j < cols; j++) {
      if (random_below(100) >= chance)
        continue;
      a.row[a.nnz] = i;
      a.col[a.nnz] = j;
      number value = random_number(of);
      a.value[a.nnz++] = value == 0 ? 1 : value;
    }
  }
  a.offset[rows] = a.nnz;
  return a;
}

static inline void free_matrix(matrix a) {
  free(a.row);
  free(a.col);
  free(a.offset);
  free(a.value);
}

static inline matrix transposed_matrix(matrix a) {
  matrix t = { a.cols, a.rows, a.nnz, malloc((size_t)a.nnz * sizeof(int) + 1), malloc((size_t)a.nnz * sizeof(int) + 1),
               calloc((size_t)a.cols + 1, sizeof(int)), malloc((size_t)a.nnz * sizeof(number) + 1) };
  int k = 0;
  for (int j = 0; j < a.cols; j++) {
    t.offset[j] = k;
    for (int i = 0; i < a.nnz; i++)
      if (a.col[i] == j) {
        t.row[k] = j;
        t.col[k] = a.row[i];
        t.value[k++] = a.value[i];
      }
  }
  t.offset[a.cols] = k;
  return t;
}

typedef struct stored {
  cusparseSpMatDescr_t descr;
  copy offsets, indices, values;
} stored;

static inline void free_stored(stored it) {
  FINE(cusparseDestroySpMat(it.descr));
  cudaFree(it.offsets.base);
  cudaFree(it.indices.base);
  cudaFree(it.values.base);
}

static inline stored store_matrix(kind of, matrix a, cusparseFormat_t format, cusparseIndexType_t offset_type,
                                  cusparseIndexType_t index_type, cusparseIndexBase_t base) {
  stored it;
  matrix lines = format == CUSPARSE_FORMAT_CSC ? transposed_matrix(a) : a;
  if (format == CUSPARSE_FORMAT_COO)
    it.offsets = copy_indices(index_type, a.row, a.nnz, (int)base);
  else
    it.offsets = copy_indices(offset_type, lines.offset, lines.rows + 1, (int)base);
  it.indices = copy_indices(index_type, lines.col, a.nnz, (int)base);
  it.values = copy_numbers(of, lines.value, a.nnz);
  if (format == CUSPARSE_FORMAT_CSR)
    FINE(cusparseCreateCsr(&it.descr, a.rows, a.cols, a.nnz, it.offsets.at, it.indices.at, it.values.at, offset_type,
                           index_type, base, of.type));
  else if (format == CUSPARSE_FORMAT_CSC)
    FINE(cusparseCreateCsc(&it.descr, a.rows, a.cols, a.nnz, it.offsets.at, it.indices.at, it.values.at, offset_type,
                           index_type, base, of.type));
  else
    FINE(cusparseCreateCoo(&it.descr, a.rows, a.cols, a.nnz, it.offsets.at, it.indices.at, it.values.at, index_type,
                           base, of.type));
  if (format == CUSPARSE_FORMAT_CSC)
    free_matrix(lines);
  return it;
}

static inline number conjugate_for(cusparseOperation_t operation, number value) {
  return operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conj(value) : value;
}

/* A factor as the call wants it: packed on the host, as aligned as NVIDIA's complex numbers are, or a copy on the
 * device. */
typedef struct factor {
  _Alignas(16) double packed[2];
  copy device;
  const void *at;
} factor;

static inline void make_factor(factor *it, kind of, number value, bool on_device) {
  pack(of, &value, it->packed, 1);
  it->device = on_device ? copy_bytes(it->packed, of.size, of.size) : (copy){ NULL, NULL };
  it->at = on_device ? it->device.at : it->packed;
}

#endif
