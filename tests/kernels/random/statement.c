/* SPDX-License-Identifier: MIT */
/* statement - random statements. Loops are counted by variables that nothing else writes, or by fuel. */
#include "generator.h"

enum { EXPRESSION = 3 };

static int loops, labels;

/* What a block declares ends with it. */
static void block(unsigned count, int depth) {
  int variables = now.count;
  puts("{");
  statements(count, depth);
  puts("}");
  now.count = variables;
}

static void declaration(int depth) {
  const number_type *type = any_type();
  printf("%s v%d = ", type->name, now.names);
  converted(type, depth);
  puts(";");
  add_variable(type, 0);
}

static void array(int depth) {
  const number_type *type = any_type();
  unsigned count = 2 + below(8);
  printf("%s v%d[%u] = { ", type->name, now.names, count);
  for (unsigned i = 0; i < count; i++) {
    converted(type, i < 2 ? depth - 1 : 1);
    fputs(i + 1 < count ? ", " : " };\n", stdout);
  }
  add_variable(type, count);
}

static void constant_table(void) {
  const number_type *type = any_type();
  unsigned count = 3 + below(12);
  printf("static constexpr %s v%d[%u] = { ", type->name, now.names, count);
  for (unsigned i = 0; i < count; i++)
    printf("(%s)%d%s", type->name, (int)below(2000) - 1000, i + 1 < count ? ", " : " };\n");
  add_variable(type, count)->is_constant = true;
}

static void assignment(int depth) {
  const variable *to = some_variable(is_assignable);
  if (to == NULL) {
    declaration(depth);
    return;
  }
  static const char *const operators[] = { " &= ", " |= ", " ^= " };
  bool is_plain = to->type->is_floating || one_in(2);
  print_variable(to);
  fputs(is_plain ? " = " : operators[below(3)], stdout);
  converted(to->type, depth);
  puts(";");
}

static void addition(int depth) {
  const variable *to = some_variable(is_assignable);
  if (to == NULL || to->count > 0) {
    assignment(depth);
    return;
  }
  const char *star = to->is_pointer ? "*" : "";
  printf("%s%s = to<%s>(plus(%s%s, ", star, to->name, to->type->name, star, to->name);
  any_expression(depth);
  puts("));");
}

static void told(void) {
  const variable *one = some_variable(is_number);
  if (one == NULL)
    return;
  printf("mix(h, ");
  print_variable(one);
  puts(");");
}

/* ---- conditions ------------------------------------------------------------------------------------------- */

static void jump(int depth) {
  printf("if ");
  condition(depth);
  if (loops > 0 && !one_in(4))
    puts(one_in(2) ? " break;" : " continue;");
  else
    printf(" return h ^ %u;\n", below(1000));
}

static void branch(int depth) {
  printf("if ");
  condition(EXPRESSION);
  block(1 + below(3), depth);
  if (one_in(2)) {
    puts("else");
    block(1 + below(3), depth);
  }
}

/* Numbers that differ, some far from the others; what falls through does so on purpose. */
static void choice_of_many(int depth) {
  unsigned count = 2 + below(5);
  bool is_sparse = one_in(3);
  printf("switch (to<%s>(", plain_type()->name);
  integer_expression(EXPRESSION);
  printf(")%s) {\n", is_sparse ? "" : " & 7");
  for (unsigned i = 0; i < count; i++) {
    printf("case %u:\n", i * (is_sparse ? 1 + 11 * i : 1));
    if (one_in(5) && i + 1 < count)
      continue;
    block(1 + below(2), depth);
    if (!one_in(3))
      puts("break;");
  }
  if (one_in(2)) {
    puts("default:");
    block(1 + below(2), depth);
  }
  puts("}");
}

/* ---- loops ------------------------------------------------------------------------------------------------ */

static void loop_body(int depth) {
  loops++;
  statements(1 + below(3), depth);
  if (one_in(2))
    jump(2);
  loops--;
  puts("}");
}

static void counted_loop(int depth) {
  int variables = now.count;
  unsigned step = 1 + below(3), count = 1 + below(7);
  const number_type *type = plain_type();
  variable *counter = add_variable(type, 0);
  const char *name = counter->name;
  counter->is_constant = true;
  switch (below(3)) {
  case 0:
    printf("for (%s %s = 0; %s < %u; %s += %u) {\n", type->name, name, name, count, name, step);
    break;
  case 1:
    printf("for (%s %s = %u; %s > 0; %s--) {\n", type->name, name, count, name, name);
    break;
  default:
    printf("for (%s %s = 0; %s < (int)(to<unsigned>(", type->name, name, name);
    integer_expression(2);
    printf(") %% %u); %s++) {\n", count, name);
  }
  loop_body(depth);
  now.count = variables;
}

static void loop_with_fuel(int depth) {
  bool is_first = one_in(2);
  int variables = now.count, fuel = now.names++;
  printf("int v%d = %u;\n", fuel, 1 + below(6));
  if (is_first) {
    printf("while (v%d-- > 0 && ", fuel);
    condition(2);
    puts(") {");
  } else {
    puts("do {");
  }
  loop_body(depth);
  now.count = variables;
  if (is_first)
    return;
  printf("while (--v%d > 0 && ", fuel);
  condition(2);
  puts(");");
}

static void loop_by_pointer(void) {
  const variable *array_of = some_variable(is_array);
  if (array_of == NULL || array_of->is_constant)
    return;
  const char *type = array_of->type->name, *name = array_of->name;
  int pointer = now.names++;
  printf("for (%s *v%d = %s; v%d != %s + %u; v%d++)\n*v%d = to<%s>(plus(*v%d, ", type, pointer, name, pointer, name,
         array_of->count, pointer, pointer, type, pointer);
  any_expression(2);
  puts("));");
}

/* Out of two loops at once. */
static void loops_with_exit(int depth) {
  int label = labels++;
  int variables = now.count, outer = now.names++, inner = now.names++;
  printf("for (int v%d = 0; v%d < %u; v%d++)\nfor (int v%d = 0; v%d < %u; v%d++) {\n", outer, outer, 2 + below(3),
         outer, inner, inner, 2 + below(3), inner);
  loops++;
  statements(1 + below(2), depth);
  loops--;
  printf("if ");
  condition(2);
  printf(" goto out_%d;\n}\nout_%d:\nh += 3;\n", label, label);
  now.count = variables;
}

/* ---- other names of variables ------------------------------------------------------------------------------ */

static bool is_plain_number(const variable *one) {
  return is_assignable(one) && one->count == 0 && !one->is_pointer;
}

static bool has_plain_address(const variable *one) {
  return is_assignable(one) && (one->count > 0 || !one->is_pointer);
}

static void reference(void) {
  const variable *of = some_variable(has_plain_address);
  if (of == NULL)
    return;
  const number_type *type = of->type;
  printf("%s &v%d = ", type->name, now.names);
  print_variable(of);
  puts(";");
  add_variable(type, 0);
}

static const number_type *wanted;
static bool has_wanted_type(const variable *one) {
  return has_plain_address(one) && one->type == wanted;
}

static void pointer(void) {
  const variable *first = some_variable(has_plain_address);
  if (first == NULL)
    return;
  wanted = first->type;
  printf("%s *v%d = ", wanted->name, now.names);
  if (one_in(2)) {
    condition(2);
    fputs(" ? &", stdout);
    print_variable(some_variable(has_wanted_type));
    fputs(" : ", stdout);
  }
  fputs("&", stdout);
  print_variable(first);
  puts(";");
  const number_type *type = wanted;
  add_variable(type, 0)->is_pointer = true;
}

/* The lambda reads what is around it, and may write one variable. */
static void lambda(int depth) {
  const number_type *type = any_type(), *result = any_type();
  const variable *written = some_variable(is_plain_number);
  int variables = now.count, parameter = now.names++, name = now.names++;
  printf("auto v%d = [&](%s v%d) -> %s {\n", name, type->name, parameter, result->name);
  if (written != NULL) {
    printf("%s = to<%s>(", written->name, written->type->name);
    any_expression(depth);
    puts(");");
  }
  printf("return to<%s>(plus(v%d, ", result->name, parameter);
  any_expression(depth);
  puts("));\n};");
  now.count = variables;
  printf("mix(h, v%d(", name);
  converted(type, 2);
  puts("));");
}

static void bytes_of_array(void) {
  const variable *from = some_variable(is_array);
  if (from == NULL || from->type->is_floating || from->type->is_odd || from->type->width < 8)
    return;
  unsigned bytes = from->count * from->type->width / 8;
  printf("{ unsigned char bytes[%u];\nmemcpy(bytes, %s, %u);\n", bytes, from->name, bytes);
  if (!from->is_constant)
    printf("bytes[in.t %% %u] ^= 0x5a;\nmemcpy(%s, bytes, %u);\n", bytes, from->name, bytes);
  printf("mix(h, bytes[in.k %% %u]); }\n", bytes);
}

/* ---- all of them ------------------------------------------------------------------------------------------ */

static void record_or_declaration(int depth) {
  const variable *one = one_in(3) ? NULL : some_variable(is_record);
  if (one != NULL) {
    record_statement(one, depth);
  } else if (record_count() > 0) {
    int record = (int)below((unsigned)record_count());
    printf("record_%d v%d = ", record, now.names);
    record_value(record, depth);
    puts(";");
    add_record_variable(record);
  }
}

static void simple_statement(void) {
  static void (*const forms[])(int) = {
    declaration, assignment, assignment, addition, array, record_or_declaration, record_or_declaration, lambda
  };
  static void (*const others[])(void) = { constant_table, told,    told,          loop_by_pointer,
                                          reference,      pointer, bytes_of_array };
  if (one_in(2))
    forms[below(sizeof forms / sizeof *forms)](EXPRESSION);
  else
    others[below(sizeof others / sizeof *others)]();
}

void statements(unsigned count, int depth) {
  static void (*const forms[])(int) = { branch,       branch,         choice_of_many, counted_loop,
                                        counted_loop, loop_with_fuel, loops_with_exit };
  for (unsigned i = 0; i < count; i++) {
    if (now.count > MOST_VARIABLES - 8)
      return;
    if (depth > 0 && one_in(3))
      forms[below(sizeof forms / sizeof *forms)](depth - 1);
    else if (one_in(16))
      jump(2);
    else
      simple_statement();
  }
}
