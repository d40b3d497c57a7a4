/* SPDX-License-Identifier: MIT */
/*
 * vptr-bench-cusolver - the benchmark of cuSOLVER's QR, which vptr-bench starts where LAPACK is; its command
 * line is that one's.
 */
#include "options.h"
#include "qr.h"
#include "report.h"

#include <stdlib.h>

enum { EXIT_FAILED = 1, EXIT_USAGE = 2 };

int main(int argc, char **argv) {
  options wanted;
  if (!options_parse(argc, argv, &wanted))
    return EXIT_USAGE;
  bool good = qr_run(&wanted);
  return report_close() && good ? EXIT_SUCCESS : EXIT_FAILED;
}
