/* SPDX-License-Identifier: MIT */
/*
 * multiply - a sparse matrix times a vector. The matrix lies in lines: rows, or columns of one that is turned.
 *
 * Lines' ends and entries, merged in order, are cut into tiles of the same length, whatever lines are long or empty. A
 * block reads its tile's entries side by side, then each thread adds up a piece of the tile. What a tile has of a line
 * that ends in a later one is carried: its number and sum go to memory, and carry() adds them. Each line is written by
 * one block and then added to by one thread at a time, so results are the same each time.
 */

/* How many lines end before the given place of the merged order. */
static __device__ long NAME(crossing)(INDICES(offsets), long base, long lines, long entries, long place) {
  long low = place > entries ? place - entries : 0, high = place < lines ? place : lines;
  while (low < high) {
    long middle = low + (high - low) / 2;
    if (AT(offsets, middle + 1) - base <= place - middle - 1)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static __device__ void NAME(put)(T *y, long i, T sum, T alpha, T beta) {
  T product = times(alpha, sum);
  y[i] = is_zero(beta) ? product : plus(product, times(beta, y[i]));
}

/* Sums of neighbours that have one key are added up, in the order of threads: sums[t] is then that of thread t and
 * those before it. Keys do not fall. */
static __device__ void NAME(add_neighbours)(const long *keys, T *sums) {
  int t = threadIdx.x;
  for (int distance = 1; distance < blockDim.x; distance *= 2) {
    T other = ZERO;
    if (t >= distance && keys[t - distance] == keys[t])
      other = sums[t - distance];
    __syncthreads();
    sums[t] = plus(sums[t], other);
    __syncthreads();
  }
}

__global__ void NAME(multiply)(long lines, long entries, INDICES(offsets), long base, INDICES(indices),
                               long index_base, const T *values, int conjugates, const T *x, T *y, T alpha_value,
                               const T *alpha_at, T beta_value, const T *beta_at, long *carried_lines,
                               T *carried_sums) {
  __shared__ T products[TILE];
  __shared__ int ends[TILE];
  __shared__ long bounds[2];
  __shared__ long keys[THREADS];
  __shared__ T sums[THREADS];
  T alpha = scalar(alpha_value, alpha_at), beta = scalar(beta_value, beta_at);
  long first = (long)blockIdx.x * TILE;
  long last = first + TILE < lines + entries ? first + TILE : lines + entries;
  for (int i = threadIdx.x; i < 2; i += blockDim.x)
    bounds[i] = NAME(crossing)(PASSED(offsets), base, lines, entries, i == 0 ? first : last);
  __syncthreads();
  long line = bounds[0], entry = first - line;
  int line_count = (int)(bounds[1] - line), count = (int)(last - first);
  for (int k = threadIdx.x; k < count - line_count; k += blockDim.x)
    products[k] = times(conjugate_if(values[entry + k], conjugates), x[AT(indices, entry + k) - index_base]);
  for (int i = threadIdx.x; i < line_count; i += blockDim.x)
    ends[i] = (int)(AT(offsets, line + i + 1) - base - entry);
  __syncthreads();
  int each = TILE / blockDim.x, begin = threadIdx.x * each < count ? threadIdx.x * each : count;
  int end = begin + each < count ? begin + each : count;
  int low = begin > count - line_count ? begin - (count - line_count) : 0, high = begin < line_count ? begin : line_count;
  while (low < high) {
    int middle = (low + high) / 2;
    if (ends[middle] <= begin - middle - 1)
      low = middle + 1;
    else
      high = middle;
  }
  int at = low, first_line = low, k = begin - low;
  T sum = ZERO, head = ZERO;
  for (int i = begin; i < end; i++) {
    if (at < line_count && ends[at] <= k) {
      if (at == first_line)
        head = sum;
      else
        NAME(put)(y, line + at, sum, alpha, beta);
      at++;
      sum = ZERO;
    } else {
      sum = plus(sum, products[k]);
      k++;
    }
  }
  keys[threadIdx.x] = at;
  sums[threadIdx.x] = sum;
  __syncthreads();
  NAME(add_neighbours)(keys, sums);
  if (at > first_line)
    NAME(put)(y, line + first_line, threadIdx.x > 0 ? plus(sums[threadIdx.x - 1], head) : head, alpha, beta);
  if (threadIdx.x == blockDim.x - 1) {
    carried_lines[blockIdx.x] = line + line_count;
    carried_sums[blockIdx.x] = sums[threadIdx.x];
  }
}

/* The same for blocks of one thread, as processors have them: a tile is read once, from its beginning to its end. */
__global__ void NAME(walk)(long lines, long entries, INDICES(offsets), long base, INDICES(indices), long index_base,
                           const T *values, int conjugates, const T *x, T *y, T alpha_value, const T *alpha_at,
                           T beta_value, const T *beta_at, long *carried_lines, T *carried_sums) {
  T alpha = scalar(alpha_value, alpha_at), beta = scalar(beta_value, beta_at), sum = ZERO;
  long first = (long)blockIdx.x * TILE;
  long last = first + TILE < lines + entries ? first + TILE : lines + entries;
  long line = NAME(crossing)(PASSED(offsets), base, lines, entries, first), k = first - line;
  long end_line = NAME(crossing)(PASSED(offsets), base, lines, entries, last);
  for (; line < end_line; line++) {
    long end = AT(offsets, line + 1) - base;
    for (sum = ZERO; k < end; k++)
      sum = plus(sum, times(conjugate_if(values[k], conjugates), x[AT(indices, k) - index_base]));
    NAME(put)(y, line, sum, alpha, beta);
  }
  for (sum = ZERO; k < last - end_line; k++)
    sum = plus(sum, times(conjugate_if(values[k], conjugates), x[AT(indices, k) - index_base]));
  carried_lines[blockIdx.x] = end_line;
  carried_sums[blockIdx.x] = sum;
}

/* Adds what was carried, whose lines do not fall. What a block has of its last line it carries on, unless there is no
 * place for that: then it is the only block. */
__global__ void NAME(carry)(long count, const long *lines, const T *carried, long all_lines, T *y, T alpha_value,
                            const T *alpha_at, long *next_lines, T *next_carried) {
  __shared__ long keys[THREADS];
  __shared__ T sums[THREADS];
  T alpha = scalar(alpha_value, alpha_at);
  long each = TILE / blockDim.x, first = (long)blockIdx.x * TILE;
  long limit = first + TILE < count ? first + TILE : count;
  long begin = first + threadIdx.x * each < limit ? first + threadIdx.x * each : limit;
  long end = begin + each < limit ? begin + each : limit;
  long first_line = lines[begin < limit ? begin : limit - 1], line = first_line;
  T sum = ZERO, head = ZERO;
  for (long i = begin; i < end; i++) {
    if (lines[i] != line) {
      if (line == first_line)
        head = sum;
      else if (line < all_lines)
        y[line] = plus(y[line], times(alpha, sum));
      line = lines[i];
      sum = ZERO;
    }
    sum = plus(sum, carried[i]);
  }
  keys[threadIdx.x] = line;
  sums[threadIdx.x] = sum;
  __syncthreads();
  NAME(add_neighbours)(keys, sums);
  if (line != first_line && first_line < all_lines) {
    if (threadIdx.x > 0 && keys[threadIdx.x - 1] == first_line)
      head = plus(sums[threadIdx.x - 1], head);
    y[first_line] = plus(y[first_line], times(alpha, head));
  }
  /* The last of this thread's lines ends here if the next thread begins with another. */
  bool is_last = end == limit;
  if (!is_last && begin < end && lines[end] != line && line < all_lines)
    y[line] = plus(y[line], times(alpha, sums[threadIdx.x]));
  if (threadIdx.x == blockDim.x - 1) {
    if (next_lines != NULL) {
      next_lines[blockIdx.x] = line;
      next_carried[blockIdx.x] = sums[threadIdx.x];
    } else if (line < all_lines) {
      y[line] = plus(y[line], times(alpha, sums[threadIdx.x]));
    }
  }
}

/* to[line of the entry's index] += for matrices that are turned; y has been multiplied with beta before. */
__global__ void NAME(spread)(long lines, long entries, INDICES(offsets), long base, INDICES(indices), long index_base,
                             const T *values, int conjugates, const T *x, R *y, T alpha_value, const T *alpha_at) {
  __shared__ int ends[TILE];
  __shared__ long bounds[2];
  T alpha = scalar(alpha_value, alpha_at);
  long first = (long)blockIdx.x * TILE;
  long last = first + TILE < lines + entries ? first + TILE : lines + entries;
  for (int i = threadIdx.x; i < 2; i += blockDim.x)
    bounds[i] = NAME(crossing)(PASSED(offsets), base, lines, entries, i == 0 ? first : last);
  __syncthreads();
  long line = bounds[0], entry = first - line;
  int line_count = (int)(bounds[1] - line), count = (int)(last - bounds[1] - entry);
  for (int i = threadIdx.x; i < line_count; i += blockDim.x)
    ends[i] = (int)(AT(offsets, line + i + 1) - base - entry);
  __syncthreads();
  int low = 0;
  for (int k = threadIdx.x; k < count; k += blockDim.x) {
    int high = low < line_count && ends[low] > k ? low : line_count;
    while (low < high) {
      int middle = (low + high) / 2;
      if (ends[middle] <= k)
        low = middle + 1;
      else
        high = middle;
    }
    T value = times(alpha, conjugate_if(values[entry + k], conjugates));
    add_to(y, AT(indices, entry + k) - index_base, times(value, x[line + low]));
  }
}

/* ---- entries with a row each, which do not fall: y has been multiplied with beta before ------------------------------ */

/* Each thread adds up a piece of its block's tile. Rows that end in the tile are added to y, the last one is carried. */
__global__ void NAME(multiply_coo)(long entries, INDICES(rows), INDICES(indices), long base, const T *values,
                                   int conjugates, const T *x, T *y, T alpha_value, const T *alpha_at,
                                   long *carried_lines, T *carried_sums) {
  __shared__ T products[TILE];
  __shared__ long lines[TILE];
  __shared__ long keys[THREADS];
  __shared__ T sums[THREADS];
  T alpha = scalar(alpha_value, alpha_at), sum = ZERO, head = ZERO;
  long first = (long)blockIdx.x * TILE;
  int count = entries - first < TILE ? (int)(entries - first) : TILE;
  for (int k = threadIdx.x; k < count; k += blockDim.x) {
    lines[k] = AT(rows, first + k) - base;
    products[k] = times(conjugate_if(values[first + k], conjugates), x[AT(indices, first + k) - base]);
  }
  __syncthreads();
  int each = TILE / blockDim.x, begin = threadIdx.x * each < count ? threadIdx.x * each : count;
  int end = begin + each < count ? begin + each : count;
  long first_line = lines[begin < count ? begin : count - 1], line = first_line;
  for (int k = begin; k < end; k++) {
    if (lines[k] != line) {
      if (line == first_line)
        head = sum;
      else
        y[line] = plus(y[line], times(alpha, sum));
      line = lines[k];
      sum = ZERO;
    }
    sum = plus(sum, products[k]);
  }
  keys[threadIdx.x] = line;
  sums[threadIdx.x] = sum;
  __syncthreads();
  NAME(add_neighbours)(keys, sums);
  if (line != first_line) {
    if (threadIdx.x > 0 && keys[threadIdx.x - 1] == first_line)
      head = plus(sums[threadIdx.x - 1], head);
    y[first_line] = plus(y[first_line], times(alpha, head));
  }
  if (begin < end && end < count && lines[end] != line)
    y[line] = plus(y[line], times(alpha, sums[threadIdx.x]));
  if (threadIdx.x == blockDim.x - 1) {
    carried_lines[blockIdx.x] = line;
    carried_sums[blockIdx.x] = sums[threadIdx.x];
  }
}

/* For matrices that are turned. */
__global__ void NAME(spread_coo)(long entries, INDICES(rows), INDICES(indices), long base, const T *values,
                                 int conjugates, const T *x, R *y, T alpha_value, const T *alpha_at) {
  T alpha = scalar(alpha_value, alpha_at);
  for (long k = first_index(); k < entries; k += all_threads())
    add_to(y, AT(indices, k) - base,
           times(times(alpha, conjugate_if(values[k], conjugates)), x[AT(rows, k) - base]));
}

/* y = beta y; a factor of 0 does not read y. Of a matrix: `count` lines of n elements that are `distance` apart. */
__global__ void NAME(scale)(long n, long count, long distance, T *y, T beta_value, const T *beta_at) {
  T beta = scalar(beta_value, beta_at);
  for (long i = first_index(); i < n * count; i += all_threads()) {
    long at = i / n * distance + i % n;
    y[at] = is_zero(beta) ? ZERO : times(beta, y[at]);
  }
}
