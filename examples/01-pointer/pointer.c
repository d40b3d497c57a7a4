/* SPDX-License-Identifier: MIT */
/*
 * pointer - what a virtual device pointer can do, in one sitting.
 *
 * Ten floats and twenty-five ints on the device, a pointer into the middle of the floats, and what vptr answers
 * when it is asked about each. Every line printed is a promise that was just tried; the exit status is 1 if one
 * of them did not hold.
 *
 *     cc pointer.c $(pkg-config --cflags --libs vptr) -o pointer && ./pointer
 */
#include <vptr/vptr.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { FLOATS = 10, INTS = 25, STEP = 5 };

static int broken_promises;

static void promise(bool kept, const char *text) {
  printf("  %-6s %s\n", kept ? "yes" : "BROKEN", text);
  if (!kept)
    broken_promises++;
}

/* For calls without which there is nothing left to show. */
static void must(vptr_status status, const char *what) {
  if (status == VPTR_SUCCESS)
    return;
  fprintf(stderr, "pointer: %s: %s\n  %s\n", what, vptr_status_string(status), vptr_last_error());
  exit(EXIT_FAILURE);
}

static void show_arithmetic(float *a, int *b) {
  float *c = a + STEP; /* plain C: vptr hears nothing of it */
  vptr_location where;
  printf("a = %p, ten floats; b = %p, twenty-five ints; c = a + 5 = %p\n", (void *)a, (void *)b, (void *)c);
  promise(c - a == STEP && c > a, "pointers subtract and compare");
  promise(vptr_get_buffer(NULL, a) != NULL && vptr_get_buffer(NULL, a) == vptr_get_buffer(NULL, c),
          "a and c lead to the same OpenCL buffer");
  promise(vptr_get_buffer(NULL, a) != vptr_get_buffer(NULL, b), "a and b lead to different ones");
  promise(vptr_get_offset(NULL, a) == 0 && vptr_get_offset(NULL, c) == (ptrdiff_t)(STEP * sizeof(float)),
          "c lies 5 * sizeof(float) behind the start of its allocation");
  must(vptr_resolve(NULL, c, sizeof *c, &where), "resolving c");
  promise(where.base == a && where.size == FLOATS * sizeof(float) && where.serial == 1,
          "resolving c tells the base, the size asked for, and that it was allocation number 1");
}

static void show_bounds(float *a) {
  vptr_location where;
  promise(vptr_resolve(NULL, a + FLOATS - 1, sizeof *a, &where) == VPTR_SUCCESS, "the last float can be reached");
  promise(vptr_resolve(NULL, a + FLOATS, 1, &where) == VPTR_ERROR_PAST_END, "one past the end cannot");
  promise(vptr_resolve(NULL, a + STEP, FLOATS * sizeof *a, &where) == VPTR_ERROR_OUT_OF_BOUNDS,
          "nor ten floats from the fifth on");
  promise(vptr_resolve(NULL, &where, 1, &where) == VPTR_ERROR_UNKNOWN_ADDRESS,
          "a host address is known as a stranger");
}

/* *c would be a crash: no device address may be read by the host. These are the two ways that may. */
static void show_access(float *a) {
  float values[FLOATS], back = 0;
  void *host;
  for (int i = 0; i < FLOATS; i++)
    values[i] = (float)i * 1.5f;
  must(vptr_memcpy(NULL, a, values, sizeof values), "copying ten floats to the device");
  must(vptr_map(NULL, a + STEP, 2 * sizeof *a, VPTR_ACCESS_READ_WRITE, &host), "mapping two of them");
  float *accessor = host;
  promise(accessor[0] == values[STEP] && accessor[1] == values[STEP + 1],
          "a host accessor shows the fifth and sixth float");
  promise(vptr_free(NULL, a) == VPTR_ERROR_MAPPED, "what is mapped cannot be freed");
  accessor[1] = 42;
  must(vptr_unmap(NULL, host), "closing the accessor");
  must(vptr_memcpy(NULL, &back, a + STEP + 1, sizeof back), "copying one float back");
  promise(back == 42, "what was written through it is on the device");
}

static void show_free(float *a, int *b) {
  vptr_location where;
  promise(vptr_free(NULL, a + STEP) == VPTR_ERROR_INTERIOR, "a pointer into the middle cannot be freed");
  promise(vptr_count(NULL) == 2, "and nothing was");
  must(vptr_free(NULL, a), "freeing a");
  must(vptr_free(NULL, b), "freeing b");
  promise(vptr_resolve(NULL, a + STEP, 1, &where) == VPTR_ERROR_FREED, "c is now known as freed");
  promise(vptr_free(NULL, a) == VPTR_ERROR_FREED, "a second free is refused");
  promise(vptr_count(NULL) == 0, "nothing is left");
}

int main(void) {
  void *ptr;
  must(vptr_malloc(NULL, FLOATS * sizeof(float), &ptr), "allocating ten floats");
  float *a = ptr;
  must(vptr_malloc(NULL, INTS * sizeof(int), &ptr), "allocating twenty-five ints");
  int *b = ptr;

  show_arithmetic(a, b);
  show_bounds(a);
  show_access(a);
  show_free(a, b);

  if (broken_promises > 0)
    printf("%d promises were broken\n", broken_promises);
  return broken_promises == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
