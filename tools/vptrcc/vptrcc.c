/* SPDX-License-Identifier: MIT */
/*
 * vptrcc - compiles CUDA programs for OpenCL devices, and is used as nvcc is.
 *
 * A driver: the translator (lib/translate) is linked in, everything else is the host's own C++ compiler, run as often
 * as needed. What goes on between those steps lies in a temporary folder, which is removed on every way out.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "compile.h"
#include "relocatable.h"

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
      output = cc_output_name(driver->arena, input->path, suffix);
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

static void add_runtime(const cc_driver *driver, cc_list *command) {
  for (size_t i = 0; i < driver->home.libraries.count; i++) {
    cc_list_print(command, "-L%s", driver->home.libraries.items[i]);
    cc_list_print(command, "-Wl,-rpath,%s", driver->home.libraries.items[i]);
  }
  if (driver->options.has_no_runtime)
    return;
  cc_list_add(command, "-lvptr-cudart");
  cc_list_add(command, "-lvptr");
}

static int link_files(cc_driver *driver, cc_list *files) {
  const char *output = driver->options.output != NULL ? driver->options.output : "a.out";
  int status = cc_relocatable_link(driver, files);
  if (status != 0)
    return status;
  cc_list command = cc_host_command(driver, "c++");
  cc_list_append(&command, &driver->options.linking);
  cc_list_append(&command, files);
  add_runtime(driver, &command);
  cc_list_add(&command, "-o");
  cc_list_add(&command, output);
  return cc_workshop_run(&driver->workshop, &command);
}

static int archive_files(cc_driver *driver, const cc_list *files) {
  cc_list command;
  cc_list_init(&command, driver->arena);
  cc_list_add(&command, "ar");
  cc_list_add(&command, "rcs");
  cc_list_add(&command, driver->options.output != NULL ? driver->options.output : "a.a");
  for (size_t i = 0; i < files->count; i++)
    if (files->items[i][0] != '-')
      cc_list_add(&command, files->items[i]);
  return cc_workshop_run(&driver->workshop, &command);
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
    return cc_relocatable_device_link(driver, &files,
                                      driver->options.output != NULL ? driver->options.output : "a_dlink.o");
  default:
    return link_files(driver, &files);
  }
}

static int reach(cc_driver *driver) {
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
  default:
    return link_or_archive(driver);
  }
}

/* ---- the program ----------------------------------------------------------------------------------------- */

static int work(cc_driver *driver) {
  if (driver->options.goal == CC_HELP || driver->options.goal == CC_VERSION)
    return 0;
  cc_home_find(&driver->home, &driver->options);
  return cc_workshop_open(&driver->workshop, &driver->options) ? reach(driver) : 1;
}

/* Memory ends in one way: the arena jumps here. */
static int run(cc_driver *driver, vptr__arena *arena, int argc, char **argv) {
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
  return work(driver);
}

static int leave(int status) {
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
  int status = run(&driver, &arena, argc, argv);
  cc_workshop_close(&driver.workshop);
  cc_goal goal = driver.options.goal;
  vptr__arena_free(&arena);
  if (status == 0 && goal == CC_HELP)
    cc_print_help();
  else if (status == 0 && goal == CC_VERSION)
    cc_print_version();
  return leave(status);
}
