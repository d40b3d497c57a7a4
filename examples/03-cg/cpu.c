/* SPDX-License-Identifier: MIT */
/*
 * cpu - the solver on the CPU, in float64 and in one thread: the answer that the device's is compared with. Kept
 * as plain as the formulas in cg.h. And the little that both solvers and the program need.
 */
#define _POSIX_C_SOURCE 200809L

#include "cg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void *cg_allocate(size_t count, size_t size) {
  void *memory = calloc(count > 0 ? count : 1, size);
  if (memory == NULL) {
    fprintf(stderr, "cg: no host memory for %zu times %zu bytes\n", count, size);
    exit(EXIT_FAILURE);
  }
  return memory;
}

void cg_result_free(cg_result *result) {
  free(result->x);
  free(result->residual);
}

double cg_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double dot(const double *x, const double *y, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += x[i] * y[i];
  return sum;
}

double cg_norm(const double *x, int count) {
  return sqrt(dot(x, x, count));
}

/* x += alpha p, r -= alpha q; r.z by the way. */
static double update(const cg_problem *problem, double alpha, const double *p, const double *q, double *x,
                     double *r) {
  double rz = 0;
  for (int i = 0; i < problem->matrix->rows; i++) {
    x[i] += alpha * p[i];
    r[i] -= alpha * q[i];
    rz += r[i] * r[i] * problem->inverse_diagonal[i];
  }
  return rz;
}

static void direct(const cg_problem *problem, double beta, const double *r, double *p) {
  for (int i = 0; i < problem->matrix->rows; i++)
    p[i] = r[i] * problem->inverse_diagonal[i] + beta * p[i];
}

static void iterate(const cg_problem *problem, const cg_settings *settings, double *work, cg_result *result) {
  int rows = problem->matrix->rows;
  double *r = work, *p = r + rows, *q = p + rows;
  double scale = cg_norm(problem->right_side, rows);
  for (int i = 0; i < rows; i++)
    r[i] = problem->right_side[i];
  double rz = update(problem, 0, p, q, result->x, r);
  direct(problem, 0, r, p);
  result->residual[0] = 1;
  while (result->residual[result->iterations] > settings->tolerance) {
    if (result->iterations == settings->iterations) {
      result->end = CG_RAN_OUT;
      return;
    }
    csr_multiply(problem->matrix, p, q);
    double pq = dot(p, q, rows);
    if (!(pq > 0)) {
      result->end = CG_INDEFINITE;
      return;
    }
    double before = rz;
    rz = update(problem, before / pq, p, q, result->x, r);
    direct(problem, rz / before, r, p);
    result->residual[++result->iterations] = cg_norm(r, rows) / scale;
  }
  result->end = CG_CONVERGED;
}

void cg_solve_on_cpu(const cg_problem *problem, const cg_settings *settings, cg_result *result_out) {
  size_t rows = (size_t)problem->matrix->rows;
  cg_result result = { 0 };
  result.x = cg_allocate(rows, sizeof *result.x);
  result.residual = cg_allocate((size_t)settings->iterations + 1, sizeof *result.residual);
  double *work = cg_allocate(3 * rows, sizeof *work);
  double begin = cg_seconds();
  iterate(problem, settings, work, &result);
  result.seconds = cg_seconds() - begin;
  free(work);
  *result_out = result;
}
