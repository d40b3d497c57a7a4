/* SPDX-License-Identifier: MIT */
/*
 * pattern - which columns the rows of a product of two sparse matrices have, in order, each once.
 *
 * Threads of a block share a row. Columns of a row that has few products are sorted in shared memory; one that has more
 * sets a bit for each column in memory of the block's own, and a bit for each word of those, so that what is looked
 * through to find them in order is a thousandth of the columns.
 */

/* A and B: rows of A, and where entries of B's rows are. */
#define FACTORS                                                                                                       \
  long rows, INDICES(a_offsets), long a_base, INDICES(a_indices), long a_index_base, INDICES(b_offsets), long b_base, \
      INDICES(b_indices), long b_index_base

/* How many products each row has, up to the largest int; and the most that a row has. */
__global__ void count_products(FACTORS, int *counts, int *most) {
  __shared__ long sums[THREADS];
  for (long row = blockIdx.x; row < rows; row += gridDim.x) {
    long sum = 0, end = AT(a_offsets, row + 1) - a_base;
    for (long k = AT(a_offsets, row) - a_base + threadIdx.x; k < end; k += blockDim.x) {
      long line = AT(a_indices, k) - a_index_base;
      sum += AT(b_offsets, line + 1) - AT(b_offsets, line);
    }
    sums[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int t = 1; t < blockDim.x; t++)
        sum += sums[t];
      counts[row] = sum < 2147483647 ? (int)sum : 2147483647;
      if (counts[row] > *most)
        atomicMax(most, counts[row]);
    }
    __syncthreads();
  }
}

/* What the threads before this one have, of numbers that each put into its place. */
static __device__ int sum_of_those_before(const int *numbers) {
  int sum = 0;
  for (int t = 0; t < threadIdx.x; t++)
    sum += numbers[t];
  return sum;
}

static __device__ void sort_shared(int *numbers, int count) {
  for (int size = 2; size <= count; size *= 2)
    for (int distance = size / 2; distance > 0; distance /= 2) {
      for (int i = threadIdx.x; i < count / 2; i += blockDim.x) {
        int low = 2 * i - (i & (distance - 1)), a = numbers[low], b = numbers[low + distance];
        if ((a > b) == ((low & size) == 0)) {
          numbers[low] = b;
          numbers[low + distance] = a;
        }
      }
      __syncthreads();
    }
}

/* Rows of at most `limit` products: how many columns each has, or, where there is a place for them, these. */
__global__ void sort_columns(FACTORS, const int *products, int limit, int *counts, const long *offsets, int *to) {
  __shared__ int columns[SORTED];
  __shared__ int found[THREADS];
  for (long row = blockIdx.x; row < rows; row += gridDim.x) {
    int count = products[row], filled = 0, padded = 1;
    if (count > limit)
      continue;
    long last = AT(a_offsets, row + 1) - a_base;
    for (long k = AT(a_offsets, row) - a_base; k < last; k++) {
      long line = AT(a_indices, k) - a_index_base, from = AT(b_offsets, line) - b_base;
      int length = (int)(AT(b_offsets, line + 1) - b_base - from);
      for (int i = threadIdx.x; i < length; i += blockDim.x)
        columns[filled + i] = (int)(AT(b_indices, from + i) - b_index_base);
      filled += length;
    }
    while (padded < count)
      padded *= 2;
    for (int i = count + threadIdx.x; i < padded; i += blockDim.x)
      columns[i] = 2147483647;
    __syncthreads();
    sort_shared(columns, padded);
    int each = (count + blockDim.x - 1) / blockDim.x, own = 0;
    int begin = threadIdx.x * each < count ? threadIdx.x * each : count;
    int end = begin + each < count ? begin + each : count;
    for (int i = begin; i < end; i++)
      own += i == 0 || columns[i] != columns[i - 1];
    found[threadIdx.x] = own;
    __syncthreads();
    int before = sum_of_those_before(found);
    if (to == NULL && threadIdx.x == blockDim.x - 1)
      counts[row] = before + own;
    for (int i = begin; i < end && to != NULL; i++)
      if (i == 0 || columns[i] != columns[i - 1])
        to[offsets[row] + before++] = columns[i];
    __syncthreads();
  }
}

/* Rows of more: `words` bits for columns and `groups` for words, which come, and are left, as 0. */
__global__ void mark_columns(FACTORS, const int *products, int limit, int *counts, const long *offsets, int *to,
                             long words, long groups, unsigned *marks) {
  __shared__ int found[THREADS];
  unsigned *bits = marks + blockIdx.x * (words + groups), *used = bits + words;
  for (long row = blockIdx.x; row < rows; row += gridDim.x) {
    if (products[row] <= limit)
      continue;
    long last = AT(a_offsets, row + 1) - a_base;
    for (long k = AT(a_offsets, row) - a_base; k < last; k++) {
      long line = AT(a_indices, k) - a_index_base, end = AT(b_offsets, line + 1) - b_base;
      for (long i = AT(b_offsets, line) - b_base + threadIdx.x; i < end; i += blockDim.x) {
        long column = AT(b_indices, i) - b_index_base;
        atomicOr(&bits[column / 32], 1u << (int)(column % 32));
        atomicOr(&used[column / 1024], 1u << (int)(column / 32 % 32));
      }
    }
    __syncthreads();
    long each = (groups + blockDim.x - 1) / blockDim.x;
    long begin = threadIdx.x * each < groups ? threadIdx.x * each : groups;
    long end = begin + each < groups ? begin + each : groups;
    int own = 0;
    for (long group = begin; group < end; group++)
      for (unsigned left = used[group]; left != 0; left &= left - 1)
        own += __popc(bits[group * 32 + __ffs((int)left) - 1]);
    found[threadIdx.x] = own;
    __syncthreads();
    int before = sum_of_those_before(found);
    if (to == NULL && threadIdx.x == blockDim.x - 1)
      counts[row] = before + own;
    for (long group = begin; group < end; group++) {
      for (unsigned left = used[group]; left != 0; left &= left - 1) {
        long word = group * 32 + __ffs((int)left) - 1;
        for (unsigned set = to != NULL ? bits[word] : 0; set != 0; set &= set - 1)
          to[offsets[row] + before++] = (int)(word * 32 + __ffs((int)set) - 1);
        bits[word] = 0;
      }
      used[group] = 0;
    }
    __syncthreads();
  }
}

/* The same indices, from another base on, of another width. */
__global__ void renumber(long n, INDICES(from), long from_base, OUTPUT_INDICES(to), long to_base) {
  for (long i = first_index(); i < n; i += all_threads())
    put_index(PASSED(to), i, AT(from, i) - from_base + to_base);
}
