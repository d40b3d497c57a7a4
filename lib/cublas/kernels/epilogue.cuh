/* SPDX-License-Identifier: MIT */
/*
 * epilogue - what cublasLtMatmul() does behind a product: D = f(P + beta C + bias), rounded once.
 *
 * P is added up in ACC, and may be D itself. Rows are those of memory: a matrix by rows comes here as its transpose, and
 * then the bias goes by columns. function: 0 none, 1 ReLU, 2 GELU by tanh(). aux, if there is one, keeps its argument.
 */
static __device__ ACC NAME(activate)(ACC x, int function) {
  if (function == 1)
    return x > 0 || x != x ? x : (ACC)0;
  if (function == 2)
    return (ACC)0.5 * x * (1 + TANH((ACC)0.79788456080286535588 * (x + (ACC)0.044715 * x * x * x)));
  return x;
}

__global__ void NAME(epilogue)(long m, long n, const ACC *p, long p_column, long p_stride, ACC beta,
                               const SCALAR *beta_at, const OUT *c, long c_column, long c_stride, const OUT *bias,
                               long bias_stride, int bias_by_column, int function, OUT *aux, long aux_column,
                               long aux_stride, OUT *d, long d_column, long d_stride, long batch) {
  ACC kept = beta_at != NULL ? FROM_SCALAR(*beta_at) : beta;
  for (long it = blockIdx.z; it < batch; it += gridDim.z)
    for (long j = (long)blockIdx.y * blockDim.y + threadIdx.y; j < n; j += (long)gridDim.y * blockDim.y)
      for (long i = first_index(); i < m; i += all_threads()) {
        ACC value = p[it * p_stride + i + j * p_column];
        if (!is_zero(kept))
          value = plus(value, times(kept, FETCH(c[it * c_stride + i + j * c_column])));
        if (bias != NULL)
          value = plus(value, FETCH(bias[it * bias_stride + (bias_by_column ? j : i)]));
        if (aux != NULL)
          aux[it * aux_stride + i + j * aux_column] = WRITE(value);
        d[it * d_stride + i + j * d_column] = WRITE(NAME(activate)(value, function));
      }
}
