/* SPDX-License-Identifier: MIT */
/*
 * cg - conjugate gradients, on the device and on the CPU: what the two solvers share.
 *
 * Both solve A x = b for a symmetric positive definite A, from x = 0, with Jacobi's preconditioner, by the same
 * steps in the same order:
 *
 *     q = A p      alpha = r.z / p.q      x += alpha p      r -= alpha q      z = r / diagonal
 *     beta = r.z / (r.z before)           p = z + beta p    until |r| <= tolerance * |b|
 *
 * What differs is the order in which the sums of a dot product are added, and on devices without float64 the
 * precision. So iteration counts may differ by a few, and the solutions by about the error that each has.
 */
#ifndef CG_CG_H
#define CG_CG_H

#include <stdbool.h>

#include "csr.h"
#include "progress.h"

typedef enum cg_precision { CG_AUTOMATIC, CG_SINGLE, CG_DOUBLE } cg_precision;

typedef struct cg_problem {
  const csr_matrix *matrix;
  const double *inverse_diagonal;
  const double *right_side;
} cg_problem;

typedef struct cg_settings {
  double tolerance;       /* of |r| / |b|; 0: as the precision allows */
  int iterations;         /* at most */
  cg_precision precision; /* of the device */
  bool pairs;             /* pass pointers as buffer and offset, even if the device takes them as they are */
  const char *checkpoint; /* the file that the device's state goes into, and comes from if it is there; NULL: none */
} cg_settings;

typedef enum cg_end { CG_CONVERGED, CG_RAN_OUT, CG_INDEFINITE } cg_end;

typedef struct cg_result {
  double *x;
  double *residual;  /* [iterations + 1]: |r| / |b| after that many iterations */
  int iterations;
  cg_end end;
  double seconds;    /* of the iterations alone */
} cg_result;

/* What the device solver used, for the report. */
typedef struct cg_device {
  char name[128];
  cg_precision precision;
  double tolerance;
  void *pool;        /* the one allocation */
  size_t pool_bytes;
  int arrays;        /* carved from it */
  int resumed;       /* at this iteration, from a checkpoint; -1: it began anew */
  bool pairs;        /* how kernels got their pointers */
} cg_device;

/* Both end the program with a message on stderr if something fails. progress may be NULL. */
void cg_solve_on_device(const cg_problem *problem, const cg_settings *settings, cg_progress *progress,
                        cg_device *device_out, cg_result *result_out);
void cg_solve_on_cpu(const cg_problem *problem, const cg_settings *settings, cg_result *result_out);

void cg_result_free(cg_result *result);

/* Memory, or the end of the program with a message. */
void *cg_allocate(size_t count, size_t size);

double cg_norm(const double *x, int count);
double cg_seconds(void);

/* OpenCL C for the device, in parts; see kernels.c. */
enum { CG_KERNEL_TEXTS = 3 };
extern const char *const cg_kernels[CG_KERNEL_TEXTS];

#endif
