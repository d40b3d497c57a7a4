/* SPDX-License-Identifier: MIT */
/* sparse_loops - see sparse_loops.h. */
#include "sparse_loops.h"

#include <stdint.h>
#include <stdlib.h>

#include "random.h"

/* ---- matrices -------------------------------------------------------------------------------------------- */

/* Of a small matrix there is one long row. */
static int length_of(int order, int row, bool is_skewed) {
  int rare = order < RARE ? order : RARE;
  if (!is_skewed)
    return PER_ROW;
  int most = rare * (PER_ROW / 2);
  return row % rare == rare / 2 ? (most < order ? most : order) : PER_ROW / 2;
}

/* A row's columns are one in each of as many equal parts. */
static void fill_row(sparse_matrix *matrix, int at, int length, uint64_t *seed) {
  int part = matrix->order / length;
  for (int i = 0; i < length; i++) {
    matrix->columns[at + i] = i * part + (int)random_below(seed, (uint64_t)part);
    matrix->narrow[at + i] = (float)random_below(seed, 1024) / 1024 - 0.5f;
    matrix->values[at + i] = (double)matrix->narrow[at + i];
  }
}

bool sparse_matrix_begin(sparse_matrix *matrix, int order, bool is_skewed) {
  uint64_t seed = 1;
  int entries = 0;
  for (int row = 0; row < order; row++)
    entries += length_of(order, row, is_skewed);
  *matrix = (sparse_matrix){ .order = order, .entries = entries };
  matrix->offsets = calloc((size_t)order + 1, sizeof *matrix->offsets);
  matrix->columns = calloc((size_t)entries, sizeof *matrix->columns);
  matrix->values = calloc((size_t)entries, sizeof *matrix->values);
  matrix->narrow = calloc((size_t)entries, sizeof *matrix->narrow);
  if (matrix->offsets == NULL || matrix->columns == NULL || matrix->values == NULL || matrix->narrow == NULL)
    return false;
  for (int row = 0; row < order; row++) {
    int length = length_of(order, row, is_skewed);
    fill_row(matrix, matrix->offsets[row], length, &seed);
    matrix->offsets[row + 1] = matrix->offsets[row] + length;
  }
  return true;
}

void sparse_matrix_end(sparse_matrix *matrix) {
  free(matrix->offsets);
  free(matrix->columns);
  free(matrix->values);
  free(matrix->narrow);
}

/* ---- loops ----------------------------------------------------------------------------------------------- */

void sparse_loop_float(const sparse_matrix *a, const float *x, float *y) {
  for (int row = 0; row < a->order; row++) {
    float sum = 0;
    for (int k = a->offsets[row]; k < a->offsets[row + 1]; k++)
      sum += a->narrow[k] * x[a->columns[k]];
    y[row] = sum;
  }
}

void sparse_loop_double(const sparse_matrix *a, const double *x, double *y) {
  for (int row = 0; row < a->order; row++) {
    double sum = 0;
    for (int k = a->offsets[row]; k < a->offsets[row + 1]; k++)
      sum += a->values[k] * x[a->columns[k]];
    y[row] = sum;
  }
}

void sparse_loop_dense(const sparse_matrix *a, const float *b, float *c, int columns) {
  for (int row = 0; row < a->order; row++) {
    float *to = c + (size_t)row * (size_t)columns;
    for (int j = 0; j < columns; j++)
      to[j] = 0;
    for (int k = a->offsets[row]; k < a->offsets[row + 1]; k++) {
      const float *from = b + (size_t)a->columns[k] * (size_t)columns;
      for (int j = 0; j < columns; j++)
        to[j] += a->narrow[k] * from[j];
    }
  }
}
