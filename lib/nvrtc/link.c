/* SPDX-License-Identifier: MIT */
/*
 * link - see link.h.
 *
 * The inputs are written to a folder that is removed again, and `vptrcc -dlink -ptx` is run there. What comes of it is
 * kept on disk (kept.h): the inputs and who links them are all that it depends on.
 *
 * No data, no locks; thread-safe. Called by cudart/cuda/jit.c, which finds it by dlvsym(). It blocks while vptrcc
 * works: texts of the own front end take milliseconds, bitcode about half a second.
 */
#include "nvrtc/link.h"

#include <string.h>
#include <time.h>

#include "base/binary.h"
#include "base/memory.h"
#include "nvrtc/child.h"
#include "nvrtc/clang.h"
#include "nvrtc/kept.h"

static bool write_inputs(const vptr__nvrtc_input *inputs, size_t count, const char *folder,
                         vptr__nvrtc_list *command) {
  for (size_t i = 0; i < count; i++) {
    vptr__nvrtc_text name = { 0 }, path = { 0 };
    vptr__nvrtc_text_print(&name, "%zu%s", i, inputs[i].suffix);
    vptr__nvrtc_text_print(&path, "%s/%s", folder, name.failed ? "" : name.bytes);
    bool is_written = !name.failed && !path.failed &&
                      vptr__nvrtc_folder_write(folder, name.bytes, inputs[i].bytes, inputs[i].length) &&
                      vptr__nvrtc_list_add(command, path.bytes, path.length) != NULL;
    vptr__nvrtc_text_free(&name);
    vptr__nvrtc_text_free(&path);
    if (!is_written)
      return false;
  }
  return true;
}

static void make_command(vptr__nvrtc_list *command, const char *folder) {
  static const char *const words[] = { "-dlink", "-ptx", "-o" };
  const char *vptrcc = vptr__nvrtc_clang_driver();
  vptr__nvrtc_text module = { 0 };
  vptr__nvrtc_list_add(command, vptrcc, strlen(vptrcc));
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    vptr__nvrtc_list_add(command, words[i], strlen(words[i]));
  vptr__nvrtc_text_print(&module, "%s/module", folder);
  if (!module.failed)
    vptr__nvrtc_list_add(command, module.bytes, module.length);
  command->failed |= module.failed;
  vptr__nvrtc_text_free(&module);
}

static bool link_in(const char *folder, const vptr__nvrtc_input *inputs, size_t count, vptr__nvrtc_text *module,
                    vptr__nvrtc_text *log) {
  vptr__nvrtc_list command = { 0 };
  make_command(&command, folder);
  bool is_written = write_inputs(inputs, count, folder, &command) && !command.failed;
  bool is_started = is_written && vptr__nvrtc_child_run(command.items, folder, "log");
  if (!is_written)
    vptr__nvrtc_text_print(log, "error: the inputs cannot be written to %s: see that there is room\n", folder);
  else if (!is_started)
    vptr__nvrtc_text_print(log, "error: %s links relocatable code, and cannot be run; VPTRCC names another\n",
                           command.items[0]);
  else
    (void)vptr__nvrtc_folder_read(folder, "log", log);
  vptr__nvrtc_list_free(&command);
  return is_started && vptr__nvrtc_folder_read(folder, "module", module) && module->length > 0;
}

/* Linked by these tools, which are files that a later call looks at. */
static void keep(const vptr__nvrtc_text *what, const char *folder, const struct timespec *began,
                 const vptr__nvrtc_text *module, const vptr__nvrtc_text *log) {
  vptr__nvrtc_list files = { 0 };
  if (vptr__nvrtc_clang_tools(folder, &files))
    vptr__nvrtc_kept_store(what, &files, began, module, log);
  vptr__nvrtc_list_free(&files);
}

static void link_anew(const vptr__nvrtc_input *inputs, size_t count, const vptr__nvrtc_text *what,
                      vptr__nvrtc_text *module, vptr__nvrtc_text *log) {
  char *folder;
  struct timespec began;
  if (!vptr__nvrtc_folder_make(&folder)) {
    vptr__nvrtc_text_print(log, "error: linking needs a folder, and none can be made: TMPDIR names where\n");
    return;
  }
  clock_gettime(CLOCK_REALTIME, &began);
  if (link_in(folder, inputs, count, module, log) && what->length > 0)
    keep(what, folder, &began, module, log);
  vptr__nvrtc_folder_remove(folder);
  vptr__memory_free(folder);
}

static void describe(const vptr__nvrtc_input *inputs, size_t count, vptr__nvrtc_text *what) {
  vptr__nvrtc_kept_begin(what);
  vptr__nvrtc_text_print(what, "link\n");
  for (size_t i = 0; i < count; i++) {
    vptr__nvrtc_text_print(what, "%zu %s\n", inputs[i].length, inputs[i].suffix);
    vptr__nvrtc_text_add(what, inputs[i].bytes, inputs[i].length);
  }
}

vptr__nvrtc_verdict vptr__nvrtc_link(const vptr__nvrtc_input *inputs, size_t count, char **module_out,
                                     char **log_out) {
  vptr__nvrtc_text what = { 0 }, module = { 0 }, log = { 0 };
  vptr__nvrtc_text_print(&log, "%s", "");
  if (vptr__binary_is_on())
    describe(inputs, count, &what);
  if (!vptr__nvrtc_clang_is_allowed())
    vptr__nvrtc_text_print(&log, "error: linking needs vptrcc, and a set-uid program starts none\n");
  else if (what.length == 0 || !vptr__nvrtc_kept_load(&what, &module, &log))
    link_anew(inputs, count, &what, &module, &log);
  vptr__nvrtc_text_free(&what);
  if (module.failed || log.failed) {
    vptr__nvrtc_text_free(&module);
    vptr__nvrtc_text_free(&log);
    return VPTR__NVRTC_OUT_OF_MEMORY;
  }
  *module_out = module.bytes;
  *log_out = log.bytes;
  return module.bytes != NULL ? VPTR__NVRTC_DONE : VPTR__NVRTC_ERRORS;
}
