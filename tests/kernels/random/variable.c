/* SPDX-License-Identifier: MIT */
/* variable - choices, the types of numbers, and which variables there are. */
#include <string.h>

#include "generator.h"

/* ---- choices ---------------------------------------------------------------------------------------------- */

static uint64_t state;

void random_seed(uint64_t seed) {
  state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

unsigned below(unsigned count) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)(state >> 33) % count;
}

bool one_in(unsigned count) {
  return below(count) == 0;
}

/* ---- types ------------------------------------------------------------------------------------------------ */

/* First what overloads tell apart, then _BitInt, then floating. */
enum { PLAIN = 11, ODD = 5, FLOATING = 2 };
static const number_type types[PLAIN + ODD + FLOATING] = {
  { "int", 32, true, false, false },        { "unsigned", 32, false, false, false },
  { "signed char", 8, true, false, false }, { "unsigned char", 8, false, false, false },
  { "short", 16, true, false, false },      { "unsigned short", 16, false, false, false },
  { "long", 64, true, false, false },       { "unsigned long", 64, false, false, false },
  { "long long", 64, true, false, false },  { "u64", 64, false, false, false },
  { "char", 8, true, false, false },        { "bits7", 7, true, false, true },
  { "bits11", 11, false, false, true },     { "bits23", 23, false, false, true },
  { "bits37", 37, true, false, true },      { "bits61", 61, false, false, true },
  { "float", 32, true, true, false },       { "double", 64, true, true, false },
};
static const number_type truth = { "bool", 1, false, false, false };

const number_type *integer_type(void) {
  return one_in(16) ? &truth : &types[below(PLAIN + ODD)];
}
const number_type *plain_type(void) {
  return &types[below(PLAIN)];
}
const number_type *unsigned_type(void) {
  const number_type *type = integer_type();
  return type->is_signed || type == &truth ? &types[1] : type;
}
const number_type *floating_type(void) {
  return &types[PLAIN + ODD + below(FLOATING)];
}
const number_type *any_type(void) {
  return one_in(4) ? floating_type() : integer_type();
}

/* ---- variables -------------------------------------------------------------------------------------------- */

scope now;

static variable *next_variable(void) {
  variable *one = &now.variables[now.count < MOST_VARIABLES ? now.count++ : MOST_VARIABLES - 1];
  memset(one, 0, sizeof *one);
  one->record = NO_RECORD;
  snprintf(one->name, sizeof one->name, "v%d", now.names++);
  return one;
}

variable *add_variable(const number_type *type, unsigned array_count) {
  variable *one = next_variable();
  one->type = type;
  one->count = array_count;
  return one;
}

variable *add_record_variable(int record) {
  variable *one = next_variable();
  one->record = record;
  return one;
}

bool is_number(const variable *one) {
  return one->type != NULL;
}
bool is_assignable(const variable *one) {
  return one->type != NULL && !one->is_constant;
}
bool is_array(const variable *one) {
  return one->count > 0;
}
bool is_record(const variable *one) {
  return one->record != NO_RECORD;
}

variable *some_variable(bool (*fits)(const variable *one)) {
  int found = 0;
  for (int i = 0; i < now.count; i++)
    found += fits(&now.variables[i]);
  if (found == 0)
    return NULL;
  int skipped = (int)below((unsigned)found);
  for (int i = 0;; i++)
    if (fits(&now.variables[i]) && skipped-- == 0)
      return &now.variables[i];
}

static bool is_index(const variable *one) {
  return is_number(one) && one->count == 0 && !one->is_pointer && !one->type->is_floating;
}

void print_variable(const variable *one) {
  const variable *index = one_in(4) ? NULL : some_variable(is_index);
  if (one->is_pointer)
    printf("(*%s)", one->name);
  else if (one->count == 0)
    printf("%s", one->name);
  else if (index != NULL)
    printf("%s[to<unsigned>(%s) %% %u]", one->name, index->name, one->count);
  else
    printf("%s[%u]", one->name, below(one->count));
}
