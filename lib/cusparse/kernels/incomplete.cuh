/* SPDX-License-Identifier: MIT */
/*
 * incomplete - factors that have entries only where the matrix has, in its place: L U, with ones on L's diagonal, and
 * L times its conjugate transpose, whose other triangle is left alone.
 *
 * Rows go level by level, as in triangular systems. Threads of a block share a row: for each entry left of the diagonal,
 * in order, they take off the row of that column. A factor is written when the next one is found: until then the others
 * may read what it was made of. Columns of rows are in order.
 */

/* values[last] = factor, if there is one, by one thread. */
static __device__ void NAME(keep)(T *values, int last, T factor) {
  if (last >= 0 && threadIdx.x == 0)
    values[last] = factor;
}

__global__ void NAME(factor_lu)(TRIANGLE, const int *row_offsets, const int *row_columns, int base, T *values,
                                int boosts, double tolerance_value, const double *tolerance_at, T boost_value,
                                const T *boost_at, int *pivot) {
  for (int level = first_level; level < last_level; level++)
    for (int i = level_offsets[level] + blockIdx.x; i < level_offsets[level + 1]; i += gridDim.x) {
      int row = order[i], end = row_offsets[row + 1] - base, last = -1;
      T factor = ZERO;
      for (int k = offsets[row]; k < offsets[row + 1]; k++) {
        int from = columns[k], place = places[k], first = diagonal[from];
        __syncthreads();
        NAME(keep)(values, last, factor);
        factor = over(values[place], first < 0 ? ZERO : values[first]);
        last = place;
        first = first < 0 ? row_offsets[from] - base : first + 1;
        for (int e = place + 1 + threadIdx.x; e < end; e += blockDim.x) {
          int found = place_of(row_columns, first, row_offsets[from + 1] - base, row_columns[e]);
          if (found >= 0)
            values[e] = minus(values[e], times(factor, values[found]));
        }
      }
      __syncthreads();
      NAME(keep)(values, last, factor);
      if (threadIdx.x == 0 && diagonal[row] >= 0) {
        double tolerance = tolerance_at != NULL ? *tolerance_at : tolerance_value;
        T own = values[diagonal[row]];
        if (boosts && (double)size_of(own) <= tolerance)
          values[diagonal[row]] = scalar(boost_value, boost_at);
        else if (is_zero(own))
          atomicMin(pivot, row);
      }
      __syncthreads();
    }
}

/* Each row's diagonal is the root of what is left of it; where that is not above 0, the row is noted. */
__global__ void NAME(factor_llh)(TRIANGLE, T *values, int *pivot) {
  for (int level = first_level; level < last_level; level++)
    for (int i = level_offsets[level] + blockIdx.x; i < level_offsets[level + 1]; i += gridDim.x) {
      int row = order[i], end = offsets[row + 1], last = -1;
      T factor = ZERO, own = diagonal[row] < 0 ? ZERO : values[diagonal[row]];
      for (int k = offsets[row]; k < offsets[row + 1]; k++) {
        int from = columns[k], place = places[k], first = diagonal[from];
        __syncthreads();
        NAME(keep)(values, last, factor);
        factor = over(values[place], first < 0 ? ZERO : values[first]);
        last = place;
        own = minus(own, times(factor, conjugate_if(factor, 1)));
        for (int e = k + 1 + threadIdx.x; e < end; e += blockDim.x) {
          int of = columns[e], found = place_of(columns, offsets[of], offsets[of + 1], from);
          if (found >= 0)
            values[places[e]] = minus(values[places[e]], times(factor, conjugate_if(values[places[found]], 1)));
        }
      }
      __syncthreads();
      NAME(keep)(values, last, factor);
      if (threadIdx.x == 0 && diagonal[row] >= 0) {
        values[diagonal[row]] = root_of(own);
        if (!is_positive(own))
          atomicMin(pivot, row);
      }
      __syncthreads();
    }
}
