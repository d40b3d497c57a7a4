/* SPDX-License-Identifier: MIT */
/*
 * clang - see clang.h.
 *
 * clang is VPTR_CLANG, or the newest there is that is no newer than the LLVM which configure found. It compiles CUDA
 * with its own headers and ours, and without NVIDIA's: `cuda_wrappers` in its folder make std:: work on the device.
 * Loops are neither unrolled nor vectorised, nor are stores joined: the driver's compiler does that for its device.
 */
#include "clang.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vptr/version.h>

#include "children.h"
#include "depend.h"
#include "translate/translate.h"

/* vptr-kernelc reads what clang of its own version writes, or of an older one. */
#ifndef VPTRCC_LLVM
#define VPTRCC_LLVM 19
#endif
enum { OLDEST_CLANG = 16, NEWEST_CLANG = VPTRCC_LLVM };
enum { FIRST_WITH_VARIADIC_FUNCTIONS = 19 }; /* printf() on the device, without an option */

/* ---- where it is ----------------------------------------------------------------------------------------- */

/* What a command prints first, without the line's end; "" where it cannot be run. */
static const char *first_line(cc_driver *driver, const char *program, const char *option) {
  cc_list command;
  cc_buffer out;
  cc_list_init(&command, driver->arena);
  cc_buffer_init(&out, driver->arena);
  cc_list_add(&command, program);
  cc_list_add(&command, option);
  if (!cc_process_output(&command, &out) || out.length == 0)
    return "";
  return vptr__arena_copy(driver->arena, out.text, strcspn(out.text, "\n"));
}

/* Its folder is ".../clang/19", or ".../clang/15.0.7": other compilers have no such. 0: it is none. */
static int version_of(cc_driver *driver, const char *program, const char **folder_out) {
  const char *folder = first_line(driver, program, "-print-resource-dir"), *slash = strrchr(folder, '/');
  *folder_out = folder;
  return slash != NULL && strstr(folder, "clang") != NULL ? atoi(slash + 1) : 0;
}

static bool is_fit(int version) {
  return version >= OLDEST_CLANG && version <= NEWEST_CLANG;
}

/* One that is asked and fits is the one. */
static bool accept_clang(cc_driver *driver, const char *program) {
  const char *folder = NULL;
  int version = version_of(driver, program, &folder);
  if (!is_fit(version))
    return false;
  driver->home.clang = program;
  driver->home.clang_version = version;
  driver->home.clang_folder = folder;
  return true;
}

static bool find_newest(cc_driver *driver) {
  for (int version = NEWEST_CLANG; version >= OLDEST_CLANG; version--)
    if (accept_clang(driver, vptr__arena_format(driver->arena, "clang++-%d", version)))
      return true;
  return accept_clang(driver, "clang++");
}

static bool find_clang(cc_driver *driver, const char **why_out) {
  const char *given = getenv("VPTR_CLANG");
  bool is_given = given != NULL && *given != 0;
  if (is_given ? accept_clang(driver, given) : find_newest(driver))
    return true;
  *why_out = is_given ? vptr__arena_format(driver->arena, "VPTR_CLANG is '%s', which is no clang of version %d to %d",
                                           given, OLDEST_CLANG, NEWEST_CLANG)
                      : vptr__arena_format(driver->arena,
                                           "C++ in kernels needs clang, of version %d to %d: install it (apt install "
                                           "clang-%d), or name it in VPTR_CLANG",
                                           OLDEST_CLANG, NEWEST_CLANG, NEWEST_CLANG);
  return false;
}

static const char *find_kernelc(cc_driver *driver, const char **why_out) {
  const char *given = getenv("VPTRCC_TEST_KERNELC");
  const char *path = given != NULL ? given
                                   : vptr__arena_format(driver->arena, "%s/vptr/vptr-kernelc",
                                                        (const char *)driver->home.libraries.items[0]);
  if (access(path, X_OK) == 0)
    return path;
  *why_out = vptr__arena_format(driver->arena,
                                "C++ in kernels needs %s, which this installation lacks: vptr was configured without "
                                "LLVM's headers (apt install llvm-19-dev, and configure again)",
                                path);
  return NULL;
}

bool cc_clang_find(cc_driver *driver, const char **why_out) {
  if (driver->home.clang == NULL && !find_clang(driver, why_out))
    return false;
  if (driver->home.kernelc == NULL)
    driver->home.kernelc = find_kernelc(driver, why_out);
  return driver->home.kernelc != NULL;
}

/* Without vptr-kernelc clang is told all the same. */
void cc_clang_print(cc_driver *driver) {
  const char *why_clang = "", *why_kernelc = "";
  bool has_clang = find_clang(driver, &why_clang);
  const char *kernelc = find_kernelc(driver, &why_kernelc);
  printf("own\t%s\tkernels in C\n", VPTR_VERSION_STRING);
  if (has_clang)
    printf("clang\t%s\tversion %d, %s; for C++ in kernels\n", driver->home.clang, driver->home.clang_version,
           driver->home.clang_folder);
  else
    printf("clang\tnone\t%s\n", why_clang);
  if (kernelc != NULL)
    printf("vptr-kernelc\t%s\t%s\n", kernelc, first_line(driver, kernelc, "--version"));
  else
    printf("vptr-kernelc\tnone\t%s\n", why_kernelc);
}

/* ---- commands -------------------------------------------------------------------------------------------- */

static void add_words(cc_list *command, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++)
    cc_list_add(command, words[i]);
}

/* sm_70 of 700. No code of NVIDIA's is made, so that the number is __CUDA_ARCH__'s alone: one that clang 16 does not
 * know becomes the next lower one that it does. */
static int sm_of(const cc_options *options) {
  static const int known[] = { 90, 89, 87, 86, 80, 75, 72, 70, 62, 61, 60, 53, 52, 50 };
  int arch = vptr__translate_arch(options->arch) / 10;
  size_t i = 0;
  while (i + 1 < sizeof known / sizeof *known && known[i] > arch)
    i++;
  return known[i];
}

/* A unit's static variables have names of their own, which both halves make of the same word. */
static void add_unit(cc_list *command, const char *unit) {
  cc_list_add(command, "-fgpu-rdc");
  cc_list_add(command, "-fuse-cuid=none"); /* for the device's half clang would make up a word */
  cc_list_add(command, "-Xclang");
  cc_list_print(command, "-cuid=%s", unit);
  cc_list_add(command, "-D__CUDACC_RDC__=1");
}

/* A source as it is, preprocessed alone, and what was made of that (children.h). */
typedef enum form { FORM_SOURCE, FORM_PREPROCESSED, FORM_REWRITTEN } form;

static void add_headers(cc_driver *driver, cc_list *command) {
  const cc_home *home = &driver->home;
  for (size_t i = 0; i < home->cuda_headers.count; i++)
    cc_list_print(command, "-I%s/clang", home->cuda_headers.items[i]);
  cc_list_add(command, "-include");
  cc_list_add(command, "vptr_clang.h");
  cc_list_append(command, &driver->options.preprocessing);
  for (size_t i = 0; i < home->headers.count; i++) {
    cc_list_add(command, "-isystem");
    cc_list_add(command, home->cuda_headers.items[i]);
    cc_list_add(command, "-idirafter");
    cc_list_add(command, home->headers.items[i]);
  }
}

/* What both halves are told. unit: of relocatable device code, or NULL. Messages may come through a file. */
static cc_list cuda_command(cc_driver *driver, const char *unit, form form) {
  static const char *const words[] = {
    "-x",
    "cuda",
    "-nocudainc",
    "-nocudalib",
    "-Wno-unknown-cuda-version",
    "-Wno-atomic-alignment", /* 16 bytes are under a lock */
    "-Xclang",
    "-target-sdk-version=11.8",
    "-fno-builtin-printf",
  };
  const cc_home *home = &driver->home;
  const cc_options *options = &driver->options;
  cc_list command;
  cc_list_init(&command, driver->arena);
  cc_list_add(&command, home->clang);
  add_words(&command, words, sizeof words / sizeof *words);
  cc_list_print(&command, "--cuda-gpu-arch=sm_%d", sm_of(&driver->options));
  cc_list_add(&command, "-Xclang");
  cc_list_add(&command, "-internal-isystem");
  cc_list_add(&command, "-Xclang");
  cc_list_print(&command, "%s/include/cuda_wrappers", home->clang_folder);
  if (home->clang_version < FIRST_WITH_VARIADIC_FUNCTIONS) {
    cc_list_add(&command, "-Xclang");
    cc_list_add(&command, "-fcuda-allow-variadic-functions");
  }
  cc_list_append(&command, &options->flags);
  cc_list_print(&command, "-std=%s", options->standard != NULL ? options->standard : "c++17");
  if (unit != NULL)
    add_unit(&command, unit);
  if (isatty(STDERR_FILENO))
    cc_list_add(&command, "-fcolor-diagnostics");
  if (form != FORM_REWRITTEN)
    add_headers(driver, &command);
  if (form == FORM_PREPROCESSED)
    cc_children_preprocessing(&command);
  return command;
}

/* Of a module this half is all that is compiled. */
static void add_dependencies(cc_driver *driver, const char *source, cc_list *command) {
  const cc_options *options = &driver->options;
  if (!options->depends)
    return;
  cc_list_add(command, options->skips_system_headers ? "-MMD" : "-MD");
  cc_depend_options(command, options, cc_output_name(options, source, ".ptx"), cc_depend_file(options, source));
}

static cc_list device_command(cc_driver *driver, const char *source, const char *unit, form form) {
  static const char *const words[] = {
    "--cuda-device-only",
    "-O2",
    "-g0",
    "-gline-tables-only",
    "-fno-strict-aliasing",
    "-fno-slp-vectorize",
    "-fno-vectorize",
    "-fno-unroll-loops",
    "-Wno-pass-failed",
    "-Xclang",
    "-disable-llvm-passes",
    "-emit-llvm",
  };
  cc_list command = cuda_command(driver, unit, form);
  add_words(&command, words, sizeof words / sizeof *words);
  if (driver->options.no_fma)
    cc_list_add(&command, "-ffp-contract=off");
  if (driver->options.fast_math)
    cc_list_add(&command, "-fcuda-approx-transcendentals");
  if (driver->options.goal == CC_MODULE && form != FORM_REWRITTEN)
    add_dependencies(driver, source, &command);
  if (form == FORM_REWRITTEN)
    cc_children_words(&command, true);
  return command;
}

static void add_files(cc_list *command, const char *step, const char *source, const char *output) {
  cc_list_add(command, step);
  cc_list_add(command, source);
  cc_list_add(command, "-o");
  cc_list_add(command, output);
}

/* Of a source that clang has refused. */
static int compile_with_children(cc_driver *driver, const char *source, const char *unit, const char *bitcode) {
  const char *preprocessed = cc_workshop_path(&driver->workshop, source, ".device.ii");
  const char *rewritten = cc_workshop_path(&driver->workshop, source, ".device.cu");
  cc_list command = device_command(driver, source, unit, FORM_PREPROCESSED);
  add_files(&command, "-E", source, preprocessed);
  int status = cc_workshop_run(&driver->workshop, "preprocess", &command);
  if (status == 0 && !cc_children_rewrite(driver, preprocessed, true, rewritten))
    status = 1;
  if (status != 0)
    return status;
  command = device_command(driver, source, unit, FORM_REWRITTEN);
  add_files(&command, "-c", rewritten, bitcode);
  return cc_workshop_run(&driver->workshop, "clang device", &command);
}

int cc_clang_compile_device(cc_driver *driver, const char *source, const char *unit, const char *bitcode) {
  const char *messages = cc_workshop_path(&driver->workshop, source, ".device.txt");
  cc_list command = device_command(driver, source, unit, FORM_SOURCE);
  add_files(&command, "-c", source, bitcode);
  int status = cc_workshop_run_heard(&driver->workshop, "clang device", &command, messages);
  driver->has_children = status != 0 && cc_children_were_refused(driver, messages);
  if (driver->has_children)
    return compile_with_children(driver, source, unit, bitcode);
  cc_file_tell(driver->arena, messages);
  return status;
}

static int write_kernels(cc_driver *driver, const cc_list *bitcode, const char *kernels, bool stops_at_barriers) {
  cc_list command;
  cc_list_init(&command, driver->arena);
  cc_list_add(&command, driver->home.kernelc);
  if (stops_at_barriers)
    cc_list_add(&command, "--stops-at-barriers");
  if (driver->options.finds_buffers)
    cc_list_add(&command, "--finds-buffers");
  cc_list_add(&command, "-o");
  cc_list_add(&command, kernels);
  cc_list_append(&command, bitcode);
  return cc_workshop_run(&driver->workshop, "kernelc", &command);
}

/* It is called without its folder, which is another one each time, and would be in the module's text. */
static bool translate_kernels(cc_driver *driver, const char *name, const cc_list *bitcode, bool stops_at_barriers,
                              cc_device_text *device) {
  const char *kernels = cc_workshop_path(&driver->workshop, name, ".kernel.cu"), *slash = strrchr(kernels, '/'),
             *text = NULL;
  size_t length = 0;
  if (write_kernels(driver, bitcode, kernels, stops_at_barriers) != 0)
    return false;
  if (driver->options.is_dry)
    return true;
  double begin = cc_timing_now(), cpu = cc_timing_cpu();
  bool is_good = cc_file_read(driver->arena, kernels, &text, &length) &&
                 cc_device_translate_kernels(&driver->options, &driver->home, slash != NULL ? slash + 1 : kernels,
                                             text, length, 10 * sm_of(&driver->options), device);
  cc_timing_add(&driver->workshop.timing, "translate", CC_TIMING_SELF, "", cc_timing_now() - begin,
                cc_timing_cpu() - cpu);
  return is_good;
}

/* A barrier that not all threads of a block reach at once is an error of the translator's. Then threads are states that
 * stop there, which costs more than a plain barrier. Where that helps nothing, the first messages are told. */
bool cc_clang_translate_bitcode(cc_driver *driver, const char *name, const cc_list *bitcode, cc_device_text *device) {
  cc_device_text again = { .module = NULL };
  *device = again; /* what the own front end said of the file does not matter any more */
  if (translate_kernels(driver, name, bitcode, false, device))
    return true;
  if (device->log == NULL || !translate_kernels(driver, name, bitcode, true, &again))
    return false;
  *device = again;
  return true;
}

bool cc_clang_list_names(cc_driver *driver, const char *bitcode, cc_buffer *out) {
  const char *names = cc_workshop_path(&driver->workshop, bitcode, ".names"), *text = NULL;
  size_t length = 0;
  cc_list command;
  cc_list_init(&command, driver->arena);
  cc_list_add(&command, driver->home.kernelc);
  cc_list_add(&command, "--names");
  cc_list_add(&command, "-o");
  cc_list_add(&command, names);
  cc_list_add(&command, bitcode);
  if (cc_workshop_run(&driver->workshop, "kernelc", &command) != 0 ||
      !cc_file_read(driver->arena, names, &text, &length))
    return false;
  cc_buffer_add(out, text, length);
  return true;
}

bool cc_clang_translate(cc_driver *driver, const cc_input *input, cc_device_text *device) {
  cc_list bitcode;
  cc_list_init(&bitcode, driver->arena);
  cc_list_add(&bitcode, cc_workshop_path(&driver->workshop, input->path, ".bc"));
  *device = (cc_device_text){ .module = NULL };
  return cc_clang_compile_device(driver, input->path, NULL, bitcode.items[0]) == 0 &&
         cc_clang_translate_bitcode(driver, input->path, &bitcode, device);
}

static void add_host_dependencies(cc_driver *driver, const cc_input *input, const char *object,
                                  const char *dependencies, cc_list *command) {
  const cc_options *options = &driver->options;
  if (dependencies == NULL)
    return;
  cc_list_add(command, options->skips_system_headers ? "-MMD" : "-MD");
  cc_depend_options(command, options, cc_depend_target(options, input->path, object), dependencies);
}

/* What cannot be rewritten clang refuses once more. */
static const char *rewrite_host_half(cc_driver *driver, const char *unit, const cc_input *input, const char *object,
                                     const char *dependencies) {
  const char *preprocessed = cc_workshop_path(&driver->workshop, input->path, ".host.ii");
  const char *rewritten = cc_workshop_path(&driver->workshop, input->path, ".host.cu");
  cc_list command = cuda_command(driver, unit, FORM_PREPROCESSED);
  cc_list_add(&command, "--cuda-host-only");
  add_host_dependencies(driver, input, object, dependencies, &command);
  add_files(&command, "-E", input->path, preprocessed);
  bool is_good = cc_workshop_run(&driver->workshop, "preprocess", &command) == 0 &&
                 cc_children_rewrite(driver, preprocessed, false, rewritten);
  return is_good ? rewritten : input->path;
}

static cc_list host_command(cc_driver *driver, const char *unit, const cc_input *input, const char *object,
                            const char *dependencies) {
  const char *source = input->path;
  if (driver->has_children)
    source = rewrite_host_half(driver, unit, input, object, dependencies);
  bool is_rewritten = source != input->path;
  cc_list command = cuda_command(driver, unit, is_rewritten ? FORM_REWRITTEN : FORM_SOURCE);
  cc_list_add(&command, "--cuda-host-only");
  if (is_rewritten)
    cc_children_words(&command, false);
  else
    add_host_dependencies(driver, input, object, dependencies, &command);
  add_files(&command, "-c", source, object);
  return command;
}

cc_list cc_clang_host_command(cc_driver *driver, const cc_input *input, const char *binary, const char *object,
                              const char *dependencies) {
  cc_list command = host_command(driver, NULL, input, object, dependencies);
  cc_list_add(&command, "-Xclang");
  cc_list_add(&command, "-fcuda-include-gpubinary");
  cc_list_add(&command, "-Xclang");
  cc_list_add(&command, binary);
  return command;
}

/* clang lists kernels and variables for registration in a section of their own, which what -dlink makes reads. */
int cc_clang_compile_unit(cc_driver *driver, const cc_input *input, const char *unit, const char *prelude,
                          const char *object, const char *dependencies) {
  cc_list command = host_command(driver, unit, input, object, dependencies);
  cc_list_add(&command, "-Xclang");
  cc_list_add(&command, "--offload-new-driver");
  cc_list_add(&command, "-include");
  cc_list_add(&command, prelude);
  return cc_workshop_run(&driver->workshop, "clang host", &command);
}
