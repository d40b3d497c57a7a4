/* SPDX-License-Identifier: MIT */
/*
 * gemm - C = alpha op(A) op(B) + beta C for what CLBlast is not asked for: many small products, pointers that lie in
 * memory, memory that is no buffer of the device's, numbers of 16 and 8 bits.
 *
 * Tiles of 32 by 32 by 16; a block of 16 by 16 threads has four elements of C each. An operand is said by the distances
 * between its rows and between its columns, so transposing is the host's matter. What is read becomes ACC, in which it
 * is added up. kernels.cu defines IN and OUT, the types in memory, and how they are read and written.
 */
static __device__ void NAME(product)(long m, long n, long k, ACC alpha, const IN *a, long a_row, long a_column,
                                     int a_conjugates, const IN *b, long b_row, long b_column, int b_conjugates,
                                     ACC beta, OUT *c, long c_row, long c_column) {
  __shared__ ACC a_tile[16][33], b_tile[16][33];
  long top = (long)blockIdx.x * 32, left = (long)blockIdx.y * 32;
  int x = threadIdx.x, y = threadIdx.y, flat = x + 16 * y;
  ACC s00 = ACC_ZERO, s01 = ACC_ZERO, s10 = ACC_ZERO, s11 = ACC_ZERO;
  bool reads = !is_zero(alpha);
  for (long from = 0; from < k; from += 16) {
    for (int piece = flat; piece < 512; piece += 256) {
      int row = a_row == 1 ? piece % 32 : piece / 16, inner = a_row == 1 ? piece / 32 : piece % 16;
      bool is_in = reads && top + row < m && from + inner < k;
      a_tile[inner][row] =
          is_in ? conjugate_if(READ(a[(top + row) * a_row + (from + inner) * a_column]), a_conjugates) : ACC_ZERO;
      int column = b_row == 1 ? piece / 16 : piece % 32, deep = b_row == 1 ? piece % 16 : piece / 32;
      is_in = reads && left + column < n && from + deep < k;
      b_tile[deep][column] =
          is_in ? conjugate_if(READ(b[(from + deep) * b_row + (left + column) * b_column]), b_conjugates) : ACC_ZERO;
    }
    __syncthreads();
    for (int inner = 0; inner < 16; inner++) {
      ACC a0 = a_tile[inner][x], a1 = a_tile[inner][x + 16], b0 = b_tile[inner][y], b1 = b_tile[inner][y + 16];
      s00 = plus(s00, times(a0, b0));
      s01 = plus(s01, times(a0, b1));
      s10 = plus(s10, times(a1, b0));
      s11 = plus(s11, times(a1, b1));
    }
    __syncthreads();
  }
  for (int part = 0; part < 4; part++) {
    long i = top + x + part / 2 * 16, j = left + y + part % 2 * 16;
    ACC sum = part == 0 ? s00 : part == 1 ? s01 : part == 2 ? s10 : s11;
    if (i < m && j < n) {
      ACC value = is_zero(alpha) ? ACC_ZERO : times(alpha, sum);
      OUT *at = c + i * c_row + j * c_column;
      if (!is_zero(beta))
        value = plus(value, times(beta, FETCH(*at)));
      *at = WRITE(value);
    }
  }
}

__global__ void NAME(gemm)(long m, long n, long k, ACC alpha, const SCALAR *alpha_at, const IN *a, long a_row,
                           long a_column, long a_stride, int a_conjugates, const IN *b, long b_row, long b_column,
                           long b_stride, int b_conjugates, ACC beta, const SCALAR *beta_at, OUT *c, long c_row,
                           long c_column, long c_stride, long batch) {
  ACC by = alpha_at != NULL ? FROM_SCALAR(*alpha_at) : alpha, kept = beta_at != NULL ? FROM_SCALAR(*beta_at) : beta;
  for (long it = blockIdx.z; it < batch; it += gridDim.z)
    NAME(product)(m, n, k, by, a + it * a_stride, a_row, a_column, a_conjugates, b + it * b_stride, b_row, b_column,
                  b_conjugates, kept, c + it * c_stride, c_row, c_column);
}

/* The arrays of pointers lie in memory of the device. Each pointer is followed so many elements further. */
__global__ void NAME(gemm_batched)(long m, long n, long k, ACC alpha, const SCALAR *alpha_at, const IN *const *as,
                                   long a_row, long a_column, long a_offset, int a_conjugates, const IN *const *bs,
                                   long b_row, long b_column, long b_offset, int b_conjugates, ACC beta,
                                   const SCALAR *beta_at, OUT *const *cs, long c_row, long c_column, long c_offset,
                                   long batch) {
  ACC by = alpha_at != NULL ? FROM_SCALAR(*alpha_at) : alpha, kept = beta_at != NULL ? FROM_SCALAR(*beta_at) : beta;
  for (long it = blockIdx.z; it < batch; it += gridDim.z)
    NAME(product)(m, n, k, by, as[it] + a_offset, a_row, a_column, a_conjugates, bs[it] + b_offset, b_row, b_column,
                  b_conjugates, kept, cs[it] + c_offset, c_row, c_column);
}

/* Before a batch whose C and D are two arrays: what is kept of C goes to D. Both may lead to the same matrices. */
__global__ void NAME(copy_batched)(long m, long n, const OUT *const *cs, long c_column, OUT *const *ds, long d_column,
                                   long batch) {
  for (long it = blockIdx.z; it < batch; it += gridDim.z)
    for (long j = (long)blockIdx.y * blockDim.y + threadIdx.y; j < n; j += (long)gridDim.y * blockDim.y)
      for (long i = first_index(); i < m; i += all_threads())
        ds[it][i + j * d_column] = cs[it][i + j * c_column];
}
