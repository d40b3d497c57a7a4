/* SPDX-License-Identifier: MIT */
/*
 * expression - random expressions, of integers or of floating numbers; their types follow from C++'s rules, which both
 * halves of clang know.
 */
#include "generator.h"

static void put(const char *text) {
  fputs(text, stdout);
}

/* ---- leaves ----------------------------------------------------------------------------------------------- */

static bool is_integer_variable(const variable *one) {
  return is_number(one) && !one->type->is_floating;
}
static bool is_floating_variable(const variable *one) {
  return is_number(one) && one->type->is_floating;
}

static void integer_leaf(void) {
  static const char *const leaves[] = { "in.i",  "in.j",   "in.u",       "in.l",        "in.m",     "in.s",
                                        "in.t",  "in.c",   "in.k",       "in.b",        "in.o",     "(int)BLUE",
                                        "3",     "-7",     "100u",       "5ll",         "'a'",      "true",
                                        "-1",    "60000u", "0x80000000", "2147483647",  "(bits7)5", "(bits37)-99999",
                                        "12ull", "0u",     "(short)-3",  "(bits61)777", "~0ull",    "(bits11)2000" };
  const variable *one = one_in(3) ? NULL : some_variable(is_integer_variable);
  if (one != NULL)
    print_variable(one);
  else
    put(leaves[below(sizeof leaves / sizeof *leaves)]);
}

static void floating_leaf(void) {
  static const char *const leaves[] = { "in.f", "in.g",     "in.d", "in.e", "1.5f", "0.25",  "-3.0f",
                                        "1e3",  "0x1.8p2f", "-0.0", "0.1",  "0.1f", "1e-40f" };
  const variable *one = one_in(3) ? NULL : some_variable(is_floating_variable);
  if (one != NULL)
    print_variable(one);
  else
    put(leaves[below(sizeof leaves / sizeof *leaves)]);
}

/* ---- integers --------------------------------------------------------------------------------------------- */

static void call_of_two(const char *name, int depth) {
  printf("%s(", name);
  integer_expression(depth - 1);
  put(", ");
  integer_expression(depth - 1);
  put(")");
}

static void arithmetic(int depth) {
  static const char *const names[] = { "plus", "minus", "times", "over", "rest", "left", "right" };
  call_of_two(names[below(7)], depth);
}

static void bitwise(int depth) {
  static const char *const operators[] = { " & ", " | ", " ^ " };
  put("(");
  integer_expression(depth - 1);
  put(operators[below(3)]);
  integer_expression(depth - 1);
  put(")");
}

static void wrapped(int depth) {
  static const char *const operators[] = { " + ", " - ", " * " };
  static const char *const types[] = { "unsigned", "u64", "bits61" };
  const char *type = types[below(3)];
  printf("(to<%s>(", type);
  integer_expression(depth - 1);
  printf(")%sto<%s>(", operators[below(3)], type);
  integer_expression(depth - 1);
  put("))");
}

static void unary(int depth) {
  static const char *const operators[] = { "(~", "(!", "(+", "negated(" };
  put(operators[below(4)]);
  integer_expression(depth - 1);
  put(")");
}

static void logical(int depth) {
  put("(");
  condition(depth - 1);
  put(one_in(2) ? " && " : " || ");
  condition(depth - 1);
  put(")");
}

static void choice(void (*one)(int), int depth) {
  put("(");
  condition(depth - 1);
  put(" ? ");
  one(depth - 1);
  put(" : ");
  one(depth - 1);
  put(")");
}

static void cast_of_any(int depth) {
  converted(integer_type(), depth);
}

/* Of clang's builtins those that are LLVM's intrinsics, of one width each. */
static void counted(int depth) {
  static const struct {
    const char *before, *type, *after;
  } forms[] = {
    { "__builtin_popcount(", "unsigned", ")" },
    { "__builtin_popcountll(", "u64", ")" },
    { "__builtin_clz(1u | ", "unsigned", ")" },
    { "__builtin_clzll(1ull | ", "u64", ")" },
    { "__builtin_ctz(0x8000u | ", "unsigned", ")" },
    { "__builtin_ctzll(1ull << 63 | ", "u64", ")" },
    { "__builtin_parity(", "unsigned", ")" },
    { "__builtin_ffs(", "int", ")" },
    { "__builtin_bswap16(", "unsigned short", ")" },
    { "__builtin_bswap32(", "unsigned", ")" },
    { "__builtin_bswap64(", "u64", ")" },
    { "__builtin_bitreverse8(", "unsigned char", ")" },
    { "__builtin_bitreverse32(", "unsigned", ")" },
    { "__builtin_bitreverse64(", "u64", ")" },
    { "__builtin_bitreverse16(", "unsigned short", ")" },
  };
  unsigned which = below(sizeof forms / sizeof *forms);
  printf("%sto<%s>(", forms[which].before, forms[which].type);
  integer_expression(depth - 1);
  printf(")%s", forms[which].after);
}

static void two_of_a_type(const char *name, const number_type *type, int depth) {
  printf("%s(", name);
  converted(type, depth - 1);
  put(", ");
  converted(type, depth - 1);
  put(")");
}

static void saturated(int depth) {
  static const char *const names[] = { "__builtin_elementwise_add_sat", "__builtin_elementwise_sub_sat",
                                       "__builtin_elementwise_min", "__builtin_elementwise_max" };
  two_of_a_type(names[below(4)], plain_type(), depth);
}

static void checked(int depth) {
  static const char *const names[] = { "sum_or", "difference_or", "product_or" };
  const number_type *type = plain_type();
  printf("%s<%s>(", names[below(3)], type->name);
  for (int i = 0; i < 3; i++) {
    converted(type, depth - 1);
    put(i < 2 ? ", " : ")");
  }
}

static void rotated(int depth) {
  const number_type *type = unsigned_type();
  put("ring(");
  converted(type, depth - 1);
  put(", ");
  if (one_in(2))
    printf("%u", below(40));
  else
    converted(plain_type(), depth - 1);
  put(")");
}

static void vector_element(int depth) {
  static const char *const operators[] = { " & ", " ^ ", " | " };
  put("((int4v){ ");
  for (int i = 0; i < 4; i++) {
    put(i > 0 ? ", to<int>(" : "to<int>(");
    integer_expression(i == 0 ? depth - 2 : 0);
    put(")");
  }
  printf(" }%s(int4v){ 1, 2, in.i, in.j })", operators[below(3)]);
  if (one_in(2)) {
    printf("[%u]", below(4));
    return;
  }
  put("[");
  converted(unsigned_type(), depth - 2);
  put(" & 3]");
}

static void punned(int depth) {
  if (one_in(2)) {
    printf("bits_of(");
    floating_expression(depth - 1);
    put(")");
    return;
  }
  static const char *const forms[][2] = { { "bits_of(seen_as<float>(", "int" },
                                          { "bits_of(seen_as<double>(", "u64" } };
  unsigned which = below(2);
  printf("%sto<%s>(", forms[which][0], forms[which][1]);
  integer_expression(depth - 1);
  put(")))");
}

static void record_in_expression(int depth) {
  const variable *one = some_variable(is_record);
  if (one == NULL)
    integer_expression(depth - 1);
  else
    record_member(one->record, one->name, false);
}

void integer_expression(int depth) {
  static void (*const forms[])(
      int) = { arithmetic,  arithmetic,  arithmetic, bitwise,   wrapped, unary,   logical, condition,
               cast_of_any, cast_of_any, counted,    saturated, checked, rotated, punned,  record_in_expression };
  if (depth <= 0) {
    integer_leaf();
    return;
  }
  unsigned which = below(20);
  if (which < 16)
    forms[which](depth);
  else if (which == 16)
    choice(integer_expression, depth);
  else if (which == 17)
    vector_element(depth);
  else if (which == 18)
    overload_call(depth);
  else
    integer_leaf();
}

/* ---- floating numbers ------------------------------------------------------------------------------------- */

static void floating_arithmetic(int depth) {
  static const char *const operators[] = { " + ", " - ", " * ", " / " };
  put("(");
  floating_expression(depth - 1);
  put(operators[below(4)]);
  if (one_in(4))
    integer_expression(depth - 1);
  else
    floating_expression(depth - 1);
  put(")");
}

/* Those that IEEE 754 says to the last bit. */
static void exact_function(int depth) {
  static const char *const forms[][2] = {
    { "sqrt(", ")" },
    { "fabs(", ")" },
    { "floor(", ")" },
    { "ceil(", ")" },
    { "trunc(", ")" },
    { "rint(", ")" },
    { "(- ", ")" },
    { "sqrtf(to<float>(", "))" },
    { "floorf(to<float>(", "))" },
    { "ldexp(", ", in.c % 60)" },
    { "fmod(", ", 3.7)" },
    { "round(", ")" },
    { "copysign(", ", (double)in.s)" },
    { "fma(", ", in.d, in.e)" },
    { "fmaf(to<float>(", "), in.f, in.g)" },
  };
  unsigned which = below(sizeof forms / sizeof *forms);
  put(forms[which][0]);
  floating_expression(depth - 1);
  put(forms[which][1]);
}

static void cast_to_floating(int depth) {
  converted(floating_type(), depth);
}

void floating_expression(int depth) {
  unsigned which = depth > 0 ? below(10) : 9;
  if (which < 4)
    floating_arithmetic(depth);
  else if (which < 6)
    exact_function(depth);
  else if (which < 8)
    cast_to_floating(depth);
  else if (which == 8)
    choice(floating_expression, depth);
  else
    floating_leaf();
}

/* ---- both ------------------------------------------------------------------------------------------------- */

void any_expression(int depth) {
  if (one_in(4))
    floating_expression(depth);
  else
    integer_expression(depth);
}

void condition(int depth) {
  static const char *const operators[] = { " < ", " <= ", " > ", " >= ", " == ", " != " };
  void (*one)(int) = one_in(4) ? floating_expression : integer_expression;
  put("(");
  one(depth - 1);
  put(operators[below(6)]);
  one(depth - 1);
  put(")");
}

void converted(const number_type *type, int depth) {
  printf("to<%s>(", type->name);
  any_expression(depth - 1);
  put(")");
}
