/* SPDX-License-Identifier: MIT */
/*
 * report - vptr_report(): what vptr found, what it chose, and why, fact by fact.
 *
 * Facts go to the caller as text, one at a time, so that a new fact breaks no program and the library needs no opinion
 * on tables or JSON. What a reader may rely on: the lines of a section come one behind the other, no name comes twice
 * in a section, byte counts are plain decimal numbers (with the human form under "why"), and answers are "yes", "no" or
 * "unknown".
 *
 * The device's own addresses are tried on a small buffer of their own, since only asking tells; that can take some 100
 * ms the first time. The default mapper is made, if it is meant and there is none. Nothing else is changed.
 *
 * The file owns nothing. vptr__heap.lock, of rank HEAP, is taken for moments, for the heap's figures; no lock is held
 * while the caller's function runs. Called by programs alone, for vptr_report() (vptr.h).
 */
#include "mapper/mapper.h"

#include "base/error.h"
#include "base/option.h"
#include "heap/cache.h"
#include "heap/class.h"
#include "mapper/managed_mode.h"

#include <inttypes.h>
#include <stdio.h>

enum { VALUE_SIZE = 512, BYTES_SIZE = 32, PROBE_BYTES = 256 };

typedef struct reporter {
  void (*line)(const char *section, const char *name, const char *value, const char *why, void *context);
  void *context;
  const char *section;
} reporter;

/* ---- telling --------------------------------------------------------------------------------------------- */

static void report_line(const reporter *to, const char *name, const char *value, const char *why) {
  to->line(to->section, name, value, why, to->context);
}

static void report_number(const reporter *to, const char *name, uint64_t number, const char *why) {
  char value[BYTES_SIZE];
  snprintf(value, sizeof value, "%" PRIu64, number);
  report_line(to, name, value, why);
}

static void report_answer(const reporter *to, const char *name, bool answer, const char *why_yes,
                          const char *why_no) {
  report_line(to, name, answer ? "yes" : "no", answer ? why_yes : why_no);
}

/* "512 B", "256 KiB", "139.8 GiB": one decimal where it is not a round number. */
static void put_bytes(uint64_t bytes, char text[BYTES_SIZE]) {
  static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
  unsigned unit = 0;
  while (unit < 6 && bytes >> (10 * (unit + 1)) != 0)
    unit++;
  bool round = (bytes & ((UINT64_C(1) << (10 * unit)) - 1)) == 0;
  snprintf(text, BYTES_SIZE, "%.*f %s", round ? 0 : 1, (double)bytes / (double)(UINT64_C(1) << (10 * unit)),
           units[unit]);
}

static void report_bytes(const reporter *to, const char *name, uint64_t bytes, const char *why) {
  char human[BYTES_SIZE];
  char text[VALUE_SIZE];
  put_bytes(bytes, human);
  snprintf(text, sizeof text, "%s%s%s", human, *why != '\0' ? "; " : "", why);
  report_number(to, name, bytes, text);
}

/* ---- version --------------------------------------------------------------------------------------------- */

#if defined __clang__
#define COMPILER "clang " __clang_version__
#elif defined __GNUC__
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown compiler"
#endif

/* Asked of OpenCL directly and not through the device: nobody else in the library needs to know. */
static void report_platform_version(const reporter *to, const vptr_mapper *mapper) {
  char version[VALUE_SIZE];
  cl_platform_id platform = mapper->device->cl_platform;
  if (platform == NULL)
    report_line(to, "OpenCL platform", "none", "the fake device needs no OpenCL");
  else if (clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof version, version, NULL) == CL_SUCCESS)
    report_line(to, "OpenCL platform", version, mapper->device->platform);
}

static void report_version(reporter *to, const vptr_mapper *mapper) {
  char target[BYTES_SIZE];
  snprintf(target, sizeof target, "%d.%d", CL_TARGET_OPENCL_VERSION / 100, CL_TARGET_OPENCL_VERSION / 10 % 10);
  to->section = "version";
  report_line(to, "library", VPTR_VERSION_STRING, "");
  report_line(to, "built with", COMPILER, "");
  report_line(to, "OpenCL headers", target, "the newest calls that vptr knows of");
  report_answer(to, "cuBLAS", VPTR_HAVE_CLBLAST, "libvptr-cublas was built, on CLBlast",
                "libvptr-cublas was not built: CLBlast was not found, or not wanted");
  report_answer(to, "cuFFT", VPTR_HAVE_VKFFT, "libvptr-cufft was built, on VkFFT",
                "libvptr-cufft was not built: VkFFT was not found, or not wanted");
  report_answer(to, "cuRAND", VPTR_HAVE_CURAND, "libvptr-curand was built",
                "libvptr-curand was not built: its kernels are translated by the machine that runs them");
  report_answer(to, "cuSOLVER", VPTR_HAVE_CUSOLVER, "libvptr-cusolver was built, on LAPACK",
                "libvptr-cusolver was not built: LAPACK or CLBlast was not found, or not wanted");
  report_answer(to, "cuSPARSE", VPTR_HAVE_CUSPARSE, "libvptr-cusparse was built",
                "libvptr-cusparse was not built: its kernels are translated by the machine that runs them");
  if (mapper != NULL)
    report_platform_version(to, mapper);
}

/* ---- devices --------------------------------------------------------------------------------------------- */

static const char *type_name(cl_platform_id platform, cl_device_type type) {
  if (platform == NULL)
    return "fake";
  if (type & CL_DEVICE_TYPE_GPU)
    return "GPU";
  if (type & CL_DEVICE_TYPE_ACCELERATOR)
    return "accelerator";
  return type & CL_DEVICE_TYPE_CPU ? "CPU" : "other";
}

static void report_candidate(const reporter *to, int number, const vptr__device_entry *entry) {
  char name[BYTES_SIZE], value[VALUE_SIZE], why[VALUE_SIZE];
  snprintf(name, sizeof name, "%d", number);
  snprintf(value, sizeof value, "%s, %s (%s)", type_name(entry->cl_platform, entry->type), entry->name,
           entry->platform);
  snprintf(why, sizeof why, "%s: %s", entry->chosen ? "chosen" : "not chosen", entry->why);
  report_line(to, name, value, why);
}

static void report_devices(reporter *to, const vptr__device_entry *entries, int count) {
  to->section = "devices";
  char why[VALUE_SIZE] = "";
  int unasked = vptr__device_platforms_unasked();
  if (unasked > 0)
    snprintf(why, sizeof why, "not asked: %d other %s, since VPTR_PLATFORM is set", unasked,
             unasked == 1 ? "platform" : "platforms");
  report_number(to, "found", (uint64_t)count, why);
  for (int i = 0; i < count; i++)
    report_candidate(to, i, &entries[i]);
}

/* ---- device ---------------------------------------------------------------------------------------------- */

static vptr_status probe_address(vptr__device *device) {
  cl_mem buffer;
  uint64_t address;
  vptr_status status = device->ops->memory.create(device, PROBE_BYTES, &buffer);
  if (status != VPTR_SUCCESS)
    return status;
  status = device->ops->memory.address(device, buffer, &address);
  device->ops->memory.release(device, buffer);
  return status;
}

/* UNSUPPORTED is the device's answer; every other failure says that it could not be asked. Neither is an error of the
 * report. */
static void report_address_support(const reporter *to, vptr__device *device) {
  char reason[VALUE_SIZE];
  vptr__error_try();
  vptr_status status = probe_address(device);
  snprintf(reason, sizeof reason, "%s", vptr_last_error());
  vptr__error_tried(VPTR_SUCCESS);
  if (status == VPTR_SUCCESS)
    report_line(to, "device addresses", "yes", "a kernel told one: kernels take interior pointers of any alignment");
  else
    report_line(to, "device addresses", status == VPTR_ERROR_UNSUPPORTED ? "no" : "unknown", reason);
}

static void report_limits(const reporter *to, const vptr__device *device) {
  report_bytes(to, "memory", device->memory_bytes,
               device->has_budget ? "what VPTR_DEVICE_BYTES leaves of it" : "CL_DEVICE_GLOBAL_MEM_SIZE");
  report_bytes(to, "max buffer", device->max_buffer_bytes,
               device->quirk.trusts_max_buffer
                   ? "CL_DEVICE_MAX_MEM_ALLOC_SIZE; the driver refuses more"
                   : "CL_DEVICE_MAX_MEM_ALLOC_SIZE; the driver is asked for more all the same");
  report_bytes(to, "alignment", device->alignment, "CL_DEVICE_MEM_BASE_ADDR_ALIGN");
  report_answer(to, "unified memory", device->host_unified, "vptr_map() shows the buffer's own memory",
                "vptr_map() copies");
  report_answer(to, "wide fills", device->tuning.fill_wide, "bytes are filled by 16: faster here",
                "bytes are filled one by one: not slower here");
}

static void report_managed(const reporter *to, const vptr_mapper *mapper) {
  if (vptr__managed_mode_of(mapper) == VPTR__MANAGED_PLACE)
    report_line(to, "managed memory", "in place", "kernels work on the host's memory: nothing is copied");
  else
    report_line(to, "managed memory", "page faults",
                "on both sides: what the other side needs is copied when it is touched");
}

static void report_device(reporter *to, const vptr_mapper *mapper) {
  vptr__device *device = mapper->device;
  to->section = "device";
  report_line(to, "name", device->name, device->ordinal == 0 ? "the first of the chosen devices" : "");
  report_line(to, "platform", device->platform, "");
  report_line(to, "type", type_name(device->cl_platform, device->type), "");
  report_line(to, "vendor", device->vendor, "");
  report_line(to, "OpenCL", device->version, "");
  report_line(to, "driver", device->driver, "");
  report_limits(to, device);
  report_address_support(to, device);
  report_managed(to, mapper);
}

/* ---- addresses and heap ---------------------------------------------------------------------------------- */

static void report_reservation(const reporter *to, size_t asked, size_t got) {
  char human[BYTES_SIZE], why[VALUE_SIZE];
  put_bytes(asked, human);
  if (got == asked)
    snprintf(why, sizeof why, "all that was asked for");
  else
    snprintf(why, sizeof why, "%s were asked for; %s", human,
             got < asked ? "the system gave no more" : "rounded up to a power of two");
  report_bytes(to, "reserved", got, why);
}

/* Of an arena guard and windows that are not whole are left out. */
static void report_taken(const reporter *to, size_t asked, size_t got) {
  char human[BYTES_SIZE], why[VALUE_SIZE];
  put_bytes(asked, human);
  snprintf(why, sizeof why, "of %s that were asked for: all the device memory for allocations", human);
  report_bytes(to, "taken", got, why);
}

static void report_addresses(reporter *to, const vptr_mapper *mapper, const vptr_stats *stats) {
  char base[BYTES_SIZE];
  snprintf(base, sizeof base, "0x%" PRIxPTR, stats->reserve_base);
  to->section = "addresses";
  if (mapper->heap_config.arena_bytes != 0) {
    report_line(to, "base", base, "where the device has the memory (VPTR_ADDRESSES)");
    report_taken(to, mapper->heap_config.arena_bytes, stats->reserve_bytes);
  } else {
    report_line(to, "base", base,
                mapper->heap_config.base_address != 0 ? "as asked for" : "where the system had room");
    report_reservation(to, mapper->heap_config.reserve_size, stats->reserve_bytes);
  }
  report_bytes(to, "window", stats->window_bytes, "the granule of addresses that a buffer takes");
}

static void report_heap(reporter *to, const vptr__heap_config *config, const vptr_stats *stats) {
  char age[VALUE_SIZE];
  snprintf(age, sizeof age, "freed buffers kept for reuse, for %g s at most (VPTR_IDLE_BYTES)",
           (double)VPTR__CACHE_MAX_AGE_NS / 1e9);
  to->section = "heap";
  report_bytes(to, "alignment", config->alignment, "of every allocation");
  report_bytes(to, "pooled below", vptr__class_fits(0, config->alignment) ? VPTR__CLASS_MAX_SLOT : 0,
               "smaller allocations share buffers, others have their own");
  report_bytes(to, "cache limit", config->idle_bytes, age);
  report_bytes(to, "quarantine", config->quarantine_bytes, "freed memory held back from reuse (VPTR_QUARANTINE)");
  report_answer(to, "reuse addresses", config->reuse_at_once, "at once",
                "last, so that stale pointers are recognised for longer");
  report_answer(to, "trace", config->trace, "call sites are remembered", "VPTR_TRACE_ALLOC=1 remembers call sites");
  report_number(to, "live allocations", stats->live_count, "");
  report_bytes(to, "live", stats->live_bytes, "as requested");
  report_bytes(to, "buffers", stats->buffer_bytes, "OpenCL buffers that vptr holds");
  report_bytes(to, "slabs", stats->slab_bytes, "of these: cut into small allocations");
  report_bytes(to, "free in slabs", stats->slab_free_bytes,
               "where none is live; vptr_compact() may give most of it back");
}

/* What is where. The budget is in what the device is said to have. */
static void report_residence(reporter *to, vptr__heap *heap) {
  to->section = "residence";
  report_answer(to, "allocations leave", vptr__heap_moves(heap),
                "when the device is full; what was used longest ago goes to the host first",
                "VPTR_OVERSUBSCRIBE=1 lets them leave a full device");
  if (!vptr__heap_moves(heap))
    return;
  const vptr__heap_places places = vptr__heap_places_of(heap);
  report_bytes(to, "staying", places.staying, "on the device: the library's own, and what programs have buffers of");
  report_bytes(to, "movable", places.movable, "on the device, and may leave it");
  report_bytes(to, "in host memory", places.in_memory, "away, in this process' memory");
  report_bytes(to, "in files", places.in_files, "away, in VPTR_SPILL_DIR");
  report_bytes(to, "packs", places.packs, "on the device: small allocations of slabs that were nearly empty");
  report_bytes(to, "copies", places.copies, "of movable ones, that were only read since they came back");
  report_number(to, "away", places.away_count, "buffers that are not on the device");
}

/* ---- options --------------------------------------------------------------------------------------------- */

static void report_options(reporter *to) {
  to->section = "options";
  int set = 0;
  for (int i = 0; vptr__option_name(i) != NULL; i++) {
    const char *text = vptr__option_text((vptr__option)i);
    if (text == NULL)
      continue;
    report_line(to, vptr__option_name(i), text, "");
    set++;
  }
  report_number(to, "set", (uint64_t)set, set > 0 ? "" : "vptr(7) lists the variables");
}

/* ---- all ------------------------------------------------------------------------------------------------- */

static void report_mapper(reporter *to, vptr_mapper *mapper) {
  vptr_stats stats;
  vptr__heap_stats(mapper->heap, &stats);
  report_device(to, mapper);
  report_addresses(to, mapper, &stats);
  report_heap(to, &mapper->heap_config, &stats);
  report_residence(to, mapper->heap);
}

static void report_no_device(reporter *to, const char *reason) {
  to->section = "device";
  report_line(to, "name", "none", reason);
}

/* The list's status is not ours: a mapper on a context of the user's needs no chosen device. */
vptr_status vptr_report(vptr_mapper *mapper,
                        void (*line)(const char *section, const char *name, const char *value, const char *why,
                                     void *context),
                        void *context) {
  if (line == NULL)
    return vptr__error(VPTR_ERROR_NULL_POINTER, "vptr_report: the function to call for each line is NULL");
  reporter to = { .line = line, .context = context };
  const vptr__device_entry *entries = NULL;
  int count = 0;
  vptr_status status = VPTR_SUCCESS;
  char reason[VALUE_SIZE] = "";
  vptr__error_try();
  vptr__device_list(&entries, &count);
  vptr__error_tried(VPTR_SUCCESS);
  mapper = vptr__mapper_of(mapper, &status);
  if (mapper == NULL)
    snprintf(reason, sizeof reason, "%s", vptr_last_error());
  report_version(&to, mapper);
  report_devices(&to, entries, count);
  if (mapper != NULL)
    report_mapper(&to, mapper);
  else
    report_no_device(&to, reason);
  report_options(&to);
  return status;
}
