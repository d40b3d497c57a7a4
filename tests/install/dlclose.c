/* SPDX-License-Identifier: MIT */
/*
 * dlclose - opens a library, uses it and closes it, again and again: `dlclose vptr|cudart|cuda|nvrtc|plugin|managed
 * FILE`. What a round adds to the process's addresses and memory must be nothing, once the first rounds are over; and
 * nothing crashes, also with work in flight.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 40, WARM = 10, KIB = 1024, BYTES = 100000, COUNT = 1000000 };
enum {
  MOST_ADDRESSES = 64 * KIB,
  MOST_MEMORY = 2000 /* KiB in 30 rounds: what allocators do not give back at once */
};

static void fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}

static void *name_in(void *library, const char *name) {
  void *found = dlsym(library, name);
  if (found == NULL)
    fail(name, dlerror());
  return found;
}

static void use_vptr(void *library) {
  typedef int malloc_call(void *, size_t, void **);
  typedef int set_call(void *, void *, int, size_t);
  void *memory;
  if (((malloc_call *)name_in(library, "vptr_malloc"))(NULL, BYTES, &memory) != 0 ||
      ((set_call *)name_in(library, "vptr_memset"))(NULL, memory, 1, BYTES) != 0 ||
      ((int (*)(void *, void *))name_in(library, "vptr_free"))(NULL, memory) != 0)
    fail("vptr_malloc, vptr_memset, vptr_free", "fail");
}

static void use_cudart(void *library) {
  typedef int malloc_call(void **, size_t);
  typedef int set_call(void *, int, size_t, void *);
  void *memory, *pinned;
  if (((malloc_call *)name_in(library, "cudaMalloc"))(&memory, BYTES) != 0 ||
      ((malloc_call *)name_in(library, "cudaMallocHost"))(&pinned, BYTES) != 0 ||
      ((set_call *)name_in(library, "cudaMemsetAsync"))(memory, 1, BYTES, NULL) != 0)
    fail("cudaMalloc, cudaMallocHost, cudaMemsetAsync", "fail");
  ((int (*)(void *))name_in(library, "cudaFreeHost"))(pinned);
  ((int (*)(void *))name_in(library, "cudaFree"))(memory);
}

static void use_cuda(void *library) {
  void *context;
  unsigned long long address;
  if (((int (*)(unsigned))name_in(library, "cuInit"))(0) != 0 ||
      ((int (*)(void **, int))name_in(library, "cuDevicePrimaryCtxRetain"))(&context, 0) != 0 ||
      ((int (*)(void *))name_in(library, "cuCtxSetCurrent"))(context) != 0 ||
      ((int (*)(unsigned long long *, size_t))name_in(library, "cuMemAlloc_v2"))(&address, BYTES) != 0 ||
      ((int (*)(unsigned long long))name_in(library, "cuMemFree_v2"))(address) != 0)
    fail("cuInit ... cuMemFree", "fail");
}

static void use_nvrtc(void *library) {
  typedef int create_call(void **, const char *, const char *, int, const char *const *, const char *const *);
  void *program;
  if (((create_call *)name_in(library, "nvrtcCreateProgram"))(
          &program, "extern \"C\" __global__ void k(int *a) { a[0] = 1; }", "k.cu", 0, NULL, NULL) != 0 ||
      ((int (*)(void *, int, const char *const *))name_in(library, "nvrtcCompileProgram"))(program, 0, NULL) != 0 ||
      ((int (*)(void **))name_in(library, "nvrtcDestroyProgram"))(&program) != 0)
    fail("nvrtcCreateProgram ... nvrtcDestroyProgram", "fail");
}

/* The fake device cannot. */
static int runs_kernels(void) {
  const char *platform = getenv("VPTR_PLATFORM");
  return platform == NULL || strcmp(platform, "fake") != 0;
}

static void use_plugin(void *library) {
  if (!runs_kernels())
    return;
  if (((int (*)(int))name_in(library, "plugin_run"))(1000) != 0 ||
      ((int (*)(int))name_in(library, "plugin_start"))(COUNT / 100) != 0)
    fail("the plugin", "fails");
}

static void use_managed(void *library) {
  static int round;
  if (runs_kernels() && (((int (*)(int))name_in(library, "plugin_run"))(round) != 0 ||
                         ((int (*)(int))name_in(library, "plugin_start"))(round) != 0))
    fail("the plugin with a managed variable", "fails");
  round++;
}

static const struct {
  const char *name;
  void (*use)(void *library);
} uses[] = { { "vptr", use_vptr },   { "cudart", use_cudart }, { "cuda", use_cuda },
             { "nvrtc", use_nvrtc }, { "plugin", use_plugin }, { "managed", use_managed } };

static void measure(long *addresses_out, long *memory_out) {
  long pages, resident;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &pages, &resident) != 2)
    fail("/proc/self/statm", "cannot be read");
  fclose(file);
  long page = sysconf(_SC_PAGESIZE) / KIB;
  *addresses_out = pages * page;
  *memory_out = resident * page;
}

static void round_of(const char *path, void (*use)(void *library)) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL)
    fail(path, dlerror());
  use(library);
  dlclose(library);
}

int main(int count, char **arguments) {
  void (*use)(void *library) = NULL;
  long addresses, memory, addresses_before = 0, memory_before = 0;
  for (size_t i = 0; count == 3 && i < sizeof uses / sizeof *uses; i++)
    if (strcmp(uses[i].name, arguments[1]) == 0)
      use = uses[i].use;
  if (use == NULL)
    fail("usage", "dlclose vptr|cudart|cuda|nvrtc|plugin|managed FILE");
  for (int round = 0; round < ROUNDS; round++) {
    if (round == WARM)
      measure(&addresses_before, &memory_before);
    round_of(arguments[2], use);
  }
  measure(&addresses, &memory);
  printf("%s: %ld KiB of addresses, %ld KiB of memory in %d rounds\n", arguments[1], addresses - addresses_before,
         memory - memory_before, ROUNDS - WARM);
  return addresses - addresses_before > MOST_ADDRESSES || memory - memory_before > MOST_MEMORY;
}
