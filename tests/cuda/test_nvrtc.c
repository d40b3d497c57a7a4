/* SPDX-License-Identifier: MIT */
/* test_nvrtc - what lib/nvrtc promises beyond NVRTC: no failed allocation breaks it, and what libvptr-cudart calls. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vptr/cuda/nvrtc.h>

#include "base/memory.h"
#include "nvrtc/translate.h"
#include "support/support.h"

static const char text[] = "#include \"size.h\"\n"
                           "extern \"C\" __global__ void fill(int *x) { if (threadIdx.x < N) x[threadIdx.x] = N; }\n";

/* The whole life of a program. Its result is that of the step that failed. */
static nvrtcResult live(void) {
  const char *header = "#define N 3\n", *name = "size.h", *lowered;
  const char *options[] = { "-I/nowhere", "-DX=1", "-UX", "-arch=sm_80", "-arch=sm_100", "--pre-include=size.h" };
  nvrtcProgram program = NULL;
  size_t size = 0;
  nvrtcResult result = nvrtcCreateProgram(&program, text, "text.cu", 1, &header, &name);
  if (result != NVRTC_SUCCESS)
    return result;
  result = nvrtcAddNameExpression(program, "fill");
  if (result == NVRTC_SUCCESS)
    result = nvrtcCompileProgram(program, 5, options);
  if (result == NVRTC_SUCCESS)
    result = nvrtcGetLoweredName(program, "fill", &lowered);
  if (result == NVRTC_SUCCESS)
    result = nvrtcGetCUBINSize(program, &size);
  ck_assert(result != NVRTC_SUCCESS || size > sizeof text);
  nvrtcDestroyProgram(&program);
  return result;
}

START_TEST(a_lack_of_memory_is_told_and_leaves_nothing) {
  ck_assert_int_eq(live(), NVRTC_SUCCESS);
  long before = vptr__memory_live();
  int hits = 0;
  nvrtcResult result = NVRTC_ERROR_OUT_OF_MEMORY;
  for (long n = 1; result != NVRTC_SUCCESS && n < 2000; n++) {
    vptr__memory_fail_nth(n);
    result = live();
    vptr__memory_fail_nth(0);
    hits += result == NVRTC_ERROR_OUT_OF_MEMORY;
    ck_assert_msg(result == NVRTC_SUCCESS || result == NVRTC_ERROR_OUT_OF_MEMORY, "allocation %ld: %s", n,
                  nvrtcGetErrorString(result));
    ck_assert_int_eq(vptr__memory_live(), before);
  }
  ck_assert_int_eq(result, NVRTC_SUCCESS);
  ck_assert_int_gt(hits, 10);
}
END_TEST

/* ---- C++, by a program in vptrcc's place ------------------------------------------------------------------ */

static char folder[] = "/tmp/vptr-test-nvrtc-XXXXXX", script[64];

/* It writes the module that clang would make of k<int>, with the trace of the name expression. */
static void make_script(void) {
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(script, sizeof script, "%s/vptrcc", folder);
  FILE *file = fopen(script, "w");
  ck_assert_ptr_nonnull(file);
  fputs("#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = -o ] && out=$2; shift; done\necho said\ncat >\"$out\" <<.\n"
        "//vptr-module 1\n"
        "//vptr kernel name=x lowered=_Z11vptr_name_0ITnDaXadL_Z1kIiLi2EEvPT_S2_EEEvv entry=x\n"
        "//vptr kernel name=y lowered=_Z1kIiLi2EEvPT_S2_ entry=y\n"
        "//vptr kernel name=z lowered=_Z1kIiLi2EEvPT_S1_ entry=z\n"
        "text\n.\n",
        file);
  ck_assert_int_eq(fclose(file), 0);
  ck_assert_int_eq(chmod(script, 0700), 0);
  setenv("VPTRCC", script, 1);
  setenv("TMPDIR", folder, 1);
}

/* Nothing but the script is left in the folder. */
static void end_script(void) {
  ck_assert_int_eq(unlink(script), 0);
  ck_assert_int_eq(rmdir(folder), 0);
}

static nvrtcResult live_by_clang(void) {
  const char *header = "int x;\n", *name = "sub/size.h", *lowered = "";
  const char *options[] = { "-I/nowhere", "-DX=1", "-arch=sm_80", "-std=c++17", "--pre-include=size.h" };
  nvrtcProgram program = NULL;
  char log[2000] = "";
  nvrtcResult result =
      nvrtcCreateProgram(&program, "template <class T> __global__ void k(T *p) {}", "a/text.cu", 1, &header, &name);
  if (result != NVRTC_SUCCESS)
    return result;
  result = nvrtcAddNameExpression(program, "k<int, 2>");
  if (result == NVRTC_SUCCESS)
    result = nvrtcCompileProgram(program, 4, options);
  if (result == NVRTC_SUCCESS)
    result = nvrtcGetLoweredName(program, "k<int, 2>", &lowered);
  if (result == NVRTC_SUCCESS) {
    ck_assert_str_eq(lowered, "_Z1kIiLi2EEvPT_S1_");
    ck_assert_int_eq(nvrtcGetProgramLog(program, log), NVRTC_SUCCESS);
    ck_assert_str_eq(log, "said\n");
  }
  nvrtcDestroyProgram(&program);
  return result;
}

/* Where there is no memory for a name to be written or a folder to be made, it is said to be that which failed. */
START_TEST(a_lack_of_memory_on_the_way_to_clang_leaves_nothing) {
  make_script();
  ck_assert_int_eq(live_by_clang(), NVRTC_SUCCESS);
  long before = vptr__memory_live();
  int hits = 0;
  nvrtcResult result = NVRTC_ERROR_OUT_OF_MEMORY;
  for (long n = 1; result != NVRTC_SUCCESS && n < 2000; n++) {
    vptr__memory_fail_nth(n);
    result = live_by_clang();
    vptr__memory_fail_nth(0);
    hits += result == NVRTC_ERROR_OUT_OF_MEMORY;
    ck_assert_msg(result == NVRTC_SUCCESS || result == NVRTC_ERROR_OUT_OF_MEMORY || result == NVRTC_ERROR_COMPILATION,
                  "allocation %ld: %s", n, nvrtcGetErrorString(result));
    ck_assert_int_eq(vptr__memory_live(), before);
  }
  ck_assert_int_eq(result, NVRTC_SUCCESS);
  ck_assert_int_gt(hits, 10);
  end_script();
}
END_TEST

START_TEST(a_failed_compilation_forgets_the_module_before) {
  const char *wrong = "-nonsense";
  nvrtcProgram program = NULL;
  size_t size = 0;
  ck_assert_int_eq(nvrtcCreateProgram(&program, "__global__ void k() {}", NULL, 0, NULL, NULL), NVRTC_SUCCESS);
  ck_assert_int_eq(nvrtcCompileProgram(program, 0, NULL), NVRTC_SUCCESS);
  ck_assert_int_eq(nvrtcGetPTXSize(program, &size), NVRTC_SUCCESS);
  ck_assert_uint_gt(size, 1);
  ck_assert_int_eq(nvrtcCompileProgram(program, 1, &wrong), NVRTC_ERROR_INVALID_OPTION);
  ck_assert_int_eq(nvrtcGetPTXSize(program, &size), NVRTC_SUCCESS);
  ck_assert_uint_eq(size, 1);
  ck_assert_int_eq(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
}
END_TEST

START_TEST(what_cannot_be_done_is_refused) {
  static const char *const options[] = { "-dlto", "--optix-ir", "--create-pch=x", "-time=x" };
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    nvrtcProgram program = NULL;
    char log[200] = "";
    size_t size = 0;
    ck_assert_int_eq(nvrtcCreateProgram(&program, "__global__ void k() {}", NULL, 0, NULL, NULL), NVRTC_SUCCESS);
    ck_assert_int_eq(nvrtcCompileProgram(program, 1, &options[i]), NVRTC_ERROR_INVALID_OPTION);
    ck_assert_int_eq(nvrtcGetProgramLogSize(program, &size), NVRTC_SUCCESS);
    ck_assert_uint_lt(size, sizeof log);
    ck_assert_int_eq(nvrtcGetProgramLog(program, log), NVRTC_SUCCESS);
    ck_assert_ptr_nonnull(strstr(log, "not supported"));
    ck_assert_int_eq(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
  }
}
END_TEST

START_TEST(the_runtime_gets_a_module_or_a_log) {
  static const char good[] = "__global__ void k(int *x) { *x = 1; }", bad[] = "__global__ void k() { foo(); }";
  char *module = NULL, *log = NULL;
  ck_assert_int_eq(vptr__nvrtc_translate(good, sizeof good - 1, &module, &log), VPTR__NVRTC_DONE);
  ck_assert_int_eq(strncmp(module, "//vptr-module ", 14), 0);
  vptr__nvrtc_free(module);
  vptr__nvrtc_free(log);
  module = NULL;
  ck_assert_int_eq(vptr__nvrtc_translate(bad, sizeof bad - 1, &module, &log), VPTR__NVRTC_ERRORS);
  ck_assert_ptr_null(module);
  ck_assert_ptr_nonnull(strstr(log, "foo"));
  vptr__nvrtc_free(log);
}
END_TEST

static Suite *nvrtc_suite(void) {
  Suite *suite = suite_create("nvrtc");
  TCase *whole = tcase_create("nvrtc");
  tcase_add_test(whole, a_lack_of_memory_is_told_and_leaves_nothing);
  tcase_add_test(whole, a_lack_of_memory_on_the_way_to_clang_leaves_nothing);
  tcase_add_test(whole, a_failed_compilation_forgets_the_module_before);
  tcase_add_test(whole, what_cannot_be_done_is_refused);
  tcase_add_test(whole, the_runtime_gets_a_module_or_a_log);
  suite_add_tcase(suite, whole);
  return suite;
}

int main(void) {
  return support_run(nvrtc_suite());
}
