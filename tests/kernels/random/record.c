/* SPDX-License-Identifier: MIT */
/*
 * record - random structs: members of all types, bit-fields, arrays, a base, a template's parameter; and functions that
 * take them by value, by reference and by pointer.
 */
#include "generator.h"

enum { MOST_RECORDS = 16, MOST_MEMBERS = 8 };

typedef struct member {
  const number_type *type;
  unsigned bits, count; /* of a bit-field, of an array */
} member;

static struct record {
  member members[MOST_MEMBERS];
  unsigned count;
  int base;
  bool is_template;
} all[MOST_RECORDS];
static int count_of_all;

int record_count(void) {
  return count_of_all;
}

/* ---- what one is ------------------------------------------------------------------------------------------ */

static member random_member(void) {
  member one = { .type = one_in(4) ? floating_type() : plain_type() };
  if (!one.type->is_floating && one_in(3))
    one.bits = 1 + below(one.type->width);
  else if (one_in(4))
    one.count = 2 + below(4);
  return one;
}

static void print_members(const struct record *one) {
  for (unsigned i = 0; i < one->count; i++) {
    const member *m = &one->members[i];
    bool is_parameter = one->is_template && i == 0;
    printf("%s m%u", is_parameter ? "T" : m->type->name, i);
    if (m->bits > 0)
      printf(" : %u", m->bits);
    if (m->count > 0)
      printf("[%u]", m->count);
    puts(";");
  }
}

/* The constructor fills all from one number. */
static void print_constructor(const struct record *one, const char *name) {
  printf("BOTH explicit %s(u64 x)", name);
  if (one->base != NO_RECORD)
    printf(" : record_%d(x + 1)", one->base);
  puts(" {");
  for (unsigned i = 0; i < one->count; i++) {
    const member *m = &one->members[i];
    if (m->count > 0)
      printf("for (auto &each : m%u) { each = to<%s>(x); x = x * 31 + 7; }\n", i, m->type->name);
    else
      printf("m%u = to<%s>(x >> %u); x += %u;\n", i, m->type->name, below(50), below(100000));
  }
  puts("}");
}

static void print_methods(const struct record *one, int number) {
  puts("BOTH u64 told(u64 h) const {");
  if (one->base != NO_RECORD)
    printf("h = record_%d::told(h);\n", one->base);
  for (unsigned i = 0; i < one->count; i++) {
    if (one->members[i].count > 0)
      printf("for (auto each : m%u) mix(h, each);\n", i);
    else
      printf("mix(h, +m%u);\n", i);
  }
  puts("return h;\n}");
  unsigned which = below(one->count);
  const char *index = one->members[which].count > 0 ? "[x & 1]" : "";
  printf("BOTH auto &change(u64 x) {\nm%u%s = to<%s>(plus(m%u%s, x));\nreturn *this;\n}\n", which, index,
         one->members[which].type->name, which, index);
  printf("BOTH static int number() { return %d; }\n", number);
}

static void print_functions(int number) {
  printf("BOTH inline record_%d changed_%d(record_%d one, u64 x) { one.change(x); return one; }\n", number, number,
         number);
  printf("BOTH inline void change_%d(record_%d *one, u64 x) { one->change(x); }\n", number, number);
  printf("BOTH inline u64 told_%d(const record_%d &one) { return one.told(%u); }\n", number, number, below(1000));
}

static void print_record(int number) {
  struct record *one = &all[number];
  *one = (struct record){ .count = 1 + below(MOST_MEMBERS - 1), .base = NO_RECORD, .is_template = one_in(4) };
  if (number > 0 && one_in(3))
    one->base = (int)below((unsigned)number);
  for (unsigned i = 0; i < one->count; i++)
    one->members[i] = random_member();
  char name[32];
  snprintf(name, sizeof name, one->is_template ? "shape_%d" : "record_%d", number);
  printf("%sstruct %s", one->is_template ? "template <class T> " : "", name);
  if (one->base != NO_RECORD)
    printf(" : record_%d", one->base);
  puts(" {");
  print_members(one);
  print_constructor(one, name);
  print_methods(one, number);
  puts("};");
  if (one->is_template)
    printf("using record_%d = shape_%d<%s>;\n", number, number, one->members[0].type->name);
  print_functions(number);
}

void records(unsigned count) {
  count_of_all = 0;
  for (unsigned i = 0; i < count && i < MOST_RECORDS; i++) {
    print_record((int)i);
    count_of_all++;
  }
}

/* ---- uses ------------------------------------------------------------------------------------------------- */

static bool is_of_record(const variable *one, int record) {
  return one->record == record;
}

static const variable *another(int record) {
  for (int i = 0; i < now.count; i++)
    if (is_of_record(&now.variables[i], record))
      return &now.variables[i];
  return NULL;
}

static void number_for(int depth) {
  printf("to<u64>(");
  any_expression(depth - 1);
  printf(")");
}

void record_value(int record, int depth) {
  const variable *from = another(record);
  unsigned which = from != NULL ? below(4) : 3;
  if (which == 0) {
    printf("changed_%d(%s, ", record, from->name);
    number_for(depth);
    printf(")");
  } else if (which == 1) {
    printf("%s", from->name);
  } else if (which == 2) {
    condition(2);
    printf(" ? %s : record_%d(", from->name, record);
    number_for(depth);
    printf(")");
  } else {
    printf("record_%d(", record);
    number_for(depth);
    printf(")");
  }
}

void record_member(int record, const char *of, bool is_written) {
  const struct record *one = &all[record];
  unsigned which = below(one->count);
  const member *m = &one->members[which];
  if (!is_written && one_in(4)) {
    printf(one_in(2) ? "%s.number()" : "%s.told(5)", of);
    return;
  }
  printf(is_written || m->type->is_floating ? "%s%s.m%u" : "%s%s.m%u",
         m->type->is_floating && !is_written ? "to<int>(" : "", of, which);
  if (m->count > 0)
    printf("[in.k %% %u]", m->count);
  if (m->type->is_floating && !is_written)
    printf(")");
}

static void write_member(const variable *of, int depth) {
  const struct record *one = &all[of->record];
  unsigned which = below(one->count);
  const member *m = &one->members[which];
  printf("%s.m%u", of->name, which);
  if (m->count > 0)
    printf("[to<unsigned>(in.s) %% %u]", m->count);
  printf(" = ");
  converted(m->type, depth);
  puts(";");
}

void record_statement(const variable *of, int depth) {
  int record = of->record;
  switch (below(6)) {
  case 0:
  case 1:
    write_member(of, depth);
    return;
  case 2:
    printf("change_%d(&%s, ", record, of->name);
    number_for(depth);
    puts(");");
    return;
  case 3:
    printf("%s.change(", of->name);
    number_for(depth);
    puts(").change(3);");
    return;
  case 4:
    printf("%s = ", of->name);
    record_value(record, depth);
    puts(";");
    return;
  default:
    printf("mix(h, told_%d(%s));\n", record, of->name);
  }
}
