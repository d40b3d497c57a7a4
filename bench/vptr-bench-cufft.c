/* SPDX-License-Identifier: MIT */
/*
 * vptr-bench-cufft - the benchmark of cuFFT's calls, which vptr-bench starts where VkFFT is; its command line is
 * that one's.
 */
#include "fft.h"
#include "options.h"
#include "report.h"

#include <stdlib.h>

enum { EXIT_FAILED = 1, EXIT_USAGE = 2 };

int main(int argc, char **argv) {
  options wanted;
  if (!options_parse(argc, argv, &wanted))
    return EXIT_USAGE;
  bool good = fft_run(&wanted);
  return report_close() && good ? EXIT_SUCCESS : EXIT_FAILED;
}
