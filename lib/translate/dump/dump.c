/* SPDX-License-Identifier: MIT */
/* dump - see dump.h. */
#include "translate/dump/dump.h"

#include <string.h>

#include "translate/dump/plan.h"
#include "translate/dump/spaces.h"
#include "translate/dump/threads.h"
#include "translate/dump/tree.h"

static const struct {
  unsigned step;
  const char *word;
} steps[] = {
  { VPTR__DUMP_TREE, "tree" }, { VPTR__DUMP_TYPES, "types" }, { VPTR__DUMP_SPACES, "spaces" },
  { VPTR__DUMP_PLAN, "plan" }, { VPTR__DUMP_TEXT, "text" },
};
enum { STEPS = sizeof steps / sizeof *steps };

static unsigned step_of(const char *word, size_t length) {
  for (size_t i = 0; i < STEPS; i++)
    if (strlen(steps[i].word) == length && strncmp(steps[i].word, word, length) == 0)
      return steps[i].step;
  return 0;
}

unsigned vptr__dump_steps(const char *words) {
  unsigned all = 0;
  for (;;) {
    size_t length = strcspn(words, ",");
    unsigned step = step_of(words, length);
    all |= step;
    if (step == 0 || words[length] == '\0')
      return step == 0 ? 0 : all;
    words += length + 1;
  }
}

static void add_text(vptr__dump *dump, const char *text) {
  size_t length = strlen(text);
  vptr__writer_text(&dump->out, text);
  if (length > 0 && text[length - 1] != '\n')
    vptr__writer_text(&dump->out, "\n");
}

/* The step's section; text NULL: it has made nothing. */
static void add_section(vptr__dump *dump, unsigned step, const char *text) {
  const char *word = "";
  for (size_t i = 0; i < STEPS; i++)
    if (steps[i].step == step)
      word = steps[i].word;
  vptr__writer_format(&dump->out, "== %s of %s%s\n", word, dump->name,
                      text == NULL ? ": none, there were errors" : "");
  add_text(dump, text != NULL ? text : "");
}

void vptr__dump_tree(vptr__dump *dump, const vptr__unit *unit) {
  unsigned form = VPTR__PRINT_LINES | (dump->is_kernel_c ? VPTR__PRINT_PROGRAM : 0);
  if (dump->steps & VPTR__DUMP_TREE)
    add_section(dump, VPTR__DUMP_TREE, vptr__tree_text(unit, form));
}

void vptr__dump_types(vptr__dump *dump, const vptr__unit *unit) {
  if (dump->steps & VPTR__DUMP_TYPES)
    add_section(dump, VPTR__DUMP_TYPES,
                unit != NULL ? vptr__tree_text(unit, VPTR__PRINT_LINES | VPTR__PRINT_TYPES) : NULL);
}

void vptr__dump_spaces(vptr__dump *dump, const vptr__unit *unit, const vptr__inference *inference) {
  if (dump->steps & VPTR__DUMP_SPACES)
    add_section(dump, VPTR__DUMP_SPACES, inference != NULL ? vptr__spaces_text(unit, inference) : NULL);
}

/* Of a barrier that was refused people want to know what differs. */
void vptr__dump_plan(vptr__dump *dump, const vptr__unit *unit, const vptr__inference *inference,
                     const vptr__plan *plan) {
  if (!(dump->steps & VPTR__DUMP_PLAN))
    return;
  add_section(dump, VPTR__DUMP_PLAN, plan != NULL ? vptr__plan_text(plan) : NULL);
  if (plan == NULL && inference != NULL)
    add_text(dump, vptr__threads_text(unit, inference));
}

void vptr__dump_module(vptr__dump *dump, const char *module) {
  if (dump->steps & VPTR__DUMP_TEXT)
    add_section(dump, VPTR__DUMP_TEXT, module);
}
