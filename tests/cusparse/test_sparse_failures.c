/* SPDX-License-Identifier: MIT */
/*
 * test_sparse_failures - each OpenCL call, and each allocation on the host, fails once in every kind of call of
 * cuSPARSE's. Either the failure is told, by the call or by the next wait, or the result is what it always is; the
 * handle, the descriptors and the device go on, and nothing is left behind.
 *
 * An OpenCL device needs the layer (VPTR_TEST_LAYER=path of the module); else it is left out. On the fake device
 * operations of its own fail, and kernels do nothing: kinds of calls that read what kernels have counted are left out
 * there. It fails two in a row, too, by which a device may be lost (cuda/lost.h): it is given another chance then.
 */
#include "sparse_check.h"

#include <vptr/vptr.h>

#include "base/memory.h"
#include "cuda/device.h"
#include "cuda/lost.h"
#include "cusparse/call.h"
#include "device/fake.h"
#include "layer/left.h"
#include "support/support.h"

#define N CUSPARSE_OPERATION_NON_TRANSPOSE
#define T CUSPARSE_OPERATION_TRANSPOSE

/* SIDE: rows and columns. ROOM: of what a call may write, in bytes. MOST: calls of OpenCL's in one of cuSPARSE's. */
enum { SIDE = 12, ROOM = 8192, MOST = 3000, LEFT_OUT = 77 };

static const layer_control *layer;
static vptr_mapper *mapper;

/* What all calls work on, and where they write. */
static struct operands {
  cusparseHandle_t handle;
  matrix a;
  stored csr, coo;
  double *x, *y, *dense;
  int *out_indices;
  cusparseDnVecDescr_t vector_x, vector_y;
  cusparseDnMatDescr_t matrix_x, matrix_y;
  cusparseSpVecDescr_t entries;
  char *out; /* all that is written */
  char begin[ROOM], expected[ROOM];
} it;

static const double one = 1, zero = 0;

/* The first failure of several calls ends them; what they made, they give back. */
#define STEP(call) (status = status == CUSPARSE_STATUS_SUCCESS ? (call) : status)

/* ---- kinds of calls ------------------------------------------------------------------------------------------- */

static cusparseStatus_t call_handle(void) {
  cusparseHandle_t handle;
  cusparseStatus_t status = cusparseCreate(&handle);
  return status == CUSPARSE_STATUS_SUCCESS ? cusparseDestroy(handle) : status;
}

static cusparseStatus_t call_descriptor(void) {
  cusparseDnVecDescr_t made;
  cusparseStatus_t status = cusparseCreateDnVec(&made, SIDE, it.x, CUDA_R_64F);
  return status == CUSPARSE_STATUS_SUCCESS ? cusparseDestroyDnVec(made) : status;
}

static cusparseStatus_t multiply(cusparseOperation_t operation, cusparseSpMatDescr_t matrix) {
  return cusparseSpMV(it.handle, operation, &one, matrix, it.vector_x, &one, it.vector_y, CUDA_R_64F,
                      CUSPARSE_SPMV_ALG_DEFAULT, NULL);
}
static cusparseStatus_t call_spmv(void) {
  return multiply(N, it.csr.descr);
}
static cusparseStatus_t call_spmv_turned(void) {
  return multiply(T, it.csr.descr);
}
static cusparseStatus_t call_spmv_coo(void) {
  return multiply(N, it.coo.descr);
}

static cusparseStatus_t call_spmm(void) {
  return cusparseSpMM(it.handle, N, N, &one, it.csr.descr, it.matrix_x, &one, it.matrix_y, CUDA_R_64F,
                      CUSPARSE_SPMM_ALG_DEFAULT, NULL);
}

/* The matrix in blocks of one element. */
static cusparseStatus_t call_bsr(void) {
  cusparseSpMatDescr_t made;
  cusparseStatus_t status = cusparseCreateBsr(&made, SIDE, SIDE, it.a.nnz, 1, 1, it.csr.offsets.at, it.csr.indices.at,
                                              it.csr.values.at, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                              CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F, CUSPARSE_ORDER_ROW);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  STEP(multiply(N, made));
  cusparseDestroySpMat(made);
  return status;
}

/* Whatever numbers their bits are as halves: what comes out is the same each time. */
static cusparseStatus_t call_half(void) {
  cusparseDnVecDescr_t x = NULL, y = NULL;
  cusparseSpMatDescr_t a = NULL;
  const float f = 1;
  cusparseStatus_t status =
      cusparseCreateCsr(&a, SIDE, SIDE, it.a.nnz, it.csr.offsets.at, it.csr.indices.at, it.csr.values.at,
                        CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_16F);
  STEP(cusparseCreateDnVec(&x, SIDE, it.x, CUDA_R_16F));
  STEP(cusparseCreateDnVec(&y, SIDE, it.y, CUDA_R_16F));
  STEP(cusparseSpMV(it.handle, N, &f, a, x, &f, y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, NULL));
  if (a != NULL)
    cusparseDestroySpMat(a);
  if (x != NULL)
    cusparseDestroyDnVec(x);
  if (y != NULL)
    cusparseDestroyDnVec(y);
  return status;
}

/* A B where A has entries, and what is in the output becomes the result. */
static cusparseStatus_t call_half_sample(void) {
  enum { DEPTH = 4 };
  cusparseDnMatDescr_t a = NULL, b = NULL;
  cusparseSpMatDescr_t c = NULL;
  const float f = 1;
  cusparseStatus_t status =
      cusparseCreateCsr(&c, SIDE, SIDE, it.a.nnz, it.csr.offsets.at, it.csr.indices.at, it.y, CUSPARSE_INDEX_32I,
                        CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_16F);
  STEP(cusparseCreateDnMat(&a, SIDE, DEPTH, DEPTH, it.x, CUDA_R_16F, CUSPARSE_ORDER_ROW));
  STEP(cusparseCreateDnMat(&b, DEPTH, SIDE, DEPTH, it.x, CUDA_R_16F, CUSPARSE_ORDER_COL));
  STEP(cusparseSDDMM(it.handle, N, N, &f, a, b, &f, c, CUDA_R_32F, CUSPARSE_SDDMM_ALG_DEFAULT, NULL));
  if (c != NULL)
    cusparseDestroySpMat(c);
  if (a != NULL)
    cusparseDestroyDnMat(a);
  if (b != NULL)
    cusparseDestroyDnMat(b);
  return status;
}

/* Diagonals, and the right side that becomes the solution. */
static cusparseStatus_t call_gtsv(void) {
  return cusparseDgtsv2(it.handle, SIDE, 1, it.x, it.x, it.x, it.y, SIDE, NULL);
}

static cusparseStatus_t call_axpby(void) {
  return cusparseAxpby(it.handle, &one, it.entries, &one, it.vector_y);
}

/* The result is the host's, and goes where the others are. */
static cusparseStatus_t call_spvv(void) {
  double result = 0;
  cusparseStatus_t status = cusparseSpVV(it.handle, N, it.entries, it.vector_x, &result, CUDA_R_64F, NULL);
  if (status == CUSPARSE_STATUS_SUCCESS && cudaMemcpy(it.y, &result, sizeof result, cudaMemcpyHostToDevice) != 0)
    status = CUSPARSE_STATUS_EXECUTION_FAILED;
  return status;
}

static cusparseStatus_t call_csr2csc(void) {
  return cusparseCsr2cscEx2(it.handle, SIDE, SIDE, it.a.nnz, it.csr.values.at, it.csr.offsets.at, it.csr.indices.at,
                            it.y, it.out_indices, it.out_indices + SIDE + 1, CUDA_R_64F, CUSPARSE_ACTION_NUMERIC,
                            CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG1, NULL);
}

static cusparseStatus_t call_sort(void) {
  cusparseStatus_t status = cusparseCreateIdentityPermutation(it.handle, it.a.nnz, it.out_indices + 2 * it.a.nnz);
  return STEP(cusparseXcoosortByColumn(it.handle, SIDE, SIDE, it.a.nnz, it.out_indices, it.out_indices + it.a.nnz,
                                       it.out_indices + 2 * it.a.nnz, NULL));
}

static cusparseStatus_t call_compress(void) {
  cusparseSpMatDescr_t made;
  cusparseStatus_t status =
      cusparseCreateCsr(&made, SIDE, SIDE / 2, 0, it.out_indices, NULL, NULL, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                        CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  STEP(cusparseDenseToSparse_analysis(it.handle, it.matrix_x, made, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, NULL));
  STEP(cusparseCsrSetPointers(made, it.out_indices, it.out_indices + SIDE + 1, it.y));
  STEP(cusparseDenseToSparse_convert(it.handle, it.matrix_x, made, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, NULL));
  cusparseDestroySpMat(made);
  return status;
}

static cusparseStatus_t call_spsv(void) {
  cusparseSpSVDescr_t made;
  cusparseStatus_t status = cusparseSpSV_createDescr(&made);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  STEP(cusparseSpSV_analysis(it.handle, T, &one, it.csr.descr, it.vector_x, it.vector_y, CUDA_R_64F,
                             CUSPARSE_SPSV_ALG_DEFAULT, made, NULL));
  STEP(cusparseSpSV_solve(it.handle, T, &one, it.csr.descr, it.vector_x, it.vector_y, CUDA_R_64F,
                          CUSPARSE_SPSV_ALG_DEFAULT, made));
  cusparseSpSV_destroyDescr(made);
  return status;
}

/* The values of A are written over in a copy of them. */
static cusparseStatus_t call_ilu(void) {
  cusparseMatDescr_t descr = NULL;
  csrilu02Info_t info;
  int *offsets = it.csr.offsets.at, *columns = it.csr.indices.at, position;
  cusparseStatus_t status = cusparseCreateCsrilu02Info(&info);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  STEP(cusparseCreateMatDescr(&descr));
  STEP(cusparseDcsrilu02_analysis(it.handle, SIDE, it.a.nnz, descr, it.y, offsets, columns, info,
                                  CUSPARSE_SOLVE_POLICY_USE_LEVEL, NULL));
  STEP(cusparseDcsrilu02(it.handle, SIDE, it.a.nnz, descr, it.y, offsets, columns, info,
                         CUSPARSE_SOLVE_POLICY_USE_LEVEL, NULL));
  STEP(cusparseXcsrilu02_zeroPivot(it.handle, info, &position));
  cusparseDestroyMatDescr(descr);
  cusparseDestroyCsrilu02Info(info);
  return status;
}

/* Buffers lie in what is written. */
static cusparseStatus_t call_spgemm(void) {
  cusparseSpGEMMDescr_t made = NULL;
  cusparseSpMatDescr_t c;
  size_t size = ROOM / 4;
  char *first = it.out + ROOM / 4, *second = it.out + ROOM / 2;
  cusparseStatus_t status = cusparseCreateCsr(&c, SIDE, SIDE, 0, it.out_indices, NULL, NULL, CUSPARSE_INDEX_32I,
                                              CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
#define ARGUMENTS                                                                                                    \
  it.handle, N, N, &one, it.csr.descr, it.csr.descr, &zero, c, CUDA_R_64F, CUSPARSE_SPGEMM_DEFAULT, made
  STEP(cusparseSpGEMM_createDescr(&made));
  STEP(cusparseSpGEMM_workEstimation(ARGUMENTS, &size, first));
  size = ROOM / 2;
  STEP(cusparseSpGEMM_compute(ARGUMENTS, &size, second));
  STEP(cusparseCsrSetPointers(c, it.out_indices, it.out_indices + SIDE + 1, it.y));
  STEP(cusparseSpGEMM_copy(ARGUMENTS));
#undef ARGUMENTS
  if (made != NULL)
    cusparseSpGEMM_destroyDescr(made);
  cusparseDestroySpMat(c);
  return status;
}

static cusparseStatus_t call_geam(void) {
  cusparseMatDescr_t descr;
  int *offsets = it.csr.offsets.at, *columns = it.csr.indices.at, total;
  double *values = it.csr.values.at;
  cusparseStatus_t status = cusparseCreateMatDescr(&descr);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  STEP(cusparseXcsrgeam2Nnz(it.handle, SIDE, SIDE, descr, it.a.nnz, offsets, columns, descr, it.a.nnz, offsets,
                            columns, descr, it.out_indices, &total, NULL));
  STEP(cusparseDcsrgeam2(it.handle, SIDE, SIDE, &one, descr, it.a.nnz, values, offsets, columns, &one, descr,
                         it.a.nnz, values, offsets, columns, descr, it.y, it.out_indices, it.out_indices + SIDE + 1,
                         NULL));
  cusparseDestroyMatDescr(descr);
  return status;
}

static cusparseStatus_t call_csr2bsr(void) {
  cusparseMatDescr_t descr;
  cusparseStatus_t status = cusparseCreateMatDescr(&descr);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  STEP(cusparseDcsr2bsr(it.handle, CUSPARSE_DIRECTION_ROW, SIDE, SIDE, descr, it.csr.values.at, it.csr.offsets.at,
                        it.csr.indices.at, 3, descr, it.y, it.out_indices, it.out_indices + SIDE + 1));
  cusparseDestroyMatDescr(descr);
  return status;
}

/* ---- the walk --------------------------------------------------------------------------------------------------- */

typedef cusparseStatus_t (*kind_of_call)(void);

static void begin_output(void) {
  EXPECT(cudaMemcpy(it.out, it.begin, ROOM, cudaMemcpyHostToDevice) == cudaSuccess);
}

static bool is_as_expected(void) {
  static char got[ROOM];
  return cudaMemcpy(got, it.out, ROOM, cudaMemcpyDeviceToHost) == cudaSuccess && memcmp(got, it.expected, ROOM) == 0;
}

/* Of the fake device: the operation that is to fail, of all that there ever were. */
static uint64_t failing;

static uint64_t operations_now(void) {
  vptr__fake_counts counts;
  vptr__fake_get_counts(&counts);
  return counts.operations;
}

static void fail_fake(long n, long count) {
  failing = operations_now() + (uint64_t)n;
  vptr__fake_fail_in_a_row(n, count, CL_OUT_OF_RESOURCES);
}

static void fail_call(long n) {
  if (layer != NULL)
    layer->inject(LAYER_ANY, n, CL_OUT_OF_RESOURCES);
  else
    fail_fake(n, 1);
}

static void fail_two_calls(long n) {
  fail_fake(n, 2);
}

static bool has_failed_call(bool was_told) {
  (void)was_told;
  return layer != NULL ? layer->fired() : operations_now() >= failing;
}

/* Allocations are not counted: one that is beyond the last is noticed by nobody. */
static bool has_failed_allocation(bool was_told) {
  return was_told;
}

typedef struct fault {
  const char *what;
  void (*fail_nth)(long n);
  bool (*has_failed)(bool was_told);
} fault;

/* Returns how many failures were told. `unharmed` runs in a row without a fault are the end. */
static int walk(kind_of_call call, fault by) {
  enum { UNHARMED = 12 };
  int told = 0, unharmed = 0;
  for (long n = 1; n <= MOST && unharmed < UNHARMED; n++) {
    begin_output();
    by.fail_nth(n);
    cusparseStatus_t status = call();
    bool is_well = cudaDeviceSynchronize() == cudaSuccess && status == CUSPARSE_STATUS_SUCCESS;
    bool has_failed = by.has_failed(!is_well);
    by.fail_nth(0);
    if (by.fail_nth == fail_two_calls)
      vptr__cuda_forget_loss();
    cudaGetLastError();
    cudaDeviceSynchronize();
    EXPECT(!is_well || is_as_expected());
    EXPECT(is_well || has_failed);
    told += !is_well;
    unharmed = has_failed ? 0 : unharmed + 1;
    begin_output();
    FINE(call());
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    EXPECT(is_as_expected());
  }
  EXPECT(unharmed == UNHARMED);
  return told;
}

/* tells: whether allocations, and calls of OpenCL, are there that cannot fail in silence. */
static void check_kind(const char *what, kind_of_call call, const bool tells[2]) {
  enum { WALKS = 3 };
  const fault faults[] = { { "allocations", vptr__memory_fail_nth, has_failed_allocation },
                           { "calls of OpenCL", fail_call, has_failed_call },
                           { "two calls in a row", fail_two_calls, has_failed_call } };
  char words[64];
  begin_output();
  FINE(call());
  cudaDeviceSynchronize();
  cudaMemcpy(it.expected, it.out, ROOM, cudaMemcpyDeviceToHost);
  for (int i = 0; i < (layer != NULL ? 2 : 3); i++) {
    snprintf(words, sizeof words, "%s, %s", what, faults[i].what);
    checked = words;
    int told = walk(call, faults[i]);
    EXPECT(told > 0 || !tells[i > 0]);
    const left before = left_look(mapper, layer);
    for (int round = 0; round < WALKS; round++)
      walk(call, faults[i]);
    EXPECT(left_as_before(checked, before, mapper, layer));
  }
  checked = "";
}

/* ---- operands --------------------------------------------------------------------------------------------------- */

static void begin_operands(void) {
  kind of = kinds[1];
  matrix a = { SIDE, SIDE, 0, NULL, NULL, NULL, NULL };
  int all[SIDE];
  double numbers[ROOM / 8];
  a.row = malloc(SIDE * SIDE * sizeof(int));
  a.col = malloc(SIDE * SIDE * sizeof(int));
  a.offset = malloc((SIDE + 1) * sizeof(int));
  a.value = malloc(SIDE * SIDE * sizeof(number));
  for (int i = 0; i < SIDE; i++) {
    a.offset[i] = a.nnz;
    all[i] = i;
    for (int j = 0; j < SIDE; j++)
      if (j == i || (i + 2 * j) % 5 == 0) {
        a.row[a.nnz] = i;
        a.col[a.nnz] = j;
        a.value[a.nnz++] = j == i ? 4 : 0.25;
      }
  }
  a.offset[SIDE] = a.nnz;
  it.a = a;
  for (int i = 0; i < ROOM / 8; i++)
    numbers[i] = 1 + i % 7;
  memcpy(it.begin, numbers, sizeof numbers);
  for (int i = 0; i < a.nnz; i++) /* indices for sorting, in the first eighth */
    ((int *)it.begin)[i] = a.row[i], ((int *)it.begin)[a.nnz + i] = a.col[i];
  it.csr = store_matrix(of, a, CUSPARSE_FORMAT_CSR, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO);
  it.coo = store_matrix(of, a, CUSPARSE_FORMAT_COO, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO);
  copy indices = copy_bytes(all, sizeof all, 0);
  cudaMalloc((void **)&it.x, sizeof numbers);
  cudaMemcpy(it.x, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  cudaMalloc((void **)&it.out, ROOM);
  it.out_indices = (int *)(void *)it.out;
  it.y = (double *)(void *)(it.out + ROOM / 8);
  FINE(cusparseCreate(&it.handle));
  FINE(cusparseCreateDnVec(&it.vector_x, SIDE, it.x, of.type));
  FINE(cusparseCreateDnVec(&it.vector_y, SIDE, it.y, of.type));
  FINE(cusparseCreateDnMat(&it.matrix_x, SIDE, SIDE / 2, SIDE, it.x, of.type, CUSPARSE_ORDER_COL));
  FINE(cusparseCreateDnMat(&it.matrix_y, SIDE, SIDE / 2, SIDE, it.y, of.type, CUSPARSE_ORDER_COL));
  FINE(cusparseCreateSpVec(&it.entries, SIDE, SIDE / 2, indices.at, it.x, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_BASE_ZERO, of.type));
}

/* A call has places for so many areas of memory: one more is refused, and all go back. */
static void check_areas(void) {
  checked = "areas of memory";
  vptr__sparse_call call = vptr__sparse_enter("a call", it.handle);
  size_t before = vptr_count(mapper);
  for (int i = 0; i < VPTR__SPARSE_WORKS; i++)
    EXPECT(vptr__sparse_work(&call, 3, 8) != NULL);
  EXPECT(vptr__sparse_work(&call, 3, 8) == NULL);
  EXPECT(vptr__sparse_finish(&call) == CUSPARSE_STATUS_INTERNAL_ERROR);
  cudaDeviceSynchronize();
  EXPECT(vptr_count(mapper) == before);
}

static void do_nothing(const vptr__fake_launch *launch) {
  (void)launch;
}

static void define_kernels(void) {
  static const char *const names[] = {
    "vptr_k_clear",
    "vptr_k_count",
    "vptr_k_place",
    "vptr_k_sort_lines",
    "vptr_k_sum_pieces",
    "vptr_k_sum_before",
    "vptr_k_write_sums",
    "vptr_k_lines_of",
    "vptr_k_identity",
    "vptr_k_put_one",
    "vptr_k_pick",
    "vptr_k_d_pick",
    "vptr_k_d_multiply",
    "vptr_k_d_carry",
    "vptr_k_d_spread",
    "vptr_k_d_scale",
    "vptr_k_d_axpy",
    "vptr_k_d_multiply_coo",
    "vptr_k_d_dot",
    "vptr_k_d_product",
    "vptr_k_d_carry_product",
    "vptr_k_s_sampled",
    "vptr_k_d_turn",
    "vptr_k_d_solve",
    "vptr_k_d_factor_lu",
    "vptr_k_d_multiply_blocked",
    "vptr_k_s_multiply",
    "vptr_k_s_carry",
    "vptr_k_widen",
    "vptr_k_narrow",
    "vptr_k_d_eliminate",
    "vptr_k_d_substitute",
  };
  vptr__fake_report_addresses(true);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    vptr__fake_define(names[i], do_nothing);
}

int main(void) {
  static const struct {
    const char *what;
    kind_of_call call;
    bool tells[2], counts; /* it reads what kernels have counted */
  } all[] = {
    { "handle", call_handle, { false, false }, false },
    { "descriptor", call_descriptor, { true, false }, false },
    { "spmv", call_spmv, { true, true }, false },
    { "turned", call_spmv_turned, { false, true }, false },
    { "coo", call_spmv_coo, { true, true }, false },
    { "spmm", call_spmm, { false, true }, false },
    { "bsr", call_bsr, { true, true }, false },
    { "half", call_half, { true, true }, false },
    { "half sample", call_half_sample, { true, true }, false },
    { "gtsv", call_gtsv, { true, true }, false },
    { "axpby", call_axpby, { false, true }, false },
    { "spvv", call_spvv, { true, true }, true },
    { "csr2csc", call_csr2csc, { true, true }, false },
    { "sort", call_sort, { true, true }, false },
    { "compress", call_compress, { true, true }, true },
    { "spsv", call_spsv, { true, true }, false },
    { "ilu", call_ilu, { true, true }, false },
    { "geam", call_geam, { true, true }, true },
    { "csr2bsr", call_csr2bsr, { true, true }, true },
    { "spgemm", call_spgemm, { true, true }, true },
  };
  if (support_has_opencl() && (layer = layer_install()) == NULL)
    return LEFT_OUT;
  if (layer == NULL)
    define_kernels();
  begin_operands();
  EXPECT(vptr__cuda_current_mapper(&mapper) == cudaSuccess);
  check_areas();
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (layer != NULL || !all[i].counts)
      check_kind(all[i].what, all[i].call, all[i].tells);
  return verdict("test_sparse_failures");
}
