/* SPDX-License-Identifier: MIT */
/*
 * cg - solves a sparse linear system from a Matrix Market file by conjugate gradients, on the device through
 * virtual pointers, and again on the CPU, and compares.
 *
 * The right side is made from a known solution, so both solvers' errors are known too. The device passes if
 *
 *   - both converged, after numbers of iterations that differ by no more than the order of a sum can explain, and
 *   - its solution is as good as the CPU's: no further from it than ten times the CPU's own error, or the precision.
 *
 *     cc *.c $(pkg-config --cflags --libs vptr-cudart) -lm -o cg && ./cg poisson-2500.mtx      (without poisson.c)
 *
 * Exit status: 0 they agree, 1 they do not or something failed, 2 wrong usage.
 */
#define _POSIX_C_SOURCE 200809L

#include "cg.h"

#include <vptr/vptr.h>

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_USAGE = 2, MAX_ITERATIONS = 10000000, ERROR_SIZE = 1024 };

typedef struct cg_arguments {
  const char *path;
  cg_settings settings;
  bool csv, quiet;
} cg_arguments;

static const char help[] =
    "usage: cg [OPTION]... MATRIX.mtx\n"
    "Solves A x = b by conjugate gradients on the device and on the CPU, and compares. A is symmetric positive\n"
    "definite and comes from a Matrix Market file (coordinate; real, integer or pattern; general or symmetric).\n"
    "\n"
    "  -t, --tolerance=T    stop when |r| <= T |b|, 0 < T < 1   [1e-10 with float64, 1e-5 with float32]\n"
    "  -i, --iterations=N   at most N iterations, 1 to 10000000 [10000]\n"
    "  -p, --precision=P    of the device: single, double, auto [auto: double where the device has it]\n"
    "  -b, --pairs          pass pointers as buffer and offset [only where the device takes no others]\n"
    "  -k, --checkpoint=F   write the state into the file F as it goes, and go on from there if F is there\n"
    "  -c, --csv            residuals of both as CSV on stdout; the report goes to stderr\n"
    "  -q, --quiet          no progress\n"
    "  -h, --help           this text\n"
    "  -V, --version        the version of vptr\n"
    "\n"
    "VPTR_PLATFORM and VPTR_DEVICE select the device: see vptr(7).\n"
    "Exit status: 0 device and CPU agree, 1 they do not or something failed, 2 wrong usage.\n";

/* ---- arguments ------------------------------------------------------------------------------------------- */

__attribute__((noreturn)) static void refuse(const char *option, const char *value, const char *allowed) {
  fprintf(stderr, "cg: %s=%s: must be %s\n", option, value, allowed);
  exit(EXIT_USAGE);
}

static double read_tolerance(const char *text) {
  char *end;
  double value = strtod(text, &end);
  if (end == text || *end != '\0' || !(value > 0 && value < 1))
    refuse("--tolerance", text, "a number above 0 and below 1");
  return value;
}

static int read_iterations(const char *text) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (end == text || *end != '\0' || errno == ERANGE || value < 1 || value > MAX_ITERATIONS)
    refuse("--iterations", text, "a whole number from 1 to 10000000");
  return (int)value;
}

static cg_precision read_precision(const char *text) {
  if (strcmp(text, "auto") == 0)
    return CG_AUTOMATIC;
  if (strcmp(text, "single") == 0)
    return CG_SINGLE;
  if (strcmp(text, "double") != 0)
    refuse("--precision", text, "single, double or auto");
  return CG_DOUBLE;
}

__attribute__((noreturn)) static void print_and_leave(const char *text) {
  fputs(text, stdout);
  exit(EXIT_SUCCESS);
}

static void read_option(int option, cg_arguments *arguments) {
  switch (option) {
  case 't':
    arguments->settings.tolerance = read_tolerance(optarg);
    break;
  case 'i':
    arguments->settings.iterations = read_iterations(optarg);
    break;
  case 'p':
    arguments->settings.precision = read_precision(optarg);
    break;
  case 'b':
    arguments->settings.pairs = true;
    break;
  case 'k':
    arguments->settings.checkpoint = optarg;
    break;
  case 'c':
    arguments->csv = true;
    break;
  case 'q':
    arguments->quiet = true;
    break;
  case 'h':
    print_and_leave(help);
  case 'V':
    print_and_leave("cg (vptr) " VPTR_VERSION_STRING "\n");
  default:
    fputs("cg: --help tells the options\n", stderr);
    exit(EXIT_USAGE);
  }
}

static cg_arguments read_arguments(int argc, char **argv) {
  static const struct option options[] = {
    { "tolerance", required_argument, NULL, 't' },
    { "iterations", required_argument, NULL, 'i' },
    { "precision", required_argument, NULL, 'p' },
    { "pairs", no_argument, NULL, 'b' },
    { "checkpoint", required_argument, NULL, 'k' },
    { "csv", no_argument, NULL, 'c' },
    { "quiet", no_argument, NULL, 'q' },
    { "help", no_argument, NULL, 'h' },
    { "version", no_argument, NULL, 'V' },
    { NULL, 0, NULL, 0 },
  };
  cg_arguments arguments = { .settings.iterations = 10000 };
  int option;
  while ((option = getopt_long(argc, argv, "t:i:p:bk:cqhV", options, NULL)) != -1)
    read_option(option, &arguments);
  if (argc - optind != 1) {
    fprintf(stderr, "cg: one Matrix Market file is needed, %d were named; --help tells more\n", argc - optind);
    exit(EXIT_USAGE);
  }
  arguments.path = argv[optind];
  return arguments;
}

/* ---- the problem ----------------------------------------------------------------------------------------- */

__attribute__((noreturn)) static void fail(const char *error) {
  fprintf(stderr, "cg: %s\n", error);
  exit(EXIT_FAILURE);
}

static void read_matrix(const char *path, csr_matrix *matrix_out, FILE *out) {
  char error[ERROR_SIZE];
  mm_matrix file;
  double begin = cg_seconds();
  if (!mm_read(path, &file, error, sizeof error) || !csr_make(&file, matrix_out, error, sizeof error))
    fail(error);
  if (!file.symmetric && !csr_check_symmetry(matrix_out, error, sizeof error))
    fail(error);
  fprintf(out, "matrix   %s: %d rows, %zu entries (%s file with %zu), read in %.1f ms\n", path, matrix_out->rows,
          matrix_out->count, file.symmetric ? "symmetric" : "general", file.stored, (cg_seconds() - begin) * 1e3);
  if (matrix_out->merged > 0)
    fprintf(out, "         %zu entries named a place again and were added\n", matrix_out->merged);
  mm_free(&file);
}

/* A solution without any pattern of the matrix's, scaled so that |b| = 1: squares of residuals then stay within
 * float32. */
static void make_sides(const csr_matrix *matrix, double *exact, double *right_side) {
  for (int i = 0; i < matrix->rows; i++)
    exact[i] = 1 + sin(0.37 * i) + 0.25 * cos(0.011 * i * (i % 7));
  csr_multiply(matrix, exact, right_side);
  double norm = cg_norm(right_side, matrix->rows);
  if (!(norm > 0) || !isfinite(norm))
    fail("the matrix maps the trial vector to zero or beyond all numbers: it is not positive definite");
  for (int i = 0; i < matrix->rows; i++) {
    exact[i] /= norm;
    right_side[i] /= norm;
  }
}

static double relative_distance(const double *x, const double *y, int count) {
  double squares = 0;
  for (int i = 0; i < count; i++)
    squares += (x[i] - y[i]) * (x[i] - y[i]);
  return sqrt(squares) / cg_norm(y, count);
}

/* ---- the report ------------------------------------------------------------------------------------------ */

static const char *end_in_words(cg_end end) {
  switch (end) {
  case CG_CONVERGED:
    return "converged";
  case CG_RAN_OUT:
    return "stopped: --iterations reached";
  case CG_INDEFINITE:
    break;
  }
  return "stopped: p.Ap is not above 0, so the matrix is not positive definite (or the precision too low)";
}

static void report_device(FILE *out, const cg_device *device) {
  fprintf(out, "device   %s, %s, tolerance %g\n", device->name,
          device->precision == CG_DOUBLE ? "float64" : "float32", device->tolerance);
  fprintf(out, "memory   one cudaMalloc of %zu bytes at %p, carved into %d arrays\n", device->pool_bytes,
          device->pool, device->arrays);
  if (device->resumed >= 0)
    fprintf(out, "resumed  at iteration %d\n", device->resumed);
  fprintf(out, "kernels  get pointers %s\n", device->pairs ? "as buffer and offset" : "as they are");
}

static void report_result(FILE *out, const char *who, const cg_result *result, double error) {
  fprintf(out, "%-8s %d iterations in %.3f ms, residual %.2e, error %.2e, %s\n", who, result->iterations,
          result->seconds * 1e3, result->residual[result->iterations], error, end_in_words(result->end));
}

static void print_csv(const cg_result *device, const cg_result *cpu) {
  int most = device->iterations > cpu->iterations ? device->iterations : cpu->iterations;
  puts("iteration,device_residual,cpu_residual");
  for (int i = 0; i <= most; i++) {
    printf("%d,", i);
    if (i <= device->iterations)
      printf("%.17g", device->residual[i]);
    putchar(',');
    if (i <= cpu->iterations)
      printf("%.17g", cpu->residual[i]);
    putchar('\n');
  }
}

/* Rounding changes the number of iterations by a few per cent; float32 also loses directions and needs more. */
static int iterations_may_differ(const cg_device *device, int iterations) {
  int part = device->precision == CG_DOUBLE ? iterations / 20 : iterations / 4;
  return part > 2 ? part : 2;
}

static bool compare(FILE *out, const cg_device *device, const cg_result *on_device, const cg_result *on_cpu,
                    double distance, double cpu_error) {
  int apart = abs(on_device->iterations - on_cpu->iterations);
  int allowed = iterations_may_differ(device, on_cpu->iterations);
  double limit = 10 * fmax(cpu_error, device->tolerance);
  if (on_device->end != CG_CONVERGED || on_cpu->end != CG_CONVERGED) {
    fprintf(out, "check    NOT SOLVED, so there is nothing to compare\n");
    return false;
  }
  bool agree = apart <= allowed && distance <= limit;
  fprintf(out, "check    %d iterations apart (limit %d), solutions %.2e apart (limit %.2e): %s\n", apart, allowed,
          distance, limit, agree ? "they agree" : "THEY DO NOT AGREE");
  return agree;
}

/* ---- the program ----------------------------------------------------------------------------------------- */

static bool solve_both(const cg_arguments *arguments, const cg_problem *problem, const double *exact, FILE *out) {
  int rows = problem->matrix->rows;
  cg_settings settings = arguments->settings;
  cg_result on_device, on_cpu;
  cg_device device;
  cg_progress progress;
  progress_begin(&progress, arguments->quiet);
  cg_solve_on_device(problem, &settings, &progress, &device, &on_device);
  progress_end(&progress);
  settings.tolerance = device.tolerance;
  cg_solve_on_cpu(problem, &settings, &on_cpu);

  double cpu_error = relative_distance(on_cpu.x, exact, rows);
  report_device(out, &device);
  report_result(out, "device", &on_device, relative_distance(on_device.x, exact, rows));
  report_result(out, "CPU", &on_cpu, cpu_error);
  bool agree = compare(out, &device, &on_device, &on_cpu, relative_distance(on_device.x, on_cpu.x, rows), cpu_error);
  if (arguments->csv)
    print_csv(&on_device, &on_cpu);
  cg_result_free(&on_device);
  cg_result_free(&on_cpu);
  return agree;
}

int main(int argc, char **argv) {
  cg_arguments arguments = read_arguments(argc, argv);
  FILE *out = arguments.csv ? stderr : stdout;
  char error[ERROR_SIZE];
  csr_matrix matrix;
  read_matrix(arguments.path, &matrix, out);

  size_t rows = (size_t)matrix.rows;
  double *exact = cg_allocate(3 * rows, sizeof *exact), *right_side = exact + rows, *inverse = right_side + rows;
  if (!csr_invert_diagonal(&matrix, inverse, error, sizeof error))
    fail(error);
  make_sides(&matrix, exact, right_side);
  const cg_problem problem = { &matrix, inverse, right_side };
  bool agree = solve_both(&arguments, &problem, exact, out);

  free(exact);
  csr_free(&matrix);
  return agree ? EXIT_SUCCESS : EXIT_FAILURE;
}
