/* SPDX-License-Identifier: MIT */
/*
 * system - headers of the host's and of CUDA's libraries, which have nothing for kernels.
 *
 * They are empty here whichever way they are asked for: programs write "stdlib.h" and "cublas_v2.h" as readily as
 * <stdlib.h>, and a "header" that is not found is an error only where it may be the program's own.
 */
#include <string.h>

#include "translate/preprocessor/state.h"

static const char *const names[] = {
  "aio.h",      "alloca.h",         "assert.h",  "complex.h",   "ctype.h",   "cuda_bf16.h",   "cuda_fp16.h",
  "cuda_fp8.h", "cuda_occupancy.h", "dirent.h",  "dlfcn.h",     "errno.h",   "fcntl.h",       "fenv.h",
  "fftw3.h",    "getopt.h",         "glob.h",    "grp.h",       "iso646.h",  "libgen.h",      "locale.h",
  "malloc.h",   "memory.h",         "mpi.h",     "mqueue.h",    "netdb.h",   "nvToolsExt.h",  "omp.h",
  "poll.h",     "pthread.h",        "pwd.h",     "regex.h",     "sched.h",   "semaphore.h",   "setjmp.h",
  "signal.h",   "stdalign.h",       "stdarg.h",  "stdatomic.h", "stdbool.h", "stdnoreturn.h", "strings.h",
  "syslog.h",   "tgmath.h",         "threads.h", "time.h",      "uchar.h",   "ucontext.h",    "unistd.h",
  "utime.h",    "values.h",         "wchar.h",   "wctype.h",    "windows.h",
};

/* Whatever begins so. */
static const char *const beginnings[] = {
  "arpa/",
  "crt/",
  "cub/",
  "cublas",
  "cudaGL",
  "cudaProfiler",
  "cuda_gl_interop",
  "cuda_profiler",
  "cudart_platform",
  "cudnn",
  "cufft",
  "curand",
  "cusolver",
  "cusparse",
  "cuda/std/",
  "linux/",
  "nccl",
  "net/",
  "netinet/",
  "npp",
  "nvml",
  "nvToolsExt",
  "nvrtc",
  "nvtx3/",
  "sys/",
  "thrust/",
  "x86_64-linux-gnu/",
};

bool vptr__include_is_system(const char *name) {
  if (strpbrk(name, "./") == NULL) /* C++'s */
    return true;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], name) == 0)
      return true;
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
    if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
      return true;
  return false;
}
