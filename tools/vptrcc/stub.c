/* SPDX-License-Identifier: MIT */
/*
 * stub - what becomes of kernels, functions and variables of the device on the host.
 *
 * A kernel's parameter list is kept as it is written, and parameters without a name get one. Of what is overloaded
 * the address is taken by a cast to the parameters' types, so the cast stands in the kernel's own scope, right behind
 * it.
 */
#include "split.h"

#include <string.h>

static const char *place_of(const cc_split *split, uint32_t token) {
  cc_place place = cc_text_place(&split->text, split->text.tokens[token].offset);
  return vptr__arena_format(split->arena, "%.*s:%u:%u", (int)place.file_length - 2, place.file + 1, place.line,
                            place.column);
}

static void insert_before(cc_split *split, uint32_t token, const char *what) {
  cc_edits_add(&split->edits, split->text.tokens[token].offset, 0, what);
}

static void insert_behind(cc_split *split, uint32_t token, const char *what) {
  cc_edits_add(&split->edits, split->text.tokens[token].offset + split->text.tokens[token].length, 0, what);
}

static void replace_body(cc_split *split, const cc_declaration *it, const char *body) {
  const cc_token *tokens = split->text.tokens;
  cc_edits_add(&split->edits, tokens[it->body].offset, tokens[it->last].offset + 1 - tokens[it->body].offset, body);
}

/* "a::k" in scope "n" is "n::a::k". */
static const char *path_of(const cc_split *split, const cc_declaration *it, const char *name) {
  while (strncmp(name, "::", 2) == 0)
    name += 2;
  if (*it->scope->path == 0)
    return name;
  return vptr__arena_format(split->arena, "%s::%s", it->scope->path, name);
}

static const char *new_teller(cc_split *split, const cc_declaration *it, const char *kind, const char **name_out) {
  *name_out = vptr__arena_format(split->arena, "vptr_%s_%u", kind, ++split->serial);
  return vptr__arena_format(split->arena, "%s%s", it->scope->qualifier, *name_out);
}

/* ---- kernels --------------------------------------------------------------------------------------------- */

static void name_parameters(cc_split *split, const cc_declarators *parameters) {
  for (uint32_t i = 0; i < parameters->count; i++) {
    const cc_declarator *it = &parameters->items[i];
    if (it->name == CC_NO_MATCH)
      insert_before(split, it->name_end, vptr__arena_format(split->arena, " vptr_parameter_%u ", i));
  }
}

static const char *parameter_name(const cc_split *split, const cc_declarator *it, uint32_t index) {
  if (it->name == CC_NO_MATCH)
    return vptr__arena_format(split->arena, "vptr_parameter_%u", index);
  return cc_split_spell(split, it->name, it->name_end - 1);
}

static const char *types_of(const cc_split *split, const cc_declarators *parameters) {
  cc_buffer out;
  cc_buffer_init(&out, split->arena);
  for (uint32_t i = 0; i < parameters->count; i++)
    cc_buffer_print(&out, "%s%s", i > 0 ? ", " : "",
                    cc_split_spell(split, parameters->items[i].first, parameters->items[i].last));
  return out.text;
}

static const char *launching_body(const cc_split *split, const cc_declarators *parameters, const char *address) {
  cc_buffer out;
  cc_buffer_init(&out, split->arena);
  cc_buffer_print(&out, "{ void *vptr_arguments[] = { ");
  for (uint32_t i = 0; i < parameters->count; i++)
    cc_buffer_print(&out, "(void *)__builtin_addressof(%s)%s, ", parameter_name(split, &parameters->items[i], i),
                    parameters->items[i].is_pack ? "..." : "");
  cc_buffer_print(&out, "0 }; ::vptr_cuda_launch_stub(%s, vptr_arguments); }", address);
  return out.text;
}

/* "<T, N, Ts...>" of template<class T, int N, class... Ts>. */
static const char *template_arguments(const cc_split *split, const cc_declaration *it) {
  const cc_text *text = &split->text;
  uint32_t open = it->first + 1, close = cc_skip_angle(text, open) - 1;
  cc_declarators names = cc_parameters(text, split->arena, open, close);
  cc_buffer out;
  cc_buffer_init(&out, split->arena);
  for (uint32_t i = 0; i < names.count; i++)
    cc_buffer_print(&out, "%s%s%s", i > 0 ? ", " : "<", parameter_name(split, &names.items[i], i),
                    names.items[i].is_pack ? "..." : "");
  cc_buffer_print(&out, ">");
  return out.text;
}

static void add_kernel(cc_split *split, const cc_declaration *it, const char *name, const char *teller,
                       uint32_t count) {
  if (split->kernel_count == split->kernel_capacity) {
    split->kernel_capacity = split->kernel_capacity * 2 + 16;
    cc_host_kernel *more = vptr__arena_allocate(split->arena, split->kernel_capacity * sizeof *more);
    if (split->kernel_count > 0)
      memcpy(more, split->kernels, split->kernel_count * sizeof *more);
    split->kernels = more;
  }
  split->kernels[split->kernel_count++] =
      (cc_host_kernel){ path_of(split, it, name), teller, count, place_of(split, it->parameters - 1) };
}

/* The first token of the name before the parameters. */
static uint32_t kernel_name(const cc_text *text, const cc_declaration *it) {
  uint32_t i = it->parameters - 1;
  while (i >= it->first + 2 && cc_is(text, i - 1, "::") && cc_is_name(text, i - 2))
    i -= 2;
  return i;
}

void cc_split_kernel(cc_split *split, const cc_declaration *it) {
  const cc_text *text = &split->text;
  if (it->is_specialized || !cc_is_name(text, it->parameters - 1)) {
    cc_split_complain(split, it->parameters - 1, "a kernel needs a plain name: specialisations are not supported");
    return;
  }
  uint32_t begin = kernel_name(text, it);
  const char *name = cc_split_spell(split, begin, it->parameters - 1);
  cc_declarators parameters = cc_parameters(text, split->arena, it->parameters, text->tokens[it->parameters].match);
  /* a name of another scope brings no types into ours, and is not overloaded in practice */
  const char *cast = begin == it->parameters - 1
                         ? vptr__arena_format(split->arena, "(void (*)(%s))", types_of(split, &parameters))
                         : "";
  const char *address = vptr__arena_format(split->arena, "(const void *)%s&%s%s", cast, name,
                                           it->is_template ? template_arguments(split, it) : "");
  const char *told = NULL, *teller = new_teller(split, it, "stub", &told);
  insert_before(split, it->first, cc_split_quiet(split, it->first));
  name_parameters(split, &parameters);
  if (it->is_template) {
    replace_body(split, it, launching_body(split, &parameters, address));
  } else {
    insert_before(split, it->first,
                  vptr__arena_format(split->arena, "__attribute__((unused)) static const void *%s(void); ", told));
    replace_body(split, it, launching_body(split, &parameters, vptr__arena_format(split->arena, "%s()", told)));
    insert_behind(split, it->last,
                  vptr__arena_format(split->arena, " static const void *%s(void) { return %s; }", told, address));
    add_kernel(split, it, name, teller, parameters.count);
  }
  insert_behind(split, it->last, cc_split_loud(split, it->last));
}

/* ---- functions of the device ----------------------------------------------------------------------------- */

/* It stays defined: what is compiled for both sides may name it behind a condition that only devices meet. */
void cc_split_device_function(cc_split *split, const cc_declaration *it) {
  insert_before(split, it->first, cc_split_quiet(split, it->first));
  replace_body(split, it, "{ __builtin_trap(); }");
  insert_behind(split, it->last, cc_split_loud(split, it->last));
}

/* ---- variables ------------------------------------------------------------------------------------------- */

static void add_variable(cc_split *split, cc_host_variable variable) {
  if (split->variable_count == split->variable_capacity) {
    split->variable_capacity = split->variable_capacity * 2 + 16;
    cc_host_variable *more = vptr__arena_allocate(split->arena, split->variable_capacity * sizeof *more);
    if (split->variable_count > 0)
      memcpy(more, split->variables, split->variable_count * sizeof *more);
    split->variables = more;
  }
  split->variables[split->variable_count++] = variable;
}

void cc_split_variables(cc_split *split, const cc_declaration *it) {
  cc_declarators variables = cc_variables(&split->text, split->arena, it);
  if (it->is_template) {
    cc_split_complain(split, it->first, "a variable of the device cannot be a template");
    return;
  }
  insert_before(split, it->first, cc_split_quiet(split, it->first));
  for (uint32_t i = 0; i < variables.count; i++) {
    const cc_declarator *variable = &variables.items[i];
    if (variable->name == CC_NO_MATCH) {
      cc_split_complain(split, variable->first, "vptrcc cannot make out the name of this variable");
      continue;
    }
    const char *name = cc_split_spell(split, variable->name, variable->name_end - 1);
    const char *told = NULL, *teller = new_teller(split, it, "variable", &told);
    insert_behind(split, it->last,
                  vptr__arena_format(split->arena,
                                     " __attribute__((unused)) static void *%s(::size_t *vptr_size) { *vptr_size = "
                                     "%s(%s); return (void *)__builtin_addressof(%s); }",
                                     told, it->words == CC_REFERENCE ? "::vptr_cuda_reference_flags" : "sizeof", name,
                                     name));
    add_variable(split,
                 (cc_host_variable){ path_of(split, it, name), teller, it->words, place_of(split, variable->name) });
  }
  insert_behind(split, it->last, cc_split_loud(split, it->last));
}
