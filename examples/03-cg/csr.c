/* SPDX-License-Identifier: MIT */
/*
 * csr - see csr.h.
 *
 * Entries are sorted by two stable counting sorts, first by column, then by row: linear in time, and each row comes
 * out with its columns ascending, which makes equal places neighbours and an entry of a row a binary search.
 */
#include "csr.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Elements across the diagonal are the same if they agree to this: what a file's decimals may have done to them. */
static const double SAME = 1e-8;

typedef int (*key_of)(const mm_entry *entry);

static int row_of(const mm_entry *entry) {
  return entry->row;
}

static int column_of(const mm_entry *entry) {
  return entry->column;
}

/* Copies entries to `to` in the order of their keys, which lie below keys; equal ones keep their order. `next` has
 * keys + 1 elements for work; afterwards next[k] is where key k + 1 begins. */
static void sort_by(key_of key, int keys, const mm_entry *from, mm_entry *to, size_t count, size_t *next) {
  for (int k = 0; k <= keys; k++)
    next[k] = 0;
  for (size_t i = 0; i < count; i++)
    next[key(&from[i]) + 1]++;
  for (int k = 0; k < keys; k++)
    next[k + 1] += next[k];
  for (size_t i = 0; i < count; i++)
    to[next[key(&from[i])]++] = from[i];
}

/* Takes over sorted entries; neighbours at the same place become one. */
static void compress(csr_matrix *matrix, const mm_entry *entries, size_t count) {
  size_t kept = 0;
  int row = 0;
  matrix->start[0] = 0;
  for (size_t i = 0; i < count; i++) {
    while (row < entries[i].row)
      matrix->start[++row] = (int)kept;
    bool again = i > 0 && entries[i - 1].row == entries[i].row && entries[i - 1].column == entries[i].column;
    if (again) {
      matrix->value[kept - 1] += entries[i].value;
      matrix->merged++;
      continue;
    }
    matrix->column[kept] = entries[i].column;
    matrix->value[kept++] = entries[i].value;
  }
  while (row < matrix->rows)
    matrix->start[++row] = (int)kept;
  matrix->count = kept;
}

static bool reserve(csr_matrix *matrix, size_t count) {
  matrix->start = malloc(((size_t)matrix->rows + 1) * sizeof *matrix->start);
  matrix->column = malloc((count + 1) * sizeof *matrix->column);
  matrix->value = malloc((count + 1) * sizeof *matrix->value);
  return matrix->start != NULL && matrix->column != NULL && matrix->value != NULL;
}

bool csr_make(const mm_matrix *from, csr_matrix *matrix_out, char *error, size_t error_size) {
  csr_matrix matrix = { .rows = from->rows };
  if (from->rows != from->columns) {
    snprintf(error, error_size, "the matrix has %d rows and %d columns, but conjugate gradients need a square one",
             from->rows, from->columns);
    return false;
  }
  if (from->count < (size_t)from->rows) {
    snprintf(error, error_size, "the matrix has %d rows, but %zu entries: a row without any makes it singular",
             from->rows, from->count);
    return false;
  }
  mm_entry *by_column = malloc((from->count + 1) * sizeof *by_column);
  mm_entry *by_row = malloc((from->count + 1) * sizeof *by_row);
  size_t *next = malloc(((size_t)from->rows + 1) * sizeof *next);
  bool good = by_column != NULL && by_row != NULL && next != NULL && reserve(&matrix, from->count);
  if (good) {
    sort_by(column_of, from->rows, from->entries, by_column, from->count, next);
    sort_by(row_of, from->rows, by_column, by_row, from->count, next);
    compress(&matrix, by_row, from->count);
    *matrix_out = matrix;
  } else {
    snprintf(error, error_size, "no host memory to sort %zu entries", from->count);
    csr_free(&matrix);
  }
  free(next);
  free(by_row);
  free(by_column);
  return good;
}

void csr_free(csr_matrix *matrix) {
  free(matrix->start);
  free(matrix->column);
  free(matrix->value);
  *matrix = (csr_matrix){ 0 };
}

void csr_multiply(const csr_matrix *matrix, const double *x, double *y) {
  for (int row = 0; row < matrix->rows; row++) {
    double sum = 0;
    for (int i = matrix->start[row]; i < matrix->start[row + 1]; i++)
      sum += matrix->value[i] * x[matrix->column[i]];
    y[row] = sum;
  }
}

/* The element at a place; 0 where nothing is stored. */
static double element(const csr_matrix *matrix, int row, int column) {
  int low = matrix->start[row], high = matrix->start[row + 1];
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (matrix->column[middle] < column)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < matrix->start[row + 1] && matrix->column[low] == column;
  return found ? matrix->value[low] : 0;
}

bool csr_invert_diagonal(const csr_matrix *matrix, double *inverse_out, char *error, size_t error_size) {
  for (int row = 0; row < matrix->rows; row++) {
    double diagonal = element(matrix, row, row);
    if (!(diagonal > 0)) {
      snprintf(error, error_size,
               "the matrix is not positive definite: the diagonal element of row %d is %g, but must be above 0",
               row + 1, diagonal);
      return false;
    }
    inverse_out[row] = 1 / diagonal;
  }
  return true;
}

bool csr_check_symmetry(const csr_matrix *matrix, char *error, size_t error_size) {
  for (int row = 0; row < matrix->rows; row++)
    for (int i = matrix->start[row]; i < matrix->start[row + 1]; i++) {
      int column = matrix->column[i];
      double here = matrix->value[i], there = element(matrix, column, row);
      if (fabs(here - there) > SAME * fmax(fabs(here), fabs(there))) {
        snprintf(
            error, error_size,
            "the matrix is not symmetric, as conjugate gradients need it: row %d, column %d is %.17g, but row %d, "
            "column %d is %.17g",
            row + 1, column + 1, here, column + 1, row + 1, there);
        return false;
      }
    }
  return true;
}
