/* SPDX-License-Identifier: MIT */
/*
 * poisson - writes a matrix for cg: anisotropic diffusion on a rectangle, by the five-point stencil.
 *
 *     -a d2u/dx2 - d2u/dy2 = f,  u = 0 on the edge          a = 1 is Poisson's equation
 *
 * gives 2a + 2 on the diagonal, -a between neighbours in x, -1 between neighbours in y: symmetric positive definite,
 * and the harder the further a is from 1. poisson-2500.mtx was made by `poisson 50 50 10`.
 *
 *     cc poisson.c -o poisson && ./poisson COLUMNS ROWS [ANISOTROPY] > matrix.mtx
 *
 * Exit status: 0 written, 1 not, 2 wrong usage.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXIT_USAGE = 2, MAX_SIDE = 20000 };

static bool read_side(const char *text, int *side_out) {
  char *end;
  long value = strtol(text, &end, 10);
  if (end == text || *end != '\0' || value < 1 || value > MAX_SIDE)
    return false;
  *side_out = (int)value;
  return true;
}

static bool read_anisotropy(const char *text, double *anisotropy_out) {
  char *end;
  double value = strtod(text, &end);
  if (end == text || *end != '\0' || !(value > 0) || !isfinite(value))
    return false;
  *anisotropy_out = value;
  return true;
}

/* The lower triangle by rows: each point with its neighbours above and to the left, and itself. */
static void write_matrix(int columns, int rows, double anisotropy) {
  long points = (long)columns * rows;
  long entries = points + (long)(columns - 1) * rows + (long)columns * (rows - 1);
  printf("%%%%MatrixMarket matrix coordinate real symmetric\n");
  printf("%% -a d2/dx2 - d2/dy2 on %d x %d inner points, a = %.17g, five-point stencil\n", columns, rows, anisotropy);
  printf("%ld %ld %ld\n", points, points, entries);
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < columns; x++) {
      long here = (long)y * columns + x + 1;
      if (y > 0)
        printf("%ld %ld -1\n", here, here - columns);
      if (x > 0)
        printf("%ld %ld %.17g\n", here, here - 1, -anisotropy);
      printf("%ld %ld %.17g\n", here, here, 2 * anisotropy + 2);
    }
}

int main(int argc, char **argv) {
  int columns, rows;
  double anisotropy = 1;
  bool fine = (argc == 3 || argc == 4) && read_side(argv[1], &columns) && read_side(argv[2], &rows) &&
              (argc == 3 || read_anisotropy(argv[3], &anisotropy));
  if (!fine) {
    fprintf(stderr,
            "usage: poisson COLUMNS ROWS [ANISOTROPY] > matrix.mtx (1 to %d points a side, anisotropy above 0)\n",
            MAX_SIDE);
    return EXIT_USAGE;
  }
  write_matrix(columns, rows, anisotropy);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    perror("poisson: writing the matrix");
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
