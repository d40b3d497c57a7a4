/* SPDX-License-Identifier: MIT */
/* test_nvrtc - what lib/nvrtc promises beyond NVRTC: no failed allocation breaks it, what is kept of C++,
 * and what libvptr-cudart calls. */
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vptr/cuda/nvrtc.h>

#include "base/memory.h"
#include "base/option.h"
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
static char kept[64], counting[80];

/* As if it had been written long before the compiler reads it. */
static void make_old(const char *path) {
  const struct timespec times[2] = { { 1000, 0 }, { 1000, 0 } };
  ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *at) {
  (void)about, (void)kind, (void)at;
  return remove(path);
}

static void remove_kept(void) {
  nftw(kept, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* It writes the module that clang would make of k<int>, with the trace of the name expression. */
static void make_script(void) {
  setenv("VPTR_CACHE", "off", 1);
  vptr__option_reload();
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

/* ---- what is kept of C++ ----------------------------------------------------------------------------------- */

/* Says how often it was run, and what the header had, as clang's preprocessor would. */
static void make_counting_script(void) {
  strcpy(kept, "/tmp/vptr-test-nvrtc-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(kept));
  snprintf(counting, sizeof counting, "%s/vptrcc", kept);
  FILE *file = fopen(counting, "w");
  ck_assert_ptr_nonnull(file);
  fprintf(file,
          "#!/bin/sh\n in=%s\n"
          "[ \"$1\" = --list-front-ends ] && printf 'own\\t1\\t\\nclang\\tsh\\t\\nvptr-kernelc\\t%%s\\t\\n' \"$0\" "
          "&& exit\n"
          "while [ $# -gt 0 ]; do case $1 in -o) out=$2 ;; -MF) depend=$2 ;; esac; shift; done\n"
          "echo run >>\"$in/runs\"\necho warned\n"
          "printf 'x.ptx: %%s/program.cu \\\\\\n %%s/the\\\\ header.h\\n' \"${out%%/*}\" \"$in\" >\"$depend\"\n"
          "{ echo '//vptr-module 1'; cat \"$in/the header.h\"; } >\"$out\"\n",
          kept);
  ck_assert_int_eq(fclose(file), 0);
  ck_assert_int_eq(chmod(counting, 0700), 0);
  make_old(counting);
  setenv("VPTRCC", counting, 1);
  setenv("TMPDIR", kept, 1);
}

static void use_cache(const char *value) {
  setenv("VPTR_CACHE", value, 1);
  vptr__option_reload();
}

static void begin_cache(void) {
  char path[80];
  make_counting_script();
  snprintf(path, sizeof path, "%s/cache", kept);
  use_cache(path);
}

static void write_header(const char *words, bool is_old) {
  char path[80];
  snprintf(path, sizeof path, "%s/the header.h", kept);
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs(words, file);
  ck_assert_int_eq(fclose(file), 0);
  if (is_old)
    make_old(path);
}

static int runs(void) {
  char path[80], line[8];
  int count = 0;
  snprintf(path, sizeof path, "%s/runs", kept);
  FILE *file = fopen(path, "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    count++;
  if (file != NULL)
    fclose(file);
  return count;
}

/* The module that comes is the header's text, whoever it comes from; so are the messages. */
static void compile_kept(const char *option, const char *expression, const char *own_header, const char *expected) {
  const char *name = "own.h";
  char log[200] = "", module[200] = "";
  nvrtcProgram program = NULL;
  ck_assert_int_eq(
      nvrtcCreateProgram(&program, "template <class T> __global__ void k(T *p) {}", "text.cu", 1, &own_header, &name),
      NVRTC_SUCCESS);
  ck_assert_int_eq(nvrtcAddNameExpression(program, expression), NVRTC_SUCCESS);
  ck_assert_int_eq(nvrtcCompileProgram(program, 1, &option), NVRTC_SUCCESS);
  ck_assert_int_eq(nvrtcGetProgramLog(program, log), NVRTC_SUCCESS);
  ck_assert_str_eq(log, "warned\n");
  ck_assert_int_eq(nvrtcGetPTX(program, module), NVRTC_SUCCESS);
  ck_assert_str_eq(module + strcspn(module, "\n") + 1, expected);
  ck_assert_int_eq(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
}

static void compile_same(const char *expected) {
  compile_kept("-DX=1", "k<int>", "int x;", expected);
}

START_TEST(a_module_of_cxx_is_compiled_once) {
  write_header("one\n", true);
  for (int i = 0; i < 3; i++)
    compile_same("one\n");
  ck_assert_int_eq(runs(), 1);
  compile_kept("-DX=2", "k<int>", "int x;", "one\n");
  ck_assert_int_eq(runs(), 2);
  compile_kept("-DX=1", "k<long>", "int x;", "one\n");
  ck_assert_int_eq(runs(), 3);
  compile_kept("-DX=1", "k<int>", "int y;", "one\n");
  ck_assert_int_eq(runs(), 4);
  setenv("CPATH", "/nowhere", 1);
  compile_same("one\n");
  ck_assert_int_eq(runs(), 5);
  unsetenv("CPATH");
  compile_same("one\n");
  ck_assert_int_eq(runs(), 5);
}
END_TEST

START_TEST(a_header_that_changed_is_read_again) {
  write_header("one\n", true);
  compile_same("one\n");
  write_header("two\n", true);
  compile_same("two\n");
  compile_same("two\n");
  ck_assert_int_eq(runs(), 2);
  write_header("one\n", true);
  compile_same("one\n");
  ck_assert_int_eq(runs(), 2);
}
END_TEST

/* What is in it now may not be what the compiler read. */
START_TEST(a_header_that_was_just_written_keeps_nothing) {
  write_header("one\n", false);
  compile_same("one\n");
  write_header("one\n", true);
  compile_same("one\n");
  compile_same("one\n");
  ck_assert_int_eq(runs(), 2);
}
END_TEST

START_TEST(another_compiler_compiles_again) {
  write_header("one\n", true);
  compile_same("one\n");
  FILE *file = fopen(counting, "a");
  ck_assert_ptr_nonnull(file);
  fputs("# newer\n", file);
  ck_assert_int_eq(fclose(file), 0);
  make_old(counting);
  compile_same("one\n");
  compile_same("one\n");
  ck_assert_int_eq(runs(), 2);
}
END_TEST

START_TEST(damaged_files_are_made_anew) {
  char path[400], folder_path[80];
  write_header("one\n", true);
  compile_same("one\n");
  snprintf(folder_path, sizeof folder_path, "%s/cache", kept);
  DIR *in = opendir(folder_path);
  ck_assert_ptr_nonnull(in);
  int damaged = 0;
  for (struct dirent *entry; (entry = readdir(in)) != NULL;) {
    snprintf(path, sizeof path, "%s/%s", folder_path, entry->d_name);
    if (entry->d_name[0] == '.')
      continue;
    FILE *file = fopen(path, "r+");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, -1, SEEK_END), 0);
    ck_assert_int_eq(fputc('!', file), '!');
    ck_assert_int_eq(fclose(file), 0);
    damaged++;
  }
  closedir(in);
  ck_assert_int_eq(damaged, 2);
  compile_same("one\n");
  compile_same("one\n");
  ck_assert_int_eq(runs(), 2);
}
END_TEST

START_TEST(nothing_is_kept_where_nothing_may_be) {
  use_cache("off");
  write_header("one\n", true);
  compile_same("one\n");
  compile_same("one\n");
  ck_assert_int_eq(runs(), 2);
}
END_TEST

/* Where memory is out while something is looked for or kept, the program is compiled all the same, or it is said. */
START_TEST(a_lack_of_memory_beside_the_cache_leaves_nothing) {
  write_header("one\n", true);
  static const char cxx[] = "template <class T> __global__ void k(T *p) {}";
  bool is_kept = false;
  long before = vptr__memory_live();
  for (long n = 1; !is_kept && n < 100000; n += 1 + n / 100) {
    int before_it = runs();
    nvrtcProgram program = NULL;
    ck_assert_int_eq(nvrtcCreateProgram(&program, cxx, NULL, 0, NULL, NULL), NVRTC_SUCCESS);
    vptr__memory_fail_nth(n);
    nvrtcResult result = nvrtcCompileProgram(program, 0, NULL);
    vptr__memory_fail_nth(0);
    ck_assert_msg(result == NVRTC_SUCCESS || result == NVRTC_ERROR_OUT_OF_MEMORY || result == NVRTC_ERROR_COMPILATION,
                  "allocation %ld: %s", n, nvrtcGetErrorString(result));
    ck_assert_int_eq(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
    ck_assert_int_eq(vptr__memory_live(), before);
    is_kept = result == NVRTC_SUCCESS && runs() == before_it;
  }
  ck_assert(is_kept);
  ck_assert_int_gt(runs(), 1);
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
  TCase *cache = tcase_create("kept");
  tcase_set_timeout(cache, 120);
  tcase_add_checked_fixture(cache, begin_cache, remove_kept);
  tcase_add_test(cache, a_module_of_cxx_is_compiled_once);
  tcase_add_test(cache, a_header_that_changed_is_read_again);
  tcase_add_test(cache, a_header_that_was_just_written_keeps_nothing);
  tcase_add_test(cache, another_compiler_compiles_again);
  tcase_add_test(cache, damaged_files_are_made_anew);
  tcase_add_test(cache, nothing_is_kept_where_nothing_may_be);
  tcase_add_test(cache, a_lack_of_memory_beside_the_cache_leaves_nothing);
  suite_add_tcase(suite, cache);
  return suite;
}

int main(void) {
  return support_run(nvrtc_suite());
}
