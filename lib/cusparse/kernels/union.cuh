/* SPDX-License-Identifier: MIT */
/*
 * union - how many columns the rows of a sum of two sparse matrices have; both have them in order.
 */
#define SUMMANDS                                                                                                      \
  long rows, const int *a_offsets, int a_base, const int *a_columns, int a_column_base, const int *b_offsets, int b_base, \
      const int *b_columns, int b_column_base

/* How many of the ordered columns from low on are below one. */
static __device__ int first_not_below(const int *columns, int low, int high, int column) {
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (columns[middle] < column)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

__global__ void count_union(SUMMANDS, int *counts) {
  __shared__ int found[THREADS];
  for (long row = blockIdx.x; row < rows; row += gridDim.x) {
    int begin = a_offsets[row] - a_base, end = a_offsets[row + 1] - a_base, both = 0;
    int other = b_offsets[row] - b_base, other_end = b_offsets[row + 1] - b_base;
    for (int k = begin + threadIdx.x; k < end; k += blockDim.x) {
      int column = a_columns[k] - a_column_base + b_column_base;
      int at = first_not_below(b_columns, other, other_end, column);
      both += at < other_end && b_columns[at] == column;
    }
    found[threadIdx.x] = both;
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1)
      counts[row] = end - begin + other_end - other - both - sum_of_those_before(found);
    __syncthreads();
  }
}
