/* SPDX-License-Identifier: MIT */
/*
 * generator - writes a CUDA program of random C++ functions, which compares the device with the host.
 *
 *     generator SEED COUNT > program.cu
 *
 * Compile it by clang with -fmad=false -std=c++17 and the folder of program.h: both halves of it read the same text, so
 * what differs is the way behind the front end. A kernel has several functions: a driver's compiler is slow to begin
 * with.
 */
#include "generator.h"

#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS_IN_A_KERNEL = 5, FUNCTIONS_FOR_RECORDS = 20, RECORDS = 6, STATEMENTS = 8, DEPTH = 2 };

/* ---- overloads and templates -------------------------------------------------------------------------------- */

static const char *const overloaded[] = { "int",       "unsigned", "long",  "unsigned long",
                                          "long long", "u64",      "float", "double" };

void overloads(void) {
  for (size_t i = 0; i < sizeof overloaded / sizeof *overloaded; i++)
    printf("BOTH inline int which(%s x) { return to<int>(x) ^ %u; }\n", overloaded[i], below(1000000));
  for (int i = 0; i < 3; i++)
    printf("template <class T, int n> BOTH T repeated_%d(T x) {\nif constexpr (n == 0) return to<T>(%u);\n"
           "else return to<T>(plus(%s(repeated_%d<T, n - 1>(x), n), x));\n}\n",
           i, below(1000), one_in(2) ? "times" : "minus", i);
}

void overload_call(int depth) {
  const number_type *type = plain_type();
  if (one_in(2))
    printf("which(");
  else
    printf("repeated_%u<%s, %u>(", below(3), type->name, below(5));
  converted(type, depth - 1);
  printf(")");
}

/* ---- functions ---------------------------------------------------------------------------------------------- */

static void begin_scope(void) {
  memset(&now, 0, sizeof now);
}

static void end_body(void) {
  for (int i = 0; i < now.count; i++) {
    const variable *one = &now.variables[i];
    if (one->record != NO_RECORD)
      printf("h = %s.told(h);\n", one->name);
    else if (one->count > 0)
      printf("for (auto each : %s) mix(h, each);\n", one->name);
    else if (!one->is_pointer)
      printf("mix(h, %s);\n", one->name);
  }
  puts("return h;\n}");
}

/* A function beside the one that is run: it is given numbers and a reference. */
static void helper(unsigned number) {
  const number_type *first = any_type(), *second = any_type(), *changed = any_type();
  begin_scope();
  printf("%sBOTH %su64 h_%u(const input &in, %s v0, const %s &v1, %s &v2) {\nu64 h = %u;\n",
         one_in(2) ? "static " : "inline ", one_in(3) ? "__attribute__((noinline)) " : "", number, first->name,
         second->name, changed->name, number);
  add_variable(first, 0);
  add_variable(second, 0)->is_constant = true;
  add_variable(changed, 0);
  statements(STATEMENTS / 2, DEPTH - 1);
  end_body();
  begin_scope();
  printf("BOTH u64 f_%u(const input &in) {\nu64 h = 0;\n%s v0 = to<%s>(in.l);\n", number, changed->name,
         changed->name);
  add_variable(changed, 0);
  statements(STATEMENTS / 2, DEPTH);
  printf("h += h_%u(in, ", number);
  converted(first, 2);
  printf(", ");
  converted(second, 2);
  puts(", v0);");
}

void function(unsigned number) {
  if (one_in(2)) {
    helper(number);
  } else {
    begin_scope();
    printf("BOTH u64 f_%u(const input &in) {\nu64 h = 0;\n", number);
  }
  statements(STATEMENTS, DEPTH);
  end_body();
}

static void print_kernel(unsigned first, unsigned end) {
  printf("__global__ void k_%u(const input *in, u64 *out) {\nint i = threadIdx.x;\n", first / FUNCTIONS_IN_A_KERNEL);
  for (unsigned i = first; i < end; i++)
    printf("out[%u * INPUTS + i] = f_%u(in[i]);\n", i, i);
  puts("}");
}

static void print_list(const char *type, const char *name, const char *letter, unsigned count) {
  printf("static %s *const %s[] = { ", type, name);
  for (unsigned i = 0; i < count; i++)
    printf("%s_%u%s", letter, i, i + 1 < count ? ", " : " };\n");
}

static void program(unsigned seed, unsigned count) {
  printf("#include \"program.h\"\n");
  overloads();
  for (unsigned i = 0; i < count; i++) {
    if (i % FUNCTIONS_FOR_RECORDS == 0) {
      printf("%snamespace n_%u {\n", i > 0 ? "}\n" : "", i);
      records(RECORDS);
    }
    function(i);
  }
  puts("}");
  for (unsigned i = 0; i < count; i += FUNCTIONS_FOR_RECORDS)
    printf("using namespace n_%u;\n", i);
  for (unsigned i = 0; i < count; i += FUNCTIONS_IN_A_KERNEL)
    print_kernel(i, i + FUNCTIONS_IN_A_KERNEL < count ? i + FUNCTIONS_IN_A_KERNEL : count);
  print_list("function", "functions", "f", count);
  print_list("kernel", "kernels", "k", (count + FUNCTIONS_IN_A_KERNEL - 1) / FUNCTIONS_IN_A_KERNEL);
  printf("int main() { return compare(functions, kernels, %u); }\n", seed);
}

int main(int argc, char **argv) {
  unsigned count = argc == 3 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
  if (count == 0) {
    fputs("usage: generator SEED COUNT > program.cu\nWrites a CUDA program of COUNT random functions, which compares "
          "the device with the host.\n",
          stderr);
    return 2;
  }
  unsigned seed = (unsigned)strtoul(argv[1], NULL, 10);
  random_seed(seed);
  program(seed, count);
  return ferror(stdout) != 0;
}
