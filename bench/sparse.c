/* SPDX-License-Identifier: MIT */
/* sparse - see sparse.h. */
#include "sparse.h"

#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <vptr/vptr.h>

#include "duel.h"
#include "sparse_loops.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows of matrices that are multiplied with a vector, with a dense matrix of
 * SIDES columns, and with themselves. */
enum { VECTOR_ORDER = 1 << 17, DENSE_ORDER = 1 << 14, SQUARE_ORDER = 1 << 12, QUICK_ORDER = 1 << 10, SIDES = 32 };
enum { ROWS = 8 };

#define N CUSPARSE_OPERATION_NON_TRANSPOSE
#define GOOD(call) ((call) == CUSPARSE_STATUS_SUCCESS)

typedef struct job {
  duel *duel;
  cusparseHandle_t handle;
  sparse_matrix matrix;
  void *offsets, *columns, *values, *narrow; /* the matrix on the device */
  cusparseSpMatDescr_t descr, narrow_descr;
  size_t count; /* elements of an operand and of the result */
  void *x, *y;  /* on the host */
  void *x_at, *y_at;
  cusparseDnVecDescr_t vector_x, vector_y;
  cusparseDnMatDescr_t dense_x, dense_y;
  sparse_square square;
  cusparseSpMatDescr_t result; /* of the square; its offsets, columns and values */
  void *parts[3], *buffers[2];
  size_t sizes[2];
} job;

static const float one = 1, zero = 0;
static const double wide_one = 1, wide_zero = 0;

static bool settle(void) {
  return cudaStreamSynchronize(NULL) == cudaSuccess;
}

/* ---- the measured calls
 * ----------------------------------------------------------------------------------
 */

static bool vector_loop(void *context) {
  job *work = context;
  sparse_loop_float(&work->matrix, work->x, work->y);
  return true;
}

static bool vector_vptr(void *context) {
  job *work = context;
  return GOOD(cusparseSpMV(work->handle, N, &one, work->narrow_descr, work->vector_x, &zero, work->vector_y,
                           CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, NULL)) &&
         settle();
}

static bool wide_vector_loop(void *context) {
  job *work = context;
  sparse_loop_double(&work->matrix, work->x, work->y);
  return true;
}

static bool wide_vector_vptr(void *context) {
  job *work = context;
  return GOOD(cusparseSpMV(work->handle, N, &wide_one, work->descr, work->vector_x, &wide_zero, work->vector_y,
                           CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, NULL)) &&
         settle();
}

static bool dense_loop(void *context) {
  job *work = context;
  sparse_loop_dense(&work->matrix, work->x, work->y, SIDES);
  return true;
}

static bool dense_vptr(void *context) {
  job *work = context;
  return GOOD(cusparseSpMM(work->handle, N, N, &one, work->narrow_descr, work->dense_x, &zero, work->dense_y,
                           CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, NULL)) &&
         settle();
}

static bool square_loop(void *context) {
  job *work = context;
  sparse_loop_square(&work->matrix, &work->square);
  return true;
}

static bool estimate(job *work, cusparseSpGEMMDescr_t descr, void *buffer) {
  return GOOD(cusparseSpGEMM_workEstimation(work->handle, N, N, &one, work->narrow_descr, work->narrow_descr, &zero,
                                            work->result, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, descr, &work->sizes[0],
                                            buffer));
}

static bool compute(job *work, cusparseSpGEMMDescr_t descr, void *buffer) {
  return GOOD(cusparseSpGEMM_compute(work->handle, N, N, &one, work->narrow_descr, work->narrow_descr, &zero,
                                     work->result, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, descr, &work->sizes[1],
                                     buffer));
}

/* A buffer that was not there is made: by the first call alone. */
static bool has_buffer(job *work, int i) {
  return work->buffers[i] != NULL || cudaMalloc(&work->buffers[i], work->sizes[i]) == cudaSuccess;
}

static bool square_vptr(void *context) {
  job *work = context;
  cusparseSpGEMMDescr_t descr;
  if (!GOOD(cusparseSpGEMM_createDescr(&descr)))
    return false;
  bool good = estimate(work, descr, NULL) && has_buffer(work, 0) && estimate(work, descr, work->buffers[0]) &&
              compute(work, descr, NULL) && has_buffer(work, 1) && compute(work, descr, work->buffers[1]) &&
              GOOD(cusparseSpGEMM_copy(work->handle, N, N, &one, work->narrow_descr, work->narrow_descr, &zero,
                                       work->result, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, descr)) &&
              settle();
  cusparseSpGEMM_destroyDescr(descr);
  return good;
}

/* ---- what came out
 * ---------------------------------------------------------------------------------------
 */

/* So many numbers from the device, to be freed; NULL: it did not work. */
static void *bring(const void *from, size_t bytes) {
  void *to = malloc(bytes > 0 ? bytes : 1);
  if (to != NULL && cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost) == cudaSuccess)
    return to;
  free(to);
  return NULL;
}

static bool are_near(const float *got, const float *expected, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!(fabsf(got[i] - expected[i]) <= 1e-3f))
      return false;
  return true;
}

static bool is_vector_right(job *work, bool is_wide) {
  size_t bytes = work->count * (is_wide ? sizeof(double) : sizeof(float));
  void *got = bring(work->y_at, bytes);
  bool good = got != NULL;
  if (good && !is_wide)
    good = are_near(got, work->y, work->count);
  for (size_t i = 0; i < work->count && good && is_wide; i++)
    good = fabs(((double *)got)[i] - ((double *)work->y)[i]) <= 1e-9;
  free(got);
  return good;
}

static bool is_square_right(job *work) {
  size_t count = (size_t)work->square.offsets[work->matrix.order];
  int64_t rows, columns, entries = 0;
  cusparseSpMatGetSize(work->result, &rows, &columns, &entries);
  int *got = (size_t)entries == count ? bring(work->parts[1], count * sizeof(int)) : NULL;
  float *values = (size_t)entries == count ? bring(work->parts[2], count * sizeof(float)) : NULL;
  bool good = got != NULL && values != NULL && memcmp(got, work->square.columns, count * sizeof(int)) == 0 &&
              are_near(values, work->square.values, count);
  free(got);
  free(values);
  return good;
}

/* ---- operands
 * --------------------------------------------------------------------------------------------
 */

static bool send(void **at, const void *from, size_t bytes) {
  return cudaMalloc(at, bytes) == cudaSuccess && cudaMemcpy(*at, from, bytes, cudaMemcpyHostToDevice) == cudaSuccess;
}

static bool make_matrix(job *work, int order, bool is_skewed) {
  sparse_matrix *a = &work->matrix;
  if (!sparse_matrix_begin(a, order, is_skewed))
    return false;
  size_t entries = (size_t)a->entries;
  return send(&work->offsets, a->offsets, ((size_t)order + 1) * sizeof(int)) &&
         send(&work->columns, a->columns, entries * sizeof(int)) &&
         send(&work->values, a->values, entries * sizeof(double)) &&
         send(&work->narrow, a->narrow, entries * sizeof(float)) &&
         GOOD(cusparseCreateCsr(&work->descr, order, order, a->entries, work->offsets, work->columns, work->values,
                                CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F)) &&
         GOOD(cusparseCreateCsr(&work->narrow_descr, order, order, a->entries, work->offsets, work->columns,
                                work->narrow, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                CUDA_R_32F));
}

/* An operand of so many columns, and room for a result. */
static bool make_operands(job *work, int columns, bool is_wide) {
  size_t size = is_wide ? sizeof(double) : sizeof(float);
  int order = work->matrix.order;
  work->count = (size_t)order * (size_t)columns;
  work->x = calloc(work->count, size);
  work->y = calloc(work->count, size);
  if (work->x == NULL || work->y == NULL)
    return false;
  for (size_t i = 0; i < work->count; i++) {
    double value = (double)(i % 17) / 16 - 0.5;
    if (is_wide)
      ((double *)work->x)[i] = value;
    else
      ((float *)work->x)[i] = (float)value;
  }
  cudaDataType type = is_wide ? CUDA_R_64F : CUDA_R_32F;
  return send(&work->x_at, work->x, work->count * size) && send(&work->y_at, work->y, work->count * size) &&
         GOOD(cusparseCreateDnVec(&work->vector_x, order, work->x_at, type)) &&
         GOOD(cusparseCreateDnVec(&work->vector_y, order, work->y_at, type)) &&
         GOOD(cusparseCreateDnMat(&work->dense_x, order, columns, columns, work->x_at, type, CUSPARSE_ORDER_ROW)) &&
         GOOD(cusparseCreateDnMat(&work->dense_y, order, columns, columns, work->y_at, type, CUSPARSE_ORDER_ROW));
}

static bool make_square(job *work) {
  const int order = work->matrix.order;
  size_t room = sparse_square_begin(&work->square, &work->matrix) ? (size_t)work->square.room : 0;
  return room > 0 && cudaMalloc(&work->parts[0], ((size_t)order + 1) * sizeof(int)) == cudaSuccess &&
         cudaMalloc(&work->parts[1], room * sizeof(int)) == cudaSuccess &&
         cudaMalloc(&work->parts[2], room * sizeof(float)) == cudaSuccess &&
         GOOD(cusparseCreateCsr(&work->result, order, order, 0, work->parts[0], work->parts[1], work->parts[2],
                                CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
}

static void end_job(job *work) {
  void *const all[] = { work->offsets,  work->columns,  work->values,   work->narrow,     work->x_at,      work->y_at,
                        work->parts[0], work->parts[1], work->parts[2], work->buffers[0], work->buffers[1] };
  cusparseSpMatDescr_t matrices[] = { work->descr, work->narrow_descr, work->result };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    cudaFree(all[i]);
  for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++)
    if (matrices[i] != NULL)
      cusparseDestroySpMat(matrices[i]);
  if (work->vector_x != NULL)
    cusparseDestroyDnVec(work->vector_x);
  if (work->vector_y != NULL)
    cusparseDestroyDnVec(work->vector_y);
  if (work->dense_x != NULL)
    cusparseDestroyDnMat(work->dense_x);
  if (work->dense_y != NULL)
    cusparseDestroyDnMat(work->dense_y);
  free(work->x);
  free(work->y);
  sparse_square_end(&work->square);
  sparse_matrix_end(&work->matrix);
}

/* ---- the run
 * ---------------------------------------------------------------------------------------------
 */

typedef enum form { VECTOR, WIDE_VECTOR, DENSE, SQUARE, FORMS } form;

static const struct {
  const char *name;
  int order, columns;
  bool is_wide;
  duel_call *loop, *vptr;
} forms[FORMS] = {
  [VECTOR] = { "cusparseSpMV, float", VECTOR_ORDER, 1, false, vector_loop, vector_vptr },
  [WIDE_VECTOR] = { "cusparseSpMV, double", VECTOR_ORDER, 1, true, wide_vector_loop, wide_vector_vptr },
  [DENSE] = { "cusparseSpMM, float", DENSE_ORDER, SIDES, false, dense_loop, dense_vptr },
  [SQUARE] = { "cusparseSpGEMM, float", SQUARE_ORDER, 1, false, square_loop, square_vptr },
};

/* Of the matrix and the other operands, as they are read and written once; of a
 * square, without what comes out. */
static size_t bytes_of(const job *work, form which) {
  size_t size = forms[which].is_wide ? sizeof(double) : sizeof(float);
  size_t matrix = (size_t)work->matrix.entries * (sizeof(int) + size) + (size_t)work->matrix.order * sizeof(int);
  return which == SQUARE ? 2 * matrix : matrix + 2 * work->count * size;
}

/* The first call of vptr's compiles kernels. */
static bool measure(job *work, form which, const char *rows) {
  char name[64];
  snprintf(name, sizeof name, "%s, %s", forms[which].name, rows);
  bool good = forms[which].loop(work) && forms[which].vptr(work);
  if (!good)
    fprintf(stderr, "vptr-bench: %s rows: %s\n", name, vptr_last_error());
  else if (!(which == SQUARE ? is_square_right(work) : is_vector_right(work, forms[which].is_wide)))
    fprintf(stderr, "vptr-bench: %s rows: the result is not the loop's\n", name), good = false;
  return good && duel_row(work->duel, &(duel_work){ .what = name,
                                                    .bytes = bytes_of(work, which),
                                                    .bare = forms[which].loop,
                                                    .vptr = forms[which].vptr,
                                                    .context = work });
}

static bool run_row(duel *with, cusparseHandle_t handle, form which, bool is_skewed) {
  job work = { .duel = with, .handle = handle };
  int order = with->options->quick ? QUICK_ORDER : forms[which].order;
  bool good = make_matrix(&work, order, is_skewed) &&
              make_operands(&work, forms[which].columns, forms[which].is_wide) &&
              (which != SQUARE || make_square(&work));
  if (!good)
    fprintf(stderr,
            "vptr-bench: no memory for a matrix of %d rows and what it is "
            "multiplied with: %s\n",
            order, vptr_last_error());
  good = good && measure(&work, which, is_skewed ? "skewed" : "even");
  end_job(&work);
  return good;
}

bool sparse_run(const options *wanted) {
  duel with = { 0 };
  cusparseHandle_t handle = NULL;
  bool good = duel_begin(&with, wanted, "sparse") && GOOD(cusparseCreate(&handle));
  if (good)
    duel_report(&with, "call, rows", ROWS, "a loop in C on one thread of the host; bytes: of matrix and operands");
  for (int which = 0; which < FORMS && good; which++) {
    report_gap(&with.report);
    good = run_row(&with, handle, (form)which, false) && run_row(&with, handle, (form)which, true);
  }
  if (good)
    report_end(&with.report);
  if (handle != NULL)
    cusparseDestroy(handle);
  duel_end(&with);
  return good;
}
