/* SPDX-License-Identifier: MIT */
/* sparse_loops - see sparse_loops.h. */
#include "sparse_loops.h"

#include <stdint.h>
#include <stdlib.h>

#include "random.h"

/* ---- matrices -------------------------------------------------------------------------------------------- */

static int compare_ints(const void *a, const void *b) {
  int first = *(const int *)a, second = *(const int *)b;
  return (first > second) - (first < second);
}

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

/* ---- the square ------------------------------------------------------------------------------------------ */

/* As many entries as there are products, at most a full row each. */
static int room_of(const sparse_matrix *a) {
  int room = 0;
  for (int row = 0; row < a->order; row++) {
    int products = 0;
    for (int k = a->offsets[row]; k < a->offsets[row + 1]; k++)
      products += a->offsets[a->columns[k] + 1] - a->offsets[a->columns[k]];
    room += products < a->order ? products : a->order;
  }
  return room;
}

bool sparse_square_begin(sparse_square *square, const sparse_matrix *a) {
  *square = (sparse_square){ .room = room_of(a) };
  square->offsets = calloc((size_t)a->order + 1, sizeof *square->offsets);
  square->columns = calloc((size_t)square->room, sizeof *square->columns);
  square->values = calloc((size_t)square->room, sizeof *square->values);
  square->row = calloc((size_t)a->order, sizeof *square->row);
  square->is_there = calloc((size_t)a->order, sizeof *square->is_there);
  return square->offsets != NULL && square->columns != NULL && square->values != NULL && square->row != NULL &&
         square->is_there != NULL;
}

void sparse_square_end(sparse_square *square) {
  free(square->offsets);
  free(square->columns);
  free(square->values);
  free(square->row);
  free(square->is_there);
}

/* Adds a row of the square up, and gives how many entries it has. */
static int add_row(const sparse_matrix *a, int row, sparse_square *square, int *columns) {
  int count = 0;
  for (int k = a->offsets[row]; k < a->offsets[row + 1]; k++)
    for (int i = a->offsets[a->columns[k]]; i < a->offsets[a->columns[k] + 1]; i++) {
      int column = a->columns[i];
      if (!square->is_there[column])
        columns[count++] = column;
      square->is_there[column] = true;
      square->row[column] += a->narrow[k] * a->narrow[i];
    }
  return count;
}

void sparse_loop_square(const sparse_matrix *a, sparse_square *square) {
  for (int row = 0; row < a->order; row++) {
    int at = square->offsets[row], *columns = square->columns + at, count = add_row(a, row, square, columns);
    qsort(columns, (size_t)count, sizeof *columns, compare_ints);
    for (int i = 0; i < count; i++) {
      square->values[at + i] = square->row[columns[i]];
      square->row[columns[i]] = 0;
      square->is_there[columns[i]] = false;
    }
    square->offsets[row + 1] = at + count;
  }
}
