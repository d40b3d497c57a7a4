/* SPDX-License-Identifier: MIT */
/*
 * device - the solver on the device, in the manner of a program written for CUDA: one cudaMalloc() for all it needs,
 * every array a pointer into it, found by pointer arithmetic. The kernels are OpenCL C and take these pointers as
 * they are, by vptr_set_kernel_arg(), on vptr's own queue.
 *
 *     pool  [ start | column | value | inverse | x | r | p | q | partial | scalar | counter | history ]
 *
 * That is how a device takes them which has addresses of its own. Any other gets each pointer as a buffer and an
 * offset, by vptr_set_kernel_arg_pair(), and kernels built for that: bind_all() finds out which it is.
 *
 * The host looks every BATCH iterations: it copies back the counters and the slice of the residuals that is new. With
 * --checkpoint it then has vptr write the pool into a file, together with what it knows itself (resume_point); a
 * process that finds the file has the pool at the address that it had, and goes on.
 */
#include "cg.h"

#include <cuda_runtime.h>
#include <vptr/vptr.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BATCH = 16, MAX_BLOCK = 128, MAX_GROUPS = 512 };

/* Of each array in the pool, for whole cache lines and wide loads. */
enum { ALIGNMENT = 256 };

/* As in kernels.c. */
enum { SCALAR_RZ, SCALAR_ALPHA, SCALAR_BETA, SCALAR_LIMIT, SCALARS };
enum { COUNTER_STATE, COUNTER_ITERATION, COUNTERS };
enum { STATE_RUNNING, STATE_CONVERGED, STATE_INDEFINITE };

typedef enum kernel_step { MULTIPLY, SET_ALPHA, UPDATE, SET_BETA, DIRECT, STEPS } kernel_step;

/* Device pointers. Arrays of reals are char *, since their element is float or double, as the device has it. */
typedef struct arrays {
  char *pool;
  int *start, *column, *counter;
  char *value, *inverse, *x, *r, *p, *q, *partial, *scalar, *history;
  size_t bytes;
  int carved;
} arrays;

/* What the host has to know to go on with a pool that another process made. */
typedef struct resume_point {
  char *pool;
  size_t bytes, real, block;
  int rows, enqueued;
} resume_point;

typedef struct device_solver {
  const cg_problem *problem;
  cg_settings settings;
  size_t real; /* bytes of an element */
  size_t block, groups;
  void *staging; /* host memory for as many reals as the matrix has entries or rows */
  arrays at;
  cl_command_queue queue;
  cl_kernel kernels[STEPS];
  resume_point point; /* goes along with checkpoints */
  bool resumes;       /* from one that was there */
} device_solver;

/* ---- errors, in the manner of such programs -------------------------------------------------------------- */

static void must_cuda(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "cg: %s: %s (%s)\n  %s\n", what, cudaGetErrorName(error), cudaGetErrorString(error),
          vptr_last_error());
  exit(EXIT_FAILURE);
}

static void must_vptr(vptr_status status, const char *what) {
  if (status == VPTR_SUCCESS)
    return;
  fprintf(stderr, "cg: %s: %s\n  %s\n", what, vptr_status_string(status), vptr_last_error());
  exit(EXIT_FAILURE);
}

static void must_cl(cl_int code, const char *what) {
  if (code == CL_SUCCESS)
    return;
  fprintf(stderr, "cg: %s: OpenCL error %d\n", what, (int)code);
  exit(EXIT_FAILURE);
}

/* ---- the device ------------------------------------------------------------------------------------------ */

static cl_device_id open_device(void) {
  cl_device_id device = vptr_get_device(NULL);
  if (device == NULL) {
    const char *why = vptr_last_error();
    fprintf(stderr, "cg: %s\n",
            *why != '\0' ? why : "this device runs no kernels; set VPTR_PLATFORM to another platform");
    exit(EXIT_FAILURE);
  }
  return device;
}

static void choose_precision(device_solver *solver, cl_device_id device, const cg_settings *settings) {
  cl_device_fp_config doubles = 0;
  clGetDeviceInfo(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof doubles, &doubles, NULL);
  if (doubles == 0 && settings->precision == CG_DOUBLE) {
    fprintf(stderr, "cg: --precision double, but this device has no float64\n");
    exit(EXIT_FAILURE);
  }
  bool single = doubles == 0 || settings->precision == CG_SINGLE;
  solver->settings = *settings;
  solver->settings.precision = single ? CG_SINGLE : CG_DOUBLE;
  if (settings->tolerance == 0)
    solver->settings.tolerance = single ? 1e-5 : 1e-10;
  solver->real = single ? sizeof(float) : sizeof(double);
}

static void choose_shape(device_solver *solver, cl_device_id device) {
  size_t most = 1, rows = (size_t)solver->problem->matrix->rows;
  clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL);
  solver->block = MAX_BLOCK;
  while (solver->block > most)
    solver->block /= 2;
  solver->groups = (rows + solver->block - 1) / solver->block;
  if (solver->groups > MAX_GROUPS)
    solver->groups = MAX_GROUPS;
}

static cl_program build_program(const device_solver *solver, cl_device_id device) {
  char options[64], log[4096] = "";
  cl_int code;
  cl_program program = clCreateProgramWithSource(vptr_get_context(NULL), CG_KERNEL_TEXTS,
                                                 (const char **)(uintptr_t)cg_kernels, NULL, &code);
  must_cl(code, "clCreateProgramWithSource");
  snprintf(options, sizeof options, "-DREAL_BYTES=%zu -DBLOCK=%zu%s", solver->real, solver->block,
           solver->settings.pairs ? " -DPAIRS" : "");
  code = clBuildProgram(program, 1, &device, options, NULL, NULL);
  if (code != CL_SUCCESS) {
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    fprintf(stderr, "%s\n", log);
  }
  must_cl(code, "clBuildProgram");
  return program;
}

static void make_kernels(device_solver *solver, cl_device_id device) {
  static const char *const names[STEPS] = { "multiply", "set_alpha", "update", "set_beta", "direct" };
  cl_program program = build_program(solver, device);
  for (int i = 0; i < STEPS; i++) {
    cl_int code;
    solver->kernels[i] = clCreateKernel(program, names[i], &code);
    must_cl(code, names[i]);
  }
  clReleaseProgram(program);
}

/* ---- memory ---------------------------------------------------------------------------------------------- */

/* The next array of some bytes. Called once with pool NULL to learn how much is needed (then the pointers are worth
 * nothing and only `bytes` counts), once with the allocation. */
static void *carve(arrays *at, size_t bytes) {
  void *here = at->pool == NULL ? NULL : at->pool + at->bytes;
  at->bytes += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  at->carved++;
  return here;
}

static void carve_all(const device_solver *solver, arrays *at) {
  const csr_matrix *matrix = solver->problem->matrix;
  size_t rows = (size_t)matrix->rows, vector = rows * solver->real;
  at->bytes = 0;
  at->carved = 0;
  at->start = carve(at, (rows + 1) * sizeof(int));
  at->column = carve(at, matrix->count * sizeof(int));
  at->value = carve(at, matrix->count * solver->real);
  at->inverse = carve(at, vector);
  at->x = carve(at, vector);
  at->r = carve(at, vector);
  at->p = carve(at, vector);
  at->q = carve(at, vector);
  at->partial = carve(at, 2 * solver->groups * solver->real);
  at->scalar = carve(at, SCALARS * solver->real);
  at->counter = carve(at, COUNTERS * sizeof(int));
  at->history = carve(at, ((size_t)solver->settings.iterations + 1) * solver->real);
}

/* Before anything else is allocated, on a device that nobody has opened yet: so addresses can be the former ones. */
static void find_checkpoint(device_solver *solver, const char *path) {
  if (path == NULL)
    return;
  must_vptr(vptr_checkpoint_keep("cg", &solver->point, sizeof solver->point), "naming what goes along");
  solver->resumes = access(path, F_OK) == 0;
  if (solver->resumes)
    must_vptr(vptr_restore(NULL, path), "going on from the checkpoint");
}

static void save(device_solver *solver, int enqueued) {
  const arrays *at = &solver->at;
  if (solver->settings.checkpoint == NULL)
    return;
  solver->point =
      (resume_point){ at->pool, at->bytes, solver->real, solver->block, solver->problem->matrix->rows, enqueued };
  must_vptr(vptr_checkpoint(NULL, solver->settings.checkpoint, 0), "writing the checkpoint");
}

static void take_pool(device_solver *solver) {
  const resume_point *point = &solver->point;
  if (point->bytes != solver->at.bytes || point->real != solver->real || point->block != solver->block ||
      point->rows != solver->problem->matrix->rows) {
    fprintf(stderr, "cg: the checkpoint is of another matrix, precision, device or number of iterations\n");
    exit(EXIT_FAILURE);
  }
  solver->at.pool = point->pool;
}

static void make_arrays(device_solver *solver) {
  const csr_matrix *matrix = solver->problem->matrix;
  size_t most = matrix->count > (size_t)matrix->rows ? matrix->count : (size_t)matrix->rows;
  if (most < (size_t)solver->settings.iterations + 1)
    most = (size_t)solver->settings.iterations + 1;
  solver->staging = cg_allocate(most + SCALARS, sizeof(double));
  carve_all(solver, &solver->at);
  if (solver->resumes)
    take_pool(solver);
  else
    must_cuda(cudaMalloc(&solver->at.pool, solver->at.bytes), "allocating the pool");
  carve_all(solver, &solver->at);
}

static void upload_reals(const device_solver *solver, char *to, const double *from, size_t count) {
  float *narrow = solver->staging;
  const void *host = from;
  if (solver->real == sizeof(float)) {
    for (size_t i = 0; i < count; i++)
      narrow[i] = (float)from[i];
    host = narrow;
  }
  must_cuda(cudaMemcpy(to, host, count * solver->real, cudaMemcpyHostToDevice), "copying to the device");
}

static void download_reals(const device_solver *solver, double *to, const char *from, size_t count) {
  const float *narrow = solver->staging;
  void *host = solver->real == sizeof(float) ? solver->staging : to;
  must_cuda(cudaMemcpy(host, from, count * solver->real, cudaMemcpyDeviceToHost), "copying from the device");
  if (host == to)
    return;
  for (size_t i = 0; i < count; i++)
    to[i] = narrow[i];
}

/* ---- kernels --------------------------------------------------------------------------------------------- */

/* The pointers first, ints behind them: so are all the kernels here. False where this device takes no pointers as
 * they are. */
static bool bind(const device_solver *solver, kernel_step step, const void *const *pointers, cl_uint pointer_count,
                 const int *numbers, cl_uint number_count) {
  cl_kernel kernel = solver->kernels[step];
  cl_uint index = 0;
  for (cl_uint i = 0; i < pointer_count; i++) {
    vptr_status status = solver->settings.pairs ? vptr_set_kernel_arg_pair(NULL, kernel, index, pointers[i])
                                                : vptr_set_kernel_arg(NULL, kernel, index, pointers[i]);
    if (status == VPTR_ERROR_UNSUPPORTED)
      return false;
    must_vptr(status, "passing a pointer");
    index += solver->settings.pairs ? 2 : 1;
  }
  for (cl_uint i = 0; i < number_count; i++)
    must_cl(clSetKernelArg(kernel, index + i, sizeof *numbers, &numbers[i]), "passing a number");
  return true;
}

/* No pointer ever changes, so each is passed once for all iterations. */
static bool bind_all(const device_solver *solver) {
  const arrays *at = &solver->at;
  const int rows = solver->problem->matrix->rows, groups = (int)solver->groups, both[] = { rows, groups };
  const void *multiply[] = { at->start, at->column, at->value, at->p, at->q, at->partial };
  const void *set_alpha[] = { at->partial, at->scalar, at->counter };
  const void *update[] = { at->x, at->r, at->p, at->q, at->inverse, at->scalar, at->partial };
  const void *set_beta[] = { at->partial, at->scalar, at->counter, at->history };
  const void *direct[] = { at->p, at->r, at->inverse, at->scalar };
  return bind(solver, MULTIPLY, multiply, 6, &rows, 1) && bind(solver, SET_ALPHA, set_alpha, 3, &groups, 1) &&
         bind(solver, UPDATE, update, 7, both, 2) && bind(solver, SET_BETA, set_beta, 4, &groups, 1) &&
         bind(solver, DIRECT, direct, 4, &rows, 1);
}

static void release_kernels(const device_solver *solver) {
  for (int i = 0; i < STEPS; i++)
    clReleaseKernel(solver->kernels[i]);
}

static void prepare_kernels(device_solver *solver, cl_device_id device) {
  make_kernels(solver, device);
  if (bind_all(solver))
    return;
  release_kernels(solver);
  solver->settings.pairs = true;
  make_kernels(solver, device);
  bind_all(solver);
}

static void launch(const device_solver *solver, kernel_step step) {
  bool alone = step == SET_ALPHA || step == SET_BETA;
  size_t global = solver->block * (alone ? 1 : solver->groups);
  must_cl(
      clEnqueueNDRangeKernel(solver->queue, solver->kernels[step], 1, NULL, &global, &solver->block, 0, NULL, NULL),
      "clEnqueueNDRangeKernel");
}

static void launch_iterations(const device_solver *solver, int count) {
  for (int i = 0; i < count; i++)
    for (int step = MULTIPLY; step < STEPS; step++)
      launch(solver, (kernel_step)step);
  must_cl(clFlush(solver->queue), "clFlush");
}

/* ---- the problem ----------------------------------------------------------------------------------------- */

/* Drivers finish compiling a kernel when it is first launched. Here that happens before the clock runs: on a pool of
 * zeros, in which a matrix without entries has been solved already. */
static void warm_up(const device_solver *solver) {
  const int counters[COUNTERS] = { STATE_CONVERGED, -1 };
  must_cuda(cudaMemset(solver->at.pool, 0, solver->at.bytes), "clearing the pool");
  must_cuda(cudaMemcpy(solver->at.counter, counters, sizeof counters, cudaMemcpyHostToDevice), "copying counters");
  launch_iterations(solver, 1);
  must_cuda(cudaDeviceSynchronize(), "the first launches");
}

static void upload_problem(const device_solver *solver) {
  const csr_matrix *matrix = solver->problem->matrix;
  const arrays *at = &solver->at;
  size_t rows = (size_t)matrix->rows;
  double norm = cg_norm(solver->problem->right_side, matrix->rows);
  double limit = solver->settings.tolerance * norm;
  /* "Iteration -1": with alpha = 0, q = 0 and p = 0, as they still are, the ordinary steps prepare iteration 0. */
  const double scalars[SCALARS] = { [SCALAR_RZ] = 1, [SCALAR_LIMIT] = limit * limit };
  const int counters[COUNTERS] = { STATE_RUNNING, -1 };
  must_cuda(cudaMemcpy(at->start, matrix->start, (rows + 1) * sizeof(int), cudaMemcpyHostToDevice), "copying starts");
  must_cuda(cudaMemcpy(at->column, matrix->column, matrix->count * sizeof(int), cudaMemcpyHostToDevice),
            "copying columns");
  must_cuda(cudaMemcpy(at->counter, counters, sizeof counters, cudaMemcpyHostToDevice), "copying counters");
  upload_reals(solver, at->value, matrix->value, matrix->count);
  upload_reals(solver, at->inverse, solver->problem->inverse_diagonal, rows);
  upload_reals(solver, at->r, solver->problem->right_side, rows);
  upload_reals(solver, at->scalar, scalars, SCALARS);
}

/* ---- the solution ---------------------------------------------------------------------------------------- */

/* Brings home what is new of the residuals: a slice, from the middle of an array in the middle of the pool. The
 * device holds squares. */
static void look(const device_solver *solver, int known, cg_result *result, int *state_out) {
  int counters[COUNTERS];
  must_cuda(cudaMemcpy(counters, solver->at.counter, sizeof counters, cudaMemcpyDeviceToHost), "reading counters");
  size_t first = (size_t)known + 1, count = (size_t)(counters[COUNTER_ITERATION] - known);
  double norm = cg_norm(solver->problem->right_side, solver->problem->matrix->rows);
  download_reals(solver, result->residual + first, solver->at.history + first * solver->real, count);
  for (size_t i = first; i < first + count; i++)
    result->residual[i] = sqrt(result->residual[i]) / norm;
  result->iterations = counters[COUNTER_ITERATION];
  *state_out = counters[COUNTER_STATE];
}

static void iterate(device_solver *solver, cg_progress *progress, cg_result *result) {
  int state, enqueued = solver->resumes ? solver->point.enqueued : 0;
  for (int step = UPDATE; step < STEPS && !solver->resumes; step++)
    launch(solver, (kernel_step)step);
  look(solver, -1, result, &state);
  while (state == STATE_RUNNING && enqueued < solver->settings.iterations) {
    int left = solver->settings.iterations - enqueued, batch = left < BATCH ? left : BATCH;
    launch_iterations(solver, batch);
    enqueued += batch;
    look(solver, result->iterations, result, &state);
    save(solver, enqueued);
    if (progress != NULL)
      progress_show(progress, result->iterations, result->residual[result->iterations], cg_seconds());
  }
  result->end = state == STATE_CONVERGED ? CG_CONVERGED : state == STATE_RUNNING ? CG_RAN_OUT : CG_INDEFINITE;
}

static void describe(const device_solver *solver, cl_device_id device, cg_device *device_out) {
  clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof device_out->name, device_out->name, NULL);
  device_out->precision = solver->settings.precision;
  device_out->tolerance = solver->settings.tolerance;
  device_out->pool = solver->at.pool;
  device_out->pool_bytes = solver->at.bytes;
  device_out->arrays = solver->at.carved;
  device_out->pairs = solver->settings.pairs;
  device_out->resumed = solver->resumes ? solver->point.enqueued : -1;
}

static void close_solver(device_solver *solver) {
  if (solver->settings.checkpoint != NULL)
    must_vptr(vptr_checkpoint_keep("cg", NULL, 0), "giving the name up");
  release_kernels(solver);
  must_cuda(cudaFree(solver->at.pool), "freeing the pool");
  free(solver->staging);
}

void cg_solve_on_device(const cg_problem *problem, const cg_settings *settings, cg_progress *progress,
                        cg_device *device_out, cg_result *result_out) {
  device_solver solver = { .problem = problem };
  find_checkpoint(&solver, settings->checkpoint);
  cl_device_id device = open_device();
  solver.queue = vptr_get_queue(NULL);
  size_t rows = (size_t)problem->matrix->rows;
  cg_result result = { .x = cg_allocate(rows, sizeof *result.x),
                       .residual = cg_allocate((size_t)settings->iterations + 1, sizeof *result.residual) };
  choose_precision(&solver, device, settings);
  choose_shape(&solver, device);
  make_arrays(&solver);
  prepare_kernels(&solver, device);
  if (!solver.resumes) {
    warm_up(&solver);
    upload_problem(&solver);
  }
  describe(&solver, device, device_out);
  if (progress != NULL)
    progress_set_goal(progress, solver.settings.tolerance);
  double begin = cg_seconds();
  iterate(&solver, progress, &result);
  result.seconds = cg_seconds() - begin;
  download_reals(&solver, result.x, solver.at.x, rows);
  close_solver(&solver);
  *result_out = result;
}
