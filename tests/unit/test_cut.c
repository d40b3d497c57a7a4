/* SPDX-License-Identifier: MIT */
/*
 * cut - grids that a device cannot count, on one that computes.
 *
 * Devices with short addresses are rare, so the layer (tests/layer) makes one of the OpenCL device under test: it tells
 * fewer bits, and refuses what such a device would. Each work-item leaves a mark that the host computes too, of where
 * it is, of the grid and block it sees, and of what another work-item of its block wrote before a barrier.
 *
 * Needs an OpenCL platform, and the layer (VPTR_TEST_LAYER=path of the module); else it is left out.
 */
#include <stdlib.h>
#include <string.h>

#include <vptr/vptr.h>

#include "layer/layer.h"
#include "module/module.h"
#include "support/support.h"
#include "translate/translate.h"

static const char kernels[] =
    "__device__ unsigned long long number_of_block() {\n"
    "  return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;\n"
    "}\n"
    "__global__ void mark(unsigned *marks, unsigned long long *totals, dim3 grid, dim3 block) {\n"
    "  __shared__ unsigned shared[256], sum;\n"
    "  unsigned threads = blockDim.x * blockDim.y * blockDim.z;\n"
    "  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;\n"
    "  unsigned long long number = number_of_block();\n"
    "  shared[thread] = (unsigned)number * 7 + thread;\n"
    "  if (thread == 0)\n"
    "    sum = 0;\n"
    "  __syncthreads();\n"
    "  atomicAdd(&marks[number * threads + thread], shared[threads - 1 - thread] + 1);\n"
    "  atomicAdd(&sum, 1);\n"
    "  if (gridDim.x != grid.x || gridDim.y != grid.y || gridDim.z != grid.z || blockDim.x != block.x ||\n"
    "      blockDim.y != block.y || blockDim.z != block.z)\n"
    "    atomicAdd(&totals[0], 1ull);\n"
    "  __syncthreads();\n"
    "  if (thread == 0)\n"
    "    atomicAdd(&totals[1], (number + 1) * sum);\n"
    "  atomicMax(&totals[2], number);\n"
    "}\n";

enum { SPARE = 64 }; /* marks behind those of the grid: nobody's */

typedef struct shape {
  uint32_t grid[3], block[3];
} shape;

static const layer_control *layer;
static vptr_mapper *mapper;
static vptr__module *module;
static uint64_t most; /* work-items along an axis */

static bool no_file(void *context, const char *name, bool is_quoted, const char *includer, const char *after,
                    const char **text_out, size_t *length_out, const char **path_out) {
  (void)context, (void)name, (void)is_quoted, (void)includer, (void)after, (void)text_out, (void)length_out,
      (void)path_out;
  return false;
}

/* ---- a device with short addresses ---------------------------------------------------------------------- */

static void open_device(cl_uint bits) {
  const vptr__reader reader = { .open = no_file };
  const vptr__translate_options options = { .arch = 0 };
  vptr__translation translation;
  layer->address_bits(bits);
  support_succeed(vptr_mapper_create(NULL, &mapper));
  most = (UINT64_C(1) << bits) - 1;
  ck_assert_uint_eq(mapper->device->max_global, most);
  ck_assert(vptr__translate("cut.cu", kernels, sizeof kernels - 1, &reader, &options, &translation));
  ck_assert_msg(translation.module != NULL, "%s", translation.log);
  support_succeed(vptr__module_load(translation.module, strlen(translation.module), &module));
  vptr__translate_free(&translation);
}

static void close_device(void) {
  vptr__module_unload(module);
  support_succeed(vptr_mapper_destroy(mapper));
  layer->address_bits(0);
}

/* ---- what is expected ----------------------------------------------------------------------------------- */

static uint64_t volume(const uint32_t sizes[3]) {
  return (uint64_t)sizes[0] * sizes[1] * sizes[2];
}

static long pieces_of(const shape *shape) {
  long pieces = 1;
  bool is_cut = false;
  for (int i = 0; i < 3; i++) {
    uint64_t blocks = most / 2 / shape->block[i];
    is_cut = is_cut || (uint64_t)shape->grid[i] * shape->block[i] > most;
    pieces *= (long)((shape->grid[i] + blocks - 1) / blocks);
  }
  return is_cut ? pieces : 1;
}

static void expect_marks(const shape *shape, const uint32_t *marks) {
  uint64_t blocks = volume(shape->grid), threads = volume(shape->block);
  for (uint64_t number = 0; number < blocks; number++)
    for (uint64_t thread = 0; thread < threads; thread++)
      support_must(marks[number * threads + thread] == (uint32_t)(number * 7 + threads - thread));
  for (uint64_t i = 0; i < SPARE; i++)
    support_must(marks[blocks * threads + i] == 0);
}

static void expect_totals(const shape *shape, const uint64_t totals[3]) {
  uint64_t blocks = volume(shape->grid);
  ck_assert_uint_eq(totals[0], 0);
  ck_assert_uint_eq(totals[1], blocks * (blocks + 1) / 2 * volume(shape->block));
  ck_assert_uint_eq(totals[2], blocks - 1);
}

/* ---- launching ------------------------------------------------------------------------------------------ */

static void launch(const shape *shape, void *marks, void *totals) {
  void *arguments[] = { &marks, &totals, (void *)shape->grid, (void *)shape->block };
  vptr__launch launch = { .what = "test", .arguments = arguments };
  vptr__stream *stream;
  memcpy(launch.grid, shape->grid, sizeof launch.grid);
  memcpy(launch.block, shape->block, sizeof launch.block);
  support_succeed(vptr__stream_legacy(mapper, &stream));
  support_succeed(vptr__function_launch(vptr__module_function(module, "mark"), stream, &launch));
  support_succeed(vptr__stream_synchronize(stream));
}

/* The first launch of a shape finds addresses out, with kernels of its own; the second is counted and looked at. */
static void launch_again(const shape *shape, void *marks, size_t bytes, void *totals) {
  launch(shape, marks, totals);
  support_succeed(vptr_memset(mapper, marks, 0, bytes));
  support_succeed(vptr_memset(mapper, totals, 0, 3 * sizeof(uint64_t)));
  long before = layer->calls(LAYER_ENQUEUE_ND_RANGE_KERNEL);
  launch(shape, marks, totals);
  ck_assert_int_eq(layer->calls(LAYER_ENQUEUE_ND_RANGE_KERNEL) - before, pieces_of(shape));
}

static void try_shape(const shape *shape) {
  size_t bytes = (size_t)(volume(shape->grid) * volume(shape->block) + SPARE) * sizeof(uint32_t);
  uint32_t *seen = malloc(bytes);
  uint64_t totals_seen[3];
  void *marks, *totals;
  ck_assert_ptr_nonnull(seen);
  support_succeed(vptr_malloc(mapper, bytes, &marks));
  support_succeed(vptr_malloc(mapper, sizeof totals_seen, &totals));
  launch_again(shape, marks, bytes, totals);
  support_succeed(vptr_memcpy(mapper, seen, marks, bytes));
  support_succeed(vptr_memcpy(mapper, totals_seen, totals, sizeof totals_seen));
  expect_marks(shape, seen);
  expect_totals(shape, totals_seen);
  support_succeed(vptr_free(mapper, marks));
  support_succeed(vptr_free(mapper, totals));
  free(seen);
}

static void try_shapes(cl_uint bits, const shape *shapes, int count) {
  open_device(bits);
  for (int i = 0; i < count; i++)
    try_shape(&shapes[i]);
  try_shape(&shapes[0]); /* what was built for it is still there, and the right one is taken */
  close_device();
}

START_TEST(a_line_is_cut) {
  static const shape shapes[] = { { { 1000, 1, 1 }, { 64, 1, 1 } },
                                  { { 4095, 1, 1 }, { 1, 1, 1 } }, /* as far as it counts */
                                  { { 4096, 1, 1 }, { 1, 1, 1 } },
                                  { { 2001, 1, 1 }, { 5, 1, 1 } }, /* the last piece is a small one */
                                  { { 1, 3000, 1 }, { 3, 7, 1 } } };
  try_shapes(12, shapes, 5);
}
END_TEST

START_TEST(a_plane_is_cut) {
  static const shape shapes[] = { { { 40, 30, 1 }, { 8, 16, 1 } },
                                  { { 3, 300, 1 }, { 16, 3, 4 } },
                                  { { 300, 1, 140 }, { 1, 2, 3 } },
                                  { { 15, 15, 1 }, { 16, 16, 1 } }, /* whole */
                                  { { 16, 15, 1 }, { 16, 16, 1 } } };
  try_shapes(8, shapes, 5);
}
END_TEST

START_TEST(a_volume_is_cut) {
  static const shape shapes[] = { { { 17, 23, 33 }, { 4, 3, 2 } }, { { 100, 8, 9 }, { 1, 8, 8 } } };
  try_shapes(6, shapes, 2);
}
END_TEST

/* The layer stands for a device that would refuse what is not cut. */
START_TEST(the_device_refuses_what_it_cannot_count) {
  vptr_config config = VPTR_CONFIG_INIT;
  vptr_mapper *whole;
  const size_t offset[3] = { 0 }, too_large[3] = { 256, 1, 1 }, fits[3] = { 255, 1, 1 }, one[3] = { 1, 1, 1 };
  const size_t beyond[3] = { 1, 0, 0 };
  support_succeed(vptr_mapper_create(&config, &whole));
  vptr__device *device = whole->device;
  layer->address_bits(8);
  support_expect(VPTR_ERROR_OPENCL,
                 device->ops->kernel.enqueue(device, device->cl_queue, NULL, offset, too_large, one, NULL));
  ck_assert_int_eq(vptr_last_cl_error(), CL_INVALID_GLOBAL_WORK_SIZE);
  support_expect(VPTR_ERROR_OPENCL,
                 device->ops->kernel.enqueue(device, device->cl_queue, NULL, beyond, fits, one, NULL));
  ck_assert_int_eq(vptr_last_cl_error(), CL_INVALID_GLOBAL_OFFSET);
  layer->address_bits(0);
  support_succeed(vptr_mapper_destroy(whole));
}
END_TEST

static Suite *cut_suite(void) {
  Suite *suite = suite_create("cut");
  TCase *shapes = tcase_create("shapes");
  layer = support_has_opencl() ? layer_install() : NULL;
  if (layer != NULL) {
    tcase_add_test(shapes, a_line_is_cut);
    tcase_add_test(shapes, a_plane_is_cut);
    tcase_add_test(shapes, a_volume_is_cut);
    tcase_add_test(shapes, the_device_refuses_what_it_cannot_count);
  }
  suite_add_tcase(suite, shapes);
  return suite;
}

int main(void) {
  setenv("VPTR_CACHE", "off", 1);
  setenv("VPTR_THREADS", "items", 1); /* a block of one work-item is cut into fewer pieces */
  return support_run(cut_suite());
}
