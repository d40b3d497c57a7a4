/* SPDX-License-Identifier: MIT */
/* compile - see compile.h. */
#include "compile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "carried.h"
#include "clang.h"
#include "depend.h"
#include "device.h"
#include "host_half.h"
#include "register.h"
#include "relocatable.h"
#include "split.h"
#include "translate/translate.h"

const char *cc_output_name(const cc_options *options, const char *path, const char *suffix) {
  const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path, *dot = strrchr(base, '.');
  int length = (int)(dot != NULL && dot != base ? (size_t)(dot - base) : strlen(base));
  const char *name = vptr__arena_format(options->arena, "%.*s%s", length, base, suffix);
  const char *folder = options->output_folder;
  return folder != NULL ? vptr__arena_format(options->arena, "%s/%s", folder, name) : name;
}

/* ---- commands -------------------------------------------------------------------------------------------- */

static bool is_c(const char *language) {
  return strcmp(language, "c") == 0;
}

static cc_list command_of(const cc_driver *driver, const cc_list *compiler, const char *language) {
  cc_list command;
  cc_list_init(&command, driver->arena);
  cc_list_append(&command, compiler);
  cc_list_append(&command, &driver->options.flags);
  const char *standard = driver->options.standard;
  if (standard != NULL && (strstr(standard, "++") == NULL) == is_c(language))
    cc_list_print(&command, "-std=%s", standard);
  return command;
}

cc_list cc_host_command(const cc_driver *driver, const char *language) {
  return command_of(driver, is_c(language) ? &driver->home.cc : &driver->home.cxx, language);
}

cc_list cc_link_command(const cc_driver *driver) {
  return command_of(driver, &driver->home.linker, "c++");
}

/* Macros that a CUDA compiler has. The words of CUDA stand for themselves, so that the splitter sees them; given
 * here and not in a header, they leave no line markers where they are used. */
static void add_cuda_macros(cc_list *command, const cc_options *options) {
  static const char *const macros[] = {
    "__CUDACC__=1",
    "__NVCC__=1",
    "__VPTRCC__=1",
    "__CUDACC_VER_MAJOR__=13",
    "__CUDACC_VER_MINOR__=0",
    "__CUDACC_VER_BUILD__=0",
    "__global__=__global__",
    "__device__=__device__",
    "__host__=__host__",
    "__constant__=__constant__",
    "__managed__=__managed__",
    "__shared__=__shared__",
    "__launch_bounds__(...)=",
    "__grid_constant__=",
    "__cluster_dims__(...)=",
  };
  for (size_t i = 0; i < sizeof macros / sizeof *macros; i++)
    cc_list_print(command, "-D%s", macros[i]);
  if (options->is_relocatable)
    cc_list_add(command, "-D__CUDACC_RDC__=1");
}

/* Our headers come behind the user's. <vptr/...> may be in a folder that the compiler searches anyway, whose place
 * in its order must not change, or #include_next fails: hence -idirafter. */
static cc_list preprocessing_command(const cc_driver *driver, const char *language) {
  bool is_cuda = strcmp(language, "cu") == 0;
  cc_list command = cc_host_command(driver, language);
  if (is_cuda)
    add_cuda_macros(&command, &driver->options);
  if (is_cuda) {
    cc_list_add(&command, "-include");
    cc_list_add(&command, "cuda_runtime.h");
  }
  cc_list_append(&command, &driver->options.preprocessing);
  for (size_t i = 0; i < driver->home.headers.count; i++) {
    cc_list_add(&command, "-isystem");
    cc_list_add(&command, driver->home.cuda_headers.items[i]);
    cc_list_add(&command, "-idirafter");
    cc_list_add(&command, driver->home.headers.items[i]);
  }
  cc_list_add(&command, "-x");
  cc_list_add(&command, is_c(language) ? "c" : "c++");
  return command;
}

static void add_output(cc_list *command, const char *path, const char *output) {
  cc_list_add(command, path);
  if (output != NULL) {
    cc_list_add(command, "-o");
    cc_list_add(command, output);
  }
}

int cc_compile_generated(cc_driver *driver, const char *source, const char *object) {
  cc_list command = preprocessing_command(driver, "c++");
  cc_list_add(&command, "-D__VPTRCC__=1");
  cc_list_add(&command, "-include");
  cc_list_add(&command, "cuda_runtime.h");
  cc_list_add(&command, "-c");
  add_output(&command, source, object);
  return cc_workshop_run(&driver->workshop, "compile", &command);
}

int cc_preprocess(cc_driver *driver, const cc_input *input, const char *output) {
  cc_list command = preprocessing_command(driver, input->language);
  cc_list_add(&command, "-E");
  add_output(&command, input->path, output);
  return cc_workshop_run(&driver->workshop, "preprocess", &command);
}

int cc_write_dependencies(cc_driver *driver, const cc_input *input, const char *output) {
  cc_list command = preprocessing_command(driver, input->language);
  cc_list_add(&command, driver->options.skips_system_headers ? "-MM" : "-M");
  cc_depend_options(&command, &driver->options, cc_output_name(&driver->options, input->path, ".o"), NULL);
  add_output(&command, input->path, output);
  return cc_workshop_run(&driver->workshop, "dependencies", &command);
}

/* ---- sources without kernels ----------------------------------------------------------------------------- */

static int compile_host(cc_driver *driver, const cc_input *input, const char *object) {
  const cc_options *options = &driver->options;
  cc_list command = preprocessing_command(driver, input->language);
  if (options->depends) {
    cc_list_add(&command, options->skips_system_headers ? "-MMD" : "-MD");
    cc_depend_options(&command, options, cc_depend_target(options, input->path, object),
                      cc_depend_file(options, input->path));
  }
  cc_list_add(&command, "-c");
  add_output(&command, input->path, object);
  return cc_workshop_run(&driver->workshop, "compile", &command);
}

/* ---- CUDA ------------------------------------------------------------------------------------------------ */

/* One CUDA file on its way. */
typedef struct job {
  const cc_input *input;
  const char *object;
  const char *preprocessed, *host, *dependencies; /* paths */
  cc_device_text device;
  bool is_translated;
  bool is_module; /* what is asked for is the module, not an object */
  cc_split split;
} job;

static int preprocess_for_host(cc_driver *driver, job *job) {
  const cc_options *options = &driver->options;
  cc_list command = preprocessing_command(driver, "cu");
  cc_list_add(&command, "-E");
  if (options->depends) {
    job->dependencies = cc_workshop_path(&driver->workshop, job->input->path, ".d");
    cc_list_add(&command, options->skips_system_headers ? "-MMD" : "-MD");
    cc_depend_options(&command, options, cc_depend_target(options, job->input->path, job->object), job->dependencies);
  }
  add_output(&command, job->input->path, job->preprocessed);
  return cc_workshop_run(&driver->workshop, "preprocess", &command);
}

/* Of a header that is not there, the host's compiler has told no more than that, and clang neither. */
static void explain_headers(cc_driver *driver, const job *job, bool is_by_clang) {
  const char *text = NULL, *path = job->input->path;
  size_t length = 0;
  if (cc_file_read(driver->arena, path, &text, &length))
    cc_device_explain(&driver->options, &driver->home, is_by_clang, path, text, length);
}

static bool keep_module(cc_driver *driver, const job *job) {
  const char *module = job->device.module;
  return !driver->options.keeps ||
         cc_file_write(cc_workshop_path(&driver->workshop, job->input->path, ".module"), module, strlen(module));
}

static void add_own_time(cc_driver *driver, const char *phase, double begin, double cpu) {
  cc_timing_add(&driver->workshop.timing, phase, CC_TIMING_SELF, "", cc_timing_now() - begin, cc_timing_cpu() - cpu);
}

/* Once: the own front end is tried before the host's text is made, to see whether clang is needed. */
static bool translate_input(cc_driver *driver, job *job) {
  const char *text = NULL, *path = job->input->path;
  size_t length = 0;
  if (job->is_translated)
    return job->device.module != NULL;
  if (!cc_file_read(driver->arena, path, &text, &length))
    return false;
  if (driver->options.is_relocatable && !job->is_module)
    return cc_relocatable_text(&driver->options, &driver->home, path, text, length, &job->device);
  job->is_translated = true;
  double begin = cc_timing_now(), cpu = cc_timing_cpu();
  bool is_good = cc_device_translate(&driver->options, &driver->home, path, text, length, &job->device);
  add_own_time(driver, "translate", begin, cpu);
  return is_good;
}

static bool finish_host_text(cc_driver *driver, job *job) {
  cc_split *split = &job->split;
  cc_module module;
  if (driver->options.is_relocatable)
    return cc_relocatable_finish(driver, split, job->input->path, &job->device, job->object);
  cc_module_read(&module, driver->arena, job->device.module, strlen(job->device.module));
  return cc_register_module(split, &module, job->input->path);
}

/* libcudart_static.a looks there for the library that it opens. */
static void report_folder(const cc_driver *driver, cc_buffer *out) {
  const char *folder = driver->home.libraries.items[0];
  cc_buffer_print(out, "\n# 1 \"<vptrcc>\" 3\nextern \"C\" {\n"
                       "extern const char vptr_cuda_folder[] __attribute__((weak, visibility(\"hidden\")));\n"
                       "const char vptr_cuda_folder[] = ");
  cc_buffer_quote(out, folder, strlen(folder));
  cc_buffer_print(out, ";\n}\n");
}

static bool split_host_text(cc_driver *driver, job *job) {
  const char *text = NULL;
  size_t length = 0;
  if (!cc_file_read(driver->arena, job->preprocessed, &text, &length))
    return false;
  bool is_good = cc_split_text(&job->split, driver->arena, text, length) && finish_host_text(driver, job);
  report_folder(driver, &job->split.out);
  return is_good && cc_file_write(job->host, job->split.out.text, job->split.out.length);
}

static int compile_host_text(cc_driver *driver, const job *job) {
  cc_list command = cc_host_command(driver, "cu");
  cc_list_add(&command, "-x");
  cc_list_add(&command, "c++-cpp-output");
  cc_list_add(&command, "-c");
  add_output(&command, job->host, job->object);
  return cc_workshop_run(&driver->workshop, "compile", &command);
}

static int make_host_text(cc_driver *driver, job *job) {
  job->preprocessed = cc_workshop_path(&driver->workshop, job->input->path, ".cpp4.ii");
  int status = preprocess_for_host(driver, job);
  if (status != 0 && !driver->options.is_dry)
    explain_headers(driver, job, false);
  if (driver->options.is_verbose)
    fprintf(stderr, "#$ (vptrcc -arch compute_%d translates %s and splits %s into %s)\n",
            vptr__translate_arch(driver->options.arch) / 10, job->input->path, job->preprocessed, job->host);
  if (status == 0 && !driver->options.is_dry)
    status = translate_input(driver, job) && keep_module(driver, job) && split_host_text(driver, job) ? 0 : 1;
  return status;
}

static void print_messages(const job *job) {
  if (job->device.log != NULL)
    fputs(job->device.log, stderr);
  if (job->split.messages.text != NULL)
    fputs(job->split.messages.text, stderr);
}

/* ---- clang ----------------------------------------------------------------------------------------------- */

static int compile_by_clang(cc_driver *driver, job *job) {
  const char *why = NULL;
  if (!cc_clang_find(driver, &why)) {
    fprintf(stderr, "vptrcc: error: %s\n", why);
    return 1;
  }
  const char *dependencies = driver->options.depends ? cc_depend_file(&driver->options, job->input->path) : NULL;
  if (driver->options.is_relocatable)
    return cc_relocatable_compile(driver, job->input, job->object, dependencies);
  cc_host_half half;
  driver->has_children = false;
  cc_host_half_begin(driver, job->input, job->object, dependencies, &half);
  bool is_good = cc_clang_translate(driver, job->input, &job->device);
  if (is_good && driver->has_children) { /* which that one was refused for, too */
    cc_host_half_give_up(&half);
    cc_host_half_begin(driver, job->input, job->object, dependencies, &half);
  }
  if (job->device.log != NULL)
    fputs(job->device.log, stderr);
  if (!is_good && !driver->options.is_dry)
    explain_headers(driver, job, true);
  if (is_good && (driver->options.is_dry || keep_module(driver, job)))
    return cc_host_half_finish(&half, job->device.module);
  cc_host_half_give_up(&half);
  return 1;
}

/* A file of a relocatable program is translated when it is linked: here it is judged alone. */
static bool is_for_own(cc_driver *driver, job *job) {
  const char *text = NULL, *path = job->input->path;
  size_t length = 0;
  cc_device_text judged;
  if (!driver->options.is_relocatable || job->is_module)
    return (translate_input(driver, job) || job->device.log == NULL) && !job->device.is_library;
  if (!cc_file_read(driver->arena, path, &text, &length))
    return true;
  double begin = cc_timing_now(), cpu = cc_timing_cpu();
  bool is_good = cc_device_judge(&driver->options, &driver->home, path, text, length, &judged);
  add_own_time(driver, "judge", begin, cpu);
  return (is_good || judged.log == NULL) && !judged.is_library;
}

/* Whether the own front end has found something that it has not, in the kernels or in their launches. Clang is first
 * asked for the form that finds buffers: LLVM optimises before accesses are looked up. */
static bool needs_clang(cc_driver *driver, job *job) {
  const char *why = NULL;
  if (driver->options.front_end == CC_FRONT_END_AUTO && driver->options.finds_buffers && cc_clang_find(driver, &why))
    return true;
  if (driver->options.front_end != CC_FRONT_END_AUTO || driver->options.is_dry)
    return driver->options.front_end == CC_FRONT_END_CLANG;
  if (is_for_own(driver, job) || !cc_clang_find(driver, &why))
    return false;
  if (driver->options.is_verbose)
    fprintf(stderr, "#$ (vptrcc has not all that %s has in its kernels: clang compiles it)\n", job->input->path);
  return true;
}

/* What to install is said where it would have helped. */
static void advise_clang(cc_driver *driver, const job *job) {
  const char *why = NULL;
  bool is_refused = job->device.module == NULL || job->split.messages.length > 0;
  if (driver->options.front_end == CC_FRONT_END_AUTO && is_refused && !cc_clang_find(driver, &why))
    fprintf(stderr, "vptrcc: note: if this is C++ that vptrcc has not: %s\n", why);
}

static int compile_by_own(cc_driver *driver, job *job) {
  job->host = cc_workshop_path(&driver->workshop, job->input->path, ".cudafe1.ii");
  int status = make_host_text(driver, job);
  bool is_for_clang = status != 0 && job->device.module != NULL && job->split.messages.length > 0;
  const char *why = NULL;
  if (is_for_clang && driver->options.front_end == CC_FRONT_END_AUTO && cc_clang_find(driver, &why))
    return compile_by_clang(driver, job);
  print_messages(job);
  if (status != 0 && job->is_translated)
    advise_clang(driver, job);
  return status != 0 ? status : compile_host_text(driver, job);
}

static int compile_cuda(cc_driver *driver, const cc_input *input, const char *object) {
  job job = { .input = input, .object = object };
  if (needs_clang(driver, &job))
    return compile_by_clang(driver, &job);
  int status = compile_by_own(driver, &job);
  if (status == 0 && job.dependencies != NULL && !driver->options.is_dry)
    status = cc_depend_write(&driver->options, job.dependencies, &job.device.included,
                             cc_depend_file(&driver->options, input->path))
                 ? 0
                 : 1;
  return status;
}

int cc_compile(cc_driver *driver, const cc_input *input, const char *object) {
  driver->workshop.timing.source = input->path;
  return strcmp(input->language, "cu") == 0 ? compile_cuda(driver, input, object)
                                            : compile_host(driver, input, object);
}

int cc_write_host_text(cc_driver *driver, const cc_input *input, const char *output) {
  job job = { .input = input, .object = output, .host = output };
  if (strcmp(input->language, "cu") != 0)
    return 0;
  int status = make_host_text(driver, &job);
  print_messages(&job);
  return status;
}

/* The device's side alone; an exit status. What was asked for is in job->device, and messages have been printed. */
static int translate_alone(cc_driver *driver, job *job) {
  const char *why = NULL;
  bool is_by_clang = needs_clang(driver, job);
  if (is_by_clang && !cc_clang_find(driver, &why)) {
    fprintf(stderr, "vptrcc: error: %s\n", why);
    return 1;
  }
  bool is_good = is_by_clang ? cc_clang_translate(driver, job->input, &job->device) : translate_input(driver, job);
  print_messages(job);
  if (!is_good && !is_by_clang)
    advise_clang(driver, job);
  return is_good ? 0 : 1;
}

static int write_carried(cc_driver *driver, const cc_input *input, const char *output) {
  job job = { .input = input, .object = output };
  const char *why = NULL;
  bool is_by_clang = needs_clang(driver, &job);
  if (is_by_clang && !cc_clang_find(driver, &why)) {
    fprintf(stderr, "vptrcc: error: %s\n", why);
    return 1;
  }
  int status = cc_carried_write(driver, input, is_by_clang, output);
  if (status != 0 && !is_by_clang)
    advise_clang(driver, &job);
  return status;
}

int cc_write_module(cc_driver *driver, const cc_input *input, const char *output) {
  job job = { .input = input, .object = output, .is_module = true };
  if (driver->options.is_dry)
    return 0;
  if (driver->options.is_relocatable)
    return write_carried(driver, input, output);
  int status = translate_alone(driver, &job);
  if (status == 0 && !cc_file_write(output, job.device.module, strlen(job.device.module)))
    status = 1;
  return status;
}

static bool print_dump(const char *dump) {
  if (fputs(dump, stdout) != EOF && fflush(stdout) == 0)
    return true;
  fprintf(stderr, "vptrcc: error: standard output: %s; -o names a file\n", strerror(errno));
  return false;
}

int cc_write_dump(cc_driver *driver, const cc_input *input, const char *output) {
  job job = { .input = input, .object = output, .is_module = true };
  if (driver->options.is_dry)
    return 0;
  if (strcmp(input->language, "cu") != 0) {
    fprintf(stderr, "vptrcc: warning: %s: it has no kernels to dump; -x cu says otherwise\n", input->path);
    return 0;
  }
  int status = translate_alone(driver, &job);
  const char *dump = job.device.dump != NULL ? job.device.dump : "";
  bool is_written = output != NULL ? cc_file_write(output, dump, strlen(dump)) : print_dump(dump);
  return is_written ? status : 1;
}
