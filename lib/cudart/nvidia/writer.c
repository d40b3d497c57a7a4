/* SPDX-License-Identifier: MIT */
/*
 * writer - writing a surveyed PTX text as a module: the module's lines, and the text with its variables moved out
 * (writer.h).
 *
 *     .global .align 4 .u32 x = 7;        nothing: x is an allocation, and a line of the module has the 7
 *     ld.global.u32 %r1, [x+4];           { .reg .b64 %vptr_0; ld.global.nc.u64 %vptr_0, [__vptr_at+16];
 *                                           ld.global.u32 %r1, [%vptr_0+4]; }
 *     .extern .shared .align 16 .b8 s[];  .shared .align 128 .b8 __vptr_dynamic[        16];
 *     ld.const.f32, cvta.const.u64        ld.global.nc.f32, cvta.global.u64
 *     .shared .align 4 .b8 t[1024];       .shared .align 16 .b8 t[1024];
 *
 * __vptr_at has the address of each variable, in the module's order, and __vptr_set, a kernel that is added, writes one
 * of them: module/address_word.c sends it. So the text is the same in every process, and what a driver made of it may
 * be kept. Loads of addresses are of the kind that a compiler may move out of loops, since nothing writes there while
 * another kernel runs. Constant memory becomes plain global memory, as allocations are.
 *
 * Each kernel is a section, since programs of one size of shared memory have only the kernel that wants it: others
 * might have too much of their own beside that. Information for debuggers is left out: it names variables that are
 * gone.
 *
 * No data and no locks: survey and stream are the caller's. Called by ptx.c. Fails without host memory.
 */
#include "nvidia/writer.h"

#include "base/error.h"
#include "base/memory.h"
#include "module/image.h"
#include "nvidia/declaration.h"
#include "nvidia/reach.h"
#include "nvidia/statement.h"
#include "nvidia/value.h"

#include <inttypes.h>
#include <string.h>

/* ---- the module's lines --------------------------------------------------------------------------------- */

static vptr_status write_content(const vptr__ptx_symbol *symbol, FILE *out) {
  unsigned char *bytes = vptr__memory_calloc((size_t)symbol->size, 1);
  if (bytes == NULL)
    return vptr__error_host_memory((size_t)symbol->size);
  vptr__ptx_value_read(symbol, bytes);
  fputs(" initial=", out);
  for (uint64_t i = 0; i < symbol->size; i++)
    fprintf(out, "%02x", bytes[i]);
  vptr__memory_free(bytes);
  return VPTR_SUCCESS;
}

static vptr_status write_variable(const vptr__ptx_symbol *symbol, FILE *out) {
  const char *kind = symbol->is_managed ? "managed" : symbol->is_constant ? "constant" : "device";
  vptr_status status = VPTR_SUCCESS;
  fprintf(out, "//vptr variable name=%s lowered=%s size=%" PRIu64 " align=%" PRIu64 " kind=%s%s", symbol->name,
          symbol->name, symbol->size, symbol->align, kind, symbol->is_extern ? " extern=1" : "");
  if (symbol->value != NULL)
    status = write_content(symbol, out);
  fputc('\n', out);
  return status;
}

static void write_param(const vptr__ptx_param *param, FILE *out) {
  bool is_first = true;
  fprintf(out, "//vptr param size=%u align=%u kind=value", param->size, param->align);
  for (uint32_t i = 0; i < param->size / 8; i++)
    if ((param->words[i / 64] >> i % 64 & 1) != 0) {
      fprintf(out, "%s%u", is_first ? " words=" : ",", 8 * i);
      is_first = false;
    }
  fputc('\n', out);
}

static const char *words_of(unsigned reasons) {
  if ((reasons & VPTR__PTX_READS_TEXTURES) != 0)
    return " refused=textures";
  if ((reasons & VPTR__PTX_ASKS_GRID) != 0)
    return " refused=grid";
  return (reasons & VPTR__PTX_ASKS_DYNAMIC) != 0 ? " refused=dynamic" : "";
}

static void write_kernel(const vptr__ptx_survey *survey, uint32_t index, vptr__ptx_reach *reach, FILE *out) {
  const vptr__ptx_symbol *kernel = &survey->symbols[index];
  vptr__ptx_reach_follow(survey, index, reach);
  fprintf(out,
          "//vptr kernel name=%s lowered=%s entry=%s shared=%" PRIu64 " max_threads=%u min_blocks=%u arch=%u%s%s\n",
          kernel->name, kernel->name, kernel->name, reach->shared, kernel->max_threads, kernel->min_blocks,
          survey->arch, reach->prints ? " prints=1" : "", words_of(reach->reasons));
  for (uint32_t i = 0; i < kernel->param_count; i++)
    write_param(&kernel->params[i], out);
  for (uint32_t i = 0; i < survey->count; i++)
    if (reach->is_reached[i] && vptr__ptx_moves(&survey->symbols[i]))
      fprintf(out, "//vptr hidden kind=variable name=%s\n", survey->symbols[i].name);
  if (reach->is_dynamic)
    fputs("//vptr hidden kind=shared\n", out);
}

static vptr_status write_lines(const vptr__ptx_survey *survey, vptr__ptx_reach *reach, FILE *out) {
  vptr_status status = VPTR_SUCCESS;
  fputs("//vptr-module 1\n//vptr text language=ptx\n", out);
  for (uint32_t i = 0; i < survey->count && status == VPTR_SUCCESS; i++)
    if (vptr__ptx_moves(&survey->symbols[i]))
      status = write_variable(&survey->symbols[i], out);
  for (uint32_t i = 0; i < survey->count; i++)
    if (survey->symbols[i].is_entry)
      write_kernel(survey, i, reach, out);
  return status;
}

/* ---- what is added to the text -------------------------------------------------------------------------- */

static uint32_t count_moving(const vptr__ptx_survey *survey) {
  uint32_t moving = 0;
  for (uint32_t i = 0; i < survey->count; i++)
    moving += vptr__ptx_moves(&survey->symbols[i]);
  return moving;
}

static void write_words(const vptr__ptx_survey *survey, FILE *out) {
  uint32_t moving = count_moving(survey), dynamic = 0;
  for (uint32_t i = 0; i < survey->count; i++)
    dynamic += survey->symbols[i].kind == VPTR__PTX_DYNAMIC;
  if (moving > 0)
    fprintf(out, ".global .align 8 .b64 __vptr_at[%u];\n", moving);
  if (dynamic > 0)
    fputs(VPTR__IMAGE_DYNAMIC_SHARED "\n", out);
}

/* Without variables there is nothing to set. */
static void write_setter(const vptr__ptx_survey *survey, FILE *out) {
  if (count_moving(survey) > 0)
    fputs("\n.visible .entry " VPTR__IMAGE_SETTER "(.param .u64 __vptr_set_index, .param .u64 __vptr_set_address)\n"
          "{\n"
          "  .reg .b64 %rd<4>;\n"
          "  ld.param.u64 %rd1, [__vptr_set_index];\n"
          "  ld.param.u64 %rd2, [__vptr_set_address];\n"
          "  mov.u64 %rd3, __vptr_at;\n"
          "  mad.lo.u64 %rd3, %rd1, 8, %rd3;\n"
          "  st.global.u64 [%rd3], %rd2;\n"
          "  ret;\n"
          "}\n",
          out);
}

/* ---- statements ----------------------------------------------------------------------------------------- */

/* What of a statement is written in another way. */
typedef enum use_kind { USE_VARIABLE, USE_DYNAMIC, USE_CONSTANT_SPACE } use_kind;

typedef struct use {
  use_kind kind;
  const char *begin, *end; /* of what is replaced */
  const vptr__ptx_symbol *variable;
  unsigned number; /* of its register */
  bool is_negative;
  uint64_t offset; /* behind the name, to be added */
  bool is_load;    /* the instruction is ld.const */
  /* what is left of the statement */
  const char *at, *stop;
  int brackets;
  unsigned variables; /* so far */
} use;

/* Behind a name: +16 or -16. Inside of brackets instructions take that themselves. */
static void read_offset(use *it) {
  const char *at = it->at;
  vptr__ptx_token sign = vptr__ptx_next(&at, it->stop), number = vptr__ptx_next(&at, it->stop);
  bool is_offset = vptr__ptx_is(&sign, "+") || vptr__ptx_is(&sign, "-");
  it->offset = 0;
  if (it->brackets != 0 || !is_offset || !vptr__ptx_integer(&number, &it->offset))
    return;
  it->is_negative = vptr__ptx_is(&sign, "-");
  it->end = it->at = at;
}

/* ".const" of an instruction or a declaration. */
static bool is_constant_space(const vptr__ptx_token *token, use *it) {
  static const char space[] = ".const";
  const size_t length = sizeof space - 1;
  if (token->kind != VPTR__PTX_WORD || *token->begin == '%')
    return false;
  const char *at = memmem(token->begin, (size_t)(token->end - token->begin), space, length);
  if (at == NULL || (at + length != token->end && at[length] != '.'))
    return false;
  it->begin = at;
  it->end = at + length;
  it->is_load = vptr__ptx_begins(token, "ld.const");
  return true;
}

static bool is_use(const vptr__ptx_survey *survey, const vptr__ptx_token *token, use *it) {
  const vptr__ptx_symbol *symbol = vptr__ptx_survey_find(survey, token);
  it->begin = token->begin;
  it->end = token->end;
  if (symbol != NULL && vptr__ptx_moves(symbol)) {
    it->kind = USE_VARIABLE;
    it->variable = symbol;
    it->number = it->variables++;
    read_offset(it);
    return true;
  }
  it->kind = symbol != NULL && symbol->kind == VPTR__PTX_DYNAMIC ? USE_DYNAMIC : USE_CONSTANT_SPACE;
  return it->kind == USE_DYNAMIC || is_constant_space(token, it);
}

static bool next_use(const vptr__ptx_survey *survey, use *it) {
  for (;;) {
    vptr__ptx_token token = vptr__ptx_next(&it->at, it->stop);
    if (token.kind == VPTR__PTX_END)
      return false;
    it->brackets += vptr__ptx_is(&token, "[") - vptr__ptx_is(&token, "]");
    if (is_use(survey, &token, it))
      return true;
  }
}

/* Before the statement, in a block of their own: the addresses of its variables. False: it has none. */
static bool write_loads(const vptr__ptx_survey *survey, const vptr__ptx_walk *walk, FILE *out) {
  use it = { .at = walk->begin, .stop = walk->end };
  while (next_use(survey, &it)) {
    if (it.kind != USE_VARIABLE)
      continue;
    if (it.number == 0)
      fputs("{ ", out);
    fprintf(out, ".reg .b64 %%vptr_%u; ld.global.nc.u64 %%vptr_%u, [__vptr_at+%u]; ", it.number, it.number,
            8 * it.variable->index);
    if (it.offset > 0)
      fprintf(out, "add.s64 %%vptr_%u, %%vptr_%u, %s%" PRIu64 "; ", it.number, it.number, it.is_negative ? "-" : "",
              it.offset);
  }
  return it.variables > 0;
}

static void write_replaced(const vptr__ptx_survey *survey, const char *begin, const char *end, FILE *out) {
  use it = { .at = begin, .stop = end };
  const char *written = begin;
  while (next_use(survey, &it)) {
    fwrite(written, 1, (size_t)(it.begin - written), out);
    written = it.end;
    if (it.kind == USE_VARIABLE)
      fprintf(out, "%%vptr_%u", it.number);
    else
      fputs(it.kind == USE_DYNAMIC ? VPTR__IMAGE_DYNAMIC_NAME : it.is_load ? ".global.nc" : ".global", out);
  }
  fwrite(written, 1, (size_t)(end - written), out);
}

static void write_inner(const vptr__ptx_survey *survey, const vptr__ptx_walk *walk, FILE *out) {
  bool has_loads = write_loads(survey, walk, out);
  write_replaced(survey, walk->begin, walk->end, out);
  fputs(has_loads ? " }\n" : "\n", out);
}

/* Variables that moved, and the declarations of dynamic shared memory, are gone. */
static bool is_gone(const vptr__ptx_survey *survey, const vptr__ptx_walk *walk) {
  vptr__ptx_declaration found;
  if (!vptr__ptx_declaration_read(walk->begin, walk->end, &found))
    return false;
  const vptr__ptx_symbol *symbol = vptr__ptx_survey_find(survey, &found.name);
  return symbol != NULL && (vptr__ptx_moves(symbol) || symbol->kind == VPTR__PTX_DYNAMIC);
}

/* Shared memory that is aligned to more than its declaration says. False: the statement declares none such. */
static bool write_raised(const vptr__ptx_walk *walk, FILE *out) {
  vptr__ptx_declaration found;
  if (!vptr__ptx_declaration_read(walk->begin, walk->end, &found) || found.raised == NULL)
    return false;
  fprintf(out, "%.*s%" PRIu64 "%.*s\n", (int)(found.raised - walk->begin), walk->begin, found.align,
          (int)(walk->end - found.raised_end), found.raised_end);
  return true;
}

/* ".target sm_80, debug" asks for what is left out. */
static void write_line(const vptr__ptx_survey *survey, const vptr__ptx_walk *walk, FILE *out) {
  const char *at = walk->begin;
  vptr__ptx_token word = vptr__ptx_next(&at, walk->end), value = vptr__ptx_next(&at, walk->end);
  fprintf(out, "%.*s %.*s\n", (int)(word.end - word.begin), word.begin, (int)(value.end - value.begin), value.begin);
  if (vptr__ptx_is(&word, ".address_size"))
    write_words(survey, out);
}

/* A kernel is a section of its own (module/part.c): its number among the module's kernels, or "*" behind it. */
static bool begins_kernel(const vptr__ptx_survey *survey, const vptr__ptx_walk *walk, uint32_t *number_out) {
  const char *at = walk->begin;
  *number_out = 0;
  for (;;) {
    vptr__ptx_token token = vptr__ptx_next(&at, walk->end);
    const vptr__ptx_symbol *symbol = vptr__ptx_survey_find(survey, &token);
    if (token.kind == VPTR__PTX_END)
      return false;
    if (symbol == NULL || symbol->kind != VPTR__PTX_FUNCTION)
      continue;
    for (const vptr__ptx_symbol *each = survey->symbols; each < symbol; each++)
      *number_out += each->is_entry;
    return symbol->is_entry;
  }
}

static void write_header(const vptr__ptx_survey *survey, const vptr__ptx_walk *walk, FILE *out) {
  uint32_t number;
  if (begins_kernel(survey, walk, &number))
    fprintf(out, "//vptr-for %u\n", number);
  write_replaced(survey, walk->begin, walk->end, out);
  fputs(walk->end[-1] == ';' ? "\n//vptr-for *\n" : "\n", out);
}

static void write_statement(const vptr__ptx_survey *survey, const vptr__ptx_walk *walk, FILE *out) {
  switch (walk->kind) {
  case VPTR__PTX_HEADER:
    write_header(survey, walk, out);
    return;
  case VPTR__PTX_LINE:
    write_line(survey, walk, out);
    return;
  case VPTR__PTX_DEBUG:
    return;
  case VPTR__PTX_PLAIN:
    if ((walk->depth > 0 || !is_gone(survey, walk)) && !write_raised(walk, out))
      write_inner(survey, walk, out);
    return;
  default:
    write_replaced(survey, walk->begin, walk->end, out);
    fputs(walk->kind == VPTR__PTX_CLOSE && walk->depth == 0 ? "\n//vptr-for *\n" : "\n", out);
    return;
  }
}

vptr_status vptr__ptx_write(const vptr__ptx_survey *survey, FILE *out) {
  vptr__ptx_reach reach;
  vptr_status status = vptr__ptx_reach_begin(survey, &reach);
  if (status == VPTR_SUCCESS)
    status = write_lines(survey, &reach, out);
  vptr__ptx_reach_free(&reach);
  vptr__ptx_walk walk = vptr__ptx_walk_begin(survey->text, survey->length);
  while (status == VPTR_SUCCESS && vptr__ptx_walk_next(&walk))
    write_statement(survey, &walk, out);
  if (status == VPTR_SUCCESS)
    write_setter(survey, out);
  return status;
}
