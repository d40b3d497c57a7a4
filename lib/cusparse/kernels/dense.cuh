/* SPDX-License-Identifier: MIT */
/*
 * dense - sparse matrices beside dense ones, whose elements are `down` apart in a column and `along` in a row. Sparse
 * ones lie in lines; of one that is turned, lines are columns.
 */

/* C = alpha A B + beta C. Tiles are those of multiply(), and each is shared by groups of a warp's threads, of which each
 * has columns of its own: a group goes through its piece of the tile from the beginning to the end. What it has of a line
 * that ends in a later piece is carried. */
__global__ void NAME(product)(long lines, long entries, long columns, INDICES(offsets), long base, INDICES(indices),
                              long index_base, const T *values, int conjugates, const T *b, long b_down, long b_along,
                              int b_conjugates, T *c, long c_down, long c_along, T alpha_value, const T *alpha_at,
                              T beta_value, const T *beta_at, long *carried_lines, T *carried) {
  __shared__ T factors[TILE];
  __shared__ long places[TILE];
  __shared__ int ends[TILE];
  __shared__ long bounds[2];
  T alpha = scalar(alpha_value, alpha_at), beta = scalar(beta_value, beta_at);
  long first = (long)blockIdx.x * TILE;
  long last = first + TILE < lines + entries ? first + TILE : lines + entries;
  for (int i = threadIdx.x; i < 2; i += blockDim.x)
    bounds[i] = NAME(crossing)(PASSED(offsets), base, lines, entries, i == 0 ? first : last);
  __syncthreads();
  long line = bounds[0], entry = first - line;
  int line_count = (int)(bounds[1] - line), count = (int)(last - first);
  for (int k = threadIdx.x; k < count - line_count; k += blockDim.x) {
    factors[k] = conjugate_if(values[entry + k], conjugates);
    places[k] = (AT(indices, entry + k) - index_base) * b_down;
  }
  for (int i = threadIdx.x; i < line_count; i += blockDim.x)
    ends[i] = (int)(AT(offsets, line + i + 1) - base - entry);
  __syncthreads();
  int lanes = blockDim.x < LANES ? 1 : LANES, group = threadIdx.x / lanes, each = TILE / (blockDim.x / lanes);
  int begin = group * each < count ? group * each : count, end = begin + each < count ? begin + each : count;
  int low = begin > count - line_count ? begin - (count - line_count) : 0, high = begin < line_count ? begin : line_count;
  while (low < high) {
    int middle = (low + high) / 2;
    if (ends[middle] <= begin - middle - 1)
      low = middle + 1;
    else
      high = middle;
  }
  long piece = (long)blockIdx.x * (blockDim.x / lanes) + group;
  for (long j = (long)blockIdx.y * lanes + threadIdx.x % lanes; j < columns; j += (long)gridDim.y * lanes) {
    int at = low, k = begin - low;
    T sum = ZERO;
    for (int i = begin; i < end; i++) {
      if (at < line_count && ends[at] <= k) {
        NAME(put)(c, (line + at) * c_down + j * c_along, sum, alpha, beta);
        at++;
        sum = ZERO;
      } else {
        sum = plus(sum, times(factors[k], conjugate_if(b[places[k] + j * b_along], b_conjugates)));
        k++;
      }
    }
    carried[piece * columns + j] = sum;
    if (j == 0)
      carried_lines[piece] = line + at;
  }
}

/* Adds what pieces carried to their line, in order: a thread for the first piece of each, and a column. */
__global__ void NAME(carry_product)(long pieces, long columns, const long *lines, const T *carried, long all_lines, T *c,
                                    long c_down, long c_along, T alpha_value, const T *alpha_at) {
  T alpha = scalar(alpha_value, alpha_at);
  for (long first = (long)blockIdx.y * blockDim.y + threadIdx.y; first < pieces; first += (long)gridDim.y * blockDim.y) {
    long line = lines[first];
    if (line >= all_lines || (first > 0 && lines[first - 1] == line))
      continue;
    for (long j = first_index(); j < columns; j += all_threads()) {
      T sum = ZERO;
      for (long piece = first; piece < pieces && lines[piece] == line; piece++)
        sum = plus(sum, carried[piece * columns + j]);
      long at = line * c_down + j * c_along;
      c[at] = plus(c[at], times(alpha, sum));
    }
  }
}

/* Columns, `distance` apart, become rows without gaps. */
__global__ void NAME(turn)(long rows, long columns, const T *from, long distance, T *to) {
  __shared__ T tile[LANES * (LANES + 1)];
  long row = (long)blockIdx.y * LANES, column = (long)blockIdx.x * LANES;
  for (int j = threadIdx.y; j < LANES; j += blockDim.y)
    if (row + threadIdx.x < rows && column + j < columns)
      tile[j * (LANES + 1) + threadIdx.x] = from[row + threadIdx.x + (column + j) * distance];
  __syncthreads();
  for (int i = threadIdx.y; i < LANES; i += blockDim.y)
    if (row + i < rows && column + threadIdx.x < columns)
      to[(row + i) * columns + column + threadIdx.x] = tile[threadIdx.x * (LANES + 1) + i];
}

__global__ void NAME(spread_product)(long lines, long columns, INDICES(offsets), long base, INDICES(indices),
                                     long index_base, const T *values, int conjugates, const T *b, long b_down,
                                     long b_along, int b_conjugates, R *c, long c_down, long c_along, T alpha_value,
                                     const T *alpha_at) {
  T alpha = scalar(alpha_value, alpha_at);
  for (long line = (long)blockIdx.y * blockDim.y + threadIdx.y; line < lines; line += (long)gridDim.y * blockDim.y)
    for (long j = first_index(); j < columns; j += all_threads()) {
      T factor = times(alpha, conjugate_if(b[line * b_down + j * b_along], b_conjugates));
      long end = AT(offsets, line + 1) - base;
      for (long k = AT(offsets, line) - base; k < end; k++)
        add_to(c, (AT(indices, k) - index_base) * c_down + j * c_along,
               times(conjugate_if(values[k], conjugates), factor));
    }
}

/* The elements of A B where C has entries: C = alpha A B + beta C. Threads of a block share a line. */
__global__ void NAME(sampled)(long lines, long depth, INDICES(offsets), long base, INDICES(indices), long index_base,
                              T *values, const T *a, long a_down, long a_along, int a_conjugates, const T *b,
                              long b_down, long b_along, int b_conjugates, T alpha_value, const T *alpha_at,
                              T beta_value, const T *beta_at, int is_turned) {
  T alpha = scalar(alpha_value, alpha_at), beta = scalar(beta_value, beta_at);
  for (long line = blockIdx.x; line < lines; line += gridDim.x) {
    long end = AT(offsets, line + 1) - base;
    for (long k = AT(offsets, line) - base + threadIdx.x; k < end; k += blockDim.x) {
      long index = AT(indices, k) - index_base, row = is_turned ? index : line, column = is_turned ? line : index;
      T sum = ZERO;
      for (long i = 0; i < depth; i++)
        sum = plus(sum, times(conjugate_if(a[row * a_down + i * a_along], a_conjugates),
                              conjugate_if(b[i * b_down + column * b_along], b_conjugates)));
      NAME(put)(values, k, sum, alpha, beta);
    }
  }
}
