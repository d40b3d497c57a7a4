/* SPDX-License-Identifier: MIT */
/* entry_vptr - rows of vptr.h and vptr_fast.h. */
#include "entry.h"

#include <stdio.h>
#include <unistd.h>

#include <vptr/vptr.h>
#include <vptr/vptr_fast.h>

static vptr_mapper *mapper;
static char *p;
static const char nowhere[] = "no address of a mapper's";

static void said(void) {
  ENTRY_HOLDS(vptr_version, vptr_version() == VPTR_VERSION);
  ENTRY_HOLDS(vptr_status_string,
              strcmp(vptr_status_string(VPTR_SUCCESS), vptr_status_string(VPTR_ERROR_FREED)) != 0);
  NEED(vptr_malloc(mapper, BYTES, NULL) == VPTR_ERROR_NULL_POINTER);
  ENTRY_HOLDS(vptr_last_error, strlen(vptr_last_error()) > 0);
  /* Kernels have been launched: only the fake device's driver had to say something against it. */
  ENTRY_HOLDS(vptr_last_cl_error, (vptr_last_cl_error() == CL_SUCCESS) == entry_runs_kernels());
}

/* Of two mappers one was made for it. */
static void move_mapper(vptr_mapper *fixed) {
  vptr_config config = VPTR_CONFIG_INIT;
  vptr_mapper *movable = NULL;
  config.flags = VPTR_CONFIG_MIGRATE;
  NEED(vptr_mapper_create(&config, &movable) == VPTR_SUCCESS);
  ENTRY(vptr_migrate, (movable, NULL), VPTR_SUCCESS, 1, (fixed, NULL), VPTR_ERROR_UNSUPPORTED);
  ENTRY(vptr_migrate_lost, (movable, NULL, NULL, NULL), VPTR_SUCCESS, 1, (fixed, NULL, NULL, NULL),
        VPTR_ERROR_UNSUPPORTED);
  /* With VPTR_MIGRATE=1 all are, even if what they have keeps them from going. */
  const char *all = getenv("VPTR_MIGRATE");
  const vptr_status refused = all != NULL && strcmp(all, "1") == 0 ? VPTR_SUCCESS : VPTR_ERROR_UNSUPPORTED;
  ENTRY(vptr_keep_device, (movable, NULL, 1), VPTR_SUCCESS, 1, (fixed, NULL, 1), refused);
  NEED(vptr_mapper_destroy(movable) == VPTR_SUCCESS);
}

/* Of a mapper with nothing in it, and back into that. */
static void checkpoints(vptr_mapper *empty) {
  static const char file[] = "/tmp/vptr-conform-entry.checkpoint";
  char name[sizeof file + 16];
  int step = 1;
  snprintf(name, sizeof name, "%s.%ld", file, (long)getpid());
  ENTRY(vptr_checkpoint_keep, ("step", &step, sizeof step), VPTR_SUCCESS, 1, ("step", &step, 0),
        VPTR_ERROR_INVALID_SIZE);
  ENTRY(vptr_checkpoint, (empty, name, 0), VPTR_SUCCESS, access(name, F_OK) == 0, (empty, NULL, 0),
        VPTR_ERROR_NULL_POINTER);
  step = 2;
  ENTRY(vptr_restore, (empty, name), VPTR_SUCCESS, step == 1, (empty, NULL), VPTR_ERROR_NULL_POINTER);
  NEED(vptr_checkpoint_keep("step", NULL, 0) == VPTR_SUCCESS);
  unlink(name);
}

static void mappers(void) {
  const vptr_config odd = { .struct_size = sizeof odd, .alignment = 3 };
  vptr_mapper *brief = NULL, *refused = NULL;
  size_t released = 1;
  ENTRY(vptr_mapper_create, (NULL, &brief), VPTR_SUCCESS, brief != NULL, (&odd, &refused),
        VPTR_ERROR_INVALID_ARGUMENT);
  checkpoints(brief);
  ENTRY(vptr_mapper_destroy, (brief), VPTR_SUCCESS, 1, (NULL), VPTR_ERROR_INVALID_ARGUMENT);
  ENTRY_HOLDS(vptr_get_context, vptr_get_context(mapper) != NULL || !entry_runs_kernels());
  ENTRY_HOLDS(vptr_get_device, vptr_get_device(mapper) != NULL || !entry_runs_kernels());
  ENTRY_HOLDS(vptr_get_queue, vptr_get_queue(mapper) != NULL);
  ENTRY(vptr_use_queue, (mapper, vptr_get_queue(mapper)), VPTR_SUCCESS, 1, (mapper, NULL),
        VPTR_ERROR_INVALID_ARGUMENT);
  ENTRY(vptr_drop_queue, (mapper, vptr_get_queue(mapper)), VPTR_SUCCESS, 1, (mapper, NULL),
        VPTR_ERROR_INVALID_ARGUMENT);
  ENTRY(vptr_finish, (mapper), VPTR_SUCCESS, 1, (mapper), VPTR_SUCCESS);
  ENTRY(vptr_compact, (mapper, &released), VPTR_ERROR_UNSUPPORTED, 1, (mapper, NULL), VPTR_ERROR_UNSUPPORTED);
  move_mapper(mapper);
  ENTRY(vptr_trim, (mapper, 0), VPTR_SUCCESS, 1, (mapper, 0), VPTR_SUCCESS);
  ENTRY(vptr_check, (mapper), VPTR_SUCCESS, 1, (mapper), VPTR_SUCCESS);
}

static int count_visit(const vptr_location *location, void *count) {
  *(int *)count += location->base == p;
  return 0;
}

static void count_line(const char *section, const char *name, const char *value, const char *why, void *count) {
  *(int *)count += section != NULL && name != NULL && value != NULL && why != NULL;
}

/* Of location, seven bytes behind p. Who is given a buffer releases it with OpenCL: none of the fake device's. */
static void retained(const vptr_location *location) {
  const int real = entry_runs_kernels();
  cl_mem buffer = NULL;
  size_t offset = 0;
  ENTRY(vptr_retain_buffer, (mapper, real ? p : nowhere, &buffer, &offset),
        real ? VPTR_SUCCESS : VPTR_ERROR_UNKNOWN_ADDRESS,
        !real || (buffer == location->buffer && offset + 7 == location->buffer_offset),
        (mapper, nowhere, &buffer, &offset), VPTR_ERROR_UNKNOWN_ADDRESS);
  NEED(!real || clReleaseMemObject(buffer) == CL_SUCCESS);
}

static void looked_up(void) {
  vptr_location location = { .size = 0 }, locations[2];
  vptr_status verdicts[2] = { VPTR_ERROR_CORRUPT, VPTR_ERROR_CORRUPT };
  const void *both[] = { p, nowhere };
  vptr_stats stats = { .struct_size = sizeof stats }, none = { .struct_size = 0 };
  vptr_fast fast = VPTR_FAST_INIT, other = { .struct_size = 0 };
  vptr_fast_extent extent = { .size = 0 };
  vptr_part part = { .size = 0 };
  size_t parts = 0;
  int visited = 0, lines = 0;
  ENTRY_HOLDS(vptr_count, vptr_count(mapper) == 1);
  ENTRY(vptr_get_stats, (mapper, &stats), VPTR_SUCCESS, stats.live_count == 1 && stats.live_bytes == BYTES,
        (mapper, &none), VPTR_ERROR_INVALID_ARGUMENT);
  ENTRY(vptr_resolve, (mapper, p + 7, 8, &location), VPTR_SUCCESS, location.base == p && location.offset == 7,
        (mapper, nowhere, 8, &location), VPTR_ERROR_UNKNOWN_ADDRESS);
  ENTRY(vptr_resolve_batch, (mapper, both, 2, 1, locations, verdicts), VPTR_SUCCESS,
        verdicts[0] == VPTR_SUCCESS && verdicts[1] == VPTR_ERROR_UNKNOWN_ADDRESS && locations[0].base == p,
        (mapper, NULL, 2, 1, locations, verdicts), VPTR_ERROR_NULL_POINTER);
  ENTRY(vptr_get_parts, (mapper, p + 7, 8, &part, 1, &parts), VPTR_SUCCESS,
        parts == 1 && part.ptr == p + 7 && part.size == 8 && part.buffer == location.buffer,
        (mapper, nowhere, 8, &part, 1, &parts), VPTR_ERROR_UNKNOWN_ADDRESS);
  ENTRY_HOLDS(vptr_get_buffer, vptr_get_buffer(mapper, p) != NULL && vptr_get_buffer(mapper, nowhere) == NULL);
  ENTRY_HOLDS(vptr_get_offset, vptr_get_offset(mapper, p + 7) == vptr_get_offset(mapper, p) + 7 &&
                                   vptr_get_offset(mapper, nowhere) < 0);
  retained(&location);
  ENTRY(vptr_walk, (mapper, count_visit, &visited), VPTR_SUCCESS, visited == 1, (mapper, NULL, NULL),
        VPTR_ERROR_NULL_POINTER);
  ENTRY(vptr_report, (mapper, count_line, &lines), VPTR_SUCCESS, lines > 3, (mapper, NULL, NULL),
        VPTR_ERROR_NULL_POINTER);
  ENTRY(vptr_fast_open, (mapper, &fast), VPTR_SUCCESS,
        vptr_fast_resolve(&fast, p + 7, 8, &extent) == VPTR_SUCCESS && extent.base == p && extent.size == BYTES,
        (mapper, &other), VPTR_ERROR_INVALID_ARGUMENT);
}

static void moved(void) {
  char host[BYTES] = "";
  const int pattern = 0x04040404;
  char *mapped = NULL;
  ENTRY(vptr_memset, (mapper, p, 3, BYTES), VPTR_SUCCESS, entry_device_holds(p, 3, BYTES), (mapper, p, 3, BYTES + 1),
        VPTR_ERROR_OUT_OF_BOUNDS);
  ENTRY(vptr_fill, (mapper, p, &pattern, sizeof pattern, BYTES / sizeof pattern), VPTR_SUCCESS,
        entry_device_holds(p, 4, BYTES), (mapper, p, NULL, sizeof pattern, 1), VPTR_ERROR_NULL_POINTER);
  ENTRY(vptr_memcpy, (mapper, host, p, BYTES), VPTR_SUCCESS, entry_host_holds(host, 4, BYTES),
        (mapper, host, p, BYTES + 1), VPTR_ERROR_OUT_OF_BOUNDS);
  ENTRY(vptr_map, (mapper, p, BYTES, VPTR_ACCESS_READ, (void **)&mapped), VPTR_SUCCESS,
        entry_host_holds(mapped, 4, BYTES), (mapper, p, BYTES, (vptr_access)99, (void **)&mapped),
        VPTR_ERROR_INVALID_ARGUMENT);
  ENTRY(vptr_unmap, (mapper, mapped), VPTR_SUCCESS, 1, (mapper, mapped), VPTR_ERROR_NOT_MAPPED);
}

/* The fake device has no kernels that OpenCL makes: there all calls are wrong. */
static void kernel_arguments(void) {
  cl_kernel kernel = entry_kernel_of(mapper, "__kernel void k(__global int *x, ulong o, __global int *y) {}");
  const void *arguments[] = { p };
  const vptr_status refused = VPTR_ERROR_INVALID_ARGUMENT, code = kernel != NULL ? VPTR_SUCCESS : refused;
  ENTRY(vptr_set_kernel_arg, (mapper, kernel, 2, p), code, 1, (mapper, NULL, 2, p), refused);
  ENTRY(vptr_set_kernel_args, (mapper, kernel, 2, arguments, 1), code, 1, (mapper, NULL, 2, arguments, 1), refused);
  ENTRY(vptr_set_kernel_arg_pair, (mapper, kernel, 0, p), code, 1, (mapper, NULL, 0, p), refused);
  NEED(kernel == NULL || clReleaseKernel(kernel) == CL_SUCCESS);
}

void entry_vptr(void) {
  vptr_mapper *other = NULL;
  void *theirs = NULL, *attached = NULL, *refused = NULL;
  NEED(vptr_mapper_create(NULL, &mapper) == VPTR_SUCCESS);
  said();
  mappers();
  ENTRY(vptr_malloc, (mapper, BYTES, (void **)&p), VPTR_SUCCESS, p != NULL, (mapper, BYTES, NULL),
        VPTR_ERROR_NULL_POINTER);
  looked_up();
  moved();
  kernel_arguments();
  ENTRY(vptr_free, (mapper, p), VPTR_SUCCESS, vptr_count(mapper) == 0, (mapper, p), VPTR_ERROR_FREED);
  NEED(vptr_malloc(mapper, BYTES, (void **)&p) == VPTR_SUCCESS);
  ENTRY(vptr_free_no_reuse, (mapper, p), VPTR_SUCCESS, vptr_count(mapper) == 0, (mapper, p), VPTR_ERROR_FREED);
  const vptr_config beside = { .struct_size = sizeof beside, .context = vptr_get_context(mapper) };
  NEED(vptr_mapper_create(entry_runs_kernels() ? &beside : NULL, &other) == VPTR_SUCCESS);
  NEED(vptr_malloc(other, BYTES, &theirs) == VPTR_SUCCESS);
  ENTRY(vptr_attach, (mapper, vptr_get_buffer(other, theirs), &attached), VPTR_SUCCESS, attached != NULL,
        (mapper, NULL, &refused), VPTR_ERROR_NULL_POINTER);
  ENTRY(vptr_clear, (mapper), VPTR_SUCCESS, vptr_count(mapper) == 0, (mapper), VPTR_SUCCESS);
  NEED(vptr_mapper_destroy(other) == VPTR_SUCCESS && vptr_mapper_destroy(mapper) == VPTR_SUCCESS);
}
