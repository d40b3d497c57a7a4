/* SPDX-License-Identifier: MIT */
/*
 * conform_nvrtc - run-time compilation: life of a program, options, logs, headers, names, and errors as NVRTC has them.
 *
 *     cc -I$prefix/include/vptr/cuda conform_nvrtc.c -lvptr-nvrtc      as vptr
 *     cc -I/usr/local/cuda/include conform_nvrtc.c -L/usr/local/cuda/lib64 -lnvrtc      as CUDA; no GPU is needed
 */
#include <nvrtc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int checks, failures;

static void judge(int fine, int line, const char *what) {
  checks++;
  if (fine)
    return;
  failures++;
  printf("conform_nvrtc.c:%d: FAILED: %s\n", line, what);
}

static void classify_result(nvrtcResult expected, nvrtcResult got, int line, const char *what) {
  judge(expected == got, line, what);
  if (expected != got)
    printf("    got %s, expected %s\n", nvrtcGetErrorString(got), nvrtcGetErrorString(expected));
}

#define expect(expected, call) classify_result((expected), (call), __LINE__, #call)
#define succeed(call) expect(NVRTC_SUCCESS, call)
#define check(condition) judge((condition) != 0, __LINE__, #condition)

static const char saxpy[] = "extern \"C\" __global__ void saxpy(float a, const float *x, float *y, int n) {\n"
                            "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                            "  if (i < n)\n"
                            "    y[i] = a * x[i] + y[i];\n"
                            "}\n";

static nvrtcProgram make(const char *text) {
  nvrtcProgram program = NULL;
  succeed(nvrtcCreateProgram(&program, text, "text.cu", 0, NULL, NULL));
  return program;
}

static char *log_of(nvrtcProgram program) {
  size_t size = 0;
  succeed(nvrtcGetProgramLogSize(program, &size));
  check(size > 0);
  char *log = calloc(size + 1, 1);
  succeed(nvrtcGetProgramLog(program, log));
  check(strlen(log) + 1 == size);
  return log;
}

static void show_log(nvrtcProgram program) {
  char *log = log_of(program);
  printf("%s", log);
  free(log);
}

/* A text with one option, two, or none. */
static nvrtcResult compile(const char *text, const char *first, const char *second) {
  const char *options[2] = { first, second };
  nvrtcProgram program = make(text);
  nvrtcResult result = nvrtcCompileProgram(program, (first != NULL) + (second != NULL), options);
  succeed(nvrtcDestroyProgram(&program));
  check(program == NULL);
  return result;
}

static void versions_are_told(void) {
  int major = 0, minor = -1, count = 0, all[100] = { 0 };
  succeed(nvrtcVersion(&major, &minor));
  check(major >= 12 && minor >= 0);
  expect(NVRTC_ERROR_INVALID_INPUT, nvrtcVersion(NULL, &minor));
  expect(NVRTC_ERROR_INVALID_INPUT, nvrtcVersion(&major, NULL));
  succeed(nvrtcGetNumSupportedArchs(&count));
  check(count > 0 && count < 100);
  succeed(nvrtcGetSupportedArchs(all));
  for (int i = 1; i < count; i++)
    check(all[i] > all[i - 1]);
  expect(NVRTC_ERROR_INVALID_INPUT, nvrtcGetNumSupportedArchs(NULL));
  expect(NVRTC_ERROR_INVALID_INPUT, nvrtcGetSupportedArchs(NULL));
}

static void results_have_names(void) {
  check(strcmp(nvrtcGetErrorString(NVRTC_SUCCESS), "NVRTC_SUCCESS") == 0);
  check(strcmp(nvrtcGetErrorString(NVRTC_ERROR_COMPILATION), "NVRTC_ERROR_COMPILATION") == 0);
  check(strcmp(nvrtcGetErrorString(NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID), "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID") ==
        0);
  check(strcmp(nvrtcGetErrorString((nvrtcResult)-1), "NVRTC_ERROR unknown") == 0);
  check(strcmp(nvrtcGetErrorString((nvrtcResult)100), "NVRTC_ERROR unknown") == 0);
}

static void bad_programs_are_refused(void) {
  const char *text = "int x;";
  const char *none = NULL;
  nvrtcProgram program = NULL;
  size_t size;
  char byte;
  expect(NVRTC_ERROR_INVALID_PROGRAM, nvrtcCreateProgram(NULL, "", NULL, 0, NULL, NULL));
  expect(NVRTC_ERROR_INVALID_INPUT, nvrtcCreateProgram(&program, NULL, NULL, 0, NULL, NULL));
  expect(NVRTC_ERROR_INVALID_INPUT, nvrtcCreateProgram(&program, "", NULL, -1, NULL, NULL));
  expect(NVRTC_ERROR_INVALID_INPUT, nvrtcCreateProgram(&program, "", NULL, 1, NULL, NULL));
  expect(NVRTC_ERROR_INVALID_INPUT, nvrtcCreateProgram(&program, "", NULL, 1, &text, NULL));
  expect(NVRTC_ERROR_INVALID_INPUT, nvrtcCreateProgram(&program, "", NULL, 1, &text, &none));
  check(program == NULL);
  expect(NVRTC_ERROR_INVALID_PROGRAM, nvrtcDestroyProgram(NULL));
  expect(NVRTC_ERROR_INVALID_PROGRAM, nvrtcDestroyProgram(&program));
  expect(NVRTC_ERROR_INVALID_PROGRAM, nvrtcCompileProgram(NULL, 0, NULL));
  expect(NVRTC_ERROR_INVALID_PROGRAM, nvrtcGetPTXSize(NULL, &size));
  expect(NVRTC_ERROR_INVALID_PROGRAM, nvrtcGetPTX(NULL, &byte));
  expect(NVRTC_ERROR_INVALID_PROGRAM, nvrtcGetCUBINSize(NULL, &size));
  expect(NVRTC_ERROR_INVALID_PROGRAM, nvrtcGetProgramLogSize(NULL, &size));
}

static void a_program_compiles(void) {
  size_t size = 0;
  nvrtcProgram program = make(saxpy);
  succeed(nvrtcCompileProgram(program, 0, NULL));
  show_log(program);
  succeed(nvrtcGetPTXSize(program, &size));
  check(size > 1);
  char *text = malloc(size);
  succeed(nvrtcGetPTX(program, text));
  check(strlen(text) + 1 == size);
  check(strstr(text, "saxpy") != NULL);
  free(text);
  expect(NVRTC_ERROR_INVALID_INPUT, nvrtcGetPTX(program, NULL));
  expect(NVRTC_ERROR_INVALID_INPUT, nvrtcGetPTXSize(program, NULL));
  expect(NVRTC_ERROR_INVALID_INPUT, nvrtcGetProgramLogSize(program, NULL));
  succeed(nvrtcGetLTOIRSize(program, &size));
  check(size == 0);
  succeed(nvrtcGetOptiXIRSize(program, &size));
  check(size == 0);
  succeed(nvrtcGetCUBINSize(program, &size));
  check(size == 0);
  succeed(nvrtcDestroyProgram(&program));
}

static void a_real_architecture_makes_a_binary(void) {
  const char *option = "--gpu-architecture=sm_90";
  size_t size = 0;
  nvrtcProgram program = make(saxpy);
  succeed(nvrtcCompileProgram(program, 1, &option));
  succeed(nvrtcGetCUBINSize(program, &size));
  check(size > 0);
  char *binary = malloc(size > 0 ? size : 1);
  succeed(nvrtcGetCUBIN(program, binary));
  free(binary);
  succeed(nvrtcDestroyProgram(&program));
}

static void errors_are_in_the_log(void) {
  size_t size = 0;
  nvrtcProgram program = make("__global__ void k() {\n  foo(3);\n}\n");
  expect(NVRTC_ERROR_COMPILATION, nvrtcCompileProgram(program, 0, NULL));
  char *log = log_of(program);
  check(strstr(log, "text.cu") != NULL && strstr(log, "error") != NULL && strstr(log, "foo") != NULL);
  free(log);
  succeed(nvrtcGetPTXSize(program, &size));
  check(size == 1);
  expect(NVRTC_ERROR_COMPILATION, nvrtcCompileProgram(program, 0, NULL));
  succeed(nvrtcDestroyProgram(&program));
}

/* "int x[N];" compiles if N is positive. */
static const char sized[] = "__global__ void k(int *p) { int x[N]; x[0] = *p; *p = x[0]; }";

static void options_are_understood(void) {
  static const char *const fine[] = { "-I/tmp",
                                      "-I",
                                      "-std=c++17",
                                      "--std=c++14",
                                      "-arch=compute_80",
                                      "-fmad=false",
                                      "--fmad=true",
                                      "-G",
                                      "-lineinfo",
                                      "-w",
                                      "-default-device",
                                      "-use_fast_math",
                                      "--use_fast_math",
                                      "-rdc=true",
                                      "-dc",
                                      "--relocatable-device-code=false",
                                      "-maxrregcount=32",
                                      "-ftz=true",
                                      "-prec-div=false",
                                      "-Xptxas=-v",
                                      "--device-debug",
                                      "--restrict",
                                      "-DX=Y",
                                      "-UX",
                                      "--define-macro=X",
                                      "--include-path=/tmp",
                                      "-arch=sm_90a" };
  static const char *const wrong[] = { "-nonsense", "--nonsense=3", "-arch=sm_12", "-std=c++98",
                                       "-O3",       "-fmad=maybe",  "text.cu",     "",
                                       "-arch=" };
  for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
    nvrtcResult result = compile(saxpy, fine[i], NULL);
    judge(result == NVRTC_SUCCESS, __LINE__, fine[i]);
  }
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    nvrtcResult result = compile(saxpy, wrong[i], NULL);
    judge(result == NVRTC_ERROR_INVALID_OPTION, __LINE__, wrong[i]);
  }
  succeed(compile(sized, "-DN=3", NULL));
  succeed(compile(sized, "-D", "N=3"));
  succeed(compile(sized, "--define-macro=N=3", NULL));
  expect(NVRTC_ERROR_COMPILATION, compile(sized, NULL, NULL));
  expect(NVRTC_ERROR_COMPILATION, compile(sized, "-DN=3", "-UN"));
  succeed(compile(saxpy, "-arch", "sm_90"));
  succeed(compile(saxpy, "-I", "/tmp"));
  const char *option = "-w";
  nvrtcProgram program = make(saxpy);
  expect(NVRTC_ERROR_INVALID_INPUT, nvrtcCompileProgram(program, -1, &option));
  expect(NVRTC_ERROR_INVALID_OPTION, nvrtcCompileProgram(program, 1, NULL));
  succeed(nvrtcDestroyProgram(&program));
}

static void a_wrong_option_is_in_the_log(void) {
  const char *option = "-nonsense";
  nvrtcProgram program = make(saxpy);
  expect(NVRTC_ERROR_INVALID_OPTION, nvrtcCompileProgram(program, 1, &option));
  char *log = log_of(program);
  check(strstr(log, "-nonsense") != NULL);
  free(log);
  succeed(nvrtcCompileProgram(program, 0, NULL));
  log = log_of(program);
  check(strstr(log, "-nonsense") == NULL);
  free(log);
  succeed(nvrtcDestroyProgram(&program));
}

static void headers_are_found_by_name(void) {
  const char *headers[] = { "#include \"inner.h\"\n", "#define N 5\n" };
  const char *names[] = { "outer.h", "inner.h" };
  const char *text = "#include \"outer.h\"\n"
                     "__global__ void k(int *p) { int x[N]; x[0] = *p; *p = x[0]; }";
  nvrtcProgram program = NULL;
  succeed(nvrtcCreateProgram(&program, text, NULL, 2, headers, names));
  succeed(nvrtcCompileProgram(program, 0, NULL));
  succeed(nvrtcDestroyProgram(&program));
  succeed(nvrtcCreateProgram(&program, text, NULL, 1, headers, names));
  expect(NVRTC_ERROR_COMPILATION, nvrtcCompileProgram(program, 0, NULL));
  char *log = log_of(program);
  check(strstr(log, "inner.h") != NULL);
  free(log);
  succeed(nvrtcDestroyProgram(&program));
}

static void a_header_that_is_not_there_is_an_error(void) {
  static const char *const texts[] = { "#include <no/such.h>\n__global__ void k() {}\n",
                                       "#include \"no/such.h\"\n__global__ void k() {}\n" };
  for (int i = 0; i < 2; i++) {
    nvrtcProgram program = make(texts[i]);
    expect(NVRTC_ERROR_COMPILATION, nvrtcCompileProgram(program, 0, NULL));
    char *log = log_of(program);
    check(strstr(log, "no/such.h") != NULL);
    free(log);
    succeed(nvrtcDestroyProgram(&program));
  }
}

/* A folder for -I, one for the text itself, and -include. */
static void headers_are_found_on_the_disk(void) {
  char folder[] = "/tmp/conform_nvrtc_XXXXXX", path[64], option[64], name[64];
  check(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/size.h", folder);
  snprintf(option, sizeof option, "-I%s", folder);
  snprintf(name, sizeof name, "%s/text.cu", folder);
  FILE *file = fopen(path, "w");
  fputs("#define N 7\n", file);
  fclose(file);
  const char *text = "#include \"size.h\"\n__global__ void k(int *p) { int x[N]; x[0] = *p; *p = x[0]; }";
  succeed(compile(text, option, NULL));
  succeed(compile(sized, option, "--pre-include=size.h"));
  expect(NVRTC_ERROR_COMPILATION, compile(text, NULL, NULL));
  nvrtcProgram program = NULL;
  succeed(nvrtcCreateProgram(&program, text, name, 0, NULL, NULL));
  succeed(nvrtcCompileProgram(program, 0, NULL));
  succeed(nvrtcDestroyProgram(&program));
  remove(path);
  remove(folder);
}

static void names_are_lowered(void) {
  static const char text[] = "namespace a { __global__ void k(int *p) { *p = 1; } __device__ int v; }\n"
                             "__global__ void k(int *p) { *p = 2; }\n"
                             "extern \"C\" __global__ void plain(int *p) { *p = 3 + a::v; }\n";
  const char *lowered = NULL;
  nvrtcProgram program = make(text);
  expect(NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION, nvrtcGetLoweredName(program, "k", &lowered));
  expect(NVRTC_ERROR_INVALID_INPUT, nvrtcAddNameExpression(program, NULL));
  succeed(nvrtcAddNameExpression(program, "k"));
  succeed(nvrtcAddNameExpression(program, "&a::k"));
  succeed(nvrtcAddNameExpression(program, "&a::v"));
  succeed(nvrtcAddNameExpression(program, "plain"));
  succeed(nvrtcCompileProgram(program, 0, NULL));
  show_log(program);
  succeed(nvrtcGetLoweredName(program, "k", &lowered));
  check(lowered != NULL && strcmp(lowered, "_Z1kPi") == 0);
  succeed(nvrtcGetLoweredName(program, "&a::k", &lowered));
  check(lowered != NULL && strcmp(lowered, "_ZN1a1kEPi") == 0);
  succeed(nvrtcGetLoweredName(program, "&a::v", &lowered));
  check(lowered != NULL && strcmp(lowered, "_ZN1a1vE") == 0);
  succeed(nvrtcGetLoweredName(program, "plain", &lowered));
  check(lowered != NULL && strcmp(lowered, "plain") == 0);
  expect(NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID, nvrtcGetLoweredName(program, "zz", &lowered));
  expect(NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION, nvrtcAddNameExpression(program, "k"));
  expect(NVRTC_ERROR_INVALID_INPUT, nvrtcGetLoweredName(program, NULL, &lowered));
  expect(NVRTC_ERROR_INVALID_INPUT, nvrtcGetLoweredName(program, "k", NULL));
  succeed(nvrtcDestroyProgram(&program));
}

static void a_name_that_is_none_is_an_error(void) {
  nvrtcProgram program = make(saxpy);
  succeed(nvrtcAddNameExpression(program, "nosuch"));
  expect(NVRTC_ERROR_COMPILATION, nvrtcCompileProgram(program, 0, NULL));
  char *log = log_of(program);
  check(strstr(log, "nosuch") != NULL);
  free(log);
  succeed(nvrtcDestroyProgram(&program));
}

/* An error in a thread of its own is not printed, only counted. */
static void *compile_often(void *wrong) {
  for (int i = 0; i < 20; i++) {
    size_t size = 0;
    nvrtcProgram program = NULL;
    if (nvrtcCreateProgram(&program, saxpy, "text.cu", 0, NULL, NULL) != NVRTC_SUCCESS ||
        nvrtcCompileProgram(program, 0, NULL) != NVRTC_SUCCESS || nvrtcGetPTXSize(program, &size) != NVRTC_SUCCESS ||
        size < 2 || nvrtcDestroyProgram(&program) != NVRTC_SUCCESS)
      ++*(int *)wrong;
  }
  return NULL;
}

static void threads_compile_at_once(void) {
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  int wrong[THREADS] = { 0 };
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, compile_often, &wrong[i]);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    check(wrong[i] == 0);
  }
}

int main(void) {
  versions_are_told();
  results_have_names();
  bad_programs_are_refused();
  a_program_compiles();
  a_real_architecture_makes_a_binary();
  errors_are_in_the_log();
  options_are_understood();
  a_wrong_option_is_in_the_log();
  headers_are_found_by_name();
  a_header_that_is_not_there_is_an_error();
  headers_are_found_on_the_disk();
  names_are_lowered();
  a_name_that_is_none_is_an_error();
  threads_compile_at_once();
  printf("conform_nvrtc: %d checks, %d failed\n", checks, failures);
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
