/* SPDX-License-Identifier: MIT */
/*
 * conform_combine - a sparse vector and a dense one: sums, copies, rotations and products beside plain loops.
 */
#include "sparse_check.h"

typedef struct operands {
  kind of;
  int size, nnz;
  int *index;
  number *x, *y;
  copy indices, values, dense;
  cusparseSpVecDescr_t sparse;
  cusparseDnVecDescr_t vector;
} operands;

static operands make_operands(kind of, int size, int nnz, cusparseIndexType_t type, cusparseIndexBase_t base) {
  operands it = { of,
                  size,
                  nnz,
                  malloc((size_t)(size + 1) * sizeof(int)),
                  random_numbers(of, nnz),
                  random_numbers(of, size),
                  { NULL, NULL },
                  { NULL, NULL },
                  { NULL, NULL },
                  NULL,
                  NULL };
  for (int i = 0; i < size; i++)
    it.index[i] = i;
  for (int i = 0; i < nnz; i++) {
    int other = i + random_below(size - i), swapped = it.index[i];
    it.index[i] = it.index[other];
    it.index[other] = swapped;
  }
  it.indices = copy_indices(type, it.index, nnz, (int)base);
  it.values = copy_numbers(of, it.x, nnz);
  it.dense = copy_numbers(of, it.y, size);
  FINE(cusparseCreateSpVec(&it.sparse, size, nnz, it.indices.at, it.values.at, type, base, of.type));
  FINE(cusparseCreateDnVec(&it.vector, size, it.dense.at, of.type));
  return it;
}

static void free_operands(operands it) {
  FINE(cusparseDestroySpVec(it.sparse));
  FINE(cusparseDestroyDnVec(it.vector));
  cudaFree(it.indices.base);
  cudaFree(it.values.base);
  cudaFree(it.dense.base);
  free(it.index);
  free(it.x);
  free(it.y);
}

static void check_sum(cusparseHandle_t handle, operands it, bool on_device, bool is_zero) {
  number alpha = random_number(it.of), beta = is_zero ? 0 : random_number(it.of);
  factor a, b;
  checking("axpby, type %d, %d of %d", (int)it.of.type, it.nnz, it.size);
  make_factor(&a, it.of, alpha, on_device);
  make_factor(&b, it.of, beta, on_device);
  FINE(cusparseAxpby(handle, a.at, it.sparse, b.at, it.vector));
  for (int i = 0; i < it.size; i++)
    it.y[i] *= beta;
  for (int k = 0; k < it.nnz; k++)
    it.y[it.index[k]] += alpha * it.x[k];
  compare_numbers(it.of, it.dense.at, it.y, it.size, 2);
  cudaFree(a.device.base);
  cudaFree(b.device.base);
}

static void check_copies(cusparseHandle_t handle, operands it) {
  checking("gather, type %d, %d of %d", (int)it.of.type, it.nnz, it.size);
  FINE(cusparseGather(handle, it.vector, it.sparse));
  for (int k = 0; k < it.nnz; k++)
    it.x[k] = it.y[it.index[k]];
  compare_numbers(it.of, it.values.at, it.x, it.nnz, 0);
  checking("scatter, type %d, %d of %d", (int)it.of.type, it.nnz, it.size);
  for (int k = 0; k < it.nnz; k++)
    it.y[it.index[k]] = it.x[k] = random_number(it.of);
  copy fresh = copy_numbers(it.of, it.x, it.nnz);
  FINE(cusparseSpVecSetValues(it.sparse, fresh.at));
  FINE(cusparseScatter(handle, it.sparse, it.vector));
  FINE(cusparseSpVecSetValues(it.sparse, it.values.at));
  cudaMemcpy(it.values.at, fresh.at, (size_t)it.nnz * it.of.size, cudaMemcpyDeviceToDevice);
  compare_numbers(it.of, it.dense.at, it.y, it.size, 0);
  cudaFree(fresh.base);
}

static void check_rotation(cusparseHandle_t handle, operands it, bool on_device) {
  factor c, s;
  checking("rot, type %d, %d of %d", (int)it.of.type, it.nnz, it.size);
  make_factor(&c, it.of, 0.6, on_device);
  make_factor(&s, it.of, 0.8, on_device);
  FINE(cusparseRot(handle, c.at, s.at, it.sparse, it.vector));
  for (int k = 0; k < it.nnz; k++) {
    number a = it.x[k], b = it.y[it.index[k]];
    it.x[k] = 0.6 * a + 0.8 * b;
    it.y[it.index[k]] = 0.6 * b - 0.8 * a;
  }
  compare_numbers(it.of, it.values.at, it.x, it.nnz, 2);
  compare_numbers(it.of, it.dense.at, it.y, it.size, 2);
  cudaFree(c.device.base);
  cudaFree(s.device.base);
}

static void check_product(cusparseHandle_t handle, operands it, bool on_device, cusparseOperation_t operation) {
  _Alignas(16) double host[2] = { 0, 0 };
  factor place;
  size_t bytes = 0;
  void *buffer = NULL;
  number expected = 0;
  checking("spvv, type %d, %d of %d", (int)it.of.type, it.nnz, it.size);
  make_factor(&place, it.of, 7, on_device);
  void *result = on_device ? place.device.at : host;
  FINE(cusparseSpVV_bufferSize(handle, operation, it.sparse, it.vector, result, it.of.type, &bytes));
  buffer = external_buffer(bytes);
  FINE(cusparseSpVV(handle, operation, it.sparse, it.vector, result, it.of.type, buffer));
  for (int k = 0; k < it.nnz; k++)
    expected += conjugate_for(operation, it.x[k]) * it.y[it.index[k]];
  if (on_device)
    compare_numbers(it.of, result, &expected, 1, it.nnz);
  else
    EXPECT(is_near(it.of, unpack(it.of, host, 0), expected, it.nnz));
  cudaFree(buffer);
  cudaFree(place.device.base);
}

int main(void) {
  static const int sizes[][2] = { { 1, 1 }, { 10, 0 }, { 100, 37 }, { 20000, 9000 } };
  cusparseHandle_t handle;
  int turn = 0;
  FINE(cusparseCreate(&handle));
  for (int t = 0; t < 4; t++)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++, turn++) {
      bool on_device = turn & 1;
      operands it =
          make_operands(kinds[t], sizes[i][0], sizes[i][1], turn & 2 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I,
                        turn % 3 ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO);
      FINE(cusparseSetPointerMode(handle, on_device ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
      check_product(handle, it, on_device, CUSPARSE_OPERATION_NON_TRANSPOSE);
      if (it.of.is_complex)
        check_product(handle, it, on_device, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE);
      check_sum(handle, it, on_device, turn % 5 == 0);
      check_copies(handle, it);
      check_rotation(handle, it, on_device);
      free_operands(it);
    }
  FINE(cusparseDestroy(handle));
  return verdict("conform_combine");
}
