/* SPDX-License-Identifier: MIT */
/*
 * builtin_value - what CUDA's functions compute, by the host: a reference for each row of the translator's tables of
 * builtins, written without anything of the translator's. test_builtin_value holds the device's results against these.
 *
 * A reference is found by the row's name, or by that name without what only says how the same is computed: `f` at the
 * end of a function of floats, _rn, _rz, _ru or _rd for the rounding, _block or _system for the scope of an atomic
 * operation.
 */
#ifndef VPTR_TESTS_TRANSLATE_BUILTIN_VALUE_H
#define VPTR_TESTS_TRANSLATE_BUILTIN_VALUE_H

#include <stdbool.h>
#include <stdint.h>

enum { BUILTIN_MOST_INPUTS = 5, BUILTIN_MOST_OUTPUTS = 3 };

/* A number of a type that signatures have (translate/types/builtin.h). */
typedef struct builtin_value {
  char type;
  bool is_undefined;      /* CUDA promises nothing here */
  bool any_zero;          /* of either sign */
  bool low_three_bits;    /* the others may be anything */
  long double real;       /* of 'f' and 'd': exact, or not yet rounded; of integers too */
  uint64_t bits;          /* of integers: extended to 64 bits by their sign; of 'f' and 'd': as memory has them */
} builtin_value;

/* `in` has the arguments that are numbers, and what a pointer of an atomic operation leads to. `out` has the result, if
 * there is one, then what was written through pointers; its types are set. `rounding` is a mode of fesetround(). */
typedef void builtin_function(const builtin_value *in, builtin_value *out, int rounding);

/* How far off a device may be: this many units in the last place, and this much besides. Zeros: not at all, and the
 * sign of a zero counts. */
typedef struct builtin_limit {
  double units, absolute;
} builtin_limit;

typedef struct builtin_reference {
  const char *name;
  builtin_function *compute;               /* or one of the next three, for real numbers */
  long double (*of_one)(long double x);
  long double (*of_two)(long double x, long double y);
  builtin_limit of_float, of_double;
  /* beyond which CUDA promises nothing of the first argument; 0: it always does */
  double largest;
  /* of integers only small ones are tried: others are so many steps of a loop */
  bool small_integers;
} builtin_reference;

/* Tables, a row without a name behind the last. */
extern const builtin_reference builtin_integer_references[], builtin_atomic_references[], builtin_real_references[],
    builtin_convert_references[], builtin_special_references[];

/* NULL: there is none. `rounding_out` becomes the mode that the name asks for. */
const builtin_reference *builtin_reference_find(const char *name, const char *signature, int *rounding_out);

/* Calls it: the outputs are computed, those that the reference leaves open are marked. */
void builtin_reference_call(const builtin_reference *reference, const builtin_value *in, builtin_value *out,
                            int rounding);

bool builtin_type_is_real(char type);
bool builtin_type_is_signed(char type);
int builtin_type_size(char type);

/* An integer, cut to the type; a real number, rounded to it by the mode that is set. */
void builtin_value_set_bits(builtin_value *value, uint64_t bits);
void builtin_value_set_real(builtin_value *value, long double real);

/* From memory, and there. */
builtin_value builtin_value_read(char type, const void *bytes);
void builtin_value_write(const builtin_value *value, void *bytes);

/* Input number `index`, of `BUILTIN_INPUTS`, of argument `argument` of `arguments`: pairs of edges, then drawn
 * numbers. */
enum { BUILTIN_INPUTS = 1024 };
builtin_value builtin_value_input(char type, int index, int argument, int arguments);

/* Whether the device's result is within the limit. */
bool builtin_value_agrees(const builtin_value *seen, const builtin_value *expected, const builtin_limit *limit);

#endif
