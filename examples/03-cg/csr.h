/* SPDX-License-Identifier: MIT */
/*
 * csr - a sparse matrix by compressed rows.
 *
 *     row i:  column[start[i]] ... column[start[i + 1] - 1]   ascending
 *             value [start[i]] ... value [start[i + 1] - 1]
 *
 * Three plain arrays, so that a copy to the device is three copies. Plain data, no locks.
 */
#ifndef CG_CSR_H
#define CG_CSR_H

#include <stdbool.h>
#include <stddef.h>

#include "matrix_market.h"

typedef struct csr_matrix {
  int rows;        /* square */
  size_t count;    /* entries; start[rows] */
  int *start;      /* [rows + 1] */
  int *column;     /* [count] */
  double *value;   /* [count] */
  size_t merged;   /* entries of the file that named a place again; their values were added */
} csr_matrix;

/* Sorts entries into rows. Entries for the same place are added, as codes that assemble matrices expect. False,
 * with a sentence in error, if the matrix is not square or there is no memory. */
bool csr_make(const mm_matrix *from, csr_matrix *matrix_out, char *error, size_t error_size);

void csr_free(csr_matrix *matrix);

/* y = A x */
void csr_multiply(const csr_matrix *matrix, const double *x, double *y);

/* The inverse of each diagonal element: Jacobi's preconditioner. False, with a sentence in error, if one is not
 * above zero: then the matrix is not positive definite. */
bool csr_invert_diagonal(const csr_matrix *matrix, double *inverse_out, char *error, size_t error_size);

/* Whether A equals its transpose to rounding; the first difference is told in error. */
bool csr_check_symmetry(const csr_matrix *matrix, char *error, size_t error_size);

#endif
