/* SPDX-License-Identifier: MIT */
/*
 * compile_child - a program that opens a run-time compiler and compiles one text with it, some times; `vptr-bench
 * compile` starts it and reads what it tells.
 *
 *     vptr-bench-compile TIMES TEXT LIBRARY...
 *
 *     library 13.0 PATH    the first of the libraries that can be opened, or
 *     none WHY             none of them can be
 *     ns NANOSECONDS       of a compilation, TIMES of them, behind one that is not told
 *     kib KIB              how far the process has grown at most since it began, and what its largest child had
 *     failed WHY           the compiler has refused the text
 *
 * It is linked with neither library, so that what a library takes by being there counts too. Each time the text has
 * another comment at its end, since a compiler may know a text again.
 */
#include <dlfcn.h>
#include <nvrtc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

typedef struct compiler {
  __typeof__(&nvrtcVersion) version;
  __typeof__(&nvrtcCreateProgram) create;
  __typeof__(&nvrtcCompileProgram) compile;
  __typeof__(&nvrtcGetProgramLogSize) log_size;
  __typeof__(&nvrtcGetProgramLog) log;
  __typeof__(&nvrtcDestroyProgram) destroy;
} compiler;

static unsigned long long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (unsigned long long)now.tv_sec * 1000000000ull + (unsigned long long)now.tv_nsec;
}

/* KiB of a line of /proc/self/status; of getrusage() a process inherits what its parent had. */
static long status_kib(const char *name) {
  char line[256];
  long kib = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (strncmp(line, name, strlen(name)) == 0)
      kib = strtol(line + strlen(name), NULL, 10);
  if (file != NULL)
    fclose(file);
  return kib;
}

static bool find(void *library, const char *name, void *function) {
  void *found = dlsym(library, name);
  memcpy(function, &found, sizeof found);
  return found != NULL;
}

static bool open_one(const char *name, compiler *to) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  int major = 0, minor = 0;
  Dl_info where = { 0 };
  if (library == NULL || !find(library, "nvrtcVersion", &to->version) ||
      !find(library, "nvrtcCreateProgram", &to->create) || !find(library, "nvrtcCompileProgram", &to->compile) ||
      !find(library, "nvrtcGetProgramLogSize", &to->log_size) || !find(library, "nvrtcGetProgramLog", &to->log) ||
      !find(library, "nvrtcDestroyProgram", &to->destroy) || to->version(&major, &minor) != NVRTC_SUCCESS)
    return false;
  void *function;
  memcpy(&function, &to->version, sizeof function);
  char *path = dladdr(function, &where) != 0 ? realpath(where.dli_fname, NULL) : NULL;
  printf("library %d.%d %s\n", major, minor, path != NULL ? path : name);
  free(path);
  return true;
}

static bool open_first(char **names, compiler *to) {
  for (; *names != NULL; names++)
    if (open_one(*names, to))
      return true;
  const char *why = dlerror();
  printf("none %s\n", why != NULL ? why : "it has not NVRTC's functions");
  return false;
}

static void tell_failure(const compiler *by, nvrtcProgram program) {
  size_t size = 0;
  char *log = by->log_size(program, &size) == NVRTC_SUCCESS ? calloc(1, size + 1) : NULL;
  if (log != NULL && by->log(program, log) == NVRTC_SUCCESS)
    log[strcspn(log, "\n")] = '\0';
  printf("failed %s\n", log != NULL && *log != '\0' ? log : "the compiler has no words for it");
  free(log);
}

static bool compile_once(const compiler *by, const char *text, long number, bool is_told) {
  nvrtcProgram program;
  size_t size = strlen(text) + 40;
  char *copy = malloc(size);
  if (copy == NULL)
    return false;
  snprintf(copy, size, "%s// %ld\n", text, number);
  unsigned long long begin = now_ns();
  bool good = by->create(&program, copy, "bench.cu", 0, NULL, NULL) == NVRTC_SUCCESS;
  if (good && by->compile(program, 0, NULL) != NVRTC_SUCCESS) {
    tell_failure(by, program);
    good = false;
  }
  unsigned long long end = now_ns();
  if (good && is_told)
    printf("ns %llu\n", end - begin);
  if (good)
    by->destroy(&program);
  free(copy);
  return good;
}

int main(int argc, char **argv) {
  enum { TIMES = 1, TEXT, LIBRARIES };
  struct rusage children;
  compiler by;
  long before = status_kib("VmRSS:");
  if (argc <= LIBRARIES) {
    fputs("vptr-bench-compile: it is vptr-bench that starts this program\n", stderr);
    return 2;
  }
  if (!open_first(argv + LIBRARIES, &by))
    return 0;
  for (long i = 0, times = strtol(argv[TIMES], NULL, 10); i <= times; i++)
    if (!compile_once(&by, argv[TEXT], i, i > 0))
      return 0;
  getrusage(RUSAGE_CHILDREN, &children);
  printf("kib %ld\n", status_kib("VmHWM:") - before + children.ru_maxrss);
  return 0;
}
