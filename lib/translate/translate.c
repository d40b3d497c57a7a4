/* SPDX-License-Identifier: MIT */
/*
 * translate - see translate.h.
 *
 * The passes have one way out when memory or a limit ends: a jump to here. All that they made lies in the arena; what
 * the caller gets is copied out of it at the end, so that there is one place that can leak, and it does not.
 */
#include "translate/translate.h"

#include <string.h>

#include "base/memory.h"
#include "translate/dump/dump.h"
#include "translate/emit/emit.h"
#include "translate/expression.h"
#include "translate/infer/infer.h"
#include "translate/lower/plan.h"
#include "translate/syntax/parser.h"
#include "translate/types/types.h"

enum { ROOM_FOR_LOG = 1 << 20 };

typedef struct work {
  const char *name, *text;
  size_t length;
  const vptr__reader *reader;
  const vptr__translate_options *options;
  jmp_buf out;
  vptr__arena arena;
  vptr__source *source; /* NULL: not made yet */
  vptr__preprocessor *preprocessor;
  vptr__source_file *file;
  const char *module, *log;
  vptr__dump dump;
} work;

/* ---- the way --------------------------------------------------------------------------------------------- */

static void open_dump(work *work) {
  work->dump =
      (vptr__dump){ .steps = work->options->dump, .is_kernel_c = work->options->is_kernel_c, .name = work->name };
  vptr__writer_init(&work->dump.out, &work->arena);
}

static void open_text(work *work) {
  work->source = vptr__source_create(&work->arena);
  if (work->options->no_warnings)
    vptr__source_mute_warnings(work->source);
  work->preprocessor = vptr__preprocessor_create(work->source, work->reader);
  if (work->options->is_rtc)
    vptr__preprocessor_define(work->preprocessor, "__CUDACC_RTC__", NULL);
  vptr__preprocessor_define_all(work->preprocessor, vptr__translate_arch(work->options->arch),
                                work->options->defines);
  const char *text = vptr__arena_copy(&work->arena, work->text, work->length);
  const char *name = vptr__arena_copy(&work->arena, work->name, strlen(work->name));
  work->file = vptr__source_add(work->source, name, text, work->length, 0);
  vptr__preprocessor_push(work->preprocessor, work->file);
  vptr__preprocessor_push_built_in(work->preprocessor, "cuda_runtime.h");
}

static bool check_unit(work *work, vptr__unit *unit) {
  unit->is_part = work->options->is_part;
  vptr__dump_tree(&work->dump, unit);
  bool is_good = vptr__source_errors(work->source) == 0 && vptr__types_check(unit);
  vptr__dump_types(&work->dump, is_good ? unit : NULL);
  return is_good;
}

static const char *emit_module(work *work, vptr__unit *unit, const vptr__plan *plan) {
  const vptr__translate_options *options = work->options;
  vptr__emit_options emit = { .no_fma = options->no_fma,
                              .fast_math = options->fast_math,
                              .is_kernel_c = options->is_kernel_c,
                              .finds_buffers = options->finds_buffers && !options->is_kernel_c,
                              .arch = vptr__translate_arch(options->arch) };
  const char *module = vptr__emit_module(plan, &emit);
  if (module != NULL && options->names != NULL)
    module = vptr__expression_add(unit, options->names, module);
  return vptr__source_errors(work->source) == 0 ? module : NULL;
}

/* NULL: there were errors. A pass that met some may have made nothing that the next could stand on. */
static const char *make_module(work *work) {
  vptr__unit *unit = vptr__parser_run(work->source, work->preprocessor, work->options->default_device);
  bool is_checked = check_unit(work, unit);
  if (is_checked && work->options->is_part)
    return "";
  vptr__inference *inference = is_checked ? vptr__infer_run(unit) : NULL;
  vptr__dump_spaces(&work->dump, unit, inference);
  const vptr__plan *plan = inference != NULL ? vptr__plan_make(unit, inference) : NULL;
  const char *module = plan != NULL ? emit_module(work, unit, plan) : NULL;
  vptr__dump_plan(&work->dump, unit, inference, plan);
  vptr__dump_module(&work->dump, module);
  return module;
}

static void report_end(work *work, vptr__arena_end why) {
  vptr__position position = work->file != NULL ? work->file->begin : 0;
  vptr__source_unsilence_all(work->source); /* an attempt of the parser's may have ended so */
  if (why == VPTR__ARENA_TOO_DEEP)
    vptr__source_report(work->source, VPTR__ERROR, position,
                        "something in this text nests more than %d deep: take it apart", work->arena.depth_limit);
  else
    vptr__source_report(
        work->source, VPTR__ERROR, position,
        "the translation takes more than %zu MiB, or macros and includes that do not end: make it smaller",
        (work->arena.limit - ROOM_FOR_LOG) >> 20);
}

/* The setjmp()s are in functions that change no variable of their own. */
static vptr__arena_end run_translation(work *work) {
  int why = setjmp(work->out);
  if (why != 0)
    return (vptr__arena_end)why;
  open_text(work);
  work->module = make_module(work);
  return (vptr__arena_end)0;
}

/* The limit is raised a little, so that what went wrong can be said even when memory was that. */
static bool make_log(work *work, vptr__arena_end why) {
  work->arena.limit += ROOM_FOR_LOG;
  work->arena.depth = 0;
  int again = setjmp(work->out);
  if (again != 0)
    return false;
  if (work->source == NULL)
    work->source = vptr__source_create(&work->arena);
  if (why != 0)
    report_end(work, why);
  work->log = vptr__source_log(work->source);
  return true;
}

/* ---- what the caller gets -------------------------------------------------------------------------------- */

static char *copy_of(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = vptr__memory_calloc(1, size);
  if (copy != NULL)
    memcpy(copy, text, size);
  return copy;
}

static const char *included_at(const vptr__preprocessor *preprocessor, int index) {
  return vptr__preprocessor_included(preprocessor, index);
}

static const char *absent_at(const vptr__preprocessor *preprocessor, int index) {
  const vptr__absent *absent = vptr__preprocessor_absent(preprocessor);
  for (; absent != NULL && index > 0; index--)
    absent = absent->next;
  return absent != NULL ? absent->name : NULL;
}

static void free_list(char **list) {
  for (char **item = list; item != NULL && *item != NULL; item++)
    vptr__memory_free(*item);
  vptr__memory_free(list);
}

/* NULL: memory is out, and nothing is left. */
static char **copy_list(const vptr__preprocessor *preprocessor,
                        const char *item_at(const vptr__preprocessor *preprocessor, int index)) {
  int count = 0;
  while (preprocessor != NULL && item_at(preprocessor, count) != NULL)
    count++;
  char **list = vptr__memory_calloc((size_t)count + 1, sizeof *list);
  for (int i = 0; list != NULL && i < count; i++)
    if ((list[i] = copy_of(item_at(preprocessor, i))) == NULL) {
      free_list(list);
      return NULL;
    }
  return list;
}

static bool copy_out(const work *work, vptr__translation *translation) {
  *translation =
      (vptr__translation){ NULL, copy_of(work->log), copy_list(work->preprocessor, included_at),
                           copy_list(work->preprocessor, absent_at), copy_of(vptr__writer_result(&work->dump.out)) };
  if (work->module != NULL)
    translation->module = copy_of(work->module);
  if (translation->log != NULL && translation->included != NULL && translation->absent != NULL &&
      translation->dump != NULL && (work->module == NULL || translation->module != NULL))
    return true;
  vptr__translate_free(translation);
  return false;
}

bool vptr__translate(const char *name, const char *text, size_t length, const vptr__reader *reader,
                     const vptr__translate_options *options, vptr__translation *translation_out) {
  static const vptr__translate_options plain = { 0 };
  work work = { .name = name, .text = text, .length = length, .reader = reader };
  work.options = options != NULL ? options : &plain;
  vptr__arena_init(&work.arena, &work.out);
  if (work.options->memory_limit != 0)
    work.arena.limit = work.options->memory_limit;
  open_dump(&work);
  vptr__arena_end why = run_translation(&work);
  if (why != 0)
    work.module = NULL;
  vptr__translation translation = { NULL, NULL, NULL, NULL, NULL };
  bool is_done = why != VPTR__ARENA_NO_MEMORY && make_log(&work, why) && copy_out(&work, &translation);
  vptr__arena_free(&work.arena);
  if (is_done)
    *translation_out = translation;
  return is_done;
}

void vptr__translate_free(vptr__translation *translation) {
  vptr__memory_free(translation->module);
  vptr__memory_free(translation->log);
  vptr__memory_free(translation->dump);
  free_list(translation->included);
  free_list(translation->absent);
  *translation = (vptr__translation){ NULL, NULL, NULL, NULL, NULL };
}
