/* SPDX-License-Identifier: MIT */
/*
 * test_cuda_array - arrays against a host model: every kind, every way in and out, random rects; and faults. What they
 * are beside other work is in test_cuda_array_order.c.
 *
 * What CUDA does as well is asked by conform_array.c, which runs on both.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <vptr/cuda/cuda_runtime.h>

#include "base/memory.h"
#include "device/fake.h"
#include "device/opencl.h"
#include "expect.h"
#include "mapper/mapper.h"

enum { WIDTH = 13, HEIGHT = 9, DEPTH = 5, ROUNDS = 150 };

static const struct cudaChannelFormatDesc float4_desc = { 32, 32, 32, 32, cudaChannelFormatKindFloat };
static const struct cudaChannelFormatDesc uint_desc = { 32, 0, 0, 0, cudaChannelFormatKindUnsigned };

static uint64_t seed;

static void setup(void) {
  seed = 42;
  cudaGetLastError();
}

/* ---- a model -------------------------------------------------------------------------------------------- */

/* An array and what it must hold. */
typedef struct model {
  cudaArray_t array;
  size_t extent[3]; /* at least 1 each */
  size_t element;
  unsigned char *bytes;
} model;

static unsigned char *at(const model *m, size_t x, size_t y, size_t z) {
  return m->bytes + ((z * m->extent[1] + y) * m->extent[0] + x) * m->element;
}

static struct cudaMemcpy3DParms whole(const model *m, void *memory, bool to_array) {
  struct cudaMemcpy3DParms p = { .kind = cudaMemcpyDefault };
  size_t row = m->extent[0] * m->element;
  p.extent = make_cudaExtent(m->extent[0], m->extent[1], m->extent[2]);
  if (to_array) {
    p.dstArray = m->array;
    p.srcPtr = make_cudaPitchedPtr(memory, row, row, m->extent[1]);
  } else {
    p.srcArray = m->array;
    p.dstPtr = make_cudaPitchedPtr(memory, row, row, m->extent[1]);
  }
  return p;
}

static size_t size_of(const model *m) {
  return m->extent[0] * m->extent[1] * m->extent[2] * m->element;
}

static model make(const struct cudaChannelFormatDesc *desc, size_t element, size_t w, size_t h, size_t d,
                  unsigned flags) {
  model m = { .extent = { w, h > 0 ? h : 1, d > 0 ? d : 1 }, .element = element };
  succeed(cudaMalloc3DArray(&m.array, desc, make_cudaExtent(w, h, d), flags));
  m.bytes = malloc(size_of(&m));
  for (size_t i = 0; i < size_of(&m); i++)
    m.bytes[i] = (unsigned char)support_random(&seed);
  struct cudaMemcpy3DParms p = whole(&m, m.bytes, true);
  succeed(cudaMemcpy3D(&p));
  return m;
}

static void check(const model *m) {
  unsigned char *seen = malloc(size_of(m));
  struct cudaMemcpy3DParms p = whole(m, seen, false);
  succeed(cudaMemcpy3D(&p));
  support_must(memcmp(seen, m->bytes, size_of(m)) == 0);
  free(seen);
}

static void unmake(model *m) {
  check(m);
  succeed(cudaFreeArray(m->array));
  free(m->bytes);
}

/* A random rect of a model: position and region in elements. */
typedef struct rect {
  size_t at[3], region[3];
} rect;

static rect random_rect(const model *m) {
  rect b;
  for (int i = 0; i < 3; i++) {
    b.region[i] = 1 + support_below(&seed, m->extent[i]);
    b.at[i] = support_below(&seed, m->extent[i] - b.region[i] + 1);
  }
  return b;
}

/* ---- rects ---------------------------------------------------------------------------------------------- */

/* Moves a rect between an array and pitched memory, of host or device, and does the same to the model. */
static void move_rect(const model *m, bool to_array, bool on_device) {
  rect b = random_rect(m);
  size_t pitch = b.region[0] * m->element + support_below(&seed, 20), rows = b.region[1] + support_below(&seed, 3);
  size_t bytes = pitch * rows * b.region[2];
  unsigned char *host = malloc(bytes), *memory = host;
  for (size_t i = 0; i < bytes; i++)
    host[i] = (unsigned char)support_random(&seed);
  if (on_device) {
    memory = (unsigned char *)device_memory(bytes);
    succeed(cudaMemcpy(memory, host, bytes, cudaMemcpyHostToDevice));
  }
  struct cudaMemcpy3DParms p = { .kind = cudaMemcpyDefault };
  p.extent = make_cudaExtent(b.region[0], b.region[1], b.region[2]);
  struct cudaPos pos = make_cudaPos(b.at[0], b.at[1], b.at[2]);
  struct cudaPitchedPtr pitched = make_cudaPitchedPtr(memory, pitch, pitch, rows);
  p.dstArray = to_array ? m->array : NULL;
  p.srcArray = to_array ? NULL : m->array;
  *(to_array ? &p.dstPos : &p.srcPos) = pos;
  *(to_array ? &p.srcPtr : &p.dstPtr) = pitched;
  succeed(cudaMemcpy3D(&p));
  for (size_t z = 0; z < b.region[2]; z++)
    for (size_t y = 0; y < b.region[1]; y++) {
      unsigned char *in_array = at(m, b.at[0], b.at[1] + y, b.at[2] + z);
      unsigned char *outside = host + (z * rows + y) * pitch;
      memcpy(to_array ? in_array : outside, to_array ? outside : in_array, b.region[0] * m->element);
    }
  if (on_device) {
    unsigned char *seen = malloc(bytes);
    succeed(cudaMemcpy(seen, memory, bytes, cudaMemcpyDeviceToHost));
    support_must(memcmp(seen, host, bytes) == 0);
    free(seen);
    succeed(cudaFree(memory));
  } else if (!to_array) { /* the copy wrote host itself; the model must agree */
    for (size_t y = 0; y < b.region[1]; y++)
      support_must(memcmp(host + y * pitch, at(m, b.at[0], b.at[1] + y, b.at[2]), b.region[0] * m->element) == 0);
  }
  free(host);
}

static void shuffle(model *m) {
  for (int round = 0; round < ROUNDS; round++) {
    move_rect(m, support_below(&seed, 2), support_below(&seed, 2));
    if (round % 10 == 0)
      check(m);
  }
  unmake(m);
}

START_TEST(channels_have_no_gap) {
  static const int odd[][4] = { { 8, 0, 8, 0 }, { 8, 0, 0, 8 }, { 8, 8, 0, 8 }, { 8, 8, 8, 0 }, { 8, 16, 0, 0 } };
  cudaArray_t array = NULL;
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
    struct cudaChannelFormatDesc desc =
        cudaCreateChannelDesc(odd[i][0], odd[i][1], odd[i][2], odd[i][3], cudaChannelFormatKindUnsigned);
    ck_assert_int_ne(cudaMallocArray(&array, &desc, 8, 8, 0), cudaSuccess);
  }
  cudaGetLastError();
}
END_TEST

START_TEST(a_pitch_is_no_wider_than_it_must_be) {
  for (size_t width = 511; width <= 513; width++) {
    void *memory;
    size_t pitch;
    ck_assert_int_eq(cudaMallocPitch(&memory, &pitch, width, 3), cudaSuccess);
    ck_assert_uint_eq(pitch, width <= 512 ? 512 : 1024);
    ck_assert_int_eq(cudaFree(memory), cudaSuccess);
  }
}
END_TEST

START_TEST(rects_go_in_and_out_in_one_dimension) {
  model m = make(&uint_desc, 4, 100, 0, 0, 0);
  shuffle(&m);
}
END_TEST

START_TEST(rects_go_in_and_out_in_two_dimensions) {
  model m = make(&float4_desc, 16, WIDTH, HEIGHT, 0, cudaArraySurfaceLoadStore);
  shuffle(&m);
}
END_TEST

START_TEST(rects_go_in_and_out_in_three_dimensions) {
  model m = make(&uint_desc, 4, WIDTH, HEIGHT, DEPTH, 0);
  shuffle(&m);
}
END_TEST

START_TEST(rects_go_in_and_out_of_layers) {
  model m = make(&float4_desc, 16, WIDTH, HEIGHT, DEPTH, cudaArrayLayered);
  shuffle(&m);
}
END_TEST

START_TEST(rects_go_in_and_out_of_layers_of_one_row) {
  model m = make(&float4_desc, 16, WIDTH, 0, DEPTH, cudaArrayLayered);
  shuffle(&m);
}
END_TEST

static void shuffle_between(model a, model b, int rounds) {
  for (int round = 0; round < rounds; round++) {
    const model *from = support_below(&seed, 2) ? &a : &b, *to = support_below(&seed, 2) ? &a : &b;
    rect f = random_rect(from), t = random_rect(to);
    struct cudaMemcpy3DParms p = { .srcArray = from->array, .dstArray = to->array, .kind = cudaMemcpyDeviceToDevice };
    for (int i = 0; i < 3; i++)
      f.region[i] = f.region[i] < t.region[i] ? f.region[i] : t.region[i];
    p.srcPos = make_cudaPos(f.at[0], f.at[1], f.at[2]);
    p.dstPos = make_cudaPos(t.at[0], t.at[1], t.at[2]);
    p.extent = make_cudaExtent(f.region[0], f.region[1], f.region[2]);
    succeed(cudaMemcpy3D(&p));
    unsigned char *copy = malloc(size_of(from));
    memcpy(copy, from->bytes, size_of(from));
    const model source = { .extent = { from->extent[0], from->extent[1], from->extent[2] },
                           .element = from->element,
                           .bytes = copy };
    for (size_t z = 0; z < f.region[2]; z++)
      for (size_t y = 0; y < f.region[1]; y++)
        memcpy(at(to, t.at[0], t.at[1] + y, t.at[2] + z), at(&source, f.at[0], f.at[1] + y, f.at[2] + z),
               f.region[0] * from->element);
    free(copy);
  }
  unmake(&a);
  unmake(&b);
}

START_TEST(rects_go_between_arrays_and_within_one) {
  shuffle_between(make(&uint_desc, 4, WIDTH, HEIGHT, DEPTH, 0), make(&uint_desc, 4, HEIGHT, WIDTH, DEPTH, 0), ROUNDS);
}
END_TEST

/* Layers of one row are another shape than all the rest in OpenCL. */
START_TEST(rects_go_between_arrays_of_every_two_kinds) {
  static const struct {
    size_t height, depth;
    unsigned flags;
  } kinds[] = { { 0, 0, 0 },
                { HEIGHT, 0, 0 },
                { HEIGHT, DEPTH, 0 },
                { 0, DEPTH, cudaArrayLayered },
                { HEIGHT, DEPTH, cudaArrayLayered } };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    for (size_t j = 0; j <= i; j++)
      shuffle_between(make(&uint_desc, 4, WIDTH, kinds[i].height, kinds[i].depth, kinds[i].flags),
                      make(&uint_desc, 4, HEIGHT, kinds[j].height, kinds[j].depth, kinds[j].flags), 30);
}
END_TEST

/* What a driver that refuses the straight way makes of it: on one that does not, too. */
START_TEST(layers_of_one_row_take_a_detour) {
  vptr_mapper *mapper;
  if (!support_has_opencl())
    return;
  support_succeed(vptr__mapper_for_device(0, &mapper));
  atomic_bool *detours = &vptr__opencl_of(mapper->device)->detours_layers;
  bool asked = atomic_exchange(detours, true);
  model m = make(&float4_desc, 16, WIDTH, 0, DEPTH, cudaArrayLayered);
  shuffle(&m);
  atomic_store(detours, asked);
}
END_TEST

/* ---- lines ---------------------------------------------------------------------------------------------- */

START_TEST(lines_run_on_from_row_to_row) {
  model m = make(&uint_desc, 4, WIDTH, HEIGHT, 0, 0);
  unsigned char line[WIDTH * HEIGHT * 4];
  for (int round = 0; round < ROUNDS; round++) {
    size_t start = support_below(&seed, WIDTH * HEIGHT), count = support_below(&seed, WIDTH * HEIGHT - start + 1);
    size_t x = start % WIDTH * 4, y = start / WIDTH;
    bool asynchronous = support_below(&seed, 2);
    for (size_t i = 0; i < sizeof line; i++)
      line[i] = (unsigned char)support_random(&seed);
    if (asynchronous)
      succeed(cudaMemcpyToArrayAsync(m.array, x, y, line, count * 4, cudaMemcpyHostToDevice, NULL));
    else
      succeed(cudaMemcpyToArray(m.array, x, y, line, count * 4, cudaMemcpyHostToDevice));
    memcpy(m.bytes + start * 4, line, count * 4);
    memset(line, 0, sizeof line);
    if (asynchronous)
      succeed(cudaMemcpyFromArrayAsync(line, m.array, x, y, count * 4, cudaMemcpyDeviceToHost, NULL));
    else
      succeed(cudaMemcpyFromArray(line, m.array, x, y, count * 4, cudaMemcpyDeviceToHost));
    support_must(memcmp(line, m.bytes + start * 4, count * 4) == 0);
  }
  unmake(&m);
}
END_TEST

START_TEST(lines_go_between_arrays_of_other_rows) {
  model a = make(&uint_desc, 4, WIDTH, HEIGHT, 0, 0), b = make(&uint_desc, 4, 7, 20, 0, 0);
  for (int round = 0; round < ROUNDS; round++) {
    const model *from = support_below(&seed, 2) ? &a : &b;
    const model *to = from == &a ? &b : &a;
    size_t s = support_below(&seed, 100), t = support_below(&seed, 100), count = support_below(&seed, 15);
    succeed(cudaMemcpyArrayToArray(to->array, t % to->extent[0] * 4, t / to->extent[0], from->array,
                                   s % from->extent[0] * 4, s / from->extent[0], count * 4,
                                   cudaMemcpyDeviceToDevice));
    memcpy(to->bytes + t * 4, from->bytes + s * 4, count * 4);
  }
  unmake(&a);
  unmake(&b);
}
END_TEST

/* ---- strictness, faults --------------------------------------------------------------------------------- */

START_TEST(device_memory_is_checked_to_the_byte) {
  model m = make(&uint_desc, 4, WIDTH, HEIGHT, 0, 0);
  char *p = device_memory(WIDTH * HEIGHT * 4);
  succeed(cudaMemcpy2DFromArray(p, WIDTH * 4, m.array, 0, 0, WIDTH * 4, HEIGHT, cudaMemcpyDeviceToDevice));
  expect(cudaErrorInvalidValue,
         cudaMemcpy2DToArray(m.array, 0, 0, p + 1, WIDTH * 4, WIDTH * 4, HEIGHT, cudaMemcpyDeviceToDevice));
  expect(cudaErrorInvalidValue, cudaMemcpyToArray(m.array, 0, 0, p + 4, WIDTH * HEIGHT * 4, cudaMemcpyDefault));
  succeed(cudaFree(p));
  expect(cudaErrorInvalidValue, cudaMemcpyToArray(m.array, 0, 0, p, 4, cudaMemcpyDefault));
  unmake(&m);
}
END_TEST

START_TEST(a_handle_that_ended_stays_invalid) {
  cudaArray_t first, second;
  int value = 0;
  succeed(cudaMallocArray(&first, &uint_desc, 4, 4, 0));
  succeed(cudaFreeArray(first));
  succeed(cudaMallocArray(&second, &uint_desc, 4, 4, 0));
  ck_assert_ptr_ne(first, second);
  expect(cudaErrorInvalidResourceHandle, cudaFreeArray(first));
  expect(cudaErrorInvalidResourceHandle, cudaMemcpyToArray(first, 0, 0, &value, 4, cudaMemcpyHostToDevice));
  expect(cudaErrorInvalidResourceHandle, cudaArrayGetInfo(NULL, NULL, NULL, (cudaArray_t)(void *)&value));
  succeed(cudaFreeArray(second));
}
END_TEST

START_TEST(memory_comes_back) {
  vptr__fake_counts before, after;
  cudaArray_t array;
  if (support_has_opencl())
    return;
  succeed(cudaFree(NULL));
  vptr__fake_get_counts(&before);
  succeed(cudaMallocArray(&array, &float4_desc, 1000, 1000, 0));
  vptr__fake_get_counts(&after);
  ck_assert_uint_eq(after.bytes - before.bytes, 16000000);
  succeed(cudaFreeArray(array));
  vptr__fake_get_counts(&after);
  ck_assert_uint_eq(after.bytes, before.bytes);
}
END_TEST

static void device_faults(long n) {
  vptr__fake_fail_nth(n, CL_MEM_OBJECT_ALLOCATION_FAILURE);
}

/* All that needs memory, while the n-th thing fails; whether anything did. */
static bool use_arrays(void (*arm)(long n), long n) {
  unsigned char bytes[WIDTH * HEIGHT * 4] = { 0 };
  cudaArray_t array = NULL;
  void *p = device_memory(sizeof bytes * 2);
  arm(n);
  cudaError_t made = cudaMallocArray(&array, &uint_desc, WIDTH, HEIGHT, 0), used = cudaSuccess;
  if (made == cudaSuccess)
    used = cudaMemcpy2DToArray(array, 0, 0, p, WIDTH * 4 + 8, WIDTH * 4, HEIGHT, cudaMemcpyDeviceToDevice);
  if (made == cudaSuccess && used == cudaSuccess)
    used = cudaMemcpy2DFromArray(bytes, WIDTH * 4, array, 0, 0, WIDTH * 4, HEIGHT, cudaMemcpyDeviceToHost);
  arm(0);
  ck_assert(made == cudaSuccess ? array != NULL : array == NULL);
  succeed(cudaFreeArray(array));
  cudaDeviceSynchronize(); /* what failed may be told here once more */
  succeed(cudaFree(p));
  support_succeed(vptr_trim(NULL, 0));
  cudaGetLastError();
  return made != cudaSuccess || used != cudaSuccess;
}

static bool survives_fault(void (*arm)(long n), long n) {
  long live = vptr__memory_live();
  bool has_failed = use_arrays(arm, n);
  ck_assert_int_le(vptr__memory_live(), live + 16);
  return has_failed;
}

START_TEST(faults_break_nothing) {
  int hits = 0;
  vptr__fake_counts before, after;
  use_arrays(vptr__memory_fail_nth, 0); /* what the process keeps from its first is no loss */
  vptr__fake_get_counts(&before);
  for (long n = 1; n < 20; n++)
    hits += survives_fault(vptr__memory_fail_nth, n);
  for (long n = 1; n < 20 && !support_has_opencl(); n++)
    hits += survives_fault(device_faults, n);
  vptr__fake_get_counts(&after);
  ck_assert_uint_eq(after.bytes, before.bytes);
  ck_assert_int_ge(hits, 1);
}
END_TEST

static Suite *cuda_array_suite(void) {
  Suite *suite = suite_create("cuda_array");
  TCase *rects = tcase_create("rects");
  tcase_add_checked_fixture(rects, setup, NULL);
  tcase_add_test(rects, channels_have_no_gap);
  tcase_add_test(rects, a_pitch_is_no_wider_than_it_must_be);
  tcase_add_test(rects, rects_go_in_and_out_in_one_dimension);
  tcase_add_test(rects, rects_go_in_and_out_in_two_dimensions);
  tcase_add_test(rects, rects_go_in_and_out_in_three_dimensions);
  tcase_add_test(rects, rects_go_in_and_out_of_layers);
  tcase_add_test(rects, rects_go_in_and_out_of_layers_of_one_row);
  tcase_add_test(rects, rects_go_between_arrays_and_within_one);
  tcase_add_test(rects, rects_go_between_arrays_of_every_two_kinds);
  tcase_add_test(rects, layers_of_one_row_take_a_detour);
  suite_add_tcase(suite, rects);
  TCase *lines = tcase_create("lines");
  tcase_add_checked_fixture(lines, setup, NULL);
  tcase_add_test(lines, lines_run_on_from_row_to_row);
  tcase_add_test(lines, lines_go_between_arrays_of_other_rows);
  suite_add_tcase(suite, lines);
  TCase *strict = tcase_create("strictness and faults");
  tcase_add_checked_fixture(strict, setup, NULL);
  tcase_add_test(strict, device_memory_is_checked_to_the_byte);
  tcase_add_test(strict, a_handle_that_ended_stays_invalid);
  tcase_add_test(strict, memory_comes_back);
  tcase_add_test(strict, faults_break_nothing);
  suite_add_tcase(suite, strict);
  return suite;
}

int main(void) {
  return support_run(cuda_array_suite());
}
