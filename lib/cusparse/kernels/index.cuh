/* SPDX-License-Identifier: MIT */
/*
 * index - kernels on indices alone: offsets of sorted lines, counts and their sums, and sorting.
 *
 * What is placed by atomics lies in any order at first; sorting by number puts it into one, so that results are the
 * same each time.
 */

/* offsets[line] = how many of the sorted numbers are below it. One thread a line, and one behind the last. */
__global__ void offsets_of(long lines, long entries, INDICES(sorted), long base, long to_base, OUTPUT_INDICES(to)) {
  for (long line = first_index(); line <= lines; line += all_threads()) {
    long low = 0, high = entries;
    while (low < high) {
      long middle = low + (high - low) / 2;
      if (AT(sorted, middle) - base < line)
        low = middle + 1;
      else
        high = middle;
    }
    put_index(PASSED(to), line, low + to_base);
  }
}

/* to[k] = the line of entry k, or of the entry that source[k] names. */
__global__ void lines_of(long lines, long entries, INDICES(offsets), long base, const int *source, long to_base,
                         OUTPUT_INDICES(to)) {
  for (long k = first_index(); k < entries; k += all_threads())
    put_index(PASSED(to), k, line_of(PASSED(offsets), base, lines, source != NULL ? source[k] : k) + to_base);
}

__global__ void identity(long n, int *to) {
  for (long i = first_index(); i < n; i += all_threads())
    to[i] = (int)i;
}

__global__ void clear(long n, int *to) {
  for (long i = first_index(); i < n; i += all_threads())
    to[i] = 0;
}

/* to[i] = i pieces, at most `most`. */
__global__ void space(long n, int piece, int most, int *to) {
  for (long i = first_index(); i < n; i += all_threads())
    to[i] = i * piece < most ? (int)(i * piece) : most;
}

__global__ void divide(long n, const int *from, int base, int by, int *to) {
  for (long i = first_index(); i < n; i += all_threads())
    to[i] = (from[i] - base) / by;
}

__global__ void put_one(int value, int *to) {
  if (first_index() == 0)
    *to = value;
}

__global__ void pick(long n, const int *from, const int *source, int *to) {
  for (long i = first_index(); i < n; i += all_threads())
    to[i] = source != NULL ? from[source[i]] : from[i];
}

__global__ void count(long entries, const int *numbers, long base, int *counts) {
  for (long k = first_index(); k < entries; k += all_threads())
    atomicAdd(&counts[numbers[k] - base], 1);
}

/* source[...] = k, among those of the same number; counts come as 0. */
__global__ void place(long entries, const int *numbers, long base, const int *offsets, int offsets_base, int *counts,
                      int *source) {
  for (long k = first_index(); k < entries; k += all_threads()) {
    int number = numbers[k] - (int)base;
    source[offsets[number] - offsets_base + atomicAdd(&counts[number], 1)] = (int)k;
  }
}

/* Where the column is among those in order from low on, or -1. */
static __device__ int place_of(const int *columns, int low, int end, int column) {
  int high = end;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (columns[middle] < column)
      low = middle + 1;
    else
      high = middle;
  }
  return low < end && columns[low] == column ? low : -1;
}

/* ---- sums before each ------------------------------------------------------------------------------------- */

/* Each thread has a piece of `each` counts. */
__global__ void sum_pieces(long n, const int *counts, long each, long pieces, long *sums) {
  for (long piece = first_index(); piece < pieces; piece += all_threads()) {
    long sum = 0, end = (piece + 1) * each < n ? (piece + 1) * each : n;
    for (long i = piece * each; i < end; i++)
      sum += counts[i];
    sums[piece] = sum;
  }
}

/* sums become those of the pieces before; the sum of all stands behind them. */
__global__ void sum_before(long pieces, long *sums) {
  long sum = 0;
  for (long i = 0; i < pieces; i++) {
    long own = sums[i];
    sums[i] = sum;
    sum += own;
  }
  sums[pieces] = sum;
}

__global__ void write_sums(long n, const int *counts, long each, long pieces, const long *sums, long base,
                           OUTPUT_INDICES(to)) {
  for (long piece = first_index(); piece < pieces; piece += all_threads()) {
    long sum = sums[piece] + base, end = (piece + 1) * each < n ? (piece + 1) * each : n;
    for (long i = piece * each; i < end; i++) {
      put_index(PASSED(to), i, sum);
      sum += counts[i];
    }
    if (piece == pieces - 1)
      put_index(PASSED(to), n, sum);
  }
}

/* ---- sorting ---------------------------------------------------------------------------------------------- */

/* Whether pair i comes behind pair j: by the key, then by what goes with it. */
static __device__ bool is_behind(const int *keys, const int *beside, long i, long j) {
  return keys[i] != keys[j] ? keys[i] > keys[j] : beside != NULL && beside[i] > beside[j];
}

static __device__ void swap_pairs(int *keys, int *beside, long i, long j) {
  int key = keys[i];
  keys[i] = keys[j];
  keys[j] = key;
  if (beside != NULL) {
    int other = beside[i];
    beside[i] = beside[j];
    beside[j] = other;
  }
}

static __device__ void sift(int *keys, int *beside, long begin, long root, long count) {
  for (long child = 2 * root + 1; child < count; child = 2 * root + 1) {
    if (child + 1 < count && is_behind(keys, beside, begin + child + 1, begin + child))
      child++;
    if (!is_behind(keys, beside, begin + child, begin + root))
      return;
    swap_pairs(keys, beside, begin + root, begin + child);
    root = child;
  }
}

/* Each line by a thread: short ones by insertion, long ones as a heap, which takes no memory besides. */
static __device__ void sort_pairs(int *keys, int *beside, long begin, long end) {
  if (end - begin <= 24) {
    for (long i = begin + 1; i < end; i++)
      for (long j = i; j > begin && is_behind(keys, beside, j - 1, j); j--)
        swap_pairs(keys, beside, j - 1, j);
    return;
  }
  for (long root = (end - begin) / 2; root > 0; root--)
    sift(keys, beside, begin, root - 1, end - begin);
  for (long last = end - begin - 1; last > 0; last--) {
    swap_pairs(keys, beside, begin, begin + last);
    sift(keys, beside, begin, 0, last);
  }
}

__global__ void sort_lines(long lines, const int *offsets, int base, int *keys, int *beside) {
  for (long line = first_index(); line < lines; line += all_threads())
    sort_pairs(keys, beside, offsets[line] - base, offsets[line + 1] - base);
}
