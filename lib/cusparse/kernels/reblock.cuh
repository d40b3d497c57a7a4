/* SPDX-License-Identifier: MIT */
/*
 * reblock - from rows of entries to rows of blocks, and back. Threads of a block share a row of blocks.
 */

/* Blocks are there, in the order of columns: all are 0 first. */
__global__ void NAME(fill_blocks)(long block_rows, int rows, const int *offsets, const int *columns, int base,
                                  const T *values, int side, int by_columns, const int *block_offsets,
                                  const int *block_columns, int block_base, T *blocks) {
  long each = (long)side * side;
  for (long row = blockIdx.x; row < block_rows; row += gridDim.x) {
    int begin = block_offsets[row] - block_base, end = block_offsets[row + 1] - block_base;
    for (long i = begin * each + threadIdx.x; i < end * each; i += blockDim.x)
      blocks[i] = ZERO;
    __syncthreads();
    for (int inner = 0; inner < side && row * side + inner < rows; inner++) {
      int last = offsets[row * side + inner + 1] - base;
      for (int k = offsets[row * side + inner] - base + threadIdx.x; k < last; k += blockDim.x) {
        int column = columns[k] - base, at = place_of(block_columns, begin, end, column / side + block_base);
        if (at >= 0)
          blocks[at * each + (by_columns ? column % side * side + inner : inner * side + column % side)] = values[k];
      }
    }
    __syncthreads();
  }
}

/* All elements of blocks become entries. */
__global__ void NAME(open_blocks)(long block_rows, const int *block_offsets, const int *block_columns, int block_base,
                                  const T *blocks, int side, int by_columns, int *offsets, int *columns, int base,
                                  T *values) {
  long each = (long)side * side;
  for (long row = blockIdx.x; row < block_rows; row += gridDim.x) {
    int begin = block_offsets[row] - block_base, length = (block_offsets[row + 1] - block_base - begin) * side;
    for (int inner = 0; inner < side; inner++) {
      long to = begin * each + (long)inner * length;
      for (int i = threadIdx.x; i < length; i += blockDim.x) {
        int block = begin + i / side, column = i % side;
        columns[to + i] = (block_columns[block] - block_base) * side + column + base;
        values[to + i] = blocks[block * each + (by_columns ? column * side + inner : inner * side + column)];
      }
      if (threadIdx.x == 0) {
        offsets[row * side + inner] = (int)to + base;
        if (row == block_rows - 1 && inner == side - 1)
          offsets[block_rows * side] = (int)(to + length) + base;
      }
    }
  }
}
