/* SPDX-License-Identifier: MIT */
/*
 * vptr-bench-cudart - the benchmarks of CUDA's calls, and of look-ups, which vptr-bench starts; its command line is
 * that one's.
 *
 * A program of its own, since it links jemalloc where there is one, which would be the malloc() that the other
 * benchmarks compare with. Look-ups are here for that reason: jemalloc's are one thing that they stand beside. It takes
 * the device that the environment selects.
 */
#include "compact.h"
#include "copy.h"
#include "evict.h"
#include "fill.h"
#include "launch.h"
#include "lookup.h"
#include "managed.h"
#include "options.h"
#include "pinned.h"
#include "report.h"
#include "scale.h"
#include "span.h"
#include "svm.h"
#include "translate.h"

#include <stdlib.h>
#include <string.h>

enum { EXIT_FAILED = 1, EXIT_USAGE = 2 };

int main(int argc, char **argv) {
  options wanted;
  if (!options_parse(argc, argv, &wanted) || wanted.noun == NULL)
    return EXIT_USAGE;
  bool good = strcmp(wanted.noun, "compact") == 0     ? compact_run(&wanted)
              : strcmp(wanted.noun, "copy") == 0      ? copy_run(&wanted)
              : strcmp(wanted.noun, "evict") == 0     ? evict_run(&wanted)
              : strcmp(wanted.noun, "fill") == 0      ? fill_run(&wanted)
              : strcmp(wanted.noun, "launch") == 0    ? launch_run(&wanted)
              : strcmp(wanted.noun, "lookup") == 0    ? lookup_run(&wanted)
              : strcmp(wanted.noun, "managed") == 0   ? managed_run(&wanted)
              : strcmp(wanted.noun, "pinned") == 0    ? pinned_run(&wanted)
              : strcmp(wanted.noun, "scale") == 0     ? scale_run(&wanted)
              : strcmp(wanted.noun, "span") == 0      ? span_run(&wanted)
              : strcmp(wanted.noun, "svm") == 0       ? svm_run(&wanted)
              : strcmp(wanted.noun, "translate") == 0 ? translate_run(&wanted)
                                                      : false;
  return report_close() && good ? EXIT_SUCCESS : EXIT_FAILED;
}
