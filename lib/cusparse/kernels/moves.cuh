/* SPDX-License-Identifier: MIT */
/*
 * moves - what is moved between sparse matrices, and dense ones and others, and keeps its bits. Besides the four types,
 * T is a number of 16 bits.
 */

/* Lines of a dense matrix, `distance` apart, become 0. */
__global__ void NAME(blank)(long length, long count, long distance, T *to) {
  for (long i = first_index(); i < length * count; i += all_threads())
    to[i / length * distance + i % length] = ZERO;
}

/* What belongs to entries that were put into another order. */
__global__ void NAME(pick)(long n, const T *from, const int *source, T *to) {
  for (long i = first_index(); i < n; i += all_threads())
    to[i] = from[source[i]];
}

/* Threads of a block share a line. */
__global__ void NAME(expand)(long lines, INDICES(offsets), long base, INDICES(indices), long index_base,
                             const T *values, T *to, long per_line, long per_index) {
  for (long line = blockIdx.x; line < lines; line += gridDim.x) {
    long end = AT(offsets, line + 1) - base;
    for (long k = AT(offsets, line) - base + threadIdx.x; k < end; k += blockDim.x)
      to[line * per_line + (AT(indices, k) - index_base) * per_index] = values[k];
  }
}

__global__ void NAME(count)(long lines, long length, const T *from, long per_line, long per_index, int *counts) {
  for (long line = first_index(); line < lines; line += all_threads()) {
    int found = 0;
    for (long i = 0; i < length; i++)
      found += !is_zero(from[line * per_line + i * per_index]);
    counts[line] = found;
  }
}

/* What count() counted: its line, if there is a place for that, its index and its value. */
__global__ void NAME(compress)(long lines, long length, const T *from, long per_line, long per_index, INDICES(offsets),
                               long base, long index_base, OUTPUT_INDICES(line_to), OUTPUT_INDICES(index_to),
                               T *values) {
  for (long line = first_index(); line < lines; line += all_threads()) {
    long k = AT(offsets, line) - base;
    for (long i = 0; i < length; i++) {
      T value = from[line * per_line + i * per_index];
      if (is_zero(value))
        continue;
      if (line_to_narrow != NULL || line_to_wide != NULL)
        put_index(PASSED(line_to), k, line + index_base);
      put_index(PASSED(index_to), k, i + index_base);
      values[k] = value;
      k++;
    }
  }
}

/* What a dense matrix has where there are blocks; 0 for those that are not there. */
__global__ void NAME(fill_blocked)(BLOCKED, T *values, const T *from, long from_down, long from_along) {
  for (long row = blockIdx.x; row < rows; row += gridDim.x) {
    long first = FIRST_OF(row), area = (long)height * width, count = (FIRST_OF(row + 1) - first) * area;
    for (long i = threadIdx.x; i < count; i += blockDim.x) {
      long k = i / area, line = i % area / width, inner = i % width, index = AT(indices, first + k) - base;
      T value = ZERO;
      if (index >= 0)
        value = from[(row * height + line) * from_down + (index * width + inner) * from_along];
      values[PLACE(first, k, line, inner)] = value;
    }
  }
}
