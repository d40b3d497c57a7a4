/* SPDX-License-Identifier: MIT */
/*
 * expressions - writes a CUDA program of random expressions over mixed types, which compares itself with the host.
 *
 *     expressions SEED COUNT > program.cu
 *
 * Each expression is the body of a function for host and device alike: the host's compiler says what is right, of
 * values and of types (by their sizes). What C++ leaves undefined is kept out by construction: products are of
 * remainders, divisors are odd or far from zero, distances of shifts are masked, and what goes from floating to integer
 * goes through a function that bounds it. Compile it with -fmad=false: the host does not fuse what the device would.
 * Zeros are equal whatever their sign: GCC takes 0.0 - (double)flag for -(double)flag.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state;

static unsigned below(unsigned count) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)(state >> 33) % count;
}

static const char *pick(const char *const *from, unsigned count) {
  return from[below(count)];
}
#define PICK(array) pick((array), sizeof(array) / sizeof *(array))

static void integer(int depth);
static void floating(int depth);

static const char *const integer_types[] = { "int",   "unsigned",      "long long",      "unsigned long long",
                                             "short", "unsigned char", "unsigned short", "signed char",
                                             "char",  "long",          "unsigned long",  "bool" };
static const char *const floating_types[] = { "float", "double" };

static void integer_leaf(void) {
  static const char *const leaves[] = { "in->i", "in->u",  "in->l", "in->m", "in->s",      "in->c",      "in->k",
                                        "in->b", "3",      "-7",    "100u",  "5ll",        "0x7fu",      "'a'",
                                        "true",  "60000u", "1ul",   "-1",    "0x80000000", "2147483647", "in->e",
                                        "BLUE",  "in->h",  "12ull", "077",   "0b101",      "1'000" };
  fputs(PICK(leaves), stdout);
}

static void floating_leaf(void) {
  static const char *const leaves[] = { "in->f", "in->d", "1.5f", "0.25", "-3.0f", "1e3", "0x1.8p2f", "2.f", ".5" };
  fputs(PICK(leaves), stdout);
}

/* An operator between two operands, each behind something that keeps it in bounds. */
static void binary(const char *before, const char *op, const char *after, int depth) {
  printf("(%s", before);
  integer(depth - 1);
  printf("%s", op);
  integer(depth - 1);
  printf("%s)", after);
}

static void product(int depth) {
  putchar('(');
  integer(depth - 1);
  fputs(" % 1000 * (", stdout);
  integer(depth - 1);
  fputs(" % 900))", stdout);
}

static void quotient(int depth) {
  static const char *const ops[] = { " / ", " % " };
  putchar('(');
  integer(depth - 1);
  fputs(PICK(ops), stdout);
  fputs("((", stdout);
  integer(depth - 1);
  fputs(" & 0xff) | 1))", stdout);
}

static void shift(int depth) {
  if (below(2) == 0) {
    fputs("((", stdout);
    integer(depth - 1);
    fputs(" & 0xffff) << (", stdout);
  } else {
    fputs("((", stdout);
    integer(depth - 1);
    fputs(") >> (", stdout);
  }
  integer(depth - 1);
  fputs(" & 7))", stdout);
}

static void comparison(int depth) {
  static const char *const ops[] = { " < ", " > ", " <= ", " >= ", " == ", " != " };
  putchar('(');
  if (below(3) == 0)
    floating(depth - 1);
  else
    integer(depth - 1);
  fputs(PICK(ops), stdout);
  if (below(3) == 0)
    floating(depth - 1);
  else
    integer(depth - 1);
  putchar(')');
}

static void choice(int depth, void (*arm)(int)) {
  putchar('(');
  comparison(depth - 1);
  fputs(" ? ", stdout);
  arm(depth - 1);
  fputs(" : ", stdout);
  arm(depth - 1);
  putchar(')');
}

static void converted(int depth) {
  printf("(%s)", PICK(integer_types));
  if (below(3) == 0) {
    fputs("(long long)bounded(", stdout);
    floating(depth - 1);
  } else {
    putchar('(');
    integer(depth - 1);
  }
  putchar(')');
}

static void unary(int depth) {
  static const char *const ops[] = { "~", "!", "+", "-" };
  printf("%s(", PICK(ops));
  integer(depth - 1);
  fputs(" % 30000)", stdout);
}

static void called(int depth) {
  static const char *const calls[] = { "twice(", "kind(", "smaller(" };
  unsigned which = below(3);
  fputs(calls[which], stdout);
  if (which == 1 && below(2) == 0)
    floating(depth - 1);
  else
    integer(depth - 1);
  if (which == 2) {
    fputs(", ", stdout);
    integer(depth - 1);
  }
  putchar(')');
}

static void integer(int depth) {
  static const char *const bits[] = { " & ", " | ", " ^ " };
  static const char *const logic[] = { " && ", " || " };
  static const char *const sums[] = { " % 100000 + ", " % 100000 - " };
  if (depth <= 0) {
    integer_leaf();
    return;
  }
  switch (below(11)) {
  case 0:
    binary("", PICK(sums), " % 100000", depth);
    break;
  case 1:
    product(depth);
    break;
  case 2:
    quotient(depth);
    break;
  case 3:
    shift(depth);
    break;
  case 4:
    comparison(depth);
    break;
  case 5:
    choice(depth, integer);
    break;
  case 6:
    converted(depth);
    break;
  case 7:
    unary(depth);
    break;
  case 8:
    binary("", PICK(bits), "", depth);
    break;
  case 9:
    binary("", PICK(logic), "", depth);
    break;
  default:
    called(depth);
    break;
  }
}

static void floating(int depth) {
  static const char *const ops[] = { " + ", " - ", " * " };
  if (depth <= 0) {
    floating_leaf();
    return;
  }
  switch (below(6)) {
  case 0:
    putchar('(');
    floating(depth - 1);
    fputs(PICK(ops), stdout);
    integer(depth - 1);
    putchar(')');
    break;
  case 1:
    putchar('(');
    integer(depth - 1);
    fputs(" / (", stdout);
    floating(depth - 1);
    fputs(" * 0.0f + 3))", stdout);
    break;
  case 2:
    choice(depth, floating);
    break;
  case 3:
    printf("(%s)(", PICK(floating_types));
    integer(depth - 1);
    putchar(')');
    break;
  default:
    putchar('(');
    floating(depth - 1);
    fputs(PICK(ops), stdout);
    floating(depth - 1);
    putchar(')');
    break;
  }
}

static const char prologue[] =
    "#include <stdio.h>\n#include <string.h>\n#include <cuda_runtime.h>\n"
    "enum colour { RED, GREEN = 5, BLUE };\n"
    "struct inputs { int i; unsigned u; long long l; unsigned long long m; short s; unsigned char c; char k; bool "
    "b;\n"
    "  float f; double d; enum colour e; unsigned short h; };\n"
    "struct result { double value; long long number; unsigned size; };\n"
    "__host__ __device__ inline double bounded(double x) { return x > -1e6 && x < 1e6 ? x : 0; }\n"
    "__host__ __device__ inline int kind(bool) { return 1; }\n"
    "__host__ __device__ inline int kind(char) { return 2; }\n"
    "__host__ __device__ inline int kind(signed char) { return 3; }\n"
    "__host__ __device__ inline int kind(unsigned char) { return 4; }\n"
    "__host__ __device__ inline int kind(short) { return 5; }\n"
    "__host__ __device__ inline int kind(unsigned short) { return 6; }\n"
    "__host__ __device__ inline int kind(int) { return 7; }\n"
    "__host__ __device__ inline int kind(unsigned) { return 8; }\n"
    "__host__ __device__ inline int kind(long) { return 9; }\n"
    "__host__ __device__ inline int kind(unsigned long) { return 10; }\n"
    "__host__ __device__ inline int kind(long long) { return 11; }\n"
    "__host__ __device__ inline int kind(unsigned long long) { return 12; }\n"
    "__host__ __device__ inline int kind(float) { return 13; }\n"
    "__host__ __device__ inline int kind(double) { return 14; }\n"
    "__host__ __device__ inline short twice(short x, int factor = 2) { return (short)(x % 1000 * factor); }\n"
    "__host__ __device__ inline long long smaller(const long long &a, const long long &b) { return a < b ? a : b; "
    "}\n";

static const char epilogue[] =
    "static struct inputs rows[ROWS];\n"
    "static struct result seen[ROWS * COUNT], expected[ROWS * COUNT];\n"
    "static unsigned long long next_random = 1;\n"
    "static unsigned draw(void) { next_random = next_random * 6364136223846793005ull + 1442695040888963407ull;\n"
    "  return (unsigned)(next_random >> 33); }\n"
    "static void fill(struct inputs *in) {\n"
    "  in->i = (int)(draw() % 20001) - 10000; in->u = draw() * 2u; in->l = (long long)draw() * 7 - 3000000000ll;\n"
    "  in->m = (unsigned long long)draw() << 33 | draw(); in->s = (short)draw(); in->c = (unsigned char)draw();\n"
    "  in->k = (char)draw(); in->b = draw() % 2; in->f = (float)(draw() % 4001) / 8 - 250; in->h = (unsigned "
    "short)draw();\n"
    "  in->d = (double)(draw() % 100001) / 7 - 7000; in->e = draw() % 2 ? BLUE : GREEN; }\n"
    "static int same(const struct result *a, const struct result *b) {\n"
    "  return a->number == b->number && a->size == b->size &&\n"
    "         (a->value == b->value || (a->value != a->value && b->value != b->value)); }\n"
    "int main(void) {\n"
    "  struct inputs *in; struct result *out; int wrong = 0;\n"
    "  memset(rows, 0, sizeof rows);\n"
    "  for (int i = 0; i < ROWS; i++) fill(&rows[i]);\n"
    "  for (int i = 0; i < ROWS; i++) all(&rows[i], expected + i * COUNT);\n"
    "  cudaMalloc((void **)&in, sizeof rows); cudaMalloc((void **)&out, sizeof seen);\n"
    "  cudaMemset(out, 0, sizeof seen);\n"
    "  cudaMemcpy(in, rows, sizeof rows, cudaMemcpyHostToDevice);\n"
    "  evaluate<<<ROWS / 8, 8>>>(in, out);\n"
    "  if (cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost) != cudaSuccess) {\n"
    "    printf(\"%s\\n\", cudaGetErrorString(cudaGetLastError())); return 1; }\n"
    "  for (int i = 0; i < ROWS * COUNT; i++)\n"
    "    if (!same(&seen[i], &expected[i]) && wrong++ < 10)\n"
    "      printf(\"e%d, row %d: value %.17g, expected %.17g; number %lld, expected %lld; size %u, expected "
    "%u\\n\",\n"
    "             i % COUNT, i / COUNT, seen[i].value, expected[i].value, seen[i].number, expected[i].number,\n"
    "             seen[i].size, expected[i].size);\n"
    "  printf(\"%d expressions, %d rows: %d differ\\n\", COUNT, ROWS, wrong);\n"
    "  cudaFree(in); cudaFree(out);\n"
    "  return wrong != 0;\n"
    "}\n";

static void function(unsigned number) {
  bool is_floating = below(3) == 0;
  printf("__host__ __device__ static void e%u(const struct inputs *in, struct result *out) {\n  auto x = ", number);
  if (is_floating)
    floating(4);
  else
    integer(4);
  printf(";\n  out->%s = x;\n  out->size = sizeof x * 16 + kind(x);\n}\n", is_floating ? "value" : "number");
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fputs("usage: expressions SEED COUNT > program.cu\n", stderr);
    return 2;
  }
  unsigned count = (unsigned)strtoul(argv[2], NULL, 10);
  state = strtoull(argv[1], NULL, 10) * 2 + 1;
  printf("/* expressions %s %u */\n%s#define COUNT %u\n#define ROWS 64\n", argv[1], count, prologue, count);
  for (unsigned i = 0; i < count; i++)
    function(i);
  puts("__host__ __device__ static void all(const struct inputs *in, struct result *out) {");
  for (unsigned i = 0; i < count; i++)
    printf("  e%u(in, out + %u);\n", i, i);
  puts("}\n__global__ void evaluate(const struct inputs *in, struct result *out) {\n"
       "  int row = blockIdx.x * blockDim.x + threadIdx.x;\n  all(in + row, out + row * COUNT);\n}");
  fputs(epilogue, stdout);
  return 0;
}
