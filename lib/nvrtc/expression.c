/* SPDX-License-Identifier: MIT */
/*
 * expression - see expression.h.
 *
 * Each expression is the argument of a kernel template of ours, which does nothing and is instantiated for it: so clang
 * instantiates what it names, and mangles that into the name of ours:
 *
 *     _Z11vptr_name_0ITnDaXadL_Z1kIiEvPT_S2_EEEvv         of  _Z1kIiEvPT_S1_
 *
 * What is between `L` and `EEEvv` is the name, but that its substitutions (S_, S0_, S1_) count one more in front, the
 * template's own. So it is compared with the names that the module has, rather than rewritten, which would take all of
 * the mangling's grammar. The kernels of ours stay in the module.
 *
 * No data and no locks. Called by clang.c.
 */
#include "nvrtc/expression.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char own_end[] = "EEEvv";

void vptr__nvrtc_expressions_write(const vptr__nvrtc_list *expressions, vptr__nvrtc_text *text) {
  for (size_t i = 0; i < expressions->count; i++) {
    const char *expression = expressions->items[i];
    while (*expression == '&' || *expression == ' ')
      expression++;
    vptr__nvrtc_text_print(text,
                           "\n#line 1 \"name expression\"\ntemplate <auto> __global__ void vptr_name_%zu() {} "
                           "template __global__ void vptr_name_%zu<&%s>();\n",
                           i, i, expression);
  }
}

/* ---- comparing names ------------------------------------------------------------------------------------ */

/* S_ is 0, S0_ is 1, SA_ is 11. The length, or 0: it is none. */
static size_t read_substitution(const char *at, const char *end, unsigned long *number_out) {
  const char *p = at + 1;
  unsigned long number = 0;
  if (at >= end || *at != 'S')
    return 0;
  for (; p < end && ((*p >= '0' && *p <= '9') || (*p >= 'A' && *p <= 'Z')); p++)
    number = 36 * number + (unsigned long)(*p <= '9' ? *p - '0' : *p - 'A' + 10);
  if (p >= end || *p != '_')
    return 0;
  *number_out = p == at + 1 ? 0 : number + 1;
  return (size_t)(p + 1 - at);
}

/* Whether what was mangled into another name is this one. What looks like a substitution may be a part of somebody's
 * identifier, which is not counted: is_strict says that there is none such. */
static bool is_same_name(const char *inner, const char *inner_end, const char *name, const char *name_end,
                         bool is_strict) {
  while (inner < inner_end && name < name_end) {
    unsigned long first = 0, second = 0;
    size_t inner_length = read_substitution(inner, inner_end, &first);
    size_t name_length = read_substitution(name, name_end, &second);
    if (inner_length > 0 && name_length > 0 && first == second + 1) {
      inner += inner_length;
      name += name_length;
    } else if ((is_strict && inner_length > 0 && name_length > 0) || *inner++ != *name++) {
      return false;
    }
  }
  return inner == inner_end && name == name_end;
}

/* What has C's linkage is _Z5plain inside. */
static bool is_plain_name(const char *inner, const char *inner_end, const char *name, const char *name_end) {
  char *digits_end;
  if (inner_end - inner < 3 || inner[2] < '1' || inner[2] > '9')
    return false;
  unsigned long length = strtoul(inner + 2, &digits_end, 10);
  return (size_t)(inner_end - digits_end) == length && (size_t)(name_end - name) == length &&
         memcmp(digits_end, name, length) == 0;
}

/* ---- lines ---------------------------------------------------------------------------------------------- */

/* The value of lowered= in a line of a kernel or a variable. */
static bool read_lowered(const char *line, const char *end, const char **begin_out, const char **end_out) {
  static const char key[] = " lowered=";
  if (strncmp(line, "//vptr kernel ", 14) != 0 && strncmp(line, "//vptr variable ", 16) != 0)
    return false;
  const char *at = strstr(line, key);
  if (at == NULL || at >= end)
    return false;
  *begin_out = at + sizeof key - 1;
  *end_out = *begin_out + strcspn(*begin_out, " \n");
  return true;
}

/* Goes from line to line of those in front of a module. */
static const char *next_line(const char *line) {
  const char *end = strchr(line, '\n');
  return end != NULL && strncmp(end + 1, "//vptr ", 7) == 0 ? end + 1 : NULL;
}

/* What is inside the name of our kernel for an expression. */
static bool find_inner(const char *module, size_t index, const char **begin_out, const char **end_out) {
  char own[48];
  int length = snprintf(own, sizeof own, "vptr_name_%zuI", index);
  for (const char *line = next_line(module); line != NULL; line = next_line(line)) {
    const char *begin, *end;
    if (!read_lowered(line, line + strcspn(line, "\n"), &begin, &end))
      continue;
    const char *there = strstr(begin, own), *inner = there != NULL ? strstr(there, "L_Z") : NULL;
    bool is_it = there != NULL && there - begin <= 5 && strncmp(begin, "_Z", 2) == 0 && there + length < end;
    size_t tail = sizeof own_end - 1;
    if (is_it && inner != NULL && inner < end && (size_t)(end - inner) > tail &&
        memcmp(end - tail, own_end, tail) == 0) {
      *begin_out = inner + 1;
      *end_out = end - tail;
      return true;
    }
  }
  return false;
}

static bool find_name(const char *module, const char *inner, const char *inner_end, bool is_strict,
                      const char **name_out, const char **end_out) {
  for (const char *line = next_line(module); line != NULL; line = next_line(line))
    if (read_lowered(line, line + strcspn(line, "\n"), name_out, end_out) &&
        (is_same_name(inner, inner_end, *name_out, *end_out, is_strict) ||
         is_plain_name(inner, inner_end, *name_out, *end_out)))
      return true;
  return false;
}

static void add_line(const char *module, size_t index, const char *expression, vptr__nvrtc_text *lines) {
  const char *inner, *inner_end, *name, *end;
  if (!find_inner(module, index, &inner, &inner_end) || (!find_name(module, inner, inner_end, true, &name, &end) &&
                                                         !find_name(module, inner, inner_end, false, &name, &end)))
    return;
  vptr__nvrtc_text_print(lines, "//vptr expression name=");
  for (; *expression != 0; expression++)
    if (*expression <= ' ' || *expression == '%')
      vptr__nvrtc_text_print(lines, "%%%02X", (unsigned char)*expression);
    else
      vptr__nvrtc_text_add(lines, expression, 1);
  vptr__nvrtc_text_print(lines, " lowered=%.*s\n", (int)(end - name), name);
}

/* They go between the first line and the others. */
nvrtcResult vptr__nvrtc_expressions_read(const vptr__nvrtc_list *expressions, vptr__nvrtc_text *module) {
  vptr__nvrtc_text whole = { 0 };
  const char *rest = strchr(module->bytes, '\n');
  if (rest == NULL || expressions->count == 0)
    return NVRTC_SUCCESS;
  rest++;
  vptr__nvrtc_text_add(&whole, module->bytes, (size_t)(rest - module->bytes));
  for (size_t i = 0; i < expressions->count; i++)
    add_line(module->bytes, i, expressions->items[i], &whole);
  vptr__nvrtc_text_add(&whole, rest, strlen(rest));
  if (whole.failed) {
    vptr__nvrtc_text_free(&whole);
    return NVRTC_ERROR_OUT_OF_MEMORY;
  }
  vptr__nvrtc_text_free(module);
  *module = whole;
  return NVRTC_SUCCESS;
}
