/* SPDX-License-Identifier: MIT */
/*
 * vptr-bench-cusparse - the benchmark of cuSPARSE's calls, which vptr-bench starts; its command line is that one's.
 */
#include "options.h"
#include "report.h"
#include "sparse.h"

#include <stdlib.h>

enum { EXIT_FAILED = 1, EXIT_USAGE = 2 };

int main(int argc, char **argv) {
  options wanted;
  if (!options_parse(argc, argv, &wanted))
    return EXIT_USAGE;
  bool good = sparse_run(&wanted);
  return report_close() && good ? EXIT_SUCCESS : EXIT_FAILED;
}
