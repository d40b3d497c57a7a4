/* SPDX-License-Identifier: MIT */
/*
 * test_logger_fork - loggers of cuBLAS, cuBLASLt and cuSOLVER in the child of fork(), while a thread of the parent's is
 * writing a line: the child's calls come back, refused, and tell nothing; the parent goes on.
 *
 * A file whose writes wait holds the thread in the midst of a line, with the logger's lock. Who waits for that in the
 * child does so for ever: a signal ends it.
 */
#include "solver_check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cublasLt.h>
#include <cublas_v2.h>

#if defined __has_feature
#if __has_feature(thread_sanitizer)
#define WATCHES_THREADS 1
#endif
#endif
#if defined __SANITIZE_THREAD__
#define WATCHES_THREADS 1
#endif

enum { LEFT_OUT = 77 /* to the test driver */, ALARM_SECONDS = 10 };

/* ---- a file whose writes wait -------------------------------------------------------------------------------- */

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool is_open, is_reached;
static atomic_int written;

static ssize_t write_slowly(void *cookie, const char *bytes, size_t size) {
  (void)cookie, (void)bytes;
  pthread_mutex_lock(&gate);
  is_reached = true;
  pthread_cond_broadcast(&changed);
  while (!is_open)
    pthread_cond_wait(&changed, &gate);
  pthread_mutex_unlock(&gate);
  written++;
  return (ssize_t)size;
}

static void wait_until_reached(void) {
  pthread_mutex_lock(&gate);
  while (!is_reached)
    pthread_cond_wait(&changed, &gate);
  pthread_mutex_unlock(&gate);
}

static void set_gate(bool open) {
  pthread_mutex_lock(&gate);
  is_open = open;
  is_reached = false;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&gate);
}

/* ---- the loggers --------------------------------------------------------------------------------------------- */

static cublasHandle_t blas;
static cusolverDnHandle_t solver;

static void take_blas_line(const char *line) {
  (void)line;
  written++;
}

static void take_line(int level, const char *function, const char *message) {
  (void)level, (void)function, (void)message;
  written++;
}

static void *call_blas(void *wrong) {
  cudaStream_t stream;
  *(bool *)wrong = cublasGetStream(blas, &stream) != CUBLAS_STATUS_SUCCESS;
  return NULL;
}

static void *call_lt(void *wrong) {
  cublasLtMatmulDesc_t descr;
  *(bool *)wrong = cublasLtMatmulDescCreate(&descr, CUBLAS_COMPUTE_32F, CUDA_R_32F) != CUBLAS_STATUS_SUCCESS ||
                   cublasLtMatmulDescDestroy(descr) != CUBLAS_STATUS_SUCCESS;
  return NULL;
}

static void *call_solver(void *wrong) {
  cudaStream_t stream;
  *(bool *)wrong = cusolverDnGetStream(solver, &stream) != CUSOLVER_STATUS_SUCCESS;
  return NULL;
}

/* Each gives how many of its answers are wrong. Calls that touch no device may succeed; they come back. */
static int ask_blas(void) {
  bool unused;
  cublasLogCallback callback = NULL;
  call_blas(&unused);
  return (cublasLoggerConfigure(1, 0, 0, NULL) == CUBLAS_STATUS_SUCCESS) +
         (cublasSetLoggerCallback(take_blas_line) == CUBLAS_STATUS_SUCCESS) +
         (cublasGetLoggerCallback(&callback) == CUBLAS_STATUS_SUCCESS);
}

static int ask_lt(void) {
  bool unused;
  call_lt(&unused);
  return (cublasLtLoggerSetCallback(take_line) == CUBLAS_STATUS_SUCCESS) +
         (cublasLtLoggerSetFile(NULL) == CUBLAS_STATUS_SUCCESS) +
         (cublasLtLoggerOpenFile("/dev/null") == CUBLAS_STATUS_SUCCESS) +
         (cublasLtLoggerSetLevel(5) == CUBLAS_STATUS_SUCCESS) + (cublasLtLoggerSetMask(16) == CUBLAS_STATUS_SUCCESS) +
         (cublasLtLoggerForceDisable() == CUBLAS_STATUS_SUCCESS);
}

static int ask_solver(void) {
  bool unused;
  call_solver(&unused);
  return (cusolverDnLoggerSetCallback(take_line) == CUSOLVER_STATUS_SUCCESS) +
         (cusolverDnLoggerSetFile(NULL) == CUSOLVER_STATUS_SUCCESS) +
         (cusolverDnLoggerOpenFile("/dev/null") == CUSOLVER_STATUS_SUCCESS) +
         (cusolverDnLoggerSetLevel(5) == CUSOLVER_STATUS_SUCCESS) +
         (cusolverDnLoggerSetMask(16) == CUSOLVER_STATUS_SUCCESS) +
         (cusolverDnLoggerForceDisable() == CUSOLVER_STATUS_SUCCESS);
}

/* ---- the check ----------------------------------------------------------------------------------------------- */

/* While a thread of this process is in `call`, writing its line. */
static void check_child(const char *what, void *(*call)(void *), int (*ask)(void)) {
  pthread_t thread;
  bool is_wrong = true;
  int state = 0;
  sizes("%s", what);
  set_gate(false);
  pthread_create(&thread, NULL, call, &is_wrong);
  wait_until_reached();
  written = 0;
  pid_t child = fork();
  if (child == 0) {
    alarm(ALARM_SECONDS);
    is_open = true; /* a line of the child's would be written at once */
    int wrong = ask();
    _exit(wrong + 16 * (written != 0));
  }
  EXPECT("fork", child > 0 && waitpid(child, &state, 0) == child);
  EXPECT("the child was not stopped while it waited", WIFEXITED(state));
  EXPECT("its settings are refused, and it tells nothing", WIFEXITED(state) && WEXITSTATUS(state) == 0);
  set_gate(true);
  pthread_join(thread, NULL);
  EXPECT("the parent's call", !is_wrong);
  EXPECT("the parent's lines", written > 0);
  sizes("%s", "");
}

int main(void) {
  const cookie_io_functions_t functions = { .write = write_slowly };
#ifdef WATCHES_THREADS
  puts("left out: the thread sanitizer does not survive fork() with jemalloc");
  return LEFT_OUT;
#endif
  is_open = true;
  FILE *file = fopencookie(NULL, "w", functions);
  EXPECT("a file", file != NULL && cublasCreate(&blas) == CUBLAS_STATUS_SUCCESS);
  FINE(cusolverDnCreate(&solver));
  EXPECT("cuBLASLt's logger",
         cublasLtLoggerSetFile(file) == CUBLAS_STATUS_SUCCESS && cublasLtLoggerSetLevel(5) == CUBLAS_STATUS_SUCCESS);
  FINE(cusolverDnLoggerSetFile(file));
  FINE(cusolverDnLoggerSetLevel(5));
  stderr = file; /* which is one of those that cuBLAS's writes to */
  EXPECT("cuBLAS's logger", cublasLoggerConfigure(1, 0, 1, NULL) == CUBLAS_STATUS_SUCCESS);
  check_child("cuBLAS", call_blas, ask_blas);
  EXPECT("cuBLAS's logger", cublasLoggerConfigure(0, 0, 0, NULL) == CUBLAS_STATUS_SUCCESS);
  check_child("cuBLASLt", call_lt, ask_lt);
  check_child("cuSOLVER", call_solver, ask_solver);
  FINE(cusolverDnLoggerSetFile(NULL));
  EXPECT("cuBLASLt's logger", cublasLtLoggerSetFile(NULL) == CUBLAS_STATUS_SUCCESS);
  return verdict("test_logger_fork");
}
