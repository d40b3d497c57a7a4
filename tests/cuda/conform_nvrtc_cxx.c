/* SPDX-License-Identifier: MIT */
/*
 * conform_nvrtc_cxx - run-time compilation of C++, by vptrcc and clang as child processes: templates by name
 * expressions, headers of the program's, options, errors by place, what is kept on disk, and that nothing else stays
 * behind, whatever the process does with SIGCHLD. Kernels run where the device runs any.
 */
#include <dirent.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vptr/cuda/cuda.h>
#include <vptr/cuda/nvrtc.h>

static int failures;

#define EXPECT(condition)                                                                                            \
  do {                                                                                                               \
    if (!(condition)) {                                                                                              \
      fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);                                 \
      failures++;                                                                                                    \
    }                                                                                                                \
  } while (0)

enum { ROOM = 4096 };

static char log_text[65536], folder[] = "/tmp/vptr-test-nvrtc-XXXXXX", cache[] = "/tmp/vptr-test-cache-XXXXXX";

static const char source[] =
    "#include \"sub/factorial.h\"\n"
    "template <class T, int N> __global__ void set(T *to, T *from) { *to = factorial<N>::value + *from; }\n"
    "namespace a {\n"
    "__device__ int number = 7;\n"
    "template <class T> struct box { T value; __device__ T twice() const { return value + value; } };\n"
    "template <class T> __global__ void twice(T *to) { box<T> b{*to}; *to = b.twice() + number; }\n"
    "}\n"
    "extern \"C\" __global__ void plain(int *to) { if constexpr (sizeof(int) == 4) *to = 3; }\n";
static const char header[] =
    "template <int N> struct factorial { static constexpr int value = N * factorial<N - 1>::value; };\n"
    "template <> struct factorial<0> { static constexpr int value = 1; };\n";

static nvrtcProgram create(const char *text, const char *name) {
  const char *headers[] = { header }, *names[] = { "sub/factorial.h" };
  nvrtcProgram program = NULL;
  EXPECT(nvrtcCreateProgram(&program, text, name, 1, headers, names) == NVRTC_SUCCESS);
  return program;
}

static nvrtcResult compile(nvrtcProgram program, const char *option) {
  size_t size = 0;
  nvrtcResult result = nvrtcCompileProgram(program, option != NULL, &option);
  EXPECT(nvrtcGetProgramLogSize(program, &size) == NVRTC_SUCCESS && size <= sizeof log_text);
  EXPECT(nvrtcGetProgramLog(program, log_text) == NVRTC_SUCCESS);
  return result;
}

static int count_files(void) {
  DIR *at = opendir(folder);
  int count = 0;
  while (readdir(at) != NULL)
    count++;
  closedir(at);
  return count - 2;
}

/* ---- what is compiled ----------------------------------------------------------------------------------- */

static void launch_all(const char *text, const char *const *lowered) {
  CUmodule module;
  CUfunction function;
  CUdeviceptr x;
  int value[2] = { 5, 20 };
  EXPECT(cuModuleLoadData(&module, text) == CUDA_SUCCESS);
  for (int i = 0; i < 3; i++)
    EXPECT(cuModuleGetFunction(&function, module, lowered[i]) == CUDA_SUCCESS);
  const char *platform = getenv("VPTR_PLATFORM");
  if (platform != NULL && strcmp(platform, "fake") == 0)
    return;
  EXPECT(cuMemAlloc(&x, sizeof value) == CUDA_SUCCESS && cuMemcpyHtoD(x, value, sizeof value) == CUDA_SUCCESS);
  CUdeviceptr second = x + 4;
  void *arguments[] = { &x, &second };
  for (int i = 0; i < 2; i++) {
    EXPECT(cuModuleGetFunction(&function, module, lowered[i]) == CUDA_SUCCESS);
    EXPECT(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL) == CUDA_SUCCESS);
  }
  EXPECT(cuMemcpyDtoH(value, x, sizeof value) == CUDA_SUCCESS);
  EXPECT(value[0] == 2 * (120 + 20) + 7);
  EXPECT(cuMemFree(x) == CUDA_SUCCESS && cuModuleUnload(module) == CUDA_SUCCESS);
}

static void templates_are_instantiated_by_name(void) {
  static const char *const expressions[] = { "set<int, 5>", "&a::twice<int>", "plain", "&a::number", "set<float,2>" };
  static const char *const expected[] = { "_Z3setIiLi5EEvPT_S1_", "_ZN1a5twiceIiEEvPT_", "plain", "_ZN1a6numberE",
                                          "_Z3setIfLi2EEvPT_S1_" };
  const char *lowered[5];
  nvrtcProgram program = create(source, "prog.cu");
  size_t size = 0;
  for (int i = 0; i < 5; i++)
    EXPECT(nvrtcAddNameExpression(program, expressions[i]) == NVRTC_SUCCESS);
  nvrtcResult result = compile(program, "--std=c++17");
  EXPECT(result == NVRTC_SUCCESS);
  if (result != NVRTC_SUCCESS) {
    fputs(log_text, stderr);
    return;
  }
  for (int i = 0; i < 5; i++) {
    EXPECT(nvrtcGetLoweredName(program, expressions[i], &lowered[i]) == NVRTC_SUCCESS);
    EXPECT(strcmp(lowered[i], expected[i]) == 0);
  }
  EXPECT(nvrtcGetPTXSize(program, &size) == NVRTC_SUCCESS);
  char *text = malloc(size);
  EXPECT(nvrtcGetPTX(program, text) == NVRTC_SUCCESS);
  launch_all(text, lowered);
  free(text);
  EXPECT(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS);
}

/* Each block has what the others wrote before the grid met, or the kernel knows that it may not wait. */
static void launch_grid(CUfunction function, int is_cooperative) {
  enum { BLOCKS = 6 };
  CUdeviceptr x;
  int sums[2 * BLOCKS], sum = BLOCKS * (BLOCKS + 1) / 2;
  EXPECT(cuMemAlloc(&x, sizeof sums) == CUDA_SUCCESS && cuMemsetD32(x, 0, 2 * BLOCKS) == CUDA_SUCCESS);
  void *arguments[] = { &x };
  if (is_cooperative)
    EXPECT(cuLaunchCooperativeKernel(function, BLOCKS, 1, 1, 32, 1, 1, 0, NULL, arguments) == CUDA_SUCCESS);
  else
    EXPECT(cuLaunchKernel(function, BLOCKS, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL) == CUDA_SUCCESS);
  EXPECT(cuMemcpyDtoH(sums, x, sizeof sums) == CUDA_SUCCESS);
  for (int i = 0; i < BLOCKS; i++)
    EXPECT(sums[BLOCKS + i] == (is_cooperative ? sum : -1));
  EXPECT(cuMemFree(x) == CUDA_SUCCESS);
}

static void blocks_wait_for_each_other(void) {
  static const char text[] = "#include <cooperative_groups.h>\n"
                             "extern \"C\" __global__ void k(volatile int *x) {\n"
                             "  auto grid = cooperative_groups::this_grid();\n"
                             "  int sum = -1;\n"
                             "  if (threadIdx.x == 0) x[blockIdx.x] = blockIdx.x + 1;\n"
                             "  if (grid.is_valid()) {\n"
                             "    grid.sync();\n"
                             "    sum = 0;\n"
                             "    for (int i = 0; i < gridDim.x; i++) sum += x[i];\n"
                             "  }\n"
                             "  if (threadIdx.x == 31) x[gridDim.x + blockIdx.x] = sum;\n"
                             "}\n";
  nvrtcProgram program = create(text, NULL);
  CUmodule module = NULL;
  CUfunction function = NULL;
  size_t size = 0;
  EXPECT(compile(program, NULL) == NVRTC_SUCCESS && nvrtcGetPTXSize(program, &size) == NVRTC_SUCCESS);
  char *image = malloc(size);
  EXPECT(nvrtcGetPTX(program, image) == NVRTC_SUCCESS && cuModuleLoadData(&module, image) == CUDA_SUCCESS);
  EXPECT(cuModuleGetFunction(&function, module, "k") == CUDA_SUCCESS);
  const char *platform = getenv("VPTR_PLATFORM");
  for (int i = 0; i < 2 && (platform == NULL || strcmp(platform, "fake") != 0); i++)
    launch_grid(function, i);
  EXPECT(cuModuleUnload(module) == CUDA_SUCCESS);
  free(image);
  EXPECT(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS);
}

static void standards_and_default_device_are_heeded(void) {
  static const char newer[] = "template <class T> concept small = sizeof(T) < 8;\n"
                              "template <small T> __device__ T one() { return 1; }\n"
                              "extern \"C\" __global__ void k(int *p) { *p = one<int>(); }\n";
  static const char silent[] = "template <class T> T one() { return 1; }\n"
                               "extern \"C\" __global__ void k(int *p) { *p = one<int>(); }\n";
  nvrtcProgram program = create(newer, NULL);
  EXPECT(compile(program, "-std=c++17") == NVRTC_ERROR_COMPILATION);
  EXPECT(compile(program, "-std=c++20") == NVRTC_SUCCESS);
  nvrtcDestroyProgram(&program);
  program = create(silent, NULL);
  EXPECT(compile(program, NULL) == NVRTC_ERROR_COMPILATION);
  EXPECT(compile(program, "--device-as-default-execution-space") == NVRTC_SUCCESS);
  nvrtcDestroyProgram(&program);
}

/* Without a folder for clang there is only what was kept. */
static void results_are_kept(void) {
  static const char text[] = "#include <type_traits>\n"
                             "template <class T> __global__ void k(T *p) { *p = std::is_same_v<T, int>; }\n";
  const char *lowered = "";
  for (int i = 0; i < 2; i++) {
    nvrtcProgram program = create(text, NULL);
    EXPECT(nvrtcAddNameExpression(program, "k<int>") == NVRTC_SUCCESS);
    EXPECT(compile(program, "-DX=1") == NVRTC_SUCCESS && log_text[0] == '\0');
    EXPECT(nvrtcGetLoweredName(program, "k<int>", &lowered) == NVRTC_SUCCESS && strcmp(lowered, "_Z1kIiEvPT_") == 0);
    setenv("TMPDIR", "/nowhere", 1);
    EXPECT(i == 0 || compile(program, "-DX=2") == NVRTC_ERROR_COMPILATION);
    nvrtcDestroyProgram(&program);
  }
  setenv("TMPDIR", folder, 1);
}

/* ---- what is refused ------------------------------------------------------------------------------------ */

static void errors_have_their_place(void) {
  nvrtcProgram program =
      create("template <class T> __global__ void k(T *p) {\n  *p = nothing;\n}\n", "where/prog.cu");
  EXPECT(compile(program, NULL) == NVRTC_ERROR_COMPILATION);
  EXPECT(strstr(log_text, "where/prog.cu:2:8: error: use of undeclared identifier 'nothing'") != NULL);
  EXPECT(strstr(log_text, folder) == NULL);
  nvrtcDestroyProgram(&program);
  program = create("template <class T> __global__ void k(T *p) {}\n", NULL);
  EXPECT(nvrtcAddNameExpression(program, "no_such<int>") == NVRTC_SUCCESS);
  EXPECT(compile(program, NULL) == NVRTC_ERROR_COMPILATION && strstr(log_text, "no_such") != NULL);
  nvrtcDestroyProgram(&program);
}

static void headers_stay_in_their_folder(void) {
  const char *headers[] = { "int x;\n" }, *names[] = { "../outside.h" };
  nvrtcProgram program = NULL;
  EXPECT(nvrtcCreateProgram(&program, source, NULL, 1, headers, names) == NVRTC_SUCCESS);
  EXPECT(compile(program, NULL) == NVRTC_ERROR_COMPILATION && strstr(log_text, "'../outside.h'") != NULL);
  nvrtcDestroyProgram(&program);
}

static void what_is_missing_is_named(void) {
  const char *variables[] = { "VPTR_CLANG", "VPTRCC" };
  for (int i = 0; i < 2; i++) {
    const char *value = getenv(variables[i]);
    char *before = value != NULL ? strdup(value) : NULL;
    nvrtcProgram program = create(source, NULL);
    setenv(variables[i], "/nowhere", 1);
    EXPECT(compile(program, NULL) == NVRTC_ERROR_COMPILATION);
    EXPECT(strstr(log_text, "/nowhere") != NULL && strstr(log_text, "clang") != NULL);
    if (before != NULL)
      setenv(variables[i], before, 1);
    else
      unsetenv(variables[i]);
    free(before);
    nvrtcDestroyProgram(&program);
  }
}

/* ---- the process ---------------------------------------------------------------------------------------- */

static void signals_of_children_may_be_ignored(void) {
  nvrtcProgram program = create(source, NULL);
  signal(SIGCHLD, SIG_IGN);
  EXPECT(compile(program, NULL) == NVRTC_SUCCESS);
  signal(SIGCHLD, SIG_DFL);
  nvrtcDestroyProgram(&program);
}

/* It would fail if vptrcc were run. */
static void plain_kernels_start_nobody(void) {
  char *before = strdup(getenv("VPTRCC"));
  nvrtcProgram program = create("extern \"C\" __global__ void k(int *p) { *p = 1; }\n", NULL);
  setenv("VPTRCC", "/nowhere", 1);
  EXPECT(compile(program, NULL) == NVRTC_SUCCESS && log_text[0] == '\0');
  setenv("VPTRCC", before, 1);
  free(before);
  nvrtcDestroyProgram(&program);
}

/* As in the folder of the build, where nothing is installed. */
static void find_compilers(void) {
  char here[ROOM], path[ROOM + 64];
  if (getcwd(here, sizeof here) == NULL)
    exit(1);
  snprintf(path, sizeof path, "%s/tests/kernels/vptrcc", here);
  setenv("VPTRCC", path, 1);
  snprintf(path, sizeof path, "%s/tools/kernelc/vptr-kernelc", here);
  setenv("VPTRCC_TEST_KERNELC", path, 1);
  static const char trial[] =
      "tests/kernels/vptrcc --front-end=clang -ptx -x cu -o \"$TMPDIR/none\" /dev/null 2>/dev/null"
      " && rm -f \"$TMPDIR/none\"";
  if (access(path, X_OK) != 0 || system(trial) != 0) {
    rmdir(folder);
    puts("left out: vptr-kernelc is not built here, or there is no clang (apt install clang-19 llvm-19-dev)");
    exit(77);
  }
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *at) {
  (void)about, (void)kind, (void)at;
  return remove(path);
}

int main(void) {
  CUdevice device = 0;
  CUcontext context = NULL;
  if (mkdtemp(folder) == NULL)
    return 1;
  setenv("TMPDIR", folder, 1);
  find_compilers();
  if (mkdtemp(cache) == NULL)
    return 1;
  setenv("VPTR_CACHE", cache, 1);
  EXPECT(cuInit(0) == CUDA_SUCCESS && cuDeviceGet(&device, 0) == CUDA_SUCCESS);
  EXPECT(cuDevicePrimaryCtxRetain(&context, device) == CUDA_SUCCESS && cuCtxSetCurrent(context) == CUDA_SUCCESS);
  templates_are_instantiated_by_name();
  blocks_wait_for_each_other();
  standards_and_default_device_are_heeded();
  results_are_kept();
  errors_have_their_place();
  headers_stay_in_their_folder();
  what_is_missing_is_named();
  signals_of_children_may_be_ignored();
  plain_kernels_start_nobody();
  EXPECT(count_files() == 0);
  rmdir(folder);
  nftw(cache, remove_one, 8, FTW_DEPTH | FTW_PHYS);
  return failures > 0;
}
