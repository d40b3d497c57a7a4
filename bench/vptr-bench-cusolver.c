/* SPDX-License-Identifier: MIT */
/*
 * vptr-bench-cusolver - the benchmarks of cuSOLVER's QR and eigenvalues, which vptr-bench starts where LAPACK is; its
 * command line is that one's.
 */
#include "eigen.h"
#include "options.h"
#include "qr.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

enum { EXIT_FAILED = 1, EXIT_USAGE = 2 };

int main(int argc, char **argv) {
  options wanted;
  if (!options_parse(argc, argv, &wanted))
    return EXIT_USAGE;
  bool is_eigen = wanted.noun != NULL && strcmp(wanted.noun, "eigen") == 0;
  bool good = is_eigen ? eigen_run(&wanted) : qr_run(&wanted);
  return report_close() && good ? EXIT_SUCCESS : EXIT_FAILED;
}
