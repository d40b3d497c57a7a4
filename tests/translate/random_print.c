/* SPDX-License-Identifier: MIT */
/*
 * random_print - see random_kernel.h.
 */
#include "translate/random_kernel.h"

#include <stdbool.h>

#define OWN_ELEMENT "(blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x"

static const char *const operators[] = { "+", "^", "*", "&", "==", "<", "-", "&&", "||" };

static void print_value(const random_node *value, FILE *to) {
  switch (value->kind) {
  case RANDOM_NUMBER:
    fprintf(to, "%uu", value->number);
    break;
  case RANDOM_PARAMETER:
    fputs(value->number ? "m" : "n", to);
    break;
  case RANDOM_BLOCK:
    fputs("blockIdx.x", to);
    break;
  case RANDOM_SAME:
    fprintf(to, "u%u", value->number);
    break;
  case RANDOM_THREAD:
    fputs("threadIdx.x", to);
    break;
  case RANDOM_ROW:
    fputs("threadIdx.y", to);
    break;
  case RANDOM_PLACE:
    fputs("(blockIdx.x * blockDim.x + threadIdx.x)", to);
    break;
  case RANDOM_MINE:
    fprintf(to, "v%u", value->number);
    break;
  case RANDOM_COUNTER:
    fprintf(to, "i%u", value->number);
    break;
  case RANDOM_INPUT:
    fputs("f[", to);
    print_value(value->a, to);
    fprintf(to, " & %uu]", RANDOM_INPUTS - 1);
    break;
  case RANDOM_SLOT:
    fputs("s[threadIdx.x]", to);
    break;
  case RANDOM_CHOICE:
    fputs("(", to);
    print_value(value->a, to);
    fputs(" ? ", to);
    print_value(value->b, to);
    fputs(" : ", to);
    print_value(value->c, to);
    fputs(")", to);
    break;
  default:
    fputs("(", to);
    print_value(value->a, to);
    fprintf(to, " %s ", operators[value->number]);
    print_value(value->b, to);
    fputs(")", to);
  }
}

static void print_list(const random_node *list, int depth, bool is_helper, FILE *to);

static void indent(int depth, FILE *to) {
  fprintf(to, "%*s", 2 * depth, "");
}

static void print_block(const random_node *list, int depth, bool is_helper, FILE *to) {
  fputs("{\n", to);
  print_list(list, depth + 1, is_helper, to);
  indent(depth, to);
  fputs("}", to);
}

static void print_switch(const random_node *statement, int depth, bool is_helper, FILE *to) {
  fputs("switch (", to);
  print_value(statement->a, to);
  fputs(" & 3u) {\n", to);
  for (unsigned i = 0; i < 4; i++) {
    if (statement->ways[i] == NULL)
      continue;
    indent(depth, to);
    fprintf(to, i < 3 ? "case %u:\n" : "default:\n", i);
    print_list(statement->ways[i], depth + 1, is_helper, to);
    if (!(statement->falls >> i & 1)) {
      indent(depth + 1, to);
      fputs("break;\n", to);
    }
  }
  indent(depth, to);
  fputs("}\n", to);
}

static void print_loop(const random_node *loop, int depth, bool is_helper, FILE *to) {
  unsigned i = loop->counter;
  if (loop->kind == RANDOM_FOR) {
    fprintf(to, "for (i%u = 0; i%u < ", i, i);
    print_value(loop->a, to);
    fprintf(to, "; i%u++) ", i);
  } else if (loop->kind == RANDOM_WHILE) {
    fprintf(to, "i%u = 0;\n", i);
    indent(depth, to);
    fprintf(to, "while (i%u++ < ", i);
    print_value(loop->a, to);
    fputs(") ", to);
  } else {
    fprintf(to, "i%u = 0;\n", i);
    indent(depth, to);
    fputs("do ", to);
  }
  print_block(loop->ways[0], depth, is_helper, to);
  if (loop->kind == RANDOM_DO) {
    fprintf(to, " while (++i%u < ", i);
    print_value(loop->a, to);
    fputs(");", to);
  }
  fputs("\n", to);
}

static void print_set(const char *name, const random_node *statement, FILE *to) {
  fprintf(to, "%s%u = ", name, statement->number);
  print_value(statement->a, to);
  fputs(";\n", to);
}

static void print_with_value(const char *before, const random_node *value, const char *behind, FILE *to) {
  fputs(before, to);
  print_value(value, to);
  fputs(behind, to);
}

static void print_statement(const random_node *statement, int depth, bool is_helper, FILE *to) {
  static const char *const votes[] = { "__syncthreads_count", "__syncthreads_and", "__syncthreads_or" };
  indent(depth, to);
  switch (statement->kind) {
  case RANDOM_SET_SAME:
    print_set("u", statement, to);
    break;
  case RANDOM_SET_MINE:
    fprintf(to, "v%u = v%u * 31u + ", statement->number, statement->number);
    print_with_value("", statement->a, ";\n", to);
    break;
  case RANDOM_SET_SLOT:
    print_with_value("s[threadIdx.x] = ", statement->a, ";\n", to);
    break;
  case RANDOM_ADD:
    fprintf(to, "atomicAdd(&sums[%u], ", statement->number);
    print_with_value("", statement->a, ");\n", to);
    break;
  case RANDOM_BARRIER:
    fputs("__syncthreads();\n", to);
    break;
  case RANDOM_EXCHANGE:
    fprintf(to, "__syncthreads(); v%u ^= s[(threadIdx.x + ", statement->number);
    print_with_value("", statement->a, ") % blockDim.x]; __syncthreads();\n", to);
    break;
  case RANDOM_REPORT:
    fprintf(to, "if (threadIdx.x == %uu) told = ", statement->counter);
    print_with_value("", statement->a, "; __syncthreads(); ", to);
    fprintf(to, "u%u = told & 7u; __syncthreads();\n", statement->number);
    break;
  case RANDOM_VOTE:
    fprintf(to, "u%u = %s(", statement->number, votes[statement->counter]);
    print_with_value("", statement->a, ") != 0;\n", to);
    break;
  case RANDOM_CALL:
    fprintf(to, "v%u = HELPER(v%u, ", statement->number, statement->number);
    print_with_value("", statement->a, ", sums, f, n, m, s, told);\n", to);
    break;
  case RANDOM_IF:
    print_with_value("if (", statement->a, ") ", to);
    print_block(statement->ways[0], depth, is_helper, to);
    if (statement->ways[1] != NULL) {
      fputs(" else ", to);
      print_block(statement->ways[1], depth, is_helper, to);
    }
    fputs("\n", to);
    break;
  case RANDOM_FOR:
  case RANDOM_WHILE:
  case RANDOM_DO:
    print_loop(statement, depth, is_helper, to);
    break;
  case RANDOM_SWITCH:
    print_switch(statement, depth, is_helper, to);
    break;
  case RANDOM_BREAK:
    fputs("break;\n", to);
    break;
  case RANDOM_CONTINUE:
    fputs("continue;\n", to);
    break;
  case RANDOM_LEAVE:
    fputs("return;\n", to);
    break;
  default: /* RANDOM_RETURN */
    fputs(is_helper ? "return v0 ^ v1;\n" : "{ out[" OWN_ELEMENT "] = v0 ^ v1 ^ (v2 << 1); return; }\n", to);
  }
}

static void print_list(const random_node *list, int depth, bool is_helper, FILE *to) {
  for (; list != NULL; list = list->next)
    print_statement(list, depth, is_helper, to);
}

static void print_variables(bool is_helper, FILE *to) {
  fprintf(to, "  unsigned u0 = n, u1 = %s, u2 = 1, u3 = m, v0 = %s, v1 = 5, v2 = threadIdx.x * 3u;\n  unsigned ",
          is_helper ? "same" : "0", is_helper ? "mine" : "threadIdx.x");
  for (unsigned i = 0; i < RANDOM_COUNTERS; i++)
    fprintf(to, "%si%u = 0", i ? ", " : "", i);
  fputs(";\n", to);
}

void random_print(const random_kernel *kernel, const char *name, FILE *to) {
  if (kernel->helper != NULL) {
    fprintf(to, "#undef HELPER\n#define HELPER %s_helper\n", name);
    fputs("__device__ unsigned HELPER(unsigned mine, unsigned same, unsigned *sums, const unsigned *f, unsigned n, "
          "unsigned m, "
          "unsigned *s, unsigned &told) {\n",
          to);
    print_variables(true, to);
    print_list(kernel->helper, 1, true, to);
    fputs("  return v0 ^ v1;\n}\n", to);
  }
  fprintf(
      to,
      "extern \"C\" __global__ void %s(unsigned *out, unsigned *sums, const unsigned *f, unsigned n, unsigned m) {\n",
      name);
  if (!kernel->is_free)
    fputs("  __shared__ unsigned s[64], told;\n", to);
  print_variables(false, to);
  if (!kernel->is_free)
    fputs("  s[threadIdx.x] = threadIdx.x;\n  if (threadIdx.x == 0) told = 0;\n  __syncthreads();\n", to);
  print_list(kernel->body, 1, false, to);
  fputs(kernel->ends_inside ? "}\n" : "  out[" OWN_ELEMENT "] = v0 ^ v1 ^ (v2 << 1);\n}\n", to);
}
