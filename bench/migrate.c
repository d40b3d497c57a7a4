/* SPDX-License-Identifier: MIT */
/*
 * migrate - see migrate.h.
 *
 * A sample is one migration, from the call to its return: opening the new device, making buffers there, copying, and
 * releasing and closing what was left; or, of devices that are kept open, without the first and the last. The pause is
 * how long another thread, which writes to the mapper's memory all the while, waits for one of its writes at most. Both
 * are set against the slower of the two links, which bare OpenCL measures in the same run; of each link the quickest of
 * three is taken. VPTR_VERBOSE=2 tells the parts of each sample.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateCommandQueue: its successor is missing before 2.0 */

#include "migrate.h"

#include <vptr/vptr.h>

#include "clock.h"
#include "options.h"
#include "progress.h"
#include "report.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 64, MOST_DEVICES = 64, MOST_PLATFORMS = 16, LINK_ROUNDS = 3, WAYS = 4 };
static const char *const ways[WAYS] = { "back", "there", "back, kept", "there, kept" };
static const size_t block_bytes = (size_t)128 << 20, most_bytes = (size_t)8 << 30;

static const report_column columns[] = {
  { "way", "way", 12, REPORT_TEXT, REPORT_IN_ALL },
  { "bytes", "bytes", 11, 0, REPORT_IN_ALL },
  { "call ms", "migrate_ms", 9, 1, REPORT_IN_ALL },
  { "+-%", "spread_percent", 4, 0, REPORT_IN_TABLE },
  { "pause ms", "pause_ms", 9, 1, REPORT_IN_ALL },
  { "+-%", "pause_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "read GB/s", "read_gb_per_s", 10, 2, REPORT_IN_ALL },
  { "write GB/s", "write_gb_per_s", 11, 2, REPORT_IN_ALL },
  { "slower GB/s", "slower_link_gb_per_s", 12, 2, REPORT_IN_ALL },
  { "call GB/s", "migrate_gb_per_s", 10, 2, REPORT_IN_ALL },
  { "of slower", "per_slower_link", 10, 3, REPORT_IN_ALL },
  { "pause GB/s", "pause_gb_per_s", 11, 2, REPORT_IN_ALL },
  { "of slower", "per_slower_link_in_pause", 10, 3, REPORT_IN_ALL },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

typedef struct migration {
  const options *options;
  cl_device_id devices[2];
  vptr_mapper *mapper;
  size_t blocks, bytes; /* of all */
  unsigned char *block[MOST_BLOCKS], *host;
  double read_ns[2], write_ns[2];       /* of block_bytes, of each device's link */
  double *samples[WAYS], *pauses[WAYS]; /* ns; odd ones go to the second device */
} migration;

static bool fail_vptr(const char *what) {
  fprintf(stderr, "vptr-bench: %s: %s\n", what, vptr_last_error());
  return false;
}

/* ---- the links ------------------------------------------------------------------------------------------ */

typedef struct bare {
  cl_context context;
  cl_command_queue queue;
  cl_mem buffer, pin;
  void *host; /* pinned */
} bare;

static bool open_bare(cl_device_id device, bare *it) {
  cl_int code;
  it->context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  if (code == CL_SUCCESS)
    it->queue = clCreateCommandQueue(it->context, device, 0, &code);
  if (code == CL_SUCCESS)
    it->buffer = clCreateBuffer(it->context, CL_MEM_READ_WRITE, block_bytes, NULL, &code);
  if (code == CL_SUCCESS)
    it->pin = clCreateBuffer(it->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, block_bytes, NULL, &code);
  if (code == CL_SUCCESS)
    it->host = clEnqueueMapBuffer(it->queue, it->pin, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, block_bytes, 0, NULL,
                                  NULL, &code);
  if (code == CL_SUCCESS)
    memset(it->host, 1, block_bytes);
  return code == CL_SUCCESS;
}

static void close_bare(bare *it) {
  if (it->host != NULL)
    clEnqueueUnmapMemObject(it->queue, it->pin, it->host, 0, NULL, NULL);
  if (it->queue != NULL)
    clFinish(it->queue);
  if (it->pin != NULL)
    clReleaseMemObject(it->pin);
  if (it->buffer != NULL)
    clReleaseMemObject(it->buffer);
  if (it->queue != NULL)
    clReleaseCommandQueue(it->queue);
  if (it->context != NULL)
    clReleaseContext(it->context);
}

static bool time_link(const bare *it, double *read_ns, double *write_ns) {
  *read_ns = *write_ns = 1e18;
  for (int i = 0; i < LINK_ROUNDS + 1; i++) {
    uint64_t begin = clock_ns();
    if (clEnqueueWriteBuffer(it->queue, it->buffer, CL_TRUE, 0, block_bytes, it->host, 0, NULL, NULL) != CL_SUCCESS)
      return false;
    double wrote = (double)clock_since(begin);
    begin = clock_ns();
    if (clEnqueueReadBuffer(it->queue, it->buffer, CL_TRUE, 0, block_bytes, it->host, 0, NULL, NULL) != CL_SUCCESS)
      return false;
    double read = (double)clock_since(begin);
    *write_ns = wrote < *write_ns ? wrote : *write_ns;
    *read_ns = read < *read_ns ? read : *read_ns;
  }
  return true;
}

static bool measure_links(migration *bench) {
  bool good = true;
  for (int i = 0; i < 2 && good; i++) {
    bare it = { .context = NULL };
    good = open_bare(bench->devices[i], &it) && time_link(&it, &bench->read_ns[i], &bench->write_ns[i]);
    close_bare(&it);
  }
  if (!good)
    fprintf(stderr, "vptr-bench: a transfer by bare OpenCL failed\n");
  return good;
}

/* ---- the mapper ----------------------------------------------------------------------------------------- */

/* The next of its platform; NULL: it is alone there. */
static cl_device_id next_of_platform(cl_device_id device, cl_platform_id platform) {
  cl_device_id listed[MOST_DEVICES];
  cl_uint count = 0, at = 0;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MOST_DEVICES, listed, &count) != CL_SUCCESS)
    return NULL;
  count = count < MOST_DEVICES ? count : MOST_DEVICES;
  while (at < count && listed[at] != device)
    at++;
  return at < count && count > 1 ? listed[(at + 1) % count] : NULL;
}

/* The first of another platform; NULL: there is none. */
static cl_device_id first_elsewhere(cl_platform_id platform) {
  cl_platform_id listed[MOST_PLATFORMS];
  cl_uint count = 0;
  cl_device_id device = NULL;
  if (clGetPlatformIDs(MOST_PLATFORMS, listed, &count) != CL_SUCCESS)
    return NULL;
  for (cl_uint i = 0; i < count && i < MOST_PLATFORMS; i++)
    if (listed[i] != platform && clGetDeviceIDs(listed[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS)
      return device;
  return NULL;
}

static bool choose_devices(migration *bench) {
  cl_platform_id platform;
  cl_device_id first = vptr_get_device(bench->mapper), other;
  if (first == NULL) {
    fprintf(stderr, "vptr-bench: migrate needs an OpenCL device, and the fake device is none\n");
    return false;
  }
  bench->devices[0] = bench->devices[1] = first;
  if (clGetDeviceInfo(first, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) != CL_SUCCESS)
    return true;
  other = next_of_platform(first, platform);
  other = other != NULL ? other : first_elsewhere(platform);
  bench->devices[1] = other != NULL ? other : first;
  return true;
}

static unsigned char byte_of(size_t block) {
  return (unsigned char)(17 + 29 * block);
}

static bool make_memory(migration *bench) {
  vptr_stats stats = { .struct_size = sizeof stats };
  vptr_get_stats(bench->mapper, &stats);
  size_t wanted = stats.device_bytes / 8 < most_bytes ? stats.device_bytes / 8 : most_bytes;
  bench->blocks = wanted / block_bytes > 0 ? wanted / block_bytes : 1;
  bench->bytes = bench->blocks * block_bytes;
  bench->host = malloc(block_bytes);
  for (int i = 0; i < WAYS; i++) {
    bench->samples[i] = calloc(bench->options->repetitions, sizeof *bench->samples[i]);
    bench->pauses[i] = calloc(bench->options->repetitions, sizeof *bench->pauses[i]);
    if (bench->samples[i] == NULL || bench->pauses[i] == NULL)
      return false;
  }
  if (bench->host == NULL)
    return false;
  for (size_t i = 0; i < bench->blocks; i++) {
    void *ptr;
    if (vptr_malloc(bench->mapper, block_bytes, &ptr) != VPTR_SUCCESS ||
        vptr_memset(bench->mapper, ptr, byte_of(i), block_bytes) != VPTR_SUCCESS)
      return fail_vptr("memory");
    bench->block[i] = ptr;
  }
  return true;
}

static bool is_right(const migration *bench) {
  for (size_t i = 0; i < bench->blocks; i++) {
    if (vptr_memcpy(bench->mapper, bench->host, bench->block[i], block_bytes) != VPTR_SUCCESS)
      return fail_vptr("reading what was moved");
    for (size_t at = 0; at < block_bytes; at++)
      if (bench->host[at] != byte_of(i)) {
        fprintf(stderr, "vptr-bench: byte %zu of block %zu is not what was moved\n", at, i);
        return false;
      }
  }
  return true;
}

/* The other thread: writes one byte of the first block, as it is, until it is stopped. */
typedef struct neighbour {
  const migration *bench;
  atomic_bool is_stopped;
  atomic_bool has_begun;
  bool has_failed;
  double longest_ns;
} neighbour;

static void *write_all_the_while(void *context) {
  neighbour *it = context;
  while (!atomic_load(&it->is_stopped) && !it->has_failed) {
    uint64_t begin = clock_ns();
    it->has_failed = vptr_memset(it->bench->mapper, it->bench->block[0], byte_of(0), 1) != VPTR_SUCCESS;
    double took = (double)clock_since(begin);
    if (atomic_load(&it->has_begun) && took > it->longest_ns)
      it->longest_ns = took;
    atomic_store(&it->has_begun, true);
  }
  return NULL;
}

static bool time_move(const migration *bench, int to, double *ns_out, double *pause_ns_out) {
  neighbour neighbour = { .bench = bench };
  pthread_t thread;
  if (pthread_create(&thread, NULL, write_all_the_while, &neighbour) != 0)
    return fail_vptr("a thread");
  while (!atomic_load(&neighbour.has_begun))
    continue;
  uint64_t begin = clock_ns();
  bool good = vptr_migrate(bench->mapper, bench->devices[to]) == VPTR_SUCCESS || fail_vptr("vptr_migrate");
  *ns_out = (double)clock_since(begin);
  atomic_store(&neighbour.is_stopped, true);
  pthread_join(thread, NULL);
  *pause_ns_out = neighbour.longest_ns;
  return good && !neighbour.has_failed;
}

/* From the device before to this one, and back; the first time does not count. */
static bool measure_there_and_back(migration *bench, int way, progress *progress) {
  double warm, pause;
  bool good = time_move(bench, 1, &warm, &pause) && time_move(bench, 0, &warm, &pause);
  for (size_t i = 0; i < bench->options->repetitions && good; i++) {
    progress_step(progress, ways[way + 1]);
    good = time_move(bench, 1, &bench->samples[way + 1][i], &bench->pauses[way + 1][i]) &&
           time_move(bench, 0, &bench->samples[way][i], &bench->pauses[way][i]);
  }
  return good;
}

static bool measure(migration *bench, progress *progress) {
  bool good = measure_there_and_back(bench, 0, progress);
  for (int i = 0; i < 2 && good; i++)
    good = vptr_keep_device(bench->mapper, bench->devices[i], 1) == VPTR_SUCCESS || fail_vptr("vptr_keep_device");
  return good && measure_there_and_back(bench, 2, progress) && is_right(bench);
}

/* ---- the run -------------------------------------------------------------------------------------------- */

static void print_row(migration *bench, report *report, int way) {
  const int to = way % 2;
  summary call = summary_of(bench->samples[way], bench->options->repetitions);
  summary pause = summary_of(bench->pauses[way], bench->options->repetitions);
  const double read = (double)block_bytes / bench->read_ns[1 - to], write = (double)block_bytes / bench->write_ns[to];
  const double slower = read < write ? read : write;
  const double in_call = (double)bench->bytes / call.median, in_pause = (double)bench->bytes / pause.median;
  const report_cell cells[COLUMNS] = {
    { .text = ways[way] },
    report_number((double)bench->bytes),
    report_number(call.median / 1e6),
    report_number(summary_spread_percent(&call)),
    report_number(pause.median / 1e6),
    report_number(summary_spread_percent(&pause)),
    report_number(read),
    report_number(write),
    report_number(slower),
    report_number(in_call),
    report_number(in_call / slower),
    report_number(in_pause),
    report_number(in_pause / slower),
  };
  report_row(report, cells);
}

static void print_notes(const migration *bench, report *report) {
  static const char *const names[2] = { "from", "to" };
  char name[256];
  for (int i = 0; i < 2; i++)
    if (clGetDeviceInfo(bench->devices[i], CL_DEVICE_NAME, sizeof name, name, NULL) == CL_SUCCESS)
      report_note(report, names[i], name);
  if (bench->devices[0] == bench->devices[1])
    report_note(report, "both are", "one device, in two contexts, whose two links are one");
  report_note(report, "call", "from vptr_migrate() to its return, median; VPTR_VERBOSE=2 tells its parts");
  report_note(report, "kept", "both devices stay open: vptr_keep_device()");
  report_note(report, "pause", "the longest write of another thread meanwhile, median");
  report_note(report, "links", "bare OpenCL, blocks of 128 MiB from and to pinned memory, the quickest of three");
}

static bool run_all(migration *bench) {
  progress progress;
  report report;
  bool good = choose_devices(bench) && measure_links(bench) && make_memory(bench);
  if (!good)
    return false;
  progress_begin(&progress, 2 * bench->options->repetitions);
  good = measure(bench, &progress);
  progress_wipe(&progress);
  if (!good)
    return false;
  report_begin(&report, bench->options->format, columns, COLUMNS);
  print_notes(bench, &report);
  for (int way = 0; way < WAYS; way += 2) {
    print_row(bench, &report, way + 1);
    print_row(bench, &report, way);
  }
  report_end(&report);
  return true;
}

bool migrate_run(const options *wanted) {
  migration bench = { .options = wanted };
  vptr_config config = VPTR_CONFIG_INIT;
  config.flags = VPTR_CONFIG_MIGRATE;
  if (vptr_mapper_create(&config, &bench.mapper) != VPTR_SUCCESS)
    return fail_vptr("a mapper");
  bool good = run_all(&bench);
  vptr_mapper_destroy(bench.mapper);
  free(bench.host);
  for (int i = 0; i < WAYS; i++) {
    free(bench.samples[i]);
    free(bench.pauses[i]);
  }
  return good;
}
