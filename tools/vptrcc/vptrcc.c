/* SPDX-License-Identifier: MIT */
/*
 * vptrcc - compiles CUDA programs for OpenCL devices, and is used as nvcc is.
 *
 * A driver: the translator (lib/translate) is linked in, everything else is the host's own C++ compiler, run as often
 * as needed. What goes on between those steps lies in a temporary folder, which is removed on every way out.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clang.h"
#include "compile.h"
#include "depend.h"
#include "relocatable.h"
#include "words.h"

/* ---- goals ----------------------------------------------------------------------------------------------- */

typedef int make_one(cc_driver *driver, const cc_input *input, const char *output);

/* Compilers go on with the next file, so that all errors are seen. */
static int make_each(cc_driver *driver, make_one *make, const char *suffix) {
  const cc_options *options = &driver->options;
  int status = 0;
  for (size_t i = 0; i < options->input_count && cc_workshop_signal() == 0; i++) {
    const cc_input *input = &options->inputs[i];
    if (strcmp(input->language, "option") == 0)
      continue;
    if (strcmp(input->language, "object") == 0) {
      fprintf(stderr, "vptrcc: warning: %s: not compiled, its name does not say what it is; -x does\n", input->path);
      continue;
    }
    const char *output = options->output;
    if (output == NULL && suffix != NULL)
      output = cc_output_name(options, input->path, suffix);
    int one = make(driver, input, output);
    status = status != 0 ? status : one;
  }
  return status;
}

/* Sources become objects in the temporary folder; what is linked comes in the order of the command line. */
static int make_objects(cc_driver *driver, cc_list *files) {
  const cc_options *options = &driver->options;
  int status = 0;
  for (size_t i = 0; i < options->input_count && cc_workshop_signal() == 0; i++) {
    const cc_input *input = &options->inputs[i];
    const char *object = input->path;
    if (strcmp(input->language, "object") != 0 && strcmp(input->language, "option") != 0) {
      object = cc_workshop_path(&driver->workshop, input->path, ".o");
      int one = cc_compile(driver, input, object);
      status = status != 0 ? status : one;
    }
    cc_list_add(files, object);
  }
  return status;
}

/* What the libraries need and do not bring, in a build of static ones. */
#ifndef VPTRCC_NEEDED
#define VPTRCC_NEEDED ""
#endif

static bool has_static_name(const cc_home *home) {
  return access(vptr__arena_format(home->cxx.arena, "%s/lib64/libcudart_static.a", home->cuda), R_OK) == 0;
}

/* The shared library gives all symbols that are asked for, so that nothing comes from libcudart_static.a behind it.
 * That is named for those who read the command to learn what else has to be linked: CMake takes -l for such, not
 * -Wl,-l. */
static void add_runtime(const cc_driver *driver, cc_list *command) {
  const cc_home *home = &driver->home;
  cc_list_append(command, &home->library_options);
  for (size_t i = 0; i < home->libraries.count; i++)
    cc_list_print(command, "-Wl,-rpath,%s", home->libraries.items[i]);
  if (driver->options.has_no_runtime)
    return;
  cc_list_add(command, "-Wl,-lvptr-cudart,-lvptr");
  cc_words_shell(command, VPTRCC_NEEDED);
  if (has_static_name(home)) {
    cc_list_add(command, "-lcudadevrt");
    cc_list_add(command, "-lcudart_static");
  }
}

static const char *program_name(const cc_options *options) {
  return options->output != NULL ? options->output : "a.out";
}

/* As nvcc names them. */
static const char *linked_name(const cc_options *options) {
  if (options->output != NULL)
    return options->output;
  return options->goal == CC_MODULE_LINK ? "a_dlink.ptx" : "a_dlink.o";
}

static int link_files(cc_driver *driver, cc_list *files) {
  driver->workshop.timing.source = "";
  int status = driver->options.has_no_device_link ? 0 : cc_relocatable_link(driver, files);
  if (status != 0)
    return status;
  cc_list command = cc_link_command(driver);
  cc_list_append(&command, &driver->options.linking);
  cc_list_append(&command, files);
  add_runtime(driver, &command);
  cc_list_add(&command, "-o");
  cc_list_add(&command, program_name(&driver->options));
  return cc_workshop_run(&driver->workshop, "link", &command);
}

static int archive_files(cc_driver *driver, const cc_list *files) {
  cc_list command;
  cc_list_init(&command, driver->arena);
  cc_list_add(&command, driver->options.archiver != NULL ? driver->options.archiver : "ar");
  cc_list_add(&command, "rcs");
  cc_list_add(&command, driver->options.output != NULL ? driver->options.output : "a.a");
  for (size_t i = 0; i < files->count; i++)
    if (files->items[i][0] != '-')
      cc_list_add(&command, files->items[i]);
  return cc_workshop_run(&driver->workshop, "archive", &command);
}

static int link_or_archive(cc_driver *driver) {
  cc_list files;
  cc_list_init(&files, driver->arena);
  int status = make_objects(driver, &files);
  if (status != 0 || cc_workshop_signal() != 0)
    return status;
  switch (driver->options.goal) {
  case CC_ARCHIVE:
    return archive_files(driver, &files);
  case CC_DEVICE_LINK:
    return cc_relocatable_device_link(driver, &files, linked_name(&driver->options));
  case CC_MODULE_LINK:
    return cc_relocatable_module_link(driver, &files, linked_name(&driver->options));
  default:
    return link_files(driver, &files);
  }
}

/* ---- running --------------------------------------------------------------------------------------------- */

static int run_program(cc_driver *driver, const char *path) {
  const char *before = getenv("LD_LIBRARY_PATH");
  cc_buffer folders;
  cc_list command;
  cc_buffer_init(&folders, driver->arena);
  cc_list_init(&command, driver->arena);
  for (size_t i = 0; i < driver->home.libraries.count; i++)
    cc_buffer_print(&folders, "%s%s", i > 0 ? ":" : "", driver->home.libraries.items[i]);
  if (before != NULL && *before != 0)
    cc_buffer_print(&folders, ":%s", before);
  setenv("LD_LIBRARY_PATH", folders.text, 1);
  cc_list_add(&command, strchr(path, '/') != NULL ? path : vptr__arena_format(driver->arena, "./%s", path));
  cc_list_append(&command, &driver->options.run_arguments);
  return cc_workshop_run(&driver->workshop, "run", &command);
}

/* One file that is no object, no library and no source, and that can be run: nothing is linked. */
static const char *finished_program(const cc_options *options) {
  const char *path = NULL;
  for (size_t i = 0; i < options->input_count; i++)
    if (strcmp(options->inputs[i].language, "object") == 0)
      path = options->inputs[i].path;
  if (options->file_count != 1 || path == NULL)
    return NULL;
  const char *dot = strrchr(path, '.');
  bool is_part = dot != NULL && (strcmp(dot, ".o") == 0 || strcmp(dot, ".a") == 0 || strncmp(dot, ".so", 3) == 0);
  return !is_part && access(path, X_OK) == 0 ? path : NULL;
}

static int link_and_run(cc_driver *driver) {
  const char *path = finished_program(&driver->options);
  if (path != NULL)
    return run_program(driver, path);
  int status = link_or_archive(driver);
  return status == 0 && cc_workshop_signal() == 0 ? run_program(driver, program_name(&driver->options)) : status;
}

/* ---- all of it ------------------------------------------------------------------------------------------- */

static int dispatch_goal(cc_driver *driver) {
  switch (driver->options.goal) {
  case CC_COMPILE:
    return make_each(driver, cc_compile, ".o");
  case CC_PREPROCESS:
    return make_each(driver, cc_preprocess, NULL);
  case CC_DEPENDENCIES:
    return make_each(driver, cc_write_dependencies, NULL);
  case CC_HOST_TEXT:
    return make_each(driver, cc_write_host_text, ".cu.cpp.ii");
  case CC_MODULE:
    return make_each(driver, cc_write_module, ".ptx");
  case CC_DUMP:
    return make_each(driver, cc_write_dump, NULL);
  case CC_RUN:
    return link_and_run(driver);
  default:
    return link_or_archive(driver);
  }
}

/* Said before any work is done; CMake asks with a name that nothing has. */
static bool has_inputs(const cc_options *options) {
  bool are_there = true;
  for (size_t i = 0; i < options->input_count && !options->is_dry; i++) {
    const cc_input *input = &options->inputs[i];
    if (strcmp(input->language, "option") == 0 || access(input->path, F_OK) == 0)
      continue;
    fprintf(stderr, "vptrcc: error: %s: %s\n", input->path, strerror(errno));
    are_there = false;
  }
  return are_there;
}

static bool spares_file(const cc_options *options, const char *path, const char *named_by) {
  if (path == NULL || !cc_options_is_input(options, path))
    return true;
  fprintf(stderr, "vptrcc: error: %s would be overwritten, and it is an input: name another file %s\n", path,
          named_by);
  return false;
}

static const char *suffix_of(cc_goal goal) {
  return goal == CC_COMPILE ? ".o" : goal == CC_HOST_TEXT ? ".cu.cpp.ii" : goal == CC_MODULE ? ".ptx" : NULL;
}

/* The names that no option says. */
static bool spares_input(const cc_options *options, const cc_input *input) {
  const char *suffix = suffix_of(options->goal);
  bool is_source = strcmp(input->language, "object") != 0 && strcmp(input->language, "option") != 0;
  if (!is_source)
    return true;
  bool spared = options->output != NULL || suffix == NULL ||
                spares_file(options, cc_output_name(options, input->path, suffix), "with -o");
  return spared && (!options->depends || spares_file(options, cc_depend_file(options, input->path), "with -MF"));
}

/* A slip in a command line must not cost a source. */
static bool spares_inputs(const cc_options *options) {
  bool spared =
      spares_file(options, options->output, "with -o") && spares_file(options, options->depend_file, "with -MF");
  if (options->output == NULL && (options->goal == CC_LINK || options->goal == CC_RUN) &&
      (options->goal == CC_LINK || finished_program(options) == NULL))
    spared = spared && spares_file(options, program_name(options), "with -o");
  if (options->output == NULL && (options->goal == CC_DEVICE_LINK || options->goal == CC_MODULE_LINK))
    spared = spared && spares_file(options, linked_name(options), "with -o");
  for (size_t i = 0; spared && i < options->input_count; i++)
    spared = spares_input(options, &options->inputs[i]);
  return spared;
}

/* ---- the program ----------------------------------------------------------------------------------------- */

static int run_goal(cc_driver *driver) {
  if (cc_options_want_words(&driver->options))
    return 0;
  cc_home_find(&driver->home, &driver->options);
  if (driver->options.goal == CC_LIST_FRONT_ENDS) {
    cc_clang_print(driver);
    return 0;
  }
  if (driver->options.is_verbose)
    cc_home_print(&driver->home);
  if (!has_inputs(&driver->options) || !spares_inputs(&driver->options))
    return 1;
  if (!cc_workshop_open(&driver->workshop, &driver->options))
    return 1;
  int status = dispatch_goal(driver);
  driver->workshop.timing.source = "";
  bool is_told = cc_timing_tell(&driver->workshop.timing, &driver->options);
  return status != 0 || is_told ? status : 1;
}

/* Memory ends in one way: the arena jumps here. */
static int run_driver(cc_driver *driver, vptr__arena *arena, int argc, char **argv) {
  jmp_buf out;
  vptr__arena_init(arena, &out);
  int why = setjmp(out);
  if (why != 0) {
    fputs(why == VPTR__ARENA_TOO_DEEP ? "vptrcc: error: something in this text nests too deep: take it apart\n"
                                      : "vptrcc: error: memory is out\n",
          stderr);
    return 1;
  }
  driver->arena = arena;
  cc_options_read(&driver->options, arena, argc, argv);
  if (driver->options.wrong != NULL) {
    fprintf(stderr, "vptrcc: error: %s; 'vptrcc --help' lists what there is\n", driver->options.wrong);
    return 1;
  }
  return run_goal(driver);
}

static int final_status(int status) {
  int signal = cc_workshop_signal();
  if (signal != 0) {
    struct sigaction action = { .sa_handler = SIG_DFL };
    sigaction(signal, &action, NULL);
    raise(signal);
  }
  if (fflush(stdout) != 0) {
    perror("vptrcc: error: cannot write the output");
    return 1;
  }
  return status;
}

int main(int argc, char **argv) {
  static cc_driver driver;
  static vptr__arena arena;
  int status = run_driver(&driver, &arena, argc, argv);
  cc_workshop_close(&driver.workshop);
  cc_goal goal = driver.options.goal;
  vptr__arena_free(&arena);
  if (status == 0 && goal == CC_HELP)
    cc_print_help();
  else if (status == 0 && goal == CC_VERSION)
    cc_print_version();
  else if (status == 0 && (goal == CC_LIST_ARCH || goal == CC_LIST_CODE))
    cc_print_architectures(goal == CC_LIST_ARCH ? "compute" : "sm");
  return final_status(status);
}
