/* SPDX-License-Identifier: MIT */
/*
 * generator - makes C++ functions for host and device at random, without undefined behaviour: what might be undefined
 * is a call of program.h's. Each part prints what it makes; names of variables are kept in scopes.
 */
#ifndef GENERATOR_H
#define GENERATOR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* ---- choices ---------------------------------------------------------------------------------------------- */

void random_seed(uint64_t seed);
unsigned below(unsigned count);
bool one_in(unsigned count);

/* ---- types ------------------------------------------------------------------------------------------------ */

typedef struct number_type {
  const char *name;
  unsigned width;
  bool is_signed, is_floating, is_odd; /* odd: _BitInt */
} number_type;

const number_type *any_type(void);
const number_type *integer_type(void);
const number_type *plain_type(void); /* no _BitInt: for overloads, members and std:: */
const number_type *unsigned_type(void);
const number_type *floating_type(void);

/* ---- variables -------------------------------------------------------------------------------------------- */

enum { NO_RECORD = -1, MOST_VARIABLES = 64 };

typedef struct variable {
  char name[16];
  const number_type *type; /* NULL: a record */
  int record;
  unsigned count; /* of an array, else 0 */
  bool is_constant, is_pointer;
} variable;

typedef struct scope {
  variable variables[MOST_VARIABLES];
  int count, names;
} scope;

extern scope now;
variable *add_variable(const number_type *type, unsigned array_count);
variable *add_record_variable(int record);
variable *some_variable(bool (*fits)(const variable *one)); /* NULL: there is none */
void print_variable(const variable *one);                   /* an element of an array is chosen */
bool is_number(const variable *one);
bool is_assignable(const variable *one);
bool is_array(const variable *one);
bool is_record(const variable *one);

/* ---- parts ------------------------------------------------------------------------------------------------ */

void integer_expression(int depth);
void floating_expression(int depth);
void any_expression(int depth);
void condition(int depth);
void converted(const number_type *type, int depth);

int record_count(void);
void records(unsigned count);
void record_value(int record, int depth);
void record_member(int record, const char *of, bool is_written);
void record_statement(const variable *of, int depth);

void statements(unsigned count, int depth);
void function(unsigned number);
unsigned overload_count(void);
void overloads(void);
void overload_call(int depth);

#endif
