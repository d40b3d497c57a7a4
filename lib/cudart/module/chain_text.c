/* SPDX-License-Identifier: MIT */
/*
 * chain_text - the text of a chain's module: lines, what its kernels need of their own module, and the kernel that
 * calls them (chain.h).
 *
 * OpenCL C lets a kernel call another one as a function. Kernels of the module are taken in the form that has all
 * parameters in one struct, whose name and layout follow from the module's lines, on every device: what is set to be
 * VPTR_PACKED for the text concerns no other. The lines name each parameter of each link, so that pointers among them
 * are found and resolved; each link begins at a multiple of 8 bytes in both.
 *
 * Written in two passes over the same words, one to count and one into memory. No data but constants, and no locks; the
 * text that it returns is the caller's. Called by chain.c.
 */
#include "module/chain.h"

#include "base/error.h"
#include "base/memory.h"
#include "module/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { UNIT = 8 };

typedef struct text {
  char *to; /* NULL: it is counted */
  size_t length;
  size_t room; /* with a byte for the end */
} text;

static void __attribute__((format(printf, 2, 3))) add(text *out, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(out->to != NULL ? out->to + out->length : NULL,
                         out->to != NULL ? out->room - out->length : 0, format, arguments);
  va_end(arguments);
  out->length += (size_t)length;
}

static void add_bytes(text *out, const char *bytes, size_t length) {
  if (out->to != NULL)
    memcpy(out->to + out->length, bytes, length);
  out->length += length;
}

/* ---- lines ---------------------------------------------------------------------------------------------- */

static void add_param(text *out, const vptr__image_param *param, bool begins_link) {
  add(out, "//vptr param size=%u align=%u kind=%s%s", param->size, begins_link ? UNIT : param->align,
      param->kind == VPTR__PARAM_POINTER ? "pointer" : "value", param->is_read_only ? " access=read" : "");
  for (uint32_t i = 0; i < param->pointer_count; i++)
    add(out, "%s%u", i > 0 ? "," : param->are_words ? " words=" : " pointers=", param->pointers[i]);
  add(out, "\n");
}

static void add_lines(text *out, const vptr__chain_plan *plan) {
  static const char hidden[] = "//vptr param size=8 align=8 kind=value\n";
  const vptr__function *first = plan->links[0].function;
  add(out,
      "//vptr-module 1\n//vptr kernel name=%.100s..%.100s lowered=" VPTR__CHAIN_ENTRY " entry=" VPTR__CHAIN_ENTRY
      " packed=always shared=%llu private=%llu max_threads=0 min_blocks=0 fast=%d\n",
      first->image->entry, plan->links[plan->count - 1].function->image->entry, (unsigned long long)plan->shared,
      (unsigned long long)plan->own, first->module->image->fast_math);
  for (uint32_t i = 0; i < plan->count; i++) {
    const vptr__chain_link *link = &plan->links[i];
    for (uint32_t k = 0; k < link->function->image->param_count; k++)
      add_param(out, &link->function->image->params[k], k == 0);
    add(out, "%s%s", link->has_block ? hidden : "", link->has_blocks ? hidden : "");
  }
}

/* ---- the kernel ----------------------------------------------------------------------------------------- */

static bool is_struct(const vptr__image_kernel *image) {
  return image->packs && image->param_count > 0;
}

static void add_members(text *out, const vptr__chain_link *link, uint32_t number) {
  const vptr__image_kernel *image = link->function->image;
  if (is_struct(image))
    add(out, "  struct %s__packed l%u __attribute__((aligned(%d)));\n", image->entry, number, (int)UNIT);
  else if (image->param_count > 0)
    add(out, "  ulong l%u;\n", number);
  if (link->has_block)
    add(out, "  ulong b%u;\n", number);
  if (link->has_blocks)
    add(out, "  ulong g%u;\n", number);
}

static void add_call(text *out, const vptr__chain_link *link, uint32_t number) {
  const bool has_parameters = link->function->image->param_count > 0;
  add(out, "  %s(", link->function->image->entry);
  if (has_parameters)
    add(out, "vptr_p.l%u", number);
  if (link->has_windows)
    add(out, "%s0", has_parameters ? ", " : "");
  if (link->has_block)
    add(out, "%svptr_p.b%u", has_parameters || link->has_windows ? ", " : "", number);
  if (link->has_blocks)
    add(out, ", vptr_p.g%u", number);
  add(out, ");\n");
}

/* A work-group of one work-item is in order by itself. */
static void add_kernel(text *out, const vptr__chain_plan *plan) {
  const bool meets = plan->local[0] * plan->local[1] * plan->local[2] > 1;
  add(out, "\n");
  if (plan->bytes > 0) {
    add(out, "struct " VPTR__CHAIN_ENTRY "__packed {\n");
    for (uint32_t i = 0; i < plan->count; i++)
      add_members(out, &plan->links[i], i);
    add(out,
        "};\ntypedef char vptr_size_of_" VPTR__CHAIN_ENTRY "[sizeof(struct " VPTR__CHAIN_ENTRY
        "__packed) == %u ? 1 : -1];\n",
        plan->bytes);
  }
  add(out, "__kernel void " VPTR__CHAIN_ENTRY "(%s) {\n",
      plan->bytes > 0 ? "struct " VPTR__CHAIN_ENTRY "__packed vptr_p" : "");
  for (uint32_t i = 0; i < plan->count; i++) {
    if (i > 0 && meets)
      add(out, "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n");
    add_call(out, &plan->links[i], i);
  }
  add(out, "}\n");
}

static void add_all(text *out, const vptr__chain_plan *plan, const char *part, size_t length) {
  add_lines(out, plan);
  add(out, "#undef VPTR_PACKED\n#define VPTR_PACKED 1\n");
  add_bytes(out, part, length);
  add_kernel(out, plan);
}

vptr_status vptr__chain_text(const vptr__chain_plan *plan, char **text_out, size_t *length_out) {
  const vptr__function *functions[VPTR__CHAIN_LINKS];
  text out = { .to = NULL };
  char *part;
  size_t length;
  for (uint32_t i = 0; i < plan->count; i++)
    functions[i] = plan->links[i].function;
  vptr_status status = vptr__part_cut(functions, plan->count, &part, &length);
  if (status != VPTR_SUCCESS)
    return status;
  add_all(&out, plan, part, length);
  out = (text){ .to = vptr__memory_calloc(out.length + 1, 1), .room = out.length + 1 };
  if (out.to != NULL)
    add_all(&out, plan, part, length);
  else
    status = vptr__error_host_memory(out.room);
  vptr__memory_free(part);
  *text_out = out.to;
  *length_out = out.length;
  return status;
}
