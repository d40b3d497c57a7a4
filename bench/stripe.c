/* SPDX-License-Identifier: MIT */
/*
 * stripe - see stripe.h.
 *
 * A sample is one vptr_memcpy() between ordinary host memory and device memory. The one device is the first of
 * the first platform that has two, of GPUs if it has two of those. What is read is looked at.
 */
#include "stripe.h"

#include <vptr/vptr.h>

#include "clock.h"
#include "options.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PLATFORMS = 32, MOST_DEVICES = 64, SIZES = 3 };
static const size_t sizes[SIZES] = { 4, (size_t)16 << 20, (size_t)256 << 20 };

static const report_column columns[] = {
  { "direction", "direction", 15, REPORT_TEXT, REPORT_IN_ALL },
  { "bytes", "bytes", 10, 0, REPORT_IN_ALL },
  { "one us", "one_us", 10, 1, REPORT_IN_ALL },
  { "+-%", "one_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "all us", "all_us", 10, 1, REPORT_IN_ALL },
  { "+-%", "all_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "one GB/s", "one_gb_per_s", 9, 2, REPORT_IN_ALL },
  { "all GB/s", "all_gb_per_s", 9, 2, REPORT_IN_ALL },
  { "all/one", "all_per_one", 8, 2, REPORT_IN_ALL },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

typedef struct side {
  vptr_mapper *mapper;
  void *ptr;
  double *samples;
} side;

typedef struct striping {
  size_t rounds;
  unsigned char *host;
  side one, all;
} striping;

static bool fail_vptr(const char *what) {
  fprintf(stderr, "vptr-bench: %s: %s\n", what, vptr_last_error());
  return false;
}

/* The first of two. */
static cl_device_id first_device(cl_device_type type) {
  cl_platform_id platforms[MOST_PLATFORMS];
  cl_uint count = 0;
  if (clGetPlatformIDs(MOST_PLATFORMS, platforms, &count) != CL_SUCCESS)
    return NULL;
  for (cl_uint i = 0; i < count && i < MOST_PLATFORMS; i++) {
    cl_device_id devices[MOST_DEVICES];
    cl_uint found = 0;
    if (clGetDeviceIDs(platforms[i], type, MOST_DEVICES, devices, &found) == CL_SUCCESS && found > 1)
      return devices[0];
  }
  return NULL;
}

static bool open_side(side *it, const vptr_config *config, size_t rounds) {
  it->samples = calloc(rounds, sizeof *it->samples);
  if (it->samples == NULL || vptr_mapper_create(config, &it->mapper) != VPTR_SUCCESS ||
      vptr_malloc(it->mapper, sizes[SIZES - 1], &it->ptr) != VPTR_SUCCESS)
    return fail_vptr("a mapper and its memory");
  return true;
}

static bool open_all(striping *bench) {
  vptr_config config = VPTR_CONFIG_INIT;
  config.device = first_device(CL_DEVICE_TYPE_GPU);
  if (config.device == NULL)
    config.device = first_device(CL_DEVICE_TYPE_ALL);
  if (config.device == NULL) {
    fprintf(stderr,
            "vptr-bench: stripe needs two devices of one platform; of PoCL's: POCL_DEVICES='pthread pthread'\n");
    return false;
  }
  setenv("VPTR_STRIPE", "all", 0);
  bench->host = malloc(sizes[SIZES - 1]);
  return bench->host != NULL && open_side(&bench->all, NULL, bench->rounds) &&
         open_side(&bench->one, &config, bench->rounds);
}

static bool copy_once(const striping *bench, const side *it, bool is_to, size_t size, double *ns_out) {
  memset(bench->host, 7, size);
  const uint64_t begin = clock_ns();
  const vptr_status status = is_to ? vptr_memcpy(it->mapper, it->ptr, bench->host, size)
                                   : vptr_memcpy(it->mapper, bench->host, it->ptr, size);
  *ns_out = (double)clock_since(begin);
  if (status != VPTR_SUCCESS)
    return fail_vptr("a copy");
  for (size_t i = 0; i < size; i++)
    if (bench->host[i] != 7) {
      fprintf(stderr, "vptr-bench: byte %zu of %zu is not what was copied\n", i, size);
      return false;
    }
  return true;
}

static void print_row(const striping *bench, report *report, bool is_to, size_t size) {
  const summary one = summary_of(bench->one.samples, bench->rounds);
  const summary all = summary_of(bench->all.samples, bench->rounds);
  const report_cell cells[COLUMNS] = {
    { .text = is_to ? "host to device" : "device to host" },
    report_number((double)size),
    report_number(one.median / 1e3),
    report_number(summary_spread_percent(&one)),
    report_number(all.median / 1e3),
    report_number(summary_spread_percent(&all)),
    report_number((double)size / one.median),
    report_number((double)size / all.median),
    report_number(one.median / all.median),
  };
  report_row(report, cells);
}

/* In turns, so that both meet the same machine; the first of each is not counted. */
static bool measure(striping *bench, report *report, bool is_to, size_t size) {
  double first;
  if (!copy_once(bench, &bench->one, is_to, size, &first) || !copy_once(bench, &bench->all, is_to, size, &first))
    return false;
  for (size_t i = 0; i < bench->rounds; i++)
    if (!copy_once(bench, &bench->one, is_to, size, &bench->one.samples[i]) ||
        !copy_once(bench, &bench->all, is_to, size, &bench->all.samples[i]))
      return false;
  print_row(bench, report, is_to, size);
  return true;
}

static bool run_all(striping *bench, report_format format) {
  report report;
  bool good = open_all(bench);
  if (!good)
    return false;
  report_begin(&report, format, columns, COLUMNS);
  report_note(&report, "all/one", "how much quicker copies are that go to all devices at once");
  report_note(&report, "host", "ordinary memory");
  for (int i = 0; i < 2 * SIZES && good; i++)
    good = measure(bench, &report, i < SIZES, sizes[i % SIZES]);
  report_end(&report);
  return good;
}

static void close_side(side *it) {
  if (it->mapper != NULL)
    vptr_mapper_destroy(it->mapper);
  free(it->samples);
}

bool stripe_run(const options *wanted) {
  striping bench = { .rounds = wanted->repetitions };
  const bool good = run_all(&bench, wanted->format);
  close_side(&bench.all);
  close_side(&bench.one);
  free(bench.host);
  return good;
}
