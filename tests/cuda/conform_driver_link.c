/* SPDX-License-Identifier: MIT */
/*
 * conform_driver_link - images of NVRTC's through the driver's linker: one that passes through, relocatable ones that
 * use what others define, by each front end, and what cannot be linked. What comes out is loaded and launched.
 *
 * A device that runs no kernels, the fake one, loads it and launches nothing.
 */
#include "conform_driver.h"

#include <nvrtc.h>
#include <string.h>

static const char text[] = "extern \"C\" __global__ void count(int *x) { x[threadIdx.x] = threadIdx.x + 7; }\n";

/* Whose parts are defined in each other. */
static const char user[] =
    "extern __device__ int scale; __device__ int twice(int v);\n"
    "extern \"C\" __global__ void count(int *x) { x[threadIdx.x] = twice(threadIdx.x) + scale; }\n";
static const char user_cxx[] =
    "extern __device__ int scale; __device__ int twice(int v);\n"
    "template <class T> __device__ T apply(T v) { auto f = [](T w) { return (T)twice(w); }; return f(v) + scale; }\n"
    "template <class T> __global__ void each(T *x) { x[threadIdx.x] = apply(x[threadIdx.x]); }\n"
    "extern \"C\" __global__ void count(int *x) { x[threadIdx.x] = apply((int)threadIdx.x); }\n";
static const char maker[] = "static __device__ int one(void) { return 1; }\n"
                            "__device__ int scale = 7; __device__ int twice(int v) { return one() * v; }\n";

static char *image;
static size_t image_size;

static char *compile_by(const char *source, const char *option, const char *expression, size_t *size_out) {
  nvrtcProgram program = NULL;
  const char *lowered = NULL;
  driver_true(nvrtcCreateProgram(&program, source, "text.cu", 0, NULL, NULL) == NVRTC_SUCCESS);
  driver_true(expression == NULL || nvrtcAddNameExpression(program, expression) == NVRTC_SUCCESS);
  driver_true(nvrtcCompileProgram(program, option != NULL, &option) == NVRTC_SUCCESS);
  driver_true(expression == NULL || nvrtcGetLoweredName(program, expression, &lowered) == NVRTC_SUCCESS);
  driver_true(expression == NULL || (lowered != NULL && strcmp(lowered, "_Z4eachIiEvPT_") == 0));
  driver_true(nvrtcGetPTXSize(program, size_out) == NVRTC_SUCCESS);
  char *made = calloc(*size_out, 1);
  driver_true(nvrtcGetPTX(program, made) == NVRTC_SUCCESS);
  driver_true(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS);
  return made;
}

static CUlinkState linker(void) {
  CUlinkState state = NULL;
  driver_succeed(cuLinkCreate(0, NULL, NULL, &state));
  driver_true(state != NULL);
  return state;
}

static int runs_kernels(void) {
  char name[100] = "";
  driver_succeed(cuDeviceGetName(name, sizeof name, 0));
  return strstr(name, "fake") == NULL && strstr(name, "Fake") == NULL;
}

static void launch(CUfunction count) {
  CUdeviceptr ptr = 0;
  int got[4] = { 0 };
  void *arguments[] = { &ptr };
  driver_succeed(cuMemAlloc(&ptr, sizeof got));
  driver_succeed(cuLaunchKernel(count, 1, 1, 1, 4, 1, 1, 0, NULL, arguments, NULL));
  driver_succeed(cuMemcpyDtoH(got, ptr, sizeof got));
  driver_true(got[0] == 7 && got[3] == 10);
  driver_succeed(cuMemFree(ptr));
}

/* Completes, loads, launches; the module outlives the state. */
static void finish(CUlinkState state) {
  void *linked = NULL;
  size_t size = 0;
  CUmodule module = NULL;
  CUfunction count = NULL;
  driver_succeed(cuLinkComplete(state, &linked, &size));
  driver_true(linked != NULL && size > 0);
  driver_succeed(cuModuleLoadData(&module, linked));
  driver_succeed(cuLinkDestroy(state));
  driver_succeed(cuModuleGetFunction(&count, module, "count"));
  if (runs_kernels())
    launch(count);
  driver_succeed(cuModuleUnload(module));
}

static void data_passes_through(void) {
  CUlinkState state = linker();
  driver_succeed(cuLinkAddData(state, CU_JIT_INPUT_PTX, image, image_size, "image", 0, NULL, NULL));
  finish(state);
}

static void a_file_passes_through(void) {
  const char path[] = "conform_driver_link.ptx";
  CUlinkState state = linker();
  FILE *file = fopen(path, "w");
  driver_true(file != NULL && fwrite(image, 1, image_size - 1, file) == image_size - 1 && fclose(file) == 0);
  driver_expect(CUDA_ERROR_FILE_NOT_FOUND, cuLinkAddFile(state, CU_JIT_INPUT_PTX, "/no/such/file", 0, NULL, NULL));
  driver_succeed(cuLinkAddFile(state, CU_JIT_INPUT_PTX, path, 0, NULL, NULL));
  remove(path);
  finish(state);
}

static void options_are_taken(void) {
  char log[500] = "x", info[500] = "x";
  CUjit_option options[] = { CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER,
                             CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
  void *values[] = { info, (void *)sizeof info, log, (void *)sizeof log };
  CUlinkState state = NULL;
  driver_succeed(cuLinkCreate(4, options, values, &state));
  CUresult bad = cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)".version 1000.0\n!!!\n", 21, "bad", 0, NULL, NULL);
  driver_true(bad == CUDA_ERROR_INVALID_PTX || bad == CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
  driver_true(log[0] != 'x' && log[0] != 0);
  printf("observed: log of a bad image: %s\n", log);
  driver_succeed(cuLinkDestroy(state));
}

static void wrong_arguments_are_refused(void) {
  CUlinkState state = linker();
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuLinkCreate(0, NULL, NULL, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE,
                cuLinkAddData(state, CU_JIT_INPUT_PTX, NULL, image_size, "image", 0, NULL, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuLinkAddData(state, CU_JIT_INPUT_PTX, image, 0, "image", 0, NULL, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE,
                cuLinkAddData(state, (CUjitInputType)77, image, image_size, "image", 0, NULL, NULL));
  driver_succeed(cuLinkDestroy(state));
}

/* ---- several images ------------------------------------------------------------------------------------- */

static char log_text[2000];

static CUlinkState logged_linker(void) {
  static void *values[2];
  CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
  CUlinkState state = NULL;
  values[0] = log_text;
  values[1] = (void *)sizeof log_text;
  log_text[0] = 0;
  driver_succeed(cuLinkCreate(2, options, values, &state));
  return state;
}

static void add(CUlinkState state, const char *made, size_t size, const char *name) {
  driver_succeed(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)made, size, name, 0, NULL, NULL));
}

/* Each order, and what neither defines alone. */
static void units_are_joined(const char *source, const char *expression) {
  size_t sizes[2];
  char *made[] = { compile_by(source, "-rdc=true", expression, &sizes[0]),
                   compile_by(maker, "-dc", NULL, &sizes[1]) };
  for (int first = 0; first < 2; first++) {
    CUlinkState state = logged_linker();
    add(state, made[first], sizes[first], "first");
    add(state, made[!first], sizes[!first], "second");
    finish(state);
    driver_true(log_text[0] == 0);
  }
  CUmodule module = NULL;
  CUresult alone = cuModuleLoadData(&module, made[0]);
  driver_true(alone != CUDA_SUCCESS);
  driver_observe("what lacks something, loaded", alone);
  driver_succeed(cuModuleLoadData(&module, made[1]));
  driver_succeed(cuModuleUnload(module));
  free(made[0]);
  free(made[1]);
}

/* The one that lacks what is nowhere, and two that define the same. The error may come when the second is added. */
static void what_cannot_be_linked_is_named(const char *source) {
  size_t size;
  void *linked = NULL;
  char *made = compile_by(source, "-rdc=true", NULL, &size);
  CUlinkState state = logged_linker();
  add(state, made, size, "alone");
  driver_expect(CUDA_ERROR_UNKNOWN, cuLinkComplete(state, &linked, &size));
  printf("observed: log of what lacks something: %s\n", log_text);
  driver_true(linked == NULL && (strstr(log_text, "twice") != NULL || strstr(log_text, "scale") != NULL));
  driver_succeed(cuLinkDestroy(state));
  state = logged_linker();
  add(state, made, strlen(made) + 1, "first");
  CUresult second = cuLinkAddData(state, CU_JIT_INPUT_PTX, made, strlen(made) + 1, "second", 0, NULL, NULL);
  driver_observe("a second definition, added", second);
  if (second == CUDA_SUCCESS)
    driver_expect(CUDA_ERROR_UNKNOWN, cuLinkComplete(state, &linked, &size));
  printf("observed: log of two definitions: %s\n", log_text);
  driver_true(strstr(log_text, "count") != NULL);
  driver_succeed(cuLinkDestroy(state));
  free(made);
}

/* One that was compiled as a whole program has nothing to join. CUDA joins the kernels of such. */
static void whole_images_stand_alone(void) {
#ifdef VPTR_CUDA_CUDA_H
  void *linked = NULL;
  CUlinkState state = logged_linker();
  add(state, image, image_size, "first");
  driver_expect(CUDA_ERROR_NOT_SUPPORTED,
                cuLinkAddData(state, CU_JIT_INPUT_PTX, image, image_size, "second", 0, NULL, NULL));
  driver_true(strstr(log_text, "-rdc=true") != NULL);
  finish(state);
  driver_expect(CUDA_ERROR_INVALID_HANDLE, cuLinkComplete(state, &linked, &image_size));
  driver_expect(CUDA_ERROR_INVALID_HANDLE, cuLinkDestroy(state));
  state = linker();
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuLinkComplete(state, &linked, &image_size));
  driver_expect(CUDA_ERROR_NO_BINARY_FOR_GPU,
                cuLinkAddData(state, CU_JIT_INPUT_CUBIN, (void *)"\177ELF", 4, "elf", 0, NULL, NULL));
  driver_succeed(cuLinkDestroy(state));
#endif
}

/* ---- files ---------------------------------------------------------------------------------------------- */

/* What samples add for kernels that launch kernels: from a path that may be another machine's, or an archive with
 * nothing for devices. */
static void device_runtimes_are_taken(void) {
#ifdef VPTR_CUDA_CUDA_H
  CUlinkState state = linker();
  driver_succeed(cuLinkAddFile(state, CU_JIT_INPUT_LIBRARY, "/no/such/libcudadevrt.a", 0, NULL, NULL));
  driver_succeed(cuLinkAddData(state, CU_JIT_INPUT_LIBRARY, (void *)"!<arch>\n", 8, "library", 0, NULL, NULL));
  driver_expect(CUDA_ERROR_FILE_NOT_FOUND,
                cuLinkAddFile(state, CU_JIT_INPUT_LIBRARY, "/no/such/libother.a", 0, NULL, NULL));
  add(state, image, image_size, "image");
  finish(state);
#endif
}

/* Of vptrcc's objects, one by one and in an archive. */
static void objects_and_archives_are_linked(void) {
#ifdef VPTR_CUDA_CUDA_H
  static const struct {
    CUjitInputType type;
    const char *path;
  } kinds[] = { { CU_JIT_INPUT_OBJECT, "maker.o" }, { CU_JIT_INPUT_LIBRARY, "libmaker.a" } };
  char folder[] = "/tmp/vptr-test-link-XXXXXX", path[100], command[500];
  size_t size;
  char *made = compile_by(user, "-rdc=true", NULL, &size);
  driver_true(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/maker.cu", folder);
  FILE *file = fopen(path, "w");
  driver_true(file != NULL && fputs(maker, file) >= 0 && fclose(file) == 0);
  snprintf(command, sizeof command, "tests/kernels/vptrcc -dc -o %s/maker.o %s && ar rcs %s/libmaker.a %s/maker.o",
           folder, path, folder, folder);
  driver_true(system(command) == 0);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    CUlinkState state = logged_linker();
    add(state, made, size, "user");
    snprintf(path, sizeof path, "%s/%s", folder, kinds[i].path);
    driver_succeed(cuLinkAddFile(state, kinds[i].type, path, 0, NULL, NULL));
    finish(state);
  }
  snprintf(command, sizeof command, "rm -r %s", folder);
  driver_true(system(command) == 0);
  free(made);
#endif
}

int main(void) {
  CUcontext context = NULL;
  driver_succeed(cuInit(0));
  driver_succeed(cuDevicePrimaryCtxRetain(&context, 0));
  driver_succeed(cuCtxSetCurrent(context));
  int has_clang = driver_finds_clang();
  image = compile_by(text, NULL, NULL, &image_size);
  data_passes_through();
  a_file_passes_through();
  options_are_taken();
  wrong_arguments_are_refused();
  units_are_joined(user, NULL);
  what_cannot_be_linked_is_named(user);
  whole_images_stand_alone();
  device_runtimes_are_taken();
  objects_and_archives_are_linked();
  if (has_clang) {
    units_are_joined(user_cxx, "each<int>");
    what_cannot_be_linked_is_named(user_cxx);
  }
  free(image);
  return driver_done("conform_driver_link");
}
