/* SPDX-License-Identifier: MIT */
/* device - see device.h. */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <vptr/cuda/cuda.h>
#include <vptr/vptr.h>

#include "heap/heap.h"
#include "mapper/mapper.h"
#include "mapper/registry.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

/* From here on a launch has to ask for dynamic shared memory. */
enum { PLAIN_SHARED = 48 << 10, PAGE = 4096 };

typedef struct region {
  uint64_t begin, end;
} region;

typedef struct regions {
  region *items;
  size_t count, room;
} regions;

static struct {
  vptr_mapper *mapper;
  CUmodule *modules; /* of the recording's, once they are needed */
  CUfunction function;
  const rp_launch *launch; /* whose function and variables are these */
  CUdeviceptr *places;     /* of its areas */
} device;

static bool fail(const char *what) {
  fprintf(stderr, "vptr-replay: %s: %s\n", what, vptr_last_error());
  return false;
}

/* ---- memory --------------------------------------------------------------------------------------------- */

static bool is_host(const rp_area *area) {
  return area->is.kind == VPTR__AREA_HOST || area->is.kind == VPTR__AREA_REGISTERED ||
         area->is.kind == VPTR__AREA_MANAGED;
}

static void add_region(regions *all, uint64_t begin, uint64_t end) {
  if (all->count == all->room) {
    all->room = 2 * all->room + 64;
    region *grown = rp_calloc(all->room, sizeof *grown);
    if (all->count > 0)
      memcpy(grown, all->items, all->count * sizeof *grown);
    free(all->items);
    all->items = grown;
  }
  all->items[all->count++] = (region){ begin, end };
}

static int by_begin(const void *a, const void *b) {
  const region *left = a, *right = b;
  return (left->begin > right->begin) - (left->begin < right->begin);
}

static uint64_t round_up(uint64_t value, uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

/* Those that share a unit become one; the byte behind the end is a region's, too. */
static void merge_regions(regions *all, uint64_t unit) {
  size_t kept = 0;
  if (all->count > 0)
    qsort(all->items, all->count, sizeof *all->items, by_begin);
  for (size_t i = 0; i < all->count; i++) {
    region *last = &all->items[kept > 0 ? kept - 1 : 0], *it = &all->items[i];
    if (kept > 0 && it->begin < round_up(last->end + 1, unit))
      last->end = last->end > it->end ? last->end : it->end;
    else
      all->items[kept++] = *it;
  }
  all->count = kept;
}

static void collect(const rp_recording *recording, uint64_t first, uint64_t last, regions *on_device,
                    regions *on_host) {
  const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  for (size_t i = 0; i < recording->launch_count; i++) {
    const rp_launch *launch = &recording->launches[i];
    if (!rp_launch_can_run(launch) || launch->number < first || launch->number > last)
      continue;
    for (uint32_t k = 0; k < launch->is.area_count; k++) {
      const vptr__record_area *area = &launch->areas[k].is;
      if (is_host(&launch->areas[k]))
        add_region(on_host, area->address / page * page, round_up(area->address + area->size, page));
      else if (area->kind != VPTR__AREA_VARIABLE)
        add_region(on_device, area->buffer, round_up(area->address + area->size, PAGE));
    }
  }
}

static bool place_on_device(const rp_recording *recording, regions *all) {
  vptr_stats stats = { .struct_size = sizeof stats };
  uint64_t end = recording->header.base;
  for (size_t i = 0; i < all->count; i++)
    end = all->items[i].end > end ? all->items[i].end : end;
  vptr__registry_place(recording->header.base, end - recording->header.base + ((size_t)1 << 30));
  if (cuInit(0) != CUDA_SUCCESS || vptr_get_stats(NULL, &stats) != VPTR_SUCCESS ||
      vptr__mapper_for_device(0, &device.mapper) != VPTR_SUCCESS)
    return fail("the device cannot be opened with the addresses of the recording");
  merge_regions(all, stats.window_bytes);
  for (size_t i = 0; i < all->count; i++)
    if (vptr__heap_allocate_at(device.mapper->heap, all->items[i].begin, all->items[i].end - all->items[i].begin,
                               NULL) != VPTR_SUCCESS)
      return fail("memory of the recording cannot be had at its addresses");
  return true;
}

static bool place_on_host(regions *all) {
  merge_regions(all, 1);
  for (size_t i = 0; i < all->count; i++) {
    void *at = (void *)(uintptr_t)all->items[i].begin;
    size_t size = all->items[i].end - all->items[i].begin;
    void *got = mmap(at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != at) {
      fprintf(
          stderr,
          "vptr-replay: %zu bytes at %p were memory of the host's in the recording, and are taken here; try again: "
          "where a process has its own memory changes each time\n",
          size, at);
      return false;
    }
    if (cuMemHostRegister(at, size, CU_MEMHOSTREGISTER_DEVICEMAP) != CUDA_SUCCESS)
      return fail("memory of the host's cannot be pinned");
  }
  return true;
}

static bool begin_context(void) {
  CUdevice handle;
  CUcontext context;
  return (cuDeviceGet(&handle, 0) == CUDA_SUCCESS && cuDevicePrimaryCtxRetain(&context, handle) == CUDA_SUCCESS &&
          cuCtxSetCurrent(context) == CUDA_SUCCESS) ||
         fail("the device has no context");
}

bool rp_device_open(const rp_recording *recording, uint64_t first, uint64_t last) {
  regions on_device = { .items = NULL }, on_host = { .items = NULL };
  collect(recording, first, last, &on_device, &on_host);
  bool is_open = place_on_device(recording, &on_device) && begin_context() && place_on_host(&on_host);
  device.modules = rp_calloc(recording->module_count, sizeof *device.modules);
  free(on_device.items);
  free(on_host.items);
  return is_open;
}

/* ---- a launch ------------------------------------------------------------------------------------------- */

static bool load_module(const rp_recording *recording, uint64_t number) {
  const rp_text *module = &recording->modules[number];
  if (device.modules[number] != NULL)
    return true;
  char *text = rp_calloc(1, module->length + 1);
  memcpy(text, module->at, module->length);
  CUresult result = cuModuleLoadData(&device.modules[number], text);
  free(text);
  return result == CUDA_SUCCESS || fail("a module of the recording cannot be loaded");
}

static void text_of(const rp_text *from, char *text, size_t size) {
  snprintf(text, size, "%.*s", (int)from->length, from->at);
}

static bool find_places(const rp_launch *launch, CUmodule module) {
  char name[512];
  free(device.places);
  device.places = rp_calloc(launch->is.area_count, sizeof *device.places);
  for (uint32_t i = 0; i < launch->is.area_count; i++) {
    const rp_area *area = &launch->areas[i];
    size_t size = 0;
    device.places[i] = (CUdeviceptr)area->is.address;
    if (area->is.kind != VPTR__AREA_VARIABLE)
      continue;
    text_of(&area->text, name, sizeof name);
    if (cuModuleGetGlobal(&device.places[i], &size, module, name) != CUDA_SUCCESS || size < area->is.size)
      return fail("a variable of the recording is not in its module");
  }
  return true;
}

static bool have_function(const rp_recording *recording, const rp_launch *launch) {
  char name[1024];
  if (device.launch == launch)
    return true;
  if (!load_module(recording, launch->is.module))
    return false;
  CUmodule module = device.modules[launch->is.module];
  text_of(&launch->lowered, name, sizeof name);
  if (cuModuleGetFunction(&device.function, module, name) != CUDA_SUCCESS)
    return fail("a kernel of the recording is not in its module");
  if (launch->is.shared > PLAIN_SHARED &&
      cuFuncSetAttribute(device.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)launch->is.shared) !=
          CUDA_SUCCESS)
    return fail("the device has not the shared memory");
  if (!find_places(launch, module))
    return false;
  device.launch = launch;
  return true;
}

static bool write_area(const rp_launch *launch, uint32_t index) {
  const rp_area *area = &launch->areas[index];
  unsigned char *bytes = rp_area_bytes(launch, index, false);
  CUresult result = CUDA_SUCCESS;
  if (is_host(area))
    memcpy((void *)(uintptr_t)area->is.address, bytes, area->is.size);
  else
    result = cuMemcpyHtoD(device.places[index], bytes, area->is.size);
  free(bytes);
  return result == CUDA_SUCCESS || fail("memory cannot be written");
}

static CUresult send_launch(const rp_launch *launch) {
  const vptr__record_launch *is = &launch->is;
  size_t size = is->parameter_bytes;
  void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, (void *)(uintptr_t)launch->parameters,
                    CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END };
  CUlaunchAttribute attribute = { .id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1 };
  CUlaunchConfig config = { .gridDimX = is->grid[0],
                            .gridDimY = is->grid[1],
                            .gridDimZ = is->grid[2],
                            .blockDimX = is->block[0],
                            .blockDimY = is->block[1],
                            .blockDimZ = is->block[2],
                            .sharedMemBytes = (unsigned)is->shared,
                            .attrs = &attribute,
                            .numAttrs = is->is_cooperative != 0 };
  return cuLaunchKernelEx(&config, device.function, NULL, size > 0 ? extra : NULL);
}

static bool run_once(const rp_launch *launch, CUevent begin, CUevent end, double *seconds_out) {
  float milliseconds = 0;
  for (uint32_t i = 0; i < launch->is.area_count; i++)
    if (!write_area(launch, i))
      return false;
  if (cuEventRecord(begin, NULL) != CUDA_SUCCESS || send_launch(launch) != CUDA_SUCCESS ||
      cuEventRecord(end, NULL) != CUDA_SUCCESS || cuCtxSynchronize() != CUDA_SUCCESS ||
      cuEventElapsedTime(&milliseconds, begin, end) != CUDA_SUCCESS) {
    fprintf(stderr, "vptr-replay: launch %llu, of %.*s, fails: %s\n", (unsigned long long)launch->number,
            (int)launch->name.length, launch->name.at, vptr_last_error());
    return false;
  }
  *seconds_out = (double)milliseconds / 1000;
  return true;
}

bool rp_device_run(const rp_recording *recording, const rp_launch *launch, unsigned repeat, double *seconds_out) {
  CUevent begin = NULL, end = NULL;
  if (!have_function(recording, launch))
    return false;
  if (cuEventCreate(&begin, 0) != CUDA_SUCCESS || cuEventCreate(&end, 0) != CUDA_SUCCESS)
    return fail("there are no events");
  bool is_right = true;
  for (unsigned i = 0; i < repeat && is_right; i++)
    is_right = run_once(launch, begin, end, &seconds_out[i]);
  cuEventDestroy(begin);
  cuEventDestroy(end);
  return is_right;
}

bool rp_device_read(const rp_launch *launch, uint32_t area, size_t offset, void *bytes, size_t size) {
  if (is_host(&launch->areas[area])) {
    memcpy(bytes, (const void *)(uintptr_t)(launch->areas[area].is.address + offset), size);
    return true;
  }
  return cuMemcpyDtoH(bytes, device.places[area] + offset, size) == CUDA_SUCCESS || fail("memory cannot be read");
}
