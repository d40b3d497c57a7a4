/* SPDX-License-Identifier: MIT */
/*
 * managed - see managed.h.
 *
 * Each row is a contest of two sides that do the same work: one with managed memory, the other with cudaMalloc(), plain
 * memory of the host and copies. What a turn needs to begin with (a kernel wrote all of it, say) is made before and is
 * not timed; what came out is checked behind it. The sides take turns, and who goes first alternates. Plain memory was
 * touched before it is copied to, since a fresh page costs more than its copy.
 *
 * A device that works in the host's memory moves nothing, so there it is less memory that is worked on.
 */
#include "managed.h"

#include <cuda_runtime_api.h>

#include "clock.h"
#include "options.h"
#include "progress.h"
#include "random.h"
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PAGE = 4096, WORDS_OF_PAGE = PAGE / sizeof(unsigned), CALLS = 100, ROUNDS = 50, TOUCHES = 1000, DEVICE = 0 };
static const size_t SIZE = (size_t)256 << 20, SIZE_IN_PLACE = (size_t)32 << 20, LEAST_FOR_BANDWIDTH = (size_t)1 << 20;

typedef enum side { MANAGED, EXPLICIT, SIDES } side;

static const report_column columns[] = {
  { "work", "work", 34, REPORT_TEXT, REPORT_IN_ALL },
  { "bytes", "bytes", 9, 0, REPORT_IN_ALL },
  { "managed ns", "managed_ns", 11, 0, REPORT_IN_ALL },
  { "+-%", "managed_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "", "managed_low_ns", 0, 0, REPORT_IN_DATA },
  { "", "managed_high_ns", 0, 0, REPORT_IN_DATA },
  { "explicit ns", "explicit_ns", 11, 0, REPORT_IN_ALL },
  { "+-%", "explicit_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "", "explicit_low_ns", 0, 0, REPORT_IN_DATA },
  { "", "explicit_high_ns", 0, 0, REPORT_IN_DATA },
  { "ratio", "managed_per_explicit", 8, 3, REPORT_IN_ALL },
  { "managed GB/s", "managed_gigabytes_per_second", 12, 2, REPORT_IN_ALL },
  { "explicit GB/s", "explicit_gigabytes_per_second", 13, 2, REPORT_IN_ALL },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

typedef struct managed_bench {
  const options *options;
  const managed_kernels *kernels;
  report report;
  progress progress;
  size_t size, words;
  unsigned *memory[SIDES]; /* what kernels work on */
  unsigned *host[SIDES];   /* what the host works on: the managed side's is the same */
  unsigned *total;         /* on the device, what a kernel added up */
  size_t *pages;           /* TOUCHES different ones */
  unsigned value;          /* what was last written to each word */
  unsigned seen;           /* what a side's turn added up */
  double *samples[SIDES];  /* ns, one each repetition */
} managed_bench;

/* ---- pieces of work -------------------------------------------------------------------------------------- */

static bool is_done(void) {
  return cudaStreamSynchronize(NULL) == cudaSuccess;
}

static bool to_device(managed_bench *bench, side of, size_t first, size_t words) {
  return of == MANAGED || cudaMemcpy(bench->memory[of] + first, bench->host[of] + first, words * sizeof(unsigned),
                                     cudaMemcpyHostToDevice) == cudaSuccess;
}

static bool to_host(managed_bench *bench, side of, size_t first, size_t words) {
  return of == MANAGED || cudaMemcpy(bench->host[of] + first, bench->memory[of] + first, words * sizeof(unsigned),
                                     cudaMemcpyDeviceToHost) == cudaSuccess;
}

static unsigned sum_of(const unsigned *x, size_t count) {
  unsigned sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += x[i];
  return sum;
}

static void host_fills(managed_bench *bench, side of) {
  unsigned *x = bench->host[of], value = ++bench->value;
  for (size_t i = 0; i < bench->words; i++)
    x[i] = value;
}

/* Behind it the device is idle and all of the memory is the kernels'. */
static bool kernel_fills(managed_bench *bench, side of) {
  return bench->kernels->fill(bench->memory[of], bench->words, ++bench->value) && is_done();
}

static bool kernel_adds_up(managed_bench *bench, side of) {
  return cudaMemset(bench->total, 0, sizeof *bench->total) == cudaSuccess &&
         bench->kernels->add_up(bench->memory[of], bench->words, bench->total) && is_done();
}

static bool take_total(managed_bench *bench) {
  return cudaMemcpy(&bench->seen, bench->total, sizeof bench->seen, cudaMemcpyDeviceToHost) == cudaSuccess;
}

static bool prefetch(managed_bench *bench, bool host) {
#if CUDART_VERSION >= 13000
  struct cudaMemLocation where = { host ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, DEVICE };
  return cudaMemPrefetchAsync(bench->memory[MANAGED], bench->size, where, 0, NULL) == cudaSuccess && is_done();
#else
  return cudaMemPrefetchAsync(bench->memory[MANAGED], bench->size, host ? cudaCpuDeviceId : DEVICE, NULL) ==
             cudaSuccess &&
         is_done();
#endif
}

/* ---- contests -------------------------------------------------------------------------------------------- */

typedef bool (*turn_function)(managed_bench *bench, side of);

static bool host_reads(managed_bench *bench, side of) {
  if (!to_host(bench, of, 0, bench->words))
    return false;
  bench->seen = sum_of(bench->host[of], bench->words);
  return true;
}

static bool host_writes(managed_bench *bench, side of) {
  host_fills(bench, of);
  return to_device(bench, of, 0, bench->words) && kernel_adds_up(bench, of);
}

static bool launches(managed_bench *bench, side of) {
  bool good = true;
  for (int i = 0; i < CALLS; i++)
    good = bench->kernels->increment(bench->memory[of]) && is_done() && good;
  return good;
}

static bool touches(managed_bench *bench, side of) {
  bool good = true;
  bench->seen = 0;
  for (size_t i = 0; i < TOUCHES; i++) {
    size_t first = bench->pages[i] * WORDS_OF_PAGE;
    good &= to_host(bench, of, first, WORDS_OF_PAGE);
    bench->seen += bench->host[of][first];
  }
  return good;
}

/* The host's number goes to a kernel and comes back one more. */
static bool rallies(managed_bench *bench, side of) {
  unsigned *word = bench->host[of];
  bool good = true;
  for (unsigned i = 0; i < ROUNDS; i++) {
    *word = i;
    good = to_device(bench, of, 0, WORDS_OF_PAGE) && bench->kernels->increment(bench->memory[of]) && is_done() &&
           to_host(bench, of, 0, WORDS_OF_PAGE) && *word == i + 1 && good;
  }
  return good;
}

static bool goes_to_host(managed_bench *bench, side of) {
  return of == MANAGED ? prefetch(bench, true) : to_host(bench, of, 0, bench->words);
}

static bool goes_to_device(managed_bench *bench, side of) {
  return of == MANAGED ? prefetch(bench, false) : to_device(bench, of, 0, bench->words);
}

static bool host_prepares(managed_bench *bench, side of) {
  if (!kernel_fills(bench, of))
    return false;
  host_fills(bench, of);
  return true;
}

static bool nothing_is_checked(managed_bench *bench, side of) {
  (void)bench;
  (void)of;
  return true;
}

static bool all_was_seen(managed_bench *bench, side of) {
  (void)of;
  return bench->seen == (unsigned)bench->words * bench->value;
}

static bool all_was_added_up(managed_bench *bench, side of) {
  return take_total(bench) && all_was_seen(bench, of);
}

static bool touches_were_seen(managed_bench *bench, side of) {
  (void)of;
  return bench->seen == TOUCHES * bench->value;
}

static bool host_has_it(managed_bench *bench, side of) {
  return sum_of(bench->host[of], bench->words) == (unsigned)bench->words * bench->value;
}

static bool device_has_it(managed_bench *bench, side of) {
  return kernel_adds_up(bench, of) && all_was_added_up(bench, of);
}

static const struct contest {
  const char *name;
  turn_function prepare, go, check;
  size_t count, bytes; /* of a turn; bytes of each, 0: the whole memory */
} contests[] = {
  { "host reads what a kernel wrote", kernel_fills, host_reads, all_was_seen, 1, 0 },
  { "host writes, then a kernel reads", kernel_fills, host_writes, all_was_added_up, 1, 0 },
  { "launch, the host touched nothing", kernel_fills, launches, nothing_is_checked, CALLS, 4 },
  { "touches of pages at random", kernel_fills, touches, touches_were_seen, TOUCHES, PAGE },
  { "a page to a kernel and back", kernel_fills, rallies, nothing_is_checked, ROUNDS, PAGE },
  { "prefetch to the host", kernel_fills, goes_to_host, host_has_it, 1, 0 },
  { "prefetch to the device", host_prepares, goes_to_device, device_has_it, 1, 0 },
};
enum { CONTESTS = sizeof contests / sizeof *contests };

/* ---- samples and rows ------------------------------------------------------------------------------------ */

static bool take_turn(managed_bench *bench, const struct contest *contest, side of, double *ns_out) {
  if (contest->prepare(bench, of)) {
    uint64_t begin = clock_ns();
    bool good = contest->go(bench, of);
    double taken = (double)clock_since(begin);
    if (good && contest->check(bench, of)) {
      *ns_out = taken / (double)contest->count;
      return true;
    }
  }
  cudaError_t error = cudaGetLastError();
  fprintf(stderr, "vptr-bench: %s, with %s: %s\n", contest->name, of == MANAGED ? "managed memory" : "copies",
          error != cudaSuccess ? cudaGetErrorString(error) : "the values are not those that were written");
  return false;
}

static report_cell bandwidth(size_t bytes, double ns) {
  return report_number(bytes >= LEAST_FOR_BANDWIDTH ? (double)bytes / ns : NAN);
}

static void print_row(managed_bench *bench, const struct contest *contest) {
  size_t bytes = contest->bytes != 0 ? contest->bytes : bench->size;
  summary ours = summary_of(bench->samples[MANAGED], bench->options->repetitions);
  summary theirs = summary_of(bench->samples[EXPLICIT], bench->options->repetitions);
  const report_cell cells[COLUMNS] = {
    { .text = contest->name },
    report_number((double)bytes),
    report_number(ours.median),
    report_number(summary_spread_percent(&ours)),
    report_number(ours.low),
    report_number(ours.high),
    report_number(theirs.median),
    report_number(summary_spread_percent(&theirs)),
    report_number(theirs.low),
    report_number(theirs.high),
    report_number(ours.median / theirs.median),
    bandwidth(bytes, ours.median),
    bandwidth(bytes, theirs.median),
  };
  progress_wipe(&bench->progress);
  report_row(&bench->report, cells);
}

/* The first turn of each is not counted: memory is made, kernels are built. */
static bool measure(managed_bench *bench, const struct contest *contest) {
  double warm;
  bool good = take_turn(bench, contest, MANAGED, &warm) && take_turn(bench, contest, EXPLICIT, &warm);
  for (size_t i = 0; i < bench->options->repetitions && good; i++) {
    side first = i % 2 == 0 ? MANAGED : EXPLICIT, second = i % 2 == 0 ? EXPLICIT : MANAGED;
    progress_step(&bench->progress, contest->name);
    good = take_turn(bench, contest, first, &bench->samples[first][i]) &&
           take_turn(bench, contest, second, &bench->samples[second][i]);
  }
  if (good)
    print_row(bench, contest);
  return good;
}

/* ---- the run --------------------------------------------------------------------------------------------- */

static void print_notes(managed_bench *bench) {
  struct cudaDeviceProp properties;
  char text[256];
  if (cudaGetDeviceProperties(&properties, DEVICE) == cudaSuccess)
    report_note(&bench->report, "device", properties.name);
  report_note(&bench->report, "explicit", "cudaMalloc(), and cudaMemcpy() from and to plain memory that was touched");
  snprintf(text, sizeof text, "medians of %zu, of one touch, launch or round; with half the width of the middle half",
           bench->options->repetitions);
  report_note(&bench->report, "figures", text);
}

static bool run_all(managed_bench *bench) {
  bool good = true;
  report_begin(&bench->report, bench->options->format, columns, COLUMNS);
  print_notes(bench);
  for (int i = 0; i < CONTESTS && good; i++)
    good = measure(bench, &contests[i]);
  if (good)
    report_end(&bench->report);
  return good;
}

/* The first of all pages in an order of chance: Fisher and Yates' way, as far as it is needed. */
static bool choose_pages(managed_bench *bench) {
  size_t count = bench->size / PAGE;
  uint64_t state = 1;
  bench->pages = malloc(count * sizeof *bench->pages);
  if (bench->pages == NULL)
    return false;
  for (size_t i = 0; i < count; i++)
    bench->pages[i] = i;
  for (size_t i = 0; i < TOUCHES; i++) {
    size_t other = i + (size_t)(random_below(&state, count - i)), page = bench->pages[i];
    bench->pages[i] = bench->pages[other];
    bench->pages[other] = page;
  }
  return true;
}

static bool make_memory(managed_bench *bench) {
  int in_place = 0;
  bool good = cudaDeviceGetAttribute(&in_place, cudaDevAttrIntegrated, DEVICE) == cudaSuccess;
  bench->size = in_place ? SIZE_IN_PLACE : SIZE;
  bench->words = bench->size / sizeof(unsigned);
  good = good && cudaMalloc((void **)&bench->memory[EXPLICIT], bench->size) == cudaSuccess;
  good = good && cudaMalloc((void **)&bench->total, sizeof *bench->total) == cudaSuccess;
  good = good && cudaMallocManaged((void **)&bench->memory[MANAGED], bench->size, cudaMemAttachGlobal) == cudaSuccess;
  bench->host[MANAGED] = bench->memory[MANAGED];
  bench->host[EXPLICIT] = malloc(bench->size);
  return good && bench->host[EXPLICIT] != NULL;
}

static bool prepare(managed_bench *bench) {
  size_t repetitions = bench->options->repetitions;
  bench->samples[MANAGED] = calloc(2 * repetitions, sizeof *bench->samples[MANAGED]);
  if (bench->samples[MANAGED] == NULL || !make_memory(bench) || !choose_pages(bench)) {
    fprintf(stderr, "vptr-bench: managed needs three times %zu bytes, on the host and on the device: %s\n",
            bench->size, cudaGetErrorString(cudaGetLastError()));
    return false;
  }
  bench->samples[EXPLICIT] = bench->samples[MANAGED] + repetitions;
  host_fills(bench, EXPLICIT);
  return true;
}

static void give_back(managed_bench *bench) {
  cudaFree(bench->memory[MANAGED]);
  cudaFree(bench->memory[EXPLICIT]);
  cudaFree(bench->total);
  free(bench->host[EXPLICIT]);
  free(bench->pages);
  free(bench->samples[MANAGED]);
}

bool managed_measure(const options *wanted, const managed_kernels *kernels) {
  managed_bench bench = { .options = wanted, .kernels = kernels };
  bool good = prepare(&bench);
  if (good) {
    progress_begin(&bench.progress, CONTESTS * wanted->repetitions);
    good = run_all(&bench);
    progress_wipe(&bench.progress);
  }
  give_back(&bench);
  return good;
}

int managed_main(int argc, char **argv, const managed_kernels *kernels) {
  options wanted;
  if (!options_parse(argc, argv, &wanted) || wanted.noun != NULL || wanted.help || wanted.version) {
    fputs("usage: managed [--csv | --json] [--repetitions N]\n", stderr);
    return 2;
  }
  return managed_measure(&wanted, kernels) && report_close() ? EXIT_SUCCESS : EXIT_FAILURE;
}
