/* SPDX-License-Identifier: MIT */
/*
 * matrix_market - reading sparse matrices from Matrix Market files.
 *
 * Taken are files of kind "matrix coordinate", with real, integer or pattern entries (a pattern's are 1), general
 * or symmetric. The triangle that a symmetric file leaves out is filled in. Everything else is refused with one
 * sentence that names the file, the line, what stands there and what may: complex, array, skew-symmetric and
 * Hermitian files; indices outside the matrix; numbers that are none, infinite or too large; blanks where a number
 * should be; more or fewer entries than announced. Lines may be of any length, end in LF or CR LF, and be empty or
 * comments (%) anywhere behind the first.
 */
#ifndef CG_MATRIX_MARKET_H
#define CG_MATRIX_MARKET_H

#include <stdbool.h>
#include <stddef.h>

/* Rows and columns count from 0. */
typedef struct mm_entry {
  int row, column;
  double value;
} mm_entry;

typedef struct mm_matrix {
  int rows, columns;
  size_t stored;      /* entries in the file */
  size_t count;       /* entries here: with the other triangle of a symmetric file */
  mm_entry *entries;  /* in the order of the file; the same place may occur more than once */
  bool symmetric;     /* as the file says */
} mm_matrix;

/* Reads a file. On failure, returns false with a sentence in error, and nothing to free. */
bool mm_read(const char *path, mm_matrix *matrix_out, char *error, size_t error_size);

void mm_free(mm_matrix *matrix);

#endif
