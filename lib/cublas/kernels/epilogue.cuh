/* SPDX-License-Identifier: MIT */
/*
 * epilogue - what cublasLtMatmul() does behind a product: D = f(P + beta C + bias), rounded once.
 *
 * P is added up in ACC, and may be D itself. Rows are those of memory: a matrix by rows comes here as its transpose, and
 * then the bias goes by columns. function: 0 none, 1 ReLU, 2 GELU by tanh(); and their derivatives: 3 keeps what has a
 * bit in mask, 4 multiplies by that of GELU at what aux has. With 2, aux, if there is one, keeps the argument.
 */
static __device__ ACC NAME(activate)(ACC x, int function) {
  if (function == 1)
    return x > 0 || x != x ? x : (ACC)0;
  if (function == 2)
    return (ACC)0.5 * x * (1 + TANH((ACC)0.79788456080286535588 * (x + (ACC)0.044715 * x * x * x)));
  return x;
}

/* Far from 0 it is 1 or 0 to the last bit, and squares of x would be infinite. */
static __device__ ACC NAME(slope_of_gelu)(ACC x) {
  if (x > 20 || x < -20)
    return x > 0 ? (ACC)1 : (ACC)0;
  ACC by = (ACC)0.79788456080286535588, t = TANH(by * (x + (ACC)0.044715 * x * x * x));
  return (ACC)0.5 * (1 + t) + (ACC)0.5 * x * (1 - t * t) * by * (1 + (ACC)0.134145 * x * x);
}

__global__ void NAME(epilogue)(long m, long n, const ACC *p, long p_column, long p_stride, ACC beta,
                               const SCALAR *beta_at, const OUT *c, long c_column, long c_stride, const OUT *bias,
                               long bias_stride, int bias_by_column, int function, OUT *aux, const unsigned char *mask,
                               long aux_column, long aux_stride, OUT *d, long d_column, long d_stride, long batch) {
  ACC kept = beta_at != NULL ? FROM_SCALAR(*beta_at) : beta;
  for (long it = blockIdx.z; it < batch; it += gridDim.z)
    for (long j = (long)blockIdx.y * blockDim.y + threadIdx.y; j < n; j += (long)gridDim.y * blockDim.y)
      for (long i = first_index(); i < m; i += all_threads()) {
        long beside = it * aux_stride + i + j * aux_column;
        ACC value = p[it * p_stride + i + j * p_column];
        if (!is_zero(kept))
          value = plus(value, times(kept, FETCH(c[it * c_stride + i + j * c_column])));
        if (bias != NULL)
          value = plus(value, FETCH(bias[it * bias_stride + (bias_by_column ? j : i)]));
        if (function == 2 && aux != NULL)
          aux[beside] = WRITE(value);
        if (function == 3 && (mask[beside / 8] >> beside % 8 & 1) == 0)
          value = (ACC)0;
        if (function == 4)
          value = times(value, NAME(slope_of_gelu)(FETCH(aux[beside])));
        d[it * d_stride + i + j * d_column] = WRITE(NAME(activate)(value, function));
      }
}

/* A bit for each element that ReLU let pass, eight rows to a thread; bits of rows that there are not are 0. */
__global__ void NAME(relu_mask)(long m, long n, const OUT *d, long d_column, long d_stride, unsigned char *mask,
                                long mask_column, long mask_stride, long batch) {
  for (long it = blockIdx.z; it < batch; it += gridDim.z)
    for (long j = (long)blockIdx.y * blockDim.y + threadIdx.y; j < n; j += (long)gridDim.y * blockDim.y)
      for (long i = 8 * first_index(); i < m; i += 8 * all_threads()) {
        int bits = 0;
        for (int k = 0; k < 8 && i + k < m; k++) {
          ACC value = FETCH(d[it * d_stride + i + k + j * d_column]);
          bits |= (value > 0 || value != value) << k;
        }
        mask[(it * mask_stride + i + j * mask_column) / 8] = (unsigned char)bits;
      }
}
