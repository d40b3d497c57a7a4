/* SPDX-License-Identifier: MIT */
/*
 * square - a sparse matrix times a sparse one, both in rows. A thread has a row of the product: it writes down all
 * products, sorts them by column, and adds up what is of one column, in the order of the factor's entries.
 */
static __device__ void NAME(swap_terms)(int *keys, T *terms, long i, long j) {
  int key = keys[i];
  keys[i] = keys[j];
  keys[j] = key;
  T term = terms[i];
  terms[i] = terms[j];
  terms[j] = term;
}

static __device__ void NAME(sift_terms)(int *keys, T *terms, long begin, long root, long count) {
  for (long child = 2 * root + 1; child < count; child = 2 * root + 1) {
    if (child + 1 < count && keys[begin + child + 1] > keys[begin + child])
      child++;
    if (keys[begin + child] <= keys[begin + root])
      return;
    NAME(swap_terms)(keys, terms, begin + root, begin + child);
    root = child;
  }
}

static __device__ void NAME(sort_terms)(int *keys, T *terms, long begin, long end) {
  if (end - begin <= 24) {
    for (long i = begin + 1; i < end; i++)
      for (long j = i; j > begin && keys[j - 1] > keys[j]; j--)
        NAME(swap_terms)(keys, terms, j - 1, j);
    return;
  }
  for (long root = (end - begin) / 2; root > 0; root--)
    NAME(sift_terms)(keys, terms, begin, root - 1, end - begin);
  for (long last = end - begin - 1; last > 0; last--) {
    NAME(swap_terms)(keys, terms, begin, begin + last);
    NAME(sift_terms)(keys, terms, begin, 0, last);
  }
}

__global__ void NAME(square)(long rows, INDICES(a_offsets), long a_base, INDICES(a_columns), long a_index_base,
                             const T *a, INDICES(b_offsets), long b_base, INDICES(b_columns), long b_index_base,
                             const T *b, T alpha_value, const T *alpha_at, const long *room, int *keys, T *terms,
                             int *counts) {
  T alpha = scalar(alpha_value, alpha_at);
  for (long row = first_index(); row < rows; row += all_threads()) {
    long to = room[row], begin = to, a_end = AT(a_offsets, row + 1) - a_base;
    for (long k = AT(a_offsets, row) - a_base; k < a_end; k++) {
      long middle = AT(a_columns, k) - a_index_base, b_end = AT(b_offsets, middle + 1) - b_base;
      T factor = times(alpha, a[k]);
      for (long j = AT(b_offsets, middle) - b_base; j < b_end; j++) {
        keys[to] = (int)(AT(b_columns, j) - b_index_base);
        terms[to] = times(factor, b[j]);
        to++;
      }
    }
    NAME(sort_terms)(keys, terms, begin, to);
    long last = begin - 1;
    for (long k = begin; k < to; k++) {
      if (last >= begin && keys[last] == keys[k]) {
        terms[last] = plus(terms[last], terms[k]);
      } else {
        last++;
        keys[last] = keys[k];
        terms[last] = terms[k];
      }
    }
    counts[row] = (int)(last - begin + 1);
  }
}

__global__ void NAME(square_copy)(long rows, const long *room, const int *keys, const T *terms, INDICES(offsets),
                                  long base, OUTPUT_INDICES(columns), T *values) {
  for (long row = first_index(); row < rows; row += all_threads()) {
    long begin = AT(offsets, row) - base, end = AT(offsets, row + 1) - base;
    for (long k = begin; k < end; k++) {
      put_index(PASSED(columns), k, keys[room[row] + k - begin] + base);
      values[k] = terms[room[row] + k - begin];
    }
  }
}
